/* SPDX-License-Identifier: MIT */
/*
 * Translates a module and lowers it as a driver would, with validation in
 * between. Prints "ok", or what is wrong as "invalid at 123: rule".
 * Exit status: 0 ok, 1 invalid, 2 unsupported, 3 cannot be read.
 *
 * usage: spirv_check [-p] MODULE.spv      -p: print NIR
 */
#include <stdio.h>
#include "compiler/spirv/tests/spirv_run.h"

static uint32_t *
read_words(struct arena *arena, const char *path, size_t *n)
{
   FILE *f = fopen(path, "rb");
   uint32_t *words;
   long size_B;

   if (!f)
      return NULL;
   fseek(f, 0, SEEK_END);
   size_B = ftell(f);
   rewind(f);
   *n = (size_t)MAX2(size_B, 0) / 4;
   words = arena_new_array(arena, uint32_t, *n);
   if (fread(words, 4, *n, f) != *n)
      words = NULL;
   fclose(f);
   return words;
}

int
main(int argc, char **argv)
{
   const bool print = argc == 3 && strcmp(argv[1], "-p") == 0;
   struct arena *arena = arena_create(NULL);
   struct spirv_error err;
   uint32_t *words = NULL;
   size_t n = 0;

   if (argc == 2 || print)
      words = read_words(arena, argv[argc - 1], &n);
   if (!words) {
      fprintf(stderr, "usage: spirv_check [-p] MODULE.spv\n");
      arena_destroy(arena);
      return 3;
   }
   spirv_run(words, n, print ? stdout : NULL, &err);
   if (err.kind == SPIRV_OK)
      printf("ok\n");
   else
      printf("%s at %zu: %s\n",
             err.kind == SPIRV_INVALID ? "invalid" : "unsupported",
             err.word_offset, err.message);
   arena_destroy(arena);
   return (int)err.kind;
}
