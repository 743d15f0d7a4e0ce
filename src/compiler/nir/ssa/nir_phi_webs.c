/* SPDX-License-Identifier: MIT */
/* Phi webs by union-find, nearly linear in the operands of phis. */
#include "nir_phi_webs.h"

#include "nir_live_range.h"
#include "ssa/union_find.h"

static void
join_sources(uint32_t *parent, nir_phi_instr *phi)
{
   const uint32_t own = phi->instr.result.index;
   nir_foreach_phi_source(src, phi) {
      if (!nir_use_is_undef(src->use))
         parent[union_find_root(parent, src->use.value->index)] =
            union_find_root(parent, own);
   }
}

static void
number_webs(struct nir_phi_webs *webs, nir_function_impl *impl,
            uint32_t *parent)
{
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block) {
         uint32_t *web =
            &webs->of[union_find_root(parent, phi->instr.result.index)];
         if (*web)
            continue;
         webs->like[webs->count] = &phi->instr.result;
         *web = ++webs->count;
      }
   }
   for (uint32_t i = 0; i < impl->num_values; i++)
      webs->of[i] = webs->of[union_find_root(parent, i)];
}

void
nir_find_phi_webs(struct nir_phi_webs *webs, nir_function_impl *impl,
                  struct arena *arena)
{
   uint32_t phis = 0;
   nir_number_values(impl);
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block)
         phis += phi != NULL;
   }
   *webs = (struct nir_phi_webs) {
      .of = arena_new_array(arena, uint32_t, impl->num_values + 1),
      .like = arena_new_array(arena, const nir_value *, phis + 1),
   };
   uint32_t *parent = arena_new_array(arena, uint32_t, impl->num_values + 1);
   for (uint32_t i = 0; i < impl->num_values; i++)
      parent[i] = i;
   nir_foreach_block(block, impl) {
      nir_foreach_phi(phi, block)
         join_sources(parent, phi);
   }
   number_webs(webs, impl, parent);
}

/* ---- what must hold ---- */

struct web_check {
   const struct nir_phi_webs *webs;
   struct nir_positions positions;
   struct nir_live_range *ranges; /* by web: of the values so far */
   const nir_value **member;      /* the last of these */
   const nir_value *a, *b;
};

static bool
check_value(nir_value *def, void *data)
{
   struct web_check *c = data;
   const uint32_t web = c->webs->of[def->index];
   struct nir_live_range range = { 0 }, edges = { 0 };
   if (!web)
      return true;
   nir_live_range_of_value(&c->positions, def, &range);
   if (def->instr->kind == nir_kind_phi) {
      nir_live_range_of_phi(&c->positions, nir_instr_as_phi(def->instr),
                            &edges);
      nir_live_range_join(&range, &edges);
   }
   const bool clash = nir_live_ranges_overlap(&c->ranges[web - 1], &range);
   if (clash) {
      c->a = c->member[web - 1];
      c->b = def;
      util_dynarray_fini(&range.spans);
   } else {
      nir_live_range_join(&c->ranges[web - 1], &range);
      c->member[web - 1] = def;
   }
   return !clash;
}

bool
nir_phi_webs_overlap(const struct nir_phi_webs *webs, nir_function_impl *impl,
                     const nir_value **a, const nir_value **b)
{
   struct arena *arena = arena_create(NULL);
   struct web_check c = {
      .webs = webs,
      .ranges =
         arena_new_array(arena, struct nir_live_range, webs->count + 1),
      .member = arena_new_array(arena, const nir_value *, webs->count + 1),
   };
   nir_find_positions(&c.positions, impl, arena);
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (!c.b)
            nir_visit_value(instr, check_value, &c);
      }
   }
   for (uint32_t w = 0; w < webs->count; w++)
      util_dynarray_fini(&c.ranges[w].spans);
   nir_positions_finish(&c.positions);
   arena_destroy(arena);
   *a = c.a;
   *b = c.b;
   return c.b != NULL;
}
