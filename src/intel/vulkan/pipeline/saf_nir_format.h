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
nir_ssa_def *saf_nir_convert_channel(nir_builder *b, nir_ssa_def *v,
                                     struct isl_channel_layout channel);

/* What a channel that the format lacks reads: 0, 0, 0, 1. */
nir_ssa_def *saf_nir_missing_channel(nir_builder *b, enum isl_format format,
                                     unsigned c);

/* A channel of a texel whose bits are in as many dwords as it has. */
nir_ssa_def *saf_nir_texel_channel(nir_builder *b,
                                   nir_ssa_def *const dwords[4],
                                   enum isl_format format, unsigned c);

/* The size in bytes of what a table's entry says, of which a surface state
 * knows whole dwords; NULL: no room. */
nir_ssa_def *saf_nir_buffer_size(nir_builder *b, struct saf_bind_map *map,
                                 nir_ssa_def *entry);

/* And its address; NULL: no room. */
nir_ssa_def *saf_nir_buffer_address(nir_builder *b, struct saf_bind_map *map,
                                    nir_ssa_def *entry);

#endif
