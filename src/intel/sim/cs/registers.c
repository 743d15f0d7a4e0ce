/* SPDX-License-Identifier: MIT */
/*
 * Registers that a batch may load and store.
 *
 * Counters live in struct sim_counters, where the stages count; the rest is
 * an array by address. A register that has no description is a fault: the
 * hardware would ignore most such writes, and hide the mistake.
 */
#include "cs_private.h"
#include "intel/sim/deviate/deviate.h"
#include "intel/sim/gen/traits.h"

#include <stddef.h>
#include <stdio.h>

struct mapped {
   uint32_t offset;
   uint32_t size_B;
   size_t member; /* offset in struct sim_counters */
};

#define COUNTER(reg, name)                                                   \
   {                                                                         \
      GEN9_##reg##_num, 8, offsetof(struct sim_counters, name)               \
   }
#define COUNTER_ARRAY(reg, name, type, i)                                    \
   {                                                                         \
      GEN9_##reg##i##_num, sizeof(type),                                     \
         offsetof(struct sim_counters, name) + i * sizeof(type)              \
   }

static const struct mapped counters[] = {
   COUNTER(IA_VERTICES_COUNT, ia_vertices),
   COUNTER(IA_PRIMITIVES_COUNT, ia_primitives),
   COUNTER(VS_INVOCATION_COUNT, vs_invocations),
   COUNTER(HS_INVOCATION_COUNT, hs_invocations),
   COUNTER(DS_INVOCATION_COUNT, ds_invocations),
   COUNTER(GS_INVOCATION_COUNT, gs_invocations),
   COUNTER(GS_PRIMITIVES_COUNT, gs_primitives),
   COUNTER(CL_INVOCATION_COUNT, cl_invocations),
   COUNTER(CL_PRIMITIVES_COUNT, cl_primitives),
   COUNTER(PS_INVOCATION_COUNT, ps_invocations),
   COUNTER(PS_DEPTH_COUNT, ps_depth),
   COUNTER(CS_INVOCATION_COUNT, cs_invocations),
   COUNTER_ARRAY(SO_NUM_PRIMS_WRITTEN, so_prims_written, uint64_t, 0),
   COUNTER_ARRAY(SO_NUM_PRIMS_WRITTEN, so_prims_written, uint64_t, 1),
   COUNTER_ARRAY(SO_NUM_PRIMS_WRITTEN, so_prims_written, uint64_t, 2),
   COUNTER_ARRAY(SO_NUM_PRIMS_WRITTEN, so_prims_written, uint64_t, 3),
   COUNTER_ARRAY(SO_PRIM_STORAGE_NEEDED, so_prim_storage_needed, uint64_t, 0),
   COUNTER_ARRAY(SO_PRIM_STORAGE_NEEDED, so_prim_storage_needed, uint64_t, 1),
   COUNTER_ARRAY(SO_PRIM_STORAGE_NEEDED, so_prim_storage_needed, uint64_t, 2),
   COUNTER_ARRAY(SO_PRIM_STORAGE_NEEDED, so_prim_storage_needed, uint64_t, 3),
   COUNTER_ARRAY(SO_WRITE_OFFSET, so_write_offset, uint32_t, 0),
   COUNTER_ARRAY(SO_WRITE_OFFSET, so_write_offset, uint32_t, 1),
   COUNTER_ARRAY(SO_WRITE_OFFSET, so_write_offset, uint32_t, 2),
   COUNTER_ARRAY(SO_WRITE_OFFSET, so_write_offset, uint32_t, 3),
};

/* The bytes of a counter register, or NULL if it is none. */
static uint8_t *
counter_bytes(const struct sim_cs *cs, uint32_t offset)
{
   for (unsigned i = 0; i < ARRAY_SIZE(counters); i++) {
      const struct mapped *m = &counters[i];
      if (offset - m->offset < m->size_B)
         return (uint8_t *)&cs->hw->counters + m->member +
                (offset - m->offset);
   }
   return NULL;
}

/* The upper half of these is a mask of the bits to write; Vol. 2c. */
bool
cs_register_is_masked(const struct sim_cs *cs, uint32_t offset)
{
   switch (offset) {
   case GEN75_CHICKEN3_num:
      return sim_traits(cs->gpu->verx10)->chicken3_is_masked;
   case GEN9_CACHE_MODE_0_num:
   case GEN9_CACHE_MODE_1_num:
   case GEN9_GT_MODE_num:
   case GEN9_INSTPM_num:
   case GEN9_CS_CHICKEN1_num:
   case GEN9_CS_DEBUG_MODE2_num:
   case GEN9_BCS_SWCTRL_num: return true;
   default: return false;
   }
}

/* Where a register that is no counter is kept. */
static uint32_t *
slot_of(const struct sim_cs *cs, uint32_t offset)
{
   return offset < SIM_MMIO_B
             ? &cs->hw->mmio[offset / 4]
             : &cs->hw->blt.mmio[(offset - SIM_BCS_MMIO) / 4];
}

/* The engines' clocks are one. */
static bool
is_timestamp(uint32_t offset)
{
   return offset - GEN9_TIMESTAMP_num < 8 ||
          offset - GEN9_BCS_TIMESTAMP_num < 8;
}

uint32_t
cs_get_register(const struct sim_cs *cs, uint32_t offset)
{
   uint32_t value;
   if (is_timestamp(offset)) {
      const uint64_t t = sim_gpu_timestamp(cs->gpu);
      return (uint32_t)(offset % 8 ? t >> 32 : t);
   }
   const uint8_t *bytes = counter_bytes(cs, offset);
   if (!bytes)
      return *slot_of(cs, offset);
   memcpy(&value, bytes, sizeof(value));
   return value;
}

uint64_t
cs_get_register64(const struct sim_cs *cs, uint32_t offset)
{
   return cs_get_register(cs, offset) |
          (uint64_t)cs_get_register(cs, offset + 4) << 32;
}

void
cs_set_register(struct sim_cs *cs, uint32_t offset, uint32_t value)
{
   uint8_t *bytes = counter_bytes(cs, offset);
   uint32_t *slot = slot_of(cs, offset);
   if (bytes)
      memcpy(bytes, &value, sizeof(value));
   else if (cs_register_is_masked(cs, offset))
      *slot = (*slot & ~(value >> 16)) | (value & (value >> 16));
   else
      *slot = value;
}

static bool
is_bcs(uint32_t offset)
{
   return offset - SIM_BCS_MMIO < SIM_BCS_MMIO_B;
}

static bool
may_be_named(struct sim_cs *cs, uint32_t offset)
{
   if (!is_bcs(offset) || cs->engine == SIM_ENGINE_COPY)
      return true;
   cs_fault(cs, "register 0x%x is the copy engine's", offset);
   return false;
}

/* Of others a chip drops what is written, and gives something that is read:
 * NEO 22.43 writes 0xe404 and 0x2248, igt reads 0x22c8. Strict mode has
 * KR-31 and KR-34 for them. */
static bool
is_known(const struct sim_cs *cs, uint32_t offset)
{
   return (offset < SIM_MMIO_B || is_bcs(offset)) &&
          genxml_find_register(cs->spec, offset);
}

bool
cs_read_register(struct sim_cs *cs, uint32_t offset, uint32_t *value)
{
   if (!may_be_named(cs, offset))
      return false;
   *value = is_known(cs, offset) ? cs_get_register(cs, offset) : 0;
   return true;
}

/* For a GPU that is wrong (deviate/deviate.h). */
static bool
is_dropped(uint32_t offset)
{
   char text[16];
   if (!sim_deviates(SIM_DEVIATES_REGISTER, NULL))
      return false;
   snprintf(text, sizeof(text), "0x%x", offset);
   return sim_deviates(SIM_DEVIATES_REGISTER, text);
}

bool
cs_write_register(struct sim_cs *cs, uint32_t offset, uint32_t value)
{
   if (!may_be_named(cs, offset))
      return false;
   if (is_known(cs, offset) && !is_dropped(offset))
      cs_set_register(cs, offset, value);
   return true;
}
