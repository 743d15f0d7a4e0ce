/* SPDX-License-Identifier: MIT */
/* What is known of a shader beside its code. */
#ifndef SHADER_INFO_H
#define SHADER_INFO_H

#include "shader_enums.h"
#include "util/bitset.h"

struct shader_info {
   const char *name, *label;
   gl_shader_stage stage;

   unsigned num_textures, num_images, num_ubos, num_ssbos;

   /* Bits by VARYING_SLOT_*, VERT_ATTRIB_* (inputs of a vertex shader) or
    * FRAG_RESULT_* (outputs of a fragment shader). */
   uint64_t inputs_read, outputs_read, outputs_written;
   /* Inputs of a vertex shader that are read as 64-bit with 2 slots. */
   uint64_t dual_slot_inputs;
   /* Bit i: VARYING_SLOT_PATCH0 + i. */
   uint64_t patch_inputs_read, patch_outputs_read, patch_outputs_written;
   BITSET_DECLARE(system_values_read, SYSTEM_VALUE_MAX);
   BITSET_DECLARE(textures_used, 128);

   uint16_t workgroup_size[3];
   bool workgroup_size_variable;
   /* What the shader is told, and gets if it says so; 0: the back end's. */
   uint8_t subgroup_size;
   unsigned shared_size;    /* bytes */
   bool zero_shared_memory; /* at the start of each workgroup */
   /* Storage buffers that constants name are not the same memory; and whether
    * the code is only right if they are not. */
   bool buffers_are_apart, wants_buffers_apart;

   /* enum float_controls */
   unsigned float_controls_execution_mode;

   uint8_t clip_distance_array_size, cull_distance_array_size;
   bool uses_texture_gather, uses_discard, uses_demote;
   bool writes_memory, uses_control_barrier;
   bool layer_viewport_relative;
   /* From the last vertex stage to transform feedback, not to the raster. */
   bool has_transform_feedback_varyings;
   uint8_t xfb_stride_dw[4];

   struct {
      bool window_space_position;
   } vs;

   struct {
      enum shader_prim input_primitive, output_primitive;
      unsigned vertices_in, vertices_out, invocations;
      uint8_t active_stream_mask;
      bool uses_end_primitive;
   } gs;

   struct {
      bool uses_discard, uses_demote, uses_fbfetch_output;
      bool uses_sample_qualifier, uses_sample_shading;
      bool early_fragment_tests, post_depth_coverage;
      bool pixel_interlock; /* one sample of a pixel at a time */
      bool needs_quad_helper_invocations;
      bool pixel_center_integer, origin_upper_left;
      bool color_is_dual_source, untyped_color_outputs;
      enum gl_frag_depth_layout depth_layout;
   } fs;

   struct {
      enum tess_primitive_mode _primitive_mode;
      enum gl_tess_spacing spacing;
      unsigned tcs_vertices_out;
      bool ccw, point_mode;
   } tess;
};

#endif
