/* SPDX-License-Identifier: MIT */
/*
 * What loads and stores reach, and what is known of their offsets.
 */
#include "nir_access.h"

#include "util/macros.h"

#define MAX_DEPTH 8

/* Sources of the intrinsics; -1: there is none. */
static const struct access_row {
   nir_intrinsic_op op;
   int8_t resource, offset;
   bool is_store, is_shared;
} access_rows[] = {
   { nir_intrinsic_load_ubo, 0, 1, false, false },
   { nir_intrinsic_load_ssbo, 0, 1, false, false },
   { nir_intrinsic_store_ssbo, 1, 2, true, false },
   { nir_intrinsic_load_shared, -1, 0, false, true },
   { nir_intrinsic_store_shared, -1, 1, true, true },
};

static const struct access_row *
row_of(nir_intrinsic_op op)
{
   for (unsigned i = 0; i < ARRAY_SIZE(access_rows); i++) {
      if (access_rows[i].op == op)
         return &access_rows[i];
   }
   return NULL;
}

nir_alu_instr *
nir_alu_of(const nir_value *def, nir_op op)
{
   nir_instr *from = def->instr;

   if (from->kind != nir_kind_alu || nir_instr_as_alu(from)->op != op)
      return NULL;
   return nir_instr_as_alu(from);
}

/* ---- what is known of values ---- */

/* Bits by which a shift of that size moves; false: not known. */
static bool
shift_of(const nir_alu_instr *alu, unsigned comp, unsigned *bits)
{
   if (!nir_use_is_const(alu->src[1].use))
      return false;
   *bits = (unsigned)nir_use_comp_as_uint(alu->src[1].use,
                                          alu->src[1].swizzle[comp]) &
           (alu->instr.result.bit_size - 1u);
   return true;
}

static unsigned
zero_bits(nir_value *def, unsigned comp, unsigned depth)
{
   nir_alu_instr *alu;
   unsigned z[2], n;

   if (def->instr->kind == nir_kind_load_const) {
      const uint64_t v = nir_const_value_as_uint(
         nir_instr_as_load_const(def->instr)->value[comp], def->bit_size);
      return v ? (unsigned)__builtin_ctzll(v) : def->bit_size;
   }
   if (def->instr->kind != nir_kind_alu || depth > MAX_DEPTH)
      return 0;
   alu = nir_instr_as_alu(def->instr);
   if (nir_op_infos[alu->op].num_inputs != 2 ||
       nir_op_infos[alu->op].input[0].size)
      return 0;
   for (unsigned i = 0; i < 2; i++)
      z[i] = zero_bits(alu->src[i].use.value, alu->src[i].swizzle[comp],
                       depth + 1);
   switch (alu->op) {
   case nir_op_iadd:
   case nir_op_ior: return MIN2(z[0], z[1]);
   case nir_op_iand: return MAX2(z[0], z[1]);
   case nir_op_imul: return MIN2(def->bit_size, z[0] + z[1]);
   case nir_op_ishl:
      if (!shift_of(alu, comp, &n))
         return z[0];
      return MIN2(def->bit_size, z[0] + n);
   case nir_op_ushr:
      return shift_of(alu, comp, &n) && n < z[0] ? z[0] - n : 0;
   default: return 0;
   }
}

unsigned
nir_zero_low_bits(nir_value *def, unsigned comp)
{
   return zero_bits(def, comp, 0);
}

static uint64_t bound(const nir_shader *s, nir_value *def, unsigned comp,
                      unsigned depth);

static uint64_t
bound_of_source(const nir_shader *s, const nir_alu_instr *alu, unsigned i,
                unsigned comp, unsigned depth)
{
   return bound(s, alu->src[i].use.value, alu->src[i].swizzle[comp],
                depth + 1);
}

static uint64_t
bound_of_alu(const nir_shader *s, const nir_alu_instr *alu, unsigned comp,
             unsigned depth)
{
   uint64_t x[2];
   unsigned n;

   for (unsigned i = 0; i < 2; i++)
      x[i] = bound_of_source(s, alu, i, comp, depth);
   switch (alu->op) {
   case nir_op_iadd: return x[0] + x[1];
   case nir_op_imul: return x[0] * x[1];
   case nir_op_iand:
   case nir_op_umin: return MIN2(x[0], x[1]);
   case nir_op_umod: return x[1] ? MIN2(x[0], x[1] - 1) : 0;
   case nir_op_udiv: return x[0];
   case nir_op_ishl: return shift_of(alu, comp, &n) ? x[0] << n : UINT32_MAX;
   case nir_op_ushr: return shift_of(alu, comp, &n) ? x[0] >> n : x[0];
   default: return UINT32_MAX;
   }
}

/* No component is greater; UINT32_MAX if nothing is known. */
static uint64_t
bound(const nir_shader *s, nir_value *def, unsigned comp, unsigned depth)
{
   const uint16_t *size = s->info.workgroup_size;
   const nir_instr *from = def->instr;
   const bool fixed = s->info.stage == MESA_SHADER_COMPUTE &&
                      !s->info.workgroup_size_variable;

   if (def->bit_size != 32 || depth > MAX_DEPTH)
      return UINT32_MAX;
   switch (from->kind) {
   case nir_kind_load_const:
      return nir_instr_as_load_const((nir_instr *)from)->value[comp].u32;
   case nir_kind_intrinsic:
      switch (nir_instr_as_intrinsic((nir_instr *)from)->intrinsic) {
      case nir_intrinsic_load_local_invocation_index:
         return fixed ? (uint64_t)size[0] * size[1] * size[2] : UINT32_MAX;
      case nir_intrinsic_load_local_invocation_id:
         return fixed ? size[comp] : UINT32_MAX;
      case nir_intrinsic_load_workgroup_id:
      case nir_intrinsic_load_num_workgroups:
         return s->options && s->options->max_workgroups
                   ? s->options->max_workgroups
                   : UINT32_MAX;
      default: return UINT32_MAX;
      }
   case nir_kind_alu: {
      const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)from);
      if (nir_op_infos[alu->op].num_inputs != 2 ||
          nir_op_infos[alu->op].input[0].size)
         return UINT32_MAX;
      /* What may have wrapped is anything. */
      return MIN2(UINT32_MAX, bound_of_alu(s, alu, comp, depth));
   }
   default: return UINT32_MAX;
   }
}

/* ---- accesses ---- */

/* Takes constants off the offset. */
static void
parse_offset(struct nir_access *a, nir_value *def, unsigned comp)
{
   const nir_alu_instr *add;

   while ((add = nir_alu_of(def, nir_op_iadd))) {
      const unsigned k = nir_use_is_const(add->src[0].use) ? 0 : 1;
      if (!nir_use_is_const(add->src[k].use))
         break;
      a->offset_B +=
         nir_use_comp_as_int(add->src[k].use, add->src[k].swizzle[comp]);
      def = add->src[1 - k].use.value;
      comp = add->src[1 - k].swizzle[comp];
   }
   if (def->instr->kind == nir_kind_load_const) {
      a->offset_B += nir_const_value_as_int(
         nir_instr_as_load_const(def->instr)->value[comp], def->bit_size);
   } else {
      a->base_def = def;
      a->base_comp = comp;
      a->base = 1 + (uint64_t)def->index * NIR_MAX_VEC_COMPONENTS + comp;
   }
}

static uint64_t
resource_key(const nir_use *src)
{
   return nir_use_is_const(*src) ? nir_use_as_uint(*src) << 1
                                 : (uint64_t)src->value->index << 1 | 1;
}

bool
nir_access_describe(nir_intrinsic_instr *intr, struct nir_access *a)
{
   const struct access_row *row = row_of(intr->intrinsic);

   if (!row)
      return false;
   const unsigned bits = row->is_store ? intr->src[0].value->bit_size
                                       : intr->instr.result.bit_size;
   const unsigned access =
      nir_intrinsic_has_access(intr) ? nir_intrinsic_access(intr) : 0;

   *a = (struct nir_access) {
      .intr = intr,
      .offset_src = &intr->src[row->offset],
      .is_store = row->is_store,
      .is_shared = row->is_shared,
      .value_B = (uint8_t)(bits / 8),
      .kind = (uint64_t)intr->intrinsic << 40 | (uint64_t)bits << 32 | access,
      .offset_B = row->is_shared ? nir_intrinsic_base(intr) : 0,
   };
   if (a->offset_src->value->bit_size != 32)
      return false;
   if (row->resource >= 0)
      a->resource = resource_key(&intr->src[row->resource]);
   parse_offset(a, a->offset_src->value, 0);
   a->offset_B = (int32_t)a->offset_B;
   return true;
}

bool
nir_access_is_fixed_uniform(const struct nir_access *a)
{
   return !a->base_def && a->intr->intrinsic == nir_intrinsic_load_ubo &&
          nir_use_is_const(a->intr->src[0]);
}

bool
nir_access_may_merge(const struct nir_access *a)
{
   return (a->value_B == 4 || a->value_B == 8) &&
          !((unsigned)a->kind & (ACCESS_VOLATILE | ACCESS_COHERENT));
}

bool
nir_access_may_widen(const struct nir_access *a)
{
   return a->value_B < 4 &&
          !((unsigned)a->kind & (ACCESS_VOLATILE | ACCESS_COHERENT));
}

bool
nir_access_phase(const struct nir_access *a, unsigned *phase_B)
{
   const unsigned align_B = nir_intrinsic_align_mul(a->intr);

   if (!a->base_def || nir_zero_low_bits(a->base_def, a->base_comp) >= 2)
      *phase_B = a->offset_B & 3;
   else if (align_B >= 4 && align_B % 4 == 0)
      *phase_B = nir_intrinsic_align_offset(a->intr) & 3;
   else
      return false;
   return true;
}

unsigned
nir_access_size_B(const struct nir_access *a)
{
   return a->intr->num_components * a->value_B;
}

int
nir_access_compare(const struct nir_access *x, const struct nir_access *y)
{
   if (x->kind != y->kind)
      return x->kind < y->kind ? -1 : 1;
   if (x->resource != y->resource)
      return x->resource < y->resource ? -1 : 1;
   return x->base < y->base ? -1 : x->base > y->base;
}

unsigned
nir_access_orders(const nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_store_ssbo:
   case nir_intrinsic_store_global: return NIR_ACCESS_BUFFERS;
   case nir_intrinsic_store_shared: return NIR_ACCESS_SHARED;
   default: break;
   }
   if (nir_intrinsic_infos[intr->intrinsic].flags &
       NIR_INTRINSIC_CAN_ELIMINATE)
      return 0;
   return NIR_ACCESS_BUFFERS | NIR_ACCESS_SHARED;
}

static bool
is_known_buffer(const struct nir_access *a)
{
   return !a->is_shared && !(a->resource & 1) &&
          a->intr->intrinsic != nir_intrinsic_load_ubo;
}

bool
nir_access_are_apart(const nir_shader *shader, const struct nir_access *x,
                     const struct nir_access *y)
{
   return shader->info.buffers_are_apart && is_known_buffer(x) &&
          is_known_buffer(y) && x->resource != y->resource;
}

bool
nir_access_may_wrap(const nir_shader *shader, const struct nir_access *a,
                    int64_t from_B, int64_t end_B)
{
   const unsigned n =
      a->base_def ? MIN2(32u, nir_zero_low_bits(a->base_def, a->base_comp))
                  : 32;

   /* The base is a multiple of 2^n, and so is 2^32: not where the bytes lie
    * in one of the pieces of that size. */
   if (from_B >> n == (end_B - 1) >> n)
      return false;
   return from_B < 0 || !a->base_def ||
          bound(shader, a->base_def, a->base_comp, 0) + (uint64_t)end_B >
             UINT32_MAX;
}

nir_value *
nir_access_offset(nir_builder *b, const struct nir_access *a, int64_t at_B)
{
   if (!a->base_def)
      return nir_imm_int(b, (int)at_B);
   nir_value *base = nir_channel(b, a->base_def, a->base_comp);
   return at_B ? nir_iadd_imm(b, base, (uint64_t)at_B) : base;
}

nir_intrinsic_instr *
nir_access_build_load(nir_builder *b, const struct nir_access *a,
                      int64_t at_B, unsigned comps, unsigned bits)
{
   nir_value *offset = nir_access_offset(b, a, at_B);
   nir_intrinsic_instr *load =
      nir_new_intrinsic(b->shader, a->intr->intrinsic);

   load->num_components = (uint8_t)comps;
   memcpy(load->const_index, a->intr->const_index, sizeof(load->const_index));
   if (a->is_shared) {
      nir_intrinsic_set_base(load, 0);
      load->src[0] = nir_use_of(offset);
   } else {
      load->src[0] = nir_use_of(a->intr->src[0].value);
      load->src[1] = nir_use_of(offset);
   }
   if (load->intrinsic == nir_intrinsic_load_ubo) {
      nir_intrinsic_set_range_base(load, 0);
      nir_intrinsic_set_range(load, ~0u);
   }
   nir_set_result(&load->instr, comps, bits);
   nir_emit(b, &load->instr);
   return load;
}

bool
nir_access_run_blocks(nir_shader *shader,
                      bool (*run)(nir_builder *b, nir_block *block,
                                  void *data),
                      void *data)
{
   bool progress = false;

   nir_foreach_impl(impl, shader) {
      bool changed = false;
      nir_builder b;
      nir_builder_init(&b, impl);
      nir_number_values(impl);
      nir_foreach_block(block, impl)
         changed |= run(&b, block, data);
      nir_changed(impl, changed, nir_metadata_control_flow);
      progress |= changed;
   }
   return progress;
}
