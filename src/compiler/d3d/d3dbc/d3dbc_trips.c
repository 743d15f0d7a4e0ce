/* SPDX-License-Identifier: MIT */
/*
 * Loops whose count is known, found in SSA for d3dbc_from_nir.
 *
 * NIR's loop runs until an if breaks. Where the loop analysis knows when that
 * is, and nothing is computed between the loop's start and that if, or
 * between that if and the loop's end, a rep of that count (or two whose
 * counts multiply to it) does without the if, its comparison, and often
 * without the counter.
 *
 * Uniforms whose byte offset is linear in the counter are c[aL + n] where the
 * profile has that; one stride a loop.
 */
#include "d3dbc_emit.h"

#define MAX_COUNT 255        /* of i#.x; so of its start */
#define MAX_TRIPS (1u << 17) /* that are looked for */

/* --- Counters ----------------------------------------------------------- */

struct linear {
   const nir_phi_instr *phi;
   int64_t mul, add;
};

static bool
const_alu_src(const nir_alu_instr *alu, unsigned i, int64_t *value)
{
   if (!nir_use_is_const(alu->src[i].use))
      return false;
   *value = nir_use_comp_as_int(alu->src[i].use, alu->src[i].swizzle[0]);
   return true;
}

/* def = mul * phi + add. */
static bool
find_linear(nir_value *def, struct linear *l)
{
   *l = (struct linear) { .mul = 1 };
   for (unsigned depth = 0; depth < 8; depth++) {
      const nir_instr *instr = def->instr;
      int64_t value;
      unsigned i = 1;
      if (instr->kind == nir_kind_phi) {
         l->phi = nir_instr_as_phi(instr);
         return llabs(l->mul) < 1 << 20 && llabs(l->add) < 1 << 20;
      }
      const nir_alu_instr *alu = nir_maybe_alu(instr);
      if (!alu)
         return false;
      if (alu->op == nir_op_mov) {
         def = alu->src[0].use.value;
         continue;
      }
      if (alu->op != nir_op_iadd && alu->op != nir_op_imul &&
          alu->op != nir_op_ishl)
         return false;
      if (!const_alu_src(alu, 1, &value)) {
         if (alu->op == nir_op_ishl || !const_alu_src(alu, 0, &value))
            return false;
         i = 0;
      }
      if (llabs(value) > 1 << 16 || llabs(l->mul) > 1 << 20)
         return false;
      if (alu->op == nir_op_iadd)
         l->add += l->mul * value;
      else
         l->mul *= alu->op == nir_op_imul ? value : 1ll << (value & 31);
      def = alu->src[1 - i].use.value;
   }
   return false;
}

/* What a phi of the loop's header begins with and how it goes on. */
static bool
find_induction(const nir_phi_instr *phi, nir_loop *loop, int64_t *start,
               int64_t *step)
{
   const nir_cf_node *before = nir_cf_node_prev(&loop->cf_node);
   bool has_start = false, has_step = false;

   if (phi->instr.block != nir_loop_first_block(loop))
      return false;
   nir_foreach_phi_source(src, (nir_phi_instr *)phi) {
      struct linear l;
      if (&src->pred->cf_node == before) {
         has_start = nir_use_is_const(src->use);
         *start = has_start ? nir_use_as_int(src->use) : 0;
         continue;
      }
      if (!find_linear(src->use.value, &l) || l.phi != phi || l.mul != 1 ||
          (has_step && *step != l.add))
         return false;
      *step = l.add;
      has_step = true;
   }
   return has_start && has_step && llabs(*start) < 1 << 20;
}

static bool
compare(nir_op op, int32_t a, int32_t b)
{
   switch (op) {
   case nir_op_ilt: return a < b;
   case nir_op_ige: return a >= b;
   case nir_op_ieq: return a == b;
   case nir_op_ine: return a != b;
   case nir_op_ult: return (uint32_t)a < (uint32_t)b;
   default: return (uint32_t)a >= (uint32_t)b;
   }
}

/* How often a terminator that compares a counter with a constant is passed;
 * UINT32_MAX: that is not known, or more often than is looked for. */
static unsigned
passes(const nir_loop_terminator *t, nir_loop *loop)
{
   const nir_instr *instr = t->conditional_instr;
   struct linear l;
   int64_t bound, start = 0, step = 0;
   unsigned side = 0;

   if (!instr || instr->kind != nir_kind_alu)
      return UINT32_MAX;
   const nir_alu_instr *alu = nir_instr_as_alu(instr);
   if (alu->op != nir_op_ilt && alu->op != nir_op_ige &&
       alu->op != nir_op_ieq && alu->op != nir_op_ine &&
       alu->op != nir_op_ult && alu->op != nir_op_uge)
      return UINT32_MAX;
   if (!const_alu_src(alu, 1, &bound)) {
      if (!const_alu_src(alu, 0, &bound))
         return UINT32_MAX;
      side = 1;
   }
   if (!find_linear(alu->src[side].use.value, &l) ||
       !find_induction(l.phi, loop, &start, &step))
      return UINT32_MAX;
   for (unsigned trip = 0; trip < MAX_TRIPS; trip++) {
      const int32_t v = (int32_t)(l.mul * (start + step * trip) + l.add);
      const int32_t n = (int32_t)bound;
      if ((side ? compare(alu->op, n, v) : compare(alu->op, v, n)) !=
          t->continue_from_then)
         return trip;
   }
   return UINT32_MAX;
}

/* The terminator that ends the loop first, of those that are known. */
static const nir_loop_terminator *
find_limit(nir_loop *loop, unsigned *trips)
{
   const nir_loop_info *info = loop->info;
   const nir_loop_terminator *limit = info ? info->limiting_terminator : NULL;

   *trips = limit ? info->max_trip_count : UINT32_MAX;
   if (!info || limit)
      return limit;
   list_for_each_entry(nir_loop_terminator, t, &info->loop_terminator_list,
                       link) {
      const unsigned n = passes(t, loop);
      if (n < *trips) {
         *trips = n;
         limit = t;
      }
   }
   return limit;
}

/* --- The if that a count replaces --------------------------------------- */

static bool
is_inside(const nir_cf_node *node, const nir_loop *loop)
{
   for (; node; node = node->parent) {
      if (node == &loop->cf_node)
         return true;
   }
   return false;
}

bool
d3dbc_used_outside(nir_value *def, const nir_loop *loop)
{
   nir_foreach_instr_use(src, def) {
      if (!is_inside(&src->instr->block->cf_node, loop))
         return true;
   }
   nir_foreach_if_use(src, def) {
      if (!is_inside(&src->nif->cf_node, loop))
         return true;
   }
   return false;
}

static bool
is_pure(const nir_instr *instr)
{
   return instr->kind == nir_kind_alu || instr->kind == nir_kind_load_const ||
          instr->kind == nir_kind_undef ||
          (instr->kind == nir_kind_intrinsic &&
           nir_intrinsic_infos[nir_instr_as_intrinsic(instr)->intrinsic]
                 .flags &
              NIR_INTRINSIC_CAN_ELIMINATE);
}

static bool
only_used_inside(nir_value *def, void *loop)
{
   return !d3dbc_used_outside(def, loop);
}

/* Whether one more or one less run of a block changes nothing outside. */
static bool
stays_inside(nir_block *block, nir_loop *loop, bool phis)
{
   nir_foreach_instr(instr, block) {
      const bool is_phi = instr->kind == nir_kind_phi;
      if (is_phi != phis)
         continue;
      if ((!is_phi && !is_pure(instr)) ||
          !nir_visit_value(instr, only_used_inside, loop))
         return false;
   }
   return true;
}

static bool
only_breaks(const nir_loop_terminator *t)
{
   struct list_head *list = t->continue_from_then ? &t->nif->else_list
                                                  : &t->nif->then_list;

   return nir_cf_list_first(list) == nir_cf_list_last(list) &&
          list_length(&t->break_block->instr_list) == 1;
}

/* How often rep has to run without the terminator; 0: that is not right. A
 * terminator at the start leaves before the body: after the loop, phis have
 * what the last iteration gave them, and are read again there; with other
 * breaks that is not known. One at the end leaves before they get it. */
static unsigned
exact_count(const nir_loop_terminator *t, unsigned trips, nir_loop *loop)
{
   nir_block *header = nir_loop_first_block(loop);
   nir_block *last = nir_loop_last_block(loop);
   nir_block *after = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
   const nir_instr *first = nir_block_first_instr(after);

   if (!only_breaks(t) || (first && first->kind == nir_kind_phi))
      return 0;
   if (nir_cf_node_next(&header->cf_node) == &t->nif->cf_node &&
       stays_inside(header, loop, false) &&
       (after->num_predecessors == 1 || stays_inside(header, loop, true)))
      return trips;
   if (nir_cf_node_next(&t->nif->cf_node) == &last->cf_node &&
       list_is_empty(&last->instr_list) &&
       nir_cf_list_is_empty_block(
          t->continue_from_then ? &t->nif->then_list : &t->nif->else_list) &&
       stays_inside(header, loop, true))
      return trips + 1;
   return 0;
}

/* One count, or two that multiply to it. */
static bool
split_count(struct d3dbc_emit_loop *l, unsigned n)
{
   for (unsigned b = 1; b <= MAX_COUNT && n; b++) {
      if (n % b || n / b > MAX_COUNT)
         continue;
      l->count[0] = n / b;
      l->count[1] = b > 1 ? b : 0;
      return true;
   }
   return false;
}

/* --- aL ----------------------------------------------------------------- */

static bool
ubo_of(struct d3dbc_emit *e, const nir_intrinsic_instr *load, unsigned *i)
{
   const nir_intrinsic_instr *res = nir_use_as_intrinsic(load->src[0]);

   for (*i = 0; res && *i < e->num_ubos; ++*i) {
      if ((unsigned)nir_intrinsic_desc_set(res) == e->ubo[*i].set &&
          (unsigned)nir_intrinsic_binding(res) == e->ubo[*i].binding)
         return true;
   }
   return false;
}

/* A load becomes c[aL + n] if it goes with the stride that aL has. */
static void
use_al(struct d3dbc_emit *e, struct d3dbc_emit_loop *l,
       nir_intrinsic_instr *load)
{
   struct linear offset;
   int64_t start = 0, step = 0;
   unsigned ubo;

   if (nir_use_is_const(load->src[1]) ||
       !find_linear(load->src[1].value, &offset) ||
       !find_induction(offset.phi, l->loop, &start, &step) ||
       !ubo_of(e, load, &ubo))
      return;
   const int64_t stride_B = offset.mul * step;
   const int64_t first_B = offset.mul * start + offset.add;
   const int64_t rows = stride_B / 16;
   /* aL counts from 0 up, or down to 0. */
   const int64_t al = rows < 0 ? -rows * (int64_t)(l->count[0] - 1) : 0;
   const int64_t reg = e->ubo[ubo].first + first_B / 16 - al;
   const unsigned comp = (unsigned)(first_B & 15) / 4;
   if (stride_B % 16 || !rows || rows < -128 || rows > 127 || first_B < 0 ||
       first_B % 4 || al > MAX_COUNT || reg < 0 || reg >= e->num_uniforms ||
       comp + load->instr.result.num_components > 4 ||
       (l->step && l->step != rows))
      return;
   l->step = (int)rows;
   l->start = (unsigned)al;
   const struct d3dbc_emit_al_load row = { load, (unsigned)reg, comp };
   util_dynarray_append(&e->al_loads, struct d3dbc_emit_al_load, row);
   nir_builder b;
   nir_builder_init(&b, e->impl);
   b.cursor = nir_before_instr(&load->instr);
   nir_set_use(&load->instr, &load->src[1], nir_undef(&b, 1, 32));
}

static void
find_al(struct d3dbc_emit *e, struct d3dbc_emit_loop *l)
{
   nir_block *last = nir_loop_last_block(l->loop);

   for (nir_block *block = nir_loop_first_block(l->loop);;
        block = nir_block_cf_tree_next(block)) {
      const nir_cf_node *around = block->cf_node.parent;
      while (around->type != nir_cf_node_loop)
         around = around->parent;
      if (around == &l->loop->cf_node) {
         nir_foreach_instr_safe(instr, block) {
            if (instr->kind == nir_kind_intrinsic &&
                nir_instr_as_intrinsic(instr)->intrinsic ==
                   nir_intrinsic_load_ubo &&
                util_dynarray_num_elements(&e->al_loads,
                                           struct d3dbc_emit_al_load) < 256)
               use_al(e, l, nir_instr_as_intrinsic(instr));
         }
      }
      if (block == last)
         break;
   }
}

/* --- Everything --------------------------------------------------------- */

static void
count_loop(struct d3dbc_emit *e, struct d3dbc_emit_loop *l)
{
   unsigned trips;
   const nir_loop_terminator *t = find_limit(l->loop, &trips);

   if (!t)
      return;
   l->trips = trips + 1;
   /* It may be passed less often. */
   if (t->exact_trip_count_unknown)
      return;
   if (!split_count(l, exact_count(t, trips, l->loop)))
      return;
   l->end = t->nif;
   l->at_start = nir_cf_node_prev(&t->nif->cf_node) ==
                    &nir_loop_first_block(l->loop)->cf_node &&
                 l->count[0] * MAX2(l->count[1], 1) == trips;
   l->runs_on = t->continue_from_then ? &t->nif->then_list
                                      : &t->nif->else_list;
   if (!e->pi->is_ps && !l->count[1])
      find_al(e, l);
}

void
d3dbc_count_trips(struct d3dbc_emit *e)
{
   bool progress = false;

   nir_metadata_require(e->impl, nir_metadata_loop_analysis,
                        nir_var_function_temp);
   nir_foreach_block(block, e->impl) {
      nir_loop *loop = nir_block_get_following_loop(block);
      struct d3dbc_emit_loop l = { .loop = loop };
      if (!loop)
         continue;
      count_loop(e, &l);
      if (!l.end && l.trips > D3DBC_EMIT_REPS)
         d3dbc_emit_fail(e, "a loop of %u iterations: rep in rep makes %u",
                         l.trips - 1, D3DBC_EMIT_REPS);
      util_dynarray_append(&e->trips, struct d3dbc_emit_loop, l);
   }
   /* What only the ends of loops have read goes. */
   util_dynarray_foreach(&e->trips, struct d3dbc_emit_loop, l) {
      if (!l->end)
         continue;
      nir_builder b;
      nir_builder_init(&b, e->impl);
      b.cursor = nir_before_impl(e->impl);
      nir_set_condition(l->end, nir_imm_false(&b));
   }
   NIR_PASS(progress, e->nir, nir_opt_dce);
   (void)progress;
}

const struct d3dbc_emit_loop *
d3dbc_loop_of(const struct d3dbc_emit *e, const nir_loop *loop)
{
   util_dynarray_foreach(&e->trips, struct d3dbc_emit_loop, l) {
      if (l->loop == loop)
         return l;
   }
   unreachable("loops were counted");
}

const struct d3dbc_emit_al_load *
d3dbc_al_load(const struct d3dbc_emit *e, const nir_intrinsic_instr *load)
{
   util_dynarray_foreach(&e->al_loads, struct d3dbc_emit_al_load, l) {
      if (l->load == load)
         return l;
   }
   return NULL;
}
