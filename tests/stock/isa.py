# SPDX-License-Identifier: MIT
"""The instructions that a driver compiles, against our instruction set.

   isa.py collect --gen=G -o FILE [--every=N [--first=K]] [FOLDER...]
   isa.py collect --gen=G -o FILE [--every=N [--first=K]] --profile=quick_gl
   isa.py collect --gen=G -o FILE [--every=N [--first=K]] --ours
   isa.py check --gen=G FILE-OR-FOLDER...

`collect` runs piglit's shader tests (or the .shader_test files of the named
folders, or the tests of a piglit profile; each Nth of them, from the Kth on)
with Mesa's own driver for that generation and gathers the different
instructions that its compiler prints (see compiled.py). With --ours it is our
driver, under zink, and the sample of quick_shader that corpus.py would take;
INTEL_SCALAR_STAGES says which back end is used for bdw and skl.

`check` wants of each of them, in files of `collect` or programs that
SAFFRON_SIM_KERNELS wrote (a folder stands for those of this generation): it
decodes, prints, parses, encodes and compacts to the same bytes, breaks no
rule, and (but for ivb, which it does not know) Intel's disassembler prints
the same text.

`test` does both with a few tests for each generation (of our driver, with
--ours); it exits with 77 where piglit, the drivers or iga64 are not installed.

The build is in `build`, or where SAFFRON_BUILD_DIR says.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import compiled

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests/corpus'))
import corpus  # pylint: disable=wrong-import-position

IGA = {'hsw': '7p5', 'bdw': '8', 'skl': '9'}
SHORT_B = 8
COMPACTED = 1 << 29
SKIP = 77
# What iga64 takes for something else: it shows half of dim's number.
NOT_IGA = re.compile(r'Align16|\bdim\b')


def build_dir():
    return Path(os.environ.get('SAFFRON_BUILD_DIR', ROOT / 'build'))


def shim():
    return build_dir() / 'src/intel/drm-shim/libsaffron_drm_shim.so'


class Ours(compiled.Collection):
    """Programs of our driver, whole ones. zink compiles in a thread, so a
    listing may be torn; then the batch has another try."""

    def take(self, text):
        torn = 0
        for head in corpus.HEAD.finditer(text):
            lines = corpus.listed_code(text, head)
            if lines is None:
                torn += 1
                continue
            self.programs += 1
            self.instructions += len(lines)
            self.found.update(bytes.fromhex(l.decode()) for l in lines)
        return torn

    def run(self, gen, library, commands, progress=None):
        env = corpus.environment(build_dir(), gen, [])
        for batch in compiled.batches(commands):
            for _ in range(corpus.ATTEMPTS):
                cut_off = []
                before = self.programs, self.instructions
                torn = [self.take(text) for _, text in
                        compiled.printed(env, batch, cut_off)]
                if not any(torn):
                    break
                self.programs, self.instructions = before
            else:
                self.lost.append('a listing among ' + ' '.join(batch[1]))
            self.lost += [' '.join(words) for words in cut_off]
            self.tests += max(len(batch[1]), 1)
            if progress:
                progress(self)


def our_commands(args):
    return corpus.chosen(compiled.profile_commands('quick_shader'),
                         args.every, args.first)


def collect(args):
    commands = our_commands(args) if args.ours else \
        compiled.profile_commands(args.profile) if args.profile else \
        compiled.file_commands(compiled.shader_tests(args.folders))
    if not args.ours:
        commands = commands[args.first::args.every]

    def progress(c):
        if c.tests % 100 and c.tests != len(commands):
            return
        print('\r%s: %d of %d tests, %d programs, %d instructions, %d of '
              'them different' % (args.gen, c.tests, len(commands),
                                  c.programs, c.instructions, len(c.found)),
              end='', file=sys.stderr, flush=True)

    c = Ours() if args.ours else compiled.Collection()
    c.run(args.gen, shim(), commands, progress)
    print(file=sys.stderr)
    for name in c.lost:
        print('%s: crashed, or took too long' % name, file=sys.stderr)
    Path(args.output).write_bytes(b''.join(sorted(c.found)))
    return 0


def normal(line):
    """A line of a disassembly as it may be compared."""
    line = re.sub(r'//.*', '', line)
    return re.sub(r'\s+', ' ', line).strip().rstrip(';').strip()


def instructions(code):
    at = 0
    while at < len(code):
        short = int.from_bytes(code[at:at + 4], 'little') & COMPACTED
        size = SHORT_B if short else 2 * SHORT_B
        yield code[at:at + size]
        at += size


def iga_text(gen, parts):
    """Lines of iga64 for these instructions; None for those that it does not
    know (Align16)."""
    unknown = set()
    while True:
        known = [i for i in range(len(parts)) if i not in unknown]
        with tempfile.NamedTemporaryFile(suffix='.krn') as f:
            f.write(b''.join(parts[i] for i in known))
            # A jump of the last instruction goes after it.
            f.write(bytes([126] + 15 * [0]))
            f.flush()
            done = subprocess.run(
                ['iga64', '-p=' + IGA[gen], '-q', '-n', '-d', f.name],
                capture_output=True, text=True, check=False)
        bad = {int(n, 16) for n in
               re.findall(r'byte offset 0x([0-9A-Fa-f]+): error',
                          done.stderr)}
        if not bad:
            break
        at = 0
        for i in known:
            if at in bad:
                unknown.add(i)
            at += len(parts[i])
    lines = [normal(l) for l in done.stdout.split('\n') if normal(l)][:-1]
    if len(lines) != len(known):
        raise SystemExit('iga64: %d lines for %d instructions' % (
            len(lines), len(known)))
    result = [None] * len(parts)
    for i, line in zip(known, lines):
        result[i] = line
    return result


def compare_text(gen, text, code):
    """iga64 does not show the source modifiers of hsw's math."""
    ours = [normal(l) for l in text.split('\n') if normal(l)]
    parts = list(instructions(code))
    differ = unknown = 0
    for i in range(0, len(parts), 1000):
        theirs = iga_text(gen, parts[i:i + 1000])
        for a, b, c in zip(ours[i:], theirs, parts[i:]):
            if b is None or NOT_IGA.search(a):
                unknown += 1
            elif a != b and not (gen == 'hsw' and 'math.' in a and
                                 a.replace('-', '') == b):
                differ += 1
                if differ <= 20:
                    print('text differs: %s\n   ours  %s\n   iga64 %s' % (
                        c.hex(' '), a, b))
    print('%s: iga64 has words for %d of %d instructions; the text of %d '
          'differs' % (gen, len(parts) - unknown, len(parts), differ))
    return differ == 0


def check(args):
    files = []
    for name in args.files:
        path = Path(name)
        files += sorted(path.glob(args.gen + '-*.bin')) if path.is_dir() \
            else [path]
    if not files:
        raise SystemExit('isa.py: no programs for ' + args.gen)
    with tempfile.TemporaryDirectory() as folder:
        text, code = Path(folder) / 'text', Path(folder) / 'code'
        done = subprocess.run(
            [build_dir() / 'src/intel/tools/saffron-isa-check',
             '--gen=' + args.gen, '--text=%s' % text, '--binary=%s' % code,
             *files], check=False)
        if done.returncode > 1:
            return done.returncode
        good = done.returncode == 0
        if args.gen in IGA:
            good &= compare_text(args.gen, text.read_text(),
                                 code.read_bytes())
    return 0 if good else 1


def test(args):
    if not (compiled.PIGLIT / 'bin/shader_runner').exists() or \
            not shutil.which('iga64'):
        return SKIP
    result = 0
    with tempfile.TemporaryDirectory() as folder:
        for gen in ('ivb', 'hsw', 'bdw', 'skl'):
            file = Path(folder) / gen
            collect(argparse.Namespace(gen=gen, output=file, every=args.every, first=0,
                                       ours=args.ours, profile=None,
                                       folders=None))
            if not file.stat().st_size:
                return SKIP  # the driver for this GPU did not load
            result |= check(argparse.Namespace(gen=gen, files=[file]))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    commands = parser.add_subparsers(required=True)
    p = commands.add_parser('collect')
    p.set_defaults(run=collect)
    p.add_argument('--gen', required=True)
    p.add_argument('-o', '--output', required=True)
    p.add_argument('--every', type=int, default=1)
    p.add_argument('--first', type=int, default=0)
    p.add_argument('--profile')
    p.add_argument('--ours', action='store_true')
    p.add_argument('folders', nargs='*')
    p = commands.add_parser('check')
    p.set_defaults(run=check)
    p.add_argument('--gen', required=True)
    p.add_argument('files', nargs='+')
    p = commands.add_parser('test')
    p.set_defaults(run=test)
    p.add_argument('--every', type=int, default=1500)
    p.add_argument('--ours', action='store_true')
    args = parser.parse_args()
    return args.run(args)


if __name__ == '__main__':
    sys.exit(main())
