/* SPDX-License-Identifier: MIT */
/*
 * HLSL by libsaffron-d3d.
 *
 *   d3dlib_use_hlsl there     with the libvkd3d-shader of tests
 *   d3dlib_use_hlsl absent    with none that compiles HLSL
 */
#include <stdio.h>
#include <string.h>

#include "saffron/d3d_shader.h"

static const char text[] = "fffe0200 02000001 c00f0000 a0e40001 0000ffff\n";
static unsigned bad;

#define CHECK(expr)                                                          \
   do {                                                                      \
      if (!(expr)) {                                                         \
         printf("line %d: %s\n", __LINE__, #expr);                           \
         bad++;                                                              \
      }                                                                      \
   } while (0)

static int
compile(const char *source, const char *profile,
        enum vkd3d_shader_target_type target, struct vkd3d_shader_code *out,
        char **messages)
{
   const struct vkd3d_shader_interface_info interface = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO,
   };
   const struct vkd3d_shader_hlsl_source_info hlsl = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_HLSL_SOURCE_INFO,
      .next = &interface,
      .entry_point = "entry",
      .profile = profile,
   };
   const struct vkd3d_shader_compile_info info = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
      .next = &hlsl,
      .source = { source, strlen(source) },
      .source_type = VKD3D_SHADER_SOURCE_HLSL,
      .target_type = target,
      .source_name = "a.hlsl",
   };

   return vkd3d_shader_compile(&info, out, messages);
}

static bool
has_hlsl(void)
{
   const enum vkd3d_shader_source_type *types;
   unsigned n;
   bool found = false;

   types = vkd3d_shader_get_supported_source_types(&n);
   for (unsigned i = 0; i < n; i++)
      found |= types[i] == VKD3D_SHADER_SOURCE_HLSL;
   vkd3d_shader_get_supported_target_types(VKD3D_SHADER_SOURCE_HLSL, &n);
   CHECK(n == (found ? 4 : 0));
   return found;
}

static int
preprocess(struct vkd3d_shader_code *out, char **messages)
{
   const struct vkd3d_shader_compile_info info = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
      .source = { "text", 4 },
      .source_type = VKD3D_SHADER_SOURCE_HLSL,
   };

   return vkd3d_shader_preprocess(&info, out, messages);
}

static void
there(void)
{
   struct vkd3d_shader_code code;
   char *messages;

   CHECK(has_hlsl());
   CHECK(compile(text, "vs_2_0", VKD3D_SHADER_TARGET_D3D_BYTECODE, &code,
                 &messages) == VKD3D_OK);
   CHECK(code.size == 20 && *(const uint32_t *)code.code == 0xfffe0200);
   CHECK(messages && strstr(messages, "a.hlsl:2:7: "));
   vkd3d_shader_free_messages(messages);
   vkd3d_shader_free_shader_code(&code);
   CHECK(compile(text, "vs_2_0", VKD3D_SHADER_TARGET_SPIRV_BINARY, &code,
                 NULL) == VKD3D_OK);
   CHECK(code.size > 20 && *(const uint32_t *)code.code == 0x07230203);
   vkd3d_shader_free_shader_code(&code);
   CHECK(compile(text, "vs_2_0", VKD3D_SHADER_TARGET_D3D_ASM, &code, NULL) ==
         VKD3D_OK);
   CHECK(!strncmp(code.code, "vs_2_0\n", 7));
   vkd3d_shader_free_shader_code(&code);
   /* What our reader refuses is said instead of the warning. */
   CHECK(compile(text, "vs_5_0", VKD3D_SHADER_TARGET_SPIRV_BINARY, &code,
                 &messages) == VKD3D_ERROR_INVALID_SHADER);
   CHECK(messages && !strstr(messages, "warning") &&
         strstr(messages, "a.hlsl:"));
   vkd3d_shader_free_messages(messages);
   CHECK(compile("what?", "ps_5_0", VKD3D_SHADER_TARGET_SPIRV_BINARY, &code,
                 &messages) == VKD3D_ERROR_INVALID_SHADER);
   CHECK(messages && !strcmp(messages, "a.hlsl:2:7: E5000: ps_5_0 entry\n"));
   vkd3d_shader_free_messages(messages);
   CHECK(preprocess(&code, &messages) == VKD3D_OK);
   CHECK(code.size == 5 && !memcmp(code.code, "!text", 5));
   vkd3d_shader_free_shader_code(&code);
}

static void
absent(void)
{
   struct vkd3d_shader_code code;
   char *messages;

   CHECK(!has_hlsl());
   CHECK(compile(text, "vs_2_0", VKD3D_SHADER_TARGET_SPIRV_BINARY, &code,
                 &messages) == VKD3D_ERROR_NOT_IMPLEMENTED);
   CHECK(messages && strstr(messages, "a.hlsl: error: libvkd3d-shader.so.1"));
   vkd3d_shader_free_messages(messages);
   CHECK(preprocess(&code, &messages) == VKD3D_ERROR_NOT_IMPLEMENTED);
   CHECK(messages && strstr(messages, "HLSL needs 2.0"));
   vkd3d_shader_free_messages(messages);
}

int
main(int argc, char **argv)
{
   struct vkd3d_shader_code code;

   if (argc != 2)
      return 2;
   if (!strcmp(argv[1], "there"))
      there();
   else
      absent();
   /* Without a profile there is nothing to ask for. */
   CHECK(compile(text, NULL, VKD3D_SHADER_TARGET_SPIRV_BINARY, &code, NULL) ==
         VKD3D_ERROR_INVALID_ARGUMENT);
   CHECK(compile(text, "vs_2_0", VKD3D_SHADER_TARGET_SPIRV_TEXT, &code,
                 NULL) == VKD3D_ERROR_INVALID_ARGUMENT);
   return bad != 0;
}
