# SPDX-License-Identifier: MIT
"""The command line tools: golden files, options, errors and exit codes.

   test_golden.py SAFFRON-ASM SAFFRON-DISASM

golden/[what_]GEN.asm and .hex must turn into each other exactly. The bytes
for hsw, bdw and skl come from Intel's assembler (update_golden.py); those
for ivb are hsw's with jmpi and call in units of 8 bytes, and those for
Align16 are put together from the manual's bit positions.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent / 'golden'
ASM = DISASM = ''


def run(*command, text=''):
    return subprocess.run([str(c) for c in command], input=text, text=True,
                          capture_output=True, check=False)


class TestGolden(unittest.TestCase):
    def test_files(self):
        files = sorted(GOLDEN.glob('*.asm'))
        self.assertGreaterEqual(len(files), 6)
        for asm in files:
            gen = asm.stem.split('_')[-1]
            code = asm.with_suffix('.hex')
            with self.subTest(asm.stem):
                done = run(ASM, '--gen=' + gen, '--hex', asm)
                self.assertEqual(done.stderr, '')
                self.assertEqual(done.stdout, code.read_text())
                done = run(DISASM, '--gen=' + gen, '--hex', code)
                self.assertEqual(done.stderr, '')
                self.assertEqual(done.stdout, asm.read_text())

    def test_binary_files(self):
        with tempfile.TemporaryDirectory() as folder:
            code = Path(folder) / 'code'
            source = GOLDEN / 'skl.asm'
            done = run(ASM, '-g', '9', '-o', code, source)
            self.assertEqual((done.returncode, done.stdout), (0, ''))
            text = Path(folder) / 'text'
            done = run(DISASM, '-g', 'skl', '-o', text, code)
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            self.assertEqual(text.read_text(), source.read_text())


class TestAssembler(unittest.TestCase):
    def check(self, text, *wanted, gen='skl', code=1, options=()):
        done = run(ASM, '--gen=' + gen, '--hex', *options, text=text)
        self.assertEqual(done.returncode, code, done.stderr)
        for words in wanted:
            self.assertIn(words, done.stderr)
        return done

    def test_errors_have_positions(self):
        self.check('nop\n\n  frob (8|M0) r1.0<1>:f\n', '<stdin>:3:3: error')
        self.check('mov (8|M0) r1.0<1>:f r128.0<8;8,1>:f', ':1:22: error',
                   'r0 to r127')
        self.check('mov (7|M0) r1.0<1>:f r2.0<8;8,1>:f', ':1:6: error')
        self.check('mov (8|M0) r1.0<1>:q r2.0<4;4,1>:q', ':1:1: error',
                   'type q', gen='hsw')
        self.check('nop\n /* no\nend', ':2:2: error', 'comment')
        self.check('mov (8|M0) r1.0<1>:f 1.0:d', ':1:22: error', 'integer')
        self.check('mov (8|M0) r1.0<1>:f 1:f', ':1:22: error', 'point')
        self.check('mov (8|M0) r1.0<1>:w 70000:w', ':1:22: error', 'fit')
        self.check('mov (8|M0) r1.9<1>:f r2.0<8;8,1>:f', ':1:15: error',
                   'beyond')
        self.check('add (8|M0) r1.0<1>:f 1.0:f r2.0<8;8,1>:f', ':1:1: error',
                   'last source')
        self.check('sends (8|M0) r1 r2 r3 0x42 0x02100000', ':1:1: error',
                   'no such opcode', gen='bdw')

    def test_each_error_once(self):
        done = self.check('frob\nmov (8|M0)\nnop\nadd (8|M0) r1\n')
        self.assertEqual(done.stderr.count('error:'), 3)
        done = self.check('frob\n' * 100)
        self.assertEqual(done.stderr.count('error:'), 20)
        self.assertIn('80 more errors', done.stderr)

    def test_labels(self):
        self.check('endif (8|M0) nowhere', ':1:14: error', 'nowhere')
        self.check('a: nop\na: nop\n', ':2:1: error', 'twice')
        done = self.check('a: b: jmpi a\n(W) jmpi b\n', code=0)
        self.assertEqual(done.stdout.split('\n')[0].split()[3], 'f0ffffff')

    def test_validate(self):
        text = 'nop\nmov (4|M0) r1.0<1>:f r2.0<8;8,1>:f\n'
        self.check(text, code=0)
        self.check(text, 'at 0x10', 'region-width', options=['--validate'])

    def test_compact(self):
        text = ('top: mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f\n'
                'endif (8|M0) top\n')
        done = self.check(text, code=0, options=['--compact'])
        lines = done.stdout.strip().split('\n')
        self.assertEqual([len(l.split()) for l in lines], [2, 4])
        # The jump goes back over 8 bytes now.
        self.assertEqual(lines[1].split()[3], 'f8ffffff')
        self.check('mov (4|M4) r1.0<1>:f r2.0<4;4,1>:f {Compacted}',
                   'no compact form')

    def test_use(self):
        for tool in (ASM, DISASM):
            self.assertEqual(run(tool, '--help').returncode, 0)
            self.assertIn('--gen', run(tool, '--help').stdout)
            self.assertEqual(run(tool).returncode, 2)
            self.assertEqual(run(tool, '--gen=elk').returncode, 2)
            self.assertEqual(run(tool, '--gen=skl', '--what').returncode, 2)
            done = run(tool, '--gen=skl', '/nonexistent/file')
            self.assertEqual(done.returncode, 2)
            self.assertIn('/nonexistent/file', done.stderr)
            done = run(tool, '--gen=skl', '-o', '/nonexistent/file',
                       text='')
            self.assertEqual(done.returncode, 2)
            self.assertEqual(run(tool, '--gen=skl', text='').returncode, 0)


class TestDisassembler(unittest.TestCase):
    def check(self, text, *wanted, options=(), code=1):
        done = run(DISASM, '--gen=skl', '--hex', *options, text=text)
        self.assertEqual(done.returncode, code, done.stderr)
        for words in wanted:
            self.assertIn(words, done.stderr + done.stdout)

    def test_bad_input(self):
        self.check('0102 x3', '<stdin>:1:6: error')
        self.check('0102\n0', ':2:1: error', 'half a byte')
        self.check('01020304', 'at 0x0', 'too few')
        self.check('7e000000' + '0' * 24 + '7d' + '0' * 30, 'at 0x10',
                   'no opcode', 'nop')

    def test_goes_on_after_a_bad_instruction(self):
        self.check('7d' + '0' * 30 + '7e' + '0' * 30, 'bad instruction',
                   '\nnop')

    def test_options(self):
        self.check('7e' + '0' * 30, '/* 0000 */', '7e000000', code=0,
                   options=['--bytes', '--offsets'])


if __name__ == '__main__':
    DISASM = sys.argv.pop()
    ASM = sys.argv.pop()
    unittest.main()
