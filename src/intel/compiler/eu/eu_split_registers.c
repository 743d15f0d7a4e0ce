/* SPDX-License-Identifier: MIT */
/*
 * Scalars that lie side by side in one register get registers of their own,
 * where there is room:
 *
 *    mov(1) vgrf0+0.0<1>:ud, 0x1        mov(1) vgrf0+0.0<1>:ud, 0x1
 *    mov(1) vgrf0+0.4<1>:ud, 0x2   ->   mov(1) vgrf1+0.4<1>:ud, 0x2
 *
 * The EU keeps account of what is being written by whole registers: each
 * write of such a scalar would wait for the one before it, and each read for
 * the last (the destination dependency check that the instruction field
 * DepCtrl is about, PRM SKL vol 7).
 *
 * Method: bytes of a VGRF that some instruction reads or writes together
 * belong together; what is left apart is split. Offsets stay, so that
 * regions and alignments are as they were. Each new register is paid for
 * where the old one is live, and none is made that brings the number of
 * those live at once above ROOM.
 * Before: all operands are in the form that the hardware takes. Cost: linear;
 * MAX_ROUNDS bounds how often positions are looked at.
 */
#include "eu_builder.h"
#include "eu_pass.h"

/* Far below the scheduler's limit, so that it keeps its freedom. */
#define ROOM 64

#define MAX_ROUNDS 16

#define WORDS (REG_SIZE_B / 2)

/* A VGRF: for each word, those that belong together with it. */
struct parts {
   uint16_t of[WORDS];
   uint32_t to[WORDS]; /* where they go */
   bool undefined;     /* an UNDEF says where its life begins */
};

struct split {
   struct eu_shader *s;
   struct parts *parts;
   uint32_t num_vgrfs; /* of before */
};

static uint16_t
words_of(const eu_reg *r, unsigned size_B)
{
   const unsigned first = r->offset / 2;
   const unsigned end = DIV_ROUND_UP(r->offset + size_B, 2);

   return (uint16_t)(BITFIELD64_MASK(end) & ~BITFIELD64_MASK(first));
}

static bool
may_split(const struct split *sp, const eu_reg *r, unsigned size_B)
{
   return r->file == EU_VGRF && size_B && r->nr < sp->num_vgrfs &&
          sp->s->vgrf_size[r->nr] == 1;
}

static void
join(const struct split *sp, const eu_reg *r, unsigned size_B)
{
   if (!may_split(sp, r, size_B))
      return;
   struct parts *p = &sp->parts[r->nr];
   const uint16_t words = words_of(r, size_B);
   uint16_t all = words;

   for (unsigned w = 0; w < WORDS; w++) {
      if (words & (1u << w))
         all |= p->of[w];
   }
   for (unsigned w = 0; w < WORDS; w++) {
      if (all & (1u << w))
         p->of[w] = all;
   }
}

static void
find_parts(const struct split *sp)
{
   list_for_each_entry(struct eu_inst, inst, &sp->s->insts, link) {
      for (unsigned i = 0; i < inst->sources; i++)
         join(sp, &inst->src[i], eu_size_read(inst, i));
      if (inst->op != EU_OP_UNDEF)
         join(sp, &inst->dst, inst->size_written);
      else if (may_split(sp, &inst->dst, inst->size_written))
         sp->parts[inst->dst.nr].undefined = true;
   }
}

/* Whether a part begins with this word, and it is not the first. */
static bool
begins_part(const struct parts *p, unsigned w)
{
   const uint16_t before = (uint16_t)BITFIELD64_MASK(w);
   uint16_t others = 0;

   for (unsigned i = 0; i < w; i++)
      others |= p->of[i];
   return p->of[w] && !(p->of[w] & before) && others;
}

/* How many more registers there may be from `first` to `last`. */
static int32_t
room_in(const int32_t *live, int32_t first, int32_t last)
{
   int32_t room = ROOM;

   for (int32_t p = first; p <= last; p++)
      room = MIN2(room, ROOM - live[p]);
   return room;
}

/* Gives new registers to parts of a VGRF; how many. */
static int32_t
split_vgrf(const struct split *sp, struct parts *p, int32_t room)
{
   int32_t n = 0;

   for (unsigned w = 0; w < WORDS && n < room; w++) {
      if (!begins_part(p, w))
         continue;
      const uint32_t to = eu_alloc_vgrf(sp->s, 1);
      for (unsigned i = w; i < WORDS; i++) {
         if (p->of[w] & (1u << i))
            p->to[i] = to;
      }
      n++;
   }
   return n;
}

static bool
has_several(const struct parts *p)
{
   for (unsigned w = 1; w < WORDS && p->undefined; w++) {
      if (begins_part(p, w))
         return true;
   }
   return false;
}

static bool
choose(const struct split *sp, struct arena *arena)
{
   uint32_t first_vgrf = 0;

   while (first_vgrf < sp->num_vgrfs && !has_several(&sp->parts[first_vgrf]))
      first_vgrf++;
   if (first_vgrf == sp->num_vgrfs)
      return false;
   const struct eu_liveness *lv =
      eu_calculate_liveness(sp->s, EU_GRANULE_GRF, arena);
   int32_t *live = eu_count_live(sp->s, lv, arena);
   int64_t work = (int64_t)MAX_ROUNDS * eu_positions(sp->s);
   bool any = false;

   for (uint32_t v = first_vgrf; v < sp->num_vgrfs && work > 0; v++) {
      struct parts *p = &sp->parts[v];
      const int32_t first = lv->vgrf_start[v], last = lv->vgrf_end[v];

      if (!has_several(p) || first > last)
         continue;
      work -= 2 * (last - first + 1);
      const int32_t n = split_vgrf(sp, p, room_in(live, first, last));
      for (int32_t i = first; i <= last; i++)
         live[i] += n;
      any |= n > 0;
   }
   return any;
}

static void
move_operand(const struct split *sp, eu_reg *r, unsigned size_B)
{
   if (!may_split(sp, r, size_B))
      return;
   const uint32_t to = sp->parts[r->nr].to[r->offset / 2];
   if (to)
      r->nr = to;
}

/* An UNDEF of each. */
static void
undefine(const struct split *sp, struct eu_inst *undef)
{
   const struct eu_builder b = eu_builder_after(sp->s, undef);
   const struct parts *p = &sp->parts[undef->dst.nr];

   for (unsigned w = 0; w < WORDS; w++) {
      if (p->to[w] && (p->of[w] & BITFIELD64_MASK(w)) == 0)
         eu_undef(&b, eu_vgrf_reg(p->to[w], ISA_TYPE_UD));
   }
}

static void
rename_all(const struct split *sp)
{
   list_for_each_entry_safe(struct eu_inst, inst, &sp->s->insts, link) {
      if (inst->op == EU_OP_UNDEF) {
         if (may_split(sp, &inst->dst, inst->size_written))
            undefine(sp, inst);
         continue;
      }
      for (unsigned i = 0; i < inst->sources; i++)
         move_operand(sp, &inst->src[i], eu_size_read(inst, i));
      move_operand(sp, &inst->dst, inst->size_written);
   }
}

bool
eu_split_registers(struct eu_shader *s)
{
   if (s->few_registers || s->simd4x2)
      return false;
   struct arena *arena = arena_create(NULL);
   const struct split sp = {
      .s = s,
      .num_vgrfs = s->num_vgrfs,
      .parts = arena_new_array(arena, struct parts, s->num_vgrfs + 1),
   };
   find_parts(&sp);
   const bool any = choose(&sp, arena);
   if (any)
      rename_all(&sp);
   arena_destroy(arena);
   return any;
}
