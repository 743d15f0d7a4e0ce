/* SPDX-License-Identifier: MIT */
/* Each rule has rows: text that breaks it, and text next to it that breaks
 * none. A rule, or a generation of a rule, without a row fails the test. */
#include "util/unit_test.h"

#include <stdio.h>

#include "validate_rows.h"

/* What has no text: a bit that is set, in something good. */
static const struct {
   const char *id;
   unsigned gens, bit;
   const char *good;
} bit_rows[] = {
   { "no-predicate", HSW, 16, "dim (1|M0) r10.0<1>:df 0.1:df" },
   { "no-predicate", GEN8, 16,
     "csel (8|M0) (lt)f0.0 r1.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r4.0<1>:f" },
   { "no-cond-mod", ALL, 24, "bfrev (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud" },
   { "no-saturate", ALL, 31, "bfrev (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud" },
   { "flow-source", GEN8, 41, "(f0.0) if (8|M0) 16 16" },
   { "flow-source", GEN8, 42, "(f0.0) break (8|M0) 16 16" },
   /* Rows that are not addressed indirectly any more. */
   { "region-rows", ALL, 79, "mov (8|M0) r1.0<1>:ud r[a0.0]<1,0>:ud" },
};

static bool
has_fault(const struct isa_faults *faults, const char *id)
{
   for (unsigned i = 0; i < MIN2(faults->count, ISA_MAX_FAULTS); i++) {
      if (!strcmp(faults->rule[i]->id, id))
         return true;
   }
   return false;
}

/* A program of this one line, so that the row is an instruction of that
 * generation and jumps have a place. */
static void
validate(enum isa_gen gen, bool low_power, const char *text,
         struct isa_faults *faults)
{
   struct util_dynarray code = { 0 };
   struct isa_errors errors;
   struct isa_error err;
   if (!isa_assemble(gen, text, strlen(text), &code, &errors))
      fail_msg("%s: \"%s\": %s", isa_gen_name(gen), text,
               errors.error[0].text);
   memset(faults, 0, sizeof(*faults));
   const bool good = isa_validate_program(gen, low_power, code.data,
                                          code.size_B, faults, &err);
   assert_int_equal(good, faults->count == 0);
   util_dynarray_fini(&code);
}

static void
test_rows(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned g = 0; g < ISA_GEN_COUNT; g++) {
         const bool low_power = rows[i].gens & ISA_LOW_POWER;
         struct isa_faults faults;
         if (!(rows[i].gens & 1u << g))
            continue;
         validate((enum isa_gen)g, low_power, rows[i].bad, &faults);
         if (!has_fault(&faults, rows[i].id))
            fail_msg("%s: \"%s\" does not break %s",
                     isa_gen_name((enum isa_gen)g), rows[i].bad, rows[i].id);
         if (!rows[i].good)
            continue;
         validate((enum isa_gen)g, low_power, rows[i].good, &faults);
         if (faults.count)
            fail_msg("%s: \"%s\" breaks %s", isa_gen_name((enum isa_gen)g),
                     rows[i].good, faults.rule[0]->id);
      }
   }
}

static void
check_bit(enum isa_gen gen, const char *id, const char *text, unsigned bit)
{
   struct isa_faults faults = { 0 };
   struct isa_inst inst;
   uint32_t dw[4];
   assert_true(isa_parse(gen, text, &inst, NULL));
   assert_true(isa_validate(gen, false, &inst, &faults));
   assert_true(isa_encode(gen, &inst, dw, NULL));
   dw[bit / 32] ^= 1u << bit % 32;
   assert_true(isa_decode(gen, dw, sizeof(dw), &inst, NULL, NULL));
   isa_validate(gen, false, &inst, &faults);
   if (!has_fault(&faults, id))
      fail_msg("%s: \"%s\" with bit %u does not break %s", isa_gen_name(gen),
               text, bit, id);
}

static void
test_bits(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(bit_rows); i++) {
      for (unsigned g = 0; g < ISA_GEN_COUNT; g++) {
         if (bit_rows[i].gens & 1u << g)
            check_bit((enum isa_gen)g, bit_rows[i].id, bit_rows[i].good,
                      bit_rows[i].bit);
      }
   }
}

/* Each rule on each of its generations has a bad row, and a good one. */
static void
test_every_rule_has_rows(void **state)
{
   const struct isa_rule *rule;
   for (unsigned r = 0; (rule = isa_rule_at(r)); r++) {
      unsigned bad = 0, good = 0;
      for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
         if (strcmp(rows[i].id, rule->id))
            continue;
         bad |= rows[i].gens;
         good |= rows[i].good ? rows[i].gens : 0;
      }
      for (unsigned i = 0; i < ARRAY_SIZE(bit_rows); i++) {
         if (!strcmp(bit_rows[i].id, rule->id)) {
            bad |= bit_rows[i].gens;
            good |= bit_rows[i].gens;
         }
      }
      if (rule->gens & ~bad)
         fail_msg("rule %s: no bad row for generations 0x%x", rule->id,
                  rule->gens & ~bad);
      if (!good)
         fail_msg("rule %s: no good row", rule->id);
      assert_true(rule->text[0] && rule->source[0]);
   }
   assert_true(isa_rule_at(10000) == NULL);
}

/* Names are unique: tools and expectations refer to them. */
static void
test_names(void **state)
{
   const struct isa_rule *a, *b;
   for (unsigned i = 0; (a = isa_rule_at(i)); i++) {
      for (unsigned k = 0; k < i && (b = isa_rule_at(k)); k++)
         assert_string_not_equal(a->id, b->id);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      bool known = false;
      for (unsigned k = 0; (a = isa_rule_at(k)); k++)
         known |= !strcmp(a->id, rows[i].id);
      if (!known)
         fail_msg("row for unknown rule %s", rows[i].id);
   }
}

/* A program reports where each fault is. */
static void
test_program(void **state)
{
   static const char text[] = "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f\n"
                              "mov (4|M0) r1.0<1>:f r2.0<8;8,1>:f\n"
                              "mov (8|M0) r1.0<0>:f r2.0<8;8,1>:f\n";
   struct util_dynarray code = { 0 };
   struct isa_errors errors;
   struct isa_faults faults = { 0 };
   assert_true(isa_assemble(ISA_SKL, text, strlen(text), &code, &errors));
   assert_false(isa_validate_program(ISA_SKL, false, code.data, code.size_B,
                                     &faults, NULL));
   assert_int_equal(faults.count, 2);
   assert_string_equal(faults.rule[0]->id, "region-width");
   assert_int_equal(faults.offset_B[0], 16);
   assert_string_equal(faults.rule[1]->id, "dst-hstride-0");
   assert_int_equal(faults.offset_B[1], 32);
   util_dynarray_fini(&code);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_bits),
      cmocka_unit_test(test_every_rule_has_rows),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_program),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
