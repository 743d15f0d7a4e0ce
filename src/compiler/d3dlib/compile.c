/* SPDX-License-Identifier: MIT */
/*
 * Bytecode to SPIR-V or text.
 *
 * In SPIR-V a resource has the set and binding that the interface says for
 * its register; without an interface the n-th declared one has binding n of
 * set 0, counters after them. Raw and structured buffers are storage
 * buffers, textures and samplers apart.
 */
#include "d3dlib.h"

#include <stdlib.h>

#include "compiler/d3d/d3dbc/d3dbc_to_nir.h"
#include "compiler/d3d/hlsl/hlsl.h"
#include "compiler/d3d/tpf/tpf_to_nir.h"
#include "compiler/spirv/write/spirv_write.h"

/* --- Bindings ----------------------------------------------------------- */

static enum vkd3d_shader_visibility
visibility(gl_shader_stage stage)
{
   switch (stage) {
   case MESA_SHADER_VERTEX: return VKD3D_SHADER_VISIBILITY_VERTEX;
   case MESA_SHADER_TESS_CTRL: return VKD3D_SHADER_VISIBILITY_HULL;
   case MESA_SHADER_TESS_EVAL: return VKD3D_SHADER_VISIBILITY_DOMAIN;
   case MESA_SHADER_GEOMETRY: return VKD3D_SHADER_VISIBILITY_GEOMETRY;
   case MESA_SHADER_FRAGMENT: return VKD3D_SHADER_VISIBILITY_PIXEL;
   default: return VKD3D_SHADER_VISIBILITY_COMPUTE;
   }
}

static bool
is_seen(enum vkd3d_shader_visibility by, gl_shader_stage stage)
{
   return by == VKD3D_SHADER_VISIBILITY_ALL || by == visibility(stage);
}

/* The file and register (or range) that tpf_to_nir.h gives a variable. */
static bool
register_of(const nir_variable *var, bool ranges, bool *counter,
            struct d3dlib_resource *r)
{
   const unsigned n = var->data.binding;
   unsigned file;

   *counter = false;
   if (ranges)
      file = var->data.descriptor_set;
   else
      file = n >= TPF_BINDING_COUNTER    ? TPF_SET_COUNTER
             : n >= TPF_BINDING_UAV      ? TPF_SET_UAV
             : n >= TPF_BINDING_RESOURCE ? TPF_SET_RESOURCE
             : n >= TPF_BINDING_SAMPLER  ? TPF_SET_SAMPLER
                                         : 0;
   switch (file) {
   case TPF_SET_SAMPLER:
      r->info.type = VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER;
      r->range = ranges ? n : n - TPF_BINDING_SAMPLER;
      return true;
   case TPF_SET_RESOURCE:
      r->info.type = VKD3D_SHADER_DESCRIPTOR_TYPE_SRV;
      r->range = ranges ? n : n - TPF_BINDING_RESOURCE;
      return true;
   case TPF_SET_UAV:
      r->info.type = VKD3D_SHADER_DESCRIPTOR_TYPE_UAV;
      r->range = ranges ? n : n - TPF_BINDING_UAV;
      return true;
   case TPF_SET_COUNTER:
      *counter = true;
      r->info.type = VKD3D_SHADER_DESCRIPTOR_TYPE_UAV;
      r->range = ranges ? n : n - TPF_BINDING_COUNTER;
      return true;
   default:
      r->info.type = VKD3D_SHADER_DESCRIPTOR_TYPE_CBV;
      r->range = n;
      return var->data.mode == nir_var_mem_ubo;
   }
}

static const char *
letter(enum vkd3d_shader_descriptor_type type)
{
   static const char *const letters[] = { "t", "u", "cb", "s" };

   return letters[type];
}

static const struct vkd3d_shader_descriptor_binding *
find_binding(const struct vkd3d_shader_interface_info *interface,
             const struct d3dlib_resource *r, bool counter,
             gl_shader_stage stage)
{
   for (unsigned i = 0; !counter && i < interface->binding_count; i++) {
      const struct vkd3d_shader_resource_binding *b = &interface->bindings[i];
      if (b->type == r->info.type &&
          b->register_space == r->info.register_space &&
          b->register_index == r->info.register_index &&
          is_seen(b->shader_visibility, stage))
         return &b->binding;
   }
   for (unsigned i = 0; counter && i < interface->uav_counter_count; i++) {
      const struct vkd3d_shader_uav_counter_binding *b =
         &interface->uav_counters[i];
      if (b->register_space == r->info.register_space &&
          b->register_index == r->info.register_index &&
          is_seen(b->shader_visibility, stage))
         return &b->binding;
   }
   return NULL;
}

/* `place`: what the interface is silent about goes where it was declared. */
static enum vkd3d_result
place(struct d3dlib_call *call, nir_shader *nir, nir_variable *var,
      const struct util_dynarray *resources, bool ranges,
      const struct vkd3d_shader_interface_info *interface)
{
   const unsigned n =
      (unsigned)util_dynarray_num_elements(resources, struct d3dlib_resource);
   const struct vkd3d_shader_descriptor_binding *binding;
   const struct d3dlib_resource *found = NULL;
   struct d3dlib_resource wanted = { 0 };
   unsigned i;
   bool counter;

   if (!register_of(var, ranges, &counter, &wanted))
      return VKD3D_OK;
   for (i = 0; i < n; i++) {
      found = util_dynarray_element(resources, struct d3dlib_resource, i);
      if (found->info.type == wanted.info.type &&
          found->range == wanted.range)
         break;
   }
   if (i == n)
      return d3dlib_fail(call, VKD3D_ERROR_INVALID_SHADER,
                         " error: %s%u is not declared",
                         letter(wanted.info.type), wanted.range);
   if (!interface) {
      var->data.descriptor_set = 0;
      var->data.binding = counter ? n + i : i;
      return VKD3D_OK;
   }
   binding = find_binding(interface, found, counter, nir->info.stage);
   if (!binding)
      return d3dlib_fail(call, VKD3D_ERROR_INVALID_ARGUMENT,
                         " error: the interface has no binding for %s%u%s of "
                         "space %u",
                         letter(found->info.type), found->info.register_index,
                         counter ? " (counter)" : "",
                         found->info.register_space);
   var->data.descriptor_set = binding->set;
   var->data.binding = binding->binding;
   return VKD3D_OK;
}

/* --- Push constants ----------------------------------------------------- */

static const struct vkd3d_shader_push_constant_buffer *
find_push_constants(const struct vkd3d_shader_interface_info *interface,
                    const struct d3dlib_resource *r, gl_shader_stage stage)
{
   for (unsigned i = 0; i < interface->push_constant_buffer_count; i++) {
      const struct vkd3d_shader_push_constant_buffer *p =
         &interface->push_constant_buffers[i];
      if (p->register_space == r->info.register_space &&
          p->register_index == r->info.register_index &&
          is_seen(p->shader_visibility, stage))
         return p;
   }
   return NULL;
}

/* The one block that Vulkan has of them: a member for each that is given. */
static nir_variable *
push_block(nir_shader *nir, struct arena *arena,
           const struct vkd3d_shader_interface_info *interface)
{
   const unsigned n = interface->push_constant_buffer_count;
   struct glsl_struct_field *fields =
      arena_new_array(arena, struct glsl_struct_field, n);
   nir_variable *var;

   for (unsigned i = 0; i < n; i++)
      fields[i] = (struct glsl_struct_field) {
         GLSL_STRUCT_FIELD_DEFAULT,
         .name = arena_printf(arena, "cb%u", i),
         .type = glsl_array_type(
            glsl_uvec_type(4),
            MAX2(DIV_ROUND_UP(interface->push_constant_buffers[i].size, 16),
                 1),
            16),
         .offset = (int)interface->push_constant_buffers[i].offset,
      };
   var = nir_new_variable(nir, nir_var_mem_push_const,
                          glsl_interface_type(fields, n,
                                              GLSL_INTERFACE_PACKING_STD140,
                                              false, "push_constants"),
                          "push_constants");
   var->interface_type = var->type;
   return var;
}

/* What leads to the buffer leads to the member: buffer, its one member, rows.
 */
static void
lead_to_member(nir_shader *nir, nir_variable *buffer, nir_variable *block,
               unsigned member)
{
   for (unsigned variables = 0; variables < 2; variables++) {
      nir_foreach_block(at, nir_entry_point(nir)) {
         nir_foreach_instr(instr, at) {
            nir_deref_instr *d = nir_maybe_deref(instr);
            if (!d || nir_deref_root(d) != buffer ||
                (d->deref_type == nir_deref_type_var) != variables)
               continue;
            d->modes = nir_var_mem_push_const;
            if (variables) {
               d->var = block;
               d->type = block->type;
            } else if (d->deref_type == nir_deref_type_struct) {
               d->member = member;
               d->type = glsl_get_struct_field(block->type, member);
            }
         }
      }
   }
   list_del(&buffer->node);
}

static void
push_constants(struct arena *arena, nir_shader *nir,
               const struct util_dynarray *resources, bool ranges,
               const struct vkd3d_shader_interface_info *interface)
{
   nir_variable *block = NULL;

   if (!interface || !interface->push_constant_buffer_count)
      return;
   nir_foreach_variable_with_modes_safe(var, nir, nir_var_mem_ubo) {
      struct d3dlib_resource wanted = { 0 };
      bool counter;
      if (!register_of(var, ranges, &counter, &wanted))
         continue;
      util_dynarray_foreach(resources, struct d3dlib_resource, r) {
         const struct vkd3d_shader_push_constant_buffer *p =
            r->info.type == wanted.info.type && r->range == wanted.range &&
                  r->info.count == 1
               ? find_push_constants(interface, r, nir->info.stage)
               : NULL;
         if (!p)
            continue;
         if (!block)
            block = push_block(nir, arena, interface);
         lead_to_member(nir, var, block,
                        (unsigned)(p - interface->push_constant_buffers));
         break;
      }
   }
}

static enum vkd3d_result
place_all(struct d3dlib_call *call, struct arena *arena, nir_shader *nir,
          const struct tpf_shader *shader,
          const struct vkd3d_shader_interface_info *interface)
{
   const nir_variable_mode modes = nir_var_mem_ubo | nir_var_mem_ssbo |
                                   nir_var_uniform | nir_var_image;
   struct util_dynarray resources = { 0 };
   enum vkd3d_result result = VKD3D_OK;

   d3dlib_resources(shader, &resources);
   push_constants(arena, nir, &resources, shader->version >= 51, interface);
   nir_foreach_variable_with_modes(var, nir, modes) {
      if (result == VKD3D_OK)
         result = place(call, nir, var, &resources, shader->version >= 51,
                        interface);
   }
   util_dynarray_fini(&resources);
   return result;
}

/* --- What is asked for -------------------------------------------------- */

static enum vkd3d_result
check_requests(struct d3dlib_call *call,
               const struct vkd3d_shader_compile_info *info)
{
   const struct vkd3d_shader_interface_info *interface =
      d3dlib_find(info->next, VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO);
   const struct vkd3d_shader_spirv_target_info *target =
      d3dlib_find(info->next, VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_TARGET_INFO);
   const char *what = NULL;

   if (interface && interface->combined_sampler_count)
      what = "samplers that are combined with textures";
   else if (target &&
            target->environment == VKD3D_SHADER_SPIRV_ENVIRONMENT_OPENGL_4_5)
      what = "SPIR-V for OpenGL";
   else if (target && target->output_swizzle_count)
      what = "swizzles of outputs";
   else if (d3dlib_find(info->next,
                        VKD3D_SHADER_STRUCTURE_TYPE_TRANSFORM_FEEDBACK_INFO))
      what = "transform feedback";
   return what ? d3dlib_fail(call, VKD3D_ERROR_NOT_IMPLEMENTED, " error: %s",
                             what)
               : VKD3D_OK;
}

/* A hull shader says it in Direct3D, and this one in Vulkan. */
static void
tessellate(nir_shader *nir, const struct vkd3d_shader_compile_info *info)
{
   const struct vkd3d_shader_spirv_domain_shader_target_info *domain =
      d3dlib_find(
         info->next,
         VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_DOMAIN_SHADER_TARGET_INFO);

   if (!domain || nir->info.stage != MESA_SHADER_TESS_EVAL)
      return;
   nir->info.tess.spacing =
      domain->partitioning ==
            VKD3D_SHADER_TESSELLATOR_PARTITIONING_FRACTIONAL_ODD
         ? TESS_SPACING_FRACTIONAL_ODD
      : domain->partitioning ==
            VKD3D_SHADER_TESSELLATOR_PARTITIONING_FRACTIONAL_EVEN
         ? TESS_SPACING_FRACTIONAL_EVEN
         : TESS_SPACING_EQUAL;
   nir->info.tess.ccw = domain->output_primitive ==
                        VKD3D_SHADER_TESSELLATOR_OUTPUT_TRIANGLE_CCW;
   nir->info.tess.point_mode = domain->output_primitive ==
                               VKD3D_SHADER_TESSELLATOR_OUTPUT_POINT;
}

static enum vkd3d_result
write_spirv(struct d3dlib_call *call, nir_shader *nir,
            const struct vkd3d_shader_compile_info *info)
{
   const struct vkd3d_shader_spirv_target_info *target =
      d3dlib_find(info->next, VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_TARGET_INFO);
   const struct spirv_write_options options = {
      .entry = target ? target->entry_point : NULL,
      .saturate = true,
   };
   char error[256];

   tessellate(nir, info);
   if (nir_to_spirv(nir, &options, &call->out, error, sizeof(error)))
      return VKD3D_OK;
   return d3dlib_fail(call, VKD3D_ERROR_NOT_IMPLEMENTED, " error: %s", error);
}

/* --- SM4 and SM5 -------------------------------------------------------- */

static enum vkd3d_result
print_text(struct d3dlib_call *call, struct strbuf *text)
{
   if (text->len)
      memcpy(util_dynarray_grow_bytes(&call->out, text->len), text->s,
             text->len);
   strbuf_fini(text);
   return VKD3D_OK;
}

static enum vkd3d_result
compile_tpf(struct d3dlib_call *call, struct arena *arena)
{
   const struct vkd3d_shader_compile_info *info = call->info;
   const struct vkd3d_shader_interface_info *interface =
      d3dlib_find(info->next, VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO);
   const struct tpf_to_nir_options options = { .parent = arena };
   struct d3d_error error = { 0 };
   struct strbuf text = { 0 };
   enum vkd3d_result result;
   struct dxbc container;
   struct tpf_shader *shader =
      d3dlib_read(call, arena, &info->source, &container);
   nir_shader *nir;

   if (!shader)
      return VKD3D_ERROR_INVALID_SHADER;
   if (info->target_type == VKD3D_SHADER_TARGET_D3D_ASM) {
      tpf_print(shader, &text);
      return print_text(call, &text);
   }
   nir = tpf_to_nir(shader, &container, &options, &error);
   if (!nir) {
      d3dlib_bad_input(call, &error);
      return VKD3D_ERROR_NOT_IMPLEMENTED;
   }
   result = place_all(call, arena, nir, shader, interface);
   return result == VKD3D_OK ? write_spirv(call, nir, info) : result;
}

/* --- Direct3D 9 --------------------------------------------------------- */

static enum vkd3d_result
compile_d3dbc(struct d3dlib_call *call, struct arena *arena)
{
   const struct vkd3d_shader_compile_info *info = call->info;
   const struct d3dbc_to_nir_options options = { .parent = arena };
   struct d3d_error error = { 0 };
   struct strbuf text = { 0 };
   struct d3dbc_shader *shader =
      d3dbc_decode(arena, info->source.code, info->source.size, &error);
   nir_shader *nir;

   if (!shader || !d3dbc_validate(shader, &error))
      return d3dlib_bad_input(call, &error);
   if (info->target_type == VKD3D_SHADER_TARGET_D3D_ASM) {
      d3dbc_print(shader, &text);
      return print_text(call, &text);
   }
   nir = d3dbc_to_nir(shader, &options, &error);
   if (nir)
      return write_spirv(call, nir, info);
   d3dlib_bad_input(call, &error);
   return VKD3D_ERROR_NOT_IMPLEMENTED;
}

/* --- The call ----------------------------------------------------------- */

static enum vkd3d_result
compile(struct d3dlib_call *call, struct arena *arena)
{
   const struct vkd3d_shader_compile_info *info = call->info;
   const enum vkd3d_result result = check_requests(call, info);

   if (result != VKD3D_OK)
      return result;
   return info->source_type == VKD3D_SHADER_SOURCE_DXBC_TPF
             ? compile_tpf(call, arena)
             : compile_d3dbc(call, arena);
}

/* HLSL is the last one: some systems have it. */
static const enum vkd3d_shader_source_type sources[] = {
   VKD3D_SHADER_SOURCE_DXBC_TPF,
   VKD3D_SHADER_SOURCE_D3D_BYTECODE,
   VKD3D_SHADER_SOURCE_HLSL,
};

/* The last two are of HLSL. */
static const enum vkd3d_shader_target_type targets[] = {
   VKD3D_SHADER_TARGET_SPIRV_BINARY,
   VKD3D_SHADER_TARGET_D3D_ASM,
   VKD3D_SHADER_TARGET_D3D_BYTECODE,
   VKD3D_SHADER_TARGET_DXBC_TPF,
};

const enum vkd3d_shader_source_type *
vkd3d_shader_get_supported_source_types(unsigned int *count)
{
   *count = ARRAY_SIZE(sources) - !hlsl_library_get(NULL);
   return sources;
}

static unsigned
target_count(enum vkd3d_shader_source_type source_type)
{
   switch (source_type) {
   case VKD3D_SHADER_SOURCE_DXBC_TPF:
   case VKD3D_SHADER_SOURCE_D3D_BYTECODE: return 2;
   case VKD3D_SHADER_SOURCE_HLSL: return ARRAY_SIZE(targets);
   default: return 0;
   }
}

const enum vkd3d_shader_target_type *
vkd3d_shader_get_supported_target_types(
   enum vkd3d_shader_source_type source_type, unsigned int *count)
{
   const bool known = source_type != VKD3D_SHADER_SOURCE_HLSL ||
                      hlsl_library_get(NULL);

   *count = known ? target_count(source_type) : 0;
   return *count ? targets : NULL;
}

static bool
is_asked_well(const struct vkd3d_shader_compile_info *info)
{
   const unsigned n = target_count(info->source_type);
   unsigned i;

   for (i = 0; i < n && targets[i] != info->target_type; i++)
      ;
   return i < n && info->type == VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO;
}

static int
compile_bytecode(const struct vkd3d_shader_compile_info *info,
                 struct vkd3d_shader_code *out, char **messages)
{
   struct d3dlib_call call = {
      .run = compile,
      .info = info,
      .name = info->source_name,
   };

   if (d3dlib_run(&call, messages) != VKD3D_OK) {
      util_dynarray_fini(&call.out);
      return call.result;
   }
   out->code = d3dlib_take(&call, &out->size);
   return out->code ? VKD3D_OK : VKD3D_ERROR_OUT_OF_MEMORY;
}

/* --- HLSL, by another library ------------------------------------------- */

static int
without_library(const struct vkd3d_shader_compile_info *info, const char *why,
                char **messages)
{
   struct d3dlib_call call = { .name = info->source_name };

   call.result =
      d3dlib_fail(&call, VKD3D_ERROR_NOT_IMPLEMENTED, " error: %s", why);
   return d3dlib_say(&call, messages);
}

/* What is the other library's to free becomes ours. */
static char *
take_text(const struct hlsl_library *library, char *text)
{
   char *copy = text ? strdup(text) : NULL;

   library->free_messages(text);
   return copy;
}

static int
take_code(const struct hlsl_library *library,
          struct vkd3d_shader_code *theirs, struct vkd3d_shader_code *out)
{
   void *copy = malloc(MAX2(theirs->size, 1));

   if (copy && theirs->size)
      memcpy(copy, theirs->code, theirs->size);
   *out = (struct vkd3d_shader_code) { copy, copy ? theirs->size : 0 };
   library->free_code(theirs);
   return copy ? VKD3D_OK : VKD3D_ERROR_OUT_OF_MEMORY;
}

static int
by_library(const struct hlsl_library *library,
           int (*function)(const struct vkd3d_shader_compile_info *info,
                           struct vkd3d_shader_code *out, char **messages),
           const struct vkd3d_shader_compile_info *info,
           struct vkd3d_shader_code *out, char **messages)
{
   struct vkd3d_shader_code code = { 0 };
   char *said = NULL;
   const int result = function(info, &code, &said);

   said = take_text(library, said);
   if (messages)
      *messages = said;
   else
      free(said);
   return result == VKD3D_OK ? take_code(library, &code, out) : result;
}

static int
compile_hlsl(const struct vkd3d_shader_compile_info *info,
             struct vkd3d_shader_code *out, char **messages)
{
   const struct vkd3d_shader_hlsl_source_info *hlsl =
      d3dlib_find(info->next, VKD3D_SHADER_STRUCTURE_TYPE_HLSL_SOURCE_INFO);
   const char *why;
   const struct hlsl_library *library = hlsl_library_get(&why);
   struct vkd3d_shader_compile_info front = *info, back = *info;
   struct vkd3d_shader_code code;
   char *said = NULL;
   int result;

   if (!hlsl || !hlsl->profile)
      return VKD3D_ERROR_INVALID_ARGUMENT;
   if (!library)
      return without_library(info, why, messages);
   if (info->target_type == targets[2] || info->target_type == targets[3])
      return by_library(library, library->compile, info, out, messages);
   front.target_type = hlsl_profile_target(hlsl->profile);
   result = by_library(library, library->compile, &front, &code, messages);
   if (result != VKD3D_OK)
      return result;
   back.source = code;
   back.source_type = front.target_type == VKD3D_SHADER_TARGET_DXBC_TPF
                         ? VKD3D_SHADER_SOURCE_DXBC_TPF
                         : VKD3D_SHADER_SOURCE_D3D_BYTECODE;
   result = compile_bytecode(&back, out, &said);
   /* An error is worth more than warnings. */
   if (said && messages) {
      free(*messages);
      *messages = said;
   } else {
      free(said);
   }
   vkd3d_shader_free_shader_code(&code);
   return result;
}

int
vkd3d_shader_preprocess(const struct vkd3d_shader_compile_info *info,
                        struct vkd3d_shader_code *out, char **messages)
{
   const char *why;
   const struct hlsl_library *library = hlsl_library_get(&why);

   if (messages)
      *messages = NULL;
   if (info->type != VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO)
      return VKD3D_ERROR_INVALID_ARGUMENT;
   if (!library)
      return without_library(info, why, messages);
   return by_library(library, library->preprocess, info, out, messages);
}

int
vkd3d_shader_compile(const struct vkd3d_shader_compile_info *info,
                     struct vkd3d_shader_code *out, char **messages)
{
   if (messages)
      *messages = NULL;
   if (!is_asked_well(info))
      return VKD3D_ERROR_INVALID_ARGUMENT;
   return info->source_type == VKD3D_SHADER_SOURCE_HLSL
             ? compile_hlsl(info, out, messages)
             : compile_bytecode(info, out, messages);
}
