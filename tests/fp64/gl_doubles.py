#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table "Through OpenGL" of docs/fp64.rst.

usage: gl_doubles.py [--trials=N] [--write] PROGRAM SAFFRON DOC

Runs PROGRAM (gl_doubles --all) with N operands of each function, stage and
width by 'SAFFRON run' on each generation, prints the table, and with --write
puts it into DOC between its two marks. Exit codes: 0, 1 if a result is
wrong, 2 if a run fails.
"""
import argparse
import subprocess
import sys
from pathlib import Path

GENERATIONS = ('skl', 'bdw', 'hsw', 'ivb')
BEGIN = '.. the table of gl_doubles.py begins'
END = '.. the table of gl_doubles.py ends'
# What docs/fp64.rst claims of the operation in NIR; the rest is made of several.
CLAIMS = {
    'exact': ('abs', 'sign', 'floor', 'trunc', 'round', 'roundEven', 'ceil',
              'modf, integer', 'min', 'max', 'clamp', 'mix of bool', 'step',
              'isnan', 'isinf', 'frexp, significand', 'frexp, exponent',
              'lessThan', 'lessThanEqual', 'equal', 'notEqual',
              'int of double', 'uint of double', 'bool of double',
              'double of int', 'double of uint', 'double of float',
              'packDouble2x32, unpackDouble2x32', 'faceforward',
              'transpose'),
    'correctly rounded': ('+', '-', '*', '/', 'sqrt', 'fract', 'mod', 'fma',
                          'ldexp', 'float of double', 'matrixCompMult',
                          'outerProduct'),
    '< 1 ulp': ('inversesqrt',),
}


def claim(name):
    return next((c for c, names in CLAIMS.items() if name in names), '')


def measure(args, gen):
    """Rows: name, then samples, wrong and ulp, plain and precise."""
    run = subprocess.run(
        [args.saffron, 'run', '--gen=' + gen, '--', args.program, '--all',
         f'--trials={args.trials}'], stdout=subprocess.PIPE, text=True)
    rows = [line.split('\t') for line in run.stdout.splitlines()]
    if run.returncode not in (0, 1) or not rows or len(rows[0]) != 7:
        sys.exit(2)
    return {r[0]: [float(x) for x in r[1:]] for r in rows}


def merged(results):
    """Samples and wrong ones of all, the largest error of any."""
    out = {}
    for rows in results:
        for name, row in rows.items():
            old = out.setdefault(name, [0.0] * 6)
            out[name] = [max(x, y) if i % 3 == 2 else x + y
                         for i, (x, y) in enumerate(zip(old, row))]
    return out


def cell(name, wrong, ulp):
    if wrong:
        return f'{int(wrong)} wrong'
    if claim(name) in ('exact', 'correctly rounded'):
        return 'the same'
    return f'{ulp:.2g} ulp'


def table(rows):
    head = ['function', 'in NIR', 'through libGL', '``precise``', 'samples']
    body = [['``' + name.replace(', ', '``, ``') + '``'
             if name.startswith('pack') else f'``{name}``'
             if ' ' not in name else name,
             claim(name) or 'several',
             cell(name, r[1], r[2]),
             'two roundings' if name == 'fma' and not r[4]
             else cell(name, r[4], r[5]),
             f'{int(r[0] + r[3]):,}'.replace(',', ' ')]
            for name, r in rows.items()]
    widths = [max(len(line[i]) for line in [head] + body)
              for i in range(len(head))]
    rule = '  '.join('=' * w for w in widths)
    lines = [rule, *('  '.join(c.ljust(w) for c, w in zip(line, widths))
                     .rstrip() for line in [head]), rule]
    lines += ['  '.join(c.ljust(w) for c, w in zip(line, widths)).rstrip()
              for line in body]
    return '\n'.join(lines + [rule])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--trials', type=int, default=3072)
    parser.add_argument('--write', action='store_true')
    parser.add_argument('program')
    parser.add_argument('saffron')
    parser.add_argument('doc', type=Path)
    args = parser.parse_args()
    rows = merged(measure(args, gen) for gen in GENERATIONS)
    text = table(rows)
    print(text)
    if args.write:
        doc = args.doc.read_text(encoding='utf-8')
        before, rest = doc.split(BEGIN)
        after = rest.split(END)[1]
        args.doc.write_text(f'{before}{BEGIN}\n\n{text}\n\n{END}{after}',
                            encoding='utf-8')
    sys.exit(any(r[1] or r[4] for r in rows.values()))


main()
