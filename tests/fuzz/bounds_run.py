#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Indices that may be anywhere, executed: what robust access promises.

Compute shaders read and write every storage at an index that is a
specialization constant, or is computed and unknown to the compiler: within,
just beyond, negative, far. What is read must be zero (or one, as a last
component) or a word of what is bound; what lies around it, which is filled
with a secret, must be neither read nor written, and the device must live. An
element of a buffer that lies outside of it as a whole, in arithmetic that
does not wrap, is zero and is not written (robustBufferAccess2).

Local arrays of any length hold what was put there, or have no pipeline where
the hardware has too little scratch space for a thread.

usage: bounds_run.py [--gen=G] [--build=DIR] [--glslang=FILE] [PART PARTS]

With PART and PARTS only those of a part: of `PARTS` shaders, one.
"""
import argparse
import itertools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from programs import GENS, ROOT, Driver

SECRET = '5ec2e7'
# Elements of each type, and its words.
TYPES = {
    'uint': '{0}',
    'uvec4': '{0}.x, {0}.w',
    'ivec3': 'uint({0}.y), uint({0}[{1} & 3])',
    'double': 'unpackDouble2x32({0}).x, unpackDouble2x32({0}).y',
    'dvec4': 'unpackDouble2x32({0}.x).y, unpackDouble2x32({0}.w).x',
    'uint64_t': 'unpackUint2x32({0}).x, unpackUint2x32({0}).y',
    'mat4': 'floatBitsToUint({0}[{1} & 3].y), floatBitsToUint({0}[2].w)',
    'S': 'floatBitsToUint({0}.a.y), {0}.b[{1} % 3]',
}
MADE_OF = {
    'uint': '{0}', 'uvec4': 'uvec4({0})', 'ivec3': 'ivec3({0})',
    'double': 'packDouble2x32(uvec2({0}))',
    'dvec4': 'dvec4(packDouble2x32(uvec2({0})))',
    'uint64_t': 'packUint2x32(uvec2({0}))',
    'mat4': 'mat4(uintBitsToFloat({0}))',
    'S': 'S(vec2(uintBitsToFloat({0})), uint[3]({0}, {0}, {0}))',
}
# How it is declared, and whether it is written.
STORAGES = {
    'u': ('layout(std140, set = 0, binding = 2) uniform U {{ {0} u[2]; }};',
          False),
    'b': ('layout(std430, set = 0, binding = 3) buffer B {{ {0} b[2]; }};',
          True),
    'rest': ('layout(std430, set = 0, binding = 3) buffer B {{ '
             'uvec4 head; {0} rest[]; }};', True),
    'p': ('layout(push_constant) uniform P {{ {0} p[1]; }};', False),
    'l': ('', True),
    's': ('shared {0} s[3];', True),
}
# Bytes from one element to the next: std430, std140.
STRIDES = {'uint': (4, 16), 'uvec4': (16, 16), 'ivec3': (16, 16),
           'double': (8, 16), 'dvec4': (32, 32), 'uint64_t': (8, 16),
           'mat4': (64, 64), 'S': (24, 64)}
# Where the first is, and whether the layout is std140.
BUFFERS = {'u': (0, True), 'b': (0, False), 'rest': (16, False)}
BUFFER_B, OUTPUT_WORDS = 256, 256
INDICES = (0, 1, 2, -1, 3, 17, 1000, 65536, 1 << 26, 1 << 28, (1 << 31) - 1,
           -(1 << 31), -17)
HEAD = '''#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 8) in;
layout(constant_id = 0) const int K = 0;
struct S {{ vec2 a; uint b[3]; }};
layout(std430, set = 0, binding = 0) readonly buffer I {{ uint inp[256]; }};
layout(std430, set = 0, binding = 1) buffer O {{ uint outp[256]; }};
{storage}
void main()
{{
   uint id = gl_LocalInvocationIndex;
   int k = {index};
   {local}
   uint words[2] = uint[2]({load});
   {store}
   for (int i = 0; i < 2; i++) outp[id * 4u + i] = words[i];
   outp[id * 4u + 2u] = {again};
}}
'''
COMPUTED = 'K + int(gl_NumWorkGroups.x) - 1'


# 32 bytes an element in SIMD8: around the powers of two, and what each has.
LENGTHS = (3, 127, 129, 255, 257, 383, 385, 513, 2049, 5000)
SCRATCH_B = {'ivb': 12 << 10}
LOCAL = '''#version 450
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) readonly buffer I {{ uint inp[256]; }};
layout(std430, set = 0, binding = 1) buffer O {{ uint outp[256]; }};
void main()
{{
   uint a[{0}], id = gl_LocalInvocationIndex, same = 0u;
   for (uint k = 0u; k < {0}u; k++) a[k] = inp[(k + id) & 255u] ^ k;
   for (uint k = 0u; k < 16u; k++) {{
      uint at = inp[k * 3u + id] % {0}u;
      same += uint(a[at] == (inp[(at + id) & 255u] ^ at));
   }}
   outp[id] = same + uint(a[{0}u - 1u] == (inp[({0}u - 1u + id) & 255u]
                                           ^ ({0}u - 1u)));
}}
'''


def shader(name, kind, index):
    """GLSL that reads, writes and reads again."""
    declared, writes = STORAGES[name]
    value = MADE_OF[kind].format('inp[id]')
    local = ''
    if name == 'l':
        local = f'{kind} l[3]; for (int i = 0; i < 3; i++) l[i] = {value};'
    elif name == 's':
        local = (f'if (id < 3u) s[id] = {value}; barrier();')
    element = f'{name}[k]' if index == COMPUTED else f'{name}[K]'
    words = TYPES[kind].format(element, 'k')
    if kind == 'uint':
        words += ', 0u'
    return HEAD.format(
        storage=declared.format(kind), index=index, local=local, load=words,
        store=f'barrier(); {element} = {value};' if writes else '',
        again=TYPES[kind].format(element, '(k & 1)').split(', ')[0])


def is_outside(name, kind, index):
    """Whether no byte of the element is in the buffer."""
    if name not in BUFFERS:
        return False
    first, uniform = BUFFERS[name]
    stride = STRIDES[kind][uniform]
    start = first + index * stride
    return start >= BUFFER_B or start + stride <= 0


def fault(answer, name, kind, index, untouched):
    """What is wrong with an answer of run_programs; None: nothing."""
    if not answer.startswith('ok'):
        return answer
    words = answer.split()[1:]
    if SECRET in words:
        return 'what is not bound was read'
    if not is_outside(name, kind, index):
        return None
    # What is read again may be what was to be stored.
    if {w for k, w in enumerate(words[:OUTPUT_WORDS]) if k % 4 != 2} != {'0'}:
        return 'what is outside is not zero'
    return None if words[OUTPUT_WORDS:] == untouched else \
        'a store outside changed the buffer'


def local_fault(answer, gen, length):
    """The same of LOCAL with an array of that length."""
    if 32 * length > SCRATCH_B.get(gen, 1 << 30):
        return None if 'CreateComputePipelines' in answer else \
            f'not refused: {answer}'
    return None if answer.split()[:9] == ['ok'] + 8 * ['11'] else answer


def local_arrays(compiled, drivers):
    """Runs, and what is wrong."""
    found = []
    for length in LENGTHS:
        path = compiled(LOCAL.format(length))
        found += [(gen, length, local_fault(
            d.run(7, f'comp={path}'), gen, length))
                  for gen, d in drivers.items()]
    faults = [f for f in found if f[2]]
    for gen, length, how in faults:
        print(f'{gen}: a local array of {length}: {how[:200]}')
    return len(found), len(faults)


def main():
    """0: all promises are kept."""
    p = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    p.add_argument('--gen', default=','.join(GENS))
    p.add_argument('--build', type=Path, default=ROOT / 'build')
    p.add_argument('--glslang', default='glslangValidator')
    p.add_argument('part', type=int, nargs='?', default=0)
    p.add_argument('parts', type=int, nargs='?', default=1)
    args = p.parse_args()
    cases = list(itertools.product(STORAGES, TYPES, ('K', COMPUTED)))
    drivers = {g: Driver([args.build / 'tests/fuzz/run_programs',
                          args.build / 'src/intel/vulkan/libvulkan_saffron.so'],
                         SAFFRON_DEVICE='sim:' + g)
               for g in args.gen.split(',')}
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, 'b.comp')

        def compiled(text):
            with open(source, 'w', encoding='utf-8') as f:
                f.write(text)
            subprocess.run([args.glslang, '-V', '--quiet', '--target-env',
                            'vulkan1.1', source, '-o', source + '.spv'],
                           check=True)
            return source + '.spv'

        runs, wrong = local_arrays(compiled, drivers)
        for case in cases[args.part::args.parts]:
            compiled(shader(*case))
            for gen, driver in drivers.items():
                # Index 1000 is outside of all, and wraps nowhere.
                untouched = driver.run(7, f'comp={source}.spv', 1000).split()[
                    1 + OUTPUT_WORDS:]
                for index in INDICES:
                    how = fault(driver.run(7, f'comp={source}.spv', index),
                                case[0], case[1], index, untouched)
                    runs += 1
                    wrong += bool(how)
                    if how:
                        print(f'{gen}: {case[1]} {case[0]}[{index}], '
                              f'index {case[2]}: {how}')
    print(f'{runs} runs: {wrong} wrong')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
