/* SPDX-License-Identifier: MIT */
/*
 * Flow control, and jumps of a program: each leads to where an instruction
 * starts, or to the program's end.
 */
#include "intel/sim/legal/legal_private.h"

#include <stdio.h>
#include <stdlib.h>

/* Jumps count in units of compact instructions. */
#define UNIT_B ISA_COMPACT_SIZE_B

static bool
is_immediate(const struct legal *l)
{
   return l->info->is_flow && l->inst->opcode != ISA_OPCODE_RET &&
          l->inst->src[0].file == ISA_FILE_IMM;
}

static bool
within_instruction(const struct legal *l)
{
   return is_immediate(l) && ((l->info->has_jip && l->inst->jip % UNIT_B) ||
                              (l->info->has_uip && l->inst->uip % UNIT_B));
}

static bool
has_own_uip(const struct legal *l)
{
   return l->info->has_uip &&
          (l->inst->opcode != ISA_OPCODE_ELSE || l->traits->else_has_uip);
}

static bool
target_is_no_register(const struct legal *l)
{
   const struct isa_operand *s = &l->inst->src[0];
   return l->info->is_flow && s->file == ISA_FILE_ARF &&
          !legal_is_arf(s, ISA_ARF_IP);
}

static bool
target_is_unaligned(const struct legal *l)
{
   const struct isa_operand *s = &l->inst->src[0];
   const bool pair = l->inst->opcode == ISA_OPCODE_BRC ||
                     l->inst->opcode == ISA_OPCODE_RET;
   return l->info->is_flow && s->file == ISA_FILE_GRF &&
          s->subnr_B % (pair ? 8 : 4);
}

/* The address and the mask: two dwords. */
static bool
call_goes_elsewhere(const struct legal *l)
{
   const struct isa_operand *d = &l->inst->dst;
   return l->info->format == ISA_FORMAT_CALL &&
          (d->file != ISA_FILE_GRF || d->subnr_B % 8);
}

const struct legal_check legal_flow_rules[] = {
   { { "jump-unit", "EU-30", LEGAL_HSW | LEGAL_8UP,
       "A jump to the middle of an instruction.",
       "PRM SKL vol 2a, \"JIP\", \"UIP\"" },
     within_instruction },
   { { "target-register", NULL, LEGAL_ALL,
       "The target of a jump in another register than a general one.",
       "PRM SKL vol 2a, jmpi, brd, brc, call, ret" },
     target_is_no_register },
   { { "target-aligned", NULL, LEGAL_ALL,
       "The target of a jump is not aligned to one dword, or to two.",
       "PRM SKL vol 2a, jmpi, brd, brc, call, ret" },
     target_is_unaligned },
   { { "call-register", NULL, LEGAL_ALL,
       "CALL keeps two dwords of a general register, aligned.",
       "PRM SKL vol 2a, call" },
     call_goes_elsewhere },
   { { 0 }, NULL },
};

/* Programs. -------------------------------------------------------------- */

static const struct sim_legal_rule jump_target = {
   "jump-target",
   "EU-30",
   LEGAL_ALL,
   "A jump to where no instruction starts.",
   "PRM SKL vol 2a, \"JIP\", \"UIP\"",
};

/* A bit for each place where an instruction may start. */
struct starts {
   uint8_t *at;
   uint32_t size_B;
};

static bool
leads_to_start(const struct starts *s, int64_t target_B)
{
   return target_B >= 0 && target_B <= s->size_B && target_B % UNIT_B == 0 &&
          s->at[target_B / UNIT_B];
}

static bool
jumps_are_right(enum isa_gen gen, const struct isa_inst *inst,
                const struct starts *s, uint32_t ip_B)
{
   const struct legal l = { .inst = inst,
                            .info = isa_opcode_info(inst->opcode),
                            .traits = sim_traits(isa_gen_number(gen)) };
   const int64_t from = inst->opcode == ISA_OPCODE_CALLA ? 0 : ip_B;
   if (!is_immediate(&l))
      return true;
   return (!l.info->has_jip || leads_to_start(s, from + inst->jip)) &&
          (!has_own_uip(&l) || leads_to_start(s, from + inst->uip));
}

static bool
decode_at(enum isa_gen gen, const uint8_t *code, uint32_t size_B,
          struct isa_inst *inst, unsigned *inst_B,
          struct sim_legal_place *place)
{
   struct isa_error err = { 0 };
   if (isa_decode(gen, code + place->offset_B, size_B - place->offset_B, inst,
                  inst_B, &err))
      return true;
   snprintf(place->text, sizeof(place->text), "%s", err.text);
   return false;
}

static bool
check_program(enum isa_gen gen, bool low_power, const uint8_t *code,
              struct starts *s, struct sim_legal_place *place)
{
   struct isa_inst inst;
   unsigned inst_B;
   for (place->offset_B = 0; place->offset_B < s->size_B;
        place->offset_B += inst_B) {
      if (!decode_at(gen, code, s->size_B, &inst, &inst_B, place))
         return false;
      s->at[place->offset_B / UNIT_B] = 1;
      if ((place->rule = sim_legal_inst(gen, low_power, &inst)))
         return false;
   }
   s->at[s->size_B / UNIT_B] = 1;
   for (place->offset_B = 0; place->offset_B < s->size_B;
        place->offset_B += inst_B) {
      if (!decode_at(gen, code, s->size_B, &inst, &inst_B, place))
         return false;
      if (!jumps_are_right(gen, &inst, s, place->offset_B)) {
         place->rule = &jump_target;
         return false;
      }
   }
   return true;
}

bool
sim_legal_program(enum isa_gen gen, bool low_power, const void *code,
                  uint32_t size_B, struct sim_legal_place *place)
{
   struct starts s = { calloc(size_B / UNIT_B + 1, 1), size_B };
   *place = (struct sim_legal_place) { 0 };
   const bool right = check_program(gen, low_power, code, &s, place);
   free(s.at);
   return right;
}
