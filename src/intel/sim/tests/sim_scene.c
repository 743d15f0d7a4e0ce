/* SPDX-License-Identifier: MIT */
#include "sim_scene.h"

#include <string.h>

const struct intel_device_info *
skl(void)
{
   return intel_device_info_by_name("skl");
}

/* r2, r3: barycentrics; r4, r5: planes of the attribute. The colour is the
 * attribute. */
const char color_text[] =
   "pln (8|M0) r112.0<1>:f r4.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r113.0<1>:f r4.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r114.0<1>:f r5.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r115.0<1>:f r5.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n";

/* The same for sixteen: r2 to r5 are barycentrics, planes follow. */
const char color16_text[] =
   "pln (16|M0) r112.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (16|M0) r114.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (16|M0) r116.0<1>:f r7.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (16|M0) r118.0<1>:f r7.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "sendc (16|M0) null r112 0x25 0x10031000 {EOT}\n";

/* Thirty-two: barycentrics in r3 and r7, planes in r11, r12. */
const char color32_text[] =
   "pln (16|M0) r96.0<1>:f r11.0<0;1,0>:f r3.0<8;8,1>:f\n"
   "pln (16|M0) r98.0<1>:f r11.4<0;1,0>:f r3.0<8;8,1>:f\n"
   "pln (16|M0) r100.0<1>:f r12.0<0;1,0>:f r3.0<8;8,1>:f\n"
   "pln (16|M0) r102.0<1>:f r12.4<0;1,0>:f r3.0<8;8,1>:f\n"
   "pln (16|M16) r112.0<1>:f r11.0<0;1,0>:f r7.0<8;8,1>:f\n"
   "pln (16|M16) r114.0<1>:f r11.4<0;1,0>:f r7.0<8;8,1>:f\n"
   "pln (16|M16) r116.0<1>:f r12.0<0;1,0>:f r7.0<8;8,1>:f\n"
   "pln (16|M16) r118.0<1>:f r12.4<0;1,0>:f r7.0<8;8,1>:f\n"
   "sendc (16|M0) null r96 0x5 0x10031000\n"
   "sendc (16|M16) null r112 0x25 0x10031800 {EOT}\n";

/* Reads the target and adds the attribute. */
const char read_text[] =
   "(W) mov (8|M0) r10.0<1>:ud r0.0<8;8,1>:ud\n"
   "(W) mov (8|M0) r11.0<1>:ud r1.0<8;8,1>:ud\n"
   "sendc (8|M0) r20 r10 0x5 0x044B4100\n"
   "pln (8|M0) r112.0<1>:f r4.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r113.0<1>:f r4.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r114.0<1>:f r5.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r115.0<1>:f r5.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "add (8|M0) r112.0<1>:f r112.0<8;8,1>:f r20.0<8;8,1>:f\n"
   "add (8|M0) r113.0<1>:f r113.0<8;8,1>:f r21.0<8;8,1>:f\n"
   "add (8|M0) r114.0<1>:f r114.0<8;8,1>:f r22.0<8;8,1>:f\n"
   "add (8|M0) r115.0<1>:f r115.0<8;8,1>:f r23.0<8;8,1>:f\n"
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n";

/* Counts the pixels at DATA + 16: an atomic increment of each. */
const char count_text[] =
   "mov (8|M0) r10.0<1>:ud 0x200010:ud\n"
   "(W) mov (1|M0) f0.0<1>:uw r1.14<0;1,0>:uw\n" /* no helper channels */
   "(W&f0.0) send (8|M0) null r10 0xC 0x020095FF\n"
   "mov (8|M0) r112.0<1>:f 1.0:f\n"
   "mov (8|M0) r113.0<1>:f 1.0:f\n"
   "mov (8|M0) r114.0<1>:f 1.0:f\n"
   "mov (8|M0) r115.0<1>:f 1.0:f\n"
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n";

/* One half, one, zero, one, as half floats of sixteen pixels. */
const char half_text[] = "mov (16|M0) r112.0<1>:uw 0x3800:uw\n"
                         "mov (16|M0) r113.0<1>:uw 0x3c00:uw\n"
                         "mov (16|M0) r114.0<1>:uw 0:uw\n"
                         "mov (16|M0) r115.0<1>:uw 0x3c00:uw\n"
                         "sendc (16|M0) null r112 0x25 0x48031000 {EOT}\n";

/* Samples binding table entry 1 at the attribute. */
const char texture_text[] =
   "pln (8|M0) r10.0<1>:f r4.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r11.0<1>:f r4.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "send (8|M0) r112 r10 0x2 0x04420001\n"
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n";

const char spill_text[] =
   "pln (8|M0) r112.0<1>:f r4.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r113.0<1>:f r4.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r114.0<1>:f r5.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r115.0<1>:f r5.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "(W) mov (8|M0) r111.0<1>:ud r0.0<8;8,1>:ud\n"
   "send (8|M0) null r111 0xA 0x0A0E2000\n"
   "(W) send (8|M0) r112 r111 0xA 0x024C2000\n"
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n";

/* Where that program is. */
#define NARROW 0x800

void
scene_program(struct scene *s, unsigned offset_B, const char *text)
{
   batch_program(&s->program, offset_B, text);
}

static void
set_targets(struct scene *s, const struct setup *u)
{
   const enum isl_format format = u->format ? u->format
                                            : ISL_FORMAT_R8G8B8A8_UNORM;
   const unsigned samples = MAX2(u->samples, 1u);
   assert_true(isl_surf_init(
      skl(), &s->target_surf, .dim = ISL_SURF_DIM_2D, .format = format,
      .width = s->size, .height = u->height ? u->height : s->size, .depth = 1,
      .levels = 1, .array_len = 1, .samples = samples,
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT));
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT,
      .format = format,
      .levels = 1,
      .array_len = 1,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   s->surfaces.map[0] = 0x100;
   isl_surf_fill_state(skl(), &s->surfaces.map[0x100 / 4],
                       .surf = &s->target_surf, .view = &view,
                       .address = TARGET);
   if (u->mcs) {
      struct GEN9_RENDER_SURFACE_STATE state;
      uint32_t *dw = &s->surfaces.map[0x100 / 4];
      GEN9_RENDER_SURFACE_STATE_unpack(dw, &state);
      state.AuxiliarySurfaceMode = AUX_CCS_D;
      state.AuxiliarySurfacePitch = MAX2(s->size / 128, 1u) - 1;
      state.AuxiliarySurfaceBaseAddress = TARGET + MCS_OFFSET;
      state.GreenClearColor = util_float_bits(1.0f);
      GEN9_RENDER_SURFACE_STATE_pack(dw, &state);
   }
}

static void
set_dynamic(struct scene *s, const struct setup *u)
{
   char *d = (char *)s->dynamic.map;
   const float half = s->size / 2;
   /* clang-format off */
   const struct GEN9_SF_CLIP_VIEWPORT vp = {
      .ViewportMatrixElementm00 = half, .ViewportMatrixElementm11 = half,
      .ViewportMatrixElementm22 = 1, .ViewportMatrixElementm30 = half,
      .ViewportMatrixElementm31 = half, .XMinClipGuardband = -8,
      .XMaxClipGuardband = 8, .YMinClipGuardband = -8,
      .YMaxClipGuardband = 8, .XMaxViewPort = s->size - 1,
      .YMaxViewPort = s->size - 1,
   };
   /* clang-format on */
   GEN9_SF_CLIP_VIEWPORT_pack(d + AT_SF_CLIP, &vp);
   const struct GEN9_CC_VIEWPORT cc = { .MaximumDepth = 1 };
   GEN9_CC_VIEWPORT_pack(d + AT_CC_VIEWPORT, &cc);
   const struct GEN9_SCISSOR_RECT scissor = { 10, 20, 29, 24 };
   GEN9_SCISSOR_RECT_pack(d + AT_SCISSOR, &scissor);
   GEN9_BLEND_STATE_pack(d + AT_BLEND, &u->blend_common);
   GEN9_BLEND_STATE_ENTRY_pack(d + AT_BLEND + 4, &u->blend);
   struct GEN9_COLOR_CALC_STATE calc = u->color_calc;
   calc.BlendConstantColorRed = 0.25f;
   GEN9_COLOR_CALC_STATE_pack(d + AT_COLOR_CALC, &calc);
   const struct GEN9_SAMPLER_STATE sampler = { .MaxLOD = 14 };
   GEN9_SAMPLER_STATE_pack(d + AT_SAMPLER, &sampler);
}

static void
emit_front(struct scene *s)
{
   struct batch *b = &s->b;
   EMIT(b, PIPELINE_SELECT, .MaskBits = 3, .PipelineSelection = PIPELINE_3D);
   EMIT(b, STATE_BASE_ADDRESS, .DynamicStateBaseAddress = DYNAMIC,
        .DynamicStateBaseAddressModifyEnable = true,
        .SurfaceStateBaseAddress = SURFACES,
        .SurfaceStateBaseAddressModifyEnable = true,
        .InstructionBaseAddress = PROGRAM,
        .InstructionBaseAddressModifyEnable = true);
   EMIT(b, 3DSTATE_URB_VS, .VSNumberofURBEntries = 64,
        .VSURBEntryAllocationSize = 0);

   const struct GEN9_3DSTATE_VERTEX_BUFFERS v = { .DWordLength = 3 };
   const struct GEN9_VERTEX_BUFFER_STATE vb = {
      .AddressModifyEnable = true,
      .BufferStartingAddress = VERTICES,
      .BufferSize = 65536,
      .BufferPitch = sizeof(struct vertex),
   };
   GEN9_3DSTATE_VERTEX_BUFFERS_pack(b->next, &v);
   GEN9_VERTEX_BUFFER_STATE_pack(b->next + 1, &vb);
   b->next += 5;

   /* The header is zero, then position and attribute. */
   const struct GEN9_3DSTATE_VERTEX_ELEMENTS e = { .DWordLength = 5 };
   GEN9_3DSTATE_VERTEX_ELEMENTS_pack(b->next, &e);
   for (unsigned i = 0; i < 3; i++) {
      const unsigned c = i ? VFCOMP_STORE_SRC : VFCOMP_STORE_0;
      const struct GEN9_VERTEX_ELEMENT_STATE ve = {
         .Valid = true,
         .SourceElementFormat = ISL_FORMAT_R32G32B32A32_FLOAT,
         .SourceElementOffset = i ? 16 * (i - 1) : 0,
         .Component0Control = c,
         .Component1Control = c,
         .Component2Control = c,
         .Component3Control = c,
      };
      GEN9_VERTEX_ELEMENT_STATE_pack(b->next + 1 + 2 * i, &ve);
   }
   b->next += 7;
   EMIT(b, 3DSTATE_CLIP, .ClipEnable = true, .APIMode = APIMODE_D3D,
        .ViewportXYClipTestEnable = true, .GuardbandClipTestEnable = true,
        .PerspectiveDivideDisable = false);
   EMIT(b, 3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP,
        .SFClipViewportPointer = AT_SF_CLIP);
   EMIT(b, 3DSTATE_VIEWPORT_STATE_POINTERS_CC,
        .CCViewportPointer = AT_CC_VIEWPORT);
}

static void
emit_depth_stencil(struct scene *s, const struct setup *u)
{
   struct batch *b = &s->b;
   struct isl_surf surf;
   const unsigned samples = MAX2(u->samples, 1u);
   assert_true(isl_surf_init(
      skl(), &surf, .dim = ISL_SURF_DIM_2D, .format = ISL_FORMAT_R32_FLOAT,
      .width = s->size, .height = s->size, .depth = 1, .levels = 1,
      .array_len = 1, .samples = samples, .usage = ISL_SURF_USAGE_DEPTH_BIT));
   EMIT(b, 3DSTATE_DEPTH_BUFFER,
        .SurfaceType = u->depth || u->stencil ? SURFTYPE_2D : SURFTYPE_NULL,
        .SurfaceFormat = D32_FLOAT, .SurfacePitch = surf.row_pitch_B - 1,
        .SurfaceBaseAddress = u->depth ? DEPTH : 0,
        .DepthWriteEnable = u->depth, .StencilWriteEnable = u->stencil,
        .HierarchicalDepthBufferEnable = u->hiz, .Width = s->size - 1,
        .Height = s->size - 1, .SurfaceQPitch = surf.array_pitch_el_rows / 4);
   assert_true(isl_surf_init(skl(), &surf, .dim = ISL_SURF_DIM_2D,
                             .format = ISL_FORMAT_R8_UINT, .width = s->size,
                             .height = s->size, .depth = 1, .levels = 1,
                             .array_len = 1, .samples = samples,
                             .usage = ISL_SURF_USAGE_STENCIL_BIT));
   EMIT(b, 3DSTATE_STENCIL_BUFFER, .StencilBufferEnable = u->stencil,
        .SurfacePitch = surf.row_pitch_B - 1, .SurfaceBaseAddress = STENCIL,
        .SurfaceQPitch = surf.array_pitch_el_rows / 4);
   EMIT(b, 3DSTATE_HIER_DEPTH_BUFFER,
        .SurfacePitch = 128 * MAX2(s->size / 128, 1u) - 1,
        .SurfaceBaseAddress = u->hiz ? DEPTH + HIZ_OFFSET : 0);
   EMIT(b, 3DSTATE_CLEAR_PARAMS, .DepthClearValue = 0.25f,
        .DepthClearValueValid = true);
   struct GEN9_3DSTATE_WM_DEPTH_STENCIL ds = u->ds;
   ds.DWordLength = GEN9_3DSTATE_WM_DEPTH_STENCIL_length - 2;
   GEN9_3DSTATE_WM_DEPTH_STENCIL_pack(b->next, &ds);
   b->next += GEN9_3DSTATE_WM_DEPTH_STENCIL_length;
}

static void
emit_samples(struct scene *s, const struct setup *u)
{
   struct batch *b = &s->b;
   EMIT(b, 3DSTATE_MULTISAMPLE,
        .NumberofMultisamples = util_logbase2(MAX2(u->samples, 1u)));
   EMIT(b, 3DSTATE_SAMPLE_MASK, .SampleMask = 0xffff);
   /* The standard pattern for four samples, in sixteenths. */
   EMIT(b, 3DSTATE_SAMPLE_PATTERN, ._1xSample0XOffset = 0.5f,
        ._1xSample0YOffset = 0.5f, ._4xSample0XOffset = 0.375f,
        ._4xSample0YOffset = 0.125f, ._4xSample1XOffset = 0.875f,
        ._4xSample1YOffset = 0.375f, ._4xSample2XOffset = 0.125f,
        ._4xSample2YOffset = 0.625f, ._4xSample3XOffset = 0.625f,
        ._4xSample3YOffset = 0.875f);
}

static void
emit_back(struct scene *s, const struct setup *u)
{
   struct batch *b = &s->b;
   const bool msaa = u->samples > 1;
   EMIT(b, 3DSTATE_RASTER, .CullMode = CULLMODE_NONE, .APIMode = DX101,
        .ViewportZNearClipTestEnable = true,
        .ViewportZFarClipTestEnable = true,
        .DXMultisampleRasterizationEnable = msaa,
        .ForcedSampleCount = u->forced,
        .DXMultisampleRasterizationMode = msaa ? MSRASTMODE_ON_PATTERN
                                               : MSRASTMODE_OFF_PIXEL,
        .ScissorRectangleEnable = u->scissor);
   EMIT(b, 3DSTATE_SCISSOR_STATE_POINTERS, .ScissorRectPointer = AT_SCISSOR);
   EMIT(b, 3DSTATE_SF, .ViewportTransformEnable = true,
        .TriangleFanProvokingVertexSelect = 2);
   EMIT(b, 3DSTATE_SBE, .NumberofSFOutputAttributes = 1,
        .ForceVertexURBEntryReadLength = true,
        .ForceVertexURBEntryReadOffset = true, .VertexURBEntryReadLength = 1,
        .VertexURBEntryReadOffset = 1,
        .ConstantInterpolationEnable = u->flat ? 1 : 0,
        .AttributeActiveComponentFormat = { ACTIVE_COMPONENT_XYZW });
   emit_samples(s, u);
   emit_depth_stencil(s, u);
   EMIT(b, 3DSTATE_WM, .StatisticsEnable = true,
        .EarlyDepthStencilControl = u->early,
        .BarycentricInterpolationMode = BIM_PERSPECTIVE_PIXEL);
   EMIT(b, 3DSTATE_PS, .KernelStartPointer0 = u->narrow ? NARROW : 0,
        ._8PixelDispatchEnable = (!u->simd16 && !u->simd32) || u->narrow,
        ._16PixelDispatchEnable = u->simd16,
        ._32PixelDispatchEnable = u->simd32,
        .DispatchGRFStartRegisterForConstantSetupData0 =
           u->simd32                 ? 11
           : u->simd16 && !u->narrow ? 6
                                     : 4,
        .DispatchGRFStartRegisterForConstantSetupData2 = 6,
        .ScratchSpaceBasePointer = u->spills ? SCRATCH : 0,
        .RoundingMode = u->rounding, .MaximumNumberofThreadsPerPSD = 63,
        .VectorMaskEnable = true);
   EMIT(b, 3DSTATE_PS_EXTRA, .PixelShaderComputesStencil = u->stencils,
        .PixelShaderValid = true, .AttributeEnable = true);
   EMIT(b, 3DSTATE_PS_BLEND, .HasWriteableRT = true,
        .ColorBufferBlendEnable = u->blend.ColorBufferBlendEnable);
   EMIT(b, 3DSTATE_BLEND_STATE_POINTERS, .BlendStatePointer = AT_BLEND,
        .BlendStatePointerValid = true);
   EMIT(b, 3DSTATE_CC_STATE_POINTERS, .ColorCalcStatePointer = AT_COLOR_CALC,
        .ColorCalcStatePointerValid = true);
   EMIT(b, 3DSTATE_BINDING_TABLE_POINTERS_PS, .PointertoPSBindingTable = 0);
   EMIT(b, 3DSTATE_SAMPLER_STATE_POINTERS_PS,
        .PointertoPSSamplerState = AT_SAMPLER);
   EMIT(b, 3DSTATE_DRAWING_RECTANGLE,
        .ClippedDrawingRectangleXMax = s->size - 1,
        .ClippedDrawingRectangleYMax = s->size - 1);
}

/* All state for `u`; draws follow. */
struct scene
scene_start(void **state, const struct setup *u)
{
   f_reset_bos(*state);
   struct scene s = { .b = batch_start(state),
                      .size = u->size ? u->size : SIZE };
   struct fixture *f = s.b.f;
   s.vertices = f_bo(f, 65536, VERTICES);
   s.program = f_bo(f, 4096, PROGRAM);
   s.dynamic = f_bo(f, 4096, DYNAMIC);
   s.surfaces = f_bo(f, 4096, SURFACES);
   s.target = f_bo(f, 0x280000, TARGET);
   s.depth = f_bo(f, 0x140000, DEPTH);
   s.stencil = f_bo(f, 0x40000, STENCIL);
   s.texture = f_bo(f, 0x10000, TEXTURE);
   if (u->spills)
      f_bo(f, 64 * SCRATCH_B, SCRATCH);
   scene_program(&s, 0, u->program ? u->program : color_text);
   if (u->narrow)
      scene_program(&s, NARROW, u->narrow);
   set_targets(&s, u);
   set_dynamic(&s, u);
   emit_front(&s);
   emit_back(&s, u);
   return s;
}

void
scene_draw(struct scene *s, uint32_t topology, const struct vertex *v,
           unsigned n)
{
   struct batch *b = &s->b;
   memcpy((struct vertex *)s->vertices.map + s->num_vertices, v,
          n * sizeof(*v));
   EMIT(b, 3DSTATE_VF_TOPOLOGY, .PrimitiveTopologyType = topology);
   EMIT(b, 3DPRIMITIVE, .VertexCountPerInstance = n, .InstanceCount = 1,
        .StartVertexLocation = s->num_vertices);
   s->num_vertices += n;
}

/* Two triangles over all pixels at depth z, in one colour. */
void
scene_fill(struct scene *s, float z, float r, float g, float b, float a)
{
   const struct vertex v[4] = {
      { -1, -1, z, 1, { r, g, b, a } },
      { 1, -1, z, 1, { r, g, b, a } },
      { -1, 1, z, 1, { r, g, b, a } },
      { 1, 1, z, 1, { r, g, b, a } },
   };
   scene_draw(s, _3DPRIM_TRISTRIP, v, 4);
}
void
scene_texture(struct scene *s, unsigned size, uint64_t address)
{
   assert_true(isl_surf_init(skl(), &s->texture_surf, .dim = ISL_SURF_DIM_2D,
                             .format = ISL_FORMAT_R8G8B8A8_UNORM,
                             .width = size, .height = size, .depth = 1,
                             .levels = 1, .array_len = 1, .samples = 1,
                             .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .format = ISL_FORMAT_R8G8B8A8_UNORM,
      .levels = 1,
      .array_len = 1,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   s->surfaces.map[1] = 0x140;
   isl_surf_fill_state(skl(), &s->surfaces.map[0x140 / 4],
                       .surf = &s->texture_surf, .view = &view,
                       .address = address);
}
