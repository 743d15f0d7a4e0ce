/* SPDX-License-Identifier: MIT */
/*
 * Two readings of which instructions are legal: isa_validate(), by which the
 * compiler goes, and sim_legal_inst(), by which the simulator does. They are
 * written apart, from the manuals, and share no code; here they are asked
 * about the same instructions.
 *
 * These are random bits, and instructions that are legal to begin with
 * (seeds, and what the compiler makes of whole shaders) with one field or a
 * few changed. Where one refuses what the other lets pass, each rule by which
 * it does so must stand in the table of differences with its reason; so must
 * one by which it is a fault to one of them only, and to the other a form
 * that is forbidden and ships. A row that no instruction shows any more is a
 * failure, too. So is a rule of either that no instruction breaks.
 *
 * usage: test_legal [-n TRIALS] [-s SEED] [-v] MODULE.spv...
 * -v counts what was refused by which rule. The trials are the same each
 * time.
 */
#include "legal_seeds.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/spirv/spirv_to_nir.h"
#include "compiler/spirv/tests/spirv_mutate.h"
#include "intel/compiler/intel_compiler.h"
#include "intel/dev/intel_device_info.h"
#include "intel/isa/isa_messages.h"
#include "intel/sim/legal/legal.h"
#include "intel/tools/compile_resources.h"

enum side { ISA, SIM };

/* What one reading refuses and the other does not. */
struct difference {
   enum side refuses;
   const char *rule;
   const char *reason;
   unsigned long count;
};

static struct difference differences[] = {
   { ISA, "df-scalar-2",
     "legal: Ivybridge's second half reads the next register, as the "
     "simulator does (docs/eu-fp64-facts.rst, 1.2, row 5); but no scalar "
     "that a compiler means, so it may not make it by mistake" },
};

#define MAX_RULES 256
#define MAX_FINDS 64

struct find {
   enum side refuses;
   const char *rule;
   unsigned long count;
   struct strbuf example;
};

static struct {
   uint64_t random;
   struct isa_inst *seeds;
   unsigned num_seeds, room;
   unsigned long tried, both_refuse, both_accept, differ;
   const struct isa_rule *isa[MAX_RULES];
   unsigned num_isa;
   unsigned long broken[2][MAX_RULES];
   struct find finds[MAX_FINDS];
   unsigned num_finds;
} test;

/* splitmix64 */
static uint64_t
random_bits(void)
{
   uint64_t z = (test.random += 0x9e3779b97f4a7c15ull);
   z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
   z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
   return z ^ (z >> 31);
}

static unsigned
below(unsigned n)
{
   return (unsigned)(random_bits() % n);
}

/* Comparison. ------------------------------------------------------------ */

static bool
is_known(enum side refuses, const char *rule)
{
   for (unsigned i = 0; i < ARRAY_SIZE(differences); i++) {
      struct difference *d = &differences[i];
      if (d->refuses != refuses || strcmp(d->rule, rule))
         continue;
      d->count++;
      return true;
   }
   return false;
}

static void
find(enum isa_gen gen, const struct isa_inst *inst, enum side refuses,
     const char *rule)
{
   if (is_known(refuses, rule))
      return;
   unsigned i = 0;
   while (i < test.num_finds && (test.finds[i].refuses != refuses ||
                                 strcmp(test.finds[i].rule, rule)))
      i++;
   if (i == MAX_FINDS)
      return;
   struct find *f = &test.finds[i];
   if (i == test.num_finds) {
      test.num_finds++;
      f->refuses = refuses;
      f->rule = rule;
   }
   if (f->count++ < 6) {
      strbuf_printf(&f->example, "   %s: ", isa_gen_name(gen));
      isa_print(gen, inst, NULL, &f->example);
      strbuf_printf(&f->example, "\n");
   }
}

static void
note_isa(const struct isa_rule *rule)
{
   for (unsigned i = 0; i < test.num_isa; i++) {
      if (test.isa[i] == rule)
         test.broken[ISA][i]++;
   }
}

static void
compare_on(enum isa_gen gen, bool low_power, const struct isa_inst *inst)
{
   struct isa_faults faults = { 0 };
   const struct sim_legal_rule *rule;
   unsigned from = 0, broken = 0;
   const char *fault[2] = { NULL, NULL }; /* of each side, that is one */
   const bool isa_accepts = isa_validate(gen, low_power, inst, &faults);
   const unsigned num = MIN2(faults.count, ISA_MAX_FAULTS);

   test.tried++;
   while ((rule = sim_legal_next(gen, low_power, inst, &from))) {
      broken++;
      if (!rule->shipped)
         fault[SIM] = rule->id;
      test.broken[SIM][from - 1]++;
      if (isa_accepts)
         find(gen, inst, SIM, rule->id);
   }
   for (unsigned i = 0; i < num; i++) {
      note_isa(faults.rule[i]);
      if (!faults.rule[i]->shipped)
         fault[ISA] = faults.rule[i]->id;
      if (!broken)
         find(gen, inst, ISA, faults.rule[i]->id);
   }
   /* Both know that it is wrong, and one that chips take it. */
   for (enum side s = ISA; s <= SIM; s++) {
      if (!isa_accepts && broken && fault[s] && !fault[!s])
         find(gen, inst, s, fault[s]);
   }
   test.both_accept += isa_accepts && !broken;
   test.both_refuse += !isa_accepts && broken;
   test.differ += isa_accepts == (broken != 0);
}

/* Gen8 and Gen9 have chips with rules of their own. */
static void
compare(enum isa_gen gen, const struct isa_inst *inst)
{
   compare_on(gen, false, inst);
   if (gen >= ISA_BDW)
      compare_on(gen, true, inst);
}

/* What can be written is what chips are given. */
static void
try_inst(enum isa_gen gen, const struct isa_inst *inst)
{
   struct isa_inst again;
   uint32_t dw[4];
   if (isa_encode(gen, inst, dw, NULL) &&
       isa_decode(gen, dw, sizeof(dw), &again, NULL, NULL))
      compare(gen, &again);
}

/* Changes. --------------------------------------------------------------- */

static void
change_operand(struct isa_operand *o)
{
   static const uint8_t strides[] = {
      0, 1, 2, 4, 8, 16, 32, ISA_VSTRIDE_VXH
   };
   static const enum isa_file files[] = { ISA_FILE_ARF, ISA_FILE_GRF,
                                          ISA_FILE_IMM };
   static const uint8_t swizzles[] = { 0xe4, 0x44, 0xee, 0x4e, 0x00, 0x1b };
   switch (below(16)) {
   case 0: o->file = files[below(3)]; break;
   case 1:
   case 2: o->type = (enum isa_type)below(ISA_TYPE_COUNT); break;
   case 3:
      o->nr = o->file == ISA_FILE_ARF ? (uint8_t)(below(16) << 4 | below(3))
                                      : (uint8_t)below(ISA_MAX_GRF);
      break;
   case 4:
   case 5:
      o->subnr_B = (uint8_t)below(32) & (uint8_t)(0xff << below(5));
      break;
   case 6:
      o->indirect ^= true;
      o->nr = o->subnr_B = 0;
      o->addr_subnr = (uint8_t)below(8);
      o->addr_imm_B = (int16_t)((int)below(64) - 32) * 16;
      break;
   case 7: o->vstride = strides[below(ARRAY_SIZE(strides))]; break;
   case 8: o->width = (uint8_t)(1u << below(5)); break;
   case 9: o->hstride = strides[below(4)]; break;
   case 10: o->swizzle = swizzles[below(ARRAY_SIZE(swizzles))]; break;
   case 11: o->writemask = (uint8_t)below(16); break;
   case 12: o->negate ^= true; break;
   case 13: o->abs ^= true; break;
   case 14:
      o->rep_ctrl ^= true;
      o->vstride = o->rep_ctrl ? 0 : 4;
      break;
   default:
      o->vstride = strides[below(7)];
      o->width = (uint8_t)(1u << below(5));
      o->hstride = strides[below(4)];
      break;
   }
}

static void
change_message(struct isa_inst *inst)
{
   switch (below(8)) {
   case 0: inst->sfid = (enum isa_sfid)below(16); break;
   case 1: inst->desc ^= 1u << below(31); break;
   case 2: inst->desc ^= 1u << (8 + below(12)); break;
   case 3: inst->desc = (inst->desc & ~(0xfu << 25)) | below(16) << 25; break;
   case 4:
      inst->desc = (inst->desc & ~(0x1fu << 20)) | below(32) << 20;
      break;
   case 5:
      inst->ex_desc = (inst->ex_desc & ~(0xfu << 6)) | below(16) << 6;
      break;
   case 6: inst->eot ^= true; break;
   default: inst->desc_is_reg ^= true; break;
   }
}

/* An operand's width is 0 where it had none. */
static void
complete(struct isa_inst *inst)
{
   for (unsigned i = 0; i < 3; i++)
      inst->src[i].width = MAX2(inst->src[i].width, 1);
}

static void
change_controls(enum isa_gen gen, struct isa_inst *inst)
{
   static const enum isa_cond_mod conds[] = {
      ISA_COND_MOD_NONE, ISA_COND_MOD_NZ, ISA_COND_MOD_GE,
      ISA_COND_MOD_L,    ISA_COND_MOD_O,
   };
   switch (below(15)) {
   case 0:
   case 1: inst->exec_size = (uint8_t)(1u << below(6)); break;
   case 2: inst->group = (uint8_t)(4 * below(8)); break;
   case 3: inst->access_mode ^= 1; break;
   case 4: inst->pred = (enum isa_pred)below(ISA_PRED_COUNT); break;
   case 5: inst->cond_mod = conds[below(ARRAY_SIZE(conds))]; break;
   case 6: inst->saturate ^= true; break;
   case 7: inst->acc_wr_en ^= true; break;
   case 8: inst->thread_ctrl = (enum isa_thread_ctrl)below(3); break;
   case 9:
      inst->flag_nr = (uint8_t)below(2);
      inst->flag_subnr = (uint8_t)below(2);
      break;
   case 10:
      inst->math_function =
         inst->opcode == ISA_OPCODE_MATH ? (enum isa_math)(1 + below(15)) : 0;
      break;
   case 11: inst->no_mask ^= true; break;
   case 13:
      inst->no_dd_clr ^= true;
      inst->no_dd_chk = below(2);
      break;
   case 12: inst->jip = ((int)below(64) - 32) * 4; break;
   default:
      do
         inst->opcode = (enum isa_opcode)below(ISA_OPCODE_COUNT);
      while (!isa_opcode_exists(gen, inst->opcode));
      break;
   }
}

static void
change(enum isa_gen gen, struct isa_inst *inst)
{
   const struct isa_opcode_info *info = isa_opcode_info(inst->opcode);
   if (info->is_send && below(2)) {
      change_message(inst);
      return;
   }
   switch (below(4)) {
   case 0: change_controls(gen, inst); break;
   case 1: change_operand(&inst->dst); break;
   default:
      change_operand(&inst->src[below(MAX2(info->num_srcs, 1u))]);
      break;
   }
   complete(inst);
}

/* All operands of one type: one change at a time seldom gets there. */
static void
retype(struct isa_inst *inst)
{
   const enum isa_type type = (enum isa_type)below(ISA_TYPE_UV);
   inst->dst.type = type;
   for (unsigned i = 0; i < 3; i++) {
      if (inst->src[i].file != ISA_FILE_IMM || below(2))
         inst->src[i].type = type;
   }
}

static const struct isa_inst *
some_seed(void)
{
   return &test.seeds[below(test.num_seeds)];
}

static void
try_changes(enum isa_gen gen)
{
   struct isa_inst inst = *some_seed();
   if (!isa_opcode_info(inst.opcode)->is_send && !below(6))
      retype(&inst);
   for (unsigned n = below(4) ? 1 : 2 + below(2); n; n--)
      change(gen, &inst);
   try_inst(gen, &inst);
}

static void
try_bits(enum isa_gen gen)
{
   struct isa_inst inst;
   uint32_t dw[4];
   if (!isa_encode(gen, some_seed(), dw, NULL))
      return;
   for (unsigned n = 1 + below(3); n; n--)
      dw[below(4)] ^= 1u << below(32);
   if (isa_decode(gen, dw, sizeof(dw), &inst, NULL, NULL))
      compare(gen, &inst);
}

static void
try_random(enum isa_gen gen)
{
   struct isa_inst inst;
   uint32_t dw[4];
   const unsigned sparse = below(4);
   enum isa_opcode op;
   for (unsigned i = 0; i < 4; i++) {
      dw[i] = (uint32_t)random_bits();
      for (unsigned k = 0; k < sparse; k++)
         dw[i] &= (uint32_t)random_bits();
   }
   do
      op = (enum isa_opcode)below(ISA_OPCODE_COUNT);
   while (!isa_opcode_exists(gen, op));
   dw[0] = (dw[0] & ~0x7fu) | isa_opcode_info(op)->hw[gen];
   if (isa_decode(gen, dw, sizeof(dw), &inst, NULL, NULL))
      compare(gen, &inst);
}

/* Seeds. ----------------------------------------------------------------- */

static void
add_seed(const struct isa_inst *inst)
{
   if (test.num_seeds == test.room) {
      test.room = test.room * 2 + 256;
      test.seeds = realloc(test.seeds, test.room * sizeof(*test.seeds));
      if (!test.seeds)
         abort();
   }
   test.seeds[test.num_seeds] = *inst;
   test.seeds[test.num_seeds++].compacted = false;
}

/* Both readings let seeds pass, or the seed is wrong. */
static bool
add_texts(enum isa_gen gen)
{
   bool good = true;
   for (unsigned i = 0; i < ARRAY_SIZE(legal_seeds); i++) {
      const char *text = legal_seeds[i].text;
      struct isa_faults faults = { 0 };
      struct isa_error err = { 0 };
      struct isa_inst inst;
      if (!(legal_seeds[i].gens >> gen & 1))
         continue;
      if (!isa_parse(gen, text, &inst, &err)) {
         fprintf(stderr, "%s: %s: %s\n", isa_gen_name(gen), text, err.text);
         good = false;
         continue;
      }
      const struct sim_legal_rule *rule = sim_legal_inst(gen, false, &inst);
      isa_validate(gen, false, &inst, &faults);
      if (rule || faults.count) {
         fprintf(stderr, "%s: %s: isa %s, sim %s\n", isa_gen_name(gen), text,
                 faults.count ? faults.rule[0]->id : "-",
                 rule ? rule->id : "-");
         good = false;
      }
      add_seed(&inst);
   }
   return good;
}

static void
try_probes(enum isa_gen gen)
{
   for (unsigned i = 0; i < ARRAY_SIZE(legal_probes); i++) {
      struct isa_inst inst;
      if ((legal_probes[i].gens >> gen & 1) &&
          isa_parse(gen, legal_probes[i].text, &inst, NULL))
         try_inst(gen, &inst);
   }
}

static const struct intel_shader *
compile(const struct intel_compiler *compiler, struct arena *arena,
        const struct spirv_module_words *m)
{
   struct spirv_to_nir_options opts = {
      .parent = arena,
      .nir = intel_compiler_nir_options(compiler),
   };
   const union intel_key vs = { .vs = { 0 } }, cs = { .cs = { 0 } };
   const union intel_key wm = { .wm = { .nr_color_regions = 1,
                                        .color_outputs_valid = 1 } };
   struct spirv_error err = { 0 };
   gl_shader_stage stage;
   const char *name, *what;

   if (!spirv_get_entry_point(m->words, m->n, 0, &stage, &name) ||
       (stage != MESA_SHADER_VERTEX && stage != MESA_SHADER_FRAGMENT &&
        stage != MESA_SHADER_COMPUTE))
      return NULL;
   nir_shader *nir =
      spirv_to_nir(m->words, m->n, NULL, 0, stage, name, &opts, &err);
   if (!nir)
      return NULL;
   intel_preprocess_nir(compiler, nir);
   if (!compile_lower_resources(nir, 1, &what))
      return NULL;
   const struct intel_compile_params params = { .arena = arena, .nir = nir };
   return intel_compile(compiler, &params,
                        stage == MESA_SHADER_VERTEX     ? &vs
                        : stage == MESA_SHADER_FRAGMENT ? &wm
                                                        : &cs);
}

/* Code without what is after it: padding, constants. */
static uint32_t
end_of_code(enum isa_gen gen, const struct intel_shader *sh)
{
   const uint8_t *code = sh->code;
   uint32_t end_B = 0;
   unsigned size_B;
   struct isa_inst inst;
   for (uint32_t at = 0; at < sh->code_size_B; at += size_B) {
      if (!isa_decode(gen, code + at, sh->code_size_B - at, &inst, &size_B,
                      NULL) ||
          inst.opcode == ISA_OPCODE_ILLEGAL)
         break;
      if (inst.eot)
         end_B = at + size_B;
   }
   return end_B;
}

/* Whole programs are legal as such. */
static bool
add_program(enum isa_gen gen, const struct intel_shader *sh, const char *path)
{
   const uint8_t *code = sh->code;
   const uint32_t end_B = end_of_code(gen, sh);
   struct sim_legal_place place;
   struct isa_faults faults = { 0 };
   unsigned size_B;
   const bool isa_accepts =
      isa_validate_program(gen, false, code, end_B, &faults, NULL);
   const bool sim_accepts =
      sim_legal_program(gen, false, code, end_B, &place);
   if (!end_B || !isa_accepts || !sim_accepts) {
      fprintf(stderr, "%s: %s: refused (isa %s, sim %s)\n", path,
              isa_gen_name(gen), faults.count ? faults.rule[0]->id : "-",
              sim_accepts  ? "-"
              : place.rule ? place.rule->id
                           : place.text);
      return false;
   }
   for (uint32_t at = 0; at < end_B; at += size_B) {
      struct isa_inst inst;
      if (!isa_decode(gen, code + at, end_B - at, &inst, &size_B, NULL))
         return false;
      add_seed(&inst);
   }
   return true;
}

static bool
add_modules(enum isa_gen gen, char **paths, unsigned num)
{
   struct arena *arena = arena_create(NULL);
   struct intel_compiler *compiler =
      intel_compiler_create(intel_device_info_by_name(isa_gen_name(gen)));
   bool good = true;
   for (unsigned i = 0; i < num; i++) {
      struct spirv_module_words m;
      if (!spirv_read_module(arena, paths[i], &m)) {
         fprintf(stderr, "cannot read %s\n", paths[i]);
         good = false;
         continue;
      }
      const struct intel_shader *sh = compile(compiler, arena, &m);
      if (sh && sh->code)
         good &= add_program(gen, sh, paths[i]);
   }
   intel_compiler_destroy(compiler);
   arena_destroy(arena);
   return good;
}

/* The seeds as they are, and changed. */
static void
try_many(enum isa_gen gen, unsigned long trials)
{
   for (unsigned i = 0; i < test.num_seeds; i++)
      compare(gen, &test.seeds[i]);
   for (unsigned long i = 0; i < trials; i++) {
      switch (below(8)) {
      case 0: try_random(gen); break;
      case 1:
      case 2: try_bits(gen); break;
      default: try_changes(gen); break;
      }
   }
}

/* Report. ---------------------------------------------------------------- */

static const char *
side_name(enum side s)
{
   return s == ISA ? "isa" : "sim";
}

/* False for a rule that nothing broke. */
static bool
report_rule(enum side s, unsigned i, const char *id, bool verbose)
{
   if (verbose)
      printf("%8lu %s %s\n", test.broken[s][i], side_name(s), id);
   /* Of programs only. */
   if (s == ISA && !strcmp(id, "jump-target"))
      return true;
   if (!test.broken[s][i])
      fprintf(stderr, "%s of %s: broken by nothing\n", id, side_name(s));
   return test.broken[s][i] != 0;
}

static bool
report(bool verbose)
{
   bool good = true;
   for (unsigned i = 0; i < test.num_finds; i++) {
      struct find *f = &test.finds[i];
      fprintf(stderr, "only %s refuses, by %s (%lu):\n%s",
              side_name(f->refuses), f->rule, f->count,
              strbuf_str(&f->example));
      strbuf_fini(&f->example);
      good = false;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(differences); i++) {
      const struct difference *d = &differences[i];
      if (verbose)
         printf("%8lu only %s: %s\n", d->count, side_name(d->refuses),
                d->rule);
      if (!d->count) {
         fprintf(stderr, "%s of %s: listed, and not seen\n", d->rule,
                 side_name(d->refuses));
         good = false;
      }
   }
   const struct sim_legal_rule *rule;
   for (unsigned i = 0; (rule = sim_legal_rule_at(i)); i++)
      good &= report_rule(SIM, i, rule->id, verbose);
   for (unsigned i = 0; i < test.num_isa; i++)
      good &= report_rule(ISA, i, test.isa[i]->id, verbose);
   printf("%lu instructions: %lu legal to both, %lu to neither, %lu to "
          "one\n",
          test.tried, test.both_accept, test.both_refuse, test.differ);
   return good;
}

int
main(int argc, char **argv)
{
   unsigned long trials = 500000;
   bool verbose = false, good = true;
   int c;

   test.random = 1;
   for (; (test.isa[test.num_isa] = isa_rule_at(test.num_isa));
        test.num_isa++)
      ;
   while ((c = getopt(argc, argv, "n:s:v")) != -1) {
      switch (c) {
      case 'n': trials = strtoul(optarg, NULL, 10); break;
      case 's': test.random = strtoull(optarg, NULL, 10); break;
      case 'v': verbose = true; break;
      default: return 2;
      }
   }
   for (unsigned g = 0; g < ISA_GEN_COUNT; g++) {
      const enum isa_gen gen = (enum isa_gen)g;
      test.num_seeds = 0;
      good &= add_texts(gen);
      try_probes(gen);
      try_many(gen, trials);
   }
   /* What the compiler makes changes, and what is drawn from it. */
   for (unsigned g = 0; g < ISA_GEN_COUNT; g++) {
      const enum isa_gen gen = (enum isa_gen)g;
      test.num_seeds = 0;
      good &= add_modules(gen, argv + optind, (unsigned)(argc - optind));
      try_many(gen, test.num_seeds ? trials / 4 : 0);
   }
   free(test.seeds);
   return report(verbose) && good ? 0 : 1;
}
