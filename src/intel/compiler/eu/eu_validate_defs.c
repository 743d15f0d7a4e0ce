/* SPDX-License-Identifier: MIT */
/*
 * Definition before use, for virtual registers (by GRF) and flags: a read
 * that no write can reach is a fault.
 *
 * That some way to it has no write is none: a value of which one arm of an IF
 * knows nothing is copied like any other, and copy propagation takes away the
 * register that was marked as undefined.
 *
 * Control flow is nested, so one walk over the list is enough. The second arm
 * of an IF starts with what there was before the first; after ENDIF the two
 * are united. Within a loop, all that the loop writes may come from the round
 * before.
 */
#include "eu_validate.h"

struct definitions {
   struct eu_validation *v;
   struct arena *arena;
   uint32_t *first; /* by VGRF, and the four flags after them */
   BITSET_WORD *now;
   uint32_t words;
   /* For each IF that is open, a BITSET_WORD *: before it, and after ELSE at
    * the end of the first arm. */
   struct util_dynarray open;
   unsigned loops; /* that are open */
};

static void
check_reads(struct definitions *d, const struct eu_inst *inst)
{
   struct eu_validation *v = d->v;
   const uint32_t flags = d->first[v->s->num_vgrfs];

   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];
      const unsigned size = eu_size_read(inst, i);

      if (r->file != EU_VGRF || !size || r->nr >= v->s->num_vgrfs)
         continue;
      const uint32_t base = d->first[r->nr], end = d->first[r->nr + 1];
      for (uint32_t g = base + r->offset / REG_SIZE_B;
           g <= base + (r->offset + size - 1) / REG_SIZE_B && g < end; g++) {
         if (!BITSET_TEST(d->now, g)) {
            eu_fault(v, inst, "a source is read before it is written");
            break;
         }
      }
   }
   unsigned missing = eu_flags_read(inst);
   for (unsigned f = 0; f < 4 && missing; f++) {
      if (BITSET_TEST(d->now, flags + f))
         missing &= ~(1u << f);
   }
   if (missing)
      eu_fault(v, inst, "a flag is read before it is written");
}

static void
add_writes(struct definitions *d, const struct eu_inst *inst)
{
   const struct eu_shader *s = d->v->s;
   const eu_reg *r = &inst->dst;
   const unsigned flags = eu_flags_written(inst);

   for (unsigned f = 0; flags >> f; f++) {
      if (flags & (1u << f))
         BITSET_SET(d->now, d->first[s->num_vgrfs] + f);
   }
   if (r->file != EU_VGRF || !inst->size_written || r->nr >= s->num_vgrfs)
      return;
   const uint32_t base = d->first[r->nr], end = d->first[r->nr + 1];
   for (uint32_t g = base + r->offset / REG_SIZE_B;
        g <= base + (r->offset + inst->size_written - 1) / REG_SIZE_B &&
        g < end;
        g++)
      BITSET_SET(d->now, g);
}

/* All that an outermost loop writes; inner ones are part of it. */
static void
add_loop(struct definitions *d, const struct eu_inst *head)
{
   unsigned depth = 1;

   for (const struct eu_inst *i = head; depth;) {
      i = list_entry(i->link.next, struct eu_inst, link);
      add_writes(d, i);
      depth += i->op == EU_OP_DO;
      depth -= i->op == ISA_OPCODE_WHILE;
   }
}

static void
follow(struct definitions *d, const struct eu_inst *inst)
{
   const size_t size = d->words * sizeof(BITSET_WORD);
   const unsigned n =
      (unsigned)util_dynarray_num_elements(&d->open, BITSET_WORD *);
   BITSET_WORD **top =
      n ? util_dynarray_element(&d->open, BITSET_WORD *, n - 1) : NULL;

   switch (inst->op) {
   case ISA_OPCODE_IF: {
      BITSET_WORD *before = arena_memdup(d->arena, d->now, size);
      util_dynarray_append(&d->open, BITSET_WORD *, before);
      break;
   }
   case ISA_OPCODE_ELSE: {
      BITSET_WORD *before = *top;
      *top = d->now;
      d->now = before;
      break;
   }
   case ISA_OPCODE_ENDIF:
      bitset_union(d->now, *top, d->words);
      (void)util_dynarray_pop(&d->open, BITSET_WORD *);
      break;
   case EU_OP_DO:
      if (d->loops++ == 0)
         add_loop(d, inst);
      break;
   case ISA_OPCODE_WHILE: d->loops--; break;
   default: break;
   }
}

void
eu_check_definitions(struct eu_validation *v)
{
   struct definitions d = { .v = v, .arena = arena_create(NULL) };
   const struct eu_shader *s = v->s;
   uint32_t n = 0;

   d.first = arena_new_array(d.arena, uint32_t, s->num_vgrfs + 1);
   for (uint32_t i = 0; i < s->num_vgrfs; i++) {
      d.first[i] = n;
      n += s->vgrf_size[i];
   }
   d.first[s->num_vgrfs] = n;
   d.words = BITSET_WORDS(n + 4);
   d.now = arena_new_array(d.arena, BITSET_WORD, d.words);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (inst->op != EU_OP_UNDEF)
         check_reads(&d, inst);
      add_writes(&d, inst);
      if (eu_info(inst)->is_flow)
         follow(&d, inst);
   }
   util_dynarray_fini(&d.open);
   arena_destroy(d.arena);
}
