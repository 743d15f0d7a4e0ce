#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A compiler made from a newer grammar (newer_grammar.py): what it cannot
read is refused by name where a module has it, and harms no other.

usage: test_newer_grammar.py SPIRV-AS SPIRV_CHECK
SPIRV_CHECK has the tables of that grammar.
"""
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import newer_grammar

MODULE = '''
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%p_out = OpTypePointer Output %vec4
%one = OpConstant %float 1
%all = OpConstantComposite %vec4 %one %one %one %one
%out = OpVariable %p_out Output
%main = OpFunction %void None %fn
%l0 = OpLabel
OpStore %out %all
OpReturn
OpFunctionEnd
'''
DECORATE, RETURN, LITERAL = 71, 253, 0x40490fdb
TESTED = sys.argv[1:]


def words_of(text):
    assembler = TESTED[0]
    with tempfile.TemporaryDirectory() as place:
        source = os.path.join(place, 'a.spvasm')
        with open(source, 'w', encoding='utf-8') as f:
            f.write(text)
        subprocess.run([assembler, source, '-o', source + '.spv'], check=True)
        with open(source + '.spv', 'rb') as f:
            data = f.read()
    return struct.unpack('<%uI' % (len(data) // 4), data)


class Newer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.words = words_of(MODULE)

    def insert(self, opcode, *new):
        """The answer to the module with an instruction before the first one
        of `opcode`; `new` is its opcode and operands."""
        at = 5
        while self.words[at] & 0xffff != opcode:
            at += self.words[at] >> 16
        head = len(new) << 16 | new[0]
        words = self.words[:at] + (head, *new[1:]) + self.words[at:]
        with tempfile.NamedTemporaryFile(suffix='.spv') as f:
            f.write(struct.pack('<%uI' % len(words), *words))
            f.flush()
            done = subprocess.run([TESTED[1], f.name], text=True,
                                  stdout=subprocess.PIPE, check=False)
        return done.returncode, done.stdout

    def decorate(self, name, *operands):
        value = 70000 + list(newer_grammar.FUTURE).index(name)
        target = self.words[5:].index(DECORATE | 4 << 16) + 6
        return self.insert(DECORATE, DECORATE, self.words[target], value,
                           *operands)

    def refused(self, answer, *names):
        code, text = answer
        self.assertEqual(code, 2, text)
        for name in names:
            self.assertIn(name, text)

    def test_unchanged(self):
        no_line = 317
        self.assertEqual(self.insert(RETURN, no_line), (0, 'ok\n'))

    def test_unknown_operands_are_refused_by_name(self):
        self.refused(self.decorate('FutureLiteral', LITERAL), 'OpDecorate',
                     'FutureLiteral')
        self.refused(self.decorate('FuturePair', 1, 2, 3), 'FuturePair')
        self.refused(self.decorate('FutureCount', 1, 2), 'FutureCount')
        self.refused(self.insert(RETURN, 60000, 1, 2), 'OpFuture')

    def test_enumerations_are_read(self):
        self.refused(self.decorate('FutureEnum', 1, 5), 'Odd')
        code, text = self.decorate('FutureEnum', 2)
        self.assertEqual(code, 1)
        self.assertIn('2 is not a value of FutureMode', text)

    def test_what_is_left_out_does_not_matter(self):
        known = self.decorate('FutureEnum', 0)
        self.assertNotIn('later SPIR-V', known[1])
        for answer in (self.decorate('FutureMaybe'),
                       self.decorate('FutureFloat', LITERAL)):
            self.assertEqual(answer[0], known[0], answer[1])
        self.refused(self.decorate('FutureMaybe', 1), 'FutureMaybe')

    def test_length_is_checked(self):
        code, text = self.decorate('FutureFloat', LITERAL, 1)
        self.assertEqual(code, 1)
        self.assertIn('1 words too many', text)
        self.assertIn('OpFutureBare', self.insert(RETURN, 60001)[1])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
