/* SPDX-License-Identifier: MIT */
/* Memory: loads and stores by derefs, lengths, atomics, barriers. */
#include "compiler/spirv/write/write_private.h"

/* --- Pointers ----------------------------------------------------------- */

static void
non_uniform(struct wr *w, uint32_t id, unsigned access)
{
   if (!(access & ACCESS_NON_UNIFORM))
      return;
   wr_capability(w, SpvCapabilityShaderNonUniform);
   wr_extension(w, "SPV_EXT_descriptor_indexing");
   WR(&w->decorations, SpvOpDecorate, id, SpvDecorationNonUniform);
}

/* Which of several resources, chosen at run time. */
static void
dynamic_indexing(struct wr *w, const nir_deref_instr *d)
{
   const struct glsl_type *t = glsl_without_array(d->type);

   if (d->modes == nir_var_mem_ubo)
      wr_capability(w, SpvCapabilityUniformBufferArrayDynamicIndexing);
   else if (d->modes == nir_var_mem_ssbo)
      wr_capability(w, SpvCapabilityStorageBufferArrayDynamicIndexing);
   else if (glsl_type_is_image(t))
      wr_capability(w, SpvCapabilityStorageImageArrayDynamicIndexing);
   else
      wr_capability(w, SpvCapabilitySampledImageArrayDynamicIndexing);
}

static bool
is_resource_array(const nir_deref_instr *parent)
{
   const nir_variable_mode resources = nir_var_mem_ubo | nir_var_mem_ssbo |
                                       nir_var_uniform | nir_var_image;
   const struct glsl_type *t = glsl_without_array(parent->type);

   return nir_deref_mode_is_one_of(parent, resources) &&
          (glsl_type_is_interface(t) || glsl_type_contains_opaque(t));
}

static uint32_t
index_of(struct wr *w, nir_deref_instr *d)
{
   if (d->deref_type == nir_deref_type_struct)
      return wr_uint(w, d->member);
   if (is_resource_array(nir_deref_parent(d)) && !nir_use_is_const(d->index))
      dynamic_indexing(w, d);
   return wr_as(w, d->index.value, WR_UINT);
}

/* Indices from the variable on, for an access chain. */
static unsigned
chain(struct wr *w, nir_deref_instr *d, uint32_t *indices, unsigned max)
{
   nir_deref_instr *parent = nir_deref_parent(d);
   unsigned n;

   if (d->deref_type == nir_deref_type_var)
      return 0;
   if (!parent || (d->deref_type != nir_deref_type_struct &&
                   d->deref_type != nir_deref_type_array))
      wr_fail(w, "a pointer that does not come from a variable");
   n = chain(w, parent, indices, max);
   if (n == max)
      wr_fail(w, "more than %u indices in one access", max);
   indices[n] = index_of(w, d);
   return n + 1;
}

/* SampleMask is an array for SPIR-V, and a number for NIR. */
static bool
is_sample_mask(const struct wr *w, const nir_variable *var)
{
   return w->nir->info.stage == MESA_SHADER_FRAGMENT &&
          ((var->data.mode == nir_var_shader_out &&
            var->data.location == FRAG_RESULT_SAMPLE_MASK) ||
           (var->data.mode == nir_var_system_value &&
            var->data.location == SYSTEM_VALUE_SAMPLE_MASK_IN));
}

static uint32_t
pointer_to(struct wr *w, nir_deref_instr *d, uint32_t type)
{
   nir_variable *var = nir_deref_root(d);
   uint32_t words[64];
   unsigned n = 1;

   words[0] = wr_variable(w, var);
   if (is_sample_mask(w, var))
      words[n++] = wr_uint(w, 0);
   n += chain(w, d, words + n, ARRAY_SIZE(words) - n);
   if (n == 1)
      return words[0];
   return wr_result(
      w, SpvOpAccessChain,
      wr_pointer_type(
         w, wr_storage_class(w, (nir_variable_mode)var->data.mode), type),
      words, n);
}

uint32_t
wr_deref(struct wr *w, nir_deref_instr *d, enum wr_base *base)
{
   const nir_variable *var = nir_deref_root(d);

   if (!var)
      wr_fail(w, "a pointer that does not come from a variable");
   if (base)
      *base = wr_base_of(d->type);
   return pointer_to(w, d, wr_type_within(w, var, d->type));
}

/* --- Loads and stores --------------------------------------------------- */

static void
load(struct wr *w, nir_intrinsic_instr *intr)
{
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   const unsigned access = (unsigned)nir_intrinsic_access(intr);
   nir_value *v = &intr->instr.result;
   enum wr_base base;
   const uint32_t pointer = wr_deref(w, d, &base);
   const uint32_t type = wr_value_type(w, v, base);
   const uint32_t id =
      access & ACCESS_VOLATILE
         ? WR_OP(w, SpvOpLoad, type, pointer, SpvMemoryAccessVolatileMask)
         : WR_OP(w, SpvOpLoad, type, pointer);

   non_uniform(w, pointer, access);
   wr_define(w, v, base, id);
}

static void
store_at(struct wr *w, uint32_t pointer, uint32_t id, unsigned access)
{
   if (access & ACCESS_VOLATILE)
      WR(&w->code, SpvOpStore, pointer, id, SpvMemoryAccessVolatileMask);
   else
      WR(&w->code, SpvOpStore, pointer, id);
}

static void
store(struct wr *w, nir_intrinsic_instr *intr)
{
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   const unsigned access = (unsigned)nir_intrinsic_access(intr);
   nir_value *v = intr->src[1].value;
   const unsigned all = BITFIELD_MASK(v->num_components);
   const unsigned mask = nir_intrinsic_write_mask(intr) & all;
   const SpvStorageClass class =
      wr_storage_class(w, (nir_variable_mode)d->modes);
   enum wr_base base;
   const uint32_t pointer = wr_deref(w, d, &base);
   uint32_t component;

   non_uniform(w, pointer, access);
   if (mask == all) {
      store_at(w, pointer, wr_as(w, v, base), access);
      return;
   }
   component =
      wr_pointer_type(w, class, wr_scalar_type(w, base, v->bit_size));
   for (unsigned i = 0; i < v->num_components; i++) {
      if (mask >> i & 1)
         store_at(
            w, WR_OP(w, SpvOpAccessChain, component, pointer, wr_uint(w, i)),
            wr_component(w, v, i, base), access);
   }
}

static void
array_length(struct wr *w, nir_intrinsic_instr *intr)
{
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   nir_deref_instr *parent = nir_deref_parent(d);

   if (d->deref_type != nir_deref_type_struct || !parent)
      wr_fail(w, "the length of what is no member of a block");
   wr_define(w, &intr->instr.result, WR_UINT,
             WR_OP(w, SpvOpArrayLength, wr_scalar_type(w, WR_UINT, 32),
                   wr_deref(w, parent, NULL), d->member));
}

/* --- Barriers ----------------------------------------------------------- */

static uint32_t
scope_of(struct wr *w, nir_scope scope)
{
   switch (scope) {
   case NIR_SCOPE_NONE:
   case NIR_SCOPE_INVOCATION: return wr_uint(w, SpvScopeInvocation);
   case NIR_SCOPE_SUBGROUP: return wr_uint(w, SpvScopeSubgroup);
   case NIR_SCOPE_WORKGROUP: return wr_uint(w, SpvScopeWorkgroup);
   case NIR_SCOPE_QUEUE_FAMILY: return wr_uint(w, SpvScopeQueueFamily);
   case NIR_SCOPE_DEVICE: return wr_uint(w, SpvScopeDevice);
   case NIR_SCOPE_SHADER_CALL: break;
   }
   wr_fail(w, "Vulkan 1.1 has no scope of a shader call");
}

static uint32_t
semantics_of(nir_variable_mode modes, nir_memory_semantics sem)
{
   uint32_t bits = 0;

   if (modes & (nir_var_mem_ssbo | nir_var_mem_global))
      bits |= SpvMemorySemanticsUniformMemoryMask;
   if (modes & (nir_var_uniform | nir_var_image))
      bits |= SpvMemorySemanticsImageMemoryMask;
   if (modes & nir_var_mem_shared)
      bits |= SpvMemorySemanticsWorkgroupMemoryMask;
   if (!bits || !(sem & NIR_MEMORY_ACQ_REL))
      return SpvMemorySemanticsMaskNone;
   switch (sem & NIR_MEMORY_ACQ_REL) {
   case NIR_MEMORY_ACQUIRE: return bits | SpvMemorySemanticsAcquireMask;
   case NIR_MEMORY_RELEASE: return bits | SpvMemorySemanticsReleaseMask;
   default: return bits | SpvMemorySemanticsAcquireReleaseMask;
   }
}

static void
barrier(struct wr *w, nir_scope exec, nir_scope memory,
        nir_variable_mode modes, nir_memory_semantics sem)
{
   const uint32_t bits = semantics_of(modes, sem);
   /* Outputs of a patch are ordered by the barrier itself. */
   const uint32_t mem = scope_of(w, bits ? memory : NIR_SCOPE_INVOCATION);

   if (exec != NIR_SCOPE_NONE)
      WR(&w->code, SpvOpControlBarrier, scope_of(w, exec), mem,
         wr_uint(w, bits));
   else if (bits)
      WR(&w->code, SpvOpMemoryBarrier, mem, wr_uint(w, bits));
}

static bool
any_barrier(struct wr *w, nir_intrinsic_instr *intr)
{
   const nir_variable_mode memory = nir_var_mem_ssbo | nir_var_uniform |
                                    nir_var_image | nir_var_mem_shared;

   switch (intr->intrinsic) {
   case nir_intrinsic_scoped_barrier:
      barrier(w, nir_intrinsic_execution_scope(intr),
              nir_intrinsic_memory_scope(intr),
              nir_intrinsic_memory_modes(intr),
              nir_intrinsic_memory_semantics(intr));
      return true;
   case nir_intrinsic_control_barrier:
      barrier(w, NIR_SCOPE_WORKGROUP, NIR_SCOPE_WORKGROUP, nir_var_mem_shared,
              NIR_MEMORY_ACQ_REL);
      return true;
   case nir_intrinsic_memory_barrier:
      barrier(w, NIR_SCOPE_NONE, NIR_SCOPE_DEVICE, memory,
              NIR_MEMORY_ACQ_REL);
      return true;
   case nir_intrinsic_group_memory_barrier:
      barrier(w, NIR_SCOPE_NONE, NIR_SCOPE_WORKGROUP, memory,
              NIR_MEMORY_ACQ_REL);
      return true;
   case nir_intrinsic_memory_barrier_buffer:
      barrier(w, NIR_SCOPE_NONE, NIR_SCOPE_DEVICE, nir_var_mem_ssbo,
              NIR_MEMORY_ACQ_REL);
      return true;
   case nir_intrinsic_memory_barrier_image:
      barrier(w, NIR_SCOPE_NONE, NIR_SCOPE_DEVICE, nir_var_image,
              NIR_MEMORY_ACQ_REL);
      return true;
   case nir_intrinsic_memory_barrier_shared:
      barrier(w, NIR_SCOPE_NONE, NIR_SCOPE_WORKGROUP, nir_var_mem_shared,
              NIR_MEMORY_ACQ_REL);
      return true;
   case nir_intrinsic_memory_barrier_atomic_counter:
   case nir_intrinsic_memory_barrier_tcs_patch: return true;
   default: return false;
   }
}

/* --- Atomics ------------------------------------------------------------ */

static const struct atomic_row {
   nir_intrinsic_op memory, image;
   SpvOp op;
   bool is_float;
} atomics[] = {
#define ROW(name, op, is_float)                                              \
   {                                                                         \
      nir_intrinsic_deref_atomic_##name,                                     \
         nir_intrinsic_image_deref_atomic_##name, SpvOpAtomic##op, is_float  \
   }
   ROW(add, IAdd, false),
   ROW(imin, SMin, false),
   ROW(umin, UMin, false),
   ROW(imax, SMax, false),
   ROW(umax, UMax, false),
   ROW(and, And, false),
   ROW(or, Or, false),
   ROW(xor, Xor, false),
   ROW(exchange, Exchange, false),
   ROW(comp_swap, CompareExchange, false),
   ROW(fadd, FAddEXT, true),
   ROW(fmin, FMinEXT, true),
   ROW(fmax, FMaxEXT, true),
#undef ROW
};

static const struct atomic_row *
row_of(nir_intrinsic_op op, bool *image)
{
   for (unsigned i = 0; i < ARRAY_SIZE(atomics); i++) {
      *image = atomics[i].image == op;
      if (*image || atomics[i].memory == op)
         return &atomics[i];
   }
   return NULL;
}

static void
atomic_capabilities(struct wr *w, const struct atomic_row *row, unsigned bits)
{
   if (bits == 64)
      wr_capability(w, SpvCapabilityInt64Atomics);
   if (row->op == SpvOpAtomicFAddEXT) {
      wr_capability(w, SpvCapabilityAtomicFloat32AddEXT);
      wr_extension(w, "SPV_EXT_shader_atomic_float_add");
   } else if (row->is_float) {
      wr_capability(w, SpvCapabilityAtomicFloat32MinMaxEXT);
      wr_extension(w, "SPV_EXT_shader_atomic_float_min_max");
   }
}

/* The texel of an image that an operation is done on. */
static uint32_t
texel(struct wr *w, nir_intrinsic_instr *intr, nir_deref_instr *d,
      uint32_t number)
{
   const struct glsl_type *t = d->type;
   const unsigned n = wr_texel_components(t);
   const uint8_t xyzw[4] = { 0, 1, 2, 3 };
   const uint32_t coord =
      wr_swizzled(w, intr->src[1].value, xyzw, n, WR_UINT);
   const uint32_t sample = glsl_get_sampler_dim(t) == GLSL_SAMPLER_DIM_MS
                              ? wr_as(w, intr->src[2].value, WR_UINT)
                              : wr_uint(w, 0);

   return WR_OP(w, SpvOpImageTexelPointer,
                wr_pointer_type(w, SpvStorageClassImage, number),
                wr_deref(w, d, NULL), coord, sample);
}

static bool
atomic(struct wr *w, nir_intrinsic_instr *intr)
{
   bool image;
   const struct atomic_row *row = row_of(intr->intrinsic, &image);
   nir_value *v = &intr->instr.result;
   uint32_t type, pointer, scope, data[2], none, id;
   const unsigned first = image ? 3 : 1;
   nir_deref_instr *d;
   enum wr_base base;

   if (!row)
      return false;
   d = nir_use_as_deref(intr->src[0]);
   base =
      wr_base_of(image ? glsl_scalar_type(d->type->sampled_type) : d->type);
   if (row->is_float != (base == WR_FLOAT) &&
       !(row->op == SpvOpAtomicExchange && base == WR_FLOAT))
      wr_fail(w, "%s of memory of another type",
              nir_intrinsic_infos[intr->intrinsic].name);
   atomic_capabilities(w, row, v->bit_size);
   type = wr_scalar_type(w, base, v->bit_size);
   pointer = image ? texel(w, intr, d, type) : wr_deref(w, d, NULL);
   non_uniform(w, pointer, (unsigned)nir_intrinsic_access(intr));
   scope = wr_uint(w, d->modes == nir_var_mem_shared ? SpvScopeWorkgroup
                                                     : SpvScopeDevice);
   none = wr_uint(w, SpvMemorySemanticsMaskNone);
   data[0] = wr_as(w, intr->src[first].value, base);
   if (row->op == SpvOpAtomicCompareExchange) {
      data[1] = wr_as(w, intr->src[first + 1].value, base);
      id = WR_OP(w, row->op, type, pointer, scope, none, none, data[1],
                 data[0]);
   } else {
      id = WR_OP(w, row->op, type, pointer, scope, none, data[0]);
   }
   wr_define(w, v, base, id);
   return true;
}

bool
wr_memory(struct wr *w, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_deref: load(w, intr); return true;
   case nir_intrinsic_store_deref: store(w, intr); return true;
   case nir_intrinsic_deref_buffer_array_length:
      array_length(w, intr);
      return true;
   default: return any_barrier(w, intr) || atomic(w, intr);
   }
}

void
wr_find_atomic_images(struct wr *w, nir_function_impl *impl)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         bool image;
         if (!intr || !row_of(intr->intrinsic, &image) || !image)
            continue;
         nir_variable *var = nir_deref_root(nir_use_as_deref(intr->src[0]));
         if (var)
            hash_table_insert(&w->atomic_images, hash_key_ptr(var), w);
      }
   }
}
