#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds and runs every test; the back end of `bin/saffron test`.

Stages, cheapest first; a stage that fails does not hide the later ones, but
a build that fails ends the run:
  1. this runner's own tests;
  2. the debug build, its unit suites, and the lints (tests/lint);
  3. clang's opinion of the sources, beside gcc's (tests/clang.py);
  4. what the demo and the gears draw (tests/pictures.py);
  5. small packaged programs under the validation layers, beside what they
     show on the CPU (tests/programs.py), on the generation that the commit
     chooses;
  6. the suites in a build with the address, leak and undefined sanitizers;
  7. damaged batches on each simulated GPU (tests/fuzz/sim), in that build;
  8. a slice of piglit through stock libGL on the driver, against the
     committed expectations; no rule of the chips may be broken (--strict);
     a sixteenth of it with chaos, another on a smaller or larger chip, and
     a part of quick_shader, which the commit chooses;
  9. another with Mesa's own drivers on each simulated GPU;
 10. of one commit in four: a build on a fresh Debian 13, and pictures with its
     Mesa, functions of doubles, a part of piglit (tests/debian13.py);
     --debian13 does that alone.

A test counts as passed only if it ran in this run and said so: a program's
exit code counts beside its results, and a stage in which nothing passed has
failed. What is skipped is printed; with --ci it is a failure, too, unless
tests/skips.txt names it with a reason. Of programs alone, that is: one that
passes may have skipped a test of its own, of what a generation has not.

Ends with 'N passed, N failed'; the exit code is 1 if any failed.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, 'bin'))
# pylint: disable=wrong-import-position
from command.place import DEVELOPER_OPTIONS  # noqa: E402

# Of tests/fuzz/sim/scenes.c: what reaches most in a few seconds.
FUZZ_SCENES = ('compute,copies,depth,feedback,geometry,images,samples,'
               'tessellation,textures')
GENS = ('skl', 'bdw', 'hsw', 'ivb')
SIZES = ('skl-gt1', 'bdw-gt3', 'hsw-gt1', 'ivb-gt1', 'skl-gt4', 'bdw-gt1',
         'hsw-gt3', 'skl-gt3')
# Parts of quick_shader, of 20 tests each.
SAMPLES = 1000
# Shader tests to a process, which starts and ends once for all of them. What
# does not end as expected runs again alone.
BATCH = '50'
SAFFRON = os.path.join(ROOT, 'bin', 'saffron')
SKIPS = os.path.join(ROOT, 'tests', 'skips.txt')
CLANG = os.path.join(ROOT, 'tests', 'clang.py')
# Written whenever a package comes or goes.
PACKAGES = '/var/lib/dpkg/status'
LEAKS = os.path.join(ROOT, 'tests', 'leaks.txt')
SKIPPED = 77
# Of so many commits one is built on Debian 13, too, and runs one of so many
# parts of piglit's lists there.
DEBIAN13_EVERY = 4
DEBIAN13_PARTS = 32
# Warnings are errors here, not for those who build a release with a compiler
# that is newer than it.
STRICT = ['-Dwerror=true', *DEVELOPER_OPTIONS]
# With what the sanitizers insert, a file takes two and a half times as long to
# compile; less optimised and with lines alone, one and a half.
SANITIZED = ['-Dwerror=true', '-Dbuildtype=debugoptimized',
             '-Doptimization=1', '-Dc_args=-g1',
             '-Db_sanitize=address,undefined', '-Db_lundef=false']


def say(text):
    print(text, flush=True)


class Result:
    """What a stage found: how many passed, who failed, who was skipped."""

    def __init__(self, passed=0, failed=(), skipped=()):
        self.passed = passed
        self.failed = list(failed)
        self.skipped = list(skipped)

    def add(self, name, code):
        """Of a program by its exit code."""
        if code == 0:
            self.passed += 1
        elif code == SKIPPED:
            self.skipped.append(name)
        else:
            self.failed.append(name)


def read_skips(path):
    """{'STAGE: TEST': reason}; exits on a line that gives none."""
    allowed = {}
    with open(path, encoding='utf-8') as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip('\n')
            if not line or line.startswith('#'):
                continue
            match = re.fullmatch(r'(\S.*?: \S.*?) # (\S.*)', line)
            if not match:
                sys.exit(f"saffron: {path}:{number}: expected "
                         "'STAGE: TEST # REASON'")
            allowed[match[1]] = match[2]
    return allowed


class Run:
    """The stages so far. `allowed` is what read_skips gave."""

    def __init__(self, ci, allowed):
        self.ci = ci
        self.allowed = allowed
        self.passed = 0
        self.failed = []
        self.start = time.monotonic()

    def stage(self, name, run):
        """run() gives a Result; what it throws is a failure."""
        say(f'== {name}')
        try:
            result = run()
        except Exception as why:  # pylint: disable=broad-except
            result = Result(0, [f'{type(why).__name__}: {why}'])
        for test in result.skipped:
            reason = self.allowed.get(f'{name}: {test}')
            say(f'skipped: {test} ({reason or "for no reason on the list"})')
            if self.ci and not reason:
                result.failed.append(f'{test} was skipped')
        if not result.passed and not result.failed:
            result.failed.append('nothing passed')
        self.passed += result.passed
        self.failed += [f'{name}: {test}' for test in result.failed]
        say(f'== {name}: {result.passed} passed, {len(result.failed)} failed, '
            f'{len(result.skipped)} skipped '
            f'[{time.monotonic() - self.start:.0f} s]')

    def end(self):
        """Prints the last line; the exit code."""
        for name in self.failed:
            say('FAILED ' + name)
        say(f'{self.passed} passed, {len(self.failed)} failed')
        return 1 if self.failed or not self.passed else 0


def commands_to_build(directory, options):
    """What configures and builds `directory`. Meson looks again for what its
    tests run (piglit, weston) where packages were installed since it did."""
    ninja = os.path.join(directory, 'build.ninja')
    build_it = ['ninja', '-C', directory]
    if not os.path.exists(ninja):
        return [['meson', 'setup'] + options + [directory, ROOT], build_it]
    if os.path.exists(PACKAGES) and \
            os.path.getmtime(PACKAGES) > os.path.getmtime(ninja):
        return [['meson', 'setup', '--reconfigure', directory, ROOT],
                build_it]
    return [build_it]


def build(directory, options):
    """Configures and builds `directory`; exits on failure."""
    env = dict(os.environ, PATH='/usr/bin:' + os.environ['PATH'])
    if 'CC' not in env:
        ccache = subprocess.run(['sh', '-c', 'command -v ccache'],
                                stdout=subprocess.DEVNULL).returncode == 0
        env['CC'] = 'ccache gcc' if ccache else 'gcc'
    for command in commands_to_build(directory, options):
        done = subprocess.run(command, env=env, text=True, errors='replace',
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode != 0:
            say(done.stdout[-8000:])
            say('build failed: ' + ' '.join(command))
            say('0 passed, 1 failed')
            sys.exit(1)


def run_program(command):
    """The exit code; what the program says is printed in one piece."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, errors='replace')
    if done.stdout:
        say(done.stdout.rstrip('\n'))
    return done.returncode


def at_once(run, tasks):
    """[run(task)], as many at a time as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(run, tasks))


def programs(commands):
    """Of {name: command}, by exit codes."""
    result = Result()
    for name, code in zip(commands, at_once(run_program, commands.values())):
        result.add(name, code)
    return result


def read_log(path, code):
    """What Meson's testlog.json says of a run that ended with `code`."""
    result = Result()
    if not os.path.exists(path):
        return Result(0, [f'meson test wrote no results (exit {code})'])
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            row = json.loads(line)
            if row['result'] in ('OK', 'EXPECTEDFAIL'):
                result.passed += 1
            elif row['result'] == 'SKIP':
                result.skipped.append(row['name'])
            else:
                result.failed.append(f"{row['name']} ({row['result']})")
    if code != 0 and not result.failed:
        result.failed.append(f'meson test exits with {code}')
    return result


def unit_suites(directory, multiplier, meson='meson', parts=1):
    """The Meson tests of a build; one of so many parts of the opcodes, which
    the commit chooses."""
    env = dict(os.environ, PATH='/usr/bin:' + os.environ['PATH'],
               SAFFRON_TEST_SHARE=f'{sample()}/{parts}',
               ASAN_OPTIONS='detect_leaks=1:abort_on_error=1',
               LSAN_OPTIONS=f'suppressions={LEAKS}:print_suppressions=0',
               UBSAN_OPTIONS='halt_on_error=1:print_stacktrace=1')
    log = os.path.join(directory, 'meson-logs', 'testlog.json')
    if os.path.exists(log):
        os.remove(log)
    done = subprocess.run([meson, 'test', '-C', directory, '--no-rebuild',
                           '--print-errorlogs', '--timeout-multiplier',
                           str(multiplier)], env=env)
    return read_log(log, done.returncode)


def pictures():
    """The demo's pictures, two windows, and windows of stock drivers, on each
    generation; and the display of `run --window`."""
    with tempfile.TemporaryDirectory() as out:
        checks = [['demo', out], ['headless', 'skl']] + [
            ['window', f'{p}@{g}'] for p in ('glxgears', 'es2gears_x11')
            for g in GENS] + [['stock', g] for g in GENS]
        return programs({
            'demo' if c[0] == 'demo' else ' '.join(c):
            [sys.executable, os.path.join(ROOT, 'tests', 'pictures.py')] + c
            for c in checks})


def packaged(gen):
    """Programs of Debian whose pictures are compared."""
    with tempfile.TemporaryDirectory() as out:
        file = os.path.join(out, 'result.json')
        code = subprocess.run([SAFFRON, 'programs', f'--gen={gen}', '--ci',
                               '--layers', '--json', file]).returncode
        if not os.path.exists(file):
            return Result(0, [f'no result (exit {code})'])
        with open(file, encoding='utf-8') as f:
            return Result(**json.load(f))


def piglit_result(summary, code):
    """Of what piglit/run.py has written, and its exit code."""
    result = Result(summary['as_expected'], summary['unexpected'] + [
        f'{rule} broken in {places} places'
        for rule, places in summary['broken_rules'].items()])
    if code != 0 and not result.failed:
        result.failed.append(f'piglit exits with {code}')
    return result


def sample():
    """Which of SAMPLES parts of quick_shader this commit runs, so that over
    time all are run; the first where there is no commit."""
    done = subprocess.run(['git', '-C', ROOT, 'rev-parse', 'HEAD'],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True)
    commit = done.stdout.strip()
    return int(commit[:8], 16) % SAMPLES + 1 if commit else 1


def chaos_options():
    """A seed and a sixteenth of the list, by the commit."""
    n = sample()
    return (f'--chaos={n}', f'--shard={n % 16 + 1}/16')


def other_size():
    """A chip with other numbers of slices, entries and threads than its
    generation's usual one, and a sixteenth of the list, by the commit."""
    n = sample()
    return SIZES[n % len(SIZES)], f'--shard={n // len(SIZES) % 16 + 1}/16'


def piglit_slice(gen, tests, *options):
    """The tests of tests/piglit/ci-TESTS.txt."""
    listed = os.path.join(ROOT, 'tests', 'piglit', f'ci-{tests}.txt')
    return piglit_run(gen, '--list', listed, *options)


def piglit_run(gen, *options):
    """A run of bin/saffron piglit, by what it writes."""
    with tempfile.TemporaryDirectory() as out:
        file = os.path.join(out, 'result.json')
        code = subprocess.run([SAFFRON, 'piglit', f'--gen={gen}', '--batch',
                               BATCH, '--json', file, *options]).returncode
        if not os.path.exists(file):
            return Result(0, [f'no result (exit {code})'])
        with open(file, encoding='utf-8') as f:
            summary = json.load(f)
    return piglit_result(summary, code)


def fuzz(directory, sanitized):
    """A short round of damaged batches, drawn by the programs of `directory`
    and run by the simulator of `sanitized`; another with strict and chaos, of
    the same batches."""
    rounds = (('', ['--count=1000']),
              (', judged', ['--count=500', '--strict', '--chaos=1',
                            f'--seed={1000 * sample()}']))

    def one(gen):
        with tempfile.TemporaryDirectory() as corpus:
            return [(f'{gen}{name}, see {directory}/finds', run_program(
                [SAFFRON, 'fuzz', f'--gen={gen}', *options,
                 '--drivers=gl,own', '--scenes=' + FUZZ_SCENES,
                 f'--corpus={corpus}', f'--fuzz-build={sanitized}',
                 f'--finds={directory}/finds']))
                    for name, options in rounds]

    result = Result()
    for codes in at_once(one, GENS):
        for name, code in codes:
            result.add(name, code)
    return result


def debian13(directory, part=None):
    """The command that builds and draws on a fresh Debian 13, and runs a part
    of piglit's tests there."""
    return [sys.executable, os.path.join(ROOT, 'tests', 'debian13.py'),
            f'--root={directory}-debian13',
            *([f'--piglit={part}'] if part else [])]


def main():
    parser = argparse.ArgumentParser(
        prog='bin/saffron test', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'),
                        help='build directory (default: build)')
    parser.add_argument('--quick', action='store_true',
                        help='only the lints, clang and the unit suites of '
                        'the debug build')
    parser.add_argument('--ci', action='store_true',
                        help='a skip without a reason in tests/skips.txt is '
                        'a failure')
    parser.add_argument('--debian13', nargs='?', const='', metavar='N/M',
                        help='only: build on a fresh Debian 13, which is kept '
                        'in BUILD-debian13, and draw there; and run part N of '
                        "M of piglit's lists")
    args = parser.parse_args()

    if args.debian13 is not None:
        return subprocess.run(debian13(args.build, args.debian13)).returncode
    run = Run(args.ci, read_skips(SKIPS))
    run.stage('runner', lambda: programs({
        'test_run.py': [sys.executable,
                        os.path.join(ROOT, 'tests', 'test_run.py')]}))
    say('== build')
    build(args.build, STRICT)
    run.stage('unit', lambda: unit_suites(args.build, 2,
                                          parts=2 if args.ci else 1))
    # With asserts or without, by the commit.
    mode = ['--release'] if sample() % 2 else []
    run.stage(' '.join(['clang', *mode]), lambda: programs({
        'warnings': [sys.executable, CLANG, *mode, args.build]}))
    if not args.quick:
        run.stage('pictures', pictures)
        gen = GENS[sample() % len(GENS)]
        run.stage(f'programs {gen}', lambda: packaged(gen))
        sanitized = args.build + '-sanitize'
        say('== build with sanitizers')
        build(sanitized, SANITIZED)
        run.stage('unit, sanitized', lambda: unit_suites(sanitized, 10,
                                                          parts=4))
        run.stage('fuzz', lambda: fuzz(args.build, sanitized))
        for gen in GENS:
            run.stage(f'piglit {gen}',
                      lambda gen=gen: piglit_slice(gen, 'driver',
                                                     '--strict'))
        for gen in GENS:
            run.stage(f'piglit {gen}, chaos',
                      lambda gen=gen: piglit_slice(gen, 'driver',
                                                   *chaos_options()))
        size, part = other_size()
        run.stage(f'piglit {size}, {part}',
                  lambda: piglit_slice(size, 'driver', '--strict', part))
        part = f'--shard={sample()}/{SAMPLES}'
        for gen in GENS:
            run.stage(f'piglit {gen}, {part}',
                      lambda gen=gen: piglit_run(gen, part))
        for gen in GENS:
            run.stage(f'stock piglit {gen}',
                      lambda gen=gen: piglit_slice(gen, 'stock', '--stock'))
        for gen in ('bdw', 'skl'):
            run.stage(f'OpenCL {gen}',
                      lambda gen=gen: piglit_slice(gen, 'opencl', '--opencl',
                                                   '--strict'))
        if sample() % DEBIAN13_EVERY == 0:
            part = sample() // DEBIAN13_EVERY % DEBIAN13_PARTS + 1
            run.stage('debian 13', lambda: programs({
                'fresh system': debian13(args.build,
                                         f'{part}/{DEBIAN13_PARTS}')}))
    return run.end()


if __name__ == '__main__':
    sys.exit(main())
