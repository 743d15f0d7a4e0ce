/* SPDX-License-Identifier: MIT */
/* Words against the published layout, and each way round:
 *
 *    bits -> instruction -> the same bits
 *    instruction -> text -> the same instruction
 *
 * An argument gives the number of random words.
 */
#include "util/unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "arm/utgard/isa/gp_isa.h"

static unsigned long trials = 20000;

/* splitmix64 */
static uint64_t
next_random(uint64_t *state)
{
   uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
   z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
   z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
   return z ^ (z >> 31);
}

static void
check_word(const uint32_t dw[4])
{
   struct gp_instr instr, parsed[GP_MAX_INSTRS];
   uint32_t again[4];
   const char *which = NULL;
   gp_decode(dw, &instr);
   if (!gp_encode(&instr, again, &which) || memcmp(again, dw, sizeof(again)))
      fail_msg("%08x %08x %08x %08x: other bits (%s)", dw[0], dw[1], dw[2],
               dw[3], which ? which : "");

   struct strbuf text = { 0 };
   struct gp_text_error error;
   unsigned count;
   gp_print(&instr, &text);
   if (!gp_parse_program(text.s, text.len, parsed, &count, NULL, &error))
      fail_msg("%s: column %u: %s", text.s, error.column, error.text);
   if (count != 1 || memcmp(&parsed[0], &instr, sizeof(instr)))
      fail_msg("%s: means something else", text.s);
   strbuf_fini(&text);
}

/* Random words; half of them with idle fields, where text leaves out. */
static void
random_words(void **state)
{
   uint64_t seed = 1;
   for (unsigned long t = 0; t < trials; t++) {
      const uint64_t a = next_random(&seed), b = next_random(&seed);
      uint32_t dw[4] = { (uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b,
                         (uint32_t)(b >> 32) };
      if (t & 1) {
         struct gp_instr instr, idle;
         gp_decode(dw, &instr);
         gp_instr_init(&idle);
         uint64_t keep = next_random(&seed);
         if (t & 2)
            keep &= next_random(&seed);
         for (unsigned f = 0; f < GP_FIELD_COUNT; f++) {
            if (!(keep >> f & 1))
               gp_field_set(&instr, (enum gp_field)f,
                            gp_field_get(&idle, (enum gp_field)f));
         }
         assert_true(gp_encode(&instr, dw, NULL));
      }
      check_word(dw);
   }
}

/* Each value of each field in an otherwise idle word, and in a full one. */
static void
every_value_of_every_field(void **state)
{
   for (unsigned f = 0; f < GP_FIELD_COUNT; f++) {
      const unsigned width = gp_field_width((enum gp_field)f);
      for (unsigned v = 0; v <= 1u << width; v++) {
         struct gp_instr instr;
         uint32_t dw[4];
         const char *which = NULL;
         gp_instr_init(&instr);
         gp_field_set(&instr, (enum gp_field)f, v);
         if (v >> width) {
            assert_false(gp_encode(&instr, dw, &which));
            assert_string_equal(which, gp_field_name((enum gp_field)f));
            continue;
         }
         assert_true(gp_encode(&instr, dw, NULL));
         check_word(dw);
         gp_decode((const uint32_t[4]) { ~0u, ~0u, ~0u, ~0u }, &instr);
         gp_field_set(&instr, (enum gp_field)f, v);
         assert_true(gp_encode(&instr, dw, NULL));
         check_word(dw);
      }
   }
}

/* Where each field lies, typed from the published layout by hand: the low
 * bit, then what one bit set there alone must decode to. */
static void
fields_lie_where_published(void **state)
{
   static const struct {
      unsigned bit;
      enum gp_field field;
      unsigned value;
   } rows[] = {
      { 0, GP_FIELD_MUL_SRC00, 1 },
      { 9, GP_FIELD_MUL_SRC01, 16 },
      { 10, GP_FIELD_MUL_SRC10, 1 },
      { 19, GP_FIELD_MUL_SRC11, 16 },
      { 20, GP_FIELD_MUL_NEGATE0, 1 },
      { 21, GP_FIELD_MUL_NEGATE1, 1 },
      { 22, GP_FIELD_ADD_SRC00, 1 },
      { 31, GP_FIELD_ADD_SRC01, 16 },
      { 32, GP_FIELD_ADD_SRC10, 1 },
      { 41, GP_FIELD_ADD_SRC11, 16 },
      { 42, GP_FIELD_ADD_NEGATE00, 1 },
      { 43, GP_FIELD_ADD_NEGATE01, 1 },
      { 44, GP_FIELD_ADD_NEGATE10, 1 },
      { 45, GP_FIELD_ADD_NEGATE11, 1 },
      { 46, GP_FIELD_UNIFORM_INDEX, 1 },
      { 54, GP_FIELD_UNIFORM_INDEX, 256 },
      { 55, GP_FIELD_UNIFORM_OFFSET, 1 },
      { 57, GP_FIELD_UNIFORM_OFFSET, 4 },
      { 58, GP_FIELD_PORT0_INDEX, 1 },
      { 62, GP_FIELD_PORT0_IS_ATTRIBUTE, 1 },
      { 63, GP_FIELD_PORT1_INDEX, 1 },
      { 66, GP_FIELD_PORT1_INDEX, 8 },
      { 67, GP_FIELD_STORE_IS_TEMP0, 1 },
      { 68, GP_FIELD_STORE_IS_TEMP1, 1 },
      { 69, GP_FIELD_BRANCH, 1 },
      { 70, GP_FIELD_BRANCH_TARGET, 0 },
      { 71, GP_FIELD_STORE_SRC00, 1 },
      { 74, GP_FIELD_STORE_SRC01, 1 },
      { 77, GP_FIELD_STORE_SRC10, 1 },
      { 82, GP_FIELD_STORE_SRC11, 4 },
      { 83, GP_FIELD_ADD_OP, 1 },
      { 89, GP_FIELD_COMPLEX_OP, 8 },
      { 90, GP_FIELD_STORE_INDEX0, 1 },
      { 94, GP_FIELD_STORE_IS_VARYING0, 1 },
      { 98, GP_FIELD_STORE_INDEX1, 8 },
      { 99, GP_FIELD_STORE_IS_VARYING1, 1 },
      { 100, GP_FIELD_MUL_OP, 1 },
      { 105, GP_FIELD_PASS_OP, 4 },
      { 106, GP_FIELD_COMPLEX_SRC, 1 },
      { 115, GP_FIELD_PASS_SRC, 16 },
      { 116, GP_FIELD_MODE, 1 },
      { 119, GP_FIELD_MODE, 8 },
      /* Bit 8 of the target is inverted: it is set here. */
      { 120, GP_FIELD_BRANCH_TARGET, 0x101 },
      { 127, GP_FIELD_BRANCH_TARGET, 0x180 },
   };
   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
      uint32_t dw[4] = { 0 };
      struct gp_instr instr;
      dw[rows[r].bit / 32] = 1u << (rows[r].bit % 32);
      gp_decode(dw, &instr);
      const unsigned value = gp_field_get(&instr, rows[r].field);
      if (value != rows[r].value)
         fail_msg("bit %u: %s is %u, not %u", rows[r].bit,
                  gp_field_name(rows[r].field), value, rows[r].value);
   }
}

static void
text_of_a_program(void **state)
{
   static const char text[] =
      "000: p0=a2; u=c5+addr1; mul0=-mul(p0.x, u.y); mul1=mul(u.z, ident)\n"
      "001: mul0=complex2(mul0@1, mul0@1); mul1=mul(p0.w@1, mul1@1); "
      "complex=rcp(mul0@1)\n"
      "002: add0=add(-mul0@2, --); add1=add(p1.x, -ident); st0=v3(add0, -); "
      "p1=r7\n"
      "003: pass=move(add0@1); st1=t0(-, complex); mode=12; branch=4\n"
      "004: nop\n";
   struct gp_instr instrs[GP_MAX_INSTRS];
   struct gp_text_error error = { 0 };
   unsigned count;
   if (!gp_parse_program(text, strlen(text), instrs, &count, NULL, &error))
      fail_msg("%u:%u: %s", error.line, error.column, error.text);
   assert_int_equal(count, 5);
   assert_int_equal(instrs[0].uniform_offset, 1);
   assert_int_equal(instrs[0].mul_negate[0], 1);
   assert_int_equal(instrs[1].mul_op, GP_MUL_OP_COMPLEX2);
   assert_int_equal(instrs[1].mul_src[1][0], GP_SRC_PORT0_W_1);
   assert_int_equal(instrs[2].add_negate[0][1], 1);
   assert_int_equal(instrs[2].add_src[1][1], GP_SRC_IDENTITY);
   assert_int_equal(instrs[3].mode, GP_MODE_TEMP_STORE);
   assert_int_equal(instrs[3].branch_target, 4);
   struct strbuf again = { 0 };
   gp_print_program(instrs, count, &again);
   struct gp_instr second[GP_MAX_INSTRS];
   assert_true(
      gp_parse_program(again.s, again.len, second, &count, NULL, &error));
   assert_memory_equal(instrs, second, 5 * sizeof(instrs[0]));
   strbuf_fini(&again);
}

/* The order of clauses says nothing. */
static void
complex2_after_its_product(void **state)
{
   static const char *const texts[] = {
      "mul0=complex2(p0.x, p0.x); mul1=-mul(p0.y, ident)",
      "mul1=-mul(p0.y, ident); mul0=complex2(p0.x, p0.x)",
   };
   struct gp_instr instrs[2][GP_MAX_INSTRS];
   struct gp_text_error e = { 0 };
   unsigned count;
   for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
      if (!gp_parse_program(texts[i], strlen(texts[i]), instrs[i], &count,
                            NULL, &e))
         fail_msg("column %u: %s", e.column, e.text);
   }
   assert_int_equal(instrs[0][0].mul_op, GP_MUL_OP_COMPLEX2);
   assert_memory_equal(&instrs[0][0], &instrs[1][0], sizeof(instrs[0][0]));
}

static void
text_of_constants(void **state)
{
   static const char text[] = ".const c3 = 1, -2.5, 0x1p-3, inf # four\n"
                              "nop\n.temps c9, 3\n";
   struct gp_instr instrs[GP_MAX_INSTRS];
   struct gp_text_data data;
   struct gp_text_error error;
   unsigned count;
   assert_true(
      gp_parse_program(text, strlen(text), instrs, &count, &data, &error));
   assert_int_equal(count, 1);
   assert_true(data.is_constant[3] && !data.is_constant[2]);
   assert_true(data.constants[3][1] == -2.5f);
   assert_true(data.constants[3][2] == 0.125f);
   assert_true(data.constants[3][3] > 1e38f);
   assert_int_equal(data.temp_first, 9);
   assert_int_equal(data.temp_count, 3);
}

static void
errors_have_a_position(void **state)
{
   static const struct {
      const char *text;
      unsigned line, column;
      const char *message;
   } rows[] = {
      { "frob=1", 1, 1, "unknown clause 'frob'" },
      { "nop\nmul0=mul(p0.q, u.x)", 2, 10, "unknown operand 'p0.q'" },
      { "mul0=frob(u.x)", 1, 6, "unknown opcode 'frob'" },
      { "mul0=op3(u.x)", 1, 6, "unknown opcode 'op3'" },
      { "mul0=mul(ident, u.x)", 1, 10, "the identity is an operand B only" },
      { "add0=add(u.x, complex@1)", 1, 15,
        "an operand B cannot be the table unit's result: its code is the "
        "identity there" },
      { "add0=add(u.x); add1=max(u.x, u.y)", 1, 21,
        "both units of a kind share their opcode" },
      { "mul1=complex2(u.x)", 1, 6, "complex2 is an opcode of mul0" },
      { "u=c512", 1, 4, "the number is not below 512" },
      { "p0=r99999999999999999999", 1, 5, "the number is not below 16" },
      { "p1=a3", 1, 4, "expected 'r'" },
      { "u=c1+2", 1, 6, "expected 'addr' and a number" },
      { "p0=r1; p0=r2", 1, 8, "'p0' is given twice" },
      { "pass=move(u.x); branch=2; target=1", 1, 34,
        "the target is given twice" },
      { "target=1; branch=2", 1, 18, "the target is given twice" },
      { ".const c4 = 1, 2, 3, 4\n.const  c4 = 5, 6, 7, 8", 2, 9,
        "c4 is given twice" },
      { ".temps c9, 3\n.temps c9, 3", 2, 1, "'.temps' is given twice" },
      { "001: nop", 1, 1, "this is instruction 0" },
      { "nop nop", 1, 5, "expected ';' or the end of the line" },
      { "mul0=mul(u.x", 1, 13, "expected ')'" },
      { "st0=r3(mul0)", 1, 12, "expected ','" },
      { "st0=r3(foo, -)", 1, 8, "unknown store source 'foo'" },
      { "branch=", 1, 8, "expected a number" },
      { ";", 1, 1, "expected a clause" },
      { ".frob", 1, 1, "unknown directive '.frob'" },
      { ".const c400 = 1, 2, 3, 4", 1, 9, "there are 304 vec4 of uniforms" },
      { ".const c4 = 1, 2, 3", 1, 20, "expected ','" },
      { ".const c4 = 1, 2, 3, x", 1, 22, "expected a number" },
      { ".const c4 = 1, 2, 3, 4, 5", 1, 23, "expected the end of the line" },
      { ".temps c300, 5", 1, 13, "there are 304 vec4 of uniforms" },
   };
   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
      struct gp_instr instrs[GP_MAX_INSTRS];
      struct gp_text_error e = { 0 };
      unsigned count;
      assert_false(gp_parse_program(rows[r].text, strlen(rows[r].text),
                                    instrs, &count, NULL, &e));
      assert_string_equal(e.text, rows[r].message);
      assert_int_equal(e.line, rows[r].line);
      assert_int_equal(e.column, rows[r].column);
   }
}

static void
too_many_instructions(void **state)
{
   struct strbuf text = { 0 };
   for (unsigned i = 0; i <= GP_MAX_INSTRS; i++)
      strbuf_puts(&text, "nop\n");
   struct gp_instr instrs[GP_MAX_INSTRS];
   struct gp_text_error e;
   unsigned count;
   assert_false(gp_parse_program(text.s, text.len, instrs, &count, NULL, &e));
   assert_int_equal(e.line, GP_MAX_INSTRS + 1);
   assert_true(
      gp_parse_program(text.s, text.len - 4, instrs, &count, NULL, &e));
   assert_int_equal(count, GP_MAX_INSTRS);
   strbuf_fini(&text);
}

/* Damaged text neither crashes nor is read past its end. */
static void
damaged_text(void **state)
{
   static const char text[] =
      "000: p0=a2; u=c5+addr1; mul0=-mul(p0.x, u.y); mul1=mul(u.z, ident)\n"
      "001: add0=min(-mul0@2, --); st0=tv3(add0, -); pass=op1(add0@1)\n";
   uint64_t seed = 2;
   for (unsigned long t = 0; t < trials; t++) {
      size_t size = sizeof(text) - 1;
      char *copy = malloc(size);
      memcpy(copy, text, size);
      const unsigned changes = 1 + (unsigned)(next_random(&seed) % 4);
      for (unsigned c = 0; c < changes; c++) {
         const uint64_t r = next_random(&seed);
         copy[r % size] = r & 1 ? text[(r >> 20) % size] : (char)(r >> 40);
      }
      if (next_random(&seed) & 1)
         size = next_random(&seed) % size;
      char *exact = malloc(size);
      memcpy(exact, copy, size);
      struct gp_instr instrs[GP_MAX_INSTRS];
      struct gp_text_error e = { 0 };
      unsigned count;
      if (!gp_parse_program(exact, size, instrs, &count, NULL, &e))
         assert_true(e.line && e.column && e.text[0]);
      free(exact);
      free(copy);
   }
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      trials = strtoul(argv[1], NULL, 0);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_lie_where_published),
      cmocka_unit_test(every_value_of_every_field),
      cmocka_unit_test(random_words),
      cmocka_unit_test(text_of_a_program),
      cmocka_unit_test(complex2_after_its_product),
      cmocka_unit_test(text_of_constants),
      cmocka_unit_test(errors_have_a_position),
      cmocka_unit_test(too_many_instructions),
      cmocka_unit_test(damaged_text),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
