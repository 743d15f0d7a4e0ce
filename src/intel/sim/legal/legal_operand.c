/* SPDX-License-Identifier: MIT */
/* Registers of the architecture, immediates, addresses and modifiers. */
#include "intel/sim/legal/legal_private.h"

/* Architecture registers. ------------------------------------------------ */

/* How many there are of each, by the upper half of the number. */
static const uint8_t arf_count[16] = {
   [ISA_ARF_NULL >> 4] = 1,
   [ISA_ARF_ADDRESS >> 4] = 1,
   [ISA_ARF_ACC >> 4] = 2,
   [ISA_ARF_FLAG >> 4] = 2,
   [ISA_ARF_CHANNEL_ENABLE >> 4] = 1,
   [ISA_ARF_MESSAGE_CONTROL >> 4] = 4,
   [ISA_ARF_STACK_POINTER >> 4] = 1,
   [ISA_ARF_STATE >> 4] = 2,
   [ISA_ARF_CONTROL >> 4] = 1,
   [ISA_ARF_NOTIFICATION >> 4] = 1,
   [ISA_ARF_IP >> 4] = 1,
   [ISA_ARF_THREAD_DEPENDENCY >> 4] = 1,
   [ISA_ARF_TIMESTAMP >> 4] = 1,
   [ISA_ARF_FLOW_CONTROL >> 4] = 5,
   [ISA_ARF_DEBUG >> 4] = 1,
};

static bool
no_such_arf(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->file == ISA_FILE_ARF && !o->indirect &&
          (o->nr & 0xf) >= arf_count[o->nr >> 4];
}

static bool
unknown_arf(const struct legal *l)
{
   return legal_any_source(l, no_such_arf) ||
          (l->alu && l->info->has_dst && no_such_arf(l, &l->inst->dst));
}

/* Bytes of each (the same as Intel's assembler has, visa/iga, Models.cpp). */
static unsigned
arf_bytes(const struct legal *l, const struct isa_operand *o)
{
   const unsigned n = o->nr & 0xf;
   switch (o->nr & 0xf0) {
   case ISA_ARF_ADDRESS: return 2u * l->traits->address_words;
   case ISA_ARF_ACC: return LEGAL_GRF_B * (2u - (n & 1));
   case ISA_ARF_FLAG:
   case ISA_ARF_CHANNEL_ENABLE:
   case ISA_ARF_MESSAGE_CONTROL:
   case ISA_ARF_IP: return 4;
   case ISA_ARF_STACK_POINTER: return l->traits->stack_pointer_B;
   case ISA_ARF_DEBUG: return l->traits->debug_register_B;
   case ISA_ARF_CONTROL:
   case ISA_ARF_NOTIFICATION: return 12;
   case ISA_ARF_FLOW_CONTROL: return n == 0 ? 128 : n == 3 ? 16 : 4;
   case ISA_ARF_NULL: return 2 * LEGAL_GRF_B;
   case ISA_ARF_TIMESTAMP: return l->traits->pause_counter ? 20 : 16;
   default: return 16;
   }
}

static bool
is_beyond_arf(const struct legal *l, const struct isa_operand *o,
              const struct legal_span *s)
{
   if (!s->known || o->file != ISA_FILE_ARF)
      return false;
   const unsigned end_B = arf_bytes(l, o);
   for (unsigned i = 0; i < l->inst->exec_size; i++) {
      if (s->at_B[i] + s->size_B > end_B)
         return true;
   }
   return false;
}

static bool
leaves_arf(const struct legal *l)
{
   bool out = is_beyond_arf(l, &l->inst->dst, &l->dst);
   for (unsigned i = 0; i < l->num_srcs; i++)
      out |= is_beyond_arf(l, &l->inst->src[i], &l->src[i]);
   return out;
}

static bool
is_null_source(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return legal_is_null(o);
}

static bool
reads_null(const struct legal *l)
{
   return legal_any_source(l, is_null_source);
}

/* Each channel's enable, and the clock; not the pause behind it. */
static bool
writes_read_only(const struct legal *l)
{
   const struct isa_operand *d = &l->inst->dst;
   const bool pauses = l->traits->pause_counter && d->subnr_B == 16;
   return l->alu && l->info->has_dst &&
          (legal_is_arf(d, ISA_ARF_CHANNEL_ENABLE) ||
           (legal_is_arf(d, ISA_ARF_TIMESTAMP) && !pauses));
}

/* Accumulators. ---------------------------------------------------------- */

static bool
is_acc(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return legal_is_arf(o, ISA_ARF_ACC);
}

static bool
acc_is_second_source(const struct legal *l)
{
   return l->num_srcs > 1 && l->alu && is_acc(l, &l->inst->src[1]);
}

static bool
reads_acc_itself(const struct legal *l)
{
   switch (l->inst->opcode) {
   case ISA_OPCODE_MAC:
   case ISA_OPCODE_MACH:
   case ISA_OPCODE_SADA2: return true;
   default: return false;
   }
}

static bool
writes_acc_itself(const struct legal *l)
{
   switch (l->inst->opcode) {
   case ISA_OPCODE_MACH:
   case ISA_OPCODE_ADDC:
   case ISA_OPCODE_SUBB: return true;
   default: return false;
   }
}

static bool
acc_twice_as_source(const struct legal *l)
{
   return reads_acc_itself(l) && legal_any_source(l, is_acc);
}

static bool
acc_twice_as_destination(const struct legal *l)
{
   return writes_acc_itself(l) && is_acc(l, &l->inst->dst);
}

static bool
acc_is_not_written(const struct legal *l)
{
   return writes_acc_itself(l) && !l->inst->acc_wr_en;
}

static bool
is_swizzled_acc(const struct legal *l, const struct isa_operand *o)
{
   return is_acc(l, o) && o->swizzle != ISA_SWIZZLE_XYZW;
}

static bool
acc_with_swizzle(const struct legal *l)
{
   return l->inst->access_mode == ISA_ALIGN16 && !l->macro &&
          legal_any_source(l, is_swizzled_acc);
}

static bool
is_logic(const struct legal *l)
{
   switch (l->inst->opcode) {
   case ISA_OPCODE_NOT:
   case ISA_OPCODE_AND:
   case ISA_OPCODE_OR:
   case ISA_OPCODE_XOR: return true;
   default: return false;
   }
}

static bool
is_modified_acc(const struct legal *l, const struct isa_operand *o)
{
   return is_acc(l, o) && (o->negate || o->abs);
}

static bool
acc_modified_in_logic(const struct legal *l)
{
   return is_logic(l) && legal_any_source(l, is_modified_acc);
}

static bool
acc_and_place_differ(const struct legal *l)
{
   const struct isa_operand *s = &l->inst->src[0], *d = &l->inst->dst;
   if (!l->alu || !l->num_srcs || !is_acc(l, s))
      return false;
   return s->subnr_B % 16 ||
          (d->file == ISA_FILE_GRF && !d->indirect && d->subnr_B % 16);
}

static bool
acc_off_oword(const struct legal *l)
{
   return l->inst->exec_size > 1 && acc_and_place_differ(l);
}

static bool
acc_one_off_oword(const struct legal *l)
{
   return l->inst->exec_size == 1 && acc_and_place_differ(l);
}

static bool
compares_to_arf(const struct legal *l)
{
   return (l->inst->opcode == ISA_OPCODE_CMP ||
           l->inst->opcode == ISA_OPCODE_CMPN) &&
          l->inst->dst.file == ISA_FILE_ARF && legal_has_dst(l);
}

/* Modifiers. ------------------------------------------------------------- */

static bool
has_abs(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->abs;
}

static bool
abs_in_logic(const struct legal *l)
{
   return is_logic(l) && legal_any_source(l, has_abs);
}

static bool
is_modified(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->negate || o->abs;
}

static bool
division_modified(const struct legal *l)
{
   return legal_divides(l->inst) && legal_any_source(l, is_modified);
}

/* Immediates. ------------------------------------------------------------ */

static const struct isa_operand *
vector_immediate(const struct legal *l)
{
   for (unsigned i = 0; i < l->num_srcs && l->alu; i++) {
      const struct isa_operand *s = &l->inst->src[i];
      if (s->file == ISA_FILE_IMM && isa_type_info(s->type)->is_vector_imm)
         return s;
   }
   return NULL;
}

static bool
vector_destination_off_oword(const struct legal *l)
{
   const struct isa_operand *d = &l->inst->dst;
   return vector_immediate(l) && !d->indirect && d->subnr_B % 16;
}

/* What each element of it goes to, in bytes; 0 without such an immediate. */
static unsigned
vector_step_B(const struct legal *l)
{
   const struct isa_operand *d = &l->inst->dst;
   const unsigned stride = l->inst->access_mode == ISA_ALIGN16 ? 1
                                                               : d->hstride;
   return vector_immediate(l) ? stride * isa_type_size_B(d->type) : 0;
}

static bool
is_integer_vector_to_dwords(const struct legal *l)
{
   return vector_step_B(l) == 4 && vector_immediate(l)->type != ISA_TYPE_VF;
}

/* V and UV to dwords: the oword that they fill holds four channels. */
static bool
vector_destination_stride(const struct legal *l)
{
   const struct isa_operand *v = vector_immediate(l);
   const unsigned want_B = v && v->type == ISA_TYPE_VF ? 4 : 2;
   return v && vector_step_B(l) != want_B && !is_integer_vector_to_dwords(l);
}

static bool
vector_beyond_oword(const struct legal *l)
{
   return is_integer_vector_to_dwords(l) && l->inst->exec_size > 4;
}

/* Addresses and places. -------------------------------------------------- */

static bool
is_unaligned(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return !o->indirect && o->subnr_B % isa_type_size_B(o->type);
}

static bool
unaligned(const struct legal *l)
{
   return !l->macro &&
          (legal_any_source(l, is_unaligned) ||
           (l->alu && l->info->has_dst && is_unaligned(l, &l->inst->dst)));
}

static bool
plane_from_vector(const struct legal *l)
{
   const struct isa_operand *s = &l->inst->src[0];
   return (l->inst->opcode == ISA_OPCODE_PLN ||
           l->inst->opcode == ISA_OPCODE_LINE) &&
          l->inst->access_mode == ISA_ALIGN1 &&
          (s->vstride || s->hstride || (!s->indirect && s->subnr_B % 16));
}

static bool
plane_within_register(const struct legal *l)
{
   const struct isa_operand *s = &l->inst->src[1];
   return l->inst->opcode == ISA_OPCODE_PLN &&
          (s->file != ISA_FILE_GRF || s->indirect || s->subnr_B);
}

static bool
movi_without_address(const struct legal *l)
{
   return l->inst->opcode == ISA_OPCODE_MOVI && !l->inst->src[0].indirect;
}

/* Conversions that take two steps. --------------------------------------- */

static bool
to_or_from(const struct legal *l, unsigned one, unsigned other)
{
   const enum isa_type d = l->inst->dst.type;
   for (unsigned i = 0; i < l->num_srcs && l->alu; i++) {
      if ((legal_is(d, one) && legal_is(l->type[i], other)) ||
          (legal_is(d, other) && legal_is(l->type[i], one)))
         return true;
   }
   return false;
}

static bool
bytes_to_qwords(const struct legal *l)
{
   return to_or_from(l, LEGAL_BYTES, LEGAL_QWORDS | LEGAL_TYPE(DF));
}

static bool
halves_to_qwords(const struct legal *l)
{
   return to_or_from(l, LEGAL_TYPE(HF), LEGAL_QWORDS | LEGAL_TYPE(DF));
}

static bool
has_qwords(const struct legal *l)
{
   const unsigned wide = LEGAL_QWORDS | LEGAL_TYPE(DF);
   bool any = l->alu && legal_is(l->inst->dst.type, wide);
   for (unsigned i = 0; i < l->num_srcs && l->alu; i++)
      any |= legal_is(l->type[i], wide);
   return any;
}

static bool
qwords_with_dependency_control(const struct legal *l)
{
   return has_qwords(l) && (l->inst->no_dd_clr || l->inst->no_dd_chk);
}

static bool
is_rows_of_doubles(const struct legal *l, const struct isa_operand *o)
{
   (void)l;
   return o->indirect && o->vstride == ISA_VSTRIDE_VXH &&
          o->type == ISA_TYPE_DF;
}

static bool
doubles_by_rows(const struct legal *l)
{
   return legal_any_source(l, is_rows_of_doubles);
}

#define ACC "\"Accumulator Registers\""

const struct legal_check legal_operand_rules[] = {
   { { "arf-unknown", NULL, LEGAL_ALL,
       "There is no such architecture register, or only macros have it.",
       "PRM SKL vol 7, \"Architecture Registers\"" },
     unknown_arf },
   { { "arf-end", NULL, LEGAL_ALL,
       "An operand goes beyond the end of its architecture register.",
       "PRM SKL vol 7, \"Architecture Registers\"" },
     leaves_arf },
   { { "null-source", "EU-46", LEGAL_ALL, "The null register as a source.",
       "PRM SKL vol 7, \"Null Register\"" },
     reads_null },
   { { "arf-read-only", NULL, LEGAL_ALL,
       "Channel enables and the clock are only read.",
       "PRM SKL vol 7, \"Architecture Registers\", ce0, tm0" },
     writes_read_only },
   { { "acc-second", "EU-65", LEGAL_ALL,
       "An accumulator is a source, but not the first.",
       "PRM IVB vol 4 part 3, " ACC },
     acc_is_second_source },
   { { "acc-implicit-source", NULL, LEGAL_ALL,
       "What reads the accumulator by itself names it as a source.",
       "PRM SKL vol 2a, mac, mach, sada2" },
     acc_twice_as_source },
   { { "acc-implicit-destination", NULL, LEGAL_ALL,
       "What writes the accumulator by itself has it as its destination.",
       "PRM SKL vol 2a, addc, mach, subb" },
     acc_twice_as_destination },
   { { "acc-write-enable", NULL, LEGAL_ALL,
       "ADDC, SUBB and MACH have AccWrEn.",
       "PRM SKL vol 2a, addc, mach, subb" },
     acc_is_not_written },
   { { "acc-swizzle", "EU-65", LEGAL_ALL, "A swizzle of an accumulator.",
       "PRM IVB vol 4 part 3, " ACC },
     acc_with_swizzle },
   { { "acc-logic", "EU-65", LEGAL_ALL,
       "A logic operation modifies an accumulator.",
       "PRM IVB vol 4 part 3, " ACC },
     acc_modified_in_logic },
   { { "acc-oword", NULL, LEGAL_ALL,
       "An accumulator as a source, or what it goes to, is not aligned to "
       "an oword.",
       "PRM SKL vol 7, " ACC },
     acc_off_oword },
   { { "acc-one-oword", NULL, LEGAL_ALL,
       "One channel of an accumulator, or what it goes to, is not aligned "
       "to an oword.",
       "PRM SKL vol 7, " ACC, VAAPI "100 times (ivb, hsw)" },
     acc_one_off_oword },
   { { "compare-arf", "EU-71", LEGAL_7,
       "A comparison goes to a general register or to null.",
       "PRM IVB vol 4 part 3, cmp" },
     compares_to_arf },
   { { "logic-abs", NULL, LEGAL_8UP, "Logic operations have no (abs).",
       "PRM BDW vol 7, \"Source Modifier\"" },
     abs_in_logic },
   { { "division-modified", NULL, LEGAL_ALL,
       "MATH divides no modified sources.", "PRM SKL vol 2a, math" },
     division_modified },
   { { "vector-oword", NULL, LEGAL_ALL,
       "What a vector immediate goes to is not aligned to an oword.",
       "PRM SKL vol 7, \"Immediate\"", VAAPI "4 times (bdw)" },
     vector_destination_off_oword },
   { { "vector-stride", "EU-42", LEGAL_ALL,
       "What a vector immediate goes to are not words or dwords (V, UV), or "
       "dwords (VF).",
       "PRM SKL vol 7, \"Immediate\"; dwords: IGC 1.0.12504" },
     vector_destination_stride },
   { { "vector-dwords", NULL, LEGAL_ALL,
       "More than four channels of dwords from V or UV: which element the "
       "others take is not known.",
       "PRM SKL vol 7, \"Immediate\"", "IGC 1.0.12504, of four channels" },
     vector_beyond_oword },
   { { "unaligned", NULL, LEGAL_ALL, "An operand is not aligned to its type.",
       "PRM SKL vol 7, \"SubRegNum\"" },
     unaligned },
   { { "plane-scalar", NULL, LEGAL_ALL,
       "The first source of LINE and PLN is a scalar that begins an oword.",
       "PRM SKL vol 2a, line, pln" },
     plane_from_vector },
   { { "plane-registers", NULL, LEGAL_ALL,
       "The second source of PLN are whole registers.",
       "PRM SKL vol 2a, pln" },
     plane_within_register },
   { { "movi-indirect", NULL, LEGAL_ALL, "MOVI without an address.",
       "PRM SKL vol 2a, movi" },
     movi_without_address },
   { { "bytes-64", "EU-58", LEGAL_ALL,
       "Bytes to 64 bits or back in one step.",
       "PRM BDW vol 2a, mov, \"Restrictions\"" },
     bytes_to_qwords },
   { { "halves-64", "EU-58", LEGAL_8UP, "HF to 64 bits or back in one step.",
       "PRM BDW vol 2a, mov, \"Restrictions\"" },
     halves_to_qwords },
   { { "dependency-64", NULL, LEGAL_BDW, "NoDDClr or NoDDChk with 64 bits.",
       "PRM BDW vol 7, \"Register Region Restrictions\"" },
     qwords_with_dependency_control },
   { { "rows-of-doubles", "EU-55", LEGAL_IVB,
       "Doubles in rows with addresses of their own, which would take two "
       "for each.",
       "PRM IVB vol 4 part 3, \"Indirect Addressing\"" },
     doubles_by_rows },
   { { 0 }, NULL },
};
