# SPDX-License-Identifier: MIT
"""Stages around the one that a random program is: what feeds it, and what
hands on what it puts out.

Eight points, vertices, patches or primitives are drawn, each of which is a
"lane". Stage inputs are block Q, which the vertex shader fills from the
words of binding 0; stage outputs are block R, which the fragment shader puts
into binding 3. Which they are follows from the stage.
"""
STAGES = ('comp', 'vert', 'tesc', 'tese', 'geom', 'frag')
LAYOUT = {
    'comp': 'layout(local_size_x = 8) in;',
    'vert': '', 'frag': '',
    'tesc': 'layout(vertices = 1) out;',
    'tese': 'layout(isolines, point_mode) in;',
    'geom': 'layout(points) in; layout(points, max_vertices = 1) out;',
}
LANE = {
    'comp': 'gl_LocalInvocationIndex',
    'vert': 'uint(gl_VertexIndex)',
    'tesc': 'uint(gl_PrimitiveID)',
    'tese': 'uint(gl_PrimitiveID)',
    'geom': 'uint(gl_PrimitiveIDIn)',
    'frag': 'uint(gl_FragCoord.x)',
}
MEMBERS_Q = '{{ {flat}uvec4 q[3]; {flat}double d; {flat}T t[2]; }}'
MEMBERS_R = '{{ {flat}uvec4 r[2]; {flat}ivec2 s[2]; {flat}double d; }}'
STRUCT = 'struct T { uint a; vec2 b; };'
Q_AT, R_AT = 0, 12


def block(name, direction, array=''):
    """A declaration of Q or R."""
    members = MEMBERS_Q if name == 'Q' else MEMBERS_R
    at = Q_AT if name == 'Q' else R_AT
    return (f'layout(location = {at}) {direction} {name} '
            + members.format(flat='flat ')
            + f' {name.lower()}_{direction}{array};')


def has_inputs(stage):
    return stage not in ('comp', 'vert')


def has_outputs(stage):
    return stage not in ('comp', 'frag')


def interface(stage):
    """Declarations of a program in that stage."""
    lines = [LAYOUT[stage], STRUCT]
    if has_inputs(stage):
        lines.append(block('Q', 'in', '' if stage == 'frag' else '[]'))
    if has_outputs(stage):
        lines.append(block('R', 'out', '[]' if stage == 'tesc' else ''))
    lines.append('shared int sh[8];' if stage == 'comp' else 'int sh[8];')
    return '\n'.join(lines)


def word(stage, number):
    """Input word `number` of 18 of a lane, as an expression of type uint."""
    if not has_inputs(stage):
        return f'inp[(id * 19u + {number}u) & 255u]'
    q = 'q_in' if stage == 'frag' else 'q_in[0]'
    if number < 12:
        return f'{q}.q[{number // 4}][{number % 4}]'
    if number < 14:
        return f'unpackDouble2x32({q}.d)[{number - 12}]'
    part = (number - 14) // 2
    if number % 2 == 0:
        return f'{q}.t[{part}].a'
    return f'uint(int({q}.t[{part}].b.y))'


def begin(stage):
    """Statements before a program's own."""
    if stage == 'comp':
        return []
    return ['   for (int k = 0; k < 8; k++) '
            'sh[k] = int(inp[(id * 8u + uint(k)) & 255u]);']


def end(stage, values):
    """Statements that put out values (of type int)."""
    lines = []
    if has_outputs(stage):
        r = 'r_out[gl_InvocationID]' if stage == 'tesc' else 'r_out'
        for k in range(8):
            lines.append(f'   {r}.r[{k // 4}][{k % 4}] = uint({values[k]});')
        for k in range(4):
            lines.append(f'   {r}.s[{k // 2}][{k % 2}] = {values[8 + k]};')
        lines.append(f'   {r}.d = double({values[12]});')
    if stage in ('vert', 'tese', 'geom'):
        lines.append('   gl_Position = vec4((float(id) + 0.5) / 4.0 - 1.0, '
                     '0.0, 0.0, 1.0); gl_PointSize = 1.0;')
    if stage == 'geom':
        lines.append('   EmitVertex();')
    if stage == 'tesc':
        lines += LEVELS
    return lines


LEVELS = ['   gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = 1.0;']
FILL = '''   for (int k = 0; k < 12; k++)
      {q}.q[k / 4][k % 4] = inp[(id * 19u + uint(k) * 7u) & 255u];
   {q}.d = double(int(inp[id])) * 0.125LF;
   for (int k = 0; k < 2; k++)
      {q}.t[k] = T(inp[id + uint(k)], vec2(float(k), float(id) * 3.0));'''
BUFFERS = '''#version 450
layout(std430, set = 0, binding = 0) readonly buffer I { uint inp[256]; };
layout(std430, set = 0, binding = 3) buffer A { uint other[64]; };
'''


def vertex_shader():
    """Hands on Q."""
    return BUFFERS + '\n'.join(
        [STRUCT, block('Q', 'out'), 'void main() {',
         f'   uint id = {LANE["vert"]};', FILL.format(q='q_out'),
         '   gl_Position = vec4((float(id) + 0.5) / 4.0 - 1.0, 0.0, 0.0, '
         '1.0); gl_PointSize = 1.0;', '}'])


def control_shader():
    """Hands on Q."""
    return BUFFERS + '\n'.join(
        [STRUCT, LAYOUT['tesc'], block('Q', 'in', '[]'),
         block('Q', 'out', '[]'), 'void main() {',
         '   q_out[gl_InvocationID].q = q_in[gl_InvocationID].q;',
         '   q_out[gl_InvocationID].d = q_in[gl_InvocationID].d;',
         '   q_out[gl_InvocationID].t = q_in[gl_InvocationID].t;']
        + LEVELS + ['}'])


def evaluation_shader():
    """Hands on R."""
    return BUFFERS + '\n'.join(
        [LAYOUT['tese'], block('R', 'in', '[]'), block('R', 'out'),
         'void main() {', f'   uint id = {LANE["tese"]};',
         '   r_out.r = r_in[0].r; r_out.s = r_in[0].s; r_out.d = r_in[0].d;',
         '   gl_Position = vec4((float(id) + 0.5) / 4.0 - 1.0, 0.0, 0.0, '
         '1.0); gl_PointSize = 1.0;', '}'])


def fragment_shader():
    """Stores R."""
    return BUFFERS + '\n'.join(
        [block('R', 'in'), 'void main() {', f'   uint id = {LANE["frag"]};',
         '   for (int k = 0; k < 8; k++)',
         '      other[id * 8u + uint(k)] = r_in.r[k / 4][k % 4] ^ '
         'uint(r_in.s[k / 4][k % 2]) * 5u ^ '
         'unpackDouble2x32(r_in.d)[k & 1];', '}'])


# What else is in the pipeline of a program in a stage.
AROUND = {
    'comp': {},
    'vert': {'frag': fragment_shader},
    'tesc': {'vert': vertex_shader, 'tese': evaluation_shader,
             'frag': fragment_shader},
    'tese': {'vert': vertex_shader, 'tesc': control_shader,
             'frag': fragment_shader},
    'geom': {'vert': vertex_shader, 'frag': fragment_shader},
    'frag': {'vert': vertex_shader},
}
