/* SPDX-License-Identifier: MIT */
/*
 * Typed surface messages: texels by coordinates, converted as the surface's
 * format says. PRM SKL vol 7, "Typed Surface Read/Write", "Typed Atomic
 * Operation".
 *
 * Payload: header if there is one, then U, V, R and LOD (one register each,
 * those that are there at the end of the address part are given by the
 * length), then data. Always eight slots; bits 13:12 say which half of a
 * SIMD16 thread's pixel mask they use.
 */
#include "intel/sim/mem/surface.h"
#include "intel/sim/msg/atomic.h"
#include "intel/sim/msg/blocks.h"

#define SLOTS 8

/* Which slots take part: the half of the header's mask. */
static uint32_t
typed_mask(const struct sim_message *m)
{
   const unsigned group = sim_message_bits(m, 12, 2);
   uint32_t mask = m->exec_mask & 0xff;
   if (m->header)
      mask &= m->src0[0].ud[7] >> (group == 2 ? 8 : 0);
   return mask;
}

/* Address of a slot's texel from `params` coordinates; 0: outside. */
static uint64_t
texel_address(const struct sim_message *m, const struct sim_surface *s,
              unsigned params, unsigned lane)
{
   uint32_t c[4] = {0};
   for (unsigned i = 0; i < params; i++)
      c[i] = dp_slot(m, m->header + i, lane);
   return sim_surface_typed_address(s, c[0], c[1], c[2], c[3]);
}

/* PRM SKL vol 2d, RENDER_SURFACE_STATE, "Auxiliary Surface Mode": what the
 * data port reads and writes has none. */
static const struct sim_surface *
typed_surface(struct sim_eu_thread *t, const struct sim_message *m)
{
   const struct sim_surface *s = dp_surface(t, m);
   if (s && s->aux.mode != SIM_AUX_NONE) {
      sim_eu_fault(t, SIM_FAULT_MESSAGE, "a typed message to a surface with "
                   "an auxiliary surface (PRM SKL vol 2d)");
      return NULL;
   }
   return s;
}

bool
dp_typed(struct sim_eu_thread *t, const struct sim_message *m, bool write)
{
   const uint32_t channels = ~m->desc >> 8 & 0xf;
   const unsigned count = __builtin_popcount(channels);
   const unsigned total = m->mlen + m->ex_mlen;
   const unsigned fixed = m->header + (write ? count : 0);
   const struct sim_surface *s = typed_surface(t, m);
   uint32_t data[4][SLOTS] = {0};

   if (!s)
      return false;
   if (!count || total < fixed + 1 || total > fixed + 4 ||
       m->rlen != (write ? 0 : count) || (m->rlen && !m->dst))
      return dp_check_lengths(t, m, "typed surface message", fixed + 4,
                              write ? 0 : count);
   if (s->type != SIM_SURFACE_NULL &&
       !(write ? sim_format_can_pack(s->format) :
                 sim_format_can_unpack(s->format)))
      return sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED, "typed access to "
                          "format %s", sim_format_name(s->format));

   const uint32_t mask = typed_mask(m);
   const unsigned params = total - fixed;
   const unsigned size_B = sim_format_size_B(s->format);
   for (unsigned lane = 0; lane < SLOTS; lane++) {
      uint32_t rgba[4] = {0};
      uint8_t texel[16];
      if (!(mask >> lane & 1))
         continue;
      const uint64_t a = texel_address(m, s, params, lane);
      if (!a)
         continue;
      if (write) {
         for (unsigned c = 0, k = 0; c < 4; c++)
            if (channels >> c & 1)
               rgba[c] = dp_slot(m, m->header + params + k++, lane);
         sim_format_pack(s->format, rgba, texel);
         if (!dp_write(t, &dp_flat, lane, a, texel, size_B))
            return false;
         continue;
      }
      if (!dp_read(t, &dp_flat, lane, a, texel, size_B))
         return false;
      sim_format_unpack(s->format, texel, rgba);
      for (unsigned c = 0, k = 0; c < 4; c++)
         if (channels >> c & 1)
            data[k++][lane] = rgba[c];
   }
   for (unsigned k = 0; k < count && !write; k++)
      for (unsigned lane = 0; lane < SLOTS; lane++)
         if (mask >> lane & 1)
            m->dst[k].ud[lane] = data[k][lane];
   return true;
}

bool
dp_typed_atomic(struct sim_eu_thread *t, const struct sim_message *m)
{
   const unsigned op = sim_message_bits(m, 8, 4);
   const bool returns = sim_message_bits(m, 13, 1);
   const unsigned operands = dp_atomic_operands(op, false);
   const unsigned total = m->mlen + m->ex_mlen;
   const unsigned fixed = m->header + operands;
   const struct sim_surface *s = typed_surface(t, m);
   uint32_t old[SLOTS] = {0};

   if (!s)
      return false;
   if (!dp_atomic_exists(op, false))
      return sim_msg_unknown(t, m, "typed atomic operation", op);
   if (total < fixed + 1 || total > fixed + 4 || m->rlen != returns ||
       (returns && !m->dst))
      return dp_check_lengths(t, m, "typed atomic", fixed + 4, returns);
   uint32_t mask = m->exec_mask & 0xff;
   if (m->header)
      mask &= m->src0[0].ud[7] >> (sim_message_bits(m, 12, 1) ? 8 : 0);
   for (unsigned lane = 0; lane < SLOTS; lane++) {
      uint32_t v[2] = {0};
      void *p;
      if (!(mask >> lane & 1))
         continue;
      const uint64_t a = texel_address(m, s, total - fixed, lane);
      if (!a)
         continue;
      for (unsigned i = 0; i < operands; i++)
         v[i] = dp_slot(m, total - operands + i, lane);
      if (!dp_pointer(t, &dp_flat, lane, a, 4, &p))
         return false;
      old[lane] = (uint32_t)dp_atomic(op, false, 4, p, v[0], v[1]);
   }
   for (unsigned lane = 0; lane < SLOTS && returns; lane++)
      if (mask >> lane & 1)
         m->dst[0].ud[lane] = old[lane];
   return true;
}
