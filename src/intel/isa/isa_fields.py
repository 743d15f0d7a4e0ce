# SPDX-License-Identifier: MIT
"""Where the fields of an instruction lie: (high bit, low bit).

A generation starts from its parent and overrides what moved; None takes a
field away. A layout says which fields share one instruction word, so that
check() can prove that no two overlap and that each bit has an owner or is
named as reserved.

Sources: PRM IVB vol 4 part 3 and HSW vol 7 "EU Native Instructions"; BDW and
SKL vol 7 "Instruction Format", vol 2d structures EU_INSTRUCTION_*.
"""

from itertools import product

# --------------------------------------------------------------------------
# Operand groups. A source's fields repeat at src1 32 bits higher.

SRC_PARTS = {
    'subnr': (68, 64), 'nr': (76, 69),
    'abs': (77, 77), 'negate': (78, 78), 'indirect': (79, 79),
    'hstride': (81, 80), 'width': (84, 82), 'vstride': (88, 85),
    'addr_subnr': (76, 74), 'addr_imm': (73, 64), 'addr_imm9': None,
    'a16_subnr': (68, 68), 'a16_addr_imm': (73, 68),
    'swz_xy': (67, 64), 'swz_zw': (83, 80),
}

DST_PARTS = {
    'subnr': (52, 48), 'nr': (60, 53), 'hstride': (62, 61),
    'indirect': (63, 63), 'addr_subnr': (60, 58), 'addr_imm': (57, 48),
    'addr_imm9': None, 'a16_subnr': (52, 52), 'a16_addr_imm': (57, 52),
    'writemask': (51, 48),
}


def move(bits, by):
    return None if bits is None else (bits[0] + by, bits[1] + by)


GEN7 = {
    'opcode': (6, 0), 'access_mode': (8, 8), 'mask_ctrl': (9, 9),
    'no_dd_clr': (10, 10), 'no_dd_chk': (11, 11), 'qtr_ctrl': (13, 12),
    'nib_ctrl': (47, 47), 'thread_ctrl': (15, 14), 'pred_ctrl': (19, 16),
    'pred_inv': (20, 20), 'exec_size': (23, 21),
    # One place, three meanings by opcode.
    'cond_mod': (27, 24), 'math_function': (27, 24), 'sfid': (27, 24),
    'acc_wr': (28, 28), 'branch_ctrl': None, 'cmpt': (29, 29),
    'debug': (30, 30), 'saturate': (31, 31),
    'flag_subnr': (89, 89), 'flag_nr': (90, 90),
    'dst_file': (33, 32), 'dst_type': (36, 34),
    'src0_file': (38, 37), 'src0_type': (41, 39),
    'src1_file': (43, 42), 'src1_type': (46, 44),
    'imm32': (127, 96), 'imm64': (127, 64),
    # Flow control; calls and jmpi have a whole dword of offset.
    'jip16': (111, 96), 'uip16': (127, 112), 'jip32': (127, 96),
    'uip32': None,
    # Messages.
    'eot': (127, 127), 'desc': (124, 96),
    'ex_31_28': None, 'ex_27_24': None, 'ex_23_20': None, 'ex_19_16': None,
    # Split messages.
    'ss_dst_file': None, 'ss_dst_subnr': None, 'ss_src1_file': None,
    'ss_src1_nr': None, 'ss_src0_subnr': None, 'ss_ex_31_16': None,
    'ss_ex_9_6': None, 'ss_ex_subnr': None, 'ss_desc_reg': None,
    'ss_ex_reg': None, 'ss_dst_imm9': None, 'ss_src0_imm9': None,
    # Three sources.
    's3_flag_nr': (34, 34), 's3_flag_subnr': (33, 33),
    's3_src0_abs': (36, 36), 's3_src0_negate': (37, 37),
    's3_src1_abs': (38, 38), 's3_src1_negate': (39, 39),
    's3_src2_abs': (40, 40), 's3_src2_negate': (41, 41),
    's3_src_type': (43, 42), 's3_dst_type': (45, 44),
    's3_src1_hf': None, 's3_src2_hf': None,
    's3_writemask': (52, 49), 's3_dst_subnr': (55, 53),
    's3_dst_nr': (63, 56),
    's3_src0_rep': (64, 64), 's3_src0_swz': (72, 65),
    's3_src0_subnr': (75, 73), 's3_src0_nr': (83, 76),
    's3_src0_subnr1': None,
    's3_src1_rep': (85, 85), 's3_src1_swz': (93, 86),
    's3_src1_subnr': (96, 94), 's3_src1_nr': (104, 97),
    's3_src1_subnr1': None,
    's3_src2_rep': (106, 106), 's3_src2_swz': (114, 107),
    's3_src2_subnr': (117, 115), 's3_src2_nr': (125, 118),
    's3_src2_subnr1': None,
}
for part, bits in DST_PARTS.items():
    GEN7['dst_' + part] = bits
for part, bits in SRC_PARTS.items():
    GEN7['src0_' + part] = bits
    GEN7['src1_' + part] = move(bits, 32)

HSW = {}

# Type codes grew to four bits, which pushed src1's file and type into the
# upper half; indirect offsets lost their tenth bit to another place.
GEN8 = {
    'no_dd_clr': (9, 9), 'no_dd_chk': (10, 10), 'nib_ctrl': (11, 11),
    'mask_ctrl': (34, 34), 'flag_subnr': (32, 32), 'flag_nr': (33, 33),
    'dst_file': (36, 35), 'dst_type': (40, 37),
    'src0_file': (42, 41), 'src0_type': (46, 43),
    'src1_file': (90, 89), 'src1_type': (94, 91),
    'branch_ctrl': (28, 28),
    'dst_addr_subnr': (60, 57), 'dst_addr_imm': (56, 48),
    'dst_addr_imm9': (47, 47), 'dst_a16_addr_imm': (56, 52),
    'src0_addr_subnr': (76, 73), 'src0_addr_imm': (72, 64),
    'src0_addr_imm9': (95, 95), 'src0_a16_addr_imm': (72, 68),
    'src1_addr_subnr': (108, 105), 'src1_addr_imm': (104, 96),
    'src1_addr_imm9': (121, 121), 'src1_a16_addr_imm': (104, 100),
    'jip16': None, 'uip16': None, 'uip32': (95, 64),
    's3_flag_nr': (33, 33), 's3_flag_subnr': (32, 32),
    's3_src0_abs': (37, 37), 's3_src0_negate': (38, 38),
    's3_src1_abs': (39, 39), 's3_src1_negate': (40, 40),
    's3_src2_abs': (41, 41), 's3_src2_negate': (42, 42),
    's3_src_type': (45, 43), 's3_dst_type': (48, 46),
}

# Split messages; half-float scalars at odd words in three-source operands.
GEN9 = {
    'desc': (126, 96),
    'ex_31_28': (94, 91), 'ex_27_24': (88, 85), 'ex_23_20': (83, 80),
    'ex_19_16': (67, 64),
    'ss_dst_file': (35, 35), 'ss_src1_file': (36, 36),
    'ss_src1_nr': (51, 44), 'ss_dst_subnr': (52, 52),
    'ss_ex_reg': (61, 61), 'ss_ex_9_6': (67, 64), 'ss_src0_subnr': (68, 68),
    'ss_desc_reg': (77, 77), 'ss_ex_31_16': (95, 80), 'ss_ex_subnr': (82, 80),
    'ss_dst_imm9': (62, 62), 'ss_src0_imm9': (78, 78),
    's3_src0_subnr1': (84, 84), 's3_src1_subnr1': (105, 105),
    's3_src2_subnr1': (126, 126),
    's3_src2_hf': (35, 35), 's3_src1_hf': (36, 36),
}


def inherit(*generations):
    fields = {}
    for changes in generations:
        fields.update(changes)
    return fields


FIELDS = {
    'ivb': inherit(GEN7),
    'hsw': inherit(GEN7, HSW),
    'bdw': inherit(GEN7, HSW, GEN8),
    'skl': inherit(GEN7, HSW, GEN8, GEN9),
}

# --------------------------------------------------------------------------
# Layouts: names of fields, '@hi:lo' for reserved bits and '?hi:lo' for bits
# that this kind of instruction ignores. Where two layouts differ by
# generation, 'g7' and 'g8' parts are added.

COMMON = ('opcode @7:7 access_mode mask_ctrl no_dd_clr no_dd_chk qtr_ctrl '
          'nib_ctrl thread_ctrl pred_ctrl pred_inv exec_size cond_mod acc_wr '
          'cmpt debug saturate')
TYPES = 'dst_file dst_type src0_file src0_type flag_nr flag_subnr'
DST = {
    'a1': 'dst_subnr dst_nr dst_hstride dst_indirect',
    'a1i': 'dst_addr_subnr dst_addr_imm dst_addr_imm9 dst_hstride '
           'dst_indirect',
    'a16': 'dst_writemask dst_a16_subnr dst_nr dst_hstride dst_indirect',
    'a16i': 'dst_writemask dst_a16_addr_imm dst_addr_imm9 dst_addr_subnr '
            'dst_hstride dst_indirect',
}
SRC = {
    'a1': 'N_subnr N_nr N_abs N_negate N_indirect N_hstride N_width N_vstride',
    'a1i': 'N_addr_imm N_addr_imm9 N_addr_subnr N_abs N_negate N_indirect '
           'N_hstride N_width N_vstride',
    'a16': 'N_swz_xy N_a16_subnr N_nr N_abs N_negate N_indirect N_swz_zw '
           'N_vstride',
    'a16i': 'N_swz_xy N_a16_addr_imm N_addr_imm9 N_addr_subnr N_abs N_negate '
            'N_indirect N_swz_zw N_vstride',
}


def src(n, kind, gen8):
    text = SRC[kind].replace('N', 'src%d' % n)
    reserved = []
    if kind.startswith('a16'):
        reserved.append('@84:84' if n == 0 else '@116:116')
    if gen8:
        if n == 0 and not kind.endswith('i'):
            reserved.append('@95:95')
        if n == 1:
            reserved.append('@127:122' if kind.endswith('i') else '@127:121')
    elif n == 1:
        reserved.append('@127:121')
    return ' '.join([text] + reserved)


def layouts(gen):
    """{name: list of words} of all layouts of a generation."""
    gen8 = gen in ('bdw', 'skl')
    result = {}
    for mode in ('a1', 'a16'):
        for di in ('', 'i'):
            dst = DST[mode + di] + ' '
            if gen8 and not di:
                dst += '@47:47 '
            for s0 in ('', 'i'):
                head = ' '.join([COMMON, TYPES, dst, src(0, mode + s0, gen8),
                                 'src1_file src1_type'])
                name = '%s-%s%s' % (mode, di or 'd', s0 or 'd')
                gap = '' if gen8 else ' @95:91'
                for s1 in ('', 'i'):
                    result[name + (s1 or 'd')] = (
                        head + gap + ' ' + src(1, mode + s1, gen8))
                result[name + '-imm'] = head + gap + ' imm32'
            imm = ' '.join([COMMON, TYPES, dst])
            if gen8:
                result[mode + di + '-imm32'] = imm + ' ?95:64 imm32'
                result[mode + di + '-imm64'] = imm + ' imm64'
            else:
                result[mode + di + '-imm32'] = (
                    imm + ' src1_file src1_type ?88:64 @95:91 imm32')
    if gen == 'hsw':
        # DIM: the flag register cannot be chosen.
        result['dim'] = ' '.join(
            [COMMON, 'dst_file dst_type src0_file src0_type src1_file '
             'src1_type', DST['a1'], 'imm64'])
    s3 = [COMMON, 's3_flag_nr s3_flag_subnr', 's3_src_type s3_dst_type',
          's3_writemask s3_dst_subnr s3_dst_nr']
    for n in range(3):
        p = ' s3_src%d_' % n
        s3.append(p.join(['', 'abs', 'negate', 'rep', 'swz', 'subnr', 'nr']))
        s3.append(p.join(['', 'subnr1']))
    if gen8:
        s3.append('s3_src1_hf s3_src2_hf')
        s3.append('@127:127' if gen == 'skl' else
                  '@36:35 @84:84 @105:105 @127:126')
    else:
        s3.append('@32:32 @35:35 @46:46 @48:48 @84:84 @105:105 @127:126')
    result['src3'] = ' '.join(s3)
    ignored = '?63:35' if gen8 else '?46:32 ?63:48'
    if gen8:
        result['branch'] = COMMON + ' flag_nr flag_subnr ' + ignored + (
            ' uip32 jip32')
        result['send'] = ' '.join(
            [COMMON, TYPES, DST['a1'], '@47:47'] +
            (['src0_nr ?68:68 ex_19_16 ?79:77 ex_23_20 ?84:84 ex_27_24 '
              'src1_file ex_31_28 ?95:95 desc eot'] if gen == 'skl' else
             [src(0, 'a1', True), 'src1_file src1_type', '@126:125 desc eot'])
        ).replace('cond_mod', 'sfid')
    else:
        result['branch'] = COMMON + ' ' + ignored + (
            ' ?88:64 flag_nr flag_subnr ?95:91 jip16 uip16')
        result['send'] = ' '.join(
            [COMMON, TYPES, DST['a1'], src(0, 'a1', False),
             'src1_file src1_type @95:91 @126:125 desc eot']
        ).replace('cond_mod', 'sfid')
    if gen == 'skl':
        # The payload of send and both operands of sends, direct and indirect.
        result['send-i'] = result['send'].replace(
            'src0_nr ?68:68', 'src0_a16_addr_imm src0_addr_subnr').replace(
            '?79:77', '?78:77 src0_indirect').replace(
            '?95:95', 'src0_addr_imm9')
        head = ' '.join(
            [COMMON.replace('cond_mod', 'sfid'),
             'flag_nr flag_subnr ss_dst_file ss_src1_file dst_type @43:41 '
             'ss_src1_nr ss_ex_reg ss_ex_9_6 ss_desc_reg ss_ex_31_16 desc '
             'eot dst_indirect src0_indirect '])
        dsts = {'d': 'ss_dst_subnr dst_nr @62:62 ',
                'i': 'dst_a16_addr_imm dst_addr_subnr ss_dst_imm9 '}
        srcs = {'d': 'ss_src0_subnr src0_nr @78:78',
                'i': 'src0_a16_addr_imm src0_addr_subnr ss_src0_imm9'}
        for d, s in product(dsts, srcs):
            result['sends-' + d + s] = head + dsts[d] + srcs[s]
    return {name: text.split() for name, text in result.items()}


def parse_word(word, fields):
    """(owner, high, low) or None for a field that this generation lacks."""
    if word[0] in '@?':
        high, low = word[1:].split(':')
        return word, int(high), int(low)
    if word not in fields:
        raise ValueError('unknown field "%s"' % word)
    if fields[word] is None:
        return None
    return (word,) + tuple(fields[word])


def check_layout(gen, name, words, fields):
    """Faults of one layout as sentences."""
    faults = []
    owner = [None] * 128
    for word in words:
        placed = parse_word(word, fields)
        if placed is None:
            continue
        who, high, low = placed
        for bit in range(low, high + 1):
            if owner[bit] is not None:
                faults.append('%s %s: bit %d is in %s and in %s' % (
                    gen, name, bit, owner[bit], who))
            owner[bit] = who
    free = [bit for bit in range(128) if owner[bit] is None]
    if free:
        faults.append('%s %s: no owner for bits %s' % (
            gen, name, ' '.join(map(str, free))))
    return faults


def check(all_fields=None, all_layouts=layouts):
    """Every fault of the tables, as sentences."""
    faults = []
    all_fields = all_fields or FIELDS
    names = set().union(*all_fields.values())
    for gen, fields in all_fields.items():
        for name in sorted(names):
            if name not in fields:
                faults.append('%s: no value for field "%s"' % (gen, name))
                continue
            bits = fields[name]
            if bits is None:
                continue
            high, low = bits
            if not 0 <= low <= high < 128:
                faults.append('%s: "%s" %d:%d is no range of bits' % (
                    gen, name, high, low))
            elif low // 64 != high // 64:
                faults.append('%s: "%s" crosses bit 64' % (gen, name))
        for name, words in all_layouts(gen).items():
            try:
                faults += check_layout(gen, name, words, fields)
            except ValueError as error:
                faults.append('%s %s: %s' % (gen, name, error))
    return faults


if __name__ == '__main__':
    for fault in check():
        print(fault)
