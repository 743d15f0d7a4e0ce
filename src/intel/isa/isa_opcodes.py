# SPDX-License-Identifier: MIT
"""The EU's opcodes, types, register files and the other named codes.

One row is one fact; everything that C needs about it is generated from here
(enumerators, information tables, decode tables, the assembler's words).

Sources: PRM IVB vol 4 part 3, HSW vol 7 and vol 2b, BDW vol 7 and vol 2a,
SKL vol 7 and vol 2a ("EU Opcode Encoding", "Instruction reference",
"Numeric data type encoding"); names as Intel's assembler spells them.
"""

from collections import namedtuple

GENS = ('ivb', 'hsw', 'bdw', 'skl')
GEN_NUMBERS = {'ivb': 70, 'hsw': 75, 'bdw': 80, 'skl': 90}

# --------------------------------------------------------------------------
# Types: name, bytes in a register, code as a register / as an immediate /
# in a three-source instruction, per generation (None: not there).

Type = namedtuple('Type', 'name size reg imm src3 cls')


def per_gen(**codes):
    """per_gen(all=1) or per_gen(g7=1, g8=2): a code for each generation."""
    groups = {'all': GENS, 'g7': ('ivb', 'hsw'), 'g8': ('bdw', 'skl')}
    result = dict.fromkeys(GENS)
    for key, code in codes.items():
        for gen in groups.get(key, (key,)):
            result[gen] = code
    return result


NO = per_gen()

TYPES = [
    Type('ud', 4, per_gen(all=0), per_gen(all=0), per_gen(all=2), 'uint'),
    Type('d', 4, per_gen(all=1), per_gen(all=1), per_gen(all=1), 'int'),
    Type('uw', 2, per_gen(all=2), per_gen(all=2), NO, 'uint'),
    Type('w', 2, per_gen(all=3), per_gen(all=3), NO, 'int'),
    Type('ub', 1, per_gen(all=4), NO, NO, 'uint'),
    Type('b', 1, per_gen(all=5), NO, NO, 'int'),
    Type('uq', 8, per_gen(g8=8), per_gen(g8=8), NO, 'uint'),
    Type('q', 8, per_gen(g8=9), per_gen(g8=9), NO, 'int'),
    Type('hf', 2, per_gen(g8=10), per_gen(g8=11), per_gen(g8=4), 'float'),
    Type('f', 4, per_gen(all=7), per_gen(all=7), per_gen(all=0), 'float'),
    Type('df', 8, per_gen(all=6), per_gen(g8=10), per_gen(all=3), 'float'),
    # Packed vectors exist only as immediates: 8 x 4 bits, 4 x 8-bit float.
    Type('uv', 4, NO, per_gen(all=4), NO, 'uint'),
    Type('v', 4, NO, per_gen(all=6), NO, 'int'),
    Type('vf', 4, NO, per_gen(all=5), NO, 'float'),
]

# --------------------------------------------------------------------------
# Other named codes. (name in C, text, hardware code)

COND_MODS = [
    ('none', '', 0), ('z', 'eq', 1), ('nz', 'ne', 2), ('g', 'gt', 3),
    ('ge', 'ge', 4), ('l', 'lt', 5), ('le', 'le', 6), ('o', 'ov', 8),
    ('u', 'un', 9),
]

# Align1 and Align16 give different meanings to the same codes.
PREDICATES = [
    # name, text, Align1 code, Align16 code
    ('none', '', 0, 0),
    ('normal', '', 1, 1),
    ('anyv', 'anyv', 2, None),
    ('allv', 'allv', 3, None),
    ('any2h', 'any2h', 4, None),
    ('all2h', 'all2h', 5, None),
    ('any4h', 'any4h', 6, 6),
    ('all4h', 'all4h', 7, 7),
    ('any8h', 'any8h', 8, None),
    ('all8h', 'all8h', 9, None),
    ('any16h', 'any16h', 10, None),
    ('all16h', 'all16h', 11, None),
    ('any32h', 'any32h', 12, None),
    ('all32h', 'all32h', 13, None),
    ('x', 'x', None, 2),
    ('y', 'y', None, 3),
    ('z', 'z', None, 4),
    ('w', 'w', None, 5),
]

# name, text, code, sources, generations
ALL = GENS
GEN8UP = ('bdw', 'skl')
MATH_FUNCTIONS = [
    ('inv', 'inv', 1, 1, ALL),
    ('log', 'log', 2, 1, ALL),
    ('exp', 'exp', 3, 1, ALL),
    ('sqrt', 'sqt', 4, 1, ALL),
    ('rsq', 'rsqt', 5, 1, ALL),
    ('sin', 'sin', 6, 1, ALL),
    ('cos', 'cos', 7, 1, ALL),
    ('fdiv', 'fdiv', 9, 2, ALL),
    ('pow', 'pow', 10, 2, ALL),
    ('int_div_both', 'idiv', 11, 2, ALL),
    ('int_div_quotient', 'iqot', 12, 2, ALL),
    ('int_div_remainder', 'irem', 13, 2, ALL),
    ('invm', 'invm', 14, 2, GEN8UP),
    ('rsqrtm', 'rsqtm', 15, 1, GEN8UP),
]

# Shared functions: PRM "Shared Function ID".
SFIDS = [
    ('null', 0), ('sampler', 2), ('gateway', 3), ('sampler_cache', 4),
    ('render_cache', 5), ('urb', 6), ('thread_spawner', 7), ('vme', 8),
    ('const_cache', 9), ('data_cache0', 10), ('pixel_interp', 11),
    ('data_cache1', 12), ('cre', 13),
]

# Architecture registers: high half of the register number.
# name, text, high nibble, registers (None: no number is written)
ARFS = [
    ('null', 'null', 0x00, None),
    ('address', 'a', 0x10, 1),
    ('acc', 'acc', 0x20, 10),
    ('flag', 'f', 0x30, 2),
    ('channel_enable', 'ce', 0x40, None),
    ('message_control', 'msg', 0x50, 4),
    ('stack_pointer', 'sp', 0x60, None),
    ('state', 'sr', 0x70, 2),
    ('control', 'cr', 0x80, 1),
    ('notification', 'n', 0x90, 1),
    ('ip', 'ip', 0xa0, None),
    ('thread_dependency', 'tdr', 0xb0, 1),
    ('timestamp', 'tm', 0xc0, 1),
    ('flow_control', 'fc', 0xd0, 5),
    ('debug', 'dbg', 0xf0, 1),
]

# --------------------------------------------------------------------------
# Opcodes.
#
# fmt    how the 128 bits are divided (isa_fields.py)
# nsrc   sources that the instruction reads
# flags  sat   may saturate         cmod  may take a conditional modifier
#        mods  source negate/abs    logic negate means NOT on Gen8+
#        pred  may be predicated
#        acc_read, acc_write  the accumulator, though no operand names it
#        jip, uip  carries that jump offset
#        flow  changes the instruction pointer
#        flagd always writes the flag; cmodreq  needs a conditional modifier
# types  which destinations go with which sources: goes()

Op = namedtuple('Op', 'name hw fmt nsrc flags types text')
# seen: of a row that the manual's page has not, who emits it on chips.
Types = namedtuple('Types', 'gens dst src seen')

BYTE = 'ub b'
WORD = 'uw w'
DWORD = 'ud d'
QWORD = 'uq q'
W32 = WORD + ' ' + DWORD
INT = BYTE + ' ' + W32

G7 = ('ivb', 'hsw')
G75 = ('hsw',)
G75UP = ('hsw', 'bdw', 'skl')
G9 = ('skl',)


def goes(dst, src, gens=ALL, seen=None):
    """Each of these destinations goes with sources of any of these types."""
    return [Types(gens, dst.split(), src.split(), seen)]


def each_alone(names, gens=ALL):
    """Destination and sources are of one type."""
    return [row for name in names.split() for row in goes(name, name, gens)]


# Integers of 64 bits go with all but bytes. F and HF meet in one instruction
# on Skylake; Broadwell, which computes with HF, only converts. (Intel's
# assembler has one table for Broadwell and Cherryview, which does both:
# chip rule EU-59.)
INTEGERS = (goes(INT, INT) + goes(QWORD, QWORD + ' ' + W32, GEN8UP) +
            goes(W32, QWORD + ' ' + W32, GEN8UP))
MIXED = goes('hf f', 'hf f', G9)
FLOATS = each_alone('f df') + each_alone('hf', GEN8UP) + MIXED
TO_FLOAT = goes('f', INT) + goes('hf', INT, GEN8UP)
CONVERSIONS = (TO_FLOAT + goes(INT, 'f') + goes('df', W32 + ' f') +
               goes(W32 + ' f', 'df') + goes(QWORD, 'f df', GEN8UP) +
               goes('f df', QWORD, GEN8UP) + goes('hf', 'f', GEN8UP) +
               goes(INT + ' f', 'hf', GEN8UP))
# As wide as the factors at least; dwords to 64 bits since Broadwell.
PRODUCTS = (goes(BYTE, BYTE) + goes(WORD, BYTE + ' ' + WORD) +
            goes(DWORD, INT) + goes(QWORD, DWORD, GEN8UP) +
            goes(WORD, W32, GEN8UP,
                 seen='intel-vaapi-driver: the low word of D times W'))
ONE_F = goes('f', 'f')
# What stands in 32 bits has no sign: IGC gives MACH and divisions of UD a
# destination of D, Mesa so FBH, and BFI1 of D one of UD.
SIGN = 'IGC 1.0.12504, Mesa 22.3: the sign of a destination says nothing'
BITS = goes('ud', 'ud') + goes('d', 'ud', seen=SIGN)


def op(name, hw, fmt, nsrc, flags='', types=(), gens=ALL):
    """One row; `hw` is the number on every generation in `gens`."""
    return Op(name, {g: hw for g in gens}, fmt, nsrc, flags.split(),
              list(types), name)


def destinations(row):
    """Types that an opcode writes, whatever its sources are."""
    return sorted({name for types in row.types for name in types.dst})


def sources(row):
    return sorted({name for types in row.types for name in types.src})


ALU = 'pred sat cmod mods'

OPCODES = [
    op('illegal', 0, 'none', 0),
    op('mov', 1, 'basic1', 1, ALU, INTEGERS + FLOATS + CONVERSIONS),
    op('sel', 2, 'basic2', 2, ALU, INTEGERS + FLOATS),
    op('movi', 3, 'basic1', 1, 'pred sat mods', each_alone(INT + ' f')),
    op('not', 4, 'basic1', 1, 'pred cmod mods logic', INTEGERS),
    op('and', 5, 'basic2', 2, 'pred cmod mods logic', INTEGERS),
    op('or', 6, 'basic2', 2, 'pred cmod mods logic', INTEGERS),
    op('xor', 7, 'basic2', 2, 'pred cmod mods logic', INTEGERS),
    # The manual has SHR of unsigned numbers only; stock drivers have others.
    op('shr', 8, 'basic2', 2, ALU, INTEGERS),
    op('shl', 9, 'basic2', 2, ALU, INTEGERS),
    # The immediate covers the flag's number: no predicate. Its type in the
    # encoding is F, here it is DF, what it is.
    op('dim', 10, 'basic1', 1, '', goes('df', 'df'), gens=G75),
    op('smov', 10, 'basic2', 2, 'pred',
       goes(W32 + ' uq q f df', W32 + ' uq q f df') +
       goes(W32 + ' uq q hf f df', W32 + ' uq q hf f df', G9),
       gens=GEN8UP),
    op('asr', 12, 'basic2', 2, ALU, INTEGERS),
    op('cmp', 16, 'basic2', 2, 'pred cmod mods cmodreq',
       INTEGERS + FLOATS + TO_FLOAT),
    op('cmpn', 17, 'basic2', 2, 'pred cmod mods cmodreq',
       INTEGERS + FLOATS + TO_FLOAT),
    op('csel', 18, 'src3', 3, 'sat cmod mods cmodreq', ONE_F,
       gens=GEN8UP),
    # The manual has W only; stock drivers have UD in Align16.
    op('f32to16', 19, 'basic1', 1, ALU, goes(W32, 'f'), gens=G7),
    op('f16to32', 20, 'basic1', 1, ALU, goes('f', W32), gens=G7),
    op('bfrev', 23, 'basic1', 1, 'pred', BITS),
    op('bfe', 24, 'src3', 3, 'pred', each_alone(DWORD)),
    op('bfi1', 25, 'basic2', 2, 'pred', each_alone(DWORD) +
       goes(DWORD, DWORD, seen='Mesa 22.3: bitfieldInsert, UD of two D')),
    op('bfi2', 26, 'src3', 3, 'pred', each_alone(DWORD)),
    op('jmpi', 32, 'jmpi', 1, 'pred flow jip'),
    op('brd', 33, 'branch1', 1, 'pred flow jip'),
    op('if', 34, 'branch2', 0, 'pred flow jip uip'),
    op('brc', 35, 'branch2', 1, 'pred flow jip uip'),
    op('else', 36, 'branch2', 0, 'flow jip uip'),
    op('endif', 37, 'branch1', 0, 'flow jip'),
    op('while', 39, 'branch1', 0, 'pred flow jip'),
    op('break', 40, 'branch2', 0, 'pred flow jip uip'),
    op('cont', 41, 'branch2', 0, 'pred flow jip uip'),
    op('halt', 42, 'branch2', 0, 'pred flow jip uip'),
    op('calla', 43, 'call', 1, 'pred flow jip', gens=G75UP),
    op('call', 44, 'call', 1, 'pred flow jip'),
    op('ret', 45, 'ret', 1, 'pred flow'),
    op('goto', 46, 'branch2', 0, 'pred flow jip uip', gens=GEN8UP),
    op('join', 47, 'branch1', 0, 'pred flow jip', gens=GEN8UP),
    op('wait', 48, 'wait', 1, ''),
    op('send', 49, 'send', 1, 'pred'),
    op('sendc', 50, 'send', 1, 'pred'),
    op('sends', 51, 'sends', 2, 'pred', gens=G9),
    op('sendsc', 52, 'sends', 2, 'pred', gens=G9),
    op('math', 56, 'math', 2, 'pred sat mods',
       each_alone('f ' + DWORD) + each_alone('df', GEN8UP) + goes('d', 'ud', seen=SIGN) +
       goes('ud', 'd', seen=SIGN) + MIXED),
    op('add', 64, 'basic2', 2, ALU, INTEGERS + FLOATS + TO_FLOAT),
    op('mul', 65, 'basic2', 2, ALU, PRODUCTS + FLOATS),
    op('avg', 66, 'basic2', 2, ALU, goes(INT, INT)),
    # The manual has no saturation; stock drivers saturate it, on chips.
    op('frc', 67, 'basic1', 1, ALU, ONE_F),
    op('rndu', 68, 'basic1', 1, ALU, ONE_F),
    op('rndd', 69, 'basic1', 1, ALU, ONE_F),
    op('rnde', 70, 'basic1', 1, ALU, ONE_F),
    op('rndz', 71, 'basic1', 1, ALU, ONE_F),
    op('mac', 72, 'basic2', 2, ALU + ' acc_read',
       goes(INT, BYTE + ' ' + WORD) + FLOATS),
    op('mach', 73, 'basic2', 2, ALU + ' acc_read acc_write',
       each_alone(DWORD) + goes('d', 'ud', seen=SIGN) +
       goes('ud', 'd', seen=SIGN)),
    op('lzd', 74, 'basic1', 1, ALU, goes('ud', DWORD) +
       goes('d', DWORD, seen=SIGN)),
    op('fbh', 75, 'basic1', 1, 'pred', goes('ud', DWORD) +
       goes('d', DWORD, seen=SIGN)),
    # The manual has UD only; stock drivers have 8 and 16 bits of a flag.
    op('fbl', 76, 'basic1', 1, 'pred', goes('ud', 'ub uw ud') +
       goes('d', 'ub uw ud', seen=SIGN)),
    op('cbit', 77, 'basic1', 1, 'pred', goes('ud', 'ub uw ud') +
       goes('d', 'ub uw ud', seen=SIGN)),
    op('addc', 78, 'basic2', 2, 'pred cmod acc_write', BITS),
    op('subb', 79, 'basic2', 2, 'pred sat cmod acc_write', BITS),
    op('sad2', 80, 'basic2', 2, ALU, goes(WORD, BYTE)),
    op('sada2', 81, 'basic2', 2, ALU + ' acc_read', goes(WORD, BYTE)),
    op('dp4', 84, 'basic2', 2, ALU, ONE_F),
    op('dph', 85, 'basic2', 2, ALU, ONE_F),
    op('dp3', 86, 'basic2', 2, ALU, ONE_F),
    op('dp2', 87, 'basic2', 2, ALU, ONE_F),
    op('line', 89, 'basic2', 2, ALU, ONE_F),
    op('pln', 90, 'basic2', 2, 'pred sat cmod', ONE_F),
    op('mad', 91, 'src3', 3, ALU, FLOATS),
    op('lrp', 92, 'src3', 3, ALU, ONE_F),
    op('madm', 93, 'src3', 3, ALU, each_alone('f df'), gens=GEN8UP),
    op('nop', 126, 'none', 0),
]


def check(opcodes=None, types=None):
    """Faults of the tables as sentences: a number with two meanings, a name
    twice, a row that no generation has, an unknown type or number."""
    opcodes = OPCODES if opcodes is None else opcodes
    types = TYPES if types is None else types
    faults = []
    names = [o.name for o in opcodes]
    faults += ['opcode "%s" has two rows' % n for n in sorted(set(names))
               if names.count(n) > 1]
    known = {ty.name for ty in types}
    for gen in GENS:
        meaning = {}
        for o in opcodes:
            hw = o.hw.get(gen)
            if hw is None:
                continue
            if not 0 <= hw < 128:
                faults.append('%s: opcode "%s" has number %d' % (
                    gen, o.name, hw))
            if hw in meaning:
                faults.append('%s: opcode %d is "%s" and "%s"' % (
                    gen, hw, meaning[hw], o.name))
            meaning[hw] = o.name
        for kind in ('reg', 'imm', 'src3'):
            meaning = {}
            for ty in types:
                code = getattr(ty, kind)[gen]
                if code is None:
                    continue
                if code in meaning:
                    faults.append('%s: %s type %d is "%s" and "%s"' % (
                        gen, kind, code, meaning[code], ty.name))
                meaning[code] = ty.name
    for o in opcodes:
        if not o.hw:
            faults.append('opcode "%s" is on no generation' % o.name)
        for name in sorted(set(destinations(o) + sources(o)) - known):
            faults.append('opcode "%s": unknown type "%s"' % (o.name, name))
    return faults
