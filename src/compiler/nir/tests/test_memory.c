/* SPDX-License-Identifier: MIT */
/*
 * The passes about memory on random blocks of loads, stores, atomics and
 * barriers: after each of them the interpreter must leave the same bytes in
 * all buffers. Two of the blocks are the same memory; offsets are written in
 * many ways, small ones and some just below 2^32, and what they are made of
 * is only known when the shader runs.
 *
 * NIR_RANDOM_SEED=N runs that shader alone, NIR_RANDOM_COUNT=N that many.
 */
#include "util/unit_test.h"

#include "nir_builder.h"
#include "nir_interp.h"

#define DEFAULT_COUNT 2000
#define BUFFER_B 96
#define NUM_BASES 4
#define STATEMENTS 24

enum size { SIZE_8, SIZE_16, SIZE_32, SIZE_64, NUM_SIZES };

enum { DATA, SAME_AS_DATA, BASES, NUM_SSBOS };

struct gen {
   nir_builder b;
   uint64_t rng;
   nir_value *bases[NUM_BASES];
   nir_value *values[NUM_SIZES][STATEMENTS + 1];
   unsigned counts[NUM_SIZES];
   nir_value *last; /* offset */
};

static uint32_t
rnd(struct gen *g, uint32_t n)
{
   g->rng ^= g->rng << 13;
   g->rng ^= g->rng >> 7;
   g->rng ^= g->rng << 17;
   return (uint32_t)(g->rng >> 20) % n;
}

static nir_value *
any_value(struct gen *g, enum size size)
{
   return g->values[size][rnd(g, g->counts[size])];
}

/* A multiple of a value's bytes, 1 to 8, as sums, shifts and masks. */
static nir_value *
any_offset(struct gen *g, unsigned shift)
{
   nir_builder *b = &g->b;
   nir_value *x = g->bases[rnd(g, NUM_BASES)];
   const uint32_t k = rnd(g, 5);

   /* Often near the one before. */
   if (g->last && rnd(g, 2))
      return g->last = nir_iadd_imm(b, g->last, (uint64_t)(k % 3) << shift);
   switch (rnd(g, 7)) {
   case 0: x = nir_ishl_imm(b, nir_iadd_imm(b, x, k), shift); break;
   case 1:
      x = nir_iadd_imm(b, nir_ishl_imm(b, x, shift), (uint64_t)k << shift);
      break;
   case 2:
      x = nir_ishl_imm(b, nir_ushr_imm(b, nir_ishl_imm(b, x, shift), shift),
                       shift);
      break;
   case 3:
      x = nir_ishl_imm(
         b, nir_iand_imm(b, nir_iadd_imm(b, x, k), UINT32_MAX >> shift),
         shift);
      break;
   case 4:
      x = nir_iadd(b, nir_imul_imm(b, x, 3u << shift),
                   nir_ishl_imm(b, g->bases[rnd(g, NUM_BASES)], shift));
      break;
   case 5:
      x = nir_ishl_imm(b, nir_isub(b, x, nir_imm_int(b, (int)k)), shift);
      break;
   default: x = nir_imm_int(b, (int)(k << shift)); break;
   }
   return g->last = x;
}

/* The offset of an access, and what is said of it. */
struct place {
   nir_value *offset;
   int base_B; /* of shared memory, added to it */
   unsigned align_B, align_offset_B;
};

static struct place
any_place(struct gen *g, enum size size)
{
   nir_builder *b = &g->b;
   const unsigned step_B = 1u << size;

   if (size >= SIZE_32 || rnd(g, 4))
      return (struct place) { any_offset(g, size), (int)(rnd(g, 3) * step_B),
                              step_B, 0 };
   /* A multiple of 4, but no pass sees that, and what is beyond. */
   nir_value *x = g->bases[rnd(g, NUM_BASES)];
   x = nir_iadd(b, x, x);
   x = nir_iadd(b, x, x);
   const unsigned at_B = rnd(g, 8) * step_B;
   return (struct place) { nir_iadd_imm(b, x, at_B), 0, 4, at_B & 3 };
}

static enum gl_access_qualifier
any_access(struct gen *g)
{
   static const enum gl_access_qualifier some[] = { ACCESS_VOLATILE,
                                                    ACCESS_COHERENT };
   const uint32_t r = rnd(g, 12);
   return r < 2 ? some[r] : 0;
}

static void
add_load(struct gen *g, bool shared, enum size size, unsigned comps)
{
   const struct place p = any_place(g, size);
   nir_value *v;

   if (shared)
      v = nir_load_shared(&g->b, comps, 8u << size, p.offset,
                          .base = p.base_B, .align_mul = p.align_B,
                          .align_offset = p.align_offset_B);
   else
      v = nir_load_ssbo(&g->b, comps, 8u << size,
                        nir_imm_int(&g->b, (int)rnd(g, 2)), p.offset,
                        .access = any_access(g), .align_mul = p.align_B,
                        .align_offset = p.align_offset_B);
   g->values[size][g->counts[size]++] = nir_channel(&g->b, v, comps - 1);
}

static void
add_store(struct gen *g, bool shared, enum size size, unsigned comps)
{
   const struct place p = any_place(g, size);
   nir_value *some[4];
   unsigned mask = BITFIELD_MASK(comps);

   for (unsigned i = 0; i < comps; i++)
      some[i] = any_value(g, size);
   if (comps > 1 && !rnd(g, 4))
      mask &= ~1u;
   nir_value *v = nir_vec(&g->b, some, comps);
   if (shared)
      nir_store_shared(&g->b, v, p.offset, .base = p.base_B,
                       .write_mask = mask, .align_mul = p.align_B,
                       .align_offset = p.align_offset_B);
   else
      nir_store_ssbo(&g->b, v, nir_imm_int(&g->b, (int)rnd(g, 2)), p.offset,
                     .write_mask = mask, .access = any_access(g),
                     .align_mul = p.align_B,
                     .align_offset = p.align_offset_B);
}

static void
add_statement(struct gen *g)
{
   const bool shared = rnd(g, 2);
   const enum size size = rnd(g, 2) ? SIZE_32 : (enum size)rnd(g, NUM_SIZES);
   const unsigned comps = rnd(g, 3) ? 1 : 1 + rnd(g, size < SIZE_32 ? 4 : 3);

   switch (rnd(g, 12)) {
   case 0:
      if (shared)
         nir_shared_atomic_add(&g->b, 32, any_offset(g, 2),
                               any_value(g, SIZE_32));
      else
         nir_ssbo_atomic_add(&g->b, 32, nir_imm_int(&g->b, DATA),
                             any_offset(g, 2), any_value(g, SIZE_32));
      break;
   case 1: nir_control_barrier(&g->b); break;
   case 2:
   case 3:
   case 4:
   case 5:
   case 6: add_load(g, shared, size, comps); break;
   default: add_store(g, shared, size, comps); break;
   }
}

static nir_shader *
make(struct gen *g, uint64_t seed)
{
   static const nir_shader_compiler_options options = { 0 };
   static const char name[] = "memory";

   *g = (struct gen) { .rng = seed * 0x9e3779b97f4a7c15u | 1 };
   g->b = nir_builder_init_simple_shader(MESA_SHADER_COMPUTE, &options, name);
   g->b.shader->info.shared_size = BUFFER_B;
   for (unsigned i = 0; i < NUM_BASES; i++)
      g->bases[i] = nir_load_ssbo(&g->b, 1, 32, nir_imm_int(&g->b, BASES),
                                  nir_imm_int(&g->b, (int)(4 * i)),
                                  .align_mul = 4);
   /* Of these it is known that they are small. */
   for (unsigned i = NUM_BASES / 2; i < NUM_BASES; i++)
      g->bases[i] = nir_iand_imm(&g->b, g->bases[i], 7);
   for (unsigned i = 0; i < NUM_SIZES; i++)
      g->values[i][g->counts[i]++] =
         nir_imm_intN_t(&g->b, 0x89abcdef01234567u, 8u << i);
   for (unsigned i = 0; i < STATEMENTS; i++)
      add_statement(g);
   return g->b.shader;
}

struct memory {
   uint8_t data[BUFFER_B], shared[BUFFER_B];
};

static const nir_const_value zero;

/* What the interpreter does not know: atomics add to what is in the buffer,
 * a barrier of one invocation is nothing. */
static bool
run_intrinsic(void *data, unsigned lane, const nir_intrinsic_instr *intr,
              const nir_const_value *const *srcs, nir_const_value *out)
{
   struct memory *m = data;
   const bool shared = intr->intrinsic == nir_intrinsic_shared_atomic_add;
   uint8_t *bytes = shared ? m->shared : m->data;
   const nir_const_value *const *s = shared ? srcs : srcs + 1;
   const uint64_t at = s[0]->u32;
   uint32_t v;

   if (intr->intrinsic == nir_intrinsic_control_barrier)
      return true;
   *out = zero;
   if (at + 4 > BUFFER_B)
      return true;
   memcpy(&v, bytes + at, 4);
   out->u32 = v;
   v += s[1]->u32;
   memcpy(bytes + at, &v, 4);
   return true;
}

static const struct nir_interp_callbacks callbacks = {
   .intrinsic = run_intrinsic,
};

/* Bases are small numbers and some of which a multiple is near 2^32. */
static struct memory
run(nir_shader *s, uint64_t seed)
{
   struct gen g = { .rng = seed * 0x2545f4914f6cdd1du | 1 };
   uint32_t bases[NUM_BASES];
   struct memory m;
   struct arena *arena = arena_create(NULL);

   for (unsigned i = 0; i < BUFFER_B; i++) {
      m.data[i] = (uint8_t)rnd(&g, 256);
      m.shared[i] = (uint8_t)rnd(&g, 256);
   }
   for (unsigned i = 0; i < NUM_BASES; i++)
      bases[i] = rnd(&g, 4) ? rnd(&g, 6) : (1u << 29) - 1 - rnd(&g, 3);
   const struct nir_interp_buffer ssbos[NUM_SSBOS] = {
      [DATA] = { m.data, BUFFER_B },
      [SAME_AS_DATA] = { m.data, BUFFER_B },
      [BASES] = { bases, sizeof(bases) },
   };
   struct nir_interp_params p = {
      .num_lanes = 1,
      .ssbos = ssbos,
      .num_ssbos = NUM_SSBOS,
      .shared = { m.shared, BUFFER_B },
      .callbacks = &callbacks,
      .data = &m,
   };
   const char *fault = nir_interp_run(s, &p, arena);
   if (fault)
      fail_msg("seed %llu: %s", (unsigned long long)seed, fault);
   arena_destroy(arena);
   return m;
}

typedef bool (*pass_fn)(nir_shader *);

static const struct {
   const char *name;
   pass_fn run;
} passes[] = {
   { "nir_opt_linear_offsets", nir_opt_linear_offsets },
   { "nir_opt_cse", nir_opt_cse },
   { "nir_opt_widen_loads", nir_opt_widen_loads },
   { "nir_opt_merge_loads", nir_opt_merge_loads },
   { "nir_opt_merge_memory_stores", nir_opt_merge_memory_stores },
   { "nir_opt_dce", nir_opt_dce },
};

static unsigned changes[ARRAY_SIZE(passes)];

static void
test_seed(uint64_t seed)
{
   struct gen g;
   nir_shader *s = make(&g, seed);
   struct memory expected[3];

   for (unsigned i = 0; i < ARRAY_SIZE(expected); i++)
      expected[i] = run(s, 3 * seed + i);
   for (unsigned p = 0; p < ARRAY_SIZE(passes); p++) {
      changes[p] += passes[p].run(s);
      nir_validate_shader(s, passes[p].name);
      for (unsigned i = 0; i < ARRAY_SIZE(expected); i++) {
         const struct memory is = run(s, 3 * seed + i);
         if (memcmp(&is, &expected[i], sizeof(is))) {
            nir_print_shader(s, stderr);
            fail_msg("%s, NIR_RANDOM_SEED=%llu", passes[p].name,
                     (unsigned long long)seed);
         }
      }
   }
   nir_shader_destroy(s);
}

static void
test_random(void **state)
{
   const char *seed = getenv("NIR_RANDOM_SEED");
   const char *count = getenv("NIR_RANDOM_COUNT");

   if (seed) {
      test_seed(strtoull(seed, NULL, 0));
      return;
   }
   const unsigned n = count ? (unsigned)atoi(count) : DEFAULT_COUNT;
   for (unsigned i = 1; i <= n; i++)
      test_seed(i);
   /* A test of passes that do nothing would be none. */
   for (unsigned p = 0; p < ARRAY_SIZE(passes); p++)
      print_message("%s changed %u of %u\n", passes[p].name, changes[p], n);
   for (unsigned p = 0; p < ARRAY_SIZE(passes); p++)
      assert_true(n < DEFAULT_COUNT || changes[p] > n / 50);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_random) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
