/* SPDX-License-Identifier: MIT */
/* Descriptors in words: as Mesa's compiler made them, told apart by its own
 * names for them; and that any descriptor comes back as it was. Where fields
 * lie is compared with Intel's assembler in test_messages.py. */
#include "util/unit_test.h"

#include "intel/isa/isa_messages.h"

struct row {
   enum isa_gen gen;
   enum isa_sfid sfid;
   uint32_t desc;
   const char *text;
};

/* Found in what Mesa 22.3 compiles (tests/stock/isa.py collect). */
static const struct row stock[] = {
   { ISA_SKL, ISA_SFID_SAMPLER, 0x02427001,
     "sampler ld SIMD8 Surface = 1 Sampler = 0 mlen 1 rlen 4" },
   { ISA_SKL, ISA_SFID_SAMPLER, 0x0c85a001,
     "sampler ld_lz SIMD16 Surface = 1 Sampler = 0 mlen 6 rlen 8" },
   { ISA_HSW, ISA_SFID_SAMPLER, 0x02107000,
     "sampler ld SIMD4x2 Surface = 0 Sampler = 0 mlen 1 rlen 1" },
   { ISA_BDW, ISA_SFID_SAMPLER, 0x08840f10,
     "sampler sample SIMD16 Surface = 16 Sampler = 15 mlen 4 rlen 8" },
   { ISA_BDW, ISA_SFID_CONST_CACHE, 0x02280301,
     "const_cache OWord block read 4 OWords Surface = 1 header mlen 1 "
     "rlen 2" },
   { ISA_BDW, ISA_SFID_DATA_CACHE0, 0x021c0000,
     "data_cache0 scratch block read 1 register Offset = 0 header mlen 1 "
     "rlen 1" },
   { ISA_BDW, ISA_SFID_DATA_CACHE1, 0x043468fd,
     "data_cache1 A64 untyped read SIMD8 Mask = 0x8 Surface = 253 mlen 2 "
     "rlen 3" },
   { ISA_IVB, ISA_SFID_DATA_CACHE0, 0x060a80ff,
     "data_cache0 OWord dual block write 1 OWord Surface = 255 header mlen 3 "
     "rlen 0" },
   { ISA_HSW, ISA_SFID_DATA_CACHE1, 0x0e0b5000,
     "data_cache1 typed surface write slots 0-7 Mask = 0x0 Surface = 0 "
     "header mlen 7 rlen 0" },
   { ISA_IVB, ISA_SFID_RENDER_CACHE, 0x08031400,
     "render_cache RT write SIMD8 LastRT Surface = 0 mlen 4 rlen 0" },
   { ISA_HSW, ISA_SFID_GATEWAY, 0x02000004, "gateway barrier mlen 1 rlen 0" },
   { ISA_HSW, ISA_SFID_URB, 0x02194013,
     "urb read OWord interleave per-slot offset Offset = 2 header mlen 1 "
     "rlen 1" },
   { ISA_IVB, ISA_SFID_URB, 0x1a084000,
     "urb write HWord interleave Offset = 0 header mlen 13 rlen 0" },
   { ISA_SKL, ISA_SFID_URB, 0x02480028,
     "urb SIMD8 read Offset = 2 header mlen 1 rlen 4" },
   { ISA_SKL, ISA_SFID_THREAD_SPAWNER, 0x02000010,
     "thread_spawner dereference resource no URB handle mlen 1 rlen 0" },
};

static void
stock_words(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(stock); i++) {
      const struct row *row = &stock[i];
      struct isa_message m;
      struct strbuf text = { 0 };
      assert_true(isa_message_unpack(row->gen, row->sfid, row->desc, &m));
      isa_message_print(row->gen, &m, &text);
      assert_string_equal(strbuf_str(&text), row->text);
      assert_int_equal(isa_message_pack(row->gen, &m), row->desc);
      strbuf_fini(&text);
   }
}

/* What it is not on this generation is not taken for something else. */
static void
unknown_messages(void **state)
{
   static const struct row rows[] = {
      { ISA_IVB, ISA_SFID_DATA_CACHE1, 0x02106001, "data_cache1 message 0" },
      { ISA_BDW, ISA_SFID_SAMPLER, 0x0643a001, "sampler message 26" },
      { ISA_HSW, ISA_SFID_URB, 0x02480007, "urb message 7" },
      { ISA_HSW, ISA_SFID_DATA_CACHE0, 0x0410d400, NULL },
      { ISA_SKL, ISA_SFID_GATEWAY, 0x02000001, "gateway message 1" },
      { ISA_SKL, ISA_SFID_VME, 0x02000000, "vme message 0" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct isa_message m;
      struct strbuf text = { 0 };
      const bool known =
         isa_message_unpack(rows[i].gen, rows[i].sfid, rows[i].desc, &m);
      assert_int_equal(known, rows[i].text == NULL);
      isa_message_print(rows[i].gen, &m, &text);
      if (rows[i].text)
         assert_memory_equal(strbuf_str(&text), rows[i].text,
                             strlen(rows[i].text));
      strbuf_fini(&text);
   }
}

/* A code that means nothing is neither lost nor another one's. */
static void
reserved_values(void **state)
{
   struct isa_message m;
   struct strbuf text = { 0 };
   /* Untyped surface read, SIMD mode 3. */
   assert_true(
      isa_message_unpack(ISA_SKL, ISA_SFID_DATA_CACHE1, 0x02107001, &m));
   assert_int_equal(m.simd, ISA_VALUE_RESERVED | 3);
   assert_true(isa_message_has_reserved(&m));
   assert_int_equal(isa_message_pack(ISA_SKL, &m), 0x02107001);
   isa_message_print(ISA_SKL, &m, &text);
   assert_string_equal(strbuf_str(&text),
                       "data_cache1 untyped surface read SIMD reserved (3) "
                       "Mask = 0x0 Surface = 1 mlen 1 rlen 1");
   strbuf_fini(&text);
}

static void
any_descriptor(void **state)
{
   uint32_t random = 12345;
   unsigned known = 0;
   for (unsigned i = 0; i < 200000; i++) {
      struct isa_message m;
      struct isa_message_lengths l;
      random = random * 1664525 + 1013904223;
      const enum isa_gen gen = (enum isa_gen)(i % ISA_GEN_COUNT);
      const enum isa_sfid sfid = (enum isa_sfid)(random >> 28);
      const uint32_t desc = (random ^ random << 16) & 0x7fffffff;
      if (!isa_message_unpack(gen, sfid, desc, &m)) {
         assert_int_equal(m.msg, ISA_MSG_NONE);
         continue;
      }
      known++;
      assert_int_equal(isa_message_pack(gen, &m), desc);
      isa_message_lengths(&m, &l);
      assert_true(l.min_payload <= l.max_payload);
      assert_true(l.min_response <= l.max_response);
      assert_true(l.unit >= 1);
   }
   assert_true(known > 50000);
}

static void
fields_by_generation(void **state)
{
   /* clang-format off */
   struct isa_message m = {
      .msg = ISA_MSG_SCRATCH_READ, .scratch_grf = 4, .offset = 7,
      .header = true, .mlen = 1, .rlen = 4,
   };
   /* clang-format on */
   assert_int_equal(isa_message_pack(ISA_HSW, &m), 0x024c3007);
   assert_int_equal(isa_message_pack(ISA_SKL, &m), 0x024c2007);

   m = (struct isa_message) {
      .msg = ISA_MSG_SAMPLE_L, .simd = 2, .bti = 3, .mlen = 2, .rlen = 1
   };
   assert_int_equal(isa_message_pack(ISA_IVB, &m), 0x04102003);
   assert_int_equal(isa_message_pack(ISA_SKL, &m), 0x24102003);

   assert_int_equal(isa_message_sfid(ISA_IVB, ISA_MSG_UNTYPED_READ),
                    ISA_SFID_DATA_CACHE0);
   assert_int_equal(isa_message_sfid(ISA_HSW, ISA_MSG_UNTYPED_READ),
                    ISA_SFID_DATA_CACHE1);
   assert_int_equal(isa_message_sfid(ISA_BDW, ISA_MSG_LD_LZ), ISA_SFID_NULL);
   assert_int_equal(isa_message_mask(ISA_SKL, ISA_MSG_LD, ISA_MEMBER_SAMPLER),
                    0xf00);
   assert_int_equal(isa_message_mask(ISA_SKL, ISA_MSG_LD, ISA_MEMBER_SIMD),
                    1u << 29 | 3u << 17);
   assert_int_equal(
      isa_message_mask(ISA_HSW, ISA_MSG_RT_WRITE, ISA_MEMBER_HALF), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(stock_words),
      cmocka_unit_test(unknown_messages),
      cmocka_unit_test(reserved_values),
      cmocka_unit_test(any_descriptor),
      cmocka_unit_test(fields_by_generation),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
