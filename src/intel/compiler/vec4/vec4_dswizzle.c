/* SPDX-License-Identifier: MIT */
/*
 * Instructions on doubles, from the logical form (vec4_ir.h) to what the
 * hardware has: by vec4_dsplit(), and with copies of sources where that is
 * shorter, or where a source and the destination overlap in a way that no
 * order of the pieces is good for. Instructions that are close to each other
 * share a copy, which each of them counts as its part of it.
 *
 * Before: registers may be virtual, push constants and attributes have been
 * given theirs. Afterwards no pass may change a region: rows of doubles are
 * as the generation wants them.
 *
 * A component of the destination that nothing in the shader reads, or that
 * nothing writes, may have any value: a dvec2 is written like a dvec4, for
 * which there is a mask.
 */
#include "intel/compiler/eu/eu_defs.h"
#include "vec4_compile.h"
#include "vec4_dswizzle.h"
#include "vec4_ir.h"

#define DOUBLE_B 8
#define VECTOR_B 32
#define SLOT_B 16

/* How far apart readers of one copy may be, as it takes two registers. */
#define NEAR 100
#define MAX_COPIES 8
/* Instructions are counted in parts that can be divided among readers. */
#define PARTS 60

/* A copy that later instructions may read, too. */
struct copied {
   const struct eu_inst *of; /* this one's */
   unsigned src;             /* source; the instruction is as it was */
   uint32_t vgrf;
};

struct pass {
   struct eu_shader *s;
   struct eu_defs defs;
   uint32_t num_vgrfs; /* without what the pass has made */
   struct copied copy[MAX_COPIES];
   unsigned num_copies; /* the last ones, in a ring */
   /* By VGRF: components of a vector of doubles there that somebody reads,
    * or means to write. */
   uint8_t *read, *written;
};

/* ---- what is read and written ---- */

static void
note(uint8_t *comps, const eu_reg *r, unsigned size_B, uint32_t dwords)
{
   if (r->file != EU_VGRF)
      return;
   for (unsigned at_B = 0; at_B < size_B; at_B += 4) {
      /* Those after the 32 that are told apart all count. */
      if (at_B / 4 < 32 && !(dwords >> at_B / 4 & 1))
         continue;
      comps[r->nr] |=
         (uint8_t)(1u << ((r->offset + at_B) % VECTOR_B / DOUBLE_B));
   }
}

static void
find_accesses(struct pass *p)
{
   p->read = arena_new_array(p->s->arena, uint8_t, p->s->num_vgrfs);
   p->written = arena_new_array(p->s->arena, uint8_t, p->s->num_vgrfs);
   list_for_each_entry(struct eu_inst, inst, &p->s->insts, link) {
      for (unsigned i = 0; i < inst->sources; i++)
         note(p->read, &inst->src[i], eu_size_read(inst, i),
              inst->align16 ? eu_dwords_read(inst, i) : ~0u);
      if (inst->op != EU_OP_UNDEF)
         note(p->written, &inst->dst, inst->size_written,
              inst->align16 ? eu_dwords_written(inst) : ~0u);
   }
}

static unsigned
spare_components(const struct pass *p, const struct eu_inst *inst)
{
   const eu_reg *d = &inst->dst;
   if (d->file != EU_VGRF || d->offset || p->s->vgrf_size[d->nr] != 2)
      return 0;
   return ~((p->read[d->nr] & p->written[d->nr]) | d->swz) & 0xfu;
}

/* Two doubles at the end of a register: nothing may read a second row, which
 * only those could whom it does not matter what they get. */
static bool
has_one_row(const struct eu_shader *s, const eu_reg *r)
{
   return r->file == EU_VGRF && r->stride != 1 &&
          r->offset + (r->stride ? REG_SIZE_B : SLOT_B) ==
             s->vgrf_size[r->nr] * REG_SIZE_B;
}

/* ---- the problem ---- */

static bool
has_doubles(const struct eu_inst *inst)
{
   bool found = eu_type_sz(inst->dst.type) == DOUBLE_B;
   for (unsigned i = 0; i < inst->sources; i++)
      found |= eu_type_sz(inst->src[i].type) == DOUBLE_B;
   return found && inst->align16 && !inst->dst.region;
}

/* The bytes that a vector, or one for each vertex, is in. */
static unsigned
vectors_B(const struct eu_inst *inst, const eu_reg *r)
{
   return r->stride && (r->stride == 2 || inst->exec_size == 8) ? 2 * VECTOR_B
                                                                : VECTOR_B;
}

static bool
overlaps_dst(const struct eu_inst *inst, unsigned i)
{
   const eu_reg *d = &inst->dst, *r = &inst->src[i];
   return eu_is_tracked(d) && eu_is_tracked(r) &&
          eu_regions_overlap(d, vectors_B(inst, d), r, vectors_B(inst, r));
}

static bool
is_dst(const struct eu_inst *inst, unsigned i)
{
   return overlaps_dst(inst, i) && inst->src[i].stride == 1 &&
          eu_reg_offset(&inst->src[i]) == eu_reg_offset(&inst->dst);
}

static bool
is_odd(const eu_reg *r)
{
   return r->offset % VECTOR_B != 0;
}

static enum vec4_dlayout
layout_of(const eu_reg *r)
{
   return r->stride == 2 ? VEC4_DLAYOUT_INTERLEAVED
          : is_odd(r)    ? VEC4_DLAYOUT_ODD
          : r->stride    ? VEC4_DLAYOUT_VECTOR
                         : VEC4_DLAYOUT_EVEN;
}

static void
describe(const struct pass *p, const struct eu_inst *inst,
         struct vec4_dproblem *problem)
{
   *problem = (struct vec4_dproblem) {
      .gen = p->s->gen,
      .mask = inst->dst.swz,
      .num_srcs = inst->sources,
      .spare = (uint8_t)spare_components(p, inst),
      /* Other predicates are not by channel, or not the same. */
      .no_align1 = inst->pred > ISA_PRED_NORMAL,
      .no_eight = inst->exec_size < 8 || is_odd(&inst->dst),
      /* docs/eu-fp64-facts.rst, 1.3, row 15 */
      .no_eight16 = inst->op == ISA_OPCODE_SEL && inst->pred != ISA_PRED_NONE,
      .three_sources = eu_info(inst)->is_src3,
   };
   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];
      problem->no_eight |= is_odd(r) && r->stride;
      problem->src[i].layout = layout_of(r);
      problem->src[i].swizzle = r->swz;
      problem->src[i].is_dst = is_dst(inst, i);
      problem->src[i].one_row = r->stride && has_one_row(p->s, r);
   }
}

/* ---- emission ---- */

static void
set_source(const struct eu_shader *s, eu_reg *r,
           const struct vec4_dform *form, unsigned vertex)
{
   const unsigned vs = form->vs && vec4_dmode_is_align16(form->mode) &&
                             !r->stride && has_one_row(s, r)
                          ? 0
                          : form->vs;

   r->offset += form->offset_B +
                vertex * (r->stride == 2 ? SLOT_B : r->stride * VECTOR_B);
   if (vec4_dmode_is_align16(form->mode)) {
      /* What is uniform must not step: vec4_ir.h. */
      *r = eu_region(*r, vs, r->stride || vs ? 1 : 2, 1);
      r->swz = form->swz;
      return;
   }
   r->swz = 0;
   r->stride = form->vs || form->hs;
   if (r->stride && (form->vs != 4 || form->w != 4 || form->hs != 1))
      *r = eu_region(*r, form->vs, form->w, form->hs);
}

/* Piece by piece, those of one vertex for each that `inst` has. */
static void
emit_plan(struct eu_shader *s, const struct eu_inst *inst,
          struct list_head *before, const struct vec4_dplan *plan)
{
   for (unsigned k = 0; k < plan->num_pieces; k++) {
      const struct vec4_dpiece *piece = &plan->piece[k];
      const unsigned channels = vec4_dmode_channels(piece->mode);
      for (unsigned v = 0; v < inst->exec_size / channels; v++) {
         struct eu_inst *part = arena_new(s->arena, struct eu_inst);
         *part = *inst;
         part->align16 = vec4_dmode_is_align16(piece->mode);
         part->exec_size = (uint8_t)channels;
         part->group = (uint8_t)(inst->group + 4 * v);
         if (inst->dst.file != EU_ARF)
            part->dst.offset += v * VECTOR_B;
         part->dst.swz = 0;
         if (part->align16) {
            part->dst = eu_region(part->dst, 1, 1, 1);
            part->dst.swz = piece->mask;
         }
         for (unsigned i = 0; i < inst->sources; i++)
            set_source(s, &part->src[i], piece->src[i], v);
         part->size_written = eu_default_size(part);
         list_addtail(&part->link, before);
      }
   }
}

/* ---- copies ---- */

/* What reads source `i` for all channels of `inst` into a new register, in
 * order; modifiers stay behind. */
static struct eu_inst
copy_of(const struct eu_inst *inst, unsigned i, eu_reg to)
{
   struct eu_inst mov = *inst;
   mov.op = ISA_OPCODE_MOV;
   mov.sources = 1;
   mov.src[0] = inst->src[i];
   mov.src[0].negate = mov.src[0].abs = false;
   mov.dst = to;
   mov.dst.swz = inst->dst.swz;
   mov.saturate = false;
   mov.pred = ISA_PRED_NONE;
   mov.pred_inv = false;
   mov.cond_mod = ISA_COND_MOD_NONE;
   mov.math = 0;
   return mov;
}

static void
use_copy(eu_reg *r, eu_reg copy)
{
   const bool negate = r->negate, abs = r->abs;
   *r = copy;
   r->swz = ISA_SWIZZLE_XYZW;
   r->negate = negate;
   r->abs = abs;
}

/* A register of which no one knows: for plans alone. */
static eu_reg
some_vector(unsigned type)
{
   return eu_vgrf_reg(UINT32_MAX, type);
}

/* Whether nothing changes what a source reads. */
static bool
is_stable(const struct pass *p, const struct eu_inst *inst, unsigned i)
{
   return (inst->src[i].file != EU_VGRF || inst->src[i].nr < p->num_vgrfs) &&
          eu_defs_stable(&p->defs, inst, i);
}

/* Whether a copy of source j of `a` serves source i of `b`, after it. */
static bool
serves(const struct eu_inst *a, unsigned j, const struct eu_inst *b,
       unsigned i)
{
   eu_reg x = a->src[j], y = b->src[i];
   unsigned differ = 0;

   for (unsigned c = 0; c < 4; c++)
      differ |= (unsigned)((x.swz ^ y.swz) >> 2 * c & 3 ? 1u << c : 0);
   x.swz = y.swz = 0;
   x.negate = y.negate = x.abs = y.abs = false;
   return eu_reg_equal(&x, &y) && a->block == b->block &&
          a->exec_size == b->exec_size && a->group == b->group &&
          a->nomask == b->nomask && b->ip - a->ip < NEAR &&
          !(b->dst.swz & (differ | ~a->dst.swz));
}

static const struct copied *
find_copied(const struct pass *p, const struct eu_inst *inst, unsigned i)
{
   for (unsigned k = 0; k < MIN2(p->num_copies, MAX_COPIES); k++) {
      if (serves(p->copy[k].of, p->copy[k].src, inst, i))
         return &p->copy[k];
   }
   return NULL;
}

/* Instructions from `inst` on that could read the same copy. */
static unsigned
count_readers(const struct pass *p, const struct eu_inst *inst, unsigned i)
{
   unsigned count = 0;

   if (!is_stable(p, inst, i))
      return 1;
   for (const struct list_head *at = &inst->link; at != &p->s->insts;
        at = at->next) {
      const struct eu_inst *other = list_entry(at, struct eu_inst, link);
      if (other->block != inst->block || other->ip - inst->ip >= NEAR)
         break;
      bool found = false;
      for (unsigned k = 0; k < other->sources && has_doubles(other); k++)
         found |= serves(inst, i, other, k);
      count += found;
   }
   return MAX2(1, count);
}

/* Vertices apart, a temporary's other components are nobody's. */
static bool
plan_copy(const struct pass *p, const struct eu_inst *inst, unsigned i,
          struct vec4_dplan *plan)
{
   const struct eu_inst mov =
      copy_of(inst, i, some_vector(inst->src[i].type));
   struct vec4_dproblem problem;
   struct eu_inst unread = mov;
   unread.dst.file = EU_BAD;
   describe(p, &unread, &problem);
   problem.spare = ~inst->dst.swz & 0xf;
   return vec4_dsplit(&problem, plan);
}

/* The cost if the sources in `copied` are copied first; 0: it cannot be done
 * like that. */
static unsigned
plan_with(const struct pass *p, const struct eu_inst *inst, unsigned copied,
          struct vec4_dplan *plan)
{
   struct eu_inst with = *inst;
   struct vec4_dproblem problem;
   unsigned count = 0;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (copied >> i & 1) {
         if (!find_copied(p, inst, i)) {
            if (!plan_copy(p, inst, i, plan))
               return 0;
            count += plan->instructions * PARTS / count_readers(p, inst, i);
         }
         use_copy(&with.src[i], some_vector(inst->src[i].type));
      } else if (overlaps_dst(inst, i) && !is_dst(inst, i)) {
         return 0;
      }
   }
   describe(p, &with, &problem);
   return vec4_dsplit(&problem, plan) ? count + plan->instructions * PARTS
                                      : 0;
}

/* The copy that is there already, or a new one. */
static void
emit_copy(struct pass *p, struct eu_inst *inst, unsigned i)
{
   const struct copied *there = find_copied(p, inst, i);
   if (there) {
      use_copy(&inst->src[i], eu_vgrf_reg(there->vgrf, inst->src[i].type));
      return;
   }
   struct eu_builder b = eu_builder_before(p->s, inst);
   const eu_reg t = eu_vgrf_reg(eu_alloc_vgrf(p->s, 2), inst->src[i].type);
   const struct eu_inst mov = copy_of(inst, i, t);
   struct vec4_dplan plan;
   if (!plan_copy(p, inst, i, &plan))
      unreachable("it was possible before");
   eu_undef(&b, t);
   emit_plan(p->s, &mov, &inst->link, &plan);
   if (is_stable(p, inst, i)) {
      struct eu_inst *of = arena_new(p->s->arena, struct eu_inst);
      *of = *inst;
      p->copy[p->num_copies++ % MAX_COPIES] = (struct copied) { of, i, t.nr };
   }
   use_copy(&inst->src[i], t);
}

/* A 64-bit immediate, which Align16 has not, as one double for all. */
static void
place_immediate(struct pass *p, struct eu_inst *inst, unsigned i)
{
   struct eu_builder b = eu_scalar(eu_builder_before(p->s, inst));
   eu_reg *r = &inst->src[i];
   eu_reg t = eu_vgrf_reg(eu_alloc_vgrf(p->s, 1), r->type);
   eu_undef(&b, t);
   for (unsigned h = 0; h < 2; h++)
      eu_MOV(&b, eu_subscript(t, ISA_TYPE_UD, h),
             eu_imm_ud(r->imm >> 32 * h));
   t.stride = 0;
   t.swz = ISA_SWIZZLE_XXXX;
   *r = t;
}

/* ---- the pass ---- */

static void
lower(struct pass *p, struct eu_inst *inst)
{
   struct vec4_dplan plan;
   unsigned best = 0, copied = 0, must = 0;
   for (unsigned bit = 1, i = 0; i < inst->sources; i++, bit <<= 1) {
      eu_reg *r = &inst->src[i];
      if (r->file == EU_IMM)
         place_immediate(p, inst, i);
      /* Three sources have two rows in any case. */
      if (eu_info(inst)->is_src3 && !r->stride && has_one_row(p->s, r))
         must |= bit;
   }
   for (unsigned set = 0; set < 1u << inst->sources; set++) {
      const unsigned count = must & ~set ? 0 : plan_with(p, inst, set, &plan);
      if (count && (!best || count < best)) {
         best = count;
         copied = set;
      }
   }
   assert(best && "with copies of all sources there is always a way");
   for (unsigned i = 0; i < inst->sources; i++)
      if (copied >> i & 1)
         emit_copy(p, inst, i);
   struct vec4_dproblem problem;
   describe(p, inst, &problem);
   if (!vec4_dsplit(&problem, &plan))
      unreachable("it was possible before");
   emit_plan(p->s, inst, &inst->link, &plan);
   list_del(&inst->link);
}

bool
vec4_lower_double_swizzles(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct pass p = { .s = s, .num_vgrfs = s->num_vgrfs };
   bool progress = false;
   find_accesses(&p);
   eu_calculate_cfg(s);
   eu_defs_init(&p.defs, s, arena);
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (!has_doubles(inst))
         continue;
      lower(&p, inst);
      progress = true;
   }
   arena_destroy(arena);
   return progress;
}
