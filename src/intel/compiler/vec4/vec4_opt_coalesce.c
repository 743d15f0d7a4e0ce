/* SPDX-License-Identifier: MIT */
/*
 * Results made where a move would take them, and flags that a comparison has
 * set already.
 *
 * A move whose source has no other reader goes when the instruction that
 * made the source can write to the move's destination: both in one block,
 * nothing in between that touches the destination. The channels of that
 * instruction are renamed with the move's swizzle.
 */
#include "intel/compiler/eu/eu_defs.h"
#include "vec4_compile.h"
#include "vec4_ir.h"

static bool
is_identity(unsigned swz, unsigned mask)
{
   for (unsigned c = 0; c < 4; c++) {
      if ((mask & (1u << c)) && eu_swizzle_get(swz, c) != c)
         return false;
   }
   return true;
}

static bool
is_plain_move(const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_MOV && inst->align16 &&
          inst->exec_size == 8 && inst->pred == ISA_PRED_NONE &&
          inst->cond_mod == ISA_COND_MOD_NONE && !inst->saturate &&
          inst->dst.file == EU_VGRF && inst->src[0].file == EU_VGRF &&
          inst->src[0].stride == 1 && !inst->src[0].region &&
          !inst->src[0].negate && !inst->src[0].abs &&
          eu_type_sz(inst->dst.type) == eu_type_sz(inst->src[0].type) &&
          (inst->dst.type == inst->src[0].type ||
           (!eu_type_is_float(inst->dst.type) &&
            !eu_type_is_float(inst->src[0].type)));
}

/* Components that the move does not write, but no one else either. */
static bool
may_write_all(const struct eu_defs *defs, const struct eu_inst *mov)
{
   const uint32_t base = defs->first[mov->dst.nr] + mov->dst.offset / 4;

   for (unsigned k = 0; k < 2 * eu_type_sz(mov->dst.type); k++) {
      if (defs->dw[base + k].defs && defs->dw[base + k].def != mov)
         return false;
   }
   return true;
}

/* Whether def may write the components of `mov`, in other channels. */
static bool
can_move(const struct eu_defs *defs, const struct eu_inst *def,
         const struct eu_inst *mov)
{
   if (!eu_is_alu(def) || def->exec_size != 8 || def->nomask ||
       def->dst.offset != mov->src[0].offset ||
       eu_type_sz(def->dst.type) != eu_type_sz(mov->dst.type) ||
       def->dst.stride != 1 || eu_keeps_channels(def) || eu_uses_acc(def) ||
       eu_flags_written(def))
      return false;
   if (!def->align16)
      return is_identity(mov->src[0].swz, mov->dst.swz) &&
             (mov->dst.swz == ISA_WRITEMASK_XYZW || may_write_all(defs, mov));
   if (def->dst.region)
      return false;
   for (unsigned i = 0; i < def->sources; i++) {
      if (def->src[i].region)
         return false;
   }
   return def->pred == ISA_PRED_NONE ||
          is_identity(mov->src[0].swz, mov->dst.swz);
}

/* All that reads what `def` has written is this move. */
static bool
is_only_reader(const struct eu_defs *defs, const struct eu_inst *def,
               const struct eu_inst *mov)
{
   const uint32_t written =
      def->align16 ? eu_dwords_written(def)
                   : (uint32_t)BITFIELD64_MASK(def->size_written / 4);
   const uint32_t read = eu_dwords_read(mov, 0);
   const uint32_t base = defs->first[def->dst.nr] + def->dst.offset / 4;

   if (def->dst.nr != mov->src[0].nr || !eu_defs_stable_dst(defs, def))
      return false;
   for (unsigned k = 0; k < 16; k++) {
      const unsigned uses = written & (1u << k) ? defs->dw[base + k].uses : 0;
      if (uses > (read >> k & 1))
         return false;
   }
   return true;
}

/* Whether something between the two touches what the move writes. What only
 * starts the life of its destination can be done before. */
static bool
is_disturbed(const struct eu_inst *def, const struct eu_inst *mov,
             struct eu_inst **undef)
{
   *undef = NULL;
   for (struct eu_inst *i = (struct eu_inst *)def;;) {
      i = list_entry(i->link.next, struct eu_inst, link);
      if (i == mov)
         return false;
      if (eu_info(i)->is_flow)
         return true;
      if (i->op == EU_OP_UNDEF) {
         if (i->dst.file == EU_VGRF && i->dst.nr == mov->dst.nr)
            *undef = i;
         continue;
      }
      if (eu_regions_overlap(&i->dst, i->size_written, &mov->dst,
                             mov->size_written) &&
          (!i->align16 || i->dst.offset != mov->dst.offset ||
           (i->dst.swz & mov->dst.swz)))
         return true;
      for (unsigned k = 0; k < i->sources; k++) {
         if (eu_regions_overlap(&i->src[k], eu_size_read(i, k), &mov->dst,
                                mov->size_written))
            return true;
      }
   }
}

static void
rename_channels(struct eu_inst *def, const struct eu_inst *mov)
{
   const unsigned type = def->dst.type;

   if (def->align16) {
      for (unsigned i = 0; i < def->sources; i++) {
         if (def->src[i].file != EU_IMM && !eu_info(def)->crosses)
            def->src[i].swz =
               vec4_swizzle_compose(def->src[i].swz, mov->src[0].swz);
      }
   }
   def->dst = mov->dst;
   def->dst.type = (uint8_t)type;
   if (!def->align16)
      def->dst.swz = 0;
   def->size_written = eu_default_size(def);
}

/* Whether one definition made all that the move reads, in its block. */
static struct eu_inst *
single_def(const struct eu_defs *defs, const struct eu_inst *mov)
{
   struct eu_inst *def = eu_defs_only_def(defs, mov, 0);

   return def && def->block == mov->block && def->ip < mov->ip ? def : NULL;
}

bool
vec4_opt_coalesce(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct eu_defs defs;
   bool progress = false;

   eu_calculate_cfg(s);
   eu_defs_init(&defs, s, arena);
   list_for_each_entry_safe(struct eu_inst, mov, &s->insts, link) {
      struct eu_inst *undef;
      if (!is_plain_move(mov))
         continue;
      struct eu_inst *def = single_def(&defs, mov);
      if (!def || def->dst.nr == mov->dst.nr || !can_move(&defs, def, mov) ||
          !is_only_reader(&defs, def, mov) || is_disturbed(def, mov, &undef))
         continue;
      if (undef) {
         list_del(&undef->link);
         list_addtail(&undef->link, &def->link);
      }
      rename_channels(def, mov);
      list_del(&mov->link);
      progress = true;
      /* The move was what defined these. */
      for (uint32_t k = defs.first[def->dst.nr];
           k < defs.first[def->dst.nr + 1]; k++) {
         if (defs.dw[k].def == mov)
            defs.dw[k].def = def;
      }
   }
   arena_destroy(arena);
   return progress;
}

/* ---- flags ---- */

/* MOV.nz of a boolean that a comparison has just made, into the flag that it
 * has set. */
static bool
is_test(const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_MOV && eu_is_null(&inst->dst) &&
          inst->cond_mod == ISA_COND_MOD_NZ && inst->exec_size == 8 &&
          inst->pred == ISA_PRED_NONE && !inst->nomask &&
          inst->src[0].file == EU_VGRF && inst->src[0].stride == 1 &&
          !inst->src[0].region && !inst->src[0].negate && !inst->src[0].abs &&
          eu_type_sz(inst->src[0].type) == 4 &&
          (!inst->align16 || is_identity(inst->src[0].swz, inst->dst.swz));
}

static bool
sets_same_flag(const struct eu_inst *cmp, const struct eu_inst *test,
               const eu_reg *result)
{
   const unsigned all = ISA_WRITEMASK_XYZW;
   const unsigned wants = test->align16 ? test->dst.swz : all;

   return cmp->op == ISA_OPCODE_CMP && cmp->exec_size == 8 &&
          cmp->pred == ISA_PRED_NONE && !cmp->nomask &&
          cmp->flag == test->flag && cmp->dst.offset == result->offset &&
          eu_type_sz(cmp->dst.type) == eu_type_sz(result->type) &&
          !(wants & ~(cmp->align16 ? cmp->dst.swz : all));
}

/* The comparison of doubles of which `mov` makes booleans for the channels of
 * `mask`, as those of eight dwords: from the low halves. */
static const struct eu_inst *
narrowed(const struct eu_defs *defs, const struct eu_inst *mov, unsigned mask)
{
   const eu_reg *r = &mov->src[0];
   const struct eu_inst *cmp = NULL;

   if (mov->op != ISA_OPCODE_MOV || mov->align16 || mov->exec_size != 8 ||
       mov->pred != ISA_PRED_NONE || mov->saturate || mov->nomask ||
       r->file != EU_VGRF || r->region || r->stride != 2 || r->negate ||
       r->abs || r->offset % (2 * REG_SIZE_B) || eu_type_sz(r->type) != 4 ||
       eu_type_sz(mov->dst.type) != 4 || eu_type_is_float(r->type) ||
       eu_type_is_float(mov->dst.type))
      return NULL;
   for (unsigned c = 0; c < 8; c++) {
      const struct eu_dword_info *d =
         &defs->dw[defs->first[r->nr] + r->offset / 4 + 2 * c];
      if (!(mask & (1u << c % 4)))
         continue;
      if (d->defs != 1 || (cmp && cmp != d->def))
         return NULL;
      cmp = d->def;
   }
   return cmp;
}

/* Whether the flags are those that `writer`, the last one to write them, has
 * left. */
static bool
is_known(const struct eu_defs *defs, const struct eu_inst *test,
         const struct eu_inst *writer)
{
   const unsigned mask = test->align16 ? test->dst.swz : ISA_WRITEMASK_XYZW;
   const struct eu_inst *def = eu_defs_only_def(defs, test, 0);

   if (!writer || !def)
      return false;
   if (def == writer)
      return sets_same_flag(def, test, &test->src[0]);
   if (def->dst.offset != test->src[0].offset ||
       narrowed(defs, def, mask) != writer)
      return false;
   const eu_reg result = eu_retype(def->src[0], ISA_TYPE_DF);
   return sets_same_flag(writer, test, &result);
}

bool
vec4_opt_flags(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   const struct eu_inst *writer[4] = { NULL };
   struct eu_defs defs;
   bool progress = false;

   eu_defs_init(&defs, s, arena);
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (eu_info(inst)->is_flow || eu_is_send(inst))
         memset(writer, 0, sizeof(writer));
      if (is_test(inst) && is_known(&defs, inst, writer[inst->flag])) {
         list_del(&inst->link);
         progress = true;
         continue;
      }
      const unsigned flags = eu_flags_written(inst);
      for (unsigned f = 0; f < 4; f++) {
         if (flags & (1u << f))
            writer[f] = inst;
      }
   }
   arena_destroy(arena);
   return progress;
}
