/* SPDX-License-Identifier: MIT */
/*
 * Surfaces as the sampler, the render cache and the data port see them: a
 * decoded RENDER_SURFACE_STATE, where its texels are, and what their bits
 * mean.
 *
 * Colours are four 32-bit words, red first: floats for all formats but those
 * of integers, whose words are the integers (sign or zero extended). Channels
 * that a format lacks read as 0, alpha as 1.
 */
#ifndef SIM_SURFACE_H
#define SIM_SURFACE_H

#include "intel/sim/mem/compress.h"
#include "intel/sim/mem/image.h"
#include "intel/sim/mem/mem.h"

struct isl_format_layout;

/* ------------------------------------------------------------- formats */

/* What the widest-used channel of a format holds. */
enum sim_format_kind {
   SIM_FORMAT_NONE, /* not a format */
   SIM_FORMAT_UNORM,
   SIM_FORMAT_SNORM,
   SIM_FORMAT_FLOAT,
   SIM_FORMAT_UINT,
   SIM_FORMAT_SINT,
   SIM_FORMAT_SCALED, /* integers that read as floats: vertex fetch only */
   SIM_FORMAT_RAW,
};

/* `format` is the hardware's SURFACE_FORMAT in all of these; any number may
 * be asked about.
 */
enum sim_format_kind sim_format_base(unsigned format);

/* Words are integers on the shader's side. */
static inline bool
sim_format_is_integer(unsigned format)
{
   const enum sim_format_kind k = sim_format_base(format);
   return k == SIM_FORMAT_UINT || k == SIM_FORMAT_SINT;
}

/* Bytes of an element (of a block, if compressed); 0: not a format. */
unsigned sim_format_size_B(unsigned format);

/* "R8G8B8A8_UNORM", or "unknown format". */
const char *sim_format_name(unsigned format);

/* Whether sim_format_unpack(), sim_format_pack() have the format. */
bool sim_format_can_unpack(unsigned format);
bool sim_format_can_pack(unsigned format);

/*
 * One texel to four words and back; `texel` needs no alignment. Only for
 * formats that can be (un)packed; compressed ones are unpacked by
 * sim_format_unpack_block().
 *
 * Packing: unorm and snorm clamp and round to nearest, sRGB is encoded,
 * integers clamp to the channel's range, small floats round to nearest even.
 */
void sim_format_unpack(unsigned format, const void *texel, uint32_t rgba[4]);
void sim_format_pack(unsigned format, const uint32_t rgba[4], void *texel);

/*
 * The same for four texels, whose components are arrays of four; a texel is
 * in the lowest bytes of its word. False: not of this format. Those of which
 * it is have up to four bytes: quad_format.c.
 */
bool sim_format_pack_quad(unsigned format, const uint32_t *const rgba[4],
                          uint32_t texels[4]);
bool sim_format_unpack_quad(unsigned format, const uint32_t texels[4],
                            uint32_t rgba[4][4]);

/* Such a format; NULL: another one. */
struct sim_quad_layout {
   uint8_t size_B;            /* 0: another one */
   uint8_t start[4], bits[4]; /* of UNORM channels; no bits: none such */
};
const struct sim_quad_layout *sim_format_quad_layout(unsigned format);

/* Of such a format: the bits of the components, one bit each, that it has. */
uint32_t sim_format_component_bits(unsigned format, unsigned components);

/* Linear colours of sRGB's bytes. */
extern float sim_srgb8[256];

/* The texel at column x, row y of a block of a compressed format. */
void sim_format_unpack_block(unsigned format, const void *block, unsigned x,
                             unsigned y, uint32_t rgba[4]);

/* ------------------------------------------------------------- surfaces */

#define SIM_SURFACE_LEVELS 15

/* RENDER_SURFACE_STATE::SurfaceType */
enum sim_surface_type {
   SIM_SURFACE_1D = 0,
   SIM_SURFACE_2D = 1,
   SIM_SURFACE_3D = 2,
   SIM_SURFACE_CUBE = 3,
   SIM_SURFACE_BUFFER = 4,
   SIM_SURFACE_STRBUF = 5,
   SIM_SURFACE_NULL = 7,
};

struct sim_surface {
   enum sim_surface_type type;
   unsigned format;
   const char *format_name;
   uint64_t address;

   uint32_t width, height; /* of level 0 in pixels; 1D: height 1 */
   uint32_t depth;        /* 3D: of level 0; else layers (cubes, not faces) */
   uint32_t num_elements; /* of a buffer */
   uint32_t pitch_B;      /* of rows; buffers: of elements */
   uint32_t first_slice;  /* MinimumArrayElement, in layers or faces */
   uint32_t view_extent;  /* RenderTargetViewExtent + 1 */
   bool is_array;
   bool is_linear_1d; /* levels side by side, slices after each other */

   unsigned first_level;  /* SurfaceMinLOD */
   unsigned level_count;  /* MIPCountLOD + 1, from first_level */
   unsigned target_level; /* MIPCountLOD as a render target's level */
   float resource_min_lod;

   enum sim_tile_mode tiling;
   unsigned num_samples;
   enum sim_sample_layout sample_layout;
   unsigned element_B, block_w, block_h;
   uint32_t qpitch_rows; /* 1D: in elements */
   uint32_t x0_el[SIM_SURFACE_LEVELS], y0_el[SIM_SURFACE_LEVELS];
   /* 3D before Gen9: 2^level slices side by side in a row of slices. */
   bool slices_in_rows;
   uint32_t slice_w_el[SIM_SURFACE_LEVELS], slice_h_el[SIM_SURFACE_LEVELS];
   uint8_t channel_select[4]; /* SCS_*, of red, green, blue, alpha */
   bool identity_select;
   bool integer_border; /* Haswell: of SAMPLER_BORDER_COLOR_STATE's halves */
   /* An image of single texels that are where their tiling says, of less than
    * 2^30 bytes, with nothing beside it but a CCS. */
   bool is_plain;
   struct sim_aux aux;
};

/*
 * Decodes RENDER_SURFACE_STATE. False, with one sentence in `error` (of
 * error_B bytes), if it says what cannot be or what is not implemented.
 */
bool sim_surface_decode(struct sim_surface *s, const uint32_t dw[16],
                        char *error, size_t error_B);

/* The same for the layout of another generation (75: Gen7.5). */
bool sim_surface_decode_gen(struct sim_surface *s, unsigned verx10,
                            const uint32_t *dw, char *error, size_t error_B);

/*
 * Address of an element: column and row in elements (blocks) of the level,
 * array slice (face, or z of 3D) from the surface's start, sample. Nothing is
 * checked against the extent.
 */
uint64_t sim_surface_element_address(const struct sim_surface *s,
                                     unsigned level, uint32_t x_el,
                                     uint32_t y_el, uint32_t slice,
                                     unsigned sample);

/*
 * Reads one texel, x, y in pixels, or the clear colour if the auxiliary
 * surface says so; of a surface with MCS, `sample` is the plane. False on a
 * memory fault (in mem->fault), with zeros.
 */
bool sim_surface_read_texel(const struct sim_surface *s, struct sim_mem *mem,
                            unsigned level, uint32_t x, uint32_t y,
                            uint32_t slice, unsigned sample,
                            uint32_t rgba[4]);

/* The same for a sample of a surface that may have an MCS. */
bool sim_surface_read_sample(const struct sim_surface *s, struct sim_mem *mem,
                             unsigned level, uint32_t x, uint32_t y,
                             uint32_t slice, unsigned sample,
                             uint32_t rgba[4]);

/*
 * Address of a texel for a typed data port message, or of a buffer element;
 * u, v, r and the level as in the message. 0 when it is outside of the
 * surface: then reads give 0 and writes are dropped. A null surface is all
 * outside.
 */
uint64_t sim_surface_typed_address(const struct sim_surface *s, uint32_t u,
                                   uint32_t v, uint32_t r, unsigned level);

/* What memory a surface, and what lies beside it, can take: one or two
 * ranges, or none; how many. */
unsigned sim_surface_ranges(const struct sim_surface *s,
                            struct sim_range range[2]);

#endif
