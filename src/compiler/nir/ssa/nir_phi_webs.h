/* SPDX-License-Identifier: MIT */
/*
 * Phi webs: what a back end keeps in one register.
 *
 * A web is a phi, the sources of it that have a value, and what these meet in
 * other phis. After nir_isolate_phis() no two values of a web are live at
 * once: each of them is written to the register of the web, phis are nothing.
 */
#ifndef NIR_PHI_WEBS_H
#define NIR_PHI_WEBS_H

#include "nir.h"

struct nir_phi_webs {
   uint32_t count;
   uint32_t *of; /* by index of a value: its web, + 1; 0: it is of none */
   /* Of each web the phi that comes first: all its values have that one's
    * components, bit size and divergence. Later values of the web may be
    * written while channels that have left a loop still want it. */
   const nir_value **like;
};

/* Indexes the values of `impl`; arrays are of `arena`. Webs are numbered in
 * the order of their first phis. */
void nir_find_phi_webs(struct nir_phi_webs *webs, nir_function_impl *impl,
                       struct arena *arena);

/* Whether two values of a web are live at once, in conventional SSA never;
 * `a` and `b`: such a pair. For tests and debug builds. */
bool nir_phi_webs_overlap(const struct nir_phi_webs *webs,
                          nir_function_impl *impl, const nir_value **a,
                          const nir_value **b);

static inline bool
nir_is_in_web(const struct nir_phi_webs *webs, const nir_value *def)
{
   return webs->of[def->index] != 0;
}

/* One value for all of a web: its first phi; for others themselves. */
static inline const nir_value *
nir_web_value(const struct nir_phi_webs *webs, const nir_value *def)
{
   const uint32_t web = webs->of[def->index];
   return web ? webs->like[web - 1] : def;
}

#endif
