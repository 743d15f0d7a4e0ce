/* SPDX-License-Identifier: MIT */
/*
 * Operations on storage images: from the form that names the image by a
 * dereference to the one with an index or a handle.
 */
#include "nir.h"

#define FORMS(name)                                                          \
   {                                                                         \
      nir_intrinsic_image_deref_##name, nir_intrinsic_image_##name,          \
         nir_intrinsic_bindless_image_##name                                 \
   }

static const struct {
   nir_intrinsic_op deref, index, bindless;
} forms[] = {
   FORMS(load),
   FORMS(sparse_load),
   FORMS(store),
   FORMS(size),
   FORMS(samples),
   FORMS(atomic_add),
   FORMS(atomic_imin),
   FORMS(atomic_umin),
   FORMS(atomic_imax),
   FORMS(atomic_umax),
   FORMS(atomic_and),
   FORMS(atomic_or),
   FORMS(atomic_xor),
   FORMS(atomic_exchange),
   FORMS(atomic_comp_swap),
   FORMS(atomic_fadd),
   FORMS(atomic_fmin),
   FORMS(atomic_fmax),
   FORMS(atomic_fcomp_swap),
   FORMS(atomic_inc_wrap),
   FORMS(atomic_dec_wrap),
};

static int
find(nir_intrinsic_op op)
{
   for (unsigned i = 0; i < ARRAY_SIZE(forms); i++) {
      if (forms[i].deref == op)
         return (int)i;
   }
   return -1;
}

bool
nir_intrinsic_is_image_deref(const nir_intrinsic_instr *intr)
{
   return find(intr->intrinsic) >= 0;
}

void
nir_rewrite_image_intrinsic(nir_intrinsic_instr *intr, nir_value *src,
                            bool bindless)
{
   const nir_deref_instr *deref = nir_use_as_deref(intr->src[0]);
   const nir_variable *var = nir_deref_root(deref);
   const int i = find(intr->intrinsic);
   enum gl_access_qualifier access = nir_intrinsic_access(intr);
   enum pipe_format format = nir_intrinsic_format(intr);
   const enum glsl_sampler_dim dim = nir_intrinsic_image_dim(intr);
   const bool array = nir_intrinsic_image_array(intr);
   nir_alu_type dest = 0, data = 0;

   assert(i >= 0 && "no operation on an image deref");
   if (var) {
      access |= var->data.access;
      if (format == PIPE_FORMAT_NONE)
         format = var->data.image.format;
   }
   if (nir_intrinsic_has_dest_type(intr))
      dest = nir_intrinsic_dest_type(intr);
   if (nir_intrinsic_has_src_type(intr))
      data = nir_intrinsic_src_type(intr);

   /* The other forms have one index more among these. */
   memset(intr->const_index, 0, sizeof(intr->const_index));
   intr->intrinsic = bindless ? forms[i].bindless : forms[i].index;
   nir_intrinsic_set_image_dim(intr, dim);
   nir_intrinsic_set_image_array(intr, array);
   nir_intrinsic_set_format(intr, format);
   nir_intrinsic_set_access(intr, access);
   if (nir_intrinsic_has_dest_type(intr))
      nir_intrinsic_set_dest_type(intr, dest);
   if (nir_intrinsic_has_src_type(intr))
      nir_intrinsic_set_src_type(intr, data);
   nir_set_use(&intr->instr, &intr->src[0], src);
}
