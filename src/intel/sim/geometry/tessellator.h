/* SPDX-License-Identifier: MIT */
/*
 * The tessellator: how a patch is divided, as a pure function of the state
 * and of the factors that the hull shader left.
 *
 * Coordinates are fixed point with 16 fractional bits, from 0 to
 * SIM_TESS_ONE; as floats they are exact. What the domain's coordinates mean:
 *
 *   quad      (u, v) in the unit square
 *   triangle  (u, v, 1 - u - v)
 *   isolines  u along a line, v across
 */
#ifndef SIM_TESSELLATOR_H
#define SIM_TESSELLATOR_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_TESS_ONE 0x10000u
#define SIM_TESS_MAX_FACTOR 64
#define SIM_TESS_MAX_POINTS                                                  \
   ((SIM_TESS_MAX_FACTOR + 1) * (SIM_TESS_MAX_FACTOR + 1))
/* Of the largest case: two triangles in each cell of a quad. */
#define SIM_TESS_MAX_INDICES                                                 \
   (2 * 3 * (SIM_TESS_MAX_FACTOR + 2) * (SIM_TESS_MAX_FACTOR + 2))

/* As in 3DSTATE_TE; enums are those of the packet. */
struct sim_tess_state {
   uint32_t domain;       /* TE_DOMAIN_* */
   uint32_t partitioning; /* TE_PARTITIONING_* */
   uint32_t topology;     /* OUTPUT_* */
   float max_odd, max_not_odd;
};

/*
 * As the patch's header has them.
 *   quad      outer: of the edges u = 0, v = 0, u = 1, v = 1;
 *             inner: along u, along v
 *   triangle  outer: of the edges u = 0, v = 0, w = 0; inner[0]
 *   isolines  outer[0]: number of lines; outer[1]: segments of a line
 */
struct sim_tess_factors {
   float outer[4], inner[2];
};

struct sim_tess_point {
   uint32_t u, v;
};

/* The points of a patch, each once, and the primitives that they make. */
struct sim_tess {
   unsigned num_points, num_indices;
   unsigned vertices; /* of a primitive: 1, 2 or 3 */
   struct sim_tess_point point[SIM_TESS_MAX_POINTS];
   uint16_t index[SIM_TESS_MAX_INDICES];
};

/*
 * Divides a patch. Without points when it is culled: an outer factor of its
 * domain is zero, negative or no number. The state's enums must be valid.
 */
void sim_tessellate(const struct sim_tess_state *state,
                    const struct sim_tess_factors *factors,
                    struct sim_tess *out);

#endif
