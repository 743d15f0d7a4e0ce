/* SPDX-License-Identifier: MIT */
/*
 * NIR -> fs IR: what the files fs_nir_*.c share.
 *
 * A NIR value becomes one eu_reg: component c is eu_offset(reg, b, c).
 * Booleans (1 bit) are dwords, 0 or ~0. Constants are immediates where an
 * instruction can have them, else scalars in a pool that the first
 * instructions fill.
 */
#ifndef FS_NIR_H
#define FS_NIR_H

#include "compiler/nir/ssa/nir_phi_webs.h"
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/eu/eu_messages.h"
#include "util/hash_table.h"

struct fs_pooled_const {
   uint64_t bits;
   uint8_t size_B;
   uint32_t vgrf;
   uint16_t offset_B;
};

/* A part of a uniform block that lies in a register: 64 bytes. */
struct fs_pulled {
   unsigned bti;
   uint32_t offset_B;
   eu_reg reg;
};

/* A scalar and its copy that has a register of its own. */
struct fs_spread {
   eu_reg from, to;
};

struct fs_tcs_state {
   eu_reg handle; /* of the patch, one a channel */
   eu_reg own;    /* that, and what to add for the invocation's vertex */
   /* A store of tessellation factors that one before has done. */
   const nir_intrinsic_instr *factors_done;
};

/* What a geometry shader has emitted so far. */
struct fs_gs_state {
   /* Vertices: a number when it is known, else one a channel. */
   unsigned static_count;
   eu_reg count;
   unsigned bits_per_vertex; /* of control data, 0 to 2 */
   uint32_t static_bits[16];
   eu_reg bits; /* of the current dword */
};

/* Registers of what is called for an operation. */
struct fs_routine {
   nir_op op;
   eu_reg args[2], result; /* and in a register more the way back */
};

struct fs_stage;
struct nir_to_fs;
struct fs_urb_place;

/* A back end that has part of its work done here. Its channels are ours, its
 * values are not: it hands out components as we have them, and takes what an
 * instruction has computed from nir_to_fs::result. */
struct fs_host {
   void (*instr)(struct nir_to_fs *n, nir_instr *instr);
   eu_reg (*src_comp)(struct nir_to_fs *n, const nir_use *src, unsigned c);
   /* fs_urb_read() */
   eu_reg (*urb_read)(struct nir_to_fs *n, const struct fs_urb_place *at,
                      unsigned first, unsigned count);
   /* fs_urb_write_masked() */
   struct eu_inst *(*urb_write)(struct nir_to_fs *n,
                                const struct fs_urb_place *at,
                                unsigned dwords, const eu_reg *data,
                                eu_reg mask);
   /* fs_write_vue() of geometry shaders, whose place is in pairs of slots
    * where per_slot is concerned. */
   struct eu_inst *(*write_vue)(struct nir_to_fs *n,
                                const struct intel_vue_map *map,
                                const struct fs_urb_place *at);
};

struct nir_to_fs {
   struct eu_shader *s;
   const struct fs_stage *stage;
   const struct fs_host *host; /* or NULL */
   eu_reg result;
   struct eu_builder b;
   eu_reg *ssa; /* by nir_value.index; values of a web have one */
   struct nir_phi_webs webs;

   struct util_dynarray consts; /* fs_pooled_const */
   uint32_t const_vgrf;
   unsigned const_used_B;        /* in const_vgrf; 32: none is open */
   struct list_head *const_tail; /* constants go after this */
   struct list_head *arm_tail;   /* or after this, if it is not NULL */
   /* Of a block that is not always executed: doubles that only it wants. */
   struct fs_block_consts {
      struct util_dynarray list; /* fs_pooled_const */
      struct list_head *tail;    /* they go after this; NULL: none do */
      uint32_t vgrf;
      unsigned used_B;
   } block_consts;
   /* By bits, constants of 64 bits: not NULL if several blocks have one. */
   struct hash_table shared_consts;
   unsigned if_depth;
   struct util_dynarray pulled;      /* fs_pulled, of the current block */
   struct util_dynarray spread;      /* fs_spread, likewise */
   struct util_dynarray paired;      /* fs_spread: addresses, likewise */
   eu_reg dword_steps;               /* 0, 4, 0, 4, ...: UW, or EU_BAD */
   struct util_dynarray routines;    /* fs_routine, those that are called */
   const struct fs_routine *routine; /* that is emitted, or NULL */

   /* Outputs: a vec4 of dwords each, by VARYING_SLOT / FRAG_RESULT (second
    * blend source: FS_OUT_DUAL); EU_BAD when not written. */
   eu_reg out[64];
   uint8_t out_written[64]; /* component masks */
   /* The stores of outputs, for who writes them at the end. */
   const nir_instr *out_nir[64];

   /* Of programs with scratch space: channels' numbers, and a header. */
   eu_reg channels, scratch_header;

   eu_reg invocation_id; /* TCS, GS */
   eu_reg icp;           /* copy of the input vertices' handles */
   struct fs_tcs_state tcs;
   struct fs_gs_state gs;

   unsigned loop_depth;
   /* Ifs and loops around, in which channels may be off; and whether all
    * channels are on at the start, those of no invocation, too. */
   unsigned divergent_depth;
   bool starts_all_on;
   bool ends_thread; /* the EOT message is there */
};

#define FS_OUT_DUAL 32

/* Live-channel flag of fragment shaders with discard: f0.1. */
#define FS_LIVE_FLAG 1

/* ---- fs_nir.c ---- */

/* Emits the whole shader into s; s->failed on anything unsupported. */
void fs_emit_nir(struct eu_shader *s);

/* The parts of that which another back end shares. */
void fs_emit_cf_list(struct nir_to_fs *n, struct list_head *list);
/* A body, whose values and constants are then n's. */
void fs_emit_function(struct nir_to_fs *n, nir_function_impl *impl);
void fs_free_lists(struct nir_to_fs *n);
void fs_emit_jump(struct nir_to_fs *n, nir_jump_instr *jump);
void fs_emit_float_controls(struct nir_to_fs *n);
eu_reg fs_alloc_value(struct nir_to_fs *n, unsigned bit_size, unsigned comps);
/* Of what has no register, as dereferences: the compilation fails. */
eu_reg fs_no_value(struct nir_to_fs *n, const nir_use *src);
uint64_t fs_const_bits(nir_const_value v, unsigned bit_size);

/* Type for raw moves of a NIR bit size: 1 -> D, 32 -> UD, ... */
unsigned fs_raw_type(unsigned bit_size);
/* Hardware type of a sized NIR type. */
unsigned fs_type_for_nir(nir_alu_type type, unsigned bit_size);

/* The value of a source with type fs_raw_type(); components by eu_offset().
 * For constants use fs_src_comp(). */
eu_reg fs_get_src(struct nir_to_fs *n, const nir_use *src);
/* Component c: an immediate when constant and at most 32 bits wide, a scalar
 * register for wider constants. */
eu_reg fs_src_comp(struct nir_to_fs *n, const nir_use *src, unsigned c);
/* Whether other values are written to the register of this one: what was read
 * to compute it may be gone, and it is written before all of it is read. */
static inline bool
fs_in_web(const struct nir_to_fs *n, const nir_value *def)
{
   return nir_is_in_web(&n->webs, def);
}

/* Whether all channels are on where n is. */
static inline bool
fs_all_on(const struct nir_to_fs *n)
{
   return n->starts_all_on && !n->divergent_depth && !n->routine;
}

/* Where an instruction's result goes. */
eu_reg fs_get_dest(struct nir_to_fs *n, nir_value *dest);
/* Makes `reg` the value of a destination with no copy (or copies, for one of
 * a phi web). */
void fs_set_dest(struct nir_to_fs *n, nir_value *dest, eu_reg reg);

/* A scalar register that holds the constant. */
eu_reg fs_const(struct nir_to_fs *n, unsigned type, uint64_t bits);
/* The same of a float for a source that may be negated. */
eu_reg fs_signed_const(struct nir_to_fs *n, eu_reg imm);
/* `r`, or its copy in a scalar register if it is an immediate. */
eu_reg fs_no_imm(struct nir_to_fs *n, eu_reg r);
/* Sets the flag by a condition, of which `cond` is the value. */
void fs_set_flag(struct nir_to_fs *n, const nir_use *src, eu_reg cond);
/* Sets it if the fragment shader's polygon faces the front. */
void fs_set_flag_if_front(struct nir_to_fs *n);
/* A scalar UD that is the same in all channels: the first live channel's
 * value of `r`. */
eu_reg fs_uniformize(struct nir_to_fs *n, eu_reg r);

/* Webs whose register is a scalar, and values that are (`data` is the
 * nir_shader): fs_nir_uniform.c. */
bool fs_is_uniform_web(const nir_value *like);
bool fs_is_uniform_intrinsic(const nir_intrinsic_instr *intr,
                             const void *data);

/* A conversion, of which the EU may have only some: fs_nir_convert.c. */
void fs_emit_convert(struct nir_to_fs *n, eu_reg dst, eu_reg src);

/* ---- routines: fs_nir_routine.c ---- */

void fs_emit_call(struct nir_to_fs *n, nir_intrinsic_instr *intr);
/* Their operands and results. */
void fs_emit_routine_intrinsic(struct nir_to_fs *n,
                               nir_intrinsic_instr *intr);
/* All that n calls, behind the shader. */
void fs_emit_routines(struct nir_to_fs *n);

/* ---- by kind ---- */

void fs_emit_alu(struct nir_to_fs *n, nir_alu_instr *alu);
void fs_emit_tex(struct nir_to_fs *n, nir_tex_instr *tex);
void fs_emit_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
/* Memory: UBO, SSBO, push constants. False if it is none of these. */
bool fs_emit_memory_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
bool fs_emit_global_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);

/* Storage images. False if it is none of their intrinsics. */
bool fs_emit_image_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
bool fs_is_image_write(nir_intrinsic_op op);
bool fs_is_buffer_write(nir_intrinsic_op op);

/* ---- stages ---- */

/* store_output into slots[slot] and on: vec4s of dwords, made when first
 * written. 64-bit components take two dwords. */
void fs_store_output(struct nir_to_fs *n, nir_intrinsic_instr *intr,
                     eu_reg *slots, unsigned slot);

/* ---- subgroups: fs_nir_subgroup.c ---- */

/* Dword k of a source, for b's channels. */
eu_reg fs_source_dword(struct nir_to_fs *n, const struct eu_builder *b,
                       const nir_use *src, unsigned bits, unsigned k);
/* Room for nir_shader::scratch_size of each channel. */
void fs_setup_scratch(struct eu_shader *s);
/* A header and `grfs` registers after it; the message that moves a dword for
 * each channel, by numbers of dwords and values in the registers after. */
eu_reg fs_scratch_payload(struct nir_to_fs *n, unsigned grfs);
/* What all messages to it have in common, at the start of the program. */
void fs_prepare_scratch(struct nir_to_fs *n);
struct eu_inst *fs_scratch_message(const struct eu_builder *b, eu_reg payload,
                                   eu_reg dst, bool write);
bool fs_emit_scratch_intrinsic(struct nir_to_fs *n,
                               nir_intrinsic_instr *intr);
bool fs_emit_subgroup_intrinsic(struct nir_to_fs *n,
                                nir_intrinsic_instr *intr);
/* 0, 1, 2, ... in all channels, also those that are off. */
eu_reg fs_channel_numbers(struct nir_to_fs *n);

/* ---- memory ---- */

/* Messages have 16 channels at most: how many it takes for all of n's, and
 * the builder of the ith. */
static inline unsigned
fs_num_pieces(const struct nir_to_fs *n)
{
   return DIV_ROUND_UP(n->b.exec_size, 16);
}

static inline struct eu_builder
fs_piece(const struct nir_to_fs *n, unsigned i)
{
   return eu_group(n->b, MIN2(16, n->b.exec_size), i);
}

/* The data port's number for an atomic intrinsic on a buffer, an image or
 * shared memory; -1: it is none, or there is none. */
int fs_atomic_op(nir_intrinsic_op op);
/* Whether it is one of the numbers for floats, which have their own. */
bool fs_atomic_is_float(nir_intrinsic_op op);
/* The same with `data`, its first operand: to add or subtract one is an
 * operation of its own, which has none. */
int fs_atomic_shortest(int op, const nir_use *data);
/* Operands after the address. */
unsigned fs_atomic_operands(int op);
/* Helper invocations and discarded ones must not write memory: what a
 * message that does needs in a fragment shader. */
void fs_predicate_on_live(struct nir_to_fs *n, struct eu_inst *inst);
/* base + bytes for b's channels, in registers of its own. */
eu_reg fs_address(const struct eu_builder *b, eu_reg base, unsigned bytes);
/* Component c of a value in all of n's channels, as those of `b` see it. */
eu_reg fs_component_of(const struct nir_to_fs *n, const struct eu_builder *b,
                       eu_reg value, unsigned c);
/* The value of a load, or the components of `data` in `mask` of a store, at a
 * byte offset a channel, plus `bytes`. */
void fs_load_untyped(struct nir_to_fs *n, nir_intrinsic_instr *intr,
                     eu_reg bti, const nir_use *offset, int bytes);
void fs_store_untyped(struct nir_to_fs *n, eu_reg bti, const nir_use *offset,
                      int bytes, const nir_use *data, unsigned mask);
/* What a barrier says of memory; and the wait for the other threads. */
void fs_emit_memory_barrier(struct nir_to_fs *n,
                            const nir_intrinsic_instr *intr);
void fs_emit_wait(struct nir_to_fs *n);

/* ---- URB entries: fs_nir_urb.c ---- */

/* Slots of an entry: `slot` + per_slot (UD a channel; EU_BAD: nothing). */
struct fs_urb_place {
   eu_reg handle; /* UD: one a channel, or a scalar; of a
                                      host EU_BAD is the thread's own */
   unsigned slot;
   eu_reg per_slot;
   eu_reg addresses; /* handle and per_slot, two GRFs of that, or EU_BAD */
};

/* Dwords [first, first + count) of one slot, each a GRF. */
eu_reg fs_urb_read(struct nir_to_fs *n, const struct fs_urb_place *at,
                   unsigned first, unsigned count);
/* `dwords` (up to 8) from the start of the slot on; EU_BAD: do not care. A
 * `mask` names those to write, in each slot; 0: all. */
struct eu_inst *fs_urb_write(struct nir_to_fs *n,
                             const struct fs_urb_place *at, unsigned dwords,
                             const eu_reg *data, unsigned mask);
/* The same with a mask a channel, in bits 23:16. */
struct eu_inst *fs_urb_write_masked(struct nir_to_fs *n,
                                    const struct fs_urb_place *at,
                                    unsigned dwords, const eu_reg *data,
                                    eu_reg mask);
/* Lets that message end the thread. */
void fs_end_with_urb_write(struct nir_to_fs *n, struct eu_inst *write);
/* The handle of one of `vertices` input vertices. Handles fill `grfs`
 * registers of the payload: packed, one a dword and the same for all
 * channels; else a GRF a vertex. */
eu_reg fs_input_vertex_handle(struct nir_to_fs *n, const nir_use *vertex,
                              unsigned vertices, unsigned grfs, bool packed);
/* load_per_vertex_input from a VUE. */
void fs_load_vue_input(struct nir_to_fs *n, nir_intrinsic_instr *intr,
                       eu_reg handle, const struct intel_vue_map *map);
/* The slot of a varying, -1 when it is not there; *first is moved to the
 * dword within the slot for parts of the header. */
int fs_vue_slot(const struct intel_vue_map *map, unsigned varying,
                unsigned *first);
/* Writes n->out at `at`, laid out as `map` says. The last message. */
struct eu_inst *fs_write_vue(struct nir_to_fs *n,
                             const struct intel_vue_map *map,
                             const struct fs_urb_place *at);
/* Dword of the patch header where component `c` of a tessellation factor
 * lies; -1: the domain has none. */
int fs_tess_factor_dword(enum tess_primitive_mode mode, unsigned varying,
                         unsigned c);
/* Slots that the intrinsic may touch, as masks. */
void fs_gather_io_slots(const nir_intrinsic_instr *intr, uint64_t *slots,
                        uint64_t *patch_slots);
/* What prog_data says of n's outputs, from info and the slots written. */
void fs_set_vue_outputs(struct eu_shader *s, uint64_t written, uint64_t extra,
                        struct intel_vue_outputs *out);
/* store_output of a stage whose outputs go through n->out. */
void fs_store_vue_output(struct nir_to_fs *n, nir_intrinsic_instr *intr);

/* What is particular to a stage. */
struct fs_stage {
   /* Before anything is emitted: payload layout, prog_data from the NIR. */
   void (*setup)(struct eu_shader *s);
   void (*prologue)(struct nir_to_fs *n); /* may be NULL */
   /* False: it is none of the stage's. */
   bool (*intrinsic)(struct nir_to_fs *n, nir_intrinsic_instr *intr);
   /* Outputs, and the message that ends the thread. */
   void (*end)(struct nir_to_fs *n);
   /* Registers of inputs after the push constants. */
   unsigned (*input_grfs)(const struct eu_shader *s);
};

/* By gl_shader_stage; no setup: not a stage of this back end. */
extern const struct fs_stage fs_stages[MESA_SHADER_STAGES];

void fs_setup_vs(struct eu_shader *s);
void fs_setup_tcs(struct eu_shader *s);
void fs_setup_tes(struct eu_shader *s);
void fs_setup_gs(struct eu_shader *s);
void fs_setup_fs(struct eu_shader *s);
void fs_setup_cs(struct eu_shader *s);
bool fs_emit_vs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
bool fs_emit_tcs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
bool fs_emit_tes_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
bool fs_emit_gs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
/* Of an interpolation; the slot of an input or output. */
enum intel_barycentric_mode fs_bary_mode(const struct eu_shader *s,
                                         const nir_intrinsic_instr *bary);
unsigned fs_io_slot(const nir_intrinsic_instr *intr, const nir_use *off);
bool fs_emit_fs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
bool fs_emit_cs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr);
void fs_emit_cs_end(struct nir_to_fs *n);
void fs_emit_tcs_prologue(struct nir_to_fs *n);
void fs_emit_tcs_end(struct nir_to_fs *n);
void fs_emit_gs_prologue(struct nir_to_fs *n);
void fs_emit_gs_end(struct nir_to_fs *n);
/* What is left of the control data at the end. */
void fs_emit_gs_control_data(struct nir_to_fs *n);
/* Whether an entry begins with the number of vertices. */
bool fs_gs_counts_in_entry(const struct eu_shader *s);
void fs_emit_fs_prologue(struct nir_to_fs *n);
/* The vertex of a VS or TES thread. */
void fs_emit_urb_writes(struct nir_to_fs *n);
/* load_barycentric_at_sample (constant) and _at_offset. */
void fs_emit_barycentric_at(struct nir_to_fs *n, nir_intrinsic_instr *intr);
void fs_emit_fb_writes(struct nir_to_fs *n);

enum fs_discard {
   FS_DEMOTE,    /* helpers from here on */
   FS_DISCARD,   /* helpers as long as their quad has a live pixel */
   FS_TERMINATE, /* gone, not in ballots, either */
};

/* Turns off the channels for which `cond` is true; NULL: all. */
void fs_emit_discard(struct nir_to_fs *n, const nir_use *cond,
                     enum fs_discard how);

#endif
