/* SPDX-License-Identifier: MIT */
/*
 * In what the generations differ, one fact a row: the only place of the
 * simulator, beside translations of commands and state (files *_gen7.c and
 * *_gen8.c), that tells them apart. Fields of messages: isa_messages.py.
 */
#ifndef SIM_TRAITS_H
#define SIM_TRAITS_H

#include "intel/isa/isa.h"

/* Tests may flip one (deviate/). */
#ifdef NDEBUG
#define SIM_TRAITS_CONST const
#else
#define SIM_TRAITS_CONST
#endif

/* How commands and state in memory are written; Gen9's is the form that the
 * simulator works with. */
enum sim_state_form {
   SIM_STATE_GEN7,
   SIM_STATE_GEN8,
   SIM_STATE_GEN9,
};

/* ROW(type, name, Ivybridge, Haswell, Broadwell, Skylake) */
/* clang-format off */
#define SIM_TRAITS(ROW)                                                      \
   ROW(enum sim_state_form, state_form, SIM_STATE_GEN7, SIM_STATE_GEN7,      \
       SIM_STATE_GEN8, SIM_STATE_GEN9)                                       \
   /* Addresses in commands: bytes. Wider ones are cut off. */               \
   ROW(uint8_t, address_B, 4, 4, 8, 8)                                       \
   /* PC-06: beside a stall at the scoreboard render targets are flushed. */ \
   ROW(bool, scoreboard_stall_flushes, 0, 0, 0, 1)                           \
                                                                             \
   /* The execution unit. */                                                 \
   /* Negation of logic operations is NOT. */                                \
   ROW(bool, logic_negation_is_not, 0, 0, 1, 1)                              \
   /* MUL of dwords takes the low word of src1 (PRM HSW vol 7, "mul"). */    \
   ROW(bool, mul_takes_low_word, 1, 1, 0, 0)                                 \
   /* Instructions on doubles count each as two channels. */                 \
   ROW(bool, doubles_count_twice, 1, 0, 0, 0)                                \
   /* The second register of a compressed instruction has its own channel    \
    * enables; the first channel of those that doubles get. */               \
   ROW(bool, halves_have_enables, 1, 1, 0, 0)                                \
   ROW(uint8_t, second_half_of_doubles, 0, 4, 4, 4)                          \
   /* ... and steps a scalar source in Align16 by a register. */             \
   ROW(bool, halves_step_scalars, 1, 1, 0, 0)                                \
   /* In Align16 a select or a bit of the mask is for two half floats. */    \
   ROW(bool, half_selects_take_pairs, 0, 0, 1, 0)                            \
   /* Low bits of an indirect address are added without a carry (PRM HSW     \
    * vol 7, "Indirect addressing"). */                                      \
   ROW(bool, indirect_without_carry, 1, 1, 0, 0)                             \
   /* Integer instructions have acc0 only as the implicit accumulator. */    \
   ROW(bool, integers_have_acc0_only, 0, 1, 1, 1)                            \
   /* For strict mode, EU-65 and EU-92: MUL may read a float accumulator;    \
    * may not write a product of dwords to one; MATH has immediates. */      \
   ROW(bool, products_of_acc, 0, 0, 1, 1)                                    \
   ROW(bool, long_products_skip_acc, 0, 0, 1, 0)                             \
   ROW(bool, math_immediates, 0, 0, 1, 1)                                    \
   /* A thread waits by tm0.4 (what IGC 1.0.12504 emits). */                 \
   ROW(bool, pause_counter, 0, 0, 1, 1)                                      \
   ROW(bool, else_has_uip, 0, 0, 1, 1)                                       \
   /* EU-68: products of dwords have no float result; EU-53: words of a0. */ \
   ROW(bool, long_products_are_integers, 1, 0, 0, 0)                         \
   ROW(uint8_t, address_words, 8, 8, 16, 16)                                 \
   /* RL-31: bytes of a surface, FF-24: sampled from W tiles, FF-34 and      \
    * FF-57: what a CCS or samples may belong to. */                         \
   ROW(uint8_t, surface_bits, 31, 31, 31, 38)                                \
   ROW(bool, samples_stencil, 0, 0, 1, 1)                                    \
   ROW(bool, ccs_of_one_image, 1, 1, 0, 0)                                   \
   ROW(bool, samples_in_x_tiles, 1, 1, 0, 0)                                 \
                                                                             \
   /* Binding table indices that are no entries: PRM SKL vol 2d, MDC_BTS. */ \
   ROW(bool, bti_non_coherent, 0, 0, 1, 1)                                   \
   ROW(bool, bti_bindless, 0, 0, 0, 1)                                       \
   /* Typed reads of formats that they do not convert. */                    \
   ROW(bool, typed_reads_give_bits, 0, 0, 0, 1)                              \
   /* ld: u, lod, v, r; or u, v, lod, r (BDW, SKL PRM vol 7, "Parameter      \
    * Types and Positions"). */                                              \
   ROW(bool, ld_lod_is_third, 0, 0, 0, 1)                                    \
   /* sample: a least level of detail after all that is there for cubes, the \
    * same table's mlod. */                                                  \
   ROW(bool, sample_has_mlod, 0, 0, 0, 1)                                    \
   /* SAMPLER_STATE. */                                                      \
   ROW(bool, sampler_has_base_level, 1, 1, 1, 0)                             \
   ROW(bool, sampler_has_reduction, 0, 0, 0, 1)                              \
   /* Border colours: dwords; integers as the format has them, too; the      \
    * pointer is dword 2 without its low bits (IVB PRM vol 4 part 1). */     \
   ROW(uint8_t, border_dw, 4, 20, 4, 4)                                      \
   ROW(bool, border_has_integers, 0, 1, 0, 0)                                \
   ROW(bool, border_pointer_is_dword, 1, 1, 0, 0)                            \
                                                                             \
   /* MEDIA_VFE_STATE, "Per Thread Scratch Space": steps, or powers of two,  \
    * of so many bytes. */                                                   \
   ROW(uint16_t, scratch_unit_B, 1024, 2048, 1024, 1024)                     \
   ROW(bool, scratch_in_steps, 1, 0, 0, 0)                                   \
   /* "Shared Local Memory Size": units of 4 KiB, or powers of two. */       \
   ROW(bool, slm_in_steps, 1, 1, 1, 0)                                       \
   /* The descriptor's number of threads, which barriers and shared memory   \
    * go by, may be 0 without these: igt's fills of Ivybridge have it so. */ \
   ROW(bool, group_without_number, 1, 0, 0, 0)                               \
   ROW(uint32_t, barrier_id_mask, 0x0f000000, 0x0f000000, 0x0f000000,        \
       0x8f000000)                                                           \
   ROW(uint8_t, curbe_align_B, 32, 32, 64, 64)                               \
   /* Constants and descriptors come by the vertex cache (IVB PRM vol 2 part \
    * 2, the notes of both commands). */                                     \
   ROW(bool, constants_by_vertex_cache, 1, 0, 0, 0)                          \
   /* Linear surfaces of the blitter: 0 is the size of a pixel. */           \
   ROW(uint8_t, blt_linear_align_B, 0, 0, 64, 64)                            \
   /* The register CHICKEN3 has a mask in its upper half. */                 \
   ROW(bool, chicken3_is_masked, 0, 1, 0, 0)                                 \
   /* 3DSTATE_VF_TOPOLOGY. */                                                \
   ROW(bool, topology_is_state, 0, 0, 1, 1)                                  \
   /* BLEND_STATE: bytes in front of the entries. */                         \
   ROW(uint8_t, blend_common_B, 0, 0, 4, 4)                                  \
   ROW(bool, has_guardband_extents, 0, 0, 1, 1)                              \
                                                                             \
   /* Components of a vertex element may be system values. */                \
   ROW(bool, vf_has_system_values, 1, 1, 0, 0)                               \
   /* r0.2 of hull shader threads: how far right the numbers are. */         \
   ROW(uint8_t, hs_number_shift, 1, 0, 0, 0)                                 \
   /* Geometry shaders: the number of vertices may be in the entry; the      \
    * state says how many an object has. */                                  \
   ROW(bool, gs_counts_in_entry, 0, 0, 1, 1)                                 \
   ROW(bool, gs_state_has_vertices, 0, 0, 1, 1)                              \
                                                                             \
   /* Invocations of pixel shaders are counted so many times, which drivers  \
    * know as WaDividePSInvocationCountBy4. */                               \
   ROW(uint8_t, ps_invocations, 1, 4, 4, 1)                                  \
   /* Samples are dispatched in pairs; derivatives need whole subspans,      \
    * which the state does not ask for. */                                   \
   ROW(bool, ps_sample_pairs, 1, 1, 0, 0)                                    \
   ROW(bool, ps_whole_subspans, 1, 1, 0, 0)                                  \
   /* 3DSTATE_PS says whether there is a second colour, for strict mode. */  \
   ROW(bool, ps_says_dual_source, 1, 1, 0, 0)                                \
   /* 3DSTATE_PS counts threads of a subslice. */                            \
   ROW(bool, ps_threads_of_subslice, 0, 0, 1, 1)                             \
                                                                             \
   /* Surfaces. Alignments are elements, or pixels (BDW PRM vol 2d,          \
    * "Surface Horizontal Alignment"). */                                    \
   ROW(bool, aligned_in_elements, 0, 0, 0, 1)                                \
   ROW(bool, has_valign_2, 1, 1, 0, 0)                                       \
   ROW(uint8_t, y_offset_rows, 2, 2, 4, 4)                                   \
   /* RENDER_SURFACE_STATE: dwords; QPitch, of rows without compression;     \
    * channel selects. */                                                    \
   ROW(uint8_t, surface_state_dw, 8, 8, 16, 16)                              \
   ROW(bool, has_qpitch, 0, 0, 1, 1)                                         \
   ROW(bool, qpitch_is_uncompressed, 1, 1, 1, 0)                             \
   ROW(bool, has_channel_selects, 0, 1, 1, 1)                                \
   /* Where levels lie. */                                                   \
   ROW(bool, levels_1d_in_a_row, 0, 0, 0, 1)                                 \
   ROW(bool, levels_3d_below, 1, 1, 1, 0)                                    \
   /* Colour control surfaces: bits of an element; beside X tiling, too;     \
    * blocks that a clear covers downwards; half blocks in resolves. */      \
   ROW(uint8_t, ccs_bits, 1, 1, 1, 2)                                        \
   ROW(bool, ccs_of_x_tiling, 1, 1, 1, 0)                                    \
   ROW(uint8_t, ccs_clear_blocks, 16, 16, 16, 8)                             \
   ROW(bool, ccs_resolves_halves, 1, 1, 0, 0)                                \
   /* For strict mode, FF-22: 3DSTATE_CLEAR_PARAMS has values in the format  \
    * of the buffer; FF-27: that of HiZ must be zero to be sampled. */       \
   ROW(bool, depth_clear_has_format, 1, 1, 0, 0)                             \
   ROW(bool, sampled_hiz_clears_to_zero, 0, 0, 1, 0)                         \
                                                                             \
   /* The kernel: execution lists and an address space for each context, or  \
    * rings and one for all; the query of the topology. */                   \
   ROW(bool, has_execlists, 0, 0, 1, 1)                                      \
   ROW(bool, has_topology_query, 0, 1, 1, 1)
/* clang-format on */

struct sim_traits {
#define SIM_TRAIT_FIELD(type, name, ...) type name;
   SIM_TRAITS(SIM_TRAIT_FIELD)
#undef SIM_TRAIT_FIELD
};

extern SIM_TRAITS_CONST struct sim_traits sim_trait_rows[ISA_GEN_COUNT];

/* Of 70, 75, 80 or 90. */
static inline const struct sim_traits *
sim_traits(unsigned verx10)
{
   return &sim_trait_rows[isa_gen_from_number(verx10)];
}

#endif
