/* SPDX-License-Identifier: MIT */
/*
 * Which parameter of a message to the sampler is where, and what parameters
 * say: where lanes sample, and at which level of detail.
 */
#include "sampler_call.h"

#include <math.h>

#include "intel/sim/gen/traits.h"

/*
 * Where a SIMD4x2 message has the parameter that is the `index`th of the
 * SIMD8 form; PRM IVB volume 4 part 1, "SIMD4x2 Payload" (sampler.c is about
 * the order of SIMD8): the coordinates are always in front, as u, v, r, ai;
 * from the fifth on reference, bias or level of detail, sample and MCS,
 * offsets, or gradients.
 */
unsigned
sampler_position_4x2(const struct sampler_call *c, unsigned index)
{
   static const uint8_t gradient[] = { 0, 4, 5, 1, 6, 7, 2, 8, 9, 3 };
   static const uint8_t offsets[] = { 0, 1, 4, 5, 2 };
   static const uint8_t ld_lod_third[] = { 0, 1, 3, 2 };
   static const uint8_t ld_lod_second[] = { 0, 3, 1, 2 };
   const unsigned flags = c->type->flags;
   unsigned before = 0;
   if (c->type->group == GROUP_LOAD && flags & HAS_LOD)
      return index > 3 ? index
             : sim_traits(c->t->env->verx10)->ld_lod_is_third
                ? ld_lod_third[index]
                : ld_lod_second[index];
   if (flags & (HAS_GRADIENT | HAS_OFFSETS)) {
      const bool ref = flags & HAS_REF;
      if (ref && !index)
         return flags & HAS_GRADIENT ? 10 : 3;
      index -= ref;
      if (flags & HAS_GRADIENT)
         return index < ARRAY_SIZE(gradient) ? gradient[index] : index;
      return index < ARRAY_SIZE(offsets) ? offsets[index] : index;
   }
   if (c->type->group == GROUP_LOAD)
      before = (flags & HAS_SAMPLE ? 1 : 0) + (flags & HAS_MCS2  ? 2
                                               : flags & HAS_MCS ? 1
                                                                 : 0);
   else
      before = (flags & HAS_REF ? 1 : 0) +
               (flags & (HAS_BIAS | HAS_LOD) ? 1 : 0);
   return index < before ? 4 + index : index - before;
}

unsigned
sampler_coordinates(const struct sampler_call *c, uint8_t index[4])
{
   static const uint8_t dimensions[] = {
      [SIM_SURFACE_1D] = 1,   [SIM_SURFACE_2D] = 2,     [SIM_SURFACE_3D] = 3,
      [SIM_SURFACE_CUBE] = 3, [SIM_SURFACE_BUFFER] = 1,
   };
   const unsigned flags = c->type->flags;
   const struct sim_surface *s = c->lookup.s;
   const unsigned n = dimensions[s->type] + s->is_array;
   const bool third = sim_traits(c->t->env->verx10)->ld_lod_is_third;
   const bool load = c->type->group == GROUP_LOAD;
   unsigned at = flags & (HAS_SAMPLE | HAS_REF) ? 1 : 0;
   at += flags & HAS_MCS2 ? 2 : flags & HAS_MCS ? 1 : 0;
   at += !load && flags & (HAS_BIAS | HAS_LOD) ? 1 : 0;
   for (unsigned i = 0; i < n; i++) {
      index[i] = (uint8_t)at;
      at += flags & HAS_GRADIENT ? 3 : 1;
      at += i == 1 && flags & HAS_OFFSETS ? 2 : 0;
      at += load && flags & HAS_LOD && i == third ? 1 : 0;
   }
   return n;
}

uint32_t
sampler_array_slice(const struct sim_surface *s, float index)
{
   if (!s->is_array || !(index > 0.0f))
      return 0;
   const float last = (float)(s->depth - 1);
   return (uint32_t)MIN2(rintf(index), last);
}

struct sim_place
sampler_place(const struct sampler_call *c, unsigned u, unsigned stride,
              unsigned lane, struct sim_gradient *gradient)
{
   const struct sim_surface *s = c->lookup.s;
   const float x = sampler_param_f(c, u, lane);
   const float y = sampler_param_f(c, u + stride, lane);
   const float z = sampler_param_f(c, u + 2 * stride, lane);
   struct sim_place p = { .u = x, .v = y, .r = z, .slice = s->first_slice };
   switch (s->type) {
   case SIM_SURFACE_1D: p.slice += sampler_array_slice(s, y); break;
   case SIM_SURFACE_2D: p.slice += sampler_array_slice(s, z); break;
   case SIM_SURFACE_3D: p.slice = 0; break;
   case SIM_SURFACE_CUBE: {
      const float dir[3] = { x, y, z };
      p.slice +=
         6 * sampler_array_slice(s, sampler_param_f(c, u + 3 * stride, lane));
      p.face = sim_cube_project(dir, &p.u, &p.v, gradient);
      break;
   }
   case SIM_SURFACE_BUFFER:
   case SIM_SURFACE_STRBUF:
   case SIM_SURFACE_NULL: break;
   }
   return p;
}

/* Differences within the lane's 2x2 pixels: lanes 0 1 above 2 3. */
static struct sim_gradient
quad_gradient(const struct sampler_call *c, unsigned u, unsigned lane)
{
   const unsigned quad = lane & ~3u;
   struct sim_gradient g;
   for (unsigned i = 0; i < 3; i++) {
      const float origin = sampler_param_f(c, u + i, quad);
      g.dx[i] = sampler_param_f(c, u + i, quad + 1) - origin;
      g.dy[i] = sampler_param_f(c, u + i, quad + 2) - origin;
   }
   return g;
}

/* The same on the lane's face of a cube. The linear gradient stays if one of
 * the pixels cannot be seen there. */
static void
quad_gradient_on_face(const struct sampler_call *c, unsigned u, unsigned lane,
                      unsigned face, struct sim_gradient *g)
{
   const unsigned quad = lane & ~3u;
   float at[3][2];
   for (unsigned k = 0; k < 3; k++) {
      float dir[3];
      for (unsigned i = 0; i < 3; i++)
         dir[i] = sampler_param_f(c, u + i, quad + k);
      if (!sim_cube_project_to(face, dir, at[k]))
         return;
   }
   for (unsigned i = 0; i < 2; i++) {
      g->dx[i] = at[1][i] - at[0][i];
      g->dy[i] = at[2][i] - at[0][i];
   }
}

/* u, dudx, dudy, v, dvdx, dvdy, r, drdx, drdy, ai */
static struct sim_gradient
message_gradient(const struct sampler_call *c, unsigned u, unsigned lane)
{
   struct sim_gradient g;
   for (unsigned i = 0; i < 3; i++) {
      g.dx[i] = sampler_param_f(c, u + 3 * i + 1, lane);
      g.dy[i] = sampler_param_f(c, u + 3 * i + 2, lane);
   }
   return g;
}

/* The parameter behind u, v, r and ai, or all of their gradients. */
static unsigned
mlod_index(const struct sampler_call *c, unsigned u)
{
   return u + (c->type->flags & HAS_GRADIENT ? 10 : 4);
}

/* Whether the message is long enough for one. */
static bool
has_mlod(const struct sampler_call *c, unsigned u)
{
   return c->type->group == GROUP_SAMPLE && !c->simd4x2 &&
          !(c->type->flags & (HAS_LOD | IS_LOD_ZERO)) &&
          sim_traits(c->t->env->verx10)->sample_has_mlod &&
          sim_message_payload(c->m,
                              c->first + mlod_index(c, u) * c->width / 8);
}

struct sim_lod
sampler_lod(struct sampler_call *c, unsigned before, unsigned u,
            unsigned lane, struct sim_place *p)
{
   const unsigned flags = c->type->flags;
   const bool clamps = has_mlod(c, u);
   struct sim_gradient g;
   c->lookup.min_lod = clamps ? sampler_param_f(c, mlod_index(c, u), lane)
                              : 0.0f;
   if (c->type->group == GROUP_SAMPLE && sim_lod_is_fixed(&c->lookup)) {
      *p = sampler_place(c, u, flags & HAS_GRADIENT ? 3 : 1, lane, NULL);
      return sim_lod_explicit(&c->lookup, 0);
   }
   /* Vertices have no neighbours. */
   if (flags & (HAS_LOD | IS_LOD_ZERO) ||
       (c->simd4x2 && !(flags & HAS_GRADIENT))) {
      *p = sampler_place(c, u, 1, lane, NULL);
      return sim_lod_explicit(
         &c->lookup,
         flags & HAS_LOD ? sampler_param_f(c, before, lane) : 0.0f);
   }
   if (flags & HAS_GRADIENT) {
      g = message_gradient(c, u, lane);
      /* The array index of a cube is after the last gradient: 3 * 3. */
      *p = sampler_place(c, u, 3, lane, &g);
      return sim_lod_from_gradient(&c->lookup, &g, 0);
   }
   /* A bias, a least level and the face of a cube are each lane's own. */
   const bool shared = !(flags & HAS_BIAS) && !clamps &&
                       c->lookup.s->type != SIM_SURFACE_CUBE;
   if (shared && c->lod_quad == (int)(lane / 4)) {
      *p = sampler_place(c, u, 1, lane, NULL);
      return c->lod;
   }
   g = quad_gradient(c, u, lane);
   *p = sampler_place(c, u, 1, lane, &g);
   if (c->lookup.s->type == SIM_SURFACE_CUBE)
      quad_gradient_on_face(c, u, lane, p->face, &g);
   const struct sim_lod lod = sim_lod_from_gradient(
      &c->lookup, &g,
      flags & HAS_BIAS ? sampler_param_f(c, before, lane) : 0.0f);
   if (shared) {
      c->lod_quad = (int)(lane / 4);
      c->lod = lod;
   }
   return lod;
}

/* ---------------------------------------------------------- eight at once */

void
sampler_param_eight(const struct sampler_call *c, unsigned index,
                    unsigned first, void *out)
{
   const union sim_grf *g =
      sim_message_payload(c->m, c->first + (index * c->width + first) / 8);
   if (g)
      memcpy(out, g, sizeof(*g));
   else
      memset(out, 0, sizeof(*g));
}

void
sampler_eight_places(const struct sampler_call *c, unsigned u, unsigned first,
                     struct sim_lanes *e)
{
   const struct sim_surface *s = c->lookup.s;
   const unsigned stride = c->type->flags & HAS_GRADIENT ? 3 : 1;
   if (s->type == SIM_SURFACE_CUBE) {
      uint32_t lanes = e->mask;
      memset(e->u, 0, sizeof(e->u));
      memset(e->v, 0, sizeof(e->v));
      memset(e->slice, 0, sizeof(e->slice));
      while (lanes) {
         const unsigned i = (unsigned)u_bit_scan(&lanes);
         const struct sim_place p =
            sampler_place(c, u, stride, first + i, NULL);
         e->u[i] = p.u;
         e->v[i] = p.v;
         e->slice[i] = (int32_t)(p.slice + p.face);
      }
      return;
   }
   sampler_param_eight(c, u, first, e->u);
   sampler_param_eight(c, u + stride, first, e->v);
   sampler_param_eight(c, u + 2 * stride, first, e->r);
   const uint32_t start = s->type == SIM_SURFACE_3D ? 0 : s->first_slice;
   const bool is_array = s->is_array && s->type == SIM_SURFACE_2D;
   for (unsigned i = 0; i < 8; i++) {
      e->slice[i] = (int32_t)start;
      if (is_array && e->r[i] > 0.0f)
         e->slice[i] += (int32_t)sampler_array_slice(s, e->r[i]);
   }
}

/* The level of detail of a lane, for those that it is the same for. */
static void
set_lod(struct sim_lanes *e, uint32_t same, const struct sim_lod *lod)
{
   e->magnified |= lod->magnified ? same : 0;
   while (same)
      e->level[u_bit_scan(&same)] = lod->level;
}

void
sampler_eight_lods(struct sampler_call *c, unsigned before, unsigned u,
                   unsigned first, struct sim_lanes *e)
{
   const unsigned flags = c->type->flags;
   e->magnified = 0;
   if (sim_lod_is_fixed(&c->lookup) || flags & IS_LOD_ZERO) {
      const struct sim_lod lod = sim_lod_explicit(&c->lookup, 0);
      set_lod(e, 0xff, &lod);
      return;
   }
   if (!(flags & (HAS_LOD | HAS_GRADIENT | HAS_BIAS)) && !has_mlod(c, u) &&
       c->lookup.s->type != SIM_SURFACE_CUBE) {
      sim_lod_of_quads(&c->lookup, e);
      return;
   }
   uint32_t lanes = e->mask;
   while (lanes) {
      const unsigned i = (unsigned)u_bit_scan(&lanes);
      struct sim_place unused;
      const struct sim_lod lod =
         sampler_lod(c, before, u, first + i, &unused);
      set_lod(e, 1u << i, &lod);
   }
}
