/* SPDX-License-Identifier: MIT */
/*
 * Register allocation of the scalar back end: each value is a number that a
 * MOV writes, and a small machine that knows MOV, scratch blocks and sends
 * runs the result and looks whether each send gets the value it is for. Then
 * allocations that are wrong on purpose, which the checker must refuse.
 */
#include "eu_fixture.h"

#include "intel/compiler/eu/eu_messages.h"
#include "intel/compiler/eu/eu_pass.h"
#include "intel/compiler/eu/ra/eu_ra_graph.h"
#include "util/unit_test.h"

static struct eu_fixture t;

static int
setup(void **state)
{
   memset(&t, 0, sizeof(t));
   compiler_fixture_begin(&t.base, "skl");
   eu_fixture_shader(&t, 8);
   return 0;
}

static int
teardown(void **state)
{
   return compiler_fixture_end(&t.base);
}

/* A value of `grfs` registers, GRF k of which holds 100 * id + k. */
static eu_reg
value(unsigned id, unsigned grfs)
{
   const eu_reg r = eu_vgrf_reg(eu_alloc_vgrf(t.s, grfs), ISA_TYPE_UD);

   for (unsigned k = 0; k < grfs; k++)
      eu_MOV(&t.b, eu_byte_offset(r, k * REG_SIZE_B),
             eu_imm_ud(100 * id + k));
   return r;
}

/* A send that must get value `id`; pass_data says so to the machine. */
static struct eu_inst *
use(eu_reg r, unsigned id, unsigned grfs)
{
   struct eu_inst *inst =
      eu_emit1(&t.b, ISA_OPCODE_SEND, eu_null(ISA_TYPE_UD), r);

   inst->mlen = (uint8_t)grfs;
   inst->side_effects = true;
   inst->sfid = ISA_SFID_URB;
   inst->desc = id;
   return inst;
}

/* g<n> holds value PAYLOAD_ID + n when the thread starts. */
#define PAYLOAD_ID 700u

static void
run_scratch(const struct eu_inst *inst, uint32_t *grf, uint32_t *scratch)
{
   struct isa_message m;
   assert_true(isa_message_unpack(ISA_SKL, inst->sfid, inst->desc, &m));
   const unsigned at = m.offset, n = m.scratch_grf;

   assert_in_range((at + n) * REG_SIZE_B, 0, t.s->scratch_B);
   assert_int_equal(grf[inst->src[0].nr], 100 * PAYLOAD_ID);
   for (unsigned k = 0; k < n; k++) {
      if (m.msg == ISA_MSG_SCRATCH_WRITE)
         scratch[at + k] = grf[inst->src[2].nr + k];
      else
         grf[inst->dst.nr + k] = scratch[at + k];
   }
}

/* Runs straight-line code; the number of uses that it saw. */
static unsigned
run(void)
{
   static uint32_t scratch[4096];
   uint32_t grf[EU_MAX_GRF];
   unsigned uses = 0;

   memset(scratch, 0xff, sizeof(scratch));
   for (unsigned g = 0; g < EU_MAX_GRF; g++)
      grf[g] = 100 * (PAYLOAD_ID + g);
   list_for_each_entry(struct eu_inst, inst, &t.s->insts, link) {
      if (inst->op == ISA_OPCODE_MOV) {
         assert_int_equal(inst->dst.file, EU_GRF);
         /* One half after the other. */
         for (unsigned k = 0; k < inst->size_written / REG_SIZE_B; k++)
            grf[inst->dst.nr + k] = inst->src[0].file == EU_IMM
                                       ? (uint32_t)inst->src[0].imm
                                       : grf[inst->src[0].nr + k];
      } else if (inst->sfid == ISA_SFID_DATA_CACHE0) {
         run_scratch(inst, grf, scratch);
      } else {
         assert_int_equal(inst->src[0].file, EU_GRF);
         for (unsigned k = 0; k < inst->mlen; k++)
            assert_int_equal(grf[inst->src[0].nr + k], 100 * inst->desc + k);
         uses++;
      }
   }
   return uses;
}

static void
all_at_once(unsigned count, unsigned grfs)
{
   eu_reg v[256];

   for (unsigned i = 0; i < count; i++)
      v[i] = value(i, grfs);
   for (unsigned i = 0; i < count; i++)
      use(v[i], i, grfs);
   assert_true(eu_allocate_registers(t.s));
   assert_int_equal(t.s->max_live_grf, count * grfs);
   assert_int_equal(run(), count);
}

static void
test_full_file(void **state)
{
   /* All 128 registers, and not one spilled. */
   all_at_once(32, 4);
   assert_int_equal(t.s->spills, 0);
}

static void
test_full_file_mixed_sizes(void **state)
{
   eu_reg v[12];
   static const uint8_t size[12] = {
      1, 8, 15, 2, 15, 7, 4, 15, 15, 15, 15, 15
   };
   unsigned sum = 0;

   for (unsigned i = 0; i < 12; i++) {
      v[i] = value(i, size[i]);
      sum += size[i];
   }
   assert_int_equal(sum, 127);
   for (unsigned i = 12; i-- > 0;)
      use(v[i], i, size[i]);
   assert_true(eu_allocate_registers(t.s));
   assert_int_equal(t.s->spills, 0);
   assert_int_equal(run(), 12);
}

static void
spill_of_size(unsigned grfs)
{
   all_at_once(160 / grfs, grfs);
   assert_true(t.s->spills > 0 && t.s->fills > 0);
   assert_true(t.s->scratch_B >= 32 * REG_SIZE_B);
}

static void
test_spill_1(void **state)
{
   spill_of_size(1);
}

static void
test_spill_2(void **state)
{
   spill_of_size(2);
}

static void
test_spill_4(void **state)
{
   spill_of_size(4);
}

static void
test_spill_8(void **state)
{
   spill_of_size(8);
}

static void
test_spills_what_is_cheap(void **state)
{
   eu_reg v[130];

   for (unsigned i = 0; i < 130; i++)
      v[i] = value(i, 1);
   /* All but two are read often; these two go. */
   for (unsigned n = 0; n < 8; n++) {
      for (unsigned i = 0; i < 130; i++) {
         if (n == 0 || (i != 40 && i != 90))
            use(v[i], i, 1);
      }
   }
   assert_true(eu_allocate_registers(t.s));
   assert_int_equal(run(), 8 * 128 + 2);
   unsigned found = 0;
   list_for_each_entry(struct eu_inst, inst, &t.s->insts, link) {
      if (inst->sfid != ISA_SFID_DATA_CACHE0 || inst->op != ISA_OPCODE_SENDS)
         continue;
      const struct eu_inst *def =
         list_entry(inst->link.prev, struct eu_inst, link);
      found += def->src[0].imm == 4000 || def->src[0].imm == 9000;
   }
   assert_int_equal(found, 2);
}

static void
test_prespills_where_pressure_is_high(void **state)
{
   uint32_t chosen[170];
   eu_reg v[140];

   /* Values of a place that is not, then 140 at once, 20 of them read more
    * often than the others. */
   for (unsigned i = 0; i < 30; i++)
      v[i] = value(i, 1);
   for (unsigned i = 0; i < 30; i++)
      use(v[i], i, 1);
   for (unsigned i = 0; i < 140; i++)
      v[i] = value(i, 1);
   for (unsigned n = 0; n < 3; n++) {
      for (unsigned i = 0; i < (n < 2 ? 20 : 140); i++)
         use(v[i], i, 1);
   }
   const struct eu_liveness *lv =
      eu_calculate_liveness(t.s, EU_GRANULE_GRF, t.s->arena);
   const uint32_t count = eu_ra_choose_for_pressure(
      t.s, lv, eu_ra_find_costs(t.s, t.s->arena), 100, t.s->arena, chosen);
   assert_int_equal(count, 40);
   for (uint32_t i = 0; i < count; i++)
      assert_in_range(chosen[i], 50, 169);
   assert_true(eu_allocate_registers(t.s));
   assert_int_equal(run(), 30 + 2 * 20 + 140);
}

static void
test_most_spills(void **state)
{
   eu_reg v[200];

   t.s->most_spills = 3;
   for (unsigned i = 0; i < 200; i++)
      v[i] = value(i, 1);
   for (unsigned i = 0; i < 200; i++)
      use(v[i], i, 1);
   assert_false(eu_allocate_registers(t.s));
   assert_true(t.s->failed);
}

static void
test_payload_stays(void **state)
{
   eu_reg v[100];

   for (unsigned i = 0; i < 100; i++)
      v[i] = value(i, 1);
   /* g2 to g29 are read after that: 28 + 100 registers. */
   for (unsigned g = 2; g < 30; g++)
      use(eu_grf(g, ISA_TYPE_UD), PAYLOAD_ID + g, 1);
   for (unsigned i = 0; i < 100; i++)
      use(v[i], i, 1);
   assert_true(eu_allocate_registers(t.s));
   assert_int_equal(t.s->spills, 0);
   assert_int_equal(run(), 128);
}

static void
test_last_payload(void **state)
{
   eu_reg v[112];

   for (unsigned i = 0; i < 112; i++)
      v[i] = value(i, 1);
   const eu_reg last = value(200, 8);
   for (unsigned i = 0; i < 112; i++)
      use(v[i], i, 1);
   struct eu_inst *eot = use(last, 200, 8);
   eot->eot = true;
   assert_true(eu_allocate_registers(t.s));
   assert_int_equal(t.s->spills, 0);
   assert_in_range(eot->src[0].nr, 112, 120);
   assert_int_equal(run(), 113);
}

/* More virtual registers than 16 bits can number, and not for long. */
static void
test_many_values(void **state)
{
   enum { N = 70000 };

   for (unsigned i = 0; i < N; i++)
      use(value(i, 1), i, 1);
   assert_true(eu_allocate_registers(t.s));
   assert_false(t.s->failed);
   assert_int_equal(run(), N);
}

static void
test_debug_spill(void **state)
{
   t.s->debug = INTEL_DEBUG_SPILL;
   all_at_once(10, 2);
   /* Each is written in two parts, which may come back as one fill. */
   assert_true(t.s->spills >= 10 && t.s->fills >= 10);
   assert_int_equal(t.s->scratch_B, 20 * REG_SIZE_B);
}

/* ---- the checker ---- */

static bool
accepted(const uint16_t *reg)
{
   char msg[256] = "";
   const bool ok = eu_check_allocation(t.s, reg, msg, sizeof(msg));

   assert_int_equal(ok, msg[0] == '\0');
   return ok;
}

static void
test_check_overwritten(void **state)
{
   const eu_reg a = value(1, 2), b = value(2, 1);

   use(a, 1, 2);
   use(b, 2, 1);
   assert_true(accepted((uint16_t[]) { 10, 12 }));
   assert_false(accepted((uint16_t[]) { 10, 10 }));
   assert_false(accepted((uint16_t[]) { 10, 11 }));
   assert_false(accepted((uint16_t[]) { 10, 128 }));
   assert_false(accepted((uint16_t[]) { EU_RA_NONE, 12 }));
}

static void
test_check_dead_may_share(void **state)
{
   const eu_reg a = value(1, 2);

   use(a, 1, 2);
   use(value(2, 1), 2, 1);
   assert_true(accepted((uint16_t[]) { 10, 11 }));
}

static void
test_check_payload(void **state)
{
   const eu_reg a = value(1, 1);

   use(eu_grf(5, ISA_TYPE_UD), 0, 1);
   use(a, 1, 1);
   assert_true(accepted((uint16_t[]) { 6 }));
   assert_false(accepted((uint16_t[]) { 5 }));
}

static void
test_check_joins(void **state)
{
   const eu_reg a = value(1, 1);

   eu_emit(&t.b, ISA_OPCODE_IF, eu_null(ISA_TYPE_UD), 0, NULL);
   const eu_reg b = value(2, 1);
   use(b, 2, 1);
   eu_emit(&t.b, ISA_OPCODE_ENDIF, eu_null(ISA_TYPE_UD), 0, NULL);
   use(a, 1, 1);
   assert_true(accepted((uint16_t[]) { 3, 4 }));
   /* Lost on one of two paths only. */
   assert_false(accepted((uint16_t[]) { 3, 3 }));
}

static void
test_check_other_arm(void **state)
{
   const eu_reg a = eu_vgrf(&t.b, ISA_TYPE_UD, 1);

   /* No path goes through both arms, but the thread does. */
   eu_emit(&t.b, ISA_OPCODE_IF, eu_null(ISA_TYPE_UD), 0, NULL);
   eu_MOV(&t.b, a, eu_imm_ud(100));
   eu_emit(&t.b, ISA_OPCODE_ELSE, eu_null(ISA_TYPE_UD), 0, NULL);
   const eu_reg b = value(2, 1);
   use(b, 2, 1);
   eu_MOV(&t.b, a, eu_imm_ud(101));
   eu_emit(&t.b, ISA_OPCODE_ENDIF, eu_null(ISA_TYPE_UD), 0, NULL);
   use(a, 1, 1);
   assert_true(accepted((uint16_t[]) { 3, 4 }));
   assert_false(accepted((uint16_t[]) { 3, 3 }));
}

static void
test_check_next_round(void **state)
{
   const eu_reg a = value(1, 1);

   eu_emit(&t.b, EU_OP_DO, eu_null(ISA_TYPE_UD), 0, NULL);
   use(a, 1, 1);
   use(value(2, 1), 2, 1);
   eu_emit(&t.b, ISA_OPCODE_WHILE, eu_null(ISA_TYPE_UD), 0, NULL)->pred =
      ISA_PRED_NORMAL;
   use(value(3, 1), 3, 1);
   assert_true(accepted((uint16_t[]) { 3, 4, 3 }));
   /* After the read, but the loop comes back to it. */
   assert_false(accepted((uint16_t[]) { 3, 3, 4 }));
}

static void
test_check_left_loop_early(void **state)
{
   const eu_reg a = eu_vgrf(&t.b, ISA_TYPE_UD, 1);

   /* A channel that left has its value while others run the head again. */
   eu_emit(&t.b, EU_OP_DO, eu_null(ISA_TYPE_UD), 0, NULL);
   use(value(2, 1), 2, 1);
   eu_MOV(&t.b, a, eu_imm_ud(100));
   eu_emit(&t.b, ISA_OPCODE_BREAK, eu_null(ISA_TYPE_UD), 0, NULL)->pred =
      ISA_PRED_NORMAL;
   eu_emit(&t.b, ISA_OPCODE_WHILE, eu_null(ISA_TYPE_UD), 0, NULL);
   use(a, 1, 1);
   assert_true(accepted((uint16_t[]) { 3, 4 }));
   assert_false(accepted((uint16_t[]) { 3, 3 }));
}

static void
test_check_two_halves(void **state)
{
   const eu_reg f = value(1, 1), d = eu_vgrf(&t.b, ISA_TYPE_DF, 1);

   /* Widening: the first half writes over the source of the second. */
   eu_MOV(&t.b, d, eu_retype(f, ISA_TYPE_F));
   use(d, 2, 2);
   assert_true(accepted((uint16_t[]) { 3, 4 }));
   assert_false(accepted((uint16_t[]) { 3, 3 }));
   assert_false(accepted((uint16_t[]) { 4, 3 }));
}

static void
test_check_copy_in_halves(void **state)
{
   struct eu_builder b16 = t.b;
   const eu_reg s = value(1, 2);
   const eu_reg d = eu_vgrf_reg(eu_alloc_vgrf(t.s, 2), ISA_TYPE_UD);

   b16.exec_size = 16;
   eu_MOV(&b16, d, s);
   use(d, 1, 2);
   assert_true(accepted((uint16_t[]) { 3, 5 }));
   assert_true(accepted((uint16_t[]) { 3, 3 }));
   assert_false(accepted((uint16_t[]) { 3, 4 }));
   assert_false(accepted((uint16_t[]) { 4, 3 }));
}

/* A sum in place is right of what has its channels where the result has them,
 * not of what both halves read. */
static void
test_check_sum_in_halves(void **state)
{
   struct eu_builder b16 = t.b;
   const eu_reg x = value(1, 2);
   eu_reg one = value(2, 1);
   const eu_reg d = eu_vgrf_reg(eu_alloc_vgrf(t.s, 2), ISA_TYPE_UD);

   b16.exec_size = 16;
   one.stride = 0;
   eu_ADD(&b16, d, x, one);
   use(d, 1, 2);
   assert_true(accepted((uint16_t[]) { 3, 5, 3 }));
   assert_false(accepted((uint16_t[]) { 3, 5, 4 }));
   assert_false(accepted((uint16_t[]) { 3, 5, 2 }));
   assert_false(accepted((uint16_t[]) { 3, 5, 5 }));
   assert_true(accepted((uint16_t[]) { 3, 6, 3 }));
   assert_true(eu_allocate_registers(t.s));
   assert_false(t.s->failed);
}

/* Many of them, in a file where hardly anything but such places is left. */
static void
test_copies_in_halves(void **state)
{
   struct eu_builder b16 = t.b;
   eu_reg kept[40], copies[20];

   for (unsigned i = 0; i < 40; i++)
      kept[i] = value(1 + i, i % 3 == 0 ? 1 : 3);
   b16.exec_size = 16;
   for (unsigned i = 0; i < 20; i++) {
      const eu_reg s = value(100 + i, 2);
      copies[i] = eu_vgrf_reg(eu_alloc_vgrf(t.s, 2), ISA_TYPE_UD);
      use(kept[2 * i], 1 + 2 * i, 1);
      eu_MOV(&b16, copies[i], s);
   }
   for (unsigned i = 0; i < 20; i++) {
      use(copies[i], 100 + i, 2);
      use(kept[2 * i + 1], 2 + 2 * i, 1);
   }
   assert_true(eu_allocate_registers(t.s));
   assert_false(t.s->failed);
   assert_int_equal(run(), 60);
}

static void
test_check_last_payload(void **state)
{
   use(value(1, 2), 1, 2)->eot = true;
   assert_true(accepted((uint16_t[]) { 126 }));
   assert_false(accepted((uint16_t[]) { 111 }));
}

#define T(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int
main(void)
{
   /* clang-format off */
   const struct CMUnitTest tests[] = {
      T(full_file), T(full_file_mixed_sizes), T(spill_1), T(spill_2),
      T(spill_4), T(spill_8), T(spills_what_is_cheap),
      T(prespills_where_pressure_is_high), T(most_spills), T(payload_stays),
      T(last_payload), T(many_values), T(debug_spill), T(check_overwritten),
      T(check_dead_may_share), T(check_payload), T(check_joins),
      T(check_other_arm), T(check_next_round), T(check_left_loop_early),
      T(check_two_halves), T(check_copy_in_halves),
      T(check_sum_in_halves), T(copies_in_halves),
      T(check_last_payload),
   };
   /* clang-format on */
   return cmocka_run_group_tests(tests, NULL, NULL);
}
