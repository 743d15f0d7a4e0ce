# SPDX-License-Identifier: MIT
"""What NIR's integer opcodes mean, as formulas for z3.

The meaning is not written a second time: the C expression in an opcode's row
of nir_opcodes.py, from which constant folder and interpreter are made, is
parsed here and turned into bit vectors by C's own rules (promotion, the usual
conversions, casts). The functions that expressions call are in FUNCTIONS,
written from their contracts in nir_constant_helpers.h.

A value of NIR is a bit vector of its bit size; one of C, a `C`.
"""
import re

import z3

from nir_opcodes import LETTERS, type_base, type_size

TOKEN = re.compile(r'\s*(?:(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)|'
                   r'([A-Za-z_][\w.]*|<<|>>|<=|>=|==|!=|&&|\|\||'
                   r'[-+*/%&|^~!<>?:(),]))')
LEVELS = [('||',), ('&&',), ('|',), ('^',), ('&',), ('==', '!='),
          ('<', '<=', '>', '>='), ('<<', '>>'), ('+', '-'), ('*', '/', '%')]
TYPES = {'int': (32, True), 'unsigned': (32, False), 'bool': (1, False)}
for _bits in (8, 16, 32, 64):
    TYPES[f'int{_bits}_t'] = (_bits, True)
    TYPES[f'uint{_bits}_t'] = (_bits, False)


class NoInteger(Exception):
    """An expression with floats in it, or a word that is not known here."""


class C:
    """A value of C: bits and signedness."""

    def __init__(self, bits, signed):
        self.bits = bits
        self.signed = signed

    @property
    def size(self):
        return self.bits.size()

    def to(self, size, signed):
        return C(resize(self.bits, size, self.signed), signed)

    def promoted(self):
        return self if self.size >= 32 else self.to(32, True)

    def truth(self):
        return self.bits != 0


LOW = {z3.Z3_OP_BADD, z3.Z3_OP_BSUB, z3.Z3_OP_BMUL, z3.Z3_OP_BAND,
       z3.Z3_OP_BOR, z3.Z3_OP_BXOR, z3.Z3_OP_BNOT, z3.Z3_OP_BNEG}


def low(v, size):
    """The low bits; taken of the operands where only theirs count, so that
    64-bit C arithmetic on small values is small again."""
    if v.size() == size:
        return v
    kind = v.decl().kind()
    if kind in LOW:
        args = [low(a, size) for a in v.children()]
        return rebuilt(kind, args)
    if kind in (z3.Z3_OP_SIGN_EXT, z3.Z3_OP_ZERO_EXT):
        inner = v.children()[0]
        if inner.size() >= size:
            return low(inner, size)
        extend = z3.SignExt if kind == z3.Z3_OP_SIGN_EXT else z3.ZeroExt
        return extend(size - inner.size(), inner)
    if kind == z3.Z3_OP_ITE:
        cond, yes, no = v.children()
        return z3.If(cond, low(yes, size), low(no, size))
    return z3.Extract(size - 1, 0, v)


def rebuilt(kind, args):
    if kind == z3.Z3_OP_BNOT:
        return ~args[0]
    if kind == z3.Z3_OP_BNEG:
        return -args[0]
    steps = {z3.Z3_OP_BADD: lambda x, y: x + y,
             z3.Z3_OP_BSUB: lambda x, y: x - y,
             z3.Z3_OP_BMUL: lambda x, y: x * y,
             z3.Z3_OP_BAND: lambda x, y: x & y,
             z3.Z3_OP_BOR: lambda x, y: x | y,
             z3.Z3_OP_BXOR: lambda x, y: x ^ y}
    result = args[0]
    for arg in args[1:]:
        result = steps[kind](result, arg)
    return result


def resize(v, size, signed):
    if size <= v.size():
        return low(v, size)
    return (z3.SignExt if signed else z3.ZeroExt)(size - v.size(), v)


def number(value, size=32, signed=True):
    return C(z3.BitVecVal(value, size), signed)


def boolean(condition):
    return C(z3.If(condition, z3.BitVecVal(1, 32), z3.BitVecVal(0, 32)),
             True)


def balanced(a, b):
    """The usual arithmetic conversions."""
    a, b = a.promoted(), b.promoted()
    size = max(a.size, b.size)
    signed = all(v.signed for v in (a, b) if v.size == size)
    return a.to(size, signed), b.to(size, signed)


def binary(op, a, b):
    if op in ('&&', '||'):
        join = z3.And if op == '&&' else z3.Or
        return boolean(join(a.truth(), b.truth()))
    if op in ('<<', '>>'):
        a = a.promoted()
        by = resize(b.bits, a.size, b.signed)
        if op == '<<':
            return C(a.bits << by, a.signed)
        return C(a.bits >> by if a.signed else z3.LShR(a.bits, by), a.signed)
    a, b = balanced(a, b)
    x, y, s = a.bits, b.bits, a.signed
    compare = {'==': lambda: x == y, '!=': lambda: x != y,
               '<': lambda: x < y if s else z3.ULT(x, y),
               '<=': lambda: x <= y if s else z3.ULE(x, y),
               '>': lambda: x > y if s else z3.UGT(x, y),
               '>=': lambda: x >= y if s else z3.UGE(x, y)}
    if op in compare:
        return boolean(compare[op]())
    value = {'+': lambda: x + y, '-': lambda: x - y, '*': lambda: x * y,
             '&': lambda: x & y, '|': lambda: x | y, '^': lambda: x ^ y,
             '/': lambda: x / y if s else z3.UDiv(x, y),
             '%': lambda: z3.SRem(x, y) if s else z3.URem(x, y)}
    return C(value[op](), s)


class Parser:
    """One expression of C over named values."""

    def __init__(self, text, names):
        self.tokens = []
        at = 0
        while at < len(text.rstrip()):
            match = TOKEN.match(text, at)
            if not match:
                raise NoInteger(text[at:])
            self.tokens.append((match[1] or match[3],
                                (match[2] or '').lower()))
            at = match.end()
        self.tokens.append(('', ''))
        self.at = 0
        self.names = names

    def peek(self):
        return self.tokens[self.at][0]

    def take(self, wanted=None):
        token = self.tokens[self.at]
        if wanted and token[0] != wanted:
            raise NoInteger(f'{token[0]!r}, not {wanted!r}')
        self.at += 1
        return token

    def whole(self):
        value = self.choice()
        if self.peek():
            raise NoInteger(self.peek())
        return value

    def choice(self):
        cond = self.level(0)
        if self.peek() != '?':
            return cond
        self.take('?')
        yes = self.choice()
        self.take(':')
        no = self.choice()
        yes, no = balanced(yes, no)
        return C(z3.If(cond.truth(), yes.bits, no.bits), yes.signed)

    def level(self, n):
        if n == len(LEVELS):
            return self.unary()
        value = self.level(n + 1)
        while self.peek() in LEVELS[n]:
            op = self.take()[0]
            value = binary(op, value, self.level(n + 1))
        return value

    def unary(self):
        token = self.peek()
        if token in ('-', '~', '!', '+'):
            self.take()
            value = self.unary()
            if token == '!':
                return boolean(z3.Not(value.truth()))
            value = value.promoted()
            bits = {'-': lambda v: -v, '~': lambda v: ~v,
                    '+': lambda v: v}[token](value.bits)
            return C(bits, value.signed)
        if token == '(' and self.tokens[self.at + 1][0] in TYPES and \
                self.tokens[self.at + 2][0] == ')':
            self.take('(')
            size, signed = TYPES[self.take()[0]]
            self.take(')')
            return self.unary().to(size, signed)
        return self.primary()

    def primary(self):
        token, suffix = self.take()
        if token == '(':
            value = self.choice()
            self.take(')')
            return value
        if token[:1].isdigit():
            return literal(int(token, 0), suffix)
        if self.peek() == '(':
            return self.call(token)
        if token not in self.names:
            raise NoInteger(token)
        return self.names[token]

    def call(self, name):
        if name not in FUNCTIONS:
            raise NoInteger(name)
        args = []
        self.take('(')
        while self.peek() != ')':
            args.append(self.choice())
            if self.peek() != ')':
                self.take(',')
        self.take(')')
        return FUNCTIONS[name](*args)


def literal(value, suffix):
    wide = 'l' in suffix or value >= 1 << 32
    signed = 'u' not in suffix and value < 1 << (63 if wide else 31)
    return number(value, 64 if wide else 32, signed)


# --- What expressions call ----------------------------------------------------

def known(c):
    """A parameter that is a number in each expression: the bit size."""
    return z3.simplify(c.bits).as_long()


def wide(c, signed):
    return c.to(64, signed).bits


def highest_bit(v, none):
    """Index of the highest set bit, 32 bits wide; `none` if there is none."""
    result = z3.BitVecVal(none, 32)
    for i in range(v.size()):
        result = z3.If(z3.Extract(i, i, v) == 1, z3.BitVecVal(i, 32), result)
    return result


def lowest_bit(v, none):
    result = z3.BitVecVal(none, 32)
    for i in reversed(range(v.size())):
        result = z3.If(z3.Extract(i, i, v) == 1, z3.BitVecVal(i, 32), result)
    return result


def popcount(v):
    total = z3.BitVecVal(0, 32)
    for i in range(v.size()):
        total = total + z3.ZeroExt(31, z3.Extract(i, i, v))
    return C(total, True)


def clz(v):
    """Of 32 bits that are not all zero."""
    return C(z3.BitVecVal(31, 32) - highest_bit(v.to(32, False).bits, 0),
             True)


def saturating(signed, sign):
    """a + b or a - b in as many bits as hold it, brought into range."""
    def function(a, b, bits):
        n = known(bits)
        extend = z3.SignExt if signed else z3.ZeroExt
        x, y = (extend(2, resize(v.bits, n, signed)) for v in (a, b))
        r = x + y if sign > 0 else x - y
        top = z3.BitVecVal((1 << (n - signed)) - 1, n + 2)
        bottom = z3.BitVecVal(-(1 << (n - 1)) if signed else 0, n + 2)
        r = z3.If(r > top, top, z3.If(r < bottom, bottom, r))
        return C(resize(r, 64, signed), signed)
    return function


def high_product(signed):
    def function(a, b, bits):
        n = known(bits)
        extend = z3.SignExt if signed else z3.ZeroExt
        x, y = (extend(n, resize(v.bits, n, signed)) for v in (a, b))
        return C(resize(z3.Extract(2 * n - 1, n, x * y), 64, signed), signed)
    return function


def idiv(a, b):
    x, y = wide(a, True), wide(b, True)
    return C(z3.If(y == 0, z3.BitVecVal(0, 64), x / y), True)


def irem(a, b):
    x, y = wide(a, True), wide(b, True)
    return C(z3.If(y == 0, z3.BitVecVal(0, 64), z3.SRem(x, y)), True)


def imod(a, b):
    x, y = wide(a, True), wide(b, True)
    return C(z3.If(y == 0, z3.BitVecVal(0, 64), x % y), True)


def rotate_left(v, by, bits):
    n = known(bits)
    x = resize(v.bits, n, False)
    count = resize(by.bits, n, False) & (n - 1)
    return C(z3.ZeroExt(64 - n, z3.RotateLeft(x, count)) if n < 64 else
             z3.RotateLeft(x, count), False)


def field(signed):
    """A field of 32 bits; what lies beyond bit 31 is cut."""
    def function(base, offset, count):
        x = base.to(32, signed).bits
        at, n = offset.to(32, False).bits, count.to(32, False).bits
        shift = (lambda a, b: a >> b) if signed else z3.LShR
        inside = shift(x << (32 - n - at), 32 - n)
        return C(z3.If(n == 0, z3.BitVecVal(0, 32),
                       z3.If(z3.ULT(at + n, 32), inside, shift(x, at))),
                 signed)
    return function


def bitfield_insert(base, insert, offset, bits):
    x, y = base.to(32, False).bits, insert.to(32, False).bits
    at, n = offset.to(32, True).bits, bits.to(32, True).bits
    ones = z3.BitVecVal(-1, 32)
    mask = z3.If(n == 32, ones, ~(ones << n)) << at
    outside = z3.Or(at < 0, n < 0,
                    z3.SignExt(32, at) + z3.SignExt(32, n) > 32)
    return C(z3.If(n == 0, x, z3.If(outside, z3.BitVecVal(0, 32),
                                    (x & ~mask) | ((y << at) & mask))),
             False)


def bitfield_reverse(v):
    bits = v.to(32, False).bits
    return C(z3.Concat(*[z3.Extract(i, i, bits) for i in range(32)]), False)


def ifind_msb(v):
    x = wide(v, True)
    x = z3.If(x < 0, ~x, x)
    return C(highest_bit(x, -1), True)


FUNCTIONS = {
    'nir_zext': lambda v, n: C(z3.ZeroExt(
        64 - known(n), resize(v.bits, known(n), v.signed))
        if known(n) < 64 else wide(v, v.signed), False),
    'nir_iadd_sat': saturating(True, 1),
    'nir_isub_sat': saturating(True, -1),
    'nir_uadd_sat': saturating(False, 1),
    'nir_imul_high': high_product(True),
    'nir_umul_high': high_product(False),
    'nir_idiv': idiv, 'nir_irem': irem, 'nir_imod': imod,
    'nir_rotate_left': rotate_left,
    'nir_ubfe': field(False), 'nir_ibfe': field(True),
    'nir_bitfield_insert': bitfield_insert,
    'nir_bitfield_reverse': bitfield_reverse,
    'nir_ifind_msb': ifind_msb,
    'util_logbase2': lambda v: C(highest_bit(v.bits, 0), False),
    '__builtin_popcountll': lambda v: popcount(v.bits),
    '__builtin_clz': clz,
    '__builtin_ctz': lambda v: C(lowest_bit(v.bits, 0), True),
    '__builtin_ctzll': lambda v: C(lowest_bit(v.bits, 0), True),
}


# --- Opcodes --------------------------------------------------------------------

def loaded(t, v):
    """A source of NIR as the C variable that an expression sees."""
    base = type_base(t)
    if base == 'bool':
        return boolean(v != 0).to(8, False)
    if base == 'float':
        raise NoInteger(t)
    if v.size() == 1:
        return C(resize(v, 8, base == 'int'), base == 'int')
    return C(v, base == 'int')


def stored(t, c, bits):
    """The result of an expression as a value of NIR."""
    size = type_size(t) or bits
    if type_base(t) == 'float':
        raise NoInteger(t)
    if type_base(t) == 'bool':
        ones = z3.BitVecVal(-1, size)
        return z3.If(c.truth(), ones, z3.BitVecVal(0, size))
    return resize(c.bits, size, c.signed)


def evaluate(row, sources, bits):
    """The components of an opcode's result. `sources` are the components of
    each source, `bits` the size of the types that have none of their own. A
    NoInteger says that floats are in it."""
    for t in [row.output_type] + row.input_types:
        if type_base(t) == 'float':
            raise NoInteger(row.name)
    text = row.expr.strip()
    names = {'bit_size': number(bits)}
    for i, (size, t) in enumerate(zip(row.input_sizes, row.input_types)):
        for c in range(size):
            names[f'src{i}.{LETTERS[c]}'] = loaded(t, sources[i][c])

    def value(expression):
        c_size = max(type_size(row.output_type) or bits, 8)
        result = Parser(expression, names).whole()
        if type_base(row.output_type) == 'bool':
            return result
        return result.to(c_size, type_base(row.output_type) == 'int')

    if row.output_size:
        parts = dict(re.findall(r'dst\.(\w) = ([^;]*);', text))
        return [stored(row.output_type, value(parts[LETTERS[c]]), bits)
                for c in range(row.output_size)]
    results = []
    per = [i for i, size in enumerate(row.input_sizes) if size == 0]
    for c in range(max(len(sources[i]) for i in per)):
        for i in per:
            names[f'src{i}'] = loaded(row.input_types[i], sources[i][c])
        match = re.fullmatch(r'dst = ([^;]*);', text)
        results.append(stored(row.output_type,
                              value(match[1] if match else text), bits))
    return results
