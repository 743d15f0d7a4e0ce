/* SPDX-License-Identifier: MIT */
/*
 * Calls are replaced by the body of what they call, callees first. Before:
 * returns lowered, no recursion (a call that is being inlined is left).
 * After: no call is left in any function that could be inlined.
 */
#include "nir.h"
#include "nir_builder.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

static bool inline_impl(nir_function_impl *impl, struct hash_table *done);

/* In a copy of a body, parameters are the sources of the call. */
static void
replace_params(nir_builder *b, nir_function_impl *copy,
               const nir_call_instr *call)
{
   nir_foreach_block(block, copy) {
      nir_foreach_instr_safe(instr, block) {
         nir_intrinsic_instr *intr;
         if (instr->kind != nir_kind_intrinsic)
            continue;
         intr = nir_instr_as_intrinsic(instr);
         if (intr->intrinsic != nir_intrinsic_load_param)
            continue;
         nir_instr_replace(
            &intr->instr,
            nir_use_value(b, call->params[nir_intrinsic_param_idx(intr)],
                          (int)intr->num_components));
      }
   }
}

static void
inline_call(nir_builder *b, nir_call_instr *call)
{
   nir_function_impl *copy =
      nir_function_impl_clone(b->shader, call->callee->impl);
   nir_cf_list body;

   b->cursor = nir_before_instr(&call->instr);
   replace_params(b, copy, call);
   list_splicetail(&copy->locals, &b->impl->locals);
   nir_cf_list_extract(&body, &copy->body);
   nir_cf_put_back(&body, nir_before_instr(&call->instr));
   nir_instr_remove(&call->instr);
}

static bool
inline_impl(nir_function_impl *impl, struct hash_table *done)
{
   if (hash_table_has(done, hash_key_ptr(impl)))
      return false;
   hash_table_insert(done, hash_key_ptr(impl), NULL);
   struct util_dynarray calls = { 0 };
   nir_foreach_instr_of(instr, impl) {
      nir_call_instr *call = nir_maybe_call(instr);
      if (call && call->callee->impl)
         util_dynarray_append(&calls, nir_call_instr *, call);
   }
   nir_builder b = nir_builder_at(impl, nir_before_impl(impl));
   bool progress = false;
   util_dynarray_foreach(&calls, nir_call_instr *, call) {
      inline_impl((*call)->callee->impl, done);
      inline_call(&b, *call);
      progress = true;
   }
   util_dynarray_fini(&calls);
   if (progress)
      nir_number_values(impl);
   nir_changed(impl, progress, nir_metadata_none);
   return progress;
}

bool
nir_inline_functions(nir_shader *shader)
{
   struct hash_table done;
   bool progress = false;

   hash_table_init(&done);
   nir_foreach_impl(impl, shader)
      progress |= inline_impl(impl, &done);
   hash_table_finish(&done);
   return progress;
}
