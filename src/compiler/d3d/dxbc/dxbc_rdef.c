/* SPDX-License-Identifier: MIT */
/*
 * RDEF chunks: what is bound where, and what lies in constant buffers. Layout
 * of what compilers write (tests/containers.txt): a header with two lists,
 *
 *   0   number of buffers, offset     buffer: name, variables, offset, size,
 *   8   number of bindings, offset            flags, kind
 *   16  version                       binding: name, kind, return type,
 *   20  flags, name of the compiler            dimension, samples, register,
 *   28  from SM5 on 'RD11' and the             count, flags
 *       sizes of all records
 *
 * variables (name, offset in the buffer, size, flags, type, default; more
 * from SM5 on), and types (class, base type, rows, columns, elements, members
 * of 16 bits each, offset of the members).
 */
#include "dxbc.h"

#include <ctype.h>

#include "dxbc_private.h"

#define BUFFER_B 24
#define BINDING_B 32
#define VARIABLE_B 24
#define VARIABLE_SM5_B 40
#define TYPE_B 16

struct reader {
   const struct dxbc_chunk *chunk;
   struct strbuf *out;
   struct d3d_error *error;
   size_t variable_B;
   uint64_t seen; /* variables so far: none belongs to two buffers */
};

/* `count` records of `size_B` at `at`; NULL with an error if they are not
 * there. */
static const uint8_t *
records(const struct reader *r, uint32_t at, uint32_t count, size_t size_B,
        const char *what)
{
   const size_t all = r->chunk->size_B;

   if (at <= all && count <= (all - at) / size_B)
      return r->chunk->data + at;
   d3d_error_at(r->error, r->chunk->offset_B + MIN2(at, all), count,
                "%s of the resource definitions are not in the chunk", what);
   return NULL;
}

static bool
print_name(const struct reader *r, uint32_t name)
{
   const struct dxbc_chunk *c = r->chunk;

   if (name >= c->size_B ||
       !memchr(c->data + name, 0, MIN2(c->size_B - name, DXBC_MAX_NAME_B)))
      return d3d_error_at(r->error, c->offset_B, name,
                          "a name is not in the resource definitions");
   for (const uint8_t *s = c->data + name; *s; s++)
      strbuf_printf(r->out, "%c", isprint(*s) ? *s : '?');
   return true;
}

static bool
print_type(const struct reader *r, uint32_t at)
{
   static const char *const bases[] = {
      [1] = "bool", [2] = "int", [3] = "float", [19] = "uint", [39] = "double"
   };
   const uint8_t *t = records(r, at, 1, TYPE_B, "types");

   if (!t)
      return false;
   const unsigned class = dxbc_u32(t) & 0xffff, base = dxbc_u32(t) >> 16;
   const unsigned rows = dxbc_u32(t + 4) & 0xffff;
   const unsigned columns = dxbc_u32(t + 4) >> 16;
   const unsigned elements = dxbc_u32(t + 8) & 0xffff;

   if (class == 5)
      strbuf_printf(r->out, "struct of %u", dxbc_u32(t + 8) >> 16);
   else
      strbuf_puts(
         r->out, base < ARRAY_SIZE(bases) && bases[base] ? bases[base] : "?");
   if (class == 1)
      strbuf_printf(r->out, "%u", columns);
   else if (class == 2 || class == 3)
      strbuf_printf(r->out, "%ux%u%s", rows, columns,
                    class == 2 ? " by rows" : "");
   if (elements)
      strbuf_printf(r->out, "[%u]", elements);
   return true;
}

static bool
print_variable(const struct reader *r, const uint8_t *v)
{
   strbuf_puts(r->out, "      ");
   if (!print_name(r, dxbc_u32(v)))
      return false;
   strbuf_printf(r->out, "  offset %u  size %u  ", dxbc_u32(v + 4),
                 dxbc_u32(v + 8));
   if (!print_type(r, dxbc_u32(v + 16)))
      return false;
   strbuf_puts(r->out, dxbc_u32(v + 12) & 2 ? "\n" : "  unused\n");
   return true;
}

static bool
print_buffer(struct reader *r, const uint8_t *b)
{
   const uint32_t num = dxbc_u32(b + 4);
   const uint8_t *v =
      records(r, dxbc_u32(b + 8), num, r->variable_B, "variables");

   strbuf_puts(r->out, "   buffer ");
   if (!v || !print_name(r, dxbc_u32(b)))
      return false;
   r->seen += num;
   if (r->seen > r->chunk->size_B / r->variable_B)
      return d3d_error_at(r->error, r->chunk->offset_B, num,
                          "a variable belongs to two buffers");
   strbuf_printf(r->out, "  %u bytes\n", dxbc_u32(b + 12));
   for (uint32_t i = 0; i < num; i++) {
      if (!print_variable(r, v + r->variable_B * i))
         return false;
   }
   return true;
}

static bool
print_binding(const struct reader *r, const uint8_t *b)
{
   static const struct {
      const char *reg, *text;
   } kinds[] = {
      { "cb", "constant buffer" }, { "t", "texture buffer" },
      { "t", "texture" },          { "s", "sampler" },
      { "u", "typed UAV" },        { "t", "structured buffer" },
      { "u", "structured UAV" },   { "t", "raw buffer" },
      { "u", "raw UAV" },          { "u", "append UAV" },
      { "u", "consume UAV" },      { "u", "structured UAV with a counter" },
   };
   const uint32_t kind = dxbc_u32(b + 4), count = dxbc_u32(b + 24);

   strbuf_puts(r->out, "   ");
   if (!print_name(r, dxbc_u32(b)))
      return false;
   if (kind < ARRAY_SIZE(kinds))
      strbuf_printf(r->out, "  %s%u  %s", kinds[kind].reg, dxbc_u32(b + 20),
                    kinds[kind].text);
   else
      strbuf_printf(r->out, "  %u  kind %u", dxbc_u32(b + 20), kind);
   if (count != 1)
      strbuf_printf(r->out, "[%u]", count);
   strbuf_puts(r->out, "\n");
   return true;
}

bool
dxbc_print_resources(const struct dxbc_chunk *chunk, struct strbuf *out,
                     struct d3d_error *error)
{
   struct reader r = { chunk, out, error, VARIABLE_B, 0 };
   const uint8_t *header = records(&r, 0, 1, 28, "headers");

   if (!header)
      return false;
   const uint32_t buffers = dxbc_u32(header), bindings = dxbc_u32(header + 8);
   if ((dxbc_u32(header + 16) & 0xff00) >= 0x500)
      r.variable_B = VARIABLE_SM5_B;
   const uint8_t *binding =
      records(&r, dxbc_u32(header + 12), bindings, BINDING_B, "bindings");
   const uint8_t *buffer = binding ? records(&r, dxbc_u32(header + 4),
                                             buffers, BUFFER_B, "buffers")
                                   : NULL;
   if (!buffer)
      return false;
   for (uint32_t i = 0; i < bindings; i++) {
      if (!print_binding(&r, binding + BINDING_B * i))
         return false;
   }
   for (uint32_t i = 0; i < buffers; i++) {
      if (!print_buffer(&r, buffer + BUFFER_B * i))
         return false;
   }
   return true;
}
