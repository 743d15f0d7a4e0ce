# SPDX-License-Identifier: MIT
"""saffron-d3d from outside: test_d3d.py SAFFRON-D3D."""

import math
import pathlib
import struct
import subprocess
import sys
import unittest

TOOL = sys.argv.pop(1)
TEXT = 'vs_2_0\nmov r0, c1\nmov oPos, r0\n'
WORDS = [0xfffe0200, 0x02000001, 0x800f0000, 0xa0e40001,
         0x02000001, 0xc00f0000, 0x80e40000, 0xffff]


def run(*args, data=b''):
    if isinstance(data, str):
        data = data.encode()
    return subprocess.run([TOOL, *args], input=data, capture_output=True,
                          check=False)


def code(words):
    return struct.pack('<%dI' % len(words), *words)


class TestTool(unittest.TestCase):
    def test_asm(self):
        self.assertEqual(run('asm', data=TEXT).stdout, code(WORDS))

    def test_dis(self):
        r = run('dis', data=code(WORDS))
        self.assertEqual((r.returncode, r.stdout.decode()), (0, TEXT))

    def test_effect(self):
        # Two shaders among other words, and the begin of one that is cut off.
        effect = code([0xfeff0901, 12, 3, *WORDS, 7, 0x0000ffff, *WORDS,
                       0xffff0300, 0x05000001, 0])
        text = run('dis', data=effect).stdout.decode()
        self.assertEqual(text, '// shader at 0xc, 32 bytes\n' + TEXT +
                         '// shader at 0x34, 32 bytes\n' + TEXT)
        for n in range(0, len(effect), 3):
            self.assertIn(run('dis', data=effect[:n]).returncode, (0, 1))

    def test_info(self):
        # A constant table with one float4 at c1, as fxc lays it out.
        table = struct.pack('<7I', 28, 0, 0xfffe0200, 1, 28, 0, 72)
        table += struct.pack('<I4HII', 64, 2, 1, 1, 0, 48, 0)
        table += struct.pack('<6HI', 1, 3, 1, 4, 1, 0, 0)
        table += b'colour\0\0' + b'vs_2_0\0\0'
        words = [WORDS[0], 0xfffe | (1 + len(table) // 4) << 16, 0x42415443]
        words += struct.unpack('<%dI' % (len(table) // 4), table)
        r = run('info', data=code(words + WORDS[1:]))
        self.assertEqual(r.returncode, 0)
        self.assertIn('colour  c1  1  float4', r.stdout.decode())
        self.assertIn('for vs_2_0', r.stdout.decode())

    def test_long_names(self):
        # Thousands of constants, or elements of a signature, with one name
        # of as many bytes: the text would have hundreds of megabytes.
        n = 3000
        info = struct.pack('<5I', 28 + 20 * n, 0, 0, 0, 0) * n
        table = struct.pack('<7I', 28, 0, 0xfffe0200, n, 28, 0, 0) + info
        table += b'n' * 60000 + b'\0\0\0\0'
        words = [WORDS[0], 0xfffe | (1 + len(table) // 4) << 16, 0x42415443]
        words += struct.unpack('<%dI' % (len(table) // 4), table)
        r = run('info', data=code(words + WORDS[1:]))
        self.assertEqual(r.returncode, 0)
        self.assertLess(len(r.stdout), 1 << 20)
        n = 1000
        sign = struct.pack('<II', n, 8)
        sign += struct.pack('<6I', 8 + 24 * n, 0, 0, 3, 0, 0xf0f) * n
        sign += b'n' * 4000 + b'\0\0\0\0'
        data = b'DXBC' + bytes(16) + struct.pack(
            '<4I4sI', 1, 44 + len(sign), 1, 36, b'ISGN', len(sign)) + sign
        data = data[:4] + self.digest(data[20:]) + data[20:]
        r = run('info', data=data)
        self.assertEqual(r.returncode, 1)
        self.assertIn("a semantic's name is not in the signature",
                      r.stderr.decode())

    @staticmethod
    def digest(data):
        """That of a container: MD5 with another last block."""
        sine = [int(2 ** 32 * abs(math.sin(i + 1))) for i in range(64)]
        shift = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23],
                 [6, 10, 15, 21]]
        n, tail = len(data), data[len(data) // 64 * 64:]
        first, last = (struct.pack('<I', x) for x in (8 * n, 2 * n + 1))
        data = data[:n - len(tail)]
        if len(tail) >= 56:
            data += (tail + b'\x80').ljust(64, b'\0') + first + bytes(56)
        else:
            data += first + (tail + b'\x80').ljust(56, b'\0')
        data += last
        state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
        for at in range(0, len(data), 64):
            x = struct.unpack('<16I', data[at:at + 64])
            a, b, c, d = state
            for i in range(64):
                f, k = [(b & c | ~b & d, i), (b & d | c & ~d, 5 * i + 1),
                        (b ^ c ^ d, 3 * i + 5), (c ^ (b | ~d), 7 * i)][i // 16]
                f = (f + a + sine[i] + x[k % 16]) & 0xffffffff
                s = shift[i // 16][i % 4]
                a, d, c = d, c, b
                b = b + (f << s | f >> 32 - s) & 0xffffffff
            state = [u + v & 0xffffffff for u, v in zip(state, (a, b, c, d))]
        return struct.pack('<4I', *state)

    def test_bad_bytes(self):
        r = run('dis', data=code([0xfffe0200, 0x020000aa]))
        self.assertEqual(r.returncode, 1)
        self.assertIn('offset 0x4, token 0x020000aa: vs_2_0 has no opcode '
                      '0xaa', r.stderr.decode())

    def test_bad_text(self):
        r = run('asm', data='ps_2_0\nadd r0, r1\n')
        self.assertEqual(r.returncode, 1)
        self.assertIn("<stdin>:2:11: ',' is missing before an operand",
                      r.stderr.decode())

    def test_profile_rule(self):
        text = 'vs_2_0\nmov r12, c0\n'
        r = run('asm', data=text)
        self.assertEqual(r.returncode, 1)
        self.assertIn('<stdin>:2:1: vs_2_0 has 12 registers r',
                      r.stderr.decode())
        self.assertEqual(run('asm', '--force', data=text).returncode, 0)

    def test_container(self):
        # float4 main(float4 t : TEXCOORD0, float2 u : COLOR1) : SV_Target
        root = pathlib.Path(__file__).resolve().parents[3]
        text = (root / 'compiler/d3d/dxbc/tests/containers.txt').read_text()
        words = [int(w, 16) for w in text.splitlines()[2].split()]
        r = run('info', data=code(words))
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn('COLOR1  register 1  xy--', r.stdout.decode())
        self.assertIn('ps_4_0', r.stdout.decode())
        words[1] ^= 1
        r = run('info', data=code(words))
        self.assertEqual(r.returncode, 1)
        self.assertIn('offset 0x4', r.stderr.decode())
        self.assertIn('digest', r.stderr.decode())

    CONSTANTS = """
float4x4 wvp;
row_major float3x4 world;
float2x3 rot[2];
struct Light { float4 p; float r; } light;
int count;
float4 main(float4 p : TEXCOORD0) : SV_Target
{
   return mul(p, wvp) + count + light.r +
          float4(mul(world, p) + mul(p.xy, rot[1]), 1);
}
"""

    def test_constant_table(self):
        # Rows and columns are those of HLSL, names those of the source.
        code = run('emit', '-p', 'ps_3_0', '--format=hlsl', '--stage=frag',
                   data=self.CONSTANTS)
        self.assertEqual(code.returncode, 0, code.stderr)
        text = run('info', data=code.stdout).stdout.decode()
        for line in ('wvp  c0  4  float4x4', 'world  c4  3  float3x4 by rows',
                     'rot  c7  6  float2x3[2]', 'count  c15  1  int',
                     'light  c13  2  float4[2]'):
            self.assertIn('//   %s\n' % line, text)
        glsl = '#version 450\nlayout(std140, binding = 0) uniform U ' \
               '{ mat4x3 a; layout(row_major) mat2x4 b; };\n' \
               'layout(location = 0) in vec4 p;\n' \
               'layout(location = 0) out vec4 o;\n' \
               'void main() { o = vec4(a * p, 1) + b * p.xy; }\n'
        code = run('emit', '-p', 'ps_3_0', '--format=glsl', '--stage=frag',
                   data=glsl)
        self.assertEqual(code.returncode, 0, code.stderr)
        text = run('info', data=code.stdout).stdout.decode()
        self.assertIn('a  c0  4  float3x4\n', text)
        self.assertIn('b  c4  4  float4x2 by rows\n', text)

    COMPUTE = """
struct S { float4 a; float b[3]; int c; };
RWStructuredBuffer<S> buf;
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
   buf[id.x + 1].a.zx = float2(buf[id.x].b[id.y % 3], 1.5);
}
"""

    def test_sm5(self):
        args = ['emit', '--profile=cs_5_0', '--format=hlsl']
        r = run(*args, '--text', data=self.COMPUTE)
        self.assertEqual(r.returncode, 0, r.stderr)
        text = r.stdout.decode()
        self.assertIn('cs_5_0\n', text)
        self.assertIn('dcl_uav_structured u0, 32', text)
        self.assertIn('dcl_thread_group 8, 1, 1', text)
        # The mask has a hole: two stores, at 8 and at 0.
        self.assertRegex(text, r'store_structured u0.x, r\S+, l\(8\), ')
        self.assertRegex(text, r'store_structured u0.x, r\S+, l\(0\), ')
        code = run(*args, data=self.COMPUTE).stdout
        self.assertEqual(run('dis', data=code).stdout.decode(), text)
        # A container is an input, too, and gives the same resources.
        again = run('emit', '-p', 'cs_5_0', '--text', data=code)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(run('dis', data=code[:-4]).returncode, 1)

    RESOURCES = """
struct In { float3 d; float k; int2 j; };
cbuffer A : register(b0) { float4x4 m; row_major float3x4 rm; float a;
   float3 b; float c[3]; In s; In sa[2]; float3x3 q[2]; uint2 u; float4 z; };
cbuffer B : register(b1) { float4 v[2]; };
float4 main(float4 p : TEXCOORD) : SV_Target
{
   return mul(p, m) + a + b.xyzz + c[2] + s.d.xyzz + sa[1].j.x +
          q[1][2].xyzx + u.y + v[(int)p.x] + mul(rm, p).xyzz;
}
"""

    def test_resources(self):
        # As D3DReflect of Wine 8.0 reads them, too.
        code = run('emit', '-p', 'ps_5_0', '--format=hlsl', '--stage=frag',
                   data=self.RESOURCES)
        self.assertEqual((code.returncode, code.stderr), (0, b''))
        text = run('info', data=code.stdout).stdout.decode()
        self.assertIn("""   A  cb0  constant buffer
   B  cb1  constant buffer
   buffer A  400 bytes
      m  offset 0  size 64  float4x4
      rm  offset 64  size 48  float3x4 by rows
      a  offset 112  size 4  float
      b  offset 116  size 12  float3
      c  offset 128  size 36  float[3]
      s  offset 176  size 24  struct of 3
      sa  offset 208  size 56  struct of 3[2]
      q  offset 272  size 92  float3x3[2]
      u  offset 368  size 8  uint2
      z  offset 384  size 16  float4  unused
   buffer B  32 bytes
      v  offset 0  size 32  float4[2]
""", text)
        # Tight arrays are not to be said: the buffer is one array.
        glsl = '#version 450\n' \
               '#extension GL_EXT_scalar_block_layout : require\n' \
               'layout(scalar, binding = 0) uniform U { float a[8]; };\n' \
               'layout(location = 0) out vec4 o;\n' \
               'void main() { o = vec4(a[5]); }\n'
        code = run('emit', '-p', 'ps_5_0', '--format=glsl', '--stage=frag',
                   data=glsl)
        self.assertEqual((code.returncode, code.stderr), (0, b''))
        text = run('info', data=code.stdout).stdout.decode()
        self.assertRegex(text, r'offset 0  size 32  float4\[2\]\n')

    def test_system_inputs(self):
        text = """
struct I { nointerpolation uint p : SV_PrimitiveID;
           nointerpolation uint l : SV_RenderTargetArrayIndex;
           float4 c : COLOR; };
float4 main(I i) : SV_Target { return i.c * i.p + i.l; }
"""
        r = run('emit', '-p', 'ps_5_0', '--format=hlsl', '--stage=frag',
                '--text', data=text)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        self.assertIn('dcl_input_ps_sgv constant v28.x, primitive_id',
                      r.stdout.decode())
        self.assertIn('dcl_input_ps_siv constant v26.x, '
                      'rendertarget_array_index', r.stdout.decode())
        text = """
float4 main(float4 p : POSITION, uint i : SV_InstanceID,
            uint v : SV_VertexID) : SV_Position { return p * i + v; }
"""
        r = run('emit', '-p', 'vs_5_0', '--format=hlsl', '--stage=vert',
                '--text', data=text)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        self.assertIn('dcl_input_sgv v30.x, instance_id', r.stdout.decode())
        self.assertIn('dcl_input_sgv v31.x, vertex_id', r.stdout.decode())

    # emit

    HLSL = """
cbuffer b { int m; };
float4 main(float4 t : TEXCOORD0) : SV_Target
{
   float4 sum = t;
   for (int k = 0; k < m * m; ++k)
      sum += k;
   return sum;
}
"""

    def test_emit(self):
        args = ['emit', '--profile=ps_3_0', '--format=hlsl']
        r = run(*args, '--text', data=self.HLSL)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn('defi i0, 255, 0, 0, 0', r.stdout.decode())
        # As text and back it is the same bytecode.
        code = run(*args, data=self.HLSL).stdout
        self.assertEqual(run('asm', data=r.stdout).stdout, code)
        # Bytecode is an input, too.
        r = run('emit', '-p', 'ps_3_0', data=code)
        self.assertEqual((r.returncode, r.stderr), (0, b''))

    def test_spirv(self):
        """From a language, and from the bytecode that was made of it."""
        code = run('emit', '-p', 'ps_3_0', '--format=hlsl', data=self.HLSL)
        for args, data in ((('--format=hlsl', '--stage=frag'), self.HLSL),
                           ((), code.stdout)):
            r = run('spirv', *args, data=data)
            self.assertEqual((r.returncode, r.stderr), (0, b''))
            self.assertEqual(r.stdout[:8], b'\x03\x02\x23\x07\0\x03\x01\0')
            self.assertEqual(len(r.stdout) % 4, 0)
        nir = (b'shader: MESA_SHADER_FRAGMENT\n'
               b'decl_function main (0 params) /* entrypoint */\n'
               b'impl main {\nblock block_0:\n'
               b'vec1 32 ssa_0 = load_const (0x0)\n'
               b'vec4 32 ssa_1 = intrinsic load_ubo (ssa_0, ssa_0) '
               b'(access=0, align_mul=4, align_offset=0, range_base=0, '
               b'range=16)\nvec1 32 ssa_2 = intrinsic load_ssbo (ssa_1, '
               b'ssa_0) (access=0, align_mul=4, align_offset=0)\n'
               b'intrinsic store_ssbo (ssa_2, ssa_0, ssa_0) (wrmask=x /*1*/, '
               b'access=0, align_mul=4, align_offset=0)\n'
               b'block block_1:\n}\n')
        r = run('spirv', '--format=nir', data=nir)
        self.assertEqual((r.returncode, r.stdout), (1, b''))
        self.assertIn(b'load_ubo is not written as SPIR-V', r.stderr)

    def info(self, source, *args):
        """The words of each row of the constant table."""
        code = run('emit', *args, '--format=hlsl', data=source)
        self.assertEqual((code.returncode, code.stderr), (0, b''))
        # Before everything else, as a comment.
        self.assertEqual(code.stdout[4:6], b'\xfe\xff')
        self.assertEqual(code.stdout[8:12], b'CTAB')
        r = run('info', data=code.stdout)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        lines = r.stdout.decode().splitlines()
        at = [n for n, line in enumerate(lines) if 'Constant table' in line]
        self.assertEqual(len(at), 1)
        return [line.split() for line in lines[at[0] + 1:]]

    def test_emit_constant_table(self):
        rows = self.info(self.HLSL, '--profile=ps_3_0')
        self.assertEqual([r[2:] for r in rows], [['c0', '1', 'int']])
        text = """
struct S { float4 p; float q; };
cbuffer b { float4x4 m; float2 a[3]; float4 v; S s; float4 unused; };
float4 main(float4 t : TEXCOORD0, float u : TEXCOORD1) : SV_Position
{
   return mul(m, t) + v * a[2].xyxy + s.q;
}
"""
        rows = self.info(text, '--profile=vs_2_0')
        self.assertEqual([r[2:] for r in rows],
                         [['c0', '4', 'float4x4'], ['c4', '3', 'float2[3]'],
                          ['c7', '1', 'float4'], ['c8', '2', 'float4[2]']])
        # Two members in a register: the table has no words for that.
        text = """
cbuffer both { float a; float b; float4 c; };
Texture2D t : register(t0);
SamplerState s : register(s0);
float4 main(float2 u : TEXCOORD0) : SV_Target
{
   return t.Sample(s, u) * a + b * c;
}
"""
        rows = self.info(text, '--profile=ps_2_0')
        self.assertEqual([r[2:] for r in rows],
                         [['c0', '2', 'float4[2]'],
                          ['s0', '1', 'sampler2D']])

    def test_emit_refuses(self):
        r = run('emit', '--profile=ps_2_0', '--format=hlsl', data=self.HLSL)
        self.assertEqual(r.returncode, 1)
        self.assertIn('ps_2_0 has no loop that ends by a value',
                      r.stderr.decode())
        r = run('emit', '--profile=ps_1_4', '--format=hlsl', data=self.HLSL)
        self.assertIn('ps_1_4 is not written', r.stderr.decode())
        r = run('emit', '--profile=hs_5_0', '--format=hlsl', data=self.HLSL)
        self.assertEqual((r.returncode, r.stderr.decode()), (
            2, 'saffron d3d: hs_5_0 is no profile that is written\n'))
        r = run('emit', '--profile=vs_5_0', '--format=hlsl', '--stage=frag',
                data=self.HLSL)
        self.assertEqual((r.returncode, r.stderr.decode()), (
            2, '<stdin>: a fragment shader, and a profile of vertex '
            'shaders\n'))
        r = run('emit', '--profile=ps_5_0', '--format=hlsl',
                data=self.HLSL.replace('sum = t', 'sum = nothing'))
        self.assertEqual(r.returncode, 1)
        self.assertRegex(r.stderr.decode(), r'^ERROR: <stdin>:5: ')
        self.assertNotIn('/tmp', r.stderr.decode())
        self.assertEqual(run('emit', data=self.HLSL).returncode, 2)
        text = """
float4 a;
Texture2D t;
SamplerState s;
float4 main(float4 u : TEXCOORD0) : SV_Target
{
   float4 r = u;
   if (u.x > a.x)
      r = t.Sample(s, u.yz * a.xy);
   return r;
}
"""
        r = run('emit', '--profile=ps_3_0', '--format=hlsl', data=text)
        self.assertEqual(r.returncode, 1)
        self.assertIn('a texture lookup inside of an if', r.stderr.decode())
        text = text.replace('t.Sample(s, u.yz * a.xy)',
                            't.SampleLevel(s, u.yz * a.xy, 0)')
        r = run('emit', '--profile=ps_3_0', '--format=hlsl', data=text)
        self.assertEqual((r.returncode, r.stderr), (0, b''))

    def emit_text(self, profile, source, *args):
        r = run('emit', '-t', '-p', profile, '--format=hlsl', *args,
                data=source)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        return r.stdout.decode()

    def test_semantics(self):
        source = '''
struct I { float3 p : POSITION; float3 n : NORMAL; float4 c : COLOR0;
           float2 t[2] : TEXCOORD3; };
struct V { float4 p : POSITION; float3 n : NORMAL; float4 c : COLOR0;
           float2 t[2] : TEXCOORD5; };
V main(I i)
{
   V o;
   o.p = float4(i.p, 1); o.n = i.n; o.c = i.c; o.t = i.t;
   return o;
}
'''
        text = self.emit_text('vs_3_0', source)
        for line in ('position v0', 'normal v1', 'color v2', 'texcoord3 v3',
                     'texcoord4 v4', 'position o0'):
            self.assertIn('dcl_%s\n' % line, text)
        for name in ('normal', 'color', 'texcoord5', 'texcoord6'):
            self.assertRegex(text, r'dcl_%s o\d\n' % name)
        text = self.emit_text('vs_5_0',
                              source.replace('float4 p : POSITION',
                                             'float4 p : SV_Position'))
        halves = text.split('Output signature')
        for name, index, half in (
                ('POSITION', 0, 0), ('NORMAL', 0, 0), ('COLOR', 0, 0),
                ('TEXCOORD', 3, 0), ('TEXCOORD', 4, 0), ('NORMAL', 0, 1),
                ('COLOR', 0, 1), ('TEXCOORD', 5, 1), ('TEXCOORD', 6, 1),
                ('SV_Position', 0, 1)):
            self.assertRegex(halves[half],
                             r'// %s +%d ' % (name, index))

    def test_combined_samplers(self):
        calls = {'ps_2_0': ('tex2D(s, u)', 'tex2Dbias(s, u.xyxy)',
                            'tex2Dproj(s, u.xyxy)', 'texCUBE(c, u.xyx)',
                            'tex3D(v, u.xyx)')}
        calls['ps_3_0'] = calls['ps_2_0'] + (
            'tex2Dlod(s, u.xyxy)', 'tex2Dgrad(s, u, u.yx * 2, u * u)')
        calls['ps_5_0'] = calls['ps_3_0']
        for profile, texts in calls.items():
            for call in texts:
                text = self.emit_text(profile, '''
sampler2D s; samplerCUBE c; sampler3D v;
float4 main(float2 u : TEXCOORD0) : COLOR { return %s; }
''' % call)
                self.assertRegex(text, r'\n(texld|sample)')

    HEAD = '#version 450\n' \
           '#extension GL_EXT_scalar_block_layout : enable\n' \
           'layout(location = 0) out vec4 o;\n' \
           'layout(location = 0) in vec4 p;\n'
    # GLSL that SM3 has no words for, and what is said of it.
    NOT_SM3 = [
        ('frag', 'layout(binding = 0) uniform sampler2D s;\n'
         'void main() { o = textureOffset(s, p.xy, ivec2(1, 0)); }',
         'a texture lookup with an offset'),
        ('frag', 'layout(set = 0, binding = 0) uniform sampler2D s;\n'
         'layout(set = 1, binding = 0) uniform sampler2D t;\n'
         'void main() { o = texture(s, p.xy) + texture(t, p.xy); }',
         'sampler 0 stands for two'),
        ('frag', 'layout(binding = 0) uniform texture2D t;\n'
         'layout(binding = 1) uniform sampler s;\n'
         'layout(binding = 2) uniform sampler u;\n'
         'void main() { o = texture(sampler2D(t, s), p.xy) +\n'
         'texture(sampler2D(t, u), p.xy); }',
         'sampler 0 stands for two'),
        ('frag', 'layout(location = 1) flat in vec4 q;\n'
         'void main() { o = p + q; }', 'no input that is flat'),
        ('frag', 'layout(location = 1) noperspective in vec4 q;\n'
         'void main() { o = p + q; }', 'without perspective'),
        ('frag', 'layout(location = 1) out vec2 r;\n'
         'layout(location = 1, component = 2) out vec2 q;\n'
         'void main() { o = p; r = p.xy; q = p.zw; }',
         'two outputs for colour 1'),
        ('frag', 'layout(location = 0, index = 1) out vec4 q;\n'
         'void main() { o = p; q = p.wzyx; }', 'two outputs for colour 0'),
        ('vert', 'void main() { gl_Position = p;\n'
         'o = vec4(float(min(uint(p.x), 0xfffffff0u))); }',
         'integer 4294967280 is beyond 2^24'),
        ('vert', 'layout(binding = 0) uniform U { vec4 c[4]; } u[2];\n'
         'void main() { o = u[1].c[int(p.x)]; gl_Position = p; }',
         'a uniform buffer of an array'),
    ]

    def test_emit_refuses_glsl(self):
        for stage, body, text in self.NOT_SM3:
            r = run('emit', '-p', 'vs_3_0' if stage == 'vert' else 'ps_3_0',
                    '--format=glsl', '--stage=' + stage,
                    data=self.HEAD + body)
            self.assertEqual(r.returncode, 1, body)
            self.assertIn(text, r.stderr.decode())

    def test_emit_loop_that_may_end_first(self):
        # The first iteration is the last one, if there is one: that depends
        # on uniforms, which have to be read.
        body = 'layout(binding = 0) uniform U { float a, b; };\n' \
               'void main() { bool done = a > b; int i = 0;\n' \
               'for (;;) { if (done) break; if (p.x < 0.0) demote;\n' \
               'done = true; i++; if (i >= 100) break; } o = p; }'
        r = run('emit', '-t', '-p', 'ps_3_0', '--format=glsl',
                '--stage=frag', data=self.HEAD.replace(
                    'GL_EXT_scalar_block_layout',
                    'GL_EXT_demote_to_helper_invocation') + body)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertRegex(r.stdout.decode(), r'c0\.y, c0\.x')

    def test_emit_sm5_pixels(self):
        def text(body):
            r = run('emit', '-t', '-p', 'ps_5_0', '--format=glsl',
                    '--stage=frag', data=self.HEAD + body)
            self.assertEqual(r.returncode, 0, r.stderr)
            return r.stdout.decode()
        # Four offsets are four lookups.
        code = text('layout(binding = 0) uniform sampler2D s;\n'
                    'const ivec2 q[4] = ivec2[4](ivec2(0), ivec2(1, 0),\n'
                    'ivec2(-8, 7), ivec2(3));\n'
                    'void main() { o = textureGatherOffsets(s, p.xy, q); }')
        self.assertEqual(code.count('gather4'), 4)
        self.assertIn('gather4_aoffimmi(-8,7,0) ', code)
        # What is blended by two colours has two targets.
        code = text('layout(location = 0, index = 1) out vec4 q;\n'
                    'void main() { o = p; q = p.wzyx; }')
        self.assertIn('mov o0.xyzw, v0.xyzw\n', code)
        self.assertIn('mov o1.xyzw, v0.wzyx\n', code)
        self.assertRegex(code, r'SV_Target +1 +xyzw +1 ')

    def test_emit_straddling(self):
        # q lies in two registers, and the next buffer begins after them.
        body = 'layout(binding = 0, scalar) uniform A { vec2 a; vec3 q; };\n' \
               'layout(binding = 1) uniform B { vec4 r; };\n' \
               'void main() { o = vec4(q, r.y); }'
        r = run('emit', '-t', '-p', 'ps_3_0', '--format=glsl',
                '--stage=frag', data=self.HEAD + body)
        self.assertEqual(r.returncode, 0, r.stderr)
        for line in ('r0.xy, c0.zwww', 'r0.z, c1.x', 'r0.w, c2.y'):
            self.assertIn('mov %s\n' % line, r.stdout.decode())

    def test_wrong_use(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run('foo').returncode, 2)
        self.assertEqual(run('dis', '/nonexistent').returncode, 2)
        self.assertEqual(run('--help').returncode, 0)


if __name__ == '__main__':
    unittest.main()
