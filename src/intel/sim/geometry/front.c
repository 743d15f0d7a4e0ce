/* SPDX-License-Identifier: MIT */
/*
 * One draw through the front end: instances, indices, windows; see
 * front_private.h for the method.
 */
#include "front_private.h"

#include "intel/sim/gpu/gpu.h"
#include "intel/sim/mem/watch.h"

/*
 * Slots
 */

unsigned
front_add_vertex(struct sim_front *f, struct front_vertex v)
{
   struct sim_chaos *chaos = f->draw->gpu->chaos;
   const unsigned h = (v.index ^ v.instance * 0x9e3779b1u) % SIM_VERTEX_CACHE;
   /* A vertex may have left the cache, and is shaded once more. */
   const bool kept = !sim_chaos_has(chaos, SIM_CHAOS_ORDER) ||
                     sim_chaos_below(chaos, 4);
   if (f->cache[h].window == f->window && f->cache[h].key.index == v.index &&
       f->cache[h].key.instance == v.instance && kept)
      return f->cache[h].slot;
   assert(f->used < f->vs_region.num);
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
   const unsigned first = f->shaded, n = f->used - first;
   if (!n)
      return true;
   if (!sim_vs_shade(f))
      return false;
   f->shaded = f->used;
   return !f->edge_element || sim_vf_fetch_edge_flags(f, &f->vertex[first], n,
                                                      &f->edge_flag[first]);
}

/*
 * Between the stages
 */

/* Takes out the edges that begin at a vertex whose flag is not set. Only
 * lists of triangles and quads, and polygons, have them (OpenGL 4.6
 * compatibility, section 10.7.12.2). */
static void
apply_edge_flags(struct sim_front *f)
{
   const struct front_region *r = &f->vs_region;
   if (f->draw->topology != _3DPRIM_TRILIST &&
       f->draw->topology != _3DPRIM_QUADLIST &&
       f->draw->topology != _3DPRIM_POLYGON)
      return;
   for (unsigned i = 0; i < f->num_prims; i++) {
      struct front_prim *p = &f->prim[i];
      for (unsigned v = 0; v < 3; v++) {
         if (!f->edge_flag[front_slot(r, p->v[v])])
            p->edge_mask &= (uint8_t) ~(1u << v);
      }
   }
}

bool
front_send_primitives(struct sim_front *f)
{
   if (f->edge_element && !f->has_tess && !f->has_gs)
      apply_edge_flags(f);
   sim_gpu_spend(f->draw->gpu, 8 * f->num_prims);
   for (unsigned i = 0; i < f->num_prims; i++) {
      const struct front_prim *p = &f->prim[i];
      if (f->so_enable && p->so_vertices && !sim_so_primitive(f, p))
         return false;
      /* Without stream output, all streams are rasterised; since Gen7.5. */
      if (f->rasterize &&
          (!f->so_enable ||
           p->stream == f->state->streamout.RenderStreamSelect))
         sim_clip_primitive(f, p);
      if (f->draw->faulted)
         return false;
   }
   f->num_prims = 0;
   return true;
}

bool
front_stage_primitive(struct sim_front *f, enum sim_prim_kind kind,
                      const vue_ref v[3], uint32_t primitive_id)
{
   static const uint8_t topology[] = { _3DPRIM_POINTLIST, _3DPRIM_LINELIST,
                                       _3DPRIM_TRILIST };
   if (f->has_gs) {
      const struct front_object o = {
         .v = v,
         .num_vertices = (uint8_t)(kind + 1),
         .topology = topology[kind],
         .primitive_id = primitive_id,
      };
      return sim_gs_object(f, &o);
   }
   if (f->num_prims == SIM_MAX_PRIMS && !front_send_primitives(f))
      return false;
   sim_assemble_primitive(f, kind, v, primitive_id);
   return true;
}

bool
front_stage_drain(struct sim_front *f)
{
   return (!f->has_gs || sim_gs_flush(f)) && front_send_primitives(f) &&
          sim_draw_progress(f->draw);
}

static bool
send_objects(struct sim_front *f)
{
   for (unsigned i = 0; i < f->num_objects; i++) {
      const struct front_object *o = &f->object[i];
      if (f->has_tess ? !sim_hs_patch(f, o) : !sim_gs_object(f, o))
         return false;
   }
   f->num_objects = f->num_object_vertices = 0;
   return !f->has_tess || sim_hs_flush(f);
}

/* Whether what one more vertex makes may not find room. */
static bool
is_full(const struct sim_front *f)
{
   return f->used == f->vs_region.num ||
          f->num_prims + SIM_ASSEMBLE_MAX > SIM_MAX_PRIMS ||
          f->num_objects + SIM_ASSEMBLE_MAX > SIM_MAX_PRIMS ||
          f->num_object_vertices + SIM_MAX_PATCH > SIM_MAX_OBJECT_VERTICES;
}

/* Ends the window; the vertices of an open strip move to the next one. */
static bool
flush(struct sim_front *f)
{
   struct front_vertex held[SIM_MAX_PATCH];
   struct assembler *a = &f->assembler;
   const struct front_region *r = &f->vs_region;
   if (!shade_all(f) || !send_objects(f) || !front_stage_drain(f))
      return false;
   for (unsigned i = 0; i < a->num_held; i++)
      held[i] = f->vertex[front_slot(r, a->held[i])];
   f->used = f->shaded = 0;
   f->window++;
   for (unsigned i = 0; i < a->num_held; i++)
      a->held[i] = front_entry(r, front_add_vertex(f, held[i]));
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
   sim_mem_note(f->draw->mem, SIM_CLIENT_VERTEX, f->index_address + at_B,
                f->index_size_B, SIM_MEM_READ);
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

/* Indices between two looks at the draw's limit, at which whatever comes
 * after looks, too: but cut indices make nothing that comes after. */
#define SLICE_INDICES 256

static bool
run_instance(struct sim_front *f, uint32_t instance)
{
   struct sim_draw *draw = f->draw;
   struct assembler *a = &f->assembler;
   a->primitives = 0;
   a->vertices = 0;
   for (uint32_t i = 0; i < draw->vertex_count; i++) {
      struct front_vertex v = { i, instance };
      if (i % SLICE_INDICES == 0 && !sim_draw_progress(draw))
         return false;
      if (draw->indexed && !read_index(f, i, &v.index))
         return false;
      if (is_full(f) && !flush(f))
         return false;
      if (f->cut_enable && v.index == f->cut_index) {
         sim_assemble_end(f, a);
         continue;
      }
      a->vertices++;
      sim_assemble_vertex(f, a,
                          front_entry(&f->vs_region, front_add_vertex(f, v)));
   }
   /* The end may add one primitive, for which there was room kept. */
   sim_assemble_end(f, a);
   return !is_full(f) || flush(f);
}

/*
 * The draw
 */

static void
add_counters(struct sim_front *f)
{
   const struct sim_counters *from = &f->counters;
   struct sim_counters *to = f->draw->counters;
   to->ia_vertices += from->ia_vertices;
   to->ia_primitives += from->ia_primitives;
   to->vs_invocations += from->vs_invocations;
   to->hs_invocations += from->hs_invocations;
   to->ds_invocations += from->ds_invocations;
   to->gs_invocations += from->gs_invocations;
   to->gs_primitives += from->gs_primitives;
   to->cl_invocations += from->cl_invocations;
   to->cl_primitives += from->cl_primitives;
   for (unsigned i = 0; i < SIM_MAX_SO_STREAMS; i++) {
      if (!f->state->streamout.SOStatisticsEnable)
         break;
      to->so_prims_written[i] += from->so_prims_written[i];
      to->so_prim_storage_needed[i] += from->so_prim_storage_needed[i];
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
         f->counters.ia_vertices += f->assembler.vertices;
         f->counters.ia_primitives += f->assembler.primitives;
      }
   }
   if (flush(f) && f->so_enable)
      sim_so_finish(f);
}

/* Stages from the first to the last: each finds in the front what the ones
 * before it have left there. */
static bool
prepare(struct sim_front *f)
{
   const struct sim_render_state *s = f->state;
   f->rasterize = !s->streamout.RenderingDisable ||
                  !s->streamout.SOFunctionEnable;
   if (s->streamout.ForceRendering >= SO_Force_Off)
      f->rasterize = s->streamout.ForceRendering == SO_Force_on;
   f->has_tess = s->hs.Enable || s->te.TEEnable || s->ds.Enable;
   f->has_gs = s->gs.Enable;
   f->assembler.topology = f->draw->topology;
   f->assembler.objects = f->has_tess || f->has_gs;
   f->assembler.counts_id = true;
   return sim_assemble_check(f, &f->assembler) && prepare_indices(f) &&
          sim_vs_prepare(f) && sim_vf_prepare(f) &&
          (!f->has_tess || (sim_hs_prepare(f) && sim_ds_prepare(f))) &&
          (!f->has_gs || sim_gs_prepare(f)) && sim_so_prepare(f) &&
          sim_clip_prepare(f);
}

void
sim_front_draw(struct sim_draw *draw)
{
   if (!draw->vertex_count || !draw->instance_count)
      return;
   struct sim_front *f = aligned_alloc(64, ALIGN(sizeof(*f), (size_t)64));
   if (!f) {
      sim_draw_fault(draw, "the host is out of memory");
      return;
   }
   memset(f, 0, offsetof(struct sim_front, vertex));
   f->draw = draw;
   f->state = draw->state;
   f->window = 1;
   draw->start_ns = sim_gpu_about_now_ns();
   if (prepare(f)) {
      if (f->rasterize)
         sim_raster_begin(draw);
      if (!draw->faulted)
         run_instances(f);
      if (f->rasterize)
         sim_raster_end(draw);
      add_counters(f);
   }
   sim_draw_add_totals(draw);
   sim_hs_finish(f);
   sim_gs_finish(f);
   free(f);
}
