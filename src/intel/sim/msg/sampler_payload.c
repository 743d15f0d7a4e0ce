/* SPDX-License-Identifier: MIT */
/* Which parameter of a message to the sampler is where. */
#include "sampler_call.h"

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
