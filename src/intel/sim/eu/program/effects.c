/* SPDX-License-Identifier: MIT */
/*
 * See effects.h. What is not known here counts as the worst.
 */
#include "effects.h"

#include "headers.h"
#include "intel/isa/isa_messages.h"
#include "intel/sim/eu/eu.h"
#include "intel/sim/gen/traits.h"

enum effect {
   EFFECT_NONE,
   EFFECT_READ,
   EFFECT_WRITE,
   EFFECT_ATOMIC,
   EFFECT_READ_ANY,
   EFFECT_WRITE_ANY,
   EFFECT_TARGET,
};

/* One OWord is in the lower or the upper half of a register. PRM SKL vol 2d,
 * MDC_DB_OW. 0: reserved. */
unsigned
sim_block_owords(unsigned block)
{
   switch (block) {
   case ISA_BLOCK_1_LOW:
   case ISA_BLOCK_1_HIGH: return 1;
   case ISA_BLOCK_2: return 2;
   case ISA_BLOCK_4: return 4;
   case ISA_BLOCK_8: return 8;
   default: return 0;
   }
}

/* 2 MiB, the most that a thread can have. */
#define MAX_SCRATCH_OW (1u << 17)

static enum effect
effect_of(const struct isa_message *m)
{
   switch (m->msg) {
   case ISA_MSG_OWORD_BLOCK_READ:
   case ISA_MSG_OWORD_BLOCK_READ_UNALIGNED:
   case ISA_MSG_OWORD_DUAL_BLOCK_READ:
   case ISA_MSG_DWORD_SCATTERED_READ:
   case ISA_MSG_BYTE_SCATTERED_READ:
   case ISA_MSG_UNTYPED_READ:
   case ISA_MSG_TYPED_READ:
   case ISA_MSG_MEDIA_BLOCK_READ: return EFFECT_READ;
   case ISA_MSG_OWORD_BLOCK_WRITE:
   case ISA_MSG_OWORD_DUAL_BLOCK_WRITE:
   case ISA_MSG_DWORD_SCATTERED_WRITE:
   case ISA_MSG_BYTE_SCATTERED_WRITE:
   case ISA_MSG_UNTYPED_WRITE:
   case ISA_MSG_TYPED_WRITE:
   case ISA_MSG_MEDIA_BLOCK_WRITE: return EFFECT_WRITE;
   case ISA_MSG_UNTYPED_ATOMIC:
   case ISA_MSG_UNTYPED_ATOMIC_4X2:
   case ISA_MSG_UNTYPED_FLOAT_ATOMIC:
   case ISA_MSG_TYPED_ATOMIC:
   case ISA_MSG_TYPED_ATOMIC_4X2: return EFFECT_ATOMIC;
   case ISA_MSG_A64_SCATTERED_READ:
   case ISA_MSG_A64_UNTYPED_READ:
   case ISA_MSG_A64_BLOCK_READ: return EFFECT_READ_ANY;
   case ISA_MSG_RT_WRITE:
   case ISA_MSG_RT_READ: return EFFECT_TARGET;
   case ISA_MSG_FENCE:
   case ISA_MSG_RENDER_FENCE: return EFFECT_NONE;
   default: break;
   }
   switch (m->sfid) {
   case ISA_SFID_SAMPLER:
   case ISA_SFID_SAMPLER_CACHE:
   case ISA_SFID_CONST_CACHE: return EFFECT_READ;
   case ISA_SFID_NULL:
   case ISA_SFID_GATEWAY:
   case ISA_SFID_URB:
   case ISA_SFID_THREAD_SPAWNER:
   case ISA_SFID_PIXEL_INTERP: return EFFECT_NONE;
   case ISA_SFID_RENDER_CACHE:
   case ISA_SFID_DATA_CACHE0:
   case ISA_SFID_DATA_CACHE1: /* scratch; A64 writes and atomics */
   case ISA_SFID_VME:
   case ISA_SFID_CRE: break;
   }
   return EFFECT_WRITE_ANY;
}

/* Whether an index is a place in the binding table; shared memory is none,
 * but nobody else sees it. */
static bool
is_entry(unsigned verx10, unsigned bti)
{
   const struct sim_traits *traits = sim_traits(verx10);
   return bti != BTI_STATELESS_COHERENT &&
          (!traits->bti_non_coherent || bti != BTI_STATELESS_NON_COHERENT) &&
          (!traits->bti_bindless || bti != BTI_BINDLESS);
}

/*
 * Where a message of data cache 0 ends in scratch space, if its header says
 * that it is one to scratch space; else 0. These are the scratch block
 * messages, and OWord blocks without a surface.
 */
static uint32_t
scratch_end_B(unsigned verx10, const struct isa_inst *inst,
              const struct isa_message *m, const struct sim_headers *headers)
{
   const struct isa_operand *header = &inst->src[0];
   if (inst->sfid != ISA_SFID_DATA_CACHE0 || inst->desc_is_reg ||
       header->file != ISA_FILE_GRF || header->indirect ||
       header->nr >= SIM_GRF_COUNT || !headers->grf[header->nr].scratch)
      return 0;
   if (m->msg == ISA_MSG_SCRATCH_READ || m->msg == ISA_MSG_SCRATCH_WRITE)
      return (m->offset + m->scratch_grf) * SIM_GRF_B;
   const uint32_t offset_ow = headers->grf[header->nr].offset_ow;
   if ((m->msg != ISA_MSG_OWORD_BLOCK_READ &&
        m->msg != ISA_MSG_OWORD_BLOCK_WRITE) ||
       is_entry(verx10, m->bti) || m->bti == BTI_SLM ||
       m->bti == BTI_BINDLESS || offset_ow > MAX_SCRATCH_OW)
      return 0;
   return (offset_ow + sim_block_owords(m->block)) * 16;
}

void
sim_effects_add(struct sim_effects *e, unsigned verx10,
                const struct isa_inst *inst,
                const struct sim_headers *headers)
{
   const enum isa_format format = isa_opcode_info(inst->opcode)->format;
   if (format != ISA_FORMAT_SEND && format != ISA_FORMAT_SENDS)
      return;
   const enum isa_sfid sfid = inst->sfid;
   struct isa_message m;
   isa_message_unpack(isa_gen_from_number(verx10), sfid, inst->desc, &m);
   const uint32_t end_B = scratch_end_B(verx10, inst, &m, headers);
   if (end_B) {
      e->scratch = true;
      e->scratch_end_B = MAX2(e->scratch_end_B, end_B);
      return;
   }
   e->barriers |= sfid == ISA_SFID_GATEWAY;
   enum effect f = effect_of(&m);
   if (f != EFFECT_NONE && inst->desc_is_reg) {
      /* These two only ever read. */
      f = sfid == ISA_SFID_SAMPLER || sfid == ISA_SFID_CONST_CACHE ||
                sfid == ISA_SFID_SAMPLER_CACHE
             ? EFFECT_READ_ANY
             : EFFECT_WRITE_ANY;
   }
   const unsigned bti = m.bti;
   if (f != EFFECT_NONE && f != EFFECT_READ_ANY && f != EFFECT_WRITE_ANY) {
      if (bti == BTI_SLM && sfid != ISA_SFID_SAMPLER)
         f = EFFECT_NONE;
      else if (!is_entry(verx10, bti))
         f = f == EFFECT_READ ? EFFECT_READ_ANY : EFFECT_WRITE_ANY;
   }
   switch (f) {
   case EFFECT_NONE: break;
   case EFFECT_READ: BITSET_SET(e->reads, bti); break;
   case EFFECT_WRITE: BITSET_SET(e->writes, bti); break;
   case EFFECT_ATOMIC: e->atomics = true; break;
   case EFFECT_READ_ANY: e->reads_any = true; break;
   case EFFECT_WRITE_ANY: e->writes_any = true; break;
   case EFFECT_TARGET: BITSET_SET(e->targets, bti); break;
   }
}
