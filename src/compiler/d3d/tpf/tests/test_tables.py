# SPDX-License-Identifier: MIT
"""Feeds the table checks with bad tables: each fault must be named."""

import copy
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tpf_tables as t  # noqa: E402


class TestTables(unittest.TestCase):
    def op_with(self, id, **fields):
        saved = t.OPCODES
        t.OPCODES = copy.deepcopy(saved)
        try:
            op = next(op for op in t.OPCODES if op.id == id)
            for name, value in fields.items():
                setattr(op, name, value)
            return ' / '.join(t.check())
        finally:
            t.OPCODES = saved

    def test_own_tables_are_good(self):
        self.assertEqual(t.check(), [])

    def test_one_code_twice(self):
        self.assertIn('opcode 1 stands twice', self.op_with('add', code=1))

    def test_no_profile(self):
        self.assertIn('add is in no profile',
                      self.op_with('add', stages=frozenset()))

    def test_no_meaning(self):
        self.assertIn('add has no meaning', self.op_with('add', nir=None))
        self.assertIn('imul needs two meanings',
                      self.op_with('imul', nir=('s[0]',)))

    def test_source_without_meaning(self):
        self.assertIn('add: not all sources',
                      self.op_with('add', nir='s[0]'))

    def test_operand_letter(self):
        self.assertIn('add: operands Fq', self.op_with('add', operands='Fq'))

    def test_control(self):
        self.assertIn('add: control shine',
                      self.op_with('add', control='shine'))
        self.assertIn('where precise stands',
                      self.op_with('add', control='test', flags={'alu'})
                      if t.CONTROLS['test'] & t.PRECISE else
                      self.op_with('add', control='dim'))


if __name__ == '__main__':
    unittest.main()
