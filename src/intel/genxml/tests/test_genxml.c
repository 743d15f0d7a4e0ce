/* SPDX-License-Identifier: MIT */
/*
 * Packets against dwords worked out by hand from the PRM's tables (SKL PRM
 * volume 2a and 2d), through pack, unpack, and the run-time table.
 */
#include "util/unit_test.h"

#include "intel/genxml/gen9_pack.h"
#include "intel/genxml/genxml.h"

static void
batch_buffer_start(void **state)
{
   const struct GEN9_MI_BATCH_BUFFER_START bbs = {
      GEN9_MI_BATCH_BUFFER_START_header,
      .AddressSpaceIndicator = ASI_PPGTT,
      .BatchBufferStartAddress = 0x123456789abc,
   };
   uint32_t dw[3];
   GEN9_MI_BATCH_BUFFER_START_pack(dw, &bbs);
   assert_int_equal(dw[0], 0x18800101);
   assert_int_equal(dw[1], 0x56789abc);
   assert_int_equal(dw[2], 0x1234);
}

static void
vs(void **state)
{
   const struct GEN9_3DSTATE_VS vs = {
      GEN9_3DSTATE_VS_header,
      .KernelStartPointer = 0x1040,
      .BindingTableEntryCount = 3,
      .SamplerCount = 1,
      .PerThreadScratchSpace = 2,
      .ScratchSpaceBasePointer = 0x200000400,
      .VertexURBEntryReadLength = 2,
      .DispatchGRFStartRegisterForURBData = 1,
      .Enable = true,
      .SIMD8DispatchEnable = true,
      .StatisticsEnable = true,
      .MaximumNumberofThreads = 335,
      .VertexURBEntryOutputLength = 1,
      .VertexURBEntryOutputReadOffset = 1,
   };
   static const uint32_t expected[9] = {
      0x78100007, 0x1040,     0,          1u << 27 | 3 << 18, 0x402, 2,
      0x00101000, 0xa7800405, 0x00210000,
   };
   uint32_t dw[9];
   GEN9_3DSTATE_VS_pack(dw, &vs);
   for (unsigned i = 0; i < 9; i++)
      assert_int_equal(dw[i], expected[i]);

   struct GEN9_3DSTATE_VS back;
   GEN9_3DSTATE_VS_unpack(dw, &back);
   assert_int_equal(back.KernelStartPointer, 0x1040);
   assert_int_equal(back.ScratchSpaceBasePointer, 0x200000400);
   assert_int_equal(back.MaximumNumberofThreads, 335);
   assert_true(back.SIMD8DispatchEnable);
}

static void
finds_by_dword(void **state)
{
   const struct genxml_spec *spec = genxml_spec_get(90);
   assert_non_null(spec);
   assert_null(genxml_spec_get(91));
   const struct genxml_group *g = genxml_find_command(spec, 0x78100007);
   assert_string_equal(g->name, "3DSTATE_VS");
   assert_int_equal(genxml_command_dwords(g, 0x78100007), 9);
   assert_string_equal(genxml_find_command(spec, 0)->name, "MI_NOOP");
   assert_string_equal(genxml_find_command(spec, 0x3fffff)->name, "MI_NOOP");
   assert_string_equal(genxml_find_command(spec, 0x18800101)->name,
                       "MI_BATCH_BUFFER_START");
   assert_null(genxml_find_command(spec, 0x78ff0007));
   assert_null(genxml_find_command(spec, 0xffffffff));
   assert_int_equal(genxml_unknown_command_dwords(0x78ff0007), 9);
   assert_int_equal(genxml_unknown_command_dwords(0x02000000), 1);
   assert_int_equal(genxml_unknown_command_dwords(0xe0000000), 0);
   assert_string_equal(genxml_find_register(spec, 0x233c)->name,
                       "CL_INVOCATION_COUNT");
   assert_null(genxml_find_register(spec, 0x2334));
}

static void
every_command_finds_itself(void **state)
{
   const struct genxml_spec *spec = genxml_spec_get(90);
   for (unsigned i = 0; i < spec->num_commands; i++) {
      const struct genxml_group *g = &spec->commands[i];
      assert_ptr_equal(genxml_find_command(spec, g->opcode), g);
      assert_ptr_equal(genxml_find_command(spec, g->opcode | ~g->opcode_mask),
                       g);
      assert_ptr_equal(genxml_find(spec, g->name), g);
   }
}

static void
prints(void **state)
{
   const struct genxml_spec *spec = genxml_spec_get(90);
   const uint32_t dw[3] = { 0x18800101, 0x1001, 0 };
   struct strbuf s = { 0 };
   genxml_print_fields(&s, genxml_find_command(spec, dw[0]), dw, 3, 2);
   const char *text = strbuf_str(&s);
   assert_non_null(strstr(text, "  AddressSpaceIndicator: 1 (ASI_PPGTT)\n"));
   assert_non_null(strstr(text, "  BatchBufferStartAddress: 0x1000\n"));
   assert_non_null(strstr(text, "reserved bits of dword 1: 0x00000001\n"));
   assert_null(strstr(text, "reserved bits of dword 0"));
   strbuf_fini(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(batch_buffer_start),
      cmocka_unit_test(vs),
      cmocka_unit_test(finds_by_dword),
      cmocka_unit_test(every_command_finds_itself),
      cmocka_unit_test(prints),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
