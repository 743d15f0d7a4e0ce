/* SPDX-License-Identifier: MIT */
/*
 * The low-power chips, Cherryview, Broxton and Gemini Lake, whose data path
 * of 64 bits does not move a channel to another quadword: rule EU-56.
 *
 * Source: what Intel's compiler makes for them (vISA: no64bitRegioning(),
 * HWConformity::fixMULInst(), fix64bInst()): of 64-bit operations, and of
 * products of dwords that keep to MUL, every operand has one place for a
 * channel, but for scalars; what is indirect, or an accumulator, goes by
 * other instructions.
 */
#include "intel/sim/legal/legal_private.h"

#define QWORD_B 8
#define LEGAL_LOW_POWER (LEGAL_8UP | ISA_LOW_POWER)

static bool
takes_qwords(const struct legal *l)
{
   if (!l->alu || l->ternary || l->macro)
      return false;
   if (l->inst->opcode == ISA_OPCODE_MUL &&
       legal_is(l->type[0], LEGAL_DWORDS) &&
       legal_is(l->type[1], LEGAL_DWORDS))
      return true;
   return l->exec_B == QWORD_B ||
          isa_type_size_B(l->inst->dst.type) == QWORD_B;
}

/* Sources of which channels may be elsewhere than in the destination. */
static bool
is_placed(const struct legal *l, unsigned n)
{
   return l->inst->access_mode == ISA_ALIGN1 && l->src[n].known &&
          !l->src[n].scalar && l->dst.known;
}

static bool
moves_channels(const struct legal *l)
{
   for (unsigned n = 0; n < l->num_srcs && takes_qwords(l); n++) {
      for (unsigned i = 0; i < l->inst->exec_size && is_placed(l, n); i++) {
         if (l->src[n].at_B[i] != l->dst.at_B[i])
            return true;
      }
   }
   return false;
}

static bool
shares_qwords(const struct legal *l)
{
   for (unsigned n = 0; n < l->num_srcs && takes_qwords(l); n++) {
      for (unsigned i = 1; i < l->inst->exec_size && is_placed(l, n); i++) {
         if ((l->src[n].at_B[i] - l->src[n].at_B[i - 1]) % QWORD_B)
            return true;
      }
   }
   return false;
}

static bool
is_indirect(const struct legal *l, const struct isa_operand *o)
{
   return o->indirect;
}

static bool
goes_by_address(const struct legal *l)
{
   return takes_qwords(l) &&
          (l->inst->dst.indirect || legal_any_source(l, is_indirect));
}

static bool
is_architectural(const struct legal *l, const struct isa_operand *o)
{
   return o->file == ISA_FILE_ARF && !legal_is_null(o);
}

static bool
takes_arf(const struct legal *l)
{
   return takes_qwords(l) &&
          (is_architectural(l, &l->inst->dst) ||
           legal_any_source(l, is_architectural) || l->inst->acc_wr_en ||
           l->inst->opcode == ISA_OPCODE_MAC);
}

static bool
skips_dependencies(const struct legal *l)
{
   return takes_qwords(l) && (l->inst->no_dd_clr || l->inst->no_dd_chk);
}

#define VISA "vISA, no64bitRegioning()"

const struct legal_check legal_low_power_rules[] = {
   { { "qword-moves", "EU-56", LEGAL_LOW_POWER,
       "64 bits, or a product of dwords: a channel of a source lies "
       "elsewhere in its registers than that of the destination.",
       VISA },
     moves_channels },
   { { "qword-shared", "EU-56", LEGAL_LOW_POWER,
       "64 bits, or a product of dwords: two channels lie in one quadword.",
       VISA },
     shares_qwords },
   { { "qword-address", "EU-56", LEGAL_LOW_POWER,
       "An indirect operand with 64 bits, or in a product of dwords.", VISA },
     goes_by_address },
   { { "qword-architectural", "EU-56", LEGAL_LOW_POWER,
       "An architecture register with 64 bits, or in a product of dwords.",
       VISA },
     takes_arf },
   { { "qword-dependencies", "EU-11", LEGAL_LOW_POWER,
       "Dependency control with 64 bits, or in a product of dwords.",
       "Mesa 2a857104e41, for these chips" },
     skips_dependencies },
   { { 0 }, NULL },
};
