/* SPDX-License-Identifier: MIT */
/*
 * The kernels walk.cl and sums.cl in the interpreter, against the same in C.
 *
 * usage: test_kernel walk.spv sums.spv
 */
#include <math.h>
#include <stdio.h>
#include "compiler/nir/nir_interp.h"
#include "compiler/spirv/tests/spirv_mutate.h"
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

static uint32_t
walk(uint32_t x, uint32_t steps, uint32_t seed)
{
   uint32_t n = 0;

   x ^= seed;
   if (x & 1)
      goto b;
a:
   x = x * 1664525u + 1013904223u;
   if (++n >= steps)
      goto out;
   if (x & 8)
      goto b;
   switch (x & 0xe0000003) {
   case 0:
   case 3: x += 7; goto a;
   case 5: x ^= n; break;
   case 0x20000002: goto out;
   default: x -= 1;
   }
b:
   x = (x >> 3) | (x << 29);
   if (++n >= steps)
      goto out;
   if (x & 16)
      goto a;
   x ^= 0x55;
   goto b;
out:
   return x + n;
}

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
         wrong += data[i] !=
                  walk((round * LANES + i) * 2654435761u, args[0], args[1]);
      arena_destroy(arena);
   }
   return wrong;
}

struct item {
   int8_t tag;
   int16_t weight;
   float place[4] __attribute__((aligned(16)));
   int32_t parts[3];
};

/* As the compiler places the arguments. */
struct arguments {
   uint8_t first;
   int32_t k[4] __attribute__((aligned(16)));
   uint64_t count;
};

static int
sum(const struct item *from, const struct arguments *a, int l)
{
   int bins[4] = { a->k[0], a->k[1], a->k[2], 0 };

   for (uint64_t i = 0; i < a->count; i++) {
      const struct item *item = &from[i];
      const int w =
         item->tag < 0 ? -1 : item->weight * item->parts[(l + (int)i) % 3];
      if (w < 0)
         continue;
      bins[w & 3] += w;
      if (bins[3] > 1000)
         break;
   }
   return bins[0] + 2 * bins[1] + 3 * bins[2] + 4 * bins[3];
}

static unsigned
test_sums(nir_shader *nir)
{
   static struct item items[64];
   struct arguments args = { 3, { 5, -7, 11, 0 }, 40 };
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

   for (int i = 0; i < 64; i++)
      items[i] = (struct item) { (int8_t)(i % 5 - 1),
                                 (int16_t)(i - 9),
                                 { 0, (float)i, 0.5f * (float)i, 0 },
                                 { i, 7 - i, i * 3 } };
   const char *fault = nir_interp_run(nir, &params, arena);
   if (fault) {
      printf("sums: %s\n", fault);
      wrong++;
   }
   for (int l = 0; !fault && l < LANES; l++) {
      const struct item *from = items + args.first;
      const float want = fmaxf((float)sum(from, &args, (l + 1) & 7), 2.0f) *
                            from[l & 1].place[2] +
                         from[-1].place[1];
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
