/* SPDX-License-Identifier: MIT */
/* What was drawn, on the interpreter. */
#include "trial.h"

/* Blocks executed: what runs for longer is taken for endless. */
#define MAX_BLOCKS 20000

struct run {
   const struct trial *t;
   struct trial_result *r;
   unsigned first_lane;
};

static bool
give_sysval(void *data, unsigned lane, const nir_intrinsic_instr *intr,
            const nir_const_value *src0, nir_const_value *out)
{
   const struct run *run = data;
   uint32_t word;

   for (unsigned c = 0; c < intr->instr.result.num_components; c++) {
      if (!trial_sysval(run->t, intr->intrinsic, run->first_lane + lane, c,
                        &word))
         return false;
      out[c] = intr->instr.result.bit_size == 1
                  ? nir_const_value_for_bool(word, 1)
                  : nir_const_value_for_raw_uint(
                       intr->intrinsic == nir_intrinsic_load_front_face
                          ? -(uint64_t)word
                          : word,
                       intr->instr.result.bit_size);
   }
   return true;
}

static unsigned
entry_of_texture(const struct trial *t, struct trial_result *r,
                 const nir_tex_instr *tex, unsigned index)
{
   const int i = nir_tex_find(tex, nir_tex_src_texture_deref);
   if (i < 0)
      return index;
   const nir_variable *var =
      nir_deref_root(nir_use_as_deref(tex->src[i].use));
   const int first = var ? trial_find_entry(&t->layout->resources, var) : -1;
   if (var && index >= glsl_get_aoa_size(var->type))
      r->undefined = true;
   return first < 0 ? 0 : (unsigned)first + index;
}

static float
coordinate(const nir_tex_instr *tex, const nir_const_value *const *srcs,
           unsigned c)
{
   const int coord = nir_tex_find(tex, nir_tex_src_coord);
   const int divisor = nir_tex_find(tex, nir_tex_src_projector);
   if (coord < 0 || c >= tex->coord_components)
      return 0;
   const nir_const_value v = srcs[coord][c];
   const unsigned bits = tex->src[coord].use.value->bit_size;
   const bool fetch = tex->op == nir_texop_txf || tex->op == nir_texop_txf_ms;
   if (fetch)
      return (float)nir_const_value_as_int(v, bits);
   return (float)nir_const_value_as_float(v, bits) /
          (divisor < 0 ? 1.0f : srcs[divisor][0].f32);
}

static bool
give_texel(void *data, unsigned lane, const nir_tex_instr *tex,
           const nir_const_value *const *srcs, unsigned index,
           nir_const_value *out)
{
   const struct run *run = data;
   const unsigned entry = entry_of_texture(run->t, run->r, tex, index);
   const unsigned n = tex->instr.result.num_components;
   uint32_t word;

   if (tex->is_sparse || tex->instr.result.bit_size != 32 ||
       nir_tex_find(tex, nir_tex_src_texture_handle) >= 0)
      return false;
   for (unsigned c = 0; c < n; c++) {
      switch (tex->op) {
      case nir_texop_txs:
      case nir_texop_query_levels: word = TRIAL_TEXTURE_SIZE; break;
      case nir_texop_texture_samples: word = 1; break;
      case nir_texop_txf_ms_mcs_intel: word = 0; break;
      case nir_texop_lod: word = util_float_bits(0.5f); break;
      default:
         /* Of a gather a component is that of another texel. */
         word = trial_texel(entry, tex->op == nir_texop_tg4 ? 0 : c,
                            coordinate(tex, srcs, 0),
                            coordinate(tex, srcs, 1));
      }
      out[c] = nir_const_value_for_raw_uint(word, 32);
   }
   return true;
}

/* Which entry a block is in, and how long it is. */
static bool
give_resource(void *data, unsigned lane, const nir_intrinsic_instr *intr,
              const nir_const_value *const *srcs, nir_const_value *out)
{
   const struct run *run = data;

   if (intr->intrinsic == nir_intrinsic_get_ssbo_size) {
      out[0] = nir_const_value_for_raw_uint(TRIAL_BUFFER_B, 32);
      return true;
   }
   if (intr->intrinsic != nir_intrinsic_vulkan_resource_index)
      return false;
   const nir_variable var = {
      .data = { .descriptor_set = (unsigned)nir_intrinsic_desc_set(intr),
                .binding = (unsigned)nir_intrinsic_binding(intr) }
   };
   const int first = trial_find_entry(&run->t->layout->resources, &var);
   memset(out, 0, intr->instr.result.num_components * sizeof(*out));
   out[0].u32 = first < 0 ? TRIAL_BUFFERS : (uint32_t)first + srcs[0][0].u32;
   return true;
}

static unsigned
buffer_index(void *data, const nir_variable *var)
{
   const struct run *run = data;
   const int first = trial_find_entry(&run->t->layout->resources, var);
   return first < 0 ? TRIAL_BUFFERS : (unsigned)first;
}

static void
emit_vertex(void *data, unsigned lane, unsigned stream,
            const nir_interp_slot *outputs)
{
   const struct run *run = data;
   nir_interp_slot *to = util_dynarray_grow_bytes(
      &run->r->emitted, (NIR_INTERP_SLOTS + 1) * sizeof(nir_interp_slot));
   const nir_interp_slot head = { lane, stream, 0, 0 };

   memcpy(to[0], head, sizeof(head));
   memcpy(to[1], outputs, NIR_INTERP_SLOTS * sizeof(*to));
}

static void
end_primitive(void *data, unsigned lane, unsigned stream)
{
   const struct run *run = data;
   nir_interp_slot *to = util_dynarray_grow_bytes(
      &run->r->emitted, (NIR_INTERP_SLOTS + 1) * sizeof(nir_interp_slot));
   const nir_interp_slot head = { lane, stream, 1, 0 };

   memset(to, 0, (NIR_INTERP_SLOTS + 1) * sizeof(*to));
   memcpy(to[0], head, sizeof(head));
}

/* Floats a few units of their last digit off; integers stay. */
static void
nudge_words(void *words, const uint8_t *kinds, unsigned count, int nudge)
{
   for (unsigned i = 0; i < count; i++) {
      uint32_t w;
      memcpy(&w, (char *)words + 4 * i, 4);
      if (kinds[i] == TRIAL_FLOAT && (w & 0x7f800000))
         w += (uint32_t)nudge;
      else if (kinds[i] == TRIAL_DOUBLE_HIGH && i && (w & 0x7ff00000))
         ((uint32_t *)words)[i - 1] += (uint32_t)nudge << 8;
      memcpy((char *)words + 4 * i, &w, 4);
   }
}

static void
run_lanes(const struct trial *t, nir_shader *nir, unsigned first,
          uint32_t undefined, struct trial_result *r, struct arena *arena)
{
   static const struct nir_interp_callbacks callbacks = {
      .sysval = give_sysval,
      .tex = give_texel,
      .intrinsic = give_resource,
      .emit_vertex = emit_vertex,
      .end_primitive = end_primitive,
   };
   const struct trial_layout *l = t->layout;
   struct run run = { t, r, first };
   struct nir_interp_buffer buffers[TRIAL_BUFFERS];
   uint8_t push[TRIAL_PUSH_B];

   for (unsigned i = 0; i < TRIAL_BUFFERS; i++)
      buffers[i] =
         (struct nir_interp_buffer) { r->buffers[i], TRIAL_BUFFER_B };
   memcpy(push, t->push, sizeof(push));
   struct nir_interp_params params = {
      .num_lanes = MIN2(l->together, l->lanes - first),
      .inputs = t->inputs +
                (size_t)first * MAX2(1, l->vertices) * NIR_INTERP_SLOTS,
      .num_vertices = l->vertices,
      .outputs = r->outputs + (size_t)first * NIR_INTERP_SLOTS,
      .num_output_vertices = l->vertices_out,
      .ubos = buffers,
      .ssbos = buffers,
      .num_ubos = TRIAL_BUFFERS,
      .num_ssbos = TRIAL_BUFFERS,
      .push_constants = { push, sizeof(push) },
      .shared = { arena_alloc(arena, 65536), 65536 },
      .callbacks = &callbacks,
      .data = &run,
      .buffer_index = buffer_index,
      .max_steps = MAX_BLOCKS,
      .undefined = undefined,
   };
   r->error = nir_interp_run(nir, &params, arena);
   r->killed |= params.killed << first;
}

static void
nudge_trial(struct trial *t, int nudge)
{
   const struct trial_layout *l = t->layout;

   for (unsigned i = 0; i < l->lanes * MAX2(1, l->vertices); i++)
      nudge_words(t->inputs[(size_t)i * NIR_INTERP_SLOTS], l->inputs,
                  NIR_INTERP_SLOTS * 4, nudge);
   for (unsigned i = 0; i < TRIAL_BUFFERS; i++)
      nudge_words(t->buffers[i], l->buffers[i], TRIAL_BUFFER_B / 4, nudge);
   nudge_words(t->push, l->push, TRIAL_PUSH_B / 4, nudge);
}

void
trial_run_nir(const struct trial *t, nir_shader *nir,
              const struct trial_nudge *nudge, struct trial_result *r,
              struct arena *arena)
{
   const struct trial_layout *l = t->layout;
   struct trial *own = NULL;

   if (nudge && nudge->digits) {
      own = trial_create(arena, l, t->seed);
      nudge_trial(own, nudge->digits);
      memcpy(r->buffers, own->buffers, sizeof(r->buffers));
   }
   for (unsigned i = 0; i < l->lanes && !r->error; i += l->together)
      run_lanes(own ? own : t, nir, i, nudge ? nudge->undefined : 0, r,
                arena);
   if (r->error && strstr(r->error, "endless")) {
      r->undefined = true;
      r->error = NULL;
   }
}
