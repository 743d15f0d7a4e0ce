/* SPDX-License-Identifier: MIT */
/*
 * Loads of what the same block has stored or loaded before.
 *
 * Within a block, what is known of each dereference is kept: the value of
 * each component. A write to what may overlap forgets it; so does anything
 * that may write by other means. Only variables that nobody else writes take
 * part: temporaries and, outside of tessellation control, outputs.
 */
#include "nir.h"
#include "nir_builder.h"
#include "compiler/nir/ir/nir_deref_lists.h"

struct known {
   nir_deref_instr *deref;
   nir_component comps[NIR_MAX_VEC_COMPONENTS]; /* def NULL: not known */
};

struct state {
   nir_builder b;
   nir_variable_mode modes;
   struct nir_deref_lists known; /* struct known */
   bool progress;
};

static struct known *
find(struct state *s, nir_deref_instr *deref)
{
   const uint32_t own = nir_deref_list_of(&s->known, deref);
   struct util_dynarray *list = nir_deref_list(&s->known, own);

   util_dynarray_foreach(list, struct known, k) {
      if (k->deref == deref ||
          (nir_relate_derefs(k->deref, deref) & nir_derefs_equal))
         return k;
   }
   return NULL;
}

static struct known *
add(struct state *s, nir_deref_instr *deref)
{
   const uint32_t own = nir_deref_list_of(&s->known, deref);
   struct util_dynarray *list = nir_deref_list(&s->known, own);
   const struct known k = { .deref = deref };

   util_dynarray_append(list, struct known, k);
   return util_dynarray_element(
      list, struct known, util_dynarray_num_elements(list, struct known) - 1);
}

static bool
takes_part(const struct state *s, const nir_deref_instr *deref,
           enum gl_access_qualifier access)
{
   return nir_deref_mode_is_one_of(deref, s->modes) &&
          glsl_type_is_vector_or_scalar(deref->type) &&
          !(access & ACCESS_VOLATILE);
}

static void
visit_load(struct state *s, nir_intrinsic_instr *intr)
{
   nir_deref_instr *deref = nir_use_as_deref(intr->src[0]);
   const unsigned n = intr->num_components;
   struct known *k;
   unsigned have = 0;

   if (!takes_part(s, deref, nir_intrinsic_access(intr)))
      return;
   k = find(s, deref);
   if (!k)
      k = add(s, deref);
   for (unsigned i = 0; i < n; i++)
      have += k->comps[i].def != NULL;
   if (have == n) {
      s->b.cursor = nir_before_instr(&intr->instr);
      nir_instr_replace(&intr->instr, nir_vec_scalars(&s->b, k->comps, n));
      s->progress = true;
      return;
   }
   for (unsigned i = 0; i < n; i++) {
      if (!k->comps[i].def)
         k->comps[i] = nir_component_of(&intr->instr.result, i);
   }
}

static void
visit_store(struct state *s, nir_intrinsic_instr *intr)
{
   nir_deref_instr *deref = nir_use_as_deref(intr->src[0]);
   const unsigned mask = nir_intrinsic_write_mask(intr);
   struct known old = { NULL }, *k;

   if (!nir_deref_mode_may_be(deref, s->modes))
      return;
   k = find(s, deref);
   if (k)
      old = *k;
   nir_deref_lists_drop(&s->known, deref, sizeof(struct known));
   if (!takes_part(s, deref, nir_intrinsic_access(intr)))
      return;
   k = add(s, deref);
   for (unsigned i = 0; i < intr->num_components; i++)
      k->comps[i] = mask & (1u << i) ? nir_component_of(intr->src[1].value, i)
                                     : old.comps[i];
}

static void
visit(struct state *s, nir_instr *instr)
{
   nir_intrinsic_instr *intr;

   if (instr->kind == nir_kind_call) {
      nir_deref_lists_clear(&s->known);
      return;
   }
   if (instr->kind != nir_kind_intrinsic)
      return;
   intr = nir_instr_as_intrinsic(instr);
   switch (intr->intrinsic) {
   case nir_intrinsic_load_deref: visit_load(s, intr); break;
   case nir_intrinsic_store_deref: visit_store(s, intr); break;
   case nir_intrinsic_copy_deref:
      nir_deref_lists_drop(&s->known, nir_use_as_deref(intr->src[0]),
                           sizeof(struct known));
      break;
   case nir_intrinsic_emit_vertex:
   case nir_intrinsic_emit_vertex_with_counter:
      /* Outputs are undefined afterwards. */
      nir_deref_lists_clear(&s->known);
      break;
   default: break;
   }
}

bool
nir_opt_copy_prop_vars(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      struct state s = { .modes = nir_var_function_temp |
                                  nir_var_shader_temp };
      if (shader->info.stage != MESA_SHADER_TESS_CTRL)
         s.modes |= nir_var_shader_out;
      nir_builder_init(&s.b, impl);
      nir_foreach_block(block, impl) {
         nir_deref_lists_clear(&s.known);
         nir_foreach_instr_safe(instr, block)
            visit(&s, instr);
      }
      nir_deref_lists_fini(&s.known);
      nir_changed(impl, s.progress, nir_metadata_control_flow);
      progress |= s.progress;
   }
   return progress;
}
