/* SPDX-License-Identifier: MIT */
/*
 * Problem: before Gen9 the tessellator adds points along the edges of quads
 * with whole factors if one direction is not divided (its three factors are
 * 1) and the other everywhere into the same number of parts (PRM BDW vol 7,
 * below the layouts of the patch header).
 *
 * Method: as the manual says, an inside factor of 1 becomes 2 if any factor
 * is above 1. What is below counts as 1, too: the tessellator clamps factors
 * first (OpenGL 4.6, 11.2.2.2 "Quad Tessellation"). At the end, when all
 * invocations have written factors, one of them reads the factors back.
 *
 * After: no more than that; factors that are constants above 1 are left
 * alone.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

static nir_intrinsic_instr *
factor_store(nir_instr *instr, unsigned location)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return NULL;
   return intr->intrinsic == nir_intrinsic_store_output &&
                nir_intrinsic_io_semantics(intr).location == location
             ? intr
             : NULL;
}

static bool
may_be_one(const nir_use *src)
{
   if (!nir_use_is_const(*src))
      return true;
   for (unsigned c = 0; c < src->value->num_components; c++) {
      if (!(nir_use_comp_as_float(*src, c) > 1))
         return true;
   }
   return false;
}

static bool
inside_may_be_one(nir_function_impl *impl)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         const nir_intrinsic_instr *store =
            factor_store(instr, VARYING_SLOT_TESS_LEVEL_INNER);
         if (store && may_be_one(&store->src[0]))
            return true;
      }
   }
   return false;
}

static nir_value *
load_factors(nir_builder *b, unsigned count, unsigned location)
{
   return nir_load_output(
      b, count, 32, nir_imm_int(b, 0), .dest_type = nir_type_float32,
      .io_semantics = { .location = location, .num_slots = 1 });
}

static nir_value *
any_above_one(nir_builder *b, nir_value *outer, nir_value *inner)
{
   nir_value *most =
      nir_fmax(b, nir_channel(b, inner, 0), nir_channel(b, inner, 1));

   for (unsigned i = 0; i < 4; i++)
      most = nir_fmax(b, most, nir_channel(b, outer, i));
   return nir_flt(b, nir_imm_float(b, 1), most);
}

bool
intel_nir_separate_tess_factors(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);

   if (nir->info.tess._primitive_mode != TESS_PRIMITIVE_QUADS ||
       (nir->info.tess.spacing != TESS_SPACING_EQUAL &&
        nir->info.tess.spacing != TESS_SPACING_UNSPECIFIED) ||
       !inside_may_be_one(impl))
      return false;
   nir_builder b = nir_builder_create(impl);
   b.cursor = nir_after_cf_list(&impl->body);
   nir_control_barrier(&b);
   nir_if *first =
      nir_push_if(&b, nir_ieq_imm(&b, nir_load_invocation_id(&b), 0));
   nir_value *outer = load_factors(&b, 4, VARYING_SLOT_TESS_LEVEL_OUTER);
   nir_value *inner = load_factors(&b, 2, VARYING_SLOT_TESS_LEVEL_INNER);
   nir_value *any = any_above_one(&b, outer, inner);
   nir_value *out[2];
   for (unsigned i = 0; i < 2; i++) {
      nir_value *f = nir_channel(&b, inner, i);
      nir_value *above = nir_flt(&b, nir_imm_float(&b, 1), f);
      out[i] = nir_bcsel(&b, nir_iand(&b, any, nir_inot(&b, above)),
                         nir_imm_float(&b, 2), f);
   }
   nir_store_output(&b, nir_vec2(&b, out[0], out[1]), nir_imm_int(&b, 0),
                    .src_type = nir_type_float32,
                    .io_semantics = {
                       .location = VARYING_SLOT_TESS_LEVEL_INNER,
                       .num_slots = 1,
                    });
   nir_pop_if(&b, first);
   nir->info.uses_control_barrier = true;
   nir_metadata_preserve(impl, nir_metadata_none);
   return true;
}
