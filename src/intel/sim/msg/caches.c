/* SPDX-License-Identifier: MIT */
/*
 * The data port: what is behind its messages, whichever of the caches they go
 * to. Which cache of which generation has which of them: isa_messages.py.
 */
#include "intel/sim/chaos/chaos.h"
#include "intel/sim/msg/blocks.h"

/* "Memory Fence": a commit that is asked for is the response of one register.
 * Nothing is reordered here, so there is nothing to wait for; but with chaos
 * the pixels before may be, for which SENDC waits. */
static bool
fence(struct sim_eu_thread *t, const struct sim_message *m)
{
   const unsigned commit = m->fields->commit;
   if (!m->header)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "memory fence messages need a header");
   if (!dp_check_lengths(t, m, "memory fence", 1, commit))
      return false;
   if (commit)
      memset(m->dst, 0, sizeof(*m->dst));
   if (m->check && t->mem && t->mem->watch && t->mem->watch->caches)
      sim_chaos_wait_for_pixels(t->mem->watch->caches);
   return true;
}

static bool
render_target(struct sim_eu_thread *t, const struct sim_message *m)
{
   if (t->env->render_target)
      return t->env->render_target(t, m);
   return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                       "a message to the render cache, "
                       "which is not attached to this stage (descriptor "
                       "0x%08x)",
                       m->desc);
}

static bool
unknown(struct sim_eu_thread *t, const struct sim_message *m)
{
   static const char *const names[] = {
      [ISA_SFID_SAMPLER_CACHE] = "sampler cache",
      [ISA_SFID_RENDER_CACHE] = "render cache",
      [ISA_SFID_CONST_CACHE] = "constant cache",
      [ISA_SFID_DATA_CACHE0] = "data cache 0",
      [ISA_SFID_DATA_CACHE1] = "data cache 1",
   };
   if (!isa_sfid_exists(isa_gen_from_number(t->env->verx10), m->sfid))
      return sim_eu_fault(t, SIM_FAULT_ILLEGAL,
                          "%s does not exist on this generation",
                          names[m->sfid]);
   return sim_msg_unknown(t, m, names[m->sfid], m->fields->number);
}

static bool
a64(struct sim_eu_thread *t, const struct sim_message *m)
{
   switch (m->fields->msg) {
   case ISA_MSG_A64_SCATTERED_READ: return dp_a64_scattered(t, m, false);
   case ISA_MSG_A64_SCATTERED_WRITE: return dp_a64_scattered(t, m, true);
   case ISA_MSG_A64_UNTYPED_READ: return dp_untyped(t, m, false, true);
   case ISA_MSG_A64_UNTYPED_WRITE: return dp_untyped(t, m, true, true);
   case ISA_MSG_A64_ATOMIC: return dp_untyped_atomic(t, m, false, true);
   case ISA_MSG_A64_ATOMIC_4X2: return dp_untyped_atomic_4x2(t, m, true);
   case ISA_MSG_A64_FLOAT_ATOMIC: return dp_untyped_atomic(t, m, true, true);
   case ISA_MSG_A64_BLOCK_READ: return dp_a64_oword_block(t, m, false);
   case ISA_MSG_A64_BLOCK_WRITE: return dp_a64_oword_block(t, m, true);
   default: return unknown(t, m);
   }
}

bool
sim_msg_data_port(struct sim_eu_thread *t, const struct sim_message *m)
{
   switch (m->fields->msg) {
   case ISA_MSG_OWORD_BLOCK_READ: return dp_oword_block(t, m, false, false);
   case ISA_MSG_OWORD_BLOCK_READ_UNALIGNED:
      return dp_oword_block(t, m, false, true);
   case ISA_MSG_OWORD_BLOCK_WRITE: return dp_oword_block(t, m, true, false);
   case ISA_MSG_OWORD_DUAL_BLOCK_READ:
      return dp_oword_dual_block(t, m, false);
   case ISA_MSG_OWORD_DUAL_BLOCK_WRITE:
      return dp_oword_dual_block(t, m, true);
   case ISA_MSG_DWORD_SCATTERED_READ: return dp_dword_scattered(t, m, false);
   case ISA_MSG_DWORD_SCATTERED_WRITE: return dp_dword_scattered(t, m, true);
   case ISA_MSG_BYTE_SCATTERED_READ: return dp_byte_scattered(t, m, false);
   case ISA_MSG_BYTE_SCATTERED_WRITE: return dp_byte_scattered(t, m, true);
   case ISA_MSG_SCRATCH_READ: return dp_scratch_block(t, m, false);
   case ISA_MSG_SCRATCH_WRITE: return dp_scratch_block(t, m, true);
   case ISA_MSG_FENCE:
   case ISA_MSG_RENDER_FENCE: return fence(t, m);
   case ISA_MSG_UNTYPED_READ: return dp_untyped(t, m, false, false);
   case ISA_MSG_UNTYPED_WRITE: return dp_untyped(t, m, true, false);
   case ISA_MSG_UNTYPED_ATOMIC: return dp_untyped_atomic(t, m, false, false);
   case ISA_MSG_UNTYPED_ATOMIC_4X2: return dp_untyped_atomic_4x2(t, m, false);
   case ISA_MSG_UNTYPED_FLOAT_ATOMIC:
      return dp_untyped_atomic(t, m, true, false);
   case ISA_MSG_TYPED_READ: return dp_typed(t, m, false);
   case ISA_MSG_TYPED_WRITE: return dp_typed(t, m, true);
   case ISA_MSG_TYPED_ATOMIC: return dp_typed_atomic(t, m);
   case ISA_MSG_TYPED_ATOMIC_4X2: return dp_typed_atomic_4x2(t, m);
   case ISA_MSG_MEDIA_BLOCK_READ: return dp_media_block(t, m, false);
   case ISA_MSG_MEDIA_BLOCK_WRITE: return dp_media_block(t, m, true);
   case ISA_MSG_RT_WRITE:
   case ISA_MSG_RT_READ: return render_target(t, m);
   default: return a64(t, m);
   }
}
