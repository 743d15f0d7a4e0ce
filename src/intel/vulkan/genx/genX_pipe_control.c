/* SPDX-License-Identifier: MIT */
/*
 * PIPE_CONTROL: the one place that emits it. Callers say what is to be
 * flushed, invalidated, waited for or written; what a generation wants beside
 * that, in the packet or before it, is added here.
 *
 * Sources: PRM BDW and SKL volume 2a, PIPE_CONTROL (the notes of each bit)
 * and volume 7, "PIPE_CONTROL Flush Types"; the work-arounds by their names.
 */
#include "genX_private.h"

/* Nobody reads what is written there. */
static uint64_t
workaround_addr(const struct saf_cmd_buffer *cmd)
{
   return cmd->device->null_bo->addr + SAF_WORKAROUND_OFFSET_B;
}

static void
emit(struct saf_cmd_buffer *cmd, const struct GENX(PIPE_CONTROL) *pc)
{
   GENX(PIPE_CONTROL_pack)(
      saf_batch_dwords(&cmd->batch, GENX(PIPE_CONTROL_length)), pc);
}

static bool
only_invalidates(const struct GENX(PIPE_CONTROL) *pc)
{
   return !pc->DepthCacheFlushEnable && !pc->RenderTargetCacheFlushEnable &&
          !pc->DCFlushEnable && !pc->DepthStallEnable &&
          !pc->StallAtPixelScoreboard && pc->PostSyncOperation == NoWrite;
}

/* What must come in a packet of its own before `pc`. */
static void
emit_prelude(struct saf_cmd_buffer *cmd, const struct GENX(PIPE_CONTROL) *pc)
{
   const struct GENX(PIPE_CONTROL) null = { GENX(PIPE_CONTROL_header) };
   struct GENX(PIPE_CONTROL) stall = null;

   stall.CommandStreamerStallEnable = true;
   stall.StallAtPixelScoreboard = true;
   /* WaScoreboardStallBeforeStateCacheInvalidate. */
   if (GEN_VERX10 == 80 && pc->StateCacheInvalidationEnable)
      emit(cmd, &stall);
   /* WaStallBeforePostSyncOpOnGPGPU. */
   if (GEN_VERX10 == 90 && cmd->gpgpu && pc->PostSyncOperation != NoWrite)
      emit(cmd, &stall);
   /* The vertex fetcher may otherwise take state of null primitives; on Gen8
    * the same packet was seen to hang. Nothing may come in between. */
   if (GEN_VERX10 == 90 && pc->VFCacheInvalidationEnable)
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
   assert(!(counts && (pc.StallAtPixelScoreboard ||
                       pc.RenderTargetCacheFlushEnable)) &&
          "counters and timestamps want a packet without these");

   /* WaVfPostSyncWrite. */
   if (pc.VFCacheInvalidationEnable && pc.PostSyncOperation == NoWrite) {
      pc.PostSyncOperation = WriteImmediateData;
      pc.Address = workaround_addr(cmd);
   }
   /* "The texture cache invalidation must come with a CS stall" in GPGPU
    * mode, and Gen8 wants one on whatever does not only invalidate. */
   if (cmd->gpgpu && (GEN_VERX10 == 90 ? pc.TextureCacheInvalidationEnable
                                       : !only_invalidates(&pc)))
      pc.CommandStreamerStallEnable = true;
   /* A GT4's depth counts and timestamps are lost without one. */
   if (cmd->device->info->gt == 4 && counts)
      pc.CommandStreamerStallEnable = true;
   /* Up to Gen8 a stall needs something to wait for. */
   if (GEN_VERX10 <= 80 && pc.CommandStreamerStallEnable &&
       only_invalidates(&pc))
      pc.StallAtPixelScoreboard = true;

   emit_prelude(cmd, &pc);
   emit(cmd, &pc);
}

void
genX(cmd_stall)(struct saf_cmd_buffer *cmd)
{
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)){
      GENX(PIPE_CONTROL_header),
      .CommandStreamerStallEnable = true,
      .StallAtPixelScoreboard = true,
   });
}

/*
 * Flushes come first, with a stall until all work has left the pipe: only a
 * post-sync write says that, a stall alone waits for the command streamer's
 * part (PRM SKL vol 7, "End-of-Pipe Synchronization"). Invalidations follow
 * in a packet of their own: in one packet the two are not ordered.
 */
void
genX(cmd_flush)(struct saf_cmd_buffer *cmd)
{
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)){
      GENX(PIPE_CONTROL_header),
      .DepthCacheFlushEnable = true,
      .RenderTargetCacheFlushEnable = true,
      .DCFlushEnable = true,
      .CommandStreamerStallEnable = true,
      .PostSyncOperation = WriteImmediateData,
      .Address = workaround_addr(cmd),
   });
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)){
      GENX(PIPE_CONTROL_header),
      .TextureCacheInvalidationEnable = true,
      .ConstantCacheInvalidationEnable = true,
      .StateCacheInvalidationEnable = true,
      .InstructionCacheInvalidateEnable = true,
      .VFCacheInvalidationEnable = true,
   });
}
