/* SPDX-License-Identifier: MIT */
/* The instruction set of the Gen7 to Gen9 execution unit (EU).
 *
 * struct isa_inst is one instruction, decoded, in terms that do not change
 * with the generation; what differs (bit positions, type codes, units of
 * jump offsets) stays inside this library. Everything here is pure: no
 * state, no IR, no meaning of opcodes beyond what the encoding needs.
 *
 * Units: register numbers in GRFs (32 bytes), sub-registers, jump offsets
 * and indirect offsets in bytes, region strides in elements of the operand's
 * type, exec_size and group in channels.
 */
#ifndef INTEL_ISA_H
#define INTEL_ISA_H

#include "util/dynarray.h"
#include "util/macros.h"
#include "util/strbuf.h"

/* Generated from isa_opcodes.py: enum isa_gen, isa_opcode, isa_type,
 * isa_cond_mod, isa_pred, isa_math, isa_sfid, isa_arf.  Each is a one-byte
 * enum. ISA_OPCODE_*, ISA_TYPE_*, ISA_COND_MOD_*, ISA_PRED_*, ISA_MATH_*,
 * ISA_SFID_*, ISA_ARF_* are the enumerators. */
#include "isa_enums.h"

#define ISA_REG_SIZE_B 32
#define ISA_INST_SIZE_B 16
#define ISA_COMPACT_SIZE_B 8
#define ISA_MAX_GRF 128

enum PACKED_ENUM isa_file {
   ISA_FILE_ARF = 0, /* architecture register: nr is an enum isa_arf + n */
   ISA_FILE_GRF = 1,
   ISA_FILE_IMM = 3,
};

enum PACKED_ENUM isa_access_mode {
   ISA_ALIGN1 = 0,
   ISA_ALIGN16 = 1,
};

enum PACKED_ENUM isa_thread_ctrl {
   ISA_THREAD_NORMAL = 0,
   ISA_THREAD_ATOMIC = 1,
   ISA_THREAD_SWITCH = 2,
};

/* isa_operand::vstride of the VxH and Vx1 modes: each row of `width`
 * channels has an address sub-register of its own. */
#define ISA_VSTRIDE_VXH 0xff

/* isa_operand::swizzle: two bits a channel, x in the lowest. */
#define ISA_SWIZZLE(x, y, z, w) ((x) | (y) << 2 | (z) << 4 | (w) << 6)
#define ISA_SWIZZLE_XYZW ISA_SWIZZLE(0, 1, 2, 3)
#define ISA_SWIZZLE_XYXY ISA_SWIZZLE(0, 1, 0, 1)
#define ISA_SWIZZLE_ZWZW ISA_SWIZZLE(2, 3, 2, 3)
#define ISA_SWIZZLE_XXXX ISA_SWIZZLE(0, 0, 0, 0)
#define ISA_WRITEMASK_XYZW 0xf
#define ISA_NO_MME 8

struct isa_operand {
   enum isa_file file;
   enum isa_type type;
   /* Direct: GRF number, or enum isa_arf plus index (acc1 is
    * ISA_ARF_ACC + 1). Indirect: not used, 0. */
   uint8_t nr;
   uint8_t subnr_B;

   /* The byte address in the GRF file is a0.addr_subnr (16-bit sub-registers
    * 0 to 7, to 15 on Gen8+) plus addr_imm_B (-512 to 511). */
   bool indirect;
   uint8_t addr_subnr;
   int16_t addr_imm_B;

   /* Region, in elements. A destination uses hstride alone. In Align16 a
    * source uses vstride alone. Three-source operands: vstride 0 with
    * rep_ctrl, else 4 (Align16; the swizzle of plain SIMD code is XYZW, and
    * that of a 64-bit scalar, which has no rep_ctrl, XYXY or ZWZW of 16
    * bytes); width and hstride are not used. */
   uint8_t vstride, width, hstride;

   uint8_t swizzle;   /* Align16 source */
   uint8_t writemask; /* Align16 destination: bit 0 is x */
   bool rep_ctrl;     /* three-source: replicate the scalar at subnr_B */

   /* madm and math invm/rsqrtm (Align16) name, in place of the channels, one
    * of the extended accumulators mme0 to mme7, or ISA_NO_MME. */
   uint8_t mme;

   bool negate, abs; /* on Gen8+ negate of a logic operation means NOT */

   /* ISA_FILE_IMM: the bits, zero-extended. 16-bit immediates are here once;
    * the encoder writes them to both halves of the dword, as hardware
    * wants. */
   uint64_t imm;
};

/* An instruction. All-zero is `illegal` with no operands. Fields which the
 * opcode does not have (isa_opcode_info) are 0. */
struct isa_inst {
   enum isa_opcode opcode;
   enum isa_access_mode access_mode;
   /* Channels: 1, 2, 4, 8, 16, 32. As encoded: on IVB an instruction with a
    * DF operand handles half as many doubles as exec_size says. */
   uint8_t exec_size;
   /* First channel: 8 * QtrCtrl + 4 * NibCtrl. */
   uint8_t group;
   bool no_mask; /* WE_all: write also channels that are switched off */

   enum isa_pred pred;
   bool pred_inv;
   enum isa_cond_mod cond_mod;
   uint8_t flag_nr, flag_subnr; /* f<nr>.<subnr>, for pred and cond_mod */

   bool saturate;
   bool acc_wr_en;   /* AccWrEn: also update the accumulator */
   bool branch_ctrl; /* Gen8+ if/else/goto: BranchCtrl */
   enum isa_thread_ctrl thread_ctrl;
   bool no_dd_clr, no_dd_chk;
   bool debug;     /* breakpoint */
   bool compacted; /* was, or is to be, in the 8-byte form */
   /* Decoding only: a 16-bit immediate was not there twice, so that encoding
    * does not give back the same bytes. */
   bool noncanonical;
   /* Bits without a meaning in this instruction that differ from what
    * encoding writes there by itself. Decoding finds them, encoding puts
    * them back where it writes nothing else. They have no text. */
   uint64_t ignored[2];

   enum isa_math math_function; /* ISA_OPCODE_MATH */

   /* Messages: send, sendc, sends, sendsc. The payload is src[0], and src[1]
    * for the split sends. */
   enum isa_sfid sfid;
   bool eot;
   bool desc_is_reg;      /* descriptor in a0.0 instead of desc */
   bool ex_desc_is_reg;   /* sends: extended descriptor in a0.ex_desc_subnr */
   uint8_t ex_desc_subnr; /* in 16-bit sub-registers, even */
   uint32_t desc;         /* message descriptor without EOT (bits 30:0) */
   uint32_t ex_desc; /* sends: extended descriptor without SFID and EOT */

   /* Flow control: bytes from this instruction's own address (also for
    * jmpi, whose encoding counts from the next one); calla: absolute. Where
    * the target may come from a register (jmpi, brd, brc, call, calla) it
    * does so if src[0].file is not ISA_FILE_IMM. */
   int32_t jip, uip;

   struct isa_operand dst;
   struct isa_operand src[3];
};

/* What an opcode has and may have. Rows come from isa_opcodes.py. */
enum PACKED_ENUM isa_format {
   ISA_FORMAT_NONE,    /* nop, illegal */
   ISA_FORMAT_BASIC1,  /* one source */
   ISA_FORMAT_BASIC2,  /* two sources */
   ISA_FORMAT_MATH,    /* one or two sources by function */
   ISA_FORMAT_SRC3,    /* three sources */
   ISA_FORMAT_BRANCH1, /* jip */
   ISA_FORMAT_BRANCH2, /* jip and uip */
   ISA_FORMAT_JMPI,
   ISA_FORMAT_CALL,
   ISA_FORMAT_RET,
   ISA_FORMAT_WAIT,
   ISA_FORMAT_SEND,
   ISA_FORMAT_SENDS,
};

#define ISA_NO_HW_OPCODE 0xff

/* Destinations of one of these types go with sources of those: bits
 * 1 << enum isa_type, on generations of bits 1 << enum isa_gen. */
struct isa_types {
   uint8_t gens;
   uint16_t dst, src;
};

struct isa_opcode_info {
   const char *name;
   enum isa_format format;
   uint8_t num_srcs; /* most that it can have: see isa_inst_num_srcs() */
   bool has_dst;
   uint8_t hw[ISA_GEN_COUNT]; /* ISA_NO_HW_OPCODE: not on that generation */
   bool may_predicate, may_saturate, may_cond_mod, needs_cond_mod;
   bool may_src_mods, is_logic, is_flow, has_jip, has_uip, is_send;
   bool reads_acc, writes_acc; /* though no operand names it */
   uint8_t num_types;          /* 0: any */
   const struct isa_types *types;
};

extern const struct isa_opcode_info isa_opcode_infos[ISA_OPCODE_COUNT];

static inline const struct isa_opcode_info *
isa_opcode_info(enum isa_opcode op)
{
   assert(op < ISA_OPCODE_COUNT && "not an opcode");
   return &isa_opcode_infos[op];
}

static inline bool
isa_opcode_exists(enum isa_gen gen, enum isa_opcode op)
{
   return isa_opcode_info(op)->hw[gen] != ISA_NO_HW_OPCODE;
}

struct isa_type_info {
   const char *name; /* "ud", ... */
   uint8_t size_B;
   bool is_float, is_signed, is_vector_imm;
};

extern const struct isa_type_info isa_type_infos[ISA_TYPE_COUNT];

static inline const struct isa_type_info *
isa_type_info(enum isa_type type)
{
   assert(type < ISA_TYPE_COUNT && "not a type");
   return &isa_type_infos[type];
}

static inline unsigned
isa_type_size_B(enum isa_type type)
{
   return isa_type_info(type)->size_B;
}

/* Sources that this instruction reads, 0 to 3. */
unsigned isa_inst_num_srcs(const struct isa_inst *inst);

/* "ivb" and so on; ISA_GEN_COUNT if `name` is none. Also accepts 7, 7.5, 8,
 * 9 and 7p5. */
enum isa_gen isa_gen_from_name(const char *name);
const char *isa_gen_name(enum isa_gen gen);
/* 70, 75, 80, 90. */
unsigned isa_gen_number(enum isa_gen gen);

const char *isa_cond_mod_name(enum isa_cond_mod m);
const char *isa_math_name(enum isa_math f);
const char *isa_sfid_name(enum isa_sfid s);

/* One complaint. Line and column count from 1 and are 0 where there is no
 * text; offset_B is the position in the program's bytes. */
struct isa_error {
   unsigned line, column;
   size_t offset_B;
   char text[200];
};

/* Encoding. Writes the 16-byte form. False if the instruction cannot be
 * expressed (opcode or type not on this generation, value out of its
 * field); *err, which may be NULL, says what. Does not judge whether the
 * instruction is legal: that is isa_validate(). */
bool isa_encode(enum isa_gen gen, const struct isa_inst *inst, uint32_t dw[4],
                struct isa_error *err) MUST_CHECK;

/* Decoding of the instruction at `bytes`, of which `avail_B` may be read.
 * Expands compact ones. *size_B (may be NULL) becomes 8 or 16. False for
 * bits that are no instruction; *err (may be NULL) says why. Unless
 * inst->noncanonical, encoding gives back the same bytes. */
bool isa_decode(enum isa_gen gen, const void *bytes, size_t avail_B,
                struct isa_inst *inst, unsigned *size_B,
                struct isa_error *err) MUST_CHECK;

/* The 8-byte form of a 16-byte instruction, or false if it has none. Jump
 * offsets are kept as they are. */
bool isa_compact(enum isa_gen gen, const uint32_t full[4],
                 uint32_t compact[2]) MUST_CHECK;

/* False if the bits name no compact instruction. */
bool isa_uncompact(enum isa_gen gen, const uint32_t compact[2],
                   uint32_t full[4]) MUST_CHECK;

/* Shortens every instruction that has a compact form, moves the rest down
 * and mends jumps. `offsets_B` has `num_offsets` positions in the program
 * (labels, relocations) which are moved along; may be NULL. Returns the new
 * size in bytes; 0 if the program is empty or does not decode, and is then
 * unchanged. */
size_t isa_compact_program(enum isa_gen gen, void *program, size_t size_B,
                           uint32_t *offsets_B, unsigned num_offsets);

/* Text. ---------------------------------------------------------------- */

/* The name of a jump target, for printing; NULL prints the number. */
typedef const char *(*isa_label_name)(const void *data, int64_t offset_B);

struct isa_print_options {
   size_t offset_B; /* of the instruction, for labels */
   isa_label_name label;
   const void *label_data;
};

/* One line without its end, in the syntax of Intel's assembler. `opts` may
 * be NULL. */
void isa_print(enum isa_gen gen, const struct isa_inst *inst,
               const struct isa_print_options *opts, struct strbuf *out);

/* Parses one instruction from `text` (NUL-terminated); labels are not
 * allowed, jumps are numbers. */
bool isa_parse(enum isa_gen gen, const char *text, struct isa_inst *inst,
               struct isa_error *err) MUST_CHECK;

/* What has been read of a program from its first instruction on; zeros to
 * begin with. */
struct isa_extent {
   size_t farthest_B; /* to where jumps forward lead */
   bool seen_eot;
};

/* Notes the instruction at `at_B`. True if the program ends behind it, as far
 * as that can be told, as no length is written anywhere: it ends with a
 * message that ends the thread, with the return of a routine behind that, or
 * with ILLEGAL (so that memory of zeros is no program), where no jump that
 * was seen leads farther. */
bool isa_extend(struct isa_extent *e, const struct isa_inst *inst,
                size_t at_B, unsigned size_B);

struct isa_disassemble_options {
   bool hex;      /* the bytes, in a comment after the instruction */
   bool offsets;  /* the position, in a comment before the instruction */
   bool messages; /* fields of messages by name, in a comment after them */
   /* Called before each instruction; may write whole lines. May be NULL. */
   void (*annotate)(void *data, size_t offset_B, struct strbuf *out);
   void *annotate_data;
};

/* A program with labels at jump targets. An instruction that does not decode
 * is printed as a comment and is reported in *err (the first one; false is
 * returned), and the rest goes on. `opts` and `err` may be NULL. */
bool isa_disassemble(enum isa_gen gen, const void *program, size_t size_B,
                     const struct isa_disassemble_options *opts,
                     struct strbuf *out, struct isa_error *err);

#define ISA_MAX_ERRORS 20

struct isa_errors {
   unsigned count; /* of all; only the first ISA_MAX_ERRORS are kept */
   struct isa_error error[ISA_MAX_ERRORS];
};

/* Assembles a program with labels; appends to `out`. Instructions marked
 * {Compacted} get the 8-byte form. Goes on after an error, to report more
 * of them; false if there was one. */
bool isa_assemble(enum isa_gen gen, const char *text, size_t length,
                  struct util_dynarray *out,
                  struct isa_errors *errors) MUST_CHECK;

/* Restrictions. ---------------------------------------------------------- */

/* The rule is one of those generations' low-power chips: Cherryview, Broxton,
 * Gemini Lake. */
#define ISA_LOW_POWER 0x80

enum isa_severity {
   ISA_RULE_FAULT,    /* a chip hangs, or does something else */
   ISA_RULE_STRICT,   /* only a manual forbids it: it is executed */
   ISA_RULE_COMPILER, /* legal, and never meant */
};

/* A row of isa_rules.py. */
struct isa_rule {
   const char *id;   /* "df-scalar-2", short and stable */
   const char *chip; /* the rule of `saffron rules` it is part of, or NULL */
   uint8_t gens;     /* bits 1 << enum isa_gen, ISA_LOW_POWER */
   enum isa_severity severity;
   const char *text;     /* what is not allowed, one sentence */
   const char *source;   /* manual, volume, section */
   const char *evidence; /* what shipped code says, or NULL */
};

#define ISA_MAX_FAULTS 16

struct isa_faults {
   unsigned count;
   const struct isa_rule *rule[ISA_MAX_FAULTS];
   size_t offset_B[ISA_MAX_FAULTS];
};

/* The rules by index; NULL after the last one. */
const struct isa_rule *isa_rule_at(unsigned index);

/* The rule after *from (0 to begin with, moved on) that the instruction
 * breaks on this chip, of any severity; NULL if there is none. */
const struct isa_rule *isa_rule_next(enum isa_gen gen, bool low_power,
                                     const struct isa_inst *inst,
                                     unsigned *from);

/* The first rule by which the instruction is a fault on this chip, or
 * NULL. */
const struct isa_rule *isa_rule_fault(enum isa_gen gen, bool low_power,
                                      const struct isa_inst *inst);

/* Appends to *faults (which the caller zeroes) each rule that the
 * instruction breaks on this chip; true if there was none. */
bool isa_validate(enum isa_gen gen, bool low_power,
                  const struct isa_inst *inst, struct isa_faults *faults);

/* Decodes and validates a program, and that its jumps lead to instructions
 * or to its end; *err, which may be NULL, is set where decoding fails. */
bool isa_validate_program(enum isa_gen gen, bool low_power,
                          const void *program, size_t size_B,
                          struct isa_faults *faults, struct isa_error *err);

#endif
