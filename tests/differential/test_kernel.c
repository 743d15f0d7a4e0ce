/* SPDX-License-Identifier: MIT */
/*
 * The kernels walk.cl and sums.cl, made structured, compiled and executed on
 * the simulated EU, against the same in C: for the generation that
 * SAFFRON_TEST_GEN names.
 *
 * All arguments are in the runner's one buffer: what is bound as k at
 * k * BINDING_B, values at ARGUMENTS.
 *
 * usage: test_kernel walk.spv sums.spv
 */
#include <inttypes.h>
#include <stdio.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "compiler/spirv/tests/kernels.h"
#include "compiler/spirv/tests/spirv_mutate.h"
#include "run_shader.h"

#define BINDING_B 8192
#define ARGUMENTS (7 * BINDING_B)
#define MAX_LANES 32

/* ---- arguments in the buffer ---- */

static void
lower_buffer(nir_builder *b, nir_intrinsic_instr *intr, unsigned index_src)
{
   nir_instr *index = intr->src[index_src].value->instr;
   const nir_intrinsic_instr *resource = nir_instr_as_intrinsic(index);

   if (resource->intrinsic != nir_intrinsic_vulkan_resource_index)
      abort();
   const unsigned binding = (unsigned)nir_intrinsic_binding(resource);
   b->cursor = nir_before_instr(&intr->instr);
   nir_value *offset =
      nir_iadd_imm(b, intr->src[index_src + 1].value, binding * BINDING_B);
   nir_set_use(&intr->instr, &intr->src[index_src],
               nir_imm_int(b, RUN_BUFFER_BTI));
   nir_set_use(&intr->instr, &intr->src[index_src + 1], offset);
}

static void
lower_argument(nir_builder *b, nir_intrinsic_instr *intr)
{
   b->cursor = nir_before_instr(&intr->instr);
   nir_value *offset = nir_iadd_imm(
      b, intr->src[0].value, ARGUMENTS + (int)nir_intrinsic_base(intr));
   nir_value *load = runner_nir_load(b, offset, intr->num_components,
                                     intr->instr.result.bit_size);
   nir_instr_replace(&intr->instr, load);
}

static void
lower_resources(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b;

   nir_lower_explicit_io(nir, nir_var_mem_ssbo | nir_var_mem_push_const,
                         nir_address_format_32bit_index_offset);
   nir_builder_init(&b, impl);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         if (intr->intrinsic == nir_intrinsic_load_ssbo)
            lower_buffer(&b, intr, 0);
         else if (intr->intrinsic == nir_intrinsic_store_ssbo)
            lower_buffer(&b, intr, 1);
         else if (intr->intrinsic == nir_intrinsic_load_push_constant)
            lower_argument(&b, intr);
      }
   }
   nir_metadata_preserve(impl, nir_metadata_none);
   nir_opt_dce(nir);
   nir_validate_shader(nir, "lower_resources");
}

/* ---- kernels ---- */

static unsigned
test_walk(struct runner *r, const struct intel_shader *sh)
{
   const unsigned lanes = sh->prog_data.cs->simd_size;
   uint32_t *data = (uint32_t *)runner_buffer(r);
   uint32_t *args = (uint32_t *)(runner_buffer(r) + ARGUMENTS);
   unsigned wrong = 0;

   for (uint32_t round = 0; round < 100; round++) {
      args[0] = round % 40;
      args[1] = round * 77773;
      for (uint32_t i = 0; i < MAX_LANES; i++)
         data[i] = (round * MAX_LANES + i) * 2654435761u;
      const char *error = runner_run(r, sh, lanes, BITFIELD_MASK(lanes));
      if (error) {
         printf("walk: %s\n", error);
         return wrong + 1;
      }
      for (uint32_t i = 0; i < lanes; i++)
         wrong += data[i] !=
                  kernel_walk((round * MAX_LANES + i) * 2654435761u, args[0],
                              args[1]);
   }
   return wrong;
}

static unsigned
test_sums(struct runner *r, const struct intel_shader *sh)
{
   struct kernel_item *items = (struct kernel_item *)runner_buffer(r);
   const struct kernel_arguments args = { 3, { 5, -7, 11, 0 }, 40 };
   const float *out = (const float *)(runner_buffer(r) + 3 * BINDING_B);
   unsigned wrong = 0;

   kernel_fill_items(items, 64);
   memcpy(runner_buffer(r) + ARGUMENTS, &args, sizeof(args));
   const char *error = runner_run(r, sh, sh->prog_data.cs->simd_size, 0xff);
   if (error) {
      printf("sums: %s\n", error);
      return 1;
   }
   for (int l = 0; l < 8; l++) {
      const float want = kernel_sums(items, &args, l);
      if (out[l] == want)
         continue;
      printf("sums: lane %d is %g, not %g\n", l, (double)out[l],
             (double)want);
      wrong++;
   }
   return wrong;
}

static unsigned
test_file(struct runner *r, const char *path, const char *name,
          unsigned (*test)(struct runner *, const struct intel_shader *))
{
   const struct intel_compiler *compiler = runner_compiler(r);
   struct arena *arena = arena_create(NULL);
   struct spirv_to_nir_options options = {
      .parent = arena,
      .nir = intel_compiler_nir_options(compiler),
   };
   const union intel_key key = { .cs = { 0 } };
   struct spirv_module_words m;
   struct spirv_error err;
   unsigned wrong = 1;

   if (!spirv_read_module(arena, path, &m))
      exit(2);
   nir_shader *nir = spirv_to_nir(m.words, m.n, NULL, 0, MESA_SHADER_COMPUTE,
                                  name, &options, &err);
   if (!nir) {
      printf("word %zu: %s\n", err.word_offset, err.message);
      exit(1);
   }
   intel_preprocess_nir(compiler, nir);
   lower_resources(nir);
   const struct intel_compile_params params = { .arena = arena, .nir = nir };
   const struct intel_shader *sh = intel_compile(compiler, &params, &key);
   if (sh->code)
      wrong = test(r, sh);
   else
      printf("%s: %s\n", name, sh->error);
   printf("%s: SIMD%u, %" PRIu64 " instructions executed last, %u wrong\n",
          name, sh->code ? sh->prog_data.cs->simd_size : 0,
          runner_executed(r), wrong);
   arena_destroy(arena);
   return wrong;
}

int
main(int argc, char **argv)
{
   unsigned wrong = 0;

   if (argc != 3) {
      fprintf(stderr, "usage: test_kernel walk.spv sums.spv\n");
      return 2;
   }
   struct runner *r = runner_create();
   wrong += test_file(r, argv[1], "walk", test_walk);
   wrong += test_file(r, argv[2], "sums", test_sums);
   runner_destroy(r);
   return wrong != 0;
}
