/* SPDX-License-Identifier: MIT */
/* What passes have left as it was, and why. */
#ifndef NIR_EXPLAIN_H
#define NIR_EXPLAIN_H

#include "nir.h"

/* Tells why loads of neighbouring values are still apart, a sentence each. */
void nir_explain_loads(nir_shader *shader,
                       void (*say)(void *data, const char *text), void *data);

#endif
