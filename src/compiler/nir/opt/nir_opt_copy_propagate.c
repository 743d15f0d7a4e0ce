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
static nir_value *
whole_source(nir_alu_instr *copy)
{
   nir_value *def = copy->src[0].use.value;
   const unsigned n = copy->instr.result.num_components;
   if (def->num_components != n)
      return NULL;
   for (unsigned c = 0; c < n; c++) {
      const bool vec = copy->op != nir_op_mov;
      const nir_operand *src = &copy->src[vec ? c : 0];
      if (src->use.value != def || src->swizzle[vec ? 0 : c] != c)
         return NULL;
   }
   return def;
}

static bool
propagate_alu_src(nir_alu_instr *copy, nir_alu_instr *user, unsigned i)
{
   nir_operand *src = &user->src[i];
   nir_value *def = NULL;
   uint8_t swizzle[NIR_MAX_VEC_COMPONENTS] = { 0 };
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
      if (!nir_operand_reads(user, i, c))
         continue;
      const unsigned comp = src->swizzle[c];
      const bool vec = copy->op != nir_op_mov;
      const nir_operand *from = &copy->src[vec ? comp : 0];
      if (def && def != from->use.value)
         return false;
      def = from->use.value;
      swizzle[c] = from->swizzle[vec ? 0 : comp];
   }
   if (!def)
      return false;
   /* Components that are not read must still name one that is there. */
   memcpy(src->swizzle, swizzle, sizeof(swizzle));
   nir_set_use(&user->instr, &src->use, def);
   return true;
}

static bool
propagate_copy(nir_alu_instr *copy)
{
   bool progress = false;
   nir_value *def = &copy->instr.result;
   nir_value *whole = whole_source(copy);
   nir_foreach_instr_use_safe(src, def) {
      nir_instr *user = src->instr;
      if (user->kind == nir_kind_alu) {
         nir_alu_instr *alu = nir_instr_as_alu(user);
         const unsigned i = nir_alu_src_index(alu, src);
         if (i != UINT32_MAX) {
            progress |= propagate_alu_src(copy, alu, i);
            continue;
         }
      }
      if (whole) {
         nir_set_use(user, src, whole);
         progress = true;
      }
   }
   if (whole) {
      nir_foreach_if_use_safe(src, def) {
         nir_set_condition(src->nif, whole);
         progress = true;
      }
   }
   return progress;
}

static bool
propagate_instr(struct nir_builder *b, nir_instr *instr, void *unused)
{
   nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   if (!nir_alu_is_copy(alu) || nir_value_is_unused(&alu->instr.result))
      return false;
   return propagate_copy(alu);
}

bool
nir_copy_prop(nir_shader *shader)
{
   return nir_visit_instrs(shader, propagate_instr, nir_metadata_control_flow,
                           NULL);
}
