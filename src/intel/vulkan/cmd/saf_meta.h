/* SPDX-License-Identifier: MIT */
/*
 * Meta operations: clears, copies, blits and resolves, done by drawing one
 * rectangle with internal pipelines through the ordinary 3D path.
 */
#ifndef SAF_META_H
#define SAF_META_H

#include "saf_cmd_buffer.h"

enum saf_meta_kind {
   SAF_META_CLEAR_COLOR,   /* color -> target 0 */
   SAF_META_CLEAR_DEPTH,   /* z -> depth */
   SAF_META_CLEAR_STENCIL, /* reference -> stencil */
   SAF_META_HIZ_CLEAR,     /* rectangles of Gen7, see genX_hiz.c */
   SAF_META_HIZ_RESOLVE,
   SAF_META_CCS,           /* the same of colour, see genX_ccs.c */
   SAF_META_RESOLVE_CLEAR, /* color -> pixels whose word says clear */
   SAF_META_COPY,          /* texel at pixel + offset, same bits */
   SAF_META_COPY_DEPTH,    /* the same -> depth */
   SAF_META_BLIT_1D,
   SAF_META_BLIT_2D,
   SAF_META_BLIT_3D,
   SAF_META_BLIT_DEPTH,
   SAF_META_RESOLVE_2, /* the average of so many samples */
   SAF_META_RESOLVE_4,
   SAF_META_RESOLVE_8,
   SAF_META_RESOLVE_16,
   SAF_META_RESOLVE_FIRST,         /* sample 0: integers */
   SAF_META_RESOLVE_DEPTH,         /* sample 0 */
   SAF_META_RESOLVE_DEPTH_AVERAGE, /* of push.sample samples */
   SAF_META_RESOLVE_DEPTH_MIN,
   SAF_META_RESOLVE_DEPTH_MAX,
   SAF_META_STENCIL_BIT,        /* keeps pixels whose texel has a bit */
   SAF_META_STENCIL_BIT_BLIT,   /* the same at a scaled position */
   SAF_META_STENCIL_BIT_MS,     /* the same, sample 0 */
   SAF_META_STENCIL_BIT_MS_MIN, /* the same, of push.sample samples */
   SAF_META_STENCIL_BIT_MS_MAX,
   SAF_META_STENCIL_BIT_SAMPLES, /* the same, each sample */
   SAF_META_UNTILE,              /* W tiles, seen as Y, -> target 0 */
   SAF_META_UNTILE_4X,           /* the same of one of four samples, */
   SAF_META_UNTILE_8X,           /* of eight */
   SAF_META_COPY_SAMPLES, /* each sample at pixel + offset, same bits */
   SAF_META_FAN_STARTS,   /* see saf_meta_fan.c */
   SAF_META_FAN_SPREAD,
   SAF_META_FAN_INDICES,
   SAF_META_QUOTIENT, /* (texel 0 - color.x) / color.y, in each pixel */
   SAF_META_KINDS,
};

/* Push constants of all meta shaders. */
struct saf_meta_push {
   float z; /* of the rectangle */
   /* Not 0: the source has a control surface. RESOLVE_CLEAR: what the second
    * dword of a word has where it says clear. */
   uint32_t control;
   uint32_t pad0[2];
   union {
      uint32_t color[4];
      int32_t offset[2];     /* pixel -> texel */
      float scale_offset[4]; /* pixel -> coordinate: x, y; x, y */
      int32_t from[4];       /* pixel -> in the slice; that in tiles */
   };
   float src_z;  /* 3D: normalised; else the layer */
   uint32_t bit; /* of the stencil value; the same of the first dword */
   uint32_t sample;
   uint32_t layer; /* of a multisampled source */
};

struct saf_meta_draw {
   enum saf_meta_kind kind;
   struct saf_targets targets;
   VkRect2D rect; /* of the targets */
   struct saf_meta_push push;
   struct saf_state src; /* surface that is read, or none */
   struct saf_state more_src[SAF_META_SURFACES - 1];
   bool has_swizzle; /* or the identity; what `src` has, too */
   struct isl_swizzle src_swizzle;
   const uint32_t *sampler; /* or NULL */
   uint8_t stencil_reference, stencil_write_mask;
};

/* Dwords that a kind of draw writes to memory. */
struct saf_meta_gpu_dwords {
   enum saf_meta_kind kind;
   uint64_t target;    /* their address */
   uint32_t row, rows; /* how many: a multiple of 16 a row */
   struct saf_state src[SAF_META_SURFACES];
   uint32_t push[4];
};
/* What other draws, and the command streamer, can read then. */
void saf_meta_write_words(struct saf_cmd_buffer *cmd,
                          const struct saf_meta_gpu_dwords *words);
/* A state of memory as texels of that format. */
struct saf_state saf_meta_texels(struct saf_cmd_buffer *cmd,
                                 enum isl_format format, uint64_t addr,
                                 uint64_t size_B);
/* (the dword at `addr` - `less`) / `divisor`, without signs: where it is; 0:
 * an error was noted. Before a draw's own state is emitted. */
uint64_t saf_meta_quotient(struct saf_cmd_buffer *cmd, uint64_t addr,
                           uint32_t less, uint32_t divisor);

/* Triangles of fans as a list of 32-bit indices with cuts among them. */
struct saf_meta_fans {
   uint64_t addr;
   uint32_t count; /* of indices */
};

#define SAF_META_FAN_ROW 2048u
/* Positions in an index buffer: rows that a target can have. */
#define SAF_META_FAN_MAX (SAF_META_FAN_ROW * 16384u)

/* Of the fans in the index buffer, of which `parameters` (the first three
 * dwords of VkDrawIndexedIndirectCommand) are drawn. False: nothing is to be
 * drawn, or an error was noted. */
bool saf_meta_expand_fans(struct saf_cmd_buffer *cmd, uint64_t parameters,
                          struct saf_meta_fans *out);

VkResult saf_meta_init(struct saf_device *device);
/* Fine on a device where init did not run or failed. */
void saf_meta_finish(struct saf_device *device);

/* Draws, leaving the application's state as it was. No flushes. */
void saf_meta_draw(struct saf_cmd_buffer *cmd,
                   const struct saf_meta_draw *draw);

/* Where a region begins that says both: z of a 3D image, else the layer. */
uint32_t saf_meta_first_slice(const struct saf_image *image, uint32_t layer,
                              int32_t z);
/* A state to render to one layer (or 3D slice) of a level. */
struct saf_state saf_meta_target(struct saf_cmd_buffer *cmd,
                                 const struct saf_image *image,
                                 const struct saf_plane *plane,
                                 enum isl_format format, uint32_t level,
                                 uint32_t layer);
/* Of unsigned integers as wide as a texel (or block) of `bpb` bits. */
enum isl_format saf_meta_uint_format(uint32_t bpb);
/* A state to sample one level, one layer (3D, multisampled: all). */
struct saf_state
saf_meta_texture(struct saf_cmd_buffer *cmd, const struct saf_image *image,
                 const struct saf_plane *plane, enum isl_format format,
                 struct isl_swizzle swizzle, uint32_t level, uint32_t layer);

/* The plane by which one slice can be read: the same, or the image's shadow,
 * made up to date. Outside of render passes; what has written it is
 * flushed. */
const struct saf_plane *saf_meta_readable(struct saf_cmd_buffer *cmd,
                                          const struct saf_image *image,
                                          const struct saf_plane *plane,
                                          uint32_t level, uint32_t layer);
/* For barriers that make images visible to shaders. */
void saf_meta_refresh_shadows(struct saf_cmd_buffer *cmd, uint32_t count,
                              const VkImageMemoryBarrier *barriers);
/* For the stencil attachment of the rendering that goes on, if its layout
 * lets the draws read what they write, and one of `readers` is a shader; what
 * has written it is flushed. */
void saf_meta_refresh_attachment(struct saf_cmd_buffer *cmd,
                                 VkAccessFlags readers);
/* For an attachment that was written, in its layout: rendering has ended. */
void saf_meta_refresh_shadow_in(struct saf_cmd_buffer *cmd,
                                const struct saf_image_view *view,
                                VkImageLayout layout);
/* For one that changes its layout. */
void saf_meta_show_shadow(struct saf_cmd_buffer *cmd,
                          const struct saf_image_view *view,
                          VkImageLayout from, VkImageLayout to);
/* For `count` parts, stride_B apart, that a transfer has written, which is
 * flushed. */
void saf_meta_refresh_written(struct saf_cmd_buffer *cmd,
                              const struct saf_image *image,
                              VkImageLayout layout, uint32_t count,
                              const VkImageSubresourceLayers *l,
                              size_t stride_B);
/* The same of what was cleared, range by range. */
void saf_meta_refresh_cleared(struct saf_cmd_buffer *cmd,
                              const struct saf_image *image,
                              VkImageLayout layout, uint32_t count,
                              const VkImageSubresourceRange *ranges);

/* For barriers of images whose contents are no longer defined. */
void saf_meta_release_images(struct saf_cmd_buffer *cmd, uint32_t count,
                             const VkImageMemoryBarrier *barriers);
/* The same of layers of one; false: there is nothing to do, else to flush. */
bool saf_meta_release(struct saf_cmd_buffer *cmd,
                      const struct saf_image *image, uint32_t base_layer,
                      uint32_t layers);

/* `views`: the layers that are cleared; 0: those of each rectangle. */
void saf_meta_clear_attachments(struct saf_cmd_buffer *cmd,
                                uint32_t clear_count,
                                const VkClearAttachment *clears,
                                uint32_t rect_count, const VkClearRect *rects,
                                uint32_t views);

/* Draws once for each bit of a stencil value, after setting `rect` of the
 * stencil target to 0. `draw` has kind, targets, rect and source. */
void saf_meta_draw_stencil(struct saf_cmd_buffer *cmd,
                           struct saf_meta_draw *draw);

/* The end of a subpass: `area` of src into dst, for one aspect, in the layers
 * of `views`; 0: all. `mode` is for depth and stencil. */
void saf_meta_resolve_views(struct saf_cmd_buffer *cmd,
                            const struct saf_image_view *src,
                            const struct saf_image_view *dst, VkRect2D area,
                            VkImageAspectFlagBits aspect,
                            VkResolveModeFlagBits mode, uint32_t views);

/* Targets with nothing but the depth/stencil of one layer. */
void saf_targets_set_depth_stencil(struct saf_targets *t,
                                   const struct saf_image *image,
                                   uint32_t level, uint32_t layer,
                                   uint32_t layers);

#endif
