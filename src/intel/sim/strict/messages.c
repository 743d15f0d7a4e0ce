/* SPDX-License-Identifier: MIT */
/* Rules that a message breaks by what it is. */
#include "shadow/shadow_private.h"

#include "intel/sim/eu/program/effects.h"
#include "intel/sim/gen/traits.h"

static bool
is_stateless(const struct sim_eu_thread *t, const struct isa_message *f)
{
   return f->bti == BTI_STATELESS_COHERENT ||
          (f->bti == BTI_STATELESS_NON_COHERENT &&
           sim_traits(t->env->verx10)->bti_non_coherent);
}

/* Of 32, the first that a write to a target is for. */
static uint8_t
first_slot(const struct isa_message *f)
{
   return (uint8_t)((f->rt_kind == ISA_RT_SIMD8_DUAL_HIGH ? 8 : 0) +
                    (f->slots_high ? 16 : 0));
}

/* After the last target only further slots of the same. */
static bool
last_target(struct sim_eu_thread *t, const struct sim_message *m)
{
   const struct isa_message *f = m->fields;
   struct sim_shadow *sh = t->shadow;
   const uint8_t target = (uint8_t)(f->bti + 1), slot = first_slot(f) + 1;
   const bool more = sh->last_target == target && slot > sh->after_slot;
   const bool after = sh->last_target && !more;
   const bool open = m->eot && !f->last_rt;
   if (f->last_rt) {
      sh->last_target = target;
      sh->after_slot = slot;
   }
   if (after)
      return shadow_broken(t, SIM_RULE_LAST_TARGET,
                           "target %u after the last", f->bti);
   return !open || shadow_broken(t, SIM_RULE_LAST_TARGET,
                                 "the thread ends without it");
}

/* The slots of a target are written from the lowest on. */
static bool
target_order(struct sim_eu_thread *t, const struct sim_message *m)
{
   const struct isa_message *f = m->fields;
   uint8_t *last = &t->shadow->last_slot[f->bti % 8];
   const uint8_t first = first_slot(f);
   const bool wrong = first < *last;
   *last = first;
   return !wrong ||
          shadow_broken(t, SIM_RULE_TARGET_ORDER,
                        "slots from %u on, after later ones", first);
}

static bool
half_sample(struct sim_eu_thread *t, const struct sim_message *m)
{
   const struct isa_message *f = m->fields;
   if (!f->half || f->simd != 16 || m->header)
      return true;
   return shadow_broken(t, SIM_RULE_HALF_SAMPLE, "%s",
                        isa_message_name(f->msg));
}

/* Only what begins at an offset that the header has is a thread's own (PRM
 * SKL volume 7, "Message Header", M0.5). */
static bool
own_memory(struct sim_eu_thread *t, const struct sim_message *m)
{
   const struct isa_message *f = m->fields;
   const uint32_t *header = t->grf[m->src0_grf].ud;
   if (f->bti != BTI_STATELESS_COHERENT || !m->header ||
       !(header[ISA_HDR_SCRATCH_BASE_DW] & ISA_HDR_SCRATCH_BASE_MASK))
      return true;
   return shadow_broken(t, SIM_RULE_OWN_MEMORY, "%s",
                        isa_message_name(f->msg));
}

static bool
stateless_bytes(struct sim_eu_thread *t, const struct sim_message *m)
{
   if (!is_stateless(t, m->fields))
      return true;
   return shadow_broken(t, SIM_RULE_STATELESS_BYTES, "%s",
                        isa_message_name(m->fields->msg));
}

bool
sim_shadow_in_corner(struct sim_eu_thread *t, unsigned target)
{
   return shadow_broken(t, SIM_RULE_TARGET_WIDTH,
                        "a primitive within the last two columns of the "
                        "first two rows of target %u",
                        target);
}

bool
sim_shadow_replicated(struct sim_eu_thread *t, unsigned target, bool linear,
                      unsigned width)
{
   if (width != 16 &&
       !shadow_broken(t, SIM_RULE_REPLICATED,
                      "target %u, by threads of %u pixels", target, width))
      return false;
   return !linear || shadow_broken(t, SIM_RULE_REPLICATED,
                                   "target %u is linear", target);
}

/* What a fence gives is looked at before a barrier lets others go on. */
static bool
fence(struct sim_eu_thread *t, const struct sim_message *m)
{
   if (!m->fields->commit)
      return shadow_broken(t, SIM_RULE_FENCE, "%s", "");
   if (m->dst_null)
      return shadow_broken(t, SIM_RULE_FENCE, "%s", "the commit to null");
   t->shadow->fences[m->dst_grf / 64] |= 1ull << m->dst_grf % 64;
   return true;
}

static bool
barrier(struct sim_eu_thread *t)
{
   const uint64_t *fences = t->shadow->fences;
   return !(fences[0] | fences[1]) ||
          shadow_broken(t, SIM_RULE_FENCE, "%s",
                        "a barrier before the commit is read");
}

bool
shadow_message(struct sim_eu_thread *t, const struct sim_message *m)
{
   const enum isa_msg msg = m->fields->msg;
   if (msg >= ISA_MSG_SAMPLE && msg <= ISA_MSG_LOD)
      return half_sample(t, m);
   switch (msg) {
   case ISA_MSG_RT_WRITE: return target_order(t, m) && last_target(t, m);
   case ISA_MSG_BYTE_SCATTERED_READ:
   case ISA_MSG_BYTE_SCATTERED_WRITE:
      return stateless_bytes(t, m) && own_memory(t, m);
   case ISA_MSG_DWORD_SCATTERED_READ:
   case ISA_MSG_DWORD_SCATTERED_WRITE:
   case ISA_MSG_OWORD_BLOCK_READ:
   case ISA_MSG_OWORD_BLOCK_READ_UNALIGNED:
   case ISA_MSG_OWORD_BLOCK_WRITE:
   case ISA_MSG_OWORD_DUAL_BLOCK_READ:
   case ISA_MSG_OWORD_DUAL_BLOCK_WRITE: return own_memory(t, m);
   case ISA_MSG_FENCE:
   case ISA_MSG_RENDER_FENCE: return fence(t, m);
   case ISA_MSG_BARRIER: return barrier(t);
   default: return true;
   }
}
