/* SPDX-License-Identifier: MIT */
/*
 * What the common files ask of the per-generation ones. Commands of the API
 * that only exist per generation are not here: the entry point table finds
 * them by their prefix.
 */
#ifndef SAF_GENX_H
#define SAF_GENX_H

#include "saf_device.h"
#include "intel/genxml/genx_gens.h"

struct saf_cmd_buffer;
struct saf_image;
struct saf_pipeline;

enum saf_hiz_op {
   SAF_HIZ_CLEAR = 1,
   SAF_HIZ_RESOLVE,
};

enum saf_ccs_op {
   SAF_CCS_CLEAR = 1,
   SAF_CCS_RESOLVE,
};

struct saf_genx {
   void (*init_trivial_batch)(uint32_t *dw);
   uint32_t border_color_B; /* and how they are aligned */
   bool has_border_table;   /* samplers reach 16 MB: see saf_sampler.c */
   /* A jump to `addr`; at most 4 dwords. */
   void (*emit_chain)(uint32_t *dw, uint64_t addr);

   /* Four dwords; `border` is an offset in the dynamic pool. */
   void (*fill_sampler)(const VkSamplerCreateInfo *info,
                        uint32_t border_offset_B, uint32_t dw[4]);
   void (*fill_border_color)(const VkClearColorValue *color, void *map);

   /* Gives a pipeline that has its shaders what it needs to be bound
    * faster, if there is memory. */
   void (*pack_pipeline)(struct saf_device *device,
                         struct saf_pipeline *pipeline);

   void (*cmd_begin)(struct saf_cmd_buffer *cmd);
   void (*cmd_end)(struct saf_cmd_buffer *cmd);
   /* A command that does nothing, with a number of 22 bits. */
   void (*cmd_note)(struct saf_cmd_buffer *cmd, uint32_t number);
   /* Waits for all work and writes caches back; the draws that follow read
    * memory as it is then, but for vertices and indices, which `readers` of
    * a barrier have to name. */
   void (*cmd_flush)(struct saf_cmd_buffer *cmd);
   void (*cmd_barrier)(struct saf_cmd_buffer *cmd, VkAccessFlags readers);
   /* After cmd->dynamic_base has changed. */
   void (*cmd_base_addresses)(struct saf_cmd_buffer *cmd);
   /* Of the targets' depth buffer. */
   void (*hiz_op)(struct saf_cmd_buffer *cmd, enum saf_hiz_op op);
   /* Of level 0 of a layer, which is the target: the extent of what stands
    * for all of it in a clear or a resolve. */
   VkExtent2D (*ccs_rectangle)(const struct intel_device_info *info,
                               const struct saf_image *image,
                               enum saf_ccs_op op);
   /* Draws vertices 0 to count - 1, one instance. */
   void (*cmd_draw)(struct saf_cmd_buffer *cmd, uint32_t count);
};

/* NULL if the generation has no back end in this driver. */
const struct saf_genx *saf_genx_get(const struct intel_device_info *info);

/* The entry of saf_entrypoint.per_gen for the device. */
unsigned saf_genx_index(const struct intel_device_info *info);

#define ROW(gen, verx10) extern const struct saf_genx gen##_genx;
GENX_GENS(ROW)
#undef ROW

#endif
