/* SPDX-License-Identifier: MIT */
/* Descriptor sets and layouts. */
#ifndef SAF_DESCRIPTOR_H
#define SAF_DESCRIPTOR_H

#include "saf_buffer.h"
#include "saf_image.h"
#include "saf_sampler.h"

/* Of a set that has no records: more than a table, where there are only those
 * of one stage's shader, within the limits for stages. */
#define SAF_MAX_SET_DESCRIPTORS 1024

struct saf_binding_layout {
   uint32_t number;
   VkDescriptorType type;
   uint32_t count;          /* may be 0 */
   uint32_t inline_B;       /* of an inline uniform block, whose count is 1 */
   uint32_t inline_start_B; /* in the set's */
   uint32_t first;          /* index into the set's descriptors or records */
   uint32_t first_surface;  /* index into the set's surface states */
   uint32_t first_dynamic;  /* index into the set's dynamic offsets */
   bool bindless;           /* shaders find it in the set's records */
   VkShaderStageFlags stages;
   struct saf_sampler **immutable; /* NULL, or `count` samplers */
};

struct saf_set_layout {
   uint32_t refs;
   uint32_t binding_count; /* that exist: numbers may be far apart */
   uint32_t descriptor_count, record_count;
   uint32_t buffer_count; /* descriptors with a surface state */
   bool variable_count;   /* of the last binding */
   uint32_t dynamic_count;
   uint32_t inline_B;                   /* in all */
   struct saf_binding_layout *bindings; /* by their numbers */
};

/* The binding of that number, or NULL. */
const struct saf_binding_layout *
saf_search_binding(const struct saf_set_layout *layout, uint32_t number);

/* The same: most have their numbers without gaps. */
static inline const struct saf_binding_layout *
saf_find_binding(const struct saf_set_layout *layout, uint32_t number)
{
   if (number < layout->binding_count &&
       layout->bindings[number].number == number)
      return &layout->bindings[number];
   return saf_search_binding(layout, number);
}

/* What accesses of storage images and texel buffers go through; 0 is
 * struct saf_descriptor::surface. A message is of one kind by the format that
 * its shader names, which need not be the view's: if that is of the other
 * kind, it meets a null surface. */
enum saf_storage_part {
   SAF_STORAGE_STORE,
   SAF_STORAGE_TYPED, /* reads by typed messages, and atomics */
   SAF_STORAGE_RAW,   /* reads of the sizes that those do not know */
};

/* What messages to a sampled image go through; from 1 on planes, too: what
 * has planes is converted, and that is not compared. */
enum saf_sampled_part {
   SAF_SAMPLED,
   SAF_SAMPLED_COMPARED, /* nothing where the format has no comparison */
};

/*
 * What commands make an entry of a table of. Of views and samplers it has
 * copies, since these may end before the set does if nobody uses what is
 * written here any more.
 */
struct saf_descriptor {
   VkDescriptorType type;
   enum isl_format format; /* of an image */
   struct isl_swizzle format_swizzle;
   /* Of a buffer: part of the set's block. Of a view: its own, that of
    * storage images for stores; size 0 is a null descriptor. */
   struct saf_state surface;
   /* Of storage images and texel buffers: enum saf_storage_part - 1. Of
    * sampled images: planes after the first, or enum saf_sampled_part - 1. */
   struct saf_state others[SAF_MAX_COLOR_PLANES - 1];
   struct saf_surface_info info; /* not of buffers */
   struct saf_sampler_state sampler;
   bool has_sampler;
   /* Buffers; range 0 is a null descriptor. */
   uint64_t addr;
   uint64_t range_B;
};

/*
 * What shaders themselves read of a descriptor, where it may change after
 * the set is bound: saf_bindless_... write it, and
 * saf_nir_apply_pipeline_layout() makes shaders read it.
 */
struct saf_bindless_record {
   /* intel_surface_handle(); others: as in struct saf_descriptor */
   uint32_t surface, others[SAF_MAX_COLOR_PLANES - 1];
   uint32_t sampler; /* offset in the dynamic state */
   struct saf_surface_info info;
};

static_assert(sizeof(struct saf_bindless_record) == 64,
              "shaders count on it");

struct saf_descriptor_set {
   struct saf_set_layout *layout;
   struct saf_descriptor_pool *pool;
   struct list_head link;     /* in the pool */
   struct saf_state surfaces; /* 64 bytes for each buffer */
   struct saf_state inlines;  /* of the dynamic pool: inline blocks */
   struct saf_descriptor *descriptors;
   /* Of the dynamic pool, and a surface state of all of them; size 0: the
    * layout has none. */
   struct saf_state records, records_surface;
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

/* What a view has for a descriptor of a type; nothing without a view. */
struct saf_view_surfaces {
   struct saf_state surface, others[SAF_MAX_COLOR_PLANES - 1];
   struct saf_surface_info info;
};

struct saf_view_surfaces
saf_surfaces_of_view(const struct saf_image_view *view,
                     VkDescriptorType type);
struct saf_view_surfaces
saf_surfaces_of_texels(const struct saf_buffer_view *view,
                       VkDescriptorType type);

bool saf_is_buffer_type(VkDescriptorType type);
bool saf_is_texel_buffer_type(VkDescriptorType type);
/* Whether sets have a surface state for it. */
bool saf_has_own_surface(VkDescriptorType type);

/* All of `from`, which has the same bindings, and no inline blocks. */
void saf_descriptor_set_copy(struct saf_device *device,
                             struct saf_descriptor_set *to,
                             const struct saf_descriptor_set *from);

/* Gives the descriptors of a new set their types and places: `surfaces` and
 * `inlines` have the sizes that the layout says. */
void saf_descriptor_set_init(struct saf_device *device,
                             struct saf_descriptor_set *set);

/* ---- records of sets: saf_bindless.c ---- */

/* Whether sets of a layout with these flags have records. */
bool saf_bindless_wanted(const struct saf_device *device,
                         VkDescriptorSetLayoutCreateFlags flags);

/* `count` records, of nothing but immutable samplers and inline blocks; the
 * set has its surface states and its inline blocks by then. */
VkResult saf_bindless_init(struct saf_device *device,
                           struct saf_descriptor_set *set, uint32_t count);

/* One of a binding that has them, from what an update has; it is of that type
 * then, if the binding's is mutable. */
void saf_bindless_write(struct saf_device *device,
                        const struct saf_descriptor_set *set,
                        VkDescriptorType type,
                        const struct saf_binding_layout *b, uint32_t element,
                        const void *item);

void saf_bindless_copy(const struct saf_descriptor_set *to,
                       const struct saf_binding_layout *b, uint32_t element,
                       const struct saf_descriptor_set *from,
                       const struct saf_binding_layout *from_b,
                       uint32_t from_element);

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
