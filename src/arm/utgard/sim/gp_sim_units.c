/* SPDX-License-Identifier: MIT */
/*
 * The six units. Every operand is read in a role: as a number, or as the one
 * part of a table function that the opcode is for. An opaque value in any
 * other role is a trap, or gives its flushed pattern.
 */
#include <math.h>

#include "gp_sim_private.h"

#define CANONICAL_NAN 0x7fc00000u

/* Infinities have the largest exponent, too, but no fraction. */
uint32_t
gp_flush(uint32_t bits)
{
   const uint32_t magnitude = bits & 0x7fffffffu;
   if (magnitude > 0x7f800000u)
      return CANONICAL_NAN;
   return magnitude < 0x00800000u ? bits & 0x80000000u : bits;
}

static struct gp_value
computed(float f)
{
   return (struct gp_value) { .tag = GP_TAG_NUMBER,
                              .bits = gp_flush(util_float_bits(f)) };
}

/* --------------------------------------------------------------------------
 * Operands. */

struct operand {
   enum gp_unit unit;
   bool is_b;      /* of an adder or multiplier */
   float identity; /* what code 22 is there */
   unsigned *age;  /* set to how long ago the value was made; may be NULL */
};

/* A value as it stands, poison included. */
static struct gp_value
fetch(struct gp_sim *sim, const struct operand *o, unsigned src)
{
   static const uint8_t units[] = { GP_UNIT_ADD0, GP_UNIT_ADD1, GP_UNIT_MUL0,
                                    GP_UNIT_MUL1 };
   unsigned age = 0;
   struct gp_value v;
   if (src <= GP_SRC_PORT0_W)
      v = sim->port0[0][src];
   else if (src <= GP_SRC_PORT1_W)
      v = sim->port1[src - GP_SRC_PORT1_X];
   else if (src <= GP_SRC_UNKNOWN_11)
      v = gp_poison(GP_RULE_UNKNOWN_SOURCE);
   else if (src <= GP_SRC_UNIFORM_W)
      v = sim->uniform[src - GP_SRC_UNIFORM_X];
   else if (src <= GP_SRC_MUL1_1)
      v = sim->result[age = 1][units[src - GP_SRC_ADD0_1]];
   else if (src == GP_SRC_PASS_1)
      v = sim->result[age = 1][GP_UNIT_PASS];
   else if (src == GP_SRC_UNUSED)
      v = gp_poison(GP_RULE_OPERAND_MISSING);
   else if (src == GP_SRC_COMPLEX_1)
      v = o->is_b ? gp_number(o->identity)
                  : sim->result[age = 1][GP_UNIT_COMPLEX];
   else if (src == GP_SRC_PASS_2)
      v = sim->result[age = 2][GP_UNIT_PASS];
   else if (src <= GP_SRC_MUL1_2)
      v = sim->result[age = 2][units[src - GP_SRC_ADD0_2]];
   else
      v = sim->port0[age = 1][src - GP_SRC_PORT0_X_1];
   if (o->age)
      *o->age = age;
   /* Complex1 takes two instructions: before, the one that was there. */
   if ((v.tag == GP_TAG_COMPLEX1 || v.tag == GP_TAG_RAW_LOG2) && age == 1) {
      gp_sim_strict(sim, o->unit, GP_RULE_COMPLEX1_AGE);
      v = sim->result[2][GP_UNIT_MUL0];
   }
   if (v.tag == GP_TAG_POISON) {
      gp_sim_strict(sim, o->unit, (enum gp_rule)v.rule);
      v = gp_number(0);
   }
   return v;
}

/* In the role of a number. */
static float
number(struct gp_sim *sim, const struct operand *o, unsigned src)
{
   const struct gp_value v = fetch(sim, o, src);
   if (v.tag != GP_TAG_NUMBER && v.tag != GP_TAG_COMPLEX1)
      gp_sim_strict(sim, o->unit, GP_RULE_OPAQUE_MOVED);
   return util_bits_float(gp_flush(v.bits));
}

static void
no_operand(struct gp_sim *sim, enum gp_unit unit, unsigned src)
{
   if (src != GP_SRC_UNUSED)
      gp_sim_strict(sim, unit, GP_RULE_OPERAND_EXTRA);
}

/* --------------------------------------------------------------------------
 * Table functions: preexp2, the tables, complex2, complex1, postlog2. */

static bool
number_role(const struct gp_value *v)
{
   return v->tag == GP_TAG_NUMBER || v->tag == GP_TAG_COMPLEX1;
}

/* An argument: of an exp2 preexp2's at age `age`, else a number. */
static bool
argument(struct gp_sim *sim, const struct operand *o, unsigned src,
         unsigned wanted_age, struct gp_value *out)
{
   const struct gp_value v = fetch(sim, o, src);
   *out = v;
   if (v.tag == GP_TAG_PREEXP2) {
      if (*o->age != wanted_age)
         gp_sim_strict(sim, o->unit, GP_RULE_OPAQUE_AGE);
      return true;
   }
   if (!number_role(&v))
      gp_sim_strict(sim, o->unit, GP_RULE_OPAQUE_MOVED);
   out->tag = GP_TAG_NUMBER;
   out->argument = gp_flush(v.bits);
   return false;
}

/* A fixed-point pattern with `fraction` bits after the point. */
static uint32_t
fixed_point(float f, unsigned fraction)
{
   const double scaled = ldexp(f, (int)fraction);
   return isnan(scaled)
             ? 0
             : (uint32_t)(int32_t)CLAMP(scaled, -2147483648.0, 2147483647.0);
}

static struct gp_value
preexp2(struct gp_sim *sim, unsigned src)
{
   const struct operand o = { .unit = GP_UNIT_PASS };
   const float x = number(sim, &o, src);
   return (struct gp_value) { .tag = GP_TAG_PREEXP2,
                              .argument = util_float_bits(x),
                              .bits = gp_flush(fixed_point(x, 23)) };
}

static struct gp_value
table_read(struct gp_sim *sim, enum gp_table table, unsigned src)
{
   unsigned age;
   const struct operand o = { .unit = GP_UNIT_COMPLEX, .age = &age };
   struct gp_value x;
   if (argument(sim, &o, src, 1, &x) != (table == GP_TABLE_EXP2))
      gp_sim_strict(sim, o.unit, GP_RULE_PREEXP2_FORM);
   /* Wider than any reader; what a move gets of it is taken to be nothing. */
   return (struct gp_value) { .tag = GP_TAG_TABLE,
                              .table = (uint8_t)table,
                              .argument = x.argument };
}

static struct gp_value
complex2(struct gp_sim *sim, const struct gp_instr *i)
{
   unsigned age;
   struct operand o = { .unit = GP_UNIT_MUL0, .age = &age, .identity = 1 };
   struct gp_value a, b;
   const bool pre_a = argument(sim, &o, i->mul_src[0][0], 1, &a);
   o.is_b = true;
   const bool pre_b = argument(sim, &o, i->mul_src[0][1], 1, &b);
   if (pre_a != pre_b || a.argument != b.argument)
      gp_sim_strict(sim, o.unit, GP_RULE_COMPLEX1_PARTS);
   const float square = util_bits_float(gp_flush(a.bits)) *
                        util_bits_float(gp_flush(b.bits));
   return (struct gp_value) { .tag = GP_TAG_SQUARE,
                              .argument = a.argument,
                              .from_preexp2 = pre_a,
                              .bits = gp_flush(util_float_bits(square)) };
}

/* Table, square, table, argument. What comes of other inputs is not known:
 * hardware-like, NaN. */
static struct gp_value
complex1(struct gp_sim *sim, const struct gp_instr *i)
{
   unsigned age;
   struct operand a0 = { .unit = GP_UNIT_MUL0, .identity = 1 };
   struct operand b0 = {
      .unit = GP_UNIT_MUL0, .is_b = true, .identity = 1, .age = &age
   };
   struct operand a1 = { .unit = GP_UNIT_MUL1, .identity = 1 };
   struct operand b1 = {
      .unit = GP_UNIT_MUL1, .is_b = true, .identity = 1, .age = &age
   };
   const struct gp_value t0 = fetch(sim, &a0, i->mul_src[0][0]);
   const struct gp_value t1 = fetch(sim, &a1, i->mul_src[1][0]);
   const struct gp_value square = fetch(sim, &b0, i->mul_src[0][1]);
   if (square.tag == GP_TAG_SQUARE && age != 1)
      gp_sim_strict(sim, b0.unit, GP_RULE_OPAQUE_AGE);
   struct gp_value x;
   const bool pre = argument(sim, &b1, i->mul_src[1][1], 2, &x);
   const bool form = t0.tag == GP_TAG_TABLE && t1.tag == GP_TAG_TABLE &&
                     square.tag == GP_TAG_SQUARE &&
                     i->mul_src[1][1] != GP_SRC_IDENTITY;
   const bool parts = t0.table == t1.table && t0.argument == t1.argument &&
                      square.argument == t0.argument &&
                      x.argument == t0.argument &&
                      pre == square.from_preexp2 &&
                      pre == (t0.table == GP_TABLE_EXP2);
   if (!form || !parts) {
      gp_sim_strict(sim, GP_UNIT_MUL0,
                    form ? GP_RULE_COMPLEX1_PARTS : GP_RULE_COMPLEX1_FORM);
      return (struct gp_value) { .tag = GP_TAG_COMPLEX1,
                                 .bits = CANONICAL_NAN };
   }
   const float f = gp_sim_table(sim->config.tables, (enum gp_table)t0.table,
                                util_bits_float(t0.argument));
   struct gp_value v = computed(f);
   v.tag = GP_TAG_COMPLEX1;
   v.argument = t0.argument;
   v.table = t0.table;
   if (t0.table == GP_TABLE_LOG2) {
      v.tag = GP_TAG_RAW_LOG2;
      v.bits = gp_flush(fixed_point(f, 24));
   }
   return v;
}

static struct gp_value
postlog2(struct gp_sim *sim, unsigned src)
{
   const struct operand o = { .unit = GP_UNIT_PASS };
   const struct gp_value v = fetch(sim, &o, src);
   if (v.tag == GP_TAG_RAW_LOG2)
      return computed(gp_sim_table(sim->config.tables, GP_TABLE_LOG2,
                                   util_bits_float(v.argument)));
   gp_sim_strict(sim, o.unit, GP_RULE_POSTLOG2_FORM);
   return computed((float)ldexp((double)(int32_t)gp_flush(v.bits), -24));
}

/* --------------------------------------------------------------------------
 * Units. */

static bool
is_idle(const uint8_t src[2])
{
   return src[0] == GP_SRC_UNUSED && src[1] == GP_SRC_UNUSED;
}

static struct gp_value
multiply(struct gp_sim *sim, const struct gp_instr *i, unsigned n)
{
   if (is_idle(i->mul_src[n]))
      return gp_poison(GP_RULE_IDLE_UNIT);
   struct operand o = { .unit = (enum gp_unit)(GP_UNIT_MUL0 + n),
                        .identity = 1 };
   const float a = number(sim, &o, i->mul_src[n][0]);
   o.is_b = true;
   const float b = number(sim, &o, i->mul_src[n][1]);
   return computed(i->mul_negate[n] ? -(a * b) : a * b);
}

static struct gp_value
select_arm(struct gp_sim *sim, const struct gp_instr *i)
{
   struct operand o = { .unit = GP_UNIT_MUL0, .is_b = true, .identity = 1 };
   const float condition = number(sim, &o, i->mul_src[0][1]);
   float arm[2];
   o.is_b = false;
   for (unsigned n = 0; n < 2; n++) {
      o.unit = (enum gp_unit)(GP_UNIT_MUL0 + n);
      arm[n] = number(sim, &o, i->mul_src[n][0]);
   }
   no_operand(sim, GP_UNIT_MUL1, i->mul_src[1][1]);
   return computed(
      arm[condition != 0.0f ? GP_SELECT_TRUE_MUL : GP_SELECT_FALSE_MUL]);
}

static void
only_products_are_negated(struct gp_sim *sim, const struct gp_instr *i,
                          unsigned n)
{
   if (i->mul_negate[n])
      gp_sim_strict(sim, (enum gp_unit)(GP_UNIT_MUL0 + n),
                    GP_RULE_UNKNOWN_NEGATE);
}

static void
multipliers(struct gp_sim *sim, const struct gp_instr *i)
{
   struct gp_value *out = &sim->result[0][GP_UNIT_MUL0];
   out[0] = out[1] = gp_poison(GP_RULE_IDLE_UNIT);
   if (is_idle(i->mul_src[0]) && is_idle(i->mul_src[1]))
      return;
   switch (i->mul_op) {
   case GP_MUL_OP_MUL:
      out[0] = multiply(sim, i, 0);
      out[1] = multiply(sim, i, 1);
      return;
   case GP_MUL_OP_COMPLEX2:
      if (!is_idle(i->mul_src[0])) {
         only_products_are_negated(sim, i, 0);
         out[0] = complex2(sim, i);
      }
      out[1] = multiply(sim, i, 1);
      return;
   case GP_MUL_OP_COMPLEX1:
   case GP_MUL_OP_SELECT:
      only_products_are_negated(sim, i, 0);
      only_products_are_negated(sim, i, 1);
      out[0] = i->mul_op == GP_MUL_OP_SELECT ? select_arm(sim, i)
                                             : complex1(sim, i);
      out[1] = gp_poison(GP_RULE_NO_RESULT);
      return;
   default: gp_sim_fault(sim, GP_UNIT_MUL0, GP_RULE_UNKNOWN_OPCODE);
   }
}

static float
minimum(float a, float b)
{
   if (isnan(a) || isnan(b))
      return isnan(a) ? b : a;
   if (a == b)
      return signbit(a) ? a : b;
   return a < b ? a : b;
}

static float
maximum(float a, float b)
{
   return -minimum(-a, -b);
}

/* Zeros keep their sign; the sign of a NaN is 0. */
static float
sign(float a)
{
   if (a == 0.0f || isnan(a))
      return isnan(a) ? 0.0f : a;
   return a > 0.0f ? 1.0f : -1.0f;
}

static struct gp_value
add(struct gp_sim *sim, const struct gp_instr *i, unsigned n)
{
   if (is_idle(i->add_src[n]))
      return gp_poison(GP_RULE_IDLE_UNIT);
   struct operand o = { .unit = (enum gp_unit)(GP_UNIT_ADD0 + n) };
   if (!gp_add_op_is_known(i->add_op)) {
      gp_sim_fault(sim, o.unit, GP_RULE_UNKNOWN_OPCODE);
      return gp_number(0);
   }
   float a = number(sim, &o, i->add_src[n][0]), b = 0;
   if (i->add_negate[n][0])
      a = -a;
   if (!gp_add_op_is_unary(i->add_op)) {
      o.is_b = true;
      b = number(sim, &o, i->add_src[n][1]);
      if (i->add_negate[n][1])
         b = -b;
   }
   switch (i->add_op) {
   case GP_ADD_OP_ADD: return computed(a + b);
   case GP_ADD_OP_FLOOR: return computed(floorf(a));
   case GP_ADD_OP_SIGN: return computed(sign(a));
   case GP_ADD_OP_GE: return computed(a >= b ? 1.0f : 0.0f);
   case GP_ADD_OP_LT: return computed(a < b ? 1.0f : 0.0f);
   case GP_ADD_OP_MIN: return computed(minimum(a, b));
   case GP_ADD_OP_MAX: return computed(maximum(a, b));
   default: unreachable("an adder's opcode without a meaning");
   }
}

static struct gp_value
complex_unit(struct gp_sim *sim, const struct gp_instr *i)
{
   const struct operand o = { .unit = GP_UNIT_COMPLEX };
   const unsigned src = i->complex_src;
   switch (i->complex_op) {
   case GP_COMPLEX_OP_NONE:
      no_operand(sim, o.unit, src);
      return gp_poison(GP_RULE_IDLE_UNIT);
   case GP_COMPLEX_OP_EXP2: return table_read(sim, GP_TABLE_EXP2, src);
   case GP_COMPLEX_OP_LOG2: return table_read(sim, GP_TABLE_LOG2, src);
   case GP_COMPLEX_OP_RSQRT: return table_read(sim, GP_TABLE_RSQRT, src);
   case GP_COMPLEX_OP_RCP: return table_read(sim, GP_TABLE_RCP, src);
   case GP_COMPLEX_OP_MOVE: return computed(number(sim, &o, src));
   case GP_COMPLEX_OP_SET_STORE_ADDR:
   case GP_COMPLEX_OP_SET_ADDR1:
   case GP_COMPLEX_OP_SET_ADDR2:
   case GP_COMPLEX_OP_SET_ADDR3:
      gp_sim_set_address(sim, i->complex_op - GP_COMPLEX_OP_SET_STORE_ADDR,
                         number(sim, &o, src));
      return gp_poison(GP_RULE_NO_RESULT);
   default:
      gp_sim_fault(sim, o.unit, GP_RULE_UNKNOWN_OPCODE);
      return gp_number(0);
   }
}

/* Between y and x of this instruction's uniforms; x wins. */
static struct gp_value
clamp(struct gp_sim *sim, unsigned src)
{
   const struct operand o = { .unit = GP_UNIT_PASS };
   const float x = number(sim, &o, src);
   const float low = number(sim, &o, GP_SRC_UNIFORM_Y);
   const float high = number(sim, &o, GP_SRC_UNIFORM_X);
   return computed(minimum(maximum(x, low), high));
}

static struct gp_value
pass_unit(struct gp_sim *sim, const struct gp_instr *i)
{
   const struct operand o = { .unit = GP_UNIT_PASS };
   if (i->pass_src == GP_SRC_UNUSED)
      return gp_poison(GP_RULE_IDLE_UNIT);
   switch (i->pass_op) {
   case GP_PASS_OP_MOVE: return computed(number(sim, &o, i->pass_src));
   case GP_PASS_OP_PREEXP2: return preexp2(sim, i->pass_src);
   case GP_PASS_OP_POSTLOG2: return postlog2(sim, i->pass_src);
   case GP_PASS_OP_CLAMP: return clamp(sim, i->pass_src);
   default:
      gp_sim_fault(sim, o.unit, GP_RULE_UNKNOWN_OPCODE);
      return gp_number(0);
   }
}

void
gp_sim_units(struct gp_sim *sim, const struct gp_instr *i)
{
   multipliers(sim, i);
   sim->result[0][GP_UNIT_ADD0] = add(sim, i, 0);
   sim->result[0][GP_UNIT_ADD1] = add(sim, i, 1);
   sim->result[0][GP_UNIT_COMPLEX] = complex_unit(sim, i);
   sim->result[0][GP_UNIT_PASS] = pass_unit(sim, i);
}
