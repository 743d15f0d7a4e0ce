#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds and runs every test; the back end of `bin/saffron test`.

Stages, cheapest first; a stage that fails does not hide the later ones, but
a build that fails ends the run:
  1. the debug build and its unit suites;
  2. what the demo and the gears draw (tests/pictures.py);
  3. the suites in a build with the address and undefined sanitizers;
  4. damaged batches on each simulated GPU (tests/fuzz/sim), in that build;
  5. a slice of piglit through stock libGL on the driver, against the
     committed expectations;
  6. another with Mesa's own drivers on each simulated GPU.
Ends with 'N passed, N failed'; the exit code is 1 if any failed.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Of tests/fuzz/sim/scenes.c: what reaches most in a few seconds.
FUZZ_SCENES = ('compute,copies,depth,feedback,geometry,images,samples,'
               'tessellation,textures')
SAFFRON = os.path.join(ROOT, 'bin', 'saffron')


def say(text):
    print(text, flush=True)


def build(directory, options):
    """Configures (once) and builds `directory`; exits on failure."""
    env = dict(os.environ, PATH='/usr/bin:' + os.environ['PATH'])
    if 'CC' not in env:
        ccache = subprocess.run(['sh', '-c', 'command -v ccache'],
                                stdout=subprocess.DEVNULL).returncode == 0
        env['CC'] = 'ccache gcc' if ccache else 'gcc'
    commands = [['ninja', '-C', directory]]
    if not os.path.exists(os.path.join(directory, 'build.ninja')):
        commands.insert(0, ['meson', 'setup'] + options + [directory, ROOT])
    for command in commands:
        done = subprocess.run(command, env=env, text=True, errors='replace',
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode != 0:
            say(done.stdout[-8000:])
            say('build failed: ' + ' '.join(command))
            say('0 passed, 1 failed')
            sys.exit(1)


def unit_suites(directory, multiplier):
    """Runs the Meson tests of a build: (passed, failed names)."""
    env = dict(os.environ, PATH='/usr/bin:' + os.environ['PATH'],
               ASAN_OPTIONS='detect_leaks=0:abort_on_error=1',
               UBSAN_OPTIONS='halt_on_error=1:print_stacktrace=1')
    subprocess.run(['meson', 'test', '-C', directory, '--no-rebuild',
                    '--print-errorlogs', '--timeout-multiplier',
                    str(multiplier)], env=env)
    passed, failed = 0, []
    log = os.path.join(directory, 'meson-logs', 'testlog.json')
    with open(log, encoding='utf-8') as lines:
        for line in lines:
            row = json.loads(line)
            if row['result'] in ('OK', 'EXPECTEDFAIL'):
                passed += 1
            elif row['result'] != 'SKIP':
                failed.append(row['name'])
            else:
                say('skipped: ' + row['name'])
    return passed, failed


def pictures():
    """The demo's pictures, two windows, and windows of stock drivers on each
    generation: (passed, failed names)."""
    passed, failed = 0, []
    with tempfile.TemporaryDirectory() as out:
        for args in (['demo', out], ['window', 'glxgears'],
                     ['window', 'es2gears_x11'], ['stock', 'skl'],
                     ['stock', 'bdw'], ['stock', 'hsw'], ['stock', 'ivb']):
            done = subprocess.run([sys.executable,
                                   os.path.join(ROOT, 'tests',
                                                'pictures.py')] + args)
            if done.returncode == 0:
                passed += 1
            else:
                failed.append('demo' if args[0] == 'demo'
                              else ' '.join(args))
    return passed, failed


def piglit_slice(gen, tests, *options):
    """Runs the tests of tests/piglit/ci-TESTS.txt: (passed, failed names)."""
    listed = os.path.join(ROOT, 'tests', 'piglit', f'ci-{tests}.txt')
    with tempfile.TemporaryDirectory() as out:
        result = os.path.join(out, 'result.json')
        subprocess.run([SAFFRON, 'piglit', f'--gen={gen}', '--list', listed,
                        '--json', result, *options])
        if not os.path.exists(result):
            return 0, ['no result']
        with open(result, encoding='utf-8') as f:
            summary = json.load(f)
    return summary['as_expected'], summary['unexpected']


def fuzz(directory):
    """A short round of damaged batches: (passed, failed names)."""
    passed, failed = 0, []
    for gen in ('skl', 'bdw', 'hsw', 'ivb'):
        done = subprocess.run([SAFFRON, 'fuzz', f'--gen={gen}',
                               '--count=1000', '--drivers=gl,own',
                               '--scenes=' + FUZZ_SCENES,
                               f'--finds={directory}/finds'],
                              env=dict(os.environ,
                                       SAFFRON_BUILD_DIR=directory))
        if done.returncode == 0:
            passed += 1
        elif done.returncode != 77:
            failed.append(f'see {directory}/finds')
    return passed, failed


def main():
    parser = argparse.ArgumentParser(prog='bin/saffron test',
                                     description='Build, run every test.')
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'),
                        help='build directory (default: build)')
    parser.add_argument('--quick', action='store_true',
                        help='only the unit suites of the debug build')
    args = parser.parse_args()

    passed, failed = 0, []
    start = time.monotonic()

    def stage(name, run):
        nonlocal passed
        say(f'== {name}')
        ok, bad = run()
        passed += ok
        failed.extend(f'{name}: {b}' for b in bad)
        say(f'== {name}: {ok} passed, {len(bad)} failed '
            f'[{time.monotonic() - start:.0f} s]')

    say('== build')
    build(args.build, [])
    stage('unit', lambda: unit_suites(args.build, 2))
    if not args.quick:
        stage('pictures', pictures)
        sanitized = args.build + '-sanitize'
        say('== build with sanitizers')
        build(sanitized, ['-Db_sanitize=address,undefined',
                          '-Db_lundef=false'])
        stage('unit, sanitized', lambda: unit_suites(sanitized, 10))
        stage('fuzz', lambda: fuzz(args.build))
        stage('piglit skl', lambda: piglit_slice('skl', 'skl'))
        for gen in ('skl', 'bdw', 'hsw', 'ivb'):
            stage(f'stock piglit {gen}',
                  lambda gen=gen: piglit_slice(gen, 'stock', '--stock'))

    for name in failed:
        say('FAILED ' + name)
    say(f'{passed} passed, {len(failed)} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
