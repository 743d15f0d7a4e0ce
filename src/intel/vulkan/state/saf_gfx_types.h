/* SPDX-License-Identifier: MIT */
/* What fields of struct saf_gfx_state are made of. */
#ifndef SAF_GFX_TYPES_H
#define SAF_GFX_TYPES_H

#include "intel/isl/isl.h"
#include "intel/vulkan/base/saf_base.h"

struct saf_vertex_attribute {
   bool valid;
   uint32_t binding;
   enum isl_format format;  /* that is fetched */
   enum isl_format lowered; /* of which the shader makes this, or
                               ISL_FORMAT_UNSUPPORTED: nothing */
   uint32_t offset_B;
};

struct saf_vertex_input_binding {
   bool valid;
   uint32_t stride_B;
   bool per_instance;
   uint32_t divisor; /* 0: the same for all instances */
};

enum saf_depth_clip {
   SAF_DEPTH_CLIP_OFF = VK_FALSE,
   SAF_DEPTH_CLIP_ON = VK_TRUE,
   SAF_DEPTH_CLIP_IF_NOT_CLAMPED, /* nothing was said of clipping */
};

struct saf_stencil_side {
   uint8_t compare_mask, write_mask, reference;
   VkStencilOp fail, pass, depth_fail;
   VkCompareOp compare;
};

struct saf_blend_target {
   bool enable;
   VkBlendFactor src_color, dst_color, src_alpha, dst_alpha;
   VkBlendOp color_op, alpha_op;
   VkColorComponentFlags write_mask;
};

#endif
