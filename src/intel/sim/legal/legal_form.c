/* SPDX-License-Identifier: MIT */
/* How many channels, which of them, and by which flags. */
#include "intel/sim/legal/legal_private.h"

static unsigned
channels(const struct legal *l)
{
   bool doubles = l->alu && l->inst->dst.type == ISA_TYPE_DF;
   for (unsigned i = 0; i < l->num_srcs && l->alu; i++)
      doubles |= l->type[i] == ISA_TYPE_DF;
   if (doubles && l->traits->doubles_count_twice)
      return MAX2(l->inst->exec_size / 2u, 1u);
   return l->inst->exec_size;
}

/* Quarters of eight, halves of sixteen; nibbles for four and fewer. Without
 * the mask it does not matter. */
static bool
group_does_not_fit(const struct legal *l)
{
   const unsigned n = channels(l), group = l->inst->group;
   return n > 4 && !l->inst->no_mask && group % n;
}

static bool
too_many_bytes(const struct legal *l)
{
   const struct isa_inst *i = l->inst;
   unsigned size_B = legal_size_B(l, i->dst.type);
   for (unsigned n = 0; n < l->num_srcs && l->alu; n++)
      size_B = MAX2(size_B, legal_size_B(l, l->type[n]));
   return l->alu && i->exec_size * size_B > 2 * LEGAL_GRF_B;
}

static bool
compares_without_condition(const struct legal *l)
{
   return (l->inst->opcode == ISA_OPCODE_CMP ||
           l->inst->opcode == ISA_OPCODE_CMPN ||
           l->inst->opcode == ISA_OPCODE_CSEL) &&
          l->inst->cond_mod == ISA_COND_MOD_NONE;
}

static bool
selects_by_nothing_or_both(const struct legal *l)
{
   return l->inst->opcode == ISA_OPCODE_SEL &&
          (l->inst->pred != ISA_PRED_NONE) ==
             (l->inst->cond_mod != ISA_COND_MOD_NONE);
}

static bool
wide_condition(const struct legal *l)
{
   return l->inst->exec_size == 32 && l->alu &&
          l->inst->cond_mod != ISA_COND_MOD_NONE;
}

/* Flags are counted from the subregister on, by the numbers of channels; no
 * manual says where f0.1 has those of channels from 16 on. */
static bool
flags_beyond_register(const struct legal *l)
{
   const struct isa_inst *i = l->inst;
   const bool selects = i->opcode == ISA_OPCODE_SEL ||
                        i->opcode == ISA_OPCODE_CSEL;
   return (i->pred != ISA_PRED_NONE ||
           (i->cond_mod != ISA_COND_MOD_NONE && !selects)) &&
          16u * i->flag_subnr + i->group + channels(l) > 32;
}

static bool
wide_ternary_condition(const struct legal *l)
{
   return l->ternary && wide_condition(l);
}

static bool
compare_to_null_goes_on(const struct legal *l)
{
   const struct isa_inst *i = l->inst;
   return (i->opcode == ISA_OPCODE_CMP || i->opcode == ISA_OPCODE_CMPN) &&
          legal_is_null(&i->dst) && i->thread_ctrl != ISA_THREAD_SWITCH;
}

static bool
wide_division(const struct legal *l)
{
   return legal_divides(l->inst) && l->inst->exec_size > 8;
}

static bool
compressed_ternary(const struct legal *l)
{
   return l->ternary && l->inst->exec_size > 8;
}

static bool
wide_movi(const struct legal *l)
{
   return l->inst->opcode == ISA_OPCODE_MOVI && l->inst->exec_size > 8;
}

static bool
dot_product_of_few(const struct legal *l)
{
   switch (l->inst->opcode) {
   case ISA_OPCODE_DP2:
   case ISA_OPCODE_DP3:
   case ISA_OPCODE_DP4:
   case ISA_OPCODE_DPH: return l->inst->exec_size < 4;
   default: return false;
   }
}

static bool
plane_of_few(const struct legal *l)
{
   return l->inst->opcode == ISA_OPCODE_PLN && l->inst->exec_size != 8 &&
          l->inst->exec_size != 16;
}

static bool
plane_in_align16(const struct legal *l)
{
   return l->inst->opcode == ISA_OPCODE_PLN &&
          l->inst->access_mode != ISA_ALIGN1;
}

static bool
wait_of_several(const struct legal *l)
{
   return l->inst->opcode == ISA_OPCODE_WAIT && l->inst->exec_size != 1;
}

const struct legal_check legal_form_rules[] = {
   { { "group", NULL, LEGAL_ALL,
       "Channels under the mask begin at a multiple of their number.",
       "PRM SKL vol 7, \"QtrCtrl\", \"NibCtrl\"" },
     group_does_not_fit },
   { { "exec-bytes", "EU-41", LEGAL_ALL,
       "Channels of the widest type take more than two registers.",
       "PRM SKL vol 7, \"General Restrictions Based on Operand Types\", 1" },
     too_many_bytes },
   { { "condition-missing", "EU-71", LEGAL_ALL,
       "A comparison or CSEL without a conditional modifier.",
       "PRM SKL vol 2a, cmp, csel" },
     compares_without_condition },
   { { "sel-either", "EU-71", LEGAL_ALL,
       "SEL has a predicate or a conditional modifier, and not both.",
       "PRM SKL vol 2a, sel" },
     selects_by_nothing_or_both },
   { { "wide-condition", "EU-49", LEGAL_7,
       "32 channels with a conditional modifier.",
       "PRM IVB vol 4 part 3, \"Conditional Modifier\"" },
     wide_condition },
   { { "flag-end", NULL, LEGAL_ALL,
       "Flags of channels for which the flag register has no bits.",
       "PRM SKL vol 7, \"Flag Register\", \"QtrCtrl\"" },
     flags_beyond_register },
   { { "wide-ternary-condition", "EU-49", LEGAL_8UP,
       "32 channels of three sources with a conditional modifier.",
       "PRM BDW vol 7, \"Flag Register\"" },
     wide_ternary_condition },
   { { "compare-null-switch", "EU-05", LEGAL_7,
       "A comparison with a null destination and without {Switch}.",
       "PRM IVB vol 4 part 3, cmp; HSW vol 2b, cmp", VAAPI "1318 times" },
     compare_to_null_goes_on },
   { { "division-wide", NULL, LEGAL_ALL,
       "MATH divides at most eight integers.", "PRM SKL vol 2a, math" },
     wide_division },
   { { "ternary-compressed", "EU-50", LEGAL_IVB,
       "More than eight channels of three sources.",
       "PRM IVB vol 4 part 3, 3.3.9" },
     compressed_ternary },
   { { "movi-wide", NULL, LEGAL_ALL, "MOVI has at most eight channels.",
       "PRM SKL vol 2a, movi" },
     wide_movi },
   { { "dot-narrow", NULL, LEGAL_ALL,
       "A dot product has groups of four channels.", "PRM SKL vol 2a, dp4" },
     dot_product_of_few },
   { { "plane-channels", NULL, LEGAL_ALL, "PLN has 8 or 16 channels.",
       "PRM SKL vol 2a, pln" },
     plane_of_few },
   { { "plane-align1", NULL, LEGAL_ALL, "PLN is in Align1 only.",
       "PRM SKL vol 2a, pln" },
     plane_in_align16 },
   { { "wait-one", NULL, LEGAL_ALL, "WAIT has one channel.",
       "PRM SKL vol 2a, wait" },
     wait_of_several },
   { { 0 }, NULL },
};
