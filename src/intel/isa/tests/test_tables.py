# SPDX-License-Identifier: MIT
"""Feeds the table checks with bad tables: each fault must be named."""

import copy
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import isa_compact  # noqa: E402
import isa_fields  # noqa: E402
import isa_opcodes  # noqa: E402


class TestTables(unittest.TestCase):
    def assert_named(self, faults, *words):
        """One of the faults has all the words."""
        self.assertTrue(any(all(w in fault for w in words)
                            for fault in faults), faults)

    def test_own_tables_are_good(self):
        self.assertEqual(isa_opcodes.check(), [])
        self.assertEqual(isa_fields.check(), [])
        self.assertEqual(isa_compact.check(), [])

    # Fields.

    def fields_with(self, gen, **changes):
        fields = copy.deepcopy(isa_fields.FIELDS)
        fields[gen].update(changes)
        return isa_fields.check(fields)

    def test_overlapping_fields(self):
        faults = self.fields_with('skl', nib_ctrl=(12, 12))
        self.assert_named(faults, 'skl', 'bit 12', 'nib_ctrl', 'qtr_ctrl')

    def test_bit_without_owner(self):
        faults = self.fields_with('hsw', exec_size=(23, 22))
        self.assert_named(faults, 'hsw', 'no owner', '21')

    def test_field_missing_in_a_generation(self):
        fields = copy.deepcopy(isa_fields.FIELDS)
        del fields['bdw']['saturate']
        self.assert_named(isa_fields.check(fields), 'bdw', 'no value',
                          'saturate')

    def test_reversed_range(self):
        self.assert_named(self.fields_with('ivb', opcode=(0, 6)), 'ivb',
                          'opcode', 'no range')

    def test_field_across_the_halves(self):
        self.assert_named(self.fields_with('ivb', imm64=(127, 60)), 'ivb',
                          'imm64', 'crosses')

    def test_layout_with_unknown_field(self):
        faults = isa_fields.check(
            all_layouts=lambda gen: {'x': ['opcode', 'mystery']})
        self.assert_named(faults, 'x', 'mystery')

    # Opcodes and types.

    def test_two_opcodes_with_one_number(self):
        rows = isa_opcodes.OPCODES + [isa_opcodes.op('twin', 64, 'basic2',
                                                     2)]
        self.assert_named(isa_opcodes.check(rows), 'opcode 64', 'add',
                          'twin')

    def test_same_number_on_other_generations_is_good(self):
        # 10 is dim on HSW and smov from BDW on.
        numbers = [o for o in isa_opcodes.OPCODES if 10 in o.hw.values()]
        self.assertEqual(len(numbers), 2)
        self.assertEqual(isa_opcodes.check(), [])

    def test_opcode_twice(self):
        rows = isa_opcodes.OPCODES + [isa_opcodes.op('mov', 120, 'basic1',
                                                     1)]
        self.assert_named(isa_opcodes.check(rows), 'mov', 'two rows')

    def test_opcode_on_no_generation(self):
        rows = [isa_opcodes.op('lost', 1, 'basic1', 1, gens=())]
        self.assert_named(isa_opcodes.check(rows), 'lost', 'no generation')

    def test_opcode_number_out_of_range(self):
        rows = [isa_opcodes.op('big', 128, 'basic1', 1)]
        self.assert_named(isa_opcodes.check(rows), 'big', '128')

    def test_unknown_type(self):
        rows = [isa_opcodes.op('odd', 1, 'basic1', 1, '', 'f quad')]
        self.assert_named(isa_opcodes.check(rows), 'odd', 'quad')

    def test_two_types_with_one_code(self):
        types = isa_opcodes.TYPES + [isa_opcodes.Type(
            'tf', 4, isa_opcodes.per_gen(all=7), isa_opcodes.NO,
            isa_opcodes.NO, 'float')]
        self.assert_named(isa_opcodes.check(types=types), 'reg type 7',
                          'tf')

    # Compaction.

    def test_compact_bit_used_twice(self):
        form = ([((6, 0), (6, 0)), ((6, 6), (31, 31))], [])
        self.assert_named(isa_compact.check({'x': form}), 'compact bits 6:6')

    def test_full_bit_used_twice(self):
        form = ([((6, 0), (6, 0)), ((7, 7), (0, 0))], [])
        self.assert_named(isa_compact.check({'x': form}), 'full bits')

    def test_move_of_other_width(self):
        form = ([((6, 0), (7, 0))], [])
        self.assert_named(isa_compact.check({'x': form}), 'width')

    def test_index_of_wrong_size(self):
        form = ([], [((8, 8), [(31, 30)], [0, 1, 2])])
        self.assert_named(isa_compact.check({'x': form}), '3 entries')

    def test_index_entry_twice(self):
        form = ([], [((8, 8), [(31, 30)], [1, 1])])
        self.assert_named(isa_compact.check({'x': form}), 'twice')

    def test_index_entry_too_big(self):
        form = ([], [((8, 8), [(31, 30)], [1, 4])])
        self.assert_named(isa_compact.check({'x': form}), 'not fit')


if __name__ == '__main__':
    unittest.main()
