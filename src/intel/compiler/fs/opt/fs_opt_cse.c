/* SPDX-License-Identifier: MIT */
/*
 * Common subexpressions of a block: an instruction that stands there twice is
 * executed once.
 *
 * Only results that are written once and sources that cannot change in
 * between count (eu_defs.h), so that two instructions match if they read
 * alike. NIR has done this for its values; what is left are sequences of the
 * back end itself: headers, positions, conversions, uniform loads.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/eu/eu_defs.h"
#include "intel/compiler/fs/fs_compile.h"

#define TABLE 256

struct entry {
   struct eu_inst *inst;
   uint32_t block;
};

static bool
is_candidate(const struct eu_defs *d, const struct eu_inst *inst)
{
   if (eu_info(inst)->is_virtual || eu_has_side_effects(inst) ||
       inst->pred != ISA_PRED_NONE || eu_flags_written(inst) ||
       eu_uses_acc(inst) || eu_flags_read(inst) ||
       inst->dst.file != EU_VGRF || inst->dst.offset != 0 ||
       eu_is_send(inst) ||
       /* A move by a region makes a value that its reader cannot have from
        * the source. */
       (inst->op == ISA_OPCODE_MOV &&
        (inst->align16 || !inst->src[0].region)) ||
       inst->dst.stride > 1 || inst->dst.region)
      return false;
   if (!eu_defs_stable_dst(d, inst))
      return false;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (!eu_defs_stable(d, inst, i))
         return false;
   }
   return true;
}

static unsigned
hash(const struct eu_inst *inst)
{
   uint64_t h = inst->op * 31u + inst->exec_size;

   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];
      h = h * 1099511628211u + r->nr + r->offset * 7u + r->imm + r->type;
   }
   return (unsigned)((h >> 32) ^ h) % TABLE;
}

static bool
same(const struct eu_inst *a, const struct eu_inst *b)
{
   if (a->op != b->op || a->exec_size != b->exec_size ||
       a->group != b->group || a->nomask != b->nomask ||
       a->align16 != b->align16 || a->dst.swz != b->dst.swz ||
       a->saturate != b->saturate || a->math != b->math ||
       a->cond_mod != b->cond_mod || a->toward_zero != b->toward_zero ||
       a->sources != b->sources || a->dst.type != b->dst.type ||
       a->dst.stride != b->dst.stride || a->size_written != b->size_written)
      return false;
   for (unsigned i = 0; i < a->sources; i++) {
      if (!eu_reg_equal(&a->src[i], &b->src[i]))
         return false;
   }
   return true;
}

bool
fs_opt_cse(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct entry *table = arena_new_array(arena, struct entry, TABLE);
   struct eu_defs defs;
   bool progress = false;

   eu_calculate_cfg(s);
   eu_defs_init(&defs, s, arena);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (!is_candidate(&defs, inst))
         continue;
      struct entry *e = &table[hash(inst)];
      if (e->inst && e->block == inst->block && same(e->inst, inst)) {
         /* A copy, for copy propagation to take away. */
         const unsigned size = eu_type_sz(inst->dst.type);
         if (s->simd4x2 && !inst->align16 && inst->exec_size == 8 &&
             inst->dst.stride == 1 && size >= 4) {
            inst->align16 = true;
            inst->dst.swz = ISA_WRITEMASK_XYZW;
         }
         const unsigned raw = inst->align16 && size == 8 ? ISA_TYPE_DF
                                                         : eu_uint_type(size);
         inst->op = ISA_OPCODE_MOV;
         inst->math = 0;
         inst->cond_mod = ISA_COND_MOD_NONE;
         inst->saturate = false;
         inst->sources = 1;
         inst->src[0] = eu_retype(e->inst->dst, raw);
         inst->dst.type = (uint8_t)raw;
         inst->src[0].swz = inst->align16 ? ISA_SWIZZLE_XYZW : 0;
         if (inst->exec_size == 1)
            inst->src[0].stride = 0;
         progress = true;
      } else {
         *e = (struct entry) { inst, inst->block };
      }
   }
   arena_destroy(arena);
   return progress;
}
