/* SPDX-License-Identifier: MIT */
/*
 * PIPE_CONTROL and MI_FLUSH_DW (PRM SKL Vol. 2a). All work before them is
 * complete when they are reached, and only chaos has caches, so that what is
 * left to do is the post-sync write.
 */
#include "cs_private.h"
#include "intel/sim/chaos/chaos.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/mem/watch.h"

#include <inttypes.h>

static enum cs_status
write64(struct sim_cs *cs, uint64_t address, uint64_t value)
{
   /* The lower bits are ignored; bit 2 said GGTT on Gen7, and igt's
    * gem_pipe_control_store_loop sets it on later chips as well. */
   address &= ~7ull;
   sim_mem_note(&cs->mem, SIM_CLIENT_SYNC, address, sizeof(value),
                SIM_MEM_WRITE);
   return sim_mem_write(&cs->mem, address, &value, sizeof(value))
             ? CS_CONTINUE
             : cs_mem_fault(cs);
}

/* What the kernel's command parser or address spaces would refuse. Which bits
 * must stand together is left to strict mode's rules. */
static enum cs_status
check_pipe_control(struct sim_cs *cs, const struct GEN9_PIPE_CONTROL *c)
{
   if (c->DestinationAddressType == DAT_GGTT && c->PostSyncOperation)
      return cs_fault(cs, "the global GTT is not for user batches");
   if (c->StoreDataIndex)
      return cs_fault(cs, "the hardware status page is not for user batches");
   return CS_CONTINUE;
}

static enum cs_status
pipe_control(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_PIPE_CONTROL c;
   GEN9_PIPE_CONTROL_unpack(dw, &c);
   const enum cs_status status = check_pipe_control(cs, &c);
   if (status != CS_CONTINUE)
      return status;
   sim_gpu_count(&cs->gpu->stats.pipe_controls, 1);
   if (cs->watch.caches)
      sim_chaos_pipe_control(
         cs->watch.caches, &c,
         sim_traits(cs->gpu->verx10)->scoreboard_stall_flushes);
   /* "LRI Post Sync Operation": the immediate goes to a register. */
   if (c.LRIPostSyncOperation)
      return cs_write_register(cs, (uint32_t)c.Address & ~3u,
                               (uint32_t)c.ImmediateData)
                ? CS_CONTINUE
                : CS_FAULT;
   switch (c.PostSyncOperation) {
   case WriteImmediateData: return write64(cs, c.Address, c.ImmediateData);
   case WritePSDepthCount:
      return write64(cs, c.Address, cs->hw->counters.ps_depth);
   case WriteTimestamp:
      return write64(cs, c.Address, sim_gpu_timestamp(cs->gpu));
   default: return CS_CONTINUE;
   }
}

static enum cs_status
flush_dw(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_FLUSH_DW c;
   GEN9_MI_FLUSH_DW_unpack(dw, &c);
   if (c.PostSyncOperation && c.DestinationAddressType == DAT_GGTT)
      return cs_fault(cs, "the global GTT is not for user batches");
   if (c.StoreDataIndex)
      return cs_fault(cs, "the hardware status page is not for user batches");
   switch (c.PostSyncOperation) {
   case WriteImmediateData: return write64(cs, c.Address, c.ImmediateData);
   case FLUSH_DW_WriteTimestamp:
      return write64(cs, c.Address, sim_gpu_timestamp(cs->gpu));
   default: return CS_CONTINUE;
   }
}

const struct cs_entry cs_pipe_commands[] = {
   { GEN9_PIPE_CONTROL_opcode, pipe_control },
   { GEN9_MI_FLUSH_DW_opcode, flush_dw },
   { 0, NULL },
};
