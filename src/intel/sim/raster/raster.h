/* SPDX-License-Identifier: MIT */
/*
 * The back of the 3D pipe: viewport transform, culling, polygon modes, setup,
 * rasterisation, early and late depth and stencil, pixel shader dispatch,
 * blending and render target writes (PRM SKL Vol. 7, "Strips and Fans",
 * "Windower", "Pixel Shader", "Color calculator").
 *
 * geometry/front.c hands over primitives in API order, after clipping; what
 * the eye sees is as if each were finished before the next one starts.
 */
#ifndef SIM_RASTER_H
#define SIM_RASTER_H

#include "intel/sim/gpu/gpu.h"
#include "intel/sim/gpu/render_state.h"

enum sim_prim_kind {
   SIM_PRIM_POINT,
   SIM_PRIM_LINE,
   SIM_PRIM_TRIANGLE,
};

/*
 * A vertex URB entry, or one that the clipper made: dword 1 render target
 * array index, dword 2 viewport index, dword 3 point width (float), dwords
 * 4 to 7 clip-space position x y z w (floats), then clip distances and
 * attributes as the last geometry stage wrote them.
 */
struct sim_vue {
   const uint32_t *dw;
   unsigned size_dw;

   /* Of a primitive that was clipped: b1 and b2 of this vertex in the
    * primitive as it was before, [0] in clip space and [1] on the screen.
    * From them, and the attributes of the original vertices, each kind of
    * interpolation gives what it would have given without clipping. */
   float b[2][2];
};

struct sim_prim {
   enum sim_prim_kind kind;

   /* One, two or three vertices by kind. A triangle is in API winding order:
    * strips and fans are untangled. */
   const struct sim_vue *v[3];

   /* The vertices before clipping, in the same winding; NULL when nothing
    * was cut off. */
   const struct sim_vue *original[3];

   /* Source of attributes with constant interpolation, and of the viewport
    * and array indices. May be none of `v` after clipping. */
   const struct sim_vue *provoking;

   /* Bit i: the edge from v[i] to v[(i + 1) % 3] is one of the polygon as
    * the API drew it or as the clip planes cut it, not an inner diagonal.
    * For polygon modes line and point. */
   unsigned edge_mask;

   /* Half of a rectangle: whatever its winding, it is not culled. */
   bool rect;

   /* A line that begins the pattern of the line stipple anew, as others than
    * the later ones of a strip do; or a triangle, whose edges may be
    * lines. */
   bool restarts_stipple;

   uint32_t primitive_id;
};

/*
 * Decodes the state that the back end reads for all primitives of one draw
 * (render targets, depth, blend, pixel shader programs). Must be paired with
 * sim_raster_end(), also after a fault.
 */
void sim_raster_begin(struct sim_draw *draw);

/* How many numbers threads of pixels may have, by which their scratch space
 * is found. */
unsigned sim_raster_thread_ids(const struct intel_device_info *info);

/* Draws one primitive; nothing after draw->faulted. The vertices may be
 * reused by the caller on return. */
void sim_raster_primitive(struct sim_draw *draw, const struct sim_prim *prim);

/* Frees gpu->tiles; NULL is fine. */
void sim_tiles_destroy(struct sim_tiles *t);

/* Finishes pixels still on their way, adds up counters, frees memory. */
void sim_raster_end(struct sim_draw *draw);

#endif
