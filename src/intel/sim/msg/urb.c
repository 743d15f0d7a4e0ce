/* SPDX-License-Identifier: MIT */
/*
 * URB messages, SFID 6; PRM SKL vol 7, "URB Messages" (SIMD8 form, Gen8+) and
 * HSW vol 7 (headers with two handles, SIMD4x2).
 *
 * A handle counts 64 bytes from the start of the URB; offsets count OWords
 * (16 bytes), or pairs of them in the HWord messages.
 */
#include "intel/sim/msg/data_port.h"
#include "intel/sim/eu/shadow.h"

#define HANDLE_B 64
#define OWORD_B 16
#define HWORD_B 32

/* Host memory of `size_B` bytes at an offset from an entry; NULL with a
 * fault. */
static uint8_t *
urb_at(struct sim_eu_thread *t, int lane, uint32_t handle, uint64_t offset_B,
       unsigned size_B)
{
   const uint64_t at = (uint64_t)(handle & 0xffff) * HANDLE_B + offset_B;
   if (t->env->urb && at + size_B <= t->env->urb_size_B)
      return t->env->urb + at;
   sim_eu_fault(t, SIM_FAULT_RANGE, "URB access at byte %llu of %u",
                (unsigned long long)at, t->env->urb_size_B);
   t->fault.lane = lane;
   return NULL;
}

/*
 * Compilers read ahead with offsets that turn out not to be meant, and throw
 * away what comes: "the valid range of the offset is [0, 0FFFFFFFh]" (PRM HSW
 * Vol. 7, "URB_READ_OWORD", Slot 0 Offset), whatever the URB's size. Outside
 * of the URB there is nothing: zeros here. Beyond that range it is a fault,
 * as is an entry outside of the URB.
 */
#define MAX_SLOT_OFFSET 0x0fffffffu

static const uint8_t *
urb_at_for_read(struct sim_eu_thread *t, int lane, uint32_t handle,
                uint64_t offset_B, unsigned size_B, uint32_t slot_offset)
{
   static const uint8_t nothing[32];
   const uint64_t entry_B = (uint64_t)(handle & 0xffff) * HANDLE_B;
   if (t->env->urb && entry_B < t->env->urb_size_B &&
       entry_B + offset_B + size_B > t->env->urb_size_B &&
       slot_offset <= MAX_SLOT_OFFSET)
      return nothing;
   return urb_at(t, lane, handle, offset_B, size_B);
}

/* Dword `dw` of payload register `reg` to the URB, or to response register
 * `reg`. */
static void
put_dword(const struct sim_eu_thread *t, const struct sim_message *m,
          uint8_t *to, unsigned reg, unsigned dw)
{
   memcpy(to, &sim_message_payload(m, reg)->ud[dw], 4);
   if (__builtin_expect(t->shadow != NULL, 0))
      sim_shadow_urb_write(t, m, to, reg, dw);
}

static void
get_dword(const struct sim_eu_thread *t, const struct sim_message *m,
          const uint8_t *from, unsigned reg, unsigned dw)
{
   memcpy(&m->dst[reg].ud[dw], from, 4);
   if (__builtin_expect(t->shadow != NULL, 0))
      sim_shadow_urb_read(t, m, from, reg, dw);
}

/*
 * SIMD8: register 0 the handles of eight slots; then, if present, their
 * offsets in OWords, and masks of dwords (bits 23:16); then a register for
 * each dword.
 */
static bool
urb_simd8(struct sim_eu_thread *t, const struct sim_message *m, bool write)
{
   const bool per_slot = m->fields->per_slot_offset;
   const bool masked = m->fields->channel_mask;
   const uint32_t global = m->fields->offset;
   const unsigned data = 1 + per_slot + masked;
   const unsigned total = m->mlen + m->ex_mlen;
   const unsigned dwords = write ? total - data : m->rlen;

   if (total < data || (!write && total != data) || (write && m->rlen) ||
       dwords > 8 || (dwords && !write && !m->dst))
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "SIMD8 URB message: payload of %u and response of "
                          "%u registers",
                          total, m->rlen);
   /* All handles are read first: a response may overwrite the payload. */
   uint8_t *to[8] = { 0 };
   const uint8_t *from[8] = { 0 };
   uint32_t mask[8];
   for (unsigned i = 0; i < 8; i++) {
      const uint32_t slot_offset = per_slot ? dp_slot(m, 1, i) : 0;
      const uint64_t at_B = (uint64_t)(uint32_t)(global + slot_offset) *
                            OWORD_B;
      mask[i] =
         masked ? ISA_HDR_GET(URB_SLOT_CHANNELS, dp_slot(m, 1 + per_slot, i))
                : 0xff;
      if (!(m->exec_mask >> i & 1) || !dwords)
         continue;
      if (write && __builtin_expect(t->shadow != NULL, 0) &&
          !sim_shadow_urb_entry(t, i, at_B, 4 * dwords))
         return false;
      if (write)
         to[i] = urb_at(t, i, dp_slot(m, 0, i), at_B, 4 * dwords);
      else
         from[i] = urb_at_for_read(t, i, dp_slot(m, 0, i), at_B, 4 * dwords,
                                   slot_offset);
      if (!to[i] && !from[i])
         return false;
   }
   for (unsigned k = 0; k < dwords; k++) {
      for (unsigned i = 0; i < 8; i++) {
         if (!(mask[i] >> k & 1))
            continue;
         if (to[i])
            put_dword(t, m, to[i] + 4 * k, data + k, i);
         else if (from[i])
            get_dword(t, m, from[i] + 4 * k, k, i);
      }
   }
   return true;
}

/*
 * With a header: M0.0 and M0.1 are handles, M0.3 and M0.4 offsets of their
 * own when the descriptor says so, M0.5 15:8 a mask of the dwords of both.
 * Interleaved, each register holds an OWord of either entry; else all of it
 * belongs to the first.
 */
static bool
urb_header(struct sim_eu_thread *t, const struct sim_message *m, bool write,
           unsigned unit_B)
{
   const bool interleaved = m->fields->interleaved;
   const bool per_slot = m->fields->per_slot_offset;
   const uint32_t global = m->fields->offset;
   const unsigned total = m->mlen + m->ex_mlen;
   const unsigned regs = write ? total - 1 : m->rlen;
   const union sim_grf h = m->src0[0];

   if ((!write && (total != 1 || (regs && !m->dst))) || (write && m->rlen))
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "URB message: payload of %u "
                          "and response of %u registers",
                          total, m->rlen);
   if (m->eot)
      t->urb_eot_dw2 = h.ud[2];
   /* Gen7: a mask of zero is not "no dword" in reads. */
   const uint32_t mask =
      write ? ISA_HDR_GET(URB_CHANNELS, h.ud[ISA_HDR_URB_CHANNELS_DW]) : 0xff;
   for (unsigned r = 0; r < regs; r++) {
      for (unsigned d = 0; d < 8; d++) {
         const unsigned slot = interleaved ? d / 4 : 0;
         const uint32_t slot_offset = per_slot ? h.ud[3 + slot] : 0;
         const uint64_t at_B =
            (uint64_t)(uint32_t)(global + slot_offset) * unit_B +
            (interleaved ? r * OWORD_B + d % 4 * 4 : r * SIM_GRF_B + d * 4);
         if (!(m->exec_mask >> d & 1) || !(mask >> d & 1))
            continue;
         if (write) {
            uint8_t *to = urb_at(t, d, h.ud[slot], at_B, 4);
            if (__builtin_expect(t->shadow != NULL, 0) &&
                !sim_shadow_urb_entry(t, d, at_B, 4))
               return false;
            if (!to)
               return false;
            put_dword(t, m, to, 1 + r, d);
         } else {
            const uint8_t *from =
               urb_at_for_read(t, d, h.ud[slot], at_B, 4, slot_offset);
            if (!from)
               return false;
            get_dword(t, m, from, r, d);
         }
      }
   }
   return true;
}

bool
sim_msg_urb(struct sim_eu_thread *t, const struct sim_message *m)
{
   switch (m->fields->msg) {
   case ISA_MSG_URB_SIMD8_WRITE: return urb_simd8(t, m, true);
   case ISA_MSG_URB_SIMD8_READ: return urb_simd8(t, m, false);
   case ISA_MSG_URB_WRITE_HWORD: return urb_header(t, m, true, HWORD_B);
   case ISA_MSG_URB_WRITE_OWORD: return urb_header(t, m, true, OWORD_B);
   case ISA_MSG_URB_READ_HWORD: return urb_header(t, m, false, HWORD_B);
   case ISA_MSG_URB_READ_OWORD: return urb_header(t, m, false, OWORD_B);
   default: return sim_msg_unknown(t, m, "URB", m->fields->number);
   }
}
