/* SPDX-License-Identifier: MIT */
/* Attribute planes (PRM SKL Vol. 7 "Attribute Interpolation Setup"). */
#include "raster_private.h"

#include "intel/sim/eu/shadow.h"

/* The four components that 3DSTATE_SBE routes to attribute `a`. */
static void
fetch_attribute(const struct sim_raster *r, const struct sim_vue *vue,
                unsigned slot, float out[4])
{
   for (unsigned c = 0; c < 4; c++)
      out[c] = sim_vue_float(vue, slot * 4 + c);
}

/* Its components that mean nothing, as a mask. */
static unsigned
undefined_components(const struct sim_raster *r, const struct sim_vue *vue,
                     unsigned slot)
{
   const uint64_t at_B = (uint64_t)((const uint8_t *)vue->dw - r->env.urb);
   unsigned mask = 0;
   for (unsigned c = 0; c < 4; c++) {
      if (slot * 4 + c < vue->size_dw &&
          sim_shadow_urb_bits(r->env.rules, at_B + 4 * (slot * 4 + c)))
         mask |= 1u << c;
   }
   return mask;
}

/* Of the attribute, which gets these. */
static void
set_undefined(struct sim_raster *r, unsigned a, unsigned mask)
{
   uint8_t *two = &r->building.attr_undefined[a / 2];
   const unsigned shift = a % 2 * 4;
   *two = (uint8_t)((*two & ~(0xfu << shift)) | mask << shift);
}

/* The components that do not come from vertices. */
static unsigned
overridden(const struct GEN9_SF_OUTPUT_ATTRIBUTE_DETAIL *d)
{
   return (unsigned)d->ComponentOverrideX |
          (unsigned)d->ComponentOverrideY << 1 |
          (unsigned)d->ComponentOverrideZ << 2 |
          (unsigned)d->ComponentOverrideW << 3;
}

/* Those of the attribute that have the primitive's number instead. */
static unsigned
primitive_id_components(const struct GEN9_3DSTATE_SBE *sbe, unsigned a)
{
   return sbe->PrimitiveIDOverrideAttributeSelect != a
             ? 0
             : (unsigned)sbe->PrimitiveIDOverrideComponentX |
                  (unsigned)sbe->PrimitiveIDOverrideComponentY << 1 |
                  (unsigned)sbe->PrimitiveIDOverrideComponentZ << 2 |
                  (unsigned)sbe->PrimitiveIDOverrideComponentW << 3;
}

static void
override_components(struct sim_raster *r, unsigned a, float value[3][4],
                    uint32_t primitive_id)
{
   const struct GEN9_SF_OUTPUT_ATTRIBUTE_DETAIL *d =
      &r->state->sbe_swiz.Attribute[a];
   const bool enable[4] = { d->ComponentOverrideX, d->ComponentOverrideY,
                            d->ComponentOverrideZ, d->ComponentOverrideW };
   for (unsigned c = 0; c < 4; c++) {
      if (!enable[c])
         continue;
      float k = 0.0f;
      switch (d->ConstantSource) {
      case 0: /* 0000 */ break;
      case 1: /* 0001, as float */ k = c == 3 ? 1.0f : 0.0f; break;
      case 2: /* 1111, as float */ k = 1.0f; break;
      default: /* the primitive id's bits */
         k = util_bits_float(primitive_id);
         break;
      }
      for (unsigned v = 0; v < 3; v++)
         value[v][c] = k;
   }
}

/* Point sprite coordinates run from 0 to 1 over the point; b1 goes right and
 * b2 goes down. */
static void
point_sprite_planes(const struct sim_raster *r, struct sim_plane p[4])
{
   const bool lower_left = r->state->sbe.PointSpriteTextureCoordinateOrigin;
   p[0] = (struct sim_plane) { .d1 = 1.0f };
   p[1] = lower_left ? (struct sim_plane) { .d2 = -1.0f, .a0 = 1.0f }
                     : (struct sim_plane) { .d2 = 1.0f };
   p[2] = (struct sim_plane) { 0 };
   p[3] = (struct sim_plane) { .a0 = 1.0f };
}

/* Attributes of a clipped primitive are those of its original vertices. The
 * outline of a clipped triangle makes do with the vertices it has. */
static void
set_original(struct sim_setup *s, const struct sim_prim *prim,
             const struct sim_screen_vertex *v, unsigned num_vertices,
             bool is_point)
{
   s->clipped = prim->original[0] && !is_point &&
                num_vertices == (prim->kind == SIM_PRIM_TRIANGLE ? 3 : 2);
   for (unsigned i = 0; s->clipped && i < 3; i++) {
      const struct sim_vue *vue = v[MIN2(i, num_vertices - 1)].vue;
      memcpy(s->original_b[0][i], vue->b[0], sizeof(vue->b[0]));
      memcpy(s->original_b[1][i], vue->b[1], sizeof(vue->b[1]));
   }
}

/* The slot that attribute 0 is from: what SBE says, if that is forced, or
 * where the last stage before says that its output begins (PRM BDW Vol. 2a,
 * "3DSTATE_SBE", Force Vertex URB Entry Read Offset). */
static unsigned
first_source(const struct sim_raster *r)
{
   const struct GEN9_3DSTATE_SBE *sbe = &r->state->sbe;
   if (sbe->ForceVertexURBEntryReadOffset)
      return 2 * sbe->VertexURBEntryReadOffset;
   if (r->state->gs.Enable)
      return 2 * r->state->gs.VertexURBEntryOutputReadOffset;
   if (r->state->ds.Enable)
      return 2 * r->state->ds.VertexURBEntryOutputReadOffset;
   return 2 * r->state->vs.VertexURBEntryOutputReadOffset;
}

void
sim_raster_set_attributes(struct sim_raster *r, const struct sim_prim *prim,
                          const struct sim_screen_vertex *v,
                          unsigned num_vertices, bool is_point)
{
   const struct GEN9_3DSTATE_SBE *sbe = &r->state->sbe;
   const unsigned first_slot = first_source(r);
   set_original(&r->building, prim, v, num_vertices, is_point);

   for (unsigned a = 0; a < r->num_attributes; a++) {
      struct sim_plane *plane = r->building_attr[a];
      set_undefined(r, a, 0);
      if (is_point && (sbe->PointSpriteTextureCoordinateEnable >> a & 1)) {
         point_sprite_planes(r, plane);
         continue;
      }
      /* Only the first 16 attributes go through the swizzle. */
      const bool swizzled = sbe->AttributeSwizzleEnable && a < 16;
      unsigned source = a;
      if (swizzled) {
         source = r->state->sbe_swiz.Attribute[a].SourceAttribute;
         const unsigned select =
            r->state->sbe_swiz.Attribute[a].SwizzleSelect;
         if (select & 1) /* _FACING: the next slot for back faces */
            source += !r->building.front_facing;
         if (select & 2) {
            sim_draw_fault(r->draw,
                           "SF_OUTPUT_ATTRIBUTE_DETAIL: swizzle select %u "
                           "is not implemented",
                           select);
            return;
         }
      }
      const bool constant = sbe->ConstantInterpolationEnable >> a & 1;
      const unsigned numbered = primitive_id_components(sbe, a);
      float value[3][4];
      unsigned undefined = 0;
      for (unsigned i = 0; i < 3; i++) {
         const unsigned k = MIN2(i, num_vertices - 1);
         const struct sim_vue *vue = constant              ? prim->provoking
                                     : r->building.clipped ? prim->original[k]
                                                           : v[k].vue;
         fetch_attribute(r, vue, first_slot + source, value[i]);
         if (__builtin_expect(r->env.rules != NULL, 0))
            undefined |= undefined_components(r, vue, first_slot + source);
      }
      if (swizzled)
         undefined &= ~overridden(&r->state->sbe_swiz.Attribute[a]);
      set_undefined(r, a, undefined & ~numbered);
      if (swizzled)
         override_components(r, a, value, prim->primitive_id);
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned i = 0; numbered >> c & 1 && i < 3; i++)
            value[i][c] = util_bits_float(prim->primitive_id);
      }
      for (unsigned c = 0; c < 4; c++) {
         /* Constant attributes may be integers: their bits go through
          * untouched, and no difference is taken. */
         plane[c].a0 = value[0][c];
         plane[c].d1 = constant ? 0.0f : value[1][c] - value[0][c];
         plane[c].d2 = constant ? 0.0f : value[2][c] - value[0][c];
      }
   }
}
