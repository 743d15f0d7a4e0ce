/* SPDX-License-Identifier: MIT */
/*
 * Messages that move whole blocks: OWord blocks (aligned or not), dual
 * blocks, and the scratch block messages. PRM SKL vol 7, "OWord Block
 * Read/Write", "OWord Dual Block", "Scratch Block Read/Write".
 *
 * Reads fill the response whole; a write leaves out the dwords of channels
 * that are switched off, channel i being dword i of each group.
 */
#include "intel/sim/msg/blocks.h"

static bool
channel_on(const struct sim_message *m, unsigned dword)
{
   return m->exec_mask >> (dword % MAX2(m->exec_size, 1)) & 1;
}

static bool
read_dwords(struct sim_eu_thread *t, const struct dp_target *target,
            uint64_t offset_B, uint32_t *out, unsigned dwords)
{
   /* One access when it can be: bounds are checked by dword otherwise. */
   if (target->kind == DP_STATELESS ||
       (target->kind == DP_SURFACE &&
        offset_B + 4ull * dwords <= target->size_B))
      return dp_read(t, target, -1, offset_B, out, 4 * dwords);
   for (unsigned i = 0; i < dwords; i++)
      if (!dp_read(t, target, -1, offset_B + 4 * i, &out[i], 4))
         return false;
   return true;
}

static bool
write_dwords(struct sim_eu_thread *t, const struct sim_message *m,
             const struct dp_target *target, uint64_t offset_B,
             const uint32_t *data, unsigned dwords)
{
   for (unsigned i = 0; i < dwords; i++)
      if (channel_on(m, i) &&
          !dp_write(t, target, i, offset_B + 4 * i, &data[i], 4))
         return false;
   return true;
}

/* Copies the response: the payload may lie in the same registers. */
static void
respond(const struct sim_message *m, const uint32_t *data, unsigned dwords)
{
   if (m->exec_mask || m->no_mask)
      memcpy(m->dst, data, 4 * dwords);
}

/* M0.2 is the offset: bytes if unaligned, else OWords. */
bool
dp_oword_block(struct sim_eu_thread *t, const struct sim_message *m,
               bool write, bool unaligned)
{
   const unsigned block = m->fields->block;
   const unsigned owords = sim_block_owords(block);
   const unsigned regs = DIV_ROUND_UP(owords, 2);
   uint32_t data[16 * 4];
   struct dp_target target;

   if (!owords)
      return sim_msg_unknown(t, m, "OWord block of size", block & 7);
   if (!m->header)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "OWord block messages need a header");
   if (!dp_check_lengths(t, m, "OWord block", 1 + (write ? regs : 0),
                         write ? 0 : regs) ||
       !dp_find_target(t, m, &target))
      return false;
   /* Surfaces begin at whole OWords: NEO 976dad2e173 met corruption where
    * they did not. The lower bits are taken for zeros here. */
   if (!unaligned)
      target.base &= ~15ull;
   const uint64_t offset_B = unaligned ? m->src0[0].ud[2] & ~3u
                                       : (uint64_t)m->src0[0].ud[2] * 16;
   const unsigned first = block == ISA_BLOCK_1_HIGH ? 4 : 0;
   if (!write) {
      if (!read_dwords(t, &target, offset_B, data, 4 * owords))
         return false;
      if (m->exec_mask || m->no_mask)
         memcpy(&m->dst[0].ud[first], data, 16 * owords);
      return true;
   }
   for (unsigned i = 0; i < regs; i++)
      memcpy(&data[8 * i], sim_message_payload(m, 1 + i), SIM_GRF_B);
   return write_dwords(t, m, &target, offset_B, &data[first], 4 * owords);
}

/* Two blocks with an offset each, in OWords: M1.0 and M1.4; the data of the
 * second are the upper halves of the registers. */
bool
dp_oword_dual_block(struct sim_eu_thread *t, const struct sim_message *m,
                    bool write)
{
   const unsigned block = m->fields->block;
   const unsigned owords = block == 0 ? 1 : block == 2 ? 4 : 0;
   union sim_grf data[4];
   struct dp_target target;
   uint32_t offset[2];

   if (!owords)
      return sim_msg_unknown(t, m, "OWord dual block of size", block & 3);
   if (!m->header)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "OWord dual block messages need a header");
   if (!dp_check_lengths(t, m, "OWord dual block", 2 + (write ? owords : 0),
                         write ? 0 : owords) ||
       !dp_find_target(t, m, &target))
      return false;
   offset[0] = sim_message_payload(m, 1)->ud[0];
   offset[1] = sim_message_payload(m, 1)->ud[4];
   for (unsigned i = 0; i < owords; i++) {
      if (write)
         data[i] = *sim_message_payload(m, 2 + i);
      for (unsigned d = 0; d < 8; d++) {
         const uint64_t at = (offset[d / 4] + (uint64_t)i) * 16 + d % 4 * 4;
         /* A block of which no channel is on may be anywhere. */
         if (channel_on(m, d) &&
             (write ? !dp_write(t, &target, d, at, &data[i].ud[d], 4)
                    : !dp_read(t, &target, d, at, &data[i].ud[d], 4)))
            return false;
      }
   }
   for (unsigned i = 0; i < owords && !write; i++)
      for (unsigned d = 0; d < 8; d++)
         if (channel_on(m, d))
            m->dst[i].ud[d] = data[i].ud[d];
   return true;
}

/*
 * Scratch block: registers in the thread's scratch space, offset (in
 * registers) and size in the descriptor. PRM SKL vol 2d, "Scratch Block
 * Read/Write".
 */
bool
dp_scratch_block(struct sim_eu_thread *t, const struct sim_message *m,
                 bool write)
{
   const unsigned regs = m->fields->scratch_grf;
   const uint64_t offset_B = m->fields->offset * SIM_GRF_B;
   uint32_t data[8 * 8];
   struct dp_target target = { .kind = DP_STATELESS };

   if (!m->header)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "scratch block messages need a header");
   if (!dp_check_lengths(t, m, "scratch block", 1 + (write ? regs : 0),
                         write ? 0 : regs))
      return false;
   const uint32_t limit_B = t->env->scratch_per_thread_B;
   if (limit_B && offset_B + regs * SIM_GRF_B > limit_B)
      return sim_eu_fault(t, SIM_FAULT_RANGE,
                          "scratch offset %u is beyond "
                          "the thread's %u bytes",
                          (unsigned)offset_B, limit_B);
   target.base =
      t->env->general_state_base +
      (m->src0[0].ud[ISA_HDR_SCRATCH_BASE_DW] & ISA_HDR_SCRATCH_BASE_MASK);
   if (!write) {
      if (!read_dwords(t, &target, offset_B, data, 8 * regs))
         return false;
      respond(m, data, 8 * regs);
      return true;
   }
   for (unsigned i = 0; i < regs; i++)
      memcpy(&data[8 * i], sim_message_payload(m, 1 + i), SIM_GRF_B);
   return write_dwords(t, m, &target, offset_B, data, 8 * regs);
}

/* A64: the address is the qword M0.0. */
bool
dp_a64_oword_block(struct sim_eu_thread *t, const struct sim_message *m,
                   bool write)
{
   const unsigned block = m->fields->block;
   const unsigned owords = sim_block_owords(block);
   const unsigned regs = DIV_ROUND_UP(owords, 2);
   uint32_t data[16 * 4];

   if (!owords)
      return sim_msg_unknown(t, m, "A64 OWord block of size", block & 7);
   if (!m->header)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "A64 OWord block messages need a header");
   if (!dp_check_lengths(t, m, "A64 OWord block", 1 + (write ? regs : 0),
                         write ? 0 : regs))
      return false;
   const uint64_t address = m->src0[0].uq[0];
   const unsigned first = block == ISA_BLOCK_1_HIGH ? 4 : 0;
   if (!write) {
      if (!read_dwords(t, &dp_flat, address, data, 4 * owords))
         return false;
      if (m->exec_mask || m->no_mask)
         memcpy(&m->dst[0].ud[first], data, 16 * owords);
      return true;
   }
   for (unsigned i = 0; i < regs; i++)
      memcpy(&data[8 * i], sim_message_payload(m, 1 + i), SIM_GRF_B);
   return write_dwords(t, m, &dp_flat, address, &data[first], 4 * owords);
}
