/* SPDX-License-Identifier: MIT */
#include "d3d_semantics.h"

#include <ctype.h>
#include <stdlib.h>

/* Of the SPIR-V specification and SPV_GOOGLE_hlsl_functionality1. */
enum {
   OP_VARIABLE = 59,
   OP_DECORATE = 71,
   OP_DECORATE_STRING = 5632,
   DECORATION_LOCATION = 30,
   DECORATION_USER_SEMANTIC = 5635,
   STORAGE_INPUT = 1,
   STORAGE_OUTPUT = 3,
};

#define HEADER 5
#define MAX_BOUND (1u << 22)

struct reader {
   struct d3d_semantics *s;
   uint32_t bound;
   /* By id: 1 + the location; the word where the name begins, and how many
    * there are. */
   uint32_t *location, *name, *name_words;
   const uint32_t *words;
   /* By semantic: the index that the source has. */
   uint32_t written[D3D_MAX_SEMANTICS];
};

/* "TEXCOORD12": the name, and a number at its end. */
static void
set_name(struct d3d_semantic *d, const char *text, size_t size)
{
   size_t n = strnlen(text, size), digits = n;

   while (digits && isdigit((unsigned char)text[digits - 1]))
      digits--;
   d->index = 0;
   for (size_t i = digits; i < n; i++)
      d->index = d->index * 10 + (uint32_t)(text[i] - '0');
   n = MIN2(digits, sizeof(d->name) - 1);
   memcpy(d->name, text, n);
   d->name[n] = 0;
}

/* An array comes as a variable for each element, all called the same: they
 * count on. */
static void
add(struct reader *r, uint32_t id, bool is_output)
{
   const unsigned n = r->s->num++;
   struct d3d_semantic *d = &r->s->list[n];

   d->is_output = is_output;
   d->location = r->location[id] - 1;
   set_name(d, (const char *)(r->words + r->name[id]),
            4 * (size_t)r->name_words[id]);
   r->written[n] = d->index;
   for (unsigned i = 0; i < n; i++)
      d->index += r->s->list[i].is_output == is_output &&
                  r->written[i] == r->written[n] &&
                  !strcmp(r->s->list[i].name, d->name);
}

static void
read_instruction(struct reader *r, size_t at, unsigned op, unsigned count)
{
   const uint32_t *w = r->words + at;
   const uint32_t id = count > 2 ? w[op == OP_VARIABLE ? 2 : 1] : 0;

   if (!id || id >= r->bound)
      return;
   if (op == OP_DECORATE && count == 4 && w[2] == DECORATION_LOCATION) {
      r->location[id] = w[3] + 1;
   } else if (op == OP_DECORATE_STRING && count > 3 &&
              w[2] == DECORATION_USER_SEMANTIC) {
      r->name[id] = (uint32_t)at + 3;
      r->name_words[id] = count - 3;
   } else if (op == OP_VARIABLE && count > 3 &&
              (w[3] == STORAGE_INPUT || w[3] == STORAGE_OUTPUT) &&
              r->name[id] && r->location[id] &&
              r->s->num < D3D_MAX_SEMANTICS) {
      add(r, id, w[3] == STORAGE_OUTPUT);
   }
}

void
d3d_semantics_read(struct d3d_semantics *s, const uint32_t *words,
                   size_t num_words)
{
   struct reader r = { .s = s, .words = words };

   if (num_words < HEADER || words[0] != 0x07230203 || words[3] > MAX_BOUND)
      return;
   r.bound = words[3];
   struct arena *arena = arena_create(NULL);
   r.location = arena_new_array(arena, uint32_t, r.bound + 1);
   r.name = arena_new_array(arena, uint32_t, r.bound + 1);
   r.name_words = arena_new_array(arena, uint32_t, r.bound + 1);
   for (size_t at = HEADER; at < num_words;) {
      const unsigned count = words[at] >> 16;
      if (!count || count > num_words - at)
         break;
      read_instruction(&r, at, words[at] & 0xffff, count);
      at += count;
   }
   arena_destroy(arena);
}

const struct d3d_semantic *
d3d_semantic_of(const struct d3d_semantics *s, gl_shader_stage stage,
                const nir_variable *var)
{
   const bool out = var->data.mode == nir_var_shader_out;
   const int first = stage == MESA_SHADER_VERTEX && !out
                        ? VERT_ATTRIB_GENERIC0
                     : stage == MESA_SHADER_FRAGMENT && out
                        ? FRAG_RESULT_DATA0
                        : VARYING_SLOT_VAR0;

   for (unsigned i = 0; s && i < s->num; i++) {
      if (s->list[i].is_output == out &&
          var->data.location == first + (int)s->list[i].location)
         return &s->list[i];
   }
   return NULL;
}
