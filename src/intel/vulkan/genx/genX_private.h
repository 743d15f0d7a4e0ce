/* SPDX-License-Identifier: MIT */
/* For the files that are built once per generation: see genx.h. */
#ifndef GENX_PRIVATE_H
#define GENX_PRIVATE_H

#include "intel/genxml/genx.h"
#include "intel/vulkan/cmd/saf_cmd_buffer.h"
#include "genX_sent.h"
#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/memory/saf_descriptor.h"

/*
 * Writes one packet: the body sets members of `name`, which starts out with
 * the packet's defaults, and the end packs it into the batch.
 */
#define saf_emit(batch, cmd, name)                                           \
   for (struct GENX(cmd) name = { GENX(cmd##_header) }, *name##_p = &name;   \
        name##_p; name##_p = NULL,                                           \
                         GENX(cmd##_pack)(                                   \
                            saf_batch_dwords(batch, GENX(cmd##_length)),     \
                            &name),                                          \
                         saf_note(batch, cmd))

/* Whether a packet reads or writes memory, or changes from where. State does
 * not: what it points to is read for the draws that want it. */
static inline __attribute__((always_inline)) bool
saf_reaches_memory(const char *packet)
{
   /* Of a literal compilers know the answer; PIPE_CONTROL says so itself. */
   return strcmp(packet, "PIPELINE_SELECT") &&
          strcmp(packet, "MEDIA_VFE_STATE") &&
          strcmp(packet, "MI_LOAD_REGISTER_IMM") &&
          strcmp(packet, "PIPE_CONTROL") &&
          (strncmp(packet, "3DSTATE_", 8) ||
           !strcmp(packet, "3DSTATE_WM_HZ_OP"));
}

/* A packet, or the last one, has been written: where addresses have 32 bits,
 * the kernel may have to know where they stand. */
#if GEN_VERX10 < 80
#define saf_note_at(batch, dw, type)                                         \
   (GENX(type##_address_dwords)                                              \
       ? saf_batch_note(batch, dw, GENX(type##_address_dwords))              \
       : (void)0)
#else
#define saf_note_at(batch, dw, type) ((void)0)
#endif
#define saf_note(batch, cmd)                                                 \
   ((batch)->reaches |= saf_reaches_memory(#cmd),                            \
    saf_note_at(batch, (batch)->next - GENX(cmd##_length), cmd))

/* The same for a structure in memory. */
#define saf_fill(map, type, name)                                            \
   for (struct GENX(type) name = { 0 }, *name##_p = &name; name##_p;         \
        name##_p = NULL, GENX(type##_pack)(map, &name))

/* MOCS of 3DSTATE_CONSTANT; in the body before Gen8, which itself wants zero
 * (chip-rules RL-12). */
#define CONSTANT_MOCS_OF(cmd)                                                \
   (GEN_VERX10 == 80 ? 0 : (cmd)->device->info->mocs_cached)
#if GEN_VERX10 >= 80
#define CONSTANT_MOCS MOCS
#else
#define CONSTANT_MOCS ConstantBody.MOCS
#endif

/* genX_cmd_buffer.c */
void genX(emit_base_addresses)(struct saf_cmd_buffer *cmd);
/* What nobody reads until a pipeline has such a stage. */
void genX(disable_optional_stages)(struct saf_cmd_buffer *cmd);
#if GEN_VERX10 >= 80
/* The standard positions but for those of `own`; NULL: all. */
void genX(emit_sample_pattern)(struct saf_cmd_buffer *cmd,
                               const struct saf_gfx_state *own);
#endif
/* Of the chip, for MEDIA_VFE_STATE. */
uint32_t genX(max_cs_threads)(const struct saf_cmd_buffer *cmd);
/* PIPELINE_3D or PIPELINE_GPGPU; flushes are the caller's. */
void genX(pipeline_select)(struct saf_cmd_buffer *cmd, uint32_t pipeline);
void genX(cmd_begin)(struct saf_cmd_buffer *cmd);
void genX(cmd_end)(struct saf_cmd_buffer *cmd);
/* genX_pipe_control.c */
/* With what the generation wants beside it. */
void genX(pipe_control)(struct saf_cmd_buffer *cmd,
                        struct GENX(PIPE_CONTROL) pc);
/*
 * All work has ended and what it wrote is written out, if anything has
 * reached memory since that was last so. What reads by way of caches sees it
 * after a refresh.
 *
 * Flushes come first. Invalidations follow in a packet of their own: in one
 * packet the two are not ordered. They wait until the next draw or dispatch,
 * as barriers often come in a row, and the last ones before the batch's end.
 */
void genX(cmd_flush)(struct saf_cmd_buffer *cmd);
/* The same, for `readers`: the vertex fetcher's cache is not emptied for
 * others, which takes a packet more. */
void genX(cmd_barrier)(struct saf_cmd_buffer *cmd, VkAccessFlags readers);
/* Before what reads by way of caches: those are empty of what was there
 * before flushes. */
void genX(cmd_refresh)(struct saf_cmd_buffer *cmd);
/* Caches are empty whatever was there: enum saf_caches, SAF_CACHE_READS among
 * them. */
void genX(cmd_invalidate)(struct saf_cmd_buffer *cmd, uint8_t caches);
/* A stall at the command streamer, for register reads of counters. */
void genX(cmd_stall)(struct saf_cmd_buffer *cmd);
/* Where registers must not be loaded from memory while work is in flight
 * (chip-rules CO-47). */
void genX(stall_before_loads)(struct saf_cmd_buffer *cmd);
/* The vertex fetcher's cache is empty for what comes. */
void genX(invalidate_vertices)(struct saf_cmd_buffer *cmd);

/* INTEL_WA_STALL_BEFORE_VS_STATE, where it is needed. */
void genX(stall_before_vs_state)(struct saf_cmd_buffer *cmd);

/* genX_sampler.c; see struct saf_genx */
/* Aligned to that (chip-rules RL-25). */
#define BORDER_COLOR_B (GEN_VERX10 == 75 ? 512 : 64)
void genX(fill_border_color)(const VkClearColorValue *color, void *map);
void genX(fill_sampler)(const VkSamplerCreateInfo *info,
                        uint32_t border_offset_B, uint32_t dw[4]);
/* Four dwords: SAMPLER_STATE of a descriptor that has a sampler, as a table
 * of the recording's dynamic state has it. */
void genX(fill_bound_sampler)(struct saf_cmd_buffer *cmd,
                              const struct saf_descriptor *d, uint32_t *dw);

/* genX_packed.c */
void genX(pack_pipeline)(struct saf_device *device,
                         struct saf_pipeline *pipeline);
/* What is written, and state that it points to, while there is a packer. */
void genX(pack_packet)(struct saf_cmd_buffer *cmd, const uint32_t *packet,
                       uint32_t count, uint64_t addresses,
                       void (*before)(struct saf_cmd_buffer *));
void genX(pack_state)(struct saf_packer *packer, enum saf_kept_slot slot,
                      const void *data, uint32_t size_B, uint32_t align_B);
/* Sends what of a group is news. */
void genX(send_packed)(struct saf_cmd_buffer *cmd,
                       const struct saf_packed *packed, unsigned group);

/* genX_groups.c */
/* Runs those groups that depend on the pipeline alone; where the items of
 * each end in `items` then. The bits of those that there are. */
uint64_t genX(pack_groups)(struct saf_cmd_buffer *cmd,
                           const struct util_dynarray *items,
                           uint32_t ends_B[SAF_MAX_GROUPS]);
/* Groups of packets whose state is dirty. */
void genX(emit_groups)(struct saf_cmd_buffer *cmd);
/* What groups read whose packets an operation of 3DSTATE_WM_HZ_OP sets. */
extern const uint64_t genX(reads_of_hiz_op);
/* The groups, in the files of what they are about. */
void genX(emit_vertex_input)(struct saf_cmd_buffer *cmd);
void genX(emit_vs)(struct saf_cmd_buffer *cmd);
void genX(emit_tessellation)(struct saf_cmd_buffer *cmd);
void genX(emit_gs)(struct saf_cmd_buffer *cmd);
void genX(emit_sbe)(struct saf_cmd_buffer *cmd);
void genX(emit_ps)(struct saf_cmd_buffer *cmd);
void genX(emit_blend)(struct saf_cmd_buffer *cmd);
void genX(emit_multisample)(struct saf_cmd_buffer *cmd);
void genX(emit_targets)(struct saf_cmd_buffer *cmd);
void genX(emit_viewports)(struct saf_cmd_buffer *cmd);
void genX(emit_scissors)(struct saf_cmd_buffer *cmd);
void genX(emit_clip)(struct saf_cmd_buffer *cmd);
void genX(emit_sf)(struct saf_cmd_buffer *cmd);
void genX(emit_line_stipple)(struct saf_cmd_buffer *cmd);
void genX(emit_raster)(struct saf_cmd_buffer *cmd);
void genX(emit_depth_stencil)(struct saf_cmd_buffer *cmd);
void genX(emit_color_calc)(struct saf_cmd_buffer *cmd);
void genX(emit_vertex_buffers)(struct saf_cmd_buffer *cmd);
void genX(emit_streamout)(struct saf_cmd_buffer *cmd);
void genX(emit_resources)(struct saf_cmd_buffer *cmd);
/* With the index buffer: which index begins a new primitive. */
void genX(emit_vf)(struct saf_cmd_buffer *cmd);

/* genX_blend.c */
/* Of the state and of its number of samples. */
uint32_t genX(sample_mask)(const struct saf_gfx_state *gfx);
/* Whether a colour target may change. */
bool genX(writes_color)(const struct saf_draw_state *draw);

/* Whether a factor is of the second colour. */
bool genX(reads_source1)(const struct saf_blend_target *b);
/* genX_geometry.c: the stages before rasterisation */
/* Per-thread scratch as an exponent of 1 KB, and where it is. */
uint32_t genX(scratch_encoding)(const struct saf_shader *shader);
uint64_t genX(scratch_addr)(const struct saf_shader *shader);
/* Prefetch hints: samplers in fours, at most 16; surfaces at most 31. */
uint32_t genX(sampler_hint)(const struct saf_shader *shader);
uint32_t genX(surface_hint)(const struct saf_shader *shader);
/* genX_urb.c: space for the stages' vertices */
void genX(emit_urb)(struct saf_cmd_buffer *cmd);
/* genX_vertex_input.c: how many elements a vertex shader has fetched. */
unsigned genX(element_count)(const struct intel_vs_prog_data *prog);
/* genX_dynamic.c: packets that need dynamic state as well */
/* "Multisample Rasterization Mode". */
uint32_t genX(rasterization_mode)(const struct saf_draw_state *draw);
/* genX_targets.c */
uint32_t genX(depth_format)(const struct isl_surf *surf);
/* genX_resources.c: another block of binding tables, with base addresses;
 * false: no memory, noted. */
bool genX(new_table_block)(struct saf_cmd_buffer *cmd);

#define SAF_TABLE_BLOCK_B 65536u

/* Room for tables in the block. The first comes with base addresses, before
 * state that counts from them. False: as above. */
static inline bool
genX(need_tables)(struct saf_cmd_buffer *cmd, uint32_t size_B)
{
   return (cmd->binding_table_block.size_B &&
           cmd->binding_table_used_B + size_B <= SAF_TABLE_BLOCK_B) ||
          genX(new_table_block)(cmd);
}

/* The table of a compute shader in the block, after entry 0; false: as
 * above. */
bool genX(fill_compute_table)(struct saf_cmd_buffer *cmd,
                              const struct saf_shader *shader,
                              struct saf_state num_groups,
                              uint32_t *offset_B);
/* Whether memory that one of the shader's storage buffers has is another
 * one's, too, as they are bound. */
bool genX(buffers_overlap)(const struct saf_draw_state *st,
                           const struct saf_shader *shader);
/* An offset in the dynamic pool; 0 if there are no samplers. */
uint32_t genX(fill_samplers)(struct saf_cmd_buffer *cmd,
                             const struct saf_draw_state *st,
                             const struct saf_shader *shader);
/* genX_compute.c */
/* Deals out the ways of L3; the pipe must be idle. */
void genX(set_l3)(struct saf_cmd_buffer *cmd, bool shared_memory);
void genX(select_3d)(struct saf_cmd_buffer *cmd);
/* genX_ccs.c */
VkExtent2D genX(ccs_rectangle)(const struct intel_device_info *info,
                               const struct saf_image *image,
                               enum saf_ccs_op op);
/* genX_hiz.c */
void genX(hiz_op)(struct saf_cmd_buffer *cmd, enum saf_hiz_op op);
/* genX_draw.c */
/* False if there is nothing to draw with (an error was noted). */
bool genX(flush_draw_state)(struct saf_cmd_buffer *cmd, bool indexed);
/* What shaders are told of a draw, but for its number and view. */
void genX(emit_draw_parameters)(struct saf_cmd_buffer *cmd,
                                uint32_t first_vertex,
                                uint32_t base_instance);
/* Draw number `id`, once a view, of what the registers say. */
void genX(emit_indirect_primitive)(struct saf_cmd_buffer *cmd, uint32_t id,
                                   bool indexed);
/* A point list of no vertices. */
void genX(emit_dummy_primitive)(struct saf_cmd_buffer *cmd);
void genX(cmd_draw)(struct saf_cmd_buffer *cmd, uint32_t count);

/* genX_predicate.c: draws and dispatches that memory decides on. */
/* What there is, by COMBINE_*, with whether the dword at `addr` is zero;
 * `invert` the whole or not. */
void genX(predicate_zero)(struct saf_cmd_buffer *cmd, uint64_t addr,
                          uint32_t operation, bool invert);
/* Conditional rendering's own. */
void genX(predicate_condition)(struct saf_cmd_buffer *cmd);
/* The number of draws that follow is at `count_addr`. */
void genX(begin_counted_draws)(struct saf_cmd_buffer *cmd,
                               uint64_t count_addr);
void genX(count_draw)(struct saf_cmd_buffer *cmd, uint32_t index);
void genX(end_counted_draws)(struct saf_cmd_buffer *cmd);

/* genX_mi.c: moves between registers and memory. */
void genX(mi_load_reg_imm)(struct saf_cmd_buffer *cmd, uint32_t reg,
                           uint32_t v);
void genX(mi_load_reg_mem)(struct saf_cmd_buffer *cmd, uint32_t reg,
                           uint64_t addr);
void genX(mi_load_reg_mem64)(struct saf_cmd_buffer *cmd, uint32_t reg,
                             uint64_t addr);
void genX(mi_store_reg)(struct saf_cmd_buffer *cmd, uint64_t addr,
                        uint32_t reg);
void genX(mi_store_reg64)(struct saf_cmd_buffer *cmd, uint64_t addr,
                          uint32_t reg);
void genX(mi_store_imm)(struct saf_cmd_buffer *cmd, uint64_t addr,
                        uint32_t v);
void genX(mi_store_imm64)(struct saf_cmd_buffer *cmd, uint64_t addr,
                          uint64_t v);
/* A dword. */
void genX(mi_copy)(struct saf_cmd_buffer *cmd, uint64_t dst, uint64_t src);
#if GEN_VERX10 >= 75
void genX(mi_load_reg_reg)(struct saf_cmd_buffer *cmd, uint32_t dst,
                           uint32_t src);
/* An instruction of the ALU, and a packet of them. */
uint32_t genX(mi_alu)(uint32_t opcode, uint32_t operand1, uint32_t operand2);
void genX(mi_math)(struct saf_cmd_buffer *cmd, const uint32_t *code,
                   unsigned count);
#endif

/* The hardware's name of what a pipeline draws. */
uint32_t genX(topology)(const struct saf_cmd_buffer *cmd);
#if GEN_VERX10 >= 80
void genX(emit_topology)(struct saf_cmd_buffer *cmd);
#endif

#endif
