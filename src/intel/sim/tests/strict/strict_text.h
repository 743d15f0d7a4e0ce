/* SPDX-License-Identifier: MIT */
/*
 * Commands of any generation from text, for tests.
 *
 *    PIPE_CONTROL CommandStreamerStallEnable=1 dw2=0x200000; MI_NOOP
 *
 * A field is called as in genxml, "dwN" is a whole dword, "atN" an address of
 * two. "PC a b c" is PIPE_CONTROL with bits by short names, and
 * "length=N" makes a command longer than its fixed part.
 */
#ifndef STRICT_TEXT_H
#define STRICT_TEXT_H

#include "intel/genxml/genxml.h"

/* The dwords that the text became, at most `room`; fails the test if a name
 * is unknown. */
unsigned strict_text(const struct genxml_spec *spec, const char *text,
                     uint32_t *dw, unsigned room);

/* Dword 1 of a "PC": the bits of one word; fails if it is unknown. */
uint32_t strict_pc_bits(const char *word);

#endif
