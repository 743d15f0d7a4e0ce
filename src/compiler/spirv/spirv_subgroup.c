/* SPDX-License-Identifier: MIT */
/*
 * Subgroups: elections and votes (3.49.21, 3.49.22), in the form of SPIR-V
 * 1.3 and in that of SPV_KHR_subgroup_vote, which names no scope.
 */
#include "compiler/spirv/spirv_private.h"

static nir_ssa_def *
operand(struct spv *s, const uint32_t *w, unsigned i)
{
   return spv_get_ssa(s, w[i])->def;
}

static nir_ssa_def *
all_equal(struct spv *s, nir_ssa_def *v, const struct spv_type *t)
{
   switch (glsl_get_base_type(t->glsl)) {
   case GLSL_TYPE_FLOAT:
   case GLSL_TYPE_FLOAT16:
   case GLSL_TYPE_DOUBLE: return nir_vote_feq(&s->nb, 1, v);
   default: return nir_vote_ieq(&s->nb, 1, v);
   }
}

bool
spv_handle_subgroup(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   nir_ssa_def *def;
   /* Where the value is: behind the scope, if there is one. */
   unsigned value = 3;

   switch (op) {
   case SpvOpGroupNonUniformElect:
   case SpvOpGroupNonUniformAll:
   case SpvOpGroupNonUniformAny:
   case SpvOpGroupNonUniformAllEqual:
      spv_check(s, spv_const_uint(s, w[3]) == SpvScopeSubgroup,
                "%s in a scope that is not Subgroup (Vulkan, "
                "VUID-StandaloneSpirv-None-04642)", spirv_opcode_name(op));
      value = 4;
      break;
   case SpvOpSubgroupAllKHR:
   case SpvOpSubgroupAnyKHR:
   case SpvOpSubgroupAllEqualKHR:
      break;
   default:
      return false;
   }
   spv_check(s, spv_get_type(s, w[1])->base == SPV_BOOL,
             "%s: the result is not bool", spirv_opcode_name(op));
   if (op == SpvOpGroupNonUniformElect) {
      spv_set_def(s, spv_get_type(s, w[1]), w[2], nir_elect(&s->nb, 1));
      return true;
   }
   def = operand(s, w, value);
   if (op == SpvOpGroupNonUniformAllEqual) {
      spv_check(s, def != NULL, "%s of what is no scalar or vector",
                spirv_opcode_name(op));
      def = all_equal(s, def, spv_get_ssa(s, w[value])->type);
   } else {
      spv_check(s, def && def->bit_size == 1 && def->num_components == 1,
                "%s of what is not bool", spirv_opcode_name(op));
      switch (op) {
      case SpvOpGroupNonUniformAll:
      case SpvOpSubgroupAllKHR: def = nir_vote_all(&s->nb, 1, def); break;
      case SpvOpGroupNonUniformAny:
      case SpvOpSubgroupAnyKHR: def = nir_vote_any(&s->nb, 1, def); break;
      default: def = nir_vote_ieq(&s->nb, 1, def); break;
      }
   }
   spv_set_def(s, spv_get_type(s, w[1]), w[2], def);
   return true;
}
