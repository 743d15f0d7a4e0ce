/* SPDX-License-Identifier: MIT */
/*
 * The best way through both lists: a step takes up to MAX_TAKEN draws of one
 * and a draw of the other, which gains by the part of the primitives that
 * has a counterpart, or leaves out a draw. Where one list ends, what is left
 * of the other has no counterpart. Of long lists only a band is looked at,
 * around the best place of the draw before.
 */
#include "trace_align.h"

#include <math.h>

#include "intel/genxml/gen9_pack.h"

#define MAX_TAKEN 6
#define BAND 1024
/* Of all bands in memory; of longer lists they are narrower. */
#define MAX_PLACES (32u << 20)
#define MIN_BAND 64u
#define NONE -INFINITY

static const float left_out = -0.3f, each_more = 0.02f;

enum draw_kind {
   KIND_NONE,
   KIND_POINTS,
   KIND_LINES,
   KIND_TRIANGLES,
   KIND_PATCHES,
   KIND_GROUPS, /* of compute threads */
};

struct work {
   enum draw_kind kind;
   double primitives;
};

/* Primitives are (vertices - less) / per * times. The numbers of topologies
 * are those of all generations. */
static const struct {
   enum draw_kind kind;
   uint8_t less, per, times;
} topologies[] = {
   [_3DPRIM_POINTLIST] = { KIND_POINTS, 0, 1, 1 },
   [_3DPRIM_LINELIST] = { KIND_LINES, 0, 2, 1 },
   [_3DPRIM_LINESTRIP] = { KIND_LINES, 1, 1, 1 },
   [_3DPRIM_TRILIST] = { KIND_TRIANGLES, 0, 3, 1 },
   [_3DPRIM_TRISTRIP] = { KIND_TRIANGLES, 2, 1, 1 },
   [_3DPRIM_TRIFAN] = { KIND_TRIANGLES, 2, 1, 1 },
   [_3DPRIM_QUADLIST] = { KIND_TRIANGLES, 0, 4, 2 },
   [_3DPRIM_QUADSTRIP] = { KIND_TRIANGLES, 2, 1, 1 },
   [_3DPRIM_LINELIST_ADJ] = { KIND_LINES, 0, 4, 1 },
   [_3DPRIM_LINESTRIP_ADJ] = { KIND_LINES, 3, 1, 1 },
   [_3DPRIM_TRILIST_ADJ] = { KIND_TRIANGLES, 0, 6, 1 },
   [_3DPRIM_TRISTRIP_ADJ] = { KIND_TRIANGLES, 4, 2, 1 },
   [_3DPRIM_TRISTRIP_REVERSE] = { KIND_TRIANGLES, 2, 1, 1 },
   [_3DPRIM_POLYGON] = { KIND_TRIANGLES, 2, 1, 1 },
   [_3DPRIM_RECTLIST] = { KIND_TRIANGLES, 0, 3, 2 },
   [_3DPRIM_LINELOOP] = { KIND_LINES, 0, 1, 1 },
   [_3DPRIM_TRIFAN_NOSTIPPLE] = { KIND_TRIANGLES, 2, 1, 1 },
};

static struct work
work_of(const struct trace_draw *d)
{
   const uint32_t t = d->topology;
   if (d->is_dispatch)
      return (struct work) { KIND_GROUPS,
                             ((double)d->start_instance - d->vertex_count) *
                                ((double)d->base_vertex - d->start_vertex) };
   if (t >= _3DPRIM_PATCHLIST_1 && t <= _3DPRIM_PATCHLIST_32)
      return (struct work) { KIND_PATCHES, (double)d->vertex_count /
                                              (t - _3DPRIM_PATCHLIST_1 + 1) *
                                              d->instance_count };
   if (t >= ARRAY_SIZE(topologies) || !topologies[t].kind)
      return (struct work) { KIND_NONE, d->vertex_count };
   const uint32_t less = MIN2(topologies[t].less, d->vertex_count);
   return (struct work) { topologies[t].kind,
                          (double)(d->vertex_count - less) /
                             topologies[t].per * topologies[t].times *
                             d->instance_count };
}

/* A row of the band: gains of having taken so many draws of the second list,
 * from `from` on, and the steps that led there. */
struct row {
   uint32_t from;
   float *gain;
   uint8_t *taken; /* draws of the first list, 16 times of the second */
};

struct aligner {
   const struct work *work[2];
   uint32_t count[2];
   uint32_t width; /* of each row */
   struct row *rows;
   float *gains;
   uint8_t *taken;
};

static float
gain_at(const struct aligner *a, uint32_t i, uint32_t j)
{
   const struct row *r = &a->rows[i];
   return j < r->from || j - r->from >= a->width ? NONE
                                                 : r->gain[j - r->from];
}

/* Of these draws beside each other; NONE: they cannot be. */
static float
gain_of(const struct aligner *a, uint32_t i, uint32_t ni, uint32_t j,
        uint32_t nj)
{
   const enum draw_kind kind = a->work[0][i].kind;
   double sum[2] = { 0 };
   for (uint32_t k = 0; k < ni; k++) {
      if (a->work[0][i + k].kind != kind)
         return NONE;
      sum[0] += a->work[0][i + k].primitives;
   }
   for (uint32_t k = 0; k < nj; k++) {
      if (a->work[1][j + k].kind != kind)
         return NONE;
      sum[1] += a->work[1][j + k].primitives;
   }
   const double most = fmax(sum[0], sum[1]);
   const double without = most > 0 ? fabs(sum[0] - sum[1]) / most : 0;
   if (without >= 0.25)
      return NONE;
   return (float)(1 - 4 * without) - each_more * (float)(ni + nj - 2);
}

static void
try_step(const struct aligner *a, uint32_t i, uint32_t j, uint32_t ni,
         uint32_t nj)
{
   struct row *r = &a->rows[i];
   if (ni > i || nj > j)
      return;
   const float before = gain_at(a, i - ni, j - nj);
   const float more = ni && nj ? gain_of(a, i - ni, ni, j - nj, nj)
                               : left_out;
   if (before + more > r->gain[j - r->from]) {
      r->gain[j - r->from] = before + more;
      r->taken[j - r->from] = (uint8_t)(ni | nj << 4);
   }
}

static void
fill_row(struct aligner *a, uint32_t i, uint32_t center)
{
   struct row *r = &a->rows[i];
   const uint32_t half = a->width / 2;
   const uint32_t end = a->count[1] + 1;
   const uint32_t last = end > a->width ? end - a->width : 0;
   r->from = i && a->rows[i - 1].from > center - MIN2(center, half)
                ? a->rows[i - 1].from
                : MIN2(center - MIN2(center, half), last);
   r->gain = a->gains + (size_t)i * a->width;
   r->taken = a->taken + (size_t)i * a->width;
   for (uint32_t j = r->from; j < MIN2(r->from + a->width, end); j++) {
      r->gain[j - r->from] = i || j ? NONE : 0;
      try_step(a, i, j, 0, 1);
      try_step(a, i, j, 1, 0);
      for (uint32_t n = 1; n <= MAX_TAKEN; n++) {
         try_step(a, i, j, n, 1);
         try_step(a, i, j, 1, n);
      }
   }
}

static uint32_t
best_of(const struct aligner *a, uint32_t i)
{
   const struct row *r = &a->rows[i];
   uint32_t best = r->from;
   for (uint32_t j = r->from; j < MIN2(r->from + a->width, a->count[1] + 1);
        j++) {
      if (gain_at(a, i, j) > gain_at(a, i, best))
         best = j;
   }
   return best;
}

/* Where the best way ends: one of the lists does. */
static void
find_end(const struct aligner *a, uint32_t *i, uint32_t *j)
{
   *i = a->count[0];
   *j = best_of(a, a->count[0]);
   for (uint32_t k = 0; k < a->count[0]; k++) {
      if (gain_at(a, k, a->count[1]) <= gain_at(a, *i, *j))
         continue;
      *i = k;
      *j = a->count[1];
   }
}

static void
find_way(struct aligner *a, struct util_dynarray *groups)
{
   uint32_t center = 0, i, j;
   for (i = 0; i <= a->count[0]; i++) {
      fill_row(a, i, center);
      center = best_of(a, i);
   }
   find_end(a, &i, &j);
   const struct trace_group rest[] = {
      { { i, j }, { a->count[0] - i, 0 } },
      { { a->count[0], j }, { 0, a->count[1] - j } },
   };
   struct util_dynarray back = { 0 };
   while (i || j) {
      const uint8_t t = a->rows[i].taken[j - a->rows[i].from];
      const uint32_t ni = t & 15, nj = t >> 4;
      i -= ni;
      j -= nj;
      util_dynarray_append(&back, struct trace_group,
                           ((struct trace_group) { { i, j }, { ni, nj } }));
   }
   while (back.size_B)
      util_dynarray_append(groups, struct trace_group,
                           util_dynarray_pop(&back, struct trace_group));
   for (unsigned k = 0; k < 2; k++) {
      if (rest[k].count[k])
         util_dynarray_append(groups, struct trace_group, rest[k]);
   }
   util_dynarray_fini(&back);
}

static struct work *
list_work(const struct trace_file *f, uint32_t count)
{
   struct work *w = malloc(MAX2(count, 1u) * sizeof(*w));
   for (uint32_t i = 0; w && i < count; i++)
      w[i] = work_of(
         &util_dynarray_element(&f->draws, struct trace_file_draw, i)->head);
   return w;
}

bool
trace_align(const struct trace_file *const files[2],
            struct util_dynarray *groups)
{
   struct aligner a = { 0 };
   for (unsigned i = 0; i < 2; i++)
      a.count[i] = (uint32_t)util_dynarray_num_elements(
         &files[i]->draws, struct trace_file_draw);
   const size_t rows = (size_t)a.count[0] + 1;
   const uint32_t most = MAX2(MIN_BAND, (uint32_t)(MAX_PLACES / rows));
   a.width = MIN2(a.count[1] + 1, MIN2(most, BAND));
   struct work *work[] = { list_work(files[0], a.count[0]),
                           list_work(files[1], a.count[1]) };
   a.work[0] = work[0];
   a.work[1] = work[1];
   a.rows = calloc(rows, sizeof(*a.rows));
   a.gains = malloc(rows * a.width * sizeof(*a.gains));
   a.taken = malloc(rows * a.width);
   const bool ok = work[0] && work[1] && a.rows && a.gains && a.taken;
   if (ok)
      find_way(&a, groups);
   free(work[0]);
   free(work[1]);
   free(a.rows);
   free(a.gains);
   free(a.taken);
   return ok;
}
