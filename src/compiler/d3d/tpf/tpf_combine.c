/* SPDX-License-Identifier: MIT */
/*
 * Instructions on components become instructions on vectors, where registers
 * are known: what does the same to other components of the same registers is
 * joined with an instruction before it, if nothing in between is in the way.
 * An if of one jump is a jump with a condition.
 *
 * Before: the body without declarations. Cost: linear, times the window.
 */
#include "tpf_emit.h"

#define WINDOW 16

/* ---- what an instruction touches ---- */

static bool
is_dest(const struct tpf_inst *inst, unsigned i)
{
   return tpf_is_dest_letter(tpf_op_info(inst->op)->operands[i]);
}

static bool
is_map(const struct tpf_inst *inst)
{
   return tpf_op_info(inst->op)->sem == TPF_SEM_MAP;
}

/* Control flow; and what reads outputs that it does not name. */
static bool
ends_window(const struct tpf_inst *inst)
{
   const enum tpf_sem sem = tpf_op_info(inst->op)->sem;

   return sem == TPF_SEM_FLOW || sem == TPF_SEM_SPECIAL;
}

/* By place, without what is chosen at run time. */
static bool
same_register(const struct tpf_operand *a, const struct tpf_operand *b)
{
   if (a->file != b->file || a->num_indices != b->num_indices)
      return false;
   for (unsigned i = 0; i < a->num_indices; i++) {
      if (a->index[i].kind != TPF_INDEX_IMM ||
          b->index[i].kind != TPF_INDEX_IMM ||
          a->index[i].imm != b->index[i].imm)
         return false;
   }
   return true;
}

static unsigned
written(const struct tpf_inst *inst, const struct tpf_operand *reg)
{
   unsigned mask = 0;

   for (unsigned i = 0; i < inst->num_operands && is_dest(inst, i); i++) {
      if (same_register(&inst->operand[i], reg))
         mask |= inst->operand[i].mask;
   }
   return mask;
}

static unsigned
swizzled(const struct tpf_operand *o, unsigned mask)
{
   unsigned read = 0;

   for (unsigned c = 0; c < 4; c++) {
      if (mask >> c & 1)
         read |= 1u << (o->swizzle >> 2 * c & 3);
   }
   return read;
}

/* Components of a register that may be read. */
static unsigned
reads(const struct tpf_inst *inst, const struct tpf_operand *reg)
{
   unsigned mask = 0;

   for (unsigned i = 0; i < inst->num_operands; i++) {
      const struct tpf_operand *o = &inst->operand[i];
      for (unsigned k = 0; k < o->num_indices; k++) {
         if (o->index[k].rel && same_register(o->index[k].rel, reg))
            mask = 0xf;
      }
      if (is_dest(inst, i) || !same_register(o, reg))
         continue;
      mask |= is_map(inst) ? swizzled(o, inst->operand[0].mask) : 0xf;
   }
   return mask;
}

/* ---- pairs ---- */

static bool
is_source(const struct tpf_operand *o)
{
   if (o->file == TPF_FILE_IMM32)
      return true;
   for (unsigned i = 0; i < o->num_indices; i++) {
      if (o->index[i].kind != TPF_INDEX_IMM)
         return false;
   }
   return o->components == TPF_COMPONENTS_4 && o->file != TPF_FILE_X &&
          o->file != TPF_FILE_IMM64;
}

static bool
is_part(const struct tpf_inst *inst)
{
   const struct tpf_operand *d = &inst->operand[0];

   if (!is_map(inst) || inst->num_extended || inst->num_words ||
       (d->file != TPF_FILE_R && d->file != TPF_FILE_O) ||
       d->components != TPF_COMPONENTS_4 ||
       d->index[0].kind != TPF_INDEX_IMM || d->num_indices != 1)
      return false;
   for (unsigned i = 1; i < inst->num_operands; i++) {
      if (!is_source(&inst->operand[i]))
         return false;
   }
   return true;
}

static bool
does_the_same(const struct tpf_inst *a, const struct tpf_inst *b)
{
   if (a->op != b->op || a->controls != b->controls ||
       !same_register(&a->operand[0], &b->operand[0]) ||
       a->operand[0].mask & b->operand[0].mask)
      return false;
   for (unsigned i = 1; i < a->num_operands; i++) {
      const struct tpf_operand *x = &a->operand[i], *y = &b->operand[i];
      if (x->file != y->file || x->neg != y->neg || x->abs != y->abs ||
          x->precision != y->precision ||
          (x->file != TPF_FILE_IMM32 && !same_register(x, y)))
         return false;
   }
   return true;
}

/* What `b` reads and writes stands as it is from `a` to `b`. */
static bool
may_move(const struct tpf_inst *a, const struct tpf_inst *between,
         const struct tpf_inst *b)
{
   const struct tpf_operand *d = &b->operand[0];

   for (unsigned i = 1; i < b->num_operands; i++) {
      const struct tpf_operand *o = &b->operand[i];
      if (o->file != TPF_FILE_IMM32 &&
          (written(a, o) | written(between, o)) & swizzled(o, d->mask))
         return false;
   }
   return !((reads(between, d) | written(between, d)) & d->mask);
}

static uint32_t
immediate(const struct tpf_operand *o, unsigned c)
{
   return o->imm[o->components == TPF_COMPONENTS_4 ? c : 0];
}

static void
join(struct tpf_inst *a, const struct tpf_inst *b)
{
   const unsigned first = a->operand[0].mask, second = b->operand[0].mask;

   for (unsigned i = 1; i < a->num_operands; i++) {
      struct tpf_operand *x = &a->operand[i];
      const struct tpf_operand *y = &b->operand[i];
      unsigned last = (unsigned)__builtin_ctz(first), swizzle = 0;
      uint32_t imm[4] = { 0 };
      for (unsigned c = 0; c < 4; c++) {
         const struct tpf_operand *from = second >> c & 1 ? y : x;
         if ((first | second) >> c & 1) {
            imm[c] = immediate(from, c);
            last = from->swizzle >> 2 * c & 3;
         }
         swizzle |= last << 2 * c;
      }
      if (x->file == TPF_FILE_IMM32) {
         memcpy(x->imm, imm, sizeof(imm));
         x->components = TPF_COMPONENTS_4;
      }
      *x = tpf_emit_swizzled(
         *x, x->file == TPF_FILE_IMM32 ? TPF_SWIZZLE_IDENTITY : swizzle);
   }
   a->operand[0] = tpf_emit_masked(a->operand[0], first | second);
}

/* The place of an instruction before number `n` of `list` that it joins; -1:
 * there is none. */
static int
find_partner(const struct tpf_inst *list, int n)
{
   const struct tpf_inst *b = &list[n];

   for (int i = n - 1; is_part(b) && i >= 0 && i >= n - WINDOW; i--) {
      const struct tpf_inst *a = &list[i];
      if (ends_window(a))
         return -1;
      if (is_part(a) && does_the_same(a, b)) {
         bool free = true;
         for (int k = i; k < n && free; k++)
            free = k == i ? may_move(a, a, b) : may_move(a, &list[k], b);
         return free ? i : -1;
      }
   }
   return -1;
}

/* if, break, endif: the last of `n`, which become one. */
static bool
jump_with_condition(struct tpf_inst *list, int n)
{
   static const enum tpf_op jumps[][2] = {
      { TPF_OP_BREAK, TPF_OP_BREAKC },
      { TPF_OP_CONTINUE, TPF_OP_CONTINUEC },
   };

   if (n < 3 || list[n - 1].op != TPF_OP_ENDIF || list[n - 3].op != TPF_OP_IF)
      return false;
   for (unsigned i = 0; i < ARRAY_SIZE(jumps); i++) {
      if (list[n - 2].op == jumps[i][0]) {
         list[n - 3].op = jumps[i][1];
         return true;
      }
   }
   return false;
}

void
tpf_emit_combine(struct tpf_emit *e)
{
   const int n = (int)util_dynarray_num_elements(&e->body, struct tpf_inst);
   struct tpf_inst *list = e->body.data;
   int kept = 0;

   for (int i = 0; i < n; i++) {
      list[kept] = list[i];
      const int partner = find_partner(list, kept);
      if (partner >= 0)
         join(&list[partner], &list[kept]);
      else
         kept++;
      if (jump_with_condition(list, kept))
         kept -= 2;
   }
   e->body.size_B = (size_t)kept * sizeof(*list);
}
