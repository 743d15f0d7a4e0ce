/* SPDX-License-Identifier: MIT */
/* What shaders were made from: the file beside a recording that
 * SAFFRON_SHADER_NOTES names (vulkan/base/saf_shader_notes.h). */
#ifndef INTEL_TOOLS_TRACE_NOTES_H
#define INTEL_TOOLS_TRACE_NOTES_H

#include "util/dynarray.h"
#include "util/hash_table.h"

struct trace_piece {
   uint32_t offset_B, line; /* line 0: not known */
   const char *file;        /* file_B bytes */
   uint32_t file_B;
};

struct trace_note {
   uint64_t hash;
   struct trace_piece *pieces; /* by offset */
   uint32_t num_pieces;
   const char *listing;
   size_t listing_B;
};

struct trace_notes {
   struct util_dynarray bytes;
   struct hash_table notes; /* struct trace_note, by hash */
};

/* Of the file beside `recording`, or of `path` if that is not NULL; none if
 * there is no such file. False, after a message, if it cannot be read. */
bool trace_notes_read(struct trace_notes *n, const char *recording,
                      const char *path);
void trace_notes_free(struct trace_notes *n);

/* The piece that an instruction is of; NULL: not known. */
const struct trace_piece *trace_notes_piece(const struct trace_notes *n,
                                            uint64_t hash, uint32_t ip_B);

#endif
