/* SPDX-License-Identifier: MIT */
#include "compile_profile.h"

#include <stdlib.h>

#include "util/text/json.h"

/* One width of the shader, and sums over what has the same line. */
struct profile {
   enum isa_gen gen;
   const nir_shader *nir;
   const struct intel_compile_stats *stats;
   const uint8_t *code;
   const struct intel_code_cost *costs;
   uint32_t num_costs;
   struct line_cost *lines; /* the dearest first */
   uint32_t num_lines;
};

struct line_cost {
   const nir_source_file *file; /* NULL: no line is known */
   uint32_t line, instructions;
   double issue, wait;
};

static uint32_t
end_of_piece(const struct profile *p, uint32_t i)
{
   return i + 1 < p->num_costs ? p->costs[i + 1].offset_B
                               : p->stats->code_size_B;
}

static bool
decode(const struct profile *p, uint32_t offset_B, struct isa_inst *inst,
       unsigned *size_B)
{
   return isa_decode(p->gen, p->code + offset_B,
                     p->stats->code_size_B - offset_B, inst, size_B, NULL);
}

static uint32_t
count_instructions(const struct profile *p, uint32_t i)
{
   struct isa_inst inst;
   uint32_t n = 0;
   unsigned size_B;

   for (uint32_t at = p->costs[i].offset_B;
        at < end_of_piece(p, i) && decode(p, at, &inst, &size_B);
        at += size_B)
      n++;
   return n;
}

/* ---- sums by line ---- */

static int
compare_places(const void *a, const void *b)
{
   const struct line_cost *x = a, *y = b;

   if (x->file != y->file)
      return (uintptr_t)x->file < (uintptr_t)y->file ? -1 : 1;
   return x->line < y->line ? -1 : x->line > y->line;
}

static int
compare_costs(const void *a, const void *b)
{
   const struct line_cost *x = a, *y = b;
   const double dx = x->issue + x->wait, dy = y->issue + y->wait;

   if (dx != dy)
      return dx > dy ? -1 : 1;
   return x->line < y->line ? -1 : x->line > y->line;
}

static struct line_cost
cost_of_piece(const struct profile *p, uint32_t i)
{
   const struct intel_code_cost *c = &p->costs[i];
   struct line_cost l = { .instructions = count_instructions(p, i),
                          .issue = c->issue,
                          .wait = c->wait };

   if (c->location) {
      l.file = p->nir->locations[c->location].file;
      l.line = p->nir->locations[c->location].line;
   }
   return l;
}

static void
sum_lines(struct profile *p, struct arena *arena)
{
   struct line_cost *lines =
      arena_new_array(arena, struct line_cost, MAX2(1, p->num_costs));
   uint32_t n = 0;

   for (uint32_t i = 0; i < p->num_costs; i++)
      lines[i] = cost_of_piece(p, i);
   qsort(lines, p->num_costs, sizeof(*lines), compare_places);
   for (uint32_t i = 0; i < p->num_costs; i++) {
      if (i && !compare_places(&lines[n - 1], &lines[i])) {
         lines[n - 1].instructions += lines[i].instructions;
         lines[n - 1].issue += lines[i].issue;
         lines[n - 1].wait += lines[i].wait;
      } else {
         lines[n++] = lines[i];
      }
   }
   qsort(lines, n, sizeof(*lines), compare_costs);
   p->lines = lines;
   p->num_lines = n;
}

static bool
get_profile(enum isa_gen gen, const struct intel_shader *sh,
            const nir_shader *nir, unsigned variant, struct arena *arena,
            struct profile *p)
{
   *p = (struct profile) {
      .gen = gen,
      .nir = nir,
      .stats = &sh->stats[variant],
      .code = (const uint8_t *)sh->code + sh->profile[variant].offset_B,
      .costs = sh->profile[variant].costs,
      .num_costs = sh->profile[variant].num_costs,
   };
   if (!p->stats->dispatch_width)
      return false;
   sum_lines(p, arena);
   return true;
}

/* ---- text ---- */

static void
print_line(const struct profile *p, const struct line_cost *l,
           struct strbuf *out)
{
   const double cycles = l->issue + l->wait;
   size_t length = 0;
   const char *text = l->file ? nir_source_line(l->file, l->line, &length)
                              : NULL;

   strbuf_printf(out, "%9.0f %5.1f %9.0f %9.0f %6u  ", cycles,
                 p->stats->cycles ? 100 * cycles / p->stats->cycles : 0,
                 l->issue, l->wait, l->instructions);
   if (l->file)
      strbuf_printf(out, "%s:%u%s%.*s\n", l->file->name, l->line,
                    text ? ": " : "", (int)length, text ? text : "");
   else
      strbuf_puts(out, "(no line)\n");
}

static void
print_piece(const struct profile *p, uint32_t i, struct strbuf *out)
{
   const struct intel_code_cost *c = &p->costs[i];
   struct isa_inst inst;
   unsigned size_B;

   for (uint32_t at = c->offset_B;
        at < end_of_piece(p, i) && decode(p, at, &inst, &size_B);
        at += size_B) {
      const bool first = at == c->offset_B;
      const struct isa_print_options opts = { .offset_B = at };
      char waits[16] = "";

      if (first && c->waits_for != i)
         snprintf(waits, sizeof(waits), "0x%04x",
                  p->costs[c->waits_for].offset_B);
      strbuf_printf(out, "0x%04x %9.0f %9.0f %8s %5u  ", at,
                    first ? c->issue : 0, first ? c->wait : 0, waits,
                    c->location ? p->nir->locations[c->location].line : 0);
      isa_print(p->gen, &inst, &opts, out);
      strbuf_puts(out, "\n");
   }
}

void
compile_print_profile(enum isa_gen gen, const struct intel_shader *sh,
                      const nir_shader *nir, struct strbuf *out)
{
   struct arena *arena = arena_create(NULL);

   for (unsigned v = 0; v < ARRAY_SIZE(sh->profile); v++) {
      struct profile p;
      if (!get_profile(gen, sh, nir, v, arena, &p))
         continue;
      strbuf_printf(out,
                    "SIMD%u: %u cycles estimated, loops ten times\n"
                    "   cycles     %%     issue      wait  insts  line\n",
                    p.stats->dispatch_width, p.stats->cycles);
      for (uint32_t i = 0; i < p.num_lines; i++)
         print_line(&p, &p.lines[i], out);
      strbuf_puts(out, "\noffset     issue      wait      for  line  "
                       "instruction\n");
      for (uint32_t i = 0; i < p.num_costs; i++)
         print_piece(&p, i, out);
      strbuf_puts(out, "\n");
   }
   arena_destroy(arena);
}

/* ---- JSON ---- */

static void
json_place(struct strbuf *out, const nir_source_file *file, uint32_t line)
{
   strbuf_puts(out, "\"file\": ");
   if (file)
      json_string(out, file->name, strlen(file->name));
   else
      strbuf_puts(out, "null");
   strbuf_printf(out, ", \"line\": %u", line);
}

static void
json_line(const struct line_cost *l, struct strbuf *out)
{
   size_t length = 0;
   const char *text = l->file ? nir_source_line(l->file, l->line, &length)
                              : NULL;

   strbuf_puts(out, "{");
   json_place(out, l->file, l->line);
   strbuf_printf(out,
                 ", \"issue\": %.0f, \"wait\": %.0f, \"instructions\": %u, "
                 "\"text\": ",
                 l->issue, l->wait, l->instructions);
   if (text)
      json_string(out, text, length);
   else
      strbuf_puts(out, "null");
   strbuf_puts(out, "}");
}

/* Of the machine instructions of a piece the first has its cost. */
static void
json_piece(const struct profile *p, uint32_t i, const char **separator,
           struct strbuf *out)
{
   const struct intel_code_cost *c = &p->costs[i];
   const nir_location *l = c->location ? &p->nir->locations[c->location]
                                       : NULL;
   struct isa_inst inst;
   unsigned size_B;

   for (uint32_t at = c->offset_B;
        at < end_of_piece(p, i) && decode(p, at, &inst, &size_B);
        at += size_B) {
      const bool first = at == c->offset_B;
      const struct isa_print_options opts = { .offset_B = at };
      struct strbuf text = { 0 };

      strbuf_printf(out, "%s\n    {\"offset\": %u, ", *separator, at);
      json_place(out, l ? l->file : NULL, l ? l->line : 0);
      strbuf_printf(out,
                    ", \"column\": %u, \"issue\": %.0f, \"wait\": %.0f, "
                    "\"waits_for\": ",
                    l ? l->column : 0, first ? c->issue : 0,
                    first ? c->wait : 0);
      if (first && c->waits_for != i)
         strbuf_printf(out, "%u", p->costs[c->waits_for].offset_B);
      else
         strbuf_puts(out, "null");
      isa_print(p->gen, &inst, &opts, &text);
      strbuf_puts(out, ", \"text\": ");
      json_string(out, strbuf_str(&text), text.len);
      strbuf_puts(out, "}");
      strbuf_fini(&text);
      *separator = ",";
   }
}

static void
json_variant(const struct profile *p, struct strbuf *out)
{
   const char *separator = "";

   strbuf_printf(out,
                 "  {\"dispatch_width\": %u, \"cycles\": %u, \"lines\": [",
                 p->stats->dispatch_width, p->stats->cycles);
   for (uint32_t i = 0; i < p->num_lines; i++) {
      strbuf_puts(out, i ? ",\n    " : "\n    ");
      json_line(&p->lines[i], out);
   }
   strbuf_puts(out, "\n  ], \"instructions\": [");
   for (uint32_t i = 0; i < p->num_costs; i++)
      json_piece(p, i, &separator, out);
   strbuf_puts(out, "\n  ]}");
}

void
compile_print_profile_json(enum isa_gen gen, const struct intel_shader *sh,
                           const nir_shader *nir, struct strbuf *out)
{
   struct arena *arena = arena_create(NULL);
   const char *separator = "\n";

   strbuf_printf(out, "{\"variants\": [");
   for (unsigned v = 0; v < ARRAY_SIZE(sh->profile); v++) {
      struct profile p;
      if (!get_profile(gen, sh, nir, v, arena, &p))
         continue;
      strbuf_puts(out, separator);
      json_variant(&p, out);
      separator = ",\n";
   }
   strbuf_puts(out, "\n]}\n");
   arena_destroy(arena);
}
