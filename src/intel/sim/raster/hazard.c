/* SPDX-License-Identifier: MIT */
/*
 * Whether the pixels of a draw have nothing to do with each other, so that
 * the result does not depend on the order between them: then tiles.c draws
 * the tiles of the screen on several host threads.
 *
 * A pixel's shader may write nothing but the pixel, and scratch space, of
 * which each lane has a thread's: no other messages of the data port that
 * write. What it reads besides must be surfaces that the binding table names,
 * and these must not lie in what the draw writes. Nor may the written
 * surfaces overlap each other, or themselves. All of this is judged by the
 * programs' text and the surfaces' extents; what cannot be told counts as
 * overlapping.
 *
 * States, constants, vertices and indices are taken to lie elsewhere.
 */
#include "raster_private.h"

#include "intel/sim/dispatch/hazard.h"
#include "intel/sim/eu/program/effects.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/msg/surface_cache.h"

static unsigned
tile_width_B(enum sim_tile_mode tiling)
{
   switch (tiling) {
   case SIM_TILE_LINEAR: return 1;
   case SIM_TILE_X: return 512;
   case SIM_TILE_Y:
   case SIM_TILE_W: return 128;
   }
   unreachable("tile mode");
}

/* Depth and stencil have the layout of the image in each slice. */
static bool
add_image(struct sim_written *w, const struct sim_raster *r,
          const struct sim_image *img)
{
   uint32_t x = img->width - 1, y = img->height - 1;
   sim_interleave_sample(img->num_samples, img->num_samples - 1, &x, &y);
   x++;
   y++;
   if (img->pitch_B % tile_width_B(img->tiling) ||
       ((uint64_t)img->x0 + x) * img->bpp_B > img->pitch_B ||
       (r->last_layer && y > img->qpitch_rows))
      return false;
   const uint64_t rows = img->y0 + y +
                         (uint64_t)r->last_layer * img->qpitch_rows;
   const uint64_t size_B = ALIGN(rows, 64ull) * img->pitch_B /
                           (img->tiling == SIM_TILE_W ? 2 : 1);
   return sim_add_written(w, (struct sim_range) { img->address,
                                                  img->address + size_B });
}

static bool
add_depth_stencil(struct sim_written *w, const struct sim_raster *r)
{
   const struct sim_depth_stencil *zs = &r->zs;
   if (zs->stencil_test && !add_image(w, r, &zs->stencil))
      return false;
   if (!zs->depth_test && !zs->depth_write)
      return true;
   if (!add_image(w, r, &zs->depth))
      return false;
   if (!zs->has_hiz)
      return true;
   /* Blocks of 8x4 pixels, sixteen rows of them to a tile of 32. */
   const uint64_t rows =
      zs->hiz.y0 + zs->depth.height +
      ((uint64_t)r->state->depth_buffer.MinimumArrayElement + r->last_layer) *
         zs->hiz.qpitch_rows;
   const uint64_t size_B = (rows / 64 + 1) * 32 * zs->hiz.pitch_B;
   return sim_add_written(w, (struct sim_range) { zs->hiz.address,
                                                  zs->hiz.address + size_B });
}

/* Whether each pixel of a target has memory of its own. */
static bool
is_well_laid(const struct sim_surface *s)
{
   const unsigned l = s->target_level;
   if (s->type == SIM_SURFACE_NULL)
      return true;
   if (s->type > SIM_SURFACE_CUBE)
      return false;
   const uint64_t w = MAX2(s->width >> l, 1u), h = MAX2(s->height >> l, 1u);
   const bool sliced = s->view_extent > 1 ||
                       s->sample_layout == SIM_SAMPLES_SLICES;
   if (s->sample_layout == SIM_SAMPLES_INTERLEAVED ||
       s->pitch_B % tile_width_B(s->tiling))
      return false;
   if (s->is_linear_1d)
      return !sliced || s->x0_el[l] + w <= s->qpitch_rows;
   if (s->slices_in_rows)
      return (((uint64_t)s->slice_w_el[l] << l) + s->x0_el[l]) *
                s->element_B <=
             s->pitch_B;
   return (s->x0_el[l] + w) * s->element_B <= s->pitch_B &&
          (!sliced || h <= s->qpitch_rows);
}

static bool
add_targets(struct sim_written *w, struct sim_eu_thread *t,
            const BITSET_WORD *targets)
{
   for (unsigned bti = 0; bti < SIM_EFFECT_BTIS; bti++) {
      struct sim_range range[2];
      if (!BITSET_TEST(targets, bti))
         continue;
      const struct sim_surface *s =
         bti < SIM_MAX_RTS ? sim_surface_get(t, bti) : NULL;
      if (!s || !is_well_laid(s))
         return false;
      const unsigned n = sim_surface_ranges(s, range);
      for (unsigned i = 0; i < n; i++) {
         if (!sim_add_written(w, range[i]))
            return false;
      }
   }
   return true;
}

/*
 * By 3DSTATE_PS: before Gen8 on all of the GPU, since then in each subslice;
 * the field has one less, on Gen8 two (PRM SKL Vol. 2a, 3DSTATE_PS, "Maximum
 * Number of Threads Per PSD").
 */
static unsigned
threads_at_once(const struct sim_raster *r)
{
   const unsigned n = r->state->ps.MaximumNumberofThreadsPerPSD + 1;
   return sim_traits(r->env.verx10)->ps_threads_of_subslice
             ? n * r->draw->gpu->info->num_subslices
             : n;
}

/* The scratch space of all lanes, each of which is one of the threads that
 * run at once. False also if there are not so many. */
static bool
add_scratch(struct sim_written *w, const struct sim_raster *r, uint32_t end_B)
{
   const uint64_t pointer = r->state->ps.ScratchSpaceBasePointer;
   const uint64_t size_B = (uint64_t)SIM_LANES * r->env.scratch_per_thread_B;
   const uint64_t first = r->env.general_state_base + pointer;
   return threads_at_once(r) >= SIM_LANES && pointer &&
          pointer + size_B <= UINT32_MAX &&
          end_B <= r->env.scratch_per_thread_B &&
          sim_add_written(w, (struct sim_range) { first, first + size_B });
}

/* The effects of all the programs. False: one does what it must not. */
static bool
add_effects(const struct sim_raster *r, struct sim_effects *all)
{
   for (unsigned i = 0; i < ARRAY_SIZE(r->program); i++) {
      const struct sim_effects *e =
         r->program[i] ? sim_eu_program_effects(r->program[i]) : NULL;
      if (!e)
         continue;
      if (e->reads_any || e->writes_any || e->atomics || e->barriers)
         return false;
      all->scratch |= e->scratch;
      all->scratch_end_B = MAX2(all->scratch_end_B, e->scratch_end_B);
      for (unsigned k = 0; k < ARRAY_SIZE(e->writes); k++) {
         if (e->writes[k])
            return false;
         all->reads[k] |= e->reads[k];
         all->targets[k] |= e->targets[k];
      }
   }
   return true;
}

bool
sim_pixels_are_apart(struct sim_raster *r)
{
   struct sim_effects all = { 0 };
   struct sim_written w = { 0 };
   if (sim_raster_aux_operation(r) || !add_depth_stencil(&w, r))
      return false;
   if (!r->has_ps)
      return true;
   if (r->env.trace || !add_effects(r, &all))
      return false;
   struct sim_mem mem;
   sim_mem_init(&mem, r->draw->vm);
   sim_eu_thread_init(&r->thread, &r->env, 0);
   r->thread.mem = &mem;
   const bool apart =
      (!all.scratch || add_scratch(&w, r, all.scratch_end_B)) &&
      add_targets(&w, &r->thread, all.targets) &&
      sim_reads_elsewhere(&w, &r->thread, all.reads);
   r->thread.mem = NULL;
   return apart;
}
