/* SPDX-License-Identifier: MIT */
/* Chunks of a container and what the plain ones say. */
#include "dxbc.h"

#include "dxbc_private.h"

#define HEADER_B 32
#define ELEMENT_B 24
#define SIGNATURE_B 8

bool
dxbc_is_dxbc(const void *data, size_t size_B)
{
   return size_B >= 4 && dxbc_u32(data) == DXBC_TAG('D', 'X', 'B', 'C');
}

static bool
read_header(const uint8_t *p, size_t size_B, struct d3d_error *error)
{
   uint8_t digest[16];

   if (size_B < HEADER_B)
      return d3d_error_at(error, size_B, 0, "the header is cut off");
   if (!dxbc_is_dxbc(p, size_B))
      return d3d_error_at(error, 0, dxbc_u32(p), "no 'DXBC' at the start");
   if (dxbc_u32(p + 20) != 1)
      return d3d_error_at(error, 20, dxbc_u32(p + 20),
                          "the version is not 1");
   if (dxbc_u32(p + 24) != size_B)
      return d3d_error_at(error, 24, dxbc_u32(p + 24),
                          "the size is not that of the file, %zu", size_B);
   dxbc_digest(p, size_B, digest);
   if (memcmp(digest, p + 4, 16))
      return d3d_error_at(error, 4, dxbc_u32(p + 4),
                          "the digest does not fit the content");
   if (dxbc_u32(p + 28) > DXBC_MAX_CHUNKS ||
       dxbc_u32(p + 28) > (size_B - HEADER_B) / 4)
      return d3d_error_at(error, 28, dxbc_u32(p + 28),
                          "more chunks than there is room for");
   return true;
}

bool
dxbc_read(const void *data, size_t size_B, struct dxbc *out,
          struct d3d_error *error)
{
   const uint8_t *p = data;

   memset(out, 0, sizeof(*out));
   if (!read_header(p, size_B, error))
      return false;
   const uint32_t n = dxbc_u32(p + 28), first = HEADER_B + 4 * n;
   for (uint32_t i = 0; i < n; i++) {
      const size_t at = HEADER_B + 4 * i;
      const uint32_t offset = dxbc_u32(p + at);
      if (offset < first || offset > size_B - 8 || size_B < 8 || offset % 4)
         return d3d_error_at(error, at, offset,
                             "a chunk begins outside of the content");
      const uint32_t length = dxbc_u32(p + offset + 4);
      if (length > size_B - offset - 8)
         return d3d_error_at(error, offset + 4, length,
                             "a chunk goes beyond the end");
      out->chunk[i] = (struct dxbc_chunk) { dxbc_u32(p + offset),
                                            p + offset + 8, offset + 8,
                                            length };
   }
   out->num_chunks = n;
   return true;
}

static void
put(struct util_dynarray *out, uint32_t v)
{
   util_dynarray_append(out, uint32_t, v);
}

void
dxbc_write(const struct dxbc *in, struct util_dynarray *out)
{
   const size_t start_B = out->size_B;
   uint32_t offset = HEADER_B + 4 * in->num_chunks;
   uint8_t digest[16];
   uint32_t size;

   put(out, DXBC_TAG('D', 'X', 'B', 'C'));
   for (unsigned i = 0; i < 4; i++)
      put(out, 0);
   put(out, 1);
   put(out, 0);
   put(out, in->num_chunks);
   for (unsigned i = 0; i < in->num_chunks; i++) {
      put(out, offset);
      offset += 8 + (uint32_t)ALIGN(in->chunk[i].size_B, (size_t)4);
   }
   for (unsigned i = 0; i < in->num_chunks; i++) {
      const struct dxbc_chunk *c = &in->chunk[i];
      const size_t size_B = ALIGN(c->size_B, (size_t)4);
      put(out, c->tag);
      put(out, (uint32_t)size_B);
      if (size_B)
         memcpy(util_dynarray_grow_bytes(out, size_B), c->data, c->size_B);
   }
   size = (uint32_t)(out->size_B - start_B);
   memcpy((char *)out->data + start_B + 24, &size, 4);
   dxbc_digest((char *)out->data + start_B, size, digest);
   memcpy((char *)out->data + start_B + 4, digest, 16);
}

const struct dxbc_chunk *
dxbc_find(const struct dxbc *c, uint32_t tag)
{
   for (unsigned i = 0; i < c->num_chunks; i++) {
      if (c->chunk[i].tag == tag)
         return &c->chunk[i];
   }
   return NULL;
}

const struct dxbc_chunk *
dxbc_find_program(const struct dxbc *c, struct d3d_error *error)
{
   const struct dxbc_chunk *chunk =
      dxbc_find(c, DXBC_TAG('S', 'H', 'E', 'X'));

   if (!chunk)
      chunk = dxbc_find(c, DXBC_TAG('S', 'H', 'D', 'R'));
   if (!chunk)
      d3d_error_at(error, 0, 0, "the container has no program");
   return chunk;
}

/* --- Signatures --------------------------------------------------------- */

bool
dxbc_signature_count(const struct dxbc_chunk *chunk, unsigned *count,
                     struct d3d_error *error)
{
   *count = 0;
   if (chunk->size_B < SIGNATURE_B)
      return d3d_error_at(error, chunk->offset_B, 0,
                          "a signature is cut off");
   if (dxbc_u32(chunk->data) > (chunk->size_B - SIGNATURE_B) / ELEMENT_B)
      return d3d_error_at(error, chunk->offset_B, dxbc_u32(chunk->data),
                          "a signature has more elements than room");
   *count = dxbc_u32(chunk->data);
   return true;
}

bool
dxbc_signature_get(const struct dxbc_chunk *chunk, unsigned index,
                   struct dxbc_signature_element *e, struct d3d_error *error)
{
   const size_t at = SIGNATURE_B + (size_t)ELEMENT_B * index;
   const uint8_t *p = chunk->data + at;
   const uint32_t name = dxbc_u32(p);

   if (name >= chunk->size_B ||
       !memchr(chunk->data + name, 0, chunk->size_B - name))
      return d3d_error_at(error, chunk->offset_B + at, name,
                          "a semantic's name is not in the signature");
   *e = (struct dxbc_signature_element) { (const char *)chunk->data + name,
                                          dxbc_u32(p + 4),
                                          dxbc_u32(p + 8),
                                          dxbc_u32(p + 12),
                                          dxbc_u32(p + 16),
                                          p[20],
                                          p[21] };
   return true;
}
