/* SPDX-License-Identifier: MIT */
/*
 * Variables with their decorations; system values, which are inputs;
 * execution modes. Vulkan 1.1, chapters 14 and 15.9.
 */
#include "compiler/spirv/write/write_private.h"

/* --- Built-ins ---------------------------------------------------------- */

/* What has a slot between stages or is a fragment's result. */
static const struct slot_row {
   bool result; /* of a fragment */
   uint8_t slot;
   SpvBuiltIn builtin;
   SpvCapability capability; /* Shader: nothing beside the stage's */
} slots[] = {
   { false, VARYING_SLOT_POS, SpvBuiltInPosition, SpvCapabilityShader },
   { false, VARYING_SLOT_PSIZ, SpvBuiltInPointSize, SpvCapabilityShader },
   { false, VARYING_SLOT_CLIP_DIST0, SpvBuiltInClipDistance,
     SpvCapabilityClipDistance },
   { false, VARYING_SLOT_CULL_DIST0, SpvBuiltInCullDistance,
     SpvCapabilityCullDistance },
   { false, VARYING_SLOT_PRIMITIVE_ID, SpvBuiltInPrimitiveId,
     SpvCapabilityGeometry },
   { false, VARYING_SLOT_LAYER, SpvBuiltInLayer, SpvCapabilityGeometry },
   { false, VARYING_SLOT_VIEWPORT, SpvBuiltInViewportIndex,
     SpvCapabilityMultiViewport },
   { false, VARYING_SLOT_FACE, SpvBuiltInFrontFacing, SpvCapabilityShader },
   { false, VARYING_SLOT_PNTC, SpvBuiltInPointCoord, SpvCapabilityShader },
   { false, VARYING_SLOT_TESS_LEVEL_OUTER, SpvBuiltInTessLevelOuter,
     SpvCapabilityTessellation },
   { false, VARYING_SLOT_TESS_LEVEL_INNER, SpvBuiltInTessLevelInner,
     SpvCapabilityTessellation },
   { true, FRAG_RESULT_DEPTH, SpvBuiltInFragDepth, SpvCapabilityShader },
   { true, FRAG_RESULT_STENCIL, SpvBuiltInFragStencilRefEXT,
     SpvCapabilityStencilExportEXT },
   { true, FRAG_RESULT_SAMPLE_MASK, SpvBuiltInSampleMask,
     SpvCapabilityShader },
};

/* As a variable and as an intrinsic. `components` of the latter. */
static const struct system_row {
   gl_system_value value;
   nir_intrinsic_op op;
   SpvBuiltIn builtin;
   enum wr_base base;
   uint8_t components;
   SpvCapability capability;
} system_rows[] = {
#define ROW(value, op, builtin, base, n, cap)                                \
   {                                                                         \
      SYSTEM_VALUE_##value, nir_intrinsic_load_##op, SpvBuiltIn##builtin,    \
         WR_##base, n, SpvCapability##cap                                    \
   }
   ROW(VERTEX_ID, vertex_id, VertexIndex, UINT, 1, Shader),
   ROW(INSTANCE_INDEX, instance_index, InstanceIndex, UINT, 1, Shader),
   ROW(FIRST_VERTEX, first_vertex, BaseVertex, UINT, 1, DrawParameters),
   ROW(BASE_INSTANCE, base_instance, BaseInstance, UINT, 1, DrawParameters),
   ROW(DRAW_ID, draw_id, DrawIndex, UINT, 1, DrawParameters),
   ROW(INVOCATION_ID, invocation_id, InvocationId, UINT, 1, Shader),
   ROW(PRIMITIVE_ID, primitive_id, PrimitiveId, UINT, 1, Shader),
   ROW(FRAG_COORD, frag_coord, FragCoord, FLOAT, 4, Shader),
   ROW(POINT_COORD, point_coord, PointCoord, FLOAT, 2, Shader),
   ROW(FRONT_FACE, front_face, FrontFacing, BOOL, 1, Shader),
   ROW(SAMPLE_ID, sample_id, SampleId, UINT, 1, SampleRateShading),
   ROW(SAMPLE_POS, sample_pos, SamplePosition, FLOAT, 2, SampleRateShading),
   ROW(SAMPLE_MASK_IN, sample_mask_in, SampleMask, UINT, 1, Shader),
   ROW(HELPER_INVOCATION, helper_invocation, HelperInvocation, BOOL, 1,
       Shader),
   ROW(TESS_COORD, tess_coord, TessCoord, FLOAT, 3, Shader),
   ROW(VERTICES_IN, patch_vertices_in, PatchVertices, UINT, 1, Shader),
   ROW(NUM_WORKGROUPS, num_workgroups, NumWorkgroups, UINT, 3, Shader),
   ROW(WORKGROUP_ID, workgroup_id, WorkgroupId, UINT, 3, Shader),
   ROW(LOCAL_INVOCATION_ID, local_invocation_id, LocalInvocationId, UINT, 3,
       Shader),
   ROW(LOCAL_INVOCATION_INDEX, local_invocation_index, LocalInvocationIndex,
       UINT, 1, Shader),
   ROW(GLOBAL_INVOCATION_ID, global_invocation_id, GlobalInvocationId, UINT,
       3, Shader),
   ROW(VIEW_INDEX, view_index, ViewIndex, UINT, 1, MultiView),
   ROW(DEVICE_INDEX, device_index, DeviceIndex, UINT, 1, DeviceGroup),
   ROW(SUBGROUP_SIZE, subgroup_size, SubgroupSize, UINT, 1, GroupNonUniform),
   ROW(SUBGROUP_INVOCATION, subgroup_invocation, SubgroupLocalInvocationId,
       UINT, 1, GroupNonUniform),
   ROW(SUBGROUP_ID, subgroup_id, SubgroupId, UINT, 1, GroupNonUniform),
   ROW(NUM_SUBGROUPS, num_subgroups, NumSubgroups, UINT, 1, GroupNonUniform),
   ROW(SUBGROUP_EQ_MASK, subgroup_eq_mask, SubgroupEqMask, UINT, 4,
       GroupNonUniformBallot),
   ROW(SUBGROUP_GE_MASK, subgroup_ge_mask, SubgroupGeMask, UINT, 4,
       GroupNonUniformBallot),
   ROW(SUBGROUP_GT_MASK, subgroup_gt_mask, SubgroupGtMask, UINT, 4,
       GroupNonUniformBallot),
   ROW(SUBGROUP_LE_MASK, subgroup_le_mask, SubgroupLeMask, UINT, 4,
       GroupNonUniformBallot),
   ROW(SUBGROUP_LT_MASK, subgroup_lt_mask, SubgroupLtMask, UINT, 4,
       GroupNonUniformBallot),
#undef ROW
};

static void
builtin(struct wr *w, uint32_t id, SpvBuiltIn what, SpvCapability capability)
{
   const gl_shader_stage stage = w->nir->info.stage;

   WR(&w->decorations, SpvOpDecorate, id, SpvDecorationBuiltIn, what);
   if (what == SpvBuiltInFragStencilRefEXT)
      wr_extension(w, "SPV_EXT_shader_stencil_export");
   /* Before SPIR-V 1.5 only geometry shaders choose a layer or viewport. */
   if ((what == SpvBuiltInLayer || what == SpvBuiltInViewportIndex) &&
       stage != MESA_SHADER_GEOMETRY && stage != MESA_SHADER_FRAGMENT) {
      wr_capability(w, SpvCapabilityShaderViewportIndexLayerEXT);
      wr_extension(w, "SPV_EXT_shader_viewport_index_layer");
      return;
   }
   wr_capability(w, capability);
}

static uint32_t
system_input(struct wr *w, const struct system_row *row, uint32_t type)
{
   const uint64_t key = (uint64_t)row->builtin << 1 | 1;
   uint32_t id = (uint32_t)(uintptr_t)hash_table_get(&w->ids, key);
   uint32_t pointer;

   if (id)
      return id;
   if (row->builtin == SpvBuiltInSampleMask)
      type = WR_TYPE(w, SpvOpTypeArray, type, wr_uint(w, 1));
   pointer = wr_pointer_type(w, SpvStorageClassInput, type);
   id = wr_new_id(w);
   hash_table_insert(&w->ids, key, (void *)(uintptr_t)id);
   WR(&w->globals, SpvOpVariable, pointer, id, SpvStorageClassInput);
   util_dynarray_append(&w->interface, uint32_t, id);
   builtin(w, id, row->builtin, row->capability);
   if (w->nir->info.stage == MESA_SHADER_FRAGMENT && row->base == WR_UINT &&
       row->builtin != SpvBuiltInSampleMask)
      WR(&w->decorations, SpvOpDecorate, id, SpvDecorationFlat);
   return id;
}

uint32_t
wr_system_value(struct wr *w, nir_intrinsic_op op, enum wr_base *base,
                unsigned *components)
{
   for (unsigned i = 0; i < ARRAY_SIZE(system_rows); i++) {
      const struct system_row *row = &system_rows[i];
      if (row->op != op)
         continue;
      *base = row->base;
      *components = row->components;
      return system_input(w, row,
                          wr_vector_type(w, row->base,
                                         row->base == WR_BOOL ? 1 : 32,
                                         row->components));
   }
   return 0;
}

/* A variable of that mode is left when what it is loaded as is not known as
 * an intrinsic. */
static uint32_t
system_variable(struct wr *w, const nir_variable *var)
{
   for (unsigned i = 0; i < ARRAY_SIZE(system_rows); i++) {
      if (system_rows[i].value == (gl_system_value)var->data.location)
         return system_input(w, &system_rows[i],
                             wr_type(w, glsl_get_bare_type(var->type),
                                     nir_var_shader_in));
   }
   wr_fail(w, "system value %s is not written",
           gl_system_value_name((gl_system_value)var->data.location));
}

/* --- Inputs and outputs ------------------------------------------------- */

static void
decorate(struct wr *w, uint32_t id, bool wanted, SpvDecoration what)
{
   if (wanted)
      WR(&w->decorations, SpvOpDecorate, id, what);
}

static void
decorate_number(struct wr *w, uint32_t id, SpvDecoration what, uint32_t n)
{
   WR(&w->decorations, SpvOpDecorate, id, what, n);
}

static int
location_base(const struct wr *w, const nir_variable *var)
{
   const gl_shader_stage stage = w->nir->info.stage;

   if (stage == MESA_SHADER_VERTEX && var->data.mode == nir_var_shader_in)
      return VERT_ATTRIB_GENERIC0;
   if (stage == MESA_SHADER_FRAGMENT && var->data.mode == nir_var_shader_out)
      return FRAG_RESULT_DATA0;
   return var->data.patch ? VARYING_SLOT_PATCH0 : VARYING_SLOT_VAR0;
}

static const struct slot_row *
builtin_of(const struct wr *w, const nir_variable *var)
{
   const int base = location_base(w, var);

   for (unsigned i = 0; base != VERT_ATTRIB_GENERIC0 && i < ARRAY_SIZE(slots);
        i++) {
      if (slots[i].slot == var->data.location &&
          slots[i].result == (base == FRAG_RESULT_DATA0))
         return &slots[i];
   }
   return NULL;
}

static void
place(struct wr *w, uint32_t id, const nir_variable *var)
{
   const int base = location_base(w, var);
   int location = var->data.location;

   if (base == FRAG_RESULT_DATA0 && location == FRAG_RESULT_COLOR)
      location = FRAG_RESULT_DATA0;
   /* Far varyings between tessellation stages come after the near ones. */
   if (base == VARYING_SLOT_VAR0 && location >= VARYING_SLOT_FAR_VAR32)
      location += VARYING_SLOT_VAR0 + 32 - VARYING_SLOT_FAR_VAR32;
   else if (location < base ||
            (base == VARYING_SLOT_VAR0 && location > VARYING_SLOT_VAR31))
      wr_fail(w, "%s %s has a place that Vulkan does not know (%d)",
              var->data.mode == nir_var_shader_in ? "input" : "output",
              var->name ? var->name : "without a name", var->data.location);
   decorate_number(w, id, SpvDecorationLocation, (uint32_t)(location - base));
   if (var->data.location_frac)
      decorate_number(w, id, SpvDecorationComponent, var->data.location_frac);
   if (base == FRAG_RESULT_DATA0 && var->data.index)
      decorate_number(w, id, SpvDecorationIndex, var->data.index);
}

static bool
must_be_flat(const struct wr *w, const nir_variable *var)
{
   const struct glsl_type *t = glsl_without_array(var->type);

   return w->nir->info.stage == MESA_SHADER_FRAGMENT &&
          var->data.mode == nir_var_shader_in &&
          (glsl_type_is_struct(t) || wr_base_of(t) != WR_FLOAT ||
           glsl_get_bit_size(t) == 64);
}

static void
interpolation(struct wr *w, uint32_t id, const nir_variable *var)
{
   const bool flat = var->data.interpolation == INTERP_MODE_FLAT ||
                     must_be_flat(w, var);
   const gl_shader_stage stage = w->nir->info.stage;

   if ((stage == MESA_SHADER_VERTEX && var->data.mode == nir_var_shader_in) ||
       (stage == MESA_SHADER_FRAGMENT &&
        var->data.mode == nir_var_shader_out))
      return;
   decorate(w, id, flat, SpvDecorationFlat);
   decorate(w, id, var->data.interpolation == INTERP_MODE_NOPERSPECTIVE,
            SpvDecorationNoPerspective);
   decorate(w, id, var->data.centroid, SpvDecorationCentroid);
   decorate(w, id, var->data.sample, SpvDecorationSample);
   if (var->data.sample)
      wr_capability(w, SpvCapabilitySampleRateShading);
}

static void
captured(struct wr *w, uint32_t id, const nir_variable *var)
{
   if (var->data.stream & 0xff &&
       w->nir->info.stage == MESA_SHADER_GEOMETRY) {
      wr_capability(w, SpvCapabilityGeometryStreams);
      decorate_number(w, id, SpvDecorationStream, var->data.stream & 3);
   }
   if (!var->data.explicit_xfb_buffer)
      return;
   wr_capability(w, SpvCapabilityTransformFeedback);
   decorate_number(w, id, SpvDecorationXfbBuffer, var->data.xfb.buffer);
   decorate_number(w, id, SpvDecorationXfbStride, var->data.xfb.stride);
   if (var->data.explicit_offset)
      decorate_number(w, id, SpvDecorationOffset, var->data.offset);
}

static void
input_or_output(struct wr *w, uint32_t id, const nir_variable *var)
{
   const struct slot_row *row = builtin_of(w, var);

   if (row)
      builtin(w, id, row->builtin, row->capability);
   else
      place(w, id, var);
   if (!row || (w->nir->info.stage == MESA_SHADER_FRAGMENT &&
                row->slot != VARYING_SLOT_POS && must_be_flat(w, var) &&
                wr_base_of(glsl_without_array(var->type)) != WR_BOOL))
      interpolation(w, id, var);
   decorate(w, id, var->data.patch, SpvDecorationPatch);
   decorate(w, id,
            var->data.invariant && var->data.mode == nir_var_shader_out,
            SpvDecorationInvariant);
   captured(w, id, var);
   util_dynarray_append(&w->interface, uint32_t, id);
}

/* --- Resources ---------------------------------------------------------- */

static void
resource(struct wr *w, uint32_t id, const nir_variable *var)
{
   const struct glsl_type *type = glsl_without_array(var->type);
   const unsigned access = var->data.access;
   const bool image = glsl_type_is_image(type);

   decorate_number(w, id, SpvDecorationDescriptorSet,
                   var->data.descriptor_set);
   decorate_number(w, id, SpvDecorationBinding, var->data.binding);
   if (var->data.mode != nir_var_mem_ssbo && !image)
      return;
   decorate(w, id, access & ACCESS_NON_WRITEABLE, SpvDecorationNonWritable);
   decorate(w, id, access & ACCESS_NON_READABLE, SpvDecorationNonReadable);
   decorate(w, id, access & ACCESS_COHERENT, SpvDecorationCoherent);
   decorate(w, id, access & ACCESS_VOLATILE, SpvDecorationVolatile);
   decorate(w, id, access & ACCESS_RESTRICT, SpvDecorationRestrict);
}

/* --- Variables ---------------------------------------------------------- */

static uint32_t
initializer(struct wr *w, const struct glsl_type *type, const nir_constant *c)
{
   const uint32_t id = wr_type(w, type, nir_var_shader_temp);
   uint32_t *parts;

   if (glsl_type_is_vector_or_scalar(type))
      return wr_constant(w, wr_base_of(type), glsl_get_bit_size(type),
                         c->values, glsl_get_vector_elements(type));
   parts = arena_new_array(w->arena, uint32_t, c->num_elements);
   for (unsigned i = 0; i < c->num_elements; i++)
      parts[i] = initializer(w,
                             glsl_type_is_struct_or_ifc(type)
                                ? glsl_get_struct_field(type, i)
                                : glsl_get_array_element(type),
                             c->elements[i]);
   return wr_made(w, SpvOpConstantComposite, id, parts, c->num_elements);
}

uint32_t
wr_variable(struct wr *w, nir_variable *var)
{
   const nir_variable_mode mode = (nir_variable_mode)var->data.mode;
   uint32_t id =
      (uint32_t)(uintptr_t)hash_table_get(&w->ids, hash_key_ptr(var));
   SpvStorageClass class;
   uint32_t type, first = 0;

   if (id)
      return id;
   if (mode == nir_var_system_value)
      return system_variable(w, var);
   class = wr_storage_class(w, mode);
   type = wr_type_within(w, var, var->type);
   if (mode == nir_var_shader_out &&
       var->data.location == FRAG_RESULT_SAMPLE_MASK &&
       w->nir->info.stage == MESA_SHADER_FRAGMENT)
      type = WR_TYPE(w, SpvOpTypeArray, type, wr_uint(w, 1));
   type = wr_pointer_type(w, class, type);
   if (var->constant_initializer)
      first = initializer(w, var->type, var->constant_initializer);
   id = wr_new_id(w);
   hash_table_insert(&w->ids, hash_key_ptr(var), (void *)(uintptr_t)id);
   wr_words(mode == nir_var_function_temp ? &w->code : &w->globals,
            SpvOpVariable, WR_ARRAY(type, id, class, first), first ? 4 : 3);
   wr_name(w, id, var->name);
   if (mode & (nir_var_shader_in | nir_var_shader_out))
      input_or_output(w, id, var);
   else if (mode & (nir_var_uniform | nir_var_image | nir_var_mem_ubo |
                    nir_var_mem_ssbo))
      resource(w, id, var);
   return id;
}

/* --- Execution modes ---------------------------------------------------- */

static void
mode(struct wr *w, uint32_t entry, SpvExecutionMode m)
{
   WR(&w->modes, SpvOpExecutionMode, entry, m);
}

static bool
writes_result(const struct wr *w, int location)
{
   return nir_variable_at(w->nir, nir_var_shader_out, (unsigned)location);
}

static void
fragment_modes(struct wr *w, uint32_t entry)
{
   static const SpvExecutionMode depth[] = {
      [FRAG_DEPTH_LAYOUT_GREATER] = SpvExecutionModeDepthGreater,
      [FRAG_DEPTH_LAYOUT_LESS] = SpvExecutionModeDepthLess,
      [FRAG_DEPTH_LAYOUT_UNCHANGED] = SpvExecutionModeDepthUnchanged,
   };
   const struct shader_info *info = &w->nir->info;

   mode(w, entry, SpvExecutionModeOriginUpperLeft);
   if (info->fs.early_fragment_tests)
      mode(w, entry, SpvExecutionModeEarlyFragmentTests);
   if (info->fs.post_depth_coverage) {
      mode(w, entry, SpvExecutionModePostDepthCoverage);
      wr_capability(w, SpvCapabilitySampleMaskPostDepthCoverage);
      wr_extension(w, "SPV_KHR_post_depth_coverage");
   }
   if (writes_result(w, FRAG_RESULT_DEPTH)) {
      mode(w, entry, SpvExecutionModeDepthReplacing);
      if (info->fs.depth_layout > FRAG_DEPTH_LAYOUT_ANY)
         mode(w, entry, depth[info->fs.depth_layout]);
   }
   if (w->interlock)
      mode(w, entry,
           info->fs.pixel_interlock
              ? SpvExecutionModePixelInterlockOrderedEXT
              : SpvExecutionModeSampleInterlockOrderedEXT);
   if (writes_result(w, FRAG_RESULT_STENCIL))
      mode(w, entry, SpvExecutionModeStencilRefReplacingEXT);
}

static void
geometry_modes(struct wr *w, uint32_t entry)
{
   const struct shader_info *info = &w->nir->info;

   switch (info->gs.input_primitive) {
   case SHADER_PRIM_POINTS:
      mode(w, entry, SpvExecutionModeInputPoints);
      break;
   case SHADER_PRIM_LINES: mode(w, entry, SpvExecutionModeInputLines); break;
   case SHADER_PRIM_LINES_ADJACENCY:
      mode(w, entry, SpvExecutionModeInputLinesAdjacency);
      break;
   case SHADER_PRIM_TRIANGLES_ADJACENCY:
      mode(w, entry, SpvExecutionModeInputTrianglesAdjacency);
      break;
   default: mode(w, entry, SpvExecutionModeTriangles); break;
   }
   mode(w, entry,
        info->gs.output_primitive == SHADER_PRIM_POINTS
           ? SpvExecutionModeOutputPoints
        : info->gs.output_primitive == SHADER_PRIM_LINE_STRIP
           ? SpvExecutionModeOutputLineStrip
           : SpvExecutionModeOutputTriangleStrip);
   WR(&w->modes, SpvOpExecutionMode, entry, SpvExecutionModeOutputVertices,
      info->gs.vertices_out);
   WR(&w->modes, SpvOpExecutionMode, entry, SpvExecutionModeInvocations,
      MAX2(info->gs.invocations, 1));
}

static void
tessellation_modes(struct wr *w, uint32_t entry)
{
   const struct shader_info *info = &w->nir->info;

   if (info->stage == MESA_SHADER_TESS_CTRL)
      WR(&w->modes, SpvOpExecutionMode, entry, SpvExecutionModeOutputVertices,
         info->tess.tcs_vertices_out);
   switch (info->tess._primitive_mode) {
   case TESS_PRIMITIVE_TRIANGLES:
      mode(w, entry, SpvExecutionModeTriangles);
      break;
   case TESS_PRIMITIVE_QUADS: mode(w, entry, SpvExecutionModeQuads); break;
   case TESS_PRIMITIVE_ISOLINES:
      mode(w, entry, SpvExecutionModeIsolines);
      break;
   case TESS_PRIMITIVE_UNSPECIFIED: return;
   }
   mode(w, entry,
        info->tess.spacing == TESS_SPACING_FRACTIONAL_ODD
           ? SpvExecutionModeSpacingFractionalOdd
        : info->tess.spacing == TESS_SPACING_FRACTIONAL_EVEN
           ? SpvExecutionModeSpacingFractionalEven
           : SpvExecutionModeSpacingEqual);
   mode(w, entry,
        info->tess.ccw ? SpvExecutionModeVertexOrderCcw
                       : SpvExecutionModeVertexOrderCw);
   if (info->tess.point_mode)
      mode(w, entry, SpvExecutionModePointMode);
}

/* Float controls: a bit for each size of floats. */
static void
float_modes(struct wr *w, uint32_t entry)
{
   static const struct {
      unsigned first;
      SpvExecutionMode mode;
      SpvCapability capability;
   } rows[] = {
      { FLOAT_CONTROLS_DENORM_PRESERVE_FP16, SpvExecutionModeDenormPreserve,
        SpvCapabilityDenormPreserve },
      { FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP16,
        SpvExecutionModeDenormFlushToZero, SpvCapabilityDenormFlushToZero },
      { FLOAT_CONTROLS_SIGNED_ZERO_INF_NAN_PRESERVE_FP16,
        SpvExecutionModeSignedZeroInfNanPreserve,
        SpvCapabilitySignedZeroInfNanPreserve },
      { FLOAT_CONTROLS_ROUNDING_MODE_RTE_FP16,
        SpvExecutionModeRoundingModeRTE, SpvCapabilityRoundingModeRTE },
      { FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP16,
        SpvExecutionModeRoundingModeRTZ, SpvCapabilityRoundingModeRTZ },
   };
   const unsigned bits = w->nir->info.float_controls_execution_mode;

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned size = 0; size < 3; size++) {
         if (!(bits & rows[i].first << size))
            continue;
         WR(&w->modes, SpvOpExecutionMode, entry, rows[i].mode, 16u << size);
         wr_capability(w, rows[i].capability);
         wr_extension(w, "SPV_KHR_float_controls");
      }
   }
}

void
wr_execution_modes(struct wr *w, uint32_t entry)
{
   const struct shader_info *info = &w->nir->info;

   switch (info->stage) {
   case MESA_SHADER_FRAGMENT: fragment_modes(w, entry); break;
   case MESA_SHADER_GEOMETRY: geometry_modes(w, entry); break;
   case MESA_SHADER_TESS_CTRL:
   case MESA_SHADER_TESS_EVAL: tessellation_modes(w, entry); break;
   case MESA_SHADER_COMPUTE:
      WR(&w->modes, SpvOpExecutionMode, entry, SpvExecutionModeLocalSize,
         MAX2(info->workgroup_size[0], 1u), MAX2(info->workgroup_size[1], 1u),
         MAX2(info->workgroup_size[2], 1u));
      break;
   default: break;
   }
   for (unsigned i = 0; i < w->num_capabilities; i++) {
      if (w->capabilities[i] == SpvCapabilityTransformFeedback) {
         mode(w, entry, SpvExecutionModeXfb);
         break;
      }
   }
   float_modes(w, entry);
}
