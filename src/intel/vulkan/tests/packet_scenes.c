/* SPDX-License-Identifier: MIT */
#include "packet_scenes.h"

#include <string.h>

#include "vkt_triangle.h"
#include "util/macros.h"

#include "packets_capture_blocks_vert.h"
#include "packets_color_frag.h"
#include "packets_color_vert.h"
#include "packets_groups_comp.h"
#include "packets_patch_tesc.h"
#include "packets_patch_tese.h"
#include "packets_point_vert.h"
#include "packets_position_vert.h"
#include "packets_sample_comp.h"
#include "packets_streams_geom.h"
#include "packets_white_frag.h"

#define W 40
#define H 24

static const float triangle_vertices[3][8] = {
   { -1, -1, 0, 1, 1, 0, 0, 1 },
   { 3, -1, 0, 1, 0, 1, 0, 1 },
   { -1, 3, 0, 1, 0, 0, 1, 1 },
};

static struct vkt_scene
triangle_scene(void)
{
   return VKT_SCENE(.vs = VKT_SHADER(color_vert),
                    .fs = VKT_SHADER(color_frag),
                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                    .vertices = triangle_vertices[0], .attributes = 2,
                    .vertex_count = 3, .width = W, .height = H);
}

static void
record_triangle(void)
{
   const struct vkt_scene s = triangle_scene();
   vkt_draw(&s, NULL);
}

static const struct packet_want triangle_wants[] = {
   { "3DSTATE_VF_TOPOLOGY|3DPRIMITIVE", "PrimitiveTopologyType",
     "_3DPRIM_TRILIST" },
   { "3DPRIMITIVE", "VertexCountPerInstance", "3" },
   { "3DPRIMITIVE", "InstanceCount", "1" },
   { "3DPRIMITIVE", "VertexAccessType", "SEQUENTIAL" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm00", "20" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm11", "12" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm22", "1" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm30", "20" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm31", "12" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm32", "0" },
   { "SCISSOR_RECT", "ScissorRectangleXMin", "0" },
   { "SCISSOR_RECT", "ScissorRectangleXMax", "39" },
   { "SCISSOR_RECT", "ScissorRectangleYMax", "23" },
   { "3DSTATE_RASTER|3DSTATE_SF", "CullMode", "CULLMODE_NONE" },
   { "3DSTATE_RASTER|3DSTATE_SF", "FrontFaceFillMode", "FILL_MODE_SOLID" },
   { "3DSTATE_WM_DEPTH_STENCIL|DEPTH_STENCIL_STATE", "DepthTestEnable", "0" },
   { "BLEND_STATE_ENTRY", "ColorBufferBlendEnable", "0" },
   { "RENDER_SURFACE_STATE", "Width", "39" },
   { "RENDER_SURFACE_STATE", "Height", "23" },
   { "3DSTATE_MULTISAMPLE", "NumberofMultisamples", "NUMSAMPLES_1" },
   { NULL },
};

static void
record_fast_clear(void)
{
   struct vkt_scene s = triangle_scene();
   s.color_layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
   s.clear = (VkClearColorValue) { .float32 = { 1, 0, 0, 1 } };
   vkt_draw(&s, NULL);
}

/* Of 32 bits a pixel stands for 64x64, on Skylake for 64x32, and all is two
 * times two of them, on Haswell twice as many. */
static const struct packet_want fast_clear_wants[] = {
   { "3DSTATE_PS", "RenderTargetFastClearEnable", "1" },
   { "3DSTATE_VF_TOPOLOGY|3DPRIMITIVE", "PrimitiveTopologyType",
     "_3DPRIM_RECTLIST" },
   { "3DPRIMITIVE", "VertexCountPerInstance", "3" },
   { "RENDER_SURFACE_STATE", "AuxiliarySurfaceMode|MCSEnable",
     "AUX_CCS_D|AUX_MCS|1" },
   { "RENDER_SURFACE_STATE", "RedClearColor", "1|1065353216" },
   { "RENDER_SURFACE_STATE", "GreenClearColor", "0" },
   { "SCISSOR_RECT", "ScissorRectangleXMax", "1|3" },
   { "SCISSOR_RECT", "ScissorRectangleYMax", "1|3" },
   { NULL },
};

static const struct packet_want compressed_wants[] = {
   { "3DSTATE_PS", "RenderTargetFastClearEnable", "0" },
   { "3DSTATE_PS", "RenderTargetResolveType|RenderTargetResolveEnable", "0" },
   { "RENDER_SURFACE_STATE", "AuxiliarySurfaceMode|MCSEnable",
     "AUX_CCS_D|AUX_MCS|1" },
   { NULL },
};

/* Before Gen8 by 4x2 pixels of 40x24. */
static const struct packet_want resolve_wants[] = {
   { "3DSTATE_PS", "RenderTargetResolveType|RenderTargetResolveEnable",
     "RESOLVE_FULL|1" },
   { "3DSTATE_PS", "RenderTargetFastClearEnable", "0" },
   { "RENDER_SURFACE_STATE", "AuxiliarySurfaceMode|MCSEnable",
     "AUX_CCS_D|AUX_MCS|1" },
   { "SCISSOR_RECT", "ScissorRectangleXMax", "0|1|9" },
   { "SCISSOR_RECT", "ScissorRectangleYMax", "0|1|11" },
   { NULL },
};

static void
record_fast_clear_samples(void)
{
   struct vkt_scene s = triangle_scene();
   s.samples = VK_SAMPLE_COUNT_4_BIT;
   s.color_layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
   s.clear = (VkClearColorValue) { .float32 = { 1, 0, 0, 1 } };
   vkt_draw(&s, NULL);
}

/* A pixel stands for 8x2, of pairs of those. */
static const struct packet_want fast_clear_samples_wants[] = {
   { "3DSTATE_PS", "RenderTargetFastClearEnable", "1" },
   { "3DSTATE_MULTISAMPLE", "NumberofMultisamples", "NUMSAMPLES_4" },
   { "RENDER_SURFACE_STATE", "AuxiliarySurfaceMode|MCSEnable",
     "AUX_CCS_D|AUX_MCS|1" },
   { "RENDER_SURFACE_STATE", "RedClearColor", "1|1065353216" },
   { "SCISSOR_RECT", "ScissorRectangleXMax", "5" },
   { "SCISSOR_RECT", "ScissorRectangleYMax", "11" },
   { NULL },
};

static void
record_viewport(void)
{
   const VkViewport viewport = { 3, 5, 20, 10, 0.25f, 0.75f };
   const VkRect2D scissor = { { 4, 6 }, { 7, 8 } };
   /* What is not clamped is clamped to what the depth buffer holds. */
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .depthClampEnable = VK_TRUE, .lineWidth = 1.0f);
   struct vkt_scene s = triangle_scene();
   s.raster = &raster;
   s.viewport = &viewport;
   s.scissor = &scissor;
   vkt_draw(&s, NULL);
}

static const struct packet_want viewport_wants[] = {
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm00", "10" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm11", "5" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm22", "0.5" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm30", "13" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm31", "10" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm32", "0.25" },
   { "CC_VIEWPORT", "MinimumDepth", "0.25" },
   { "CC_VIEWPORT", "MaximumDepth", "0.75" },
   { "SCISSOR_RECT", "ScissorRectangleXMin", "4" },
   { "SCISSOR_RECT", "ScissorRectangleXMax", "10" },
   { "SCISSOR_RECT", "ScissorRectangleYMin", "6" },
   { "SCISSOR_RECT", "ScissorRectangleYMax", "13" },
   { NULL },
};

static void
record_blend(void)
{
   const VkPipelineColorBlendAttachmentState blend = {
      .blendEnable = VK_TRUE,
      .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
      .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR,
      .colorBlendOp = VK_BLEND_OP_REVERSE_SUBTRACT,
      .srcAlphaBlendFactor = VK_BLEND_FACTOR_CONSTANT_ALPHA,
      .dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO,
      .alphaBlendOp = VK_BLEND_OP_ADD,
      .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_A_BIT,
   };
   struct vkt_scene s = triangle_scene();
   s.blend = &blend;
   memcpy(s.blend_constants, (float[]) { 0.125f, 0.25f, 0.5f, 0.75f }, 16);
   vkt_draw(&s, NULL);
}

static const struct packet_want blend_wants[] = {
   { "BLEND_STATE_ENTRY", "ColorBufferBlendEnable", "1" },
   { "BLEND_STATE_ENTRY", "SourceBlendFactor", "BLENDFACTOR_SRC_ALPHA" },
   { "BLEND_STATE_ENTRY", "DestinationBlendFactor",
     "BLENDFACTOR_INV_DST_COLOR" },
   { "BLEND_STATE_ENTRY", "ColorBlendFunction",
     "BLENDFUNCTION_REVERSE_SUBTRACT" },
   { "BLEND_STATE_ENTRY", "SourceAlphaBlendFactor",
     "BLENDFACTOR_CONST_ALPHA" },
   { "BLEND_STATE_ENTRY", "DestinationAlphaBlendFactor", "BLENDFACTOR_ZERO" },
   { "BLEND_STATE_ENTRY", "AlphaBlendFunction", "BLENDFUNCTION_ADD" },
   { "BLEND_STATE_ENTRY", "WriteDisableRed", "0" },
   { "BLEND_STATE_ENTRY", "WriteDisableGreen", "1" },
   { "BLEND_STATE_ENTRY", "WriteDisableBlue", "1" },
   { "BLEND_STATE_ENTRY", "WriteDisableAlpha", "0" },
   { "COLOR_CALC_STATE", "BlendConstantColorRed", "0.125" },
   { "COLOR_CALC_STATE", "BlendConstantColorGreen", "0.25" },
   { "COLOR_CALC_STATE", "BlendConstantColorBlue", "0.5" },
   { "COLOR_CALC_STATE", "BlendConstantColorAlpha", "0.75" },
   { NULL },
};

static void
record_depth_stencil(void)
{
   const VKT_INFO(
      PipelineDepthStencilStateCreateInfo, depth_stencil,
      .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE,
      .depthCompareOp = VK_COMPARE_OP_LESS, .stencilTestEnable = VK_TRUE,
      .front = { VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_INVERT,
                 VK_STENCIL_OP_ZERO, VK_COMPARE_OP_GREATER_OR_EQUAL, 0x3c,
                 0x5a, 0x12 },
      .back = { VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                VK_STENCIL_OP_DECREMENT_AND_WRAP, VK_STENCIL_OP_KEEP,
                VK_COMPARE_OP_NOT_EQUAL, 0x0f, 0xf0, 0x34 });
   struct vkt_scene s = triangle_scene();
   s.depth_stencil = &depth_stencil;
   vkt_draw(&s, NULL);
}

#define TESTS "3DSTATE_WM_DEPTH_STENCIL|DEPTH_STENCIL_STATE"

static const struct packet_want depth_stencil_wants[] = {
   { TESTS, "DepthTestEnable", "1" },
   { TESTS, "DepthBufferWriteEnable", "1" },
   { TESTS, "DepthTestFunction", "COMPAREFUNCTION_LESS" },
   { TESTS, "StencilTestEnable", "1" },
   { TESTS, "StencilBufferWriteEnable", "1" },
   { TESTS, "DoubleSidedStencilEnable", "1" },
   { TESTS, "StencilFailOp", "STENCILOP_REPLACE" },
   { TESTS, "StencilPassDepthPassOp", "STENCILOP_INVERT" },
   { TESTS, "StencilPassDepthFailOp", "STENCILOP_ZERO" },
   { TESTS, "StencilTestFunction", "COMPAREFUNCTION_GEQUAL" },
   { TESTS, "StencilTestMask", "60" },
   { TESTS, "StencilWriteMask", "90" },
   { TESTS, "BackfaceStencilFailOp", "STENCILOP_INCRSAT" },
   { TESTS, "BackfaceStencilPassDepthPassOp", "STENCILOP_DECR" },
   { TESTS, "BackfaceStencilPassDepthFailOp", "STENCILOP_KEEP" },
   { TESTS, "BackfaceStencilTestFunction", "COMPAREFUNCTION_NOTEQUAL" },
   { TESTS, "BackfaceStencilTestMask", "15" },
   { TESTS, "BackfaceStencilWriteMask", "240" },
   { "3DSTATE_WM_DEPTH_STENCIL|COLOR_CALC_STATE", "StencilReferenceValue",
     "18" },
   { "3DSTATE_WM_DEPTH_STENCIL|COLOR_CALC_STATE",
     "BackfaceStencilReferenceValue", "52" },
   { "3DSTATE_DEPTH_BUFFER", "SurfaceFormat", "D32_FLOAT" },
   { "3DSTATE_DEPTH_BUFFER", "Width", "39" },
   { "3DSTATE_DEPTH_BUFFER", "Height", "23" },
   { "3DSTATE_DEPTH_BUFFER", "DepthWriteEnable", "1" },
   { "3DSTATE_DEPTH_BUFFER", "StencilWriteEnable", "1" },
   { NULL },
};

static void
record_raster(void)
{
   const VKT_INFO(PipelineRasterizationStateCreateInfo, raster,
                  .polygonMode = VK_POLYGON_MODE_LINE,
                  .cullMode = VK_CULL_MODE_FRONT_BIT,
                  .frontFace = VK_FRONT_FACE_CLOCKWISE,
                  .depthBiasEnable = VK_TRUE, .depthBiasConstantFactor = 4,
                  .depthBiasSlopeFactor = 1.5f, .lineWidth = 2.5f);
   struct vkt_scene s = triangle_scene();
   s.raster = &raster;
   vkt_draw(&s, NULL);
}

static const struct packet_want raster_wants[] = {
   { "3DSTATE_RASTER|3DSTATE_SF", "CullMode", "CULLMODE_FRONT" },
   { "3DSTATE_RASTER|3DSTATE_SF", "FrontWinding", "FRONT_WINDING_CW" },
   { "3DSTATE_RASTER|3DSTATE_SF", "FrontFaceFillMode",
     "FILL_MODE_WIREFRAME" },
   { "3DSTATE_RASTER|3DSTATE_SF", "BackFaceFillMode", "FILL_MODE_WIREFRAME" },
   { "3DSTATE_RASTER|3DSTATE_SF", "GlobalDepthOffsetEnableWireframe", "1" },
   { "3DSTATE_RASTER|3DSTATE_SF", "GlobalDepthOffsetScale", "1.5" },
   { "3DSTATE_SF", "LineWidth", "2.5" },
   { NULL },
};

static void
record_samples(void)
{
   const VkSampleMask mask = 0x5;
   const VKT_INFO(PipelineMultisampleStateCreateInfo, multisample,
                  .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT,
                  .pSampleMask = &mask, .alphaToCoverageEnable = VK_TRUE);
   struct vkt_scene s = triangle_scene();
   s.samples = VK_SAMPLE_COUNT_4_BIT;
   s.multisample = &multisample;
   vkt_draw(&s, NULL);
}

static const struct packet_want samples_wants[] = {
   { "3DSTATE_MULTISAMPLE", "NumberofMultisamples", "NUMSAMPLES_4" },
   { "3DSTATE_SAMPLE_MASK", "SampleMask", "5" },
   { "BLEND_STATE|BLEND_STATE_ENTRY", "AlphaToCoverageEnable", "1" },
   { NULL },
};

static void
record_indexed(void)
{
   static const uint16_t indices[] = { 0, 1, 2, 0xffff, 2, 1, 0 };
   struct vkt_scene s = triangle_scene();
   s.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
   s.indices = indices;
   s.index_count = ARRAY_SIZE(indices);
   s.instances = 5;
   vkt_draw(&s, NULL);
}

static const struct packet_want indexed_wants[] = {
   { "3DSTATE_VF_TOPOLOGY|3DPRIMITIVE", "PrimitiveTopologyType",
     "_3DPRIM_TRISTRIP" },
   { "3DSTATE_INDEX_BUFFER", "IndexFormat", "INDEX_WORD" },
   { "3DPRIMITIVE", "VertexAccessType", "RANDOM" },
   { "3DPRIMITIVE", "VertexCountPerInstance", "7" },
   { "3DPRIMITIVE", "InstanceCount", "5" },
   { NULL },
};

static void
record_tessellation(void)
{
   struct vkt_scene s = triangle_scene();
   s.vs = VKT_SHADER(position_vert);
   s.tcs = VKT_SHADER(patch_tesc);
   s.tes = VKT_SHADER(patch_tese);
   s.fs = VKT_SHADER(white_frag);
   s.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
   s.patch_vertices = 3;
   s.attributes = 1;
   vkt_draw(&s, NULL);
}

static const struct packet_want tessellation_wants[] = {
   { "3DSTATE_VF_TOPOLOGY|3DPRIMITIVE", "PrimitiveTopologyType",
     "_3DPRIM_PATCHLIST_3" },
   { "3DSTATE_HS", "Enable", "1" },
   { "3DSTATE_TE", "TEEnable", "1" },
   { "3DSTATE_TE", "TEDomain", "TE_DOMAIN_TRI" },
   { "3DSTATE_TE", "Partitioning", "TE_PARTITIONING_INTEGER" },
   { "3DSTATE_DS", "Enable|FunctionEnable", "1" },
   { "3DSTATE_GS", "Enable", "0" },
   { NULL },
};

static void
record_geometry(void)
{
   struct vkt_scene s = triangle_scene();
   s.vs = VKT_SHADER(point_vert);
   s.gs = VKT_SHADER(streams_geom);
   s.fs = VKT_SHADER(white_frag);
   s.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
   s.attributes = 1;
   s.vertex_count = 1;
   vkt_draw(&s, NULL);
}

static const struct packet_want geometry_wants[] = {
   { "3DSTATE_VF_TOPOLOGY|3DPRIMITIVE", "PrimitiveTopologyType",
     "_3DPRIM_POINTLIST" },
   { "3DSTATE_GS", "Enable", "1" },
   { "3DSTATE_GS", "OutputTopology", "_3DPRIM_POINTLIST" },
   { "3DSTATE_HS", "Enable", "0" },
   { NULL },
};

static void
record_xfb(void)
{
   struct vkt_buffer b[3];
   struct vkt_scene s =
      VKT_SCENE(.vs = VKT_SHADER(capture_blocks_vert),
                .fs = VKT_SHADER(white_frag),
                .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                .vertex_count = 2, .width = W, .height = H);
   for (unsigned i = 0; i < ARRAY_SIZE(b); i++) {
      b[i] = vkt_buffer_create(64);
      s.xfb[i] = &b[i];
   }
   vkt_draw(&s, NULL);
   for (unsigned i = 0; i < ARRAY_SIZE(b); i++)
      vkt_buffer_destroy(&b[i]);
}

static const struct packet_want xfb_wants[] = {
   { "3DSTATE_STREAMOUT", "SOFunctionEnable", "1" },
   { "3DSTATE_STREAMOUT", "RenderStreamSelect", "0" },
   { "3DSTATE_STREAMOUT", "Buffer0SurfacePitch|SOBufferEnable0", "8|1" },
   { "3DSTATE_STREAMOUT", "Buffer1SurfacePitch|SOBufferEnable1", "24|1" },
   { "3DSTATE_STREAMOUT", "Buffer2SurfacePitch|SOBufferEnable2", "24|1" },
   { "3DSTATE_STREAMOUT", "Buffer3SurfacePitch|SOBufferEnable3", "0" },
   { NULL },
};

static void
record_query(VkQueryType type, VkQueryPipelineStatisticFlags statistics)
{
   uint64_t count;
   struct vkt_scene s = triangle_scene();
   s.query = &count;
   s.query_type = type;
   s.statistics = statistics;
   vkt_draw(&s, NULL);
}

static void
record_occlusion(void)
{
   record_query(VK_QUERY_TYPE_OCCLUSION, 0);
}

static void
record_statistics(void)
{
   record_query(VK_QUERY_TYPE_PIPELINE_STATISTICS,
                VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT);
}

static const struct packet_want occlusion_wants[] = {
   { "3DSTATE_WM", "StatisticsEnable", "1" },
   { NULL },
};

static const struct packet_want statistics_wants[] = {
   { "3DSTATE_CLIP", "StatisticsEnable", "1" },
   { NULL },
};

static void
record_compute(void)
{
   struct vkt_buffer result = vkt_buffer_create(5 * 42 * 16);
   struct vkt_buffer constants = vkt_buffer_create(32);
   const struct vkt_resource resources[] = {
      VKT_STORAGE(result),
      VKT_UNIFORM(constants),
   };
   vkt_compute(VKT_SHADER(groups_comp), resources, ARRAY_SIZE(resources), 5);
   vkt_buffer_destroy(&result);
   vkt_buffer_destroy(&constants);
}

static const struct packet_want compute_wants[] = {
   { "PIPELINE_SELECT", "PipelineSelection", "PIPELINE_GPGPU" },
   { "GPGPU_WALKER", "ThreadGroupIDXDimension", "5" },
   { "GPGPU_WALKER", "ThreadGroupIDYDimension", "1" },
   { "GPGPU_WALKER", "ThreadGroupIDZDimension", "1" },
   { "INTERFACE_DESCRIPTOR_DATA", "BarrierEnable", "1" },
   { NULL },
};

/* The uniform buffer is half a register, and no more of it is read: it is
 * pushed from where it is, and nothing is copied for its end. */
static void
record_uniforms(void)
{
   struct vkt_triangle t;
   vkt_triangle_create(&t);
   vkt_triangle_pipeline(&t, VK_NULL_HANDLE, NULL);
   vkt_triangle_draw(&t);
   vkt_triangle_destroy(&t);
}

static const struct packet_want uniforms_wants[] = {
   { "3DPRIMITIVE", "VertexCountPerInstance", "3" },
   { NULL },
};

/* Where samples are is reset when an image becomes undefined: a word of eight
 * bits for each pixel of two layers. */
static void
record_undefined(void)
{
   struct vkt_image image =
      VKT_IMAGE(.width = 16, .height = 8, .layers = 2,
                .samples = VK_SAMPLE_COUNT_4_BIT,
                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   vkt_image_destroy(&image);
}

static const struct packet_want undefined_wants[] = {
   { "RENDER_SURFACE_STATE", "SurfaceFormat", "323" }, /* R8_UINT */
   { "RENDER_SURFACE_STATE", "NumberofMultisamples", "MULTISAMPLECOUNT_1" },
   { "RENDER_SURFACE_STATE", "MinimumArrayElement", "1" },
   { "RENDER_SURFACE_STATE", "Width", "15" },
   { "RENDER_SURFACE_STATE", "Height", "7" },
   { NULL },
};

static void
record_sampler(void)
{
   struct vkt_buffer result = vkt_buffer_create(32);
   struct vkt_image image =
      VKT_IMAGE(.width = 16, .height = 8, .levels = 3,
                .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                .swizzle = { .r = VK_COMPONENT_SWIZZLE_B,
                             .a = VK_COMPONENT_SWIZZLE_ONE });
   VkSampler sampler =
      VKT_NEW(Sampler, SAMPLER, .magFilter = VK_FILTER_LINEAR,
              .minFilter = VK_FILTER_NEAREST,
              .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
              .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
              .addressModeV = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
              .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
              .mipLodBias = -1.5f, .minLod = 0.5f, .maxLod = 2.25f,
              .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
   const struct vkt_resource resources[] = {
      { .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .view = image.view,
        .sampler = sampler },
      VKT_STORAGE(result),
   };
   vkt_compute(VKT_SHADER(sample_comp), resources, ARRAY_SIZE(resources), 1);
   vkDestroySampler(vkt.device, sampler, NULL);
   vkt_image_destroy(&image);
   vkt_buffer_destroy(&result);
}

static const struct packet_want sampler_wants[] = {
   { "SAMPLER_STATE", "MagModeFilter", "MAPFILTER_LINEAR" },
   { "SAMPLER_STATE", "MinModeFilter", "MAPFILTER_NEAREST" },
   { "SAMPLER_STATE", "MipModeFilter", "MIPFILTER_LINEAR" },
   { "SAMPLER_STATE", "TCXAddressControlMode", "TCM_CLAMP_BORDER" },
   { "SAMPLER_STATE", "TCYAddressControlMode", "TCM_MIRROR" },
   { "SAMPLER_STATE", "TCZAddressControlMode", "TCM_CLAMP" },
   { "SAMPLER_STATE", "TextureLODBias", "-1.5" },
   { "SAMPLER_STATE", "MinLOD", "0.5" },
   { "SAMPLER_STATE", "MaxLOD", "2.25" },
   { NULL },
};

static void
record_copies(void)
{
   struct vkt_buffer a = vkt_buffer_create(4096), b = vkt_buffer_create(4096);
   struct vkt_image image = VKT_IMAGE(.width = 16, .height = 8);
   const VkBufferCopy part = { 16, 1024, 512 };
   const VkBufferImageCopy whole = {
      .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .imageExtent = { 16, 8, 1 },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdFillBuffer(cmd, a.buffer, 0, 256, 0x12345678);
   vkt_barrier(cmd);
   vkCmdCopyBuffer(cmd, a.buffer, b.buffer, 1, &part);
   vkCmdCopyBufferToImage(cmd, a.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL,
                          1, &whole);
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, b.buffer,
                          1, &whole);
   vkt_submit(cmd);
   vkt_image_destroy(&image);
   vkt_buffer_destroy(&a);
   vkt_buffer_destroy(&b);
}

static void
record_clear_and_blit(void)
{
   struct vkt_image from = VKT_IMAGE(.width = 16, .height = 8);
   struct vkt_image to = VKT_IMAGE(.width = 32, .height = 32);
   const VkClearColorValue color = { .float32 = { 0.25f, 0.5f, 0.75f, 1 } };
   const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                         1 };
   const VkImageBlit scaled = {
      .srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .srcOffsets = { { 0, 0, 0 }, { 16, 8, 1 } },
      .dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
      .dstOffsets = { { 0, 0, 0 }, { 32, 32, 1 } },
   };
   VkCommandBuffer cmd = vkt_begin();
   vkCmdClearColorImage(cmd, from.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1,
                        &all);
   vkt_barrier(cmd);
   vkCmdBlitImage(cmd, from.image, VK_IMAGE_LAYOUT_GENERAL, to.image,
                  VK_IMAGE_LAYOUT_GENERAL, 1, &scaled, VK_FILTER_LINEAR);
   vkt_submit(cmd);
   vkt_image_destroy(&from);
   vkt_image_destroy(&to);
}

/* 512 bytes are a row of 32 pixels. */
static const struct packet_want copies_wants[] = {
   { "RENDER_SURFACE_STATE", "SurfaceType", "SURFTYPE_2D" },
   { "RENDER_SURFACE_STATE", "Width", "31" },
   { "RENDER_SURFACE_STATE", "Height", "0" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm00", "16" },
   { NULL },
};

static const struct packet_want blit_wants[] = {
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm00", "16" },
   { "SF_CLIP_VIEWPORT", "ViewportMatrixElementm11", "16" },
   { "RENDER_SURFACE_STATE", "Width", "15" },
   { NULL },
};

const struct packet_scene packet_scenes[] = {
   { "triangle", record_triangle, triangle_wants, 1 },
   { "fast_clear", record_fast_clear, fast_clear_wants, 0 },
   { "fast_cleared", record_fast_clear, compressed_wants, 1 },
   { "resolve", record_fast_clear, resolve_wants, 2 },
   { "fast_clear_samples", record_fast_clear_samples,
     fast_clear_samples_wants, 0 },
   { "viewport", record_viewport, viewport_wants, 1 },
   { "blend", record_blend, blend_wants, 1 },
   { "depth_stencil", record_depth_stencil, depth_stencil_wants, 3 },
   { "raster", record_raster, raster_wants, 1 },
   { "samples", record_samples, samples_wants, 1 },
   { "indexed", record_indexed, indexed_wants, 1 },
   { "tessellation", record_tessellation, tessellation_wants, 1, true },
   { "geometry", record_geometry, geometry_wants, 1, true },
   { "xfb", record_xfb, xfb_wants, 1 },
   { "occlusion", record_occlusion, occlusion_wants, 1 },
   { "statistics", record_statistics, statistics_wants, 1 },
   { "compute", record_compute, compute_wants, 0 },
   { "uniforms", record_uniforms, uniforms_wants, 1 },
   { "undefined", record_undefined, undefined_wants, 1 },
   { "sampler", record_sampler, sampler_wants, 0 },
   { "copies", record_copies, copies_wants, 1 },
   { "clear_and_blit", record_clear_and_blit, blit_wants, 1 },
   { NULL },
};
