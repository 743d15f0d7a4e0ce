/* SPDX-License-Identifier: MIT */
/*
 * State packets of Gen7 (Ivybridge) and Gen7.5 (Haswell) in the shape of
 * Gen9's (PRM HSW Vol. 2a; IVB Vol. 2 part 1, each under its name).
 *
 * A packet that says by itself what one of Gen9's says is translated when it
 * comes. Where Gen9 has divided a state among packets, or reads from memory
 * what was a packet or the other way round, the packet is kept, and
 * cs_gen7_before_draw() makes the state of all of them. Fields that both have
 * are copied by functions that gen75_to_gen9.py lists; what differs is here.
 *
 * The two generations share layouts but for a few fields, which IVB() reads.
 */
#include "state_gen7.h"

#include <inttypes.h>

#include "cs_private.h"
#include "gen75_to_gen9.h"
#include "intel/genxml/gen7_pack.h"

static bool
is_ivb(const struct sim_cs *cs)
{
   return cs->gpu->verx10 == 70;
}

static struct sim_render_state *
state(struct sim_cs *cs)
{
   return &cs->hw->state;
}

/* A handler that keeps a packet for the draw. */
#define KEEP(packet, member)                                                 \
   static enum cs_status keep_##member(struct sim_cs *cs,                    \
                                       const uint32_t *dw, unsigned n)       \
   {                                                                         \
      GEN75_##packet##_unpack(dw, &cs->hw->gen7.member);                     \
      return CS_CONTINUE;                                                    \
   }
KEEP(3DSTATE_CLIP, clip)
KEEP(3DSTATE_SF, sf)
KEEP(3DSTATE_WM, wm)
KEEP(3DSTATE_PS, ps)
KEEP(3DSTATE_MULTISAMPLE, multisample)
KEEP(3DSTATE_DEPTH_BUFFER, depth_buffer)
KEEP(3DSTATE_HIER_DEPTH_BUFFER, hier_depth_buffer)
KEEP(3DSTATE_STREAMOUT, streamout)
#undef KEEP

/* Ivybridge has no enable: a buffer that is nowhere is none. */
static enum cs_status
keep_stencil_buffer(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_STENCIL_BUFFER *s = &cs->hw->gen7.stencil_buffer;
   GEN75_3DSTATE_STENCIL_BUFFER_unpack(dw, s);
   if (is_ivb(cs))
      s->StencilBufferEnable = s->SurfaceBaseAddress != 0;
   return CS_CONTINUE;
}

static enum cs_status
clear_params(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_CLEAR_PARAMS c;
   GEN75_3DSTATE_CLEAR_PARAMS_unpack(dw, &c);
   cs->hw->gen7.depth_clear_value = c.DepthClearValue;
   return CS_CONTINUE;
}

static enum cs_status
depth_stencil_state_pointers(struct sim_cs *cs, const uint32_t *dw,
                             unsigned n)
{
   struct GEN75_3DSTATE_DEPTH_STENCIL_STATE_POINTERS c;
   GEN75_3DSTATE_DEPTH_STENCIL_STATE_POINTERS_unpack(dw, &c);
   if (c.DepthStencilStatePointerValid)
      cs->hw->gen7.depth_stencil = c;
   return CS_CONTINUE;
}

static enum cs_status
so_buffer(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_SO_BUFFER c;
   GEN75_3DSTATE_SO_BUFFER_unpack(dw, &c);
   cs->hw->gen7.so_buffer[c.SOBufferIndex] = c;
   return CS_CONTINUE;
}

#define CONSTANT(stage, member)                                              \
   static enum cs_status constant_##member(struct sim_cs *cs,                \
                                           const uint32_t *dw, unsigned n)   \
   {                                                                         \
      struct GEN75_3DSTATE_CONSTANT_##stage c;                               \
      GEN75_3DSTATE_CONSTANT_##stage##_unpack(dw, &c);                       \
      cs->hw->gen7.constant_##member = c.ConstantBody;                       \
      return CS_CONTINUE;                                                    \
   }
CONSTANT(VS, vs)
CONSTANT(HS, hs)
CONSTANT(DS, ds)
CONSTANT(GS, gs)
CONSTANT(PS, ps)
#undef CONSTANT

/*
 * State base address
 */

/* An upper bound of 0, or at the top of the address space, is none. */
static uint64_t
bound_size_B(uint64_t bound, uint64_t base)
{
   return bound > base && bound < 0xfffff000 ? bound - base : 0;
}

static enum cs_status
state_base_address(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_STATE_BASE_ADDRESS c;
   struct sim_state_bases *b = &state(cs)->base;
   GEN75_STATE_BASE_ADDRESS_unpack(dw, &c);
   if (c.GeneralStateBaseAddressModifyEnable)
      b->general = c.GeneralStateBaseAddress;
   if (c.SurfaceStateBaseAddressModifyEnable)
      b->surface = c.SurfaceStateBaseAddress;
   if (c.DynamicStateBaseAddressModifyEnable)
      b->dynamic = c.DynamicStateBaseAddress;
   if (c.IndirectObjectBaseAddressModifyEnable)
      b->indirect = c.IndirectObjectBaseAddress;
   if (c.InstructionBaseAddressModifyEnable)
      b->instruction = c.InstructionBaseAddress;
   if (c.GeneralStateAccessUpperBoundModifyEnable)
      b->general_size_B =
         bound_size_B(c.GeneralStateAccessUpperBound, b->general);
   if (c.DynamicStateAccessUpperBoundModifyEnable)
      b->dynamic_size_B =
         bound_size_B(c.DynamicStateAccessUpperBound, b->dynamic);
   if (c.IndirectObjectAccessUpperBoundModifyEnable)
      b->indirect_size_B =
         bound_size_B(c.IndirectObjectAccessUpperBound, b->indirect);
   if (c.InstructionAccessUpperBoundModifyEnable)
      b->instruction_size_B =
         bound_size_B(c.InstructionAccessUpperBound, b->instruction);
   return CS_CONTINUE;
}

static enum cs_status
state_sip(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_STATE_SIP c;
   GEN75_STATE_SIP_unpack(dw, &c);
   state(cs)->state_sip.SystemInstructionPointer = c.SystemInstructionPointer;
   return CS_CONTINUE;
}

static enum cs_status
pipeline_select(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   GEN9_PIPELINE_SELECT_unpack(dw, &state(cs)->pipeline_select);
   return CS_CONTINUE;
}

static enum cs_status
binding_table_pool_alloc(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_BINDING_TABLE_POOL_ALLOC c;
   GEN75_3DSTATE_BINDING_TABLE_POOL_ALLOC_unpack(dw, &c);
   if (c.BindingTablePoolEnable)
      return cs_fault(cs, "hardware binding tables are not implemented");
   return CS_CONTINUE;
}

/*
 * Vertex fetch
 */

static void
set_vertex_buffer(struct sim_cs *cs, const uint32_t *dw)
{
   struct GEN75_VERTEX_BUFFER_STATE vb;
   GEN75_VERTEX_BUFFER_STATE_unpack(dw, &vb);
   struct GEN75_VERTEX_BUFFER_STATE *to =
      &cs->hw->gen7.vertex_buffer[vb.VertexBufferIndex];
   if (!vb.AddressModifyEnable) {
      vb.BufferStartingAddress = to->BufferStartingAddress;
      vb.EndAddress = to->EndAddress;
   }
   *to = vb;
}

static enum cs_status
vertex_buffers(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return cs_vertex_buffers(cs, dw, n, set_vertex_buffer);
}

/* Ends are of the last byte; an end before the start means empty. But stock
 * drivers let a buffer of which they have only a part in the middle begin
 * before address zero: addresses wrap around at 32 bits. */
static uint32_t
size_to(uint64_t start, uint64_t end)
{
   const uint32_t size_B = (uint32_t)(end - start + 1);
   return end >= start || size_B < 1u << 31 ? size_B : 0;
}

/* Ivybridge's cut indices are all ones in the format of the indices. */
static enum cs_status
index_buffer(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_INDEX_BUFFER c;
   GEN75_3DSTATE_INDEX_BUFFER_unpack(dw, &c);
   state(cs)->index_buffer = (struct GEN9_3DSTATE_INDEX_BUFFER) {
      .IndexFormat = c.IndexFormat,
      .BufferStartingAddress = c.BufferStartingAddress,
      .BufferSize = size_to(c.BufferStartingAddress, c.BufferEndingAddress),
   };
   if (is_ivb(cs)) {
      static const uint32_t cut[4] = { 0xff, 0xffff, 0xffffffff, 0 };
      struct GEN7_3DSTATE_INDEX_BUFFER ivb;
      GEN7_3DSTATE_INDEX_BUFFER_unpack(dw, &ivb);
      state(cs)->vf.IndexedDrawCutIndexEnable = ivb.CutIndexEnable;
      state(cs)->vf.CutIndex = cut[c.IndexFormat];
   }
   return CS_CONTINUE;
}

/* The rate of instances belongs to the buffer. */
static void
before_draw_vertices(struct sim_cs *cs)
{
   struct sim_render_state *s = state(cs);
   for (unsigned i = 0; i < SIM_MAX_VERTEX_BUFFERS; i++) {
      const struct GEN75_VERTEX_BUFFER_STATE *vb =
         &cs->hw->gen7.vertex_buffer[i];
      s->vertex_buffer[i] = (struct GEN9_VERTEX_BUFFER_STATE) {
         .BufferPitch = vb->BufferPitch,
         .NullVertexBuffer = vb->NullVertexBuffer,
         .VertexBufferIndex = i,
         .BufferStartingAddress = vb->BufferStartingAddress,
         .BufferSize = size_to(vb->BufferStartingAddress, vb->EndAddress),
      };
   }
   for (unsigned i = 0; i < s->num_vertex_elements; i++) {
      const unsigned b = s->vertex_element[i].VertexBufferIndex;
      if (b >= SIM_MAX_VERTEX_BUFFERS)
         continue;
      const struct GEN75_VERTEX_BUFFER_STATE *vb =
         &cs->hw->gen7.vertex_buffer[b];
      s->vf_instancing[i] = (struct GEN9_3DSTATE_VF_INSTANCING) {
         .VertexElementIndex = i,
         .InstancingEnable = vb->BufferAccessType == INSTANCEDATA,
         .InstanceDataStepRate = vb->InstanceDataStepRate,
      };
   }
}

/*
 * Shader stages
 */

static enum cs_status
vs(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_VS c;
   GEN75_3DSTATE_VS_unpack(dw, &c);
   GEN75_3DSTATE_VS_to_GEN9_3DSTATE_VS(&state(cs)->vs, &c);
   return CS_CONTINUE;
}

static enum cs_status
hs(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_HS c;
   GEN75_3DSTATE_HS_unpack(dw, &c);
   GEN75_3DSTATE_HS_to_GEN9_3DSTATE_HS(&state(cs)->hs, &c);
   return CS_CONTINUE;
}

static enum cs_status
ds(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_DS c;
   GEN75_3DSTATE_DS_unpack(dw, &c);
   GEN75_3DSTATE_DS_to_GEN9_3DSTATE_DS(&state(cs)->ds, &c);
   state(cs)->ds.DispatchMode = DISPATCH_MODE_SIMD4X2;
   return CS_CONTINUE;
}

static enum cs_status
gs(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_GS c;
   GEN75_3DSTATE_GS_unpack(dw, &c);
   if (is_ivb(cs)) {
      struct GEN7_3DSTATE_GS ivb;
      GEN7_3DSTATE_GS_unpack(dw, &ivb);
      c.ControlDataFormat = ivb.ControlDataFormat;
   }
   GEN75_3DSTATE_GS_to_GEN9_3DSTATE_GS(&state(cs)->gs, &c);
   return CS_CONTINUE;
}

/* "Buffer 0: an offset from Dynamic State Base Address, unless INSTPM's
 * CONSTANT_BUFFER Address Offset Disable is set" (3DSTATE_CONSTANT). */
static struct GEN9_3DSTATE_CONSTANT_BODY
constants(struct sim_cs *cs, const struct GEN75_3DSTATE_CONSTANT_BODY *c)
{
   struct GEN9_3DSTATE_CONSTANT_BODY body;
   const bool absolute =
      cs_get_register(cs, GEN75_INSTPM_num) >>
         GEN75_INSTPM_CONSTANT_BUFFERAddressOffsetDisable_start &
      1;
   GEN75_3DSTATE_CONSTANT_BODY_to_GEN9_3DSTATE_CONSTANT_BODY(&body, c);
   if (!absolute)
      body.Buffer[0] += state(cs)->base.dynamic;
   return body;
}

static void
before_draw_constants(struct sim_cs *cs)
{
   const struct cs_gen7_state *g = &cs->hw->gen7;
   state(cs)->constant_vs.ConstantBody = constants(cs, &g->constant_vs);
   state(cs)->constant_hs.ConstantBody = constants(cs, &g->constant_hs);
   state(cs)->constant_ds.ConstantBody = constants(cs, &g->constant_ds);
   state(cs)->constant_gs.ConstantBody = constants(cs, &g->constant_gs);
   state(cs)->constant_ps.ConstantBody = constants(cs, &g->constant_ps);
}

/*
 * Stream output
 */

static void
before_draw_stream_output(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_STREAMOUT *c = &cs->hw->gen7.streamout;
   const struct GEN75_3DSTATE_SO_BUFFER *b = cs->hw->gen7.so_buffer;
   const bool enable[] = { c->SOBufferEnable0, c->SOBufferEnable1,
                           c->SOBufferEnable2, c->SOBufferEnable3 };
   struct GEN9_3DSTATE_STREAMOUT *to = &state(cs)->streamout;
   GEN75_3DSTATE_STREAMOUT_to_GEN9_3DSTATE_STREAMOUT(to, c);
   to->Buffer0SurfacePitch = b[0].SurfacePitch;
   to->Buffer1SurfacePitch = b[1].SurfacePitch;
   to->Buffer2SurfacePitch = b[2].SurfacePitch;
   to->Buffer3SurfacePitch = b[3].SurfacePitch;
   for (unsigned i = 0; i < SIM_MAX_SO_BUFFERS; i++) {
      const uint64_t start = b[i].SurfaceBaseAddress;
      const uint64_t end = b[i].SurfaceEndAddress;
      state(cs)->so_buffer[i] = (struct GEN9_3DSTATE_SO_BUFFER) {
         .SOBufferIndex = i,
         .SOBufferEnable = enable[i] && end > start,
         .SurfaceBaseAddress = start,
         .SurfaceSize = end > start ? (uint32_t)((end - start) / 4 - 1) : 0,
      };
   }
}

/*
 * Clip, setup, pixel shader
 */

/* The masks of clip distances are here and not in the shader stages. */
static void
before_draw_clip(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_CLIP *c = &cs->hw->gen7.clip;
   struct GEN9_3DSTATE_CLIP *to = &state(cs)->clip;
   GEN75_3DSTATE_CLIP_to_GEN9_3DSTATE_CLIP(to, c);
   to->ForceUserClipDistanceClipTestEnableBitmask = true;
   to->ForceUserClipDistanceCullTestEnableBitmask = true;
}

static void
before_draw_setup(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_SF *c = &cs->hw->gen7.sf;
   const struct GEN75_3DSTATE_CLIP *clip = &cs->hw->gen7.clip;
   GEN75_3DSTATE_SF_to_GEN9_3DSTATE_SF(&state(cs)->sf, c);
   struct GEN9_3DSTATE_RASTER *to = &state(cs)->raster;
   *to = (struct GEN9_3DSTATE_RASTER) {
      .ViewportZNearClipTestEnable = clip->ViewportZClipTestEnable,
      .ViewportZFarClipTestEnable = clip->ViewportZClipTestEnable,
      .ForceMultisampling = 1,
   };
   GEN75_3DSTATE_SF_to_GEN9_3DSTATE_RASTER(to, c);
}

/* Sixteen attributes can be swizzled: the first, or else the last. */
static enum cs_status
sbe(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_SBE c;
   GEN75_3DSTATE_SBE_unpack(dw, &c);
   if (c.AttributeSwizzleControlMode)
      return cs_fault(cs, "swizzling attributes 16 to 31 is not implemented");
   struct GEN9_3DSTATE_SBE *to = &state(cs)->sbe;
   GEN75_3DSTATE_SBE_to_GEN9_3DSTATE_SBE(to, &c);
   to->ForceVertexURBEntryReadOffset = true;
   to->ForceVertexURBEntryReadLength = true;
   for (unsigned i = 0; i < 32; i++)
      to->AttributeActiveComponentFormat[i] = ACTIVE_COMPONENT_XYZW;
   GEN75_3DSTATE_SBE_to_GEN9_3DSTATE_SBE_SWIZ(&state(cs)->sbe_swiz, &c);
   return CS_CONTINUE;
}

static void
before_draw_wm(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_WM *c = &cs->hw->gen7.wm;
   const bool stipple = is_ivb(cs) ? c->LineStippleEnable
                                   : cs->hw->gen7.sf.LineStippleEnable;
   struct GEN9_3DSTATE_WM *to = &state(cs)->wm;
   GEN75_3DSTATE_WM_to_GEN9_3DSTATE_WM(to, c);
   to->LineStippleEnable |= stipple;
   to->ForceThreadDispatchEnable = c->ThreadDispatchEnable ? FORCE_DISPATCH_ON
                                                           : 0;
}

static void
before_draw_ps(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_PS *c = &cs->hw->gen7.ps;
   const struct GEN75_3DSTATE_WM *wm = &cs->hw->gen7.wm;
   struct GEN9_3DSTATE_PS *to = &state(cs)->ps;
   GEN75_3DSTATE_PS_to_GEN9_3DSTATE_PS(to, c);
   /* Of all the GPU; IVB's field is one bit shorter. */
   to->MaximumNumberofThreadsPerPSD = c->MaximumNumberofThreads >> is_ivb(cs);
   to->RenderTargetResolveType =
      c->RenderTargetResolveEnable ? RESOLVE_FULL : RESOLVE_DISABLED;
   struct GEN9_3DSTATE_PS_EXTRA *extra = &state(cs)->ps_extra;
   *extra = (struct GEN9_3DSTATE_PS_EXTRA) {
      .InputCoverageMaskState =
         wm->PixelShaderUsesInputCoverageMask ? ICMS_NORMAL : ICMS_NONE,
      .PixelShaderIsPerSample = wm->MultisampleDispatchMode ==
                                MSDISPMODE_PERSAMPLE,
   };
   GEN75_3DSTATE_WM_to_GEN9_3DSTATE_PS_EXTRA(extra, wm);
   GEN75_3DSTATE_PS_to_GEN9_3DSTATE_PS_EXTRA(extra, c);
}

/* The positions are those of the count that is on. */
static void
before_draw_samples(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_MULTISAMPLE *c = &cs->hw->gen7.multisample;
   struct GEN9_3DSTATE_SAMPLE_PATTERN *p = &state(cs)->sample_pattern;
   GEN75_3DSTATE_MULTISAMPLE_to_GEN9_3DSTATE_MULTISAMPLE(
      &state(cs)->multisample, c);
#define SAMPLE(i)                                                            \
   p->_8xSample##i##XOffset = c->Sample##i##XOffset;                         \
   p->_8xSample##i##YOffset = c->Sample##i##YOffset
   SAMPLE(0);
   SAMPLE(1);
   SAMPLE(2);
   SAMPLE(3);
   SAMPLE(4);
   SAMPLE(5);
   SAMPLE(6);
   SAMPLE(7);
#undef SAMPLE
#define SAMPLE(i)                                                            \
   p->_4xSample##i##XOffset = c->Sample##i##XOffset;                         \
   p->_4xSample##i##YOffset = c->Sample##i##YOffset
   SAMPLE(0);
   SAMPLE(1);
   SAMPLE(2);
   SAMPLE(3);
#undef SAMPLE
   p->_1xSample0XOffset = c->Sample0XOffset;
   p->_1xSample0YOffset = c->Sample0YOffset;
}

/*
 * Depth and stencil
 */

/* "QPitch = h0 + h1 + 12 j" (IVB PRM Vol. 1 part 1, "Array Spacing"), where
 * samples are interleaved in the heights; Gen9 has it in the packet. */
static uint32_t
qpitch_rows(const struct sim_cs *cs, unsigned valign)
{
   const struct cs_gen7_state *g = &cs->hw->gen7;
   const unsigned samples = 1u << g->multisample.NumberofMultisamples;
   uint32_t h = g->depth_buffer.Height + 1;
   if (samples >= 4)
      h = ALIGN(h, 2) * 2;
   return ALIGN(h, valign) + ALIGN(MAX2(h / 2, 1u), valign) + 12 * valign;
}

/* Gen7 gives it in the format of the depth buffer. */
static float
depth_clear_value(const struct sim_cs *cs)
{
   const uint32_t value = cs->hw->gen7.depth_clear_value;
   switch (cs->hw->gen7.depth_buffer.SurfaceFormat) {
   case D16_UNORM: return (float)(value / 65535.0);
   case D24_UNORM_X8_UINT: return (float)(value / 16777215.0);
   default: return util_bits_float(value);
   }
}

static bool
before_draw_buffers(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_DEPTH_BUFFER *d = &cs->hw->gen7.depth_buffer;
   const struct GEN75_3DSTATE_STENCIL_BUFFER *s =
      &cs->hw->gen7.stencil_buffer;
   const struct GEN75_3DSTATE_HIER_DEPTH_BUFFER *h =
      &cs->hw->gen7.hier_depth_buffer;
   if (d->DepthCoordinateOffsetX || d->DepthCoordinateOffsetY) {
      cs_fault(cs, "3DSTATE_DEPTH_BUFFER: coordinate offsets are not "
                   "implemented");
      return false;
   }
   struct sim_render_state *to = state(cs);
   GEN75_3DSTATE_DEPTH_BUFFER_to_GEN9_3DSTATE_DEPTH_BUFFER(&to->depth_buffer,
                                                           d);
   to->depth_buffer.SurfaceQPitch = qpitch_rows(cs, 4) / 4;
   GEN75_3DSTATE_STENCIL_BUFFER_to_GEN9_3DSTATE_STENCIL_BUFFER(
      &to->stencil_buffer, s);
   to->stencil_buffer.SurfaceQPitch = qpitch_rows(cs, 8) / 4;
   GEN75_3DSTATE_HIER_DEPTH_BUFFER_to_GEN9_3DSTATE_HIER_DEPTH_BUFFER(
      &to->hier_depth_buffer, h);
   to->hier_depth_buffer.SurfaceQPitch = qpitch_rows(cs, 8) / 4;
   to->clear_params.DepthClearValue = depth_clear_value(cs);
   return true;
}

static bool
before_draw_tests(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_DEPTH_STENCIL_STATE_POINTERS *p =
      &cs->hw->gen7.depth_stencil;
   struct GEN9_3DSTATE_WM_DEPTH_STENCIL *to = &state(cs)->wm_depth_stencil;
   uint32_t dw[GEN75_DEPTH_STENCIL_STATE_length];
   struct GEN75_DEPTH_STENCIL_STATE c;
   memset(to, 0, sizeof(*to));
   if (!p->DepthStencilStatePointerValid)
      return true;
   const uint64_t at = state(cs)->base.dynamic + p->DepthStencilStatePointer;
   if (!sim_mem_read(&cs->mem, dw, at, sizeof(dw))) {
      cs_mem_fault(cs);
      return false;
   }
   GEN75_DEPTH_STENCIL_STATE_unpack(dw, &c);
   GEN75_DEPTH_STENCIL_STATE_to_GEN9_3DSTATE_WM_DEPTH_STENCIL(to, &c);
   return true;
}

void
cs_gen7_translate(struct sim_cs *cs)
{
   before_draw_vertices(cs);
   before_draw_constants(cs);
   before_draw_stream_output(cs);
   before_draw_clip(cs);
   before_draw_setup(cs);
   before_draw_wm(cs);
   before_draw_ps(cs);
   before_draw_samples(cs);
}

bool
cs_gen7_before_draw(struct sim_cs *cs)
{
   cs_gen7_translate(cs);
   return before_draw_buffers(cs) && before_draw_tests(cs) &&
          cs_gen8_before_draw(cs);
}

#define E(packet, handler)                                                   \
   {                                                                         \
      GEN75_##packet##_opcode, handler                                       \
   }

const struct cs_entry cs_gen7_commands[] = {
   E(STATE_BASE_ADDRESS, state_base_address),
   E(STATE_SIP, state_sip),
   E(PIPELINE_SELECT, pipeline_select),
   E(3DSTATE_BINDING_TABLE_POOL_ALLOC, binding_table_pool_alloc),
   E(3DSTATE_CLEAR_PARAMS, clear_params),
   E(3DSTATE_CLIP, keep_clip),
   E(3DSTATE_CONSTANT_VS, constant_vs),
   E(3DSTATE_CONSTANT_HS, constant_hs),
   E(3DSTATE_CONSTANT_DS, constant_ds),
   E(3DSTATE_CONSTANT_GS, constant_gs),
   E(3DSTATE_CONSTANT_PS, constant_ps),
   E(3DSTATE_DEPTH_BUFFER, keep_depth_buffer),
   E(3DSTATE_DEPTH_STENCIL_STATE_POINTERS, depth_stencil_state_pointers),
   E(3DSTATE_DS, ds),
   E(3DSTATE_GS, gs),
   E(3DSTATE_HIER_DEPTH_BUFFER, keep_hier_depth_buffer),
   E(3DSTATE_HS, hs),
   E(3DSTATE_INDEX_BUFFER, index_buffer),
   E(3DSTATE_MULTISAMPLE, keep_multisample),
   E(3DSTATE_PS, keep_ps),
   E(3DSTATE_SBE, sbe),
   E(3DSTATE_SF, keep_sf),
   E(3DSTATE_SO_BUFFER, so_buffer),
   E(3DSTATE_STENCIL_BUFFER, keep_stencil_buffer),
   E(3DSTATE_STREAMOUT, keep_streamout),
   E(3DSTATE_VERTEX_BUFFERS, vertex_buffers),
   E(3DSTATE_VS, vs),
   E(3DSTATE_WM, keep_wm),
   { 0, NULL },
};
