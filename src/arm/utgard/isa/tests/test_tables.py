# SPDX-License-Identifier: MIT
"""Feeds the table checks with bad tables: each fault must be named."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import gp_isa  # noqa: E402


def fields_with(member, low):
    """The fields with one moved to another low bit."""
    return [f._replace(parts=[(low,) + f.parts[0][1:]])
            if f.member == member else f for f in gp_isa.FIELDS]


class TestTables(unittest.TestCase):
    def assert_named(self, faults, *words):
        """One of the faults has all the words."""
        self.assertTrue(any(all(w in fault for w in words)
                            for fault in faults), faults)

    def test_own_tables_are_good(self):
        self.assertEqual(gp_isa.check(), [])

    def test_overlapping_fields(self):
        self.assert_named(gp_isa.check(fields_with('mode', 115)),
                          'bit 115', 'pass_src', 'mode')

    def test_bit_without_owner(self):
        self.assert_named(gp_isa.check(fields_with('mode', 115)),
                          'no owner', '119')

    def test_field_across_the_halves(self):
        self.assert_named(gp_isa.check(fields_with('uniform_index', 60)),
                          'uniform_index', 'crosses')

    def test_bit_outside(self):
        self.assert_named(gp_isa.check(fields_with('mode', 126)), 'mode',
                          'bit 128')

    def test_idle_value_too_large(self):
        fields = [f._replace(idle=99) if f.member == 'mode' else f
                  for f in gp_isa.FIELDS]
        self.assert_named(gp_isa.check(fields), 'mode', '99')

    def test_opcodes(self):
        faults = gp_isa.check(ops={'mul': [('mul', 0), ('mul', 9),
                                           ('other', 0)]})
        self.assert_named(faults, 'mul', '9 does not fit')
        self.assert_named(faults, 'name mul twice')
        self.assert_named(faults, 'code 0 twice')

    def test_missing_source(self):
        self.assert_named(gp_isa.check(sources=gp_isa.SOURCES[1:]),
                          'sources')


if __name__ == '__main__':
    unittest.main()
