/* SPDX-License-Identifier: MIT */
/*
 * Rules that an instruction breaks by itself, or with those beside it. Each
 * is looked at once, when the instruction is first executed.
 *
 * What is not legal by itself (src/intel/isa/isa_rules.py) is a fault, and
 * not here; but for what only a manual forbids and others ship.
 */
#include "shadow/shadow_private.h"

struct look {
   const struct sim_eu_program *p;
   const struct eu_op *op;
   const struct isa_inst *inst;
   bool alt; /* floats are not IEEE's */
};

static bool
switches(const struct look *l)
{
   return l->inst->thread_ctrl == ISA_THREAD_SWITCH;
}

static bool
is_arf(const struct isa_operand *o, unsigned arf)
{
   return o->file == ISA_FILE_ARF && !o->indirect && (o->nr & 0xf0) == arf;
}

static unsigned
num_srcs(const struct look *l)
{
   return l->op->has_slow ? l->op->slow->nsrc : 0;
}

static bool
any_src(const struct look *l, unsigned arf)
{
   for (unsigned i = 0; i < num_srcs(l); i++) {
      if (is_arf(&l->inst->src[i], arf))
         return true;
   }
   return false;
}

static bool
writes(const struct look *l, unsigned arf)
{
   return l->op->has_slow && is_arf(&l->inst->dst, arf);
}

static bool
is_flow(const struct isa_inst *inst)
{
   return isa_opcode_info(inst->opcode)->is_flow;
}

static bool
is_int(enum isa_type t)
{
   return !eu_type_is_float(t);
}

/* Registers that the destination reaches into. */
static unsigned
dst_grfs(const struct eu_op *op)
{
   if (!op->has_slow || op->slow->dst.where != EU_GRF)
      return 0;
   const struct eu_operand *d = &op->slow->dst;
   const unsigned last = d->lane_off_B[op->exec_size - 1] + d->size_B - 1u;
   return last / SIM_GRF_B - d->lane_off_B[0] / SIM_GRF_B + 1;
}

/* The instruction in front, a place where channels wait left out. */
static const struct eu_op *
before(const struct look *l, const struct eu_op *at)
{
   const struct eu_op *op = at;
   while (op > l->p->ops && !(--op)->inst)
      ;
   return op->inst && op != at ? op : NULL;
}

static bool
control_without_switch(const struct look *l)
{
   return (writes(l, ISA_ARF_CONTROL) || any_src(l, ISA_ARF_CONTROL)) &&
          !switches(l);
}

static bool
part_of_timestamp(const struct look *l)
{
   return any_src(l, ISA_ARF_TIMESTAMP) &&
          (!l->inst->no_mask || l->inst->exec_size < 4);
}

static bool
wide_compare(const struct look *l)
{
   return (l->inst->opcode == ISA_OPCODE_CMP ||
           l->inst->opcode == ISA_OPCODE_CMPN) &&
          l->inst->exec_size > 8 && l->inst->dst.file == ISA_FILE_GRF;
}

/* The block that NoDDClr opens goes on in a straight line to a write of the
 * same register that does not have it. */
static bool
open_dependency(const struct look *l)
{
   const struct isa_operand *d = &l->inst->dst;
   if (!l->inst->no_dd_clr || d->file != ISA_FILE_GRF)
      return false;
   for (const struct eu_op *op = l->op + 1;
        op < l->p->ops + l->p->num_ops && op->inst; op++) {
      const struct isa_inst *i = op->inst;
      if (is_flow(i) || i->eot)
         return true;
      if (!isa_opcode_info(i->opcode)->has_dst ||
          i->dst.file != ISA_FILE_GRF || i->dst.nr != d->nr)
         continue;
      if (!i->no_dd_chk || i->pred != ISA_PRED_NONE)
         return true;
      if (!i->no_dd_clr)
         return false;
   }
   return true;
}

static bool
unsafe_dependency(const struct look *l)
{
   const struct isa_inst *i = l->inst;
   if (!i->no_dd_clr && !i->no_dd_chk)
      return false;
   return i->pred != ISA_PRED_NONE || i->opcode == ISA_OPCODE_MATH ||
          (isa_opcode_info(i->opcode)->is_send && i->no_dd_chk);
}

static bool
wide_dependency(const struct look *l)
{
   const struct isa_inst *i = l->inst;
   if (!i->no_dd_clr && !i->no_dd_chk)
      return false;
   bool wide = isa_type_size_B(i->dst.type) == 8;
   for (unsigned s = 0; s < num_srcs(l); s++)
      wide |= isa_type_size_B(i->src[s].type) == 8;
   return wide;
}

static bool
branch_without_switch(const struct look *l)
{
   return (l->inst->opcode == ISA_OPCODE_BRD ||
           l->inst->opcode == ISA_OPCODE_BRC) &&
          !switches(l);
}

static bool
call_without_switch(const struct look *l)
{
   return (l->inst->opcode == ISA_OPCODE_CALL ||
           l->inst->opcode == ISA_OPCODE_CALLA) &&
          !switches(l);
}

/* The manual also wants Align1 of all flow control; but Mesa's SIMD4x2 code
 * for Gen7 branches by (f0.0.x) in Align16, on all chips that were sold. */
static bool
flow_form(const struct look *l)
{
   return l->inst->opcode == ISA_OPCODE_JMPI &&
          (l->inst->exec_size != 1 || !l->inst->no_mask);
}

/* A target that is an immediate names an instruction. */
static bool
flow_target(const struct look *l)
{
   const struct isa_opcode_info *info = isa_opcode_info(l->inst->opcode);
   if (!info->is_flow || l->inst->src[0].file == ISA_FILE_GRF ||
       l->inst->opcode == ISA_OPCODE_RET)
      return false;
   return (info->has_jip && !l->op->jip) || (info->has_uip && !l->op->uip);
}

static bool
loop_target(const struct look *l)
{
   if (l->inst->opcode != ISA_OPCODE_BREAK &&
       l->inst->opcode != ISA_OPCODE_CONT)
      return false;
   const struct eu_op *to =
      eu_program_at(l->p, l->op->ip_B + (uint32_t)l->inst->uip);
   if (to && !to->inst)
      to++;
   return to && to->inst && to->inst->opcode != ISA_OPCODE_WHILE;
}

/* The second half of a compressed instruction finds what the first wrote. */
static bool
reads_first_half(const struct look *l)
{
   const struct eu_slow *s = l->op->slow;
   if (!l->op->has_slow || s->half >= l->op->exec_size ||
       s->dst.where != EU_GRF)
      return false;
   for (unsigned i = 0; i < s->nsrc; i++) {
      if (s->src[i].where != EU_GRF)
         continue;
      for (unsigned hi = s->half; hi < l->op->exec_size; hi++) {
         const unsigned a = s->src[i].lane_off_B[hi];
         for (unsigned lo = 0; lo < s->half; lo++) {
            const unsigned b = s->dst.lane_off_B[lo];
            if (a < b + s->dst.size_B && b < a + s->src[i].size_B)
               return true;
         }
      }
   }
   return false;
}

static bool
wide_bfi(const struct look *l)
{
   return (l->inst->opcode == ISA_OPCODE_BFI1 ||
           l->inst->opcode == ISA_OPCODE_BFI2) &&
          l->inst->exec_size > 8;
}

static bool
half_destination(const struct look *l)
{
   const struct isa_operand *d = &l->inst->dst;
   return l->inst->opcode == ISA_OPCODE_F32TO16 &&
          l->inst->access_mode == ISA_ALIGN1 &&
          (isa_type_size_B(d->type) != 2 || d->hstride != 2 ||
           d->subnr_B % 4);
}

static bool
has_csel(const struct look *l)
{
   return l->inst->opcode == ISA_OPCODE_CSEL;
}

/* A product of an accumulator: none before Gen8, none of integers since. */
static bool
accumulator_product(const struct look *l)
{
   const struct sim_traits *traits = sim_traits(l->p->verx10);
   const struct isa_inst *i = l->inst;
   if (i->opcode == ISA_OPCODE_MUL && any_src(l, ISA_ARF_ACC))
      return !traits->products_of_acc || is_int(i->src[0].type);
   return traits->long_products_skip_acc && i->opcode == ISA_OPCODE_MUL &&
          is_arf(&i->dst, ISA_ARF_ACC) && is_int(i->src[0].type) &&
          isa_type_size_B(i->src[0].type) == 4 &&
          isa_type_size_B(i->src[1].type) == 4;
}

static bool
accumulator_operand(const struct look *l)
{
   const bool math = l->inst->opcode == ISA_OPCODE_MATH;
   return math && (any_src(l, ISA_ARF_ACC) || writes(l, ISA_ARF_ACC) ||
                   l->inst->acc_wr_en);
}

static bool
modified_product(const struct look *l)
{
   const struct isa_inst *i = l->inst;
   const bool pair =
      i->opcode == ISA_OPCODE_MACH ||
      (i->opcode == ISA_OPCODE_MUL && is_arf(&i->dst, ISA_ARF_ACC));
   return pair && is_int(i->src[1].type) &&
          (i->src[1].negate || i->src[1].abs);
}

static bool
wide_after_pow(const struct look *l)
{
   const struct eu_op *op = before(l, l->op);
   return op && op->inst->opcode == ISA_OPCODE_MATH &&
          (op->inst->math_function == ISA_MATH_POW ||
           op->inst->math_function == ISA_MATH_FDIV) &&
          dst_grfs(l->op) > 1;
}

static bool
math_form(const struct look *l)
{
   const struct isa_inst *i = l->inst;
   const bool immediates = sim_traits(l->p->verx10)->math_immediates;
   if (i->opcode != ISA_OPCODE_MATH)
      return false;
   if (i->dst.file != ISA_FILE_GRF || i->dst.indirect || i->dst.hstride > 1)
      return true;
   for (unsigned n = 0; n < num_srcs(l); n++) {
      const struct isa_operand *o = &i->src[n];
      if (o->indirect || (o->file == ISA_FILE_IMM && !immediates))
         return true;
   }
   return false;
}

/* All HALTs lead behind the last one, as does that one itself, which no
 * channel skips: so each has halted to the same place in the end. */
static bool
halt_target(const struct look *l)
{
   if (l->inst->opcode != ISA_OPCODE_HALT)
      return false;
   const uint32_t to_B = l->op->ip_B + (uint32_t)l->inst->uip;
   const struct eu_op *to = eu_program_at(l->p, to_B);
   const struct eu_op *last = to ? before(l, to) : NULL;
   if (!to)
      return false; /* EU-28 */
   return !last || last->inst->opcode != ISA_OPCODE_HALT ||
          last->inst->pred != ISA_PRED_NONE ||
          last->ip_B + (uint32_t)last->inst->uip != to_B;
}

/* A product of 32-bit integers; the narrower factor comes second. */
static bool
long_product(const struct look *l)
{
   const struct isa_inst *i = l->inst;
   if (i->opcode != ISA_OPCODE_MUL || !is_int(i->src[0].type) ||
       !is_int(i->src[1].type))
      return false;
   const unsigned a = isa_type_size_B(i->src[0].type);
   const unsigned b = isa_type_size_B(i->src[1].type);
   if (a < 4 && b == 4)
      return true;
   if (sim_traits(l->p->verx10)->long_products_are_integers && a == 4 &&
       !is_int(i->dst.type))
      return true;
   return a == 4 && b == 4 &&
          (i->saturate || i->cond_mod != ISA_COND_MOD_NONE);
}

static bool
alt_division(const struct look *l)
{
   return l->inst->opcode == ISA_OPCODE_MATH &&
          l->inst->math_function == ISA_MATH_FDIV && l->alt;
}

/* Rows with addresses of their own: a word of a0 for each. */
static bool
address_rows(const struct look *l)
{
   const unsigned words = sim_traits(l->p->verx10)->address_words;
   for (unsigned i = 0; i < num_srcs(l); i++) {
      const struct eu_operand *o = &l->op->slow->src[i];
      if (o->where != EU_INDIRECT || !o->addr_rows)
         continue;
      const unsigned rows = l->op->exec_size / MAX2(o->addr_row, 1u);
      if (o->addr_subnr + rows > words || l->op->exec_size == 32)
         return true;
   }
   return false;
}

/* As an operand; or in its own way, for channels from the ninth on. */
static bool
integers_in_acc1(const struct look *l)
{
   const struct isa_inst *i = l->inst;
   const bool far = i->exec_size > 8 || l->op->group % 16 >= 8;
   if (!l->op->has_slow)
      return false;
   for (unsigned n = 0; n < num_srcs(l); n++) {
      if (is_arf(&i->src[n], ISA_ARF_ACC) && i->src[n].nr & 1 &&
          is_int(i->src[n].type))
         return true;
   }
   if (is_arf(&i->dst, ISA_ARF_ACC) && i->dst.nr & 1 && is_int(i->dst.type))
      return true;
   return far && !sim_traits(l->p->verx10)->integers_have_acc0_only &&
          is_int(i->src[0].type) &&
          (shadow_reads_acc(i->opcode) || i->acc_wr_en);
}

static const struct {
   enum sim_thread_rule rule;
   bool (*broken)(const struct look *l);
   const char *text;
} looks[] = {
   { SIM_RULE_CONTROL, control_without_switch, "cr0" },
   { SIM_RULE_TIMESTAMP, part_of_timestamp, "tm0" },
   { SIM_RULE_WIDE_COMPARE, wide_compare, "" },
   { SIM_RULE_OPEN_DEPENDENCY, open_dependency, "NoDDClr" },
   { SIM_RULE_UNSAFE_DEPENDENCY, unsafe_dependency, "" },
   { SIM_RULE_WIDE_DEPENDENCY, wide_dependency, "" },
   { SIM_RULE_BRANCH, branch_without_switch, "" },
   { SIM_RULE_CALL, call_without_switch, "" },
   { SIM_RULE_FLOW_FORM, flow_form, "" },
   { SIM_RULE_FLOW_TARGET, flow_target, "" },
   { SIM_RULE_LOOP_TARGET, loop_target, "" },
   { SIM_RULE_HALVES, reads_first_half, "" },
   { SIM_RULE_WIDE_BFI, wide_bfi, "" },
   { SIM_RULE_HALF_FLOAT, half_destination, "" },
   { SIM_RULE_CSEL, has_csel, "" },
   { SIM_RULE_ACC_PRODUCT, accumulator_product, "" },
   { SIM_RULE_ACC_OPERAND, accumulator_operand, "" },
   { SIM_RULE_MODIFIED_PRODUCT, modified_product, "" },
   { SIM_RULE_AFTER_POW, wide_after_pow, "" },
   { SIM_RULE_MATH, math_form, "" },
   { SIM_RULE_HALT_TARGET, halt_target, "" },
   { SIM_RULE_LONG_PRODUCT, long_product, "" },
   { SIM_RULE_ALT_DIVISION, alt_division, "" },
   { SIM_RULE_ADDRESS_ROWS, address_rows, "" },
   { SIM_RULE_INTEGER_ACC, integers_in_acc1, "" },
};

/* The next rule from *from on that the instruction breaks, and that is no
 * fault as there are programs which break it on chips. */
static const struct isa_rule *
next_shipped(const struct sim_eu_program *p, const struct isa_inst *inst,
             unsigned *from)
{
   const struct isa_rule *rule;
   while ((rule = isa_rule_next(isa_gen_from_number(p->verx10), p->low_power,
                                inst, from)) &&
          rule->severity != ISA_RULE_STRICT)
      ;
   return rule;
}

/* A rule of its own, or the one for all. */
static enum sim_thread_rule
rule_of_shipped(const struct isa_rule *rule)
{
   return rule->chip && !strcmp(rule->chip, "EU-05") ? SIM_RULE_NULL_COMPARE
                                                     : SIM_RULE_SHIPPED;
}

bool
shadow_instructions_keep(const struct sim_eu_program *p,
                         const struct sim_thread_rules *rules)
{
   for (uint32_t i = 0; i < p->num_ops; i++) {
      const struct eu_op *op = &p->ops[i];
      const struct look l = { p, op, op->inst, true };
      if (!op->inst || op->fn == eu_flow_join)
         continue;
      for (unsigned k = 0; k < ARRAY_SIZE(looks); k++) {
         if (rules->on[looks[k].rule] && looks[k].broken(&l))
            return false;
      }
      const struct isa_rule *legal;
      for (unsigned from = 0; (legal = next_shipped(p, op->inst, &from));) {
         if (rules->on[rule_of_shipped(legal)])
            return false;
      }
   }
   return true;
}

bool
shadow_instruction(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct look l = { t->program, op, op->inst, t->cr0[0] & 1 };
   const bool *on = t->env->rules->on;
   for (unsigned i = 0; i < ARRAY_SIZE(looks); i++) {
      if (!on[looks[i].rule] || !looks[i].broken(&l))
         continue;
      t->ip_B = op->ip_B;
      if (!shadow_broken(t, looks[i].rule, "%s", looks[i].text))
         return false;
   }
   const struct isa_rule *legal;
   for (unsigned from = 0;
        (legal = next_shipped(t->program, op->inst, &from));) {
      t->ip_B = op->ip_B;
      if (!shadow_broken(t, rule_of_shipped(legal), "%s: %s", legal->id,
                         legal->text))
         return false;
   }
   return true;
}
