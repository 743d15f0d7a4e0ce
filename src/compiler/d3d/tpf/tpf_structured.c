/* SPDX-License-Identifier: MIT */
/*
 * Structured buffers. buf[n].d[i].m[j].y has one chain of indices. What leads
 * to the buffer (which may be an element of an array of buffers) ends before
 * i; i is the element; what is after i is folded to an offset in bytes,
 * indices of run time included. Each index is the SSA value that it was: it
 * is evaluated once.
 *
 *   load_ssbo(vec2(buffer n, i), offset of .m[j].y)
 *
 * Before: accesses by deref. After: those to such buffers are by address.
 * Cost: linear in the chains.
 */
#include "compiler/nir/nir_builder.h"
#include "tpf_from_nir.h"

#define MAX_CHAIN 32
#define MAX_STRIDE_B 2048

struct chain {
   nir_variable *var;
   nir_value *resource, *element, *offset;
};

uint32_t
tpf_structured_stride_B(const nir_variable *var)
{
   const struct glsl_type *t = glsl_without_array(var->type), *f;
   uint32_t stride;

   if (var->data.mode != nir_var_mem_ssbo || !glsl_type_is_struct_or_ifc(t) ||
       glsl_get_length(t) != 1)
      return 0;
   f = glsl_get_struct_field(t, 0);
   if (!glsl_type_is_array(f))
      return 0;
   stride = glsl_get_explicit_stride(f);
   return stride % 4 == 0 && stride <= MAX_STRIDE_B ? stride : 0;
}

static nir_value *
add_scaled(nir_builder *b, nir_value *sum, nir_value *index, unsigned stride)
{
   return nir_iadd(b, sum, nir_imul_imm(b, index, stride));
}

/* Bytes that a step takes from its parent on. */
static nir_value *
add_step(nir_builder *b, nir_value *offset, nir_deref_instr *d)
{
   nir_deref_instr *parent = nir_deref_parent(d);

   if (d->deref_type == nir_deref_type_struct)
      return nir_iadd_imm(b, offset,
                          (uint64_t)glsl_get_struct_field_offset(parent->type,
                                                                 d->member));
   return add_scaled(b, offset, d->index.value, nir_deref_stride(d));
}

/* The elements of an array of buffers, flattened. */
static nir_value *
add_buffer(nir_builder *b, nir_value *n, nir_deref_instr *d)
{
   return add_scaled(b, n, d->index.value, glsl_get_aoa_size(d->type));
}

/* The derefs of a chain, from the variable on; 0 if it is not plain. */
static unsigned
path_of(nir_deref_instr *leaf, nir_deref_instr *path[MAX_CHAIN])
{
   unsigned n = 0;

   for (nir_deref_instr *d = leaf; d; d = nir_deref_parent(d)) {
      if (n == MAX_CHAIN || (d->deref_type != nir_deref_type_var &&
                             d->deref_type != nir_deref_type_array &&
                             d->deref_type != nir_deref_type_struct))
         return 0;
      path[n++] = d;
      if (d->deref_type == nir_deref_type_var)
         break;
   }
   for (unsigned i = 0; i < n / 2; i++) {
      nir_deref_instr *t = path[i];
      path[i] = path[n - 1 - i];
      path[n - 1 - i] = t;
   }
   return n && path[0]->deref_type == nir_deref_type_var ? n : 0;
}

static bool
cut(nir_builder *b, nir_deref_instr *leaf, struct chain *c)
{
   nir_deref_instr *path[MAX_CHAIN];
   const unsigned n = path_of(leaf, path);
   nir_value *buffer;
   unsigned i = 1;

   if (!n || !tpf_structured_stride_B(path[0]->var))
      return false;
   c->var = path[0]->var;
   buffer = nir_imm_int(b, 0);
   for (; i < n && path[i]->deref_type == nir_deref_type_array; i++)
      buffer = add_buffer(b, buffer, path[i]);
   c->resource = nir_vulkan_resource_index(
      b, 1, 32, buffer, .desc_set = c->var->data.descriptor_set,
      .binding = c->var->data.binding);
   i++; /* the member that is the array */
   if (i >= n)
      return true;
   c->element = path[i++]->index.value;
   c->offset = nir_imm_int(b, 0);
   for (; i < n; i++)
      c->offset = add_step(b, c->offset, path[i]);
   return true;
}

/* A column of a row-major matrix has a stride of its own. */
static unsigned
component_stride_B(const struct glsl_type *type)
{
   const unsigned stride = glsl_get_explicit_stride(type);

   return stride ? stride : glsl_get_bit_size(type) / 8;
}

static nir_value *
load(nir_builder *b, const struct chain *c, nir_intrinsic_instr *intr,
     const struct glsl_type *type)
{
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned n = intr->instr.result.num_components;
   const unsigned step = component_stride_B(type);
   nir_value *at = nir_vec2(b, c->resource, c->element);
   nir_value *v[NIR_MAX_VEC_COMPONENTS];

   if (bits == 32 && step == 4)
      return nir_load_ssbo(b, n, 32, at, c->offset, .align_mul = 4,
                           .access = nir_intrinsic_access(intr));
   for (unsigned i = 0; i < n; i++) {
      v[i] = nir_load_ssbo(b, bits / 32, 32, at,
                           nir_iadd_imm(b, c->offset, i * step),
                           .align_mul = 4,
                           .access = nir_intrinsic_access(intr));
      if (bits == 64)
         v[i] = nir_pack_64_2x32_split(b, nir_channel(b, v[i], 0),
                                       nir_channel(b, v[i], 1));
   }
   return nir_vec(b, v, n);
}

static void
store(nir_builder *b, const struct chain *c, nir_intrinsic_instr *intr,
      const struct glsl_type *type)
{
   nir_value *value = intr->src[1].value;
   const unsigned mask = nir_intrinsic_write_mask(intr);
   const unsigned step = component_stride_B(type);
   nir_value *at = nir_vec2(b, c->resource, c->element);

   if (value->bit_size == 32 && step == 4) {
      nir_store_ssbo(b, value, at, c->offset, .write_mask = mask,
                     .align_mul = 4, .access = nir_intrinsic_access(intr));
      return;
   }
   for (unsigned i = 0; i < value->num_components; i++) {
      nir_value *v = nir_channel(b, value, i);
      if (!(mask >> i & 1))
         continue;
      if (value->bit_size == 64)
         v = nir_vec2(b, nir_unpack_64_2x32_split_x(b, v),
                      nir_unpack_64_2x32_split_y(b, v));
      nir_store_ssbo(b, v, at, nir_iadd_imm(b, c->offset, i * step),
                     .write_mask = BITFIELD_MASK(v->num_components),
                     .align_mul = 4, .access = nir_intrinsic_access(intr));
   }
}

static const nir_intrinsic_op atomics[][2] = {
#define ROW(op)                                                              \
   {                                                                         \
      nir_intrinsic_deref_atomic_##op, nir_intrinsic_ssbo_atomic_##op        \
   }
   ROW(add), ROW(imin), ROW(umin), ROW(imax),     ROW(umax),
   ROW(and), ROW(or),   ROW(xor),  ROW(exchange), ROW(comp_swap),
#undef ROW
};

static nir_value *
atomic(nir_builder *b, const struct chain *c, nir_intrinsic_instr *intr)
{
   for (unsigned i = 0; i < ARRAY_SIZE(atomics); i++) {
      if (intr->intrinsic != atomics[i][0])
         continue;
      nir_value *srcs[4] = { nir_vec2(b, c->resource, c->element), c->offset,
                             intr->src[1].value };
      if (nir_intrinsic_infos[intr->intrinsic].num_srcs > 2)
         srcs[3] = intr->src[2].value;
      nir_intrinsic_instr *n =
         nir_build_intrinsic_begin(b, atomics[i][1], 1, 32, srcs);
      nir_intrinsic_set_access(n, nir_intrinsic_access(intr));
      return nir_emit(b, &n->instr);
   }
   return NULL;
}

static bool
is_access(const nir_intrinsic_instr *intr)
{
   for (unsigned i = 0; i < ARRAY_SIZE(atomics); i++) {
      if (intr->intrinsic == atomics[i][0])
         return true;
   }
   return intr->intrinsic == nir_intrinsic_load_deref ||
          intr->intrinsic == nir_intrinsic_store_deref ||
          intr->intrinsic == nir_intrinsic_deref_buffer_array_length;
}

static bool
cut_instr(nir_builder *b, nir_instr *instr, void *data)
{
   struct chain c = { NULL };
   nir_intrinsic_instr *intr;
   nir_deref_instr *leaf;
   nir_value *v = NULL;

   (void)data;
   if (instr->kind != nir_kind_intrinsic)
      return false;
   intr = nir_instr_as_intrinsic(instr);
   if (!is_access(intr))
      return false;
   leaf = nir_use_as_deref(intr->src[0]);
   if (!leaf || !nir_deref_mode_is(leaf, nir_var_mem_ssbo))
      return false;
   b->cursor = nir_before_instr(instr);
   if (!cut(b, leaf, &c))
      return false;
   if (intr->intrinsic == nir_intrinsic_deref_buffer_array_length)
      v = nir_udiv_imm(b, nir_get_ssbo_size(b, c.resource),
                       tpf_structured_stride_B(c.var));
   else if (intr->intrinsic == nir_intrinsic_load_deref)
      v = load(b, &c, intr, leaf->type);
   else if (intr->intrinsic == nir_intrinsic_store_deref)
      store(b, &c, intr, leaf->type);
   else
      v = atomic(b, &c, intr);
   if (v)
      nir_value_replace(&intr->instr.result, v);
   nir_instr_remove(instr);
   nir_deref_remove_unused(leaf);
   return true;
}

bool
tpf_cut_structured(nir_shader *nir)
{
   return nir_visit_instrs(nir, cut_instr, nir_metadata_control_flow, NULL);
}
