/* SPDX-License-Identifier: MIT */
/*
 * Whole draws, with one host thread and with as many as there are CPUs (or
 * SAFFRON_SIM_THREADS), in turns; the fastest of seven rounds, as what else
 * the host does only ever makes one slower. A short batch is run again and
 * again, for SAMPLE_NS: how fast the host wakes the thread that runs batches
 * varies more than what is measured.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "intel/sim/gpu/pool.h"
#include "intel/sim/tests/sim_patches.h"
#include "intel/sim/tests/sim_scene.h"
#include "util/strbuf.h"

#define ROUNDS 7
#define SAMPLE_NS 100e6
#define PIXELS 512u /* across and down */
#define DRAWS 8

enum stage { PIXEL, HULL, DOMAIN, GEOMETRY };

struct row {
   const char *name;
   struct setup setup;
   unsigned columns; /* of triangles; 0: two over all */
   enum stage stage; /* that does the work; all but PIXEL: no pixels */
};

/* clang-format off */
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
   { "fill, spilling", { .program = spill_text, .spills = true }, 0 },
   { "128 triangles", {
      .program = color16_text, .simd16 = true }, 64 },
   { "two triangles, 100 pixels", {
      .program = color16_text, .simd16 = true, .scissor = true }, 0 },
   { "200 patches, hull shader", { 0 }, 0, HULL },
   { "200 patches, domain shader", { 0 }, 0, DOMAIN },
   { "2000 points, geometry shader", { 0 }, 0, GEOMETRY },
};
/* clang-format on */

/* A strip across the screen: `columns` squares of two triangles, again and
 * again. */
static void
draw_strip(struct scene *s, unsigned columns)
{
   struct vertex v[2 * 64 + 2];
   for (unsigned i = 0; i <= columns; i++) {
      for (unsigned k = 0; k < 2; k++) {
         v[2 * i + k] = (struct vertex) { -1 + 2.0f * i / columns,
                                          -1 + 2.0f * k / columns,
                                          0.5f,
                                          1,
                                          { 0.5f, 0.25f, 0.125f, 0.5f } };
      }
   }
   scene_draw(s, _3DPRIM_TRISTRIP, v, 2 * columns + 2);
}

static struct batch
make_pixels(void **state, const struct row *row)
{
   struct setup u = row->setup;
   u.size = PIXELS;
   struct scene s = scene_start(state, &u);
   for (unsigned i = 0; i < DRAWS; i++) {
      if (row->columns)
         draw_strip(&s, row->columns);
      else
         scene_fill(&s, 0.5f, 0.5f, 0.25f, 0.125f, 0.5f);
   }
   return s.b;
}

/* The program, after some work if it is that of the stage. */
static void
put_program(struct pipe *p, unsigned at_B, bool works, const char *text)
{
   struct strbuf s = { 0 };
   for (unsigned i = 0; i < 250 && works; i++)
      strbuf_puts(&s, "add (8|M0) r60.0<1>:f r60.0<8;8,1>:f 0.25:f\n");
   strbuf_puts(&s, text);
   program(p, at_B, strbuf_str(&s));
   strbuf_fini(&s);
}

/* One vertex, of which only the number is written. */
static const char gs_text[] = "mov (8|M0) r112.0<1>:ud r1.0<8;8,1>:ud\n"
                              "mov (8|M0) r113.0<1>:ud 0x1:ud\n"
                              "send (8|M0) null r112 0x26 0x04080007 {EOT}\n";

static void
add_geometry(struct pipe *p)
{
   struct batch *b = &p->b;
   put_program(p, GS_AT, true, gs_text);
   EMIT(b, 3DSTATE_URB_VS, .VSNumberofURBEntries = 1000,
        .VSURBEntryAllocationSize = 0);
   EMIT(b, 3DSTATE_URB_GS, .GSURBStartingAddress = 20,
        .GSNumberofURBEntries = 1000, .GSURBEntryAllocationSize = 2);
   EMIT(b, 3DSTATE_GS, .Enable = true, .KernelStartPointer = GS_AT,
        .DispatchMode = DISPATCH_MODE_SIMD8, .ExpectedVertexCount = 1,
        .OutputTopology = _3DPRIM_POINTLIST, .OutputVertexSize = 2,
        .VertexURBEntryReadLength = 1,
        .DispatchGRFStartRegisterForURBData = 2);
   EMIT(b, 3DSTATE_VF_TOPOLOGY, .PrimitiveTopologyType = _3DPRIM_POINTLIST);
}

static void
add_tessellation(struct pipe *p, enum stage stage)
{
   static const float factors[8] = { 0, 0, 4, 4, 4, 4, 4, 4 };
   set_header(p, factors);
   put_program(p, HS_AT, stage == HULL, hs_text);
   put_program(p, DS_AT, stage == DOMAIN, ds_text);
   emit_hs_constants(p);
   emit_hs(p, 1);
   emit_te(p, TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER, OUTPUT_POINT);
   emit_ds(p, false);
}

static struct batch
make_geometry(void **state, const struct row *row)
{
   f_reset_bos(*state);
   struct pipe p = pipe_start(state);
   struct batch *b = &p.b;
   EMIT(b, 3DSTATE_STREAMOUT, .ForceRendering = SO_Force_Off);
   EMIT(b, 3DSTATE_URB_VS, .VSNumberofURBEntries = 512,
        .VSURBEntryAllocationSize = 0);
   EMIT(b, 3DSTATE_URB_HS, .HSURBStartingAddress = 4,
        .HSNumberofURBEntries = 200, .HSURBEntryAllocationSize = 2);
   EMIT(b, 3DSTATE_URB_DS, .DSURBStartingAddress = 10,
        .DSNumberofURBEntries = 1000, .DSURBEntryAllocationSize = 0);
   if (row->stage == GEOMETRY)
      add_geometry(&p);
   else
      add_tessellation(&p, row->stage);
   for (unsigned i = 0; i < DRAWS; i++) {
      if (row->stage == GEOMETRY)
         EMIT(b, 3DPRIMITIVE, .VertexCountPerInstance = 2000,
              .InstanceCount = 1);
      else
         draw_patches(&p, 1, 200);
   }
   return p.b;
}

/* Nanoseconds of a batch. */
static double
run_once(const struct row *row, unsigned threads)
{
   char number[16];
   void *state;
   struct timespec from, to;
   double ns;
   unsigned n = 0;
   snprintf(number, sizeof(number), "%u", threads);
   setenv("SAFFRON_SIM_THREADS", number, 1);
   f_setup(&state);
   struct batch b = row->stage == PIXEL ? make_pixels(&state, row)
                                        : make_geometry(&state, row);
   *b.next++ = MI_BATCH_BUFFER_END;
   f_run(b.f, &b.bo); /* decodes the shader, touches the memory */
   clock_gettime(CLOCK_MONOTONIC, &from);
   do {
      f_run(b.f, &b.bo);
      n++;
      clock_gettime(CLOCK_MONOTONIC, &to);
      ns = 1e9 * (double)(to.tv_sec - from.tv_sec) +
           (double)(to.tv_nsec - from.tv_nsec);
   } while (ns < SAMPLE_NS);
   if (b.f->num_reports)
      fail_msg("%s: %s", row->name, b.f->report);
   f_teardown(&state);
   return ns / n;
}

static double
fastest(const double ns[ROUNDS])
{
   double least = ns[0];
   for (unsigned k = 1; k < ROUNDS; k++)
      least = MIN2(least, ns[k]);
   return least;
}

/* Of all rows, or of those whose name has the first argument in it. */
int
main(int argc, char **argv)
{
   struct sim_pool *pool = sim_pool_create();
   const unsigned threads = sim_pool_width(pool);
   sim_pool_destroy(pool);
   printf("%-32s %12s %12s %8s\n", "", "1 thread", "all threads", "ratio");
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      double ns[2][ROUNDS];
      if (argc > 1 && !strstr(rows[i].name, argv[1]))
         continue;
      for (unsigned k = 0; k < ROUNDS; k++) {
         /* Each is first as often as the other one. */
         ns[k & 1][k] = run_once(&rows[i], k & 1 ? threads : 1);
         ns[~k & 1][k] = run_once(&rows[i], k & 1 ? 1 : threads);
      }
      const double one = fastest(ns[0]), all = fastest(ns[1]);
      if (rows[i].columns || rows[i].setup.scissor || rows[i].stage != PIXEL)
         printf("%-32s %9.1f us %9.1f us %8.2f\n", rows[i].name,
                one / 1e3 / DRAWS, all / 1e3 / DRAWS, one / all);
      else
         printf("%-32s %7.2f Mpx/s %6.2f Mpx/s %7.2f\n", rows[i].name,
                1e3 * DRAWS * PIXELS * PIXELS / one,
                1e3 * DRAWS * PIXELS * PIXELS / all, one / all);
   }
   printf("%u threads\n", threads);
   return 0;
}
