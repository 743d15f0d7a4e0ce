#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tool that gathers shipped code, on libraries made here.

   test_shipped.py CC ASM

A library of x86-64 has programs of two generations in a table, one that code
alone refers to, and what is none. Its rows are found as they are; what is
legal on one generation alone is taken for that one; a fault and a report
without a reason are told.
"""
import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
from argparse import Namespace
from pathlib import Path

import binaries
import shipped

CC, ASM = sys.argv[1:3]
END = 'send (8|M0) null:ud r127:ud 0x27 0x02000010 {EOT}'
# Text, and where it is legal.
GEN7 = ['add (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f'] * 6 + [
    'cmp (8|M0) (eq)f0.0 null<1>:d r2.26<0;1,0>:ub 1:uw', END]
GEN8 = ['mov (4|M0) r10.0<1>:uq r2.0<4;4,1>:uq'] * 5 + [
    'mov (8|M0) r10.1<4>:ub 1:w', END]
LOOSE = ['mov (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud'] * 4 + [END]
# A routine behind the last message.
ROUTINE = LOOSE[:-1] + ['call (8|M0) r30.0 32', END] + LOOSE[:1] + [
    'ret (8|M0) r30.0']
# Doubles are no operands of SIN.
FAULT = ['math.sin (4|M0) r10.0<1>:df r2.0<4;4,1>:df', END]
# The rule's row names one driver that has such fences.
SETTLED = ['send (16|M0) r91:ud r90:d 0xA 0x0219E003'] * 3 + [END]


def assemble(gen, lines):
    done = subprocess.run([ASM, '--gen=' + gen, '-o', '/dev/stdout'],
                          input='\n'.join(lines).encode() + b'\n',
                          stdout=subprocess.PIPE, check=True)
    return done.stdout


def array(name, code):
    words = [int.from_bytes(code[i:i + 4], 'little')
             for i in range(0, len(code), 4)]
    return 'static const unsigned %s[] __attribute__((aligned(32))) = {%s};\n' \
        % (name, ','.join(map(hex, words)))


def library(folder, rows, loose):
    text = ''.join(array(f'row{i}', code) for i, code in enumerate(rows))
    text += array('loose', loose)
    # Decodes as nothing, and ends no thread.
    text += array('data', b'\x7d\x02\x03\x04' * 64)
    text += 'struct row {const char *name; const void *bin; unsigned size;};\n'
    text += 'struct row rows[] = {%s{"data", data, sizeof(data)}};\n' % ''.join(
        f'{{"{i}", row{i}, sizeof(row{i})}}, ' for i in range(len(rows)))
    text += 'const unsigned *get(int i) { return loose + i; }\n'
    source, path = folder / 'lib.c', folder / 'lib.so'
    source.write_text(text)
    subprocess.run([CC, '-shared', '-fPIC', '-O1', '-o', path, source],
                   check=True)
    return path


class Shipped(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def judge(self, path, shipped_by, gen):
        source = shipped.Source('-', str(path), shipped.GENS, shipped_by,
                                shipped.library(path))
        known = dict(shipped.SOURCES)
        self.addCleanup(lambda: (shipped.SOURCES.clear(),
                                 shipped.SOURCES.update(known)))
        shipped.SOURCES['made'] = source
        table = self.folder / 'table.txt'
        args = Namespace(source=['made'], gen=[gen], every=None, table=table,
                         update=True)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = shipped.run(args)
        return code, out.getvalue()

    def test_rows_and_arrays(self):
        gen7, gen8 = assemble('ivb', GEN7), assemble('skl', GEN8)
        loose = assemble('skl', LOOSE)
        path = library(self.folder, [gen7, gen8], loose)
        found = binaries.programs(path, shipped.tool(), 'skl')
        self.assertEqual(sorted([gen7, gen8, loose]), found)
        self.assertEqual(shipped.candidates(gen7), ['ivb', 'hsw'])
        self.assertEqual(shipped.candidates(gen8), ['bdw', 'skl'])

    def test_routine(self):
        code = assemble('skl', ROUTINE)
        path = library(self.folder, [], code)
        self.assertEqual(binaries.programs(path, shipped.tool(), 'skl'),
                         [code])

    def test_what_ships_is_accepted(self):
        path = library(self.folder, [assemble('skl', GEN8)],
                       assemble('skl', LOOSE))
        code, text = self.judge(path, 'intel-vaapi-driver', 'skl')
        self.assertEqual(code, 0, text)
        self.assertIn('2 programs', text)
        self.assertIn('0 faults', text)

    def test_fault(self):
        path = library(self.folder, [assemble('skl', FAULT)],
                       assemble('skl', LOOSE))
        code, text = self.judge(path, 'intel-vaapi-driver', 'skl')
        self.assertEqual(code, 1)
        self.assertIn('fault math-double', text)

    def test_undecoded(self):
        broken = bytearray(assemble('skl', GEN8))
        broken[0] = 0x7d
        path = library(self.folder, [bytes(broken)], assemble('skl', LOOSE))
        code, text = self.judge(path, 'intel-vaapi-driver', 'skl')
        self.assertEqual(code, 0, text)
        self.assertIn('1 programs', text)  # of no generation: not ours
        self.assertEqual(shipped.candidates(bytes(broken)), [])

    def test_report_without_reason(self):
        path = library(self.folder, [assemble('skl', SETTLED)],
                       assemble('skl', LOOSE))
        code, text = self.judge(path, 'IGC', 'skl')
        self.assertEqual(code, 1)
        self.assertIn('does not name IGC', text)
        self.assertEqual(self.judge(path, 'intel-vaapi-driver', 'skl')[0], 0)

    def test_table(self):
        path = library(self.folder, [assemble('skl', GEN8)],
                       assemble('skl', LOOSE))
        self.judge(path, 'intel-vaapi-driver', 'skl')
        blocks = shipped.committed(self.folder / 'table.txt')
        self.assertEqual(list(blocks), ['made - skl 1/1'])
        self.assertIn('2 parts', blocks['made - skl 1/1'])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
