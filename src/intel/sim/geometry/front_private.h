/* SPDX-License-Identifier: MIT */
/*
 * What the files of the front end share. One struct sim_front per draw:
 *
 *   front.c        the draw: index fetch, instances, windows, the stages
 *   assemble.c     vertices -> objects or primitives, by topology
 *   shader.c       what the shader stages share: program, constants, URB
 *   split.c        their threads on several host threads
 *   vf.c           vertex elements -> vertex data
 *   vf_format.c    one element in memory -> four 32-bit components
 *   vs.c           vertex shader threads, eight vertices each
 *   hs.c           hull shader threads: patches -> patch records
 *   tessellator.c  tessellation levels -> domain points and primitives
 *   ds.c           domain shader threads: domain points -> vertices
 *   gs.c           geometry shader threads: objects -> strips of vertices
 *   so.c           stream output
 *   clip.c         clip and cull, new vertices
 *
 * Vertices are shaded in windows: as many as the vertex stage has URB
 * entries. Indices are assembled until the entries are used up; then all new
 * vertices are shaded, what was assembled goes down the pipe in order, and
 * the entries are free again. A vertex that is used twice in a window is
 * shaded once.
 *
 *  VS -> [HS -> tessellator -> DS] -> [GS] -> stream output -> clip -> raster
 *
 * What is assembled are primitives (struct front_prim: one to three vertices,
 * adjacent ones dropped) if no stage in brackets is on. Then there is one
 * array of them and no call between. Otherwise they are objects (struct
 * front_object: all vertices of a patch, or of a primitive with adjacency),
 * which go to the first of the stages. A stage hands on by
 * front_stage_primitive(), or, if it makes strips, by an assembler of its
 * own; before it uses an entry again it calls front_stage_drain().
 *
 * All stages name vertices alike: by where they are in the URB (vue_ref).
 *
 * Facts: PRM SKL Vol. 7 "3D Pipeline Stages": "Vertex Fetch", "Vertex
 * Shader", "Hull Shader", "Tessellation Engine", "Domain Shader", "Geometry
 * Shader", "Stream Output Logic", "Clip".
 */
#ifndef SIM_FRONT_PRIVATE_H
#define SIM_FRONT_PRIVATE_H

#include "intel/sim/chaos/chaos.h"
#include "intel/sim/eu/eu.h"
#include "intel/sim/dispatch/draw.h"
#include "front.h"
#include "intel/sim/raster/raster.h"

#define SIM_VS_LANES 8
#define SIM_MAX_WINDOW 4096 /* slots */
#define SIM_MAX_PRIMS 4096  /* of one window */
#define SIM_MAX_OBJECT_VERTICES 8192
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

/* A shaded vertex, or one that will be when its window is: the offset of its
 * first dword from the start of the URB, in bytes. */
typedef uint32_t vue_ref;

/* The URB entries of a stage, as 3DSTATE_URB_* gives them to it. */
struct front_region {
   vue_ref first;
   unsigned entry_B, entry_dw;
   unsigned num;                  /* entries; limited to SIM_MAX_WINDOW */
   struct sim_chaos_order places; /* where they are */
};

/* A primitive for stream output and the clipper. */
struct front_prim {
   vue_ref v[3];
   vue_ref provoking;
   uint8_t kind; /* enum sim_prim_kind */
   uint8_t edge_mask;
   uint8_t stream;
   uint8_t so_vertices; /* 0: a part that stream output leaves out */
   bool rect;           /* three corners of a rectangle */
   bool begins;         /* a strip of lines, or none: restarts the stipple */
   bool odd; /* of a strip: two vertices are swapped for the winding */
   uint32_t primitive_id;
};

/*
 * What the hull or the geometry shader works on: a point, line, triangle,
 * either of the latter with adjacency, or a patch. Triangles of strips are in
 * API winding; an odd one begins with its leading vertex.
 */
struct front_object {
   const vue_ref *v;
   uint8_t num_vertices;
   uint8_t topology; /* 3DPRIM_*, of the draw or of the tessellator */
   bool adjacency;   /* 4 vertices are a line, 6 a triangle */
   bool odd;
   uint32_t primitive_id;
};

#define SIM_MAX_PATCH 32 /* control points */

/* Vertices in, objects or primitives of a topology out. */
struct assembler {
   uint32_t topology;
   bool objects;
   uint8_t stream;
   /* The number of a primitive is `id`, or, if `counts_id`, `id` and how many
    * were before it. */
   bool counts_id;
   uint32_t id;

   uint32_t primitives, vertices; /* made of how many, so far */
   unsigned count;                /* vertices since the last cut */
   unsigned num_held;
   vue_ref held[SIM_MAX_PATCH]; /* that later primitives need */
};

/* A shader stage. The one thread is used again and again. */
struct front_shader {
   const char *name;      /* "vertex shader" */
   struct sim_draw *draw; /* whose threads they are */
   const struct sim_eu_program *program;
   struct sim_eu_env env;
   union sim_grf header; /* r0 of each thread: state pointers, scratch */
   unsigned push_grfs;
   uint8_t push[SIM_GRF_COUNT * SIM_GRF_B];
   struct sim_eu_thread thread;
};

struct front_gs;   /* private to gs.c */
struct front_tess; /* private to hs.c, ds.c */

struct sim_front {
   struct sim_draw *draw;
   const struct sim_render_state *state;

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

   /* Slots: entries of the vertex stage. */
   struct front_region vs_region;
   unsigned used, shaded;
   struct {
      struct front_vertex key;
      uint16_t slot;
      uint32_t window; /* valid if it is the current one */
   } cache[SIM_VERTEX_CACHE];
   uint32_t window;

   /* What is assembled of the vertices of a window, and with geometry stages
    * what these make of it. */
   struct assembler assembler;
   unsigned num_prims;
   unsigned num_objects, num_object_vertices;

   /* Shader stages. */
   bool has_vs, has_tess, has_gs;
   struct front_shader vs;
   struct front_tess *tess;
   struct front_gs *gs;

   /* The vertices of the last of them, for stream output and the clipper. */
   unsigned vue_dw;
   unsigned user_clip, user_cull; /* masks of clip distances */

   /* Edge flags (edge_flag[]) are of element edge_element - 1; 0: none. */
   unsigned edge_element;

   /* Stream output and clip: see their files. */
   bool so_enable, rasterize;
   struct {
      unsigned read_dw; /* where in the vertex registers begin */
      unsigned buffers; /* that take part: selected and enabled */
   } so_stream[SIM_MAX_SO_STREAMS];
   unsigned so_pitch_B[SIM_MAX_SO_BUFFERS];
   struct {
      bool valid;
      float x0, x1, y0, y1;
   } guardband[16];
   struct {
      uint32_t dw[VUE_MAX_DW];
   } made[32]; /* vertices that the clipper makes, reused per primitive */
   unsigned num_made;
   bool begins; /* front_prim::begins, of primitives that did not come out */

   struct sim_counters counters; /* added to the draw's at the end */

   /* From here on nothing is cleared when a draw begins: 200 KiB, of which
    * most draws need little. */
   struct front_vertex vertex[SIM_MAX_WINDOW];
   struct front_prim prim[SIM_MAX_PRIMS];
   struct front_object object[SIM_MAX_PRIMS];
   vue_ref object_vertex[SIM_MAX_OBJECT_VERTICES];
   bool edge_flag[SIM_MAX_WINDOW];
};

/* The dwords of a vertex. */
static inline uint32_t *
front_vue(const struct sim_front *f, vue_ref v)
{
   return (uint32_t *)(void *)(f->draw->urb + v);
}

/* An URB handle, as threads get it. */
static inline uint32_t
front_handle(vue_ref v)
{
   return v / 64;
}

static inline vue_ref
front_entry(const struct front_region *r, unsigned i)
{
   return r->first + (vue_ref)sim_chaos_nth(&r->places, i) * r->entry_B;
}

/* The other way. */
static inline unsigned
front_slot(const struct front_region *r, vue_ref v)
{
   const unsigned place = (v - r->first) / r->entry_B;
   unsigned i = place;
   while (sim_chaos_nth(&r->places, i) != place)
      i = (i + 1) % r->num;
   return i;
}

/* Prepare functions return false when the draw has faulted. */

/* The slot of a vertex, which may be new. There must be room for it. */
unsigned front_add_vertex(struct sim_front *f, struct front_vertex v);

/*
 * Between the stages
 */

/*
 * Hands a primitive of the domain shader's vertices to the next stage. `v`
 * are one, two or three of them by kind, in API winding. They must stay as
 * they are until front_stage_drain().
 */
bool front_stage_primitive(struct sim_front *f, enum sim_prim_kind kind,
                           const vue_ref v[3], uint32_t primitive_id);

/* Makes all that was handed on go through the rest of the pipe. */
bool front_stage_drain(struct sim_front *f);

/* Sends f->prim[] to stream output and the clipper, and empties it. */
bool front_send_primitives(struct sim_front *f);

/*
 * shader.c
 */

/* A 3DSTATE_URB_* packet. Faults if there are fewer than `least` entries, or
 * if they are not in the URB. */
bool front_region_init(struct sim_front *f, struct front_region *r,
                       const char *packet, unsigned start_8KB,
                       unsigned size_64B, unsigned num, unsigned least);

/* What a stage's state says about its threads. */
struct front_shader_state {
   const char *name;  /* "vertex shader" */
   const char *trace; /* "vs" */
   uint64_t kernel;   /* Kernel Start Pointer */
   uint64_t binding_table, sampler_state;
   uint64_t scratch_base;       /* Scratch Space Base Pointer, in bytes */
   unsigned scratch_per_thread; /* as the field has it */
   uint32_t cr0;
   uint32_t entry_B; /* of what the threads write to */
   const struct GEN9_3DSTATE_CONSTANT_BODY *constants;
};

bool front_shader_prepare(struct sim_front *f, struct front_shader *s,
                          const struct front_shader_state *state);
/* A new thread: state registers, r0, nothing else. */
struct sim_eu_thread *front_shader_start(struct sim_front *f,
                                         struct front_shader *s,
                                         uint32_t dispatch_mask);
/* Puts the push constants to `grf` on; the register after them. */
unsigned front_shader_push(struct front_shader *s, unsigned grf);
/* What the thread works on; between its payload and its run. */
void front_shader_trace(struct sim_front *f, struct front_shader *s,
                        unsigned lanes_per_item,
                        const struct trace_item *items, unsigned num_items);
bool front_shader_run(struct sim_front *f, struct front_shader *s);

/*
 * split.c
 */

/* Does the units of a stage's work from `first` up to `end`, on threads of
 * `s`, as host thread `worker`, below front_width(). False: a fault. */
typedef bool (*front_work_fn)(struct sim_front *f, struct front_shader *s,
                              unsigned worker, unsigned first, unsigned end);

/* What a stage has to do at once, in units of its own (vertices, patches,
 * threads), each of which writes to URB entries of its own. */
struct front_work {
   front_work_fn fn;
   struct front_shader *shader;
   unsigned num;     /* units */
   unsigned part;    /* of which a host thread takes so many at a time */
   unsigned threads; /* of the EU, for all */
   /* Of the URB: what all read, and where they write. NULL: nothing is read
    * that another unit could write. */
   const struct front_region *reads, *writes;
};

/* How many host threads front_run() may give it to: more than one only if the
 * shader writes nothing but URB entries, and there is enough to do. */
unsigned front_width(const struct sim_front *f, const struct front_work *w);

/* Does it. If it is divided, each host thread has a copy of the shader; the
 * fault is that of the first part that has one, parts after it may be done
 * or not. */
bool front_run(struct sim_front *f, const struct front_work *w);

/*
 * Assembly: adds one vertex to what is being built, or ends it (cut, end of
 * the instance). At most SIM_ASSEMBLE_MAX primitives or objects a call, of
 * SIM_MAX_PATCH vertices together.
 */
#define SIM_ASSEMBLE_MAX 2
bool sim_assemble_check(struct sim_front *f, const struct assembler *a);
void sim_assemble_vertex(struct sim_front *f, struct assembler *a, vue_ref v);
void sim_assemble_end(struct sim_front *f, struct assembler *a);
/* One primitive to f->prim[], with room for it. */
void sim_assemble_primitive(struct sim_front *f, enum sim_prim_kind kind,
                            const vue_ref v[3], uint32_t primitive_id);

bool sim_vf_prepare(struct sim_front *f);
/* Vertex data of `n` vertices, read for `draw`: component k of vertex i to
 * out[k * lane_stride_dw + i * vertex_stride_dw]. */
bool sim_vf_fetch(const struct sim_front *f, struct sim_draw *draw,
                  const struct front_vertex *v, unsigned n, uint32_t *out,
                  size_t component_stride_dw, size_t vertex_stride_dw);

/* Whether the edge that begins at the vertex is one of the polygon. */
bool sim_vf_fetch_edge_flags(struct sim_front *f,
                             const struct front_vertex *v, unsigned n,
                             bool *out);

bool sim_vs_prepare(struct sim_front *f);
/* Fills in the entries of the slots from f->shaded up to f->used. */
bool sim_vs_shade(struct sim_front *f);

/*
 * Hull shader, tessellator, domain shader (f->has_tess). sim_hs_patch() takes
 * the next patch; it may keep it until eight are there, or sim_hs_flush().
 * What comes out goes to front_stage_primitive(), in order. All is through
 * when sim_hs_flush() and front_stage_drain() have returned.
 */
bool sim_hs_prepare(struct sim_front *f);
bool sim_hs_patch(struct sim_front *f, const struct front_object *patch);
bool sim_hs_flush(struct sim_front *f);
bool sim_ds_prepare(struct sim_front *f);
/* Frees what the preparations have allocated, also after a fault. */
void sim_hs_finish(struct sim_front *f);

/* Geometry shader (f->has_gs), likewise; sim_gs_flush() sends primitives. */
bool sim_gs_prepare(struct sim_front *f);
bool sim_gs_object(struct sim_front *f, const struct front_object *o);
bool sim_gs_flush(struct sim_front *f);
void sim_gs_finish(struct sim_front *f);

bool sim_so_prepare(struct sim_front *f);
bool sim_so_primitive(struct sim_front *f, const struct front_prim *p);
bool sim_so_finish(struct sim_front *f);

bool sim_clip_prepare(struct sim_front *f);
/* Clips, and hands what is left to the rasteriser. */
void sim_clip_primitive(struct sim_front *f, const struct front_prim *p);

#endif
