/* SPDX-License-Identifier: MIT */
/* Names of the numbers in shader_enums.h. */
#include "shader_enums.h"

#define NAME(x) [x] = #x
#define LOOKUP(table, i)                                                     \
   ((unsigned)(i) < ARRAY_SIZE(table) && (table)[i] ? (table)[i] : "UNKNOWN")

const char *
gl_shader_stage_name(gl_shader_stage stage)
{
   static const char *const names[] = {
      NAME(MESA_SHADER_VERTEX),    NAME(MESA_SHADER_TESS_CTRL),
      NAME(MESA_SHADER_TESS_EVAL), NAME(MESA_SHADER_GEOMETRY),
      NAME(MESA_SHADER_FRAGMENT),  NAME(MESA_SHADER_COMPUTE),
      NAME(MESA_SHADER_KERNEL),
   };
   return LOOKUP(names, stage);
}

#define NAME16(p)                                                            \
   p "0", p "1", p "2", p "3", p "4", p "5", p "6", p "7", p "8", p "9",     \
      p "10", p "11", p "12", p "13", p "14", p "15"
#define NAME32(p)                                                            \
   NAME16(p), p "16", p "17", p "18", p "19", p "20", p "21", p "22",        \
      p "23", p "24", p "25", p "26", p "27", p "28", p "29", p "30", p "31"
#define NAME64(p)                                                            \
   NAME32(p), p "32", p "33", p "34", p "35", p "36", p "37", p "38",        \
      p "39", p "40", p "41", p "42", p "43", p "44", p "45", p "46",        \
      p "47", p "48", p "49", p "50", p "51", p "52", p "53", p "54",        \
      p "55", p "56", p "57", p "58", p "59", p "60", p "61", p "62", p "63"

const char *
gl_vert_attrib_name(gl_vert_attrib attrib)
{
   static const char *const names[] = {
      NAME(VERT_ATTRIB_POS),        NAME(VERT_ATTRIB_NORMAL),
      NAME(VERT_ATTRIB_COLOR0),     NAME(VERT_ATTRIB_COLOR1),
      NAME(VERT_ATTRIB_FOG),        NAME(VERT_ATTRIB_COLOR_INDEX),
      NAME(VERT_ATTRIB_TEX0),       NAME(VERT_ATTRIB_TEX1),
      NAME(VERT_ATTRIB_TEX2),       NAME(VERT_ATTRIB_TEX3),
      NAME(VERT_ATTRIB_TEX4),       NAME(VERT_ATTRIB_TEX5),
      NAME(VERT_ATTRIB_TEX6),       NAME(VERT_ATTRIB_TEX7),
      NAME(VERT_ATTRIB_POINT_SIZE), NAME(VERT_ATTRIB_EDGEFLAG),
   };
   static const char *const generic[] = { NAME16("VERT_ATTRIB_GENERIC") };
   if (attrib >= VERT_ATTRIB_GENERIC0 && attrib < VERT_ATTRIB_GENERIC0 + 16)
      return generic[attrib - VERT_ATTRIB_GENERIC0];
   return LOOKUP(names, attrib);
}

const char *
gl_varying_slot_name_for_stage(gl_varying_slot slot, gl_shader_stage stage)
{
   static const char *const names[] = {
      /* clang-format off */
      NAME(VARYING_SLOT_POS),           NAME(VARYING_SLOT_COL0),
      NAME(VARYING_SLOT_COL1),          NAME(VARYING_SLOT_FOGC),
      NAME(VARYING_SLOT_TEX0),          NAME(VARYING_SLOT_TEX1),
      NAME(VARYING_SLOT_TEX2),          NAME(VARYING_SLOT_TEX3),
      NAME(VARYING_SLOT_TEX4),          NAME(VARYING_SLOT_TEX5),
      NAME(VARYING_SLOT_TEX6),          NAME(VARYING_SLOT_TEX7),
      NAME(VARYING_SLOT_PSIZ),          NAME(VARYING_SLOT_BFC0),
      NAME(VARYING_SLOT_BFC1),          NAME(VARYING_SLOT_EDGE),
      NAME(VARYING_SLOT_CLIP_VERTEX),   NAME(VARYING_SLOT_CLIP_DIST0),
      NAME(VARYING_SLOT_CLIP_DIST1),    NAME(VARYING_SLOT_CULL_DIST0),
      NAME(VARYING_SLOT_CULL_DIST1),    NAME(VARYING_SLOT_PRIMITIVE_ID),
      NAME(VARYING_SLOT_LAYER),         NAME(VARYING_SLOT_VIEWPORT),
      NAME(VARYING_SLOT_FACE),          NAME(VARYING_SLOT_PNTC),
      NAME(VARYING_SLOT_TESS_LEVEL_OUTER),
      NAME(VARYING_SLOT_TESS_LEVEL_INNER),
      NAME(VARYING_SLOT_BOUNDING_BOX0), NAME(VARYING_SLOT_BOUNDING_BOX1),
      NAME(VARYING_SLOT_VIEW_INDEX),    NAME(VARYING_SLOT_VIEWPORT_MASK),
      /* clang-format on */
   };
   static const char *const var[] = { NAME32("VARYING_SLOT_VAR") };
   static const char *const patch[] = { NAME64("VARYING_SLOT_PATCH") };
   if (slot >= VARYING_SLOT_PATCH0 && slot <= VARYING_SLOT_PATCH63)
      return patch[slot - VARYING_SLOT_PATCH0];
   if (slot >= VARYING_SLOT_VAR0 && slot <= VARYING_SLOT_VAR31)
      return var[slot - VARYING_SLOT_VAR0];
   return LOOKUP(names, slot);
}

const char *
gl_frag_result_name(gl_frag_result result)
{
   static const char *const names[] = {
      NAME(FRAG_RESULT_DEPTH), NAME(FRAG_RESULT_STENCIL),
      NAME(FRAG_RESULT_COLOR), NAME(FRAG_RESULT_SAMPLE_MASK),
      NAME(FRAG_RESULT_DATA0), NAME(FRAG_RESULT_DATA1),
      NAME(FRAG_RESULT_DATA2), NAME(FRAG_RESULT_DATA3),
      NAME(FRAG_RESULT_DATA4), NAME(FRAG_RESULT_DATA5),
      NAME(FRAG_RESULT_DATA6), NAME(FRAG_RESULT_DATA7),
   };
   return LOOKUP(names, result);
}

const char *
gl_system_value_name(gl_system_value sysval)
{
   static const char *const names[] = {
      NAME(SYSTEM_VALUE_SUBGROUP_SIZE),
      NAME(SYSTEM_VALUE_SUBGROUP_INVOCATION),
      NAME(SYSTEM_VALUE_SUBGROUP_EQ_MASK),
      NAME(SYSTEM_VALUE_SUBGROUP_GE_MASK),
      NAME(SYSTEM_VALUE_SUBGROUP_GT_MASK),
      NAME(SYSTEM_VALUE_SUBGROUP_LE_MASK),
      NAME(SYSTEM_VALUE_SUBGROUP_LT_MASK),
      NAME(SYSTEM_VALUE_NUM_SUBGROUPS),
      NAME(SYSTEM_VALUE_SUBGROUP_ID),
      NAME(SYSTEM_VALUE_VERTEX_ID),
      NAME(SYSTEM_VALUE_INSTANCE_ID),
      NAME(SYSTEM_VALUE_INSTANCE_INDEX),
      NAME(SYSTEM_VALUE_VERTEX_ID_ZERO_BASE),
      NAME(SYSTEM_VALUE_BASE_VERTEX),
      NAME(SYSTEM_VALUE_FIRST_VERTEX),
      NAME(SYSTEM_VALUE_IS_INDEXED_DRAW),
      NAME(SYSTEM_VALUE_BASE_INSTANCE),
      NAME(SYSTEM_VALUE_DRAW_ID),
      NAME(SYSTEM_VALUE_INVOCATION_ID),
      NAME(SYSTEM_VALUE_FRAG_COORD),
      NAME(SYSTEM_VALUE_POINT_COORD),
      NAME(SYSTEM_VALUE_LINE_COORD),
      NAME(SYSTEM_VALUE_FRONT_FACE),
      NAME(SYSTEM_VALUE_SAMPLE_ID),
      NAME(SYSTEM_VALUE_SAMPLE_POS),
      NAME(SYSTEM_VALUE_SAMPLE_MASK_IN),
      NAME(SYSTEM_VALUE_LAYER_ID),
      NAME(SYSTEM_VALUE_HELPER_INVOCATION),
      NAME(SYSTEM_VALUE_COLOR0),
      NAME(SYSTEM_VALUE_COLOR1),
      NAME(SYSTEM_VALUE_TESS_COORD),
      NAME(SYSTEM_VALUE_VERTICES_IN),
      NAME(SYSTEM_VALUE_PRIMITIVE_ID),
      NAME(SYSTEM_VALUE_TESS_LEVEL_OUTER),
      NAME(SYSTEM_VALUE_TESS_LEVEL_INNER),
      NAME(SYSTEM_VALUE_LOCAL_INVOCATION_ID),
      NAME(SYSTEM_VALUE_LOCAL_INVOCATION_INDEX),
      NAME(SYSTEM_VALUE_GLOBAL_INVOCATION_ID),
      NAME(SYSTEM_VALUE_GLOBAL_INVOCATION_INDEX),
      NAME(SYSTEM_VALUE_WORKGROUP_ID),
      NAME(SYSTEM_VALUE_WORKGROUP_INDEX),
      NAME(SYSTEM_VALUE_NUM_WORKGROUPS),
      NAME(SYSTEM_VALUE_WORKGROUP_SIZE),
      NAME(SYSTEM_VALUE_DEVICE_INDEX),
      NAME(SYSTEM_VALUE_VIEW_INDEX),
      NAME(SYSTEM_VALUE_BARYCENTRIC_LINEAR_PIXEL),
      NAME(SYSTEM_VALUE_BARYCENTRIC_LINEAR_CENTROID),
      NAME(SYSTEM_VALUE_BARYCENTRIC_LINEAR_SAMPLE),
      NAME(SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL),
      NAME(SYSTEM_VALUE_BARYCENTRIC_PERSP_CENTROID),
      NAME(SYSTEM_VALUE_BARYCENTRIC_PERSP_SAMPLE),
   };
   return LOOKUP(names, sysval);
}

const char *
glsl_interp_mode_name(enum glsl_interp_mode mode)
{
   static const char *const names[] = {
      NAME(INTERP_MODE_NONE),     NAME(INTERP_MODE_SMOOTH),
      NAME(INTERP_MODE_FLAT),     NAME(INTERP_MODE_NOPERSPECTIVE),
      NAME(INTERP_MODE_EXPLICIT),
   };
   return LOOKUP(names, mode);
}

const char *
nir_image_format_name(enum pipe_format format)
{
   static const char *const names[] = {
      NAME(PIPE_FORMAT_NONE),
#define NIR_IMAGE_FORMAT(f) NAME(PIPE_FORMAT_##f),
#include "nir_image_formats.h"
#undef NIR_IMAGE_FORMAT
   };
   return LOOKUP(names, format);
}
