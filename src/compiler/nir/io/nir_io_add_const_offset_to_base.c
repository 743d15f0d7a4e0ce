/* SPDX-License-Identifier: MIT */
/* A constant offset of an input or output intrinsic moves into its base and
 * its location: then each slot is an intrinsic of its own to later passes. */
#include "nir.h"
#include "nir_builder.h"

static nir_variable_mode
mode_of(const nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_per_vertex_input:
   case nir_intrinsic_load_interpolated_input:
   case nir_intrinsic_load_input_vertex: return nir_var_shader_in;
   case nir_intrinsic_load_output:
   case nir_intrinsic_load_per_vertex_output:
   case nir_intrinsic_store_output:
   case nir_intrinsic_store_per_vertex_output: return nir_var_shader_out;
   default: return 0;
   }
}

/* Slots that the components take from here. */
static unsigned
slots_used(const nir_intrinsic_instr *intr)
{
   const unsigned bits = nir_intrinsic_infos[intr->intrinsic].has_dest
                            ? intr->instr.result.bit_size
                            : intr->src[0].value->bit_size;
   const unsigned dw = intr->num_components * MAX2(bits / 32, 1u) +
                       nir_intrinsic_component(intr);

   return DIV_ROUND_UP(dw, 4);
}

static bool
add_offset(nir_builder *b, nir_instr *instr, void *data)
{
   const nir_variable_mode modes = *(nir_variable_mode *)data;
   nir_intrinsic_instr *intr;
   nir_io_semantics sem;
   nir_use *offset;
   unsigned n;

   if (instr->kind != nir_kind_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   if (!(mode_of(intr) & modes))
      return false;
   offset = nir_get_io_offset_src(intr);
   if (!nir_use_is_const(*offset))
      return false;
   n = (unsigned)nir_use_as_uint(*offset);
   sem = nir_intrinsic_io_semantics(intr);
   if (n == 0 && sem.num_slots == slots_used(intr))
      return false;
   nir_intrinsic_set_base(intr, nir_intrinsic_base(intr) + (int)n);
   sem.location += n;
   sem.num_slots = slots_used(intr);
   nir_intrinsic_set_io_semantics(intr, sem);
   b->cursor = nir_before_instr(instr);
   nir_set_use(instr, offset, nir_imm_int(b, 0));
   return true;
}

bool
nir_io_add_const_offset_to_base(nir_shader *shader, nir_variable_mode modes)
{
   return nir_visit_instrs(shader, add_offset, nir_metadata_control_flow,
                           &modes);
}
