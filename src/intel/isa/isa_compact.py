# SPDX-License-Identifier: MIT
"""The 8-byte ("compact") form: which bits it keeps, and the tables of
combinations that stand for the rest.

A form is a list of moves (bits of the compact word, bits of the full one)
and of indices (bits of the compact word, ranges of the full one from the
highest down, table). What neither reaches must be zero in an instruction
that is to be compacted.

Source of the numbers: PRM IVB vol 4 part 3 and HSW vol 7 "EU Compact
Instructions" for Gen7; BDW and SKL vol 7 "EU Compact Instruction" tables
ControlIndex, DataTypeIndex, SubRegIndex, SrcIndex, and for three sources
the tables of vol 2d EU_INSTRUCTION_COMPACT_THREE_SRC. Each entry is checked
against iga64 (tests/test_iga.py).
"""

CONTROL_GEN7 = [
    0x00002, 0x04000, 0x04001, 0x04002, 0x04003, 0x04004, 0x04005, 0x04007,
    0x04008, 0x04009, 0x0400d, 0x06000, 0x06001, 0x06002, 0x06003, 0x06004,
    0x06005, 0x06007, 0x06009, 0x0600d, 0x06010, 0x06100, 0x08000, 0x08002,
    0x08004, 0x08100, 0x16000, 0x16010, 0x18000, 0x18100, 0x28000, 0x28100,
]

DATATYPE_GEN7 = [
    0x08001, 0x08020, 0x08021, 0x08061, 0x080bd, 0x082fd, 0x083a1, 0x083a5,
    0x083bd, 0x08421, 0x08c20, 0x08c21, 0x094a5, 0x09ca4, 0x09ca5, 0x0f3bd,
    0x0f79d, 0x0f7bc, 0x0f7bd, 0x0ffbc, 0x0020c, 0x0803d, 0x080a5, 0x08420,
    0x094a4, 0x09c84, 0x0a509, 0x0dfbd, 0x0ffbd, 0x0bdac, 0x0a528, 0x0ad28,
]

SUBREG = [
    0x0000, 0x0001, 0x0008, 0x000f, 0x0010, 0x0080, 0x0100, 0x0180, 0x0200,
    0x0210, 0x0280, 0x1000, 0x1001, 0x1081, 0x1082, 0x1083, 0x1084, 0x1087,
    0x1088, 0x108e, 0x108f, 0x1180, 0x11e8, 0x2000, 0x2180, 0x3000, 0x3c87,
    0x4000, 0x5000, 0x6000, 0x7000, 0x701c,
]

SRC = [
    0x000, 0x002, 0x010, 0x012, 0x018, 0x020, 0x028, 0x048, 0x050, 0x070,
    0x078, 0x300, 0x302, 0x308, 0x310, 0x312, 0x320, 0x328, 0x338, 0x340,
    0x342, 0x348, 0x350, 0x360, 0x368, 0x370, 0x371, 0x378, 0x468, 0x469,
    0x46a, 0x588,
]

CONTROL_GEN8 = [
    0x00002, 0x04000, 0x04001, 0x04002, 0x04003, 0x04004, 0x04005, 0x04007,
    0x04008, 0x04009, 0x0400d, 0x06000, 0x06001, 0x06002, 0x06003, 0x06004,
    0x06005, 0x06007, 0x06009, 0x0600d, 0x06010, 0x06100, 0x08000, 0x08002,
    0x08004, 0x08100, 0x16000, 0x16010, 0x18000, 0x18100, 0x28000, 0x28100,
]

DATATYPE_GEN8 = [
    0x040001, 0x040040, 0x040041, 0x0400c1, 0x04015d, 0x0405dd, 0x040741,
    0x040745, 0x04075d, 0x041041, 0x043040, 0x043041, 0x045145, 0x047144,
    0x047145, 0x05c75d, 0x05d71d, 0x05d75c, 0x05d75d, 0x05f75c, 0x00040c,
    0x04005d, 0x040145, 0x041040, 0x045144, 0x047104, 0x049209, 0x05775d,
    0x05f75d, 0x04f34c, 0x049248, 0x04b248,
]

CONTROL_SRC3 = [
    0x0806001, 0x0006001, 0x0008001, 0x0008021,
]

SOURCE_SRC3 = [
    0x07272720f000, 0x07272720f002, 0x07272720f008, 0x07272720f020,
]

# --------------------------------------------------------------------------

# src1's index and register number hold a 13-bit immediate instead, if there
# is one: see isa_compact.c.
BASIC_MOVES = [
    ((6, 0), (6, 0)), ((7, 7), (30, 30)), ((23, 23), (28, 28)),
    ((27, 24), (27, 24)), ((47, 40), (60, 53)), ((55, 48), (76, 69)),
]
SRC1_MOVES = [((63, 56), (108, 101))]
SRC1_INDEX = ((39, 35), [(120, 109)], SRC)
SHARED_INDICES = [
    ((22, 18), [(100, 96), (68, 64), (52, 48)], SUBREG),
    ((34, 30), [(88, 77)], SRC),
]
GEN7_INDICES = SHARED_INDICES + [
    ((12, 8), [(90, 89), (31, 31), (23, 8)], CONTROL_GEN7),
    ((17, 13), [(63, 61), (46, 32)], DATATYPE_GEN7),
]
GEN8_INDICES = SHARED_INDICES + [
    ((12, 8), [(33, 31), (23, 12), (10, 9), (34, 34), (8, 8)], CONTROL_GEN8),
    ((17, 13), [(63, 61), (94, 89), (46, 35)], DATATYPE_GEN8),
]
SRC3_MOVES = [
    ((6, 0), (6, 0)), ((18, 12), (62, 56)), ((28, 28), (64, 64)),
    ((30, 30), (30, 30)), ((31, 31), (31, 31)), ((32, 32), (85, 85)),
    ((33, 33), (106, 106)), ((36, 34), (75, 73)), ((39, 37), (96, 94)),
    ((42, 40), (117, 115)), ((49, 43), (82, 76)), ((56, 50), (103, 97)),
    ((63, 57), (124, 118)),
]
# Gen9 has a few bits more in three-source instructions; in all rows of the
# tables they are zero.
SRC3_GEN8_INDICES = [
    ((9, 8), [(34, 32), (28, 8)], CONTROL_SRC3),
    ((11, 10), [(125, 125), (104, 104), (83, 83), (114, 107), (93, 86),
                (72, 65), (55, 37)], SOURCE_SRC3),
]
SRC3_GEN9_INDICES = [
    ((9, 8), [(36, 35), (34, 32), (28, 8)], CONTROL_SRC3),
    ((11, 10), [(126, 125), (105, 104), (84, 84), (83, 83), (114, 107),
                (93, 86), (72, 65), (55, 37)], SOURCE_SRC3),
]

FORMS = {
    'gen7': (BASIC_MOVES + SRC1_MOVES, GEN7_INDICES + [SRC1_INDEX]),
    'gen7_imm': (BASIC_MOVES, GEN7_INDICES),
    'gen8': (BASIC_MOVES + SRC1_MOVES, GEN8_INDICES + [SRC1_INDEX]),
    'gen8_imm': (BASIC_MOVES, GEN8_INDICES),
    'src3_gen8': (SRC3_MOVES, SRC3_GEN8_INDICES),
    'src3_gen9': (SRC3_MOVES, SRC3_GEN9_INDICES),
}
# Three-source instructions have no compact form before Gen8.
FORMS_OF = {
    'ivb': ('gen7', 'gen7_imm', None), 'hsw': ('gen7', 'gen7_imm', None),
    'bdw': ('gen8', 'gen8_imm', 'src3_gen8'),
    'skl': ('gen8', 'gen8_imm', 'src3_gen9'),
}
CMPT_BIT = 29


def width(bits):
    return bits[0] - bits[1] + 1


def spread(value, ranges):
    """The full word in which `ranges`, highest part of `value` first, hold
    `value`."""
    word = 0
    for bits in reversed(ranges):
        word |= (value & ((1 << width(bits)) - 1)) << bits[1]
        value >>= width(bits)
    assert value == 0
    return word


def mask(ranges):
    return sum(((1 << width(bits)) - 1) << bits[1] for bits in ranges)


def halves(word):
    """C initialiser of a 128-bit word."""
    return '{ 0x%xull, 0x%xull }' % (word & (2 ** 64 - 1), word >> 64)


def reached(form):
    """The bits of the full word that a form can express."""
    moves, indices = form
    word = 1 << CMPT_BIT
    for _, large in moves:
        word |= mask([large])
    for _, ranges, _ in indices:
        word |= mask(ranges)
    return word


def check_uses(name, form):
    """Faults: bits of either word that are used twice."""
    faults = []
    moves, indices = form
    compact = full = 1 << CMPT_BIT
    for small, ranges in ([(m[0], [m[1]]) for m in moves] +
                          [i[:2] for i in indices]):
        if compact & mask([small]):
            faults.append('%s: compact bits %d:%d are used twice' % (
                (name,) + small))
        if full & mask(ranges):
            faults.append('%s: full bits %s are used twice' % (name, ranges))
        compact |= mask([small])
        full |= mask(ranges)
    return faults


def check(forms=None):
    """Faults of the forms as sentences: bits used twice, entries that do not
    fit, tables of the wrong size, combinations that stand twice."""
    faults = []
    for name, form in (forms or FORMS).items():
        faults += check_uses(name, form)
        moves, indices = form
        for small, large in moves:
            if width(small) != width(large):
                faults.append('%s: move of %d:%d changes width' % (
                    (name,) + small))
        for small, ranges, table in indices:
            where = '%s: index %d:%d' % ((name,) + small)
            if len(table) != 1 << width(small):
                faults.append('%s has %d entries' % (where, len(table)))
            if len(set(table)) != len(table):
                faults.append('%s has an entry twice' % where)
            if max(table) >> sum(width(r) for r in ranges):
                faults.append('%s has an entry that does not fit' % where)
    return faults
