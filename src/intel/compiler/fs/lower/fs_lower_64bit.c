/* SPDX-License-Identifier: MIT */
/*
 * 64-bit values where the EU has doubles, but neither 64-bit integers nor
 * 64-bit immediates everywhere (docs/eu-fp64-facts.rst, 1.1, rows 5 to 8).
 *
 *    1. A constant comes by DIM, one channel at a time (Gen7.5), or by two
 *       moves of dwords (Gen7); more channels read it as a scalar.
 *    2. What only moves bits (MOV without a conversion, SEL by a predicate,
 *       BROADCAST, MOV_INDIRECT, messages) moves doubles: none changes a bit.
 *
 * Before: 64-bit arithmetic is on DF. After: no Q and no UQ, and no 64-bit
 * immediate outside of DIM.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/fs/fs_compile.h"

static bool
has_imm64(const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_MOV && inst->src[0].file == EU_IMM &&
          eu_type_sz(inst->src[0].type) == 8;
}

static void
load_constant(const struct eu_builder *b, eu_reg dst, uint64_t bits)
{
   const struct eu_builder sb = eu_scalar(*b);

   if (b->s->devinfo->eu.has_dim) {
      eu_emit1(&sb, ISA_OPCODE_DIM, eu_retype(dst, ISA_TYPE_DF),
               eu_imm(ISA_TYPE_DF, bits));
      return;
   }
   for (unsigned i = 0; i < 2; i++)
      eu_MOV(&sb, eu_byte_offset(eu_retype(dst, ISA_TYPE_UD), 4 * i),
             eu_imm_ud(bits >> (32 * i)));
}

static void
lower_constant(struct eu_shader *s, struct eu_inst *inst)
{
   const struct eu_builder b = eu_builder_before(s, inst);
   const unsigned type = inst->src[0].type;

   if (inst->exec_size == 1 && inst->nomask && inst->dst.type == type &&
       !inst->saturate && inst->pred == ISA_PRED_NONE &&
       inst->cond_mod == ISA_COND_MOD_NONE) {
      load_constant(&b, inst->dst, inst->src[0].imm);
      list_del(&inst->link);
      return;
   }
   const eu_reg t = eu_vgrf_scalar(&b, type);
   load_constant(&b, eu_scalar_dst(t), inst->src[0].imm);
   inst->src[0] = t;
}

static bool
is_int64(unsigned type)
{
   return type == ISA_TYPE_Q || type == ISA_TYPE_UQ;
}

static bool
has_int64(const struct eu_inst *inst)
{
   bool found = is_int64(inst->dst.type);

   for (unsigned i = 0; i < inst->sources; i++)
      found |= is_int64(inst->src[i].type);
   return found;
}

/* Whether what has 64 bits is copied as it is. A message moves registers,
 * whatever their types are. */
static bool
keeps_bits(const struct eu_inst *inst)
{
   if (eu_is_send(inst) || inst->op == EU_OP_UNDEF)
      return true;
   bool raw = eu_info(inst)->moves_bits && !inst->saturate &&
              inst->cond_mod == ISA_COND_MOD_NONE &&
              eu_type_sz(inst->dst.type) == 8;

   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];
      const bool data = i == 0 || inst->op == ISA_OPCODE_SEL;

      raw &= data ? eu_type_sz(r->type) == 8 && !r->negate && !r->abs
                  : !is_int64(r->type);
   }
   return raw;
}

/* Operands of 64-bit integers as doubles, if the bits stay what they are. */
static bool
lower_types(struct eu_shader *s, struct eu_inst *inst)
{
   if (!has_int64(inst))
      return false;
   if (!keeps_bits(inst)) {
      eu_fail(s, "64-bit integers in %s", eu_info(inst)->name);
      return false;
   }
   if (eu_type_sz(inst->dst.type) == 8)
      inst->dst.type = ISA_TYPE_DF;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (eu_type_sz(inst->src[i].type) == 8)
         inst->src[i].type = ISA_TYPE_DF;
   }
   return true;
}

bool
fs_lower_64bit(struct eu_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (!s->devinfo->eu.has_imm64 && has_imm64(inst)) {
         lower_constant(s, inst);
         progress = true;
         continue;
      }
      if (!s->devinfo->has_64bit_int)
         progress |= lower_types(s, inst);
   }
   return progress;
}

/* ---- moves by halves ---- */

static bool
is_plain(const eu_reg *r)
{
   return (r->file == EU_VGRF || r->file == EU_GRF) && !r->region &&
          !r->negate && !r->abs && eu_type_sz(r->type) == 8;
}

/* Whether dst may be written in parts before all of the source is read. */
static bool
in_the_way(const struct eu_inst *inst, unsigned i)
{
   const eu_reg *r = &inst->src[i], *d = &inst->dst;

   return eu_regions_overlap(d, inst->size_written, r,
                             eu_size_read(inst, i)) &&
          (r->stride != d->stride || eu_reg_offset(r) != eu_reg_offset(d));
}

/* MOV without a conversion, SEL by a predicate, in several channels. */
static bool
only_moves_bits(const struct eu_inst *inst)
{
   const bool mov = inst->op == ISA_OPCODE_MOV &&
                    inst->pred == ISA_PRED_NONE &&
                    (inst->dst.type == inst->src[0].type ||
                     (!eu_type_is_float(inst->dst.type) &&
                      !eu_type_is_float(inst->src[0].type)));

   if ((!mov && inst->op != ISA_OPCODE_SEL) || inst->align16 ||
       inst->cond_mod != ISA_COND_MOD_NONE || inst->saturate ||
       inst->exec_size < 4 || !is_plain(&inst->dst) || inst->dst.stride != 1)
      return false;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (!is_plain(&inst->src[i]) || inst->src[i].stride > 1 ||
          in_the_way(inst, i))
         return false;
   }
   return true;
}

static void
split_move(struct eu_shader *s, struct eu_inst *inst)
{
   const struct eu_builder b = eu_builder_before(s, inst);
   bool fresh = inst->dst.file == EU_VGRF &&
                inst->dst.offset % REG_SIZE_B == 0 &&
                inst->size_written % REG_SIZE_B == 0;

   for (unsigned i = 0; i < inst->sources; i++)
      fresh &= !eu_regions_overlap(&inst->dst, inst->size_written,
                                   &inst->src[i], eu_size_read(inst, i));
   if (fresh)
      eu_undef_grfs(&b, inst->dst, inst->dst.offset / REG_SIZE_B,
                    inst->size_written / REG_SIZE_B);
   for (unsigned h = 0; h < 2; h++) {
      eu_reg src[2];
      for (unsigned i = 0; i < inst->sources; i++)
         src[i] = eu_subscript(inst->src[i], ISA_TYPE_UD, h);
      struct eu_inst *half = eu_emit(&b, inst->op,
                                     eu_subscript(inst->dst, ISA_TYPE_UD, h),
                                     inst->sources, src);
      half->pred = inst->pred;
      half->pred_inv = inst->pred_inv;
      half->flag = inst->flag;
   }
   list_del(&inst->link);
}

/*
 * Two moves of dwords take half the time of one of 64 bits (the pipe for
 * doubles has a quarter of the others' width: sim/eu/timing.c).
 */
bool
fs_split_64bit_moves(struct eu_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (only_moves_bits(inst)) {
         split_move(s, inst);
         progress = true;
      }
   }
   return progress;
}

/* The same of immediates, after scheduling: while an instruction is one, its
 * result is not live for longer than it must. */
bool
fs_split_64bit_immediates(struct eu_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (has_imm64(inst) && inst->exec_size >= 4 && !inst->align16 &&
          inst->dst.file == EU_VGRF && inst->dst.stride == 1 &&
          inst->dst.type == inst->src[0].type &&
          inst->pred == ISA_PRED_NONE && !inst->saturate &&
          inst->cond_mod == ISA_COND_MOD_NONE) {
         split_move(s, inst);
         progress = true;
      }
   }
   return progress;
}
