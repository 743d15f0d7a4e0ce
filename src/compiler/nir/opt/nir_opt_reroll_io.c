/* SPDX-License-Identifier: MIT */
/*
 * A ladder of comparisons of an index that ends in inputs of vertices or
 * patches, in loads of outputs that are memory, or in stores to them,
 *
 *    if (i < 2) { if (i < 1) in[0] else in[1] } else in[2]
 *
 * as front ends make of in[i] for machines without such an access, becomes
 * that access again. The index is that of a vertex, or of an array of slots,
 * though each rung may have a variable of its own; with two indices there is
 * a ladder of ladders.
 *
 * Before: SSA, inputs and outputs lowered. What an index out of the ladder's
 * range gives stays the same: it is clamped, but for an invocation's number,
 * where there are no more. Inputs do not change, so it does not matter when
 * they are read; outputs that are read must not be written in between. Cost:
 * linear in the instructions times the depth of ladders.
 */
#include "nir.h"
#include "nir_builder.h"
#include "nir_instr_set.h"

#define MIN_LOADS 3
#define MAX_INVOCATIONS 32
#define MAX_DEPTH 16
#define MAX_SLOTS 32 /* of an access: nir_io_semantics has six bits */

enum which { VERTEX, SLOT, DIMS };

/* Places (vertices, locations) in a row, `place` for index `first`; `index`
 * NULL: one place, whatever the index. */
struct dim {
   nir_ssa_def *index;
   unsigned index_comp;
   int64_t first, last, place;
};

/* Component `comp` of a load, or a store. */
struct rung {
   struct dim dim[DIMS];
   nir_intrinsic_instr *io; /* at the first place */
   unsigned comp;
};

static bool
same_src(const nir_src *a, const nir_src *b)
{
   if (nir_src_is_const(*a) && nir_src_is_const(*b))
      return true; /* a place, then */
   return a->is_ssa && b->is_ssa && a->ssa == b->ssa;
}

static bool
is_store(const nir_intrinsic_instr *io)
{
   return io->intrinsic == nir_intrinsic_store_per_vertex_output ||
          io->intrinsic == nir_intrinsic_store_output;
}

static bool
loads_output(const nir_intrinsic_instr *io)
{
   return io->intrinsic == nir_intrinsic_load_per_vertex_output ||
          io->intrinsic == nir_intrinsic_load_output;
}

/* Those that are memory, whose place can be an expression. */
static bool
is_indexable(const nir_shader *shader, const nir_intrinsic_instr *io)
{
   switch (io->intrinsic) {
   case nir_intrinsic_load_per_vertex_input: return true;
   case nir_intrinsic_load_input:
      return shader->info.stage == MESA_SHADER_TESS_EVAL;
   case nir_intrinsic_load_output:
   case nir_intrinsic_load_per_vertex_output:
   case nir_intrinsic_store_output:
   case nir_intrinsic_store_per_vertex_output:
      return shader->info.stage == MESA_SHADER_TESS_CTRL;
   default: return false;
   }
}

/* Vectors and constants: each rung may make its own, of the same values. */
static const nir_instr *
made_in_place(const nir_ssa_def *def)
{
   const nir_instr *from = def->parent_instr;
   const bool vector = from->type == nir_instr_type_alu &&
                       nir_op_is_vec(nir_instr_as_alu((nir_instr *)from)->op);

   return vector || from->type == nir_instr_type_load_const ? from : NULL;
}

static bool
same_value(const nir_intrinsic_instr *x, const nir_intrinsic_instr *y)
{
   if (is_store(x)) {
      if (!x->src[0].is_ssa || !y->src[0].is_ssa)
         return false;
      const nir_instr *v = made_in_place(x->src[0].ssa);
      const nir_instr *w = made_in_place(y->src[0].ssa);
      return x->src[0].ssa == y->src[0].ssa ||
             (v && w && nir_instrs_equal(v, w));
   }
   return x->dest.ssa.num_components == y->dest.ssa.num_components &&
          x->dest.ssa.bit_size == y->dest.ssa.bit_size;
}

/* All that is said of an access but where it is. */
static bool
same_indices(const nir_intrinsic_instr *x, const nir_intrinsic_instr *y)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[x->intrinsic];
   nir_io_semantics p = nir_intrinsic_io_semantics(x);
   nir_io_semantics q = nir_intrinsic_io_semantics(y);

   p.location = q.location = 0;
   if (memcmp(&p, &q, sizeof(p)))
      return false;
   for (unsigned i = 0; i < info->num_indices; i++) {
      if (info->indices[i] != NIR_INTRINSIC_BASE &&
          info->indices[i] != NIR_INTRINSIC_IO_SEMANTICS &&
          x->const_index[i] != y->const_index[i])
         return false;
   }
   return true;
}

/* But for the places. */
static bool
same_access(const struct rung *a, const struct rung *b)
{
   nir_intrinsic_instr *x = a->io, *y = b->io;
   const nir_src *v = nir_get_io_arrayed_index_src(x);

   return a->comp == b->comp && x->intrinsic == y->intrinsic &&
          same_value(x, y) && same_indices(x, y) &&
          same_src(nir_get_io_offset_src(x), nir_get_io_offset_src(y)) &&
          (!v || same_src(v, nir_get_io_arrayed_index_src(y)));
}

static bool
same_dim(const struct dim *a, const struct dim *b)
{
   return a->index == b->index && a->index_comp == b->index_comp &&
          a->first == b->first && a->last == b->last && a->place == b->place;
}

static int64_t
last_place(const struct dim *d)
{
   return d->place + d->last - d->first;
}

static bool
find_rung(const nir_shader *shader, nir_intrinsic_instr *io, unsigned comp,
          struct rung *out)
{
   const nir_src *vertex, *offset;

   if (!is_indexable(shader, io))
      return false;
   vertex = nir_get_io_arrayed_index_src(io);
   offset = nir_get_io_offset_src(io);
   *out = (struct rung) { .io = io, .comp = comp };
   if (vertex && nir_src_is_const(*vertex))
      out->dim[VERTEX].place = nir_src_as_int(*vertex);
   out->dim[SLOT].place = nir_intrinsic_io_semantics(io).location;
   if (nir_src_is_const(*offset))
      out->dim[SLOT].place += nir_src_as_int(*offset);
   return true;
}

/* Slots have the order of their locations. */
static bool
are_generic(int64_t first, int64_t last)
{
   return last - first < MAX_SLOTS &&
          ((first >= VARYING_SLOT_VAR0 && last <= VARYING_SLOT_VAR31) ||
           (first >= VARYING_SLOT_PATCH0 && last < VARYING_SLOT_TESS_MAX));
}

/* `low` below index `at`, `high` from there on. */
static bool
join_dim(enum which which, nir_ssa_def *index, unsigned index_comp,
         int64_t at, struct dim low, struct dim high, struct dim *out)
{
   if (!low.index) {
      low.first = low.last = at - 1;
   } else if (low.index != index || low.index_comp != index_comp) {
      return false;
   }
   if (!high.index) {
      high.first = high.last = at;
   } else if (high.index != index || high.index_comp != index_comp) {
      return false;
   }
   *out = low;
   out->index = index;
   out->index_comp = index_comp;
   out->last = high.last;
   return low.last + 1 == at && high.first == at &&
          high.place == last_place(&low) + 1 &&
          (which == VERTEX || are_generic(low.place, last_place(&high)));
}

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

   if (!same_access(low, high))
      return false;
   *out = *low;
   for (enum which i = 0; i < DIMS; i++) {
      if (same_dim(&low->dim[!i], &high->dim[!i]))
         return join_dim(i, cmp->src[0].src.ssa,
                         cmp->src[0].swizzle[cond_comp], at, low->dim[i],
                         high->dim[i], &out->dim[i]);
   }
   return false;
}

/* ---- loads ---- */

static bool
is_quiet(const nir_instr *instr)
{
   if (instr->type == nir_instr_type_call)
      return false;
   return instr->type != nir_instr_type_intrinsic ||
          (nir_intrinsic_infos[nir_instr_as_intrinsic((nir_instr *)instr)
                                  ->intrinsic]
              .flags &
           NIR_INTRINSIC_CAN_ELIMINATE);
}

/* Nothing is written, and no barrier passed. */
static bool
is_quiet_list(struct list_head *list)
{
   for (nir_cf_node *node = nir_cf_list_first(list); node;
        node = nir_cf_node_next(node)) {
      if (node->type == nir_cf_node_if) {
         nir_if *nif = nir_cf_node_as_if(node);
         if (!is_quiet_list(&nif->then_list) ||
             !is_quiet_list(&nif->else_list))
            return false;
         continue;
      }
      if (node->type != nir_cf_node_block)
         return false;
      nir_foreach_instr(instr, nir_cf_node_as_block(node)) {
         if (!is_quiet(instr))
            return false;
      }
   }
   return true;
}

/* From a load in the same block to its user. */
static bool
is_quiet_between(const nir_instr *load, const nir_instr *user)
{
   const nir_instr *i = load;

   if (load->block != user->block)
      return false;
   while (i && i != user && is_quiet(i))
      i = nir_instr_next((nir_instr *)i);
   return i == user;
}

static bool resolve(const nir_shader *shader, nir_ssa_def *def, unsigned comp,
                    struct rung *out, unsigned depth);

static bool
resolve_phi(const nir_shader *shader, nir_phi_instr *phi, unsigned comp,
            struct rung *out, unsigned depth)
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
          !resolve(shader, src->src.ssa, comp, &side[i], depth + 1))
         return false;
      found |= 1u << i;
   }
   if (found != 3 || !nif->condition.is_ssa ||
       !join(nif->condition.ssa, 0, &side[0], &side[1], out))
      return false;
   return !loads_output(out->io) ||
          (is_quiet_list(&nif->then_list) && is_quiet_list(&nif->else_list));
}

static bool
resolve_alu(const nir_shader *shader, nir_alu_instr *alu, unsigned comp,
            struct rung *out, unsigned depth)
{
   struct rung side[2];

   if (nir_op_is_vec(alu->op))
      return alu->src[comp].src.is_ssa &&
             resolve(shader, alu->src[comp].src.ssa,
                     alu->src[comp].swizzle[0], out, depth + 1);
   if (alu->op == nir_op_mov)
      return alu->src[0].src.is_ssa &&
             resolve(shader, alu->src[0].src.ssa, alu->src[0].swizzle[comp],
                     out, depth + 1);
   if (alu->op != nir_op_bcsel || !alu->src[0].src.is_ssa)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      const nir_alu_src *src = &alu->src[1 + i];
      if (!src->src.is_ssa ||
          !resolve(shader, src->src.ssa, src->swizzle[comp], &side[i],
                   depth + 1))
         return false;
      if (loads_output(side[i].io) &&
          !is_quiet_between(&side[i].io->instr, &alu->instr))
         return false;
   }
   return join(alu->src[0].src.ssa, alu->src[0].swizzle[comp], &side[0],
               &side[1], out);
}

static bool
resolve(const nir_shader *shader, nir_ssa_def *def, unsigned comp,
        struct rung *out, unsigned depth)
{
   nir_instr *from = def->parent_instr;

   if (depth > MAX_DEPTH)
      return false;
   switch (from->type) {
   case nir_instr_type_intrinsic: {
      nir_intrinsic_instr *load = nir_instr_as_intrinsic(from);
      return find_rung(shader, load, comp, out);
   }
   case nir_instr_type_alu:
      return resolve_alu(shader, nir_instr_as_alu(from), comp, out, depth);
   case nir_instr_type_phi:
      return resolve_phi(shader, nir_instr_as_phi(from), comp, out, depth);
   default: return false;
   }
}

/* A number that the index is below, whatever the program does. */
static int64_t
bound(const nir_shader *shader, const nir_ssa_def *index)
{
   const nir_instr *from = index->parent_instr;
   const unsigned n = shader->info.stage == MESA_SHADER_TESS_CTRL
                         ? shader->info.tess.tcs_vertices_out
                         : 0;

   if (from->type != nir_instr_type_intrinsic ||
       nir_instr_as_intrinsic((nir_instr *)from)->intrinsic !=
          nir_intrinsic_load_invocation_id)
      return INT64_MAX;
   return n ? n : MAX_INVOCATIONS;
}

static nir_ssa_def *
clamped(nir_builder *b, const struct dim *d)
{
   nir_ssa_def *index = nir_channel(b, d->index, d->index_comp);

   if (d->first == 0 && d->last + 1 >= bound(b->shader, d->index))
      return index;
   index = nir_imax(b, index, nir_imm_int(b, (int)d->first));
   return nir_imin(b, index, nir_imm_int(b, (int)d->last));
}

/* Where the index points to, less `base`. */
static nir_ssa_def *
place(nir_builder *b, const struct dim *d, int64_t base)
{
   const int64_t add = d->place - d->first - base;
   nir_ssa_def *at = clamped(b, d);

   return add ? nir_iadd(b, at, nir_imm_int(b, (int)add)) : at;
}

/* A source as that of the access, or the dimension's own. */
static nir_src
place_src(nir_builder *b, const struct dim *d, int64_t base,
          const nir_src *like)
{
   const bool fixed = nir_src_is_const(*like);

   if (!d->index)
      return nir_src_for_ssa(fixed ? nir_imm_int(b, (int)(d->place - base))
                                   : like->ssa);
   nir_ssa_def *at = place(b, d, base);
   return nir_src_for_ssa(fixed ? at : nir_iadd(b, at, like->ssa));
}

/* What is stored, at the cursor: what it is made of is there, since all rungs
 * have it. */
static nir_ssa_def *
stored_value(nir_builder *b, const nir_intrinsic_instr *like)
{
   const nir_instr *own = made_in_place(like->src[0].ssa);
   if (!own)
      return like->src[0].ssa;
   nir_instr *copy = nir_instr_clone(b->shader, own);
   nir_builder_instr_insert(b, copy);
   return nir_instr_ssa_def(copy);
}

/* One whole access at the cursor. */
static nir_intrinsic_instr *
access_indexed(nir_builder *b, const struct rung *r)
{
   nir_intrinsic_instr *like = r->io;
   const struct dim *slots = &r->dim[SLOT];
   const nir_src *vertex = nir_get_io_arrayed_index_src(like);
   nir_io_semantics sem = nir_intrinsic_io_semantics(like);
   nir_intrinsic_instr *io =
      nir_intrinsic_instr_create(b->shader, like->intrinsic);
   unsigned n = 0;

   io->num_components = like->num_components;
   if (is_store(like))
      io->src[n++] = nir_src_for_ssa(stored_value(b, like));
   if (vertex)
      io->src[n++] = place_src(b, &r->dim[VERTEX], 0, vertex);
   io->src[n] =
      place_src(b, slots, sem.location, nir_get_io_offset_src(like));
   memcpy(io->const_index, like->const_index, sizeof(io->const_index));
   sem.num_slots += (unsigned)(last_place(slots) - slots->place);
   nir_intrinsic_set_io_semantics(io, sem);
   if (!is_store(like))
      nir_ssa_dest_init(&io->instr, &io->dest, like->dest.ssa.num_components,
                        like->dest.ssa.bit_size, NULL);
   nir_builder_instr_insert(b, &io->instr);
   return io;
}

static int64_t
rungs(const struct rung *r)
{
   int64_t n = 1;

   for (enum which i = 0; i < DIMS; i++)
      n *= r->dim[i].last - r->dim[i].first + 1;
   return n;
}

/* All components must come of the same ladder. */
static bool
reroll(nir_builder *b, nir_ssa_def *def)
{
   nir_instr *from = def->parent_instr;
   unsigned swizzle[NIR_MAX_VEC_COMPONENTS];
   struct rung first, other;

   if (!resolve(b->shader, def, 0, &first, 0) || rungs(&first) < MIN_LOADS)
      return false;
   swizzle[0] = first.comp;
   for (unsigned c = 1; c < def->num_components; c++) {
      if (!resolve(b->shader, def, c, &other, 0) ||
          !same_dim(&other.dim[VERTEX], &first.dim[VERTEX]) ||
          !same_dim(&other.dim[SLOT], &first.dim[SLOT]))
         return false;
      swizzle[c] = other.comp;
      other.comp = first.comp;
      if (!same_access(&first, &other))
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
resolve_block(const nir_shader *shader, const nir_block *block,
              struct rung *out, bool *found)
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
      if (!is_store(store) || *found || !find_rung(shader, store, 0, out))
         return false;
      *found = true;
   }
   return true;
}

/* A list whose one effect is a store, or a ladder of such. */
static bool
resolve_stores(const nir_shader *shader, struct list_head *list,
               struct rung *out, unsigned depth)
{
   struct rung side[2];
   bool found = false;

   if (depth > MAX_DEPTH)
      return false;
   for (nir_cf_node *node = nir_cf_list_first(list); node;
        node = nir_cf_node_next(node)) {
      if (node->type == nir_cf_node_block) {
         if (!resolve_block(shader, nir_cf_node_as_block(node), out, &found))
            return false;
         continue;
      }
      if (node->type != nir_cf_node_if || found)
         return false;
      nir_if *nif = nir_cf_node_as_if(node);
      if (!nif->condition.is_ssa ||
          !resolve_stores(shader, &nif->then_list, &side[0], depth + 1) ||
          !resolve_stores(shader, &nif->else_list, &side[1], depth + 1) ||
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
       !resolve_stores(b->shader, &nif->then_list, &side[0], 0) ||
       !resolve_stores(b->shader, &nif->else_list, &side[1], 0) ||
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
