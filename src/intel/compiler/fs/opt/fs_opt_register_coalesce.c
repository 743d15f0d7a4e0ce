/* SPDX-License-Identifier: MIT */
/*
 * Lets an instruction write where its result is only copied to:
 *
 *    add t, a, b               add payload+2, a, b
 *    mov payload+2, t     ->
 *
 * when both stand in one block and run in the same channels, and nobody
 * touches the place in between. Other readers of t read from there, too, if
 * it is written just once and they are near. So does a message whose whole
 * answer is copied to one place, GRF by GRF.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/eu/eu_defs.h"
#include "intel/compiler/fs/fs_compile.h"

/* Packed dwords to halves of 64-bit values. */
static bool
spreads_dwords(const struct eu_inst *mov)
{
   return mov->src[0].stride == 1 && mov->dst.stride == 2 &&
          eu_type_sz(mov->dst.type) == 4;
}

static bool
is_plain_move(const struct eu_inst *inst)
{
   const eu_reg *d = &inst->dst, *r = &inst->src[0];

   return inst->op == ISA_OPCODE_MOV && inst->pred == ISA_PRED_NONE &&
          !inst->saturate && inst->cond_mod == ISA_COND_MOD_NONE &&
          d->file == EU_VGRF && r->file == EU_VGRF && !r->negate && !r->abs &&
          !r->region && d->nr != r->nr &&
          eu_type_sz(d->type) == eu_type_sz(r->type) &&
          (d->type == r->type ||
           (!eu_type_is_float(d->type) && !eu_type_is_float(r->type))) &&
          (r->stride == d->stride || inst->exec_size == 1 ||
           spreads_dwords(inst)) &&
          d->stride >= 1;
}

static bool
can_retarget(const struct eu_inst *def, const struct eu_inst *mov)
{
   const eu_reg *r = &mov->src[0];

   if (!eu_is_alu(def) || eu_has_side_effects(def) || eu_keeps_channels(def))
      return false;
   if (def->exec_size != mov->exec_size || def->group != mov->group ||
       def->nomask != mov->nomask)
      return false;
   if (def->dst.offset != r->offset ||
       eu_type_sz(def->dst.type) != eu_type_sz(r->type) ||
       (def->dst.stride != r->stride && def->exec_size > 1))
      return false;
   /* From Gen8 on each instruction can have that stride, and as many
    * registers. */
   if (spreads_dwords(mov) &&
       (eu_type_sz(eu_exec_type(def)) != 4 || eu_info(def)->is_src3 ||
        def->op == ISA_OPCODE_MATH))
      return false;
   /* Layouts that the instruction cannot have would only be undone. */
   if (eu_info(def)->is_src3)
      return mov->dst.offset % 16 == 0 && mov->dst.stride == 1;
   if (def->op == ISA_OPCODE_MATH)
      return mov->dst.offset % REG_SIZE_B == 0 && mov->dst.stride == 1;
   return eu_type_sz(eu_exec_type(def)) <= eu_type_sz(def->dst.type) ||
          mov->dst.offset % eu_type_sz(eu_exec_type(def)) ==
             def->dst.offset % eu_type_sz(eu_exec_type(def));
}

/* Whether each channel reads just what it is to write. Scalars have but one
 * channel, whatever their strides are. */
static bool
is_the_place(const struct eu_inst *def, const eu_reg *r,
             const struct eu_inst *mov)
{
   if (r->region || r->offset != mov->dst.offset)
      return false;
   if (def->exec_size == 1)
      return eu_type_sz(r->type) == eu_type_sz(mov->dst.type);
   return r->stride * eu_type_sz(r->type) ==
          mov->dst.stride * eu_type_sz(mov->dst.type);
}

/* A source that is the place itself, channel by channel, may stay. */
static bool
reads_place_shifted(const struct eu_inst *def, const struct eu_inst *mov)
{
   for (unsigned k = 0; k < def->sources; k++) {
      const eu_reg *r = &def->src[k];

      if (eu_regions_overlap(r, eu_size_read(def, k), &mov->dst,
                             mov->size_written) &&
          !is_the_place(def, r, mov))
         return true;
   }
   return false;
}

/*
 * Whether the copy's destination is left alone between the two. An UNDEF of
 * it there, which would end the value, is handed back to be put in front.
 */
static bool
is_free_between(const struct eu_inst *def, const struct eu_inst *mov,
                struct eu_inst **undef)
{
   *undef = NULL;
   for (struct eu_inst *i = (struct eu_inst *)def;
        (i = list_entry(i->link.next, struct eu_inst, link)) != mov;) {
      if (i->op == EU_OP_UNDEF && eu_same_space(&i->dst, &mov->dst)) {
         if (*undef || i->size_written > 4 * REG_SIZE_B)
            return false;
         *undef = i;
         continue;
      }
      if (eu_regions_overlap(&i->dst, i->size_written, &mov->dst,
                             mov->size_written))
         return false;
      for (unsigned k = 0; k < i->sources; k++) {
         if (eu_regions_overlap(&i->src[k], eu_size_read(i, k), &mov->dst,
                                mov->size_written))
            return false;
      }
   }
   return true;
}

/* Whether anything from `def` on up to `undef` is about its register. */
static bool
touched_before(const struct eu_inst *def, const struct eu_inst *undef)
{
   for (const struct eu_inst *i = def; i != undef;
        i = list_entry(i->link.next, struct eu_inst, link)) {
      if (eu_regions_overlap(&i->dst, i->size_written, &undef->dst,
                             undef->size_written))
         return true;
      for (unsigned k = 0; k < i->sources; k++) {
         if (eu_regions_overlap(&i->src[k], eu_size_read(i, k), &undef->dst,
                                undef->size_written))
            return true;
      }
   }
   return false;
}

/* The writer of `mov`'s destination is new, where its dwords are known. */
static void
set_writer(struct eu_defs *defs, const struct eu_inst *mov,
           struct eu_inst *def)
{
   for (unsigned k = mov->dst.offset / 4;
        k < (mov->dst.offset + mov->size_written + 3) / 4; k++) {
      struct eu_dword_info *w = &defs->dw[defs->first[mov->dst.nr] + k];
      if (w->def == mov)
         w->def = def;
   }
}

/* ---- answers of messages ---- */

/* The largest VGRF that may be both an answer, which does not end in g127,
 * and the last payload, which starts at g112 or behind it. */
#define MAX_ANSWER_GRFS (EU_MAX_GRF - EU_EOT_FIRST_GRF - 1)

/* Copies a part of the answer to where `last` would have it. */
static bool
copies_along(const struct eu_inst *mov, const struct eu_inst *send,
             const struct eu_inst *last)
{
   const eu_reg *d = &mov->dst, *r = &mov->src[0];

   return is_plain_move(mov) && r->nr == send->dst.nr &&
          d->nr == last->dst.nr && r->stride == 1 && d->stride == 1 &&
          mov->exec_size == send->exec_size && mov->group == send->group &&
          mov->nomask == send->nomask &&
          d->offset - r->offset == last->dst.offset - last->src[0].offset &&
          (d->offset - r->offset) % REG_SIZE_B == 0;
}

static bool
touches(const struct eu_inst *inst, const eu_reg *place, unsigned size_B)
{
   if (eu_regions_overlap(&inst->dst, inst->size_written, place, size_B))
      return true;
   for (unsigned k = 0; k < inst->sources; k++) {
      if (eu_regions_overlap(&inst->src[k], eu_size_read(inst, k), place,
                             size_B))
         return true;
   }
   return false;
}

static struct eu_inst *
before(const struct eu_inst *inst)
{
   return list_entry(inst->link.prev, struct eu_inst, link);
}

/* `last` is the last of the copies, or they are not all there yet. */
static bool
coalesce_answer(struct eu_defs *defs, struct eu_inst *last,
                struct eu_inst *send)
{
   const uint32_t to = last->dst.nr;
   const unsigned delta = last->dst.offset - last->src[0].offset;
   eu_reg place = last->dst;
   unsigned copied = 0;

   place.offset = send->dst.offset + delta;
   if ((defs->first[to + 1] - defs->first[to]) / 8 > MAX_ANSWER_GRFS ||
       eu_defs_uses(defs, send) != 1)
      return false;
   for (const struct eu_inst *i = last; i != send; i = before(i)) {
      if (copies_along(i, send, last))
         copied += i->size_written;
      else if (touches(i, &place, send->size_written))
         return false;
   }
   if (copied != send->size_written)
      return false;
   for (struct eu_inst *i = last, *prev; i != send; i = prev) {
      prev = before(i);
      if (copies_along(i, send, last)) {
         set_writer(defs, i, send);
         list_del(&i->link);
      }
   }
   send->dst.nr = place.nr;
   send->dst.offset = place.offset;
   return true;
}

/* ---- other readers ---- */

/* How far they are looked for, in instructions. */
#define MAX_DISTANCE 256
#define MAX_READERS 16

struct reader {
   struct eu_inst *inst;
   unsigned src;
};

/* Those of what `def` writes but `mov`, each of all of it; their number, or 0
 * if there are such as cannot read from somewhere else. */
static unsigned
find_readers(const struct eu_defs *defs, struct eu_inst *def,
             const struct eu_inst *mov, struct reader *readers)
{
   const unsigned wanted = eu_defs_uses(defs, def) - 1;
   bool copied = false;
   unsigned n = 0;

   if (wanted > MAX_READERS)
      return 0;
   for (struct eu_inst *i = def; n < wanted || !copied;) {
      if (i->link.next == &defs->shader->insts)
         return 0;
      i = list_entry(i->link.next, struct eu_inst, link);
      if (i->block != def->block || i->ip > def->ip + MAX_DISTANCE)
         return 0;
      if (i == mov) {
         copied = true;
         continue;
      }
      if (copied && i->op == EU_OP_UNDEF && eu_same_space(&i->dst, &mov->dst))
         return 0;
      for (unsigned k = 0; k < i->sources; k++) {
         const eu_reg *r = &i->src[k];

         if (!eu_same_space(r, &def->dst) ||
             !eu_regions_overlap(r, eu_size_read(i, k), &def->dst,
                                 def->size_written))
            continue;
         if (n == wanted || !eu_is_alu(i) || r->region || r->stride != 1 ||
             r->offset != def->dst.offset ||
             eu_size_read(i, k) != def->size_written)
            return 0;
         readers[n++] = (struct reader) { i, k };
      }
   }
   return n;
}

/* The place is written once, and as what it is copied from. */
static bool
is_like_source(const struct eu_defs *defs, const struct eu_inst *def,
               const struct eu_inst *mov)
{
   const eu_reg *d = &mov->dst;

   return eu_defs_stable_dst(defs, mov) && eu_defs_stable_dst(defs, def) &&
          d->stride == 1 && mov->src[0].stride == 1 && def->dst.stride == 1 &&
          mov->size_written == def->size_written &&
          (d->offset - def->dst.offset) % REG_SIZE_B == 0;
}

/* Each dword of the place has as many readers more. */
static void
move_readers(struct eu_defs *defs, const struct reader *readers, unsigned n,
             const struct eu_inst *def, const struct eu_inst *mov)
{
   struct eu_dword_info *from =
      &defs->dw[defs->first[def->dst.nr] + def->dst.offset / 4];
   struct eu_dword_info *to =
      &defs->dw[defs->first[mov->dst.nr] + mov->dst.offset / 4];

   for (unsigned i = 0; i < n; i++) {
      eu_reg *r = &readers[i].inst->src[readers[i].src];
      r->nr = mov->dst.nr;
      r->offset = mov->dst.offset;
   }
   for (unsigned k = 0; k < def->size_written / 4; k++) {
      to[k].uses = (uint16_t)MIN2(to[k].uses + n, UINT16_MAX);
      from[k].uses = 0;
   }
}

/* ---- results ---- */

static bool
coalesce(struct eu_defs *defs, struct eu_inst *mov, struct eu_inst *def)
{
   struct reader readers[MAX_READERS];
   unsigned n = 0;
   struct eu_inst *undef;
   if (def->block != mov->block || def->ip >= mov->ip)
      return false;
   if (eu_is_send(def))
      return coalesce_answer(defs, mov, def);
   if (def->size_written != eu_region_size(&mov->src[0], mov->exec_size) ||
       !can_retarget(def, mov) || reads_place_shifted(def, mov) ||
       !is_free_between(def, mov, &undef))
      return false;
   if (eu_defs_uses(defs, def) != 1) {
      n = is_like_source(defs, def, mov)
             ? find_readers(defs, def, mov, readers)
             : 0;
      if (!n)
         return false;
   }
   if (undef) {
      if (touched_before(def, undef))
         return false;
      list_del(&undef->link);
      list_addtail(&undef->link, &def->link);
   }
   move_readers(defs, readers, n, def, mov);
   def->dst.file = mov->dst.file;
   def->dst.nr = mov->dst.nr;
   def->dst.offset = mov->dst.offset;
   def->dst.stride = mov->dst.stride;
   def->size_written = mov->size_written;
   list_del(&mov->link);
   set_writer(defs, mov, def);
   return true;
}

bool
fs_opt_register_coalesce(struct eu_shader *s)
{
   return eu_visit_defined(s, is_plain_move, coalesce);
}
