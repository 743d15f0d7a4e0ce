/* SPDX-License-Identifier: MIT */
/* Values: how each is typed, and what operands read of it. */
#include "compiler/spirv/write/write_private.h"

/* --- Types -------------------------------------------------------------- */

static enum wr_base
base_of_alu_type(nir_alu_type type, unsigned bits)
{
   if (bits == 1)
      return WR_BOOL;
   return nir_type_base(type) == nir_type_float ? WR_FLOAT : WR_UINT;
}

static enum wr_base
known(const struct wr *w, const nir_value *v)
{
   return v->bit_size == 1 ? WR_BOOL : w->values[v->index].base;
}

/* The first of the operands whose type is known says it. */
static enum wr_base
like_operands(const struct wr *w, const nir_alu_instr *alu, unsigned first)
{
   const unsigned n = nir_op_infos[alu->op].num_inputs;
   enum wr_base base = WR_NONE;

   for (unsigned i = first; i < n && base == WR_NONE; i++)
      base = known(w, alu->src[i].use.value);
   return base;
}

/* Two dwords that are one number: a double, if something reads it so. */
static enum wr_base
like_uses(const nir_value *v)
{
   nir_foreach_instr_use(use, v) {
      const nir_alu_instr *alu = nir_maybe_alu(use->instr);
      for (unsigned i = 0; alu && i < nir_op_infos[alu->op].num_inputs; i++) {
         if (alu->src[i].use.value == v &&
             nir_type_base(nir_op_infos[alu->op].input[i].type) ==
                nir_type_float)
            return WR_FLOAT;
      }
   }
   return WR_UINT;
}

static enum wr_base
type_alu(const struct wr *w, const nir_alu_instr *alu)
{
   const nir_value *v = &alu->instr.result;

   if (v->bit_size == 1)
      return WR_BOOL;
   if (alu->op == nir_op_pack_64_2x32_split)
      return like_uses(v);
   if (alu->op == nir_op_mov || nir_op_is_vec(alu->op))
      return like_operands(w, alu, 0);
   if (alu->op == nir_op_bcsel)
      return like_operands(w, alu, 1);
   return base_of_alu_type(nir_op_infos[alu->op].output.type, v->bit_size);
}

static enum wr_base
type_phi(const struct wr *w, nir_phi_instr *phi)
{
   nir_foreach_phi_source(src, phi) {
      const enum wr_base base = known(w, src->use.value);
      if (base != WR_NONE)
         return base;
   }
   return WR_NONE;
}

static enum wr_base
type_intrinsic(const nir_intrinsic_instr *intr)
{
   nir_deref_instr *d = nir_intrinsic_infos[intr->intrinsic].num_derefs
                           ? nir_use_as_deref(intr->src[0])
                           : NULL;

   if (intr->intrinsic == nir_intrinsic_load_deref && d &&
       wr_base_of(d->type) == WR_FLOAT)
      return WR_FLOAT;
   return WR_UINT;
}

static enum wr_base
type_of(const struct wr *w, nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_alu: return type_alu(w, nir_instr_as_alu(instr));
   case nir_kind_phi: return type_phi(w, nir_instr_as_phi(instr));
   case nir_kind_tex:
      return base_of_alu_type(nir_instr_as_tex(instr)->dest_type,
                              instr->result.bit_size);
   case nir_kind_intrinsic:
      return type_intrinsic(nir_instr_as_intrinsic(instr));
   default: return WR_NONE; /* constants and undefs are as they are read */
   }
}

/* In the order of control flow, so that only phis of loops read what comes
 * later; what only constants flow into is an integer. */
void
wr_type_values(struct wr *w, nir_function_impl *impl)
{
   w->values = arena_new_array(w->arena, struct wr_value, impl->num_values);
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         nir_value *v = nir_instr_value(instr);
         if (!v)
            continue;
         w->values[v->index].base = v->bit_size == 1 ? WR_BOOL
                                                     : type_of(w, instr);
         if (instr->kind != nir_kind_load_const &&
             instr->kind != nir_kind_undef &&
             w->values[v->index].base == WR_NONE)
            w->values[v->index].base = WR_UINT;
      }
   }
}

uint32_t
wr_value_type(struct wr *w, const nir_value *value, enum wr_base base)
{
   return wr_vector_type(w, base, value->bit_size, value->num_components);
}

uint32_t
wr_own_type(struct wr *w, const nir_value *value)
{
   return wr_value_type(w, value, w->values[value->index].base);
}

/* --- Reading ------------------------------------------------------------ */

uint32_t
wr_bitcast(struct wr *w, uint32_t id, enum wr_base from, enum wr_base to,
           unsigned bits, unsigned components)
{
   if (from == to)
      return id;
   assert(from != WR_BOOL && to != WR_BOOL);
   return WR_OP(w, SpvOpBitcast, wr_vector_type(w, to, bits, components), id);
}

static uint32_t
id_of(struct wr *w, const nir_value *value)
{
   const uint32_t id = w->values[value->index].id;

   /* Only what is never reached reads what was not written. */
   return id ? id : wr_made(w, SpvOpUndef, wr_own_type(w, value), NULL, 0);
}

uint32_t
wr_as(struct wr *w, nir_value *value, enum wr_base base)
{
   uint8_t identity[NIR_MAX_VEC_COMPONENTS];

   for (unsigned c = 0; c < ARRAY_SIZE(identity); c++)
      identity[c] = (uint8_t)c;
   return wr_swizzled(w, value, identity, value->num_components, base);
}

static bool
is_identity(const nir_value *value, const uint8_t *swizzle, unsigned n)
{
   if (n != value->num_components)
      return false;
   for (unsigned i = 0; i < n; i++) {
      if (swizzle[i] != i)
         return false;
   }
   return true;
}

static uint32_t
chosen_constants(struct wr *w, nir_value *value, const uint8_t *swizzle,
                 unsigned n, enum wr_base base)
{
   const nir_const_value *c = nir_use_constant(nir_use_of(value));
   nir_const_value chosen[NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < n; i++)
      chosen[i] = c[swizzle[i]];
   return wr_constant(w, base, value->bit_size, chosen, n);
}

static uint32_t
chosen_components(struct wr *w, const nir_value *value,
                  const uint8_t *swizzle, unsigned n)
{
   const enum wr_base base = w->values[value->index].base;
   const uint32_t id = id_of(w, value);
   uint32_t type, words[2 + NIR_MAX_VEC_COMPONENTS];

   if (is_identity(value, swizzle, n))
      return id;
   type = wr_vector_type(w, base, value->bit_size, n);
   if (n == 1)
      return WR_OP(w, SpvOpCompositeExtract, type, id, swizzle[0]);
   if (value->num_components == 1) {
      for (unsigned i = 0; i < n; i++)
         words[i] = id;
      return wr_result(w, SpvOpCompositeConstruct, type, words, n);
   }
   words[0] = words[1] = id;
   for (unsigned i = 0; i < n; i++)
      words[2 + i] = swizzle[i];
   return wr_result(w, SpvOpVectorShuffle, type, words, n + 2);
}

uint32_t
wr_swizzled(struct wr *w, nir_value *value, const uint8_t *swizzle,
            unsigned components, enum wr_base base)
{
   if (value->bit_size == 1)
      base = WR_BOOL;
   if (value->instr->kind == nir_kind_load_const)
      return chosen_constants(w, value, swizzle, components, base);
   if (value->instr->kind == nir_kind_undef)
      return wr_made(w, SpvOpUndef,
                     wr_vector_type(w, base, value->bit_size, components),
                     NULL, 0);
   return wr_bitcast(w, chosen_components(w, value, swizzle, components),
                     w->values[value->index].base, base, value->bit_size,
                     components);
}

uint32_t
wr_operand(struct wr *w, const nir_alu_instr *alu, unsigned i,
           enum wr_base base)
{
   return wr_swizzled(w, alu->src[i].use.value, alu->src[i].swizzle,
                      nir_operand_components(alu, i), base);
}

uint32_t
wr_component(struct wr *w, nir_value *value, unsigned c, enum wr_base base)
{
   const uint8_t swizzle = (uint8_t)c;

   return wr_swizzled(w, value, &swizzle, 1, base);
}

/* --- Writing ------------------------------------------------------------ */

void
wr_define(struct wr *w, nir_value *value, enum wr_base base, uint32_t id)
{
   struct wr_value *v = &w->values[value->index];

   v->id = wr_bitcast(w, id, base, v->base, value->bit_size,
                      value->num_components);
}
