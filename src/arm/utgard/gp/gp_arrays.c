/* SPDX-License-Identifier: MIT */
/*
 * Arrays of the shader's own that are indexed by what is no constant. There
 * are two ways, and the cheaper one by a plain estimate is taken:
 *
 * - Temporaries: an element is a vec4 of memory, a load goes through an
 *   address register, a store through the store's address. Constant indices
 *   then are memory, too, and what the shader reads at the end without
 *   having written it (outputs often are such) is cleared first.
 * - Selects: a load is a binary tree of them, a store one for each element.
 *   As the elements are plain values, those that nobody wrote vanish.
 *
 * Afterwards load_scratch and store_scratch are left for the former: scalars,
 * whose offset counts vec4 and is the array's first one plus an index, and
 * whose alignment says which component it is.
 */
#include "compiler/nir/nir_builder.h"
#include "gp_build.h"

/* Selects that nobody wants to wait for. */
#define MAX_SELECTS 16384
#define MAX_ELEMENTS (1u << 20)

struct array {
   nir_variable *var;
   unsigned elements, comps;
   unsigned loads, stores; /* with a variable index */
   unsigned const_loads, const_stores;
   unsigned first_stores; /* constant ones before any branch */
   bool to_memory;
};

struct arrays {
   nir_builder b;
   struct util_dynarray list; /* struct array */
   unsigned left;             /* vec4 */
   unsigned selects;          /* of those in memory */
   char *error;
};

/* Vectors of which an array, array of arrays or matrix consists, as far as
 * MAX_ELEMENTS; 0: there are structures in it. */
static unsigned
count_elements(const struct glsl_type *t, unsigned *comps)
{
   unsigned n = 1;

   for (; !glsl_type_is_vector_or_scalar(t); t = glsl_get_array_element(t)) {
      if (!glsl_type_is_array(t) && !glsl_type_is_matrix(t))
         return 0;
      n = (unsigned)MIN2((uint64_t)n * glsl_get_length(t), MAX_ELEMENTS);
   }
   *comps = glsl_get_vector_elements(t);
   return n;
}

static bool
is_variable_step(const nir_deref_instr *d)
{
   return d->deref_type == nir_deref_type_array &&
          !nir_use_is_const(d->index);
}

static bool
has_variable_step(const nir_deref_instr *d)
{
   for (; d && d->deref_type != nir_deref_type_var; d = nir_deref_parent(d)) {
      if (is_variable_step(d))
         return true;
   }
   return false;
}

/* NULL: no access to a local variable. */
static nir_deref_instr *
local_access(const nir_instr *instr)
{
   const nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return NULL;
   if (intr->intrinsic != nir_intrinsic_load_deref &&
       intr->intrinsic != nir_intrinsic_store_deref)
      return NULL;
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   return nir_deref_mode_is_one_of(d, nir_var_function_temp) &&
                nir_deref_root(d)
             ? d
             : NULL;
}

/* ---- the choice ---- */

static struct array *
find_array(struct arrays *a, nir_variable *var)
{
   util_dynarray_foreach(&a->list, struct array, i) {
      if (i->var == var)
         return i;
   }
   return NULL;
}

static void
find_arrays(struct arrays *a, nir_function_impl *impl)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         nir_deref_instr *d = local_access(instr);
         if (!d || !has_variable_step(d))
            continue;
         struct array new = { .var = nir_deref_root(d) };
         new.elements = count_elements(new.var->type, &new.comps);
         if (!find_array(a, new.var))
            util_dynarray_append(&a->list, struct array, new);
      }
   }
}

static void
count_accesses(struct arrays *a, nir_function_impl *impl)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         nir_deref_instr *d = local_access(instr);
         struct array *array = d ? find_array(a, nir_deref_root(d)) : NULL;
         if (!array)
            continue;
         const bool is_load = nir_instr_as_intrinsic(instr)->intrinsic ==
                              nir_intrinsic_load_deref;
         const bool is_const = !has_variable_step(d);
         array->loads += is_load && !is_const;
         array->stores += !is_load && !is_const;
         array->const_loads += is_load && is_const;
         array->const_stores += !is_load && is_const;
         array->first_stores += !is_load && is_const &&
                                block == nir_start_block(impl);
      }
   }
}

/* Words, roughly. Memory answers after four of them. */
static void
choose(struct arrays *a, struct array *array)
{
   const unsigned n = array->elements;
   const bool clear = array->const_loads && array->first_stores < n;
   const uint64_t selects = (uint64_t)array->loads * n * array->comps +
                            (uint64_t)array->stores * n * (array->comps + 2);
   const unsigned memory = array->const_stores + array->const_loads / 2 +
                           4 * array->loads + 3 * array->stores +
                           (clear ? n : 0);

   array->to_memory = n && n <= a->left && memory < selects;
   if (!array->to_memory) {
      if (selects > MAX_SELECTS)
         a->error =
            arena_printf(a->b.shader->arena,
                         "array \"%s\" of %u elements with a variable "
                         "index: too large for temporaries, and for selects",
                         array->var->name ? array->var->name : "", n);
      return;
   }
   a->left -= n;
   a->selects += (unsigned)MIN2(selects, MAX_SELECTS);
   if (!clear)
      return;
   a->b.cursor = nir_before_block(nir_start_block(a->b.impl));
   const unsigned bits =
      glsl_get_bit_size(glsl_without_array_or_matrix(array->var->type));
   nir_value *zero = nir_imm_zero(&a->b, (int)array->comps, (int)bits);
   nir_deref_instr *d = nir_deref_to(&a->b, array->var);
   for (unsigned i = 0; i < n; i++) {
      nir_deref_instr *e = d;
      unsigned rest = i, size = n;
      while (!glsl_type_is_vector_or_scalar(e->type)) {
         size /= glsl_get_length(e->type);
         e = nir_build_deref_array_imm(&a->b, e, rest / size);
         rest %= size;
      }
      nir_store_deref(&a->b, e, zero, BITFIELD_MASK(array->comps));
   }
}

/* ---- selects ---- */

static nir_value *load_from(struct arrays *a, nir_deref_instr *parent,
                            nir_deref_instr **rest);

/* An index outside reads the first or the last element. */
static nir_value *
load_range(struct arrays *a, nir_deref_instr *parent, nir_deref_instr **rest,
           unsigned lo, unsigned hi)
{
   const unsigned mid = lo + (hi - lo) / 2;

   if (hi - lo == 1)
      return load_from(a, nir_build_deref_array_imm(&a->b, parent, lo),
                       rest + 1);
   nir_value *is_low =
      nir_ilt(&a->b, (*rest)->index.value, nir_imm_int(&a->b, (int)mid));
   nir_value *low = load_range(a, parent, rest, lo, mid);
   nir_value *high = load_range(a, parent, rest, mid, hi);
   return nir_bcsel(&a->b, is_low, low, high);
}

static nir_value *
load_from(struct arrays *a, nir_deref_instr *parent, nir_deref_instr **rest)
{
   for (; *rest; rest++) {
      if (is_variable_step(*rest))
         return load_range(a, parent, rest, 0, glsl_get_length(parent->type));
      parent = nir_build_deref_follower(&a->b, parent, *rest);
   }
   return nir_load_deref(&a->b, parent);
}

/* `is_here`: whether the steps so far are the right ones; NULL: they are. */
static void
store_to(struct arrays *a, nir_deref_instr *parent, nir_deref_instr **rest,
         nir_value *is_here, const nir_intrinsic_instr *store)
{
   nir_builder *b = &a->b;

   for (; *rest && !is_variable_step(*rest); rest++)
      parent = nir_build_deref_follower(b, parent, *rest);
   if (!*rest) {
      nir_value *old = nir_load_deref(b, parent);
      nir_value *new = nir_bcsel(b, is_here, store->src[1].value, old);
      nir_store_deref(b, parent, new, nir_intrinsic_write_mask(store));
      return;
   }
   for (unsigned i = 0; i < glsl_get_length(parent->type); i++) {
      nir_value *same =
         nir_ieq(b, (*rest)->index.value, nir_imm_int(b, (int)i));
      store_to(a, nir_build_deref_array_imm(b, parent, i), rest + 1,
               is_here ? nir_iand(b, is_here, same) : same, store);
   }
}

static void
lower_to_selects(struct arrays *a, nir_intrinsic_instr *intr,
                 nir_deref_instr *d)
{
   nir_deref_path path;

   a->b.cursor = nir_before_instr(&intr->instr);
   nir_deref_path_init(&path, d, NULL);
   nir_deref_instr *var = nir_deref_to(&a->b, path.path[0]->var);
   if (intr->intrinsic == nir_intrinsic_load_deref)
      nir_value_replace(&intr->instr.result,
                        load_from(a, var, path.path + 1));
   else
      store_to(a, var, path.path + 1, NULL, intr);
   nir_deref_path_finish(&path);
   nir_instr_remove(&intr->instr);
   nir_deref_remove_unused(d);
}

bool
gpc_choose_arrays(nir_shader *nir, unsigned vec4s, struct gpc_memory *m)
{
   nir_function_impl *impl = nir_entry_point(nir);
   struct arrays a = { .left = vec4s };

   nir_builder_init(&a.b, impl);
   find_arrays(&a, impl);
   count_accesses(&a, impl);
   util_dynarray_foreach(&a.list, struct array, array)
      choose(&a, array);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         nir_deref_instr *d = a.error ? NULL : local_access(instr);
         if (d && has_variable_step(d) &&
             !find_array(&a, nir_deref_root(d))->to_memory)
            lower_to_selects(&a, nir_instr_as_intrinsic(instr), d);
      }
   }
   const bool progress = a.list.size_B != 0;
   m->selects = a.selects;
   m->error = a.error;
   nir_changed(impl, progress, nir_metadata_control_flow);
   util_dynarray_fini(&a.list);
   return progress;
}

/* ---- temporaries ---- */

static struct gpc_array *
array_of(struct gpc_memory *m, nir_shader *nir, nir_variable *var)
{
   unsigned comps;

   for (unsigned i = 0; i < m->num_arrays; i++) {
      if (m->arrays[i].var == var)
         return &m->arrays[i];
   }
   struct gpc_array *grown =
      arena_new_array(m->arena, struct gpc_array, m->num_arrays + 1);
   if (m->num_arrays)
      memcpy(grown, m->arrays, m->num_arrays * sizeof(*grown));
   m->arrays = grown;
   grown[m->num_arrays] = (struct gpc_array) {
      .var = var,
      .first = m->array_vec4s,
      .count = count_elements(var->type, &comps),
   };
   m->array_vec4s += grown[m->num_arrays].count;
   return &grown[m->num_arrays++];
}

/* The vec4 within the array; what is constant and outside is cut off. */
static nir_value *
index_of(nir_builder *b, nir_deref_instr *d, unsigned count)
{
   unsigned constant = 0, stride = 1;
   nir_value *sum = NULL;

   for (; d->deref_type != nir_deref_type_var; d = nir_deref_parent(d)) {
      if (is_variable_step(d)) {
         nir_value *i = nir_imul_imm(b, d->index.value, stride);
         sum = sum ? nir_iadd(b, sum, i) : i;
      } else {
         constant += (unsigned)nir_use_as_uint(d->index) * stride;
      }
      stride *= glsl_get_length(nir_deref_parent(d)->type);
   }
   constant = MIN2(constant, count - 1);
   return !sum       ? nir_imm_int(b, (int)constant)
          : constant ? nir_iadd_imm(b, sum, (int)constant)
                     : sum;
}

static void
lower_to_memory(nir_builder *b, nir_intrinsic_instr *intr, nir_deref_instr *d,
                struct gpc_memory *m)
{
   const struct gpc_array *array = array_of(m, b->shader, nir_deref_root(d));

   if (!array->count) {
      m->error =
         arena_printf(b->shader->arena, "array of structures (block %u: %s)",
                      intr->instr.block->index,
                      nir_instr_as_str(&intr->instr, b->shader->arena));
      return;
   }
   b->cursor = nir_before_instr(&intr->instr);
   nir_value *at = nir_iadd(b, index_of(b, d, array->count),
                            nir_imm_int(b, (int)array->first));
   if (intr->intrinsic == nir_intrinsic_load_deref) {
      const unsigned n = intr->instr.result.num_components;
      nir_value *comp[4];
      for (unsigned c = 0; c < n; c++)
         comp[c] = nir_load_scratch(b, 1, intr->instr.result.bit_size, at,
                                    .align_mul = 16, .align_offset = 4 * c);
      nir_value_replace(&intr->instr.result, nir_vec(b, comp, n));
   } else {
      nir_value *value = intr->src[1].value;
      for (unsigned c = 0; c < value->num_components; c++) {
         if (nir_intrinsic_write_mask(intr) >> c & 1)
            nir_store_scratch(b, nir_channel(b, value, c), at,
                              .write_mask = 1, .align_mul = 16,
                              .align_offset = 4 * c);
      }
   }
   nir_instr_remove(&intr->instr);
   nir_deref_remove_unused(d);
}

bool
gpc_lower_arrays(nir_shader *nir, struct gpc_memory *m)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b;
   bool progress = false;

   nir_builder_init(&b, impl);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         nir_deref_instr *d = local_access(instr);
         if (!d)
            continue;
         lower_to_memory(&b, nir_instr_as_intrinsic(instr), d, m);
         progress = true;
      }
   }
   nir_changed(impl, progress, nir_metadata_control_flow);
   return progress;
}
