/* SPDX-License-Identifier: MIT */
/*
 * Gives comparisons in turn each of the flags that a program leaves unused,
 * so that the scheduler may interleave what they decide:
 *
 *    cmp.l.f0.0  null, a, b         cmp.l.f0.0  null, a, b
 *    (+f0.0) sel x, c, d            (+f0.0) sel x, c, d
 *    cmp.l.f0.0  null, e, f   ->    cmp.l.f1.1  null, e, f
 *    (+f0.0) sel y, g, h            (+f1.1) sel y, g, h
 *
 * What is renamed is a whole life of a flag within a block: from where all
 * the channels that are read later are written, to the write that ends it, or
 * the end of the program.
 * After: the same, with more flags. Those of the other register come first:
 * whether a flag has been written is known of its register as a whole.
 */
#include "eu_ir.h"
#include "eu_pass.h"
#include "util/dynarray.h"

#define NUM_FLAGS 4

/* Of a flag's value: who made it, and who reads it. */
struct life {
   struct eu_inst *def;          /* NULL: not known, or not to be renamed */
   struct util_dynarray readers; /* struct eu_inst * */
};

struct spread {
   struct life lives[NUM_FLAGS];
   uint8_t unused[NUM_FLAGS]; /* in the whole program */
   unsigned num_unused, next;
   bool changed;
};

static void
find_unused(struct spread *sp, const struct eu_shader *s)
{
   static const uint8_t order[NUM_FLAGS] = { 0, 2, 1, 3 };
   unsigned used = 0;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      used |= eu_flags_read(inst) | eu_flags_written(inst);
   for (unsigned i = 0; i < NUM_FLAGS; i++) {
      if (!(used & (1u << order[i])))
         sp->unused[sp->num_unused++] = order[i];
   }
}

/* Whether what `a` writes is all that `b` writes or reads. */
static bool
covers(const struct eu_inst *a, const struct eu_inst *b)
{
   return a->group <= b->group &&
          a->group + a->exec_size >= b->group + b->exec_size &&
          (a->nomask || !b->nomask);
}

static void
invalidate(struct life *l)
{
   l->def = NULL;
   util_dynarray_clear(&l->readers);
}

/* In turn the flag that it has, and each that is unused. */
static void
rename_life(struct spread *sp, struct life *l)
{
   const unsigned turn = sp->next++ % (sp->num_unused + 1);

   if (turn == 0)
      return;
   const uint8_t flag = sp->unused[turn - 1];
   l->def->flag = flag;
   util_dynarray_foreach(&l->readers, struct eu_inst *, r)
      (*r)->flag = flag;
   sp->changed = true;
}

/* A comparison that writes its channels of one flag, and does no more. */
static bool
begins_life(const struct eu_inst *inst)
{
   return inst->cond_mod != ISA_COND_MOD_NONE && !eu_info(inst)->selects &&
          inst->pred == ISA_PRED_NONE && !inst->align16 &&
          eu_flags_written(inst) == 1u << inst->flag;
}

/* A predicate whose channels are all of that life. */
static bool
reads_life(const struct eu_inst *inst, const struct life *l)
{
   return l->def && inst->pred == ISA_PRED_NORMAL && !inst->align16 &&
          eu_flags_read(inst) == 1u << inst->flag &&
          !eu_flags_written(inst) && covers(l->def, inst);
}

static void
visit(struct spread *sp, struct eu_inst *inst)
{
   const unsigned read = eu_flags_read(inst), write = eu_flags_written(inst);

   for (unsigned f = 0; f < NUM_FLAGS; f++) {
      struct life *l = &sp->lives[f];

      if (read & (1u << f)) {
         if (reads_life(inst, l))
            util_dynarray_append(&l->readers, struct eu_inst *, inst);
         else
            invalidate(l);
      }
      if (write & (1u << f)) {
         if (l->def && begins_life(inst) && covers(inst, l->def))
            rename_life(sp, l);
         invalidate(l);
         l->def = begins_life(inst) ? inst : NULL;
      }
   }
}

bool
eu_spread_flags(struct eu_shader *s)
{
   struct spread sp = { 0 };
   uint32_t block = ~0u;

   find_unused(&sp, s);
   if (!sp.num_unused || s->dispatch_width > 16)
      return false;
   eu_calculate_cfg(s);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (inst->block != block) {
         for (unsigned f = 0; f < NUM_FLAGS; f++)
            invalidate(&sp.lives[f]);
         block = inst->block;
      }
      visit(&sp, inst);
   }
   for (unsigned f = 0; f < NUM_FLAGS; f++) {
      if (util_dynarray_num_elements(&sp.lives[f].readers, struct eu_inst *))
         rename_life(&sp, &sp.lives[f]);
   }
   for (unsigned f = 0; f < NUM_FLAGS; f++)
      util_dynarray_fini(&sp.lives[f].readers);
   return sp.changed;
}
