/* SPDX-License-Identifier: MIT */
/*
 * Struct types in the text form: Mesa prints only their names, which cannot
 * be read back. One line for each, those that it uses first:
 *    decl_struct NAME { TYPE FIELD @OFFSET; ... }
 */
#include "nir.h"

#include "nir_private.h"
#include "util/hash_table.h"
#include "util/strbuf.h"

static void
print_type(const struct glsl_type *type, struct strbuf *out,
           struct hash_table *done)
{
   type = glsl_without_array(type);
   if (!glsl_type_is_struct_or_ifc(type) ||
       hash_table_has(done, hash_key_ptr(type)))
      return;
   hash_table_insert(done, hash_key_ptr(type), (void *)type);
   for (unsigned i = 0; i < glsl_get_length(type); i++)
      print_type(glsl_get_struct_field(type, i), out, done);

   strbuf_printf(out, "decl_%s %s {",
                 glsl_type_is_struct(type) ? "struct" : "interface",
                 glsl_get_type_name(type));
   for (unsigned i = 0; i < glsl_get_length(type); i++) {
      const struct glsl_struct_field *f = glsl_get_struct_field_data(type, i);
      const unsigned stride = glsl_get_explicit_stride(f->type);
      strbuf_printf(out, " %s ", glsl_get_type_name(f->type));
      if (f->name && *f->name)
         strbuf_puts(out, f->name);
      else
         strbuf_printf(out, "field%u", i);
      if (f->offset >= 0)
         strbuf_printf(out, " @%d", f->offset);
      if (stride)
         strbuf_printf(out, " %%%u", stride);
      strbuf_puts(out, ";");
   }
   strbuf_puts(out, " }\n");
}

void
nir_print_type_decls(nir_shader *shader, struct strbuf *out,
                     struct arena *arena)
{
   struct hash_table done;
   hash_table_init(&done);
   nir_foreach_variable_in_shader(var, shader)
      print_type(var->type, out, &done);
   nir_foreach_impl(impl, shader) {
      nir_foreach_function_temp_variable(var, impl)
         print_type(var->type, out, &done);
   }
   hash_table_finish(&done);
}
