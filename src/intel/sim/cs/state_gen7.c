/* SPDX-License-Identifier: MIT */
/*
 * State packets of Gen7 (Ivybridge) and Gen7.5 (Haswell) in the shape of
 * Gen9's (PRM HSW Vol. 2a; IVB Vol. 2 part 1, each under its name).
 *
 * A packet that says by itself what one of Gen9's says is translated when it
 * comes. Where Gen9 has divided a state among packets, or reads from memory
 * what was a packet or the other way round, the packet is kept, and
 * cs_gen7_before_draw() makes the state of all of them.
 *
 * The two generations share layouts but for a few fields, which IVB() reads.
 */
#include "state_gen7.h"

#include <inttypes.h>

#include "cs_private.h"
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

static enum cs_status
vertex_buffers(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   if ((n - 1) % 4)
      return cs_fault(cs, "%u dwords are no whole number of buffers", n - 1);
   for (unsigned i = 1; i < n; i += 4) {
      struct GEN75_VERTEX_BUFFER_STATE vb;
      GEN75_VERTEX_BUFFER_STATE_unpack(&dw[i], &vb);
      if (vb.VertexBufferIndex >= SIM_MAX_VERTEX_BUFFERS)
         return cs_fault(cs, "vertex buffer %u of %u", vb.VertexBufferIndex,
                         SIM_MAX_VERTEX_BUFFERS);
      struct GEN75_VERTEX_BUFFER_STATE *to =
         &cs->hw->gen7.vertex_buffer[vb.VertexBufferIndex];
      if (!vb.AddressModifyEnable) {
         vb.BufferStartingAddress = to->BufferStartingAddress;
         vb.EndAddress = to->EndAddress;
      }
      *to = vb;
   }
   return CS_CONTINUE;
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
   state(cs)->vs = (struct GEN9_3DSTATE_VS) {
      .KernelStartPointer = c.KernelStartPointer,
      .FloatingPointMode = c.FloatingPointMode,
      .BindingTableEntryCount = c.BindingTableEntryCount,
      .SamplerCount = c.SamplerCount,
      .VectorMaskEnable = c.VectorMaskEnable,
      .SingleVertexDispatch = c.SingleVertexDispatch,
      .PerThreadScratchSpace = c.PerThreadScratchSpace,
      .ScratchSpaceBasePointer = c.ScratchSpaceBasePointer,
      .VertexURBEntryReadOffset = c.VertexURBEntryReadOffset,
      .VertexURBEntryReadLength = c.VertexURBEntryReadLength,
      .DispatchGRFStartRegisterForURBData =
         c.DispatchGRFStartRegisterForURBData,
      .Enable = c.Enable,
      .VertexCacheDisable = c.VertexCacheDisable,
      .SIMD8DispatchEnable = false,
      .StatisticsEnable = c.StatisticsEnable,
   };
   return CS_CONTINUE;
}

static enum cs_status
hs(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_HS c;
   GEN75_3DSTATE_HS_unpack(dw, &c);
   state(cs)->hs = (struct GEN9_3DSTATE_HS) {
      .FloatingPointMode = c.FloatingPointMode,
      .BindingTableEntryCount = c.BindingTableEntryCount,
      .SamplerCount = c.SamplerCount,
      .InstanceCount = c.InstanceCount,
      .StatisticsEnable = c.StatisticsEnable,
      .Enable = c.Enable,
      .KernelStartPointer = c.KernelStartPointer,
      .PerThreadScratchSpace = c.PerThreadScratchSpace,
      .ScratchSpaceBasePointer = c.ScratchSpaceBasePointer,
      .VertexURBEntryReadOffset = c.VertexURBEntryReadOffset,
      .VertexURBEntryReadLength = c.VertexURBEntryReadLength,
      .DispatchGRFStartRegisterForURBData =
         c.DispatchGRFStartRegisterForURBData,
      .IncludeVertexHandles = c.IncludeVertexHandles,
      .VectorMaskEnable = c.VectorMaskEnable,
      .SingleProgramFlow = c.SingleProgramFlow,
   };
   return CS_CONTINUE;
}

static enum cs_status
ds(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_3DSTATE_DS c;
   GEN75_3DSTATE_DS_unpack(dw, &c);
   state(cs)->ds = (struct GEN9_3DSTATE_DS) {
      .KernelStartPointer = c.KernelStartPointer,
      .FloatingPointMode = c.FloatingPointMode,
      .BindingTableEntryCount = c.BindingTableEntryCount,
      .SamplerCount = c.SamplerCount,
      .VectorMaskEnable = c.VectorMaskEnable,
      .PerThreadScratchSpace = c.PerThreadScratchSpace,
      .ScratchSpaceBasePointer = c.ScratchSpaceBasePointer,
      .PatchURBEntryReadOffset = c.PatchURBEntryReadOffset,
      .PatchURBEntryReadLength = c.PatchURBEntryReadLength,
      .DispatchGRFStartRegisterForURBData =
         c.DispatchGRFStartRegisterForURBData,
      .Enable = c.Enable,
      .CacheDisable = c.CacheDisable,
      .ComputeWCoordinateEnable = c.ComputeWCoordinateEnable,
      .DispatchMode = DISPATCH_MODE_SIMD4X2,
      .StatisticsEnable = c.StatisticsEnable,
   };
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
   state(cs)->gs = (struct GEN9_3DSTATE_GS) {
      .KernelStartPointer = c.KernelStartPointer,
      .FloatingPointMode = c.FloatingPointMode,
      .BindingTableEntryCount = c.BindingTableEntryCount,
      .SamplerCount = c.SamplerCount,
      .VectorMaskEnable = c.VectorMaskEnable,
      .SingleProgramFlow = c.SingleProgramFlow,
      .PerThreadScratchSpace = c.PerThreadScratchSpace,
      .ScratchSpaceBasePointer = c.ScratchSpaceBasePointer,
      .DispatchGRFStartRegisterForURBData =
         c.DispatchGRFStartRegisterForURBData,
      .VertexURBEntryReadOffset = c.VertexURBEntryReadOffset,
      .IncludeVertexHandles = c.IncludeVertexHandles,
      .VertexURBEntryReadLength = c.VertexURBEntryReadLength,
      .OutputTopology = c.OutputTopology,
      .OutputVertexSize = c.OutputVertexSize,
      .Enable = c.Enable,
      .DiscardAdjacency = c.DiscardAdjacency,
      .ReorderMode = c.ReorderMode,
      .IncludePrimitiveID = c.IncludePrimitiveID,
      .InvocationsIncrementValue = c.InvocationsIncrementValue,
      .StatisticsEnable = c.StatisticsEnable,
      .DispatchMode = c.DispatchMode,
      .DefaultStreamId = c.DefaultStreamId,
      .InstanceControl = c.InstanceControl,
      .ControlDataHeaderSize = c.ControlDataHeaderSize,
      .ControlDataFormat = c.ControlDataFormat,
   };
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
         GEN75_INSTPM_CONSTANT_BUFFERAddressOffsetDisable_start & 1;
   for (unsigned i = 0; i < 4; i++) {
      body.ReadLength[i] = c->ReadLength[i];
      body.Buffer[i] = c->Buffer[i];
   }
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
   state(cs)->streamout = (struct GEN9_3DSTATE_STREAMOUT) {
      .SOStatisticsEnable = c->SOStatisticsEnable,
      .ReorderMode = c->ReorderMode,
      .RenderStreamSelect = c->RenderStreamSelect,
      .RenderingDisable = c->RenderingDisable,
      .SOFunctionEnable = c->SOFunctionEnable,
      .Stream0VertexReadLength = c->Stream0VertexReadLength,
      .Stream0VertexReadOffset = c->Stream0VertexReadOffset,
      .Stream1VertexReadLength = c->Stream1VertexReadLength,
      .Stream1VertexReadOffset = c->Stream1VertexReadOffset,
      .Stream2VertexReadLength = c->Stream2VertexReadLength,
      .Stream2VertexReadOffset = c->Stream2VertexReadOffset,
      .Stream3VertexReadLength = c->Stream3VertexReadLength,
      .Stream3VertexReadOffset = c->Stream3VertexReadOffset,
      .Buffer0SurfacePitch = b[0].SurfacePitch,
      .Buffer1SurfacePitch = b[1].SurfacePitch,
      .Buffer2SurfacePitch = b[2].SurfacePitch,
      .Buffer3SurfacePitch = b[3].SurfacePitch,
   };
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
   state(cs)->clip = (struct GEN9_3DSTATE_CLIP) {
      .UserClipDistanceCullTestEnableBitmask =
         c->UserClipDistanceCullTestEnableBitmask,
      .StatisticsEnable = c->StatisticsEnable,
      .ForceUserClipDistanceClipTestEnableBitmask = true,
      .ForceUserClipDistanceCullTestEnableBitmask = true,
      .EarlyCullEnable = c->EarlyCullEnable,
      .VertexSubPixelPrecisionSelect = c->VertexSubPixelPrecisionSelect,
      .TriangleFanProvokingVertexSelect = c->TriangleFanProvokingVertexSelect,
      .LineStripListProvokingVertexSelect =
         c->LineStripListProvokingVertexSelect,
      .TriangleStripListProvokingVertexSelect =
         c->TriangleStripListProvokingVertexSelect,
      .NonPerspectiveBarycentricEnable = c->NonPerspectiveBarycentricEnable,
      .PerspectiveDivideDisable = c->PerspectiveDivideDisable,
      .ClipMode = c->ClipMode,
      .UserClipDistanceClipTestEnableBitmask =
         c->UserClipDistanceClipTestEnableBitmask,
      .GuardbandClipTestEnable = c->GuardbandClipTestEnable,
      .ViewportXYClipTestEnable = c->ViewportXYClipTestEnable,
      .APIMode = c->APIMode,
      .ClipEnable = c->ClipEnable,
      .MaximumVPIndex = c->MaximumVPIndex,
      .ForceZeroRTAIndexEnable = c->ForceZeroRTAIndexEnable,
      .MaximumPointWidth = c->MaximumPointWidth,
      .MinimumPointWidth = c->MinimumPointWidth,
   };
}

static void
before_draw_setup(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_SF *c = &cs->hw->gen7.sf;
   const struct GEN75_3DSTATE_CLIP *clip = &cs->hw->gen7.clip;
   state(cs)->sf = (struct GEN9_3DSTATE_SF) {
      .ViewportTransformEnable = c->ViewportTransformEnable,
      .StatisticsEnable = c->StatisticsEnable,
      .LegacyGlobalDepthBiasEnable = c->LegacyGlobalDepthBiasEnable,
      .LineWidth = c->LineWidth,
      .LineEndCapAntialiasingRegionWidth =
         c->LineEndCapAntialiasingRegionWidth,
      .PointWidth = c->PointWidth,
      .PointWidthSource = c->PointWidthSource,
      .VertexSubPixelPrecisionSelect = c->VertexSubPixelPrecisionSelect,
      .AALineDistanceMode = c->AALineDistanceMode,
      .TriangleFanProvokingVertexSelect = c->TriangleFanProvokingVertexSelect,
      .LineStripListProvokingVertexSelect =
         c->LineStripListProvokingVertexSelect,
      .TriangleStripListProvokingVertexSelect =
         c->TriangleStripListProvokingVertexSelect,
      .LastPixelEnable = c->LastPixelEnable,
   };
   state(cs)->raster = (struct GEN9_3DSTATE_RASTER) {
      .ViewportZNearClipTestEnable = clip->ViewportZClipTestEnable,
      .ViewportZFarClipTestEnable = clip->ViewportZClipTestEnable,
      .ScissorRectangleEnable = c->ScissorRectangleEnable,
      .AntialiasingEnable = c->AntialiasingEnable,
      .BackFaceFillMode = c->BackFaceFillMode,
      .FrontFaceFillMode = c->FrontFaceFillMode,
      .GlobalDepthOffsetEnablePoint = c->GlobalDepthOffsetEnablePoint,
      .GlobalDepthOffsetEnableWireframe = c->GlobalDepthOffsetEnableWireframe,
      .GlobalDepthOffsetEnableSolid = c->GlobalDepthOffsetEnableSolid,
      .DXMultisampleRasterizationMode = c->MultisampleRasterizationMode,
      .ForceMultisampling = 1,
      .CullMode = c->CullMode,
      .FrontWinding = c->FrontWinding,
      .GlobalDepthOffsetConstant = c->GlobalDepthOffsetConstant,
      .GlobalDepthOffsetScale = c->GlobalDepthOffsetScale,
      .GlobalDepthOffsetClamp = c->GlobalDepthOffsetClamp,
   };
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
   *to = (struct GEN9_3DSTATE_SBE) {
      .VertexURBEntryReadOffset = c.VertexURBEntryReadOffset,
      .VertexURBEntryReadLength = c.VertexURBEntryReadLength,
      .PointSpriteTextureCoordinateOrigin =
         c.PointSpriteTextureCoordinateOrigin,
      .AttributeSwizzleEnable = c.AttributeSwizzleEnable,
      .NumberofSFOutputAttributes = c.NumberofSFOutputAttributes,
      .ForceVertexURBEntryReadOffset = true,
      .ForceVertexURBEntryReadLength = true,
      .PointSpriteTextureCoordinateEnable =
         c.PointSpriteTextureCoordinateEnable,
      .ConstantInterpolationEnable = c.ConstantInterpolationEnable,
   };
   for (unsigned i = 0; i < 32; i++)
      to->AttributeActiveComponentFormat[i] = ACTIVE_COMPONENT_XYZW;
   for (unsigned i = 0; i < 16; i++) {
      const struct GEN75_SF_OUTPUT_ATTRIBUTE_DETAIL *a = &c.Attribute[i];
      state(cs)->sbe_swiz.Attribute[i] =
         (struct GEN9_SF_OUTPUT_ATTRIBUTE_DETAIL) {
            .SourceAttribute = a->SourceAttribute,
            .SwizzleSelect = a->SwizzleSelect,
            .ConstantSource = a->ConstantSource,
            .SwizzleControlMode = a->SwizzleControlMode,
            .ComponentOverrideX = a->ComponentOverrideX,
            .ComponentOverrideY = a->ComponentOverrideY,
            .ComponentOverrideZ = a->ComponentOverrideZ,
            .ComponentOverrideW = a->ComponentOverrideW,
         };
      state(cs)->sbe_swiz.AttributeWrapShortestEnables[i] =
         c.AttributeWrapShortestEnables[i];
   }
   return CS_CONTINUE;
}

static void
before_draw_wm(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_WM *c = &cs->hw->gen7.wm;
   const bool stipple = is_ivb(cs) ? c->LineStippleEnable
                                   : cs->hw->gen7.sf.LineStippleEnable;
   state(cs)->wm = (struct GEN9_3DSTATE_WM) {
      .PointRasterizationRule = c->PointRasterizationRule,
      .LineStippleEnable = stipple || c->LineStippleEnable,
      .PolygonStippleEnable = c->PolygonStippleEnable,
      .LineAntialiasingRegionWidth = c->LineAntialiasingRegionWidth,
      .LineEndCapAntialiasingRegionWidth =
         c->LineEndCapAntialiasingRegionWidth,
      .BarycentricInterpolationMode = c->BarycentricInterpolationMode,
      .PositionZWInterpolationMode = c->PositionZWInterpolationMode,
      .ForceThreadDispatchEnable =
         c->ThreadDispatchEnable ? FORCE_DISPATCH_ON : 0,
      .EarlyDepthStencilControl = c->EarlyDepthStencilControl,
      .LegacyDiamondLineRasterization = c->LegacyDiamondLineRasterization,
      .LegacyHierarchicalDepthBufferResolveEnable =
         c->HierarchicalDepthBufferResolveEnable,
      .LegacyDepthBufferResolveEnable = c->DepthBufferResolveEnable,
      .LegacyDepthBufferClearEnable = c->DepthBufferClear,
      .StatisticsEnable = c->StatisticsEnable,
   };
}

static void
before_draw_ps(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_PS *c = &cs->hw->gen7.ps;
   const struct GEN75_3DSTATE_WM *wm = &cs->hw->gen7.wm;
   state(cs)->ps = (struct GEN9_3DSTATE_PS) {
      .KernelStartPointer0 = c->KernelStartPointer0,
      .KernelStartPointer1 = c->KernelStartPointer1,
      .KernelStartPointer2 = c->KernelStartPointer2,
      .RoundingMode = c->RoundingMode,
      .FloatingPointMode = c->FloatingPointMode,
      .BindingTableEntryCount = c->BindingTableEntryCount,
      .SinglePrecisionDenormalMode = c->DenormalMode,
      .SamplerCount = c->SamplerCount,
      .VectorMaskEnable = c->VectorMaskEnable,
      .SingleProgramFlow = c->SingleProgramFlow,
      .PerThreadScratchSpace = c->PerThreadScratchSpace,
      .ScratchSpaceBasePointer = c->ScratchSpaceBasePointer,
      /* Of all the GPU; IVB's field is one bit shorter. */
      .MaximumNumberofThreadsPerPSD = c->MaximumNumberofThreads >> is_ivb(cs),
      ._8PixelDispatchEnable = c->_8PixelDispatchEnable,
      ._16PixelDispatchEnable = c->_16PixelDispatchEnable,
      ._32PixelDispatchEnable = c->_32PixelDispatchEnable,
      .PositionXYOffsetSelect = c->PositionXYOffsetSelect,
      .RenderTargetResolveType =
         c->RenderTargetResolveEnable ? RESOLVE_FULL : RESOLVE_DISABLED,
      .RenderTargetFastClearEnable = c->RenderTargetFastClearEnable,
      .PushConstantEnable = c->PushConstantEnable,
      .DispatchGRFStartRegisterForConstantSetupData0 =
         c->DispatchGRFStartRegisterForConstantSetupData0,
      .DispatchGRFStartRegisterForConstantSetupData1 =
         c->DispatchGRFStartRegisterForConstantSetupData1,
      .DispatchGRFStartRegisterForConstantSetupData2 =
         c->DispatchGRFStartRegisterForConstantSetupData2,
   };
   state(cs)->ps_extra = (struct GEN9_3DSTATE_PS_EXTRA) {
      .InputCoverageMaskState =
         wm->PixelShaderUsesInputCoverageMask ? ICMS_NORMAL : ICMS_NONE,
      .PixelShaderIsPerSample =
         wm->MultisampleDispatchMode == MSDISPMODE_PERSAMPLE,
      .AttributeEnable = c->AttributeEnable,
      .PixelShaderUsesSourceW = wm->PixelShaderUsesSourceW,
      .PixelShaderUsesSourceDepth = wm->PixelShaderUsesSourceDepth,
      .PixelShaderComputedDepthMode = wm->PixelShaderComputedDepthMode,
      .PixelShaderKillsPixel = wm->PixelShaderKillsPixel,
      .oMaskPresenttoRenderTarget = c->oMaskPresenttoRenderTarget,
      .PixelShaderValid = wm->ThreadDispatchEnable,
   };
}

/* The positions are those of the count that is on. */
static void
before_draw_samples(struct sim_cs *cs)
{
   const struct GEN75_3DSTATE_MULTISAMPLE *c = &cs->hw->gen7.multisample;
   struct GEN9_3DSTATE_SAMPLE_PATTERN *p = &state(cs)->sample_pattern;
   state(cs)->multisample = (struct GEN9_3DSTATE_MULTISAMPLE) {
      .NumberofMultisamples = c->NumberofMultisamples,
      .PixelLocation = c->PixelLocation,
   };
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
   case D16_UNORM:
      return (float)(value / 65535.0);
   case D24_UNORM_X8_UINT:
      return (float)(value / 16777215.0);
   default:
      return util_bits_float(value);
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
   state(cs)->depth_buffer = (struct GEN9_3DSTATE_DEPTH_BUFFER) {
      .SurfacePitch = d->SurfacePitch,
      .SurfaceFormat = d->SurfaceFormat,
      .HierarchicalDepthBufferEnable = d->HierarchicalDepthBufferEnable,
      .StencilWriteEnable = d->StencilWriteEnable,
      .DepthWriteEnable = d->DepthWriteEnable,
      .SurfaceType = d->SurfaceType,
      .SurfaceBaseAddress = d->SurfaceBaseAddress,
      .LOD = d->LOD,
      .Width = d->Width,
      .Height = d->Height,
      .MinimumArrayElement = d->MinimumArrayElement,
      .Depth = d->Depth,
      .SurfaceQPitch = qpitch_rows(cs, 4) / 4,
      .RenderTargetViewExtent = d->RenderTargetViewExtent,
   };
   state(cs)->stencil_buffer = (struct GEN9_3DSTATE_STENCIL_BUFFER) {
      .SurfacePitch = s->SurfacePitch,
      .StencilBufferEnable = s->StencilBufferEnable,
      .SurfaceBaseAddress = s->SurfaceBaseAddress,
      .SurfaceQPitch = qpitch_rows(cs, 8) / 4,
   };
   state(cs)->hier_depth_buffer = (struct GEN9_3DSTATE_HIER_DEPTH_BUFFER) {
      .SurfacePitch = h->SurfacePitch,
      .SurfaceBaseAddress = h->SurfaceBaseAddress,
      .SurfaceQPitch = qpitch_rows(cs, 8) / 4,
   };
   state(cs)->clear_params.DepthClearValue = depth_clear_value(cs);
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
   *to = (struct GEN9_3DSTATE_WM_DEPTH_STENCIL) {
      .DepthBufferWriteEnable = c.DepthBufferWriteEnable,
      .DepthTestEnable = c.DepthTestEnable,
      .StencilBufferWriteEnable = c.StencilBufferWriteEnable,
      .StencilTestEnable = c.StencilTestEnable,
      .DoubleSidedStencilEnable = c.DoubleSidedStencilEnable,
      .DepthTestFunction = c.DepthTestFunction,
      .StencilTestFunction = c.StencilTestFunction,
      .BackfaceStencilPassDepthPassOp = c.BackfaceStencilPassDepthPassOp,
      .BackfaceStencilPassDepthFailOp = c.BackfaceStencilPassDepthFailOp,
      .BackfaceStencilFailOp = c.BackfaceStencilFailOp,
      .BackfaceStencilTestFunction = c.BackfaceStencilTestFunction,
      .StencilPassDepthPassOp = c.StencilPassDepthPassOp,
      .StencilPassDepthFailOp = c.StencilPassDepthFailOp,
      .StencilFailOp = c.StencilFailOp,
      .BackfaceStencilWriteMask = c.BackfaceStencilWriteMask,
      .BackfaceStencilTestMask = c.BackfaceStencilTestMask,
      .StencilWriteMask = c.StencilWriteMask,
      .StencilTestMask = c.StencilTestMask,
   };
   return true;
}

bool
cs_gen7_before_draw(struct sim_cs *cs)
{
   before_draw_vertices(cs);
   before_draw_constants(cs);
   before_draw_stream_output(cs);
   before_draw_clip(cs);
   before_draw_setup(cs);
   before_draw_wm(cs);
   before_draw_ps(cs);
   before_draw_samples(cs);
   return before_draw_buffers(cs) && before_draw_tests(cs) &&
          cs_gen8_before_draw(cs);
}

#define E(packet, handler) { GEN75_##packet##_opcode, handler }

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
