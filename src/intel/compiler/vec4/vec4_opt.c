/* SPDX-License-Identifier: MIT */
/*
 * Copy propagation and dead code of SIMD4x2 code.
 *
 * Both look at who writes and who reads each dword (eu_defs), without data
 * flow: what came from SSA is written once. A vector may have been put
 * together by several moves; a read is redirected when all components that
 * it reads came, by moves, from one register.
 */
#include "intel/compiler/eu/eu_defs.h"
#include "vec4_compile.h"
#include "vec4_ir.h"

/* ---- copies ---- */

struct reader {
   struct eu_inst *inst;
   unsigned src;
};

static bool
is_raw(const struct eu_inst *mov)
{
   const unsigned d = mov->dst.type, s = mov->src[0].type;

   if (d == s)
      return true;
   return eu_type_sz(d) == eu_type_sz(s) && !eu_type_is_float(d) &&
          !eu_type_is_float(s) && !mov->src[0].negate && !mov->src[0].abs;
}

static bool
is_copy(const struct eu_defs *defs, const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_MOV && inst->align16 &&
          inst->exec_size == 8 && inst->pred == ISA_PRED_NONE &&
          inst->cond_mod == ISA_COND_MOD_NONE && !inst->saturate &&
          inst->dst.file == EU_VGRF && !inst->dst.region &&
          !inst->src[0].region && is_raw(inst) &&
          eu_defs_stable(defs, inst, 0);
}

/* The move that wrote component c of what the source reads; NULL: none. */
static struct eu_inst *
copy_of(const struct eu_defs *defs, const struct eu_inst *reader,
        const eu_reg *r, unsigned c)
{
   const unsigned per = eu_type_sz(r->type) / 4;
   struct eu_inst *copy = NULL;

   for (unsigned v = 0; v < 2; v++) {
      for (unsigned k = 0; k < per; k++) {
         const struct eu_dword_info *d =
            &defs->dw[defs->first[r->nr] + r->offset / 4 + (4 * v + c) * per +
                      k];
         if (d->defs != 1 || (copy && copy != d->def))
            return NULL;
         copy = d->def;
      }
   }
   /* What stands before it in a loop reads what the round before has made. */
   if (!copy || copy->ip >= reader->ip || !is_copy(defs, copy) ||
       copy->dst.offset != r->offset || eu_type_sz(copy->dst.type) != 4 * per)
      return NULL;
   return copy;
}

static bool
same_origin(const eu_reg *a, const eu_reg *b)
{
   eu_reg x = *a, y = *b;

   x.swz = y.swz = 0;
   return eu_reg_equal(&x, &y);
}

/* Where the channels of `mask` get component swz[c] from, as one source. */
static bool
find_origin(const struct eu_defs *defs, const struct eu_inst *reader,
            const eu_reg *r, unsigned mask, eu_reg *origin)
{
   const unsigned first = (unsigned)__builtin_ctz(mask);
   unsigned swz = 0;

   for (unsigned c = 0; c < 4; c++) {
      const unsigned comp =
         eu_swizzle_get(r->swz, mask & (1u << c) ? c : first);
      const struct eu_inst *copy = copy_of(defs, reader, r, comp);

      if (!copy)
         return false;
      if (c == 0)
         *origin = copy->src[0];
      else if (!same_origin(origin, &copy->src[0]))
         return false;
      swz |= eu_swizzle_get(copy->src[0].swz, comp) << 2 * c;
   }
   origin->swz = origin->file == EU_IMM ? 0 : (uint8_t)swz;
   return true;
}

/* The reader's modifiers on top of the copy's. */
static bool
add_modifiers(const struct eu_inst *inst, const eu_reg *outer, eu_reg *r)
{
   const bool modifies = r->negate || r->abs;

   if (modifies &&
       (outer->type != r->type || !eu_may_fold_modifier(inst, outer->type)))
      return false;
   if (outer->abs) {
      r->abs = true;
      r->negate = false;
   }
   r->negate = r->negate != outer->negate;
   if (r->file == EU_IMM && (r->negate || r->abs))
      return false;
   r->type = outer->type;
   return true;
}

/* An immediate goes last, into what may have one. */
static bool
place_immediate(struct eu_inst *inst, unsigned i, const eu_reg *imm)
{
   if (eu_info(inst)->is_src3 || inst->op == ISA_OPCODE_MATH ||
       eu_type_sz(imm->type) > 4)
      return false;
   if (i + 1u < inst->sources) {
      if (!eu_is_commutative(inst) || inst->src[1].file == EU_IMM)
         return false;
      inst->src[0] = inst->src[1];
      i = 1;
   }
   inst->src[i] = *imm;
   return true;
}

static bool
propagate_align16(const struct eu_defs *defs, struct eu_inst *inst,
                  unsigned i)
{
   const unsigned mask = eu_info(inst)->crosses ? ISA_WRITEMASK_XYZW
                                                : inst->dst.swz;
   const eu_reg *r = &inst->src[i];
   eu_reg origin;

   if (r->file != EU_VGRF || r->region || r->stride != 1 ||
       inst->exec_size != 8 || r->offset % (4 * eu_type_sz(r->type)) ||
       !find_origin(defs, inst, r, mask, &origin) ||
       !add_modifiers(inst, r, &origin))
      return false;
   if (origin.file == EU_IMM)
      return place_immediate(inst, i, &origin);
   /* From slots an instruction is made for each vertex: better once. */
   if (origin.stride == 2 && inst->op != ISA_OPCODE_MOV)
      return false;
   inst->src[i] = origin;
   return true;
}

/* Eight channels of an Align1 instruction: a register as it is, or one
 * component that all share. */
static bool
propagate_align1(const struct eu_defs *defs, struct eu_inst *inst, unsigned i)
{
   eu_reg r = inst->src[i], origin;

   if (!eu_is_alu(inst) || inst->exec_size != 8 || r.file != EU_VGRF ||
       r.region || r.stride != 1 || eu_type_sz(r.type) < 4 ||
       r.offset % (4 * eu_type_sz(r.type)))
      return false;
   r.swz = ISA_SWIZZLE_XYZW;
   if (!find_origin(defs, inst, &r, ISA_WRITEMASK_XYZW, &origin) ||
       !add_modifiers(inst, &r, &origin))
      return false;
   if (origin.file == EU_IMM)
      return place_immediate(inst, i, &origin);
   const unsigned c = origin.swz & 3;
   if (origin.stride == 0 && origin.swz == vec4_swizzle_scalar(c))
      origin.offset += c * eu_type_sz(origin.type);
   else if (origin.stride != 1 || origin.swz != ISA_SWIZZLE_XYZW)
      return false;
   origin.swz = 0;
   inst->src[i] = origin;
   return true;
}

static bool
copies_in_order(const struct eu_inst *copy)
{
   for (unsigned c = 0; c < 4; c++) {
      if ((copy->dst.swz >> c & 1) &&
          eu_swizzle_get(copy->src[0].swz, c) != c)
         return false;
   }
   return copy->src[0].file == EU_VGRF && copy->src[0].stride == 1 &&
          !copy->src[0].negate && !copy->src[0].abs;
}

/*
 * A register of which one move has copied all that is read, each component to
 * its own place, is the same register whatever the reader makes of it: other
 * types, regions, one channel.
 */
static bool
rename_copied(const struct eu_defs *defs, struct eu_inst *inst, unsigned i)
{
   eu_reg *r = &inst->src[i];
   const unsigned size_B = eu_size_read(inst, i);
   const uint32_t dwords = inst->align16 ? eu_dwords_read(inst, i) : ~0u;
   struct eu_inst *copy = NULL;

   if (r->file != EU_VGRF || !size_B || eu_is_send(inst))
      return false;
   for (unsigned k = 0; k < DIV_ROUND_UP(r->offset % 4 + size_B, 4); k++) {
      const struct eu_dword_info *d =
         &defs->dw[defs->first[r->nr] + r->offset / 4 + k];
      if (k < 32 && !(dwords >> k & 1))
         continue;
      if (d->defs != 1 || (copy && copy != d->def))
         return false;
      copy = d->def;
   }
   if (!copy || copy->ip >= inst->ip || !is_copy(defs, copy) ||
       !copies_in_order(copy))
      return false;
   r->nr = copy->src[0].nr;
   r->offset = (uint16_t)(r->offset - copy->dst.offset + copy->src[0].offset);
   return true;
}

/*
 * A move of a vector that moves have put together becomes several, one from
 * each of their origins.
 */
static bool
split_move(struct eu_shader *s, const struct eu_defs *defs,
           struct eu_inst *mov)
{
   const eu_reg *r = &mov->src[0];
   struct eu_builder b = eu_builder_before(s, mov);
   unsigned left = mov->dst.swz;
   eu_reg origin;

   if (mov->op != ISA_OPCODE_MOV || mov->exec_size != 8 ||
       mov->pred != ISA_PRED_NONE || mov->cond_mod != ISA_COND_MOD_NONE ||
       mov->saturate || mov->dst.file != EU_VGRF || mov->dst.region ||
       r->file != EU_VGRF || r->region || r->stride != 1 || r->negate ||
       r->abs || mov->dst.nr == r->nr ||
       r->offset % (4 * eu_type_sz(r->type)))
      return false;
   for (unsigned c = 0; c < 4; c++) {
      if (!(left & (1u << c)))
         continue;
      if (!find_origin(defs, mov, r, 1u << c, &origin) ||
          ((origin.negate || origin.abs) &&
           (origin.type != r->type || !eu_may_fold_modifier(mov, r->type))))
         return false;
   }
   while (left) {
      unsigned now = left & -left;
      for (unsigned c = 0; c < 4; c++) {
         if ((left & (1u << c)) &&
             find_origin(defs, mov, r, now | 1u << c, &origin))
            now |= 1u << c;
      }
      if (!find_origin(defs, mov, r, now, &origin))
         return false;
      left &= ~now;
      b.align16 = (uint8_t)now;
      origin.type = r->type;
      eu_MOV(&b, vec4_dst(mov->dst, now), origin)->ip = mov->ip;
   }
   list_del(&mov->link);
   return true;
}

bool
vec4_opt_copy_propagation(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct eu_defs defs;
   bool progress = false;

   eu_calculate_cfg(s);
   eu_defs_init(&defs, s, arena);
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      for (unsigned i = 0; i < inst->sources; i++)
         progress |= (inst->align16 ? propagate_align16(&defs, inst, i)
                                    : propagate_align1(&defs, inst, i)) ||
                     rename_copied(&defs, inst, i);
      if (inst->align16)
         progress |= split_move(s, &defs, inst);
   }
   arena_destroy(arena);
   return progress;
}

/* ---- dead code ---- */

static bool
has_uses(const struct eu_defs *defs, uint32_t first_dw, unsigned count)
{
   for (unsigned k = 0; k < count; k++) {
      if (defs->dw[first_dw + k].uses)
         return true;
   }
   return false;
}

/* Components of an Align16 destination that somebody reads. */
static unsigned
components_used(const struct eu_defs *defs, const struct eu_inst *inst)
{
   const unsigned per = eu_type_sz(inst->dst.type) / 4;
   const uint32_t base = defs->first[inst->dst.nr] + inst->dst.offset / 4;
   unsigned used = 0;

   for (unsigned c = 0; c < 4; c++) {
      if (!(inst->dst.swz & (1u << c)))
         continue;
      if (has_uses(defs, base + c * per, per) ||
          (inst->exec_size == 8 && has_uses(defs, base + (4 + c) * per, per)))
         used |= 1u << c;
   }
   return used;
}

static bool
is_removable(const struct eu_inst *inst)
{
   return inst->dst.file == EU_VGRF && !eu_has_side_effects(inst) &&
          !eu_flags_written(inst) && !eu_writes_acc(inst);
}

bool
vec4_opt_dead_code(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct eu_defs defs;
   bool progress = false;

   eu_defs_init(&defs, s, arena);
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (!is_removable(inst))
         continue;
      if (!inst->align16 || inst->dst.region) {
         const uint32_t first = defs.first[inst->dst.nr] +
                                inst->dst.offset / 4;
         if (inst->size_written == 0 ||
             has_uses(&defs, first,
                      DIV_ROUND_UP(inst->dst.offset % 4 + inst->size_written,
                                   4)))
            continue;
         list_del(&inst->link);
         progress = true;
         continue;
      }
      const unsigned used = components_used(&defs, inst);
      if (!used) {
         list_del(&inst->link);
         progress = true;
      } else if (used != inst->dst.swz &&
                 inst->dst.swz != ISA_WRITEMASK_XYZW) {
         inst->dst.swz = (uint8_t)used;
         inst->size_written = eu_default_size(inst);
         progress = true;
      }
   }
   arena_destroy(arena);
   return progress;
}
