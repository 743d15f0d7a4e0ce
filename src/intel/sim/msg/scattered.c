/* SPDX-License-Identifier: MIT */
/*
 * Messages with an address per slot: untyped surface, byte and dword
 * scattered, in binding table and A64 form. PRM SKL vol 7, "Untyped Surface
 * Read/Write", "Byte Scattered", "DWord Scattered", "A64".
 *
 * Payload: the header if there is one, the addresses, for writes the data,
 * each parameter a register for eight slots.
 */
#include "intel/sim/msg/blocks.h"

/* Where the parameters of a per-slot message lie. */
struct layout {
   unsigned slots;
   unsigned address; /* payload register of the first address */
   unsigned data;    /* of the first datum */
   unsigned step;    /* registers of one 32-bit parameter */
   unsigned total;   /* registers up to the data */
};

static struct layout
slot_layout(const struct sim_message *m, unsigned slots, unsigned addresses,
            bool a64)
{
   struct layout l = { .slots = slots, .step = DIV_ROUND_UP(slots, 8) };
   l.address = m->header;
   l.data = l.address + addresses * l.step * (a64 ? 2 : 1);
   l.total = l.data;
   return l;
}

static uint64_t
slot_address(const struct sim_message *m, const struct layout *l,
             const struct dp_target *target, unsigned lane, bool a64)
{
   if (a64)
      return dp_slot_64(m, l->address, lane);
   uint64_t a = dp_slot(m, l->address, lane);
   /* Structured: an index, then a byte offset in the structure. */
   if (target->pitch_B)
      a = a * target->pitch_B + dp_slot(m, l->address + l->step, lane);
   return a;
}

/*
 * SIMD4x2: two slots, of which each has half of a register: U (and V of a
 * structured buffer) in the first dwords of the address, then the channels in
 * their places. PRM HSW vol 7, "Untyped Surface Read/Write", "SIMD4x2".
 */
static bool
untyped_4x2(struct sim_eu_thread *t, const struct sim_message *m, bool write,
            uint32_t channels)
{
   struct dp_target target;
   uint32_t data[8] = { 0 };
   if (!dp_check_lengths(t, m, "untyped SIMD4x2 message",
                         m->header + (write ? 2 : 1), write ? 0 : 1) ||
       !dp_find_untyped(t, m, &target))
      return false;
   for (unsigned d = 0; d < 8; d++) {
      const uint32_t *at = &sim_message_payload(m, m->header)->ud[d & 4];
      if (!(m->exec_mask >> d & 1) || !(channels >> d % 4 & 1))
         continue;
      const uint64_t a =
         (target.pitch_B ? (uint64_t)at[0] * target.pitch_B + at[1] : at[0]) +
         4 * (d % 4);
      if (write ? !dp_write(t, &target, d, a,
                            &sim_message_payload(m, m->header + 1)->ud[d], 4)
                : !dp_read(t, &target, d, a, &data[d], 4))
         return false;
   }
   for (unsigned d = 0; d < 8 && !write; d++)
      if (m->exec_mask >> d & 1 && channels >> d % 4 & 1)
         m->dst[0].ud[d] = data[d];
   return true;
}

bool
dp_untyped(struct sim_eu_thread *t, const struct sim_message *m, bool write,
           bool a64)
{
   const unsigned slots = m->fields->simd;
   /* A set bit disables the channel. */
   const uint32_t channels = ~m->fields->channels_off & 0xf;
   const unsigned count = __builtin_popcount(channels);
   struct dp_target target = dp_flat;

   if (!count)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "an untyped message without a channel");
   if (slots == 2 && !a64)
      return untyped_4x2(t, m, write, channels);
   if (slots != 8 && slots != 16)
      return sim_msg_unknown(t, m, "untyped surface SIMD mode", slots & 0xf);
   if (!a64 && !dp_find_untyped(t, m, &target))
      return false;
   const struct layout l = slot_layout(m, slots, target.pitch_B ? 2 : 1, a64);
   if (!dp_check_lengths(t, m, "untyped surface message",
                         l.data + (write ? count * l.step : 0),
                         write ? 0 : count * l.step))
      return false;

   uint32_t data[4][16] = { 0 };
   const uint32_t mask = dp_slot_mask(m, slots);
   for (unsigned lane = 0; lane < slots; lane++) {
      if (!(mask >> lane & 1))
         continue;
      const uint64_t a = slot_address(m, &l, &target, lane, a64);
      for (unsigned c = 0, k = 0; c < 4; c++) {
         if (!(channels >> c & 1))
            continue;
         if (write) {
            const uint32_t u = dp_slot(m, l.data + k * l.step, lane);
            if (!dp_write(t, &target, lane, a + 4 * c, &u, 4))
               return false;
         } else if (!dp_read(t, &target, lane, a + 4 * c, &data[k][lane],
                             4)) {
            return false;
         }
         k++;
      }
   }
   for (unsigned k = 0; k < count && !write; k++)
      for (unsigned lane = 0; lane < slots; lane++)
         if (mask >> lane & 1)
            m->dst[k * l.step + lane / 8].ud[lane % 8] = data[k][lane];
   return true;
}

/* One element of 1, 2 or 4 bytes a slot; a read is zero-extended. */
static bool
scattered(struct sim_eu_thread *t, const struct sim_message *m,
          const struct dp_target *target, const struct layout *l,
          unsigned size_B, unsigned scale, uint32_t mask, bool write,
          bool a64)
{
   uint32_t data[16] = { 0 };
   for (unsigned lane = 0; lane < l->slots; lane++) {
      if (!(mask >> lane & 1))
         continue;
      const uint64_t a = slot_address(m, l, target, lane, a64) * scale;
      if (write) {
         const uint32_t u = dp_slot(m, l->data, lane);
         if (!dp_write(t, target, lane, a, &u, size_B))
            return false;
      } else if (!dp_read(t, target, lane, a, &data[lane], size_B)) {
         return false;
      }
   }
   for (unsigned lane = 0; lane < l->slots && !write; lane++)
      if (mask >> lane & 1)
         m->dst[lane / 8].ud[lane % 8] = data[lane];
   return true;
}

bool
dp_byte_scattered(struct sim_eu_thread *t, const struct sim_message *m,
                  bool write)
{
   const unsigned slots = m->fields->simd;
   const unsigned size_B = m->fields->element_B;
   struct dp_target target;
   if (size_B > 4)
      return sim_msg_unknown(t, m, "byte scattered data size", size_B & 3);
   const struct layout l = slot_layout(m, slots, 1, false);
   return dp_check_lengths(t, m, "byte scattered message",
                           l.data + (write ? l.step : 0),
                           write ? 0 : l.step) &&
          dp_find_target(t, m, &target) &&
          scattered(t, m, &target, &l, size_B, 1,
                    m->exec_mask & BITFIELD_MASK(l.slots), write, false);
}

/*
 * Addresses count dwords. The header has the base (M0.5), but unlike that of
 * untyped messages no mask of pixels in M0.7: stock drivers leave it zero
 * there when they access scratch space, and IGC for Broadwell in each scalar
 * store, of bytes.
 */
bool
dp_dword_scattered(struct sim_eu_thread *t, const struct sim_message *m,
                   bool write)
{
   const unsigned slots = m->fields->simd;
   struct dp_target target;
   if (slots != 8 && slots != 16)
      return sim_msg_unknown(t, m, "dword scattered block size", slots & 3);
   const struct layout l = slot_layout(m, slots, 1, false);
   return dp_check_lengths(t, m, "dword scattered message",
                           l.data + (write ? l.step : 0),
                           write ? 0 : l.step) &&
          dp_find_target(t, m, &target) &&
          scattered(t, m, &target, &l, 4, 4,
                    m->exec_mask & BITFIELD_MASK(l.slots), write, false);
}

/* `count` dwords or qwords in a row for each slot: in registers, the first
 * ones of all slots, then the second ones. */
static bool
a64_elements(struct sim_eu_thread *t, const struct sim_message *m,
             const struct layout *l, unsigned size_B, unsigned count,
             bool write)
{
   const unsigned step = l->step * size_B / 4, per_grf = SIM_GRF_B / size_B;
   const uint32_t mask = dp_slot_mask(m, l->slots);
   uint64_t data[8][16];
   if (!dp_check_lengths(t, m, "A64 scattered message",
                         l->data + (write ? count * step : 0),
                         write ? 0 : count * step))
      return false;
   for (unsigned lane = 0; lane < l->slots; lane++) {
      const uint64_t a = slot_address(m, l, &dp_flat, lane, true);
      for (unsigned k = 0; k < count && mask >> lane & 1; k++) {
         const union sim_grf *from =
            write
               ? sim_message_payload(m, l->data + k * step + lane / per_grf)
               : NULL;
         if (write ? !dp_write(t, &dp_flat, lane, a + k * size_B,
                               &from->ub[lane % per_grf * size_B], size_B)
                   : !dp_read(t, &dp_flat, lane, a + k * size_B,
                              &data[k][lane], size_B))
            return false;
      }
   }
   for (unsigned lane = 0; lane < l->slots && !write; lane++)
      for (unsigned k = 0; k < count && mask >> lane & 1; k++)
         memcpy(
            &m->dst[k * step + lane / per_grf].ub[lane % per_grf * size_B],
            &data[k][lane], size_B);
   return true;
}

/*
 * A64 scattered: elements of a byte, dword or qword, one to eight of them a
 * slot. Bytes come in a dword each, up to four packed, eight in a qword (IGC
 * has them so). PRM SKL vol 2d, "A64
 * Scattered Read/Write".
 */
bool
dp_a64_scattered(struct sim_eu_thread *t, const struct sim_message *m,
                 bool write)
{
   const unsigned size_B = m->fields->element_B;
   const unsigned count = m->fields->elements;
   const unsigned slots = m->fields->simd;
   const struct layout l = slot_layout(m, slots, 1, true);
   if (size_B == 1 && count <= 4)
      return dp_check_lengths(t, m, "A64 byte scattered message",
                              l.data + (write ? l.step : 0),
                              write ? 0 : l.step) &&
             scattered(t, m, &dp_flat, &l, count, 1, dp_slot_mask(m, slots),
                       write, true);
   if (size_B == 1 && count == 8)
      return a64_elements(t, m, &l, 8, 1, write);
   if (size_B == 4 || size_B == 8)
      return a64_elements(t, m, &l, size_B, count, write);
   return sim_msg_unknown(t, m, "A64 scattered element", size_B & 3);
}
