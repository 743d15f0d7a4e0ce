/* SPDX-License-Identifier: MIT */
/*
 * What the texts of passes/ (test_eu_text.c) cannot say: live ranges, spills,
 * maps, flags.
 */
#include "eu_fixture.h"

#include <stdio.h>

#include "intel/compiler/fs/fs_compile.h"
#include "util/unit_test.h"

static struct eu_fixture t;

static int
setup(void **state)
{
   memset(&t, 0, sizeof(t));
   return compiler_fixture_begin(&t.base, "skl");
}

static int
teardown(void **state)
{
   return compiler_fixture_end(&t.base);
}

static void
begin(unsigned width)
{
   eu_fixture_shader(&t, width);
}

/* Keeps a value alive: something with an effect reads it. */
static void
use(eu_reg r, unsigned grfs)
{
   struct eu_inst *inst =
      eu_emit1(&t.b, ISA_OPCODE_SEND, eu_null(ISA_TYPE_UD), r);
   inst->mlen = (uint8_t)grfs;
   inst->side_effects = true;
}

/* ---- liveness and allocation ---- */

/* A value written in a loop and read after it lives through all of the
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
   const struct eu_liveness *lv =
      eu_calculate_liveness(t.s, EU_GRANULE_GRF, t.base.arena);
   assert_int_equal(lv->vgrf_start[v.nr], 0);
   assert_int_equal(lv->vgrf_end[v.nr], 10);
   /* The other one is gone when it has been read. */
   assert_int_equal(lv->vgrf_start[w.nr], 3);
   assert_int_equal(lv->vgrf_end[w.nr], 4);
}

/* With granules of half a register, the halves live on their own. */
static void
test_liveness_of_halves(void **state)
{
   begin(8);
   const eu_reg v = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
   const struct eu_builder b4 = eu_group(t.b, 4, 0);

   eu_MOV(&b4, v, eu_imm_ud(1));
   eu_MOV(&b4, eu_byte_offset(v, 16), eu_imm_ud(2));
   eu_MOV(&b4, eu_null(ISA_TYPE_UD), eu_byte_offset(v, 16));
   const struct eu_liveness *half =
      eu_calculate_liveness(t.s, EU_GRANULE_OWORD, t.base.arena);
   const uint32_t var = half->var_of_vgrf[v.nr];
   assert_int_equal(var, 2 * EU_MAX_GRF);
   assert_int_equal(half->num_vars, 2 * EU_MAX_GRF + 2);
   /* Written and never read; written, read by the last. */
   assert_int_equal(half->start[var], 1);
   assert_int_equal(half->end[var], 1);
   assert_int_equal(half->start[var + 1], 3);
   assert_int_equal(half->end[var + 1], 4);

   /* Half a write does not define a whole GRF: it lives from the start. */
   const struct eu_liveness *whole =
      eu_calculate_liveness(t.s, EU_GRANULE_GRF, t.base.arena);
   assert_int_equal(whole->vgrf_start[v.nr], 0);
   assert_int_equal(whole->vgrf_end[v.nr], 4);
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

static void
test_debug_passes(void **state)
{
   char *unknown;

   const uint64_t flags =
      intel_debug_parse("skip:fs_opt_cse,print:eu_schedule", &unknown);
   assert_true(intel_debug_skips(flags, &pass_fs_opt_cse));
   assert_false(intel_debug_skips(flags, &pass_eu_schedule));
   assert_true(intel_debug_prints(flags, &pass_eu_schedule));
   assert_false(intel_debug_prints(flags, &pass_fs_opt_cse));
   assert_null(unknown);
   /* Code is wrong without this one. */
   assert_int_equal(
      intel_debug_parse("skip:fs_lower_misc,skip:,print:x", &unknown), 0);
   assert_string_equal(unknown, "skip:fs_lower_misc,skip:,print:x");
   free(unknown);

   /* x + 0 stays when the pass is left out. */
   for (unsigned skip = 0; skip < 2; skip++) {
      begin(8);
      t.s->debug = skip ? intel_debug_parse("skip:fs_opt_algebraic", NULL)
                        : 0;
      struct eu_inst *add = eu_ADD(&t.b, eu_vgrf(&t.b, ISA_TYPE_D, 1),
                                   eu_grf(4, ISA_TYPE_D), eu_imm_d(0));
      assert_int_equal(eu_run(t.s, &pass_fs_opt_algebraic), !skip);
      assert_int_equal(add->op, skip ? ISA_OPCODE_ADD : ISA_OPCODE_MOV);
   }
}

#define T(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      T(liveness_of_loops), T(liveness_of_halves), T(allocation_spills),
      T(vue_map),           T(debug_flags),        T(debug_passes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
