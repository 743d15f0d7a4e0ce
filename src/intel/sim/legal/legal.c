/* SPDX-License-Identifier: MIT */
/* What the rules look at, worked out once for an instruction; the tables in
 * a row; programs. */
#include "intel/sim/legal/legal_private.h"

#include <stdio.h>

static const struct legal_check *const tables[] = {
   legal_form_rules,   legal_type_rules,      legal_operand_rules,
   legal_region_rules, legal_align16_rules,   legal_message_rules,
   legal_flow_rules,   legal_low_power_rules,
};

static const struct legal_check *
check_at(unsigned index)
{
   for (unsigned t = 0; t < ARRAY_SIZE(tables); t++) {
      for (const struct legal_check *c = tables[t]; c->broken; c++) {
         if (!index--)
            return c;
      }
   }
   return NULL;
}

const struct sim_legal_rule *
sim_legal_rule_at(unsigned index)
{
   const struct legal_check *c = check_at(index);
   return c ? &c->rule : NULL;
}

/* A vector immediate is expanded to words, or to floats. */
static enum isa_type
element_type(enum isa_type type)
{
   switch (type) {
   case ISA_TYPE_V: return ISA_TYPE_W;
   case ISA_TYPE_UV: return ISA_TYPE_UW;
   case ISA_TYPE_VF: return ISA_TYPE_F;
   default: return type;
   }
}

/* PRM SKL vol 7, "Execution Data Type": the widest of the sources; bytes are
 * computed as words. With three sources, those of the encoding. */
static unsigned
exec_size_B(const struct legal *l)
{
   unsigned size_B = 0;
   for (unsigned i = 0; i < l->num_srcs; i++) {
      if (!legal_is_null(&l->inst->src[i]))
         size_B = MAX2(size_B, legal_size_B(l, l->type[i]));
   }
   return MAX2(size_B, 2);
}

bool
legal_any_source(const struct legal *l,
                 bool (*test)(const struct legal *l,
                              const struct isa_operand *o))
{
   for (unsigned i = 0; i < l->num_srcs && l->alu; i++) {
      const struct isa_operand *o = &l->inst->src[i];
      if (o->file != ISA_FILE_IMM && test(l, o))
         return true;
   }
   return false;
}

bool
legal_mixes_floats(const struct legal *l)
{
   bool f = false, hf = false;
   for (unsigned i = 0; i < l->num_srcs; i++) {
      f |= l->type[i] == ISA_TYPE_F;
      hf |= l->type[i] == ISA_TYPE_HF;
   }
   f |= l->inst->dst.type == ISA_TYPE_F;
   hf |= l->inst->dst.type == ISA_TYPE_HF;
   return l->alu && f && hf;
}

bool
legal_is_raw(const struct legal *l)
{
   const struct isa_operand *s = &l->inst->src[0];
   return l->inst->opcode == ISA_OPCODE_MOV && !l->inst->saturate &&
          !s->negate && !s->abs && s->file != ISA_FILE_IMM &&
          isa_type_size_B(s->type) == isa_type_size_B(l->inst->dst.type) &&
          legal_is(s->type, LEGAL_INTS) ==
             legal_is(l->inst->dst.type, LEGAL_INTS);
}

bool
legal_divides(const struct isa_inst *inst)
{
   return inst->opcode == ISA_OPCODE_MATH &&
          (inst->math_function == ISA_MATH_INT_DIV_BOTH ||
           inst->math_function == ISA_MATH_INT_DIV_QUOTIENT ||
           inst->math_function == ISA_MATH_INT_DIV_REMAINDER);
}

/* Channel i of a source, from the start of its first register. */
static unsigned
channel_at_B(const struct legal *l, const struct isa_operand *o, unsigned i,
             unsigned size_B)
{
   if (l->ternary)
      return o->subnr_B + (o->rep_ctrl ? 0 : i * size_B);
   if (l->inst->access_mode == ISA_ALIGN16) {
      /* Rows are owords; a vertical stride takes the next one. The second
       * half of what is compressed goes on with the next register even if
       * the region stays (docs/eu-fp64-facts.rst, 1.4, row 5). */
      const unsigned row = LEGAL_GRF_B / 2 / size_B;
      const bool steps = size_B == 8 && !o->vstride && i >= 2 * row &&
                         l->traits->halves_step_scalars;
      return o->subnr_B + (o->vstride ? i / row * 16 : 0) +
             (steps ? LEGAL_GRF_B : 0) + i % row * size_B;
   }
   const unsigned width = MAX2(o->width, 1);
   /* So does Ivybridge's scalar double (the same, 1.2, row 5). */
   if (o->type == ISA_TYPE_DF && l->traits->doubles_count_twice &&
       !o->vstride && o->width == 2 && i >= 8)
      return o->subnr_B + LEGAL_GRF_B + i % 2 * o->hstride * size_B;
   return o->subnr_B +
          (i / width * o->vstride + i % width * o->hstride) * size_B;
}

static void
finish_span(struct legal_span *s, unsigned channels)
{
   unsigned last_B = 0;
   for (unsigned i = 0; i < channels; i++)
      last_B = MAX2(last_B, s->at_B[i] + s->size_B - 1u);
   s->regs = (uint8_t)(last_B / LEGAL_GRF_B + 1);
}

static bool
has_span(const struct legal *l, const struct isa_operand *o)
{
   return l->alu && !l->macro && o->file != ISA_FILE_IMM && !o->indirect &&
          l->inst->exec_size <= LEGAL_MAX_CHANNELS;
}

static void
span_src(struct legal *l, unsigned n)
{
   const struct isa_operand *o = &l->inst->src[n];
   struct legal_span *s = &l->src[n];
   if (!has_span(l, o) || o->vstride == ISA_VSTRIDE_VXH)
      return;
   s->known = true;
   s->size_B = (uint8_t)legal_size_B(l, o->type);
   s->scalar = l->ternary ? o->rep_ctrl
                          : l->inst->access_mode == ISA_ALIGN1 &&
                               !o->vstride && !o->hstride;
   for (unsigned i = 0; i < l->inst->exec_size; i++)
      s->at_B[i] = (uint16_t)channel_at_B(l, o, i, s->size_B);
   finish_span(s, l->inst->exec_size);
}

static void
span_dst(struct legal *l)
{
   const struct isa_operand *o = &l->inst->dst;
   struct legal_span *s = &l->dst;
   const bool packed = l->ternary || l->inst->access_mode == ISA_ALIGN16;
   if (!l->info->has_dst || !has_span(l, o))
      return;
   s->known = true;
   s->size_B = (uint8_t)legal_size_B(l, o->type);
   for (unsigned i = 0; i < l->inst->exec_size; i++)
      s->at_B[i] =
         (uint16_t)(o->subnr_B + i * (packed ? 1 : o->hstride) * s->size_B);
   finish_span(s, l->inst->exec_size);
}

static void
view_of(struct legal *l, enum isa_gen gen, const struct isa_inst *inst)
{
   *l = (struct legal) {
      .gen = gen,
      .traits = sim_traits(isa_gen_number(gen)),
      .inst = inst,
      .info = isa_opcode_info(inst->opcode),
      .num_srcs = isa_inst_num_srcs(inst),
   };
   switch (l->info->format) {
   case ISA_FORMAT_BASIC1:
   case ISA_FORMAT_BASIC2:
   case ISA_FORMAT_MATH: l->alu = true; break;
   case ISA_FORMAT_SRC3: l->alu = l->ternary = true; break;
   default: break;
   }
   l->macro = inst->opcode == ISA_OPCODE_MADM ||
              (inst->opcode == ISA_OPCODE_MATH &&
               (inst->math_function == ISA_MATH_INVM ||
                inst->math_function == ISA_MATH_RSQRTM));
   if (!l->alu)
      return;
   for (unsigned i = 0; i < l->num_srcs; i++)
      l->type[i] = element_type(inst->src[i].type);
   l->exec_B = exec_size_B(l);
   for (unsigned i = 0; i < l->num_srcs; i++)
      span_src(l, i);
   span_dst(l);
}

const struct sim_legal_rule *
sim_legal_next(enum isa_gen gen, bool low_power, const struct isa_inst *inst,
               unsigned *from)
{
   const unsigned others = low_power ? 0 : ISA_LOW_POWER;
   struct legal l;
   view_of(&l, gen, inst);
   unsigned index = 0;
   for (unsigned t = 0; t < ARRAY_SIZE(tables); t++) {
      for (const struct legal_check *c = tables[t]; c->broken; c++) {
         if (index++ < *from || !(c->rule.gens >> l.gen & 1) ||
             (c->rule.gens & others) || !c->broken(&l))
            continue;
         *from = index;
         return &c->rule;
      }
   }
   *from = index;
   return NULL;
}
