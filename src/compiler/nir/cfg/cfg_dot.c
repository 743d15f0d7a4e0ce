/* SPDX-License-Identifier: MIT */
/* Graphs in the language of Graphviz. */
#include "cfg/structurize.h"

/* Flat block 0 is one of ours; the others have the numbers of NIR. */
static void
print_node(const struct cfg *g, const struct cfg_info *info, int node,
           FILE *out)
{
   const struct cfg_node *n = cfg_node(g, node);

   fprintf(out, "   n%d [label=\"", node);
   for (int x = node; x != CFG_NONE; x = cfg_node(g, x)->rest) {
      const int flat = cfg_node(g, x)->flat;
      if (x != node)
         fputs("\\n", out);
      if (flat > 0)
         fprintf(out, "block_%d", flat - 1);
      else if (flat == 0)
         fputs("constants", out);
      else
         fputs(n->predicate == CFG_NONE ? "select" : "enter", out);
   }
   fputs("\"", out);
   if (n->flat == CFG_NONE)
      fputs(", shape=diamond", out);
   if (info->loop && cfg_is_header(info, node))
      fputs(", peripheries=2", out);
   fputs("];\n", out);
}

static void
print_edges(const struct cfg *g, const struct cfg_info *info, int node,
            FILE *out)
{
   static const char *const sides[2] = { "label=\"T\"", "label=\"F\"" };
   const struct cfg_node *n = cfg_node(g, node);

   for (unsigned s = 0; s < n->num_succ; s++) {
      const int to = n->succ[s].to;
      fprintf(out, "   n%d -> n%d [%s%s];\n", node, to,
              n->num_succ == 2 ? sides[s] : "",
              info->rpo[to] <= info->rpo[node] ? " style=bold" : "");
   }
}

void
cfg_print_dot(const struct cfg *g, const char *title, FILE *out)
{
   struct arena *arena = arena_create(NULL);
   struct cfg_info info;

   cfg_analyze(g, &info, arena);
   fprintf(out, "digraph \"%s\" {\n   label=\"%s\";\n   node [shape=box];\n",
           title, title);
   for (int i = 0; i < info.num; i++)
      print_node(g, &info, info.order[i], out);
   for (int i = 0; i < info.num; i++)
      print_edges(g, &info, info.order[i], out);
   fputs("}\n", out);
   arena_destroy(arena);
}
