/* SPDX-License-Identifier: MIT */
/*
 * Containers that another compiler made: their digests are right, chunks and
 * signatures read, and writing the chunks gives the same bytes. Damaged ones
 * are refused, with a right digest over the damage or a wrong one.
 * test_dxbc FILE... [TRIALS]; the first file is dxbc/tests/containers.txt.
 */
#include "util/unit_test.h"

#include <stdio.h>

#include "compiler/d3d/dxbc/dxbc.h"

static unsigned trials = 20000;

#define MAX_CONTAINERS 512
#define MAX_DW 4096

static uint32_t words[MAX_CONTAINERS][MAX_DW];
static size_t sizes[MAX_CONTAINERS];
static unsigned num_containers;

static void
read_containers(const char *path)
{
   static char line[9 * MAX_DW + 16];
   FILE *fp = fopen(path, "r");

   assert_non_null(fp);
   while (fgets(line, sizeof(line), fp)) {
      char *s = line, *end;
      if (line[0] == '/' || line[0] == '\n')
         continue;
      assert_in_range(num_containers, 0, MAX_CONTAINERS - 1);
      for (;; s = end) {
         const unsigned long v = strtoul(s, &end, 16);
         if (end == s)
            break;
         assert_in_range(sizes[num_containers], 0, 4 * MAX_DW - 1);
         words[num_containers][sizes[num_containers] / 4] = (uint32_t)v;
         sizes[num_containers] += 4;
      }
      num_containers++;
   }
   fclose(fp);
}

static void
test_real(void **state)
{
   unsigned tails = 0;

   (void)state;
   for (unsigned i = 0; i < num_containers; i++) {
      struct util_dynarray out = { 0 };
      struct strbuf text = { 0 };
      struct d3d_error error = { 0 };
      struct dxbc c;
      if (!dxbc_read(words[i], sizes[i], &c, &error))
         fail_msg("container %u: %s", i, error.text);
      assert_true(dxbc_print(&c, &text, &error));
      assert_true(strstr(text.s, "SHDR") || strstr(text.s, "SHEX"));
      assert_non_null(strstr(text.s, "OSG"));
      dxbc_write(&c, &out);
      assert_int_equal(out.size_B, sizes[i]);
      assert_memory_equal(out.data, words[i], sizes[i]);
      /* Both ways to end the digest. */
      tails |= (sizes[i] - 20) % 64 >= 56 ? 2 : 1;
      strbuf_fini(&text);
      util_dynarray_fini(&out);
   }
   assert_true(num_containers >= 20);
   assert_int_equal(tails, 3);
}

/* What vkd3d-shader 1.6 wrote of `float4 a; float4 b`, and wrong ones. */
static void
test_resources(void **state)
{
   static const char want[] = "   $Globals  cb0  constant buffer\n"
                              "   buffer $Globals  32 bytes\n"
                              "      a  offset 0  size 16  float4\n"
                              "      b  offset 16  size 16  float4\n";
   static const struct {
      unsigned word;
      uint32_t value;
      const char *text;
   } rows[] = {
      { 0, 0x1000, "buffers of the resource definitions are not in" },
      { 3, 0x10000, "bindings of the resource definitions are not in" },
      { 7, 0xfff, "a name is not in the resource definitions" },
      { 20, 0x9999, "variables of the resource definitions are not in" },
   };
   struct strbuf text = { 0 };
   struct d3d_error error = { 0 };
   uint32_t copy[256];
   struct dxbc c;

   (void)state;
   assert_true(dxbc_read(words[2], sizes[2], &c, &error));
   struct dxbc_chunk chunk = *dxbc_find(&c, DXBC_TAG('R', 'D', 'E', 'F'));
   assert_true(dxbc_print_resources(&chunk, &text, &error));
   if (strcmp(text.s, want))
      fail_msg("%s", text.s);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      assert_in_range(chunk.size_B, 0, sizeof(copy));
      memcpy(copy, dxbc_find(&c, DXBC_TAG('R', 'D', 'E', 'F'))->data,
             chunk.size_B);
      copy[rows[i].word] = rows[i].value;
      chunk.data = (const uint8_t *)copy;
      assert_false(dxbc_print_resources(&chunk, &text, &error));
      if (!strstr(error.text, rows[i].text))
         fail_msg("'%s' instead of '%s'", error.text, rows[i].text);
   }
   strbuf_fini(&text);
}

static void
test_signature(void **state)
{
   struct dxbc_signature_element e;
   struct d3d_error error;
   struct dxbc c;
   unsigned n;

   (void)state;
   /* float4 main(float4 t : TEXCOORD0, float2 u : COLOR1) : SV_Target */
   assert_true(dxbc_read(words[1], sizes[1], &c, &error));
   const struct dxbc_chunk *in = dxbc_find(&c, DXBC_TAG('I', 'S', 'G', 'N'));
   assert_non_null(in);
   assert_true(dxbc_signature_count(in, &n, &error));
   assert_int_equal(n, 2);
   assert_true(dxbc_signature_get(in, 1, &e, &error));
   assert_string_equal(e.semantic, "COLOR");
   assert_int_equal(e.semantic_index, 1);
   assert_int_equal(e.mask, 3);
}

static void
test_refused(void **state)
{
   static const struct {
      unsigned word;
      uint32_t value;
      const char *text;
   } rows[] = {
      { 0, 0, "no 'DXBC'" },        { 1, 0, "digest" },
      { 5, 2, "version" },          { 6, 0x10000, "size" },
      { 20, 0x12345678, "digest" },
   };

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      uint32_t copy[1024];
      struct d3d_error error = { 0 };
      struct dxbc c;
      memcpy(copy, words[0], sizes[0]);
      copy[rows[i].word] = rows[i].value;
      assert_false(dxbc_read(copy, sizes[0], &c, &error));
      if (!strstr(error.text, rows[i].text))
         fail_msg("'%s' instead of '%s'", error.text, rows[i].text);
   }
}

static void
test_damaged(void **state)
{
   uint64_t random = 1;
   unsigned read = 0;

   (void)state;
   for (unsigned i = 0; i < trials; i++) {
      const unsigned n = i % num_containers;
      uint8_t *copy = malloc(sizes[n]);
      struct strbuf text = { 0 };
      struct d3d_error error = { 0 };
      struct dxbc c;
      memcpy(copy, words[n], sizes[n]);
      for (unsigned k = 0; k < 3; k++) {
         random = random * 6364136223846793005ull + 1442695040888963407ull;
         /* The header and the starts of chunks are hit more often. */
         const size_t span = random >> 60 & 1 ? 96 : sizes[n];
         copy[(random >> 33) % MIN2(span, sizes[n])] =
            (uint8_t)(random >> 25);
      }
      memcpy(copy, words[n], 4);
      memcpy(copy + 20, &words[n][5], 8);
      dxbc_digest(copy, sizes[n], copy + 4);
      if (dxbc_read(copy, sizes[n], &c, &error) &&
          dxbc_print(&c, &text, &error))
         read++;
      else
         assert_true(error.text[0]);
      strbuf_fini(&text);
      free(copy);
   }
   printf("%u of %u damaged containers read\n", read, trials);
   assert_true(read > trials / 20 && read < trials);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_real),      cmocka_unit_test(test_resources),
      cmocka_unit_test(test_signature), cmocka_unit_test(test_refused),
      cmocka_unit_test(test_damaged),
   };

   if (argc < 2)
      return 2;
   for (int i = 1; i < argc; i++) {
      if (argv[i][0] >= '0' && argv[i][0] <= '9')
         trials = (unsigned)strtoul(argv[i], NULL, 10);
      else
         read_containers(argv[i]);
   }
   return cmocka_run_group_tests(tests, NULL, NULL);
}
