/* SPDX-License-Identifier: MIT */
/*
 * Where operands come from: each names a unit one or two instructions ago,
 * which must be in the same block, have issued, and have a result that this
 * reader may have. Opaque values (preexp2, tables, complex2, complex1 of a
 * log2) have one reader at one distance.
 */
#include "gp_check_private.h"

enum result {
   RESULT_IDLE, /* the unit issued nothing */
   RESULT_NONE, /* it issued something without a result here */
   RESULT_PLAIN,
   RESULT_PREEXP2,
   RESULT_TABLE,
   RESULT_SQUARE,   /* complex2 */
   RESULT_COMPLEX1, /* a number, but readable two later only */
   RESULT_RAW_LOG2, /* complex1 of a log2: fixed point */
};

/* The operands for unit results, by code. */
static bool
unit_of_src(unsigned src, enum gp_unit *unit, unsigned *age)
{
   static const struct {
      uint8_t unit, age;
   } rows[32] = {
      [GP_SRC_ADD0_1] = { GP_UNIT_ADD0, 1 },
      [GP_SRC_ADD1_1] = { GP_UNIT_ADD1, 1 },
      [GP_SRC_MUL0_1] = { GP_UNIT_MUL0, 1 },
      [GP_SRC_MUL1_1] = { GP_UNIT_MUL1, 1 },
      [GP_SRC_PASS_1] = { GP_UNIT_PASS, 1 },
      [GP_SRC_COMPLEX_1] = { GP_UNIT_COMPLEX, 1 },
      [GP_SRC_PASS_2] = { GP_UNIT_PASS, 2 },
      [GP_SRC_ADD0_2] = { GP_UNIT_ADD0, 2 },
      [GP_SRC_ADD1_2] = { GP_UNIT_ADD1, 2 },
      [GP_SRC_MUL0_2] = { GP_UNIT_MUL0, 2 },
      [GP_SRC_MUL1_2] = { GP_UNIT_MUL1, 2 },
   };
   *unit = (enum gp_unit)rows[src].unit;
   *age = rows[src].age;
   return *age != 0;
}

static bool
is_table(unsigned complex_op)
{
   return complex_op == GP_COMPLEX_OP_EXP2 ||
          complex_op == GP_COMPLEX_OP_LOG2 ||
          complex_op == GP_COMPLEX_OP_RSQRT ||
          complex_op == GP_COMPLEX_OP_RCP;
}

/* Whether results of `age` instructions ago reach this one. */
static bool
same_block(const struct gp_checker *c, unsigned instr, unsigned age)
{
   for (unsigned n = 0; n < age; n++) {
      if (gp_checker_begins_block(c, instr - n))
         return false;
   }
   return true;
}

static enum result
mul_result(const struct gp_checker *c, unsigned instr, unsigned n)
{
   const struct gp_instr *i = &c->instrs[instr];
   switch (i->mul_op) {
   case GP_MUL_OP_COMPLEX1:
      if (n == 1)
         return RESULT_NONE;
      return instr > 0 &&
                   c->instrs[instr - 1].complex_op == GP_COMPLEX_OP_LOG2
                ? RESULT_RAW_LOG2
                : RESULT_COMPLEX1;
   case GP_MUL_OP_COMPLEX2: return n == 0 ? RESULT_SQUARE : RESULT_PLAIN;
   case GP_MUL_OP_SELECT: return n == 0 ? RESULT_PLAIN : RESULT_NONE;
   default: return RESULT_PLAIN;
   }
}

static enum result
result_of(const struct gp_checker *c, unsigned instr, enum gp_unit unit)
{
   const struct gp_instr *i = &c->instrs[instr];
   if (!gp_unit_issues(i, unit))
      return RESULT_IDLE;
   switch (unit) {
   case GP_UNIT_MUL0:
   case GP_UNIT_MUL1: return mul_result(c, instr, unit - GP_UNIT_MUL0);
   case GP_UNIT_COMPLEX:
      if (is_table(i->complex_op))
         return RESULT_TABLE;
      return i->complex_op >= GP_COMPLEX_OP_SET_ADDR01 ? RESULT_NONE
                                                       : RESULT_PLAIN;
   case GP_UNIT_PASS:
      return i->pass_op == GP_PASS_OP_PREEXP2 ? RESULT_PREEXP2 : RESULT_PLAIN;
   default: return RESULT_PLAIN;
   }
}

/* --------------------------------------------------------------------------
 * Whether two operands are the same value, as far as one can tell. */

struct origin {
   enum { ORIGIN_UNIT, ORIGIN_LOAD, ORIGIN_UNKNOWN } kind;
   unsigned instr, unit;                   /* of a unit's result */
   unsigned port, index, component, block; /* of a load */
};

/* The operand that a unit only moves, or -1. */
static int
moved_src(const struct gp_instr *i, enum gp_unit unit)
{
   const unsigned n = unit & 1;
   switch (unit) {
   case GP_UNIT_MUL0:
   case GP_UNIT_MUL1:
      return (i->mul_op == GP_MUL_OP_MUL ||
              (i->mul_op == GP_MUL_OP_COMPLEX2 && n == 1)) &&
                   i->mul_src[n][1] == GP_SRC_IDENTITY && !i->mul_negate[n]
                ? i->mul_src[n][0]
                : -1;
   case GP_UNIT_ADD0:
   case GP_UNIT_ADD1:
      return i->add_op == GP_ADD_OP_ADD &&
                   i->add_src[n][1] == GP_SRC_IDENTITY && !i->add_negate[n][0]
                ? i->add_src[n][0]
                : -1;
   case GP_UNIT_COMPLEX:
      return i->complex_op == GP_COMPLEX_OP_MOVE ? i->complex_src : -1;
   default: return i->pass_op == GP_PASS_OP_MOVE ? i->pass_src : -1;
   }
}

/* The store before `instr`, in its block, to a register's component: its
 * index, with the unit whose result was stored; -1 if there is none, and
 * then *block is where the block begins. */
static int
find_register_store(const struct gp_checker *c, unsigned instr,
                    unsigned index, unsigned component, enum gp_unit *unit,
                    unsigned *block)
{
   static const uint8_t units[8] = {
      [GP_STORE_ADD0] = GP_UNIT_ADD0, [GP_STORE_ADD1] = GP_UNIT_ADD1,
      [GP_STORE_MUL0] = GP_UNIT_MUL0, [GP_STORE_MUL1] = GP_UNIT_MUL1,
      [GP_STORE_PASS] = GP_UNIT_PASS, [GP_STORE_COMPLEX] = GP_UNIT_COMPLEX,
   };
   const unsigned port = component / 2;
   while (!gp_checker_begins_block(c, instr)) {
      const struct gp_instr *i = &c->instrs[--instr];
      const unsigned src = i->store_src[port][component % 2];
      if (src == GP_STORE_NONE || src == GP_STORE_UNKNOWN_5 ||
          i->store_is_varying[port] || i->store_is_temp[port] ||
          i->store_index[port] != index)
         continue;
      *unit = (enum gp_unit)units[src];
      return (int)instr;
   }
   *block = instr;
   return -1;
}

/* A load at `instr`; true if it was a register with a known store, and then
 * *instr and *unit are what was stored. */
static bool
load_origin(const struct gp_checker *c, unsigned *instr, unsigned src,
            enum gp_unit *unit, struct origin *o)
{
   const struct gp_instr *i = &c->instrs[*instr];
   *o = (struct origin) { .kind = ORIGIN_LOAD, .component = src % 4 };
   bool is_register = true;
   if (src >= GP_SRC_UNIFORM_X) {
      o->port = GP_UNIT_UNIFORM;
      o->index = i->uniform_index;
      is_register = false;
      if (i->uniform_offset != GP_NO_OFFSET ||
          i->uniform_index >= c->options.first_temp)
         o->kind = ORIGIN_UNKNOWN;
   } else if (src < GP_SRC_PORT1_X) {
      o->index = i->port0_index;
      is_register = !i->port0_is_attribute;
      o->port = is_register ? GP_UNIT_PORT1 : GP_UNIT_PORT0;
   } else {
      o->index = i->port1_index;
      o->port = GP_UNIT_PORT1;
   }
   if (!is_register)
      return false;
   const int store =
      find_register_store(c, *instr, o->index, o->component, unit, &o->block);
   if (store >= 0)
      *instr = (unsigned)store;
   return store >= 0;
}

/* Follows moves and registers back to where a value was made. */
static struct origin
find_origin(const struct gp_checker *c, unsigned instr, unsigned src)
{
   for (;;) {
      enum gp_unit unit;
      unsigned age;
      if (src >= GP_SRC_PORT0_X_1) {
         if (!same_block(c, instr, 1))
            return (struct origin) { .kind = ORIGIN_UNKNOWN };
         instr--;
         src -= GP_SRC_PORT0_X_1;
      }
      if (unit_of_src(src, &unit, &age)) {
         if (!same_block(c, instr, age))
            return (struct origin) { .kind = ORIGIN_UNKNOWN };
         instr -= age;
      } else if (src < GP_SRC_UNKNOWN_8 ||
                 (src >= GP_SRC_UNIFORM_X && src <= GP_SRC_UNIFORM_W)) {
         struct origin load;
         if (!load_origin(c, &instr, src, &unit, &load))
            return load;
      } else {
         return (struct origin) { .kind = ORIGIN_UNKNOWN };
      }
      const int next = moved_src(&c->instrs[instr], unit);
      if (next < 0 || next == GP_SRC_UNUSED)
         return (struct origin) { ORIGIN_UNIT, instr, unit };
      src = (unsigned)next;
   }
}

/* What cannot be told is left to the simulator. */
static bool
same_value(const struct gp_checker *c, unsigned instr_a, unsigned a,
           unsigned instr_b, unsigned b)
{
   const struct origin x = find_origin(c, instr_a, a);
   const struct origin y = find_origin(c, instr_b, b);
   if (x.kind == ORIGIN_UNKNOWN || y.kind == ORIGIN_UNKNOWN)
      return true;
   return x.kind == y.kind && x.instr == y.instr && x.unit == y.unit &&
          x.port == y.port && x.index == y.index &&
          x.component == y.component && x.block == y.block;
}

/* A vec4 that uniforms or known constants name. */
static int
known_address(const struct gp_checker *c, const struct origin *o)
{
   const struct gp_check_options *k = &c->options;
   if (o->kind != ORIGIN_LOAD || o->port != GP_UNIT_UNIFORM || !k->known ||
       o->index < k->known_first ||
       o->index - k->known_first >= k->known_count)
      return -1;
   const float value = k->known[o->index - k->known_first][o->component];
   return value >= 0 && value < 512 ? (int)value : -1;
}

int
gp_checker_temp_address(const struct gp_checker *c, unsigned instr)
{
   for (;; instr--) {
      const struct gp_instr *i = &c->instrs[instr];
      if (i->complex_op == GP_COMPLEX_OP_SET_STORE_ADDR) {
         const struct origin o = find_origin(c, instr, i->complex_src);
         return known_address(c, &o);
      }
      if (gp_checker_begins_block(c, instr))
         return -1;
   }
}

/* --------------------------------------------------------------------------
 * Readers. */

/* The complaint about a reader of a result, or -1. */
static int
opaque_rule(const struct gp_instr *i, const struct gp_read *r,
            enum result result, unsigned age)
{
   const bool complex1 = i->mul_op == GP_MUL_OP_COMPLEX1;
   const bool mul0 = r->unit == GP_UNIT_MUL0, mul1 = r->unit == GP_UNIT_MUL1;
   bool reader = false;
   unsigned wanted = 1;
   switch (result) {
   case RESULT_PREEXP2:
      if (r->unit == GP_UNIT_COMPLEX && is_table(i->complex_op) &&
          i->complex_op != GP_COMPLEX_OP_EXP2)
         return GP_RULE_PREEXP2_FORM;
      wanted = mul1 ? 2 : 1;
      reader =
         (mul0 && i->mul_op == GP_MUL_OP_COMPLEX2) ||
         (mul1 && complex1 && r->is_b) ||
         (r->unit == GP_UNIT_COMPLEX && i->complex_op == GP_COMPLEX_OP_EXP2);
      break;
   case RESULT_TABLE: reader = (mul0 || mul1) && complex1 && !r->is_b; break;
   case RESULT_SQUARE: reader = mul0 && complex1 && r->is_b; break;
   case RESULT_RAW_LOG2:
      if (age != 2)
         return GP_RULE_COMPLEX1_AGE;
      wanted = 2;
      reader = r->unit == GP_UNIT_PASS && i->pass_op == GP_PASS_OP_POSTLOG2;
      break;
   case RESULT_COMPLEX1: return age == 2 ? -1 : GP_RULE_COMPLEX1_AGE;
   default: return -1;
   }
   if (!reader)
      return GP_RULE_OPAQUE_MOVED;
   return age == wanted ? -1 : GP_RULE_OPAQUE_AGE;
}

/* Readers that want an opaque value and nothing else. */
static int
wanted_rule(const struct gp_instr *i, const struct gp_read *r,
            enum result result)
{
   if (r->unit == GP_UNIT_PASS && i->pass_op == GP_PASS_OP_POSTLOG2 &&
       result != RESULT_RAW_LOG2)
      return GP_RULE_POSTLOG2_FORM;
   if (r->unit == GP_UNIT_COMPLEX && i->complex_op == GP_COMPLEX_OP_EXP2 &&
       result != RESULT_PREEXP2)
      return GP_RULE_PREEXP2_FORM;
   return -1;
}

/* The result that an operand names; false after a complaint. */
static bool
find_result(struct gp_checker *c, unsigned instr, const struct gp_read *r,
            enum result *result, unsigned *age)
{
   enum gp_unit unit = GP_UNIT_PORT0;
   int rule = -1;
   *result = RESULT_PLAIN;
   *age = 0;
   if (r->src >= GP_SRC_UNKNOWN_8 && r->src <= GP_SRC_UNKNOWN_11)
      rule = GP_RULE_UNKNOWN_SOURCE;
   else if (r->is_b && r->src == GP_SRC_IDENTITY)
      return true;
   else if (r->src >= GP_SRC_PORT0_X_1)
      *age = 1;
   else if (!unit_of_src(r->src, &unit, age))
      return true;

   if (rule < 0 && *age > instr)
      rule = GP_RULE_BEFORE_START;
   else if (rule < 0 && !same_block(c, instr, *age))
      rule = GP_RULE_CROSS_BLOCK;
   else if (rule < 0 && unit != GP_UNIT_PORT0)
      *result = result_of(c, instr - *age, unit);
   if (*result == RESULT_IDLE || *result == RESULT_NONE)
      rule = *result == RESULT_IDLE ? GP_RULE_IDLE_UNIT : GP_RULE_NO_RESULT;
   if (rule >= 0)
      gp_checker_report(c, instr, r->unit, (enum gp_rule)rule);
   return rule < 0;
}

/* Complex1: table, square, table, argument, all of one argument. */
static void
check_complex1(struct gp_checker *c, unsigned instr)
{
   const struct gp_instr *i = &c->instrs[instr];
   const struct gp_instr *before = instr > 0 ? i - 1 : i;
   bool good = instr > 0 && same_block(c, instr, 1) &&
               i->mul_src[0][0] == GP_SRC_COMPLEX_1 &&
               i->mul_src[0][1] == GP_SRC_MUL0_1 &&
               i->mul_src[1][0] == GP_SRC_COMPLEX_1 &&
               i->mul_src[1][1] != GP_SRC_IDENTITY &&
               i->mul_src[1][1] != GP_SRC_UNUSED;
   good = good && is_table(before->complex_op) &&
          before->mul_op == GP_MUL_OP_COMPLEX2 &&
          gp_unit_issues(before, GP_UNIT_MUL0);
   if (!good) {
      gp_checker_report(c, instr, GP_UNIT_MUL0, GP_RULE_COMPLEX1_FORM);
      return;
   }
   /* Of an exp2 the argument is what preexp2 made of it. */
   const bool pre = i->mul_src[1][1] == GP_SRC_PASS_2 && instr > 1 &&
                    i[-2].pass_op == GP_PASS_OP_PREEXP2;
   const unsigned x = before->complex_src;
   const bool one_operand = before->mul_src[0][0] == x &&
                            before->mul_src[0][1] == x;
   if (pre != (before->complex_op == GP_COMPLEX_OP_EXP2) ||
       (pre && !one_operand) ||
       !same_value(c, instr - 1, x, instr - 1, before->mul_src[0][0]) ||
       !same_value(c, instr - 1, x, instr - 1, before->mul_src[0][1]) ||
       !same_value(c, instr - 1, x, instr, i->mul_src[1][1]))
      gp_checker_report(c, instr, GP_UNIT_MUL0, GP_RULE_COMPLEX1_PARTS);
}

void
gp_checker_reads(struct gp_checker *c, unsigned instr,
                 const struct gp_read *reads, unsigned num)
{
   const struct gp_instr *i = &c->instrs[instr];
   for (unsigned n = 0; n < num; n++) {
      enum result result;
      unsigned age;
      if (!find_result(c, instr, &reads[n], &result, &age))
         continue;
      int rule = opaque_rule(i, &reads[n], result, age);
      if (rule < 0)
         rule = wanted_rule(i, &reads[n], result);
      if (rule >= 0)
         gp_checker_report(c, instr, reads[n].unit, (enum gp_rule)rule);
   }
   if (i->mul_op == GP_MUL_OP_COMPLEX1 &&
       (gp_unit_issues(i, GP_UNIT_MUL0) || gp_unit_issues(i, GP_UNIT_MUL1)))
      check_complex1(c, instr);
}

static int
stored_rule(enum result result)
{
   switch (result) {
   case RESULT_IDLE: return GP_RULE_IDLE_UNIT;
   case RESULT_NONE: return GP_RULE_NO_RESULT;
   case RESULT_PLAIN: return -1;
   case RESULT_COMPLEX1:
   case RESULT_RAW_LOG2: return GP_RULE_COMPLEX1_STORED;
   default: return GP_RULE_OPAQUE_STORED;
   }
}

void
gp_checker_stores(struct gp_checker *c, unsigned instr)
{
   static const uint8_t units[8] = {
      [GP_STORE_ADD0] = GP_UNIT_ADD0, [GP_STORE_ADD1] = GP_UNIT_ADD1,
      [GP_STORE_MUL0] = GP_UNIT_MUL0, [GP_STORE_MUL1] = GP_UNIT_MUL1,
      [GP_STORE_PASS] = GP_UNIT_PASS, [GP_STORE_COMPLEX] = GP_UNIT_COMPLEX,
   };
   const struct gp_instr *i = &c->instrs[instr];
   for (unsigned n = 0; n < 4; n++) {
      const unsigned src = i->store_src[n / 2][n % 2];
      if (src == GP_STORE_NONE || src == GP_STORE_UNKNOWN_5)
         continue;
      const int rule =
         stored_rule(result_of(c, instr, (enum gp_unit)units[src]));
      if (rule >= 0)
         gp_checker_report(c, instr, (enum gp_unit)(GP_UNIT_STORE0 + n / 2),
                           (enum gp_rule)rule);
   }
   /* The condition is a number. */
   if (i->branch && gp_unit_issues(i, GP_UNIT_PASS) &&
       result_of(c, instr, GP_UNIT_PASS) != RESULT_PLAIN)
      gp_checker_report(c, instr, GP_UNIT_BRANCH, GP_RULE_OPAQUE_MOVED);
}
