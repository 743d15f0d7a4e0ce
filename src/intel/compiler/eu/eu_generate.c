/* SPDX-License-Identifier: MIT */
/*
 * IR with physical registers -> EU binary.
 *
 * Each instruction becomes one struct isa_inst (the few virtual opcodes
 * that need the address register: two or three); regions are chosen here;
 * then jumps are resolved, and everything is encoded and compacted.
 */
#include "eu_encode.h"
#include "intel/isa/isa_messages.h"

struct gen {
   struct eu_shader *s;
   struct util_dynarray insts;   /* struct isa_inst */
   struct util_dynarray origins; /* struct eu_origin; offset: index */
   const void *last_nir;
   const char *last_note;
   int32_t halt_target;
};

static struct isa_inst *
next(struct gen *g)
{
   return util_dynarray_grow_bytes(&g->insts, sizeof(struct isa_inst));
}

static unsigned
num_insts(const struct gen *g)
{
   return (unsigned)util_dynarray_num_elements(&g->insts, struct isa_inst);
}

/* ---- operands ---- */

/* Align16: components and rows (vec4/vec4_ir.h). Those of 32 bits may say
 * what they mean, doubles have to be in the hardware's form. */
static void
source16(struct gen *g, struct isa_operand *o, const eu_reg *r)
{
   const unsigned size = eu_type_sz(r->type);

   eu_encode_source(o, r, 8);
   if (r->file == EU_IMM)
      return;
   o->width = o->hstride = 0;
   o->swizzle = r->swz;
   o->vstride = r->region ? r->vs : r->stride ? 4 : 0;
   if (size == 8) {
      if (!r->region)
         eu_fail(g->s, "a double in a swizzle that was not lowered");
      if (g->s->devinfo->eu.df_is_two)
         o->vstride = (uint8_t)(2 * o->vstride);
   }
   if (r->file == EU_ARF && eu_is_null(r)) {
      o->vstride = 4;
      o->swizzle = ISA_SWIZZLE_XYZW;
   }
}

static void
dest16(struct isa_operand *o, const eu_reg *r)
{
   eu_encode_dest(o, r);
   o->hstride = 1;
   o->writemask = r->swz;
}

/* A scalar is replicated, but not of 64 bits (PRM BDW vol 7, "Three-source
 * Instruction Source Operand"): those are in the hardware's form. */
static void
source16_3(struct gen *g, struct isa_operand *o, const eu_reg *r)
{
   source16(g, o, r);
   if (o->vstride == 0 && eu_type_sz(r->type) == 4) {
      o->rep_ctrl = true;
      o->subnr_B = (uint8_t)(o->subnr_B + 4 * (r->swz & 3));
      o->swizzle = ISA_SWIZZLE_XXXX;
   } else {
      o->vstride = 4;
   }
}

static void
controls(struct isa_inst *o, const struct eu_inst *inst)
{
   o->exec_size = inst->exec_size;
   o->group = inst->group;
   o->no_mask = inst->nomask;
   o->pred = (enum isa_pred)inst->pred;
   o->pred_inv = inst->pred_inv;
   o->cond_mod = (enum isa_cond_mod)inst->cond_mod;
   if (inst->pred != ISA_PRED_NONE || inst->cond_mod != ISA_COND_MOD_NONE) {
      o->flag_nr = inst->flag / 2;
      o->flag_subnr = inst->flag % 2;
   }
   o->saturate = inst->saturate;
   /* No channel bits above those of the thread: PRM, "QtrCtrl". */
   if (inst->nomask && inst->exec_size == 1)
      o->group = 0;
}

/*
 * Where doubles count as two (docs/eu-fp64-facts.rst, 1.2, rows 2 to 4, and
 * 1.5): twice the channels; rows of doubles twice as long; a dword for each
 * double is read twice, and written with half the stride.
 */
static void
count_doubles_twice(struct gen *g, const struct eu_inst *inst,
                    struct isa_inst *o)
{
   bool found = eu_type_sz(inst->dst.type) == 8;

   for (unsigned i = 0; i < inst->sources; i++)
      found |= eu_type_sz(inst->src[i].type) == 8;
   if (!found)
      return;
   o->exec_size *= 2;
   if (eu_info(inst)->is_src3)
      return;
   if (eu_type_sz(inst->dst.type) == 4)
      o->dst.hstride = MAX2(1, o->dst.hstride / 2);
   else if (inst->exec_size > 1 && inst->dst.stride > 1)
      eu_fail(g->s, "doubles with gaps between them");
   for (unsigned i = 0; i < inst->sources; i++) {
      struct isa_operand *src = &o->src[i];

      if (src->file == ISA_FILE_IMM || eu_is_null(&inst->src[i]))
         continue;
      if (eu_type_sz(inst->src[i].type) == 8) {
         src->width *= 2;
         src->vstride *= 2;
         src->hstride = 1;
         if (src->width == o->exec_size)
            src->vstride = src->width;
      } else if (inst->src[i].stride && inst->exec_size > 1) {
         src->vstride = inst->src[i].stride;
         src->width = 2;
         src->hstride = 0;
      }
   }
}

/* ---- instructions ---- */

static void
generate_align16(struct gen *g, struct isa_inst *o,
                 const struct eu_inst *inst)
{
   o->access_mode = ISA_ALIGN16;
   dest16(&o->dst, &inst->dst);
   for (unsigned i = 0; i < inst->sources; i++) {
      if (eu_info(inst)->is_src3)
         source16_3(g, &o->src[i], &inst->src[i]);
      else
         source16(g, &o->src[i], &inst->src[i]);
   }
   if (inst->op == ISA_OPCODE_MATH)
      o->math_function = (enum isa_math)inst->math;
   if (inst->op == ISA_OPCODE_CMP && eu_is_null(&inst->dst) &&
       g->s->devinfo->eu.cmp_null_switches)
      o->thread_ctrl = ISA_THREAD_SWITCH;
   if (g->s->devinfo->eu.df_is_two && eu_type_sz(eu_exec_type(inst)) == 8)
      o->exec_size = (uint8_t)(2 * o->exec_size);
}

static void
generate_alu(struct gen *g, const struct eu_inst *inst)
{
   struct isa_inst *o = next(g);

   o->opcode = (enum isa_opcode)inst->op;
   controls(o, inst);
   if (inst->align16) {
      generate_align16(g, o, inst);
      return;
   }
   eu_encode_dest(&o->dst, &inst->dst);
   if (eu_info(inst)->is_src3) {
      o->access_mode = ISA_ALIGN16;
      o->dst.writemask = ISA_WRITEMASK_XYZW;
      o->dst.hstride = 1;
      for (unsigned i = 0; i < 3; i++)
         eu_encode_source3(&o->src[i], &inst->src[i]);
      if (g->s->devinfo->eu.df_is_two)
         count_doubles_twice(g, inst, o);
      return;
   }
   for (unsigned i = 0; i < inst->sources; i++)
      eu_encode_source(&o->src[i], &inst->src[i], inst->exec_size);
   if (inst->op == ISA_OPCODE_MATH)
      o->math_function = (enum isa_math)inst->math;
   if (eu_info(inst)->reads == EU_READS_PLANE) {
      /* Coefficients are scalars, barycentrics whole registers. */
      o->src[0].vstride = o->src[0].hstride = 0;
      o->src[0].width = 1;
      o->src[1].vstride = 8;
      o->src[1].width = 8;
      o->src[1].hstride = 1;
   }
   /* PRM SKL vol 7, "Implementation Restriction on Register Access": the
    * control register as an operand wants a thread switch. */
   eu_foreach_source(r, inst) {
      if (r->file == EU_ARF && (r->nr & 0xf0) == ISA_ARF_CONTROL)
         o->thread_ctrl = ISA_THREAD_SWITCH;
   }
   if (inst->op == ISA_OPCODE_CMP && eu_is_null(&inst->dst) &&
       g->s->devinfo->eu.cmp_null_switches)
      o->thread_ctrl = ISA_THREAD_SWITCH;
   /* PRM HSW vol 2b, "mach": the accumulator is written, too. */
   o->acc_wr_en = inst->op == ISA_OPCODE_MACH;
   if (g->s->devinfo->eu.df_is_two)
      count_doubles_twice(g, inst, o);
}

/* A dword of a0 = ... op imm. */
static struct isa_inst *
descriptor_inst(struct gen *g, enum isa_opcode opcode, unsigned dword,
                uint32_t imm)
{
   struct isa_inst *o = next(g);

   o->opcode = opcode;
   o->exec_size = 1;
   o->no_mask = true;
   o->dst = (struct isa_operand) { .file = ISA_FILE_ARF,
                                   .nr = ISA_ARF_ADDRESS,
                                   .subnr_B = (uint8_t)(dword * 4),
                                   .type = ISA_TYPE_UD,
                                   .hstride = 1 };
   o->src[1] = (struct isa_operand) { .file = ISA_FILE_IMM,
                                      .type = ISA_TYPE_UD,
                                      .imm = imm };
   return o;
}

/*
 * a0.0 = (src & mask) | desc. What the shader computes is an index of a
 * surface, and for the sampler another one; one that is out of bounds may
 * name a wrong surface, but must not make a different message.
 */
static void
load_descriptor(struct gen *g, const eu_reg *src, enum isa_sfid sfid,
                uint32_t desc)
{
   struct isa_message m;
   if (!isa_message_unpack(g->s->gen, sfid, desc, &m))
      unreachable("the message was packed from its fields");
   const uint32_t mask =
      isa_message_mask(g->s->gen, m.msg, ISA_MEMBER_BTI) |
      isa_message_mask(g->s->gen, m.msg, ISA_MEMBER_SAMPLER);
   eu_encode_source(&descriptor_inst(g, ISA_OPCODE_AND, 0, mask)->src[0], src,
                    1);
   struct isa_inst *o = descriptor_inst(g, ISA_OPCODE_OR, 0, desc);
   o->src[0] = o->dst;
   o->src[0].hstride = 0;
   o->src[0].width = 1;
}

/* The extended descriptor in a0.1: where a surface state is. Whatever the
 * shader computed, it must not make a different message. */
static void
load_handle(struct gen *g, const eu_reg *src)
{
   struct isa_inst *o =
      descriptor_inst(g, ISA_OPCODE_AND, 1, ISA_EX_DESC_SURFACE_OFFSET_MASK);
   eu_encode_source(&o->src[0], src, 1);
}

static void
second_payload(struct isa_inst *o, const struct eu_inst *inst)
{
   o->src[0].vstride = o->src[0].width = o->src[0].hstride = 0;
   if (eu_sends_handle(inst)) {
      o->src[1] =
         (struct isa_operand) { .file = ISA_FILE_ARF, .nr = ISA_ARF_NULL };
      o->ex_desc_is_reg = true;
      o->ex_desc_subnr = 2;
   } else {
      eu_encode_source(&o->src[1], &inst->src[2], 8);
      o->ex_desc = isa_ex_desc_pack(inst->ex_mlen);
   }
   o->src[1].type = ISA_TYPE_UD;
   o->src[1].vstride = o->src[1].width = o->src[1].hstride = 0;
}

static void
generate_send(struct gen *g, const struct eu_inst *inst)
{
   const bool dynamic = inst->sources > 1 && inst->src[1].file == EU_GRF;
   const bool split = inst->op == ISA_OPCODE_SENDS ||
                      inst->op == ISA_OPCODE_SENDSC;
   const bool handle = eu_sends_handle(inst);

   if (handle)
      load_handle(g, &inst->src[2]);
   if (dynamic)
      load_descriptor(g, &inst->src[1], (enum isa_sfid)inst->sfid,
                      inst->desc);

   struct isa_inst *o = next(g);
   o->opcode = (enum isa_opcode)inst->op;
   controls(o, inst);
   eu_encode_dest(&o->dst, &inst->dst);
   if (inst->dst.file == EU_GRF)
      o->dst.type = ISA_TYPE_UW;
   if (!inst->size_written)
      o->dst.type = ISA_TYPE_UW;
   o->dst.hstride = split ? 0 : 1;
   eu_encode_source(&o->src[0], &inst->src[0], 8);
   o->src[0].type = ISA_TYPE_UD;
   o->src[0].vstride = 8;
   o->src[0].width = 8;
   o->src[0].hstride = 1;
   if (split)
      second_payload(o, inst);
   o->sfid = (enum isa_sfid)inst->sfid;
   o->eot = inst->eot;
   o->desc_is_reg = dynamic;
   o->desc = dynamic ? 0 : inst->desc;
}

static struct isa_operand
address_operand(unsigned subnr_B, unsigned hstride)
{
   return (struct isa_operand) { .file = ISA_FILE_ARF,
                                 .nr = ISA_ARF_ADDRESS,
                                 .subnr_B = (uint8_t)subnr_B,
                                 .type = ISA_TYPE_UW,
                                 .hstride = (uint8_t)hstride };
}

/* dst = channel src1 of src0, by a0.0. */
static void
generate_broadcast(struct gen *g, const struct eu_inst *inst)
{
   const eu_reg *v = &inst->src[0];
   const unsigned size = eu_type_sz(v->type);
   const unsigned base_B = v->nr * REG_SIZE_B + v->offset;
   struct isa_inst *o;

   if (v->stride == 0 || inst->src[1].file == EU_IMM) {
      eu_reg r = *v;
      if (v->stride)
         r = eu_horiz_offset(r, (unsigned)inst->src[1].imm);
      r.stride = 0;
      o = next(g);
      o->opcode = ISA_OPCODE_MOV;
      o->exec_size = 1;
      o->no_mask = true;
      eu_encode_dest(&o->dst, &inst->dst);
      eu_encode_source(&o->src[0], &r, 1);
      return;
   }
   o = next(g);
   o->opcode = ISA_OPCODE_MUL;
   o->exec_size = 1;
   o->no_mask = true;
   o->dst = address_operand(0, 1);
   eu_reg idx =
      eu_subscript(eu_retype(inst->src[1], ISA_TYPE_UD), ISA_TYPE_UW, 0);
   eu_encode_source(&o->src[0], &idx, 1);
   o->src[1] = (struct isa_operand) { .file = ISA_FILE_IMM,
                                      .type = ISA_TYPE_UW,
                                      .imm = size * v->stride };
   o = next(g);
   o->opcode = ISA_OPCODE_ADD;
   o->exec_size = 1;
   o->no_mask = true;
   o->dst = address_operand(0, 1);
   o->src[0] = address_operand(0, 0);
   o->src[0].width = 1;
   o->src[1] = (struct isa_operand) { .file = ISA_FILE_IMM,
                                      .type = ISA_TYPE_UW,
                                      .imm = base_B };
   o = next(g);
   o->opcode = ISA_OPCODE_MOV;
   o->exec_size = 1;
   o->no_mask = true;
   eu_encode_dest(&o->dst, &inst->dst);
   o->src[0] = (struct isa_operand) { .file = ISA_FILE_GRF,
                                      .type = (enum isa_type)v->type,
                                      .indirect = true,
                                      .width = 1 };
}

/*
 * dst = src0[src1 bytes], an address register a channel.
 *
 * The chip follows the addresses of channels that are off as well, and what
 * it does with one that is misaligned or beyond the registers was seen to be
 * a hang; their index may be anything. So all of a0 gets the base first, and
 * only channels that run add to it (chip-rules EU-97).
 */
static void
generate_mov_indirect(struct gen *g, const struct eu_inst *inst)
{
   const eu_reg *v = &inst->src[0];
   const unsigned base_B = v->nr * REG_SIZE_B + v->offset;
   const struct isa_operand base = { .file = ISA_FILE_IMM,
                                     .type = ISA_TYPE_UW,
                                     .imm = base_B };
   const eu_reg idx =
      eu_subscript(eu_retype(inst->src[1], ISA_TYPE_UD), ISA_TYPE_UW, 0);
   struct isa_inst *o = next(g);

   assert(inst->exec_size <= 8);
   o->opcode = ISA_OPCODE_MOV;
   o->exec_size = inst->exec_size;
   o->group = inst->group;
   o->no_mask = true;
   o->dst = address_operand(0, 1);
   o->src[0] = base;
   o = next(g);
   o->opcode = ISA_OPCODE_ADD;
   controls(o, inst);
   o->saturate = false;
   o->cond_mod = ISA_COND_MOD_NONE;
   o->dst = address_operand(0, 1);
   eu_encode_source(&o->src[0], &idx, inst->exec_size);
   o->src[1] = base;
   o = next(g);
   o->opcode = ISA_OPCODE_MOV;
   controls(o, inst);
   eu_encode_dest(&o->dst, &inst->dst);
   o->src[0] = (struct isa_operand) { .file = ISA_FILE_GRF,
                                      .type = (enum isa_type)v->type,
                                      .indirect = true,
                                      .vstride = ISA_VSTRIDE_VXH,
                                      .width = 1 };
}

/* Until the notification register says so. */
static void
generate_wait(struct gen *g, const struct eu_inst *inst)
{
   struct isa_inst *o = next(g);

   o->opcode = ISA_OPCODE_WAIT;
   o->exec_size = 1;
   o->no_mask = true;
   eu_encode_source(&o->src[0], &inst->src[0], 1);
}

static void
generate_flow(struct gen *g, const struct eu_inst *inst)
{
   struct isa_inst *o = next(g);

   o->opcode = (enum isa_opcode)inst->op;
   controls(o, inst);
   o->dst = (struct isa_operand) { .file = ISA_FILE_ARF,
                                   .nr = ISA_ARF_NULL,
                                   .type = ISA_TYPE_D };
}

static void
note_origin(struct gen *g, const struct eu_inst *inst)
{
   if (inst->nir == g->last_nir && inst->note == g->last_note &&
       !g->s->profile)
      return;
   struct eu_origin o = { num_insts(g), inst->nir, inst->note };
   util_dynarray_append(&g->origins, struct eu_origin, o);
   g->last_nir = inst->nir;
   g->last_note = inst->note;
}

static void
generate_halt_target(struct gen *g, const struct eu_inst *inst)
{
   struct isa_inst *o;

   g->halt_target = (int32_t)num_insts(g);
   o = next(g);
   o->opcode = ISA_OPCODE_HALT;
   o->exec_size = (uint8_t)g->s->dispatch_width;
   o->dst = (struct isa_operand) { .file = ISA_FILE_ARF,
                                   .nr = ISA_ARF_NULL,
                                   .type = ISA_TYPE_D };
}

/* PRM SKL vol 2a, "call", "ret": the way back is two dwords. A call wants a
 * thread switch on some chips, and one where it comes back. */
static void
generate_call(struct gen *g, const struct eu_inst *inst)
{
   eu_reg link = eu_retype(inst->dst, ISA_TYPE_UD);
   struct isa_inst *o = next(g);

   link.offset += inst->size_written - REG_SIZE_B;
   o->opcode = ISA_OPCODE_CALL;
   controls(o, inst);
   eu_encode_dest(&o->dst, &link);
   o->src[0].file = ISA_FILE_IMM;
   if (!g->s->devinfo->eu.call_switches)
      return;
   o->thread_ctrl = ISA_THREAD_SWITCH;
   o = next(g);
   o->opcode = ISA_OPCODE_NOP;
   o->thread_ctrl = ISA_THREAD_SWITCH;
}

static void
generate_return(struct gen *g, const struct eu_inst *inst)
{
   struct isa_inst *o = next(g);

   o->opcode = ISA_OPCODE_RET;
   controls(o, inst);
   eu_encode_source(&o->src[0], &inst->src[1], 1);
}

static void
generate_nothing(struct gen *g, const struct eu_inst *inst)
{
}

static void
generate_never(struct gen *g, const struct eu_inst *inst)
{
   eu_fail(g->s, "opcode %s was not lowered", eu_info(inst)->name);
}

static void
generate(struct gen *g, struct eu_inst *inst)
{
   static void (*const emit[EU_EMIT_COUNT])(struct gen *,
                                            const struct eu_inst *) = {
      [EU_EMIT_ALU] = generate_alu,
      [EU_EMIT_SEND] = generate_send,
      [EU_EMIT_FLOW] = generate_flow,
      [EU_EMIT_WAIT] = generate_wait,
      [EU_EMIT_NOTHING] = generate_nothing,
      [EU_EMIT_BROADCAST] = generate_broadcast,
      [EU_EMIT_MOV_INDIRECT] = generate_mov_indirect,
      [EU_EMIT_HALT_TARGET] = generate_halt_target,
      [EU_EMIT_CALL] = generate_call,
      [EU_EMIT_RETURN] = generate_return,
      [EU_EMIT_NEVER] = generate_never,
   };

   note_origin(g, inst);
   if (eu_wants_nop(g->s, g->insts.data, num_insts(g), inst))
      *next(g) = (struct isa_inst) { .opcode = ISA_OPCODE_NOP };
   inst->pass_data = num_insts(g);
   emit[eu_info(inst)->emit](g, inst);
}

/* ---- encoding ---- */

static bool
encode(struct gen *g, struct eu_binary *out)
{
   const struct isa_inst *insts = g->insts.data;
   const unsigned n = num_insts(g);
   uint32_t *code = arena_alloc(g->s->arena, n * 16u);
   struct strbuf text = { 0 };
   bool ok = true;

   for (unsigned i = 0; i < n && ok; i++) {
      struct isa_faults faults = { 0 };
      struct isa_error err = { 0 };

      if (!isa_encode(g->s->gen, &insts[i], code + i * 4, &err)) {
         isa_print(g->s->gen, &insts[i], NULL, &text);
         eu_fail(g->s, "encoding %s: %s", strbuf_str(&text), err.text);
         ok = false;
         break;
      }
#ifndef NDEBUG
      if (!isa_validate(g->s->gen, g->s->devinfo->eu.qwords_stay, &insts[i],
                        &faults)) {
         isa_print(g->s->gen, &insts[i], NULL, &text);
         eu_fail(g->s, "instruction %u, %s: %s (%s)", i, strbuf_str(&text),
                 faults.rule[0]->text, faults.rule[0]->id);
         ok = false;
      }
#else
      (void)faults;
#endif
   }
   strbuf_fini(&text);
   out->code = (uint8_t *)code;
   out->size_B = n * 16;
   return ok;
}

static void
compact(struct gen *g, struct eu_binary *out)
{
   const unsigned n = out->num_origins;
   uint32_t *offsets;

   if (g->s->debug & INTEL_DEBUG_NOCOMPACT)
      return;
   offsets = arena_new_array(g->s->arena, uint32_t, n);
   for (unsigned i = 0; i < n; i++)
      offsets[i] = out->origins[i].offset_B;
   const size_t size =
      isa_compact_program(g->s->gen, out->code, out->size_B, offsets, n);
   if (!size)
      return;
   out->stats.compacted = (uint32_t)(out->size_B - size) / 8;
   out->size_B = (uint32_t)size;
   for (unsigned i = 0; i < n; i++)
      out->origins[i].offset_B = offsets[i];
}

static void
count(struct gen *g, struct eu_binary *out)
{
   const struct isa_inst *insts = g->insts.data;
   struct intel_compile_stats *st = &out->stats;

   st->dispatch_width = g->s->dispatch_width;
   st->instructions = num_insts(g);
   for (unsigned i = 0; i < st->instructions; i++) {
      if (isa_opcode_info(insts[i].opcode)->is_send)
         st->sends++;
   }
   st->loops = g->s->loops;
   st->spills = g->s->spills;
   st->fills = g->s->fills;
   st->max_live_grf = g->s->max_live_grf;
   st->cycles = g->s->cycles;
}

bool
eu_generate(struct eu_shader *s, struct eu_binary *out)
{
   struct gen g = { .s = s, .halt_target = -1 };
   bool ok;

   memset(out, 0, sizeof(*out));
   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      generate(&g, inst);
   eu_resolve_jumps(s, g.insts.data, num_insts(&g), g.halt_target);
   eu_far_jumps(s, &g.insts, &g.origins);
   ok = encode(&g, out);

   out->num_origins =
      (uint32_t)util_dynarray_num_elements(&g.origins, struct eu_origin);
   out->origins = arena_memdup(s->arena, g.origins.data, g.origins.size_B);
   for (uint32_t i = 0; i < out->num_origins; i++)
      out->origins[i].offset_B *= 16;
   if (ok) {
      count(&g, out);
      compact(&g, out);
      out->stats.code_size_B = out->size_B;
   }
   util_dynarray_fini(&g.insts);
   util_dynarray_fini(&g.origins);
   return ok;
}
