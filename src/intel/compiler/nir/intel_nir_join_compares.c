/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of one component each, of which all are to be true or any is,
 * become one of vectors, which the vector back end has: what all(equal(a, b))
 * was before somebody took it apart.
 *
 *    iand(iand(feq a.x b.x, feq a.y b.y), c)
 *       -> iand(ball_fequal2 a.xy b.xy, c)
 *
 * and with ior, fneu. Either side is one vector, or constants, or uniforms,
 * which lie beside each other where they are.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

#define MAX_LEAVES 32

struct tree {
   nir_op join; /* iand, ior */
   nir_value *leaves[MAX_LEAVES];
   unsigned count;
};

static nir_alu_instr *
alu_of(const nir_value *def)
{
   return def->instr->kind == nir_kind_alu ? nir_instr_as_alu(def->instr)
                                           : NULL;
}

static bool
is_joint(const nir_alu_instr *alu)
{
   return (alu->op == nir_op_iand || alu->op == nir_op_ior) &&
          alu->instr.result.bit_size == 1 &&
          alu->instr.result.num_components == 1;
}

/* Whether only another joint of the same kind reads it. */
static bool
is_inner(const nir_alu_instr *alu)
{
   const nir_use *use = nir_value_only_use(&alu->instr.result);
   const nir_alu_instr *reader = use && use->instr ? nir_maybe_alu(use->instr)
                                                   : NULL;
   return reader && is_joint(reader) && reader->op == alu->op;
}

static bool
collect(struct tree *t, const nir_alu_instr *joint)
{
   for (unsigned i = 0; i < 2; i++) {
      nir_value *def = joint->src[i].use.value;
      const nir_alu_instr *alu = alu_of(def);

      if (def->num_components != 1 || t->count == MAX_LEAVES)
         return false;
      if (alu && alu->op == joint->op && is_joint(alu) && is_inner(alu)) {
         if (!collect(t, alu))
            return false;
      } else {
         t->leaves[t->count++] = def;
      }
   }
   return true;
}

/* The comparison of vectors of `n` that `join` makes of these; num_opcodes:
 * there is none. */
static nir_op
joined_op(nir_op join, nir_op compare, unsigned n)
{
   static const nir_op ops[4][3] = {
      { nir_op_ball_fequal2, nir_op_ball_fequal3, nir_op_ball_fequal4 },
      { nir_op_ball_iequal2, nir_op_ball_iequal3, nir_op_ball_iequal4 },
      { nir_op_bany_fnequal2, nir_op_bany_fnequal3, nir_op_bany_fnequal4 },
      { nir_op_bany_inequal2, nir_op_bany_inequal3, nir_op_bany_inequal4 },
   };
   const bool all = join == nir_op_iand;
   const nir_op f = all ? nir_op_feq : nir_op_fneu;
   const nir_op i = all ? nir_op_ieq : nir_op_ine;

   if (compare != f && compare != i)
      return nir_num_opcodes;
   return ops[2 * !all + (compare == i)][n - 2];
}

static bool
is_uniform_load(const nir_value *def)
{
   if (def->instr->kind != nir_kind_intrinsic)
      return false;
   switch (nir_instr_as_intrinsic(def->instr)->intrinsic) {
   case nir_intrinsic_load_ubo:
   case nir_intrinsic_load_push_constant: return true;
   default: return false;
   }
}

/* Whether the two can be components of one register. */
static bool
go_together(const nir_operand *a, const nir_operand *b)
{
   return a->use.value == b->use.value ||
          (nir_use_is_const(a->use) && nir_use_is_const(b->use)) ||
          (is_uniform_load(a->use.value) && is_uniform_load(b->use.value));
}

static bool
is_comparison(const struct tree *t, const nir_alu_instr *alu)
{
   if (!alu || joined_op(t->join, alu->op, 2) == nir_num_opcodes)
      return false;
   const unsigned bits = alu->src[0].use.value->bit_size;
   return bits == 1 || bits == 32 ||
          (bits == 64 && (alu->op == nir_op_feq || alu->op == nir_op_fneu));
}

/* Up to four leaves that go with leaf `first`, itself among them; `swapped`:
 * whose sources are to change places. */
static unsigned
find_group(const struct tree *t, unsigned first, unsigned group[4],
           bool swapped[4])
{
   const nir_alu_instr *a = alu_of(t->leaves[first]);
   unsigned n = 0;

   if (!is_comparison(t, a))
      return 0;
   for (unsigned i = first; i < t->count && n < 4; i++) {
      const nir_alu_instr *b = t->leaves[i] ? alu_of(t->leaves[i]) : NULL;

      if (!b || b->op != a->op || !is_comparison(t, b) ||
          a->src[0].use.value->bit_size != b->src[0].use.value->bit_size)
         continue;
      const bool straight = go_together(&a->src[0], &b->src[0]) &&
                            go_together(&a->src[1], &b->src[1]);
      if (!straight && !(go_together(&a->src[0], &b->src[1]) &&
                         go_together(&a->src[1], &b->src[0])))
         continue;
      swapped[n] = !straight;
      group[n++] = i;
   }
   return n;
}

/* Source `side` of the joined comparison. */
static nir_value *
gather(nir_builder *b, const struct tree *t, const unsigned *group,
       const bool *swapped, unsigned n, unsigned side)
{
   nir_value *comps[4];

   for (unsigned i = 0; i < n; i++) {
      const nir_operand *src =
         &alu_of(t->leaves[group[i]])->src[swapped[i] ? !side : side];
      comps[i] = nir_channel(b, src->use.value, src->swizzle[0]);
   }
   return nir_vec(b, comps, n);
}

static bool
join_tree(nir_builder *b, nir_alu_instr *root)
{
   struct tree t = { .join = root->op };
   nir_value *result = NULL;
   bool progress = false;

   if (!collect(&t, root))
      return false;
   b->cursor = nir_before_instr(&root->instr);
   for (unsigned first = 0; first < t.count; first++) {
      unsigned group[4];
      bool swapped[4];

      if (!t.leaves[first])
         continue;
      const unsigned n = find_group(&t, first, group, swapped);
      if (n < 2)
         continue;
      const nir_op op = joined_op(t.join, alu_of(t.leaves[first])->op, n);
      nir_value *joined = nir_build_alu2(b, op,
                                         gather(b, &t, group, swapped, n, 0),
                                         gather(b, &t, group, swapped, n, 1));
      for (unsigned i = 0; i < n; i++)
         t.leaves[group[i]] = NULL;
      t.leaves[first] = joined;
      progress = true;
   }
   if (!progress)
      return false;
   for (unsigned i = 0; i < t.count; i++) {
      if (t.leaves[i])
         result = result ? nir_build_alu2(b, t.join, result, t.leaves[i])
                         : t.leaves[i];
   }
   nir_instr_replace(&root->instr, result);
   return true;
}

static bool
join_at(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   return is_joint(alu) && !is_inner(alu) && join_tree(b, alu);
}

bool
intel_nir_join_compares(nir_shader *nir)
{
   return nir_visit_instrs(nir, join_at, nir_metadata_control_flow, NULL);
}
