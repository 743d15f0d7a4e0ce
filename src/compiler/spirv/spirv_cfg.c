/* SPDX-License-Identifier: MIT */
/*
 * Structured control flow of SPIR-V (2.11) as ifs and loops of NIR.
 *
 * The walk follows branches from the entry block and keeps the constructs
 * that it is in. A branch is then one of three: to a block that nothing else
 * leads into (it is emitted in place), to where the walk would go anyway
 * (nothing is emitted), or out of constructs:
 *  - break and continue of a loop are jumps of NIR;
 *  - a break of a switch, a return, or a `continue` of a loop whose continue
 *    construct holds code set a flag of the construct that they leave, and
 *    what would follow on the way there is put under `if (!flag)`.
 * When one side of an if always leaves, what follows the if goes into the
 * other side, and no flag is needed: the usual early return costs nothing.
 *
 * NIR has no switch: cases are ifs in the order of fall-through. It has no
 * continue construct: its code goes to the end of the loop's body, where
 * every path that continues arrives.
 *
 * Phis are variables, stored at the end of the predecessors. Since these
 * shapes may dominate less than the module's graph does (after a discard,
 * say), nir_repair_ssa runs over the result.
 */
#include "compiler/spirv/kernel/spirv_kernel.h"
#include "compiler/spirv/spirv_cfg_private.h"

static struct spv_flow emit_region(struct spv *s, struct spv_block *b,
                                   bool header_of_loop);

/* --- Selections --------------------------------------------------------- */

/* One side of an if: all of what follows the branch to `to`. */
static struct spv_flow
emit_side(struct spv *s, struct spv_block *to)
{
   struct spv_flow flow = { false, false };
   struct spv_block *next = spv_go_to(s, to, &flow);

   return next ? emit_region(s, next, false) : flow;
}

static nir_value *
condition(struct spv *s, const uint32_t *w)
{
   const struct spv_type *t = spv_value_type(s, w[1]);

   spv_check(s, t->base == SPV_BOOL,
             "OpBranchConditional: the condition is not bool (3.49.17)");
   return spv_get_def(s, w[1]);
}

static struct spv_block *
label(struct spv *s, uint32_t id)
{
   return spv_value(s, id, SPV_VALUE_LABEL)->label;
}

static struct spv_block *
emit_if(struct spv *s, struct spv_region *r, struct spv_block *b)
{
   const uint32_t *w = b->terminator;
   struct spv_block *merge = label(s, b->merge[1]);
   const unsigned since = s->exit_serial;
   struct spv_flow t, e, both;
   struct spv_construct c;
   nir_if *nif;

   /* With one label for both there is one side. */
   const bool one = w[2] == w[3];
   nir_value *cond = condition(s, w);
   nif = nir_push_if(&s->nb, one ? nir_imm_true(&s->nb) : cond);
   spv_enter_construct(s, &c, CONSTRUCT_IF, merge);
   t = emit_side(s, label(s, w[2]));
   nir_push_else(&s->nb, nif);
   s->block = b;
   s->cur = w;
   e = one ? (struct spv_flow) { false, false }
           : emit_side(s, label(s, w[3]));
   spv_leave_construct(s);
   s->block = b;
   s->cur = w;
   both =
      (struct spv_flow) { t.reaches || e.reaches, t.flagged || e.flagged };
   if (t.reaches != e.reaches && (t.reaches ? e : t).flagged) {
      /* One side is on its way out: go on inside of the other. */
      const struct spv_flow stays = t.reaches ? t : e;
      spv_open_if(s, r, nif);
      s->nb.cursor =
         nir_after_cf_list(t.reaches ? &nif->then_list : &nif->else_list);
      r->flow.flagged = true;
      return spv_after_construct(s, r, stays, merge, since);
   }
   nir_pop_if(&s->nb, nif);
   return spv_after_construct(s, r, both, merge, since);
}

/* A branch with no merge: all targets but one leave the construct. */
static struct spv_block *
emit_conditional_exit(struct spv *s, struct spv_region *r,
                      struct spv_block *b)
{
   const uint32_t *w = b->terminator;
   struct spv_block *then_block = label(s, w[2]), *t;
   struct spv_block *else_block = label(s, w[3]), *e;
   struct spv_flow tf = { false, false }, ef = { false, false };
   nir_if *nif;

   if (then_block == else_block) {
      condition(s, w);
      return spv_go_to(s, then_block, &r->flow);
   }
   nif = nir_push_if(&s->nb, condition(s, w));
   t = spv_go_to(s, then_block, &tf);
   nir_push_else(&s->nb, nif);
   e = spv_go_to(s, else_block, &ef);
   spv_check(s, !t || !e,
             "OpBranchConditional: a selection without OpSelectionMerge "
             "(2.11)");
   r->flow.reaches |= tf.reaches || ef.reaches;
   r->flow.flagged |= tf.flagged || ef.flagged;
   if ((!t && !e) ||
       (!tf.reaches && !tf.flagged && !ef.reaches && !ef.flagged)) {
      /* The leaving sides are jumps: what follows needs no nesting. */
      nir_pop_if(&s->nb, nif);
      return t ? t : e;
   }
   spv_open_if(s, r, nif);
   s->nb.cursor = nir_after_cf_list(t ? &nif->then_list : &nif->else_list);
   return t ? t : e;
}

/* --- Switch ------------------------------------------------------------- */

static struct spv_switch_case *
add_case(struct spv_construct *c, struct spv_block *b)
{
   struct spv_switch_case *k = spv_find_case(c, b);

   if (k || b == c->merge)
      return k;
   k = &c->cases[c->num_cases++];
   memset(k, 0, sizeof(*k));
   k->block = b;
   return k;
}

/* Collects the cases and when each is taken. */
static void
read_cases(struct spv *s, struct spv_construct *c, const uint32_t *w)
{
   const unsigned lit = spv_switch_literal_words(s, w);
   nir_value *sel = spv_get_def(s, w[1]), *any = NULL;
   struct spv_switch_case *k;

   spv_check(s, spv_value_type(s, w[1])->base == SPV_INT,
             "OpSwitch: the selector is no integer (3.49.17)");
   c->cases = arena_new_array(s->arena, struct spv_switch_case, spv_count(w));
   for (unsigned i = 3; i < spv_count(w); i += lit + 1) {
      uint64_t value = w[i];
      nir_value *hit;
      if (lit == 2)
         value |= (uint64_t)w[i + 1] << 32;
      hit = nir_ieq_imm(&s->nb, sel, value);
      any = any ? nir_ior(&s->nb, any, hit) : hit;
      k = add_case(c, label(s, w[i + lit]));
      if (k)
         k->cond = k->cond ? nir_ior(&s->nb, k->cond, hit) : hit;
   }
   k = add_case(c, label(s, w[2]));
   if (k) {
      nir_value *none = any ? nir_inot(&s->nb, any) : nir_imm_true(&s->nb);
      k->is_default = true;
      k->cond = k->cond ? nir_ior(&s->nb, k->cond, none) : none;
   }
}

/* Which case each one falls into: edges out of the blocks it dominates. */
static void
find_fall_through(struct spv *s, struct spv_construct *c)
{
   for (unsigned i = 0; i < c->num_cases; i++) {
      struct spv_switch_case *k = &c->cases[i];
      const struct spv_function *f = k->block->function;
      for (unsigned n = 0; n < f->num_blocks; n++) {
         const struct spv_block *b = f->blocks[n];
         if (!spv_dominates(k->block, b))
            continue;
         for (unsigned e = 0; e < b->num_succs; e++) {
            struct spv_switch_case *to = spv_find_case(c, b->succs[e]);
            if (!to || to == k || to == k->next)
               continue;
            spv_check(s, !k->next && !to->fallen_into,
                      "OpSwitch: a case falls through to two, or two to one "
                      "(2.11)");
            k->next = to;
            to->fallen_into = true;
            to->fall = spv_new_flag(s, "fall_through");
         }
      }
   }
}

static void
emit_case(struct spv *s, struct spv_switch_case *k, struct spv_block *header,
          struct spv_flow *flow)
{
   nir_value *cond = k->cond;
   struct spv_flow inner;
   nir_if *nif;

   if (k->fall)
      cond = nir_ior(&s->nb, cond, nir_load_var(&s->nb, k->fall));
   s->block = header;
   s->cur = header->terminator;
   spv_check_inline(s, k->block);
   k->emitted = true;
   nif = nir_push_if(&s->nb, cond);
   inner = emit_region(s, k->block, false);
   nir_pop_if(&s->nb, nif);
   flow->reaches |= inner.reaches;
   flow->flagged |= inner.flagged;
}

static struct spv_block *
emit_switch(struct spv *s, struct spv_region *r, struct spv_block *b)
{
   struct spv_block *merge = label(s, b->merge[1]);
   const unsigned since = s->exit_serial;
   struct spv_flow flow = { false, false };
   struct spv_construct c;
   bool has_default = false;

   spv_enter_construct(s, &c, CONSTRUCT_SWITCH, merge);
   c.left = spv_new_flag(s, "switch_left");
   read_cases(s, &c, b->terminator);
   find_fall_through(s, &c);
   for (unsigned i = 0; i < c.num_cases; i++) {
      has_default |= c.cases[i].is_default;
      if (c.cases[i].fallen_into)
         continue;
      for (struct spv_switch_case *k = &c.cases[i]; k; k = k->next)
         emit_case(s, k, b, &flow);
   }
   s->block = b;
   s->cur = b->terminator;
   for (unsigned i = 0; i < c.num_cases; i++)
      spv_check(s, c.cases[i].emitted,
                "OpSwitch: cases fall through in a circle (2.11)");
   if (!has_default || c.left_serial > since)
      flow.reaches = true;
   spv_leave_construct(s);
   return spv_after_construct(s, r, flow, merge, since);
}

/* --- Loops -------------------------------------------------------------- */

static unsigned
reachable_preds(const struct spv_block *b)
{
   unsigned n = 0;

   for (unsigned i = 0; i < b->num_preds; i++)
      n += b->preds[i]->order != 0;
   return n;
}

static struct spv_block *
emit_loop(struct spv *s, struct spv_region *r, struct spv_block *b)
{
   struct spv_block *merge = label(s, b->merge[1]);
   struct spv_block *cont = label(s, b->merge[2]);
   struct spv_construct *f = spv_function_construct(s);
   const unsigned since = s->exit_serial;
   struct spv_construct loop, body;
   struct spv_flow flow;
   bool returns;
   nir_loop *nl;

   s->cur = b->merge;
   spv_check(s, merge != b && merge != cont,
             "OpLoopMerge: the merge block is the header or the continue "
             "target (2.11)");
   nl = nir_push_loop(&s->nb);
   spv_enter_construct(s, &loop, CONSTRUCT_LOOP, merge);
   loop.header = b;
   if (cont != b && reachable_preds(cont) > 1) {
      spv_enter_construct(s, &body, CONSTRUCT_BODY, cont);
      body.left = spv_new_flag(s, "continue");
      flow = emit_region(s, b, true);
      spv_leave_construct(s);
      if ((flow.reaches || flow.flagged)) {
         s->block = b;
         s->cur = b->merge;
         spv_check_inline(s, cont);
         emit_region(s, cont, false);
      }
   } else {
      emit_region(s, b, true);
   }
   spv_leave_construct(s);
   nir_pop_loop(&s->nb, nl);
   s->block = b;
   s->cur = b->terminator;
   returns = f->left_serial > since;
   if (returns && spv_in_loop(s)) {
      /* The loop around has to be left as well. */
      nir_push_if(&s->nb, nir_load_var(&s->nb, f->left));
      nir_jump(&s->nb, nir_jump_break);
      nir_pop_if(&s->nb, NULL);
      returns = false;
   }
   return spv_after_construct(
      s, r, (struct spv_flow) { merge->order != 0, returns }, merge, since);
}

/* --- Blocks ------------------------------------------------------------- */

static void
load_phis(struct spv *s, struct spv_block *b)
{
   const struct spv_function *f = b->function;

   for (unsigned i = 0; i < b->num_phis; i++) {
      const struct spv_phi *p = &f->phis[b->first_phi + i];
      struct spv_ssa *v;
      s->cur = p->words;
      v = spv_load(s, spv_pointer_to_var(s, p->var, p->type));
      spv_set_ssa(s, p->id, v);
   }
}

static void
store_phi(struct spv *s, const struct spv_phi *p,
          const struct spv_block *from)
{
   const uint32_t *w = p->words;

   s->cur = w;
   spv_check(s, (spv_count(w) - 3) % 2 == 0,
             "OpPhi: a variable without a parent (3.49.17)");
   for (unsigned i = 3; i < spv_count(w); i += 2) {
      struct spv_ssa *v;
      if (w[i + 1] != from->label)
         continue;
      v = spv_get_ssa(s, w[i]);
      spv_check(s, spv_same_type(v->type, p->type),
                "OpPhi: id %u has another type (3.49.17)", w[i]);
      spv_store(s, spv_pointer_to_var(s, p->var, p->type), v);
      return;
   }
   spv_fail(s, "OpPhi: no variable for predecessor %u (3.49.17)",
            from->label);
}

void
spv_emit_block(struct spv *s, struct spv_block *b)
{
   const uint32_t *end = b->merge ? b->merge : b->terminator;
   const uint32_t most = (uint32_t)MAX2(SPV_MAX_EMITTED, s->n_words);

   s->block = b;
   b->instance = b->function->instance;
   s->nb.location = spv_location(s, b->start);
   load_phis(s, b);
   for (const uint32_t *w = b->start + spv_count(b->start); w < end;
        w += spv_count(w)) {
      s->cur = w;
      if (++s->emitted > most)
         spv_unsupported(s, "more than %u instructions after inlining", most);
      if (spv_opcode(w) != SpvOpPhi)
         spv_handle_instruction(s, w);
   }
   for (unsigned i = 0; i < b->num_succs; i++) {
      const struct spv_block *to = b->succs[i];
      for (unsigned k = 0; k < to->num_phis; k++)
         store_phi(s, &b->function->phis[to->first_phi + k], b);
   }
   s->cur = b->terminator;
   s->nb.location = spv_location(s, s->cur);
}

static void
emit_kill(struct spv *s, unsigned op, struct spv_flow *flow)
{
   spv_check(s, s->stage == MESA_SHADER_FRAGMENT,
             "%s outside of a fragment shader (3.49.17)",
             spirv_opcode_name(op));
   if (op == SpvOpKill) {
      nir_discard(&s->nb);
      s->shader->info.fs.uses_discard = true;
   } else {
      nir_terminate(&s->nb);
      s->shader->info.fs.uses_discard = true;
   }
   /* A lane that is gone must not keep a loop going. */
   spv_tell_callers(s);
   if (spv_in_loop(s))
      spv_emit_return(s, flow);
   else
      flow->reaches = true;
}

static void
return_value(struct spv *s, const uint32_t *w, const struct spv_function *f)
{
   struct spv_construct *c = spv_function_construct(s);
   struct spv_ssa *v = spv_get_ssa(s, w[1]);

   spv_check(s, c->result && spv_same_type(v->type, f->type->elem),
             "OpReturnValue: not the result type of the function "
             "(3.49.17)");
   spv_store(s, spv_pointer_to_var(s, c->result, f->type->elem), v);
}

/* The terminator of b; the block to go on with in this region, or NULL. */
static struct spv_block *
emit_terminator(struct spv *s, struct spv_region *r, struct spv_block *b)
{
   const uint32_t *w = b->terminator;
   const bool selection = b->merge &&
                          spv_opcode(b->merge) == SpvOpSelectionMerge;

   switch (spv_opcode(w)) {
   case SpvOpBranch:
      spv_check(s, !selection,
                "OpSelectionMerge before an OpBranch (3.49.17)");
      return spv_go_to(s, label(s, w[1]), &r->flow);
   case SpvOpBranchConditional:
      if (selection)
         return emit_if(s, r, b);
      return emit_conditional_exit(s, r, b);
   case SpvOpSwitch:
      spv_check(s, selection, "OpSwitch without OpSelectionMerge (2.11)");
      return emit_switch(s, r, b);
   case SpvOpReturn:
      spv_check(s, b->function->type->elem->base == SPV_VOID,
                "OpReturn in a function with a result (3.49.17)");
      spv_emit_return(s, &r->flow);
      return NULL;
   case SpvOpReturnValue:
      return_value(s, w, b->function);
      spv_emit_return(s, &r->flow);
      return NULL;
   case SpvOpKill:
   case SpvOpTerminateInvocation:
      emit_kill(s, spv_opcode(w), &r->flow);
      return NULL;
   default:
      /* OpUnreachable: anything may follow. */
      r->flow.reaches = true;
      return NULL;
   }
}

static struct spv_flow
emit_region(struct spv *s, struct spv_block *b, bool header_of_loop)
{
   struct spv_region r = { { false, false }, NULL, 0 };

   if (++s->nesting > SPV_MAX_NESTING)
      spv_unsupported(s, "control flow nested more than %u deep",
                      SPV_MAX_NESTING);
   while (b) {
      if (b->merge && spv_opcode(b->merge) == SpvOpLoopMerge &&
          !header_of_loop) {
         b = emit_loop(s, &r, b);
         continue;
      }
      header_of_loop = false;
      spv_emit_block(s, b);
      b = emit_terminator(s, &r, b);
   }
   spv_close_ifs(s, &r);
   s->nesting--;
   return r.flow;
}

/* --- Functions ---------------------------------------------------------- */

void
spv_create_phi_variables(struct spv *s, struct spv_function *f)
{
   for (unsigned i = 0; i < f->num_phis; i++) {
      struct spv_phi *p = &f->phis[i];
      if (!p->block->order)
         continue;
      s->cur = p->words;
      p->type = spv_get_type(s, p->words[1]);
      p->var = spv_temp(s, p->type, "phi");
   }
}

/* The body of f at the cursor; the parameters are defined. */
void
spv_emit_function(struct spv *s, struct spv_function *f, nir_variable *result)
{
   struct spv_construct c;

   if (s->kernel) {
      spv_emit_unstructured(s, f, result);
      return;
   }
   if (f->active)
      spv_fail(s, "function %u calls itself (2.16.1)", f->id);
   f->active = true;
   f->instance++;
   spv_enter_construct(s, &c, CONSTRUCT_FUNCTION, NULL);
   c.result = result;
   c.left = spv_new_flag(s, "returned");
   spv_create_phi_variables(s, f);
   emit_region(s, f->blocks[0], false);
   spv_leave_construct(s);
   f->active = false;
}

static void
bind_parameter(struct spv *s, uint32_t id, struct spv_type *type,
               uint32_t arg, struct spv_block *entry)
{
   const struct spv_value *from = spv_untyped_value(s, arg);
   struct spv_value *to = &s->values[id];

   spv_check(s,
             from->type && from->kind != SPV_VALUE_TYPE &&
                spv_same_type(from->type, type),
             "OpFunctionCall: argument %u has another type (3.49.9)", arg);
   to->kind = from->kind;
   to->type = type;
   to->block = entry;
   switch (from->kind) {
   case SPV_VALUE_CONSTANT: to->constant = from->constant; break;
   case SPV_VALUE_UNDEF: break;
   case SPV_VALUE_POINTER:
      to->pointer = spv_pointer_as(s, id, from->pointer);
      break;
   case SPV_VALUE_SSA: to->ssa = from->ssa; break;
   case SPV_VALUE_IMAGE: to->image = spv_image_as(s, id, from->image); break;
   default:
      spv_fail(s, "OpFunctionCall: argument %u is no value (3.49.9)", arg);
   }
}

void
spv_handle_call(struct spv *s, const uint32_t *w)
{
   struct spv_function *f = spv_value(s, w[3], SPV_VALUE_FUNCTION)->function;
   struct spv_type *t = spv_get_type(s, w[1]);
   struct spv_block *block = s->block;
   const unsigned since = s->exit_serial;
   nir_variable *result = NULL;

   spv_check(s, spv_same_type(t, f->type->elem),
             "OpFunctionCall: not the function's result type (3.49.9)");
   spv_check(s, spv_count(w) - 4 == f->num_params,
             "OpFunctionCall: %u arguments of %u (3.49.9)", spv_count(w) - 4,
             f->num_params);
   if (f->active)
      spv_fail(s, "function %u calls itself (2.16.1)", f->id);
   for (unsigned i = 0; i < f->num_params; i++)
      bind_parameter(s, f->params[i], f->type->members[i], w[4 + i],
                     f->blocks[0]);
   if (t->base != SPV_VOID)
      result = spv_temp(s, t, "result");
   spv_emit_function(s, f, result);
   s->block = block;
   s->cur = w;
   s->nb.location = spv_location(s, w);
   spv_end_killed_block(s, since);
   if (result)
      spv_set_ssa(s, w[2], spv_load(s, spv_pointer_to_var(s, result, t)));
}
