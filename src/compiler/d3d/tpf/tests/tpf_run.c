/* SPDX-License-Identifier: MIT */
#include "compiler/d3d/tpf/tests/tpf_run.h"

#include <math.h>

#include "compiler/d3d/tpf/tpf_to_nir.h"

static enum tpf_binding_kind
kind_of(const nir_variable *var)
{
   if (var->data.mode == nir_var_mem_ubo)
      return TPF_BIND_CB;
   return var->data.binding >= TPF_BINDING_UAV ? TPF_BIND_UAV : TPF_BIND_SRV;
}

static unsigned
register_of(const nir_variable *var)
{
   const enum tpf_binding_kind kind = kind_of(var);

   return var->data.binding - (kind == TPF_BIND_UAV   ? TPF_BINDING_UAV
                               : kind == TPF_BIND_SRV ? TPF_BINDING_RESOURCE
                                                      : 0u);
}

static unsigned
buffer_index(void *data, const nir_variable *var)
{
   const struct tpf_run *run = data;
   const struct tpf_interface *in = run->interface;

   if (!in)
      return var->data.binding;
   if (run->by_order)
      return in->binding[var->data.binding].binding;
   for (unsigned i = 0; i < in->num_bindings; i++) {
      const struct tpf_binding *b = &in->binding[i];
      if (b->kind == kind_of(var) && b->first == register_of(var))
         return b->binding;
   }
   return UINT32_MAX;
}

/* --- What the interpreter leaves to us ---------------------------------- */

static uint32_t
combine(nir_intrinsic_op op, uint32_t old, uint32_t x, uint32_t y)
{
   switch (op) {
   case nir_intrinsic_deref_atomic_add: return old + x;
   case nir_intrinsic_deref_atomic_and: return old & x;
   case nir_intrinsic_deref_atomic_or: return old | x;
   case nir_intrinsic_deref_atomic_xor: return old ^ x;
   case nir_intrinsic_deref_atomic_umin: return MIN2(old, x);
   case nir_intrinsic_deref_atomic_umax: return MAX2(old, x);
   case nir_intrinsic_deref_atomic_imin:
      return (int32_t)old < (int32_t)x ? old : x;
   case nir_intrinsic_deref_atomic_imax:
      return (int32_t)old > (int32_t)x ? old : x;
   case nir_intrinsic_deref_atomic_exchange: return x;
   case nir_intrinsic_deref_atomic_comp_swap: return old == x ? y : old;
   default: return 0;
   }
}

/* The same of images, which other programs have for buffers: deref, texel,
 * sample, values. */
static nir_intrinsic_op
without_image(nir_intrinsic_op op)
{
   switch (op) {
   case nir_intrinsic_image_deref_atomic_add:
      return nir_intrinsic_deref_atomic_add;
   case nir_intrinsic_image_deref_atomic_and:
      return nir_intrinsic_deref_atomic_and;
   case nir_intrinsic_image_deref_atomic_or:
      return nir_intrinsic_deref_atomic_or;
   case nir_intrinsic_image_deref_atomic_xor:
      return nir_intrinsic_deref_atomic_xor;
   case nir_intrinsic_image_deref_atomic_umin:
      return nir_intrinsic_deref_atomic_umin;
   case nir_intrinsic_image_deref_atomic_umax:
      return nir_intrinsic_deref_atomic_umax;
   case nir_intrinsic_image_deref_atomic_imin:
      return nir_intrinsic_deref_atomic_imin;
   case nir_intrinsic_image_deref_atomic_imax:
      return nir_intrinsic_deref_atomic_imax;
   case nir_intrinsic_image_deref_atomic_exchange:
      return nir_intrinsic_deref_atomic_exchange;
   default: return nir_intrinsic_deref_atomic_comp_swap;
   }
}

static bool
run_image(const nir_intrinsic_instr *intr, uint32_t *words,
          const nir_const_value *const *srcs, nir_const_value *out)
{
   const uint32_t at = srcs[1][0].u32;
   const bool inside = at < TPF_RUN_WORDS;

   if (intr->intrinsic == nir_intrinsic_image_deref_store) {
      if (inside)
         words[at] = srcs[3][0].u32;
      return true;
   }
   out[0].u32 = inside ? words[at] : 0;
   if (intr->intrinsic == nir_intrinsic_image_deref_load) {
      for (unsigned i = 1; i < 4; i++)
         out[i].u32 = 0;
   } else if (inside) {
      words[at] = combine(without_image(intr->intrinsic), words[at],
                          srcs[3][0].u32,
                          nir_intrinsic_infos[intr->intrinsic].num_srcs > 4
                             ? srcs[4][0].u32
                             : 0);
   }
   return true;
}

static bool
run_intrinsic(void *data, unsigned lane, const nir_intrinsic_instr *intr,
              const nir_const_value *const *srcs, nir_const_value *out)
{
   struct tpf_run *run = data;
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   nir_variable *var = d ? nir_deref_root(d) : NULL;
   uint32_t *words, old;

   if (intr->intrinsic == nir_intrinsic_scoped_barrier)
      return true;
   if (!var)
      return false;
   if (intr->intrinsic == nir_intrinsic_image_deref_size) {
      out[0].u32 = TPF_RUN_WORDS;
      return true;
   }
   if (var->data.mode == nir_var_mem_shared)
      words = run->shared;
   else
      words = run->ssbo[buffer_index(run, var) % TPF_RUN_BUFFERS];
   if (var->data.mode == nir_var_image || var->data.mode == nir_var_uniform)
      return run_image(intr, words, srcs, out);
   if (intr->intrinsic == nir_intrinsic_deref_buffer_array_length) {
      out[0].u32 =
         (uint32_t)(sizeof(run->ssbo[0]) / glsl_get_explicit_stride(d->type));
      return true;
   }
   const uint64_t at = (srcs[0][0].u64 & UINT32_MAX) / 4;
   if (at >= TPF_RUN_WORDS) {
      out[0].u32 = 0;
      return true;
   }
   old = words[at];
   words[at] = combine(
      intr->intrinsic, old, srcs[1][0].u32,
      nir_intrinsic_infos[intr->intrinsic].num_srcs > 2 ? srcs[2][0].u32 : 0);
   out[0].u32 = old;
   return true;
}

static bool
run_sysval(void *data, unsigned lane, const nir_intrinsic_instr *intr,
           const nir_const_value *src0, nir_const_value *out)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_frag_coord:
      for (unsigned i = 0; i < 4; i++)
         out[i].f32 = i == 3 ? 0.5f : (float)(lane + i) + 0.5f;
      return true;
   case nir_intrinsic_load_front_face: out[0].b = lane & 1; return true;
   case nir_intrinsic_load_vertex_id:
   case nir_intrinsic_load_vertex_id_zero_base:
      out[0].u32 = 7 + lane;
      return true;
   case nir_intrinsic_load_instance_id:
   case nir_intrinsic_load_instance_index: out[0].u32 = 3; return true;
   case nir_intrinsic_load_first_vertex:
   case nir_intrinsic_load_base_instance: out[0].u32 = 0; return true;
   case nir_intrinsic_load_sample_id: out[0].u32 = 1; return true;
   case nir_intrinsic_load_sample_mask_in: out[0].u32 = 5; return true;
   case nir_intrinsic_load_local_invocation_id:
   case nir_intrinsic_load_workgroup_id:
   case nir_intrinsic_load_global_invocation_id:
      for (unsigned i = 0; i < 3; i++)
         out[i].u32 = i ? 0
                      : intr->intrinsic == nir_intrinsic_load_workgroup_id
                         ? 0
                         : lane;
      return true;
   case nir_intrinsic_load_local_invocation_index:
      out[0].u32 = lane;
      return true;
   default: return false;
   }
}

/* What another program made of a raw or structured buffer. */
static bool
read_texel_buffer(struct tpf_run *run, const nir_tex_instr *tex,
                  const nir_const_value *const *srcs, nir_const_value *out)
{
   nir_deref_instr *d = nir_use_as_deref(
      tex->src[nir_tex_find(tex, nir_tex_src_texture_deref)].use);
   const uint32_t at = srcs[nir_tex_find(tex, nir_tex_src_coord)][0].u32;
   const uint32_t *words =
      run->ssbo[buffer_index(run, nir_deref_root(d)) % TPF_RUN_BUFFERS];

   out[0].u32 = at < TPF_RUN_WORDS ? words[at] : 0;
   for (unsigned i = 1; i < 4; i++)
      out[i].u32 = 0;
   return true;
}

static bool
run_tex(void *data, unsigned lane, const nir_tex_instr *tex,
        const nir_const_value *const *srcs, unsigned index,
        nir_const_value *out)
{
   struct tpf_run *run = data;
   float sum = (float)tex->op + (float)tex->component / 8;

   if (tex->sampler_dim == GLSL_SAMPLER_DIM_BUF && tex->op == nir_texop_txf)
      return read_texel_buffer(run, tex, srcs, out);
   if (tex->sampler_dim == GLSL_SAMPLER_DIM_BUF && tex->op == nir_texop_txs) {
      out[0].u32 = TPF_RUN_WORDS;
      return true;
   }

   for (unsigned i = 0; i < tex->instr.num_operands; i++) {
      const nir_tex_operand_kind type = tex->src[i].src_type;
      if (type == nir_tex_src_texture_deref ||
          type == nir_tex_src_sampler_deref)
         continue;
      for (unsigned c = 0; c < nir_tex_operand_size(tex, i); c++) {
         const float v = nir_tex_operand_type(tex, i) == nir_type_float
                            ? srcs[i][c].f32
                            : (float)srcs[i][c].i32;
         sum += fabsf(v) < 1e6f ? v * (float)(c + 1 + type) : 1;
      }
   }
   for (unsigned i = 0; i < nir_tex_size(tex); i++)
      out[i].f32 = sum * (float)(i + 1);
   return true;
}

/* --- Runs --------------------------------------------------------------- */

const char *
tpf_run(struct tpf_run *run, nir_shader *nir, struct arena *arena)
{
   static const struct nir_interp_callbacks callbacks = {
      .sysval = run_sysval,
      .tex = run_tex,
      .intrinsic = run_intrinsic,
   };
   struct nir_interp_buffer ubos[TPF_RUN_BUFFERS], ssbos[TPF_RUN_BUFFERS];
   /* clang-format off */
   struct nir_interp_params params = {
      .num_lanes = TPF_RUN_LANES, .inputs = run->in[0],
      .outputs = run->out[0], .ubos = ubos, .ssbos = ssbos,
      .num_ubos = TPF_RUN_BUFFERS, .num_ssbos = TPF_RUN_BUFFERS,
      .shared = { run->shared, sizeof(run->shared) },
      .callbacks = &callbacks, .data = run, .buffer_index = buffer_index,
      .max_steps = run->max_steps ? run->max_steps : 100000,
   };
   /* clang-format on */
   const char *error;

   for (unsigned i = 0; i < TPF_RUN_BUFFERS; i++) {
      ubos[i] =
         (struct nir_interp_buffer) { run->ubo[i], sizeof(run->ubo[i]) };
      ssbos[i] =
         (struct nir_interp_buffer) { run->ssbo[i], sizeof(run->ssbo[i]) };
   }
   error = nir_interp_run(nir, &params, arena);
   run->killed = params.killed;
   return error;
}

nir_shader *
tpf_run_round(struct arena *arena, nir_shader *nir, enum tpf_stage stage,
              struct tpf_interface *interface, struct util_dynarray *code,
              struct d3d_error *error)
{
   const struct tpf_from_nir_options to = { .interface = interface };
   const struct tpf_to_nir_options options = { .parent = arena };
   const struct dxbc_chunk *chunk;
   struct tpf_shader *shader;
   struct dxbc c;

   if (!tpf_from_nir(arena, nir, stage, &to, code, error) ||
       !dxbc_read(code->data, code->size_B, &c, error))
      return NULL;
   chunk = dxbc_find_program(&c, error);
   if (!chunk)
      return NULL;
   shader =
      tpf_decode(arena, chunk->data, chunk->size_B, chunk->offset_B, error);
   if (!shader || !tpf_validate(shader, error))
      return NULL;
   return tpf_to_nir(shader, &c, &options, error);
}

/* --- Comparing ---------------------------------------------------------- */

static bool
same(uint32_t a, uint32_t b)
{
   const bool nan_a = (a & 0x7fffffff) > 0x7f800000;
   const bool nan_b = (b & 0x7fffffff) > 0x7f800000;

   return a == b || (nan_a && nan_b);
}

static const char *
compare(const char *what, const uint32_t *a, const uint32_t *b, size_t n,
        struct arena *arena)
{
   for (size_t i = 0; i < n; i++) {
      if (!same(a[i], b[i]))
         return arena_printf(arena, "%s[%zu]: 0x%08x and 0x%08x", what, i,
                             a[i], b[i]);
   }
   return NULL;
}

const char *
tpf_run_compare(const struct tpf_run *a, const struct tpf_run *b,
                struct arena *arena)
{
   const char *text = NULL;

   if (a->killed != b->killed)
      return "killed lanes";
   for (unsigned l = 0; l < TPF_RUN_LANES && !text; l++) {
      if (!(a->killed >> l & 1))
         text = compare(arena_printf(arena, "lane %u output", l),
                        a->out[l][0], b->out[l][0], sizeof(a->out[l]) / 4,
                        arena);
   }
   if (!text)
      text =
         compare("ssbo", a->ssbo[0], b->ssbo[0], sizeof(a->ssbo) / 4, arena);
   if (!text)
      text = compare("shared", a->shared, b->shared, TPF_RUN_WORDS, arena);
   return text;
}
