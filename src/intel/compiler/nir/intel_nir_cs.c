/* SPDX-License-Identifier: MIT */
/*
 * What compute shaders need of NIR: shared memory as byte offsets, zeroed
 * where the shader says so (the hardware leaves in it what was there), and
 * gl_LocalInvocationID out of the invocation's number, which is all that the
 * hardware knows of it.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

/* x + size.x * (y + size.y * z) backwards. Sizes of 1 cost nothing. */
static bool
lower_local_id(nir_builder *b, nir_instr *instr, void *data)
{
   const uint16_t *size = b->shader->info.workgroup_size;
   nir_value *rest, *id[3];
   nir_intrinsic_instr *intr;

   if (instr->kind != nir_kind_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   if (intr->intrinsic != nir_intrinsic_load_local_invocation_id)
      return false;
   b->cursor = nir_before_instr(instr);
   rest = nir_load_local_invocation_index(b);
   for (unsigned i = 0; i < 3; i++) {
      const bool last = i == 2 || (i == 1 && size[2] == 1) ||
                        (i == 0 && size[1] == 1 && size[2] == 1);
      nir_value *n = nir_imm_int(b, size[i]);
      if (size[i] <= 1) {
         id[i] = nir_imm_int(b, 0);
      } else if (last) {
         id[i] = rest;
         rest = nir_imm_int(b, 0);
      } else {
         id[i] = nir_umod(b, rest, n);
         rest = nir_udiv(b, rest, n);
      }
   }
   nir_instr_replace(&intr->instr, nir_vec(b, id, 3));
   return true;
}

/* Each invocation writes every so many of the vectors of shared memory. */
static void
zero_shared_memory(nir_shader *nir)
{
   enum { VECTOR_B = 16 };
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b = nir_builder_create(impl);
   const uint16_t *size = nir->info.workgroup_size;
   const unsigned invocations = (unsigned)size[0] * size[1] * size[2];
   nir_variable *var = nir_new_local(impl, glsl_uint_type(), "zeroed");
   nir_value *at, *zero;

   nir->info.shared_size = ALIGN(nir->info.shared_size, VECTOR_B);
   b.cursor = nir_before_cf_list(&impl->body);
   zero = nir_imm_ivec4(&b, 0, 0, 0, 0);
   nir_store_var(
      &b, var,
      nir_imul_imm(&b, nir_load_local_invocation_index(&b), VECTOR_B), 1);
   nir_loop *loop = nir_push_loop(&b);
   at = nir_load_var(&b, var);
   nir_if *end = nir_push_if(
      &b, nir_uge(&b, at, nir_imm_int(&b, (int)nir->info.shared_size)));
   nir_jump(&b, nir_jump_break);
   nir_pop_if(&b, end);
   nir_store_shared(&b, zero, at, .write_mask = 0xf, .align_mul = VECTOR_B);
   nir_store_var(&b, var, nir_iadd_imm(&b, at, invocations * VECTOR_B), 1);
   nir_pop_loop(&b, loop);
   nir_scoped_barrier(&b, .execution_scope = NIR_SCOPE_WORKGROUP,
                      .memory_scope = NIR_SCOPE_WORKGROUP,
                      .memory_semantics = NIR_MEMORY_ACQ_REL,
                      .memory_modes = nir_var_mem_shared);
   nir->info.uses_control_barrier = true;
   nir->info.zero_shared_memory = false;
   nir_metadata_preserve(impl, nir_metadata_none);
}

bool
intel_nir_lower_cs(nir_shader *nir)
{
   bool progress = false;

   NIR_PASS(progress, nir, nir_lower_vars_to_explicit_types,
            nir_var_mem_shared, glsl_get_natural_size_align_bytes);
   NIR_PASS(progress, nir, nir_lower_explicit_io, nir_var_mem_shared,
            nir_address_format_32bit_offset);
   if (nir->info.zero_shared_memory && nir->info.shared_size) {
      zero_shared_memory(nir);
      NIR_PASS(progress, nir, nir_lower_vars_to_ssa);
   }
   if (!nir->info.workgroup_size_variable)
      progress |= nir_visit_instrs(nir, lower_local_id,
                                   nir_metadata_control_flow, NULL);
   return progress;
}
