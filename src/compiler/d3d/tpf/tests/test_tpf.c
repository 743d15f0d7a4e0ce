/* SPDX-License-Identifier: MIT */
/*
 * Programs of SM4 and SM5: what other compilers made reads and encodes to the
 * same bytes; text of single instructions; bad tokens are refused by name.
 * test_tpf FILE...: containers as hexadecimal dwords, a line each.
 */
#include "util/unit_test.h"

#include <stdio.h>

#include "compiler/d3d/dxbc/dxbc.h"
#include "compiler/d3d/tpf/tests/tpf_corpus.h"
#include "tpf.h"
#include "tpf_to_nir.h"

static void
translate(const struct tpf_shader *shader, const struct dxbc *c, unsigned n,
          struct arena *arena)
{
   const struct tpf_to_nir_options options = { .parent = arena };
   struct d3d_error error = { 0 };

   if (!tpf_to_nir(shader, c, &options, &error))
      fail_msg("container %u: %s", n, error.text);
}

static void
test_corpus(void **state)
{
   bool seen[TPF_OP_COUNT] = { false };
   unsigned opcodes = 0, stages = 0;

   (void)state;
   for (unsigned i = 0; i < tpf_corpus_count; i++) {
      struct arena *arena = arena_create(NULL);
      const struct tpf_corpus_entry *e = &tpf_corpus[i];
      struct util_dynarray out = { 0 };
      struct strbuf text = { 0 };
      struct d3d_error error = { 0 };
      const struct dxbc_chunk *chunk = NULL;
      struct tpf_shader *shader = NULL;
      struct dxbc c;
      char buf[256];
      if (dxbc_read(e->words, 4 * e->num_dw, &c, &error))
         chunk = dxbc_find_program(&c, &error);
      if (chunk)
         shader = tpf_decode(arena, chunk->data, chunk->size_B,
                             chunk->offset_B, &error);
      if (!shader || !tpf_validate(shader, &error))
         fail_msg("container %u: %s", i,
                  d3d_error_text(&error, buf, sizeof(buf)));
      tpf_encode(shader, &out);
      assert_int_equal(out.size_B, chunk->size_B);
      assert_memory_equal(out.data, chunk->data, out.size_B);
      tpf_print(shader, &text);
      assert_null(strstr(text.s, "<unknown>"));
      translate(shader, &c, i, arena);
      stages |= 1u << shader->stage;
      for (size_t k = 0; k < shader->num_insts; k++) {
         opcodes += !seen[shader->inst[k].op];
         seen[shader->inst[k].op] = true;
      }
      strbuf_fini(&text);
      util_dynarray_fini(&out);
      arena_destroy(arena);
   }
   printf("%u containers with %u opcodes\n", tpf_corpus_count, opcodes);
   assert_true(tpf_corpus_count >= 200);
   assert_int_equal(stages, BITFIELD_MASK(TPF_STAGE_COUNT));
}

#define MAX_DW 16

/* Text as Microsoft's disassembler has it (public listings), and tokens put
 * together by hand from the format's description. */
static const struct {
   uint32_t version, dw[MAX_DW];
   const char *text;
} rows[] = {
   /* add_sat r1.xyz, -|r0.yzwx|, cb2[r0.x + 4].xxxx */
   { 0x50,
     { 0x0b002000, 0x00100072, 1, 0x80100396, 0xc1, 0, 0x06208006, 2, 4,
       0x0010000a, 0 },
     "add_sat r1.xyz, -|r0.yzwx|, cb2[r0.x + 4].xxxx" },
   { 0x50, { 0x0200103d }, NULL },
   /* mov r0.xy, l(1.5, -1, 0, 1e-45) */
   { 0x50,
     { 0x08000036, 0x00100032, 0, 0x00004002, 0x3fc00000, 0xffffffff, 0, 1 },
     "mov r0.xy, l(1.500000,-1,0,1)" },
   { 0x40, { 0x0304001f, 0x0010000a, 3 }, "if_nz r3.x" },
   { 0x40, { 0x03000003, 0x0010001a, 2 }, "breakc_z r2.y" },
   { 0x50, { 0x01001800 | 190 }, "sync_g_t" },
   { 0x50, { 0x01004800 | 190 }, "sync_uglobal_t" },
   { 0x00050050u, { 0x0400009b, 8, 4, 1 }, "dcl_thread_group 8, 4, 1" },
   { 0x50, { 0x0100086a }, "dcl_globalFlags refactoringAllowed" },
   { 0x50,
     { 0x0100186a },
     "dcl_globalFlags refactoringAllowed | "
     "enableDoublePrecisionFloatOps" },
   { 0x40,
     { 0x04001858, 0x00107000, 0, 0x5555 },
     "dcl_resource_texture2d (float,float,float,float) t0" },
   { 0x40,
     { 0x04042058, 0x00107000, 0, 0x5555 },
     "dcl_resource_texture2dms(4) (float,float,float,float) t0" },
   { 0x50, { 0x0404089c, 0, 0, 0 }, NULL },
   { 0x50,
     { 0x0400189c, 0x0011e000, 1, 0x4444 },
     "dcl_uav_typed_texture2d (uint,uint,uint,uint) u1" },
   { 0x50, { 0x0400009e, 0x0011e000, 0, 48 }, "dcl_uav_structured u0, 48" },
   { 0x50,
     { 0x0480009e, 0x0011e000, 0, 48 },
     "dcl_uav_structured_opc u0, 48" },
   { 0x40, { 0x0300085a, 0x00106000, 3 }, "dcl_sampler s3, mode_comparison" },
   { 0x40,
     { 0x04000859, 0x00208e46, 1, 7 },
     "dcl_constantbuffer CB1[7], dynamicIndexed" },
   { 0x40, { 0x03001062, 0x00101032, 1 }, "dcl_input_ps linear v1.xy" },
   { 0x40,
     { 0x04002064, 0x00101032, 0, 1 },
     "dcl_input_ps_siv linear noperspective v0.xy, position" },
   { 0x40,
     { 0x04000067, 0x001020f2, 0, 1 },
     "dcl_output_siv o0.xyzw, position" },
   { 0x40, { 0x04000069, 2, 8, 4 }, "dcl_indexableTemp x2[8], 4" },
   { 0x00020040, { 0x0100185d }, "dcl_inputprimitive triangle" },
   { 0x00020040, { 0x0100285c }, "dcl_outputtopology trianglestrip" },
   { 0x00030050,
     { 0x02000098, 0x42800000 },
     "dcl_hs_max_tessfactor l(64.000000)" },
   /* sample_aoffimmi_indexable(1,-1,0)(texture2d)(float,...) */
   /* A dword more than the operands need, as fxc has it in places. */
   { 0x50,
     { 0x8d000045, 0x8001e201, 0x800000c2, 0x00155543, 0x001000f2, 0,
       0x00101046, 1, 0x00107e46, 0, 0x00106000, 0, 0 },
     "sample_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) "
     "r0.xyzw, v1.xyxx, t0.xyzw, s0" },
   { 0x50,
     { 0x8c000045, 0x8001e201, 0x800000c2, 0x00155543, 0x001000f2, 0,
       0x00101046, 1, 0x00107e46, 0, 0x00106000, 0 },
     "sample_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) "
     "r0.xyzw, v1.xyxx, t0.xyzw, s0" },
   { 0x50,
     { 0x8b0000a7, 0x80008302, 0x00199983, 0x00100012, 0, 0x00004001, 2,
       0x00004001, 4, 0x0010700a, 0 },
     "ld_structured_indexable(structured_buffer, stride=16)"
     "(mixed,mixed,mixed,mixed) r0.x, l(2), l(4), t0.x" },
   { 0x50,
     { 0x090000a8, 0x0011e032, 0, 0x0010000a, 0, 0x00004001, 8, 0x00100046,
       1 },
     "store_structured u0.xy, r0.x, l(8), r1.xyxx" },
   { 0x50,
     { 0x070800a5, 0x00100012, 0, 0x00004001, 4, 0x0010700a, 0 },
     "ld_raw [precise(x)] r0.x, l(4), t0.x" },
   { 0x50,
     { 0x04000036, 0x00029001, 0x00004001, 1 },
     "mov oStencilRef, l(1)" },
   { 0x50,
     { 0x0d0000e6, 0x001000f2, 0, 0x00100012, 1, 0x00101046, 1, 0x00107e46, 0,
       0x00106000, 0, 0x00004001, 0x3f800000 },
     "sample_cl_s r0.xyzw, r1.x, v1.xyxx, t0.xyzw, s0, l(1.000000)" },
   { 0x50,
     { 0x0402189c, 0x0011e000, 1, 0x4444 },
     "dcl_uav_typed_texture2d_rov (uint,uint,uint,uint) u1" },
   /* SM5.1: ranges of registers in spaces. */
   { 0x51,
     { 0x07000059, 0x00308e46, 0, 0, 0, 4, 2 },
     "dcl_constantbuffer CB0[0:0][4], immediateIndexed, space=2" },
   { 0x51,
     { 0x0600005a, 0x00306e46, 1, 3, 5, 1 },
     "dcl_sampler S1[3:5], mode_default, space=1" },
   { 0x51,
     { 0x07001858, 0x00307e46, 0, 0, 0xffffffff, 0x5555, 0 },
     "dcl_resource_texture2d (float,float,float,float) T0[0:*], space=0" },
   { 0x51,
     { 0x0782009e, 0x0031e000, 0, 0, 0, 48, 1 },
     "dcl_uav_structured_opc_rov U0[0:0], 48, space=1" },
   { 0x51,
     { 0x07000036, 0x001000f2, 0, 0x00308e46, 0, 0, 2 },
     "mov r0.xyzw, CB0[0][2].xyzw" },
   { 0x51,
     { 0x0d000045, 0x001000f2, 0, 0x00101046, 1, 0x06207e46, 0, 2, 0x0010000a,
       0, 0x00206000, 1, 3 },
     "sample r0.xyzw, v1.xyxx, T0[r0.x + 2].xyzw, S1[3]" },
   { 0x51, { 0x05000036, 0x001000f2, 0, 0x00208e46, 0, 2 }, NULL },
   { 0x51, { 0x0600005a, 0x00406e46, 1, 3, 5, 1 }, NULL },
};

static void
test_text(void **state)
{
   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct arena *arena = arena_create(NULL);
      uint32_t words[2 + MAX_DW] = { rows[i].version };
      struct util_dynarray out = { 0 };
      struct strbuf text = { 0 };
      struct d3d_error error = { 0 };
      const unsigned n = rows[i].dw[0] >> 24 & 0x7f;
      words[1] = 2 + n;
      memcpy(&words[2], rows[i].dw, sizeof(rows[i].dw));
      struct tpf_shader *shader =
         tpf_decode(arena, words, 4 * words[1], 0, &error);
      if (!rows[i].text) {
         assert_null(shader);
         assert_true(error.text[0] != 0);
      } else {
         if (!shader)
            fail_msg("%s: %s", rows[i].text, error.text);
         tpf_print_inst(&shader->inst[0], &text);
         assert_string_equal(text.s, rows[i].text);
         tpf_encode(shader, &out);
         assert_memory_equal(out.data, words, out.size_B);
      }
      strbuf_fini(&text);
      util_dynarray_fini(&out);
      arena_destroy(arena);
   }
}

/* Tokens of a ps_5_0 with r0 and cb0[2], and what is wrong with them. */
static const struct {
   uint32_t dw[MAX_DW];
   const char *rule;
   bool form; /* else the validator's */
} bad[] = {
   { { 0x010007ff }, "there is no opcode 2047", true },
   { { 0x05000036, 0x00100012, 0, 0x0010000a },
     "has a length of 5 dwords",
     true },
   { { 0x04000036, 0x00100012, 0, 0x0010000a }, "ends where an index", true },
   { { 0x05008036, 0x00100012, 0, 0x0010000a, 0 }, "mov has controls", true },
   { { 0x05000036, 0x00100012, 0, 0x0012b00a, 0 },
     "no register file 43",
     true },
   { { 0x05000036, 0x00200012, 0, 0x0010000a, 0 }, "r has 2 indices", true },
   { { 0x05000036, 0x00100012, 1, 0x0010000a, 0 }, "r1 is not declared" },
   { { 0x05000036, 0x00100012, 0, 0x0010100a, 0 }, "v0 is not declared" },
   { { 0x06000036, 0x00100012, 0, 0x0020800a, 0, 2 }, "cb0 has 2 registers" },
   { { 0x05000036, 0x0010000a, 0, 0x0010000a, 0 }, "has no mask" },
   { { 0x01000013 }, "ps_5_0 has no emit" },
   { { 0x01000015 }, "endif closes what is not open" },
   { { 0x0304001f, 0x0010000a, 0 }, "if is not closed" },
   { { 0x01000012 }, "else without an if" },
   { { 0x01000002 }, "break outside of loop and switch" },
};

static void
test_errors(void **state)
{
   static const uint32_t head[] = { 0x50,       0,          0x02000068, 1,
                                    0x04000059, 0x00208e46, 0,          2 };

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(bad); i++) {
      struct arena *arena = arena_create(NULL);
      uint32_t words[ARRAY_SIZE(head) + MAX_DW];
      struct d3d_error error = { 0 };
      unsigned n = MAX_DW;
      while (n && !bad[i].dw[n - 1] && n > (bad[i].dw[0] >> 24))
         n--;
      if (bad[i].form && strstr(bad[i].rule, "has a length"))
         n = 4;
      memcpy(words, head, sizeof(head));
      memcpy(&words[ARRAY_SIZE(head)], bad[i].dw, sizeof(bad[i].dw));
      words[1] = (uint32_t)ARRAY_SIZE(head) + n;
      struct tpf_shader *shader =
         tpf_decode(arena, words, 4 * words[1], 0, &error);
      if (!bad[i].form) {
         if (!shader)
            fail_msg("%s: %s", bad[i].rule, error.text);
         assert_false(tpf_validate(shader, &error));
      } else {
         assert_null(shader);
      }
      if (!strstr(error.text, bad[i].rule))
         fail_msg("'%s' instead of '%s'", error.text, bad[i].rule);
      assert_true(error.offset_B >= 4 * ARRAY_SIZE(head) ||
                  strstr(error.text, "not closed"));
      arena_destroy(arena);
   }
}

static unsigned
count_instrs(nir_shader *nir, nir_op op, nir_intrinsic_op intrinsic)
{
   unsigned n = 0;

   nir_foreach_block(block, nir_entry_point(nir)) {
      nir_foreach_instr(instr, block) {
         n += instr->kind == nir_kind_alu &&
              nir_instr_as_alu(instr)->op == op;
         n += instr->kind == nir_kind_intrinsic &&
              nir_instr_as_intrinsic(instr)->intrinsic == intrinsic;
      }
   }
   return n;
}

/* Programs of ps_5_0, and how many instructions of a kind come of them. */
static void
test_translation(void **state)
{
   static const struct {
      uint32_t dw[24];
      nir_op op;
      nir_intrinsic_op intrinsic;
      unsigned count;
   } rows[] = {
      /* Reciprocals of width and height, but not of the elements; nor of what
       * the texture has not. */
      { { 0x04004058, 0x00107000, 0, 0x5555, 0x02000068, 1, 0x0700083d,
          0x001000f2, 0, 0x00004001, 0, 0x00107e46, 0, 0x0100003e },
        nir_op_frcp,
        nir_num_intrinsics,
        2 },
      { { 0x04001058, 0x00107000, 0, 0x5555, 0x02000068, 1, 0x0700083d,
          0x001000f2, 0, 0x00004001, 0, 0x00107e46, 0, 0x0100003e },
        nir_op_frcp,
        nir_num_intrinsics,
        1 },
      /* A scalar as destination has no mask. */
      { { 0x030000a1, 0x00107000, 0, 0x02000065, 0x0000c001, 0x060000a5,
          0x0000c001, 0x00004001, 0, 0x0010700a, 0, 0x0100003e },
        nir_num_opcodes,
        nir_intrinsic_load_deref,
        1 },
      /* Each component of an input at another place. */
      { { 0x03001062, 0x001010f2, 0, 0x02000068, 1, 0x050000cd, 0x001000f2, 0,
          0x00101e46, 0, 0x0100003e },
        nir_num_opcodes,
        nir_intrinsic_interp_deref_at_centroid,
        4 },
      { { 0x03001062, 0x001010f2, 0, 0x02000068, 1, 0x080000cb, 0x001000f2, 0,
          0x00101e46, 0, 0x00004001, 3, 0, 0x0100003e },
        nir_num_opcodes,
        nir_intrinsic_interp_deref_at_offset,
        4 },
      /* The size of an image. */
      { { 0x0400189c, 0x0011e000, 0, 0x4444, 0x02000068, 1, 0x0700103d,
          0x001000f2, 0, 0x00004001, 0, 0x0011ee46, 0, 0x0100003e },
        nir_num_opcodes,
        nir_intrinsic_image_deref_size,
        1 },
   };

   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct tpf_to_nir_options options = { .parent = arena_create(NULL) };
      struct d3d_error error = { 0 };
      uint32_t words[2 + 24] = { 0x50 };
      while (words[1] < 24 && rows[i].dw[words[1]] != 0x0100003e)
         words[1]++;
      words[1] += 3;
      memcpy(&words[2], rows[i].dw, sizeof(rows[i].dw));
      struct tpf_shader *shader =
         tpf_decode(options.parent, words, 4 * words[1], 0, &error);
      if (!shader || !tpf_validate(shader, &error))
         fail_msg("%u: %s", i, error.text);
      nir_shader *nir = tpf_to_nir(shader, NULL, &options, &error);
      assert_non_null(nir);
      assert_int_equal(count_instrs(nir, rows[i].op, rows[i].intrinsic),
                       rows[i].count);
      arena_destroy(options.parent);
   }
}

/* An output may be declared again; how often is bounded. */
static void
test_many_outputs(void **state)
{
   struct tpf_to_nir_options options = { .parent = arena_create(NULL) };
   struct d3d_error error = { 0 };
   uint32_t words[2 + 3 * 300] = { 0x00010050, ARRAY_SIZE(words) };

   (void)state;
   for (unsigned i = 0; i < 300; i++) {
      words[2 + 3 * i] = 0x03000065; /* dcl_output o0.x */
      words[3 + 3 * i] = 0x00102012;
   }
   struct tpf_shader *shader =
      tpf_decode(options.parent, words, sizeof(words), 0, &error);
   assert_non_null(shader);
   assert_true(tpf_validate(shader, &error));
   assert_null(tpf_to_nir(shader, NULL, &options, &error));
   assert_non_null(strstr(error.text, "more than 256 outputs"));
   arena_destroy(options.parent);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_corpus),       cmocka_unit_test(test_text),
      cmocka_unit_test(test_errors),       cmocka_unit_test(test_translation),
      cmocka_unit_test(test_many_outputs),
   };

   for (int i = 1; i < argc; i++)
      tpf_corpus_read(argv[i]);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
