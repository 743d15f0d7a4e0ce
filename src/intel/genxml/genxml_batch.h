/* SPDX-License-Identifier: MIT */
/* Batches as text: every command with its address, name and fields. */
#ifndef GENXML_BATCH_H
#define GENXML_BATCH_H

#include "intel/genxml/genxml.h"

/*
 * Prints `num_dw` dwords of a batch that starts at GPU address `address`, up
 * to and with MI_BATCH_BUFFER_END or a first-level MI_BATCH_BUFFER_START
 * (that jumps elsewhere), or to the end. Commands that are unknown or run
 * past the end are said to be so in the text; the number of those is
 * returned. `color` adds terminal escapes.
 */
unsigned genxml_print_batch(struct strbuf *out,
                            const struct genxml_spec *spec,
                            const uint32_t *dw, unsigned num_dw,
                            uint64_t address, bool color);

#endif
