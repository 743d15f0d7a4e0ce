/* SPDX-License-Identifier: MIT */
/*
 * PIPE_CONTROL: the one place that emits it. Callers say what is to be
 * flushed, invalidated, waited for or written; what a generation wants beside
 * that, in the packet or before it, is added here.
 *
 * Sources: PRM IVB volume 2 part 1, HSW, BDW and SKL volume 2a, PIPE_CONTROL
 * (the notes of each bit), BDW volume 7, "PIPE_CONTROL Flush Types"; the
 * work-arounds: intel_workaround.c.
 */
#include "intel/dev/intel_workaround.h"
#include "genX_private.h"

/* Nobody reads what is written there. */
static uint64_t
workaround_addr(const struct saf_cmd_buffer *cmd)
{
   return cmd->device->null_bo->addr + SAF_WORKAROUND_OFFSET_B;
}

static bool
needs(const struct saf_cmd_buffer *cmd, enum intel_workaround w)
{
   return intel_needs_workaround(cmd->device->info, w);
}

static bool
only_invalidates(const struct GENX(PIPE_CONTROL) * pc)
{
   return !pc->DepthCacheFlushEnable && !pc->RenderTargetCacheFlushEnable &&
          !pc->DCFlushEnable && !pc->DepthStallEnable &&
          !pc->StallAtPixelScoreboard && pc->PostSyncOperation == NoWrite;
}

/* Inlined, where most of the packet is known. */
static inline __attribute__((always_inline)) void
emit(struct saf_cmd_buffer *cmd, const struct GENX(PIPE_CONTROL) * from)
{
   struct GENX(PIPE_CONTROL) pc = *from;
   if (needs(cmd, INTEL_WA_STALL_EVERY_FOURTH) && !only_invalidates(&pc) &&
       ++cmd->pipe_controls >= 4)
      pc.CommandStreamerStallEnable = true;
   if (pc.CommandStreamerStallEnable) {
      cmd->pipe_controls = 0;
      if (needs(cmd, INTEL_WA_STALL_NEEDS_COMPANY) && only_invalidates(&pc))
         pc.StallAtPixelScoreboard = true;
   }
   if (pc.VFCacheInvalidationEnable) {
      memset(cmd->vf_cached, 0, sizeof(cmd->vf_cached));
      cmd->vf_noted = 0;
   }
   GENX(PIPE_CONTROL_pack)
   (saf_batch_dwords(&cmd->batch, GENX(PIPE_CONTROL_length)), &pc);
   saf_note(&cmd->batch, PIPE_CONTROL);
}

/* What must come in a packet of its own before `pc`. */
static void
emit_prelude(struct saf_cmd_buffer *cmd, const struct GENX(PIPE_CONTROL) * pc)
{
   const struct GENX(PIPE_CONTROL) null = { GENX(PIPE_CONTROL_header) };
   struct GENX(PIPE_CONTROL) stall = null;

   stall.CommandStreamerStallEnable = true;
   stall.StallAtPixelScoreboard = true;
   if (pc->StateCacheInvalidationEnable &&
       needs(cmd, INTEL_WA_STALL_BEFORE_STATE_INVALIDATION))
      emit(cmd, &stall);
   if (cmd->gpgpu && pc->PostSyncOperation != NoWrite &&
       needs(cmd, INTEL_WA_STALL_BEFORE_POST_SYNC_IN_GPGPU))
      emit(cmd, &stall);
   /* Nothing may come in between. */
   if (pc->VFCacheInvalidationEnable &&
       needs(cmd, INTEL_WA_NULL_BEFORE_VF_INVALIDATION))
      emit(cmd, &null);
}

void
genX(pipe_control)(struct saf_cmd_buffer *cmd, struct GENX(PIPE_CONTROL) pc)
{
   const bool counts = pc.PostSyncOperation == WritePSDepthCount ||
                       pc.PostSyncOperation == WriteTimestamp;

   assert(!(pc.StallAtPixelScoreboard &&
            (pc.RenderTargetCacheFlushEnable || pc.DepthStallEnable)) &&
          "the stall at the scoreboard would be ignored, the flush lost");
   assert(!(counts &&
            (pc.StallAtPixelScoreboard || pc.RenderTargetCacheFlushEnable)) &&
          "counters and timestamps want a packet without these");
   assert(!(pc.DepthStallEnable &&
            (pc.DepthCacheFlushEnable || pc.RenderTargetCacheFlushEnable) &&
            needs(cmd, INTEL_WA_DEPTH_STALL_ALONE)) &&
          "flush first, stall then");

   const bool writes = (pc.VFCacheInvalidationEnable &&
                        needs(cmd, INTEL_WA_VF_INVALIDATION_WRITES)) ||
                       (pc.IndirectStatePointersDisable &&
                        needs(cmd, INTEL_WA_POINTERS_DISABLE_WRITES));
   if (writes && pc.PostSyncOperation == NoWrite) {
      pc.PostSyncOperation = WriteImmediateData;
      pc.Address = workaround_addr(cmd);
   }
   /* "The texture cache invalidation must come with a CS stall" in GPGPU
    * mode. */
   if (cmd->gpgpu && (needs(cmd, INTEL_WA_STALL_IN_GPGPU)
                         ? !only_invalidates(&pc)
                         : pc.TextureCacheInvalidationEnable))
      pc.CommandStreamerStallEnable = true;
   if (counts && needs(cmd, INTEL_WA_GT4_COUNTERS_STALL))
      pc.CommandStreamerStallEnable = true;

   if (pc.PostSyncOperation != NoWrite && pc.Address != workaround_addr(cmd))
      cmd->batch.reaches = true;

   /* What must directly precede a packet must not end up before a jump. */
   saf_batch_reserve(&cmd->batch, 4 * GENX(PIPE_CONTROL_length));
   emit_prelude(cmd, &pc);
   emit(cmd, &pc);
}

void
genX(cmd_stall)(struct saf_cmd_buffer *cmd)
{
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .CommandStreamerStallEnable = true,
                              .StallAtPixelScoreboard = true,
                           });
}

void
genX(stall_before_loads)(struct saf_cmd_buffer *cmd)
{
   if (needs(cmd, INTEL_WA_STALL_BEFORE_LOADS))
      genX(cmd_stall)(cmd);
}

/* All but the address is known: the compiler puts the packet together. */
__attribute__((flatten)) void
genX(stall_before_vs_state)(struct saf_cmd_buffer *cmd)
{
   const struct GENX(PIPE_CONTROL) stall = {
      GENX(PIPE_CONTROL_header),
      .DepthStallEnable = true,
      .PostSyncOperation = WriteImmediateData,
      .Address = workaround_addr(cmd),
   };
   assert(!cmd->gpgpu && "of draws, with nothing to come before it");
   if (needs(cmd, INTEL_WA_STALL_BEFORE_VS_STATE))
      emit(cmd, &stall);
}

/* A stall until all work has left the pipe, with what it wrote: only a
 * post-sync write says that, a stall alone waits for the command streamer's
 * part (PRM SKL vol 7, "End-of-Pipe Synchronization"). */
static void
end_of_pipe(struct saf_cmd_buffer *cmd)
{
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .DepthCacheFlushEnable = true,
                              .RenderTargetCacheFlushEnable = true,
                              .DCFlushEnable = true,
                              .CommandStreamerStallEnable = true,
                              .PostSyncOperation = WriteImmediateData,
                              .Address = workaround_addr(cmd),
                           });
   if (needs(cmd, INTEL_WA_LOAD_AFTER_END_OF_PIPE))
      genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_START_INSTANCE_num),
                            workaround_addr(cmd));
}

void
genX(cmd_flush)(struct saf_cmd_buffer *cmd)
{
   struct saf_batch *batch = &cmd->batch;
   if (batch->reaches) {
      end_of_pipe(cmd);
      batch->reaches = false;
      batch->stale = SAF_CACHE_READS | SAF_CACHE_VERTICES;
   }
   batch->due |= batch->stale & SAF_CACHE_READS;
}

void
genX(cmd_barrier)(struct saf_cmd_buffer *cmd, VkAccessFlags readers)
{
   genX(cmd_flush)(cmd);
   if (readers &
       (VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT |
        VK_ACCESS_MEMORY_READ_BIT))
      cmd->batch.due |= cmd->batch.stale & SAF_CACHE_VERTICES;
}

void
genX(cmd_invalidate)(struct saf_cmd_buffer *cmd, uint8_t caches)
{
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .TextureCacheInvalidationEnable = true,
                              .ConstantCacheInvalidationEnable = true,
                              .StateCacheInvalidationEnable = true,
                              .InstructionCacheInvalidateEnable = true,
                              .VFCacheInvalidationEnable = caches &
                                                           SAF_CACHE_VERTICES,
                           });
   genX(invalidate_constants)(cmd);
   cmd->batch.due &= (uint8_t)~caches;
   cmd->batch.stale &= (uint8_t)~caches;
}

void
genX(cmd_refresh)(struct saf_cmd_buffer *cmd)
{
   if (cmd->batch.due)
      genX(cmd_invalidate)(cmd, cmd->batch.due | SAF_CACHE_READS);
}

void
genX(invalidate_vertices)(struct saf_cmd_buffer *cmd)
{
   genX(cmd_stall)(cmd);
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .VFCacheInvalidationEnable = true,
                           });
}
