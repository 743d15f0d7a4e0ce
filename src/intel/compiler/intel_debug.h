/* SPDX-License-Identifier: MIT */
/*
 * INTEL_DEBUG: a comma-separated list of flags, read once from the
 * environment, and skip:PASS, print:PASS for the back end's passes. The table
 * in intel_debug.c is the only place that knows the flags' names and help
 * texts; INTEL_DEBUG=help prints it.
 */
#ifndef INTEL_DEBUG_H
#define INTEL_DEBUG_H

#include <stdio.h>
#include "util/macros.h"

enum intel_debug_flag {
   INTEL_DEBUG_VS = 1u << 0, /* print vertex shaders */
   INTEL_DEBUG_FS = 1u << 1, /* print fragment shaders */
   INTEL_DEBUG_CS = 1u << 2,
   INTEL_DEBUG_OPTIMIZER = 1u << 3, /* IR after each pass that changed it */
   INTEL_DEBUG_BATCH = 1u << 4,     /* decoded batches */
   INTEL_DEBUG_NO8 = 1u << 5,
   INTEL_DEBUG_NO16 = 1u << 6,
   INTEL_DEBUG_SPILL = 1u << 7, /* spill all that can be */
   INTEL_DEBUG_NOCOMPACT = 1u << 8,
   INTEL_DEBUG_NOOPT = 1u << 9,   /* skip every optional fs pass */
   INTEL_DEBUG_SYNC = 1u << 10,   /* wait after each submission */
   INTEL_DEBUG_NOPUSH = 1u << 11, /* pull every constant */
   INTEL_DEBUG_NOSCHED = 1u << 12,
   INTEL_DEBUG_VALIDATE = 1u << 13, /* IR validator also in release builds */
   INTEL_DEBUG_TCS = 1u << 14,
   INTEL_DEBUG_TES = 1u << 15,
   INTEL_DEBUG_GS = 1u << 16,
   INTEL_DEBUG_HEX = 1u << 17,       /* bytes beside the assembly */
   INTEL_DEBUG_NODUALOBJ = 1u << 18, /* vec4 GS: one primitive a thread */
   INTEL_DEBUG_NOHIZ = 1u << 19,     /* no hierarchical depth buffers */
   INTEL_DEBUG_NOMCS = 1u << 20,     /* no multisample control surfaces */
   INTEL_DEBUG_NOCCS = 1u << 21,     /* no colour control surfaces */
   INTEL_DEBUG_NOFC = 1u << 22,      /* no fast clears of colour */
   INTEL_DEBUG_NEAR = 1u << 23,      /* jumps of 16 bits reach not far */
};

/* Bits 24 to 62 are those of passes. The highest bit: some are printed. */
#define INTEL_DEBUG_PRINT_PASSES (1ull << 63)

/* The flags of INTEL_DEBUG, parsed at the first call. */
uint64_t intel_debug_flags(void);

/* Parses a list; unknown names are added to *unknown_out (may be NULL) as a
 * comma-separated text that the caller frees. Which passes are printed holds
 * for the whole process. */
uint64_t intel_debug_parse(const char *list, char **unknown_out);

struct eu_pass;

/* The pass whose name is the `n` characters at `name`; NULL: none. */
const struct eu_pass *intel_debug_pass(const char *name, size_t n);

/* Whether the list had skip:PASS of a pass; print:PASS, of which all lists so
 * far count. */
bool intel_debug_skips(uint64_t debug, const struct eu_pass *pass);
bool intel_debug_prints(uint64_t debug, const struct eu_pass *pass);

void intel_debug_print_help(FILE *fp);

#define INTEL_DEBUG(flag) ((intel_debug_flags() & INTEL_DEBUG_##flag) != 0)

#endif
