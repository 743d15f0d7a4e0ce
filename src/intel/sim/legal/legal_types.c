/* SPDX-License-Identifier: MIT */
/*
 * What each opcode may have: predicate, conditional modifier, saturation,
 * source modifiers; and which types go to which.
 *
 * Facts: the pages of the instructions (PRM IVB vol 4 part 3; HSW vol 2b;
 * BDW, SKL vol 2a), as Intel's own assembler has them in the tables of
 * ModelGen7p5.hpp, ModelGen8.hpp and ModelGen9.hpp (intel-graphics-compiler,
 * visa/iga).
 */
#include "intel/sim/legal/legal_private.h"

enum {
   PRED = 1,
   CMOD = 2,
   SAT = 4,
   MODS = 8,
};

#define INT32 (LEGAL_BYTES | LEGAL_WORDS | LEGAL_DWORDS)
#define WIDE32 (LEGAL_WORDS | LEGAL_DWORDS)
#define UNSIGNED (LEGAL_TYPE(UB) | LEGAL_TYPE(UW) | LEGAL_TYPE(UD))
#define Q64 LEGAL_QWORDS
#define F32 LEGAL_TYPE(F)
#define F16 LEGAL_TYPE(HF)
#define F64 LEGAL_TYPE(DF)

/* A row without a word about it stands on the manual's page; the others have
 * the compiler that emits them, on chips that run what it emits. */
struct types {
   uint8_t gens;
   uint16_t dst, src;
   const char *seen;
};

/* Who emits what the manual's page has not. */
#define MESA_BFM "Mesa 22.3, bitfieldInsert: a mask of UD by two of D"
#define VAAPI_MUL VAAPI "the low word of D times W"
#define NO_SIGN "IGC 1.0.12504 (MACH, MATH of UD to D), Mesa 22.3 (FBH to D)"

#define IGC_MACRO "IGC 1.0.12504: INVM begins each division of doubles"

#define MAX_TYPES 15

struct opcode {
   uint8_t has;
   struct types types[MAX_TYPES];
};

/* Groups of rows that many opcodes share. */
#define SAME(gens, type)                                                     \
   {                                                                         \
      gens, LEGAL_TYPE(type), LEGAL_TYPE(type)                               \
   }
#define MIXED_FLOATS                                                         \
   {                                                                         \
      LEGAL_SKL, F16 | F32, F16 | F32                                        \
   }
#define FLOATS_ALONE                                                         \
   SAME(LEGAL_ALL, F), SAME(LEGAL_ALL, DF), SAME(LEGAL_8UP, HF), MIXED_FLOATS
/* Integers of 64 bits with narrower ones, but bytes. */
#define WITH_QWORDS                                                          \
   { LEGAL_8UP, Q64, Q64 | WIDE32 },                                         \
   {                                                                         \
      LEGAL_8UP, WIDE32, Q64 | WIDE32                                        \
   }
#define INTEGERS { LEGAL_ALL, INT32, INT32 }, WITH_QWORDS
#define ONLY_F                                                               \
   {                                                                         \
      SAME(LEGAL_ALL, F)                                                     \
   }
#define COMPARED                                                             \
   { LEGAL_ALL, F32, INT32 }, INTEGERS, FLOATS_ALONE,                        \
   {                                                                         \
      LEGAL_8UP, F16, INT32                                                  \
   }

/* What stands in 32 bits has no sign: compilers give it either. */
#define TO_D(sources)                                                        \
   {                                                                         \
      LEGAL_ALL, LEGAL_TYPE(D), sources, NO_SIGN                             \
   }
#define UD_TO_ANY SAME(LEGAL_ALL, UD), TO_D(LEGAL_TYPE(UD))
#define UNSIGNED_TO_ANY                                                      \
   { LEGAL_ALL, LEGAL_TYPE(UD), UNSIGNED }, TO_D(UNSIGNED)

/* clang-format off */
static const struct opcode opcodes[ISA_OPCODE_COUNT] = {
   [ISA_OPCODE_MOV] = { PRED | CMOD | SAT | MODS, {
      INTEGERS, FLOATS_ALONE,
      { LEGAL_ALL, F32, INT32 }, { LEGAL_ALL, INT32, F32 },
      { LEGAL_ALL, F64, WIDE32 | F32 }, { LEGAL_ALL, WIDE32 | F32, F64 },
      { LEGAL_8UP, Q64, F32 | F64 }, { LEGAL_8UP, F32 | F64, Q64 },
      { LEGAL_8UP, F16, INT32 | F32 }, { LEGAL_8UP, INT32 | F32, F16 } } },
   [ISA_OPCODE_MOVI] = { PRED | SAT | MODS, {
      SAME(LEGAL_ALL, B), SAME(LEGAL_ALL, UB), SAME(LEGAL_ALL, W),
      SAME(LEGAL_ALL, UW), SAME(LEGAL_ALL, D), SAME(LEGAL_ALL, UD),
      SAME(LEGAL_ALL, F) } },
   [ISA_OPCODE_SMOV] = { PRED, {
      { LEGAL_8UP, WIDE32 | Q64 | F32 | F64, WIDE32 | Q64 | F32 | F64 },
      { LEGAL_SKL, WIDE32 | Q64 | LEGAL_FLOATS,
        WIDE32 | Q64 | LEGAL_FLOATS } } },
   /* Intel's table has predicate, condition and saturation, too; but where
    * the number of their flag would be are bits of the immediate. */
   [ISA_OPCODE_DIM] = { 0, { SAME(LEGAL_HSW, DF) } },
   [ISA_OPCODE_SEL] = { PRED | CMOD | SAT | MODS, {
      INTEGERS, FLOATS_ALONE } },
   [ISA_OPCODE_CSEL] = { CMOD | SAT | MODS, { SAME(LEGAL_8UP, F) } },
   [ISA_OPCODE_CMP] = { PRED | CMOD | MODS, { COMPARED } },
   [ISA_OPCODE_CMPN] = { PRED | CMOD | MODS, { COMPARED } },

   [ISA_OPCODE_NOT] = { PRED | CMOD | MODS, { INTEGERS } },
   [ISA_OPCODE_AND] = { PRED | CMOD | MODS, { INTEGERS } },
   [ISA_OPCODE_OR] = { PRED | CMOD | MODS, { INTEGERS } },
   [ISA_OPCODE_XOR] = { PRED | CMOD | MODS, { INTEGERS } },
   [ISA_OPCODE_SHL] = { PRED | CMOD | SAT | MODS, { INTEGERS } },
   [ISA_OPCODE_ASR] = { PRED | CMOD | SAT | MODS, { INTEGERS } },
   /* The manual has unsigned types only; but stock drivers halve signed
    * numbers so (see eu/alu.c). */
   [ISA_OPCODE_SHR] = { PRED | CMOD | SAT | MODS, { INTEGERS } },

   [ISA_OPCODE_BFREV] = { PRED, { UD_TO_ANY } },
   [ISA_OPCODE_BFE] = { PRED, { SAME(LEGAL_ALL, UD), SAME(LEGAL_ALL, D) } },
   [ISA_OPCODE_BFI1] = { PRED, { SAME(LEGAL_ALL, UD), SAME(LEGAL_ALL, D),
      { LEGAL_ALL, LEGAL_DWORDS, LEGAL_DWORDS, MESA_BFM } } },
   [ISA_OPCODE_BFI2] = { PRED, { SAME(LEGAL_ALL, UD), SAME(LEGAL_ALL, D) } },
   [ISA_OPCODE_FBH] = { PRED, {
      { LEGAL_ALL, LEGAL_TYPE(UD), LEGAL_DWORDS },
      { LEGAL_ALL, LEGAL_TYPE(D), LEGAL_DWORDS, NO_SIGN } } },
   /* The manual has UD; stock drivers look for the first channel that is on
    * in 8 or 16 bits of a flag. */
   [ISA_OPCODE_FBL] = { PRED, { UNSIGNED_TO_ANY } },
   [ISA_OPCODE_CBIT] = { PRED, { UNSIGNED_TO_ANY } },
   [ISA_OPCODE_LZD] = { PRED | CMOD | SAT | MODS, {
      { LEGAL_ALL, LEGAL_TYPE(UD), LEGAL_DWORDS }, TO_D(LEGAL_DWORDS) } },

   /* The manual has W only. Stock drivers have UD in Align16, and nothing is
    * signed about these bits. */
   [ISA_OPCODE_F32TO16] = { PRED | CMOD | SAT | MODS, {
      { LEGAL_7, WIDE32, F32 } } },
   [ISA_OPCODE_F16TO32] = { PRED | CMOD | SAT | MODS, {
      { LEGAL_7, F32, WIDE32 } } },

   [ISA_OPCODE_ADD] = { PRED | CMOD | SAT | MODS, {
      INTEGERS, FLOATS_ALONE,
      { LEGAL_ALL, F32, INT32 }, { LEGAL_8UP, F16, INT32 } } },
   /* Products are at least as wide as their factors; that of dwords is 64
    * bits wide since Gen8. */
   [ISA_OPCODE_MUL] = { PRED | CMOD | SAT | MODS, {
      { LEGAL_ALL, LEGAL_BYTES, LEGAL_BYTES },
      { LEGAL_ALL, LEGAL_WORDS, LEGAL_BYTES | LEGAL_WORDS },
      { LEGAL_ALL, LEGAL_DWORDS, INT32 },
      { LEGAL_8UP, Q64, LEGAL_DWORDS },
      { LEGAL_8UP, LEGAL_WORDS, WIDE32, VAAPI_MUL },
      FLOATS_ALONE } },
   [ISA_OPCODE_AVG] = { PRED | CMOD | SAT | MODS, {
      { LEGAL_ALL, INT32, INT32 } } },
   [ISA_OPCODE_MAC] = { PRED | CMOD | SAT | MODS, {
      { LEGAL_ALL, INT32, LEGAL_BYTES | LEGAL_WORDS }, FLOATS_ALONE } },
   [ISA_OPCODE_MACH] = { PRED | CMOD | SAT | MODS, {
      SAME(LEGAL_ALL, D), SAME(LEGAL_ALL, UD), TO_D(LEGAL_TYPE(UD)),
      { LEGAL_ALL, LEGAL_TYPE(UD), LEGAL_TYPE(D), NO_SIGN } } },
   [ISA_OPCODE_ADDC] = { PRED | CMOD, { UD_TO_ANY } },
   [ISA_OPCODE_SUBB] = { PRED | CMOD | SAT, { UD_TO_ANY } },
   [ISA_OPCODE_SAD2] = { PRED | CMOD | SAT | MODS, {
      { LEGAL_ALL, LEGAL_WORDS, LEGAL_BYTES } } },
   [ISA_OPCODE_SADA2] = { PRED | CMOD | SAT | MODS, {
      { LEGAL_ALL, LEGAL_WORDS, LEGAL_BYTES } } },

   /* The manual's page has no saturation. Stock crocus has it in SIMD4x2
    * code, as of piglit's arb_es2_compatibility-fixed-type, which passes on a
    * Haswell (what fails there: Mesa, crocus-hsw-fails.txt). */
   [ISA_OPCODE_FRC] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_RNDU] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_RNDD] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_RNDE] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_RNDZ] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_DP4] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_DPH] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_DP3] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_DP2] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_LINE] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_PLN] = { PRED | CMOD | SAT, ONLY_F },
   [ISA_OPCODE_LRP] = { PRED | CMOD | SAT | MODS, ONLY_F },
   [ISA_OPCODE_MAD] = { PRED | CMOD | SAT | MODS, { FLOATS_ALONE } },
   [ISA_OPCODE_MADM] = { PRED | CMOD | SAT | MODS, {
      SAME(LEGAL_8UP, F), SAME(LEGAL_8UP, DF) } },
   [ISA_OPCODE_MATH] = { PRED | SAT | MODS, {
      SAME(LEGAL_ALL, F), SAME(LEGAL_ALL, UD), SAME(LEGAL_ALL, D),
      { LEGAL_8UP, F64, F64, IGC_MACRO }, TO_D(LEGAL_TYPE(UD)),
      { LEGAL_ALL, LEGAL_TYPE(UD), LEGAL_TYPE(D), NO_SIGN }, MIXED_FLOATS } },

   [ISA_OPCODE_JMPI] = { PRED }, [ISA_OPCODE_BRD] = { PRED },
   [ISA_OPCODE_BRC] = { PRED }, [ISA_OPCODE_IF] = { PRED },
   [ISA_OPCODE_WHILE] = { PRED }, [ISA_OPCODE_BREAK] = { PRED },
   [ISA_OPCODE_CONT] = { PRED }, [ISA_OPCODE_HALT] = { PRED },
   [ISA_OPCODE_CALLA] = { PRED }, [ISA_OPCODE_CALL] = { PRED },
   [ISA_OPCODE_RET] = { PRED }, [ISA_OPCODE_GOTO] = { PRED },
   [ISA_OPCODE_JOIN] = { PRED }, [ISA_OPCODE_SEND] = { PRED },
   [ISA_OPCODE_SENDC] = { PRED }, [ISA_OPCODE_SENDS] = { PRED },
   [ISA_OPCODE_SENDSC] = { PRED },
};
/* clang-format on */

static bool
lacks(const struct legal *l, unsigned what)
{
   return !(opcodes[l->inst->opcode].has & what);
}

/* The decoder keeps bits apart for which it knows no meaning. */
static bool
has_bits(const struct legal *l, unsigned high, unsigned low)
{
   const uint64_t mask = (2ull << (high - low)) - 1;
   return l->inst->ignored[0] >> low & mask;
}

static bool
has_no_predicate(const struct legal *l)
{
   return l->alu && lacks(l, PRED) && has_bits(l, 19, 16);
}

/* Of MATH the field is the function. */
static bool
has_no_condition(const struct legal *l)
{
   return l->alu && lacks(l, CMOD) && has_bits(l, 27, 24);
}

static bool
has_no_saturation(const struct legal *l)
{
   return l->alu && lacks(l, SAT) && has_bits(l, 31, 31);
}

static bool
has_no_modifiers(const struct legal *l)
{
   for (unsigned i = 0; i < l->num_srcs; i++) {
      const struct isa_operand *s = &l->inst->src[i];
      if ((s->negate || s->abs) && lacks(l, MODS))
         return true;
   }
   return false;
}

/* A comparison whose result goes nowhere is of no type: crocus compares
 * floats with a null destination of D, on chips. */
static bool
result_has_type(const struct isa_inst *i)
{
   return !legal_is_null(&i->dst) ||
          (i->opcode != ISA_OPCODE_CMP && i->opcode != ISA_OPCODE_CMPN);
}

static bool
types_fit(const struct legal *l, const struct types *row)
{
   if (!(row->gens >> l->gen & 1) ||
       (result_has_type(l->inst) && !legal_is(l->inst->dst.type, row->dst)))
      return false;
   for (unsigned i = 0; i < l->num_srcs; i++) {
      if (!legal_is(l->type[i], row->src))
         return false;
   }
   return true;
}

static bool
types_do_not_fit(const struct legal *l)
{
   const struct types *row = opcodes[l->inst->opcode].types;
   if (!l->alu)
      return false;
   for (unsigned i = 0; i < MAX_TYPES && row[i].gens; i++) {
      if (types_fit(l, &row[i]))
         return false;
   }
   return true;
}

/* Of integers if it divides, else of floats; of doubles if it begins a
 * macro. */
static bool
math_of_other_class(const struct legal *l)
{
   const bool ints = legal_is(l->type[0], LEGAL_INTS);
   const bool doubles = l->type[0] == ISA_TYPE_DF && !l->macro;
   return l->inst->opcode == ISA_OPCODE_MATH &&
          (ints != legal_divides(l->inst) || doubles);
}

static bool
is_halves_and_integers(const struct legal *l)
{
   const enum isa_type d = l->inst->dst.type;
   for (unsigned i = 0; i < l->num_srcs; i++) {
      const enum isa_type s = l->type[i];
      if ((d == ISA_TYPE_HF && legal_is(s, LEGAL_INTS)) ||
          (s == ISA_TYPE_HF && legal_is(d, LEGAL_INTS)))
         return true;
   }
   return false;
}

static bool
half_conversion_is_packed(const struct legal *l)
{
   const struct isa_operand *d = &l->inst->dst;
   if (!l->alu || l->inst->access_mode != ISA_ALIGN1 ||
       l->inst->exec_size == 1 || !is_halves_and_integers(l))
      return false;
   return isa_type_size_B(d->type) * d->hstride != 4 ||
          (!d->indirect && d->subnr_B % 4);
}

const struct legal_check legal_type_rules[] = {
   { { "no-predicate", NULL, LEGAL_HSW | LEGAL_8UP,
       "The opcode has no predicate.",
       "PRM SKL vol 2a, the instruction's page" },
     has_no_predicate },
   { { "no-condition", NULL, LEGAL_ALL,
       "The opcode has no conditional modifier.",
       "PRM SKL vol 2a, the instruction's page" },
     has_no_condition },
   { { "no-saturation", NULL, LEGAL_ALL, "The opcode does not saturate.",
       "PRM SKL vol 2a, the instruction's page" },
     has_no_saturation },
   { { "no-modifiers", NULL, LEGAL_ALL,
       "The opcode has no modifiers of sources.",
       "PRM SKL vol 2a, the instruction's page" },
     has_no_modifiers },
   { { "types", "EU-46", LEGAL_ALL,
       "The opcode does not take these types together.",
       "PRM SKL vol 2a, the instruction's page, \"Src Types, Dst Types\"" },
     types_do_not_fit },
   { { "math-class", NULL, LEGAL_ALL,
       "MATH divides integers; its other functions are of floats, of "
       "doubles INVM and RSQRTM alone.",
       "PRM SKL vol 2a, math" },
     math_of_other_class },
   { { "half-integer-stride", "EU-58", LEGAL_8UP,
       "A conversion between HF and an integer writes elements a dword "
       "apart, from a dword on.",
       "PRM BDW vol 2a, mov, \"Restrictions\"" },
     half_conversion_is_packed },
   { { 0 }, NULL },
};
