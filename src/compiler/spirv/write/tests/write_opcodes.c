/* SPDX-License-Identifier: MIT */
#include "compiler/spirv/write/tests/write_opcodes.h"

#include "compiler/nir/nir_builder.h"

/* --- Which -------------------------------------------------------------- */

static bool
has_size(nir_alu_type type, unsigned bits)
{
   if (nir_type_bits(type))
      return true;
   switch (nir_type_base(type)) {
   case nir_type_float: return bits >= 16;
   case nir_type_bool: return bits <= 32;
   default: return true;
   }
}

static bool
takes_size(nir_op op, unsigned bits)
{
   const nir_op_info *info = &nir_op_infos[op];
   bool is_free = !nir_type_bits(info->output.type);

   for (unsigned i = 0; i < info->num_inputs; i++)
      is_free |= !nir_type_bits(info->input[i].type);
   if (!is_free)
      return bits == 32; /* once */
   for (unsigned i = 0; i < info->num_inputs; i++) {
      if (!has_size(info->input[i].type, bits))
         return false;
   }
   /* Arithmetic that means nothing on one bit (nir_opcodes.py). */
   switch (op) {
   case nir_op_isign:
   case nir_op_ihadd:
   case nir_op_uhadd:
   case nir_op_irhadd:
   case nir_op_urhadd:
      if (bits == 1)
         return false;
      break;
   default: break;
   }
   return has_size(info->output.type, bits);
}

static bool
takes_components(nir_op op, unsigned components)
{
   return components == 1 || !nir_op_infos[op].output.size;
}

bool
write_opcode_is_refused(nir_op op, unsigned bits)
{
   const nir_op_info *info = &nir_op_infos[op];

   /* Vectors are taken apart, where nothing reads the whole. */
   for (const struct nir_op_port *in = info->input;
        in < info->input + info->num_inputs; in++) {
      if (in->size > 4)
         return true;
   }
   switch (op) {
   /* Rounding is a mode of the module there. */
   case nir_op_fadd_rtz:
   case nir_op_fmul_rtz:
   case nir_op_f2f32_rtz:
   case nir_op_f2f16_rtz:
   case nir_op_pack_half_2x16_rtz_split: return true;
   /* GLSL.std.450 has them for floats and halves. */
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_fpow: return bits == 64;
   default: return nir_op_is_derivative(op) && bits != 32;
   }
}

/* --- Operands ----------------------------------------------------------- */

static nir_variable *
buffer(nir_builder *b, unsigned binding)
{
   const struct glsl_struct_field field = {
      .type = glsl_array_type(glsl_uint_type(), 0, 4),
      .name = "d",
      .location = -1,
      .component = -1,
      .xfb_buffer = -1,
      .xfb_offset = -1,
   };
   const struct glsl_type *type = glsl_interface_type(
      &field, 1, GLSL_INTERFACE_PACKING_STD430, false, "b");
   nir_variable *var =
      nir_new_variable(b->shader, nir_var_mem_ssbo, type, NULL);

   var->interface_type = type;
   var->data.binding = binding;
   return var;
}

static nir_deref_instr *
dword(nir_builder *b, nir_variable *var, unsigned i)
{
   return nir_build_deref_array_imm(
      b, nir_build_deref_struct(b, nir_deref_to(b, var), 0), i);
}

static nir_value *
component(nir_builder *b, nir_variable *from, unsigned at, bool is_float,
          unsigned bits)
{
   nir_value *x = nir_load_deref(b, dword(b, from, at));

   switch (bits) {
   case 1: return nir_ine_imm(b, nir_iand_imm(b, x, 1), 0);
   case 8: return nir_u2u8(b, x);
   case 16: return is_float ? nir_f2f16(b, x) : nir_u2u16(b, x);
   case 32: return x;
   default:
      return is_float ? nir_f2f64(b, x)
                      : nir_pack_64_2x32_split(
                           b, x, nir_load_deref(b, dword(b, from, at + 1)));
   }
}

static void
store(nir_builder *b, nir_variable *to, nir_value *v)
{
   unsigned at = 0;

   for (unsigned i = 0; i < v->num_components; i++) {
      nir_value *x = nir_channel(b, v, i);
      nir_value *high = v->bit_size == 64 ? nir_unpack_64_2x32_split_y(b, x)
                                          : NULL;
      x = v->bit_size == 1    ? nir_b2i32(b, x)
          : v->bit_size == 64 ? nir_unpack_64_2x32_split_x(b, x)
                              : nir_u2uN(b, x, 32);
      nir_store_deref(b, dword(b, to, at++), x, 1);
      if (high)
         nir_store_deref(b, dword(b, to, at++), high, 1);
   }
}

nir_shader *
write_opcode_shader(struct arena *arena, nir_op op, unsigned bits,
                    unsigned components)
{
   const nir_op_info *info = &nir_op_infos[op];
   nir_value *srcs[NIR_ALU_MAX_INPUTS], *c[NIR_MAX_VEC_COMPONENTS];
   unsigned at = 0;

   if (!takes_size(op, bits) || !takes_components(op, components))
      return NULL;
   nir_builder b = nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, NULL,
                                                  "%s", info->name);
   nir_variable *from = buffer(&b, 0), *to = buffer(&b, 1);
   b.exact = true;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const nir_alu_type type = info->input[i].type;
      const unsigned size = nir_type_bits(type) ? nir_type_bits(type) : bits;
      const unsigned n = info->input[i].size ? info->input[i].size
                                             : components;
      for (unsigned k = 0; k < n; k++)
         c[k] = component(&b, from, at++,
                          nir_type_base(type) == nir_type_float, size);
      srcs[i] = nir_vec(&b, c, n);
   }
   store(&b, to, nir_build_alu_src_arr(&b, op, srcs));
   nir_validate_shader(b.shader, info->name);
   return b.shader;
}
