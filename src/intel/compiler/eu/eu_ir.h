/* SPDX-License-Identifier: MIT */
/*
 * The scalar back end's IR: one channel of an instruction is one invocation.
 *
 * A shader is one list of instructions over virtual registers (VGRFs), with
 * structured control flow given by the hardware's own IF / ELSE / ENDIF /
 * DO / WHILE / BREAK / CONT. Basic blocks are computed from the list when a
 * pass asks for them (eu_cfg.c) and are dropped when it is done.
 *
 * An operand is a start (register + byte offset), a type and a stride in
 * elements between channels; a stride of 0 is a scalar. That says nothing
 * about what the hardware can do: limits are met late, by the fs_lower_*
 * passes. A few sources carry an explicit region, for derivatives and
 * payload fields.
 *
 * Opcodes are those of the EU (enum isa_opcode) and the virtual ones below.
 */
#ifndef FS_IR_H
#define FS_IR_H

#include <stdio.h>
#include "intel/compiler/intel_compiler.h"
#include "intel/dev/intel_device_info.h"
#include "intel/isa/isa.h"
#include "util/arena.h"
#include "util/bitset.h"
#include "util/dynarray.h"
#include "util/list.h"

#define REG_SIZE_B 32
#define FS_MAX_GRF 128
#define FS_MAX_VGRF_GRFS 32

enum fs_file {
   FS_BAD,     /* no operand */
   FS_VGRF,    /* nr: virtual register */
   FS_GRF,     /* nr: hardware register */
   FS_ARF,     /* nr: enum isa_arf plus index; offset: sub-register */
   FS_IMM,
   FS_UNIFORM, /* offset: bytes into the push constants */
   FS_ATTR,    /* offset: bytes into the setup data or vertex attributes */
};

typedef struct fs_reg {
   uint8_t file;      /* enum fs_file */
   uint8_t type;      /* enum isa_type */
   uint8_t stride;    /* elements between channels, 0: scalar */
   bool negate : 1;
   bool abs : 1;
   bool region : 1;   /* vs, w, hs instead of stride (sources only) */
   uint8_t vs, w, hs;
   uint16_t nr;
   uint32_t offset;   /* bytes from the start of nr */
   uint64_t imm;
} fs_reg;

_Static_assert(sizeof(fs_reg) == 24, "copied by value everywhere");

enum fs_opcode {
   /* No code. dst is defined, with no particular value: starts the live
    * range of a register that is written in parts. */
   FS_OP_UNDEF = ISA_OPCODE_COUNT,
   /* No code. Head of a loop, the target of its WHILE. */
   FS_OP_DO,
   /* Where HALTed channels go on: a HALT of its own when there were any. */
   FS_OP_HALT_TARGET,
   /* dst (scalar UD) = index of the first enabled channel. */
   FS_OP_FIND_LIVE_CHANNEL,
   /* dst = component src1 (scalar UD) of src0; NoMask. */
   FS_OP_BROADCAST,
   /* dst = element of VGRF/UNIFORM src0 at byte offset src1 (per channel or
    * scalar UD); src2 immediate: bytes of src0 that may be read. */
   FS_OP_MOV_INDIRECT,
   FS_OP_COUNT,
};

#define FS_MAX_SRCS 3

struct fs_inst {
   struct list_head link;

   uint8_t op;          /* enum isa_opcode or enum fs_opcode */
   uint8_t exec_size;   /* channels */
   uint8_t group;       /* first channel */
   uint8_t sources;
   bool nomask;         /* also writes disabled channels (WE_all) */
   bool saturate;
   uint8_t pred;        /* enum isa_pred */
   bool pred_inv;
   uint8_t cond_mod;    /* enum isa_cond_mod */
   uint8_t flag;        /* 0..3: f0.0 f0.1 f1.0 f1.1 */
   uint8_t math;        /* enum isa_math */
   uint8_t src_channels; /* BROADCAST: channels of src0 */
   bool eot;
   bool no_dd_clr, no_dd_chk;

   /* SEND: payload src[0] (mlen GRFs) and, for a split one, src[2] (ex_mlen
    * GRFs). src[1], if any, is a scalar UD that is ORed into desc. */
   uint8_t sfid;        /* enum isa_sfid */
   uint8_t mlen, ex_mlen;
   bool header;
   bool side_effects;   /* writes memory: never dropped or moved */
   uint32_t desc;

   uint32_t size_written; /* bytes of dst from its first to its last */

   fs_reg dst;
   fs_reg src[FS_MAX_SRCS];

   /* For listings: the NIR instruction that this came from. */
   const void *nir;
   const char *note;

   /* Scratch of the pass that runs: position and block (fs_calculate_cfg)
    * and what a pass likes. */
   uint32_t ip;
   uint32_t block;
   uint32_t pass_data;
};

struct fs_block {
   struct fs_inst *first, *last;
   uint32_t start_ip, end_ip;   /* of first and last */
   int32_t succ[2];             /* -1: none */
   uint32_t num_preds;
   uint32_t loop_depth;
};

/* Loops by position: [first ip, last ip] of DO and WHILE. */
struct fs_loop {
   uint32_t start_ip, end_ip;
   uint32_t exit_block;         /* the block behind WHILE */
};

struct fs_cfg {
   struct fs_block *blocks;
   uint32_t num_blocks;
   struct fs_loop *loops;
   uint32_t num_loops;
   uint32_t num_insts;
};

/* Payload of a thread: hardware registers that hold what the fixed functions
 * deliver. 0 means absent (g0 is never one of these). */
struct fs_payload {
   uint8_t num_regs;            /* before the push constants */
   uint8_t urb_handles;         /* VS, TES, GS: of what is written */
   uint8_t icp_handles;         /* TCS, GS: of the input vertices */
   uint8_t primitive_id;        /* GS: one a channel */
   uint8_t tess_coord;          /* TES: u, v, w */
   uint8_t bary[INTEL_BARY_COUNT];
   uint8_t src_depth, src_w, sample_pos, sample_mask_in;
};

struct fs_shader {
   struct arena *arena;
   const struct intel_compiler *compiler;
   const struct intel_device_info *devinfo;
   enum isa_gen gen;
   gl_shader_stage stage;
   unsigned dispatch_width;
   uint32_t debug;
   FILE *log;

   nir_shader *nir;
   union {
      const void *any;
      const struct intel_vs_key *vs;
      const struct intel_tcs_key *tcs;
      const struct intel_tes_key *tes;
      const struct intel_gs_key *gs;
      const struct intel_wm_key *wm;
      const struct intel_cs_key *cs;
   } key;
   union {
      struct intel_stage_prog_data *base;
      struct intel_vs_prog_data *vs;
      struct intel_tcs_prog_data *tcs;
      struct intel_tes_prog_data *tes;
      struct intel_gs_prog_data *gs;
      struct intel_wm_prog_data *wm;
      struct intel_cs_prog_data *cs;
   } prog_data;

   struct list_head insts;

   /* VGRF sizes in GRFs. */
   uint16_t *vgrf_size;
   uint32_t num_vgrfs, max_vgrfs;

   struct intel_vue_map input_map; /* TCS, GS */
   struct fs_payload payload;
   uint32_t first_free_grf;     /* behind payload, constants, attributes */

   bool uses_halt;
   uint32_t scratch_B;          /* per thread, spills included */
   uint32_t spills, fills;
   uint32_t max_live_grf;
   uint32_t cycles;
   uint32_t loops;

   bool failed;
   const char *fail_msg;

   struct fs_cfg cfg;           /* valid from fs_calculate_cfg on, until an
                                   instruction is added or removed */
};

/* ---- eu_ir.c ---- */

struct fs_shader *
fs_shader_create(struct arena *arena, const struct intel_compiler *compiler,
                 gl_shader_stage stage, unsigned dispatch_width);
uint32_t fs_alloc_vgrf(struct fs_shader *s, unsigned grfs);
void fs_fail(struct fs_shader *s, const char *fmt, ...) PRINTFLIKE(2, 3);

static inline unsigned
type_sz(unsigned type)
{
   return isa_type_size_B((enum isa_type)type);
}

static inline bool
type_is_float(unsigned type)
{
   return isa_type_info((enum isa_type)type)->is_float;
}

/* The unsigned integer type of that many bytes. */
static inline uint8_t
fs_uint_type(unsigned size_B)
{
   return size_B == 8 ? ISA_TYPE_UQ : size_B == 4 ? ISA_TYPE_UD :
          size_B == 2 ? ISA_TYPE_UW : ISA_TYPE_UB;
}

static inline fs_reg
fs_vgrf_reg(uint32_t nr, unsigned type)
{
   return (fs_reg) { .file = FS_VGRF, .nr = (uint16_t)nr,
                     .type = (uint8_t)type, .stride = 1 };
}

static inline fs_reg
fs_grf(unsigned nr, unsigned type)
{
   return (fs_reg) { .file = FS_GRF, .nr = (uint16_t)nr,
                     .type = (uint8_t)type, .stride = 1 };
}

static inline fs_reg
fs_null(unsigned type)
{
   return (fs_reg) { .file = FS_ARF, .nr = ISA_ARF_NULL,
                     .type = (uint8_t)type, .stride = 1 };
}

static inline fs_reg
fs_acc(unsigned type)
{
   return (fs_reg) { .file = FS_ARF, .nr = ISA_ARF_ACC,
                     .type = (uint8_t)type, .stride = 1 };
}

/* f<n / 2>.<n % 2> as a UW scalar. */
static inline fs_reg
fs_flag_reg(unsigned n)
{
   return (fs_reg) { .file = FS_ARF, .type = ISA_TYPE_UW,
                     .nr = (uint16_t)(ISA_ARF_FLAG + n / 2),
                     .offset = (n % 2) * 2 };
}

static inline fs_reg
fs_imm(unsigned type, uint64_t bits)
{
   return (fs_reg) { .file = FS_IMM, .type = (uint8_t)type, .imm = bits };
}
#define fs_imm_ud(v) fs_imm(ISA_TYPE_UD, (uint32_t)(v))
#define fs_imm_d(v) fs_imm(ISA_TYPE_D, (uint32_t)(int32_t)(v))
#define fs_imm_uw(v) fs_imm(ISA_TYPE_UW, (uint16_t)(v))
#define fs_imm_f(v) fs_imm(ISA_TYPE_F, util_float_bits(v))
#define fs_imm_v(v) fs_imm(ISA_TYPE_V, (uint32_t)(v))

static inline fs_reg
retype(fs_reg r, unsigned type)
{
   r.type = (uint8_t)type;
   return r;
}

static inline fs_reg
negate(fs_reg r)
{
   assert(r.file != FS_IMM);
   r.negate = !r.negate;
   return r;
}

static inline fs_reg
fs_abs(fs_reg r)
{
   r.abs = true;
   r.negate = false;
   return r;
}

static inline fs_reg
byte_offset(fs_reg r, unsigned bytes)
{
   if (r.file != FS_IMM && r.file != FS_BAD)
      r.offset += bytes;
   return r;
}

/* The same channels, `n` channels further on. */
static inline fs_reg
horiz_offset(fs_reg r, unsigned n)
{
   if (r.file == FS_IMM || r.file == FS_BAD)
      return r;
   if (r.region) {
      /* Whole rows only. */
      assert(r.w && n % r.w == 0);
      return byte_offset(r, n / r.w * r.vs * type_sz(r.type));
   }
   return byte_offset(r, n * r.stride * type_sz(r.type));
}

/* Channel `n` of r as a scalar. */
static inline fs_reg
component(fs_reg r, unsigned n)
{
   if (r.file == FS_IMM)
      return r;
   r = horiz_offset(r, n);
   r.stride = 0;
   r.region = false;
   return r;
}

/* Piece i of type `type` within each channel: subscript(DF, UD, 1) is the
 * high dwords. */
static inline fs_reg
subscript(fs_reg r, unsigned type, unsigned i)
{
   const unsigned ratio = type_sz(r.type) / type_sz(type);

   assert(!r.region && ratio >= 1 && i < ratio);
   if (r.file == FS_IMM) {
      const unsigned bits = type_sz(type) * 8;
      r.imm = (r.imm >> (i * bits)) & BITFIELD64_MASK(bits);
   } else {
      r.offset += i * type_sz(type);
      r.stride = (uint8_t)(r.stride * ratio);
   }
   return retype(r, type);
}

static inline fs_reg
fs_region(fs_reg r, unsigned vs, unsigned w, unsigned hs)
{
   r.region = true;
   r.vs = (uint8_t)vs;
   r.w = (uint8_t)w;
   r.hs = (uint8_t)hs;
   return r;
}

static inline bool
fs_is_null(const fs_reg *r)
{
   return r->file == FS_ARF && r->nr == ISA_ARF_NULL;
}

static inline bool
fs_is_send(const struct fs_inst *inst)
{
   return inst->op == ISA_OPCODE_SEND || inst->op == ISA_OPCODE_SENDC ||
          inst->op == ISA_OPCODE_SENDS || inst->op == ISA_OPCODE_SENDSC;
}

bool fs_reg_equal(const fs_reg *a, const fs_reg *b);
/* Whether the two are in the same file and register (VGRF number; for GRF,
 * UNIFORM and ATTR the whole file counts as one register). */
bool fs_same_space(const fs_reg *a, const fs_reg *b);
bool fs_regions_overlap(const fs_reg *a, unsigned a_size_B, const fs_reg *b,
                        unsigned b_size_B);
/* Byte address within the register space of fs_same_space(). */
unsigned fs_reg_offset(const fs_reg *r);

const char *fs_opcode_name(unsigned op);
bool fs_is_control_flow(const struct fs_inst *inst);

/* Bytes from the first to the last that source `i` reads. */
unsigned fs_size_read(const struct fs_inst *inst, unsigned i);
/* Bytes that an operand with stride covers in `exec_size` channels. */
unsigned fs_region_size(const fs_reg *r, unsigned exec_size);

bool fs_writes_flag(const struct fs_inst *inst);
bool fs_reads_flag(const struct fs_inst *inst);
/* Mask of the four 16-bit flag registers. */
unsigned fs_flags_written(const struct fs_inst *inst);
unsigned fs_flags_read(const struct fs_inst *inst);

/* Whether bytes of dst within its size_written keep their old value: a
 * stride, a predicate, or less than whole GRFs at either end. */
bool fs_is_partial_write(const struct fs_inst *inst);
bool fs_has_side_effects(const struct fs_inst *inst);
/* Reads or writes the accumulator. */
bool fs_uses_acc(const struct fs_inst *inst);
bool fs_writes_acc(const struct fs_inst *inst);
/* Whether negate/abs on source `i` has the arithmetic meaning there. */
bool fs_can_do_source_mods(const struct fs_inst *inst);
bool fs_can_do_saturate(const struct fs_inst *inst);
bool fs_can_do_cmod(const struct fs_inst *inst);
bool fs_is_commutative(const struct fs_inst *inst);
unsigned fs_exec_type(const struct fs_inst *inst);

/* ---- eu_cfg.c ---- */

/* Fills s->cfg and ip / block of all instructions. */
void fs_calculate_cfg(struct fs_shader *s);

/* ---- eu_liveness.c ---- */

/*
 * Variables: one for each hardware GRF (0 to 127), then one for each GRF of
 * each VGRF.
 */
struct fs_liveness {
   uint32_t num_vars;
   uint32_t words;
   uint32_t *var_of_vgrf;      /* first variable of a VGRF */
   uint32_t *vgrf_of_var;
   int32_t *start, *end;       /* positions (2 * ip: reads, + 1: writes);
                                  start > end: never live */
   BITSET_WORD *livein, *liveout; /* num_blocks x words */
   int32_t *vgrf_start, *vgrf_end;
};

struct fs_liveness *fs_calculate_liveness(struct fs_shader *s,
                                          struct arena *arena);
/* Needs FS_UNIFORM and FS_ATTR to be hardware registers for them to count. */

/* ---- passes, in the order of fs_compile.c ---- */

void fs_assign_payload_registers(struct fs_shader *s);
/* Each returns whether it changed anything. */
bool fs_opt_copy_propagation(struct fs_shader *s);
bool fs_opt_dead_code(struct fs_shader *s);
bool fs_opt_cse(struct fs_shader *s);
bool fs_opt_cmod_propagation(struct fs_shader *s);
bool fs_opt_saturate_propagation(struct fs_shader *s);
bool fs_opt_register_coalesce(struct fs_shader *s);
bool fs_opt_algebraic(struct fs_shader *s);
bool fs_lower_misc(struct fs_shader *s);
bool fs_lower_simd_width(struct fs_shader *s);
bool fs_lower_regioning(struct fs_shader *s);
void fs_schedule(struct fs_shader *s, bool after_allocation);
/* Gives every VGRF hardware registers, with spills if need be; false and
 * s->failed when even that does not help. */
bool fs_allocate_registers(struct fs_shader *s);
/* Issue and latency model: cycles of one pass through the code. */
uint32_t fs_estimate_cycles(const struct fs_shader *s);
unsigned fs_latency(const struct fs_inst *inst);

struct fs_binary {
   uint8_t *code;
   uint32_t size_B;
   struct intel_compile_stats stats;
   /* Where the code of each NIR instruction begins, for listings. */
   struct fs_origin {
      uint32_t offset_B;
      const void *nir;
      const char *note;
   } *origins;
   uint32_t num_origins;
};

/* Encodes a shader whose registers are all physical. */
bool fs_generate(struct fs_shader *s, struct fs_binary *out);

/* ---- eu_print.c, eu_validate.c ---- */

void fs_print_inst(const struct fs_inst *inst, FILE *fp);
void fs_print(const struct fs_shader *s, FILE *fp);
/* Aborts with a report when the IR is broken; `when` names the pass. */
void fs_validate(const struct fs_shader *s, const char *when);

#endif
