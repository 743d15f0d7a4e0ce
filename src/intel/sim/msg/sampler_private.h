/* SPDX-License-Identifier: MIT */
/*
 * The parts of the sampler. sampler.c takes messages apart and puts responses
 * together, sampler_payload.c finds where lanes sample, sampler_lod.c levels
 * of detail, sampler_filter.c addresses and filters texels, sampler_lanes.c
 * does so on host vectors, sampler_state.c decodes SAMPLER_STATE.
 */
#ifndef SIM_SAMPLER_PRIVATE_H
#define SIM_SAMPLER_PRIVATE_H

#include "intel/sim/eu/eu.h"
#include "intel/sim/mem/surface.h"

/* A decoded SAMPLER_STATE; filters and wrap modes as in genxml. */
struct sim_sampler {
   unsigned min_filter, mag_filter, mip_filter;
   unsigned max_anisotropy; /* ratio: 2, 4, ... 16 */
   unsigned wrap[3];        /* TCM_* of u, v, r */
   unsigned shadow_function;
   unsigned reduction;                 /* REDUCTION_*, of several texels */
   uint8_t min_rounding, mag_rounding; /* bit i: coordinate i is rounded */
   /* LOD PreClamp: clamp, then choose min or mag. */
   bool clamps_before_choice;
   bool mips_when_magnified;
   bool unnormalized;
   bool cubes_are_seamless; /* whatever the wrap modes say */
   float lod_bias, min_lod, max_lod;
   uint32_t border[4];       /* as floats, and as integers for such formats */
   uint16_t border_offset_B; /* from a multiple of 512 bytes */
   uint32_t border_packed[4]; /* Haswell: integers as the format has them */
};

/* One message on its way. */
struct sim_lookup {
   struct sim_eu_thread *t;
   const struct sim_surface *s;
   const struct sim_sampler *sampler; /* NULL for ld messages */
   int offset[3];                     /* texels to add to u, v, r */
   bool compare;
   bool filters;     /* as the sampler says */
   bool integer;     /* the format's words are integers */
   unsigned present; /* bit c: the format has channel c */
   unsigned lane;    /* now at work, for faults */
   float reference;  /* of the lane, if `compare` */
   float min_lod;    /* of the lane, besides the sampler's; 0: none */
   uint8_t rounding; /* as in sim_sampler, of the filter in use */
};

/* Where a lane samples: normalized coordinates in the slice or face. */
struct sim_place {
   float u, v, r;
   uint32_t slice; /* array slice of the surface; cube: its face 0 */
   unsigned face;  /* of a cube */
};

/* Derivatives of u, v, r by screen x and y. */
struct sim_gradient {
   float dx[3], dy[3];
};

struct sim_lod {
   float raw;   /* biased, not clamped, from the view's first level */
   float level; /* what is used: from the surface's level 0, clamped */
   bool magnified;
   unsigned taps; /* of anisotropic filtering, else 1 */
   float step[2]; /* (u, v) from tap to tap */
};

/* NULL: a fault is recorded. The result is good until the next call. */
const struct sim_sampler *sim_sampler_at(struct sim_eu_thread *t,
                                         uint64_t address);

/* Level of detail from derivatives. */
struct sim_lod sim_lod_from_gradient(const struct sim_lookup *l,
                                     const struct sim_gradient *g,
                                     float bias);
/* Whether there is one level, filtered in one way, whatever the level of
 * detail. */
bool sim_lod_is_fixed(const struct sim_lookup *l);
/* From a level of detail that the message gives. */
struct sim_lod sim_lod_explicit(const struct sim_lookup *l, float lod);

/* Filtered colour of one lane; false: a fault is recorded. */
bool sim_filter(struct sim_lookup *l, const struct sim_place *p,
                const struct sim_lod *lod, uint32_t rgba[4]);

/* Eight lanes as sim_filter() has one, for host vectors. */
struct sim_lanes {
   uint32_t mask;          /* bit i: lane i takes part */
   uint32_t magnified;     /* as in struct sim_lod */
   float u[8], v[8], r[8]; /* as in struct sim_place */
   int32_t slice[8];       /* with the face of a cube */
   float level[8];         /* as in struct sim_lod */
   float reference[8];     /* if the lookup compares */
   uint32_t rgba[4][8];    /* what comes out */
};

/*
 * The least level of the resource, ResourceMinLOD without fraction: ld and
 * gather4, which do not choose their level, are outside below it, as Direct3D
 * 11 has it, whose SetResourceMinLOD() the field is there for ("empty-set
 * accesses are handled as out-of-bounds cases"), and as Vulkan has it of
 * VkImageViewMinLodCreateInfoEXT. Samples are clamped, with the fraction.
 */
static inline unsigned
sim_least_level(const struct sim_surface *s)
{
   return (unsigned)s->resource_min_lod;
}

/* What log2(0) counts as: far below any MinLOD. */
#define SIM_LEAST_LOD -64.0f

/* `level` and `magnified` of 2x2 pixels 0 to 3 and 4 to 7, from the
 * differences of u, v, r between them; without anisotropic filters. */
void sim_lod_of_quads(const struct sim_lookup *l, struct sim_lanes *lanes);

/* Whether sim_filter_lanes() has the lookup's surface and sampler. */
bool sim_can_filter_lanes(const struct sim_lookup *l);
/* The lanes that were filtered; the others are left to sim_filter(), nothing
 * is wrong. */
uint32_t sim_filter_lanes(const struct sim_lookup *l,
                          struct sim_lanes *lanes);

/*
 * What sim_load() gives for eight lanes, without samples. The texels that are
 * asked for are in `place`: x, y, slice of the view, level of the view. The
 * same lanes come back, or none: then they are left to sim_load().
 */
bool sim_can_load_lanes(const struct sim_lookup *l);
uint32_t sim_load_lanes(const struct sim_lookup *l, const int32_t place[4][8],
                        struct sim_lanes *lanes);

/* Whether a filter goes on beyond the edges of a cube's faces. */
bool sim_is_seamless(const struct sim_lookup *l);

/*
 * The texels at (x0, y0), (x1, y0), (x0, y1), (x1, y1) of a slice from the
 * surface's start. False: they are to be read one by one, nothing is wrong.
 */
bool sim_fetch_four(const struct sim_lookup *l, unsigned level,
                    const int32_t x[2], const int32_t y[2], int32_t slice,
                    uint32_t rgba[4][4]);

/* The four texels that a bilinear filter would use at the view's first
 * level, all channels: (i0, j1), (i1, j1), (i1, j0), (i0, j0).
 */
bool sim_gather(struct sim_lookup *l, const struct sim_place *p,
                uint32_t texels[4][4]);

/* One texel by integer coordinates; outside of the surface: as the manual
 * says for ld. `level` is from the view's first, `r` the slice in the view.
 */
bool sim_load(struct sim_lookup *l, int32_t x, int32_t y, int32_t r,
              int32_t level, unsigned sample, uint32_t rgba[4]);

/* Face 0 to 5 (+x -x +y -y +z -z) of a direction, and its coordinates in
 * [0, 1]; `g` (may be NULL) is the direction's gradient, and becomes that of
 * the coordinates.
 */
unsigned sim_cube_project(const float dir[3], float *u, float *v,
                          struct sim_gradient *g);

/* Of a texel next to a face of `size` texels across, beyond one of its edges:
 * the face on the other side, and the texel's place there. */
unsigned sim_cube_across(unsigned face, uint32_t size, int32_t xy[2]);

/* The coordinates of a direction on the plane of a face that need not be its
 * own; false: it points away from there. */
bool sim_cube_project_to(unsigned face, const float dir[3], float uv[2]);

#endif
