/* SPDX-License-Identifier: MIT */
/* The text form of an instruction: docs/utgard.rst has its grammar. */
#include "gp_isa_private.h"

/* Separates clauses. */
static void
next_clause(struct strbuf *out, size_t start)
{
   if (out->len > start)
      strbuf_puts(out, "; ");
}

static void
print_src(unsigned src, bool identity, struct strbuf *out)
{
   strbuf_puts(out, identity && src == GP_SRC_IDENTITY ? GP_IDENTITY_TEXT
                                                       : gp_src_names[src]);
}

static void
print_op(const char *const *names, unsigned op, struct strbuf *out)
{
   if (names[op])
      strbuf_puts(out, names[op]);
   else
      strbuf_printf(out, "op%u", op);
}

/* "(A, B)" of an adder or multiplier; B is left out when it is unused. */
static void
print_operands(const uint8_t src[2], const uint8_t negate[2],
               struct strbuf *out)
{
   strbuf_printf(out, "(%s", negate[0] ? "-" : "");
   print_src(src[0], false, out);
   if (src[1] != GP_SRC_UNUSED || negate[1]) {
      strbuf_printf(out, ", %s", negate[1] ? "-" : "");
      print_src(src[1], true, out);
   }
   strbuf_puts(out, ")");
}

static bool
mul_is_idle(const struct gp_instr *i, unsigned n)
{
   return i->mul_src[n][0] == GP_SRC_UNUSED &&
          i->mul_src[n][1] == GP_SRC_UNUSED && !i->mul_negate[n];
}

static bool
add_is_idle(const struct gp_instr *i, unsigned n)
{
   return i->add_src[n][0] == GP_SRC_UNUSED &&
          i->add_src[n][1] == GP_SRC_UNUSED && !i->add_negate[n][0] &&
          !i->add_negate[n][1];
}

/* Multiplier 1 multiplies beside complex2, so it alone does not tell that
 * opcode: then the idle multiplier 0 is printed as well. */
static bool
mul0_must_show(const struct gp_instr *i)
{
   return i->mul_op != GP_MUL_OP_MUL &&
          (i->mul_op == GP_MUL_OP_COMPLEX2 || mul_is_idle(i, 1));
}

static void
print_mul(const struct gp_instr *i, size_t start, struct strbuf *out)
{
   static const uint8_t plain[2] = { 0, 0 };
   for (unsigned n = 0; n < 2; n++) {
      if (mul_is_idle(i, n) && !(n == 0 && mul0_must_show(i)))
         continue;
      next_clause(out, start);
      strbuf_printf(out, "mul%u=%s", n, i->mul_negate[n] ? "-" : "");
      print_op(gp_mul_op_names,
               n == 1 && i->mul_op == GP_MUL_OP_COMPLEX2 ? GP_MUL_OP_MUL
                                                         : i->mul_op,
               out);
      print_operands(i->mul_src[n], plain, out);
   }
}

static void
print_add(const struct gp_instr *i, size_t start, struct strbuf *out)
{
   for (unsigned n = 0; n < 2; n++) {
      const bool must = n == 0 && i->add_op != GP_ADD_OP_ADD &&
                        add_is_idle(i, 1);
      if (add_is_idle(i, n) && !must)
         continue;
      next_clause(out, start);
      strbuf_printf(out, "add%u=", n);
      print_op(gp_add_op_names, i->add_op, out);
      print_operands(i->add_src[n], i->add_negate[n], out);
   }
}

static void
print_complex_and_pass(const struct gp_instr *i, size_t start,
                       struct strbuf *out)
{
   if (i->complex_op != GP_COMPLEX_OP_NONE ||
       i->complex_src != GP_SRC_UNUSED) {
      next_clause(out, start);
      strbuf_puts(out, "complex=");
      print_op(gp_complex_op_names, i->complex_op, out);
      strbuf_printf(out, "(%s)", gp_src_names[i->complex_src]);
   }
   if (i->pass_op != GP_PASS_OP_MOVE || i->pass_src != GP_SRC_UNUSED) {
      next_clause(out, start);
      strbuf_puts(out, "pass=");
      print_op(gp_pass_op_names, i->pass_op, out);
      strbuf_printf(out, "(%s)", gp_src_names[i->pass_src]);
   }
}

static void
print_loads(const struct gp_instr *i, size_t start, struct strbuf *out)
{
   if (i->port0_index || i->port0_is_attribute ||
       gp_components_read(i, GP_SRC_PORT0_X)) {
      next_clause(out, start);
      strbuf_printf(out, "p0=%c%u", i->port0_is_attribute ? 'a' : 'r',
                    i->port0_index);
   }
   if (i->port1_index || gp_components_read(i, GP_SRC_PORT1_X)) {
      next_clause(out, start);
      strbuf_printf(out, "p1=r%u", i->port1_index);
   }
   if (i->uniform_index || i->uniform_offset != GP_NO_OFFSET ||
       gp_components_read(i, GP_SRC_UNIFORM_X)) {
      next_clause(out, start);
      strbuf_printf(out, "u=c%u", i->uniform_index);
      if (i->uniform_offset != GP_NO_OFFSET)
         strbuf_printf(out, "+addr%u", i->uniform_offset);
   }
}

static void
print_stores(const struct gp_instr *i, size_t start, struct strbuf *out)
{
   for (unsigned n = 0; n < 2; n++) {
      const uint8_t *src = i->store_src[n];
      if (src[0] == GP_STORE_NONE && src[1] == GP_STORE_NONE &&
          !i->store_index[n] && !i->store_is_varying[n] &&
          !i->store_is_temp[n])
         continue;
      next_clause(out, start);
      strbuf_printf(out, "st%u=%s%s%u(%s, %s)", n,
                    i->store_is_temp[n] ? "t" : "",
                    i->store_is_varying[n] ? "v"
                    : i->store_is_temp[n]  ? ""
                                           : "r",
                    i->store_index[n], gp_store_names[src[0]],
                    gp_store_names[src[1]]);
   }
}

unsigned
gp_implied_mode(const struct gp_instr *i)
{
   if (i->branch)
      return GP_MODE_BRANCH;
   return i->store_is_temp[0] || i->store_is_temp[1] ? GP_MODE_TEMP_STORE
                                                     : GP_MODE_NORMAL;
}

static void
print_flow(const struct gp_instr *i, size_t start, struct strbuf *out)
{
   if (i->branch || i->branch_target != GP_NO_TARGET) {
      next_clause(out, start);
      strbuf_printf(out, "%s=%u", i->branch ? "branch" : "target",
                    i->branch_target);
   }
   if (i->mode != gp_implied_mode(i)) {
      next_clause(out, start);
      strbuf_printf(out, "mode=%u", i->mode);
   }
}

void
gp_print(const struct gp_instr *instr, struct strbuf *out)
{
   const size_t start = out->len;
   print_loads(instr, start, out);
   print_mul(instr, start, out);
   print_add(instr, start, out);
   print_complex_and_pass(instr, start, out);
   print_stores(instr, start, out);
   print_flow(instr, start, out);
   if (out->len == start)
      strbuf_puts(out, "nop");
}

void
gp_print_program(const struct gp_instr *instrs, unsigned count,
                 struct strbuf *out)
{
   for (unsigned i = 0; i < count; i++) {
      strbuf_printf(out, "%03u: ", i);
      gp_print(&instrs[i], out);
      strbuf_puts(out, "\n");
   }
}
