/* SPDX-License-Identifier: MIT */
#include "nir.h"

#include <stdlib.h>

#include "nir_private.h"

/* Names are printed in lines of their own. */
static void
replace_control_characters(char *s)
{
   for (; *s; s++) {
      if ((unsigned char)*s < ' ')
         *s = '?';
   }
}

/* Longer ones are cut. */
#define MAX_NAME 1000

static char *
copy_name(nir_shader *shader, const char *name)
{
   char *copy = arena_printf(shader->arena, "%.*s", MAX_NAME, name);

   replace_control_characters(copy);
   return copy;
}

nir_source_file *
nir_shader_add_source(nir_shader *shader, const char *name, const char *text)
{
   nir_source_file *file = arena_new(shader->arena, nir_source_file);

   file->name = copy_name(shader, name);
   file->text = text ? arena_strdup(shader->arena, text) : NULL;
   return file;
}

void
nir_shader_rename_source(nir_shader *shader, const char *from, const char *to)
{
   for (uint32_t i = 1; i < shader->num_locations; i++) {
      nir_source_file *file = shader->locations[i].file;
      if (!strcmp(file->name, from))
         file->name = copy_name(shader, to);
   }
}

static bool
same_location(const nir_location *a, const nir_location *b)
{
   return a->file == b->file && a->line == b->line && a->column == b->column;
}

uint32_t
nir_shader_add_location(nir_shader *shader, nir_source_file *file,
                        uint32_t line, uint32_t column)
{
   const nir_location place = { file, line, column };
   const uint32_t n = shader->num_locations;

   if (n && same_location(&shader->locations[n - 1], &place))
      return n - 1;
   /* Doubled when full, which it is at 0 and at powers of two; the first
    * entry stands for none. */
   if (!(n & (n - 1))) {
      nir_location *grown =
         arena_new_array(shader->arena, nir_location, n ? 2 * n : 2);
      if (n)
         memcpy(grown, shader->locations, n * sizeof(*grown));
      shader->locations = grown;
   }
   shader->num_locations = n ? n + 1 : 2;
   shader->locations[shader->num_locations - 1] = place;
   return shader->num_locations - 1;
}

const nir_location *
nir_instr_location(const nir_shader *shader, const nir_instr *instr)
{
   return instr->location ? &shader->locations[instr->location] : NULL;
}

uint32_t
nir_cursor_location(nir_cursor cursor)
{
   nir_block *block;

   if (cursor.option == nir_cursor_before_instr ||
       cursor.option == nir_cursor_after_instr)
      return cursor.instr->location;
   block = cursor.block;
   if (cursor.option == nir_cursor_before_block)
      block = nir_block_cf_tree_prev(block);
   for (; block; block = nir_block_cf_tree_prev(block)) {
      if (!list_is_empty(&block->instr_list))
         return nir_block_last_instr(block)->location;
   }
   return 0;
}

const char *
nir_source_line(const nir_source_file *file, uint32_t line, size_t *length)
{
   const char *found = NULL, *next;
   uint32_t number = 1;

   for (const char *at = file->text; at && *at; at = next) {
      const size_t n = strcspn(at, "\n");
      next = at + n + (at[n] == '\n');
      if (!strncmp(at, "#line ", 6)) {
         number = (uint32_t)strtoul(at + 6, NULL, 10);
         continue;
      }
      if (number++ == line) {
         found = at;
         *length = n - (n && at[n - 1] == '\r');
      }
   }
   return found;
}
