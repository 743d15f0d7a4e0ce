/* SPDX-License-Identifier: MIT */
/*
 * Damages EU programs: see fuzz.h.
 *
 * Bits, whole instructions, or fields of decoded instructions change; the
 * latter mostly into instructions that break no rule, because others end a
 * thread where they stand. Messages get descriptors that other programs of
 * the corpus have. Sizes stay, so that jumps still lead to instructions.
 */
#include "fuzz.h"

#define MAX_INSTRUCTIONS 1024

struct place {
   uint32_t offset_B, size_B;
};

static unsigned
find_instructions(enum isa_gen gen, const uint8_t *code, uint32_t size_B,
                  struct place *places)
{
   unsigned n = 0;
   for (uint32_t at = 0; at + 8 <= size_B && n < MAX_INSTRUCTIONS;) {
      struct isa_inst inst;
      unsigned inst_B = ISA_INST_SIZE_B;
      if (!isa_decode(gen, code + at, size_B - at, &inst, &inst_B, NULL))
         inst_B = code[at + 3] >> 5 & 1 ? ISA_COMPACT_SIZE_B
                                        : ISA_INST_SIZE_B;
      if (at + inst_B > size_B)
         break;
      places[n++] = (struct place) { at, inst_B };
      at += inst_B;
   }
   return n;
}

void
program_collect(struct corpus *c, const uint8_t *code, uint32_t size_B)
{
   static struct place places[MAX_INSTRUCTIONS];
   const unsigned n = find_instructions(c->isa_gen, code, size_B, places);
   for (unsigned i = 0; i < n; i++) {
      struct isa_inst inst;
      if (!isa_decode(c->isa_gen, code + places[i].offset_B, places[i].size_B,
                      &inst, NULL, NULL) ||
          !isa_opcode_info(inst.opcode)->is_send || inst.desc_is_reg ||
          inst.eot)
         continue;
      util_dynarray_append(&c->descriptors, uint32_t, inst.sfid);
      util_dynarray_append(&c->descriptors, uint32_t, inst.desc);
   }
}

static void
damage_operand(struct rng *r, struct isa_operand *o)
{
   static const uint8_t strides[] = {
      0, 1, 2, 4, 8, 16, 32, ISA_VSTRIDE_VXH
   };
   static const enum isa_file files[] = { ISA_FILE_ARF, ISA_FILE_GRF,
                                          ISA_FILE_GRF, ISA_FILE_IMM };
   switch (rng_below(r, 16)) {
   case 0: o->file = files[rng_below(r, ARRAY_SIZE(files))]; break;
   case 1:
   case 2: o->type = (enum isa_type)rng_below(r, ISA_TYPE_COUNT); break;
   case 3:
      o->nr = o->file == ISA_FILE_ARF
                 ? (uint8_t)(rng_below(r, 16) << 4 | rng_below(r, 3))
                 : (uint8_t)rng_below(r, 128);
      break;
   case 4: o->nr = (uint8_t)(o->nr + rng_below(r, 5) - 2); break;
   case 5: o->subnr_B = (uint8_t)rng_below(r, 32); break;
   case 6:
      o->indirect ^= true;
      o->addr_subnr = (uint8_t)rng_below(r, 16);
      o->addr_imm_B = (int16_t)((int)rng_below(r, 1024) - 512);
      break;
   case 7: o->vstride = strides[rng_below(r, ARRAY_SIZE(strides))]; break;
   case 8: o->width = (uint8_t)(1u << rng_below(r, 5)); break;
   case 9: o->hstride = strides[rng_below(r, 4)]; break;
   case 10: o->swizzle = (uint8_t)rng_next(r); break;
   case 11: o->writemask = (uint8_t)rng_below(r, 16); break;
   case 12: o->negate ^= true; break;
   case 13: o->abs ^= true; break;
   case 14: o->rep_ctrl ^= true; break;
   default: o->imm = rng_one_in(r, 2) ? rng_next(r) : rng_below(r, 64); break;
   }
}

/* What was an immediate, or is of the other access mode, has no region. */
static void
complete_regions(struct isa_inst *inst)
{
   for (unsigned i = 0; i < 3; i++) {
      struct isa_operand *o = &inst->src[i];
      o->width = MAX2(o->width, 1);
   }
   inst->dst.hstride = MAX2(inst->dst.hstride, 1);
}

static void
damage_message(struct rng *r, const struct corpus *c, struct isa_inst *inst)
{
   const unsigned n =
      (unsigned)util_dynarray_num_elements(&c->descriptors, uint32_t) / 2;
   switch (rng_below(r, 8)) {
   case 0: inst->sfid = (enum isa_sfid)rng_below(r, 16); break;
   case 1: inst->desc ^= 1u << rng_below(r, 31); break;
   case 2: /* the function's own bits */
      inst->desc = (inst->desc & ~0x7ffffu) | (rng_next(r) & 0x7ffff);
      break;
   case 3: /* the binding table entry */
      inst->desc =
         (inst->desc & ~0xffu) |
         (rng_one_in(r, 2) ? 240 + rng_below(r, 16) : rng_below(r, 8));
      break;
   case 4: /* lengths and the header */
      fields_set(&inst->desc, 19, 10, rng_next(r));
      break;
   case 5: inst->ex_desc = (uint32_t)rng_next(r) & 0x3c0; break;
   default:
      if (n) {
         const uint32_t *d = util_dynarray_element(&c->descriptors, uint32_t,
                                                   2 * rng_below(r, n));
         inst->sfid = (enum isa_sfid)d[0];
         inst->desc = d[1];
      }
      break;
   }
}

static void
damage_control(struct rng *r, const struct corpus *c, struct isa_inst *inst)
{
   switch (rng_below(r, 14)) {
   case 0:
   case 1: {
      enum isa_opcode op;
      do
         op = (enum isa_opcode)rng_below(r, ISA_OPCODE_COUNT);
      while (!isa_opcode_exists(c->isa_gen, op));
      inst->opcode = op;
      break;
   }
   case 2: inst->exec_size = (uint8_t)(1u << rng_below(r, 6)); break;
   case 3: inst->group = (uint8_t)(4 * rng_below(r, 8)); break;
   case 4: inst->no_mask ^= true; break;
   case 5: inst->pred = (enum isa_pred)rng_below(r, ISA_PRED_COUNT); break;
   case 6: inst->pred_inv ^= true; break;
   case 7: inst->cond_mod = (enum isa_cond_mod)rng_below(r, 10); break;
   case 8:
      inst->flag_nr = (uint8_t)rng_below(r, 2);
      inst->flag_subnr = (uint8_t)rng_below(r, 2);
      break;
   case 9: inst->saturate ^= true; break;
   case 10: inst->acc_wr_en ^= true; break;
   case 11: inst->access_mode ^= 1; break;
   case 12: inst->math_function = (enum isa_math)rng_below(r, 16); break;
   default:
      inst->jip = 8 * ((int32_t)rng_below(r, 64) - 32);
      inst->uip = 8 * ((int32_t)rng_below(r, 64) - 32);
      break;
   }
}

static void
damage_inst(struct rng *r, const struct corpus *c, struct isa_inst *inst)
{
   if (isa_opcode_info(inst->opcode)->is_send && !rng_one_in(r, 3)) {
      damage_message(r, c, inst);
      return;
   }
   const unsigned what = rng_below(r, 6);
   if (what < 3)
      damage_operand(r, what ? &inst->src[what - 1] : &inst->dst);
   else
      damage_control(r, c, inst);
}

/* Puts the instruction where `place` is, if it can be written that long. */
static bool
write_inst(const struct corpus *c, const struct isa_inst *inst, uint8_t *code,
           const struct place *place)
{
   uint32_t full[4], compact[2];
   if (!isa_encode(c->isa_gen, inst, full, NULL))
      return false;
   if (place->size_B == ISA_INST_SIZE_B) {
      memcpy(code + place->offset_B, full, sizeof(full));
      return true;
   }
   if (!isa_compact(c->isa_gen, full, compact))
      return false;
   memcpy(code + place->offset_B, compact, sizeof(compact));
   return true;
}

/* Changes a decoded instruction; false if nothing that can be written came
 * of it. */
static bool
change_inst(struct rng *r, const struct corpus *c, uint8_t *code,
            const struct place *place)
{
   struct isa_inst old;
   if (!isa_decode(c->isa_gen, code + place->offset_B, place->size_B, &old,
                   NULL, NULL))
      return false;
   const bool legal = !rng_one_in(r, 6);
   for (unsigned tries = 0; tries < 12; tries++) {
      struct isa_inst inst = old;
      struct isa_faults faults = { 0 };
      inst.compacted = false;
      for (unsigned k = 1 + rng_below(r, 3); k; k--)
         damage_inst(r, c, &inst);
      complete_regions(&inst);
      if (legal &&
          !isa_validate(c->isa_gen, c->info->eu.qwords_stay, &inst, &faults))
         continue;
      if (write_inst(c, &inst, code, place))
         return true;
   }
   return false;
}

static void
damage_bits(struct rng *r, uint8_t *code, const struct place *place)
{
   code[place->offset_B + rng_below(r, place->size_B)] ^=
      (uint8_t)(1u << rng_below(r, 8));
}

static void
damage_place(struct rng *r, const struct corpus *c, uint8_t *code,
             const struct place *places, unsigned n)
{
   const struct place *p = &places[rng_below(r, n)];
   const struct place *other = &places[rng_below(r, n)];
   switch (rng_below(r, 16)) {
   case 0:
   case 1: damage_bits(r, code, p); return;
   case 2:
   case 3:
      if (p->size_B == other->size_B)
         memmove(code + p->offset_B, code + other->offset_B, p->size_B);
      return;
   case 4:
      for (unsigned i = 0; i < p->size_B; i++)
         code[p->offset_B + i] = (uint8_t)rng_next(r);
      return;
   default:
      if (!change_inst(r, c, code, p))
         damage_bits(r, code, p);
      return;
   }
}

/* Every instruction but the last changed a lot: what is left of the program
 * is its length. */
static void
replace_all(struct rng *r, const struct corpus *c, uint8_t *code,
            const struct place *places, unsigned n)
{
   for (unsigned i = 0; i + 1 < n; i++) {
      for (unsigned k = 1 + rng_below(r, 3); k; k--)
         change_inst(r, c, code, &places[i]);
   }
}

void
program_damage(struct rng *r, const struct corpus *c, uint8_t *code,
               uint32_t size_B, uint32_t room_B)
{
   static struct place places[MAX_INSTRUCTIONS];
   const unsigned n = find_instructions(c->isa_gen, code, size_B, places);
   if (!n)
      return;
   if (rng_one_in(r, 64)) {
      for (uint32_t i = 0; i < size_B; i++)
         code[i] = (uint8_t)rng_next(r);
   } else if (rng_one_in(r, 24)) {
      replace_all(r, c, code, places, n);
   } else if (rng_one_in(r, 48)) {
      /* Without an end. */
      memmove(code + size_B - 16, code, MIN2(room_B - size_B + 16, size_B));
   } else {
      for (unsigned i = 1 + rng_below(r, 6); i; i--)
         damage_place(r, c, code, places, n);
   }
}
