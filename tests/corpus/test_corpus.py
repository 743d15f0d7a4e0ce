#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of corpus.py: what it reads in listings, what it says of two files,
and that it sees a difference between two ways to compile.

   test_corpus.py            without a driver
   test_corpus.py collect    with the driver of SAFFRON_BUILD_DIR; exits with
                             77 where piglit is not installed
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import corpus

CORPUS = Path(__file__).resolve().parent / 'corpus.py'
SKIP = 77
HEAD = (b'Native code for %s shader (SIMD%s): 2 instructions, 0 loops, '
        b'8 cycles, 0:0 spills:fills, 1 sends, 4 registers, %d bytes '
        b'(1 compacted)\n')
MOV = b'/* 0000 */ mov (8|M0) r2.0<1>:ud // 014d0020 07020000\n'
NOTE = b'    // vec1 32 ssa_4 = intrinsic load_ubo (ssa_3, ssa_2)\n'
SEND = b'/* 0008 */ send (8|M0) null // 06800000 04000030 00100006 c0040000\n'
LISTING = HEAD % (b'vertex', b'8', 24) + MOV + NOTE + SEND + b'\n'
TEST = '''[require]
GLSL >= 1.30
[vertex shader passthrough]
[fragment shader]
#version 130
uniform float a;
uniform vec4 b;
out vec4 colour;
void main() { colour = sqrt(b * a + vec4(a, 1.0, b.x * b.y, 0.5)) / b.w; }
[test]
uniform float a 0.5
uniform vec4 b 1 2 3 4
draw rect -1 -1 2 2
'''


class Listings(unittest.TestCase):
    def read(self, text, files=('a', 'b')):
        return corpus.programs(list(files), text)

    def test_program(self):
        found, torn = self.read(LISTING)
        self.assertEqual(torn, set())
        [(stage, width, sha, count)] = found['a']
        self.assertEqual((stage, width, count), ('vs', '8', '2'))
        self.assertEqual(len(sha), 64)

    def test_vectors(self):
        listing = LISTING.replace(b'SIMD8', b'SIMD4x2')
        [(_, width, _, _)] = self.read(listing)[0]['a']
        self.assertEqual(width, '4x2')

    def test_each_byte_counts(self):
        other = LISTING.replace(b'c0040000', b'c0040001')
        self.assertNotEqual(self.read(LISTING)[0], self.read(other)[0])

    def test_text_does_not_count(self):
        other = LISTING.replace(b'mov (8|M0)', b'move').replace(NOTE, b'')
        self.assertEqual(self.read(LISTING)[0], self.read(other)[0])

    def test_which_test(self):
        found, _ = self.read(LISTING + b'PIGLIT TEST: 2 - b\n' +
                             HEAD % (b'fragment', b'16', 8) + MOV)
        self.assertEqual([sorted(p[0] for p in found[t]) for t in 'ab'],
                         [['vs'], ['fs']])

    def test_torn(self):
        for text in (HEAD % (b'vertex', b'8', 32) + MOV + SEND,
                     HEAD % (b'vertex', b'8', 8) + MOV + SEND,
                     LISTING.replace(NOTE, HEAD % (b'fragment', b'8', 16))):
            found, torn = self.read(text)
            self.assertEqual(torn, {'a'}, text)
            self.assertLess(len(found.get('a', ())), 2)

    def test_refused(self):
        found, _ = self.read(b'compilation failed: too many registers\n')
        self.assertEqual([p[0] for p in found['a']], ['refused'])


class Compare(unittest.TestCase):
    A = [('t1', 'vs', '8', 'x', '4'), ('t1', 'fs', '8', 'y', '5'),
         ('t2', 'fs', '16', 'z', '6')]

    def compare(self, a, b, head='# saffron corpus 1 every=1\n'):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for name, rows in (('a', a), ('b', b)):
                files.append(Path(folder) / name)
                files[-1].write_text(head + ''.join(
                    '\t'.join(r) + '\n' for r in rows))
            done = subprocess.run(
                [sys.executable, CORPUS, 'compare', *files], check=False,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_same(self):
        code, out, _ = self.compare(self.A, self.A)
        self.assertEqual(code, 0)
        self.assertIn('3 programs same, 0 programs changed', out)

    def test_changed(self):
        code, out, _ = self.compare(
            self.A, self.A[:1] + [('t1', 'fs', '8', 'w', '7')] + self.A[2:])
        self.assertEqual(code, 1)
        self.assertIn('t1: fs SIMD8: 5 -> 7 instructions', out)
        self.assertIn('2 programs same, 1 programs changed', out)

    def test_vectors(self):
        row = ('t1', 'vs', '4x2', 'u', '9')
        code, out, _ = self.compare([row], [row[:3] + ('v', '8')])
        self.assertEqual(code, 1)
        self.assertIn('t1: vs SIMD4x2: 9 -> 8 instructions', out)

    def test_gone_and_come(self):
        code, out, _ = self.compare(self.A, self.A[:2])
        self.assertEqual(code, 1)
        self.assertIn('t2: fs SIMD16: 6 -> none', out)
        self.assertIn('1 programs only in A, 0 programs only in B', out)
        code, out, _ = self.compare(self.A[:2], self.A)
        self.assertEqual(code, 1)
        self.assertIn('0 programs only in A, 1 programs only in B', out)

    def test_lost(self):
        code, out, _ = self.compare(self.A, self.A +
                                    [('t3', '-', '0', '-', '0')])
        self.assertEqual(code, 1)
        self.assertIn('t3: lost', out)

    def test_first_user_moved(self):
        code, out, _ = self.compare(
            self.A, self.A[:2] + [('t3', 'fs', '16', 'z', '6')])
        self.assertEqual(code, 0, out)
        # One for one: a program that two tests had is not one.
        code, _, _ = self.compare(
            self.A + [('t3', 'fs', '16', 'z', '6')], self.A)
        self.assertEqual(code, 1)

    def test_empty_is_no_proof(self):
        self.assertEqual(self.compare([], [])[0], 1)

    def test_wrong_use(self):
        self.assertEqual(self.compare(self.A, self.A, 'something\n')[0], 2)
        self.assertEqual(self.compare(self.A, [('t1', 'vs')])[0], 2)
        for words in (['compare', '/nowhere', '/nowhere'], ['compare'], [],
                      ['collect', '--build=/nowhere', '-o', '/dev/null']):
            done = subprocess.run([sys.executable, CORPUS, *words],
                                  stderr=subprocess.DEVNULL, check=False)
            self.assertEqual(done.returncode, 2, words)


class Only(unittest.TestCase):
    COMMANDS = [['shader_runner', '/x/%s.shader_test' % n] for n in 'abc']

    def only(self, text):
        with tempfile.NamedTemporaryFile('w+') as f:
            f.write(text)
            f.flush()
            found, mark = corpus.only_these(self.COMMANDS, f.name)
        return [c[1][3] for c in found], mark

    def test_names(self):
        self.assertEqual(self.only('/x/c.shader_test\n/x/a.shader_test\n')[0],
                         ['a', 'c'])

    def test_what_compare_prints(self):
        names, mark = self.only(
            '/x/b.shader_test: fs SIMD8: 2 -> 3 instructions\n'
            '/x/b.shader_test: vs SIMD8: 2 -> none instructions\n'
            '9 tests: 3 programs same\n')
        self.assertEqual(names, ['b'])
        self.assertEqual(mark, self.only('/x/b.shader_test')[1])
        self.assertNotEqual(mark, self.only('/x/c.shader_test')[1])

    def test_wrong_use(self):
        for text in ('', 'nothing\n', '/x/d.shader_test\n'):
            with self.assertRaises(SystemExit) as end:
                self.only(text)
            self.assertEqual(end.exception.code, 2)


class Collect(unittest.TestCase):
    def collect(self, folder, name, *words, tests='a'):
        files = [Path(folder) / (test + '.shader_test') for test in tests]
        for file in files:
            file.write_text(TEST)
        out = Path(folder) / name
        done = subprocess.run(
            [sys.executable, CORPUS, 'collect', '-o', out, *words,
             '--build=' + os.environ['SAFFRON_BUILD_DIR'], *files],
            stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def test_only(self):
        with tempfile.TemporaryDirectory() as folder:
            names = Path(folder) / 'names'
            names.write_text('%s/b.shader_test\n' % folder)
            _, found = corpus.read(
                self.collect(folder, 'x', '--only=%s' % names, tests='ab'))
            self.assertEqual(list(found), ['%s/b.shader_test' % folder])
            # A process of its own: what the driver draws with is there, too.
            self.assertIn(('fs', '16'), found['%s/b.shader_test' % folder])

    def test_collect(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [self.collect(folder, 'a'), self.collect(folder, 'b.gz'),
                     self.collect(folder, 'c', '--debug=noopt,nosched')]
            _, found = corpus.read(files[0])
            [made] = found.values()
            self.assertLessEqual({('vs', '8'), ('fs', '8'), ('fs', '16')},
                                 made.keys())
            codes = [subprocess.run(
                [sys.executable, CORPUS, 'compare', files[0], other],
                stdout=subprocess.DEVNULL, check=False).returncode
                for other in files[1:]]
            self.assertEqual(codes, [0, 1])


if __name__ == '__main__':
    if sys.argv[1:] == ['collect']:
        if not (corpus.compiled.PIGLIT / 'bin/shader_runner').exists():
            sys.exit(SKIP)
        unittest.main(argv=sys.argv[:1], defaultTest='Collect')
    unittest.main(defaultTest=['Listings', 'Compare', 'Only'])
