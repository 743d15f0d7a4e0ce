/* SPDX-License-Identifier: MIT */
/*
 * Levels of detail; SKL PRM volume 7, "3D Sampler: Texture Coordinate
 * Processing", sections on LOD calculation and on min/mag determination:
 *
 *    rho = max(|d(u W, v H, r D)/dx|, |d(...)/dy|), lod = log2(rho) + bias,
 *    clamped to [MinLOD, MaxLOD]; magnified when lod <= 0.
 *
 * A message's mlod is taken for a second MinLOD, as APIs have it (Vulkan,
 * "LOD Operation"): the PRM names the parameter alone.
 *
 * W, H, D are those of the view's first level, from which lod counts.
 */
#include "sampler_private.h"

#include <math.h>

#include "intel/genxml/gen9_pack.h"

/* From the surface's level 0, between the levels that the view has. */
static float
clamp_to_view(const struct sim_surface *s, float lod)
{
   const float first = (float)s->first_level;
   const float last = first + (float)(s->level_count - 1);
   float level = first + MAX2(lod, 0.0f);
   level = MAX2(level, s->resource_min_lod);
   return MIN2(level, last);
}

static void
finish(const struct sim_lookup *l, struct sim_lod *lod)
{
   const struct sim_sampler *sm = l->sampler;
   const float least = MAX2(sm->min_lod, l->min_lod);
   const float clamped = CLAMP(lod->raw, least, sm->max_lod);
   lod->magnified = (sm->clamps_before_choice ? clamped : lod->raw) <= 0.0f;
   if (sm->mip_filter == MIPFILTER_NONE ||
       (lod->magnified && !sm->mips_when_magnified && !(clamped > 0.0f)))
      lod->level = clamp_to_view(l->s, 0);
   else
      lod->level = clamp_to_view(l->s, clamped);
   if (sm->mip_filter == MIPFILTER_NEAREST)
      lod->level = floorf(lod->level + 0.5f);
}

bool
sim_lod_is_fixed(const struct sim_lookup *l)
{
   const struct sim_sampler *sm = l->sampler;
   return (l->s->level_count == 1 || sm->mip_filter == MIPFILTER_NONE) &&
          sm->min_filter == sm->mag_filter &&
          sm->min_rounding == sm->mag_rounding &&
          sm->min_filter != MAPFILTER_ANISOTROPIC;
}

struct sim_lod
sim_lod_explicit(const struct sim_lookup *l, float lod)
{
   struct sim_lod result = { .taps = 1 };
   result.raw = isnan(lod) ? 0.0f : lod + l->sampler->lod_bias;
   finish(l, &result);
   return result;
}

/* Of `n` coordinates; those after them are layers, or not there, and may be
 * anything. */
static float
length(const float v[3], const float scale[3], unsigned n)
{
   float sum = 0.0f;
   for (unsigned i = 0; i < n; i++)
      sum += v[i] * scale[i] * (v[i] * scale[i]);
   return sqrtf(sum);
}

/* Several taps along the longer axis when the footprint is long. */
static float
choose_taps(const struct sim_lookup *l, const struct sim_gradient *g,
            float px, float py, struct sim_lod *lod)
{
   const float longer = MAX2(px, py), shorter = MIN2(px, py);
   const float ratio = shorter > 0.0f ? longer / shorter
                                      : (longer > 0.0f ? 16.0f : 1.0f);
   const float limit = (float)l->sampler->max_anisotropy;
   const float n = ceilf(MIN2(ratio, limit) - 1.0f / 256);
   lod->taps = MAX2((unsigned)n, 1u);
   const float *axis = px >= py ? g->dx : g->dy;
   lod->step[0] = axis[0] / (float)lod->taps;
   lod->step[1] = axis[1] / (float)lod->taps;
   return longer / (float)lod->taps;
}

struct sim_lod
sim_lod_from_gradient(const struct sim_lookup *l,
                      const struct sim_gradient *g, float bias)
{
   const struct sim_surface *s = l->s;
   const struct sim_sampler *sm = l->sampler;
   const unsigned first = s->first_level;
   const unsigned n = s->type == SIM_SURFACE_1D   ? 1
                      : s->type == SIM_SURFACE_3D ? 3
                                                  : 2;
   const float scale[3] = {
      sm->unnormalized ? 1.0f : (float)MAX2(s->width >> first, 1u),
      sm->unnormalized ? 1.0f : (float)MAX2(s->height >> first, 1u),
      (float)MAX2(s->depth >> first, 1u),
   };
   const float px = length(g->dx, scale, n), py = length(g->dy, scale, n);
   struct sim_lod lod = { .taps = 1 };
   float rho = MAX2(px, py);
   /* The level comes before the choice of the filter, which it decides. */
   if ((sm->min_filter == MAPFILTER_ANISOTROPIC ||
        sm->mag_filter == MAPFILTER_ANISOTROPIC) &&
       s->type == SIM_SURFACE_2D)
      rho = choose_taps(l, g, px, py, &lod);
   const float log = rho > 0.0f ? log2f(rho) : SIM_LEAST_LOD;
   lod.raw = MIN2(log, -SIM_LEAST_LOD) + bias + sm->lod_bias;
   if (isnan(lod.raw))
      lod.raw = SIM_LEAST_LOD;
   finish(l, &lod);
   if ((lod.magnified ? sm->mag_filter : sm->min_filter) !=
       MAPFILTER_ANISOTROPIC)
      lod.taps = 1;
   return lod;
}
