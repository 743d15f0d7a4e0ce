/* SPDX-License-Identifier: MIT */
/* The constructs that the walk is in, and branches out of them. */
#include "compiler/spirv/spirv_cfg_private.h"

/* --- Constructs --------------------------------------------------------- */

nir_variable *
spv_new_flag(struct spv *s, const char *name)
{
   nir_variable *var = nir_new_local(s->nb.impl, glsl_bool_type(), name);

   nir_store_var(&s->nb, var, nir_imm_false(&s->nb), 1);
   return var;
}

void
spv_enter_construct(struct spv *s, struct spv_construct *c,
                    enum construct_kind kind, struct spv_block *merge)
{
   memset(c, 0, sizeof(*c));
   c->kind = kind;
   c->merge = merge;
   c->parent = s->construct;
   s->construct = c;
}

void
spv_leave_construct(struct spv *s)
{
   s->construct = s->construct->parent;
}

static void
set_left(struct spv *s, struct spv_construct *c)
{
   nir_store_var(&s->nb, c->left, nir_imm_true(&s->nb), 1);
   c->left_serial = ++s->exit_serial;
}

bool
spv_in_loop(const struct spv *s)
{
   for (const struct spv_construct *c = s->construct;
        c->kind != CONSTRUCT_FUNCTION; c = c->parent) {
      if (c->kind == CONSTRUCT_LOOP)
         return true;
   }
   return false;
}

struct spv_construct *
spv_function_construct(const struct spv *s)
{
   struct spv_construct *c = s->construct;

   while (c->kind != CONSTRUCT_FUNCTION)
      c = c->parent;
   return c;
}

void
spv_tell_callers(struct spv *s)
{
   const struct spv_construct *c = spv_function_construct(s)->parent;

   while (c && c->kind != CONSTRUCT_LOOP)
      c = c->parent;
   if (!c)
      return;
   if (!s->killed) {
      const nir_cursor here = s->nb.cursor;
      s->nb.cursor = nir_before_cf_list(&s->nb.impl->body);
      s->killed = spv_new_flag(s, "killed");
      s->nb.cursor = here;
   }
   nir_store_var(&s->nb, s->killed, nir_imm_true(&s->nb), 1);
   s->killed_serial = ++s->exit_serial;
}

void
spv_end_killed_block(struct spv *s, unsigned since)
{
   if (s->killed_serial <= since || !spv_in_loop(s))
      return;
   nir_push_if(&s->nb, nir_load_var(&s->nb, s->killed));
   set_left(s, spv_function_construct(s));
   nir_jump(&s->nb, nir_jump_break);
   nir_pop_if(&s->nb, NULL);
}

void
spv_open_if(struct spv *s, struct spv_region *r, nir_if *nif)
{
   struct nir_if_list *l = arena_new(s->arena, struct nir_if_list);

   l->nif = nif;
   l->next = r->open;
   r->open = l;
   r->num_open++;
   if (++s->nesting > SPV_MAX_NESTING)
      spv_unsupported(s, "control flow nested more than %u deep",
                      SPV_MAX_NESTING);
}

void
spv_close_ifs(struct spv *s, struct spv_region *r)
{
   for (struct nir_if_list *l = r->open; l; l = l->next)
      nir_pop_if(&s->nb, l->nif);
   s->nesting -= r->num_open;
}

/* --- Leaving a construct ------------------------------------------------ */

static void
leave_by_flag(struct spv *s, struct spv_construct *c, bool innermost,
              struct spv_flow *flow)
{
   if (innermost) {
      flow->reaches = true;
      return;
   }
   spv_check(s, c->kind != CONSTRUCT_IF,
             "a branch to the merge block of an outer selection (2.11)");
   set_left(s, c);
   flow->flagged = true;
}

struct spv_switch_case *
spv_find_case(const struct spv_construct *c, const struct spv_block *b)
{
   for (unsigned i = 0; i < c->num_cases; i++) {
      if (c->cases[i].block == b)
         return &c->cases[i];
   }
   return NULL;
}

void
spv_check_inline(struct spv *s, const struct spv_block *to)
{
   spv_check(s,
             spv_dominates(s->block, to) &&
                to->instance != to->function->instance,
             "a branch enters block %u from outside of its construct or "
             "leaves its own other than by break, continue or return (2.11)",
             to->label);
}

/* Emits a branch. Returns the block if it goes on there in place, else NULL
 * with *flow completed. */
struct spv_block *
spv_go_to(struct spv *s, struct spv_block *to, struct spv_flow *flow)
{
   bool innermost = true;

   for (struct spv_construct *c = s->construct; c->kind != CONSTRUCT_FUNCTION;
        c = c->parent, innermost = false) {
      if (c->kind == CONSTRUCT_LOOP) {
         if (to == c->merge) {
            nir_jump(&s->nb, nir_jump_break);
            return NULL;
         }
         if (to == c->header) {
            if (innermost)
               flow->reaches = true;
            else
               nir_jump(&s->nb, nir_jump_continue);
            return NULL;
         }
         break;
      }
      if (to == c->merge) {
         leave_by_flag(s, c, innermost, flow);
         return NULL;
      }
      if (c->kind == CONSTRUCT_SWITCH) {
         struct spv_switch_case *k = spv_find_case(c, to);
         if (k) {
            spv_check(s, k->fall,
                      "a branch to case %u of a switch from what is not the "
                      "case before it (2.11)",
                      to->label);
            nir_store_var(&s->nb, k->fall, nir_imm_true(&s->nb), 1);
            leave_by_flag(s, c, innermost, flow);
            return NULL;
         }
      }
   }
   spv_check_inline(s, to);
   return to;
}

void
spv_emit_return(struct spv *s, struct spv_flow *flow)
{
   struct spv_construct *f = spv_function_construct(s);

   if (s->construct == f) {
      flow->reaches = true;
      return;
   }
   set_left(s, f);
   if (spv_in_loop(s))
      nir_jump(&s->nb, nir_jump_break);
   else
      flow->flagged = true;
}

/*
 * After a construct that ends at `merge`: what comes next must not run on
 * paths that are leaving further. `since` is the serial from before.
 */
struct spv_block *
spv_after_construct(struct spv *s, struct spv_region *r,
                    struct spv_flow inner, struct spv_block *merge,
                    unsigned since)
{
   nir_value *skip = NULL;

   if (!inner.reaches || !merge->order) {
      r->flow.reaches |= inner.reaches;
      r->flow.flagged |= inner.flagged;
      return NULL;
   }
   for (struct spv_construct *c = s->construct; inner.flagged && c;
        c = c->parent) {
      if (c->left && c->left_serial > since) {
         nir_value *left = nir_load_var(&s->nb, c->left);
         skip = skip ? nir_ior(&s->nb, skip, left) : left;
      }
      if (c->kind == CONSTRUCT_FUNCTION)
         break;
   }
   if (!skip)
      return merge;
   spv_open_if(s, r, nir_push_if(&s->nb, nir_inot(&s->nb, skip)));
   r->flow.flagged = true;
   return merge;
}
