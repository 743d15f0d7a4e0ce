/* SPDX-License-Identifier: MIT */
/* Variables in the text form. */
#include "nir_print_private.h"

#include <inttypes.h>

#include "nir_private.h"

const char *
nir_print_mode_name(unsigned mode, bool want_local)
{
   switch (mode) {
   case nir_var_shader_in: return "shader_in";
   case nir_var_shader_out: return "shader_out";
   case nir_var_shader_temp: return "shader_temp";
   case nir_var_function_temp: return want_local ? "function_temp" : "";
   case nir_var_uniform: return "uniform";
   case nir_var_mem_ubo: return "ubo";
   case nir_var_system_value: return "system";
   case nir_var_mem_ssbo: return "ssbo";
   case nir_var_mem_shared: return "shared";
   case nir_var_mem_global: return "global";
   case nir_var_mem_push_const: return "push_const";
   case nir_var_mem_constant: return "constant";
   case nir_var_image: return "image";
   default: return "";
   }
}

/* Unique: two variables of one name get @ and a number. */
const char *
nir_print_var_name(struct nir_printer *s, const nir_variable *var)
{
   const char *name = hash_table_get(&s->names, hash_key_ptr(var));
   if (name)
      return name;
   if (!var->name) {
      name = arena_printf(s->arena, "#%u", s->next_unnamed++);
   } else {
      name = var->name;
      while (
         hash_table_get_bytes(&s->names_taken, name, (uint32_t)strlen(name)))
         name = arena_printf(s->arena, "%s@%u", var->name, s->next_unnamed++);
   }
   hash_table_insert(&s->names, hash_key_ptr(var), (void *)name);
   hash_table_insert_bytes(&s->names_taken, name, (uint32_t)strlen(name),
                           (void *)name);
   return name;
}

static void
print_constant(struct nir_printer *s, const nir_constant *c,
               const struct glsl_type *type)
{
   if (glsl_type_is_vector_or_scalar(type)) {
      const unsigned n = glsl_get_vector_elements(type);
      const unsigned bits = glsl_get_bit_size(type);
      for (unsigned i = 0; i < n; i++) {
         P("%s0x%0*" PRIx64, i ? ", " : "", (int)MAX2(bits / 4, 1),
           nir_const_value_as_uint(c->values[i], bits));
      }
      return;
   }
   for (unsigned i = 0; i < c->num_elements; i++) {
      const struct glsl_type *t = glsl_type_is_struct_or_ifc(type)
                                     ? glsl_get_struct_field(type, i)
                                     : glsl_get_array_element(type);
      P("%s{ ", i ? ", " : "");
      print_constant(s, c->elements[i], t);
      P(" }");
   }
}

static const char *
location_name(const nir_shader *shader, const nir_variable *var,
              struct arena *arena)
{
   const int loc = var->data.location;
   if (loc < 0)
      return "~0";
   if (var->data.mode == nir_var_system_value)
      return gl_system_value_name((gl_system_value)loc);
   if (var->data.mode == nir_var_shader_in &&
       shader->info.stage == MESA_SHADER_VERTEX)
      return gl_vert_attrib_name((gl_vert_attrib)loc);
   if (var->data.mode == nir_var_shader_out &&
       shader->info.stage == MESA_SHADER_FRAGMENT)
      return gl_frag_result_name((gl_frag_result)loc);
   if (var->data.mode & (nir_var_shader_in | nir_var_shader_out))
      return gl_varying_slot_name_for_stage((gl_varying_slot)loc,
                                            shader->info.stage);
   return arena_printf(arena, "%d", loc);
}

static void
print_location(struct nir_printer *s, const nir_variable *var)
{
   char comps[8] = "";
   if (var->data.mode & (nir_var_shader_in | nir_var_shader_out)) {
      const unsigned n = glsl_get_components(glsl_without_array(var->type));
      if (n != 4 || var->data.location_frac) {
         unsigned k = 0;
         comps[k++] = '.';
         for (unsigned c = 0;
              c < n && c + var->data.location_frac < 4 &&
              !glsl_type_is_matrix(glsl_without_array(var->type));
              c++)
            comps[k++] = "xyzw"[c + var->data.location_frac];
         comps[k > 1 ? k : 0] = '\0';
      }
   }
   const char *end = var->data.compact ? " compact" : "";
   P(" (%s%s, %u, %u)%s", location_name(s->shader, var, s->arena), comps,
     var->data.driver_location, var->data.binding, end);
}

/* What the Mesa form does not say and is not the default. */
static void
print_var_extras(struct nir_printer *s, const nir_variable *var)
{
   const struct {
      const char *name;
      unsigned v;
   } extras[] = {
      { "set", var->data.descriptor_set },
      { "index", var->data.index },
      { "stream", var->data.stream },
      { "xfb_buffer", var->data.xfb.buffer },
      { "xfb_stride", var->data.xfb.stride },
      { "offset", var->data.offset },
      { "explicit_xfb", var->data.explicit_xfb_buffer },
   };
   bool first = true;
   for (unsigned i = 0; i < ARRAY_SIZE(extras); i++) {
      if (extras[i].v) {
         P("%s%s=%u", first ? " {" : ", ", extras[i].name, extras[i].v);
         first = false;
      }
   }
   if (!first)
      P("}");
}

void
nir_print_var_decl(struct nir_printer *s, const nir_variable *var)
{
   P("decl_var %s%s%s%s%s%s%s%s ", var->data.bindless ? "bindless " : "",
     var->data.centroid ? "centroid " : "", var->data.sample ? "sample " : "",
     var->data.patch ? "patch " : "", var->data.invariant ? "invariant " : "",
     var->data.per_view ? "per_view " : "",
     var->data.per_vertex ? "per_vertex " : "",
     nir_print_mode_name(var->data.mode, false));

   static const struct {
      unsigned bit;
      const char *name;
   } access[] = {
      { ACCESS_COHERENT, "coherent" },
      { ACCESS_VOLATILE, "volatile" },
      { ACCESS_RESTRICT, "restrict" },
      { ACCESS_NON_WRITEABLE, "readonly" },
      { ACCESS_NON_READABLE, "writeonly" },
      { ACCESS_CAN_REORDER, "reorderable" },
      { ACCESS_NON_UNIFORM, "non-uniform" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(access); i++) {
      if (var->data.access & access[i].bit)
         P("%s ", access[i].name);
   }
   if (glsl_type_is_image(glsl_without_array(var->type)) &&
       var->data.image.format)
      P("%s ", nir_image_format_name(var->data.image.format));
   P("%s %s %s",
     glsl_interp_mode_name((enum glsl_interp_mode)var->data.interpolation),
     glsl_get_type_name(var->type), nir_print_var_name(s, var));

   if (var->data.mode & (nir_var_shader_in | nir_var_shader_out |
                         nir_var_uniform | nir_var_system_value |
                         nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_image))
      print_location(s, var);
   if (var->constant_initializer) {
      P(" = { ");
      if (var->constant_initializer->is_null_constant)
         P("null");
      else
         print_constant(s, var->constant_initializer, var->type);
      P(" }");
   }
   if (var->pointer_initializer)
      P(" = &%s", nir_print_var_name(s, var->pointer_initializer));
   print_var_extras(s, var);
   P("\n");
   nir_print_note(s, var);
}
