/* SPDX-License-Identifier: MIT */
/*
 * What the driver's tests share: a device with all that it announces, and a
 * draw or a dispatch of a few lines. A call that fails fails the test.
 */
#ifndef VKT_H
#define VKT_H

#include "util/dynarray.h"
#include "util/macros.h"
#include "util/unit_test.h"

#include <stdbool.h>
#include <stdio.h>
#include <vulkan/vulkan.h>

#include "saf_newer.h"
#include "vkt_types.h"

#define VKT_CHECK(expr) assert_int_equal((expr), VK_SUCCESS)

/* A structure of the API with its type and these members; a variable of such
 * a one: const VKT_INFO(BufferCreateInfo, info, .size = 4). */
#define VKT_STRUCT(Name, ...)                                                \
   ((Vk##Name) { .sType = VKT_TYPE_##Name, __VA_ARGS__ })
#define VKT_INFO(Name, variable, ...)                                        \
   Vk##Name variable = { .sType = VKT_TYPE_##Name, __VA_ARGS__ }

/* A new object of the device's, of a create info with these members:
 * VKT_NEW(Sampler, SAMPLER, .addressModeU = ...). */
#define VKT_NEW(Name, NAME, ...)                                             \
   ({                                                                        \
      Vk##Name new_;                                                         \
      const Vk##Name##CreateInfo info_ = {                                   \
         .sType = VK_STRUCTURE_TYPE_##NAME##_CREATE_INFO, __VA_ARGS__        \
      };                                                                     \
      VKT_CHECK(vkCreate##Name(vkt.device, &info_, NULL, &new_));            \
      new_;                                                                  \
   })

/* A device function that the loader does not export. */
#define VKT_PROC(name) ((PFN_##name)vkt_proc(#name))

extern struct vkt_device {
   VkInstance instance;
   VkPhysicalDevice pdev;
   VkDevice device;
   VkQueue queue;
   VkCommandPool pool;
   const VkAllocationCallbacks *alloc; /* of the next; NULL: none */
   /* bufferDeviceAddress, bufferDeviceAddressCaptureReplay */
   bool has_addresses, has_replay;
   struct util_dynarray parts; /* VkPipeline; vkt_destroy_parts() */
} vkt;

/* For cmocka_run_group_tests(): all features and extensions are on. */
int vkt_setup(void **state);
int vkt_teardown(void **state);

/* A device besides the usual one, with one queue; of `info` count what it
 * asks for: pNext, extensions, features. */
VkResult vkt_create_device(const VkDeviceCreateInfo *info,
                           const VkAllocationCallbacks *alloc, VkDevice *out);

/* On a device with that chain in place of the usual one's features. */
void vkt_with_features(const void *next, void (*run)(void));

/* On one with all features as Vulkan 1.1 and 1.2 have them: some have no
 * structure of their own. */
void vkt_with_core_features(void (*run)(void));

/* What the device says, and all that the chain `next` asks. */
VkPhysicalDeviceFeatures vkt_features(void *next);
VkPhysicalDeviceProperties vkt_properties(void *next);

/* Whether the validation layers look on. What is wrong on purpose is left
 * out then. */
bool vkt_is_validated(void);

PFN_vkVoidFunction vkt_proc(const char *name);

/* Of the device: not all generations have all of them. */
bool vkt_has_extension(const char *name);

/* Two images or more of size x size, to be copied to; BGRA8 if no format is
 * given. */
VkSwapchainCreateInfoKHR vkt_swapchain_info(VkSurfaceKHR surface,
                                            VkPresentModeKHR mode,
                                            uint32_t size);
VkResult vkt_swapchain_try(VkSurfaceKHR surface, VkPresentModeKHR mode,
                           uint32_t size, VkFormat format,
                           VkSwapchainKHR *chain);
VkSwapchainKHR vkt_swapchain_create(VkSurfaceKHR surface,
                                    VkPresentModeKHR mode, uint32_t size);

/* ---- memory ---- */

/* Mapped, filled with 0xcd, of every usage. */
struct vkt_buffer {
   VkBuffer buffer;
   VkDeviceMemory memory;
   void *map;
   VkDeviceSize size_B;
};

struct vkt_buffer vkt_buffer_create(VkDeviceSize size_B);
struct vkt_buffer vkt_buffer_create_without(VkDeviceSize size_B,
                                            VkBufferUsageFlags unused);
/* Not filled: memory that nobody touches costs nothing. */
struct vkt_buffer vkt_buffer_create_large(VkDeviceSize size_B);
void vkt_buffer_destroy(struct vkt_buffer *b);

/* What is zero gets the usual value: one level, layer and sample, RGBA8, a
 * view of the image's own type. Usage: transfers besides what is given. */
struct vkt_image_desc {
   VkFormat format;
   uint32_t width, height, depth, levels, layers;
   bool one_dimension; /* the image and its view */
   VkSampleCountFlagBits samples;
   VkImageUsageFlags usage;
   VkImageCreateFlags flags;
   VkImageViewType view_type; /* 0: as the image is */
   VkComponentMapping swizzle;
   VkFormat view_format;
   const void *next;             /* of VkImageCreateInfo */
   VkImageUsageFlags view_usage; /* 0: that of the image */
   const void *view_next;        /* of VkImageViewCreateInfo */
};

/* In layout GENERAL. */
struct vkt_image {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view;
   struct vkt_image_desc desc;
};

struct vkt_image vkt_image_create(const struct vkt_image_desc *desc);
#define VKT_IMAGE(...)                                                       \
   vkt_image_create(&(struct vkt_image_desc) { __VA_ARGS__ })
void vkt_image_destroy(struct vkt_image *i);

/* One level of all layers. */
void vkt_image_write(const struct vkt_image *i, uint32_t level,
                     const void *data, size_t size_B);
void vkt_image_read(const struct vkt_image *i, uint32_t level, void *data,
                    size_t size_B);

/* ---- commands ---- */

VkCommandBuffer vkt_begin(void);

/* Everything before is done and seen by everything after. */
void vkt_barrier(VkCommandBuffer cmd);

/* Ends, runs, waits, frees. */
void vkt_submit(VkCommandBuffer cmd);

/* ---- what is printed ---- */

/* Standard error goes to a file meanwhile. */
int vkt_divert_stderr(FILE *to);
void vkt_restore_stderr(int saved);

/* ---- shaders ---- */

struct vkt_shader {
   const uint32_t *words;
   size_t size_B;
};

/* An array that glslangValidator --vn made. */
#define VKT_SHADER(array) ((struct vkt_shader) { (array), sizeof(array) })

/* Binding number = index in an array of these. */
struct vkt_resource {
   VkDescriptorType type;
   VkBuffer buffer;
   VkImageView view;
   VkImageLayout layout; /* 0: GENERAL */
   VkSampler sampler;
   VkBufferView texels;
   VkDeviceSize range_B; /* of a buffer; 0: all */
   /* In place of view and sampler, an array of them; 0: none. */
   const VkDescriptorImageInfo *images;
   /* Or of buffers, as many as `image_count` says. */
   const VkDescriptorBufferInfo *buffers;
   uint32_t image_count;
};

/* All of a struct vkt_buffer. */
#define VKT_STORAGE(b)                                                       \
   {                                                                         \
      .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = (b).buffer        \
   }
#define VKT_UNIFORM(b)                                                       \
   {                                                                         \
      .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .buffer = (b).buffer        \
   }

VkPipeline vkt_compute_pipeline(struct vkt_shader shader,
                                VkPipelineLayout layout);

/* One set layout, and as many sets as the pool has. */
struct vkt_plain {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorPool pool;
};

struct vkt_plain
vkt_plain_create(const VkDescriptorSetLayoutCreateInfo *set_layout,
                 const VkDescriptorPoolCreateInfo *pool,
                 struct vkt_shader shader, VkDescriptorSet *sets);
void vkt_plain_destroy(struct vkt_plain *p);

/* With what `also` says besides the shader: flags, what is behind the
 * structure, specialization. */
void vkt_compute_stage(struct vkt_shader shader,
                       const VkPipelineShaderStageCreateInfo *also,
                       const struct vkt_resource *resources,
                       unsigned resource_count, uint32_t groups);
void vkt_compute(struct vkt_shader shader,
                 const struct vkt_resource *resources,
                 unsigned resource_count, uint32_t groups);

/* ---- drawing without a render pass ---- */

struct vkt_rendering {
   const struct vkt_image *color;
   const struct vkt_image *resolved, *depth; /* or NULL */
   float depth_clear;
   uint32_t view_mask;
};

/* All of it, cleared; color to black. */
void vkt_begin_rendering(VkCommandBuffer cmd, const struct vkt_rendering *r,
                         VkRenderingFlags flags);

/* For the pipeline; points to what `r` points to. */
VkPipelineRenderingCreateInfo
vkt_pipeline_rendering(const struct vkt_rendering *r);

/* What a driver does not look at: a pointer to nothing; under the layers,
 * which look, NULL. */
const void *vkt_ignored(void);

/* What `whole` says, linked of four libraries. `told`, if not NULL: of each
 * of these, and of the link, how it was made. */
VkResult vkt_create_in_parts(const VkGraphicsPipelineCreateInfo *whole,
                             VkPipelineCache cache,
                             VkPipelineCreationFeedback *told,
                             VkPipeline *out);
/* The device's that are still there, in front of it. */
void vkt_destroy_parts(void);

/* A secondary command buffer outside of passes, and its end. */
VkCommandBuffer vkt_begin_secondary(void);
void vkt_execute(VkCommandBuffer cmd, VkCommandBuffer secondary);

/* ---- draws ---- */

#define VKT_MAX_XFB 4

enum vkt_way {
   VKT_IN_PASS,
   VKT_IN_RENDERING,
   VKT_IN_RESUMED,  /* rendering that was suspended */
   VKT_IN_RECORDED, /* rendering of a secondary command buffer */
};

struct vkt_scene {
   struct vkt_shader vs, tcs, tes, gs, fs;
   VkPrimitiveTopology topology;
   uint32_t patch_vertices;
   /* vertex_count times `attributes` vectors of four floats. */
   const void *vertices;
   uint32_t attributes, vertex_count;
   /* In place of four floats, one for each attribute; NULL: none. Undefined:
    * there is none of that number. */
   const VkFormat *formats;
   uint32_t width, height;
   VkSampleCountFlagBits samples;
   /* What is drawn to, instead of an image of the draw's own. */
   const struct vkt_image *color, *depth;
   /* Views that are drawn, each to the layer of its number, with as many
    * layers as that needs; 0: one layer, no multiview. */
   uint32_t view_mask;
   /* NULL: filled, not culled. */
   const VkPipelineRasterizationStateCreateInfo *raster;
   bool no_raster; /* there is no such structure: all of it is dynamic */
   const VkPipelineMultisampleStateCreateInfo *multisample;
   /* NULL: all channels are written, as they are. */
   const VkPipelineColorBlendAttachmentState *blend;
   float blend_constants[4];
   /* With it comes a target of depth and stencil, cleared to 1 (less the
    * other) and the value. */
   const VkPipelineDepthStencilStateCreateInfo *depth_stencil;
   float depth_clear_below_1;
   uint32_t stencil_clear; /* in a pass; 0 else */
   bool reads_depth; /* `depth` is input attachment 0, too, in GENERAL */
   /* NULL: the whole target, depth 0 to 1. */
   const VkViewport *viewport;
   const void *viewport_next; /* of VkPipelineViewportStateCreateInfo */
   const VkRect2D *scissor;
   uint32_t scissor_count; /* 0: one */
   const struct vkt_resource *resources;
   unsigned resource_count;
   /* Input attachment 0, of the target's size; NULL: none. */
   const struct vkt_image *input;
   bool feedback;              /* the target is one of the resources, too */
   VkImageLayout color_layout; /* of the target; 0: GENERAL */
   VkClearColorValue clear;    /* in place of black: of the target */
   const struct vkt_buffer *xfb[VKT_MAX_XFB];
   /* Filled in, if not NULL: what a query of this type counted of stream
    * `query_stream`. */
   uint64_t *query;
   VkQueryType query_type;
   VkQueryPipelineStatisticFlags statistics;
   uint32_t query_stream;
   /* Indices of 16 bits, with primitive restart; NULL: none. */
   const uint16_t *indices;
   uint32_t index_count;
   uint32_t instances; /* 0: one */
   /* Indices: what is drawn of them is in memory. */
   bool indirect;
   /* How many vertices is in memory: so many bytes, less `counter_less`, of
    * counter_stride_B each; NULL: vertex_count. */
   const struct vkt_buffer *counter;
   uint32_t counter_less, counter_stride_B;
   uint32_t first_index;
   /* State that is dynamic, and what sets it, in front of the draw. */
   const VkDynamicState *dynamic;
   uint32_t dynamic_count;
   void (*set_state)(VkCommandBuffer cmd, const void *data);
   const void *data;
   /* Distance of vertices, if it is dynamic; 0: it is not. */
   VkDeviceSize stride_B;
   bool negative_one_to_one; /* depth in clip space */
   /* Vertices are of instances. */
   const VkPipelineVertexInputDivisorStateCreateInfoEXT *divisors;
   /* `set_state` draws, and nobody else. */
   bool draws_itself;
   enum vkt_way way;
   bool in_parts;                    /* the pipeline is linked of libraries */
   VkPipelineCreationFeedback *told; /* as in vkt_create_in_parts() */
   /* Of the pipeline: what else is said of it. */
   const void *next;
   /* In place of `blend` and `blend_constants`. */
   const VkPipelineColorBlendStateCreateInfo *color_blend;
   VkPipelineCreateFlags flags;
   VkPipelineCache cache;
};

#define VKT_SCENE(...) ((struct vkt_scene) { __VA_ARGS__ })

VkPipelineColorBlendStateCreateInfo vkt_blend_of(const struct vkt_scene *s);

/* Draws over black, and reads the picture (resolved) into `rgba`, rows from
 * the top, layer after layer, if that is not NULL. VK_SUCCESS, or what made
 * no pipeline. */
VkResult vkt_try_draw(const struct vkt_scene *scene, uint32_t *rgba);
void vkt_draw(const struct vkt_scene *scene, uint32_t *rgba);

#endif
