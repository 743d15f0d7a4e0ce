/* SPDX-License-Identifier: MIT */
/* NIR to d3dbc: lowering, interface and control flow without loops. */
#include "d3dbc_emit.h"

#define MAX_NESTING 32

static int
slots(const struct glsl_type *type, bool bindless)
{
   (void)bindless;
   return (int)glsl_count_attribute_slots(type, false);
}

/* --- Lowering ----------------------------------------------------------- */

/* What can be read wherever it is asked for: inputs and uniforms. */
static bool
is_pure_load(nir_instr *instr)
{
   nir_intrinsic_instr *intr;

   if (instr->kind == nir_kind_load_const)
      return true;
   if (instr->kind != nir_kind_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   switch (intr->intrinsic) {
   case nir_intrinsic_vulkan_resource_index:
      return nir_use_is_const(intr->src[0]);
   case nir_intrinsic_load_barycentric_pixel: return true;
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
      return nir_use_is_const(*nir_get_io_offset_src(intr));
   case nir_intrinsic_load_ubo:
      return nir_use_is_const(intr->src[1]) &&
             nir_use_as_intrinsic(intr->src[0]);
   default: return false;
   }
}

/* To the top, so that an if around them can become a selection. They stay in
 * order, so each stands after its sources. */
static bool
hoist_loads(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_cursor cursor = nir_before_impl(impl);

   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         if (!is_pure_load(instr))
            continue;
         nir_instr_move(cursor, instr);
         cursor = nir_after_instr(instr);
      }
   }
   nir_metadata_preserve(impl, nir_metadata_control_flow);
   return false;
}

/* c ? x : x. With a constant for x it may be integer here and float there. */
static bool
drop_equal_select(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu;

   (void)data;
   if (instr->kind != nir_kind_alu)
      return false;
   alu = nir_instr_as_alu(instr);
   if (alu->op != nir_op_bcsel || !nir_operands_equal(alu, alu, 1, 2))
      return false;
   b->cursor = nir_before_instr(instr);
   nir_instr_replace(&alu->instr, nir_operand_value(b, alu, 1));
   return true;
}

static bool
drop_equal_selects(nir_shader *nir)
{
   return nir_visit_instrs(nir, drop_equal_select, nir_metadata_control_flow,
                           NULL);
}

static bool
optimize(struct d3dbc_emit *e)
{
   nir_shader *nir = e->nir;
   bool progress = false;

   NIR_PASS(progress, nir, nir_copy_prop);
   NIR_PASS(progress, nir, nir_opt_remove_phis);
   NIR_PASS(progress, nir, nir_opt_constant_folding);
   NIR_PASS(progress, nir, drop_equal_selects);
   NIR_PASS(progress, nir, nir_opt_conditional_discard);
   NIR_PASS(progress, nir, nir_opt_dead_cf);
   NIR_PASS(progress, nir, nir_opt_cse);
   NIR_PASS(progress, nir, nir_opt_dce);
   NIR_PASS(progress, nir, nir_opt_if, true);
   NIR_PASS(progress, nir, nir_opt_trivial_continues);
   NIR_PASS(progress, nir, nir_opt_undef);
   /* Version 2_0 has neither comparing ifs nor breaks. */
   if (e->pi->version < 21)
      NIR_PASS(progress, nir, hoist_loads);
   NIR_PASS(progress, nir, nir_opt_peephole_select,
            e->pi->version < 21 ? 256 : 4, true, true);
   if (e->unrolls)
      NIR_PASS(progress, nir, nir_opt_loop_unroll);
   return progress;
}

/* Pixel shaders cannot index constants: loops that do so must go. */
static bool
mark_indexing_loops(nir_shader *nir)
{
   bool any = false;

   nir_foreach_block(block, nir_entry_point(nir)) {
      nir_foreach_instr(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         if (intr->intrinsic != nir_intrinsic_load_ubo ||
             nir_use_is_const(intr->src[1]))
            continue;
         for (nir_cf_node *node = block->cf_node.parent; node;
              node = node->parent) {
            if (node->type != nir_cf_node_loop)
               continue;
            nir_cf_node_as_loop(node)->control = nir_loop_control_unroll;
            any = true;
         }
      }
   }
   return any;
}

static bool
lower(struct d3dbc_emit *e)
{
   const nir_variable_mode io = nir_var_shader_in | nir_var_shader_out;
   nir_shader *nir = e->nir;
   bool progress = false;

   NIR_PASS(progress, nir, nir_lower_returns);
   NIR_PASS(progress, nir, nir_inline_functions);
   nir_remove_non_entrypoints(nir);
   NIR_PASS(progress, nir, nir_lower_io_to_temporaries, nir_entry_point(nir),
            true, false);
   NIR_PASS(progress, nir, nir_lower_global_vars_to_local);
   NIR_PASS(progress, nir, nir_split_var_copies);
   NIR_PASS(progress, nir, nir_lower_var_copies);
   NIR_PASS(progress, nir, nir_split_struct_vars, nir_var_function_temp);
   NIR_PASS(progress, nir, nir_lower_array_deref_of_vec,
            io | nir_var_function_temp);
   NIR_PASS(progress, nir, nir_lower_system_values);
   NIR_PASS(progress, nir, nir_lower_indirect_derefs,
            io | nir_var_function_temp, UINT32_MAX);
   NIR_PASS(progress, nir, nir_lower_vars_to_ssa);
   NIR_PASS(progress, nir, nir_remove_dead_variables,
            nir_var_function_temp | nir_var_shader_temp, NULL);
   NIR_PASS(progress, nir, nir_lower_io, io, slots,
            nir_lower_io_lower_64bit_to_32);
   NIR_PASS(progress, nir, nir_io_add_const_offset_to_base, io);
   NIR_PASS(progress, nir, nir_lower_explicit_io, nir_var_mem_ubo,
            nir_address_format_32bit_index_offset);
   NIR_PASS(progress, nir, nir_lower_alu_to_scalar, NULL, NULL);
   NIR_PASS(progress, nir, nir_lower_phis_to_scalar, true);
   e->unrolls = e->pi->version < 21;
   if (e->pi->is_ps)
      e->unrolls |= mark_indexing_loops(nir);
   for (unsigned i = 0; i < 32 && optimize(e); i++)
      NIR_PASS(progress, nir, nir_lower_alu_to_scalar, NULL, NULL);
   e->impl = nir_entry_point(nir);
   return progress;
}

/* --- Interface ---------------------------------------------------------- */

static unsigned
ubo_index(struct d3dbc_emit *e, const nir_intrinsic_instr *res)
{
   const unsigned set = (unsigned)nir_intrinsic_desc_set(res);
   const unsigned binding = (unsigned)nir_intrinsic_binding(res);
   unsigned i = 0;

   while (i < e->num_ubos &&
          (e->ubo[i].set != set || e->ubo[i].binding != binding))
      i++;
   if (i == e->num_ubos && i < D3DBC_EMIT_MAX_UBOS) {
      e->ubo[i].set = set;
      e->ubo[i].binding = binding;
      e->num_ubos++;
   }
   return i;
}

/* Registers that a load may read. */
static unsigned
ubo_end(struct d3dbc_emit *e, const nir_intrinsic_instr *load,
        const nir_intrinsic_instr *res)
{
   /* A vector may begin in one register and end in the next. */
   if (nir_use_is_const(load->src[1]))
      return DIV_ROUND_UP((unsigned)nir_use_as_uint(load->src[1]) +
                             load->instr.result.num_components *
                                load->instr.result.bit_size / 8,
                          16);
   nir_foreach_variable_with_modes(var, e->nir, nir_var_mem_ubo) {
      if (var->data.descriptor_set == (unsigned)nir_intrinsic_desc_set(res) &&
          var->data.binding == (unsigned)nir_intrinsic_binding(res))
         return DIV_ROUND_UP(glsl_get_explicit_size(var->type, false), 16);
   }
   return 0;
}

/* Buffers in the order in which they are met get rows of registers. */
static void
place_uniforms(struct d3dbc_emit *e)
{
   unsigned size[D3DBC_EMIT_MAX_UBOS] = { 0 };

   nir_foreach_block(block, e->impl) {
      nir_foreach_instr(instr, block) {
         nir_intrinsic_instr *load = nir_maybe_intrinsic(instr);
         if (!load)
            continue;
         if (load->intrinsic != nir_intrinsic_load_ubo)
            continue;
         const nir_intrinsic_instr *res = nir_use_as_intrinsic(load->src[0]);
         if (!res || res->intrinsic != nir_intrinsic_vulkan_resource_index ||
             !nir_use_is_const(res->src[0]) || nir_use_as_uint(res->src[0])) {
            d3dbc_emit_fail(e, "a uniform buffer of an array of them, or "
                               "chosen at run time");
            return;
         }
         const unsigned i = ubo_index(e, res);
         if (i == D3DBC_EMIT_MAX_UBOS) {
            d3dbc_emit_fail(e, "more than %u uniform buffers",
                            D3DBC_EMIT_MAX_UBOS);
            return;
         }
         size[i] = MAX2(size[i], ubo_end(e, load, res));
      }
   }
   for (unsigned i = 0; i < e->num_ubos; i++) {
      e->ubo[i].first = e->num_uniforms;
      e->num_uniforms += size[i];
      if (e->num_uniforms > 8192)
         d3dbc_emit_fail(e, "uniforms need more than 8192 registers");
   }
}

static void
find_interface(struct d3dbc_emit *e)
{
   e->first_sampler = ~0u;
   memset(e->input_reg, 0xff, sizeof(e->input_reg));
   nir_foreach_variable_with_modes(var, e->nir, nir_var_uniform)
      e->first_sampler = MIN2(e->first_sampler, var->data.binding);
   nir_foreach_block(block, e->impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind != nir_kind_intrinsic || e->pi->is_ps ||
             e->pi->major < 3)
            continue;
         nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
         if (intr->intrinsic == nir_intrinsic_store_output &&
             nir_intrinsic_io_semantics(intr).location < 64)
            e->output_declared[nir_intrinsic_io_semantics(intr).location] =
               true;
      }
   }
}

/* --- Everything --------------------------------------------------------- */

static void
emit_block(struct d3dbc_emit *e, nir_block *block)
{
   nir_foreach_instr(instr, block) {
      e->num_scratch = 0;
      switch (instr->kind) {
      case nir_kind_alu: d3dbc_select_alu(e, nir_instr_as_alu(instr)); break;
      case nir_kind_intrinsic:
         d3dbc_select_intrinsic(e, nir_instr_as_intrinsic(instr));
         break;
      case nir_kind_tex: d3dbc_select_tex(e, nir_instr_as_tex(instr)); break;
      case nir_kind_jump: d3dbc_emit_jump(e, nir_instr_as_jump(instr)); break;
      case nir_kind_load_const:
      case nir_kind_undef:
      case nir_kind_deref:
      case nir_kind_phi: break; /* its web has one register */
      default:
         d3dbc_emit_fail(e, "an instruction of NIR that is not lowered");
         break;
      }
      if (e->failed)
         return;
   }
}

static void
emit_if(struct d3dbc_emit *e, nir_if *nif)
{
   util_dynarray_foreach(&e->trips, struct d3dbc_emit_loop, l) {
      if (l->end == nif) {
         d3dbc_emit_list(e, l->runs_on);
         return;
      }
   }
   if (e->pi->version < 21) {
      d3dbc_emit_fail(e, "%s has no if that compares", e->pi->name);
      return;
   }
   e->num_scratch = 0;
   d3dbc_emit_compare(e, D3DBC_OP_IFC, D3DBC_CMP_NE,
                      d3dbc_emit_src(e, &nif->condition, 0, D3DBC_CLASS_BOOL),
                      d3dbc_emit_imm(e, 0));
   e->nesting++;
   d3dbc_emit_list(e, &nif->then_list);
   if (!nir_cf_list_is_empty_block(&nif->else_list)) {
      d3dbc_emit_inst(e, D3DBC_OP_ELSE);
      d3dbc_emit_list(e, &nif->else_list);
   }
   e->nesting--;
   d3dbc_emit_inst(e, D3DBC_OP_ENDIF);
}

/* As deep as the source nests; translate() has bounded that. */
void
d3dbc_emit_list(struct d3dbc_emit *e, struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (e->failed)
         return;
      if (node->type == nir_cf_node_if)
         emit_if(e, nir_cf_node_as_if(node));
      else if (node->type == nir_cf_node_loop)
         d3dbc_emit_loop(e, nir_cf_node_as_loop(node));
      else
         emit_block(e, nir_cf_node_as_block(node));
   }
}

static bool
has_loop(const struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_loop ||
          (node->type == nir_cf_node_if &&
           (has_loop(&nir_cf_node_as_if(node)->then_list) ||
            has_loop(&nir_cf_node_as_if(node)->else_list))))
         return true;
   }
   return false;
}

static bool
is_sin_or_cos(const nir_instr *instr)
{
   if (instr->kind != nir_kind_alu)
      return false;
   const nir_op op = nir_instr_as_alu((nir_instr *)instr)->op;
   return op == nir_op_fsin || op == nir_op_fcos;
}

/* Sine and cosine of a value next to each other: one instruction makes both.
 * In pairs, so that a third one finds no partner. */
static bool
pair_sin_cos(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);

   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (!is_sin_or_cos(instr))
            continue;
         nir_alu_instr *alu = nir_instr_as_alu(instr);
         for (nir_instr *i = nir_instr_next(instr); i;
              i = nir_instr_next(i)) {
            if (!is_sin_or_cos(i) || nir_instr_as_alu(i)->op == alu->op ||
                !nir_operands_equal(alu, nir_instr_as_alu(i), 0, 0))
               continue;
            nir_instr_move(nir_after_instr(instr), i);
            instr = i;
            break;
         }
      }
   }
   nir_metadata_preserve(impl, nir_metadata_control_flow);
   return false;
}

static void
translate(struct d3dbc_emit *e)
{
   bool paired = false;

   lower(e);
   /* The profiles nest 24 ifs and 4 loops. */
   if (!d3d_nests_within(e->impl, MAX_NESTING))
      d3dbc_emit_fail(e, "control flow is nested more than %u deep",
                      MAX_NESTING);
   place_uniforms(e);
   find_interface(e);
   if (!e->failed)
      d3dbc_count_trips(e);
   if (e->failed)
      return;
   if (e->vectors && !has_loop(&e->impl->body))
      d3dbc_make_vectors(e->nir);
   /* run_header() knows copies of phis, and computes what is SSA. */
   nir_isolate_phis(e->nir, false);
   NIR_PASS(paired, e->nir, pair_sin_cos);
   (void)paired;
   d3dbc_emit_infer(e);
   d3dbc_emit_allocate(e);
   if (!e->failed)
      d3dbc_emit_list(e, &e->impl->body);
   if (!e->failed)
      d3dbc_combine(e);
}

static struct d3dbc_shader *
attempt(struct arena *arena, nir_shader *nir, enum d3dbc_profile profile,
        const struct d3dbc_from_nir_options *options, bool vectors,
        struct d3d_error *error)
{
   struct d3dbc_emit *e = arena_new(arena, struct d3dbc_emit);
   struct d3dbc_shader *shader = NULL;

   e->arena = arena;
   e->nir = nir;
   e->pi = d3dbc_profile_info(profile);
   e->profile = profile;
   e->error = error;
   e->hlsl = options && options->hlsl;
   e->vectors = vectors;
   if (!e->pi->max_arithmetic)
      d3dbc_emit_fail(e, "%s is not written, only read", e->pi->name);
   else if (nir->info.stage !=
            (e->pi->is_ps ? MESA_SHADER_FRAGMENT : MESA_SHADER_VERTEX))
      d3dbc_emit_fail(e, "the shader is not of the stage of %s", e->pi->name);
   else if (options)
      d3dbc_place_by_semantics(e, options->semantics);
   if (!e->failed)
      translate(e);
   if (!e->failed)
      shader = d3dbc_emit_finish(e);
   util_dynarray_fini(&e->head);
   util_dynarray_fini(&e->body);
   util_dynarray_fini(&e->pool);
   util_dynarray_fini(&e->trips);
   util_dynarray_fini(&e->al_loads);
   return shader;
}

/* Vectors keep more values alive: what they do not let fit is written in
 * scalars. */
struct d3dbc_shader *
d3dbc_from_nir(struct arena *arena, nir_shader *nir,
               enum d3dbc_profile profile,
               const struct d3dbc_from_nir_options *options,
               struct d3d_error *error)
{
   struct d3d_error ignored;
   nir_shader *copy = nir_shader_clone(NULL, nir);
   struct d3dbc_shader *shader =
      attempt(arena, copy, profile, options, true, &ignored);

   nir_shader_destroy(copy);
   return shader ? shader
                 : attempt(arena, nir, profile, options, false, error);
}
