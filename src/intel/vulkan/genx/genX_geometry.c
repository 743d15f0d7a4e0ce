/* SPDX-License-Identifier: MIT */
/*
 * The programmable stages before rasterisation: 3DSTATE_VS, _HS, _TE, _DS
 * and _GS, disabled if need be.
 */
#include "genX_private.h"
#include "intel/dev/intel_workaround.h"

uint32_t
genX(scratch_encoding)(const struct saf_shader *shader)
{
   const uint32_t size_B = shader->prog.base.total_scratch_B;
   return size_B ? util_logbase2(size_B) - 10 : 0;
}

uint64_t
genX(scratch_addr)(const struct saf_shader *shader)
{
   return shader->scratch ? shader->scratch->addr : 0;
}

uint32_t
genX(sampler_hint)(const struct saf_shader *shader)
{
   return MIN2(DIV_ROUND_UP(shader->map.sampler_count, 4), 4);
}

uint32_t
genX(surface_hint)(const struct saf_shader *shader)
{
   return MIN2(shader->map.surface_start + shader->map.surface_count, 31);
}

/* What all stages say in the same words. */
#define COMMON_STATE(packet, shader)                                         \
   do {                                                                      \
      (packet).Enable = true;                                                \
      (packet).KernelStartPointer = (shader)->kernel.offset;                 \
      (packet).SamplerCount = genX(sampler_hint)(shader);                    \
      (packet).BindingTableEntryCount = genX(surface_hint)(shader);          \
      (packet).PerThreadScratchSpace = genX(scratch_encoding)(shader);       \
      (packet).ScratchSpaceBasePointer = genX(scratch_addr)(shader);         \
   } while (0)

/*
 * What later stages read of a vertex begins after header and position; in
 * pairs of slots, and there must be one. Gen7 says the former in 3DSTATE_SBE,
 * and what clip distances do in 3DSTATE_CLIP.
 */
#if GEN_VERX10 >= 80
#define OUTPUT_READ_OFFSET 1
#define OUTPUT_STATE(packet, out)                                            \
   do {                                                                      \
      (packet).VertexURBEntryOutputReadOffset = OUTPUT_READ_OFFSET;          \
      (packet).VertexURBEntryOutputLength = output_length(&(out)->vue_map);  \
      (packet).UserClipDistanceClipTestEnableBitmask =                       \
         (out)->clip_distance_mask;                                          \
      (packet).UserClipDistanceCullTestEnableBitmask =                       \
         (out)->cull_distance_mask;                                          \
   } while (0)

static uint32_t
output_length(const struct intel_vue_map *vue)
{
   return MAX2(DIV_ROUND_UP(vue->num_slots, 2), 2) - OUTPUT_READ_OFFSET;
}
#else
#define OUTPUT_STATE(packet, out)
#endif

void
genX(emit_vs)(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   const struct saf_shader *shader = pipeline->shaders[MESA_SHADER_VERTEX];
   const struct intel_vs_prog_data *prog = &shader->prog.vs;
   saf_emit_state(cmd, 3DSTATE_VF_STATISTICS, st)
      st.StatisticsEnable = !pipeline->internal;
   saf_emit_state_after(cmd, 3DSTATE_VS, vs, genX(stall_before_vs_state))
   {
      COMMON_STATE(vs, shader);
#if GEN_VERX10 >= 80
      vs.SIMD8DispatchEnable = prog->dispatch_mode == INTEL_DISPATCH_SIMD8;
#endif
      vs.StatisticsEnable = !pipeline->internal;
      vs.MaximumNumberofThreads = cmd->device->info->max_vs_threads - 1;
      vs.VertexCacheDisable =
         pipeline->shaders[MESA_SHADER_TESS_EVAL] &&
         intel_needs_workaround(cmd->device->info,
                                INTEL_WA_NO_VERTEX_CACHE_FOR_PATCHES);
      vs.DispatchGRFStartRegisterForURBData = prog->base.dispatch_grf_start;
      vs.VertexURBEntryReadLength = prog->urb_read_length;
      vs.VertexURBEntryReadOffset = 0;
      OUTPUT_STATE(vs, &prog->out);
   }
}

/* ---- tessellation ---- */

static void
emit_hs(struct saf_cmd_buffer *cmd, const struct saf_shader *shader)
{
   const struct intel_tcs_prog_data *prog = &shader->prog.tcs;
   /* WaCsStallBeforenonzeroInstanceCount. */
   const bool stalls = GEN_VERX10 == 80 && prog->instances > 1;
   saf_emit_state_after(cmd, 3DSTATE_HS, hs, stalls ? genX(cmd_stall) : NULL)
   {
      COMMON_STATE(hs, shader);
      hs.StatisticsEnable = true;
#if GEN_VERX10 >= 90
      hs.DispatchMode = DISPATCH_MODE_SINGLE_PATCH;
      hs.IncludePrimitiveID = prog->uses_primitive_id;
      hs.DispatchGRFStartRegisterForURBData5 =
         prog->base.dispatch_grf_start >> 5;
#else
      assert(prog->base.dispatch_grf_start < 32);
#endif
      hs.MaximumNumberofThreads = cmd->device->info->max_tcs_threads - 1;
      hs.InstanceCount = prog->instances - 1;
      hs.IncludeVertexHandles = true;
      hs.DispatchGRFStartRegisterForURBData = prog->base.dispatch_grf_start &
                                              0x1f;
   }
}

/* Declared in the shader for a domain with its origin at the lower left;
 * seen from the upper left the same order turns the other way. */
static uint32_t
tess_topology(const struct saf_gfx_state *gfx,
              enum intel_tess_topology topology)
{
   if (gfx->domain_origin_lower_left)
      return topology;
   switch (topology) {
   case INTEL_TESS_OUTPUT_TRI_CW: return OUTPUT_TRI_CCW;
   case INTEL_TESS_OUTPUT_TRI_CCW: return OUTPUT_TRI_CW;
   case INTEL_TESS_OUTPUT_POINT:
   case INTEL_TESS_OUTPUT_LINE: return topology;
   }
   unreachable("tessellation topology");
}

static void
emit_te_ds(struct saf_cmd_buffer *cmd, const struct saf_shader *shader)
{
   const struct intel_tes_prog_data *prog = &shader->prog.tes;
   saf_emit_state(cmd, 3DSTATE_TE, te)
   {
      te.TEEnable = true;
      te.TEMode = TE_MODE_HW_TESS;
      te.TEDomain = prog->domain;
      te.Partitioning = prog->partitioning;
      te.OutputTopology = tess_topology(&cmd->draw.gfx, prog->topology);
      te.MaximumTessellationFactorOdd = 63.0f;
      te.MaximumTessellationFactorNotOdd = 64.0f;
   }
   saf_emit_state(cmd, 3DSTATE_DS, ds)
   {
      COMMON_STATE(ds, shader);
      ds.StatisticsEnable = true;
#if GEN_VERX10 >= 80
      ds.DispatchMode = prog->dispatch_mode == INTEL_DISPATCH_SIMD8
                           ? DISPATCH_MODE_SIMD8_SINGLE_PATCH
                           : DISPATCH_MODE_SIMD4X2;
#endif
      ds.MaximumNumberofThreads = cmd->device->info->max_tes_threads - 1;
      ds.ComputeWCoordinateEnable = prog->compute_w;
      ds.PatchURBEntryReadLength = prog->urb_read_length;
      ds.PatchURBEntryReadOffset = prog->urb_read_offset;
      ds.DispatchGRFStartRegisterForURBData = prog->base.dispatch_grf_start;
      OUTPUT_STATE(ds, &prog->out);
   }
}

void
genX(emit_tessellation)(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   if (pipeline->shaders[MESA_SHADER_TESS_EVAL]) {
      emit_hs(cmd, pipeline->shaders[MESA_SHADER_TESS_CTRL]);
      emit_te_ds(cmd, pipeline->shaders[MESA_SHADER_TESS_EVAL]);
      return;
   }
   saf_emit_state(cmd, 3DSTATE_HS, hs);
   saf_emit_state(cmd, 3DSTATE_TE, te);
   saf_emit_state(cmd, 3DSTATE_DS, ds);
}

/* ---- geometry shader ---- */

/* PRM BDW vol 2a, 3DSTATE_GS: eight bits hold half the number of threads. */
#define GS_THREADS_UNIT (GEN_VERX10 == 80 ? 2 : 1)

static uint32_t
gs_dispatch_mode(const struct intel_gs_prog_data *prog)
{
   switch (prog->dispatch_mode) {
#if GEN_VERX10 >= 80
   case INTEL_DISPATCH_SIMD8: return DISPATCH_MODE_SIMD8;
#endif
   case INTEL_DISPATCH_4X2_DUAL_OBJECT: return DISPATCH_MODE_DualObject;
#if GEN_VERX10 < 90
   case INTEL_DISPATCH_4X1_SINGLE: return DISPATCH_MODE_SINGLE;
#else
   /* There is no such mode any more; one of two instances is like it. */
   case INTEL_DISPATCH_4X1_SINGLE:
#endif
   case INTEL_DISPATCH_4X2_DUAL_INSTANCE: return DISPATCH_MODE_DualInstance;
   default: unreachable("dispatch mode of a geometry shader");
   }
}

void
genX(emit_gs)(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   const struct saf_shader *shader = pipeline->shaders[MESA_SHADER_GEOMETRY];
   void (*before)(struct saf_cmd_buffer *) =
      intel_needs_workaround(cmd->device->info, INTEL_WA_STALL_ON_GS_CHANGE)
         ? genX(cmd_stall)
         : NULL;
   if (!shader) {
      saf_emit_state_after(cmd, 3DSTATE_GS, gs, before);
      return;
   }
   const struct intel_gs_prog_data *prog = &shader->prog.gs;
   saf_emit_state_after(cmd, 3DSTATE_GS, gs, before)
   {
      COMMON_STATE(gs, shader);
      gs.StatisticsEnable = true;
      gs.DispatchMode = gs_dispatch_mode(prog);
      gs.MaximumNumberofThreads =
         cmd->device->info->max_gs_threads / GS_THREADS_UNIT - 1;
#if GEN_VERX10 >= 80
      gs.ExpectedVertexCount = prog->vertices_in;
      if (prog->static_vertex_count >= 0) {
         gs.StaticOutput = true;
         gs.StaticOutputVertexCount = (uint32_t)prog->static_vertex_count;
      }
#endif
      gs.IncludeVertexHandles = prog->include_handles;
      gs.IncludePrimitiveID = prog->include_primitive_id;
      gs.VertexURBEntryReadLength = prog->urb_read_length;
      gs.VertexURBEntryReadOffset = prog->urb_read_offset;
      gs.DispatchGRFStartRegisterForURBData = prog->base.dispatch_grf_start &
                                              0xf;
#if GEN_VERX10 >= 90
      gs.DispatchGRFStartRegisterForURBData54 =
         prog->base.dispatch_grf_start >> 4;
#else
      assert(prog->base.dispatch_grf_start < 16);
#endif
      /* In slots, where the compiler counts pairs. */
      gs.OutputVertexSize = prog->output_vertex_size * 2 - 1;
      gs.OutputTopology = prog->topology;
      gs.ControlDataFormat = prog->control_data_format;
      gs.ControlDataHeaderSize = prog->control_data_header_size;
      gs.InstanceControl = prog->invocations - 1;
      gs.ReorderMode = cmd->draw.gfx.provoking_last ? TRAILING : LEADING;
      OUTPUT_STATE(gs, &prog->out);
   }
}
