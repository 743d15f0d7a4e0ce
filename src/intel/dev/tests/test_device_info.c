/* SPDX-License-Identifier: MIT */
/* The device table: lookups, and relations that hold between its columns. */
#include "util/unit_test.h"
#include "intel/dev/intel_device_info.h"
#include "intel/dev/intel_workaround.h"

static void
lookups_agree(void **state)
{
   unsigned n = 0;
   for (const struct intel_device_info *d; (d = intel_device_info_at(n));
        n++) {
      assert_ptr_equal(intel_device_info_by_name(d->name), d);
      assert_ptr_equal(intel_device_info_by_pci_id(d->pci_id), d);
   }
   assert_int_equal(n, 26);
   assert_null(intel_device_info_by_name("s"));
   assert_null(intel_device_info_by_name("sklx"));
   assert_null(intel_device_info_by_pci_id(0));
   assert_int_equal(intel_device_info_by_name("skl")->pci_id, 0x1912);
   assert_int_equal(intel_device_info_by_pci_id(0x0412)->verx10, 75);
}

/* A chip's name is that of its GT2, or of the one that it has. */
static void
generations_have_sizes(void **state)
{
   static const char *const names[][2] = {
      { "ivb", "ivb-gt2" }, { "hsw", "hsw-gt2" }, { "bdw", "bdw-gt2" },
      { "skl", "skl-gt2" }, { "byt", "byt-gt1" }, { "bxt", "bxt-gt1" },
      { "glk", "glk-gt1" }, { "kbl", "kbl-gt2" }, { "cfl", "cfl-gt2" },
      { "chv", "chv-gt1" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      const struct intel_device_info *d =
         intel_device_info_by_name(names[i][0]);
      assert_non_null(d);
      assert_ptr_equal(d, intel_device_info_by_name(names[i][1]));
      assert_string_equal(d->gen_name, names[i][0]);
   }
   assert_int_equal(intel_device_info_by_name("skl-gt1")->gt, 1);
   assert_int_equal(intel_device_info_by_name("hsw-gt3")->num_slices, 2);
   assert_ptr_equal(intel_device_info_by_name("apl"),
                    intel_device_info_by_name("bxt"));
   assert_ptr_equal(intel_device_info_by_name("cml"),
                    intel_device_info_by_name("cfl"));
   assert_ptr_equal(intel_device_info_by_name("bsw"),
                    intel_device_info_by_pci_id(0x22b0));
   assert_null(intel_device_info_by_name("ivb-gt3"));
   char text[80];
   intel_device_info_chips(text, sizeof(text));
   assert_string_equal(text, "ivb, byt, hsw, bdw, chv, skl, bxt, glk, kbl, "
                             "cfl");
   intel_device_info_chips(text, 6);
   assert_string_equal(text, "ivb, ");
   assert_null(intel_device_info_by_name("skl-gt"));
}

/* Each row's own id leads back to it, and no id is there twice. */
static void
pci_ids_are_rows(void **state)
{
   uint16_t id, other;
   for (unsigned i = 0; (id = intel_device_info_pci_id_at(i)); i++) {
      assert_non_null(intel_device_info_by_pci_id(id));
      for (unsigned j = 0; j < i; j++) {
         other = intel_device_info_pci_id_at(j);
         assert_int_not_equal(id, other);
      }
   }
   assert_int_equal(intel_device_info_by_pci_id(0x0166)->gt, 2);
   assert_int_equal(intel_device_info_by_pci_id(0x0a06)->gt, 1);
   assert_int_equal(intel_device_info_by_pci_id(0x162b)->gt, 3);
   assert_int_equal(intel_device_info_by_pci_id(0x1932)->gt, 4);
   assert_int_equal(intel_device_info_by_pci_id(0x190a)->gt, 1);
   assert_int_equal(intel_device_info_by_pci_id(0x190e)->gt, 1);
   assert_int_equal(intel_device_info_by_pci_id(0x191a)->gt, 2);
   assert_string_equal(intel_device_info_by_pci_id(0x5a85)->name, "bxt-2x6");
   assert_string_equal(intel_device_info_by_pci_id(0x3185)->name, "glk-2x6");
   assert_string_equal(intel_device_info_by_pci_id(0x9bca)->name, "cfl");
   assert_string_equal(intel_device_info_by_pci_id(0x5917)->name, "kbl");
   assert_string_equal(intel_device_info_by_pci_id(0x0f31)->name, "byt");
}

/* Pools follow each other, none reaches into the next. */
static void
address_spaces_are_divided(void **state)
{
   const struct intel_device_info *d;
   for (unsigned i = 0; (d = intel_device_info_at(i)); i++) {
      const struct intel_address_layout *l = d->layout;
      assert_true(l->low >= 65536 && l->low < l->low_end);
      assert_true(l->low_end <= 1ull << 32);
      assert_true(l->low_end <= l->dynamic);
      assert_true(l->dynamic + l->pool_size_B <= l->binding_table);
      assert_true(l->binding_table + l->pool_size_B <= l->surface);
      assert_true(l->surface + l->pool_size_B <= l->instruction);
      assert_true(l->instruction + l->pool_size_B <= l->general);
      /* A table's entry is an offset of 32 bits. */
      assert_true(l->surface + l->pool_size_B - l->binding_table <= 1ull
                                                                       << 32);
      assert_true(l->end <= 1ull << d->address_bits);
   }
}

/* IVB/HSW: 64 ways in all; BDW gives shared memory fewer than SKL. */
static void
l3_ways_are_dealt_out(void **state)
{
   const struct intel_device_info *d;
   for (unsigned i = 0; (d = intel_device_info_at(i)); i++) {
      const struct intel_l3_config *c = &d->l3[INTEL_L3_3D];
      const unsigned slices = d->ver >= 8 ? d->num_slices : 1;
      const bool one_bank = d->ver == 9 && d->l3_banks == 1;
      assert_int_equal(d->l3_way_size_kB, one_bank ? 4 : 2 * d->l3_banks);
      const unsigned urb_kB = c->urb * d->l3_way_size_kB;
      assert_int_equal(d->urb.size_kB, MIN2(urb_kB, 1008) / slices);
      if (d->ver > 7)
         continue;
      /* Bay Trail has half as much again. */
      const unsigned ways = d->chip == INTEL_CHIP_BYT ? 96 : 64;
      assert_int_equal(c->urb + c->data + c->read_only, ways);
      c = &d->l3[INTEL_L3_SHARED_MEMORY];
      assert_int_equal(c->urb + c->data + c->read_only,
                       ways - (d->l3_slm_halves_urb ? 16 : 32));
   }
}

static void
columns_are_consistent(void **state)
{
   const struct intel_device_info *d;
   for (unsigned i = 0; (d = intel_device_info_at(i)); i++) {
      assert_int_equal(d->ver, d->verx10 / 10);
      assert_true(d->urb.size_kB < d->l3_size_kB);
      assert_true(d->push_constant_size_kB < d->urb.size_kB);
      assert_true(d->max_cs_threads <=
                  d->num_eu_per_subslice * d->num_thread_per_eu);
      for (unsigned s = 0; s < INTEL_URB_STAGES; s++)
         assert_true(d->urb.min_entries[s] < d->urb.max_entries[s]);
      assert_int_equal(d->has_64bit_int, d->ver >= 8);
      /* Low-power chips: the same three facts. */
      assert_true(!d->eu.qwords_stay || !d->has_llc);
      assert_int_equal(d->eu.has_dword_mul,
                       d->ver >= 8 && !d->eu.qwords_stay);
   }
}

/* chip-rules RL-20: not the 192 and 168 threads that can run. */
static void
scratch_is_numbered_by_four_subslices(void **state)
{
   const struct intel_device_info *skl = intel_device_info_by_name("skl");
   const struct intel_device_info *bdw = intel_device_info_by_name("bdw");
   const unsigned n = intel_device_info_scratch_subslices(skl);

   assert_int_equal(n * skl->max_threads_per_psd, 256);
   assert_int_equal(intel_device_info_scratch_compute_ids(skl), 224);
   assert_int_equal(intel_device_info_scratch_subslices(bdw), 3);
   assert_int_equal(
      intel_device_info_scratch_compute_ids(intel_device_info_by_name("hsw")),
      2 * 128);
   /* Fused off, but numbered. */
   assert_int_equal(intel_device_info_scratch_compute_ids(
                       intel_device_info_by_name("skl-gt1")),
                    224);
}

static bool
needs(const char *name, enum intel_workaround w)
{
   return intel_needs_workaround(intel_device_info_by_name(name), w);
}

static void
workarounds_know_the_chip(void **state)
{
   for (unsigned w = 0; w < INTEL_WORKAROUNDS; w++) {
      const struct intel_workaround_info *i = &intel_workarounds[w];
      assert_non_null(i->name);
      assert_non_null(i->symptom);
      assert_non_null(i->cure);
      assert_non_null(i->source);
      assert_true(i->first_verx10 <= i->last_verx10);
   }
   assert_true(needs("skl-gt4", INTEL_WA_GT4_COUNTERS_STALL));
   assert_false(needs("skl", INTEL_WA_GT4_COUNTERS_STALL));
   assert_true(needs("skl-gt4", INTEL_WA_NO_VERTEX_CACHE_FOR_PATCHES));
   assert_false(needs("skl-gt3", INTEL_WA_NO_VERTEX_CACHE_FOR_PATCHES));
   assert_true(needs("ivb-gt1", INTEL_WA_UNTYPED_IS_RAW));
   assert_false(needs("hsw", INTEL_WA_UNTYPED_IS_RAW));
   assert_true(needs("ivb-gt2", INTEL_WA_STALL_ON_GS_CHANGE));
   assert_false(needs("ivb-gt1", INTEL_WA_STALL_ON_GS_CHANGE));
   assert_false(needs("hsw", INTEL_WA_STALL_ON_GS_CHANGE));
   assert_true(needs("bdw", INTEL_WA_VERTEX_CACHE_32_BITS));
   assert_true(needs("skl", INTEL_WA_VERTEX_CACHE_32_BITS));
   assert_false(needs("hsw", INTEL_WA_VERTEX_CACHE_32_BITS));
   assert_true(needs("bdw", INTEL_WA_TESS_FACTORS_INTERFERE));
   assert_false(needs("skl", INTEL_WA_TESS_FACTORS_INTERFERE));
   assert_true(needs("bdw", INTEL_WA_TESS_URB_ENTRIES));
   assert_false(needs("hsw", INTEL_WA_TESS_URB_ENTRIES));
   assert_false(needs("skl", INTEL_WA_TESS_URB_ENTRIES));
   assert_true(needs("hsw", INTEL_WA_PS_INVOCATIONS_BY_FOUR));
   assert_true(needs("bdw", INTEL_WA_PS_INVOCATIONS_BY_FOUR));
   assert_false(needs("ivb", INTEL_WA_PS_INVOCATIONS_BY_FOUR));
   assert_false(needs("skl", INTEL_WA_PS_INVOCATIONS_BY_FOUR));
   assert_true(needs("skl", INTEL_WA_VFE_STATE_BEFORE_3D));
   assert_false(needs("bdw", INTEL_WA_VFE_STATE_BEFORE_3D));
   assert_true(needs("chv", INTEL_WA_VFE_STATE_AFTER_SELECT));
   assert_false(needs("bdw", INTEL_WA_VFE_STATE_AFTER_SELECT));
   assert_true(needs("glk-2x6", INTEL_WA_BARRIER_MODE_AFTER_SELECT));
   assert_false(needs("bxt", INTEL_WA_BARRIER_MODE_AFTER_SELECT));
   assert_true(needs("ivb", INTEL_WA_STALL_AFTER_PUSH_ALLOC));
   assert_false(needs("byt", INTEL_WA_STALL_AFTER_PUSH_ALLOC));
   assert_false(needs("byt", INTEL_WA_STALL_BEFORE_VS_STATE));
   assert_true(needs("bdw", INTEL_WA_EQUAL_DEPTH_IS_NOT_WRITTEN));
   assert_true(needs("skl", INTEL_WA_EQUAL_DEPTH_IS_NOT_WRITTEN));
   assert_false(needs("hsw", INTEL_WA_EQUAL_DEPTH_IS_NOT_WRITTEN));
   assert_true(needs("hsw", INTEL_WA_CC_STATE_ENDS_BATCH));
   assert_false(needs("ivb", INTEL_WA_CC_STATE_ENDS_BATCH));
   assert_false(needs("bdw", INTEL_WA_CC_STATE_ENDS_BATCH));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(lookups_agree),
      cmocka_unit_test(generations_have_sizes),
      cmocka_unit_test(pci_ids_are_rows),
      cmocka_unit_test(address_spaces_are_divided),
      cmocka_unit_test(l3_ways_are_dealt_out),
      cmocka_unit_test(workarounds_know_the_chip),
      cmocka_unit_test(columns_are_consistent),
      cmocka_unit_test(scratch_is_numbered_by_four_subslices),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
