/* SPDX-License-Identifier: MIT */
/* Which rules an instruction or a program breaks. The rules are rows of
 * isa_rules.py, what they look for is in isa_rules_*.c; here is what they
 * look at, computed once. */
#include "isa_rules.h"

/* The size of the type in which an operand takes part in the computation:
 * bytes widen to words, too. */
static unsigned
widened_B(enum isa_type type)
{
   return MAX2(isa_type_size_B(isa_plain_type(type)), 2);
}

static void
find_exec_type(struct isa_view *v)
{
   const struct isa_inst *inst = v->inst;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      const enum isa_type type = inst->src[n].type;
      v->exec_size_B = MAX2(v->exec_size_B, widened_B(type));
      v->exec_is_float |= isa_type_info(type)->is_float;
   }
   /* F wins over HF, also where only the destination is F. */
   if (v->mixed_float)
      v->exec_size_B = 4;
}

static void
find_mixed_float(struct isa_view *v)
{
   bool f = v->inst->dst.type == ISA_TYPE_F;
   bool hf = v->inst->dst.type == ISA_TYPE_HF;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      f |= v->inst->src[n].type == ISA_TYPE_F;
      hf |= v->inst->src[n].type == ISA_TYPE_HF;
   }
   v->mixed_float = f && hf;
}

static bool
is_raw_mov(const struct isa_inst *inst)
{
   const struct isa_operand *src = &inst->src[0];
   if (inst->opcode != ISA_OPCODE_MOV || inst->saturate || src->negate ||
       src->abs)
      return false;
   const struct isa_type_info *dst = isa_type_info(inst->dst.type);
   const struct isa_type_info *from = isa_type_info(src->type);
   if (src->file == ISA_FILE_IMM && from->is_vector_imm)
      return false;
   return inst->dst.type == src->type ||
          (!dst->is_float && !from->is_float && dst->size_B == from->size_B);
}

static void
finish_span(struct isa_span *span, unsigned channels)
{
   unsigned first_reg = ~0u, last_reg = 0;
   for (unsigned i = 0; i < channels; i++) {
      const unsigned end_B = span->at_B[i] + span->element_B;
      span->end_B = (uint16_t)MAX2(span->end_B, end_B);
      first_reg = MIN2(first_reg, span->at_B[i] / ISA_REG_SIZE_B);
      last_reg = MAX2(last_reg, (end_B - 1) / ISA_REG_SIZE_B);
   }
   span->known = true;
   span->num_regs = last_reg - first_reg + 1;
}

/* In Align16 and with three sources channels lie side by side. */
static void
find_dst_span(struct isa_view *v)
{
   const struct isa_operand *dst = &v->inst->dst;
   const unsigned stride = v->align16 || v->src3 ? 1 : dst->hstride;
   if (dst->indirect || v->macro)
      return;
   v->dst.element_B = (uint8_t)isa_element_B(v->gen, dst->type);
   for (unsigned i = 0; i < v->inst->exec_size; i++)
      v->dst.at_B[i] =
         (uint16_t)(dst->subnr_B + i * stride * v->dst.element_B);
   finish_span(&v->dst, v->inst->exec_size);
}

/* Bytes from the start of an Align16 source to channel i: owords one after
 * another, or the same one again. On Gen7 the second half of what is
 * compressed is in the next register also then (eu-fp64-facts, 1.4). */
static unsigned
align16_at_B(const struct isa_view *v, const struct isa_operand *src,
             unsigned element_B, unsigned i)
{
   const unsigned row = 16 / element_B;
   if (src->vstride)
      return i * element_B;
   const bool next = element_B == 8 && i >= 2 * row && v->gen == ISA_HSW;
   return i % row * element_B + (next ? ISA_REG_SIZE_B : 0);
}

static unsigned
src_at_B(const struct isa_view *v, const struct isa_operand *src,
         unsigned element_B, unsigned i)
{
   if (v->src3)
      return src->rep_ctrl ? 0 : i * element_B;
   if (v->align16)
      return align16_at_B(v, src, element_B, i);
   return (i / src->width * src->vstride + i % src->width * src->hstride) *
          element_B;
}

static void
find_src_span(struct isa_view *v, unsigned n)
{
   const struct isa_operand *src = &v->inst->src[n];
   struct isa_span *span = &v->src[n];
   if (src->file == ISA_FILE_IMM || src->indirect || v->macro ||
       src->vstride == ISA_VSTRIDE_VXH)
      return;
   span->element_B = (uint8_t)isa_element_B(v->gen, src->type);
   span->scalar = v->src3 ? src->rep_ctrl
                          : !v->align16 && isa_region_is_scalar(src);
   for (unsigned i = 0; i < v->inst->exec_size; i++)
      span->at_B[i] =
         (uint16_t)(src->subnr_B + src_at_B(v, src, span->element_B, i));
   finish_span(span, v->inst->exec_size);
}

static struct isa_view
view_of(enum isa_gen gen, const struct isa_inst *inst)
{
   struct isa_view v = {
      .gen = gen,
      .inst = inst,
      .info = isa_opcode_info(inst->opcode),
   };
   v.src3 = v.info->format == ISA_FORMAT_SRC3;
   v.alu = v.info->format == ISA_FORMAT_BASIC1 ||
           v.info->format == ISA_FORMAT_BASIC2 ||
           v.info->format == ISA_FORMAT_MATH;
   v.macro = isa_inst_is_math_macro(inst);
   v.align16 = inst->access_mode == ISA_ALIGN16;
   if (!v.alu && !v.src3)
      return v;
   v.num_srcs = isa_inst_num_srcs(inst);
   v.has_dst_reg = !isa_operand_is_null(&inst->dst);
   find_mixed_float(&v);
   find_exec_type(&v);
   v.is_raw_mov = is_raw_mov(inst);
   find_dst_span(&v);
   for (unsigned n = 0; n < v.num_srcs; n++)
      find_src_span(&v, n);
   return v;
}

static void
add_fault(struct isa_faults *faults, const struct isa_rule *rule)
{
   if (faults->count < ISA_MAX_FAULTS) {
      faults->rule[faults->count] = rule;
      faults->offset_B[faults->count] = 0;
   }
   faults->count++;
}

/* The index of the first row from `from` on that is broken. */
static unsigned
first_broken(const struct isa_view *v, bool low_power, unsigned from)
{
   const unsigned others = low_power ? 0 : ISA_LOW_POWER;
   for (; from < ISA_NUM_RULES; from++) {
      const struct isa_rule_row *row = &isa_rule_rows[from];
      if ((row->rule.gens & 1u << v->gen) && !(row->rule.gens & others) &&
          row->broken && row->broken(v))
         break;
   }
   return from;
}

const struct isa_rule *
isa_rule_next(enum isa_gen gen, bool low_power, const struct isa_inst *inst,
              unsigned *from)
{
   const struct isa_view v = view_of(gen, inst);
   const unsigned i = first_broken(&v, low_power, *from);
   *from = i + 1;
   return isa_rule_at(i);
}

const struct isa_rule *
isa_rule_fault(enum isa_gen gen, bool low_power, const struct isa_inst *inst)
{
   const struct isa_view v = view_of(gen, inst);
   unsigned i = first_broken(&v, low_power, 0);
   while (i < ISA_NUM_RULES &&
          isa_rule_rows[i].rule.severity != ISA_RULE_FAULT)
      i = first_broken(&v, low_power, i + 1);
   return isa_rule_at(i);
}

bool
isa_validate(enum isa_gen gen, bool low_power, const struct isa_inst *inst,
             struct isa_faults *faults)
{
   const struct isa_view v = view_of(gen, inst);
   unsigned i = first_broken(&v, low_power, 0);
   const bool good = i == ISA_NUM_RULES;
   for (; i < ISA_NUM_RULES; i = first_broken(&v, low_power, i + 1))
      add_fault(faults, &isa_rule_rows[i].rule);
   return good;
}

/* Marks, by offset / 8, where instructions start. NULL if one does not
 * decode, or if memory is short; *err says which. */
static uint8_t *
find_starts(enum isa_gen gen, const uint8_t *program, size_t size_B,
            struct isa_error *err)
{
   uint8_t *starts = calloc(1, size_B / ISA_COMPACT_SIZE_B + 2);
   unsigned step_B = 0;
   if (!starts) {
      *err = (struct isa_error) { .text = "out of memory" };
      return NULL;
   }
   for (size_t at = 0; at < size_B; at += step_B) {
      struct isa_inst inst;
      if (!isa_decode(gen, program + at, size_B - at, &inst, &step_B, err)) {
         err->offset_B = at;
         free(starts);
         return NULL;
      }
      starts[at / ISA_COMPACT_SIZE_B] = 1;
   }
   starts[size_B / ISA_COMPACT_SIZE_B] = 1; /* the end is a target, too */
   return starts;
}

static bool
is_start(const uint8_t *starts, size_t size_B, int64_t target_B)
{
   return target_B >= 0 && target_B <= (int64_t)size_B &&
          target_B % ISA_COMPACT_SIZE_B == 0 &&
          starts[target_B / ISA_COMPACT_SIZE_B];
}

static bool
jumps_are_good(const struct isa_inst *inst, size_t at, size_t size_B,
               const uint8_t *starts)
{
   const struct isa_opcode_info *info = isa_opcode_info(inst->opcode);
   if (!info->has_jip || inst->src[0].file != ISA_FILE_IMM)
      return true;
   const int64_t base_B = inst->opcode == ISA_OPCODE_CALLA ? 0 : (int64_t)at;
   /* Gen7's else has no UIP: it is 0, its own place. */
   return is_start(starts, size_B, base_B + inst->jip) &&
          (!info->has_uip || is_start(starts, size_B, base_B + inst->uip));
}

/* The rule that only a program can break. */
static const struct isa_rule *
jump_target(void)
{
   unsigned i = 0;
   while (isa_rule_rows[i].broken)
      i++;
   return &isa_rule_rows[i].rule;
}

bool
isa_validate_program(enum isa_gen gen, bool low_power, const void *program,
                     size_t size_B, struct isa_faults *faults,
                     struct isa_error *err)
{
   struct isa_error ignored;
   uint8_t *starts = find_starts(gen, program, size_B, err ? err : &ignored);
   bool good = true;
   unsigned step_B = 0;
   if (!starts)
      return false;
   for (size_t at = 0; at < size_B; at += step_B) {
      struct isa_inst inst;
      const unsigned before = faults->count;
      if (!isa_decode(gen, (const uint8_t *)program + at, size_B - at, &inst,
                      &step_B, NULL))
         unreachable("it has decoded before");
      good &= isa_validate(gen, low_power, &inst, faults);
      if (!jumps_are_good(&inst, at, size_B, starts)) {
         add_fault(faults, jump_target());
         good = false;
      }
      for (unsigned i = before; i < MIN2(faults->count, ISA_MAX_FAULTS); i++)
         faults->offset_B[i] = at;
   }
   free(starts);
   return good;
}

const struct isa_rule *
isa_rule_at(unsigned index)
{
   return index < ISA_NUM_RULES ? &isa_rule_rows[index].rule : NULL;
}
