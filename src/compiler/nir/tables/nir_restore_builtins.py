# SPDX-License-Identifier: MIT
"""Built-in functions of doubles that the OpenGL front end beside zink has
taken apart: rules that give the operations back.

Mesa's GLSL compiler knows no hardware with frexp, ldexp, ceil, trunc and
round of doubles, and expands them before zink writes SPIR-V. Its expansions
take zero for 2^-1022, know neither subnormals nor infinities, and round
numbers from 2^52 on; the operations of nir_lower_doubles() do not. `precise`
reaches each instruction of an expansion, so the rules act on exact code, and
therefore only with the option `restore_builtins`: what else arrives that way
is as the program wrote it. Facts: SPIR-V of Mesa 22.3.6 (ZINK_DEBUG=spirv).

The rules are a pass of their own, in front of all others, which would change
what they look for.
"""
from nir_algebraic import Rule, Var, op, restores

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

x = a.size(64)
one_if_fraction = op.bcsel(op.fneu(op.ffract(x), 0.0), 1.0, 0.0)
up = op.ffloor(op.fadd(x, 0.5))
rules += [
    restores(op.fadd(op.ffloor(x), one_if_fraction), op.fceil(a), WHEN),
    restores(op.bcsel(op.fge(x, 0.0), op.ffloor(x), op.fceil(x)),
             op.ftrunc(a), WHEN),
    restores(op.bcsel(op.feq(op.ffract(x), 0.5),
                      op.bcsel(op.feq(op.ffract(op.fmul(up, 0.5)), 0.0),
                               up, op.fadd(up, -1.0)),
                      up),
             op.fround_even(a), WHEN),
]

# --- frexp ------------------------------------------------------------------

not_zero = op.fneu(op.fabs(x), 0.0)
rules += [
    restores(op.bcsel(not_zero,
                      op.iadd(op.ushr(high(op.fabs(x)), EXPONENT_BIT), -BIAS),
                      0),
             op.frexp_exp(a), WHEN),
    restores(op.pack_64_2x32_split(
        low(x), op.ior(op.iand(high(x), 0x800fffff),
                       op.bcsel(not_zero, 0x3fe00000, 0))),
             op.frexp_sig(a), WHEN),
]

# --- ldexp ------------------------------------------------------------------


def ldexp_expansion(number, exponent):
    """Of a number; `exponent` is the biased one of the result, and 0 or less where
    that is too small."""
    fits = op.ige(exponent, 1)
    kept = op.bcsel(fits, number, op.pack_64_2x32_split(
        0, op.iand(high(number), 0x80000000)))
    return op.pack_64_2x32_split(
        low(kept), op.bitfield_insert(high(kept), op.bcsel(fits, exponent, 0),
                                      EXPONENT_BIT, EXPONENT_BITS))


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
