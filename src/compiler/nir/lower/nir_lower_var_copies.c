/* SPDX-License-Identifier: MIT */
/*
 * copy_deref of anything into loads and stores of vectors. Splitting first
 * (nir_split_var_copies) leaves copies of vectors only, which other passes
 * may want to see; lowering takes copies of any type.
 */
#include "nir.h"
#include "nir_builder.h"

struct copy {
   nir_builder b;
   bool split_only;
   enum gl_access_qualifier dst_access, src_access;
};

static void
emit_copy(struct copy *c, nir_deref_instr *dst, nir_deref_instr *src)
{
   if (glsl_type_is_vector_or_scalar(src->type)) {
      nir_value *v;
      if (c->split_only) {
         nir_copy_deref_with_access(&c->b, dst, src, c->dst_access,
                                    c->src_access);
         return;
      }
      v = nir_load_deref_with_access(&c->b, src, c->src_access);
      nir_store_deref_with_access(
         &c->b, dst, v, BITFIELD_MASK(v->num_components), c->dst_access);
      return;
   }
   const bool members = glsl_type_is_struct_or_ifc(src->type);
   const unsigned parts = glsl_get_length(src->type);
   for (unsigned i = 0; i < parts; i++) {
      nir_deref_instr *from = members
                                 ? nir_build_deref_struct(&c->b, src, i)
                                 : nir_build_deref_array_imm(&c->b, src, i);
      nir_deref_instr *to = members
                               ? nir_build_deref_struct(&c->b, dst, i)
                               : nir_build_deref_array_imm(&c->b, dst, i);
      emit_copy(c, to, from);
   }
}

/* Wildcards on both sides run over the same elements. */
static void
expand(struct copy *c, nir_deref_instr *dst, nir_deref_instr **dst_rest,
       nir_deref_instr *src, nir_deref_instr **src_rest)
{
   while (*dst_rest &&
          (*dst_rest)->deref_type != nir_deref_type_array_wildcard)
      dst = nir_build_deref_follower(&c->b, dst, *dst_rest++);
   while (*src_rest &&
          (*src_rest)->deref_type != nir_deref_type_array_wildcard)
      src = nir_build_deref_follower(&c->b, src, *src_rest++);
   if (!*dst_rest || !*src_rest) {
      assert(!*dst_rest && !*src_rest && "as many wildcards on both sides");
      emit_copy(c, dst, src);
      return;
   }
   for (unsigned i = 0; i < glsl_get_length(src->type); i++)
      expand(c, nir_build_deref_array_imm(&c->b, dst, i), dst_rest + 1,
             nir_build_deref_array_imm(&c->b, src, i), src_rest + 1);
}

static bool
has_wildcard(nir_deref_instr *d)
{
   for (; d; d = nir_deref_parent(d)) {
      if (d->deref_type == nir_deref_type_array_wildcard)
         return true;
   }
   return false;
}

static bool
lower_copy(struct copy *c, nir_intrinsic_instr *intr)
{
   nir_deref_instr *dst = nir_use_as_deref(intr->src[0]);
   nir_deref_instr *src = nir_use_as_deref(intr->src[1]);
   nir_deref_path dst_path, src_path;

   if (c->split_only &&
       (glsl_type_is_vector_or_scalar(src->type) || has_wildcard(src)))
      return false;
   c->b.cursor = nir_before_instr(&intr->instr);
   c->dst_access = nir_intrinsic_dst_access(intr);
   c->src_access = nir_intrinsic_src_access(intr);
   nir_deref_path_init(&dst_path, dst, NULL);
   nir_deref_path_init(&src_path, src, NULL);
   expand(c, dst_path.path[0], dst_path.path + 1, src_path.path[0],
          src_path.path + 1);
   nir_deref_path_finish(&src_path);
   nir_deref_path_finish(&dst_path);
   nir_instr_remove(&intr->instr);
   nir_deref_remove_unused(dst);
   if (src != dst)
      nir_deref_remove_unused(src);
   return true;
}

static bool
run(nir_shader *shader, bool split_only)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      struct copy c = { .split_only = split_only };
      bool here = false;
      nir_builder_init(&c.b, impl);
      nir_foreach_block(block, impl) {
         nir_foreach_instr_safe(instr, block) {
            if (instr->kind == nir_kind_intrinsic &&
                nir_instr_as_intrinsic(instr)->intrinsic ==
                   nir_intrinsic_copy_deref)
               here |= lower_copy(&c, nir_instr_as_intrinsic(instr));
         }
      }
      nir_changed(impl, here, nir_metadata_control_flow);
      progress |= here;
   }
   return progress;
}

bool
nir_split_var_copies(nir_shader *shader)
{
   return run(shader, true);
}

bool
nir_lower_var_copies(nir_shader *shader)
{
   return run(shader, false);
}
