/* SPDX-License-Identifier: MIT */
/* The operands of the tests on doubles. */
#ifndef OPERANDS_H
#define OPERANDS_H

#include "fp64.h"

#define FP64_SEED 0x9e3779b97f4a7c15

/* What fp64_random() and fp64_random_value() go on from. */
void fp64_set_seed(uint64_t value);

uint64_t fp64_random(void);

/* A value of the kind; often one near `other`, an operand beside it. */
uint64_t fp64_random_value(enum fp64_kind kind, uint64_t other);

/* Special values have the numbers from 0 on: of FP64_NONE there is one. */
unsigned fp64_num_specials(enum fp64_kind kind);
uint64_t fp64_special_value(enum fp64_kind kind, unsigned i);

#endif
