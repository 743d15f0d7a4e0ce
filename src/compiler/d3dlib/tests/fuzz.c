/* SPDX-License-Identifier: MIT */
/*
 * Damaged containers with the right digest, and damaged root signatures:
 * each call fails or gives something that can be released.
 *
 *   d3dlib_fuzz N FILE          N of each, from the containers of the file
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/d3d/dxbc/dxbc.h"
#include "compiler/d3d/tpf/tests/tpf_corpus.h"
#include "saffron/d3d_shader.h"

static uint64_t state = 1;
static unsigned taken, refused;

static unsigned
pick(size_t below)
{
   state = state * 6364136223846793005ull + 1442695040888963407ull;
   return (unsigned)((state >> 33) % below);
}

/* Bits, dwords and the end. Memory of its own, so that what is read beyond
 * it is seen. */
static struct vkd3d_shader_code
damaged(const void *data, size_t size_B)
{
   struct vkd3d_shader_code code = { NULL, size_B };
   uint8_t *bytes;

   if (pick(4) == 0)
      code.size = 32 + pick(size_B - 31);
   bytes = malloc(code.size);
   code.code = memcpy(bytes, data, code.size);
   for (unsigned i = 1 + pick(4); i; i--) {
      const size_t at = 28 + pick(code.size - 28);
      const uint32_t some[] = { 0, 1, 0x7fffffff, 0xffffffff, pick(256) };
      if (pick(2) && at + 4 <= code.size)
         memcpy(bytes + at / 4 * 4, &some[pick(5)], 4);
      else
         bytes[at] ^= (uint8_t)(1u << pick(8));
   }
   if (code.size >= 28)
      memcpy(bytes + 24, &(uint32_t) { (uint32_t)code.size }, 4);
   dxbc_digest(bytes, code.size, bytes + 4);
   return code;
}

static void
count(int result)
{
   *(result == VKD3D_OK ? &taken : &refused) += 1;
}

static void
use_shader(struct vkd3d_shader_code code)
{
   struct vkd3d_shader_scan_descriptor_info found = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_SCAN_DESCRIPTOR_INFO
   };
   const struct vkd3d_shader_compile_info info = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
      .next = &found,
      .source = code,
      .source_type = VKD3D_SHADER_SOURCE_DXBC_TPF,
      .target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY,
   };
   struct vkd3d_shader_signature signature;
   struct vkd3d_shader_code out = { 0 };
   char *messages;

   if (vkd3d_shader_scan(&info, NULL) == VKD3D_OK)
      vkd3d_shader_free_scan_descriptor_info(&found);
   if (vkd3d_shader_parse_input_signature(&code, &signature, NULL) ==
       VKD3D_OK)
      vkd3d_shader_free_shader_signature(&signature);
   count(vkd3d_shader_compile(&info, &out, &messages));
   vkd3d_shader_free_shader_code(&out);
   vkd3d_shader_free_messages(messages);
   free((void *)code.code);
}

static void
use_root_signature(struct vkd3d_shader_code code)
{
   struct vkd3d_shader_versioned_root_signature_desc root;
   struct vkd3d_shader_code out = { 0 };
   char *messages;
   const int result =
      vkd3d_shader_parse_root_signature(&code, &root, &messages);

   count(result);
   vkd3d_shader_free_messages(messages);
   free((void *)code.code);
   if (result != VKD3D_OK)
      return;
   vkd3d_shader_serialize_root_signature(&root, &out, NULL);
   vkd3d_shader_free_shader_code(&out);
   vkd3d_shader_free_root_signature(&root);
}

static struct vkd3d_shader_code
some_root_signature(void)
{
   const struct vkd3d_shader_descriptor_range1 ranges[] = {
      { VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, 3, 1, 2, 4, 0 },
      { VKD3D_SHADER_DESCRIPTOR_TYPE_CBV, 2, 1, 0, 0, 9 },
   };
   struct vkd3d_shader_root_parameter1 p[3] = { 0 };
   const struct vkd3d_shader_static_sampler_desc sampler = { 0 };
   const struct vkd3d_shader_versioned_root_signature_desc root = {
      .version = VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1,
      .u = { .v_1_1 = { 3, p, 1, &sampler, 1 } },
   };
   struct vkd3d_shader_code code = { 0 };

   p[0].u.descriptor_table.descriptor_range_count = 2;
   p[0].u.descriptor_table.descriptor_ranges = ranges;
   p[1].parameter_type = VKD3D_SHADER_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
   p[2].parameter_type = VKD3D_SHADER_ROOT_PARAMETER_TYPE_SRV;
   if (vkd3d_shader_serialize_root_signature(&root, &code, NULL) != VKD3D_OK)
      exit(1);
   return code;
}

int
main(int argc, char **argv)
{
   const unsigned long n = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
   struct vkd3d_shader_code root = some_root_signature();

   if (!n)
      return 2;
   tpf_corpus_read(argv[2]);
   for (unsigned long i = 0; i < n; i++) {
      const struct tpf_corpus_entry *e = &tpf_corpus[i % tpf_corpus_count];
      use_shader(damaged(e->words, e->num_dw * 4));
      use_root_signature(damaged(root.code, root.size));
   }
   vkd3d_shader_free_shader_code(&root);
   printf("%u taken, %u refused\n", taken, refused);
   return !taken || !refused;
}
