/* SPDX-License-Identifier: MIT */
/* Chunks of a container and what the plain ones say. */
#include "dxbc.h"

#include "dxbc_private.h"

#define HEADER_B 32
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
   if (!chunk && dxbc_find(c, DXBC_TAG('D', 'X', 'I', 'L')))
      d3d_error_at(error, 0, 0,
                   "a program of SM6 (DXIL): SM4 to SM5.1 are read");
   else if (!chunk && dxbc_find(c, DXBC_TAG('R', 'T', 'S', '0')))
      d3d_error_at(error, 0, 0, "a root signature, without a program");
   else if (!chunk)
      d3d_error_at(error, 0, 0, "the container has no program");
   return chunk;
}

/* --- Signatures --------------------------------------------------------- */

/* OSG5, of geometry shaders with several streams, has the stream before the
 * name; ISG1 and so on, of SM5.1, also a minimum precision at the end. */
static const struct {
   uint32_t tag;
   enum dxbc_signature which;
   uint8_t stream_B, element_B;
} forms[] = {
   { DXBC_TAG('I', 'S', 'G', 'N'), DXBC_INPUT, 0, 24 },
   { DXBC_TAG('I', 'S', 'G', '1'), DXBC_INPUT, 4, 32 },
   { DXBC_TAG('O', 'S', 'G', 'N'), DXBC_OUTPUT, 0, 24 },
   { DXBC_TAG('O', 'S', 'G', '5'), DXBC_OUTPUT, 4, 28 },
   { DXBC_TAG('O', 'S', 'G', '1'), DXBC_OUTPUT, 4, 32 },
   { DXBC_TAG('P', 'C', 'S', 'G'), DXBC_PATCH, 0, 24 },
   { DXBC_TAG('P', 'S', 'G', '1'), DXBC_PATCH, 4, 32 },
};

/* ARRAY_SIZE(forms): no signature. */
static unsigned
form_of(uint32_t tag)
{
   unsigned i = 0;

   while (i < ARRAY_SIZE(forms) && forms[i].tag != tag)
      i++;
   return i;
}

const struct dxbc_chunk *
dxbc_find_signature(const struct dxbc *c, enum dxbc_signature which)
{
   for (unsigned i = 0; i < c->num_chunks; i++) {
      const unsigned form = form_of(c->chunk[i].tag);
      if (form < ARRAY_SIZE(forms) && forms[form].which == which)
         return &c->chunk[i];
   }
   return NULL;
}

bool
dxbc_is_signature(const struct dxbc_chunk *chunk)
{
   return form_of(chunk->tag) < ARRAY_SIZE(forms);
}

bool
dxbc_signature_count(const struct dxbc_chunk *chunk, unsigned *count,
                     struct d3d_error *error)
{
   const unsigned form = form_of(chunk->tag);
   size_t room;

   assert(form < ARRAY_SIZE(forms));
   *count = 0;
   if (chunk->size_B < SIGNATURE_B)
      return d3d_error_at(error, chunk->offset_B, 0,
                          "a signature is cut off");
   room = (chunk->size_B - SIGNATURE_B) / forms[form].element_B;
   if (dxbc_u32(chunk->data) > room)
      return d3d_error_at(error, chunk->offset_B, dxbc_u32(chunk->data),
                          "a signature has more elements than room");
   *count = dxbc_u32(chunk->data);
   return true;
}

bool
dxbc_signature_get(const struct dxbc_chunk *chunk, unsigned index,
                   struct dxbc_signature_element *e, struct d3d_error *error)
{
   const unsigned form = form_of(chunk->tag);
   const size_t at = SIGNATURE_B + (size_t)forms[form].element_B * index;
   const uint8_t *p = chunk->data + at + forms[form].stream_B;
   const uint32_t name = dxbc_u32(p);

   if (name >= chunk->size_B ||
       !memchr(chunk->data + name, 0,
               MIN2(chunk->size_B - name, DXBC_MAX_NAME_B)))
      return d3d_error_at(error, chunk->offset_B + at, name,
                          "a semantic's name is not in the signature");
   *e = (struct dxbc_signature_element) {
      .semantic = (const char *)chunk->data + name,
      .semantic_index = dxbc_u32(p + 4),
      .system_value = dxbc_u32(p + 8),
      .component_type = dxbc_u32(p + 12),
      .reg = dxbc_u32(p + 16),
      .mask = p[20],
      .used_mask = p[21],
      .stream = forms[form].stream_B ? dxbc_u32(chunk->data + at) : 0,
   };
   return true;
}
