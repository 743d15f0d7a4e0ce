/* SPDX-License-Identifier: MIT */
/*
 * A pipe without a vertex shader, for tests of the front end: what is fetched
 * is the vertex. The rasteriser is replaced by one that records what comes
 * out of the clipper.
 */
#ifndef SIM_PIPE_H
#define SIM_PIPE_H

#include "intel/sim/raster/raster.h"
#include "sim_batch.h"

struct seen {
   enum sim_prim_kind kind;
   uint32_t v[3][16], provoking[16];
   float b[3][2][2];
   bool clipped, restarts_stipple;
   unsigned edges;
   uint32_t id;
};

extern struct seen seen[1024];
extern unsigned num_seen;

#define VERTICES 0x10000000ull
#define INDICES 0x10100000ull
#define SO 0x10200000ull
#define DYNAMIC 0x10300000ull
#define PROGRAM 0x10400000ull

struct pipe {
   struct batch b;
   struct test_bo vertices, indices, so, dynamic, program;
   struct GEN9_VERTEX_ELEMENT_STATE element[8];
   unsigned num_elements;
};

struct pipe pipe_start(void **state);

#define SRC                                                                  \
   VFCOMP_STORE_SRC, VFCOMP_STORE_SRC, VFCOMP_STORE_SRC, VFCOMP_STORE_SRC
#define ZERO VFCOMP_STORE_0, VFCOMP_STORE_0, VFCOMP_STORE_0, VFCOMP_STORE_0

void pipe_element(struct pipe *p, uint32_t format, unsigned buffer,
                  unsigned offset, unsigned c0, unsigned c1, unsigned c2,
                  unsigned c3);
void pipe_emit_elements(struct pipe *p);
void pipe_vertex_buffer(struct pipe *p, unsigned index, uint64_t address,
                        unsigned size_B, unsigned pitch_B);

/* Captures all of vertex registers 0 and 1: eight dwords a vertex. */
void pipe_capture(struct pipe *p, unsigned size_B);

void pipe_draw(struct pipe *p, uint32_t topology, unsigned count);

/* Assembles the program at PROGRAM. */
void pipe_program(struct pipe *p, const char *text);

/*
 * Ends the batch, and runs it for two seconds with random damage to it or to
 * the first `program_dw` dwords of the program. Every run must end, and some
 * with a report.
 */
void pipe_run_damaged(struct pipe *p, unsigned program_dw);

#endif
