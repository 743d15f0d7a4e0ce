# SPDX-License-Identifier: MIT
"""Proves the 64-bit division of nir_lower_int64, which is a loop, by
induction over its steps.

The loop makes one bit of the quotient a step, from bit 63 down. With k steps
left, N the operand above its k lowest bits (n >> k), Q what there is of the
quotient (q >> k) and d the divisor, which is not zero, the invariant is

    -1 <= i <= 63, k = i + 1, the k lowest bits of q are zero,
    N = Q d + r, and r < d.

Before the loop i = 63 and q = r = 0. It is left if i < 0: then n = q d + r and
r < d, so that by Euclid's theorem q and r are the quotient and the remainder.
Of a step z3 proves, for each i from 0 to 63 and any n, d, q and r as above, with
b bit i of n and f bit i of the new quotient q':

    the bits above i of q' are those of q, those below are zero,
    2 r + b = r' if f = 0, d + r' if f = 1,  r' < d,  i' = i - 1.

So N' = 2 N + b = 2 (Q d + r) + b = 2 Q d + f d + r' = Q' d + r', without z3
multiplying anything.

What is made of quotient and remainder (signs) is compared with the opcode for
q and r that are any two numbers with r < d. Signed division means what SMT-LIB
defines it to mean, by unsigned division of magnitudes.
"""
import re

import z3

LOAD = re.compile(r'vec1\s+\d+ ssa_(\d+) = intrinsic load_deref \(ssa_(\d+)\)')
STORE = re.compile(r'intrinsic store_deref \(ssa_(\d+), ssa_(\d+)\)')
DEREF = re.compile(r'vec1\s+\d+ ssa_(\d+) = deref_var &(\w+) ')
SIZES = {'quotient': 64, 'remainder': 64, 'bit': 32}


class OtherShape(Exception):
    """Not the loop that is known here."""


def split(text):
    """The lines before the loop, of its condition, of its body, after it."""
    match = re.fullmatch(
        r'(.*?)\n\s*loop \{\n(.*?)\n\s*if ssa_(\d+) \{\n\s*block[^\n]*\n'
        r'(?:\s*/\*[^\n]*\n)*\s*break\n(?:\s*/\*[^\n]*\n)*\s*\} else \{\n'
        r'\s*block[^\n]*\n(?:\s*/\*[^\n]*\n)*\s*\}\n(.*?)\n\t\}\n(.*)', text,
        re.S)
    if not match or re.search(r'\b(loop|if)\b', match[4] + match[5]):
        raise OtherShape('loop')
    return match


class Machine:
    """Runs lines of text. `line(text, values)` evaluates an instruction and
    returns an operand if it is one."""

    def __init__(self, line):
        self.line = line
        self.values = {}
        self.derefs = {}
        self.state = {}
        self.operands = []
        self.result = None

    def run(self, text):
        for line in text.split('\n'):
            line = line.strip()
            if match := DEREF.match(line):
                self.derefs[match[1]] = match[2]
            elif match := LOAD.match(line):
                self.values[match[1]] = [self.state[self.derefs[match[2]]]]
            elif match := STORE.match(line):
                name = self.derefs[match[1]]
                self.state[name] = self.values[match[2]][0]
            elif match := re.match(r'intrinsic store_ssbo \(ssa_(\d+)', line):
                self.result = self.values[match[1]][0]
            else:
                operand = self.line(line, self.values, len(self.operands))
                if operand is not None:
                    self.operands.append(operand[0])

    def any_state(self):
        self.state = {n: z3.BitVec(n, size) for n, size in SIZES.items()}


def in_loop(state, d, i):
    """The invariant, but for N = Q d + r."""
    below = (1 << (i + 1)) - 1
    return [state['bit'] == i, state['quotient'] & below == 0,
            z3.ULT(state['remainder'], d)]


def step(before, after, n, d, i):
    """What the body does at this i, (given, to be shown)."""
    def wide(x):
        return z3.ZeroExt(2, x)

    q, r = after['quotient'], after['remainder']
    f = z3.Extract(i, i, q)
    twice = 2 * wide(before['remainder']) + z3.ZeroExt(65,
                                                       z3.Extract(i, i, n))
    shown = [z3.Implies(f == 0, twice == wide(r)),
             z3.Implies(f == 1, twice == wide(d) + wide(r))]
    shown += in_loop(after, d, i - 1)
    if i < 63:
        shown.append(z3.Extract(63, i + 1, q) ==
                     z3.Extract(63, i + 1, before['quotient']))
    at = (before['bit'], z3.BitVecVal(i, 32))
    return ([z3.substitute(x, at) for x in [d != 0] + in_loop(before, d, i)],
            [z3.substitute(x, at) for x in shown])


def opaque(values, known):
    """Values before the loop, where those that equal one of `known` are any
    number instead: [(variable, value)]."""
    result = dict(values)
    for key, value in values.items():
        if value[0].size() != 64 or z3.is_bv_value(z3.simplify(value[0])):
            continue
        for variable, other in known:
            solver = z3.Solver()
            solver.set('timeout', 5000)
            solver.add(value[0] != other)
            if solver.check() == z3.unsat:
                result[key] = [variable]
    return result


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


def formulas(name, text, line):
    """(what, given, to be shown) for each part of the proof."""
    parts = split(text)
    start = Machine(line)
    start.run(parts[1])
    a, b = start.operands
    n, d = magnitude(name, a), magnitude(name, b)
    yield 'before the loop', [b != 0], [
        start.state['quotient'] == 0, start.state['remainder'] == 0] + \
        in_loop(start.state, d, 63)

    any_n, any_d = z3.BitVec('n', 64), z3.BitVec('d', 64)
    body = Machine(line)
    body.values = opaque(start.values, [(any_n, n), (any_d, d)])
    body.derefs = dict(start.derefs)
    body.any_state()
    before = dict(body.state)
    body.run(parts[2])
    leave = body.values[parts[3]][0] != 0
    yield 'the condition', [], [leave == (before['bit'] < 0)]
    body.run(parts[4])
    for i in range(64):
        yield f'a step at bit {i}', *step(before, body.state, any_n, any_d, i)

    end = Machine(line)
    end.values, end.derefs = dict(start.values), dict(start.derefs)
    end.any_state()
    q, r = end.state['quotient'], end.state['remainder']
    end.run(parts[5])
    yield 'after the loop', [
        b != 0, z3.ULT(r, d)], [end.result == meaning(name, a, b, q, r)]
