#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves the integer lowerings that are written in C with z3: whatever the
operands are, the lowered code has the bits of the opcode.

usage: prove_lowerings.py [--timeout=S] [-v] LOWERED [WORD...]

LOWERED is the program of lowered_opcodes.c: it runs the passes on shaders of
one instruction each, for every opcode and bit size, and prints what they make
of them. The text is read here; opcodes mean what their rows say
(smt_opcodes.py). With words, only cases in whose name all of them are.

Division of 64 bits estimates by floats; what integers make of the estimates is
proven (smt_division.py). A case that is not proven is an error. Exit codes: 0
all proven, 1 wrong or not decided, 2 wrong use, 77 without z3.
"""
import argparse
import re
import subprocess
import sys
import time

import prove_rules  # exits without z3
import smt_division
import smt_opcodes
from nir_opcodes import LETTERS, opcodes, type_size

import z3

# Of 64 bits they estimate by floats: smt_division.py.
DIVISIONS = ('idiv', 'imod', 'irem', 'udiv', 'umod')
ROWS = {row.name: row for row in
        (opcodes.values() if isinstance(opcodes, dict) else opcodes)}
LINE = re.compile(r'vec(\d+)\s+(\d+) (?:con |div )?ssa_(\d+) = (.*)')
SOURCE = re.compile(r'ssa_(\d+)(?:\.([a-p]+|[xyzw]+))?$')


# --- Products ------------------------------------------------------------

class Products:
    """64-bit multiplication, which z3 does not decide as it is: products of
    two 32-bit halves are values of which only this is known, that the order
    of factors does not matter and that they are at most (2**32 - 1)**2. The
    rest is school: the distributive law over the halves' places."""
    OPCODES = ('amul', 'imul', 'imul_high', 'umul_high')

    def __init__(self):
        half, whole = z3.BitVecSort(32), z3.BitVecSort(64)
        self.function = z3.Function('product', half, half, whole)
        self.known = []

    def of(self, a, b):
        a, b = sorted((z3.simplify(a), z3.simplify(b)),
                      key=lambda v: v.get_id())
        p = self.function(a, b)
        self.known.append(z3.ULE(p, 0xfffffffe00000001))
        return p

    def full(self, a, b):
        """All bits of the product of numbers of 64 bits."""
        al, ah = z3.Extract(31, 0, a), z3.Extract(63, 32, a)
        bl, bh = z3.Extract(31, 0, b), z3.Extract(63, 32, b)

        def at(p, place):
            return z3.ZeroExt(64, p) << place

        return (at(self.of(al, bl), 0) + at(self.of(al, bh), 32) +
                at(self.of(ah, bl), 32) + at(self.of(ah, bh), 64))

    @staticmethod
    def if_negative(a, b):
        """b if a is negative, else 0; the sign as lowered code asks for it,
        so that both sides of a proof look alike."""
        negative = z3.Extract(a.size() - 1, a.size() - 32, a) < 0
        return z3.If(negative, b, z3.BitVecVal(0, b.size()))

    def value(self, name, a, b):
        """Of an opcode on operands of 32 or 64 bits; None: another one."""
        size = a.size()
        if size not in (32, 64) or \
                name not in self.OPCODES + ('umul_2x32_64',):
            return None
        full = self.of(a, b) if size == 32 else self.full(a, b)
        high = z3.Extract(2 * size - 1, size, full)
        if name == 'umul_2x32_64':
            return full
        if name == 'umul_high':
            return high
        if name == 'imul_high':
            return high - self.if_negative(a, b) - self.if_negative(b, a)
        return z3.Extract(size - 1, 0, full)


class NoFormula(Exception):
    """Control flow, floats, or an instruction that is not known here."""


def components(word, values):
    """Those that a source names."""
    match = SOURCE.match(word)
    if not match or match[1] not in values:
        raise NoFormula(f'source {word}')
    value = values[match[1]]
    if not match[2]:
        return value
    letters = 'xyzw' if len(value) <= 4 else 'abcdefghijklmnop'
    return [value[letters.index(x)] for x in match[2]]


def constants(text, size):
    """Of a load_const, what stands before the '=' of its comment."""
    words = [w.strip() for w in
             re.sub(r'/\*.*?\*/', '', text).split('=')[0].split(',')]
    return [z3.BitVecVal(-1 if w == 'true' else 0 if w == 'false'
                         else int(w, 0), size)
            for w in (w.strip('() ') for w in words)]


def free_size(row, size, sources):
    """The size of an instruction's types that have none of their own."""
    if not type_size(row.output_type):
        return size
    for source, t in zip(sources, row.input_types):
        if not type_size(t):
            return source[0].size()
    return 0


def evaluate(row, sources, bits, products):
    """As smt_opcodes does, but for products if there is such an object."""
    if products and len(sources) == 2 and len(sources[0]) == 1:
        value = products.value(row.name, sources[0][0], sources[1][0])
        if value is not None:
            return [value]
    return smt_opcodes.evaluate(row, sources, bits)


def instruction(count, size, text, values, products):
    """The components of what a line defines."""
    if text.startswith('load_const'):
        return constants(text[len('load_const ('):], size)
    words = text.split(None, 1)
    name = words[0].rstrip('!')
    row = ROWS.get(name)
    if not row:
        raise NoFormula(name)
    sources = [components(w.strip(), values) for w in words[1].split(',')]
    sources = [s if n else s[:count] for s, n in zip(sources, row.input_sizes)]
    try:
        return evaluate(row, sources, free_size(row, size, sources),
                        products)
    except smt_opcodes.NoInteger as why:
        raise NoFormula(f'float {why}') from why


class Carries:
    """Finds the sums and differences of 64 bits that are made of halves with
    a carry or borrow: for each value that is put together of halves of two
    others, z3 is asked with these two as any numbers. Whoever reads it then
    has one sum where there were seven instructions."""
    HALVES = re.compile(r'unpack_64_2x32_split_([xy]) ssa_(\d+)$')

    def __init__(self):
        self.values = {}  # of 32 bits and less, by names of whole ones
        self.names = {}   # the variable that stands for a whole one

    def whole(self, number):
        return self.names.setdefault(number, z3.BitVec(f'ssa_{number}', 64))

    def read(self, number, count, size, text, values):
        """After the line was evaluated; may give its value a shorter form."""
        half = self.HALVES.match(text)
        if half:
            low = 32 if half[1] == 'y' else 0
            self.values[number] = [z3.Extract(low + 31, low,
                                              self.whole(half[2]))]
        elif 'mul' not in text:
            try:
                self.values[number] = instruction(count, size, text,
                                                  self.values, None)
            except NoFormula:
                return
        if text.startswith('pack_64_2x32_split') and number in self.values:
            self.shorten(number, values)
            del self.values[number]

    def shorten(self, number, values):
        made = self.values[number][0]
        parts = [n for n, v in self.names.items() if n in values and
                 not z3.eq(z3.substitute(made, (v, v + 1)), made)]
        if len(parts) != 2:
            return
        for a, b in (parts, parts[::-1]):
            for join in (lambda x, y: x + y, lambda x, y: x - y):
                solver = z3.Solver()
                solver.set('timeout', 5000)
                solver.add(made != join(self.whole(a), self.whole(b)))
                if solver.check() == z3.unsat:
                    values[number] = [join(values[a][0], values[b][0])]
                    return


def read_shader(text, products=None):
    """(operands, result) of a shader's text: lists of components."""
    values = {}
    operands = []
    carries = Carries()
    result = None
    for line in text.split('\n'):
        line = line.strip()
        match = LINE.match(line)
        if match:
            count, size = int(match[1]), int(match[2])
            if match[4] == 'undefined':
                value = [z3.BitVec(f'{LETTERS[len(operands)]}.{c}', size)
                         for c in range(count)]
                operands.append(value)
            else:
                value = instruction(count, size, match[4], values,
                                    products)
            values[match[3]] = value
            if products and match[4] != 'undefined':
                carries.read(match[3], count, size, match[4], values)
        elif line.startswith('intrinsic store_ssbo'):
            result = components(re.search(r'\((ssa_\d+)', line)[1], values)
        elif re.match(r'(if|loop|decl_reg)\b', line):
            raise NoFormula('control flow')
    return operands, result


def prove_division(name, text, timeout_s):
    def line(at, values):
        match = LINE.match(at)
        return instruction(int(match[1]), int(match[2]), match[4], values,
                           None)

    for what, given, shown in smt_division.formulas(name, text, line):
        for formula in shown:
            solver = z3.Solver()
            solver.set('timeout', int(timeout_s * 1000))
            solver.add(*given, z3.Not(formula))
            answer = solver.check()
            if answer == z3.sat:
                return f'{what}: wrong for {solver.model()}'
            if answer != z3.unsat:
                return f'{what}: not decided'
    return 'proven'


def prove(name, bits, text, timeout_s):
    """'proven', 'not decided', or an example of operands."""
    if bits == 64 and name in DIVISIONS:
        return prove_division(name, text, timeout_s)
    products = None
    if bits == 64 and name in Products.OPCODES:
        products = Products()
    operands, after = read_shader(text, products)
    row = ROWS[name]
    before = evaluate(row, operands[:len(row.input_types)], bits, products)
    solver = z3.Solver()
    if products:
        solver.add(*products.known)
    solver.set('timeout', int(timeout_s * 1000))
    solver.add(z3.Or(*[z3.simplify(a - b) != 0
                       for a, b in zip(before, after)]))
    if name in prove_rules.DEFINED:
        solver.add(prove_rules.DEFINED[name]([o[0] for o in operands]))
    answer = solver.check()
    if answer == z3.unsat:
        return 'proven'
    if answer == z3.unknown:
        return 'not decided'
    model = solver.model()
    given = ', '.join(f'{v} = {model.eval(v, True).as_long():#x}'
                      for o in operands for v in o)
    sides = [hex(model.eval(v[0], True).as_long()) for v in (before, after)]
    return f'{sides[0]} became {sides[1]} with {given}'


def cases(program):
    """{(pass, opcode, bits): texts} of what the program prints."""
    out = subprocess.run([program], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    found = {}
    for part in re.split(r'^case ', out, flags=re.M)[1:]:
        head, text = part.split('\n', 1)
        name, opcode, bits = head.split()
        found.setdefault((name, opcode, int(bits)), set()).add(text)
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--timeout', type=float, default=60, metavar='S',
                        help='seconds for each formula (default: 60)')
    parser.add_argument('-v', '--verbose', action='store_true')
    parser.add_argument('lowered', metavar='LOWERED')
    parser.add_argument('words', nargs='*', metavar='WORD')
    args = parser.parse_args()

    start = time.monotonic()
    proven, bad = 0, 0
    for (name, opcode, bits), texts in cases(args.lowered).items():
        title = f'{name} {opcode} {bits}'
        if not all(w in title for w in args.words):
            continue
        for text in sorted(texts):
            # What its instructions become is in cases of their own.
            if bits == 64 and opcode in DIVISIONS and \
                    not smt_division.is_division(text) and \
                    any(smt_division.is_division(t) for t in texts):
                continue
            begin = time.monotonic()
            try:
                answer = prove(opcode, bits, text, args.timeout)
            except NoFormula as why:
                answer = f'no formula: {why}'
            if answer == 'proven':
                proven += 1
            else:
                bad += 1
                print(f'{title}: {answer}', flush=True)
            if args.verbose:
                print(f'{time.monotonic() - begin:7.2f} s  {title}: {answer}',
                      flush=True)
    print(f'{proven} lowerings proven, {bad} not, '
          f'{time.monotonic() - start:.0f} s')
    return 1 if bad or not proven else 0


if __name__ == '__main__':
    sys.exit(main())
