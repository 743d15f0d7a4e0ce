# SPDX-License-Identifier: MIT
"""saffron-compile on good and bad input: output, messages, exit codes."""

import json
import struct
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]

GOOD = """shader: MESA_SHADER_FRAGMENT
inputs: 0
outputs: 0
uniforms: 0
decl_var shader_out INTERP_MODE_NONE vec4 o (FRAG_RESULT_DATA0, 4, 0)
decl_function main (0 params)

impl main {
\tblock block_0:
\t/* preds: */
\tvec1 32 ssa_0 = load_const (0x3f800000 /* 1.000000 */)
\tvec1 32 ssa_1 = load_const (0x00000000 /* 0.000000 */)
\tvec4 32 ssa_2 = vec4 ssa_0, ssa_0, ssa_0, ssa_0
\tintrinsic store_output (ssa_2, ssa_1) (4, 15, 0, 160, 132) \
/* base=4 */ /* wrmask=xyzw */ /* component=0 */ /* src-type=float32 */ \
/* location=4 slots=1 */
\t/* succs: block_1 */
\tblock block_1:
}
"""

SPVASM = """
OpCapability Shader
OpCapability Float64
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %pos
OpDecorate %pos BuiltIn Position
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%v4 = OpTypeVector %float 4
%ptr = OpTypePointer Output %v4
%pos = OpVariable %ptr Output
%half = OpConstant %double 0.5
%main = OpFunction %void None %fn
%entry = OpLabel
%a = OpFAdd %double %half %half
%f = OpFConvert %float %a
%v = OpCompositeConstruct %v4 %f %f %f %f
OpStore %pos %v
OpReturn
OpFunctionEnd
"""

failures = 0


def check(what, condition, result):
    global failures
    if condition:
        return
    failures += 1
    print(f'{what}: exit code {result.returncode}')
    print(result.stdout[-2000:])
    print(result.stderr[-2000:])


INTERLOCK = """#version 450
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
layout(std430, binding = 0) coherent buffer Pixels { uint pixels[]; };
layout(location = 0) out vec4 color;
void main()
{
   const uint at = uint(gl_FragCoord.y) * 16 + uint(gl_FragCoord.x);
   beginInvocationInterlockARB();
   pixels[at] = pixels[at] * 3 + 1;
   endInvocationInterlockARB();
   color = vec4(1);
}
"""

SHADOW_GRADIENT = '''#version 450
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 o;
layout(binding = 0) uniform sampler2DShadow t;
layout(binding = 1) uniform samplerCubeShadow c;
void main() {
   o = vec4(textureGrad(t, v.xyz, v.xy, v.zw),
            textureGrad(c, v, v.xyz, v.yzw), 0, 1);
}
'''


def run(*args, text=None):
    return subprocess.run([TOOL, *args], input=text, text=True,
                          capture_output=True, timeout=60)


def run_file(suffix, content, *args):
    with tempfile.NamedTemporaryFile('w', suffix=suffix) as f:
        f.write(content)
        f.flush()
        return run(*args, f.name)


r = run('--help')
check('help', r.returncode == 0 and r.stdout.startswith('usage:'), r)

r = run('--no-such-option')
check('bad option', r.returncode == 2 and 'usage:' in r.stderr, r)

r = run('--gen=none', text='')
check('bad device', r.returncode == 2 and 'unknown device' in r.stderr and
      'skl' in r.stderr and 'kbl' in r.stderr, r)

r = run('/no/such/file')
check('missing file', r.returncode == 2 and 'No such file' in r.stderr, r)

for option in ('--patch=3x', '--patch=', '--patch=33', '--patch=-1',
               '--targets=', '--targets=1x', '--targets=9', '--targets=-1'):
    r = run_file('.nir', GOOD, option)
    check(option, r.returncode == 2 and
          option.partition('=')[0] + ' is ' in r.stderr, r)

for gen in ('ivb', 'hsw', 'bdw', 'skl'):
    r = run_file('.nir', GOOD, '--gen=' + gen, '--stats')
    check('device ' + gen, r.returncode == 0 and 'SIMD16' in r.stdout, r)

# Ivybridge's sampler has no comparison with gradients.
for gen, op in (('ivb', 'txl'), ('hsw', 'txd')):
    r = run_file('.frag', SHADOW_GRADIENT, '--gen=' + gen)
    check('gradients ' + gen, r.returncode == 0 and
          '(float32)' + op in r.stdout, r)

# Older threads of the pixel have ended before anything of it is read, and what
# is written is there before the thread ends.
r = run_file('.frag', INTERLOCK, '--gen=skl')
sends = [line.split('//')[1].split() for line in r.stdout.splitlines()
         if ' send' in line and '//' in line]
waits = [' sendc ' in line for line in r.stdout.splitlines()
         if ' send' in line and '//' in line]
check('interlock', r.returncode == 0 and
      [words[1:3] for words in sends[:5]] == [
          ['memory', 'fence'], ['untyped', 'surface'],
          ['untyped', 'surface'], ['memory', 'fence'], ['RT', 'write']] and
      waits[:5] == [True, False, False, False, True], r)

r = run_file('.nir', GOOD)
check('listing', r.returncode == 0 and
      'NIR (final form)' in r.stdout and 'SIMD16' in r.stdout and
      'sendc' in r.stdout and '{EOT}' in r.stdout, r)

# Where halt is all that ends pixels.
r = run_file('.nir', GOOD.replace('\tblock block_0:\n\t/* preds: */\n', '''\
\tblock block_0:
\tvec1 1 ssa_3 = intrinsic load_front_face () ()
\tif ssa_3 {
\t\tblock block_2:
\t\thalt
\t} else {
\t\tblock block_3:
\t}
\tblock block_4:
'''))
check('halt', r.returncode == 0 and '(f0.1) sendc' in r.stdout, r)

r = run_file('.nir', GOOD, '--stats=json')
check('json exit', r.returncode == 0, r)
if r.returncode == 0:
    stats = json.loads(r.stdout)
    widths = [v['dispatch_width'] for v in stats['variants']]
    check('json widths', widths == [8, 16], r)
    check('json sends', all(v['sends'] == 1 and v['spills'] == 0
                            for v in stats['variants']), r)

r = run_file('.nir', GOOD.replace('vec4 ssa_0, ssa_0', 'vec4 ssa_0, ssa_7'))
check('bad nir', r.returncode == 1 and ':13:' in r.stderr, r)

# A dereference is no number.
r = run_file('.nir', GOOD.replace(
    'vec1 32 ssa_0 = load_const (0x3f800000 /* 1.000000 */)',
    'vec1 32 ssa_5 = deref_var &o (shader_out vec4)\n'
    '\tvec1 32 ssa_0 = iadd ssa_5, ssa_5'))
check('dereference as a number', r.returncode == 1 and
      'a dereference is read as a number' in r.stderr, r)

r = run_file('.spv', 'this is no module', '--format=spirv')
check('bad spirv', r.returncode == 1 and r.stderr != '', r)

r = run_file('.spv', 'this is no module!', '--format=spirv')
check('half a word of spirv', r.returncode == 1 and
      '18 bytes are no whole number of words' in r.stderr, r)

r = run_file('.spvasm', SPVASM)
check('spvasm', r.returncode == 0 and 'vertex shader' in r.stdout, r)

r = run_file('.frag', '#version 450\nvoid main() { nonsense; }\n')
check('bad glsl', r.returncode == 1 and r.stderr != '', r)

r = run_file('.frag', """#version 450
layout(push_constant) uniform P { vec4 a[16384]; };
layout(location = 0) in vec4 i;
layout(location = 0) out vec4 o;
void main() { o = a[0] + a[16383] + i; }
""")
check('push constants that do not fit', r.returncode == 1 and
      'inputs fill' in r.stderr, r)

for size in 8, 16:
    r = run_file('.comp', f"""#version 450
layout(local_size_x = {size}) in;
layout(binding = 0) buffer B {{ uint n[]; }};
void main() {{ n[gl_LocalInvocationIndex] = 1; }}
""")
    check(f'a group of {size}', r.returncode == 0 and (size == 8) ==
          ('no SIMD16: a group is one thread' in r.stdout + r.stderr), r)

# Why a shader became what it is: the shader, the options, the reason.
REASONS = (
    ('.comp', ['layout(local_size_x = 64) in;',
               'layout(binding = 0) buffer B { uint n[]; };',
               'n[gl_LocalInvocationIndex] = 1;'], [],
     'width', 'no SIMD8: twice the invocations fit into the registers'),
    ('.comp', ['layout(local_size_x = 64) in;',
               'layout(binding = 0) buffer B { uint n[]; };',
               'layout(binding = 1) uniform U { uint k; };',
               'n[gl_LocalInvocationIndex] = k;'], [],
     'pull', 'block 1: compute threads get no blocks in registers'),
    ('.vert', ['gl_Position = vec4(1);'], [],
     'width', 'no SIMD16: a thread of this stage has no more invocations'),
    ('.vert', ['gl_Position = vec4(1);'], ['--gen=hsw'],
     'width', 'SIMD4x2: the chip starts no threads of eight vertices'),
    ('.frag', ['layout(location = 0) flat in int i;',
               'layout(location = 0) out vec4 o;',
               'layout(binding = 0) uniform U { vec4 k[99]; };',
               'o = k[i];'], [],
     'pull', 'block 1: an offset is known only at run time'),
    ('.frag', ['layout(location = 0) out vec4 o;',
               'layout(binding = 0) uniform U { vec4 k[999]; };',
               'o = k[998];'], [],
     'pull', 'block 1: what is read from byte 15968 on is not among its '
     'first 2048'),
    ('.frag', ['layout(location = 0) out vec4 o;',
               'layout(binding = 0) uniform U { vec4 k[99]; };',
               'o = k[3] + k[13] + k[23] + k[33] + k[43] + k[53];'], [],
     'pull', 'block 1: what is read from byte 688 on has no room in 4 ranges '
     'of 32 registers'),
    ('.frag', ['layout(location = 0) out vec4 o;',
               'layout(binding = 0) uniform U { vec4 k[99]; };',
               'o = k[3];'], ['--debug=nopush'],
     'pull', 'block 1: INTEL_DEBUG=nopush'),
    ('.comp', ['layout(local_size_x = 8) in;',
               'layout(binding = 0) buffer B { float n[]; };',
               'uint i = gl_WorkGroupID.x * 8; float a = n[i];',
               'memoryBarrierBuffer(); n[i + 9] = a + n[i + 1];'], [],
     'merge', 'memory is written, or waited for, between them'),
    ('.frag', ['layout(location = 0) out vec4 o;',
               'layout(binding = 0) uniform sampler2D t[1];',
               'vec4 a[60]; for (int i = 0; i < 60; i++)',
               'a[i] = texelFetch(t[0], ivec2(gl_FragCoord.xy) + i, 0);',
               'o = vec4(0); for (int i = 59; i >= 0; i--)',
               'o = o * a[i] + a[59 - i];'], [],
     'spill', 'SIMD8: '),
)
for suffix, lines, options, kind, reason in REASONS:
    head = [line for line in lines if line.startswith('layout')]
    body = [line for line in lines if not line.startswith('layout')]
    source = '\n'.join(['#version 450', *head, 'void main() {', *body, '}', ''])
    r = run_file(suffix, source, '--stats', *options)
    check(reason, r.returncode == 0 and f'\n{kind}: {reason}' in r.stdout, r)
    r = run_file(suffix, source, '--stats=json', *options)
    check(reason + ' in JSON', r.returncode == 0 and any(
        row['kind'] == kind and row['text'].startswith(reason)
        for row in json.loads(r.stdout)['reasons']), r)
    r = run_file(suffix, source, *options)
    check(reason + ' in the listing', f'\n  {kind}: {reason}' in
          r.stdout.partition('\nReasons for ')[2], r)

# What is values with eight channels a thread is memory with 32.
for size, unit in (8, 'SIMD8'), (1024, 'SIMD32'):
    r = run_file('.comp', """#version 450
layout(local_size_x = %d) in;
shared int s[64];
void main() {
   int a[64] = s;
   a[gl_LocalInvocationIndex %% 64] += 1;
   if (a[gl_LocalInvocationIndex %% 64] == 0) s[0] = 1;
}
""" % size, '--stats')
    check(f'array in {unit}', r.stdout.startswith(unit) and
          ' 0 spills' in r.stdout, r)

# An array of buffers has a surface for each of its elements.
r = run_file('.comp', """#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint x[]; } b[4];
layout(binding = 1) buffer C { uint x[]; } c;
void main() { c.x[0] = b[1].x[0] + b[3].x[0]; }
""")
check('array of buffers', r.returncode == 0 and
      [line.split('Surface = ')[1].split()[0]
       for line in r.stdout.splitlines() if 'Surface = ' in line] ==
      ['2', '4', '5'], r)

# Nothing comes back that nobody wants; one more or less takes no operand.
for add, message in ('atomicAdd(n[0], 1u)', 'atomic inc SIMD8 Surface'), \
        ('atomicAdd(n[0], 0xffffffffu)', 'atomic dec SIMD8 Surface'), \
        ('atomicAdd(n[0], 2u)', 'atomic add SIMD8 Surface'), \
        ('n[1] = atomicAdd(n[0], 1u)', 'atomic inc SIMD8 returns'):
    r = run_file('.comp', """#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint n[]; };
void main() { %s; }
""" % add)
    check(add, r.returncode == 0 and message in r.stdout, r)
r = run_file('.vert', """#version 450
layout(binding = 0) buffer B { uint n[]; };
void main() { gl_Position = vec4(atomicAdd(n[0], 1u)); atomicAdd(n[1], 1u); }
""", '--gen=ivb')
check('atomics in SIMD4x2', r.returncode == 0 and
      r.stdout.count('atomic inc SIMD8') == 2, r)

# Up to 122 registers of inputs: what ends the thread is written where some of
# them were.
for count, constants in (29, ''), (26, '+ p[gl_DrawIDARB] * p[15]'):
    inputs = range(count)
    r = run_file('.vert', """#version 450
#extension GL_ARB_shader_draw_parameters : require
layout(push_constant) uniform P { vec4 p[16]; };
layout(location = 0) out vec4 o;
""" + ''.join(f'layout(location = {i}) in vec4 a{i};\n' for i in inputs) + f"""
void main() {{
   gl_Position = a0 + vec4(gl_VertexIndex, gl_InstanceIndex, 0, 0) {constants};
   o = {' + '.join(f'sin(a{i}) * a{count - 1 - i}' for i in inputs)};
}}
""")
    check(f'{count} inputs', r.returncode == 0, r)

r = run('--stats', text='void main() {}\n')
check('glsl without stage', r.returncode == 2 and '--stage' in r.stderr, r)

r = run_file('.frag.hlsl', """cbuffer b { int m; };
float4 main(float4 t : TEXCOORD0) : SV_Target
{
   float4 res = 0;
   for (int k = 0; k < m * m; ++k)
      res += k;
   return res + t;
}
""", '--stats')
check('hlsl', r.returncode == 0 and '1 loops' in r.stdout, r)

# ps_3_0: rep i0 / add r0, r0, c1 / endrep / mov oC0, r0
D3DBC = [0xffff0300, 0x01000026, 0xf0e40000, 0x03000002, 0x800f0000,
         0x80e40000, 0xa0e40001, 0x00000027, 0x02000001, 0x800f0800,
         0x80e40000, 0x0000ffff]
with tempfile.NamedTemporaryFile() as f:
    f.write(struct.pack('<%dI' % len(D3DBC), *D3DBC))
    f.flush()
    r = run('--stats', f.name)
    check('d3dbc', r.returncode == 0 and '1 loops' in r.stdout, r)
    f.seek(4)
    f.write(b'\xaa')
    f.flush()
    r = run('--stats', f.name)
    check('bad d3dbc', r.returncode == 1 and
          'offset 0x4, token 0x010000aa' in r.stderr, r)

print(f'{failures} failures')
sys.exit(1 if failures else 0)
