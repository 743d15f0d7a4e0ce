/* SPDX-License-Identifier: MIT */
/*
 * Surface states of older generations: PRM BDW Vol. 2d, HSW Vol. 2b, IVB
 * Vol. 4 part 1, each under its name.
 */
#include "surface_state.h"

#include "intel/genxml/gen75_pack.h"
#include "intel/genxml/gen8_pack.h"
#include "intel/isl/isl.h"

/* A clear colour's bit means one, in the words of the surface's format. */
static uint32_t
clear_word(unsigned format, bool bit)
{
   const struct isl_format_layout *l =
      isl_format_is_valid((enum isl_format)format)
         ? isl_format_get_layout((enum isl_format)format)
         : NULL;
   if (!bit)
      return 0;
   return l && (l->channels.r.type == ISL_UINT ||
                l->channels.r.type == ISL_SINT)
             ? 1
             : util_float_bits(1.0f);
}

static void
unpack_gen8(const uint32_t *dw, struct GEN9_RENDER_SURFACE_STATE *r)
{
   struct GEN8_RENDER_SURFACE_STATE c;
   GEN8_RENDER_SURFACE_STATE_unpack(dw, &c);
   GEN9_RENDER_SURFACE_STATE_unpack(dw, r);
   r->SurfaceFormat = c.SurfaceFormat;
   r->TiledResourceMode = TRMODE_NONE;
   r->MipTailStartLOD = 0;
   r->MemoryCompressionEnable = false;
   r->MemoryCompressionMode = 0;
   r->QuiltWidth = r->QuiltHeight = 0;
   r->RedClearColor = clear_word(c.SurfaceFormat, c.RedClearColor);
   r->GreenClearColor = clear_word(c.SurfaceFormat, c.GreenClearColor);
   r->BlueClearColor = clear_word(c.SurfaceFormat, c.BlueClearColor);
   r->AlphaClearColor = clear_word(c.SurfaceFormat, c.AlphaClearColor);
}

static uint32_t
tile_mode(const struct GEN75_RENDER_SURFACE_STATE *c)
{
   if (!c->TiledSurface)
      return LINEAR;
   return c->TileWalk == TILEWALK_YMAJOR ? YMAJOR : XMAJOR;
}

/* The layout is the same on both, but Ivybridge has no channel selects. */
static void
unpack_gen7(unsigned verx10, const uint32_t *dw,
            struct GEN9_RENDER_SURFACE_STATE *r)
{
   struct GEN75_RENDER_SURFACE_STATE c;
   GEN75_RENDER_SURFACE_STATE_unpack(dw, &c);
   *r = (struct GEN9_RENDER_SURFACE_STATE) {
      .CubeFaceEnablePositiveZ = c.CubeFaceEnablePositiveZ,
      .CubeFaceEnableNegativeZ = c.CubeFaceEnableNegativeZ,
      .CubeFaceEnablePositiveY = c.CubeFaceEnablePositiveY,
      .CubeFaceEnableNegativeY = c.CubeFaceEnableNegativeY,
      .CubeFaceEnablePositiveX = c.CubeFaceEnablePositiveX,
      .CubeFaceEnableNegativeX = c.CubeFaceEnableNegativeX,
      .RenderCacheReadWriteMode = c.RenderCacheReadWriteMode,
      .VerticalLineStride = c.VerticalLineStride,
      .VerticalLineStrideOffset = c.VerticalLineStrideOffset,
      .TileMode = tile_mode(&c),
      .SurfaceHorizontalAlignment =
         c.SurfaceHorizontalAlignment == GEN7_HALIGN_8 ? HALIGN_8 : HALIGN_4,
      .SurfaceVerticalAlignment = c.SurfaceVerticalAlignment == GEN7_VALIGN_4
                                     ? VALIGN_4
                                     : SIM_VALIGN_2,
      .SurfaceFormat = c.SurfaceFormat,
      .SurfaceArray = c.SurfaceArray,
      .SurfaceType = c.SurfaceType,
      .MultisamplePositionPaletteIndex = c.MultisamplePositionPaletteIndex,
      .Width = c.Width,
      .Height = c.Height,
      .SurfacePitch = c.SurfacePitch,
      .Depth = c.Depth,
      .NumberofMultisamples = c.NumberofMultisamples,
      .MultisampledSurfaceStorageFormat = c.MultisampledSurfaceStorageFormat,
      .RenderTargetViewExtent = c.RenderTargetViewExtent,
      .MinimumArrayElement = c.MinimumArrayElement,
      .RenderTargetAndSampleUnormRotation = c.RenderTargetRotation,
      .MIPCountLOD = c.MIPCountLOD,
      .SurfaceMinLOD = c.SurfaceMinLOD,
      .YOffset = c.YOffset,
      .XOffset = c.XOffset,
      .AuxiliarySurfaceMode = c.MCSEnable ? AUX_CCS_D : AUX_NONE,
      .AuxiliarySurfacePitch = c.AuxiliarySurfacePitch,
      .AuxiliarySurfaceBaseAddress = c.AuxiliarySurfaceBaseAddress,
      .ResourceMinLOD = c.ResourceMinLOD,
      .ShaderChannelSelectRed = c.ShaderChannelSelectRed,
      .ShaderChannelSelectGreen = c.ShaderChannelSelectGreen,
      .ShaderChannelSelectBlue = c.ShaderChannelSelectBlue,
      .ShaderChannelSelectAlpha = c.ShaderChannelSelectAlpha,
      .SurfaceBaseAddress = c.SurfaceBaseAddress,
      .RedClearColor = clear_word(c.SurfaceFormat, c.RedClearColor),
      .GreenClearColor = clear_word(c.SurfaceFormat, c.GreenClearColor),
      .BlueClearColor = clear_word(c.SurfaceFormat, c.BlueClearColor),
      .AlphaClearColor = clear_word(c.SurfaceFormat, c.AlphaClearColor),
   };
   if (!sim_traits(verx10)->has_channel_selects) {
      r->ShaderChannelSelectRed = SCS_RED;
      r->ShaderChannelSelectGreen = SCS_GREEN;
      r->ShaderChannelSelectBlue = SCS_BLUE;
      r->ShaderChannelSelectAlpha = SCS_ALPHA;
   }
}

bool
sim_surface_state_lod0_spacing(const uint32_t *dw)
{
   struct GEN75_RENDER_SURFACE_STATE c;
   GEN75_RENDER_SURFACE_STATE_unpack(dw, &c);
   return c.SurfaceArraySpacing == ARYSPC_LOD0;
}

bool
sim_surface_state_integer_border(const uint32_t *dw)
{
   struct GEN75_RENDER_SURFACE_STATE c;
   GEN75_RENDER_SURFACE_STATE_unpack(dw, &c);
   return c.IntegerSurfaceFormat != 0;
}

void
sim_surface_state_unpack(unsigned verx10, const uint32_t *dw,
                         struct GEN9_RENDER_SURFACE_STATE *r)
{
   const enum sim_state_form form = sim_traits(verx10)->state_form;
   switch (form) {
   case SIM_STATE_GEN7: unpack_gen7(verx10, dw, r); break;
   case SIM_STATE_GEN8: unpack_gen8(dw, r); break;
   case SIM_STATE_GEN9: GEN9_RENDER_SURFACE_STATE_unpack(dw, r); break;
   }
}
