/* SPDX-License-Identifier: MIT */
/* Texels and vertex attributes that shaders take apart themselves. */
#ifndef SAF_NIR_FORMAT_H
#define SAF_NIR_FORMAT_H

#include "compiler/nir/nir_builder.h"
#include "saf_pipeline.h"

/* Red is 0. Without bits: the format has no such channel. */
struct isl_channel_layout saf_nir_format_channel(enum isl_format format,
                                                 unsigned c);

/* 32 bits, of a channel's bits (zeroes above them). */
nir_value *saf_nir_convert_channel(nir_builder *b, nir_value *v,
                                   struct isl_channel_layout channel);

/* What a channel that the format lacks reads: 0, 0, 0, 1. */
nir_value *saf_nir_missing_channel(nir_builder *b, enum isl_format format,
                                   unsigned c);

/* A channel of a texel whose bits are in as many dwords as it has. */
nir_value *saf_nir_texel_channel(nir_builder *b, nir_value *const dwords[4],
                                 enum isl_format format, unsigned c);

/* Whether loads of storage images that a shader declares so read a buffer of
 * their bytes: saf_nir_lower_storage_loads(). */
bool saf_nir_reads_raw(const struct intel_device_info *info,
                       enum pipe_format format);

/* Where a struct saf_surface_info is: in a uniform buffer, by its entry. */
struct saf_info_place {
   uint32_t block;
   nir_value *offset;
};

/* Of what a table's entry says; false: no room for the block. */
bool saf_nir_table_info(nir_builder *b, struct saf_bind_map *map,
                        nir_value *entry, struct saf_info_place *out);

/* A vector at an offset from the place. */
nir_value *saf_nir_load_info(nir_builder *b,
                             const struct saf_info_place *place,
                             unsigned offset_B, unsigned components);

/* The size in bytes of a buffer, of which a surface state knows whole
 * dwords. */
nir_value *saf_nir_buffer_size(nir_builder *b,
                               const struct saf_info_place *place);

nir_value *saf_nir_buffer_address(nir_builder *b,
                                  const struct saf_info_place *place);

/* What saf_nir_lower_sample_images() does, to one access. */
void saf_nir_lower_sample_image(nir_builder *b, nir_intrinsic_instr *intr,
                                const struct saf_info_place *place);

/* ---- storage images of which a shader does not say the format ---- */

/* Converts by the word at a place what a load without a format returns, which
 * is gone afterwards; adds control flow. */
void saf_nir_convert_any(nir_builder *b, nir_intrinsic_instr *load,
                         const struct saf_info_place *place);

/* All loads without a format whose images are entries of the table; false: no
 * room for the block. */
bool saf_nir_convert_any_loads(nir_shader *nir, struct saf_bind_map *map);

static inline bool
saf_nir_is_any_load(const nir_intrinsic_instr *intr)
{
   return intr->intrinsic == nir_intrinsic_image_load &&
          nir_intrinsic_format(intr) == PIPE_FORMAT_NONE;
}

#endif
