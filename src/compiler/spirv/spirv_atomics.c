/* SPDX-License-Identifier: MIT */
/* Atomic instructions and barriers (3.49.18, 3.49.20). */
#include "compiler/spirv/spirv_private.h"

static const char *
here(const struct spv *s)
{
   return spirv_opcode_name(spv_opcode(s->cur));
}

/* --- Barriers ----------------------------------------------------------- */

static nir_scope
scope(struct spv *s, uint32_t id)
{
   const uint64_t v = spv_const_uint(s, id);

   switch (v) {
   case SpvScopeInvocation: return NIR_SCOPE_INVOCATION;
   case SpvScopeSubgroup: return NIR_SCOPE_SUBGROUP;
   case SpvScopeWorkgroup: return NIR_SCOPE_WORKGROUP;
   case SpvScopeQueueFamily: return NIR_SCOPE_QUEUE_FAMILY;
   case SpvScopeDevice: return NIR_SCOPE_DEVICE;
   default:
      spv_unsupported(s, "%s: scope %llu", here(s), (unsigned long long)v);
   }
}

static nir_variable_mode
memory_modes(uint64_t semantics)
{
   nir_variable_mode modes = 0;

   if (semantics & SpvMemorySemanticsUniformMemoryMask)
      modes |= nir_var_mem_ssbo;
   if (semantics & SpvMemorySemanticsImageMemoryMask)
      modes |= nir_var_uniform | nir_var_image;
   if (semantics & SpvMemorySemanticsWorkgroupMemoryMask)
      modes |= nir_var_mem_shared;
   if (semantics & SpvMemorySemanticsOutputMemoryMask)
      modes |= nir_var_shader_out;
   return modes;
}

static nir_memory_semantics
memory_semantics(uint64_t semantics)
{
   nir_memory_semantics r = 0;

   if (semantics & SpvMemorySemanticsAcquireMask)
      r |= NIR_MEMORY_ACQUIRE;
   if (semantics & SpvMemorySemanticsReleaseMask)
      r |= NIR_MEMORY_RELEASE;
   if (semantics & (SpvMemorySemanticsAcquireReleaseMask |
                    SpvMemorySemanticsSequentiallyConsistentMask))
      r |= NIR_MEMORY_ACQ_REL;
   return r;
}

/* What an atomic instruction orders besides itself: all before it, if it
 * releases, all after it, if it acquires. */
static void
order(struct spv *s, uint32_t scope_id, uint32_t semantics_id,
      nir_memory_semantics wanted)
{
   const uint64_t bits = spv_const_uint(s, semantics_id);
   const nir_variable_mode modes = memory_modes(bits);
   const nir_memory_semantics sem = memory_semantics(bits) & wanted;

   if (modes && sem)
      nir_scoped_barrier(&s->nb, .execution_scope = NIR_SCOPE_NONE,
                         .memory_scope = scope(s, scope_id),
                         .memory_semantics = sem, .memory_modes = modes);
}

/* --- Atomic instructions ------------------------------------------------ */

static const struct atomic_row {
   uint16_t spirv;
   nir_intrinsic_op memory, image, global, ssbo, shared;
} rows[] = {
#define ROW(op, name)                                                        \
   {                                                                         \
      SpvOpAtomic##op, nir_intrinsic_deref_atomic_##name,                    \
         nir_intrinsic_image_deref_atomic_##name,                            \
         nir_intrinsic_global_atomic_##name,                                 \
         nir_intrinsic_ssbo_atomic_##name,                                   \
         nir_intrinsic_shared_atomic_##name                                  \
   }
   ROW(Exchange, exchange), ROW(CompareExchange, comp_swap),
   ROW(IIncrement, add),    ROW(IDecrement, add),
   ROW(IAdd, add),          ROW(ISub, add),
   ROW(SMin, imin),         ROW(UMin, umin),
   ROW(SMax, imax),         ROW(UMax, umax),
   ROW(And, and),           ROW(Or, or),
   ROW(Xor, xor),           ROW(FMinEXT, fmin),
   ROW(FMaxEXT, fmax),
#undef ROW
};

/* Numbers of the kind that the operation has. */
static bool
is_for(unsigned op, const struct spv_type *t)
{
   switch (op) {
   case SpvOpAtomicExchange: return spv_type_is_number(t) && t->bits >= 32;
   case SpvOpAtomicFMinEXT:
   case SpvOpAtomicFMaxEXT: return t->base == SPV_FLOAT && t->bits == 32;
   default: return t->base == SPV_INT && t->bits >= 32;
   }
}

static nir_value *
operand(struct spv *s, uint32_t id, const struct spv_type *t)
{
   spv_check(s, spv_same_type(spv_value_type(s, id), t),
             "%s: id %u has the wrong type (3.49.18)", here(s), id);
   return spv_get_def(s, id);
}

/* The data sources of the intrinsic: one, or two for compare-exchange. */
static unsigned
data_sources(struct spv *s, const uint32_t *w, const struct spv_type *t,
             nir_value **data)
{
   switch (spv_opcode(w)) {
   case SpvOpAtomicIIncrement:
      data[0] = nir_imm_intN_t(&s->nb, 1, t->bits);
      return 1;
   case SpvOpAtomicIDecrement:
      data[0] = nir_imm_intN_t(&s->nb, UINT64_MAX, t->bits);
      return 1;
   case SpvOpAtomicISub:
      data[0] = nir_ineg(&s->nb, operand(s, w[6], t));
      return 1;
   case SpvOpAtomicCompareExchange:
      /* NIR: what is compared, then the new value. */
      data[0] = operand(s, w[8], t);
      data[1] = operand(s, w[7], t);
      return 2;
   default: data[0] = operand(s, w[6], t); return 1;
   }
}

static nir_intrinsic_op
by_number(const struct atomic_row *row, SpvStorageClass storage)
{
   switch (storage) {
   case SpvStorageClassStorageBuffer: return row->ssbo;
   case SpvStorageClassWorkgroup: return row->shared;
   default: return row->global;
   }
}

/* By a number: an address, or a place. */
static nir_value *
emit_number(struct spv *s, const struct spv_pointer *p,
            const struct atomic_row *row, nir_value **data, unsigned n)
{
   nir_value *srcs[4];
   const unsigned first = spv_place(s, p, srcs);
   nir_intrinsic_instr *instr;

   for (unsigned i = 0; i < n; i++)
      srcs[first + i] = data[i];
   instr = nir_build_intrinsic_begin(&s->nb, by_number(row, p->var->storage),
                                     1, p->type->bits, srcs);
   if (spv_is_in_buffer(p))
      nir_intrinsic_set_access(instr, p->access);
   return nir_emit(&s->nb, &instr->instr);
}

static nir_value *
emit_memory(struct spv *s, const struct spv_pointer *p,
            const struct atomic_row *row, nir_value **data, unsigned n)
{
   nir_value *srcs[3];
   nir_intrinsic_instr *instr;
   nir_deref_instr *d;

   if (p->address)
      return emit_number(s, p, row, data, n);
   d = spv_deref(s, p);
   if (!nir_deref_mode_is_one_of(d, nir_var_mem_ssbo | nir_var_mem_shared))
      spv_unsupported(s, "%s on storage class %s", here(s),
                      spirv_enumerant_name(spirv_enum_StorageClass,
                                           p->var->storage));
   srcs[0] = &d->instr.result;
   for (unsigned i = 0; i < n; i++)
      srcs[1 + i] = data[i];
   instr =
      nir_build_intrinsic_begin(&s->nb, row->memory, 1, p->type->bits, srcs);
   nir_intrinsic_set_access(instr, p->access | ACCESS_COHERENT);
   return nir_emit(&s->nb, &instr->instr);
}

static nir_value *
emit_image(struct spv *s, const struct spv_texel_pointer *p,
           nir_intrinsic_op op, nir_value **data, unsigned n)
{
   const struct spv_type *image = p->image->type;
   nir_value *srcs[5];
   nir_intrinsic_instr *instr;

   srcs[0] = &spv_deref(s, p->image)->instr.result;
   srcs[1] = p->coord;
   srcs[2] = p->sample;
   for (unsigned i = 0; i < n; i++)
      srcs[3 + i] = data[i];
   instr = nir_build_intrinsic_begin(&s->nb, op, 1, image->elem->bits, srcs);
   nir_intrinsic_set_image_dim(instr, image->image.glsl_dim);
   nir_intrinsic_set_image_array(instr, image->image.arrayed);
   nir_intrinsic_set_format(
      instr, spv_get_variable(s, p->image->var, 0)->data.image.format);
   nir_intrinsic_set_access(instr, p->image->access | ACCESS_COHERENT);
   return nir_emit(&s->nb, &instr->instr);
}

/* A load or store of a whole scalar or texel, coherently. */
static void
load_store(struct spv *s, const uint32_t *w)
{
   const bool is_load = spv_opcode(w) == SpvOpAtomicLoad;
   const uint32_t id = is_load ? w[3] : w[1];
   const struct spv_value *value = spv_untyped_value(s, id);
   const bool is_texel = value->kind == SPV_VALUE_TEXEL_POINTER;
   struct spv_type *pointee = is_texel ? value->type->elem
                                       : spv_get_pointer(s, id)->type;
   struct spv_pointer p = { 0 };

   spv_check(s, spv_type_is_number(pointee),
             "%s: not a pointer to a scalar (3.49.18)", here(s));
   if (!is_texel) {
      p = *spv_get_pointer(s, id);
      p.access |= ACCESS_COHERENT | ACCESS_VOLATILE;
   }
   if (is_load) {
      struct spv_type *t = spv_get_type(s, w[1]);
      spv_check(s, spv_same_type(t, pointee),
                "OpAtomicLoad: wrong result type (3.49.18)");
      order(s, w[4], w[5], NIR_MEMORY_RELEASE);
      if (is_texel)
         spv_set_def(s, t, w[2], spv_load_texel(s, &value->texel));
      else
         spv_set_ssa(s, w[2], spv_load(s, &p));
      order(s, w[4], w[5], NIR_MEMORY_ACQUIRE);
   } else {
      nir_value *def = operand(s, w[4], pointee);
      order(s, w[2], w[3], NIR_MEMORY_RELEASE);
      if (is_texel)
         spv_store_texel(s, &value->texel, def);
      else
         spv_store(s, &p, spv_get_ssa(s, w[4]));
      order(s, w[2], w[3], NIR_MEMORY_ACQUIRE);
      s->shader->info.writes_memory = true;
   }
}

bool
spv_handle_atomic(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   const struct atomic_row *row = NULL;
   const struct spv_value *p;
   nir_value *data[2], *def;
   struct spv_type *t;
   unsigned n;

   if (op == SpvOpAtomicLoad || op == SpvOpAtomicStore) {
      load_store(s, w);
      return true;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].spirv == op)
         row = &rows[i];
   }
   if (!row)
      return false;
   t = spv_get_type(s, w[1]);
   p = spv_untyped_value(s, w[3]);
   spv_check(s,
             p->type && p->type->base == SPV_POINTER &&
                spv_same_type(p->type->elem, t) && is_for(op, t),
             "%s: wrong pointer or result type (3.49.18)", here(s));
   n = data_sources(s, w, t, data);
   order(s, w[4], w[5], NIR_MEMORY_RELEASE);
   if (p->kind == SPV_VALUE_TEXEL_POINTER)
      def = emit_image(s, &p->texel, row->image, data, n);
   else
      def = emit_memory(s, spv_get_pointer(s, w[3]), row, data, n);
   order(s, w[4], w[5], NIR_MEMORY_ACQUIRE);
   s->shader->info.writes_memory = true;
   spv_set_def(s, t, w[2], def);
   return true;
}

/* --- Barriers ----------------------------------------------------------- */

bool
spv_handle_barrier(struct spv *s, const uint32_t *w)
{
   const bool control = spv_opcode(w) == SpvOpControlBarrier;
   nir_variable_mode modes;
   nir_memory_semantics sem;
   nir_scope exec, mem;
   uint64_t bits;

   if (!control && spv_opcode(w) != SpvOpMemoryBarrier)
      return false;
   exec = control ? scope(s, w[1]) : NIR_SCOPE_NONE;
   mem = scope(s, w[control ? 2 : 1]);
   bits = spv_const_uint(s, w[control ? 3 : 2]);
   modes = memory_modes(bits);
   sem = memory_semantics(bits);
   /* barrier() of a tessellation control shader orders its outputs, which
    * its memory semantics cannot say in the GLSL memory model. */
   if (control && s->stage == MESA_SHADER_TESS_CTRL) {
      modes |= nir_var_shader_out;
      sem |= NIR_MEMORY_ACQ_REL;
      if (mem < NIR_SCOPE_WORKGROUP)
         mem = NIR_SCOPE_WORKGROUP;
   }
   if (!modes || !sem) {
      modes = 0;
      sem = 0;
      mem = NIR_SCOPE_NONE;
   }
   if (control)
      s->shader->info.uses_control_barrier = true;
   if (exec != NIR_SCOPE_NONE || mem != NIR_SCOPE_NONE)
      nir_scoped_barrier(&s->nb, .execution_scope = exec, .memory_scope = mem,
                         .memory_semantics = sem, .memory_modes = modes);
   return true;
}
