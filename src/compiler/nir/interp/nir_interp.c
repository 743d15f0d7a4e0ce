/* SPDX-License-Identifier: MIT */
/*
 * The interpreter: control flow by lane masks, ALU by the generated folder.
 *
 * Structured control flow needs no stack beyond C's: an if runs both sides
 * with its mask split, a loop runs its body until no lane is left in it.
 * Lanes that have jumped stay off until the construct they jumped to. Phis
 * look at the block that each lane came from.
 */
#include "nir_interp_private.h"

#include <stdarg.h>

#include "nir_private.h"
#include "util/guard.h"

#define DEFAULT_MAX_STEPS 1000000

void
interp_fail(struct nir_interp *s, const char *fmt, ...)
{
   if (s->error)
      return;
   va_list ap;
   va_start(ap, fmt);
   s->error = arena_vprintf(s->arena, fmt, ap);
   va_end(ap);
}

/* --- Values ------------------------------------------------------------- */

const nir_const_value *
interp_src(struct nir_interp *s, const nir_use *src, unsigned lane)
{
   return interp_def(s, src->value, lane);
}

nir_const_value *
interp_dest(struct nir_interp *s, const nir_value *dest, unsigned lane)
{
   return interp_def(s, dest, lane);
}

/* --- ALU ---------------------------------------------------------------- */

static void
gather_alu_srcs(struct nir_interp *s, nir_alu_instr *alu, unsigned lane,
                nir_const_value in[][NIR_MAX_VEC_COMPONENTS])
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const nir_operand *src = &alu->src[i];
      const nir_const_value *v = interp_src(s, &src->use, lane);
      for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
         if (!nir_operand_reads(alu, i, c))
            continue;
         in[i][c] = v[src->swizzle[c]];
      }
   }
}

/* Difference of two lanes of the quad; coarse ones take the first row or
 * column for all. */
static void
derivative(struct nir_interp *s, nir_alu_instr *alu, uint64_t mask)
{
   const nir_operand *src = &alu->src[0];
   const unsigned bits = src->use.value->bit_size;
   const bool y = alu->op == nir_op_fddy || alu->op == nir_op_fddy_fine ||
                  alu->op == nir_op_fddy_coarse;
   const bool fine = alu->op == nir_op_fddx_fine ||
                     alu->op == nir_op_fddy_fine;
   const unsigned n = alu->instr.result.num_components;
   nir_const_value out[MAX_LANES][NIR_MAX_VEC_COMPONENTS];
   FOREACH_LANE(lane, mask) {
      const unsigned quad = lane & ~3u, in_quad = lane & 3;
      const unsigned first = !fine ? 0 : y ? in_quad & 1 : in_quad & 2;
      const unsigned a = quad + first, b = a + (y ? 2 : 1);
      if (b >= s->lanes) {
         interp_fail(s, "a derivative in an incomplete quad");
         return;
      }
      const nir_const_value *va = interp_src(s, &src->use, a);
      const nir_const_value *vb = interp_src(s, &src->use, b);
      for (unsigned c = 0; c < n; c++) {
         nir_const_value p = va[src->swizzle[c]], q = vb[src->swizzle[c]];
         nir_const_value *srcs[2] = { &q, &p };
         nir_eval_const_opcode(nir_op_fsub, &out[lane][c], 1, bits, srcs, 0);
      }
   }
   /* Lanes read what others may write: a web has one place. */
   FOREACH_LANE(lane, mask)
      memcpy(interp_dest(s, &alu->instr.result, lane), out[lane],
             n * sizeof(out[lane][0]));
}

static void
run_alu(struct nir_interp *s, nir_alu_instr *alu, uint64_t mask)
{
   if (nir_op_is_derivative(alu->op)) {
      derivative(s, alu, mask);
      return;
   }
   const nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned n = alu->instr.result.num_components;
   const unsigned dest_bits = alu->instr.result.bit_size;
   unsigned bits = 0;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      if (!nir_type_bits(info->input[i].type))
         bits = alu->src[i].use.value->bit_size;
   }
   nir_const_value in[NIR_ALU_MAX_INPUTS][NIR_MAX_VEC_COMPONENTS];
   memset(in, 0, sizeof(in[0]) * info->num_inputs);
   nir_const_value *srcs[NIR_ALU_MAX_INPUTS];
   for (unsigned i = 0; i < info->num_inputs; i++)
      srcs[i] = in[i];
   FOREACH_LANE(lane, mask) {
      nir_const_value res[NIR_MAX_VEC_COMPONENTS];
      gather_alu_srcs(s, alu, lane, in);
      nir_eval_const_opcode(alu->op, res, n, bits ? bits : dest_bits, srcs,
                            s->shader->info.float_controls_execution_mode);
      nir_const_value *out = interp_dest(s, &alu->instr.result, lane);
      memcpy(out, res, n * sizeof(*out));
   }
}

/* --- Blocks ------------------------------------------------------------- */

static uint64_t
live_lanes(struct nir_interp *s, uint64_t mask)
{
   return mask & s->alive & ~s->broken & ~s->continued;
}

/* All phis read before any is written. */
static void
run_phis(struct nir_interp *s, nir_block *block, uint64_t mask)
{
   unsigned n = 0;
   nir_foreach_phi(phi, block)
      n += phi->instr.result.num_components;
   if (!n)
      return;
   nir_const_value *tmp = guard_alloc(n, sizeof(*tmp));
   FOREACH_LANE(lane, mask) {
      unsigned at = 0;
      nir_foreach_phi(phi, block) {
         const unsigned k = phi->instr.result.num_components;
         bool found = false;
         nir_foreach_phi_source(src, phi) {
            if (src->pred == s->prev[lane]) {
               memcpy(tmp + at, interp_src(s, &src->use, lane),
                      k * sizeof(*tmp));
               found = true;
            }
         }
         if (!found)
            interp_fail(s,
                        "block_%u: a phi without a source for the way "
                        "taken",
                        block->index);
         at += k;
      }
      at = 0;
      nir_foreach_phi(phi, block) {
         const unsigned k = phi->instr.result.num_components;
         memcpy(interp_dest(s, &phi->instr.result, lane), tmp + at,
                k * sizeof(*tmp));
         at += k;
      }
   }
   guard_free(tmp);
}

static void
run_jump(struct nir_interp *s, nir_jump_instr *jump, uint64_t mask)
{
   switch (jump->type) {
   case nir_jump_break: s->broken |= mask; break;
   case nir_jump_continue: s->continued |= mask; break;
   case nir_jump_return:
   case nir_jump_halt: s->alive &= ~mask; break;
   case nir_jump_goto:
   case nir_jump_goto_if:
      interp_fail(s, "control flow is to be structured before");
      break;
   }
}

static void
run_instr(struct nir_interp *s, nir_instr *instr, uint64_t mask)
{
   switch (instr->kind) {
   case nir_kind_alu: run_alu(s, nir_instr_as_alu(instr), mask); break;
   case nir_kind_deref:
      interp_deref(s, nir_instr_as_deref(instr), mask);
      break;
   case nir_kind_call:
      interp_fail(s, "calls are to be inlined before");
      break;
   case nir_kind_tex: interp_tex(s, nir_instr_as_tex(instr), mask); break;
   case nir_kind_intrinsic:
      interp_intrinsic(s, nir_instr_as_intrinsic(instr), mask);
      break;
   case nir_kind_load_const: {
      nir_load_const_instr *lc = nir_instr_as_load_const(instr);
      FOREACH_LANE(lane, mask)
         memcpy(interp_def(s, &lc->instr.result, lane), lc->value,
                lc->instr.result.num_components * sizeof(*lc->value));
      break;
   }
   case nir_kind_jump: run_jump(s, nir_instr_as_jump(instr), mask); break;
   case nir_kind_undef: {
      nir_value *def = &instr->result;
      FOREACH_LANE(lane, mask) {
         for (unsigned c = 0; c < def->num_components; c++)
            interp_def(s, def, lane)[c] = nir_const_value_for_raw_uint(
               s->params->undefined, def->bit_size);
      }
      break;
   }
   case nir_kind_phi: break;
   }
}

static void
run_block(struct nir_interp *s, nir_block *block, uint64_t mask)
{
   mask = live_lanes(s, mask);
   if (!mask)
      return;
   const uint64_t limit = s->params->max_steps ? s->params->max_steps
                                               : DEFAULT_MAX_STEPS;
   if (++s->steps > limit) {
      interp_fail(s, "more than %llu blocks executed: an endless loop?",
                  (unsigned long long)limit);
      return;
   }
   if (!s->params->webs)
      run_phis(s, block, mask);
   nir_foreach_instr(instr, block) {
      if (s->error)
         return;
      /* A terminate in the block takes lanes away. */
      const uint64_t now = live_lanes(s, mask);
      if (now)
         run_instr(s, instr, now);
   }
   FOREACH_LANE(lane, mask)
      s->prev[lane] = block;
}

/* --- Control flow ------------------------------------------------------- */

static void run_list(struct nir_interp *s, struct list_head *list,
                     uint64_t mask);

static void
run_if(struct nir_interp *s, nir_if *nif, uint64_t mask)
{
   mask = live_lanes(s, mask);
   const unsigned bits = nif->condition.value->bit_size;
   uint64_t then_mask = 0;
   FOREACH_LANE(lane, mask) {
      if (nir_const_value_as_bool(interp_src(s, &nif->condition, lane)[0],
                                  bits))
         then_mask |= 1ull << lane;
   }
   run_list(s, &nif->then_list, then_mask);
   run_list(s, &nif->else_list, mask & ~then_mask);
}

static void
run_loop(struct nir_interp *s, nir_loop *loop, uint64_t mask)
{
   const uint64_t outer_broken = s->broken, outer_continued = s->continued;
   s->broken = s->continued = 0;
   mask &= ~(outer_broken | outer_continued);
   while (live_lanes(s, mask) && !s->error) {
      s->continued = 0;
      run_list(s, &loop->body, mask);
      s->continued = 0;
   }
   s->broken = outer_broken;
   s->continued = outer_continued;
}

static void
run_list(struct nir_interp *s, struct list_head *list, uint64_t mask)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (s->error || !live_lanes(s, mask))
         return;
      switch (node->type) {
      case nir_cf_node_block:
         run_block(s, nir_cf_node_as_block(node), mask);
         break;
      case nir_cf_node_if: run_if(s, nir_cf_node_as_if(node), mask); break;
      case nir_cf_node_loop:
         run_loop(s, nir_cf_node_as_loop(node), mask);
         break;
      case nir_cf_node_function: unreachable("a function is in no list");
      }
   }
}

/* --- The whole ---------------------------------------------------------- */

struct layout {
   struct nir_interp *s;
   uint32_t next;
};

static bool
place_def(nir_value *def, void *state)
{
   struct layout *l = state;
   l->s->offsets[def->index] = l->next;
   l->next += def->num_components * l->s->lanes;
   return true;
}

/* The place of its web's first phi. */
static bool
place_in_web(nir_value *def, void *state)
{
   struct nir_interp *s = ((struct layout *)state)->s;
   s->offsets[def->index] =
      s->offsets[nir_web_value(s->params->webs, def)->index];
   return true;
}

static void
place_defs(struct nir_interp *s)
{
   struct layout l = { s, 0 };
   s->offsets = arena_new_array(s->arena, uint32_t, s->impl->num_values);
   nir_foreach_block(block, s->impl) {
      nir_foreach_instr(instr, block)
         nir_visit_value(instr, place_def, &l);
   }
   nir_foreach_block(block, s->impl) {
      nir_foreach_instr(instr, block) {
         if (s->params->webs)
            nir_visit_value(instr, place_in_web, &l);
      }
   }
   s->values = arena_new_array(s->arena, nir_const_value, l.next);
}

const char *
nir_interp_run(nir_shader *shader, struct nir_interp_params *params,
               struct arena *arena)
{
   struct nir_interp state = {
      .shader = shader,
      .impl = nir_entry_point(shader),
      .params = params,
      .arena = arena_create(NULL),
      .lanes = params->num_lanes,
   };
   struct nir_interp *s = &state;
   if (s->lanes == 0 || s->lanes > MAX_LANES)
      return arena_printf(arena, "%u lanes: must be 1 to %u", s->lanes,
                          MAX_LANES);
   const uint64_t all = BITFIELD64_MASK(s->lanes);
   s->alive = all;
   hash_table_init(&s->vars);
   nir_number_blocks(s->impl);
   place_defs(s);
   run_list(s, &s->impl->body, all);
   params->killed = s->killed;
   const char *error = s->error ? arena_strdup(arena, s->error) : NULL;
   hash_table_finish(&s->vars);
   arena_destroy(s->arena);
   return error;
}
