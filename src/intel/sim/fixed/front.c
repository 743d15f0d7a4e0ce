/* SPDX-License-Identifier: MIT */
/*
 * One draw through the front end: instances, indices, windows; see
 * front_private.h for the method.
 */
#include "front_private.h"

#include "intel/sim/cs/gpu.h"

/*
 * Slots
 */

unsigned
front_add_vertex(struct sim_front *f, struct front_vertex v)
{
   const unsigned h = (v.index ^ v.instance * 0x9e3779b1u) % SIM_VERTEX_CACHE;
   if (f->cache[h].window == f->window &&
       f->cache[h].key.index == v.index &&
       f->cache[h].key.instance == v.instance)
      return f->cache[h].slot;
   assert(f->used < f->num_slots);
   const unsigned slot = f->used++;
   f->vertex[slot] = v;
   f->cache[h].key = v;
   f->cache[h].slot = (uint16_t)slot;
   f->cache[h].window = f->window;
   return slot;
}

static bool
shade_all(struct sim_front *f)
{
   while (f->shaded < f->used) {
      const unsigned n = MIN2(f->used - f->shaded, SIM_VS_LANES);
      if (!sim_vs_shade(f, f->shaded, n))
         return false;
      f->shaded += n;
   }
   return true;
}

static bool
send_primitives(struct sim_front *f)
{
   for (unsigned i = 0; i < f->num_prims; i++) {
      const struct front_prim *p = &f->prim[i];
      if (f->so_enable && p->so_vertices && !sim_so_primitive(f, p))
         return false;
      if (f->rasterize)
         sim_clip_primitive(f, p);
      if (f->draw->faulted)
         return false;
   }
   return true;
}

/* A draw may make progress for as long as some draws of real programs take
 * here, but not for ever: 6 minutes, with the usual limit. */
#define DRAW_LIMIT 64

static bool
check_time(struct sim_front *f)
{
   struct sim_gpu *gpu = f->draw->gpu;
   sim_gpu_progress(gpu);
   if (gpu->progress_ns - f->start_ns <= DRAW_LIMIT * gpu->hang_limit_ns)
      return true;
   sim_draw_fault(f->draw, "the draw takes too long: %u vertices, "
                  "%u instances", f->draw->vertex_count,
                  f->draw->instance_count);
   return false;
}

/* Ends the window; the vertices of an open strip move to the next one. */
static bool
flush(struct sim_front *f)
{
   struct front_vertex held[6];
   struct assembler *a = &f->assembler;
   if (!shade_all(f) || !send_primitives(f) || !check_time(f))
      return false;
   for (unsigned i = 0; i < a->num_held; i++)
      held[i] = f->vertex[a->held[i]];
   f->used = f->shaded = f->num_prims = 0;
   f->window++;
   for (unsigned i = 0; i < a->num_held; i++)
      a->held[i] = (uint16_t)front_add_vertex(f, held[i]);
   return true;
}

/*
 * Indices
 */

static bool
prepare_indices(struct sim_front *f)
{
   const struct GEN9_3DSTATE_INDEX_BUFFER *ib = &f->state->index_buffer;
   const struct sim_draw *draw = f->draw;
   if (!draw->indexed) {
      f->cut_enable = false;
      return true;
   }
   if (ib->IndexFormat > INDEX_DWORD) {
      sim_draw_fault(f->draw, "index format %u is reserved", ib->IndexFormat);
      return false;
   }
   f->index_size_B = 1u << ib->IndexFormat;
   f->cut_enable = f->state->vf.IndexedDrawCutIndexEnable;
   f->cut_index = f->state->vf.CutIndex;
   const uint64_t start_B = (uint64_t)draw->start_vertex * f->index_size_B;
   if (start_B < ib->BufferSize)
      f->num_indices = (ib->BufferSize - start_B) / f->index_size_B;
   f->num_indices = MIN2(f->num_indices, draw->vertex_count);
   f->index_address = ib->BufferStartingAddress + start_B;
   f->indices = sim_mem_try_ptr(draw->mem, f->index_address,
                                f->num_indices * f->index_size_B);
   return true;
}

/* Past the end of the buffer, indices are 0 (PRM SKL Vol. 7 "Vertex Fetch:
 * Index Buffer Access"). */
static bool
read_index(struct sim_front *f, uint32_t i, uint32_t *index)
{
   *index = 0;
   if (i >= f->num_indices)
      return true;
   const uint64_t at_B = (uint64_t)i * f->index_size_B;
   if (f->indices) {
      memcpy(index, f->indices + at_B, f->index_size_B);
      return true;
   }
   if (sim_mem_read(f->draw->mem, index, f->index_address + at_B,
                    f->index_size_B))
      return true;
   sim_draw_mem_fault(f->draw, f->draw->mem, "index fetch");
   return false;
}

static bool
run_instance(struct sim_front *f, uint32_t instance)
{
   const struct sim_draw *draw = f->draw;
   f->assembler.primitive_id = 0;
   for (uint32_t i = 0; i < draw->vertex_count; i++) {
      struct front_vertex v = { i, instance };
      if (draw->indexed && !read_index(f, i, &v.index))
         return false;
      if (f->used == f->num_slots ||
          f->num_prims + SIM_ASSEMBLE_MAX > SIM_MAX_PRIMS) {
         if (!flush(f))
            return false;
      }
      if (f->cut_enable && v.index == f->cut_index)
         sim_assemble_end(f);
      else
         sim_assemble_vertex(f, front_add_vertex(f, v));
   }
   /* The end may add one primitive, for which there was room kept. */
   sim_assemble_end(f);
   return f->num_prims + SIM_ASSEMBLE_MAX <= SIM_MAX_PRIMS || flush(f);
}

/*
 * The draw
 */

/* Stages that a batch may switch on and that are not there. */
static bool
check_stages(struct sim_front *f)
{
   const struct sim_render_state *s = f->state;
   const char *stage = s->hs.Enable           ? "3DSTATE_HS"
                       : s->te.TEEnable       ? "3DSTATE_TE"
                       : s->ds.Enable         ? "3DSTATE_DS"
                       : s->gs.Enable         ? "3DSTATE_GS"
                                              : NULL;
   if (stage)
      sim_draw_fault(f->draw, "%s: the stage is not implemented", stage);
   return !stage;
}

static void
add_counters(struct sim_front *f)
{
   const struct sim_counters *from = &f->counters;
   struct sim_counters *to = f->draw->counters;
   to->ia_vertices += from->ia_vertices;
   to->ia_primitives += from->ia_primitives;
   to->vs_invocations += from->vs_invocations;
   to->cl_invocations += from->cl_invocations;
   to->cl_primitives += from->cl_primitives;
   if (f->state->streamout.SOStatisticsEnable) {
      to->so_prims_written[0] += from->so_prims_written[0];
      to->so_prim_storage_needed[0] += from->so_prim_storage_needed[0];
   }
}

static void
run_instances(struct sim_front *f)
{
   const struct sim_draw *draw = f->draw;
   for (uint32_t i = 0; i < draw->instance_count; i++) {
      if (!run_instance(f, i))
         return;
      if (f->state->vf_statistics.StatisticsEnable) {
         f->counters.ia_vertices += draw->vertex_count;
         f->counters.ia_primitives += f->assembler.primitive_id;
      }
   }
   if (flush(f) && f->so_enable)
      sim_so_finish(f);
}

void
sim_front_draw(struct sim_draw *draw)
{
   if (!draw->vertex_count || !draw->instance_count)
      return;
   struct sim_front *f = calloc(1, sizeof(*f));
   if (!f) {
      sim_draw_fault(draw, "out of host memory");
      return;
   }
   f->draw = draw;
   f->state = draw->state;
   f->window = 1;
   f->start_ns = sim_gpu_now_ns();
   f->rasterize = !draw->state->streamout.RenderingDisable ||
                  !draw->state->streamout.SOFunctionEnable;
   if (check_stages(f) && sim_assemble_check(f) && prepare_indices(f) &&
       sim_vs_prepare(f) && sim_vf_prepare(f) && sim_so_prepare(f) &&
       sim_clip_prepare(f)) {
      if (f->rasterize)
         sim_raster_begin(draw);
      if (!draw->faulted)
         run_instances(f);
      if (f->rasterize)
         sim_raster_end(draw);
      add_counters(f);
   }
   free(f);
}
