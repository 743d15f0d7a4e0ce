/* SPDX-License-Identifier: MIT */
/*
 * Jumps that are too far for their field: 16 bits on Gen7, for 256 KiB (PRM
 * IVB vol 4 part 3, "if", "else", "endif", "while", "break", "cont", "halt";
 * "call" has 32).
 *
 * JMPI reaches everywhere, but takes the whole thread along. So such a jump
 * goes to a pad nearby, a JMPI in one of the areas that the program flows
 * around. Where only the thread goes, as no channel is active any more, that
 * is all. Channels that wait at a pad instead of at X, for others that are
 * not there yet, must be fetched before the thread goes on at X: it visits
 * all pads of X on its way, one after the other, with the channels that it
 * has, and those that wait at a pad join:
 *
 *    break -> P1 ... break -> P2 ... while    jmpi P1 -> jmpi P2 -> jmpi X
 *
 * So it is for the ENDIF of an IF or ELSE, the end of a loop (BREAK), its
 * WHILE (CONT) and the halt target. What fails a far IF with an ELSE is
 * fetched at the ELSE; the pad goes on only if somebody waited:
 *
 *    if -> P ... halt (all, until endif); jmpi P   P: endif
 *                                                     jmpi to the else part
 *                                                     jmpi to the endif
 *
 * A far WHILE jumps to a JMPI right in front of it.
 *
 * Before: jumps are resolved (eu_jumps.c); distances are of instructions that
 * are not compacted. What is far grows with each pad, so it is looked for
 * until nothing is new. Cost: linear in the instructions for each round.
 */
#include "eu_encode.h"

/* Where a pad leads to, and in which chain it is visited on the way. */
enum pad_kind {
   PAD_THREAD,    /* in front of instruction `to`; no channel waits here */
   PAD_ELSE_PART, /* of the IF `to` */
   PAD_JOIN,      /* instruction `to`: visited in front of it */
   PAD_LEAVE,     /* behind the WHILE `to`: visited there */
};

struct pad {
   enum pad_kind kind;
   int32_t to;
   uint32_t area;
   int32_t next; /* in its chain; -1: the last */
   int32_t place;
};

/* In front of an instruction. */
struct area {
   int32_t before;
   int32_t place;
   int32_t size; /* of its pads */
};

/* An instruction as it was. */
struct old_inst {
   int32_t jip, uip;         /* instructions; -1: none */
   int32_t jip_pad, uip_pad; /* -1: near */
   int32_t join, leave;      /* first pads of its chains; -1: none */
   int32_t start, place;     /* with what is in front of it, and without */
   bool is_target;
};

struct far {
   const struct isa_inst *from;
   int32_t n, reach;
   struct old_inst *old; /* n + 1 */
   struct util_dynarray pads, areas;
   struct isa_inst *to;
};

static struct pad *
pad_at(const struct far *f, int32_t i)
{
   return util_dynarray_element(&f->pads, struct pad, i);
}

static struct area *
area_at(const struct far *f, uint32_t i)
{
   return util_dynarray_element(&f->areas, struct area, i);
}

static uint32_t
num_areas(const struct far *f)
{
   return (uint32_t)util_dynarray_num_elements(&f->areas, struct area);
}

/* ---- what jumps where ---- */

static bool
is_flow(const struct isa_inst *inst)
{
   return isa_opcode_info(inst->opcode)->is_flow;
}

static bool
has_else(const struct far *f, int32_t i)
{
   return f->old[i].jip != f->old[i].uip;
}

static void
find_targets(struct far *f)
{
   for (int32_t i = 0; i <= f->n; i++) {
      struct old_inst *o = &f->old[i];

      *o = (struct old_inst) { -1, -1, -1, -1, -1, -1, 0, 0, false };
      if (i == f->n || !is_flow(&f->from[i]))
         continue;
      o->jip = i + f->from[i].jip / 16;
      if (isa_opcode_info(f->from[i].opcode)->has_uip)
         o->uip = i + f->from[i].uip / 16;
      /* The thread comes by the halt target, where others are fetched. */
      if (f->from[i].opcode == ISA_OPCODE_HALT && o->jip == o->uip &&
          i != o->uip - 1)
         o->jip--;
   }
   for (int32_t i = 0; i < f->n; i++) {
      if (f->old[i].jip >= 0)
         f->old[f->old[i].jip].is_target = true;
      if (f->old[i].uip >= 0)
         f->old[f->old[i].uip].is_target = true;
   }
}

/* Some in each reach, between instructions that run one after the other. */
static void
choose_areas(struct far *f)
{
   int32_t last = 0;

   for (int32_t i = 1; i < f->n; i++) {
      const struct isa_inst *before = &f->from[i - 1], *after = &f->from[i];

      if (i - last < f->reach / 4 || f->old[i].is_target || is_flow(before) ||
          is_flow(after) || before->no_dd_clr || after->no_dd_chk)
         continue;
      const struct area a = { .before = i };
      util_dynarray_append(&f->areas, struct area, a);
      last = i;
   }
}

/* ---- places ---- */

static bool
is_far_while(const struct far *f, int32_t i)
{
   return i < f->n && f->from[i].opcode == ISA_OPCODE_WHILE &&
          f->old[i].jip_pad >= 0;
}

static int32_t
pad_size(const struct pad *p)
{
   return p->kind == PAD_ELSE_PART ? 3 : 1;
}

static void
place_all(struct far *f)
{
   uint32_t a = 0;
   int32_t at = 0;

   for (int32_t i = 0; i <= f->n; i++) {
      struct old_inst *o = &f->old[i];

      if (a < num_areas(f) && area_at(f, a)->before == i) {
         area_at(f, a)->place = at;
         at += area_at(f, a)->size ? 1 + area_at(f, a)->size : 0;
         a++;
      }
      o->start = at;
      at += is_far_while(f, i) ? 2 : o->join >= 0;
      o->place = at++;
      at += o->leave >= 0;
   }
   for (a = 0; a < num_areas(f); a++)
      area_at(f, a)->size = 0;
   util_dynarray_foreach(&f->pads, struct pad, p) {
      struct area *in = area_at(f, p->area);

      p->place = in->place + 1 + in->size;
      in->size += pad_size(p);
   }
}

/* Where instruction `i` goes, if that is near: the thread alone to what is in
 * front of the target, channels that wait to the target itself. */
static int32_t
jip_place(const struct far *f, int32_t i)
{
   const struct old_inst *o = &f->old[i], *to = &f->old[o->jip];

   switch (f->from[i].opcode) {
   case ISA_OPCODE_IF: return has_else(f, i) ? to->start : to->place;
   case ISA_OPCODE_ELSE: return to->place;
   default: return to->start;
   }
}

static int32_t
uip_place(const struct far *f, int32_t i)
{
   const struct old_inst *to = &f->old[f->old[i].uip];

   return f->from[i].opcode == ISA_OPCODE_HALT ? to->start : to->place;
}

/* ---- pads ---- */

static uint32_t
nearest_area(const struct far *f, int32_t place)
{
   uint32_t best = 0;

   for (uint32_t a = 1; a < num_areas(f); a++) {
      if (abs(area_at(f, a)->place - place) <
          abs(area_at(f, best)->place - place))
         best = a;
   }
   return best;
}

/* The pad near instruction `from`, made if there is none: its chain starts
 * at *chain. */
static int32_t
pad_near(struct far *f, int32_t from, enum pad_kind kind, int32_t to,
         int32_t *chain)
{
   const uint32_t area = nearest_area(f, f->old[from].place);
   const int32_t n =
      (int32_t)util_dynarray_num_elements(&f->pads, struct pad);

   for (int32_t i = 0; i < n; i++) {
      const struct pad *p = pad_at(f, i);
      if (p->kind == kind && p->to == to && p->area == area)
         return i;
   }
   const struct pad p = { kind, to, area, chain ? *chain : -1, 0 };
   util_dynarray_append(&f->pads, struct pad, p);
   area_at(f, area)->size += pad_size(&p);
   if (chain)
      *chain = n;
   return n;
}

static int32_t
join_pad(struct far *f, int32_t from, int32_t to)
{
   return pad_near(f, from, PAD_JOIN, to, &f->old[to].join);
}

static void
far_jip(struct far *f, int32_t i)
{
   struct old_inst *o = &f->old[i];

   switch (f->from[i].opcode) {
   case ISA_OPCODE_IF:
      /* The ELSE stands in front of its part. */
      o->jip_pad = has_else(f, i) ? pad_near(f, i, PAD_ELSE_PART, i,
                                             &f->old[o->jip - 1].leave)
                                  : join_pad(f, i, o->jip);
      break;
   case ISA_OPCODE_ELSE: o->jip_pad = join_pad(f, i, o->jip); break;
   case ISA_OPCODE_WHILE: o->jip_pad = 0; break;
   default: o->jip_pad = pad_near(f, i, PAD_THREAD, o->jip, NULL); break;
   }
}

static void
far_uip(struct far *f, int32_t i)
{
   struct old_inst *o = &f->old[i];

   switch (f->from[i].opcode) {
   case ISA_OPCODE_BREAK:
      o->uip_pad = pad_near(f, i, PAD_LEAVE, o->uip, &f->old[o->uip].leave);
      break;
   case ISA_OPCODE_HALT: o->uip_pad = join_pad(f, i, o->uip - 1); break;
   default: o->uip_pad = join_pad(f, i, o->uip); break;
   }
}

/* Whether instruction `i` has a UIP of its own: an IF needs none, as its
 * channels and the thread go to its JIP. */
static bool
has_uip(const struct far *f, int32_t i)
{
   return f->old[i].uip >= 0 && f->from[i].opcode != ISA_OPCODE_IF &&
          f->from[i].opcode != ISA_OPCODE_ELSE;
}

static bool
find_far(struct far *f)
{
   bool found = false;

   for (int32_t i = 0; i < f->n; i++) {
      struct old_inst *o = &f->old[i];

      if (o->jip >= 0 && o->jip_pad < 0 &&
          f->from[i].opcode != ISA_OPCODE_CALL &&
          abs(jip_place(f, i) - o->place) > f->reach) {
         far_jip(f, i);
         found = true;
      }
      if (has_uip(f, i) && o->uip_pad < 0 &&
          abs(uip_place(f, i) - o->place) > f->reach) {
         far_uip(f, i);
         found = true;
      }
   }
   return found;
}

/* ---- the new program ---- */

static void
put_jump(struct far *f, int32_t at, int32_t to)
{
   f->to[at] = (struct isa_inst) { .opcode = ISA_OPCODE_JMPI,
                                   .exec_size = 1,
                                   .no_mask = true,
                                   .jip = (to - at) * 16 };
   f->to[at].src[0].file = ISA_FILE_IMM;
}

/* Where the pads of a chain lead to in the end. */
static int32_t
end_of(const struct far *f, const struct pad *p)
{
   const struct old_inst *to = &f->old[p->to];

   switch (p->kind) {
   case PAD_THREAD: return to->start;
   case PAD_JOIN: return to->place;
   case PAD_LEAVE: return f->old[p->to + 1].start;
   case PAD_ELSE_PART: return f->old[to->jip].start;
   }
   unreachable("kind of pad");
}

static void
put_pad(struct far *f, const struct pad *p)
{
   int32_t at = p->place;

   if (p->kind == PAD_ELSE_PART) {
      struct isa_inst *o = &f->to[at++];

      *o = f->from[p->to];
      o->opcode = ISA_OPCODE_ENDIF;
      o->pred = ISA_PRED_NONE;
      o->pred_inv = false;
      o->flag_nr = o->flag_subnr = 0;
      o->jip = 2 * 16;
      o->uip = 0;
      put_jump(f, at + 1, f->old[f->old[p->to].uip].start);
   }
   put_jump(f, at, p->next >= 0 ? pad_at(f, p->next)->place : end_of(f, p));
}

/* An ELSE behind which channels are fetched, or whose channels must not be
 * waited for where they wait: all of them halt until the ENDIF. */
static void
split_else(struct far *f, int32_t i, struct isa_inst *inst)
{
   const struct old_inst *o = &f->old[i];

   inst->opcode = ISA_OPCODE_HALT;
   inst->uip = inst->jip;
   inst->jip = o->leave >= 0 ? 16 : (f->old[o->jip].start - o->place) * 16;
}

static void
put_inst(struct far *f, int32_t i)
{
   const struct old_inst *o = &f->old[i];
   struct isa_inst *inst = &f->to[o->place];

   *inst = f->from[i];
   if (is_far_while(f, i)) {
      put_jump(f, o->start,
               o->join >= 0 ? pad_at(f, o->join)->place : o->place);
      put_jump(f, o->start + 1, f->old[o->jip].start);
      inst->jip = -16;
   } else {
      if (o->join >= 0)
         put_jump(f, o->start, pad_at(f, o->join)->place);
      if (o->jip >= 0)
         inst->jip = ((o->jip_pad >= 0 ? pad_at(f, o->jip_pad)->place
                                       : jip_place(f, i)) -
                      o->place) *
                     16;
   }
   if (o->uip >= 0)
      inst->uip = has_uip(f, i)
                     ? ((o->uip_pad >= 0 ? pad_at(f, o->uip_pad)->place
                                         : uip_place(f, i)) -
                        o->place) *
                          16
                     : inst->jip;
   if (inst->opcode == ISA_OPCODE_ELSE &&
       (o->leave >= 0 || (o->jip == i + 1 && f->old[o->jip].join >= 0)))
      split_else(f, i, inst);
   if (o->leave >= 0)
      put_jump(f, o->place + 1, pad_at(f, o->leave)->place);
}

static void
put_all(struct far *f)
{
   for (uint32_t a = 0; a < num_areas(f); a++) {
      const struct area *area = area_at(f, a);
      if (area->size)
         put_jump(f, area->place, area->place + 1 + area->size);
   }
   util_dynarray_foreach(&f->pads, struct pad, p)
      put_pad(f, p);
   for (int32_t i = 0; i < f->n; i++)
      put_inst(f, i);
}

/* How many instructions a jump may go, either way. */
static int32_t
reach_of(const struct eu_shader *s)
{
   const int32_t most = (1 << 15) / 2 - 1;
   struct isa_inst jump = {
      .opcode = ISA_OPCODE_ENDIF,
      .exec_size = 8,
      .jip = (most + 1) * 16,
      .dst = { .file = ISA_FILE_ARF, .nr = ISA_ARF_NULL, .type = ISA_TYPE_D }
   };
   uint32_t code[4];

   if (isa_encode(s->gen, &jump, code, NULL))
      return INT32_MAX;
   return s->debug & INTEL_DEBUG_NEAR ? 200 : most;
}

void
eu_far_jumps(struct eu_shader *s, struct util_dynarray *insts,
             struct util_dynarray *origins)
{
   struct far f = { .from = insts->data,
                    .n = (int32_t)util_dynarray_num_elements(insts,
                                                             struct isa_inst),
                    .reach = reach_of(s) };

   if (f.n <= f.reach)
      return;
   f.old = arena_new_array(s->arena, struct old_inst, (unsigned)f.n + 1);
   find_targets(&f);
   choose_areas(&f);
   place_all(&f);
   while (num_areas(&f) && find_far(&f))
      place_all(&f);
   const unsigned n = (unsigned)f.old[f.n].start;
   f.to = arena_new_array(s->arena, struct isa_inst, n);
   put_all(&f);
   util_dynarray_foreach(origins, struct eu_origin, o)
      o->offset_B = (uint32_t)f.old[o->offset_B].start;
   util_dynarray_clear(insts);
   memcpy(util_dynarray_grow_bytes(insts, n * sizeof(*f.to)), f.to,
          n * sizeof(*f.to));
   util_dynarray_fini(&f.pads);
   util_dynarray_fini(&f.areas);
}
