/* SPDX-License-Identifier: MIT */
/*
 * Problem: between stages, from the vertex fetcher and to render targets go
 * channels of 32 bits; inputs and outputs may have 16 (storageInputOutput16).
 *
 * Method: they travel as what they are equal to in 32 bits, and are converted
 * at either end. Nothing is lost: a float of 16 bits is one of 32, and what
 * is interpolated between is rounded where it is read.
 *
 * Before: inputs and outputs are lowered. After: they have 32 bits or 64.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

static nir_alu_type
wide_type(nir_alu_type type)
{
   return nir_type_base(type) | 32;
}

static bool
widen_load(nir_builder *b, nir_intrinsic_instr *load)
{
   nir_value *wide = &load->instr.result;
   const nir_alu_type type = nir_intrinsic_dest_type(load);

   if (wide->bit_size != 16)
      return false;
   wide->bit_size = 32;
   nir_intrinsic_set_dest_type(load, wide_type(type));
   b->cursor = nir_after_instr(&load->instr);
   nir_value *value = nir_type_base(type) == nir_type_float
                         ? nir_f2fN(b, wide, 16)
                         : nir_u2uN(b, wide, 16);
   nir_value_replace_after(wide, value, value->instr);
   return true;
}

static bool
widen_store(nir_builder *b, nir_intrinsic_instr *store)
{
   nir_value *value = store->src[0].value;
   const nir_alu_type type = nir_intrinsic_src_type(store);
   const nir_alu_type base = nir_type_base(type);

   if (value->bit_size != 16)
      return false;
   b->cursor = nir_before_instr(&store->instr);
   if (base == nir_type_float)
      value = nir_f2fN(b, value, 32);
   else if (base == nir_type_int)
      value = nir_i2iN(b, value, 32);
   else
      value = nir_u2uN(b, value, 32);
   nir_set_use(&store->instr, &store->src[0], value);
   nir_intrinsic_set_src_type(store, wide_type(type));
   return true;
}

static bool
widen(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return false;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
   case nir_intrinsic_load_per_vertex_input:
   case nir_intrinsic_load_output:
   case nir_intrinsic_load_per_vertex_output: return widen_load(b, intr);
   case nir_intrinsic_store_output:
   case nir_intrinsic_store_per_vertex_output: return widen_store(b, intr);
   default: return false;
   }
}

bool
intel_nir_widen_io(nir_shader *nir)
{
   return nir_visit_instrs(nir, widen, nir_metadata_control_flow, NULL);
}
