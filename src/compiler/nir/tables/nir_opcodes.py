# SPDX-License-Identifier: MIT
"""The ALU opcodes of NIR: one row each.

A row names the opcode, its output and input types, and the expression that
computes it. Constant folder and interpreter run the C made from the
expression, so it is the definition of the opcode.

Types are 'float', 'int', 'uint', 'bool', with a bit size ('float32') or
without: without means any size, and the same one wherever no size stands in
the row. Sizes are numbers of components; 0 means that the opcode works per
component and the expression is evaluated once for each.

In an expression, `src0` is the component of a per-component source; for a
source of fixed size it is a struct with members x, y, z, w, e, ... . The
result is the value of the expression, or what is assigned to `dst` when the
text holds statements (it ends with ';' or '}'). `bit_size` is the size of
the size-less types. A 1-bit int or uint is 0 or -1/1 as in int1_t below;
a bool is a C bool.
"""

import re

BITS = (1, 8, 16, 32, 64)
TYPE_RE = re.compile(r'^(float|int|uint|bool)(1|8|16|32|64)?$')
TYPE_SIZES = {'float': (16, 32, 64), 'int': (1, 8, 16, 32, 64),
              'uint': (1, 8, 16, 32, 64), 'bool': (1, 8, 16, 32)}

COMMUTATIVE, ASSOCIATIVE, SELECTION = 1, 2, 4
BOTH = COMMUTATIVE | ASSOCIATIVE

tfloat, tint, tuint, tbool = 'float', 'int', 'uint', 'bool'


def type_base(t):
    return TYPE_RE.match(t).group(1)


def type_size(t):
    """Bit size, or 0 when any."""
    size = TYPE_RE.match(t).group(2)
    return int(size) if size else 0


class Opcode:
    """One row; refuses one that contradicts itself."""

    def __init__(self, name, output_size, output_type, input_sizes,
                 input_types, expr, props=0, conversion=False):
        assert re.match(r'^[a-z][a-z0-9_]*$', name), name
        assert len(input_sizes) == len(input_types), name
        assert 1 <= len(input_sizes) <= 16, name
        for t in [output_type] + list(input_types):
            if not TYPE_RE.match(t):
                raise ValueError(f'{name}: bad type {t!r}')
        for s in [output_size] + list(input_sizes):
            if not 0 <= s <= 16:
                raise ValueError(f'{name}: bad size {s}')
        if output_size == 0 and 0 not in input_sizes:
            raise ValueError(f'{name}: per-component output of no source')
        if output_size != 0 and 0 in input_sizes:
            raise ValueError(f'{name}: per-component source, fixed output')
        if props & COMMUTATIVE and \
           (len(input_types) < 2 or input_types[0] != input_types[1]):
            raise ValueError(f'{name}: sources of unlike types commute')
        self.name = name
        self.output_size = output_size
        self.output_type = output_type
        self.input_sizes = list(input_sizes)
        self.input_types = list(input_types)
        self.expr = expr
        self.props = props
        self.conversion = conversion

    @property
    def num_inputs(self):
        return len(self.input_sizes)

    def bit_sizes(self):
        """Sizes that the size-less types may take; [0] if there are none."""
        free = [type_base(t) for t in [self.output_type] + self.input_types
                if type_size(t) == 0]
        if not free:
            return [0]
        sizes = set(BITS) - ({1} if self.name in NOT_1_BIT else set())
        for base in free:
            sizes &= set(TYPE_SIZES[base])
        return sorted(sizes)


# Arithmetic that means nothing on one bit.
NOT_1_BIT = {'isign', 'ihadd', 'uhadd', 'irhadd', 'urhadd'}

opcodes = {}


def opcode(name, output_size, output_type, input_sizes, input_types, expr,
           props=0, conversion=False):
    if name in opcodes:
        raise ValueError(f'{name} is there twice')
    opcodes[name] = Opcode(name, output_size, output_type, input_sizes,
                           input_types, expr, props, conversion)


def unop(name, t, expr, src=None):
    opcode(name, 0, t, [0], [src or t], expr)


def binop(name, t, expr, props=0):
    opcode(name, 0, t, [0, 0], [t, t], expr, props)


def compare(name, t, expr, props=0):
    """Result bool1, and the forms with 8, 16 and 32-bit booleans."""
    for suffix, out in (('', 'bool1'), ('8', 'bool8'), ('16', 'bool16'),
                        ('32', 'bool32')):
        opcode(name + suffix, 0, out, [0, 0], [t, t], expr, props)


def triop(name, t, expr, props=0):
    opcode(name, 0, t, [0, 0, 0], [t, t, t], expr, props)


LETTERS = 'xyzwefghijklmnop'


def sum_of(terms):
    """From the left; R() rounds a step to the opcode's size."""
    text = terms[0]
    for term in terms[1:]:
        text = f'R({text} + {term})'
    return text


# --- Moves and vectors ------------------------------------------------------

unop('mov', tuint, 'src0')
for n in (2, 3, 4, 5, 8, 16):
    opcode(f'vec{n}', n, tuint, [1] * n, [tuint] * n,
           ' '.join(f'dst.{LETTERS[i]} = src{i}.x;' for i in range(n)))

# --- Conversions ------------------------------------------------------------


def conversion(src, dst, size, suffix='', expr='src0'):
    opcode(f'{src[0]}2{dst[0]}{suffix}' if suffix else
           f'{src[0]}2{dst[0]}{size}', 0, f'{dst}{size}', [0], [src], expr,
           conversion=True)


for size in (16, 32, 64):
    for src in (tint, tuint):
        conversion(src, tfloat, size)
    conversion(tbool, tfloat, size, expr='src0 ? 1.0 : 0.0')
    if size != 16:
        conversion(tfloat, tfloat, size)
# To half there is one rounding, also from a double.
opcode('f2f16', 0, 'float16', [0], [tfloat], 'src0', conversion=True)
opcode('f2f16_rtne', 0, 'float16', [0], [tfloat],
       'dst = nir_round_to_half((double)src0, false);', conversion=True)
opcode('f2f16_rtz', 0, 'float16', [0], [tfloat],
       'dst = nir_round_to_half((double)src0, true);', conversion=True)
# What the mode RoundingModeRTZ makes of f2f32: nir_round_toward_zero().
opcode('f2f32_rtz', 0, 'float32', [0], [tfloat],
       'nir_cut(src0, 32)', conversion=True)
for size in (1, 8, 16, 32, 64):
    conversion(tint, tint, size,
               expr='src0' if size > 1 else '-(src0 & 1)')
    conversion(tuint, tuint, size,
               expr='src0' if size > 1 else 'src0 & 1')
    conversion(tfloat, tint, size,
               expr=f'nir_float_to_int(src0, {size})' if size > 1
               else 'src0 <= -1.0 ? -1 : 0')
    conversion(tfloat, tuint, size,
               expr=f'nir_float_to_uint(src0, {size})')
    conversion(tbool, tint, size, expr='src0 ? 1 : 0'
               if size > 1 else 'src0 ? -1 : 0')
for size in (1, 8, 16, 32):
    conversion(tbool, tbool, size)
    conversion(tint, tbool, size, expr='src0 != 0')
    conversion(tfloat, tbool, size, expr='src0 != 0.0')
# Mediump: a smaller type is allowed.
for name, s, d in (('f2fmp', 'float32', 'float16'),
                   ('i2imp', 'int32', 'int16'),
                   ('f2imp', 'float32', 'int16'),
                   ('f2ump', 'float32', 'uint16'),
                   ('i2fmp', 'int32', 'float16'),
                   ('u2fmp', 'uint32', 'float16')):
    e = {'f2imp': 'nir_float_to_int(src0, 16)',
         'f2ump': 'nir_float_to_uint(src0, 16)'}.get(name, 'src0')
    opcode(name, 0, d, [0], [s], e, conversion=True)

# --- One source -------------------------------------------------------------

unop('fneg', tfloat, '-src0')
unop('ineg', tint, '0 - (uint64_t)src0')
unop('inot', tint, '~src0')
# Zeros keep their sign; the sign of a NaN is +0.
unop('fsign', tfloat,
     '(src0 != src0) ? 0.0 : '
     '((src0 == 0.0) ? src0 : (src0 > 0.0) ? 1.0 : -1.0)')
unop('isign', tint, '(src0 == 0) ? 0 : ((src0 > 0) ? 1 : -1)')
unop('iabs', tint, '(src0 < 0) ? 0 - (uint64_t)src0 : (uint64_t)src0')
unop('fabs', tfloat, 'fabs(src0)')
unop('fsat', tfloat, '(src0 > 0.0) ? ((src0 > 1.0) ? 1.0 : src0) : 0.0')
unop('frcp', tfloat, 'bit_size == 64 ? 1.0 / src0 : 1.0f / (float)src0')
unop('frsq', tfloat,
     'bit_size == 64 ? nir_rsq64(src0) : 1.0 / sqrt((double)src0)')
unop('fsqrt', tfloat, 'bit_size == 64 ? sqrt(src0) : sqrtf((float)src0)')
unop('fexp2', tfloat, 'exp2((double)src0)')
unop('flog2', tfloat, 'log2((double)src0)')
unop('fsin', tfloat, 'sin((double)src0)')
unop('fcos', tfloat, 'cos((double)src0)')
unop('ftrunc', tfloat, 'trunc(src0)')
unop('fceil', tfloat, 'ceil(src0)')
unop('ffloor', tfloat, 'floor(src0)')
unop('ffract', tfloat, 'nir_fract(src0, bit_size)')
unop('fround_even', tfloat, 'rint(src0)')
unop('fquantize2f16', 'float32', 'nir_quantize_to_half(src0)')
unop('frexp_exp', 'int32', 'nir_frexp_exp(src0)', tfloat)
unop('frexp_sig', tfloat, 'nir_frexp_sig(src0, bit_size)')
# Derivatives need the neighbours: the interpreter has its own rows for
# them. Of a constant they are zero.
for name in ('fddx', 'fddy'):
    for suffix in ('', '_fine', '_coarse'):
        unop(name + suffix, tfloat, '(src0 - src0 != 0.0) ? src0 - src0 : 0.0')

# --- Packing ----------------------------------------------------------------


def pack(name, out, n, src, expr):
    opcode(name, 1, out, [n], [src], expr)


def unpack(name, n, dst, src, expr):
    opcode(name, n, dst, [1], [src], expr)


pack('pack_snorm_2x16', 'uint32', 2, 'float32',
     'dst.x = nir_snorm(src0.x, 16) | (nir_snorm(src0.y, 16) << 16);')
pack('pack_unorm_2x16', 'uint32', 2, 'float32',
     'dst.x = nir_unorm(src0.x, 16) | (nir_unorm(src0.y, 16) << 16);')
pack('pack_snorm_4x8', 'uint32', 4, 'float32',
     'dst.x = nir_snorm(src0.x, 8) | (nir_snorm(src0.y, 8) << 8) | '
     '(nir_snorm(src0.z, 8) << 16) | (nir_snorm(src0.w, 8) << 24);')
pack('pack_unorm_4x8', 'uint32', 4, 'float32',
     'dst.x = nir_unorm(src0.x, 8) | (nir_unorm(src0.y, 8) << 8) | '
     '(nir_unorm(src0.z, 8) << 16) | (nir_unorm(src0.w, 8) << 24);')
pack('pack_half_2x16', 'uint32', 2, 'float32',
     'dst.x = util_float_to_half(src0.x) | '
     '((uint32_t)util_float_to_half(src0.y) << 16);')
pack('pack_uvec2_to_uint', 'uint32', 2, 'uint32',
     'dst.x = (src0.x & 0xffff) | (src0.y << 16);')
pack('pack_uvec4_to_uint', 'uint32', 4, 'uint32',
     'dst.x = (src0.x & 0xff) | ((src0.y & 0xff) << 8) | '
     '((src0.z & 0xff) << 16) | (src0.w << 24);')
pack('pack_32_4x8', 'uint32', 4, 'uint8',
     'dst.x = src0.x | ((uint32_t)src0.y << 8) | ((uint32_t)src0.z << 16) | '
     '((uint32_t)src0.w << 24);')
pack('pack_32_2x16', 'uint32', 2, 'uint16',
     'dst.x = src0.x | ((uint32_t)src0.y << 16);')
pack('pack_64_2x32', 'uint64', 2, 'uint32',
     'dst.x = src0.x | ((uint64_t)src0.y << 32);')
pack('pack_64_4x16', 'uint64', 4, 'uint16',
     'dst.x = src0.x | ((uint64_t)src0.y << 16) | ((uint64_t)src0.z << 32) | '
     '((uint64_t)src0.w << 48);')
unpack('unpack_snorm_2x16', 2, 'float32', 'uint32',
       'dst.x = nir_unsnorm((int16_t)(src0.x & 0xffff), 16); '
       'dst.y = nir_unsnorm((int16_t)(src0.x >> 16), 16);')
unpack('unpack_unorm_2x16', 2, 'float32', 'uint32',
       'dst.x = (src0.x & 0xffff) / 65535.0f; '
       'dst.y = (src0.x >> 16) / 65535.0f;')
unpack('unpack_snorm_4x8', 4, 'float32', 'uint32',
       'dst.x = nir_unsnorm((int8_t)(src0.x & 0xff), 8); '
       'dst.y = nir_unsnorm((int8_t)(src0.x >> 8), 8); '
       'dst.z = nir_unsnorm((int8_t)(src0.x >> 16), 8); '
       'dst.w = nir_unsnorm((int8_t)(src0.x >> 24), 8);')
unpack('unpack_unorm_4x8', 4, 'float32', 'uint32',
       'dst.x = (src0.x & 0xff) / 255.0f; '
       'dst.y = ((src0.x >> 8) & 0xff) / 255.0f; '
       'dst.z = ((src0.x >> 16) & 0xff) / 255.0f; '
       'dst.w = (src0.x >> 24) / 255.0f;')
for suffix in ('', '_flush_to_zero'):
    flush = '_ftz' if suffix else ''
    unpack('unpack_half_2x16' + suffix, 2, 'float32', 'uint32',
           f'dst.x = nir_half_to_float{flush}(src0.x & 0xffff); '
           f'dst.y = nir_half_to_float{flush}(src0.x >> 16);')
    unop('unpack_half_2x16_split_x' + suffix, 'float32',
         f'nir_half_to_float{flush}(src0 & 0xffff)', 'uint32')
    unop('unpack_half_2x16_split_y' + suffix, 'float32',
         f'nir_half_to_float{flush}(src0 >> 16)', 'uint32')
unpack('unpack_64_2x32', 2, 'uint32', 'uint64',
       'dst.x = src0.x; dst.y = src0.x >> 32;')
unpack('unpack_64_4x16', 4, 'uint16', 'uint64',
       'dst.x = src0.x; dst.y = src0.x >> 16; dst.z = src0.x >> 32; '
       'dst.w = src0.x >> 48;')
unpack('unpack_32_2x16', 2, 'uint16', 'uint32',
       'dst.x = src0.x; dst.y = src0.x >> 16;')
unpack('unpack_32_4x8', 4, 'uint8', 'uint32',
       'dst.x = src0.x; dst.y = src0.x >> 8; dst.z = src0.x >> 16; '
       'dst.w = src0.x >> 24;')
unop('unpack_64_2x32_split_x', 'uint32', 'src0', 'uint64')
unop('unpack_64_2x32_split_y', 'uint32', 'src0 >> 32', 'uint64')
unop('unpack_32_2x16_split_x', 'uint16', 'src0', 'uint32')
unop('unpack_32_2x16_split_y', 'uint16', 'src0 >> 16', 'uint32')
opcode('pack_64_2x32_split', 0, 'uint64', [0, 0], ['uint32', 'uint32'],
       'src0 | ((uint64_t)src1 << 32)')
opcode('pack_32_2x16_split', 0, 'uint32', [0, 0], ['uint16', 'uint16'],
       'src0 | ((uint32_t)src1 << 16)')
opcode('pack_32_4x8_split', 0, 'uint32', [0] * 4, ['uint8'] * 4,
       'src0 | ((uint32_t)src1 << 8) | ((uint32_t)src2 << 16) | '
       '((uint32_t)src3 << 24)')
opcode('pack_half_2x16_split', 0, 'uint32', [0, 0], ['float32', 'float32'],
       'util_float_to_half(src0) | '
       '((uint32_t)util_float_to_half(src1) << 16)')
opcode('pack_half_2x16_rtz_split', 0, 'uint32', [0, 0],
       ['float32', 'float32'],
       'util_float_to_half_rtz(src0) | '
       '((uint32_t)util_float_to_half_rtz(src1) << 16)')

# --- Bits -------------------------------------------------------------------

unop('bitfield_reverse', 'uint32', 'nir_bitfield_reverse(src0)')
unop('bit_count', 'uint32', '__builtin_popcountll((uint64_t)src0)', tuint)
unop('ufind_msb', 'int32', 'src0 ? (int)util_logbase2(src0) : -1', tuint)
unop('ufind_msb_rev', 'int32',
     'src0 ? (int)bit_size - 1 - (int)util_logbase2(src0) : -1', tuint)
unop('uclz', 'uint32', 'src0 ? __builtin_clz(src0) : 32', 'uint32')
unop('ifind_msb', 'int32', 'nir_ifind_msb(src0)', tint)
unop('ifind_msb_rev', 'int32',
     'nir_ifind_msb(src0) < 0 ? -1 : '
     '(int)bit_size - 1 - nir_ifind_msb(src0)', tint)
unop('find_lsb', 'int32', 'src0 ? __builtin_ctzll((uint64_t)src0) : -1', tint)

# --- Two sources ------------------------------------------------------------

binop('fadd', tfloat, 'src0 + src1', BOTH)
binop('fsub', tfloat, 'src0 - src1')
binop('fmul', tfloat, 'src0 * src1', BOTH)
# Rounded towards zero: nir_round_toward_zero() makes them.
binop('fadd_rtz', tfloat, 'nir_sum_rtz(src0, src1, bit_size)', COMMUTATIVE)
binop('fmul_rtz', tfloat, 'nir_product_rtz(src0, src1, bit_size)',
      COMMUTATIVE)
# Zero times anything is zero.
binop('fmulz', 'float32',
      '(src0 == 0.0f || src1 == 0.0f) ? 0.0f : src0 * src1', COMMUTATIVE)
binop('fdiv', tfloat, 'src0 / src1')
binop('iadd', tint, '(uint64_t)src0 + (uint64_t)src1', BOTH)
binop('isub', tint, '(uint64_t)src0 - (uint64_t)src1')
binop('imul', tint, '(uint64_t)src0 * (uint64_t)src1', BOTH)
binop('amul', tint, '(uint64_t)src0 * (uint64_t)src1', BOTH)
binop('iadd_sat', tint, 'nir_iadd_sat(src0, src1, bit_size)', COMMUTATIVE)
binop('isub_sat', tint, 'nir_isub_sat(src0, src1, bit_size)')
binop('uadd_sat', tuint, 'nir_uadd_sat(src0, src1, bit_size)', COMMUTATIVE)
binop('usub_sat', tuint, 'src0 < src1 ? 0 : src0 - src1')
binop('imul_high', tint, 'nir_imul_high(src0, src1, bit_size)', COMMUTATIVE)
binop('umul_high', tuint, 'nir_umul_high(src0, src1, bit_size)', COMMUTATIVE)
opcode('imul_2x32_64', 0, 'int64', [0, 0], ['int32', 'int32'],
       '(int64_t)src0 * (int64_t)src1', COMMUTATIVE)
opcode('umul_2x32_64', 0, 'uint64', [0, 0], ['uint32', 'uint32'],
       '(uint64_t)src0 * (uint64_t)src1', COMMUTATIVE)
# The low halves multiplied.
binop('umul_low', 'uint32', '(src0 & 0xffff) * (src1 & 0xffff)', COMMUTATIVE)
opcode('imul_32x16', 0, 'int32', [0, 0], ['int32', 'int32'],
       '(uint32_t)src0 * (uint32_t)(int32_t)(int16_t)src1')
opcode('umul_32x16', 0, 'uint32', [0, 0], ['uint32', 'uint32'],
       'src0 * (src1 & 0xffff)')
binop('imul24', 'int32',
      '(uint32_t)((int32_t)((uint32_t)src0 << 8) >> 8) * '
      '(uint32_t)((int32_t)((uint32_t)src1 << 8) >> 8)', COMMUTATIVE)
binop('umul24', 'uint32', '(src0 & 0xffffff) * (src1 & 0xffffff)',
      COMMUTATIVE)
# Division by zero gives zero: any answer is allowed, a trap is not.
binop('idiv', tint, 'nir_idiv(src0, src1)')
binop('udiv', tuint, 'src1 == 0 ? 0 : src0 / src1')
binop('umod', tuint, 'src1 == 0 ? 0 : src0 % src1')
# The sign of the divisor; of the dividend.
binop('imod', tint, 'nir_imod(src0, src1)')
binop('irem', tint, 'nir_irem(src0, src1)')
# As GLSL says, in steps of floats; of doubles the remainder is exact.
binop('fmod', tfloat, 'nir_fmod(src0, src1, bit_size)')
binop('frem', tfloat, 'nir_frem(src0, src1, bit_size)')
binop('uadd_carry', tuint,
      'nir_zext(src0 + src1, bit_size) < src0', COMMUTATIVE)
binop('usub_borrow', tuint, 'src0 < src1')
# (a + b) >> 1 without losing the carry; the r forms round up.
binop('ihadd', tint, '(src0 & src1) + ((src0 ^ src1) >> 1)', COMMUTATIVE)
binop('uhadd', tuint, '(src0 & src1) + ((src0 ^ src1) >> 1)', COMMUTATIVE)
binop('irhadd', tint, '(src0 | src1) - ((src0 ^ src1) >> 1)', COMMUTATIVE)
binop('urhadd', tuint, '(src0 | src1) - ((src0 ^ src1) >> 1)', COMMUTATIVE)
opcode('uabs_isub', 0, tuint, [0, 0], [tint, tint],
       'src1 > src0 ? (uint64_t)src1 - (uint64_t)src0 '
       ': (uint64_t)src0 - (uint64_t)src1')
binop('uabs_usub', tuint, 'src1 > src0 ? src1 - src0 : src0 - src1')

compare('flt', tfloat, 'src0 < src1')
compare('fge', tfloat, 'src0 >= src1')
compare('feq', tfloat, 'src0 == src1', COMMUTATIVE)
compare('fneu', tfloat, 'src0 != src1', COMMUTATIVE)
compare('ilt', tint, 'src0 < src1')
compare('ige', tint, 'src0 >= src1')
compare('ieq', tint, 'src0 == src1', COMMUTATIVE)
compare('ine', tint, 'src0 != src1', COMMUTATIVE)
compare('ult', tuint, 'src0 < src1')
compare('uge', tuint, 'src0 >= src1')
for base, op, word in ((tfloat, 'feq', 'fequal'), (tint, 'ieq', 'iequal')):
    for n in (2, 3, 4, 5, 8, 16):
        eq = ' && '.join(f'src0.{c} == src1.{c}' for c in LETTERS[:n])
        ne = ' || '.join(f'src0.{c} != src1.{c}' for c in LETTERS[:n])
        letter = word[0]
        for pre, suffix, out in (('b', '', 'bool1'), ('b8', '', 'bool8'),
                                 ('b16', '', 'bool16'), ('b32', '', 'bool32')):
            opcode(f'{pre}all_{word}{n}', 1, out, [n, n], [base, base],
                   f'dst.x = {eq};', COMMUTATIVE)
            opcode(f'{pre}any_{letter}n{word[1:]}{n}', 1, out, [n, n],
                   [base, base], f'dst.x = {ne};', COMMUTATIVE)
for n in (2, 3, 4, 5, 8, 16):
    opcode(f'fall_equal{n}', 1, 'float32', [n, n], ['float32'] * 2,
           'dst.x = (' + ' && '.join(f'src0.{c} == src1.{c}'
                                     for c in LETTERS[:n])
           + ') ? 1.0f : 0.0f;', COMMUTATIVE)
    opcode(f'fany_nequal{n}', 1, 'float32', [n, n], ['float32'] * 2,
           'dst.x = (' + ' || '.join(f'src0.{c} != src1.{c}'
                                     for c in LETTERS[:n])
           + ') ? 1.0f : 0.0f;', COMMUTATIVE)
    # Left to right, each step rounded.
    dot = sum_of([f'R(src0.{c} * src1.{c})' for c in LETTERS[:n]])
    opcode(f'fdot{n}', 1, tfloat, [n, n], [tfloat] * 2, f'dst.x = {dot};',
           COMMUTATIVE)
    if n <= 4:
        opcode(f'fsum{n}', 1, tfloat, [n], [tfloat],
               'dst.x = ' + sum_of([f'src0.{c}' for c in LETTERS[:n]]) + ';')
        reps = ' '.join(f'dst.{c} = {dot};' for c in LETTERS[:4])
        opcode(f'fdot{n}_replicated', 4, tfloat, [n, n], [tfloat] * 2, reps,
               COMMUTATIVE)
opcode('fdph', 1, tfloat, [3, 4], [tfloat] * 2,
       'dst.x = ' + sum_of([f'R(src0.{c} * src1.{c})' for c in 'xyz']
                           + ['src1.w']) + ';')
for name, op in (('slt', '<'), ('sge', '>='), ('seq', '=='), ('sne', '!=')):
    binop(name, tfloat, f'(src0 {op} src1) ? 1.0 : 0.0',
          COMMUTATIVE if name in ('seq', 'sne') else 0)

# Shift counts are taken modulo the bit size.
opcode('ishl', 0, tint, [0, 0], [tint, 'uint32'],
       '(uint64_t)src0 << (src1 & (bit_size - 1))')
opcode('ishr', 0, tint, [0, 0], [tint, 'uint32'],
       'src0 >> (src1 & (bit_size - 1))')
opcode('ushr', 0, tuint, [0, 0], [tuint, 'uint32'],
       'src0 >> (src1 & (bit_size - 1))')
opcode('urol', 0, tuint, [0, 0], [tuint, 'uint32'],
       'nir_rotate_left(src0, src1, bit_size)')
opcode('uror', 0, tuint, [0, 0], [tuint, 'uint32'],
       'nir_rotate_left(src0, 0 - src1, bit_size)')
binop('iand', tuint, 'src0 & src1', BOTH)
binop('ior', tuint, 'src0 | src1', BOTH)
binop('ixor', tuint, 'src0 ^ src1', BOTH)

# A NaN gives the other source; -0 is less than +0.
binop('fmin', tfloat, 'nir_fmin(src0, src1)', BOTH)
binop('fmax', tfloat, 'nir_fmax(src0, src1)', BOTH)
binop('imin', tint, 'src1 > src0 ? src0 : src1', BOTH)
binop('imax', tint, 'src1 > src0 ? src1 : src0', BOTH)
binop('umin', tuint, 'src1 > src0 ? src0 : src1', BOTH)
binop('umax', tuint, 'src1 > src0 ? src1 : src0', BOTH)
binop('fpow', tfloat, 'pow((double)src0, (double)src1)')
opcode('ldexp', 0, tfloat, [0, 0], [tfloat, 'int32'],
       'nir_ldexp(src0, src1, bit_size)')
# A mask of src0 bits, src1 bits up.
binop('bfm', 'uint32',
      '(uint32_t)((1u << (src0 & 31)) - 1) << (src1 & 31)')

for name, bits, ext in (('u8', 8, 'uint8_t'), ('i8', 8, 'int8_t'),
                        ('u16', 16, 'uint16_t'), ('i16', 16, 'int16_t')):
    t = tint if name[0] == 'i' else tuint
    opcode(f'extract_{name}', 0, t, [0, 0], [t, t],
           f'({ext})((uint64_t)src0 >> '
           f'(((uint64_t)src1 * {bits}) & (bit_size - 1)))')
    if name[0] == 'u':
        opcode(f'insert_{name}', 0, t, [0, 0], [t, t],
               f'(uint64_t)(src0 & {(1 << bits) - 1}) << '
               f'((src1 * {bits}) & (bit_size - 1))')

# --- Three and four sources --------------------------------------------------

triop('ffma', tfloat, 'nir_ffma(src0, src1, src2, bit_size)', COMMUTATIVE)
triop('flrp', tfloat,
      'R(src0 * R(1 - src2)) + R(src1 * src2)')
triop('iadd3', tint, '(uint64_t)src0 + (uint64_t)src1 + (uint64_t)src2',
      COMMUTATIVE)
triop('fcsel', 'float32', '(src0 != 0.0f) ? src1 : src2', SELECTION)
for name, cond in (('bcsel', 'bool1'), ('b8csel', 'bool8'),
                   ('b16csel', 'bool16'), ('b32csel', 'bool32')):
    opcode(name, 0, tuint, [0, 0, 0], [cond, tuint, tuint],
           'src0 ? src1 : src2', SELECTION)
opcode('i32csel_gt', 0, 'int32', [0] * 3, ['int32'] * 3,
       '(src0 > 0) ? src1 : src2', SELECTION)
opcode('i32csel_ge', 0, 'int32', [0] * 3, ['int32'] * 3,
       '(src0 >= 0) ? src1 : src2', SELECTION)
opcode('fcsel_gt', 0, 'float32', [0] * 3, ['float32'] * 3,
       '(src0 > 0.0f) ? src1 : src2', SELECTION)
opcode('fcsel_ge', 0, 'float32', [0] * 3, ['float32'] * 3,
       '(src0 >= 0.0f) ? src1 : src2', SELECTION)
# src1 shifted to the lowest set bit of the mask src0; src2 elsewhere.
triop('bfi', 'uint32',
      'src0 == 0 ? src2 : ((src0 & (src1 << __builtin_ctz(src0))) | '
      '(~src0 & src2))')
triop('bitfield_select', tuint, '(src0 & src1) | (~src0 & src2)')
# Offset and width taken modulo 32, as the hardware does.
opcode('ubfe', 0, 'uint32', [0] * 3, ['uint32'] * 3,
       'nir_ubfe(src0, src1 & 31, src2 & 31)')
opcode('ibfe', 0, 'int32', [0] * 3, ['int32', 'uint32', 'uint32'],
       'nir_ibfe(src0, src1 & 31, src2 & 31)')
# GLSL: a width of 32 is the whole, out of range gives 0.
opcode('ubitfield_extract', 0, 'uint32', [0] * 3,
       ['uint32', 'int32', 'int32'],
       '(src1 < 0 || src2 < 0 || (int64_t)src1 + src2 > 32) ? 0 : '
       'src2 == 32 ? src0 : nir_ubfe(src0, src1, src2)')
opcode('ibitfield_extract', 0, 'int32', [0] * 3, ['int32', 'int32', 'int32'],
       '(src1 < 0 || src2 < 0 || (int64_t)src1 + src2 > 32) ? 0 : '
       'src2 == 32 ? src0 : nir_ibfe(src0, src1, src2)')
opcode('bitfield_insert', 0, 'uint32', [0] * 4,
       ['uint32', 'uint32', 'int32', 'int32'],
       'nir_bitfield_insert(src0, src1, src2, src3)')
opcode('imad24_ir3', 0, 'int32', [0] * 3, ['int32'] * 3,
       '(uint32_t)((int32_t)((uint32_t)src0 << 8) >> 8) * '
       '(uint32_t)((int32_t)((uint32_t)src1 << 8) >> 8) + (uint32_t)src2')
opcode('umad24', 0, 'uint32', [0] * 3, ['uint32'] * 3,
       '(src0 & 0xffffff) * (src1 & 0xffffff) + src2')
