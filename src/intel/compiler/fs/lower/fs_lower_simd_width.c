/* SPDX-License-Identifier: MIT */
/*
 * Cuts instructions that are wider than the EU allows into narrower ones.
 *
 * Restrictions (PRM SKL vol 7):
 *    - "Register Region Restrictions": an operand spans at most two adjacent
 *      GRFs. So 16 channels of a 64-bit type, or of a dword with stride 2,
 *      take two instructions.
 *    - "math": INT DIV functions are SIMD8.
 *    - "Special Requirements for Handling Mixed Mode Float Operations": F and
 *      HF mixed, with a destination of type F, are SIMD8.
 *    - Register-indirect sources: one address register a channel.
 *
 * The parts keep stride and sub-register offset of every operand: they are
 * the same regions, begun further on. So whatever layout an earlier pass
 * chose because the hardware wants it stays as it is, and no temporaries
 * are needed - but where an early part would overwrite what a later one
 * still reads, the parts write to a copy of the destination's layout.
 */
#include "intel/compiler/eu/eu_builder.h"

/* Whether `w` channels of the operand fit into two GRFs. */
static bool
fits(const fs_reg *r, unsigned w)
{
   if (r->file == FS_IMM || r->file == FS_BAD)
      return true;
   if (r->file == FS_ARF) {
      /* Null has no layout but a type; others are small. */
      return !fs_is_null(r) || w * type_sz(r->type) <= 2 * REG_SIZE_B;
   }
   return r->offset % REG_SIZE_B + fs_region_size(r, w) <= 2 * REG_SIZE_B;
}

static bool
mixes_halves_into_floats(const struct fs_inst *inst)
{
   bool half = false;

   for (unsigned i = 0; i < inst->sources; i++)
      half |= inst->src[i].type == ISA_TYPE_HF;
   return half && inst->dst.type == ISA_TYPE_F;
}

static unsigned
lowered_width(const struct fs_inst *inst)
{
   unsigned w = inst->exec_size;

   if (fs_is_send(inst) || fs_is_control_flow(inst) || w == 1)
      return w;
   switch (inst->op) {
   case FS_OP_UNDEF:
   case FS_OP_BROADCAST:
   case FS_OP_FIND_LIVE_CHANNEL:
   case ISA_OPCODE_PLN:
      return w;
   case FS_OP_MOV_INDIRECT:
      return MIN2(w, 8);
   case ISA_OPCODE_MATH:
      if (inst->math == ISA_MATH_INT_DIV_QUOTIENT ||
          inst->math == ISA_MATH_INT_DIV_REMAINDER)
         w = MIN2(w, 8);
      break;
   default:
      break;
   }
   if (mixes_halves_into_floats(inst))
      w = MIN2(w, 8);
   while (w > 1) {
      bool ok = fits(&inst->dst, w);
      for (unsigned i = 0; i < inst->sources && ok; i++)
         ok = fits(&inst->src[i], w);
      if (ok)
         break;
      w /= 2;
   }
   return w;
}

/* Whether writing the first parts may change what later parts read. */
static bool
clobbers(const struct fs_inst *inst)
{
   for (unsigned i = 0; i < inst->sources; i++) {
      const fs_reg *r = &inst->src[i];

      if (!fs_regions_overlap(&inst->dst, inst->size_written, r,
                              fs_size_read(inst, i)))
         continue;
      if (!r->region && r->stride * type_sz(r->type) ==
             inst->dst.stride * type_sz(inst->dst.type) &&
          fs_reg_offset(r) / type_sz(r->type) * type_sz(r->type) ==
             fs_reg_offset(&inst->dst) / type_sz(r->type) * type_sz(r->type))
         continue; /* each channel reads its own place */
      return true;
   }
   return false;
}

static void
split(struct fs_shader *s, struct fs_inst *inst, unsigned w)
{
   struct fs_builder b = fs_builder_before(s, inst);
   const fs_reg dst = inst->dst;
   const bool copy = clobbers(inst);
   fs_reg to = dst;

   if (copy) {
      const unsigned size = dst.offset % REG_SIZE_B + inst->size_written;
      to.file = FS_VGRF;
      to.nr = (uint16_t)fs_alloc_vgrf(s, DIV_ROUND_UP(size, REG_SIZE_B));
      to.offset = dst.offset % REG_SIZE_B;
      fs_undef(&b, to);
      if (fs_is_partial_write(inst) && inst->pred != ISA_PRED_NONE)
         fs_MOV(&b, to, dst);
   }
   for (unsigned i = 0; i < inst->exec_size / w; i++) {
      const struct fs_builder pb = fs_group(b, w, i);
      fs_reg d = fs_is_null(&to) ? to : horiz_offset(to, i * w);
      struct fs_inst *part = fs_emit(&pb, inst->op, d, 0, NULL);
      const struct list_head link = part->link;
      const unsigned size_written = part->size_written;

      *part = *inst;
      part->link = link;
      part->exec_size = pb.exec_size;
      part->group = pb.group;
      part->dst = d;
      part->size_written = size_written;
      for (unsigned k = 0; k < inst->sources; k++) {
         if (inst->op == FS_OP_MOV_INDIRECT && k == 0)
            continue;
         part->src[k] = fs_is_null(&inst->src[k])
                           ? inst->src[k]
                           : horiz_offset(inst->src[k], i * w);
      }
   }
   if (copy) {
      b.exec_size = inst->exec_size;
      const unsigned t = fs_uint_type(type_sz(dst.type));
      struct fs_inst *mov = fs_MOV(&b, retype(dst, t), retype(to, t));
      const unsigned mw = lowered_width(mov);
      if (mw < mov->exec_size)
         split(s, mov, mw);
   }
   list_del(&inst->link);
}

bool
fs_lower_simd_width(struct fs_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct fs_inst, inst, &s->insts, link) {
      const unsigned w = lowered_width(inst);

      if (w < inst->exec_size) {
         split(s, inst, w);
         progress = true;
      }
   }
   return progress;
}
