/* SPDX-License-Identifier: MIT */
/* Which shared function an SFID names; PRM SKL vol 7, "Shared Functions". */
#include "intel/sim/msg/msg.h"
#include "intel/sim/mem/watch.h"

bool
sim_msg_unknown(struct sim_eu_thread *t, const struct sim_message *m,
                const char *function, unsigned type)
{
   return sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                       "%s message type %u (descriptor 0x%08x) is not "
                       "implemented",
                       function, type, m->desc);
}

static bool
elsewhere(struct sim_eu_thread *t, const struct sim_message *m, sim_msg_fn fn,
          const char *function)
{
   if (!fn)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "a message to the %s, which is not attached to "
                          "this stage (descriptor 0x%08x)",
                          function, m->desc);
   return fn(t, m);
}

/* By which cache a shared function reaches memory; PRM SKL vol 7, "Data
 * Port", Gen7's typed messages go to the render cache by themselves. */
static uint8_t
client_of(unsigned sfid)
{
   switch (sfid) {
   case ISA_SFID_SAMPLER:
   case ISA_SFID_SAMPLER_CACHE: return SIM_CLIENT_TEXTURE;
   case ISA_SFID_CONST_CACHE: return SIM_CLIENT_CONSTANT;
   case ISA_SFID_RENDER_CACHE: return SIM_CLIENT_TARGET;
   default: return SIM_CLIENT_DATA;
   }
}

bool
sim_msg_dispatch(struct sim_eu_thread *t, const struct sim_message *m)
{
   const struct sim_eu_env *env = t->env;
   if (t->mem)
      t->mem->client = client_of(m->sfid);
   switch (m->sfid) {
   case ISA_SFID_NULL:
      return sim_eu_fault(t, SIM_FAULT_ILLEGAL,
                          "a message to the null shared function");
   case ISA_SFID_SAMPLER: return elsewhere(t, m, env->sampler, "sampler");
   case ISA_SFID_GATEWAY: return sim_msg_gateway(t, m);
   case ISA_SFID_URB: return sim_msg_urb(t, m);
   case ISA_SFID_THREAD_SPAWNER: return sim_msg_spawner(t, m);
   case ISA_SFID_PIXEL_INTERP: return sim_msg_pixel_interp(t, m);
   case ISA_SFID_SAMPLER_CACHE:
   case ISA_SFID_RENDER_CACHE:
   case ISA_SFID_CONST_CACHE:
   case ISA_SFID_DATA_CACHE0:
   case ISA_SFID_DATA_CACHE1: return sim_msg_data_port(t, m);
   case ISA_SFID_VME:
   case ISA_SFID_CRE: break;
   }
   return sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                       "shared function %u is not implemented", m->sfid);
}
