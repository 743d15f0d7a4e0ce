/* SPDX-License-Identifier: MIT */
/* The steps from flat blocks to a structured function: see structurize.h. */
#include "cfg/structurize.h"

static void
show(const struct nir_structurize_options *o, const struct cfg *g,
     const char *title)
{
   if (o->show)
      o->show(g, title, o->data);
}

static unsigned
count_reachable(const struct cfg *g)
{
   struct arena *arena = arena_create(NULL);
   struct cfg_info info;
   unsigned n = 0;

   cfg_analyze(g, &info, arena);
   for (int i = 0; i < info.num; i++) {
      const int flat = cfg_node(g, info.order[i])->flat;
      /* The entry holds but constants. */
      n += flat > 0;
   }
   arena_destroy(arena);
   return n;
}

void
cfg_structurize(struct cfg_flat *flat,
                const struct nir_structurize_options *options,
                struct nir_structurize_stats *stats)
{
   struct nir_structurize_stats ignored;
   struct arena *arena = arena_create(NULL);
   struct cfg *g = cfg_create(flat, arena);
   struct cfg_info info;
   struct cfg_tree tree;

   stats = stats ? stats : &ignored;
   memset(stats, 0, sizeof(*stats));
   cfg_skip_empty(g, false);
   stats->blocks_before = count_reachable(g);
   show(options, g, "before");
   if (options->undo_dispatch) {
      struct cfg *undone =
         cfg_undo_dispatch(g, options->keep_convergence, stats);
      if (undone) {
         cfg_destroy(g);
         g = undone;
         cfg_drop_unread(g);
         stats->undone = true;
      }
   }
   cfg_skip_empty(g, true);
   cfg_merge_chains(g);
   cfg_analyze(g, &info, arena);
   stats->reducible = info.entry_into_loop == CFG_NONE;
   if (!stats->reducible) {
      cfg_make_reducible(g, options->max_copies, stats);
      cfg_analyze(g, &info, arena);
   }
   show(options, g, "after");
   cfg_tree_build(&tree, g, &info, arena);
   cfg_resolve_jumps(&tree);
   stats->exit_predicates = tree.num_exits + tree.num_selections;
   stats->selections = tree.num_selections;
   stats->one_trip_loops = tree.num_one_trip;
   cfg_emit(&tree, arena);
   nir_number_blocks(flat->impl);
   stats->blocks_after = flat->impl->num_blocks;
   cfg_tree_finish(&tree);
   cfg_destroy(g);
   arena_destroy(arena);
}

bool
nir_structurize(nir_shader *shader, unsigned max_copies)
{
   const struct nir_structurize_options options = { .max_copies =
                                                       max_copies };
   bool progress = false;

   nir_foreach_function(func, shader) {
      if (!func->impl || func->impl->structured)
         continue;
      nir_structurize_impl(func->impl, &options, NULL);
      progress = true;
   }
   return progress;
}

void
nir_structurize_impl(nir_function_impl *impl,
                     const struct nir_structurize_options *options,
                     struct nir_structurize_stats *stats)
{
   struct arena *arena = arena_create(NULL);

   cfg_structurize(cfg_flatten(impl, arena), options, stats);
   arena_destroy(arena);
}
