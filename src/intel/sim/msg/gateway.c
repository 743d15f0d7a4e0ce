/* SPDX-License-Identifier: MIT */
/*
 * Message gateway (SFID 3: barriers) and thread spawner (SFID 7: the end of
 * threads that have no other last message). PRM SKL vol 7, "Message Gateway"
 * and "Thread Spawner Messages".
 */
#include "intel/sim/msg/msg.h"

bool
sim_msg_gateway(struct sim_eu_thread *t, const struct sim_message *m)
{
   if (m->fields->msg != ISA_MSG_BARRIER)
      return sim_msg_unknown(t, m, "gateway", m->fields->number);
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
   if (m->eot)
      return true;
   return sim_msg_unknown(t, m, "thread spawner", m->fields->number);
}
