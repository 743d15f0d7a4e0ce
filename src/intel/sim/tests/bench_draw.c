/* SPDX-License-Identifier: MIT */
/*
 * Pixels a second of whole draws, with one host thread and with as many as
 * there are CPUs (or SAFFRON_SIM_THREADS), in turns; medians of five rounds.
 */
#include <stdio.h>
#include <time.h>

#include "intel/sim/cs/pool.h"
#include "sim_scene.h"

#define ROUNDS 5
#define PIXELS 512u /* across and down */
#define FILLS 8
#define SHORT 32 /* times that a short batch is run */

struct row {
   const char *name;
   struct setup setup;
   unsigned columns; /* of triangles; 0: two over all */
};

static const struct row rows[] = {
   { "fill", { .program = color16_text, .simd16 = true }, 0 },
   { "fill, depth test", {
      .program = color16_text, .simd16 = true, .depth = true,
      .ds = { .DepthTestEnable = true, .DepthBufferWriteEnable = true,
              .DepthTestFunction = COMPAREFUNCTION_GEQUAL } }, 0 },
   { "fill, blended", {
      .program = color16_text, .simd16 = true,
      .blend = { .ColorBufferBlendEnable = true,
                 .SourceBlendFactor = BLENDFACTOR_SRC_ALPHA,
                 .DestinationBlendFactor = BLENDFACTOR_INV_SRC_ALPHA,
                 .SourceAlphaBlendFactor = BLENDFACTOR_ONE,
                 .DestinationAlphaBlendFactor = BLENDFACTOR_ZERO } }, 0 },
   { "128 triangles", {
      .program = color16_text, .simd16 = true }, 64 },
   { "two triangles, 100 pixels", {
      .program = color16_text, .simd16 = true, .scissor = true }, 0 },
};

/* A strip across the screen: `columns` squares of two triangles, again and
 * again. */
static void
draw_strip(struct scene *s, unsigned columns)
{
   struct vertex v[2 * 64 + 2];
   for (unsigned i = 0; i <= columns; i++) {
      for (unsigned k = 0; k < 2; k++) {
         v[2 * i + k] = (struct vertex){
            -1 + 2.0f * i / columns, -1 + 2.0f * k / columns, 0.5f, 1,
            { 0.5f, 0.25f, 0.125f, 0.5f } };
      }
   }
   scene_draw(s, _3DPRIM_TRISTRIP, v, 2 * columns + 2);
}

/* Nanoseconds of a batch. */
static double
run_once(const struct row *row, unsigned threads)
{
   char number[16];
   void *state;
   struct timespec from, to;
   snprintf(number, sizeof(number), "%u", threads);
   setenv("SAFFRON_SIM_THREADS", number, 1);
   f_setup(&state);
   struct setup u = row->setup;
   u.size = PIXELS;
   struct scene s = scene_start(&state, &u);
   for (unsigned i = 0; i < FILLS; i++) {
      if (row->columns)
         draw_strip(&s, row->columns);
      else
         scene_fill(&s, 0.5f, 0.5f, 0.25f, 0.125f, 0.5f);
   }
   *s.b.next++ = MI_BATCH_BUFFER_END;
   f_run(s.b.f, &s.b.bo); /* decodes the shader, touches the memory */
   clock_gettime(CLOCK_MONOTONIC, &from);
   for (unsigned i = 0; i < (row->columns || u.scissor ? SHORT : 1); i++)
      f_run(s.b.f, &s.b.bo);
   clock_gettime(CLOCK_MONOTONIC, &to);
   f_teardown(&state);
   return 1e9 * (double)(to.tv_sec - from.tv_sec) +
          (double)(to.tv_nsec - from.tv_nsec);
}

static int
compare(const void *a, const void *b)
{
   const double x = *(const double *)a, y = *(const double *)b;
   return x < y ? -1 : x > y;
}

int
main(void)
{
   struct sim_pool *pool = sim_pool_create();
   const unsigned threads = sim_pool_width(pool);
   sim_pool_destroy(pool);
   printf("%-32s %12s %12s %8s\n", "", "1 thread", "all threads", "ratio");
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      double ns[2][ROUNDS];
      for (unsigned k = 0; k < ROUNDS; k++) {
         ns[0][k] = run_once(&rows[i], 1);
         ns[1][k] = run_once(&rows[i], threads);
      }
      for (unsigned k = 0; k < 2; k++)
         qsort(ns[k], ROUNDS, sizeof(ns[k][0]), compare);
      const double one = ns[0][ROUNDS / 2], all = ns[1][ROUNDS / 2];
      if (rows[i].columns || rows[i].setup.scissor)
         printf("%-32s %9.1f us %9.1f us %8.2f\n", rows[i].name,
                one / 1e3 / SHORT / FILLS, all / 1e3 / SHORT / FILLS, one / all);
      else
         printf("%-32s %7.2f Mpx/s %6.2f Mpx/s %7.2f\n", rows[i].name,
                1e3 * FILLS * PIXELS * PIXELS / one,
                1e3 * FILLS * PIXELS * PIXELS / all, one / all);
   }
   printf("%u threads\n", threads);
   return 0;
}
