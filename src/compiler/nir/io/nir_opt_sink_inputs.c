/* SPDX-License-Identifier: MIT */
/*
 * Inputs of many vertices that are all loaded at the start, as copies of
 * whole arrays are, live until they are used. Where that is more than a limit
 * in dwords, some are loaded later: as early as the limit lets them, so that
 * messages are still sent well before their answers are needed, and at the
 * latest in the block that dominates all uses. Loads do not move into loops.
 * Within their block they stand in the order of their uses, each as far
 * ahead as the limit lets it.
 *
 * Before: SSA. Cost: loads times blocks that they move over, and n log n.
 */
#include "nir.h"
#include "util/arena.h"

struct load {
   nir_instr *instr;
   nir_block *late; /* of those that it may stand in, the last one */
   uint32_t end;    /* the block in which its life ends */
   uint32_t size_dw, number;
};

struct state {
   struct arena *arena;
   nir_function_impl *impl;
   struct load *loads;
   uint32_t num_loads, limit_dw;
   uint32_t *live_dw; /* by block: loads that live somewhere in it */
};

static bool
is_load(const nir_instr *instr)
{
   return instr->kind == nir_kind_intrinsic &&
          nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic ==
             nir_intrinsic_load_per_vertex_input;
}

static uint32_t
size_dw(const nir_instr *instr)
{
   const nir_value *def = nir_instr_value((nir_instr *)instr);

   return def->num_components * DIV_ROUND_UP(def->bit_size, 32);
}

/* The outermost loop around `block` that is not around `outside`, or NULL. */
static nir_loop *
entered_loop(nir_block *block, const nir_block *outside)
{
   nir_loop *found = NULL;

   for (nir_cf_node *n = block->cf_node.parent; n; n = n->parent) {
      if (n->type != nir_cf_node_loop)
         continue;
      nir_loop *loop = nir_cf_node_as_loop(n);
      if (nir_loop_first_block(loop)->index <= outside->index &&
          outside->index <= nir_loop_last_block(loop)->index)
         break;
      found = loop;
   }
   return found;
}

/* What cannot be reached is dominated by nothing, and uses nothing. */
static void
note_use(struct load *l, nir_block *block)
{
   if (nir_block_is_unreachable(block))
      return;
   const nir_loop *loop = entered_loop(block, l->instr->block);
   const nir_block *last = loop ? nir_loop_last_block((nir_loop *)loop)
                                : block;

   l->end = MAX2(l->end, last->index);
   l->late = nir_common_dominator(l->late, block);
}

/* False if nothing that can be reached uses it. */
static bool
find_uses(struct load *l)
{
   nir_value *def = nir_instr_value(l->instr);

   nir_foreach_use(use, def)
      note_use(l, nir_use_block(use));
   if (!l->late || !nir_block_dominates(l->instr->block, l->late))
      return false;
   while (entered_loop(l->late, l->instr->block))
      l->late = l->late->imm_dom;
   return true;
}

static int
compare_loads(const void *pa, const void *pb)
{
   const struct load *a = pa, *b = pb;

   if (a->late->index != b->late->index)
      return a->late->index < b->late->index ? -1 : 1;
   return a->number < b->number ? -1 : 1;
}

/* False if all of them together need not be looked at. */
static bool
gather(struct state *s)
{
   uint32_t n = 0, total_dw = 0;

   nir_foreach_block(block, s->impl) {
      nir_foreach_instr(instr, block) {
         if (is_load(instr)) {
            total_dw += size_dw(instr);
            n++;
         }
      }
   }
   if (total_dw <= s->limit_dw)
      return false;
   nir_metadata_require(s->impl,
                        nir_metadata_block_index | nir_metadata_dominance);
   s->loads = arena_new_array(s->arena, struct load, n);
   s->live_dw = arena_new_array(s->arena, uint32_t, s->impl->num_blocks + 1);
   nir_foreach_block(block, s->impl) {
      nir_foreach_instr(instr, block) {
         struct load l = { .instr = instr, .number = s->num_loads };

         if (!is_load(instr) || nir_block_is_unreachable(block))
            continue;
         l.size_dw = size_dw(instr);
         if (find_uses(&l))
            s->loads[s->num_loads++] = l;
      }
   }
   qsort(s->loads, s->num_loads, sizeof(*s->loads), compare_loads);
   return true;
}

/* The first block from which on there is room for it; with no room at all,
 * the last. */
static nir_block *
choose_block(const struct state *s, const struct load *l)
{
   nir_block *best = l->late;
   uint32_t checked = l->late->index;

   for (nir_block *b = l->late; b != l->instr->block;) {
      b = b->imm_dom;
      for (; checked > b->index; checked--) {
         if (s->live_dw[checked - 1] + l->size_dw > s->limit_dw)
            return best;
      }
      if (!entered_loop(b, l->instr->block))
         best = b;
   }
   return best;
}

static bool
place(struct state *s)
{
   bool progress = false;

   for (uint32_t i = 0; i < s->num_loads; i++) {
      const struct load *l = &s->loads[i];
      nir_block *block = choose_block(s, l);

      for (uint32_t k = block->index; k <= l->end; k++)
         s->live_dw[k] += l->size_dw;
      if (block == l->instr->block)
         continue;
      nir_instr_move(block == l->late ? nir_after_phis(block)
                                      : nir_after_block_before_jump(block),
                     l->instr);
      progress = true;
   }
   return progress;
}

/* ---- within a block ---- */

/* A load that the block uses itself, first by `user`. */
struct near_load {
   nir_instr *instr, *user;
};

static int
compare_users(const void *pa, const void *pb)
{
   const struct near_load *a = pa, *b = pb;

   if (a->user->index != b->user->index)
      return a->user->index < b->user->index ? -1 : 1;
   return a->instr->index < b->instr->index ? -1 : 1;
}

static nir_instr *
first_user(nir_instr *instr)
{
   nir_instr *first = NULL;

   nir_foreach_instr_use(use, nir_instr_value(instr)) {
      nir_instr *user = use->instr;
      if (user->block == instr->block && user->kind != nir_kind_phi &&
          (!first || user->index < first->index))
         first = user;
   }
   return first;
}

/* Each load before the first use of the last one that need not live with it:
 * those in between are `limit` dwords at most. */
static bool
place_near(const struct near_load *loads, uint32_t count, uint32_t limit_dw)
{
   uint32_t ahead_dw = 0, oldest = 0;
   bool progress = false;

   for (uint32_t i = 0; i < count; i++) {
      ahead_dw += size_dw(loads[i].instr);
      while (ahead_dw > limit_dw && oldest < i)
         ahead_dw -= size_dw(loads[oldest++].instr);
      if (!oldest || loads[oldest - 1].user->index < loads[i].instr->index)
         continue;
      nir_instr_move(nir_before_instr(loads[oldest - 1].user),
                     loads[i].instr);
      progress = true;
   }
   return progress;
}

static bool
sink_in_block(nir_block *block, uint32_t limit_dw, struct arena *arena)
{
   uint32_t total_dw = 0, n = 0;

   nir_foreach_instr(instr, block) {
      if (is_load(instr)) {
         total_dw += size_dw(instr);
         n++;
      }
   }
   if (total_dw <= limit_dw)
      return false;
   struct near_load *loads = arena_new_array(arena, struct near_load, n);
   n = 0;
   nir_foreach_instr(instr, block) {
      nir_instr *user = is_load(instr) ? first_user(instr) : NULL;
      if (user)
         loads[n++] = (struct near_load) { instr, user };
   }
   qsort(loads, n, sizeof(*loads), compare_users);
   return place_near(loads, n, limit_dw);
}

static bool
sink_in_blocks(nir_function_impl *impl, uint32_t limit_dw,
               struct arena *arena)
{
   bool progress = false;

   nir_number_instrs(impl);
   nir_foreach_block(block, impl)
      progress |= sink_in_block(block, limit_dw, arena);
   return progress;
}

bool
nir_opt_sink_inputs(nir_shader *shader, unsigned limit_dw)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      struct state s = { .impl = impl, .limit_dw = limit_dw };
      bool here;
      s.arena = arena_create(NULL);
      here = gather(&s);
      if (here) {
         here = place(&s);
         here |= sink_in_blocks(impl, limit_dw, s.arena);
      }
      arena_destroy(s.arena);
      nir_changed(impl, here, nir_metadata_control_flow);
      progress |= here;
   }
   return progress;
}
