/* SPDX-License-Identifier: MIT */
/*
 * A libvkd3d-shader for tests, of version MAJOR.1. Its HLSL is dwords in
 * hexadecimal, which are the bytecode; "silent" fails without a word, other
 * text with the profile and the entry point in an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saffron/d3d_shader.h"

const char *
vkd3d_shader_get_version(unsigned int *major, unsigned int *minor)
{
   *major = MAJOR;
   *minor = 1;
   return "of tests";
}

void
vkd3d_shader_free_messages(char *messages)
{
   free(messages);
}

void
vkd3d_shader_free_shader_code(struct vkd3d_shader_code *code)
{
   free((void *)code->code);
}

static int
say(char **messages, const char *name, const char *what, const char *more)
{
   const size_t size = strlen(name) + strlen(what) + strlen(more) + 32;

   *messages = malloc(size);
   snprintf(*messages, size, "%s:2:7: E5000: %s %s\n", name, what, more);
   return VKD3D_ERROR_INVALID_SHADER;
}

int
vkd3d_shader_compile(const struct vkd3d_shader_compile_info *info,
                     struct vkd3d_shader_code *out, char **messages)
{
   const struct vkd3d_shader_hlsl_source_info *hlsl = info->next;
   char *text = calloc(1, info->source.size + 1), *at = text, *end;
   uint32_t *words = malloc(info->source.size * 4 + 4);
   size_t n = 0;

   while (hlsl->type != VKD3D_SHADER_STRUCTURE_TYPE_HLSL_SOURCE_INFO)
      hlsl = hlsl->next;
   memcpy(text, info->source.code, info->source.size);
   for (;; at = end) {
      words[n] = (uint32_t)strtoul(at, &end, 16);
      if (end == at)
         break;
      n++;
   }
   *messages = NULL;
   out->code = words;
   out->size = n * 4;
   if (!n) {
      const int silent = !strncmp(text, "silent", 6);
      free(words);
      free(text);
      return silent ? VKD3D_ERROR_OUT_OF_MEMORY
                    : say(messages, info->source_name, hlsl->profile,
                          hlsl->entry_point);
   }
   free(text);
   /* Nobody asked for warnings, but some are there. */
   say(messages, info->source_name, "warning", "");
   return VKD3D_OK;
}

int
vkd3d_shader_preprocess(const struct vkd3d_shader_compile_info *info,
                        struct vkd3d_shader_code *out, char **messages)
{
   char *copy = malloc(info->source.size + 1);

   *messages = NULL;
   memcpy(copy, "!", 1);
   memcpy(copy + 1, info->source.code, info->source.size);
   *out = (struct vkd3d_shader_code) { copy, info->source.size + 1 };
   return VKD3D_OK;
}
