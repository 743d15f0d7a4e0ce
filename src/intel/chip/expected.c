/* SPDX-License-Identifier: MIT */
/*
 * What chips have answered, as `saffron chip --import` writes it: a line a
 * case,
 *
 *    GENERATION STAGE/CASE OFFSET=VALUE...
 *    GENERATION STAGE/CASE hang
 *
 * and # before a comment.
 */
#include "chip.h"

#include <stdio.h>

#include "util/tool_io.h"

struct row {
   char *name; /* STAGE/CASE */
   char *values;
   bool seen;
};

struct chip_expected {
   struct util_dynarray text, rows;
   unsigned wrong;
};

static bool
add_row(struct chip_expected *e, char *line, const char *gen)
{
   char *rest;
   const char *of = strtok_r(line, " ", &rest);
   if (!of || of[0] == '#')
      return true;
   struct row row = { strtok_r(NULL, " ", &rest), rest, false };
   if (!row.name || !row.values || !*row.values ||
       !intel_device_info_by_name(of))
      return false;
   if (!strcmp(of, gen))
      util_dynarray_append(&e->rows, struct row, row);
   return true;
}

struct chip_expected *
chip_expected_load(const char *path, const char *gen)
{
   struct chip_expected *e = calloc(1, sizeof(*e));
   if (!e)
      abort();
   bool ok = tool_read_file("saffron-chip", path, &e->text);
   util_dynarray_append(&e->text, char, '\0');
   char *rest;
   unsigned number = 0;
   for (char *line = strtok_r(e->text.data, "\n", &rest); ok && line;
        line = strtok_r(NULL, "\n", &rest)) {
      number++;
      ok = add_row(e, line, gen);
      if (!ok)
         fprintf(stderr, "saffron-chip: %s: line %u is no case\n", path,
                 number);
   }
   if (ok)
      return e;
   chip_expected_finish(e, NULL);
   return NULL;
}

static struct row *
find(const struct chip_expected *e, const char *stage, const char *name)
{
   const size_t n = strlen(stage);
   util_dynarray_foreach(&e->rows, struct row, r) {
      if (!strncmp(r->name, stage, n) && r->name[n] == '/' &&
          !strcmp(r->name + n + 1, name))
         return r;
   }
   return NULL;
}

bool
chip_expected_has(const struct chip_expected *e, const char *stage,
                  const char *name)
{
   return find(e, stage, name) != NULL;
}

void
chip_expected_check(struct chip_expected *e, const char *stage,
                    const char *name, const struct util_dynarray *out)
{
   struct row *r = find(e, stage, name);
   const char *at = r->values;
   unsigned offset_B, value, used;
   r->seen = true;
   if (!strcmp(at, "hang")) {
      if (out)
         printf("%s: the chip hangs, the simulator does not\n", r->name);
      e->wrong += out != NULL;
      return;
   }
   while (sscanf(at, " %u=%x%n", &offset_B, &value, &used) == 2) {
      uint32_t is = 0;
      at += used;
      if (out && offset_B + 4ull <= out->size_B)
         memcpy(&is, (const char *)out->data + offset_B, 4);
      if (out && is == value)
         continue;
      printf("%s: byte %u: the chip has 0x%08x, the simulator %s0x%08x\n",
             r->name, offset_B, value, out ? "" : "hangs: ", is);
      e->wrong++;
   }
}

unsigned
chip_expected_finish(struct chip_expected *e, unsigned *wrong)
{
   unsigned missing = 0;
   util_dynarray_foreach(&e->rows, struct row, r) {
      if (!r->seen && wrong)
         printf("%s: there is no such case\n", r->name);
      missing += !r->seen;
   }
   if (wrong)
      *wrong = e->wrong;
   util_dynarray_fini(&e->rows);
   util_dynarray_fini(&e->text);
   free(e);
   return missing;
}
