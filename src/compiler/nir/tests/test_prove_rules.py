#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of prove_rules.py: it refuses wrong rules, and its opcodes mean what
the constant folder does.

usage: test_prove_rules.py OPCODE_VALUES, the program of opcode_values.c
"""
import subprocess
import sys
import unittest

import prove_lowerings
import prove_rules
import smt_division
import smt_opcodes
from nir_algebraic import Rule, Var, near, op
from nir_opcodes import opcodes, type_base, type_size

import z3  # prove_rules exits without it

a, b, c, d = Var('a'), Var('b'), Var('c'), Var('d')
PROGRAM = None
# Some take ten seconds of a processor, which may have others to serve.
LIMIT_S = 300

WRONG = [
    Rule(op.iadd(a, 1), a),
    Rule(op.isub(a, b), op.iadd(b, a)),
    Rule(op.ishr(op.ishl(a, b), b), a),
    Rule(op.idiv(a, b.pow2()), op.ishr(a, op.find_lsb(b))),
    Rule(op.inot(op.ilt(a, b)), op.ilt(b, a)),
    Rule(op.ult(a, b), op.ilt(a, b)),
    Rule(op.bcsel(a, b, c), c),
    Rule(op.imul(op.imul(a, b), c), op.imul(a, b)),
    Rule(op.iabs(a), op.imax(a, 0)),
    Rule(op.uhadd(a, b), op.ushr(op.iadd(a, b), 1)),
    Rule(op.umul_high(a.size(32), b), op.imul_high(a, b)),
    Rule(op.pack_64_2x32_split(a, b), op.u2u64(b)),
    Rule(op.urol(a.size(32), b), op.uror(a, b)),
    # Right but for one value of each variable.
    Rule(op.ieq(a.size(32), 0x12345678), False),
    Rule(op.iand(op.ieq(a.size(64), 77), op.ieq(b.size(64), 78)), False),
    # Defined for a width of 32, which 31 is not.
    near(op.ubitfield_extract(a, b, c), op.ubfe(a, b, c)),
]
RIGHT = [
    Rule(op.isub(a, b), op.iadd(a, op.ineg(b))),
    Rule(op.imul(op.imul(a.not_const(), b.const()), c.const()),
         op.imul(op.imul(c, b), a)),
    Rule(op.iand(op.inot(a), op.inot(b)), op.inot(op.ior(a, b))),
]


class Proofs(unittest.TestCase):
    def test_wrong(self):
        for rule in WRONG:
            answers = [prove_rules.prove(rule, bits, LIMIT_S)
                       for bits in prove_rules.size_choices(rule)]
            self.assertTrue(any(' became ' in a for a in answers), rule)

    def test_right(self):
        for rule in RIGHT:
            for bits in prove_rules.size_choices(rule):
                self.assertEqual(prove_rules.prove(rule, bits, LIMIT_S),
                                 'proven', rule)

    def test_not_decided(self):
        hard = Rule(op.uge(a.size(64), op.imul(op.udiv(a, b), b)), True)
        bits = next(prove_rules.size_choices(hard))
        self.assertEqual(prove_rules.prove(hard, bits, 0.01), 'not decided')


LOWERED = '''
    vec1 64 ssa_0 = undefined
    vec1 64 ssa_1 = undefined
    vec1 32 ssa_2 = unpack_64_2x32_split_x ssa_0
    vec1 32 ssa_3 = unpack_64_2x32_split_y ssa_0
    vec1 32 ssa_4 = unpack_64_2x32_split_x ssa_1
    vec1 32 ssa_5 = unpack_64_2x32_split_y ssa_1
    vec1 64 ssa_6 = umul_2x32_64 ssa_2, ssa_4
    vec1 32 ssa_7 = imul ssa_2, ssa_5
    vec1 32 ssa_8 = imul ssa_3, ssa_4
    vec1 32 ssa_9 = iadd ssa_7, ssa_8
    vec1 32 ssa_10 = unpack_64_2x32_split_y ssa_6
    vec1 32 ssa_11 = iadd ssa_9, ssa_10
    vec1 32 ssa_12 = unpack_64_2x32_split_x ssa_6
    vec1 64 ssa_13 = pack_64_2x32_split ssa_12, ssa_11
    intrinsic store_ssbo (ssa_13, ssa_12, ssa_12) ()
'''
VECTOR = '''
    vec2 32 ssa_0 = undefined
    vec1 64 ssa_1 = pack_64_2x32_split ssa_0.{}, ssa_0.{}
    intrinsic store_ssbo (ssa_1, ssa_2, ssa_2) ()
'''

DIVISION = '''
    vec1 64 ssa_0 = undefined
    vec1 64 ssa_1 = undefined
    vec1 64 ssa_2 = u2f64! ssa_0
    vec1 64 ssa_3 = f2u64! ssa_2
    vec1 64 ssa_4 = imul! ssa_3, ssa_1
    vec1 64 ssa_5 = isub! ssa_0, ssa_4
    vec1 32 ssa_6 = load_const (0x00000000 = 0.000000)
    vec1 64 ssa_7 = u2f64! ssa_5
    vec1 32 ssa_8 = f2u32! ssa_7
    vec1 64 ssa_9 = pack_64_2x32_split! ssa_8, ssa_6
    vec1 64 ssa_10 = iadd! ssa_3, ssa_9
    vec1 64 ssa_11 = imul! ssa_9, ssa_1
    vec1 64 ssa_12 = isub! ssa_5, ssa_11
    vec1  1 ssa_13 = uge ssa_12, ssa_1
    vec1 64 ssa_14 = load_const (0x0000000000000001 = 0.000000)
    vec1 64 ssa_15 = iadd ssa_10, ssa_14
    vec1 64 ssa_16 = bcsel ssa_13, ssa_15, ssa_10
    intrinsic store_ssbo (ssa_16, ssa_6, ssa_6) ()
'''


class Lowerings(unittest.TestCase):
    def answer(self, name, bits, text):
        return prove_lowerings.prove(name, bits, text, 60)

    def test_product(self):
        self.assertEqual(self.answer('imul', 64, LOWERED), 'proven')
        for wrong in (('ssa_2, ssa_5', 'ssa_3, ssa_5'),
                      ('split_y ssa_6', 'split_x ssa_6'),
                      ('iadd ssa_9', 'isub ssa_9')):
            self.assertIn(' became ', self.answer(
                'imul', 64, LOWERED.replace(*wrong)), wrong)

    def test_division(self):
        self.assertEqual(self.answer('udiv', 64, DIVISION), 'proven')
        self.assertIn('magnitudes: wrong', self.answer('idiv', 64, DIVISION))
        for wrong in (('uge', 'ult'), ('0001 =', '0002 ='),
                      ('uge ssa_12, ssa_1', 'uge ssa_1, ssa_12'),
                      ('bcsel ssa_13, ssa_15', 'bcsel ssa_13, ssa_12')):
            self.assertIn('made of it: wrong', self.answer(
                'udiv', 64, DIVISION.replace(*wrong)), wrong)
        for wrong in (('imul! ssa_9, ssa_1', 'imul! ssa_9, ssa_0'),
                      ('isub! ssa_5', 'isub! ssa_0')):
            with self.assertRaises(smt_division.OtherShape):
                self.answer('udiv', 64, DIVISION.replace(*wrong))

    def test_vector(self):
        self.assertEqual(self.answer('pack_64_2x32', 32,
                                     VECTOR.format('x', 'y')), 'proven')
        self.assertIn(' became ', self.answer('pack_64_2x32', 32,
                                              VECTOR.format('y', 'x')))

    def test_no_formula(self):
        for line in ('if ssa_0 {', 'vec1 64 ssa_9 = fadd ssa_0, ssa_1',
                     'vec1 64 ssa_9 = mov ssa_99'):
            with self.assertRaises(prove_lowerings.NoFormula):
                self.answer('imul', 64, LOWERED.replace(
                    '    intrinsic', f'    {line}\n    intrinsic'))


def integer_opcodes():
    """(row, bit size) of each opcode that has a formula."""
    for row in opcodes.values():
        if any(type_base(t) == 'float'
               for t in [row.output_type] + row.input_types):
            continue
        for bits in row.bit_sizes():
            yield row, bits


class Meaning(unittest.TestCase):
    """Formulas on numbers, against the constant folder."""

    def test_opcodes(self):
        cases = [(r, n) for r, n in integer_opcodes() if self.known(r, n)]
        asked = '\n'.join(f'{r.name} {n}' for r, n in cases)
        out = subprocess.run([PROGRAM], input=asked, text=True, check=True,
                             stdout=subprocess.PIPE).stdout
        lines = out.splitlines()
        self.assertGreater(len(lines), 10 * len(cases))
        for line in lines:
            self.compare(line)

    def known(self, row, bits):
        """Vectors of packed bytes are not written as expressions yet."""
        try:
            smt_opcodes.evaluate(row, [
                [z3.BitVecVal(0, type_size(t) or bits)] * (size or 1)
                for size, t in zip(row.input_sizes, row.input_types)], bits)
        except smt_opcodes.NoInteger as why:
            self.assertNotIn(row.name, self.used(), f'{row.name}: {why}')
            return False
        return True

    def used(self):
        rules = prove_rules.all_rules(prove_rules.nir_opt_algebraic)
        return {n.opcode.name for r in rules
                if not prove_rules.has_floats(r)
                for side in (r.search, r.replace)
                for n in prove_rules.nodes_of(side)
                if isinstance(n, prove_rules.Expr)}

    def compare(self, line):
        left, right = line.split(' :')
        name, bits, *values = left.split()
        row, bits = opcodes[name], int(bits)
        values = [int(v) for v in values]
        sources = []
        for size, t in zip(row.input_sizes, row.input_types):
            n = size or 1
            sources.append([z3.BitVecVal(v, type_size(t) or bits)
                            for v in values[:n]])
            values = values[n:]
        got = [z3.simplify(v).as_long()
               for v in smt_opcodes.evaluate(row, sources, bits)]
        self.assertEqual(got, [int(v) for v in right.split()], line)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv.pop()
    unittest.main()
