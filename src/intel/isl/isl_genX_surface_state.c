/* SPDX-License-Identifier: MIT */
/*
 * RENDER_SURFACE_STATE from a surface and a view of it, built once a
 * generation. Sources: IVB PRM volume 4 part 1 and HSW volume 2b
 * (SURFACE_STATE), BDW and SKL volume 2d, RENDER_SURFACE_STATE; the fields'
 * own rules are cited where they are not plain.
 */
#include "intel/genxml/genx.h"
#include "isl_private.h"

static uint32_t
surface_type(const struct isl_surf *surf, const struct isl_view *view)
{
   switch (surf->dim) {
   case ISL_SURF_DIM_1D: return SURFTYPE_1D;
   case ISL_SURF_DIM_2D:
      /* Cube maps are cubes to the sampler only. */
      if ((view->usage & ISL_SURF_USAGE_CUBE_BIT) &&
          (view->usage & ISL_SURF_USAGE_TEXTURE_BIT))
         return SURFTYPE_CUBE;
      return SURFTYPE_2D;
   case ISL_SURF_DIM_3D: return SURFTYPE_3D;
   }
   unreachable("dimension");
}

#if GEN_VERX10 >= 80
static uint32_t
tile_mode(enum isl_tiling tiling)
{
   switch (tiling) {
   case ISL_TILING_LINEAR: return LINEAR;
   case ISL_TILING_W: return WMAJOR;
   case ISL_TILING_X: return XMAJOR;
   case ISL_TILING_Y0: return YMAJOR;
   }
   unreachable("tiling");
}

/* HALIGN_4 = VALIGN_4 = 1, 8 = 2, 16 = 3; 1D surfaces ignore the fields. */
static uint32_t
encode_align(uint32_t align)
{
   return CLAMP(util_logbase2(align), 2u, 4u) - 1;
}

/* Pixels (samples) in which alignment and QPitch of Gen8 count; elements
 * since Gen9 (SKL PRM volume 2d, RENDER_SURFACE_STATE, Surface QPitch). */
static uint32_t
unit(uint32_t block_px)
{
   return GEN_VERX10 >= 90 ? 1 : block_px;
}

/* In units of 4 rows, or 4 elements of 1D surfaces; only layers that lie one
 * below the other have one. */
static uint32_t
encode_qpitch(const struct isl_surf *surf)
{
   const struct isl_format_layout *fmt = isl_format_get_layout(surf->format);
   switch (surf->dim_layout) {
   case ISL_DIM_LAYOUT_GFX4_2D:
      return surf->array_pitch_el_rows * unit(fmt->bh) >> 2;
   case ISL_DIM_LAYOUT_GFX9_1D: return surf->array_pitch_el >> 2;
   case ISL_DIM_LAYOUT_GFX4_3D: return 0;
   }
   unreachable("layout");
}
#endif

static void
set_layers(struct GENX(RENDER_SURFACE_STATE) * s, const struct isl_surf *surf,
           const struct isl_view *view)
{
   const bool writes = view->usage & (ISL_SURF_USAGE_RENDER_TARGET_BIT |
                                      ISL_SURF_USAGE_STORAGE_BIT);
   assert(view->array_len >= 1 && "a view has layers");
   s->MinimumArrayElement = view->base_array_layer;
   switch (s->SurfaceType) {
   case SURFTYPE_3D:
      /* Depth is that of level 0; the slices that can be written to are
       * RenderTargetViewExtent from MinimumArrayElement.
       */
      s->Depth = surf->logical_level0_px.d - 1;
      if (writes)
         s->RenderTargetViewExtent = view->array_len - 1;
      else
         s->MinimumArrayElement = 0;
      return;
   case SURFTYPE_CUBE:
      assert(view->array_len % 6 == 0 && "cube maps have six faces");
      s->Depth = view->array_len / 6 - 1;
      return;
   default:
      s->Depth = view->array_len - 1;
      if (writes)
         s->RenderTargetViewExtent = s->Depth;
      return;
   }
}

static void
set_levels(struct GENX(RENDER_SURFACE_STATE) * s, const struct isl_view *view)
{
   if (view->usage & ISL_SURF_USAGE_RENDER_TARGET_BIT) {
      s->MIPCountLOD = view->base_level;
   } else {
      s->SurfaceMinLOD = view->base_level;
      s->MIPCountLOD = MAX2(view->levels, 1u) - 1;
      s->ResourceMinLOD = view->min_lod;
   }
}

#if GEN_VERX10 < 80
/* HALIGN_4 or 8, VALIGN_2 or 4; the hardware works out the distance of slices
 * from their levels, or from the first alone. */
static void
set_layout(struct GENX(RENDER_SURFACE_STATE) * s, const struct isl_surf *surf)
{
   const struct isl_format_layout *fmt = isl_format_get_layout(surf->format);
   assert(surf->tiling != ISL_TILING_W && "not for the sampler before Gen8");
   s->TiledSurface = surf->tiling != ISL_TILING_LINEAR;
   s->TileWalk = surf->tiling == ISL_TILING_Y0 ? TILEWALK_YMAJOR
                                               : TILEWALK_XMAJOR;
   s->SurfaceHorizontalAlignment =
      surf->image_align_el.w * fmt->bw == 8 ? GEN7_HALIGN_8 : GEN7_HALIGN_4;
   s->SurfaceVerticalAlignment =
      surf->image_align_el.h * fmt->bh == 2 ? GEN7_VALIGN_2 : GEN7_VALIGN_4;
   s->SurfaceArraySpacing = surf->array_spacing_full ? ARYSPC_FULL
                                                     : ARYSPC_LOD0;
   s->SurfacePitch = surf->row_pitch_B - 1;
}
#else
static void
set_layout(struct GENX(RENDER_SURFACE_STATE) * s, const struct isl_surf *surf)
{
   const struct isl_format_layout *fmt = isl_format_get_layout(surf->format);
   s->TileMode = tile_mode(surf->tiling);
   s->SurfaceHorizontalAlignment =
      encode_align(surf->image_align_el.w * unit(fmt->bw));
   s->SurfaceVerticalAlignment =
      encode_align(surf->image_align_el.h * unit(fmt->bh));
   s->SurfaceQPitch = encode_qpitch(surf);
   if (surf->dim_layout != ISL_DIM_LAYOUT_GFX9_1D)
      s->SurfacePitch = surf->row_pitch_B - 1;
#if GEN_VERX10 >= 90
   s->MipTailStartLOD = 15; /* no mip tail */
#endif
}
#endif

static void
set_samples(struct GENX(RENDER_SURFACE_STATE) * s,
            const struct isl_surf *surf)
{
   s->NumberofMultisamples = util_logbase2(surf->samples);
   s->MultisampledSurfaceStorageFormat =
      surf->msaa_layout == ISL_MSAA_LAYOUT_INTERLEAVED ? MSFMT_DEPTH_STENCIL
                                                       : MSFMT_MSS;
}

/* Of level 0, of which the alignment across says nothing; but "HALIGN 16 must
 * be used" beside control surfaces (SKL PRM vol 2d, RENDER_SURFACE_STATE,
 * Surface Horizontal Alignment). Whether it is one of samples or of colours
 * follows from their number. */
static void
set_control(struct GENX(RENDER_SURFACE_STATE) * s, uint32_t pitch_B,
            uint32_t layer_rows, uint64_t address)
{
   s->AuxiliarySurfacePitch = pitch_B / 128 - 1;
   s->AuxiliarySurfaceBaseAddress = address;
#if GEN_VERX10 >= 90
   s->AuxiliarySurfaceMode = AUX_CCS_D;
#elif GEN_VERX10 == 80
   s->AuxiliarySurfaceMode = AUX_MCS;
#endif
#if GEN_VERX10 >= 80
   s->AuxiliarySurfaceQPitch = layer_rows >> 2;
   s->SurfaceHorizontalAlignment = HALIGN_16;
#else
   s->MCSEnable = true;
#endif
}

static void
set_mcs(struct GENX(RENDER_SURFACE_STATE) * s, const struct isl_surf *mcs,
        uint64_t address)
{
   assert(s->NumberofMultisamples && "a word is of samples");
   set_control(s, mcs->row_pitch_B, mcs->array_pitch_el_rows, address);
}

static void
set_ccs(struct GENX(RENDER_SURFACE_STATE) * s, const struct isl_ccs *ccs,
        uint64_t address)
{
   assert(!s->NumberofMultisamples && !s->MIPCountLOD &&
          "level 0 of one sample");
   set_control(s, ccs->row_pitch_B, ccs->array_pitch_px_rows, address);
}

/* Before Gen9 a bit of each channel (PRM BDW volume 2d, RENDER_SURFACE_STATE,
 * Red Clear Color). */
static void
set_clear_color(struct GENX(RENDER_SURFACE_STATE) * s, const uint32_t *color)
{
   s->RedClearColor = GEN_VERX10 >= 90 ? color[0] : color[0] != 0;
   s->GreenClearColor = GEN_VERX10 >= 90 ? color[1] : color[1] != 0;
   s->BlueClearColor = GEN_VERX10 >= 90 ? color[2] : color[2] != 0;
   s->AlphaClearColor = GEN_VERX10 >= 90 ? color[3] : color[3] != 0;
}

/* Ivybridge has none: shaders swizzle what they have read. */
static void
set_swizzle(struct GENX(RENDER_SURFACE_STATE) * s, struct isl_swizzle swizzle)
{
#if GEN_VERX10 >= 75
   s->ShaderChannelSelectRed = swizzle.r;
   s->ShaderChannelSelectGreen = swizzle.g;
   s->ShaderChannelSelectBlue = swizzle.b;
   s->ShaderChannelSelectAlpha = swizzle.a;
#endif
}

#if GEN_VERX10 >= 80
/* "This bit must be set for BC2_UNORM, BC3_UNORM, BC5_UNORM, BC5_SNORM,
 * BC7_UNORM" (field Sampler L2 Bypass Mode Disable).
 */
static bool
disables_l2_bypass(enum isl_format format)
{
   switch (isl_format_get_layout(format)->txc) {
   case ISL_TXC_BC2:
   case ISL_TXC_BC3:
   case ISL_TXC_BC5:
   case ISL_TXC_BC7: return true;
   case ISL_TXC_NONE:
   case ISL_TXC_BC1:
   case ISL_TXC_BC4:
   case ISL_TXC_BC6H:
   case ISL_TXC_DXT1_RGB:
   case ISL_TXC_FXT1:
   case ISL_TXC_ETC2:
   case ISL_TXC_ETC2_PTA:
   case ISL_TXC_ETC2_EAC:
   case ISL_TXC_EAC_R11:
   case ISL_TXC_EAC_RG11:
   case ISL_TXC_ASTC:
   case ISL_TXC_YCRCB: return false;
   }
   unreachable("compression");
}
#endif

static void
surf_fill_state(void *state, const struct isl_surf_fill_state_info *info)
{
   const struct isl_surf *surf = info->surf;
   const struct isl_view *view = info->view;
   assert(isl_format_get_layout(view->format)->bpb ==
             isl_format_get_layout(surf->format)->bpb &&
          "a view's format has the block size of the surface's");

   struct GENX(RENDER_SURFACE_STATE) s = {
      .SurfaceType = surface_type(surf, view),
      .SurfaceArray = surf->dim != ISL_SURF_DIM_3D,
      .SurfaceFormat = view->format,
#if GEN_VERX10 >= 80
      .SamplerL2BypassModeDisable = disables_l2_bypass(view->format),
#endif
      .Width = surf->logical_level0_px.w - 1,
      .Height = surf->logical_level0_px.h - 1,
      .MOCS = info->mocs,
      .SurfaceBaseAddress = info->address,
   };
   if (s.SurfaceType == SURFTYPE_CUBE) {
      s.CubeFaceEnablePositiveX = s.CubeFaceEnableNegativeX = true;
      s.CubeFaceEnablePositiveY = s.CubeFaceEnableNegativeY = true;
      s.CubeFaceEnablePositiveZ = s.CubeFaceEnableNegativeZ = true;
   }
   if (view->usage & ISL_SURF_USAGE_STORAGE_BIT)
      s.RenderCacheReadWriteMode = 1;
   set_layers(&s, surf, view);
   set_levels(&s, view);
   set_layout(&s, surf);
   set_samples(&s, surf);
   set_swizzle(&s, view->swizzle);
#if GEN_VERX10 == 75
   /* Which half of SAMPLER_BORDER_COLOR_STATE a border has (HSW PRM vol 2d,
    * RENDER_SURFACE_STATE, Integer Surface Format). */
   s.IntegerSurfaceFormat = isl_format_has_int_channel(view->format);
#endif
   if (info->mcs)
      set_mcs(&s, info->mcs, info->mcs_address);
   if (info->ccs)
      set_ccs(&s, info->ccs, info->ccs_address);
   if (info->mcs || info->ccs)
      set_clear_color(&s, info->clear_color.u32);
   GENX(RENDER_SURFACE_STATE_pack)(state, &s);
}

static void
null_fill_state(void *state, struct isl_extent3d size)
{
   /* "If Surface Type is SURFTYPE_NULL, Tile Mode must be TILEMODE_YMAJOR":
    * the rest is what render targets of that size have. Ivybridge was seen
    * to hang with B8G8R8A8_UNORM (Mesa's isl_surface_state.c).
    */
   const struct GENX(RENDER_SURFACE_STATE) s = {
      .SurfaceType = SURFTYPE_NULL,
      .SurfaceArray = size.d > 1,
#if GEN_VERX10 >= 80
      .SurfaceFormat = ISL_FORMAT_B8G8R8A8_UNORM,
      .SurfaceVerticalAlignment = VALIGN_4,
      .SurfaceHorizontalAlignment = HALIGN_4,
      .TileMode = YMAJOR,
#else
      .SurfaceFormat = ISL_FORMAT_R32_UINT,
      .SurfaceVerticalAlignment = GEN7_VALIGN_4,
      .TiledSurface = true,
      .TileWalk = TILEWALK_YMAJOR,
#endif
      .Width = size.w - 1,
      .Height = size.h - 1,
      .Depth = size.d - 1,
      .RenderTargetViewExtent = size.d - 1,
   };
   GENX(RENDER_SURFACE_STATE_pack)(state, &s);
}

/* With all inlined: most fields are zero, and cost nothing then. Descriptors
 * of buffers are written often. */
static __attribute__((flatten)) void
buffer_fill_state(void *state, const struct isl_buffer_fill_state_info *info)
{
   assert(info->stride_B >= 1 && "elements have a size");
   /* Width: raw buffers are of whole dwords, up to 2^30 bytes; other buffers
    * have up to 2^27 elements.
    */
   uint64_t elements = info->size_B / info->stride_B;
   if (info->format == ISL_FORMAT_RAW)
      elements = MIN2(ALIGN(elements, 4), 1ull << 30);
   else
      elements = MIN2(elements, 1ull << 27);
   if (elements == 0) {
      null_fill_state(state, (struct isl_extent3d) { 1, 1, 1 });
      return;
   }

   const uint32_t last = (uint32_t)(elements - 1);
   struct GENX(RENDER_SURFACE_STATE) s = {
      .SurfaceType = SURFTYPE_BUFFER,
      .SurfaceFormat = info->format,
#if GEN_VERX10 >= 80
      .SurfaceVerticalAlignment = VALIGN_4,
      .SurfaceHorizontalAlignment = HALIGN_4,
#endif
      .Width = last & 0x7f,
      .Height = (last >> 7) & 0x3fff,
      .Depth = (last >> 21) & 0x3ff,
      .SurfacePitch = info->stride_B - 1,
      .NumberofMultisamples = MULTISAMPLECOUNT_1,
      .MOCS = info->mocs,
      .SurfaceBaseAddress = info->address,
   };
   set_swizzle(&s, info->swizzle);
   GENX(RENDER_SURFACE_STATE_pack)(state, &s);
}

const struct isl_genx genX(isl) = {
   .surf_fill_state = surf_fill_state,
   .buffer_fill_state = buffer_fill_state,
   .null_fill_state = null_fill_state,
};
