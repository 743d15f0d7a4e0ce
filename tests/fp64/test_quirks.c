/* SPDX-License-Identifier: MIT */
/*
 * That compiled shaders have none of the quirks (quirks.h), and that doubles
 * are right where channels part: each operation of fp64_ops.c is compiled
 * for each generation, for fragments and for vertices in SIMD4x2, alone and
 * in an `if` of some channels. Each instruction is looked at; each shader
 * runs with several masks of channels. What was not to be executed must have
 * left registers and memory alone.
 *
 * usage: test_quirks [GENERATION FILE...]: looks at instructions that lie in
 * files (tests/stock/isa.py collect --ours makes such) instead.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fp64.h"
#include "quirks.h"
#include "tests/differential/run_shader.h"
#include "util/tool_io.h"

enum {
   LANES = 16,
   SLOT_B = 64,
   OLD_B = 24, /* what the result is, if the branch is not taken */
   RESULT_B = 32,
   BRANCH_B = 40, /* whether it is */
};

static unsigned failures, looked_at, runs, results;

/* ---- instructions ---- */

static void
view_of(enum isa_gen gen, const void *code, size_t size_B, const char *name)
{
   const uint8_t *bytes = code;
   unsigned n = 0;

   for (size_t at = 0; at < size_B; at += n) {
      struct isa_inst inst;
      struct isa_error err;
      if (!isa_decode(gen, bytes + at, size_B - at, &inst, &n, &err)) {
         printf("%s: %s: at %zu: %s\n", isa_gen_name(gen), name, at,
                err.text);
         failures++;
         return;
      }
      looked_at++;
      const struct quirk *q = quirk_of(gen, &inst);
      if (!q)
         continue;
      struct strbuf s = { 0 };
      isa_print(gen, &inst, NULL, &s);
      printf("%s: %s: %s (%u): %s\n", isa_gen_name(gen), name, q->name,
             q->number, strbuf_str(&s));
      strbuf_fini(&s);
      failures++;
   }
}

/* Each quirk is seen where it is. What cannot be written cannot be there. */
static void
test_controls(void)
{
   for (unsigned i = 0; i < num_quirks; i++) {
      const struct quirk *q = &quirks[i];
      for (unsigned gen = 0; gen < ISA_GEN_COUNT; gen++) {
         for (unsigned k = 0; k < QUIRK_TEXTS && q->text[k]; k++) {
            struct isa_inst inst;
            struct isa_error err;
            uint32_t dw[4];
            if (!(q->gens & 1u << gen) ||
                !isa_parse(gen, q->text[k], &inst, &err) ||
                !isa_encode(gen, &inst, dw, &err))
               continue;
            if (q->has(gen, &inst))
               continue;
            printf("%s: not seen: %s (%u): %s\n", isa_gen_name(gen), q->name,
                   q->number, q->text[k]);
            failures++;
         }
      }
   }
}

/* ---- shaders ---- */

static nir_value *
load(nir_builder *b, nir_value *address, unsigned bits)
{
   return nir_load_ssbo(b, 1, bits, nir_imm_int(b, RUN_BUFFER_BTI), address,
                        .align_mul = 8);
}

static void
store(nir_builder *b, nir_value *address, nir_value *value)
{
   nir_store_ssbo(b, value, nir_imm_int(b, RUN_BUFFER_BTI), address,
                  .write_mask = 1, .align_mul = 8);
}

static void
build(nir_builder *b, const struct fp64_op *op, nir_value *lane)
{
   nir_value *slot = nir_imul_imm(b, lane, SLOT_B), *src[3] = { NULL };

   for (unsigned i = 0; i < 3 && op->src[i]; i++)
      src[i] =
         load(b, nir_iadd_imm(b, slot, 8 * i), fp64_kind_bits(op->src[i]));
   nir_value *old =
      load(b, nir_iadd_imm(b, slot, OLD_B), fp64_kind_bits(op->dst));
   nir_value *branch = load(b, nir_iadd_imm(b, slot, BRANCH_B), 32);

   b->exact = true;
   nir_push_if(b, nir_ine_imm(b, branch, 0));
   nir_value *value = op->build(b, src);
   nir_push_else(b, NULL);
   nir_pop_if(b, NULL);
   store(b, nir_iadd_imm(b, slot, RESULT_B), nir_if_phi(b, value, old));
}

static const struct intel_shader *
compile(struct arena *arena, const struct runner *runner,
        const struct fp64_op *op)
{
   const struct intel_compiler *compiler = runner_compiler(runner);
   const bool vec4 = runner_is_vec4(runner);
   nir_builder b = nir_builder_init_simple_shader(
      runner_stage(runner), intel_compiler_nir_options(compiler), "%s",
      op->name);

   build(&b, op,
         vec4 ? nir_load_vertex_id_zero_base(&b)
              : nir_load_sample_mask_in(&b));
   intel_preprocess_nir(compiler, b.shader);
   const struct intel_compile_params params = { .arena = arena,
                                                .nir = b.shader };
   const union intel_key fs = { .wm = { .nr_color_regions = 1 } };
   const union intel_key vs = { 0 };
   const union intel_key key = vec4 ? vs : fs;
   const struct intel_shader *sh = intel_compile(compiler, &params, &key);
   nir_shader_destroy(b.shader);
   return sh;
}

static void
look_at_kernels(enum isa_gen gen, bool vec4, const struct intel_shader *sh,
                const char *name)
{
   const uint8_t *code = sh->code;

   view_of(gen, code, sh->stats[0].code_size_B, name);
   if (!vec4 && sh->prog_data.wm->dispatch_16 &&
       sh->prog_data.wm->prog_offset_16_B)
      view_of(gen, code + sh->prog_data.wm->prog_offset_16_B,
              sh->stats[1].code_size_B, name);
}

/* ---- runs ---- */

static uint64_t
operand(enum fp64_kind kind, unsigned lane, unsigned i)
{
   const double d = (lane + 1.25) * (i + 1.5) * (lane % 3 ? 1 : -1);

   switch (kind) {
   case FP64_DOUBLE: return util_double_bits(d);
   case FP64_FLOAT: return util_float_bits((float)d);
   case FP64_HALF: return 0x3c00 + lane * 8 + i;
   default: return 3 * lane + i;
   }
}

static uint64_t
truncated(uint64_t v, enum fp64_kind kind)
{
   return v & (~0ull >> (64 - fp64_kind_bits(kind)));
}

static void
fill(struct runner *r, const struct fp64_op *op, uint32_t branch)
{
   uint8_t *buf = runner_buffer(r);

   memset(buf, 0xcd, LANES * SLOT_B);
   for (unsigned l = 0; l < LANES; l++) {
      uint8_t *slot = buf + l * SLOT_B;
      const uint64_t old = 0x4142434445464700 + l;
      const uint32_t taken = branch >> l & 1;
      for (unsigned i = 0; i < 3; i++) {
         const uint64_t v = operand(op->src[i], l, i);
         memcpy(slot + 8 * i, &v, 8);
      }
      memcpy(slot + OLD_B, &old, 8);
      memcpy(slot + BRANCH_B, &taken, 4);
   }
}

/* Whether the result of a channel is what its operands or its branch say. */
static bool
is_right(const struct fp64_op *op, const uint64_t *slot, uint32_t mask,
         unsigned lane)
{
   const uint64_t got = truncated(slot[RESULT_B / 8], op->dst);
   uint64_t want;

   if (!(mask >> lane & 1))
      return slot[RESULT_B / 8] == 0xcdcdcdcdcdcdcdcd;
   if (!(uint32_t)slot[BRANCH_B / 8])
      return got == truncated(slot[OLD_B / 8], op->dst);
   if (!op->reference(slot, &want))
      return true;
   results++;
   if (op->also_right && op->also_right(slot, got))
      return true;
   if (op->dst == FP64_DOUBLE && isnan(util_bits_double(want)))
      return isnan(util_bits_double(got));
   return got == want || (op->error && op->error(slot, got) < 1);
}

static void
check(const struct fp64_op *op, struct runner *r, uint32_t mask,
      const char *gen, unsigned width)
{
   for (unsigned l = 0; l < LANES; l++) {
      uint64_t slot[SLOT_B / 8];
      memcpy(slot, runner_buffer(r) + l * SLOT_B, SLOT_B);
      if (is_right(op, slot, mask, l))
         continue;
      printf("%s: %s: SIMD%u, mask %x, channel %u: 0x%" PRIx64 "\n", gen,
             op->name, width, mask, l, slot[RESULT_B / 8]);
      failures++;
      return;
   }
}

static void
run_width(struct runner *r, const struct fp64_op *op,
          const struct intel_shader *sh, const char *gen, unsigned width)
{
   static const uint32_t masks[] = { 0xffff, 0x0f0f, 0xf0f0, 0x5a3c, 0x8001 };
   const char *error = runner_load(r, sh, width);

   for (unsigned i = 0; !error && i < ARRAY_SIZE(masks); i++) {
      for (unsigned k = 0; !error && k < ARRAY_SIZE(masks); k++) {
         const uint32_t mask = masks[i] & ((1u << width) - 1);
         fill(r, op, masks[k]);
         error = runner_exec(r, mask);
         runs++;
         if (!error)
            check(op, r, mask, gen, width);
      }
   }
   if (error) {
      printf("%s: %s: %s\n", gen, op->name, error);
      failures++;
   }
}

static void
test_op(struct runner *r, const struct fp64_op *op, const char *gen)
{
   struct arena *arena = arena_create(NULL);
   const struct intel_shader *sh = compile(arena, r, op);
   const bool vec4 = runner_is_vec4(r);

   if (!sh->code) {
      printf("%s: %s: %s\n", gen, op->name, sh->error);
      failures++;
   } else {
      look_at_kernels(isa_gen_from_name(gen), vec4, sh, op->name);
      run_width(r, op, sh, gen, 8);
      if (!vec4 && sh->prog_data.wm->dispatch_16)
         run_width(r, op, sh, gen, 16);
   }
   arena_destroy(arena);
}

static void
test_shaders(void)
{
   for (unsigned gen = 0; gen < ISA_GEN_COUNT; gen++) {
      for (unsigned vec4 = 0; vec4 < 2; vec4++) {
         setenv("SAFFRON_TEST_GEN", isa_gen_name(gen), 1);
         setenv("SAFFRON_TEST_BACKEND", vec4 ? "vec4" : "fs", 1);
         struct runner *r = runner_create();
         for (unsigned i = 0; i < fp64_num_ops; i++)
            test_op(r, &fp64_ops[i], isa_gen_name(gen));
         runner_destroy(r);
      }
   }
}

/* ---- files ---- */

static int
look_at_file(const char *gen, const char *path)
{
   struct util_dynarray code = { 0 };

   if (!tool_read_file("test_quirks", path, &code))
      return TOOL_EXIT_USAGE;
   view_of(isa_gen_from_name(gen), code.data, code.size_B, path);
   util_dynarray_fini(&code);
   return TOOL_EXIT_OK;
}

int
main(int argc, char **argv)
{
   test_controls();
   if (argc > 2 && isa_gen_from_name(argv[1]) == ISA_GEN_COUNT) {
      fprintf(stderr, "no generation: %s\n", argv[1]);
      return TOOL_EXIT_USAGE;
   }
   for (int i = 2; i < argc; i++) {
      if (look_at_file(argv[1], argv[i]))
         return TOOL_EXIT_USAGE;
   }
   if (argc <= 2)
      test_shaders();
   printf("%u instructions, %u runs, %u results: %u failures\n", looked_at,
          runs, results, failures);
   return failures != 0;
}
