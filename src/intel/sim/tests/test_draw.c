/* SPDX-License-Identifier: MIT */
/*
 * Whole draws on the simulated device: vertices from a buffer, a pixel shader
 * from assembly, pixels read back from the render target.
 *
 * The viewport maps clip space to 64 by 64 pixels, so that the centre of
 * pixel (x, y) is at (x + 0.5, y + 0.5) / 32 - 1.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "intel/isa/isa.h"
#include "intel/isl/isl.h"
#include "intel/sim/mem/surface.h"
#include "sim_batch.h"
#include "util/dynarray.h"

#define VERTICES 0x10000000ull
#define PROGRAM 0x10100000ull
#define DYNAMIC 0x10200000ull
#define SURFACES 0x10300000ull
#define TARGET 0x10400000ull
#define DEPTH 0x10600000ull
#define STENCIL 0x10700000ull
#define TEXTURE 0x10800000ull

#define SIZE 64u

/* Offsets in the dynamic state. */
enum {
   AT_SF_CLIP = 0x000,
   AT_CC_VIEWPORT = 0x040,
   AT_SCISSOR = 0x080,
   AT_BLEND = 0x100,
   AT_COLOR_CALC = 0x180,
   AT_SAMPLER = 0x200,
   AT_CONSTANTS = 0x240,
};

struct vertex {
   float x, y, z, w, attr[4];
};

/* What a test changes; zero is the plain case. */
/* In the buffers of the target and of depth. */
#define MCS_OFFSET 0x80000
#define HIZ_OFFSET 0x20000

struct setup {
   const char *program;
   enum isl_format format; /* 0: R8G8B8A8_UNORM */
   unsigned samples;       /* 0: 1 */
   unsigned forced;        /* FSC_* */
   bool simd16, simd32, flat, discards, stencils;
   bool depth, stencil, hiz, mcs;
   unsigned early; /* EDSC_* */
   struct GEN9_BLEND_STATE blend_common;
   struct GEN9_COLOR_CALC_STATE color_calc;
   struct GEN9_BLEND_STATE_ENTRY blend;
   struct GEN9_3DSTATE_WM_DEPTH_STENCIL ds;
   bool scissor;
};

struct scene {
   struct batch b;
   struct test_bo vertices, program, dynamic, surfaces, target, depth,
      stencil, texture;
   struct isl_surf target_surf, texture_surf;
   unsigned num_vertices;
};

static const struct intel_device_info *
skl(void)
{
   return intel_device_info_by_name("skl");
}

/* r2, r3: barycentrics; r4, r5: planes of the attribute. The colour is the
 * attribute. */
static const char color_text[] =
   "pln (8|M0) r112.0<1>:f r4.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r113.0<1>:f r4.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r114.0<1>:f r5.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r115.0<1>:f r5.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n";

/* The same for sixteen: r2 to r5 are barycentrics, planes follow. */
static const char color16_text[] =
   "pln (16|M0) r112.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (16|M0) r114.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (16|M0) r116.0<1>:f r7.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (16|M0) r118.0<1>:f r7.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "sendc (16|M0) null r112 0x25 0x10031000 {EOT}\n";

/* Thirty-two: barycentrics in r3 and r7, planes in r11, r12. */
static const char color32_text[] =
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
static const char read_text[] =
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
static const char count_text[] =
   "mov (8|M0) r10.0<1>:ud 0x200010:ud\n"
   "(W) mov (1|M0) f0.0<1>:uw r1.14<0;1,0>:uw\n" /* no helper channels */
   "(W&f0.0) send (8|M0) null r10 0xC 0x020095FF\n"
   "mov (8|M0) r112.0<1>:f 1.0:f\n"
   "mov (8|M0) r113.0<1>:f 1.0:f\n"
   "mov (8|M0) r114.0<1>:f 1.0:f\n"
   "mov (8|M0) r115.0<1>:f 1.0:f\n"
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n";

/* One half, one, zero, one, as half floats of sixteen pixels. */
static const char half_text[] =
   "mov (16|M0) r112.0<1>:uw 0x3800:uw\n"
   "mov (16|M0) r113.0<1>:uw 0x3c00:uw\n"
   "mov (16|M0) r114.0<1>:uw 0:uw\n"
   "mov (16|M0) r115.0<1>:uw 0x3c00:uw\n"
   "sendc (16|M0) null r112 0x25 0x48031000 {EOT}\n";

/* Samples binding table entry 1 at the attribute. */
static const char texture_text[] =
   "pln (8|M0) r10.0<1>:f r4.0<0;1,0>:f r2.0<8;8,1>:f\n"
   "pln (8|M0) r11.0<1>:f r4.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "send (8|M0) r112 r10 0x2 0x04420001\n"
   "sendc (8|M0) null r112 0x25 0x08031400 {EOT}\n";

static void
assemble(struct scene *s, const char *text)
{
   struct util_dynarray code = { 0 };
   struct isa_errors errors = { 0 };
   if (!isa_assemble(ISA_SKL, text, strlen(text), &code, &errors))
      fail_msg("%u: %s", errors.error[0].line, errors.error[0].text);
   memcpy(s->program.map, code.data, code.size_B);
   util_dynarray_fini(&code);
}

static void
set_targets(struct scene *s, const struct setup *u)
{
   const enum isl_format format =
      u->format ? u->format : ISL_FORMAT_R8G8B8A8_UNORM;
   const unsigned samples = MAX2(u->samples, 1u);
   assert_true(isl_surf_init(skl(), &s->target_surf, .dim = ISL_SURF_DIM_2D,
                             .format = format, .width = SIZE, .height = SIZE,
                             .depth = 1, .levels = 1, .array_len = 1,
                             .samples = samples,
                             .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT));
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_RENDER_TARGET_BIT, .format = format,
      .levels = 1, .array_len = 1, .swizzle = ISL_SWIZZLE_IDENTITY,
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
      state.AuxiliarySurfaceBaseAddress = TARGET + MCS_OFFSET;
      state.GreenClearColor = util_float_bits(1.0f);
      GEN9_RENDER_SURFACE_STATE_pack(dw, &state);
   }
}

static void
set_dynamic(struct scene *s, const struct setup *u)
{
   char *d = (char *)s->dynamic.map;
   const float half = SIZE / 2;
   const struct GEN9_SF_CLIP_VIEWPORT vp = {
      .ViewportMatrixElementm00 = half, .ViewportMatrixElementm11 = half,
      .ViewportMatrixElementm22 = 1, .ViewportMatrixElementm30 = half,
      .ViewportMatrixElementm31 = half, .XMinClipGuardband = -8,
      .XMaxClipGuardband = 8, .YMinClipGuardband = -8,
      .YMaxClipGuardband = 8, .XMaxViewPort = SIZE - 1,
      .YMaxViewPort = SIZE - 1,
   };
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
      .AddressModifyEnable = true, .BufferStartingAddress = VERTICES,
      .BufferSize = 4096, .BufferPitch = sizeof(struct vertex),
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
         .Valid = true, .SourceElementFormat = ISL_FORMAT_R32G32B32A32_FLOAT,
         .SourceElementOffset = i ? 16 * (i - 1) : 0,
         .Component0Control = c, .Component1Control = c,
         .Component2Control = c, .Component3Control = c,
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
   assert_true(isl_surf_init(skl(), &surf, .dim = ISL_SURF_DIM_2D,
                             .format = ISL_FORMAT_R32_FLOAT, .width = SIZE,
                             .height = SIZE, .depth = 1, .levels = 1,
                             .array_len = 1, .samples = samples,
                             .usage = ISL_SURF_USAGE_DEPTH_BIT));
   EMIT(b, 3DSTATE_DEPTH_BUFFER,
        .SurfaceType = u->depth || u->stencil ? SURFTYPE_2D : SURFTYPE_NULL,
        .SurfaceFormat = D32_FLOAT, .SurfacePitch = surf.row_pitch_B - 1,
        .SurfaceBaseAddress = u->depth ? DEPTH : 0,
        .DepthWriteEnable = u->depth, .StencilWriteEnable = u->stencil,
        .HierarchicalDepthBufferEnable = u->hiz, .Width = SIZE - 1, .Height = SIZE - 1,
        .SurfaceQPitch = surf.array_pitch_el_rows / 4);
   assert_true(isl_surf_init(skl(), &surf, .dim = ISL_SURF_DIM_2D,
                             .format = ISL_FORMAT_R8_UINT, .width = SIZE,
                             .height = SIZE, .depth = 1, .levels = 1,
                             .array_len = 1, .samples = samples,
                             .usage = ISL_SURF_USAGE_STENCIL_BIT));
   EMIT(b, 3DSTATE_STENCIL_BUFFER, .StencilBufferEnable = u->stencil,
        .SurfacePitch = surf.row_pitch_B - 1, .SurfaceBaseAddress = STENCIL,
        .SurfaceQPitch = surf.array_pitch_el_rows / 4);
   EMIT(b, 3DSTATE_HIER_DEPTH_BUFFER, .SurfacePitch = 127,
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
   EMIT(b, 3DSTATE_SAMPLE_PATTERN,
        ._1xSample0XOffset = 0.5f, ._1xSample0YOffset = 0.5f,
        ._4xSample0XOffset = 0.375f, ._4xSample0YOffset = 0.125f,
        ._4xSample1XOffset = 0.875f, ._4xSample1YOffset = 0.375f,
        ._4xSample2XOffset = 0.125f, ._4xSample2YOffset = 0.625f,
        ._4xSample3XOffset = 0.625f, ._4xSample3YOffset = 0.875f);
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
        .DXMultisampleRasterizationMode =
           msaa ? MSRASTMODE_ON_PATTERN : MSRASTMODE_OFF_PIXEL,
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
   EMIT(b, 3DSTATE_PS,
        ._8PixelDispatchEnable = !u->simd16 && !u->simd32,
        ._16PixelDispatchEnable = u->simd16,
        ._32PixelDispatchEnable = u->simd32,
        .DispatchGRFStartRegisterForConstantSetupData0 =
           u->simd32 ? 11 : u->simd16 ? 6 : 4,
        .MaximumNumberofThreadsPerPSD = 63, .VectorMaskEnable = true);
   EMIT(b, 3DSTATE_PS_EXTRA, .PixelShaderComputesStencil = u->stencils,
        .PixelShaderValid = true,
        .AttributeEnable = true);
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
        .ClippedDrawingRectangleXMax = SIZE - 1,
        .ClippedDrawingRectangleYMax = SIZE - 1);
}

/* All state for `u`; draws follow. */
static struct scene
scene_start(void **state, const struct setup *u)
{
   f_reset_bos(*state);
   struct scene s = { .b = batch_start(state) };
   struct fixture *f = s.b.f;
   s.vertices = f_bo(f, 4096, VERTICES);
   s.program = f_bo(f, 4096, PROGRAM);
   s.dynamic = f_bo(f, 4096, DYNAMIC);
   s.surfaces = f_bo(f, 4096, SURFACES);
   s.target = f_bo(f, 0x100000, TARGET);
   s.depth = f_bo(f, 0x40000, DEPTH);
   s.stencil = f_bo(f, 0x10000, STENCIL);
   s.texture = f_bo(f, 0x10000, TEXTURE);
   assemble(&s, u->program ? u->program : color_text);
   set_targets(&s, u);
   set_dynamic(&s, u);
   emit_front(&s);
   emit_back(&s, u);
   return s;
}

static void
draw(struct scene *s, uint32_t topology, const struct vertex *v, unsigned n)
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
static void
fill(struct scene *s, float z, float r, float g, float b, float a)
{
   const struct vertex v[4] = {
      { -1, -1, z, 1, { r, g, b, a } }, { 1, -1, z, 1, { r, g, b, a } },
      { -1, 1, z, 1, { r, g, b, a } },  { 1, 1, z, 1, { r, g, b, a } },
   };
   draw(s, _3DPRIM_TRISTRIP, v, 4);
}

/* The lower left half, x + y < 64; colours (x, y, 0, 1) / 64. */
static const struct vertex half[3] = {
   { -1, -1, 0.5f, 1, { 0, 0, 0, 1 } },
   { 1, -1, 0.5f, 1, { 1, 0, 0, 1 } },
   { -1, 1, 0.5f, 1, { 0, 1, 0, 1 } },
};

static const uint8_t *
pixel(const struct scene *s, unsigned x, unsigned y, unsigned sample)
{
   uint32_t x_el, y_el;
   const unsigned size_B = isl_format_block_size_B(s->target_surf.format);
   isl_surf_get_image_offset_el(&s->target_surf, 0, sample, 0, &x_el, &y_el);
   return (const uint8_t *)s->target.map +
          isl_tiling_address_B(s->target_surf.tiling,
                               s->target_surf.row_pitch_B,
                               (x_el + x) * size_B, y_el + y);
}

static uint32_t
pixel_ud(const struct scene *s, unsigned x, unsigned y, unsigned sample)
{
   uint32_t v;
   memcpy(&v, pixel(s, x, y, sample), sizeof(v));
   return v;
}

static void
expect_pixel(const struct scene *s, unsigned x, unsigned y, uint32_t want)
{
   if (pixel_ud(s, x, y, 0) != want)
      fail_msg("pixel %u, %u is 0x%08x, not 0x%08x", x, y,
               pixel_ud(s, x, y, 0), want);
}

static void
expect_all(const struct scene *s, uint32_t want)
{
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++)
         expect_pixel(s, x, y, want);
   }
}

/* ------------------------------------------------------------------ tests */

static void
check_half(void **state, const struct setup *u)
{
   struct scene s = scene_start(state, u);
   draw(&s, _3DPRIM_TRILIST, half, 3);
   batch_save(&s.b, GEN9_PS_INVOCATION_COUNT_num, DATA);
   batch_save(&s.b, GEN9_PS_DEPTH_COUNT_num, DATA + 4);
   batch_save(&s.b, GEN9_CL_PRIMITIVES_COUNT_num, DATA + 8);
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const uint8_t *p = pixel(&s, x, y, 0);
         if (x + y >= SIZE - 1) {
            expect_pixel(&s, x, y, 0);
            continue;
         }
         const double r = 255 * (x + 0.5) / SIZE, g = 255 * (y + 0.5) / SIZE;
         if (fabs(p[0] - r) > 0.51 || fabs(p[1] - g) > 0.51 || p[2] != 0 ||
             p[3] != 255)
            fail_msg("pixel %u, %u is %u %u %u %u", x, y, p[0], p[1], p[2],
                     p[3]);
      }
   }
   assert_int_equal(s.b.data.map[0], 63 * 64 / 2);
   assert_int_equal(s.b.data.map[1], 63 * 64 / 2);
}

static void
triangle(void **state)
{
   check_half(state, &(struct setup){ 0 });
}

static void
triangle_simd32(void **state)
{
   check_half(state, &(struct setup){ .program = color32_text,
                                      .simd32 = true });
}

static void
target_read(void **state)
{
   struct scene s =
      scene_start(state, &(struct setup){ .program = read_text });
   fill(&s, 0, 0.2f, 0, 1, 0);
   fill(&s, 0, 0.4f, 0.2f, 0, 0.6f);
   run_ok(&s.b);
   expect_all(&s, 0x99ff3399);
}

/* What a shader stores of pixels that fail the depth test: everything if the
 * tests are told to wait for it. */
static void
side_effects(void **state)
{
   static const struct {
      unsigned control;
      uint32_t runs;
   } rows[] = { { EDSC_NORMAL, 0 }, { EDSC_PSEXEC, SIZE * SIZE },
                { EDSC_PREPS, 0 } };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct scene s = scene_start(state, &(struct setup){
         .program = count_text, .depth = true, .early = rows[i].control,
         .ds = { .DepthTestEnable = true,
                 .DepthTestFunction = COMPAREFUNCTION_LESS } });
      fill(&s, 0.5f, 1, 1, 1, 1);
      run_ok(&s.b);
      assert_int_equal(s.b.data.map[4], rows[i].runs);
      expect_all(&s, 0);
   }
}

static void
half_precision(void **state)
{
   struct scene s = scene_start(state, &(struct setup){
      .program = half_text, .simd16 = true });
   fill(&s, 0, 0, 0, 0, 0);
   run_ok(&s.b);
   expect_all(&s, 0xff00ff80);
}

static void
triangle_simd16(void **state)
{
   check_half(state, &(struct setup){ .simd16 = true,
                                      .program = color16_text });
}

/* Behind the near plane, and outside of the view, nothing is drawn. */
static void
clipped(void **state)
{
   struct scene s = scene_start(state, &(struct setup){ 0 });
   fill(&s, -0.5f, 1, 1, 1, 1);
   fill(&s, 1.5f, 1, 1, 1, 1);
   run_ok(&s.b);
   expect_all(&s, 0);
}

/* Perspective: w doubles along x, so the attribute lags behind. */
static void
perspective(void **state)
{
   struct scene s = scene_start(state, &(struct setup){ 0 });
   const struct vertex v[4] = {
      { -1, -1, 0.5f, 1, { 0, 0, 0, 1 } },
      { 3, -3, 1.5f, 3, { 1, 0, 0, 1 } },
      { -1, 1, 0.5f, 1, { 0, 0, 0, 1 } },
      { 3, 3, 1.5f, 3, { 1, 0, 0, 1 } },
   };
   draw(&s, _3DPRIM_TRISTRIP, v, 4);
   run_ok(&s.b);
   for (unsigned x = 0; x < SIZE; x++) {
      const double t = (x + 0.5) / SIZE;
      const double a = t / 3 / ((1 - t) + t / 3);
      const uint8_t *p = pixel(&s, x, 17, 0);
      if (fabs(p[0] - 255 * a) > 0.51)
         fail_msg("column %u is %u, not %g", x, p[0], 255 * a);
   }
}

static void
flat_shading(void **state)
{
   struct scene s = scene_start(state, &(struct setup){ .flat = true });
   draw(&s, _3DPRIM_TRILIST, half, 3);
   run_ok(&s.b);
   /* The provoking vertex is the first by default. */
   expect_pixel(&s, 3, 3, 0xff000000);
   expect_pixel(&s, 60, 1, 0xff000000);
}

/* Triangles that share an edge draw each pixel once. */
static void
shared_edges(void **state)
{
   const struct setup u = { .blend = {
      .ColorBufferBlendEnable = true,
      .SourceBlendFactor = BLENDFACTOR_ONE,
      .DestinationBlendFactor = BLENDFACTOR_ONE,
      .SourceAlphaBlendFactor = BLENDFACTOR_ONE,
      .DestinationAlphaBlendFactor = BLENDFACTOR_ONE,
   } };
   struct scene s = scene_start(state, &u);
   /* A fan around a crooked centre. */
   struct vertex v[10];
   static const float rim[9][2] = {
      { -1, -1 }, { 0.13f, -1 }, { 1, -1 }, { 1, 0.31f }, { 1, 1 },
      { -0.57f, 1 }, { -1, 1 }, { -1, 0.03f }, { -1, -1 },
   };
   for (unsigned i = 0; i < 10; i++) {
      v[i] = (struct vertex){ 0.171f, -0.0937f, 0.5f, 1,
                              { 0.2f, 0.2f, 0.2f, 0.2f } };
      if (i) {
         v[i].x = rim[i - 1][0];
         v[i].y = rim[i - 1][1];
      }
   }
   draw(&s, _3DPRIM_TRIFAN, v, 10);
   run_ok(&s.b);
   expect_all(&s, 0x33333333);
}

static void
blending(void **state)
{
   const struct setup u = { .blend = {
      .ColorBufferBlendEnable = true,
      .SourceBlendFactor = BLENDFACTOR_SRC_ALPHA,
      .DestinationBlendFactor = BLENDFACTOR_INV_SRC_ALPHA,
      .SourceAlphaBlendFactor = BLENDFACTOR_SRC_ALPHA,
      .DestinationAlphaBlendFactor = BLENDFACTOR_INV_SRC_ALPHA,
      .WriteDisableBlue = true,
   } };
   struct scene s = scene_start(state, &u);
   fill(&s, 0.5f, 1, 0, 1, 1);
   fill(&s, 0.5f, 0, 1, 1, 0.6f);
   run_ok(&s.b);
   /* red 0.4, green 0.6, blue never written, alpha 0.36 + 0.4. */
   expect_all(&s, 102 | 153 << 8 | 194u << 24);
}

/* What fails the alpha test writes neither colour nor depth. */
static void
alpha_test(void **state)
{
   const struct setup u = {
      .depth = true,
      .ds = { .DepthBufferWriteEnable = true },
      .blend_common = { .AlphaTestEnable = true,
                        .AlphaTestFunction = COMPAREFUNCTION_GREATER },
      .color_calc = { .AlphaTestFormat = ALPHATEST_FLOAT32,
                      .AlphaReferenceValueAsFLOAT32 = 0.5f },
   };
   struct scene s = scene_start(state, &u);
   fill(&s, 0.25f, 1, 0, 0, 0.6f);
   fill(&s, 0.75f, 0, 1, 0, 0.5f); /* not greater */
   run_ok(&s.b);
   expect_all(&s, 0xff | 153u << 24);
   assert_true(util_bits_float(s.depth.map[0]) == 0.25f);
}

static void
alpha_test_unorm8(void **state)
{
   const struct setup u = {
      .blend_common = { .AlphaTestEnable = true,
                        .AlphaTestFunction = COMPAREFUNCTION_EQUAL },
      .color_calc = { .AlphaTestFormat = ALPHATEST_UNORM8,
                      .AlphaReferenceValueAsUNORM8 = 102 },
   };
   struct scene s = scene_start(state, &u);
   fill(&s, 0.5f, 1, 0, 0, 0.401f); /* 102 when rounded */
   fill(&s, 0.5f, 0, 1, 0, 0.404f); /* 103 */
   run_ok(&s.b);
   expect_all(&s, 0xff | 102u << 24);
}

static void
logic_operation(void **state)
{
   const struct setup u = { .blend = { .LogicOpEnable = true,
                                       .LogicOpFunction = LOGICOP_XOR } };
   struct scene s = scene_start(state, &u);
   fill(&s, 0.5f, 1, 0.2f, 0, 1);
   fill(&s, 0.5f, 0.2f, 0.2f, 0, 0);
   run_ok(&s.b);
   expect_all(&s, (0xff ^ 0x33) | 0xffu << 24);
}

static void
depth_test(void **state)
{
   const struct setup u = { .depth = true, .ds = {
      .DepthTestEnable = true, .DepthBufferWriteEnable = true,
      .DepthTestFunction = COMPAREFUNCTION_LESS,
   } };
   struct scene s = scene_start(state, &u);
   for (unsigned i = 0; i < s.depth.size_B / 4; i++)
      s.depth.map[i] = util_float_bits(1);
   draw(&s, _3DPRIM_TRILIST, half, 3);   /* at 0.5 */
   fill(&s, 0.75f, 0, 0, 1, 1);          /* behind the half */
   fill(&s, 0.75f, 1, 1, 1, 1);          /* not less */
   batch_save(&s.b, GEN9_PS_DEPTH_COUNT_num, DATA);
   run_ok(&s.b);
   assert_int_equal(s.b.data.map[0], 64 * 64);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         if (x + y >= SIZE - 1)
            expect_pixel(&s, x, y, 0xffff0000);
         else
            assert_int_equal(pixel(&s, x, y, 0)[2], 0);
         const uint64_t at = isl_tiling_address_B(ISL_TILING_Y0, 256, 4 * x,
                                                  y);
         assert_true(util_bits_float(s.depth.map[at / 4]) ==
                     (x + y >= SIZE - 1 ? 0.75f : 0.5f));
      }
   }
}

/* The write needs no test: so drivers clear. */
static void
depth_write_alone(void **state)
{
   const struct setup u = { .depth = true, .ds = {
      .DepthBufferWriteEnable = true,
      .DepthTestFunction = COMPAREFUNCTION_NEVER,
   } };
   struct scene s = scene_start(state, &u);
   fill(&s, 0.25f, 0, 1, 0, 1);
   run_ok(&s.b);
   expect_all(&s, 0xff00ff00);
   assert_true(util_bits_float(s.depth.map[0]) == 0.25f);
}

/* A byte for each channel in the register behind the colour takes the place
 * of the reference value. */
static void
stencil_of_shader(void **state)
{
   const struct setup u = { .stencil = true, .stencils = true,
      .program =
         "mov (8|M0) r112.0<1>:f 1.0:f\n"
         "mov (8|M0) r113.0<1>:f 0.0:f\n"
         "mov (8|M0) r114.0<1>:f 0.0:f\n"
         "mov (8|M0) r115.0<1>:f 1.0:f\n"
         "mov (8|M0) r116.0<1>:uw 0x2a2a:uw\n"
         "sendc (8|M0) null r112 0x25 0x0A031400 {EOT}\n",
      .ds = {
         .StencilTestEnable = true, .StencilBufferWriteEnable = true,
         .StencilTestFunction = COMPAREFUNCTION_ALWAYS,
         .StencilTestMask = 0xff, .StencilWriteMask = 0xff,
         .StencilReferenceValue = 7,
         .StencilPassDepthPassOp = STENCILOP_REPLACE,
      } };
   struct scene s = scene_start(state, &u);
   draw(&s, _3DPRIM_TRILIST, half, 3);
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const uint64_t at = isl_tiling_address_B(ISL_TILING_W, 128, x, y);
         assert_int_equal(((uint8_t *)s.stencil.map)[at],
                          x + y >= SIZE - 1 ? 0 : 0x2a);
      }
   }
}

static void
stencil_test(void **state)
{
   struct setup u = { .stencil = true, .ds = {
      .StencilTestEnable = true, .StencilBufferWriteEnable = true,
      .StencilTestFunction = COMPAREFUNCTION_EQUAL,
      .StencilTestMask = 0xff, .StencilWriteMask = 0x0f,
      .StencilReferenceValue = 0,
      .StencilPassDepthPassOp = STENCILOP_INCRSAT,
   } };
   struct scene s = scene_start(state, &u);
   draw(&s, _3DPRIM_TRILIST, half, 3); /* where 0: becomes 1 */
   fill(&s, 0.5f, 0, 0, 1, 1);         /* the rest becomes 1 */
   fill(&s, 0.5f, 1, 1, 1, 1);         /* nowhere */
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const uint64_t at = isl_tiling_address_B(ISL_TILING_W, 128, x, y);
         assert_int_equal(((uint8_t *)s.stencil.map)[at], 1);
         if (x + y >= SIZE - 1)
            expect_pixel(&s, x, y, 0xffff0000);
         else
            assert_int_equal(pixel(&s, x, y, 0)[2], 0);
      }
   }
}

static void
scissor(void **state)
{
   struct scene s = scene_start(state, &(struct setup){ .scissor = true });
   fill(&s, 0.5f, 1, 1, 1, 1);
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const bool in = x >= 10 && x <= 29 && y >= 20 && y <= 24;
         expect_pixel(&s, x, y, in ? 0xffffffff : 0);
      }
   }
}

static void
textured(void **state)
{
   struct scene s =
      scene_start(state, &(struct setup){ .program = texture_text });
   assert_true(isl_surf_init(skl(), &s.texture_surf, .dim = ISL_SURF_DIM_2D,
                             .format = ISL_FORMAT_R8G8B8A8_UNORM, .width = 8,
                             .height = 8, .depth = 1, .levels = 1,
                             .array_len = 1, .samples = 1,
                             .usage = ISL_SURF_USAGE_TEXTURE_BIT));
   const struct isl_view view = {
      .usage = ISL_SURF_USAGE_TEXTURE_BIT,
      .format = ISL_FORMAT_R8G8B8A8_UNORM, .levels = 1, .array_len = 1,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
   s.surfaces.map[1] = 0x140;
   isl_surf_fill_state(skl(), &s.surfaces.map[0x140 / 4],
                       .surf = &s.texture_surf, .view = &view,
                       .address = TEXTURE);
   for (unsigned y = 0; y < 8; y++) {
      for (unsigned x = 0; x < 8; x++) {
         const uint64_t at = isl_tiling_address_B(
            s.texture_surf.tiling, s.texture_surf.row_pitch_B, 4 * x, y);
         s.texture.map[at / 4] = 0xff000000 | (16 * y + x);
      }
   }
   const struct vertex v[4] = {
      { -1, -1, 0.5f, 1, { 0, 0 } }, { 1, -1, 0.5f, 1, { 1, 0 } },
      { -1, 1, 0.5f, 1, { 0, 1 } },  { 1, 1, 0.5f, 1, { 1, 1 } },
   };
   draw(&s, _3DPRIM_TRISTRIP, v, 4);
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++)
         expect_pixel(&s, x, y, 0xff000000 | (16 * (y / 8) + x / 8));
   }
}

/* Every sample of every pixel is drawn by one of two triangles; on the edge
 * between them both have some.
 */
/*
 * Stipple and antialiasing
 */

static float
ndc(float px)
{
   return px / (SIZE / 2) - 1;
}

static struct vertex
white(float x, float y)
{
   return (struct vertex) { ndc(x), ndc(y), 0.5f, 1, { 1, 1, 1, 1 } };
}

static void
polygon_stipple(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   struct GEN9_3DSTATE_POLY_STIPPLE_PATTERN p = {
      GEN9_3DSTATE_POLY_STIPPLE_PATTERN_header };
   for (unsigned i = 0; i < 32; i++)
      p.PatternRow[i] = 0x80000000u >> i;
   GEN9_3DSTATE_POLY_STIPPLE_PATTERN_pack(b->next, &p);
   b->next += GEN9_3DSTATE_POLY_STIPPLE_PATTERN_length;
   EMIT(b, 3DSTATE_POLY_STIPPLE_OFFSET, .PolygonStippleXOffset = 3);
   EMIT(b, 3DSTATE_WM, .PolygonStippleEnable = true,
        .BarycentricInterpolationMode = BIM_PERSPECTIVE_PIXEL);
   fill(&s, 0.5f, 1, 1, 1, 1);
   run_ok(b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++)
         expect_pixel(&s, x, y, (x + 3) % 32 == y % 32 ? 0xffffffff : 0);
   }
}

/* Two lines along row 10, of ten and of eight pixels; the pattern goes on in
 * the second one if both are of a strip. */
static void
check_line_stipple(void **state, uint32_t topology)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   const bool strip = topology == _3DPRIM_LINESTRIP;
   EMIT(b, 3DSTATE_LINE_STIPPLE, .LineStipplePattern = 0x00c5,
        .LineStippleRepeatCount = 2, .LineStippleInverseRepeatCount = 0.5f);
   EMIT(b, 3DSTATE_WM, .LineStippleEnable = true,
        .BarycentricInterpolationMode = BIM_PERSPECTIVE_PIXEL);
   const struct vertex v[4] = { white(2.5f, 10.5f), white(12.5f, 10.5f),
                                white(12.5f, 10.5f), white(20.5f, 10.5f) };
   const struct vertex w[3] = { v[0], v[1], v[3] };
   draw(&s, topology, strip ? w : v, strip ? 3 : 4);
   run_ok(b);
   for (unsigned x = 2; x < 20; x++) {
      const unsigned step = strip || x < 12 ? x - 2 : x - 12;
      expect_pixel(&s, x, 10, 0xc5 >> step / 2 & 1 ? 0xffffffff : 0);
   }
}

static void
line_stipple(void **state)
{
   check_line_stipple(state, _3DPRIM_LINELIST);
   check_line_stipple(state, _3DPRIM_LINESTRIP);
}

/* Smaller than the space between the centres of pixels. */
static void
small_points(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_SF, .ViewportTransformEnable = true,
        .PointWidthSource = 1, .PointWidth = 0.125f);
   const struct vertex v[2] = { white(8, 8), white(20.25f, 20.25f) };
   draw(&s, _3DPRIM_POINTLIST, v, 2);
   run_ok(b);
   unsigned lit = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      lit += pixel_ud(&s, i % SIZE, i / SIZE, 0) == 0xffffffff;
   assert_int_equal(lit, 2);
   expect_pixel(&s, 20, 20, 0xffffffff);
}

/* Rows 10 and 11 share a line whose centre is at 10.75. */
static void
antialiased_line(void **state)
{
   struct scene s = scene_start(state, &(struct setup) { 0 });
   struct batch *b = &s.b;
   EMIT(b, 3DSTATE_RASTER, .CullMode = CULLMODE_NONE, .APIMode = DX101,
        .AntialiasingEnable = true);
   const struct vertex v[2] = { white(8, 10.75f), white(24, 10.75f) };
   draw(&s, _3DPRIM_LINELIST, v, 2);
   run_ok(b);
   for (unsigned x = 8; x < 24; x++) {
      expect_pixel(&s, x, 9, 0);
      expect_pixel(&s, x, 10, 0xbfffffff);
      expect_pixel(&s, x, 11, 0x40ffffff);
      expect_pixel(&s, x, 12, 0);
   }
   expect_pixel(&s, 7, 10, 0);
   expect_pixel(&s, 24, 10, 0);
}

static void
multisampled(void **state)
{
   struct scene s = scene_start(state, &(struct setup){ .samples = 4 });
   fill(&s, 0.5f, 0, 0, 1, 1);
   draw(&s, _3DPRIM_TRILIST, half, 3);
   run_ok(&s.b);
   static const double at[4][2] = {
      { 0.375, 0.125 }, { 0.875, 0.375 }, { 0.125, 0.625 }, { 0.625, 0.875 },
   };
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         for (unsigned i = 0; i < 4; i++) {
            const bool in = x + at[i][0] + y + at[i][1] < SIZE;
            const uint8_t *p = pixel(&s, x, y, i);
            if (p[3] != 255 || p[2] != (in ? 0 : 255))
               fail_msg("sample %u of %u, %u: %02x%02x%02x%02x", i, x, y,
                        p[3], p[2], p[1], p[0]);
         }
      }
   }
}

/* A clear word until something is drawn to the pixel; then the samples'
 * planes: one where the triangle covers all of it, two at its edge. */
static void
multisampled_with_mcs(void **state)
{
   struct scene s =
      scene_start(state, &(struct setup){ .samples = 4, .mcs = true });
   uint8_t *mcs = (uint8_t *)s.target.map + MCS_OFFSET;
   memset(mcs, 0xff, 0x1000 * 2);
   draw(&s, _3DPRIM_TRILIST, half, 3);
   run_ok(&s.b);
   static const double at[4][2] = {
      { 0.375, 0.125 }, { 0.875, 0.375 }, { 0.125, 0.625 }, { 0.625, 0.875 },
   };
   unsigned split = 0;
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const uint8_t word = mcs[sim_tile_offset(SIM_TILE_Y, 128, x, y)];
         unsigned covered = 0;
         for (unsigned i = 0; i < 4; i++)
            covered += x + at[i][0] + y + at[i][1] < SIZE;
         if (covered % 4 == 0) {
            assert_int_equal(word, covered ? 0 : 0xff);
            continue;
         }
         split++;
         for (unsigned i = 0; i < 4; i++) {
            const bool in = x + at[i][0] + y + at[i][1] < SIZE;
            const uint8_t *p =
               pixel(&s, x, y, sim_mcs_plane(4, word, i));
            /* The triangle is opaque, the clear colour transparent green. */
            assert_int_equal(p[3], in ? 255 : 0);
            if (!in)
               assert_int_equal(p[1], 255);
         }
      }
   }
   assert_true(split > 0);
}

/* A pixel of one sample is written if any of four samples is covered. */
static void
forced_sample_count(void **state)
{
   struct scene s = scene_start(
      state, &(struct setup){ .forced = FSC_NUMRASTSAMPLES_4 });
   draw(&s, _3DPRIM_TRILIST, half, 3);
   run_ok(&s.b);
   static const double at[4][2] = {
      { 0.375, 0.125 }, { 0.875, 0.375 }, { 0.125, 0.625 }, { 0.625, 0.875 },
   };
   unsigned partly = 0;
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         unsigned covered = 0;
         for (unsigned i = 0; i < 4; i++)
            covered += x + at[i][0] + y + at[i][1] < SIZE;
         assert_int_equal(pixel(&s, x, y, 0)[3], covered ? 255 : 0);
         partly += covered > 0 && x + y + 1 >= SIZE;
      }
   }
   assert_true(partly > 0);
}

static void
hz_op(struct scene *s, struct GEN9_3DSTATE_WM_HZ_OP op, unsigned x1)
{
   struct batch *b = &s->b;
   op.DWordLength = GEN9_3DSTATE_WM_HZ_OP_length - 2;
   op.ClearRectangleXMax = x1;
   op.ClearRectangleYMax = SIZE;
   op.SampleMask = 0xffff;
   GEN9_3DSTATE_WM_HZ_OP_pack(b->next, &op);
   b->next += GEN9_3DSTATE_WM_HZ_OP_length;
   EMIT(b, PIPE_CONTROL, .DepthStallEnable = true);
   EMIT(b, 3DSTATE_WM_HZ_OP, .SampleMask = 0);
}

static float
depth_at(const struct scene *s, unsigned x, unsigned y)
{
   float z;
   memcpy(&z, (char *)s->depth.map + sim_tile_offset(SIM_TILE_Y, 256, 4 * x,
                                                     y), sizeof(z));
   return z;
}

/* A clear of columns 0 to 43, then a draw to the first block's corner; the
 * depth was 1. */
static struct scene
clear_depth(void **state)
{
   struct scene s = scene_start(state, &(struct setup){
      .depth = true, .hiz = true,
      .ds = { .DepthTestEnable = true, .DepthBufferWriteEnable = true,
              .DepthTestFunction = COMPAREFUNCTION_LESS },
   });
   const struct vertex corner[3] = {
      { -1, -1, 0.125f, 1, { 1, 1, 1, 1 } },
      { -0.9f, -1, 0.125f, 1, { 1, 1, 1, 1 } },
      { -1, -0.9f, 0.125f, 1, { 1, 1, 1, 1 } },
   };
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      ((float *)s.depth.map)[i] = 1.0f;
   hz_op(&s, (struct GEN9_3DSTATE_WM_HZ_OP){ .DepthBufferClearEnable = true },
         44);
   draw(&s, _3DPRIM_TRILIST, corner, 3);
   return s;
}

/* Depth is written in the block that is drawn to, and in the columns of the
 * block that the rectangle cuts. */
static void
hierarchical_depth(void **state)
{
   struct scene s = clear_depth(state);
   run_ok(&s.b);
   assert_true(depth_at(&s, 0, 0) == 0.125f);
   assert_true(depth_at(&s, 7, 3) == 0.25f);
   assert_true(depth_at(&s, 8, 0) == 1.0f);
   assert_true(depth_at(&s, 40, 0) == 0.25f);
   assert_true(depth_at(&s, 43, 63) == 0.25f);
   assert_true(depth_at(&s, 44, 0) == 1.0f);
}

static void
depth_resolve(void **state)
{
   struct scene s = clear_depth(state);
   hz_op(&s, (struct GEN9_3DSTATE_WM_HZ_OP){ .DepthBufferResolveEnable =
                                                true }, SIZE);
   run_ok(&s.b);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 8; x < SIZE; x++)
         assert_true(depth_at(&s, x, y) == (x < 44 ? 0.25f : 1.0f));
   }
}

/* Marks without depth: what the clear said is lost. */
static void
hierarchical_depth_resolve(void **state)
{
   struct scene s = clear_depth(state);
   hz_op(&s, (struct GEN9_3DSTATE_WM_HZ_OP){
                .HierarchicalDepthBufferResolveEnable = true }, SIZE);
   hz_op(&s, (struct GEN9_3DSTATE_WM_HZ_OP){ .DepthBufferResolveEnable =
                                                true }, SIZE);
   run_ok(&s.b);
   assert_true(depth_at(&s, 7, 3) == 0.25f);
   assert_true(depth_at(&s, 8, 0) == 1.0f);
}

static void
target_formats(void **state)
{
   static const struct {
      enum isl_format format;
      uint32_t want[2];
      unsigned size_B;
   } rows[] = {
      { ISL_FORMAT_R16G16B16A16_FLOAT, { 0x34003c00, 0x3c003800 }, 8 },
      { ISL_FORMAT_B5G6R5_UNORM, { 31 << 11 | 16 << 5 | 16 }, 2 },
      { ISL_FORMAT_R10G10B10A2_UNORM,
        { 3u << 30 | 512u << 20 | 256 << 10 | 1023 }, 4 },
      { ISL_FORMAT_R8_UNORM, { 0xff }, 1 },
      { ISL_FORMAT_B8G8R8A8_UNORM_SRGB, { 0xffff89bc }, 4 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct scene s =
         scene_start(state, &(struct setup){ .format = rows[i].format });
      fill(&s, 0.5f, 1, 0.25f, 0.5f, 1);
      run_ok(&s.b);
      assert_memory_equal(pixel(&s, 33, 44, 0), rows[i].want,
                          rows[i].size_B);
   }
}

/* A shader that is none: the report names the instruction. */
static void
bad_shader(void **state)
{
   struct scene s = scene_start(state, &(struct setup){ 0 });
   memset(s.program.map, 0x7f, 64);
   fill(&s, 0.5f, 1, 1, 1, 1);
   run_faulty(&s.b, "3DPRIMITIVE", "pixel shader", NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, f_setup, f_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      TEST(triangle),
      TEST(triangle_simd32),
      TEST(target_read),
      TEST(half_precision),
      TEST(side_effects),     TEST(triangle_simd16), TEST(clipped),
      TEST(perspective),  TEST(flat_shading),    TEST(shared_edges),
      TEST(blending),     TEST(alpha_test),
      TEST(alpha_test_unorm8),     TEST(logic_operation), TEST(depth_test),
      TEST(depth_write_alone), TEST(stencil_of_shader),
      TEST(stencil_test), TEST(scissor),         TEST(textured),
      TEST(polygon_stipple),
      TEST(line_stipple),
      TEST(small_points),
      TEST(antialiased_line),
      TEST(multisampled), TEST(target_formats),  TEST(bad_shader),
      TEST(multisampled_with_mcs), TEST(hierarchical_depth),
      TEST(forced_sample_count), TEST(depth_resolve),
      TEST(hierarchical_depth_resolve),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
