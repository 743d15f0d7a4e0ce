/* SPDX-License-Identifier: MIT */
/*
 * NIR -> SIMD4x2 code: values, constants, and what is left to the scalar back
 * end. Control flow is its, too: a condition has all channels of a vertex.
 */
#include "vec4_nir.h"

#define SPLAT ISA_SWIZZLE_XYZW /* of a value that is in all channels */

unsigned
vec4_raw_type(unsigned bit_size)
{
   return bit_size == 64 ? ISA_TYPE_DF : fs_raw_type(bit_size);
}

eu_reg
vec4_new(struct nir_to_vec4 *v, unsigned type)
{
   return vec4_src(eu_vgrf(&v->n.b, type, 1));
}

struct eu_inst *
vec4_mov(struct nir_to_vec4 *v, eu_reg dst, unsigned mask, eu_reg src)
{
   struct eu_builder b = v->n.b;

   b.align16 = (uint8_t)mask;
   return eu_MOV(&b, vec4_dst(dst, mask), src);
}

/* ---- constants ---- */

/* Room for the distinct ones of `bits`, in which they all are. */
static struct vec4_pooled_const *
find_pooled(struct nir_to_vec4 *v, unsigned size_B, const uint64_t *bits,
            unsigned count)
{
   util_dynarray_foreach(&v->consts, struct vec4_pooled_const, p) {
      unsigned missing = 0;

      if (p->size_B != size_B)
         continue;
      for (unsigned i = 0; i < count; i++) {
         bool found = false;
         for (unsigned k = 0; k < p->used; k++)
            found |= p->bits[k] == bits[i];
         missing += !found;
      }
      if (missing == 0 || p->used + missing <= 4)
         return p;
   }
   return NULL;
}

static struct vec4_pooled_const *
new_pooled(struct nir_to_vec4 *v, unsigned size_B)
{
   const unsigned n = (unsigned)util_dynarray_num_elements(
      &v->consts, struct vec4_pooled_const);
   struct vec4_pooled_const p = { .size_B = (uint8_t)size_B };
   const struct vec4_pooled_const *last =
      n ? util_dynarray_element(&v->consts, struct vec4_pooled_const, n - 1)
        : NULL;

   if (size_B == 4 && last && last->size_B == 4 && last->offset_B == 0) {
      p.vgrf = last->vgrf;
      p.offset_B = 16;
   } else {
      struct eu_builder cb = eu_scalar(v->n.b);
      cb.before = v->n.const_tail->next;
      p.vgrf = eu_alloc_vgrf(v->n.s, 1);
      eu_undef(&cb, eu_vgrf_reg(p.vgrf, ISA_TYPE_UD));
      v->n.const_tail = cb.before->prev;
   }
   util_dynarray_append(&v->consts, struct vec4_pooled_const, p);
   return util_dynarray_element(&v->consts, struct vec4_pooled_const, n);
}

/* Where one value is among the four. */
static unsigned
place(struct nir_to_vec4 *v, struct vec4_pooled_const *p, uint64_t bits)
{
   struct eu_builder cb = eu_scalar(v->n.b);

   for (unsigned k = 0; k < p->used; k++) {
      if (p->bits[k] == bits)
         return k;
   }
   cb.nir = NULL;
   cb.before = v->n.const_tail->next;
   eu_reg r =
      eu_vgrf_reg(p->vgrf, p->size_B == 8 ? ISA_TYPE_DF : ISA_TYPE_UD);
   r.offset = p->offset_B + p->used * p->size_B;
   eu_MOV(&cb, r, eu_imm(r.type, bits));
   v->n.const_tail = cb.before->prev;
   p->bits[p->used] = bits;
   return p->used++;
}

/* bits[c] in the channels c of `mask`. */
static eu_reg
vector_const(struct nir_to_vec4 *v, unsigned bit_size, const uint64_t *bits,
             unsigned mask)
{
   const unsigned size_B = bit_size == 64 ? 8 : 4;
   uint64_t distinct[4];
   unsigned count = 0, swz = 0, first = 0;

   for (unsigned c = 4; c-- > 0;) {
      bool known = false;
      if (!(mask & (1u << c)))
         continue;
      for (unsigned k = 0; k < count; k++)
         known |= distinct[k] == bits[c];
      if (!known)
         distinct[count++] = bits[c];
      first = c;
   }
   struct vec4_pooled_const *p = find_pooled(v, size_B, distinct, count);
   if (!p)
      p = new_pooled(v, size_B);
   for (unsigned c = 0; c < 4; c++)
      swz |= place(v, p, bits[mask & (1u << c) ? c : first]) << 2 * c;

   eu_reg r = eu_vgrf_reg(p->vgrf, vec4_raw_type(bit_size));
   r.offset = p->offset_B;
   r.stride = 0;
   r.swz = (uint8_t)swz;
   return r;
}

/* ---- sources ---- */

static bool
is_single(const nir_use *src)
{
   return src->value->num_components == 1;
}

static eu_reg
value_of(struct nir_to_vec4 *v, const nir_use *src)
{
   const eu_reg r = v->ssa[src->value->index];

   return r.file == EU_BAD ? fs_no_value(&v->n, src) : r;
}

/* Constants of the channels of `mask`; whether they are all the same. */
static bool
constants(const nir_use *src, const uint8_t *comp, unsigned mask,
          uint64_t *bits)
{
   const unsigned size = src->value->bit_size;
   const unsigned first = (unsigned)__builtin_ctz(mask);
   bool same = true;

   for (unsigned c = 0; c < 4; c++) {
      if (!(mask & (1u << c)))
         continue;
      bits[c] =
         fs_const_bits(nir_use_comp_as_const_value(*src, comp[c]), size);
      same &= bits[c] == bits[first];
   }
   return same;
}

bool
vec4_undefined(const struct nir_to_vec4 *v, const nir_use *src, unsigned comp)
{
   if (fs_in_web(&v->n, src->value))
      return false;
   const nir_instr *instr = src->value->instr;
   if (instr->kind == nir_kind_undef)
      return true;
   const nir_alu_instr *alu = nir_maybe_alu(instr);
   if (!alu)
      return false;
   return nir_op_is_vec(alu->op) &&
          vec4_undefined(v, &alu->src[comp].use, alu->src[comp].swizzle[0]);
}

eu_reg
vec4_operand(struct nir_to_vec4 *v, const nir_use *src, const uint8_t *comp,
             unsigned mask)
{
   const unsigned first = (unsigned)__builtin_ctz(mask);
   unsigned swz = 0;

   if (nir_use_is_const(*src)) {
      const unsigned size = src->value->bit_size;
      uint64_t bits[4];

      if (constants(src, comp, mask, bits) && size <= 32)
         return eu_imm(size == 8 ? ISA_TYPE_UW : fs_raw_type(size),
                       bits[first]);
      return vector_const(v, size, bits, mask);
   }
   if (vec4_is_small(src->value->bit_size))
      return eu_offset(value_of(v, src), &v->n.b, comp[first]);
   if (is_single(src))
      return value_of(v, src);
   for (unsigned c = 0; c < 4; c++)
      swz |= (unsigned)comp[mask & (1u << c) ? c : first] << 2 * c;
   return vec4_swizzle(value_of(v, src), swz);
}

/* A vector's component as an Align1 scalar. */
static eu_reg
scalar_of(eu_reg r, unsigned c)
{
   r.offset += c * eu_type_sz(r.type);
   r.swz = 0;
   return r;
}

eu_reg
vec4_align1_operand(struct nir_to_vec4 *v, const nir_use *src,
                    const uint8_t *comp, unsigned mask)
{
   eu_reg r = vec4_operand(v, src, comp, mask);
   bool one = true, identity = true;

   if (r.file == EU_IMM || vec4_is_small(src->value->bit_size))
      return r;
   const unsigned first = (unsigned)__builtin_ctz(mask);
   for (unsigned c = 0; c < 4; c++) {
      const unsigned from = eu_swizzle_get(r.swz, c);
      if (!(mask & (1u << c)))
         continue;
      one &= from == eu_swizzle_get(r.swz, first);
      identity &= from == c;
   }
   if (r.stride == 0 && one)
      return scalar_of(r, eu_swizzle_get(r.swz, first));
   if (r.stride == 1 && identity) {
      r.swz = 0;
      return r;
   }
   eu_reg t = vec4_new(v, r.type);
   if (mask != ISA_WRITEMASK_XYZW)
      eu_undef(&v->n.b, t);
   vec4_mov(v, eu_retype(t, vec4_raw_type(8 * eu_type_sz(r.type))), mask,
            eu_retype(r, vec4_raw_type(8 * eu_type_sz(r.type))));
   t.swz = 0;
   return t;
}

/* ---- destinations ---- */

void
vec4_set_dest(struct nir_to_vec4 *v, nir_value *dest, eu_reg r)
{
   const unsigned bits = dest->bit_size;
   const unsigned comps = dest->num_components;

   if (!fs_in_web(&v->n, dest)) {
      v->ssa[dest->index] = eu_retype(r, fs_raw_type(bits));
      return;
   }
   const unsigned raw = vec4_raw_type(bits);
   const eu_reg to = v->ssa[dest->index];
   if (vec4_is_small(bits)) {
      for (unsigned c = 0; c < comps; c++)
         eu_MOV(&v->n.b, eu_offset(to, &v->n.b, c), eu_offset(r, &v->n.b, c));
      return;
   }
   vec4_mov(v, eu_retype(to, raw),
            comps == 1 ? ISA_WRITEMASK_XYZW : BITFIELD_MASK(comps),
            eu_retype(r, raw));
}

/* ---- work of the scalar back end ---- */

/* A component in all channels of its vertex. */
static eu_reg
host_component(struct nir_to_fs *n, const nir_use *src, unsigned c)
{
   const uint8_t comp[4] = {
      (uint8_t)c,
      (uint8_t)c,
      (uint8_t)c,
      (uint8_t)c,
   };

   return vec4_align1_operand(vec4_of(n), src, comp, ISA_WRITEMASK_XYZW);
}

/* Scalars that lie one after the other, within what one vector spans. One of
 * four whole doubles is best: what was loaded piece by piece has one origin
 * then. */
static bool
as_uniform_vector(eu_reg *r, unsigned bits, unsigned comps)
{
   const unsigned size = bits / 8;
   unsigned span_B = 4 * size, swz = 0;

   if (r->stride || r->region || bits < 32 || r->offset % size)
      return false;
   if (r->offset % span_B / size + comps > 4)
      span_B = 16;
   const unsigned first = r->offset % span_B / size;
   if (first + comps > 4)
      return false;
   for (unsigned c = 0; c < 4; c++)
      swz |= (first + MIN2(c, comps - 1)) << 2 * c;
   r->offset -= r->offset % span_B;
   r->swz = (uint8_t)swz;
   return true;
}

/* The components that the scalar back end has made, as a vector. */
void
vec4_take_result(struct nir_to_vec4 *v, nir_value *dest)
{
   const unsigned bits = dest->bit_size;
   const unsigned comps = dest->num_components;
   eu_reg from = eu_retype(v->n.result, vec4_raw_type(bits));

   if (nir_value_is_unused(dest))
      return;
   if (from.file == EU_BAD) {
      eu_fail(v->n.s, "an instruction without a result");
      return;
   }
   if (as_uniform_vector(&from, bits, comps)) {
      vec4_set_dest(v, dest, from);
      return;
   }
   if (vec4_is_small(bits)) {
      vec4_set_dest(v, dest, from);
      return;
   }
   eu_reg to = vec4_new(v, from.type);
   if (comps > 1)
      eu_undef(&v->n.b, to);
   for (unsigned c = 0; c < comps; c++) {
      eu_reg one = eu_offset(from, &v->n.b, c);
      if (!as_uniform_vector(&one, bits, 1))
         one.swz = ISA_SWIZZLE_XXXX;
      vec4_mov(v, to, comps == 1 ? ISA_WRITEMASK_XYZW : 1u << c, one);
   }
   vec4_set_dest(v, dest, to);
}

/* Of the four channels of a vertex one writes memory. URB messages
 * have all. */
static void
let_one_channel_write(struct nir_to_vec4 *v, struct list_head *last)
{
   struct eu_shader *s = v->n.s;
   const struct eu_builder sb = eu_scalar(v->n.b);
   eu_reg flag = eu_flag_reg(EU_FLAG_SCRATCH);

   flag.stride = 1;
   for (struct list_head *at = last->next; at != &s->insts; at = at->next) {
      struct eu_inst *inst = list_entry(at, struct eu_inst, link);
      if (!eu_is_send(inst) || !inst->side_effects || inst->nomask ||
          inst->sfid == ISA_SFID_URB || inst->pred != ISA_PRED_NONE)
         continue;
      struct eu_builder b = sb;
      b.before = &inst->link;
      eu_MOV(&b, flag, eu_imm_uw(0x1111));
      inst->pred = ISA_PRED_NORMAL;
      inst->flag = EU_FLAG_SCRATCH;
   }
}

static void
emit_intrinsic(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   struct list_head *last = v->n.s->insts.prev;

   if (v->n.stage->intrinsic(&v->n, intr) ||
       vec4_emit_scratch_intrinsic(v, intr))
      return;
   v->n.result = (eu_reg) { 0 };
   fs_emit_intrinsic(&v->n, intr);
   if (v->n.s->failed)
      return;
   let_one_channel_write(v, last);
   if (nir_intrinsic_infos[intr->intrinsic].has_dest)
      vec4_take_result(v, &intr->instr.result);
}

static void
emit_undef(struct nir_to_vec4 *v, nir_instr *undef)
{
   const unsigned bits = undef->result.bit_size;
   eu_reg r = vec4_is_small(bits)
                 ? fs_alloc_value(&v->n, bits, undef->result.num_components)
                 : vec4_new(v, fs_raw_type(bits));

   eu_undef(&v->n.b, r);
   v->ssa[undef->result.index] = r;
}

static void
emit_instr(struct nir_to_fs *n, nir_instr *instr)
{
   struct nir_to_vec4 *v = vec4_of(n);

   switch (instr->kind) {
   case nir_kind_alu: vec4_emit_alu(v, nir_instr_as_alu(instr)); break;
   case nir_kind_tex:
      n->result = (eu_reg) { 0 };
      fs_emit_tex(n, nir_instr_as_tex(instr));
      if (!n->s->failed)
         vec4_take_result(v, &instr->result);
      break;
   case nir_kind_intrinsic:
      emit_intrinsic(v, nir_instr_as_intrinsic(instr));
      break;
   case nir_kind_load_const: break; /* at its uses */
   case nir_kind_undef: emit_undef(v, instr); break;
   case nir_kind_jump: fs_emit_jump(n, nir_instr_as_jump(instr)); break;
   case nir_kind_deref: break;
   case nir_kind_phi: break; /* its web has one register */
   case nir_kind_call:
      eu_fail(n->s, "NIR instruction that the back end does not take");
      break;
   }
}

static const struct fs_host host = {
   .instr = emit_instr,
   .src_comp = host_component,
   .urb_read = vec4_urb_read,
   .urb_write = vec4_urb_write,
   .write_vue = vec4_write_vue,
};

static void
make_web_registers(struct nir_to_vec4 *v, nir_function_impl *impl)
{
   const struct nir_phi_webs *webs = &v->n.webs;
   eu_reg *regs = arena_new_array(v->n.s->arena, eu_reg, webs->count);
   for (uint32_t w = 0; w < webs->count; w++) {
      const nir_value *like = webs->like[w];
      regs[w] =
         vec4_is_small(like->bit_size)
            ? fs_alloc_value(&v->n, like->bit_size, like->num_components)
            : vec4_new(v, fs_raw_type(like->bit_size));
      eu_undef(&v->n.b, regs[w]);
   }
   for (uint32_t i = 0; i < impl->num_values; i++) {
      if (webs->of[i])
         v->ssa[i] = regs[webs->of[i] - 1];
   }
}

void
vec4_emit_nir(struct eu_shader *s)
{
   struct nir_to_vec4 v = {
      .n = { .s = s,
             .b = eu_builder_at_end(s),
             .host = &host,
             .stage = &vec4_stages[s->stage],
             .const_used_B = REG_SIZE_B },
   };
   nir_function_impl *impl = nir_entry_point(s->nir);

   if (!v.n.stage->setup) {
      eu_fail(s, "no vec4 back end for this stage");
      return;
   }
   v.n.stage->setup(s);
   fs_setup_scratch(s);
   if (s->failed)
      return;
   nir_find_phi_webs(&v.n.webs, impl, s->arena);
   v.ssa = arena_new_array(s->arena, eu_reg, impl->num_values);
   fs_emit_float_controls(&v.n);
   v.n.const_tail = s->insts.prev;
   if (v.n.stage->prologue)
      v.n.stage->prologue(&v.n);
   make_web_registers(&v, impl);
   if (!s->failed)
      fs_emit_cf_list(&v.n, &impl->body);
   v.n.b.nir = NULL;
   if (!s->failed)
      v.n.stage->end(&v.n);
   s->input_grfs = v.n.stage->input_grfs(s);
   util_dynarray_fini(&v.consts);
   util_dynarray_fini(&v.n.consts);
   util_dynarray_fini(&v.n.pulled);
}
