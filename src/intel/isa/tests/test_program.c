/* SPDX-License-Identifier: MIT */
/* Programs: after compaction each instruction is the same, each jump leads to
 * the same instruction, and each offset stands before the same one. */
#include "util/unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "intel/isa/isa.h"

enum { MAX_INSTS = 64 };

struct program {
   unsigned num;
   struct isa_inst inst[MAX_INSTS];
   uint32_t at_B[MAX_INSTS + 1];
};

/* Decodes a program that must be good. */
static void
decode_all(enum isa_gen gen, const struct util_dynarray *code,
           struct program *p)
{
   size_t at = 0;
   p->num = 0;
   while (at < code->size_B) {
      unsigned size_B;
      struct isa_error err;
      assert_true(p->num < MAX_INSTS);
      p->at_B[p->num] = (uint32_t)at;
      if (!isa_decode(gen, (uint8_t *)code->data + at, code->size_B - at,
                      &p->inst[p->num], &size_B, &err))
         fail_msg("%s", err.text);
      at += size_B;
      p->num++;
   }
   p->at_B[p->num] = (uint32_t)at;
}

/* The index of the instruction at a jump's target. */
static unsigned
target(const struct program *p, unsigned i, int32_t offset_B)
{
   for (unsigned k = 0; k <= p->num; k++) {
      if ((int64_t)p->at_B[i] + offset_B == p->at_B[k])
         return k;
   }
   fail_msg("instruction %u jumps between instructions", i);
   return 0;
}

static void
compare(const struct program *before, const struct program *after)
{
   assert_int_equal(before->num, after->num);
   for (unsigned i = 0; i < before->num; i++) {
      struct isa_inst a = before->inst[i], b = after->inst[i];
      const struct isa_opcode_info *info = isa_opcode_info(a.opcode);
      if (info->has_jip)
         assert_int_equal(target(before, i, a.jip), target(after, i, b.jip));
      if (info->has_uip)
         assert_int_equal(target(before, i, a.uip), target(after, i, b.uip));
      a.jip = b.jip = a.uip = b.uip = 0;
      a.compacted = b.compacted = false;
      assert_memory_equal(&a, &b, sizeof(a));
   }
}

static void
random_line(struct strbuf *text, unsigned num)
{
   static const char *const plain[] = {
      "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f",
      "add (16|M0) r2.0<1>:d r4.0<8;8,1>:d 5:d",
      "mov (4|M4) r1.0<1>:f r2.0<4;4,1>:f",
      "mul (8|M0) r3.0<1>:f r4.0<8;8,1>:f r5.0<0;1,0>:f",
      "mad (8|M0) r3.0<1>:f r4.0<2;1>:f r5.0<2;1>:f r6.0<1>:f",
      "send (8|M0) r9:ud r2:ud 0x2 0x02100000",
      "mov (1|M0) r1.3<1>:ud 0x12345678:ud",
   };
   static const char *const one[] = { "endif (8|M0)", "while (8|M0)",
                                      "(W) jmpi" };
   static const char *const two[] = { "if (8|M0)", "break (8|M0)",
                                      "halt (8|M0)" };
   switch (rand() % 4) {
   case 0:
      strbuf_printf(text, "%s A%d\n", one[rand() % 3], rand() % (int)num);
      break;
   case 1:
      strbuf_printf(text, "%s A%d A%d\n", two[rand() % 3], rand() % (int)num,
                    rand() % (int)num);
      break;
   default:
      strbuf_printf(text, "%s\n", plain[rand() % ARRAY_SIZE(plain)]);
      break;
   }
}

static void
test_compaction(void **state)
{
   unsigned shorter = 0;
   srand(1);
   for (unsigned trial = 0; trial < 400; trial++) {
      const enum isa_gen gen = (enum isa_gen)(trial % ISA_GEN_COUNT);
      const unsigned num = 1 + (unsigned)rand() % (MAX_INSTS - 1);
      struct strbuf text = { 0 };
      struct util_dynarray code = { 0 };
      struct isa_errors errors;
      struct program before, after;
      for (unsigned i = 0; i < num; i++) {
         strbuf_printf(&text, "A%u: ", i);
         random_line(&text, num);
      }
      if (!isa_assemble(gen, strbuf_str(&text), text.len, &code, &errors))
         fail_msg("%u: %s", errors.error[0].line, errors.error[0].text);
      decode_all(gen, &code, &before);
      uint32_t offsets_B[MAX_INSTS + 1];
      memcpy(offsets_B, before.at_B, sizeof(offsets_B));
      const size_t size_B = isa_compact_program(gen, code.data, code.size_B,
                                                offsets_B, before.num + 1);
      assert_true(size_B > 0);
      shorter += size_B < code.size_B;
      code.size_B = size_B;
      decode_all(gen, &code, &after);
      compare(&before, &after);
      assert_memory_equal(offsets_B, after.at_B,
                          (before.num + 1) * sizeof(*offsets_B));
      util_dynarray_fini(&code);
      strbuf_fini(&text);
   }
   assert_true(shorter > 300);
}

/* A program that does not decode stays as it is. */
static void
test_bad_program(void **state)
{
   uint8_t code[32] = { 0x01 };
   uint8_t copy[32];
   code[16] = 0x7d; /* no opcode */
   memcpy(copy, code, sizeof(code));
   assert_int_equal(isa_compact_program(ISA_SKL, code, 32, NULL, 0), 0);
   assert_memory_equal(code, copy, sizeof(code));
   assert_int_equal(isa_compact_program(ISA_SKL, code, 0, NULL, 0), 0);
   assert_int_equal(isa_compact_program(ISA_SKL, code, 12, NULL, 0), 0);
}

static void
annotate(void *data, size_t offset_B, struct strbuf *out)
{
   (*(unsigned *)data)++;
   strbuf_printf(out, "// at %zu\n", offset_B);
}

static void
test_annotations(void **state)
{
   const uint8_t code[32] = { [0] = 0x7e, [16] = 0x7e };
   unsigned calls = 0;
   const struct isa_disassemble_options options = {
      .annotate = annotate,
      .annotate_data = &calls,
   };
   struct strbuf text = { 0 };
   assert_true(
      isa_disassemble(ISA_HSW, code, sizeof(code), &options, &text, NULL));
   assert_int_equal(calls, 2);
   assert_string_equal(strbuf_str(&text), "// at 0\nnop\n// at 16\nnop\n");
   strbuf_fini(&text);
}

/* What the encoder must refuse, with a reason. */
static void
test_encode_errors(void **state)
{
   static const struct {
      enum isa_gen gen;
      const char *text, *why;
   } rows[] = {
      { ISA_HSW, "mov (8|M0) r1.0<1>:f 1.0:df", "type df" },
      { ISA_BDW, "add (8|M0) r1.0<1>:df r2.0<4;4,1>:df 1.0:df",
        "two sources" },
      { ISA_SKL, "mov (8|M0) r1.0<1>:f r[a0.0,-513]<8;8,1>:f", "number" },
      { ISA_HSW, "mov (8|M0) r1.0<1>:f r[a0.9]<8;8,1>:f", "addr_subnr" },
      { ISA_SKL, "endif (8|M0) 3000000000", "number" },
      { ISA_HSW, "endif (8|M0) 12", "multiple of 8" },
      { ISA_HSW, "endif (8|M0) 400000", "jip16" },
      { ISA_HSW, "send (8|M0) r1:ud r2:ud 0x100002 0x02100000",
        "extended descriptor" },
      { ISA_SKL, "(f0.0.x) mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f", "Align1" },
      { ISA_SKL, "mov (8|M0) r1.1<1>.xyzw:f r2.0<4>.xyzw:f {Align16}",
        "multiples of 16" },
      { ISA_SKL, "mad (8|M0) acc0.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r4.0<1>:f",
        "not a direct GRF" },
      { ISA_BDW,
        "mad (8|M0) r1.0<1>:hf r2.1<0;0>:hf r3.0<2;1>:hf "
        "r4.0<1>:hf",
        "sub-register" },
      { ISA_SKL, "mad (8|M0) r1.0<1>:d r2.0<2;1>:d r3.0<2;1>:ud r4.0<1>:d",
        "source 1 of three" },
      { ISA_SKL, "wait r1.0<0;1,0>:ud", "notification" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct isa_inst inst;
      struct isa_error err;
      uint32_t dw[4];
      if (isa_parse(rows[i].gen, rows[i].text, &inst, &err) &&
          isa_encode(rows[i].gen, &inst, dw, &err))
         fail_msg("\"%s\" encodes", rows[i].text);
      if (!strstr(err.text, rows[i].why))
         fail_msg("\"%s\": %s", rows[i].text, err.text);
   }
}

/*
 * As Mesa 22.3.6 encodes them, with bits in fields that the instructions do
 * not have: an if of SIMD4x2 code, whose access mode says what its predicate
 * means, and a move of an immediate.
 */
static void
test_bits_of_others(void **state)
{
   static const struct {
      enum isa_gen gen;
      uint8_t bytes[16];
      const char *text;
   } rows[] = {
      { ISA_IVB,
        { 0x22, 0x01, 0x62, 0x00, 0x84, 0x3c, 0x0f, 0x20, 0x04, 0x00, 0x0e,
          0x00, 0x00, 0x01, 0x06, 0x01 },
        "(f0.0.x) if (8|M0) 2048 2096 {Align16}" },
      { ISA_BDW,
        { 0x01, 0x00, 0x60, 0x00, 0xe8, 0x3e, 0x40, 0x2f, 0x00, 0x00, 0x00,
          0x38, 0x00, 0x00, 0x80, 0x3f },
        "mov (8|M0) r122.0<1>:f 1.0:f" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct isa_inst inst, parsed;
      uint32_t again[4], full[4];
      unsigned size_B;
      struct strbuf text = { 0 };
      memcpy(full, rows[i].bytes, sizeof(full));
      assert_true(isa_decode(rows[i].gen, full, 16, &inst, &size_B, NULL));
      assert_true(inst.ignored[0] || inst.ignored[1]);
      isa_print(rows[i].gen, &inst, NULL, &text);
      assert_string_equal(strbuf_str(&text), rows[i].text);
      assert_true(isa_encode(rows[i].gen, &inst, again, NULL));
      assert_memory_equal(again, full, sizeof(full));
      /* Without them it is the same instruction. */
      assert_true(isa_parse(rows[i].gen, strbuf_str(&text), &parsed, NULL));
      assert_true(isa_encode(rows[i].gen, &parsed, again, NULL));
      assert_true(memcmp(again, full, sizeof(full)) != 0);
      memcpy(parsed.ignored, inst.ignored, sizeof(parsed.ignored));
      assert_true(isa_encode(rows[i].gen, &parsed, again, NULL));
      assert_memory_equal(again, full, sizeof(full));
      strbuf_fini(&text);
   }
}

/* Programs, with where they end: behind the line that `ends` counts. What
 * comes after that is not theirs. */
static void
test_extent(void **state)
{
#define END "send (8|M0) null:ud r127:ud 0x27 0x02000010 {EOT}\n"
   static const struct {
      const char *text;
      unsigned ends; /* 0: not at all */
   } programs[] = {
      { "nop\n" END "nop\n" END, 2 },
      { "nop\nnop\n", 0 },
      { "illegal\n" END, 1 },
      /* A jump over the first end. */
      { "(f0.0) if (8|M0) 32 48\n" END END "endif (8|M0) 16\n" END, 5 },
      { "jmpi (1|M0) 32\n" END END, 3 },
      /* Routines behind it, of which one calls the other. */
      { "call (8|M0) r30.0 32\n" END "ret (8|M0) r30.0\n" END, 3 },
      { "call (8|M0) r30.0 32\n" END "call (8|M0) r32.0 32\n"
        "ret (8|M0) r30.0\nret (8|M0) r32.0\n" END,
        5 },
      /* A return before it. */
      { "call (8|M0) r30.0 48\njmpi (1|M0) 48\nnop\n"
        "ret (8|M0) r30.0\n" END "ret (8|M0) r30.0\n",
        5 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(programs); i++) {
      const char *text = programs[i].text;
      struct util_dynarray code = { 0 };
      struct isa_errors errors = { 0 };
      struct isa_extent extent = { 0 };
      struct program p;
      unsigned ends = 0;
      if (!isa_assemble(ISA_SKL, text, strlen(text), &code, &errors))
         fail_msg("%s: %s", text, errors.error[0].text);
      decode_all(ISA_SKL, &code, &p);
      for (unsigned k = 0; k < p.num && !ends; k++) {
         if (isa_extend(&extent, &p.inst[k], p.at_B[k],
                        p.at_B[k + 1] - p.at_B[k]))
            ends = k + 1;
      }
      if (ends != programs[i].ends)
         fail_msg("it ends behind %u:\n%s", ends, text);
      util_dynarray_fini(&code);
   }
#undef END
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compaction),
      cmocka_unit_test(test_bad_program),
      cmocka_unit_test(test_annotations),
      cmocka_unit_test(test_encode_errors),
      cmocka_unit_test(test_bits_of_others),
      cmocka_unit_test(test_extent),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
