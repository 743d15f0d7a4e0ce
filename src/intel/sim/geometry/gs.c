/* SPDX-License-Identifier: MIT */
/*
 * Geometry shading: objects in, strips of new vertices out
 * (PRM SKL Vol. 7 "Geometry Shader (GS) Stage", Vol. 2a 3DSTATE_GS).
 *
 * A SIMD8 thread has eight objects, or eight instances of one object when the
 * shader has more than one. Its payload:
 *
 *   r0            header: state pointers, scratch, in dword 2 the topology
 *   r1            URB return handles, in bits 31:27 of each the instance,
 *                 which is 0 for objects
 *   r2            primitive numbers, if they are included
 *   next ..       handles of the input vertices, if they are included: of
 *                 objects a register for each vertex, of instances (which
 *                 share them) a dword
 *   start GRF ..  push constants
 *   next ..       the vertices themselves, as much as the read length says:
 *                 of objects a register for each component, of instances one
 *                 for eight components
 *
 * The other dispatch modes are for SIMD4x2 code, the only ones before Gen8
 * (PRM IVB Vol. 2 Part 1, "GS Thread Payload"; HSW Vol. 7): two objects, two
 * instances of one, or one. Then
 *
 *   r0            has in dwords 0 and 1 the return handles with the instances
 *   r1            primitive numbers in dwords 0 and 4, if they are included
 *   next ..       handles of the one object's vertices, if included, a dword
 *                 each
 *   start GRF ..  push constants
 *   next ..       the vertices: of two objects a register for four
 *                 components, the first object's in its lower half; else
 *                 eight components of the one object in each
 *
 * and on Gen7 the header of the last message has the numbers of vertices, 16
 * bits each in dword 2, of which there is nothing in the entry.
 *
 * An output entry begins with 32 bytes whose first dword is the number of
 * vertices (left out when 3DSTATE_GS knows it), then has the control data,
 * then the vertices. Control data are either bits that end a strip after
 * their vertex, or two bits of the stream that a vertex goes to.
 *
 * Objects wait until there are enough for a wave: as many threads as there
 * are entries for. These run in any order; then what they have made goes
 * through stream output and the clipper in the order of the objects, and the
 * entries are free again.
 */
#include "tess.h"

#include "intel/sim/gpu/gpu.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/eu/shadow.h"

#define GS_LANES 8
#define GS_WAVE 128 /* threads */
#define INSTANCE_SHIFT 27
#define VERTEX_COUNT_B 32

struct gs_input {
   uint32_t primitive_id;
   uint8_t topology;
};

/* What a thread has: `count` objects from `object` on, or as many instances
 * of it from `instance` on. */
struct gs_thread {
   unsigned object, instance, count;
};

struct front_gs {
   struct front_shader shader;
   struct front_region region;
   bool simd8;
   bool is_instanced;   /* a thread has instances of one object, or just it */
   bool count_in_entry; /* of vertices */
   unsigned lanes;      /* of a thread; no more than there are entries */
   unsigned instances;
   unsigned num_vertices; /* of an object, without what is discarded */
   unsigned input_dw;     /* of an input vertex */

   /* In an output entry. */
   unsigned control_B, vertices_B, vertex_B, max_vertices;

   /* Objects that wait, and their vertices, num_vertices of each. */
   unsigned queued, capacity;
   struct gs_input *input;
   vue_ref *input_vertex;

   unsigned threads_per_object; /* if it is instanced */
   unsigned wave, wave_first;   /* threads of one, at the most; the first */
   uint32_t eot_dw2[GS_WAVE];   /* sim_eu_thread::urb_eot_dw2 of each */
};

static const vue_ref *
input_vertices(const struct front_gs *g, unsigned object)
{
   return g->input_vertex + (size_t)object * g->num_vertices;
}

static unsigned
start_grf(const struct sim_front *f)
{
   return f->state->gs.DispatchGRFStartRegisterForURBData |
          f->state->gs.DispatchGRFStartRegisterForURBData54 << 4;
}

/*
 * Preparation
 */

static bool
check_payload(struct sim_front *f, const struct front_gs *g)
{
   const struct GEN9_3DSTATE_GS *gs = &f->state->gs;
   const unsigned per_row = g->is_instanced ? 8 : g->simd8 ? 1 : 4;
   const unsigned handles =
      gs->IncludeVertexHandles ? DIV_ROUND_UP(g->num_vertices, per_row) : 0;
   const unsigned before = 1 + g->simd8 + gs->IncludePrimitiveID + handles;
   if (gs->IncludeVertexHandles && !g->simd8 && !g->is_instanced) {
      sim_draw_fault(f->draw, "3DSTATE_GS: vertex handles of two objects in "
                              "SIMD4x2 code are not implemented");
      return false;
   }
   const unsigned data = g->num_vertices * gs->VertexURBEntryReadLength *
                         (8 / per_row);
   const unsigned end = start_grf(f) + g->shader.push_grfs + data;
   if (start_grf(f) >= before && end <= SIM_GRF_COUNT)
      return true;
   sim_draw_fault(f->draw,
                  "3DSTATE_GS: a payload of %u registers, then from "
                  "r%u on %u of constants and %u of vertices",
                  before, start_grf(f), g->shader.push_grfs, data);
   return false;
}

static bool
prepare_program(struct sim_front *f, struct front_gs *g)
{
   const struct sim_render_state *s = f->state;
   const struct front_shader_state state = {
      .name = "geometry shader",
      .trace = "gs",
      .kernel = s->gs.KernelStartPointer,
      .binding_table = s->binding_table_pointers_gs.PointertoGSBindingTable,
      .sampler_state = s->sampler_state_pointers_gs.PointertoGSSamplerState,
      .scratch_base = s->gs.ScratchSpaceBasePointer,
      .scratch_per_thread = s->gs.PerThreadScratchSpace,
      .cr0 =
         sim_draw_cr0(s->gs.FloatingPointMode, 0, s->gs.SingleProgramFlow),
      .entry_B = g->region.entry_B,
      .constants = &s->constant_gs.ConstantBody,
   };
   return front_shader_prepare(f, &g->shader, &state) && check_payload(f, g);
}

static bool
prepare_output(struct sim_front *f, struct front_gs *g)
{
   const struct GEN9_3DSTATE_URB_GS *urb = &f->state->urb_gs;
   const struct GEN9_3DSTATE_GS *gs = &f->state->gs;
   if (!front_region_init(
          f, &g->region, "3DSTATE_URB_GS", urb->GSURBStartingAddress,
          urb->GSURBEntryAllocationSize + 1, urb->GSNumberofURBEntries, 1))
      return false;
   g->lanes = MIN2(g->region.num, g->lanes);
   g->count_in_entry = sim_traits(f->draw->gpu->verx10)->gs_counts_in_entry &&
                       !gs->StaticOutput;
   g->control_B = g->count_in_entry ? VERTEX_COUNT_B : 0;
   g->vertices_B = g->control_B + gs->ControlDataHeaderSize * 32;
   g->vertex_B = (gs->OutputVertexSize + 1) * 16;
   g->max_vertices = g->region.entry_B > g->vertices_B
                        ? (g->region.entry_B - g->vertices_B) / g->vertex_B
                        : 0;
   f->vue_dw = g->vertex_B / 4;
   f->user_clip = gs->UserClipDistanceClipTestEnableBitmask;
   f->user_cull = gs->UserClipDistanceCullTestEnableBitmask;
   return true;
}

/* What a thread takes. */
static bool
prepare_mode(struct sim_front *f, struct front_gs *g)
{
   g->instances = f->state->gs.InstanceControl + 1;
   switch (f->state->gs.DispatchMode) {
   case DISPATCH_MODE_SIMD8:
      g->simd8 = true;
      g->lanes = GS_LANES;
      g->is_instanced = g->instances > 1;
      return true;
   case DISPATCH_MODE_DualObject:
      g->lanes = 2;
      if (g->instances == 1)
         return true;
      sim_draw_fault(f->draw,
                     "3DSTATE_GS: %u instances in dual object mode "
                     "(PRM IVB vol 2 part 1, 3DSTATE_GS)",
                     g->instances);
      return false;
   default:
      g->lanes = f->state->gs.DispatchMode == DISPATCH_MODE_DualInstance ? 2
                                                                         : 1;
      g->is_instanced = true;
      return true;
   }
}

/* Of an object, as the geometry shader gets it. */
static unsigned
expected_vertices(const struct sim_front *f)
{
   const struct GEN9_3DSTATE_GS *gs = &f->state->gs;
   if (sim_traits(f->draw->gpu->verx10)->gs_state_has_vertices)
      return gs->ExpectedVertexCount;
   const unsigned topology = f->has_tess
                                ? f->state->te.OutputTopology == OUTPUT_POINT
                                     ? _3DPRIM_POINTLIST
                                  : f->state->te.OutputTopology == OUTPUT_LINE
                                     ? _3DPRIM_LINELIST
                                     : _3DPRIM_TRILIST
                                : f->draw->topology;
   switch (topology) {
   case _3DPRIM_POINTLIST:
   case _3DPRIM_POINTLIST_BF: return 1;
   case _3DPRIM_LINELIST:
   case _3DPRIM_LINESTRIP:
   case _3DPRIM_LINELOOP:
   case _3DPRIM_LINESTRIP_BF:
   case _3DPRIM_LINESTRIP_CONT:
   case _3DPRIM_LINESTRIP_CONT_BF: return 2;
   case _3DPRIM_LINELIST_ADJ:
   case _3DPRIM_LINESTRIP_ADJ: return gs->DiscardAdjacency ? 2 : 4;
   case _3DPRIM_TRILIST_ADJ:
   case _3DPRIM_TRISTRIP_ADJ: return gs->DiscardAdjacency ? 3 : 6;
   default:
      return topology >= _3DPRIM_PATCHLIST_1
                ? topology - _3DPRIM_PATCHLIST_1 + 1
                : 3;
   }
}

/* Room for the objects of a wave. */
static bool
prepare_queue(struct sim_front *f, struct front_gs *g)
{
   g->wave = MIN2(g->region.num / g->lanes, GS_WAVE);
   g->threads_per_object = DIV_ROUND_UP(g->instances, g->lanes);
   g->capacity = g->is_instanced ? MAX2(g->wave / g->threads_per_object, 1u)
                                 : g->wave * g->lanes;
   g->input = malloc(g->capacity * sizeof(*g->input));
   g->input_vertex = malloc((size_t)g->capacity * g->num_vertices *
                            sizeof(*g->input_vertex));
   if (g->input && g->input_vertex)
      return true;
   sim_draw_fault(f->draw, "the host is out of memory");
   return false;
}

bool
sim_gs_prepare(struct sim_front *f)
{
   const struct GEN9_3DSTATE_GS *gs = &f->state->gs;
   struct front_gs *g = f->gs = calloc(1, sizeof(*g));
   if (!g) {
      sim_draw_fault(f->draw, "the host is out of memory");
      return false;
   }
   g->num_vertices = expected_vertices(f);
   g->input_dw = f->vue_dw;
   if (!g->num_vertices || g->num_vertices > SIM_MAX_PATCH) {
      sim_draw_fault(f->draw, "3DSTATE_GS: objects of %u vertices",
                     g->num_vertices);
      return false;
   }
   const struct assembler out = { .topology = gs->OutputTopology };
   return prepare_mode(f, g) && prepare_output(f, g) &&
          prepare_program(f, g) && prepare_queue(f, g) &&
          sim_assemble_check(f, &out);
}

void
sim_gs_finish(struct sim_front *f)
{
   if (f->gs) {
      free(f->gs->input);
      free(f->gs->input_vertex);
   }
   free(f->gs);
   f->gs = NULL;
}

/*
 * Output
 */

static unsigned
control_bits(const uint8_t *control, unsigned i, unsigned bits)
{
   return control[i * bits / 8] >> i * bits % 8 & BITFIELD_MASK(bits);
}

/* Ends the strip, and makes room for what the next vertex may add. */
static bool
end_strip(struct sim_front *f, struct assembler *a)
{
   sim_assemble_end(f, a);
   return f->num_prims + SIM_ASSEMBLE_MAX <= SIM_MAX_PRIMS ||
          front_send_primitives(f);
}

/* Without control data a vertex ends nothing and is in the default stream. */
static bool
send_vertices(struct sim_front *f, vue_ref entry, unsigned n, uint32_t id)
{
   const struct front_gs *g = f->gs;
   const struct GEN9_3DSTATE_GS *gs = &f->state->gs;
   const uint8_t *control = f->draw->urb + entry + g->control_B;
   const unsigned control_bits_there = gs->ControlDataHeaderSize * 256;
   const bool by_stream = gs->ControlDataFormat == CONTROL_DATA_SID;
   const unsigned bits = by_stream ? 2 : 1;
   struct assembler a = {
      .topology = gs->OutputTopology,
      .stream = (uint8_t)gs->DefaultStreamId,
      .id = id,
   };
   for (unsigned i = 0; i < n; i++) {
      const bool has_control = (i + 1) * bits <= control_bits_there;
      const unsigned c = has_control ? control_bits(control, i, bits) : 0;
      if (by_stream && has_control)
         a.stream = (uint8_t)c;
      sim_assemble_vertex(f, &a, entry + g->vertices_B + i * g->vertex_B);
      if (f->num_prims + SIM_ASSEMBLE_MAX > SIM_MAX_PRIMS &&
          !front_send_primitives(f))
         return false;
      if (!by_stream && c && !end_strip(f, &a))
         return false;
   }
   if (gs->StatisticsEnable)
      f->counters.gs_primitives += a.primitives;
   return end_strip(f, &a);
}

/* What lane `i` of thread `thread` of the wave has made. */
static bool
send_entry(struct sim_front *f, unsigned thread, unsigned i, uint32_t id)
{
   const struct front_gs *g = f->gs;
   const vue_ref entry = front_entry(&g->region, thread * g->lanes + i);
   const unsigned n = g->count_in_entry ? *front_vue(f, entry)
                      : f->state->gs.StaticOutput
                         ? f->state->gs.StaticOutputVertexCount
                      : i ? ISA_HDR_GET(GS_COUNT_1, g->eot_dw2[thread])
                          : ISA_HDR_GET(GS_COUNT_0, g->eot_dw2[thread]);
   if (n <= g->max_vertices)
      return send_vertices(f, entry, n, id);
   sim_draw_fault(f->draw,
                  "geometry shader: %u vertices of %u bytes, of "
                  "which an entry holds %u",
                  n, g->vertex_B, g->max_vertices);
   return false;
}

/*
 * Payload
 */

static void
fill_handles(const struct front_gs *g, struct sim_eu_thread *t, unsigned grf,
             const struct gs_thread *d)
{
   for (unsigned k = 0; k < g->num_vertices; k++) {
      if (g->is_instanced) {
         t->grf[grf + k / 8].ud[k % 8] =
            front_handle(input_vertices(g, d->object)[k]);
         continue;
      }
      for (unsigned i = 0; i < d->count; i++)
         t->grf[grf + k].ud[i] =
            front_handle(input_vertices(g, d->object + i)[k]);
   }
}

/* A dword of an input vertex; what lies after it reads as zero. */
static uint32_t
input_dword(const struct sim_front *f, vue_ref v, unsigned dw)
{
   return dw < f->gs->input_dw ? front_vue(f, v)[dw] : 0;
}

static void
fill_vertices(const struct sim_front *f, struct sim_eu_thread *t,
              unsigned grf, const struct gs_thread *d)
{
   const struct front_gs *g = f->gs;
   const unsigned offset = 8 * f->state->gs.VertexURBEntryReadOffset;
   const unsigned length = 8 * f->state->gs.VertexURBEntryReadLength;
   const unsigned objects = g->is_instanced ? 1 : d->count;
   for (unsigned i = 0; i < objects; i++) {
      const vue_ref *v = input_vertices(g, d->object + i);
      for (unsigned k = 0, n = 0; k < g->num_vertices; k++) {
         for (unsigned c = 0; c < length; c++, n++) {
            const unsigned reg = grf + (g->is_instanced ? n / 8
                                        : g->simd8      ? n
                                                        : n / 4);
            const unsigned at = g->is_instanced ? n % 8
                                : g->simd8      ? i
                                                : 4 * i + n % 4;
            t->grf[reg].ud[at] = input_dword(f, v[k], offset + c);
            if (offset + c < g->input_dw &&
                sim_shadow_urb_bits(t->env->rules,
                                    v[k] + 4ull * (offset + c)))
               sim_shadow_unfill(t->env->rules, t->grf, reg, at);
         }
      }
   }
}

static const struct gs_input *
lane_input(const struct front_gs *g, const struct gs_thread *d, unsigned lane)
{
   return &g->input[g->is_instanced ? d->object : d->object + lane];
}

static unsigned
lane_instance(const struct front_gs *g, const struct gs_thread *d,
              unsigned lane)
{
   return g->is_instanced ? d->instance + lane : 0;
}

static void
trace(struct sim_front *f, const struct gs_thread *d)
{
   struct front_gs *g = f->gs;
   struct trace_item item[GS_LANES];
   for (unsigned i = 0; i < d->count; i++) {
      item[i] =
         (struct trace_item) { { (int32_t)lane_input(g, d, i)->primitive_id,
                                 (int32_t)lane_instance(g, d, i) } };
   }
   front_shader_trace(f, &g->shader, g->simd8 ? 1 : 4, item, d->count);
}

/* With the entries from `entry` on. */
static void
fill_payload(struct sim_front *f, struct front_shader *s,
             const struct gs_thread *d, unsigned entry)
{
   const struct front_gs *g = f->gs;
   const struct GEN9_3DSTATE_GS *gs = &f->state->gs;
   struct sim_eu_thread *t = &s->thread;
   unsigned grf = g->simd8 ? 1 : 0;
   t->grf[0].ud[2] = gs->Hint << 22 | g->input[d->object].topology << 16u;
   for (unsigned i = 0; i < d->count; i++) {
      const vue_ref to = front_entry(&g->region, entry + i);
      t->grf[grf].ud[i] = front_handle(to) | lane_instance(g, d, i)
                                                << INSTANCE_SHIFT;
      if (g->count_in_entry)
         *front_vue(f, to) = 0;
   }
   grf++;
   if (gs->IncludePrimitiveID) {
      for (unsigned i = 0; i < d->count; i++)
         t->grf[grf].ud[g->simd8 ? i : 4 * i] =
            lane_input(g, d, i)->primitive_id;
      grf++;
   }
   if (gs->IncludeVertexHandles)
      fill_handles(g, t, grf, d);
   fill_vertices(f, t, front_shader_push(s, start_grf(f)), d);
}

/*
 * Threads
 */

static unsigned
count_threads(const struct front_gs *g)
{
   return g->is_instanced ? g->queued * g->threads_per_object
                          : DIV_ROUND_UP(g->queued, g->lanes);
}

static struct gs_thread
get_thread(const struct front_gs *g, unsigned i)
{
   const unsigned instance = i % g->threads_per_object * g->lanes;
   const unsigned object = i * g->lanes;
   if (g->is_instanced)
      return (struct gs_thread) { i / g->threads_per_object, instance,
                                  MIN2(g->instances - instance, g->lanes) };
   return (struct gs_thread) { object, 0,
                               MIN2(g->queued - object, g->lanes) };
}

/* Threads of the wave. */
static bool
run_threads(struct sim_front *f, struct front_shader *s, unsigned worker,
            unsigned first, unsigned end)
{
   struct front_gs *g = f->gs;
   const struct sim_chaos_order order =
      sim_chaos_order(s->env.chaos, SIM_CHAOS_ORDER, end - first);
   for (unsigned n = first; n < end; n++) {
      const unsigned i = first + (unsigned)sim_chaos_nth(&order, n - first);
      const struct gs_thread d = get_thread(g, g->wave_first + i);
      const uint32_t mask = g->simd8      ? BITFIELD_MASK(d.count)
                            : d.count > 1 ? 0xff
                                          : 0x0f;
      front_shader_start(f, s, mask);
      fill_payload(f, s, &d, i * g->lanes);
      if (sim_draw_is_traced(f->draw))
         trace(f, &d);
      if (!front_shader_run(f, s))
         return false;
      g->eot_dw2[i] = s->thread.urb_eot_dw2;
   }
   return true;
}

#define PART_THREADS 4

static unsigned
threads_in_wave(const struct front_gs *g)
{
   return MIN2(count_threads(g) - g->wave_first, g->wave);
}

static bool
shade_wave(struct sim_front *f)
{
   struct front_gs *g = f->gs;
   const unsigned n = threads_in_wave(g);
   return front_run(f, &(struct front_work) {
                          .fn = run_threads,
                          .shader = &g->shader,
                          .num = n,
                          .part = PART_THREADS,
                          .threads = n,
                          .reads = f->has_tess ? &f->tess->ds_region
                                               : &f->vs_region,
                          .writes = &g->region,
                       });
}

static bool
send_wave(struct sim_front *f)
{
   struct front_gs *g = f->gs;
   const unsigned n = threads_in_wave(g);
   for (unsigned i = 0; i < n; i++) {
      const struct gs_thread d = get_thread(g, g->wave_first + i);
      if (f->state->gs.StatisticsEnable)
         f->counters.gs_invocations +=
            d.count * (f->state->gs.InvocationsIncrementValue + 1);
      for (unsigned k = 0; k < d.count; k++) {
         if (!send_entry(f, i, k, lane_input(g, &d, k)->primitive_id))
            return false;
      }
   }
   return front_send_primitives(f) && sim_draw_progress(f->draw);
}

static bool
run_queue(struct sim_front *f)
{
   struct front_gs *g = f->gs;
   const unsigned n = count_threads(g);
   for (g->wave_first = 0; g->wave_first < n; g->wave_first += g->wave) {
      if (!shade_wave(f) || !send_wave(f))
         return false;
   }
   g->queued = 0;
   return true;
}

/* The vertices as the shader wants them: without adjacent ones if these are
 * discarded, an odd triangle of a strip with its trailing vertex last. */
static unsigned
order_vertices(const struct sim_front *f, const struct front_object *o,
               vue_ref out[SIM_MAX_PATCH])
{
   const struct GEN9_3DSTATE_GS *gs = &f->state->gs;
   const unsigned n = o->num_vertices;
   if (o->adjacency && gs->DiscardAdjacency && n == 4) {
      out[0] = o->v[1];
      out[1] = o->v[2];
      return 2;
   }
   const unsigned step = o->adjacency && gs->DiscardAdjacency ? 2 : 1;
   /* (v0, v2, v1) to (v1, v0, v2); the neighbours turn with their edges. */
   const unsigned turn = o->odd && gs->ReorderMode == TRAILING ? n - n / 3
                                                               : 0;
   for (unsigned i = 0; i < n; i += step)
      out[i / step] = o->v[(i + turn) % n];
   return n / step;
}

bool
sim_gs_object(struct sim_front *f, const struct front_object *o)
{
   struct front_gs *g = f->gs;
   struct gs_input *in = &g->input[g->queued];
   vue_ref v[SIM_MAX_PATCH];
   const unsigned n = order_vertices(f, o, v);
   if (n != g->num_vertices) {
      sim_draw_fault(f->draw,
                     "3DSTATE_GS: an object of %u vertices, %u are "
                     "expected",
                     n, g->num_vertices);
      return false;
   }
   memcpy(g->input_vertex + (size_t)g->queued * n, v, n * sizeof(*v));
   in->primitive_id = o->primitive_id;
   in->topology = o->topology;
   g->queued++;
   return g->queued < g->capacity || run_queue(f);
}

bool
sim_gs_flush(struct sim_front *f)
{
   return run_queue(f);
}
