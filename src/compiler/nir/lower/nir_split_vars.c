/* SPDX-License-Identifier: MIT */
/*
 * Large variables into smaller ones: a struct (or array of structs, to any
 * depth) into one variable for each vector or array of vectors in it. What is
 * indexed dynamically in one member then no longer keeps the others in
 * memory. A variable of which a whole struct is copied, or whose address is
 * used in any other way, stays as it is.
 *
 * Arrays are not split: nir_lower_vars_to_ssa looks at elements one by one
 * where all indices are constant, and the others cannot be.
 */
#include "nir.h"
#include "nir_builder.h"
#include "util/hash_table.h"

struct part {
   const struct glsl_type *type;
   nir_variable *var;    /* leaves */
   struct part *members; /* structs */
};

struct state {
   nir_shader *shader;
   nir_function_impl *impl; /* owner of the list that is being split */
   struct arena *arena;
   struct hash_table parts; /* nir_variable -> struct part */
   struct hash_table fixed; /* variables that stay */
};

static bool
is_split_candidate(const nir_variable *var)
{
   return glsl_type_is_struct_or_ifc(glsl_without_array(var->type));
}

/* The dereference names a vector through members and elements only. */
static bool
is_plain(const nir_deref_instr *d)
{
   nir_foreach_instr_use(use, &d->instr.result) {
      const nir_instr *instr = use->instr;
      const nir_intrinsic_instr *intr;
      if (instr->kind == nir_kind_deref) {
         const nir_deref_instr *child = nir_instr_as_deref(instr);
         if (child->deref_type != nir_deref_type_array &&
             child->deref_type != nir_deref_type_struct)
            return false;
         continue;
      }
      if (instr->kind != nir_kind_intrinsic)
         return false;
      intr = nir_instr_as_intrinsic(instr);
      if ((intr->intrinsic != nir_intrinsic_load_deref &&
           intr->intrinsic != nir_intrinsic_store_deref) ||
          use != &intr->src[0])
         return false;
   }
   return !nir_value_is_condition(&d->instr.result);
}

static void
find_fixed(struct state *s)
{
   nir_foreach_impl(impl, s->shader) {
      nir_foreach_block(block, impl) {
         nir_foreach_instr(instr, block) {
            nir_deref_instr *d;
            nir_variable *var;
            if (instr->kind != nir_kind_deref)
               continue;
            d = nir_instr_as_deref(instr);
            var = nir_deref_root(d);
            if (var && !is_plain(d))
               hash_table_insert(&s->fixed, hash_key_ptr(var), var);
         }
      }
   }
}

static const struct glsl_type *
wrap_arrays(const struct glsl_type *t, const struct glsl_type **arrays,
            unsigned n)
{
   while (n-- > 0)
      t = glsl_array_type(t, glsl_get_length(arrays[n]), 0);
   return t;
}

/* `arrays`: the arrays met on the way, around what is at hand. */
static void
make_parts(struct state *s, struct part *p, const struct glsl_type *type,
           const struct glsl_type **arrays, unsigned num_arrays,
           const nir_variable *old)
{
   const struct glsl_type *inner = type;

   while (glsl_type_is_array(inner)) {
      if (num_arrays < 16)
         arrays[num_arrays++] = inner;
      inner = glsl_get_array_element(inner);
   }
   p->type = inner;
   if (!glsl_type_is_struct_or_ifc(inner)) {
      const struct glsl_type *t = wrap_arrays(inner, arrays, num_arrays);
      p->var = s->impl ? nir_new_local(s->impl, t, NULL)
                       : nir_new_variable(s->shader, old->data.mode, t, NULL);
      return;
   }
   p->members =
      arena_new_array(s->arena, struct part, glsl_get_length(inner));
   for (unsigned i = 0; i < glsl_get_length(inner); i++)
      make_parts(s, &p->members[i], glsl_get_struct_field(inner, i), arrays,
                 num_arrays, old);
}

static bool
array_depth_ok(const struct glsl_type *t, unsigned depth)
{
   while (glsl_type_is_array(t)) {
      depth++;
      t = glsl_get_array_element(t);
   }
   if (depth > 16 || !glsl_type_is_struct_or_ifc(t))
      return depth <= 16;
   for (unsigned i = 0; i < glsl_get_length(t); i++) {
      if (!array_depth_ok(glsl_get_struct_field(t, i), depth))
         return false;
   }
   return true;
}

static bool
split_list(struct state *s, struct list_head *list, nir_variable_mode modes)
{
   bool any = false;

   nir_foreach_variable_in_list_safe(var, list) {
      const struct glsl_type *arrays[16];
      struct part *p;
      if (!(var->data.mode & modes) || !is_split_candidate(var) ||
          hash_table_has(&s->fixed, hash_key_ptr(var)) ||
          !array_depth_ok(var->type, 0))
         continue;
      p = arena_new(s->arena, struct part);
      make_parts(s, p, var->type, arrays, 0, var);
      hash_table_insert(&s->parts, hash_key_ptr(var), p);
      list_del(&var->node);
      any = true;
   }
   return any;
}

/* The same place in the new variable: members choose the variable, the
 * indices of all arrays stay. */
static nir_deref_instr *
rebuild(struct state *s, nir_builder *b, nir_deref_instr *deref)
{
   nir_deref_instr *r = NULL;
   nir_deref_path path;
   const struct part *p;

   nir_deref_path_init(&path, deref, NULL);
   p = hash_table_get(&s->parts, hash_key_ptr(path.path[0]->var));
   for (nir_deref_instr **d = path.path + 1; *d; d++) {
      if ((*d)->deref_type == nir_deref_type_struct)
         p = &p->members[(*d)->member];
   }
   r = nir_deref_to(b, p->var);
   for (nir_deref_instr **d = path.path + 1; *d; d++) {
      if ((*d)->deref_type == nir_deref_type_array)
         r = nir_build_deref_array(b, r, nir_use_value(b, (*d)->index, 1));
   }
   nir_deref_path_finish(&path);
   return r;
}

static void
rewrite_impl(struct state *s, nir_function_impl *impl)
{
   nir_builder b = nir_builder_at(impl, nir_before_impl(impl));
   nir_foreach_instr_of(instr, impl) {
      nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
      if (!intr || (intr->intrinsic != nir_intrinsic_load_deref &&
                    intr->intrinsic != nir_intrinsic_store_deref))
         continue;
      nir_deref_instr *deref = nir_use_as_deref(intr->src[0]);
      nir_variable *var = nir_deref_root(deref);
      if (!var || !hash_table_has(&s->parts, hash_key_ptr(var)))
         continue;
      b.cursor = nir_before_instr(instr);
      nir_deref_instr *fresh = rebuild(s, &b, deref);
      nir_set_use(instr, &intr->src[0], &fresh->instr.result);
      nir_deref_remove_unused(deref);
   }
   nir_metadata_preserve(impl, nir_metadata_control_flow);
}

bool
nir_split_struct_vars(nir_shader *shader, nir_variable_mode modes)
{
   struct state s = { .shader = shader, .arena = arena_create(NULL) };
   bool progress = false;

   assert((modes & ~(nir_var_function_temp | nir_var_shader_temp)) == 0);
   hash_table_init(&s.parts);
   hash_table_init(&s.fixed);
   find_fixed(&s);
   progress |= split_list(&s, &shader->variables, modes);
   nir_foreach_function(function, shader) {
      s.impl = function->impl;
      if (s.impl)
         progress |= split_list(&s, &s.impl->locals, modes);
   }
   nir_foreach_function(function, shader) {
      if (function->impl && progress)
         rewrite_impl(&s, function->impl);
   }
   hash_table_finish(&s.fixed);
   hash_table_finish(&s.parts);
   arena_destroy(s.arena);
   if (progress)
      nir_remove_dead_derefs(shader);
   else
      nir_shader_preserve_all_metadata(shader);
   return progress;
}
