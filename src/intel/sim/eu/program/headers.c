/* SPDX-License-Identifier: MIT */
/*
 * See headers.h. Compilers make such a header by a move of all of r0, or by
 * zeros and an AND that takes the pointer without the thread number from
 * r0.5; then the offset goes to dword 2. Registers that hold headers are
 * written to in no other way between that and the message.
 */
#include "intel/sim/eu/program/headers.h"

#include "intel/isa/isa.h"

#define OFFSET_DW 2
#define SCRATCH_DW 5

void
sim_headers_init(struct sim_headers *h)
{
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++) {
      h->grf[i].scratch = i == 0;
      h->grf[i].offset_ow = SIM_HEADER_UNKNOWN;
   }
}

static bool
has_dword(unsigned first_B, unsigned end_B, unsigned grf, unsigned dw)
{
   const unsigned at_B = grf * SIM_GRF_B + dw * 4;
   return first_B < at_B + 4 && at_B < end_B;
}

static void
invalidate(struct sim_headers *h, unsigned first_B, unsigned end_B)
{
   for (unsigned i = first_B / SIM_GRF_B;
        i < SIM_GRF_COUNT && i * SIM_GRF_B < end_B; i++) {
      if (has_dword(first_B, end_B, i, SCRATCH_DW))
         h->grf[i].scratch = false;
      if (has_dword(first_B, end_B, i, OFFSET_DW))
         h->grf[i].offset_ow = SIM_HEADER_UNKNOWN;
   }
}

/* Forgets what the instruction writes to, or more. */
void
sim_headers_meet(struct sim_headers *h, const struct isa_inst *inst)
{
   const struct isa_opcode_info *info = isa_opcode_info(inst->opcode);
   const struct isa_operand *d = &inst->dst;
   unsigned size_B = SIM_GRF_COUNT * SIM_GRF_B;
   unsigned first_B = d->nr * SIM_GRF_B + d->subnr_B;
   if (!info->has_dst || d->file != ISA_FILE_GRF)
      return;
   if (d->indirect)
      first_B = 0;
   else if (info->format != ISA_FORMAT_SEND &&
            info->format != ISA_FORMAT_SENDS)
      size_B = inst->exec_size * MAX2(d->hstride, 1) *
               isa_type_size_B(d->type);
   else if (!inst->desc_is_reg)
      size_B = isa_desc_rlen(inst->desc) * SIM_GRF_B;
   if (inst->access_mode == ISA_ALIGN16) {
      first_B &= ~15u;
      size_B = ALIGN(size_B, 16u);
   }
   invalidate(h, first_B, first_B + size_B);
}

/* A register of UD, or a dword of one: without modifiers. */
static bool
is_plain(const struct isa_operand *o)
{
   return o->file == ISA_FILE_GRF && !o->indirect && !o->negate && !o->abs &&
          o->type == ISA_TYPE_UD;
}

/* Writes UD to all of its channels, whatever the execution mask. */
static bool
writes_plainly(const struct isa_inst *inst)
{
   return inst->access_mode == ISA_ALIGN1 && inst->no_mask &&
          inst->pred == ISA_PRED_NONE && !inst->saturate &&
          is_plain(&inst->dst) && inst->dst.hstride <= 1;
}

static bool
copies_register(const struct isa_inst *inst)
{
   const struct isa_operand *s = &inst->src[0];
   return inst->opcode == ISA_OPCODE_MOV && writes_plainly(inst) &&
          inst->exec_size == 8 && inst->dst.subnr_B == 0 && is_plain(s) &&
          s->subnr_B == 0 && s->vstride == 8 && s->width == 8 &&
          s->hstride == 1;
}

static bool
copies_pointer(const struct isa_inst *inst)
{
   const struct isa_operand *s = inst->src;
   return inst->opcode == ISA_OPCODE_AND && writes_plainly(inst) &&
          inst->exec_size == 1 && inst->dst.subnr_B == 4 * SCRATCH_DW &&
          is_plain(s) && s->subnr_B == 4 * SCRATCH_DW &&
          s[1].file == ISA_FILE_IMM &&
          (s[1].imm & ISA_HDR_SCRATCH_BASE_MASK) == ISA_HDR_SCRATCH_BASE_MASK;
}

static bool
sets_offset(const struct isa_inst *inst)
{
   const struct isa_operand *s = &inst->src[0];
   return inst->opcode == ISA_OPCODE_MOV && writes_plainly(inst) &&
          inst->exec_size == 1 && inst->dst.subnr_B == 4 * OFFSET_DW &&
          s->file == ISA_FILE_IMM && s->type == ISA_TYPE_UD;
}

void
sim_headers_step(struct sim_headers *h, const struct isa_inst *inst)
{
   const bool copies = copies_register(inst) || copies_pointer(inst);
   const bool scratch = copies && inst->src[0].nr < SIM_GRF_COUNT &&
                        h->grf[inst->src[0].nr].scratch;
   sim_headers_meet(h, inst);
   if (inst->dst.nr >= SIM_GRF_COUNT)
      return;
   if (copies)
      h->grf[inst->dst.nr].scratch = scratch;
   if (sets_offset(inst))
      h->grf[inst->dst.nr].offset_ow = (uint32_t)inst->src[0].imm;
}
