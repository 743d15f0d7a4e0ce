/* SPDX-License-Identifier: MIT */
/*
 * NIR's way to the graph: the order of the passes, and the one pass that is
 * particular to this machine, which turns every kind of constant memory into
 * uniforms.
 *
 * Blocks, push constants and plain uniforms are laid after each other, each
 * at a vec4. Of these the vec4 that something reads move together: what is
 * declared and not used costs nothing. An array with a variable index counts
 * as a whole, another one up to what is read of it. Afterwards load_uniform
 * has in `base` the scalar that its first component is and in its source a
 * number of vec4 to add.
 */
#include "compiler/nir/nir_builder.h"
#include "gp_build.h"

#define MAX_BUFFERS 64
/* Vec4 that arrays leave for the viewport, literals and spilled values. */
#define NOT_FOR_ARRAYS 40

const nir_shader_compiler_options gpc_nir_options = {
   .lower_fdiv = true,
   .lower_ffma16 = true,
   .lower_ffma32 = true,
   .lower_ffma64 = true,
   .lower_flrp16 = true,
   .lower_flrp32 = true,
   .lower_fpow = true,
   .lower_fmod = true,
   .lower_ffract = true,
   .lower_fceil = true,
   .lower_isign = true,
   .lower_fdph = true,
   .lower_ldexp = true,
   .vertex_id_zero_based = true,
   .force_indirect_unrolling = nir_var_function_temp,
};

#define RUN(pass, ...)                                                       \
   do {                                                                      \
      bool ignored_ = false;                                                 \
      NIR_PASS(ignored_, nir, pass, ##__VA_ARGS__);                          \
      (void)ignored_;                                                        \
   } while (0)

static void
optimize(nir_shader *nir)
{
   /* A branch costs the bypass network and two words at least. */
   static const struct nir_optimize_options options = {
      .select_limit = 12,
      .lower_flrp_bits = 16 | 32,
      .all_phis_to_scalar = true,
   };

   nir_optimize(nir, &options);
}

/* ---- constant memory ---- */

struct memory {
   nir_builder b;
   struct {
      const nir_variable *var;
      unsigned first; /* vec4 */
   } buffers[MAX_BUFFERS];
   unsigned count, vec4s; /* as declared */
   BITSET_WORD *used;     /* vec4 that are read */
   char *error;
};

static unsigned
buffer_size_vec4(const nir_variable *var)
{
   const struct glsl_type *t = var->type;
   unsigned size = 0;

   if (!glsl_type_is_struct_or_ifc(t))
      return glsl_count_vec4_slots(t, false, false);
   for (unsigned i = 0; i < glsl_get_length(t); i++) {
      const int offset = glsl_get_struct_field_offset(t, i);
      const unsigned field =
         glsl_get_explicit_size(glsl_get_struct_field(t, i), false);
      size = MAX2(size, (offset < 0 ? 0 : (unsigned)offset) + field);
   }
   return DIV_ROUND_UP(size, 16);
}

/* A name for messages: a block without an instance has only its type's. */
static const char *
name_of(const nir_variable *var)
{
   if (var->name && var->name[0])
      return var->name;
   return glsl_type_is_struct_or_ifc(var->type)
             ? glsl_get_type_name(var->type)
             : "";
}

/* The vec4 where a variable's memory begins. */
static unsigned
buffer_of(struct memory *m, const nir_variable *var)
{
   for (unsigned i = 0; i < m->count; i++) {
      if (m->buffers[i].var == var)
         return m->buffers[i].first;
   }
   unreachable("a buffer that was not laid out");
}

static void
lay_out(struct memory *m, nir_shader *nir)
{
   nir_foreach_variable_with_modes(
      var, nir, nir_var_mem_ubo | nir_var_mem_push_const | nir_var_uniform) {
      if (glsl_type_is_sampler(glsl_without_array(var->type)) ||
          glsl_type_is_image(glsl_without_array(var->type)))
         continue; /* an error where it is used */
      if (m->count == MAX_BUFFERS) {
         m->error = arena_printf(nir->arena,
                                 "more than %u uniform blocks: \"%s\"",
                                 MAX_BUFFERS, name_of(var));
         return;
      }
      if (glsl_type_is_array(var->type) &&
          var->data.mode == nir_var_mem_ubo) {
         m->error = arena_printf(nir->arena, "array of uniform blocks \"%s\"",
                                 name_of(var));
         return;
      }
      m->buffers[m->count].var = var;
      m->buffers[m->count++].first = m->vec4s;
      m->vec4s += buffer_size_vec4(var);
   }
   m->used =
      arena_new_array(nir->arena, BITSET_WORD, BITSET_WORDS(m->vec4s + 1));
}

/* Where a load reads. */
struct access {
   nir_deref_instr *deref;
   const nir_variable *var;
   unsigned bytes; /* of the first component, at least */
   unsigned step;  /* between components */
   unsigned more;  /* bytes that variable indices add at most */
   bool is_indexed;
};

static unsigned
element_stride(const nir_deref_instr *parent, const nir_variable *var)
{
   if (glsl_type_is_vector(parent->type))
      return 4;
   if (var->data.mode == nir_var_uniform)
      return 16 * glsl_count_vec4_slots(glsl_get_array_element(parent->type),
                                        false, false);
   return glsl_get_explicit_stride(parent->type);
}

/* Bytes from one element to the next. The matrix of which a step takes a
 * column may lie in memory by rows: then the components are further apart. */
static unsigned
stride_of(const nir_deref_instr *parent, struct access *a)
{
   if (glsl_type_is_matrix(parent->type) &&
       glsl_matrix_type_is_row_major(parent->type)) {
      a->step = glsl_get_explicit_stride(parent->type);
      return 4;
   }
   return glsl_type_is_vector(parent->type) ? a->step
                                            : element_stride(parent, a->var);
}

/* One step of a chain: what is constant goes into the bytes. */
static void
add_step(struct memory *m, struct access *a, const nir_deref_instr *parent,
         const nir_deref_instr *d)
{
   unsigned stride, length;

   if (d->deref_type == nir_deref_type_struct) {
      a->bytes +=
         (unsigned)glsl_get_struct_field_offset(parent->type, d->member);
      return;
   }
   if (d->deref_type != nir_deref_type_array) {
      m->error = "pointer into a uniform block";
      return;
   }
   stride = stride_of(parent, a);
   if (nir_use_is_const(d->index)) {
      a->bytes += (unsigned)nir_use_as_uint(d->index) * stride;
      return;
   }
   length = glsl_type_is_vector(parent->type)
               ? glsl_get_vector_elements(parent->type)
               : glsl_get_length(parent->type);
   a->is_indexed = true;
   a->more += stride * (MAX2(length, 1u) - 1);
   if (stride % 16)
      m->error = arena_printf(m->b.shader->arena,
                              "indexed uniform array with a stride of %u "
                              "bytes: the machine indexes vec4",
                              stride);
}

static struct access
access_of(struct memory *m, const nir_intrinsic_instr *intr)
{
   struct access a = { .deref = nir_use_as_deref(intr->src[0]), .step = 4 };
   nir_deref_path path;

   a.var = nir_deref_root(a.deref);
   if (!a.var || glsl_type_is_struct_or_ifc(a.deref->type)) {
      m->error = "uniform that is no variable";
      return a;
   }
   nir_deref_path_init(&path, a.deref, NULL);
   for (nir_deref_instr **p = path.path + 1; *p && !m->error; p++)
      add_step(m, &a, p[-1], *p);
   nir_deref_path_finish(&path);
   if (!m->error && intr->instr.result.bit_size != 32)
      m->error = arena_printf(m->b.shader->arena,
                              "uniform of %u bits: the machine has no "
                              "doubles and no halves",
                              intr->instr.result.bit_size);
   return a;
}

static void
mark_used(struct memory *m, nir_intrinsic_instr *intr)
{
   const struct access a = access_of(m, intr);
   const unsigned n = intr->instr.result.num_components;

   if (m->error)
      return;
   const unsigned first = buffer_of(m, a.var);
   for (unsigned c = 0; c < n; c++) {
      const unsigned at = a.bytes + c * a.step;
      for (unsigned v = first + at / 16; v <= first + (at + a.more) / 16;
           v++) {
         if (v < m->vec4s)
            BITSET_SET(m->used, v);
      }
   }
}

/* Where a declared vec4 lies: after all before it that are used. */
static unsigned
machine_vec4(const struct memory *m, unsigned declared)
{
   unsigned n = 0;

   for (unsigned w = 0; w < declared / BITSET_WORDBITS; w++)
      n += (unsigned)__builtin_popcount(m->used[w]);
   for (unsigned v = declared & ~(BITSET_WORDBITS - 1u); v < declared; v++)
      n += BITSET_TEST(m->used, v);
   return n;
}

/* The vec4 to add to the constant part, or NULL. */
static nir_value *
variable_vec4s(struct memory *m, const struct access *a)
{
   struct access unused = *a;
   nir_value *sum = NULL;
   nir_deref_path path;

   nir_deref_path_init(&path, a->deref, NULL);
   for (nir_deref_instr **p = path.path + 1; *p; p++) {
      nir_value *i;
      if ((*p)->deref_type != nir_deref_type_array)
         continue;
      const unsigned stride = stride_of(p[-1], &unused);
      if (nir_use_is_const((*p)->index))
         continue;
      i = nir_imul_imm(&m->b, (*p)->index.value, stride / 16);
      sum = sum ? nir_iadd(&m->b, sum, i) : i;
   }
   nir_deref_path_finish(&path);
   return sum;
}

/* What lies beyond the declared memory stays beyond. */
static void
lower_load(struct memory *m, nir_intrinsic_instr *intr)
{
   const struct access a = access_of(m, intr);
   const unsigned n = intr->instr.result.num_components;
   nir_value *comp[4], *vec4s;

   if (m->error)
      return;
   m->b.cursor = nir_before_instr(&intr->instr);
   vec4s = a.is_indexed ? variable_vec4s(m, &a) : nir_imm_int(&m->b, 0);
   for (unsigned c = 0; c < n; c++) {
      const unsigned at = a.bytes + c * a.step;
      const unsigned declared = buffer_of(m, a.var) + at / 16;
      const unsigned vec4 = declared < m->vec4s ? machine_vec4(m, declared)
                                                : declared;
      comp[c] = nir_load_uniform(
         &m->b, 1, 32, vec4s, .base = (int)(4 * vec4 + at % 16 / 4),
         .dest_type = nir_type_of_glsl(a.deref->type));
   }
   nir_instr_replace(&intr->instr, nir_vec(&m->b, comp, n));
}

/* Adds the uniform and the place to the error. */
static void
name_load(struct memory *m, const nir_intrinsic_instr *intr)
{
   struct arena *arena = m->b.shader->arena;
   const nir_variable *var = nir_deref_root(nir_use_as_deref(intr->src[0]));

   nir_metadata_require(m->b.impl, nir_metadata_block_index);
   m->error = arena_printf(arena, "%s (\"%s\", block %u: %s)", m->error,
                           var ? name_of(var) : "", intr->instr.block->index,
                           nir_instr_as_str(&intr->instr, arena));
}

/* Calls `f` for each load of a uniform until there is an error. */
static void
foreach_load(struct memory *m,
             void (*f)(struct memory *m, nir_intrinsic_instr *intr))
{
   nir_foreach_block(block, m->b.impl) {
      nir_foreach_instr_safe(instr, block) {
         if (m->error || instr->kind != nir_kind_intrinsic)
            continue;
         nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
         if (intr->intrinsic != nir_intrinsic_load_deref ||
             !nir_deref_mode_is_one_of(nir_use_as_deref(intr->src[0]),
                                       nir_var_mem_ubo | nir_var_uniform |
                                          nir_var_mem_push_const))
            continue;
         f(m, intr);
         if (m->error)
            name_load(m, intr);
      }
   }
}

/* All that is declared, and which of it is read. */
static void
find_uniforms(struct memory *m, nir_shader *nir)
{
   nir_builder_init(&m->b, nir_entry_point(nir));
   lay_out(m, nir);
   foreach_load(m, mark_used);
}

/* The declared vec4 of each one that is used; the variable of the first that
 * lies beyond the machine's. */
static void
note_uniforms(struct memory *m, struct gpc_memory *memory)
{
   unsigned n = 0;

   memory->uniforms = machine_vec4(m, m->vec4s);
   memory->sources =
      arena_new_array(memory->arena, unsigned, memory->uniforms + 1);
   BITSET_FOREACH_SET(v, m->used, m->vec4s) {
      if (n == GP_NUM_UNIFORMS) {
         for (unsigned i = 0; i < m->count; i++) {
            if (m->buffers[i].first <= v)
               memory->beyond =
                  arena_strdup(memory->arena, name_of(m->buffers[i].var));
         }
      }
      memory->sources[n++] = v;
   }
}

static bool
lower_uniforms(nir_shader *nir, struct gpc_memory *memory)
{
   struct memory m = { 0 };

   find_uniforms(&m, nir);
   note_uniforms(&m, memory);
   foreach_load(&m, lower_load);
   nir_metadata_preserve(m.b.impl, nir_metadata_control_flow);
   memory->error = m.error;
   return m.error == NULL;
}

/* ---- all of it ---- */

static int
vec4_slots(const struct glsl_type *type, bool bindless)
{
   return (int)glsl_count_vec4_slots(type, false, bindless);
}

static void
set_locations(nir_shader *nir)
{
   nir_foreach_variable_with_modes(var, nir,
                                   nir_var_shader_in | nir_var_shader_out) {
      var->data.driver_location = (unsigned)var->data.location;
      if (var->data.mode == nir_var_shader_in)
         var->data.driver_location -= VERT_ATTRIB_GENERIC0;
   }
}

/* How many vec4 there are for arrays. */
static unsigned
room_for_arrays(nir_shader *nir)
{
   struct memory m = { 0 };

   find_uniforms(&m, nir);
   const unsigned used = machine_vec4(&m, m.vec4s) + NOT_FOR_ARRAYS;
   return used < GP_NUM_UNIFORMS ? GP_NUM_UNIFORMS - used : 0;
}

bool
gpc_lower_nir(nir_shader *nir, struct gpc_memory *m)
{
   RUN(nir_lower_variable_initializers, nir_var_function_temp);
   RUN(nir_lower_returns);
   RUN(nir_inline_functions);
   nir_remove_non_entrypoints(nir);
   RUN(nir_lower_variable_initializers, nir_var_all);
   RUN(nir_lower_io_to_temporaries, nir_entry_point(nir), true, false);
   RUN(nir_lower_global_vars_to_local);
   RUN(nir_split_var_copies);
   RUN(nir_lower_var_copies);
   RUN(nir_split_struct_vars, nir_var_function_temp);
   RUN(nir_lower_array_deref_of_vec,
       nir_var_shader_in | nir_var_shader_out | nir_var_function_temp);
   RUN(nir_lower_system_values);
   RUN(nir_lower_load_const_to_scalar);
   RUN(nir_lower_rare_alu);
   optimize(nir);
   RUN(gpc_choose_arrays, m->no_arrays ? 0 : room_for_arrays(nir), m);
   if (m->error)
      return false;
   /* At once: other passes look at each pair of elements. */
   RUN(nir_lower_vars_to_ssa);
   RUN(nir_lower_indirect_derefs, nir_var_shader_in | nir_var_shader_out,
       UINT32_MAX);
   RUN(nir_lower_indirect_components, nir_var_shader_in | nir_var_shader_out);
   optimize(nir);

   if (!lower_uniforms(nir, m))
      return false;
   set_locations(nir);
   RUN(nir_lower_io, nir_var_shader_in | nir_var_shader_out, vec4_slots, 0);
   RUN(nir_opt_constant_folding);
   RUN(nir_io_add_const_offset_to_base,
       nir_var_shader_in | nir_var_shader_out);
   optimize(nir);
   RUN(nir_opt_algebraic_late);
   RUN(nir_opt_constant_folding);
   RUN(nir_copy_prop);
   RUN(nir_lower_alu_to_scalar, NULL, NULL);
   RUN(nir_opt_cse);
   /* Last, so that an offset stays next to its access as it is made. */
   RUN(gpc_lower_arrays, m);
   RUN(nir_opt_dce);
   return m->error == NULL;
}
