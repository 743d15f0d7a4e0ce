/* SPDX-License-Identifier: MIT */
/*
 * The table of work-arounds. Sources in short: the PRM's volume; "K": Linux
 * i915; "I965", "HVK", "CRO": Mesa's drivers of that name, as evidence of
 * what ran on chips.
 */
#include "intel_workaround.h"

#define ALL_GTS 0xff
#define GT(n) (1u << (n))
#define CHIP(c) (1u << INTEL_CHIP_##c)

const struct intel_workaround_info intel_workarounds[INTEL_WORKAROUNDS] = {
   [INTEL_WA_STALL_NEEDS_COMPANY] = {
      "a stall needs company", 70, 80, ALL_GTS,
      "PIPE_CONTROL that only stalls the command streamer hangs",
      "stall at the scoreboard, too",
      "BDW PRM vol 2a, PIPE_CONTROL; I965 genX_pipe_control.c",
   },
   [INTEL_WA_STALL_EVERY_FOURTH] = {
      "WaCsStallAtEveryFourthPipecontrol", 70, 70, ALL_GTS,
      "hang",
      "every fourth PIPE_CONTROL that does more than invalidate stalls",
      "K gen7_emit_flush_rcs; I965 genX_pipe_control.c",
   },
   [INTEL_WA_DEPTH_STALL_ALONE] = {
      "depth stalls alone", 70, 75, ALL_GTS,
      "hang when a depth stall comes with a flush of depth or colour",
      "the flush in a packet before the stall",
      "I965 genX_pipe_control.c; CRO blorp_exec",
   },
   [INTEL_WA_STALL_BEFORE_STATE_INVALIDATION] = {
      "WaScoreboardStallBeforeStateCacheInvalidate", 70, 80, ALL_GTS,
      "stale state", "a stall in a packet before",
      "BDW PRM vol 7, workarounds; K gen7_emit_flush_rcs",
   },
   [INTEL_WA_STALL_BEFORE_POST_SYNC_IN_GPGPU] = {
      "WaStallBeforePostSyncOpOnGPGPU", 90, 90, ALL_GTS,
      "write before the threads have ended", "a stall in a packet before",
      "SKL PRM vol 16",
   },
   [INTEL_WA_NULL_BEFORE_VF_INVALIDATION] = {
      "null packet before invalidation of vertices", 90, 90, ALL_GTS,
      "the vertex fetcher takes state of null primitives",
      "a PIPE_CONTROL without anything before; on Gen8 it was seen to hang",
      "SKL PRM vol 2a, PIPE_CONTROL",
   },
   [INTEL_WA_VF_INVALIDATION_WRITES] = {
      "WaVfPostSyncWrite", 80, 90, ALL_GTS,
      "vertices are not invalidated", "a post-sync write in the packet",
      "BDW PRM vol 15",
   },
   [INTEL_WA_POINTERS_DISABLE_WRITES] = {
      "WaFlushOpOnCSStall", 80, 80, ALL_GTS,
      "nothing is flushed", "a post-sync write in the packet",
      "BDW PRM vol 15",
   },
   [INTEL_WA_STALL_IN_GPGPU] = {
      "stall in GPGPU mode", 70, 80, ALL_GTS,
      "flushes are lost",
      "stall with whatever does not only invalidate",
      "BDW PRM vol 2a, PIPE_CONTROL",
   },
   [INTEL_WA_GT4_COUNTERS_STALL] = {
      "counters stall on GT4", 90, 90, GT(4),
      "depth counts and timestamps are lost", "stall in the same packet",
      "SKL PRM vol 16",
   },
   [INTEL_WA_LOAD_AFTER_END_OF_PIPE] = {
      "load after the end of pipe", 75, 75, ALL_GTS,
      "what was flushed is not yet seen by others",
      "a register is loaded from where the post-sync operation has written",
      "HVK and CRO, end_of_pipe_sync",
   },
   [INTEL_WA_VERTEX_CACHE_32_BITS] = {
      "vertex cache of 32 bits", 80, 90, ALL_GTS,
      "a line is known by buffer and the lower half of its address: what "
      "lies 4 GiB away is taken for it",
      "a stall and an invalidation when one buffer's range grows beyond",
      "Mesa iris and hasvk, vertex buffers and index buffer",
   },
   [INTEL_WA_CC_STATE_BEFORE_SELECT] = {
      "WaClearCCStatePriorPipelineSelect", 80, 90, ALL_GTS,
      "hang", "an invalid 3DSTATE_CC_STATE_POINTERS before GPGPU is selected",
      "BDW and SKL PRM vol 2a, PIPELINE_SELECT",
   },
   [INTEL_WA_DUMMY_PRIMITIVE_AFTER_SELECT] = {
      "primitive after selecting 3D", 70, 70, ALL_GTS,
      "hang", "a stall with a write and a 3DPRIMITIVE without vertices",
      "IVB PRM vol 1 part 1, PIPELINE_SELECT; CRO",
   },
   [INTEL_WA_VFE_STATE_BEFORE_3D] = {
      "MEDIA_VFE_STATE before selecting 3D", 90, 90, ALL_GTS,
      "flickering geometry (chip-rules CO-05)",
      "one that compute shaders do not use before PIPELINE_SELECT",
      "Mesa anv, flush_pipeline_select (seen on chips)",
   },
   [INTEL_WA_VFE_STATE_AFTER_SELECT] = {
      "MEDIA_VFE_STATE after selecting GPGPU", 80, 80, ALL_GTS,
      "hang when a context is restored (chip-rules CO-04)",
      "one that compute shaders do not use directly after PIPELINE_SELECT",
      "CHV PRM vol 16, WaSendDummyVFEafterPipelineSelect",
      .chips = CHIP(CHV),
   },
   [INTEL_WA_BARRIER_MODE_AFTER_SELECT] = {
      "barrier mode after PIPELINE_SELECT", 90, 90, ALL_GTS,
      "hang: barriers of compute and of hull shaders are counted in two ways",
      "SLICE_COMMON_ECO_CHICKEN1 says which, after the pipeline is selected",
      "GLK: Linux i915, WA #0862; Mesa genX_cmd_buffer.c, flush_pipeline_"
      "select",
      .chips = CHIP(GLK),
   },
   [INTEL_WA_STALL_BEFORE_VS_STATE] = {
      "depth stall before state of the vertex shader", 70, 70, ALL_GTS,
      "hang or wrong vertices",
      "a depth stall with a write before packets of that stage",
      "IVB PRM vol 2 part 1, 3DSTATE_VS; HVK, I965",
      .chips = CHIP(IVB),
   },
   [INTEL_WA_STALL_AFTER_PUSH_ALLOC] = {
      "stall after 3DSTATE_PUSH_CONSTANT_ALLOC_PS", 70, 70, ALL_GTS,
      "hang", "a stall after it",
      "IVB PRM vol 2 part 1; CRO",
      .chips = CHIP(IVB),
   },
   [INTEL_WA_STALL_ON_GS_CHANGE] = {
      "stall when the geometry stage goes on or off", 70, 70, GT(2),
      "hang", "a stall before 3DSTATE_GS",
      "HVK genX_pipeline.c; CRO",
   },
   [INTEL_WA_DEPTH_STALLS_BEFORE_BUFFERS] = {
      "depth stall, flush, stall before depth buffers", 70, 75, ALL_GTS,
      "hang or corruption",
      "three PIPE_CONTROLs before 3DSTATE_DEPTH_BUFFER and its like",
      "IVB PRM vol 2 part 1, HSW vol 2b, 3DSTATE_DEPTH_BUFFER",
   },
   [INTEL_WA_STALL_BEFORE_LOADS] = {
      "stall before registers are loaded from memory", 70, 70, ALL_GTS,
      "the next command that stalls hangs while rendering is in flight",
      "a stall before what is loaded for indirect draws and predicates "
      "(chip-rules CO-47)",
      "HVK copy_fast_clear_dwords",
   },
   [INTEL_WA_NO_FAN_PATCH_RESTART] = {
      "neither fans nor patches restart", 70, 70, ALL_GTS,
      "wrong primitives",
      "fans are listed first, patches are not offered "
      "(chip-rules FF-45)",
      "IVB PRM vol 2 part 1, 3DSTATE_INDEX_BUFFER; I965 "
      "can_cut_index_handle_prims",
   },
   [INTEL_WA_TESS_FACTORS_INTERFERE] = {
      "WaPreventHSTessLevelsInterference", 70, 80, ALL_GTS,
      "points too many along edges of quads: cracks",
      "inside factors of 1 become 2 (chip-rules FF-43)",
      "BDW PRM vol 7, patch header",
   },
   [INTEL_WA_TESS_URB_ENTRIES] = {
      "WaLimitHsUrbEntries", 80, 80, ALL_GTS,
      "tessellation hangs", "URB entries: at least 192 of VS, at most 184 of "
      "HS (chip-rules RL-04)",
      "BDW PRM vol 15; vol 7, 3D pipeline; Mesa intel_urb_config.c (192)",
   },
   [INTEL_WA_EQUAL_DEPTH_IS_NOT_WRITTEN] = {
      "depth that is equal is not written", 80, 90, ALL_GTS,
      "undefined depth (chip-rules FF-69)",
      "depth writes are off where the test is for equality",
      "BDW PRM vol 2d, 3DSTATE_WM_DEPTH_STENCIL; Mesa 1afdfc3e6e0",
   },
   [INTEL_WA_CC_STATE_ENDS_BATCH] = {
      "WaAvoidRCZCounterRollover", 75, 75, ALL_GTS,
      "hang when counters of the render cache roll over "
      "(chip-rules CO-58)",
      "a batch that draws ends with a flush, "
      "3DSTATE_CC_STATE_POINTERS, and a flush of targets with a stall",
      "HSW PRM vol 2b, 3DSTATE_CC_STATE_POINTERS; Mesa 0166b4c1652",
   },
   [INTEL_WA_NO_VERTEX_CACHE_FOR_PATCHES] = {
      "no vertex cache for patches on GT4", 90, 90, GT(4),
      "hang (chip-rules FF-83)",
      "the vertex cache is off where there is tessellation",
      "Mesa b08b4b2b25b (seen on chips)",
   },
   [INTEL_WA_UNTYPED_IS_RAW] = {
      "untyped messages want RAW", 70, 70, ALL_GTS,
      "sporadic hang (chip-rules FF-77)",
      "uniform buffers, which they read too, have that format",
      "Mesa b61292296bd (seen on chips)",
   },
   [INTEL_WA_MSC_RAW_HAZARD] = {
      "22011374674", 90, 90, ALL_GTS,
      "reads after writes in the MSC are wrong (chip-rules KR-48)",
      "a bit of CACHE_MODE_1", "Mesa 545d852a7a7",
   },
   [INTEL_WA_PS_INVOCATIONS_BY_FOUR] = {
      "WaDividePSInvocationCountBy4", 75, 80, ALL_GTS,
      "PS_INVOCATION_COUNT counts each four times", "divide",
      "BDW PRM vol 15",
   },
};
