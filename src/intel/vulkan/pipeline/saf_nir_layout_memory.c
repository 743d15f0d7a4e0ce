/* SPDX-License-Identifier: MIT */
/* Part of saf_nir_apply_pipeline_layout(): blocks and push constants. */
#include "saf_nir_layout.h"

/* Where an access goes: entry (blocks only) and byte offset, each with a
 * constant and a dynamic part. */
struct address {
   const nir_variable *var;
   nir_value *block; /* dynamic part or NULL */
   uint32_t block_const;
   nir_value *offset;
   uint32_t offset_const;
   uint32_t component_stride_B;  /* of the vector that is accessed */
   bool non_uniform;             /* whichever entry it is */
   struct saf_resource resource; /* of blocks */
};

/* ---- indices that do not wrap ---- */

/*
 * An offset that wraps in 32 bits would be inside of a buffer where the index
 * is far outside (robustBufferAccess2).
 *
 * An index is limited to where what it stands for is outside of any buffer:
 * elements that begin SAF_MAX_BUFFER_RANGE_B behind the start, or more. Seen
 * as unsigned that is one instruction, and an index below 0 is outside as
 * well. Of an index that is a sum with a small constant the other part is
 * limited, on both sides, so that neighbours in memory keep one base:
 *
 *    b[i], b[i + 1]    x = clamp(i, -n, n); b[x], b[x + 1]
 *
 * What is known to be small enough stays as it is.
 */
#define MAX_DEPTH 6
/* What constants beside an index may count, in bytes: with what the index
 * may, it stays below 2^31. */
#define MAX_BESIDE_B (1u << 28)

static uint64_t upper_limit(nir_value *def, unsigned comp, unsigned depth);

static uint64_t
intrinsic_limit(nir_intrinsic_op op)
{
   switch ((int)op) {
   case nir_intrinsic_load_local_invocation_id:
   case nir_intrinsic_load_local_invocation_index: return 1023;
   case nir_intrinsic_load_subgroup_invocation: return 31;
   case nir_intrinsic_load_workgroup_id: return UINT16_MAX;
   default: return UINT64_MAX;
   }
}

static uint64_t
operand_limit(const nir_alu_instr *alu, unsigned i, unsigned comp,
              unsigned depth)
{
   return upper_limit(alu->src[i].use.value, alu->src[i].swizzle[comp],
                      depth);
}

/* Of results that do not wrap: what does is left to the caller. */
static uint64_t
alu_limit(const nir_alu_instr *alu, unsigned comp, unsigned depth)
{
#define LIMIT(i) operand_limit(alu, i, comp, depth)
   const bool by_constant = nir_op_infos[alu->op].num_inputs == 2 &&
                            nir_use_is_const(alu->src[1].use);
   const uint64_t k =
      by_constant
         ? nir_use_comp_as_uint(alu->src[1].use, alu->src[1].swizzle[comp])
         : 0;
   switch ((int)alu->op) {
   case nir_op_mov:
   case nir_op_u2u32: return LIMIT(0);
   case nir_op_b2i32: return 1;
   case nir_op_iand:
   case nir_op_umin: return MIN2(LIMIT(0), LIMIT(1));
   case nir_op_umax: return MAX2(LIMIT(0), LIMIT(1));
   case nir_op_bcsel: return MAX2(LIMIT(1), LIMIT(2));
   case nir_op_iadd: return LIMIT(0) + LIMIT(1);
   case nir_op_imul: return LIMIT(0) * LIMIT(1);
   case nir_op_ushr: return by_constant ? LIMIT(0) >> (k & 31) : UINT64_MAX;
   case nir_op_ishl: return by_constant ? LIMIT(0) << (k & 31) : UINT64_MAX;
   case nir_op_umod: return by_constant && k ? k - 1 : UINT64_MAX;
   default: return UINT64_MAX;
   }
#undef LIMIT
}

/* A number that a value of at most 32 bits, as unsigned, is not above. */
static uint64_t
upper_limit(nir_value *def, unsigned comp, unsigned depth)
{
   const uint64_t all = BITFIELD64_MASK(MIN2(def->bit_size, 32));
   nir_instr *instr = def->instr;
   uint64_t limit = UINT64_MAX;
   if (instr->kind == nir_kind_load_const)
      limit = nir_instr_as_load_const(instr)->value[comp].u64 & all;
   else if (instr->kind == nir_kind_intrinsic)
      limit = intrinsic_limit(nir_instr_as_intrinsic(instr)->intrinsic);
   else if (instr->kind == nir_kind_alu && depth)
      limit = alu_limit(nir_instr_as_alu(instr), comp, depth - 1);
   return limit > all ? all : limit;
}

/* The other summand, if one is a constant of at most `most`; else NULL. */
static nir_value *
beside_constant(nir_builder *b, nir_value *index, uint32_t most, int32_t *k)
{
   if (index->instr->kind != nir_kind_alu)
      return NULL;
   nir_alu_instr *sum = nir_instr_as_alu(index->instr);
   for (unsigned i = 0; sum->op == nir_op_iadd && i < 2; i++) {
      if (!nir_use_is_const(sum->src[i].use))
         continue;
      *k = (int32_t)nir_use_comp_as_uint(sum->src[i].use,
                                         sum->src[i].swizzle[0]);
      return *k <= (int64_t)most && *k >= -(int64_t)most
                ? nir_channel(b, sum->src[1 - i].use.value,
                              sum->src[1 - i].swizzle[0])
                : NULL;
   }
   return NULL;
}

/* An index into a block, of 32 bits, such that its product with the stride is
 * outside of any buffer if it is so without wrapping. */
static nir_value *
limit_index(nir_builder *b, nir_value *index, uint32_t stride_B)
{
   const uint32_t beyond =
      DIV_ROUND_UP(SAF_MAX_BUFFER_RANGE_B, MAX2(stride_B, 1u));
   const uint32_t most = MAX_BESIDE_B / MAX2(stride_B, 1u);
   if (upper_limit(index, 0, MAX_DEPTH) * stride_B <= UINT32_MAX)
      return index;
   int32_t k;
   nir_value *x = beside_constant(b, index, most, &k);
   if (!x)
      return nir_umin(b, index, nir_imm_int(b, (int32_t)beyond));
   const int32_t far = (int32_t)(beyond + most);
   x = nir_imin(b, x, nir_imm_int(b, far));
   x = nir_imax(b, x, nir_imm_int(b, -far));
   return nir_iadd_imm(b, x, (uint64_t)(int64_t)k);
}

/* ---- addresses ---- */

/* What is further than any buffer reaches is as good as any such offset. */
static void
add_scaled(struct saf_layout_pass *s, struct address *a, nir_use index,
           uint32_t scale)
{
   nir_builder *b = &s->b;
   const int64_t far = 2 * (int64_t)SAF_MAX_BUFFER_RANGE_B;
   if (nir_use_is_const(index)) {
      const int64_t i = CLAMP(nir_use_as_int(index), INT32_MIN, INT32_MAX);
      a->offset_const += (uint32_t)CLAMP(i * scale, -far, far);
      return;
   }
   nir_value *i = nir_u2uN(b, index.value, 32);
   if (s->exact_offsets && a->var->data.mode != nir_var_mem_push_const)
      i = limit_index(b, i, scale);
   nir_value *scaled = nir_imul_imm(b, i, scale);
   a->offset = a->offset ? nir_iadd(b, a->offset, scaled) : scaled;
}

/* Booleans are words in memory. */
static uint32_t
memory_bits(const struct glsl_type *type)
{
   const uint32_t bits = glsl_get_bit_size(type);
   return bits == 1 ? 32 : bits;
}

/* `row_major` is the order of the innermost struct member that says one. */
static bool
walk_chain(struct saf_layout_pass *s, nir_deref_instr *deref,
           struct address *a)
{
   nir_deref_path path;
   nir_deref_path_init(&path, deref, NULL);
   memset(a, 0, sizeof(*a));
   bool ok = path.path[0]->deref_type == nir_deref_type_var;
   if (!ok)
      saf_layout_fail(s, "a memory access does not start at a variable");
   a->var = path.path[0]->var;
   bool row_major = false;
   a->component_stride_B = glsl_type_is_vector_or_scalar(deref->type)
                              ? memory_bits(deref->type) / 8
                              : 4;
   for (nir_deref_instr **p = path.path; ok && *p; p++) {
      nir_deref_instr *d = *p;
      const struct glsl_type *parent = p > path.path ? p[-1]->type : NULL;
      switch (d->deref_type) {
      case nir_deref_type_var: break;
      case nir_deref_type_struct:
         a->offset_const +=
            (uint32_t)glsl_get_struct_field_offset(parent, d->member);
         row_major = glsl_matrix_type_is_row_major(d->type);
         break;
      case nir_deref_type_array:
         if (!glsl_type_is_vector_or_scalar(parent) && p == path.path + 1 &&
             glsl_type_is_struct_or_ifc(glsl_without_array(parent)) &&
             a->var->data.mode != nir_var_mem_push_const) {
            saf_layout_add_index(s, a->var, d, 1, &a->block_const, &a->block);
            break;
         }
         if (glsl_type_is_vector(parent)) {
            /* A component; its distance is that of the column's parts. */
            add_scaled(s, a, d->index,
                       row_major ? a->component_stride_B
                                 : glsl_get_bit_size(d->type) / 8);
         } else if (glsl_type_is_matrix(parent)) {
            row_major = glsl_matrix_type_is_row_major(parent);
            const uint32_t stride = glsl_get_explicit_stride(parent);
            add_scaled(s, a, d->index,
                       row_major ? glsl_get_bit_size(parent) / 8 : stride);
            if (row_major)
               a->component_stride_B = stride;
         } else {
            add_scaled(s, a, d->index, glsl_get_explicit_stride(parent));
         }
         break;
      default: ok = saf_layout_fail(s, "a memory access with casts");
      }
   }
   nir_deref_path_finish(&path);
   return ok;
}

static enum gl_access_qualifier
access_of(const struct address *a)
{
   return (a->resource.bindless ? ACCESS_BINDLESS : 0) |
          (a->non_uniform ? ACCESS_NON_UNIFORM : 0);
}

static nir_value *
load_constants(nir_builder *b, nir_value *offset, unsigned components,
               unsigned bit_size)
{
   nir_intrinsic_instr *load = nir_build_intrinsic_begin(
      b, nir_intrinsic_load_push_constant, components, bit_size, &offset);
   nir_intrinsic_set_base(load, 0);
   nir_intrinsic_set_range(load, SAF_MAX_PUSH_CONSTANTS_B);
   return nir_emit(b, &load->instr);
}

/* Push constants are words in registers: smaller ones are parts of them. */
static nir_value *
load_small_constants(struct saf_layout_pass *s, const struct address *a,
                     unsigned components, unsigned bit_size, uint32_t extra_B)
{
   nir_builder *b = &s->b;
   nir_value *parts[NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < components; i++) {
      nir_value *offset = saf_layout_sum(
         b, a->offset, a->offset_const + extra_B + i * (bit_size / 8));
      nir_value *word =
         load_constants(b, nir_iand_imm(b, offset, ~3u), 1, 32);
      nir_value *bit = nir_ishl_imm(b, nir_iand_imm(b, offset, 3), 3);
      parts[i] = nir_u2uN(b, nir_ushr(b, word, bit), bit_size);
   }
   return nir_vec(b, parts, components);
}

static nir_value *
load_at(struct saf_layout_pass *s, const struct address *a,
        unsigned components, unsigned bit_size, uint32_t extra_B)
{
   nir_builder *b = &s->b;
   nir_value *entry = a->resource.name;
   if (!entry && bit_size < 32)
      return load_small_constants(s, a, components, bit_size, extra_B);
   nir_value *offset =
      saf_layout_sum(b, a->offset, a->offset_const + extra_B);
   if (!entry)
      return load_constants(b, offset, components, bit_size);
   const uint32_t align_B = bit_size / 8;
   const bool read_only = a->var->data.mode == nir_var_mem_ubo;
   const bool ubo = read_only && !a->resource.bindless;
   nir_value *srcs[2] = { entry, offset };
   nir_intrinsic_op op = ubo ? nir_intrinsic_load_ubo
                             : nir_intrinsic_load_ssbo;
   nir_intrinsic_instr *load =
      nir_build_intrinsic_begin(b, op, components, bit_size, srcs);
   nir_intrinsic_set_align(load, align_B, 0);
   nir_intrinsic_set_access(load, access_of(a) |
                                     (read_only ? ACCESS_CAN_REORDER : 0));
   if (op == nir_intrinsic_load_ubo) {
      nir_intrinsic_set_range_base(load, 0);
      nir_intrinsic_set_range(load, ~0u);
   }
   return nir_emit(b, &load->instr);
}

static bool
resolve(struct saf_layout_pass *s, nir_intrinsic_instr *intr,
        struct address *a)
{
   if (!walk_chain(s, nir_use_as_deref(intr->src[0]), a))
      return false;
   a->non_uniform = nir_intrinsic_has_access(intr) &&
                    nir_intrinsic_access(intr) & ACCESS_NON_UNIFORM;
   return a->var->data.mode == nir_var_mem_push_const ||
          saf_layout_surface(s, a->var, a->block_const, a->block, 0,
                             &a->resource);
}

static bool
is_strided(const struct address *a, unsigned components, unsigned bit_size)
{
   return components > 1 && a->component_stride_B != bit_size / 8;
}

static bool
lower_load(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   s->b.cursor = nir_before_instr(&intr->instr);
   struct address a;
   if (!resolve(s, intr, &a))
      return false;
   const unsigned n = intr->instr.result.num_components;
   const unsigned bit_size = intr->instr.result.bit_size;
   const unsigned mem_bits = bit_size == 1 ? 32 : bit_size;
   nir_value *value;
   if (is_strided(&a, n, mem_bits)) {
      nir_value *parts[NIR_MAX_VEC_COMPONENTS];
      for (unsigned i = 0; i < n; i++)
         parts[i] = load_at(s, &a, 1, mem_bits, i * a.component_stride_B);
      value = nir_vec(&s->b, parts, n);
   } else {
      value = load_at(s, &a, n, mem_bits, 0);
   }
   if (bit_size == 1)
      value = nir_i2b(&s->b, value);
   nir_instr_replace(&intr->instr, value);
   return true;
}

static bool
lower_store(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   s->b.cursor = nir_before_instr(&intr->instr);
   struct address a;
   if (!resolve(s, intr, &a))
      return false;
   nir_value *value = intr->src[1].value;
   if (value->bit_size == 1)
      value = nir_b2iN(&s->b, value, 32);
   const unsigned mask = nir_intrinsic_write_mask(intr);
   for (unsigned i = 0; i < value->num_components; i++) {
      if (!(mask & (1u << i)))
         continue;
      const uint32_t step =
         is_strided(&a, value->num_components, value->bit_size)
            ? a.component_stride_B
            : value->bit_size / 8;
      nir_value *offset =
         saf_layout_sum(&s->b, a.offset, a.offset_const + i * step);
      nir_value *srcs[3] = { nir_channel(&s->b, value, i), a.resource.name,
                             offset };
      nir_intrinsic_instr *store = nir_build_intrinsic_begin(
         &s->b, nir_intrinsic_store_ssbo, 1, 0, srcs);
      nir_intrinsic_set_write_mask(store, 1);
      nir_intrinsic_set_align(store, value->bit_size / 8, 0);
      nir_intrinsic_set_access(store, access_of(&a));
      nir_emit(&s->b, &store->instr);
   }
   nir_instr_remove(&intr->instr);
   return true;
}

/* ---- atomic operations, sizes ---- */

/* By what names an operation on a variable goes on: a surface, an address. */
struct atomic_ops {
   nir_intrinsic_op deref, ssbo, global;
};

/* By one of the first two. */
static const struct atomic_ops *
find_atomic(nir_intrinsic_op op)
{
#define SSBO(name)                                                           \
   nir_intrinsic_deref_atomic_##name, nir_intrinsic_ssbo_atomic_##name
#define BOTH(name)                                                           \
   {                                                                         \
      SSBO(name), nir_intrinsic_global_atomic_##name                         \
   }
   static const struct atomic_ops ops[] = {
      BOTH(add),
      BOTH(imin),
      BOTH(umin),
      BOTH(imax),
      BOTH(umax),
      BOTH(and),
      BOTH(or),
      BOTH(xor),
      BOTH(exchange),
      BOTH(comp_swap),
      { SSBO(fadd), nir_num_intrinsics },
      { SSBO(fmin), nir_num_intrinsics },
      { SSBO(fmax), nir_num_intrinsics },
      { SSBO(fcomp_swap), nir_num_intrinsics },
   };
#undef SSBO
#undef BOTH
   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
      if (ops[i].deref == op || ops[i].ssbo == op)
         return &ops[i];
   }
   return NULL;
}

bool
saf_layout_is_buffer_atomic(nir_intrinsic_op op)
{
   const struct atomic_ops *ops = find_atomic(op);
   return ops && ops->ssbo == op;
}

static bool
lower_atomic(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   s->b.cursor = nir_before_instr(&intr->instr);
   struct address a;
   if (!resolve(s, intr, &a))
      return false;
   nir_value *srcs[4] = { a.resource.name };
   srcs[1] = saf_layout_sum(&s->b, a.offset, a.offset_const);
   const unsigned n = nir_intrinsic_infos[intr->intrinsic].num_srcs;
   for (unsigned i = 1; i < n; i++)
      srcs[1 + i] = intr->src[i].value;
   nir_intrinsic_instr *atomic =
      nir_build_intrinsic_begin(&s->b, find_atomic(intr->intrinsic)->ssbo, 1,
                                intr->instr.result.bit_size, srcs);
   nir_intrinsic_set_access(atomic,
                            nir_intrinsic_access(intr) | access_of(&a));
   nir_emit(&s->b, &atomic->instr);
   nir_instr_replace(&intr->instr, &atomic->instr.result);
   return true;
}

static bool
info_of(struct saf_layout_pass *s, const struct address *a,
        struct saf_info_place *info)
{
   *info = a->resource.info;
   return a->resource.bindless ||
          saf_nir_table_info(&s->b, s->map, a->resource.name, info) ||
          saf_layout_fail(s, "too many bindings for a shader stage");
}

/* Messages of surfaces have 32 bits only: by address, if the buffer reaches
 * so far. The last sources are operands, as many as by address. */
static bool
emit_wide_atomic(struct saf_layout_pass *s, nir_intrinsic_instr *intr,
                 const struct saf_info_place *info, nir_value *offset)
{
   nir_builder *b = &s->b;
   const nir_intrinsic_op op = find_atomic(intr->intrinsic)->global;
   nir_value *srcs[3];
   if (op == nir_num_intrinsics)
      return saf_layout_fail(s,
                             "an atomic operation that 64 bits do not have");
   nir_value *size = saf_nir_buffer_size(b, info);
   nir_value *address = saf_nir_buffer_address(b, info);
   nir_value *zero = nir_imm_intN_t(b, 0, 64);
   nir_value *left = nir_usub_sat(b, size, offset);
   nir_if *inside = nir_push_if(b, nir_uge(b, left, nir_imm_int(b, 8)));
   srcs[0] = nir_iadd(b, address, nir_u2u64(b, offset));
   const unsigned n = nir_intrinsic_infos[op].num_srcs;
   const unsigned more = nir_intrinsic_infos[intr->intrinsic].num_srcs - n;
   for (unsigned i = 1; i < n; i++)
      srcs[i] = intr->src[more + i].value;
   nir_intrinsic_instr *atomic =
      nir_build_intrinsic_begin(b, op, 1, 64, srcs);
   nir_emit(b, &atomic->instr);
   nir_pop_if(b, inside);
   nir_instr_replace(&intr->instr,
                     nir_if_phi(b, &atomic->instr.result, zero));
   return true;
}

static bool
lower_wide_atomic(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   struct address a;
   struct saf_info_place info;
   s->b.cursor = nir_before_instr(&intr->instr);
   if (!resolve(s, intr, &a) || !info_of(s, &a, &info))
      return false;
   return emit_wide_atomic(s, intr, &info,
                           saf_layout_sum(&s->b, a.offset, a.offset_const));
}

/* By a pointer. */
static bool
lower_wide_atomic_at(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   struct saf_info_place info;
   s->b.cursor = nir_before_instr(&intr->instr);
   return saf_layout_pointer_info(s, intr->src[0].value,
                                  "a 64-bit atomic operation by a pointer "
                                  "into a buffer that is updated after it is "
                                  "bound",
                                  &info) &&
          emit_wide_atomic(s, intr, &info, intr->src[1].value);
}

static bool
is_wide_atomic(const nir_instr *instr)
{
   if (instr->kind != nir_kind_intrinsic)
      return false;
   const nir_intrinsic_instr *intr =
      nir_instr_as_intrinsic((nir_instr *)instr);
   const struct atomic_ops *ops = find_atomic(intr->intrinsic);
   return ops && intr->instr.result.bit_size == 64 &&
          (intr->intrinsic == ops->ssbo ||
           nir_deref_mode_is_one_of(nir_use_as_deref(intr->src[0]),
                                    nir_var_mem_ssbo));
}

/* They become control flow: first the list. */
bool
saf_layout_lower_wide_atomics(struct saf_layout_pass *s,
                              nir_function_impl *impl)
{
   struct util_dynarray found = { 0 };
   bool progress = false;
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (is_wide_atomic(instr))
            util_dynarray_append(&found, nir_instr *, instr);
      }
   }
   util_dynarray_foreach(&found, nir_instr *, instr) {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(*instr);
      progress |= saf_layout_is_buffer_atomic(intr->intrinsic)
                     ? lower_wide_atomic_at(s, intr)
                     : lower_wide_atomic(s, intr);
   }
   if (found.size_B)
      nir_metadata_preserve(impl, nir_metadata_none);
   util_dynarray_fini(&found);
   return progress;
}

/* The number of elements of an array without a size, from that of the
 * buffer; none if not even the array's start is in it. */
static bool
lower_array_length(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   nir_builder *b = &s->b;
   b->cursor = nir_before_instr(&intr->instr);
   struct address a;
   struct saf_info_place info;
   if (!resolve(s, intr, &a) || !info_of(s, &a, &info))
      return false;
   const nir_deref_instr *deref = nir_use_as_deref(intr->src[0]);
   nir_value *size = saf_nir_buffer_size(b, &info);
   nir_value *start = saf_layout_sum(b, a.offset, a.offset_const);
   nir_value *bytes = nir_usub_sat(b, size, start);
   nir_value *length = nir_udiv(
      b, bytes, nir_imm_int(b, (int)glsl_get_explicit_stride(deref->type)));
   nir_instr_replace(&intr->instr, length);
   return true;
}

static bool
lower_pointer(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   nir_builder *b = &s->b;
   b->cursor = nir_before_instr(&intr->instr);
   struct address a;
   if (!resolve(s, intr, &a))
      return false;
   const struct glsl_type *type = nir_use_as_deref(intr->src[0])->type;
   if (a.resource.bindless && glsl_type_is_array(type) &&
       !glsl_get_explicit_stride(type))
      return saf_layout_fail(s, "a pointer to an array of buffers that are "
                                "updated after they are bound");
   nir_value *name = a.resource.name;
   if (s->pointers == SAF_POINTER_BOTH && a.resource.bindless)
      name = nir_ior(b, name, nir_imm_int(b, INT32_MIN));
   nir_value *offset = saf_layout_sum(b, a.offset, a.offset_const);
   nir_instr_replace(&intr->instr, nir_pack_64_2x32_split(b, offset, name));
   return true;
}

bool
saf_layout_lower_memory(struct saf_layout_pass *s, nir_intrinsic_instr *intr)
{
   if (intr->intrinsic == nir_intrinsic_buffer_pointer)
      return nir_deref_mode_is_one_of(nir_use_as_deref(intr->src[0]),
                                      nir_var_mem_ssbo) &&
             lower_pointer(s, intr);
   const struct atomic_ops *ops = find_atomic(intr->intrinsic);
   if (ops)
      return intr->intrinsic == ops->deref &&
             nir_deref_mode_is_one_of(nir_use_as_deref(intr->src[0]),
                                      nir_var_mem_ssbo) &&
             lower_atomic(s, intr);
   if (intr->intrinsic == nir_intrinsic_deref_buffer_array_length)
      return lower_array_length(s, intr);
   if (intr->intrinsic != nir_intrinsic_load_deref &&
       intr->intrinsic != nir_intrinsic_store_deref)
      return false;
   const nir_variable_mode modes = nir_var_mem_ubo | nir_var_mem_ssbo |
                                   nir_var_mem_push_const;
   if (!nir_deref_mode_is_one_of(nir_use_as_deref(intr->src[0]), modes))
      return false;
   return intr->intrinsic == nir_intrinsic_load_deref ? lower_load(s, intr)
                                                      : lower_store(s, intr);
}
