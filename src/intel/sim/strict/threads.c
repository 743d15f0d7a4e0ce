/* SPDX-License-Identifier: MIT */
/* Rules that threads break, as reports: which instruction, of which
 * program. */
#include "strict_private.h"

#include <stdio.h>

#include "intel/sim/eu/eu_private.h"
#include "intel/sim/trace/trace_format.h"

static const enum strict_rule thread_rules[SIM_THREAD_RULES] = {
   [SIM_RULE_LEFTOVER] = STRICT_EU_73,
   [SIM_RULE_GROUP_FLAGS] = STRICT_EU_72,
   [SIM_RULE_HEADER] = STRICT_EU_75,
   [SIM_RULE_FIRST_TARGET] = STRICT_EU_12,
   [SIM_RULE_END] = STRICT_EU_15,
   [SIM_RULE_BARRIER] = STRICT_EU_35,
   [SIM_RULE_URB_ENTRY] = STRICT_EU_78,
   [SIM_RULE_CONTROL] = STRICT_EU_02,
   [SIM_RULE_TIMESTAMP] = STRICT_EU_04,
   [SIM_RULE_WIDE_COMPARE] = STRICT_EU_06,
   [SIM_RULE_OPEN_DEPENDENCY] = STRICT_EU_09,
   [SIM_RULE_UNSAFE_DEPENDENCY] = STRICT_EU_10,
   [SIM_RULE_WIDE_DEPENDENCY] = STRICT_EU_11,
   [SIM_RULE_BRANCH] = STRICT_EU_25,
   [SIM_RULE_CALL] = STRICT_EU_26,
   [SIM_RULE_FLOW_FORM] = STRICT_EU_29,
   [SIM_RULE_FLOW_TARGET] = STRICT_EU_30,
   [SIM_RULE_LOOP_TARGET] = STRICT_EU_32,
   [SIM_RULE_HALVES] = STRICT_EU_47,
   [SIM_RULE_WIDE_BFI] = STRICT_EU_60,
   [SIM_RULE_HALF_FLOAT] = STRICT_EU_61,
   [SIM_RULE_CSEL] = STRICT_EU_62,
   [SIM_RULE_ACC_PRODUCT] = STRICT_EU_65,
   [SIM_RULE_ACC_OPERAND] = STRICT_EU_67,
   [SIM_RULE_MODIFIED_PRODUCT] = STRICT_EU_69,
   [SIM_RULE_AFTER_POW] = STRICT_EU_94,
   [SIM_RULE_MATH] = STRICT_EU_92,
   [SIM_RULE_ADDRESS_ROWS] = STRICT_EU_53,
   [SIM_RULE_COMPRESSION] = STRICT_FF_36,
   [SIM_RULE_FORMAT_FILTERED] = STRICT_FF_71,
   [SIM_RULE_FORMAT_RENDERED] = STRICT_FF_72,
   [SIM_RULE_FORMAT_BLENDED] = STRICT_FF_73,
   [SIM_RULE_FORMAT_READ] = STRICT_FF_74,
   [SIM_RULE_FORMAT_WRITTEN] = STRICT_FF_75,
   [SIM_RULE_FORMAT_ATOMIC] = STRICT_FF_76,
   [SIM_RULE_UNTYPED] = STRICT_FF_77,
   [SIM_RULE_ALIGNMENT] = STRICT_FF_81,
   [SIM_RULE_ROWS_OF_FOUR] = STRICT_FF_85,
   [SIM_RULE_SAMPLED_CCS] = STRICT_FF_86,
   [SIM_RULE_SAMPLES] = STRICT_FF_87,
   [SIM_RULE_ENCRYPTED] = STRICT_RL_46,
   [SIM_RULE_CUBE_MODE] = STRICT_FF_52,
   [SIM_RULE_COMPARED] = STRICT_FF_54,
   [SIM_RULE_BORDER] = STRICT_RL_25,
   [SIM_RULE_TARGET_ORDER] = STRICT_FF_14,
   [SIM_RULE_LAST_TARGET] = STRICT_FF_70,
   [SIM_RULE_HALF_SAMPLE] = STRICT_EU_81,
   [SIM_RULE_STATELESS_BYTES] = STRICT_EU_82,
   [SIM_RULE_FENCE] = STRICT_EU_85,
   [SIM_RULE_OWN_MEMORY] = STRICT_EU_98,
   [SIM_RULE_SURFACE_ENTRY] = STRICT_RL_22,
   [SIM_RULE_SURFACE_SIZE] = STRICT_RL_31,
   [SIM_RULE_SURFACE_TILES] = STRICT_RL_32,
   [SIM_RULE_TARGET_WIDTH] = STRICT_RL_33,
   [SIM_RULE_NULL_FORMAT] = STRICT_FF_16,
   [SIM_RULE_STENCIL_USE] = STRICT_FF_24,
   [SIM_RULE_TYPED_STENCIL] = STRICT_FF_26,
   [SIM_RULE_SAMPLED_HIZ] = STRICT_FF_27,
   [SIM_RULE_WRONG_CCS] = STRICT_FF_34,
   [SIM_RULE_RESERVED_SWIZZLE] = STRICT_FF_49,
   [SIM_RULE_TARGET_SWIZZLE] = STRICT_FF_50,
   [SIM_RULE_SAMPLED_LAYER] = STRICT_FF_56,
   [SIM_RULE_MULTISAMPLE] = STRICT_FF_57,
   [SIM_RULE_SURFACE_OFFSET] = STRICT_FF_58,
   [SIM_RULE_L2_BYPASS] = STRICT_FF_59,
   [SIM_RULE_REPLICATED] = STRICT_FF_35,
   [SIM_RULE_HALT_TARGET] = STRICT_EU_31,
   [SIM_RULE_LONG_PRODUCT] = STRICT_EU_68,
   [SIM_RULE_ALT_DIVISION] = STRICT_EU_95,
   [SIM_RULE_SECOND_COLOR] = STRICT_FF_05,
   [SIM_RULE_BLEND_AND_LOGIC] = STRICT_FF_06,
   [SIM_RULE_LOGIC_FORMAT] = STRICT_FF_68,
   [SIM_RULE_INTEGER_ACC] = STRICT_EU_66,
   [SIM_RULE_LOST_CARRY] = STRICT_EU_54,
   [SIM_RULE_ADDRESS_OF_ALL] = STRICT_EU_97,
   [SIM_RULE_NULL_COMPARE] = STRICT_EU_05,
   [SIM_RULE_SHIPPED] = STRICT_EU_99,
};

static const char *const stage_names[] = { TRACE_STAGE_NAMES };

static bool
broken(void *data, const struct sim_eu_thread *t, enum sim_thread_rule rule,
       const char *text)
{
   struct sim_strict *s = data;
   const struct eu_op *op = eu_program_at(t->program, t->ip_B);
   char where[64], words[512], inst[256] = "";
   /* A join has no instruction of its own. */
   if (op && !op->inst)
      op++;
   if (op && op->inst)
      sim_eu_print_inst(t->program->verx10, op->inst, inst, sizeof(inst));
   snprintf(where, sizeof(where), "%s %016llx at 0x%x",
            stage_names[t->env->stage],
            (unsigned long long)sim_eu_program_hash(t->program), t->ip_B);
   snprintf(words, sizeof(words), "%s%s[%s]", text, *text ? " " : "", inst);
   return !strict_broken_in(s, thread_rules[rule],
                            sim_eu_program_hash(t->program) + t->ip_B, where,
                            words);
}

void
strict_threads_init(struct sim_strict *s)
{
   s->threads.broken = broken;
   s->threads.data = s;
   for (unsigned i = 0; i < SIM_THREAD_RULES; i++)
      s->threads.on[i] = s->enabled[thread_rules[i]];
}

struct sim_thread_rules *
sim_strict_thread_rules(struct sim_strict *s)
{
   for (unsigned i = 0; s && i < SIM_THREAD_RULES; i++) {
      if (s->threads.on[i])
         return &s->threads;
   }
   return NULL;
}
