# SPDX-License-Identifier: MIT
"""Proves the integers of the 64-bit division of nir_lower_int64.

The quotient is estimated by floats, in two pieces. The head of udivmod() argues
that with n and d the magnitudes of the operands, d not zero, and Q the sum of
both pieces,

    0 <= R = n - Q d < 2 d, as integers;

test_nir_doubles has the samples of that. Here the pieces are any two numbers,
and z3 proves for any operands:

* what is divided are the magnitudes;
* the code's remainder is n - Q d: as polynomials, without multiplying;
* for any Q, d and R < 2 d the last correction leaves a quotient q and a
  remainder r < d with q - Q = (R - r) / d, so that n = q d + r: by Euclid's
  theorem these are quotient and remainder;
* what is made of them (signs) is the opcode's. Signed division means what
  SMT-LIB defines it to mean, by unsigned division of magnitudes.

Where the instructions that this takes are lowered further, each is a case of
its own (prove_lowerings.py).
"""
import re

import z3

PIECES = re.compile(
    r'ssa_(?P<first>\d+) = f2u64!? .*\n'
    r'.*ssa_(?P<product>\d+) = imul!? ssa_(?P=first), ssa_(?P<d>\d+)\n'
    r'.*ssa_(?P<rest>\d+) = isub!? ssa_(?P<n>\d+), ssa_(?P=product)\n'
    r'(?:.*\n)*?'
    r'.*ssa_(?P<half>\d+) = f2u32!? .*\n'
    r'.*ssa_(?P<second>\d+) = pack_64_2x32_split!? ssa_(?P=half), ssa_\d+\n'
    r'.*ssa_(?P<sum>\d+) = iadd!? ssa_(?P=first), ssa_(?P=second)\n'
    r'.*ssa_(?P<part>\d+) = imul!? ssa_(?P=second), ssa_(?P=d)\n'
    r'.*ssa_(?P<left>\d+) = isub!? ssa_(?P=rest), ssa_(?P=part)\n')
FLOATS = re.compile(r'(?:u2f64|f2f32|f2f64|frcp|fneg|ffma|fmul)\b')


class OtherShape(Exception):
    """Not the division that is known here."""


def meaning(name, a, b, q, r):
    """The opcode by quotient and remainder of magnitudes (SMT-LIB, theory of
    fixed-size bit vectors: bvsdiv, bvsrem, bvsmod)."""
    if name in ('udiv', 'umod'):
        return q if name == 'udiv' else r
    negative, differ = a < 0, (a < 0) != (b < 0)
    if name == 'idiv':
        return z3.If(differ, -q, q)
    rem = z3.If(negative, -r, r)
    return rem if name == 'irem' else z3.If(z3.And(differ, r != 0), rem + b,
                                            rem)


def magnitude(name, x):
    return x if name in ('udiv', 'umod') else z3.If(x < 0, -x, x)


def is_division(text):
    return bool(PIECES.search(text))


class Reader:
    """Evaluates the lines of a shader; `line(text, values)` does one
    instruction and returns (number, components), or None."""

    def __init__(self, text, line):
        self.shape = PIECES.search(text)
        if not self.shape or re.search(r'\b(loop|if)\b', text):
            raise OtherShape('division')
        self.values, self.operands, self.result = {}, [], None
        self.seen = {}   # what n, d, sum and left were before they were any
        self.any = {what: z3.BitVec(what, 64)
                    for what in ('n', 'd', 'sum', 'left')}
        self.run(text, line)

    def read(self, text, line):
        words = text.split(' = ', 1)
        number = re.search(r'ssa_(\d+)$', words[0])[1]
        if words[1] == 'undefined':
            self.operands.append(z3.BitVec(f'x{number}', 64))
            self.values[number] = [self.operands[-1]]
        elif words[1].startswith('f2u'):
            size = 64 if words[1].startswith('f2u64') else 32
            self.values[number] = [z3.BitVec(f'piece{number}', size)]
        elif not FLOATS.match(words[1]):
            self.values[number] = line(text, self.values)
        return number

    def run(self, text, line):
        numbers = {}
        for what in self.any:
            numbers.setdefault(self.shape[what], []).append(what)
        lines = [x.strip() for x in text.split('\n')]
        for at in lines:
            if re.match(r'vec1\s+\d+ ', at):
                for what in numbers.get(self.read(at, line), ()):
                    self.seen[what] = self.values[self.shape[what]][0]
                    self.values[self.shape[what]] = [self.any[what]]
            elif match := re.match(r'intrinsic store_ssbo \(ssa_(\d+)', at):
                self.result = self.values[match[1]][0]
        # Operands themselves are divided where nothing has a sign.
        self.operands = self.operands[:2]


def formulas(name, text, line):
    """(what, given, to be shown) for each part of the proof."""
    reader = Reader(text, line)
    a, b = reader.operands
    n, d, total, left = (reader.any[x] for x in ('n', 'd', 'sum', 'left'))
    yield 'magnitudes', [], [reader.seen['n'] == magnitude(name, a),
                             reader.seen['d'] == magnitude(name, b)]
    rest = z3.substitute(reader.seen['left'], (total, reader.seen['sum']))
    difference = z3.simplify(rest - (n - reader.seen['sum'] * d), som=True)
    yield 'the remainder', [], [difference == 0]
    once = z3.If(z3.UGE(left, d), z3.BitVecVal(1, 64), z3.BitVecVal(0, 64))
    q, r = total + once, z3.If(z3.UGE(left, d), left - d, left)
    bound = [d != 0, z3.Or(z3.ULT(left, d), z3.ULT(left - d, d))]
    yield 'the correction', bound, [z3.ULT(r, d)]
    yield 'what is made of it', bound + [
        n == magnitude(name, a), d == magnitude(name, b)], [
        reader.result == meaning(name, a, b, q, r)]
