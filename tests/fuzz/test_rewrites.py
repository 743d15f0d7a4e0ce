#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of rewrites.py: shaders in other forms give the same; those in forms
that mean something else do not, and none of them is overlooked. And of what
programs.py makes of a difference: whose it is.

usage: test_rewrites.py BUILD
"""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import programs
import rewrites

BUILD = sys.argv.pop(1)
SHADERS = Path(__file__).resolve().parent.parent / 'hostile'
GLSL = {'both.vert': '''#version 450
layout(location = 0) in vec3 p;
layout(location = 1) in ivec2 k;
layout(location = 0) out vec3 a[2];
layout(location = 2) flat out ivec2 b;
void main()
{
   gl_Position = vec4(p, 1.0);
   a[0] = p;
   a[1] = p * 1.25;
   b = k;
}
''', 'both.frag': '''#version 450
layout(location = 0) in vec3 a[2];
layout(location = 2) flat in ivec2 b;
layout(set = 1, binding = 3) uniform U { mat3 m; float f[4]; ivec2 n; };
layout(location = 1) out vec2 x;
layout(location = 0) out uvec4 y;
void main()
{
   vec3 sum = a[0];
   for (int i = 0; i < b.x + 3; i++)
      sum = m * sum * 1.25 + a[i & 1] * f[i & 3];
   x = sum.xy + vec2(n);
   y = uvec4(b, uvec2(b * 7)) + 5u;
}
''', 'image.comp': '''#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint n[64]; double d[4]; float f[]; };
layout(binding = 2, rgba32f) uniform image2D image;
void main()
{
   uint i = gl_LocalInvocationIndex;
   if (gl_WorkGroupID != uvec3(0))
      return;
   f[i] = f[i] * 1.25 + float(n[i]) + float(d[i & 3]);
   imageStore(image, ivec2(i, 3), vec4(f[i]));
}
'''}
SHADER_TEST = '''[require]
GLSL >= 1.30
[vertex shader passthrough]
[fragment shader]
uniform int count;
out vec4 color;
void main()
{
   float x = gl_FragCoord.x / 250.0;
   for (int i = 0; i < count; i++)
      x *= x < 0.5 ? 1.25 : 0.5;
   color = vec4(x, 1.0 - x, 0.25, 1.0);
}
[test]
uniform int count 3
draw rect -1 -1 2 2
probe rgb 0 0 0.0039 0.996 0.25
'''


class Wrong(rewrites.Form):
    """Each 1.25 of a module is 0.5 then."""

    def write(self, to, steps):
        with open(self.path, 'rb') as f:
            data = f.read()
        with open(to, 'wb') as f:
            f.write(data.replace(b'\0\0\xa0\x3f', b'\0\0\0\x3f'))
        return ['1.25 is 0.5']


class Rewrites(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        texts = dict(GLSL)
        if (rewrites.RUNNERS / 'shader_runner').exists():
            texts['loop.shader_test'] = SHADER_TEST
        cls.count = len(texts) - 1 # two are one pipeline
        for name, text in texts.items():
            (cls.folder / name).write_text(text, encoding='utf-8')

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @staticmethod
    def run_on(*paths):
        """(exit code, what it says)."""
        out = io.StringIO()
        with mock.patch('sys.argv', ['rewrites.py', f'--build={BUILD}', '-v',
                                     *map(str, paths)]), \
                contextlib.redirect_stdout(out):
            return rewrites.main(), out.getvalue()

    def test_same(self):
        code, said = self.run_on(self.folder, SHADERS)
        self.assertEqual(code, 0, said)
        self.assertIn(f'{self.count + 2} shaders on skl', said)
        self.assertIn('0 differ, 0 skipped', said)

    def test_wrong(self):
        with mock.patch('rewrites.Form', Wrong):
            code, said = self.run_on(self.folder)
        self.assertEqual(code, 1, said)
        self.assertIn(f'{self.count} differ', said)


class Peer(unittest.TestCase):
    """Drivers that are functions: whether a program is in its first form."""

    def verdict(self, ours, other):
        class Stub:
            def __init__(self, answer):
                self.run = lambda seed, shaders: answer('.other.' not in
                                                        shaders)
        with tempfile.TemporaryDirectory() as folder:
            c = programs.Comparison.__new__(programs.Comparison)
            c.folder, c.glslang = folder, 'glslangValidator'
            c.around, c.ours, c.other = {'comp': ''}, {'skl': Stub(ours)}, \
                Stub(other)
            program = mock.Mock(stage='comp')
            c.compile(GLSL['image.comp'], c.path(program), check=True)
            return c.peer_contradicts_itself(program, 1, 'skl')

    def test_peer(self):
        self.assertTrue(self.verdict(lambda first: 'ok 1 2',
                                     lambda first: f'ok 1 {3 - (not first)}'))

    def test_ours(self):
        self.assertFalse(self.verdict(lambda first: 'ok 1 2',
                                      lambda first: 'ok 1 3'))
        self.assertFalse(self.verdict(lambda first: f'ok 1 {3 - first}',
                                      lambda first: 'ok 1 3'))
        self.assertFalse(self.verdict(lambda first: 'error 1',
                                      lambda first: 'ok 1 3'))


if __name__ == '__main__':
    unittest.main()
