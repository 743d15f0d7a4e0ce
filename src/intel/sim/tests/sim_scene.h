/* SPDX-License-Identifier: MIT */
/*
 * Scenes for tests of whole draws: vertices from a buffer without a vertex
 * shader, a pixel shader from assembly, a render target.
 *
 * The viewport maps clip space to as many pixels as the scene has, so that
 * the centre of pixel (x, y) of 64 by 64 is at (x + 0.5, y + 0.5) / 32 - 1.
 */
#ifndef SIM_SCENE_H
#define SIM_SCENE_H

#include "intel/isl/isl.h"
#include "sim_batch.h"

#define VERTICES 0x10000000ull
#define PROGRAM 0x10100000ull
#define DYNAMIC 0x10200000ull
#define SURFACES 0x10300000ull
#define TARGET 0x11000000ull
#define DEPTH 0x12000000ull
#define STENCIL 0x13000000ull
#define TEXTURE 0x14000000ull
#define SCRATCH 0x15000000ull

#define SCRATCH_B 1024u /* of a pixel shader's thread */

#define SIZE 64u

/* Offsets in the dynamic state. */
enum {
   AT_SF_CLIP = 0x000,
   AT_CC_VIEWPORT = 0x040,
   AT_SCISSOR = 0x080,
   AT_BLEND = 0x100,
   AT_COLOR_CALC = 0x180,
   AT_SAMPLER = 0x200,
   AT_CONSTANTS = 0x240,
};

struct vertex {
   float x, y, z, w, attr[4];
};

/* In the buffers of the target and of depth. */
#define MCS_OFFSET 0x200000
#define HIZ_OFFSET 0x100000

/* What a test changes; zero is the plain case. */
struct setup {
   const char *program;
   const char *narrow;     /* for eight channels, beside one for sixteen */
   unsigned size;          /* pixels across and down; 0: SIZE */
   unsigned height;        /* of the target; 0: size */
   enum isl_format format; /* 0: R8G8B8A8_UNORM */
   unsigned samples;       /* 0: 1 */
   unsigned forced;        /* FSC_* */
   bool simd16, simd32, flat, discards, stencils;
   bool depth, stencil, hiz;
   bool mcs;       /* or, with one sample, a CCS */
   unsigned early; /* EDSC_* */
   struct GEN9_BLEND_STATE blend_common;
   struct GEN9_COLOR_CALC_STATE color_calc;
   struct GEN9_BLEND_STATE_ENTRY blend;
   struct GEN9_3DSTATE_WM_DEPTH_STENCIL ds;
   bool scissor;
   bool spills;       /* there is scratch space for 64 threads */
   unsigned rounding; /* of the pixel shader's floats */
};

struct scene {
   struct batch b;
   struct test_bo vertices, program, dynamic, surfaces, target, depth,
      stencil, texture;
   struct isl_surf target_surf, texture_surf;
   unsigned size, num_vertices;
};

/* The colour is the attribute; in eight, sixteen, and thirty-two channels. */
extern const char color_text[], color16_text[], color32_text[];
/* Reads the target and adds the attribute. */
extern const char read_text[];
/* Counts the pixels at DATA + 16: an atomic increment of each. */
extern const char count_text[];
/* One half, one, zero, one, as half floats of sixteen pixels. */
extern const char half_text[];
/* Samples binding table entry 1 at the attribute. */
extern const char texture_text[];
/* The colour is the attribute, by way of scratch space. */
extern const char spill_text[];

const struct intel_device_info *skl(void);

/* All state for `u`; draws follow. */
struct scene scene_start(void **state, const struct setup *u);
/* Assembles a program to PROGRAM + offset_B; the pixel shader is at 0. */
void scene_program(struct scene *s, unsigned offset_B, const char *text);
void scene_draw(struct scene *s, uint32_t topology, const struct vertex *v,
                unsigned n);
/* Two triangles over all pixels at depth z, in one colour. */
void scene_fill(struct scene *s, float z, float r, float g, float b, float a);

/* A texture of R8G8B8A8_UNORM in binding table entry 1, `size` texels across
 * and down. */
void scene_texture(struct scene *s, unsigned size, uint64_t address);

#endif
