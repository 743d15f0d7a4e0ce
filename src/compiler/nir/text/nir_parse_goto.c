/* SPDX-License-Identifier: MIT */
/*
 * Functions that are not structured: blocks, each ended by one of
 *
 *    goto block_3
 *    goto block_3 if ssa_7 else block_4
 *    return (or halt)
 *
 * The first block that stands there is the entry. Blocks may stand in any
 * order in which values are defined before they are used; a label with
 * nothing after it is that of the end block.
 */
#include "nir_parse_private.h"
#include "nir_private.h"

#include <ctype.h>

struct label {
   nir_block *block;
   uint64_t number;
   const char *at;
};

struct gotos {
   struct util_dynarray labels;   /* struct label, those that stand there */
   struct util_dynarray mentions; /* the same, those that are gone to */
};

static bool
begins(const char *line, const char *end, const char *word)
{
   const size_t n = strlen(word);

   return (size_t)(end - line) > n && !memcmp(line, word, n) &&
          isspace((unsigned char)line[n]);
}

static void
fail_at(struct nir_parser *p, const struct label *l, const char *what)
{
   p->at = l->at;
   nir_parse_skip(p);
   nir_parse_fail(p, "block_%llu %s", (unsigned long long)l->number, what);
}

/* Whether a line of the function that begins here is a goto. */
bool
nir_parse_has_goto(struct nir_parser *p)
{
   for (const char *line = p->at; line < p->end;) {
      const char *next = memchr(line, '\n', (size_t)(p->end - line));
      if (*line == '}' || begins(line, p->end, "impl") ||
          begins(line, p->end, "decl_function"))
         return false;
      while (line < p->end && isblank((unsigned char)*line))
         line++;
      if (begins(line, p->end, "goto"))
         return true;
      if (!next)
         return false;
      line = next + 1;
   }
   return false;
}

static nir_block *
block_of(struct nir_parser *p, uint64_t number)
{
   nir_block *block = hash_table_get(&p->blocks, number);

   if (!block) {
      block = nir_unstructured_block_create(p->b.impl);
      hash_table_insert(&p->blocks, number, block);
   }
   return block;
}

static nir_block *
parse_target(struct nir_parser *p, struct gotos *g)
{
   struct label l = { NULL, 0, p->at };

   if (!nir_parse_numbered(p, "block_", &l.number)) {
      nir_parse_fail(p, "expected block_N");
      return NULL;
   }
   l.block = block_of(p, l.number);
   if (l.block == nir_start_block(p->b.impl))
      nir_parse_fail(p, "no jump leads to the first block");
   util_dynarray_append(&g->mentions, struct label, l);
   return l.block;
}

/* Edges are made by hand: nir_instr_insert would give undefined values to
 * phis, which have their sources at the end. */
static void
parse_goto(struct nir_parser *p, struct gotos *g)
{
   nir_block *block = nir_cursor_current_block(p->b.cursor);
   nir_block *target = parse_target(p, g), *other = NULL;
   nir_use cond = { 0 };

   if (!p->error && nir_parse_accept(p, "if") &&
       nir_parse_condition(p, &cond)) {
      nir_parse_expect(p, "else");
      other = p->error ? NULL : parse_target(p, g);
      if (target == other)
         nir_parse_fail(p, "both targets are the same");
   }
   if (nir_block_ends_in_jump(block))
      nir_parse_fail(p, "an instruction after a jump");
   if (p->error)
      return;
   nir_jump_instr *jump =
      nir_new_goto(p->shader, other ? cond.value : NULL, target, other);
   jump->instr.block = block;
   list_addtail(&jump->instr.node, &block->instr_list);
   nir_instr_link_uses(&jump->instr);
   while (block->successors[0])
      nir_block_unlink(block, block->successors[0]);
   nir_block_link(p->shader, block, target);
   if (other)
      nir_block_link(p->shader, block, other);
}

/* False: it is that of the end block. */
static bool
parse_label(struct nir_parser *p, struct gotos *g)
{
   struct label l = { NULL, 0, p->at };
   nir_block *open = nir_cursor_current_block(p->b.cursor);
   const bool first = !util_dynarray_num_elements(&g->labels, struct label);

   if (!first && !nir_block_ends_in_jump(open)) {
      nir_parse_fail(p, "the block before does not end in a jump");
      return false;
   }
   if (!nir_parse_numbered(p, "block_", &l.number)) {
      nir_parse_fail(p, "expected block_N");
      return false;
   }
   nir_parse_expect(p, ":");
   if (!first && nir_parse_peek(p, "}")) {
      if (hash_table_get(&p->blocks, l.number))
         fail_at(p, &l, "is the end block: a return leads there");
      return false;
   }
   if (first)
      hash_table_insert(&p->blocks, l.number, open);
   l.block = block_of(p, l.number);
   if (!list_is_empty(&l.block->instr_list))
      fail_at(p, &l, "is there twice");
   p->b.cursor = nir_after_block(l.block);
   util_dynarray_append(&g->labels, struct label, l);
   return true;
}

static void
parse_blocks(struct nir_parser *p, struct gotos *g)
{
   while (!p->error && !nir_parse_peek(p, "}")) {
      if (p->at == p->end)
         nir_parse_fail(p, "expected '}'");
      else if (nir_parse_accept(p, "block")) {
         if (!parse_label(p, g))
            return;
      } else if (!util_dynarray_num_elements(&g->labels, struct label))
         nir_parse_fail(p, "an instruction before the first block");
      else if (nir_parse_accept(p, "goto"))
         parse_goto(p, g);
      else if (nir_parse_peek(p, "if") || nir_parse_peek(p, "loop"))
         nir_parse_fail(p, "a function with a goto has no ifs and loops");
      else
         nir_parse_instr(p);
   }
   if (!p->error &&
       !nir_block_ends_in_jump(nir_cursor_current_block(p->b.cursor)))
      nir_parse_fail(p, "the last block does not end in a jump");
}

void
nir_parse_unstructured(struct nir_parser *p)
{
   nir_function_impl *impl = p->b.impl;
   struct gotos g = { 0 };

   impl->structured = false;
   parse_blocks(p, &g);
   if (!p->error) {
      util_dynarray_foreach(&g.mentions, struct label, l) {
         if (list_is_empty(&l->block->instr_list))
            fail_at(p, l, "is not there");
      }
   }
   if (!p->error && !nir_sort_unstructured_blocks(impl)) {
      util_dynarray_foreach(&g.labels, struct label, l) {
         if (!l->block->index)
            fail_at(p, l, "is never reached");
      }
   }
   util_dynarray_fini(&g.labels);
   util_dynarray_fini(&g.mentions);
}
