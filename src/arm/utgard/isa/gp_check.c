/* SPDX-License-Identifier: MIT */
/*
 * The checker of finished programs. Three questions for each instruction,
 * each in its file: is the word itself well formed (gp_check_form.c), do its
 * operands and stores take values that stand where it looks, and that may
 * be taken (gp_check_values.c), and is what it loads written by then
 * (gp_check_delays.c).
 *
 * Distances are counted over the control flow: values of units do not cross
 * the border of a block, delays count along every path.
 */
#include "gp_check_private.h"

void
gp_checker_report(struct gp_checker *c, unsigned instr, enum gp_unit unit,
                  enum gp_rule rule)
{
   if (c->num < c->max)
      c->out[c->num] = (struct gp_violation) { instr, unit, rule };
   c->num++;
}

bool
gp_checker_begins_block(const struct gp_checker *c, unsigned instr)
{
   return instr == 0 || c->instrs[instr - 1].branch ||
          BITSET_TEST(c->targets, instr);
}

static void
find_branches(struct gp_checker *c)
{
   for (unsigned i = 0; i < c->count; i++) {
      if (!c->instrs[i].branch || c->instrs[i].branch_target > c->count)
         continue;
      c->branches[c->num_branches++] = (uint16_t)i;
      BITSET_SET(c->targets, c->instrs[i].branch_target);
   }
}

unsigned
gp_check_program(const struct gp_instr *instrs, unsigned count,
                 const struct gp_check_options *options,
                 struct gp_violation *out, unsigned max)
{
   struct gp_checker c = {
      .instrs = instrs,
      .count = count,
      .out = out,
      .max = max,
      .options.first_temp = GP_NUM_UNIFORMS,
   };
   if (options)
      c.options = *options;
   if (count == 0 || count > GP_MAX_INSTRS) {
      gp_checker_report(&c, 0, GP_UNIT_BRANCH,
                        count ? GP_RULE_TOO_LONG : GP_RULE_EMPTY);
      return c.num;
   }
   find_branches(&c);
   for (unsigned i = 0; i < count; i++) {
      struct gp_read reads[GP_MAX_READS];
      const unsigned num = gp_checker_form(&c, i, reads);
      gp_checker_reads(&c, i, reads, num);
      gp_checker_stores(&c, i);
      gp_checker_delays(&c, i);
   }
   return c.num;
}

void
gp_print_violation(const struct gp_violation *v, struct strbuf *out)
{
   strbuf_printf(out, "instruction %u, %s: %s [%s]", v->instr,
                 gp_unit_name(v->unit), gp_rule_text(v->rule),
                 gp_rule_name(v->rule));
}
