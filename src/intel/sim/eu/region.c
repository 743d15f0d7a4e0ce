/* SPDX-License-Identifier: MIT */
/* Where the elements of a region lie, and which of them are written. */
#include "intel/sim/eu/decode.h"

void
eu_region_packed(struct eu_operand *o, unsigned base, unsigned lanes)
{
   for (unsigned i = 0; i < lanes; i++)
      o->lane_off_B[i] = base + i * o->size_B;
}

/* Rows of `width` elements, `vstride` apart. */
void
eu_region_align1(struct eu_operand *o, const struct isa_operand *src,
                 unsigned base_B, unsigned lanes)
{
   const unsigned width = MAX2(src->width, 1);
   for (unsigned i = 0; i < lanes; i++) {
      const unsigned row = i / width, col = i % width;
      const unsigned vstride = src->vstride == ISA_VSTRIDE_VXH ? 0
                                                               : src->vstride;
      o->lane_off_B[i] = base_B +
                         (row * vstride + col * src->hstride) * o->size_B;
   }
}

/*
 * Align16: four elements a row, chosen by the swizzle. A row of doubles is
 * two of them, and the swizzle chooses dwords: see eu-fp64-facts 1.4, rows 1
 * to 5 (from the i965 fp64 thread, comments 66 and 82). With stride zero and
 * eight doubles, Gen7 steps the second half by a register all the same.
 */
void
eu_region_align16(struct eu_operand *o, unsigned vstride, uint8_t swizzle,
                  unsigned base_B, unsigned lanes,
                  const struct sim_traits *traits)
{
   for (unsigned i = 0; i < lanes; i++) {
      if (o->size_B == 8) {
         const unsigned dword = swizzle >> 4 * (i & 1) & 3;
         unsigned row_B = vstride ? i / 2 * 16 : 0;
         if (!vstride && traits->halves_step_scalars && i >= 4)
            row_B = SIM_GRF_B;
         o->lane_off_B[i] = base_B + row_B + dword * 4;
      } else {
         const unsigned comp = swizzle >> 2 * (i & 3) & 3;
         o->lane_off_B[i] = base_B + (i / 4 * vstride + comp) * o->size_B;
      }
   }
}

/*
 * From halves to halves in Align16, Broadwell's selects and write masks, made
 * for dwords, each stand for a pair of them (PRM BDW vol 7, "Register Region
 * Restrictions", "Special Restrictions"). So a source that is repeated gives
 * two halves in turn.
 */
bool
eu_selects_pairs(const struct isa_inst *inst, unsigned src,
                 const struct sim_traits *traits)
{
   const bool align16 = inst->access_mode == ISA_ALIGN16 ||
                        isa_opcode_info(inst->opcode)->format ==
                           ISA_FORMAT_SRC3;
   return align16 && traits->half_selects_take_pairs &&
          inst->dst.type == ISA_TYPE_HF && inst->src[src].type == ISA_TYPE_HF;
}

/* Eight halves a row, two by each select; the stride counts dwords. */
void
eu_region_pairs(struct eu_operand *o, unsigned vstride, uint8_t swizzle,
                unsigned base_B, unsigned lanes)
{
   for (unsigned i = 0; i < lanes; i++) {
      const unsigned dword = i / 8 * vstride + (swizzle >> (i & 6) & 3);
      o->lane_off_B[i] = base_B + dword * 4 + (i & 1) * o->size_B;
   }
}

/* PLN reads u of channels 0-7, then v of the same, then 8-15; PRM SKL vol 2a,
 * pln. */
void
eu_region_pln(struct eu_operand *o, unsigned base_B, unsigned lanes)
{
   for (unsigned i = 0; i < lanes; i++)
      o->lane_off_B[i] = base_B + i / 8 * 2 * SIM_GRF_B + i % 8 * 4;
}

/*
 * Write mask as lanes. For doubles the masks XY and ZW mean the components
 * {X,Z} and {Y,W}, every other mask means whole components: eu-fp64-facts
 * 1.4 row 8 (measured on Gen7; taken for all).
 */
uint32_t
eu_write_mask_lanes(uint8_t mask, unsigned size_B, bool pairs, unsigned lanes)
{
   if (size_B == 8 && mask == 0x3)
      mask = 0x5;
   else if (size_B == 8 && mask == 0xc)
      mask = 0xa;
   uint32_t m = 0;
   for (unsigned i = 0; i < lanes; i++)
      m |= (uint32_t)(mask >> (i >> pairs & 3) & 1) << i;
   return m;
}
