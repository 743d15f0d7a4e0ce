/* SPDX-License-Identifier: MIT */
/*
 * Functions cut into blocks, with edges and dominators of the control-flow
 * graph as the module has it. Dominators: Cooper, Harvey, Kennedy, "A Simple,
 * Fast Dominance Algorithm", over reverse postorder.
 */
#include "compiler/spirv/spirv_private.h"
#include "util/dynarray.h"

bool
spv_is_terminator(unsigned op)
{
   switch (op) {
   case SpvOpBranch:
   case SpvOpBranchConditional:
   case SpvOpSwitch:
   case SpvOpReturn:
   case SpvOpReturnValue:
   case SpvOpKill:
   case SpvOpUnreachable:
   case SpvOpTerminateInvocation: return true;
   default: return false;
   }
}

static struct spv_block *
target(struct spv *s, const struct spv_function *f, uint32_t id)
{
   const struct spv_value *v;

   spv_check(s, id != 0 && id < s->bound,
             "%s: label %u is not below the bound (2.3)",
             spirv_opcode_name(spv_opcode(s->cur)), id);
   v = &s->values[id];
   spv_check(s, v->kind == SPV_VALUE_LABEL && v->label->function == f,
             "%s: id %u is no label of this function (2.16)",
             spirv_opcode_name(spv_opcode(s->cur)), id);
   return v->label;
}

/* The type of an id whose instruction may come later. */
static const struct spv_type *
declared_type(struct spv *s, uint32_t id)
{
   const uint32_t *w = s->values[id].words;
   const struct spirv_opcode *op = w ? spirv_opcode_info(spv_opcode(w))
                                     : NULL;

   spv_check(
      s,
      op && op->num_operands > 1 &&
         spirv_operands[op->first_operand].kind == SPIRV_OPERAND_RESULT_TYPE,
      "%s: id %u is no value", spirv_opcode_name(spv_opcode(s->cur)), id);
   return spv_get_type(s, w[1]);
}

/* Words of a literal of OpSwitch. */
unsigned
spv_switch_literal_words(struct spv *s, const uint32_t *w)
{
   const struct spv_type *t = declared_type(s, w[1]);

   spv_check(s, t->base == SPV_INT,
             "OpSwitch: the selector is no integer (3.49.17)");
   return t->bits > 32 ? 2 : 1;
}

static void
add_edge(struct spv *s, struct spv_block *from, uint32_t id)
{
   struct spv_block *to = target(s, from->function, id);

   spv_check(s, to != from->function->blocks[0],
             "%s: a branch to the entry block (2.16)",
             spirv_opcode_name(spv_opcode(s->cur)));
   for (unsigned i = 0; i < from->num_succs; i++) {
      if (from->succs[i] == to)
         return;
   }
   from->succs[from->num_succs++] = to;
   to->num_preds++;
}

static void
find_successors(struct spv *s, struct spv_block *b)
{
   const uint32_t *w = b->terminator;
   unsigned lit;

   s->cur = w;
   b->succs = arena_new_array(s->arena, struct spv_block *, spv_count(w));
   switch (spv_opcode(w)) {
   case SpvOpBranch: add_edge(s, b, w[1]); break;
   case SpvOpBranchConditional:
      add_edge(s, b, w[2]);
      add_edge(s, b, w[3]);
      break;
   case SpvOpSwitch:
      lit = spv_switch_literal_words(s, w);
      spv_check(s, (spv_count(w) - 3) % (lit + 1) == 0,
                "OpSwitch: a literal without a label (3.49.17)");
      add_edge(s, b, w[2]);
      for (unsigned i = 3; i < spv_count(w); i += lit + 1)
         add_edge(s, b, w[i + lit]);
      break;
   default: break;
   }
   if (b->merge) {
      s->cur = b->merge;
      target(s, b->function, b->merge[1]);
      if (spv_opcode(b->merge) == SpvOpLoopMerge)
         target(s, b->function, b->merge[2]);
   }
}

static void
find_predecessors(struct spv *s, struct spv_function *f)
{
   for (unsigned i = 0; i < f->num_blocks; i++) {
      struct spv_block *b = f->blocks[i];
      b->preds = arena_new_array(s->arena, struct spv_block *, b->num_preds);
      b->num_preds = 0;
   }
   for (unsigned i = 0; i < f->num_blocks; i++) {
      struct spv_block *b = f->blocks[i];
      for (unsigned k = 0; k < b->num_succs; k++) {
         struct spv_block *t = b->succs[k];
         t->preds[t->num_preds++] = b;
      }
   }
}

/* Numbers reachable blocks in reverse postorder from 1; returns them so. */
static struct spv_block **
number_blocks(struct spv *s, struct spv_function *f, unsigned *count)
{
   struct spv_block **stack =
      arena_new_array(s->arena, struct spv_block *, f->num_blocks + 1);
   unsigned *next = arena_new_array(s->arena, unsigned, f->num_blocks + 1);
   struct spv_block **post =
      arena_new_array(s->arena, struct spv_block *, f->num_blocks);
   unsigned depth = 0, n = 0;

   stack[depth++] = f->blocks[0];
   f->blocks[0]->order = 1;
   while (depth) {
      struct spv_block *b = stack[depth - 1];
      if (next[depth - 1] < b->num_succs) {
         struct spv_block *t = b->succs[next[depth - 1]++];
         if (!t->order) {
            t->order = 1;
            stack[depth] = t;
            next[depth++] = 0;
         }
      } else {
         post[n++] = b;
         depth--;
      }
   }
   for (unsigned i = 0; i < n / 2; i++) {
      struct spv_block *t = post[i];
      post[i] = post[n - 1 - i];
      post[n - 1 - i] = t;
   }
   for (unsigned i = 0; i < n; i++)
      post[i]->order = i + 1;
   *count = n;
   return post;
}

static struct spv_block *
intersect(struct spv_block *a, struct spv_block *b)
{
   while (a != b) {
      while (a->order > b->order)
         a = a->idom;
      while (b->order > a->order)
         b = b->idom;
   }
   return a;
}

static void
number_dominator_tree(struct spv *s, struct spv_block **rpo, unsigned n)
{
   struct spv_block **first =
      arena_new_array(s->arena, struct spv_block *, n + 1);
   struct spv_block **sibling =
      arena_new_array(s->arena, struct spv_block *, n + 1);
   struct spv_block *b = rpo[0];
   unsigned clock = 1;

   for (unsigned i = n; i-- > 1;) {
      struct spv_block *d = rpo[i]->idom;
      sibling[rpo[i]->order] = first[d->order];
      first[d->order] = rpo[i];
   }
   b->dom_pre = clock++;
   while (b) {
      struct spv_block *child = first[b->order];
      if (child) {
         first[b->order] = sibling[child->order];
         b = child;
         b->dom_pre = clock++;
      } else {
         b->dom_post = clock++;
         b = b == rpo[0] ? NULL : b->idom;
      }
   }
}

static void
find_dominators(struct spv *s, struct spv_function *f)
{
   unsigned n;
   struct spv_block **rpo = number_blocks(s, f, &n);
   bool changed = true;

   rpo[0]->idom = rpo[0];
   while (changed) {
      changed = false;
      for (unsigned i = 1; i < n; i++) {
         struct spv_block *b = rpo[i], *d = NULL;
         for (unsigned k = 0; k < b->num_preds; k++) {
            struct spv_block *p = b->preds[k];
            if (p->idom)
               d = d ? intersect(p, d) : p;
         }
         if (b->idom != d) {
            b->idom = d;
            changed = true;
         }
      }
   }
   number_dominator_tree(s, rpo, n);
}

/* Whether every way to b leads through a. */
bool
spv_dominates(const struct spv_block *a, const struct spv_block *b)
{
   return a->function == b->function && a->order && b->order &&
          a->dom_pre <= b->dom_pre && b->dom_post <= a->dom_post;
}

static const uint32_t *
read_block(struct spv *s, struct spv_function *f, const uint32_t *w,
           const uint32_t *end)
{
   struct util_dynarray *phis = &s->phi_list;
   struct spv_block *b = arena_new(s->arena, struct spv_block);
   bool body = false;

   b->function = f;
   b->label = w[1];
   b->start = w;
   b->first_phi = (unsigned)util_dynarray_num_elements(phis, struct spv_phi);
   spv_define(s, w[1], SPV_VALUE_LABEL, NULL)->label = b;
   for (w += spv_count(w); w < end; w += spv_count(w)) {
      const unsigned op = spv_opcode(w);
      s->cur = w;
      spv_check(s,
                op != SpvOpLabel && op != SpvOpFunctionEnd &&
                   op != SpvOpFunction && op != SpvOpFunctionParameter,
                "%s: the block before has no terminator (2.4)",
                spirv_opcode_name(op));
      if (op == SpvOpPhi) {
         spv_check(s, !body,
                   "OpPhi is not at the start of its block "
                   "(3.49.17)");
         util_dynarray_append(phis, struct spv_phi,
                              ((struct spv_phi) { w[2], b, w, NULL, NULL }));
         b->num_phis++;
      } else if (op != SpvOpLine && op != SpvOpNoLine) {
         body = true;
      }
      if (b->merge)
         spv_check(s, spv_is_terminator(op),
                   "a merge instruction is not followed by a branch "
                   "(2.16)");
      if (op == SpvOpLoopMerge || op == SpvOpSelectionMerge)
         b->merge = w;
      if (spv_is_terminator(op)) {
         b->terminator = w;
         f->blocks[f->num_blocks++] = b;
         return w + spv_count(w);
      }
   }
   spv_fail(s, "the module ends within a block (2.4)");
}

static void
read_parameters(struct spv *s, struct spv_function *f, const uint32_t **w,
                const uint32_t *end)
{
   f->params = arena_new_array(s->arena, uint32_t, f->type->length);
   for (; *w < end &&
          (spv_opcode(*w) == SpvOpFunctionParameter ||
           spv_opcode(*w) == SpvOpLine || spv_opcode(*w) == SpvOpNoLine);
        *w += spv_count(*w)) {
      s->cur = *w;
      if (spv_opcode(*w) != SpvOpFunctionParameter)
         continue;
      spv_check(s,
                f->num_params < f->type->length &&
                   spv_get_type(s, (*w)[1]) ==
                      f->type->members[f->num_params],
                "OpFunctionParameter does not match the function's type "
                "(3.49.9)");
      f->params[f->num_params++] = (*w)[2];
   }
   spv_check(s, f->num_params == f->type->length,
             "OpFunction has %u parameters of %u (3.49.9)", f->num_params,
             f->type->length);
}

static const uint32_t *
read_function(struct spv *s, const uint32_t *w, const uint32_t *end)
{
   struct spv_function *f = arena_new(s->arena, struct spv_function);
   unsigned labels = 0;

   util_dynarray_clear(&s->phi_list);
   s->cur = w;
   f->id = w[2];
   f->words = w;
   f->type = spv_get_type(s, w[4]);
   spv_check(s,
             f->type->base == SPV_FUNCTION &&
                spv_get_type(s, w[1]) == f->type->elem,
             "OpFunction: the type is not that of a function with this "
             "result (3.49.9)");
   spv_define(s, w[2], SPV_VALUE_FUNCTION, f->type)->function = f;
   w += spv_count(w);
   read_parameters(s, f, &w, end);
   for (const uint32_t *p = w; p < end && spv_opcode(p) != SpvOpFunctionEnd;
        p += spv_count(p))
      labels += spv_opcode(p) == SpvOpLabel;
   if (!labels)
      spv_unsupported(s, "a function without a body (linkage)");
   f->blocks = arena_new_array(s->arena, struct spv_block *, labels);
   while (w < end && spv_opcode(w) != SpvOpFunctionEnd) {
      s->cur = w;
      if (spv_opcode(w) == SpvOpLine || spv_opcode(w) == SpvOpNoLine) {
         w += spv_count(w);
         continue;
      }
      spv_check(s, spv_opcode(w) == SpvOpLabel,
                "%s: a block does not begin with OpLabel (2.4)",
                spirv_opcode_name(spv_opcode(w)));
      w = read_block(s, f, w, end);
   }
   spv_check(s, w < end, "OpFunctionEnd is missing (2.4)");
   f->num_phis =
      (unsigned)util_dynarray_num_elements(&s->phi_list, struct spv_phi);
   f->phis = arena_new_array(s->arena, struct spv_phi, f->num_phis);
   if (f->num_phis)
      memcpy(f->phis, s->phi_list.data, s->phi_list.size_B);
   util_dynarray_append(&s->function_list, struct spv_function *, f);
   return w + spv_count(w);
}

/* All functions of the module; types and constants are known. */
void
spv_find_functions(struct spv *s)
{
   const uint32_t *end = s->words + s->n_words;

   for (const uint32_t *w = s->first_function; w < end;) {
      s->cur = w;
      if (spv_opcode(w) == SpvOpLine || spv_opcode(w) == SpvOpNoLine ||
          spv_opcode(w) == SpvOpExtInst) {
         w += spv_count(w);
         continue;
      }
      spv_check(s, spv_opcode(w) == SpvOpFunction,
                "%s stands outside of a function (2.4)",
                spirv_opcode_name(spv_opcode(w)));
      w = read_function(s, w, end);
   }
   util_dynarray_foreach(&s->function_list, struct spv_function *, fp) {
      struct spv_function *f = *fp;
      for (unsigned i = 0; i < f->num_blocks; i++)
         find_successors(s, f->blocks[i]);
      find_predecessors(s, f);
      find_dominators(s, f);
   }
}
