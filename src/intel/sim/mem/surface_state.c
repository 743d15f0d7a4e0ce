/* SPDX-License-Identifier: MIT */
/* Surface states of older generations: PRM BDW Vol. 2d, each under its name. */
#include "surface_state.h"

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
   return l && (l->channels.r.type == ISL_UINT || l->channels.r.type == ISL_SINT)
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

void
sim_surface_state_unpack(unsigned verx10, const uint32_t *dw,
                         struct GEN9_RENDER_SURFACE_STATE *r)
{
   if (verx10 >= 90)
      GEN9_RENDER_SURFACE_STATE_unpack(dw, r);
   else
      unpack_gen8(dw, r);
}
