/* SPDX-License-Identifier: MIT */
/*
 * Patches for tests: vertices that are not shaded, a hull and a domain shader
 * from assembly, stream output that shows what comes out.
 */
#ifndef SIM_PATCHES_H
#define SIM_PATCHES_H

#include "intel/isl/isl.h"
#include "sim_batch.h"

#define VERTICES 0x10000000ull
#define SO 0x10200000ull
#define CONSTANTS 0x10800000ull
#define PROGRAMS 0x10900000ull

#define SO_SIZE_B (4096 * 1024)
#define VERTEX_DW 8 /* of stream output: position, first attribute */

/* Offsets from the instruction base. */
#define PROGRAM_B 16384
#define HS_AT 0
#define DS_AT PROGRAM_B
#define GS_AT (2 * PROGRAM_B)

struct pipe {
   struct batch b;
   struct test_bo vertices, so, constants, programs;
};

/* A new device: counters are zero, and no context is lost. */
void restart(void **state);

/* Assembles a program, of PROGRAM_B at the most, to PROGRAMS + offset_B. */
void program(struct pipe *p, unsigned offset_B, const char *text);

/* All but the shaders and the tessellator. Vertices are an element of zeros
 * and one of four floats: number, 2 times number, 3 times number, 1;
 * registers 1 and 2 of what comes out are captured. */
struct pipe pipe_start(void **state);

/* A register is pushed to the hull shader, after four: what set_header() has
 * put there. */
#define HS_GRF 5
void set_header(struct pipe *p, const float header[8]);
void emit_hs_constants(struct pipe *p);

void emit_hs(struct pipe *p, unsigned instances);
void emit_te(struct pipe *p, uint32_t domain, uint32_t partitioning,
             uint32_t topology);
void emit_ds(struct pipe *p, bool w);
void draw_patches(struct pipe *p, unsigned control_points, unsigned patches);

/* Patches, points and captured primitives to DATA, 8 bytes each. */
void save_statistics(struct pipe *p);

float so_float(const struct pipe *p, unsigned vertex, unsigned component);

/* Broadcasts the constants to the header of the record in r10. */
#define HS_WRITE_HEADER(end)                                                 \
   "mov (8|M0) r112.0<1>:ud r10.0<8;8,1>:ud\n"                               \
   "mov (8|M0) r113.0<1>:ud r5.0<0;1,0>:ud\n"                                \
   "mov (8|M0) r114.0<1>:ud r5.1<0;1,0>:ud\n"                                \
   "mov (8|M0) r115.0<1>:ud r5.2<0;1,0>:ud\n"                                \
   "mov (8|M0) r116.0<1>:ud r5.3<0;1,0>:ud\n"                                \
   "mov (8|M0) r117.0<1>:ud r5.4<0;1,0>:ud\n"                                \
   "mov (8|M0) r118.0<1>:ud r5.5<0;1,0>:ud\n"                                \
   "mov (8|M0) r119.0<1>:ud r5.6<0;1,0>:ud\n"                                \
   "mov (8|M0) r120.0<1>:ud r5.7<0;1,0>:ud\n"                                \
   "send (8|M0) null r112 " end "\n"

/* The end of a domain shader. Position: u, v, w, primitive id; attribute: the
 * first dwords that are pushed of the patch, but `third`. `entries` has the
 * vertices' handles. */
#define DS_WRITE(entries, third)                                             \
   "mov (8|M0) r112.0<1>:ud " entries ".0<8;8,1>:ud\n"                       \
   "mov (8|M0) r113.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r114.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r115.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r116.0<1>:ud 0x0:ud\n"                                        \
   "mov (8|M0) r117.0<1>:ud r1.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r118.0<1>:ud r2.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r119.0<1>:ud r3.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r120.0<1>:ud r0.1<0;1,0>:ud\n"                                \
   "send (8|M0) null r112 0x6 0x12080007\n"                                  \
   "mov (8|M0) r121.0<1>:ud " entries ".0<8;8,1>:ud\n"                       \
   "mov (8|M0) r122.0<1>:ud r5.0<0;1,0>:ud\n"                                \
   "mov (8|M0) r123.0<1>:ud r5.1<0;1,0>:ud\n"                                \
   "mov (8|M0) r124.0<1>:ud " third ":ud\n"                                  \
   "mov (8|M0) r125.0<1>:ud r5.3<0;1,0>:ud\n"                                \
   "send (8|M0) null r121 0x26 0x0A080027 {EOT}\n"

/* The same of a thread of two vertices; `second` is the attribute of the
 * second one. */
#define DS_WRITE_4X2(second)                                                 \
   "(W) mov (8|M0) r112.0<1>:ud r0.0<8;8,1>:ud\n"                            \
   "(W) mov (1|M0) r112.5<1>:ud 0xFF00:ud\n"                                 \
   "(W) mov (8|M0) r113.0<1>:ud 0x0:ud\n"                                    \
   "(W) mov (8|M0) r114.0<1>:ud r1.0<8;8,1>:ud\n"                            \
   "(W) mov (1|M0) r114.3<1>:ud r1.7<0;1,0>:ud\n"                            \
   "(W) mov (4|M0) r115.0<1>:ud r2.0<4;4,1>:ud\n"                            \
   "(W) mov (4|M0) r115.4<1>:ud " second "<4;4,1>:ud\n"                      \
   "send (8|M0) null r112 0x26 0x08088000 {EOT}\n"

/* Positions of the control points to the record, after its header: read with
 * the handles in r1, written with an offset for each channel. */
extern const char hs_text[];
/* Three instances, each of which writes its number after the header; then
 * all wait, and the first dwords become their sum, and what is pushed of
 * three control points. */
extern const char hs_barrier_text[];
/* The first instance goes past the barrier. */
extern const char hs_lost_text[];
/* Eight patches of two control points: the second one's position is pushed,
 * of the first one there are handles. */
extern const char hs_8_text[];
/* A domain shader that is nothing but this end. */
extern const char ds_text[];

#endif
