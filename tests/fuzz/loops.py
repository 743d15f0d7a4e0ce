#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shaders with loops that have no end, or one that nothing is known of, and
with tables of 64-bit values at an index that changes in a loop: every form in
every stage, on each generation; all of them must compile.

usage: loops.py FUZZ_COMPILE GLSLANG [PART PARTS]

With PART and PARTS only those of a part: of `PARTS` shaders, one.
"""
import sys

from bounds import STAGES, compile_all

LOOPS = {
    'while': 'while (true) {{ {0} }}',
    'for': 'for (;;) {{ {0} }}',
    'do': 'do {{ {0} }} while (true);',
    'undefined': 'int i; for (; i < 7; i++) {{ {0} }}',
    'nested': 'while (true) {{ for (;;) {{ {0} }} r += 1.0; }}',
    'inner': 'for (int i = 0; i < m; i++) {{ while (true) {{ {0} }} }}',
    'branch': 'if (m > 3) {{ while (true) {{ {0} }} }} else {{ r = 2.0; }}',
    'both': 'if (m > 3) {{ for (;;) {{ {0} }} }} else {{ for (;;) {{ {0} }} }}',
    'dead_break': 'while (true) {{ {0} if (false) break; }}',
    'switch': 'while (true) {{ switch (m) {{ case 1: {0} break; '
              'default: r *= 2.0; }} }}',
}
BODIES = {
    'empty': '',
    'array': 'a[m & 3] += vec4(r); r += a[(m + 1) & 3].y;',
    'double': 'd[m & 3] += double(r); r += float(d[(m + 1) & 3]);',
    'undefined': 'float x; vec4 y; r += x + y.z;',
    'return': 'if (r > 4.0) return;',
    'continue': 'r += 1.0; continue;',
    'buffer': 'b[m] = r; r += b[m + 1];',
    'discard': 'r += 1.0; if (m == 5) discard;',
    'barrier': 'barrier(); r += 1.0;',
}
ONLY = {'discard': ('frag',), 'barrier': ('comp',)}
TABLES = ('int64_t', 'uint64_t', 'double', 'i64vec2', 'dvec3')
HEAD = '''#version 450
#extension GL_ARB_gpu_shader_int64 : require
{layout}
layout(std430, binding = 0) buffer B {{ int m; float b[]; }};
'''


def shader(stage, before, after):
    layout, end = STAGES[stage]
    end = end.replace('[K]', '[0]')
    out = ''
    if stage == 'frag':
        out, end = 'layout(location = 0) out vec4 c;', 'c = vec4(r);'
    return (HEAD.format(layout=layout) + out
            + 'void main() {\nfloat r = 1.0; vec4 a[4]; double d[4];\n'
            + f'{before}\n{after} b[0] = r + a[1].x + float(d[2]);\n'
            + end + '\n}\n')


def table(kind, divergent):
    """Eight values, of which a loop picks one after the other."""
    values = ', '.join(f'{kind}({7 * i + 3})' for i in range(8))
    index = '(i + int(b[i])) & 7' if divergent else 'i'
    part = '.y' if 'vec' in kind else ''
    return (f'const {kind} t[8] = {kind}[8]({values}); {kind} v[8];\n'
            f'for (int i = 0; i < 8; i++) v[i] = t[i] * {kind}(m);\n'
            f'for (int i = 0; i < m; i++) r += float(t[{index}]{part})'
            f' + float(v[{index}]{part});')


def shaders():
    for stage in STAGES:
        for loop, form in LOOPS.items():
            for body, text in BODIES.items():
                if stage in ONLY.get(body, STAGES):
                    yield (f'{loop}_{body}.{stage}',
                           shader(stage, form.format(text), ''))
        for kind in TABLES:
            for divergent in False, True:
                yield (f'{kind}_{divergent}.{stage}',
                       shader(stage, '', table(kind, divergent)))


def main(fuzz, glslang, part=0, parts=1):
    chosen = list(shaders())[int(part)::int(parts)]
    good = True
    for i in range(0, len(chosen), 100):
        some = dict(chosen[i:i + 100])
        good &= compile_all(fuzz, glslang, some, '-n', str(4 * len(some)))
    return not good


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
