/* SPDX-License-Identifier: MIT */
/*
 * PIPELINE_SELECT, STATE_BASE_ADDRESS, how L3 is dealt out, registers
 * (sections 1b and 3a of the rules).
 */
#include "strict_private.h"

#include <stdio.h>

/* Gen8 and Gen9, "NP PMA Fix Enable". */
#define CACHE_MODE_1_PMA_FIX (1u << 11)

static void
check_select(struct strict_command *c)
{
   struct strict_context *s = c->c;
   const bool masked = c->s->chip->selects_by_mask;
   STRICT_CHECK(c, CO_08, masked && (strict_get(c, "MaskBits") & 3) != 3,
                "%s", "");
   if (masked && (strict_get(c, "MaskBits") & 3) != 3)
      return;
   const enum strict_pipeline to =
      STRICT_3D + (unsigned)strict_get(c, "PipelineSelection");
   const bool clean = !s->in_flight && s->flushed == PC_FLUSHES &&
                      s->invalid == PC_INVALIDATES;
   STRICT_CHECK(c, CO_01, s->worked && to != s->pipeline && !clean, "%s",
                s->in_flight ? "nothing waits for the work before"
                : s->flushed != PC_FLUSHES ? "caches are dirty"
                                           : "caches are stale");
   STRICT_CHECK(c, CO_03, to == STRICT_GPGPU && s->cc_valid, "%s", "");
   s->pipeline = to;
   s->empty_draw = to == STRICT_3D;
}

/* 3DSTATE_CC_STATE_POINTERS matters to the next select. */
static void
check_cc_pointers(struct strict_command *c)
{
   c->c->cc_valid = strict_get(c, "ColorCalcStatePointerValid");
}

static const struct {
   const char *base, *size, *size_enable;
} base_fields[] = {
   { "GeneralState", "GeneralStateBufferSize",
     "GeneralStateBufferSizeModifyEnable" },
   { "DynamicState", "DynamicStateBufferSize",
     "DynamicStateBufferSizeModifyEnable" },
   { "IndirectObject", "IndirectObjectBufferSize",
     "IndirectObjectBufferSizeModifyEnable" },
   { "Instruction", "InstructionBufferSize",
     "InstructionBuffersizeModifyEnable" },
};

static void
check_base_sizes(struct strict_command *c)
{
   for (unsigned i = 0; i < ARRAY_SIZE(base_fields); i++) {
      char name[64];
      snprintf(name, sizeof(name), "%sBaseAddress", base_fields[i].base);
      const uint64_t base = strict_address(c, name) & SIM_ADDRESS_MASK;
      const uint64_t pages = strict_get(c, base_fields[i].size);
      STRICT_CHECK(c, CO_11,
                   pages != 0xfffff &&
                      base + pages * SIM_PAGE_SIZE > SIM_ADDRESS_MASK + 1,
                   "%s", base_fields[i].base);
      STRICT_CHECK(c, CO_60,
                   pages && !strict_get(c, base_fields[i].size_enable), "%s",
                   base_fields[i].size);
   }
   STRICT_CHECK(c, CO_12,
                strict_get(c, "BindlessSurfaceStateSize") &&
                   !strict_get(c,
                               "BindlessSurfaceStateBaseAddressModifyEnable"),
                "%s", "");
}

/* Gen7's end of each area: 0 is none, which borders do not know. */
static void
check_bounds(struct strict_command *c)
{
   const struct sim_state_bases *old = &c->cs->hw->state.base;
   const uint64_t before[] = { old->general, old->dynamic, old->indirect,
                               old->instruction };
   for (unsigned i = 0; i < ARRAY_SIZE(base_fields); i++) {
      char base[64], bound[64], name[80];
      const char *area = base_fields[i].base;
      snprintf(base, sizeof(base), "%sBaseAddress", area);
      snprintf(bound, sizeof(bound), "%sAccessUpperBound", area);
      snprintf(name, sizeof(name), "%sModifyEnable", base);
      const uint64_t from = strict_get(c, name) ? strict_address(c, base)
                                                : before[i];
      const uint64_t to = strict_address(c, bound);
      snprintf(name, sizeof(name), "%sModifyEnable", bound);
      if (!strict_get(c, name))
         continue;
      STRICT_CHECK(c, CO_10, !to && !strcmp(area, "DynamicState"), "%s",
                   "no end of the dynamic state");
      STRICT_CHECK(c, CO_10, to && to <= from, "%s ends before it begins",
                   area);
   }
}

static void
check_base(struct strict_command *c)
{
   struct strict_context *s = c->c;
   STRICT_CHECK(c, CC_27,
                s->worked &&
                   (s->in_flight || !(s->flushed & PC_TARGET_FLUSH)),
                "%s", "a dirty render target");
   check_base_sizes(c);
   check_bounds(c);
   if (strict_get(c, "GeneralStateBufferSizeModifyEnable"))
      s->general_sized = strict_get(c, "GeneralStateBufferSize");
   /* The kernel has emptied all caches before the batch. */
   s->base_wants = s->worked ? PC_TEXTURE_INVALIDATE |
                                  PC_CONSTANT_INVALIDATE | PC_STATE_INVALIDATE
                             : 0;
   if (strict_get(c, "InstructionBaseAddressModifyEnable") &&
       strict_address(c, "InstructionBaseAddress") !=
          c->cs->hw->state.base.instruction &&
       s->worked)
      s->base_wants |= PC_INSTRUCTION_INVALIDATE;
}

/* L3CNTLREG: how credits are counted and what follows an error, which NEO
 * sets and which divides nothing. */
#define L3_OTHER_BITS 0x300u

static bool
l3_is_valid(const struct strict_l3 *rows, uint32_t value)
{
   value &= ~L3_OTHER_BITS;
   for (unsigned i = 0; i < STRICT_L3_ROWS; i++) {
      const struct strict_l3 *r = &rows[i];
      if (value == ((uint32_t)(r->shared != 0) | (uint32_t)r->urb << 1 |
                    (uint32_t)r->read_only << 11 | (uint32_t)r->data << 18 |
                    (uint32_t)r->all << 25))
         return true;
   }
   return false;
}

/* The registers that deal out L3: L3CNTLREG; on Gen7 L3SQCREG1, L3CNTLREG2
 * and L3CNTLREG3. */
static bool
is_l3(const struct strict_command *c, uint32_t reg)
{
   if (c->s->chip->l3)
      return reg == 0x7034;
   return reg == 0xb010 || reg == 0xb020 || reg == 0xb024;
}

/* Registers whose upper half says which bits of the lower are written
 * (Vol. 2c, each under its name). */
static bool
is_masked(const struct strict_command *c, uint32_t reg)
{
   switch (reg) {
   case 0x20c0: /* INSTPM */
   case 0x7000: /* CACHE_MODE_0 */
   case 0x7004: /* CACHE_MODE_1 */
   case 0x7008: /* GT_MODE */ return true;
   case 0x20d8: /* CS_DEBUG_MODE2 */
   case 0x2580: /* CS_CHICKEN1 */ return c->s->chip->has_cs_chicken;
   default: return false;
   }
}

static void
check_register_write(struct strict_command *c, uint32_t reg, uint32_t value)
{
   struct strict_context *s = c->c;
   STRICT_CHECK(c, KR_37, is_masked(c, reg) && value && !(value >> 16),
                "0x%x to register 0x%x", value, reg);
   STRICT_CHECK(c, CO_29, is_masked(c, reg) && s->in_flight, "register 0x%x",
                reg);
   if (is_l3(c, reg)) {
      strict_l3_written(c, reg, value);
      STRICT_CHECK(c, CC_17,
                   s->worked && s->l3_ready != 3 &&
                      cs_get_register(c->cs, reg) != value,
                   "register 0x%x", reg);
      STRICT_CHECK(c, CC_18,
                   c->s->chip->l3 && !l3_is_valid(c->s->chip->l3, value),
                   "0x%08x", value);
      s->l3_seen = true;
   }
   if (reg == 0x7004 && c->s->chip->has_raster_packets &&
       (value >> 16 & CACHE_MODE_1_PMA_FIX)) {
      STRICT_CHECK(c, CO_36,
                   s->worked &&
                      (s->in_flight || !(s->flushed & PC_DEPTH_FLUSH)),
                   "%s", "before it");
      s->pma_open = true;
   }
}

/* SO_NUM_PRIMS_WRITTEN, SO_PRIM_STORAGE_NEEDED, SO_WRITE_OFFSET. */
static bool
is_streamout(uint32_t reg)
{
   return reg >= 0x5200 && reg < 0x5290;
}

/* Counters of the stages: IA_VERTICES_COUNT to PS_DEPTH_COUNT and those of
 * compute and stream output. */
static bool
is_statistics(uint32_t reg)
{
   return (reg >= 0x2300 && reg < 0x2358) || reg - 0x2290 < 8 ||
          (is_streamout(reg) && reg < 0x5280);
}

/* A register is read or written: `from` and `to` memory. */
static void
check_register_use(struct strict_command *c, uint32_t reg, bool from, bool to)
{
   const struct strict_context *s = c->c;
   STRICT_CHECK(c, CO_47, (from || to) && s->in_flight, "register 0x%x", reg);
   STRICT_CHECK(c, CO_48, is_streamout(reg) && s->streamout_in_flight,
                "register 0x%x", reg);
   STRICT_CHECK(c, PC_28, to && is_statistics(reg) && s->in_flight,
                "register 0x%x", reg);
}

static void
check_load_imm(struct strict_command *c)
{
   for (unsigned i = 1; i + 1 < c->n; i += 2) {
      const uint32_t reg = c->dw[i] & 0x7ffffc;
      check_register_write(c, reg, c->dw[i + 1]);
      check_register_use(c, reg, false, false);
   }
}

static void
check_load_mem(struct strict_command *c)
{
   check_register_use(c, c->dw[1] & 0x7ffffc, true, false);
   if (c->cs->watch.strict)
      strict_watch_load(c->cs->watch.strict);
}

static void
check_store_mem(struct strict_command *c)
{
   check_register_use(c, c->dw[1] & 0x7ffffc, false, true);
}

static void
check_start(struct strict_command *c)
{
   STRICT_CHECK(c, KR_12, true, "%s", "");
}

/* Packets of the pipe that is not selected. */
static void
look_3d(struct strict_command *c)
{
   STRICT_CHECK(c, CO_07,
                c->c->pipeline == STRICT_GPGPU ||
                   c->c->pipeline == STRICT_MEDIA,
                "%s", "3D is not selected");
}

const struct strict_row strict_select_rows[] = {
   { "PIPELINE_SELECT", false, check_select },
   { "3DSTATE_CC_STATE_POINTERS", false, check_cc_pointers },
   { "STATE_BASE_ADDRESS", false, check_base },
   { "MI_LOAD_REGISTER_IMM", false, check_load_imm },
   { "MI_LOAD_REGISTER_MEM", false, check_load_mem },
   { "MI_STORE_REGISTER_MEM", false, check_store_mem },
   { "MI_BATCH_BUFFER_START", false, check_start },
   { "3DSTATE_", true, look_3d },
   { NULL, false, NULL },
};
