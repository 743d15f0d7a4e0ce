/* SPDX-License-Identifier: MIT */
/* The cursor that isa_codec*.c share: one walk over the fields of an
 * instruction serves both directions.
 *
 * Encoding, field() writes the value and gives it back; decoding, it reads
 * the bits. So each layout is written down once, and what decodes encodes to
 * the same bits: those that no field() touched are compared with what
 * encoding would have put there (constant(), or zero).
 */
#ifndef ISA_CODEC_H
#define ISA_CODEC_H

#include "isa_fields.h"

struct isa_codec {
   const struct isa_field_bits *bits;
   enum isa_gen gen;
   bool encoding;
   bool failed;
   uint64_t q[2];
   uint64_t seen[2];     /* bits that field() has read or written */
   uint64_t constant[2]; /* decoding: what encoding writes by itself */
   struct isa_inst *inst;
   struct isa_error *err; /* may be NULL */
};

/* Notes the first failure. */
void isa_codec_fail(struct isa_codec *c, const char *fmt, ...)
   PRINTFLIKE(2, 3);

void isa_codec_range(struct isa_codec *c, enum isa_field f, uint64_t value);

static inline bool
isa_codec_is_gen8(const struct isa_codec *c)
{
   return c->gen >= ISA_BDW;
}

static inline uint64_t
isa_codec_field(struct isa_codec *c, enum isa_field f, uint64_t value)
{
   const struct isa_field_bits b = c->bits[f];
   assert(b.width && "this generation has no such field");
   const uint64_t mask = ~0ull >> (64 - b.width);
   c->seen[b.half] |= mask << b.shift;
   if (c->encoding) {
      if (value & ~mask) {
         isa_codec_range(c, f, value);
         return 0;
      }
      c->q[b.half] |= value << b.shift;
      return value;
   }
   return c->q[b.half] >> b.shift & mask;
}

/* A two's complement field. */
static inline int64_t
isa_codec_signed(struct isa_codec *c, enum isa_field f, int64_t value)
{
   const unsigned width = c->bits[f].width;
   if (c->encoding && util_sign_extend((uint64_t)value, width) != value) {
      isa_codec_range(c, f, (uint64_t)value);
      return 0;
   }
   const uint64_t mask = BITFIELD64_MASK(width);
   return util_sign_extend(isa_codec_field(c, f, (uint64_t)value & mask),
                           width);
}

/* A field in which this instruction has no choice, though hardware may
 * ignore it. */
static inline void
isa_codec_constant(struct isa_codec *c, enum isa_field f, uint64_t value)
{
   const struct isa_field_bits b = c->bits[f];
   if (c->encoding)
      c->q[b.half] |= value << b.shift;
   else
      c->constant[b.half] |= value << b.shift;
}

/* isa_codec_operand.c */
void isa_codec_dst(struct isa_codec *c, struct isa_operand *dst);
uint8_t isa_codec_nr(struct isa_codec *c, enum isa_field f,
                     enum isa_file file, uint8_t nr);
/* Source `n`, 0 or 1, of an instruction with `num_srcs` sources; only the
 * last one may be an immediate. */
void isa_codec_src(struct isa_codec *c, unsigned n, unsigned num_srcs);
void isa_codec_src3(struct isa_codec *c);
/* Register number and sub-register in a0, r or ARF; n is 0 or 1. */
void isa_codec_direct(struct isa_codec *c, unsigned n,
                      struct isa_operand *src);
enum isa_type isa_codec_type(struct isa_codec *c, enum isa_field f,
                             enum isa_type_kind kind, enum isa_type type);
enum isa_file isa_codec_file(struct isa_codec *c, enum isa_field f,
                             enum isa_file file);
void isa_codec_immediate(struct isa_codec *c, struct isa_operand *src);

/* The fields of a register-indirect address: a0's sub-register, the offset in
 * bytes and in units of 16, and its top bit where that stands apart. */
struct isa_address_fields {
   enum isa_field subnr, imm, imm16, imm9;
};
void isa_codec_address(struct isa_codec *c, struct isa_operand *o,
                       bool align16, const struct isa_address_fields *f);

/* isa_codec_flow.c */
void isa_codec_flow(struct isa_codec *c);

/* isa_codec_send.c */
void isa_codec_send(struct isa_codec *c);
void isa_codec_sends(struct isa_codec *c);

/* True for the instructions whose operands carry a math macro register in
 * place of channels: madm, math invm and rsqrtm. */
bool isa_inst_is_math_macro(const struct isa_inst *inst);

static inline enum isa_field
isa_src_field(unsigned n, enum isa_field src0_field)
{
   return src0_field + n * (ISA_FIELD_SRC1_SUBNR - ISA_FIELD_SRC0_SUBNR);
}

#endif
