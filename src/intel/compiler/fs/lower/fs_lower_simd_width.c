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
 *      HF mixed, with a destination of type F, are SIMD8; but not MOV, of
 *      which stock drivers have 16 channels.
 *    - Register-indirect sources: one address register a channel.
 *    - Before Gen8 (PRM HSW vol 7, the same section; docs/eu-fp64-facts.rst,
 *      1.2 and 1.3): an instruction that writes two registers is executed as
 *      two halves, each of which reads registers of its own, begun at the
 *      same place, and looks at the enables of eight channels, or of four if
 *      it computes with doubles. On Gen7 both halves of doubles have the
 *      enables of the first one: one register only. Masked instructions have
 *      16 channels at most.
 *    - Gen7: three sources, and comparisons that write a register, are SIMD8
 *      (PRM IVB vol 4 part 3, 3.3.9; WaCMPInstFlagDepClearedEarly).
 *
 * The parts keep stride and sub-register offset of every operand: they are
 * the same regions, begun further on. So whatever layout an earlier pass
 * chose because the hardware wants it stays as it is, and no temporaries
 * are needed - but where an early part would overwrite what a later one
 * still reads, the parts write to a copy of the destination's layout.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/fs/fs_compile.h"

/* Whether `w` channels of the operand fit into two GRFs. */
static bool
fits(const eu_reg *r, unsigned w)
{
   if (r->file == EU_IMM || r->file == EU_BAD)
      return true;
   if (r->file == EU_ARF) {
      /* Null has no layout but a type; others are small. */
      return !eu_is_null(r) || w * eu_type_sz(r->type) <= 2 * REG_SIZE_B;
   }
   return r->offset % REG_SIZE_B + eu_region_size(r, w) <= 2 * REG_SIZE_B;
}

/* ---- two halves ---- */

static bool
is_in_grf(const eu_reg *r)
{
   return r->file == EU_VGRF || r->file == EU_GRF;
}

/* Whether some source is 64 bits wide: the enables are then counted so. */
static bool
computes_with_doubles(const struct eu_inst *inst)
{
   eu_foreach_source(r, inst) {
      if (r->file != EU_BAD && eu_type_sz(r->type) == 8)
         return true;
   }
   return false;
}

static bool
has_doubles(const struct eu_inst *inst)
{
   return computes_with_doubles(inst) || eu_type_sz(inst->dst.type) == 8;
}

/* The first byte of channel `i`, from the start of the first register. */
static unsigned
channel_B(const eu_reg *r, unsigned i)
{
   const unsigned elements = r->region ? i / r->w * r->vs + i % r->w * r->hs
                                       : i * r->stride;

   return r->offset % REG_SIZE_B + elements * eu_type_sz(r->type);
}

static bool
has_two_grfs(const eu_reg *r, unsigned w)
{
   unsigned end_B = 0;

   for (unsigned i = 0; i < w; i++)
      end_B = MAX2(end_B, channel_B(r, i) + eu_type_sz(r->type));
   return end_B > REG_SIZE_B;
}

/* Whether the source goes over to its second register with the channel that
 * the destination does, and begins there at the same place. */
static bool
source_has_halves(const struct eu_inst *inst, unsigned s, unsigned w)
{
   const eu_reg *r = &inst->src[s], *d = &inst->dst;
   bool entered = false;

   if (!is_in_grf(r) || (r->stride == 0 && !r->region))
      return true;
   if (!has_two_grfs(r, w))
      return eu_type_sz(r->type) == 2 && r->stride == 1 && !r->region &&
             eu_type_sz(d->type) == 4 && d->stride == 1;
   for (unsigned i = 0; i < w; i++) {
      const unsigned at_B = channel_B(r, i);

      if ((at_B >= REG_SIZE_B) != (channel_B(d, i) >= REG_SIZE_B))
         return false;
      if (at_B >= REG_SIZE_B && !entered) {
         entered = true;
         if (at_B % REG_SIZE_B != channel_B(r, 0))
            return false;
      }
   }
   return true;
}

static bool
has_good_halves(const struct intel_device_info *devinfo,
                const struct eu_inst *inst, unsigned w)
{
   const eu_reg *d = &inst->dst;
   const unsigned enables = computes_with_doubles(inst) ? 4 : 8;
   const unsigned half = inst->nomask ? w / 2 : enables;

   if (!devinfo->eu.runs_in_halves)
      return true;
   if (devinfo->eu.df_is_two && has_doubles(inst) && w > 4)
      return false;
   if (!is_in_grf(d) || !has_two_grfs(d, w))
      return true;
   if ((devinfo->eu.df_is_two && has_doubles(inst)) || w != 2 * half)
      return false;
   for (unsigned i = 0; i < w; i++) {
      if ((channel_B(d, i) >= REG_SIZE_B) != (i >= half))
         return false;
   }
   for (unsigned i = 0; i < inst->sources; i++) {
      if (!source_has_halves(inst, i, w))
         return false;
   }
   return true;
}

/* ---- widths ---- */

static bool
mixes_halves_into_floats(const struct eu_inst *inst)
{
   bool half = false;

   if (inst->op == ISA_OPCODE_MOV)
      return false;
   for (unsigned i = 0; i < inst->sources; i++)
      half |= inst->src[i].type == ISA_TYPE_HF;
   return half && inst->dst.type == ISA_TYPE_F;
}

/* The most channels that the opcode has, whatever its operands. */
static unsigned
widest(const struct intel_device_info *devinfo, const struct eu_inst *inst)
{
   const struct intel_eu_info *eu = &devinfo->eu;

   if (inst->math == ISA_MATH_INT_DIV_QUOTIENT ||
       inst->math == ISA_MATH_INT_DIV_REMAINDER)
      return 8;
   if (mixes_halves_into_floats(inst))
      return 8;
   if (eu_info(inst)->is_src3 && !eu->has_simd16_src3)
      return 8;
   if (inst->op == ISA_OPCODE_CMP && eu->cmp_is_simd8 &&
       !eu_is_null(&inst->dst))
      return 8;
   return eu->has_simd32_masks ? 32 : 16;
}

static unsigned
lowered_width(const struct intel_device_info *devinfo,
              const struct eu_inst *inst)
{
   const enum eu_width width = eu_info(inst)->width;
   unsigned w = inst->exec_size;

   if (width == EU_WIDTH_WHOLE || inst->align16)
      return w;
   if (width == EU_WIDTH_EIGHT)
      return MIN2(w, 8);
   w = MIN2(w, widest(devinfo, inst));
   while (w > 1) {
      bool ok = fits(&inst->dst, w) && has_good_halves(devinfo, inst, w);
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
clobbers(const struct eu_inst *inst)
{
   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];

      if (!eu_regions_overlap(&inst->dst, inst->size_written, r,
                              eu_size_read(inst, i)))
         continue;
      const unsigned size = eu_type_sz(r->type);
      if (!r->region &&
          r->stride * size == inst->dst.stride * eu_type_sz(inst->dst.type) &&
          eu_reg_offset(r) / size == eu_reg_offset(&inst->dst) / size)
         continue; /* each channel reads its own place */
      return true;
   }
   return false;
}

static void
split(struct eu_shader *s, struct eu_inst *inst, unsigned w)
{
   struct eu_builder b = eu_builder_before(s, inst);
   const eu_reg dst = inst->dst;
   const bool copy = clobbers(inst);
   eu_reg to = dst;

   if (copy) {
      const unsigned size = dst.offset % REG_SIZE_B + inst->size_written;
      to.file = EU_VGRF;
      to.nr = eu_alloc_vgrf(s, DIV_ROUND_UP(size, REG_SIZE_B));
      to.offset = dst.offset % REG_SIZE_B;
      eu_undef(&b, to);
      if (eu_is_partial_write(inst) && inst->pred != ISA_PRED_NONE)
         eu_MOV(&b, to, dst);
   }
   for (unsigned i = 0; i < inst->exec_size / w; i++) {
      struct eu_builder pb = eu_group(b, w, i);
      /* No group starts between; without a mask none is needed. */
      if (w < 4 && inst->nomask)
         pb.group = inst->group;
      eu_reg d = eu_is_null(&to) ? to : eu_horiz_offset(to, i * w);
      struct eu_inst *part = eu_emit(&pb, inst->op, d, 0, NULL);
      const struct list_head link = part->link;
      const unsigned size_written = part->size_written;

      *part = *inst;
      part->link = link;
      part->exec_size = pb.exec_size;
      part->group = pb.group;
      part->dst = d;
      part->size_written = size_written;
      for (unsigned k = 0; k < inst->sources; k++) {
         if (inst->op == EU_OP_MOV_INDIRECT && k == 0)
            continue;
         part->src[k] = eu_is_null(&inst->src[k])
                           ? inst->src[k]
                           : eu_horiz_offset(inst->src[k], i * w);
      }
   }
   if (copy) {
      b.exec_size = inst->exec_size;
      const unsigned t = eu_uint_type(eu_type_sz(dst.type));
      struct eu_inst *mov = eu_MOV(&b, eu_retype(dst, t), eu_retype(to, t));
      const unsigned mw = lowered_width(s->devinfo, mov);
      if (mw < mov->exec_size)
         split(s, mov, mw);
   }
   list_del(&inst->link);
}

bool
fs_lower_simd_width(struct eu_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      const unsigned w = lowered_width(s->devinfo, inst);

      if (w < inst->exec_size) {
         if (w < 4 && !inst->nomask)
            eu_fail(s, "%s of %u channels", eu_info(inst)->name, w);
         split(s, inst, w);
         progress = true;
      }
   }
   return progress;
}
