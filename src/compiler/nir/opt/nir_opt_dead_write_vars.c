/* SPDX-License-Identifier: MIT */
/*
 * Stores that a later store of the same block overwrites before anything
 * reads them; and components of stores, likewise.
 */
#include "nir.h"
#include "compiler/nir/ir/nir_deref_lists.h"

struct pending {
   nir_deref_instr *deref;
   nir_intrinsic_instr *store;
   unsigned mask; /* components not read or overwritten yet */
};

/* Something reads `deref`: what it may touch is needed. */
static void
note_read(struct nir_deref_lists *pending, nir_deref_instr *deref)
{
   nir_deref_lists_drop(pending, deref, sizeof(struct pending));
}

/* A store of `mask`: earlier stores to the same place lose these. */
static bool
note_write(struct nir_deref_lists *all, nir_intrinsic_instr *store)
{
   nir_deref_instr *deref = nir_use_as_deref(store->src[0]);
   const unsigned mask = nir_intrinsic_write_mask(store);
   const uint32_t own = nir_deref_list_of(all, deref);
   struct util_dynarray *pending = nir_deref_list(all, own);
   struct pending mine = { deref, store, mask };
   bool progress = false;
   unsigned n = (unsigned)util_dynarray_num_elements(pending, struct pending);

   for (unsigned i = 0; i < n;) {
      struct pending *p = util_dynarray_element(pending, struct pending, i);
      if ((nir_relate_derefs(p->deref, deref) & nir_derefs_equal) &&
          (p->mask & mask)) {
         p->mask &= ~mask;
         progress = true;
         if (p->mask) {
            nir_intrinsic_set_write_mask(p->store, p->mask);
         } else {
            nir_instr_remove(&p->store->instr);
            *p = *util_dynarray_element(pending, struct pending, n - 1);
            (void)util_dynarray_pop(pending, struct pending);
            n--;
            continue;
         }
      }
      i++;
   }
   util_dynarray_append(pending, struct pending, mine);
   return progress;
}

static bool
visit(struct nir_deref_lists *pending, nir_instr *instr,
      nir_variable_mode modes)
{
   nir_intrinsic_instr *intr;

   if (instr->kind == nir_kind_call) {
      nir_deref_lists_clear(pending);
      return false;
   }
   if (instr->kind != nir_kind_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   switch (intr->intrinsic) {
   case nir_intrinsic_store_deref:
      if (!nir_deref_mode_is_one_of(nir_use_as_deref(intr->src[0]), modes) ||
          (nir_intrinsic_access(intr) & ACCESS_VOLATILE))
         return false;
      return note_write(pending, intr);
   case nir_intrinsic_load_deref:
   case nir_intrinsic_interp_deref_at_centroid:
   case nir_intrinsic_interp_deref_at_sample:
   case nir_intrinsic_interp_deref_at_offset:
      note_read(pending, nir_use_as_deref(intr->src[0]));
      return false;
   case nir_intrinsic_copy_deref:
      note_read(pending, nir_use_as_deref(intr->src[1]));
      return false;
   case nir_intrinsic_emit_vertex:
   case nir_intrinsic_emit_vertex_with_counter:
   case nir_intrinsic_control_barrier:
   case nir_intrinsic_scoped_barrier:
   case nir_intrinsic_terminate:
   case nir_intrinsic_terminate_if:
   case nir_intrinsic_discard:
   case nir_intrinsic_discard_if:
      nir_deref_lists_clear(pending);
      return false;
   default: return false;
   }
}

bool
nir_opt_dead_write_vars(nir_shader *shader)
{
   const nir_variable_mode modes = nir_var_function_temp |
                                   nir_var_shader_temp | nir_var_shader_out;
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      struct nir_deref_lists pending = { 0 };
      bool here = false;
      nir_foreach_block(block, impl) {
         nir_deref_lists_clear(&pending);
         nir_foreach_instr_safe(instr, block)
            here |= visit(&pending, instr, modes);
      }
      nir_deref_lists_fini(&pending);
      nir_changed(impl, here, nir_metadata_control_flow);
      progress |= here;
   }
   return progress;
}
