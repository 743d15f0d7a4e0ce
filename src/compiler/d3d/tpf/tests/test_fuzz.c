/* SPDX-License-Identifier: MIT */
/*
 * Damaged programs of SM4 and SM5: test_tpf_fuzz FILE N damages the programs
 * of the containers in FILE, N times. What is still accepted encodes to the
 * same bytes, has a text, and is translated or refused; what is refused says
 * where and why. The suite runs under sanitizers as well.
 */
#include "util/unit_test.h"

#include <stdio.h>

#include "compiler/d3d/tpf/tests/tpf_corpus.h"
#include "compiler/d3d/tpf/tpf_to_nir.h"

static unsigned trials = 2000;
static uint64_t state = 1;

static uint32_t
pick(uint32_t below)
{
   state = state * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(state >> 33) % below;
}

static void
damage(uint32_t *words, size_t *n)
{
   const size_t at = *n > 2 ? 2 + pick((uint32_t)*n - 2) : 0;

   switch (pick(6)) {
   case 0: words[at] ^= 1u << pick(32); break;
   case 1: words[at] = pick(1u << 16); break;
   case 2: words[at] = words[pick((uint32_t)*n)]; break;
   case 3: words[at] += pick(2) ? 1 : UINT32_MAX; break;
   case 4: /* a few dwords less */
      *n = MAX2(at, (size_t)2);
      words[1] = (uint32_t)*n;
      break;
   default: /* another stage or version */
      words[0] = pick(6) << 16 | (pick(2) ? 0x50 : 0x40 + pick(2));
      break;
   }
}

static unsigned accepted, translated;

static void
check_accepted(struct arena *arena, const struct tpf_shader *shader,
               const uint32_t *words, size_t n)
{
   const struct tpf_to_nir_options options = { .parent = arena };
   struct d3d_error error = { 0 };
   struct util_dynarray out = { 0 };
   struct strbuf text = { 0 };

   tpf_encode(shader, &out);
   assert_int_equal(out.size_B, 4 * n);
   assert_memory_equal(out.data, words, 4 * n);
   tpf_print(shader, &text);
   accepted++;
   if (!tpf_validate(shader, &error))
      assert_true(error.text[0] != 0);
   else if (tpf_to_nir(shader, NULL, &options, &error))
      translated++;
   else
      assert_true(error.text[0] != 0);
   strbuf_fini(&text);
   util_dynarray_fini(&out);
}

static void
one(const struct tpf_corpus_entry *e)
{
   static uint32_t words[TPF_CORPUS_MAX_DW];
   struct arena *arena = arena_create(NULL);
   struct d3d_error error = { 0 };
   const struct dxbc_chunk *chunk;
   struct dxbc c;

   assert_true(dxbc_read(e->words, 4 * e->num_dw, &c, &error));
   chunk = dxbc_find_program(&c, &error);
   size_t n = chunk->size_B / 4;
   memcpy(words, chunk->data, chunk->size_B);
   for (unsigned i = 0, k = 1 + pick(3); i < k; i++)
      damage(words, &n);
   struct tpf_shader *shader = tpf_decode(arena, words, 4 * n, 0, &error);
   if (shader)
      check_accepted(arena, shader, words, n);
   else
      assert_true(error.text[0] != 0);
   arena_destroy(arena);
}

static void
test_damaged(void **unused)
{
   (void)unused;
   for (unsigned i = 0; i < trials; i++)
      one(&tpf_corpus[pick(tpf_corpus_count)]);
   printf("%u damaged programs: %u of good form, %u translated\n", trials,
          accepted, translated);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_damaged) };

   if (argc < 2)
      return 2;
   tpf_corpus_read(argv[1]);
   if (argc > 2)
      trials = (unsigned)strtoul(argv[2], NULL, 10);
   if (argc > 3)
      state = strtoull(argv[3], NULL, 10);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
