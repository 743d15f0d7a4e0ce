/* SPDX-License-Identifier: MIT */
/*
 * Pipeline caches that a file brings. A binary in one counts only with an
 * authenticator under the user's key: what another user made, or changed and
 * gave sums anew that anybody can compute, is refused, and the shader is
 * compiled.
 *
 * usage: caches LIBRARY store|load FILE
 *        caches LIBRARY forge FILE TRIALS SEED
 *
 * store: a cache with one compute shader. load: says whether the driver takes
 * it, and that the pipeline is made in any case. forge: each trial changes
 * some words and gives the record the sum that it had before there was a key
 * (XXH3), or SipHash under a guessed key.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "icd.h"
#include "util/siphash.h"

/* As saf_pipeline_cache.c has it. */
struct record {
   uint32_t version, size_B;
   uint8_t key[16];
   uint64_t authenticator;
};

#define HEADER_B sizeof(VkPipelineCacheHeaderVersionOne)
#define MAX_DATA_B (1 << 20)

static _Alignas(8) uint8_t data[MAX_DATA_B], changed[MAX_DATA_B];
static uint64_t random_state;

static uint32_t
random_below(uint32_t n)
{
   random_state = random_state * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)((random_state >> 33) % n);
}

static int
fail(const char *why)
{
   fprintf(stderr, "caches: %s\n", why);
   return 1;
}

/* Whether the driver keeps what it is given; VK_NULL_HANDLE if the call
 * fails, which it must not. */
static bool
is_taken(struct icd *icd, const void *bytes, size_t size_B,
         VkPipelineCache *out)
{
   const VkPipelineCacheCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
      .initialDataSize = size_B,
      .pInitialData = bytes,
   };
   size_t kept_B = 0;
   *out = VK_NULL_HANDLE;
   return icd->CreatePipelineCache(icd->device, &info, NULL, out) ==
             VK_SUCCESS &&
          icd->GetPipelineCacheData(icd->device, *out, &kept_B, NULL) ==
             VK_SUCCESS &&
          kept_B > HEADER_B;
}

static int
store(struct icd *icd, const char *path)
{
   VkPipelineCache cache;
   struct icd_compute c;
   is_taken(icd, NULL, 0, &cache);
   size_t size_B = sizeof(data);
   const VkResult r = icd_compute_create(icd, cache, &c);
   icd_compute_destroy(icd, &c);
   if (r || icd->GetPipelineCacheData(icd->device, cache, &size_B, data))
      return fail("no cache to store");
   icd->DestroyPipelineCache(icd->device, cache, NULL);
   FILE *f = fopen(path, "wb");
   return f && fwrite(data, size_B, 1, f) == 1 && fclose(f) == 0
             ? 0
             : fail("cannot write the file");
}

static size_t
read_file(const char *path)
{
   FILE *f = fopen(path, "rb");
   const size_t n = f ? fread(data, 1, sizeof(data), f) : 0;
   if (f)
      fclose(f);
   return n;
}

static int
load(struct icd *icd, const char *path)
{
   VkPipelineCache cache;
   struct icd_compute c;
   const size_t size_B = read_file(path);
   printf("%s\n", is_taken(icd, data, size_B, &cache) ? "taken" : "refused");
   const VkResult r = icd_compute_create(icd, cache, &c);
   icd_compute_destroy(icd, &c);
   icd->DestroyPipelineCache(icd->device, cache, NULL);
   return r ? fail("no pipeline") : 0;
}

static void
change(uint8_t *record, size_t size_B)
{
   static const uint32_t edges[] = { 0,          1,          0xff, 0xffff,
                                     0x7fffffff, 0x80000000, ~0u };
   struct record head;
   memcpy(&head, record, sizeof(head));
   uint32_t *words = (uint32_t *)(record + sizeof(head));
   for (unsigned i = 0; i < 3; i++) {
      const uint32_t at = random_below((uint32_t)(size_B / 4));
      const uint32_t edge = edges[random_below(sizeof(edges) / 4)];
      words[at] = i ? words[at] ^ 1u << random_below(32) : edge;
   }
   const void *binary = record + sizeof(head);
   const size_t covered = offsetof(struct record, authenticator);
   if (random_below(2)) {
      const struct siphash_key guess = { { random_below(2), 0 } };
      head.authenticator = siphash(&guess, binary, size_B);
   } else {
      head.authenticator =
         XXH3_64bits_withSeed(binary, size_B, XXH3_64bits(&head, covered));
   }
   memcpy(record, &head, sizeof(head));
}

static int
forge(struct icd *icd, const char *path, unsigned trials)
{
   const size_t size_B = read_file(path);
   struct record head;
   if (size_B < HEADER_B + sizeof(head))
      return fail("no cache to change");
   memcpy(&head, data + HEADER_B, sizeof(head));
   if (head.size_B > size_B - HEADER_B - sizeof(head))
      return fail("not the driver's form");
   unsigned taken = 0;
   for (unsigned i = 0; i < trials; i++) {
      VkPipelineCache cache;
      memcpy(changed, data, size_B);
      change(changed + HEADER_B, head.size_B);
      taken += is_taken(icd, changed, size_B, &cache);
      if (!cache)
         return fail("a changed cache is an error");
      icd->DestroyPipelineCache(icd->device, cache, NULL);
   }
   printf("%u of %u taken\n", taken, trials);
   return taken ? 1 : 0;
}

int
main(int argc, char **argv)
{
   struct icd icd;
   if (argc != 4 && argc != 6)
      return 2;
   const char *wrong = icd_open(&icd, argv[1]);
   if (wrong)
      return fail(wrong);
   int code = 2;
   if (!strcmp(argv[2], "store") && argc == 4) {
      code = store(&icd, argv[3]);
   } else if (!strcmp(argv[2], "load") && argc == 4) {
      code = load(&icd, argv[3]);
   } else if (!strcmp(argv[2], "forge") && argc == 6) {
      random_state = strtoull(argv[5], NULL, 0);
      code = forge(&icd, argv[3], (unsigned)strtoul(argv[4], NULL, 0));
   }
   icd_close(&icd);
   return code;
}
