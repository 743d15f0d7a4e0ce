/* SPDX-License-Identifier: MIT */
/* A triangle with a uniform buffer and push constants, step by step, for
 * tests of what surrounds a draw. */
#ifndef VKT_TRIANGLE_H
#define VKT_TRIANGLE_H

#include "vkt.h"

#define VKT_TRIANGLE_WIDTH 40
#define VKT_TRIANGLE_HEIGHT 24

struct vkt_triangle {
   struct vkt_image image;
   struct vkt_buffer vertices, uniform, out;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkPipeline pipeline;
};

/* All but the pipeline. */
void vkt_triangle_create(struct vkt_triangle *t);
void vkt_triangle_destroy(struct vkt_triangle *t);

/* `frag` NULL: the fragment shader of the triangle. */
void vkt_triangle_pipeline(struct vkt_triangle *t, VkPipelineCache cache,
                           const struct vkt_shader *frag);

/* Begins the pass, in which the target is cleared to red. */
void vkt_triangle_begin(VkCommandBuffer cmd, const struct vkt_triangle *t,
                        VkSubpassContents contents);

/* What is drawn within the pass. */
void vkt_triangle_record(VkCommandBuffer cmd, const struct vkt_triangle *t);

/* Copies the picture to `out`. */
void vkt_triangle_read(VkCommandBuffer cmd, const struct vkt_triangle *t);

/* That `out` has the triangle; how many of its pixels are drawn. */
unsigned vkt_triangle_check(const struct vkt_triangle *t);

/* All of that in one command buffer. */
void vkt_triangle_draw(struct vkt_triangle *t);

#endif
