/* SPDX-License-Identifier: MIT */
#include "deviate.h"

#include <stddef.h>
#include <string.h>

#include "intel/sim/gen/traits.h"
#include "saffron/sim.h"

#ifndef NDEBUG
struct sim_deviation sim_deviation;

static const char *const kinds[] = {
   [SIM_DEVIATES_ALU] = "alu",       [SIM_DEVIATES_CONVERT] = "convert",
   [SIM_DEVIATES_QUIRK] = "quirk",   [SIM_DEVIATES_LATENCY] = "latency",
   [SIM_DEVIATES_HANG] = "hang",     [SIM_DEVIATES_REGISTER] = "register",
   [SIM_DEVIATES_LOST] = "lost",     [SIM_DEVIATES_SAMPLER] = "sampler",
   [SIM_DEVIATES_RASTER] = "raster", [SIM_DEVIATES_PARAM] = "param",
};

/* Its lowest bit, on every generation. */
static bool
flip_trait(const char *name)
{
   static const struct {
      const char *name;
      size_t at;
   } traits[] = {
#define AT(type, name, ...) { #name, offsetof(struct sim_traits, name) },
      SIM_TRAITS(AT)
#undef AT
   };
   for (unsigned i = 0; i < ARRAY_SIZE(traits); i++) {
      if (strcmp(traits[i].name, name))
         continue;
      for (unsigned row = 0; row < ARRAY_SIZE(sim_trait_rows); row++)
         *((uint8_t *)&sim_trait_rows[row] + traits[i].at) ^= 1;
      return true;
   }
   return false;
}

PUBLIC bool
saffron_sim_deviate(const char *text)
{
   struct sim_deviation d = { .kind = SIM_DEVIATES_NOT };
   const char *name = strchr(text, ':');
   const char *to = name ? strchr(name + 1, ':') : NULL;
   if (!name)
      return false;
   const size_t kind_n = (size_t)(name++ - text);
   const size_t name_n = to ? (size_t)(to++ - name) : strlen(name);
   if (name_n >= sizeof(d.name) || (to && strlen(to) >= sizeof(d.to)))
      return false;
   memcpy(d.name, name, name_n);
   if (to)
      strcpy(d.to, to);
   for (unsigned i = 1; i < ARRAY_SIZE(kinds); i++) {
      if (strlen(kinds[i]) == kind_n && !memcmp(kinds[i], text, kind_n))
         d.kind = (enum sim_deviation_kind)i;
   }
   if (d.kind == SIM_DEVIATES_NOT ||
       (d.kind == SIM_DEVIATES_QUIRK && !flip_trait(d.name)))
      return false;
   sim_deviation = d;
   return true;
}
#endif
