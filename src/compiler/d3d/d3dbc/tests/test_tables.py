# SPDX-License-Identifier: MIT
"""Feeds the table checks with bad tables: each fault must be named."""

import copy
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import d3dbc_tables as t  # noqa: E402


class TestTables(unittest.TestCase):
    def faults_with(self, **changes):
        saved = {name: getattr(t, name) for name in changes}
        try:
            for name, value in changes.items():
                setattr(t, name, value)
            return ' / '.join(t.check())
        finally:
            for name, value in saved.items():
                setattr(t, name, value)

    def op_with(self, id, **fields):
        ops = copy.deepcopy(t.OPCODES)
        op = next(op for op in ops if op.id == id)
        for name, value in fields.items():
            setattr(op, name, value)
        return self.faults_with(OPCODES=ops)

    def test_own_tables_are_good(self):
        self.assertEqual(t.check(), [])

    def test_one_code_twice(self):
        self.assertIn('both 0x05', self.op_with('add', code=5))

    def test_no_profile(self):
        self.assertIn('add is in no profile',
                      self.op_with('add', vs=t.NEVER, ps=t.NEVER))

    def test_no_meaning(self):
        self.assertIn('add has no meaning', self.op_with('add', nir=None))

    def test_operand_letter(self):
        self.assertIn('add: operands dsx', self.op_with('add',
                                                        operands='dsx'))

    def test_register_type_twice(self):
        files = copy.deepcopy(t.FILES)
        next(f for f in files if f.id == 'oD').code = 4
        self.assertIn('register type 4 is two files in vs 20',
                      self.faults_with(FILES=files))

    def test_usage_slots(self):
        usages = [(n, f if n != 'fog' else 16, c) for n, f, c in t.USAGES]
        self.assertIn('varying slot 16', self.faults_with(USAGES=usages))


if __name__ == '__main__':
    unittest.main()
