#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decorations arrive at the variable that they decorate, and at no other.

usage: test_decorations.py SPIRV-AS SPIRV_CHECK
"""
import os
import subprocess
import sys
import tempfile

INTERP = 'INTERP_MODE_'
R32I = f'PIPE_FORMAT_R32_SINT {INTERP}NONE iimage2D'
# Decoration, storage class, type; the declaration in NIR, up to its name.
ROWS = (
    ('', 'Input', 'vec4', f'shader_in {INTERP}NONE vec4'),
    ('Flat', 'Input', 'vec4', f'shader_in {INTERP}FLAT vec4'),
    ('NoPerspective', 'Input', 'vec4',
     f'shader_in {INTERP}NOPERSPECTIVE vec4'),
    ('Centroid', 'Input', 'vec4', f'centroid shader_in {INTERP}NONE vec4'),
    ('Sample', 'Input', 'vec4', f'sample shader_in {INTERP}NONE vec4'),
    ('', 'Output', 'vec4', f'shader_out {INTERP}NONE vec4'),
    ('Invariant', 'Output', 'vec4',
     f'invariant shader_out {INTERP}NONE vec4'),
    ('', 'UniformConstant', 'storage', f'uniform {R32I}'),
    ('Coherent', 'UniformConstant', 'storage', f'uniform coherent {R32I}'),
    ('Volatile', 'UniformConstant', 'storage', f'uniform volatile {R32I}'),
    ('Restrict', 'UniformConstant', 'storage', f'uniform restrict {R32I}'),
    ('NonWritable', 'UniformConstant', 'storage', f'uniform readonly {R32I}'),
    ('NonReadable', 'UniformConstant', 'storage',
     f'uniform writeonly {R32I}'),
    # Places: which, the end of the line says.
    ('Component 2', 'Input', 'float', 'VARYING_SLOT_VAR5.z'),
    ('Index 1', 'Output', 'vec4', '{index=1}'),
)


def name(k):
    return f'v{k:02}'


def module():
    head, decorations, variables, body = [], [], [], []
    for k, (decoration, storage, kind, _) in enumerate(ROWS):
        v = '%' + name(k)
        if decoration:
            decorations.append(f'OpDecorate {v} {decoration}')
        if storage == 'UniformConstant':
            decorations += [f'OpDecorate {v} DescriptorSet 0',
                            f'OpDecorate {v} Binding {k}']
        else:
            head.append(v)
            decorations.append(f'OpDecorate {v} Location {k % 8}')
        decorations.append(f'OpName {v} "{name(k)}"')
        variables += [f'%p{k} = OpTypePointer {storage} %{kind}',
                      f'{v} = OpVariable %p{k} {storage}']
        if storage == 'Output':
            body.append(f'OpStore {v} %zero')
        elif kind == 'storage':
            body.append(f'%l{k} = OpLoad %{kind} {v}')
            body.append(f'OpImageWrite %l{k} %at %ints'
                        if decoration == 'NonReadable' else
                        f'%r{k} = OpImageRead %ivec4 %l{k} %at')
        else:
            body.append(f'%l{k} = OpLoad %{kind} {v}')
    names = [d for d in decorations if d.startswith('OpName')]
    decorations = [d for d in decorations if not d.startswith('OpName')]
    return '\n'.join(
        ['OpCapability Shader', 'OpCapability SampleRateShading',
         'OpMemoryModel Logical GLSL450',
         'OpEntryPoint Fragment %main "main" ' + ' '.join(head),
         'OpExecutionMode %main OriginUpperLeft', *names, *decorations,
         '%void = OpTypeVoid', '%fn = OpTypeFunction %void',
         '%int = OpTypeInt 32 1', '%float = OpTypeFloat 32',
         '%vec4 = OpTypeVector %float 4', '%ivec4 = OpTypeVector %int 4',
         '%ivec2 = OpTypeVector %int 2', '%c0 = OpConstant %int 0',
         '%f0 = OpConstant %float 0',
         '%zero = OpConstantComposite %vec4 %f0 %f0 %f0 %f0',
         '%at = OpConstantComposite %ivec2 %c0 %c0',
         '%ints = OpConstantComposite %ivec4 %c0 %c0 %c0 %c0',
         '%storage = OpTypeImage %int 2D 0 0 0 2 R32i',
         *variables, '%main = OpFunction %void None %fn', '%l = OpLabel',
         *body, 'OpReturn', 'OpFunctionEnd', ''])


def main():
    assembler, check = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'm.spv')
        subprocess.run([assembler, '--target-env', 'spv1.3', '-o', path, '-'],
                       input=module().encode(), check=True)
        out = subprocess.run([check, '-p', path], capture_output=True,
                             check=False).stdout.decode()
    failures = 0
    for k, (decoration, _, _, want) in enumerate(ROWS):
        line = next((line for line in out.split('\n') if
                     line.startswith('decl_var ') and f' {name(k)} ' in line),
                    '')
        if not line.startswith(f'decl_var {want} {name(k)} ') and \
                not (decoration[-1:].isdigit() and want in line):
            print(f'FAIL: {decoration or "nothing"}: {line or "no variable"}')
            failures += 1
    if failures:
        print(out)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
