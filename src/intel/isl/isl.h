/* SPDX-License-Identifier: MIT */
/*
 * Surface layout: where each texel of each level, layer and sample of an
 * image lies in memory, and the surface states that tell the hardware so.
 *
 * Pure functions of their arguments: no memory is allocated, nothing is
 * remembered. Units are in the names: _B bytes, _bits, _px pixels as the API
 * counts them, _sa samples (pixels, with interleaved multisampling spread
 * out), _el elements (a sample, or a block of a compressed format),
 * _rows rows of elements. Terms and layouts: README.rst.
 */
#ifndef ISL_H
#define ISL_H

#include "intel/dev/intel_device_info.h"
#include "intel/isl/isl_format_enum.h"
#include "util/macros.h"

#define ISL_FORMAT_NUMBERS 1024

/* ------------------------------------------------------------- formats */

enum isl_base_type {
   ISL_VOID, /* the channel is not there */
   ISL_RAW,  /* bits that are not converted */
   ISL_UNORM,
   ISL_SNORM,
   ISL_UFLOAT, /* 10 or 11 bits, or a mantissa with a shared exponent */
   ISL_SFLOAT,
   ISL_UINT,
   ISL_SINT,
   ISL_USCALED,
   ISL_SSCALED,
   ISL_SFIXED, /* sixteen bits before the point, sixteen after */
};

enum isl_colorspace {
   ISL_COLORSPACE_LINEAR,
   ISL_COLORSPACE_SRGB,
};

enum isl_txc {
   ISL_TXC_NONE,
   ISL_TXC_BC1,
   ISL_TXC_BC2,
   ISL_TXC_BC3,
   ISL_TXC_BC4,
   ISL_TXC_BC5,
   ISL_TXC_BC6H,
   ISL_TXC_BC7,
   ISL_TXC_DXT1_RGB,
   ISL_TXC_FXT1,
   ISL_TXC_ETC2, /* and ETC1, which is a part of it */
   ISL_TXC_ETC2_PTA,
   ISL_TXC_ETC2_EAC,
   ISL_TXC_EAC_R11,
   ISL_TXC_EAC_RG11,
   ISL_TXC_ASTC,
   ISL_TXC_YCRCB, /* two pixels with one chroma: a block, not compressed */
};

/* Of compressed formats bits and start_bit are 0. */
struct isl_channel_layout {
   enum isl_base_type type;
   uint8_t start_bit, bits; /* in the element */
};

struct isl_format_layout {
   enum isl_format format;
   const char *name;   /* "R8G8B8A8_UNORM"; NULL for numbers without format */
   uint16_t bpb;       /* bits of a block; 0: only the name is known */
   uint8_t bw, bh, bd; /* block in pixels */
   enum isl_txc txc;
   enum isl_colorspace colorspace;
   struct {
      struct isl_channel_layout r, g, b, a;
   } channels;
   uint8_t first_verx10[ISL_FORMAT_USES]; /* 0: on no generation */
};

extern const struct isl_format_layout isl_format_layouts[ISL_FORMAT_NUMBERS];

/* False for numbers that are no format of ours. */
static inline bool
isl_format_is_valid(enum isl_format format)
{
   return (unsigned)format < ISL_FORMAT_NUMBERS &&
          isl_format_layouts[format].bpb != 0;
}

static inline const struct isl_format_layout *
isl_format_get_layout(enum isl_format format)
{
   assert(isl_format_is_valid(format));
   return &isl_format_layouts[format];
}

static inline const char *
isl_format_get_name(enum isl_format format)
{
   return isl_format_is_valid(format) ? isl_format_layouts[format].name
                                      : "unknown format";
}

/* Whether the chips of a generation have the use; none of a number that is
 * no format. */
bool isl_format_supports_on(unsigned verx10, enum isl_format format,
                            enum isl_format_use use);
bool isl_format_supports(const struct intel_device_info *dev,
                         enum isl_format format, enum isl_format_use use);

static inline bool
isl_format_is_compressed(enum isl_format format)
{
   return isl_format_get_layout(format)->txc != ISL_TXC_NONE;
}

static inline bool
isl_format_is_srgb(enum isl_format format)
{
   return isl_format_get_layout(format)->colorspace == ISL_COLORSPACE_SRGB;
}

/* Any channel is UINT or SINT. */
bool isl_format_has_int_channel(enum isl_format format);
/* Any channel is UFLOAT or SFLOAT. */
bool isl_format_has_float_channel(enum isl_format format);

static inline unsigned
isl_format_block_size_B(enum isl_format format)
{
   return isl_format_get_layout(format)->bpb / 8;
}

/* In the type of a format's channels. */
union isl_color {
   float f32[4];
   uint32_t u32[4];
   int32_t i32[4];
};

/* ------------------------------------------------------------- surfaces */

enum isl_surf_dim {
   ISL_SURF_DIM_1D,
   ISL_SURF_DIM_2D,
   ISL_SURF_DIM_3D,
};

enum isl_dim_layout {
   /* Levels below and beside the first; layers and slices QPitch rows
    * apart.
    */
   ISL_DIM_LAYOUT_GFX4_2D,
   /* Gen9 1D, linear: levels side by side in one row, layers QPitch elements
    * apart. Tiled 1D surfaces (depth, stencil) are laid out as 2D.
    */
   ISL_DIM_LAYOUT_GFX9_1D,
   /* 3D up to Gen8: the slices of level l in rows of 2^l, the next level
    * below them.
    */
   ISL_DIM_LAYOUT_GFX4_3D,
};

enum isl_tiling {
   ISL_TILING_LINEAR,
   ISL_TILING_W,
   ISL_TILING_X,
   ISL_TILING_Y0,
};

/* Sets of tilings. */
enum {
   ISL_TILING_LINEAR_BIT = 1u << ISL_TILING_LINEAR,
   ISL_TILING_X_BIT = 1u << ISL_TILING_X,
   ISL_TILING_Y0_BIT = 1u << ISL_TILING_Y0,
   ISL_TILING_W_BIT = 1u << ISL_TILING_W,
};
#define ISL_TILING_ANY_MASK (~0u)

enum isl_msaa_layout {
   ISL_MSAA_LAYOUT_NONE,
   ISL_MSAA_LAYOUT_INTERLEAVED, /* samples side by side (depth, stencil) */
   ISL_MSAA_LAYOUT_ARRAY,       /* a slice for each sample (colour) */
};

/* Sets of uses. */
typedef uint32_t isl_surf_usage_flags_t;
enum {
   ISL_SURF_USAGE_RENDER_TARGET_BIT = 0x01,
   ISL_SURF_USAGE_DEPTH_BIT = 0x02,
   ISL_SURF_USAGE_STENCIL_BIT = 0x04,
   ISL_SURF_USAGE_TEXTURE_BIT = 0x08,
   ISL_SURF_USAGE_CUBE_BIT = 0x10,
   ISL_SURF_USAGE_STORAGE_BIT = 0x20,
   ISL_SURF_USAGE_DISPLAY_BIT = 0x40,
};

struct isl_extent2d {
   uint32_t w, h;
};

struct isl_extent3d {
   uint32_t w, h, d;
};

struct isl_extent4d {
   uint32_t w, h, d, a;
};

struct isl_tile_info {
   struct isl_extent2d logical_extent_el; /* elements that a tile holds */
   struct isl_extent2d phys_extent_B;     /* bytes across, rows down */
};

struct isl_surf_init_info {
   enum isl_surf_dim dim;
   enum isl_format format;
   uint32_t width, height, depth; /* depth: 1 unless 3D */
   uint32_t levels, array_len, samples;
   uint32_t min_alignment_B; /* 0: what the tiling needs */
   uint32_t row_pitch_B;     /* 0: as small as possible */
   isl_surf_usage_flags_t usage;
   uint32_t tiling_flags; /* those allowed; 0 is ISL_TILING_ANY_MASK */
};

struct isl_surf {
   enum isl_format format;
   enum isl_tiling tiling;
   enum isl_surf_dim dim;
   enum isl_dim_layout dim_layout;
   enum isl_msaa_layout msaa_layout;
   struct isl_extent3d image_align_el; /* of each level */
   struct isl_extent4d logical_level0_px;
   /* Interleaved samples multiply w and h, sample slices multiply a; 3D
    * slices stay in d.
    */
   struct isl_extent4d phys_level0_sa;
   uint32_t levels, samples;
   uint64_t size_B;
   uint32_t alignment_B;
   uint32_t row_pitch_B; /* W: of two interleaved rows, as Y would have it */
   uint32_t array_pitch_el_rows; /* GFX4_2D: QPitch */
   uint32_t array_pitch_el;      /* GFX9_1D: QPitch */
   bool array_spacing_full;      /* Gen7: that pitch counts all levels */
   isl_surf_usage_flags_t usage;
};

/*
 * Lays out a surface. False, with nothing written, if the device has no such
 * surface: dimensions above the limits, no tiling left, a row pitch that is
 * too small or not aligned, a format the layout is not defined for.
 */
bool isl_surf_init_s(const struct intel_device_info *dev,
                     struct isl_surf *surf,
                     const struct isl_surf_init_info *info);

#define ISL_STRUCT(name, ...) (&(struct name) { __VA_ARGS__ })
#define isl_surf_init(dev, surf, ...)                                        \
   isl_surf_init_s(dev, surf, ISL_STRUCT(isl_surf_init_info, __VA_ARGS__))

/*
 * The samples of a surface whose samples are slices (ISL_MSAA_LAYOUT_ARRAY),
 * as layers: slice number l * samples + s. Any other is what it was. A layer
 * has 2^shift slices, one array_pitch_el_rows of `surf` below the other
 * (slice n: layer n >> shift), as few as let the layers' number fit in a
 * state. Valid where the height fits, too; in no surface of less than 2 GB it
 * does not.
 */
struct isl_surf isl_surf_of_samples(const struct isl_surf *surf,
                                    unsigned *shift);

/* The slices of a 3D surface as layers of a 2D one. False: they do not lie as
 * those do (before Gen9). */
bool isl_surf_of_slices(const struct isl_surf *surf, struct isl_surf *out);

/* The blocks of a level of a linear, compressed surface, of one layer or of
 * all slices, as the elements of a surface in a format of as many bits, and
 * how far it begins after `surf` does. It has one level: below 3 blocks
 * (10 px) there are 2 (5 px), not 1. False if `surf` is tiled, where a level
 * may begin inside of a tile, and for several slices before Gen9, which lie
 * side by side. */
bool isl_surf_of_blocks(const struct isl_surf *surf, enum isl_format format,
                        uint32_t level, uint32_t layer, struct isl_surf *out,
                        uint64_t *offset_B);

/* The bytes of a surface, in rows that are as long, as texels of another size
 * (both of no blocks, powers of two); of one level, for the sampler. */
struct isl_surf isl_surf_of_texels(const struct isl_surf *surf,
                                   enum isl_format format);

/* The hierarchical buffer beside a depth surface. */
struct isl_hiz {
   uint32_t row_pitch_B;
   uint32_t array_pitch_px_rows; /* in rows of the depth surface's pixels */
   uint64_t size_B;
};

/* False: not for this surface. Those with several levels or samples, which
 * could have one, get none here. */
bool isl_surf_get_hiz(const struct isl_surf *depth, struct isl_hiz *out);

/* The control surface (MCS) beside a multisampled colour surface, a word for
 * each pixel of each layer, which zero makes say that the colour of all
 * samples is in the first slice. False: not for this surface. */
bool isl_surf_get_mcs(const struct intel_device_info *dev,
                      const struct isl_surf *surf, struct isl_surf *out);

/* The control surface (CCS) beside a colour surface of one sample, which says
 * of blocks of pixels of level 0 that they are clear. */
struct isl_ccs {
   uint32_t row_pitch_B;
   uint32_t array_pitch_px_rows; /* in rows of the surface's pixels */
   uint64_t size_B;
   struct isl_extent2d block_px; /* of which it says one thing */
};

/* False: not for this surface. */
bool isl_surf_get_ccs(const struct intel_device_info *dev,
                      const struct isl_surf *surf, struct isl_ccs *out);

/* Whether a surface with a CCS or MCS, seen in `format`, can be cleared by it
 * to a colour, and to what the drawing of that colour would give. */
bool isl_surf_takes_clear(const struct intel_device_info *dev,
                          const struct isl_surf *surf, enum isl_format format,
                          const union isl_color *color);

void isl_tiling_get_info(enum isl_tiling tiling, uint32_t bpb,
                         struct isl_tile_info *info);

/* Where (level, layer, z) starts, in elements from the surface's start.
 * Layers of ISL_MSAA_LAYOUT_ARRAY surfaces are physical: layer * samples +
 * sample.
 */
void isl_surf_get_image_offset_el(const struct isl_surf *surf, uint32_t level,
                                  uint32_t physical_layer, uint32_t z,
                                  uint32_t *x_el, uint32_t *y_el);

/*
 * The same as the byte offset of the tile that it lies in, and the place in
 * that tile in elements. Linear surfaces: the byte offset of the element
 * itself, and 0, 0.
 */
void isl_surf_get_image_offset_B_tile_el(const struct isl_surf *surf,
                                         uint32_t level,
                                         uint32_t physical_layer, uint32_t z,
                                         uint64_t *offset_B, uint32_t *x_el,
                                         uint32_t *y_el);

/*
 * Byte offset in a tiled surface of the byte at x_B in row y. With W tiling,
 * x_B and y count the bytes (stencil values) of the logical 64x64 tiles.
 */
uint64_t isl_tiling_address_B(enum isl_tiling tiling, uint32_t row_pitch_B,
                              uint32_t x_B, uint32_t y);

/*
 * The address by which a processor reaches what the GPU has at `address` of a
 * tiled surface, and the other way round, where the memory controller swaps
 * halves of 128 bytes, so that neighbours in a column are in both channels of
 * memory: bit 6 is that of the address and bit 9, in X tiles bit 10, too
 * (i915_drm.h, I915_BIT_6_SWIZZLE_9 and _9_10; Gen7, where there are two
 * channels of one size).
 */
static inline uint64_t
isl_swizzle_address(enum isl_tiling tiling, uint64_t address)
{
   switch (tiling) {
   case ISL_TILING_LINEAR: return address;
   case ISL_TILING_X:
      return address ^ ((address >> 3 ^ address >> 4) & 1 << 6);
   case ISL_TILING_Y0:
   case ISL_TILING_W: return address ^ (address >> 3 & 1 << 6);
   }
   unreachable("tiling");
}

static inline uint32_t
isl_minify(uint32_t n, uint32_t level)
{
   return MAX2(n >> level, 1u);
}

/* Extent of a level in pixels: w, h, and d for 3D. */
static inline struct isl_extent3d
isl_surf_level_extent_px(const struct isl_surf *surf, uint32_t level)
{
   return (struct isl_extent3d) {
      isl_minify(surf->logical_level0_px.w, level),
      isl_minify(surf->logical_level0_px.h, level),
      isl_minify(surf->logical_level0_px.d, level),
   };
}

/* ------------------------------------------------------- surface states */

/* As in RENDER_SURFACE_STATE. */
enum isl_channel_select {
   ISL_CHANNEL_SELECT_ZERO = 0,
   ISL_CHANNEL_SELECT_ONE = 1,
   ISL_CHANNEL_SELECT_RED = 4,
   ISL_CHANNEL_SELECT_GREEN = 5,
   ISL_CHANNEL_SELECT_BLUE = 6,
   ISL_CHANNEL_SELECT_ALPHA = 7,
};

struct isl_swizzle {
   enum isl_channel_select r, g, b, a;
};

#define ISL_SWIZZLE_IDENTITY                                                 \
   ((struct isl_swizzle) { ISL_CHANNEL_SELECT_RED, ISL_CHANNEL_SELECT_GREEN, \
                           ISL_CHANNEL_SELECT_BLUE,                          \
                           ISL_CHANNEL_SELECT_ALPHA })

/* `first` picks channels of the surface, `second` channels of the result. */
struct isl_swizzle isl_swizzle_compose(struct isl_swizzle first,
                                       struct isl_swizzle second);

struct isl_view {
   /* One of TEXTURE, RENDER_TARGET, STORAGE; with CUBE for cube maps. */
   isl_surf_usage_flags_t usage;
   enum isl_format format; /* as many bits a block as the surface's */
   uint32_t base_level, levels;
   float min_lod; /* no level below it is sampled; of the surface's levels */
   /* Of a 3D surface seen by a render target or storage: slices z. */
   uint32_t base_array_layer, array_len;
   struct isl_swizzle swizzle;
};

struct isl_surf_fill_state_info {
   const struct isl_surf *surf;
   const struct isl_view *view;
   uint64_t address;
   uint32_t mocs;
   float clear_color_depth;
   const struct isl_surf *mcs; /* or NULL */
   uint64_t mcs_address;
   const struct isl_ccs *ccs; /* or NULL; of render targets alone */
   uint64_t ccs_address;
   union isl_color clear_color; /* what either of them means by clear */
};

struct isl_buffer_fill_state_info {
   uint64_t address, size_B;
   enum isl_format format; /* ISL_FORMAT_RAW for untyped messages */
   uint32_t stride_B;      /* of an element; 1 for ISL_FORMAT_RAW */
   struct isl_swizzle swizzle;
   uint32_t mocs;
};

/* Gen7's has 32 bytes, aligned to that. */
#define ISL_SURFACE_STATE_SIZE_B 64
#define ISL_SURFACE_STATE_ALIGN_B 64

/* Each writes at most ISL_SURFACE_STATE_SIZE_B bytes at `state`. */
void isl_surf_fill_state_s(const struct intel_device_info *dev, void *state,
                           const struct isl_surf_fill_state_info *info);
void isl_buffer_fill_state_s(const struct intel_device_info *dev, void *state,
                             const struct isl_buffer_fill_state_info *info);
/* Reads give 0, writes are dropped; `size` is what render targets have. */
void isl_null_fill_state(const struct intel_device_info *dev, void *state,
                         struct isl_extent3d size);

#define isl_surf_fill_state(dev, state, ...)                                 \
   isl_surf_fill_state_s(dev, state,                                         \
                         ISL_STRUCT(isl_surf_fill_state_info, __VA_ARGS__))
#define isl_buffer_fill_state(dev, state, ...)                               \
   isl_buffer_fill_state_s(                                                  \
      dev, state, ISL_STRUCT(isl_buffer_fill_state_info, __VA_ARGS__))

/* The format in which to bind a storage image so that typed reads (and
 * atomics) work: its own, or unsigned integers of as many channels and bits,
 * or one of 32 bits for channels of 10 and 11 bits; before Gen9 any one of as
 * many bits, or ISL_FORMAT_RAW for a buffer of the image's bytes. The shader
 * converts. ISL_FORMAT_UNSUPPORTED: cannot be read at all. */
enum isl_format isl_storage_read_format(const struct intel_device_info *dev,
                                        enum isl_format format);

/* Typed reads do not know elements of so many bits: isl_storage_read_format()
 * is ISL_FORMAT_RAW, and the image has to be linear. */
bool isl_storage_reads_raw(const struct intel_device_info *dev, uint32_t bpb);

#endif
