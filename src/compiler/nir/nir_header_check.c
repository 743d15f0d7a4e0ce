/* SPDX-License-Identifier: MIT */
/* Compiles the public headers by themselves. */
#include "nir_builder.h"
