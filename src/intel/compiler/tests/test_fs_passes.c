/* SPDX-License-Identifier: MIT */
/*
 * Passes of the scalar back end, one at a time: a few instructions before,
 * the text of what must be there after; for each rewrite also code that must
 * stay as it is.
 */
#include <stdio.h>

#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/intel_compiler_private.h"
#include "intel/dev/intel_device_info.h"
#include "util/unit_test.h"

struct ctx {
   struct intel_compiler *compiler;
   struct arena *arena;
   struct eu_shader *s;
   struct eu_builder b;
   struct intel_wm_prog_data pd;
   char *text;
};

static struct ctx t;

static int
setup(void **state)
{
   memset(&t, 0, sizeof(t));
   t.compiler =
      intel_compiler_create(intel_device_info_by_name("skl"));
   t.arena = arena_create(NULL);
   return 0;
}

static int
teardown(void **state)
{
   free(t.text);
   arena_destroy(t.arena);
   intel_compiler_destroy(t.compiler);
   return 0;
}

static void
begin(unsigned width)
{
   t.s = eu_shader_create(t.arena, t.compiler, MESA_SHADER_FRAGMENT, width);
   t.s->prog_data.wm = &t.pd;
   t.b = eu_builder_at_end(t.s);
}

/* Keeps a value alive: something with an effect reads it. */
static void
use(eu_reg r, unsigned grfs)
{
   struct eu_inst *inst = eu_emit1(&t.b, ISA_OPCODE_SEND,
                                   eu_null(ISA_TYPE_UD), r);
   inst->mlen = (uint8_t)grfs;
   inst->side_effects = true;
}

static void
check(const char *expected)
{
   size_t size;
   FILE *fp = open_memstream(&t.text, &size);

   eu_print(t.s, fp);
   fclose(fp);
   assert_string_equal(t.text, expected);
   free(t.text);
   t.text = NULL;
   eu_validate(t.s, "the test");
}

/* ---- SIMD width ---- */

static void
test_width_keeps_stride_and_offset(void **state)
{
   begin(16);
   /* High dwords of 16 doubles: two instructions with stride 2 each. */
   const eu_reg df = eu_vgrf_reg(eu_alloc_vgrf(t.s, 4), ISA_TYPE_DF);
   const eu_reg v = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   eu_MOV(&t.b, eu_subscript(df, ISA_TYPE_UD, 1), v);
   assert_true(fs_lower_simd_width(t.s));
   check("   0: mov(8) vgrf0+0.4<2>:ud, vgrf1+0.0:ud\n"
         "   1: mov(8) vgrf0+2.4<2>:ud, vgrf1+1.0:ud group8\n");
}

static void
test_width_leaves_what_fits(void **state)
{
   begin(16);
   const eu_reg a = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   eu_ADD(&t.b, a, a, a);
   assert_false(fs_lower_simd_width(t.s));
   begin(8);
   const eu_reg d = eu_vgrf(&t.b, ISA_TYPE_DF, 1);
   eu_ADD(&t.b, d, d, d);
   assert_false(fs_lower_simd_width(t.s));
}

static void
test_width_copies_when_parts_clobber(void **state)
{
   begin(16);
   /* Floats widened in place: the first half would overwrite the rest. */
   const eu_reg d = eu_vgrf(&t.b, ISA_TYPE_DF, 1);
   eu_MOV(&t.b, d, eu_retype(d, ISA_TYPE_F));
   assert_true(fs_lower_simd_width(t.s));
   check("   0: undef(16) vgrf1+0.0<1>:df\n"
         "   1: mov(8) vgrf1+0.0<1>:df, vgrf0+0.0:f\n"
         "   2: mov(8) vgrf1+2.0<1>:df, vgrf0+1.0:f group8\n"
         "   3: mov(8) vgrf0+0.0<1>:uq, vgrf1+0.0:uq\n"
         "   4: mov(8) vgrf0+2.0<1>:uq, vgrf1+2.0:uq group8\n");
}

/* ---- regioning ---- */

static void
test_regioning_double_to_float(void **state)
{
   begin(8);
   const eu_reg d = eu_vgrf(&t.b, ISA_TYPE_DF, 1);
   const eu_reg f = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   eu_MOV(&t.b, f, d);
   assert_true(fs_lower_regioning(t.s));
   check("   0: undef(8) vgrf2+0.0<1>:f\n"
         "   1: mov(8) vgrf2+0.0<2>:f, vgrf0+0.0:df\n"
         "   2: mov(8) vgrf1+0.0<1>:ud, vgrf2+0.0<2>:ud\n");
   assert_false(fs_lower_regioning(t.s));
}

static void
test_regioning_mad_scalar_double(void **state)
{
   begin(8);
   const eu_reg d = eu_vgrf(&t.b, ISA_TYPE_DF, 1);
   const eu_reg k = eu_vgrf_scalar(&t.b, ISA_TYPE_DF);
   eu_emit3(&t.b, ISA_OPCODE_MAD, d, d, d, eu_negate(k));
   assert_true(fs_lower_regioning(t.s));
   check("   0: undef(1) vgrf1+0.0<1>:df NoMask\n"
         "   1: mov(8) vgrf2+0.0<1>:uq, vgrf1+0.0<0>:uq\n"
         "   2: mad(8) vgrf0+0.0<1>:df, vgrf0+0.0:df, vgrf0+0.0:df, "
         "-vgrf2+0.0:df\n");
}

static void
test_regioning_leaves_raw_moves(void **state)
{
   begin(8);
   const eu_reg a = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   const eu_reg h = eu_vgrf_reg(eu_alloc_vgrf(t.s, 1), ISA_TYPE_UW);
   eu_MOV(&t.b, h, eu_subscript(a, ISA_TYPE_UW, 1));
   assert_false(fs_lower_regioning(t.s));
}

/* ---- copy propagation ---- */

static void
test_copy_strided_read(void **state)
{
   begin(8);
   const eu_reg q = eu_vgrf(&t.b, ISA_TYPE_UQ, 1);
   const eu_reg v = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   const eu_reg r = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   eu_MOV(&t.b, v, eu_subscript(q, ISA_TYPE_UD, 1));
   eu_ADD(&t.b, r, v, eu_imm_ud(1));
   assert_true(fs_opt_copy_propagation(t.s));
   check("   0: mov(8) vgrf1+0.0<1>:ud, vgrf0+0.4<2>:ud\n"
         "   1: add(8) vgrf2+0.0<1>:ud, vgrf0+0.4<2>:ud, 0x1:ud\n");
}

static void
test_copy_modifiers_and_immediates(void **state)
{
   begin(8);
   const eu_reg x = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   const eu_reg n = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   const eu_reg k = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   const eu_reg r = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   eu_MOV(&t.b, n, eu_negate(x));
   eu_MOV(&t.b, k, eu_imm_f(2.0f));
   eu_MUL(&t.b, r, k, eu_negate(n));
   assert_true(fs_opt_copy_propagation(t.s));
   check("   0: mov(8) vgrf1+0.0<1>:f, -vgrf0+0.0:f\n"
         "   1: mov(8) vgrf2+0.0<1>:f, 2f:f\n"
         "   2: mul(8) vgrf3+0.0<1>:f, vgrf0+0.0:f, 2f:f\n");
}

static void
test_copy_stops_at_writes(void **state)
{
   begin(8);
   const eu_reg x = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   const eu_reg c = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   const eu_reg r = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   eu_MOV(&t.b, x, eu_grf(5, ISA_TYPE_UD));
   eu_MOV(&t.b, c, x);
   eu_ADD(&t.b, x, x, x);
   eu_ADD(&t.b, r, c, x);
   fs_opt_copy_propagation(t.s);
   check("   0: mov(8) vgrf0+0.0<1>:ud, g5+0.0:ud\n"
         "   1: mov(8) vgrf1+0.0<1>:ud, g5+0.0:ud\n"
         "   2: add(8) vgrf0+0.0<1>:ud, g5+0.0:ud, g5+0.0:ud\n"
         "   3: add(8) vgrf2+0.0<1>:ud, g5+0.0:ud, vgrf0+0.0:ud\n");
}

static void
test_copy_no_float_modifier_on_bits(void **state)
{
   begin(8);
   const eu_reg x = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   const eu_reg n = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   const eu_reg r = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   eu_MOV(&t.b, n, eu_negate(x));
   eu_AND(&t.b, r, eu_retype(n, ISA_TYPE_UD), eu_imm_ud(7));
   assert_false(fs_opt_copy_propagation(t.s));
}

/* ---- conditions ---- */

static void
test_cmod_drops_test(void **state)
{
   begin(8);
   const eu_reg d = eu_vgrf(&t.b, ISA_TYPE_DF, 1);
   const eu_reg c = eu_vgrf(&t.b, ISA_TYPE_DF, 1);
   eu_CMP(&t.b, c, d, d, ISA_COND_MOD_L);
   struct eu_inst *test =
      eu_MOV(&t.b, eu_null(ISA_TYPE_D),
             eu_retype(eu_subscript(c, ISA_TYPE_UD, 0), ISA_TYPE_D));
   test->cond_mod = ISA_COND_MOD_NZ;
   assert_true(fs_opt_cmod_propagation(t.s));
   check("   0: cmp.l.f0.0(8) vgrf1+0.0<1>:df, vgrf0+0.0:df, "
         "vgrf0+0.0:df\n");
}

static void
test_cmod_repeats_comparison(void **state)
{
   begin(8);
   const eu_reg x = eu_grf(4, ISA_TYPE_F);
   const eu_reg c = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   eu_CMP(&t.b, c, x, eu_imm_f(1), ISA_COND_MOD_GE);
   eu_CMP(&t.b, eu_null(ISA_TYPE_F), x, x, ISA_COND_MOD_Z);
   struct eu_inst *test = eu_MOV(&t.b, eu_null(ISA_TYPE_D),
                                 eu_retype(c, ISA_TYPE_D));
   test->cond_mod = ISA_COND_MOD_NZ;
   assert_true(fs_opt_cmod_propagation(t.s));
   check("   0: cmp.ge.f0.0(8) vgrf0+0.0<1>:f, g4+0.0:f, 1f:f\n"
         "   1: cmp.z.f0.0(8) null:f, g4+0.0:f, g4+0.0:f\n"
         "   2: cmp.ge.f0.0(8) null:f, g4+0.0:f, 1f:f\n");
}

static void
test_cmod_keeps_other_channels(void **state)
{
   begin(16);
   const eu_reg x = eu_vgrf(&t.b, ISA_TYPE_D, 1);
   const eu_reg c = eu_vgrf(&t.b, ISA_TYPE_D, 1);
   const struct eu_builder lo = eu_group(t.b, 8, 0);
   eu_CMP(&lo, c, x, x, ISA_COND_MOD_L);
   struct eu_inst *test = eu_MOV(&t.b, eu_null(ISA_TYPE_D), c);
   test->cond_mod = ISA_COND_MOD_NZ;
   assert_false(fs_opt_cmod_propagation(t.s));
}

/* ---- coalescing, saturation, dead code ---- */

static void
test_coalesce_into_payload(void **state)
{
   begin(8);
   const eu_reg p = eu_vgrf_reg(eu_alloc_vgrf(t.s, 2), ISA_TYPE_F);
   const eu_reg v = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   eu_ADD(&t.b, v, eu_grf(4, ISA_TYPE_F), eu_grf(5, ISA_TYPE_F));
   eu_MOV(&t.b, eu_byte_offset(p, 32), v);
   use(p, 2);
   assert_true(fs_opt_register_coalesce(t.s));
   check("   0: add(8) vgrf0+1.0<1>:f, g4+0.0:f, g5+0.0:f\n"
         "   1: send(8) null:ud, vgrf0+0.0:f null desc 0x00000000 mlen 2+0 "
         "rlen_B 0\n");
}

static void
test_coalesce_not_with_two_readers(void **state)
{
   begin(8);
   const eu_reg p = eu_vgrf_reg(eu_alloc_vgrf(t.s, 2), ISA_TYPE_F);
   const eu_reg v = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   eu_ADD(&t.b, v, eu_grf(4, ISA_TYPE_F), eu_grf(5, ISA_TYPE_F));
   eu_MOV(&t.b, eu_byte_offset(p, 32), v);
   eu_MOV(&t.b, p, v);
   use(p, 2);
   assert_false(fs_opt_register_coalesce(t.s));
}

static void
test_saturate(void **state)
{
   begin(8);
   const eu_reg v = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   const eu_reg r = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   eu_MUL(&t.b, v, eu_grf(4, ISA_TYPE_F), eu_grf(5, ISA_TYPE_F));
   eu_MOV(&t.b, r, v)->saturate = true;
   assert_true(fs_opt_saturate_propagation(t.s));
   check("   0: mul.sat(8) vgrf0+0.0<1>:f, g4+0.0:f, g5+0.0:f\n"
         "   1: mov(8) vgrf1+0.0<1>:f, vgrf0+0.0:f\n");
   begin(8);
   const eu_reg w = eu_vgrf(&t.b, ISA_TYPE_F, 1);
   eu_MUL(&t.b, w, eu_grf(4, ISA_TYPE_F), eu_grf(5, ISA_TYPE_F));
   eu_MOV(&t.b, eu_vgrf(&t.b, ISA_TYPE_F, 1), eu_negate(w))->saturate = true;
   assert_false(fs_opt_saturate_propagation(t.s));
}

static void
test_dead_code_keeps_halves(void **state)
{
   begin(8);
   /* Both writes of a double's halves matter (thread comment 88). */
   const eu_reg d = eu_vgrf(&t.b, ISA_TYPE_DF, 1);
   eu_undef(&t.b, d);
   eu_MOV(&t.b, eu_subscript(d, ISA_TYPE_UD, 0), eu_imm_ud(1));
   eu_MOV(&t.b, eu_subscript(d, ISA_TYPE_UD, 1), eu_imm_ud(2));
   eu_MOV(&t.b, eu_vgrf(&t.b, ISA_TYPE_UD, 1), eu_imm_ud(3));
   use(d, 2);
   assert_true(fs_opt_dead_code(t.s));
   check("   0: undef(8) vgrf0+0.0<1>:df\n"
         "   1: mov(8) vgrf0+0.0<2>:ud, 0x1:ud\n"
         "   2: mov(8) vgrf0+0.4<2>:ud, 0x2:ud\n"
         "   3: send(8) null:ud, vgrf0+0.0:df null desc 0x00000000 mlen 2+0 "
         "rlen_B 0\n");
}

static void
test_algebraic(void **state)
{
   begin(8);
   const eu_reg x = eu_grf(4, ISA_TYPE_D), f = eu_grf(5, ISA_TYPE_F);
   eu_ADD(&t.b, eu_vgrf(&t.b, ISA_TYPE_D, 1), x, eu_imm_d(0));
   eu_ADD(&t.b, eu_vgrf(&t.b, ISA_TYPE_F, 1), f, eu_imm_f(0));
   assert_true(fs_opt_algebraic(t.s));
   check("   0: mov(8) vgrf0+0.0<1>:d, g4+0.0:d\n"
         "   1: add(8) vgrf1+0.0<1>:f, g5+0.0:f, 0f:f\n");
}

/* ---- liveness and allocation ---- */

/* A value written in a loop and read behind it lives through all of the
 * loop: channels that left keep it. */
static void
test_liveness_of_loops(void **state)
{
   struct eu_inst *inst;

   begin(8);
   const eu_reg v = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   const eu_reg w = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   eu_emit0(&t.b, EU_OP_DO);
   eu_MOV(&t.b, w, eu_imm_ud(1));
   eu_MOV(&t.b, v, w);
   inst = eu_emit0(&t.b, ISA_OPCODE_BREAK);
   inst->pred = ISA_PRED_NORMAL;
   eu_emit0(&t.b, ISA_OPCODE_WHILE);
   use(v, 1);
   const struct eu_liveness *lv = eu_calculate_liveness(t.s, t.arena);
   assert_int_equal(lv->vgrf_start[v.nr], 0);
   assert_int_equal(lv->vgrf_end[v.nr], 10);
   /* The other one is gone when it has been read. */
   assert_int_equal(lv->vgrf_start[w.nr], 3);
   assert_int_equal(lv->vgrf_end[w.nr], 4);
}

static void
test_allocation_spills(void **state)
{
   enum { N = 40 };
   eu_reg v[N];

   begin(8);
   /* 160 registers at once. */
   for (unsigned i = 0; i < N; i++) {
      v[i] = eu_vgrf(&t.b, ISA_TYPE_DF, 2);
      for (unsigned k = 0; k < 2; k++)
         eu_MOV(&t.b, eu_offset(v[i], &t.b, k), eu_imm(ISA_TYPE_DF, i));
   }
   for (unsigned i = 0; i < N; i++)
      use(v[i], 4);
   assert_true(eu_allocate_registers(t.s));
   assert_true(t.s->spills > 0 && t.s->fills > 0);
   assert_int_equal(t.s->max_live_grf, 160);
   list_for_each_entry(struct eu_inst, inst, &t.s->insts, link) {
      assert_int_not_equal(inst->dst.file, EU_VGRF);
      for (unsigned i = 0; i < inst->sources; i++)
         assert_int_not_equal(inst->src[i].file, EU_VGRF);
   }
}

static void
test_vue_map(void **state)
{
   struct intel_vue_map map;

   intel_compute_vue_map(&map, VARYING_BIT(POS) | VARYING_BIT(PSIZ) |
                                  VARYING_BIT(CLIP_DIST0) |
                                  BITFIELD64_BIT(VARYING_SLOT_VAR0 + 2));
   assert_int_equal(map.num_slots, 4);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_LAYER], 0);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_POS], 1);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_CLIP_DIST0], 2);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_VAR0 + 2], 3);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_VAR0], -1);
}

static void
test_debug_flags(void **state)
{
   char *unknown;

   assert_int_equal(intel_debug_parse("vs,fs", &unknown),
                    INTEL_DEBUG_VS | INTEL_DEBUG_FS);
   assert_null(unknown);
   assert_int_equal(intel_debug_parse("bat,nonsense,fs", &unknown),
                    INTEL_DEBUG_BATCH | INTEL_DEBUG_FS);
   assert_string_equal(unknown, "nonsense");
   free(unknown);
}

#define T(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      T(width_keeps_stride_and_offset), T(width_leaves_what_fits),
      T(width_copies_when_parts_clobber), T(regioning_double_to_float),
      T(regioning_mad_scalar_double), T(regioning_leaves_raw_moves),
      T(copy_strided_read), T(copy_modifiers_and_immediates),
      T(copy_stops_at_writes), T(copy_no_float_modifier_on_bits),
      T(cmod_drops_test), T(cmod_repeats_comparison),
      T(cmod_keeps_other_channels), T(coalesce_into_payload),
      T(coalesce_not_with_two_readers), T(saturate),
      T(dead_code_keeps_halves), T(algebraic), T(liveness_of_loops),
      T(allocation_spills), T(vue_map), T(debug_flags),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
