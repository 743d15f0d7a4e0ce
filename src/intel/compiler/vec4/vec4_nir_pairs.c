/* SPDX-License-Identifier: MIT */
/*
 * Doubles as pairs of dwords, and dwords as doubles: what inputs, outputs and
 * memory are made of, for they have slots of four dwords.
 *
 * The doubles of a row of 16 bytes, X and Y or Z and W, are a vector of
 * dwords for each vertex, 32 bytes from one to the other: one move brings
 * both vertices together. Of slots and of what both vertices share a row of
 * doubles is a vector of dwords already, and the other way round. So taking
 * apart is a swizzle, as is putting together what lay together.
 */
#include "vec4_nir.h"

#define ROW_B 16

/* From a row of a vector, or of slots, to the next. */
static unsigned
next_row_B(const eu_reg *r)
{
   return r->stride == 2 ? REG_SIZE_B : ROW_B;
}

/* A register that may be read as another type, now and later. */
static bool
is_raw_register(const eu_reg *r)
{
   return (r->file == EU_VGRF || r->file == EU_ATTR || r->file == EU_GRF ||
           r->file == EU_UNIFORM) &&
          !r->negate && !r->abs && !r->region;
}

/* Component `comp` of a source, in the first selector. */
static eu_reg
component(struct nir_to_vec4 *v, const nir_use *src, unsigned comp)
{
   const uint8_t comps[4] = { (uint8_t)comp };

   return vec4_operand(v, src, comps, VEC4_X);
}

/* ---- taking apart ---- */

/* The dwords of the row in which r's first component is, in order. */
static eu_reg
row_as_dwords(struct nir_to_vec4 *v, const nir_use *src, eu_reg r)
{
   const unsigned row = eu_swizzle_get(r.swz, 0) / 2;
   const eu_reg t = r.stride == 1 ? vec4_new(v, ISA_TYPE_UD) : (eu_reg) { 0 };

   r.offset += row * next_row_B(&r);
   r.type = ISA_TYPE_UD;
   r.swz = ISA_SWIZZLE_XYZW;
   if (r.stride == 1) {
      r.swz = 0;
      eu_MOV(&v->n.b, t, eu_region(r, 8, 4, 1));
      return t;
   }
   r.stride = r.stride == 2;
   if (!fs_in_web(&v->n, src->value))
      return r;
   const eu_reg copy = vec4_new(v, ISA_TYPE_UD);
   vec4_mov(v, copy, ISA_WRITEMASK_XYZW, r);
   return copy;
}

static bool
take_apart(struct nir_to_vec4 *v, nir_alu_instr *alu, unsigned swz)
{
   const nir_operand *src = &alu->src[0];
   const eu_reg r = component(v, &src->use, src->swizzle[0]);

   if (!is_raw_register(&r) || eu_type_sz(r.type) != 8)
      return false;
   const unsigned first = eu_swizzle_get(r.swz, 0) % 2 * 2;
   eu_reg dwords = row_as_dwords(v, &src->use, r);

   for (unsigned c = 0; c < 4; c++)
      dwords.swz = (uint8_t)((dwords.swz & ~(3u << 2 * c)) |
                             (first + (swz >> 2 * c & 3)) << 2 * c);
   vec4_set_dest(v, &alu->instr.result, dwords);
   return true;
}

/* ---- putting together ---- */

/* Both halves of a double out of one register, where they are one. */
static bool
put_together(struct nir_to_vec4 *v, nir_alu_instr *alu, eu_reg low,
             eu_reg high, bool in_web)
{
   const unsigned at = eu_swizzle_get(low.swz, 0);

   if (!is_raw_register(&low) || low.stride > 1 ||
       eu_type_sz(low.type) != 4 || at % 2 ||
       eu_swizzle_get(high.swz, 0) != at + 1 || in_web)
      return false;
   low.swz = high.swz = 0;
   high.type = low.type;
   if (!eu_reg_equal(&low, &high))
      return false;
   low.type = ISA_TYPE_DF;
   low.stride = low.stride ? 2 : 0;
   low.swz = (uint8_t)(at / 2 * 0x55u);
   vec4_set_dest(v, &alu->instr.result, low);
   return true;
}

static bool
put_halves_together(struct nir_to_vec4 *v, nir_alu_instr *alu)
{
   const nir_operand *low = &alu->src[0];
   const bool is_vector = alu->op == nir_op_pack_64_2x32;
   const nir_operand *high = &alu->src[is_vector ? 0 : 1];

   if (nir_use_is_const(low->use) || nir_use_is_const(high->use))
      return false;
   return put_together(
      v, alu, component(v, &low->use, low->swizzle[0]),
      component(v, &high->use, high->swizzle[is_vector ? 1 : 0]),
      fs_in_web(&v->n, low->use.value) || fs_in_web(&v->n, high->use.value));
}

bool
vec4_emit_pair(struct nir_to_vec4 *v, nir_alu_instr *alu)
{
   if (alu->op == nir_op_unpack_64_2x32 && !nir_use_is_const(alu->src[0].use))
      return take_apart(v, alu, ISA_SWIZZLE(0, 1, 0, 1));
   if (alu->op == nir_op_pack_64_2x32)
      return put_halves_together(v, alu);
   if (alu->instr.result.num_components != 1 ||
       nir_use_is_const(alu->src[0].use))
      return false;
   switch (alu->op) {
   case nir_op_unpack_64_2x32_split_x:
      return take_apart(v, alu, ISA_SWIZZLE_XXXX);
   case nir_op_unpack_64_2x32_split_y:
      return take_apart(v, alu, vec4_swizzle_scalar(1));
   case nir_op_pack_64_2x32_split: return put_halves_together(v, alu);
   default: return false;
   }
}

/* ---- vectors of doubles ---- */

/* Whether b is the row after a's, of the same register. */
static bool
is_next_row(const eu_reg *a, const eu_reg *b)
{
   eu_reg x = *a, y = *b;

   x.offset += next_row_B(a);
   x.swz = y.swz = 0;
   return eu_reg_equal(&x, &y);
}

void
vec4_join_rows(eu_reg from[4], unsigned mask)
{
   eu_reg old[4];

   memcpy(old, from, sizeof(old));
   for (unsigned i = 0; i < 16; i++) {
      const unsigned c = i / 4, d = i % 4;
      const unsigned at = eu_swizzle_get(old[c].swz, c);

      if (!(mask >> c & 1) || !(mask >> d & 1) || at > 1 ||
          old[c].file == EU_IMM || old[c].stride == 1 ||
          eu_type_sz(old[c].type) != 8 || !is_next_row(&old[d], &old[c]))
         continue;
      from[c] = old[d];
      from[c].swz = vec4_swizzle_scalar(at + 2);
   }
}

/* The channels c and c + 1 have a row of a slot in order, and nothing else
 * has its other row. */
static bool
is_whole_row(const eu_reg from[4], unsigned mask, unsigned c)
{
   eu_reg x = from[c], y = from[c + 1];
   const unsigned at = eu_swizzle_get(x.swz, c);

   if (x.file == EU_IMM || x.stride != 2 || eu_type_sz(x.type) != 8 ||
       at % 2 || eu_swizzle_get(y.swz, c + 1) != at + 1)
      return false;
   x.swz = y.swz = 0;
   if (!eu_reg_equal(&x, &y))
      return false;
   y = from[c ^ 2];
   y.swz = 0;
   return !(mask >> (c ^ 2) & 1) || !eu_reg_equal(&x, &y);
}

unsigned
vec4_move_rows(struct nir_to_vec4 *v, eu_reg dst, unsigned mask,
               const eu_reg from[4])
{
   const struct eu_builder b = v->n.b;
   unsigned left = mask;

   for (unsigned c = 0; c < 4; c += 2) {
      /* Two are best written as four, if there is nothing else. */
      if ((mask >> c & 3) != 3 || mask == 3u << c ||
          !is_whole_row(from, mask, c))
         continue;
      const eu_reg row = eu_byte_offset(eu_retype(from[c], ISA_TYPE_UD),
                                        eu_swizzle_get(from[c].swz, c) / 2 *
                                           next_row_B(&from[c]));
      for (unsigned vertex = 0; vertex < 2; vertex++) {
         const struct eu_builder half = eu_group(b, 4, vertex);
         eu_reg to = eu_byte_offset(eu_retype(dst, ISA_TYPE_UD),
                                    vertex * REG_SIZE_B + 8 * c);
         eu_reg of = eu_byte_offset(row, vertex * ROW_B);

         to.swz = of.swz = 0;
         of.stride = 1;
         eu_MOV(&half, to, of);
      }
      left &= ~(3u << c);
   }
   return left;
}
