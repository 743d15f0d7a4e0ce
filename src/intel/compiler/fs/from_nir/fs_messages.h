/* SPDX-License-Identifier: MIT */
/*
 * Message descriptors. Sources: PRM SKL vol 2d (MDC_* and message descriptor
 * structures), vol 7 "Shared Functions": sampler, data port, URB, render
 * cache.
 */
#ifndef FS_MESSAGES_H
#define FS_MESSAGES_H

#include "intel/compiler/eu/eu_builder.h"

enum fs_sampler_msg {
   FS_SAMPLE = 0,
   FS_SAMPLE_B = 1,
   FS_SAMPLE_L = 2,
   FS_SAMPLE_C = 3,
   FS_SAMPLE_D = 4,
   FS_SAMPLE_B_C = 5,
   FS_SAMPLE_L_C = 6,
   FS_SAMPLE_LD = 7,
   FS_SAMPLE_GATHER4 = 8,
   FS_SAMPLE_LOD = 9,
   FS_SAMPLE_RESINFO = 10,
   FS_SAMPLE_SAMPLEINFO = 11,
   FS_SAMPLE_GATHER4_C = 16,
   FS_SAMPLE_GATHER4_PO = 17,
   FS_SAMPLE_GATHER4_PO_C = 18,
   FS_SAMPLE_D_C = 20,
   FS_SAMPLE_LZ = 24,
   FS_SAMPLE_C_LZ = 25,
   FS_SAMPLE_LD_LZ = 26,
   FS_SAMPLE_LD2DMS_W = 28,
   FS_SAMPLE_LD2DMS = 30,
   FS_SAMPLE_LD_MCS = 29,
   FS_SAMPLE_LD2DSS = 31,
};

#define FS_BTI_SLM 254

enum fs_atomic {
   FS_AOP_MOV = 4,
   FS_AOP_CMPWR = 14,
};

enum fs_rt_write {
   FS_RT_SIMD16 = 0,
   FS_RT_SIMD8_DUAL_LO = 2,
   FS_RT_SIMD8_DUAL_HI = 3,
   FS_RT_SIMD8_LO = 4,
};

/* All without lengths and header bit, which fs_emit_send() adds. */

static inline uint32_t
fs_sampler_desc(unsigned bti, unsigned sampler, enum fs_sampler_msg msg,
                unsigned exec_size)
{
   return (bti & 0xff) | (sampler & 0xf) << 8 | (uint32_t)msg << 12 |
          (exec_size == 16 ? 2u : 1u) << 17;
}

static inline uint32_t
fs_dp_desc(unsigned bti, unsigned type, unsigned control)
{
   return (bti & 0xff) | control << 8 | type << 14;
}

/* Data cache 1: untyped surface read (1) or write (9) of `comps` dwords at a
 * byte offset a channel. The mask names channels that are *not* moved. */
static inline uint32_t
fs_untyped_desc(unsigned bti, bool write, unsigned exec_size, unsigned comps)
{
   return fs_dp_desc(bti, write ? 9 : 1,
                     (0xfu & (0xfu << comps)) |
                     (exec_size == 16 ? 1u : 2u) << 4);
}

/* Data cache 0: byte scattered read (4) or write (12): one element of 1, 2
 * or 4 bytes a channel. */
static inline uint32_t
fs_byte_scattered_desc(unsigned bti, bool write, unsigned exec_size,
                       unsigned size_B)
{
   return fs_dp_desc(bti, write ? 12 : 4,
                     (exec_size == 16 ? 1u : 0u) |
                     util_logbase2(size_B) << 2);
}

/* Data cache 1: untyped atomic integer operation (2). */
static inline uint32_t
fs_untyped_atomic_desc(unsigned bti, unsigned op, unsigned exec_size,
                       bool returns)
{
   return fs_dp_desc(bti, 2, op | (exec_size == 16 ? 0u : 1u) << 4 |
                     (returns ? 1u : 0u) << 5);
}

/* Data cache 0: memory fence (7) that answers when it is done. */
static inline uint32_t
fs_fence_desc(void)
{
   return fs_dp_desc(0, 7, 1u << 5);
}

/* Thread spawner: the thread's resources are released; its URB handle, if
 * any, is not the thread's to give back. */
static inline uint32_t
fs_thread_end_desc(void)
{
   return 1u << 4;
}

/* Constant cache: aligned OWord block read (0) of 64 bytes; the offset, in
 * OWords, is in dword 2 of the header. */
static inline uint32_t
fs_oword_block_read_desc(unsigned bti, unsigned owords)
{
   return fs_dp_desc(bti, 0, owords == 1 ? 0 : util_logbase2(owords) + 1);
}

static inline uint32_t
fs_rt_write_desc(unsigned bti, enum fs_rt_write kind, bool last_rt,
                 bool slot_group_high)
{
   return (bti & 0xff) | (uint32_t)kind << 8 |
          (slot_group_high ? 1u : 0u) << 11 | (last_rt ? 1u : 0u) << 12 |
          12u << 14;
}

/* SIMD8 URB write (7) of whole slots from `offset` (16-byte units) on. */
static inline uint32_t
fs_urb_write_desc(unsigned offset)
{
   return 7u | offset << 4;
}

/* SIMD8 URB read (8) from `offset` on. */
static inline uint32_t
fs_urb_read_desc(unsigned offset)
{
   return 8u | offset << 4;
}

/* A GRF behind the handles holds an offset a channel, in slots. */
#define FS_URB_PER_SLOT_OFFSET (1u << 17)
/* The next one holds the mask of dwords to write a slot, in bits 23:16. */
#define FS_URB_CHANNEL_MASK (1u << 15)

/* Message gateway: barrier (4), with a notification when all are there. */
static inline uint32_t
fs_barrier_desc(void)
{
   return 4u | 1u << 15;
}

/* Scratch block message (data cache 0, bit 18): whole GRFs, NoMask. */
static inline uint32_t
fs_scratch_desc(bool write, unsigned grfs, unsigned offset_grf)
{
   return 1u << 18 | (write ? 1u : 0u) << 17 | util_logbase2(grfs) << 12 |
          offset_grf;
}

/*
 * A SEND of `mlen` GRFs from `payload`; `rlen` GRFs are returned in dst. A
 * `bti` that is no immediate (a scalar UD) is ORed into the descriptor.
 */
struct eu_inst *
fs_emit_send(const struct eu_builder *b, unsigned sfid, uint32_t desc,
             eu_reg bti, eu_reg dst, unsigned rlen, eu_reg payload,
             unsigned mlen, bool header);

#endif
