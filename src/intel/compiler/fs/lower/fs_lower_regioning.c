/* SPDX-License-Identifier: MIT */
/*
 * Puts operands into layouts that the instruction can have.
 *
 * Restrictions (PRM SKL vol 7, "Register Region Restrictions", "Special
 * Restrictions", and the instructions' own pages in vol 2a):
 *    1. Where the execution type is wider than the destination's, the
 *       destination's stride in bytes is the execution type's size and its
 *       sub-register is aligned to it. Packed raw byte moves are exempt.
 *    2. Conversions between integers and half float write a dword a channel.
 *    3. Three-source instructions (Align16 here): sources packed, 16-byte
 *       aligned (HF on Broadwell: whole registers), or scalars by
 *       replication; no replication for 64-bit types, nor for HF, of which
 *       Broadwell repeats pairs; no immediates.
 *    4. MATH: packed or scalar sources, no immediates.
 *    5. SEL and CMP do not convert.
 *    6. Gen7: doubles are packed or scalars (docs/eu-fp64-facts.rst, 1.2,
 *       rows 2 to 4).
 *
 * A destination that will not do becomes a temporary of the right stride and
 * a move of raw bits; a source that will not do is first moved to a packed
 * temporary.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/fs/fs_compile.h"

static bool
is_raw_move(const struct eu_inst *inst)
{
   const eu_reg *from = &inst->src[0];
   if (inst->op != ISA_OPCODE_MOV || inst->saturate || from->negate ||
       from->abs || from->file == EU_IMM)
      return false;
   return inst->dst.type == from->type ||
          (!eu_type_is_float(inst->dst.type) &&
           !eu_type_is_float(from->type) &&
           eu_type_sz(inst->dst.type) == eu_type_sz(from->type));
}

/* Bytes from one channel of the destination to the next that rules 1 and 2
 * ask for; 0: any. */
static unsigned
required_dst_step(const struct eu_inst *inst)
{
   const unsigned dst = eu_type_sz(inst->dst.type);
   const unsigned exec = eu_type_sz(eu_exec_type(inst));

   if (is_raw_move(inst))
      return 0;
   if (dst == 2 && inst->sources) {
      const bool dst_hf = inst->dst.type == ISA_TYPE_HF;
      for (unsigned i = 0; i < inst->sources; i++) {
         const bool src_hf = inst->src[i].type == ISA_TYPE_HF;
         if (dst_hf != src_hf && eu_type_sz(inst->src[i].type) <= 2 &&
             eu_type_is_float(inst->src[i].type) !=
                eu_type_is_float(inst->dst.type))
            return 4;
      }
   }
   return exec > dst ? exec : 0;
}

static bool
bad_dst(const struct eu_inst *inst)
{
   const eu_reg *d = &inst->dst;

   if (d->file != EU_VGRF && d->file != EU_GRF)
      return false;
   if (eu_info(inst)->is_src3)
      return (inst->exec_size > 1 && d->stride != 1) || d->offset % 16 != 0;
   if (inst->op == ISA_OPCODE_MATH)
      return d->stride != 1 && inst->exec_size > 1;
   const unsigned step = required_dst_step(inst);
   if (step == 0)
      return false;
   return d->stride * eu_type_sz(d->type) != step || d->offset % step != 0;
}

static bool
bad_src(const struct eu_shader *s, const struct eu_inst *inst, unsigned i)
{
   const eu_reg *r = &inst->src[i];

   if (s->devinfo->eu.df_is_two && eu_type_sz(r->type) == 8 &&
       inst->exec_size > 1 && (r->region || r->stride > 1))
      return true;
   if (eu_info(inst)->is_src3) {
      if (r->file == EU_IMM || r->region || r->file == EU_ARF)
         return true;
      if (r->stride == 0)
         return eu_type_sz(r->type) != 4;
      return r->stride != 1 || r->offset % eu_src3_align_B(s, r) != 0;
   }
   if (inst->op == ISA_OPCODE_MATH) {
      return r->file == EU_IMM || r->region || r->stride > 1 ||
             (r->stride == 1 && r->offset % REG_SIZE_B != 0);
   }
   return false;
}

static void
fix_dst(struct eu_shader *s, struct eu_inst *inst)
{
   struct eu_builder b = eu_builder_after(s, inst);
   const struct eu_builder before = eu_builder_before(s, inst);
   const unsigned size = eu_type_sz(inst->dst.type);
   unsigned step = required_dst_step(inst);
   const eu_reg dst = inst->dst;
   const unsigned raw = eu_uint_type(size);

   if (step < size)
      step = size;
   /* The stride of one channel says nothing. */
   if (inst->exec_size == 1 && dst.offset % step == 0 &&
       !eu_info(inst)->is_src3) {
      inst->dst.stride = (uint8_t)(step / size);
      return;
   }
   eu_reg t = eu_vgrf_reg(
      eu_alloc_vgrf(s, DIV_ROUND_UP(step * inst->exec_size, REG_SIZE_B)),
      dst.type);
   t.stride = (uint8_t)(step / size);
   eu_undef(&before, t);

   /* A flag-predicated write keeps the predicate on the copy. */
   struct eu_inst *mov = eu_MOV(&b, eu_retype(dst, raw), eu_retype(t, raw));
   if (eu_keeps_channels(inst)) {
      mov->pred = inst->pred;
      mov->pred_inv = inst->pred_inv;
      mov->flag = inst->flag;
      if (inst->cond_mod == ISA_COND_MOD_NONE) {
         inst->pred = ISA_PRED_NONE;
         inst->pred_inv = false;
      }
   }
   inst->dst = t;
   inst->size_written = eu_region_size(&t, inst->exec_size);
}

static void
fix_src(struct eu_shader *s, struct eu_inst *inst, unsigned i)
{
   const struct eu_builder b = eu_builder_before(s, inst);
   eu_reg src = inst->src[i];
   eu_reg t = eu_vgrf(&b, src.type, 1);
   const bool in_dwords = s->devinfo->eu.df_is_two &&
                          eu_type_sz(src.type) == 8 && src.file != EU_IMM &&
                          (src.region || src.stride > 1);

   /* Modifiers stay on the instruction: raw bits are moved. */
   const bool neg = src.negate, abs = src.abs;
   if (in_dwords) {
      src.negate = src.abs = false;
      eu_undef(&b, t);
      for (unsigned h = 0; h < 2; h++)
         eu_MOV(&b, eu_subscript(t, ISA_TYPE_UD, h), eu_dword_of(src, h));
   } else if (src.file != EU_IMM) {
      src.negate = src.abs = false;
      const unsigned raw = eu_uint_type(eu_type_sz(src.type));
      eu_MOV(&b, eu_retype(t, raw), eu_retype(src, raw));
   } else {
      eu_MOV(&b, t, src);
   }
   t.negate = neg;
   t.abs = abs;
   inst->src[i] = t;
}

bool
fs_lower_regioning(struct eu_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (!eu_is_alu(inst) || inst->align16)
         continue;
      for (unsigned i = 0; i < inst->sources; i++) {
         if (bad_src(s, inst, i)) {
            fix_src(s, inst, i);
            progress = true;
         }
      }
      if (bad_dst(inst)) {
         fix_dst(s, inst);
         progress = true;
      }
   }
   return progress;
}
