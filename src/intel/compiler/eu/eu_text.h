/* SPDX-License-Identifier: MIT */
/*
 * The IR as text.
 *
 *    simd8
 *    vgrf 2 1                     sizes in registers: vgrf0, vgrf1
 *    (+f0.0) add.sat.ge.f0.0(8) vgrf1+0.4<2>:f, -|g4+0.0|:f, 0x3:ud group8
 *
 * An operand is a register, + registers . bytes from its start, a region (a
 * destination's stride; a source's, when it is not 1, or <v,w,h>) and a type.
 * Between region and type of align16 operands may stand components: .xw of a
 * destination, .xxyz of a source. After the operands stands what an
 * instruction has besides:
 *
 *    urb desc 0x.. mlen 2+0       of messages
 *    size N                       bytes of dst, when it is not its region
 *    align16                      (before size)
 *    math, NoMask, groupN, flagN.M, channels N, effects, EOT
 *
 * Numbers of instructions before a colon and comments from // on are skipped
 * by the parser.
 */
#ifndef EU_TEXT_H
#define EU_TEXT_H

#include "eu_ir.h"

/* Where a text is wrong; lines and columns count from 1. */
struct eu_text_error {
   unsigned line, column;
   char text[160];
};

/* Appends the instructions of `text` (`length` bytes) to s. A "vgrf" line
 * replaces its sizes, "simdN" sets the dispatch width. False: *err says why,
 * and s has what came before. */
bool eu_parse(struct eu_shader *s, const char *text, size_t length,
              struct eu_text_error *err) MUST_CHECK;

/* The same with the head, so that it can be parsed again. */
void eu_print_whole(const struct eu_shader *s, FILE *fp);

extern const char *const eu_cond_names[ISA_COND_MOD_U + 1];

#endif
