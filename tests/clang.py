#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clang's warnings, as errors, on every source of a build.

usage: clang.py [--release] BUILD [PATTERN...]

Takes the commands of BUILD/compile_commands.json, whatever compiler they
name, and has clang check what it would compile, without making code; what
a PATTERN does not occur in is left out. Headers that are generated must be
there: build first. With --release it is as if asserts were off: what only
they read must be said to be unused.

Exit codes: 0 nothing to say, 1 something, 2 wrong use, 77 no clang.
"""
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# What gcc spells otherwise, and its attributes that libc's own functions
# have: who stands in for these checks what he is given.
EXTRA = ['-fsyntax-only', '-Wno-unknown-warning-option',
         '-Wno-initializer-overrides', '-Wno-pointer-bool-conversion',
         '-Qunused-arguments', '-fno-color-diagnostics']
WITH_VALUE = ('-o', '-MF', '-MQ', '-MT')


def command(clang, row):
    """The row's command line for clang; without outputs."""
    words = shlex.split(row['command'])
    while words and not words[0].startswith('-'):
        words.pop(0)
    kept = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in WITH_VALUE:
            skip = True
        elif word not in ('-MD', '-c') and not word.startswith('-O') and \
                word != '-fdiagnostics-color=always':
            kept.append(word)
    return [clang] + kept + EXTRA


def rows(build, patterns):
    """One for each source in C: where two targets share it, the first."""
    with open(os.path.join(build, 'compile_commands.json'),
              encoding='utf-8') as f:
        listed = json.load(f)
    seen = {}
    for row in listed:
        defines = tuple(w for w in shlex.split(row['command'])
                        if w.startswith('-D'))
        if row['file'].endswith('.c') and \
                all(p in row['file'] for p in patterns):
            seen.setdefault((row['file'], defines), row)
    return list(seen.values())


def main(argv):
    release = argv[:1] == ['--release']
    argv = argv[release:]
    if not argv or argv[0].startswith('-'):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    clang = shutil.which('clang')
    if not clang:
        print('clang.py: no clang here', file=sys.stderr)
        return 77
    build = argv[0]
    try:
        work = rows(build, argv[1:])
    except OSError as why:
        print(f'clang.py: {why}: build first', file=sys.stderr)
        return 2

    def check(row):
        return subprocess.run(command(clang, row) + ['-DNDEBUG'] * release,
                              cwd=row['directory'],
                              stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT)

    bad = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(check, work):
            if done.returncode:
                bad += 1
                print(done.stdout, end='')
    print(f'clang: {len(work)} sources, {bad} with errors')
    return 1 if bad or not work else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
