/* SPDX-License-Identifier: MIT */
/*
 * What the files of the front end share. One struct sim_front per draw:
 *
 *   front.c      the draw: index fetch, instances, windows
 *   assemble.c   indices -> points, lines, triangles by topology
 *   vf.c         vertex elements -> vertex data
 *   vf_format.c  one element in memory -> four 32-bit components
 *   vs.c         vertex shader threads, eight vertices each
 *   so.c         stream output
 *   clip.c       clip and cull, new vertices
 *
 * Vertices are shaded in windows: as many as the vertex stage has URB
 * entries. Indices are assembled into primitives of slots (URB entries)
 * until the entries are used up; then all new vertices are shaded, the
 * primitives go down the pipe in order, and the entries are free again. A
 * vertex that is used twice in a window is shaded once.
 *
 * Facts: PRM SKL Vol. 7 "3D Pipeline Stages": "Vertex Fetch", "Vertex
 * Shader", "Stream Output Logic", "Clip".
 */
#ifndef SIM_FRONT_PRIVATE_H
#define SIM_FRONT_PRIVATE_H

#include "intel/sim/eu/eu.h"
#include "intel/sim/fixed/draw.h"
#include "intel/sim/fixed/front.h"
#include "intel/sim/fixed/raster.h"

#define SIM_VS_LANES 8
#define SIM_MAX_WINDOW 4096 /* slots */
#define SIM_MAX_PRIMS 4096  /* of one window */
#define SIM_VERTEX_CACHE 1024

/* Dwords of the VUE: header, position, then clip distances and attributes. */
#define VUE_RTA_INDEX 1
#define VUE_VIEWPORT_INDEX 2
#define VUE_POINT_WIDTH 3
#define VUE_POSITION 4
#define VUE_CLIP_DISTANCE 8
#define VUE_MAX_DW 256 /* largest entry; see vs.c */

/* How the four components of a vertex element come about. */
struct vf_format;

struct vf_element {
   unsigned index; /* in 3DSTATE_VERTEX_ELEMENTS */
   bool fetches;   /* any component is from memory */
   const struct vf_format *format;
   uint32_t format_number;
   unsigned size_B; /* of the element in memory */
   uint8_t control[4];
   /* Of the vertex buffer: host memory, or NULL when it is not contiguous
    * there; `buffer_B` 0 for a null buffer. */
   const uint8_t *host;
   uint64_t address;
   uint64_t buffer_B, offset_B, pitch_B;
   bool instanced;
   uint32_t step_rate;
};

/* Where a component goes in the vertex data, or -1: left out by packing. */
struct vf_store {
   int16_t dw[4];
};

struct front_vertex {
   uint32_t index; /* in the vertex buffers, before the base vertex */
   uint32_t instance;
};

/* An assembled primitive of slots. */
struct front_prim {
   uint16_t slot[3];
   uint16_t provoking; /* a slot */
   uint8_t kind;       /* enum sim_prim_kind */
   uint8_t edge_mask;
   bool rect; /* three corners of a rectangle */
   bool odd;  /* of a strip: slots are swapped for the winding */
   uint8_t so_vertices; /* 0: a part that stream output leaves out */
   uint32_t primitive_id;
};

struct assembler {
   uint16_t held[6]; /* slots that later primitives need */
   unsigned num_held;
   unsigned count;        /* vertices since the last cut */
   uint32_t primitive_id; /* of the next one, in this instance */
};

struct sim_front {
   struct sim_draw *draw;
   const struct sim_render_state *state;
   uint64_t start_ns;

   /* Vertex fetch. */
   struct vf_element element[SIM_MAX_VERTEX_ELEMENTS];
   struct vf_store store[SIM_MAX_VERTEX_ELEMENTS];
   unsigned num_elements, vertex_dw;

   /* Index fetch. */
   const uint8_t *indices; /* of start_vertex; NULL: by sim_mem_read() */
   uint64_t index_address, num_indices;
   unsigned index_size_B;
   bool cut_enable;
   uint32_t cut_index;

   /* Slots. */
   unsigned entry_B, entry_dw, num_slots;
   uint32_t first_handle;
   unsigned used, shaded;
   struct front_vertex vertex[SIM_MAX_WINDOW];
   struct {
      struct front_vertex key;
      uint16_t slot;
      uint32_t window; /* valid if it is the current one */
   } cache[SIM_VERTEX_CACHE];
   uint32_t window;

   struct assembler assembler;
   struct front_prim prim[SIM_MAX_PRIMS];
   unsigned num_prims;

   /* Vertex shader. */
   bool has_vs;
   const struct sim_eu_program *program;
   struct sim_eu_env env;
   struct sim_eu_thread thread;
   unsigned push_grfs;
   uint8_t push[SIM_GRF_COUNT * SIM_GRF_B];

   /* Stream output and clip: see their files. */
   bool so_enable, rasterize;
   struct {
      bool valid;
      float x0, x1, y0, y1;
   } guardband[16];
   unsigned user_clip, user_cull; /* masks of clip distances */
   struct {
      uint32_t dw[VUE_MAX_DW];
   } made[32]; /* vertices that the clipper makes, reused per primitive */
   unsigned num_made;

   struct sim_counters counters; /* added to the draw's at the end */
};

/* The dwords of a slot. */
static inline uint32_t *
front_vue(const struct sim_front *f, unsigned slot)
{
   return (uint32_t *)(void *)(f->draw->urb +
                               (uint64_t)f->first_handle * 64 +
                               (uint64_t)slot * f->entry_B);
}

/* Prepare functions return false when the draw has faulted. */

/* The slot of a vertex, which may be new. There must be room for it. */
unsigned front_add_vertex(struct sim_front *f, struct front_vertex v);

/* Adds one vertex to the primitive that is being built, or ends it (cut,
 * end of the instance). At most SIM_ASSEMBLE_MAX primitives a call. */
#define SIM_ASSEMBLE_MAX 2
bool sim_assemble_check(struct sim_front *f);
void sim_assemble_vertex(struct sim_front *f, unsigned slot);
void sim_assemble_end(struct sim_front *f);

bool sim_vf_prepare(struct sim_front *f);
/* Vertex data of `n` vertices: component k of vertex i to
 * out[k * lane_stride_dw + i * vertex_stride_dw]. */
bool sim_vf_fetch(struct sim_front *f, const struct front_vertex *v,
                  unsigned n, uint32_t *out, size_t component_stride_dw,
                  size_t vertex_stride_dw);

bool sim_vs_prepare(struct sim_front *f);
/* Fills in the entries of `n` (1 to 8) slots from `first` on. */
bool sim_vs_shade(struct sim_front *f, unsigned first, unsigned n);

bool sim_so_prepare(struct sim_front *f);
bool sim_so_primitive(struct sim_front *f, const struct front_prim *p);
bool sim_so_finish(struct sim_front *f);

bool sim_clip_prepare(struct sim_front *f);
/* Clips, and hands what is left to the rasteriser. */
void sim_clip_primitive(struct sim_front *f, const struct front_prim *p);

#endif
