/* SPDX-License-Identifier: MIT */
/*
 * Lets instructions read the source of a copy instead of the copy.
 *
 * A copy is a MOV that keeps the bits or puts a sign on them: packed
 * destination, no predicate, no saturation, no conversion. Where neither
 * side of it can change any more (eu_defs.h), it holds in the whole shader;
 * else within its block, until either side is written.
 *
 * A read is mapped byte by byte: channel k of the copy lies at dst + k *
 * size, and came from src + k * stride. So a read may be of another type, of
 * a part of the channels, or strided, as long as what comes out is again a
 * start and a stride.
 *
 * Dead copies are left for fs_opt_dead_code(). Cost: linear in the number of
 * operands times the copies of one register.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/eu/eu_defs.h"
#include "intel/compiler/fs/fs_compile.h"

struct copy {
   struct eu_inst *mov;
   eu_reg dst, src;
   uint32_t size_B; /* of dst */
   int32_t next;    /* of the same destination VGRF */
   bool global, dead;
};

struct cp {
   struct eu_shader *s;
   struct eu_defs defs;
   struct util_dynarray copies;
   int32_t *head;        /* by VGRF */
   uint32_t first_local; /* copies of the current block, from here on */
};

static bool
is_copy(const struct eu_inst *inst)
{
   const eu_reg *d = &inst->dst, *r = &inst->src[0];

   if (inst->op != ISA_OPCODE_MOV || inst->pred != ISA_PRED_NONE ||
       inst->saturate || inst->cond_mod != ISA_COND_MOD_NONE ||
       d->file != EU_VGRF || (d->stride != 1 && inst->exec_size > 1) ||
       r->region || r->file == EU_ARF)
      return false;
   if (eu_type_sz(d->type) != eu_type_sz(r->type))
      return false;
   if (d->type != r->type &&
       (eu_type_is_float(d->type) || eu_type_is_float(r->type) || r->negate ||
        r->abs))
      return false;
   if (r->file == EU_IMM)
      return r->type != ISA_TYPE_V && r->type != ISA_TYPE_UV &&
             r->type != ISA_TYPE_VF;
   return true;
}

static struct copy *
at(struct cp *cp, int32_t i)
{
   return util_dynarray_element(&cp->copies, struct copy, i);
}

static void
add_copy(struct cp *cp, struct eu_inst *mov, bool global)
{
   struct copy c = { .mov = mov,
                     .dst = mov->dst,
                     .src = mov->src[0],
                     .size_B = mov->size_written,
                     .global = global,
                     .next = cp->head[mov->dst.nr] };

   /* A copy onto a part of itself says nothing. */
   if (eu_regions_overlap(&c.dst, c.size_B, &c.src, eu_size_read(mov, 0)))
      return;
   cp->head[mov->dst.nr] =
      (int32_t)util_dynarray_num_elements(&cp->copies, struct copy);
   util_dynarray_append(&cp->copies, struct copy, c);
}

/* Forgets the current block's copies. */
static void
end_block(struct cp *cp)
{
   const uint32_t n =
      (uint32_t)util_dynarray_num_elements(&cp->copies, struct copy);

   for (uint32_t i = n; i-- > cp->first_local;) {
      struct copy *c = at(cp, (int32_t)i);
      cp->head[c->dst.nr] = c->next;
      (void)util_dynarray_pop(&cp->copies, struct copy);
   }
}

static void
kill(struct cp *cp, const struct eu_inst *inst)
{
   const uint32_t n =
      (uint32_t)util_dynarray_num_elements(&cp->copies, struct copy);

   if (inst->dst.file != EU_VGRF || !inst->size_written)
      return;
   for (uint32_t i = cp->first_local; i < n; i++) {
      struct copy *c = at(cp, (int32_t)i);
      if (eu_regions_overlap(&c->dst, c->size_B, &inst->dst,
                             inst->size_written) ||
          eu_regions_overlap(&c->src, eu_size_read(c->mov, 0), &inst->dst,
                             inst->size_written))
         c->dead = true;
   }
}

/* ---- constants ---- */

static bool
fold_modifiers(eu_reg *imm, const eu_reg *old)
{
   uint64_t sign;

   if (!old->negate && !old->abs)
      return true;
   switch (old->type) {
   case ISA_TYPE_F: sign = 0x80000000u; break;
   case ISA_TYPE_DF: sign = 1ull << 63; break;
   case ISA_TYPE_HF: sign = 0x8000; break;
   case ISA_TYPE_D:
      if (old->abs && (int32_t)imm->imm < 0)
         imm->imm = (uint32_t) - (uint32_t)imm->imm;
      if (old->negate)
         imm->imm = (uint32_t) - (uint32_t)imm->imm;
      return true;
   default: return false;
   }
   if (old->abs)
      imm->imm &= ~sign;
   if (old->negate)
      imm->imm ^= sign;
   return true;
}

static unsigned
swapped_cond(unsigned cond)
{
   switch (cond) {
   case ISA_COND_MOD_G: return ISA_COND_MOD_L;
   case ISA_COND_MOD_GE: return ISA_COND_MOD_LE;
   case ISA_COND_MOD_L: return ISA_COND_MOD_G;
   case ISA_COND_MOD_LE: return ISA_COND_MOD_GE;
   default: return cond;
   }
}

static void
swap_sources(struct eu_inst *inst)
{
   const eu_reg t = inst->src[0];
   inst->src[0] = inst->src[1];
   inst->src[1] = t;
}

/* Immediates stand last, and are no wider than 32 bits but in a MOV. */
static bool
put_imm(struct eu_inst *inst, unsigned i, eu_reg imm)
{
   const unsigned size = eu_type_sz(imm.type);

   if (size == 1 || (size == 8 && inst->op != ISA_OPCODE_MOV))
      return false;
   switch (inst->op) {
   case ISA_OPCODE_MOV: inst->src[0] = imm; return true;
   case ISA_OPCODE_ADD:
   case ISA_OPCODE_MUL:
   case ISA_OPCODE_AND:
   case ISA_OPCODE_OR:
   case ISA_OPCODE_XOR:
      if (i == 0 && inst->src[1].file != EU_IMM && eu_is_commutative(inst)) {
         swap_sources(inst);
         i = 1;
      }
      break;
   case ISA_OPCODE_SEL:
      if (i == 0 && inst->src[1].file != EU_IMM) {
         if (inst->cond_mod == ISA_COND_MOD_NONE)
            inst->pred_inv = !inst->pred_inv;
         swap_sources(inst);
         i = 1;
      }
      break;
   case ISA_OPCODE_CMP:
      if (i == 0 && inst->src[1].file != EU_IMM) {
         inst->cond_mod = (uint8_t)swapped_cond(inst->cond_mod);
         swap_sources(inst);
         i = 1;
      }
      break;
   case ISA_OPCODE_SHL:
   case ISA_OPCODE_SHR:
   case ISA_OPCODE_ASR: break;
   default: return false;
   }
   if (i != 1)
      return false;
   inst->src[1] = imm;
   return true;
}

static bool
propagate_imm(struct eu_inst *inst, unsigned i, const struct copy *c)
{
   const eu_reg *r = &inst->src[i];
   const unsigned size = eu_type_sz(r->type), from = eu_type_sz(c->dst.type);
   eu_reg imm = { .file = EU_IMM, .type = r->type };

   if (size > from || r->region ||
       (r->stride && r->stride * size % from != 0 && size != from))
      return false;
   const unsigned sub = (r->offset - c->dst.offset) % from;
   if (sub + size > from)
      return false;
   imm.imm = (c->src.imm >> (sub * 8)) & BITFIELD64_MASK(size * 8);
   if (!fold_modifiers(&imm, r))
      return false;
   return put_imm(inst, i, imm);
}

/* ---- registers ---- */

/* Whether the instruction can have this source without a new copy. */
static bool
accepts(const struct eu_shader *s, const struct eu_inst *inst,
        const eu_reg *r)
{
   const unsigned size = eu_type_sz(r->type);

   if (r->offset % size != 0 && r->file != EU_ATTR && r->file != EU_UNIFORM)
      return false;
   if (r->stride > 4 && !(r->stride == 8 && size <= 1))
      return false;
   if (eu_info(inst)->is_src3) {
      if (r->stride == 0)
         return size == 4 && r->offset % 4 == 0;
      return r->stride == 1 && r->offset % eu_src3_align_B(s, r) == 0;
   }
   if (inst->op == ISA_OPCODE_MATH)
      return r->stride == 0 ||
             (r->stride == 1 && r->offset % REG_SIZE_B == 0);
   return true;
}

static bool
propagate_reg(const struct eu_shader *s, struct eu_inst *inst, unsigned i,
              const struct copy *c)
{
   const eu_reg *r = &inst->src[i];
   const unsigned size = eu_type_sz(r->type), from = eu_type_sz(c->dst.type);
   const unsigned rel = r->offset - c->dst.offset;
   const unsigned k = rel / from, sub = rel % from;
   eu_reg n = c->src;

   if ((c->src.negate || c->src.abs) &&
       (r->type != c->src.type || !eu_may_fold_modifier(inst, r->type)))
      return false;

   n.type = r->type;
   n.offset += k * c->src.stride * from + sub;
   if (c->src.stride == 0) {
      if (sub + size > from || (r->region && sub))
         return false;
      if (!r->region && r->stride && size < from &&
          r->stride * size % from != 0)
         return false;
      n.stride = 0;
      n.region = false;
   } else if (r->region) {
      if (c->src.stride != 1 || size != from)
         return false;
      n.region = true;
      n.vs = r->vs;
      n.w = r->w;
      n.hs = r->hs;
   } else if (r->stride == 0) {
      if (sub + size > from && c->src.stride != 1)
         return false;
      n.stride = 0;
   } else if (c->src.stride == 1) {
      n.stride = r->stride;
   } else {
      const unsigned step = r->stride * size;
      if (step % from != 0 || sub + size > from)
         return false;
      const unsigned new_step = step / from * c->src.stride * from;
      if (new_step % size != 0 || new_step / size > 8)
         return false;
      n.stride = (uint8_t)(new_step / size);
   }
   if (r->abs) {
      n.abs = true;
      n.negate = r->negate;
   } else if (r->negate) {
      n.negate = !n.negate;
   }
   if (!accepts(s, inst, &n))
      return false;
   inst->src[i] = n;
   return true;
}

static bool
propagate(const struct eu_shader *s, struct eu_inst *inst, unsigned i,
          const struct copy *c)
{
   if (c->src.file == EU_IMM)
      return propagate_imm(inst, i, c);
   /* A message's descriptor is a scalar as it is. */
   if (eu_is_send(inst) &&
       (c->src.stride != 0 || c->src.negate || c->src.abs))
      return false;
   return propagate_reg(s, inst, i, c);
}

static bool
may_replace(const struct eu_inst *inst, unsigned i)
{
   switch (eu_info(inst)->reads) {
   case EU_READS_MESSAGE:
   case EU_READS_INDIRECT: return i == 1;
   case EU_READS_REGION: return !eu_info(inst)->is_virtual;
   default: return false;
   }
}

/* Whether `inst` finds a copy's source in every channel it reads: all
 * of them without a mask, those that the copy left alone too. */
static bool
holds_for(const struct eu_inst *inst, const struct copy *c)
{
   return !c->dead && c->mov != inst && (!inst->nomask || c->mov->nomask);
}

static bool
outlives_loop(const struct cp *cp, const struct eu_inst *inst,
              const struct copy *c)
{
   if (!c->global)
      return false;
   struct eu_inst copy = *c->mov;
   copy.src[0] = c->src;
   return eu_defs_outlives_loop(&cp->defs, &copy, 0, inst);
}

static bool
try_source(struct cp *cp, struct eu_inst *inst, unsigned i)
{
   const eu_reg *r = &inst->src[i];
   const unsigned size = eu_size_read(inst, i);

   if (r->file != EU_VGRF || !size || !may_replace(inst, i))
      return false;
   for (int32_t k = cp->head[r->nr]; k >= 0; k = at(cp, k)->next) {
      const struct copy *c = at(cp, k);

      if (!holds_for(inst, c) || outlives_loop(cp, inst, c) ||
          r->offset < c->dst.offset ||
          r->offset + size > c->dst.offset + c->size_B)
         continue;
      if (propagate(cp->s, inst, i, c))
         return true;
   }
   return false;
}

/* ---- payloads ---- */

/* Which GRF of the thread's payload that of `v` at `offset` is a copy of;
 * EU_BAD: none. */
static eu_reg
source_of_grf(struct cp *cp, const struct eu_inst *inst, uint32_t v,
              unsigned offset)
{
   for (int32_t k = cp->head[v]; k >= 0; k = at(cp, k)->next) {
      const struct copy *c = at(cp, k);
      eu_reg src = c->src;

      if (!holds_for(inst, c) || offset < c->dst.offset ||
          offset + REG_SIZE_B > c->dst.offset + c->size_B)
         continue;
      src.offset += offset - c->dst.offset;
      if ((src.file == EU_GRF || src.file == EU_ATTR) && src.stride == 1 &&
          !src.negate && !src.abs && src.offset % REG_SIZE_B == 0)
         return src;
   }
   return (eu_reg) { 0 };
}

/* A payload of copies of what the thread was started with is sent from where
 * that is, if it lies in a row there; not the last one, which has a place of
 * its own. Copies of VGRFs are for coalescing: as one value they would live
 * longer, and fit in fewer places. */
static bool
try_payload(struct cp *cp, struct eu_inst *inst, unsigned i)
{
   const eu_reg *r = &inst->src[i];
   const unsigned size = eu_size_read(inst, i);

   if (!eu_is_send(inst) || i == 1 || eu_sends_handle(inst) || inst->eot ||
       r->file != EU_VGRF || !size)
      return false;
   eu_reg first = source_of_grf(cp, inst, r->nr, r->offset);
   for (unsigned o = REG_SIZE_B; o < size && first.file != EU_BAD;
        o += REG_SIZE_B) {
      const eu_reg next = source_of_grf(cp, inst, r->nr, r->offset + o);
      if (!eu_same_space(&first, &next) ||
          eu_reg_offset(&next) != eu_reg_offset(&first) + o)
         return false;
   }
   if (first.file == EU_BAD)
      return false;
   first.type = r->type;
   inst->src[i] = first;
   return true;
}

static void
collect_global(struct cp *cp)
{
   list_for_each_entry(struct eu_inst, inst, &cp->s->insts, link) {
      inst->pass_data = is_copy(inst) &&
                        eu_defs_stable_dst(&cp->defs, inst) &&
                        eu_defs_stable(&cp->defs, inst, 0);
      if (inst->pass_data)
         add_copy(cp, inst, true);
   }
   cp->first_local =
      (uint32_t)util_dynarray_num_elements(&cp->copies, struct copy);
}

bool
fs_opt_copy_propagation(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct cp cp = { .s = s };
   bool progress = false;
   uint32_t block = 0;

   eu_calculate_cfg(s);
   eu_defs_init(&cp.defs, s, arena);
   cp.head = arena_new_array(arena, int32_t, s->num_vgrfs);
   for (uint32_t i = 0; i < s->num_vgrfs; i++)
      cp.head[i] = -1;
   collect_global(&cp);

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (inst->block != block) {
         end_block(&cp);
         block = inst->block;
      }
      for (unsigned i = 0; i < inst->sources; i++) {
         /* A chain of copies is followed to its start. */
         for (unsigned tries = 0; tries < 8 && (try_source(&cp, inst, i) ||
                                                try_payload(&cp, inst, i));
              tries++)
            progress = true;
      }
      kill(&cp, inst);
      if (is_copy(inst) && !inst->pass_data)
         add_copy(&cp, inst, false);
   }
   util_dynarray_fini(&cp.copies);
   arena_destroy(arena);
   return progress;
}
