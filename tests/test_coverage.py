#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of coverage.py: what it makes of gcov's output, and a program of a few
lines that is compiled twice."""
import collections
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import coverage  # noqa: E402

TEXT = """\
int
half(int a)
{
   if (a < 0)
      return -1;
   return a / 2;
}
"""


def data(root, path, counts):
    return {'current_working_directory': root + '/build', 'files': [
        {'file': path, 'lines': [{'line_number': n, 'count': c}
                                 for n, c in counts.items()]}]}


class Merge(unittest.TestCase):
    def merged(self, *objects):
        lines = collections.defaultdict(dict)
        for one in objects:
            coverage.merge(lines, one, '/top')
        return lines

    def test_compiled_twice(self):
        """A line ran if it did in one of the objects."""
        lines = self.merged(data('/top', '../src/a/x.c', {1: 0, 2: 5, 3: 0}),
                            data('/top', '../src/a/x.c', {1: 1, 3: 0}))
        self.assertEqual(lines, {'src/a/x.c': {1: True, 2: True, 3: False}})

    def test_left_out(self):
        """What is generated, of the system, or a test."""
        for path in ('src/a/made.c', '/usr/include/b.h', '../tests/c.c',
                     '../src/a/tests/d.c'):
            self.assertEqual(self.merged(data('/top', path, {1: 1})), {})

    def test_table(self):
        lines = {'src/a/x.c': {1: True, 2: False}, 'src/a/y.c': {1: True},
                 'src/b/z.c': {7: False}}
        self.assertEqual(coverage.table(lines, False),
                         [('src/a', 2, 3), ('src/b', 0, 1), ('all', 2, 4)])
        self.assertEqual(coverage.table(lines, True)[0],
                         ('src/a/x.c', 1, 2))


class Program(unittest.TestCase):
    def test_two_objects(self):
        """One runs, one does not: the lines of both count."""
        with tempfile.TemporaryDirectory() as root:
            build = os.path.join(root, 'build')
            os.makedirs(os.path.join(root, 'src'))
            os.mkdir(build)
            for name in ('half', 'never'):
                with open(f'{root}/src/{name}.c', 'w',
                          encoding='utf-8') as file:
                    file.write(TEXT.replace('half', name))
            with open(f'{root}/main.c', 'w', encoding='utf-8') as file:
                file.write('int half(int a);\n'
                           'int main(void) { return half(0); }\n')
            for name in ('half', 'never'):
                subprocess.run(['gcc', '--coverage', '-c',
                                f'../src/{name}.c', '-o', f'{name}.o'],
                               cwd=build, check=True)
            subprocess.run(['gcc', '--coverage', '../main.c', 'half.o',
                            '-o', 'main'], cwd=build, check=True)
            subprocess.run(['./main'], cwd=build, check=True)
            lines = collections.defaultdict(dict)
            for one in coverage.counted(build):
                coverage.merge(lines, one, root)
            self.assertEqual(coverage.table(lines, True), [
                ('src/half.c', 3, 4), ('src/never.c', 0, 4), ('all', 3, 8)])


if __name__ == '__main__':
    unittest.main()
