/* SPDX-License-Identifier: MIT */
/*
 * The pixels of a draw, tile by tile.
 *
 * Primitives that are set up wait here until there are many, or until the
 * draw ends. The screen is divided into tiles; a primitive is drawn in one
 * tile after the other, and no thread of the shader has pixels of two tiles.
 *
 * If little waits, or if pixels have to do with each other (hazard.c),
 * primitive after primitive is drawn, each in all its tiles. Else tiles are
 * dealt out to lanes, like the squares of a chess board with 8x8 colours, and
 * each lane draws its part of all the primitives. Lanes share nothing, so
 * host threads take them in any order. What is done in a lane, and which of
 * the two ways is taken, does not depend on the number of host threads; nor
 * does, therefore, anything in memory, in the counters, or in the faults:
 *
 * A fault ends its lane, and the draw when all lanes are through. It is that
 * of the earliest primitive, and of the first tile, by rows, of several of
 * the same one. But a thread that is hung ends all lanes at once.
 *
 * The edge of a tile is a multiple of what shares an element of an auxiliary
 * surface: a block of HiZ is 8x4 pixels, an element of a CCS at most 16x4.
 * Elements of a CCS that share a byte can be of two lanes (compress.c).
 */
#include "raster_private.h"

#include "intel/sim/gpu/pool.h"

#define LANES_X 8 /* as many across as down */
#define LANES (LANES_X * LANES_X)
static_assert(LANES == SIM_LANES, "a bit for each");

#define STORE_B (1u << 20)
#define MAX_WAITING 4096

/* Pixels, roughly, below which lanes are not worth their while: it takes
 * tens of microseconds to wake a host thread. */
#define LANES_FROM_PX 8000

struct waiting {
   uint64_t lanes;
   const struct sim_setup *setup; /* in the store */
};

/* What a host thread draws with. */
struct tile_worker {
   struct sim_draw_part part; /* faults: see fault_place() */
   struct sim_raster raster;
};

struct sim_tiles {
   uint8_t *store;
   size_t used_B;
   unsigned count;
   struct waiting waiting[MAX_WAITING];
   uint64_t work_px; /* pixels in the bounds of all */

   /* Of lanes that are being drawn. */
   unsigned num_workers;
   struct tile_worker *workers;
   uint8_t lane[LANES]; /* that have something to draw */
   unsigned num_lanes;
   bool stop; /* atomic */
};

void
sim_tiles_destroy(struct sim_tiles *t)
{
   if (!t)
      return;
   free(t->store);
   free(t->workers);
   free(t);
}

static struct sim_tiles *
create(void)
{
   struct sim_tiles *t = calloc(1, sizeof(*t));
   if (t && !(t->store = malloc(STORE_B))) {
      free(t);
      return NULL;
   }
   return t;
}

bool
sim_tiles_begin(struct sim_raster *r)
{
   struct sim_gpu *gpu = r->draw->gpu;
   if (!gpu->tiles && !(gpu->tiles = create())) {
      sim_draw_fault(r->draw, "the host is out of memory");
      return false;
   }
   return true;
}

/* One bit for each of the lanes that the bounds touch. */
static uint64_t
lanes_of(const struct sim_setup *s)
{
   uint64_t columns = 0, lanes = 0;
   const int tx1 = (s->x1 - 1) / SIM_TILE_PX, ty1 = (s->y1 - 1) / SIM_TILE_PX;
   const int tx0 = MAX2(s->x0 / SIM_TILE_PX, tx1 - LANES_X + 1);
   const int ty0 = MAX2(s->y0 / SIM_TILE_PX, ty1 - LANES_X + 1);
   for (int tx = tx0; tx <= tx1; tx++)
      columns |= 1ull << tx % LANES_X;
   for (int ty = ty0; ty <= ty1; ty++)
      lanes |= columns << LANES_X * (ty % LANES_X);
   return lanes;
}

void
sim_tiles_add(struct sim_raster *r)
{
   struct sim_tiles *t = r->draw->gpu->tiles;
   const struct sim_setup *s = &r->building;
   const size_t planes_B = r->num_attributes * sizeof(s->attr[0]);
   const size_t size_B = ALIGN(sizeof(*s) + planes_B, (size_t)16);
   if (s->x0 >= s->x1 || s->y0 >= s->y1)
      return;
   if (t->count == MAX_WAITING || t->used_B + size_B > STORE_B)
      sim_tiles_flush(r);
   if (r->draw->faulted)
      return;
   struct sim_setup *to = (void *)(t->store + t->used_B);
   memcpy(to, s, sizeof(*s));
   memcpy(to + 1, s->attr, planes_B);
   to->attr = (const void *)(to + 1);
   t->waiting[t->count++] = (struct waiting) { lanes_of(s), to };
   t->used_B += size_B;
   t->work_px += (uint64_t)(s->x1 - s->x0) * (uint64_t)(s->y1 - s->y0);
}

static void
draw_tile(struct sim_raster *r, const struct sim_setup *s, int tx, int ty)
{
   r->setup = s;
   memset(r->zs.entered, 0, sizeof(r->zs.entered));
   if (r->fill.setup != s)
      sim_fill_next(r);
   r->x0 = tx * SIM_TILE_PX;
   r->y0 = ty * SIM_TILE_PX;
   r->x1 = r->x0 + SIM_TILE_PX;
   r->y1 = r->y0 + SIM_TILE_PX;
   if (sim_scan_misses(s, r->x0, r->y0, SIM_TILE_PX))
      return;
   sim_scan(r);
   sim_ps_flush(r);
}

/*
 * In order
 */

static void
draw_in_order(struct sim_raster *r, const struct sim_tiles *t)
{
   for (unsigned i = 0; i < t->count; i++) {
      const struct sim_setup *s = t->waiting[i].setup;
      for (int ty = s->y0 / SIM_TILE_PX; ty * SIM_TILE_PX < s->y1; ty++) {
         for (int tx = s->x0 / SIM_TILE_PX; tx * SIM_TILE_PX < s->x1; tx++) {
            draw_tile(r, s, tx, ty);
            if (r->draw->faulted)
               return;
         }
      }
   }
}

/*
 * By lanes
 */

static uint64_t
fault_place(unsigned i, int tx, int ty)
{
   return (uint64_t)i << 32 | (uint64_t)ty << 16 | (uint64_t)tx;
}

/* False: a fault. */
static bool
draw_primitive_in_lane(struct sim_tiles *t, struct tile_worker *w, unsigned i,
                       int lane)
{
   const struct sim_setup *s = t->waiting[i].setup;
   const int tx0 = s->x0 / SIM_TILE_PX, ty0 = s->y0 / SIM_TILE_PX;
   const int first_x = tx0 + ((lane % LANES_X - tx0) & (LANES_X - 1));
   const int first_y = ty0 + ((lane / LANES_X - ty0) & (LANES_X - 1));
   for (int ty = first_y; ty * SIM_TILE_PX < s->y1; ty += LANES_X) {
      for (int tx = first_x; tx * SIM_TILE_PX < s->x1; tx += LANES_X) {
         draw_tile(&w->raster, s, tx, ty);
         if (!w->part.draw.faulted)
            continue;
         sim_draw_part_note(&w->part, fault_place(i, tx, ty));
         if (w->part.draw.expired)
            __atomic_store_n(&t->stop, true, __ATOMIC_RELAXED);
         return false;
      }
   }
   return true;
}

static void
draw_lane(void *data, unsigned worker, unsigned item)
{
   struct sim_tiles *t = data;
   struct tile_worker *w = &t->workers[worker];
   const unsigned lane = t->lane[item];
   sim_draw_part_item(&w->part);
   /* A shader that reads what nobody wrote must not see who came before. */
   memset(w->raster.thread.grf, 0, sizeof(w->raster.thread.grf));
   w->raster.thread_number = lane;
   for (unsigned i = 0; i < t->count; i++) {
      if (!(t->waiting[i].lanes >> lane & 1))
         continue;
      if (__atomic_load_n(&t->stop, __ATOMIC_RELAXED) ||
          !draw_primitive_in_lane(t, w, i, (int)lane))
         return;
   }
}

static bool
make_workers(struct sim_tiles *t, unsigned n)
{
   if (t->num_workers >= n)
      return true;
   free(t->workers);
   t->num_workers = 0;
   t->workers = aligned_alloc(64, ALIGN(n * sizeof(*t->workers), (size_t)64));
   if (t->workers)
      t->num_workers = n;
   return t->workers != NULL;
}

static void
start_worker(struct tile_worker *w, const struct sim_raster *r)
{
   sim_draw_part_begin(&w->part, r->draw);
   memcpy(&w->raster, r, offsetof(struct sim_raster, building));
   w->raster.draw = &w->part.draw;
   w->raster.mem = &w->part.mem;
   w->raster.num_pending = 0;
   w->raster.ps_invocations = w->raster.depth_count = 0;
}

static void
list_lanes(struct sim_tiles *t)
{
   uint64_t used = 0;
   for (unsigned i = 0; i < t->count; i++)
      used |= t->waiting[i].lanes;
   t->num_lanes = 0;
   for (unsigned i = 0; i < LANES; i++) {
      if (used >> i & 1)
         t->lane[t->num_lanes++] = (uint8_t)i;
   }
}

static void
draw_by_lanes(struct sim_raster *r, struct sim_tiles *t)
{
   struct sim_pool *pool = sim_gpu_pool(r->draw->gpu);
   const unsigned n = sim_pool_width(pool);
   if (!make_workers(t, n)) {
      sim_draw_fault(r->draw, "the host is out of memory");
      return;
   }
   for (unsigned i = 0; i < n; i++)
      start_worker(&t->workers[i], r);
   list_lanes(t);
   t->stop = false;
   sim_gpu_count(&r->draw->gpu->stats.splits, 1);
   sim_pool_run(pool, t->num_lanes, draw_lane, t);

   sim_draw_parts_end(r->draw, &t->workers[0].part, n, sizeof(*t->workers));
   for (unsigned i = 0; i < n; i++) {
      r->ps_invocations += t->workers[i].raster.ps_invocations;
      r->depth_count += t->workers[i].raster.depth_count;
   }
}

/* A fault of the front end, or of setup, comes after all that waits: it has
 * been reported, and one of the pixels is not any more. */
void
sim_tiles_flush(struct sim_raster *r)
{
   struct sim_draw *draw = r->draw;
   struct sim_tiles *t = draw->gpu->tiles;
   struct sim_held_fault fault;
   const bool faulted = draw->faulted;
   if (!t || !t->count)
      return;
   draw->faulted = false;
   draw->held = &fault;
   if (!draw->expired) {
      if (t->work_px >= LANES_FROM_PX && !r->pictures_px &&
          sim_pixels_are_apart(r))
         draw_by_lanes(r, t);
      else
         draw_in_order(r, t);
   }
   const bool failed = draw->faulted;
   draw->held = NULL;
   draw->faulted = faulted;
   if (failed)
      sim_draw_fault(draw, "%s", fault.text);
   t->count = 0;
   t->used_B = 0;
   t->work_px = 0;
   r->setup = &r->building;
   sim_fill_end(r);
}
