/* SPDX-License-Identifier: MIT */
/* Restrictions on registers of the architecture: which there are, how long
 * they are, and what accumulators may take part in. */
#include "isa_rules.h"

struct arf {
   uint8_t count; /* registers of this name; those of macros left out */
   uint8_t size_B;
};

/* Sizes in bytes as Intel's assembler has them (intel-graphics-compiler,
 * visa/iga, Models.cpp); null has no end. */
static const struct arf arfs[16] = {
   [ISA_ARF_NULL >> 4] = { 1, 0 },
   [ISA_ARF_ADDRESS >> 4] = { 1, 32 },
   [ISA_ARF_ACC >> 4] = { 2, ISA_REG_SIZE_B },
   [ISA_ARF_FLAG >> 4] = { 2, 4 },
   [ISA_ARF_CHANNEL_ENABLE >> 4] = { 1, 4 },
   [ISA_ARF_MESSAGE_CONTROL >> 4] = { 4, 4 },
   [ISA_ARF_STACK_POINTER >> 4] = { 1, 16 },
   [ISA_ARF_STATE >> 4] = { 2, 16 },
   [ISA_ARF_CONTROL >> 4] = { 1, 12 },
   [ISA_ARF_NOTIFICATION >> 4] = { 1, 12 },
   [ISA_ARF_IP >> 4] = { 1, 4 },
   [ISA_ARF_THREAD_DEPENDENCY >> 4] = { 1, 16 },
   [ISA_ARF_TIMESTAMP >> 4] = { 1, 20 },
   [ISA_ARF_FLOW_CONTROL >> 4] = { 5, 128 },
   [ISA_ARF_DEBUG >> 4] = { 1, 8 },
};

/* Gen7 has half the addresses, half the stack pointer, one dword of debug
 * state. */
static unsigned
arf_size_B(const struct isa_view *v, const struct isa_operand *o)
{
   const unsigned size_B = arfs[o->nr >> 4].size_B;
   switch (o->nr & 0xf0) {
   case ISA_ARF_ADDRESS:
   case ISA_ARF_STACK_POINTER:
   case ISA_ARF_DEBUG: return v->gen < ISA_BDW ? size_B / 2 : size_B;
   case ISA_ARF_TIMESTAMP: return v->gen < ISA_BDW ? 16 : size_B;
   case ISA_ARF_FLOW_CONTROL:
      return o->nr % 16 == 0 ? size_B : o->nr % 16 == 3 ? 16 : 4;
   default: return size_B;
   }
}

static bool
is_no_register(const struct isa_view *v, const struct isa_operand *o)
{
   (void)v;
   return o->file == ISA_FILE_ARF && !o->indirect &&
          o->nr % 16 >= arfs[o->nr >> 4].count;
}

bool
isa_breaks_arf_none(const struct isa_view *v)
{
   return (v->alu || v->src3) && (is_no_register(v, &v->inst->dst) ||
                                  isa_any_reg(v, is_no_register));
}

/* Channels go on from acc0 to acc1. */
static bool
is_past_end(const struct isa_view *v, const struct isa_operand *o,
            const struct isa_span *span)
{
   if (!span->known || o->file != ISA_FILE_ARF || isa_operand_is_null(o))
      return false;
   const unsigned regs = isa_operand_is_acc(o) && o->nr % 16 == 0 ? 2 : 1;
   return span->end_B > regs * arf_size_B(v, o);
}

bool
isa_breaks_arf_range(const struct isa_view *v)
{
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (is_past_end(v, &v->inst->src[n], &v->src[n]))
         return true;
   }
   return is_past_end(v, &v->inst->dst, &v->dst);
}

static bool
is_null(const struct isa_view *v, const struct isa_operand *o)
{
   (void)v;
   return isa_operand_is_null(o);
}

bool
isa_breaks_null_source(const struct isa_view *v)
{
   return isa_any_reg(v, is_null);
}

/* tm0.4, by which a thread pauses. */
static bool
is_pause(const struct isa_view *v, const struct isa_operand *dst)
{
   return v->gen >= ISA_BDW && dst->subnr_B == 16;
}

bool
isa_breaks_arf_read_only(const struct isa_view *v)
{
   const struct isa_operand *dst = &v->inst->dst;
   const unsigned arf = dst->nr & 0xf0;
   return (v->alu || v->src3) && dst->file == ISA_FILE_ARF &&
          !dst->indirect &&
          (arf == ISA_ARF_CHANNEL_ENABLE ||
           (arf == ISA_ARF_TIMESTAMP && !is_pause(v, dst)));
}

/* Accumulators. */

bool
isa_breaks_acc_src1(const struct isa_view *v)
{
   return v->alu && v->num_srcs > 1 && isa_operand_is_acc(&v->inst->src[1]);
}

bool
isa_breaks_acc_implicit_src(const struct isa_view *v)
{
   return v->info->reads_acc && isa_any_acc(v);
}

bool
isa_breaks_acc_implicit_dst(const struct isa_view *v)
{
   return v->info->writes_acc && isa_operand_is_acc(&v->inst->dst);
}

bool
isa_breaks_acc_wr_en(const struct isa_view *v)
{
   return v->info->writes_acc && !v->inst->acc_wr_en;
}

static bool
is_turned_acc(const struct isa_view *v, const struct isa_operand *o)
{
   (void)v;
   return isa_operand_is_acc(o) && o->swizzle != ISA_SWIZZLE_XYZW;
}

bool
isa_breaks_acc_swizzle(const struct isa_view *v)
{
   return v->align16 && !v->macro && isa_any_reg(v, is_turned_acc);
}

static bool
is_modified_acc(const struct isa_view *v, const struct isa_operand *o)
{
   (void)v;
   return isa_operand_is_acc(o) && (o->negate || o->abs);
}

bool
isa_breaks_acc_logic(const struct isa_view *v)
{
   return v->info->is_logic && isa_any_reg(v, is_modified_acc);
}

/* Channels of an accumulator go to the same places of the destination. */
static bool
acc_turned(const struct isa_view *v)
{
   const struct isa_operand *src = &v->inst->src[0], *dst = &v->inst->dst;
   if (!v->num_srcs || src->file == ISA_FILE_IMM || !isa_operand_is_acc(src))
      return false;
   return src->subnr_B % 16 ||
          (dst->file == ISA_FILE_GRF && !dst->indirect && dst->subnr_B % 16);
}

bool
isa_breaks_acc_align(const struct isa_view *v)
{
   return v->inst->exec_size != 1 && acc_turned(v);
}

bool
isa_breaks_acc_align_one(const struct isa_view *v)
{
   return v->inst->exec_size == 1 && acc_turned(v);
}
