/* SPDX-License-Identifier: MIT */
/*
 * Packets against dwords worked out by hand from the PRM's tables (SKL PRM
 * volume 2a and 2d), through pack, unpack, and the run-time table.
 */
#include "util/unit_test.h"

#include "intel/genxml/gen75_pack.h"
#include "intel/genxml/gen7_pack.h"
#include "intel/genxml/gen8_pack.h"
#include "intel/genxml/gen9_pack.h"
#include "intel/genxml/genxml.h"
#include "intel/genxml/genxml_batch.h"
#include "intel/genxml/tests/roundtrip.h"

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
      0x78100007, 0x1040,     0,          1u << 27 | 3 << 18, 0x402,
      2,          0x00101000, 0xa7800405, 0x00210000,
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
   assert_string_equal(genxml_find_register(spec, 0x2334)->name,
                       "GS_PRIMITIVES_COUNT");
   assert_null(genxml_find_register(spec, 0x2444));
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

/* Marks the bits of the fixed part that any field owns. */
static void
own_bits(const struct genxml_group *g, uint32_t *mask)
{
   for (unsigned i = 0; i < g->num_fields; i++) {
      const struct genxml_field *f = &g->fields[i];
      for (unsigned e = 0; e < f->count; e++) {
         const unsigned lo = f->lo + e * f->stride;
         if (f->kind == GENXML_STRUCT) {
            uint32_t part[16] = { 0 };
            own_bits(f->group, part);
            for (unsigned b = 0; b < f->bits; b++) {
               if (part[b / 32] >> b % 32 & 1)
                  mask[(lo + b) / 32] |= 1u << (lo + b) % 32;
            }
            continue;
         }
         for (unsigned b = lo; b < lo + f->bits; b++)
            mask[b / 32] |= 1u << b % 32;
      }
   }
}

/* Random bits in all fields come back as they were; bits of no field are
 * never written.
 */
static void
round_trip(const struct genxml_spec *spec, const struct roundtrip *r)
{
   uint32_t seed = 12345;
   for (; r->name; r++) {
      const struct genxml_group *g = genxml_find(spec, r->name);
      assert_non_null(g);
      assert_int_equal(g->dwords, r->dwords);
      uint32_t mask[40] = { 0 }, in[40], out[40];
      own_bits(g, mask);
      mask[0] |= BITFIELD_RANGE(g->length_lo, g->length_bits);
      for (unsigned trial = 0; trial < 20; trial++) {
         for (unsigned i = 0; i < r->dwords; i++) {
            seed = seed * 1664525 + 1013904223;
            in[i] = (seed ^ seed >> 15) & mask[i];
         }
         in[0] |= g->opcode;
         r->run(in, out);
         for (unsigned i = 0; i < r->dwords; i++) {
            if (in[i] != out[i])
               fail_msg("%s dword %u: %08x -> %08x", r->name, i, in[i],
                        out[i]);
         }
      }
   }
}

static void
all_packets_round_trip(void **state)
{
   round_trip(genxml_spec_get(70), roundtrips_70);
   round_trip(genxml_spec_get(75), roundtrips_75);
   round_trip(genxml_spec_get(80), roundtrips_80);
   round_trip(genxml_spec_get(90), roundtrips_90);
}

/* HSW PRM volume 2a, "3DSTATE_SF"; IVB PRM volume 2 part 1, the same and
 * "3DSTATE_VS": fields that other generations have elsewhere. */
static void
older_generations(void **state)
{
   const struct GEN75_3DSTATE_SF sf = {
      GEN75_3DSTATE_SF_header,
      .ViewportTransformEnable = true,
      .FrontFaceFillMode = FILL_MODE_WIREFRAME,
      .DepthBufferSurfaceFormat = D24_UNORM_X8_UINT,
      .CullMode = CULLMODE_BACK,
      .LineStippleEnable = true,
      .LineWidth = 1.5f,
      .GlobalDepthOffsetScale = 1.0f,
   };
   static const uint32_t sf_dw[7] = {
      0x78130005, 0x3022, 0x63004000, 0, 0, 0x3f800000, 0,
   };
   uint32_t dw[16];
   GEN75_3DSTATE_SF_pack(dw, &sf);
   assert_memory_equal(dw, sf_dw, sizeof(sf_dw));

   const struct GEN7_3DSTATE_VS vs = {
      GEN7_3DSTATE_VS_header,
      .KernelStartPointer = 0x40,
      .Enable = true,
      .MaximumNumberofThreads = 127,
   };
   GEN7_3DSTATE_VS_pack(dw, &vs);
   assert_int_equal(dw[0], 0x78100004);
   assert_int_equal(dw[1], 0x40);
   assert_int_equal(dw[5], 127u << 25 | 1);

   const struct GEN8_3DSTATE_GS gs = {
      GEN8_3DSTATE_GS_header,
      .MaximumNumberofThreads = 251,
   };
   GEN8_3DSTATE_GS_pack(dw, &gs);
   assert_int_equal(dw[0], 0x78110008);
   assert_int_equal(dw[7], 251u << 24);
   assert_int_equal(dw[8], 0);
   assert_null(genxml_find(genxml_spec_get(70), "MI_MATH"));
   assert_non_null(genxml_find(genxml_spec_get(75), "MI_MATH"));
}

/* Values and dwords from the field tables of SKL PRM volume 2d. */
static void
surface_state(void **state)
{
   const struct GEN9_RENDER_SURFACE_STATE s = {
      .SurfaceType = SURFTYPE_2D,
      .SurfaceFormat = 0x0c7, /* R8G8B8A8_UNORM */
      .SurfaceVerticalAlignment = VALIGN_4,
      .SurfaceHorizontalAlignment = HALIGN_16,
      .TileMode = YMAJOR,
      .Width = 255,
      .Height = 127,
      .SurfacePitch = 1023,
      .ShaderChannelSelectRed = SCS_RED,
      .ShaderChannelSelectGreen = SCS_GREEN,
      .ShaderChannelSelectBlue = SCS_BLUE,
      .ShaderChannelSelectAlpha = SCS_ONE,
      .ResourceMinLOD = 1.5f,
      .SurfaceBaseAddress = 0x0000ffff00001000,
   };
   static const uint32_t expected[16] = {
      0x231df000, 0,
      0x007f00ff, 0x000003ff,
      0,          0,
      0,          4u << 25 | 5 << 22 | 6 << 19 | 1 << 16 | 0x180,
      0x00001000, 0x0000ffff,
   };
   uint32_t dw[16];
   GEN9_RENDER_SURFACE_STATE_pack(dw, &s);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(dw[i], expected[i]);
}

static void
fixed_point(void **state)
{
   const struct GEN9_SAMPLER_STATE s = {
      .TextureLODBias = -1.0f,
      .MinLOD = 0.25f,
      .MaxLOD = 14.0f,
   };
   uint32_t dw[4];
   GEN9_SAMPLER_STATE_pack(dw, &s);
   assert_int_equal(dw[0], 0x1f00 << 1);
   assert_int_equal(dw[1], 0x40 << 20 | 0xe00 << 8);
   struct GEN9_SAMPLER_STATE back;
   GEN9_SAMPLER_STATE_unpack(dw, &back);
   assert_true(back.TextureLODBias == -1.0f);
   assert_true(back.MinLOD == 0.25f && back.MaxLOD == 14.0f);
}

/* Addresses in the upper half of the space are sign extended. */
static void
canonical_address(void **state)
{
   const struct GEN9_PIPE_CONTROL pc = {
      GEN9_PIPE_CONTROL_header,
      .PostSyncOperation = WriteTimestamp,
      .Address = 0xffff800000001000,
   };
   uint32_t dw[6];
   GEN9_PIPE_CONTROL_pack(dw, &pc);
   assert_int_equal(dw[0], 0x7a000004);
   assert_int_equal(dw[1], 3 << 14);
   assert_int_equal(dw[2], 0x1000);
   assert_int_equal(dw[3], 0x8000);
}

static void
variable_length(void **state)
{
   const struct genxml_spec *spec = genxml_spec_get(90);
   const uint32_t dw[5] = { 0x78090003, 0x02000000, 0x11230000, 0x06000010,
                            0x11230000 };
   const struct genxml_group *g = genxml_find_command(spec, dw[0]);
   assert_string_equal(g->name, "3DSTATE_VERTEX_ELEMENTS");
   assert_int_equal(genxml_command_dwords(g, dw[0]), 5);
   struct strbuf s = { 0 };
   genxml_print_fields(&s, g, dw, 5, 0);
   const char *second = strstr(strbuf_str(&s), "Element[1]:");
   assert_non_null(second);
   assert_non_null(strstr(second, "SourceElementOffset: 16"));
   assert_non_null(strstr(second, "Component1Control: 1 (VFCOMP_STORE_SRC)"));
   assert_null(strstr(strbuf_str(&s), "Element[2]:"));
   assert_null(strstr(strbuf_str(&s), "reserved"));
   strbuf_fini(&s);
}

/* --------------------------------------------------------------- batches */

static uint32_t memory[0x1000]; /* at GPU address 0x10000 */

static bool
read_memory(void *user, uint64_t address, void *out, size_t size_B)
{
   if (address < 0x10000 || address + size_B > 0x10000 + sizeof(memory))
      return false;
   memcpy(out, (const char *)memory + (address - 0x10000), size_B);
   return true;
}

static unsigned faults;

static const char *
print(struct strbuf *s)
{
   struct genxml_batch_reader r = {
      .spec = genxml_spec_get(90),
      .read = read_memory,
      .max_commands = 50,
   };
   strbuf_fini(s);
   memset(s, 0, sizeof(*s));
   faults = genxml_walk_batch(&r, s, 0x10000, 0);
   return strbuf_str(s);
}

static void
walks_batches(void **state)
{
   struct strbuf s = { 0 };
   const struct GEN9_STATE_BASE_ADDRESS sba = {
      GEN9_STATE_BASE_ADDRESS_header,
      .SurfaceStateBaseAddress = 0x11000,
      .SurfaceStateBaseAddressModifyEnable = true,
      .DynamicStateBaseAddress = 0x77000,
   };
   struct GEN9_MI_BATCH_BUFFER_START call = {
      GEN9_MI_BATCH_BUFFER_START_header,
      .SecondLevelBatchBuffer = SECOND_LEVEL_BATCH,
      .BatchBufferStartAddress = 0x12000,
   };
   const struct GEN9_3DSTATE_BINDING_TABLE_POINTERS_PS bt = {
      GEN9_3DSTATE_BINDING_TABLE_POINTERS_PS_header,
      .PointertoPSBindingTable = 0x20,
   };
   const struct GEN9_RENDER_SURFACE_STATE surface = {
      .SurfaceType = SURFTYPE_2D,
      .Width = 1234,
   };
   memset(memory, 0, sizeof(memory));
   uint32_t *dw = memory;
   GEN9_STATE_BASE_ADDRESS_pack(dw, &sba);
   dw += GEN9_STATE_BASE_ADDRESS_length;
   GEN9_MI_BATCH_BUFFER_START_pack(dw, &call);
   dw += 3;
   *dw++ = 0x78ff0001; /* unknown, three dwords */
   dw += 2;
   *dw = 0x05000000;
   GEN9_3DSTATE_BINDING_TABLE_POINTERS_PS_pack(&memory[0x2000 / 4], &bt);
   memory[0x2008 / 4] = 0x05000000;
   memory[0x1020 / 4] = 0x40;
   GEN9_RENDER_SURFACE_STATE_pack(&memory[0x1040 / 4], &surface);

   const char *text = print(&s);
   const char *inner = strstr(text, "3DSTATE_BINDING_TABLE_POINTERS_PS");
   assert_non_null(inner);
   assert_non_null(strstr(inner, "Width: 1234"));
   const char *outer = strstr(inner, "unknown command (3 dwords)");
   assert_non_null(outer);
   assert_non_null(strstr(outer, "MI_BATCH_BUFFER_END"));
   assert_int_equal(faults, 1);

   /* Dwords alone: the call leads nowhere, and the table is not there. */
   strbuf_fini(&s);
   memset(&s, 0, sizeof(s));
   assert_int_equal(genxml_print_batch(&s, genxml_spec_get(90), memory, 26,
                                       0x10000, false),
                    1);
   assert_non_null(strstr(strbuf_str(&s), "0x12000 is not mapped"));
   assert_int_equal(genxml_print_batch(&s, genxml_spec_get(90), memory, 18,
                                       0x10000, false),
                    1);
   assert_non_null(strstr(strbuf_str(&s), "ends outside of the batch"));

   /* A batch that calls itself, one that jumps to itself, and one that runs
    * off the mapping end with a line that says so.
    */
   call.BatchBufferStartAddress = 0x10000;
   GEN9_MI_BATCH_BUFFER_START_pack(memory, &call);
   assert_non_null(strstr(print(&s), "nested too deep"));
   call.SecondLevelBatchBuffer = FIRST_LEVEL_BATCH;
   GEN9_MI_BATCH_BUFFER_START_pack(memory, &call);
   assert_non_null(strstr(print(&s), "more than 50 commands"));
   call.BatchBufferStartAddress = 0x10000 + sizeof(memory) - 4;
   GEN9_MI_BATCH_BUFFER_START_pack(memory, &call);
   memory[ARRAY_SIZE(memory) - 1] = 0x18800101;
   assert_non_null(strstr(print(&s), "START (3 dwords) ends outside"));
   assert_int_equal(faults, 1);
   memory[ARRAY_SIZE(memory) - 1] = 0;
   assert_non_null(strstr(print(&s), "not mapped"));
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
      cmocka_unit_test(all_packets_round_trip),
      cmocka_unit_test(older_generations),
      cmocka_unit_test(surface_state),
      cmocka_unit_test(fixed_point),
      cmocka_unit_test(canonical_address),
      cmocka_unit_test(variable_length),
      cmocka_unit_test(walks_batches),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
