/* SPDX-License-Identifier: MIT */
/*
 * ALU instructions whose operands are the same in all channels: computed in
 * one channel, without a mask, into scalars that others read with a stride of
 * 0.
 *
 * Their code runs where some channel is active. An `if` that no channel takes
 * is jumped over, so that the register of a phi web that is not
 * divergent is written by the side that is taken alone.
 *
 * Three-source instructions have no scalars of 64 bits, nor less than four
 * channels in Align16 code (PRM SKL vol 7, "Register Region Restrictions"):
 * they run in four, of which the first counts. Each scalar that is computed
 * here has a register of its own, so the others read what nobody wants.
 */
#include "fs_nir_alu.h"

static bool
has_scalar_form(const struct nir_to_fs *n, nir_op op)
{
   switch (op) {
   case nir_op_fddx:
   case nir_op_fddx_coarse:
   case nir_op_fddx_fine:
   case nir_op_fddy:
   case nir_op_fddy_coarse:
   case nir_op_fddy_fine:
   /* By way of eight channels. */
   case nir_op_idiv:
   case nir_op_udiv:
   case nir_op_umod:
   case nir_op_irem:
   case nir_op_imod:
   case nir_op_imul_high:
   case nir_op_umul_high: return false;
   case nir_op_imul: return n->s->devinfo->eu.has_dword_mul;
   default: return true;
   }
}

static bool
is_common_size(unsigned bits)
{
   return bits == 1 || bits == 32 || bits == 64;
}

/* Whether nothing but outputs that are stored in its block reads a value, and
 * something does. */
static bool
is_only_stored(const nir_value *def)
{
   if (nir_value_is_unused(def))
      return false;
   nir_foreach_use(use, def) {
      const nir_instr *reader = use->instr;

      if (!reader || reader->block != def->instr->block ||
          reader->kind != nir_kind_intrinsic ||
          nir_instr_as_intrinsic(reader)->intrinsic !=
             nir_intrinsic_store_output)
         return false;
   }
   return true;
}

/* A result that is only stored as an output, by itself or in a vector. */
static bool
is_output(const struct nir_to_fs *n, const nir_value *def)
{
   const nir_use *use = nir_value_only_use(def);
   const nir_instr *reader = use ? use->instr : NULL;

   if (!reader || reader->block != def->instr->block ||
       reader->kind != nir_kind_alu)
      return is_only_stored(def);
   const nir_alu_instr *vec = nir_instr_as_alu(reader);
   return nir_op_is_vec(vec->op) && !fs_in_web(n, &vec->instr.result) &&
          is_only_stored(&vec->instr.result);
}

/* What can set the flags of all channels, as fs_opt_cmod_propagation repeats
 * it for them: bitwise operations and comparisons. That of doubles is one
 * instruction in eight. */
static bool
is_condition(const struct nir_to_fs *n, const nir_use *src)
{
   if (fs_in_web(n, src->value) || src->value->instr->kind != nir_kind_alu)
      return false;
   const nir_alu_instr *cond = nir_instr_as_alu(src->value->instr);

   switch (cond->op) {
   case nir_op_flt:
   case nir_op_fge:
   case nir_op_feq:
   case nir_op_fneu:
      return cond->src[0].use.value->bit_size == 32 ||
             (cond->src[0].use.value->bit_size == 64 && n->b.exec_size <= 8);
   case nir_op_ilt:
   case nir_op_ige:
   case nir_op_ieq:
   case nir_op_ine:
   case nir_op_ult:
   case nir_op_uge: return cond->src[0].use.value->bit_size == 32;
   case nir_op_iand:
   case nir_op_ior:
   case nir_op_ixor: return true;
   default: return false;
   }
}

/*
 * What is only stored as an output is wanted in all channels: a move of the
 * scalar into the message takes as long as to compute it there at once, and
 * has to wait for it. Not so MATH, and what reads 64 bits.
 */
static bool
is_wanted_in_all(const struct nir_to_fs *n, const nir_alu_instr *alu)
{
   switch (alu->op) {
   case nir_op_bcsel:
      if (!fs_alu_selects_constant(n, alu) &&
          !is_condition(n, &alu->src[0].use))
         return false;
      break;
   case nir_op_fadd:
   case nir_op_fadd_rtz:
   case nir_op_fmul:
   case nir_op_fmul_rtz:
   case nir_op_fmin:
   case nir_op_fmax:
   case nir_op_iadd:
   case nir_op_iand:
   case nir_op_ior:
   case nir_op_ixor:
   case nir_op_b2f32:
   case nir_op_i2f32:
   case nir_op_u2f32: break;
   default: return false;
   }
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      if (alu->src[i].use.value->bit_size == 64)
         return false;
   }
   return !fs_in_web(n, &alu->instr.result) &&
          alu->instr.result.num_components == 1 &&
          is_output(n, &alu->instr.result);
}

bool
fs_alu_is_uniform(struct nir_to_fs *n, const nir_alu_instr *alu)
{
   const nir_value *dest = &alu->instr.result;

   if (n->host || is_wanted_in_all(n, alu) || !has_scalar_form(n, alu->op) ||
       !is_common_size(dest->bit_size) || dest->divergent)
      return false;
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      const nir_use *src = &alu->src[i].use;

      if (!is_common_size(src->value->bit_size))
         return false;
      if (nir_use_is_const(*src))
         continue;
      const eu_reg r = fs_get_src(n, src);
      if (r.stride || r.region)
         return false;
   }
   return true;
}

bool
fs_is_uniform_web(const nir_value *like)
{
   return !like->divergent && is_common_size(like->bit_size);
}

bool
fs_is_uniform_intrinsic(const nir_intrinsic_instr *intr, const void *data)
{
   const nir_shader *nir = data;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
      /* Flat, of the one primitive that a thread has up to Gen9. */
      return nir->info.stage == MESA_SHADER_FRAGMENT &&
             nir_use_is_const(intr->src[0]) &&
             is_common_size(intr->instr.result.bit_size);
   case nir_intrinsic_load_ubo:
      return nir_use_is_const(intr->src[0]) && nir_use_is_const(intr->src[1]);
   case nir_intrinsic_load_push_constant:
      return nir_use_is_const(intr->src[0]);
   default: return false;
   }
}

/* ---- three sources ---- */

/* What is read in place of -x and |x|: x with modifiers. */
static eu_reg
without_moves(struct nir_to_fs *n, const nir_operand *src, unsigned type,
              bool *changes)
{
   bool negate = false, abs = false;
   unsigned c = src->swizzle[0];

   while (!fs_in_web(n, src->use.value) &&
          src->use.value->instr->kind == nir_kind_alu) {
      const nir_alu_instr *mov = nir_instr_as_alu(src->use.value->instr);

      if (fs_in_web(n, mov->src[0].use.value) ||
          (mov->op != nir_op_fneg && mov->op != nir_op_fabs))
         break;
      negate ^= !abs && mov->op == nir_op_fneg;
      abs |= mov->op == nir_op_fabs;
      src = &mov->src[0];
      c = src->swizzle[c];
   }
   eu_reg r = eu_retype(fs_no_imm(n, fs_src_comp(n, &src->use, c)), type);
   r.abs = abs;
   r.negate = negate;
   *changes = fs_in_web(n, src->use.value);
   return r;
}

/* The scalar alone at the start of a register; `changes`: it may be written
 * again. */
static eu_reg
in_register(struct nir_to_fs *n, eu_reg r, bool changes)
{
   const unsigned raw = eu_uint_type(eu_type_sz(r.type));

   r.negate = r.abs = false;
   util_dynarray_foreach(&n->spread, struct fs_spread, s) {
      if (eu_reg_equal(&s->from, &r))
         return s->to;
   }
   const eu_reg t = eu_vgrf(&n->b, r.type, 1);
   eu_MOV(&n->b, eu_retype(t, raw), eu_retype(r, raw));
   const struct fs_spread s = { r, t };
   if (!changes)
      util_dynarray_append(&n->spread, struct fs_spread, s);
   return t;
}

/* A source of a three-source instruction of four channels. */
static eu_reg
four_channels(struct nir_to_fs *n, eu_reg r, bool changes)
{
   if (eu_type_sz(r.type) == 4)
      return r;
   if (r.file != EU_VGRF || r.offset % REG_SIZE_B) {
      eu_reg t = in_register(n, r, changes);
      t.negate = r.negate;
      t.abs = r.abs;
      r = t;
   }
   r.stride = 1;
   return r;
}

void
fs_alu_uniform_three(struct nir_to_fs *n, const struct fs_alu *c)
{
   struct eu_builder four = n->b;
   eu_reg s[3], d = c->dst;

   /* Of a vector, the others are other components. */
   if (c->alu->instr.result.num_components > 1)
      d = eu_vgrf(&n->b, d.type, 1);
   for (unsigned i = 3; i-- > 0;) {
      bool changes;
      const eu_reg r =
         without_moves(n, &c->alu->src[c->row->order[i]], d.type, &changes);
      s[i] = four_channels(n, r, changes);
   }
   four.exec_size = 4;
   eu_emit(&four, c->row->op, d, 3, s);
   if (d.nr != c->dst.nr)
      eu_MOV(&n->b, c->dst, eu_component(d, 0));
}
