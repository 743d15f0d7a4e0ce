/* SPDX-License-Identifier: MIT */
/*
 * Listings with the bytes that another assembler gave for them: parsing gives
 * those bytes, and bytes -> instructions -> text -> bytes changes nothing.
 * In the file each listing is ended by a line "= " with the dwords.
 */
#include "util/unit_test.h"

#include <stdio.h>

#include "d3dbc.h"

static const char *path;

struct listing {
   char text[4096];
   uint32_t words[512];
   size_t num_words;
};

static bool
next_listing(FILE *fp, struct listing *l)
{
   char line[8192];

   l->text[0] = '\0';
   l->num_words = 0;
   while (fgets(line, sizeof(line), fp)) {
      if (line[0] == '=') {
         char *s = line + 1, *end;
         for (;; s = end) {
            const unsigned long v = strtoul(s, &end, 16);
            if (end == s)
               return true;
            assert_in_range(l->num_words, 0, ARRAY_SIZE(l->words) - 1);
            l->words[l->num_words++] = (uint32_t)v;
         }
      }
      assert_in_range(strlen(l->text) + strlen(line), 0, sizeof(l->text) - 1);
      strcat(l->text, line);
   }
   return false;
}

static void
must_equal(const struct listing *l, const struct d3dbc_shader *shader,
           const char *what)
{
   struct util_dynarray out = { 0 };

   d3dbc_encode(shader, &out);
   if (out.size_B != 4 * l->num_words ||
       memcmp(out.data, l->words, out.size_B))
      fail_msg("%s differs:\n%s", what, l->text);
   util_dynarray_fini(&out);
}

static void
check_listing(const struct listing *l)
{
   struct arena *arena = arena_create(NULL);
   struct strbuf text = { 0 };
   struct d3d_error error;
   char buf[256];
   struct d3dbc_shader *shader =
      d3dbc_parse(arena, l->text, strlen(l->text), &error);

   if (!shader)
      fail_msg("%s\n%s", d3d_error_text(&error, buf, sizeof(buf)), l->text);
   must_equal(l, shader, "the parsed text");
   if (!d3dbc_validate(shader, &error))
      fail_msg("%s\n%s", d3d_error_text(&error, buf, sizeof(buf)), l->text);

   shader = d3dbc_decode(arena, l->words, 4 * l->num_words, &error);
   if (!shader)
      fail_msg("%s\n%s", d3d_error_text(&error, buf, sizeof(buf)), l->text);
   must_equal(l, shader, "what was decoded");
   d3dbc_print(shader, &text);
   shader = d3dbc_parse(arena, text.s, text.len, &error);
   if (!shader)
      fail_msg("%s\n%s", d3d_error_text(&error, buf, sizeof(buf)), text.s);
   must_equal(l, shader, "what was printed");
   strbuf_fini(&text);
   arena_destroy(arena);
}

static void
test_listings(void **state)
{
   FILE *fp = fopen(path, "r");
   static struct listing l;
   unsigned count = 0;

   (void)state;
   assert_non_null(fp);
   while (next_listing(fp, &l)) {
      check_listing(&l);
      count++;
   }
   fclose(fp);
   printf("%u listings\n", count);
   assert_true(count >= 300);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_listings) };

   if (argc != 2)
      return 2;
   path = argv[1];
   return cmocka_run_group_tests(tests, NULL, NULL);
}
