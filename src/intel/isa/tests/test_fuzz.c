/* SPDX-License-Identifier: MIT */
/* Random bits and mutated text. Nothing may crash or read out of bounds, and
 * what decodes must survive each way round:
 *
 *    bits -> instruction -> the same bits, unless marked noncanonical
 *    instruction -> text -> instruction with the same bits
 *    full -> compact -> full
 *
 * The trials are the same each time; an argument multiplies their number.
 */
#include "util/tests/page_end.h"
#include "util/unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "intel/isa/isa.h"

static unsigned trials = 1;

/* splitmix64 */
static uint64_t
next_random(uint64_t *state)
{
   uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
   z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
   z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
   return z ^ (z >> 31);
}

/* Random bits with an opcode of the generation; half of them with few bits
 * set, since most random words are no instruction. */
static void
random_word(enum isa_gen gen, uint64_t *seed, uint32_t dw[4])
{
   const uint64_t kind = next_random(seed);
   for (unsigned i = 0; i < 4; i++) {
      dw[i] = (uint32_t)next_random(seed);
      if (kind & 1)
         dw[i] &= (uint32_t)next_random(seed);
      if (kind & 2)
         dw[i] &= (uint32_t)next_random(seed);
   }
   unsigned op;
   do
      op = (unsigned)(next_random(seed) % ISA_OPCODE_COUNT);
   while (!isa_opcode_exists(gen, (enum isa_opcode)op));
   dw[0] = (dw[0] & ~0x7fu) | isa_opcode_info((enum isa_opcode)op)->hw[gen];
   if (kind & 4)
      dw[0] &= ~(1u << 29); /* not compact */
}

static void
fail_on(enum isa_gen gen, const uint32_t dw[4], const char *what,
        const char *text)
{
   fail_msg("%s %08x %08x %08x %08x: %s: %s", isa_gen_name(gen), dw[0], dw[1],
            dw[2], dw[3], what, text);
}

static void
check_text(enum isa_gen gen, const struct isa_inst *inst,
           const uint32_t dw[4])
{
   struct strbuf text = { 0 };
   struct isa_inst parsed;
   struct isa_error err;
   uint32_t again[4];
   isa_print(gen, inst, NULL, &text);
   if (!isa_parse(gen, strbuf_str(&text), &parsed, &err) ||
       !isa_encode(gen, &parsed, again, &err)) {
      fprintf(stderr, "%s\n", err.text);
      fail_on(gen, dw, "its text does not parse", strbuf_str(&text));
   }
   if (memcmp(again, dw, sizeof(again)))
      fail_on(gen, dw, "its text means something else", strbuf_str(&text));
   strbuf_fini(&text);
}

static void
check_compaction(enum isa_gen gen, const uint32_t dw[4])
{
   uint32_t compact[2], back[4];
   if (!isa_compact(gen, dw, compact))
      return;
   if (!isa_uncompact(gen, compact, back) || memcmp(back, dw, sizeof(back)))
      fail_on(gen, dw, "compaction", "does not give the bits back");
}

/* True if it is an instruction. */
static bool
check_word(enum isa_gen gen, const uint32_t dw[4])
{
   struct isa_inst inst;
   struct isa_error err;
   struct isa_faults faults = { 0 };
   uint32_t again[4];
   unsigned size_B;
   if (!isa_decode(gen, dw, 16, &inst, &size_B, &err)) {
      assert_true(err.text[0] != '\0');
      return false;
   }
   isa_validate(gen, true, &inst, &faults);
   if (!isa_encode(gen, &inst, again, &err))
      fail_on(gen, dw, "does not encode", err.text);
   if (size_B == 16 && !inst.noncanonical && memcmp(again, dw, sizeof(again)))
      fail_on(gen, dw, "encodes to other bits", "");
   /* Bits without a meaning have no text. */
   memset(inst.ignored, 0, sizeof(inst.ignored));
   if (!isa_encode(gen, &inst, again, &err))
      fail_on(gen, dw, "does not encode", err.text);
   check_text(gen, &inst, again);
   check_compaction(gen, again);
   return true;
}

static void
test_words(void **state)
{
   uint64_t seed = 1;
   unsigned good = 0;
   for (unsigned i = 0; i < 200000 * trials; i++) {
      const enum isa_gen gen = (enum isa_gen)(i % ISA_GEN_COUNT);
      uint32_t dw[4];
      random_word(gen, &seed, dw);
      good += check_word(gen, dw);
   }
   /* The test is worth something only if enough of them are instructions. */
   assert_true(good > 25000);
}

/* Compact words: what expands is found again by compaction, perhaps under
 * another index with the same meaning. */
static void
test_compact_words(void **state)
{
   uint64_t seed = 2;
   unsigned good = 0;
   for (unsigned i = 0; i < 200000 * trials; i++) {
      const enum isa_gen gen = (enum isa_gen)(i % ISA_GEN_COUNT);
      uint32_t dw[4], full[4], compact[2], back[4];
      random_word(gen, &seed, dw);
      if (!isa_uncompact(gen, dw, full))
         continue;
      good++;
      if (isa_compact(gen, full, compact)) {
         assert_true(isa_uncompact(gen, compact, back));
         assert_memory_equal(full, back, sizeof(back));
      }
   }
   assert_true(good > 25000);
}

/* Programs of any bytes and any length. */
static void
test_programs(void **state)
{
   uint64_t seed = 3;
   for (unsigned i = 0; i < 1500 * trials; i++) {
      const enum isa_gen gen = (enum isa_gen)(i % ISA_GEN_COUNT);
      const size_t size_B = next_random(&seed) % 300;
      /* Exactly as long, so that a sanitizer sees a byte too far. */
      uint8_t *bytes = malloc(MAX2(size_B, 1));
      for (size_t k = 0; k < size_B; k++)
         bytes[k] = (uint8_t)next_random(&seed);
      for (size_t k = 0; k + 16 <= size_B; k += 16) {
         uint32_t dw[4];
         random_word(gen, &seed, dw);
         memcpy(bytes + k, dw, sizeof(dw));
      }
      struct strbuf text = { 0 };
      struct isa_error err;
      struct isa_faults faults = { 0 };
      uint32_t offsets_B[] = { 0, 8, 100, 1000000 };
      isa_disassemble(gen, bytes, size_B, NULL, &text, &err);
      isa_validate_program(gen, true, bytes, size_B, &faults, &err);
      const size_t compact_B = isa_compact_program(
         gen, bytes, size_B, offsets_B, ARRAY_SIZE(offsets_B));
      assert_true(compact_B <= size_B);
      strbuf_fini(&text);
      free(bytes);
   }
}

static void
mutate(char *text, size_t *length, size_t room, uint64_t *seed)
{
   static const char alphabet[] =
      "rfam0123456789.:;<>()[],|{}&~-@ \n/*xyzwXM\"\\\t";
   const unsigned count = 1 + next_random(seed) % 4;
   for (unsigned i = 0; i < count && *length; i++) {
      const size_t at = next_random(seed) % *length;
      const char c = next_random(seed) % 8
                        ? alphabet[next_random(seed) % (sizeof(alphabet) - 1)]
                        : (char)next_random(seed);
      switch (next_random(seed) % 4) {
      case 0: text[at] = c; break;
      case 1:
         memmove(text + at, text + at + 1, *length - at - 1);
         (*length)--;
         break;
      case 2:
         if (*length < room) {
            memmove(text + at + 1, text + at, *length - at);
            text[at] = c;
            (*length)++;
         }
         break;
      case 3: *length = at; break;
      }
   }
}

static void
check_errors(const struct isa_errors *errors, const char *text, size_t length)
{
   unsigned lines = 1;
   for (size_t i = 0; i < length; i++)
      lines += text[i] == '\n';
   for (unsigned i = 0; i < MIN2(errors->count, ISA_MAX_ERRORS); i++) {
      assert_true(errors->error[i].text[0] != '\0');
      assert_in_range(errors->error[i].line, 1, lines);
      assert_in_range(errors->error[i].column, 1, length + 1);
   }
}

static void
assemble_mutant(enum isa_gen gen, const char *line, size_t length,
                const struct page_end *end, uint64_t *seed)
{
   char buffer[512] = "";
   size_t used = MIN2(length, sizeof(buffer) - 8);
   memcpy(buffer, line, used);
   mutate(buffer, &used, sizeof(buffer) - 1, seed);
   const char *exact = page_end_copy(end, buffer, used);
   struct util_dynarray code = { 0 };
   struct isa_errors errors;
   const bool good = isa_assemble(gen, exact, used, &code, &errors);
   assert_int_equal(good, errors.count == 0);
   check_errors(&errors, exact, used);
   util_dynarray_fini(&code);
}

static void
test_text(void **state)
{
   struct page_end end = page_end_create(512);
   uint64_t seed = 4;
   for (unsigned i = 0; i < 200000 * trials; i++) {
      const enum isa_gen gen = (enum isa_gen)(i % ISA_GEN_COUNT);
      uint32_t dw[4];
      struct isa_inst inst;
      random_word(gen, &seed, dw);
      if (!isa_decode(gen, dw, 16, &inst, NULL, NULL))
         continue;
      struct strbuf text = { 0 };
      isa_print(gen, &inst, NULL, &text);
      for (unsigned k = 0; k < 3; k++)
         assemble_mutant(gen, text.s, text.len, &end, &seed);
      strbuf_fini(&text);
   }
   page_end_destroy(&end);
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      trials = (unsigned)MAX2(atoi(argv[1]), 1);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_compact_words),
      cmocka_unit_test(test_programs),
      cmocka_unit_test(test_text),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
