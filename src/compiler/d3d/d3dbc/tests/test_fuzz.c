/* SPDX-License-Identifier: MIT */
/*
 * Damaged bytecode and text: every reader says yes or no, with the place of
 * the fault, and what it takes it can print, write and translate. Run long
 * under the sanitizers; a trial is made from its number alone.
 */
#include "util/unit_test.h"

#include <stdio.h>

#include "compiler/d3d/d3dbc/tests/d3dbc_random.h"
#include "d3dbc_from_nir.h"
#include "d3dbc_to_nir.h"

static unsigned trials = 4000, first;
static unsigned decoded, translated, parsed, written;

static void
must_have_place(const struct d3d_error *error)
{
   char buf[256];

   assert_true(error->text[0]);
   assert_true(strlen(d3d_error_text(error, buf, sizeof(buf))) > 0);
}

/* Takes NIR through the writer when it is small enough. */
static void
write_again(struct arena *arena, nir_shader *nir,
            const struct d3dbc_shader *shader)
{
   const bool ps = d3dbc_profile_info(shader->profile)->is_ps;
   struct d3d_error error = { 0 };

   if (d3dbc_from_nir(arena, nir, ps ? D3DBC_PS_3_0 : D3DBC_VS_3_0, NULL,
                      &error))
      written++;
   else
      assert_true(error.text[0]);
}

static void
use(struct arena *arena, const struct d3dbc_shader *shader, const void *data,
    size_t size_B)
{
   const struct d3dbc_to_nir_options options = { .parent = arena };
   struct util_dynarray code = { 0 };
   struct strbuf text = { 0 };
   struct d3d_error error = { 0 };
   nir_shader *nir;

   d3dbc_encode(shader, &code);
   if (data) {
      assert_int_equal(code.size_B, size_B);
      assert_memory_equal(code.data, data, size_B);
   }
   d3dbc_print(shader, &text);
   d3dbc_print_ctab(shader, &text);
   if (!d3dbc_validate(shader, &error)) {
      must_have_place(&error);
   } else {
      nir = d3dbc_to_nir(shader, &options, &error);
      if (nir) {
         translated++;
         write_again(arena, nir, shader);
      } else {
         must_have_place(&error);
      }
   }
   strbuf_fini(&text);
   util_dynarray_fini(&code);
}

static void
damage(struct d3dbc_random *r, uint8_t *data, size_t size_B)
{
   const unsigned n = 1 + d3dbc_random_next(r, 4);

   for (unsigned i = 0; i < n; i++) {
      const size_t at = d3dbc_random_next(r, (uint32_t)size_B);
      switch (d3dbc_random_next(r, 3)) {
      case 0: data[at] ^= (uint8_t)(1u << d3dbc_random_next(r, 8)); break;
      case 1: data[at] = (uint8_t)d3dbc_random_next(r, 256); break;
      default:
         /* A dword from elsewhere. */
         if (size_B >= 4)
            memmove(data + (at & ~(size_t)3),
                    data +
                       (d3dbc_random_next(r, (uint32_t)size_B) & ~(size_t)3),
                    4);
         break;
      }
   }
}

/* A trial: bytes of a random shader, damaged, and the same with its text. */
static void
one(unsigned seed)
{
   struct arena *arena = arena_create(NULL);
   struct d3dbc_random r = { .state = seed * 77ull, .arena = arena };
   struct util_dynarray code = { 0 };
   struct strbuf text = { 0 };
   struct d3d_error error = { 0 };
   struct d3dbc_shader *shader;
   size_t size_B;
   char *copy;

   r.profile = (enum d3dbc_profile)d3dbc_random_next(&r, D3DBC_PROFILE_COUNT);
   shader = d3dbc_random_shader(&r, 6);
   d3dbc_print(shader, &text);
   d3dbc_encode(shader, &code);
   size_B = code.size_B;
   /* Cut off, now and then not at a dword. */
   if (d3dbc_random_next(&r, 8) == 0)
      size_B = d3dbc_random_next(&r, (uint32_t)size_B);
   if (size_B)
      damage(&r, code.data, size_B);
   /* A block of its own, so that a sanitizer sees reads after its end. */
   copy = malloc(size_B + 1);
   memcpy(copy, code.data, size_B);
   shader = d3dbc_decode(arena, copy, size_B, &error);
   if (shader) {
      decoded++;
      use(arena, shader, copy, size_B);
   } else {
      must_have_place(&error);
      assert_true(error.offset_B <= size_B);
   }
   free(copy);

   size_B = text.len;
   damage(&r, (uint8_t *)text.s, size_B);
   copy = malloc(size_B);
   memcpy(copy, text.s, size_B);
   shader = d3dbc_parse(arena, copy, size_B, &error);
   if (shader) {
      parsed++;
      use(arena, shader, NULL, 0);
   } else {
      must_have_place(&error);
      assert_true(error.line > 0);
   }
   free(copy);
   strbuf_fini(&text);
   util_dynarray_fini(&code);
   arena_destroy(arena);
}

static void
test_damaged(void **state)
{
   (void)state;
   for (unsigned i = 0; i < trials; i++)
      one(first + i);
   printf("%u trials: %u decoded, %u parsed, %u translated, %u written\n",
          trials, decoded, parsed, translated, written);
   /* Enough gets through that what comes after the readers is tested, too. */
   assert_true(decoded > trials / 10 && parsed > trials / 100);
   assert_true(translated > trials / 20 && written > trials / 20);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_damaged) };

   if (argc > 1)
      trials = (unsigned)strtoul(argv[1], NULL, 10);
   if (argc > 2)
      first = (unsigned)strtoul(argv[2], NULL, 10);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
