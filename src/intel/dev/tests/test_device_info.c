/* SPDX-License-Identifier: MIT */
/* The device table: lookups, and relations that hold between its columns. */
#include "util/unit_test.h"
#include "intel/dev/intel_device_info.h"

static void
lookups_agree(void **state)
{
   unsigned n = 0;
   for (const struct intel_device_info *d; (d = intel_device_info_at(n)); n++) {
      assert_ptr_equal(intel_device_info_by_name(d->name), d);
      assert_ptr_equal(intel_device_info_by_pci_id(d->pci_id), d);
   }
   assert_int_equal(n, 4);
   assert_null(intel_device_info_by_name("s"));
   assert_null(intel_device_info_by_name("sklx"));
   assert_null(intel_device_info_by_pci_id(0));
   assert_int_equal(intel_device_info_by_name("skl")->pci_id, 0x1912);
   assert_int_equal(intel_device_info_by_pci_id(0x0412)->verx10, 75);
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
   assert_int_equal(n * skl->max_cs_threads, 224);
   assert_int_equal(intel_device_info_scratch_subslices(bdw), 3);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(lookups_agree),
      cmocka_unit_test(columns_are_consistent),
      cmocka_unit_test(scratch_is_numbered_by_four_subslices),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
