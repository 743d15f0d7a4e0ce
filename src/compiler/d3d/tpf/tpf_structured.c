/* SPDX-License-Identifier: MIT */
/*
 * Structured buffers and shared memory. buf[n].d[i].m[j].y has one chain of
 * indices. What leads to the buffer (which may be an element of an array of
 * buffers) ends before i; i is the element; what is after i is folded to an
 * offset in bytes, indices of run time included. Each index is the SSA value
 * that it was: it is evaluated once. Shared memory is a buffer of a set of
 * its own from here on.
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

/* An array whose elements are structures of SM5. */
static bool
is_array_of_structures(const struct glsl_type *type)
{
   const uint32_t stride =
      glsl_type_is_array(type) ? glsl_get_explicit_stride(type) : 0;

   return stride && stride % 4 == 0 && stride <= MAX_STRIDE_B;
}

/* What is no array is one structure. */
static uint32_t
shared_stride_B(const nir_variable *var)
{
   const unsigned size_B = glsl_get_explicit_size(var->type, false);

   if (is_array_of_structures(var->type))
      return glsl_get_explicit_stride(var->type);
   return size_B % 4 == 0 && size_B <= MAX_STRIDE_B ? size_B : 0;
}

unsigned
tpf_structured_count(const nir_variable *var)
{
   return is_array_of_structures(var->type) ? glsl_get_length(var->type) : 1;
}

uint32_t
tpf_structured_stride_B(const nir_variable *var)
{
   const struct glsl_type *t = glsl_without_array(var->type), *f;

   if (var->data.mode == nir_var_mem_shared)
      return shared_stride_B(var);
   if (var->data.mode != nir_var_mem_ssbo || !glsl_type_is_struct_or_ifc(t) ||
       glsl_get_length(t) != 1)
      return 0;
   f = glsl_get_struct_field(t, 0);
   return is_array_of_structures(f) ? glsl_get_explicit_stride(f) : 0;
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

/* An index that is held below what no buffer has needs not be: beyond the
 * buffer is beyond the buffer. */
static nir_value *
unbounded(nir_builder *b, nir_value *index, uint32_t stride_B)
{
   const nir_component s = nir_component_of(index, 0);
   nir_alu_instr *alu;

   if (!nir_component_is_alu(s))
      return index;
   alu = nir_instr_as_alu(s.def->instr);
   for (unsigned i = 0; i < 2 && alu->op == nir_op_umin; i++) {
      const nir_operand *limit = &alu->src[i], *other = &alu->src[1 - i];
      if (nir_use_is_const(limit->use) &&
          nir_use_comp_as_uint(limit->use, limit->swizzle[s.comp]) >=
             0x100000000u / stride_B - 1)
         return nir_channel(b, other->use.value, other->swizzle[s.comp]);
   }
   return index;
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
   const bool shared = c->var->data.mode == nir_var_mem_shared;
   if (shared && c->var->data.descriptor_set != TPF_SHARED_SET)
      return false;
   buffer = nir_imm_int(b, 0);
   for (; !shared && i < n && path[i]->deref_type == nir_deref_type_array;
        i++)
      buffer = add_buffer(b, buffer, path[i]);
   c->resource = nir_vulkan_resource_index(
      b, 1, 32, buffer, .desc_set = c->var->data.descriptor_set,
      .binding = c->var->data.binding);
   i += !shared; /* the member that is the array */
   if (i >= n && !shared)
      return true;
   c->element = shared && !is_array_of_structures(c->var->type)
                   ? nir_imm_int(b, 0)
                   : unbounded(b, path[i++]->index.value,
                               tpf_structured_stride_B(c->var));
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
   if (!leaf || !(nir_deref_mode_is(leaf, nir_var_mem_ssbo) ||
                  nir_deref_mode_is(leaf, nir_var_mem_shared)))
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

/* --- Shared variables --------------------------------------------------- */

/* Values of 32 or 64 bits at a place that is plain. */
static bool
can_cut_shared(nir_intrinsic_instr *intr, nir_deref_instr *leaf)
{
   nir_deref_instr *path[MAX_CHAIN];
   const unsigned n = path_of(leaf, path);
   const nir_value *v = intr->intrinsic == nir_intrinsic_store_deref
                           ? intr->src[1].value
                           : &intr->instr.result;

   return n && is_access(intr) && v->bit_size >= 32 &&
          (n > 1 || !glsl_type_is_array(path[0]->type));
}

static void
refuse(nir_deref_instr *leaf, nir_shader *nir)
{
   nir_variable *var = nir_deref_root(leaf);

   nir_foreach_variable_with_modes(v, nir, nir_var_mem_shared) {
      if (!var || v == var)
         v->data.descriptor_set = 0;
   }
}

/* Those that have g# of their own: all that is done to them can be cut. */
static void
choose_shared(nir_shader *nir)
{
   unsigned n = 0;

   nir_foreach_variable_with_modes(var, nir, nir_var_mem_shared)
      var->data.descriptor_set = tpf_structured_stride_B(var) ? TPF_SHARED_SET
                                                              : 0;
   nir_foreach_block(block, nir_entry_point(nir)) {
      nir_foreach_instr(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         const unsigned num =
            intr ? nir_intrinsic_infos[intr->intrinsic].num_srcs : 0;
         for (unsigned i = 0; i < num; i++) {
            nir_deref_instr *d = nir_use_as_deref(intr->src[i]);
            if (d && nir_deref_mode_is(d, nir_var_mem_shared) &&
                (i || !can_cut_shared(intr, d)))
               refuse(d, nir);
         }
      }
   }
   nir_foreach_variable_with_modes(var, nir, nir_var_mem_shared) {
      if (var->data.descriptor_set != TPF_SHARED_SET)
         continue;
      if (n == TPF_MAX_SHARED)
         var->data.descriptor_set = 0;
      else
         var->data.binding = n++;
   }
}

bool
tpf_cut_structured(nir_shader *nir)
{
   choose_shared(nir);
   return nir_visit_instrs(nir, cut_instr, nir_metadata_control_flow, NULL);
}

/* --- Vectors ------------------------------------------------------------ */

#define MAX_RUNS 16

/* Accesses of one kind to one element, at offsets that are known. */
struct run {
   nir_value *at; /* vec2(buffer, element) */
   uint32_t first_B, end_B;
   nir_intrinsic_instr *part[4];
   unsigned num;
};

struct runs {
   struct run list[MAX_RUNS];
   unsigned num;
   bool stores;
};

static uint32_t
offset_B(const nir_intrinsic_instr *intr, bool store)
{
   return (uint32_t)nir_use_as_uint(intr->src[1 + store]);
}

static unsigned
components(const nir_intrinsic_instr *intr, bool store)
{
   return store ? intr->src[0].value->num_components
                : intr->instr.result.num_components;
}

static bool
is_part(const nir_intrinsic_instr *intr, bool store)
{
   const nir_value *v = store ? intr->src[0].value : &intr->instr.result;

   return intr->intrinsic ==
             (store ? nir_intrinsic_store_ssbo : nir_intrinsic_load_ssbo) &&
          v->bit_size == 32 && intr->src[store].value->num_components == 2 &&
          nir_use_is_const(intr->src[1 + store]) &&
          !(nir_intrinsic_access(intr) & ACCESS_VOLATILE) &&
          (!store || nir_intrinsic_write_mask(intr) ==
                        BITFIELD_MASK(v->num_components));
}

static void
finish_loads(nir_builder *b, const struct run *r)
{
   nir_value *v;

   b->cursor = nir_before_instr(&r->part[0]->instr);
   v = nir_load_ssbo(b, (r->end_B - r->first_B) / 4, 32, r->at,
                     nir_imm_int(b, (int)r->first_B), .align_mul = 4,
                     .access = nir_intrinsic_access(r->part[0]));
   for (unsigned i = 0; i < r->num; i++) {
      nir_value *old = &r->part[i]->instr.result;
      const unsigned at = (offset_B(r->part[i], false) - r->first_B) / 4;
      nir_value_replace(
         old, nir_channels(b, v, BITFIELD_MASK(old->num_components) << at));
      nir_instr_remove(&r->part[i]->instr);
   }
}

static void
finish_stores(nir_builder *b, const struct run *r)
{
   nir_value *c[4];
   unsigned mask = 0;

   b->cursor = nir_after_instr(&r->part[r->num - 1]->instr);
   for (unsigned i = 0; i < 4; i++)
      c[i] = NULL;
   for (unsigned i = 0; i < r->num; i++) {
      const unsigned at = (offset_B(r->part[i], true) - r->first_B) / 4;
      for (unsigned k = 0; k < components(r->part[i], true); k++) {
         c[at + k] = nir_channel(b, r->part[i]->src[0].value, k);
         mask |= 1u << (at + k);
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      if (!c[i])
         c[i] = nir_undef(b, 1, 32);
   }
   nir_store_ssbo(b, nir_vec(b, c, (r->end_B - r->first_B) / 4), r->at,
                  nir_imm_int(b, (int)r->first_B), .write_mask = mask,
                  .align_mul = 4, .access = nir_intrinsic_access(r->part[0]));
   for (unsigned i = 0; i < r->num; i++)
      nir_instr_remove(&r->part[i]->instr);
}

static bool
finish_runs(nir_builder *b, struct runs *runs)
{
   bool progress = false;

   for (unsigned i = 0; i < runs->num; i++) {
      if (runs->list[i].num < 2)
         continue;
      (runs->stores ? finish_stores : finish_loads)(b, &runs->list[i]);
      progress = true;
   }
   runs->num = 0;
   return progress;
}

/* False: it is none that another one may join. */
static bool
add_part(struct runs *runs, nir_intrinsic_instr *intr)
{
   const bool store = runs->stores;
   const uint32_t first_B = offset_B(intr, store);
   const uint32_t end_B = first_B + 4 * components(intr, store);
   nir_value *at = intr->src[store].value;

   for (unsigned i = 0; i < runs->num; i++) {
      struct run *r = &runs->list[i];
      const uint32_t low_B = MIN2(r->first_B, first_B);
      const uint32_t high_B = MAX2(r->end_B, end_B);
      if (r->at != at || high_B - low_B > 16 || r->num == 4 ||
          nir_intrinsic_access(intr) != nir_intrinsic_access(r->part[0]))
         continue;
      r->first_B = low_B;
      r->end_B = high_B;
      r->part[r->num++] = intr;
      return true;
   }
   /* Stores to one place after stores to another one may meet. */
   if (runs->num == (store ? 1 : MAX_RUNS))
      return false;
   runs->list[runs->num++] = (struct run) { at, first_B, end_B, { intr }, 1 };
   return true;
}

/* Whether a run of stores has one of these dwords. */
static bool
is_written(const struct runs *runs, const nir_intrinsic_instr *intr)
{
   const uint32_t first_B = offset_B(intr, true);
   const uint32_t end_B = first_B + 4 * components(intr, true);

   for (unsigned k = 0; runs->num && k < runs->list[0].num; k++) {
      const nir_intrinsic_instr *old = runs->list[0].part[k];
      const uint32_t old_B = offset_B(old, true);
      if (first_B < old_B + 4 * components(old, true) && old_B < end_B)
         return true;
   }
   return false;
}

static bool
join_block(nir_builder *b, nir_block *block, bool stores)
{
   struct runs runs = { .stores = stores };
   bool progress = false;

   nir_foreach_instr_safe(instr, block) {
      nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
      const bool touches =
         instr->kind == nir_kind_call ||
         (intr && !(nir_intrinsic_infos[intr->intrinsic].flags &
                    NIR_INTRINSIC_CAN_REORDER));
      if (!touches)
         continue;
      if (!intr || !is_part(intr, stores)) {
         progress |= finish_runs(b, &runs);
         continue;
      }
      if ((stores && is_written(&runs, intr)) || !add_part(&runs, intr)) {
         progress |= finish_runs(b, &runs);
         add_part(&runs, intr);
      }
   }
   return finish_runs(b, &runs) || progress;
}

bool
tpf_join_structured(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b = nir_builder_create(impl);
   bool progress = false;

   nir_foreach_block(block, impl) {
      progress |= join_block(&b, block, false);
      progress |= join_block(&b, block, true);
   }
   if (progress)
      nir_metadata_preserve(impl, nir_metadata_control_flow);
   return progress;
}
