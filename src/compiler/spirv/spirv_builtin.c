/* SPDX-License-Identifier: MIT */
/* Where each BuiltIn lives in NIR: a slot of the interface between stages
 * or a system value (Vulkan 1.3, chapter 15.9 says what each one is). */
#include "compiler/spirv/spirv_private.h"

static void
system_value(nir_variable *var, gl_system_value value)
{
   var->data.mode = nir_var_system_value;
   var->data.location = value;
}

static void
slot(nir_variable *var, int location)
{
   var->data.location = location;
}

/* Those that a stage reads as a varying or system value, and that a stage
 * before it writes. */
static bool
set_varying(const struct spv *s, nir_variable *var, SpvBuiltIn builtin,
            bool output)
{
   switch (builtin) {
   case SpvBuiltInPosition: slot(var, VARYING_SLOT_POS); break;
   case SpvBuiltInPointSize: slot(var, VARYING_SLOT_PSIZ); break;
   case SpvBuiltInClipDistance:
      slot(var, VARYING_SLOT_CLIP_DIST0);
      var->data.compact = true;
      break;
   case SpvBuiltInCullDistance:
      slot(var, VARYING_SLOT_CULL_DIST0);
      var->data.compact = true;
      break;
   case SpvBuiltInLayer: slot(var, VARYING_SLOT_LAYER); break;
   case SpvBuiltInViewportIndex: slot(var, VARYING_SLOT_VIEWPORT); break;
   case SpvBuiltInPrimitiveId:
      if (output || s->stage == MESA_SHADER_FRAGMENT)
         slot(var, VARYING_SLOT_PRIMITIVE_ID);
      else
         system_value(var, SYSTEM_VALUE_PRIMITIVE_ID);
      break;
   case SpvBuiltInTessLevelOuter:
      slot(var, VARYING_SLOT_TESS_LEVEL_OUTER);
      var->data.compact = true;
      var->data.patch = true;
      break;
   case SpvBuiltInTessLevelInner:
      slot(var, VARYING_SLOT_TESS_LEVEL_INNER);
      var->data.compact = true;
      var->data.patch = true;
      break;
   default: return false;
   }
   if (s->stage == MESA_SHADER_FRAGMENT &&
       (builtin == SpvBuiltInLayer || builtin == SpvBuiltInViewportIndex ||
        builtin == SpvBuiltInPrimitiveId))
      var->data.interpolation = INTERP_MODE_FLAT;
   return true;
}

static bool
set_fragment_output(struct spv *s, nir_variable *var, SpvBuiltIn builtin)
{
   switch (builtin) {
   case SpvBuiltInFragDepth: slot(var, FRAG_RESULT_DEPTH); break;
   case SpvBuiltInFragStencilRefEXT: slot(var, FRAG_RESULT_STENCIL); break;
   case SpvBuiltInSampleMask: slot(var, FRAG_RESULT_SAMPLE_MASK); break;
   default: return false;
   }
   return true;
}

static const struct {
   SpvBuiltIn builtin;
   gl_system_value value;
} system_values[] = {
   { SpvBuiltInVertexIndex, SYSTEM_VALUE_VERTEX_ID },
   { SpvBuiltInVertexId, SYSTEM_VALUE_VERTEX_ID },
   { SpvBuiltInInstanceIndex, SYSTEM_VALUE_INSTANCE_INDEX },
   { SpvBuiltInInstanceId, SYSTEM_VALUE_INSTANCE_ID },
   /* Vulkan's BaseVertex is vertexOffset or firstVertex: never 0 for draws
    * without indices, unlike GL's. */
   { SpvBuiltInBaseVertex, SYSTEM_VALUE_FIRST_VERTEX },
   { SpvBuiltInBaseInstance, SYSTEM_VALUE_BASE_INSTANCE },
   { SpvBuiltInDrawIndex, SYSTEM_VALUE_DRAW_ID },
   { SpvBuiltInInvocationId, SYSTEM_VALUE_INVOCATION_ID },
   { SpvBuiltInFragCoord, SYSTEM_VALUE_FRAG_COORD },
   { SpvBuiltInPointCoord, SYSTEM_VALUE_POINT_COORD },
   { SpvBuiltInFrontFacing, SYSTEM_VALUE_FRONT_FACE },
   { SpvBuiltInSampleId, SYSTEM_VALUE_SAMPLE_ID },
   { SpvBuiltInSamplePosition, SYSTEM_VALUE_SAMPLE_POS },
   { SpvBuiltInSampleMask, SYSTEM_VALUE_SAMPLE_MASK_IN },
   { SpvBuiltInHelperInvocation, SYSTEM_VALUE_HELPER_INVOCATION },
   { SpvBuiltInTessCoord, SYSTEM_VALUE_TESS_COORD },
   { SpvBuiltInPatchVertices, SYSTEM_VALUE_VERTICES_IN },
   { SpvBuiltInNumWorkgroups, SYSTEM_VALUE_NUM_WORKGROUPS },
   { SpvBuiltInWorkgroupSize, SYSTEM_VALUE_WORKGROUP_SIZE },
   { SpvBuiltInWorkgroupId, SYSTEM_VALUE_WORKGROUP_ID },
   { SpvBuiltInLocalInvocationId, SYSTEM_VALUE_LOCAL_INVOCATION_ID },
   { SpvBuiltInLocalInvocationIndex, SYSTEM_VALUE_LOCAL_INVOCATION_INDEX },
   { SpvBuiltInGlobalInvocationId, SYSTEM_VALUE_GLOBAL_INVOCATION_ID },
   { SpvBuiltInViewIndex, SYSTEM_VALUE_VIEW_INDEX },
   { SpvBuiltInDeviceIndex, SYSTEM_VALUE_DEVICE_INDEX },
   { SpvBuiltInSubgroupSize, SYSTEM_VALUE_SUBGROUP_SIZE },
   { SpvBuiltInSubgroupLocalInvocationId, SYSTEM_VALUE_SUBGROUP_INVOCATION },
   { SpvBuiltInSubgroupId, SYSTEM_VALUE_SUBGROUP_ID },
   { SpvBuiltInNumSubgroups, SYSTEM_VALUE_NUM_SUBGROUPS },
   { SpvBuiltInSubgroupEqMask, SYSTEM_VALUE_SUBGROUP_EQ_MASK },
   { SpvBuiltInSubgroupGeMask, SYSTEM_VALUE_SUBGROUP_GE_MASK },
   { SpvBuiltInSubgroupGtMask, SYSTEM_VALUE_SUBGROUP_GT_MASK },
   { SpvBuiltInSubgroupLeMask, SYSTEM_VALUE_SUBGROUP_LE_MASK },
   { SpvBuiltInSubgroupLtMask, SYSTEM_VALUE_SUBGROUP_LT_MASK },
};

/* Those that are not a 32-bit integer. `array`: the longest, 0 for none. */
static const struct {
   SpvBuiltIn builtin;
   enum glsl_base_type base;
   uint8_t components, array;
} types[] = {
   { SpvBuiltInPosition, GLSL_TYPE_FLOAT, 4, 0 },
   { SpvBuiltInPointSize, GLSL_TYPE_FLOAT, 1, 0 },
   { SpvBuiltInClipDistance, GLSL_TYPE_FLOAT, 1, 8 },
   { SpvBuiltInCullDistance, GLSL_TYPE_FLOAT, 1, 8 },
   { SpvBuiltInTessLevelOuter, GLSL_TYPE_FLOAT, 1, 4 },
   { SpvBuiltInTessLevelInner, GLSL_TYPE_FLOAT, 1, 2 },
   { SpvBuiltInFragDepth, GLSL_TYPE_FLOAT, 1, 0 },
   { SpvBuiltInFragCoord, GLSL_TYPE_FLOAT, 4, 0 },
   { SpvBuiltInPointCoord, GLSL_TYPE_FLOAT, 2, 0 },
   { SpvBuiltInSamplePosition, GLSL_TYPE_FLOAT, 2, 0 },
   { SpvBuiltInTessCoord, GLSL_TYPE_FLOAT, 3, 0 },
   { SpvBuiltInFrontFacing, GLSL_TYPE_BOOL, 1, 0 },
   { SpvBuiltInHelperInvocation, GLSL_TYPE_BOOL, 1, 0 },
   { SpvBuiltInNumWorkgroups, GLSL_TYPE_UINT, 3, 0 },
   { SpvBuiltInWorkgroupSize, GLSL_TYPE_UINT, 3, 0 },
   { SpvBuiltInWorkgroupId, GLSL_TYPE_UINT, 3, 0 },
   { SpvBuiltInLocalInvocationId, GLSL_TYPE_UINT, 3, 0 },
   { SpvBuiltInGlobalInvocationId, GLSL_TYPE_UINT, 3, 0 },
   { SpvBuiltInSubgroupEqMask, GLSL_TYPE_UINT, 4, 0 },
   { SpvBuiltInSubgroupGeMask, GLSL_TYPE_UINT, 4, 0 },
   { SpvBuiltInSubgroupGtMask, GLSL_TYPE_UINT, 4, 0 },
   { SpvBuiltInSubgroupLeMask, GLSL_TYPE_UINT, 4, 0 },
   { SpvBuiltInSubgroupLtMask, GLSL_TYPE_UINT, 4, 0 },
};

static void
check_type(struct spv *s, const nir_variable *var, SpvBuiltIn builtin)
{
   const struct glsl_type *t = var->type;
   enum glsl_base_type base = GLSL_TYPE_UINT;
   unsigned components = 1, array = 0;
   bool ok;

   for (unsigned i = 0; i < ARRAY_SIZE(types); i++) {
      if (types[i].builtin == builtin) {
         base = types[i].base;
         components = types[i].components;
         array = types[i].array;
      }
   }
   if (nir_is_arrayed_io(var, s->stage))
      t = glsl_get_array_element(t);
   ok = glsl_type_is_array(t) == (array > 0);
   if (ok && array) {
      ok = glsl_get_length(t) >= 1 && glsl_get_length(t) <= array;
      t = glsl_get_array_element(t);
   }
   ok = ok && glsl_type_is_vector_or_scalar(t) &&
        glsl_get_vector_elements(t) == components &&
        (glsl_get_base_type(t) == base ||
         (base == GLSL_TYPE_UINT && glsl_get_base_type(t) == GLSL_TYPE_INT));
   spv_check(s, ok,
             "a variable of the wrong type is the built-in %s "
             "(Vulkan 1.3, 15.9)",
             spirv_enumerant_name(spirv_enum_BuiltIn, builtin));
}

void
spv_set_builtin(struct spv *s, nir_variable *var, SpvBuiltIn builtin,
                SpvStorageClass storage)
{
   const bool output = storage == SpvStorageClassOutput;

   if (set_varying(s, var, builtin, output) ||
       (output && s->stage == MESA_SHADER_FRAGMENT &&
        set_fragment_output(s, var, builtin))) {
      check_type(s, var, builtin);
      return;
   }
   for (unsigned i = 0; !output && i < ARRAY_SIZE(system_values); i++) {
      if (system_values[i].builtin == builtin) {
         system_value(var, system_values[i].value);
         check_type(s, var, builtin);
         return;
      }
   }
   spv_unsupported(s, "built-in %s as %s of this stage",
                   spirv_enumerant_name(spirv_enum_BuiltIn, builtin),
                   output ? "an output" : "an input");
}
