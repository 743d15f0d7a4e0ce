#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table "Through OpenGL" of docs/fp64.rst.

usage: gl_doubles.py measure [--trials=N] PROGRAM SAFFRON FILE
       gl_doubles.py table [--write] FILE...

`measure` runs PROGRAM (gl_doubles --all) with N operands of each function,
stage and width by 'SAFFRON run' on each generation, and writes to FILE, as
JSON, which Mesa that was and what came out. `table` prints what was measured
with each Mesa, side by side, and with --write puts it into docs/fp64.rst.
Exit codes: 0, 1 if a result is wrong, 2 if a run fails.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
import measured  # pylint: disable=wrong-import-position

GENERATIONS = ('skl', 'bdw', 'hsw', 'ivb')
COMMAND = 'tests/fp64/gl_doubles.py table'
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


def run(args, gen):
    """Mesa's version, and rows: name, then samples, wrong and ulp, plain and
    precise."""
    done = subprocess.run(
        [args.saffron, 'run', '--gen=' + gen, '--', args.program, '--all',
         f'--trials={args.trials}'], stdout=subprocess.PIPE, text=True)
    head, *rows = [line.split('\t') for line in done.stdout.splitlines()] or \
        [['']]
    mesa = re.search(r'Mesa ([\d.]+)', head[0])
    if done.returncode not in (0, 1) or not mesa or not rows or \
            'Saffron' not in head[-1]:
        sys.exit(2)
    return mesa[1], {r[0]: [float(x) for x in r[1:]] for r in rows}


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


def cells(name, row):
    """Plain, and precise if that is another."""
    if name == 'fma' and not row[1] and not row[4]:
        return 'fused, two roundings'
    plain, precise = cell(name, *row[1:3]), cell(name, *row[4:6])
    return plain if plain == precise else f'{plain}, {precise}'


def table(results):
    """Of [(Mesa's version, rows)]."""
    head = ['function', 'in NIR', *(f'Mesa {mesa}' for mesa, _ in results)]
    body = []
    for name, first in results[0][1].items():
        shown = '``[un]packDouble2x32``' if name.startswith('pack') \
            else f'``{name}``' if ' ' not in name else name
        body.append([shown, claim(name) or 'several',
                     *(cells(name, rows[name]) for _, rows in results),
                     f'{int(first[0] + first[3]):,}'.replace(',', ' ')])
    head.append('samples')
    return measured.rst(head, body)


def is_wrong(rows):
    return any(r[1] or r[4] for r in rows.values())


def measure(args):
    runs = [run(args, gen) for gen in GENERATIONS]
    rows = merged(r for _, r in runs)
    args.file.write_text(json.dumps({'mesa': runs[0][0], 'rows': rows}),
                         encoding='utf-8')
    return is_wrong(rows)


def show(args):
    files = [json.loads(f.read_text(encoding='utf-8')) for f in args.files]
    text = table([(f['mesa'], f['rows']) for f in files])
    print(text)
    if args.write:
        measured.write('fp64.rst', COMMAND, measured.today(), text)
    return any(is_wrong(f['rows']) for f in files)


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser('measure')
    one.add_argument('--trials', type=int, default=3072)
    one.add_argument('program')
    one.add_argument('saffron')
    one.add_argument('file', type=Path)
    one.set_defaults(run=measure)
    all_ = commands.add_parser('table')
    all_.add_argument('--write', action='store_true')
    all_.add_argument('files', type=Path, nargs='+')
    all_.set_defaults(run=show)
    args = parser.parse_args()
    sys.exit(args.run(args))


main()
