/* SPDX-License-Identifier: MIT */
/* Sends one instruction of a block to the file that knows it. */
#include "compiler/spirv/kernel/spirv_kernel.h"

static void
handle_ext_inst(struct spv *s, const uint32_t *w)
{
   const struct spv_value *set = spv_value(s, w[3], SPV_VALUE_EXT_IMPORT);

   if (set->ext == SPV_EXT_GLSL450)
      spv_handle_glsl450(s, w);
   else if (set->ext == SPV_EXT_OPENCL)
      spv_handle_opencl(s, w);
   /* Non-semantic sets may be skipped by definition. */
}

static unsigned
stream(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   uint64_t n;

   if (op != SpvOpEmitStreamVertex && op != SpvOpEndStreamPrimitive)
      return 0;
   n = spv_const_uint(s, w[1]);
   spv_check(s, n < 4, "%s: stream %llu (3.49.19)", spirv_opcode_name(op),
             (unsigned long long)n);
   return (unsigned)n;
}

static bool
handle_primitive(struct spv *s, const uint32_t *w)
{
   switch (spv_opcode(w)) {
   case SpvOpEmitVertex:
   case SpvOpEmitStreamVertex:
      spv_check(s, s->stage == MESA_SHADER_GEOMETRY,
                "%s outside of a geometry shader (3.49.19)",
                spirv_opcode_name(spv_opcode(w)));
      s->shader->info.gs.active_stream_mask |= (uint8_t)(1u << stream(s, w));
      nir_emit_vertex(&s->nb, .stream_id = stream(s, w));
      return true;
   case SpvOpEndPrimitive:
   case SpvOpEndStreamPrimitive:
      spv_check(s, s->stage == MESA_SHADER_GEOMETRY,
                "%s outside of a geometry shader (3.49.19)",
                spirv_opcode_name(spv_opcode(w)));
      s->shader->info.gs.uses_end_primitive = true;
      nir_end_primitive(&s->nb, .stream_id = stream(s, w));
      return true;
   default: return false;
   }
}

static bool
handle_demote(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);

   if (op != SpvOpDemoteToHelperInvocation &&
       op != SpvOpIsHelperInvocationEXT)
      return false;
   spv_check(s, s->stage == MESA_SHADER_FRAGMENT,
             "%s outside of a fragment shader", spirv_opcode_name(op));
   if (op == SpvOpDemoteToHelperInvocation) {
      nir_demote(&s->nb);
      s->shader->info.fs.uses_demote = true;
      s->shader->info.fs.uses_discard = true;
      return true;
   }
   spv_check(s, spv_get_type(s, w[1])->base == SPV_BOOL,
             "OpIsHelperInvocationEXT: the result is not bool");
   spv_set_def(s, spv_get_type(s, w[1]), w[2],
               nir_is_helper_invocation(&s->nb, 1));
   return true;
}

/* Of any kind: that of the execution mode says how much is enough, and the
 * back end orders whole pixels, older primitives first. */
static bool
handle_interlock(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);

   if (op != SpvOpBeginInvocationInterlockEXT &&
       op != SpvOpEndInvocationInterlockEXT)
      return false;
   spv_check(s, s->stage == MESA_SHADER_FRAGMENT,
             "%s outside of a fragment shader", spirv_opcode_name(op));
   if (op == SpvOpBeginInvocationInterlockEXT)
      nir_begin_invocation_interlock(&s->nb);
   else
      nir_end_invocation_interlock(&s->nb);
   return true;
}

static bool
handle_clock(struct spv *s, const uint32_t *w)
{
   struct spv_type *t;
   nir_value *def;
   uint64_t scope;

   if (spv_opcode(w) != SpvOpReadClockKHR)
      return false;
   t = spv_get_type(s, w[1]);
   scope = spv_const_uint(s, w[3]);
   spv_check(s,
             spv_scalar(t)->base == SPV_INT &&
                t->bits * spv_components(t) == 64 && t->bits >= 32,
             "OpReadClockKHR: the result is neither 64 bits nor twice 32");
   if (scope != SpvScopeSubgroup)
      spv_unsupported(s, "OpReadClockKHR in scope %llu",
                      (unsigned long long)scope);
   def = nir_shader_clock(&s->nb, .memory_scope = NIR_SCOPE_SUBGROUP);
   if (t->bits == 64)
      def = nir_pack_64_2x32(&s->nb, def);
   spv_set_def(s, t, w[2], def);
   return true;
}

static bool
is_nothing(unsigned op)
{
   return op == SpvOpNop || op == SpvOpLine || op == SpvOpNoLine ||
          op == SpvOpAssumeTrueKHR;
}

/* Whether all floats are computed as written: a zero's sign, infinities and
 * NaNs are kept by what is exact, of whichever size the mode names. */
static bool
keeps_special_floats(const struct spv *s)
{
   return s->shader->info.float_controls_execution_mode &
          (FLOAT_CONTROLS_SIGNED_ZERO_INF_NAN_PRESERVE_FP16 |
           FLOAT_CONTROLS_SIGNED_ZERO_INF_NAN_PRESERVE_FP32 |
           FLOAT_CONTROLS_SIGNED_ZERO_INF_NAN_PRESERVE_FP64);
}

/* Whether an instruction is computed as written, by its own fast-math flags
 * or by the default of the module. */
static bool
is_strict(const struct spv *s, const struct spv_value *result)
{
   if (!s->has_fast_math)
      return false;
   for (const struct spv_decoration *d = result->decorations; d;
        d = d->next) {
      if (d->member < 0 && d->what == SpvDecorationFPFastMathMode &&
          d->num_operands)
         return !spv_allows_all(d->operands[0]);
   }
   return s->strict_math;
}

/* One instruction of a block that is neither phi nor control flow. */
void
spv_handle_instruction(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   const struct spirv_opcode *info = spirv_opcode_info(op);
   const struct spirv_operand *o = &spirv_operands[info->first_operand];

   s->nb.location = spv_location(s, w);
   s->nb.exact = s->no_contraction || keeps_special_floats(s);
   s->nb.exact |=
      info->num_operands >= 2 && o[0].kind == SPIRV_OPERAND_RESULT_TYPE &&
      (spv_has_decoration(&s->values[w[2]], SpvDecorationNoContraction) ||
       is_strict(s, &s->values[w[2]]));
   if (is_nothing(op))
      return;
   if (op == SpvOpFunctionCall)
      spv_handle_call(s, w);
   else if (op == SpvOpExtInst)
      handle_ext_inst(s, w);
   else if (!spv_handle_kernel(s, w) && !spv_handle_physical(s, w) &&
            !spv_handle_memory(s, w) && !spv_handle_alu(s, w) &&
            !spv_handle_composite(s, w) && !spv_handle_image(s, w) &&
            !spv_handle_matrix(s, w) && !spv_handle_variable(s, w) &&
            !spv_handle_atomic(s, w) && !spv_handle_barrier(s, w) &&
            !spv_handle_subgroup(s, w) && !spv_handle_dot(s, w) &&
            !handle_primitive(s, w) && !handle_demote(s, w) &&
            !handle_clock(s, w) && !handle_interlock(s, w))
      spv_unsupported(s, "%s", info->name);
   s->nb.exact = false;
}
