# SPDX-License-Identifier: MIT
"""Built-in functions of doubles that the OpenGL front end beside zink has
taken apart: rules that give the operations back.

Mesa's GLSL compiler knows no hardware with frexp, ldexp, ceil, trunc and
round of doubles, and expands them before zink writes SPIR-V. Its expansions
take zero for 2^-1022, know neither subnormals nor infinities, and round
numbers from 2^52 on; the operations of nir_lower_doubles() do not. `precise`
reaches each instruction of an expansion, so the rules act on exact code, and
therefore only with the option `restore_builtins`: what else arrives that way
is as the program wrote it. Facts: SPIR-V of Mesa 22.3.6 and, for frexp and
ldexp, 25.0.7 (ZINK_DEBUG=spirv).

The rules are a pass of their own, in front of all others, which would change
what they look for.
"""
from nir_algebraic import Rule, Var, corrects, op, restores

a, b, c = Var('a'), Var('b'), Var('c')
WHEN = 'options->restore_builtins'

EXPONENT_BIT = 20  # in the high half
EXPONENT_BITS = 11
BIAS = 1022        # of a significand in [0.5, 1)


def low(number):
    return op.unpack_64_2x32_split_x(number)


def high(number):
    return op.unpack_64_2x32_split_y(number)


# --- One way to write it ----------------------------------------------------

rules = [
    Rule(op.pack_64_2x32(a), op.pack_64_2x32_split(a.x, a.y), WHEN),
    Rule(op.unpack_64_2x32(a), op.vec2(low(a), high(a)), WHEN),
    Rule(op.fabs(op.fneg(a)), op.fabs(a), WHEN),
    Rule(op.fabs(op.fabs(a)), op.fabs(a), WHEN),
    Rule(op.b2f64(a.size(1)), op.bcsel(a, 1.0, 0.0), WHEN),
]

# --- Integers near a number -------------------------------------------------


def round_expansion(fraction, up):
    return op.bcsel(op.feq(fraction, 0.5),
                    op.bcsel(op.feq(op.ffract(op.fmul(up, 0.5)), 0.0),
                             up, op.fadd(up, -1.0)),
                    up)


x = a.size(64)
one_if_fraction = op.bcsel(op.fneu(op.ffract(x), 0.0), 1.0, 0.0)
rules += [
    restores(op.fadd(op.ffloor(x), one_if_fraction), op.fceil(a), WHEN),
    restores(op.bcsel(op.fge(x, 0.0), op.ffloor(x), op.fceil(x)),
             op.ftrunc(a), WHEN),
    restores(round_expansion(op.ffract(x), op.ffloor(op.fadd(x, 0.5))),
             op.fround_even(a), WHEN),
    restores(round_expansion(op.ffract(op.fneg(x)),
                             op.ffloor(op.fsub(0.5, x))),
             op.fround_even(op.fneg(a)), WHEN),
]

# --- frexp ------------------------------------------------------------------

# The magnitude of what cannot be negative is written as the number.
plus = x.where('is_never_negative')
for magnitude, value in ((op.fabs(x), x), (plus, plus)):
    not_zero = op.fneu(magnitude, 0.0)
    rules += [
        restores(op.bcsel(not_zero,
                          op.iadd(op.ushr(high(magnitude), EXPONENT_BIT),
                                  -BIAS),
                          0),
                 op.frexp_exp(a), WHEN),
        restores(op.pack_64_2x32_split(
            low(value), op.ior(op.iand(high(value), 0x800fffff),
                               op.bcsel(not_zero, 0x3fe00000, 0))),
                 op.frexp_sig(a), WHEN),
    ]

# Mesa 25.0.7: the zero decides on the bias, infinities and NaN are given back.
# Where the magnitude is of `precise` code, too, its sign tells the zero.
for magnitude, value, not_zero in (
        (op.fabs(x), x, op.fneu(x, 0.0)),
        (op.fabs(x), x, op.flt(0.0, op.fabs(x))),
        (plus, plus, op.fneu(plus, 0.0)),
        (plus, plus, op.flt(0.0, plus))):
    finite = op.iand(not_zero, op.flt(magnitude, float('inf')))
    rules += [
        restores(op.iadd(op.ushr(high(magnitude), EXPONENT_BIT),
                         op.bcsel(not_zero, -BIAS, 0)),
                 op.frexp_exp(a), WHEN),
        restores(op.pack_64_2x32_split(
            low(value), op.bcsel(finite, op.ior(
                op.iand(high(value), 0x800fffff), 0x3fe00000),
                                 high(value))),
                 op.frexp_sig(a), WHEN),
    ]

# --- ldexp ------------------------------------------------------------------


def with_exponent(number, zero, exponent):
    """`exponent` is the biased one of the result; if it is not positive, the
    result is zero."""
    fits = op.ige(exponent, 1)
    kept = op.bcsel(fits, number, zero)
    return op.pack_64_2x32_split(
        low(kept), op.bitfield_insert(high(kept), op.bcsel(fits, exponent, 0),
                                      EXPONENT_BIT, EXPONENT_BITS))


def ldexp_expansion(number, exponent):
    return with_exponent(number, op.pack_64_2x32_split(
        0, op.iand(high(number), 0x80000000)), exponent)


def biased_exponent(number):
    return op.ushr(high(number), EXPONENT_BIT)


# The exponent is taken of the magnitude, which does not tell the sign.
for value in (x, op.fneg(x), op.fabs(x)):
    rules += [
        restores(ldexp_expansion(
            value, op.iadd(op.iadd(op.frexp_exp(x), BIAS), b)),
                 op.ldexp(value, b), WHEN),
        restores(ldexp_expansion(
            value, op.iadd(op.frexp_exp(x), c.const())),
                 op.ldexp(value, op.iadd(c, -BIAS)), WHEN),
    ]

# Of numbers known not to be zero, which frexp's select has left.
rules.append(restores(
    ldexp_expansion(plus, op.iadd(biased_exponent(plus), b)),
    op.ldexp(a, b), WHEN))

# Of constants, whose parts are constants.
k = x.const()
for zero in (0.0, -0.0):
    rules.append(corrects(
        with_exponent(k, zero, op.iadd(c.const(), b)),
        op.ldexp(a, op.iadd(op.iadd(b, c),
                            op.ineg(biased_exponent(op.fabs(x))))), WHEN))
of_zero = op.iadd(BIAS, b)
for sign in (0, 0x80000000):
    rules.append(corrects(
        op.pack_64_2x32_split(0, op.bitfield_insert(
            sign, op.bcsel(op.ige(of_zero, 1), of_zero, 0), EXPONENT_BIT,
            EXPONENT_BITS)),
        op.pack_64_2x32_split(0, sign), WHEN))

# Mesa 25.0.7: a product with two powers of two, which rounds twice where it is
# subnormal. Their sum is bounded so that they are normal numbers, too near for
# subnormal operands; a bound that holds anyway may have been left out.
LEAST, MOST = -2046, 2046


def power_of_two(exponent):
    return op.pack_64_2x32_split(
        0, op.iadd(op.ishl(exponent, EXPONENT_BIT), 0x3ff00000))


def product_with_powers(number, exponent):
    half = op.ishr(exponent, 1)
    return op.fmul(op.fmul(number, power_of_two(half)),
                   power_of_two(op.isub(exponent, half)))


for bounded in (op.imin(op.imax(b, LEAST), MOST), b):
    rules.append(restores(product_with_powers(x, bounded), op.ldexp(a, b),
                          WHEN))
