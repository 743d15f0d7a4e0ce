/* SPDX-License-Identifier: MIT */
/*
 * Lines of the source: OpLine and OpNoLine (3.52.2), and DebugLine and
 * DebugNoLine of NonSemantic.Shader.DebugInfo.100. Each is true of what
 * follows, up to the next or to the end of the block. The text of the files
 * is in OpSource and its continuations, or in DebugSource.
 */
#include "compiler/spirv/spirv_private.h"
#include "util/strbuf.h"

/* Instruction numbers of NonSemantic.Shader.DebugInfo.100. */
enum {
   DEBUG_SOURCE = 35,
   DEBUG_SOURCE_CONTINUED = 102,
   DEBUG_LINE = 103,
   DEBUG_NO_LINE = 104,
};

/* From `from` on, all instructions are of that location of NIR's. */
struct spv_line {
   const uint32_t *from;
   uint32_t location;
};

/* The string of an OpString; NULL if the id is none. */
static const char *
string_of(struct spv *s, uint32_t id)
{
   const uint32_t *w = id < s->bound ? s->values[id].words : NULL;
   unsigned n;

   if (!w || spv_opcode(w) != SpvOpString)
      return NULL;
   return spv_string(s, w + 2, w + spv_count(w), &n);
}

/* The number that a constant of DebugLine has; 0 if the id is none. */
static uint32_t
number_of(const struct spv *s, uint32_t id)
{
   const uint32_t *w = id < s->bound ? s->values[id].words : NULL;

   return w && spv_opcode(w) == SpvOpConstant ? w[3] : 0;
}

/* The number of a debug instruction; 0 for all other instructions. */
static unsigned
debug_instruction(const struct spv *s, const uint32_t *w)
{
   const uint32_t *set;

   if (spv_opcode(w) != SpvOpExtInst || w[3] >= s->bound)
      return 0;
   set = s->values[w[3]].words;
   if (!set || spv_opcode(set) != SpvOpExtInstImport ||
       strncmp((const char *)(set + 2), "NonSemantic.Shader.DebugInfo.",
               29) != 0)
      return 0;
   return w[4];
}

/* Adds the strings of what continues the text at `w`. */
static void
add_continued(struct spv *s, const uint32_t *w, struct strbuf *text)
{
   unsigned n;

   for (w += spv_count(w); w < s->first_function; w += spv_count(w)) {
      if (spv_opcode(w) == SpvOpSourceContinued)
         strbuf_puts(text, spv_string(s, w + 1, w + spv_count(w), &n));
      else if (debug_instruction(s, w) == DEBUG_SOURCE_CONTINUED &&
               spv_count(w) > 5 && string_of(s, w[5]))
         strbuf_puts(text, string_of(s, w[5]));
      else
         break;
   }
}

/* `id` is an OpString or DebugSource; `w` has the first piece of the text. In
 * all no more text is kept than the module is long: files may name the same
 * string without end. */
static void
add_text(struct spv *s, uint32_t id, const char *name, const char *first,
         const uint32_t *w)
{
   struct strbuf text = { 0 };

   if (s->source_text_B >= s->n_words * 4)
      return;
   strbuf_puts(&text, first);
   add_continued(s, w, &text);
   s->source_text_B += text.len;
   s->values[id].source =
      nir_shader_add_source(s->shader, name, strbuf_str(&text));
   strbuf_fini(&text);
}

static void
read_sources(struct spv *s)
{
   for (const uint32_t *w = s->words + 5; w < s->first_function;
        w += spv_count(w)) {
      const unsigned n = spv_count(w);
      unsigned k;
      s->cur = w;
      if (spv_opcode(w) == SpvOpSource && n > 4 && string_of(s, w[3]))
         add_text(s, w[3], string_of(s, w[3]),
                  spv_string(s, w + 4, w + n, &k), w);
      else if (debug_instruction(s, w) == DEBUG_SOURCE && n > 6 &&
               string_of(s, w[5]) && string_of(s, w[6]))
         add_text(s, w[2], string_of(s, w[5]), string_of(s, w[6]), w);
   }
}

/* The file that OpLine or DebugLine names; NULL if it names none. */
static nir_source_file *
find_source(struct spv *s, uint32_t id)
{
   struct spv_value *v = id < s->bound ? &s->values[id] : NULL;
   const char *name;

   if (!v || v->source)
      return v ? v->source : NULL;
   name = string_of(s, id);
   if (!name && v->words && debug_instruction(s, v->words) == DEBUG_SOURCE &&
       spv_count(v->words) > 5)
      name = string_of(s, v->words[5]);
   if (name)
      v->source = nir_shader_add_source(s->shader, name, NULL);
   return v->source;
}

static uint32_t
location(struct spv *s, uint32_t file_id, uint32_t line, uint32_t column)
{
   nir_source_file *file = find_source(s, file_id);

   if (!file || !line)
      return 0;
   return nir_shader_add_location(s->shader, file, line, column);
}

static void
add_line(struct spv *s, const uint32_t *from, uint32_t location)
{
   util_dynarray_append(&s->lines, struct spv_line,
                        ((struct spv_line) { from, location }));
}

void
spv_read_lines(struct spv *s)
{
   const uint32_t *end = s->words + s->n_words;

   read_sources(s);
   for (const uint32_t *w = s->first_function; w < end; w += spv_count(w)) {
      const unsigned debug = debug_instruction(s, w);
      s->cur = w;
      if (spv_opcode(w) == SpvOpLine)
         add_line(s, w, location(s, w[1], w[2], w[3]));
      else if (debug == DEBUG_LINE && spv_count(w) > 9)
         add_line(s, w,
                  location(s, w[5], number_of(s, w[6]), number_of(s, w[8])));
      else if (spv_opcode(w) == SpvOpNoLine || debug == DEBUG_NO_LINE)
         add_line(s, w, 0);
      else if (spv_is_terminator(spv_opcode(w)) && s->lines.size_B)
         add_line(s, w + spv_count(w), 0);
   }
}

uint32_t
spv_location(const struct spv *s, const uint32_t *w)
{
   const struct spv_line *lines = s->lines.data;
   size_t low = 0;
   size_t high = util_dynarray_num_elements(&s->lines, struct spv_line);

   /* The last that begins at `w` or before. */
   while (low < high) {
      const size_t middle = (low + high) / 2;
      if (lines[middle].from <= w)
         low = middle + 1;
      else
         high = middle;
   }
   return low ? lines[low - 1].location : 0;
}
