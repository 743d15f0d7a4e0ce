/* SPDX-License-Identifier: MIT */
/*
 * How undefined bits go through arithmetic: bit by bit through moves, logic,
 * shifts and selections; upwards through integer sums, as carries do; from
 * any bit to all of them elsewhere. What the defined bits decide alone (AND
 * with zero, a comparison that differs in a defined bit) is defined.
 *
 * Channels that are off are not looked at and keep what they had.
 */
#include "shadow_private.h"

#include "intel/sim/eu/alu.h"

/* An element: which of its bits are undefined, and all of them. Extended to
 * 64 bits like its value. */
struct bits {
   uint64_t undefined, value;
};

static uint64_t
spread(uint64_t undefined)
{
   return undefined ? ~0ull : 0;
}

static uint64_t
upwards(uint64_t undefined)
{
   return undefined ? ~((undefined & -undefined) - 1) : 0;
}

static uint64_t
load(const void *p, unsigned size_B)
{
   uint64_t u = 0;
   memcpy(&u, p, size_B);
   return u;
}

/* Predicates ------------------------------------------------------------- */

/* Undefined unless a defined bit decides. */
static uint32_t
group_predicate(uint32_t undefined, uint32_t value, struct eu_pred_group g)
{
   const uint32_t deciding = ~undefined & (g.any ? value : ~value);
   const uint32_t full = BITFIELD_MASK(g.size);
   uint32_t p = 0;
   for (unsigned i = 0; i < 32; i += g.size) {
      if (undefined >> i & full && !(deciding >> i & full))
         p |= full << i;
   }
   return p;
}

static uint32_t
component_predicate(uint32_t undefined, unsigned component)
{
   uint32_t p = 0;
   for (unsigned i = 0; i < 32; i += 4)
      p |= (undefined >> (i + component) & 1) * (0xfu << i);
   return p;
}

uint32_t
shadow_predicate(const struct sim_eu_thread *t, const struct eu_op *op)
{
   const uint32_t *flag = t->shadow->flag;
   const uint32_t u = flag[op->flag_nr] >> op->flag_shift;
   const uint32_t v = t->flag[op->flag_nr] >> op->flag_shift;
   uint32_t p = 0;
   if (!(op->flags & EU_PRED))
      return 0;
   switch (op->pred) {
   case ISA_PRED_NONE: return 0;
   case ISA_PRED_NORMAL: p = u; break;
   case ISA_PRED_ANYV:
   case ISA_PRED_ALLV: p = (flag[0] | flag[1]) >> op->flag_shift; break;
   case ISA_PRED_X:
   case ISA_PRED_Y:
   case ISA_PRED_Z:
   case ISA_PRED_W: p = component_predicate(u, op->pred - ISA_PRED_X); break;
   default: p = group_predicate(u, v, eu_pred_group(op->pred)); break;
   }
   return p >> op->group;
}

/* Operands --------------------------------------------------------------- */

/* Undefined bits of an architecture register's element. */
static uint64_t
arf_undefined(const struct sim_eu_thread *t, const struct eu_operand *o,
              unsigned lane)
{
   const struct sim_shadow *sh = t->shadow;
   const unsigned off_B = o->lane_off_B[lane];
   switch (o->nr & 0xf0) {
   case ISA_ARF_ACC: {
      const unsigned i = ((o->nr & 15) * SIM_GRF_B + off_B) /
                         MAX2(o->size_B, 2);
      return i < 32 && sh->acc >> i & 1 ? ~0ull : 0;
   }
   case ISA_ARF_ADDRESS:
      return off_B + o->size_B <= sizeof(sh->address)
                ? load((const uint8_t *)sh->address + off_B, o->size_B)
                : 0;
   case ISA_ARF_FLAG:
      return off_B + o->size_B <= 4
                ? load((const uint8_t *)&sh->flag[o->nr & 1] + off_B,
                       o->size_B)
                : 0;
   default: return 0;
   }
}

static uint64_t
arf_value(const struct sim_eu_thread *t, const struct eu_operand *o,
          unsigned lane)
{
   const unsigned off_B = o->lane_off_B[lane];
   if ((o->nr & 0xf0) == ISA_ARF_FLAG && off_B + o->size_B <= 4)
      return load((const uint8_t *)&t->flag[o->nr & 1] + off_B, o->size_B);
   return 0;
}

/* Whether the address registers that an operand takes are undefined. */
static bool
undefined_address(const struct sim_eu_thread *t, const struct eu_operand *o,
                  unsigned lane)
{
   const unsigned row = o->addr_rows ? lane / o->addr_row : 0;
   return t->shadow->some_address >> (o->addr_subnr + row) & 1;
}

static bool
report_address(struct sim_eu_thread *t, const struct eu_operand *o,
               unsigned lane)
{
   const unsigned row = o->addr_rows ? lane / o->addr_row : 0;
   return shadow_broken(t, SIM_RULE_LEFTOVER,
                        "a0.%u, the address of channel "
                        "%u",
                        o->addr_subnr + row, lane);
}

/* Extends undefined bits as eu_int_value() does the value. */
static uint64_t
extend(uint64_t undefined, enum isa_type type, unsigned size_B)
{
   if (size_B < 8 && eu_type_is_signed(type) &&
       undefined >> (8 * size_B - 1) & 1)
      undefined |= ~0ull << 8 * size_B;
   return undefined;
}

/* Source `i` of a lane. False: the thread has a fault. */
static bool
fetch(struct sim_eu_thread *t, const struct eu_slow *s, unsigned i,
      unsigned lane, struct bits *b)
{
   const struct eu_operand *o = &s->src[i];
   unsigned a;
   *b = (struct bits) { 0 };
   switch (o->where) {
   case EU_NULL: return true;
   case EU_IMM: b->value = o->imm[lane & 7]; break;
   case EU_INDIRECT:
      if (undefined_address(t, o, lane))
         return report_address(t, o, lane);
      FALLTHROUGH;
   case EU_GRF:
      if (!eu_lane_address(t, s, o, lane, &a))
         return true;
      b->undefined = load(t->shadow->grf[0].ub + a, o->size_B);
      b->value = load(t->grf[0].ub + a, o->size_B);
      break;
   case EU_ARF:
      b->undefined = arf_undefined(t, o, lane);
      b->value = arf_value(t, o, lane);
      break;
   }
   b->undefined = extend(b->undefined, o->type, o->size_B);
   if (eu_type_is_float(o->type))
      return true;
   b->value = (uint64_t)eu_int_value(b->value, o->type);
   if (s->is_logic && o->negate)
      b->value = ~b->value;
   else if (o->negate)
      b->undefined = upwards(b->undefined);
   if (o->abs)
      b->undefined = spread(b->undefined);
   return true;
}

/* Operations ------------------------------------------------------------- */

/* Dwords 0, 1 and 3 of the plane, and v after u. */
static uint64_t
plane_undefined(const struct sim_eu_thread *t, const struct eu_op *op,
                unsigned lane)
{
   const struct eu_slow *s = op->slow;
   const uint8_t *grf = t->shadow->grf[0].ub;
   const bool pln = op->inst->opcode == ISA_OPCODE_PLN;
   uint64_t u = 0;
   if (s->src[0].where == EU_GRF) {
      const uint8_t *p = grf + s->src[0].lane_off_B[0];
      u |= load(p, 4) | load(p + 12, 4) | (pln ? load(p + 4, 4) : 0);
   }
   if (s->src[1].where == EU_GRF) {
      const uint8_t *p = grf + s->src[1].lane_off_B[lane];
      u |= load(p, 4) | (pln ? load(p + SIM_GRF_B, 4) : 0);
   }
   return spread(u);
}

/* Sums over four channels. */
static bool
dot_undefined(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
              uint64_t *undefined)
{
   const enum isa_opcode o = op->inst->opcode;
   const unsigned n = o == ISA_OPCODE_DP2 ? 2 : o == ISA_OPCODE_DP3 ? 3 : 4;
   *undefined = 0;
   for (unsigned i = 0; i < n; i++) {
      struct bits a, b;
      if (!fetch(t, op->slow, 0, (lane & ~3u) + i, &a) ||
          !fetch(t, op->slow, 1, (lane & ~3u) + i, &b))
         return false;
      *undefined |= b.undefined |
                    (o == ISA_OPCODE_DPH && i == 3 ? 0 : a.undefined);
   }
   *undefined = spread(*undefined);
   return true;
}

static uint64_t
shift_undefined(const struct eu_op *op, const struct bits b[3])
{
   const unsigned size = eu_shift_width(op->slow);
   const unsigned n = (unsigned)b[1].value & (size - 1);
   if (b[1].undefined & (size - 1))
      return ~0ull;
   if (op->inst->opcode == ISA_OPCODE_SHL)
      return b[0].undefined << n;
   uint64_t u = b[0].undefined;
   if (size == 32)
      u = eu_type_is_signed(op->slow->src[0].type)
             ? (uint64_t)(int64_t)(int32_t)u
             : (uint32_t)u;
   return eu_type_is_signed(op->slow->src[0].type)
             ? (uint64_t)((int64_t)u >> n)
             : u >> n;
}

static uint64_t
extract_undefined(const struct eu_op *op, const struct bits b[3])
{
   const unsigned width = b[0].value & 31, offset = b[1].value & 31;
   if ((b[0].undefined | b[1].undefined) & 31)
      return ~0ull;
   const uint64_t u = (uint32_t)b[2].undefined >> offset &
                      BITFIELD_MASK(width);
   return op->slow->src[2].type == ISA_TYPE_D && width && u >> (width - 1) & 1
             ? u | ~0ull << width
             : u;
}

static bool
is_int(const struct eu_op *op)
{
   return op->slow->cls == EU_INT && !(op->flags & EU_SAT) &&
          !eu_type_is_float(op->slow->dst.type);
}

/* Whether a move, or what SEL chooses, keeps its bits in their places. */
static bool
keeps_bits(const struct eu_op *op, unsigned src)
{
   const struct eu_slow *s = op->slow;
   return s->raw || is_int(op) ||
          (s->src[src].type == s->dst.type && !s->src[src].abs &&
           !(op->flags & EU_SAT));
}

/* 0 if the defined bits show that the comparison can only go one way. */
static uint64_t
compare_undefined(const struct eu_op *op, const struct bits b[3])
{
   const uint64_t u = b[0].undefined | b[1].undefined;
   const bool equality = op->cmod == ISA_COND_MOD_Z ||
                         op->cmod == ISA_COND_MOD_NZ;
   if (equality && is_int(op) && (b[0].value ^ b[1].value) & ~u)
      return 0;
   return spread(u);
}

static uint64_t
sum_undefined(const struct eu_op *op, uint64_t u)
{
   return is_int(op) ? upwards(u) : spread(u);
}

static uint64_t
product_undefined(const struct eu_op *op, const struct bits b[3])
{
   for (unsigned i = 0; i < 2 && is_int(op); i++) {
      if (!b[i].undefined && !b[i].value)
         return 0;
   }
   return sum_undefined(op, b[0].undefined | b[1].undefined);
}

static uint64_t
select_undefined(const struct eu_op *op, const struct bits b[3],
                 bool selected, bool unsure)
{
   if (op->cmod != ISA_COND_MOD_NONE)
      return spread(b[0].undefined | b[1].undefined);
   if (unsure)
      return keeps_bits(op, 0) && keeps_bits(op, 1)
                ? b[0].undefined | b[1].undefined | (b[0].value ^ b[1].value)
                : ~0ull;
   const unsigned i = selected ? 0 : 1;
   return keeps_bits(op, i) ? b[i].undefined : spread(b[i].undefined);
}

/* Of one lane, from its sources. */
static uint64_t
combine(const struct eu_op *op, const struct bits b[3], bool selected,
        bool unsure)
{
   const uint64_t u0 = b[0].undefined, u1 = b[1].undefined;
   const uint64_t any = u0 | u1 | b[2].undefined;
   switch (op->inst->opcode) {
   case ISA_OPCODE_MOV: return keeps_bits(op, 0) ? u0 : spread(u0);
   case ISA_OPCODE_SEL: return select_undefined(op, b, selected, unsure);
   case ISA_OPCODE_NOT: return u0;
   case ISA_OPCODE_XOR: return u0 | u1;
   case ISA_OPCODE_AND:
      return (u0 | u1) & (u0 | b[0].value) & (u1 | b[1].value);
   case ISA_OPCODE_OR:
      return (u0 | u1) & (u0 | ~b[0].value) & (u1 | ~b[1].value);
   case ISA_OPCODE_SHL:
   case ISA_OPCODE_SHR:
   case ISA_OPCODE_ASR: return any ? shift_undefined(op, b) : 0;
   case ISA_OPCODE_BFE: return any ? extract_undefined(op, b) : 0;
   case ISA_OPCODE_BFI2:
      return u0 ? ~0ull : (u1 & b[0].value) | (b[2].undefined & ~b[0].value);
   case ISA_OPCODE_CMP:
   case ISA_OPCODE_CMPN: return compare_undefined(op, b);
   case ISA_OPCODE_ADD:
   case ISA_OPCODE_ADDC:
   case ISA_OPCODE_SUBB: return sum_undefined(op, any);
   case ISA_OPCODE_MUL: return product_undefined(op, b);
   default: return spread(any);
   }
}

/* Whether the condition of a result, of which `u` is undefined, is. */
static bool
condition_undefined(const struct eu_op *op, const struct bits b[3],
                    uint64_t u)
{
   uint64_t value;
   if (!u)
      return false;
   if (op->cmod != ISA_COND_MOD_Z && op->cmod != ISA_COND_MOD_NZ)
      return true;
   switch (op->inst->opcode) {
   case ISA_OPCODE_MOV: value = is_int(op) ? b[0].value : 0; break;
   case ISA_OPCODE_AND: value = b[0].value & b[1].value; break;
   case ISA_OPCODE_OR: value = b[0].value | b[1].value; break;
   case ISA_OPCODE_XOR: value = b[0].value ^ b[1].value; break;
   default: return true;
   }
   const unsigned size_B = op->slow->dst.size_B;
   value &= size_B < 8 ? BITFIELD64_MASK(8 * size_B) : ~0ull;
   return !(value & ~u);
}

/* Results ---------------------------------------------------------------- */

static void
put_arf(struct sim_shadow *sh, const struct eu_operand *o, unsigned lane,
        uint64_t u)
{
   const unsigned off_B = o->lane_off_B[lane];
   switch (o->nr & 0xf0) {
   case ISA_ARF_ACC: {
      const unsigned i = ((o->nr & 15) * SIM_GRF_B + off_B) /
                         MAX2(o->size_B, 2);
      if (i < 32)
         sh->acc = (sh->acc & ~(1u << i)) | (u ? 1u << i : 0);
      break;
   }
   case ISA_ARF_ADDRESS:
      if (off_B + o->size_B > sizeof(sh->address))
         break;
      memcpy((uint8_t *)sh->address + off_B, &u, o->size_B);
      for (unsigned i = off_B / 2; i < (off_B + o->size_B + 1) / 2; i++) {
         sh->some_address &= ~(1u << i);
         sh->some_address |= sh->address[i] ? 1u << i : 0;
      }
      break;
   case ISA_ARF_FLAG:
      if (off_B + o->size_B <= 4)
         memcpy((uint8_t *)&sh->flag[o->nr & 1] + off_B, &u, o->size_B);
      break;
   default: break;
   }
}

static bool
put(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
    uint64_t u)
{
   const struct eu_operand *o = &op->slow->dst;
   struct sim_shadow *sh = t->shadow;
   unsigned a;
   switch (o->where) {
   case EU_IMM:
   case EU_NULL: return true;
   case EU_ARF: put_arf(sh, o, lane, u); return true;
   case EU_INDIRECT:
      if (undefined_address(t, o, lane))
         return report_address(t, o, lane);
      FALLTHROUGH;
   case EU_GRF:
      if (!eu_lane_address(t, op->slow, o, lane, &a))
         return true;
      memcpy(sh->grf[0].ub + a, &u, o->size_B);
      shadow_finalise(sh, a / SIM_GRF_B);
      break;
   }
   if (op->inst->opcode == ISA_OPCODE_MATH &&
       op->inst->math_function == ISA_MATH_INT_DIV_BOTH) {
      a += (op->exec_size > 8 ? 2 : 1) * SIM_GRF_B;
      if (a + 4 <= SIM_GRF_COUNT * SIM_GRF_B) {
         memcpy(sh->grf[0].ub + a, &u, 4);
         shadow_finalise(sh, a / SIM_GRF_B);
      }
   }
   return true;
}

/* As the generic body's set_lane_flags(). */
static void
put_flags(struct sim_shadow *sh, const struct eu_op *op, uint32_t lanes,
          uint32_t undefined)
{
   const struct eu_slow *s = op->slow;
   const unsigned shift = op->flag_shift + op->group;
   uint32_t *f = &sh->flag[op->flag_nr];
   const uint32_t low = s->second == s->half ? ~0u : BITFIELD_MASK(s->half);
   *f = (*f & ~(uint32_t)((uint64_t)(lanes & low) << shift)) |
        (uint32_t)((uint64_t)(undefined & lanes & low) << shift);
   if (s->second == s->half)
      return;
   const unsigned high = shift + s->second;
   *f = (*f & ~(uint32_t)((uint64_t)(lanes >> s->half) << high)) |
        (uint32_t)((uint64_t)((undefined & lanes) >> s->half) << high);
}

static bool
lane_undefined(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
               bool selected, bool unsure, struct bits b[3], uint64_t *u)
{
   const struct eu_slow *s = op->slow;
   switch (op->inst->opcode) {
   case ISA_OPCODE_PLN:
   case ISA_OPCODE_LINE: *u = plane_undefined(t, op, lane); return true;
   case ISA_OPCODE_DP2:
   case ISA_OPCODE_DP3:
   case ISA_OPCODE_DP4:
   case ISA_OPCODE_DPH: return dot_undefined(t, op, lane, u);
   default: break;
   }
   for (unsigned i = 0; i < s->nsrc; i++) {
      if (!fetch(t, s, i, lane, &b[i]))
         return false;
   }
   *u = combine(op, b, selected, unsure);
   return true;
}

static void
accumulate(struct sim_eu_thread *t, const struct eu_op *op, unsigned lane,
           uint64_t *u)
{
   const enum isa_opcode opcode = op->inst->opcode;
   struct sim_shadow *sh = t->shadow;
   const bool writes = eu_writes_acc(op->inst);
   if (!writes && !shadow_reads_acc(opcode))
      return;
   const unsigned i = eu_implicit_acc_index(op, lane);
   if (shadow_reads_acc(opcode) && sh->acc >> i & 1)
      *u = ~0ull;
   if (writes)
      sh->acc = (sh->acc & ~(1u << i)) | (*u ? 1u << i : 0);
}

/* Lanes that the masks leave on; a predicate may switch more off. */
static uint32_t
active_lanes(const struct sim_eu_thread *t, const struct eu_op *op)
{
   return eu_lanes_of_mask(
      op, op->flags & EU_NO_MASK ? ~0u : t->active >> op->group);
}

bool
shadow_alu(struct sim_eu_thread *t, const struct eu_op *op)
{
   const bool is_sel = op->inst->opcode == ISA_OPCODE_SEL;
   const uint32_t predicate = op->flags & EU_PRED ? eu_predicate(t, op) : ~0u;
   const uint32_t unsure = eu_lanes_of_mask(op, shadow_predicate(t, op));
   const uint32_t selected = eu_lanes_of_mask(op, predicate);
   uint32_t lanes = active_lanes(t, op);
   uint64_t u[SIM_MAX_LANES];
   uint32_t flags = 0;
   if (!is_sel)
      lanes &= selected | unsure;

   for (uint32_t left = lanes; left;) {
      const unsigned lane = (unsigned)u_bit_scan(&left);
      const bool maybe = unsure >> lane & 1;
      struct bits b[3] = { 0 };
      if (!lane_undefined(t, op, lane, selected >> lane & 1, maybe, b,
                          &u[lane]))
         return false;
      if (maybe && !is_sel)
         u[lane] = ~0ull;
      accumulate(t, op, lane, &u[lane]);
      flags |= (uint32_t)condition_undefined(op, b, u[lane]) << lane;
   }
   for (uint32_t left = lanes; left;) {
      const unsigned lane = (unsigned)u_bit_scan(&left);
      if (!put(t, op, lane, u[lane]))
         return false;
   }
   if (eu_writes_flags(op))
      put_flags(t->shadow, op, lanes, flags);
   return true;
}

void
shadow_alu_defined(struct sim_eu_thread *t, const struct eu_op *op)
{
   const struct eu_operand *o = &op->slow->dst;
   struct sim_shadow *sh = t->shadow;
   uint32_t lanes = active_lanes(t, op);
   if (op->flags & EU_PRED && op->inst->opcode != ISA_OPCODE_SEL)
      lanes &= eu_lanes_of_mask(op, eu_predicate(t, op));
   unsigned settled = SIM_GRF_COUNT;
   for (uint32_t left = o->where == EU_GRF ? lanes : 0; left;) {
      const unsigned a = o->lane_off_B[u_bit_scan(&left)];
      memset(sh->grf[0].ub + a, 0, o->size_B);
      if (settled != a / SIM_GRF_B && settled != SIM_GRF_COUNT)
         shadow_finalise(sh, settled);
      settled = a / SIM_GRF_B;
   }
   if (settled != SIM_GRF_COUNT)
      shadow_finalise(sh, settled);
   if (eu_writes_flags(op))
      put_flags(sh, op, lanes, 0);
}
