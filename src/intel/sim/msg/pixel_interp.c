/* SPDX-License-Identifier: MIT */
/*
 * Pixel interpolator, SFID 11: barycentric coordinates at a place that the
 * shader chooses. PRM SKL vol 7, "Pixel Interpolator".
 *
 * The response interleaves like the barycentrics of the thread payload: for
 * each eight slots, a register of the first and one of the second coordinate.
 */
#include "intel/sim/msg/data_port.h"

/* Offsets are 4-bit two's complement, in sixteenths of a pixel. */
static float
offset_px(uint32_t v)
{
   return (float)util_sign_extend(v & 15, 4) / 16.0f;
}

bool
sim_msg_pixel_interp(struct sim_eu_thread *t, const struct sim_message *m)
{
   const struct sim_eu_interp *interp = t->env->interp;
   const struct isa_message *f = m->fields;
   const unsigned slots = f->simd;
   const unsigned first = f->slots_high ? 16 : 0;
   const unsigned step = slots / 8;
   float out[16][2];

   if (!interp || !interp->barycentric)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "a message to the pixel "
                          "interpolator from a thread that is no pixel "
                          "shader");
   if (!dp_check_lengths(t, m, "pixel interpolator",
                         f->msg == ISA_MSG_INTERP_SLOT_OFFSET
                            ? 2 * step
                            : m->mlen + m->ex_mlen,
                         2 * step))
      return false;
   for (unsigned i = 0; i < slots; i++) {
      float dx = 0, dy = 0;
      int sample = -1;
      if (!(m->exec_mask >> i & 1))
         continue;
      switch (f->msg) {
      case ISA_MSG_INTERP_SHARED_OFFSET:
         dx = offset_px(f->offset_x);
         dy = offset_px(f->offset_y);
         break;
      case ISA_MSG_INTERP_SAMPLE: sample = f->sample; break;
      case ISA_MSG_INTERP_CENTROID: sample = -2; break;
      case ISA_MSG_INTERP_SLOT_OFFSET:
         dx = offset_px(dp_slot(m, 0, i));
         dy = offset_px(dp_slot(m, step, i));
         break;
      default: unreachable("two bits tell four messages");
      }
      interp->barycentric(t, first + i, sample, dx, dy, !f->linear, out[i]);
   }
   for (unsigned i = 0; i < slots; i++) {
      if (!(m->exec_mask >> i & 1))
         continue;
      for (unsigned k = 0; k < 2; k++)
         m->dst[i / 8 * 2 + k].f[i % 8] = out[i][k];
   }
   return true;
}
