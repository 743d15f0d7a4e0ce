# SPDX-License-Identifier: MIT
"""The instructions that a stock driver compiles, against our instruction set.

   isa.py collect --gen=G -o FILE [--every=N] [FOLDER...]
   isa.py check --gen=G FILE...

`collect` runs piglit's shader tests (or the .shader_test files of the named
folders; each Nth of them) with Mesa's own driver for that generation over the
simulated GPU, with INTEL_DEBUG=...,hex, and gathers the different
instructions that its compiler prints. What the programs draw does not matter,
so this works for generations that are not simulated.

`check` wants of each of them, in files of `collect` or programs that
SAFFRON_SIM_KERNELS wrote: it decodes, prints, parses, encodes and compacts to
the same bytes, breaks no rule, and (but for ivb, which it does not know)
Intel's disassembler prints the same text.

`test` does both with a few tests for each generation; it exits with 77 where
piglit, the drivers or iga64 are not installed.

The build is in `build`, or where SAFFRON_BUILD_DIR says.
"""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PIGLIT = Path('/usr/lib/x86_64-linux-gnu/piglit')
IGA = {'hsw': '7p5', 'bdw': '8', 'skl': '9'}
STAGES = 'vs,tcs,tes,gs,fs,cs'
HEX = re.compile(rb'^((?:[0-9a-f]{2} ){8}(?:(?:[0-9a-f]{2} ){8})?)', re.M)
BATCH = 25
SHORT_B = 8
COMPACTED = 1 << 29
SKIP = 77
# What iga64 takes for something else: it shows half of dim's number.
NOT_IGA = re.compile(r'Align16|\bdim\b')


def build_dir():
    return Path(os.environ.get('SAFFRON_BUILD_DIR', ROOT / 'build'))


def tests(folders):
    for folder in folders or [PIGLIT / 'tests', PIGLIT / 'generated_tests']:
        yield from sorted(Path(folder).rglob('*.shader_test'))


def compiled_by(gen, files):
    """What shader_runner and the driver print for these tests."""
    env = dict(os.environ,
               LD_PRELOAD=str(build_dir() /
                              'src/intel/drm-shim/libsaffron_drm_shim.so'),
               SAFFRON_DEVICE='sim:' + gen, SAFFRON_SIM_DRY_RUN='1',
               INTEL_DEBUG=STAGES + ',hex,noccs,nofc,nohiz',
               PIGLIT_PLATFORM='surfaceless_egl',
               MESA_SHADER_CACHE_DISABLE='true')
    try:
        done = subprocess.run(
            [PIGLIT / 'bin/shader_runner', *files, '-auto', '-fbo'], env=env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=30 + len(files),
            check=False)
        return done.stdout
    except subprocess.TimeoutExpired as e:
        return e.stdout or b''


def collect(args):
    files = list(tests(args.folders))[::args.every]
    found = collections.Counter()
    programs = 0
    for i in range(0, len(files), BATCH):
        text = compiled_by(args.gen, files[i:i + BATCH])
        programs += text.count(b'Native code for')
        for m in HEX.finditer(text):
            found[bytes.fromhex(m[1].decode())] += 1
        print('\r%s: %d of %d tests, %d programs, %d instructions, %d of '
              'them different' % (args.gen, min(i + BATCH, len(files)),
                                  len(files), programs,
                                  sum(found.values()), len(found)),
              end='', file=sys.stderr, flush=True)
        Path(args.output).write_bytes(b''.join(sorted(found)))
    print(file=sys.stderr)
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
            # A jump of the last instruction goes behind it.
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
    with tempfile.TemporaryDirectory() as folder:
        text, code = Path(folder) / 'text', Path(folder) / 'code'
        done = subprocess.run(
            [build_dir() / 'src/intel/tools/saffron-isa-check',
             '--gen=' + args.gen, '--text=%s' % text, '--binary=%s' % code,
             *args.files], check=False)
        if done.returncode > 1:
            return done.returncode
        good = done.returncode == 0
        if args.gen in IGA:
            good &= compare_text(args.gen, text.read_text(),
                                 code.read_bytes())
    return 0 if good else 1


def test(args):
    if not (PIGLIT / 'bin/shader_runner').exists() or \
            not shutil.which('iga64'):
        return SKIP
    result = 0
    with tempfile.TemporaryDirectory() as folder:
        for gen in ('ivb', 'hsw', 'bdw', 'skl'):
            file = Path(folder) / gen
            collect(argparse.Namespace(gen=gen, output=file, every=args.every,
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
    p.add_argument('folders', nargs='*')
    p = commands.add_parser('check')
    p.set_defaults(run=check)
    p.add_argument('--gen', required=True)
    p.add_argument('files', nargs='+')
    p = commands.add_parser('test')
    p.set_defaults(run=test)
    p.add_argument('--every', type=int, default=1500)
    args = parser.parse_args()
    return args.run(args)


if __name__ == '__main__':
    sys.exit(main())
