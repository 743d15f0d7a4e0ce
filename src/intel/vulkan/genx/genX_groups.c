/* SPDX-License-Identifier: MIT */
/*
 * Groups of packets, a row each: what writes them, and what of the state that
 * reads. A draw runs the groups whose state has changed since the last draw;
 * of their packets those that say something else are sent (genX_sent.h).
 */
#include "genX_private.h"

#define STAGE(NAME) SAF_DIRTY_STAGE(MESA_SHADER_##NAME)

/* Of which one is the last before rasterisation. */
#define GEOMETRY                                                             \
   (STAGE(VERTEX) | STAGE(TESS_CTRL) | STAGE(TESS_EVAL) | STAGE(GEOMETRY))

/* What primitives are for the rasteriser, and whether it multisamples. */
#define RASTERIZED_AS (GEOMETRY | SAF_GFX_TOPOLOGY | SAF_GFX_POLYGON_MODE)
#define RASTERIZATION_MODE                                                   \
   (RASTERIZED_AS | SAF_GFX_LINE_MODE | SAF_GFX_SAMPLES)

#define CULLING (SAF_GFX_FRONT_FACE | SAF_GFX_CULL_MODE)
#define DEPTH_CLIPPING (SAF_GFX_DEPTH_CLIP | SAF_GFX_DEPTH_CLAMP)
#define RASTER                                                               \
   (RASTERIZATION_MODE | CULLING | SAF_GFX_DEPTH_BIAS |                      \
    SAF_GFX_DEPTH_BIAS_ENABLE)

#define BLENDING                                                             \
   (STAGE(FRAGMENT) | SAF_DIRTY_PIPELINE | SAF_GFX_BLEND_ENABLE |            \
    SAF_GFX_BLEND_EQUATION | SAF_GFX_WRITE_MASK | SAF_GFX_COLOR_WRITES |     \
    SAF_GFX_LOGIC_OP_ENABLE | SAF_GFX_LOGIC_OP | SAF_GFX_ALPHA_TO_COVERAGE | \
    SAF_GFX_ALPHA_TO_ONE)

#define MULTISAMPLE                                                          \
   (SAF_GFX_SAMPLES | SAF_GFX_SAMPLE_MASK | SAF_GFX_OWN_POSITIONS |          \
    SAF_GFX_POSITIONS)

/* What Gen7 says in other packets than later ones. */
#if GEN_VERX10 < 80
#define PS_READS (RASTERIZATION_MODE | BLENDING | SAF_GFX_SAMPLE_MASK)
#define SCISSOR_READS SAF_GFX_VIEWPORT
#define CLIP_READS (CULLING | DEPTH_CLIPPING)
#define SF_READS (RASTER | SAF_DIRTY_TARGETS | SAF_GFX_LINE_STIPPLE_ENABLE)
#else
#define PS_READS 0
#define SCISSOR_READS 0
#define CLIP_READS 0
#define SF_READS 0
#endif

static const struct group {
   uint64_t reads;
   void (*emit)(struct saf_cmd_buffer *cmd);
} groups[] = {
   { GEOMETRY | SAF_DIRTY_URB, genX(emit_urb) },
   { GEOMETRY | SAF_GFX_VERTEX_INPUT, genX(emit_vertex_input) },
#if GEN_VERX10 >= 80
   { SAF_GFX_TOPOLOGY | SAF_GFX_PATCH, genX(emit_topology) },
#endif
   { STAGE(VERTEX) | SAF_DIRTY_PIPELINE, genX(emit_vs) },
   { STAGE(TESS_CTRL) | STAGE(TESS_EVAL) | SAF_GFX_DOMAIN_ORIGIN,
     genX(emit_tessellation) },
   { STAGE(GEOMETRY) | SAF_GFX_PROVOKING_VERTEX, genX(emit_gs) },
   { GEOMETRY | STAGE(FRAGMENT), genX(emit_sbe) },
   { STAGE(FRAGMENT) | SAF_DIRTY_PIPELINE | SAF_GFX_LINE_STIPPLE_ENABLE |
        PS_READS,
     genX(emit_ps) },
   { BLENDING, genX(emit_blend) },
   { MULTISAMPLE, genX(emit_multisample) },
   { SAF_DIRTY_TARGETS, genX(emit_targets) },
   { SAF_GFX_VIEWPORT | SAF_GFX_VIEWPORT_COUNT | SAF_GFX_DEPTH_CLAMP |
        SAF_GFX_DEPTH_CLAMP_RANGE | SAF_GFX_NEGATIVE_ONE_TO_ONE,
     genX(emit_viewports) },
   { SAF_GFX_SCISSOR | SAF_GFX_VIEWPORT_COUNT | SAF_DIRTY_TARGETS |
        SCISSOR_READS,
     genX(emit_scissors) },
   { RASTERIZED_AS | STAGE(FRAGMENT) | SAF_DIRTY_PIPELINE |
        SAF_DIRTY_TARGETS | SAF_GFX_PROVOKING_VERTEX |
        SAF_GFX_NEGATIVE_ONE_TO_ONE | SAF_GFX_RASTERIZER_DISCARD |
        SAF_GFX_VIEWPORT_COUNT | CLIP_READS,
     genX(emit_clip) },
   { GEOMETRY | SAF_GFX_LINE_WIDTH | SAF_GFX_LINE_MODE | SAF_GFX_SAMPLES |
        SAF_GFX_PROVOKING_VERTEX | SF_READS,
     genX(emit_sf) },
   { SAF_GFX_LINE_STIPPLE | SAF_GFX_LINE_STIPPLE_ENABLE,
     genX(emit_line_stipple) },
#if GEN_VERX10 >= 80
   { RASTER | DEPTH_CLIPPING | SAF_GFX_CONSERVATIVE, genX(emit_raster) },
#endif
   { SAF_DIRTY_TARGETS | SAF_GFX_DEPTH_TEST | SAF_GFX_DEPTH_WRITE |
        SAF_GFX_DEPTH_COMPARE | SAF_GFX_STENCIL_TEST | SAF_GFX_STENCIL_OP |
        SAF_GFX_STENCIL_COMPARE_MASK | SAF_GFX_STENCIL_WRITE_MASK |
        (GEN_VERX10 >= 90 ? SAF_GFX_STENCIL_REFERENCE : 0),
     genX(emit_depth_stencil) },
   { SAF_GFX_BLEND_CONSTANTS |
        (GEN_VERX10 < 90 ? SAF_GFX_STENCIL_REFERENCE : 0),
     genX(emit_color_calc) },
   { SAF_GFX_VERTEX_INPUT | SAF_DIRTY_VERTEX_BUFFERS,
     genX(emit_vertex_buffers) },
   { GEOMETRY | SAF_DIRTY_XFB | SAF_GFX_STREAM | SAF_GFX_PROVOKING_VERTEX,
     genX(emit_streamout) },
   { GEOMETRY | STAGE(FRAGMENT) | SAF_DIRTY_DESCRIPTORS |
        SAF_DIRTY_PUSH_CONSTANTS | SAF_DIRTY_TARGETS,
     genX(emit_resources) },
};

const uint64_t genX(reads_of_hiz_op) = MULTISAMPLE | RASTER | DEPTH_CLIPPING |
                                       STAGE(FRAGMENT);

static_assert(ARRAY_SIZE(groups) <= SAF_MAX_GROUPS, "numbers of groups");

/* What no pipeline has. */
#define RECORDING                                                            \
   (SAF_DIRTY_VERTEX_BUFFERS | SAF_DIRTY_DESCRIPTORS |                       \
    SAF_DIRTY_PUSH_CONSTANTS | SAF_DIRTY_TARGETS | SAF_DIRTY_XFB |           \
    SAF_DIRTY_URB)

uint64_t
genX(pack_groups)(struct saf_cmd_buffer *cmd,
                  const struct util_dynarray *items,
                  uint32_t ends_B[SAF_MAX_GROUPS])
{
   const uint64_t others = cmd->draw.pipeline->dynamic | RECORDING;
   uint64_t found = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(groups); i++) {
      if (!(groups[i].reads & others)) {
         groups[i].emit(cmd);
         found |= 1ull << i;
      }
      ends_B[i] = (uint32_t)items->size_B;
   }
   return found;
}

/* The groups that read any of these states, a bit each. What changes for one
 * draw changes for the next, mostly. */
static uint32_t
groups_of(struct saf_cmd_buffer *cmd, uint64_t states)
{
   if (cmd->read_states == states)
      return cmd->readers;
   cmd->read_states = states;
   cmd->readers = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(groups); i++) {
      if (states & groups[i].reads)
         cmd->readers |= 1u << i;
   }
   return cmd->readers;
}

void
genX(emit_groups)(struct saf_cmd_buffer *cmd)
{
   const struct saf_packed *packed = cmd->draw.pipeline->packed;
   uint64_t dirty = cmd->dirty;
   uint32_t readers = groups_of(cmd, dirty);
   while (readers) {
      const unsigned i = (unsigned)u_bit_scan(&readers);
      if (packed && packed->groups & 1ull << i)
         genX(send_packed)(cmd, packed, i);
      else
         groups[i].emit(cmd);
      /* What it has made dirty is for those that follow. */
      if (cmd->dirty != dirty) {
         dirty = cmd->dirty;
         readers = groups_of(cmd, dirty) & ~((2u << i) - 1);
      }
   }
}
