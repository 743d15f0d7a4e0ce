/* SPDX-License-Identifier: MIT */
/*
 * Writes that take effect late: a register's store is seen by loads 3 later,
 * a temporary's 4 later, an address register's by indexed loads 4 later.
 * For each load the instructions up to that far back are searched, along
 * every path that leads here.
 */
#include "gp_check_private.h"

enum {
   REGISTER_DELAY = 3,
   TEMP_DELAY = 4,
   ADDRESS_DELAY = 4,
};

struct instr_set {
   BITSET_DECLARE(bits, GP_MAX_INSTRS + 1);
};

/* What may be executed right before one of `set`. */
static struct instr_set
predecessors(const struct gp_checker *c, const struct instr_set *set)
{
   struct instr_set before = { { 0 } };
   BITSET_FOREACH_SET(i, set->bits, c->count) {
      if (i > 0)
         BITSET_SET(before.bits, i - 1);
   }
   for (unsigned b = 0; b < c->num_branches; b++) {
      const unsigned from = c->branches[b];
      if (BITSET_TEST(set->bits, c->instrs[from].branch_target))
         BITSET_SET(before.bits, from);
   }
   return before;
}

/* Whether what `writes` looks for happens less than `delay` before. */
static bool
written_within(const struct gp_checker *c, unsigned instr, unsigned delay,
               bool (*writes)(const struct gp_checker *c, unsigned by,
                              unsigned load, unsigned detail),
               unsigned detail)
{
   struct instr_set set = { { 0 } };
   BITSET_SET(set.bits, instr);
   for (unsigned distance = 1; distance < delay; distance++) {
      set = predecessors(c, &set);
      BITSET_FOREACH_SET(by, set.bits, c->count) {
         if (writes(c, by, instr, detail))
            return true;
      }
   }
   return false;
}

/* detail: index of the register, components << 4. */
static bool
writes_register(const struct gp_checker *c, unsigned by, unsigned load,
                unsigned detail)
{
   const struct gp_instr *i = &c->instrs[by];
   for (unsigned n = 0; n < 4; n++) {
      if (i->store_src[n / 2][n % 2] != GP_STORE_NONE &&
          !i->store_is_varying[n / 2] && !i->store_is_temp[n / 2] &&
          i->store_index[n / 2] == (detail & 15) && (detail >> 4 >> n & 1))
         return true;
   }
   return false;
}

/* detail: components. An address that is not known may be any. */
static bool
writes_temp(const struct gp_checker *c, unsigned by, unsigned load,
            unsigned detail)
{
   const struct gp_instr *i = &c->instrs[by];
   bool component = false;
   for (unsigned n = 0; n < 4; n++)
      component |= i->store_is_temp[n / 2] && (detail >> n & 1) &&
                   i->store_src[n / 2][n % 2] != GP_STORE_NONE;
   if (!component)
      return false;
   const int address = gp_checker_temp_address(c, by);
   return address < 0 || c->instrs[load].uniform_offset != GP_NO_OFFSET ||
          (unsigned)address == c->instrs[load].uniform_index;
}

/* detail: address register 1 to 3. */
static bool
writes_address(const struct gp_checker *c, unsigned by, unsigned load,
               unsigned detail)
{
   return c->instrs[by].complex_op == GP_COMPLEX_OP_SET_ADDR1 - 1 + detail;
}

/* Whether the block sets an address register at `instr` or before it. */
static bool
block_sets(const struct gp_checker *c, unsigned instr, unsigned op)
{
   for (;; instr--) {
      if (c->instrs[instr].complex_op == op)
         return true;
      if (gp_checker_begins_block(c, instr))
         return false;
   }
}

static void
check_registers(struct gp_checker *c, unsigned instr)
{
   const struct gp_instr *i = &c->instrs[instr];
   unsigned port0 = gp_components_read(i, GP_SRC_PORT0_X);
   /* The next instruction still reads this one's load. */
   if (instr + 1 < c->count && !gp_checker_begins_block(c, instr + 1))
      port0 |= gp_components_read(i + 1, GP_SRC_PORT0_X_1);
   if (port0 && !i->port0_is_attribute &&
       written_within(c, instr, REGISTER_DELAY, writes_register,
                      i->port0_index | port0 << 4))
      gp_checker_report(c, instr, GP_UNIT_PORT0, GP_RULE_REGISTER_DELAY);
   const unsigned port1 = gp_components_read(i, GP_SRC_PORT1_X);
   if (port1 && written_within(c, instr, REGISTER_DELAY, writes_register,
                               i->port1_index | port1 << 4))
      gp_checker_report(c, instr, GP_UNIT_PORT1, GP_RULE_REGISTER_DELAY);
}

static void
check_uniforms(struct gp_checker *c, unsigned instr)
{
   const struct gp_instr *i = &c->instrs[instr];
   const unsigned read = gp_components_read(i, GP_SRC_UNIFORM_X);
   if (!read)
      return;
   const unsigned offset = i->uniform_offset;
   if (offset >= 1 && offset <= 3) {
      /* One that this very instruction sets comes too late for it. */
      if (gp_checker_begins_block(c, instr) ||
          !block_sets(c, instr - 1, GP_COMPLEX_OP_SET_ADDR1 - 1 + offset))
         gp_checker_report(c, instr, GP_UNIT_UNIFORM, GP_RULE_ADDRESS_UNSET);
      if (written_within(c, instr, ADDRESS_DELAY, writes_address, offset))
         gp_checker_report(c, instr, GP_UNIT_UNIFORM, GP_RULE_ADDRESS_DELAY);
   }
   if (i->uniform_index >= c->options.first_temp &&
       written_within(c, instr, TEMP_DELAY, writes_temp, read))
      gp_checker_report(c, instr, GP_UNIT_UNIFORM, GP_RULE_TEMP_DELAY);
}

void
gp_checker_delays(struct gp_checker *c, unsigned instr)
{
   const struct gp_instr *i = &c->instrs[instr];
   check_registers(c, instr);
   check_uniforms(c, instr);
   if ((i->store_is_temp[0] || i->store_is_temp[1]) &&
       !block_sets(c, instr, GP_COMPLEX_OP_SET_STORE_ADDR))
      gp_checker_report(c, instr, GP_UNIT_STORE0, GP_RULE_ADDRESS_UNSET);
}
