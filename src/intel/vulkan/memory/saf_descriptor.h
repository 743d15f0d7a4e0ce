/* SPDX-License-Identifier: MIT */
/* Descriptor sets and layouts; part of saf_private.h, which includes it. */
#ifndef SAF_DESCRIPTOR_H
#define SAF_DESCRIPTOR_H

struct saf_binding_layout {
   VkDescriptorType type;
   uint32_t count;          /* 0: not in the layout */
   uint32_t inline_B;       /* of an inline uniform block, whose count is 1 */
   uint32_t inline_start_B; /* in the set's */
   uint32_t first;          /* index into the set's descriptors */
   uint32_t first_dynamic;  /* index into the set's dynamic offsets */
   VkShaderStageFlags stages;
   struct saf_sampler **immutable; /* NULL, or `count` samplers */
};

struct saf_set_layout {
   uint32_t refs;
   uint32_t binding_count; /* highest binding number + 1 */
   uint32_t descriptor_count;
   uint32_t buffer_count; /* descriptors with a surface state */
   uint32_t dynamic_count;
   uint32_t inline_B; /* in all */
   struct saf_binding_layout *bindings;
};

struct saf_descriptor {
   VkDescriptorType type;
   struct saf_image_view *view;
   struct saf_sampler *sampler;
   struct saf_buffer_view *buffer_view;
   /* Buffers; range 0 is a null descriptor. */
   uint64_t addr;
   uint64_t range_B;
   struct saf_state surface; /* part of the set's block */
};

struct saf_descriptor_set {
   struct saf_set_layout *layout;
   struct saf_descriptor_pool *pool;
   struct list_head link;     /* in the pool */
   struct saf_state surfaces; /* 64 bytes for each buffer */
   struct saf_state inlines;  /* of the dynamic pool: inline blocks */
   struct saf_descriptor *descriptors;
};

struct saf_descriptor_pool {
   struct saf_device *device;
   uint32_t max_sets, set_count;
   struct list_head sets;
};

/* Does what one member of vkUpdateDescriptorSets' list asks for, in `set`. */
void saf_descriptor_set_write(struct saf_device *device,
                              struct saf_descriptor_set *set,
                              const VkWriteDescriptorSet *write);

/* Where a write's data is, and how far apart its items are; without any:
 * NULL. */
const void *saf_descriptor_write_data(const VkWriteDescriptorSet *write,
                                      size_t *stride_B);

/* All of `from`, which has the same bindings, and no inline blocks. */
void saf_descriptor_set_copy(struct saf_device *device,
                             struct saf_descriptor_set *to,
                             const struct saf_descriptor_set *from);

/* Gives the descriptors of a new set their types and places: `surfaces` and
 * `inlines` have the sizes that the layout says. */
void saf_descriptor_set_init(struct saf_device *device,
                             struct saf_descriptor_set *set);

struct saf_update_template {
   uint32_t count;
   VkPipelineBindPoint bind_point;
   VkDescriptorUpdateTemplateEntry entries[];
};

struct saf_pipeline_layout {
   uint32_t refs;
   uint32_t set_count;
   struct saf_set_layout *sets[SAF_MAX_SETS];
   uint32_t dynamic_start[SAF_MAX_SETS];
};

SAF_NONDISPATCHABLE(saf_set_layout, VkDescriptorSetLayout)
SAF_NONDISPATCHABLE(saf_descriptor_set, VkDescriptorSet)
SAF_NONDISPATCHABLE(saf_descriptor_pool, VkDescriptorPool)
SAF_NONDISPATCHABLE(saf_update_template, VkDescriptorUpdateTemplate)
SAF_NONDISPATCHABLE(saf_pipeline_layout, VkPipelineLayout)

struct saf_set_layout *saf_set_layout_ref(struct saf_set_layout *layout);
void saf_set_layout_unref(struct saf_device *device,
                          struct saf_set_layout *l);

#endif
