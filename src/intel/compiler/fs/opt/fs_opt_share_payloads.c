/* SPDX-License-Identifier: MIT */
/*
 * Messages of a block with the same payload read it from the same registers:
 * textures at the same coordinates, outputs with the same constants.
 *
 * A payload that is one value is read from where that is; so are both of a
 * split message as one, if they are there one behind the other.
 *
 * Payloads are made of moves of values that do not change (eu_defs.h); those
 * of the second are left for dead code elimination. Runs before moves become
 * the instructions whose results they move.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/eu/eu_defs.h"
#include "intel/compiler/fs/fs_compile.h"
#include "intel/isa/isa_messages.h"

#define TABLE 64
#define MAX_MOVES 16
/* How far apart, in instructions, two messages may be: registers are not to
 * be had for long. */
#define NEAR 96

/* What is known of a VGRF. */
struct payload {
   uint64_t hash; /* of its moves, in any order */
   uint32_t block;
   uint16_t moves, reads;
   bool other; /* is not just a payload made of moves in one block */
};

struct entry {
   uint32_t nr, block, ip;
   struct eu_inst *reader;
};

struct share {
   const struct eu_shader *s;
   struct eu_defs defs;
   struct payload *payloads; /* by VGRF */
   struct entry table[TABLE];
};

/* Source `i` of a message is a whole VGRF. */
static bool
is_payload(const struct eu_shader *s, const struct eu_inst *inst, unsigned i)
{
   const eu_reg *r = &inst->src[i];

   return eu_is_send(inst) && (i == 0 || i == 2) && r->file == EU_VGRF &&
          r->offset == 0 &&
          eu_size_read(inst, i) == s->vgrf_size[r->nr] * REG_SIZE_B;
}

static bool
is_part(const struct share *sh, const struct eu_inst *inst)
{
   if (inst->op == EU_OP_UNDEF)
      return true;
   return inst->op == ISA_OPCODE_MOV && inst->pred == ISA_PRED_NONE &&
          inst->cond_mod == ISA_COND_MOD_NONE && !inst->saturate &&
          !inst->align16 && inst->dst.stride == 1 &&
          eu_defs_stable(&sh->defs, inst, 0) &&
          eu_defs_stable_dst(&sh->defs, inst);
}

static uint64_t
part_hash(const struct eu_inst *inst)
{
   uint64_t h = inst->op * 31u + inst->dst.offset;

   if (inst->sources) {
      const eu_reg *r = &inst->src[0];
      h = h * 1099511628211u + r->file * 64u + r->nr;
      h = h * 1099511628211u + r->offset + r->imm;
   }
   h *= 0x9e3779b97f4a7c15u;
   return h ^ h >> 29;
}

static void
note(struct share *sh, const struct eu_inst *inst)
{
   eu_foreach_source(r, inst) {
      if (r->file != EU_VGRF)
         continue;
      struct payload *p = &sh->payloads[r->nr];
      p->other |= !is_payload(sh->s, inst, (unsigned)(r - inst->src));
      p->reads = (uint16_t)MIN2(p->reads + 1, UINT16_MAX);
   }
   if (inst->dst.file != EU_VGRF)
      return;
   struct payload *p = &sh->payloads[inst->dst.nr];
   if (!is_part(sh, inst) || p->moves == MAX_MOVES ||
       (p->moves && p->block != inst->block)) {
      p->other = true;
      return;
   }
   p->block = inst->block;
   p->hash += part_hash(inst);
   p->moves++;
}

/* The moves of a message's payload, which are in front of it. */
static bool
find_moves(const struct share *sh, const struct eu_inst *send, uint32_t nr,
           const struct eu_inst **out)
{
   unsigned left = sh->payloads[nr].moves;
   const struct eu_inst *i = send;

   while (left) {
      if (i->link.prev == &sh->s->insts)
         return false;
      i = list_entry(i->link.prev, struct eu_inst, link);
      if (i->block != send->block)
         return false;
      if (i->dst.file == EU_VGRF && i->dst.nr == nr)
         out[--left] = i;
   }
   return true;
}

static bool
same_move(const struct eu_inst *a, const struct eu_inst *b)
{
   return a->op == b->op && a->exec_size == b->exec_size &&
          a->group == b->group && a->nomask == b->nomask &&
          a->size_written == b->size_written &&
          a->dst.offset == b->dst.offset && a->dst.type == b->dst.type &&
          a->sources == b->sources &&
          (!a->sources || eu_reg_equal(&a->src[0], &b->src[0]));
}

static bool
same_payload(const struct share *sh, const struct entry *e,
             const struct eu_inst *send, uint32_t nr)
{
   const struct payload *p = &sh->payloads[e->nr], *q = &sh->payloads[nr];
   const struct eu_inst *a[MAX_MOVES], *b[MAX_MOVES];

   if (p->hash != q->hash || p->moves != q->moves ||
       sh->s->vgrf_size[e->nr] != sh->s->vgrf_size[nr] ||
       !find_moves(sh, e->reader, e->nr, a) || !find_moves(sh, send, nr, b))
      return false;
   for (unsigned i = 0; i < p->moves; i++) {
      unsigned k = 0;
      while (k < p->moves && !same_move(a[i], b[k]))
         k++;
      if (k == p->moves)
         return false;
   }
   return true;
}

/* The other payload is not in the same registers, which split messages want
 * to be apart. */
static bool
is_apart(const struct eu_inst *send, unsigned src, uint32_t nr)
{
   const unsigned other = 2 - src;

   return other >= send->sources || send->src[other].file != EU_VGRF ||
          send->src[other].nr != nr;
}

/* `r`, which would be the second payload, is right behind the first one: the
 * message is none of two payloads then. */
static bool
join_payloads(struct eu_inst *send, const eu_reg *r)
{
   const unsigned mlen = send->mlen + send->ex_mlen;
   const eu_reg *first = &send->src[0], *desc = &send->src[1];

   if (send->op != ISA_OPCODE_SENDS || first->file != EU_VGRF ||
       r->nr != first->nr || mlen > isa_desc_mlen(~0u) ||
       r->offset != first->offset + send->mlen * REG_SIZE_B)
      return false;
   send->op = ISA_OPCODE_SEND;
   send->desc = isa_desc_with_mlen(send->desc, mlen);
   send->mlen = (uint8_t)mlen;
   send->ex_mlen = 0;
   send->sources = desc->file == EU_BAD || desc->file == EU_IMM ? 1 : 2;
   return true;
}

/* A payload that is a copy of whole registers. */
static bool
read_in_place(struct share *sh, struct eu_inst *send, unsigned src)
{
   const struct eu_inst *mov;

   if (!find_moves(sh, send, send->src[src].nr, &mov) ||
       mov->op != ISA_OPCODE_MOV)
      return false;
   const eu_reg *r = &mov->src[0];
   if (r->file != EU_VGRF || r->offset % REG_SIZE_B || r->stride != 1 ||
       r->region || r->negate || r->abs || mov->dst.type != r->type ||
       mov->dst.offset || mov->size_written != eu_size_read(send, src))
      return false;
   if (!is_apart(send, src, r->nr))
      return src == 2 && join_payloads(send, r);
   send->src[src] = eu_retype(*r, send->src[src].type);
   return true;
}

/* The last message wants its payload in certain registers. */
static bool
share(struct share *sh, struct eu_inst *send, unsigned src)
{
   const uint32_t nr = send->src[src].nr;
   const struct payload *p = &sh->payloads[nr];

   if (p->other || !p->moves || send->eot || p->block != send->block)
      return false;
   if (p->moves == 1 && p->reads == 1 && read_in_place(sh, send, src))
      return true;
   struct entry *e = &sh->table[p->hash % TABLE];
   if (e->reader && e->block == send->block && e->nr != nr &&
       is_apart(send, src, e->nr) && p->reads == 1 &&
       send->ip - e->ip < NEAR && same_payload(sh, e, send, nr)) {
      send->src[src].nr = e->nr;
      e->ip = send->ip;
      return true;
   }
   if (!e->reader || e->nr != nr)
      *e = (struct entry) { nr, send->block, send->ip, send };
   return false;
}

bool
fs_opt_share_payloads(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct share *sh = arena_new(arena, struct share);
   bool progress = false;

   eu_calculate_cfg(s);
   sh->s = s;
   sh->payloads = arena_new_array(arena, struct payload, s->num_vgrfs);
   eu_defs_init(&sh->defs, s, arena);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      note(sh, inst);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      for (unsigned i = 0; i < inst->sources; i++) {
         if (is_payload(s, inst, i))
            progress |= share(sh, inst, i);
      }
   }
   arena_destroy(arena);
   return progress;
}
