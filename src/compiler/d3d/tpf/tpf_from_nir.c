/* SPDX-License-Identifier: MIT */
/*
 * NIR to SM5: control flow, which SM5 has as NIR has it, and the
 * declarations, which are known when all is translated.
 */
#include "tpf_emit.h"

static void emit_list(struct tpf_emit *e, struct list_head *list);

static void
emit_jump(struct tpf_emit *e, const nir_jump_instr *jump)
{
   if (jump->type == nir_jump_break)
      tpf_emit_inst(e, TPF_OP_BREAK, 0, NULL);
   else if (jump->type == nir_jump_continue)
      tpf_emit_inst(e, TPF_OP_CONTINUE, 0, NULL);
   else
      tpf_emit_fail(e, "a jump that SM5 does not know");
}

static void
emit_block(struct tpf_emit *e, nir_block *block)
{
   nir_foreach_instr(instr, block) {
      e->num_scratch = 0;
      switch (instr->kind) {
      case nir_kind_alu: tpf_select_alu(e, nir_instr_as_alu(instr)); break;
      case nir_kind_intrinsic:
         tpf_select_intrinsic(e, nir_instr_as_intrinsic(instr));
         break;
      case nir_kind_tex: tpf_select_tex(e, nir_instr_as_tex(instr)); break;
      case nir_kind_jump: emit_jump(e, nir_instr_as_jump(instr)); break;
      case nir_kind_load_const:
      case nir_kind_undef:
      case nir_kind_deref:
      case nir_kind_phi: break; /* its web has one register */
      default:
         tpf_emit_fail(e, "an instruction of NIR that is not lowered");
         break;
      }
      if (e->failed)
         return;
   }
}

static void
emit_if(struct tpf_emit *e, nir_if *nif)
{
   struct tpf_operand condition;

   e->num_scratch = 0;
   condition = tpf_emit_src(e, &nif->condition, 0);
   tpf_emit_inst(e, TPF_OP_IF, 1, &condition)->controls |= TPF_TEST_NONZERO;
   emit_list(e, &nif->then_list);
   if (!nir_cf_list_is_empty_block(&nif->else_list)) {
      tpf_emit_inst(e, TPF_OP_ELSE, 0, NULL);
      emit_list(e, &nif->else_list);
   }
   tpf_emit_inst(e, TPF_OP_ENDIF, 0, NULL);
}

static void
emit_loop(struct tpf_emit *e, nir_loop *loop)
{
   tpf_emit_inst(e, TPF_OP_LOOP, 0, NULL);
   emit_list(e, &loop->body);
   tpf_emit_inst(e, TPF_OP_ENDLOOP, 0, NULL);
}

/* As deep as the source nests; translate() has bounded that. */
static void
emit_list(struct tpf_emit *e, struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (e->failed)
         return;
      if (node->type == nir_cf_node_if)
         emit_if(e, nir_cf_node_as_if(node));
      else if (node->type == nir_cf_node_loop)
         emit_loop(e, nir_cf_node_as_loop(node));
      else
         emit_block(e, nir_cf_node_as_block(node));
   }
}

/* --- Declarations ------------------------------------------------------- */

static void
declare(struct tpf_emit *e, struct tpf_inst inst)
{
   util_dynarray_append(&e->head, struct tpf_inst, inst);
}

static void
declare_inputs(struct tpf_emit *e)
{
   const bool ps = e->stage == TPF_STAGE_PS, gs = e->stage == TPF_STAGE_GS;

   for (unsigned i = 0; i < TPF_EMIT_REGS; i++) {
      const struct tpf_io *io = &e->in[i];
      const bool made = io->name == TPF_NAME_PRIMITIVE_ID ||
                        io->name == TPF_NAME_IS_FRONT_FACE ||
                        io->name == TPF_NAME_SAMPLEINDEX;
      if (!io->mask)
         continue;
      struct tpf_operand v =
         tpf_emit_masked(tpf_emit_reg(TPF_FILE_V, i, 0), io->mask);
      if (gs) {
         v.num_indices = 2;
         v.index[0].imm = e->nir->info.gs.vertices_in;
         v.index[1].imm = i;
      }
      declare(e,
              (struct tpf_inst) {
                 .op = gs ? io->name ? TPF_OP_DCL_INPUT_SIV : TPF_OP_DCL_INPUT
                       : !ps
                          ? io->name ? TPF_OP_DCL_INPUT_SGV : TPF_OP_DCL_INPUT
                       : made     ? TPF_OP_DCL_INPUT_PS_SGV
                       : io->name ? TPF_OP_DCL_INPUT_PS_SIV
                                  : TPF_OP_DCL_INPUT_PS,
                 .controls = ps ? (uint32_t)io->mode << 11 : 0,
                 .num_operands = 1,
                 .operand[0] = v,
                 .num_imm = io->name != 0,
                 .imm[0] = io->name });
   }
   for (unsigned f = 0; f < TPF_FILE_COUNT; f++) {
      const bool vector = f == TPF_FILE_V_THREAD_ID ||
                          f == TPF_FILE_V_THREAD_GROUP_ID ||
                          f == TPF_FILE_V_THREAD_ID_IN_GROUP;
      if (!e->file_used[f] || !tpf_file_info((enum tpf_file)f)->read)
         continue;
      struct tpf_operand o = tpf_emit_masked(
         tpf_emit_reg((enum tpf_file)f, 0, 0), vector ? 7 : 1);
      o.num_indices = 0;
      if (f == TPF_FILE_V_PRIM || f == TPF_FILE_V_GS_INSTANCE_ID) {
         o.components = TPF_COMPONENTS_1;
         o.mask = 0;
      }
      declare(e, (struct tpf_inst) { .op = TPF_OP_DCL_INPUT,
                                     .num_operands = 1,
                                     .operand[0] = o });
   }
}

static void
declare_outputs(struct tpf_emit *e)
{
   for (unsigned i = 0; i < TPF_EMIT_REGS; i++) {
      const struct tpf_io *io = &e->out[i];
      if (!io->mask)
         continue;
      declare(e,
              (struct tpf_inst) {
                 .op = io->name ? TPF_OP_DCL_OUTPUT_SIV : TPF_OP_DCL_OUTPUT,
                 .num_operands = 1,
                 .operand[0] =
                    tpf_emit_masked(tpf_emit_reg(TPF_FILE_O, i, 0), io->mask),
                 .num_imm = io->name != 0,
                 .imm[0] = io->name });
   }
   for (unsigned f = 0; f < TPF_FILE_COUNT; f++) {
      if (!e->file_used[f] || !tpf_file_info((enum tpf_file)f)->write)
         continue;
      declare(e, (struct tpf_inst) {
                    .op = TPF_OP_DCL_OUTPUT,
                    .num_operands = 1,
                    .operand[0] = { .file = (enum tpf_file)f,
                                    .components = TPF_COMPONENTS_1,
                                    .swizzle = TPF_SWIZZLE_IDENTITY } });
   }
}

static void
declare_compute(struct tpf_emit *e)
{
   const struct shader_info *info = &e->nir->info;

   if (info->workgroup_size_variable)
      tpf_emit_fail(e, "the size of the group is not known");
   tpf_emit_declare_shared(e);
   declare(e, (struct tpf_inst) { .op = TPF_OP_DCL_THREAD_GROUP,
                                  .num_imm = 3,
                                  .imm = { info->workgroup_size[0],
                                           info->workgroup_size[1],
                                           info->workgroup_size[2] } });
}

static void
declare_all(struct tpf_emit *e, uint32_t flags)
{
   struct util_dynarray arrays = e->head;

   e->head = (struct util_dynarray) { 0 };
   declare(e, (struct tpf_inst) { .op = TPF_OP_DCL_GLOBAL_FLAGS,
                                  .controls = flags });
   tpf_emit_declare_constants(e);
   tpf_emit_declare_resources(e);
   if (e->stage == TPF_STAGE_GS)
      tpf_emit_declare_gs(e);
   declare_inputs(e);
   declare_outputs(e);
   if (e->stage == TPF_STAGE_GS)
      tpf_emit_declare_gs_end(e);
   if (e->num_temps + e->max_scratch)
      declare(e,
              (struct tpf_inst) { .op = TPF_OP_DCL_TEMPS,
                                  .num_imm = 1,
                                  .imm[0] = e->num_temps + e->max_scratch });
   util_dynarray_foreach(&arrays, struct tpf_inst, inst)
      declare(e, *inst);
   util_dynarray_fini(&arrays);
   if (e->stage == TPF_STAGE_CS)
      declare_compute(e);
}

static struct tpf_shader *
finish(struct tpf_emit *e)
{
   struct tpf_shader *shader = arena_new(e->arena, struct tpf_shader);
   uint32_t flags = TPF_FLAG_REFACTORINGALLOWED;

   if (e->uses_doubles)
      flags |= TPF_FLAG_ENABLEDOUBLEPRECISIONFLOATOPS;
   if (e->nir->info.fs.early_fragment_tests && e->stage == TPF_STAGE_PS)
      flags |= TPF_FLAG_FORCEEARLYDEPTHSTENCIL;
   if (e->num_temps + e->max_scratch > 4096)
      tpf_emit_fail(e, "more than 4096 temporaries");
   declare_all(e, flags);
   tpf_emit_inst(e, TPF_OP_RET, 0, NULL);
   util_dynarray_foreach(&e->body, struct tpf_inst, inst)
      util_dynarray_append(&e->head, struct tpf_inst, *inst);
   shader->stage = e->stage;
   shader->version = 50;
   shader->num_insts = util_dynarray_num_elements(&e->head, struct tpf_inst);
   shader->inst = arena_memdup(e->arena, e->head.data, e->head.size_B);
   return shader;
}

/* --- Everything --------------------------------------------------------- */

static void
translate(struct tpf_emit *e)
{
   nir_inline_functions(e->nir);
   tpf_emit_find_read_only(e);
   tpf_emit_lower(e);
   if (!d3d_nests_within(e->impl, D3D_MAX_NESTING))
      tpf_emit_fail(e, "control flow is nested more than %u deep",
                    D3D_MAX_NESTING);
   tpf_emit_bind(e);
   if (e->failed)
      return;
   nir_isolate_phis(e->nir, true);
   tpf_emit_allocate(e);
   if (!e->failed)
      emit_list(e, &e->impl->body);
   tpf_emit_combine(e);
}

static gl_shader_stage
nir_stage(enum tpf_stage stage)
{
   return stage == TPF_STAGE_VS   ? MESA_SHADER_VERTEX
          : stage == TPF_STAGE_PS ? MESA_SHADER_FRAGMENT
          : stage == TPF_STAGE_GS ? MESA_SHADER_GEOMETRY
          : stage == TPF_STAGE_CS ? MESA_SHADER_COMPUTE
                                  : MESA_SHADER_NONE;
}

/* By slot, before variables are gone. */
static void
note_semantics(struct tpf_emit *e, const struct d3d_semantics *semantics)
{
   nir_foreach_variable_with_modes(var, e->nir,
                                   nir_var_shader_in | nir_var_shader_out) {
      const bool in = var->data.mode == nir_var_shader_in;
      const struct d3d_semantic *s =
         d3d_semantic_of(semantics, e->nir->info.stage, var);
      const unsigned n = glsl_count_attribute_slots(var->type, false);
      for (unsigned i = 0; s && i < n; i++) {
         const unsigned slot = (unsigned)var->data.location + i;
         if (slot >= 64)
            break;
         (in ? e->in_name : e->out_name)[slot] = s;
         (in ? e->in_element : e->out_element)[slot] = (uint8_t)i;
      }
   }
}

bool
tpf_from_nir(struct arena *arena, nir_shader *nir, enum tpf_stage stage,
             const struct tpf_from_nir_options *options,
             struct util_dynarray *out, struct d3d_error *error)
{
   static const struct tpf_from_nir_options none = { 0 };
   struct tpf_emit *e = arena_new(arena, struct tpf_emit);
   struct tpf_shader *shader;

   e->arena = arena;
   e->nir = nir;
   e->stage = stage;
   e->error = error;
   if (!options)
      options = &none;
   e->hlsl = options->hlsl;
   e->interface = options->interface;
   if (!e->interface)
      e->interface = arena_new(arena, struct tpf_interface);
   e->interface->num_bindings = 0;
   if (nir_stage(stage) == MESA_SHADER_NONE)
      tpf_emit_fail(e, "%s_5_0 is not written, only read",
                    tpf_stage_text(stage));
   else if (nir->info.stage != nir_stage(stage))
      tpf_emit_fail(e, "the shader is not of the stage of %s_5_0",
                    tpf_stage_text(stage));
   else if (stage == TPF_STAGE_GS && nir->info.gs.active_stream_mask & ~1u)
      tpf_emit_fail(e, "several streams are not written");
   else {
      note_semantics(e, options->semantics);
      translate(e);
   }
   if (!e->failed) {
      shader = finish(e);
      if (!e->failed && !tpf_validate(shader, error))
         e->failed = true;
      if (!e->failed)
         tpf_emit_container(e, shader, out);
   }
   util_dynarray_fini(&e->head);
   util_dynarray_fini(&e->body);
   return !e->failed;
}
