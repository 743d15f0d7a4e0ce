/* SPDX-License-Identifier: MIT */
/* What a word says by itself: known codes, operands where the opcode reads
 * them, a mode that fits. */
#include "gp_check_private.h"

bool
gp_unit_issues(const struct gp_instr *i, enum gp_unit unit)
{
   switch (unit) {
   case GP_UNIT_MUL0:
   case GP_UNIT_MUL1: {
      const uint8_t *src = i->mul_src[unit - GP_UNIT_MUL0];
      return src[0] != GP_SRC_UNUSED || src[1] != GP_SRC_UNUSED;
   }
   case GP_UNIT_ADD0:
   case GP_UNIT_ADD1: {
      const uint8_t *src = i->add_src[unit - GP_UNIT_ADD0];
      return src[0] != GP_SRC_UNUSED || src[1] != GP_SRC_UNUSED;
   }
   case GP_UNIT_COMPLEX: return i->complex_op != GP_COMPLEX_OP_NONE;
   case GP_UNIT_PASS: return i->pass_src != GP_SRC_UNUSED;
   default: unreachable("a port is no unit");
   }
}

/* One form: the operands of a unit, and how many of them its opcode reads. */
struct form {
   struct gp_checker *c;
   unsigned instr;
   struct gp_read *reads;
   unsigned num;
};

static void
operand(struct form *f, enum gp_unit unit, unsigned src, bool is_b,
        bool wanted)
{
   const bool used = src != GP_SRC_UNUSED;
   if (used != wanted)
      gp_checker_report(f->c, f->instr, unit,
                        wanted ? GP_RULE_OPERAND_MISSING
                               : GP_RULE_OPERAND_EXTRA);
   if (used && wanted)
      f->reads[f->num++] = (struct gp_read) { unit, (uint8_t)src, is_b };
}

/* Complex1 and select need both multipliers, whichever looks used. */
static void
mul_form(struct form *f, const struct gp_instr *i)
{
   const bool pair = i->mul_op == GP_MUL_OP_COMPLEX1 ||
                     i->mul_op == GP_MUL_OP_SELECT;
   const bool issues = gp_unit_issues(i, GP_UNIT_MUL0) ||
                       gp_unit_issues(i, GP_UNIT_MUL1);
   for (unsigned n = 0; n < 2; n++) {
      const enum gp_unit unit = (enum gp_unit)(GP_UNIT_MUL0 + n);
      if (pair ? !issues : !gp_unit_issues(i, unit))
         continue;
      if (!gp_mul_op_is_known(i->mul_op)) {
         gp_checker_report(f->c, f->instr, unit, GP_RULE_UNKNOWN_OPCODE);
         continue;
      }
      const bool product = i->mul_op == GP_MUL_OP_MUL ||
                           (i->mul_op == GP_MUL_OP_COMPLEX2 && n == 1);
      if (i->mul_negate[n] && !product)
         gp_checker_report(f->c, f->instr, unit, GP_RULE_UNKNOWN_NEGATE);
      operand(f, unit, i->mul_src[n][0], false, true);
      operand(f, unit, i->mul_src[n][1], true,
              !(n == 1 && i->mul_op == GP_MUL_OP_SELECT));
   }
}

static void
add_form(struct form *f, const struct gp_instr *i)
{
   for (unsigned n = 0; n < 2; n++) {
      const enum gp_unit unit = (enum gp_unit)(GP_UNIT_ADD0 + n);
      if (!gp_unit_issues(i, unit))
         continue;
      if (!gp_add_op_is_known(i->add_op)) {
         gp_checker_report(f->c, f->instr, unit, GP_RULE_UNKNOWN_OPCODE);
         continue;
      }
      operand(f, unit, i->add_src[n][0], false, true);
      if (!gp_add_op_is_unary(i->add_op))
         operand(f, unit, i->add_src[n][1], true, true);
   }
}

/* Opcode 10, which sets two address registers at once, has a name but how
 * it does so is not known. */
static void
complex_form(struct form *f, const struct gp_instr *i)
{
   if (!gp_complex_op_is_known(i->complex_op) ||
       i->complex_op == GP_COMPLEX_OP_SET_ADDR01)
      gp_checker_report(f->c, f->instr, GP_UNIT_COMPLEX,
                        GP_RULE_UNKNOWN_OPCODE);
   else
      operand(f, GP_UNIT_COMPLEX, i->complex_src, false,
              i->complex_op != GP_COMPLEX_OP_NONE);
}

static void
pass_form(struct form *f, const struct gp_instr *i)
{
   if (!gp_unit_issues(i, GP_UNIT_PASS))
      return;
   if (!gp_pass_op_is_known(i->pass_op))
      gp_checker_report(f->c, f->instr, GP_UNIT_PASS, GP_RULE_UNKNOWN_OPCODE);
   else
      operand(f, GP_UNIT_PASS, i->pass_src, false, true);
}

static void
flow_form(struct form *f, const struct gp_instr *i)
{
   const bool temp = i->store_is_temp[0] || i->store_is_temp[1];
   const unsigned mode = i->branch ? GP_MODE_BRANCH
                         : temp    ? GP_MODE_TEMP_STORE
                                   : GP_MODE_NORMAL;
   if (i->mode != mode || (i->branch && temp))
      gp_checker_report(f->c, f->instr,
                        temp ? GP_UNIT_STORE0 : GP_UNIT_BRANCH,
                        GP_RULE_UNKNOWN_MODE);
   if (!i->branch)
      return;
   if (!gp_unit_issues(i, GP_UNIT_PASS) || i->pass_op != GP_PASS_OP_MOVE)
      gp_checker_report(f->c, f->instr, GP_UNIT_BRANCH, GP_RULE_BRANCH_FORM);
   /* The end itself is a target: the program is over there. */
   if (i->branch_target > f->c->count)
      gp_checker_report(f->c, f->instr, GP_UNIT_BRANCH,
                        GP_RULE_BRANCH_TARGET);
}

static void
port_form(struct form *f, const struct gp_instr *i)
{
   if (gp_components_read(i, GP_SRC_UNIFORM_X) &&
       i->uniform_offset != GP_NO_OFFSET &&
       (i->uniform_offset < 1 || i->uniform_offset > 3))
      gp_checker_report(f->c, f->instr, GP_UNIT_UNIFORM,
                        GP_RULE_UNKNOWN_OFFSET);
   for (unsigned n = 0; n < 2; n++) {
      const enum gp_unit port = (enum gp_unit)(GP_UNIT_STORE0 + n);
      const uint8_t *src = i->store_src[n];
      if (src[0] == GP_STORE_UNKNOWN_5 || src[1] == GP_STORE_UNKNOWN_5)
         gp_checker_report(f->c, f->instr, port, GP_RULE_STORE_SOURCE);
      if (i->store_is_temp[n] && i->store_is_varying[n])
         gp_checker_report(f->c, f->instr, port, GP_RULE_STORE_KIND);
   }
}

unsigned
gp_checker_form(struct gp_checker *c, unsigned instr,
                struct gp_read reads[GP_MAX_READS])
{
   const struct gp_instr *i = &c->instrs[instr];
   struct form f = { c, instr, reads, 0 };
   mul_form(&f, i);
   add_form(&f, i);
   complex_form(&f, i);
   pass_form(&f, i);
   flow_form(&f, i);
   port_form(&f, i);
   return f.num;
}
