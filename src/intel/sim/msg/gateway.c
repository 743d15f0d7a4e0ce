/* SPDX-License-Identifier: MIT */
/*
 * Message gateway (SFID 3: barriers) and thread spawner (SFID 7: the end of
 * threads that have no other last message). PRM SKL vol 7, "Message Gateway"
 * and "Thread Spawner Messages".
 */
#include "intel/sim/msg/msg.h"

#define GATEWAY_BARRIER 4

bool
sim_msg_gateway(struct sim_eu_thread *t, const struct sim_message *m)
{
   const unsigned function = sim_message_bits(m, 0, 3);
   if (function != GATEWAY_BARRIER)
      return sim_msg_unknown(t, m, "gateway", function);
   if (t->env->barrier)
      return t->env->barrier(t, m);
   return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                       "a barrier in a stage that has no thread groups");
}

bool
sim_msg_spawner(struct sim_eu_thread *t, const struct sim_message *m)
{
   if (t->env->spawner)
      return t->env->spawner(t, m);
   /* Bit 4: no URB handle to give back; bits 3:0: dereference resource. */
   if (m->eot)
      return true;
   return sim_msg_unknown(t, m, "thread spawner", m->desc & 0xf);
}
