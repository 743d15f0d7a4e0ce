# SPDX-License-Identifier: MIT
"""The rewrite rules, and the program that writes their C tables.

usage: nir_opt_algebraic.py PASS OUTPUT.c, where PASS is a key of PASSES: the
C function is nir_opt_PASS().

Rules are tried in order. What they must keep: a rule that changes the bits of
a float result for some input (signed zeros, NaN, infinities, rounding) is
inexact. Rules must come to rest: no rule undoes another one.
"""

import os
import sys

import nir_restore_builtins
from nir_algebraic import Rule, Var, inexact, near, op, render

a, b, c, d, e = Var('a'), Var('b'), Var('c'), Var('d'), Var('e')


def option(name):
    return f'options->{name}'


def half_up(x):
    return op.ffloor(op.fadd(x, 0.5))


def power_of_two(e):
    """A float; e is from -126 to 127."""
    return op.ishl(op.iadd(e, 127), 23)


def scale(x, e):
    """x 2^e in three steps: 278 takes the least subnormal beyond the largest
    number, -278 the largest number below half of the least subnormal, and two
    factors reach 254 and -252. None leads away from the result, as the nearest
    third has the sign of e or none, and so has what is left: a number on the
    way that is subnormal may be flushed."""
    e = op.imin(op.imax(e, -278), 278)
    third = op.ishr(op.iadd(op.imul(e, 171), 256), 9)
    factor = power_of_two(third)
    rest = power_of_two(op.isub(e, op.iadd(third, third)))
    return op.fmul(op.fmul(op.fmul(x, factor), factor), rest)


# --- Identities -------------------------------------------------------------

identities = [
    Rule(op.fneg(op.fneg(a)), a),
    Rule(op.ineg(op.ineg(a)), a),
    Rule(op.inot(op.inot(a)), a),
    Rule(op.fabs(op.fabs(a)), op.fabs(a)),
    Rule(op.fabs(op.fneg(a)), op.fabs(a)),
    Rule(op.iabs(op.iabs(a)), op.iabs(a)),
    Rule(op.iabs(op.ineg(a)), op.iabs(a)),
    Rule(op.fsat(op.fsat(a)), op.fsat(a)),

    # x + 0 is not x when x is -0, but x + -0 is.
    inexact(op.fadd(a, 0.0), a),
    Rule(op.fadd(a, -0.0), a),
    Rule(op.iadd(a, 0), a),
    Rule(op.fmul(a, 1.0), a),
    Rule(op.imul(a, 1), a),
    Rule(op.fmul(a, -1.0), op.fneg(a)),
    Rule(op.imul(a, -1), op.ineg(a)),
    inexact(op.fmul(a, 0.0), 0.0),
    inexact(op.fmul(a, -0.0), -0.0),
    Rule(op.imul(a, 0), 0),
    Rule(op.fdiv(a, 1.0), a),
    Rule(op.udiv(a, 1), a),
    Rule(op.idiv(a, 1), a),
    Rule(op.umod(a, 1), 0),
    inexact(op.fadd(a, op.fneg(a)), 0.0),
    Rule(op.iadd(a, op.ineg(a)), 0),
    Rule(op.iadd(op.iadd(a, b), op.ineg(a)), b),
    Rule(op.isub(a, a), 0),
    inexact(op.fsub(a, a), 0.0),
    inexact(op.ffma(0.0, a, b), b),
    inexact(op.ffma(-0.0, a, b), b),
    inexact(op.ffma(a, b, 0.0), op.fmul(a, b)),
    Rule(op.ffma(a, b, -0.0), op.fmul(a, b)),
    Rule(op.ffma(1.0, a, b), op.fadd(a, b)),
    Rule(op.ffma(-1.0, a, b), op.fadd(op.fneg(a), b)),
    inexact(op.flrp(a, b, 0.0), a),
    inexact(op.flrp(a, b, 1.0), b),
    inexact(op.flrp(a, a, b), a),

    Rule(op.iand(a, a), a),
    Rule(op.iand(a, 0), 0),
    Rule(op.iand(a, -1), a),
    Rule(op.ior(a, a), a),
    Rule(op.ior(a, 0), a),
    Rule(op.ior(a, -1), -1),
    Rule(op.ixor(a, a), 0),
    Rule(op.ixor(a, 0), a),
    Rule(op.ixor(a, -1), op.inot(a)),
    Rule(op.iand(a, op.ior(a, b)), a),
    Rule(op.ior(a, op.iand(a, b)), a),
    Rule(op.ishl(a, 0), a),
    Rule(op.ishr(a, 0), a),
    Rule(op.ushr(a, 0), a),
    Rule(op.ishl(0, a), 0),
    Rule(op.ishr(0, a), 0),
    Rule(op.ushr(0, a), 0),
    # Counts are modulo the number of bits.
    Rule(op.ishl(a.size(32), op.iand(b, 31)), op.ishl(a, b)),
    Rule(op.ishr(a.size(32), op.iand(b, 31)), op.ishr(a, b)),
    Rule(op.ushr(a.size(32), op.iand(b, 31)), op.ushr(a, b)),
    Rule(op.ishl(a.size(64), op.iand(b, 63)), op.ishl(a, b)),
    Rule(op.ishr(a.size(64), op.iand(b, 63)), op.ishr(a, b)),
    Rule(op.ushr(a.size(64), op.iand(b, 63)), op.ushr(a, b)),

    Rule(op.imin(a, a), a),
    Rule(op.imax(a, a), a),
    Rule(op.umin(a, a), a),
    Rule(op.umax(a, a), a),
    Rule(op.fmin(a, a), a),
    Rule(op.fmax(a, a), a),
    Rule(op.umin(a, 0), 0),
    Rule(op.umax(a, 0), a),
    Rule(op.umin(a, -1), a),
    Rule(op.fmax(a, op.fneg(a)), op.fabs(a)),
    Rule(op.imax(a, op.ineg(a)), op.iabs(a)),
    Rule(op.imin(op.imin(a, b), b), op.imin(a, b)),
    Rule(op.imax(op.imax(a, b), b), op.imax(a, b)),
    Rule(op.umin(op.umin(a, b), b), op.umin(a, b)),
    # An index that a mask keeps within its array.
    Rule(op.umin(op.iand(a, b), b), op.iand(a, b)),
    Rule(op.umax(op.umax(a, b), b), op.umax(a, b)),

    Rule(op.ftrunc(op.ftrunc(a)), op.ftrunc(a)),
    Rule(op.ffloor(op.ffloor(a)), op.ffloor(a)),
    Rule(op.fceil(op.fceil(a)), op.fceil(a)),
    Rule(op.fround_even(op.fround_even(a)), op.fround_even(a)),
    Rule(op.ffract(op.ffract(a)), op.ffract(a)),
    # As front ends take them apart that have the floor of doubles alone.
    inexact(op.fadd(op.ffloor(a.size(64)),
                    op.b2f64(op.fneu(op.ffract(a), 0.0))), op.fceil(a)),
    inexact(op.fadd(op.ffloor(a.size(64)),
                    op.bcsel(op.fneu(op.ffract(a), 0.0), 1.0, 0.0)),
            op.fceil(a)),
    inexact(op.bcsel(op.fge(a.size(64), 0.0), op.ffloor(a), op.fceil(a)),
            op.ftrunc(a)),
    inexact(op.bcsel(op.feq(op.ffract(a.size(64)), 0.5),
                     op.bcsel(op.feq(op.ffract(op.fmul(half_up(a), 0.5)),
                                     0.0),
                              half_up(a), op.fadd(half_up(a), -1.0)),
                     half_up(a)),
            op.fround_even(a)),
    Rule(op.fsign(op.fsign(a)), op.fsign(a)),
    Rule(op.isign(op.isign(a)), op.isign(a)),
    inexact(op.frcp(op.frcp(a)), a),
    inexact(op.frcp(op.fsqrt(a.size(32))), op.frsq(a)),
    inexact(op.frcp(op.frsq(a.size(32))), op.fsqrt(a)),
    inexact(op.fexp2(op.flog2(a)), a),
    inexact(op.flog2(op.fexp2(a)), a),
    # As front ends take it apart. Where a is negative there is no logarithm.
    inexact(op.fexp2(op.fmul(op.flog2(a.size(32)), b)), op.fpow(a, b),
            '!' + option('lower_fpow')),
    inexact(op.fpow(a, 1.0), a),
    inexact(op.fpow(a, 2.0), op.fmul(a, a)),
    inexact(op.fpow(a, 4.0), op.fmul(op.fmul(a, a), op.fmul(a, a))),
    inexact(op.fpow(2.0, a), op.fexp2(a)),
    inexact(op.fpow(a, 0.5), op.fsqrt(a)),
    inexact(op.fpow(a, -1.0), op.frcp(a)),
]

# --- Constants move together ------------------------------------------------
# Integers only: x / 5 / 5 in floats is not x * (0.2 * 0.2), and a program may
# compare the result with what it expects.

reassociation = [
    Rule(op.iadd(op.iadd(a.not_const(), b.const()), c.const()),
         op.iadd(a, op.iadd(b, c))),
    Rule(op.imul(op.imul(a.not_const(), b.const()), c.const()),
         op.imul(a, op.imul(b, c))),
    Rule(op.iand(op.iand(a.not_const(), b.const()), c.const()),
         op.iand(a, op.iand(b, c))),
    Rule(op.ixor(op.iand(a, b.const()), op.iand(c, b)),
         op.iand(op.ixor(a, c), b)),
    Rule(op.ior(op.ior(a.not_const(), b.const()), c.const()),
         op.ior(a, op.ior(b, c))),
    Rule(op.ixor(op.ixor(a.not_const(), b.const()), c.const()),
         op.ixor(a, op.ixor(b, c))),
    Rule(op.ineg(op.imul(a, b.const())), op.imul(a, op.ineg(b))),
    Rule(op.fneg(op.fmul(a, b).used_once()), op.fmul(a, op.fneg(b))),
]

# A vector that is scaled, as normalize() does, and of which nothing but the
# product with another one is wanted: that is scaled instead.
factor = d.size(32)
reassociation += [
    inexact(op.fadd(op.fmul(op.fmul(a, factor).used_once(), b).used_once(),
                    op.fmul(op.fmul(c, d).used_once(), e).used_once()),
            op.fmul(d, op.fadd(op.fmul(a, b), op.fmul(c, e)))),
    inexact(op.fadd(op.fmul(a, factor).used_once(),
                    op.fmul(op.fmul(b, d).used_once(), c).used_once()),
            op.fmul(d, op.fadd(a, op.fmul(b, c)))),
]

# --- Powers of two ----------------------------------------------------------

powers = [
    Rule(op.imul(a, b.pow2()), op.ishl(a, op.find_lsb(b))),
    Rule(op.udiv(a, b.pow2()), op.ushr(a, op.find_lsb(b))),
    Rule(op.umod(a, b.pow2()), op.iand(a, op.iadd(b, -1))),
]

# --- Comparisons and booleans -----------------------------------------------

comparisons = [
    Rule(op.ieq(a, a), True),
    Rule(op.ine(a, a), False),
    Rule(op.ilt(a, a), False),
    Rule(op.ult(a, a), False),
    Rule(op.ige(a, a), True),
    Rule(op.uge(a, a), True),
    Rule(op.flt(a, a), False),
    Rule(op.fge(a, a), op.feq(a, a)),
    Rule(op.ult(a, 0), False),
    Rule(op.uge(a, 0), True),
    Rule(op.inot(op.ieq(a, b)), op.ine(a, b)),
    Rule(op.inot(op.ine(a, b)), op.ieq(a, b)),
    Rule(op.inot(op.ilt(a, b)), op.ige(a, b)),
    Rule(op.inot(op.ige(a, b)), op.ilt(a, b)),
    Rule(op.inot(op.ult(a, b)), op.uge(a, b)),
    Rule(op.inot(op.uge(a, b)), op.ult(a, b)),
    Rule(op.inot(op.feq(a, b)), op.fneu(a, b)),
    Rule(op.inot(op.fneu(a, b)), op.feq(a, b)),
    # No such rules for flt and fge: of a NaN neither is true, and a program
    # that asks twice must get one answer.
    Rule(op.flt(op.fneg(a), op.fneg(b)), op.flt(b, a)),
    Rule(op.fge(op.fneg(a), op.fneg(b)), op.fge(b, a)),
    Rule(op.feq(op.fneg(a), op.fneg(b)), op.feq(a, b)),
    Rule(op.fneu(op.fneg(a), op.fneg(b)), op.fneu(a, b)),
    # What a conversion to bool is in SPIR-V, ordered: a NaN is false.
    Rule(op.ior(op.flt(a, 0.0), op.flt(0.0, a)), op.flt(0.0, op.fabs(a))),

    Rule(op.ieq(op.iadd(a.not_const(), b.const()), c.const()),
         op.ieq(a, op.iadd(c, op.ineg(b)))),
    Rule(op.ine(op.iadd(a.not_const(), b.const()), c.const()),
         op.ine(a, op.iadd(c, op.ineg(b)))),

    Rule(op.bcsel(True, a, b), a),
    Rule(op.bcsel(False, a, b), b),
    Rule(op.bcsel(a, b, b), b),
    Rule(op.bcsel(a, True, False).size(1), a),
    Rule(op.bcsel(a, False, True).size(1), op.inot(a)),
    Rule(op.bcsel(op.inot(a), b, c), op.bcsel(a, c, b)),
    Rule(op.bcsel(a, op.bcsel(a, b, c), d), op.bcsel(a, b, d)),
    Rule(op.bcsel(a, b, op.bcsel(a, c, d)), op.bcsel(a, b, d)),
    Rule(op.bcsel(op.ior(a.size(1), b), c, op.bcsel(a, d, e)),
         op.bcsel(op.ior(a, b), c, e)),
    Rule(op.bcsel(op.iand(a.size(1), b), op.bcsel(a, c, d), e),
         op.bcsel(op.iand(a, b), c, e)),
    Rule(op.bcsel(a.size(1), a, b.size(1)).size(1), op.ior(a, b)),
    Rule(op.bcsel(a.size(1), b.size(1), a).size(1), op.iand(a, b)),
]

# Where a number is known, comparisons with others are. A constant one would be
# replaced by itself without an end.
number = a.not_const()
for order in (op.ilt, op.ige, op.ult, op.uge):
    comparisons += [
        Rule(op.iand(order(number, b.const()), op.ieq(number, c.const())),
             op.iand(order(c, b), op.ieq(a, c))),
        Rule(op.iand(order(b.const(), number), op.ieq(number, c.const())),
             op.iand(order(b, c), op.ieq(a, c))),
    ]

# b2f and b2i in all their sizes.
for size in (16, 32, 64):
    b2f = getattr(op, f'b2f{size}')
    comparisons += [
        Rule(op.fneu(b2f(a.size(1)), 0.0), a),
        Rule(op.feq(b2f(a.size(1)), 0.0), op.inot(a)),
        Rule(op.feq(b2f(a.size(1)), 1.0), a),
        Rule(op.f2b1(b2f(a.size(1))), a),
        Rule(op.flt(0.0, b2f(a.size(1))), a),
        Rule(op.fmul(b2f(a.size(1)), b2f(b.size(1))), b2f(op.iand(a, b))),
    ]
for size in (8, 16, 32, 64):
    b2i = getattr(op, f'b2i{size}')
    comparisons += [
        Rule(op.ine(b2i(a.size(1)), 0), a),
        Rule(op.ieq(b2i(a.size(1)), 0), op.inot(a)),
        Rule(op.ieq(b2i(a.size(1)), 1), a),
        Rule(op.i2b1(b2i(a.size(1))), a),
        Rule(op.ine(op.ineg(b2i(a.size(1))), 0), a),
        Rule(op.ieq(op.ineg(b2i(a.size(1))), 0), op.inot(a)),
    ]
comparisons += [
    Rule(op.i2b1(a), op.ine(a, 0)),
    Rule(op.f2b1(a), op.fneu(a, 0.0)),
]

# --- Packing and conversion -------------------------------------------------

conversions = [
    Rule(op.unpack_64_2x32_split_x(op.pack_64_2x32_split(a, b)), a),
    Rule(op.unpack_64_2x32_split_y(op.pack_64_2x32_split(a, b)), b),
    Rule(op.pack_64_2x32_split(op.unpack_64_2x32_split_x(a),
                               op.unpack_64_2x32_split_y(a)), a),
    # A sign is one bit of the high half: no second copy of a double for it.
    Rule(op.unpack_64_2x32_split_x(op.fabs(a)), op.unpack_64_2x32_split_x(a)),
    Rule(op.unpack_64_2x32_split_x(op.fneg(a)), op.unpack_64_2x32_split_x(a)),
    Rule(op.unpack_64_2x32_split_y(op.fabs(a)),
         op.iand(op.unpack_64_2x32_split_y(a), 0x7fffffff)),
    Rule(op.unpack_64_2x32_split_y(op.fneg(a)),
         op.ixor(op.unpack_64_2x32_split_y(a), 0x80000000)),
    Rule(op.iabs(op.iand(a.size(32), 0x7fffffff)), op.iand(a, 0x7fffffff)),
    Rule(op.unpack_32_2x16_split_x(op.pack_32_2x16_split(a, b)), a),
    Rule(op.unpack_32_2x16_split_y(op.pack_32_2x16_split(a, b)), b),
    Rule(op.pack_64_2x32(op.unpack_64_2x32(a)), a),
    Rule(op.unpack_64_2x32(op.pack_64_2x32(a)), a),
    Rule(op.f2f32(op.f2f64(a.size(32))), a),
    Rule(op.f2f32(a.size(32)), a),
    Rule(op.f2f64(a.size(64)), a),
    Rule(op.i2i32(a.size(32)), a),
    Rule(op.u2u32(a.size(32)), a),
    Rule(op.i2i64(a.size(64)), a),
    Rule(op.u2u64(a.size(64)), a),
    Rule(op.b2b1(a.size(1)), a),
    Rule(op.f2i32(op.ftrunc(a)), op.f2i32(a)),
    Rule(op.f2u32(op.ftrunc(a)), op.f2u32(a)),
]

# --- What a back end may lack -----------------------------------------------

SMALL_FLOATS = (16, 32)  # doubles are nir_lower_doubles' business

lowerings = [
    Rule(op.fsub(a, b), op.fadd(a, op.fneg(b)), '!' + option('has_fsub')),
    Rule(op.isub(a, b), op.iadd(a, op.ineg(b)), '!' + option('has_isub')),
    near(op.frem(a.size(64), b),
         op.fsub(a, op.fmul(b, op.ftrunc(op.fdiv(a, b))))),
    Rule(op.uabs_isub(a, b),
         op.bcsel(op.ilt(a, b), op.isub(b, a), op.isub(a, b))),
    near(op.fdph(a, b),
         op.fadd(op.fdot3(a, b), b.w), option('lower_fdph')),
    Rule(op.bitfield_select(a, b, c),
         op.ior(op.iand(a, b), op.iand(op.inot(a), c))),
    Rule(op.uadd_sat(a, b),
         op.bcsel(op.ult(op.iadd(a, b), a), -1, op.iadd(a, b)),
         option('lower_uadd_sat')),
    Rule(op.usub_sat(a, b),
         op.bcsel(op.ult(a, b), 0, op.isub(a, b)),
         option('lower_usub_sat')),
    Rule(op.ihadd(a, b),
         op.iadd(op.iand(a, b), op.ishr(op.ixor(a, b), 1)),
         option('lower_hadd')),
    Rule(op.uhadd(a, b),
         op.iadd(op.iand(a, b), op.ushr(op.ixor(a, b), 1)),
         option('lower_hadd')),
    Rule(op.irhadd(a, b),
         op.isub(op.ior(a, b), op.ishr(op.ixor(a, b), 1)),
         option('lower_hadd')),
    Rule(op.urhadd(a, b),
         op.isub(op.ior(a, b), op.ushr(op.ixor(a, b), 1)),
         option('lower_hadd')),
    Rule(op.urol(a.size(32), b),
         op.ior(op.ishl(a, b), op.ushr(a, op.isub(32, b))),
         option('lower_rotate')),
    Rule(op.uror(a.size(32), b),
         op.ior(op.ushr(a, b), op.ishl(a, op.isub(32, b))),
         option('lower_rotate')),
    Rule(op.insert_u8(a.size(32), b),
         op.ishl(op.iand(a, 0xff), op.imul(b, 8)),
         option('lower_insert_byte')),
    Rule(op.insert_u16(a.size(32), b),
         op.ishl(op.iand(a, 0xffff), op.imul(b, 16)),
         option('lower_insert_word')),
    Rule(op.uadd_carry(a.size(32), b),
         op.b2i32(op.ult(op.iadd(a, b), a)), option('lower_uadd_carry')),
    Rule(op.usub_borrow(a.size(32), b),
         op.b2i32(op.ult(a, b)), option('lower_usub_borrow')),
    near(op.fsign(a.size(32)),
         op.fsub(op.b2f32(op.flt(0.0, a)), op.b2f32(op.flt(a, 0.0))),
         option('lower_fsign')),
    Rule(op.isign(a),
         op.imin(op.imax(a, -1), 1), option('lower_isign')),
    near(op.fpow(a, b), op.fexp2(op.fmul(op.flog2(a), b)),
         option('lower_fpow')),
    Rule(op.fsat(a), op.fmin(op.fmax(a, 0.0), 1.0), option('lower_fsat')),

    # A constant exponent needs one factor, where a factor can say it.
    near(op.ldexp(a.size(32), b.const()),
         op.bcsel(op.ult(op.iadd(b, 126), 254), op.fmul(a, power_of_two(b)),
                  scale(a, b)),
         option('lower_ldexp')),
    near(op.ldexp(a.size(32), b), scale(a, b), option('lower_ldexp')),

    # A width of 32 does not fit the hardware's five bits.
    near(op.ubitfield_extract(a, b, c),
         op.bcsel(op.ult(31, c), a, op.ubfe(a, b, c)),
         option('lower_bitfield_extract')),
    near(op.ibitfield_extract(a, b, c),
         op.bcsel(op.ult(31, c), a, op.ibfe(a, b, c)),
         option('lower_bitfield_extract')),
    near(op.bitfield_insert(a, b, c, d),
         op.bcsel(op.ult(31, d), b,
                  op.bfi(op.bfm(d, c), b, a)),
         option('lower_bitfield_insert')),
    near(op.bitfield_insert(a, b, c, d),
         op.bcsel(op.ult(31, d), b,
                  op.ior(op.iand(a, op.inot(op.ishl(
                      op.isub(op.ishl(1, d), 1), c))),
                         op.iand(op.ishl(b, c), op.ishl(
                             op.isub(op.ishl(1, d), 1), c)))),
         option('lower_bitfield_insert_to_shifts')),
    Rule(op.ufind_msb(a.size(32)), op.isub(31, op.uclz(a)),
         option('lower_ufind_msb')),
    Rule(op.ifind_msb(a.size(32)),
         op.ufind_msb(op.bcsel(op.ilt(a, 0), op.inot(a), a)),
         option('lower_ifind_msb')),
    Rule(op.find_lsb(a.size(32)),
         op.ufind_msb(op.iand(a, op.ineg(a))), option('lower_find_lsb')),

    Rule(op.pack_uvec2_to_uint(a),
         op.ior(op.ishl(a.y, 16), op.iand(a.x, 0xffff))),
    Rule(op.pack_uvec4_to_uint(a),
         op.ior(op.ior(op.iand(a.x, 0xff),
                       op.ishl(op.iand(a.y, 0xff), 8)),
                op.ior(op.ishl(op.iand(a.z, 0xff), 16),
                       op.ishl(a.w, 24)))),
    Rule(op.pack_unorm_2x16(a),
         op.pack_uvec2_to_uint(op.f2u32(op.fround_even(
             op.fmul(op.fsat(a), 65535.0)))),
         option('lower_pack_unorm_2x16')),
    Rule(op.pack_unorm_4x8(a),
         op.pack_uvec4_to_uint(op.f2u32(op.fround_even(
             op.fmul(op.fsat(a), 255.0)))),
         option('lower_pack_unorm_4x8')),
    near(op.pack_snorm_2x16(a),
         op.pack_uvec2_to_uint(op.f2i32(op.fround_even(
             op.fmul(op.fmin(1.0, op.fmax(-1.0, a)), 32767.0)))),
         option('lower_pack_snorm_2x16')),
    near(op.pack_snorm_4x8(a),
         op.pack_uvec4_to_uint(op.f2i32(op.fround_even(
             op.fmul(op.fmin(1.0, op.fmax(-1.0, a)), 127.0)))),
         option('lower_pack_snorm_4x8')),
    near(op.unpack_unorm_2x16(a),
         op.vec2(op.fdiv(op.u2f32(op.extract_u16(a, 0)), 65535.0),
                 op.fdiv(op.u2f32(op.extract_u16(a, 1)), 65535.0)),
         option('lower_unpack_unorm_2x16')),
    near(op.unpack_unorm_4x8(a),
         op.vec4(*[op.fdiv(op.u2f32(op.extract_u8(a, i)), 255.0)
                   for i in range(4)]),
         option('lower_unpack_unorm_4x8')),
    near(op.unpack_snorm_2x16(a),
         op.vec2(*[op.fmin(1.0, op.fmax(-1.0, op.fdiv(
             op.i2f32(op.extract_i16(a, i)), 32767.0)))
                   for i in range(2)]),
         option('lower_unpack_snorm_2x16')),
    near(op.unpack_snorm_4x8(a),
         op.vec4(*[op.fmin(1.0, op.fmax(-1.0, op.fdiv(
             op.i2f32(op.extract_i8(a, i)), 127.0)))
                   for i in range(4)]),
         option('lower_unpack_snorm_4x8')),
    Rule(op.pack_half_2x16(a), op.pack_half_2x16_split(a.x, a.y),
         option('lower_pack_half_2x16')),
    Rule(op.unpack_half_2x16(a),
         op.vec2(op.unpack_half_2x16_split_x(a),
                 op.unpack_half_2x16_split_y(a)),
         option('lower_unpack_half_2x16')),
    Rule(op.pack_64_2x32(a), op.pack_64_2x32_split(a.x, a.y)),
    Rule(op.unpack_64_2x32(a),
         op.vec2(op.unpack_64_2x32_split_x(a),
                 op.unpack_64_2x32_split_y(a))),
]

# Of halves in floats: where a quotient is rounded to the next integer, the
# result is off by the divisor.
lowerings += [
    Rule(op.fmod(a.size(32), b),
         op.fsub(a, op.fmul(b, op.ffloor(op.fdiv(a, b)))),
         option('lower_fmod')),
    Rule(op.fmod(a.size(16), b),
         op.f2f16(op.fmod(op.f2f32(a), op.f2f32(b))), option('lower_fmod')),
    Rule(op.frem(a.size(32), b),
         op.fsub(a, op.fmul(b, op.ftrunc(op.fdiv(a, b))))),
    Rule(op.frem(a.size(16), b), op.f2f16(op.frem(op.f2f32(a), op.f2f32(b)))),
]

for bits in SMALL_FLOATS:
    x = a.size(bits)
    lowerings += [
        near(op.fdiv(x, b), op.fmul(x.copy(size=0), op.frcp(b)),
             option('lower_fdiv')),
        near(op.flrp(x, b, c),
             op.fadd(op.fmul(a, op.fsub(1.0, c)), op.fmul(b, c)),
             option(f'lower_flrp{bits}')),
        near(op.ffract(x), op.fsub(a, op.ffloor(a)),
             option('lower_ffract')),
        Rule(op.fceil(x), op.fneg(op.ffloor(op.fneg(a))),
             option('lower_fceil')),
    ]

for bits in (16, 32, 64):
    # Comparisons that give 0.0 and 1.0.
    b2f = getattr(op, f'b2f{bits}')
    for name, compare in (('slt', op.flt), ('sge', op.fge), ('seq', op.feq),
                          ('sne', op.fneu)):
        lowerings.append(Rule(getattr(op, name)(a.size(bits), b),
                              b2f(compare(a, b)), option('lower_scmp')))

for bits in (16, 32, 64):
    lowerings.append(near(op.ffma(a.size(bits), b, c),
                          op.fadd(op.fmul(a, b), c),
                          option(f'lower_ffma{bits}')))

# --- Late -------------------------------------------------------------------

# As front ends take it apart.
fuse_lrp = option('fuse_ffma32') + ' && !' + option('lower_flrp32')
late = [
    inexact(op.fadd(op.fmul(a.size(32), op.fadd(1.0, op.fneg(c)).used_once())
                    .used_once(), op.fmul(b, c).used_once()),
            op.flrp(a, b, c), fuse_lrp),
    inexact(op.fadd(a.size(32), op.fmul(c, op.fadd(b, op.fneg(a)).used_once())
                    .used_once()),
            op.flrp(a, b, c), fuse_lrp),
]
for bits in (16, 32, 64):
    # Where both have a constant, each wants a register of its own with it,
    # and two instructions take theirs as immediates. A product of doubles
    # that several sums read is in each of them, and not left over.
    when = option(f'fuse_ffma{bits}')
    for x, y, z in ((a.not_const().size(bits), b.not_const(), c),
                    (a.size(bits), b, c.not_const())):
        product = op.fmul(x, y)
        product = product.only_added() if bits == 64 else product.used_once()
        late += [
            inexact(op.fadd(product, z), op.ffma(a, b, c), when),
            inexact(op.fadd(op.fneg(product), z),
                    op.ffma(op.fneg(a), b, c), when),
        ]
# Two products and a sum are two operations, if the sum is not the last.
products = op.ffma(a.size(64), b, op.fmul(c, d).used_once()).used_once()
late += [
    inexact(op.fadd(products, e), op.ffma(a, b, op.ffma(c, d, e)),
            option('fuse_ffma64')),
    inexact(op.fadd(op.fneg(products), e),
            op.ffma(op.fneg(a), b, op.ffma(op.fneg(c), d, e)),
            option('fuse_ffma64')),
]
late += [
    inexact(op.fmin(op.fmax(a, 0.0), 1.0), op.fsat(a),
            '!' + option('lower_fsat')),
    inexact(op.fmax(op.fmin(a, 1.0), 0.0), op.fsat(a),
            '!' + option('lower_fsat')),
]

PASSES = {
    'algebraic': identities + reassociation + powers + comparisons +
                 conversions + lowerings,
    'algebraic_late': late,
    'restore_builtins': nir_restore_builtins.rules,
}


def main():
    name, output = sys.argv[1:]
    text = render('nir_opt_' + name, PASSES[name], 'nir_algebraic.py',
                  os.path.basename(__file__))
    with open(output, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main()
