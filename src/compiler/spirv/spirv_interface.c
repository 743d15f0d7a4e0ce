/* SPDX-License-Identifier: MIT */
/*
 * The nir_variables of a module: made when a pointer to them is first used.
 *
 * A block of the interface between stages (gl_PerVertex, say) becomes one
 * variable for each member, with the arrays around the block around each:
 * what happens to one member then never touches the others.
 */
#include "compiler/spirv/spirv_private.h"

static bool
has_builtin_members(const struct spv_type *t)
{
   for (unsigned i = 0; i < t->length; i++) {
      if (t->decor[i].builtin >= 0)
         return true;
   }
   return false;
}

/* Finds the block of an input or output and how many arrays are around. */
void
spv_classify_interface(struct spv *s, struct spv_variable *v)
{
   struct spv_type *t = v->type;
   unsigned depth = 0;

   if (v->storage != SpvStorageClassInput &&
       v->storage != SpvStorageClassOutput)
      return;
   while (t->base == SPV_ARRAY) {
      t = t->elem;
      depth++;
   }
   if (t->base == SPV_STRUCT && (t->block || has_builtin_members(t))) {
      v->block = t;
      v->array_depth = depth;
      v->num_members = t->length;
      v->members = arena_new_array(s->arena, nir_variable *, t->length);
   }
   v->skip_array = v->decor.builtin == SpvBuiltInSampleMask &&
                   v->type->base == SPV_ARRAY;
}

static nir_variable_mode
mode_of(struct spv *s, const struct spv_variable *v)
{
   const struct spv_type *t = v->type;

   switch (v->storage) {
   case SpvStorageClassInput: return nir_var_shader_in;
   case SpvStorageClassOutput: return nir_var_shader_out;
   case SpvStorageClassPrivate: return nir_var_shader_temp;
   case SpvStorageClassFunction: return nir_var_function_temp;
   case SpvStorageClassWorkgroup: return nir_var_mem_shared;
   case SpvStorageClassUniformConstant: return nir_var_uniform;
   case SpvStorageClassPushConstant: return nir_var_mem_push_const;
   case SpvStorageClassStorageBuffer: return nir_var_mem_ssbo;
   case SpvStorageClassUniform:
      while (t->base == SPV_ARRAY)
         t = t->elem;
      return t->buffer_block ? nir_var_mem_ssbo : nir_var_mem_ubo;
   default:
      spv_unsupported(s, "storage class %s",
                      spirv_enumerant_name(spirv_enum_StorageClass,
                                           v->storage));
   }
}

/* What a member does not say, the variable says. */
static void
merge_decor(struct spv_decor *d, const struct spv_decor *outer)
{
   if (d->interp == INTERP_MODE_NONE)
      d->interp = outer->interp;
   d->centroid |= outer->centroid;
   d->sample |= outer->sample;
   d->patch |= outer->patch;
   d->invariant |= outer->invariant;
   d->access |= outer->access;
   if (d->xfb_buffer < 0)
      d->xfb_buffer = outer->xfb_buffer;
   if (d->xfb_stride < 0)
      d->xfb_stride = outer->xfb_stride;
   if (d->stream < 0)
      d->stream = outer->stream;
}

static unsigned
slots(const struct spv *s, const struct spv_variable *v,
      const struct glsl_type *type)
{
   const bool vs_input = s->stage == MESA_SHADER_VERTEX &&
                         v->storage == SpvStorageClassInput;

   /* Vulkan counts two locations for a dvec3 in every stage (15.1.5). */
   (void)vs_input;
   return glsl_count_attribute_slots(type, false);
}

/* Members without a Location follow the one before (Vulkan 15.1.4). */
static int
member_location(const struct spv *s, const struct spv_variable *v,
                unsigned member)
{
   int next = v->decor.location;

   for (unsigned i = 0; i <= member; i++) {
      const struct spv_decor *d = &v->block->decor[i];
      const int here = d->location >= 0 ? d->location : next;
      if (i == member)
         return here;
      if (d->builtin < 0 && here >= 0)
         next = here + (int)slots(s, v, v->block->members[i]->glsl);
   }
   return -1;
}

/* How many blocks an array of them has; the vertices of a patch or primitive
 * do not count. */
static unsigned
block_count(const struct spv *s, const struct spv_variable *v,
            const nir_variable *var)
{
   const struct spv_type *t = v->type;
   unsigned n = 1;

   if (nir_is_arrayed_io(var, s->stage) && t->base == SPV_ARRAY)
      t = t->elem;
   for (; t->base == SPV_ARRAY; t = t->elem)
      n *= t->length;
   return n;
}

/*
 * Blocks of an array follow each other (Vulkan 15.1.4), so that the same
 * member of all of them is at places far apart, which an array cannot be.
 * Both stages have the array, and so either may have the members of one kind
 * together instead, in the same locations.
 */
static int
location_in_blocks(const struct spv *s, const struct spv_variable *v,
                   const nir_variable *var, unsigned member)
{
   const int here = member_location(s, v, member);
   int first = here;

   for (unsigned i = 0; i < v->block->length; i++) {
      if (v->block->decor[i].builtin < 0)
         first = MIN2(first, member_location(s, v, i));
   }
   return first < 0 ? here
                    : first + (here - first) * (int)block_count(s, v, var);
}

static int
location_base(const struct spv *s, const nir_variable *var)
{
   if (var->data.mode == nir_var_shader_in && s->stage == MESA_SHADER_VERTEX)
      return VERT_ATTRIB_GENERIC0;
   if (var->data.mode == nir_var_shader_out &&
       s->stage == MESA_SHADER_FRAGMENT)
      return FRAG_RESULT_DATA0;
   return var->data.patch ? VARYING_SLOT_PATCH0 : VARYING_SLOT_VAR0;
}

/* Per-vertex varyings that only tessellation stages see: zink 22.3 counts
 * them and those of the patch in one row. */
static bool
is_tess_varying(const struct spv *s, const nir_variable *var)
{
   return !var->data.patch &&
          var->data.mode == (s->stage == MESA_SHADER_TESS_CTRL
                                ? nir_var_shader_out
                                : nir_var_shader_in) &&
          (s->stage == MESA_SHADER_TESS_CTRL ||
           s->stage == MESA_SHADER_TESS_EVAL);
}

static int
location_count(const struct spv *s, const nir_variable *var)
{
   if (var->data.mode == nir_var_shader_in && s->stage == MESA_SHADER_VERTEX)
      return 32;
   if (var->data.mode == nir_var_shader_out &&
       s->stage == MESA_SHADER_FRAGMENT)
      return 8;
   return var->data.patch || is_tess_varying(s, var) ? 64 : 32;
}

static void
set_location(struct spv *s, const struct spv_variable *v, nir_variable *var,
             int location)
{
   const struct glsl_type *t = var->type;

   spv_check(s, location >= 0,
             "variable %u is an input or output without Location or BuiltIn "
             "(Vulkan, VUID-StandaloneSpirv-Location-04916)",
             v->id);
   if (nir_is_arrayed_io(var, s->stage) && glsl_type_is_array(t))
      t = glsl_get_array_element(t);
   const int n = (int)slots(s, v, t);

   if (location + n > location_count(s, var))
      spv_unsupported(s, "location %d and beyond", location);
   /* Locations go further for a patch, but no variable is larger than all
    * there is by limits (maxTessellationControlPerPatchOutputComponents). */
   if (n > MAX_VARYING)
      spv_unsupported(s, "a variable of %d locations", n);
   if (is_tess_varying(s, var)) {
      s->tess_locations |= BITFIELD64_MASK(n) << location;
      if (__builtin_popcountll(s->tess_locations) > MAX_VARYING)
         spv_unsupported(s, "more than %d locations", MAX_VARYING);
   }
   var->data.location = location_base(s, var) + location;
   if (is_tess_varying(s, var) && location >= MAX_VARYING)
      var->data.location = VARYING_SLOT_FAR_VAR32 + location - MAX_VARYING;
   var->data.explicit_location = true;
}

static bool
needs_flat(const struct glsl_type *t)
{
   t = glsl_without_array_or_matrix(t);
   return glsl_type_is_integer(t) || glsl_type_is_64bit(t);
}

static void
set_xfb(struct spv *s, nir_variable *var, const struct spv_decor *d)
{
   if (d->stream > 0)
      var->data.stream = (unsigned)d->stream;
   if (d->xfb_stride >= 0) {
      var->data.explicit_xfb_stride = true;
      var->data.xfb.stride = (uint16_t)d->xfb_stride;
   }
   if (d->xfb_buffer >= 0) {
      var->data.explicit_xfb_buffer = true;
      var->data.xfb.buffer = (uint16_t)d->xfb_buffer;
   }
   if (d->offset >= 0) {
      var->data.explicit_offset = true;
      var->data.offset = (unsigned)d->offset;
   }
   if (s->has_xfb && d->xfb_buffer >= 0 && d->offset >= 0) {
      s->shader->info.has_transform_feedback_varyings = true;
      if (d->xfb_stride > 0)
         s->shader->info.xfb_stride_dw[d->xfb_buffer] =
            (uint8_t)(d->xfb_stride / 4);
   }
}

static void
set_interface(struct spv *s, const struct spv_variable *v, nir_variable *var,
              const struct spv_decor *d, unsigned member)
{
   var->data.interpolation = d->interp;
   var->data.centroid = d->centroid;
   var->data.sample = d->sample;
   var->data.patch = d->patch;
   var->data.invariant = d->invariant;
   if (d->component > 0)
      var->data.location_frac = (unsigned)d->component;
   if (d->index > 0)
      var->data.index = 1;
   if (v->storage == SpvStorageClassInput)
      var->data.read_only = true;
   if (d->builtin >= 0)
      spv_set_builtin(s, var, (SpvBuiltIn)d->builtin, v->storage);
   else
      set_location(s, v, var,
                   v->block ? location_in_blocks(s, v, var, member)
                            : v->decor.location);
   if (v->block)
      var->data.block_count = (uint16_t)block_count(s, v, var);
   if (s->stage == MESA_SHADER_FRAGMENT &&
       var->data.mode == nir_var_shader_in && needs_flat(var->type))
      var->data.interpolation = INTERP_MODE_FLAT;
   if (var->data.mode == nir_var_shader_out)
      set_xfb(s, var, d);
}

static enum pipe_format
image_format(const struct spv_type *t)
{
   static const enum pipe_format formats[] = {
      [SpvImageFormatRgba32f] = PIPE_FORMAT_R32G32B32A32_FLOAT,
      [SpvImageFormatRgba16f] = PIPE_FORMAT_R16G16B16A16_FLOAT,
      [SpvImageFormatR32f] = PIPE_FORMAT_R32_FLOAT,
      [SpvImageFormatRgba8] = PIPE_FORMAT_R8G8B8A8_UNORM,
      [SpvImageFormatRgba8Snorm] = PIPE_FORMAT_R8G8B8A8_SNORM,
      [SpvImageFormatRg32f] = PIPE_FORMAT_R32G32_FLOAT,
      [SpvImageFormatRg16f] = PIPE_FORMAT_R16G16_FLOAT,
      [SpvImageFormatR11fG11fB10f] = PIPE_FORMAT_R11G11B10_FLOAT,
      [SpvImageFormatR16f] = PIPE_FORMAT_R16_FLOAT,
      [SpvImageFormatRgba16] = PIPE_FORMAT_R16G16B16A16_UNORM,
      [SpvImageFormatRgb10A2] = PIPE_FORMAT_R10G10B10A2_UNORM,
      [SpvImageFormatRg16] = PIPE_FORMAT_R16G16_UNORM,
      [SpvImageFormatRg8] = PIPE_FORMAT_R8G8_UNORM,
      [SpvImageFormatR16] = PIPE_FORMAT_R16_UNORM,
      [SpvImageFormatR8] = PIPE_FORMAT_R8_UNORM,
      [SpvImageFormatRgba16Snorm] = PIPE_FORMAT_R16G16B16A16_SNORM,
      [SpvImageFormatRg16Snorm] = PIPE_FORMAT_R16G16_SNORM,
      [SpvImageFormatRg8Snorm] = PIPE_FORMAT_R8G8_SNORM,
      [SpvImageFormatR16Snorm] = PIPE_FORMAT_R16_SNORM,
      [SpvImageFormatR8Snorm] = PIPE_FORMAT_R8_SNORM,
      [SpvImageFormatRgba32i] = PIPE_FORMAT_R32G32B32A32_SINT,
      [SpvImageFormatRgba16i] = PIPE_FORMAT_R16G16B16A16_SINT,
      [SpvImageFormatRgba8i] = PIPE_FORMAT_R8G8B8A8_SINT,
      [SpvImageFormatR32i] = PIPE_FORMAT_R32_SINT,
      [SpvImageFormatRg32i] = PIPE_FORMAT_R32G32_SINT,
      [SpvImageFormatRg16i] = PIPE_FORMAT_R16G16_SINT,
      [SpvImageFormatRg8i] = PIPE_FORMAT_R8G8_SINT,
      [SpvImageFormatR16i] = PIPE_FORMAT_R16_SINT,
      [SpvImageFormatR8i] = PIPE_FORMAT_R8_SINT,
      [SpvImageFormatRgba32ui] = PIPE_FORMAT_R32G32B32A32_UINT,
      [SpvImageFormatRgba16ui] = PIPE_FORMAT_R16G16B16A16_UINT,
      [SpvImageFormatRgba8ui] = PIPE_FORMAT_R8G8B8A8_UINT,
      [SpvImageFormatR32ui] = PIPE_FORMAT_R32_UINT,
      [SpvImageFormatRgb10a2ui] = PIPE_FORMAT_R10G10B10A2_UINT,
      [SpvImageFormatRg32ui] = PIPE_FORMAT_R32G32_UINT,
      [SpvImageFormatRg16ui] = PIPE_FORMAT_R16G16_UINT,
      [SpvImageFormatRg8ui] = PIPE_FORMAT_R8G8_UINT,
      [SpvImageFormatR16ui] = PIPE_FORMAT_R16_UINT,
      [SpvImageFormatR8ui] = PIPE_FORMAT_R8_UINT,
      [SpvImageFormatR64ui] = PIPE_FORMAT_R64_UINT,
      [SpvImageFormatR64i] = PIPE_FORMAT_R64_SINT,
   };
   while (t->base == SPV_ARRAY)
      t = t->elem;
   if (t->base != SPV_IMAGE || t->image.format >= ARRAY_SIZE(formats))
      return PIPE_FORMAT_NONE;
   return formats[t->image.format];
}

static void
set_resource(struct spv *s, const struct spv_variable *v, nir_variable *var)
{
   const struct spv_decor *d = &v->decor;
   const struct spv_type *t = v->type;

   var->data.access = d->access;
   if (v->storage == SpvStorageClassPushConstant)
      return;
   spv_check(s, d->binding >= 0 && d->descriptor_set >= 0,
             "variable %u has no DescriptorSet and Binding (Vulkan, "
             "VUID-StandaloneSpirv-UniformConstant-06677)",
             v->id);
   var->data.descriptor_set = (unsigned)d->descriptor_set;
   var->data.binding = (unsigned)d->binding;
   var->data.explicit_binding = true;
   while (t->base == SPV_ARRAY)
      t = t->elem;
   if (v->storage == SpvStorageClassUniformConstant) {
      if (t->base != SPV_IMAGE && t->base != SPV_SAMPLER &&
          t->base != SPV_SAMPLED_IMAGE)
         spv_unsupported(s, "a UniformConstant variable that is no image "
                            "or sampler");
      var->data.image.format = image_format(t);
      return;
   }
   spv_check(s, t->base == SPV_STRUCT && (t->block || t->buffer_block),
             "variable %u of storage class %s is no Block (Vulkan, "
             "VUID-StandaloneSpirv-Uniform-06676)",
             v->id,
             spirv_enumerant_name(spirv_enum_StorageClass, v->storage));
   var->interface_type = t->glsl;
}

/* SPV_KHR_workgroup_memory_explicit_layout: a block has its layout, and
 * shares its memory with all others. */
bool
spv_is_shared_block(const struct spv_variable *v)
{
   return v->storage == SpvStorageClassWorkgroup &&
          v->type->base == SPV_STRUCT && v->type->block;
}

static bool
is_explicit(nir_variable_mode mode)
{
   return mode == nir_var_mem_ubo || mode == nir_var_mem_ssbo ||
          mode == nir_var_mem_push_const || mode == nir_var_uniform;
}

/* The variable of NIR behind a variable of the module; `member` counts for
 * blocks of the stage interface only. */
nir_variable *
spv_get_variable(struct spv *s, struct spv_variable *v, unsigned member)
{
   nir_variable **place = v->block ? &v->members[member] : &v->var;
   const struct glsl_type *type = v->block ? v->block->members[member]->glsl
                                           : v->type->glsl;
   struct spv_decor d = v->decor;
   nir_variable_mode mode;
   const char *name;

   if (*place)
      return *place;
   mode = mode_of(s, v);
   spv_check(s, type, "variable %u points to no data", v->id);
   if (v->block) {
      d = v->block->decor[member];
      merge_decor(&d, &v->decor);
      type = glsl_type_wrap_in_arrays(type, v->type->glsl);
   } else if (v->skip_array) {
      type = v->type->elem->glsl;
   }
   if (!is_explicit(mode) && !spv_is_shared_block(v)) {
      spv_check_composite_size(s, v->type);
      type = glsl_get_bare_type(type);
   }
   if (s->kernel && v->storage == SpvStorageClassInput &&
       glsl_type_is_vector_or_scalar(type) && glsl_get_bit_size(type) == 64)
      type = glsl_vector_type(GLSL_TYPE_UINT, glsl_get_vector_elements(type));
   name = spv_variable_name(s, v, member);
   *place = mode == nir_var_function_temp
               ? nir_new_local(s->nb.impl, type, name)
               : nir_new_variable(s->shader, mode, type, name);
   if (mode == nir_var_shader_in || mode == nir_var_shader_out)
      set_interface(s, v, *place, &d, member);
   else if (is_explicit(mode))
      set_resource(s, v, *place);
   else
      (*place)->data.access = d.access;
   if (spv_is_shared_block(v))
      (*place)->interface_type = type;
   return *place;
}

/* All that is captured, be it written or not: what is not is undefined, but
 * takes its place in the buffer. */
void
spv_get_captured(struct spv *s, struct spv_variable *v)
{
   if (!s->has_xfb || v->storage != SpvStorageClassOutput)
      return;
   for (unsigned i = 0; v->block && i < v->num_members; i++) {
      if (v->block->decor[i].offset >= 0)
         spv_get_variable(s, v, i);
   }
   if (!v->block && v->decor.offset >= 0)
      spv_get_variable(s, v, 0);
}
