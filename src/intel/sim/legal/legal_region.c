/* SPDX-License-Identifier: MIT */
/*
 * Regions: parameters, types and strides, and how far they reach.
 *
 * Source: PRM IVB vol 4 part 3, HSW vol 7, BDW vol 7, SKL vol 7, "Register
 * Region Restrictions"; where they differ, the rows' generations say so.
 */
#include "intel/sim/legal/legal_private.h"

/* Whether some source answers to the test, of an instruction in Align1. */
static bool
any_region(const struct legal *l,
           bool (*test)(const struct legal *l, const struct isa_operand *o))
{
   return l->inst->access_mode == ISA_ALIGN1 && legal_any_source(l, test);
}

static bool
is_wider(const struct legal *l, const struct isa_operand *o)
{
   return o->width > l->inst->exec_size;
}

static bool
width_above_channels(const struct legal *l)
{
   return any_region(l, is_wider);
}

static bool
has_other_stride(const struct legal *l, const struct isa_operand *o)
{
   return o->width == l->inst->exec_size && o->hstride &&
          o->vstride != ISA_VSTRIDE_VXH &&
          o->vstride != o->width * o->hstride;
}

static bool
one_row_with_other_stride(const struct legal *l)
{
   return any_region(l, has_other_stride);
}

static bool
steps_in_one(const struct legal *l, const struct isa_operand *o)
{
   return l->inst->exec_size > 1 && o->width == 1 && o->hstride;
}

static bool
one_column_with_stride(const struct legal *l)
{
   return any_region(l, steps_in_one);
}

static bool
one_element_steps(const struct legal *l, const struct isa_operand *o)
{
   return l->inst->exec_size == 1 && o->width == 1 &&
          o->vstride != ISA_VSTRIDE_VXH && (o->vstride || o->hstride);
}

static bool
scalar_with_stride(const struct legal *l)
{
   return any_region(l, one_element_steps);
}

static bool
is_wide_and_still(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return !o->vstride && !o->hstride && o->width != 1;
}

static bool
same_element_in_rows(const struct legal *l)
{
   return any_region(l, is_wide_and_still);
}

static bool
rows_without_addresses(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->vstride == ISA_VSTRIDE_VXH && !o->indirect;
}

static bool
direct_rows(const struct legal *l)
{
   return any_region(l, rows_without_addresses);
}

static bool
destination_stays(const struct legal *l)
{
   return l->alu && !l->ternary && !l->macro && l->info->has_dst &&
          l->inst->access_mode == ISA_ALIGN1 && !l->inst->dst.hstride;
}

/* A row may not cross into another register. */
static bool
row_crosses(const struct legal *l)
{
   for (unsigned n = 0; n < l->num_srcs; n++) {
      const struct legal_span *s = &l->src[n];
      const unsigned width = MAX2(l->inst->src[n].width, 1u);
      if (!s->known || l->inst->access_mode == ISA_ALIGN16)
         continue;
      for (unsigned i = 0; i < l->inst->exec_size; i++) {
         const unsigned first = s->at_B[i - i % width];
         const unsigned last = s->at_B[i] + s->size_B - 1;
         if (first / LEGAL_GRF_B != last / LEGAL_GRF_B)
            return true;
      }
   }
   return false;
}

static bool
reaches_too_far(const struct legal *l)
{
   bool far = l->dst.regs > 2;
   for (unsigned n = 0; n < l->num_srcs; n++)
      far |= l->src[n].regs > 2;
   return far;
}

static bool
is_out(const struct isa_operand *o, const struct legal_span *s)
{
   return s->known && o->file == ISA_FILE_GRF &&
          o->nr + s->regs > ISA_MAX_GRF;
}

static bool
leaves_registers(const struct legal *l)
{
   bool out = is_out(&l->inst->dst, &l->dst);
   for (unsigned n = 0; n < l->num_srcs; n++)
      out |= is_out(&l->inst->src[n], &l->src[n]);
   if (l->inst->opcode == ISA_OPCODE_PLN &&
       l->inst->src[1].file == ISA_FILE_GRF)
      out |= l->inst->src[1].nr + l->inst->exec_size / 4u > ISA_MAX_GRF;
   return out;
}

/* Types and strides of the destination. --------------------------------- */

static bool
is_byte(const struct legal *l)
{
   return legal_is(l->inst->dst.type, LEGAL_BYTES);
}

/* Several channels to a type that is narrower than what is executed; not the
 * bytes of a raw move, nor HF where F is computed (PRM SKL vol 7, "Mixed Mode
 * Float Operations"). */
static bool
narrows(const struct legal *l)
{
   return l->alu && !l->ternary && !l->macro && l->inst->exec_size > 1 &&
          l->inst->access_mode == ISA_ALIGN1 &&
          l->exec_B > legal_size_B(l, l->inst->dst.type) &&
          !(is_byte(l) && legal_is_raw(l)) &&
          !(l->traits->mixes_floats && legal_mixes_floats(l));
}

/* Channels need the room that they are computed in; more does no harm. */
static bool
closer_than_executed(const struct legal *l)
{
   return narrows(l) &&
          l->inst->dst.hstride * legal_size_B(l, l->inst->dst.type) <
             l->exec_B;
}

/* A byte may also be the second one. */
static bool
unaligned_to_executed(const struct legal *l)
{
   return narrows(l) && !l->inst->dst.indirect &&
          l->inst->dst.subnr_B % l->exec_B > (is_byte(l) ? 1u : 0u);
}

/* Two registers. --------------------------------------------------------- */

static unsigned
in_first_register(const struct legal *l, const struct legal_span *s)
{
   unsigned n = 0;
   for (unsigned i = 0; i < l->inst->exec_size; i++)
      n += s->at_B[i] < LEGAL_GRF_B;
   return n;
}

static bool
is_split_evenly(const struct legal *l, const struct legal_span *s)
{
   return 2 * in_first_register(l, s) == l->inst->exec_size;
}

static bool
writes_registers(const struct legal *l, unsigned n)
{
   return l->dst.known && l->dst.regs == n && legal_has_dst(l);
}

static bool
destination_is_uneven(const struct legal *l)
{
   return writes_registers(l, 2) && !is_split_evenly(l, &l->dst);
}

static bool
math_destination_is_uneven(const struct legal *l)
{
   return l->inst->opcode == ISA_OPCODE_MATH && destination_is_uneven(l);
}

/* All in one oword of its register, or half in each. */
static bool
is_balanced_in_register(const struct legal *l)
{
   unsigned low = 0;
   for (unsigned i = 0; i < l->inst->exec_size; i++)
      low += l->dst.at_B[i] < LEGAL_GRF_B / 2;
   return low == 0 || low == l->inst->exec_size ||
          2 * low == l->inst->exec_size;
}

static bool
any_of_two_registers(const struct legal *l, bool uneven)
{
   for (unsigned n = 0; n < l->num_srcs; n++) {
      const struct legal_span *s = &l->src[n];
      if (s->known && s->regs == 2 && (!uneven || !is_split_evenly(l, s)))
         return true;
   }
   return false;
}

static bool
two_registers_to_one(const struct legal *l)
{
   return writes_registers(l, 1) && !is_balanced_in_register(l) &&
          any_of_two_registers(l, false);
}

static bool
uneven_registers_to_one(const struct legal *l)
{
   return writes_registers(l, 1) && any_of_two_registers(l, true);
}

/* Words side by side to dwords side by side: the second half goes on within
 * the register. */
static bool
widens_packed(const struct legal *l, unsigned n)
{
   const struct isa_operand *s = &l->inst->src[n], *d = &l->inst->dst;
   const bool row = s->hstride == 1 && (s->vstride == s->width ||
                                        s->width == l->inst->exec_size);
   const bool column = s->width == 1 && s->vstride == 1;
   return l->inst->access_mode == ISA_ALIGN1 && (row || column) &&
          legal_is(s->type, LEGAL_WORDS) && d->hstride == 1 &&
          isa_type_size_B(d->type) == 4;
}

static bool
one_register_to_two(const struct legal *l)
{
   if (!writes_registers(l, 2))
      return false;
   for (unsigned n = 0; n < l->num_srcs; n++) {
      const struct legal_span *s = &l->src[n];
      if (s->known && s->regs < 2 && !s->scalar && !widens_packed(l, n))
         return true;
   }
   return false;
}

/* Where in a source's registers the channels of one of the destination's
 * come from: false if from two. */
static bool
comes_from_one(const struct legal *l, const struct legal_span *s,
               unsigned dst_reg, unsigned *from, unsigned *offset_B)
{
   bool any = false;
   for (unsigned i = 0; i < l->inst->exec_size; i++) {
      if (l->dst.at_B[i] / LEGAL_GRF_B != dst_reg)
         continue;
      const unsigned reg = s->at_B[i] / LEGAL_GRF_B;
      if (any && reg != *from)
         return false;
      if (!any)
         *offset_B = s->at_B[i] % LEGAL_GRF_B;
      *from = reg;
      any = true;
   }
   return true;
}

static bool
registers_cross(const struct legal *l)
{
   if (!writes_registers(l, 2))
      return false;
   for (unsigned n = 0; n < l->num_srcs; n++) {
      const struct legal_span *s = &l->src[n];
      unsigned from[2] = { 0, 0 }, offset_B[2] = { 0, 0 };
      if (!s->known || s->regs != 2)
         continue;
      if (!comes_from_one(l, s, 0, &from[0], &offset_B[0]) ||
          !comes_from_one(l, s, 1, &from[1], &offset_B[1]) ||
          from[0] == from[1] || offset_B[0] != offset_B[1])
         return true;
   }
   return false;
}

/* MATH. ------------------------------------------------------------------ */

/* Sources lie as the destination does, or are scalars. */
static bool
math_regions_differ(const struct legal *l)
{
   const struct isa_operand *d = &l->inst->dst;
   if (l->inst->opcode != ISA_OPCODE_MATH ||
       l->inst->access_mode == ISA_ALIGN16)
      return false;
   for (unsigned n = 0; n < l->num_srcs; n++) {
      const struct isa_operand *s = &l->inst->src[n];
      const bool scalar = !s->vstride && !s->hstride;
      if (s->file != ISA_FILE_GRF || scalar)
         continue;
      if (s->vstride != s->width * s->hstride ||
          s->hstride * isa_type_size_B(s->type) !=
             d->hstride * isa_type_size_B(d->type) ||
          (!s->indirect && !d->indirect && s->subnr_B != d->subnr_B))
         return true;
   }
   return false;
}

#define REGIONS "\"Register Region Restrictions\""
#define PARAMETERS "PRM SKL vol 7, \"Restrictions on Regioning Parameters\", "
#define DIRECT7                                                              \
   "PRM HSW vol 7, \"Region Alignment Rules for Direct Register Addressing\""

const struct legal_check legal_region_rules[] = {
   { { "width-channels", "EU-40", LEGAL_ALL,
       "A region is wider than the channels are.", PARAMETERS "1" },
     width_above_channels },
   { { "one-row", "EU-40", LEGAL_ALL,
       "The vertical stride of a single row is not its width times the "
       "horizontal stride.",
       PARAMETERS "2" },
     one_row_with_other_stride },
   { { "one-column", "EU-40", LEGAL_ALL,
       "Rows of one element with a horizontal stride.", PARAMETERS "4" },
     one_column_with_stride },
   { { "one-element", "EU-40", LEGAL_ALL,
       "A stride for one channel that is one row of one element.",
       PARAMETERS "5", VAAPI "38 times (ivb, hsw): it is not used" },
     scalar_with_stride },
   { { "no-stride-width", "EU-40", LEGAL_ALL,
       "A region without strides that is wider than an element.",
       PARAMETERS "6" },
     same_element_in_rows },
   { { "rows-direct", NULL, LEGAL_ALL,
       "Rows with addresses of their own are addressed indirectly.",
       "PRM SKL vol 7, \"VertStride\"" },
     direct_rows },
   { { "destination-stride", "EU-40", LEGAL_ALL,
       "A destination without a stride.", PARAMETERS "7" },
     destination_stays },
   { { "row-crosses", "EU-41", LEGAL_ALL,
       "A row goes on in the next register.", PARAMETERS "8" },
     row_crosses },
   { { "two-registers", "EU-41", LEGAL_ALL,
       "An operand spans more than two registers.", DIRECT7 ", 1 and 2" },
     reaches_too_far },
   { { "register-end", NULL, LEGAL_ALL,
       "An operand goes beyond the last register.",
       "PRM SKL vol 7, \"GRF Registers\"" },
     leaves_registers },
   { { "destination-ratio", "EU-42", LEGAL_ALL,
       "The stride of a destination that is narrower than what is "
       "executed is not as wide as that.",
       "PRM SKL vol 7, \"General Restrictions Based on Operand Types\", 2; "
       "wider: IGC 1.0.12504, " VAAPI "35 times (bdw, skl)" },
     closer_than_executed },
   { { "destination-aligned", "EU-42", LEGAL_ALL,
       "A destination that is narrower than what is executed is not "
       "aligned to that.",
       "PRM SKL vol 7, \"General Restrictions Based on Operand Types\", 2" },
     unaligned_to_executed },
   { { "destination-even", "EU-44", LEGAL_TO_8,
       "A destination of two registers is not split evenly.",
       "PRM BDW vol 7, " REGIONS },
     destination_is_uneven },
   { { "math-destination-even", "EU-44", LEGAL_SKL,
       "A destination of MATH of two registers is not split evenly.",
       "PRM SKL vol 7, " REGIONS },
     math_destination_is_uneven },
   { { "two-to-one", "EU-44", LEGAL_TO_8,
       "Two registers of a source go to one register, where they do not "
       "fill one oword, or half of each.",
       "PRM BDW vol 7, " REGIONS },
     two_registers_to_one },
   { { "two-to-one-halves", "EU-44", LEGAL_7,
       "Two registers of a source, not half of the channels in each, go to "
       "one register.",
       DIRECT7 ", 3" },
     uneven_registers_to_one },
   { { "two-to-one-uneven", NULL, LEGAL_BDW,
       "Two registers of a source, not half of the channels in each, go to "
       "one register.",
       "PRM BDW vol 7, " REGIONS, VAAPI "34 times (bdw)" },
     uneven_registers_to_one },
   { { "one-to-two", "EU-43", LEGAL_7,
       "The destination spans two registers and a source one.",
       DIRECT7 ", 4" },
     one_register_to_two },
   { { "two-to-two", "EU-43", LEGAL_7,
       "A register of the destination does not come from one of the "
       "source, or not from the same place in both.",
       DIRECT7 ", 5" },
     registers_cross },
   { { "math-regions", NULL, LEGAL_ALL,
       "A source of MATH that is no scalar lies otherwise than the "
       "destination.",
       "PRM SKL vol 2a, math, \"Restrictions\"" },
     math_regions_differ },
   { { 0 }, NULL },
};
