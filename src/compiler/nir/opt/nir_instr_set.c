/* SPDX-License-Identifier: MIT */
/* When do two instructions compute the same? */
#include "nir_instr_set.h"

#include "nir_private.h"
#include "util/hash_table.h"

bool
nir_instr_can_be_merged(const nir_instr *instr)
{
   nir_value *def = nir_instr_value((nir_instr *)instr);
   if (!def)
      return false;
   switch (instr->kind) {
   case nir_kind_alu:
   case nir_kind_load_const:
   case nir_kind_deref:
   case nir_kind_phi: return true;
   case nir_kind_tex: return !nir_instr_as_tex(instr)->is_sparse;
   case nir_kind_intrinsic: {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      return nir_intrinsic_can_reorder(intr);
   }
   default: return false;
   }
}

/* --- Hashing ------------------------------------------------------------ */

static uint64_t
mix(uint64_t h, uint64_t v)
{
   h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
   return h * 0xff51afd7ed558ccdull;
}

static uint64_t
hash_src(uint64_t h, const nir_use *src)
{
   return mix(h, hash_key_ptr(src->value));
}

static uint64_t
hash_alu_src(const nir_alu_instr *alu, unsigned i)
{
   uint64_t h = hash_src(0, &alu->src[i].use);
   const unsigned n = nir_operand_components(alu, i);
   for (unsigned c = 0; c < n; c++)
      h = mix(h, alu->src[i].swizzle[c]);
   return h;
}

static bool
commutes(const nir_alu_instr *alu)
{
   return nir_op_infos[alu->op].is_commutative;
}

static uint64_t
hash_alu(uint64_t h, const nir_alu_instr *alu)
{
   h = mix(h, alu->op | (uint64_t)alu->instr.result.num_components << 32 |
                 (uint64_t)alu->instr.result.bit_size << 40);
   unsigned i = 0;
   if (commutes(alu)) {
      /* The same for either order. */
      h = mix(h, hash_alu_src(alu, 0) + hash_alu_src(alu, 1));
      i = 2;
   }
   for (; i < nir_op_infos[alu->op].num_inputs; i++)
      h = mix(h, hash_alu_src(alu, i));
   return h;
}

static uint64_t
hash_deref(uint64_t h, const nir_deref_instr *d)
{
   h = mix(h, d->deref_type | (uint64_t)d->modes << 8);
   h = mix(h, hash_key_ptr(d->type));
   if (d->deref_type == nir_deref_type_var)
      return mix(h, hash_key_ptr(d->var));
   h = hash_src(h, &d->parent);
   if (d->deref_type == nir_deref_type_struct)
      h = mix(h, d->member);
   if (d->deref_type == nir_deref_type_array ||
       d->deref_type == nir_deref_type_ptr_as_array)
      h = hash_src(h, &d->index);
   return h;
}

static uint64_t
hash_intrinsic(uint64_t h, const nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   h = mix(h, intr->intrinsic | (uint64_t)intr->num_components << 32 |
                 (uint64_t)intr->instr.result.bit_size << 40);
   for (unsigned i = 0; i < info->num_indices; i++)
      h = mix(h, (uint32_t)intr->const_index[i]);
   for (unsigned i = 0; i < info->num_srcs; i++)
      h = hash_src(h, &intr->src[i]);
   return h;
}

uint64_t
nir_instr_hash(const nir_instr *instr)
{
   uint64_t h = instr->kind;
   switch (instr->kind) {
   case nir_kind_alu: return hash_alu(h, nir_instr_as_alu(instr));
   case nir_kind_deref: return hash_deref(h, nir_instr_as_deref(instr));
   case nir_kind_load_const: {
      nir_load_const_instr *lc = nir_instr_as_load_const(instr);
      h = mix(h, lc->instr.result.num_components | lc->instr.result.bit_size
                                                      << 8);
      for (unsigned c = 0; c < lc->instr.result.num_components; c++)
         h = mix(h, nir_const_value_as_uint(lc->value[c],
                                            lc->instr.result.bit_size));
      return h;
   }
   case nir_kind_phi: {
      h = mix(h, hash_key_ptr(instr->block));
      uint64_t sum = 0;
      nir_foreach_phi_source(src, nir_instr_as_phi(instr))
         sum += hash_src(hash_key_ptr(src->pred), &src->use);
      return mix(h, sum);
   }
   case nir_kind_tex: {
      nir_tex_instr *tex = nir_instr_as_tex(instr);
      h = mix(h, tex->op | tex->instr.num_operands << 8);
      h = mix(h, tex->texture_index | (uint64_t)tex->sampler_index << 32);
      for (unsigned i = 0; i < tex->instr.num_operands; i++)
         h = hash_src(mix(h, tex->src[i].src_type), &tex->src[i].use);
      return h;
   }
   case nir_kind_intrinsic:
      return hash_intrinsic(h, nir_instr_as_intrinsic(instr));
   default: unreachable("only what can be merged is hashed");
   }
}

/* --- Comparing ---------------------------------------------------------- */

static bool
alus_equal(const nir_alu_instr *a, const nir_alu_instr *b)
{
   if (a->op != b->op ||
       a->instr.result.num_components != b->instr.result.num_components ||
       a->instr.result.bit_size != b->instr.result.bit_size)
      return false;
   unsigned i = 0;
   if (commutes(a)) {
      if (!(nir_operands_equal(a, b, 0, 0) &&
            nir_operands_equal(a, b, 1, 1)) &&
          !(nir_operands_equal(a, b, 0, 1) && nir_operands_equal(a, b, 1, 0)))
         return false;
      i = 2;
   }
   for (; i < nir_op_infos[a->op].num_inputs; i++) {
      if (!nir_operands_equal(a, b, i, i))
         return false;
   }
   return true;
}

static bool
derefs_equal(const nir_deref_instr *a, const nir_deref_instr *b)
{
   if (a->deref_type != b->deref_type || a->modes != b->modes ||
       a->type != b->type)
      return false;
   if (a->deref_type == nir_deref_type_var)
      return a->var == b->var;
   if (!nir_uses_equal(a->parent, b->parent))
      return false;
   switch (a->deref_type) {
   case nir_deref_type_struct: return a->member == b->member;
   case nir_deref_type_array:
   case nir_deref_type_ptr_as_array:
      return nir_uses_equal(a->index, b->index);
   case nir_deref_type_cast:
      return a->cast.ptr_stride == b->cast.ptr_stride &&
             a->cast.align_mul == b->cast.align_mul &&
             a->cast.align_offset == b->cast.align_offset;
   default: return true;
   }
}

static bool
load_consts_equal(const nir_load_const_instr *a,
                  const nir_load_const_instr *b)
{
   if (a->instr.result.num_components != b->instr.result.num_components ||
       a->instr.result.bit_size != b->instr.result.bit_size)
      return false;
   for (unsigned c = 0; c < a->instr.result.num_components; c++) {
      if (nir_const_value_as_uint(a->value[c], a->instr.result.bit_size) !=
          nir_const_value_as_uint(b->value[c], b->instr.result.bit_size))
         return false;
   }
   return true;
}

static bool
phis_equal(nir_phi_instr *a, nir_phi_instr *b)
{
   if (a->instr.block != b->instr.block)
      return false;
   nir_foreach_phi_source(sa, a) {
      bool same = false;
      nir_foreach_phi_source(sb, b)
         same |= sa->pred == sb->pred && nir_uses_equal(sa->use, sb->use);
      if (!same)
         return false;
   }
   return true;
}

static bool
texs_equal(const nir_tex_instr *a, const nir_tex_instr *b)
{
   if (a->op != b->op || a->instr.num_operands != b->instr.num_operands ||
       a->coord_components != b->coord_components ||
       a->sampler_dim != b->sampler_dim || a->is_array != b->is_array ||
       a->is_shadow != b->is_shadow ||
       a->is_new_style_shadow != b->is_new_style_shadow ||
       a->component != b->component || a->dest_type != b->dest_type ||
       a->texture_index != b->texture_index ||
       a->sampler_index != b->sampler_index ||
       a->backend_flags != b->backend_flags ||
       a->array_is_lowered_cube != b->array_is_lowered_cube ||
       memcmp(a->tg4_offsets, b->tg4_offsets, sizeof(a->tg4_offsets)))
      return false;
   for (unsigned i = 0; i < a->instr.num_operands; i++) {
      if (a->src[i].src_type != b->src[i].src_type ||
          !nir_uses_equal(a->src[i].use, b->src[i].use))
         return false;
   }
   return true;
}

static bool
intrinsics_equal(const nir_intrinsic_instr *a, const nir_intrinsic_instr *b)
{
   if (a->intrinsic != b->intrinsic ||
       a->num_components != b->num_components ||
       a->instr.result.num_components != b->instr.result.num_components ||
       a->instr.result.bit_size != b->instr.result.bit_size)
      return false;
   const unsigned indices = nir_intrinsic_infos[a->intrinsic].num_indices;
   if (memcmp(a->const_index, b->const_index,
              indices * sizeof(a->const_index[0])))
      return false;
   unsigned same = 0;
   while (same < a->instr.num_operands &&
          nir_uses_equal(a->src[same], b->src[same]))
      same++;
   return same == a->instr.num_operands;
}

bool
nir_instrs_equal(const nir_instr *a, const nir_instr *b)
{
   if (a->kind != b->kind)
      return false;
   switch (a->kind) {
   case nir_kind_alu:
      return alus_equal(nir_instr_as_alu(a), nir_instr_as_alu(b));
   case nir_kind_deref:
      return derefs_equal(nir_instr_as_deref(a), nir_instr_as_deref(b));
   case nir_kind_load_const:
      return load_consts_equal(nir_instr_as_load_const(a),
                               nir_instr_as_load_const(b));
   case nir_kind_phi:
      return phis_equal(nir_instr_as_phi(a), nir_instr_as_phi(b));
   case nir_kind_tex:
      return texs_equal(nir_instr_as_tex(a), nir_instr_as_tex(b));
   case nir_kind_intrinsic:
      return intrinsics_equal(nir_instr_as_intrinsic(a),
                              nir_instr_as_intrinsic(b));
   default: return false;
   }
}
