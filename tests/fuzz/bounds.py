#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shaders with indices that may be anywhere: a specialization constant into
every storage, of every kind of type, in every stage. fuzz_compile -e gives it
extreme values on each generation; all of them must compile.

usage: bounds.py FUZZ_COMPILE GLSLANG [PART PARTS]

With PART and PARTS only those of a part: of `PARTS` shaders, one.
"""
import os
import subprocess
import sys
import tempfile

# What a type is called, and how a value of it becomes a float; an index
# stands for the constant within.
TYPES = {
    'float': '{0}',
    'vec4': '{0}.x + {0}[K]',
    'double': 'float({0})',
    'dvec4': 'float({0}.y + {0}[K])',
    'int64_t': 'float({0})',
    'bool': '({0} ? 1.0 : 2.0)',
    'ivec3': 'float({0}[K])',
    'mat4': '{0}[K][1] + {0}[2][K]',
    'dmat2': 'float({0}[K][1])',
    'S': '{0}.b[K] + {0}.a.y',
}
CONSTANT = {'float': 'r', 'vec4': 'vec4(r)', 'double': 'double(r)',
            'dvec4': 'dvec4(r)', 'int64_t': 'int64_t(r)', 'bool': 'r > 1.0',
            'ivec3': 'ivec3(r)', 'mat4': 'mat4(r)', 'dmat2': 'dmat2(r)',
            'S': 'S(vec2(r), float[3](r, r, r))'}
HEAD = '''#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(constant_id = 0) const int K = 0;
struct S {{ vec2 a; float b[3]; }};
{stage}
layout(std140, binding = 0) uniform U {{ {t} u[5]; }};
layout(std430, binding = 1) buffer B {{ {t} b[5]; uint n[4]; {t} rest[]; }};
layout(push_constant) uniform P {{ {t} p[{push}]; }};
layout(binding = 2) uniform sampler2D t[3];
{io}
'''
# Layouts, and what a stage must write.
STAGES = {
    'vert': ('', 'gl_Position = vec4(r);'),
    'tesc': ('layout(vertices = 3) out;', 'gl_TessLevelOuter[K] = r;'),
    'tese': ('layout(triangles) in;', 'gl_Position = vec4(r);'),
    'geom': ('layout(points) in;\n'
             'layout(points, max_vertices = 2) out;',
             'gl_Position = vec4(r); EmitVertex();'),
    'frag': ('', ''),
    'comp': ('layout(local_size_x = 8) in;', ''),
}
ARRAYED = {'tesc': ('[]', '[]'), 'tese': ('[]', ''), 'geom': ('[]', '')}


def in_out(stage, kind):
    """Declarations, loads and a store of inputs and outputs."""
    if stage == 'comp':
        return f'shared {kind} s[5];', ['s[K]'], 's[K]'
    if kind == 'bool' or (stage == 'vert' and kind == 'S'):
        return '', [], ''
    if stage == 'frag':
        lines = f'layout(location = 0) flat in {kind} v[2];'
        return lines + 'layout(location = 0) out vec4 c;', ['v[K]'], ''
    into, out = ARRAYED.get(stage, ('', ''))
    lines = f'layout(location = 0) in {kind} v{into}[2];'
    lines += f'layout(location = 0) out {kind} w{out}[2];'
    loads = ['v[0][K]', 'v[K][1]'] if into else ['v[K]']
    return lines, loads, 'w[gl_InvocationID][K]' if out else 'w[K]'


def shader(stage, kind):
    io, loads, store = in_out(stage, kind)
    layout, end = STAGES[stage]
    text = HEAD.format(t=kind, io=io, stage=layout,
                       push=1 if kind == 'mat4' else 2)
    lines = [f'float r = 1.0; {kind} l[5];', 'int k = 0;',
             'for (int i = 0; i < 4; i++) k += 0 * i;',
             f'for (int i = 0; i < 5; i++) l[i] = {CONSTANT[kind]};',
             f'l[K] = {CONSTANT[kind]};']
    if store.startswith('s['):
        lines += [f's[K] = {CONSTANT[kind]};', 'barrier();']
    for load in ['u[K]', 'b[K]', 'rest[K]', 'p[K]', 'l[K]', 'u[k + K]',
                 'p[k + K]', 'l[k + K]'] + loads:
        lines.append('r += ' + TYPES[kind].format(load) + ';')
    lines += ['r += textureLod(t[K], vec2(r), 0.0).x;',
              f'b[K] = {CONSTANT[kind]};', f'rest[K] = {CONSTANT[kind]};',
              'r += float(atomicAdd(n[K], 1u));']
    if store:
        lines.append(f'{store} = {CONSTANT[kind]};')
    if stage == 'frag':
        lines.append('c[K] = r;' if 'out vec4 c' in io else '')
    return text + 'void main() {\n' + '\n'.join(lines) + end + '\n}\n'


def compile_all(fuzz, glslang, shaders, *options):
    """Whether fuzz_compile -e has no fault with {name with stage: text}."""
    modules = []
    with tempfile.TemporaryDirectory() as folder:
        for i, (name, text) in enumerate(shaders.items()):
            source = os.path.join(folder, name)
            with open(source, 'w', encoding='utf-8') as f:
                f.write(text)
            subprocess.run([glslang, '-V', '--quiet', '--target-env',
                            'vulkan1.1', source, '-o', source + '.spv'],
                           check=True)
            modules.append(source + '.spv')
            print(f'module {i}: {name}')
        sys.stdout.flush()
        run = subprocess.run([fuzz, '-e', *options] + modules, check=False)
        return run.returncode == 0


def main(fuzz, glslang, part=0, parts=1):
    every = [(s, k) for s in STAGES for k in TYPES][int(part)::int(parts)]
    return not compile_all(fuzz, glslang,
                           {f'{k}.{s}': shader(s, k) for s, k in every})


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
