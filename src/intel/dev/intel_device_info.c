/* SPDX-License-Identifier: MIT */
/*
 * The device table. What all devices of a generation have is in its macro
 * (GEN7, GEN75, GEN8, GEN9), what their sizes (GT) decide in their row.
 *
 * Chips of one generation are rows with the same macro: Bay Trail (byt) is an
 * Ivybridge without the last-level cache (LLC), Kaby Lake (kbl), Coffee Lake
 * and Comet Lake (cfl) are Skylakes. Broxton, which is Apollo Lake (bxt), and
 * Gemini Lake (glk) are Gen9, and Cherryview, which is Braswell (chv), is
 * Gen8 with fewer threads, without LLC, and with rules of their own for 64
 * bits (eu.qwords_stay). Their facts: Mesa's tables of
 * devices and of divisions of L3.
 *
 * URB sizes follow from the L3 partition: ways given to the URB times the
 * size of a way over all banks of 2 KB, for each slice since Gen8 (BDW/SKL
 * PRM volume 7, "L3 Allocation and Programming": 48 ways; IVB/HSW: 32). SKL
 * GT4 would have more than the 1008 KB that can be programmed.
 *
 * Threads, URB limits and L3 banks: the "Configurations" chapters; where
 * documented and working limits differ (URB entries of vertex shaders on SKL
 * GT1, of geometry shaders on BDW GT1) the working ones, as Mesa's
 * intel_device_info.c reports them.
 *
 * Cacheability: IVB PRM volume 1 part 1 and HSW volume 5,
 * MEMORY_OBJECT_CONTROL_STATE (bit 0: L3); BDW PRM volume 2d (memory type,
 * target cache, age); SKL volume 2d (an index in bits 6:1).
 */
#include "intel_address_layouts.h"
#include "intel_device_info.h"

#include <stdio.h>

#define BANKS(n) .l3_banks = (n), .l3_way_size_kB = 2 * (n)

/* Gen9: as large as of two, and divided in its own way. */
#define ONE_BANK .l3_banks = 1, .l3_way_size_kB = 4
#define L3_OF_ONE_BANK                                                       \
   .l3 = {                                                                   \
      [INTEL_L3_3D] = { .urb = 32, .all = 48 },                              \
      [INTEL_L3_SHARED_MEMORY] = { .urb = 16, .all = 48 },                   \
   }

#define GEN7_COMMON                                                          \
   .ver = 7, .verx10 = 70, .gen = INTEL_GEN_70, .levels_3d_below = true,     \
   .has_64bit_float = true, .has_align16 = true,                             \
   .must_use_separate_stencil = true, .num_slices = 1, .num_subslices = 1,   \
   .push_buffer_0_is_offset = true, .push_buffers_in_order = true,           \
   .eu = {                                                                   \
      .barrier_id_mask = 0x0f000000,                                         \
      .runs_in_halves = true,                                                \
      .df_is_two = true,                                                     \
      .cmp_null_switches = true,                                             \
      .cmp_is_simd8 = true,                                                  \
      .typed_has_header = true,                                              \
      .typed_on_render_cache = true,                                         \
      .ld_has_lod_second = true,                                             \
      .hs_header_shift = 1,                                                  \
      .bti_own_memory = 255,                                                 \
   },                                                                        \
   .rgb32f_wants_valign_2 = true, .sample_counts = 1 | 4 | 8,                \
   .max_samplers = 16, .ccs_element_bits = 1,                                \
   .mocs_cached = 1, .push_constant_size_kB = 16,                            \
   .timestamp_frequency = 12500000, .cs_prefetch_size_B = 512,               \
   .address_bits = 31, .layout = &intel_small_layout

#define L3_GEN7                                                              \
   .l3 = {                                                                   \
      [INTEL_L3_3D] = { .urb = 32, .data = 16, .read_only = 16 },            \
      [INTEL_L3_SHARED_MEMORY] = { .urb = 16, .data = 16, .read_only = 16 }, \
   },                                                                        \
   .l3_slm_halves_urb = true

#define GEN7                                                                 \
   GEN7_COMMON, L3_GEN7, .gen_name = "ivb", .chip = INTEL_CHIP_IVB,          \
                         .revision = 9, .has_llc = true, .l3_credits = 0x1cc

#define GEN7_BAY_TRAIL                                                       \
   GEN7_COMMON, .gen_name = "byt", .chip = INTEL_CHIP_BYT, .revision = 12,   \
      .l3 = {                                                                \
         [INTEL_L3_3D] = { .urb = 64, .data = 16, .read_only = 16 },         \
         [INTEL_L3_SHARED_MEMORY] = { .urb = 32, .data = 16,                 \
                                      .read_only = 16 },                     \
      },                                                                     \
      .l3_first_urb_way = 32, .l3_credits = 0x34c

#define GEN75                                                                \
   .gen_name = "hsw", .chip = INTEL_CHIP_HSW, .revision = 6, .ver = 7,       \
   .verx10 = 75, L3_GEN7, .l3_credits = 0x184,                               \
   .gen = INTEL_GEN_75, .levels_3d_below = true,                             \
   .has_llc = true, .has_64bit_float = true, .has_align16 = true,            \
   .must_use_separate_stencil = true, .num_eu_per_subslice = 10,             \
   .num_thread_per_eu = 7, .max_cs_threads = 70,                             \
   .push_buffer_0_is_offset = true,                                          \
   .eu = {                                                                   \
      .barrier_id_mask = 0x0f000000,                                         \
      .has_dim = true,                                                       \
      .has_simd16_src3 = true,                                               \
      .runs_in_halves = true,                                                \
      .bti_own_memory = 255,                                                 \
      .cmp_null_switches = true,                                             \
      .typed_has_header = true,                                              \
      .rt_write_predicates = true,                                           \
      .ld_has_lod_second = true,                                             \
   },                                                                        \
   .scratch_ids_per_subslice = 128, .has_channel_selects = true,             \
   .typed_reads = INTEL_TYPED_READS_UINT,                                    \
   .sample_counts = 1 | 4 | 8, .max_samplers = 32, .ccs_element_bits = 1,    \
   .mocs_cached = 1, .timestamp_frequency = 12500000,                        \
   .cs_prefetch_size_B = 512, .address_bits = 31,                            \
   .layout = &intel_small_layout

#define SINCE_GEN8                                                           \
   .has_64bit_float = true, .has_64bit_int = true,                           \
   .has_scalar_geometry = true, .has_align16 = true,                         \
   .must_use_separate_stencil = true, .eu.bti_own_memory = 253,              \
   .eu.has_half_float = true, .eu.has_imm64 = true,                          \
   .eu.has_simd32_masks = true, .eu.has_simd16_src3 = true,                  \
   .eu.rt_write_predicates = true, .eu.payload_has_sample_ids = true,        \
   .eu.pow_wants_nop = true, .eu.call_switches = true,                       \
   .has_channel_selects = true, .has_w_tile_sampling = true,                 \
   .has_signed_mcs = true, .has_qpitch = true, .has_batch_chaining = true,   \
   .max_tiled_target_el = 16382, .push_constant_size_kB = 32,                \
   .cs_prefetch_size_B = 512

#define LARGE_SPACE .address_bits = 48, .layout = &intel_large_layout

#define L3_SINCE_GEN8                                                        \
   .l3 = {                                                                   \
      [INTEL_L3_3D] = { .urb = 48, .all = 48 },                              \
      [INTEL_L3_SHARED_MEMORY] = { .urb = 16, .all = 48 },                   \
   }

/* What the low-power chips have not. */
#define LARGE_CORE                                                           \
   LARGE_SPACE, .has_llc = true, .num_thread_per_eu = 7,                     \
                .eu.has_dword_mul = true, .scratch_ids_per_subslice = 56

#define GEN8_COMMON                                                          \
   SINCE_GEN8, L3_SINCE_GEN8,                                                \
      .ver = 8, .verx10 = 80, .gen = INTEL_GEN_80, .levels_3d_below = true,  \
      .max_threads_per_psd = 64, .eu.typed_has_header = true,                \
      .eu.ld_has_lod_second = true, .eu.half_src3_is_aligned = true,         \
      .eu.barrier_id_mask = 0x0f000000,                                      \
      .typed_reads = INTEL_TYPED_READS_UINT, .sample_counts = 1 | 2 | 4 | 8, \
      .max_samplers = 32, .ccs_element_bits = 1, .ccs_layer_rows = 128,      \
      .mocs_cached = 0x78, /* write-back, L3 and LLC, age 0 */               \
      .timestamp_frequency = 12500000

#define GEN8                                                                 \
   GEN8_COMMON, LARGE_CORE, .gen_name = "bdw", .chip = INTEL_CHIP_BDW,       \
                            .revision = 9, .max_vs_threads = 504,            \
                            .max_tcs_threads = 504, .max_tes_threads = 504,  \
                            .max_gs_threads = 504, .max_wm_threads = 384

/* Its threads are numbered as of 8 EUs a subslice, with 6 as well. */
#define GEN8_CHERRYVIEW                                                      \
   GEN8_COMMON, .address_bits = 32, .layout = &intel_middle_layout,          \
                .gen_name = "chv", .chip = INTEL_CHIP_CHV, .revision = 33,   \
                .eu.qwords_stay = true, .num_thread_per_eu = 7,              \
                .scratch_ids_per_subslice = 56, .max_vs_threads = 80,        \
                .max_tcs_threads = 80, .max_tes_threads = 80,                \
                .max_gs_threads = 80, .max_wm_threads = 128

#define GEN9_COMMON                                                          \
   SINCE_GEN8,                                                               \
      .ver = 9, .verx10 = 90, .gen = INTEL_GEN_90,                           \
      .aligned_in_elements = true, .levels_1d_in_a_row = true,               \
      .typed_reads = INTEL_TYPED_READS_MOST, .has_sample_with_hiz = true,    \
      .has_float_atomics = true, .max_wm_threads = 192,                      \
      .max_threads_per_psd = 64, .eu.has_split_sends = true,                 \
      .eu.has_reduced_responses = true, .eu.sample_has_min_lod = true,       \
      .eu.has_bindless_surfaces = true, .eu.has_stencil_export = true,       \
      .eu.barrier_id_mask = 0x8f000000, .sample_counts = 1 | 2 | 4 | 8 | 16, \
      .max_samplers = 32, .ccs_element_bits = 2, .ccs_layer_rows = 64,       \
      .ccs_any_color = true,                                                 \
      .mocs_cached = 2 << 1 /* index 2 of the kernel's table */

#define GEN9_LARGE                                                           \
   GEN9_COMMON, LARGE_CORE, L3_SINCE_GEN8,                                   \
      .max_vs_threads = 336, .max_tcs_threads = 336, .max_tes_threads = 336, \
      .max_gs_threads = 336, .timestamp_frequency = 12000000

#define GEN9                                                                 \
   GEN9_LARGE, .gen_name = "skl", .chip = INTEL_CHIP_SKL, .revision = 6
#define GEN9_KABY_LAKE                                                       \
   GEN9_LARGE, .gen_name = "kbl", .chip = INTEL_CHIP_KBL, .revision = 4
#define GEN9_COFFEE_LAKE                                                     \
   GEN9_LARGE, .gen_name = "cfl", .chip = INTEL_CHIP_CFL, .revision = 0

/* Threads of the geometry stages: so many a stage. */
#define GEN9_LOW_POWER(threads)                                              \
   GEN9_COMMON, LARGE_SPACE,                                                 \
      .eu.qwords_stay = true, .num_slices = 1, .num_eu_per_subslice = 6,     \
      .num_thread_per_eu = 6, .max_vs_threads = (threads),                   \
      .max_tcs_threads = (threads), .max_tes_threads = (threads),            \
      .max_gs_threads = (threads), .max_cs_threads = 36,                     \
      .timestamp_frequency = 19200000

#define BROXTON .gen_name = "bxt", .chip = INTEL_CHIP_BXT, .revision = 11
#define GEMINI_LAKE .gen_name = "glk", .chip = INTEL_CHIP_GLK, .revision = 3

/* Its name, size (GT), first PCI id and name for people. */
#define DEVICE(name_, gt_, id, text)                                         \
   .name = name_, .gt = gt_, .pci_id = id, .full_name = text
#define SLICES(slices, subslices, eus)                                       \
   .num_slices = slices, .num_subslices = subslices,                         \
   .num_eu_per_subslice = eus
#define THREADS(vs, tcs, tes, gs, wm)                                        \
   .max_vs_threads = vs, .max_tcs_threads = tcs, .max_tes_threads = tes,     \
   .max_gs_threads = gs, .max_wm_threads = wm
/* Its size, the least entries of VS and DS, the most of VS, HS, DS, GS. */
#define URB(kB, min_vs, min_ds, vs, hs, ds, gs)                              \
   .urb = {                                                                  \
      .size_kB = kB,                                                         \
      .min_entries = { [INTEL_URB_VS] = min_vs, [INTEL_URB_DS] = min_ds },   \
      .max_entries = { vs, hs, ds, gs },                                     \
   }

/* clang-format off */
static const struct intel_device_info devices[] = {
   { GEN7, BANKS(2),
     DEVICE("ivb-gt1", 1, 0x0152, "Intel HD Graphics 2500 (IVB GT1)"),
     .num_eu_per_subslice = 6, .num_thread_per_eu = 6,
     THREADS(36, 36, 36, 36, 48), .max_cs_threads = 36, .l3_size_kB = 256,
     URB(128, 32, 10, 512, 32, 288, 192) },
   { GEN7, BANKS(4),
     DEVICE("ivb", 2, 0x0162, "Intel HD Graphics 4000 (IVB GT2)"),
     .num_eu_per_subslice = 12, .num_thread_per_eu = 8,
     THREADS(128, 128, 128, 128, 172), .max_cs_threads = 64,
     .l3_size_kB = 512, URB(256, 32, 10, 704, 64, 448, 320) },
   { GEN7_BAY_TRAIL, BANKS(1),
     DEVICE("byt", 1, 0x0f31, "Intel HD Graphics (BYT)"),
     .num_eu_per_subslice = 4, .num_thread_per_eu = 8,
     THREADS(36, 36, 36, 36, 48), .max_cs_threads = 32, .l3_size_kB = 192,
     URB(128, 32, 10, 512, 32, 288, 192) },
   { GEN75, BANKS(2),
     DEVICE("hsw-gt1", 1, 0x0402, "Intel HD Graphics (HSW GT1)"),
     .num_slices = 1, .num_subslices = 1, THREADS(70, 70, 70, 70, 102),
     .l3_size_kB = 256, URB(128, 32, 10, 640, 64, 384, 256),
     .push_constant_size_kB = 16 },
   { GEN75, BANKS(4),
     DEVICE("hsw", 2, 0x0412, "Intel HD Graphics 4600 (HSW GT2)"),
     .num_slices = 1, .num_subslices = 2, THREADS(280, 256, 280, 256, 204),
     .l3_size_kB = 512, URB(256, 64, 10, 1664, 128, 960, 640),
     .push_constant_size_kB = 16 },
   { GEN75, BANKS(8),
     DEVICE("hsw-gt3", 3, 0x0d22, "Intel Iris Pro Graphics 5200 (HSW GT3)"),
     .num_slices = 2, .num_subslices = 4, THREADS(280, 256, 280, 256, 408),
     .l3_size_kB = 1024, URB(512, 64, 10, 1664, 128, 960, 640),
     .push_constant_size_kB = 32 },
   { GEN8, BANKS(2),
     DEVICE("bdw-gt1", 1, 0x1606, "Intel HD Graphics (BDW GT1)"),
     SLICES(1, 2, 6), .max_cs_threads = 42, .l3_size_kB = 384,
     URB(192, 64, 34, 2560, 504, 1536, 690) },
   { GEN8, BANKS(4),
     DEVICE("bdw", 2, 0x1616, "Intel HD Graphics 5500 (BDW GT2)"),
     SLICES(1, 3, 8), .max_cs_threads = 56, .l3_size_kB = 768,
     URB(384, 64, 34, 2560, 504, 1536, 960) },
   { GEN8, BANKS(8),
     DEVICE("bdw-gt3", 3, 0x1626, "Intel HD Graphics 6000 (BDW GT3)"),
     SLICES(2, 6, 8), .max_cs_threads = 56, .l3_size_kB = 1536,
     URB(384, 64, 34, 2560, 504, 1536, 960) },
   { GEN8_CHERRYVIEW, BANKS(2),
     DEVICE("chv", 1, 0x22b1, "Intel HD Graphics 405 (CHV)"),
     SLICES(1, 2, 8), .max_cs_threads = 42, .l3_size_kB = 384,
     URB(192, 34, 34, 640, 80, 384, 256) },
   { GEN9, BANKS(2),
     DEVICE("skl-gt1", 1, 0x1902, "Intel HD Graphics 510 (SKL GT1)"),
     SLICES(1, 2, 6), .max_cs_threads = 42, .l3_size_kB = 384,
     URB(192, 64, 34, 928, 672, 1120, 640) },
   { GEN9, BANKS(4),
     DEVICE("skl", 2, 0x1912, "Intel HD Graphics 530 (SKL GT2)"),
     SLICES(1, 3, 8), .max_cs_threads = 56, .l3_size_kB = 768,
     URB(384, 64, 34, 1856, 672, 1120, 640) },
   { GEN9, BANKS(8),
     DEVICE("skl-gt3", 3, 0x1926, "Intel Iris Graphics 540 (SKL GT3)"),
     SLICES(2, 6, 8), .max_cs_threads = 56, .l3_size_kB = 1536,
     URB(384, 64, 34, 1856, 672, 1120, 640) },
   { GEN9, BANKS(12),
     DEVICE("skl-gt4", 4, 0x193b, "Intel Iris Pro Graphics 580 (SKL GT4)"),
     SLICES(3, 9, 8), .max_cs_threads = 56, .l3_size_kB = 2304,
     URB(336, 64, 34, 1856, 672, 1120, 640) },
   { GEN9_LOW_POWER(112), BROXTON, BANKS(2), L3_SINCE_GEN8,
     DEVICE("bxt", 1, 0x5a84, "Intel HD Graphics 505 (BXT 3x6)"),
     .num_subslices = 3, .l3_size_kB = 384,
     URB(192, 34, 34, 704, 256, 416, 256) },
   { GEN9_LOW_POWER(56), BROXTON, ONE_BANK, L3_OF_ONE_BANK,
     DEVICE("bxt-2x6", 1, 0x5a85, "Intel HD Graphics 500 (BXT 2x6)"),
     .num_subslices = 2, .l3_size_kB = 320,
     URB(128, 34, 34, 352, 128, 208, 128) },
   { GEN9_LOW_POWER(112), GEMINI_LAKE, BANKS(2), L3_SINCE_GEN8,
     DEVICE("glk", 1, 0x3184, "Intel UHD Graphics 605 (GLK 3x6)"),
     .num_subslices = 3, .l3_size_kB = 384,
     URB(192, 34, 34, 704, 256, 416, 256) },
   { GEN9_LOW_POWER(56), GEMINI_LAKE, BANKS(2), L3_SINCE_GEN8,
     DEVICE("glk-2x6", 1, 0x3185, "Intel UHD Graphics 600 (GLK 2x6)"),
     .num_subslices = 2, .l3_size_kB = 384,
     URB(192, 34, 34, 352, 128, 208, 128) },
   { GEN9_KABY_LAKE, BANKS(2),
     DEVICE("kbl-gt1", 1, 0x5902, "Intel HD Graphics 610 (KBL GT1)"),
     SLICES(1, 2, 6), .max_cs_threads = 42, .l3_size_kB = 384,
     URB(192, 64, 34, 928, 672, 1120, 256) },
   { GEN9_KABY_LAKE, BANKS(4),
     DEVICE("kbl-gt1.5", 1, 0x5913, "Intel HD Graphics (KBL GT1.5)"),
     SLICES(1, 3, 6), .max_cs_threads = 42, .l3_size_kB = 768,
     URB(384, 64, 34, 1856, 672, 1120, 640) },
   { GEN9_KABY_LAKE, BANKS(4),
     DEVICE("kbl", 2, 0x5912, "Intel HD Graphics 630 (KBL GT2)"),
     SLICES(1, 3, 8), .max_cs_threads = 56, .l3_size_kB = 768,
     URB(384, 64, 34, 1856, 672, 1120, 640) },
   { GEN9_KABY_LAKE, BANKS(8),
     DEVICE("kbl-gt3", 3, 0x5926, "Intel Iris Plus Graphics 640 (KBL GT3)"),
     SLICES(2, 6, 8), .max_cs_threads = 56, .l3_size_kB = 1536,
     URB(384, 64, 34, 1856, 672, 1120, 640) },
   { GEN9_KABY_LAKE, BANKS(12),
     DEVICE("kbl-gt4", 4, 0x593b, "Intel HD Graphics (KBL GT4)"),
     SLICES(3, 9, 8), .max_cs_threads = 56, .l3_size_kB = 2304,
     URB(336, 64, 34, 1856, 672, 1120, 640) },
   { GEN9_COFFEE_LAKE, BANKS(2),
     DEVICE("cfl-gt1", 1, 0x3e90, "Intel UHD Graphics 610 (CFL GT1)"),
     SLICES(1, 2, 6), .max_cs_threads = 42, .l3_size_kB = 384,
     URB(192, 64, 34, 928, 672, 1120, 256) },
   { GEN9_COFFEE_LAKE, BANKS(4),
     DEVICE("cfl", 2, 0x3e92, "Intel UHD Graphics 630 (CFL GT2)"),
     SLICES(1, 3, 8), .max_cs_threads = 56, .l3_size_kB = 768,
     URB(384, 64, 34, 1856, 672, 1120, 640) },
   { GEN9_COFFEE_LAKE, BANKS(8),
     DEVICE("cfl-gt3", 3, 0x3ea5, "Intel Iris Plus Graphics 655 (CFL GT3)"),
     SLICES(2, 6, 8), .max_cs_threads = 56, .l3_size_kB = 1536,
     URB(384, 64, 34, 1856, 672, 1120, 640) },
};
/* clang-format on */

/* Other names of the same chips. */
static const char *const aliases[][2] = {
   { "apl", "bxt" }, /* Apollo Lake */
   { "bsw", "chv" }, /* Braswell */
   { "cml", "cfl" }, /* Comet Lake */
   { "whl", "cfl" }, /* Whiskey Lake */
   { "vlv", "byt" }, /* Valleyview, as Linux says */
};

const struct intel_device_info *
intel_device_info_by_name(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(aliases); i++) {
      if (!strcmp(aliases[i][0], name))
         name = aliases[i][1];
   }
   for (unsigned i = 0; i < ARRAY_SIZE(devices); i++) {
      const struct intel_device_info *d = &devices[i];
      char full[16];
      snprintf(full, sizeof(full), "%s-gt%u", d->gen_name, d->gt);
      if (strcmp(d->name, name) == 0 || strcmp(full, name) == 0)
         return d;
   }
   return NULL;
}

const struct intel_device_info *
intel_device_info_at(unsigned index)
{
   return index < ARRAY_SIZE(devices) ? &devices[index] : NULL;
}

void
intel_device_info_chips(char *text, size_t size_B)
{
   size_t end = 0;
   text[0] = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(devices) && end < size_B; i++) {
      if (i == 0 || devices[i].chip != devices[i - 1].chip)
         end += (size_t)snprintf(text + end, size_B - end, "%s%s",
                                 end ? ", " : "", devices[i].gen_name);
   }
}
