/* SPDX-License-Identifier: MIT */
/*
 * Global code motion after Click, "Global Code Motion, Global Value
 * Numbering" (PLDI 1995): every instruction that may move goes to the block,
 * between the earliest where its sources are known and the latest that
 * dominates its uses, with the smallest loop depth; among those the latest.
 *
 * What may not move: effects, loads that stores may change, phis, jumps,
 * derivatives and implicit-lod textures (they need their neighbours' lanes).
 * Loads and textures do not leave an if, which may be there so that they are
 * not executed; of those that can do harm, because what they access may not
 * be there, a loop keeps all that it may end in front of. Nor does a loop
 * lose more than MAX_HOISTED_DW dwords of values, which live as long as it
 * runs: the first ones in program order go.
 *
 * Before: SSA. After: SSA, control flow unchanged.
 */
#include "nir.h"

#include "nir_instr_set.h"
#include "nir_private.h"
#include "util/dynarray.h"

#define MAX_HOISTED_DW 20

struct gcm_block_info {
   unsigned loop_depth;
   nir_loop *loop;
   unsigned hoisted_dw; /* of the loop that begins with this block */
};

struct gcm_instr_info {
   nir_block *early, *late;
   bool pinned, placed;
};

struct gcm_state {
   nir_function_impl *impl;
   struct gcm_block_info *blocks;
   struct gcm_instr_info *instrs; /* by nir_instr.index */
   bool progress;
};

static void
number_depths(struct gcm_state *s, struct list_head *list, unsigned loops,
              nir_loop *loop)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      switch (node->type) {
      case nir_cf_node_block:
         s->blocks[nir_cf_node_as_block(node)->index] =
            (struct gcm_block_info) { loops, loop, 0 };
         break;
      case nir_cf_node_if: {
         nir_if *nif = nir_cf_node_as_if(node);
         number_depths(s, &nif->then_list, loops, loop);
         number_depths(s, &nif->else_list, loops, loop);
         break;
      }
      case nir_cf_node_loop: {
         nir_loop *inner = nir_cf_node_as_loop(node);
         number_depths(s, &inner->body, loops + 1, inner);
         break;
      }
      case nir_cf_node_function: unreachable("a function is in no list");
      }
   }
}

static bool
is_pinned(nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_alu: {
      nir_alu_instr *alu = nir_instr_as_alu(instr);
      return nir_op_is_derivative(alu->op);
   }
   case nir_kind_load_const: return false;
   case nir_kind_deref:
      /* Kept beside their users, which look for them there. */
      return true;
   case nir_kind_tex:
      return nir_tex_needs_derivatives(nir_instr_as_tex(instr));
   case nir_kind_intrinsic:
      return !nir_instr_value(instr) ||
             !nir_intrinsic_can_reorder(nir_instr_as_intrinsic(instr));
   default: return true;
   }
}

struct early_state {
   struct gcm_state *s;
   nir_block *block;
};

static bool
early_of_src(nir_use *src, void *state)
{
   struct early_state *e = state;
   nir_block *def = e->s->instrs[src->value->instr->index].early;
   /* The deeper of two blocks on one path of the dominator tree. */
   if (def && (!e->block || nir_block_dominates(e->block, def)))
      e->block = def;
   return true;
}

/* Program order visits definitions before uses, phis aside. */
static void
schedule_early(struct gcm_state *s)
{
   nir_foreach_block(block, s->impl) {
      nir_foreach_instr(instr, block) {
         struct gcm_instr_info *info = &s->instrs[instr->index];
         info->pinned = is_pinned(instr) || nir_block_is_unreachable(block);
         if (info->pinned) {
            info->early = block;
            continue;
         }
         struct early_state e = { s, nir_start_block(s->impl) };
         nir_visit_uses(instr, early_of_src, &e);
         info->early = e.block;
      }
   }
}

/* The block of the use, once its instruction has been moved. */
static nir_block *
use_block(struct gcm_state *s, nir_use *src)
{
   const nir_instr *user = src->instr;
   return user->kind == nir_kind_phi ? nir_use_block(src)
                                     : s->instrs[user->index].late;
}

static bool
contains(const nir_cf_node *node, const nir_block *block)
{
   const nir_cf_node *n = &block->cf_node;

   while (n && n != node)
      n = n->parent;
   return n != NULL;
}

/* Its resource or slot is one that there is, whenever it is executed. */
static bool
is_safe_intrinsic(const nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_uniform:
   case nir_intrinsic_load_push_constant:
   case nir_intrinsic_load_constant:
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_ubo:
   case nir_intrinsic_load_ubo_vec4:
   case nir_intrinsic_load_ubo_uniform_block_intel:
   case nir_intrinsic_load_ssbo:
   case nir_intrinsic_get_ubo_size:
   case nir_intrinsic_get_ssbo_size:
   case nir_intrinsic_image_load:
   case nir_intrinsic_image_size:
   case nir_intrinsic_image_samples: return nir_use_is_const(intr->src[0]);
   case nir_intrinsic_load_per_vertex_input:
   case nir_intrinsic_load_interpolated_input:
   case nir_intrinsic_load_input_vertex:
      return nir_use_is_const(intr->src[1]);
   case nir_intrinsic_load_barycentric_at_sample:
   case nir_intrinsic_load_barycentric_at_offset:
   case nir_intrinsic_load_sample_pos_from_id: return true;
   default: return nir_intrinsic_infos[intr->intrinsic].num_srcs == 0;
   }
}

static bool
is_safe_tex(const nir_tex_instr *tex)
{
   for (unsigned i = 0; i < tex->instr.num_operands; i++) {
      switch (tex->src[i].src_type) {
      case nir_tex_src_texture_deref:
      case nir_tex_src_sampler_deref:
      case nir_tex_src_texture_offset:
      case nir_tex_src_sampler_offset:
      case nir_tex_src_texture_handle:
      case nir_tex_src_sampler_handle:
         if (!nir_use_is_const(tex->src[i].use))
            return false;
         break;
      default: break;
      }
   }
   return true;
}

static bool
is_safe(nir_instr *instr)
{
   if (instr->kind == nir_kind_tex)
      return is_safe_tex(nir_instr_as_tex(instr));
   return instr->kind != nir_kind_intrinsic ||
          is_safe_intrinsic(nir_instr_as_intrinsic(instr));
}

/* Out of the nodes that do not hold `to`. */
static bool
may_leave(nir_instr *instr, const nir_block *to)
{
   if (instr->kind == nir_kind_alu)
      return true;
   for (const nir_cf_node *n = &instr->block->cf_node;
        !contains(n->parent, to); n = n->parent) {
      if (n->parent->type != nir_cf_node_loop)
         return false;
      const nir_loop *loop = nir_cf_node_as_loop(n->parent);
      if (n != nir_cf_list_first(&loop->body) && !is_safe(instr))
         return false;
   }
   return true;
}

/* From the late block up to the early one: the least nested in loops. */
static nir_block *
choose_block(struct gcm_state *s, nir_instr *instr, nir_block *early,
             nir_block *late)
{
   nir_block *best = late;
   /* Constants are cheapest beside their use. */
   const bool cheap = instr->kind == nir_kind_load_const;
   for (nir_block *b = late; b; b = b->imm_dom) {
      const struct gcm_block_info *at = &s->blocks[b->index];
      const struct gcm_block_info *be = &s->blocks[best->index];
      if (at->loop_depth < be->loop_depth && !cheap && may_leave(instr, b))
         best = b;
      if (b == early)
         break;
   }
   return best;
}

static void
schedule_late(struct gcm_state *s, nir_instr *instr)
{
   struct gcm_instr_info *info = &s->instrs[instr->index];
   info->late = instr->block;
   if (info->pinned)
      return;
   nir_value *def = nir_instr_value(instr);
   nir_block *lca = NULL;
   nir_foreach_use(use, def)
      lca = nir_common_dominator(lca, use->nif ? nir_use_block(use)
                                               : use_block(s, use));
   if (!lca || !info->early || !nir_block_dominates(info->early, lca))
      return;
   nir_block *best = choose_block(s, instr, info->early, lca);
   /* Never into a loop that it was not in, and within its depth only to
    * leave a loop. */
   const struct gcm_block_info *now = &s->blocks[instr->block->index];
   if (s->blocks[best->index].loop_depth >= now->loop_depth)
      return;
   if (now->loop && contains(&now->loop->cf_node, best))
      return;
   /* Where it stands now must not be reached without passing there. */
   if (!nir_block_dominates(best, instr->block))
      return;
   info->late = best;
}

static bool
srcs_available(nir_use *src, void *block)
{
   return nir_block_dominates(src->value->instr->block, block);
}

static unsigned *
hoisted_dw(struct gcm_state *s, nir_loop *loop)
{
   return &s->blocks[nir_loop_first_block(loop)->index].hoisted_dw;
}

/* The next loop from the inside to the outside that does not hold `to`. */
static nir_loop *
next_left_loop(nir_cf_node *node, const nir_block *to)
{
   for (node = node->parent; node; node = node->parent) {
      if (node->type == nir_cf_node_loop)
         return contains(node, to) ? NULL : nir_cf_node_as_loop(node);
   }
   return NULL;
}

/* Room for one more value that lives as long as the loops it leaves. */
static bool
reserve(struct gcm_state *s, nir_instr *instr, nir_block *to)
{
   const nir_value *def = nir_instr_value(instr);
   const unsigned size_dw = def->num_components *
                            DIV_ROUND_UP(def->bit_size, 32);
   nir_cf_node *from = &instr->block->cf_node;

   for (nir_loop *l = next_left_loop(from, to); l;
        l = next_left_loop(&l->cf_node, to)) {
      if (*hoisted_dw(s, l) + size_dw > MAX_HOISTED_DW)
         return false;
   }
   for (nir_loop *l = next_left_loop(from, to); l;
        l = next_left_loop(&l->cf_node, to))
      *hoisted_dw(s, l) += size_dw;
   return true;
}

/* In program order, so that sources have moved before their users. */
static void
place(struct gcm_state *s)
{
   nir_foreach_block(block, s->impl) {
      nir_foreach_instr_safe(instr, block) {
         struct gcm_instr_info *info = &s->instrs[instr->index];
         if (info->pinned || info->late == block || info->placed)
            continue;
         info->placed = true;
         if (!nir_visit_uses(instr, srcs_available, info->late) ||
             !reserve(s, instr, info->late))
            continue;
         nir_instr_move(nir_after_block_before_jump(info->late), instr);
         s->progress = true;
      }
   }
}

static bool
gcm_impl(nir_function_impl *impl)
{
   bool has_loop = false;
   nir_foreach_block(block, impl)
      has_loop |= nir_block_get_following_loop(block) != NULL;
   if (!has_loop) {
      nir_metadata_preserve(impl, nir_metadata_all);
      return false;
   }

   struct arena *arena = arena_create(NULL);
   struct gcm_state s = { .impl = impl };
   nir_metadata_require(impl,
                        nir_metadata_block_index | nir_metadata_dominance);
   const unsigned n = nir_number_instrs(impl);
   s.blocks =
      arena_new_array(arena, struct gcm_block_info, impl->num_blocks + 1);
   s.instrs = arena_new_array(arena, struct gcm_instr_info, n);
   number_depths(&s, &impl->body, 0, NULL);
   schedule_early(&s);
   nir_foreach_block_reverse(block, impl) {
      nir_foreach_instr_reverse(instr, block)
         schedule_late(&s, instr);
   }
   place(&s);
   arena_destroy(arena);
   nir_changed(impl, s.progress, nir_metadata_control_flow);
   return s.progress;
}

bool
nir_opt_gcm(nir_shader *shader, bool value_number)
{
   bool progress = value_number ? nir_opt_cse(shader) : false;
   nir_foreach_impl(impl, shader)
      progress |= gcm_impl(impl);
   return progress;
}
