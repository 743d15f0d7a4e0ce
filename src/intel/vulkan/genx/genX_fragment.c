/* SPDX-License-Identifier: MIT */
/* The fragment shader and the setup of its inputs. */
#include "genX_private.h"

#include "intel/vulkan/pipeline/saf_fragment_inputs.h"

/* ---- setup of fragment shader inputs ---- */

struct sbe_inputs {
   unsigned count;
   unsigned read_offset; /* pairs of slots that are skipped */
   unsigned read_length; /* pairs of slots */
   int primitive_id;     /* attribute that gets it, or -1 */
   bool swizzle;
   struct GENX(SF_OUTPUT_ATTRIBUTE_DETAIL) attr[SAF_MAX_FRAGMENT_INPUTS];
};

static void
set_constant(struct GENX(SF_OUTPUT_ATTRIBUTE_DETAIL) * attr, uint32_t source)
{
   attr->ConstantSource = source;
   attr->ComponentOverrideX = true;
   attr->ComponentOverrideY = true;
   attr->ComponentOverrideZ = true;
   attr->ComponentOverrideW = true;
}

static void
collect_inputs(const struct intel_wm_prog_data *wm,
               const struct intel_vue_outputs *out, struct sbe_inputs *in)
{
   const struct intel_vue_map *vue = &out->vue_map;
   memset(in, 0, sizeof(*in));
   in->primitive_id = -1;
   in->count = wm->num_varying_inputs;
   in->read_offset = saf_input_read_offset(wm, out);
   int max_source = 0;
   for (unsigned varying = 0; varying < ARRAY_SIZE(wm->urb_setup);
        varying++) {
      const int index = wm->urb_setup[varying];
      if (index < 0)
         continue;
      struct GENX(SF_OUTPUT_ATTRIBUTE_DETAIL) *attr = &in->attr[index];
      if (varying == VARYING_SLOT_PRIMITIVE_ID &&
          vue->varying_to_slot[varying] < 0) {
#if GEN_VERX10 < 80
         /* Gen7 has no override of its own for it. */
         set_constant(attr, PRIM_ID);
         in->swizzle = true;
#endif
         in->primitive_id = index;
         continue;
      }
      const int source = saf_input_source(varying, out, in->read_offset);
      if (source < 0) {
         /* Not written; of what lies in the header that means zero. */
         set_constant(attr, varying == VARYING_SLOT_LAYER ||
                                  varying == VARYING_SLOT_VIEWPORT
                               ? CONST_0000
                               : CONST_0001_FLOAT);
         in->swizzle = true;
         continue;
      }
      attr->SourceAttribute = (uint32_t)source;
      in->swizzle |= source != index;
      max_source = MAX2(max_source, source);
   }
   in->read_length = DIV_ROUND_UP((unsigned)max_source + 1, 2);
}

/* A payload of nothing but the header hangs Gen9: such a thread is given an
 * attribute that it does not look at (chip-rules FF-12). */
static bool
wants_attribute(const struct intel_wm_prog_data *prog)
{
   return GEN_VERX10 == 90 && !prog->num_varying_inputs &&
          !prog->base.push[0].length;
}

void
genX(emit_sbe)(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   const struct intel_wm_prog_data *wm = saf_pipeline_fs(pipeline);
   if (!wm) {
      saf_emit_state(cmd, 3DSTATE_SBE, sbe)
      {
         sbe.VertexURBEntryReadOffset = 1;
         sbe.VertexURBEntryReadLength = 1;
#if GEN_VERX10 >= 80
         sbe.ForceVertexURBEntryReadOffset = true;
         sbe.ForceVertexURBEntryReadLength = true;
#endif
      }
#if GEN_VERX10 >= 80
      saf_emit_state(cmd, 3DSTATE_SBE_SWIZ, swiz);
#endif
      return;
   }
   struct sbe_inputs in;
   collect_inputs(wm, &pipeline->out, &in);
   saf_emit_state(cmd, 3DSTATE_SBE, sbe)
   {
      sbe.AttributeSwizzleEnable = in.swizzle;
      sbe.NumberofSFOutputAttributes = in.count ? in.count
                                                : wants_attribute(wm);
      sbe.PointSpriteTextureCoordinateOrigin = POINT_SPRITE_UPPERLEFT;
      sbe.PointSpriteTextureCoordinateEnable = wm->point_coord_inputs;
      sbe.ConstantInterpolationEnable = wm->flat_inputs;
      sbe.VertexURBEntryReadOffset = in.read_offset;
      sbe.VertexURBEntryReadLength = in.read_length;
#if GEN_VERX10 >= 80
      sbe.ForceVertexURBEntryReadOffset = true;
      sbe.ForceVertexURBEntryReadLength = true;
      if (in.primitive_id >= 0) {
         sbe.PrimitiveIDOverrideAttributeSelect = (uint32_t)in.primitive_id;
         sbe.PrimitiveIDOverrideComponentX = true;
         sbe.PrimitiveIDOverrideComponentY = true;
         sbe.PrimitiveIDOverrideComponentZ = true;
         sbe.PrimitiveIDOverrideComponentW = true;
      }
#else
      for (unsigned i = 0; i < MIN2(in.count, 16); i++)
         sbe.Attribute[i] = in.attr[i];
#endif
#if GEN_VERX10 >= 90
      for (unsigned i = 0; i < 32; i++)
         sbe.AttributeActiveComponentFormat[i] = ACTIVE_COMPONENT_XYZW;
#endif
   }
#if GEN_VERX10 >= 80
   saf_emit_state(cmd, 3DSTATE_SBE_SWIZ, swiz)
   {
      for (unsigned i = 0; i < MIN2(in.count, 16); i++)
         swiz.Attribute[i] = in.attr[i];
   }
#endif
}

/* ---- fragment shader ---- */

bool
genX(writes_color)(const struct saf_draw_state *draw)
{
   const struct saf_pipeline *pipeline = draw->pipeline;
   if (!saf_pipeline_fs(pipeline))
      return false;
   const uint8_t written = saf_pipeline_fs(pipeline)->color_outputs_written;
   for (unsigned i = 0; i < pipeline->color_count; i++) {
      if ((written & (1u << i)) && saf_gfx_write_mask(&draw->gfx, i))
         return true;
   }
   return false;
}

static uint32_t
depth_mode(enum intel_computed_depth d)
{
   switch (d) {
   case INTEL_DEPTH_NONE: return PSCDEPTH_OFF;
   case INTEL_DEPTH_ANY: return PSCDEPTH_ON;
   case INTEL_DEPTH_GREATER: return PSCDEPTH_ON_GE;
   case INTEL_DEPTH_LESS: return PSCDEPTH_ON_LE;
   }
   unreachable("computed depth");
}

/* PRM BDW vol 2a, 3DSTATE_PS: the number less two; SKL: less one. */
#define PSD_THREADS_BIAS (GEN_VERX10 == 80 ? 2 : 1)

/* Before Gen8 it must never be 0 (chip-rules RL-14). */
static void
set_max_threads(struct GENX(3DSTATE_PS) * ps,
                const struct intel_device_info *info)
{
#if GEN_VERX10 >= 80
   ps->MaximumNumberofThreadsPerPSD = info->max_threads_per_psd -
                                      PSD_THREADS_BIAS;
#else
   ps->MaximumNumberofThreads = info->max_wm_threads - 1;
#endif
}

static void
emit_ps_disabled(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   saf_emit_state(cmd, 3DSTATE_WM, wm)
   {
      wm.StatisticsEnable = !pipeline->internal;
#if GEN_VERX10 < 80
      wm.MultisampleRasterizationMode = genX(rasterization_mode)(&cmd->draw);
      wm.DepthBufferClear = cmd->hiz_rectangle == SAF_HIZ_CLEAR;
      wm.DepthBufferResolveEnable = cmd->hiz_rectangle == SAF_HIZ_RESOLVE;
#endif
   }
   saf_emit_state(cmd, 3DSTATE_PS, ps)
   {
      set_max_threads(&ps, cmd->device->info);
#if GEN_VERX10 < 80
      ps._8PixelDispatchEnable = true;
#endif
#if GEN_VERX10 == 75
      ps.SampleMask = genX(sample_mask)(&cmd->draw.gfx);
#endif
   }
#if GEN_VERX10 >= 80
   saf_emit_state(cmd, 3DSTATE_PS_EXTRA, extra);
#endif
}

static bool
is_source1(VkBlendFactor f)
{
   return f == VK_BLEND_FACTOR_SRC1_COLOR ||
          f == VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR ||
          f == VK_BLEND_FACTOR_SRC1_ALPHA ||
          f == VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

bool
genX(reads_source1)(const struct saf_blend_target *b)
{
   return is_source1(b->src_color) || is_source1(b->dst_color) ||
          is_source1(b->src_alpha) || is_source1(b->dst_alpha);
}

#if GEN_VERX10 < 80
/* Told to blend with two sources while no factor reads the second, the
 * hardware hangs (chip-rules FF-04). */
static bool
blends_two_sources(const struct saf_draw_state *draw)
{
   const struct saf_blend_target *b = &draw->gfx.blend[0];
   return draw->pipeline->color_count && b->enable &&
          !draw->gfx.logic_op_enable &&
          saf_pipeline_fs(draw->pipeline)->dual_src_blend &&
          genX(reads_source1)(b);
}

/* Since Gen8 the hardware finds out by itself whether threads have to run. */
static bool
must_dispatch(const struct saf_draw_state *draw)
{
   const struct intel_wm_prog_data *prog = saf_pipeline_fs(draw->pipeline);
   return genX(writes_color)(draw) || prog->uses_kill || prog->uses_omask ||
          prog->computed_depth != INTEL_DEPTH_NONE ||
          prog->base.has_side_effects || draw->gfx.alpha_to_coverage;
}

/* What the other packets say from Gen8 on: 3DSTATE_PS_EXTRA and _RASTER. */
static void
set_wm(struct GENX(3DSTATE_WM) * wm, const struct saf_draw_state *draw)
{
   const struct intel_wm_prog_data *prog = saf_pipeline_fs(draw->pipeline);
   wm->ThreadDispatchEnable = must_dispatch(draw);
   wm->MultisampleRasterizationMode = genX(rasterization_mode)(draw);
   /* With one sample it must be this one, too (chip-rules FF-10). */
   wm->MultisampleDispatchMode = draw->gfx.samples == 1 ||
                                       prog->persample_dispatch
                                    ? MSDISPMODE_PERSAMPLE
                                    : MSDISPMODE_PERPIXEL;
   wm->PixelShaderComputedDepthMode = depth_mode(prog->computed_depth);
   wm->PixelShaderUsesSourceDepth = prog->uses_src_depth;
   wm->PixelShaderUsesSourceW = prog->uses_src_w;
   wm->PixelShaderUsesInputCoverageMask = prog->uses_sample_mask_in;
   wm->PixelShaderKillsPixel = prog->uses_kill || prog->uses_omask;
#if GEN_VERX10 == 75
   wm->PSUAVonly = prog->base.has_side_effects && !genX(writes_color)(draw);
#endif
}

static void
set_ps(struct GENX(3DSTATE_PS) * ps, const struct saf_draw_state *draw)
{
   const struct intel_wm_prog_data *prog = saf_pipeline_fs(draw->pipeline);
   ps->AttributeEnable = prog->num_varying_inputs > 0;
   ps->oMaskPresenttoRenderTarget = prog->uses_omask;
   ps->DualSourceBlendEnable = blends_two_sources(draw);
   /* Whole quads run without it (Mesa's drivers leave it off here). */
   ps->VectorMaskEnable = false;
#if GEN_VERX10 == 75
   ps->SampleMask = genX(sample_mask)(&draw->gfx);
   ps->AccessesUAV = prog->base.has_side_effects;
#endif
}
#endif

#if GEN_VERX10 >= 80
static void
emit_ps_extra(struct saf_cmd_buffer *cmd,
              const struct intel_wm_prog_data *prog)
{
   saf_emit_state(cmd, 3DSTATE_PS_EXTRA, extra)
   {
      extra.PixelShaderValid = true;
      extra.AttributeEnable = prog->num_varying_inputs > 0 ||
                              wants_attribute(prog);
      extra.oMaskPresenttoRenderTarget = prog->uses_omask;
      extra.PixelShaderDisablesAlphaToCoverage = prog->uses_omask;
      extra.PixelShaderIsPerSample = prog->persample_dispatch;
      extra.PixelShaderComputedDepthMode = depth_mode(prog->computed_depth);
      extra.PixelShaderUsesSourceDepth = prog->uses_src_depth;
      extra.PixelShaderUsesSourceW = prog->uses_src_w;
      extra.PixelShaderKillsPixel = prog->uses_kill;
#if GEN_VERX10 >= 90
      extra.PixelShaderHasUAV = prog->base.has_side_effects;
      extra.PixelShaderComputesStencil = prog->computed_stencil;
      extra.PixelShaderPullsBary = prog->pulls_barycentrics;
      extra.InputCoverageMaskState = prog->post_depth_coverage
                                        ? ICMS_DEPTH_COVERAGE
                                     : prog->uses_sample_mask_in ? ICMS_NORMAL
                                                                 : ICMS_NONE;
#else
      assert(!prog->computed_stencil && "not advertised");
      extra.PixelShaderUsesInputCoverageMask = prog->uses_sample_mask_in;
#endif
      /* A shader that only kills pixels still has to run. */
      extra.PixelShaderDoesnotwritetoRT = false;
   }
}
#endif

static void
set_ccs_op(struct GENX(3DSTATE_PS) * ps, uint8_t op)
{
   ps->RenderTargetFastClearEnable = op == SAF_CCS_CLEAR;
#if GEN_VERX10 >= 90
   if (op == SAF_CCS_RESOLVE)
      ps->RenderTargetResolveType = RESOLVE_FULL;
#else
   ps->RenderTargetResolveEnable = op == SAF_CCS_RESOLVE;
#endif
}

void
genX(emit_ps)(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   const struct saf_shader *shader = pipeline->shaders[MESA_SHADER_FRAGMENT];
   if (!shader) {
      emit_ps_disabled(cmd);
      return;
   }
   const struct intel_wm_prog_data *prog = &shader->prog.wm;
   /* For each sample there may be but one width (chip-rules FF-07). */
   const bool narrow = prog->dispatch_8 &&
                       !(prog->persample_dispatch && prog->dispatch_16);
   const bool both = narrow && prog->dispatch_16;

   saf_emit_state(cmd, 3DSTATE_WM, wm)
   {
      wm.StatisticsEnable = !pipeline->internal;
      wm.LineEndCapAntialiasingRegionWidth = _05pixels;
      wm.LineAntialiasingRegionWidth = _10pixels;
      wm.PointRasterizationRule = RASTRULE_UPPER_RIGHT;
      wm.LineStippleEnable = cmd->draw.gfx.line_stipple;
      wm.BarycentricInterpolationMode = prog->barycentric_modes;
      if (prog->early_fragment_tests)
         wm.EarlyDepthStencilControl = EDSC_PREPS;
      else if (prog->base.has_side_effects)
         wm.EarlyDepthStencilControl = EDSC_PSEXEC;
      else
         wm.EarlyDepthStencilControl = EDSC_NORMAL;
#if GEN_VERX10 < 80
      set_wm(&wm, &cmd->draw);
#elif GEN_VERX10 == 80
      /* In place of PixelShaderHasUAV, which hangs (chip-rules FF-02). */
      if (prog->base.has_side_effects)
         wm.ForceThreadDispatchEnable = FORCE_DISPATCH_ON;
#endif
   }
   saf_emit_state(cmd, 3DSTATE_PS, ps)
   {
      ps._8PixelDispatchEnable = narrow;
      ps._16PixelDispatchEnable = prog->dispatch_16;
      ps.KernelStartPointer0 =
         shader->kernel.offset +
         (narrow ? prog->prog_offset_8_B : prog->prog_offset_16_B);
      ps.DispatchGRFStartRegisterForConstantSetupData0 =
         narrow ? prog->dispatch_grf_start_8 : prog->dispatch_grf_start_16;
      if (both) {
         ps.KernelStartPointer2 = shader->kernel.offset +
                                  prog->prog_offset_16_B;
         ps.DispatchGRFStartRegisterForConstantSetupData2 =
            prog->dispatch_grf_start_16;
      }
      /* All four pixels of a quad run, or derivatives have no neighbours. */
      ps.VectorMaskEnable = true;
      ps.SamplerCount = genX(sampler_hint)(shader);
      ps.BindingTableEntryCount = genX(surface_hint)(shader);
      ps.PushConstantEnable = prog->base.push_length > 0;
      ps.PositionXYOffsetSelect = prog->uses_pos_offset ? POSOFFSET_SAMPLE
                                                        : POSOFFSET_NONE;
      set_max_threads(&ps, cmd->device->info);
      set_ccs_op(&ps, cmd->ccs_rectangle);
      ps.PerThreadScratchSpace = genX(scratch_encoding)(shader);
      ps.ScratchSpaceBasePointer = genX(scratch_addr)(shader);
#if GEN_VERX10 < 80
      set_ps(&ps, &cmd->draw);
#endif
   }
#if GEN_VERX10 >= 80
   emit_ps_extra(cmd, prog);
#endif
}
