/* SPDX-License-Identifier: MIT */
/*
 * Command buffers: a batch that grows, the state that commands have set so
 * far, and bits that say which of it the GPU has not been told yet.
 */
#ifndef SAF_CMD_BUFFER_H
#define SAF_CMD_BUFFER_H

#include "intel/vulkan/pipeline/saf_pipeline.h"
#include "intel/vulkan/memory/saf_pass.h"

/* ---- batches ---- */

/*
 * Commands in objects of SAF_BATCH_SIZE_B, each but the last of which ends
 * in a jump to the next; on Gen7 in a single one of that size or a larger
 * one. Out of memory is noted, and writing goes on into a
 * dump that nobody reads, so that callers need not check each packet.
 */
struct saf_batch {
   struct saf_device *device;
   struct util_dynarray bos; /* struct saf_bo * */
   struct saf_bo *spare; /* a large one of the recording before; or NULL */
   uint32_t *start, *next, *end; /* of the last one */
   uint32_t *dump;
   bool failed;
   bool relocates; /* the device does */
   /* Something has been written since the last flush that may reach memory,
    * or fill a cache: without it there is nothing to flush. */
   bool reaches;
   /* enum saf_caches: which may hold what was there before a flush; which of
    * these are to be emptied before anything reads. */
   uint8_t stale, due;
   struct util_dynarray temporaries; /* struct saf_bo * */
   /* The same for dynamic state, SAF_DYNAMIC_BLOCK_B each, of which this
    * recording has the first; the others are of earlier ones. */
   struct util_dynarray blocks; /* struct saf_bo * */
   unsigned blocks_used;
   struct util_dynarray places; /* uint32_t, of saf_batch_note() */
};

/* What reads memory by a cache that is not written. */
enum saf_caches {
   SAF_CACHE_READS = 1u << 0, /* textures, constants, states, programs */
   SAF_CACHE_VERTICES = 1u << 1,
};

void saf_batch_init(struct saf_batch *batch, struct saf_device *device);
void saf_batch_reset(struct saf_batch *batch);
/* Gives back what is kept for the next recording. */
void saf_batch_trim(struct saf_batch *batch);
void saf_batch_finish(struct saf_batch *batch);

/* No single packet is longer. */
#define SAF_MAX_PACKET_DW 1024

/* Room for such a packet, or for what nobody reads. */
void saf_batch_grow(struct saf_batch *batch);

/* What takes so many dwords comes without a jump in between. */
static inline void
saf_batch_reserve(struct saf_batch *batch, uint32_t count)
{
   assert(count <= SAF_MAX_PACKET_DW && "packet too long");
   if (batch->end - batch->next < (ptrdiff_t)count)
      saf_batch_grow(batch);
}

/* Space for a packet of `count` dwords, in one piece. */
static inline uint32_t *
saf_batch_dwords(struct saf_batch *batch, uint32_t count)
{
   saf_batch_reserve(batch, count);
   uint32_t *dw = batch->next;
   batch->next += count;
   return dw;
}

/* Memory for as long as the batch has its commands; NULL: none. */
struct saf_bo *saf_batch_temporary(struct saf_batch *batch, uint64_t size_B);

/* The next block for dynamic state, with whatever is in it; NULL: none. */
struct saf_bo *saf_batch_next_block(struct saf_batch *batch);
#define SAF_DYNAMIC_BLOCK_B (1u << 20)

#define SAF_MAX_NOTES 64 /* at a time */

/* Room for so many; false: no memory, noted. */
bool saf_batch_room_for_notes(struct saf_batch *batch);

/* The dwords that `mask` names, from `dw` on in the object that is written
 * to, hold addresses, which may be written until the batch ends: see
 * saf_reloc.h. */
static inline void
saf_batch_note(struct saf_batch *batch, const uint32_t *dw, uint64_t mask)
{
   struct util_dynarray *const places = &batch->places;
   if (batch->failed || !batch->relocates ||
       (places->capacity_B - places->size_B <
           SAF_MAX_NOTES * sizeof(uint32_t) &&
        !saf_batch_room_for_notes(batch)))
      return;
   const uint32_t first = (uint32_t)(dw - batch->start);
   uint32_t *place = (uint32_t *)((char *)places->data + places->size_B);
   while (mask)
      *place++ = first + (unsigned)u_bit_scan64(&mask);
   places->size_B = (size_t)((char *)place - (char *)places->data);
}

/* All has been written; out of memory is noted as above. */
void saf_batch_end(struct saf_batch *batch);

/* ---- state ---- */

#define SAF_KEPT_INFO_B 512

/* Dynamic state that is kept for the next draw: X(slot, most bytes). */
#define SAF_KEPT(X)                                                          \
   X(BLEND, 128)                                                             \
   X(COLOR_CALC, 64)                                                         \
   X(DEPTH_STENCIL, 64)                                                      \
   X(SF_CLIP_VIEWPORT, SAF_MAX_VIEWPORTS * 64)                               \
   X(CC_VIEWPORT, SAF_MAX_VIEWPORTS * 8)                                     \
   X(SCISSOR, SAF_MAX_VIEWPORTS * 8)                                         \
   X(DRAW_PARAMETERS, 8)                                                     \
   X(DRAW_ID, 8)                                                             \
   X(SAMPLERS, SAF_MAX_SAMPLERS * 16) /* by gl_shader_stage */               \
   X(SAMPLERS_TCS, SAF_MAX_SAMPLERS * 16)                                    \
   X(SAMPLERS_TES, SAF_MAX_SAMPLERS * 16)                                    \
   X(SAMPLERS_GS, SAF_MAX_SAMPLERS * 16)                                     \
   X(SAMPLERS_FS, SAF_MAX_SAMPLERS * 16)                                     \
   X(SAMPLERS_CS, SAF_MAX_SAMPLERS * 16)                                     \
   X(INFO, SAF_KEPT_INFO_B) /* by gl_shader_stage, of a draw */              \
   X(INFO_TCS, SAF_KEPT_INFO_B)                                              \
   X(INFO_TES, SAF_KEPT_INFO_B)                                              \
   X(INFO_GS, SAF_KEPT_INFO_B)                                               \
   X(INFO_FS, SAF_KEPT_INFO_B)                                               \
   X(INFO_CS, SAF_KEPT_INFO_B)

enum saf_kept_slot {
#define SLOT(slot, room_B) SAF_KEPT_##slot,
   SAF_KEPT(SLOT)
#undef SLOT
      SAF_KEPT_SLOTS
};

/* Where it is; what it says is in saf_cmd_buffer.kept_data. */
struct saf_kept {
   uint32_t offset, size_B; /* size 0: nothing is kept */
};

#define SAF_SENT_B 3072 /* room for what genX_sent.h notes */

/* Bits beside SAF_GFX_..., in one mask with them. */
#define SAF_DIRTY_PIPELINE (1ull << 51) /* but for shaders and its state */
#define SAF_DIRTY_VERTEX_BUFFERS (1ull << 52)
#define SAF_DIRTY_DESCRIPTORS (1ull << 53)
#define SAF_DIRTY_PUSH_CONSTANTS (1ull << 54)
#define SAF_DIRTY_TARGETS (1ull << 55)
#define SAF_DIRTY_XFB (1ull << 56)
#define SAF_DIRTY_INDEX_BUFFER (1ull << 57)
#define SAF_DIRTY_URB (1ull << 58)
#define SAF_DIRTY_STAGE(stage) (1ull << 59 << (stage)) /* its shader */
#define SAF_DIRTY_ALL (~0ull)
static_assert(SAF_GFX_STATES <= 51, "room in the mask");

struct saf_vertex_binding {
   uint64_t addr;
   uint64_t size_B;   /* 0: nothing bound */
   uint32_t stride_B; /* of pipelines whose stride is dynamic */
};

/* Vertex buffers that no pipeline can name, and the index buffer among what
 * the vertex fetcher reads. */
#define SAF_VB_DRAW_PARAMETERS SAF_MAX_VERTEX_BINDINGS
#define SAF_VB_DRAW_ID (SAF_MAX_VERTEX_BINDINGS + 1)
#define SAF_VF_INDICES (SAF_MAX_VERTEX_BINDINGS + 2)
#define SAF_VF_BUFFERS (SAF_MAX_VERTEX_BINDINGS + 3)

/* In whole cache lines; empty: end is 0. */
struct saf_vf_range {
   uint64_t begin, end;
};

/* Surfaces of buffers at dynamic offsets that the recording has: each is made
 * once. */
#define SAF_DYNAMIC_SURFACES 32

struct saf_dynamic_surface {
   uint64_t addr, range_B;
   bool storage;
   struct saf_state state; /* size 0: none */
};

/* Where a stage's block of struct saf_surface_info is, and the surface state
 * of one. */
struct saf_info_block {
   uint32_t offset, size_B; /* size 0: it is to be made */
   uint32_t surface_B;
   uint64_t surface_addr; /* 0: none */
   struct saf_state surface;
};

#define SAF_META_SURFACES 3

/* What a draw uses; a meta operation saves it and puts it back. */
struct saf_draw_state {
   /* What is drawn with: the bound one, or one of its variants. */
   const struct saf_pipeline *pipeline;
   const struct saf_pipeline *bound;
   struct saf_descriptor_set *sets[SAF_MAX_SETS];
   uint32_t dynamic_offsets[SAF_MAX_SETS][SAF_MAX_DYNAMIC_BUFFERS];
   uint8_t push_constants[SAF_MAX_PUSH_CONSTANTS_B];
   /* Where the GPU reads them; size 0: they have changed since. */
   struct saf_state constants;
   uint32_t constants_size_B; /* of them; what follows is zero */
   uint64_t constants_base;   /* the dynamic state's, for which it is so */
   struct saf_gfx_state gfx;

   /* Resources of a meta draw, in place of descriptors. */
   struct saf_state meta_surfaces[SAF_META_SURFACES];
   struct isl_swizzle meta_swizzle; /* of the first, where states have none */
   const uint32_t *meta_sampler;
};

/* Where pixels go. */
struct saf_targets {
   uint32_t color_count;
   struct saf_state color[SAF_MAX_RTS]; /* size 0: none */
   /* At least one of the two is NULL or both are of one view. */
   const struct isl_surf *depth, *stencil;
   uint64_t depth_addr, stencil_addr;
   const struct isl_hiz *hiz; /* beside depth; or NULL */
   uint64_t hiz_addr;
   float depth_clear; /* what it means by clear */
   uint32_t ds_level, ds_layer, ds_layers;
   uint32_t width, height, layers, samples;
};

struct saf_rendering_attachment {
   const struct saf_image_view *view;    /* NULL: none */
   const struct saf_image_view *resolve; /* at the end; NULL: it is not */
   VkImageLayout layout, resolve_layout;
   VkResolveModeFlagBits mode; /* of depth and stencil */
   uint32_t clear_views; /* to clear at the begin; 1 without multiview */
   VkClearValue clear;
   bool fast_cleared; /* by its control surface, which draws keep */
};

/* A subpass, or what is between vkCmdBeginRendering and its end. */
struct saf_rendering {
   bool active;
   bool suspends; /* what is resolved is so by another one */
   VkRect2D area;
   uint32_t width, height; /* all of the targets that may be drawn to */
   uint32_t layers;        /* without multiview */
   uint32_t view_mask;     /* 0: none */
   uint32_t color_count;
   struct saf_rendering_attachment color[SAF_MAX_RTS];
   /* If both have a view, then the same. */
   struct saf_rendering_attachment depth, stencil;
};

enum saf_cmd_state {
   SAF_CMD_INITIAL,
   SAF_CMD_RECORDING,
   SAF_CMD_EXECUTABLE,
};

struct saf_xfb_binding {
   uint64_t addr, size_B;
};

struct saf_cmd_pool {
   struct saf_device *device;
   const VkAllocationCallbacks *alloc;
   struct list_head buffers;
};

struct saf_cmd_buffer {
   VK_LOADER_DATA loader_data;
   struct saf_device *device;
   struct saf_cmd_pool *pool;
   struct list_head link;
   VkCommandBufferLevel level;
   struct saf_batch batch;
   struct saf_state_stream dynamic_stream;
   struct saf_state_stream surface_stream;
   struct util_dynarray binding_table_blocks;

   /* What follows is zero when a recording begins. */
   enum saf_cmd_state state;
   VkResult error;

   /* A secondary one has no batch but calls: see saf_record.h. */
   struct arena *recording;
   struct saf_recorded *first_recorded, *last_recorded;

   struct arena *push_arena; /* pushed descriptor sets; NULL: none yet */
   /* Offsets of dynamic state count from here: the pool's start, or that of
    * a block of this recording's own, of which so much is used. */
   uint64_t dynamic_base;
   void *dynamic_block;
   uint32_t dynamic_used_B;
   /* Size 0: none yet, and no base addresses. */
   struct saf_state binding_table_block;
   uint32_t binding_table_used_B;

   uint64_t dirty; /* SAF_GFX_..., SAF_DIRTY_... */
   /* The last states that were looked for in genX_groups.c, and the groups
    * that read them. */
   uint64_t read_states;
   uint32_t readers;
   struct saf_draw_state draw;
   struct saf_draw_state compute; /* pipeline, sets, constants */
   bool gpgpu;                    /* the last PIPELINE_SELECT */
   bool l3_for_shared_memory;
   bool pushed_constants; /* some stage had constants in registers */
   struct saf_targets targets;

   struct saf_vertex_binding vertex[SAF_MAX_VERTEX_BINDINGS];
   uint64_t index_addr, index_size_B;
   VkIndexType index_type;
   bool fans_as_list; /* the index buffer is saf_meta_expand_fans()'s */

   struct saf_xfb_binding xfb[SAF_MAX_XFB_BUFFERS];
   bool xfb_active;
   bool conditional; /* MI_PREDICATE's result counts */
   bool condition_inverted;
   uint64_t condition_addr; /* of the dword that it is */
   bool meta_conditional;   /* for the driver's own draws, too */
   bool counted;            /* it counts draws (genX_predicate.c) */

   struct saf_rendering rendering;
   /* The render pass that is being recorded; NULL: none, but there may be
    * vkCmdBeginRendering's. */
   struct saf_render_pass *pass;
   uint32_t subpass;
   VkRect2D render_area;
   uint32_t fb_width, fb_height, fb_layers;
   struct saf_image_view **attachments;
   VkClearValue *clear_values;

   /* What the batch has last programmed; 0 is nothing yet. */
   uint32_t pipe_controls;                    /* since one that stalls */
   uint32_t urb_entry_size[INTEL_URB_STAGES]; /* + 1, in 64 bytes */
   uint32_t stages_with_resources;            /* mask by gl_shader_stage */
   /* What the vertex fetcher's buffers are; what was read by each since its
    * cache was last empty. */
   struct saf_vf_range vf_bound[SAF_VF_BUFFERS];
   struct saf_vf_range vf_cached[SAF_VF_BUFFERS];
   uint64_t vf_buffers; /* that the vertex input reads, a bit each */
   uint64_t vf_noted;   /* are in vf_cached as they are bound */
   /* What the chip has been told: genX_sent.h. */
   uint32_t sent[SAF_SENT_B / 4];
   uint32_t packed[128];      /* a packet before it is sent */
   struct saf_packer *packer; /* genX_packed.c; NULL: there is a batch */
   struct saf_dynamic_surface dynamic_surfaces[SAF_DYNAMIC_SURFACES];
   struct saf_info_block info_blocks[SAF_STAGES];
   /* The table of each stage in the block. */
   struct {
      uint32_t offset_B, size_B; /* size 0: none */
   } tables[SAF_GRAPHICS_STAGES];
   struct saf_kept kept[SAF_KEPT_SLOTS];
#define ROOM(slot, room_B) uint8_t kept_##slot[room_B];
   struct {
      SAF_KEPT(ROOM)
   } kept_data;
#undef ROOM
   bool in_meta;
   /* Gen7: what the rectangle that is drawn does to the hierarchical depth
    * buffer, enum saf_hiz_op; 0: nothing. */
   uint8_t hiz_rectangle;
   /* The same of colour control surfaces, enum saf_ccs_op. */
   uint8_t ccs_rectangle;
};

SAF_DISPATCHABLE(saf_cmd_buffer, VkCommandBuffer)
SAF_NONDISPATCHABLE(saf_cmd_pool, VkCommandPool)

struct saf_bo *saf_cmd_buffer_first_bo(struct saf_cmd_buffer *cmd);

/* Notes the first error of a recording; vkEndCommandBuffer returns it. */
void saf_cmd_error(struct saf_cmd_buffer *cmd, VkResult error);

/* Applies what is not dynamic in the pipeline. */
void saf_cmd_bind_pipeline(struct saf_cmd_buffer *cmd,
                           const struct saf_pipeline *pipeline);

/* Before the pipeline is looked at for a draw: has its shaders be those for
 * the state there is. */
void saf_cmd_choose_variant(struct saf_cmd_buffer *cmd);

/* Points the targets at the attachments of `r`, which becomes the command
 * buffer's, and clears what it says. */
void saf_cmd_begin_rendering(struct saf_cmd_buffer *cmd,
                             const struct saf_rendering *r);
/* Resolves; then there is none. */
void saf_cmd_end_rendering(struct saf_cmd_buffer *cmd);

/* The clear of the whole depth attachment when rendering begins, with its
 * hierarchical buffer, which is part of the targets then; false: it cannot
 * be. */
bool saf_cmd_begin_hiz(struct saf_cmd_buffer *cmd);
void saf_cmd_end_hiz(struct saf_cmd_buffer *cmd);

/* Whether all of an attachment is drawn to at once, in each of its layers,
 * and it is level 0: what control surfaces and the like are cleared as. */
bool saf_rendering_is_all(const struct saf_rendering *r,
                          const struct saf_image_view *view);

/* The clears of colour attachments by their control surfaces when rendering
 * begins; what is cleared so, `fast_cleared` says. */
void saf_cmd_fast_clear(struct saf_cmd_buffer *cmd);
void saf_cmd_end_fast_clear(struct saf_cmd_buffer *cmd);
/* A state to render to layers of such an attachment, as its view has them. */
struct saf_state
saf_cmd_cleared_target(struct saf_cmd_buffer *cmd,
                       const struct saf_rendering_attachment *a,
                       uint32_t first_layer, uint32_t layers);

/*
 * Where the pool cannot grow (relocations): makes room for the dynamic state
 * of a draw or a dispatch, and for `size_B` bytes beside it. When the pool is
 * full, the recording goes on with a block of its own and another base
 * address: then all state is dirty. Not between a state and its pointer.
 */
void saf_cmd_dynamic_room(struct saf_cmd_buffer *cmd, uint32_t size_B);

/* Zeroed dynamic state for the life of the recording; a failure is noted
 * and gives memory that is not the GPU's. */
struct saf_state saf_cmd_dynamic_state(struct saf_cmd_buffer *cmd,
                                       uint32_t size_B, uint32_t align_B);
/* The same with whatever is in it. */
struct saf_state saf_cmd_dynamic_space(struct saf_cmd_buffer *cmd,
                                       uint32_t size_B, uint32_t align_B);
struct saf_state saf_cmd_surface_state(struct saf_cmd_buffer *cmd);

/* The GPU address of dynamic state of the recording, until there is another
 * base address. */
static inline uint64_t
saf_dynamic_addr(const struct saf_cmd_buffer *cmd, struct saf_state state)
{
   return cmd->dynamic_base + state.offset;
}

#endif
