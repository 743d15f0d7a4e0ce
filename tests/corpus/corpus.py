#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The machine code of a corpus of shaders, to compare two builds by.

   corpus.py collect --build=DIR -o FILE [--every=N [--first=K]]
                     [--only=LIST] [OPTIONS]
   corpus.py compare [--limit=N] A B

`collect` takes the shader tests of piglit's quick_shader, as Debian installs
them, through stock libGL, zink and the driver of a build. Nothing is
executed (SAFFRON_SIM_DRY_RUN); what the driver compiles on the way, it
prints (INTEL_DEBUG=...,hex). FILE gets a line for each program: test, stage,
dispatch width, SHA-256 of its bytes, number of instructions. With --every=N
it is about each N-th test, chosen by a hash of its name, so that a sample
stays the same when tests come or go. LIST has the names of tests, one a line
(what `compare` printed is one); each of them gets a process of its own.

`compare` prints what differs between two such files, test by test, and a
summary: programs that are the same, that changed, that only one has.

The driver's own programs (blits, clears) belong to the test that first needs
them, so one batch of tests is always run in one process, in the same order.
shader_runner does not say that a test begins when it changes the context: its
programs are then those of the test before. With --only there is none.

Exit codes: 0 collected; or nothing differs. 1 something differs, or a test
crashed, took too long or printed what is no program. 2 wrong use.
"""
import argparse
import bisect
import concurrent.futures
import gzip
import hashlib
import os
import re
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / 'tests/stock'), str(ROOT / 'tests')]
import compiled  # pylint: disable=wrong-import-position
import zink  # pylint: disable=wrong-import-position

MAGIC = '# saffron corpus 1'
STAGES = {'vertex': 'vs', 'tessellation control': 'tcs',
          'tessellation evaluation': 'tes', 'geometry': 'gs',
          'fragment': 'fs', 'compute': 'cs'}
HEAD = re.compile(rb'^Native code for (%s) shader \(SIMD(\d+(?:x2)?)\): '
                  rb'(\d+) instructions,.* (\d+) bytes' %
                  '|'.join(STAGES).encode(), re.M)
CODE = re.compile(rb'// ((?:[0-9a-f]{8} ?){2}(?:[0-9a-f]{8} ?){0,2})$', re.M)
NEXT = re.compile(rb'^(?:Native code|NIR \()', re.M)
REFUSED = re.compile(rb'^compilation failed: (.*)$', re.M)
LOST = '-'
ATTEMPTS = 5


def listed_code(text, head):
    """The words of each instruction of the listing that a head begins; None
    if not exactly its bytes are there."""
    end = NEXT.search(text, head.end())
    lines = [line.replace(b' ', b'') for line in
             CODE.findall(text, head.end(),
                          end.start() if end else len(text))]
    return lines if sum(map(len, lines)) == 2 * int(head[4]) else None


def whole_program(text, head):
    """(stage, width, hash, instructions) of the listing that a head begins;
    None if not exactly its bytes are there."""
    lines = listed_code(text, head)
    if lines is None:
        return None
    # Each word is printed as a number, so the hash is of no byte order.
    words = b''.join(lines)
    return (STAGES[head[1].decode()], head[2].decode(),
            hashlib.sha256(words).hexdigest(), head[3].decode())


def programs(files, text):
    """({test: programs}, files with a listing that is torn) of what a driver
    printed for these files. zink compiles compute shaders in a thread: what
    another one prints may be anywhere in a listing."""
    found, torn = {}, set()
    # shader_runner does not say that the only test begins.
    begins = [(0, files[0])] + [(m.start(), files[int(m[1]) - 1])
                                for m in compiled.BEGINS.finditer(text)]
    starts = [at for at, _ in begins]

    def file_at(match):
        return begins[bisect.bisect(starts, match.start()) - 1][1]

    for head in HEAD.finditer(text):
        file = file_at(head)
        made = whole_program(text, head)
        if made:
            found.setdefault(name_of(file), set()).add(made)
        else:
            torn.add(file)
    for refused in REFUSED.finditer(text):
        found.setdefault(name_of(file_at(refused)), set()).add(
            ('refused', '0', hashlib.sha256(refused[1]).hexdigest(), '0'))
    return found, torn


def environment(build, gen, flags):
    """In which zink finds the driver of this build, and it prints."""
    icd = str(build / 'src/intel/vulkan/saffron_icd.json')
    env = zink.environment(
        os.environ, SAFFRON_DEVICE='sim:' + gen,
        PIGLIT_PLATFORM='surfaceless_egl',
        PIGLIT_SOURCE_DIR=str(compiled.PIGLIT),
        VK_DRIVER_FILES=icd, VK_ICD_FILENAMES=icd,
        INTEL_DEBUG=','.join([*STAGES.values(), 'hex', *flags]),
        GALLIUM_THREAD='0', MESA_SHADER_CACHE_DISABLE='true')
    env.pop('NIR_DEBUG', None)
    return env


def name_of(file):
    """A test's name: its path below piglit's folder."""
    path = Path(file)
    return str(path.relative_to(compiled.PIGLIT)
               if path.is_relative_to(compiled.PIGLIT) else path)


def chosen(commands, every, first):
    """Those of the sample, sorted by name."""
    return sorted((c for c in commands if
                   zlib.crc32(name_of(c[1]).encode()) % every == first),
                  key=lambda c: name_of(c[1]))


def only_these(commands, path):
    """(those that a list names, what stands for the list in the header)"""
    try:
        with open(path, encoding='utf-8') as f:
            names = {line.split(':')[0].strip() for line in f}
    except (OSError, ValueError) as why:
        wrong_use('%s: %s' % (path, why))
    names = {n for n in names if n.endswith('.shader_test')}
    unknown = names - {name_of(c[1]) for c in commands}
    if unknown or not names:
        wrong_use('%s: %s' % (path, 'no test "%s"' % min(unknown)
                              if unknown else 'no tests in it'))
    return ([c for c in commands if name_of(c[1]) in names],
            '%08x' % zlib.crc32('\n'.join(sorted(names)).encode()))


def collect_once(env, batch):
    """({test: programs}, [command that did not end], [torn file])."""
    found, cut_off, torn = {}, [], []
    for files, text in compiled.printed(env, batch, cut_off):
        more, bad = programs(files, text)
        for test, made in more.items():
            found.setdefault(test, set()).update(made)
        torn += bad
    return found, cut_off, torn


def collect_batch(env, batch):
    """({test: programs}, [test that was lost and why])."""
    for _ in range(ATTEMPTS):
        found, cut_off, torn = collect_once(env, batch)
        if not torn:
            break
    lost = [(name_of(file), 'a listing that is not whole') for file in torn]
    # A busy machine may have been the reason: once more, alone.
    for program, file, *options in cut_off:
        text, ended = compiled.run(
            [compiled.PIGLIT / 'bin' / program, file, *options],
            compiled.dry(env), compiled.AGAIN_S)
        more, torn = programs([file], text)
        for made in more.values():
            found.setdefault(name_of(file), set()).update(made)
        if torn or not ended:
            lost.append((name_of(file), 'crashed, or took too long'))
    return found, lost


def opened(path, mode):
    if str(path).endswith('.gz'):
        return gzip.open(path, mode + 't', encoding='utf-8')
    return open(path, mode, encoding='utf-8')


def collect(args):
    build = Path(args.build).resolve()
    if not (build / 'src/intel/vulkan/saffron_icd.json').exists():
        wrong_use('%s is no build of the driver' % args.build)
    if args.every < 1 or not 0 <= args.first < args.every:
        wrong_use('--first is one of 0 to N - 1 of --every=N')
    if args.files:
        commands = compiled.file_commands(
            [str(Path(f).resolve()) for f in args.files])
    elif (compiled.PIGLIT / 'bin/shader_runner').exists():
        commands = compiled.profile_commands('quick_shader')
    else:
        wrong_use("needs Debian's package piglit")
    commands = chosen(commands, args.every, args.first)
    args.sample = 'every=%d first=%d' % (args.every, args.first)
    if args.only:
        commands, sha = only_these(commands, args.only)
        args.sample += ' only=' + sha
        batches = [b for c in commands for b in compiled.batches([c])]
    else:
        batches = list(compiled.batches(commands))
    env = environment(build, args.gen, args.debug.split(',')
                      if args.debug else [])
    found, lost, tests = {}, [], 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for batch, (more, bad) in zip(batches, pool.map(
                lambda b: collect_batch(env, b), batches)):
            found.update(more)
            lost += bad
            tests += len(batch[1])
            print('\r%d of %d tests, %d programs' % (
                tests, len(commands), sum(map(len, found.values()))),
                end='', file=sys.stderr, flush=True)
    print(file=sys.stderr)
    write(args, found, lost)
    for test, why in lost:
        print('%s: %s' % (test, why), file=sys.stderr)
    if not any(found.values()):
        print('corpus.py: the driver compiled nothing', file=sys.stderr)
        return 1
    return 1 if lost else 0


def write(args, found, lost):
    with opened(args.output, 'w') as f:
        print(MAGIC, 'gen=%s' % args.gen, args.sample, file=f)
        rows = [(test, *p) for test, made in found.items() for p in made]
        rows += [(test, LOST, '0', LOST, '0') for test, _ in lost]
        for row in sorted(rows):
            print(*row, sep='\t', file=f)


def read(path):
    """(header, {test: {(stage, width): {hash: instructions}}})."""
    tests = {}
    try:
        with opened(path, 'r') as f:
            header = f.readline().rstrip('\n')
            if not header.startswith(MAGIC):
                wrong_use('%s is no file of `collect`' % path)
            for line in f:
                test, stage, width, sha, count = line.rstrip('\n').split('\t')
                made = tests.setdefault(test, {})
                made.setdefault((stage, width), {})[sha] = int(count)
    except (OSError, ValueError) as why:
        wrong_use('%s: %s' % (path, why))
    return header, tests


def sizes(made):
    return '+'.join(str(n) for n in sorted(made.values())) or 'none'


def only(a, b):
    """{(test, stage, width): {hash: instructions}} of what A has and B not."""
    found = {}
    for test, made in a.items():
        for key, codes in made.items():
            rest = {h: n for h, n in codes.items()
                    if h not in b.get(test, {}).get(key, {})}
            if rest:
                found[(test, *key)] = rest
    return found


def cancel_moved(gone, come):
    """Takes out, one for one, what is the same program of another test:
    a test's thread was slower, or another test was the first to need it."""
    where = {}
    for key, codes in come.items():
        for sha in codes:
            where.setdefault((key[1:], sha), []).append(key)
    for key, codes in gone.items():
        for sha in list(codes):
            others = where.get((key[1:], sha))
            if others:
                del come[others.pop()][sha]
                del codes[sha]


def differences(a, b):
    """({what: number of programs}, lines) of {test: programs} A and B."""
    gone, come = only(a, b), only(b, a)
    total = sum(len(codes) for made in a.values() for codes in made.values())
    cancel_moved(gone, come)
    count = {'same': total - sum(map(len, gone.values())), 'changed': 0,
             'only in A': 0, 'only in B': 0}
    lines = []
    for key in sorted(gone.keys() | come.keys()):
        old, new = gone.get(key, {}), come.get(key, {})
        if not old and not new:
            continue
        changed = min(len(old), len(new))
        count['changed'] += changed
        count['only in A'] += len(old) - changed
        count['only in B'] += len(new) - changed
        test, stage, width = key
        what = 'lost' if stage == LOST else \
            stage + (' SIMD' + width if width != '0' else '')
        lines.append('%s: %s: %s -> %s instructions' % (
            test, what, sizes(old), sizes(new)))
    return count, lines


def compare(args):
    (head_a, a), (head_b, b) = read(args.a), read(args.b)
    if head_a != head_b:
        wrong_use('not the same sample: "%s" and "%s"' % (head_a, head_b))
    count, lines = differences(a, b)
    for line in lines[:args.limit]:
        print(line)
    if len(lines) > args.limit:
        print('... and %d lines more (--limit)' % (len(lines) - args.limit))
    print('%d tests: ' % len(a.keys() | b.keys()) +
          ', '.join('%d programs %s' % (n, what)
                    for what, n in count.items()))
    if not count['same'] and not lines:
        print('corpus.py: both are empty', file=sys.stderr)
        return 1
    return 1 if lines else 0


def wrong_use(why):
    print('corpus.py: %s' % why, file=sys.stderr)
    sys.exit(2)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar='COMMAND')
    p = commands.add_parser('collect', help='compile a corpus, keep hashes')
    p.set_defaults(run=collect)
    p.add_argument('--build', required=True, help='build directory')
    p.add_argument('-o', '--output', required=True,
                   help='file to write (compressed if it ends in .gz)')
    p.add_argument('--gen', default='skl', help='generation (default: skl)')
    p.add_argument('--every', type=int, default=1, metavar='N',
                   help='about one of N tests, by a hash of the name')
    p.add_argument('--first', type=int, default=0, metavar='K',
                   help='which part of the N (default: 0)')
    p.add_argument('--only', metavar='LIST',
                   help='a file: tests one a line, as compare prints them')
    p.add_argument('--debug', metavar='FLAGS',
                   help='more flags of INTEL_DEBUG, as noopt or nosched')
    p.add_argument('-j', '--jobs', type=int, default=1,
                   help='processes at a time (default: 1)')
    p.add_argument('files', nargs='*', metavar='FILE.shader_test',
                   help='these instead of quick_shader')
    p = commands.add_parser('compare', help='what differs between two files')
    p.set_defaults(run=compare)
    p.add_argument('--limit', type=int, default=40, metavar='N',
                   help='print no more lines than these (default: 40)')
    p.add_argument('a', metavar='A')
    p.add_argument('b', metavar='B')
    args = parser.parse_args()
    return args.run(args)


if __name__ == '__main__':
    sys.exit(main())
