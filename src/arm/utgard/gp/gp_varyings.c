/* SPDX-License-Identifier: MIT */
/*
 * Where outputs go. The position is varying 0, the others follow by slot, one
 * each. If that is more than the machine has, they share varyings as OpenGL
 * ES 2 counts them (GLSL ES 1.00.17, appendix A.7): into a grid of vec4 rows
 * go first what has four components, then three, two, one; arrays take the
 * same columns of rows that follow each other. What is two wide goes to the
 * left half from the top down, else to the right half from the bottom up; a
 * float into the column with the smallest gap that holds it.
 */
#include "gp_build.h"
#include "gp_compiler.h"

#define ROWS GPC_MAX_VARYINGS

/* Slots that stay together. */
struct output {
   const nir_variable *var;
   unsigned slot, rows, width;
};

/* What is neither position nor point size nor interpolated has a unit of its
 * own in other machines. */
static bool
is_varying(unsigned slot)
{
   switch (slot) {
   case VARYING_SLOT_CLIP_DIST0:
   case VARYING_SLOT_CLIP_DIST1:
   case VARYING_SLOT_CULL_DIST0:
   case VARYING_SLOT_CULL_DIST1:
   case VARYING_SLOT_LAYER:
   case VARYING_SLOT_VIEWPORT: return false;
   default: return true;
   }
}

/* Whether another variable lies in a slot, or the variable in a part of it:
 * such slots are whole. */
static bool
is_shared(const struct gpc_build *b, const nir_variable *var, unsigned rows)
{
   const int first = var->data.location;

   if (var->data.location_frac || first == VARYING_SLOT_PSIZ)
      return true;
   nir_foreach_variable_with_modes(other, b->nir, nir_var_shader_out) {
      const int n = (int)glsl_count_vec4_slots(other->type, false, false);
      if (other != var && other->data.location < first + (int)rows &&
          first < other->data.location + n)
         return true;
   }
   return false;
}

static unsigned
width_of(const struct glsl_type *type)
{
   const struct glsl_type *element = glsl_without_array(type);

   return glsl_type_is_struct_or_ifc(element)
             ? 4
             : glsl_get_vector_elements(element);
}

/* By slot; of those that share a slot the first. The number. */
static unsigned
list_outputs(const struct gpc_build *b, struct output *list)
{
   uint64_t seen = 1ull << VARYING_SLOT_POS;
   unsigned n = 0;

   for (unsigned slot = 0; slot < 64; slot++) {
      nir_foreach_variable_with_modes(var, b->nir, nir_var_shader_out) {
         const unsigned rows = glsl_count_vec4_slots(var->type, false, false);
         const unsigned first = (unsigned)var->data.location;
         if (slot < first || slot >= first + rows || !is_varying(first) ||
             seen >> slot & 1)
            continue;
         const bool whole = is_shared(b, var, rows);
         list[n].var = var;
         list[n].slot = slot;
         list[n].rows = whole ? 1 : rows;
         list[n].width = whole ? 4 : width_of(var->type);
         for (unsigned i = 0; i < list[n].rows && slot + i < 64; i++)
            seen |= 1ull << (slot + i);
         n++;
      }
   }
   return n;
}

/* ---- the grid ---- */

static bool
is_free(const uint8_t *grid, unsigned row, unsigned rows, unsigned mask)
{
   if (row + rows > ROWS)
      return false;
   for (unsigned i = 0; i < rows; i++) {
      if (grid[row + i] & mask)
         return false;
   }
   return true;
}

/* The first row from the top, or from the bottom; -1: none. */
static int
find_rows(const uint8_t *grid, unsigned rows, unsigned mask, bool from_bottom)
{
   for (unsigned i = 0; i < ROWS; i++) {
      const unsigned row = from_bottom ? ROWS - 1 - i : i;
      if (is_free(grid, row, rows, mask))
         return (int)row;
   }
   return -1;
}

/* The gap around a row of a column. */
static unsigned
gap_at(const uint8_t *grid, unsigned row, unsigned column)
{
   unsigned first = row, end = row;

   while (first && !(grid[first - 1] >> column & 1))
      first--;
   while (end < ROWS && !(grid[end] >> column & 1))
      end++;
   return end - first;
}

static int
find_column(const uint8_t *grid, unsigned rows, unsigned *column)
{
   unsigned best = UINT32_MAX;
   int found = -1;

   for (unsigned c = 0; c < 4; c++) {
      for (unsigned row = 0; row < ROWS; row++) {
         if (!is_free(grid, row, rows, 1u << c) ||
             gap_at(grid, row, c) >= best)
            continue;
         best = gap_at(grid, row, c);
         found = (int)row;
         *column = c;
      }
   }
   return found;
}

static int
find_place(const uint8_t *grid, const struct output *o, unsigned *column)
{
   int row;

   *column = 0;
   if (o->width == 1)
      return find_column(grid, o->rows, column);
   row = find_rows(grid, o->rows, BITFIELD_MASK(o->width), false);
   if (row < 0 && o->width == 2) {
      *column = 2;
      row = find_rows(grid, o->rows, 0xc, true);
   }
   return row;
}

/* Wide ones first, of one width those with most rows. */
static int
compare_outputs(const void *x, const void *y)
{
   const struct output *a = x, *b = y;

   if (a->width != b->width)
      return a->width > b->width ? -1 : 1;
   if (a->rows != b->rows)
      return a->rows > b->rows ? -1 : 1;
   return a->slot < b->slot ? -1 : a->slot > b->slot;
}

static bool
pack(struct gpc_program *p, struct output *list, unsigned n)
{
   uint8_t grid[ROWS] = { 0xf }; /* the position */

   qsort(list, n, sizeof(*list), compare_outputs);
   for (unsigned i = 0; i < n; i++) {
      unsigned column;
      const int row = find_place(grid, &list[i], &column);
      if (row < 0)
         return false;
      for (unsigned k = 0; k < list[i].rows; k++) {
         grid[row + (int)k] |=
            (uint8_t)(BITFIELD_MASK(list[i].width) << column);
         p->varying[list[i].slot + k] = (uint8_t)(row + (int)k);
         p->varying_comp[list[i].slot + k] = (uint8_t)column;
      }
   }
   for (unsigned i = 1; i < ROWS; i++) {
      if (grid[i])
         p->num_varyings = i + 1;
   }
   return true;
}

/* ---- all of it ---- */

bool
gpc_assign_varyings(struct gpc_build *b)
{
   struct gpc_program *p = b->program;
   struct output list[64];
   const unsigned n = list_outputs(b, list);
   unsigned rows = 1;

   memset(p->varying, GPC_NO_VARYING, sizeof(p->varying));
   p->varying[VARYING_SLOT_POS] = 0;
   p->num_varyings = 1;
   for (unsigned i = 0; i < n; i++)
      rows += list[i].rows;
   if (rows > ROWS) {
      const nir_variable *last = n ? list[n - 1].var : NULL;
      if (pack(p, list, n))
         return true;
      gpc_error(b, NULL, "%u varyings of at most %u, the last in \"%s\"",
                rows, ROWS, last && last->name ? last->name : "");
      return false;
   }
   for (unsigned i = 0; i < n; i++) {
      for (unsigned k = 0; k < list[i].rows; k++)
         p->varying[list[i].slot + k] = (uint8_t)p->num_varyings++;
   }
   return true;
}
