/* SPDX-License-Identifier: MIT */
/*
 * Which message of the data port a descriptor asks for: type codes of the
 * data caches and the constant cache. PRM SKL vol 2d, "Data Port Messages";
 * HSW vol 7, IVB vol 4 part 1 for the older numbers.
 */
#include "intel/sim/msg/blocks.h"

#define SCRATCH (1u << 18)

/* "Memory Fence": bit 13 asks for a commit, which is the response of one
 * register. Nothing is reordered here, so there is nothing to wait for. */
static bool
fence(struct sim_eu_thread *t, const struct sim_message *m)
{
   const unsigned commit = sim_message_bits(m, 13, 1);
   if (!m->header)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "memory fence messages need a header");
   if (!dp_check_lengths(t, m, "memory fence", 1, commit))
      return false;
   if (commit)
      memset(m->dst, 0, sizeof(*m->dst));
   return true;
}

bool
sim_msg_data_cache0(struct sim_eu_thread *t, const struct sim_message *m)
{
   const unsigned verx10 = t->env->verx10;
   if (m->desc & SCRATCH)
      return dp_scratch_block(t, m);
   const unsigned type = sim_message_bits(m, 14, 4);
   switch (type) {
   case 0: return dp_oword_block(t, m, false, false);
   case 1: return dp_oword_block(t, m, false, true);
   case 2: return dp_oword_dual_block(t, m, false);
   case 3: return dp_dword_scattered(t, m, false);
   case 4: return dp_byte_scattered(t, m, false);
   case 7: return fence(t, m);
   case 8: return dp_oword_block(t, m, true, false);
   case 10: return dp_oword_dual_block(t, m, true);
   case 11: return dp_dword_scattered(t, m, true);
   case 12: return dp_byte_scattered(t, m, true);
   default: break;
   }
   /* Ivybridge has a single data cache. */
   if (verx10 == 70) {
      switch (type) {
      case 5: return dp_untyped(t, m, false, false);
      case 6: return dp_untyped_atomic(t, m, false, false);
      case 13: return dp_untyped(t, m, true, false);
      default: break;
      }
   }
   return sim_msg_unknown(t, m, "data cache 0", type);
}

/* Ivybridge has typed messages here (PRM IVB vol 4 part 1, "Render Cache Data
 * Port"); render targets are the back end's. */
bool
sim_msg_render_cache(struct sim_eu_thread *t, const struct sim_message *m)
{
   const unsigned type = sim_message_bits(m, 14, 4);
   if (type == 7)
      return fence(t, m);
   if (t->env->verx10 == 70) {
      switch (type) {
      case 4: return dp_media_block(t, m, false);
      case 5: return dp_typed(t, m, false);
      case 6: return dp_typed_atomic(t, m);
      case 10: return dp_media_block(t, m, true);
      case 13: return dp_typed(t, m, true);
      default: break;
      }
   }
   if (t->env->render_target)
      return t->env->render_target(t, m);
   return sim_eu_fault(t, SIM_FAULT_MESSAGE, "a message to the render cache, "
                       "which is not attached to this stage (descriptor "
                       "0x%08x)", m->desc);
}

bool
sim_msg_data_cache1(struct sim_eu_thread *t, const struct sim_message *m)
{
   const unsigned verx10 = t->env->verx10;
   const unsigned type = sim_message_bits(m, 14, verx10 >= 80 ? 5 : 4);
   if (verx10 < 75)
      return sim_eu_fault(t, SIM_FAULT_ILLEGAL, "data cache 1 does not exist "
                          "before Haswell (PRM HSW vol 7)");
   switch (type) {
   case 0x01: return dp_untyped(t, m, false, false);
   case 0x02: return dp_untyped_atomic(t, m, false, false);
   case 0x03: return dp_untyped_atomic_4x2(t, m, false);
   case 0x04: return dp_media_block(t, m, false);
   case 0x05: return dp_typed(t, m, false);
   case 0x06: return dp_typed_atomic(t, m);
   case 0x07: return dp_typed_atomic_4x2(t, m);
   case 0x09: return dp_untyped(t, m, true, false);
   case 0x0a: return dp_media_block(t, m, true);
   case 0x0d: return dp_typed(t, m, true);
   case 0x10: return dp_a64_scattered(t, m, false);
   case 0x11: return dp_untyped(t, m, false, true);
   case 0x12: return dp_untyped_atomic(t, m, false, true);
   case 0x13: return dp_untyped_atomic_4x2(t, m, true);
   case 0x14: return dp_a64_oword_block(t, m, false);
   case 0x15: return dp_a64_oword_block(t, m, true);
   case 0x19: return dp_untyped(t, m, true, true);
   case 0x1a: return dp_a64_scattered(t, m, true);
   case 0x1b: return dp_untyped_atomic(t, m, true, false);
   case 0x1d: return dp_untyped_atomic(t, m, true, true);
   default: return sim_msg_unknown(t, m, "data cache 1", type);
   }
}

/* The constant cache, and the sampler's cache as a data port. */
bool
sim_msg_const_cache(struct sim_eu_thread *t, const struct sim_message *m)
{
   const unsigned type = sim_message_bits(m, 14, 4);
   switch (type) {
   case 0: return dp_oword_block(t, m, false, false);
   case 1: return dp_oword_block(t, m, false, true);
   case 2: return dp_oword_dual_block(t, m, false);
   case 3: return dp_dword_scattered(t, m, false);
   default: return sim_msg_unknown(t, m, "constant cache", type);
   }
}
