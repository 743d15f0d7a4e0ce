/* SPDX-License-Identifier: MIT */
/*
 * Auxiliary surfaces: what lies beside a surface and says how to read it.
 *
 *    MCS   of a multisampled colour surface: for each pixel, in which plane
 *          (slice) each sample's colour is; all ones: every sample has the
 *          clear colour
 *    CCS   of other colour surfaces: two bits (one before Gen9) for each pair
 *          of cache lines; 3 (1): its pixels have the clear colour. The
 *          compressed states of CCS_E are never written: a lossless
 *          compression that never compresses, so that nothing but fast
 *          clears differs from a surface without CCS
 *    HiZ   of depth buffers: sixteen bytes for 8x4 pixels, whose meaning is
 *          the hardware's own. Here: a mark that the pixels have the clear
 *          value; anything else: the depth buffer is valid
 *
 * Layouts: SKL PRM volume 7, "MCS Buffer for Render Target(s)" (alignment of
 * 128x64 pixels, fast clear and resolve rectangles), volume 12, "Planes"
 * (cache lines of the CCS), volume 7, "Hierarchical Depth Buffer".
 */
#ifndef SIM_COMPRESS_H
#define SIM_COMPRESS_H

#include "intel/sim/mem/mem.h"

struct sim_surface;

enum sim_aux_mode {
   SIM_AUX_NONE,
   SIM_AUX_MCS,
   SIM_AUX_CCS,
   SIM_AUX_HIZ,
};

/* Part of a decoded surface. */
struct sim_aux {
   enum sim_aux_mode mode;
   uint64_t address;
   uint32_t pitch_B;
   uint32_t qpitch_rows;      /* of the main surface's pixels */
   unsigned block_w, block_h; /* pixels of an element of a CCS */
   uint8_t block_w_log2, block_h_log2;
   unsigned element_bits;
   /* How much larger what a fast clear or resolve rectangle stands for is. */
   unsigned clear_w, clear_h, resolve_w, resolve_h;
   uint8_t clear_texel[16]; /* the clear colour in the format */
   uint32_t clear_rgba[4];  /* the same, as the sampler reads it */
};

/* ---- multisample control surfaces ---- */

#define SIM_MCS_MAX_SAMPLES 16

/* The control word of a pixel; false: a memory fault, in mem->fault. */
bool sim_mcs_read(const struct sim_surface *s, struct sim_mem *mem,
                  uint32_t x, uint32_t y, uint32_t slice, uint64_t *word);
bool sim_mcs_write(const struct sim_surface *s, struct sim_mem *mem,
                   uint32_t x, uint32_t y, uint32_t slice, uint64_t word);
bool sim_mcs_is_clear(unsigned num_samples, uint64_t word);
/* The plane of a sample; the word is not that of clear. */
unsigned sim_mcs_plane(unsigned num_samples, uint64_t word, unsigned sample);
uint64_t sim_mcs_encode(unsigned num_samples, const uint8_t *plane);

/* ---- colour control surfaces ---- */

/* Whether the pixel has the clear colour. */
bool sim_ccs_is_clear(const struct sim_surface *s, struct sim_mem *mem,
                      unsigned level, uint32_t x, uint32_t y, uint32_t slice,
                      bool *clear);
/* Whether some may have it around those in columns x[0] to x[1], rows y[0] to
 * y[1] of a slice: a cache line of the CCS is looked at as a whole. */
bool sim_ccs_has_clear(const struct sim_surface *s, struct sim_mem *mem,
                       unsigned level, const uint32_t x[2],
                       const uint32_t y[2], uint32_t slice);
/* The same for all of a level's slice; once for each draw, in which nothing
 * becomes clear. */
bool sim_ccs_level_has_clear(const struct sim_surface *s, struct sim_mem *mem,
                             uint64_t draw_id, unsigned level,
                             uint32_t slice);
/* The same for what is in one cache line of the CCS with pixel (x, y):
 * columns begin[0] to end[0], rows begin[1] to end[1], the last ones
 * exclusive. */
bool sim_ccs_line_has_clear(const struct sim_surface *s, struct sim_mem *mem,
                            unsigned level, uint32_t x, uint32_t y,
                            uint32_t slice, uint32_t begin[2],
                            uint32_t end[2]);
/* Gives the pixels around (x, y) that are marked clear their colour in
 * memory: to be called before one of them is written. */
bool sim_ccs_expand(const struct sim_surface *s, struct sim_mem *mem,
                    unsigned level, uint32_t x, uint32_t y, uint32_t slice);

/*
 * A pixel of a fast clear's or resolve's rectangle: marks what it stands for,
 * of the level, as clear; or gives it its colour in memory.
 */
bool sim_aux_fast_clear(const struct sim_surface *s, struct sim_mem *mem,
                        unsigned level, uint32_t x, uint32_t y,
                        uint32_t slice);
bool sim_aux_resolve(const struct sim_surface *s, struct sim_mem *mem,
                     unsigned level, uint32_t x, uint32_t y, uint32_t slice);

/* ---- hierarchical depth ---- */

struct sim_hiz {
   uint64_t address;
   uint32_t pitch_B, qpitch_rows;
   uint32_t x0, y0; /* of the level, in pixels */
};

#define SIM_HIZ_W 8
#define SIM_HIZ_H 4

/* Level `lod` of a depth buffer whose level 0 has these extents. */
void sim_hiz_init(struct sim_hiz *h, uint64_t address, uint32_t pitch_B,
                  uint32_t qpitch_rows, uint32_t width, uint32_t height,
                  unsigned lod);
#define SIM_HIZ_CLEAR 0x48695a30u  /* all have the clear depth */
#define SIM_HIZ_BOUNDS 0x48695a31u /* they are between these */
#define SIM_HIZ_VALID 0u           /* nothing is known, as is with others */

/* Depths as the buffer holds them, both included. */
struct sim_hiz_bounds {
   int32_t least, most;
};

/* What HiZ has of 8x4 pixels. */
struct sim_hiz_block {
   uint32_t mark;
   struct sim_hiz_bounds bounds;
   uint32_t unused;
};

/* The block of pixel (x, y); NULL: a memory fault. */
struct sim_hiz_block *sim_hiz_block(const struct sim_hiz *h,
                                    struct sim_mem *mem, uint32_t x,
                                    uint32_t y, uint32_t slice);

#endif
