/* SPDX-License-Identifier: MIT */
#include "compiler/d3d/tpf/tests/tpf_stage.h"

static bool
run_sysval(void *data, unsigned lane, const nir_intrinsic_instr *intr,
           const nir_const_value *src0, nir_const_value *out)
{
   const struct tpf_stage_run *run = data;
   const bool hull = run->instance == UINT32_MAX;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_tess_coord:
      for (unsigned i = 0; i < 3; i++)
         out[i].f32 = run->coord[lane][i];
      return true;
   case nir_intrinsic_load_primitive_id:
      out[0].u32 = hull ? 5 : 5 + lane;
      return true;
   case nir_intrinsic_load_invocation_id:
      out[0].u32 = hull ? lane : run->instance;
      return true;
   default: return false;
   }
}

static struct tpf_stage_event *
add_event(struct tpf_stage_run *run, unsigned lane, unsigned stream)
{
   const unsigned n = MIN2(run->num_events[lane], TPF_STAGE_EVENTS - 1);
   struct tpf_stage_event *e = &run->event[lane][n];

   run->num_events[lane]++;
   e->stream = stream;
   return e;
}

static void
emit_vertex(void *data, unsigned lane, unsigned stream,
            const nir_interp_slot *outputs)
{
   struct tpf_stage_event *e = add_event(data, lane, stream);

   e->end = false;
   memcpy(e->out, outputs, sizeof(e->out));
}

static void
end_primitive(void *data, unsigned lane, unsigned stream)
{
   add_event(data, lane, stream)->end = true;
}

static unsigned
buffer_index(void *data, const nir_variable *var)
{
   const struct tpf_stage_run *run = data;

   return run->by_order && run->interface
             ? run->interface->binding[var->data.binding].binding
             : var->data.binding;
}

const char *
tpf_stage_run(struct tpf_stage_run *run, nir_shader *nir, struct arena *arena)
{
   static const struct nir_interp_callbacks callbacks = {
      .sysval = run_sysval,
      .emit_vertex = emit_vertex,
      .end_primitive = end_primitive,
   };
   const bool hull = nir->info.stage == MESA_SHADER_TESS_CTRL;
   const unsigned n = nir->info.tess.tcs_vertices_out;
   struct nir_interp_buffer ubos[TPF_RUN_BUFFERS];
   /* clang-format off */
   struct nir_interp_params params = {
      .num_lanes = hull ? n : TPF_STAGE_LANES, .inputs = run->in[0][0],
      .num_vertices = TPF_STAGE_VERTICES, .outputs = run->out[0],
      .num_output_vertices = hull ? n : 0, .ubos = ubos,
      .num_ubos = TPF_RUN_BUFFERS, .callbacks = &callbacks, .data = run,
      .buffer_index = buffer_index,
   };
   /* clang-format on */

   if (hull && (!n || n > TPF_STAGE_LANES))
      return "not 1 to 4 control points";
   for (unsigned i = 0; i < TPF_RUN_BUFFERS; i++)
      ubos[i] =
         (struct nir_interp_buffer) { run->ubo[i], sizeof(run->ubo[i]) };
   if (hull) {
      /* Invocations of one patch. */
      run->instance = UINT32_MAX;
      for (unsigned l = 1; l < TPF_STAGE_LANES; l++)
         memcpy(run->in[l], run->in[0], sizeof(run->in[0]));
   }
   return nir_interp_run(nir, &params, arena);
}

static const char *
compare(const char *what, const nir_interp_slot *a, const nir_interp_slot *b,
        struct arena *arena)
{
   for (unsigned s = 0; s < NIR_INTERP_SLOTS; s++) {
      if (s == VARYING_SLOT_PSIZ)
         continue; /* vkd3d writes 1 */
      for (unsigned c = 0; c < 4; c++) {
         const bool nan_a = (a[s][c] & 0x7fffffff) > 0x7f800000;
         const bool nan_b = (b[s][c] & 0x7fffffff) > 0x7f800000;
         if (a[s][c] != b[s][c] && !(nan_a && nan_b))
            return arena_printf(arena, "%s, slot %u.%c: %g and %g", what, s,
                                "xyzw"[c], (double)util_bits_float(a[s][c]),
                                (double)util_bits_float(b[s][c]));
      }
   }
   return NULL;
}

static const char *
compare_events(const struct tpf_stage_run *a, const struct tpf_stage_run *b,
               unsigned lane, struct arena *arena)
{
   const char *text = NULL;

   if (a->num_events[lane] != b->num_events[lane])
      return arena_printf(arena, "lane %u: %u and %u vertices and ends", lane,
                          a->num_events[lane], b->num_events[lane]);
   for (unsigned i = 0;
        i < a->num_events[lane] && i < TPF_STAGE_EVENTS && !text; i++) {
      const struct tpf_stage_event *x = &a->event[lane][i];
      const struct tpf_stage_event *y = &b->event[lane][i];
      if (x->end != y->end || x->stream != y->stream)
         return arena_printf(arena, "lane %u: event %u", lane, i);
      if (!x->end)
         text = compare(arena_printf(arena, "lane %u, vertex %u", lane, i),
                        x->out, y->out, arena);
   }
   return text;
}

const char *
tpf_stage_compare(const struct tpf_stage_run *a,
                  const struct tpf_stage_run *b, struct arena *arena)
{
   const char *text = NULL;

   for (unsigned i = 0; i < ARRAY_SIZE(a->out) && !text; i++)
      text = compare(arena_printf(arena, "output %u", i), a->out[i],
                     b->out[i], arena);
   for (unsigned l = 0; l < TPF_STAGE_LANES && !text; l++)
      text = compare_events(a, b, l, arena);
   return text;
}
