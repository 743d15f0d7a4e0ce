/* SPDX-License-Identifier: MIT */
/*
 * A ladder of comparisons of an index that ends in inputs of vertices, or
 * in stores to their outputs,
 *
 *    if (i < 2) { if (i < 1) in[0] else in[1] } else in[2]
 *
 * as front ends make of in[i] for machines without such an access, becomes
 * that access again.
 *
 * Before: SSA, inputs and outputs lowered. What an index out of the ladder's
 * range gives stays the same: it is clamped, but for an invocation's number,
 * where there are no more. Inputs do not change, so it does not matter when
 * they are read. Cost: linear in the instructions times the depth of ladders.
 */
#include "nir.h"
#include "nir_builder.h"
#include "nir_instr_set.h"

#define MIN_VERTICES 3
#define MAX_INVOCATIONS 32
#define MAX_DEPTH 16

/* Component `comp` of a load, or a store, for an index from `first` to
 * `last` of its vertex; `index` NULL: of one vertex. */
struct rung {
   nir_ssa_def *index;
   unsigned index_comp;
   uint64_t first, last;
   nir_intrinsic_instr *io;
   unsigned comp;
};

static bool
same_src(const nir_src *a, const nir_src *b)
{
   if (nir_src_is_const(*a) && nir_src_is_const(*b))
      return nir_src_as_uint(*a) == nir_src_as_uint(*b);
   return a->is_ssa && b->is_ssa && a->ssa == b->ssa;
}

/* Vectors: each rung may make its own of the same values. */
static const nir_instr *
made_vector(const nir_ssa_def *def)
{
   const nir_instr *from = def->parent_instr;
   return from->type == nir_instr_type_alu &&
                nir_op_is_vec(nir_instr_as_alu((nir_instr *)from)->op)
             ? from
             : NULL;
}

static bool
same_value(const nir_intrinsic_instr *x, const nir_intrinsic_instr *y)
{
   if (x->intrinsic == nir_intrinsic_store_per_vertex_output) {
      if (!x->src[0].is_ssa || !y->src[0].is_ssa)
         return false;
      const nir_instr *v = made_vector(x->src[0].ssa);
      const nir_instr *w = made_vector(y->src[0].ssa);
      return x->src[0].ssa == y->src[0].ssa ||
             (v && w && nir_instrs_equal(v, w));
   }
   return x->dest.ssa.num_components == y->dest.ssa.num_components &&
          x->dest.ssa.bit_size == y->dest.ssa.bit_size;
}

/* But for the vertex. */
static bool
same_place(const struct rung *a, const struct rung *b)
{
   nir_intrinsic_instr *x = a->io, *y = b->io;

   return a->comp == b->comp && x->intrinsic == y->intrinsic &&
          same_value(x, y) &&
          !memcmp(x->const_index, y->const_index, sizeof(x->const_index)) &&
          same_src(nir_get_io_offset_src(x), nir_get_io_offset_src(y));
}

static bool resolve(nir_ssa_def *def, unsigned comp, struct rung *out,
                    unsigned depth);

/* `low` for an index below a constant, `high` for all others. */
static bool
join(nir_ssa_def *cond, unsigned cond_comp, struct rung *low,
     struct rung *high, struct rung *out)
{
   if (cond->parent_instr->type != nir_instr_type_alu)
      return false;
   nir_alu_instr *cmp = nir_instr_as_alu(cond->parent_instr);

   if ((cmp->op != nir_op_ilt && cmp->op != nir_op_ige) ||
       !cmp->src[0].src.is_ssa || !nir_src_is_const(cmp->src[1].src) ||
       nir_src_bit_size(cmp->src[0].src) != 32)
      return false;
   if (cmp->op == nir_op_ige) {
      struct rung *t = low;
      low = high;
      high = t;
   }
   const int64_t at =
      nir_src_comp_as_int(cmp->src[1].src, cmp->src[1].swizzle[cond_comp]);

   *out = *low;
   out->index = cmp->src[0].src.ssa;
   out->index_comp = cmp->src[0].swizzle[cond_comp];
   out->last = high->last;
   for (unsigned i = 0; i < 2; i++) {
      const struct rung *r = i ? high : low;
      if (r->index &&
          (r->index != out->index || r->index_comp != out->index_comp))
         return false;
   }
   return (int64_t)high->first == at && low->last + 1 == high->first &&
          same_place(low, high);
}

static bool
resolve_phi(nir_phi_instr *phi, unsigned comp, struct rung *out,
            unsigned depth)
{
   nir_cf_node *before = nir_cf_node_prev(&phi->instr.block->cf_node);
   struct rung side[2];
   unsigned found = 0;

   if (!before || before->type != nir_cf_node_if)
      return false;
   nir_if *nif = nir_cf_node_as_if(before);
   nir_foreach_phi_src(src, phi) {
      const unsigned i = src->pred != nir_if_last_then_block(nif);
      if (!src->src.is_ssa ||
          !resolve(src->src.ssa, comp, &side[i], depth + 1))
         return false;
      found |= 1u << i;
   }
   return found == 3 && nif->condition.is_ssa &&
          join(nif->condition.ssa, 0, &side[0], &side[1], out);
}

static bool
resolve_alu(nir_alu_instr *alu, unsigned comp, struct rung *out,
            unsigned depth)
{
   struct rung side[2];

   if (nir_op_is_vec(alu->op))
      return alu->src[comp].src.is_ssa &&
             resolve(alu->src[comp].src.ssa, alu->src[comp].swizzle[0], out,
                     depth + 1);
   if (alu->op != nir_op_bcsel || !alu->src[0].src.is_ssa)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      const nir_alu_src *src = &alu->src[1 + i];
      if (!src->src.is_ssa ||
          !resolve(src->src.ssa, src->swizzle[comp], &side[i], depth + 1))
         return false;
   }
   return join(alu->src[0].src.ssa, alu->src[0].swizzle[comp], &side[0],
               &side[1], out);
}

static bool
resolve(nir_ssa_def *def, unsigned comp, struct rung *out, unsigned depth)
{
   nir_instr *from = def->parent_instr;

   if (depth > MAX_DEPTH)
      return false;
   switch (from->type) {
   case nir_instr_type_intrinsic: {
      nir_intrinsic_instr *load = nir_instr_as_intrinsic(from);
      if (load->intrinsic != nir_intrinsic_load_per_vertex_input ||
          !nir_src_is_const(load->src[0]))
         return false;
      const uint64_t vertex = nir_src_as_uint(load->src[0]);
      *out = (struct rung) {
         .first = vertex, .last = vertex, .io = load, .comp = comp
      };
      return true;
   }
   case nir_instr_type_alu:
      return resolve_alu(nir_instr_as_alu(from), comp, out, depth);
   case nir_instr_type_phi:
      return resolve_phi(nir_instr_as_phi(from), comp, out, depth);
   default: return false;
   }
}

/* A number that the index is below, whatever the program does. */
static uint64_t
bound(const nir_shader *shader, const nir_ssa_def *index)
{
   const nir_instr *from = index->parent_instr;
   const unsigned n = shader->info.stage == MESA_SHADER_TESS_CTRL
                         ? shader->info.tess.tcs_vertices_out
                         : 0;

   if (from->type != nir_instr_type_intrinsic ||
       nir_instr_as_intrinsic((nir_instr *)from)->intrinsic !=
          nir_intrinsic_load_invocation_id)
      return UINT64_MAX;
   return n ? n : MAX_INVOCATIONS;
}

static nir_ssa_def *
clamped(nir_builder *b, const struct rung *r)
{
   nir_ssa_def *index = nir_channel(b, r->index, r->index_comp);

   if (r->first == 0 && r->last + 1 >= bound(b->shader, r->index))
      return index;
   index = nir_imax(b, index, nir_imm_int(b, (int)r->first));
   return nir_imin(b, index, nir_imm_int(b, (int)r->last));
}

/* What is stored, at the cursor: what a vector is made of is there, since all
 * rungs have it. */
static nir_ssa_def *
stored_value(nir_builder *b, const nir_intrinsic_instr *like)
{
   const nir_instr *vec = made_vector(like->src[0].ssa);
   if (!vec)
      return like->src[0].ssa;
   nir_instr *copy = nir_instr_clone(b->shader, vec);
   nir_builder_instr_insert(b, copy);
   return nir_instr_ssa_def(copy);
}

/* One whole access at the cursor. */
static nir_intrinsic_instr *
access_indexed(nir_builder *b, const struct rung *r)
{
   const nir_intrinsic_instr *like = r->io;
   const bool stores = like->intrinsic ==
                       nir_intrinsic_store_per_vertex_output;
   nir_intrinsic_instr *io =
      nir_intrinsic_instr_create(b->shader, like->intrinsic);
   const nir_src *offset = &like->src[stores ? 2 : 1];

   io->num_components = like->num_components;
   if (stores)
      io->src[0] = nir_src_for_ssa(stored_value(b, like));
   io->src[stores ? 1 : 0] = nir_src_for_ssa(clamped(b, r));
   io->src[stores ? 2 : 1] = nir_src_for_ssa(
      nir_src_is_const(*offset) ? nir_imm_int(b, (int)nir_src_as_int(*offset))
                                : offset->ssa);
   memcpy(io->const_index, like->const_index, sizeof(io->const_index));
   if (!stores)
      nir_ssa_dest_init(&io->instr, &io->dest, like->dest.ssa.num_components,
                        like->dest.ssa.bit_size, NULL);
   nir_builder_instr_insert(b, &io->instr);
   return io;
}

/* All components must come of the same ladder. */
static bool
reroll(nir_builder *b, nir_ssa_def *def)
{
   nir_instr *from = def->parent_instr;
   unsigned swizzle[NIR_MAX_VEC_COMPONENTS];
   struct rung first, other;

   if (!resolve(def, 0, &first, 0) || !first.index ||
       first.last - first.first + 1 < MIN_VERTICES)
      return false;
   swizzle[0] = first.comp;
   for (unsigned c = 1; c < def->num_components; c++) {
      if (!resolve(def, c, &other, 0) || other.index != first.index ||
          other.first != first.first || other.last != first.last)
         return false;
      swizzle[c] = other.comp;
      other.comp = first.comp;
      if (!same_place(&first, &other))
         return false;
   }
   b->cursor = from->type == nir_instr_type_phi ? nir_after_phis(from->block)
                                                : nir_before_instr(from);
   nir_ssa_def *whole = &access_indexed(b, &first)->dest.ssa;
   nir_ssa_def_rewrite_uses(def, nir_swizzle(b, whole, swizzle,
                                             def->num_components));
   return true;
}

static bool
may_be_top(const nir_instr *instr)
{
   return instr->type == nir_instr_type_phi ||
          (instr->type == nir_instr_type_alu &&
           nir_instr_as_alu((nir_instr *)instr)->op == nir_op_bcsel);
}

/* From the end, so that a whole ladder comes before its parts, which are
 * then unused. */
static bool
run_loads(nir_function_impl *impl)
{
   bool progress = false;
   nir_builder b;

   nir_builder_init(&b, impl);
   nir_foreach_block_reverse(block, impl) {
      nir_foreach_instr_reverse_safe(instr, block) {
         nir_ssa_def *def = may_be_top(instr) ? nir_instr_ssa_def(instr)
                                              : NULL;
         if (!def)
            continue;
         if (nir_ssa_def_is_unused(def)) {
            if (progress)
               nir_instr_remove(instr);
         } else if (reroll(&b, def)) {
            nir_instr_remove(instr);
            progress = true;
         }
      }
   }
   nir_metadata_preserve(impl, progress ? nir_metadata_control_flow
                                        : nir_metadata_all);
   return progress;
}

/* ---- stores ---- */

static bool
resolve_block(const nir_block *block, struct rung *out, bool *found)
{
   nir_foreach_instr(instr, block) {
      switch (instr->type) {
      case nir_instr_type_load_const:
      case nir_instr_type_ssa_undef:
      case nir_instr_type_alu: continue;
      case nir_instr_type_intrinsic: break;
      default: return false;
      }
      nir_intrinsic_instr *store = nir_instr_as_intrinsic(instr);
      if (store->intrinsic != nir_intrinsic_store_per_vertex_output ||
          *found || !nir_src_is_const(store->src[1]))
         return false;
      const uint64_t vertex = nir_src_as_uint(store->src[1]);
      *out = (struct rung) { .first = vertex, .last = vertex, .io = store };
      *found = true;
   }
   return true;
}

/* A list whose one effect is a store, or a ladder of such. */
static bool
resolve_stores(struct list_head *list, struct rung *out, unsigned depth)
{
   struct rung side[2];
   bool found = false;

   if (depth > MAX_DEPTH)
      return false;
   for (nir_cf_node *node = nir_cf_list_first(list); node;
        node = nir_cf_node_next(node)) {
      if (node->type == nir_cf_node_block) {
         if (!resolve_block(nir_cf_node_as_block(node), out, &found))
            return false;
         continue;
      }
      if (node->type != nir_cf_node_if || found)
         return false;
      nir_if *nif = nir_cf_node_as_if(node);
      if (!nif->condition.is_ssa ||
          !resolve_stores(&nif->then_list, &side[0], depth + 1) ||
          !resolve_stores(&nif->else_list, &side[1], depth + 1) ||
          !join(nif->condition.ssa, 0, &side[0], &side[1], out))
         return false;
      found = true;
   }
   return found;
}

static bool
reroll_stores(nir_builder *b, nir_if *nif)
{
   const nir_block *next =
      nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
   const nir_instr *follows = nir_block_first_instr(next);
   struct rung side[2], all;

   if ((follows && follows->type == nir_instr_type_phi) ||
       !nif->condition.is_ssa ||
       !resolve_stores(&nif->then_list, &side[0], 0) ||
       !resolve_stores(&nif->else_list, &side[1], 0) ||
       !join(nif->condition.ssa, 0, &side[0], &side[1], &all))
      return false;
   b->cursor = nir_before_cf_node(&nif->cf_node);
   access_indexed(b, &all);
   nir_cf_node_remove(&nif->cf_node);
   return true;
}

/* Whole ladders first. */
static bool
run_list(nir_builder *b, struct list_head *list)
{
   bool progress = false;

   for (nir_cf_node *node = nir_cf_list_first(list), *next; node;
        node = next) {
      next = nir_cf_node_next(node);
      if (node->type == nir_cf_node_loop) {
         progress |= run_list(b, &nir_cf_node_as_loop(node)->body);
      } else if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         /* The block after is merged into the one in front. */
         nir_cf_node *after = nir_cf_node_next(next);
         if (reroll_stores(b, nif)) {
            progress = true;
            next = after;
         } else {
            progress |= run_list(b, &nif->then_list);
            progress |= run_list(b, &nif->else_list);
         }
      }
   }
   return progress;
}

static bool
run_stores(nir_function_impl *impl)
{
   nir_builder b;

   nir_builder_init(&b, impl);
   const bool progress = run_list(&b, &impl->body);
   nir_metadata_preserve(impl,
                         progress ? nir_metadata_none : nir_metadata_all);
   return progress;
}

bool
nir_opt_reroll_io(nir_shader *shader)
{
   bool progress = false;

   nir_foreach_function(function, shader) {
      if (function->impl) {
         progress |= run_loads(function->impl);
         progress |= run_stores(function->impl);
      }
   }
   return progress;
}
