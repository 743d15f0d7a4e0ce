/* SPDX-License-Identifier: MIT */
/*
 * Fixed functions: fields of several packets that must agree, and of vertex
 * buffers and elements (sections 4b and 5 of the rules).
 */
#include "strict_private.h"

#include <math.h>
#include <stdio.h>

#include "intel/genxml/gen9_pack.h"
#include "intel/isl/isl.h"
#include "intel/sim/mem/surface.h"
#include "intel/sim/mem/watch.h"

/*
 * Vertices
 */

static void
check_vertex_buffers(struct strict_command *c)
{
   for (unsigned i = 1; i + 3 < c->n; i += 4) {
      const unsigned pitch = c->dw[i] & 0xfff;
      STRICT_CHECK(c, RL_34, pitch > c->s->chip->max_vertex_pitch_B,
                   "a pitch of %u", pitch);
   }
}

/* Controls of the four components: COMPONENT_CONTROL of the first bits. */
static void
check_controls(struct strict_command *c, unsigned i, uint32_t dw1)
{
   unsigned control[4];
   bool constant = false;
   for (unsigned k = 0; k < 4; k++)
      control[k] = dw1 >> (28 - 4 * k) & 7;
   STRICT_CHECK(c, FF_41, control[0] == VFCOMP_NOSTORE,
                "element %u stores nothing", i);
   for (unsigned k = 0; k < 4; k++) {
      STRICT_CHECK(c, FF_41, constant && control[k] == VFCOMP_STORE_SRC,
                   "component %u of element %u is from memory, one before "
                   "it is not",
                   k, i);
      constant |= control[k] != VFCOMP_STORE_SRC;
   }
}

static void
check_vertex_elements(struct strict_command *c)
{
   bool ended = false;
   for (unsigned i = 0; 2 * i + 2 < c->n; i++) {
      const uint32_t *dw = &c->dw[1 + 2 * i];
      const bool valid = dw[0] >> 25 & 1;
      STRICT_CHECK(c, FF_41, valid && ended,
                   "element %u is valid, one before it is not", i);
      ended |= !valid;
      if (valid)
         check_controls(c, i, dw[1]);
      STRICT_CHECK(c, RL_34, (dw[0] & 0xfff) > 2047, "element %u at %u", i,
                   dw[0] & 0xfff);
   }
}

/* Formats of doubles and 64-bit integers. */
static bool
has_64_bits(unsigned format)
{
   const char *name = sim_format_name(format);
   return !strncmp(name, "R64", 3);
}

/* The vertex fetcher's cache knows a line by buffer and the lower half of its
 * address: CC-11. */
static void
draw_vertex_cache(struct strict_command *c, unsigned buffer)
{
   const struct GEN9_VERTEX_BUFFER_STATE *vb =
      &c->cs->hw->state.vertex_buffer[buffer];
   struct sim_range *r = &c->c->vertex_range[buffer];
   if (vb->NullVertexBuffer || !vb->BufferSize)
      return;
   const uint64_t from = vb->BufferStartingAddress & SIM_ADDRESS_MASK;
   r->begin = r->end ? MIN2(r->begin, from) : from;
   r->end = MAX2(r->end, from + vb->BufferSize);
   STRICT_CHECK(c, CC_11, r->end - r->begin > 1ull << 32,
                "buffer %u from 0x%llx to 0x%llx", buffer,
                (unsigned long long)r->begin, (unsigned long long)r->end);
}

/* What is stored otherwise comes from no memory. */
static bool
is_fetched(const struct GEN9_VERTEX_ELEMENT_STATE *e)
{
   return e->Component0Control == VFCOMP_STORE_SRC ||
          e->Component1Control == VFCOMP_STORE_SRC ||
          e->Component2Control == VFCOMP_STORE_SRC ||
          e->Component3Control == VFCOMP_STORE_SRC;
}

static void
draw_vertices(struct strict_command *c)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   STRICT_CHECK(c, FF_83,
                c->s->gpu->info->gt == 4 && s->ds.Enable &&
                   !strict_state(c, "3DSTATE_VS", "VertexCacheDisable"),
                "%s", "");
   for (unsigned i = 0; i < s->num_vertex_elements; i++) {
      const struct GEN9_VERTEX_ELEMENT_STATE *e = &s->vertex_element[i];
      const unsigned b = e->VertexBufferIndex;
      if (!e->Valid || b >= SIM_MAX_VERTEX_BUFFERS)
         continue;
      const struct GEN9_VERTEX_BUFFER_STATE *vb = &s->vertex_buffer[b];
      STRICT_CHECK(
         c, RL_35,
         has_64_bits(e->SourceElementFormat) && !vb->NullVertexBuffer &&
            ((vb->BufferStartingAddress + e->SourceElementOffset) % 8 ||
             vb->BufferPitch % 8),
         "element %u", i);
      STRICT_CHECK(
         c, FF_78,
         is_fetched(e) &&
            !isl_format_supports_on(c->cs->spec->verx10,
                                    (enum isl_format)e->SourceElementFormat,
                                    ISL_FORMAT_USE_VERTEX_FETCH),
         "element %u: %s", i, sim_format_name(e->SourceElementFormat));
      draw_vertex_cache(c, b);
   }
}

/*
 * Pixels
 */

/* Whether a thread is given no register but those of the header. */
static bool
header_alone(const struct strict_command *c)
{
   static const char extra[] = "3DSTATE_PS_EXTRA";
   return !strict_state(c, extra, "AttributeEnable") &&
          !strict_state(c, extra, "PixelShaderUsesSourceDepth") &&
          !strict_state(c, extra, "PixelShaderUsesSourceW") &&
          !strict_state(c, extra, "InputCoverageMaskState") &&
          !strict_state(c, "3DSTATE_WM", "BarycentricInterpolationMode") &&
          !strict_state(c, "3DSTATE_PS", "PositionXYOffsetSelect") &&
          !strict_state(c, "3DSTATE_PS", "PushConstantEnable");
}

static void
draw_pixels(struct strict_command *c)
{
   const bool valid = strict_state(c, "3DSTATE_PS_EXTRA", "PixelShaderValid");
   const unsigned widths =
      (unsigned)(strict_state(c, "3DSTATE_PS", "_8PixelDispatchEnable") +
                 strict_state(c, "3DSTATE_PS", "_16PixelDispatchEnable") +
                 strict_state(c, "3DSTATE_PS", "_32PixelDispatchEnable"));
   if (!valid)
      return;
   STRICT_CHECK(c, FF_07,
                widths > 1 && strict_state(c, "3DSTATE_PS_EXTRA",
                                           "PixelShaderIsPerSample"),
                "%u widths", widths);
   STRICT_CHECK(
      c, FF_08,
      strict_state(c, "3DSTATE_MULTISAMPLE", "NumberofMultisamples") == 4 &&
         !strict_state(c, "3DSTATE_PS_EXTRA", "PixelShaderIsPerSample") &&
         strict_state(c, "3DSTATE_PS", "_32PixelDispatchEnable"),
      "%s", "");
   STRICT_CHECK(c, FF_12, header_alone(c), "%s", "");
}

/* The highest attribute of the last vertex stage that setup reads, plus 1. */
static unsigned
attributes_read(const struct strict_command *c)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   const unsigned n = s->sbe.NumberofSFOutputAttributes;
   if (!s->sbe.AttributeSwizzleEnable)
      return n;
   unsigned highest = n > 16 ? n : 0;
   for (unsigned i = 0; i < MIN2(n, 16u); i++) {
      const struct GEN9_SF_OUTPUT_ATTRIBUTE_DETAIL *a =
         &s->sbe_swiz.Attribute[i];
      /* The two-sided colour is the attribute after. */
      const unsigned pair = a->SwizzleSelect & 1;
      highest = MAX2(highest, a->SourceAttribute + pair + 1);
   }
   return highest;
}

static void
draw_setup(struct strict_command *c)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   const unsigned n = attributes_read(c);
   STRICT_CHECK(c, FF_38,
                s->sbe.VertexURBEntryReadLength > MAX2((n + 1) / 2, 1u),
                "%u pairs for %u attributes", s->sbe.VertexURBEntryReadLength,
                n);
   STRICT_CHECK(c, FF_39, s->sbe.NumberofSFOutputAttributes > 32, "%u",
                s->sbe.NumberofSFOutputAttributes);
   STRICT_CHECK(c, FF_44,
                s->hs.Enable &&
                   strict_state(c, "3DSTATE_HS", "VertexURBEntryReadLength"),
                "%s", "");
}

static void
check_depth_buffer(struct strict_command *c)
{
   STRICT_CHECK(c, FF_25, strict_get(c, "SurfaceType") == SURFTYPE_1D, "%s",
                "");
}

/* Ivybridge: an index that cuts is all ones, and cuts these only. */
static void
draw_cut(struct strict_command *c)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   const unsigned topology = (unsigned)strict_get(c, "PrimitiveTopologyType");
   const bool other =
      topology == _3DPRIM_LINELOOP || topology == _3DPRIM_TRIFAN ||
      topology == _3DPRIM_POLYGON || topology == _3DPRIM_QUADLIST ||
      topology == _3DPRIM_QUADSTRIP || topology >= _3DPRIM_PATCHLIST_1;
   STRICT_CHECK(c, FF_45,
                other && s->vf.IndexedDrawCutIndexEnable &&
                   strict_get(c, "VertexAccessType") == RANDOM,
                "topology %u", topology);
}

/*
 * HiZ operations: a depth flush and stall before and after
 */

static void
check_hz(struct strict_command *c)
{
   if (!(c->dw[1] & 0xd8000000)) /* no clear, no resolve */
      return;
   STRICT_CHECK(c, FF_18,
                c->c->worked &&
                   !(c->c->flushed & PC_DEPTH_FLUSH && c->c->depth_stalled),
                "%s", "before it");
   c->c->hz_open = !strict_get(c, "FullSurfaceDepthandStencilClear");
   c->c->flushed = 0;
   c->c->depth_stalled = false;
}

void
strict_draw_fixed(struct strict_command *c)
{
   STRICT_CHECK(c, FF_18, c->c->hz_open, "%s", "after it");
   c->c->hz_open = false;
   draw_vertices(c);
   draw_pixels(c);
   draw_setup(c);
   draw_cut(c);
}

/*
 * Patches
 */

/* As the tessellator clamps them. */
static bool
all_one(const float f[3])
{
   return !(f[0] > 1) && !(f[1] > 1) && !(f[2] > 1);
}

static bool
all_alike_above_one(const float f[3])
{
   return f[0] > 1 && f[1] > 1 && f[2] > 1 && ceilf(f[0]) == ceilf(f[1]) &&
          ceilf(f[1]) == ceilf(f[2]);
}

/* BDW PRM vol 7, below the layouts of the patch header: points are added
 * along edges if one direction is not divided, and the other everywhere into
 * the same number of parts. */
void
sim_strict_quad(struct strict_watch *w, const float outer[4],
                const float inner[2])
{
   const float u[3] = { outer[1], inner[0], outer[3] };
   const float v[3] = { outer[0], inner[1], outer[2] };
   char text[128];

   for (unsigned i = 0; i < 4; i++) {
      if (!(outer[i] > 0))
         return; /* culled */
   }
   if (!(all_one(u) && all_alike_above_one(v)) &&
       !(all_one(v) && all_alike_above_one(u)))
      return;
   snprintf(text, sizeof(text), "edges %g %g %g %g, inside %g %g", outer[0],
            outer[1], outer[2], outer[3], inner[0], inner[1]);
   strict_watch_broken(w, STRICT_FF_43, text);
}

const struct strict_row strict_fixed_rows[] = {
   { "3DSTATE_VERTEX_BUFFERS", false, check_vertex_buffers },
   { "3DSTATE_VERTEX_ELEMENTS", false, check_vertex_elements },
   { "3DSTATE_DEPTH_BUFFER", false, check_depth_buffer },
   { "3DSTATE_WM_HZ_OP", false, check_hz },
   { NULL, false, NULL },
};
