/* SPDX-License-Identifier: MIT */
/*
 * What 3DPRIMITIVE finds that was sent, and in which order: constants, base
 * addresses, depth buffers, whole sets of packets (section 3 of the rules).
 */
#include "strict_private.h"

#include "intel/sim/gen/traits.h"

#include <stdio.h>

/*
 * Constants
 */

static void
check_constants(struct strict_command *c)
{
   const enum strict_stage stage = strict_stage_of(c);
   struct strict_constants *k = &c->c->constants[stage];
   /* Lengths of the buffers, 0 and 3. */
   const bool has_0 = c->dw[1] & 0xffff, has_3 = c->dw[2] >> 16;
   k->no_tables = k->sent = true;
   k->allocated = k->disabled = false;
   k->zero_then_one = k->committed && !k->committed_has_3 && has_0 &&
                      !k->drained;
   k->has_3 = has_3;
}

static void
check_allocation(struct strict_command *c)
{
   const enum strict_stage stage = strict_stage_of(c);
   c->c->constants[stage].allocated = true;
   if (stage == STRICT_PS)
      c->c->ps_allocated = true;
}

static bool
stage_enabled(const struct strict_command *c, enum strict_stage stage)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   switch (stage) {
   case STRICT_VS: return s->vs.Enable;
   case STRICT_HS: return s->hs.Enable;
   case STRICT_DS: return s->ds.Enable;
   case STRICT_GS: return s->gs.Enable;
   default: return true;
   }
}

static void
draw_constants(struct strict_command *c)
{
   for (unsigned i = 0; i < STRICT_STAGES; i++) {
      struct strict_constants *k = &c->c->constants[i];
      const char *name = strict_stage_names[i];
      const bool used = stage_enabled(c, (enum strict_stage)i);
      STRICT_CHECK(c, CO_19, used && k->allocated, "of %s", name);
      STRICT_CHECK(c, CO_20, k->no_tables, "of %s", name);
      STRICT_CHECK(c, CO_21, k->sent && k->zero_then_one, "of %s", name);
      STRICT_CHECK(c, PC_24, used && k->disabled, "constants of %s", name);
      if (k->sent) {
         k->committed = true;
         k->committed_has_3 = k->has_3;
         k->drained = false;
      }
      k->sent = k->zero_then_one = false;
   }
   STRICT_CHECK(c, CO_19,
                c->s->chip->waits_for_ps_allocation && c->c->ps_allocated,
                "%s", "nothing waits for the allocation of PS");
   c->c->ps_allocated = false;
}

/*
 * Pointers relative to a base
 */

static void
send_pointer(struct strict_command *c, enum strict_pointer p, bool surface)
{
   const struct sim_state_bases *b = &c->cs->hw->state.base;
   c->c->pointer_base[p] = surface ? b->surface : b->dynamic;
   c->c->pointer_sent[p] = true;
}

static void
check_tables(struct strict_command *c)
{
   const enum strict_stage stage = strict_stage_of(c);
   send_pointer(c, POINTER_TABLE + stage, true);
   c->c->constants[stage].no_tables = false;
}

static void
check_samplers(struct strict_command *c)
{
   send_pointer(c, POINTER_SAMPLER + strict_stage_of(c), false);
}

static void
check_pointer(struct strict_command *c)
{
   static const struct {
      const char *name;
      enum strict_pointer pointer;
   } rows[] = {
      { "3DSTATE_CC_STATE_POINTERS", POINTER_COLOR_CALC },
      { "3DSTATE_BLEND_STATE_POINTERS", POINTER_BLEND },
      { "3DSTATE_SCISSOR_STATE_POINTERS", POINTER_SCISSOR },
      { "3DSTATE_VIEWPORT_STATE_POINTERS_CC", POINTER_CC_VIEWPORT },
      { "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", POINTER_SF_VIEWPORT },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (!strcmp(c->group->name, rows[i].name))
         send_pointer(c, rows[i].pointer, false);
   }
}

/* Whether a draw looks at what the pointer leads to. */
static bool
pointer_used(const struct strict_command *c, unsigned i)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   const enum strict_stage stage = (enum strict_stage)(i % STRICT_STAGES);
   char packet[16];
   const bool pixels =
      c->s->chip->has_raster_packets
         ? s->ps_extra.PixelShaderValid
         : strict_state(c, "3DSTATE_WM", "ThreadDispatchEnable");
   switch (i) {
   case POINTER_COLOR_CALC:
   case POINTER_BLEND: return pixels;
   case POINTER_SCISSOR:
      return strict_state(
         c, c->s->chip->has_raster_packets ? "3DSTATE_RASTER" : "3DSTATE_SF",
         "ScissorRectangleEnable");
   case POINTER_CC_VIEWPORT: return true;
   case POINTER_SF_VIEWPORT:
      return strict_state(c, "3DSTATE_SF", "ViewportTransformEnable");
   default: break;
   }
   if (!stage_enabled(c, stage))
      return false;
   snprintf(packet, sizeof(packet), "3DSTATE_%s", strict_stage_names[stage]);
   return i < POINTER_SAMPLER || strict_state(c, packet, "SamplerCount");
}

static void
draw_pointers(struct strict_command *c)
{
   static const char *const names[] = {
      [POINTER_COLOR_CALC] = "colour calculator state",
      [POINTER_BLEND] = "blend state",
      [POINTER_SCISSOR] = "scissors",
      [POINTER_CC_VIEWPORT] = "depth viewports",
      [POINTER_SF_VIEWPORT] = "viewports"
   };
   const struct sim_state_bases *b = &c->cs->hw->state.base;
   for (unsigned i = 0; i < POINTERS; i++) {
      const bool table = i < POINTER_SAMPLER;
      const bool old = c->c->pointer_sent[i] &&
                       c->c->pointer_base[i] !=
                          (table ? b->surface : b->dynamic);
      if (!old || !pointer_used(c, i))
         continue;
      STRICT_CHECK(c, CO_09, true, "%s%s",
                   names[i] ? names[i]
                   : table  ? "binding tables of "
                            : "samplers of ",
                   names[i] ? "" : strict_stage_names[i % STRICT_STAGES]);
   }
}

/*
 * The depth buffer and its operations
 */

static const char *const depth_packets[] = {
   "3DSTATE_DEPTH_BUFFER",
   "3DSTATE_STENCIL_BUFFER",
   "3DSTATE_HIER_DEPTH_BUFFER",
   "3DSTATE_CLEAR_PARAMS",
};
#define ALL_DEPTH_PACKETS BITFIELD_MASK(ARRAY_SIZE(depth_packets))

static void
check_depth(struct strict_command *c)
{
   struct strict_context *s = c->c;
   unsigned i = 0;
   while (strcmp(depth_packets[i], c->group->name))
      i++;
   if (s->depth_sent == ALL_DEPTH_PACKETS)
      s->depth_sent = 0;
   s->depth_disorder |= s->depth_sent != BITFIELD_MASK(i);
   s->depth_sent |= 1u << i;
   STRICT_CHECK(c, CO_30, s->in_flight && s->depth_ready != 3, "%s", "");
}

static void
check_hz(struct strict_command *c)
{
   struct strict_context *s = c->c;
   const bool operation = c->dw[1] & 0xd8000000; /* clears and resolves */
   s->hz_seen = true;
   if (!operation) {
      STRICT_CHECK(c, CO_34, s->hz == HZ_OPERATION, "%s",
                   "no PIPE_CONTROL with a write after the operation");
      s->hz = HZ_NONE;
      return;
   }
   s->hz = HZ_OPERATION;
   STRICT_CHECK(c, CO_33,
                strict_get(c, "NumberofMultisamples") !=
                   strict_state(c, "3DSTATE_MULTISAMPLE",
                                "NumberofMultisamples"),
                "%s", "");
   STRICT_CHECK(c, CO_34, strict_get(c, "ScissorRectangleEnable"), "%s",
                "Scissor Rectangle Enable");
   /* 2: "force on". */
   STRICT_CHECK(c, CO_34,
                strict_state(c, "3DSTATE_WM", "ForceThreadDispatchEnable") ==
                   2,
                "%s", "Force Thread Dispatch");
}

static void
draw_depth(struct strict_command *c)
{
   struct strict_context *s = c->c;
   STRICT_CHECK(c, CO_32, s->depth_sent && s->depth_sent != ALL_DEPTH_PACKETS,
                "%s", "not all four");
   STRICT_CHECK(c, CO_32,
                s->depth_sent == ALL_DEPTH_PACKETS && s->depth_disorder, "%s",
                "in another order");
   s->depth_sent = 0;
   s->depth_disorder = false;
   STRICT_CHECK(c, CO_35, !s->hz_seen, "%s", "");
   STRICT_CHECK(c, CO_34, s->hz != HZ_NONE, "%s",
                "a draw before 3DSTATE_WM_HZ_OP is zero again");
   STRICT_CHECK(c, CO_36, s->pma_open, "%s", "after it");
   s->pma_open = false;
   STRICT_CHECK(
      c, CO_37,
      !strict_state(c, "3DSTATE_STENCIL_BUFFER", "StencilBufferEnable") &&
         strict_state(c, "3DSTATE_WM_DEPTH_STENCIL", "StencilTestEnable"),
      "%s", "");
}

/* Haswell has the mask twice; bits of samples that there are not are the same
 * either way. */
static void
draw_sample_masks(struct strict_command *c)
{
   const uint64_t log2_samples =
      strict_state(c, "3DSTATE_MULTISAMPLE", "NumberofMultisamples");
   const unsigned samples = 1u << MIN2(log2_samples, 3); /* more: reserved */
   const uint64_t differ =
      strict_state(c, "3DSTATE_PS", "SampleMask") ^
      strict_state(c, "3DSTATE_SAMPLE_MASK", "SampleMask");
   STRICT_CHECK(c, CO_39, differ & ((1u << samples) - 1), "%s", "");
}

/*
 * The rest
 */

/* Ivybridge: packets of VS, of which one PIPE_CONTROL covers a group. */
static void
check_vs(struct strict_command *c)
{
   STRICT_CHECK(c, CO_17, c->s->chip->vs_wants_stall && !c->c->vs_ready, "%s",
                "");
}

static void
draw_stages(struct strict_command *c)
{
   struct strict_context *s = c->c;
   const struct sim_render_state *state = &c->cs->hw->state;
   const bool gs = state->gs.Enable;
   const bool hs = state->hs.Enable && state->hs.InstanceCount;
   STRICT_CHECK(c, CO_23,
                c->s->gpu->info->gt == 2 && gs != s->gs_enabled &&
                   !s->stalled_since_draw,
                "%s", "");
   STRICT_CHECK(c, CO_24, hs && !s->hs_instances && !s->stalled_since_draw,
                "%s", "");
   s->gs_enabled = gs;
   s->hs_instances = hs;
   STRICT_CHECK(c, CO_18, s->urb_sent && s->urb_sent != 0xf, "%s", "");
   s->urb_sent = 0;
   STRICT_CHECK(c, CC_27, s->base_wants, "no %s invalidate after it",
                s->base_wants & PC_TEXTURE_INVALIDATE    ? "texture"
                : s->base_wants & PC_CONSTANT_INVALIDATE ? "constant"
                : s->base_wants & PC_STATE_INVALIDATE    ? "state"
                                                         : "instruction");
   s->base_wants = 0;
}

static void
draw_vertices(struct strict_command *c)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   const unsigned n = s->num_vertex_elements;
   STRICT_CHECK(c, CO_25,
                (s->vf_sgvs.VertexIDEnable &&
                 s->vf_sgvs.VertexIDElementOffset >= n) ||
                   (s->vf_sgvs.InstanceIDEnable &&
                    s->vf_sgvs.InstanceIDElementOffset >= n),
                "of %u elements", n);
   for (unsigned i = 0; i < n && s->vf.ComponentPackingEnable; i++) {
      STRICT_CHECK(c, CO_26,
                   i < 32 && s->vertex_element[i].Valid &&
                      !s->vf_component_packing.VertexElementEnables[i % 32],
                   "element %u", i);
   }
}

/* Topologies that preemption inside of a draw breaks. */
static void
draw_preemption(struct strict_command *c)
{
   if (!c->s->chip->has_cs_chicken ||
       !(cs_get_register(c->cs, GEN9_CS_CHICKEN1_num) & 1))
      return;
   const uint32_t topology =
      c->cs->hw->state.vf_topology.PrimitiveTopologyType;
   const char *what =
      topology == _3DPRIM_TRIFAN || topology == _3DPRIM_POLYGON ? "a fan"
      : topology == _3DPRIM_LINELOOP ? "a line loop"
      : topology == _3DPRIM_LINESTRIP_ADJ && c->cs->hw->state.gs.Enable
         ? "a line strip with adjacency"
      : strict_get(c, "InstanceCount") > 1 ? "instances"
                                           : NULL;
   STRICT_CHECK(c, CO_28, what, "%s", what);
}

static void
check_draw(struct strict_command *c)
{
   struct strict_context *s = c->c;
   const bool empty = !strict_get(c, "VertexCountPerInstance") &&
                      !strict_get(c, "IndirectParameterEnable");
   STRICT_CHECK(c, CO_02, s->empty_draw && !(empty && s->empty_draw == 2),
                "%s", "");
   s->empty_draw = 0;
   if (empty) {
      strict_work(s);
      return;
   }
   /* The rules look at state in the form of Gen9. */
   if (sim_traits(c->cs->spec->verx10)->state_form == SIM_STATE_GEN7)
      cs_gen7_translate(c->cs);
   strict_draw_uninitialised(c);
   draw_constants(c);
   draw_pointers(c);
   draw_depth(c);
   draw_sample_masks(c);
   draw_stages(c);
   draw_vertices(c);
   draw_preemption(c);
   strict_draw_resources(c);
   strict_draw_fixed(c);
   strict_draw_pixels(c);
   strict_draw_limits(c);
   strict_work(s);
   s->streamout_in_flight |=
      strict_state(c, "3DSTATE_STREAMOUT", "SOFunctionEnable");
}

static void
check_urb(struct strict_command *c)
{
   const enum strict_stage stage = strict_stage_of(c);
   if (stage < STRICT_URB_STAGES)
      c->c->urb_sent |= 1u << stage;
}

const struct strict_row strict_draw_rows[] = {
   { "3DSTATE_CONSTANT_", true, check_constants },
   { "3DSTATE_PUSH_CONSTANT_ALLOC_", true, check_allocation },
   { "3DSTATE_BINDING_TABLE_POINTERS_", true, check_tables },
   { "3DSTATE_SAMPLER_STATE_POINTERS_", true, check_samplers },
   { "3DSTATE_CC_STATE_POINTERS", false, check_pointer },
   { "3DSTATE_BLEND_STATE_POINTERS", false, check_pointer },
   { "3DSTATE_SCISSOR_STATE_POINTERS", false, check_pointer },
   { "3DSTATE_VIEWPORT_STATE_POINTERS_", true, check_pointer },
   { "3DSTATE_DEPTH_BUFFER", false, check_depth },
   { "3DSTATE_STENCIL_BUFFER", false, check_depth },
   { "3DSTATE_HIER_DEPTH_BUFFER", false, check_depth },
   { "3DSTATE_CLEAR_PARAMS", false, check_depth },
   { "3DSTATE_WM_HZ_OP", false, check_hz },
   { "3DSTATE_VS", false, check_vs },
   { "3DSTATE_URB_VS", false, check_vs },
   { "3DSTATE_CONSTANT_VS", false, check_vs },
   { "3DSTATE_BINDING_TABLE_POINTERS_VS", false, check_vs },
   { "3DSTATE_SAMPLER_STATE_POINTERS_VS", false, check_vs },
   { "3DSTATE_URB_", true, check_urb },
   { "3DPRIMITIVE", false, check_draw },
   { NULL, false, NULL },
};
