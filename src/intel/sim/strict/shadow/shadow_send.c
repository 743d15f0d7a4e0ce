/* SPDX-License-Identifier: MIT */
/*
 * Messages as the shadow sees them: what of a payload must be defined, and
 * what of a response is.
 *
 * How a message uses the registers of header, payload and response is in
 * isa_messages.py. Header dwords that are not named there are not looked at,
 * nor are sampler parameters after the first coordinate, as the surface
 * decides which count.
 */
#include "shadow_private.h"

#include "intel/sim/gen/traits.h"
#include "intel/sim/eu/program/effects.h"
#include "intel/sim/trace/trace_format.h"

/* One message. */
struct call {
   struct sim_eu_thread *t;
   struct sim_message m;
   const struct isa_message_form *form;
   uint32_t lanes; /* that take part */
   unsigned slots;
   unsigned next; /* register of the next part */
   bool stateless;
};

static const union sim_grf *
shadow_of(const struct sim_eu_thread *t, const struct sim_message *m,
          unsigned reg)
{
   const unsigned nr = reg < m->mlen ? m->src0_grf + reg
                                     : m->src1_grf + reg - m->mlen;
   return reg < m->mlen + m->ex_mlen && nr < SIM_GRF_COUNT
             ? &t->shadow->grf[nr]
             : NULL;
}

uint32_t
sim_shadow_payload(const struct sim_eu_thread *t, const struct sim_message *m,
                   unsigned reg, unsigned dw)
{
   if (!t->shadow)
      return 0;
   const union sim_grf *g = shadow_of(t, m, reg);
   return g ? g->ud[dw] : 0;
}

bool
sim_shadow_stored(struct sim_eu_thread *t, const char *what, unsigned channel,
                  uint32_t bits)
{
   return shadow_broken(t, SIM_RULE_LEFTOVER, "%s of channel %u, bits 0x%x",
                        what, channel, bits);
}

static uint32_t
payload(const struct call *c, unsigned reg, unsigned dw)
{
   return sim_shadow_payload(c->t, &c->m, reg, dw);
}

static bool
slot_dword(const struct call *c, unsigned reg, unsigned dw, unsigned channel,
           uint32_t bits, const char *what)
{
   const uint32_t u = payload(c, reg, dw) & bits;
   if (!u)
      return true;
   return shadow_broken(c->t, SIM_RULE_LEFTOVER,
                        "%s: %s of channel %u, bits "
                        "0x%x, payload register %u",
                        isa_message_name(c->m.fields->msg), what, channel, u,
                        reg);
}

/* A register for each eight slots (64 bits: for four). */
static bool
slots_part(struct call *c, unsigned size_B, const char *what)
{
   const unsigned dwords = size_B / 4;
   for (uint32_t left = c->lanes; left;) {
      const unsigned lane = (unsigned)u_bit_scan(&left);
      for (unsigned i = 0; i < dwords; i++) {
         const unsigned at = lane * dwords + i;
         if (!slot_dword(c, c->next + at / 8, at % 8, lane, ~0u, what))
            return false;
      }
   }
   c->next += DIV_ROUND_UP(c->slots, 8) * dwords;
   return true;
}

/* Header ----------------------------------------------------------------- */

/* Whether the dword counts for this call. */
static bool
header_counts(const struct call *c, enum isa_header_when when)
{
   const struct isa_message *f = c->m.fields;
   const uint32_t low = f->interleaved ? 0x0f : 0xff;

   switch (when) {
   case ISA_WHEN_ALWAYS: return true;
   case ISA_WHEN_STATELESS: return c->stateless;
   case ISA_WHEN_HALF_0: return c->m.exec_mask & low;
   case ISA_WHEN_HALF_1: return f->interleaved && c->m.exec_mask & 0xf0;
   case ISA_WHEN_HALF_0_OFFSET:
      return f->per_slot_offset && c->m.exec_mask & low;
   case ISA_WHEN_HALF_1_OFFSET:
      return f->per_slot_offset && f->interleaved && c->m.exec_mask & 0xf0;
   case ISA_WHEN_LOWER: return c->m.exec_mask & 0x0f;
   case ISA_WHEN_UPPER: return c->m.exec_mask & 0xf0;
   }
   unreachable("when");
}

static bool
check_header(const struct call *c)
{
   for (unsigned i = 0; i < c->form->num_header; i++) {
      const struct isa_header_dword *h = &c->form->header[i];
      const uint32_t u = payload(c, h->dword / 8, h->dword % 8) & h->bits;
      if (u && header_counts(c, h->when) &&
          !shadow_broken(c->t, SIM_RULE_HEADER,
                         "%s: dword %u of the header (%s), "
                         "bits 0x%x, r%u",
                         isa_message_name(c->m.fields->msg), h->dword,
                         h->text, u, c->m.src0_grf))
         return false;
   }
   return true;
}

/* Payload --------------------------------------------------------------- */

/* Parameters of the sampler up to the first coordinate. */
static bool
parameters_part(struct call *c)
{
   if (c->m.fields->simd != 8 && c->m.fields->simd != 16)
      return true;
   for (unsigned i = 0; i < c->form->leading; i++) {
      if (c->next < c->m.mlen + c->m.ex_mlen &&
          !slots_part(c, 4, "a parameter"))
         return false;
   }
   return true;
}

/* All registers that are left, for each slot. */
static bool
data_part(struct call *c)
{
   const struct isa_message *f = c->m.fields;
   const uint32_t bits = f->msg == ISA_MSG_BYTE_SCATTERED_WRITE &&
                               f->element_B < 4
                            ? BITFIELD_MASK(8 * f->element_B)
                            : ~0u;
   const unsigned step = DIV_ROUND_UP(c->slots, 8);
   for (; c->next < c->m.mlen + c->m.ex_mlen; c->next += step) {
      for (uint32_t left = c->lanes; left;) {
         const unsigned lane = (unsigned)u_bit_scan(&left);
         if (!slot_dword(c, c->next + lane / 8, lane % 8, lane, bits, "data"))
            return false;
      }
   }
   return true;
}

static bool
channel_on(const struct call *c, unsigned dw)
{
   return c->m.exec_mask >> dw % MAX2(c->m.exec_size, 1) & 1;
}

static bool
block_part(struct call *c)
{
   for (; c->next < c->m.mlen + c->m.ex_mlen; c->next++) {
      for (unsigned dw = 0; dw < 8; dw++) {
         if (channel_on(c, dw) &&
             !slot_dword(c, c->next, dw, dw, ~0u, "data"))
            return false;
      }
   }
   return true;
}

static bool
offsets_part(struct call *c, const char *what)
{
   for (unsigned i = 0; i < 2; i++) {
      if (c->m.exec_mask >> 4 * i & 0xf &&
          !slot_dword(c, c->next, 4 * i, 4 * i, ~0u, what))
         return false;
   }
   c->next++;
   return true;
}

static bool
urb_part(const struct call *c)
{
   const struct isa_message *f = c->m.fields;
   for (uint32_t left = c->m.exec_mask & 0xff; left;) {
      const unsigned i = (unsigned)u_bit_scan(&left);
      if (!slot_dword(c, 0, i, i, 0xffff, "handle") ||
          (f->per_slot_offset && !slot_dword(c, 1, i, i, ~0u, "offset")) ||
          (f->channel_mask && !slot_dword(c, 1u + f->per_slot_offset, i, i,
                                          0xff0000, "mask of dwords")))
         return false;
   }
   return true;
}

/* Scratch space ---------------------------------------------------------- */

#define MAX_SCRATCH_B (2u << 20)

/* Where a message of blocks goes in the thread's scratch space. */
static bool
scratch_place(const struct call *c, uint64_t *at_B)
{
   const struct isa_message *f = c->m.fields;
   const uint32_t *header = c->t->grf[c->m.src0_grf].ud;
   if (f->msg == ISA_MSG_SCRATCH_READ || f->msg == ISA_MSG_SCRATCH_WRITE)
      *at_B = (uint64_t)f->offset * SIM_GRF_B;
   else if (c->stateless)
      *at_B = (uint64_t)header[2] * 16;
   else
      return false;
   return *at_B < MAX_SCRATCH_B;
}

/* Its shadow there; NULL without memory. */
static uint8_t *
scratch_shadow(struct sim_shadow *sh, uint64_t at_B, uint32_t size_B)
{
   const uint64_t end_B = at_B + size_B;
   if (end_B > sh->scratch_size_B) {
      const uint32_t room_B = (uint32_t)ALIGN(end_B, (uint64_t)4096);
      uint8_t *bigger = realloc(sh->scratch, room_B);
      if (!bigger)
         return NULL;
      memset(bigger + sh->scratch_size_B, 0xff, room_B - sh->scratch_size_B);
      sh->scratch = bigger;
      sh->scratch_size_B = room_B;
   }
   return sh->scratch + at_B;
}

/* Dwords of the first data register that a block begins with, and all. */
static unsigned
block_first(const struct isa_message *f)
{
   const bool owords = f->msg == ISA_MSG_OWORD_BLOCK_READ ||
                       f->msg == ISA_MSG_OWORD_BLOCK_WRITE;
   return owords && f->block == ISA_BLOCK_1_HIGH ? 4 : 0;
}

static unsigned
block_dwords(const struct isa_message *f)
{
   if (f->msg == ISA_MSG_SCRATCH_READ || f->msg == ISA_MSG_SCRATCH_WRITE)
      return f->scratch_grf * 8u;
   return sim_block_owords(f->block) * 4;
}

static bool
scratch_part(struct call *c)
{
   struct sim_shadow *sh = c->t->shadow;
   const unsigned first = block_first(c->m.fields);
   const unsigned n = block_dwords(c->m.fields);
   uint64_t at_B;
   if (!scratch_place(c, &at_B))
      return c->stateless || block_part(c);
   uint8_t *to = scratch_shadow(sh, at_B, 4 * n);
   for (unsigned i = 0; i < n && to; i++) {
      const unsigned at = first + i;
      const uint32_t u = payload(c, 1 + at / 8, at % 8);
      if (channel_on(c, i))
         memcpy(to + 4 * i, &u, 4);
   }
   sh->scratch_unknown |= !to;
   return true;
}

static bool
check_part(struct call *c, enum isa_part_form part)
{
   switch (part) {
   case ISA_PART_NONE: return true;
   case ISA_PART_SLOTS: return slots_part(c, 4, "address");
   case ISA_PART_SLOTS64: return slots_part(c, 8, "address");
   case ISA_PART_DATA:
      if (c->stateless)
         c->t->shadow->scratch_unknown = true;
      return c->stateless || data_part(c);
   case ISA_PART_OFFSETS: return offsets_part(c, "offset");
   case ISA_PART_BLOCK:
      if (c->stateless)
         c->t->shadow->scratch_unknown = true;
      return c->stateless || block_part(c);
   case ISA_PART_SCRATCH: return scratch_part(c);
   case ISA_PART_PARAMETERS: return parameters_part(c);
   case ISA_PART_URB: return urb_part(c);
   }
   unreachable("part");
}

/* Responses -------------------------------------------------------------- */

static void
define_dword(struct call *c, unsigned reg, unsigned dw, uint32_t undefined)
{
   const unsigned nr = c->m.dst_grf + reg;
   if (nr < SIM_GRF_COUNT)
      c->t->shadow->grf[nr].ud[dw] = undefined;
}

static bool
responds_to(const struct call *c, enum isa_response_form form, unsigned reg,
            unsigned dw)
{
   const unsigned step = MAX2(c->slots / 8, 1u);
   if (c->m.no_mask)
      return true;
   switch (form) {
   case ISA_RESPONSE_SLOTS:
      if (c->slots != 8 && c->slots != 16)
         return c->m.exec_mask >> dw & 1;
      return c->m.exec_mask >> (reg % step * 8 + dw) & 1;
   case ISA_RESPONSE_INTERP: return c->m.exec_mask >> (reg / 2 * 8 + dw) & 1;
   case ISA_RESPONSE_WHOLE:
   case ISA_RESPONSE_SCRATCH: break;
   }
   return true;
}

static void
define_response(struct call *c)
{
   const enum isa_response_form form = c->form->response;
   struct sim_shadow *sh = c->t->shadow;
   const unsigned first = block_first(c->m.fields);
   const unsigned n = block_dwords(c->m.fields);
   const uint8_t *from = NULL;
   uint64_t at_B;
   if (form == ISA_RESPONSE_SCRATCH && !sh->scratch_unknown &&
       scratch_place(c, &at_B))
      from = scratch_shadow(sh, at_B, 4 * n);
   for (unsigned reg = 0; reg < c->m.rlen; reg++) {
      for (unsigned dw = 0; dw < 8; dw++) {
         const unsigned at = reg * 8 + dw - first;
         uint32_t u = 0;
         if (from && at < n)
            memcpy(&u, from + 4 * at, 4);
         else if (form == ISA_RESPONSE_SCRATCH && at >= n)
            continue;
         if (responds_to(c, form, reg, dw))
            define_dword(c, reg, dw, u);
      }
      if (c->m.dst_grf + reg < SIM_GRF_COUNT)
         shadow_finalise(sh, c->m.dst_grf + reg);
   }
}

/* The URB ---------------------------------------------------------------- */

uint32_t
sim_shadow_urb_bits(const struct sim_thread_rules *r, uint64_t at_B)
{
   uint32_t bits = 0;
   if (r && r->urb && at_B + 4 <= r->urb_size_B)
      memcpy(&bits, r->urb + at_B, 4);
   return bits;
}

void
sim_shadow_urb_define(struct sim_thread_rules *r, uint64_t at_B,
                      uint64_t size_B)
{
   if (r && r->urb && at_B + size_B <= r->urb_size_B)
      memset(r->urb + at_B, 0, size_B);
}

static uint32_t *
urb_shadow(const struct sim_eu_thread *t, const uint8_t *p)
{
   const struct sim_thread_rules *r = t->env->rules;
   const uint64_t at = (uint64_t)(p - t->env->urb);
   return r->urb && at + 4 <= r->urb_size_B ? (uint32_t *)(r->urb + at)
                                            : NULL;
}

void
sim_shadow_urb_write(const struct sim_eu_thread *t,
                     const struct sim_message *m, const uint8_t *to,
                     unsigned reg, unsigned dw)
{
   struct sim_thread_rules *r = t->env->rules;
   const uint32_t u = sim_shadow_payload(t, m, reg, dw);
   if (u && !r->urb) {
      r->urb = calloc(1, t->env->urb_size_B);
      r->urb_size_B = r->urb ? t->env->urb_size_B : 0;
   }
   uint32_t *s = urb_shadow(t, to);
   if (s)
      *s = u;
}

bool
sim_shadow_urb_entry(struct sim_eu_thread *t, unsigned channel,
                     uint64_t offset_B, unsigned size_B)
{
   const uint32_t entry_B = t->env->urb_entry_B;
   if (!entry_B || offset_B + size_B <= entry_B)
      return true;
   const unsigned long long first = offset_B;
   return shadow_broken(t, SIM_RULE_URB_ENTRY,
                        "bytes %llu to %llu of an "
                        "entry of %u, channel %u",
                        first, first + size_B - 1, entry_B, channel);
}

void
sim_shadow_urb_read(const struct sim_eu_thread *t,
                    const struct sim_message *m, const uint8_t *from,
                    unsigned reg, unsigned dw)
{
   const uint32_t *s = urb_shadow(t, from);
   if (!s || !*s)
      return;
   t->shadow->grf[m->dst_grf + reg].ud[dw] = *s;
   shadow_finalise(t->shadow, m->dst_grf + reg);
}

/* Messages --------------------------------------------------------------- */

static bool
find_registers(struct call *c, const struct eu_op *op)
{
   struct sim_message *m = &c->m;
   const struct isa_inst *inst = op->inst;
   /* Registers by an address are left to what sends the message. */
   if (inst->src[0].indirect || inst->src[1].indirect || inst->dst.indirect)
      return false;
   m->src0_grf = inst->src[0].nr;
   m->src1_grf = m->ex_mlen ? inst->src[1].nr : 0;
   m->dst_grf = inst->dst.nr;
   m->rlen = inst->dst.file == ISA_FILE_GRF ? m->rlen : 0;
   return inst->src[0].file == ISA_FILE_GRF &&
          m->src0_grf + m->mlen <= SIM_GRF_COUNT;
}

/* A header that has the channels of the message in dword 7. */
static bool
reads_channels(const struct isa_message_form *form)
{
   return form->num_header && form->header[0].dword == 7;
}

/* Slots by the message; those with a header may have others off. */
static void
find_lanes(struct call *c)
{
   const struct isa_message *f = c->m.fields;
   const bool masks = c->m.header && reads_channels(c->form);
   c->slots = f->simd == 16 ? 16 : f->simd == 2 ? 2 : 8;
   c->lanes = c->m.exec_mask & BITFIELD_MASK(c->slots);
   if (c->form->part[0] != ISA_PART_SLOTS64)
      c->lanes &= shadow_lit(c->t) >> c->m.group;
   if (masks)
      c->lanes &= c->t->grf[c->m.src0_grf].ud[7];
   c->next = c->m.header ? 1 : 0;
   c->stateless = f->bti == BTI_STATELESS_COHERENT ||
                  (f->bti == BTI_STATELESS_NON_COHERENT &&
                   sim_traits(c->t->env->verx10)->bti_non_coherent);
}

static bool
check_descriptor(struct sim_eu_thread *t, const struct isa_inst *inst)
{
   const uint32_t words = t->shadow->some_address;
   if (inst->desc_is_reg && words & 3)
      return shadow_broken(t, SIM_RULE_LEFTOVER, "a0.0, the descriptor");
   if (inst->ex_desc_is_reg && words >> (inst->ex_desc_subnr & 14) & 3)
      return shadow_broken(t, SIM_RULE_LEFTOVER,
                           "a0.%u, the extended "
                           "descriptor",
                           inst->ex_desc_subnr & 14u);
   return true;
}

/* What the last message of a thread must be, by stage. */
static bool
ends_well(const struct call *c)
{
   const struct isa_message *f = c->m.fields;
   switch (c->t->env->stage) {
   case TRACE_FS: return f->msg == ISA_MSG_RT_WRITE && f->last_rt;
   case TRACE_CS: return c->m.sfid == ISA_SFID_THREAD_SPAWNER;
   default: return c->m.sfid == ISA_SFID_URB;
   }
}

/* Nothing but the barrier's id, and for hull shaders a count. */
#define BARRIER_COUNT_BITS 0xfe00u

/* IGC has the id in all eight dwords, by one AND of r0.2 with a mask. */
static bool
barrier_is_clean(const struct call *c)
{
   const uint32_t *dw = c->t->grf[c->m.src0_grf].ud;
   const uint32_t id = sim_traits(c->t->env->verx10)->barrier_id_mask;
   const uint32_t *undefined = c->t->shadow->grf[c->m.src0_grf].ud;
   for (unsigned i = 0; i < 8; i++) {
      const uint32_t may = i == 2 ? id | BARRIER_COUNT_BITS : 0;
      const bool same = dw[i] == dw[2] && !undefined[i];
      if (((dw[i] | undefined[i]) & ~may) && (i == 2 || !same))
         return false;
   }
   return true;
}

/* Rules about which message it is. */
static bool
check_message(const struct call *c)
{
   struct sim_shadow *sh = c->t->shadow;
   const enum isa_msg msg = c->m.fields->msg;
   const bool target = msg == ISA_MSG_RT_WRITE || msg == ISA_MSG_RT_READ;
   const bool is_first = target && !sh->saw_target;
   sh->saw_target |= target;
   if (is_first && !c->m.check &&
       !shadow_broken(c->t, SIM_RULE_FIRST_TARGET, "the first is no sendc"))
      return false;
   if (c->m.eot && !ends_well(c) &&
       !shadow_broken(c->t, SIM_RULE_END, "%s", isa_message_name(msg)))
      return false;
   return msg != ISA_MSG_BARRIER || barrier_is_clean(c) ||
          shadow_broken(c->t, SIM_RULE_BARRIER, "r%u", c->m.src0_grf);
}

bool
sim_shadow_sent(struct sim_eu_thread *t, const struct sim_message *m)
{
   const struct call c = { .t = t, .m = *m };
   return check_message(&c) && shadow_message(t, m);
}

bool
shadow_send(struct sim_eu_thread *t, const struct eu_op *op)
{
   struct isa_message fields;
   struct call c = { .t = t };
   const uint32_t unsure = shadow_predicate(t, op) & eu_active_mask(t, op) &
                           shadow_lit(t) >> op->group;
   if (unsure && !shadow_broken(t, SIM_RULE_LEFTOVER,
                                "the predicate of a "
                                "message, channels 0x%x",
                                unsure))
      return false;
   if (!check_descriptor(t, op->inst))
      return false;
   eu_message_fields(t, op, &fields, &c.m);
   c.form = &isa_message_forms[c.m.fields->msg];
   if (!find_registers(&c, op))
      return true;
   find_lanes(&c);
   if (!check_message(&c) || !shadow_message(t, &c.m))
      return false;
   const bool is_small = c.slots == 2 && c.form->part[0] == ISA_PART_SLOTS;
   const bool own = c.m.sfid == ISA_SFID_URB ||
                    c.m.fields->msg == ISA_MSG_BARRIER;
   if ((c.m.header || own) && !check_header(&c))
      return false;
   for (unsigned i = 0; i < ISA_MAX_PARTS && !is_small; i++) {
      if (!check_part(&c, c.form->part[i]))
         return false;
   }
   define_response(&c);
   return true;
}
