/* SPDX-License-Identifier: MIT */
#include "compiler/spirv/tests/spirv_run.h"

static int
slots(const struct glsl_type *type, bool bindless)
{
   return (int)glsl_count_attribute_slots(type, false);
}

nir_shader *
spirv_run_read(int argc, char **argv)
{
   static uint32_t words[1 << 16];
   FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
   struct spirv_error err;
   nir_shader *nir;
   size_t n;

   if (!f) {
      fprintf(stderr, "usage: %s MODULE.spv\n", argv[0]);
      return NULL;
   }
   n = fread(words, 4, ARRAY_SIZE(words), f);
   fclose(f);
   nir = spirv_to_nir(words, n, NULL, 0, MESA_SHADER_FRAGMENT, "main", NULL,
                      &err);
   if (!nir)
      printf("%s\n", err.message);
   return nir;
}

#define RUN(pass, ...) NIR_PASS(progress, nir, pass, ##__VA_ARGS__)

bool
spirv_run_lowering(nir_shader *nir)
{
   const nir_variable_mode io = nir_var_shader_in | nir_var_shader_out;
   bool progress = false;

   RUN(nir_lower_io_to_temporaries, nir_entry_point(nir), true, false);
   RUN(nir_lower_global_vars_to_local);
   RUN(nir_split_var_copies);
   RUN(nir_lower_var_copies);
   RUN(nir_split_struct_vars, nir_var_function_temp);
   RUN(nir_opt_copy_prop_vars);
   RUN(nir_opt_dead_write_vars);
   RUN(nir_lower_array_deref_of_vec, io | nir_var_function_temp);
   RUN(nir_lower_clip_cull_distance_arrays);
   RUN(nir_lower_system_values);
   RUN(nir_lower_indirect_derefs, io | nir_var_function_temp, UINT32_MAX);
   RUN(nir_lower_vars_to_ssa);
   RUN(nir_remove_dead_variables, nir_var_function_temp | nir_var_shader_temp,
       NULL);
   RUN(nir_lower_io, io, slots, nir_lower_io_lower_64bit_to_32);
   RUN(nir_io_add_const_offset_to_base, io);
   RUN(nir_lower_explicit_io, nir_var_mem_ubo | nir_var_mem_ssbo,
       nir_address_format_32bit_index_offset);
   RUN(nir_lower_vars_to_explicit_types, nir_var_mem_shared,
       glsl_get_natural_size_align_bytes);
   RUN(nir_lower_explicit_io, nir_var_mem_push_const | nir_var_mem_shared,
       nir_address_format_32bit_offset);
   RUN(nir_opt_deref);
   return progress;
}

void
spirv_run(const uint32_t *words, size_t n, FILE *out, struct spirv_error *err)
{
   gl_shader_stage stage = MESA_SHADER_FRAGMENT;
   const char *name = "main";
   nir_shader *nir;

   /* Without one the translation says what is wrong. */
   (void)spirv_get_entry_point(words, n, 0, &stage, &name);
   nir = spirv_to_nir(words, n, NULL, 0, stage, name, NULL, err);
   if (!nir)
      return;
   if (out)
      nir_print_shader(nir, out);
   nir_validate_shader(nir, "spirv_to_nir");
   spirv_run_lowering(nir);
   if (out)
      nir_print_shader(nir, out);
   nir_shader_destroy(nir);
}
