/* SPDX-License-Identifier: MIT */
/*
 * Problem: a message names one entry of the binding table and one sampler for
 * all channels of a thread, but what is decorated NonUniform may name another
 * in each.
 *
 * Method: a loop takes the numbers that the first of its channels has, does
 * the access for all that have the same, which then leave the loop:
 *    loop {
 *       first = read_first_invocation(number)
 *       if (number == first) { access(first); break; }
 *    }
 *
 * Before: resources are entries of the tables; accesses say so by
 * ACCESS_NON_UNIFORM or texture_non_uniform. After: none does.
 * Cost: a turn of the loop for each number that differs.
 */
#include "compiler/nir/nir_builder.h"
#include "saf_pipeline.h"

#define MAX_NUMBERS 2 /* of a texture and of a sampler */

static int
either(const nir_tex_instr *tex, nir_tex_operand_kind a,
       nir_tex_operand_kind b)
{
   const int at = nir_tex_find(tex, a);
   return at >= 0 ? at : nir_tex_find(tex, b);
}

/* The sources with a number that may differ; how many. */
static unsigned
tex_numbers(nir_tex_instr *tex, nir_use *out[MAX_NUMBERS])
{
   const int t =
      either(tex, nir_tex_src_texture_offset, nir_tex_src_texture_handle);
   const int s =
      either(tex, nir_tex_src_sampler_offset, nir_tex_src_sampler_handle);
   unsigned n = 0;
   if (t >= 0 && tex->texture_non_uniform)
      out[n++] = &tex->src[t].use;
   /* One decoration serves an image with its sampler. */
   if (s >= 0 && (tex->sampler_non_uniform || tex->texture_non_uniform))
      out[n++] = &tex->src[s].use;
   return n;
}

static unsigned
intrinsic_numbers(nir_intrinsic_instr *intr, nir_use *out[MAX_NUMBERS])
{
   if (!nir_intrinsic_has_access(intr) ||
       !(nir_intrinsic_access(intr) & ACCESS_NON_UNIFORM))
      return 0;
   out[0] = &intr->src[intr->intrinsic == nir_intrinsic_store_ssbo ? 1 : 0];
   return nir_use_is_const(*out[0]) ? 0 : 1;
}

static unsigned
numbers(nir_instr *instr, nir_use *out[MAX_NUMBERS])
{
   if (instr->kind == nir_kind_tex)
      return tex_numbers(nir_instr_as_tex(instr), out);
   if (instr->kind == nir_kind_intrinsic)
      return intrinsic_numbers(nir_instr_as_intrinsic(instr), out);
   return 0;
}

static void
clear_flag(nir_instr *instr)
{
   if (instr->kind == nir_kind_tex) {
      nir_tex_instr *tex = nir_instr_as_tex(instr);
      tex->texture_non_uniform = tex->sampler_non_uniform = false;
   } else {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      nir_intrinsic_set_access(intr, nir_intrinsic_access(intr) &
                                        ~ACCESS_NON_UNIFORM);
   }
}

static nir_value *
result(nir_instr *instr)
{
   if (instr->kind == nir_kind_tex)
      return &instr->result;
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
   return nir_intrinsic_infos[intr->intrinsic].has_dest ? &intr->instr.result
                                                        : NULL;
}

static void
lower(nir_builder *b, nir_instr *old)
{
   nir_use *src[MAX_NUMBERS];
   nir_value *first[MAX_NUMBERS], *same = NULL;
   b->cursor = nir_before_instr(old);
   nir_instr *access = nir_instr_clone(b->shader, old);
   const unsigned n = numbers(old, src);
   nir_loop *loop = nir_push_loop(b);
   for (unsigned i = 0; i < n; i++) {
      first[i] = nir_read_first_invocation(b, 1, src[i]->value);
      nir_value *equal = nir_ieq(b, src[i]->value, first[i]);
      same = same ? nir_iand(b, same, equal) : equal;
   }
   nir_if *nif = nir_push_if(b, same);
   nir_emit(b, access);
   numbers(access, src);
   for (unsigned i = 0; i < n; i++)
      nir_set_use(access, src[i], first[i]);
   clear_flag(access);
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, nif);
   nir_pop_loop(b, loop);
   if (result(old))
      nir_value_replace(result(old), result(access));
   nir_instr_remove(old);
}

bool
saf_nir_lower_non_uniform(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b = nir_builder_create(impl);
   struct util_dynarray found = { 0 };
   nir_use *src[MAX_NUMBERS];
   /* They become control flow: first the list. */
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (numbers(instr, src))
            util_dynarray_append(&found, nir_instr *, instr);
      }
   }
   util_dynarray_foreach(&found, nir_instr *, instr)
      lower(&b, *instr);
   const bool progress = found.size_B != 0;
   if (progress)
      nir_metadata_preserve(impl, nir_metadata_none);
   util_dynarray_fini(&found);
   return progress;
}
