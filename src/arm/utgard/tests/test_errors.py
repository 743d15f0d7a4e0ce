# SPDX-License-Identifier: MIT
"""Shaders that the compiler must refuse, each with one sentence that names the
construct: test_errors.py COMPILE
"""

import subprocess
import sys
import unittest

COMPILE = sys.argv[1]

HEAD = '#version 450\nlayout(location=0) in vec4 p;\n'


def shader(body, declarations=''):
    return f'{HEAD}{declarations}\nvoid main() {{ {body} }}\n'


# So many literals that those of the loop have the numbers that the values
# between its blocks have in temporaries.
LITERALS = shader(
    'vec4 s = p; ' +
    ' '.join('s = s * %.4f + vec4(%d.5, %d.25, %d.75, %d.125);' %
             (1.0001 + i * 0.004, i, i, i, i) for i in range(402)) +
    ' '.join('vec4 c%d = s * u.v[%d] + %d.0625;' % (i, i % 8, i)
             for i in range(30)) +
    'vec4 w = vec4(0.0); for (int k = 0; w.x < p.x && k < 100; k++) {' +
    ' '.join('w *= c%d; c%d += w * %d.3;' % (i, i, 1000 + i)
             for i in range(30)) + '}' +
    ' '.join('w += c%d;' % i for i in range(30)) + 'gl_Position = w;',
    'layout(binding=0) uniform U { vec4 v[8]; } u;')

# (what, GLSL, words of the one line)
REFUSED = [
    ('texture', shader('gl_Position = textureLod(s, p.xy, 0.0);',
                       'layout(binding=0) uniform sampler2D s;'),
     ['texture lookup in the vertex stage', 'txl']),
    ('image', shader('gl_Position = imageLoad(s, ivec2(0));',
                     'layout(binding=0, rgba8) uniform image2D s;'),
     ['image', 'not supported']),
    ('storage buffer', shader('x[0] = p.x; gl_Position = p;',
                              'layout(binding=0) buffer B { float x[]; };'),
     ['not supported', 'block 0']),
    ('atomics', shader('atomicAdd(x[0], 1); gl_Position = p;',
                       'layout(binding=0) buffer B { int x[]; };'),
     ['atomic', 'not supported']),
    ('doubles', shader('gl_Position = vec4(float(double(p.x) * 2.0lf));'),
     ['no doubles', 'block 0']),
    ('double attribute', shader('gl_Position = vec4(d);',
                                'layout(location=1) in dvec4 d;'),
     ['64 bits', 'no doubles']),
    ('bits of integers',
     shader('gl_Position = vec4(float((int(p.x) << 3) ^ 5));'),
     ['ixor', 'no operations on bits of integers']),
    ('bits of floats',
     shader('gl_Position = uintBitsToFloat(floatBitsToUint(p) + 1u);'),
     ['the bits of a float', 'block 0']),
    ('large integers',
     shader('gl_Position = vec4(float(int(p.x) + 16777217));'),
     ['16777217', '2^24']),
    ('large unsigned integers',
     shader('gl_Position = vec4(float(min(uint(p.x), 0xfffffff0u)));'),
     ['4294967280', '2^24', 'umin']),
    ('clip distances',
     shader('gl_Position = p; gl_ClipDistance[1] = p.x;',
            'out float gl_ClipDistance[2];'),
     ['output', 'the machine does not have']),
    ('vertex number', shader('gl_Position = vec4(gl_VertexIndex);'),
     ['not supported by the machine']),
    ('attributes',
     shader('vec4 s = p; for (int i = 0; i < 16; i++) s += a[i];'
            ' gl_Position = s;', 'layout(location=1) in vec4 a[16];'),
     ['17 attributes of at most 16', '"a"']),
    ('varyings',
     shader('for (int i = 0; i < 14; i++) c[i] = p * float(i);'
            ' gl_Position = p;', 'layout(location=0) out vec4 c[14];'),
     ['15 varyings of at most 13', '"c"']),
    ('uniforms', shader('gl_Position = v[int(p.x)] + p;',
                        'layout(binding=0) uniform U { vec4 v[400]; };'),
     ['402 vec4 of uniforms', '304', 'beyond which lies U']),
    ('literals', LITERALS, ['vec4 of uniforms, literals', '304']),
    ('double uniform',
     shader('gl_Position = vec4(float(u.d));',
            'layout(binding=0) uniform U { double d; } u;'),
     ['uniform of 64 bits', 'no doubles', '"u"', 'block 0', 'load_deref']),
    ('doubles in an array',
     shader('if (p.x > 0.0) gl_Position = vec4(u.d[int(p.y)], 0, 0);',
            'layout(binding=0) uniform U { dvec2 d[4]; } u;'),
     ['uniform of 64 bits', 'no doubles', '"u"', 'block 1']),
    ('scalars with an index',
     shader('gl_Position = vec4(u.d[int(p.x)]);',
            'layout(push_constant, std430) uniform U { float d[4]; } u;'),
     ['stride of 4 bytes', '"u"', 'block 0']),
    ('array of blocks',
     shader('gl_Position = vec4(u[1].f);',
            'layout(binding=0) uniform U { float f; } u[3];'),
     ['array of uniform blocks "u"']),
    ('long integers',
     shader('gl_Position = vec4(float(int64_t(p.x) * 3l));')
     .replace('450\n', '450\n#extension GL_ARB_gpu_shader_int64: require\n'),
     ['f2i64 of other than 32 bits', 'block 0']),
    ('large array', shader('float a[100][100]; a[int(p.x)][int(p.y)] = p.z;'
                           ' gl_Position = vec4(a[int(p.z)][int(p.w)]);'),
     ['10000 elements with a variable index']),
    ('length', shader('vec4 s = p;' + 's = exp2(s) + log2(s);' * 80 +
                      'gl_Position = s;'),
     ['instructions: the machine has 512']),
]


def run(source, *options):
    return subprocess.run([COMPILE, '--gen=mali400', '--stats', *options, '-'],
                          input=source, capture_output=True, text=True)


class TestErrors(unittest.TestCase):
    def test_refused(self):
        for what, source, words in REFUSED:
            with self.subTest(what):
                done = run(source)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(done.stdout, '')
                self.assertEqual(done.stderr.count('\n'), 1, done.stderr)
                self.assertTrue(done.stderr.startswith('saffron compile: '))
                for word in words:
                    self.assertIn(word, done.stderr)

    def test_nearly_refused(self):
        """The same limits, kept."""
        for source in (
                shader('vec4 s = p; for (int i = 0; i < 15; i++) s += a[i];'
                       ' gl_Position = s;',
                       'layout(location=1) in vec4 a[15];'),
                shader('for (int i = 0; i < 12; i++) c[i] = p * float(i);'
                       ' gl_Position = p;',
                       'layout(location=0) out vec4 c[12];'),
                shader('gl_Position = vec4(float(int(p.x) + 16777215));'),
                # Too long with its loops unrolled.
                shader('vec4 s = p; for (int i = 0; i < 12; i++) {'
                       ' for (int j = 0; j < 20; j++)'
                       ' s = exp2(s) + log2(s * float(j));'
                       ' c[i] = s; } gl_Position = p;',
                       'layout(location=0) out vec4 c[12];'),
                # With too many literals.
                shader('vec4 s = p; for (int i = 0; i < 12; i++)'
                       ' s = s * u.v[i] + float(i * i) * 0.37;'
                       ' gl_Position = s + u.v[298];',
                       'layout(binding=0) uniform U { vec4 v[299]; } u;')):
            done = run(source)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr, '')

    def test_syntax(self):
        done = run('#version 450\nvoid main() { gl_Position = vec4(1) }\n')
        self.assertEqual(done.returncode, 1)
        self.assertIn(':2:', done.stderr)

    def test_other_stages(self):
        for args in (['--stage=frag', '-'], ['/nowhere/x.frag']):
            done = subprocess.run([COMPILE, '--gen=mali400', *args],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn('stage frag', done.stderr)
            self.assertIn('vert', done.stderr)
            self.assertEqual(done.stderr.count('\n'), 1)

    def test_garbage(self):
        for source in ('', 'shader: MESA_SHADER_VERTEX\nfrob\n', '\x03\x02#\x07'):
            done = run(source)
            self.assertEqual(done.returncode, 1, source)
            self.assertNotEqual(done.stderr, '')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
