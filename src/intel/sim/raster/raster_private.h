/* SPDX-License-Identifier: MIT */
/*
 * What the files of the back end share. One struct sim_raster per draw:
 *
 *   setup.c   vertices -> screen space, culling, polygon mode, planes
 *   tiles.c   what is set up waits, and is drawn tile by tile
 *   hazard.c  whether the tiles may be drawn in any order
 *   scan.c    line or point -> quads (2x2 pixels) with coverage
 *   scan_blocks.c  polygon -> blocks of 8x8 pixels, or quads
 *   smooth.c  stipple, and coverage of antialiased lines
 *   zs.c      depth, stencil and depth-bounds tests on a quad
 *   zs_block.c  depth tests of a block on host vectors
 *   hiz.c     what HiZ says about depth, and its clears
 *   ps.c      quads -> pixel shader threads
 *   fill.c    pixels of threads that all write the same
 *   payload.c what is in their registers
 *   rt.c      render target write messages, late tests, alpha to coverage
 *   rt_quads.c, rt_simd8.c  targets of one sample, on host vectors
 *   look.c    what a trace has of a pixel, and of targets
 *   blend.c   one pixel's blending, logic op, write mask and store
 *
 * Screen coordinates are fixed point with 8 fraction bits, y down, as the
 * setup unit of this hardware has them (PRM SKL Vol. 7 "3DSTATE_SF: Vertex
 * Sub Pixel Precision Select").
 */
#ifndef SIM_RASTER_PRIVATE_H
#define SIM_RASTER_PRIVATE_H

#include "intel/sim/eu/eu.h"
#include "intel/sim/dispatch/draw.h"
#include "raster.h"
#include "intel/sim/mem/surface.h"
#include "intel/sim/trace/trace_format.h"

#define SIM_SUBPIXEL_BITS 8
#define SIM_SUBPIXEL_ONE (1 << SIM_SUBPIXEL_BITS)
#define SIM_MAX_SAMPLES 16
#define SIM_MAX_VIEWPORTS 16
#define SIM_MAX_RTS 8
#define SIM_MAX_ATTRIBUTES 32
#define SIM_MAX_QUADS 8 /* of one SIMD32 thread */
#define SIM_TILE_PX 64  /* what is drawn at once: tiles.c */

/* SF_CLIP_VIEWPORT and CC_VIEWPORT, and what pixels may be touched. */
struct sim_raster_viewport {
   bool valid;
   float scale[3], translate[3];
   float min_depth, max_depth;
   int x0, y0, x1, y1; /* pixels, the last ones exclusive */
};

/* A vertex in screen space. */
struct sim_screen_vertex {
   int32_t x, y; /* fixed point */
   float z, inv_w;
   const struct sim_vue *vue;
};

/* A linear function of barycentric coordinates: a0 + b1 * d1 + b2 * d2; as
 * the payload of a pixel shader has it. */
struct sim_plane {
   float d1, d2, zero, a0;
};

/* A convex polygon of up to four edges, its interior where all E >= 0;
 * E(x, y) = a x + b y + c in fixed point, fill rule included in c. */
struct sim_edge {
   int64_t a, b, c;
};

static inline int64_t
sim_edge_at(const struct sim_edge *e, int64_t x, int64_t y)
{
   return e->a * x + e->b * y + e->c;
}

/* A line that is scanned as a rectangle; in pixels. */
struct sim_setup_line {
   double x, y;   /* where it begins */
   double dx, dy; /* unit vector along it */
   double length, width;
};

/*
 * A line that is scanned column by column, seen along its major axis: u is x
 * for x-major, v the other; in pixels.
 */
struct sim_line_walk {
   double u0, v0, u1, v1, slope;
   bool x_major;
   int rows;       /* of pixels, across */
   int begin, end; /* columns, both included */
   /* Steps of the stipple are columns, counted from the one that the line
    * begins in, whether they are inside of the viewport or not. */
   bool stipple;
   int first;
};

/* A tile of an image that was used last. */
struct sim_tile_page {
   uint32_t column, row; /* of tiles */
   uint8_t *host;        /* NULL: none yet */
};

/* Whether each tile of an image is a page. */
static inline bool
sim_tiles_are_pages(enum sim_tile_mode tiling, uint64_t address,
                    uint32_t pitch_B)
{
   return (tiling == SIM_TILE_X || tiling == SIM_TILE_Y) &&
          address % SIM_PAGE_SIZE == 0 &&
          pitch_B % (tiling == SIM_TILE_X ? 512 : 128) == 0;
}

/*
 * Byte column x_B of row y of such an image. NULL, and no fault: its page is
 * not mapped. Good until the draw ends.
 */
static inline uint8_t *
sim_tile_page_ptr(struct sim_tile_page *p, struct sim_mem *mem,
                  uint64_t address, enum sim_tile_mode tiling,
                  uint32_t pitch_B, uint32_t x_B, uint32_t y)
{
   const bool x_major = tiling == SIM_TILE_X;
   const uint32_t column = x_B >> (x_major ? 9 : 7);
   const uint32_t row = y >> (x_major ? 3 : 5);
   const uint64_t at = sim_tile_offset(tiling, pitch_B, x_B, y);
   if (!p->host || p->column != column || p->row != row) {
      p->column = column;
      p->row = row;
      p->host =
         sim_mem_try_ptr(mem, address + (at & ~4095ull), SIM_PAGE_SIZE);
   }
   return p->host ? p->host + (at & 4095) : NULL;
}

/* One primitive, ready to be scanned: as a polygon, unless it has rows. */
struct sim_setup {
   struct sim_line_walk walk;
   unsigned num_edges;
   struct sim_edge edge[4];
   /* A pixel is covered if any of it is: edges are those of its first
    * corner, moved by the pixel's size. */
   bool conservative;
   /* Of triangles: in place of the edge's c, for pixels that are covered as a
    * whole. Others cover none so. */
   bool has_inner;
   int64_t inner_c[4];
   int x0, y0, x1, y1; /* pixels to visit, the last ones exclusive */

   /* b1 = b_c[0] + x * b_x[0] + y * b_y[0], b2 likewise; x, y in pixels. */
   double b_c[2], b_x[2], b_y[2];
   double inv_w[3];
   double z[3]; /* at the three vertices, depth bias included */
   bool affine; /* all inv_w are the same */

   /* After clipping: b1 and b2 of the three vertices in the primitive as it
    * was, with perspective and without: see struct sim_vue. */
   bool clipped;
   float original_b[2][3][2];

   /* Which of the pixels stay: smooth.c. */
   bool polygon_stipple, line_stipple, antialias;
   struct sim_setup_line line;
   uint32_t line_step; /* of the stipple, at its start */

   bool front_facing;
   uint32_t viewport_index, layer, primitive_id;
   unsigned topology; /* 3DPRIM_* as r0.0 reports it */

   /* a0, a1 - a0, a2 - a0 of every attribute component. */
   const struct sim_plane (*attr)[4];
   /* For strict mode: four bits for each attribute, its components that a
    * vertex left undefined. */
   uint8_t attr_undefined[SIM_MAX_ATTRIBUTES / 2];
};

/* 2x2 pixels; pixel i is (x + i % 2, y + i / 2). */
struct sim_quad {
   int x, y;
   uint16_t coverage[4]; /* covered samples of each pixel */
   uint16_t lit[4];      /* those that also passed the early tests */
   float alpha[4];       /* of antialiased lines only */
};

/* How many bits are set: the host's baseline has no instruction for it. */
static inline uint64_t
sim_count_bits(uint64_t v)
{
   const uint64_t each = UINT64_MAX / 255;
   v -= v >> 1 & each * 0x55;
   v = (v & each * 0x33) + (v >> 2 & each * 0x33);
   v = (v + (v >> 4)) & each * 0x0f;
   return v * each >> 56;
}

/* How many samples are in a pixel's mask: mostly none or one. */
static inline uint64_t
sim_count_samples(uint32_t mask)
{
   return mask & (mask - 1) ? sim_count_bits(mask) : mask != 0;
}

struct sim_stencil_face {
   unsigned func, fail, depth_fail, pass;
   uint8_t ref, test_mask, write_mask;
};

struct sim_depth_stencil {
   bool depth_test, depth_write, stencil_test, stencil_write;
   struct sim_stencil_face front, back;
   bool has_depth, has_stencil;
   uint32_t layers;       /* of the view, for both */
   uint32_t depth_format; /* of 3DSTATE_DEPTH_BUFFER */
   unsigned depth_size_B;
   struct sim_image depth, stencil;
   bool by_quads;  /* see sim_zs_test_quad() */
   bool by_blocks; /* the same, on a host that has sim_zs_test_block() */
   struct sim_tile_page page;
   bool has_hiz;
   struct sim_hiz hiz;
   /* Of the blocks of the tile which the primitive has entered, and what HiZ
    * said about them: a bit each, a byte a row. */
   uint8_t entered[SIM_TILE_PX / SIM_HIZ_H];
   struct sim_hiz_bounds bounds[SIM_TILE_PX / SIM_HIZ_H]
                               [SIM_TILE_PX / SIM_HIZ_W];
};
static_assert(SIM_TILE_PX / SIM_HIZ_W == 8, "bits of a byte");

/* One render target, by binding table index; decoded at the first write. */
struct sim_render_target {
   bool valid, null, integer;
   bool quads;  /* of which all pixels are in a tile: rt_quads.c */
   bool eights; /* see sim_rt_store_eight() */
   struct sim_tile_page page;
   /* An element of the CCS that is not clear, nor will be in this draw. */
   bool expanded;
   uint32_t expanded_x, expanded_y, expanded_layer;
   /* Pixels around it, and whether some were clear when that was found. */
   struct {
      bool clear;
      uint32_t begin[2], end[2], layer;
   } line;
   struct sim_surface surface;
   unsigned width, height; /* of the level that is drawn to */
};

/*
 * The threads of a program that all write the same colour, as those of clears
 * and of primitives with one colour: when one has run, pixels are filled
 * without more of them (fill.c).
 */
struct sim_fill_program {
   enum sim_eu_constant kind;
   bool known; /* what its threads write, of fill.setup; and in `texels`: */
   unsigned rt;
   uint8_t texels[8 * 16];    /* eight times the same */
   struct sim_eu_stats stats; /* of one thread */
};

struct sim_fill {
   const struct sim_setup *setup; /* or NULL */
   unsigned running;              /* the program, index in r->program */
   bool complete; /* all of them are known, and write the same */
   unsigned
      waiting; /* quads that are stored, whose threads do not count yet */
   struct sim_fill_program program[3];
};

struct sim_raster;
typedef void sim_scan_polygon_fn(struct sim_raster *r);
typedef bool sim_ps_payload_fn(const struct sim_raster *r, union sim_grf *grf,
                               unsigned width, unsigned num_quads,
                               uint32_t lit, unsigned start_grf);

struct sim_raster {
   struct sim_draw *draw;
   const struct sim_render_state *state;
   struct sim_mem *mem;

   struct sim_raster_viewport viewport[SIM_MAX_VIEWPORTS];

   unsigned num_samples;
   /* The same but for a forced sample count: coverage of several samples, of
    * which any one lets a pixel of one sample be written. */
   unsigned target_samples;
   /* In fixed point from the pixel's upper left corner; [0] is the pixel
    * centre when there is one sample. */
   int32_t sample_x[SIM_MAX_SAMPLES], sample_y[SIM_MAX_SAMPLES];
   /* Where coverage and depth of each sample are taken: there, or all in the
    * centre when multisample rasterisation is off. */
   bool multisamples;
   bool rectangular_lines; /* MSRASTMODE_ON_* */
   int32_t raster_x[SIM_MAX_SAMPLES], raster_y[SIM_MAX_SAMPLES];
   int32_t centre; /* of a pixel, fixed point */
   uint32_t sample_mask;

   /* Somebody looks at this pixel (look.c), or at the targets. */
   bool looks;
   int check_x, check_y;
   uint32_t pictures_px;

   struct sim_depth_stencil zs;
   bool early_tests; /* else after the shader */

   bool has_ps, per_sample, kills;
   sim_ps_payload_fn *fill_payload;
   sim_scan_polygon_fn *scan_polygon;
   struct sim_eu_env env;
   /* Of the thread, among those that run at once: its place in scratch
    * space. */
   unsigned thread_number;
   const struct sim_eu_program *program[3]; /* SIMD8, SIMD16, SIMD32 */
   unsigned widest, quads_to_run;           /* of them; what it takes */
   unsigned dispatch_grf[3];
   unsigned num_attributes;
   uint8_t *push;
   unsigned push_grf;

   bool blend_state_valid;
   bool alpha_covers;  /* alpha to coverage is on */
   bool alpha_decides; /* that, or the alpha test */
   struct GEN9_COLOR_CALC_STATE color_calc;
   uint32_t blend_entries_loaded; /* of blend[] */
   struct GEN9_BLEND_STATE blend_state;
   struct GEN9_BLEND_STATE_ENTRY blend[SIM_MAX_RTS];
   float blend_constant[4];
   struct sim_render_target rt[SIM_MAX_RTS];
   struct sim_fill fill;

   /* From here on, each host thread has its own (tiles.c). What setup.c
    * works on: */
   struct sim_setup building;
   struct sim_plane building_attr[SIM_MAX_ATTRIBUTES][4];
   uint32_t line_step;  /* of the stipple, at the start of the next line */
   uint32_t last_layer; /* the highest that was drawn to */

   /* What is drawn: the primitive, and the pixels of it that are meant, the
    * last ones exclusive. */
   const struct sim_setup *setup;
   int x0, y0, x1, y1;

   /* Its quads that wait for a thread. */
   struct sim_quad pending[SIM_MAX_QUADS];
   int pending_sample[SIM_MAX_QUADS];
   unsigned num_pending;

   uint64_t ps_invocations, depth_count;

   struct sim_eu_thread thread;
};

/* One pixel shader thread, for the message handlers. */
struct sim_ps_thread {
   struct sim_raster *r;
   unsigned width; /* pixels that its program takes */
   unsigned num_quads;
   const struct sim_quad *quad;
   const int *sample; /* -1: all of the pixel's */

   /* Channels whose late tests are done, and the samples that passed. */
   uint32_t tested;
   uint16_t passed[SIM_MAX_QUADS * 4];
};

/* setup.c */
const struct sim_raster_viewport *
sim_raster_get_viewport(struct sim_raster *r, unsigned index);

/* What lies past the end of an entry is 0. */
static inline float
sim_vue_float(const struct sim_vue *v, unsigned dword)
{
   return dword < v->size_dw ? util_bits_float(v->dw[dword]) : 0.0f;
}

/* attributes.c: planes of the primitive that is being built. */
void sim_raster_set_attributes(struct sim_raster *r,
                               const struct sim_prim *prim,
                               const struct sim_screen_vertex *v,
                               unsigned num_vertices, bool is_point);

/* scan.c: finds the covered quads of r->setup, as far as they are in the
 * pixels that are meant, and hands them on. */
void sim_scan(struct sim_raster *r);
/* scan_blocks.c: the same for a polygon; the second, for hosts with AVX2. */
sim_scan_polygon_fn sim_scan_polygon, sim_scan_polygon_avx2;
/* Whether no pixel of the square of `size` px at (x, y) is covered; false if
 * that takes a closer look. */
bool sim_scan_misses(const struct sim_setup *s, int x, int y, int size);
/* Whether the pixel is covered as a whole, "inner conservative". */
bool sim_scan_covers_pixel(const struct sim_setup *s, int x, int y);
/* Makes r->building, which has the viewport as its bounds, a line of columns;
 * the columns that it has for the stipple. */
uint32_t sim_scan_prepare_line(struct sim_raster *r,
                               const struct sim_screen_vertex v[2],
                               float width_px);

/*
 * tiles.c: takes r->building, with what has been set up before it, to the
 * pixels, now or later.
 */
bool sim_tiles_begin(struct sim_raster *r);
void sim_tiles_add(struct sim_raster *r);
/* Draws what waits, also after a fault of the draw. */
void sim_tiles_flush(struct sim_raster *r);

/* tiles.c draws so many parts of the screen in any order. */
#define SIM_LANES 64

/* hazard.c: whether pixels of the draw have nothing to do with each other,
 * so that the order between them does not matter. */
bool sim_pixels_are_apart(struct sim_raster *r);

/* smooth.c: takes pixels out of a quad; whether any are left. */
bool sim_smooth_quad(struct sim_raster *r, struct sim_quad *quad);
static inline bool
sim_setup_is_smooth(const struct sim_setup *s)
{
   return s->polygon_stipple || s->line_stipple || s->antialias;
}
bool sim_line_stipple_bit(const struct sim_raster *r, uint32_t step);

/* ps.c */
/* Gives later threads the number, and the scratch space of that number. */
bool sim_ps_begin(struct sim_raster *r);
/* Early tests, then queues the quad; runs a thread when one is full. */
void sim_ps_quad(struct sim_raster *r, struct sim_quad *quad);
/* Does what sim_ps_quad() does for pixels of a block of 8x8, of one sample
 * each: a bit for each, row after row. False: nothing has been done. */
bool sim_ps_pixels(struct sim_raster *r, int x, int y, uint64_t mask);
/* Runs what is queued: at the end of each primitive. */
void sim_ps_flush(struct sim_raster *r);
/* Samples of a pixel that a slot of a thread stands for: that one, or all of
 * them (-1). */
static inline uint32_t
sim_ps_slot_samples(uint32_t mask, int sample)
{
   return sample < 0 ? mask : mask & (1u << sample);
}

/* payload.c: fills in the registers of a thread for pending quads, of which
 * the channels `lit` count. False: the draw has faulted. The second is for
 * hosts with AVX2. */
sim_ps_payload_fn sim_ps_fill_payload, sim_ps_fill_payload_avx2;
/* The depths of a pixel's samples, clamped to the viewport's range. */
void sim_ps_depths(const struct sim_raster *r, int x, int y,
                   float z[SIM_MAX_SAMPLES]);
extern const struct sim_eu_interp sim_ps_interp;

/* zs.c */
bool sim_zs_begin(struct sim_raster *r);
/* Whether any test or write can happen; else all samples pass. */
static inline bool
sim_zs_active(const struct sim_raster *r)
{
   return r->zs.depth_test || r->zs.depth_write || r->zs.stencil_test;
}
/* Whether it matters what depth samples have. */
static inline bool
sim_zs_uses_depth(const struct sim_raster *r)
{
   return r->zs.depth_test || r->zs.depth_write;
}
/* Whether the primitive's layer is one of the view; others have no pixels. */
static inline bool
sim_zs_has_layer(const struct sim_raster *r)
{
   return r->setup->layer < r->zs.layers;
}
/*
 * Tests the samples in `mask` of pixel (x, y) with depth z[sample], if that
 * is used, and writes depth and stencil; the samples that passed. The stencil
 * reference is the state's, or the value that the shader computed.
 */
#define SIM_ZS_STATE_REF (-1)
uint32_t sim_zs_test(struct sim_raster *r, int x, int y, uint32_t mask,
                     const float *z, bool front_facing, int stencil_ref);

/*
 * The same for the pixels in `mask` of a quad that have one sample, before
 * the shader: finds depths and addresses once for all of them. False: not of
 * this buffer or place, and nothing has been done. *passed are the pixels.
 */
bool sim_zs_test_quad(struct sim_raster *r, const struct sim_quad *q,
                      unsigned mask, unsigned *passed);

/* The same for pixels of a block of 8x8, a bit for each, row after row
 * (zs_block.c). */
bool sim_zs_test_block(struct sim_raster *r, int x, int y, uint64_t mask,
                       uint64_t *passed);

/* All samples of a pixel of r->setup.layer; false: the draw has faulted. */
bool sim_zs_store_depth(struct sim_raster *r, int x, int y, float value);
bool sim_zs_store_stencil(struct sim_raster *r, int x, int y, uint8_t value);

/* hiz.c, of the block of pixel (x, y); all but for a fault of the draw, which
 * they tell by false or NULL, do nothing without HiZ. */
/* Marks it. */
bool sim_hiz_set(struct sim_raster *r, int x, int y, uint32_t mark);
/* This depth, too, will be in it. */
bool sim_hiz_add(struct sim_raster *r, int x, int y, float depth);
/* Gives its pixels their value if it is marked clear. */
bool sim_hiz_expand(struct sim_raster *r, int x, int y);
/* That, for a primitive that tests or writes depths there. Old depths are to
 * be taken as the nearest within what is returned. */
const struct sim_hiz_bounds *sim_hiz_enter(struct sim_raster *r, int x,
                                           int y);

/* rt.c */
/* 3DSTATE_PS: the rectangle is no drawing, but marks what is clear, or puts
 * the clear colour there (PRM SKL Vol. 7, "Fast Color Clear", "Render Target
 * Resolve"). */
static inline bool
sim_raster_aux_operation(const struct sim_raster *r)
{
   return r->state->ps.RenderTargetFastClearEnable ||
          r->state->ps.RenderTargetResolveType != RESOLVE_DISABLED;
}
bool sim_rt_begin(struct sim_raster *r);
bool sim_rt_write(struct sim_eu_thread *t, const struct sim_message *m);

/* fill.c */
void sim_fill_begin(struct sim_raster *r);
/* r->setup is another primitive: is what was known of the last one known of
 * it? */
void sim_fill_next(struct sim_raster *r);
/* r->setup goes away. */
void sim_fill_end(struct sim_raster *r);
/* Whether threads of the program, index in r->program, need not run. */
static inline bool
sim_fill_knows(const struct sim_raster *r, unsigned which)
{
   return r->fill.program[which].known && r->fill.setup == r->setup;
}
/*
 * Such threads of pending quads and those of the pixels `lit` of the block of
 * 8x8 at (x, y), a bit for each, row after row. The pixels whose quads are
 * still to be shaded; of one sample, as all are.
 */
uint64_t sim_fill_block(struct sim_raster *r, int x, int y, uint64_t lit);
/* Such a thread of the first `n` pending quads, with its pixels `lit`. False:
 * it has to run. */
bool sim_fill_thread(struct sim_raster *r, unsigned which, unsigned n);
/* At the end of a primitive, of which quads wait to be counted: pending quads
 * are stored, and full threads counted. How many quads wait still. */
unsigned sim_fill_flush(struct sim_raster *r);
void sim_fill_count(struct sim_raster *r, unsigned which, unsigned threads);

/* look.c: what happens to the pixel that is looked at, for the trace. */
void sim_look_begin(struct sim_raster *r);
static inline bool
sim_looks_at(const struct sim_raster *r, int x, int y)
{
   return __builtin_expect(r->looks, 0) && x == r->check_x && y == r->check_y;
}
/* As sim_looks_at(), of one of the pixels of a quad. */
static inline bool
sim_looks_in(const struct sim_raster *r, const struct sim_quad *q)
{
   return sim_looks_at(r, q->x + (r->check_x & 1), q->y + (r->check_y & 1));
}
void sim_look_covered(struct sim_raster *r, uint32_t samples);
/* `tests` are enum trace_pixel_test; z, was and is as they are stored. */
struct sim_look_test {
   unsigned sample, tests;
   uint32_t z, z_was, z_is;
   uint8_t stencil_was, stencil_is;
};
void sim_look_tested(struct sim_raster *r, const struct sim_look_test *t);
/* What a thread does to it without writing a colour. */
void sim_look_left(struct sim_raster *r, enum trace_pixel_kind kind);
/* Around a write to the target: `samples` of the pixel. */
void sim_look_before(struct sim_raster *r, const struct sim_render_target *rt,
                     uint32_t samples, const uint32_t source[4],
                     struct trace_pixel *p);
void sim_look_after(struct sim_raster *r, const struct sim_render_target *rt,
                    struct trace_pixel *p);
/* At the draw's end: pictures of its targets. */
void sim_look_end(struct sim_raster *r);

/* rt_check.c: colours of `channels`, from payload register `color` on, have
 * no undefined bits where they are stored. False: the thread has a fault. */
bool sim_rt_check_colors(const struct sim_raster *r, struct sim_eu_thread *t,
                         const struct sim_message *m, unsigned color,
                         const struct sim_render_target *rt,
                         unsigned rt_index, uint32_t channels);

/* blend.c */
void sim_blend_pixel(struct sim_raster *r, const struct sim_render_target *rt,
                     unsigned rt_index, uint8_t *pixel,
                     const uint32_t src0[4], const uint32_t src1[4]);
/* The same for four pixels without src1, whose components are arrays of four:
 * their texels from `old` to `new`. False: the format, or the state, is for
 * sim_blend_pixel() alone. */
bool sim_blend_quad(const struct sim_raster *r,
                    const struct sim_render_target *rt, unsigned rt_index,
                    const uint32_t *const src0[4], const uint32_t old[4],
                    uint32_t new[4]);
/* Whether that is to store src0 in the target's format, and no more. */
bool sim_blend_is_off(const struct sim_raster *r,
                      const struct sim_render_target *rt, unsigned rt_index);

#endif
