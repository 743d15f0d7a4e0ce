#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""saffron-compile takes every format, for every generation: NIR, machine code
and statistics, as for any other.

Usage: test_formats.py COMPILE D3D CONTAINERS LISTINGS [SPIRV...]
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile

GENS = ('ivb', 'hsw', 'bdw', 'skl')
COMPILE, D3D, CONTAINERS, LISTINGS = sys.argv[1:5]

HLSL = '''struct S { float4 a; int n; };
RWStructuredBuffer<S> buf : register(u0);
cbuffer C { int most; };
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
   int i = 0;
   while (i < most) { buf[id.x].n += i; i += 3; if (i == 12) break; }
   buf[id.x].a.zx = float2(i, 1);
}
'''
GLSL = '''#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { int d[]; };
void main() { for (int i = 0; i < d[0]; i++) d[i] += 3; }
'''
NIR = '''shader: MESA_SHADER_COMPUTE
workgroup-size: 8, 1, 1
decl_function main (0 params)
impl main {
block block_0:
vec1 32 ssa_0 = intrinsic load_local_invocation_index () ()
vec1 32 ssa_1 = load_const (0x00000003)
vec1 1 ssa_2 = ilt ssa_0, ssa_1
goto block_1 if ssa_2 else block_2
block block_1:
vec1 32 ssa_3 = load_const (0x00000000)
intrinsic store_ssbo (ssa_0, ssa_3, ssa_3) (1, 0, 4, 0) \
/* wrmask=x */ /* access=0 */ /* align_mul=4 */ /* align_offset=0 */
return
block block_2:
return
}
'''
TEXTS = (('hlsl', 'a.comp.hlsl', HLSL), ('glsl', 'a.comp', GLSL),
         ('nir with gotos', 'a.nir', NIR))
VS = 'vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\n'
# What has its own text of an error, by format.
BAD = (('a.dxbc', b'DXBC' + bytes(40), 'offset 0x'),
       ('a.d3dbc', struct.pack('<3I', 0xfffe0300, 0x7f, 0xffff), 'offset 0x'),
       ('a.spv', struct.pack('<6I', 0x07230203, 0x10000, 0, 5, 0, 0),
        'word 5'),
       ('a.comp.hlsl', b'void main() { nonsense; }', 'ERROR'),
       ('a.nir', b'shader: MESA_SHADER_COMPUTE\nnonsense\n', 'a.nir:2'))
failures = 0


def complain(what, r):
    global failures
    failures += 1
    print(f'{what}: exit code {r.returncode}')
    print(r.stdout[-500:])
    print(r.stderr[-1500:])


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, timeout=60)


def check(what, path):
    """All that the tool shows, and how the same ends for each generation."""
    for gen in GENS:
        r = run(COMPILE, '--gen=' + gen, path)
        if r.returncode or '{EOT}' not in r.stdout.replace(' ', '') or \
           'NIR after the front end' not in r.stdout or \
           'NIR (final form)' not in r.stdout:
            complain(f'{what}, {gen}', r)
            continue
        r = run(COMPILE, '--gen=' + gen, '--stats=json', path)
        try:
            stats = json.loads(r.stdout)
            if not all(v['instructions'] for v in stats['variants']):
                complain(f'{what}, {gen}, statistics', r)
        except ValueError:
            complain(f'{what}, {gen}, statistics', r)


def words(line):
    return struct.pack(f'<{len(line.split())}I',
                       *(int(w, 16) for w in line.split()))


def some_containers():
    """One of each stage."""
    seen = set()
    with open(CONTAINERS) as f:
        for line in f:
            if not re.match('[0-9a-f]{8} ', line):
                continue
            data = words(line)
            at = max(data.find(b'SHDR'), data.find(b'SHEX'))
            stage = struct.unpack_from('<I', data, at + 8)[0] >> 16
            if stage not in seen:
                seen.add(stage)
                yield ('ps', 'vs', 'gs', 'hs', 'ds', 'cs')[stage], data


def some_listings():
    """The longest of each profile that Direct3D's bytecode has."""
    best = {}
    with open(LISTINGS) as f:
        profile = None
        for line in f:
            if re.match(r'[vp]s_\d_\w+$', line):
                profile = line.strip()
            elif line.startswith('= '):
                data = words(line[2:])
                if len(data) > len(best.get(profile, b'')):
                    best[profile] = data
    return sorted(best.items())


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, 'wb') as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    return path


def main():
    with tempfile.TemporaryDirectory() as folder:
        for what, name, text in TEXTS:
            check(what, write(folder, name, text))
        for path in sys.argv[5:]:
            check(os.path.basename(path), path)
        for what, data in (*some_containers(), *some_listings()):
            check(what, write(folder, 'a.bin', data))
        text = run(D3D, 'emit', '-p', 'cs_5_0', '--text',
                   write(folder, 'a.comp.hlsl', HLSL))
        if 'store_structured' not in text.stdout:
            complain('emit', text)
        for name, data, words_of_error in BAD:
            for gen in GENS:
                r = run(COMPILE, '--gen=' + gen, write(folder, name, data))
                if r.returncode != 1 or words_of_error not in \
                   r.stderr + r.stdout:
                    complain('bad ' + name, r)
    sys.exit(failures != 0)


if __name__ == '__main__':
    main()
