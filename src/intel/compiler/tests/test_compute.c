/* SPDX-License-Identifier: MIT */
/* Compute shaders: how groups are cut into threads, shared memory, and what
 * is refused. */
#include "compiler_fixture.h"

#include "compiler/nir/nir_builder.h"
#include "util/unit_test.h"

static struct compiler_fixture t;

static int
setup(void **state)
{
   return compiler_fixture_begin(&t, "skl");
}

static int
teardown(void **state)
{
   return compiler_fixture_end(&t);
}

/* buffer[at] = value */
static void
store(nir_builder *b, nir_value *at, nir_value *value)
{
   nir_intrinsic_instr *intr =
      nir_new_intrinsic(b->shader, nir_intrinsic_store_ssbo);

   intr->num_components = 1;
   intr->src[0] = nir_use_of(value);
   intr->src[1] = nir_use_of(nir_imm_int(b, 1));
   intr->src[2] = nir_use_of(nir_imul_imm(b, at, 4));
   nir_intrinsic_set_write_mask(intr, 1);
   nir_intrinsic_set_align(intr, 4, 0);
   nir_emit(b, &intr->instr);
}

/* A group whose invocations store their numbers. */
static nir_builder
group(unsigned x, unsigned y, unsigned z)
{
   nir_builder b = nir_builder_init_simple_shader(
      MESA_SHADER_COMPUTE, intel_compiler_nir_options(t.compiler), "group");
   nir_value *i = nir_load_local_invocation_index(&b);

   b.shader->info.workgroup_size[0] = (uint16_t)x;
   b.shader->info.workgroup_size[1] = (uint16_t)y;
   b.shader->info.workgroup_size[2] = (uint16_t)z;
   store(&b, i, i);
   return b;
}

static const struct intel_shader *
compile(nir_builder *b)
{
   const struct intel_compile_params params = { .arena = t.arena,
                                                .nir = b->shader };
   const union intel_key key = { .cs = { 0 } };
   const struct intel_shader *sh;

   intel_preprocess_nir(t.compiler, b->shader);
   sh = intel_compile(t.compiler, &params, &key);
   nir_shader_destroy(b->shader);
   return sh;
}

static void
check_threads(unsigned x, unsigned y, unsigned z, unsigned width,
              unsigned threads)
{
   nir_builder b = group(x, y, z);
   const struct intel_shader *sh = compile(&b);

   assert_non_null(sh->code);
   assert_int_equal(sh->prog_data.cs->simd_size, width);
   assert_int_equal(sh->prog_data.cs->threads, threads);
   assert_int_equal(sh->stats[0].dispatch_width, width);
   /* One thread alone has number 0. */
   assert_int_equal(sh->prog_data.cs->uses_thread_id, threads > 1);
   assert_int_equal(sh->prog_data.cs->per_thread_grfs, threads > 1);
   assert_true(sh->prog_data.cs->base.has_side_effects);
}

/* At most 56 threads of a group are in a subslice. */
static void
widths(void **state)
{
   check_threads(1, 1, 1, 8, 1);
   check_threads(8, 1, 1, 8, 1);
   check_threads(3, 3, 1, 16, 1);
   check_threads(16, 7, 8, 16, 56);
   check_threads(897, 1, 1, 32, 29);
   check_threads(16, 16, 4, 32, 32);
   check_threads(56, 32, 1, 32, 56);
}

static void
refuses_what_does_not_fit(void **state)
{
   nir_builder b = group(57, 32, 1);
   const struct intel_shader *sh = compile(&b);

   assert_null(sh->code);
   assert_non_null(strstr(sh->error, "57 threads"));
   b = group(1, 1, 1);
   b.shader->info.workgroup_size_variable = true;
   assert_null(compile(&b)->code);
}

/* Invocations that read what others have left in shared memory. */
static const struct intel_shader *
compile_shared(unsigned invocations, unsigned length)
{
   nir_builder b = group(invocations, 1, 1);
   nir_variable *v =
      nir_new_variable(b.shader, nir_var_mem_shared,
                       glsl_array_type(glsl_uint_type(), length, 0), "s");
   nir_value *i = nir_load_local_invocation_index(&b);
   nir_value *last = nir_imm_int(&b, (int)invocations - 1);

   nir_store_deref(&b, nir_build_deref_array(&b, nir_deref_to(&b, v), i), i,
                   1);
   nir_scoped_barrier(&b, .execution_scope = NIR_SCOPE_WORKGROUP,
                      .memory_scope = NIR_SCOPE_WORKGROUP,
                      .memory_semantics = NIR_MEMORY_ACQ_REL,
                      .memory_modes = nir_var_mem_shared);
   store(&b, i,
         nir_load_deref(&b, nir_build_deref_array(&b, nir_deref_to(&b, v),
                                                  nir_isub(&b, last, i))));
   return compile(&b);
}

static void
check_shared(unsigned length, unsigned slm_B)
{
   const struct intel_shader *sh = compile_shared(64, length);

   if (!slm_B) {
      assert_null(sh->code);
      assert_non_null(strstr(sh->error, "shared memory"));
      return;
   }
   assert_non_null(sh->code);
   assert_int_equal(sh->prog_data.cs->slm_size_B, slm_B);
   assert_true(sh->prog_data.cs->uses_barrier);
}

static void
shared_memory(void **state)
{
   check_shared(64, 4096);
   check_shared(1025, 8192);
   check_shared(16384, 65536);
   check_shared(16385, 0);
}

/* A thread's messages to shared memory stay in order: one that is the whole
 * group needs neither a fence nor a barrier. */
static void
shared_memory_of_one_thread(void **state)
{
   const struct intel_shader *one = compile_shared(8, 64);
   const struct intel_shader *many = compile_shared(64, 64);

   assert_false(one->prog_data.cs->uses_barrier);
   assert_int_equal(many->stats[0].sends - one->stats[0].sends, 2);
}

/* A shader without memory of its own has none. */
static void
no_shared_memory(void **state)
{
   nir_builder b = group(64, 1, 1);
   const struct intel_shader *sh = compile(&b);

   assert_int_equal(sh->prog_data.cs->slm_size_B, 0);
   assert_false(sh->prog_data.cs->uses_barrier);
   assert_false(sh->prog_data.cs->uses_num_workgroups);
}

/* The larger of two doubles beside each other, of each invocation. */
static uint32_t
instructions_for_doubles(unsigned invocations)
{
   nir_builder b = group(invocations, 1, 1);
   nir_value *i = nir_load_local_invocation_index(&b);
   nir_intrinsic_instr *load =
      nir_new_intrinsic(b.shader, nir_intrinsic_load_ssbo);

   load->num_components = 2;
   load->src[0] = nir_use_of(nir_imm_int(&b, 2));
   load->src[1] = nir_use_of(nir_imul_imm(&b, i, 16));
   nir_intrinsic_set_align(load, 8, 0);
   nir_set_result(&load->instr, 2, 64);
   nir_emit(&b, &load->instr);
   nir_value *v = &load->instr.result;
   store(&b, i,
         nir_b2i32(&b, nir_flt(&b, nir_channel(&b, v, 0),
                               nir_channel(&b, v, 1))));
   return compile(&b)->stats[0].instructions;
}

/* Where each channel is an invocation, doubles come in one piece: no moves
 * put their four halves together, but the address has its own. */
static void
doubles_of_whole_threads(void **state)
{
   assert_int_equal(instructions_for_doubles(7) - instructions_for_doubles(8),
                    4 - 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
      TEST(widths),           TEST(refuses_what_does_not_fit),
      TEST(shared_memory),    TEST(shared_memory_of_one_thread),
      TEST(no_shared_memory), TEST(doubles_of_whole_threads),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
