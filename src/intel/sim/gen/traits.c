/* SPDX-License-Identifier: MIT */
#include "traits.h"

SIM_TRAITS_CONST struct sim_traits sim_trait_rows[ISA_GEN_COUNT] = {
#define VALUE(type, name, ivb, hsw, bdw, skl) .name = ivb,
   [ISA_IVB] = { SIM_TRAITS(VALUE) },
#undef VALUE
#define VALUE(type, name, ivb, hsw, bdw, skl) .name = hsw,
   [ISA_HSW] = { SIM_TRAITS(VALUE) },
#undef VALUE
#define VALUE(type, name, ivb, hsw, bdw, skl) .name = bdw,
   [ISA_BDW] = { SIM_TRAITS(VALUE) },
#undef VALUE
#define VALUE(type, name, ivb, hsw, bdw, skl) .name = skl,
   [ISA_SKL] = { SIM_TRAITS(VALUE) },
#undef VALUE
};
