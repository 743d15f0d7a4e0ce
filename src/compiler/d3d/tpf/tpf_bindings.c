/* SPDX-License-Identifier: MIT */
/* Which registers the resources of a shader have, and their declarations. */
#include "tpf_emit.h"

#define MAX_SHARED_B 32768u

static const unsigned limits[] = {
   [TPF_BIND_CB] = 14,
   [TPF_BIND_SAMPLER] = 16,
   [TPF_BIND_SRV] = 128,
   [TPF_BIND_UAV] = 64,
};

static void
add(struct tpf_emit *e, nir_variable *var, enum tpf_binding_kind kind)
{
   struct tpf_interface *in = e->interface;

   if (in->num_bindings == TPF_MAX_BINDINGS) {
      tpf_emit_fail(e, "more than %u resources", TPF_MAX_BINDINGS);
      return;
   }
   in->binding[in->num_bindings++] = (struct tpf_binding) {
      .var = var,
      .kind = kind,
      .set = var->data.descriptor_set,
      .binding = var->data.binding,
      .count = glsl_type_is_array(var->type) ? glsl_get_aoa_size(var->type)
                                             : 1,
      .stride_B = tpf_structured_stride_B(var),
   };
}

static void
add_variable(struct tpf_emit *e, nir_variable *var)
{
   const struct glsl_type *type = glsl_without_array(var->type);
   const bool read_only = var->data.read_only ||
                          var->data.access & ACCESS_NON_WRITEABLE;

   switch (var->data.mode) {
   case nir_var_mem_ubo: add(e, var, TPF_BIND_CB); break;
   case nir_var_mem_ssbo:
      add(e, var, read_only ? TPF_BIND_SRV : TPF_BIND_UAV);
      break;
   case nir_var_image: add(e, var, TPF_BIND_UAV); break;
   case nir_var_uniform:
      if (glsl_type_is_image(type))
         add(e, var, TPF_BIND_UAV);
      else if (glsl_type_is_texture(type))
         add(e, var, TPF_BIND_SRV);
      else if (glsl_type_is_sampler(type)) {
         /* A bare one has no texture; the others are both. */
         if (type != glsl_bare_sampler_type() &&
             type != glsl_bare_shadow_sampler_type())
            add(e, var, TPF_BIND_SRV);
         add(e, var, TPF_BIND_SAMPLER);
      }
      break;
   default: break;
   }
}

static int
by_place(const void *a, const void *b)
{
   const struct tpf_binding *x = a, *y = b;

   if (x->kind != y->kind)
      return x->kind < y->kind ? -1 : 1;
   if (x->set != y->set)
      return x->set < y->set ? -1 : 1;
   return (x->binding > y->binding) - (x->binding < y->binding);
}

/* SPIR-V says of a block's members that they are not written. */
void
tpf_emit_find_read_only(struct tpf_emit *e)
{
   nir_foreach_block(block, nir_entry_point(e->nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind != nir_kind_intrinsic ||
             nir_instr_as_intrinsic(instr)->intrinsic !=
                nir_intrinsic_load_deref)
            continue;
         nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
         nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
         nir_variable *var = d ? nir_deref_root(d) : NULL;
         if (var && var->data.mode == nir_var_mem_ssbo &&
             nir_intrinsic_access(intr) & ACCESS_NON_WRITEABLE)
            var->data.access |= ACCESS_NON_WRITEABLE;
      }
   }
}

void
tpf_emit_bind(struct tpf_emit *e)
{
   struct tpf_interface *in = e->interface;
   unsigned next[ARRAY_SIZE(limits)] = { 0 };

   nir_foreach_variable_with_modes(var, e->nir,
                                   nir_var_mem_ubo | nir_var_mem_ssbo |
                                      nir_var_uniform | nir_var_image)
      add_variable(e, var);
   qsort(in->binding, in->num_bindings, sizeof(in->binding[0]), by_place);
   for (unsigned i = 0; i < in->num_bindings; i++) {
      struct tpf_binding *b = &in->binding[i];
      const struct tpf_binding *last = i ? b - 1 : NULL;
      if (last && last->kind == b->kind && last->set == b->set &&
          last->binding == b->binding) {
         b->first = last->first;
         if (b->count > last->count || b->stride_B != last->stride_B)
            tpf_emit_fail(e, "two unlike variables share binding %u",
                          b->binding);
         continue;
      }
      b->first = next[b->kind];
      next[b->kind] += b->count;
      if (next[b->kind] > limits[b->kind])
         tpf_emit_fail(e, "more than %u registers %s", limits[b->kind],
                       b->kind == TPF_BIND_CB        ? "cb"
                       : b->kind == TPF_BIND_SAMPLER ? "s"
                       : b->kind == TPF_BIND_SRV     ? "t"
                                                     : "u");
   }
}

const struct tpf_binding *
tpf_emit_find(struct tpf_emit *e, enum tpf_binding_kind kind, unsigned set,
              unsigned binding)
{
   for (unsigned i = 0; i < e->interface->num_bindings; i++) {
      const struct tpf_binding *b = &e->interface->binding[i];
      if (b->kind == kind && b->set == set && b->binding == binding)
         return b;
   }
   return NULL;
}

void
tpf_emit_use_cb(struct tpf_emit *e, unsigned n, unsigned first,
                unsigned count, unsigned mask)
{
   assert(n < ARRAY_SIZE(e->cb_size) && first + count <= TPF_CB_MAX);
   if (!e->cb_used[n])
      e->cb_used[n] = arena_alloc(e->arena, TPF_CB_MAX);
   for (unsigned i = first; i < first + count; i++)
      e->cb_used[n][i] |= (uint8_t)mask;
   e->cb_size[n] = MAX2(e->cb_size[n], first + count);
}

bool
tpf_emit_deref(struct tpf_emit *e, nir_use *src, enum tpf_binding_kind kind,
               const struct tpf_binding **binding, unsigned *reg)
{
   nir_deref_instr *d = nir_use_as_deref(*src);
   unsigned element = 0;

   while (d && d->deref_type == nir_deref_type_array) {
      if (!nir_use_is_const(d->index))
         return tpf_emit_fail(e, "a resource is chosen at run time");
      element += (unsigned)nir_use_as_uint(d->index) *
                 glsl_get_aoa_size(d->type);
      d = nir_deref_parent(d);
   }
   if (!d || d->deref_type != nir_deref_type_var)
      return tpf_emit_fail(e, "a resource that is no variable");
   *binding = tpf_emit_find(e, kind, d->var->data.descriptor_set,
                            d->var->data.binding);
   if (!*binding || element >= (*binding)->count)
      return tpf_emit_fail(e, "a resource that has no register");
   *reg = (*binding)->first + element;
   return true;
}

/* --- Declarations ------------------------------------------------------- */

unsigned
tpf_emit_dim(const struct glsl_type *type)
{
   for (unsigned i = 1; i < TPF_DIM_COUNT; i++) {
      const struct tpf_dim_info *dim = tpf_dim_info(i);
      if (dim->sampler_dim == (int)glsl_get_sampler_dim(type) &&
          dim->is_array == glsl_sampler_type_is_array(type))
         return i;
   }
   return TPF_DIM_UNKNOWN;
}

static void
declare(struct tpf_emit *e, struct tpf_inst inst)
{
   inst.num_operands = 1;
   util_dynarray_append(&e->head, struct tpf_inst, inst);
}

static struct tpf_operand
plain(enum tpf_file file, unsigned reg)
{
   struct tpf_operand o = tpf_emit_masked(tpf_emit_reg(file, reg, 0), 0);

   o.components = TPF_COMPONENTS_0;
   return o;
}

static uint32_t
return_types(const struct glsl_type *type)
{
   const uint32_t t = type->sampled_type == GLSL_TYPE_INT ? TPF_RETURN_SINT
                      : type->sampled_type == GLSL_TYPE_UINT
                         ? TPF_RETURN_UINT
                         : TPF_RETURN_FLOAT;

   return t * 0x1111;
}

static void
declare_typed(struct tpf_emit *e, const struct tpf_binding *b, unsigned reg)
{
   const struct glsl_type *type = glsl_without_array(b->var->type);
   const bool uav = b->kind == TPF_BIND_UAV;
   const unsigned dim = tpf_emit_dim(type);

   if (dim == TPF_DIM_UNKNOWN)
      tpf_emit_fail(e, "a texture of a kind that SM5 has not");
   declare(e, (struct tpf_inst) {
                 .op = uav ? TPF_OP_DCL_UAV_TYPED : TPF_OP_DCL_RESOURCE,
                 .controls = dim << 11,
                 .operand[0] = plain(uav ? TPF_FILE_U : TPF_FILE_T, reg),
                 .num_imm = 1,
                 .imm[0] = return_types(type) });
}

static void
declare_buffer(struct tpf_emit *e, const struct tpf_binding *b, unsigned reg)
{
   const bool uav = b->kind == TPF_BIND_UAV;
   const bool coherent = b->var->data.access & ACCESS_COHERENT;
   struct tpf_inst inst = {
      .op = b->stride_B ? uav ? TPF_OP_DCL_UAV_STRUCTURED
                              : TPF_OP_DCL_RESOURCE_STRUCTURED
            : uav       ? TPF_OP_DCL_UAV_RAW
                        : TPF_OP_DCL_RESOURCE_RAW,
      .controls = uav && coherent ? 1u << 16 : 0,
      .operand[0] = plain(uav ? TPF_FILE_U : TPF_FILE_T, reg),
   };

   if (b->stride_B) {
      inst.num_imm = 1;
      inst.imm[0] = b->stride_B;
   }
   declare(e, inst);
}

static void
declare_cb(struct tpf_emit *e, unsigned n)
{
   struct tpf_operand o = tpf_emit_swizzled(tpf_emit_reg(TPF_FILE_CB, n, 0),
                                            TPF_SWIZZLE_IDENTITY);

   o.num_indices = 2;
   o.index[1].imm = e->cb_size[n];
   declare(e,
           (struct tpf_inst) { .op = TPF_OP_DCL_CONSTANT_BUFFER,
                               .operand[0] = o,
                               .controls = e->cb_dynamic[n] ? 1u << 11 : 0 });
}

static void
declare_one(struct tpf_emit *e, const struct tpf_binding *b, unsigned reg)
{
   const struct glsl_type *type = glsl_without_array(b->var->type);
   const bool shadow =
      type == glsl_bare_shadow_sampler_type() ||
      (glsl_type_is_sampler(type) && glsl_sampler_type_is_shadow(type));

   if (b->kind == TPF_BIND_SAMPLER)
      declare(e, (struct tpf_inst) { .op = TPF_OP_DCL_SAMPLER,
                                     .controls = shadow ? 1u << 11 : 0,
                                     .operand[0] = plain(TPF_FILE_S, reg) });
   else if (b->kind == TPF_BIND_CB)
      ; /* those that are read: see below */
   else if (b->var->data.mode == nir_var_mem_ssbo)
      declare_buffer(e, b, reg);
   else
      declare_typed(e, b, reg);
}

void
tpf_emit_declare_resources(struct tpf_emit *e)
{
   for (unsigned i = 0; i < ARRAY_SIZE(e->cb_size); i++) {
      if (e->cb_size[i])
         declare_cb(e, i);
   }
   for (unsigned i = 0; i < e->interface->num_bindings; i++) {
      const struct tpf_binding *b = &e->interface->binding[i];
      if (i && b[-1].kind == b->kind && b[-1].first == b->first)
         continue;
      for (unsigned k = 0; k < b->count; k++)
         declare_one(e, b, b->first + k);
   }
}

/* --- Shared memory ------------------------------------------------------ */

unsigned
tpf_emit_num_shared(const struct tpf_emit *e)
{
   unsigned n = 0;

   nir_foreach_variable_with_modes(var, e->nir, nir_var_mem_shared)
      n += var->data.descriptor_set == TPF_SHARED_SET;
   return n;
}

void
tpf_emit_declare_shared(struct tpf_emit *e)
{
   const uint32_t raw_B = ALIGN(e->nir->info.shared_size, 4);
   uint32_t size_B = raw_B;

   nir_foreach_variable_with_modes(var, e->nir, nir_var_mem_shared) {
      const uint32_t stride_B = tpf_structured_stride_B(var);
      if (var->data.descriptor_set != TPF_SHARED_SET)
         continue;
      size_B += stride_B * tpf_structured_count(var);
      declare(e, (struct tpf_inst) {
                    .op = TPF_OP_DCL_TGSM_STRUCTURED,
                    .operand[0] = plain(TPF_FILE_G, var->data.binding),
                    .num_imm = 2,
                    .imm = { stride_B, tpf_structured_count(var) } });
   }
   if (raw_B)
      declare(e, (struct tpf_inst) {
                    .op = TPF_OP_DCL_TGSM_RAW,
                    .operand[0] = plain(TPF_FILE_G, tpf_emit_num_shared(e)),
                    .num_imm = 1,
                    .imm[0] = raw_B });
   if (size_B > MAX_SHARED_B)
      tpf_emit_fail(e, "SM5 has %u bytes of shared memory", MAX_SHARED_B);
}
