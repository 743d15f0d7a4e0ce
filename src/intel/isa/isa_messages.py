# SPDX-License-Identifier: MIT
"""Messages of the shared functions: how their descriptors are divided, whether
they have a header, how long payload and response are, and what stands in them.

A layout says where the fields of a descriptor lie, as (high bit, low bit),
on the first generation; each later one starts from its parent and overrides
what moved. None: this generation has no such field. Bits that must be zero
and bits that hardware ignores are named ('mbz', 'ignored'), so that check()
can prove that each bit has one owner. A message is a row: the shared
functions that know it, its number there, its layout, its lengths.

Only names and places are here. What a message does is written twice: where
the compiler emits it, and where the simulator carries it out.

Sources: PRM IVB vol 4 part 1 "Shared Functions" (sampler, data port, pixel
interpolator) and part 2 (URB, message gateway, thread spawner); HSW vol 7,
BDW vol 7 "Shared Functions", BDW and SKL vol 2d (message descriptor
structures: MD_*, MDC_*, MSD_*).
"""

import re
from collections import namedtuple

from isa_opcodes import GENS, SFIDS

DESC_BITS = 31  # bit 31 of the dword is EOT: isa_fields.py


def each(base, **changes):
    """A value for each generation: of those named, and of what follows."""
    result, value = {}, base
    for gen in GENS:
        value = changes.get(gen, value)
        result[gen] = value
    return result


# --------------------------------------------------------------------------
# Values with names: (enumerator or None, text, value in C, code). A code is
# one number or each(...); None: not on that generation. In C a message has
# the value, whatever its code, so that channels are counted everywhere alike.

SIMD_SAMPLER = [
    (None, 'SIMD4x2', 2, each(0, skl=4)), (None, 'SIMD8', 8, 1),
    (None, 'SIMD16', 16, 2), (None, 'SIMD32', 32, 3),
    (None, 'SIMD8D', 4, each(None, skl=0)),
]
SIMD_UNTYPED = [(None, 'SIMD4x2', 2, 0), (None, 'SIMD16', 16, 1),
                (None, 'SIMD8', 8, 2)]
# PRM IVB vol 4 part 1: reads only, on this generation.
SIMD_UNTYPED_WRITE = [(None, 'SIMD4x2', 2, each(None, hsw=0)),
                      (None, 'SIMD16', 16, 1), (None, 'SIMD8', 8, 2)]
SIMD_UP = [(None, 'SIMD8', 8, 0), (None, 'SIMD16', 16, 1)]
SIMD_DOWN = [(None, 'SIMD16', 16, 0), (None, 'SIMD8', 8, 1)]
# Registers of a scratch block: less one before Gen8, then the logarithm.
SCRATCH_SIZE = [(None, '1 register', 1, 0), (None, '2 registers', 2, 1),
                (None, '3 registers', 3, each(2, bdw=None)),
                (None, '4 registers', 4, each(3, bdw=2)),
                (None, '8 registers', 8, each(None, bdw=3))]
BLOCK_SIZE = [
    ('1_LOW', '1 OWord, low', 0, 0), ('1_HIGH', '1 OWord, high', 1, 1),
    ('2', '2 OWords', 2, 2), ('4', '4 OWords', 3, 3), ('8', '8 OWords', 4, 4),
]
DUAL_SIZE = [('1', '1 OWord', 0, 0), ('4', '4 OWords', 2, 2)]
DWORD_SIMD = [(None, 'SIMD8', 8, 2), (None, 'SIMD16', 16, 3)]
BYTES = [(None, 'byte', 1, 0), (None, 'word', 2, 1), (None, 'dword', 4, 2)]
ELEMENT = [(None, 'byte', 1, 0), (None, 'dword', 4, 1), (None, 'qword', 8, 2)]
COUNT = [(None, 'x1', 1, 0), (None, 'x2', 2, 1), (None, 'x4', 4, 2),
         (None, 'x8', 8, 3)]
SLOTS_TYPED = [('4X2', 'SIMD4x2', 0, each(None, hsw=0)),
               ('IVB_LOW', 'slots 0-7', 3, each(0, hsw=None)),
               ('LOW', 'slots 0-7', 1, 1), ('HIGH', 'slots 8-15', 2, 2)]
RT_KIND = [
    ('SIMD16', 'SIMD16', 0, 0), ('SIMD16_REPLICATED', 'SIMD16 replicated', 1,
                                 1),
    ('SIMD8_DUAL_LOW', 'SIMD8 dual source low', 2, 2),
    ('SIMD8_DUAL_HIGH', 'SIMD8 dual source high', 3, 3),
    ('SIMD8', 'SIMD8', 4, 4),
]
AOP = [
    ('CMPWR_2W', 'cmpwr_2w', 0, 0), ('AND', 'and', 1, 1), ('OR', 'or', 2, 2),
    ('XOR', 'xor', 3, 3), ('MOV', 'mov', 4, 4), ('INC', 'inc', 5, 5),
    ('DEC', 'dec', 6, 6), ('ADD', 'add', 7, 7), ('SUB', 'sub', 8, 8),
    ('REVSUB', 'revsub', 9, 9), ('IMAX', 'imax', 10, 10),
    ('IMIN', 'imin', 11, 11), ('UMAX', 'umax', 12, 12),
    ('UMIN', 'umin', 13, 13), ('CMPWR', 'cmpwr', 14, 14),
    ('PREDEC', 'predec', 15, 15),
]
FLOAT_AOP = [('FMAX', 'fmax', 1, 1), ('FMIN', 'fmin', 2, 2),
             ('FCMPWR', 'fcmpwr', 3, 3)]

# --------------------------------------------------------------------------
# Fields: member of struct isa_message, what is printed, values. How it is
# printed: 'num' and 'hex' as "Text = 1", 'flag' as the text where the bit is
# set, 'enum' as the value's text, 'more' as 'num' unless it is zero. A prefix
# names the enumerators.

Field = namedtuple('Field', 'member text show values prefix')


def field(member, text, show='num', values=None, prefix=None):
    return Field(member, text, show, values, prefix)


FIELDS = {
    # In all descriptors; not members of the union, but of the struct itself.
    'mlen': field('mlen', 'mlen'), 'rlen': field('rlen', 'rlen'),
    'header': field('header', 'header', 'flag'),
    'type': field('msg', 'type'),

    'simd_sampler': field('simd', 'SIMD', 'enum', SIMD_SAMPLER),
    'simd_untyped': field('simd', 'SIMD', 'enum', SIMD_UNTYPED),
    'simd_untyped_write': field('simd', 'SIMD', 'enum', SIMD_UNTYPED_WRITE),
    'simd_atomic': field('simd', 'SIMD', 'enum', SIMD_DOWN),
    'simd_scattered': field('simd', 'SIMD', 'enum', SIMD_UP),
    'simd_dword': field('simd', 'SIMD', 'enum', DWORD_SIMD),
    'simd_rt': field('simd', 'SIMD', 'enum', SIMD_DOWN),
    'rt_kind': field('rt_kind', 'kind', 'enum', RT_KIND, 'RT'),
    'element_B': field('element_B', 'element', 'enum', BYTES),
    'element_a64': field('element_B', 'element', 'enum', ELEMENT),
    'count': field('elements', 'elements', 'enum', COUNT),
    'block': field('block', 'size', 'enum', BLOCK_SIZE, 'BLOCK'),
    'dual_block': field('block', 'size', 'enum', DUAL_SIZE),
    'scratch_grf': field('scratch_grf', 'size', 'enum', SCRATCH_SIZE),
    'aop': field('aop', 'operation', 'enum', AOP, 'AOP'),
    'aop_float': field('aop', 'operation', 'enum', FLOAT_AOP, 'AOP'),
    'slots_typed': field('slots', 'slots', 'enum', SLOTS_TYPED, 'SLOTS'),
    'slots_high': field('slots_high', 'high slots', 'flag'),
    'wide': field('wide', '64-bit', 'flag'),
    'returns': field('returns', 'returns', 'flag'),
    'bti': field('bti', 'Surface'), 'sampler': field('sampler', 'Sampler'),
    'half': field('half', '16-bit', 'flag'),
    'channels_off': field('channels_off', 'Mask', 'hex'),
    'last_rt': field('last_rt', 'LastRT', 'flag'),
    'per_sample': field('per_sample', 'per sample', 'flag'),
    'scratch_offset_grf': field('offset', 'Offset'),
    'channel_mode': field('channel_mode', 'dwords', 'flag'),
    'invalidate': field('invalidate', 'invalidate', 'flag'),
    'subtype': field('subtype', 'subtype', 'more'),
    'commit': field('commit', 'commit', 'flag'),
    'flush': field('flush', 'flush', 'more'),
    'line_stride': field('line_stride', 'line stride', 'more'),
    'urb_offset': field('offset', 'Offset'),
    'interleaved': field('interleaved', 'interleave', 'flag'),
    'complete': field('complete', 'complete', 'flag'),
    'per_slot_offset': field('per_slot_offset', 'per-slot offset', 'flag'),
    'channel_mask': field('channel_mask', 'masked', 'flag'),
    'notify': field('notify', 'notify', 'more'),
    'ack': field('ack', 'acknowledge', 'flag'),
    'requester': field('child', 'child', 'flag'),
    'no_urb': field('no_urb', 'no URB handle', 'flag'),
    'offset_x': field('offset_x', 'X', 'hex'),
    'offset_y': field('offset_y', 'Y', 'hex'),
    'sample': field('sample', 'Sample'),
    'linear': field('linear', 'linear', 'flag'),
    'simd_interp': field('simd', 'SIMD', 'enum', SIMD_UP),
}

# --------------------------------------------------------------------------
# Layouts.

# In all messages of all generations.
COMMON = {'header': (19, 19), 'rlen': (24, 20), 'mlen': (28, 25)}


def layout(base, **changes):
    """{generation: {field: range}}, each from the one before it."""
    result, fields = {}, dict(COMMON, mbz=[], ignored=[])
    for gen in GENS:
        fields = dict(fields, **(base if gen == GENS[0] else {}))
        fields.update(changes.get(gen, {}))
        result[gen] = fields
    return result


def port(mbz, type_=(18, 14), **fields):
    """A message of the data port, with a binding table index."""
    return dict(fields, bti=(7, 0), type=type_, mbz=mbz + [(30, 29)])


LAYOUTS = {
    # Several ranges make one field, the highest bits first.
    'sampler': layout(
        dict(bti=(7, 0), sampler=(11, 8), type=(16, 12),
             simd_sampler=(18, 17), half=None, mbz=[(30, 29)]),
        bdw=dict(half=(30, 30), mbz=[(29, 29)]),
        skl=dict(simd_sampler=((29, 29), (18, 17)), mbz=[])),

    'block': layout(port([(12, 11)], block=(10, 8), invalidate=(13, 13))),
    'dual_block': layout(port([(12, 10)], dual_block=(9, 8),
                              invalidate=(13, 13))),
    'dword_scattered': layout(port([(12, 10)], simd_dword=(9, 8),
                                   invalidate=(13, 13))),
    'byte_scattered': layout(port([(9, 9), (12, 12)], simd_scattered=(8, 8),
                                  element_B=(11, 10), invalidate=(13, 13))),
    'untyped': layout(port([], channels_off=(11, 8), simd_untyped=(13, 12))),
    'untyped_write': layout(port([], channels_off=(11, 8),
                                 simd_untyped_write=(13, 12))),
    'untyped_atomic': layout(port([], aop=(11, 8), simd_atomic=(12, 12),
                                  returns=(13, 13))),
    'atomic_4x2': layout(port([(12, 12)], aop=(11, 8), returns=(13, 13))),
    'float_atomic': layout(port([(11, 11)], aop_float=(10, 8),
                                simd_atomic=(12, 12), returns=(13, 13))),
    'typed': layout(port([(18, 18)], (17, 14), channels_off=(11, 8),
                         slots_typed=(13, 12)),
                    hsw=dict(type=(18, 14), mbz=[(30, 29)])),
    'typed_atomic': layout(port([(18, 18)], (17, 14), aop=(11, 8),
                                slots_high=(12, 12), returns=(13, 13)),
                           hsw=dict(type=(18, 14), mbz=[(30, 29)])),
    'media': layout(port([(13, 11), (18, 18)], (17, 14),
                         line_stride=(10, 8)),
                    hsw=dict(type=(18, 14), mbz=[(13, 11), (30, 29)])),
    'fence': layout(dict(commit=(13, 13), flush=None, type=(18, 14),
                         mbz=[(12, 0), (30, 29)]),
                    bdw=dict(flush=(12, 8), mbz=[(7, 0), (30, 29)])),
    'rt_fence': layout(dict(commit=(13, 13), flush=None, type=(17, 14),
                            mbz=[(12, 0), (18, 18), (30, 29)]),
                       bdw=dict(flush=(12, 8),
                                mbz=[(7, 0), (18, 18), (30, 29)])),
    'scratch': layout(dict(scratch_offset_grf=(11, 0), scratch_grf=(13, 12),
                           invalidate=(15, 15), channel_mode=(16, 16),
                           type=(18, 17), mbz=[(14, 14), (30, 29)])),
    'a64_scattered': layout(port([], element_a64=(9, 8), count=(11, 10),
                                 simd_scattered=(12, 12),
                                 invalidate=(13, 13))),
    'a64_block': layout(port([], block=(10, 8), subtype=(12, 11),
                             invalidate=(13, 13))),
    'a64_atomic': layout(port([], aop=(11, 8), wide=(12, 12),
                              returns=(13, 13))),
    'a64_float_atomic': layout(port([(12, 11)], aop_float=(10, 8),
                                    returns=(13, 13))),

    'rt_write': layout(
        dict(rt_kind=(10, 8), bti=(7, 0), slots_high=(11, 11),
             last_rt=(12, 12), per_sample=None, half=None, type=(17, 14),
             mbz=[(13, 13), (18, 18), (30, 29)]),
        bdw=dict(half=(30, 30), mbz=[(13, 13), (18, 18), (29, 29)]),
        skl=dict(per_sample=(13, 13), mbz=[(18, 18), (29, 29)])),
    'rt_read': layout(
        dict(bti=(7, 0), simd_rt=(10, 8), slots_high=(11, 11),
             per_sample=(13, 13), type=(17, 14),
             mbz=[(12, 12), (18, 18), (30, 29)])),

    'urb': layout(
        dict(type=(2, 0), urb_offset=(13, 3), interleaved=(14, 14),
             complete=(15, 15), per_slot_offset=(16, 16),
             mbz=[(18, 17), (30, 29)]),
        bdw=dict(type=(3, 0), urb_offset=(14, 4), interleaved=(15, 15),
                 complete=None, per_slot_offset=(17, 17),
                 mbz=[(16, 16), (18, 18), (30, 29)])),
    'urb_simd8': layout(
        dict(type=(3, 0), urb_offset=(14, 4), channel_mask=(15, 15),
             per_slot_offset=(17, 17),
             mbz=[(16, 16), (18, 18), (30, 29)])),

    'gateway': layout(dict(type=(2, 0), ack=(14, 14), notify=(16, 15),
                           mbz=[(13, 3), (18, 17), (30, 29)])),
    'spawner': layout(dict(type=(0, 0), requester=(1, 1), no_urb=(4, 4),
                           mbz=[(3, 2), (18, 5), (30, 29)])),

    # The message data that a type does not use are ignored.
    'interp_shared': layout(
        dict(offset_x=(3, 0), offset_y=(7, 4), slots_high=(11, 11),
             type=(13, 12), linear=(14, 14), simd_interp=(16, 16),
             mbz=[(10, 8), (15, 15), (18, 17), (30, 29)])),
    'interp_sample': layout(
        dict(sample=(7, 4), slots_high=(11, 11), type=(13, 12),
             linear=(14, 14), simd_interp=(16, 16), ignored=[(3, 0)],
             mbz=[(10, 8), (15, 15), (18, 17), (30, 29)])),
    'interp': layout(
        dict(slots_high=(11, 11), type=(13, 12), linear=(14, 14),
             simd_interp=(16, 16), ignored=[(7, 0)],
             mbz=[(10, 8), (15, 15), (18, 17), (30, 29)])),
}

# Extended descriptors of split messages, of which SFID and EOT are fields of
# the instruction.
EX_DESC = {'ex_mlen': each(None, skl=(9, 6)),
           'surface_offset': each(None, skl=(31, 12))}

# Where a shared function has the number of the message: it may be the upper
# part of this range only (see 'scratch').
SELECTORS = {
    'sampler': each((16, 12)), 'data_cache0': each((18, 14)),
    'data_cache1': each(None, hsw=(18, 14)), 'render_cache': each((17, 14)),
    'const_cache': each((18, 14)), 'sampler_cache': each((18, 14)),
    'urb': each((2, 0), bdw=(3, 0)), 'gateway': each((2, 0)),
    'thread_spawner': each((0, 0)), 'pixel_interp': each((13, 12)),
}

# --------------------------------------------------------------------------
# Lengths, as C expressions in which the name of a member stands for its
# value, in registers. A part may have a range, (least, most).
#
# header    'needed', 'optional' or 'forbidden'
# payload   parts after the header
# response  least and most
# unit      payload after the header, and response, are multiples of it
# unknown   a condition: no text that we have says how long it is

REGS = '(simd == 16 ? 2 : 1)'  # of one 32-bit value of each slot
CHANNELS = 'enabled(channels_off)'
DATA = '(simd == 2 ? %s > 0 : %s * %s)' % (CHANNELS, CHANNELS, REGS)
U_ADDRESS = (REGS, '(simd == 2 ? 1 : 2 * %s)' % REGS)
OPERANDS = 'operands(aop)'
TYPED_DATA = '(slots == ISA_SLOTS_4X2 ? 1 : %s)' % CHANNELS
T_ADDRESS = ('1', '(slots == ISA_SLOTS_4X2 ? 1 : 4)')
BLOCK = 'block_grfs(block)'
DUAL = '(block == 2 ? 4 : 1)'
# Bytes come in dwords, eight of them in a qword.
A64_DATA = ('(element_B == 1 ? %s * (elements == 8 ? 2 : 1) : '
            'elements * %s * element_B / 4)' % (REGS, REGS))
FLOAT_OPERANDS = '(aop == ISA_AOP_FCMPWR ? 2 : 1)'
URB_DATA = ('0', '14')

Message = namedtuple('Message',
                     'name text layout codes header payload response unit '
                     'header_grf unknown')


def message(name, text, layout_, codes, header='optional', payload=(),
            response='0', unit='1', header_grf=1, unknown=''):
    """`codes`: {shared function: number, or each(...)}."""
    codes = {sfid: code if isinstance(code, dict) else each(code)
             for sfid, code in codes.items()}
    return Message(name, text, layout_, codes, header, tuple(payload),
                   response, unit, header_grf, unknown)


def sampler(name, number, least=REGS):
    """At most 11 registers, with the header (PRM IVB vol 4 part 1, "Message
    Length")."""
    w, unit = REGS, '(half ? 1 : %s)' % REGS
    return message(name, name, 'sampler', {'sampler': number},
                   payload=[('parameters', (least, '(header ? 10 : 11)'))],
                   response=(unit, '(simd == 2 ? 1 : 4 * %s)' % w), unit=unit)


def port_codes(old, new):
    """Of Ivybridge's only data cache, and of the second one since."""
    return {'data_cache0': each(old, hsw=None),
            'data_cache1': each(None, hsw=new)}


def typed_codes(number):
    """Typed messages: of the render cache on Ivybridge."""
    return {'render_cache': each(number, hsw=None),
            'data_cache1': each(None, hsw=number)}


def since(gen, number):
    return each(None, **{gen: number})


READ_CACHES = ('data_cache0', 'const_cache', 'sampler_cache')


def read_codes(number):
    return {sfid: number for sfid in READ_CACHES}


MESSAGES = [
    sampler('sample', 0),
    sampler('sample_b', 1),
    sampler('sample_l', 2),
    sampler('sample_c', 3),
    sampler('sample_d', 4),
    sampler('sample_b_c', 5),
    sampler('sample_l_c', 6),
    sampler('ld', 7),
    sampler('gather4', 8),
    sampler('lod', 9),
    sampler('resinfo', 10),
    # Asks of the surface alone (PRM SKL vol 7, "Sampling Engine", sampleinfo).
    sampler('sampleinfo', 11, least='0'),
    sampler('gather4_c', 16),
    sampler('gather4_po', 17),
    sampler('gather4_po_c', 18),
    sampler('sample_d_c', since('hsw', 20)),
    sampler('sample_lz', since('skl', 24)),
    sampler('sample_c_lz', since('skl', 25)),
    sampler('ld_lz', since('skl', 26)),
    sampler('ld2dms_w', since('skl', 28)),
    sampler('ld_mcs', 29),
    sampler('ld2dms', 30),
    sampler('ld2dss', 31),

    message('oword_block_read', 'OWord block read', 'block', read_codes(0),
            'needed', response=BLOCK),
    message('oword_block_read_unaligned', 'unaligned OWord block read',
            'block', read_codes(1), 'needed', response=BLOCK),
    message('oword_dual_block_read', 'OWord dual block read', 'dual_block',
            read_codes(2), 'needed', [('offsets', '1')], DUAL),
    message('dword_scattered_read', 'dword scattered read',
            'dword_scattered', read_codes(3), 'optional',
            [('offsets', REGS)], REGS),
    message('byte_scattered_read', 'byte scattered read', 'byte_scattered',
            {'data_cache0': 4}, 'optional', [('addresses', REGS)], REGS),
    message('oword_block_write', 'OWord block write', 'block',
            {'data_cache0': 8}, 'needed', [('data', BLOCK)]),
    message('oword_dual_block_write', 'OWord dual block write', 'dual_block',
            {'data_cache0': 10}, 'needed', [('offsets', '1'), ('data', DUAL)]),
    message('dword_scattered_write', 'dword scattered write',
            'dword_scattered', {'data_cache0': 11}, 'optional',
            [('offsets', REGS), ('data', REGS)]),
    message('byte_scattered_write', 'byte scattered write', 'byte_scattered',
            {'data_cache0': 12}, 'optional',
            [('addresses', REGS), ('data', REGS)]),
    message('fence', 'memory fence', 'fence', {'data_cache0': 7}, 'needed',
            response='commit'),
    message('render_fence', 'memory fence', 'rt_fence', {'render_cache': 7},
            'needed', response='commit'),
    message('scratch_read', 'scratch block read', 'scratch',
            {'data_cache0': 2}, 'needed', response='scratch_grf'),
    message('scratch_write', 'scratch block write', 'scratch',
            {'data_cache0': 3}, 'needed', [('data', 'scratch_grf')]),

    message('untyped_read', 'untyped surface read', 'untyped',
            port_codes(5, 1), 'optional', [('addresses', U_ADDRESS)], DATA),
    message('untyped_write', 'untyped surface write', 'untyped_write',
            port_codes(13, 9), 'optional',
            [('addresses', U_ADDRESS), ('data', DATA)]),
    message('untyped_atomic', 'untyped atomic', 'untyped_atomic',
            port_codes(6, 2), 'optional',
            [('addresses', U_ADDRESS),
             ('operands', '%s * %s' % (OPERANDS, REGS))],
            'returns * ' + REGS,
            # Operands of 64 bits. No compiler that we know makes one.
            unknown='aop == ISA_AOP_CMPWR_2W'),
    message('untyped_atomic_4x2', 'untyped atomic SIMD4x2', 'atomic_4x2',
            {'data_cache1': since('hsw', 3)}, 'optional',
            [('addresses', '1'), ('operands', '(%s > 0)' % OPERANDS)],
            'returns'),
    message('untyped_float_atomic', 'untyped float atomic', 'float_atomic',
            {'data_cache1': since('skl', 0x1b)}, 'optional',
            [('addresses', U_ADDRESS),
             ('operands', '%s * %s' % (FLOAT_OPERANDS, REGS))],
            'returns * ' + REGS),
    message('typed_read', 'typed surface read', 'typed', typed_codes(5),
            'optional', [('addresses', T_ADDRESS)], TYPED_DATA),
    message('typed_write', 'typed surface write', 'typed', typed_codes(13),
            'optional', [('addresses', T_ADDRESS), ('data', TYPED_DATA)]),
    message('typed_atomic', 'typed atomic', 'typed_atomic', typed_codes(6),
            'optional', [('addresses', ('1', '4')), ('operands', OPERANDS)],
            'returns'),
    message('typed_atomic_4x2', 'typed atomic SIMD4x2', 'atomic_4x2',
            {'data_cache1': since('hsw', 7)}, 'optional',
            [('addresses', '1'), ('operands', '(%s > 0)' % OPERANDS)],
            'returns'),
    message('media_block_read', 'media block read', 'media', typed_codes(4),
            'needed', response=('1', '8')),
    message('media_block_write', 'media block write', 'media', typed_codes(10),
            'needed', [('data', ('1', '8'))]),

    message('a64_scattered_read', 'A64 scattered read', 'a64_scattered',
            {'data_cache1': since('bdw', 0x10)}, 'optional',
            [('addresses', '2 * ' + REGS)], A64_DATA),
    message('a64_scattered_write', 'A64 scattered write', 'a64_scattered',
            {'data_cache1': since('bdw', 0x1a)}, 'optional',
            [('addresses', '2 * ' + REGS), ('data', A64_DATA)]),
    message('a64_untyped_read', 'A64 untyped read', 'untyped',
            {'data_cache1': since('bdw', 0x11)}, 'optional',
            [('addresses', '2 * ' + REGS)], DATA),
    message('a64_untyped_write', 'A64 untyped write', 'untyped',
            {'data_cache1': since('bdw', 0x19)}, 'optional',
            [('addresses', '2 * ' + REGS), ('data', DATA)]),
    message('a64_atomic', 'A64 untyped atomic', 'a64_atomic',
            {'data_cache1': since('bdw', 0x12)}, 'optional',
            [('addresses', '2'), ('operands', OPERANDS + ' * (1 + wide)')],
            'returns * (1 + wide)'),
    message('a64_atomic_4x2', 'A64 untyped atomic SIMD4x2', 'atomic_4x2',
            {'data_cache1': since('bdw', 0x13)}, 'optional',
            [('addresses', '1'), ('operands', '(%s > 0)' % OPERANDS)],
            'returns'),
    message('a64_float_atomic', 'A64 untyped float atomic',
            'a64_float_atomic', {'data_cache1': since('skl', 0x1d)},
            'optional',
            [('addresses', '2'), ('operands', FLOAT_OPERANDS)], 'returns'),
    message('a64_block_read', 'A64 block read', 'a64_block',
            {'data_cache1': since('bdw', 0x14)}, 'needed', response=BLOCK),
    message('a64_block_write', 'A64 block write', 'a64_block',
            {'data_cache1': since('bdw', 0x15)}, 'needed', [('data', BLOCK)]),

    # Whether depth, stencil, oMask and the first colour's alpha are there is
    # in the header and in the state of the pixel shader.
    message('rt_write', 'RT write', 'rt_write', {'render_cache': 12},
            'optional', [('colours', ('rt_grfs(rt_kind, half)', '15'))],
            header_grf=2),
    message('rt_read', 'RT read', 'rt_read',
            {'render_cache': since('skl', 13)}, 'needed',
            response='4 * ' + REGS, header_grf=2),

    message('urb_write_hword', 'write HWord', 'urb', {'urb': 0}, 'needed',
            [('data', URB_DATA)]),
    message('urb_write_oword', 'write OWord', 'urb', {'urb': 1}, 'needed',
            [('data', URB_DATA)]),
    # A read that only lets go of the entry answers nothing.
    message('urb_read_hword', 'read HWord', 'urb', {'urb': 2}, 'needed',
            response=('(complete ? 0 : 1)', '16')),
    message('urb_read_oword', 'read OWord', 'urb', {'urb': 3}, 'needed',
            response=('(complete ? 0 : 1)', '16')),
    # The header is the register of handles.
    message('urb_simd8_write', 'SIMD8 write', 'urb_simd8',
            {'urb': since('bdw', 7)}, 'needed',
            [('offsets', 'per_slot_offset'), ('masks', 'channel_mask'),
             ('data', ('0', '8'))]),
    message('urb_simd8_read', 'SIMD8 read', 'urb_simd8',
            {'urb': since('bdw', 8)}, 'needed',
            [('offsets', 'per_slot_offset'), ('masks', 'channel_mask')],
            ('1', '8')),

    message('barrier', 'barrier', 'gateway', {'gateway': 4}, 'optional',
            [('barrier', '1')], header_grf=0),
    message('thread_end', 'dereference resource', 'spawner',
            {'thread_spawner': 0}, 'optional', [('r0', '1')], header_grf=0),

    message('interp_shared_offset', 'shared offset', 'interp_shared',
            {'pixel_interp': 0}, 'forbidden', [('unused', ('1', '15'))],
            '2 * ' + REGS),
    message('interp_sample', 'sample', 'interp_sample', {'pixel_interp': 1},
            'forbidden', [('unused', ('1', '15'))], '2 * ' + REGS),
    message('interp_centroid', 'centroid', 'interp', {'pixel_interp': 2},
            'forbidden', [('unused', ('1', '15'))], '2 * ' + REGS),
    message('interp_slot_offset', 'slot offset', 'interp',
            {'pixel_interp': 3}, 'forbidden', [('offsets', '2 * ' + REGS)],
            '2 * ' + REGS),
]

# --------------------------------------------------------------------------
# What stands in the registers: which dwords of a header count, how the parts
# after it are spread over channels, and the response. Header dwords that no
# row names are not read.
#
# A dword of a header: (number, bits that count, what it is, when). Numbers
# from 8 on are in the registers after the first.

ALL = 0xffffffff
HEADER_WHEN = [
    'always',
    'stateless',    # the binding table index means no surface
    'half_0', 'half_1',                # the channels of this half are on
    'half_0_offset', 'half_1_offset',  # likewise, with per-slot offsets
    'lower', 'upper',  # some of the lower, upper four channels are on
]


def halves(dword, bits, text, suffix=''):
    return [(dword + i, bits, text, 'half_%d%s' % (i, suffix))
            for i in range(2)]


URB_HANDLES = (halves(0, 0xffff, 'handle') +
               halves(3, ALL, 'offset', '_offset'))
# Fields of headers, and of a payload's dwords: dword, highest and lowest bit.
# From 8 on the dword is in the registers after the first.
HEADER_FIELDS = {
    # Of the sampler (PRM SKL vol 7, "Message Header"): channels that are not
    # returned; what gather4 takes.
    'offset_r': (2, 3, 0), 'offset_v': (2, 7, 4), 'offset_u': (2, 11, 8),
    'channels_off': (2, 15, 12), 'gather_channel': (2, 17, 16),
    'null_mask': (2, 23, 23), 'sampler_state': (3, 31, 5),
    # Of render target writes (PRM SKL vol 7, "Render Target Write").
    'rt_src0_alpha': (0, 11, 11), 'rt_stencil': (0, 14, 14),
    'rt_index': (2, 2, 0), 'rt_pixels': (8 + 7, 15, 0),
    # Of the URB: dwords that are written, of a message and of each slot.
    'urb_channels': (5, 15, 8), 'urb_slot_channels': (0, 23, 16),
    # The same for the lower and the upper channels, with whose enables they
    # are combined (PRM IVB vol 4 part 2, M0.5).
    'urb_channels_0': (5, 11, 8), 'urb_channels_1': (5, 15, 12),
    # Of blocks in memory: owords or bytes; of scratch memory: how much there
    # is, where it begins (R0.3 and R0.5 of threads).
    'block_offset': (2, 31, 0), 'scratch_size': (3, 3, 0),
    'scratch_base': (5, 31, 10),
    # Of what ends a geometry thread on Gen7: vertices of both objects.
    'gs_count_0': (2, 15, 0), 'gs_count_1': (2, 31, 16),
    # Of barriers in tessellation control (PRM HSW vol 7, "Barrier").
    'barrier_count': (2, 14, 9), 'barrier_has_count': (2, 15, 15),
    'barrier_id': (2, 27, 24),
}


def field_mask(name):
    _, high, low = HEADER_FIELDS[name]
    return (2 << high) - (1 << low)


def fields_of(text, *names, when='always'):
    """A dword of a header that is made of fields."""
    dwords = {HEADER_FIELDS[name][0] for name in names}
    if len(dwords) != 1:
        raise ValueError('fields of several dwords: %s' % ', '.join(names))
    return (dwords.pop(), sum(field_mask(name) for name in names), text,
            when)


BASE = fields_of('base address', 'scratch_base', when='stateless')
TEXEL = fields_of('offsets and channels', 'offset_r', 'offset_v', 'offset_u',
                  'channels_off', 'gather_channel', 'null_mask')
HEADERS = {
    'none': [],
    'slots': [(7, 0xffff, 'channels', 'always'), BASE],
    'offset': [fields_of('offset', 'block_offset'), BASE],
    'base': [BASE],
    'scratch': [fields_of('base address', 'scratch_base')],
    'address': [(0, ALL, 'address', 'always'),
                (1, ALL, 'address, high', 'always')],
    'media': [(0, ALL, 'x', 'always'), (1, ALL, 'y', 'always'),
              (2, 0x3f003f, 'size', 'always')],
    'texel': [TEXEL],
    'sampler': [TEXEL, fields_of('sampler state', 'sampler_state')],
    'urb_read': URB_HANDLES,
    'urb_write': URB_HANDLES + [
        fields_of('channel masks', 'urb_channels_0', when='lower'),
        fields_of('channel masks', 'urb_channels_1', when='upper')],
    'barrier': [(2, ALL, 'barrier', 'always')],
    'target': [fields_of('alpha of the first target, stencil',
                         'rt_src0_alpha', 'rt_stencil'),
               fields_of('target', 'rt_index'),
               fields_of('mask of pixels', 'rt_pixels')],
}

# Parts of a payload, and a response, by how they are spread.
MAX_PARTS = 2
PART_FORMS = [
    'none',
    'slots',       # a dword for each slot
    'slots64',     # 64 bits for each slot
    'data',        # a dword for each slot, to the end
    'offsets',     # dwords 0 and 4, of the halves
    'block',       # registers, channel by channel, to the end
    'scratch',     # the same; the thread's own memory if it is stateless
    'parameters',  # of the sampler: as many as `leading` says count
    'urb',         # handles of slots, their offsets, their masks
]
RESPONSE_FORMS = [
    'whole',    # registers as they are
    'slots',    # a register for eight slots, part by part
    'interp',   # two for eight slots
    'scratch',  # a block, the thread's own memory if it is stateless
]

Form = namedtuple('Form', 'header parts response leading')


def form(header='none', parts=(), response='whole', leading=0):
    """`leading`: parameters of the sampler up to the first coordinate, with
    it. What stands after it depends on the surface."""
    return Form(header, tuple(parts), response, leading)


def sample_form(leading, header='sampler'):
    return form(header, ['parameters'], 'slots', leading)


FORMS = {
    'sample': sample_form(1), 'sample_b': sample_form(2),
    'sample_l': sample_form(2), 'sample_c': sample_form(2),
    'sample_d': sample_form(1), 'sample_b_c': sample_form(3),
    'sample_l_c': sample_form(3), 'ld': sample_form(1, 'texel'),
    'gather4': sample_form(1), 'lod': sample_form(1),
    'resinfo': sample_form(1), 'sampleinfo': form(response='slots'),
    'gather4_c': sample_form(2), 'gather4_po': sample_form(1),
    'gather4_po_c': sample_form(2), 'sample_d_c': sample_form(2),
    'sample_lz': sample_form(1), 'sample_c_lz': sample_form(2),
    'ld_lz': sample_form(1, 'texel'), 'ld2dms_w': sample_form(1, 'texel'),
    'ld_mcs': sample_form(1, 'texel'), 'ld2dms': sample_form(1, 'texel'),
    'ld2dss': sample_form(2, 'texel'),

    'oword_block_read': form('offset', response='scratch'),
    'oword_block_read_unaligned': form('offset'),
    'oword_dual_block_read': form('base', ['offsets']),
    'dword_scattered_read': form('base', ['slots'], 'slots'),
    'byte_scattered_read': form('slots', ['slots'], 'slots'),
    'oword_block_write': form('offset', ['scratch']),
    'oword_dual_block_write': form('base', ['offsets', 'block']),
    'dword_scattered_write': form('base', ['slots', 'data']),
    'byte_scattered_write': form('slots', ['slots', 'data']),
    'fence': form(), 'render_fence': form(),
    'scratch_read': form('scratch', response='scratch'),
    'scratch_write': form('scratch', ['scratch']),

    'untyped_read': form('slots', ['slots'], 'slots'),
    'untyped_write': form('slots', ['slots', 'data']),
    'untyped_atomic': form('slots', ['slots', 'data'], 'slots'),
    'untyped_atomic_4x2': form('none', ['offsets']),
    'untyped_float_atomic': form('slots', ['slots', 'data'], 'slots'),
    'typed_read': form('slots', ['slots']),
    'typed_write': form('slots', ['slots']),
    'typed_atomic': form('slots', ['slots']),
    'typed_atomic_4x2': form('none', ['offsets']),
    'media_block_read': form('media'), 'media_block_write': form('media'),

    'a64_scattered_read': form('slots', ['slots64']),
    'a64_scattered_write': form('slots', ['slots64']),
    'a64_untyped_read': form('slots', ['slots64'], 'slots'),
    'a64_untyped_write': form('slots', ['slots64', 'data']),
    'a64_atomic': form('slots', ['slots64']),
    'a64_atomic_4x2': form(),
    'a64_float_atomic': form('slots', ['slots64']),
    'a64_block_read': form('address'),
    'a64_block_write': form('address', ['block']),

    'rt_write': form('target'), 'rt_read': form(response='slots'),

    'urb_write_hword': form('urb_write'), 'urb_write_oword': form('urb_write'),
    'urb_read_hword': form('urb_read'), 'urb_read_oword': form('urb_read'),
    'urb_simd8_write': form('none', ['urb']),
    'urb_simd8_read': form('none', ['urb']),

    'barrier': form('barrier'), 'thread_end': form(),

    'interp_shared_offset': form(response='interp'),
    'interp_sample': form(response='interp'),
    'interp_centroid': form(response='interp'),
    'interp_slot_offset': form('none', ['slots', 'slots'], 'interp'),
}

# --------------------------------------------------------------------------
# What the templates need.

NOT_IN_UNION = ('type', 'mlen', 'rlen', 'header')


def members(fields=None):
    """Members of struct isa_message that fields fill in, in order."""
    result = []
    for name, f in (fields or FIELDS).items():
        if name not in NOT_IN_UNION and f.member not in result:
            result.append(f.member)
    return result


def pieces(bits):
    """A range, or several, as a list of ranges, the highest bits first."""
    return [bits] if isinstance(bits[0], int) else list(bits)


def width(bits):
    return sum(high - low + 1 for high, low in pieces(bits))


def own_fields(fields):
    """(name, pieces) of the fields of one layout on one generation."""
    return [(name, pieces(bits)) for name, bits in fields.items()
            if name not in ('mbz', 'ignored') and bits is not None]


def code_of(code, gen):
    return code[gen] if isinstance(code, dict) else code


def shown_fields(fields):
    """own_fields() without what is in every descriptor."""
    return [row for row in own_fields(fields) if row[0] not in NOT_IN_UNION]


def free_bits(fields):
    """The bits of a descriptor that no field owns, as a number."""
    return sum(1 << bit for name in ('mbz', 'ignored')
               for high, low in fields[name] for bit in range(low, high + 1))


def values_by_code(values, gen):
    """{code: (value, text)} of a generation."""
    return {code_of(code, gen): (value, text)
            for _, text, value, code in values
            if code_of(code, gen) is not None}


def home(m, gen):
    """(shared function, number): the first one that has the message."""
    for sfid, codes in m.codes.items():
        if codes[gen] is not None:
            return sfid, codes[gen]
    return None


def value_codes(values, gen):
    """[(value, code)] that a generation has."""
    return [(value, code_of(code, gen)) for _, _, value, code in values
            if code_of(code, gen) is not None]


def generations(m):
    """Those that have the message."""
    return [gen for gen in GENS
            if any(codes.get(gen) is not None for codes in m.codes.values())]


def decode_table(gen, sfid, messages=None, layouts=None):
    """{number in the selector: message} of one shared function."""
    layouts = layouts or LAYOUTS
    selector = SELECTORS[sfid][gen]
    table = {}
    for m in messages or MESSAGES:
        code = m.codes.get(sfid, {}).get(gen)
        if code is None or selector is None:
            continue
        low = layouts[m.layout][gen]['type'][1] - selector[1]
        for i in range(1 << max(low, 0)):
            table.setdefault(code << max(low, 0) | i, []).append(m)
    return table


def expression(text, who='m->'):
    """A C expression of members."""
    names = set(members()) | {'mlen', 'rlen', 'header'}
    return re.sub(r'\b[a-z_][A-Za-z0-9_]*\b',
                  lambda word: who + word[0] if word[0] in names else word[0],
                  text)


def bounds(part):
    return part if isinstance(part, tuple) else (part, part)


def length(m, which):
    """C expressions (least, most) of a message's payload or response."""
    if which == 'response':
        return tuple(expression(e) for e in bounds(m.response))
    sums = []
    for i in range(2):
        parts = [bounds(size)[i] for _, size in m.payload]
        sums.append(expression(' + '.join(parts)) if parts else '0')
    return tuple(sums)


# --------------------------------------------------------------------------
# Checks.

FUNCTIONS = {'enabled', 'operands', 'block_grfs', 'rt_grfs'}


def check_bits(who, fields, known):
    """Faults of one layout on one generation."""
    faults, owner = [], [None] * DESC_BITS
    seen = {}
    ranges = [(name, bits) for name, parts in own_fields(fields)
              for bits in parts]
    for name in ('mbz', 'ignored'):
        ranges += [(name, bits) for bits in fields.get(name) or []]
    for name, (high, low) in ranges:
        if not 0 <= low <= high < DESC_BITS:
            faults.append('%s: "%s" %d:%d is no range of bits' % (
                who, name, high, low))
            continue
        for bit in range(low, high + 1):
            if owner[bit] is not None:
                faults.append('%s: bit %d is in %s and in %s' % (
                    who, bit, owner[bit], name))
            owner[bit] = name
    free = [bit for bit in range(DESC_BITS) if owner[bit] is None]
    if free:
        faults.append('%s: no owner for bits %s (name them mbz)' % (
            who, ' '.join(map(str, free))))
    for name, _ in own_fields(fields):
        if name not in known:
            faults.append('%s: unknown field "%s"' % (who, name))
            continue
        member = known[name].member
        if member in seen:
            faults.append('%s: "%s" and "%s" are both member "%s"' % (
                who, seen[member], name, member))
        seen[member] = name
    return faults


def check_layouts(layouts, known):
    faults = []
    for name, per_gen in layouts.items():
        everywhere = set().union(*per_gen.values())
        for gen in GENS:
            if gen not in per_gen:
                faults.append('%s: layout "%s" has no value' % (gen, name))
                continue
            fields = per_gen[gen]
            for missing in sorted(everywhere - set(fields)):
                faults.append('%s %s: no value for field "%s"' % (
                    gen, name, missing))
            faults += check_bits('%s %s' % (gen, name), fields, known)
    return faults


def check_values(layouts, known):
    """Named values fit their fields, and each has one meaning."""
    faults = []
    for name, per_gen in layouts.items():
        for gen, fields in per_gen.items():
            for f, parts in own_fields(fields):
                values = known[f].values if f in known else None
                if not values:
                    continue
                who = '%s %s: field "%s"' % (gen, name, f)
                codes = value_codes(values, gen)
                for value, code in codes:
                    if code >= 1 << width(parts):
                        faults.append('%s: code %d does not fit' % (who, code))
                for column, what in ((0, 'value'), (1, 'code')):
                    all_ = [pair[column] for pair in codes]
                    faults += ['%s: %s %d twice' % (who, what, n)
                               for n in sorted(set(all_))
                               if all_.count(n) > 1]
    return faults


def check_messages(messages, layouts, known):
    faults = []
    names = [m.name for m in messages]
    faults += ['message "%s" has two rows' % n for n in sorted(set(names))
               if names.count(n) > 1]
    sfids = {name for name, _ in SFIDS}
    for m in messages:
        who = 'message "%s"' % m.name
        if m.layout not in layouts:
            faults.append('%s: unknown layout "%s"' % (who, m.layout))
            continue
        if not generations(m):
            faults.append('%s is on no generation' % who)
        if m.header not in ('needed', 'optional', 'forbidden'):
            faults.append('%s: header "%s"' % (who, m.header))
        for sfid, codes in m.codes.items():
            if sfid not in sfids or sfid not in SELECTORS:
                faults.append('%s: unknown shared function "%s"' % (who,
                                                                    sfid))
                continue
            for gen in GENS:
                faults += check_number(m, sfid, gen, codes.get(gen, 'none'),
                                       layouts)
        for gen in GENS:
            numbers = {codes.get(gen) for codes in m.codes.values()} - {None}
            if len(numbers) > 1:
                faults.append('%s %s has several numbers: %s' % (
                    gen, who, ' '.join(map(str, sorted(numbers)))))
        faults += check_lengths(m, layouts, known)
    return faults


def check_number(m, sfid, gen, code, layouts):
    who = '%s %s: message "%s"' % (gen, sfid, m.name)
    if code == 'none':
        return ['%s: no value' % who]
    if code is None:
        return []
    selector = SELECTORS[sfid][gen]
    if selector is None:
        return ['%s: the generation has no such shared function' % who]
    high, low = layouts[m.layout][gen]['type']
    if high != selector[0] or low < selector[1]:
        return ['%s: type %d:%d is not the upper part of %d:%d' % (
            (who, high, low) + selector)]
    if code >= 1 << (high - low + 1):
        return ['%s: number %d does not fit' % (who, code)]
    return []


def check_lengths(m, layouts, known):
    """Lengths speak of fields that the message has."""
    faults = []
    texts = [e for _, size in m.payload for e in bounds(size)]
    texts += list(bounds(m.response)) + [m.unit, m.unknown]
    words = set(re.findall(r'\b[a-z_]\w*\b', ' '.join(texts))) - FUNCTIONS
    for gen in generations(m):
        have = {known[name].member
                for name, bits in layouts[m.layout][gen].items()
                if name in known}
        for word in sorted(words - have):
            faults.append('%s message "%s": its length is made of "%s", which '
                          'it does not have' % (gen, m.name, word))
    return faults


def check_twins(messages, layouts):
    """No two messages of a shared function have one number."""
    faults = []
    for gen in GENS:
        for sfid in SELECTORS:
            known = [m for m in messages if m.layout in layouts]
            for number, rows in sorted(
                    decode_table(gen, sfid, known, layouts).items()):
                if len(rows) > 1:
                    faults.append('%s %s: %d is "%s"' % (
                        gen, sfid, number,
                        '" and "'.join(m.name for m in rows)))
    return faults


def check_header(name, dwords):
    faults = []
    for number, bits, text, when in dwords:
        who = 'header "%s", dword %d' % (name, number)
        if not 0 <= number < 16:
            faults.append('%s: no such dword' % who)
        if not 0 < bits <= ALL:
            faults.append('%s: bits 0x%x' % (who, bits))
        if when not in HEADER_WHEN:
            faults.append('%s: when "%s"' % (who, when))
    return faults


def check_forms(messages, forms, headers):
    """Each message has a form, of names that exist; no other has one."""
    faults = [fault for name in headers
              for fault in check_header(name, headers[name])]
    names = {m.name for m in messages}
    faults += ['a form of "%s", which is no message' % name
               for name in sorted(set(forms) - names)]
    for m in messages:
        who = 'message "%s"' % m.name
        f = forms.get(m.name)
        if f is None:
            faults.append('%s has no form' % who)
            continue
        if f.header not in headers:
            faults.append('%s: unknown header "%s"' % (who, f.header))
        if f.header != 'none' and m.header == 'forbidden':
            faults.append('%s has no header, but dwords of one' % who)
        faults += ['%s: part "%s"' % (who, part) for part in f.parts
                   if part not in PART_FORMS[1:]]
        if len(f.parts) > MAX_PARTS:
            faults.append('%s: more than %d parts' % (who, MAX_PARTS))
        if f.response not in RESPONSE_FORMS:
            faults.append('%s: response "%s"' % (who, f.response))
        if bool(f.leading) != ('parameters' in f.parts):
            faults.append('%s: %d leading parameters' % (who, f.leading))
    return faults


def check(messages=None, layouts=None, known=None, forms=None, headers=None):
    """Every fault of the tables, as sentences."""
    forms = FORMS if forms is None else forms
    headers = HEADERS if headers is None else headers
    messages = MESSAGES if messages is None else messages
    layouts = LAYOUTS if layouts is None else layouts
    known = FIELDS if known is None else known
    faults = check_layouts(layouts, known)
    faults += check_values(layouts, known)
    if not faults:
        faults += check_messages(messages, layouts, known)
    if not faults:
        faults += check_twins(messages, layouts)
        faults += check_forms(messages, forms, headers)
    return faults


if __name__ == '__main__':
    for fault in check():
        print(fault)
