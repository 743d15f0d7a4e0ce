/* SPDX-License-Identifier: MIT */
/* Containers and their signatures as text. */
#include "dxbc.h"

#include <ctype.h>

#include "dxbc_private.h"

/* --- Text --------------------------------------------------------------- */

static void
print_mask(struct strbuf *out, uint8_t mask)
{
   for (unsigned i = 0; i < 4; i++)
      strbuf_printf(out, "%c", mask & 1u << i ? "xyzw"[i] : '-');
}

static bool
print_signature(const struct dxbc_chunk *chunk, struct strbuf *out,
                struct d3d_error *error)
{
   static const char *const types[] = { "?", "uint", "int", "float" };
   struct dxbc_signature_element e;
   unsigned n;

   if (!dxbc_signature_count(chunk, &n, error))
      return false;
   for (unsigned i = 0; i < n; i++) {
      if (!dxbc_signature_get(chunk, i, &e, error))
         return false;
      strbuf_puts(out, "   ");
      for (const char *s = e.semantic; *s; s++)
         strbuf_printf(out, "%c", isprint((unsigned char)*s) ? *s : '?');
      strbuf_printf(out, "%u  register %d  ", e.semantic_index,
                    (int32_t)e.reg);
      print_mask(out, e.mask);
      strbuf_puts(out, " used ");
      print_mask(out, e.used_mask);
      strbuf_printf(out, "  %s  system value %u",
                    types[e.component_type < 4 ? e.component_type : 0],
                    e.system_value);
      if (e.stream)
         strbuf_printf(out, "  stream %u", e.stream);
      strbuf_puts(out, "\n");
   }
   return true;
}

static bool
print_version(const struct dxbc_chunk *chunk, struct strbuf *out,
              struct d3d_error *error)
{
   static const char *const stages[] = { "ps", "vs", "gs", "hs", "ds", "cs" };

   if (chunk->size_B < 8)
      return d3d_error_at(error, chunk->offset_B, 0, "a program is cut off");
   const uint32_t version = dxbc_u32(chunk->data), stage = version >> 16;
   strbuf_printf(out, "   %s_%u_%u, %u dwords\n",
                 stage < ARRAY_SIZE(stages) ? stages[stage] : "?",
                 version >> 4 & 0xf, version & 0xf,
                 dxbc_u32(chunk->data + 4));
   return true;
}

bool
dxbc_print(const struct dxbc *c, struct strbuf *out, struct d3d_error *error)
{
   for (unsigned i = 0; i < c->num_chunks; i++) {
      const struct dxbc_chunk *chunk = &c->chunk[i];
      char tag[5];
      for (unsigned k = 0; k < 4; k++) {
         const int ch = chunk->tag >> 8 * k & 0xff;
         tag[k] = isprint(ch) ? (char)ch : '?';
      }
      tag[4] = '\0';
      strbuf_printf(out, "%s  %zu bytes at 0x%zx\n", tag, chunk->size_B,
                    chunk->offset_B);
      if (dxbc_is_signature(chunk)) {
         if (!print_signature(chunk, out, error))
            return false;
      } else if (chunk->tag == DXBC_TAG('S', 'H', 'D', 'R') ||
                 chunk->tag == DXBC_TAG('S', 'H', 'E', 'X')) {
         if (!print_version(chunk, out, error))
            return false;
      } else if (chunk->tag == DXBC_TAG('R', 'D', 'E', 'F')) {
         if (!dxbc_print_resources(chunk, out, error))
            return false;
      }
   }
   return true;
}

/* --- As the disassembler has it ----------------------------------------- */

/* Padded to `width`, on the right if `left`. */
static void
print_padded(struct strbuf *out, const char *s, int width, bool left)
{
   int n = (int)strlen(s);

   for (int i = n; i < width && !left; i++)
      strbuf_puts(out, " ");
   for (; *s; s++)
      strbuf_printf(out, "%c", isprint((unsigned char)*s) ? *s : '?');
   for (; n < width && left; n++)
      strbuf_puts(out, " ");
}

static void
print_columns(struct strbuf *out, const struct dxbc_signature_element *e)
{
   static const char *const values[] = {
      "NONE",   "POS",    "CLIPDST", "CULLDST", "RTINDEX", "VPINDEX",
      "VERTID", "PRIMID", "INSTID",  "FFACE",   "SAMPLE",
   };
   static const char *const types[] = { "unknown", "uint", "int", "float" };
   char mask[5] = "    ", used[5] = "    ";

   for (unsigned i = 0; i < 4; i++) {
      if (e->mask & 1u << i)
         mask[i] = "xyzw"[i];
      if (e->used_mask & 1u << i)
         used[i] = "xyzw"[i];
   }
   strbuf_puts(out, "// ");
   print_padded(out, e->semantic, 20, true);
   strbuf_printf(out, " %5u   %s ", e->semantic_index, mask);
   if (e->reg == UINT32_MAX)
      strbuf_puts(out, "     N/A ");
   else
      strbuf_printf(out, "%8u ", e->reg);
   print_padded(out,
                e->system_value < ARRAY_SIZE(values) ? values[e->system_value]
                : e->system_value == 64              ? "TARGET"
                : e->system_value == 65              ? "DEPTH"
                                                     : "?",
                8, false);
   strbuf_printf(out, " %7s   %s\n",
                 types[e->component_type < 4 ? e->component_type : 0], used);
}

bool
dxbc_print_signatures(const struct dxbc *c, struct strbuf *out,
                      struct d3d_error *error)
{
   static const struct {
      enum dxbc_signature which;
      const char *title;
   } rows[] = {
      { DXBC_INPUT, "Input" },
      { DXBC_PATCH, "Patch Constant" },
      { DXBC_OUTPUT, "Output" },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct dxbc_chunk *chunk = dxbc_find_signature(c, rows[i].which);
      struct dxbc_signature_element e;
      unsigned n;
      if (!chunk)
         continue;
      if (!dxbc_signature_count(chunk, &n, error))
         return false;
      strbuf_printf(out,
                    "// %s signature:\n//\n"
                    "// Name                 Index   Mask Register "
                    "SysValue  Format   Used\n"
                    "// -------------------- ----- ------ -------- "
                    "-------- ------- ------\n",
                    rows[i].title);
      for (unsigned k = 0; k < n; k++) {
         if (!dxbc_signature_get(chunk, k, &e, error))
            return false;
         print_columns(out, &e);
      }
      strbuf_puts(out, n ? "//\n" : "// no parameters\n//\n");
   }
   return true;
}
