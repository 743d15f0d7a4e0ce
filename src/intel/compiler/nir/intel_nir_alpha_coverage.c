/* SPDX-License-Identifier: MIT */
/*
 * Problem: alpha to coverage is off in the hardware for a fragment shader
 * that writes a sample mask, whatever the state says (PRM SKL Vol. 7, "Alpha
 * Coverage"), but OpenGL and Vulkan want both masks ANDed.
 *
 * Method: of n samples the first round(alpha * n) are covered, as the
 * hardware has it without dithering; the mask that is stored is ANDed with
 * them.
 *
 * Before: outputs lowered (intel_lower_io_nir), stored at the end of main,
 * each once.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

struct outputs {
   nir_intrinsic_instr *mask, *color;
   nir_intrinsic_instr *last; /* of these two */
};

static struct outputs
find_outputs(nir_function_impl *impl)
{
   struct outputs out = { NULL };

   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         nir_intrinsic_instr *store = nir_maybe_intrinsic(instr);
         if (!store)
            continue;
         if (store->intrinsic != nir_intrinsic_store_output)
            continue;
         const struct nir_io_semantics io = nir_intrinsic_io_semantics(store);
         if (io.location == FRAG_RESULT_SAMPLE_MASK)
            out.mask = out.last = store;
         else if (io.location == FRAG_RESULT_DATA0 &&
                  !io.dual_source_blend_index)
            out.color = out.last = store;
      }
   }
   return out;
}

/* The alpha of a colour that is stored; NULL if it has none, or is no float.
 */
static nir_value *
stored_alpha(nir_builder *b, const nir_intrinsic_instr *store)
{
   const unsigned first = nir_intrinsic_component(store);
   const nir_alu_type type = nir_intrinsic_src_type(store);

   if (nir_type_base(type) != nir_type_float || first > 3 ||
       !(nir_intrinsic_write_mask(store) >> (3 - first) & 1))
      return NULL;
   nir_value *alpha = nir_channel(b, store->src[0].value, 3 - first);
   return alpha->bit_size == 32 ? alpha : nir_f2f32(b, alpha);
}

bool
intel_nir_alpha_coverage(nir_shader *nir, unsigned samples)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b = nir_builder_create(impl);
   const struct outputs out = find_outputs(impl);
   nir_value *alpha = NULL;

   if (out.mask && out.color &&
       out.mask->instr.block == out.color->instr.block) {
      b.cursor = nir_before_instr(&out.last->instr);
      alpha = stored_alpha(&b, out.color);
   }
   if (!alpha) {
      nir_metadata_preserve(impl, nir_metadata_all);
      return false;
   }
   nir_value *covered = nir_f2u32(
      &b,
      nir_fadd_imm(&b, nir_fmul_imm(&b, nir_fsat(&b, alpha), samples), 0.5));
   nir_value *mask = nir_inot(&b, nir_ishl(&b, nir_imm_int(&b, -1), covered));
   if (out.last != out.mask) {
      nir_instr_remove(&out.mask->instr);
      nir_instr_insert(b.cursor, &out.mask->instr);
      b.cursor = nir_before_instr(&out.mask->instr);
   }
   mask = nir_iand(&b, out.mask->src[0].value, mask);
   nir_set_use(&out.mask->instr, &out.mask->src[0], mask);
   nir_metadata_preserve(impl, nir_metadata_control_flow);
   return true;
}
