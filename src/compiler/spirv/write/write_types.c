/* SPDX-License-Identifier: MIT */
/*
 * Types of variables. Vectors, matrices and images are the same type wherever
 * they occur; arrays and structs have the layout of the memory that they lie
 * in, or none.
 */
#include "compiler/spirv/write/write_private.h"

enum wr_base
wr_base_of(const struct glsl_type *type)
{
   switch (glsl_get_base_type(type)) {
   case GLSL_TYPE_BOOL: return WR_BOOL;
   case GLSL_TYPE_FLOAT:
   case GLSL_TYPE_FLOAT16:
   case GLSL_TYPE_DOUBLE: return WR_FLOAT;
   case GLSL_TYPE_INT:
   case GLSL_TYPE_INT8:
   case GLSL_TYPE_INT16:
   case GLSL_TYPE_INT64: return WR_INT;
   default: return WR_UINT;
   }
}

bool
wr_mode_is_laid_out(nir_variable_mode mode)
{
   return mode &
          (nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_push_const);
}

SpvStorageClass
wr_storage_class(struct wr *w, nir_variable_mode mode)
{
   switch (mode) {
   case nir_var_system_value:
   case nir_var_shader_in: return SpvStorageClassInput;
   case nir_var_shader_out: return SpvStorageClassOutput;
   case nir_var_shader_temp: return SpvStorageClassPrivate;
   case nir_var_function_temp: return SpvStorageClassFunction;
   case nir_var_image:
   case nir_var_uniform: return SpvStorageClassUniformConstant;
   case nir_var_mem_ubo: return SpvStorageClassUniform;
   case nir_var_mem_ssbo: return SpvStorageClassStorageBuffer;
   case nir_var_mem_shared: return SpvStorageClassWorkgroup;
   case nir_var_mem_push_const: return SpvStorageClassPushConstant;
   default: wr_fail(w, "memory of mode %u is not written", (unsigned)mode);
   }
}

/* --- Images ------------------------------------------------------------- */

static SpvDim
image_dim(struct wr *w, enum glsl_sampler_dim dim, bool storage)
{
   switch (dim) {
   case GLSL_SAMPLER_DIM_1D:
      wr_capability(w,
                    storage ? SpvCapabilityImage1D : SpvCapabilitySampled1D);
      return SpvDim1D;
   case GLSL_SAMPLER_DIM_2D:
   case GLSL_SAMPLER_DIM_EXTERNAL:
   case GLSL_SAMPLER_DIM_MS: return SpvDim2D;
   case GLSL_SAMPLER_DIM_3D: return SpvDim3D;
   case GLSL_SAMPLER_DIM_CUBE: return SpvDimCube;
   case GLSL_SAMPLER_DIM_BUF:
      wr_capability(w, storage ? SpvCapabilityImageBuffer
                               : SpvCapabilitySampledBuffer);
      return SpvDimBuffer;
   case GLSL_SAMPLER_DIM_RECT: wr_fail(w, "Vulkan has no rectangles");
   case GLSL_SAMPLER_DIM_SUBPASS:
   case GLSL_SAMPLER_DIM_SUBPASS_MS: break;
   }
   wr_fail(w, "input attachments are not written");
}

static void
image_capabilities(struct wr *w, const struct glsl_type *type, bool storage,
                   bool ms, unsigned format)
{
   const bool arrayed = glsl_sampler_type_is_array(type);

   if (arrayed && glsl_get_sampler_dim(type) == GLSL_SAMPLER_DIM_CUBE)
      wr_capability(w, storage ? SpvCapabilityImageCubeArray
                               : SpvCapabilitySampledCubeArray);
   if (ms && storage)
      wr_capability(w, SpvCapabilityStorageImageMultisample);
   if (ms && storage && arrayed)
      wr_capability(w, SpvCapabilityImageMSArray);
   /* 3.11: the first ones but R32's integers and floats of 4 and 16 bits
    * need another capability. */
   if (format == SpvImageFormatR64ui || format == SpvImageFormatR64i) {
      wr_capability(w, SpvCapabilityInt64ImageEXT);
      wr_extension(w, "SPV_EXT_shader_image_int64");
   } else if ((format > SpvImageFormatRgba8Snorm &&
               format < SpvImageFormatRgba32i) ||
              (format > SpvImageFormatR32i &&
               format < SpvImageFormatRgba32ui) ||
              format > SpvImageFormatR32ui) {
      wr_capability(w, SpvCapabilityStorageImageExtendedFormats);
   }
}

uint32_t
wr_image_type(struct wr *w, const struct glsl_type *type,
              enum pipe_format format)
{
   const bool storage = glsl_type_is_image(type);
   const enum glsl_sampler_dim dim = glsl_get_sampler_dim(type);
   const bool ms = dim == GLSL_SAMPLER_DIM_MS;
   const struct glsl_type *sampled = glsl_scalar_type(type->sampled_type);
   /* Whether a texture without sampler is one of depths is not known. */
   const unsigned depth = storage ? 0
                          : glsl_type_is_texture(type)
                             ? 2
                             : glsl_sampler_type_is_shadow(type);
   const SpvDim spv_dim = image_dim(w, dim, storage);

   image_capabilities(w, type, storage, ms, format);
   return WR_TYPE(w, SpvOpTypeImage,
                  wr_scalar_type(w, wr_base_of(sampled),
                                 glsl_get_bit_size(sampled)),
                  spv_dim, depth, glsl_sampler_type_is_array(type), ms,
                  storage ? 2 : 1, storage ? format : SpvImageFormatUnknown);
}

static uint32_t
opaque_type(struct wr *w, const struct glsl_type *type,
            enum pipe_format format)
{
   if (glsl_type_is_sampler(type) && type->sampled_type == GLSL_TYPE_VOID)
      return wr_made(w, SpvOpTypeSampler, 0, NULL, 0);
   const uint32_t image = wr_image_type(w, type, format);
   return glsl_type_is_sampler(type)
             ? WR_TYPE(w, SpvOpTypeSampledImage, image)
             : image;
}

/* --- Arrays and structs ------------------------------------------------- */

static uint32_t
array_of(struct wr *w, uint32_t element, unsigned length, unsigned stride_B)
{
   /* The stride is a decoration: arrays that differ in it alone are two. */
   const uint32_t key[] = { UINT32_MAX, element, length, stride_B };
   const uint32_t *copy = arena_memdup(w->arena, key, sizeof(key));
   uint32_t id =
      (uint32_t)(uintptr_t)hash_table_get_bytes(&w->made, copy, sizeof(key));

   if (id)
      return id;
   const uint32_t count = length ? wr_uint(w, length) : 0;
   id = wr_new_id(w);
   hash_table_insert_bytes(&w->made, copy, sizeof(key),
                           (void *)(uintptr_t)id);
   if (length)
      WR(&w->globals, SpvOpTypeArray, id, element, count);
   else
      WR(&w->globals, SpvOpTypeRuntimeArray, id, element);
   if (stride_B)
      WR(&w->decorations, SpvOpDecorate, id, SpvDecorationArrayStride,
         stride_B);
   return id;
}

static void
member_layout(struct wr *w, uint32_t id, unsigned i,
              const struct glsl_struct_field *f)
{
   const struct glsl_type *t = glsl_without_array(f->type);

   WR(&w->decorations, SpvOpMemberDecorate, id, i, SpvDecorationOffset,
      (uint32_t)MAX2(f->offset, 0));
   if (!glsl_type_is_matrix(t))
      return;
   WR(&w->decorations, SpvOpMemberDecorate, id, i, SpvDecorationMatrixStride,
      glsl_get_explicit_stride(t));
   WR(&w->decorations, SpvOpMemberDecorate, id, i,
      glsl_matrix_type_is_row_major(t) ? SpvDecorationRowMajor
                                       : SpvDecorationColMajor);
}

static uint32_t
struct_type(struct wr *w, const struct glsl_type *type,
            nir_variable_mode mode)
{
   const bool laid_out = wr_mode_is_laid_out(mode);
   const unsigned n = glsl_get_length(type);
   /* Blocks of storage buffers are decorated apart from uniform ones. */
   const uint64_t key = hash_key_ptr(type) << 1 | laid_out;
   uint32_t id = (uint32_t)(uintptr_t)hash_table_get(&w->ids, key);
   uint32_t *words;

   if (id)
      return id;
   words = arena_new_array(w->arena, uint32_t, n + 1);
   for (unsigned i = 0; i < n; i++)
      words[i + 1] = wr_type(w, glsl_get_struct_field(type, i), mode);
   id = words[0] = wr_new_id(w);
   hash_table_insert(&w->ids, key, (void *)(uintptr_t)id);
   wr_words(&w->globals, SpvOpTypeStruct, words, n + 1);
   wr_name(w, id, glsl_get_type_name(type));
   for (unsigned i = 0; i < n; i++) {
      const struct glsl_struct_field *f = glsl_get_struct_field_data(type, i);
      if (f->name && *f->name)
         wr_string_op(&w->names, SpvOpMemberName, WR_ARRAY(id, i), 2,
                      f->name);
      if (laid_out)
         member_layout(w, id, i, f);
   }
   if (laid_out && glsl_type_is_interface(type))
      WR(&w->decorations, SpvOpDecorate, id, SpvDecorationBlock);
   return id;
}

static uint32_t
number_type(struct wr *w, const struct glsl_type *type,
            nir_variable_mode mode)
{
   const unsigned bits = glsl_get_bit_size(type);
   const enum wr_base base = wr_base_of(type);
   const bool laid_out = wr_mode_is_laid_out(mode);
   uint32_t column;

   if (laid_out && base == WR_BOOL)
      wr_fail(w, "a boolean in memory has no size");
   if (laid_out && bits == 16)
      wr_capability(w, mode == nir_var_mem_push_const
                          ? SpvCapabilityStoragePushConstant16
                       : mode == nir_var_mem_ubo
                          ? SpvCapabilityStorageUniform16
                          : SpvCapabilityStorageBuffer16BitAccess);
   if (mode & (nir_var_shader_in | nir_var_shader_out) && bits == 16)
      wr_capability(w, SpvCapabilityStorageInputOutput16);
   if (laid_out && bits == 8) {
      wr_extension(w, "SPV_KHR_8bit_storage");
      wr_capability(w, mode == nir_var_mem_push_const
                          ? SpvCapabilityStoragePushConstant8
                       : mode == nir_var_mem_ubo
                          ? SpvCapabilityUniformAndStorageBuffer8BitAccess
                          : SpvCapabilityStorageBuffer8BitAccess);
   }
   column = wr_vector_type(w, base, bits, glsl_get_vector_elements(type));
   return glsl_type_is_matrix(type) ? WR_TYPE(w, SpvOpTypeMatrix, column,
                                              glsl_get_matrix_columns(type))
                                    : column;
}

static uint32_t
type_of(struct wr *w, const struct glsl_type *type, nir_variable_mode mode,
        enum pipe_format format)
{
   if (glsl_type_is_array(type)) {
      const struct glsl_type *element = glsl_get_array_element(type);
      const bool of_opaque =
         glsl_type_is_interface(glsl_without_array(type)) ||
         glsl_type_contains_opaque(type);
      if (glsl_type_is_unsized_array(type) && of_opaque) {
         wr_capability(w, SpvCapabilityRuntimeDescriptorArray);
         wr_extension(w, "SPV_EXT_descriptor_indexing");
      }
      return array_of(
         w, type_of(w, element, mode, format), glsl_get_length(type),
         wr_mode_is_laid_out(mode) ? glsl_get_explicit_stride(type) : 0);
   }
   if (glsl_type_is_struct_or_ifc(type))
      return struct_type(w, type, mode);
   if (glsl_type_contains_opaque(type))
      return opaque_type(w, type, format);
   return number_type(w, type, mode);
}

uint32_t
wr_type(struct wr *w, const struct glsl_type *type, nir_variable_mode mode)
{
   return type_of(w, type, mode, PIPE_FORMAT_NONE);
}

/* What atomic operations are done on has one 32-bit component (Vulkan,
 * VUID-StandaloneSpirv-OpImageTexelPointer-04658). */
static enum pipe_format
format_of(struct wr *w, const nir_variable *var)
{
   const struct glsl_type *type = glsl_without_array(var->type);

   if (!glsl_type_is_image(type))
      return PIPE_FORMAT_NONE;
   if (var->data.image.format ||
       !hash_table_has(&w->atomic_images, hash_key_ptr(var)))
      return var->data.image.format;
   return type->sampled_type == GLSL_TYPE_INT    ? PIPE_FORMAT_R32_SINT
          : type->sampled_type == GLSL_TYPE_UINT ? PIPE_FORMAT_R32_UINT
                                                 : PIPE_FORMAT_R32_FLOAT;
}

uint32_t
wr_type_within(struct wr *w, const nir_variable *var,
               const struct glsl_type *type)
{
   return type_of(w, type, (nir_variable_mode)var->data.mode,
                  format_of(w, var));
}
