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
 *       aligned, or scalars by replication; no replication for 64-bit
 *       types; no immediates.
 *    4. MATH: packed or scalar sources, no immediates.
 *    5. SEL and CMP do not convert.
 *
 * A destination that will not do becomes a temporary of the right stride and
 * a move of raw bits; a source that will not do is first moved to a packed
 * temporary.
 */
#include "intel/compiler/eu/eu_builder.h"

static bool
is_raw_move(const struct fs_inst *inst)
{
   return inst->op == ISA_OPCODE_MOV && !inst->saturate &&
          !inst->src[0].negate && !inst->src[0].abs &&
          inst->src[0].file != FS_IMM &&
          (inst->dst.type == inst->src[0].type ||
           (!type_is_float(inst->dst.type) &&
            !type_is_float(inst->src[0].type) &&
            type_sz(inst->dst.type) == type_sz(inst->src[0].type)));
}

/* Bytes from one channel of the destination to the next that rules 1 and 2
 * ask for; 0: any. */
static unsigned
required_dst_step(const struct fs_inst *inst)
{
   const unsigned dst = type_sz(inst->dst.type);
   const unsigned exec = type_sz(fs_exec_type(inst));

   if (is_raw_move(inst))
      return 0;
   if (dst == 2 && inst->sources) {
      const bool dst_hf = inst->dst.type == ISA_TYPE_HF;
      for (unsigned i = 0; i < inst->sources; i++) {
         const bool src_hf = inst->src[i].type == ISA_TYPE_HF;
         if (dst_hf != src_hf && type_sz(inst->src[i].type) <= 2 &&
             type_is_float(inst->src[i].type) !=
             type_is_float(inst->dst.type))
            return 4;
      }
   }
   return exec > dst ? exec : 0;
}

static bool
is_three_source(const struct fs_inst *inst)
{
   return inst->op < ISA_OPCODE_COUNT &&
          isa_opcode_info((enum isa_opcode)inst->op)->format ==
             ISA_FORMAT_SRC3;
}

static bool
bad_dst(const struct fs_inst *inst)
{
   const fs_reg *d = &inst->dst;

   if (d->file != FS_VGRF && d->file != FS_GRF)
      return false;
   if (is_three_source(inst))
      return (inst->exec_size > 1 && d->stride != 1) || d->offset % 16 != 0;
   if (inst->op == ISA_OPCODE_MATH)
      return d->stride != 1 && inst->exec_size > 1;
   const unsigned step = required_dst_step(inst);
   if (step == 0)
      return false;
   return d->stride * type_sz(d->type) != step || d->offset % step != 0;
}

static bool
bad_src(const struct fs_inst *inst, unsigned i)
{
   const fs_reg *r = &inst->src[i];

   if (is_three_source(inst)) {
      if (r->file == FS_IMM || r->region || r->file == FS_ARF)
         return true;
      if (r->stride == 0)
         return type_sz(r->type) != 4;
      return r->stride != 1 || r->offset % 16 != 0;
   }
   if (inst->op == ISA_OPCODE_MATH) {
      return r->file == FS_IMM || r->region || r->stride > 1 ||
             (r->stride == 1 && r->offset % REG_SIZE_B != 0);
   }
   return false;
}

static void
fix_dst(struct fs_shader *s, struct fs_inst *inst)
{
   struct fs_builder b = fs_builder_after(s, inst);
   const struct fs_builder before = fs_builder_before(s, inst);
   const unsigned size = type_sz(inst->dst.type);
   unsigned step = required_dst_step(inst);
   const fs_reg dst = inst->dst;
   const unsigned raw = fs_uint_type(size);

   if (step < size)
      step = size;
   fs_reg t = fs_vgrf_reg(
      fs_alloc_vgrf(s, DIV_ROUND_UP(step * inst->exec_size, REG_SIZE_B)),
      dst.type);
   t.stride = (uint8_t)(step / size);
   fs_undef(&before, t);

   /* A flag-predicated write keeps the predicate on the copy. */
   struct fs_inst *mov = fs_MOV(&b, retype(dst, raw), retype(t, raw));
   if (inst->pred != ISA_PRED_NONE && inst->op != ISA_OPCODE_SEL) {
      mov->pred = inst->pred;
      mov->pred_inv = inst->pred_inv;
      mov->flag = inst->flag;
      if (inst->cond_mod == ISA_COND_MOD_NONE) {
         inst->pred = ISA_PRED_NONE;
         inst->pred_inv = false;
      }
   }
   inst->dst = t;
   inst->size_written = fs_region_size(&t, inst->exec_size);
}

static void
fix_src(struct fs_shader *s, struct fs_inst *inst, unsigned i)
{
   const struct fs_builder b = fs_builder_before(s, inst);
   fs_reg src = inst->src[i];
   fs_reg t = fs_vgrf(&b, src.type, 1);

   /* Modifiers stay on the instruction: raw bits are moved. */
   const bool neg = src.negate, abs = src.abs;
   if (src.file != FS_IMM) {
      src.negate = src.abs = false;
      const unsigned raw = fs_uint_type(type_sz(src.type));
      fs_MOV(&b, retype(t, raw), retype(src, raw));
   } else {
      fs_MOV(&b, t, src);
   }
   t.negate = neg;
   t.abs = abs;
   inst->src[i] = t;
}

bool
fs_lower_regioning(struct fs_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct fs_inst, inst, &s->insts, link) {
      if (inst->op >= ISA_OPCODE_COUNT || fs_is_send(inst) ||
          fs_is_control_flow(inst))
         continue;
      for (unsigned i = 0; i < inst->sources; i++) {
         if (bad_src(inst, i)) {
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
