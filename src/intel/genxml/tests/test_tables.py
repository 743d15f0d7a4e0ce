# SPDX-License-Identifier: MIT
"""The generator refuses bad tables; the real ones are in order."""

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import gen_convert  # noqa: E402
import genxml     # noqa: E402
import sort_xml   # noqa: E402

FILES = [os.path.join(os.path.dirname(HERE), f)
         for f in sorted(os.listdir(os.path.dirname(HERE)))
         if f.startswith('gen') and f.endswith('.xml')]


def spec_of(body, base=None):
    """The Spec of a file with `body` inside (and a base file)."""
    with tempfile.TemporaryDirectory() as folder:
        if base is not None:
            with open(os.path.join(folder, 'base.xml'), 'w') as file:
                file.write(f'<genxml gen="8" verx10="80">{base}</genxml>')
        path = os.path.join(folder, 'x.xml')
        ref = ' base="base.xml"' if base is not None else ''
        with open(path, 'w') as file:
            file.write(f'<genxml gen="9" verx10="90"{ref}>{body}</genxml>')
        return genxml.Spec(path)


def struct(*fields, dwords=2):
    return (f'<struct name="S" dwords="{dwords}">' +
            ''.join(f'<field {f}/>' for f in fields) + '</struct>')


class Converts(unittest.TestCase):
    """gen_convert.py: each field of the old packet is accounted for."""

    OLD = struct('name="A" at="0[7:0]"', 'name="B" at="0[8]" type="bool"',
                 'name="C" at="1[1:0]" values="X=0 Y=1"')
    NEW = struct('name="A" at="1[7:0]"', 'name="D" at="0[8]" type="bool"',
                 'name="C" at="0[1:0]" values="X=0 Y=1"')

    def row(self, old=OLD, new=NEW, **options):
        row = gen_convert.Row(spec_of(old), spec_of(new), 'S', 'S', **options)
        return [(a.name, b.name) for a, b in row.copies]

    def refused(self, message, **options):
        with self.assertRaises(genxml.SpecError) as caught:
            self.row(**options)
        self.assertIn(message, str(caught.exception))

    def test_by_name(self):
        self.assertEqual(self.row(by_hand='B'), [('A', 'A'), ('C', 'C')])
        self.assertEqual(self.row(rename={'B': 'D'}),
                         [('A', 'A'), ('B', 'D'), ('C', 'C')])
        self.assertEqual(self.row(only='C'), [('C', 'C')])

    def test_what_no_row_says(self):
        self.refused('B has no counterpart')
        self.refused('no field E', by_hand='B E')

    def test_other_meaning(self):
        self.refused('another type', rename={'B': 'A'})
        other = self.NEW.replace('Y=1', 'Z=1')
        self.refused('Y is called Z', new=other, by_hand='B')
        self.assertEqual(self.row(new=other, by_hand='B', same='C'),
                         [('A', 'A'), ('C', 'C')])
        two = self.NEW.replace('at="1[7:0]"', 'at="1[7:0]" count="2"')
        self.refused('another type', new=two, by_hand='B')


class Refuses(unittest.TestCase):
    def refused(self, body, message, base=None):
        with self.assertRaises(genxml.SpecError) as caught:
            spec_of(body, base)
        self.assertIn(message, str(caught.exception))

    def test_overlap(self):
        self.refused(struct('name="A" at="0[7:0]"', 'name="B" at="0[7]"'),
                     'bit 7 belongs to A')

    def test_overlay_is_allowed(self):
        spec_of(struct('name="A" at="0[7:0]"',
                       'name="B" at="0[7]" overlay="yes"'))

    def test_overlap_of_array_elements(self):
        self.refused(struct('name="A" at="0[7:0]" count="2" stride="4"'),
                     'overlap each other')
        self.refused(struct('name="A" at="0[7:0]" count="2" stride="16"',
                            'name="B" at="0[20:19]"'), 'bit 19')

    def test_outside(self):
        self.refused(struct('name="A" at="2[0]"'), 'outside')
        self.refused(struct('name="A" at="1[7:0]" count="5"'), 'outside')

    def test_same_name(self):
        self.refused(struct('name="A" at="0[0]"', 'name="A" at="0[1]"'),
                     'named twice')

    def test_unknown(self):
        self.refused(struct('name="A" at="0" type="flot"'), 'unknown type')
        self.refused(struct('name="A" at="0" size="3"'), 'unknown')
        self.refused('<struct name="S" dword="1"/>', 'unknown attribute')
        self.refused('<packet name="S"/>', 'unknown element')
        self.refused('<struct name="S"><f name="A" at="0"/></struct>',
                     'unknown f')

    def test_bits(self):
        self.refused(struct('name="A" at="0[3:7]"'), 'backwards')
        self.refused(struct('name="A" at="0[3-7]"'), 'bad place')
        self.refused(struct('name="A" at="0[3:2]" type="bool"'), 'bool')
        self.refused(struct('name="A" at="0[30:0]" type="float"'), 'float')
        self.refused(struct('name="A" at="0[7:0]" type="u4.3"'), 'not 8')
        self.refused(struct('name="A" at="0[7:0]" type="s4.4"'), 'not 8')
        self.refused(struct('name="A" at="0[71:0]"', dwords=4), 'two dwords')

    def test_values(self):
        self.refused(struct('name="A" at="0[1:0]" values="X=4"'), 'not fit')
        self.refused(struct('name="A" at="0[1:0]" values="X"'), 'bad value')
        self.refused(struct('name="A" at="0[0]" values="X=1"',
                            'name="B" at="0[1]" values="X=0"'), 'two values')

    def test_opcode_is_taken(self):
        self.refused('<command name="A" mi="3"><field name="F" at="0[23]"/>'
                     '</command>', 'belongs to the opcode')
        self.refused('<command name="A" op="3.0.1" dwords="2">'
                     '<field name="F" at="0[7]"/></command>',
                     'belongs to the length')
        self.refused('<command name="A" mi="3"/><command name="B" mi="3"/>',
                     'has that opcode')
        self.refused('<command name="A"/>', 'is needed')

    def test_registers(self):
        self.refused('<register name="A" at="0x10" dwords="2"/>'
                     '<register name="B" at="0x14"/>', 'A is there')

    def test_structs(self):
        self.refused('<struct name="A"><field name="F" at="0" type="A"/>'
                     '</struct>', 'hold each other')
        self.refused('<struct name="A" bits="16"/>'
                     '<struct name="B"><field name="F" at="0" type="A"/>'
                     '</struct>', 'A has 16 bits')

    def test_twice(self):
        self.refused('<struct name="A"/><struct name="A"/>', 'twice')

    def test_not_xml(self):
        self.refused('<struct', '')


class Bases(unittest.TestCase):
    BASE = '<struct name="A"><field name="Old" at="0"/></struct>' \
           '<struct name="B"/>'

    def test_override(self):
        spec = spec_of('<struct name="A"><field name="New" at="0"/></struct>'
                       '<remove kind="struct" name="B"/>', self.BASE)
        self.assertEqual([f.name for f in spec.structs['A'].fields], ['New'])
        self.assertNotIn('B', spec.structs)
        self.assertEqual(spec.structs['A'].c_name, 'GEN9_A')

    def test_remove_nothing(self):
        with self.assertRaises(genxml.SpecError):
            spec_of('<remove kind="struct" name="C"/>', self.BASE)


class Stages(unittest.TestCase):
    def test_one_command_a_stage(self):
        spec = spec_of('<command name="P_{}" for="VS HS" op="3.0.1 3.0.5" '
                       'dwords="2"><field name="Of{}" at="1"/></command>')
        self.assertEqual(spec.commands['P_HS'].match, 0x78050000)
        self.assertEqual(spec.commands['P_HS'].fields[0].name, 'OfHS')


    def test_one_register_an_element(self):
        spec = spec_of('<register name="R{}" at="0x10" count="3" '
                       'stride="8"/>')
        self.assertEqual(spec.registers['R2'].address, 0x20)

    def test_name_without_stage(self):
        with self.assertRaises(genxml.SpecError):
            spec_of('<command name="P" for="VS HS" op="3.0.1 3.0.5"/>')


class Files(unittest.TestCase):
    def test_in_order(self):
        self.assertTrue(FILES)
        for path in FILES:
            with open(path, encoding='utf-8') as file:
                text = file.read()
            self.assertEqual(sort_xml.render(text), text, path)

    def test_sorting_moves(self):
        text = '<genxml gen="9" verx10="90">\n  <struct name="B"/>\n' \
               '  <struct name="A"/>\n</genxml>\n'
        self.assertLess(sort_xml.render(text).index('"A"'),
                        sort_xml.render(text).index('"B"'))


if __name__ == '__main__':
    unittest.main()
