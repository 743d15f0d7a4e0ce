/* SPDX-License-Identifier: MIT */
/*
 * Low-power chips (eu.qwords_stay): where there are 64 bits, and in products
 * of dwords, a channel stays in its quadword.
 *
 * Restrictions (BXT PRM vol 7, "Register Region Restrictions", "CHV, BXT";
 * docs/eu-fp64-facts.rst, 1.6):
 *    1. Sources that are no scalars have the destination's stride, of whole
 *       quadwords, and begin at its sub-register.
 *    2. Nothing is addressed indirectly.
 *
 * What only moves bits is done by dwords, which are free. Of the rest, a
 * destination without that stride becomes a temporary, and a source elsewhere
 * is copied to where the destination lies, by dwords again.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/fs/fs_compile.h"

#define QWORD_B 8

static bool
is_dword_product(const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_MUL &&
          !eu_type_is_float(inst->src[0].type) &&
          eu_type_sz(inst->src[0].type) == 4 &&
          eu_type_sz(inst->src[1].type) == 4;
}

static bool
is_concerned(const struct eu_inst *inst)
{
   return eu_is_alu(inst) && !inst->align16 && !eu_info(inst)->is_src3 &&
          inst->exec_size > 1 &&
          (eu_type_sz(inst->dst.type) == QWORD_B ||
           eu_type_sz(eu_exec_type(inst)) == QWORD_B ||
           is_dword_product(inst));
}

static bool
is_in_grf(const eu_reg *r)
{
   return r->file == EU_VGRF || r->file == EU_GRF;
}

static bool
has_qword_steps(const eu_reg *r)
{
   return !r->region && r->stride * eu_type_sz(r->type) == QWORD_B;
}

/* Where in its register the first channel lies. */
static unsigned
first_B(const eu_reg *r)
{
   return is_in_grf(r) ? eu_reg_offset(r) % REG_SIZE_B : 0;
}

static bool
bad_src(const struct eu_inst *inst, unsigned i)
{
   const eu_reg *r = &inst->src[i];

   if (!is_in_grf(r) || (r->stride == 0 && !r->region))
      return false;
   return !has_qword_steps(r) || first_B(r) != first_B(&inst->dst);
}

static bool
is_bad(const struct eu_inst *inst)
{
   bool bad = !has_qword_steps(&inst->dst);

   for (unsigned i = 0; i < inst->sources; i++)
      bad |= bad_src(inst, i);
   return bad;
}

/* ---- by dwords ---- */

/* MOV without a conversion, SEL by a predicate. */
static bool
only_moves_bits(const struct eu_inst *inst)
{
   const eu_reg *dst = &inst->dst;

   if (!eu_info(inst)->moves_bits || inst->saturate ||
       inst->cond_mod != ISA_COND_MOD_NONE || !is_in_grf(dst) ||
       eu_type_sz(dst->type) != QWORD_B || dst->stride > 2)
      return false;
   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];
      const bool same =
         r->type == dst->type ||
         (!eu_type_is_float(r->type) && !eu_type_is_float(dst->type));

      if (!same || eu_type_sz(r->type) != QWORD_B || r->negate || r->abs)
         return false;
      /* The second half is read after the first is written. */
      if (r->file == dst->file &&
          eu_regions_overlap(dst, inst->size_written, r,
                             eu_size_read(inst, i)))
         return false;
   }
   return true;
}

static void
move_by_dwords(struct eu_shader *s, struct eu_inst *inst)
{
   const struct eu_builder b = eu_builder_before(s, inst);

   for (unsigned h = 0; h < 2; h++) {
      eu_reg src[2];

      for (unsigned i = 0; i < inst->sources; i++)
         src[i] = eu_dword_of(inst->src[i], h);
      struct eu_inst *half =
         eu_emit(&b, inst->op, eu_dword_of(inst->dst, h), inst->sources, src);
      half->pred = inst->pred;
      half->pred_inv = inst->pred_inv;
      half->flag = inst->flag;
   }
   list_del(&inst->link);
}

/* A channel of a register of 64 bits, which is found by an address. */
static void
broadcast_by_dwords(struct eu_shader *s, struct eu_inst *inst)
{
   const struct eu_builder b = eu_builder_before(s, inst);

   for (unsigned h = 0; h < 2; h++) {
      struct eu_inst *half =
         eu_emit2(&b, EU_OP_BROADCAST, eu_dword_of(inst->dst, h),
                  eu_dword_of(inst->src[0], h), inst->src[1]);
      half->src_channels = inst->src_channels;
   }
   list_del(&inst->link);
}

/* ---- temporaries ---- */

/* Begins `at_B` within its first register; a channel in each quadword. */
static eu_reg
temporary(const struct eu_builder *b, const struct eu_inst *inst,
          unsigned type, unsigned at_B)
{
   const unsigned end_B = at_B + inst->exec_size * QWORD_B;
   eu_reg t =
      eu_vgrf_reg(eu_alloc_vgrf(b->s, DIV_ROUND_UP(end_B, REG_SIZE_B)), type);

   eu_undef(b, t);
   t.offset = at_B;
   t.stride = (uint8_t)(QWORD_B / eu_type_sz(type));
   return t;
}

/* Copies all bits of a channel. */
static void
copy(const struct eu_builder *b, eu_reg dst, eu_reg src,
     const struct eu_inst *predicated)
{
   const unsigned size = eu_type_sz(dst.type);
   const unsigned raw = eu_uint_type(MIN2(size, 4));

   for (unsigned h = 0; h < DIV_ROUND_UP(size, 4); h++) {
      const bool qword = size == QWORD_B;
      struct eu_inst *mov =
         eu_MOV(b, qword ? eu_dword_of(dst, h) : eu_retype(dst, raw),
                qword ? eu_dword_of(src, h) : eu_retype(src, raw));
      if (predicated) {
         mov->pred = predicated->pred;
         mov->pred_inv = predicated->pred_inv;
         mov->flag = predicated->flag;
      }
   }
}

static void
fix_src(struct eu_shader *s, struct eu_inst *inst, unsigned i)
{
   const struct eu_builder b = eu_builder_before(s, inst);
   eu_reg src = inst->src[i];
   eu_reg t = temporary(&b, inst, src.type, first_B(&inst->dst));

   /* Modifiers stay on the instruction. */
   t.negate = src.negate;
   t.abs = src.abs;
   src.negate = src.abs = false;
   eu_reg plain = t;
   plain.negate = plain.abs = false;
   copy(&b, plain, src, NULL);
   inst->src[i] = t;
}

static void
fix_dst(struct eu_shader *s, struct eu_inst *inst)
{
   const struct eu_builder before = eu_builder_before(s, inst);
   const struct eu_builder after = eu_builder_after(s, inst);
   const eu_reg dst = inst->dst;
   const bool keeps = eu_keeps_channels(inst);

   if (!is_in_grf(&dst)) {
      inst->dst.stride = (uint8_t)(QWORD_B / eu_type_sz(dst.type));
      return;
   }
   inst->dst = temporary(&before, inst, dst.type, 0);
   inst->size_written = eu_region_size(&inst->dst, inst->exec_size);
   copy(&after, dst, inst->dst, keeps ? inst : NULL);
   if (keeps && inst->cond_mod == ISA_COND_MOD_NONE) {
      inst->pred = ISA_PRED_NONE;
      inst->pred_inv = false;
   }
}

static void
fix(struct eu_shader *s, struct eu_inst *inst)
{
   if (!has_qword_steps(&inst->dst))
      fix_dst(s, inst);
   for (unsigned i = 0; i < inst->sources; i++) {
      if (bad_src(inst, i))
         fix_src(s, inst, i);
   }
}

bool
fs_lower_qwords(struct eu_shader *s)
{
   bool progress = false;

   if (!s->devinfo->eu.qwords_stay)
      return false;
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (inst->op == EU_OP_BROADCAST &&
          eu_type_sz(inst->src[0].type) == QWORD_B)
         broadcast_by_dwords(s, inst);
      else if (!is_concerned(inst) || !is_bad(inst))
         continue;
      else if (only_moves_bits(inst))
         move_by_dwords(s, inst);
      else
         fix(s, inst);
      progress = true;
   }
   return progress;
}
