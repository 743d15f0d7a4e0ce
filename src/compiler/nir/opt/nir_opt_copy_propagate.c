/* SPDX-License-Identifier: MIT */
/*
 * Uses read through movs and vecs. An ALU source looks through any of them,
 * swizzles composed; other sources only where the copy is the whole value
 * in order. Copies are left to dead code elimination.
 * Before and after: SSA; copies with modifiers or saturation are no copies.
 */
#include "nir.h"

#include "nir_private.h"

/* The value that the copy hands on whole and in order, or NULL. */
static nir_ssa_def *
whole_source(nir_alu_instr *copy)
{
   nir_ssa_def *def = copy->src[0].src.ssa;
   const unsigned n = copy->dest.dest.ssa.num_components;
   if (def->num_components != n)
      return NULL;
   for (unsigned c = 0; c < n; c++) {
      const bool vec = copy->op != nir_op_mov;
      const nir_alu_src *src = &copy->src[vec ? c : 0];
      if (src->src.ssa != def || src->swizzle[vec ? 0 : c] != c)
         return NULL;
   }
   return def;
}

static bool
propagate_alu_src(nir_alu_instr *copy, nir_alu_instr *user, unsigned i)
{
   nir_alu_src *src = &user->src[i];
   nir_ssa_def *def = NULL;
   uint8_t swizzle[NIR_MAX_VEC_COMPONENTS] = { 0 };
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
      if (!nir_alu_instr_channel_used(user, i, c))
         continue;
      const unsigned comp = src->swizzle[c];
      const bool vec = copy->op != nir_op_mov;
      const nir_alu_src *from = &copy->src[vec ? comp : 0];
      if (def && def != from->src.ssa)
         return false;
      def = from->src.ssa;
      swizzle[c] = from->swizzle[vec ? 0 : comp];
   }
   if (!def)
      return false;
   /* Components that are not read must still name one that is there. */
   memcpy(src->swizzle, swizzle, sizeof(swizzle));
   nir_instr_rewrite_src_ssa(&user->instr, &src->src, def);
   return true;
}

static unsigned
alu_src_index(nir_alu_instr *alu, nir_src *src)
{
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
      if (&alu->src[i].src == src)
         return i;
   }
   return UINT32_MAX; /* an indirect offset of the destination */
}

static bool
propagate_copy(nir_alu_instr *copy)
{
   bool progress = false;
   nir_ssa_def *def = &copy->dest.dest.ssa;
   nir_ssa_def *whole = whole_source(copy);
   nir_foreach_use_safe(src, def) {
      nir_instr *user = src->parent_instr;
      if (user->type == nir_instr_type_alu) {
         nir_alu_instr *alu = nir_instr_as_alu(user);
         const unsigned i = alu_src_index(alu, src);
         if (i != UINT32_MAX) {
            progress |= propagate_alu_src(copy, alu, i);
            continue;
         }
      }
      if (whole) {
         nir_instr_rewrite_src_ssa(user, src, whole);
         progress = true;
      }
   }
   if (whole) {
      nir_foreach_if_use_safe(src, def) {
         nir_if_rewrite_condition(src->parent_if, nir_src_for_ssa(whole));
         progress = true;
      }
   }
   return progress;
}

static bool
propagate_instr(struct nir_builder *b, nir_instr *instr, void *unused)
{
   if (instr->type != nir_instr_type_alu)
      return false;
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   if (!nir_alu_instr_is_copy(alu) ||
       nir_ssa_def_is_unused(&alu->dest.dest.ssa))
      return false;
   return propagate_copy(alu);
}

bool
nir_copy_prop(nir_shader *shader)
{
   return nir_shader_instructions_pass(shader, propagate_instr,
                                       nir_metadata_control_flow, NULL);
}
