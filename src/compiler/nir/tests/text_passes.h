/* SPDX-License-Identifier: MIT */
#ifndef TEXT_PASSES_H
#define TEXT_PASSES_H

#include "nir.h"

struct text_pass {
   const char *name;
   bool (*run)(nir_shader *shader);
};

extern const struct text_pass text_passes[]; /* ended by one without name */

#endif
