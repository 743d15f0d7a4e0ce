# SPDX-License-Identifier: MIT
"""The instruction word of the Mali-400 vertex processor ("GP"), as rows.

Enumerations, the field table, encoder, decoder, printer, parser, and what
checker and simulator call by name are generated from here.

Source of every fact: the public reverse-engineered description (Connor
Abbott's notes on the instruction set, Mesa's lima driver and its commit
messages). What is inferred rather than known stands in docs/utgard.rst.
"""

from collections import namedtuple

# --------------------------------------------------------------------------
# Fields. `parts`: (low bit, width, inverted), least significant part first.
# `kind` says how the value is named in text; `idle` is what a word that does
# nothing holds, and what the text leaves out.

Field = namedtuple('Field', 'member parts kind idle')

UNUSED = 21
STORE_NONE = 7
NO_OFFSET = 7
PASS_MOVE = 2
# With this target all of its bits are zero: one of them is inverted.
NO_TARGET = 0x100


def field(member, low, width, kind, idle=0):
    return Field(member, [(low, width, False)], kind, idle)


FIELDS = [
    field('mul_src[0][0]', 0, 5, 'src', UNUSED),
    field('mul_src[0][1]', 5, 5, 'src', UNUSED),
    field('mul_src[1][0]', 10, 5, 'src', UNUSED),
    field('mul_src[1][1]', 15, 5, 'src', UNUSED),
    field('mul_negate[0]', 20, 1, 'bool'),
    field('mul_negate[1]', 21, 1, 'bool'),
    field('add_src[0][0]', 22, 5, 'src', UNUSED),
    field('add_src[0][1]', 27, 5, 'src', UNUSED),
    field('add_src[1][0]', 32, 5, 'src', UNUSED),
    field('add_src[1][1]', 37, 5, 'src', UNUSED),
    field('add_negate[0][0]', 42, 1, 'bool'),
    field('add_negate[0][1]', 43, 1, 'bool'),
    field('add_negate[1][0]', 44, 1, 'bool'),
    field('add_negate[1][1]', 45, 1, 'bool'),
    field('uniform_index', 46, 9, 'index'),
    field('uniform_offset', 55, 3, 'offset', NO_OFFSET),
    field('port0_index', 58, 4, 'index'),
    field('port0_is_attribute', 62, 1, 'bool'),
    Field('port1_index', [(63, 1, False), (64, 3, False)], 'index', 0),
    field('store_is_temp[0]', 67, 1, 'bool'),
    field('store_is_temp[1]', 68, 1, 'bool'),
    field('branch', 69, 1, 'bool'),
    Field('branch_target', [(120, 8, False), (70, 1, True)], 'target',
          NO_TARGET),
    field('store_src[0][0]', 71, 3, 'store', STORE_NONE),
    field('store_src[0][1]', 74, 3, 'store', STORE_NONE),
    field('store_src[1][0]', 77, 3, 'store', STORE_NONE),
    field('store_src[1][1]', 80, 3, 'store', STORE_NONE),
    field('add_op', 83, 3, 'add'),
    field('complex_op', 86, 4, 'complex'),
    field('store_index[0]', 90, 4, 'index'),
    field('store_is_varying[0]', 94, 1, 'bool'),
    field('store_index[1]', 95, 4, 'index'),
    field('store_is_varying[1]', 99, 1, 'bool'),
    field('mul_op', 100, 3, 'mul'),
    field('pass_op', 103, 3, 'pass', PASS_MOVE),
    field('complex_src', 106, 5, 'src', UNUSED),
    field('pass_src', 111, 5, 'src', UNUSED),
    field('mode', 116, 4, 'mode'),
]

# --------------------------------------------------------------------------
# Units, and the ports for loads and stores.

# (name, what it is)
UNITS = [
    ('mul0', 'multiplier 0'), ('mul1', 'multiplier 1'),
    ('add0', 'adder 0'), ('add1', 'adder 1'),
    ('complex', 'table unit'), ('pass', 'pass unit'),
    ('port0', 'load port 0: attribute or register'),
    ('port1', 'load port 1: register'),
    ('uniform', 'load port for uniforms and temporaries'),
    ('store0', 'store port of x and y'), ('store1', 'store port of z and w'),
    ('branch', 'flow control'),
]
NUM_ALU_UNITS = 6

# (enumerator, text, code) of operands. Identity is what the code of the
# complex unit means as operand B of an adder or multiplier.
SOURCES = (
    [('PORT0_' + c, 'p0.' + c.lower(), i) for i, c in enumerate('XYZW')] +
    [('PORT1_' + c, 'p1.' + c.lower(), 4 + i) for i, c in enumerate('XYZW')] +
    [('UNKNOWN_%d' % i, 'src%d' % i, i) for i in range(8, 12)] +
    [('UNIFORM_' + c, 'u.' + c.lower(), 12 + i)
     for i, c in enumerate('XYZW')] +
    [('ADD0_1', 'add0@1', 16), ('ADD1_1', 'add1@1', 17),
     ('MUL0_1', 'mul0@1', 18), ('MUL1_1', 'mul1@1', 19),
     ('PASS_1', 'pass@1', 20), ('UNUSED', '-', UNUSED),
     ('COMPLEX_1', 'complex@1', 22), ('PASS_2', 'pass@2', 23),
     ('ADD0_2', 'add0@2', 24), ('ADD1_2', 'add1@2', 25),
     ('MUL0_2', 'mul0@2', 26), ('MUL1_2', 'mul1@2', 27)] +
    [('PORT0_%s_1' % c, 'p0.%s@1' % c.lower(), 28 + i)
     for i, c in enumerate('XYZW')])
IDENTITY_CODE = 22
IDENTITY_TEXT = 'ident'

# (enumerator, text, code): what a store port takes, of this instruction.
STORES = [('ADD0', 'add0', 0), ('ADD1', 'add1', 1), ('MUL0', 'mul0', 2),
          ('MUL1', 'mul1', 3), ('PASS', 'pass', 4), ('UNKNOWN_5', 'st5', 5),
          ('COMPLEX', 'complex', 6), ('NONE', '-', STORE_NONE)]

# Opcodes by unit: (name, code). A number without a row is unknown; its text
# is "op" and the number.
MUL_OPS = [('mul', 0), ('complex1', 1), ('complex2', 3), ('select', 4)]
ADD_OPS = [('add', 0), ('floor', 1), ('sign', 2), ('ge', 4), ('lt', 5),
           ('min', 6), ('max', 7)]
COMPLEX_OPS = [('none', 0), ('exp2', 2), ('log2', 3), ('rsqrt', 4),
               ('rcp', 5), ('move', 9), ('set_addr01', 10),
               ('set_store_addr', 12), ('set_addr1', 13), ('set_addr2', 14),
               ('set_addr3', 15)]
PASS_OPS = [('move', PASS_MOVE), ('preexp2', 4), ('postlog2', 5),
            ('clamp', 6)]
OPS = {'mul': MUL_OPS, 'add': ADD_OPS, 'complex': COMPLEX_OPS,
       'pass': PASS_OPS}
OP_WIDTH = {'mul': 3, 'add': 3, 'complex': 4, 'pass': 3}

MODES = [('NORMAL', 0), ('TEMP_STORE', 12), ('BRANCH', 13)]

# --------------------------------------------------------------------------
# Rules that the checker reports and the strict simulator traps on.

RULES = [
    ('UNKNOWN_SOURCE', 'source codes 8 to 11 have no known meaning'),
    ('UNKNOWN_OPCODE', 'the opcode has no known meaning'),
    ('UNKNOWN_OFFSET', 'address offset is neither none nor register 1 to 3'),
    ('UNKNOWN_MODE', 'the mode does not fit the temporary store or branch'),
    ('UNKNOWN_NEGATE', 'negation of what is no product is not known to work'),
    ('OPERAND_MISSING', 'an operand that the opcode needs is unused'),
    ('OPERAND_EXTRA', 'an operand that the opcode does not read'),
    ('IDLE_UNIT', 'reads a unit that issued nothing'),
    ('NO_RESULT', 'reads a unit whose result stands elsewhere or nowhere'),
    ('BEFORE_START', 'reads a result of before the first instruction'),
    ('CROSS_BLOCK', 'only registers carry values past a branch or into its '
                    'target'),
    ('COMPLEX1_AGE', "complex1's result is read exactly two later"),
    ('COMPLEX1_STORED', "complex1's result cannot be stored"),
    ('COMPLEX1_FORM', 'complex1 takes table, square, table, argument'),
    ('COMPLEX1_PARTS', "complex1's inputs belong to different arguments"),
    ('OPAQUE_MOVED', 'an opaque value read by other than its one reader'),
    ('OPAQUE_STORED', 'an opaque value cannot be stored'),
    ('OPAQUE_AGE', 'an opaque value read at another age than its sequence '
                   'has'),
    ('PREEXP2_FORM', 'the exp2 table and only it reads preexp2'),
    ('POSTLOG2_FORM', 'postlog2 reads complex1 of a log2, two later'),
    ('REGISTER_DELAY', 'a register is loaded less than 3 after its store'),
    ('TEMP_DELAY', 'a temporary is loaded less than 4 after its store'),
    ('ADDRESS_DELAY', 'an address register indexes less than 4 after it was '
                      'set'),
    ('STORE_KIND', 'a store port writes one kind: varying, register or '
                   'temporary'),
    ('STORE_SOURCE', 'store source 5 has no known meaning'),
    ('ADDRESS_UNSET', 'uses an address register that its block has not set'),
    ('BRANCH_FORM', 'a branch takes its condition from a pass unit that '
                    'moves'),
    ('BRANCH_TARGET', 'the target lies outside the program'),
    ('TOO_LONG', 'a program has at most 512 instructions'),
    ('EMPTY', 'a program has at least one instruction'),
    # Of the simulator alone.
    ('UNINITIALISED', 'reads what nothing has written'),
    ('ADDRESS_RANGE', 'an address lies outside of uniforms and temporaries'),
    ('ENDLESS', 'the limit of executed instructions is reached'),
]


def check_ops(kind, rows, width):
    faults = []
    for name, code in rows:
        if not 0 <= code < 1 << width:
            faults.append('%s opcode "%s": %d does not fit' % (
                kind, name, code))
    for column, what in ((0, 'name'), (1, 'code')):
        seen = [row[column] for row in rows]
        for value in sorted({v for v in seen if seen.count(v) > 1}, key=str):
            faults.append('%s opcodes: %s %s twice' % (kind, what, value))
    return faults


def check_bits(fields):
    """Each of the 128 bits has exactly one owner, and idle values fit."""
    faults = []
    owner = [None] * 128
    for f in fields:
        width = 0
        for low, bits, _ in f.parts:
            width += bits
            if low // 64 != (low + bits - 1) // 64:
                faults.append('"%s" crosses bit 64' % f.member)
            for bit in range(low, low + bits):
                if bit >= 128:
                    faults.append('"%s" has bit %d' % (f.member, bit))
                elif owner[bit] is not None:
                    faults.append('bit %d is in "%s" and in "%s"' % (
                        bit, owner[bit], f.member))
                else:
                    owner[bit] = f.member
        if not 0 <= f.idle < 1 << width:
            faults.append('"%s": idle value %d does not fit' % (
                f.member, f.idle))
    free = [str(bit) for bit in range(128) if owner[bit] is None]
    if free:
        faults.append('no owner for bits ' + ' '.join(free))
    return faults


def check(fields=None, ops=None, sources=None):
    """Every fault of the tables, as sentences."""
    faults = check_bits(fields or FIELDS)
    for kind, rows in (ops or OPS).items():
        faults += check_ops(kind, rows, OP_WIDTH[kind])
    codes = sorted(row[2] for row in (sources or SOURCES))
    if codes != list(range(32)):
        faults.append('sources do not name each of the 32 codes once')
    return faults
