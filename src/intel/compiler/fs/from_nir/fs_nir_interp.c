/* SPDX-License-Identifier: MIT */
/*
 * Interpolation at a place that the shader chooses: barycentric coordinates
 * from the pixel interpolator, a shared function.
 *
 * Message (PRM SKL vol 7, "Pixel Interpolator"): for an offset that differs
 * from channel to channel the payload holds x, then y, in sixteenths of a
 * pixel from its centre, -8 to 7; other types do not look at it. The response
 * is laid out as PLN wants it: for each eight channels a register of the
 * first and one of the second coordinate.
 */
#include "fs_nir.h"

/* Sends the message with what all of them have. */
static void
send_pi(struct nir_to_fs *n, nir_intrinsic_instr *intr, struct isa_message m,
        eu_reg payload, unsigned mlen)
{
   const struct eu_builder *b = &n->b;
   const unsigned w = b->exec_size / 8u;
   const eu_reg dst = eu_vgrf_reg(eu_alloc_vgrf(n->s, 2 * w), ISA_TYPE_F);

   m.linear = nir_intrinsic_interp_mode(intr) == INTERP_MODE_NOPERSPECTIVE;
   m.simd = b->exec_size;
   m.mlen = (uint8_t)mlen;
   m.rlen = (uint8_t)(2 * w);
   eu_emit_send(b, &m, (eu_reg) { 0 }, dst, payload);
   fs_set_dest(n, &intr->instr.result, dst);
}

/* A payload of which nothing is read. */
static eu_reg
no_payload(struct nir_to_fs *n)
{
   const eu_reg p = eu_vgrf_reg(eu_alloc_vgrf(n->s, 1), ISA_TYPE_UD);

   eu_undef(&n->b, p);
   return p;
}

/* Sixteenths of a pixel, cut off where the message ends. */
static int
sixteenths(float f)
{
   return CLAMP((int)CLAMP(f * 16.0f, -8.0f, 7.0f), -8, 7);
}

static void
slot_offset(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct eu_builder *b = &n->b;
   const unsigned w = b->exec_size / 8u;
   const eu_reg p = eu_vgrf_reg(eu_alloc_vgrf(n->s, 2 * w), ISA_TYPE_D);

   for (unsigned c = 0; c < 2; c++) {
      const eu_reg off = fs_no_imm(
         n, eu_retype(fs_src_comp(n, &intr->src[0], c), ISA_TYPE_F));
      eu_reg scaled = eu_vgrf(b, ISA_TYPE_F, 1);
      eu_reg low = eu_vgrf(b, ISA_TYPE_F, 1), in = eu_vgrf(b, ISA_TYPE_F, 1);

      eu_MUL(b, scaled, off, eu_imm_f(16.0f));
      eu_emit2(b, ISA_OPCODE_SEL, low, scaled, eu_imm_f(7.0f))->cond_mod =
         ISA_COND_MOD_L;
      eu_emit2(b, ISA_OPCODE_SEL, in, low, eu_imm_f(-8.0f))->cond_mod =
         ISA_COND_MOD_GE;
      eu_MOV(b, eu_byte_offset(p, c * w * REG_SIZE_B), in);
   }
   send_pi(n, intr,
           (struct isa_message) { .msg = ISA_MSG_INTERP_SLOT_OFFSET }, p,
           2 * w);
}

void
fs_emit_barycentric_at(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const nir_use *src = &intr->src[0];

   if (intr->intrinsic == nir_intrinsic_load_barycentric_at_sample) {
      /* intel_nir_lower_interp_at_sample() has done away with others. */
      assert(nir_use_is_const(*src));
      const struct isa_message m = { .msg = ISA_MSG_INTERP_SAMPLE,
                                     .sample = nir_use_as_uint(*src) & 15 };
      send_pi(n, intr, m, no_payload(n), 1);
   } else if (nir_use_is_const(*src)) {
      const int x = sixteenths((float)nir_use_comp_as_float(*src, 0));
      const int y = sixteenths((float)nir_use_comp_as_float(*src, 1));
      const struct isa_message m = { .msg = ISA_MSG_INTERP_SHARED_OFFSET,
                                     .offset_x = (unsigned)x & 15,
                                     .offset_y = (unsigned)y & 15 };
      send_pi(n, intr, m, no_payload(n), 1);
   } else {
      slot_offset(n, intr);
   }
}
