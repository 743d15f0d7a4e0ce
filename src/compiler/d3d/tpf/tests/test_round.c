/* SPDX-License-Identifier: MIT */
/*
 * NIR written as SM5 and read back: random programs of vs_5_0, ps_5_0 and
 * cs_5_0 with floats, integers, doubles, ifs and loops, constant buffers,
 * structured buffers, raw ones, shared memory, atomics and textures do to
 * outputs and memory what the original did. test_tpf_round N: N programs of
 * each profile; test_tpf_round N FIRST BUDGET DIRECTORY puts containers of
 * programs there that vkd3d-compiler 1.2 can read, too (no doubles, one
 * storage buffer): test_other.py.
 */
#include "util/unit_test.h"

#include <stdio.h>

#include "compiler/d3d/tpf/tests/tpf_run.h"
#include "compiler/nir/nir_builder.h"

static unsigned trials = 500, first_trial, budget = 20;
static const char *directory; /* and then no doubles */

#define NUM_VARS 4

struct gen {
   uint64_t state;
   nir_builder b;
   enum tpf_stage stage;
   nir_variable *f[NUM_VARS], *i[NUM_VARS], *d[2], *array;
   nir_variable *ubo, *structs, *raw, *shared, *in, *out, *texture, *sampler;
   unsigned budget, loops;
};

static unsigned
pick(struct gen *g, unsigned below)
{
   g->state = g->state * 6364136223846793005ull + 1442695040888963407ull;
   return (unsigned)(g->state >> 33) % below;
}

/* --- Resources ---------------------------------------------------------- */

static struct glsl_struct_field
member(const char *name, const struct glsl_type *type, int offset)
{
   return (struct glsl_struct_field) {
      .type = type,
      .name = name,
      .offset = offset,
      .location = -1,
      .component = -1,
      .xfb_buffer = -1,
      .xfb_offset = -1,
   };
}

static nir_variable *
block(struct gen *g, nir_variable_mode mode, unsigned binding,
      const struct glsl_struct_field *fields, unsigned n)
{
   nir_variable *var = nir_new_variable(
      g->b.shader, mode,
      glsl_interface_type(fields, n, GLSL_INTERFACE_PACKING_STD430, false,
                          "b"),
      "b");

   var->interface_type = var->type;
   var->data.binding = binding;
   return var;
}

/* struct { vec4 v; float f[3]; int n; struct { uvec2 p; } s; } */
static const struct glsl_type *
element_type(void)
{
   const struct glsl_struct_field pair = member("p", glsl_uvec_type(2), 0);
   const struct glsl_struct_field fields[] = {
      member("v", glsl_vec4_type(), 0),
      member("f", glsl_array_type(glsl_float_type(), 3, 4), 16),
      member("n", glsl_int_type(), 28),
      member("s", glsl_struct_type(&pair, 1, "s", false), 32),
   };

   return glsl_struct_type(fields, 4, "e", false);
}

static void
make_resources(struct gen *g)
{
   const struct glsl_struct_field uniforms[] = {
      member("f", glsl_array_type(glsl_vec4_type(), 4, 16), 0),
      member("n", glsl_array_type(glsl_ivec_type(4), 2, 16), 64),
   };
   const struct glsl_struct_field structs =
      member("d", glsl_array_type(element_type(), 0, 40), 0);
   const struct glsl_struct_field words[] = {
      member("first", glsl_uint_type(), 0),
      member("d", glsl_array_type(glsl_uint_type(), 0, 4), 4),
   };

   g->ubo = block(g, nir_var_mem_ubo, 2, uniforms, 2);
   g->structs = block(g, nir_var_mem_ssbo, 3, &structs, 1);
   g->raw = block(g, nir_var_mem_ssbo, 1, words, 2);
   if (g->stage == TPF_STAGE_CS) {
      g->shared = nir_new_variable(g->b.shader, nir_var_mem_shared,
                                   glsl_array_type(glsl_uint_type(), 32, 4),
                                   "g");
      g->b.shader->info.shared_size = 128;
      g->b.shader->info.workgroup_size[0] = TPF_RUN_LANES;
      g->b.shader->info.workgroup_size[1] = 1;
      g->b.shader->info.workgroup_size[2] = 1;
   }
   g->texture = nir_new_variable(
      g->b.shader, nir_var_uniform,
      glsl_texture_type(GLSL_SAMPLER_DIM_2D, false, GLSL_TYPE_FLOAT), "t");
   g->texture->data.binding = 9;
   g->sampler = nir_new_variable(g->b.shader, nir_var_uniform,
                                 glsl_bare_sampler_type(), "s");
   g->sampler->data.binding = 11;
}

/* --- Values ------------------------------------------------------------- */

static nir_value *int_expr(struct gen *g, unsigned depth);
static nir_value *bool_expr(struct gen *g, unsigned depth);
static nir_value *double_expr(struct gen *g, unsigned depth);

static nir_value *
below(struct gen *g, unsigned n)
{
   nir_builder *b = &g->b;

   if (pick(g, 2))
      return nir_imm_int(b, (int)pick(g, n));
   return nir_umod(b, int_expr(g, 1), nir_imm_int(b, (int)n));
}

static nir_value *
uniform(struct gen *g, bool is_int)
{
   nir_builder *b = &g->b;
   nir_deref_instr *d = nir_deref_to(b, g->ubo);
   const unsigned comp = pick(g, 4);

   d = nir_build_deref_struct(b, d, is_int);
   d = nir_build_deref_array(b, d, below(g, is_int ? 2 : 4));
   if (pick(g, 3) == 0)
      return nir_load_deref(b, nir_build_deref_array(b, d, below(g, 4)));
   return nir_channel(b, nir_load_deref(b, d), comp);
}

static nir_deref_instr *
element(struct gen *g, unsigned field)
{
   nir_builder *b = &g->b;
   nir_deref_instr *d = nir_deref_to(b, g->structs);

   d = nir_build_deref_struct(b, d, 0);
   d = nir_build_deref_array(b, d, below(g, 8)); /* the buffer has 6 */
   d = nir_build_deref_struct(b, d, field);
   if (field == 1)
      d = nir_build_deref_array(b, d, below(g, 3));
   if (field == 3)
      d = nir_build_deref_struct(b, d, 0);
   return d;
}

static nir_deref_instr *
word(struct gen *g)
{
   nir_builder *b = &g->b;
   nir_deref_instr *d;

   if (g->shared && (directory || pick(g, 2)))
      return nir_build_deref_array(b, nir_deref_to(b, g->shared),
                                   below(g, 32));
   if (directory)
      return element(g, 2);
   d = nir_build_deref_struct(b, nir_deref_to(b, g->raw), 1);
   return nir_build_deref_array(b, d, below(g, 60));
}

static nir_value *
texel(struct gen *g, nir_value *x, nir_value *y)
{
   nir_builder *b = &g->b;
   nir_tex_instr *tex = nir_new_tex(b->shader, 0);
   nir_value *at = nir_vec2(b, x, y);
   const unsigned kind = pick(g, 3);

   tex->op = kind == 0   ? nir_texop_txl
             : kind == 1 ? nir_texop_tg4
                         : nir_texop_txf;
   tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
   tex->coord_components = 2;
   tex->dest_type = nir_type_float32;
   nir_tex_add(tex, nir_tex_src_texture_deref,
               nir_use_of(&nir_deref_to(b, g->texture)->instr.result));
   if (kind != 2)
      nir_tex_add(tex, nir_tex_src_sampler_deref,
                  nir_use_of(&nir_deref_to(b, g->sampler)->instr.result));
   nir_tex_add(tex, nir_tex_src_coord,
               nir_use_of(kind == 2 ? nir_f2i32(b, at) : at));
   if (kind == 1)
      tex->component = pick(g, 4);
   else
      nir_tex_add(tex, nir_tex_src_lod,
                  nir_use_of(kind == 2 ? nir_imm_int(b, (int)pick(g, 4))
                                       : x));
   if (pick(g, 2))
      nir_tex_add(tex, nir_tex_src_offset,
                  nir_use_of(nir_imm_ivec2(b, (int)pick(g, 16) - 8,
                                           (int)pick(g, 16) - 8)));
   nir_set_result(&tex->instr, 4, 32);
   nir_emit(b, &tex->instr);
   return nir_channel(b, &tex->instr.result, pick(g, 4));
}

/* What the pipeline gives to the stage. */
static nir_value *
system_value(struct gen *g)
{
   nir_builder *b = &g->b;

   switch (g->stage) {
   case TPF_STAGE_VS:
      return nir_u2f32(b, pick(g, 2) ? nir_load_vertex_id(b)
                                     : nir_load_instance_id(b));
   case TPF_STAGE_PS:
      if (pick(g, 3) == 0)
         return nir_b2f32(b, nir_load_front_face(b, 1));
      if (pick(g, 3) == 0)
         return nir_u2f32(b, nir_load_sample_id(b));
      return nir_channel(b, nir_load_frag_coord(b), pick(g, 4));
   default: return nir_u2f32(b, nir_load_local_invocation_index(b));
   }
}

static nir_value *
float_leaf(struct gen *g)
{
   nir_builder *b = &g->b;

   switch (pick(g, 9)) {
   case 0: return nir_imm_float(b, (float)pick(g, 33) / 4 - 4);
   case 1: return uniform(g, false);
   case 2:
      if (g->in)
         return nir_channel(b, nir_load_var(b, g->in), pick(g, 4));
      return system_value(g);
   case 3:
      return nir_channel(b, nir_load_deref(b, element(g, 0)), pick(g, 4));
   case 4: return nir_load_deref(b, element(g, 1));
   case 5: return nir_load_array_var(b, g->array, below(g, 8));
   case 6: return system_value(g);
   default: return nir_load_var(b, g->f[pick(g, NUM_VARS)]);
   }
}

static nir_value *
float_expr(struct gen *g, unsigned depth)
{
   static const nir_op unary[] = {
      nir_op_fneg,  nir_op_fabs,   nir_op_ffloor, nir_op_ffract,
      nir_op_fsat,  nir_op_ftrunc, nir_op_fceil,  nir_op_fround_even,
      nir_op_frcp,  nir_op_frsq,   nir_op_fsqrt,  nir_op_fexp2,
      nir_op_flog2, nir_op_fsin,   nir_op_fcos,
   };
   static const nir_op binary[] = { nir_op_fadd, nir_op_fmul, nir_op_fsub,
                                    nir_op_fmin, nir_op_fmax, nir_op_fdiv };
   nir_builder *b = &g->b;
   nir_value *x, *y;

   if (!depth || pick(g, 5) == 0)
      return float_leaf(g);
   x = float_expr(g, depth - 1);
   switch (pick(g, 10)) {
   case 0: return nir_i2f32(b, int_expr(g, depth - 1));
   case 1: return nir_u2f32(b, int_expr(g, depth - 1));
   case 2: return nir_b2f32(b, bool_expr(g, depth - 1));
   case 3:
      y = float_expr(g, depth - 1);
      return nir_bcsel(b, bool_expr(g, depth - 1), x, y);
   case 4:
      y = float_expr(g, depth - 1);
      return nir_ffma(b, x, y, float_leaf(g));
   case 5:
      return directory ? nir_fneg(b, x)
                       : nir_f2f32(b, double_expr(g, depth - 1));
   case 6: return texel(g, x, float_leaf(g));
   case 7: return nir_build_alu1(b, unary[pick(g, ARRAY_SIZE(unary))], x);
   default:
      y = float_expr(g, depth - 1);
      return nir_build_alu2(b, binary[pick(g, ARRAY_SIZE(binary))], x, y);
   }
}

static nir_value *
double_expr(struct gen *g, unsigned depth)
{
   static const nir_op binary[] = { nir_op_fadd, nir_op_fmul, nir_op_fsub,
                                    nir_op_fmin, nir_op_fmax, nir_op_fdiv };
   nir_builder *b = &g->b;
   nir_value *x, *y;

   if (!depth || pick(g, 4) == 0)
      return pick(g, 2) ? nir_load_var(b, g->d[pick(g, 2)])
                        : nir_imm_double(b, (double)pick(g, 100) / 7);
   x = double_expr(g, depth - 1);
   switch (pick(g, 8)) {
   case 0: return nir_f2f64(b, float_expr(g, depth - 1));
   case 1: return nir_i2f64(b, int_expr(g, depth - 1));
   case 2: return nir_fneg(b, x);
   case 3: return nir_fabs(b, x);
   case 4:
      y = double_expr(g, depth - 1);
      return nir_bcsel(b, bool_expr(g, depth - 1), x, y);
   case 5: return nir_ffma(b, x, double_expr(g, 0), double_expr(g, 0));
   default:
      y = double_expr(g, depth - 1);
      return nir_build_alu2(b, binary[pick(g, ARRAY_SIZE(binary))], x, y);
   }
}

static nir_value *
int_leaf(struct gen *g)
{
   nir_builder *b = &g->b;

   switch (pick(g, 6)) {
   case 0: return nir_imm_int(b, (int)pick(g, 41) - 20);
   case 1: return uniform(g, true);
   case 2: return nir_load_deref(b, element(g, 2));
   case 3:
      return nir_channel(b, nir_load_deref(b, element(g, 3)), pick(g, 2));
   default: return nir_load_var(b, g->i[pick(g, NUM_VARS)]);
   }
}

static nir_value *
division(struct gen *g, nir_value *x, nir_value *y)
{
   static const nir_op ops[] = { nir_op_idiv, nir_op_irem, nir_op_imod,
                                 nir_op_udiv, nir_op_umod };

   return nir_build_alu2(&g->b, ops[pick(g, ARRAY_SIZE(ops))], x,
                         nir_ior_imm(&g->b, y, 1));
}

static nir_value *
bit_field(struct gen *g, nir_value *x, nir_value *y)
{
   nir_builder *b = &g->b;
   nir_value *at = below(g, 32), *n = below(g, 33);
   /* What reaches beyond bit 31 is undefined in the forms of GLSL. */
   nir_value *inside = nir_umin(b, n, nir_isub(b, nir_imm_int(b, 32), at));

   switch (pick(g, 6)) {
   case 0: return nir_ubfe(b, x, at, n);
   case 1: return nir_ibfe(b, x, at, n);
   case 2: return nir_bitfield_insert(b, x, y, at, inside);
   case 3: return nir_ubitfield_extract(b, x, at, inside);
   case 4: return nir_bfi(b, y, x, n);
   default: return nir_bfm(b, at, n);
   }
}

/* SPIR-V leaves open what becomes of other floats. */
static nir_value *
convertible(struct gen *g, nir_value *x)
{
   nir_builder *b = &g->b;

   if (!directory)
      return x;
   return nir_fmin(b, nir_fmax(b, x, nir_imm_float(b, 0)),
                   nir_imm_float(b, 1000));
}

static nir_value *
int_expr(struct gen *g, unsigned depth)
{
   /* clang-format off */
   static const nir_op unary[] = {
      nir_op_ineg, nir_op_inot, nir_op_iabs, nir_op_bit_count,
      nir_op_bitfield_reverse, nir_op_find_lsb, nir_op_ufind_msb,
      nir_op_ifind_msb, nir_op_ufind_msb_rev,
   };
   /* clang-format on */
   static const nir_op binary[] = {
      nir_op_iadd,       nir_op_isub,        nir_op_imul,
      nir_op_iand,       nir_op_ior,         nir_op_ixor,
      nir_op_ishl,       nir_op_ishr,        nir_op_ushr,
      nir_op_imin,       nir_op_imax,        nir_op_umin,
      nir_op_umax,       nir_op_imul_high,   nir_op_umul_high,
      nir_op_uadd_carry, nir_op_usub_borrow,
   };
   nir_builder *b = &g->b;
   nir_value *x, *y;
   unsigned n;

   if (!depth || pick(g, 4) == 0)
      return int_leaf(g);
   x = int_expr(g, depth - 1);
   switch (pick(g, 12)) {
   case 0: return nir_f2i32(b, convertible(g, float_expr(g, depth - 1)));
   case 1: return nir_f2u32(b, convertible(g, float_expr(g, depth - 1)));
   case 2: return nir_b2i32(b, bool_expr(g, depth - 1));
   case 3:
      y = int_expr(g, depth - 1);
      return nir_bcsel(b, bool_expr(g, depth - 1), x, y);
   case 4: return division(g, x, int_expr(g, depth - 1));
   case 5:
      return directory ? nir_ineg(b, x)
                       : bit_field(g, x, int_expr(g, depth - 1));
   case 6:
      return directory ? nir_ineg(b, x)
                       : nir_f2i32(b, double_expr(g, depth - 1));
   case 7:
      if (directory)
         return nir_inot(b, x);
      return nir_pack_half_2x16_split(b, nir_imm_float(b, 1.5f),
                                      float_leaf(g));
   case 8:
      n = directory ? 5 : ARRAY_SIZE(unary);
      return nir_build_alu1(b, unary[pick(g, n)], x);
   default:
      y = int_expr(g, depth - 1);
      n = directory ? 13 : ARRAY_SIZE(binary); /* see there */
      return nir_build_alu2(b, binary[pick(g, n)], x, y);
   }
}

static nir_value *
bool_expr(struct gen *g, unsigned depth)
{
   static const nir_op ints[] = { nir_op_ilt, nir_op_ige, nir_op_ieq,
                                  nir_op_ine, nir_op_ult, nir_op_uge };
   static const nir_op floats[] = { nir_op_flt, nir_op_fge, nir_op_feq,
                                    nir_op_fneu };
   nir_builder *b = &g->b;
   const unsigned d = depth ? depth - 1 : 0;
   nir_value *x, *y;

   switch (pick(g, depth ? 6 : 3)) {
   case 0:
   case 1:
      x = int_expr(g, d);
      y = int_expr(g, d);
      return nir_build_alu2(b, ints[pick(g, ARRAY_SIZE(ints))], x, y);
   case 2:
   case 3:
      x = float_expr(g, d);
      y = float_expr(g, d);
      return nir_build_alu2(b, floats[pick(g, ARRAY_SIZE(floats))], x, y);
   case 4:
      x = directory ? float_expr(g, d) : double_expr(g, d);
      y = directory ? float_expr(g, d) : double_expr(g, d);
      return nir_build_alu2(b, floats[pick(g, ARRAY_SIZE(floats))], x, y);
   default:
      x = bool_expr(g, d);
      return pick(g, 2) ? nir_inot(b, x) : nir_ixor(b, x, bool_expr(g, d));
   }
}

/* --- Statements --------------------------------------------------------- */

static void
atomic(struct gen *g)
{
   /* clang-format off */
   static const nir_intrinsic_op ops[] = {
      nir_intrinsic_deref_atomic_add, nir_intrinsic_deref_atomic_and,
      nir_intrinsic_deref_atomic_or, nir_intrinsic_deref_atomic_xor,
      nir_intrinsic_deref_atomic_imin, nir_intrinsic_deref_atomic_imax,
      nir_intrinsic_deref_atomic_umin, nir_intrinsic_deref_atomic_umax,
      nir_intrinsic_deref_atomic_exchange,
      nir_intrinsic_deref_atomic_comp_swap,
   };
   /* clang-format on */
   nir_builder *b = &g->b;
   nir_deref_instr *d = pick(g, 2) ? element(g, 2) : word(g);
   nir_value *srcs[3] = { &d->instr.result, int_expr(g, 1), int_expr(g, 1) };
   nir_intrinsic_instr *intr = nir_build_intrinsic_begin(
      b, ops[pick(g, ARRAY_SIZE(ops))], 1, 32, srcs);

   nir_emit(b, &intr->instr);
   if (pick(g, 2))
      nir_store_var(b, g->i[pick(g, NUM_VARS)], &intr->instr.result, 1);
}

static void
store(struct gen *g)
{
   nir_builder *b = &g->b;
   nir_value *c[4];

   switch (pick(g, 5)) {
   case 0: /* masks with holes */
      for (unsigned i = 0; i < 4; i++)
         c[i] = float_expr(g, 1);
      nir_store_deref(b, element(g, 0), nir_vec(b, c, 4), 1 + pick(g, 15));
      break;
   case 1: nir_store_deref(b, element(g, 1), float_expr(g, 2), 1); break;
   case 2:
      for (unsigned i = 0; i < 2; i++)
         c[i] = int_expr(g, 1);
      nir_store_deref(b, element(g, 3), nir_vec(b, c, 2), 1 + pick(g, 3));
      break;
   case 3:
      nir_store_array_var(b, g->array, below(g, 8), float_expr(g, 2), 1);
      break;
   default: nir_store_deref(b, word(g), int_expr(g, 2), 1); break;
   }
}

static void body(struct gen *g, unsigned depth, bool in_loop);

static void
loop(struct gen *g, unsigned depth)
{
   nir_builder *b = &g->b;
   nir_variable *k = nir_new_local(b->impl, glsl_int_type(), NULL);
   nir_value *bound = nir_iand_imm(b, int_expr(g, 1), 7);
   nir_loop *l;

   g->loops++;
   nir_store_var(b, k, nir_imm_int(b, -1), 1);
   l = nir_push_loop(b);
   nir_store_var(b, k, nir_iadd_imm(b, nir_load_var(b, k), 1), 1);
   nir_jump_if(b, nir_jump_break, nir_ige(b, nir_load_var(b, k), bound));
   nir_store_var(b, g->i[pick(g, NUM_VARS)], nir_load_var(b, k), 1);
   body(g, depth - 1, true);
   nir_pop_loop(b, l);
   g->loops--;
}

/* What the writer joins: operations on all components with signs and
 * saturation, sums of products of two vectors, products that are added. */
static void
joined(struct gen *g)
{
   nir_builder *b = &g->b;
   nir_value *a = nir_load_deref(b, element(g, 0)), *x, *r, *c[4];
   const unsigned n = 2 + pick(g, 3);

   for (unsigned i = 0; i < 4; i++)
      c[i] = float_leaf(g);
   x = nir_vec(b, c, 4);
   switch (pick(g, 3)) {
   case 0:
      r = nir_fadd(b, nir_fmul(b, a, nir_fneg(b, x)), nir_fabs(b, a));
      r = pick(g, 2) ? nir_fsat(b, r) : nir_fneg(b, r);
      for (unsigned i = 0; i < NUM_VARS; i++)
         nir_store_var(b, g->f[i], nir_channel(b, r, i), 1);
      nir_store_deref(b, element(g, 0), r, 0xf);
      break;
   case 1:
      r = nir_fmul(b, nir_channel(b, a, 0), nir_channel(b, x, 0));
      for (unsigned i = 1; i < n; i++)
         r = nir_fadd(
            b, r, nir_fmul(b, nir_channel(b, a, i), nir_channel(b, x, i)));
      nir_store_var(b, g->f[pick(g, NUM_VARS)], r, 1);
      break;
   default:
      r = nir_imul(b, int_leaf(g), int_leaf(g));
      nir_store_var(b, g->i[pick(g, NUM_VARS)],
                    pick(g, 2) ? nir_iadd(b, r, int_leaf(g))
                               : nir_iadd(b, int_leaf(g), r),
                    1);
   }
}

static void
statement(struct gen *g, unsigned depth, bool in_loop)
{
   nir_builder *b = &g->b;
   nir_if *nif;

   switch (depth ? pick(g, 12) : pick(g, 8)) {
   case 0:
   case 1:
      nir_store_var(b, g->i[pick(g, NUM_VARS)], int_expr(g, 2), 1);
      break;
   case 2:
      if (directory)
         nir_store_var(b, g->f[2], float_expr(g, 2), 1);
      else
         nir_store_var(b, g->d[pick(g, 2)], double_expr(g, 2), 1);
      break;
   case 3:
   case 4: store(g); break;
   case 5: atomic(g); break;
   case 8:
   case 9:
      nif = nir_push_if(b, bool_expr(g, 2));
      body(g, depth - 1, in_loop);
      if (in_loop && pick(g, 4) == 0) {
         nir_jump(b, pick(g, 2) ? nir_jump_break : nir_jump_continue);
      } else if (pick(g, 2)) {
         nir_push_else(b, nif);
         body(g, depth - 1, in_loop);
      }
      nir_pop_if(b, nif);
      break;
   case 10:
      if (g->loops < 2) {
         loop(g, depth);
         break;
      }
      FALLTHROUGH;
   default:
      if (pick(g, 3))
         nir_store_var(b, g->f[pick(g, NUM_VARS)], float_expr(g, 2), 1);
      else
         joined(g);
      break;
   }
}

static void
body(struct gen *g, unsigned depth, bool in_loop)
{
   const unsigned n = 1 + pick(g, 3);

   for (unsigned i = 0; i < n && g->budget; i++) {
      g->budget--;
      statement(g, depth, in_loop);
   }
}

static void
make_locals(struct gen *g)
{
   nir_builder *b = &g->b;

   for (unsigned i = 0; i < NUM_VARS; i++) {
      g->f[i] = nir_new_local(b->impl, glsl_float_type(), NULL);
      g->i[i] = nir_new_local(b->impl, glsl_int_type(), NULL);
      nir_store_var(b, g->f[i], nir_imm_float(b, (float)i), 1);
      nir_store_var(b, g->i[i], nir_imm_int(b, (int)i), 1);
   }
   for (unsigned i = 0; i < 2; i++) {
      g->d[i] = nir_new_local(b->impl, glsl_double_type(), NULL);
      nir_store_var(b, g->d[i], nir_imm_double(b, 0.1 * i), 1);
   }
   g->array =
      nir_new_local(b->impl, glsl_array_type(glsl_float_type(), 8, 0), NULL);
   for (unsigned i = 0; i < 8; i++)
      nir_store_array_var(b, g->array, nir_imm_int(b, (int)i),
                          nir_imm_float(b, (float)i), 1);
}

static nir_variable *
make_io(struct gen *g, nir_variable_mode mode, int location)
{
   nir_variable *var =
      nir_new_variable(g->b.shader, mode, glsl_vec4_type(), "io");

   var->data.location = location;
   if (mode == nir_var_shader_in && g->stage == TPF_STAGE_PS)
      var->data.interpolation = INTERP_MODE_SMOOTH;
   return var;
}

static void
store_output(struct gen *g)
{
   nir_builder *b = &g->b;

   if (g->stage == TPF_STAGE_PS && pick(g, 3) == 0) {
      nir_discard_if(b, bool_expr(g, 1));
      b->shader->info.fs.uses_discard = true;
   }
   nir_store_var(b, g->out,
                 nir_vec4(b, nir_load_var(b, g->f[0]),
                          nir_load_var(b, g->f[1]),
                          directory ? nir_load_var(b, g->f[2])
                                    : nir_f2f32(b, nir_load_var(b, g->d[0])),
                          nir_load_var(b, g->i[1])),
                 0xf);
}

static nir_shader *
random_program(struct gen *g)
{
   static const gl_shader_stage stages[] = {
      [TPF_STAGE_PS] = MESA_SHADER_FRAGMENT,
      [TPF_STAGE_VS] = MESA_SHADER_VERTEX,
      [TPF_STAGE_CS] = MESA_SHADER_COMPUTE,
   };
   nir_builder *b = &g->b;

   *b = nir_builder_init_simple_shader(stages[g->stage], NULL, "r");
   b->exact = true;
   g->budget = budget;
   make_resources(g);
   if (g->stage != TPF_STAGE_CS) {
      const bool ps = g->stage == TPF_STAGE_PS;
      g->in =
         make_io(g, nir_var_shader_in,
                 ps ? (int)VARYING_SLOT_VAR0 : (int)VERT_ATTRIB_GENERIC0);
      g->out =
         make_io(g, nir_var_shader_out,
                 ps ? (int)FRAG_RESULT_DATA0 : (int)(VARYING_SLOT_VAR0 + 1));
   }
   make_locals(g);
   while (g->budget)
      body(g, 3, false);
   if (g->stage == TPF_STAGE_CS)
      nir_store_deref(b, word(g), nir_load_var(b, g->i[0]), 1);
   else
      store_output(g);
   nir_lower_vars_to_ssa(b->shader);
   nir_validate_shader(b->shader, "random_program");
   return b->shader;
}

/* --- Running ------------------------------------------------------------ */

static void
fill(struct gen *g, struct tpf_run *run)
{
   memset(run, 0, sizeof(*run));
   for (unsigned l = 0; l < TPF_RUN_LANES; l++) {
      for (unsigned s = 0; s < NIR_INTERP_SLOTS; s++) {
         for (unsigned c = 0; c < 4; c++)
            run->in[l][s][c] = util_float_bits((float)pick(g, 65) / 8 - 4);
      }
   }
   for (unsigned i = 0; i < TPF_RUN_BUFFERS; i++) {
      for (unsigned k = 0; k < TPF_RUN_WORDS; k++) {
         run->ubo[i][k] = k < 16 ? util_float_bits((float)pick(g, 9) - 4)
                                 : pick(g, 21) - 10;
         run->ssbo[i][k] = util_float_bits((float)pick(g, 65) / 8 - 4);
      }
   }
}

static void
report(nir_shader *a, nir_shader *b, unsigned seed, const char *what)
{
   nir_print_shader(a, stderr);
   if (b)
      nir_print_shader(b, stderr);
   fail_msg("program %u: %s", seed, what);
}

static void
write_container(enum tpf_stage stage, unsigned seed,
                const struct util_dynarray *code)
{
   char path[512];
   FILE *fp;

   snprintf(path, sizeof(path), "%s/%s%07u.dxbc", directory,
            tpf_stage_text(stage), seed);
   fp = fopen(path, "wb");
   assert_non_null(fp);
   assert_int_equal(fwrite(code->data, code->size_B, 1, fp), 1);
   fclose(fp);
}

static void
one_program(enum tpf_stage stage, unsigned seed)
{
   static struct tpf_run original, back;
   static struct tpf_interface interface;
   static struct gen gen;
   struct gen *g = &gen;
   struct arena *arena = arena_create(NULL);
   struct util_dynarray code = { 0 };
   struct d3d_error error = { 0 };
   const char *fault;

   memset(g, 0, sizeof(*g));
   g->state = seed * 77777ull + 1;
   g->stage = stage;
   nir_shader *nir = random_program(g);
   nir_shader *copy = nir_shader_clone(arena, nir);
   nir_shader *round =
      tpf_run_round(arena, copy, stage, &interface, &code, &error);
   if (!round)
      report(nir, NULL, seed, error.text);
   for (unsigned n = 0; n < 4; n++) {
      fill(g, &original);
      back = original;
      back.interface = &interface;
      fault = tpf_run(&original, nir, arena);
      if (!fault)
         fault = tpf_run(&back, round, arena);
      if (!fault)
         fault = tpf_run_compare(&original, &back, arena);
      if (fault)
         report(nir, round, seed, fault);
   }
   if (directory)
      write_container(stage, seed, &code);
   util_dynarray_fini(&code);
   nir_shader_destroy(nir);
   arena_destroy(arena);
}

static void
test_random(void **state)
{
   static const enum tpf_stage stages[] = { TPF_STAGE_VS, TPF_STAGE_PS,
                                            TPF_STAGE_CS };

   (void)state;
   for (unsigned p = 0; p < ARRAY_SIZE(stages); p++) {
      for (unsigned i = 0; i < trials; i++)
         one_program(stages[p], 1000000 * p + first_trial + i);
      printf("%s_5_0: %u programs\n", tpf_stage_text(stages[p]), trials);
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_random) };

   if (argc > 1)
      trials = (unsigned)strtoul(argv[1], NULL, 10);
   if (argc > 2)
      first_trial = (unsigned)strtoul(argv[2], NULL, 10);
   if (argc > 3)
      budget = (unsigned)strtoul(argv[3], NULL, 10);
   if (argc > 4)
      directory = argv[4];
   return cmocka_run_group_tests(tests, NULL, NULL);
}
