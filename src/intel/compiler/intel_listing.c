/* SPDX-License-Identifier: MIT */
#include "intel_listing.h"

#include "eu/eu_ir.h"
#include "intel_debug.h"
#include "util/strbuf.h"

struct annotate {
   const struct eu_binary *bin;
   uint32_t next;
   const nir_shader *nir;
   uint32_t location; /* of the last that was printed */
   struct arena *arena;
};

/* The line of the source, where another one begins. */
static void
annotate_location(struct annotate *a, const nir_instr *instr,
                  struct strbuf *out)
{
   const nir_location *l = nir_instr_location(a->nir, instr);
   size_t length = 0;
   const char *text;

   if (!l || instr->location == a->location)
      return;
   a->location = instr->location;
   text = nir_source_line(l->file, l->line, &length);
   strbuf_printf(out, "    // %s:%u%s%.*s\n", l->file->name, l->line,
                 text ? ": " : "", (int)length, text ? text : "");
}

static void
annotate_line(void *data, size_t offset_B, struct strbuf *out)
{
   struct annotate *a = data;

   while (a->next < a->bin->num_origins &&
          a->bin->origins[a->next].offset_B <= offset_B) {
      const struct eu_origin *o = &a->bin->origins[a->next++];
      if (o->nir)
         annotate_location(a, o->nir, out);
      if (o->nir)
         strbuf_printf(out, "    // %s\n",
                       nir_instr_as_str(o->nir, a->arena));
      else if (o->note)
         strbuf_printf(out, "    // %s\n", o->note);
   }
}

void
intel_print_listing(const struct eu_shader *s, const struct eu_binary *bin,
                    const char *stage, FILE *log)
{
   struct annotate a = { .bin = bin,
                         .nir = s->nir,
                         .arena = arena_create(NULL) };
   struct isa_disassemble_options opts = {
      .offsets = true,
      .hex = INTEL_DEBUG(HEX),
      .messages = !INTEL_DEBUG(HEX),
      .annotate = annotate_line,
      .annotate_data = &a,
   };
   const struct intel_compile_stats *st = &bin->stats;
   char dispatch[16];
   struct strbuf text = { 0 };

   if (intel_uses_vec4(s->compiler, s->stage))
      snprintf(dispatch, sizeof(dispatch), "4x2");
   else
      snprintf(dispatch, sizeof(dispatch), "%u", st->dispatch_width);
   /* In one piece: other threads may print, too. */
   strbuf_printf(
      &text,
      "Native code for %s shader (SIMD%s): %u instructions, %u loops, "
      "%u cycles, %u:%u spills:fills, %u sends, %u registers, "
      "%u bytes (%u compacted)\n",
      stage, dispatch, st->instructions, st->loops, st->cycles, st->spills,
      st->fills, st->sends, st->max_live_grf, st->code_size_B, st->compacted);
   isa_disassemble(s->gen, bin->code, bin->size_B, &opts, &text, NULL);
   strbuf_printf(&text, "\n");
   fputs(strbuf_str(&text), log);
   strbuf_fini(&text);
   arena_destroy(a.arena);
}

/* That of the NIR instruction of a piece; 0: it has none. */
static uint32_t
location_of(const struct eu_origin *o)
{
   return o->nir ? ((const nir_instr *)o->nir)->location : 0;
}

/* The first that is known. */
static uint32_t
first_location(const struct eu_binary *bin)
{
   for (uint32_t i = 0; i < bin->num_origins; i++) {
      if (location_of(&bin->origins[i]))
         return location_of(&bin->origins[i]);
   }
   return 0;
}

const struct intel_code_cost *
intel_code_costs(const struct eu_shader *s, const struct eu_binary *bin,
                 struct arena *arena)
{
   struct intel_code_cost *costs =
      arena_new_array(arena, struct intel_code_cost, bin->num_origins);
   uint32_t location = first_location(bin);

   for (uint32_t i = 0; i < bin->num_origins; i++) {
      if (location_of(&bin->origins[i]))
         location = location_of(&bin->origins[i]);
      costs[i] = (struct intel_code_cost) {
         .offset_B = bin->origins[i].offset_B,
         .location = location,
         .issue = s->costs[i].issue,
         .wait = s->costs[i].wait,
         .waits_for = s->costs[i].waits_for,
      };
   }
   return costs;
}
