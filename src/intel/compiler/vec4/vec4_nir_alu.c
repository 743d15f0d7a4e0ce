/* SPDX-License-Identifier: MIT */
/*
 * NIR ALU instructions -> SIMD4x2 code. The table of opcodes is that of the
 * scalar back end. A row that makes instructions of one size becomes Align16
 * ones, in which swizzles and write masks cost nothing; others work on both
 * vectors at once as on eight scalars.
 */
#include "vec4_nir.h"

#include "intel/compiler/fs/from_nir/fs_nir_alu.h"

/* Component of source i that each of the four channels reads: those after
 * the last one repeat it. */
static void
components(const nir_alu_instr *alu, unsigned i, uint8_t comp[4])
{
   const unsigned last = alu->instr.result.num_components - 1;
   const bool scalar = nir_op_infos[alu->op].input[i].size != 0;

   for (unsigned c = 0; c < 4; c++)
      comp[c] = alu->src[i].swizzle[scalar ? 0 : MIN2(c, last)];
}

/* Bytes that this operand is retyped to; no immediates of bytes. */
static eu_reg
typed(eu_reg r, unsigned type)
{
   if (r.file == EU_IMM && eu_type_sz(type) == 1)
      return type == ISA_TYPE_B ? eu_imm(ISA_TYPE_W, (uint16_t)(int8_t)r.imm)
                                : r;
   return eu_retype(r, type);
}

/* ---- vectors ---- */

static bool
same_source(const nir_operand *a, const nir_operand *b)
{
   return a->use.value == b->use.value;
}

/* The source of channel c, and its component there. */
static const nir_operand *
source_of(const nir_alu_instr *alu, unsigned c, unsigned *comp)
{
   const bool vec = nir_op_is_vec(alu->op);
   const nir_operand *src = &alu->src[vec ? c : 0];

   *comp = src->swizzle[vec ? 0 : c];
   return src;
}

/* What channels read from one register, apart from the component. */
static bool
same_register(const eu_reg *a, const eu_reg *b)
{
   eu_reg x = *a, y = *b;

   x.swz = y.swz = 0;
   return eu_reg_equal(&x, &y);
}

/* The source of channel c; EU_BAD: a constant. */
static eu_reg
variable_source(struct nir_to_vec4 *v, const nir_alu_instr *alu, unsigned c,
                unsigned type)
{
   uint8_t comp[4] = { 0 };
   unsigned at;
   const nir_operand *src = source_of(alu, c, &at);

   if (nir_use_is_const(src->use))
      return (eu_reg) { 0 };
   comp[c] = (uint8_t)at;
   return typed(vec4_operand(v, &src->use, comp, 1u << c), type);
}

/* Channels that read one register, and that register for all of them. */
static unsigned
take_variables(const eu_reg from[4], unsigned mask, eu_reg *r)
{
   const unsigned c0 = (unsigned)__builtin_ctz(mask);
   unsigned now = 0, swz = 0;

   for (unsigned c = 0; c < 4; c++) {
      const bool same = (mask & (1u << c)) &&
                        same_register(&from[c0], &from[c]);
      swz |= eu_swizzle_get(from[same ? c : c0].swz, same ? c : c0) << 2 * c;
      now |= (unsigned)same << c;
   }
   *r = from[c0];
   r->swz = (uint8_t)swz;
   return now;
}

/* The same of a constant. */
static unsigned
take_constants(struct nir_to_vec4 *v, const nir_alu_instr *alu, unsigned mask,
               unsigned type, eu_reg *r)
{
   const unsigned c0 = (unsigned)__builtin_ctz(mask);
   uint8_t comp[4] = { 0 };
   unsigned now = 0, at;
   const nir_operand *src = source_of(alu, c0, &at);

   for (unsigned c = c0; c < 4; c++) {
      const nir_operand *other = source_of(alu, c, &at);
      if (!(mask & (1u << c)) || !same_source(src, other))
         continue;
      comp[c] = (uint8_t)at;
      now |= 1u << c;
   }
   v->n.b.align16 = (uint8_t)now;
   *r = typed(vec4_operand(v, &src->use, comp, now), type);
   v->n.b.align16 = 0;
   return now;
}

/* Moves, one for each register, into the channels of `mask` of dst. */
static void
emit_moves(struct nir_to_vec4 *v, const nir_alu_instr *alu, eu_reg dst,
           unsigned mask)
{
   const unsigned type = fs_type_for_nir(nir_op_infos[alu->op].output.type,
                                         alu->instr.result.bit_size);
   const unsigned raw =
      eu_type_is_float(type) ? type : vec4_raw_type(8 * eu_type_sz(type));
   eu_reg from[4] = { { 0 } };

   for (unsigned c = 0; c < 4; c++) {
      unsigned at;
      if (!(mask & (1u << c)))
         continue;
      const nir_operand *src = source_of(alu, c, &at);
      if (nir_op_is_vec(alu->op) && vec4_undefined(v, &src->use, at))
         mask &= ~(1u << c);
      else
         from[c] = variable_source(v, alu, c, raw);
   }
   vec4_join_rows(from, mask);
   mask = vec4_move_rows(v, dst, mask, from);
   while (mask) {
      const unsigned c0 = (unsigned)__builtin_ctz(mask);
      eu_reg r;
      const unsigned now = from[c0].file == EU_BAD
                              ? take_constants(v, alu, mask, raw, &r)
                              : take_variables(from, mask, &r);

      vec4_mov(v, eu_retype(dst, raw), now, r);
      mask &= ~now;
   }
}

static bool
is_view(const struct nir_to_vec4 *v, const nir_alu_instr *alu)
{
   return alu->op == nir_op_mov && !fs_in_web(&v->n, &alu->instr.result) &&
          !fs_in_web(&v->n, alu->src[0].use.value) &&
          !nir_use_is_const(alu->src[0].use) &&
          alu->instr.result.num_components > 1;
}

/* The same of what lies component by component. */
static void
emit_small_vector(struct nir_to_vec4 *v, nir_alu_instr *alu)
{
   nir_value *dest = &alu->instr.result;
   const unsigned comps = dest->num_components;
   const eu_reg dst = fs_alloc_value(&v->n, dest->bit_size, comps);

   for (unsigned c = 0; c < comps; c++) {
      unsigned at;
      const nir_operand *src = source_of(alu, c, &at);
      const uint8_t comp[4] = { (uint8_t)at };

      eu_MOV(&v->n.b, eu_offset(dst, &v->n.b, c),
             typed(vec4_operand(v, &src->use, comp, VEC4_X), dst.type));
   }
   vec4_set_dest(v, dest, dst);
}

/* mov and vecN. */
static void
emit_vector(struct nir_to_vec4 *v, nir_alu_instr *alu)
{
   nir_value *dest = &alu->instr.result;
   const unsigned comps = dest->num_components;
   const unsigned bits = dest->bit_size;

   if (comps > 4) {
      eu_fail(v->n.s, "a vector of %u components", comps);
      return;
   }
   if (vec4_is_small(bits)) {
      emit_small_vector(v, alu);
      return;
   }
   if (is_view(v, alu)) {
      uint8_t comp[4];
      components(alu, 0, comp);
      vec4_set_dest(v, dest,
                    vec4_operand(v, &alu->src[0].use, comp,
                                 BITFIELD_MASK(comps)));
      return;
   }
   eu_reg dst = vec4_new(v, fs_raw_type(bits));
   if (comps == 1) {
      uint8_t comp[4];
      components(alu, 0, comp);
      /* In all channels. */
      nir_alu_instr *one = alu;
      for (unsigned c = 1; c < 4; c++)
         one->src[0].swizzle[c] = one->src[0].swizzle[0];
      emit_moves(v, one, dst, ISA_WRITEMASK_XYZW);
      vec4_set_dest(v, dest, dst);
      return;
   }
   if (fs_in_web(&v->n, dest) && alu->op == nir_op_mov) {
      emit_moves(v, alu, v->ssa[dest->index], BITFIELD_MASK(comps));
      return;
   }
   /* The register of a web may be one of the sources. */
   eu_undef(&v->n.b, dst);
   emit_moves(v, alu, dst, BITFIELD_MASK(comps));
   vec4_set_dest(v, dest, dst);
}

/* ---- the rest ---- */

/* Rows of one instruction on doubles, or that select doubles, whatever they
 * mean. */
static bool
is_native_double(const nir_alu_instr *alu, const struct fs_alu_row *row)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const bool selects = row->emit == fs_alu_bcsel;

   if (alu->instr.result.bit_size != 64 ||
       (row->emit != fs_alu_one && row->emit != fs_alu_two &&
        row->emit != fs_alu_three && !selects))
      return false;
   for (unsigned i = selects; i < info->num_inputs; i++) {
      if (alu->src[i].use.value->bit_size != 64 ||
          (!selects && fs_alu_src_type(alu, i) != ISA_TYPE_DF))
         return false;
   }
   return true;
}

/* Comparisons of doubles, whose result is made narrow in Align1. */
static bool
is_double_compare(const nir_alu_instr *alu, const struct fs_alu_row *row)
{
   return row->emit == fs_alu_compare &&
          alu->src[0].use.value->bit_size == 64 &&
          fs_alu_src_type(alu, 0) == ISA_TYPE_DF;
}

/* Rows of which every instruction has operands of 32 bits and no temporary
 * of its own. */
static bool
is_native(const struct nir_to_vec4 *v, const nir_alu_instr *alu,
          const struct fs_alu_row *row)
{
   static void (*const native[])(struct nir_to_fs *,
                                 const struct fs_alu *) = {
      fs_alu_one,  fs_alu_two,     fs_alu_three,
      fs_alu_math, fs_alu_compare, fs_alu_bcsel,
   };
   const nir_op_info *info = &nir_op_infos[alu->op];
   bool known = row->emit == fs_alu_mul && v->n.s->devinfo->eu.has_dword_mul;

   if (is_native_double(alu, row) || is_double_compare(alu, row))
      return true;
   for (unsigned i = 0; i < ARRAY_SIZE(native); i++)
      known |= row->emit == native[i];
   if (!known || eu_type_sz(fs_type_for_nir(info->output.type,
                                            alu->instr.result.bit_size)) != 4)
      return false;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      if (eu_type_sz(fs_alu_src_type(alu, i)) != 4)
         return false;
   }
   return true;
}

static void
emit_row(struct nir_to_vec4 *v, nir_alu_instr *alu,
         const struct fs_alu_row *row, eu_reg dst, unsigned mask)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const bool native = is_native(v, alu, row);
   const unsigned comps = alu->instr.result.num_components;
   /* Nobody asks for those after the last one. */
   const unsigned align1_mask = comps == 1 ? ISA_WRITEMASK_XYZW
                                           : BITFIELD_MASK(comps);
   struct fs_alu cc = { .alu = alu, .row = row };

   for (unsigned i = 0; i < info->num_inputs; i++) {
      unsigned type = fs_alu_src_type(alu, i);
      uint8_t comp[4];

      if (native && eu_type_sz(type) == 8)
         type = ISA_TYPE_DF;
      components(alu, i, comp);
      if (info->input[i].size > 1)
         eu_fail(v->n.s, "vector opcode %s", info->name);
      v->n.b.align16 = 0;
      eu_reg r =
         native ? vec4_operand(v, &alu->src[i].use, comp, mask)
                : vec4_align1_operand(v, &alu->src[i].use, comp, align1_mask);
      v->n.b.align16 = native ? (uint8_t)mask : 0;
      cc.src[i] = typed(r, type);
   }
   cc.dst = dst;
   cc.dst.swz = 0;
   if (native && eu_type_sz(dst.type) == 8)
      cc.dst.type = ISA_TYPE_DF;
   if (row->in_parts)
      eu_undef(&v->n.b, cc.dst);
   if (!v->n.s->failed)
      fs_alu_component(&v->n, &cc);
   v->n.b.align16 = 0;
}

/* Source i of an Align16 instruction. */
static eu_reg
native_operand(struct nir_to_vec4 *v, const nir_alu_instr *alu, unsigned i,
               unsigned mask)
{
   unsigned type = fs_alu_src_type(alu, i);
   uint8_t comp[4];

   if (eu_type_sz(type) == 8)
      type = ISA_TYPE_DF;
   components(alu, i, comp);
   return typed(vec4_operand(v, &alu->src[i].use, comp, mask), type);
}

/* A selection by what is true of all components of a vector, or of any: the
 * predicate says it, and there is no boolean. */
static bool
emit_select(struct nir_to_vec4 *v, const nir_alu_instr *alu,
            const struct fs_alu_row *row, eu_reg dst, unsigned mask)
{
   if (row->emit != fs_alu_bcsel || !is_native(v, alu, row))
      return false;
   const unsigned pred = vec4_emit_condition(v, &alu->src[0].use);
   if (pred == ISA_PRED_NONE)
      return false;
   const eu_reg x = native_operand(v, alu, 1, mask);
   const eu_reg y = native_operand(v, alu, 2, mask);
   if (eu_type_sz(dst.type) == 8)
      dst.type = ISA_TYPE_DF;
   v->n.b.align16 = (uint8_t)mask;
   dst.swz = 0;
   fs_alu_emit2(&v->n, ISA_OPCODE_SEL, dst, x, y)->pred = (uint8_t)pred;
   v->n.b.align16 = 0;
   return true;
}

/* A conversion of one vector for both vertices: for each of them from where
 * it is, since an Align1 instruction on both would want a copy. */
static bool
emit_shared_conversion(struct nir_to_vec4 *v, const nir_alu_instr *alu,
                       const struct fs_alu_row *row, eu_reg dst)
{
   const struct eu_builder both = v->n.b;
   const nir_operand *src = &alu->src[0];
   uint8_t comp[4];

   if (row->emit != fs_alu_convert ||
       vec4_is_small(eu_type_sz(dst.type) * 8) ||
       alu->instr.result.num_components != 4 || nir_use_is_const(src->use) ||
       vec4_is_small(src->use.value->bit_size))
      return false;
   components(alu, 0, comp);
   eu_reg r = vec4_operand(v, &src->use, comp, ISA_WRITEMASK_XYZW);
   if (r.stride != 0 || r.swz != ISA_SWIZZLE_XYZW ||
       r.offset % (4 * eu_type_sz(r.type)))
      return false;
   r = typed(r, fs_alu_src_type(alu, 0));
   r.stride = 1;
   r.swz = 0;
   dst.swz = 0;
   for (unsigned vertex = 0; vertex < 2; vertex++) {
      struct fs_alu c = { .alu = alu, .row = row, .src = { r } };

      c.dst = eu_byte_offset(dst, vertex * 4 * eu_type_sz(dst.type));
      v->n.b = eu_group(both, 4, vertex);
      fs_alu_component(&v->n, &c);
   }
   v->n.b = both;
   return true;
}

/* The row's instructions for the components of `mask`, in all channels if
 * there is one. */
static void
emit_components(struct nir_to_vec4 *v, nir_alu_instr *alu,
                const struct fs_alu_row *row, eu_reg dst, unsigned mask)
{
   if (!emit_select(v, alu, row, dst, mask) &&
       !emit_shared_conversion(v, alu, row, dst))
      emit_row(v, alu, row, dst, mask);
}

void
vec4_emit_alu(struct nir_to_vec4 *v, nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const struct fs_alu_row *row = fs_alu_row_of(alu->op);
   nir_value *dest = &alu->instr.result;
   const unsigned bits = dest->bit_size;
   const unsigned comps = dest->num_components;

   if (alu->op == nir_op_mov || nir_op_is_vec(alu->op)) {
      emit_vector(v, alu);
      return;
   }
   if (vec4_emit_reduction(v, alu) || vec4_emit_pair(v, alu))
      return;
   if (comps > 4 || (comps > 1 && vec4_is_small(bits))) {
      eu_fail(v->n.s, "a vector of %u components of %u bits", comps, bits);
      return;
   }
   eu_reg dst = vec4_new(v, fs_type_for_nir(info->output.type, bits));
   /* Components that are not there may get any value, which helps with
    * swizzles of doubles, and with flags that a comparison has set. */
   if (comps > 1 && comps < 4 &&
       (is_native_double(alu, row) || is_double_compare(alu, row) ||
        (row->emit == fs_alu_bcsel && is_native(v, alu, row)))) {
      eu_undef(&v->n.b, dst);
      emit_components(v, alu, row, dst, BITFIELD_MASK(comps));
   } else {
      emit_components(v, alu, row, dst, ISA_WRITEMASK_XYZW);
   }
   if (!fs_in_web(&v->n, dest)) {
      vec4_set_dest(v, dest, dst);
      return;
   }
   const unsigned raw = vec4_raw_type(bits);
   const eu_reg to = v->ssa[dest->index];
   if (vec4_is_small(bits))
      eu_MOV(&v->n.b, vec4_dst(to, 0), eu_retype(vec4_dst(dst, 0), to.type));
   else
      vec4_mov(v, eu_retype(to, raw),
               comps == 1 ? ISA_WRITEMASK_XYZW : BITFIELD_MASK(comps),
               eu_retype(dst, raw));
}
