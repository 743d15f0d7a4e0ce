#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures which lines the tests run, by folder.

usage: coverage.py [--build=DIR] [--suite=NAME]... [--tests=REGEX]
                   [--files] [FOLDER...]

DIR is a build directory of its own, configured with -Db_coverage=true (gcc);
it is made if it is not there. What the suites need is built, counters of
earlier runs are deleted, the tests run one after the other, and gcov reads what
they counted. A line that is compiled several times, such as those of genX files
or of headers, counts once, and as run if one of them ran. Of a folder the files
count that the build has compiled: a suite that needs a part of a library only
says nothing of the rest. FOLDERs, such as src/intel/isl, leave the others
out; --files prints a line a file.

The exit code is 1 if a test fails or nothing was counted.
"""
import argparse
import collections
import json
import os
import subprocess
import sys

import mutate

ROOT = mutate.ROOT
LIMIT_S = 1800 # a test; counting makes it some two times slower


def prepared(build):
    """The directory, made if it is not there; an error if it cannot count."""
    if not os.path.exists(os.path.join(build, 'build.ninja')):
        subprocess.run(['meson', 'setup', build, ROOT, '-Db_coverage=true'],
                       check=True, stdout=subprocess.DEVNULL)
    options = json.loads(subprocess.run(
        ['meson', 'introspect', build, '--buildoptions'], check=True,
        stdout=subprocess.PIPE).stdout)
    if not next(o['value'] for o in options if o['name'] == 'b_coverage'):
        sys.exit(f'coverage.py: {build} is configured without '
                 '-Db_coverage=true')
    return build


def found(build, ending):
    for where, _, names in os.walk(build):
        for name in names:
            if name.endswith(ending):
                yield os.path.join(where, name)


def counted(build):
    """What gcov says of each object that the build has."""
    notes = sorted(found(build, '.gcno'))
    for i in range(0, len(notes), 50):
        run = subprocess.run(
            ['gcov', '--json-format', '--stdout', *notes[i:i + 50]],
            cwd=build, check=False, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, encoding='utf-8')
        for line in run.stdout.splitlines():
            if line.startswith('{'):
                yield json.loads(line)


def merge(lines, data, root=ROOT):
    """Adds an object's lines of the project's own sources, tests but not
    counted, to {path: {line: did it run}}."""
    folder = data['current_working_directory']
    for entry in data['files']:
        path = os.path.normpath(os.path.join(folder, entry['file']))
        path = os.path.relpath(path, root)
        if not path.startswith('src/') or '/tests/' in path:
            continue
        of = lines[path]
        for line in entry['lines']:
            number = line['line_number']
            of[number] = of.get(number, False) or line['count'] > 0


def table(lines, by_file):
    """Rows of (name, lines that ran, lines), and their sum."""
    sums = collections.defaultdict(lambda: [0, 0])
    for path, of in lines.items():
        for name in (path if by_file else os.path.dirname(path), 'all'):
            sums[name][0] += sum(of.values())
            sums[name][1] += len(of)
    return sorted((name, *row) for name, row in sums.items()
                  if name != 'all') + [('all', *sums['all'])]


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--build',
                        default=os.path.join(ROOT, 'build-coverage'))
    parser.add_argument('--suite', action='append')
    parser.add_argument('--tests', default='')
    parser.add_argument('--files', action='store_true')
    parser.add_argument('folders', nargs='*', metavar='FOLDER')
    return parser.parse_args()


def main():
    args = arguments()
    build = prepared(os.path.abspath(args.build))
    suites = mutate.Suites(build, args.suite, args.tests)
    if not suites.compile():
        sys.exit('coverage.py: it does not build')
    for path in found(build, '.gcda'):
        os.remove(path)
    failed = [t['name'] for t in suites.tests
              if not suites.passes(t, LIMIT_S)]
    lines = collections.defaultdict(dict)
    for data in counted(build):
        merge(lines, data)
    wanted = tuple(f.rstrip('/') + '/' for f in args.folders)
    if wanted:
        lines = {p: of for p, of in lines.items() if p.startswith(wanted)}
    for name, ran, known in table(lines, args.files):
        print(f'{100 * ran / max(known, 1):5.1f} % {ran:7} of {known:7}  '
              f'{name}')
    print(f'{len(suites.tests)} tests, {len(failed)} failed'
          + ''.join('\n   ' + name for name in failed))
    return 1 if failed or not lines else 0


if __name__ == '__main__':
    sys.exit(main())
