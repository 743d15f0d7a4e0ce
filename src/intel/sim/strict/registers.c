/* SPDX-License-Identifier: MIT */
/*
 * Registers and commands that a user's batch may name (section 7b of the
 * rules), and what of a register is not there yet (1b). On Gen7 the kernel
 * looks at each batch, later chips drop what is not on their own list.
 */
#include "strict_private.h"

#include "intel/sim/eu/eu.h"

struct span {
   uint32_t first, end;
   unsigned gens; /* enum strict_gen */
   unsigned by;   /* kinds of writes; 0: all */
};

enum write_kind {
   WRITE_IMM = 1 << 0,
   WRITE_MEM = 1 << 1,
   WRITE_REG = 1 << 2,
};

/* SLICE_COMMON_ECO_CHICKEN1, on Gemini Lake alone (Linux i915,
 * glk_whitelist_build(), WA #0862). */
#define BARRIER_MODE 0x731c

#define ALL_GENS (STRICT_GEN7_75 | STRICT_GEN8_9)

static const struct span allowed[] = {
   { 0x2290, 0x2298, ALL_GENS, 0 },       /* GPGPU_THREADS_DISPATCHED */
   { 0x2300, 0x2360, ALL_GENS, 0 },       /* counters, TIMESTAMP */
   { 0x2400, 0x2410, ALL_GENS, 0 },       /* MI_PREDICATE_SRC0, 1 */
   { 0x2410, 0x2420, STRICT_GEN8_9, 0 },  /* its data and results */
   { 0x2214, 0x2218, STRICT_GEN8_9, 0 },  /* MI_PREDICATE_RESULT_2 */
   { 0x2420, 0x2444, ALL_GENS, 0 },       /* 3DPRIM_ */
   { 0x2500, 0x250c, ALL_GENS, 0 },       /* GPGPU_DISPATCHDIM */
   { 0x5200, 0x5220, ALL_GENS, 0 },       /* SO_NUM_PRIMS_WRITTEN */
   { 0x5240, 0x5260, ALL_GENS, 0 },       /* SO_PRIM_STORAGE_NEEDED */
   { 0x5280, 0x5290, ALL_GENS, 0 },       /* SO_WRITE_OFFSET */
   { 0xb010, 0xb014, STRICT_GEN7_75, 0 }, /* L3SQCREG1 */
   { 0xb020, 0xb028, STRICT_GEN7_75, 0 }, /* L3CNTLREG2, 3 */
   { 0x2600, 0x2680, STRICT_GEN75 | STRICT_GEN8_9, 0 }, /* CS_GPR */
   { 0xb038, 0xb03c, STRICT_GEN75, WRITE_IMM },         /* SCRATCH1 */
   { 0xe49c, 0xe4a0, STRICT_GEN75, WRITE_IMM },         /* ROW_CHICKEN3 */
   { 0x7034, 0x7038, STRICT_GEN8_9, 0 },                /* L3CNTLREG */
   { 0x20c0, 0x20c4, STRICT_GEN8_9, 0 },                /* INSTPM */
   { 0x20d8, 0x20dc, STRICT_GEN8_9, 0 },                /* CS_DEBUG_MODE2 */
   { 0x7000, 0x700c, STRICT_GEN8_9, 0 }, /* CACHE_MODE, GT_MODE */
   { 0x2248, 0x224c, STRICT_GEN9, 0 },   /* CTX_PREEMPT_REG */
   { 0x2580, 0x2584, STRICT_GEN9, 0 },   /* CS_CHICKEN1 */
   { 0x7304, 0x7308, STRICT_GEN9, 0 },   /* HDC_CHICKEN1 */
   { 0x7014, 0x7018, STRICT_GEN9, 0 },   /* COMMON_SLICE_CHICKEN2 */
   { BARRIER_MODE, BARRIER_MODE + 4, STRICT_GEN9, 0 },
   { 0xb118, 0xb11c, STRICT_GEN9, 0 }, /* L3SQCREG4 */
   /* Hints of NEO 22.43, on every chip that it drives: how threads take turns
    * and where they may be stopped. Whether they are kept does not show. */
   { 0xe404, 0xe408, STRICT_GEN9, WRITE_IMM }, /* ROW_CHICKEN4 */
   { 0x2248, 0x224c, STRICT_GEN8, WRITE_IMM }, /* CTX_PREEMPT_REG */
};

static bool
is_allowed(const struct strict_command *c, uint32_t reg, enum write_kind kind)
{
   if (reg == BARRIER_MODE && c->s->gpu->info->chip != INTEL_CHIP_GLK)
      return false;
   for (unsigned i = 0; i < ARRAY_SIZE(allowed); i++) {
      const struct span *s = &allowed[i];
      if (reg >= s->first && reg < s->end && (s->gens & c->s->chip->gen))
         return !s->by || (s->by & kind);
   }
   return false;
}

static void
check_write(struct strict_command *c, uint32_t reg, enum write_kind kind)
{
   const bool haswell = reg == 0xb038 || reg == 0xe49c;
   if (is_allowed(c, reg, kind))
      return;
   STRICT_CHECK(c, KR_32, haswell, "register 0x%x, and not as a constant",
                reg);
   STRICT_CHECK(c, KR_31, !haswell, "register 0x%x", reg);
   STRICT_CHECK(c, KR_34, true, "register 0x%x", reg);
}

/* Haswell: of these two only the bit that switches atomics in L3 off, which
 * is in the upper half once more where that says what is written. */
static void
check_value(struct strict_command *c, uint32_t reg, uint32_t value)
{
   const uint32_t bit = reg == 0xb038   ? 1u << 27
                        : reg == 0xe49c ? 1u << 6 | 1u << 22
                                        : ~0u;
   STRICT_CHECK(c, CC_21, reg == 0xb118 && (value & 1u << 22), "0x%08x",
                value);
   STRICT_CHECK(c, KR_32, value & ~bit, "0x%08x to register 0x%x", value,
                reg);
   if (reg == 0xb038)
      c->c->l3_atomics = !(value & bit);
   if (reg == 0xe49c && value >> 22 & 1)
      c->c->l3_atomics = !(value >> 6 & 1);
}

static void
check_mask(struct strict_command *c, uint32_t reg, uint32_t value)
{
   STRICT_CHECK(c, CO_59, !(value >> 16) && cs_register_is_masked(c->cs, reg),
                "0x%08x to 0x%04x", value, reg);
}

static void
check_load_imm(struct strict_command *c)
{
   for (unsigned i = 1; i + 1 < c->n; i += 2) {
      check_mask(c, c->dw[i] & 0x7ffffc, c->dw[i + 1]);
      check_write(c, c->dw[i] & 0x7ffffc, WRITE_IMM);
      check_value(c, c->dw[i] & 0x7ffffc, c->dw[i + 1]);
   }
}

static uint64_t
memory_of(const struct strict_command *c)
{
   return strict_address(c, "MemoryAddress") & SIM_ADDRESS_MASK;
}

static void
check_load_mem(struct strict_command *c)
{
   const uint64_t at = memory_of(c);
   check_write(c, c->dw[1] & 0x7ffffc, WRITE_MEM);
   for (unsigned i = 0; i < MIN2(c->c->num_stored, STRICT_MAX_STORED); i++)
      STRICT_CHECK(c, CC_09, c->c->stored[i] == at, "0x%llx",
                   (unsigned long long)at);
}

static void
check_load_reg(struct strict_command *c)
{
   check_write(c, (uint32_t)strict_address(c, "DestinationRegisterAddress"),
               WRITE_REG);
}

/* The last ones are enough: registers go by threes and fours. */
static void
check_store_mem(struct strict_command *c)
{
   c->c->stored[c->c->num_stored++ % STRICT_MAX_STORED] = memory_of(c);
}

static void
check_atomic(struct strict_command *c)
{
   c->c->num_stored = 0;
}

/*
 * Commands that the kernel refuses on Gen7
 */

static void
check_refused(struct strict_command *c)
{
   STRICT_CHECK(c, KR_33, true, "%s", "");
}

static void
check_pipe_control(struct strict_command *c)
{
   STRICT_CHECK(c, KR_33, c->dw[1] & (PC_NOTIFY | PC_LRI), "%s",
                c->dw[1] & PC_NOTIFY ? "Notify" : "a register's write");
   STRICT_CHECK(c, KR_33,
                (c->dw[1] & PC_POST_SYNC) &&
                   (c->dw[1] & (PC_GGTT | PC_STORE_INDEX)),
                "%s", "a write that is not to the process's memory");
}

static void
check_vfe(struct strict_command *c)
{
   STRICT_CHECK(c, KR_33, strict_get(c, "GatewayMMIOAccessControl"), "%s",
                "registers for the gateway");
}

static bool
is_mapped(struct strict_command *c, uint64_t address, uint64_t size_B)
{
   return sim_mem_try_ptr(&c->cs->mem, address, 1) &&
          sim_mem_try_ptr(&c->cs->mem, address + size_B - 1, 1);
}

/* The context comes back: constants that were not disabled are fetched again
 * from where they were. iris leaves them on, and lets the next batch hold
 * their buffers. */
void
strict_restore(struct strict_command *c)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   const struct GEN9_3DSTATE_CONSTANT_BODY *of[STRICT_STAGES] = {
      [STRICT_VS] = &s->constant_vs.ConstantBody,
      [STRICT_HS] = &s->constant_hs.ConstantBody,
      [STRICT_DS] = &s->constant_ds.ConstantBody,
      [STRICT_GS] = &s->constant_gs.ConstantBody,
      [STRICT_PS] = &s->constant_ps.ConstantBody,
   };
   for (unsigned i = 0; i < STRICT_STAGES; i++) {
      if (!strict_on(c, STRICT_KR_20) || c->c->constants[i].disabled)
         continue;
      for (unsigned k = 0; k < 4; k++) {
         const uint64_t size_B = (uint64_t)of[i]->ReadLength[k] * SIM_GRF_B;
         if (size_B && !is_mapped(c, of[i]->Buffer[k], size_B))
            strict_broken(c, STRICT_KR_20,
                          "of %s at 0x%012llx, where nothing is any more",
                          strict_stage_names[i],
                          (unsigned long long)of[i]->Buffer[k]);
      }
   }
}

const struct strict_row strict_register_rows[] = {
   { "MI_LOAD_REGISTER_IMM", false, check_load_imm },
   { "MI_LOAD_REGISTER_MEM", false, check_load_mem },
   { "MI_LOAD_REGISTER_REG", false, check_load_reg },
   { "MI_STORE_REGISTER_MEM", false, check_store_mem },
   { "MI_ATOMIC", false, check_atomic },
   { "MI_USER_INTERRUPT", false, check_refused },
   { "MI_ARB_ON_OFF", false, check_refused },
   { "MI_SUSPEND_FLUSH", false, check_refused },
   { "MI_WAIT_FOR_EVENT", false, check_refused },
   { "PIPE_CONTROL", false, check_pipe_control },
   { "MEDIA_VFE_STATE", false, check_vfe },
   { NULL, false, NULL },
};
