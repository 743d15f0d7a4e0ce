/* SPDX-License-Identifier: MIT */
/* The builder: instructions and control flow. Helpers made of several
 * instructions are in nir_builder_helpers.c. */
#include "nir_builder.h"

#include <stdarg.h>

#include "nir_private.h"

void
nir_builder_init(nir_builder *build, nir_function_impl *impl)
{
   *build = (nir_builder) { .impl = impl, .shader = impl->function->shader };
}

nir_builder
nir_builder_init_simple_shader(gl_shader_stage stage,
                               const nir_shader_compiler_options *options,
                               const char *name, ...)
{
   nir_shader *shader = nir_new_shader(NULL, stage, options);
   if (name) {
      va_list ap;
      va_start(ap, name);
      shader->info.name = arena_vprintf(shader->arena, name, ap);
      va_end(ap);
   }
   nir_function *func = nir_new_function(shader, "main");
   func->is_entrypoint = true;
   nir_function_impl *impl = nir_new_body(func);
   return nir_builder_at(impl, nir_before_impl(impl));
}

nir_value *
nir_emit(nir_builder *build, nir_instr *instr)
{
   if (!instr->location)
      instr->location = build->location;
   nir_instr_insert(build->cursor, instr);
   build->cursor = nir_after_instr(instr);
   return nir_instr_value(instr);
}

/* --- Control flow ------------------------------------------------------- */

/* Puts a node at the cursor, which goes into the list of it. */
static void
enter(nir_builder *build, nir_cf_node *node, struct list_head *list)
{
   nir_cf_node_insert(build->cursor, node);
   build->cursor = nir_before_cf_list(list);
}

/* The node in whose list the cursor stands. */
static nir_cf_node *
around(const nir_builder *build)
{
   return nir_cursor_current_block(build->cursor)->cf_node.parent;
}

nir_if *
nir_push_if_use(nir_builder *build, nir_use condition)
{
   nir_if *nif = nir_new_if(build->shader);
   nif->condition = nir_use_of(condition.value);
   enter(build, &nif->cf_node, &nif->then_list);
   return nif;
}

nir_if *
nir_push_if(nir_builder *build, nir_value *condition)
{
   return nir_push_if_use(build, nir_use_of(condition));
}

nir_if *
nir_push_else(nir_builder *build, nir_if *nif)
{
   if (!nif)
      nif = nir_cf_node_as_if(around(build));
   build->cursor = nir_before_cf_list(&nif->else_list);
   return nif;
}

void
nir_pop_if(nir_builder *build, nir_if *nif)
{
   nir_cf_node *left = nif ? &nif->cf_node : around(build);
   build->cursor = nir_after_cf_node(&nir_cf_node_as_if(left)->cf_node);
}

nir_value *
nir_if_phi(nir_builder *build, nir_value *then_def, nir_value *else_def)
{
   nir_phi_instr *phi = nir_new_phi(build->shader);
   nir_block *block = nir_cursor_current_block(build->cursor);
   nir_if *before = nir_cf_node_as_if(nir_cf_node_prev(&block->cf_node));
   nir_phi_add_source(phi, nir_if_last_then_block(before),
                      nir_use_of(then_def));
   nir_phi_add_source(phi, nir_if_last_else_block(before),
                      nir_use_of(else_def));
   nir_set_result(&phi->instr, then_def->num_components, then_def->bit_size);
   nir_instr_insert(nir_before_block(block), &phi->instr);
   build->cursor = nir_after_phis(block);
   if (build->cursor.option == nir_cursor_before_instr)
      build->cursor = nir_after_instr(nir_instr_prev(build->cursor.instr));
   return &phi->instr.result;
}

nir_loop *
nir_push_loop(nir_builder *build)
{
   nir_loop *loop = nir_new_loop(build->shader);
   enter(build, &loop->cf_node, &loop->body);
   return loop;
}

void
nir_pop_loop(nir_builder *build, nir_loop *loop)
{
   nir_cf_node *left = loop ? &loop->cf_node : around(build);
   build->cursor = nir_after_cf_node(&nir_cf_node_as_loop(left)->cf_node);
}

nir_jump_instr *
nir_jump(nir_builder *build, nir_jump_type type)
{
   nir_jump_instr *jump = nir_new_jump(build->shader, type);
   nir_emit(build, &jump->instr);
   return jump;
}

void
nir_jump_if(nir_builder *build, nir_jump_type type, nir_value *cond)
{
   nir_if *nif = nir_push_if(build, cond);
   nir_jump(build, type);
   nir_pop_if(build, nif);
}

/* --- Constants ---------------------------------------------------------- */

nir_value *
nir_build_imm(nir_builder *build, unsigned num_components, unsigned bit_size,
              const nir_const_value *value)
{
   nir_load_const_instr *lc =
      nir_new_load_const(build->shader, num_components, bit_size);
   memcpy(lc->value, value, num_components * sizeof(*value));
   return nir_emit(build, &lc->instr);
}

nir_value *
nir_imm_zero(nir_builder *build, unsigned num_components, unsigned bit_size)
{
   nir_load_const_instr *lc =
      nir_new_load_const(build->shader, num_components, bit_size);
   return nir_emit(build, &lc->instr);
}

static nir_value *
imm1(nir_builder *build, nir_const_value v, unsigned bit_size)
{
   return nir_build_imm(build, 1, bit_size, &v);
}

nir_value *
nir_imm_bool(nir_builder *build, bool x)
{
   return imm1(build, nir_const_value_for_bool(x, 1), 1);
}

nir_value *
nir_imm_boolN_t(nir_builder *build, bool x, unsigned bit_size)
{
   return imm1(build, nir_const_value_for_bool(x, bit_size), bit_size);
}

nir_value *
nir_imm_floatN_t(nir_builder *build, double x, unsigned bit_size)
{
   return imm1(build, nir_const_value_for_float(x, bit_size), bit_size);
}

nir_value *
nir_imm_float16(nir_builder *build, float x)
{
   return nir_imm_floatN_t(build, x, 16);
}

nir_value *
nir_imm_float(nir_builder *build, float x)
{
   return imm1(build, (nir_const_value) { .u64 = util_float_bits(x) }, 32);
}

nir_value *
nir_imm_double(nir_builder *build, double x)
{
   return imm1(build, (nir_const_value) { .f64 = x }, 64);
}

nir_value *
nir_imm_intN_t(nir_builder *build, uint64_t x, unsigned bit_size)
{
   return imm1(build, nir_const_value_for_raw_uint(x, bit_size), bit_size);
}

nir_value *
nir_imm_int(nir_builder *build, int x)
{
   return nir_imm_intN_t(build, (uint32_t)x, 32);
}

nir_value *
nir_imm_int64(nir_builder *build, int64_t x)
{
   return nir_imm_intN_t(build, (uint64_t)x, 64);
}

static nir_value *
imm_vec32(nir_builder *build, unsigned n, const uint32_t *bits)
{
   nir_const_value v[4];
   for (unsigned i = 0; i < n; i++)
      v[i] = nir_const_value_for_raw_uint(bits[i], 32);
   return nir_build_imm(build, n, 32, v);
}

nir_value *
nir_imm_vec4(nir_builder *build, float x, float y, float z, float w)
{
   const uint32_t v[] = { util_float_bits(x), util_float_bits(y),
                          util_float_bits(z), util_float_bits(w) };
   return imm_vec32(build, 4, v);
}

nir_value *
nir_imm_ivec2(nir_builder *build, int x, int y)
{
   const uint32_t v[] = { (uint32_t)x, (uint32_t)y };
   return imm_vec32(build, 2, v);
}

nir_value *
nir_imm_ivec3(nir_builder *build, int x, int y, int z)
{
   const uint32_t v[] = { (uint32_t)x, (uint32_t)y, (uint32_t)z };
   return imm_vec32(build, 3, v);
}

nir_value *
nir_imm_ivec4(nir_builder *build, int x, int y, int z, int w)
{
   const uint32_t v[] = { (uint32_t)x, (uint32_t)y, (uint32_t)z,
                          (uint32_t)w };
   return imm_vec32(build, 4, v);
}

nir_value *
nir_undef(nir_builder *build, unsigned num_components, unsigned bit_size)
{
   nir_instr *undef = nir_new_undef(build->shader, num_components, bit_size);
   /* At the start it dominates all; many passes look for it there. */
   nir_instr_insert(nir_before_impl(build->impl), undef);
   if (build->cursor.option == nir_cursor_before_block &&
       build->cursor.block == nir_start_block(build->impl))
      build->cursor = nir_after_instr(undef);
   return &undef->result;
}

/* --- ALU ---------------------------------------------------------------- */

/* The bit size that the size-less types of the opcode take. */
static unsigned
alu_bit_size(const nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned fixed = nir_type_bits(info->output.type);
   if (fixed)
      return fixed;
   unsigned bits = 0;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      if (nir_type_bits(info->input[i].type))
         continue;
      const unsigned b = alu->src[i].use.value->bit_size;
      assert((bits == 0 || bits == b) && "sources of one size");
      bits = b;
   }
   return bits ? bits : 32;
}

nir_value *
nir_builder_alu_instr_finish_and_insert(nir_builder *build,
                                        nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   alu->exact = build->exact;

   unsigned n = info->output.size;
   if (n == 0) {
      for (unsigned i = 0; i < alu->instr.num_operands; i++) {
         if (info->input[i].size == 0)
            n = MAX2(n, alu->src[i].use.value->num_components);
      }
   }
   /* A shorter source is read at its last component beyond its end. */
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const unsigned have = alu->src[i].use.value->num_components;
      for (unsigned c = have; c < NIR_MAX_VEC_COMPONENTS; c++)
         alu->src[i].swizzle[c] = (uint8_t)(have - 1);
   }
   nir_set_result(&alu->instr, n, alu_bit_size(alu));
   return nir_emit(build, &alu->instr);
}

nir_value *
nir_build_alu_src_arr(nir_builder *build, nir_op op, nir_value **srcs)
{
   nir_alu_instr *alu = nir_new_alu(build->shader, op);
   for (unsigned i = 0; i < nir_op_infos[op].num_inputs; i++)
      alu->src[i].use = nir_use_of(srcs[i]);
   return nir_builder_alu_instr_finish_and_insert(build, alu);
}

nir_value *
nir_build_alu(nir_builder *build, nir_op op, nir_value *src0, nir_value *src1,
              nir_value *src2, nir_value *src3)
{
   nir_value *srcs[] = { src0, src1, src2, src3 };
   return nir_build_alu_src_arr(build, op, srcs);
}

nir_value *
nir_build_alu1(nir_builder *build, nir_op op, nir_value *src0)
{
   return nir_build_alu_src_arr(build, op, &src0);
}

nir_value *
nir_build_alu2(nir_builder *build, nir_op op, nir_value *src0,
               nir_value *src1)
{
   nir_value *srcs[] = { src0, src1 };
   return nir_build_alu_src_arr(build, op, srcs);
}

nir_value *
nir_build_alu3(nir_builder *build, nir_op op, nir_value *src0,
               nir_value *src1, nir_value *src2)
{
   nir_value *srcs[] = { src0, src1, src2 };
   return nir_build_alu_src_arr(build, op, srcs);
}

nir_value *
nir_build_alu4(nir_builder *build, nir_op op, nir_value *src0,
               nir_value *src1, nir_value *src2, nir_value *src3)
{
   return nir_build_alu(build, op, src0, src1, src2, src3);
}

/* --- Derefs ------------------------------------------------------------- */

/* The size of a pointer; we have logical ones only. */
#define DEREF_BIT_SIZE 32

static nir_deref_instr *
finish_deref(nir_builder *build, nir_deref_instr *deref)
{
   nir_set_result(&deref->instr, 1, DEREF_BIT_SIZE);
   nir_emit(build, &deref->instr);
   return deref;
}

nir_deref_instr *
nir_deref_to(nir_builder *build, nir_variable *var)
{
   nir_deref_instr *whole = nir_new_deref(build->shader, nir_deref_type_var);
   whole->var = var;
   whole->type = var->type;
   whole->modes = (nir_variable_mode)var->data.mode;
   return finish_deref(build, whole);
}

static nir_deref_instr *
child_deref(nir_builder *build, nir_deref_instr *parent, nir_deref_type kind,
            const struct glsl_type *type)
{
   nir_deref_instr *deref = nir_new_deref(build->shader, kind);
   deref->modes = parent->modes;
   deref->type = type;
   deref->parent = nir_use_of(&parent->instr.result);
   return deref;
}

nir_deref_instr *
nir_build_deref_array(nir_builder *build, nir_deref_instr *parent,
                      nir_value *index)
{
   assert(glsl_type_is_array_or_matrix(parent->type) ||
          glsl_type_is_vector(parent->type));
   nir_deref_instr *deref = child_deref(build, parent, nir_deref_type_array,
                                        glsl_get_array_element(parent->type));
   deref->index = nir_use_of(index);
   return finish_deref(build, deref);
}

nir_deref_instr *
nir_build_deref_array_imm(nir_builder *build, nir_deref_instr *parent,
                          int64_t index)
{
   return nir_build_deref_array(
      build, parent,
      nir_imm_intN_t(build, (uint64_t)index, parent->instr.result.bit_size));
}

nir_deref_instr *
nir_build_deref_ptr_as_array(nir_builder *build, nir_deref_instr *parent,
                             nir_value *index)
{
   nir_deref_instr *deref =
      child_deref(build, parent, nir_deref_type_ptr_as_array, parent->type);
   deref->index = nir_use_of(index);
   return finish_deref(build, deref);
}

nir_deref_instr *
nir_build_deref_array_wildcard(nir_builder *build, nir_deref_instr *parent)
{
   assert(glsl_type_is_array_or_matrix(parent->type));
   return finish_deref(
      build, child_deref(build, parent, nir_deref_type_array_wildcard,
                         glsl_get_array_element(parent->type)));
}

nir_deref_instr *
nir_build_deref_struct(nir_builder *build, nir_deref_instr *parent,
                       unsigned index)
{
   nir_deref_instr *deref =
      child_deref(build, parent, nir_deref_type_struct,
                  glsl_get_struct_field(parent->type, index));
   deref->member = index;
   return finish_deref(build, deref);
}

nir_deref_instr *
nir_build_deref_cast(nir_builder *build, nir_value *parent,
                     nir_variable_mode mode, const struct glsl_type *type,
                     unsigned ptr_stride)
{
   nir_deref_instr *deref = nir_new_deref(build->shader, nir_deref_type_cast);
   deref->modes = mode;
   deref->type = type;
   deref->parent = nir_use_of(parent);
   deref->cast.ptr_stride = ptr_stride;
   nir_set_result(&deref->instr, parent->num_components, parent->bit_size);
   nir_emit(build, &deref->instr);
   return deref;
}

nir_deref_instr *
nir_build_deref_follower(nir_builder *b, nir_deref_instr *parent,
                         nir_deref_instr *leader)
{
   /* The parent itself will do where the leader steps from it. */
   if (leader->deref_type != nir_deref_type_var &&
       leader->parent.value == &parent->instr.result)
      return leader;
   switch (leader->deref_type) {
   case nir_deref_type_array:
      return nir_build_deref_array(b, parent,
                                   nir_use_value(b, leader->index, 1));
   case nir_deref_type_array_wildcard:
      return nir_build_deref_array_wildcard(b, parent);
   case nir_deref_type_struct:
      return nir_build_deref_struct(b, parent, leader->member);
   case nir_deref_type_ptr_as_array:
      return nir_build_deref_ptr_as_array(b, parent,
                                          nir_use_value(b, leader->index, 1));
   case nir_deref_type_cast:
      return nir_build_deref_cast(b, &parent->instr.result, leader->modes,
                                  leader->type, leader->cast.ptr_stride);
   case nir_deref_type_var: break;
   }
   unreachable("a variable follows nothing");
}

/* --- Intrinsics --------------------------------------------------------- */

nir_intrinsic_instr *
nir_build_intrinsic_begin(nir_builder *build, nir_intrinsic_op op,
                          unsigned num_components, unsigned bit_size,
                          nir_value **srcs)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[op];
   nir_intrinsic_instr *intr = nir_new_intrinsic(build->shader, op);
   for (unsigned i = 0; i < info->num_srcs; i++)
      intr->src[i] = nir_use_of(srcs[i]);
   if (info->has_dest && info->dest_components == 0)
      intr->num_components = (uint8_t)num_components;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (info->src_components[i] == 0)
         intr->num_components = srcs[i]->num_components;
   }
   if (info->has_dest)
      nir_set_result(&intr->instr, num_components, bit_size);
   return intr;
}

unsigned
nir_build_default_align_B(const nir_intrinsic_instr *instr)
{
   const unsigned bits = nir_intrinsic_infos[instr->intrinsic].has_dest
                            ? instr->instr.result.bit_size
                            : instr->src[0].value->bit_size;
   return MAX2(bits, 8) / 8;
}

nir_value *
nir_load_deref_with_access(nir_builder *build, nir_deref_instr *deref,
                           enum gl_access_qualifier access)
{
   const unsigned bits = glsl_get_bit_size(deref->type);
   const unsigned comps = glsl_get_vector_elements(deref->type);
   return nir_build_load_deref(build, comps, bits, &deref->instr.result,
                               .access = access);
}

nir_value *
nir_load_deref(nir_builder *build, nir_deref_instr *deref)
{
   return nir_load_deref_with_access(build, deref, 0);
}

void
nir_store_deref_with_access(nir_builder *build, nir_deref_instr *deref,
                            nir_value *value, unsigned writemask,
                            enum gl_access_qualifier access)
{
   writemask &= BITFIELD_MASK(value->num_components);
   nir_build_store_deref(build, &deref->instr.result, value,
                         .write_mask = writemask, .access = access);
}

void
nir_store_deref(nir_builder *build, nir_deref_instr *deref, nir_value *value,
                unsigned writemask)
{
   nir_store_deref_with_access(build, deref, value, writemask, 0);
}

void
nir_copy_deref_with_access(nir_builder *build, nir_deref_instr *to,
                           nir_deref_instr *from,
                           enum gl_access_qualifier to_access,
                           enum gl_access_qualifier from_access)
{
   nir_build_copy_deref(build, &to->instr.result, &from->instr.result,
                        .dst_access = to_access, .src_access = from_access);
}

void
nir_copy_deref(nir_builder *build, nir_deref_instr *dest,
               nir_deref_instr *src)
{
   nir_copy_deref_with_access(build, dest, src, 0, 0);
}

nir_value *
nir_load_var(nir_builder *build, nir_variable *var)
{
   return nir_load_deref(build, nir_deref_to(build, var));
}

void
nir_store_var(nir_builder *build, nir_variable *var, nir_value *value,
              unsigned writemask)
{
   nir_store_deref(build, nir_deref_to(build, var), value, writemask);
}

void
nir_copy_var(nir_builder *build, nir_variable *dest, nir_variable *src)
{
   nir_copy_deref(build, nir_deref_to(build, dest), nir_deref_to(build, src));
}

nir_value *
nir_load_array_var(nir_builder *build, nir_variable *var, nir_value *index)
{
   nir_deref_instr *d = nir_deref_to(build, var);
   return nir_load_deref(build, nir_build_deref_array(build, d, index));
}

nir_value *
nir_load_array_var_imm(nir_builder *build, nir_variable *var, int64_t index)
{
   nir_deref_instr *d = nir_deref_to(build, var);
   return nir_load_deref(build, nir_build_deref_array_imm(build, d, index));
}

void
nir_store_array_var(nir_builder *build, nir_variable *var, nir_value *index,
                    nir_value *value, unsigned writemask)
{
   nir_deref_instr *d = nir_deref_to(build, var);
   nir_store_deref(build, nir_build_deref_array(build, d, index), value,
                   writemask);
}

nir_value *
nir_load_system_value(nir_builder *build, nir_intrinsic_op op, int index,
                      unsigned num_components, unsigned bit_size)
{
   nir_intrinsic_instr *intr =
      nir_build_intrinsic_begin(build, op, num_components, bit_size, NULL);
   intr->const_index[0] = index;
   return nir_emit(build, &intr->instr);
}

nir_value *
nir_load_barycentric(nir_builder *build, nir_intrinsic_op op,
                     unsigned interp_mode)
{
   nir_intrinsic_instr *intr =
      nir_build_intrinsic_begin(build, op, 2, 32, NULL);
   nir_intrinsic_set_interp_mode(intr, interp_mode);
   return nir_emit(build, &intr->instr);
}
