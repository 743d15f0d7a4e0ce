/* SPDX-License-Identifier: MIT */
/* Blending and multisampling. */
#include "genX_private.h"
#include "genX_sample_positions.h"

/* ---- blending ---- */

static uint32_t
blend_factor(VkBlendFactor f)
{
   switch (f) {
   case VK_BLEND_FACTOR_ZERO: return BLENDFACTOR_ZERO;
   case VK_BLEND_FACTOR_ONE: return BLENDFACTOR_ONE;
   case VK_BLEND_FACTOR_SRC_COLOR: return BLENDFACTOR_SRC_COLOR;
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR: return BLENDFACTOR_INV_SRC_COLOR;
   case VK_BLEND_FACTOR_DST_COLOR: return BLENDFACTOR_DST_COLOR;
   case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR: return BLENDFACTOR_INV_DST_COLOR;
   case VK_BLEND_FACTOR_SRC_ALPHA: return BLENDFACTOR_SRC_ALPHA;
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA: return BLENDFACTOR_INV_SRC_ALPHA;
   case VK_BLEND_FACTOR_DST_ALPHA: return BLENDFACTOR_DST_ALPHA;
   case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA: return BLENDFACTOR_INV_DST_ALPHA;
   case VK_BLEND_FACTOR_CONSTANT_COLOR: return BLENDFACTOR_CONST_COLOR;
   case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return BLENDFACTOR_INV_CONST_COLOR;
   case VK_BLEND_FACTOR_CONSTANT_ALPHA: return BLENDFACTOR_CONST_ALPHA;
   case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return BLENDFACTOR_INV_CONST_ALPHA;
   case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
      return BLENDFACTOR_SRC_ALPHA_SATURATE;
   case VK_BLEND_FACTOR_SRC1_COLOR: return BLENDFACTOR_SRC1_COLOR;
   case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
      return BLENDFACTOR_INV_SRC1_COLOR;
   case VK_BLEND_FACTOR_SRC1_ALPHA: return BLENDFACTOR_SRC1_ALPHA;
   case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
      return BLENDFACTOR_INV_SRC1_ALPHA;
   case VK_BLEND_FACTOR_MAX_ENUM: break;
   }
   unreachable("blend factor");
}

static uint32_t
blend_function(VkBlendOp op)
{
   switch ((int)op) {
   case VK_BLEND_OP_ADD: return BLENDFUNCTION_ADD;
   case VK_BLEND_OP_SUBTRACT: return BLENDFUNCTION_SUBTRACT;
   case VK_BLEND_OP_REVERSE_SUBTRACT: return BLENDFUNCTION_REVERSE_SUBTRACT;
   case VK_BLEND_OP_MIN: return BLENDFUNCTION_MIN;
   case VK_BLEND_OP_MAX: return BLENDFUNCTION_MAX;
   }
   unreachable("blend op that is not advertised");
}

static uint32_t
logic_op(VkLogicOp op)
{
   static const uint8_t table[] = {
      [VK_LOGIC_OP_CLEAR] = LOGICOP_CLEAR,
      [VK_LOGIC_OP_AND] = LOGICOP_AND,
      [VK_LOGIC_OP_AND_REVERSE] = LOGICOP_AND_REVERSE,
      [VK_LOGIC_OP_COPY] = LOGICOP_COPY,
      [VK_LOGIC_OP_AND_INVERTED] = LOGICOP_AND_INVERTED,
      [VK_LOGIC_OP_NO_OP] = LOGICOP_NOOP,
      [VK_LOGIC_OP_XOR] = LOGICOP_XOR,
      [VK_LOGIC_OP_OR] = LOGICOP_OR,
      [VK_LOGIC_OP_NOR] = LOGICOP_NOR,
      [VK_LOGIC_OP_EQUIVALENT] = LOGICOP_EQUIV,
      [VK_LOGIC_OP_INVERT] = LOGICOP_INVERT,
      [VK_LOGIC_OP_OR_REVERSE] = LOGICOP_OR_REVERSE,
      [VK_LOGIC_OP_COPY_INVERTED] = LOGICOP_COPY_INVERTED,
      [VK_LOGIC_OP_OR_INVERTED] = LOGICOP_OR_INVERTED,
      [VK_LOGIC_OP_NAND] = LOGICOP_NAND,
      [VK_LOGIC_OP_SET] = LOGICOP_SET,
   };
   assert((unsigned)op < ARRAY_SIZE(table));
   return table[op];
}

static bool
is_min_max(VkBlendOp op)
{
   return op == VK_BLEND_OP_MIN || op == VK_BLEND_OP_MAX;
}

/* MIN and MAX take no factors, but the hardware applies them. It may hang on
 * those of a second colour that the shader does not have (chip-rules
 * FF-05). A target that the shader does not write keeps what it has: the
 * message that ends a thread without colours goes to the first one, too, with
 * whatever its registers hold. */
static struct saf_blend_target
effective_blend(const struct saf_draw_state *draw, unsigned i)
{
   const struct saf_blend_target *b = &draw->gfx.blend[i];
   const struct intel_wm_prog_data *prog = saf_pipeline_fs(draw->pipeline);
   struct saf_blend_target out = *b;
   out.write_mask = saf_gfx_write_mask(&draw->gfx, i);
   if (is_min_max(b->color_op))
      out.src_color = out.dst_color = VK_BLEND_FACTOR_ONE;
   if (is_min_max(b->alpha_op))
      out.src_alpha = out.dst_alpha = VK_BLEND_FACTOR_ONE;
   if (genX(reads_source1)(&out) && !(prog && prog->dual_src_blend))
      out.enable = false;
   if (!(prog && (prog->color_outputs_written & (1u << i))))
      out.write_mask = 0;
   return out;
}

static bool
has_independent_alpha(const struct saf_blend_target *b)
{
   return b->enable &&
          (b->src_color != b->src_alpha || b->dst_color != b->dst_alpha ||
           b->color_op != b->alpha_op);
}

static void
fill_blend_entry(const struct saf_gfx_state *gfx,
                 const struct saf_blend_target *b, bool takes_logic_op,
                 void *map)
{
   const bool enable = b->enable && !gfx->logic_op_enable;
   saf_fill(map, BLEND_STATE_ENTRY, e)
   {
#if GEN_VERX10 < 80
      e.AlphaToCoverageEnable = gfx->alpha_to_coverage;
      e.AlphaToOneEnable = gfx->alpha_to_one;
      e.IndependentAlphaBlendEnable = has_independent_alpha(b);
#endif
      e.LogicOpEnable = gfx->logic_op_enable && takes_logic_op;
      e.LogicOpFunction = logic_op(saf_gfx_logic_op(gfx));
      e.ColorClampRange = COLORCLAMP_RTFORMAT;
      e.PreBlendColorClampEnable = true;
      e.PostBlendColorClampEnable = true;
      e.ColorBufferBlendEnable = enable;
      if (enable) {
         e.SourceBlendFactor = blend_factor(b->src_color);
         e.DestinationBlendFactor = blend_factor(b->dst_color);
         e.ColorBlendFunction = blend_function(b->color_op);
         e.SourceAlphaBlendFactor = blend_factor(b->src_alpha);
         e.DestinationAlphaBlendFactor = blend_factor(b->dst_alpha);
         e.AlphaBlendFunction = blend_function(b->alpha_op);
      }
      e.WriteDisableRed = !(b->write_mask & VK_COLOR_COMPONENT_R_BIT);
      e.WriteDisableGreen = !(b->write_mask & VK_COLOR_COMPONENT_G_BIT);
      e.WriteDisableBlue = !(b->write_mask & VK_COLOR_COMPONENT_B_BIT);
      e.WriteDisableAlpha = !(b->write_mask & VK_COLOR_COMPONENT_A_BIT);
   }
}

/* In front of the entries from Gen8 on. */
#if GEN_VERX10 >= 80
#define BLEND_HEADER_B (GENX(BLEND_STATE_length) * 4)
#else
#define BLEND_HEADER_B 0
#endif

void
genX(emit_blend)(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   const struct saf_gfx_state *gfx = &cmd->draw.gfx;
   const unsigned header_B = BLEND_HEADER_B;
   const unsigned entry_B = GENX(BLEND_STATE_ENTRY_length) * 4;
   uint32_t state[(BLEND_HEADER_B +
                   SAF_MAX_RTS * GENX(BLEND_STATE_ENTRY_length) * 4) /
                  4];
   struct saf_blend_target blend[SAF_MAX_RTS] = { 0 };
   for (unsigned i = 0; i < pipeline->color_count; i++)
      blend[i] = effective_blend(&cmd->draw, i);
#if GEN_VERX10 >= 80
   bool independent = false;
   for (unsigned i = 0; i < pipeline->color_count; i++)
      independent |= has_independent_alpha(&blend[i]);
   saf_fill(state, BLEND_STATE, bs)
   {
      bs.AlphaToCoverageEnable = gfx->alpha_to_coverage;
      bs.AlphaToOneEnable = gfx->alpha_to_one;
      bs.IndependentAlphaBlendEnable = independent;
   }
#endif
   for (unsigned i = 0; i < SAF_MAX_RTS; i++)
      fill_blend_entry(gfx, &blend[i], pipeline->logic_op_targets & (1u << i),
                       (char *)state + header_B + i * entry_B);
   saf_emit_state(cmd, 3DSTATE_BLEND_STATE_POINTERS, p)
   {
      p.BlendStatePointer =
         genX(keep_state)(cmd, SAF_KEPT_BLEND, state, sizeof(state), 64);
      p.BlendStatePointerValid = true;
   }
#if GEN_VERX10 >= 80
   const bool enable0 = blend[0].enable && !gfx->logic_op_enable;
   saf_emit_state(cmd, 3DSTATE_PS_BLEND, pb)
   {
      pb.AlphaToCoverageEnable = gfx->alpha_to_coverage;
      pb.HasWriteableRT = genX(writes_color)(&cmd->draw);
      pb.IndependentAlphaBlendEnable = independent;
      pb.ColorBufferBlendEnable = enable0;
      if (enable0) {
         pb.SourceBlendFactor = blend_factor(blend[0].src_color);
         pb.DestinationBlendFactor = blend_factor(blend[0].dst_color);
         pb.SourceAlphaBlendFactor = blend_factor(blend[0].src_alpha);
         pb.DestinationAlphaBlendFactor = blend_factor(blend[0].dst_alpha);
      }
   }
#endif
}

uint32_t
genX(sample_mask)(const struct saf_gfx_state *gfx)
{
   return gfx->sample_mask & BITFIELD_MASK(gfx->samples);
}

#if GEN_VERX10 < 80
/* The positions that Vulkan calls standard, as in 3DSTATE_SAMPLE_PATTERN. */
static void
set_sample_positions(struct GENX(3DSTATE_MULTISAMPLE) * ms,
                     const struct saf_gfx_state *gfx)
{
   const bool own = gfx->own_positions;
#define SET(i, x, y)                                                         \
   ms->Sample##i##XOffset = (own ? gfx->positions[i][0] : (x)) / 16.0f;      \
   ms->Sample##i##YOffset = (own ? gfx->positions[i][1] : (y)) / 16.0f;
   switch (gfx->samples) {
   case 1: ms->Sample0XOffset = ms->Sample0YOffset = 0.5f; return;
   case 4: SAF_POSITIONS_4(SET) return;
   case 8: SAF_POSITIONS_8(SET) return;
   default: unreachable("number of samples that is not advertised");
   }
}
#endif

void
genX(emit_multisample)(struct saf_cmd_buffer *cmd)
{
   const struct saf_gfx_state *gfx = &cmd->draw.gfx;
#if GEN_VERX10 >= 80
   genX(emit_sample_pattern)(cmd, gfx->own_positions ? gfx : NULL);
#endif
   saf_emit_state(cmd, 3DSTATE_MULTISAMPLE, ms)
   {
      ms.NumberofMultisamples = util_logbase2(gfx->samples);
      ms.PixelLocation = PIXEL_LOCATION_CENTER;
#if GEN_VERX10 < 80
      set_sample_positions(&ms, gfx);
#endif
   }
   saf_emit_state(cmd, 3DSTATE_SAMPLE_MASK, sm)
      sm.SampleMask = genX(sample_mask)(gfx);
}
