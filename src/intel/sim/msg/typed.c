/* SPDX-License-Identifier: MIT */
/*
 * Typed surface messages: texels by coordinates, converted as the surface's
 * format says. PRM SKL vol 7, "Typed Surface Read/Write", "Typed Atomic
 * Operation".
 *
 * Payload: header if there is one, then U, V, R and LOD (one register each,
 * those that are there at the end of the address part are given by the
 * length), then data. Eight slots; the descriptor says which half of a SIMD16
 * thread's pixel mask they use, or that there are two with four channels each
 * (SIMD4x2).
 */
#include "intel/isl/isl.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/mem/surface.h"
#include "intel/sim/msg/atomic.h"
#include "intel/sim/msg/blocks.h"
#include "intel/sim/msg/surface_rules.h"

#define SLOTS 8

/* Which slots take part: the half of the header's mask. */
static uint32_t
typed_mask(const struct sim_message *m)
{
   uint32_t mask = m->exec_mask & 0xff;
   if (m->header)
      mask &= m->src0[0].ud[7] >>
              (m->fields->slots == ISA_SLOTS_HIGH ? 8 : 0);
   return mask;
}

/* Address of a slot's texel from `params` coordinates; 0: outside. */
static uint64_t
texel_address(const struct sim_message *m, const struct sim_surface *s,
              unsigned params, unsigned lane)
{
   uint32_t c[4] = { 0 };
   for (unsigned i = 0; i < params; i++)
      c[i] = dp_slot(m, m->header + i, lane);
   return sim_surface_typed_address(s, c[0], c[1], c[2], c[3]);
}

/* PRM SKL vol 2d, RENDER_SURFACE_STATE, "Auxiliary Surface Mode": what the
 * data port reads and writes has none. */
static const struct sim_surface *
typed_surface(struct sim_eu_thread *t, const struct sim_message *m,
              enum sim_thread_rule rule)
{
   const struct sim_surface *s = dp_surface(t, m);
   if (s && s->aux.mode != SIM_AUX_NONE) {
      sim_eu_fault(t, SIM_FAULT_MESSAGE,
                   "a typed message to a surface with "
                   "an auxiliary surface (PRM SKL vol 2d)");
      return NULL;
   }
   if (s && t->shadow && !sim_strict_format(t, s, rule))
      return NULL;
   return s;
}

static uint64_t
address_4x2(const struct sim_message *m, const struct sim_surface *s,
            unsigned slot)
{
   const uint32_t *c = &sim_message_payload(m, m->header)->ud[4 * slot];
   return sim_surface_typed_address(s, c[0], c[1], c[2], c[3]);
}

/*
 * What texels are read as. Gen9 gives the bits of what it does not convert,
 * as if they were one or two unsigned integers: anv of Mesa 25, which names
 * the view's own format in the surface state and converts in the shader,
 * counts on that (Mesa's isl_lower_storage_image_format()).
 */
static unsigned
read_format(unsigned verx10, unsigned format)
{
   if (!sim_traits(verx10)->typed_reads_give_bits ||
       isl_format_supports_on(verx10, (enum isl_format)format,
                              ISL_FORMAT_USE_TYPED_READ))
      return format;
   switch (sim_format_size_B(format)) {
   case 1: return ISL_FORMAT_R8_UINT;
   case 2: return ISL_FORMAT_R16_UINT;
   case 4: return ISL_FORMAT_R32_UINT;
   case 8: return ISL_FORMAT_R32G32_UINT;
   default: return format;
   }
}

/*
 * SIMD4x2: two slots, each with half of a register: U, V, R and LOD, then the
 * channels in their places. PRM HSW vol 7, "Typed Surface Read/Write",
 * "SIMD4x2".
 */
static bool
typed_4x2(struct sim_eu_thread *t, const struct sim_message *m, bool write,
          const struct sim_surface *s, uint32_t channels)
{
   const unsigned size_B = sim_format_size_B(s->format);
   const unsigned format = read_format(t->env->verx10, s->format);
   uint32_t rgba[2][4] = { 0 };
   if (!dp_check_lengths(t, m, "typed SIMD4x2 message",
                         m->header + (write ? 2 : 1), write ? 0 : 1))
      return false;
   for (unsigned slot = 0; slot < 2; slot++) {
      const uint64_t a = address_4x2(m, s, slot);
      const uint32_t on = m->exec_mask >> 4 * slot & channels;
      uint8_t texel[16];
      if (!a || !on)
         continue;
      if (!write) {
         if (!dp_read(t, &dp_flat, 4 * slot, a, texel, size_B))
            return false;
         sim_format_unpack(format, texel, rgba[slot]);
         continue;
      }
      const union sim_grf *v = sim_message_payload(m, m->header + 1);
      for (unsigned c = 0; c < 4; c++)
         if (on >> c & 1)
            rgba[slot][c] = v->ud[4 * slot + c];
      sim_format_pack(s->format, rgba[slot], texel);
      if (!dp_write(t, &dp_flat, 4 * slot, a, texel, size_B))
         return false;
   }
   for (unsigned d = 0; d < 8 && !write; d++)
      if (m->exec_mask >> d & 1 && channels >> d % 4 & 1)
         m->dst[0].ud[d] = rgba[d / 4][d % 4];
   return true;
}

static bool
check_format(struct sim_eu_thread *t, const struct sim_surface *s, bool write)
{
   if (s->type == SIM_SURFACE_NULL ||
       (write
           ? sim_format_can_pack(s->format)
           : sim_format_can_unpack(read_format(t->env->verx10, s->format))))
      return true;
   return sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                       "typed access to format %s",
                       sim_format_name(s->format));
}

bool
dp_typed(struct sim_eu_thread *t, const struct sim_message *m, bool write)
{
   const uint32_t channels = ~m->fields->channels_off & 0xf;
   const unsigned count = __builtin_popcount(channels);
   const unsigned total = m->mlen + m->ex_mlen;
   const unsigned fixed = m->header + (write ? count : 0);
   const struct sim_surface *s = typed_surface(
      t, m, write ? SIM_RULE_FORMAT_WRITTEN : SIM_RULE_FORMAT_READ);
   uint32_t data[4][SLOTS];

   if (!s || !check_format(t, s, write))
      return false;
   if (m->fields->slots == ISA_SLOTS_4X2 && count)
      return typed_4x2(t, m, write, s, channels);
   if (!count || total < fixed + 1 || total > fixed + 4 ||
       m->rlen != (write ? 0 : count) || (m->rlen && !m->dst))
      return dp_check_lengths(t, m, "typed surface message", fixed + 4,
                              write ? 0 : count);

   const uint32_t mask = typed_mask(m);
   const unsigned params = total - fixed;
   const unsigned size_B = sim_format_size_B(s->format);
   const unsigned format = read_format(t->env->verx10, s->format);
   for (unsigned lane = 0; lane < SLOTS; lane++) {
      uint32_t rgba[4] = { 0 };
      uint8_t texel[16];
      if (!(mask >> lane & 1))
         continue;
      const uint64_t a = texel_address(m, s, params, lane);
      if (write) {
         if (!a)
            continue;
         for (unsigned c = 0, k = 0; c < 4; c++)
            if (channels >> c & 1)
               rgba[c] = dp_slot(m, m->header + params + k++, lane);
         sim_format_pack(s->format, rgba, texel);
         if (!dp_write(t, &dp_flat, lane, a, texel, size_B))
            return false;
         continue;
      }
      if (a && !dp_read(t, &dp_flat, lane, a, texel, size_B))
         return false;
      if (a)
         sim_format_unpack(format, texel, rgba);
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
   const unsigned op = m->fields->aop;
   const bool returns = m->fields->returns;
   const unsigned operands = dp_atomic_operands(op, false);
   const unsigned total = m->mlen + m->ex_mlen;
   const unsigned fixed = m->header + operands;
   const struct sim_surface *s = typed_surface(t, m, SIM_RULE_FORMAT_ATOMIC);
   uint32_t old[SLOTS] = { 0 };

   if (!s)
      return false;
   if (!dp_atomic_exists(op, false))
      return sim_msg_unknown(t, m, "typed atomic operation", op);
   if (total < fixed + 1 || total > fixed + 4 || m->rlen != returns ||
       (returns && !m->dst))
      return dp_check_lengths(t, m, "typed atomic", fixed + 4, returns);
   uint32_t mask = m->exec_mask & 0xff;
   if (m->header)
      mask &= m->src0[0].ud[7] >> (m->fields->slots_high ? 8 : 0);
   for (unsigned lane = 0; lane < SLOTS; lane++) {
      uint32_t v[2] = { 0 };
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

/* SIMD4x2: operands in the first dwords of each half, as the result. PRM HSW
 * vol 7, "Typed Atomic Operation SIMD4x2". */
bool
dp_typed_atomic_4x2(struct sim_eu_thread *t, const struct sim_message *m)
{
   const unsigned op = m->fields->aop;
   const bool returns = m->fields->returns;
   const unsigned operands = dp_atomic_operands(op, false);
   const struct sim_surface *s = typed_surface(t, m, SIM_RULE_FORMAT_ATOMIC);
   uint32_t old[2] = { 0 };

   if (!s)
      return false;
   if (!dp_atomic_exists(op, false))
      return sim_msg_unknown(t, m, "typed atomic operation", op);
   if (!dp_check_lengths(t, m, "typed atomic SIMD4x2",
                         m->header + 1 + (operands > 0), returns))
      return false;
   for (unsigned slot = 0; slot < 2; slot++) {
      const uint64_t a = address_4x2(m, s, slot);
      const uint32_t *v =
         &sim_message_payload(m, m->header + (operands > 0))->ud[4 * slot];
      void *p;
      if (!a || !(m->exec_mask >> 4 * slot & 0xf))
         continue;
      if (!dp_pointer(t, &dp_flat, 4 * slot, a, 4, &p))
         return false;
      old[slot] = (uint32_t)dp_atomic(op, false, 4, p, v[0], v[1]);
   }
   for (unsigned slot = 0; slot < 2 && returns; slot++)
      if (m->exec_mask >> 4 * slot & 1)
         m->dst[0].ud[4 * slot] = old[slot];
   return true;
}
