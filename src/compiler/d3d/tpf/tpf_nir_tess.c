/* SPDX-License-Identifier: MIT */
/*
 * Hull and domain shaders.
 *
 * A hull shader is a tessellation control shader with an invocation for each
 * output control point: each runs the control point phase (without one,
 * control points are handed through); then the first runs fork and join
 * phases one after the other, each as often as it has instances. What they
 * write is an array of registers, stored as outputs of the patch at the end;
 * tessellation factors are where GL has them: the levels of edges and inside
 * in the same order, of lines density before detail.
 *
 * Control points have a varying of their register between the two stages,
 * whatever their semantic.
 */
#include "tpf_nir.h"

#define PATCH_REGS 32

static bool
is_phase(enum tpf_op op)
{
   return op == TPF_OP_HS_CONTROL_POINT_PHASE || op == TPF_OP_HS_FORK_PHASE ||
          op == TPF_OP_HS_JOIN_PHASE;
}

/* --- Modes -------------------------------------------------------------- */

/* What is rounded to powers of two is so in the factors that the shader
 * writes: the tessellator takes it as integer (DXVK's DxbcCompiler has the
 * same). */
static enum gl_tess_spacing
spacing_of(unsigned partitioning)
{
   return partitioning == 3   ? TESS_SPACING_FRACTIONAL_ODD
          : partitioning == 4 ? TESS_SPACING_FRACTIONAL_EVEN
                              : TESS_SPACING_EQUAL;
}

void
tpf_nir_declare_tess(struct tpf_nir *t, const struct tpf_inst *inst)
{
   static const enum tess_primitive_mode domains[] = {
      TESS_PRIMITIVE_UNSPECIFIED,
      TESS_PRIMITIVE_ISOLINES,
      TESS_PRIMITIVE_TRIANGLES,
      TESS_PRIMITIVE_QUADS,
   };
   struct shader_info *info = &t->b.shader->info;

   switch (inst->op) {
   case TPF_OP_DCL_INPUT_CONTROL_POINT_COUNT:
      t->control_points = tpf_bits(inst->controls, 11, 6);
      break;
   case TPF_OP_DCL_OUTPUT_CONTROL_POINT_COUNT:
      info->tess.tcs_vertices_out = tpf_bits(inst->controls, 11, 6);
      break;
   case TPF_OP_DCL_TESS_DOMAIN:
      info->tess._primitive_mode = domains[tpf_bits(inst->controls, 11, 2)];
      break;
   case TPF_OP_DCL_TESS_PARTITIONING:
      info->tess.spacing = spacing_of(tpf_bits(inst->controls, 11, 3));
      break;
   case TPF_OP_DCL_TESS_OUTPUT_PRIMITIVE:
      info->tess.point_mode = tpf_bits(inst->controls, 11, 3) == 1;
      info->tess.ccw = tpf_bits(inst->controls, 11, 3) == 4;
      break;
   default: break;
   }
}

/* --- What belongs to the patch ------------------------------------------ */

/* NULL: the name is none of a tessellation factor. */
static nir_deref_instr *
tess_level(struct tpf_nir *t, nir_variable_mode mode, unsigned name)
{
   static const struct {
      bool inner;
      uint8_t index;
   } rows[] = {
      { false, 0 }, { false, 1 }, { false, 2 }, { false, 3 }, /* quad */
      { true, 0 },  { true, 1 },  { false, 0 }, { false, 1 },
      { false, 2 }, { true, 0 },  /* triangle */
      { false, 1 }, { false, 0 }, /* line */
   };
   const unsigned n = name - TPF_NAME_FINALQUADUEQ0EDGETESSFACTOR;
   nir_variable *var;

   if (n >= ARRAY_SIZE(rows))
      return NULL;
   const int slot = rows[n].inner ? VARYING_SLOT_TESS_LEVEL_INNER
                                  : VARYING_SLOT_TESS_LEVEL_OUTER;
   var = nir_variable_at(t->b.shader, mode, (unsigned)slot);
   if (!var) {
      var = nir_new_variable(
         t->b.shader, mode,
         glsl_array_type(glsl_float_type(), rows[n].inner ? 2 : 4, 0), NULL);
      var->data.location = slot;
      var->data.compact = true;
      var->data.patch = true;
   }
   return nir_build_deref_array_imm(&t->b, nir_deref_to(&t->b, var),
                                    rows[n].index);
}

static nir_variable *
patch_variable(struct tpf_nir *t, nir_variable_mode mode, unsigned reg,
               unsigned mask)
{
   nir_variable *var = tpf_nir_make_io(
      t, mode, VARYING_SLOT_PATCH0 + (int)reg, reg, mask, 0, DXBC_PATCH);

   var->data.patch = true;
   return var;
}

static bool
patch_register(struct tpf_nir *t, const struct tpf_inst *inst, unsigned *reg)
{
   *reg = inst->operand[0].index[0].imm;
   return *reg < PATCH_REGS ||
          tpf_nir_fail(t, "a patch has %u registers", PATCH_REGS);
}

/* vpc of a domain shader. */
void
tpf_nir_patch_input(struct tpf_nir *t, const struct tpf_inst *inst)
{
   const unsigned mask = tpf_nir_mask_of(&inst->operand[0]);
   nir_builder *b = &t->b;
   nir_deref_instr *level;
   nir_value *v;
   unsigned reg;

   if (t->shader->stage != TPF_STAGE_DS || !patch_register(t, inst, &reg))
      return;
   level = tess_level(t, nir_var_shader_in, inst->num_imm ? inst->imm[0] : 0);
   if (level) {
      v = nir_load_deref(b, level);
      v = tpf_nir_placed(t, v, (unsigned)__builtin_ctz(mask));
   } else {
      nir_variable *var = patch_variable(t, nir_var_shader_in, reg, mask);
      v = tpf_nir_placed(t, nir_load_var(b, var), var->data.location_frac);
   }
   nir_store_array_var(b, t->patch, nir_imm_int(b, (int)reg), v, mask);
}

static void
patch_output(struct tpf_nir *t, const struct tpf_inst *inst)
{
   const unsigned mask = tpf_nir_mask_of(&inst->operand[0]);
   nir_builder *b = &t->b;
   nir_deref_instr *level;
   nir_value *v;
   unsigned reg;

   if (!patch_register(t, inst, &reg))
      return;
   v = nir_load_array_var_imm(b, t->patch, reg);
   level =
      tess_level(t, nir_var_shader_out, inst->num_imm ? inst->imm[0] : 0);
   if (level) {
      nir_store_deref(b, level,
                      nir_channel(b, v, (unsigned)__builtin_ctz(mask)), 1);
      return;
   }
   nir_variable *var = patch_variable(t, nir_var_shader_out, reg, mask);
   const unsigned n = glsl_get_vector_elements(var->type);
   v = nir_channels(b, v,
                    (nir_component_mask_t)(BITFIELD_MASK(n)
                                           << var->data.location_frac));
   nir_store_var(b, var, v, mask >> var->data.location_frac);
}

/* --- Control points ----------------------------------------------------- */

/* The slot that the vertex shader has; a phase may not repeat the name. */
static int
vertex_slot(struct tpf_nir *t, unsigned reg)
{
   const struct dxbc_chunk *chunk =
      t->container ? dxbc_find_signature(t->container, DXBC_INPUT) : NULL;
   struct dxbc_signature_element e;
   struct d3d_error error;
   unsigned n;

   for (size_t i = 0; i < t->shader->num_insts; i++) {
      const struct tpf_inst *inst = &t->shader->inst[i];
      if (inst->op == TPF_OP_DCL_INPUT_SIV &&
          inst->operand[0].file == TPF_FILE_V &&
          inst->operand[0].num_indices == 2 &&
          inst->operand[0].index[1].imm == reg &&
          inst->imm[0] == TPF_NAME_POSITION)
         return VARYING_SLOT_POS;
   }
   if (!chunk || !dxbc_signature_count(chunk, &n, &error))
      return VARYING_SLOT_VAR0 + (int)reg;
   for (unsigned i = 0; i < n; i++) {
      if (dxbc_signature_get(chunk, i, &e, &error) && e.reg == reg &&
          e.system_value == TPF_NAME_POSITION)
         return VARYING_SLOT_POS;
   }
   return VARYING_SLOT_VAR0 + (int)reg;
}

void
tpf_nir_control_point_input(struct tpf_nir *t, unsigned reg)
{
   const int slot = t->shader->stage == TPF_STAGE_HS
                       ? vertex_slot(t, reg)
                       : VARYING_SLOT_VAR0 + (int)reg;

   if (reg >= TPF_NIR_REGS || t->vertex_in[reg])
      return;
   if (!t->control_points) {
      tpf_nir_fail(t, "control points, and no count of them");
      return;
   }
   t->vertex_in[reg] = tpf_nir_make_io(t, nir_var_shader_in, slot, reg, 0xf,
                                       t->control_points, DXBC_INPUT);
}

void
tpf_nir_control_point_output(struct tpf_nir *t, unsigned reg)
{
   const unsigned n = MAX2(t->b.shader->info.tess.tcs_vertices_out, 1);

   if (!t->vertex_out[reg])
      t->vertex_out[reg] = tpf_nir_make_io(t, nir_var_shader_out,
                                           VARYING_SLOT_VAR0 + (int)reg, reg,
                                           0xf, n, DXBC_OUTPUT);
}

static void
store_control_point(struct tpf_nir *t, unsigned reg, nir_value *v)
{
   nir_builder *b = &t->b;

   nir_store_deref(b,
                   nir_build_deref_array(b,
                                         nir_deref_to(b, t->vertex_out[reg]),
                                         nir_load_invocation_id(b)),
                   v, 0xf);
}

/* Without a control point phase. */
static void
hand_through(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   const struct dxbc_chunk *chunk =
      t->container ? dxbc_find_signature(t->container, DXBC_OUTPUT) : NULL;
   struct dxbc_signature_element e;
   struct d3d_error error;
   unsigned n = 0;

   if (t->control_points != b->shader->info.tess.tcs_vertices_out) {
      tpf_nir_fail(t, "%u control points are handed through as %u",
                   t->control_points, b->shader->info.tess.tcs_vertices_out);
      return;
   }
   if (chunk && !dxbc_signature_count(chunk, &n, &error))
      n = 0;
   for (unsigned i = 0; i < n; i++) {
      if (dxbc_signature_get(chunk, i, &e, &error) && e.reg < TPF_NIR_REGS)
         tpf_nir_control_point_input(t, e.reg);
   }
   for (unsigned reg = 0; reg < TPF_NIR_REGS && !t->failed; reg++) {
      if (!t->vertex_in[reg])
         continue;
      tpf_nir_control_point_output(t, reg);
      store_control_point(
         t, reg,
         nir_load_deref(
            b, nir_build_deref_array(b, nir_deref_to(b, t->vertex_in[reg]),
                                     nir_load_invocation_id(b))));
   }
}

/* --- Phases ------------------------------------------------------------- */

/* Instructions of a phase stand between its token and the next one's. */
static size_t
end_of_phase(const struct tpf_nir *t, size_t first)
{
   while (first < t->shader->num_insts &&
          !is_phase(t->shader->inst[first].op))
      first++;
   return first;
}

static void
declare_inputs(struct tpf_nir *t, size_t first, size_t end)
{
   for (size_t i = first; i < end && !t->failed; i++) {
      const struct tpf_inst *inst = t->inst = &t->shader->inst[i];
      const enum tpf_file file = inst->num_operands ? inst->operand[0].file
                                                    : TPF_FILE_NULL;
      if ((inst->op == TPF_OP_DCL_INPUT || inst->op == TPF_OP_DCL_INPUT_SIV ||
           inst->op == TPF_OP_DCL_INPUT_SGV) &&
          (file == TPF_FILE_V || file == TPF_FILE_VICP) &&
          inst->operand[0].num_indices == 2)
         tpf_nir_control_point_input(t, inst->operand[0].index[1].imm);
   }
}

static void
control_point_phase(struct tpf_nir *t, size_t first)
{
   const size_t end = end_of_phase(t, first);
   nir_builder *b = &t->b;

   for (size_t i = first; i < end; i++) {
      const struct tpf_inst *inst = &t->shader->inst[i];
      if ((inst->op == TPF_OP_DCL_OUTPUT ||
           inst->op == TPF_OP_DCL_OUTPUT_SIV) &&
          inst->operand[0].file == TPF_FILE_O)
         tpf_nir_control_point_output(t, inst->operand[0].index[0].imm);
   }
   tpf_nir_part(t, first);
   for (unsigned reg = 0; reg < TPF_NIR_REGS && !t->failed; reg++) {
      if (t->vertex_out[reg])
         store_control_point(t, reg,
                             t->out_array
                                ? nir_load_array_var_imm(b, t->out_array, reg)
                                : nir_load_var(b, t->out[reg]));
   }
}

static unsigned
instances(const struct tpf_nir *t, size_t first)
{
   const size_t end = end_of_phase(t, first);

   for (size_t i = first; i < end; i++) {
      const struct tpf_inst *inst = &t->shader->inst[i];
      if (inst->op == TPF_OP_DCL_HS_FORK_PHASE_INSTANCE_COUNT ||
          inst->op == TPF_OP_DCL_HS_JOIN_PHASE_INSTANCE_COUNT)
         return inst->imm[0];
   }
   return 1;
}

static void
patch_phase(struct tpf_nir *t, size_t first)
{
   const unsigned n = instances(t, first);
   nir_builder *b = &t->b;

   t->instance = nir_new_local(b->impl, glsl_uint_type(), NULL);
   nir_store_var(b, t->instance, nir_imm_int(b, 0), 1);
   if (n == 1) {
      tpf_nir_part(t, first);
      return;
   }
   nir_loop *loop = nir_push_loop(b);
   nir_jump_if(b, nir_jump_break,
               nir_uge(b, nir_load_var(b, t->instance),
                       nir_imm_int(b, (int)n)));
   tpf_nir_part(t, first);
   nir_store_var(b, t->instance,
                 nir_iadd_imm(b, nir_load_var(b, t->instance), 1), 1);
   nir_pop_loop(b, loop);
}

static void
patch_outputs(struct tpf_nir *t)
{
   bool of_patch = false;

   for (size_t i = 0; i < t->shader->num_insts && !t->failed; i++) {
      const struct tpf_inst *inst = t->inst = &t->shader->inst[i];
      if (is_phase(inst->op))
         of_patch = inst->op != TPF_OP_HS_CONTROL_POINT_PHASE;
      else if (of_patch && inst->num_operands &&
               inst->operand[0].file == TPF_FILE_O &&
               (inst->op == TPF_OP_DCL_OUTPUT ||
                inst->op == TPF_OP_DCL_OUTPUT_SIV))
         patch_output(t, inst);
   }
}

void
tpf_nir_hull(struct tpf_nir *t)
{
   const size_t n = t->shader->num_insts;
   nir_builder *b = &t->b;
   bool has_control = false;

   declare_inputs(t, 0, n);
   t->calls++; /* a phase ends as a subroutine does */
   for (size_t i = 0; i < n && !t->failed; i++) {
      if (t->shader->inst[i].op == TPF_OP_HS_CONTROL_POINT_PHASE) {
         has_control = true;
         control_point_phase(t, i + 1);
      }
   }
   if (!has_control && !t->failed)
      hand_through(t);
   if (t->failed)
      return;
   b->shader->info.uses_control_barrier = true;
   nir_scoped_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP,
                      .memory_scope = NIR_SCOPE_WORKGROUP,
                      .memory_semantics = NIR_MEMORY_ACQ_REL,
                      .memory_modes = nir_var_shader_out);
   t->of_patch = true;
   nir_if *first =
      nir_push_if(b, nir_ieq_imm(b, nir_load_invocation_id(b), 0));
   for (size_t i = 0; i < n && !t->failed; i++) {
      const enum tpf_op op = t->shader->inst[i].op;
      if (op == TPF_OP_HS_FORK_PHASE || op == TPF_OP_HS_JOIN_PHASE)
         patch_phase(t, i + 1);
   }
   if (t->failed)
      return;
   patch_outputs(t);
   nir_pop_if(b, first);
   t->calls--;
}
