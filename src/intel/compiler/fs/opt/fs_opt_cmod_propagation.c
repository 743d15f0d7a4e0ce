/* SPDX-License-Identifier: MIT */
/*
 * A boolean that is made by a comparison and then tested,
 *
 *    cmp.l.f0 t, a, b
 *    mov.nz.f0 null, t
 *
 * was in the flag already. The test goes when the flag still holds it; when
 * something wrote the flag in between, the comparison is repeated instead
 * (one for one), so that t may die. So is what is made of booleans that are
 * the same in all channels. Bitwise operations get the condition
 * themselves, also where their result is compared with zero. What sets a flag
 * to what it is already goes, too: each component of a vector that is
 * selected comes with its own test.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/eu/eu_defs.h"
#include "intel/compiler/fs/fs_compile.h"

/* Of whether an integer is zero. */
static bool
is_comparison_with_zero(const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_CMP &&
          (inst->cond_mod == ISA_COND_MOD_Z ||
           inst->cond_mod == ISA_COND_MOD_NZ) &&
          inst->src[1].file == EU_IMM && inst->src[1].imm == 0;
}

static bool
is_test(const struct eu_inst *inst)
{
   const struct eu_reg *src = &inst->src[0];

   return ((inst->op == ISA_OPCODE_MOV &&
            inst->cond_mod == ISA_COND_MOD_NZ) ||
           is_comparison_with_zero(inst)) &&
          eu_is_null(&inst->dst) && inst->pred == ISA_PRED_NONE &&
          src->file == EU_VGRF && !src->negate && !src->abs && !src->region &&
          !eu_type_is_float(src->type);
}

static bool
same_channels(const struct eu_inst *a, const struct eu_inst *b)
{
   return a->exec_size == b->exec_size && a->group == b->group &&
          a->nomask == b->nomask;
}

/* The test reads the lowest part of each result of a comparison. */
static bool
reads_result_of(const struct eu_inst *test, const struct eu_inst *cmp)
{
   const eu_reg *r = &test->src[0];

   return r->offset == cmp->dst.offset &&
          (test->exec_size == 1 ||
           r->stride * eu_type_sz(r->type) ==
              cmp->dst.stride * eu_type_sz(cmp->dst.type));
}

static bool
flag_survives(const struct eu_inst *def, const struct eu_inst *test)
{
   for (const struct eu_inst *i = def;
        (i = list_entry(i->link.next, struct eu_inst, link)) != test;) {
      if (eu_flags_written(i) & (1u << test->flag))
         return false;
   }
   return true;
}

static bool
flag_is_unused(const struct eu_inst *def, const struct eu_inst *test)
{
   const struct eu_inst *i = def;

   if (eu_flags_read(def) & (1u << test->flag))
      return false;
   while ((i = list_entry(i->link.next, struct eu_inst, link)) != test) {
      if ((eu_flags_read(i) | eu_flags_written(i)) & (1u << test->flag))
         return false;
   }
   return true;
}

static bool
writes_source_of(const struct eu_inst *i, const struct eu_inst *inst)
{
   for (unsigned k = 0; k < inst->sources; k++) {
      if (eu_regions_overlap(&i->dst, i->size_written, &inst->src[k],
                             eu_size_read(inst, k)))
         return true;
   }
   return false;
}

/* How far apart a comparison and its test may be in a block, and how far back
 * a flag's last writer is looked for. */
#define MAX_DISTANCE 64

/* Whether a comparison would say the same where its test is: its sources do
 * not change at all, or not between the two, as what a loop counts. */
static bool
sources_last(const struct eu_defs *defs, const struct eu_inst *def,
             const struct eu_inst *test)
{
   bool stable = true;

   for (unsigned i = 0; i < def->sources; i++)
      stable = stable && eu_defs_stable(defs, def, i) &&
               !eu_defs_outlives_loop(defs, def, i, test);
   if (stable)
      return true;
   if (def->block != test->block || def->ip >= test->ip ||
       test->ip - def->ip > MAX_DISTANCE)
      return false;
   for (const struct eu_inst *i = def;
        (i = list_entry(i->link.next, struct eu_inst, link)) != test;) {
      if (writes_source_of(i, def))
         return false;
   }
   return true;
}

/* A comparison in one channel for all, of scalars. That of doubles is
 * repeated for one test alone, and where one instruction does it. */
static bool
is_uniform_comparison(const struct eu_defs *defs, const struct eu_inst *def,
                      const struct eu_inst *test)
{
   if (def->op != ISA_OPCODE_CMP || def->pred != ISA_PRED_NONE ||
       def->exec_size != 1 || !def->nomask || test->src[0].stride != 0 ||
       test->src[0].offset != def->dst.offset)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      const eu_reg *r = &def->src[i];

      if (r->file == EU_IMM)
         continue;
      if (r->stride != 0 || eu_type_sz(r->type) < 4)
         return false;
      if (eu_type_sz(r->type) == 8 &&
          (r->type != ISA_TYPE_DF || test->exec_size > 8 ||
           eu_defs_uses(defs, def) != 1))
         return false;
   }
   return true;
}

/* The comparison instead of the test. */
static bool
repeat_comparison(const struct eu_defs *defs, struct eu_inst *test,
                  const struct eu_inst *def)
{
   if (!sources_last(defs, def, test))
      return false;
   test->op = ISA_OPCODE_CMP;
   test->cond_mod = def->cond_mod;
   test->sources = 2;
   test->src[0] = def->src[0];
   test->src[1] = def->src[1];
   test->dst = eu_null(def->dst.type);
   return true;
}

static bool
is_logic(const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_AND || inst->op == ISA_OPCODE_OR ||
          inst->op == ISA_OPCODE_XOR || inst->op == ISA_OPCODE_NOT;
}

/* Of booleans that are scalars, which have no flag that could be repeated. */
static bool
is_uniform_logic(const struct eu_inst *def, const struct eu_inst *test)
{
   if (!is_logic(def) || def->pred != ISA_PRED_NONE || def->exec_size != 1 ||
       !def->nomask || test->src[0].stride != 0 ||
       test->op != ISA_OPCODE_MOV || test->src[0].offset != def->dst.offset ||
       eu_type_sz(def->dst.type) != 4)
      return false;
   for (unsigned i = 0; i < def->sources; i++) {
      const eu_reg *r = &def->src[i];

      if (r->file != EU_IMM && (r->stride != 0 || eu_type_sz(r->type) != 4))
         return false;
   }
   return true;
}

/* The operation itself instead of the test, in all its channels. */
static bool
repeat_logic(const struct eu_defs *defs, struct eu_inst *test,
             const struct eu_inst *def)
{
   if (!sources_last(defs, def, test))
      return false;
   test->op = def->op;
   test->sources = def->sources;
   for (unsigned i = 0; i < def->sources; i++)
      test->src[i] = def->src[i];
   test->dst = eu_null(def->dst.type);
   return true;
}

/* A bitwise operation says itself whether its result is zero. */
static bool
fold_into_logic(struct eu_inst *test, struct eu_inst *def)
{
   if (!is_logic(def) || def->pred != ISA_PRED_NONE ||
       !same_channels(def, test) || def->block != test->block ||
       def->ip >= test->ip ||
       eu_type_sz(def->dst.type) != eu_type_sz(test->src[0].type) ||
       !reads_result_of(test, def))
      return false;
   /* The test before this one has become the condition of `def`. */
   if (def->cond_mod == test->cond_mod && def->flag == test->flag &&
       flag_survives(def, test)) {
      list_del(&test->link);
      return true;
   }
   if (def->cond_mod != ISA_COND_MOD_NONE || !flag_is_unused(def, test))
      return false;
   def->cond_mod = test->cond_mod;
   def->flag = test->flag;
   list_del(&test->link);
   return true;
}

static bool
fold_test(struct eu_defs *defs, struct eu_inst *test, struct eu_inst *def)
{
   if (test->op == ISA_OPCODE_CMP)
      return fold_into_logic(test, def);
   if (def->op == ISA_OPCODE_CMP && def->pred == ISA_PRED_NONE &&
       same_channels(def, test) && reads_result_of(test, def)) {
      if (def->block == test->block && def->ip < test->ip &&
          def->flag == test->flag && flag_survives(def, test)) {
         list_del(&test->link);
         return true;
      }
      return repeat_comparison(defs, test, def);
   }
   if (is_uniform_comparison(defs, def, test) && !same_channels(def, test))
      return repeat_comparison(defs, test, def);
   if (is_uniform_logic(def, test) && !same_channels(def, test))
      return repeat_logic(defs, test, def);
   return fold_into_logic(test, def);
}

/* ---- the same condition again ---- */

static bool
sets_flag_only(const struct eu_inst *inst)
{
   if ((inst->op != ISA_OPCODE_MOV && inst->op != ISA_OPCODE_CMP &&
        !is_logic(inst)) ||
       inst->cond_mod == ISA_COND_MOD_NONE || !eu_is_null(&inst->dst) ||
       inst->pred != ISA_PRED_NONE || inst->align16)
      return false;
   eu_foreach_source(r, inst) {
      if (r->file == EU_BAD || r->file == EU_ARF)
         return false;
   }
   return true;
}

static bool
same_condition(const struct eu_inst *a, const struct eu_inst *b)
{
   if (a->op != b->op || a->cond_mod != b->cond_mod || a->flag != b->flag ||
       a->pred != ISA_PRED_NONE || a->align16 || a->saturate != b->saturate ||
       !same_channels(a, b) || a->dst.type != b->dst.type ||
       a->sources != b->sources)
      return false;
   for (unsigned i = 0; i < a->sources; i++) {
      if (!eu_reg_equal(&a->src[i], &b->src[i]))
         return false;
   }
   return true;
}

static bool
is_set_already(struct eu_shader *s, const struct eu_inst *inst)
{
   const struct eu_inst *i = inst;

   for (unsigned k = 0; k < MAX_DISTANCE; k++) {
      if (i->link.prev == &s->insts)
         return false;
      i = list_entry(i->link.prev, struct eu_inst, link);
      if (i->block != inst->block || writes_source_of(i, inst))
         return false;
      if (eu_flags_written(i) & (1u << inst->flag))
         return same_condition(i, inst);
   }
   return false;
}

static bool
drop_repeated(struct eu_shader *s)
{
   bool progress = false;

   eu_calculate_cfg(s);
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (sets_flag_only(inst) && is_set_already(s, inst)) {
         list_del(&inst->link);
         progress = true;
      }
   }
   return progress;
}

bool
fs_opt_cmod_propagation(struct eu_shader *s)
{
   bool progress = eu_visit_defined(s, is_test, fold_test);

   return drop_repeated(s) || progress;
}
