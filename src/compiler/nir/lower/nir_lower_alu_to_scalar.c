/* SPDX-License-Identifier: MIT */
/*
 * Vector ALU instructions become one for each component, gathered by a vecN.
 *
 * Before: SSA. After: no per-component opcode has more than one component,
 * and no dot product, vector compare or vector sum is left; vecN and opcodes
 * of fixed vector size (pack, unpack) stay. Cost: linear.
 */
#include "nir.h"
#include "nir_builder.h"

/* Component `c` of source `s`, as an ALU source of one component. */
static nir_operand
component_of(const nir_operand *s, unsigned c)
{
   nir_operand src = *s;
   src.use = nir_use_of(s->use.value);
   memset(src.swizzle, 0, sizeof(src.swizzle));
   src.swizzle[0] = s->swizzle[c];
   return src;
}

/* The opcode on component c of each source. */
static nir_value *
build_component(nir_builder *b, const nir_alu_instr *alu, nir_op op,
                unsigned c, unsigned bits)
{
   nir_alu_instr *s = nir_new_alu(b->shader, op);
   for (unsigned i = 0; i < nir_op_infos[op].num_inputs; i++)
      s->src[i] = component_of(&alu->src[i], c);
   nir_set_result(&s->instr, 1, bits);
   s->exact = alu->exact;
   s->no_signed_wrap = alu->no_signed_wrap;
   s->no_unsigned_wrap = alu->no_unsigned_wrap;
   return nir_emit(b, &s->instr);
}

/* How a vector becomes one value: `each` on every pair of components, the
 * results joined from the left by `join`. */
struct reduction {
   nir_op each, join;
   unsigned components;
};

#define REDUCTION(name, each, join)                                          \
   case nir_op_##name##2:                                                    \
      *r = (struct reduction) { nir_op_##each, nir_op_##join, 2 };           \
      return true;                                                           \
   case nir_op_##name##3:                                                    \
      *r = (struct reduction) { nir_op_##each, nir_op_##join, 3 };           \
      return true;                                                           \
   case nir_op_##name##4:                                                    \
      *r = (struct reduction) { nir_op_##each, nir_op_##join, 4 };           \
      return true;                                                           \
   case nir_op_##name##5:                                                    \
      *r = (struct reduction) { nir_op_##each, nir_op_##join, 5 };           \
      return true;                                                           \
   case nir_op_##name##8:                                                    \
      *r = (struct reduction) { nir_op_##each, nir_op_##join, 8 };           \
      return true;                                                           \
   case nir_op_##name##16:                                                   \
      *r = (struct reduction) { nir_op_##each, nir_op_##join, 16 };          \
      return true;

static bool
find_reduction(nir_op op, struct reduction *r)
{
   switch (op) {
      REDUCTION(fdot, fmul, fadd)
      REDUCTION(ball_fequal, feq, iand)
      REDUCTION(ball_iequal, ieq, iand)
      REDUCTION(bany_fnequal, fneu, ior)
      REDUCTION(bany_inequal, ine, ior)
      REDUCTION(b32all_fequal, feq32, iand)
      REDUCTION(b32all_iequal, ieq32, iand)
      REDUCTION(b32any_fnequal, fneu32, ior)
      REDUCTION(b32any_inequal, ine32, ior)
      REDUCTION(fall_equal, seq, fmin)
      REDUCTION(fany_nequal, sne, fmax)
   default: return false;
   }
}

static nir_value *
lower_reduction(nir_builder *b, const nir_alu_instr *alu,
                const struct reduction *r)
{
   const unsigned bits = alu->instr.result.bit_size;
   nir_value *all = NULL;
   for (unsigned c = 0; c < r->components; c++) {
      nir_value *one = build_component(b, alu, r->each, c, bits);
      all = all ? nir_build_alu2(b, r->join, all, one) : one;
   }
   return all;
}

/* dot(a.xyz, b.xyz) + b.w */
static nir_value *
lower_fdph(nir_builder *b, const nir_alu_instr *alu)
{
   const unsigned bits = alu->instr.result.bit_size;
   const struct reduction dot = { nir_op_fmul, nir_op_fadd, 3 };
   nir_value *sum = NULL;
   for (unsigned c = 0; c < dot.components; c++) {
      nir_value *one = build_component(b, alu, dot.each, c, bits);
      sum = sum ? nir_fadd(b, sum, one) : one;
   }
   nir_value *w =
      nir_channel(b, alu->src[1].use.value, alu->src[1].swizzle[3]);
   return nir_fadd(b, sum, w);
}

static bool
is_vector_alu(const nir_instr *instr, const void *data)
{
   const nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   struct reduction r;
   if (find_reduction(alu->op, &r) || alu->op == nir_op_fdph)
      return true;
   return alu->instr.result.num_components > 1 &&
          nir_op_infos[alu->op].output.size == 0;
}

static nir_value *
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   struct reduction r;
   b->exact = alu->exact;
   if (find_reduction(alu->op, &r))
      return lower_reduction(b, alu, &r);
   if (alu->op == nir_op_fdph)
      return lower_fdph(b, alu);

   const unsigned n = alu->instr.result.num_components;
   nir_value *comp[NIR_MAX_VEC_COMPONENTS];
   for (unsigned c = 0; c < n; c++) {
      comp[c] =
         build_component(b, alu, alu->op, c, alu->instr.result.bit_size);
   }
   return nir_vec(b, comp, n);
}

struct scalar_filter {
   nir_wants_instr filter;
   const void *data;
};

static bool
wanted(const nir_instr *instr, const void *data)
{
   const struct scalar_filter *f = data;
   return is_vector_alu(instr, NULL) &&
          (!f->filter || f->filter(instr, f->data));
}

/* The callbacks share one data pointer, which the filter sees as const. */
bool
nir_lower_alu_to_scalar(nir_shader *shader, nir_wants_instr filter,
                        const void *data)
{
   struct scalar_filter f = { filter, data };
   return nir_replace_instrs(shader, wanted, lower_instr, &f);
}
