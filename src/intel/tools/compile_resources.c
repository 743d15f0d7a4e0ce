/* SPDX-License-Identifier: MIT */
/*
 * Resources of a shader that is compiled on its own: what a driver would
 * take from the pipeline layout is made up here. An array of descriptors
 * gets as many entries as it has elements; everything in a set and binding
 * is the same wherever it is met.
 */
#include "compile_resources.h"

#include "compiler/nir/nir_builder.h"

struct state {
   nir_builder b;
   struct compile_resources *given;
   unsigned next_surface, next_sampler;
   const char *what;
};

static unsigned
entry(struct state *s, unsigned set, unsigned binding, unsigned elements,
      bool sampler)
{
   struct compile_resources *given = s->given;
   for (unsigned i = 0; i < given->count; i++) {
      const struct compile_resource *r = &given->list[i];
      if (r->set == set && r->binding == binding && r->sampler == sampler)
         return r->first;
   }
   if (given->count == ARRAY_SIZE(given->list)) {
      s->what = "more than 128 resources";
      return 0;
   }
   unsigned *next = sampler ? &s->next_sampler : &s->next_surface;
   given->list[given->count++] =
      (struct compile_resource) { set, binding, *next, sampler };
   const unsigned first = *next;
   *next += MAX2(1, elements);
   return first;
}

/* Of the buffers there. */
static unsigned
num_elements(const nir_shader *nir, unsigned set, unsigned binding)
{
   unsigned most = 1;

   nir_foreach_variable_with_modes(var, nir,
                                   nir_var_mem_ubo | nir_var_mem_ssbo) {
      if (var->data.descriptor_set == set && var->data.binding == binding &&
          glsl_type_is_array(var->type))
         most = MAX2(most, glsl_get_aoa_size(var->type));
   }
   return most;
}

/* vulkan_resource_index(element) -> entry + element */
static void
lower_index(struct state *s, nir_intrinsic_instr *intr)
{
   const unsigned set = (unsigned)nir_intrinsic_desc_set(intr);
   const unsigned binding = (unsigned)nir_intrinsic_binding(intr);
   const unsigned first =
      entry(s, set, binding, num_elements(s->b.shader, set, binding), false);

   s->b.cursor = nir_before_instr(&intr->instr);
   nir_value *index = nir_iadd_imm(&s->b, intr->src[0].value, first);
   nir_instr_replace(&intr->instr, index);
}

/* The variable that a chain starts at, its element count, and the element
 * as a value (NULL: 0). */
static nir_variable *
chain(struct state *s, nir_deref_instr *d, nir_value **element)
{
   *element = NULL;
   while (d && d->deref_type == nir_deref_type_array) {
      if (*element) {
         s->what = "an array of arrays of descriptors";
         return NULL;
      }
      *element = d->index.value;
      d = nir_deref_parent(d);
   }
   if (!d || d->deref_type != nir_deref_type_var) {
      s->what = "a resource that is no variable";
      return NULL;
   }
   return d->var;
}

static void
lower_tex_src(struct state *s, nir_tex_instr *tex, nir_tex_operand_kind kind,
              nir_tex_operand_kind dynamic, bool sampler, unsigned *index)
{
   const int i = nir_tex_find(tex, kind);
   nir_value *element;

   if (i < 0)
      return;
   nir_variable *var = chain(s, nir_use_as_deref(tex->src[i].use), &element);
   if (!var)
      return;
   *index = entry(s, var->data.descriptor_set, var->data.binding,
                  glsl_type_is_array(var->type)
                     ? (unsigned)glsl_get_length(var->type)
                     : 1,
                  sampler);
   nir_tex_remove(tex, (unsigned)i);
   if (element)
      nir_tex_add(tex, dynamic, nir_use_of(element));
}

/* image_deref_* -> image_*(entry + element) */
static void
lower_image(struct state *s, nir_intrinsic_instr *intr)
{
   nir_value *element, *index;
   nir_variable *var = chain(s, nir_use_as_deref(intr->src[0]), &element);
   unsigned first;

   if (!var)
      return;
   first = entry(s, var->data.descriptor_set, var->data.binding,
                 glsl_type_is_array(var->type)
                    ? (unsigned)glsl_get_length(var->type)
                    : 1,
                 false);
   s->b.cursor = nir_before_instr(&intr->instr);
   index = nir_imm_int(&s->b, (int)first);
   if (element)
      index = nir_iadd(&s->b, index, element);
   nir_rewrite_image_intrinsic(intr, index, false);
}

static void
lower_instr(struct state *s, nir_instr *instr)
{
   if (instr->kind == nir_kind_tex) {
      nir_tex_instr *tex = nir_instr_as_tex(instr);
      lower_tex_src(s, tex, nir_tex_src_texture_deref,
                    nir_tex_src_texture_offset, false, &tex->texture_index);
      lower_tex_src(s, tex, nir_tex_src_sampler_deref,
                    nir_tex_src_sampler_offset, true, &tex->sampler_index);
   } else if (instr->kind == nir_kind_intrinsic) {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      if (intr->intrinsic == nir_intrinsic_vulkan_resource_index)
         lower_index(s, intr);
      else if (nir_intrinsic_is_image_deref(intr))
         lower_image(s, intr);
   }
}

bool
compile_lower_resources(nir_shader *nir, unsigned first_entry,
                        struct compile_resources *given, const char **what)
{
   struct compile_resources own;
   struct state s = { .given = given ? given : &own,
                      .next_surface = first_entry };
   nir_function_impl *impl = nir_entry_point(nir);
   bool progress = false;

   s.given->count = 0;
   NIR_PASS(progress, nir, nir_lower_explicit_io,
            nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_push_const,
            nir_address_format_32bit_index_offset);
   (void)progress;
   nir_builder_init(&s.b, impl);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block)
         lower_instr(&s, instr);
   }
   nir_metadata_preserve(impl, nir_metadata_control_flow);
   *what = s.what;
   return s.what == NULL;
}
