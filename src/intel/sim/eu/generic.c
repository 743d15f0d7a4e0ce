/* SPDX-License-Identifier: MIT */
/*
 * Every arithmetic, logic and move instruction in every form, one lane at a
 * time: fetch through the region, source modifiers, the operation, saturate
 * and conversion, condition, write under the mask. Each of these is one
 * function for all opcodes; an opcode is a line in one of the tables of
 * alu.c. Slow and complete: fast.c has the common forms.
 *
 * An instruction whose operands span two GRFs is executed as two halves, one
 * after the other, so the second half sees what the first has written (PRM
 * SKL vol 7, "Region parameters", and eu fp64 facts 1.2.15).
 */
#include "intel/sim/eu/alu.h"

#include <math.h>

struct eu_pred_group
eu_pred_group(enum isa_pred pred)
{
   static const struct eu_pred_group groups[ISA_PRED_COUNT] = {
      [ISA_PRED_ANY2H] = { 2, true },   [ISA_PRED_ALL2H] = { 2, false },
      [ISA_PRED_ANY4H] = { 4, true },   [ISA_PRED_ALL4H] = { 4, false },
      [ISA_PRED_ANY8H] = { 8, true },   [ISA_PRED_ALL8H] = { 8, false },
      [ISA_PRED_ANY16H] = { 16, true }, [ISA_PRED_ALL16H] = { 16, false },
      [ISA_PRED_ANY32H] = { 32, true }, [ISA_PRED_ALL32H] = { 32, false },
   };
   assert(pred < ISA_PRED_COUNT && groups[pred].size && "over groups");
   return groups[pred];
}

uint32_t
eu_predicate_slow(const struct sim_eu_thread *t, const struct eu_op *op)
{
   const uint32_t all = t->flag[op->flag_nr] >> op->flag_shift;
   uint32_t p = 0;

   switch (op->pred) {
   case ISA_PRED_NONE: return ~0u;
   case ISA_PRED_NORMAL: return all >> op->group;
   case ISA_PRED_ANYV:
      return (t->flag[0] | t->flag[1]) >> op->flag_shift >> op->group;
   case ISA_PRED_ALLV:
      return (t->flag[0] & t->flag[1]) >> op->flag_shift >> op->group;
   case ISA_PRED_X:
   case ISA_PRED_Y:
   case ISA_PRED_Z:
   case ISA_PRED_W: {
      const unsigned comp = op->pred - ISA_PRED_X;
      for (unsigned i = 0; i < 32; i += 4)
         p |= (all >> (i + comp) & 1) * (0xfu << i);
      return p >> op->group;
   }
   default: break;
   }
   const struct eu_pred_group g = eu_pred_group(op->pred);
   const uint32_t full = BITFIELD_MASK(g.size);
   for (unsigned i = 0; i < 32; i += g.size) {
      const uint32_t bits = all >> i & full;
      if (g.any ? bits != 0 : bits == full)
         p |= full << i;
   }
   return p >> op->group;
}

/* Architecture registers ---------------------------------------------- */

/* By the cost model (timing.c), which knows no waiting: what the thread has
 * run since it last read its clock. */
static uint64_t
cycles_since_read(struct sim_eu_thread *t)
{
   const struct eu_op *op = eu_program_at(t->program, t->ip_B);
   const struct eu_op *start = t->run_start;
   const uint64_t now = t->stats.cycles + op->cycle - start->cycle;
   const uint64_t passed = now - t->clock_read;
   t->clock_read = now;
   return passed;
}

/* The state behind an architecture register other than an accumulator; NULL
 * if there is none. Writable tells whether a program may change it. */
static void *
arf_bytes(struct sim_eu_thread *t, uint8_t nr, unsigned *size_B,
          bool *writable)
{
   static _Thread_local uint64_t clock;
   const unsigned i = nr & 15;
   *writable = true;
   switch (nr & 0xf0) {
   case ISA_ARF_ADDRESS:
      *size_B = sizeof(t->address);
      return i == 0 ? t->address : NULL;
   case ISA_ARF_FLAG: *size_B = 4; return i < 2 ? &t->flag[i] : NULL;
   case ISA_ARF_STACK_POINTER: *size_B = sizeof(t->sp); return t->sp;
   case ISA_ARF_STATE:
      *size_B = sizeof(t->sr0);
      return i == 0 ? t->sr0 : NULL;
   case ISA_ARF_CONTROL:
      *size_B = sizeof(t->cr0);
      return i == 0 ? t->cr0 : NULL;
   case ISA_ARF_NOTIFICATION:
      *size_B = sizeof(t->notify);
      return i == 0 ? t->notify : NULL;
   case ISA_ARF_THREAD_DEPENDENCY: *size_B = sizeof(t->tdr); return t->tdr;
   case ISA_ARF_TIMESTAMP:
      /* One clock for all threads, in the order in which they run. */
      clock += 1 + cycles_since_read(t);
      t->tm0[0] = (uint32_t)clock;
      t->tm0[1] = (uint32_t)(clock >> 32);
      *size_B = sizeof(t->tm0);
      *writable = false;
      return t->tm0;
   case ISA_ARF_DEBUG: *size_B = sizeof(t->dbg); return t->dbg;
   case ISA_ARF_CHANNEL_ENABLE:
      t->mask_stack_ce = t->active;
      *size_B = 4;
      *writable = false;
      return &t->mask_stack_ce;
   case ISA_ARF_IP:
      *size_B = 4;
      *writable = false;
      return &t->ip_B;
   default: return NULL;
   }
}

/* Channel of an accumulator operand that `off_B` bytes after its start hold,
 * as if it were a GRF of elements of this size. */
static union sim_acc *
acc_channel(struct sim_eu_thread *t, const struct eu_operand *o,
            unsigned lane)
{
   const unsigned i = ((o->nr & 15) * SIM_GRF_B + o->lane_off_B[lane]) /
                      MAX2(o->size_B, 2);
   return i < ARRAY_SIZE(t->acc) ? &t->acc[i] : NULL;
}

/* Fetch ------------------------------------------------------------------ */

static inline uint64_t
load_bits(const void *p, unsigned size_B)
{
   uint64_t u = 0;
   memcpy(&u, p, size_B);
   return u;
}

bool
eu_lane_address(const struct sim_eu_thread *t, const struct eu_slow *s,
                const struct eu_operand *o, unsigned lane, unsigned *address)
{
   if (o->where == EU_GRF) {
      *address = o->lane_off_B[lane];
      return true;
   }
   const unsigned row = o->addr_rows ? lane / o->addr_row : 0;
   const unsigned reg = o->addr_subnr + row;
   if (reg >= ARRAY_SIZE(t->address))
      return false;
   int a = t->address[reg];
   if (s->traits->indirect_without_carry) {
      /* Of the low five bits, into the register number. */
      a = (((a & ~31) + (o->addr_imm_B & ~31)) & ~31) |
          ((a + o->addr_imm_B) & 31);
   } else {
      a += o->addr_imm_B;
   }
   a += o->lane_off_B[lane];
   *address = a;
   return a >= 0 && a + o->size_B <= SIM_GRF_COUNT * SIM_GRF_B;
}

/* The bits of one element; `enabled` says whether a wrong address counts. */
static bool
fetch_bits(struct sim_eu_thread *t, const struct eu_slow *s,
           const struct eu_operand *o, unsigned lane, bool enabled,
           uint64_t *bits)
{
   unsigned a = 0;
   *bits = 0;
   switch (o->where) {
   case EU_NULL: return true;
   case EU_IMM: *bits = o->imm[lane & 7]; return true;
   case EU_GRF:
   case EU_INDIRECT:
      if (eu_lane_address(t, s, o, lane, &a)) {
         *bits = load_bits((uint8_t *)t->grf + a, o->size_B);
         return true;
      }
      if (!enabled)
         return true;
      sim_eu_fault(t, SIM_FAULT_RANGE,
                   "indirect source at byte %d of the register file "
                   "(PRM SKL vol 7, Register-Indirect Addressing)",
                   (int)a);
      t->fault.lane = lane;
      return false;
   case EU_ARF: {
      if ((o->nr & 0xf0) == ISA_ARF_ACC) {
         const union sim_acc *c = acc_channel(t, o, lane);
         *bits = c ? load_bits(c, o->size_B) : 0;
         if (c)
            return true;
      } else {
         unsigned size_B;
         bool writable;
         const uint8_t *p = arf_bytes(t, o->nr, &size_B, &writable);
         if (p && o->lane_off_B[lane] + o->size_B <= size_B) {
            *bits = load_bits(p + o->lane_off_B[lane], o->size_B);
            return true;
         }
      }
      return sim_eu_fault(t, SIM_FAULT_RANGE,
                          "no architecture register "
                          "0x%02x at byte %u",
                          o->nr, o->lane_off_B[lane]);
   }
   }
   unreachable("operand place");
}

float
eu_flush_f(const struct sim_eu_thread *t, float f)
{
   if (eu_keeps_denorms_f(t))
      return f;
   const uint32_t u = util_float_bits(f);
   return u & 0x7f800000 ? f : util_bits_float(u & 0x80000000);
}

static double
flush_df(const struct sim_eu_thread *t, double d)
{
   if (t->cr0[0] & SIM_CR0_DENORM_DF)
      return d;
   const uint64_t u = util_double_bits(d);
   return u >> 52 & 0x7ff ? d : util_bits_double(u & 1ull << 63);
}

/* A float of any format as a double, exactly, denormals flushed as its own
 * format's control says. */
static double
float_value(const struct sim_eu_thread *t, uint64_t bits, enum isa_type type)
{
   switch (type) {
   case ISA_TYPE_HF:
      return eu_half_to_float(bits, t->cr0[0] & SIM_CR0_DENORM_HF);
   case ISA_TYPE_DF: return flush_df(t, util_bits_double(bits));
   default: {
      /* A double has room for a float denormal, which the host would flush
       * while converting. */
      const uint32_t u = bits;
      if (u & 0x7f800000)
         return util_bits_float(u);
      double d = (double)(int)(u & 0x7fffff) * 0x1p-149;
      if (!eu_keeps_denorms_f(t))
         d = 0;
      return u >> 31 ? -d : d;
   }
   }
}

eu_i128
eu_int_value(uint64_t bits, enum isa_type type)
{
   switch (type) {
   case ISA_TYPE_UB: return (uint8_t)bits;
   case ISA_TYPE_B: return (int8_t)bits;
   case ISA_TYPE_UW:
   case ISA_TYPE_UV: return (uint16_t)bits;
   case ISA_TYPE_W:
   case ISA_TYPE_V: return (int16_t)bits;
   case ISA_TYPE_D: return (int32_t)bits;
   case ISA_TYPE_Q: return (int64_t)bits;
   case ISA_TYPE_UQ: return bits;
   default: return (uint32_t)bits;
   }
}

static uint64_t
float_modifier_bits(const struct eu_operand *o, uint64_t bits)
{
   const unsigned shift = o->type == ISA_TYPE_HF   ? 15
                          : o->type == ISA_TYPE_DF ? 63
                                                   : 31;
   if (o->abs)
      bits &= ~(1ull << shift);
   if (o->negate)
      bits ^= 1ull << shift;
   return bits;
}

/* What the operation sees of one element. */
static union eu_value
to_value(const struct sim_eu_thread *t, const struct eu_slow *s,
         const struct eu_operand *o, uint64_t bits)
{
   union eu_value v = { 0 };

   if (s->raw) {
      v.i = bits;
      return v;
   }
   if (eu_type_is_float(o->type)) {
      bits = float_modifier_bits(o, bits);
      if (s->cls == EU_DF)
         v.d = float_value(t, bits, o->type);
      else if (o->type == ISA_TYPE_HF)
         v.f = eu_half_to_float(bits, t->cr0[0] & SIM_CR0_DENORM_HF);
      else
         v.f = util_bits_float(bits);
      if (s->cls == EU_F && eu_is_alt(t))
         v.f = eu_alt_limit(v.f);
      return v;
   }
   eu_i128 i = eu_int_value(bits, o->type);
   if (o->abs && i < 0)
      i = -i;
   if (o->negate)
      i = s->is_logic ? ~i : -i;
   if (s->cls == EU_INT)
      v.i = i;
   else if (s->cls == EU_DF)
      v.d = i > INT64_MAX ? (double)(uint64_t)i : (double)(int64_t)i;
   else
      v.f = i > INT64_MAX ? (float)(uint64_t)i : (float)(int64_t)i;
   return v;
}

bool
eu_fetch(struct sim_eu_thread *t, const struct eu_slow *s, unsigned src,
         unsigned lane, bool enabled, union eu_value *v)
{
   uint64_t bits;
   if (!fetch_bits(t, s, &s->src[src], lane, enabled, &bits))
      return false;
   *v = to_value(t, s, &s->src[src], bits);
   return true;
}

/* Results ------------------------------------------------------------- */

static void
int_limits(enum isa_type type, eu_i128 *lo, eu_i128 *hi)
{
   const unsigned bits = 8 * isa_type_size_B(type);
   const bool sign = eu_type_is_signed(type);
   *hi = ((eu_i128)1 << (bits - sign)) - 1;
   *lo = sign ? -*hi - 1 : 0;
}

/* Truncates toward zero whatever the rounding mode; what does not fit
 * becomes the nearest integer that does, NaN becomes 0. PRM SKL vol 7,
 * "Floating-Point to Integer". */
static eu_i128
float_to_int(double d, enum isa_type type)
{
   eu_i128 lo, hi;
   int_limits(type, &lo, &hi);
   if (d != d)
      return 0;
   if (d <= -0x1p63)
      return lo < -(eu_i128)INT64_MAX ? (eu_i128)INT64_MIN : lo;
   if (d >= 0x1p64)
      return hi;
   const eu_i128 i = d >= 0x1p63 ? (eu_i128)(uint64_t)d : (eu_i128)(int64_t)d;
   return CLAMP(i, lo, hi);
}

static float
saturate_f(float f)
{
   return f > 0 ? (f < 1 ? f : 1) : 0;
}

static double
saturate_d(double d)
{
   return d > 0 ? (d < 1 ? d : 1) : 0;
}

/*
 * A result is flushed when it is a denormal after rounding: doubles just
 * below 2^-126 become that number (piglit's
 * conversion-explicit-double-float).
 */
static float
double_to_float(struct sim_eu_thread *t, double d)
{
   /* Volatile: neither conversion nor its operands may be moved. */
   volatile double in = d;
   eu_use_fp(t, EU_FP_NARROW);
   volatile float f = (float)in;
   eu_use_fp(t, EU_FP_DF);
   return eu_flush_f(t, f);
}

/* One rounding, from the exact integer; halves get theirs later. */
static union eu_value
int_to_float(union eu_value v, enum isa_type type)
{
   const bool big = v.i > INT64_MAX;
   if (type == ISA_TYPE_DF)
      v.d = big ? (double)(uint64_t)v.i : (double)(int64_t)v.i;
   else if (type == ISA_TYPE_F)
      v.f = big ? (float)(uint64_t)v.i : (float)(int64_t)v.i;
   else
      v.f = CLAMP((int64_t)v.i, -(1 << 20), 1 << 20);
   return v;
}

/* The bits of a computed result, in `d` its value. */
static uint64_t
finish_float(struct sim_eu_thread *t, const struct eu_op *op,
             union eu_value v, struct eu_condition *c, double *d)
{
   const struct eu_slow *s = op->slow;
   const enum isa_type type = s->dst.type;
   if (s->cls == EU_INT)
      v = int_to_float(v, type);
   const bool from_df = s->cls == EU_DF ||
                        (s->cls == EU_INT && type == ISA_TYPE_DF);
   c->overflow |= from_df ? isinf(v.d) : isinf(v.f);
   if (op->flags & EU_SAT) {
      if (from_df)
         v.d = saturate_d(v.d);
      else
         v.f = saturate_f(v.f);
   }
   if (type == ISA_TYPE_DF) {
      if (!from_df)
         v.d = float_value(t, util_float_bits(v.f), ISA_TYPE_F);
      *d = v.d;
      return util_double_bits(v.d);
   }
   if (type == ISA_TYPE_F) {
      if (from_df)
         v.f = double_to_float(t, v.d);
      *d = v.f;
      return util_float_bits(v.f);
   }
   const unsigned rounding = (t->cr0[0] & SIM_CR0_ROUND_MASK) >>
                             SIM_CR0_ROUND_SHIFT;
   const bool keep = t->cr0[0] & SIM_CR0_DENORM_HF;
   const uint64_t bits = from_df ? eu_double_to_half(v.d, rounding, keep)
                                 : eu_float_to_half(v.f, rounding, keep);
   *d = eu_half_to_float(bits, keep);
   return bits;
}

/* The result as bits of the destination's type, and what a conditional
 * modifier sees of it: the final value, after saturation and conversion, but
 * overflow as before saturation (PRM KBL vol 7, "Assigning Conditional
 * Flags", with the observation that saturation does count for zero). */
uint64_t
eu_finish(struct sim_eu_thread *t, const struct eu_op *op, union eu_value v,
          struct eu_condition *c)
{
   const struct eu_slow *s = op->slow;
   const enum isa_type type = s->dst.type;

   *c = (struct eu_condition) { 0 };
   if (s->raw && !eu_type_is_float(type)) {
      const eu_i128 i = eu_int_value(v.i, type);
      c->zero = i == 0;
      c->negative = i < 0;
      return v.i;
   }
   if (s->cls == EU_F && !s->raw && eu_is_alt(t)) {
      c->overflow = isinf(v.f);
      v.f = eu_alt_limit(v.f);
   }
   if (eu_type_is_float(type)) {
      uint64_t bits = v.i;
      double d;
      if (s->raw)
         d = float_value(t, bits, type);
      else
         bits = finish_float(t, op, v, c, &d);
      c->nan = d != d;
      c->zero = d == 0;
      c->negative = d < 0;
      return bits;
   }

   eu_i128 lo, hi, i;
   int_limits(type, &lo, &hi);
   if (s->cls == EU_INT) {
      i = v.i;
      c->overflow = i < lo || i > hi;
      if (op->flags & EU_SAT)
         i = CLAMP(i, lo, hi);
   } else {
      i = float_to_int(s->cls == EU_DF ? v.d : (double)v.f, type);
   }
   i = eu_int_value((uint64_t)i, type);
   c->zero = i == 0;
   c->negative = i < 0;
   return (uint64_t)i;
}

bool
eu_condition_holds(const struct eu_condition *c, enum isa_cond_mod m)
{
   switch (m) {
   case ISA_COND_MOD_NONE: return false;
   case ISA_COND_MOD_Z: return c->zero;
   case ISA_COND_MOD_NZ: return !c->zero;
   case ISA_COND_MOD_G: return !c->nan && !c->negative && !c->zero;
   case ISA_COND_MOD_GE: return !c->nan && (!c->negative || c->zero);
   case ISA_COND_MOD_L: return !c->nan && c->negative && !c->zero;
   case ISA_COND_MOD_LE: return !c->nan && (c->negative || c->zero);
   case ISA_COND_MOD_O: return c->overflow;
   case ISA_COND_MOD_U: return c->nan;
   }
   unreachable("conditional modifier");
}

/* tm0.4: for how long the thread waits. Time here is the cost model's, which
 * knows no waiting. */
static bool
is_pause(const struct eu_slow *s, const struct eu_operand *o, unsigned lane)
{
   return (o->nr & 0xf0) == ISA_ARF_TIMESTAMP && s->traits->pause_counter &&
          o->lane_off_B[lane] == 16;
}

/* Writes one element. `exact` is the result before it was cut to the
 * destination, for accumulators, which are wider. */
bool
eu_write(struct sim_eu_thread *t, const struct eu_slow *s, unsigned lane,
         uint64_t bits, const union eu_value *exact)
{
   const struct eu_operand *o = &s->dst;
   unsigned a = 0;
   switch (o->where) {
   case EU_NULL: return true;
   case EU_GRF:
   case EU_INDIRECT:
      if (!eu_lane_address(t, s, o, lane, &a)) {
         sim_eu_fault(t, SIM_FAULT_RANGE,
                      "indirect destination at byte %d "
                      "of the register file",
                      (int)a);
         t->fault.lane = lane;
         return false;
      }
      memcpy((uint8_t *)t->grf + a, &bits, o->size_B);
      return true;
   case EU_ARF: {
      if ((o->nr & 0xf0) == ISA_ARF_ACC) {
         union sim_acc *c = acc_channel(t, o, lane);
         if (!c)
            break;
         c->uq = s->cls == EU_INT && !s->raw && exact
                    ? (uint64_t)exact->i
                    : (uint64_t)eu_int_value(bits, o->type);
         return true;
      }
      unsigned size_B;
      bool writable;
      if (is_pause(s, o, lane))
         return true;
      uint8_t *p = arf_bytes(t, o->nr, &size_B, &writable);
      if (!p || !writable || o->lane_off_B[lane] + o->size_B > size_B)
         break;
      memcpy(p + o->lane_off_B[lane], &bits, o->size_B);
      if ((o->nr & 0xf0) != ISA_ARF_CONTROL)
         return true;
      eu_update_host_fp(t);
      t->control_written = true;
      return eu_check_control(t);
   }
   case EU_IMM: break;
   }
   return sim_eu_fault(t, SIM_FAULT_RANGE,
                       "architecture register 0x%02x cannot be written at "
                       "byte %u",
                       o->nr, o->lane_off_B[lane]);
}

uint32_t
eu_lanes_of_mask(const struct eu_op *op, uint32_t channels)
{
   const struct eu_slow *s = op->slow;
   uint32_t lanes = channels & op->lanes;
   if (s->second != s->half) {
      const uint32_t low = BITFIELD_MASK(s->half);
      lanes = (channels & low) | ((channels >> s->second) & low) << s->half;
   }
   return lanes & s->lane_mask;
}

static void
set_lane_flags(struct sim_eu_thread *t, const struct eu_op *op,
               uint32_t lanes, uint32_t bits)
{
   const struct eu_slow *s = op->slow;
   if (s->second == s->half) {
      eu_set_flags(t, op, lanes, bits);
      return;
   }
   const uint32_t low = BITFIELD_MASK(s->half);
   eu_set_flags(t, op, lanes & low, bits & low);
   eu_set_flags(t, op, (lanes >> s->half) << s->second,
                (bits >> s->half) << s->second);
}

static void
write_implicit_acc(struct sim_eu_thread *t, const struct eu_op *op,
                   unsigned lane, const union eu_value *v)
{
   union sim_acc *acc = eu_implicit_acc(t, op, lane);
   const enum eu_class cls = op->slow->cls;
   if (cls == EU_INT)
      acc->q = (int64_t)v->i;
   else if (cls == EU_DF)
      acc->df = v->d;
   else
      acc->uq = util_float_bits(v->f);
}

/* One half: reads everything that it needs before it writes. */
static bool
run_half(struct sim_eu_thread *t, const struct eu_op *op, unsigned lo,
         uint32_t enabled, uint32_t selected, uint32_t *flag_bits)
{
   const struct eu_slow *s = op->slow;
   const struct isa_inst *inst = op->inst;
   const unsigned hi = MIN2(lo + s->half, op->exec_size);
   union eu_value r[SIM_MAX_LANES], v[3] = { 0 };
   bool truth[SIM_MAX_LANES];

   for (unsigned lane = lo; lane < hi; lane++) {
      const bool on = enabled >> lane & 1;
      for (unsigned i = 0; i < s->nsrc; i++) {
         if (!eu_fetch(t, s, i, lane, on, &v[i]))
            return false;
      }
      truth[lane] = false;
      if (on && !eu_alu(t, op, lane, selected >> lane & 1, v, &r[lane],
                        &truth[lane]))
         return false;
   }
   for (unsigned lane = lo; lane < hi; lane++) {
      if (!(enabled >> lane & 1))
         continue;
      struct eu_condition c;
      uint64_t bits;
      if (eu_is_compare(inst->opcode)) {
         bits = truth[lane] ? ~0ull : 0;
         r[lane].i = -(eu_i128)truth[lane];
         *flag_bits |= (uint32_t)truth[lane] << lane;
      } else {
         bits = eu_finish(t, op, r[lane], &c);
         *flag_bits |= (uint32_t)eu_condition_holds(&c, op->cmod) << lane;
      }
      if (inst->acc_wr_en && !eu_owns_acc(inst->opcode))
         write_implicit_acc(t, op, lane, &r[lane]);
      if (!eu_write(t, s, lane, bits, &r[lane]))
         return false;
   }
   return true;
}

const struct eu_op *
eu_generic(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct eu_slow *s = op->slow;
   const enum isa_opcode opcode = op->inst->opcode;
   const uint32_t active = op->flags & EU_NO_MASK ? ~0u
                                                  : t->active >> op->group;
   const uint32_t predicate = op->flags & EU_PRED ? eu_predicate(t, op) : ~0u;
   const uint32_t selected = eu_lanes_of_mask(op, predicate);
   uint32_t enabled = eu_lanes_of_mask(op, active);
   uint32_t flag_bits = 0;

   t->ip_B = op->ip_B;
   /* The predicate of SEL chooses, it does not disable. */
   if (opcode != ISA_OPCODE_SEL)
      enabled &= selected;
   eu_use_fp(t, s->cls == EU_DF                       ? EU_FP_DF
                : op->inst->opcode == ISA_OPCODE_MATH ? EU_FP_MATH
                                                      : EU_FP_F);

   for (unsigned lo = 0; lo < op->exec_size; lo += s->half) {
      if (!run_half(t, op, lo, enabled, selected, &flag_bits)) {
         t->status = SIM_EU_FAULT;
         return NULL;
      }
   }
   if (eu_writes_flags(op))
      set_lane_flags(t, op, enabled, flag_bits);
   if (__builtin_expect(t->control_written, 0)) {
      t->resume = op + 1;
      return NULL;
   }
   return op + 1;
}
