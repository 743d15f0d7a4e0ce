/* SPDX-License-Identifier: MIT */
/*
 * DXBC containers: what Direct3D 10 and 11 keep shaders in. A header with a
 * digest of all that follows, and chunks with a tag each.
 *
 *   0   'DXBC'
 *   4   digest, 16 bytes, of everything from byte 20 on
 *   20  1
 *   24  size of the whole in bytes
 *   28  number of chunks, and for each the offset of
 *       tag, size in bytes, data
 */
#ifndef DXBC_H
#define DXBC_H

#include "compiler/d3d/d3d_error.h"
#include "util/dynarray.h"
#include "util/strbuf.h"

#define DXBC_MAX_CHUNKS 64
#define DXBC_TAG(a, b, c, d)                                                 \
   ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 |               \
    (uint32_t)(d) << 24)

struct dxbc_chunk {
   uint32_t tag;
   const uint8_t *data;
   size_t offset_B, size_B; /* of the data */
};

struct dxbc {
   struct dxbc_chunk chunk[DXBC_MAX_CHUNKS];
   unsigned num_chunks;
};

/* One register of an input or output signature. */
struct dxbc_signature_element {
   const char *semantic; /* inside the chunk */
   uint32_t semantic_index, system_value, component_type, reg;
   uint8_t mask, used_mask;
   uint32_t stream; /* of a geometry shader's output */
};

enum dxbc_signature {
   DXBC_INPUT,
   DXBC_OUTPUT,
   DXBC_PATCH,
};

/* Whether the bytes begin like a container. */
bool dxbc_is_dxbc(const void *data, size_t size_B);
/* Finds the chunks, which point into `data`. Bounds, overlaps with the header
 * and the digest are checked. */
bool dxbc_read(const void *data, size_t size_B, struct dxbc *out,
               struct d3d_error *error);
/* Appends a container with these chunks (their offsets are not looked at). */
void dxbc_write(const struct dxbc *in, struct util_dynarray *out);
/* The digest of a container, whatever it says itself; at least 20 bytes. */
void dxbc_digest(const void *data, size_t size_B, uint8_t digest[16]);
/* NULL if there is none. */
const struct dxbc_chunk *dxbc_find(const struct dxbc *c, uint32_t tag);
/* A signature in any of its forms: ISGN, ISG1; OSGN, OSG5, OSG1; PCSG, PSG1.
 * NULL if there is none. */
const struct dxbc_chunk *dxbc_find_signature(const struct dxbc *c,
                                             enum dxbc_signature which);
/* Whether a chunk is one. */
bool dxbc_is_signature(const struct dxbc_chunk *chunk);
/* The elements of a signature: their number, or an error. */
bool dxbc_signature_count(const struct dxbc_chunk *chunk, unsigned *count,
                          struct d3d_error *error);
bool dxbc_signature_get(const struct dxbc_chunk *chunk, unsigned index,
                        struct dxbc_signature_element *element,
                        struct d3d_error *error);
/* The chunk of the program; NULL with an error if there is none. */
const struct dxbc_chunk *dxbc_find_program(const struct dxbc *c,
                                           struct d3d_error *error);
/* Appends the signatures as comments, as Microsoft's disassembler does. */
bool dxbc_print_signatures(const struct dxbc *c, struct strbuf *out,
                           struct d3d_error *error);
/* Appends an RDEF chunk: bindings, constant buffers and their variables. */
bool dxbc_print_resources(const struct dxbc_chunk *chunk, struct strbuf *out,
                          struct d3d_error *error);
/* Appends chunks, resources, program version and signatures as text. */
bool dxbc_print(const struct dxbc *c, struct strbuf *out,
                struct d3d_error *error);

#endif
