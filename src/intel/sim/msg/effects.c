/* SPDX-License-Identifier: MIT */
/*
 * See effects.h. Type codes: as in caches.c, and where that says. What is not
 * known here counts as the worst.
 */
#include "intel/sim/msg/effects.h"

#include "intel/isa/isa.h"
#include "intel/sim/eu/eu.h"
#include "intel/sim/msg/blocks.h"
#include "intel/sim/msg/headers.h"

enum effect {
   EFFECT_NONE,
   EFFECT_READ,
   EFFECT_WRITE,
   EFFECT_ATOMIC,
   EFFECT_READ_ANY,
   EFFECT_WRITE_ANY,
   EFFECT_TARGET,
};

#define SCRATCH (1u << 18)

/* 2 MiB, the most that a thread can have. */
#define MAX_SCRATCH_OW (1u << 17)

static enum effect
data_cache0(unsigned verx10, uint32_t desc)
{
   if (desc & SCRATCH)
      return EFFECT_WRITE_ANY;
   switch (desc >> 14 & 15) {
   case 0: case 1: case 2: case 3: case 4: return EFFECT_READ;
   case 7: return EFFECT_NONE; /* fence */
   case 8: case 10: case 11: case 12: return EFFECT_WRITE;
   case 5: return verx10 == 70 ? EFFECT_READ : EFFECT_WRITE_ANY;
   case 6: return verx10 == 70 ? EFFECT_ATOMIC : EFFECT_WRITE_ANY;
   case 13: return verx10 == 70 ? EFFECT_WRITE : EFFECT_WRITE_ANY;
   default: return EFFECT_WRITE_ANY;
   }
}

static enum effect
data_cache1(unsigned verx10, uint32_t desc)
{
   switch (desc >> 14 & (verx10 >= 80 ? 31 : 15)) {
   case 0x01: case 0x04: case 0x05: return EFFECT_READ;
   case 0x02: case 0x03: case 0x06: case 0x07: case 0x1b:
      return EFFECT_ATOMIC;
   case 0x09: case 0x0a: case 0x0d: return EFFECT_WRITE;
   case 0x10: case 0x11: case 0x14: return EFFECT_READ_ANY;
   default: return EFFECT_WRITE_ANY; /* A64 writes and atomics */
   }
}

static enum effect
render_cache(unsigned verx10, uint32_t desc)
{
   switch (desc >> 14 & 15) {
   case 7: return EFFECT_NONE; /* fence */
   case 12: case 13:
      return verx10 == 70 && (desc >> 14 & 15) == 13 ? EFFECT_WRITE
                                                     : EFFECT_TARGET;
   case 5: return verx10 == 70 ? EFFECT_READ : EFFECT_WRITE_ANY;
   case 6: return verx10 == 70 ? EFFECT_ATOMIC : EFFECT_WRITE_ANY;
   default: return EFFECT_WRITE_ANY;
   }
}

static enum effect
effect_of(unsigned verx10, unsigned sfid, uint32_t desc)
{
   switch ((enum sim_sfid)sfid) {
   case SIM_SFID_SAMPLER:
   case SIM_SFID_DATAPORT_SAMPLER:
   case SIM_SFID_CONST_CACHE: return EFFECT_READ;
   case SIM_SFID_RENDER_CACHE: return render_cache(verx10, desc);
   case SIM_SFID_DATA_CACHE0: return data_cache0(verx10, desc);
   case SIM_SFID_DATA_CACHE1: return data_cache1(verx10, desc);
   case SIM_SFID_NULL:
   case SIM_SFID_GATEWAY:
   case SIM_SFID_URB:
   case SIM_SFID_SPAWNER:
   case SIM_SFID_PIXEL_INTERP: return EFFECT_NONE;
   case SIM_SFID_VME:
   case SIM_SFID_CRE: break;
   }
   return EFFECT_WRITE_ANY;
}

/* Whether an index is a place in the binding table; shared memory is none,
 * but nobody else sees it. */
static bool
is_entry(unsigned verx10, unsigned bti)
{
   return bti != BTI_STATELESS_COHERENT &&
          (verx10 < 80 || bti != BTI_STATELESS_NON_COHERENT) &&
          (verx10 < 90 || bti != BTI_BINDLESS);
}

/*
 * Where a message of data cache 0 ends in scratch space, if its header says
 * that it is one to scratch space; else 0. These are the scratch block
 * messages, and OWord blocks without a surface.
 */
static uint32_t
scratch_end_B(unsigned verx10, const struct isa_inst *inst,
              const struct sim_headers *headers)
{
   const struct isa_operand *header = &inst->src[0];
   const uint32_t desc = inst->desc;
   if (inst->sfid != (enum isa_sfid)SIM_SFID_DATA_CACHE0 ||
       inst->desc_is_reg || header->file != ISA_FILE_GRF ||
       header->indirect || header->nr >= SIM_GRF_COUNT ||
       !headers->grf[header->nr].scratch)
      return 0;
   if (desc & SCRATCH)
      return ((desc & 0xfff) + dp_scratch_block_regs(verx10, desc)) *
             SIM_GRF_B;
   const unsigned type = desc >> 14 & 15;
   const uint32_t offset_ow = headers->grf[header->nr].offset_ow;
   if ((type != 0 && type != 8) || is_entry(verx10, desc & 0xff) ||
       (desc & 0xff) == BTI_SLM || (desc & 0xff) == BTI_BINDLESS ||
       offset_ow > MAX_SCRATCH_OW)
      return 0;
   return (offset_ow + dp_block_owords(desc >> 8)) * 16;
}

void
sim_effects_add(struct sim_effects *e, unsigned verx10,
                const struct isa_inst *inst,
                const struct sim_headers *headers)
{
   const enum isa_format format = isa_opcode_info(inst->opcode)->format;
   if (format != ISA_FORMAT_SEND && format != ISA_FORMAT_SENDS)
      return;
   const unsigned sfid = (unsigned)inst->sfid;
   const uint32_t end_B = scratch_end_B(verx10, inst, headers);
   if (end_B) {
      e->scratch = true;
      e->scratch_end_B = MAX2(e->scratch_end_B, end_B);
      return;
   }
   e->barriers |= sfid == SIM_SFID_GATEWAY;
   enum effect f = effect_of(verx10, sfid, inst->desc);
   if (f != EFFECT_NONE && inst->desc_is_reg) {
      /* These two only ever read. */
      f = sfid == SIM_SFID_SAMPLER || sfid == SIM_SFID_CONST_CACHE ||
          sfid == SIM_SFID_DATAPORT_SAMPLER ? EFFECT_READ_ANY
                                            : EFFECT_WRITE_ANY;
   }
   const unsigned bti = inst->desc & 0xff;
   if (f != EFFECT_NONE && f != EFFECT_READ_ANY && f != EFFECT_WRITE_ANY) {
      if (bti == BTI_SLM && sfid != SIM_SFID_SAMPLER)
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
