/* SPDX-License-Identifier: MIT */
/*
 * Prints the results of the structurizer for graphs as one module of
 * SPIR-V assembly, for spirv-val to judge: control flow, phis, and for each
 * value something of its type that reads its sources.
 *
 * usage: structurize_spirv GRAPHS [SEED]  # random ones of up to 64 blocks
 *        structurize_spirv --all BLOCKS  # all that have so many blocks
 */
#include <stdlib.h>

#include "graphs.h"

struct writer {
   unsigned function;
};

/* The label that ends a block: loops begin with one of their own. */
static bool
begins_loop(const nir_block *b)
{
   return b->cf_node.parent->type == nir_cf_node_loop &&
          nir_loop_first_block(nir_cf_node_as_loop(b->cf_node.parent)) == b;
}

static void
print_end_label(const struct writer *w, const nir_block *b)
{
   printf("%%f%u_%s%u", w->function, begins_loop(b) ? "body" : "b", b->index);
}

static const char *
type_of(const nir_value *def)
{
   return def->bit_size == 1    ? "%bool"
          : def->bit_size == 64 ? "%long"
                                : "%int";
}

static void
print_value(const struct writer *w, const nir_value *def)
{
   printf("%%f%u_v%u", w->function, def->index);
}

/* --- Phis ------------------------------------------------------------- */

static bool
comes_from_inside(const nir_block *header, const nir_block *pred)
{
   for (const nir_cf_node *n = &pred->cf_node; n; n = n->parent) {
      if (n == header->cf_node.parent)
         return true;
   }
   return false;
}

static void
print_sources(const struct writer *w, nir_phi_instr *phi, bool inside)
{
   nir_block *block = phi->instr.block;

   nir_foreach_phi_source(src, phi) {
      if (begins_loop(block) && comes_from_inside(block, src->pred) != inside)
         continue;
      printf(" ");
      print_value(w, src->use.value);
      printf(" ");
      print_end_label(w, src->pred);
   }
}

static unsigned
count_inside(nir_block *header)
{
   unsigned n = 0;

   nir_foreach_predecessor(header, pred)
      n += comes_from_inside(header, pred);
   return n;
}

static void
print_phis(const struct writer *w, nir_block *block)
{
   nir_foreach_phi(phi, block) {
      print_value(w, &phi->instr.result);
      printf(" = OpPhi %s", type_of(&phi->instr.result));
      print_sources(w, phi, false);
      if (begins_loop(block))
         printf(" %%f%u_c%u %%f%u_cont%u", w->function,
                phi->instr.result.index, w->function, block->index);
      printf("\n");
   }
}

/* What comes round a loop meets in its continue block. */
static void
print_continue(const struct writer *w, nir_block *header)
{
   printf("%%f%u_cont%u = OpLabel\n", w->function, header->index);
   nir_foreach_phi(phi, header) {
      printf("%%f%u_c%u = ", w->function, phi->instr.result.index);
      if (count_inside(header)) {
         printf("OpPhi %s", type_of(&phi->instr.result));
         print_sources(w, phi, true);
      } else {
         printf("OpUndef %s", type_of(&phi->instr.result));
      }
      printf("\n");
   }
   printf("OpBranch %%f%u_b%u\n", w->function, header->index);
}

/* --- Instructions ----------------------------------------------------- */

struct sources {
   const struct writer *w;
   const nir_value *of[2]; /* 32 bits, 1 bit */
};

static bool
note_source(nir_use *src, void *data)
{
   struct sources *s = data;

   if (src->value->bit_size == 32)
      s->of[0] = src->value;
   else if (src->value->bit_size == 1)
      s->of[1] = src->value;
   return true;
}

static void
print_instr(const struct writer *w, nir_instr *instr)
{
   const nir_value *def = nir_instr_value(instr);
   struct sources s = { w, { NULL, NULL } };

   if (!def || instr->kind == nir_kind_phi)
      return;
   nir_visit_uses(instr, note_source, &s);
   print_value(w, def);
   if (def->bit_size == 32 && s.of[0]) {
      printf(" = OpNot %%int ");
      print_value(w, s.of[0]);
   } else if (def->bit_size == 1 && s.of[0]) {
      printf(" = OpSLessThan %%bool %%zero ");
      print_value(w, s.of[0]);
   } else if (def->bit_size == 1 && s.of[1]) {
      printf(" = OpLogicalNot %%bool ");
      print_value(w, s.of[1]);
   } else {
      printf(" = OpUndef %s", type_of(def));
   }
   printf("\n");
}

/* --- Control flow: graphs are small, lists may nest ------------------- */

static void print_list(const struct writer *w, struct list_head *list);

static void
print_branch(const struct writer *w, const nir_block *from)
{
   const nir_instr *last = nir_block_last_instr((nir_block *)from);
   const nir_block *to = from->successors[0];
   const bool round =
      to && to != nir_cf_node_get_function(&from->cf_node)->end_block &&
      begins_loop(to) && comes_from_inside(to, from);

   if ((last && last->kind == nir_kind_jump &&
        nir_instr_as_jump(last)->type == nir_jump_return) ||
       to == nir_cf_node_get_function(&from->cf_node)->end_block)
      printf("OpReturn\n");
   else
      printf("OpBranch %%f%u_%s%u\n", w->function, round ? "cont" : "b",
             to->index);
}

static void
print_block(const struct writer *w, nir_block *block)
{
   nir_cf_node *next = nir_cf_node_next(&block->cf_node);
   nir_if *nif = nir_block_get_following_if(block);

   printf("%%f%u_b%u = OpLabel\n", w->function, block->index);
   print_phis(w, block);
   if (begins_loop(block)) {
      nir_cf_node *loop = block->cf_node.parent;
      printf("OpLoopMerge %%f%u_b%u %%f%u_cont%u None\n", w->function,
             nir_cf_node_as_block(nir_cf_node_next(loop))->index, w->function,
             block->index);
      printf("OpBranch %%f%u_body%u\n%%f%u_body%u = OpLabel\n", w->function,
             block->index, w->function, block->index);
   }
   nir_foreach_instr(instr, block)
      print_instr(w, instr);
   if (nif && !nir_block_ends_in_jump(block)) {
      printf("OpSelectionMerge %%f%u_b%u None\nOpBranchConditional ",
             w->function,
             nir_cf_node_as_block(nir_cf_node_next(next))->index);
      print_value(w, nif->condition.value);
      printf(" %%f%u_b%u %%f%u_b%u\n", w->function,
             nir_if_first_then_block(nif)->index, w->function,
             nir_if_first_else_block(nif)->index);
   } else {
      print_branch(w, block);
   }
}

static void
print_list(const struct writer *w, struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_block) {
         print_block(w, nir_cf_node_as_block(node));
      } else if (node->type == nir_cf_node_if) {
         print_list(w, &nir_cf_node_as_if(node)->then_list);
         print_list(w, &nir_cf_node_as_if(node)->else_list);
      } else {
         nir_loop *loop = nir_cf_node_as_loop(node);
         print_list(w, &loop->body);
         print_continue(w, nir_loop_first_block(loop));
      }
   }
}

static void
print_graph(const struct test_graph *g, unsigned i, struct arena *arena)
{
   const struct nir_structurize_options options = {
      .max_copies = i % 2 ? 8 : 0,
   };
   struct writer w = { .function = i };
   struct cfg_flat *flat;

   nir_shader *shader = test_graph_shader(g, arena, &flat);
   cfg_structurize(flat, &options, NULL);
   nir_function_impl *impl = nir_entry_point(shader);
   nir_number_blocks(impl);
   nir_number_values(impl);
   printf("%%f%u = OpFunction %%void None %%fn\n", i);
   print_list(&w, &impl->body);
   printf("OpFunctionEnd\n");
   nir_shader_destroy(shader);
}

static void
print_random(unsigned i, uint32_t *seed, int most)
{
   struct arena *arena = arena_create(NULL);
   struct test_graph g = { 0 };

   test_graph_random(&g, arena, seed,
                     2 + (int)(test_random(seed) % (uint32_t)(most - 1)),
                     1 + (int)(test_random(seed) % 12),
                     test_random(seed) % 40);
   print_graph(&g, i, arena);
   arena_destroy(arena);
}

int
main(int argc, char **argv)
{
   const bool all = argc > 1 && !strcmp(argv[1], "--all");
   argc -= all;
   argv += all;
   const unsigned num = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 50;
   uint32_t seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;

   printf("OpCapability Shader\nOpCapability Int64\nOpCapability Linkage\n"
          "OpMemoryModel Logical GLSL450\n"
          "%%void = OpTypeVoid\n%%bool = OpTypeBool\n"
          "%%int = OpTypeInt 32 1\n%%long = OpTypeInt 64 1\n"
          "%%fn = OpTypeFunction %%void\n%%zero = OpConstant %%int 0\n");
   if (all)
      test_graph_each((int)num, print_graph);
   for (unsigned i = 0; i < num && !all; i++)
      print_random(i, &seed, 64);
   return 0;
}
