/* SPDX-License-Identifier: MIT */
/*
 * Common subexpressions: an instruction that computes what a dominating one
 * has computed already is replaced by that one.
 *
 * Method: a walk in program order with a hash table of instructions; two are
 * equal when type, opcode, constant indices and sources are (in either order
 * for commutative opcodes). Before: SSA. Cost: linear.
 */
#include "nir.h"

#include "util/hash_table.h"

static bool
may_share(const nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_alu:
      return nir_instr_as_alu(instr)->dest.dest.is_ssa;
   case nir_instr_type_load_const:
      return true;
   case nir_instr_type_deref:
      return nir_instr_as_deref(instr)->dest.is_ssa;
   case nir_instr_type_tex:
      return nir_instr_as_tex(instr)->dest.is_ssa;
   case nir_instr_type_intrinsic: {
      const nir_intrinsic_instr *i = nir_instr_as_intrinsic(instr);
      const unsigned both =
         NIR_INTRINSIC_CAN_ELIMINATE | NIR_INTRINSIC_CAN_REORDER;
      const nir_intrinsic_info *info = &nir_intrinsic_infos[i->intrinsic];
      return info->has_dest && (info->flags & both) == both &&
             i->dest.is_ssa;
   }
   default:
      return false;
   }
}

/*
 * Hash and equality
 */

static uint64_t
mix(uint64_t h, uint64_t v)
{
   h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
   return h * 0xff51afd7ed558ccdull;
}

static bool
hash_src(nir_src *src, void *state)
{
   uint64_t *h = state;
   /* A sum, so that the order of commutative sources does not matter. */
   *h += hash_key_ptr(src->is_ssa ? (const void *)src->ssa
                                  : (const void *)src->reg.reg) *
         0x9e3779b97f4a7c15ull;
   return true;
}

static uint64_t
hash_instr(nir_instr *instr)
{
   uint64_t h = instr->type, sources = 0;
   switch (instr->type) {
   case nir_instr_type_alu:
      h = mix(h, nir_instr_as_alu(instr)->op);
      break;
   case nir_instr_type_load_const: {
      const nir_load_const_instr *c = nir_instr_as_load_const(instr);
      h = mix(h, c->def.num_components * 100u + c->def.bit_size);
      for (unsigned i = 0; i < c->def.num_components; i++) {
         h = mix(h, nir_const_value_as_uint(c->value[i], c->def.bit_size));
      }
      break;
   }
   case nir_instr_type_deref: {
      const nir_deref_instr *d = nir_instr_as_deref(instr);
      h = mix(h, d->deref_type);
      if (d->deref_type == nir_deref_type_var)
         h = mix(h, hash_key_ptr(d->var));
      break;
   }
   case nir_instr_type_tex:
      h = mix(h, nir_instr_as_tex(instr)->op);
      break;
   case nir_instr_type_intrinsic: {
      const nir_intrinsic_instr *i = nir_instr_as_intrinsic(instr);
      h = mix(h, i->intrinsic);
      for (unsigned k = 0; k < nir_intrinsic_infos[i->intrinsic].num_indices;
           k++)
         h = mix(h, (uint32_t)i->const_index[k]);
      break;
   }
   default:
      break;
   }
   nir_foreach_src(instr, hash_src, &sources);
   return mix(h, sources);
}

static bool
equal_defs(const nir_ssa_def *a, const nir_ssa_def *b)
{
   return a->num_components == b->num_components &&
          a->bit_size == b->bit_size;
}

static bool
equal_alu(const nir_alu_instr *a, const nir_alu_instr *b)
{
   if (a->op != b->op || a->dest.saturate != b->dest.saturate ||
       !equal_defs(&a->dest.dest.ssa, &b->dest.dest.ssa))
      return false;
   const nir_op_info *info = &nir_op_infos[a->op];
   unsigned first = 0;
   if (info->algebraic_properties & NIR_OP_IS_2SRC_COMMUTATIVE) {
      const bool straight = nir_alu_srcs_equal(a, b, 0, 0) &&
                            nir_alu_srcs_equal(a, b, 1, 1);
      const bool crossed = nir_alu_srcs_equal(a, b, 0, 1) &&
                           nir_alu_srcs_equal(a, b, 1, 0);
      if (!straight && !crossed)
         return false;
      first = 2;
   }
   for (unsigned i = first; i < info->num_inputs; i++) {
      if (!nir_alu_srcs_equal(a, b, i, i))
         return false;
   }
   return true;
}

static bool
equal_deref(const nir_deref_instr *a, const nir_deref_instr *b)
{
   if (a->deref_type != b->deref_type || a->modes != b->modes ||
       a->type != b->type)
      return false;
   if (a->deref_type == nir_deref_type_var)
      return a->var == b->var;
   if (!nir_srcs_equal(a->parent, b->parent))
      return false;
   switch (a->deref_type) {
   case nir_deref_type_struct:
      return a->strct.index == b->strct.index;
   case nir_deref_type_array:
   case nir_deref_type_ptr_as_array:
      return nir_srcs_equal(a->arr.index, b->arr.index);
   case nir_deref_type_cast:
      return memcmp(&a->cast, &b->cast, sizeof(a->cast)) == 0;
   default:
      return true;
   }
}

static bool
equal_tex(const nir_tex_instr *a, const nir_tex_instr *b)
{
   if (a->op != b->op || a->num_srcs != b->num_srcs ||
       a->sampler_dim != b->sampler_dim || a->dest_type != b->dest_type ||
       a->coord_components != b->coord_components ||
       a->is_array != b->is_array || a->is_shadow != b->is_shadow ||
       a->is_new_style_shadow != b->is_new_style_shadow ||
       a->component != b->component ||
       a->texture_index != b->texture_index ||
       a->sampler_index != b->sampler_index ||
       memcmp(a->tg4_offsets, b->tg4_offsets, sizeof(a->tg4_offsets)) ||
       !equal_defs(&a->dest.ssa, &b->dest.ssa))
      return false;
   for (unsigned i = 0; i < a->num_srcs; i++) {
      if (a->src[i].src_type != b->src[i].src_type ||
          !nir_srcs_equal(a->src[i].src, b->src[i].src))
         return false;
   }
   return true;
}

static bool
equal_intrinsic(const nir_intrinsic_instr *a, const nir_intrinsic_instr *b)
{
   if (a->intrinsic != b->intrinsic ||
       a->num_components != b->num_components ||
       !equal_defs(&a->dest.ssa, &b->dest.ssa))
      return false;
   const nir_intrinsic_info *info = &nir_intrinsic_infos[a->intrinsic];
   for (unsigned i = 0; i < info->num_indices; i++) {
      if (a->const_index[i] != b->const_index[i])
         return false;
   }
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (!nir_srcs_equal(a->src[i], b->src[i]))
         return false;
   }
   return true;
}

static bool
equal_const(const nir_load_const_instr *a, const nir_load_const_instr *b)
{
   if (!equal_defs(&a->def, &b->def))
      return false;
   for (unsigned i = 0; i < a->def.num_components; i++) {
      if (nir_const_value_as_uint(a->value[i], a->def.bit_size) !=
          nir_const_value_as_uint(b->value[i], a->def.bit_size))
         return false;
   }
   return true;
}

static bool
equal_instrs(nir_instr *a, nir_instr *b)
{
   if (a->type != b->type)
      return false;
   switch (a->type) {
   case nir_instr_type_alu:
      return equal_alu(nir_instr_as_alu(a), nir_instr_as_alu(b));
   case nir_instr_type_load_const:
      return equal_const(nir_instr_as_load_const(a),
                         nir_instr_as_load_const(b));
   case nir_instr_type_deref:
      return equal_deref(nir_instr_as_deref(a), nir_instr_as_deref(b));
   case nir_instr_type_tex:
      return equal_tex(nir_instr_as_tex(a), nir_instr_as_tex(b));
   case nir_instr_type_intrinsic:
      return equal_intrinsic(nir_instr_as_intrinsic(a),
                             nir_instr_as_intrinsic(b));
   default:
      return false;
   }
}

/*
 * The walk
 */

/* Instructions with the same hash. */
struct candidate {
   nir_instr *instr;
   struct candidate *next;
};

struct cse {
   struct arena *arena;
   struct hash_table table; /* hash -> struct candidate */
};

/* Uses in the block of a loop header's own phis count as dominated: block
 * dominance is enough, since program order settles it inside of a block. */
static nir_instr *
find_equal(const struct cse *s, nir_instr *instr, uint64_t hash)
{
   for (struct candidate *c = hash_table_get(&s->table, hash); c;
        c = c->next) {
      if (nir_block_dominates(c->instr->block, instr->block) &&
          equal_instrs(c->instr, instr))
         return c->instr;
   }
   return NULL;
}

static bool
visit(struct cse *s, nir_instr *instr)
{
   if (!may_share(instr))
      return false;
   const uint64_t hash = hash_instr(instr);
   nir_instr *same = find_equal(s, instr, hash);
   if (same) {
      if (instr->type == nir_instr_type_alu) {
         /* Exact for one is exact for both. */
         nir_instr_as_alu(same)->exact |= nir_instr_as_alu(instr)->exact;
      }
      nir_ssa_def_rewrite_uses(nir_instr_ssa_def(instr),
                               nir_instr_ssa_def(same));
      nir_instr_remove(instr);
      return true;
   }
   struct candidate *c = arena_new(s->arena, struct candidate);
   c->instr = instr;
   c->next = hash_table_get(&s->table, hash);
   hash_table_insert(&s->table, hash, c);
   return false;
}

static bool
run_impl(nir_function_impl *impl)
{
   struct cse s = {.arena = arena_create(NULL)};
   bool progress = false;
   hash_table_init(&s.table);
   nir_metadata_require(impl, nir_metadata_dominance);
   nir_foreach_block(block, impl) {
      nir_foreach_instr_safe(instr, block)
         progress |= visit(&s, instr);
   }
   hash_table_finish(&s.table);
   arena_destroy(s.arena);
   nir_metadata_preserve(impl, progress ? nir_metadata_block_index |
                                             nir_metadata_dominance
                                        : nir_metadata_all);
   return progress;
}

bool
nir_opt_cse(nir_shader *shader)
{
   bool progress = false;
   nir_foreach_function(function, shader) {
      if (function->impl)
         progress |= run_impl(function->impl);
   }
   return progress;
}
