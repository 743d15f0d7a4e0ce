/* SPDX-License-Identifier: MIT */
/* A compiled shader as one block of bytes, and back. */
#ifndef SAF_SHADER_BINARY_H
#define SAF_SHADER_BINARY_H

#include "saf_pipeline.h"

/* Of the structure of intel_compiler.h that belongs to the stage. */
size_t saf_prog_data_size(gl_shader_stage stage);

/* Bytes that saf_shader_binary_write() fills; a multiple of 8. */
size_t saf_shader_binary_size(const struct intel_shader *bin,
                              const struct saf_bind_map *map,
                              const struct saf_xfb_info *xfb);

/* `out` is zeroed and aligned to 8 bytes. */
void saf_shader_binary_write(void *out, const struct intel_shader *bin,
                             const struct saf_bind_map *map,
                             const struct saf_xfb_info *xfb);

/* Pointers in *bin go into `data`, which is aligned to 8 bytes and must stay
 * as long as they are used. *xfb has no outputs if the shader captures
 * nothing. False if the block is not what the function above writes. */
bool saf_shader_binary_read(const void *data, size_t size_B,
                            struct intel_shader *bin,
                            struct saf_bind_map *map,
                            struct saf_xfb_info *xfb);

#endif
