/* SPDX-License-Identifier: MIT */
/*
 * Labels in a batch, for recordings of the simulated GPU: each is a row of
 * MI_NOOPs that write the identification number, which nothing else reads.
 * Those of the kind TEXT have two characters each in their low 16 bits (0:
 * none), the last one says what the text is. A recording has it as a mark,
 * after the draws that come before it.
 */
#ifndef SAFFRON_SIM_LABELS_H
#define SAFFRON_SIM_LABELS_H

#include <stdint.h>

#define SAFFRON_MAX_LABEL 200 /* characters; what is longer is cut */

enum saffron_label {
   SAFFRON_LABEL_TEXT = 1,
   SAFFRON_LABEL_BEGIN,
   SAFFRON_LABEL_END,
   SAFFRON_LABEL_POINT,
   SAFFRON_LABEL_COUNT,
};

/* How the text of a mark begins. */
#define SAFFRON_LABEL_WORDS                                                  \
   {                                                                         \
      [SAFFRON_LABEL_BEGIN] = "begin ", [SAFFRON_LABEL_END] = "end",         \
      [SAFFRON_LABEL_POINT] = "label ",                                      \
   }

/* 22 bits: the kind, and two characters. */
static inline uint32_t
saffron_label_number(enum saffron_label kind, uint32_t characters)
{
   return (uint32_t)kind << 16 | characters;
}

#endif
