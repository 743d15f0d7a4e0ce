/* SPDX-License-Identifier: MIT */
/*
 * Scalars to vectors, in NIR: operations of one block that do the same to
 * components of the same values become one operation on a vector, at the
 * place of the first; constants may differ. What uses these is then alike in
 * its turn. Sums of products of components of two values are dot products, in
 * the order in which those of Direct3D add.
 *
 * Before: scalars, SSA. After: vectors of up to four. Cost: the window times
 * the instructions, for each level of a tree of operations.
 */
#include "d3d_vector.h"

#include "compiler/nir/nir_builder.h"

#define WINDOW 48
#define MAX_ROUNDS 64

/* Each component of the result comes from that of the sources. */
static bool
is_by_component(const nir_alu_instr *alu, const struct d3d_vector_options *o)
{
   const nir_op_info *info = &nir_op_infos[alu->op];

   if (alu->op == nir_op_mov || nir_op_is_vec(alu->op) || info->output.size ||
       alu->instr.result.bit_size == 64)
      return false;
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      if (info->input[i].size || alu->src[i].use.value->bit_size == 64)
         return false;
   }
   return o->by_component(alu);
}

static bool
are_alike(const nir_alu_instr *a, const nir_alu_instr *b)
{
   const nir_value *x = &a->instr.result, *y = &b->instr.result;

   if (a->op != b->op || a->exact != b->exact || x->bit_size != y->bit_size ||
       x->num_components + y->num_components > 4)
      return false;
   for (unsigned i = 0; i < nir_op_infos[a->op].num_inputs; i++) {
      const nir_use *s = &a->src[i].use, *t = &b->src[i].use;
      const bool constant = nir_use_is_const(*s) && nir_use_is_const(*t) &&
                            s->value->bit_size == t->value->bit_size;
      if (s->value != t->value && !constant)
         return false;
   }
   return true;
}

/* Components of the two, one after the other. */
static nir_operand
join_sources(nir_builder *b, const nir_alu_instr *x, const nir_alu_instr *y,
             unsigned i)
{
   const unsigned n = x->instr.result.num_components;
   const unsigned m = y->instr.result.num_components;
   nir_operand s = { 0 };
   nir_const_value v[4];

   for (unsigned c = 0; c < n + m; c++) {
      const nir_operand *from = c < n ? &x->src[i] : &y->src[i];
      const unsigned k = from->swizzle[c < n ? c : c - n];
      if (x->src[i].use.value != y->src[i].use.value)
         v[c] = nir_use_constant(from->use)[k];
      s.swizzle[c] = (uint8_t)k;
   }
   if (x->src[i].use.value == y->src[i].use.value) {
      s.use = nir_use_of(x->src[i].use.value);
      return s;
   }
   for (unsigned c = 0; c < n + m; c++)
      s.swizzle[c] = (uint8_t)c;
   s.use =
      nir_use_of(nir_build_imm(b, n + m, x->src[i].use.value->bit_size, v));
   return s;
}

/* At the place of `x`, which stands before `y`. */
static nir_alu_instr *
join(nir_builder *b, nir_alu_instr *x, nir_alu_instr *y)
{
   const unsigned n = x->instr.result.num_components;
   const unsigned m = y->instr.result.num_components;
   nir_alu_instr *both = nir_new_alu(b->shader, x->op);
   nir_value *whole;

   b->cursor = nir_before_instr(&x->instr);
   for (unsigned i = 0; i < nir_op_infos[x->op].num_inputs; i++)
      both->src[i] = join_sources(b, x, y, i);
   both->exact = x->exact;
   nir_set_result(&both->instr, n + m, x->instr.result.bit_size);
   nir_emit(b, &both->instr);
   whole = &both->instr.result;
   nir_value_replace(&x->instr.result,
                     nir_channels(b, whole,
                                  (nir_component_mask_t)BITFIELD_MASK(n)));
   nir_value_replace(
      &y->instr.result,
      nir_channels(b, whole, (nir_component_mask_t)(BITFIELD_MASK(m) << n)));
   nir_instr_remove(&x->instr);
   nir_instr_remove(&y->instr);
   return both;
}

static bool
vectorize_block(nir_builder *b, nir_block *block,
                const struct d3d_vector_options *o)
{
   nir_alu_instr *seen[WINDOW];
   unsigned next = 0, num = 0;
   bool progress = false;

   nir_foreach_instr_safe(instr, block) {
      if (instr->kind != nir_kind_alu ||
          !is_by_component(nir_instr_as_alu(instr), o))
         continue;
      nir_alu_instr *alu = nir_instr_as_alu(instr);
      unsigned i = 0;
      while (i < num && !are_alike(seen[i], alu))
         i++;
      if (i < num) {
         seen[i] = join(b, seen[i], alu);
         progress = true;
         continue;
      }
      seen[next] = alu;
      next = (next + 1) % WINDOW;
      num = MIN2(num + 1, WINDOW);
   }
   return progress;
}

static bool
vectorize(nir_shader *nir, const struct d3d_vector_options *o)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b;
   bool progress = false;

   nir_builder_init(&b, impl);
   nir_foreach_block(block, impl)
      progress |= vectorize_block(&b, block, o);
   nir_metadata_preserve(impl, nir_metadata_control_flow);
   return progress;
}

/* ---- dot products ---- */

/* A product, or a component of one. */
struct term {
   const nir_alu_instr *mul;
   unsigned comp;
};

/* From the last one that is added to the first. */
struct terms {
   struct term term[4];
   unsigned num;
};

static bool
is_product(const nir_alu_instr *sum, unsigned i, struct term *t)
{
   nir_instr *instr = sum->src[i].use.value->instr;

   if (instr->kind != nir_kind_alu ||
       nir_instr_as_alu(instr)->op != nir_op_fmul)
      return false;
   *t = (struct term) { nir_instr_as_alu(instr), sum->src[i].swizzle[0] };
   return true;
}

/* The sum that a source is, if nothing else reads it. */
static const nir_alu_instr *
rest_of(const nir_alu_instr *sum, unsigned i)
{
   nir_instr *instr = sum->src[i].use.value->instr;

   return instr->kind == nir_kind_alu &&
                nir_instr_as_alu(instr)->op == nir_op_fadd &&
                instr->result.num_components == 1 &&
                nir_value_only_use(sum->src[i].use.value)
             ? nir_instr_as_alu(instr)
             : NULL;
}

/* ((a + b) + c) + d of products. */
static bool
find_terms(const nir_alu_instr *sum, struct terms *t)
{
   for (t->num = 0; t->num < 3;) {
      struct term x = { 0 }, y = { 0 };
      const bool first = is_product(sum, 0, &x);
      const bool second = is_product(sum, 1, &y);
      if (first && second) {
         t->term[t->num++] = y;
         t->term[t->num++] = x;
         return true;
      }
      if (!first && !second)
         return false;
      t->term[t->num++] = first ? x : y;
      sum = rest_of(sum, first ? 1 : 0);
      if (!sum)
         return false;
   }
   return false;
}

/* Fills in the sources of the dot product that the sum is; false: none. */
static bool
match_dot(const nir_alu_instr *sum, nir_operand src[2], unsigned *num)
{
   struct terms t;

   if (sum->op != nir_op_fadd || sum->instr.result.bit_size != 32 ||
       sum->instr.result.num_components != 1 || !find_terms(sum, &t))
      return false;
   const nir_value *x = t.term[0].mul->src[0].use.value;
   const nir_value *y = t.term[0].mul->src[1].use.value;
   if (x->num_components == 1 || y->num_components == 1)
      return false;
   src[0].use = nir_use_of((nir_value *)x);
   src[1].use = nir_use_of((nir_value *)y);
   *num = t.num;
   for (unsigned i = 0; i < t.num; i++) {
      const struct term *m = &t.term[t.num - 1 - i];
      const unsigned k = m->mul->src[0].use.value == x ? 0 : 1;
      if (m->mul->src[k].use.value != x || m->mul->src[!k].use.value != y)
         return false;
      src[0].swizzle[i] = m->mul->src[k].swizzle[m->comp];
      src[1].swizzle[i] = m->mul->src[!k].swizzle[m->comp];
   }
   return true;
}

/* The sum is the beginning of a longer one. */
static bool
goes_on(const nir_alu_instr *sum)
{
   const nir_use *use = nir_value_only_use(&sum->instr.result);
   nir_operand ignored[2];
   unsigned num;

   return use && use->instr && use->instr->kind == nir_kind_alu &&
          match_dot(nir_instr_as_alu(use->instr), ignored, &num);
}

/* Sums of products of components of two values. */
static bool
make_dot(nir_builder *b, nir_instr *instr, void *options)
{
   static const nir_op ops[] = { nir_op_fdot2, nir_op_fdot3, nir_op_fdot4 };
   const struct d3d_vector_options *o = options;
   nir_operand src[2] = { 0 };
   nir_alu_instr *sum, *dot;
   unsigned num;

   if (instr->kind != nir_kind_alu)
      return false;
   sum = nir_instr_as_alu(instr);
   if (!match_dot(sum, src, &num) || num < o->least_dot || goes_on(sum))
      return false;
   b->cursor = nir_before_instr(instr);
   dot = nir_new_alu(b->shader, ops[num - 2]);
   memcpy(dot->src, src, sizeof(src));
   dot->exact = sum->exact;
   nir_set_result(&dot->instr, 1, 32);
   nir_emit(b, &dot->instr);
   nir_instr_replace(&sum->instr, &dot->instr.result);
   return true;
}

static bool
make_dots(nir_shader *nir, const struct d3d_vector_options *o)
{
   return nir_visit_instrs(nir, make_dot, nir_metadata_control_flow,
                           (void *)o);
}

void
d3d_make_vectors(nir_shader *nir, const struct d3d_vector_options *o)
{
   bool progress = true;

   for (unsigned i = 0; progress && i < MAX_ROUNDS; i++) {
      progress = false;
      NIR_PASS(progress, nir, make_dots, o);
      NIR_PASS(progress, nir, nir_opt_dce);
      NIR_PASS(progress, nir, vectorize, o);
      NIR_PASS(progress, nir, nir_copy_prop);
      NIR_PASS(progress, nir, nir_opt_dce);
   }
}
