/* SPDX-License-Identifier: MIT */
/*
 * Commands of Gen7 and Gen7.5 with addresses of 32 bits: given to the
 * handlers of Gen9 in that generation's layout (PRM HSW Vol. 2a, each under
 * its name).
 */
#include "cs_private.h"

#include "intel/genxml/gen75_pack.h"
#include "intel/sim/mem/watch.h"

/* The handler that Gen9's table has for the command. */
static cs_handler
find_handler(const struct cs_entry *table, uint32_t opcode)
{
   while (table->handler && table->opcode != opcode)
      table++;
   assert(table->handler && "a command of Gen9, too");
   return table->handler;
}

/* `dw` with zeros for the upper half of the address that is in dword `at`. */
static enum cs_status
widen(struct sim_cs *cs, const struct cs_entry *table, uint32_t opcode,
      const uint32_t *dw, unsigned n, unsigned at)
{
   uint32_t wide[8];
   assert(n < ARRAY_SIZE(wide));
   memcpy(wide, dw, (at + 1) * sizeof(*dw));
   wide[at + 1] = 0;
   memcpy(wide + at + 2, dw + at + 1, (n - at - 1) * sizeof(*dw));
   return find_handler(table, opcode)(cs, wide, n + 1);
}

static enum cs_status
load_register_mem(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return widen(cs, cs_mi_commands, GEN9_MI_LOAD_REGISTER_MEM_opcode, dw, n,
                2);
}

static enum cs_status
store_register_mem(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return widen(cs, cs_mi_commands, GEN9_MI_STORE_REGISTER_MEM_opcode, dw, n,
                2);
}

static enum cs_status
conditional_batch_buffer_end(struct sim_cs *cs, const uint32_t *dw,
                             unsigned n)
{
   return widen(cs, cs_mi_commands,
                GEN9_MI_CONDITIONAL_BATCH_BUFFER_END_opcode, dw, n, 2);
}

static enum cs_status
pipe_control(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return widen(cs, cs_pipe_commands, GEN9_PIPE_CONTROL_opcode, dw, n, 2);
}

static enum cs_status
flush_dw(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return widen(cs, cs_pipe_commands, GEN9_MI_FLUSH_DW_opcode, dw, n, 1);
}

/* Dword 1 is reserved, the address is in dword 2. */
static enum cs_status
store_data_imm(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_MI_STORE_DATA_IMM c;
   GEN75_MI_STORE_DATA_IMM_unpack(dw, &c);
   if (c.UseGlobalGTT)
      return cs_fault(cs, "the global GTT is not for user batches");
   if (c.CoreModeEnable)
      return cs_fault(cs, "Core Mode is not implemented");
   sim_mem_note(&cs->mem, SIM_CLIENT_COMMANDS, c.Address, 4ull * (n - 3),
                SIM_MEM_WRITE);
   return sim_mem_write(&cs->mem, c.Address, &dw[3], 4ull * (n - 3))
             ? CS_CONTINUE
             : cs_mem_fault(cs);
}

/* Ivybridge has no second level: its bits are zero. */
static enum cs_status
batch_buffer_start(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_MI_BATCH_BUFFER_START c;
   GEN75_MI_BATCH_BUFFER_START_unpack(dw, &c);
   if (c.AddressSpaceIndicator != ASI_PPGTT)
      return cs_fault(cs, "the global GTT is not for user batches");
   if (c.AddOffsetEnable)
      return cs_fault(cs, "Add Offset Enable is not implemented");
   if (c.PredicationEnable &&
       !(cs_get_register(cs, GEN75_MI_PREDICATE_RESULT_1_num) & 1))
      return CS_CONTINUE;
   if (c.SecondLevelBatchBuffer && !cs->second_level) {
      cs->second_level = true;
      cs->return_address = cs->ip + 4ull * n;
   }
   cs->ip = c.BatchBufferStartAddress;
   cs->jumps++;
   return CS_JUMPED;
}

const struct cs_entry cs_gen7_mi_commands[] = {
   { GEN75_MI_BATCH_BUFFER_START_opcode, batch_buffer_start },
   { GEN75_MI_CONDITIONAL_BATCH_BUFFER_END_opcode,
     conditional_batch_buffer_end },
   { GEN75_MI_FLUSH_DW_opcode, flush_dw },
   { GEN75_MI_LOAD_REGISTER_MEM_opcode, load_register_mem },
   { GEN75_MI_STORE_DATA_IMM_opcode, store_data_imm },
   { GEN75_MI_STORE_REGISTER_MEM_opcode, store_register_mem },
   { GEN75_PIPE_CONTROL_opcode, pipe_control },
   { 0, NULL },
};
