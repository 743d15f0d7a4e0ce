/* SPDX-License-Identifier: MIT */
/*
 * The table of the rules (isa_rules.py) beside the execution unit: what no
 * rule makes a fault is executed, and each rule is broken by something.
 *
 * Instructions are random bits, and legal ones (seeds, and what the compiler
 * makes of whole shaders) with one field or a few changed. Each that is no
 * fault runs in a thread of its own, which may reach beyond its registers or
 * leave the program, but not meet what is "illegal" or "not implemented": the
 * execution unit refuses nothing by itself, but for what stands in left_out
 * with its reason. Messages are units' own, and only validated.
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
#include "intel/sim/eu/eu_private.h"
#include "intel/tools/compile_resources.h"

/* What is not executed, though no rule forbids it: the words of the fault,
 * and why that is right. */
static struct {
   const char *words, *reason;
   unsigned long count;
} left_out[] = {
   { "movi is not implemented", "no compiler emits it" },
   { "smov is not implemented", "no compiler emits it" },
   { "jump target in this kind", "no compiler jumps by what is in ip" },
   { "the plane equation", "an address that leads out of the registers" },
   { "mac does not exist for doubles", "no compiler emits it" },
};

#define MAX_RULES 256
#define MAX_FINDS 64

struct find {
   enum isa_opcode opcode;
   enum isa_gen gen;
   unsigned long count;
   struct strbuf example;
};

static struct {
   uint64_t random;
   struct isa_inst *seeds;
   unsigned num_seeds, room;
   unsigned long tried, faults, executed;
   unsigned long broken[MAX_RULES];
   struct find finds[MAX_FINDS];
   unsigned num_finds;
   struct sim_eu_thread thread;
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

/* Execution. ------------------------------------------------------------- */

/* One for each opcode and generation. */
static void
find(enum isa_gen gen, const struct isa_inst *inst, const char *why)
{
   unsigned i = 0;
   for (; i < ARRAY_SIZE(left_out); i++) {
      if (!strncmp(why, left_out[i].words, strlen(left_out[i].words))) {
         left_out[i].count++;
         return;
      }
   }
   i = 0;
   while (i < test.num_finds &&
          (test.finds[i].opcode != inst->opcode || test.finds[i].gen != gen))
      i++;
   if (i == MAX_FINDS)
      return;
   struct find *f = &test.finds[i];
   if (i == test.num_finds) {
      test.num_finds++;
      f->opcode = inst->opcode;
      f->gen = gen;
   }
   if (f->count++ < 4) {
      strbuf_printf(&f->example, "   ");
      isa_print(gen, inst, NULL, &f->example);
      strbuf_printf(&f->example, ": %s\n", why);
   }
}

/* Where the registers of an environment's clock, and the like, are none. */
static const struct sim_eu_env *
environment(enum isa_gen gen)
{
   static struct sim_eu_env envs[ISA_GEN_COUNT];
   envs[gen].verx10 = isa_gen_number(gen);
   return &envs[gen];
}

static void
execute(enum isa_gen gen, bool low_power, const struct isa_inst *inst)
{
   struct sim_eu_thread *t = &test.thread;
   struct sim_eu_program *p = eu_program_from_insts(
      isa_gen_number(gen), low_power, inst, 1, EU_BODIES_BEST);
   sim_eu_thread_init(t, environment(gen), 0xffffffff);
   memset(t->grf, 0, sizeof(t->grf));
   t->max_instructions = 4; /* jumps to themselves */
   if (sim_eu_run(t, p, 0) == SIM_EU_FAULT &&
       (t->fault.reason == SIM_FAULT_ILLEGAL ||
        t->fault.reason == SIM_FAULT_UNIMPLEMENTED))
      find(gen, inst, t->fault.text);
   sim_eu_program_destroy(p);
   test.executed++;
}

static void
compare_on(enum isa_gen gen, bool low_power, const struct isa_inst *inst)
{
   const struct isa_rule *rule;
   bool fault = false;
   unsigned from = 0;

   test.tried++;
   while ((rule = isa_rule_next(gen, low_power, inst, &from))) {
      fault |= rule->severity == ISA_RULE_FAULT;
      test.broken[from - 1]++;
   }
   test.faults += fault;
   if (!fault && !isa_opcode_info(inst->opcode)->is_send &&
       inst->opcode != ISA_OPCODE_ILLEGAL)
      execute(gen, low_power, inst);
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

/* Seeds break nothing, or they are wrong. */
static bool
add_texts(enum isa_gen gen)
{
   bool good = true;
   for (unsigned i = 0; i < ARRAY_SIZE(legal_seeds); i++) {
      const char *text = legal_seeds[i].text;
      struct isa_error err = { 0 };
      struct isa_inst inst;
      unsigned from = 0;
      if (!(legal_seeds[i].gens >> gen & 1))
         continue;
      if (!isa_parse(gen, text, &inst, &err)) {
         fprintf(stderr, "%s: %s: %s\n", isa_gen_name(gen), text, err.text);
         good = false;
         continue;
      }
      const struct isa_rule *rule = isa_rule_next(gen, false, &inst, &from);
      if (rule) {
         fprintf(stderr, "%s: %s: %s\n", isa_gen_name(gen), text, rule->id);
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
   if (!compile_lower_resources(nir, 1, NULL, &what))
      return NULL;
   const struct intel_compile_params params = { .arena = arena, .nir = nir };
   return intel_compile(compiler, &params,
                        stage == MESA_SHADER_VERTEX     ? &vs
                        : stage == MESA_SHADER_FRAGMENT ? &wm
                                                        : &cs);
}

/* Whole programs are legal as such. What is behind them are constants. */
static bool
add_program(enum isa_gen gen, const struct intel_shader *sh, const char *path)
{
   const uint8_t *code = sh->code;
   struct isa_faults faults = { 0 };
   struct isa_extent extent = { 0 };
   unsigned size_B;
   for (uint32_t at = 0; at < sh->code_size_B; at += size_B) {
      struct isa_inst inst;
      if (!isa_decode(gen, code + at, sh->code_size_B - at, &inst, &size_B,
                      NULL))
         break;
      add_seed(&inst);
      if (!isa_extend(&extent, &inst, at, size_B))
         continue;
      if (isa_validate_program(gen, false, code, at + size_B, &faults, NULL))
         return true;
      break;
   }
   fprintf(stderr, "%s: %s: refused (%s)\n", path, isa_gen_name(gen),
           faults.count ? faults.rule[0]->id : "it has no end");
   return false;
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

static bool
report(bool verbose)
{
   bool good = true;
   for (unsigned i = 0; i < test.num_finds; i++) {
      struct find *f = &test.finds[i];
      fprintf(stderr,
              "%s: no rule forbids %s, and it does not run (%lu):\n%s",
              isa_gen_name(f->gen), isa_opcode_info(f->opcode)->name,
              f->count, strbuf_str(&f->example));
      strbuf_fini(&f->example);
      good = false;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(left_out); i++) {
      if (verbose)
         printf("%8lu %s: %s\n", left_out[i].count, left_out[i].words,
                left_out[i].reason);
      if (!left_out[i].count) {
         fprintf(stderr, "%s: left out, and not seen\n", left_out[i].words);
         good = false;
      }
   }
   const struct isa_rule *rule;
   for (unsigned i = 0; (rule = isa_rule_at(i)); i++) {
      if (verbose)
         printf("%8lu %s\n", test.broken[i], rule->id);
      /* Of programs only. */
      if (!test.broken[i] && strcmp(rule->id, "jump-target")) {
         fprintf(stderr, "%s: broken by nothing\n", rule->id);
         good = false;
      }
   }
   printf("%lu instructions: %lu faults, %lu executed\n", test.tried,
          test.faults, test.executed);
   return good;
}

int
main(int argc, char **argv)
{
   unsigned long trials = 500000;
   bool verbose = false, good = true;
   int c;

   test.random = 1;
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
