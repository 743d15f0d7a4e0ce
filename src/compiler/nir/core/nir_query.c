/* SPDX-License-Identifier: MIT */
/* Questions about instructions, sources and constants. */
#include "nir.h"

#include <math.h>

#include "nir_private.h"
#include "util/half.h"

/* --- Constant values ---------------------------------------------------- */

uint64_t
nir_const_value_as_uint(nir_const_value v, unsigned bit_size)
{
   switch (bit_size) {
   case 1: return v.b;
   case 8: return v.u8;
   case 16: return v.u16;
   case 32: return v.u32;
   case 64: return v.u64;
   }
   unreachable("bit size");
}

int64_t
nir_const_value_as_int(nir_const_value v, unsigned bit_size)
{
   /* The 1-bit integer is 0 or -1. */
   return util_sign_extend(nir_const_value_as_uint(v, bit_size), bit_size);
}

double
nir_const_value_as_float(nir_const_value v, unsigned bit_size)
{
   switch (bit_size) {
   case 16: return util_half_to_float(v.u16);
   case 32: return v.f32;
   case 64: return v.f64;
   }
   unreachable("bit size of a float");
}

bool
nir_const_value_as_bool(nir_const_value v, unsigned bit_size)
{
   return nir_const_value_as_uint(v, bit_size) != 0;
}

nir_const_value
nir_const_value_for_raw_uint(uint64_t x, unsigned bit_size)
{
   nir_const_value v = { .u64 = 0 };
   switch (bit_size) {
   case 1: v.b = x & 1; break;
   case 8: v.u8 = (uint8_t)x; break;
   case 16: v.u16 = (uint16_t)x; break;
   case 32: v.u32 = (uint32_t)x; break;
   case 64: v.u64 = x; break;
   default: unreachable("bit size");
   }
   return v;
}

nir_const_value
nir_const_value_for_uint(uint64_t i, unsigned bit_size)
{
   return nir_const_value_for_raw_uint(i, bit_size);
}

nir_const_value
nir_const_value_for_bool(bool b, unsigned bit_size)
{
   return nir_const_value_for_raw_uint(b ? ~0ull : 0, bit_size);
}

nir_const_value
nir_const_value_for_float(double f, unsigned bit_size)
{
   nir_const_value v = { .u64 = 0 };
   switch (bit_size) {
   case 16: v.u16 = util_double_to_half(f); break;
   case 32: v.f32 = (float)f; break;
   case 64: v.f64 = f; break;
   default: unreachable("bit size of a float");
   }
   return v;
}

/* --- Sources ------------------------------------------------------------ */

const nir_const_value *
nir_use_constant(nir_use src)
{
   if (!nir_use_is_const(src))
      return NULL;
   return nir_instr_as_load_const(src.value->instr)->value;
}

nir_const_value
nir_use_comp_as_const_value(nir_use src, unsigned comp)
{
   assert(nir_use_is_const(src));
   nir_load_const_instr *lc = nir_instr_as_load_const(src.value->instr);
   assert(comp < lc->instr.result.num_components);
   return lc->value[comp];
}

uint64_t
nir_use_comp_as_uint(nir_use src, unsigned comp)
{
   return nir_const_value_as_uint(nir_use_comp_as_const_value(src, comp),
                                  src.value->bit_size);
}

int64_t
nir_use_comp_as_int(nir_use src, unsigned comp)
{
   return nir_const_value_as_int(nir_use_comp_as_const_value(src, comp),
                                 src.value->bit_size);
}

double
nir_use_comp_as_float(nir_use src, unsigned comp)
{
   return nir_const_value_as_float(nir_use_comp_as_const_value(src, comp),
                                   src.value->bit_size);
}

bool
nir_use_comp_as_bool(nir_use src, unsigned comp)
{
   return nir_const_value_as_bool(nir_use_comp_as_const_value(src, comp),
                                  src.value->bit_size);
}

bool
nir_uses_equal(nir_use a, nir_use b)
{
   return a.value == b.value;
}

nir_intrinsic_instr *
nir_use_as_intrinsic(nir_use src)
{
   return src.value->instr->kind == nir_kind_intrinsic
             ? nir_instr_as_intrinsic(src.value->instr)
             : NULL;
}

nir_component_mask_t
nir_use_components_read(const nir_use *src)
{
   const nir_instr *instr = src->instr;
   const unsigned all = BITFIELD_MASK(src->value->num_components);
   if (instr->kind == nir_kind_alu) {
      const nir_alu_instr *alu = nir_instr_as_alu(instr);
      unsigned mask = 0;
      for (unsigned i = 0; i < alu->instr.num_operands; i++) {
         if (&alu->src[i].use == src)
            mask |= nir_operand_read_mask(alu, i);
      }
      return (nir_component_mask_t)(mask ? mask : all);
   }
   if (instr->kind == nir_kind_intrinsic) {
      const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      if (nir_intrinsic_has_write_mask(intr) && src == &intr->src[0] &&
          nir_intrinsic_infos[intr->intrinsic].src_components[0] == 0)
         return (nir_component_mask_t)nir_intrinsic_write_mask(intr);
      if (intr->intrinsic == nir_intrinsic_store_deref &&
          src == &intr->src[1])
         return (nir_component_mask_t)nir_intrinsic_write_mask(intr);
   }
   return (nir_component_mask_t)all;
}

bool
nir_instr_ends_channels(const nir_instr *instr)
{
   if (instr->kind != nir_kind_intrinsic)
      return false;
   switch (nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic) {
   case nir_intrinsic_discard:
   case nir_intrinsic_discard_if:
   case nir_intrinsic_demote:
   case nir_intrinsic_demote_if:
   case nir_intrinsic_terminate:
   case nir_intrinsic_terminate_if: return true;
   default: return false;
   }
}

nir_component_mask_t
nir_value_components_read(const nir_value *def)
{
   unsigned mask = 0;
   nir_foreach_use(src, def)
      mask |= src->nif ? 1 : nir_use_components_read(src);
   return (nir_component_mask_t)mask;
}

/* --- ALU ---------------------------------------------------------------- */

nir_component_mask_t
nir_operand_read_mask(const nir_alu_instr *instr, unsigned src)
{
   unsigned mask = 0;
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
      if (nir_operand_reads(instr, src, c))
         mask |= 1u << instr->src[src].swizzle[c];
   }
   return (nir_component_mask_t)mask;
}

bool
nir_operands_equal(const nir_alu_instr *a, const nir_alu_instr *b,
                   unsigned src_a, unsigned src_b)
{
   const nir_operand *x = &a->src[src_a], *y = &b->src[src_b];
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
      if (nir_operand_reads(a, src_a, c) && x->swizzle[c] != y->swizzle[c])
         return false;
   }
   return nir_uses_equal(x->use, y->use);
}

bool
nir_op_is_vec(nir_op op)
{
   return op == nir_op_vec2 || op == nir_op_vec3 || op == nir_op_vec4 ||
          op == nir_op_vec5 || op == nir_op_vec8 || op == nir_op_vec16;
}

nir_op
nir_op_vec(unsigned components)
{
   static const nir_op by_size[NIR_MAX_VEC_COMPONENTS + 1] = {
      [1] = nir_op_mov,    [2] = nir_op_vec2, [3] = nir_op_vec3,
      [4] = nir_op_vec4,   [5] = nir_op_vec5, [8] = nir_op_vec8,
      [16] = nir_op_vec16,
   };
   assert(by_size[components] == nir_op_mov ||
          nir_op_is_vec(by_size[components]));
   return by_size[components];
}

bool
nir_op_is_derivative(nir_op op)
{
   return op == nir_op_fddx || op == nir_op_fddx_fine ||
          op == nir_op_fddx_coarse || op == nir_op_fddy ||
          op == nir_op_fddy_fine || op == nir_op_fddy_coarse;
}

unsigned
nir_alu_src_index(const nir_alu_instr *alu, const nir_use *use)
{
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      if (&alu->src[i].use == use)
         return i;
   }
   return UINT32_MAX;
}

bool
nir_alu_reads_float(const nir_alu_instr *alu, const nir_use *use)
{
   const unsigned i = nir_alu_src_index(alu, use);
   return i != UINT32_MAX &&
          nir_type_base(nir_op_infos[alu->op].input[i].type) ==
             nir_type_float;
}

bool
nir_alu_is_copy(const nir_alu_instr *alu)
{
   return alu->op == nir_op_mov || nir_op_is_vec(alu->op);
}

nir_alu_type
nir_type_of_glsl_base(enum glsl_base_type base)
{
   static const nir_alu_type types[] = {
      [GLSL_TYPE_UINT] = nir_type_uint32,
      [GLSL_TYPE_INT] = nir_type_int32,
      [GLSL_TYPE_FLOAT] = nir_type_float32,
      [GLSL_TYPE_FLOAT16] = nir_type_float16,
      [GLSL_TYPE_DOUBLE] = nir_type_float64,
      [GLSL_TYPE_UINT8] = nir_type_uint8,
      [GLSL_TYPE_INT8] = nir_type_int8,
      [GLSL_TYPE_UINT16] = nir_type_uint16,
      [GLSL_TYPE_INT16] = nir_type_int16,
      [GLSL_TYPE_UINT64] = nir_type_uint64,
      [GLSL_TYPE_INT64] = nir_type_int64,
      [GLSL_TYPE_BOOL] = nir_type_bool1,
   };
   return base < ARRAY_SIZE(types) ? types[base] : nir_type_invalid;
}

/* --- Scalars ------------------------------------------------------------ */

bool
nir_component_is_const(nir_component s)
{
   return s.def->instr->kind == nir_kind_load_const;
}

nir_const_value
nir_component_as_const_value(nir_component s)
{
   return nir_instr_as_load_const(s.def->instr)->value[s.comp];
}

uint64_t
nir_component_as_uint(nir_component s)
{
   return nir_const_value_as_uint(nir_component_as_const_value(s),
                                  s.def->bit_size);
}

bool
nir_component_as_bool(nir_component s)
{
   return nir_const_value_as_bool(nir_component_as_const_value(s),
                                  s.def->bit_size);
}

bool
nir_component_is_alu(nir_component s)
{
   return s.def->instr->kind == nir_kind_alu;
}

nir_component
nir_component_of_operand(nir_component s, unsigned src)
{
   nir_alu_instr *alu = nir_instr_as_alu(s.def->instr);
   const unsigned c = nir_op_infos[alu->op].input[src].size == 0 ? s.comp : 0;
   return nir_component_of(alu->src[src].use.value, alu->src[src].swizzle[c]);
}

nir_component
nir_component_through_movs(nir_component s)
{
   while (nir_component_is_alu(s)) {
      nir_alu_instr *alu = nir_instr_as_alu(s.def->instr);
      if (!nir_alu_is_copy(alu))
         break;
      s = nir_component_of_operand(s, nir_op_is_vec(alu->op) ? s.comp : 0);
   }
   return s;
}

/* --- Intrinsics --------------------------------------------------------- */

nir_io_semantics
nir_intrinsic_io_semantics(const nir_intrinsic_instr *instr)
{
   const unsigned at = nir_intrinsic_infos[instr->intrinsic]
                          .index_map[NIR_INTRINSIC_IO_SEMANTICS];
   assert(at > 0 && "the intrinsic has no such index");
   static_assert(sizeof(nir_io_semantics) == sizeof(int), "one const index");
   nir_io_semantics sem;
   memcpy(&sem, &instr->const_index[at - 1], sizeof(sem));
   return sem;
}

void
nir_intrinsic_set_io_semantics(nir_intrinsic_instr *instr,
                               nir_io_semantics sem)
{
   const unsigned at = nir_intrinsic_infos[instr->intrinsic]
                          .index_map[NIR_INTRINSIC_IO_SEMANTICS];
   assert(at > 0 && "the intrinsic has no such index");
   memcpy(&instr->const_index[at - 1], &sem, sizeof(sem));
}

unsigned
nir_intrinsic_result_components(const nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *row = &nir_intrinsic_infos[intr->intrinsic];
   const unsigned fixed = row->dest_components;
   return !row->has_dest ? 0 : fixed ? fixed : intr->num_components;
}

void
nir_intrinsic_copy_const_indices(nir_intrinsic_instr *dst,
                                 nir_intrinsic_instr *src)
{
   const nir_intrinsic_info *rows = nir_intrinsic_infos;
   for (unsigned kind = 0; kind < NIR_INTRINSIC_NUM_INDEX_FLAGS; kind++) {
      const unsigned from = rows[src->intrinsic].index_map[kind];
      const unsigned to = rows[dst->intrinsic].index_map[kind];
      if (from && to)
         dst->const_index[to - 1] = src->const_index[from - 1];
   }
}

bool
nir_intrinsic_can_reorder(const nir_intrinsic_instr *instr)
{
   if (nir_intrinsic_has_access(instr) &&
       (nir_intrinsic_access(instr) & ACCESS_VOLATILE))
      return false;
   if (instr->intrinsic == nir_intrinsic_load_deref) {
      nir_deref_instr *deref = nir_use_as_deref(instr->src[0]);
      return nir_deref_mode_is_one_of(
                deref, nir_var_shader_in | nir_var_uniform | nir_var_mem_ubo |
                          nir_var_mem_push_const | nir_var_system_value) ||
             (nir_intrinsic_access(instr) & ACCESS_CAN_REORDER);
   }
   const unsigned flags = nir_intrinsic_infos[instr->intrinsic].flags;
   if (nir_intrinsic_has_access(instr) &&
       (nir_intrinsic_access(instr) & ACCESS_CAN_REORDER) &&
       (flags & NIR_INTRINSIC_CAN_ELIMINATE))
      return true;
   return (flags & NIR_INTRINSIC_CAN_ELIMINATE) &&
          (flags & NIR_INTRINSIC_CAN_REORDER);
}

bool
nir_intrinsic_writes_external_memory(const nir_intrinsic_instr *instr)
{
   const char *name = nir_intrinsic_infos[instr->intrinsic].name;
   if (instr->intrinsic == nir_intrinsic_store_deref ||
       instr->intrinsic == nir_intrinsic_copy_deref)
      return nir_deref_mode_may_be(nir_use_as_deref(instr->src[0]),
                                   nir_var_mem_ssbo | nir_var_mem_global |
                                      nir_var_image);
   if (strstr(name, "atomic"))
      return strncmp(name, "shared", 6) != 0;
   return strncmp(name, "store_ssbo", 10) == 0 ||
          strncmp(name, "store_global", 12) == 0 ||
          strstr(name, "image_store") || strstr(name, "image_deref_store");
}

/* Operands, counted from 1, that say where an operation goes: the offset, and
 * the vertex or other element of an array of inputs or outputs. */
static const struct {
   uint8_t offset, vertex;
} places[nir_num_intrinsics] = {
   [nir_intrinsic_load_constant] = { 1, 0 },
   [nir_intrinsic_load_global] = { 1, 0 },
   [nir_intrinsic_load_input] = { 1, 0 },
   [nir_intrinsic_load_input_vertex] = { 2, 0 },
   [nir_intrinsic_load_interpolated_input] = { 2, 0 },
   [nir_intrinsic_load_output] = { 1, 0 },
   [nir_intrinsic_load_per_vertex_input] = { 2, 1 },
   [nir_intrinsic_load_per_vertex_output] = { 2, 1 },
   [nir_intrinsic_load_push_constant] = { 1, 0 },
   [nir_intrinsic_load_scratch] = { 1, 0 },
   [nir_intrinsic_load_shared] = { 1, 0 },
   [nir_intrinsic_load_ssbo] = { 2, 0 },
   [nir_intrinsic_load_ubo] = { 2, 0 },
   [nir_intrinsic_load_uniform] = { 1, 0 },
   [nir_intrinsic_store_global] = { 2, 0 },
   [nir_intrinsic_store_output] = { 2, 0 },
   [nir_intrinsic_store_per_vertex_output] = { 3, 2 },
   [nir_intrinsic_store_scratch] = { 2, 0 },
   [nir_intrinsic_store_shared] = { 2, 0 },
   [nir_intrinsic_store_ssbo] = { 3, 0 },
};

static nir_use *
operand_or_null(nir_intrinsic_instr *instr, unsigned from_one)
{
   return from_one ? &instr->src[from_one - 1] : NULL;
}

nir_use *
nir_get_io_offset_src(nir_intrinsic_instr *instr)
{
   return operand_or_null(instr, places[instr->intrinsic].offset);
}

nir_use *
nir_get_io_arrayed_index_src(nir_intrinsic_instr *instr)
{
   return operand_or_null(instr, places[instr->intrinsic].vertex);
}
