/* SPDX-License-Identifier: MIT */
/*
 * The constant table: a comment that begins with "CTAB". Offsets count from
 * after that word. Layout: D3DXSHADER_CONSTANTTABLE, D3DXSHADER_CONSTANTINFO
 * and D3DXSHADER_TYPEINFO of the DirectX SDK's d3dx9shader.h.
 */
#include "d3dbc_text.h"

#include <ctype.h>

#define CTAB_MAGIC 0x42415443u
#define CTAB_HEADER_B 28
#define CTAB_CONSTANT_B 20
/* More than any register file has. */
#define CTAB_MAX_CONSTANTS 8192
/* Names are shorter: many constants may share one. */
#define CTAB_MAX_NAME_B 1024

struct table {
   const uint8_t *data;
   size_t size_B;
};

static bool
read_u32(const struct table *t, size_t at, uint32_t *v)
{
   *v = 0;
   if (at > t->size_B || t->size_B - at < 4)
      return false;
   memcpy(v, t->data + at, 4);
   return true;
}

/* Printable characters up to the NUL; "?" if the string is not in there. */
static void
print_string(const struct table *t, size_t at, struct strbuf *out)
{
   const uint8_t *end;

   if (at == 0 || at >= t->size_B ||
       !(end =
            memchr(t->data + at, 0, MIN2(t->size_B - at, CTAB_MAX_NAME_B)))) {
      strbuf_puts(out, "?");
      return;
   }
   for (const uint8_t *s = t->data + at; s < end; s++)
      strbuf_printf(out, "%c", isprint(*s) ? *s : '?');
}

static void
print_type(const struct table *t, size_t at, struct strbuf *out)
{
   static const char *const names[] = { "void", "bool", "int", "float" };
   /* D3DXPT_SAMPLER (10) and what follows it. */
   static const char *const samplers[] = { "sampler", "sampler1D",
                                           "sampler2D", "sampler3D",
                                           "samplerCUBE" };
   uint32_t head, dims, elements;

   if (!read_u32(t, at, &head) || !read_u32(t, at + 4, &dims) ||
       !read_u32(t, at + 8, &elements)) {
      strbuf_puts(out, "?");
      return;
   }
   const unsigned class = head & 0xffff, type = head >> 16;
   const unsigned rows = dims & 0xffff, columns = dims >> 16;
   if (class == 5)
      strbuf_puts(out, "struct");
   else if (class == 4)
      strbuf_puts(out, type >= 10 && type - 10 < ARRAY_SIZE(samplers)
                          ? samplers[type - 10]
                          : "object");
   else
      strbuf_puts(out, type < ARRAY_SIZE(names) ? names[type] : "?");
   if (class == 2 || class == 3)
      strbuf_printf(out, "%ux%u%s", rows, columns,
                    class == 2 ? " by rows" : "");
   else if (class == 1)
      strbuf_printf(out, "%u", columns);
   if ((elements & 0xffff) > 1)
      strbuf_printf(out, "[%u]", elements & 0xffff);
}

static bool
print_constant(const struct table *t, size_t at, struct strbuf *out)
{
   static const char sets[] = "bics";
   uint32_t name, reg, count, type;

   if (!read_u32(t, at, &name) || !read_u32(t, at + 4, &reg) ||
       !read_u32(t, at + 8, &count) || !read_u32(t, at + 12, &type))
      return false;
   strbuf_puts(out, "//   ");
   print_string(t, name, out);
   strbuf_printf(out, "  %c%u  %u  ",
                 (reg & 0xffff) < 4 ? sets[reg & 0xffff] : '?', reg >> 16,
                 count & 0xffff);
   print_type(t, type, out);
   strbuf_puts(out, "\n");
   return true;
}

static void
print_table(const struct table *t, struct strbuf *out)
{
   uint32_t size, creator, count, info, target;

   strbuf_puts(out, "// Constant table");
   if (!read_u32(t, 0, &size) || size != CTAB_HEADER_B ||
       !read_u32(t, 4, &creator) || !read_u32(t, 12, &count) ||
       !read_u32(t, 16, &info) || !read_u32(t, 24, &target)) {
      strbuf_puts(out, ": damaged\n");
      return;
   }
   strbuf_puts(out, " by \"");
   print_string(t, creator, out);
   strbuf_puts(out, "\" for ");
   print_string(t, target, out);
   strbuf_puts(out, ": name, register, registers, type\n");
   for (uint32_t i = 0; i < MIN2(count, CTAB_MAX_CONSTANTS); i++) {
      if (!print_constant(t, (size_t)info + (size_t)i * CTAB_CONSTANT_B,
                          out)) {
         strbuf_puts(out, "//   damaged\n");
         return;
      }
   }
}

void
d3dbc_print_ctab(const struct d3dbc_shader *shader, struct strbuf *out)
{
   for (size_t i = 0; i < shader->num_insts; i++) {
      const struct d3dbc_inst *inst = &shader->inst[i];
      if (inst->op == D3DBC_OP_COUNT && inst->comment.num_words > 0 &&
          inst->comment.words[0] == CTAB_MAGIC) {
         const struct table t = { (const uint8_t *)(inst->comment.words + 1),
                                  4 * (size_t)(inst->comment.num_words - 1) };
         print_table(&t, out);
      }
   }
}
