/* SPDX-License-Identifier: MIT */
/*
 * Instructions on doubles in SIMD4x2: which swizzles and write masks one of
 * them has, and how few are needed for those that it has not.
 *
 * In Align16 a row of 16 bytes feeds two channels, and a swizzle of two
 * selectors picks from it: X and Z share one of them, Y and W the other, and
 * the write mask cannot name {x, y} or {z, w} (docs/eu-fp64-facts.rst, 1.4).
 * In Align1 there is no write mask, but other regions. What a source can be
 * in one instruction is a table that the build makes (vec4_dswizzle.py);
 * vec4_dsplit() finds the fewest instructions that together do all.
 *
 * Registers stay out of this: a source is a layout and a swizzle.
 */
#ifndef VEC4_DSWIZZLE_H
#define VEC4_DSWIZZLE_H

#include "intel/isa/isa.h"
#include "util/macros.h"

/* Where the doubles of a source lie. */
enum vec4_dlayout {
   VEC4_DLAYOUT_VECTOR,      /* vertex after vertex, each in a GRF */
   VEC4_DLAYOUT_EVEN,        /* one vector for both vertices, in a GRF */
   VEC4_DLAYOUT_ODD,         /* the same from byte 16 of a GRF on */
   VEC4_DLAYOUT_INTERLEAVED, /* XY in a half GRF, ZW in that of the next */
   VEC4_DLAYOUT_COUNT,
};

enum vec4_dmode {
   VEC4_DALIGN16_8, /* both vertices in one instruction */
   VEC4_DALIGN16_4, /* one instruction a vertex */
   VEC4_DALIGN1_8,
   VEC4_DALIGN1_4,
   VEC4_DMODE_COUNT,
};

static inline bool
vec4_dmode_is_align16(enum vec4_dmode mode)
{
   return mode == VEC4_DALIGN16_8 || mode == VEC4_DALIGN16_4;
}

/* Doubles in an instruction. */
static inline unsigned
vec4_dmode_channels(enum vec4_dmode mode)
{
   return mode == VEC4_DALIGN16_8 || mode == VEC4_DALIGN1_8 ? 8 : 4;
}

/* One form of a source. Strides count doubles, on ivb, too. */
struct vec4_dform {
   uint8_t mode;      /* enum vec4_dmode */
   uint8_t offset_B;  /* from the start of the vertex' vector */
   uint8_t vs, w, hs; /* Align16: vs only, 2 or 0 */
   uint8_t swz;       /* Align16: the hardware's, of dwords */
   uint8_t reads;     /* the component for each channel, as a swizzle */
   bool packed;       /* Align16 with whole vectors in order: three sources
                        have no other */
};

struct vec4_dform_table {
   const struct vec4_dform *forms;
   unsigned count;
};

extern const struct vec4_dform_table vec4_dforms[ISA_GEN_COUNT]
                                                [VEC4_DLAYOUT_COUNT];

#define VEC4_DMAX_SRCS 3

struct vec4_dproblem {
   enum isa_gen gen;
   uint8_t mask;  /* components to write */
   uint8_t spare; /* those that may have any value afterwards */
   uint8_t num_srcs;
   bool no_align1;     /* predicates that Align1 lacks, or no such form */
   bool no_eight;      /* one vertex at a time */
   bool no_eight16;    /* in Align16 */
   bool three_sources; /* the format has no vertical stride */
   /* What a piece writes beside what it has to must not matter: no, where
    * pieces read what others write in ways unknown here. */
   bool no_scratch;
   struct {
      enum vec4_dlayout layout;
      uint8_t swizzle;
      bool is_dst;  /* is the destination: the same bytes */
      bool one_row; /* of slots: there is no Z and no W */
   } src[VEC4_DMAX_SRCS];
};

struct vec4_dpiece {
   enum vec4_dmode mode;
   uint8_t mask; /* as the instruction has it: never 0x3 or 0xc */
   const struct vec4_dform *src[VEC4_DMAX_SRCS]; /* NULL: layout unused */
};

#define VEC4_DMAX_PIECES 4

struct vec4_dplan {
   unsigned num_pieces;
   unsigned instructions; /* pieces of one vertex count twice */
   struct vec4_dpiece piece[VEC4_DMAX_PIECES];
};

/*
 * The pieces, in their order. A later one may write over what an earlier
 * one left wrong. False: there is none, as sources overwrite each other; a
 * copy of such a source is needed.
 */
bool vec4_dsplit(const struct vec4_dproblem *problem,
                 struct vec4_dplan *plan);

#endif
