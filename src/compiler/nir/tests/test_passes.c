/* SPDX-License-Identifier: MIT */
/* Optimisation passes: what they change, and what they must leave. */
#include <math.h>

#include "nir_builder.h"
#include "ssa/nir_phi_webs.h"
#include "util/unit_test.h"

static nir_builder
begin(void)
{
   return nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, NULL, "test");
}

static nir_variable *
output(nir_builder *b, const struct glsl_type *type)
{
   nir_variable *out =
      nir_new_variable(b->shader, nir_var_shader_out, type, "out");
   out->data.location = FRAG_RESULT_DATA0;
   return out;
}

static nir_value *
input(nir_builder *b, unsigned n)
{
   nir_variable *in =
      nir_new_variable(b->shader, nir_var_shader_in, glsl_vec_type(n), "in");
   in->data.location = VARYING_SLOT_VAR0;
   return nir_load_var(b, in);
}

static unsigned
count_alu(nir_shader *s, nir_op op)
{
   unsigned n = 0;
   nir_foreach_block(block, nir_entry_point(s)) {
      nir_foreach_instr(instr, block)
         n += instr->kind == nir_kind_alu &&
              nir_instr_as_alu(instr)->op == op;
   }
   return n;
}

static unsigned
count_instrs(nir_shader *s, nir_instr_kind kind)
{
   unsigned n = 0;
   nir_foreach_block(block, nir_entry_point(s)) {
      nir_foreach_instr(instr, block)
         n += instr->kind == kind;
   }
   return n;
}

/* The value stored last, which the test expects to be constant. */
static nir_use *
stored(nir_shader *s)
{
   nir_use *src = NULL;
   nir_foreach_block(block, nir_entry_point(s)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic &&
             nir_instr_as_intrinsic(instr)->intrinsic ==
                nir_intrinsic_store_deref)
            src = &nir_instr_as_intrinsic(instr)->src[1];
      }
   }
   assert_non_null(src);
   return src;
}

static void
optimise(nir_shader *s)
{
   bool progress;
   do {
      progress = false;
      NIR_PASS(progress, s, nir_copy_prop);
      NIR_PASS(progress, s, nir_opt_dce);
      NIR_PASS(progress, s, nir_opt_cse);
      NIR_PASS(progress, s, nir_opt_constant_folding);
      NIR_PASS(progress, s, nir_opt_remove_phis);
      NIR_PASS(progress, s, nir_opt_dead_cf);
      NIR_PASS(progress, s, nir_opt_loop_unroll);
   } while (progress);
}

static void
folds_constants(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_value *v =
      nir_fadd(&b, nir_imm_float(&b, 1.5f), nir_imm_float(&b, 2.25f));
   nir_store_var(&b, out, v, 1);
   assert_true(nir_opt_constant_folding(b.shader));
   assert_true(nir_use_is_const(*stored(b.shader)));
   assert_true(nir_use_comp_as_float(*stored(b.shader), 0) == 3.75);
   assert_false(nir_opt_constant_folding(b.shader));
   nir_validate_shader(b.shader, "test");
   nir_shader_destroy(b.shader);
}

static void
keeps_what_is_not_constant(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_store_var(&b, out,
                 nir_fadd(&b, input(&b, 1), nir_imm_float(&b, 2.25f)), 1);
   assert_false(nir_opt_constant_folding(b.shader));
   assert_false(nir_copy_prop(b.shader));
   assert_false(nir_opt_cse(b.shader));
   assert_false(nir_opt_dce(b.shader));
   nir_shader_destroy(b.shader);
}

static void
copy_propagates_swizzles(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_value *in = input(&b, 4);
   const unsigned wzyx[] = { 3, 2, 1, 0 };
   nir_value *rev = nir_swizzle(&b, in, wzyx, 4);
   nir_value *pair =
      nir_vec2(&b, nir_channel(&b, rev, 0), nir_channel(&b, rev, 2));
   nir_value *sum =
      nir_fadd(&b, nir_channel(&b, pair, 0), nir_channel(&b, pair, 1));
   nir_store_var(&b, out, sum, 1);
   while (nir_copy_prop(b.shader))
      ;
   nir_opt_dce(b.shader);
   nir_validate_shader(b.shader, "test");
   assert_int_equal(count_alu(b.shader, nir_op_mov), 0);
   assert_int_equal(count_alu(b.shader, nir_op_vec2), 0);
   nir_alu_instr *add = nir_instr_as_alu(stored(b.shader)->value->instr);
   assert_int_equal(add->src[0].swizzle[0], 3);
   assert_int_equal(add->src[1].swizzle[0], 1);
   nir_shader_destroy(b.shader);
}

static void
cse_merges_commuted(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_value *in = input(&b, 2);
   nir_value *x = nir_channel(&b, in, 0), *y = nir_channel(&b, in, 1);
   nir_value *p = nir_fmul(&b, x, y), *q = nir_fmul(&b, y, x);
   /* A difference does not commute. */
   nir_value *d = nir_fsub(&b, x, y), *e = nir_fsub(&b, y, x);
   nir_store_var(&b, out,
                 nir_fadd(&b, nir_fadd(&b, p, q), nir_fadd(&b, d, e)), 1);
   assert_true(nir_opt_cse(b.shader));
   nir_validate_shader(b.shader, "test");
   assert_int_equal(count_alu(b.shader, nir_op_fmul), 1);
   assert_int_equal(count_alu(b.shader, nir_op_fsub), 2);
   nir_shader_destroy(b.shader);
}

static void
cse_needs_dominance(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_value *x = input(&b, 1);
   nir_push_if(&b, nir_flt(&b, x, nir_imm_float(&b, 0.0f)));
   nir_store_var(&b, out, nir_fsqrt(&b, x), 1);
   nir_push_else(&b, NULL);
   nir_store_var(&b, out, nir_fsqrt(&b, x), 1);
   nir_pop_if(&b, NULL);
   nir_opt_cse(b.shader);
   nir_validate_shader(b.shader, "test");
   assert_int_equal(count_alu(b.shader, nir_op_fsqrt), 2);
   nir_shader_destroy(b.shader);
}

static void
dce_removes_phi_cycles(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_variable *i = nir_new_local(b.impl, glsl_int_type(), "i");
   nir_store_var(&b, i, nir_imm_int(&b, 0), 1);
   nir_value *in = input(&b, 1);
   nir_loop *loop = nir_push_loop(&b);
   nir_store_var(&b, i, nir_iadd_imm(&b, nir_load_var(&b, i), 1), 1);
   nir_jump_if(&b, nir_jump_break, nir_flt(&b, in, nir_imm_float(&b, 0.0f)));
   nir_pop_loop(&b, loop);
   nir_store_var(&b, out, in, 1);
   assert_true(nir_lower_vars_to_ssa(b.shader));
   assert_int_equal(count_alu(b.shader, nir_op_iadd), 1);
   assert_true(nir_opt_dce(b.shader));
   nir_validate_shader(b.shader, "test");
   assert_int_equal(count_alu(b.shader, nir_op_iadd), 0);
   assert_int_equal(count_instrs(b.shader, nir_kind_phi), 0);
   nir_shader_destroy(b.shader);
}

/* sum of i for i in [0, n) without 2; the bound may be unknown. */
static nir_shader *
sum_shader(nir_value *(*bound)(nir_builder *b), bool early_exit)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_int_type());
   nir_variable *i = nir_new_local(b.impl, glsl_int_type(), "i");
   nir_variable *sum = nir_new_local(b.impl, glsl_int_type(), "sum");
   nir_value *n = bound(&b);
   nir_value *in = input(&b, 1);
   nir_store_var(&b, i, nir_imm_int(&b, 0), 1);
   nir_store_var(&b, sum, nir_imm_int(&b, 0), 1);
   nir_loop *loop = nir_push_loop(&b);
   nir_value *iv = nir_load_var(&b, i);
   nir_jump_if(&b, nir_jump_break, nir_ige(&b, iv, n));
   nir_if *nif = nir_push_if(&b, nir_ine_imm(&b, iv, 2));
   nir_store_var(&b, sum, nir_iadd(&b, nir_load_var(&b, sum), iv), 1);
   nir_pop_if(&b, nif);
   if (early_exit)
      nir_jump_if(&b, nir_jump_break,
                  nir_flt(&b, in, nir_imm_float(&b, 0.0f)));
   nir_store_var(&b, i, nir_iadd_imm(&b, iv, 1), 1);
   nir_pop_loop(&b, loop);
   nir_store_var(&b, out, nir_load_var(&b, sum), 1);
   assert_true(nir_lower_vars_to_ssa(b.shader));
   return b.shader;
}

static nir_value *
five(nir_builder *b)
{
   return nir_imm_int(b, 5);
}

static nir_value *
thousand(nir_builder *b)
{
   return nir_imm_int(b, 1000);
}

static nir_value *
from_input(nir_builder *b)
{
   return nir_f2i32(b, input(b, 1));
}

static bool
has_loop(nir_shader *s)
{
   nir_foreach_block(block, nir_entry_point(s)) {
      if (nir_block_get_following_loop(block))
         return true;
   }
   return false;
}

static void
unrolls_known_trip_count(void **state)
{
   nir_shader *s = sum_shader(five, false);
   optimise(s);
   assert_false(has_loop(s));
   assert_true(nir_use_is_const(*stored(s)));
   assert_int_equal(nir_use_as_int(*stored(s)), 0 + 1 + 3 + 4);
   nir_shader_destroy(s);
}

static void
keeps_other_loops(void **state)
{
   nir_shader *s = sum_shader(from_input, false);
   optimise(s);
   assert_true(has_loop(s));
   nir_shader_destroy(s);
   s = sum_shader(thousand, false);
   optimise(s);
   assert_true(has_loop(s));
   nir_shader_destroy(s);
   s = sum_shader(thousand, true);
   optimise(s);
   assert_true(has_loop(s));
   nir_shader_destroy(s);
}

static void
unrolls_other_ways_out(void **state)
{
   nir_shader *s = sum_shader(five, true);
   optimise(s);
   assert_false(has_loop(s));
   /* As many sums as ways to leave. */
   assert_false(nir_use_is_const(*stored(s)));
   nir_shader_destroy(s);
}

/* Writes 100 elements of an array of `length` and reads the last of these. */
static nir_shader *
fill_shader(unsigned length)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_int_type());
   nir_variable *i = nir_new_local(b.impl, glsl_int_type(), "i");
   nir_variable *array = nir_new_local(
      b.impl, glsl_array_type(glsl_int_type(), length, 0), "array");

   nir_store_var(&b, i, nir_imm_int(&b, 0), 1);
   nir_loop *loop = nir_push_loop(&b);
   nir_value *iv = nir_load_var(&b, i);
   nir_jump_if(&b, nir_jump_break, nir_ige(&b, iv, nir_imm_int(&b, 100)));
   nir_deref_instr *all = nir_deref_to(&b, array);
   nir_store_deref(&b, nir_build_deref_array(&b, all, iv),
                   nir_imul(&b, iv, iv), 1);
   nir_store_var(&b, i, nir_iadd_imm(&b, iv, 1), 1);
   nir_pop_loop(&b, loop);
   all = nir_deref_to(&b, array);
   nir_deref_instr *last =
      nir_build_deref_array(&b, all, nir_imm_int(&b, 99));
   nir_store_var(&b, out, nir_load_deref(&b, last), 1);
   assert_true(nir_lower_vars_to_ssa(b.shader));
   return b.shader;
}

/* What reads the array elsewhere wants one element, not the memory. */
static void
unrolls_walks_over_arrays(void **state)
{
   nir_shader *s = fill_shader(100);
   optimise(s);
   assert_false(has_loop(s));
   assert_true(nir_lower_vars_to_ssa(s));
   optimise(s);
   assert_int_equal(nir_use_as_int(*stored(s)), 99 * 99);
   nir_shader_destroy(s);
   s = fill_shader(101);
   optimise(s);
   assert_true(has_loop(s));
   nir_shader_destroy(s);
}

/* ---- divisions by constants ---- */

static const nir_op divisions[] = {
   nir_op_udiv, nir_op_umod, nir_op_idiv, nir_op_irem, nir_op_imod,
};

/* What the opcode is defined to give. */
static uint32_t
divided(nir_op op, uint32_t n, uint32_t d)
{
   nir_const_value a = { .u32 = n }, b = { .u32 = d }, result;
   nir_const_value *srcs[] = { &a, &b };

   nir_eval_const_opcode(op, &result, 1, 32, srcs, 0);
   return result.u32;
}

/* What is left of it without a division; folded, for `n` is constant, too. */
static uint32_t
divided_by_the_pass(nir_op op, uint32_t n, uint32_t d)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_int_type());

   nir_store_var(&b, out,
                 nir_build_alu2(&b, op, nir_imm_int(&b, (int)n),
                                nir_imm_int(&b, (int)d)),
                 1);
   assert_true(nir_opt_idiv_const(b.shader));
   nir_validate_shader(b.shader, "test");
   assert_int_equal(count_alu(b.shader, op), 0);
   while (nir_opt_constant_folding(b.shader) || nir_copy_prop(b.shader))
      ;
   assert_true(nir_use_is_const(*stored(b.shader)));
   const uint32_t result = (uint32_t)nir_use_as_uint(*stored(b.shader));
   nir_shader_destroy(b.shader);
   return result;
}

/* Divisors at which the factor changes its form, and dividends around their
 * multiples, where a factor that is off would show first. */
static void
divides_by_constants(void **state)
{
   uint32_t divisors[128], count = 0;

   for (uint32_t d = 1; d <= 20; d++)
      divisors[count++] = d;
   for (unsigned s = 5; s < 32; s += 3) {
      divisors[count++] = 1u << s;
      divisors[count++] = (1u << s) - 1;
      divisors[count++] = (1u << s) + 1;
      divisors[count++] = 7u << (s - 3);
   }
   static const uint32_t others[] = { 100,        641,        125,
                                      0x7fffffff, 0x80000000, 0x80000001,
                                      0xfffffffe, 0xffffffff };
   for (unsigned i = 0; i < ARRAY_SIZE(others); i++)
      divisors[count++] = others[i];

   for (uint32_t i = 0; i < 2 * count; i++) {
      const uint32_t d = i < count ? divisors[i] : 0 - divisors[i - count];
      const uint32_t most = UINT32_MAX / d * d, half = INT32_MAX / d * d;
      const uint32_t n[] = { 0,        1,           d - 1,      d,
                             most - 1, most,        UINT32_MAX, half - 1,
                             half,     0x80000000u, 0 - half,   0 - d,
                             1 - d,    0x12345678,  0x7fffffff, half + d };
      for (unsigned k = 0; k < ARRAY_SIZE(n); k++) {
         for (unsigned op = 0; op < ARRAY_SIZE(divisions); op++)
            assert_int_equal(divided_by_the_pass(divisions[op], n[k], d),
                             divided(divisions[op], n[k], d));
      }
   }
}

/* ---- powers of two ---- */

/* What nir_opt_algebraic() makes of ldexp with an exponent that it does not
 * know; folded, for it is constant in the end. */
static float
scaled_by_the_pass(float x, int e)
{
   static const nir_shader_compiler_options options = { .lower_ldexp = true };
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, &options, "test");
   nir_variable *out = output(&b, glsl_float_type());
   nir_variable *v = nir_new_local(b.impl, glsl_int_type(), "e");

   nir_store_var(&b, v, nir_imm_int(&b, e), 1);
   nir_store_var(&b, out,
                 nir_ldexp(&b, nir_imm_float(&b, x), nir_load_var(&b, v)), 1);
   assert_true(nir_opt_algebraic(b.shader));
   assert_int_equal(count_alu(b.shader, nir_op_ldexp), 0);
   assert_true(nir_lower_vars_to_ssa(b.shader));
   optimise(b.shader);
   const float result = (float)nir_use_comp_as_float(*stored(b.shader), 0);
   nir_shader_destroy(b.shader);
   return result;
}

/* No factor takes the number where the others have to bring it back from:
 * what is a normal number in the end is exact, and was never a subnormal one,
 * which may be flushed. */
static void
scales_by_powers_of_two(void **state)
{
   static const float x[] = { 0x1.fffffep-126f, 0x1.fffffep-125f,
                              0x1.fffffep-123f, 0x1.000002p-1f,
                              0x1.fffffep127f };

   for (unsigned i = 0; i < ARRAY_SIZE(x); i++) {
      for (int e = -300; e <= 300; e++) {
         const float want = ldexpf(x[i], e);
         const float got = scaled_by_the_pass(x[i], e);
         if (isnormal(want) || isinf(want))
            assert_true(got == want);
         else
            assert_true(fabsf(got - want) <= 0x1p-149f);
      }
   }
}

static void
gcm_leaves_loops(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_variable *acc = nir_new_local(b.impl, glsl_float_type(), "acc");
   nir_value *in = input(&b, 1);
   nir_store_var(&b, acc, nir_imm_float(&b, 0.0f), 1);
   nir_loop *loop = nir_push_loop(&b);
   nir_value *invariant = nir_fmul(&b, in, in);
   nir_value *next = nir_fadd(&b, nir_load_var(&b, acc), invariant);
   nir_store_var(&b, acc, next, 1);
   nir_jump_if(&b, nir_jump_break,
               nir_flt(&b, nir_imm_float(&b, 10.0f), next));
   nir_pop_loop(&b, loop);
   nir_store_var(&b, out, nir_load_var(&b, acc), 1);
   assert_true(nir_lower_vars_to_ssa(b.shader));
   assert_true(nir_opt_gcm(b.shader, false));
   nir_validate_shader(b.shader, "test");
   assert_ptr_equal(invariant->instr->block, nir_start_block(b.impl));
   assert_ptr_not_equal(next->instr->block, nir_start_block(b.impl));
   assert_false(nir_opt_gcm(b.shader, false));
   nir_shader_destroy(b.shader);
}

static void
widens_booleans(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_value *x = input(&b, 1);
   nir_value *c = nir_inot(&b, nir_flt(&b, x, nir_imm_float(&b, 1.0f)));
   c = nir_iand(&b, c, nir_imm_true(&b));
   nir_store_var(&b, out, nir_bcsel(&b, c, x, nir_b2f32(&b, c)), 1);
   assert_true(nir_lower_bool_to_int32(b.shader));
   nir_validate_shader(b.shader, "test");
   assert_int_equal(count_alu(b.shader, nir_op_flt32), 1);
   assert_int_equal(count_alu(b.shader, nir_op_b32csel), 1);
   assert_int_equal(count_alu(b.shader, nir_op_bcsel), 0);
   assert_false(nir_lower_bool_to_int32(b.shader));
   nir_shader_destroy(b.shader);
}

/* A sum of half floats over a subgroup has both ends flushed, one of integers
 * has not. */
static void
flushes_reductions(void **state)
{
   for (unsigned i = 0; i < 2; i++) {
      nir_builder b = begin();
      nir_value *x = nir_f2f16(&b, input(&b, 1));
      nir_value *sum =
         nir_reduce(&b, 1, x, .reduction_op = i ? nir_op_iadd : nir_op_fadd);
      b.shader->info.float_controls_execution_mode =
         FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP16;
      nir_store_var(&b, output(&b, glsl_uint_type()), nir_u2u32(&b, sum), 1);
      nir_flush_subnormals(b.shader, 16);
      nir_validate_shader(b.shader, "flushed");
      /* One more for the conversion. */
      assert_int_equal(count_alu(b.shader, nir_op_bcsel), i ? 1 : 3);
      nir_shader_destroy(b.shader);
   }
}

/* An if with both sides storing; `cond` may be constant. */
static nir_shader *
if_shader(bool constant, bool costly)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_value *x = input(&b, 1);
   nir_value *c = constant ? nir_imm_true(&b)
                           : nir_flt(&b, x, nir_imm_float(&b, 0.0f));
   nir_push_if(&b, c);
   nir_value *then = nir_fneg(&b, x);
   for (unsigned i = 0; costly && i < 20; i++)
      then = nir_fmul(&b, then, then);
   nir_push_else(&b, NULL);
   nir_value *els = nir_fadd_imm(&b, x, 1.0);
   nir_pop_if(&b, NULL);
   nir_store_var(&b, out, nir_if_phi(&b, then, els), 1);
   return b.shader;
}

static bool
has_if(nir_shader *s)
{
   nir_foreach_block(block, nir_entry_point(s)) {
      if (nir_block_get_following_if(block))
         return true;
   }
   return false;
}

static void
peephole_select_takes_cheap_sides(void **state)
{
   nir_shader *s = if_shader(false, false);
   assert_true(nir_opt_peephole_select(s, 8, true, true));
   nir_validate_shader(s, "test");
   nir_opt_dead_cf(s);
   assert_false(has_if(s));
   assert_int_equal(count_alu(s, nir_op_bcsel), 1);
   nir_shader_destroy(s);
}

static void
peephole_select_leaves_costly_sides(void **state)
{
   nir_shader *s = if_shader(false, true);
   assert_false(nir_opt_peephole_select(s, 8, true, true));
   assert_true(has_if(s));
   nir_shader_destroy(s);
}

static void
dead_cf_takes_constant_side(void **state)
{
   nir_shader *s = if_shader(true, false);
   assert_true(nir_opt_dead_cf(s));
   nir_validate_shader(s, "test");
   assert_false(has_if(s));
   assert_int_equal(count_alu(s, nir_op_fadd), 0);
   assert_int_equal(count_alu(s, nir_op_fneg), 1);
   nir_shader_destroy(s);
   s = if_shader(false, false);
   assert_false(nir_opt_dead_cf(s));
   nir_shader_destroy(s);
}

static void
remove_phis_of_one_value(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_value *x = input(&b, 1);
   nir_push_if(&b, nir_flt(&b, x, nir_imm_float(&b, 0.0f)));
   nir_push_else(&b, NULL);
   nir_pop_if(&b, NULL);
   nir_value *same = nir_if_phi(&b, x, x);
   nir_store_var(&b, out, same, 1);
   assert_true(nir_opt_remove_phis(b.shader));
   nir_validate_shader(b.shader, "test");
   assert_int_equal(count_instrs(b.shader, nir_kind_phi), 0);
   assert_ptr_equal(stored(b.shader)->value, x);
   nir_shader_destroy(b.shader);
   nir_shader *s = if_shader(false, false);
   assert_false(nir_opt_remove_phis(s));
   nir_shader_destroy(s);
}

static void
scalarises(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_vec_type(3));
   nir_value *x = input(&b, 3);
   nir_store_var(&b, out, nir_fmul(&b, x, x), 7);
   assert_true(nir_lower_alu_to_scalar(b.shader, NULL, NULL));
   nir_validate_shader(b.shader, "test");
   assert_int_equal(count_alu(b.shader, nir_op_fmul), 3);
   assert_int_equal(count_alu(b.shader, nir_op_vec3), 1);
   assert_false(nir_lower_alu_to_scalar(b.shader, NULL, NULL));
   nir_shader_destroy(b.shader);
}

static void
dce_keeps_effects(void **state)
{
   nir_builder b = begin();
   nir_value *x = input(&b, 1);
   nir_discard_if(&b, nir_flt(&b, x, nir_imm_float(&b, 0.0f)));
   assert_false(nir_opt_dce(b.shader));
   nir_fadd(&b, x, x);
   assert_true(nir_opt_dce(b.shader));
   assert_int_equal(count_alu(b.shader, nir_op_fadd), 0);
   assert_int_equal(count_alu(b.shader, nir_op_flt), 1);
   nir_shader_destroy(b.shader);
}

/* A phi and its sources are one web; the condition, which is live beside
 * them, is of none. */
static void
isolates_phis(void **state)
{
   nir_shader *s = if_shader(false, false);
   nir_function_impl *impl = nir_entry_point(s);
   struct arena *arena = arena_create(NULL);
   const nir_value *a, *b;
   struct nir_phi_webs webs;
   assert_true(nir_isolate_phis(s, true));
   nir_validate_shader(s, "test");
   nir_find_phi_webs(&webs, impl, arena);
   assert_int_equal(webs.count, count_instrs(s, nir_kind_phi));
   assert_int_not_equal(webs.count, 0);
   assert_false(nir_phi_webs_overlap(&webs, impl, &a, &b));
   nir_foreach_block(block, impl) {
      nir_if *nif = nir_block_get_following_if(block);
      if (nif)
         assert_false(nir_is_in_web(&webs, nif->condition.value));
   }
   arena_destroy(arena);
   nir_shader_destroy(s);
}

static void
undef_select_takes_other_side(void **state)
{
   nir_builder b = begin();
   nir_variable *out = output(&b, glsl_float_type());
   nir_value *x = input(&b, 1);
   nir_value *c = nir_flt(&b, x, nir_imm_float(&b, 0.0f));
   nir_store_var(&b, out, nir_bcsel(&b, c, nir_undef(&b, 1, 32), x), 1);
   assert_true(nir_opt_undef(b.shader));
   nir_copy_prop(b.shader);
   nir_validate_shader(b.shader, "test");
   assert_ptr_equal(stored(b.shader)->value, x);
   nir_shader_destroy(b.shader);
   nir_shader *s = if_shader(false, false);
   assert_false(nir_opt_undef(s));
   nir_shader_destroy(s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(folds_constants),
      cmocka_unit_test(keeps_what_is_not_constant),
      cmocka_unit_test(copy_propagates_swizzles),
      cmocka_unit_test(cse_merges_commuted),
      cmocka_unit_test(cse_needs_dominance),
      cmocka_unit_test(dce_removes_phi_cycles),
      cmocka_unit_test(unrolls_known_trip_count),
      cmocka_unit_test(keeps_other_loops),
      cmocka_unit_test(unrolls_other_ways_out),
      cmocka_unit_test(unrolls_walks_over_arrays),
      cmocka_unit_test(scales_by_powers_of_two),
      cmocka_unit_test(divides_by_constants),
      cmocka_unit_test(gcm_leaves_loops),
      cmocka_unit_test(widens_booleans),
      cmocka_unit_test(flushes_reductions),
      cmocka_unit_test(peephole_select_takes_cheap_sides),
      cmocka_unit_test(peephole_select_leaves_costly_sides),
      cmocka_unit_test(dead_cf_takes_constant_side),
      cmocka_unit_test(remove_phis_of_one_value),
      cmocka_unit_test(scalarises),
      cmocka_unit_test(dce_keeps_effects),
      cmocka_unit_test(isolates_phis),
      cmocka_unit_test(undef_select_takes_other_side),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
