/* SPDX-License-Identifier: MIT */
/*
 * Part of saf_nir_apply_pipeline_layout(): accesses by pointers into storage
 * buffers, which are load_ssbo and its kind from the front end on. What they
 * name the buffer by is an entry of the table or a handle, as the pointer was
 * made (buffer_pointer); where a shader makes both kinds, the top bit says
 * which, and each access is there twice.
 *
 * Before: no other access names a buffer. After: all say whether they name a
 * handle; there is no get_ssbo_size.
 */
#include "saf_nir_layout.h"

/* The source that names the buffer; NULL: no such access. */
static nir_use *
name_of(nir_instr *instr)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return NULL;
   switch (intr->intrinsic) {
   case nir_intrinsic_store_ssbo: return &intr->src[1];
   case nir_intrinsic_load_ssbo:
   case nir_intrinsic_get_ssbo_size: return &intr->src[0];
   default:
      return saf_layout_is_buffer_atomic(intr->intrinsic) ? &intr->src[0]
                                                          : NULL;
   }
}

static unsigned
kind_of(const struct saf_layout_pass *s, nir_instr *instr)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return 0;
   if (intr->intrinsic != nir_intrinsic_buffer_pointer)
      return 0;
   const nir_variable *var = nir_deref_root(nir_use_as_deref(intr->src[0]));
   if (var->data.mode != nir_var_mem_ssbo)
      return 0;
   return saf_layout_is_bindless(s, var) ? SAF_POINTER_HANDLE
                                         : SAF_POINTER_ENTRY;
}

bool
saf_layout_pointer_info(struct saf_layout_pass *s, nir_value *name,
                        const char *why, struct saf_info_place *out)
{
   if (s->pointers & SAF_POINTER_HANDLE)
      return saf_layout_fail(s, why);
   return saf_nir_table_info(&s->b, s->map, name, out) ||
          saf_layout_fail(s, "too many bindings for a shader stage");
}

static void
lower_size(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   struct saf_info_place info;
   s->b.cursor = nir_before_instr(&intr->instr);
   if (!saf_layout_pointer_info(s, intr->src[0].value,
                                "the length of an array by a pointer into a "
                                "buffer that is updated after it is bound",
                                &info))
      return;
   nir_instr_replace(&intr->instr, saf_nir_buffer_size(&s->b, &info));
}

static void
add_access(nir_instr *instr, enum gl_access_qualifier access)
{
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
   nir_intrinsic_set_access(intr, nir_intrinsic_access(intr) | access);
}

/* An access like another; what it gives, if anything. */
static nir_value *
put_access(nir_builder *b, nir_instr *like, nir_value *name,
           enum gl_access_qualifier access)
{
   nir_instr *instr = nir_instr_clone(b->shader, like);
   nir_emit(b, instr);
   nir_set_use(instr, name_of(instr), name);
   add_access(instr, access);
   return &instr->result;
}

/* One for handles, one for entries. */
static void
lower_either(struct saf_layout_pass *s, nir_instr *old)
{
   nir_builder *b = &s->b;
   b->cursor = nir_before_instr(old);
   nir_value *name = name_of(old)->value;
   nir_if *nif = nir_push_if(b, nir_ilt(b, name, nir_imm_int(b, 0)));
   nir_value *plain = nir_iand_imm(b, name, INT32_MAX);
   nir_value *by_handle = put_access(b, old, plain, ACCESS_BINDLESS);
   nir_push_else(b, nif);
   nir_value *by_entry = put_access(b, old, name, 0);
   nir_pop_if(b, nif);
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic(old);
   if (nir_intrinsic_infos[intr->intrinsic].has_dest)
      nir_value_replace(&intr->instr.result,
                        nir_if_phi(b, by_handle, by_entry));
   nir_instr_remove(old);
}

bool
saf_layout_lower_pointers(struct saf_layout_pass *s, nir_function_impl *impl)
{
   struct util_dynarray found = { 0 };
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         s->pointers |= kind_of(s, instr);
         if (name_of(instr))
            util_dynarray_append(&found, nir_instr *, instr);
      }
   }
   bool progress = false;
   util_dynarray_foreach(&found, nir_instr *, instr) {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(*instr);
      if (intr->intrinsic == nir_intrinsic_get_ssbo_size)
         lower_size(s, intr);
      else if (s->pointers == SAF_POINTER_BOTH)
         lower_either(s, *instr);
      else if (s->pointers == SAF_POINTER_HANDLE)
         add_access(*instr, ACCESS_BINDLESS);
      else
         continue; /* that they name an entry goes without saying */
      progress = true;
   }
   if (progress)
      nir_metadata_preserve(impl, nir_metadata_none);
   util_dynarray_fini(&found);
   return progress;
}
