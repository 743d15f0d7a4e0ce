/* SPDX-License-Identifier: MIT */
/* Between the files of this folder: an instruction as rules look at it. */
#ifndef SIM_LEGAL_PRIVATE_H
#define SIM_LEGAL_PRIVATE_H

#include "intel/isa/isa_messages.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/legal/legal.h"

/* The kernels in Debian's i965-va-driver, for rules that they break. */
#define VAAPI "intel-vaapi-driver 2.4.1, "

#define LEGAL_GRF_B 32
#define LEGAL_MAX_CHANNELS 32

#define LEGAL_IVB (1 << ISA_IVB)
#define LEGAL_HSW (1 << ISA_HSW)
#define LEGAL_BDW (1 << ISA_BDW)
#define LEGAL_SKL (1 << ISA_SKL)
#define LEGAL_7 (LEGAL_IVB | LEGAL_HSW)
#define LEGAL_8UP (LEGAL_BDW | LEGAL_SKL)
#define LEGAL_TO_8 (LEGAL_7 | LEGAL_BDW)
#define LEGAL_ALL (LEGAL_7 | LEGAL_8UP)

/* Where the channels of an operand lie, from the first byte of its first
 * register on. */
struct legal_span {
   bool known;  /* a direct register with a region */
   bool scalar; /* one element for all */
   uint16_t at_B[LEGAL_MAX_CHANNELS];
   uint8_t size_B;
   uint8_t regs; /* from the first register to the last one touched */
};

struct legal {
   enum isa_gen gen;
   const struct sim_traits *traits;
   const struct isa_inst *inst;
   const struct isa_opcode_info *info;
   unsigned num_srcs;
   bool alu;     /* computes: has operands with types, and regions */
   bool ternary; /* three sources, in a form of their own */
   bool macro;   /* names extended accumulators in place of channels */
   /* Sources: types as they are computed with (of a vector immediate those
    * of its elements), and the type of execution with its size in the units
    * that the generation counts in. */
   enum isa_type type[3];
   unsigned exec_B;
   struct legal_span dst, src[3];
};

struct legal_check {
   struct sim_legal_rule rule;
   bool (*broken)(const struct legal *l);
};

/* NULL-terminated by an entry without `broken`. */
extern const struct legal_check legal_form_rules[], legal_type_rules[],
   legal_region_rules[], legal_align16_rules[], legal_operand_rules[],
   legal_message_rules[], legal_flow_rules[], legal_low_power_rules[];

#define LEGAL_TYPE(t) (1u << ISA_TYPE_##t)
#define LEGAL_BYTES (LEGAL_TYPE(UB) | LEGAL_TYPE(B))
#define LEGAL_WORDS (LEGAL_TYPE(UW) | LEGAL_TYPE(W))
#define LEGAL_DWORDS (LEGAL_TYPE(UD) | LEGAL_TYPE(D))
#define LEGAL_QWORDS (LEGAL_TYPE(UQ) | LEGAL_TYPE(Q))
#define LEGAL_FLOATS (LEGAL_TYPE(HF) | LEGAL_TYPE(F) | LEGAL_TYPE(DF))
#define LEGAL_INTS (LEGAL_BYTES | LEGAL_WORDS | LEGAL_DWORDS | LEGAL_QWORDS)

static inline bool
legal_is(enum isa_type type, unsigned set)
{
   return set >> type & 1;
}

static inline bool
legal_is_arf(const struct isa_operand *o, enum isa_arf arf)
{
   return o->file == ISA_FILE_ARF && !o->indirect && (o->nr & 0xf0) == arf;
}

static inline bool
legal_is_null(const struct isa_operand *o)
{
   return legal_is_arf(o, ISA_ARF_NULL);
}

static inline bool
legal_has_dst(const struct legal *l)
{
   return l->info->has_dst && !legal_is_null(&l->inst->dst);
}

static inline bool
legal_is_send(const struct legal *l)
{
   return l->info->format == ISA_FORMAT_SEND ||
          l->info->format == ISA_FORMAT_SENDS;
}

/* In the units that regions count in: Ivybridge takes doubles for pairs of
 * 32 bits (PRM IVB vol 4 part 3, "Double Float"). */
static inline unsigned
legal_size_B(const struct legal *l, enum isa_type type)
{
   return type == ISA_TYPE_DF && l->traits->doubles_count_twice
             ? 4
             : isa_type_size_B(type);
}

/* Whether the test answers to a source that is no immediate, of what
 * computes. */
bool legal_any_source(const struct legal *l,
                      bool (*test)(const struct legal *l,
                                   const struct isa_operand *o));

/* Both F and HF take part. */
bool legal_mixes_floats(const struct legal *l);

/* A move that keeps the bits. */
bool legal_is_raw(const struct legal *l);

/* An integer division of MATH. */
bool legal_divides(const struct isa_inst *inst);

/* Registers, of the payload behind the header and of the response. */
struct legal_lengths {
   uint8_t min, max, min_back, max_back;
   int8_t header; /* 1 needed, 0 may be, -1 may not be there */
   uint8_t header_grf;
   uint8_t unit; /* of both */
};

/* Of a message of which no field has a reserved value. */
struct legal_lengths legal_message_lengths(const struct isa_message *m);

#endif
