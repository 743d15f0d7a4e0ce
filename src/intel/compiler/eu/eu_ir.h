/* SPDX-License-Identifier: MIT */
/*
 * The back end's IR: instructions of the EU with virtual registers.
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
 * Instructions with align16 are SIMD4x2 code: channel 4 * v + c is component
 * c of vertex v. Their sources have a swizzle and their destination a write
 * mask, of whole components whatever their size: vec4/vec4_ir.h.
 *
 * Opcodes are those of the EU (enum isa_opcode) and the virtual ones below.
 */
#ifndef EU_IR_H
#define EU_IR_H

#include <stdio.h>
#include "eu_opcodes.h"
#include "intel/compiler/intel_compiler.h"
#include "intel/dev/intel_device_info.h"
#include "intel/isa/isa.h"
#include "util/arena.h"
#include "util/bitset.h"
#include "util/dynarray.h"
#include "util/list.h"

#define REG_SIZE_B 32
#define EU_MAX_GRF 128
/* The payload of the last message lies in g112-g127 (PRM SKL vol 2a, "send",
 * EOT): inputs must leave these free. */
#define EU_EOT_FIRST_GRF 112
#define EU_MAX_VGRF_GRFS 32

enum eu_file {
   EU_BAD,  /* no operand */
   EU_VGRF, /* nr: virtual register */
   EU_GRF,  /* nr: hardware register */
   EU_ARF,  /* nr: enum isa_arf plus index; offset: sub-register */
   EU_IMM,
   EU_UNIFORM, /* offset: bytes into the push constants */
   EU_ATTR,    /* offset: bytes into the setup data or vertex attributes */
};

typedef struct eu_reg {
   uint8_t file;   /* enum eu_file */
   uint8_t type;   /* enum isa_type */
   uint8_t stride; /* elements between channels, 0: scalar */
   bool negate : 1;
   bool abs : 1;
   bool region : 1; /* vs, w, hs instead of stride (sources only) */
   uint8_t vs, w, hs;
   uint8_t swz; /* align16: swizzle of a source (ISA_SWIZZLE), write
                         mask of a destination; else 0 */
   uint32_t nr;
   uint32_t offset; /* bytes from the start of nr */
   uint64_t imm;
} eu_reg;

_Static_assert(sizeof(eu_reg) == 24, "copied by value everywhere");

#define EU_MAX_SRCS 3

struct eu_inst {
   struct list_head link;

   uint8_t op;        /* enum isa_opcode or enum eu_opcode */
   uint8_t exec_size; /* channels */
   uint8_t group;     /* first channel */
   uint8_t sources;
   bool nomask;  /* also writes disabled channels (WE_all) */
   bool align16; /* operands have swizzles and write masks */
   bool saturate;
   uint8_t pred; /* enum isa_pred */
   bool pred_inv;
   uint8_t cond_mod;     /* enum isa_cond_mod */
   uint8_t flag;         /* 0..3: f0.0 f0.1 f1.0 f1.1 */
   uint8_t math;         /* enum isa_math */
   uint8_t src_channels; /* BROADCAST: channels of src0 */
   bool eot;

   /* SEND: payload src[0] (mlen GRFs) and, for a split one, src[2] (ex_mlen
    * GRFs). src[1], if any, is a scalar UD that is ORed into desc. A split
    * one with ex_mlen 0 has no second payload: src[2] is a scalar UD, where
    * the surface state is (eu_sends_handle()). */
   uint8_t sfid; /* enum isa_sfid */
   uint8_t mlen, ex_mlen;
   bool side_effects; /* writes memory: never dropped or moved */
   /* Loads from a storage buffer, neither volatile nor coherent, or stores
    * into it: its entry of the binding table, plus 1; 0: not so, or not
    * known. */
   uint16_t storage;
   bool unlikely;    /* IF: hardly ever taken */
   bool toward_zero; /* rounds so: fs_lower_rounding() tells cr0 */
   uint32_t desc;

   uint32_t size_written; /* bytes of dst from its first to its last */

   eu_reg dst;
   eu_reg src[EU_MAX_SRCS];

   /* For listings: the NIR instruction that this came from. */
   const void *nir;
   const char *note;

   /* Scratch of the pass that runs: position and block (eu_calculate_cfg)
    * and what a pass likes. */
   uint32_t ip;
   uint32_t block;
   uint32_t pass_data;
};

struct eu_block {
   struct eu_inst *first, *last;
   uint32_t start_ip, end_ip; /* of first and last */
   int32_t succ[2];           /* -1: none */
   uint32_t num_preds;
   int32_t loop; /* the innermost, by its index; -1: none */
};

/* Loops by position: [first ip, last ip] of DO and WHILE. */
struct eu_loop {
   uint32_t start_ip, end_ip;
   int32_t parent;      /* the loop around it, or -1 */
   uint32_t exit_block; /* the block after WHILE */
};

/* Cycles of one pass through a program, loops ten times (eu_cycles.c). */
struct eu_cost {
   double issue, wait;
   uint32_t waits_for; /* the instruction whose result was waited for, by its
                          position; that itself if there is no wait */
};

struct eu_cfg {
   struct eu_block *blocks;
   uint32_t num_blocks;
   struct eu_loop *loops;
   uint32_t num_loops;
   uint32_t num_insts;
   uint32_t max_blocks, max_loops; /* room, kept for the next time */
};

/* Payload of a thread: hardware registers that hold what the fixed functions
 * deliver. 0 means absent (g0 is never one of these). */
struct eu_payload {
   uint8_t num_regs;     /* before the push constants */
   uint8_t urb_handles;  /* VS, TES, GS: of what is written */
   uint8_t icp_handles;  /* TCS, GS: of the input vertices */
   uint8_t primitive_id; /* GS: one a channel */
   uint8_t tess_coord;   /* TES: u, v, w */
   /* TES: dwords from g0.0 on. */
   uint8_t patch_handle_dw, primitive_id_dw;
   uint8_t bary[INTEL_BARY_COUNT];
   uint8_t src_depth, src_w, sample_pos, sample_mask_in;
};

struct eu_shader {
   struct arena *arena;
   const struct intel_compiler *compiler;
   const struct intel_device_info *devinfo;
   enum isa_gen gen;
   gl_shader_stage stage;
   unsigned dispatch_width;
   bool simd4x2;          /* eight channels are two vectors */
   bool one_object;       /* GS, simd4x2: one primitive a thread */
   bool few_registers;    /* schedule for fewer than there are */
   bool keeps_subnormals; /* of 32 bits, which the shader asks for */
   uint32_t most_spills;  /* it fails with more; 0: any number will do */
   bool profile;          /* keep what each instruction costs: costs */
   uint64_t debug;        /* INTEL_DEBUG_* */
   FILE *log;
   const struct intel_pass_watch *watch; /* or NULL */

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
   bool no_int64; /* all are lowered, where the EU has none */
   struct eu_payload payload;
   uint32_t input_grfs;     /* of attributes; emission counts them */
   uint32_t first_free_grf; /* after payload, constants, attributes */

   bool uses_halt;
   uint32_t scratch_B; /* per thread, spills included */
   uint32_t spills, fills;
   uint32_t max_live_grf;
   uint32_t cycles;
   struct eu_cost *costs; /* with `profile`: one for each instruction */
   uint32_t loops;

   bool failed;
   const char *fail_msg;

   struct eu_cfg cfg; /* valid from eu_calculate_cfg on, until an
                                   instruction is added or removed */
};

/* ---- eu_ir.c ---- */

struct eu_shader *eu_shader_create(struct arena *arena,
                                   const struct intel_compiler *compiler,
                                   gl_shader_stage stage,
                                   unsigned dispatch_width);
uint32_t eu_alloc_vgrf(struct eu_shader *s, unsigned grfs);
void eu_fail(struct eu_shader *s, const char *fmt, ...) PRINTFLIKE(2, 3);

static inline unsigned
eu_type_sz(unsigned type)
{
   return isa_type_size_B((enum isa_type)type);
}

static inline bool
eu_type_is_float(unsigned type)
{
   return isa_type_info((enum isa_type)type)->is_float;
}

/* Where a source of three may begin that is not repeated. */
static inline unsigned
eu_src3_align_B(const struct eu_shader *s, const eu_reg *r)
{
   return s->devinfo->eu.half_src3_is_aligned && eu_type_sz(r->type) == 2
             ? REG_SIZE_B
             : REG_SIZE_B / 2;
}

/* The unsigned integer type of that many bytes. */
static inline uint8_t
eu_uint_type(unsigned size_B)
{
   return size_B == 8   ? ISA_TYPE_UQ
          : size_B == 4 ? ISA_TYPE_UD
          : size_B == 2 ? ISA_TYPE_UW
                        : ISA_TYPE_UB;
}

/* The signed one. */
static inline uint8_t
eu_sint_type(unsigned size_B)
{
   return size_B == 8   ? ISA_TYPE_Q
          : size_B == 4 ? ISA_TYPE_D
          : size_B == 2 ? ISA_TYPE_W
                        : ISA_TYPE_B;
}

static inline eu_reg
eu_vgrf_reg(uint32_t nr, unsigned type)
{
   return (eu_reg) {
      .file = EU_VGRF, .nr = nr, .type = (uint8_t)type, .stride = 1
   };
}

static inline eu_reg
eu_grf(unsigned nr, unsigned type)
{
   return (eu_reg) {
      .file = EU_GRF, .nr = nr, .type = (uint8_t)type, .stride = 1
   };
}

static inline eu_reg
eu_null(unsigned type)
{
   return (eu_reg) {
      .file = EU_ARF, .nr = ISA_ARF_NULL, .type = (uint8_t)type, .stride = 1
   };
}

static inline eu_reg
eu_acc(unsigned type)
{
   return (eu_reg) {
      .file = EU_ARF, .nr = ISA_ARF_ACC, .type = (uint8_t)type, .stride = 1
   };
}

/* f1.0, which holds nothing from one NIR instruction to the next. */
#define EU_FLAG_SCRATCH 2

/* f<n / 2>.<n % 2> as a UW scalar. */
static inline eu_reg
eu_flag_reg(unsigned n)
{
   return (eu_reg) { .file = EU_ARF,
                     .type = ISA_TYPE_UW,
                     .nr = ISA_ARF_FLAG + n / 2,
                     .offset = (n % 2) * 2 };
}

static inline eu_reg
eu_imm(unsigned type, uint64_t bits)
{
   return (eu_reg) { .file = EU_IMM, .type = (uint8_t)type, .imm = bits };
}
#define eu_imm_ud(v) eu_imm(ISA_TYPE_UD, (uint32_t)(v))
#define eu_imm_d(v) eu_imm(ISA_TYPE_D, (uint32_t)(int32_t)(v))
#define eu_imm_uw(v) eu_imm(ISA_TYPE_UW, (uint16_t)(v))
#define eu_imm_f(v) eu_imm(ISA_TYPE_F, util_float_bits(v))
#define eu_imm_v(v) eu_imm(ISA_TYPE_V, (uint32_t)(v))

static inline eu_reg
eu_retype(eu_reg r, unsigned type)
{
   r.type = (uint8_t)type;
   return r;
}

static inline eu_reg
eu_negate(eu_reg r)
{
   assert(r.file != EU_IMM);
   r.negate = !r.negate;
   return r;
}

static inline eu_reg
eu_abs(eu_reg r)
{
   r.abs = true;
   r.negate = false;
   return r;
}

static inline eu_reg
eu_byte_offset(eu_reg r, unsigned bytes)
{
   if (r.file != EU_IMM && r.file != EU_BAD)
      r.offset += bytes;
   return r;
}

/* The same channels, `n` channels further on. */
static inline eu_reg
eu_horiz_offset(eu_reg r, unsigned n)
{
   if (r.file == EU_IMM || r.file == EU_BAD)
      return r;
   if (r.region) {
      /* Whole rows only. */
      assert(r.w && n % r.w == 0);
      return eu_byte_offset(r, n / r.w * r.vs * eu_type_sz(r.type));
   }
   return eu_byte_offset(r, n * r.stride * eu_type_sz(r.type));
}

/* Channel `n` of r as a scalar. */
static inline eu_reg
eu_component(eu_reg r, unsigned n)
{
   if (r.file == EU_IMM)
      return r;
   r = eu_horiz_offset(r, n);
   r.stride = 0;
   r.region = false;
   return r;
}

/* Piece i of type `type` within each channel: eu_subscript(DF, UD, 1) is the
 * high dwords. */
static inline eu_reg
eu_subscript(eu_reg r, unsigned type, unsigned i)
{
   const unsigned ratio = eu_type_sz(r.type) / eu_type_sz(type);

   assert(!r.region && ratio >= 1 && i < ratio);
   if (r.file == EU_IMM) {
      const unsigned bits = eu_type_sz(type) * 8;
      r.imm = (r.imm >> (i * bits)) & BITFIELD64_MASK(bits);
   } else {
      r.offset += i * eu_type_sz(type);
      r.stride = (uint8_t)(r.stride * ratio);
   }
   return eu_retype(r, type);
}

static inline eu_reg
eu_region(eu_reg r, unsigned vs, unsigned w, unsigned hs)
{
   r.region = true;
   r.vs = (uint8_t)vs;
   r.w = (uint8_t)w;
   r.hs = (uint8_t)hs;
   return r;
}

static inline bool
eu_is_null(const eu_reg *r)
{
   return r->file == EU_ARF && r->nr == ISA_ARF_NULL;
}

/* The row of its opcode. */
static inline const struct eu_opcode_info *
eu_info(const struct eu_inst *inst)
{
   return &eu_opcode_infos[inst->op];
}

static inline bool
eu_is_send(const struct eu_inst *inst)
{
   return eu_info(inst)->is_send;
}

/* Whether the extended descriptor is of a register, src[2]. */
static inline bool
eu_sends_handle(const struct eu_inst *inst)
{
   return eu_is_send(inst) && inst->sources == 3 && inst->ex_mlen == 0;
}

/* An instruction that the hardware has, with operands in regions. */
static inline bool
eu_is_alu(const struct eu_inst *inst)
{
   return eu_info(inst)->emit == EU_EMIT_ALU;
}

#define eu_foreach_source(reg, inst)                                         \
   for (const eu_reg *reg = (inst)->src;                                     \
        reg < (inst)->src + (inst)->sources; reg++)

/* Whether sources may be negated, or absolute values. MATH divides integers
 * as they are (PRM SKL vol 2a, math). */
static inline bool
eu_may_modify(const struct eu_inst *inst)
{
   return eu_info(inst)->may_src_mods &&
          (inst->op != ISA_OPCODE_MATH ||
           (inst->math != ISA_MATH_INT_DIV_BOTH &&
            inst->math != ISA_MATH_INT_DIV_QUOTIENT &&
            inst->math != ISA_MATH_INT_DIV_REMAINDER));
}

/*
 * Whether a source of this type may be negated, or its absolute value, in
 * place of a register that holds that. Of an integer the modifier is applied
 * in a precision that no manual tells: -INT_MIN is INT_MIN, or one more bit.
 * So an instruction may have it only if it drops that bit.
 */
bool eu_may_fold_modifier(const struct eu_inst *inst, unsigned type);

bool eu_reg_equal(const eu_reg *a, const eu_reg *b);
/* Whether the two are in the same file and register (VGRF number; for GRF,
 * UNIFORM and ATTR the whole file counts as one register). */
bool eu_same_space(const eu_reg *a, const eu_reg *b);
bool eu_regions_overlap(const eu_reg *a, unsigned a_size_B, const eu_reg *b,
                        unsigned b_size_B);
/* Byte address within the register space of eu_same_space(). */
unsigned eu_reg_offset(const eu_reg *r);

/* Bytes from the first to the last that source `i` reads. */
unsigned eu_size_read(const struct eu_inst *inst, unsigned i);
/* Component of `swz` that channel c (0 to 3) reads. */
static inline unsigned
eu_swizzle_get(unsigned swz, unsigned c)
{
   return (swz >> (2 * c)) & 3;
}

/* Components that are read by the channels of `mask`. */
static inline unsigned
eu_components_read(unsigned swz, unsigned mask)
{
   unsigned comps = 0;

   for (unsigned c = 0; c < 4; c++) {
      if (mask & (1u << c))
         comps |= 1u << eu_swizzle_get(swz, c);
   }
   return comps;
}

/* align16: the dwords that source `i` reads, or that dst is written in, as
 * bits from its offset on. Of disabled channels, too: a write counts for both
 * vertices. */
uint32_t eu_dwords_read(const struct eu_inst *inst, unsigned i);
uint32_t eu_dwords_written(const struct eu_inst *inst);
/* Bytes that an operand with stride covers in `exec_size` channels. */
unsigned eu_region_size(const eu_reg *r, unsigned exec_size);
/* What size_written is for an instruction that writes all of its region and
 * nothing else. */
unsigned eu_default_size(const struct eu_inst *inst);

/* Mask of the four 16-bit flag registers. */
unsigned eu_flags_written(const struct eu_inst *inst);
unsigned eu_flags_read(const struct eu_inst *inst);

/* Whether a predicate leaves channels of dst alone. */
bool eu_keeps_channels(const struct eu_inst *inst);
/* Source i of an instruction on two GRFs, which runs as two halves (PRM HSW
 * vol 7, "Instruction Compression"), has the channels where the destination
 * has them: each half reads what it writes if both are the same place. */
bool eu_reads_by_halves(const struct eu_inst *inst, unsigned i);
/* Whether bytes of dst within its size_written keep their old value: a
 * stride, a predicate, or less than whole GRFs at either end. */
bool eu_is_partial_write(const struct eu_inst *inst);
bool eu_has_side_effects(const struct eu_inst *inst);
/* Reads or writes the accumulator. */
bool eu_uses_acc(const struct eu_inst *inst);
bool eu_writes_acc(const struct eu_inst *inst);
bool eu_is_commutative(const struct eu_inst *inst);
unsigned eu_exec_type(const struct eu_inst *inst);

/* ---- eu_cfg.c ---- */

/* Fills s->cfg and ip / block of all instructions. */
void eu_calculate_cfg(struct eu_shader *s);

/* ---- eu_liveness.c ---- */

/*
 * Variables are granules: 1 << granule_shift bytes from a multiple of that
 * on, those of the hardware GRFs first, then those of each VGRF. Register
 * allocation and the scalar back end want whole GRFs; a vector back end asks
 * for the least that its instructions write.
 */
#define EU_GRANULE_GRF 5
#define EU_GRANULE_OWORD 4

struct eu_liveness {
   unsigned granule_shift;
   uint32_t num_fixed; /* variables of hardware GRFs */
   uint32_t num_vars;
   uint32_t *var_of_vgrf; /* first variable of a VGRF */
   int32_t *start, *end;  /* positions (2 * ip: reads, + 1: writes);
                                  start > end: never live */
   /* Live at the end of block b: out_vars[out_first[b]] up to that of
    * b + 1. */
   uint32_t *out_first, *out_vars;
   int32_t *vgrf_start, *vgrf_end;
   /* Where the first routine begins, or INT32_MAX; whether a variable is live
    * across a call of one, NULL if there are none. */
   int32_t routines;
   bool *crosses;
};

/* Whether the operand is in a file of which liveness is known. */
static inline bool
eu_is_tracked(const eu_reg *r)
{
   return r->file == EU_VGRF || r->file == EU_GRF;
}

static inline uint32_t
eu_first_var(const struct eu_liveness *lv, const eu_reg *r)
{
   return r->file == EU_VGRF
             ? lv->var_of_vgrf[r->nr]
             : (uint32_t)r->nr << (EU_GRANULE_GRF - lv->granule_shift);
}

/* Variables [*first, *end) that `size_B` bytes from the operand on touch;
 * false: none. */
static inline bool
eu_vars_of(const struct eu_liveness *lv, const eu_reg *r, unsigned size_B,
           uint32_t *first, uint32_t *end)
{
   if (!eu_is_tracked(r) || !size_B)
      return false;
   const uint32_t base = eu_first_var(lv, r);
   *first = base + (r->offset >> lv->granule_shift);
   *end = base + ((r->offset + size_B - 1) >> lv->granule_shift) + 1;
   return true;
}

/* Those of which the instruction writes every byte, in all channels that are
 * enabled. */
bool eu_vars_defined(const struct eu_liveness *lv, const struct eu_inst *inst,
                     uint32_t *first, uint32_t *end);
/* Whether it may write before it has read everything. */
bool eu_writes_early(const struct eu_inst *inst);
/* Positions at which something may be live: two of each instruction, and one
 * before and after all. */
static inline uint32_t
eu_positions(const struct eu_shader *s)
{
   return 2 * s->cfg.num_insts + 3;
}
/* Granules that are live at each position; payload counts from the start. The
 * most at once. */
int32_t *eu_count_live(const struct eu_shader *s,
                       const struct eu_liveness *lv, struct arena *arena);
uint32_t eu_most_live(const struct eu_shader *s, const int32_t *live);

struct eu_liveness *eu_calculate_liveness(struct eu_shader *s,
                                          unsigned granule_shift,
                                          struct arena *arena);
/* Needs EU_UNIFORM and EU_ATTR to be hardware registers for them to count. */

/* Issue and latency model: sets s->cycles, and s->costs if s->profile. */
void eu_estimate_cycles(struct eu_shader *s);
unsigned eu_latency(const struct eu_inst *inst);
unsigned eu_issue_cycles(const struct eu_inst *inst);

struct eu_binary {
   uint8_t *code;
   uint32_t size_B;
   struct intel_compile_stats stats;
   /* Where the code of each NIR instruction begins, for listings; that of
    * each instruction of the IR, in a profile. */
   struct eu_origin {
      uint32_t offset_B;
      const void *nir;
      const char *note;
   } * origins;
   uint32_t num_origins;
};

/* eu_far_jumps.c: jumps that do not fit their fields go over others. `insts`
 * are struct isa_inst, `origins` struct eu_origin with indices. */
void eu_far_jumps(struct eu_shader *s, struct util_dynarray *insts,
                  struct util_dynarray *origins);

/* eu_jumps.c: sets jip and uip. pass_data of the IR's instructions is their
 * index in insts; halt_target that of HALT_TARGET, -1: there is none. */
void eu_resolve_jumps(const struct eu_shader *s, struct isa_inst *insts,
                      unsigned num_insts, int32_t halt_target);

/* eu_errata.c: whether a NOP belongs between what is there and `inst`. */
bool eu_wants_nop(const struct eu_shader *s, const struct isa_inst *insts,
                  unsigned num_insts, const struct eu_inst *inst);

/* Encodes a shader whose registers are all physical. */
bool eu_generate(struct eu_shader *s, struct eu_binary *out);

/* ---- eu_print.c, eu_validate.c ---- */

void eu_print_inst(const struct eu_inst *inst, FILE *fp);
void eu_print(const struct eu_shader *s, FILE *fp);
/* How many rules the IR breaks; each is reported in `out`. `when` names the
 * pass that came before. */
unsigned eu_find_faults(const struct eu_shader *s, const char *when,
                        FILE *out);
/* Aborts with that report on stderr when there are any. */
void eu_validate(const struct eu_shader *s, const char *when);

#endif
