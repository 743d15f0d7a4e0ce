/* SPDX-License-Identifier: MIT */
/*
 * Values between blocks: only registers (and temporaries) survive a branch.
 *
 * A scalar that is read in another block than the one that makes it, and
 * each phi, is a variable with one place. Predecessors write a phi's place
 * at their end. As a block that ends before a phi has one successor, the
 * phi's last value is dead there: phis need no copies of their own (and what
 * must happen at once when phis swap is for gp_from_nir.c).
 *
 * Two variables interfere when both live at the begin or both at the end of
 * a block. One that dies in a block and one that is made there can share a
 * place: the graph orders the reads before the write. Places are given by
 * weight, a phi's preferably where its sources are. Some registers stay
 * free, so that every block has what gp_sched.c needs; what does not fit is
 * in temporaries.
 */
#include "gp_build.h"

/* Registers that blocks have for themselves. */
#define LOCAL_REGISTERS 4
#define MAX_SCALARS ((GP_NUM_REGISTERS - LOCAL_REGISTERS) * 4)

nir_component
gpc_origin(const nir_use *src, unsigned comp)
{
   return nir_component_through_movs(nir_component_of(src->value, comp));
}

bool
gpc_is_load(nir_component s)
{
   const nir_instr *instr = s.def->instr;

   if (instr->kind == nir_kind_load_const || instr->kind == nir_kind_undef)
      return true;
   const nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return false;
   return intr->intrinsic == nir_intrinsic_load_input ||
          (intr->intrinsic == nir_intrinsic_load_uniform &&
           nir_use_is_const(intr->src[0]));
}

struct gpc_var *
gpc_var_of(struct gpc_build *b, nir_component s)
{
   const int32_t v = b->var_of[s.def->index];

   return v < 0 ? NULL : &b->vars[v];
}

/* ---- uses ---- */

typedef void (*use_fn)(struct gpc_build *b, nir_component s,
                       nir_block *block);

static void
visit_src(struct gpc_build *b, const nir_use *src, unsigned comp,
          nir_block *block, use_fn fn)
{
   const nir_component s = gpc_origin(src, comp);

   if (!gpc_is_load(s))
      fn(b, s, block);
}

static void
visit_alu(struct gpc_build *b, nir_alu_instr *alu, use_fn fn)
{
   if (alu->op == nir_op_mov || nir_op_is_vec(alu->op))
      return; /* its readers read through it */
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
      const unsigned n = nir_operand_components(alu, i);
      for (unsigned c = 0; c < n; c++)
         visit_src(b, &alu->src[i].use, alu->src[i].swizzle[c],
                   alu->instr.block, fn);
   }
}

static void
visit_block(struct gpc_build *b, nir_block *block, use_fn fn)
{
   nir_foreach_instr(instr, block) {
      if (instr->kind == nir_kind_alu)
         visit_alu(b, nir_instr_as_alu(instr), fn);
      else if (instr->kind == nir_kind_intrinsic) {
         nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
         for (unsigned i = 0;
              i < nir_intrinsic_infos[intr->intrinsic].num_srcs; i++) {
            for (unsigned c = 0; c < intr->src[i].value->num_components; c++)
               visit_src(b, &intr->src[i], c, block, fn);
         }
      } else if (instr->kind == nir_kind_phi) {
         nir_phi_instr *phi = nir_instr_as_phi(instr);
         nir_foreach_phi_source(src, phi)
            visit_src(b, &src->use, 0, src->pred, fn);
      }
   }
   nir_if *nif = nir_block_get_following_if(block);
   if (nif)
      visit_src(b, &nif->condition, 0, block, fn);
}

static void
add_var(struct gpc_build *b, nir_component s)
{
   if (b->var_of[s.def->index] >= 0)
      return;
   if (s.def->num_components > 1) {
      gpc_error(b, s.def->instr, "vector that crosses blocks");
      return;
   }
   b->var_of[s.def->index] = (int32_t)b->num_vars;
   b->vars[b->num_vars++] =
      (struct gpc_var) { .def = s, .reg = -1, .temp = -1 };
}

static void
find_vars(struct gpc_build *b, nir_component s, nir_block *block)
{
   if (s.def->instr->block != block)
      add_var(b, s);
}

static unsigned
loop_depth(const nir_block *block)
{
   unsigned depth = 0;

   for (const nir_cf_node *n = block->cf_node.parent; n; n = n->parent)
      depth += n->type == nir_cf_node_loop;
   return depth;
}

static void
note_use(struct gpc_build *b, nir_component s, nir_block *block)
{
   struct gpc_var *v = gpc_var_of(b, s);

   if (!v)
      return;
   v->weight += (float)(1u << (3 * MIN2(loop_depth(block), 4u)));
   if (s.def->instr->block != block || s.def->instr->kind == nir_kind_phi)
      BITSET_SET(b->live_in[block->index], (unsigned)(v - b->vars));
}

/* ---- liveness ---- */

/* Variables that the block writes: values at their definition, phis of the
 * successor at the end. */
static void
find_defs(struct gpc_build *b, nir_block *block, BITSET_WORD *defs)
{
   for (unsigned i = 0; i < b->num_vars; i++) {
      const nir_instr *instr = b->vars[i].def.def->instr;
      if (instr->kind != nir_kind_phi && instr->block == block)
         BITSET_SET(defs, i);
   }
   if (!block->successors[0] || block->successors[1])
      return;
   nir_foreach_phi(phi, block->successors[0])
      BITSET_SET(defs, (unsigned)b->var_of[phi->instr.result.index]);
}

static void
compute_liveness(struct gpc_build *b)
{
   const unsigned words = BITSET_WORDS(b->num_vars);
   const unsigned n = b->impl->num_blocks;
   BITSET_WORD **defs = arena_new_array(b->arena, BITSET_WORD *, n);
   bool progress = true;

   b->live_in = arena_new_array(b->arena, BITSET_WORD *, n);
   b->live_out = arena_new_array(b->arena, BITSET_WORD *, n);
   for (unsigned i = 0; i < n; i++) {
      b->live_in[i] = arena_new_array(b->arena, BITSET_WORD, words + 1);
      b->live_out[i] = arena_new_array(b->arena, BITSET_WORD, words + 1);
      defs[i] = arena_new_array(b->arena, BITSET_WORD, words + 1);
   }
   nir_foreach_block(block, b->impl) {
      visit_block(b, block, note_use);
      find_defs(b, block, defs[block->index]);
   }
   while (progress) {
      progress = false;
      nir_foreach_block_reverse(block, b->impl) {
         BITSET_WORD *in = b->live_in[block->index];
         BITSET_WORD *out = b->live_out[block->index];
         for (unsigned k = 0; k < 2; k++) {
            if (block->successors[k] &&
                block->successors[k] != b->impl->end_block)
               progress |= bitset_union(
                  out, b->live_in[block->successors[k]->index], words);
         }
         for (unsigned w = 0; w < words; w++) {
            const BITSET_WORD more = out[w] & ~defs[block->index][w] & ~in[w];
            in[w] |= more;
            progress |= more != 0;
         }
      }
   }
}

/* ---- places ---- */

/* Variables that live where `var` lives. */
static void
add_neighbours(const BITSET_WORD *live, unsigned var, unsigned words,
               BITSET_WORD *neighbours)
{
   if (BITSET_TEST(live, var))
      bitset_union(neighbours, live, words);
}

static void
find_taken(const struct gpc_build *b, unsigned var, BITSET_WORD *neighbours,
           BITSET_WORD *taken)
{
   const unsigned words = BITSET_WORDS(b->num_vars);

   memset(neighbours, 0, words * sizeof(*neighbours));
   nir_foreach_block(block, b->impl) {
      add_neighbours(b->live_in[block->index], var, words, neighbours);
      add_neighbours(b->live_out[block->index], var, words, neighbours);
   }
   for (unsigned i = 0; i < b->num_vars; i++) {
      if (i == var || !BITSET_TEST(neighbours, i))
         continue;
      if (b->vars[i].reg >= 0)
         BITSET_SET(taken, (unsigned)b->vars[i].reg);
      else if (b->vars[i].temp >= 0)
         BITSET_SET(taken, 64 + (unsigned)b->vars[i].temp);
   }
}

/* The place of a phi's source or of a phi that reads the variable. */
static int32_t
preferred(struct gpc_build *b, unsigned var, const BITSET_WORD *taken)
{
   const nir_value *def = b->vars[var].def.def;

   if (def->instr->kind == nir_kind_phi) {
      nir_phi_instr *phi = nir_instr_as_phi(def->instr);
      nir_foreach_phi_source(src, phi) {
         const struct gpc_var *v = gpc_var_of(b, gpc_origin(&src->use, 0));
         if (v && v->reg >= 0 && !BITSET_TEST(taken, (unsigned)v->reg))
            return v->reg;
      }
   }
   nir_foreach_instr_use(use, def) {
      nir_phi_instr *phi = nir_maybe_phi(use->instr);
      if (!phi)
         continue;
      const struct gpc_var *v =
         gpc_var_of(b, nir_component_of(&phi->instr.result, 0));
      if (v && v->reg >= 0 && !BITSET_TEST(taken, (unsigned)v->reg))
         return v->reg;
   }
   return -1;
}

static void
place_var(struct gpc_build *b, unsigned var, BITSET_WORD *neighbours,
          BITSET_WORD *taken)
{
   struct gpc_var *v = &b->vars[var];

   memset(taken, 0, BITSET_WORDS(64 + b->num_vars) * sizeof(*taken));
   find_taken(b, var, neighbours, taken);
   v->reg = preferred(b, var, taken);
   for (unsigned r = 0; r < MAX_SCALARS && v->reg < 0; r++) {
      if (!BITSET_TEST(taken, r))
         v->reg = (int32_t)r;
   }
   for (unsigned t = 0; v->reg < 0 && v->temp < 0; t++) {
      if (!BITSET_TEST(taken, 64 + t))
         v->temp = (int32_t)t;
   }
   if (v->temp >= 0)
      b->num_temps = MAX2(b->num_temps, (unsigned)v->temp / 4 + 1);
}

static int
by_weight(const void *pa, const void *pb, void *data)
{
   const uint32_t x = *(const uint32_t *)pa, y = *(const uint32_t *)pb;
   const struct gpc_var *vars = data;
   const float wx = vars[x].weight, wy = vars[y].weight;

   return wx != wy ? (wx < wy ? 1 : -1) : (x > y) - (x < y);
}

void
gpc_allocate(struct gpc_build *b)
{
   const unsigned n = b->impl->num_values;

   nir_metadata_require(b->impl, nir_metadata_block_index);
   b->var_of = arena_new_array(b->arena, int32_t, n);
   b->vars = arena_new_array(b->arena, struct gpc_var, n);
   for (unsigned i = 0; i < n; i++)
      b->var_of[i] = -1;
   nir_foreach_block(block, b->impl) {
      nir_foreach_phi(phi, block)
         add_var(b, nir_component_of(&phi->instr.result, 0));
      visit_block(b, block, find_vars);
   }
   compute_liveness(b);

   uint32_t *order = arena_new_array(b->arena, uint32_t, b->num_vars);
   for (unsigned i = 0; i < b->num_vars; i++)
      order[i] = i;
   /* Without pressure, neighbours stay neighbours. */
   if (b->num_vars > MAX_SCALARS)
      qsort_r(order, b->num_vars, sizeof(*order), by_weight, b->vars);
   BITSET_WORD *sets = arena_new_array(b->arena, BITSET_WORD,
                                       2 * BITSET_WORDS(64 + b->num_vars));
   for (unsigned i = 0; i < b->num_vars; i++)
      place_var(b, order[i], sets, sets + BITSET_WORDS(64 + b->num_vars));
   /* After the arrays. */
   for (unsigned i = 0; i < b->num_vars; i++) {
      if (b->vars[i].temp >= 0)
         b->vars[i].temp += (int32_t)b->memory.array_vec4s * 4;
   }
   b->num_temps += b->memory.array_vec4s;
   b->program->cross_block = b->num_vars;
}

uint64_t
gpc_reserved_registers(const struct gpc_build *b, const nir_block *block)
{
   uint64_t mask = 0;

   for (unsigned i = 0; i < b->num_vars; i++) {
      if (b->vars[i].reg >= 0 && (BITSET_TEST(b->live_in[block->index], i) ||
                                  BITSET_TEST(b->live_out[block->index], i)))
         mask |= BITFIELD64_BIT(b->vars[i].reg);
   }
   return mask;
}
