/* SPDX-License-Identifier: MIT */
/*
 * Random control flow: a shader as built, in the NIR interpreter, against
 * the same one compiled, on the simulated EU: as a fragment shader in SIMD8
 * and SIMD16, as a compute shader in SIMD32. The latter also with votes,
 * ballots, shuffles, reductions and scans of the 32 channels, which the
 * interpreter's lanes are then.
 *
 * A shader works on variables (integers, floats, doubles, an array of
 * integers) that each channel loads from its slot of a buffer and stores
 * there at the end; phis come of them. In between: nested ifs, loops with
 * breaks and continues, what a round leaves for the next one, switches as
 * front ends make them (a loop that runs once), stores, and discards of each
 * kind. Loops are bounded by a counter that each has for itself. Every
 * operation has one right result, so all bits must agree, but for those of
 * NaNs and for the sign of zeros.
 *
 * usage: test_flow [--structurize] [COUNT [FIRST-SEED]]; without, 500 shaders
 * from 1. With --structurize, each is also run after its control flow was
 * taken apart and structured anew, which may cost MOST_GROWTH percent of the
 * instructions executed; what subgroups sum up shows whether the same lanes
 * still run together.
 * Prints the seed of what fails; FLOW_PRINT=1 prints the NIR too.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "compiler/nir/cfg/structurize.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_interp.h"
#include "run_shader.h"

#define LANES 32
#define NUM_INTS 4
#define NUM_FLOATS 3
#define NUM_DOUBLES 2
#define NUM_SIDE 4    /* slots that stores in between go to */
#define SHORT_ARRAY 4 /* in registers */
#define LONG_ARRAY 64 /* in memory: 8 KB a thread, of Gen7's 12 */
#define FLOATS_B 16
#define DOUBLES_B 32
#define SIDE_B 48
#define SLOT_B 64
#define MAX_DEPTH 4
#define MOST_GROWTH 15

struct gen {
   nir_builder b;
   uint64_t seed;
   unsigned budget; /* statements that may still be made */
   unsigned depth, loops;
   unsigned array_length;
   bool votes; /* and all other operations of subgroups */
   nir_value *slot;
   nir_variable *ints[NUM_INTS], *floats[NUM_FLOATS], *doubles[NUM_DOUBLES];
   nir_variable *array;
};

static uint32_t
rnd(struct gen *g, uint32_t below)
{
   /* splitmix64 */
   uint64_t z = (g->seed += 0x9e3779b97f4a7c15);
   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
   z = (z ^ z >> 27) * 0x94d049bb133111eb;
   return (uint32_t)((z ^ z >> 31) >> 32) % below;
}

/* ---- memory ---- */

static nir_value *
load(struct gen *g, unsigned offset_B, unsigned bits)
{
   return runner_nir_load(&g->b, nir_iadd_imm(&g->b, g->slot, offset_B), 1,
                          bits);
}

static void
store(struct gen *g, unsigned offset_B, nir_value *value)
{
   runner_nir_store(&g->b, nir_iadd_imm(&g->b, g->slot, offset_B), value);
}

/* ---- expressions ---- */

static nir_value *
get_int(struct gen *g)
{
   switch (rnd(g, 8)) {
   case 0: return nir_imm_int(&g->b, (int)rnd(g, 9) - 4);
   case 1: return nir_imm_int(&g->b, (int)(rnd(g, 65536) * 65537));
   case 2:
      return nir_load_array_var(
         &g->b, g->array,
         nir_iand_imm(&g->b, nir_load_var(&g->b, g->ints[rnd(g, NUM_INTS)]),
                      (int)g->array_length - 1));
   default: return nir_load_var(&g->b, g->ints[rnd(g, NUM_INTS)]);
   }
}

static nir_value *
get_float(struct gen *g)
{
   if (rnd(g, 6) == 0)
      return nir_imm_float(&g->b, ((float)rnd(g, 64) - 32) / 4);
   return nir_load_var(&g->b, g->floats[rnd(g, NUM_FLOATS)]);
}

static nir_value *
get_double(struct gen *g)
{
   if (rnd(g, 6) == 0)
      return nir_imm_double(&g->b, ((double)rnd(g, 64) - 32) / 7);
   return nir_load_var(&g->b, g->doubles[rnd(g, NUM_DOUBLES)]);
}

static nir_value *
comparison(struct gen *g)
{
   nir_builder *b = &g->b;

   switch (rnd(g, 10)) {
   case 0: return nir_ieq(b, nir_iand_imm(b, get_int(g), 3), get_int(g));
   case 1: return nir_ult(b, get_int(g), get_int(g));
   case 2: return nir_flt(b, get_float(g), get_float(g));
   case 3: return nir_fge(b, get_float(g), get_float(g));
   case 4: return nir_fneu(b, get_double(g), get_double(g));
   case 5: return nir_flt(b, get_double(g), get_double(g));
   case 6:
      return nir_ior(b, nir_ilt(b, get_int(g), get_int(g)),
                     nir_flt(b, get_float(g), get_float(g)));
   case 7:
      return nir_inot(b, nir_iand(b, nir_ine(b, get_int(g), get_int(g)),
                                  nir_ige(b, get_int(g), get_int(g))));
   default:
      return nir_ine(b, nir_iand_imm(b, get_int(g), 1u << rnd(g, 4)),
                     nir_imm_int(b, 0));
   }
}

static nir_value *
vote_of_channel(struct gen *g, nir_value *c)
{
   nir_builder *b = &g->b;
   nir_value *set = nir_ballot(b, 1, 32, c);
   nir_value *at = nir_iand_imm(b, get_int(g), 31);

   return nir_ine(b, nir_iand_imm(b, nir_ushr(b, set, at), 1),
                  nir_imm_int(b, 0));
}

static nir_value *
condition(struct gen *g)
{
   nir_builder *b = &g->b;
   nir_value *c = comparison(g);

   if (!g->votes)
      return c;
   switch (rnd(g, 16)) {
   case 0: return nir_vote_any(b, 1, c);
   case 1: return nir_vote_all(b, 1, c);
   case 2: return nir_vote_ieq(b, 1, c);
   case 3: return nir_vote_ieq(b, 1, get_int(g));
   case 4: return nir_vote_feq(b, 1, get_double(g));
   case 5: return nir_elect(b, 1);
   case 6: return vote_of_channel(g, c);
   case 7: return nir_inclusive_scan(b, 1, c, .reduction_op = nir_op_ixor);
   default: return c;
   }
}

/* ---- subgroups ---- */

/* The value of channel `i`, 0 where that is off: nobody says what a shuffle
 * gives then. */
static nir_value *
if_on(struct gen *g, nir_value *i, nir_value *value)
{
   nir_builder *b = &g->b;
   nir_value *on = nir_ballot(b, 1, 32, nir_imm_true(b));
   nir_value *bit =
      nir_iand_imm(b, nir_ushr(b, on, nir_iand_imm(b, i, LANES - 1)), 1);

   return nir_bcsel(b,
                    nir_iand(b, nir_ine(b, bit, nir_imm_int(b, 0)),
                             nir_ult(b, i, nir_imm_int(b, LANES))),
                    value, nir_imm_intN_t(b, 0, value->bit_size));
}

static nir_value *
shuffled(struct gen *g, nir_value *v)
{
   nir_builder *b = &g->b;
   nir_value *self = nir_load_subgroup_invocation(b);
   nir_value *i = nir_iand_imm(b, get_int(g), LANES - 1);
   const int delta = (int)rnd(g, LANES);

   switch (rnd(g, 10)) {
   case 0: return nir_read_first_invocation(b, 1, v);
   case 1:
      i = nir_ufind_msb(b, nir_ballot(b, 1, 32, nir_imm_true(b)));
      return nir_read_invocation(b, 1, v, i);
   case 2: return if_on(g, nir_ixor(b, self, i), nir_shuffle_xor(b, 1, v, i));
   case 3:
      return if_on(g, nir_iadd_imm(b, self, -delta),
                   nir_shuffle_up(b, 1, v, nir_imm_int(b, delta)));
   case 4:
      return if_on(g, nir_iadd_imm(b, self, delta),
                   nir_shuffle_down(b, 1, v, nir_imm_int(b, delta)));
   case 5:
      return if_on(g, nir_ixor(b, self, nir_imm_int(b, 1)),
                   nir_quad_swap_horizontal(b, 1, v));
   case 6:
      return if_on(g, nir_ixor(b, self, nir_imm_int(b, 2)),
                   nir_quad_swap_vertical(b, 1, v));
   case 7:
      return if_on(g, nir_ixor(b, self, nir_imm_int(b, 3)),
                   nir_quad_swap_diagonal(b, 1, v));
   case 8:
      return if_on(
         g, nir_ior(b, nir_iand_imm(b, self, ~3u), nir_imm_int(b, delta & 3)),
         nir_quad_broadcast(b, 1, v, nir_imm_int(b, delta & 3)));
   default: return if_on(g, i, nir_shuffle(b, 1, v, i));
   }
}

/* By an operation that gives the same in any order. */
static nir_value *
scanned(struct gen *g, nir_value *v, nir_op op)
{
   nir_builder *b = &g->b;

   switch (rnd(g, 3)) {
   case 0: return nir_inclusive_scan(b, 1, v, .reduction_op = op);
   case 1: return nir_exclusive_scan(b, 1, v, .reduction_op = op);
   default:
      /* Clusters of up to 64; 1 << 7: the subgroup. */
      return nir_reduce(b, 1, v, .reduction_op = op,
                        .cluster_size = (1u << rnd(g, 8)) & 127);
   }
}

static nir_value *
int_of_subgroup(struct gen *g)
{
   static const nir_op ops[] = {
      nir_op_iadd, nir_op_imul, nir_op_iand, nir_op_ior,  nir_op_ixor,
      nir_op_imin, nir_op_imax, nir_op_umin, nir_op_umax,
   };
   const nir_op op = ops[rnd(g, ARRAY_SIZE(ops))];
   nir_builder *b = &g->b;

   switch (rnd(g, 8)) {
   case 0:
   case 1:
   case 2: return shuffled(g, get_int(g));
   case 3:
      return nir_u2u32(
         b,
         scanned(g, nir_pack_64_2x32_split(b, get_int(g), get_int(g)), op));
   case 4:
      return nir_iadd(b, nir_load_subgroup_lt_mask(b, 1, 32),
                      nir_load_subgroup_ge_mask(b, 1, 32));
   default: return scanned(g, get_int(g), op);
   }
}

static nir_value *
double_of_subgroup(struct gen *g)
{
   nir_builder *b = &g->b;

   switch (rnd(g, 4)) {
   case 0: return shuffled(g, get_double(g));
   /* Sums of small integers are exact. */
   case 1:
      return scanned(g, nir_i2f64(b, nir_iand_imm(b, get_int(g), 0xffff)),
                     nir_op_fadd);
   default:
      return scanned(g, get_double(g), rnd(g, 2) ? nir_op_fmin : nir_op_fmax);
   }
}

static nir_value *
int_expression(struct gen *g)
{
   static const nir_op ops[] = {
      nir_op_iadd, nir_op_isub, nir_op_imul, nir_op_iand,      nir_op_ior,
      nir_op_ixor, nir_op_ishl, nir_op_ishr, nir_op_ushr,      nir_op_imin,
      nir_op_imax, nir_op_umin, nir_op_umax, nir_op_umul_high,
   };
   nir_builder *b = &g->b;

   if (g->votes && !rnd(g, 4))
      return int_of_subgroup(g);
   switch (rnd(g, 8)) {
   case 0: return nir_bcsel(b, condition(g), get_int(g), get_int(g));
   case 1: {
      /* In range also if NaN: the limit wins. */
      nir_value *f = nir_fmax(b, get_float(g), nir_imm_float(b, -1e6f));
      return nir_f2i32(b, nir_fmin(b, f, nir_imm_float(b, 1e6f)));
   }
   case 2: {
      nir_value *d = nir_fmax(b, get_double(g), nir_imm_double(b, -1e9));
      return nir_f2i32(b, nir_fmin(b, d, nir_imm_double(b, 1e9)));
   }
   case 3: return nir_b2i32(b, condition(g));
   default:
      return nir_build_alu2(b, ops[rnd(g, ARRAY_SIZE(ops))], get_int(g),
                            get_int(g));
   }
}

static nir_value *
float_expression(struct gen *g)
{
   static const nir_op ops[] = {
      nir_op_fadd,
      nir_op_fmul,
      nir_op_fmin,
      nir_op_fmax,
   };
   nir_builder *b = &g->b;

   switch (rnd(g, 8)) {
   case 0: return nir_bcsel(b, condition(g), get_float(g), get_float(g));
   case 1: return nir_i2f32(b, get_int(g));
   case 2: return nir_f2f32(b, get_double(g));
   case 3: return nir_fneg(b, nir_ffract(b, get_float(g)));
   case 4: return nir_ffloor(b, nir_fabs(b, get_float(g)));
   default:
      return nir_build_alu2(b, ops[rnd(g, ARRAY_SIZE(ops))], get_float(g),
                            get_float(g));
   }
}

static nir_value *
double_expression(struct gen *g)
{
   static const nir_op ops[] = {
      nir_op_fadd,
      nir_op_fmul,
      nir_op_fmin,
      nir_op_fmax,
   };
   nir_builder *b = &g->b;

   if (g->votes && !rnd(g, 4))
      return double_of_subgroup(g);
   switch (rnd(g, 10)) {
   case 0: return nir_bcsel(b, condition(g), get_double(g), get_double(g));
   case 1: return nir_i2f64(b, get_int(g));
   case 2: return nir_f2f64(b, get_float(g));
   case 3: return nir_ffma(b, get_double(g), get_double(g), get_double(g));
   case 4: return nir_fneg(b, nir_fabs(b, get_double(g)));
   case 5:
      return rnd(g, 3) ? nir_ftrunc(b, get_double(g))
                       : nir_fdiv(b, get_double(g), get_double(g));
   default:
      return nir_build_alu2(b, ops[rnd(g, ARRAY_SIZE(ops))], get_double(g),
                            get_double(g));
   }
}

/* ---- statements ---- */

static void statements(struct gen *g, unsigned most);

static void
assign(struct gen *g)
{
   nir_builder *b = &g->b;

   switch (rnd(g, 6)) {
   case 0:
      nir_store_var(b, g->floats[rnd(g, NUM_FLOATS)], float_expression(g), 1);
      break;
   case 1:
      nir_store_var(b, g->doubles[rnd(g, NUM_DOUBLES)], double_expression(g),
                    1);
      break;
   case 2: {
      nir_value *i = nir_iand_imm(b, get_int(g), g->array_length - 1);
      nir_store_deref(b,
                      nir_build_deref_array(b, nir_deref_to(b, g->array), i),
                      int_expression(g), 1);
      break;
   }
   default:
      nir_store_var(b, g->ints[rnd(g, NUM_INTS)], int_expression(g), 1);
      break;
   }
}

static void
branch(struct gen *g)
{
   nir_if *nif = nir_push_if(&g->b, condition(g));

   statements(g, 4);
   if (rnd(g, 2)) {
      nir_push_else(&g->b, nif);
      statements(g, 4);
   }
   nir_pop_if(&g->b, nif);
}

static void
jump_if(struct gen *g, nir_jump_type type)
{
   nir_if *nif = nir_push_if(&g->b, condition(g));

   if (rnd(g, 2))
      assign(g);
   nir_jump(&g->b, type);
   nir_pop_if(&g->b, nif);
}

/* What a round leaves for the next one: in the first one it is undefined, and
 * not used. */
static void
use_last_round(struct gen *g, nir_variable *count)
{
   nir_builder *b = &g->b;
   nir_variable *number = nir_new_local(b->impl, glsl_int_type(), "last");
   nir_variable *is_odd =
      nir_new_local(b->impl, glsl_bool_type(), "last_odd");
   nir_value *now = int_expression(g);
   nir_value *now_odd = comparison(g);

   nir_if *later =
      nir_push_if(b, nir_ilt(b, nir_imm_int(b, 1), nir_load_var(b, count)));
   nir_value *last = nir_load_var(b, number);
   nir_variable *v = g->ints[rnd(g, NUM_INTS)];
   nir_store_var(
      b, v, nir_iadd(b, nir_isub(b, now, last), nir_ixor(b, now, last)), 1);
   nir_if *odd = nir_push_if(b, nir_load_var(b, is_odd));
   assign(g);
   nir_pop_if(b, odd);
   nir_pop_if(b, later);
   nir_store_var(b, number, now, 1);
   nir_store_var(b, is_odd, now_odd, 1);
}

static void
loop(struct gen *g)
{
   nir_builder *b = &g->b;
   nir_variable *count = nir_new_local(b->impl, glsl_int_type(), "count");
   nir_value *most = rnd(g, 3) ? nir_iand_imm(b, get_int(g), 3)
                               : nir_imm_int(b, 1 + (int)rnd(g, 4));

   nir_store_var(b, count, nir_imm_int(b, 0), 1);
   nir_loop *l = nir_push_loop(b);
   nir_if *end = nir_push_if(b, nir_ige(b, nir_load_var(b, count), most));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, end);
   nir_store_var(b, count, nir_iadd_imm(b, nir_load_var(b, count), 1), 1);
   if (rnd(g, 2))
      use_last_round(g, count);
   g->loops++;
   statements(g, 3);
   jump_if(g, rnd(g, 2) ? nir_jump_continue : nir_jump_break);
   statements(g, 3);
   g->loops--;
   nir_pop_loop(b, l);
}

/* Cases, some of which fall through, within a loop that runs once. */
static void
switch_like(struct gen *g)
{
   nir_builder *b = &g->b;
   nir_value *selector = nir_iand_imm(b, get_int(g), 3);
   nir_variable *falls = nir_new_local(b->impl, glsl_bool_type(), "falls");
   const unsigned loops = g->loops;
   nir_loop *l;

   nir_store_var(b, falls, nir_imm_false(b), 1);
   l = nir_push_loop(b);
   g->loops = 0;
   for (unsigned i = 0; i < 3; i++) {
      nir_value *taken =
         nir_ior(b, nir_load_var(b, falls), nir_ieq_imm(b, selector, i));
      nir_if *nif = nir_push_if(b, taken);
      statements(g, 2);
      if (rnd(g, 3))
         nir_jump(b, nir_jump_break);
      else
         nir_store_var(b, falls, nir_imm_true(b), 1);
      nir_pop_if(b, nif);
   }
   statements(g, 1);
   nir_jump(b, nir_jump_break);
   nir_pop_loop(b, l);
   g->loops = loops;
}

static void
kill(struct gen *g)
{
   nir_builder *b = &g->b;
   /* Rather rare, so that lanes are left. */
   nir_value *c = nir_ieq_imm(b, nir_iand_imm(b, get_int(g), 15), rnd(g, 16));

   if (b->shader->info.stage != MESA_SHADER_FRAGMENT)
      return;
   switch (rnd(g, 5)) {
   case 0: nir_discard_if(b, c); break;
   case 1: nir_demote_if(b, c); break;
   case 2: nir_terminate_if(b, c); break;
   default: {
      nir_if *nif = nir_push_if(b, c);
      if (rnd(g, 2))
         nir_demote(b);
      else
         nir_discard(b);
      nir_pop_if(b, nif);
   }
   }
}

static void
statement(struct gen *g)
{
   const unsigned kind = rnd(g, 20);

   if (kind < 4 && g->depth < MAX_DEPTH)
      branch(g);
   else if (kind < 6 && g->depth < MAX_DEPTH)
      loop(g);
   else if (kind < 7 && g->depth < MAX_DEPTH)
      switch_like(g);
   else if (kind < 8 && g->loops)
      jump_if(g, rnd(g, 2) ? nir_jump_continue : nir_jump_break);
   else if (kind < 9)
      kill(g);
   else if (kind < 11)
      store(g, SIDE_B + 4 * rnd(g, NUM_SIDE), int_expression(g));
   else
      assign(g);
}

static void
statements(struct gen *g, unsigned most)
{
   unsigned n = 1 + rnd(g, most);

   g->depth++;
   for (; n && g->budget; n--) {
      g->budget--;
      statement(g);
   }
   g->depth--;
}

static nir_value *
channel_number(nir_builder *b)
{
   switch (b->shader->info.stage) {
   case MESA_SHADER_COMPUTE: return nir_load_local_invocation_index(b);
   case MESA_SHADER_VERTEX: return nir_load_vertex_id_zero_base(b);
   default: return nir_load_sample_mask_in(b);
   }
}

static nir_shader *
generate(const struct intel_compiler *compiler, uint64_t seed,
         gl_shader_stage stage, bool votes)
{
   struct gen g = {
      .b = nir_builder_init_simple_shader(
         stage, intel_compiler_nir_options(compiler), "flow %" PRIu64, seed),
      .seed = seed * 0x2545f4914f6cdd1d,
      .votes = votes,
   };
   nir_builder *b = &g.b;

   /* Nothing may be fused or reassociated. */
   b->exact = true;
   /* More than any device has room for in SIMD16. */
   b->shader->info.workgroup_size[0] = 1792;
   b->shader->info.workgroup_size[1] = 1;
   b->shader->info.workgroup_size[2] = 1;
   g.budget = 4 + rnd(&g, 36);
   g.slot = nir_imul_imm(b, channel_number(b), SLOT_B);
   for (unsigned i = 0; i < NUM_INTS; i++) {
      g.ints[i] = nir_new_local(b->impl, glsl_int_type(), "i");
      nir_store_var(b, g.ints[i], load(&g, 4 * i, 32), 1);
   }
   for (unsigned i = 0; i < NUM_FLOATS; i++) {
      g.floats[i] = nir_new_local(b->impl, glsl_float_type(), "f");
      nir_store_var(b, g.floats[i], load(&g, FLOATS_B + 4 * i, 32), 1);
   }
   for (unsigned i = 0; i < NUM_DOUBLES; i++) {
      g.doubles[i] = nir_new_local(b->impl, glsl_double_type(), "d");
      nir_store_var(b, g.doubles[i], load(&g, DOUBLES_B + 8 * i, 64), 1);
   }
   g.array_length = seed % 8 ? SHORT_ARRAY : LONG_ARRAY;
   g.array = nir_new_local(
      b->impl, glsl_array_type(glsl_int_type(), g.array_length, 0), "a");
   for (int i = 0; i < (int)g.array_length; i++)
      nir_store_deref(
         b, nir_build_deref_array_imm(b, nir_deref_to(b, g.array), i),
         nir_load_var(b, g.ints[i % NUM_INTS]), 1);
   while (g.budget)
      statements(&g, 6);
   for (unsigned i = 0; i < NUM_INTS; i++) {
      nir_value *v = nir_load_var(b, g.ints[i]);
      nir_deref_instr *a =
         nir_build_deref_array_imm(b, nir_deref_to(b, g.array), (int)i);
      store(&g, 4 * i, nir_ixor(b, v, nir_load_deref(b, a)));
   }
   for (unsigned i = 0; i < NUM_FLOATS; i++)
      store(&g, FLOATS_B + 4 * i, nir_load_var(b, g.floats[i]));
   for (unsigned i = 0; i < NUM_DOUBLES; i++)
      store(&g, DOUBLES_B + 8 * i, nir_load_var(b, g.doubles[i]));
   nir_validate_shader(b->shader, "generated");
   return b->shader;
}

/* ---- data ---- */

struct slot {
   int32_t ints[NUM_INTS];
   float floats[NUM_FLOATS + 1];
   double doubles[NUM_DOUBLES];
   int32_t side[NUM_SIDE];
};
static_assert(sizeof(struct slot) == SLOT_B, "the layout of a slot");

static void
fill(struct slot *slots, uint64_t seed)
{
   struct gen g = { .seed = ~seed };

   memset(slots, 0xcd, LANES * sizeof(*slots));
   for (unsigned l = 0; l < LANES; l++) {
      struct slot *s = &slots[l];
      for (unsigned i = 0; i < NUM_INTS; i++)
         s->ints[i] = rnd(&g, 3) ? (int32_t)rnd(&g, 16)
                                 : (int32_t)rnd(&g, UINT32_MAX);
      for (unsigned i = 0; i < NUM_FLOATS; i++)
         s->floats[i] = (float)((int)rnd(&g, 256) - 128) / 8;
      for (unsigned i = 0; i < NUM_DOUBLES; i++)
         s->doubles[i] = ((double)rnd(&g, 65536) - 32768) / 3;
   }
}

static bool
same_slot(const struct slot *a, const struct slot *b)
{
   bool same = !memcmp(a->ints, b->ints, sizeof(a->ints)) &&
               !memcmp(a->side, b->side, sizeof(a->side));

   for (unsigned i = 0; i < NUM_FLOATS; i++)
      same &= a->floats[i] == b->floats[i] ||
              (isnan(a->floats[i]) && isnan(b->floats[i]));
   for (unsigned i = 0; i < NUM_DOUBLES; i++)
      same &= a->doubles[i] == b->doubles[i] ||
              (isnan(a->doubles[i]) && isnan(b->doubles[i]));
   return same;
}

static void
print_slot(const char *what, const struct slot *s)
{
   printf("  %-9s", what);
   for (unsigned i = 0; i < NUM_INTS; i++)
      printf(" %08x", (uint32_t)s->ints[i]);
   for (unsigned i = 0; i < NUM_FLOATS; i++)
      printf(" %a", (double)s->floats[i]);
   for (unsigned i = 0; i < NUM_DOUBLES; i++)
      printf(" %a", s->doubles[i]);
   for (unsigned i = 0; i < NUM_SIDE; i++)
      printf(" %08x", (uint32_t)s->side[i]);
   printf("\n");
}

static bool
lane_number(void *data, unsigned lane, const nir_intrinsic_instr *intr,
            const nir_const_value *src0, nir_const_value *out)
{
   if (intr->intrinsic != nir_intrinsic_load_sample_mask_in &&
       intr->intrinsic != nir_intrinsic_load_vertex_id_zero_base &&
       intr->intrinsic != nir_intrinsic_load_local_invocation_index)
      return false;
   out[0].u32 = lane;
   return true;
}

/* ---- one shader ---- */

static const char *
interpret(nir_shader *nir, struct slot *slots, struct arena *arena)
{
   static const struct nir_interp_callbacks callbacks = {
      .sysval = lane_number,
   };
   static nir_interp_slot outputs[LANES * NIR_INTERP_SLOTS];
   struct nir_interp_buffer ssbos[RUN_BUFFER_BTI + 1] = { 0 };
   struct nir_interp_params params = {
      .num_lanes = LANES,
      .outputs = outputs,
      .ssbos = ssbos,
      .num_ssbos = ARRAY_SIZE(ssbos),
      .callbacks = &callbacks,
   };

   ssbos[RUN_BUFFER_BTI].data = slots;
   ssbos[RUN_BUFFER_BTI].size_B = LANES * sizeof(*slots);
   return nir_interp_run(nir, &params, arena);
}

/* The shader as it stands now gives the same: says which half of the
 * compiler is to blame. */
static bool
still_same(nir_shader *nir, uint64_t seed, const struct slot *want,
           const char *when)
{
   struct arena *arena = arena_create(NULL);
   struct slot got[LANES];

   fill(got, seed);
   const char *error = interpret(nir, got, arena);
   if (error)
      printf("seed %" PRIu64 ": %s: %s\n", seed, when, error);
   arena_destroy(arena);
   for (unsigned l = 0; l < LANES && !error; l++) {
      if (same_slot(&got[l], &want[l]))
         continue;
      printf("seed %" PRIu64 ": NIR differs %s, channel %u:\n", seed, when,
             l);
      print_slot("expected", &want[l]);
      print_slot("got", &got[l]);
      return false;
   }
   return !error;
}

static uint64_t blame_seed;
static const struct slot *blame_want; /* NULL: a pass was found */

static void
blame_pass(nir_shader *nir, const char *pass)
{
   if (blame_want && !still_same(nir, blame_seed, blame_want, pass))
      blame_want = NULL;
}

static const struct intel_shader *
compile(const struct intel_compiler *compiler, nir_shader *nir,
        struct arena *arena)
{
   const struct intel_compile_params params = { .arena = arena, .nir = nir };
   const union intel_key wm = { .wm = { .nr_color_regions = 1 } };
   const union intel_key none = { .cs = { 0 } };

   return intel_compile(compiler, &params,
                        nir->info.stage == MESA_SHADER_FRAGMENT ? &wm
                                                                : &none);
}

/* Compiles the failed shader once more, with an eye on each pass. */
static void
find_pass(const struct intel_compiler *compiler, uint64_t seed,
          gl_shader_stage stage, bool votes, const struct slot *want)
{
   struct arena *arena = arena_create(NULL);
   nir_shader *nir = generate(compiler, seed, stage, votes);

   blame_seed = seed;
   blame_want = want;
   nir_pass_observer = blame_pass;
   intel_preprocess_nir(compiler, nir);
   compile(compiler, nir, arena);
   nir_pass_observer = NULL;
   nir_shader_destroy(nir);
   arena_destroy(arena);
}

struct totals {
   unsigned simd16, simd32, loops, spilling;
   uint64_t instructions, executed;
   unsigned exit_predicates, state_variables;
};

static uint64_t executed;

static bool
compare(struct runner *runner, const struct intel_shader *sh, uint64_t seed,
        const struct slot *want, unsigned width, uint32_t mask)
{
   struct slot *got = (struct slot *)runner_buffer(runner);
   struct slot before[LANES];

   fill(before, seed);
   memcpy(got, before, sizeof(before));
   const char *error = runner_run(runner, sh, width, mask);
   if (error) {
      printf("seed %" PRIu64 " SIMD%u: %s\n", seed, width, error);
      return false;
   }
   executed += runner_executed(runner);
   for (unsigned l = 0; l < LANES; l++) {
      const bool on = mask >> l & 1;
      const struct slot *expected = on ? &want[l] : &before[l];
      if (same_slot(&got[l], expected))
         continue;
      printf("seed %" PRIu64 " SIMD%u mask %04x, channel %u%s:\n", seed,
             width, mask, l, on ? "" : " (off)");
      print_slot("before", &before[l]);
      print_slot("expected", expected);
      print_slot("got", &got[l]);
      return false;
   }
   return true;
}

/* All channels, then some of them. */
static bool
compare_width(struct runner *runner, const struct intel_shader *sh,
              uint64_t seed, const struct slot *want, unsigned width)
{
   const uint32_t all = (uint32_t)BITFIELD64_MASK(width);

   return compare(runner, sh, seed, want, width, all) &&
          compare(runner, sh, seed, want, width,
                  all & (uint32_t)(seed * 0x9e3779b1u >> 8 | 1));
}

static bool
compare_widths(struct runner *runner, const struct intel_shader *sh,
               uint64_t seed, const struct slot *want, struct totals *t)
{
   if (sh->stage == MESA_SHADER_COMPUTE) {
      t->simd32 += sh->prog_data.cs->simd_size == 32;
      return compare_width(runner, sh, seed, want,
                           sh->prog_data.cs->simd_size);
   }
   if (sh->stage == MESA_SHADER_VERTEX)
      return compare_width(runner, sh, seed, want, 16);
   t->simd16 += sh->prog_data.wm->dispatch_16;
   return compare_width(runner, sh, seed, want, 8) &&
          (!sh->prog_data.wm->dispatch_16 ||
           compare_width(runner, sh, seed, want, 16));
}

static void
structurize(nir_shader *nir, struct totals *t)
{
   const struct nir_structurize_options options = { 0 };
   struct nir_structurize_stats stats;

   nir_lower_vars_to_ssa(nir);
   nir_structurize_impl(nir_entry_point(nir), &options, &stats);
   nir_validate_shader(nir, "structurize");
   t->exit_predicates += stats.exit_predicates;
   t->state_variables += stats.state_variables;
}

static bool
test_seed(struct runner *runner, uint64_t seed, gl_shader_stage stage,
          bool votes, bool anew, struct totals *t)
{
   const struct intel_compiler *compiler = runner_compiler(runner);
   struct arena *arena = arena_create(NULL);
   nir_shader *nir = generate(compiler, seed, stage, votes);
   struct slot want[LANES];
   bool ok = true;

   fill(want, seed);
   if (getenv("FLOW_PRINT"))
      nir_print_shader(nir, stdout);
   const char *error = interpret(nir, want, arena);
   if (error) {
      printf("seed %" PRIu64 ": interpreter: %s\n", seed, error);
      ok = false;
   }
   if (anew) {
      structurize(nir, t);
      ok = ok && still_same(nir, seed, want, "after structuring");
   }
   executed = 0;
   intel_preprocess_nir(compiler, nir);
   ok = ok && still_same(nir, seed, want, "after preprocessing");
   const struct intel_shader *sh = compile(compiler, nir, arena);
   if (!sh->code) {
      printf("seed %" PRIu64 ": %s\n", seed, sh->error);
      ok = false;
   } else {
      t->instructions += sh->stats[0].instructions;
      t->loops += sh->stats[0].loops;
      t->spilling += sh->stats[0].spills != 0;
      ok = ok && still_same(nir, seed, want, "before the back end") &&
           (votes ? compare(runner, sh, seed, want, LANES, UINT32_MAX)
                  : compare_widths(runner, sh, seed, want, t));
   }
   t->executed += executed;
   if (!ok && sh->code && !anew)
      find_pass(compiler, seed, stage, votes, want);
   nir_shader_destroy(nir);
   arena_destroy(arena);
   return ok;
}

static bool
test_stages(struct runner *runner, uint64_t seed, bool anew, struct totals *t)
{
   if (runner_is_vec4(runner))
      return test_seed(runner, seed, MESA_SHADER_VERTEX, false, anew, t);
   return test_seed(runner, seed, MESA_SHADER_FRAGMENT, false, anew, t) &&
          test_seed(runner, seed, MESA_SHADER_COMPUTE, false, anew, t) &&
          test_seed(runner, seed, MESA_SHADER_COMPUTE, true, anew, t);
}

int
main(int argc, char **argv)
{
   const bool anew = argc > 1 && !strcmp(argv[1], "--structurize");
   argc -= anew;
   argv += anew;
   const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 500;
   const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
   struct runner *runner = runner_create();
   struct totals t = { 0 }, t_anew = { 0 };
   unsigned bad = 0;

   for (uint64_t seed = first; seed < first + count && bad < 10; seed++)
      bad += !test_stages(runner, seed, false, &t) ||
             (anew && !test_stages(runner, seed, true, &t_anew));
   printf("%lu shaders, %u wrong; %u with SIMD16, %u with SIMD32, %u that "
          "spill, %u loops, %" PRIu64 " instructions\n",
          count, bad, t.simd16, t.simd32, t.spilling, t.loops,
          t.instructions);
   if (anew) {
      printf("executed: %" PRIu64 " instructions, structured anew %" PRIu64
             "; %u exit predicates, %u state variables\n",
             t.executed, t_anew.executed, t_anew.exit_predicates,
             t_anew.state_variables);
      bad += t_anew.executed > t.executed * (100 + MOST_GROWTH) / 100 ||
             t_anew.state_variables;
   }
   runner_destroy(runner);
   return bad != 0;
}
