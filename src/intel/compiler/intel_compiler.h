/* SPDX-License-Identifier: MIT */
/*
 * NIR -> EU machine code. This is the only header of the compiler that other
 * folders include.
 *
 * How a driver uses it:
 *    1. nir = spirv_to_nir(words, ..., intel_compiler_nir_options(c));
 *    2. intel_preprocess_nir(c, nir);    inlining, SSA, first optimisations
 *    3. its own lowering of resources: load_ubo / load_ssbo with indices of
 *       the binding table, load_push_constant with byte offsets, tex with
 *       texture_index / sampler_index
 *    4. with more stages than VS and FS: intel_link_nir() over all of them,
 *       which says what each stage must keep for the next, and how
 *    5. intel_compile(): lowers inputs and outputs (variables, if they still
 *       are), runs the back end, returns code.
 *
 * Everything returned lives in the arena that the caller gave.
 */
#ifndef INTEL_COMPILER_H
#define INTEL_COMPILER_H

#include <stdio.h>
#include "compiler/nir/nir.h"
#include "util/arena.h"
#include "util/macros.h"
#include "intel_debug.h"

struct intel_device_info;
struct intel_compiler;

/* ---- the compiler object ---- */

/* One per device; may be used by several threads at once. `devinfo` must
 * outlive it. */
struct intel_compiler *
intel_compiler_create(const struct intel_device_info *devinfo);
void intel_compiler_destroy(struct intel_compiler *compiler);

/* Takes what looks like an expansion of a built-in function by Mesa's GLSL
 * compiler for one: to be called before the first shader if all of them come
 * from zink (nir_restore_builtins.py). */
void intel_compiler_restore_builtins(struct intel_compiler *compiler);

/* Arrays of constants may become nir_shader::constant_data: to be called
 * before the first shader by who makes load_ubo of load_constant, between
 * intel_preprocess_nir() and intel_compile(). */
void intel_compiler_use_constant_data(struct intel_compiler *compiler);

/* A number that differs where the environment (INTEL_SCALAR_STAGES), or what
 * is known of the shaders, changes the code of the same one: part of the key
 * of any cache. */
uint32_t intel_compiler_choices(const struct intel_compiler *compiler);

const struct nir_shader_compiler_options *
intel_compiler_nir_options(const struct intel_compiler *compiler);

/* ---- NIR steps that the driver calls ---- */

/* Inlining, variables to SSA, struct/copy splitting, lowering of what no
 * generation has (doubles, 64-bit division, ...), the optimisation loop. The
 * shader has one function afterwards. Resource derefs are left alone. */
void intel_preprocess_nir(const struct intel_compiler *compiler,
                          nir_shader *nir);

/* The optimisation loop alone; worth a call after the driver's lowering. */
void intel_optimize_nir(const struct intel_compiler *compiler,
                        nir_shader *nir);

/* Shader inputs/outputs from variables to load_input / store_output etc.
 * Called by intel_compile(); harmless when nothing is left to lower. */
void intel_lower_io_nir(const struct intel_compiler *compiler,
                        nir_shader *nir);

/* ---- storage images ---- */

/*
 * The back end takes image_load / image_store / image_atomic_* / image_size
 * / image_samples whose source 0 is a binding-table index (dynamic or not),
 * with their image_dim, image_array, format and access.
 *
 * Typed messages convert few formats when they read: an image is bound with
 * its own format for image_store, and with isl_storage_read_format() for
 * image_load and image_atomic_*; the compiler converts what is loaded. Loads
 * name the image's own format.
 */

/* ---- vertex URB entries ---- */

#define INTEL_VUE_MAX_SLOTS 64

/*
 * Where each output lies in a vertex URB entry (VUE), in slots of 16 bytes
 * (PRM SKL vol 7, "Vertex URB Entry (VUE) Formats"):
 *
 *    slot 0  header: DW1 render target array index, DW2 viewport index,
 *            DW3 point width
 *    slot 1  position
 *    slot 2  clip distances 0-3, slot 3 clip distances 4-7: each there only
 *            when written (slot 3 only with slot 2)
 *    then    generic varyings in ascending order of VARYING_SLOT_*
 */
#define INTEL_VUE_HEADER_BITS                                                \
   (VARYING_BIT(PSIZ) | VARYING_BIT(LAYER) | VARYING_BIT(VIEWPORT))
struct intel_vue_map {
   uint64_t slots_valid;                        /* VARYING_BIT_* written */
   int8_t varying_to_slot[64];                  /* -1: not there */
   int8_t slot_to_varying[INTEL_VUE_MAX_SLOTS]; /* -1: padding */
   uint32_t num_slots;
};

/* slots_valid: mask of VARYING_SLOT_*. Layer, viewport and point size share
 * the header slot. */
void intel_compute_vue_map(struct intel_vue_map *map, uint64_t slots_valid);

/* ---- patch URB entries ---- */

/*
 * What tessellation control writes and tessellation evaluation reads, in
 * slots of 16 bytes (PRM SKL vol 7, "Patch URB Entry (Patch Record)"):
 *
 *    slots 0, 1         patch header: tessellation factors, by domain
 *    slots 2 ...        per-patch varyings, ascending
 *    num_patch_slots    vertex 0: per-vertex varyings, ascending
 *    + num_vertex_slots vertex 1, ...
 */
struct intel_patch_map {
   /* By VARYING_SLOT_*, patch slots included. A per-vertex slot counts from
    * the start of its vertex. -1: not there. */
   int8_t varying_to_slot[VARYING_SLOT_TESS_MAX];
   uint64_t vertex_valid;    /* VARYING_BIT_*: per vertex */
   uint64_t patch_valid;     /* bit i: VARYING_SLOT_PATCH0 + i */
   uint32_t num_patch_slots; /* the header included */
   uint32_t num_vertex_slots;
};

void intel_compute_patch_map(struct intel_patch_map *map,
                             uint64_t vertex_valid, uint64_t patch_valid);

/* ---- the stages of a pipeline together ---- */

/*
 * What stages must know of each other. Pointers in the keys below may point
 * into one of these; it must outlive only the compilations.
 */
struct intel_linkage {
   /* By gl_shader_stage: what VS, TES and GS get as extra_slots_valid, and
    * the VUE map that they will have then, the input_map of the next. */
   struct intel_vue_map vue_map[MESA_SHADER_FRAGMENT];
   uint64_t extra_slots_valid[MESA_SHADER_FRAGMENT];
   struct intel_patch_map patch_map;
};

/*
 * Before intel_link_nir: gives per-vertex varyings between TCS and TES
 * numbers below 32 when there is one beyond (VARYING_SLOT_FAR_VAR32); their
 * order stays. False: there are more than 32. A stage that is NULL has none.
 */
bool intel_compact_tess_varyings(nir_shader *tcs, nir_shader *tes);

/*
 * The last stage before the clipper, after intel_preprocess_nir(): a point
 * size that is always 1.0 and not captured is not written. A width of 1.0 as
 * state (3DSTATE_SF) is the same, and without values nobody writes the
 * header of the VUE. Whether there was one.
 */
bool intel_drop_point_size(nir_shader *nir);

/*
 * Both after intel_preprocess_nir(), with no stage between them: what the
 * first one writes as constants the fragment shader no longer reads, and what
 * it writes of uniforms alone it reads flat. Whether there was something.
 */
bool intel_link_constants(nir_shader *producer, nir_shader *fs);
/*
 * After that, if each fragment shader that it is used with went through it
 * and nothing is captured: they are not written any more. Whether there were
 * any.
 */
bool intel_drop_constants(nir_shader *producer);

/*
 * stages[] by gl_shader_stage, NULL where there is none, each after
 * intel_preprocess_nir(). Gathers info of each; makes what TCS and TES each
 * say about the patch (domain, spacing, vertices) known to both.
 */
void intel_link_nir(const struct intel_compiler *compiler,
                    nir_shader *const stages[MESA_SHADER_STAGES],
                    struct intel_linkage *link);

/* ---- what a shader was compiled for ---- */

struct intel_vs_key {
   /* Varyings to keep in the VUE though the shader does not write them. */
   uint64_t extra_slots_valid;
};

struct intel_tcs_key {
   /* NULL: as if the stages around had just what this one reads/writes. */
   const struct intel_vue_map *input_map;
   const struct intel_patch_map *patch_map;
   uint8_t patch_vertices; /* control points of an input patch */
   /* UNSPECIFIED: nir->info.tess (intel_link_nir has copied it there). */
   enum tess_primitive_mode primitive_mode;
};

struct intel_tes_key {
   const struct intel_patch_map *patch_map; /* NULL: as above */
   uint64_t extra_slots_valid;              /* as in intel_vs_key */
};

struct intel_gs_key {
   const struct intel_vue_map *input_map; /* NULL: as above */
   uint64_t extra_slots_valid;
   uint8_t rasterized_stream;
};

struct intel_cs_key {
   /* Binding-table index of a raw buffer of three dwords: the number of
    * groups in each dimension (also an indirect dispatch has it). */
   uint8_t num_workgroups_bti;
   /* Invocations of a thread, all there if the group has as many: 8, 16 or
    * 32; 0: any. nir->info.subgroup_size is the same or 0. */
   uint8_t subgroup_size;
};

struct intel_wm_key {
   uint8_t nr_color_regions;    /* colour attachments, 0 to 8 */
   uint8_t color_outputs_valid; /* mask of attachments that exist */
   bool multisample_fbo;        /* rasterisation samples > 1 */
   uint8_t samples;             /* how many, if multisample_fbo */
   bool persample_shading;      /* one invocation per sample */
   bool alpha_to_coverage;
   /* What it computes is not looked at: one message of ones for 16 pixels, as
    * the hardware wants for fast clears and resolves of colour. */
   bool fast_clear;
   /* Binding-table index of the first colour attachment; attachment i is at
    * this + i. A shader without colour outputs still writes to entry 0 of
    * these: bind a null surface there. */
   uint8_t render_target_start;
   /* In urb_setup[], in place of numbers that are given as inputs come. */
   bool numbers_inputs;
   int8_t input_numbers[64];
};

/* By stage. */
union intel_key {
   struct intel_vs_key vs;
   struct intel_tcs_key tcs;
   struct intel_tes_key tes;
   struct intel_gs_key gs;
   struct intel_wm_key wm;
   struct intel_cs_key cs;
};

/* ---- program data: what the state packets need to know ---- */

/* Invocations of a subgroup, as an API is told; programs with fewer channels
 * leave those at the end out. */
#define INTEL_SUBGROUP_SIZE 32

/*
 * What names a surface without an entry in the binding table
 * (ACCESS_BINDLESS, nir_tex_src_texture_handle): where its state is, from the
 * base address of bindless surfaces on, as extended descriptors have it. A
 * sampler (nir_tex_src_sampler_handle) is the place of its state in the
 * dynamic state, a multiple of 32 bytes.
 */
static inline uint32_t
intel_surface_handle(uint32_t offset_B)
{
   return offset_B << 6;
}

#define INTEL_HANDLES_END_B (64ull << 20) /* of such offsets */

#define INTEL_PUSH_BLOCK_CONSTANTS (-1) /* Vulkan push constants */
#define INTEL_MAX_PUSH_RANGES 4

struct intel_push_range {
   int32_t block;       /* binding-table index of a UBO, or the one above */
   uint16_t start;      /* in 32-byte units from the start of the block */
   uint16_t length;     /* in 32-byte units; 0: unused */
   uint16_t read_end_B; /* of a UBO: nothing is read from here on */
};

/* Figures of one dispatch width, for reports and shader-db style runs. */
struct intel_compile_stats {
   uint32_t dispatch_width; /* 0: this entry is unused */
   uint32_t instructions;
   uint32_t sends;
   uint32_t loops;
   uint32_t cycles; /* estimated for one pass */
   uint32_t spills;
   uint32_t fills;
   uint32_t max_live_grf;
   uint32_t code_size_B;
   uint32_t compacted; /* instructions in the 64-bit form */
};

/* A piece of machine code that one instruction of the back end's became. */
struct intel_code_cost {
   uint32_t offset_B; /* of its first byte, in the program of its width */
   /* nir_shader.locations of intel_compile_params.nir; 0: the shader has no
    * lines. What no NIR instruction stands for (set-up, the end of the
    * thread, jumps) has that of the piece before it. */
   uint32_t location;
   /* Cycles of one pass, as in intel_compile_stats: their sum is `cycles`. */
   double issue, wait;
   uint32_t waits_for; /* the piece whose result it waits for, by its index;
                          its own if it does not wait */
};

/* The pieces of one width's code, which begins at `offset_B` of the whole. */
struct intel_profile {
   uint32_t offset_B, num_costs;
   const struct intel_code_cost *costs;
};

struct intel_stage_prog_data {
   /* Push constants, in the order in which they are delivered. */
   struct intel_push_range push[INTEL_MAX_PUSH_RANGES];
   uint32_t push_length;        /* sum of the lengths, 32-byte units */
   uint32_t dispatch_grf_start; /* GRF of the first push constant */
   uint32_t total_scratch_B;    /* per thread; of intel_scratch_size_B() */
   uint32_t program_size_B;
   bool has_side_effects; /* stores or atomics */
};

/* How threads of a vertex, tessellation or geometry shader are started: eight
 * vertices, scalar code; or SIMD4x2 code, of which geometry shaders have
 * three kinds (3DSTATE_GS, Dispatch Mode). */
enum intel_dispatch_mode {
   INTEL_DISPATCH_SIMD8,
   INTEL_DISPATCH_4X2,        /* VS, TCS, TES: two vertices a thread */
   INTEL_DISPATCH_4X1_SINGLE, /* GS: one object */
   INTEL_DISPATCH_4X2_DUAL_INSTANCE,
   INTEL_DISPATCH_4X2_DUAL_OBJECT,
};

/* What the last stage before the clipper says to the state after it. */
struct intel_vue_outputs {
   struct intel_vue_map vue_map;
   uint8_t clip_distance_mask; /* gl_ClipDistance[] written */
   uint8_t cull_distance_mask; /* within the same array, after the clips */
   bool writes_point_size;
   bool writes_layer;
   bool writes_viewport;
   bool writes_primitive_id;
};

struct intel_vs_prog_data {
   struct intel_stage_prog_data base;
   enum intel_dispatch_mode dispatch_mode;
   struct intel_vue_outputs out;

   /* Attribute locations read; the payload holds them in ascending order,
    * one slot (vec4 of dwords) each. A bit in dual_slot_inputs says that the
    * location is a 64-bit vector of 3 or 4 that fills two slots: use one
    * 256-bit vertex element there and none for the next location; a 64-bit
    * attribute without that bit takes one 128-bit element. */
   uint64_t inputs_read;
   uint64_t dual_slot_inputs;
   uint64_t double_inputs;      /* locations that are 64-bit */
   uint32_t nr_attribute_slots; /* generic slots, without the two below */

   /* When any of the first four is set, one more vertex element follows:
    * { first vertex, base instance, VertexID, InstanceID }, the latter two
    * by 3DSTATE_VF_SGVS. VertexID is zero-based (the hardware's own count,
    * index + nothing added); the shader adds first_vertex itself.
    * uses_drawid asks for a last element { draw id, view index, 0, 0 }. */
   bool uses_vertexid;
   bool uses_instanceid;
   bool uses_firstvertex;
   bool uses_baseinstance;
   bool uses_drawid;
   uint8_t sgvs_slot; /* payload slot of that element */
   uint8_t drawid_slot;

   uint32_t urb_read_length; /* 3DSTATE_VS: pairs of slots, rounded up */
   uint32_t urb_entry_size;  /* 64-byte units */
};

/*
 * 3DSTATE_HS. Dispatch mode is single patch: one thread serves eight output
 * vertices of one patch, `instances` threads a patch. The payload holds the
 * handles of all input vertices (Include Vertex Handles = 1), no input data
 * (Vertex URB Entry Read Length = 0).
 */
struct intel_tcs_prog_data {
   struct intel_stage_prog_data base;
   struct intel_patch_map patch_map;
   uint32_t instances; /* 3DSTATE_HS: Instance Control is this - 1 */
   uint32_t vertices_out;
   uint32_t urb_entry_size; /* of a patch, in 64-byte units */
   bool uses_primitive_id;  /* it is in the payload anyway */
   bool uses_barrier;
};

/* The enums' values are those of 3DSTATE_TE. */
enum intel_tess_domain {
   INTEL_TESS_DOMAIN_QUAD = 0,
   INTEL_TESS_DOMAIN_TRI = 1,
   INTEL_TESS_DOMAIN_ISOLINE = 2,
};

enum intel_tess_partitioning {
   INTEL_TESS_PARTITIONING_INTEGER = 0,
   INTEL_TESS_PARTITIONING_ODD_FRACTIONAL = 1,
   INTEL_TESS_PARTITIONING_EVEN_FRACTIONAL = 2,
};

enum intel_tess_topology {
   INTEL_TESS_OUTPUT_POINT = 0,
   INTEL_TESS_OUTPUT_LINE = 1,
   INTEL_TESS_OUTPUT_TRI_CW = 2,
   INTEL_TESS_OUTPUT_TRI_CCW = 3,
};

/*
 * 3DSTATE_TE and 3DSTATE_DS: SIMD8 single patch dispatch. For triangles the
 * shader computes w = 1 - u - v itself unless compute_w.
 */
struct intel_tes_prog_data {
   struct intel_stage_prog_data base;
   enum intel_dispatch_mode dispatch_mode;
   struct intel_vue_outputs out;
   struct intel_patch_map patch_map;
   enum intel_tess_domain domain;
   enum intel_tess_partitioning partitioning;
   /* For TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT (OpenGL's). With the upper
    * left origin the driver swaps TRI_CW and TRI_CCW; the coordinates stay
    * as they are. */
   enum intel_tess_topology topology;
   bool compute_w;           /* 3DSTATE_DS: Compute W Coordinate Enable */
   uint32_t urb_read_length; /* 3DSTATE_DS: patch data, pairs of slots */
   uint32_t urb_read_offset; /* pairs of slots */
   uint32_t urb_entry_size;  /* output vertex, 64-byte units */
   bool uses_primitive_id;   /* it is in the payload anyway */
};

enum intel_gs_control_format {
   INTEL_GS_CONTROL_CUT = 0, /* a bit a vertex: end of its primitive */
   INTEL_GS_CONTROL_SID = 1, /* two bits a vertex: its stream */
};

/* The hardware's 3D_Prim_Topo_Type of what a geometry shader emits. */
enum intel_gs_topology {
   INTEL_GS_POINTLIST = 1,
   INTEL_GS_LINESTRIP = 3,
   INTEL_GS_TRISTRIP = 5,
};

/* 3DSTATE_GS: Include Vertex Handles = 1 with SIMD8 dispatch, 0 with others,
 * which have the vertices in the payload. */
struct intel_gs_prog_data {
   struct intel_stage_prog_data base;
   enum intel_dispatch_mode dispatch_mode;
   struct intel_vue_outputs out;
   uint32_t vertices_in;        /* Expected Vertex Count */
   uint32_t invocations;        /* Instance Control is this - 1 */
   uint32_t output_vertex_size; /* 32-byte units: Output Vertex Size is
                                   2 * this - 1 */
   enum intel_gs_topology topology;
   uint32_t control_data_header_size; /* 32-byte units */
   enum intel_gs_control_format control_data_format;
   int32_t static_vertex_count; /* -1: Static Output = 0; Gen7 has no such
                                   field, the shader says it in any case */
   uint32_t urb_read_length;    /* input vertices, pairs of slots */
   uint32_t urb_read_offset;
   uint32_t urb_entry_size;   /* 64-byte units */
   bool include_primitive_id; /* Include Primitive ID */
   bool include_handles;      /* Include Vertex Handles */
   uint8_t active_stream_mask;
   bool uses_adjacency;
};

/*
 * Compute: MEDIA_INTERFACE_DESCRIPTOR and GPGPU_WALKER.
 *
 * A thread group is `threads` threads of `simd_size` invocations, the last
 * with a right execution mask of fewer. CURBE data is cross-thread data
 * (push[0], as for other stages; there are no other ranges) and, after it,
 * one GRF for each thread, whose first dword is the number of the thread in
 * its group when uses_thread_id says so.
 */
struct intel_cs_prog_data {
   struct intel_stage_prog_data base;
   uint16_t local_size[3];
   uint8_t simd_size;          /* 8, 16 or 32 */
   uint32_t threads;           /* of a group */
   uint32_t cross_thread_grfs; /* Cross-Thread Constant Data Read Length */
   uint32_t per_thread_grfs;   /* Constant URB Entry Read Length: 0 or 1 */
   uint32_t slm_size_B;        /* shared memory: 0, or a power of two from
                                   4096 to 65536 */
   bool uses_thread_id;
   bool uses_barrier;
   bool uses_num_workgroups; /* reads intel_cs_key.num_workgroups_bti */
   /* Right only where no two of its storage buffers are the same memory, as
    * shader_info.buffers_are_apart said. */
   bool wants_buffers_apart;
};

enum intel_barycentric_mode {
   INTEL_BARY_PERSPECTIVE_PIXEL,
   INTEL_BARY_PERSPECTIVE_CENTROID,
   INTEL_BARY_PERSPECTIVE_SAMPLE,
   INTEL_BARY_LINEAR_PIXEL,
   INTEL_BARY_LINEAR_CENTROID,
   INTEL_BARY_LINEAR_SAMPLE,
   INTEL_BARY_COUNT,
};

enum intel_computed_depth {
   INTEL_DEPTH_NONE,
   INTEL_DEPTH_ANY,     /* PSCDEPTH_ON */
   INTEL_DEPTH_GREATER, /* PSCDEPTH_ON_GE */
   INTEL_DEPTH_LESS,    /* PSCDEPTH_ON_LE */
};

struct intel_wm_prog_data {
   struct intel_stage_prog_data base;

   /* Kernels: SIMD8 (kernel 0) and SIMD16 (kernel 2) of 3DSTATE_PS. When
    * only one is there, it is always kernel 0's slot on the hardware. */
   bool dispatch_8, dispatch_16;
   uint32_t prog_offset_8_B, prog_offset_16_B;
   uint32_t dispatch_grf_start_8, dispatch_grf_start_16;

   /* Setup data, one attribute (vec4) per index; num_varying_inputs of
    * them. urb_setup[VARYING_SLOT_*] is the index or -1. */
   int8_t urb_setup[64];
   uint32_t num_varying_inputs;
   uint32_t flat_inputs;        /* by index: constant interpolation */
   uint32_t point_coord_inputs; /* by index: replaced for point sprites */
   uint64_t inputs_read;        /* VARYING_BIT_* */

   uint32_t barycentric_modes; /* mask of 1 << intel_barycentric_mode */
   bool uses_kill;
   bool uses_omask;         /* writes gl_SampleMask */
   bool pulls_barycentrics; /* messages to the pixel interpolator */
   bool uses_pos_offset;    /* 3DSTATE_PS position XY offset: sample */
   bool uses_src_depth;
   bool uses_src_w;
   bool uses_sample_mask_in; /* input coverage */
   bool post_depth_coverage; /* which is then what the early tests left */
   bool uses_nonperspective;
   bool persample_dispatch;
   bool dual_src_blend;
   bool early_fragment_tests;
   bool replicate_alpha;
   bool computed_stencil;
   enum intel_computed_depth computed_depth;
   uint8_t color_outputs_written;
};

/* ---- results ---- */

/* Why a shader became what it is, in words. */
enum intel_reason_kind {
   INTEL_REASON_WIDTH, /* it is no wider, or no narrower */
   INTEL_REASON_SPILL, /* values went to scratch space */
   INTEL_REASON_PULL,  /* uniform data that is not in registers */
   INTEL_REASON_MERGE, /* loads and stores that stay apart */
   INTEL_REASON_COUNT,
};

struct intel_reason {
   enum intel_reason_kind kind;
   const char *text; /* as in "no SIMD16: 12 spills" */
};

/* As in "width". */
const char *intel_reason_name(enum intel_reason_kind kind);

struct intel_shader {
   gl_shader_stage stage;
   const void *code; /* NULL: compilation failed, see error */
   uint32_t code_size_B;
   union {
      const struct intel_stage_prog_data *base;
      const struct intel_vs_prog_data *vs;
      const struct intel_tcs_prog_data *tcs;
      const struct intel_tes_prog_data *tes;
      const struct intel_gs_prog_data *gs;
      const struct intel_wm_prog_data *wm;
      const struct intel_cs_prog_data *cs;
   } prog_data;
   /* [0] the narrowest width that was made, unused entries are zero. */
   struct intel_compile_stats stats[3];
   struct intel_profile profile[3]; /* with intel_compile_params.profile */
   const struct intel_reason *reasons;
   uint32_t num_reasons;
   const char *error; /* NULL when all went well */
};

/* Who is asked before each pass of the back end, by `saffron compile
 * --bisect-pass`; the functions are called by the thread that compiles. */
enum intel_pass_choice {
   INTEL_PASS_RUN,
   INTEL_PASS_SKIP,  /* leave it out, if it is optional */
   INTEL_PASS_PRINT, /* run it, and print the program before and after */
};

struct intel_pass_watch {
   void *data;
   /* Of the program with `width` channels. What is no pass (emission,
    * encoding) has a name, too. */
   enum intel_pass_choice (*before)(void *data, const char *pass,
                                    unsigned width, bool optional);
   void (*after)(void *data, bool changed);
   /* What ended a program early. */
   void (*internal_error)(void *data, const char *text);
};

struct intel_compile_params {
   struct arena *arena; /* owns the result */
   nir_shader *nir;     /* is changed by the compilation */
   FILE *log;           /* for dumps; NULL: stderr */
   uint64_t debug;      /* INTEL_DEBUG_* in addition to the
                                   environment's */
   bool listing;        /* print NIR and annotated assembly to log,
                                   whatever the flags say */
   bool profile;        /* fill intel_shader.profile */
   const struct intel_pass_watch *watch; /* or NULL */
};

/* The stage is that of params->nir, and says which key it is. NULL never; on
 * failure ->code is NULL and ->error says why. */
struct intel_shader *intel_compile(const struct intel_compiler *compiler,
                                   const struct intel_compile_params *params,
                                   const union intel_key *key);

/* What a vertex, tessellation evaluation or geometry shader delivers to
 * transform feedback and the clipper. Part of *prog_data. */
const struct intel_vue_outputs *
intel_vue_outputs(gl_shader_stage stage,
                  const struct intel_stage_prog_data *prog_data);

#endif
