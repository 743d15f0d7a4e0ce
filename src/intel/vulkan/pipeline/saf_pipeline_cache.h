/* SPDX-License-Identifier: MIT */
/*
 * Compiled shaders by what they were compiled from.
 *
 * A binary is everything that saf_shader_create() needs, in one block of
 * plain data without pointers. It does not change once it exists and is
 * shared by all caches that hold it.
 */
#ifndef SAF_PIPELINE_CACHE_H
#define SAF_PIPELINE_CACHE_H

#include "saf_pipeline.h"

struct saf_cache_key {
   uint8_t bytes[16];
};

struct saf_stages;

/* What identifies a module: its code. */
void saf_hash_code(const uint32_t *words, size_t size_B,
                   uint8_t id[SAF_MODULE_ID_B]);

/* Hashes all that decides what saf_compile_stages() makes of a stage. */
struct saf_cache_key saf_cache_key_for_stage(const struct saf_device *device,
                                             const struct saf_stages *in,
                                             gl_shader_stage stage);

/* The shader of that key with a reference for the caller, from the device's
 * live shaders or from a binary in `cache`. VK_SUCCESS with *out NULL: it
 * has to be compiled. `cache` NULL is the device's own. */
VkResult saf_cache_lookup(struct saf_device *device,
                          struct saf_pipeline_cache *cache,
                          const struct saf_cache_key *key,
                          struct saf_shader **out);

/* Whether it has a binary of that key. */
bool saf_cache_has(const struct saf_device *device,
                   struct saf_pipeline_cache *cache,
                   const struct saf_cache_key *key);

/* Makes a shader of what the compiler returned, and puts it in the cache. */
VkResult
saf_cache_add(struct saf_device *device, struct saf_pipeline_cache *cache,
              const struct saf_cache_key *key, const struct intel_shader *bin,
              const struct saf_bind_map *map, const struct saf_xfb_info *xfb,
              struct saf_shader **out);

/* Drops one reference to a shader that came from the functions above; true
 * if it was the last one and the shader is to be freed. */
bool saf_cache_release_shader(struct saf_device *device,
                              struct saf_shader *shader);

/* The device's own cache and its table of live shaders. */
VkResult saf_device_cache_init(struct saf_device *device);
void saf_device_cache_finish(struct saf_device *device);

#endif
