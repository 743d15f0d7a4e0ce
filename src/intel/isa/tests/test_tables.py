# SPDX-License-Identifier: MIT
"""Feeds the table checks with bad tables: each fault must be named."""

import copy
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import isa_compact  # noqa: E402
import isa_fields  # noqa: E402
import isa_messages  # noqa: E402
import isa_opcodes  # noqa: E402
import isa_rules  # noqa: E402


class TestTables(unittest.TestCase):
    def assert_named(self, faults, *words):
        """One of the faults has all the words."""
        self.assertTrue(any(all(w in fault for w in words)
                            for fault in faults), faults)

    def test_own_tables_are_good(self):
        self.assertEqual(isa_opcodes.check(), [])
        self.assertEqual(isa_fields.check(), [])
        self.assertEqual(isa_compact.check(), [])
        self.assertEqual(isa_messages.check(), [])
        self.assertEqual(isa_rules.check(), [])

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
        rows = [isa_opcodes.op('odd', 1, 'basic1', 1, '',
                               isa_opcodes.goes('f', 'quad'))]
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

    # Messages.

    def layouts_with(self, name, gen, **changes):
        layouts = copy.deepcopy(isa_messages.LAYOUTS)
        layouts[name][gen].update(changes)
        return isa_messages.check(layouts=layouts)

    def messages_with(self, name, **changes):
        rows = [m._replace(**changes) if m.name == name else m
                for m in isa_messages.MESSAGES]
        return isa_messages.check(rows)

    def test_overlapping_message_fields(self):
        faults = self.layouts_with('sampler', 'hsw', sampler=(12, 8))
        self.assert_named(faults, 'hsw sampler', 'bit 12', 'sampler', 'type')

    def test_message_field_over_the_lengths(self):
        faults = self.layouts_with('scratch', 'skl', type=(19, 17))
        self.assert_named(faults, 'skl scratch', 'bit 19', 'header')

    def test_message_bit_without_owner(self):
        faults = self.layouts_with('untyped', 'bdw', mbz=[(30, 30)])
        self.assert_named(faults, 'bdw untyped', 'no owner', '29')

    def test_message_field_missing_in_a_generation(self):
        layouts = copy.deepcopy(isa_messages.LAYOUTS)
        del layouts['rt_write']['ivb']['half']
        self.assert_named(isa_messages.check(layouts=layouts),
                          'ivb rt_write', 'no value', 'half')

    def test_layout_missing_in_a_generation(self):
        layouts = copy.deepcopy(isa_messages.LAYOUTS)
        del layouts['urb']['hsw']
        self.assert_named(isa_messages.check(layouts=layouts), 'hsw', 'urb',
                          'no value')

    def test_message_field_reversed(self):
        self.assert_named(self.layouts_with('urb', 'ivb', complete=(15, 16)),
                          'ivb urb', 'complete', 'no range')

    def test_message_field_beyond_the_descriptor(self):
        self.assert_named(self.layouts_with('sampler', 'skl', half=(31, 31)),
                          'skl sampler', 'half', 'no range')

    def test_unknown_message_field(self):
        self.assert_named(self.layouts_with('urb', 'ivb', mystery=(17, 17),
                                            mbz=[(18, 18), (30, 29)]),
                          'ivb urb', 'unknown', 'mystery')

    def test_two_message_fields_of_one_member(self):
        self.assert_named(
            self.layouts_with('gateway', 'skl', urb_offset=(5, 3),
                              scratch_offset_grf=(13, 6),
                              mbz=[(18, 17), (30, 29)]),
            'skl gateway', 'both member', 'offset')

    def test_value_that_does_not_fit(self):
        self.assert_named(
            self.layouts_with('block', 'ivb', block=(9, 8),
                              mbz=[(12, 10), (30, 29)]),
            'ivb block', 'block', 'does not fit')

    def test_two_values_with_one_code(self):
        known = dict(isa_messages.FIELDS)
        values = known['block'].values + [('16', '16 OWords', 5, 4)]
        known['block'] = known['block']._replace(values=values)
        self.assert_named(isa_messages.check(known=known), 'block',
                          'code 4 twice')

    def test_two_messages_with_one_number(self):
        faults = self.messages_with('byte_scattered_read',
                                    codes={'data_cache0':
                                           isa_messages.each(3)})
        self.assert_named(faults, 'data_cache0', '3 is',
                          'dword_scattered_read', 'byte_scattered_read')

    def test_message_twice(self):
        rows = isa_messages.MESSAGES + [isa_messages.sampler('ld', 12)]
        self.assert_named(isa_messages.check(rows), 'ld', 'two rows')

    # How messages use their registers.

    def forms_with(self, name, **changes):
        forms = dict(isa_messages.FORMS)
        forms[name] = forms[name]._replace(**changes)
        return isa_messages.check(forms=forms)

    def test_message_without_form(self):
        forms = dict(isa_messages.FORMS)
        del forms['rt_write']
        self.assert_named(isa_messages.check(forms=forms), 'rt_write',
                          'no form')

    def test_form_of_no_message(self):
        forms = dict(isa_messages.FORMS, lost=isa_messages.form())
        self.assert_named(isa_messages.check(forms=forms), 'lost')

    def test_form_with_unknown_names(self):
        self.assert_named(self.forms_with('ld', header='odd'), 'ld', 'odd')
        self.assert_named(self.forms_with('ld', parts=('odd',)), 'ld', 'odd')
        self.assert_named(self.forms_with('ld', response='odd'), 'ld', 'odd')

    def test_header_of_a_message_without_one(self):
        self.assert_named(self.forms_with('interp_sample', header='slots'),
                          'interp_sample', 'no header')

    def test_parameters_that_are_not_counted(self):
        self.assert_named(self.forms_with('sample', leading=0), 'sample',
                          'leading')

    def test_header_dwords(self):
        for row, word in (((16, 1, 'x', 'always'), 'no such dword'),
                          ((0, 0, 'x', 'always'), 'bits'),
                          ((0, 1, 'x', 'odd'), 'odd')):
            headers = dict(isa_messages.HEADERS, odd=[row])
            self.assert_named(isa_messages.check(headers=headers), word)

    def test_message_number_out_of_range(self):
        self.assert_named(
            self.messages_with('barrier',
                               codes={'gateway': isa_messages.each(8)}),
            'gateway', 'barrier', 'does not fit')

    def test_message_without_a_value_for_a_generation(self):
        self.assert_named(
            self.messages_with('barrier', codes={'gateway': {'ivb': 4}}),
            'skl gateway', 'barrier', 'no value')

    def test_message_of_a_missing_function(self):
        self.assert_named(
            self.messages_with('untyped_read',
                               codes={'data_cache1': isa_messages.each(1)}),
            'ivb data_cache1', 'no such shared function')

    def test_message_of_an_unknown_function(self):
        self.assert_named(
            self.messages_with('barrier',
                               codes={'oracle': isa_messages.each(4)}),
            'barrier', 'unknown shared function')

    def test_message_on_no_generation(self):
        self.assert_named(
            self.messages_with('barrier',
                               codes={'gateway': isa_messages.each(None)}),
            'barrier', 'no generation')

    def test_message_with_two_numbers(self):
        self.assert_named(
            self.messages_with('oword_block_read',
                               codes={'data_cache0': isa_messages.each(0),
                                      'const_cache': isa_messages.each(9)}),
            'ivb', 'oword_block_read', 'several numbers: 0 9')

    def test_length_of_a_missing_field(self):
        self.assert_named(self.messages_with('barrier', response='returns'),
                          'barrier', 'returns', 'does not have')

    def test_unknown_layout(self):
        self.assert_named(self.messages_with('barrier', layout='riddle'),
                          'barrier', 'unknown layout')

    # Rules.

    def rules_with(self, **changes):
        row = isa_rules.RULES[0]._replace(**changes)
        return isa_rules.check([row] + isa_rules.RULES[1:])

    def test_bad_rules(self):
        name = isa_rules.RULES[1].name
        for changes, words in (
                ({'name': name}, (name, 'two rows')),
                ({'name': 'No_name'}, ('its name',)),
                ({'chip': 'EU-7'}, ('EU-7',)),
                ({'gens': ()}, ('generations',)),
                ({'gens': ('skl', 'ark')}, ('generations',)),
                ({'gens': (isa_rules.LOW,)}, ('generations',)),
                ({'source': ''}, ('a source',)),
                ({'severity': 'perhaps'}, ('severity', 'perhaps')),
                ({'severity': isa_rules.STRICT, 'evidence': None},
                 ('evidence',)),
                ({'condition': 'riddle'}, ('condition', 'riddle'))):
            self.assert_named(self.rules_with(**changes), *words)


if __name__ == '__main__':
    unittest.main()
