/* SPDX-License-Identifier: MIT */
/* Random shaders for gp_trial.h; what a seed gives stays the same. */
#ifndef GP_RANDOM_H
#define GP_RANDOM_H

#include "gp_trial.h"

/* Straight-line code of 1 to 300 operations, rich in tables. */
void gp_random_dag(struct gp_trial *t);
/* Ifs, loops, breaks and continues around such operations. */
void gp_random_structure(struct gp_trial *t);

#endif
