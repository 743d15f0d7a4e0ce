/* SPDX-License-Identifier: MIT */
/*
 * What the files of eu/ share: the decoded form of an instruction.
 *
 * A program is an array of struct eu_op, each with the function that
 * executes it and returns the next one. Two kinds of functions execute
 * arithmetic: the bodies of generic.c can do everything, one lane after the
 * other, from struct eu_slow; those of fast.c do the usual forms a register
 * at a time. A test runs instructions through both.
 */
#ifndef SIM_EU_PRIVATE_H
#define SIM_EU_PRIVATE_H

#include "intel/isa/isa.h"
#include "intel/sim/eu/program/effects.h"
#include "intel/sim/eu/eu.h"
#include "intel/sim/gen/traits.h"
#include "util/macros.h"

typedef util_i128 eu_i128;

/* How an instruction computes: integer (exact, then cut to the destination),
 * or in one of the three float formats. */
enum eu_class {
   EU_INT,
   EU_HF,
   EU_F,
   EU_DF,
};

/* Indices of sim_eu_thread::host_fp. */
enum eu_fp {
   EU_FP_F,
   EU_FP_DF,
   /* DF to F, where our code flushes what the rounded result makes a
    * denormal; the host would flush what is one before it is rounded. */
   EU_FP_NARROW,
   /* F, to nearest whatever cr0 says: extended math (PRM IVB vol 4 part 3,
    * 6.41, "math"). */
   EU_FP_MATH,
   EU_FP_COUNT,
};

struct eu_op;

typedef const struct eu_op *(*eu_fn)(struct sim_eu_thread *t,
                                     const struct eu_op *op);

/* How a fast body loads a source. */
enum PACKED_ENUM eu_kind {
   EU_KIND_NONE,
   EU_KIND_VEC,    /* elements one after the other */
   EU_KIND_SCALAR, /* one element for all channels */
   EU_KIND_IMM,    /* likewise, from the instruction */
   EU_KIND_VEC2,   /* every second element */
   EU_KIND_REGION, /* any: offsets in a table */
   EU_KIND_VALUES, /* V, UV, VF: eight values in a table, repeating */
};

struct eu_src {
   enum eu_kind kind;
   enum isa_type type;
   bool mods; /* negate or abs */
   bool negate, abs;
   uint16_t off_B; /* of the first element in the GRF file */
   /* Modifiers of a float: (x & and_hi) ^ xor_hi, on the dword with the
    * sign. */
   uint32_t and_hi, xor_hi;
   union {
      uint64_t imm;
      const uint16_t *lane_off_B; /* EU_KIND_REGION, absolute */
      const uint64_t *values;     /* EU_KIND_VALUES */
   };
};

#define EU_NO_MASK (1u << 0)
#define EU_PRED (1u << 1)
#define EU_SAT (1u << 2)
#define EU_DST_NULL (1u << 3)
#define EU_DST_STRIDE2 (1u << 4)
#define EU_PRED_INV (1u << 5)
/* fast: sources are registers of 32 or 64 bits a channel side by side, one
 * element or an immediate; the result is written whole: no predicate, no
 * condition, no saturation. */
#define EU_PLAIN (1u << 6)

/* Fast bodies that jit_bodies.c can write, too. */
/* clang-format off */
#define EU_FAST_BODIES(X)                                                   \
    X(MOV_RAW32, mov_raw32) X(MOV_RAW64, mov_raw64)                         \
    X(SEL_RAW32, sel_raw32) X(SEL_RAW64, sel_raw64) X(SEL_F, sel_f)         \
    X(SEL_INT, sel_int) X(MOV_F, mov_f) X(ADD_F, add_f) X(MUL_F, mul_f)     \
    X(MAD_F, mad_f) X(LRP_F, lrp_f) X(RNDE_F, rnde_f) X(RNDD_F, rndd_f)     \
    X(RNDU_F, rndu_f) X(RNDZ_F, rndz_f) X(MOV_DF, mov_df)                   \
    X(ADD_DF, add_df) X(MUL_DF, mul_df) X(MAD_DF, mad_df)                   \
    X(MOV_INT, mov_int) X(ADD_INT, add_int) X(MUL_INT, mul_int)             \
    X(NOT_INT, not_int) X(AND_INT, and_int) X(OR_INT, or_int)               \
    X(XOR_INT, xor_int) X(SHL_INT, shl_int) X(SHR_INT, shr_int)             \
    X(ASR_INT, asr_int) X(MOV_F_FROM_D, mov_f_from_d)                       \
    X(MOV_D_FROM_F, mov_d_from_f) X(CMP_F, cmp_f)                           \
    X(CMP_DF, cmp_df) X(CMP_D, cmp_d) X(CMP_UD, cmp_ud)                     \
    X(MINMAX_F, minmax_f) X(MINMAX_DF, minmax_df) X(MINMAX_D, minmax_d)     \
    X(MINMAX_UD, minmax_ud) X(PLN_F, pln_f) X(MATH_F, math_f)

enum PACKED_ENUM eu_body {
   EU_BODY_OTHER,
#define X(name, function) EU_BODY_##name,
   EU_FAST_BODIES(X)
#undef X
   EU_BODY_COUNT,
};
/* clang-format on */

struct eu_op {
   /* Where the loop of a thread that nobody looks at goes: fn, or host code
    * for this op and those after it (jit.c). */
   eu_fn hot;
   eu_fn fn;
   const struct isa_inst *inst;
   uint32_t lanes; /* BITFIELD_MASK(exec_size) */
   uint8_t flags;  /* EU_* */
   uint8_t group;
   uint8_t exec_size;
   uint8_t chunks; /* fast: registers of 8 (DF: 4) channels */
   enum isa_cond_mod cmod;
   enum isa_pred pred;
   uint8_t flag_nr, flag_shift; /* 0 or 16 */
   uint16_t dst_off_B;
   enum isa_type dst_type;
   bool has_slow;   /* `slow` is valid, not `illegal` */
   bool is_illegal; /* `illegal` is */
   enum eu_body body;
   uint32_t ip_B, size_B;
   /* Instructions before this one in the program, and the same in units of
    * eight channels. */
   uint32_t index, simd8;
   /* When it is issued and when the next one may be, in cycles from the
    * program's start: see timing.c. */
   uint32_t cycle, cycle_end;
   /* Cycles in which the instructions before this one, and this one, were
    * issued: what they cost an EU that has other threads to run meanwhile. */
   uint32_t issue, issue_end;
   struct eu_src src[3];
   union {
      const struct eu_slow *slow;
      const struct isa_message *message; /* sends: NULL if it is in a0 */
      const char *illegal;               /* why it cannot be executed */
   };
   /* Flow control: where to; NULL when outside of the program. */
   const struct eu_op *jip, *uip;
   uint32_t jip_B, uip_B; /* as offsets in the program */
};

/* Generic form -------------------------------------------------------- */

enum PACKED_ENUM eu_where {
   EU_GRF,      /* at lane_off_B[] */
   EU_INDIRECT, /* at lane_off_B[] from an address register */
   EU_ARF,
   EU_IMM,
   EU_NULL,
};

struct eu_operand {
   enum eu_where where;
   enum isa_type type;
   uint8_t size_B;
   bool negate, abs;
   uint8_t nr;      /* EU_ARF */
   uint8_t subnr_B; /* EU_ARF */
   /* EU_INDIRECT: row of channels that share an address sub-register. */
   uint8_t addr_subnr, addr_row;
   bool addr_rows; /* VxH: each row has its own */
   int16_t addr_imm_B;
   union {
      /* Of each channel's element; in bytes in the GRF file for EU_GRF, from
       * the address for EU_INDIRECT, from the register for EU_ARF. */
      uint16_t lane_off_B[SIM_MAX_LANES];
      uint64_t imm[8]; /* EU_IMM: values of channels 0 to 7, repeating */
   };
};

union eu_value {
   eu_i128 i;
   float f; /* also HF */
   double d;
};

struct eu_slow;

struct eu_slow {
   enum eu_class cls;
   enum isa_type exec_type; /* integer execution type */
   uint8_t nsrc;
   bool raw;      /* MOV or SEL that keeps all bits */
   bool is_logic; /* negate means NOT (Gen8+) */
   uint8_t half;  /* channels executed at a time */
   /* First channel of the second half, relative to group; = half but for
    * compression on Gen7. */
   uint8_t second;
   uint32_t lane_mask; /* Align16 write mask as channels */
   struct eu_operand dst, src[3];
   const struct sim_traits *traits;
};

struct sim_eu_program {
   unsigned verx10;
   bool low_power;
   uint32_t size_B, count;
   uint8_t *bytes;   /* the code as it was decoded */
   uint64_t address; /* where the cache found it */
   uint64_t used_in; /* the cache's round that last asked for it */
   uint64_t hash;    /* of the bytes: save.c */
   struct sim_effects effects;
   struct eu_op *ops;
   uint32_t num_ops;
   /* Op of each 8-byte unit of code; ~0 where no instruction starts. */
   uint32_t *op_at;
   /* What strict mode knows of it (shadow_private.h), or NULL. */
   struct shadow_program *shadow;
   /* Host code, or NULL: so many bytes of pages. */
   void *code;
   size_t code_B;
   struct arena *arena;
};

static inline bool
eu_type_is_float(enum isa_type t)
{
   return t == ISA_TYPE_HF || t == ISA_TYPE_F || t == ISA_TYPE_DF ||
          t == ISA_TYPE_VF;
}

static inline bool
eu_type_is_signed(enum isa_type t)
{
   return t == ISA_TYPE_B || t == ISA_TYPE_W || t == ISA_TYPE_D ||
          t == ISA_TYPE_Q || t == ISA_TYPE_V;
}

/* How many bits a shift goes round in: 64 if the first source or the
 * destination has them, but not for the count (PRM BDW vol 2a, shl). */
static inline unsigned
eu_shift_width(const struct eu_slow *s)
{
   return s->src[0].size_B == 8 || s->dst.size_B == 8 ? 64 : 32;
}

/* Predicates other than NORMAL: bits of the channels from `group` on. */
uint32_t eu_predicate_slow(const struct sim_eu_thread *t,
                           const struct eu_op *op);

/* Predicate bits, bit 0 for channel 0 of the instruction. */
static inline uint32_t
eu_predicate(const struct sim_eu_thread *t, const struct eu_op *op)
{
   uint32_t p;
   if (__builtin_expect(op->pred == ISA_PRED_NORMAL, 1))
      p = t->flag[op->flag_nr] >> op->flag_shift >> op->group;
   else
      p = eu_predicate_slow(t, op);
   return op->flags & EU_PRED_INV ? ~p : p;
}

/* Channels that are on for the instruction, whatever its predicate says. */
static inline uint32_t
eu_active_mask(const struct sim_eu_thread *t, const struct eu_op *op)
{
   return op->flags & EU_NO_MASK ? op->lanes
                                 : op->lanes & (t->active >> op->group);
}

/* Channels on which the instruction acts, predicate included. */
static inline uint32_t
eu_exec_mask(const struct sim_eu_thread *t, const struct eu_op *op)
{
   const uint32_t m = eu_active_mask(t, op);
   return op->flags & EU_PRED ? m & eu_predicate(t, op) : m;
}

/* Whether this is a plain instruction with all of its channels on. */
static inline bool
eu_is_plain(const struct sim_eu_thread *t, const struct eu_op *op)
{
   return op->flags & EU_PLAIN && eu_active_mask(t, op) == op->lanes;
}

/* Sets flag bits of the channels in `mask` (from the instruction's first
 * channel) to those of `bits`. */
static inline void
eu_set_flags(struct sim_eu_thread *t, const struct eu_op *op, uint32_t mask,
             uint32_t bits)
{
   const unsigned shift = op->flag_shift + op->group;
   uint32_t *f = &t->flag[op->flag_nr];
   /* In 64 bits: f0.1 has no bits for channels from 16 on. */
   *f = (*f & ~(uint32_t)((uint64_t)mask << shift)) |
        (uint32_t)((uint64_t)(bits & mask) << shift);
}

/* Part of a division or a root in steps: math.c. */
static inline bool
eu_is_macro(const struct isa_inst *inst)
{
   return inst->opcode == ISA_OPCODE_MADM ||
          (inst->opcode == ISA_OPCODE_MATH &&
           (inst->math_function == ISA_MATH_INVM ||
            inst->math_function == ISA_MATH_RSQRTM));
}

const struct eu_op *eu_macro(struct sim_eu_thread *t, const struct eu_op *op);

/* Whether flags are written: the condition of a selection is its own (PRM SKL
 * vol 2a, sel, csel). */
static inline bool
eu_writes_flags(const struct eu_op *op)
{
   return op->cmod != ISA_COND_MOD_NONE &&
          op->inst->opcode != ISA_OPCODE_SEL &&
          op->inst->opcode != ISA_OPCODE_CSEL;
}

/* Whether src1 has a part of the payload. */
static inline bool
eu_is_split_send(const struct eu_op *op)
{
   return isa_opcode_info(op->inst->opcode)->format == ISA_FORMAT_SENDS;
}

/* The host's rounding and denormal control; see thread.c. */
void eu_update_host_fp(struct sim_eu_thread *t);
/* False, with a fault, for modes of cr0 that are not there. */
bool eu_check_control(struct sim_eu_thread *t);
void eu_set_host_fp(uint32_t mxcsr);
uint32_t eu_get_host_fp(void);

/* Whether the host's control is that for this type already. */
static inline bool
eu_has_fp(const struct sim_eu_thread *t, enum eu_fp type)
{
   return t->host_fp_now == t->host_fp[type];
}

static inline void
eu_use_fp(struct sim_eu_thread *t, enum eu_fp type)
{
   if (__builtin_expect(!eu_has_fp(t, type), 0)) {
      t->host_fp_now = t->host_fp[type];
      eu_set_host_fp(t->host_fp_now);
   }
}

/* Entry points of the files ---------------------------------------------- */

/* Arithmetic, logic and moves of any form. */
const struct eu_op *eu_generic(struct sim_eu_thread *t,
                               const struct eu_op *op);
/* Whether generic.c has a body for this instruction. */
bool eu_generic_supports(const struct isa_inst *inst);

/* flow.c: the function of a flow-control opcode, or NULL. */
eu_fn eu_flow_select(const struct isa_inst *inst);
/* Whether it changes nothing, and goes on after itself, as long as some
 * channel is active and none of those that are leaves: `leaves` says that
 * these are the ones with the predicate, else those without. */
/* Whether channels may go where others do not. */
bool eu_flow_diverges(const struct sim_eu_program *p);
bool eu_flow_may_pass(const struct eu_op *op, bool *leaves);
const struct eu_op *eu_flow_join(struct sim_eu_thread *t,
                                 const struct eu_op *op);
const struct eu_op *eu_flow_off_end(struct sim_eu_thread *t,
                                    const struct eu_op *op);

/* send.c. A descriptor that is an immediate is taken apart once, here. */
void eu_decode_send(const struct isa_inst *inst, unsigned verx10,
                    struct arena *a, struct eu_op *op);
/* What is known of a message before its registers are found; `fields` is room
 * for those of a descriptor in a register. */
void eu_message_fields(struct sim_eu_thread *t, const struct eu_op *op,
                       struct isa_message *fields, struct sim_message *m);
const struct eu_op *eu_send(struct sim_eu_thread *t, const struct eu_op *op);
const struct eu_op *eu_wait(struct sim_eu_thread *t, const struct eu_op *op);

/* Fast bodies, built for the baseline and for AVX2 with FMA: sets op->fn
 * and the fields that it needs, or returns false. */
bool eu_fast_select_base(struct eu_op *op, struct arena *a);
bool eu_fast_select_avx2(struct eu_op *op, struct arena *a);
/* What their second build wants of the host, and host code, too. */
static inline bool
eu_host_has_avx2(void)
{
   return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* A copy of dwords from where the address register says, in one piece: if it
 * faults, nothing is written yet. */
static inline bool
eu_moves_indirect(const struct eu_op *op, const struct eu_slow *s)
{
   return op->inst->opcode == ISA_OPCODE_MOV && s->raw &&
          s->dst.size_B == 4 && op->cmod == ISA_COND_MOD_NONE &&
          s->src[0].where == EU_INDIRECT && op->exec_size <= 8 &&
          op->exec_size <= s->half;
}

/* The bodies of fast_sizes.c, or NULL. */
eu_fn eu_fast_sizes_base(const struct eu_op *op, const struct eu_slow *s);
eu_fn eu_fast_sizes_avx2(const struct eu_op *op, const struct eu_slow *s);

/* jit.c: gives the program host code, if the host can run it. */
void eu_jit_program(struct sim_eu_program *p);
void eu_jit_free(struct sim_eu_program *p);

/* timing.c: fills in the cycles of all ops. */
void eu_time_program(struct sim_eu_program *p);

/* save.c: a hash of the bytes (FNV-1a); writes them to a file in `dir`. */
uint64_t eu_program_hash(const uint8_t *bytes, uint32_t size_B);
void eu_save_program(const struct sim_eu_program *p, const char *dir);

/* Which bodies a program uses: for tests. */
enum eu_bodies {
   EU_BODIES_BEST, /* interpreted */
   EU_BODIES_GENERIC,
   EU_BODIES_BASE,
   EU_BODIES_HOST_CODE,
};

struct sim_eu_program *eu_program_from_insts(unsigned verx10, bool low_power,
                                             const struct isa_inst *insts,
                                             unsigned count,
                                             enum eu_bodies bodies);
struct sim_eu_program *eu_program_from_bytes(unsigned verx10, bool low_power,
                                             const void *code,
                                             uint32_t size_B,
                                             enum eu_bodies bodies);

/* The op at a byte offset; NULL where no instruction starts. */
const struct eu_op *eu_program_at(const struct sim_eu_program *p,
                                  uint32_t ip_B);

/* The text of an instruction, as far as it fits; "" if the host has no memory
 * to make it. */
void sim_eu_print_inst(unsigned verx10, const struct isa_inst *inst,
                       char *out, size_t size_B);

/* Leaves op for `to` (out of line of sight): counts what ran since the last
 * jump. False when the limit of instructions is reached. */
bool eu_leave(struct sim_eu_thread *t, const struct eu_op *op,
              const struct eu_op *to);

/* alu.c: whether the instruction means something else on its generation than
 * the fast bodies do: MUL of dwords, and modifiers of logic operations. */
bool eu_differs_from_fast(const struct eu_op *op, const struct eu_slow *s);

/* math.c: one lane of MATH. */
float eu_math_f(enum isa_math f, float a, float b);

/* alt.c: the alternate floating-point mode. Executes an instruction in it;
 * a number without infinity and NaN; one lane of MATH. */
static inline bool
eu_is_alt(const struct sim_eu_thread *t)
{
   return __builtin_expect(t->cr0[0] & SIM_CR0_FLOAT_ALT, 0);
}
const struct eu_op *eu_alt(struct sim_eu_thread *t, const struct eu_op *op);
float eu_alt_limit(float f);
static inline bool
eu_keeps_denorms_f(const struct sim_eu_thread *t)
{
   return (t->cr0[0] & (SIM_CR0_DENORM_F | SIM_CR0_FLOAT_ALT)) ==
          SIM_CR0_DENORM_F;
}
float eu_alt_math(enum isa_math f, float a, float b);

/* convert.c */
float eu_half_to_float(uint16_t h, bool keep_denorms);
uint16_t eu_float_to_half(float f, unsigned rounding, bool keep_denorms);
/* The same with one rounding of `d` + `sticky`, where sticky says that bits
 * below d's precision were cut (d rounded to odd). */
uint16_t eu_double_to_half(double d, unsigned rounding, bool keep_denorms);
float eu_vf_to_float(uint8_t vf);

/* chaos.c: what is drawn from a seed for a thread of env->chaos. Registers,
 * flags, addresses and accumulators of a new thread. */
void eu_chaos_thread(struct sim_chaos *c, struct sim_eu_thread *t);

/* After an instruction of the extended math: moves its results. */
void eu_chaos_math(const struct sim_chaos *c, struct sim_eu_thread *t,
                   const struct eu_op *op);

/* Modes of cr0, and of eu_round_f(). */
#define EU_ROUND_EVEN 0
#define EU_ROUND_UP 1
#define EU_ROUND_DOWN 2
#define EU_ROUND_ZERO 3

float eu_round_f(float f, unsigned rounding);

#endif
