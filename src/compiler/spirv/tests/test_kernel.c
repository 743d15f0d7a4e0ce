/* SPDX-License-Identifier: MIT */
/*
 * The kernels walk.cl and sums.cl in the interpreter, against the same in C.
 *
 * usage: test_kernel walk.spv sums.spv
 */
#include <stdio.h>
#include "compiler/nir/nir_interp.h"
#include "compiler/spirv/tests/spirv_mutate.h"
#include "compiler/spirv/tests/kernels.h"
#include "compiler/spirv/tests/spirv_run.h"

#define LANES 8

static bool
sysval(void *data, unsigned lane, const nir_intrinsic_instr *intr,
       const nir_const_value *src0, nir_const_value *out)
{
   memset(out, 0, 3 * sizeof(*out));
   switch (intr->intrinsic) {
   case nir_intrinsic_load_local_invocation_id:
   case nir_intrinsic_load_global_invocation_id:
      out[0].u32 = lane;
      return true;
   case nir_intrinsic_load_local_invocation_index:
      out[0].u32 = lane;
      return true;
   case nir_intrinsic_load_workgroup_id: return true;
   default: return false;
   }
}

static const struct nir_interp_callbacks callbacks = { .sysval = sysval };

static unsigned
test_walk(nir_shader *nir)
{
   unsigned wrong = 0;

   for (uint32_t round = 0; round < 100; round++) {
      struct arena *arena = arena_create(NULL);
      uint32_t data[LANES], args[2] = { round % 40, round * 77773 };
      const struct nir_interp_buffer buffer = { data, sizeof(data) };
      struct nir_interp_params params = {
         .num_lanes = LANES,
         .ssbos = &buffer,
         .num_ssbos = 1,
         .push_constants = { args, sizeof(args) },
         .callbacks = &callbacks,
      };
      for (uint32_t i = 0; i < LANES; i++)
         data[i] = (round * LANES + i) * 2654435761u;
      const char *fault = nir_interp_run(nir, &params, arena);
      if (fault) {
         printf("walk: %s\n", fault);
         wrong++;
      }
      for (uint32_t i = 0; !fault && i < LANES; i++)
         wrong += data[i] != kernel_walk((round * LANES + i) * 2654435761u,
                                         args[0], args[1]);
      arena_destroy(arena);
   }
   return wrong;
}

static unsigned
test_sums(nir_shader *nir)
{
   static struct kernel_item items[64];
   struct kernel_arguments args = { 3, { 5, -7, 11, 0 }, 40 };
   struct arena *arena = arena_create(NULL);
   float out[LANES];
   uint32_t shared[64] = { 0 };
   const struct nir_interp_buffer buffers[4] = {
      { items, sizeof(items) },
      { NULL, 0 },
      { NULL, 0 },
      { out, sizeof(out) },
   };
   struct nir_interp_params params = {
      .num_lanes = LANES,
      .ssbos = buffers,
      .num_ssbos = 4,
      .push_constants = { &args, sizeof(args) },
      .shared = { shared, sizeof(shared) },
      .callbacks = &callbacks,
   };
   unsigned wrong = 0;

   kernel_fill_items(items, 64);
   const char *fault = nir_interp_run(nir, &params, arena);
   if (fault) {
      printf("sums: %s\n", fault);
      wrong++;
   }
   for (int l = 0; !fault && l < LANES; l++) {
      const float want = kernel_sums(items, &args, l);
      if (out[l] != want) {
         printf("sums: lane %d is %g, not %g\n", l, out[l], want);
         wrong++;
      }
   }
   arena_destroy(arena);
   return wrong;
}

/* All that the interpreter does not take as it stands. */
static void
lower(nir_shader *nir)
{
   nir_lower_system_values(nir);
   nir_lower_vars_to_explicit_types(nir, nir_var_mem_shared,
                                    glsl_get_natural_size_align_bytes);
   nir_lower_explicit_io(nir, nir_var_mem_push_const | nir_var_mem_shared,
                         nir_address_format_32bit_offset);
   nir_validate_shader(nir, "lower");
}

int
main(int argc, char **argv)
{
   static const char *const names[] = { "walk", "sums" };
   unsigned (*const tests[])(nir_shader *) = { test_walk, test_sums };
   struct arena *arena = arena_create(NULL);
   unsigned wrong = 0;

   for (int i = 0; i < 2 && i + 1 < argc; i++) {
      struct spirv_module_words m;
      struct spirv_error err;
      if (!spirv_read_module(arena, argv[i + 1], &m))
         return 2;
      nir_shader *nir = spirv_to_nir(
         m.words, m.n, NULL, 0, MESA_SHADER_COMPUTE, names[i], NULL, &err);
      if (!nir) {
         printf("word %zu: %s\n", err.word_offset, err.message);
         return 1;
      }
      nir_validate_shader(nir, "spirv_to_nir");
      lower(nir);
      wrong += tests[i](nir);
      nir_shader_destroy(nir);
   }
   arena_destroy(arena);
   printf("%u wrong\n", wrong);
   return argc != 3 || wrong;
}
