/* SPDX-License-Identifier: MIT */
/*
 * The device table. Each row is complete: nothing is inherited, so that what
 * a device is can be read in one place.
 *
 * URB sizes follow from the L3 partition: ways given to the URB times the
 * size of a way over all banks (BDW/SKL PRM volume 7, "L3 Allocation and
 * Programming": 48 ways of 8 KB; IVB/HSW: 32 ways of 8 KB).
 *
 * Cacheability: BDW PRM volume 2d, MEMORY_OBJECT_CONTROL_STATE (memory type,
 * target cache, age); SKL volume 2d, the same name (an index in bits 6:1).
 */
#include "intel_device_info.h"

static const struct intel_device_info devices[] = {
   {
      .name = "ivb",
      .full_name = "Intel HD Graphics 4000 (IVB GT2)",
      .pci_id = 0x0162,
      .revision = 9,
      .ver = 7,
      .verx10 = 70,
      .gt = 2,
      .has_llc = true,
      .has_64bit_float = true,
      .has_align16 = true,
      .must_use_separate_stencil = true,
      .eu = {
         .runs_in_halves = true,
         .df_is_two = true,
         .cmp_null_switches = true,
         .cmp_is_simd8 = true,
         .typed_has_header = true,
         .typed_on_render_cache = true,
         .ld_has_lod_second = true,
      },
      .num_slices = 1,
      .num_subslices = 1,
      .num_eu_per_subslice = 12,
      .num_thread_per_eu = 8,
      .max_vs_threads = 128,
      .max_tcs_threads = 128,
      .max_tes_threads = 128,
      .max_gs_threads = 128,
      .max_wm_threads = 172,
      .max_cs_threads = 64,
      .l3_banks = 4,
      .l3_size_kB = 512,
      .l3_way_size_kB = 8,
      .urb = {
         .size_kB = 256,
         .min_entries = { [INTEL_URB_VS] = 32, [INTEL_URB_DS] = 10 },
         .max_entries = { 704, 64, 448, 320 },
      },
      .push_constant_size_kB = 16,
      .timestamp_frequency = 12500000,
      .cs_prefetch_size_B = 512,
      .address_bits = 31,
   },
   {
      .name = "hsw",
      .full_name = "Intel HD Graphics 4600 (HSW GT2)",
      .pci_id = 0x0412,
      .revision = 6,
      .ver = 7,
      .verx10 = 75,
      .gt = 2,
      .has_llc = true,
      .has_64bit_float = true,
      .has_align16 = true,
      .must_use_separate_stencil = true,
      .eu = {
         .has_dim = true,
         .has_simd16_src3 = true,
         .runs_in_halves = true,
         .cmp_null_switches = true,
         .typed_has_header = true,
         .rt_write_predicates = true,
         .ld_has_lod_second = true,
      },
      .num_slices = 1,
      .num_subslices = 2,
      .num_eu_per_subslice = 10,
      .num_thread_per_eu = 7,
      .max_vs_threads = 280,
      .max_tcs_threads = 256,
      .max_tes_threads = 280,
      .max_gs_threads = 256,
      .max_wm_threads = 204,
      .max_cs_threads = 70,
      .l3_banks = 4,
      .l3_size_kB = 512,
      .l3_way_size_kB = 8,
      .urb = {
         .size_kB = 256,
         .min_entries = { [INTEL_URB_VS] = 64, [INTEL_URB_DS] = 10 },
         .max_entries = { 1664, 128, 960, 640 },
      },
      .push_constant_size_kB = 16,
      .timestamp_frequency = 12500000,
      .cs_prefetch_size_B = 512,
      .address_bits = 31,
   },
   {
      .name = "bdw",
      .full_name = "Intel HD Graphics 5500 (BDW GT2)",
      .pci_id = 0x1616,
      .revision = 9,
      .ver = 8,
      .verx10 = 80,
      .gt = 2,
      .has_llc = true,
      .has_64bit_float = true,
      .has_64bit_int = true,
      .has_scalar_geometry = true,
      .has_align16 = true,
      .must_use_separate_stencil = true,
      .eu = {
         .has_half_float = true,
         .has_imm64 = true,
         .has_dword_mul = true,
         .has_simd32_masks = true,
         .has_simd16_src3 = true,
         .rt_write_predicates = true,
         .payload_has_sample_ids = true,
         .ld_has_lod_second = true,
      },
      .num_slices = 1,
      .num_subslices = 3,
      .num_eu_per_subslice = 8,
      .num_thread_per_eu = 7,
      .max_vs_threads = 504,
      .max_tcs_threads = 504,
      .max_tes_threads = 504,
      .max_gs_threads = 504,
      .max_wm_threads = 384,
      .max_threads_per_psd = 64,
      .max_cs_threads = 56,
      .l3_banks = 4,
      .l3_size_kB = 768,
      .l3_way_size_kB = 8,
      .l3 = {
         [INTEL_L3_3D] = { .urb = 48, .all = 48 },
         [INTEL_L3_SHARED_MEMORY] = { .urb = 16, .all = 48 },
      },
      .mocs_cached = 0x78, /* write-back, L3 and LLC, age 0 */
      .urb = {
         .size_kB = 384,
         .min_entries = { [INTEL_URB_VS] = 64, [INTEL_URB_DS] = 34 },
         .max_entries = { 2560, 504, 1536, 960 },
      },
      .push_constant_size_kB = 32,
      .timestamp_frequency = 12500000,
      .cs_prefetch_size_B = 512,
      .address_bits = 48,
   },
   {
      .name = "skl",
      .full_name = "Intel HD Graphics 530 (SKL GT2)",
      .pci_id = 0x1912,
      .revision = 6,
      .ver = 9,
      .verx10 = 90,
      .gt = 2,
      .has_llc = true,
      .has_64bit_float = true,
      .has_64bit_int = true,
      .has_scalar_geometry = true,
      .has_align16 = true,
      .must_use_separate_stencil = true,
      .has_sample_with_hiz = true,
      .eu = {
         .has_half_float = true,
         .has_imm64 = true,
         .has_dword_mul = true,
         .has_simd32_masks = true,
         .has_simd16_src3 = true,
         .has_split_sends = true,
         .rt_write_predicates = true,
         .has_stencil_export = true,
         .payload_has_sample_ids = true,
      },
      .num_slices = 1,
      .num_subslices = 3,
      .num_eu_per_subslice = 8,
      .num_thread_per_eu = 7,
      .max_vs_threads = 336,
      .max_tcs_threads = 336,
      .max_tes_threads = 336,
      .max_gs_threads = 336,
      .max_wm_threads = 192,
      .max_threads_per_psd = 64,
      .max_cs_threads = 56,
      .l3_banks = 4,
      .l3_size_kB = 768,
      .l3_way_size_kB = 8,
      .l3 = {
         [INTEL_L3_3D] = { .urb = 48, .all = 48 },
         [INTEL_L3_SHARED_MEMORY] = { .urb = 16, .all = 48 },
      },
      .mocs_cached = 2 << 1, /* index 2 of the kernel's table */
      .urb = {
         .size_kB = 384,
         .min_entries = { [INTEL_URB_VS] = 64, [INTEL_URB_DS] = 34 },
         .max_entries = { 1856, 672, 1120, 640 },
      },
      .push_constant_size_kB = 32,
      .timestamp_frequency = 12000000,
      .cs_prefetch_size_B = 512,
      .address_bits = 48,
   },
};

const struct intel_device_info *
intel_device_info_by_name(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(devices); i++) {
      if (strcmp(devices[i].name, name) == 0)
         return &devices[i];
   }
   return NULL;
}

const struct intel_device_info *
intel_device_info_by_pci_id(uint16_t pci_id)
{
   for (unsigned i = 0; i < ARRAY_SIZE(devices); i++) {
      if (devices[i].pci_id == pci_id)
         return &devices[i];
   }
   return NULL;
}

const struct intel_device_info *
intel_device_info_at(unsigned index)
{
   return index < ARRAY_SIZE(devices) ? &devices[index] : NULL;
}
