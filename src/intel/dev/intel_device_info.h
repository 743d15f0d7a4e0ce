/* SPDX-License-Identifier: MIT */
/*
 * What the rest of the tree may know about a GPU: one row per PCI id.
 *
 * Sources: the "Configurations" and "Device Attributes" chapters of the
 * public PRMs (IVB volume 1 part 1, HSW/BDW/SKL volume 4 "Configurations"),
 * and the L3 and URB tables of their 3D-media-GPGPU volumes.
 */
#ifndef INTEL_DEVICE_INFO_H
#define INTEL_DEVICE_INFO_H

#include "util/macros.h"

/* Stages that own URB entries, in the order of the API's pipeline (and of
 * MESA_SHADER_VERTEX to MESA_SHADER_GEOMETRY, which may index the arrays).
 */
enum intel_urb_stage {
   INTEL_URB_VS,
   INTEL_URB_HS,
   INTEL_URB_DS,
   INTEL_URB_GS,
   INTEL_URB_STAGES,
};

/* How the ways of L3 are dealt out. */
enum intel_l3_use {
   INTEL_L3_3D,            /* no shared memory: urb.size_kB holds */
   INTEL_L3_SHARED_MEMORY, /* compute shaders with shared memory */
   INTEL_L3_CONFIGS,
};

/* Ways for the URB, for all other clients together (Gen8 on), or for stores
 * and for readers (Gen7); those that nobody gets are shared memory's. */
struct intel_l3_config {
   uint8_t urb, all;
   uint8_t data, read_only;
};

/*
 * What lies where in the GPU's address space. A pool's offsets are relative
 * to its start; binding tables come before surface states, so that an entry
 * of a table is a positive offset from the table. Threads have pointers of 32
 * bits to what is below `low_end`. From `replayed` to the end is what has an
 * address that may be asked for again.
 */
struct intel_address_layout {
   uint64_t low, low_end;
   uint64_t dynamic, binding_table, surface, instruction;
   uint64_t pool_size_B;            /* of each of the four */
   uint64_t general, replayed, end; /* everything else */
};

/*
 * What differs in the execution units and in their messages, for those who
 * write code for them. Facts: docs/eu-fp64-facts.rst, sections 1.1 to 1.7.
 */
struct intel_eu_info {
   bool has_half_float; /* HF operands; before: F32TO16, F16TO32 */
   bool has_imm64;      /* MOV takes 64-bit immediates */
   bool has_dim;        /* DIM takes a double for one channel */
   bool has_dword_mul;  /* D x D in one MUL, with D or Q products */
   /* Where there are 64 bits, and in products of dwords, a channel stays in
    * its quadword: sources, destination alike (the same, 1.6). */
   bool qwords_stay;
   bool has_simd32_masks; /* 32 channels, not all with NoMask */
   bool has_simd16_src3;
   /* With three sources, HF that is not repeated begins at a register: MAD
    * is wrong with any other (found on chips: Mesa, brw_fs_lower_regioning;
    * vISA, isGoodAlign16Src). */
   bool half_src3_is_aligned;
   bool has_split_sends;
   /* The sampler's answer may end before components that nobody wants. */
   bool has_reduced_responses;
   bool sample_has_min_lod; /* a parameter of samples */
   /* A split message names a surface by the place of its state. */
   bool has_bindless_surfaces;
   /* An instruction that writes two GRFs is executed as two halves: 8
    * channels each, 4 if it computes with doubles; each half of a source
    * has a GRF of its own. */
   bool runs_in_halves;
   /* Doubles count as two in execution sizes and regions, and an instruction
    * that computes with them writes one GRF. */
   bool df_is_two;
   bool cmp_null_switches; /* a comparison to null wants a thread switch */
   /* A call wants one, and one where it comes back (chip-rules EU-26). */
   bool call_switches;
   bool cmp_is_simd8;          /* a comparison that writes a GRF */
   bool pow_wants_nop;         /* in front of what writes two GRFs */
   bool typed_has_header;      /* typed surface messages: pixels by header */
   bool typed_on_render_cache; /* not on a data cache */
   bool rt_write_predicates;   /* a predicate chooses the pixels written */
   bool has_stencil_export;
   bool payload_has_sample_ids; /* a number a quad, in g1.0 */
   bool ld_has_lod_second;      /* sampler's ld: u lod v r */
   uint32_t barrier_id_mask;    /* of g0.2, for the header of a barrier */
   /* Instance and barrier of a hull shader's thread are as many bits lower in
    * g0.2 (PRM IVB vol 2 part 1 and HSW vol 7, "HS Thread Payload"). */
   uint8_t hs_header_shift;
   /* The binding table index of a thread's own memory: no surface, and no
    * more coherent than need be (PRM IVB vol 4; BDW and SKL vol 2d,
    * MDC_BTS_SLM_A32). */
   uint8_t bti_own_memory;
};

/* For tables with a row a generation. */
enum intel_gen {
   INTEL_GEN_70,
   INTEL_GEN_75,
   INTEL_GEN_80,
   INTEL_GEN_90,
   INTEL_GENS,
};

/* Chips; those of a generation differ in sizes and in a few facts. */
enum intel_chip {
   INTEL_CHIP_IVB,
   INTEL_CHIP_BYT,
   INTEL_CHIP_HSW,
   INTEL_CHIP_BDW,
   INTEL_CHIP_CHV,
   INTEL_CHIP_SKL,
   INTEL_CHIP_BXT,
   INTEL_CHIP_GLK,
   INTEL_CHIP_KBL,
   INTEL_CHIP_CFL,
   INTEL_CHIPS,
};

/* Formats that typed surface reads know. */
enum intel_typed_reads {
   INTEL_TYPED_READS_R32,  /* one channel of 32 bits */
   INTEL_TYPED_READS_UINT, /* and unsigned integers, up to 64 bits in all */
   INTEL_TYPED_READS_MOST,
};

struct intel_device_info {
   const char *name;      /* "skl", "skl-gt1": names devices and dumps */
   const char *gen_name;  /* "skl", "kbl": the chip, which GT2 stands for */
   const char *full_name; /* "Intel HD Graphics 530 (SKL GT2)" */
   uint16_t pci_id;       /* the first of several */
   uint8_t revision;

   /* Generation: 7, 8, 9; times ten with the half step: 70, 75, 80, 90. */
   uint8_t ver, verx10;
   enum intel_gen gen;
   enum intel_chip chip;
   uint8_t gt;

   /* The CPU's last-level cache is the GPU's, too. Without, the kernel has to
    * be told which objects' memory the GPU is to snoop. */
   bool has_llc;
   bool has_64bit_float;     /* DF in the EU */
   bool has_64bit_int;       /* Q and UQ in the EU */
   bool has_scalar_geometry; /* SIMD8 dispatch of VS, HS, DS and GS */
   bool has_align16;
   bool must_use_separate_stencil;
   bool has_sample_with_hiz;
   bool has_float_atomics;  /* messages: the least, the greatest */
   bool has_batch_chaining; /* the kernel lets batches jump */
   /* Of 3DSTATE_CONSTANT: its address is one in the dynamic state; none is
    * used without those before it (PRM IVB volume 2 part 1). */
   bool push_buffer_0_is_offset, push_buffers_in_order;
   bool has_channel_selects; /* surface states swizzle what is read */
   bool has_w_tile_sampling; /* the sampler reads stencil as it lies */
   bool has_signed_mcs;      /* samples of signed integers may have one */
   bool has_qpitch;          /* slices lie as far apart as state says */
   /* Colour control surfaces: bits for two cache lines; layers begin at
    * multiples of so many rows of pixels, 0: there is one, of one level. */
   uint8_t ccs_element_bits, ccs_layer_rows;
   bool ccs_any_color; /* cleared to others than 0 and 1 */
   bool rgb32f_wants_valign_2;
   /* Columns of a tiled render target beyond which pixels land elsewhere (PRM
    * SKL volume 2d, RENDER_SURFACE_STATE, Width); 0: there is no such. */
   unsigned max_tiled_target_el;
   bool aligned_in_elements; /* surfaces: blocks are aligned, not pixels */
   bool levels_1d_in_a_row;  /* where levels lie */
   bool levels_3d_below;
   enum intel_typed_reads typed_reads;
   uint8_t sample_counts; /* mask of 1, 2, 4, ...: colour, depth */
   /* A message names one of 16; from Haswell on its header can move the table
    * (Mesa's i965, brw_adjust_sampler_state_pointer). */
   uint8_t max_samplers;

   struct intel_eu_info eu;

   unsigned num_slices, num_subslices, num_eu_per_subslice;
   unsigned num_thread_per_eu;

   /* Largest numbers of hardware threads a stage may be programmed with. */
   unsigned max_vs_threads, max_tcs_threads, max_tes_threads, max_gs_threads;
   unsigned max_wm_threads;
   unsigned max_threads_per_psd;      /* PS threads per subslice, Gen8 on */
   unsigned max_cs_threads;           /* of one thread group, per subslice */
   unsigned scratch_ids_per_subslice; /* of compute; 0: max_cs_threads */

   unsigned l3_banks, l3_size_kB;
   unsigned l3_way_size_kB; /* what 1 means in L3CNTLREG allocations */
   struct intel_l3_config l3[INTEL_L3_CONFIGS];
   /* Gen7: ways that the URB has beside those in L3CNTLREG2; credits in
    * L3SQCREG1; whether shared memory takes half of the banks. */
   unsigned l3_first_urb_way, l3_credits;
   bool l3_slm_halves_urb;

   /* MEMORY_OBJECT_CONTROL_STATE of what is cached in L3 and LLC. */
   uint8_t mocs_cached;

   struct {
      unsigned size_kB; /* with the default L3 partition for 3D work */
      unsigned min_entries[INTEL_URB_STAGES];
      unsigned max_entries[INTEL_URB_STAGES];
   } urb;

   unsigned push_constant_size_kB; /* at the start of the URB */
   uint64_t timestamp_frequency;   /* Hz */
   unsigned cs_prefetch_size_B;    /* readable space wanted after a batch */
   unsigned address_bits;          /* of the per-process address space */
   const struct intel_address_layout *layout;
};

/* "skl-gt1"; "skl" is "skl-gt2". NULL if there is no such device. */
const struct intel_device_info *intel_device_info_by_name(const char *name);

/* NULL for an id that is not supported. */
const struct intel_device_info *intel_device_info_by_pci_id(uint16_t pci_id);

/* "ivb, byt, hsw", ...: the chips, for messages. */
void intel_device_info_chips(char *text, size_t size_B);

/* All devices, in the order of their generation; NULL past the last one. */
const struct intel_device_info *intel_device_info_at(unsigned index);

/* Each PCI id that is known; 0 past the last one. */
uint16_t intel_device_info_pci_id_at(unsigned index);

/* Whether a generation has what came with another. */
static inline bool
intel_gen_has(unsigned verx10, unsigned first_verx10)
{
   return verx10 >= first_verx10;
}

/*
 * Subslices by which Gen9 numbers the scratch space of threads: four a slice,
 * whatever is fused off (PRM SKL vol 2d, "Scratch Space Base Pointer";
 * chip-rules RL-20); before Gen9 those that there are.
 */
static inline unsigned
intel_device_info_scratch_subslices(const struct intel_device_info *info)
{
   return info->ver >= 9 ? 4 * info->num_slices : info->num_subslices;
}

/*
 * Numbers that threads of compute shaders have in the whole chip, by which
 * their scratch space is found: as if nothing were fused off, and on Gen7.5
 * with gaps, four bits for the EU and three for the thread (chip-rules
 * RL-20). Low-power chips of Gen9 have six EUs of six threads (Mesa,
 * iris_get_scratch_space()).
 */
static inline unsigned
intel_device_info_scratch_compute_ids(const struct intel_device_info *info)
{
   const unsigned per_subslice = info->scratch_ids_per_subslice
                                    ? info->scratch_ids_per_subslice
                                    : info->max_cs_threads;
   return per_subslice * intel_device_info_scratch_subslices(info);
}

/* EUs of the whole chip. */
static inline unsigned
intel_device_info_eu_total(const struct intel_device_info *info)
{
   return info->num_subslices * info->num_eu_per_subslice;
}

#endif
