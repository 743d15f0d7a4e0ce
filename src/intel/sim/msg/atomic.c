/* SPDX-License-Identifier: MIT */
/*
 * Atomic operations on memory; PRM SKL vol 7, "Untyped Atomic Operation" and
 * "Atomic Operations" (table of opcodes), "Untyped Atomic Float".
 *
 * Slots act one after the other, in their order. Other host threads may work
 * on the same memory, so each is a compare-and-swap of the host.
 */
#include "intel/sim/msg/atomic.h"

#include "intel/sim/msg/blocks.h"

unsigned
dp_atomic_operands(unsigned op, bool is_float)
{
   if (is_float)
      return op == ISA_AOP_FCMPWR ? 2 : 1;
   switch (op) {
   case ISA_AOP_INC:
   case ISA_AOP_DEC:
   case ISA_AOP_PREDEC: return 0;
   case ISA_AOP_CMPWR:
   case ISA_AOP_CMPWR_2W: return 2;
   default: return 1;
   }
}

bool
dp_atomic_exists(unsigned op, bool is_float)
{
   return is_float ? op >= ISA_AOP_FMAX && op <= ISA_AOP_FCMPWR : op != 0;
}

static uint64_t
compute_int(unsigned op, uint64_t old, uint64_t a, uint64_t b, bool wide)
{
   const int64_t so = wide ? (int64_t)old : (int32_t)old;
   const int64_t sa = wide ? (int64_t)a : (int32_t)a;
   switch (op) {
   case ISA_AOP_AND: return old & a;
   case ISA_AOP_OR: return old | a;
   case ISA_AOP_XOR: return old ^ a;
   case ISA_AOP_MOV: return a;
   case ISA_AOP_INC: return old + 1;
   case ISA_AOP_DEC:
   case ISA_AOP_PREDEC: return old - 1;
   case ISA_AOP_ADD: return old + a;
   case ISA_AOP_SUB: return old - a;
   case ISA_AOP_REVSUB: return a - old;
   case ISA_AOP_IMAX: return so > sa ? old : a;
   case ISA_AOP_IMIN: return so < sa ? old : a;
   case ISA_AOP_UMAX: return MAX2(old, a);
   case ISA_AOP_UMIN: return MIN2(old, a);
   /* The first operand is compared, the second one written. */
   case ISA_AOP_CMPWR: return old == a ? b : old;
   case ISA_AOP_CMPWR_2W: break;
   }
   unreachable("checked by dp_atomic_exists");
}

static bool
is_signaling(uint32_t f)
{
   return (f & 0x7fc00000) == 0x7f800000 && (f & 0x3fffff) != 0;
}

/* Whether fmin and fmax leave what is there: a signaling NaN wins over all, a
 * quiet one over none (GL_INTEL_shader_atomic_float_minmax, issue 3, which
 * speaks for Skylake's manuals). */
static bool
old_wins(uint32_t old, uint32_t a, bool max)
{
   const float fo = util_bits_float(old), fa = util_bits_float(a);
   if (is_signaling(old) || is_signaling(a))
      return is_signaling(old);
   if (fo != fo || fa != fa)
      return fa != fa;
   return max ? fo >= fa : fo <= fa;
}

static uint32_t
compute_float(unsigned op, uint32_t old, uint32_t a, uint32_t b)
{
   const float fo = util_bits_float(old), fa = util_bits_float(a);
   switch (op) {
   case ISA_AOP_FMAX: return old_wins(old, a, true) ? old : a;
   case ISA_AOP_FMIN: return old_wins(old, a, false) ? old : a;
   case ISA_AOP_FCMPWR: return fo == fa ? b : old;
   }
   unreachable("checked by dp_atomic_exists");
}

uint64_t
dp_atomic(unsigned op, bool is_float, unsigned size_B, void *p, uint64_t a,
          uint64_t b)
{
   uint64_t old, new;
   if (size_B == 8) {
      uint64_t expected = __atomic_load_n((uint64_t *)p, __ATOMIC_SEQ_CST);
      do {
         old = expected;
         new = compute_int(op, old, a, b, true);
      } while (!__atomic_compare_exchange_n((uint64_t *)p, &expected, new,
                                            false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST));
   } else {
      uint32_t expected = __atomic_load_n((uint32_t *)p, __ATOMIC_SEQ_CST);
      do {
         old = expected;
         new = is_float ? compute_float(op, old, a, b)
                        : (uint32_t)compute_int(op, old, a, b, false);
      } while (!__atomic_compare_exchange_n(
         (uint32_t *)p, &expected, (uint32_t) new, false, __ATOMIC_SEQ_CST,
         __ATOMIC_SEQ_CST));
   }
   /* PREDEC alone returns what it has written. */
   return !is_float && op == ISA_AOP_PREDEC ? new : old;
}

/* A64 is SIMD8 only. */
bool
dp_untyped_atomic(struct sim_eu_thread *t, const struct sim_message *m,
                  bool is_float, bool a64)
{
   const unsigned op = m->fields->aop;
   const bool returns = m->fields->returns;
   const bool wide = m->fields->wide;
   const unsigned slots = a64 ? 8 : m->fields->simd;
   const unsigned step = slots / 8, size_B = wide ? 8 : 4;
   struct dp_target target = dp_flat;

   if (!dp_atomic_exists(op, is_float))
      return sim_msg_unknown(t, m, "untyped atomic operation", op);
   if (!a64 && !dp_find_untyped(t, m, &target))
      return false;
   const unsigned operands = dp_atomic_operands(op, is_float);
   const unsigned addresses = target.pitch_B || a64 ? 2 : 1;
   const unsigned data = m->header + addresses * step;
   const unsigned data_step = wide ? 2 : step;
   if (!dp_check_lengths(t, m, "untyped atomic", data + operands * data_step,
                         returns ? data_step : 0))
      return false;

   uint64_t old[16] = { 0 };
   const uint32_t mask = dp_slot_mask(m, slots);
   for (unsigned lane = 0; lane < slots; lane++) {
      uint64_t v[2] = { 0 }, a;
      void *p;
      if (!(mask >> lane & 1))
         continue;
      a = a64 ? dp_slot_64(m, m->header, lane) : dp_slot(m, m->header, lane);
      if (target.pitch_B)
         a = a * target.pitch_B + dp_slot(m, m->header + step, lane);
      for (unsigned i = 0; i < operands; i++)
         v[i] = wide ? dp_slot_64(m, data + 2 * i, lane)
                     : dp_slot(m, data + i * step, lane);
      if (!dp_pointer(t, &target, lane, a, size_B, &p))
         return false;
      if (p)
         old[lane] = dp_atomic(op, is_float, size_B, p, v[0], v[1]);
   }
   for (unsigned lane = 0; lane < slots && returns; lane++) {
      if (!(mask >> lane & 1))
         continue;
      if (wide)
         m->dst[lane / 4].uq[lane % 4] = old[lane];
      else
         m->dst[lane / 8].ud[lane % 8] = (uint32_t)old[lane];
   }
   return true;
}

/*
 * SIMD4x2: two slots; U (and V) in the first dwords of each half of the
 * address register, the operands in those of the next; the old value comes
 * back in the first. PRM HSW vol 7, "Untyped Atomic Operation SIMD4x2". A64:
 * the address is the first qword of each half.
 */
bool
dp_untyped_atomic_4x2(struct sim_eu_thread *t, const struct sim_message *m,
                      bool a64)
{
   const unsigned op = m->fields->aop;
   const bool returns = m->fields->returns;
   const unsigned operands = dp_atomic_operands(op, false);
   struct dp_target target = dp_flat;
   uint32_t old[2] = { 0 };

   if (!dp_atomic_exists(op, false))
      return sim_msg_unknown(t, m, "untyped atomic operation", op);
   if (!dp_check_lengths(t, m, "untyped atomic SIMD4x2",
                         m->header + 1 + (operands > 0), returns) ||
       (!a64 && !dp_find_untyped(t, m, &target)))
      return false;
   for (unsigned slot = 0; slot < 2; slot++) {
      const uint32_t *at = &sim_message_payload(m, m->header)->ud[4 * slot];
      const uint32_t *v =
         operands ? &sim_message_payload(m, m->header + 1)->ud[4 * slot] : at;
      void *p;
      if (!(m->exec_mask >> 4 * slot & 0xf))
         continue;
      const uint64_t a = a64 ? at[0] | (uint64_t)at[1] << 32
                         : target.pitch_B
                            ? (uint64_t)at[0] * target.pitch_B + at[1]
                            : at[0];
      if (!dp_pointer(t, &target, 4 * slot, a, 4, &p))
         return false;
      if (p)
         old[slot] = (uint32_t)dp_atomic(op, false, 4, p, v[0], v[1]);
   }
   for (unsigned slot = 0; slot < 2 && returns; slot++)
      if (m->exec_mask >> 4 * slot & 1)
         m->dst[0].ud[4 * slot] = old[slot];
   return true;
}
