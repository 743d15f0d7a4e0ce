/* SPDX-License-Identifier: MIT */
/*
 * The state of the 3D pipe as the command streamer leaves it: every packet
 * unpacked, the last one wins. Part of the context image: it lives as long
 * as its hardware context and is read, never written, by the stages.
 */
#ifndef SIM_RENDER_STATE_H
#define SIM_RENDER_STATE_H

#include "intel/genxml/gen9_pack.h"
#include "intel/sim/mem/mem.h"

/* Packets that are kept as they came: X(name, member). */
#define SIM_3DSTATE_PACKETS(X)                                               \
   X(3DSTATE_AA_LINE_PARAMETERS, aa_line_parameters)                         \
   X(3DSTATE_BINDING_TABLE_POINTERS_DS, binding_table_pointers_ds)           \
   X(3DSTATE_BINDING_TABLE_POINTERS_GS, binding_table_pointers_gs)           \
   X(3DSTATE_BINDING_TABLE_POINTERS_HS, binding_table_pointers_hs)           \
   X(3DSTATE_BINDING_TABLE_POINTERS_PS, binding_table_pointers_ps)           \
   X(3DSTATE_BINDING_TABLE_POINTERS_VS, binding_table_pointers_vs)           \
   X(3DSTATE_BINDING_TABLE_POOL_ALLOC, binding_table_pool_alloc)             \
   X(3DSTATE_BLEND_STATE_POINTERS, blend_state_pointers)                     \
   X(3DSTATE_CC_STATE_POINTERS, cc_state_pointers)                           \
   X(3DSTATE_CLEAR_PARAMS, clear_params)                                     \
   X(3DSTATE_CLIP, clip)                                                     \
   X(3DSTATE_CONSTANT_DS, constant_ds)                                       \
   X(3DSTATE_CONSTANT_GS, constant_gs)                                       \
   X(3DSTATE_CONSTANT_HS, constant_hs)                                       \
   X(3DSTATE_CONSTANT_PS, constant_ps)                                       \
   X(3DSTATE_CONSTANT_VS, constant_vs)                                       \
   X(3DSTATE_DEPTH_BUFFER, depth_buffer)                                     \
   X(3DSTATE_DRAWING_RECTANGLE, drawing_rectangle)                           \
   X(3DSTATE_DS, ds)                                                         \
   X(3DSTATE_GS, gs)                                                         \
   X(3DSTATE_HIER_DEPTH_BUFFER, hier_depth_buffer)                           \
   X(3DSTATE_HS, hs)                                                         \
   X(3DSTATE_INDEX_BUFFER, index_buffer)                                     \
   X(3DSTATE_LINE_STIPPLE, line_stipple)                                     \
   X(3DSTATE_MULTISAMPLE, multisample)                                       \
   X(3DSTATE_POLY_STIPPLE_OFFSET, poly_stipple_offset)                       \
   X(3DSTATE_POLY_STIPPLE_PATTERN, poly_stipple_pattern)                     \
   X(3DSTATE_PS, ps)                                                         \
   X(3DSTATE_PS_BLEND, ps_blend)                                             \
   X(3DSTATE_PS_EXTRA, ps_extra)                                             \
   X(3DSTATE_PUSH_CONSTANT_ALLOC_DS, push_constant_alloc_ds)                 \
   X(3DSTATE_PUSH_CONSTANT_ALLOC_GS, push_constant_alloc_gs)                 \
   X(3DSTATE_PUSH_CONSTANT_ALLOC_HS, push_constant_alloc_hs)                 \
   X(3DSTATE_PUSH_CONSTANT_ALLOC_PS, push_constant_alloc_ps)                 \
   X(3DSTATE_PUSH_CONSTANT_ALLOC_VS, push_constant_alloc_vs)                 \
   X(3DSTATE_RASTER, raster)                                                 \
   X(3DSTATE_SAMPLER_STATE_POINTERS_DS, sampler_state_pointers_ds)           \
   X(3DSTATE_SAMPLER_STATE_POINTERS_GS, sampler_state_pointers_gs)           \
   X(3DSTATE_SAMPLER_STATE_POINTERS_HS, sampler_state_pointers_hs)           \
   X(3DSTATE_SAMPLER_STATE_POINTERS_PS, sampler_state_pointers_ps)           \
   X(3DSTATE_SAMPLER_STATE_POINTERS_VS, sampler_state_pointers_vs)           \
   X(3DSTATE_SAMPLE_MASK, sample_mask)                                       \
   X(3DSTATE_SAMPLE_PATTERN, sample_pattern)                                 \
   X(3DSTATE_SBE, sbe)                                                       \
   X(3DSTATE_SBE_SWIZ, sbe_swiz)                                             \
   X(3DSTATE_SCISSOR_STATE_POINTERS, scissor_state_pointers)                 \
   X(3DSTATE_SF, sf)                                                         \
   X(3DSTATE_STENCIL_BUFFER, stencil_buffer)                                 \
   X(3DSTATE_STREAMOUT, streamout)                                           \
   X(3DSTATE_TE, te)                                                         \
   X(3DSTATE_URB_DS, urb_ds)                                                 \
   X(3DSTATE_URB_GS, urb_gs)                                                 \
   X(3DSTATE_URB_HS, urb_hs)                                                 \
   X(3DSTATE_URB_VS, urb_vs)                                                 \
   X(3DSTATE_VF, vf)                                                         \
   X(3DSTATE_VF_COMPONENT_PACKING, vf_component_packing)                     \
   X(3DSTATE_VF_SGVS, vf_sgvs)                                               \
   X(3DSTATE_VF_STATISTICS, vf_statistics)                                   \
   X(3DSTATE_VF_TOPOLOGY, vf_topology)                                       \
   X(3DSTATE_VIEWPORT_STATE_POINTERS_CC, viewport_state_pointers_cc)         \
   X(3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP,                                \
     viewport_state_pointers_sf_clip)                                        \
   X(3DSTATE_VS, vs)                                                         \
   X(3DSTATE_WM, wm)                                                         \
   X(3DSTATE_WM_CHROMAKEY, wm_chromakey)                                     \
   X(3DSTATE_WM_DEPTH_STENCIL, wm_depth_stencil)                             \
   X(3DSTATE_WM_HZ_OP, wm_hz_op)                                             \
   X(MEDIA_VFE_STATE, media_vfe_state)                                       \
   X(PIPELINE_SELECT, pipeline_select)                                       \
   X(STATE_BASE_ADDRESS, state_base_address)                                 \
   X(STATE_SIP, state_sip)

/* Limits of the packets that are lists: PRM SKL Vol. 2a. */
#define SIM_MAX_VERTEX_BUFFERS 33
#define SIM_MAX_VERTEX_ELEMENTS 34
#define SIM_MAX_SO_BUFFERS 4
#define SIM_MAX_SO_STREAMS 4
#define SIM_MAX_SO_DECLS 128

/* An address that is added to offsets in state: STATE_BASE_ADDRESS changes
 * only the ones whose modify enable is set. */
struct sim_state_bases {
   uint64_t general, surface, dynamic, indirect, instruction;
   uint64_t bindless_surface;
   /* Sizes in bytes; 0 as long as none was set: no limit. */
   uint64_t general_size_B, dynamic_size_B, indirect_size_B,
      instruction_size_B;
};

struct sim_render_state {
#define SIM_MEMBER(packet, member) struct GEN9_##packet member;
   SIM_3DSTATE_PACKETS(SIM_MEMBER)
#undef SIM_MEMBER

   struct sim_state_bases base;

   struct GEN9_VERTEX_BUFFER_STATE vertex_buffer[SIM_MAX_VERTEX_BUFFERS];
   struct GEN9_VERTEX_ELEMENT_STATE vertex_element[SIM_MAX_VERTEX_ELEMENTS];
   unsigned num_vertex_elements;
   struct GEN9_3DSTATE_VF_INSTANCING vf_instancing[SIM_MAX_VERTEX_ELEMENTS];

   struct GEN9_3DSTATE_SO_BUFFER so_buffer[SIM_MAX_SO_BUFFERS];
   struct GEN9_3DSTATE_SO_DECL_LIST so_decl_list;
   struct GEN9_SO_DECL so_decl[SIM_MAX_SO_STREAMS][SIM_MAX_SO_DECLS];
   unsigned num_so_decls[SIM_MAX_SO_STREAMS];
};

/*
 * Statistics and stream-output registers, part of the context. The stages
 * count here when their statistics enable is set; the command streamer maps
 * them to registers. Stages that run on several host threads add up on their
 * own and write once at the end of a draw.
 */
struct sim_counters {
   uint64_t ia_vertices, ia_primitives;
   uint64_t vs_invocations, hs_invocations, ds_invocations;
   uint64_t gs_invocations, gs_primitives;
   uint64_t cl_invocations, cl_primitives;
   uint64_t ps_invocations;
   uint64_t ps_depth; /* samples that passed depth and stencil */
   uint64_t cs_invocations;
   uint64_t so_prims_written[SIM_MAX_SO_STREAMS];
   uint64_t so_prim_storage_needed[SIM_MAX_SO_STREAMS];
   uint32_t so_write_offset[SIM_MAX_SO_BUFFERS];
};

struct sim_eu_cache;
struct sim_gpu;
struct sim_raster;

/* Executed by the threads of a draw; added to the GPU's at its end. */
struct sim_eu_totals {
   uint64_t threads, instructions, simd8, sends, cycles;
};

/* Where a copy of a draw, for another host thread, keeps its fault. */
struct sim_held_fault {
   char text[900];
};

/* One 3DPRIMITIVE on its way down the pipe. */
struct sim_draw {
   struct sim_gpu *gpu;
   const struct sim_render_state *state;
   struct sim_counters *counters;
   struct sim_mem *mem;     /* of the thread that runs the front end */
   const struct sim_vm *vm; /* for accessors of other threads */
   const char *command;     /* 3DPRIMITIVE or GPGPU_WALKER */
   uint64_t command_address;
   uint64_t start_ns;           /* host time, for sim_draw_progress() */
   bool faulted;                /* by sim_draw_fault(): stages stop */
   bool expired;                /* because it takes too long */
   struct sim_held_fault *held; /* NULL: faults are reported at once */
   struct sim_eu_totals totals;
   struct sim_raster *raster; /* private to fixed/raster */

   /* Of the hardware context; set by the command streamer. */
   struct sim_eu_cache *programs;
   uint8_t *urb;
   uint32_t urb_size_B;

   /* As the 3DPRIMITIVE (or its registers, when indirect) says. */
   uint32_t topology; /* 3DPRIM_* */
   bool indexed;
   uint32_t vertex_count, start_vertex, instance_count, start_instance;
   int32_t base_vertex;
   uint32_t extended[3]; /* 3DPRIM_XP registers; 0 on Gen9 */
};

/*
 * Ends the draw, and the batch, with a report: "draw at ADDRESS: " and the
 * text, which says stage, thread (shader, instruction, lane) and address. The
 * first fault wins. Other host threads have copies of the draw.
 */
void sim_draw_fault(struct sim_draw *draw, const char *fmt, ...)
   PRINTFLIKE(2, 3);

/* As sim_draw_fault(), for the pending fault of an accessor. */
void sim_draw_mem_fault(struct sim_draw *draw, const struct sim_mem *mem,
                        const char *what);

/* True when the host time that a batch may take is over: a loop that has no
 * bound of its own asks now and then, and stops. Cheap. */
bool sim_draw_expired(const struct sim_draw *draw);

/* states.c: appends to the file `name` a line, what the draw is made with. */
void sim_states_draw(const char *name, struct sim_draw *draw);

#endif
