/* SPDX-License-Identifier: MIT */
/*
 * Memory: raw buffers and raw shared memory, as arrays of dwords; structured
 * ones, as arrays of such; typed UAVs, as images; atomics; barriers.
 *
 * An element i beyond a structured buffer reads zeros and writes nothing; so
 * that i times the stride does not come around, i is held below 2^32 /
 * stride, and an offset in a raw buffer where four dwords follow below 2^32.
 * What is beyond a structure's end, at an offset that is known, is zero and
 * is not written. Beyond shared memory, reads give anything, and writes may
 * change all of it: no bounds are checked here.
 */
#include "tpf_nir.h"

#include <stdio.h>

/* --- Declarations ------------------------------------------------------- */

enum glsl_base_type
tpf_nir_texel_type(const struct tpf_inst *dcl)
{
   switch (tpf_bits(dcl->imm[0], 0, 4)) {
   case TPF_RETURN_SINT: return GLSL_TYPE_INT;
   case TPF_RETURN_UINT: return GLSL_TYPE_UINT;
   default: return GLSL_TYPE_FLOAT;
   }
}

/* In SM5.1 each file has a descriptor set of its own. */
static void
place(struct tpf_nir *t, nir_variable *var, unsigned first, unsigned n)
{
   const bool ranges = t->shader->version >= 51;

   var->data.binding = ranges ? n : first + n;
   var->data.descriptor_set = !ranges                        ? 0
                              : first == TPF_BINDING_SAMPLER ? TPF_SET_SAMPLER
                              : first == TPF_BINDING_RESOURCE
                                 ? TPF_SET_RESOURCE
                              : first == TPF_BINDING_UAV ? TPF_SET_UAV
                                                         : TPF_SET_COUNTER;
}

/* `length` dwords, or as many structures. */
static const struct glsl_type *
elements(unsigned length, uint32_t stride_B)
{
   const struct glsl_type *dword = glsl_uint_type();

   return stride_B ? glsl_array_type(glsl_array_type(dword, stride_B / 4, 4),
                                     length, stride_B)
                   : glsl_array_type(dword, length, 4);
}

/* `dcl`: of the buffer, also for its counter. */
static nir_variable *
storage_buffer(struct tpf_nir *t, const struct tpf_inst *dcl, unsigned first,
               unsigned n, uint32_t stride_B)
{
   /* clang-format off */
   const struct glsl_struct_field field = {
      .type = elements(0, stride_B), .name = "d",
      .location = -1, .component = -1, .xfb_buffer = -1, .xfb_offset = -1,
   };
   /* clang-format on */
   const bool read_only = first == TPF_BINDING_RESOURCE;
   const struct glsl_type *type = glsl_interface_type(
      &field, 1, GLSL_INTERFACE_PACKING_STD430, false, "b");
   nir_variable *var = nir_new_variable(t->b.shader, nir_var_mem_ssbo,
                                        tpf_nir_range_type(dcl, type), NULL);

   var->interface_type = type;
   place(t, var, first, n);
   var->data.access = read_only ? ACCESS_NON_WRITEABLE : 0;
   var->data.read_only = read_only;
   return var;
}

static nir_variable *
opaque(struct tpf_nir *t, nir_variable_mode mode,
       const struct glsl_type *type, const struct tpf_inst *dcl,
       unsigned first)
{
   nir_variable *var = nir_new_variable(t->b.shader, mode,
                                        tpf_nir_range_type(dcl, type), NULL);

   place(t, var, first, dcl->operand[0].index[0].imm);
   return var;
}

static void
declare_shared(struct tpf_nir *t, const struct tpf_inst *inst)
{
   const unsigned n = inst->operand[0].index[0].imm;
   const bool raw = inst->num_imm == 1;
   const uint32_t size = raw ? inst->imm[0] : inst->imm[0] * inst->imm[1];
   struct tpf_nir_resource *r = &t->shared[n];

   r->dcl = inst;
   r->stride_B = raw ? 0 : inst->imm[0];
   r->var = nir_new_variable(
      t->b.shader, nir_var_mem_shared,
      elements(raw ? size / 4 : inst->imm[1], r->stride_B), NULL);
   r->var->data.driver_location = t->b.shader->info.shared_size;
   t->b.shader->info.shared_size += size;
}

static void
declare_typed(struct tpf_nir *t, const struct tpf_inst *inst)
{
   const unsigned n = inst->operand[0].index[0].imm;
   const bool uav = inst->op == TPF_OP_DCL_UAV_TYPED;
   const struct tpf_dim_info *dim =
      tpf_dim_info(tpf_bits(inst->controls, 11, 5));
   const enum glsl_base_type base = tpf_nir_texel_type(inst);
   const enum glsl_sampler_dim sd = (enum glsl_sampler_dim)dim->sampler_dim;

   struct tpf_nir_resource *r = uav ? &t->uav[n] : &t->resource[n];

   r->dcl = inst;
   r->is_range = inst->operand[0].num_range;
   r->var = uav ? opaque(t, nir_var_image,
                         glsl_image_type(sd, dim->is_array, base), inst,
                         TPF_BINDING_UAV)
                : opaque(t, nir_var_uniform,
                         glsl_texture_type(sd, dim->is_array, base), inst,
                         TPF_BINDING_RESOURCE);
}

static void
declare_buffer(struct tpf_nir *t, const struct tpf_inst *inst)
{
   const unsigned n = inst->operand[0].index[0].imm;
   const bool uav = inst->operand[0].file == TPF_FILE_U;
   struct tpf_nir_resource *r = uav ? &t->uav[n] : &t->resource[n];

   r->dcl = inst;
   r->stride_B = inst->num_imm ? inst->imm[0] : 0;
   r->is_range = inst->operand[0].num_range;
   r->var = storage_buffer(
      t, inst, uav ? TPF_BINDING_UAV : TPF_BINDING_RESOURCE, n, r->stride_B);
}

void
tpf_nir_declare_resource(struct tpf_nir *t, const struct tpf_inst *inst)
{
   const unsigned n = inst->operand[0].index[0].imm;

   switch (inst->op) {
   case TPF_OP_DCL_SAMPLER:
      t->sampler[n].dcl = inst;
      t->sampler[n].is_range = inst->operand[0].num_range;
      t->sampler[n].var = opaque(t, nir_var_uniform,
                                 tpf_bits(inst->controls, 11, 4) == 1
                                    ? glsl_bare_shadow_sampler_type()
                                    : glsl_bare_sampler_type(),
                                 inst, TPF_BINDING_SAMPLER);
      break;
   case TPF_OP_DCL_RESOURCE:
   case TPF_OP_DCL_UAV_TYPED: declare_typed(t, inst); break;
   case TPF_OP_DCL_TGSM_RAW:
   case TPF_OP_DCL_TGSM_STRUCTURED: declare_shared(t, inst); break;
   case TPF_OP_DCL_RESOURCE_RAW:
   case TPF_OP_DCL_RESOURCE_STRUCTURED:
   case TPF_OP_DCL_UAV_RAW:
   case TPF_OP_DCL_UAV_STRUCTURED: declare_buffer(t, inst); break;
   default: break;
   }
}

struct tpf_nir_resource *
tpf_nir_resource(struct tpf_nir *t, const struct tpf_operand *o)
{
   const unsigned n = o->index[0].imm;

   return o->file == TPF_FILE_T   ? &t->resource[n]
          : o->file == TPF_FILE_U ? &t->uav[n]
          : o->file == TPF_FILE_G ? &t->shared[n]
                                  : NULL;
}

static bool
is_image(const struct tpf_nir_resource *r)
{
   return r && r->var && r->var->data.mode == nir_var_image;
}

/* --- Dwords ------------------------------------------------------------- */

/* A buffer of dwords, or an error. */
static struct tpf_nir_resource *
buffer(struct tpf_nir *t, const struct tpf_operand *o)
{
   struct tpf_nir_resource *r = tpf_nir_resource(t, o);

   if (r && r->var &&
       (r->var->data.mode == nir_var_mem_ssbo ||
        r->var->data.mode == nir_var_mem_shared))
      return r;
   tpf_nir_fail(t, "%s%u is no raw or structured buffer",
                tpf_file_info(o->file)->text, o->index[0].imm);
   return NULL;
}

/* Where in a buffer: a dword of it, or of one of its structures. */
struct place {
   const struct tpf_nir_resource *r;
   nir_deref_instr *buffer;
   nir_value *index; /* NULL: raw */
   nir_value *at;
};

/* `add` dwords after the place; NULL: that is not in the structure. */
static nir_deref_instr *
dword(struct tpf_nir *t, const struct place *p, unsigned add)
{
   nir_builder *b = &t->b;
   nir_value *at = nir_iadd_imm(b, p->at, add);
   nir_deref_instr *d = p->buffer;

   if (p->index && nir_use_is_const(nir_use_of(at)) &&
       nir_use_as_uint(nir_use_of(at)) >= p->r->stride_B / 4)
      return NULL;
   if (nir_deref_mode_is(d, nir_var_mem_ssbo))
      d = nir_build_deref_struct(b, d, 0);
   if (p->index)
      d = nir_build_deref_array(b, d, p->index);
   return nir_build_deref_array(b, d, at);
}

/* Element `index` (NULL: raw), byte `offset` of what `o` names. */
static struct place
find_place(struct tpf_nir *t, const struct tpf_nir_resource *r,
           const struct tpf_operand *o, nir_value *index, nir_value *offset)
{
   nir_builder *b = &t->b;
   const bool shared = r->var->data.mode == nir_var_mem_shared;
   nir_value *at = nir_ushr_imm(b, offset, 2);

   if (!shared && !index)
      at = nir_umin(b, at, nir_imm_int(b, 0x3ffffffc));
   if (!shared && index)
      index = nir_umin(b, index,
                       nir_imm_int(b, (int)(0x100000000u / r->stride_B) - 1));
   return (struct place) { r, tpf_nir_object(t, r, o), index, at };
}

static nir_value *
load_dword(struct tpf_nir *t, const struct place *p, unsigned add)
{
   nir_deref_instr *d = dword(t, p, add);

   return d ? nir_load_deref(&t->b, d) : nir_imm_int(&t->b, 0);
}

/* Of the buffer at which operands 1 and, if it is structured, 2 point: index
 * and offset. False: it is of the other kind. */
static bool
memory_address(struct tpf_nir *t, const struct tpf_nir_resource *r,
               const struct tpf_operand *memory, bool structured,
               struct place *p)
{
   const struct tpf_operand *o = t->inst->operand;
   nir_value *index = NULL;

   if (structured != (r->stride_B != 0)) {
      tpf_nir_fail(t, "the buffer is not of this kind");
      return false;
   }
   if (structured)
      index = tpf_nir_scalar(t, &o[1], 'u');
   *p = find_place(t, r, memory, index,
                   tpf_nir_scalar(t, &o[structured ? 2 : 1], 'u'));
   return true;
}

/* ld_raw, ld_structured: what the swizzle of the resource asks for. */
static void
load(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   const struct tpf_inst *inst = t->inst;
   const bool structured = inst->op == TPF_OP_LD_STRUCTURED;
   const struct tpf_operand *dest = &inst->operand[0];
   const unsigned mask = tpf_nir_mask_of(dest);
   const struct tpf_operand *o = &inst->operand[structured ? 3 : 2];
   const struct tpf_nir_resource *r = buffer(t, o);
   nir_value *c[4], *found[4] = { NULL };
   struct place p;

   if (!r || !memory_address(t, r, o, structured, &p))
      return;
   for (unsigned i = 0; i < 4; i++) {
      const unsigned k = o->swizzle >> 2 * i & 3;
      if (!(mask >> i & 1)) {
         c[i] = nir_imm_int(b, 0);
         continue;
      }
      if (!found[k])
         found[k] = load_dword(t, &p, k);
      c[i] = found[k];
   }
   tpf_nir_write(t, dest, nir_vec(b, c, 4));
}

static void
store(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   const struct tpf_inst *inst = t->inst;
   const bool structured = inst->op == TPF_OP_STORE_STRUCTURED;
   const struct tpf_operand *o = &inst->operand[0];
   const struct tpf_nir_resource *r = buffer(t, o);
   struct place p;
   nir_value *value;

   if (!r || !memory_address(t, r, o, structured, &p))
      return;
   value = tpf_nir_src(t, &inst->operand[structured ? 3 : 2], 'b');
   for (unsigned i = 0; i < 4; i++) {
      if (!(o->mask >> i & 1))
         continue;
      nir_deref_instr *d = dword(t, &p, i);
      if (d)
         nir_store_deref(b, d, nir_channel(b, value, i), 1);
   }
   b->shader->info.writes_memory = true;
}

/* --- Images ------------------------------------------------------------- */

static void
set_image(nir_intrinsic_instr *intr, const nir_variable *var)
{
   const struct glsl_type *type = glsl_without_array(var->type);

   nir_intrinsic_set_image_dim(intr, glsl_get_sampler_dim(type));
   nir_intrinsic_set_image_array(intr, glsl_sampler_type_is_array(type));
   nir_intrinsic_set_format(intr, var->data.image.format);
   nir_intrinsic_set_access(intr, (enum gl_access_qualifier)0);
}

static nir_value *
image_op(struct tpf_nir *t, nir_intrinsic_op op, const nir_variable *var,
         unsigned components, nir_value **srcs)
{
   nir_intrinsic_instr *intr =
      nir_build_intrinsic_begin(&t->b, op, components, 32, srcs);

   const nir_alu_type texel =
      nir_type_of_glsl_base(glsl_without_array(var->type)->sampled_type);
   set_image(intr, var);
   if (op == nir_intrinsic_image_deref_load)
      nir_intrinsic_set_dest_type(intr, texel);
   else if (op == nir_intrinsic_image_deref_store)
      nir_intrinsic_set_src_type(intr, texel);
   nir_emit(&t->b, &intr->instr);
   return op == nir_intrinsic_image_deref_store ? NULL : &intr->instr.result;
}

static void
image_load(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   const struct tpf_operand *o = &t->inst->operand[2];
   const struct tpf_nir_resource *r = tpf_nir_resource(t, o);
   nir_value *v, *c[4];

   if (!is_image(r)) {
      tpf_nir_fail(t, "u%u is not typed", o->index[0].imm);
      return;
   }
   nir_value *srcs[] = {
      &tpf_nir_object(t, r, o)->instr.result,
      tpf_nir_src(t, &t->inst->operand[1], 'i'),
      nir_undef(b, 1, 32),
      nir_imm_int(b, 0),
   };
   v = image_op(t, nir_intrinsic_image_deref_load, r->var, 4, srcs);
   for (unsigned i = 0; i < 4; i++)
      c[i] = nir_channel(b, v, o->swizzle >> 2 * i & 3);
   tpf_nir_write(t, &t->inst->operand[0], nir_vec(b, c, 4));
}

static void
image_store(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   const struct tpf_operand *o = &t->inst->operand[0];
   const struct tpf_nir_resource *r = tpf_nir_resource(t, o);

   if (!is_image(r)) {
      tpf_nir_fail(t, "u%u is not typed", o->index[0].imm);
      return;
   }
   nir_value *srcs[] = {
      &tpf_nir_object(t, r, o)->instr.result,
      tpf_nir_src(t, &t->inst->operand[1], 'i'),
      nir_undef(b, 1, 32),
      tpf_nir_src(t, &t->inst->operand[2], 'b'),
      nir_imm_int(b, 0),
   };
   image_op(t, nir_intrinsic_image_deref_store, r->var, 4, srcs);
   b->shader->info.writes_memory = true;
}

nir_value *
tpf_nir_image_size(struct tpf_nir *t, const struct tpf_operand *o)
{
   const struct tpf_nir_resource *r = tpf_nir_resource(t, o);
   nir_value *srcs[] = { &tpf_nir_object(t, r, o)->instr.result,
                         nir_imm_int(&t->b, 0) };

   return image_op(t, nir_intrinsic_image_deref_size, r->var,
                   tpf_dim_info(tpf_bits(r->dcl->controls, 11, 5))->coords,
                   srcs);
}

bool
tpf_nir_is_image(struct tpf_nir *t, const struct tpf_operand *o)
{
   return is_image(tpf_nir_resource(t, o));
}

/* --- Atomics ------------------------------------------------------------ */

static const struct {
   enum tpf_op op, imm_op;
   nir_intrinsic_op deref, image;
} atomics[] = {
#define ROW(op, imm, nir)                                                    \
   {                                                                         \
      TPF_OP_##op, TPF_OP_##imm, nir_intrinsic_deref_atomic_##nir,           \
         nir_intrinsic_image_deref_atomic_##nir                              \
   }
   ROW(ATOMIC_AND, IMM_ATOMIC_AND, and),
   ROW(ATOMIC_OR, IMM_ATOMIC_OR, or),
   ROW(ATOMIC_XOR, IMM_ATOMIC_XOR, xor),
   ROW(ATOMIC_CMP_STORE, IMM_ATOMIC_CMP_EXCH, comp_swap),
   ROW(ATOMIC_IADD, IMM_ATOMIC_IADD, add),
   ROW(ATOMIC_IMAX, IMM_ATOMIC_IMAX, imax),
   ROW(ATOMIC_IMIN, IMM_ATOMIC_IMIN, imin),
   ROW(ATOMIC_UMAX, IMM_ATOMIC_UMAX, umax),
   ROW(ATOMIC_UMIN, IMM_ATOMIC_UMIN, umin),
   ROW(IMM_ATOMIC_EXCH, IMM_ATOMIC_EXCH, exchange),
#undef ROW
};

static nir_value *
deref_atomic(struct tpf_nir *t, nir_intrinsic_op op, const struct place *p,
             nir_value **data, unsigned n)
{
   nir_deref_instr *d = dword(t, p, 0);
   nir_value *srcs[3];
   nir_intrinsic_instr *intr;

   if (!d)
      return nir_imm_int(&t->b, 0);
   srcs[0] = &d->instr.result;
   for (unsigned i = 0; i < n; i++)
      srcs[1 + i] = data[i];
   intr = nir_build_intrinsic_begin(&t->b, op, 1, 32, srcs);
   if (nir_deref_mode_is(d, nir_var_mem_ssbo))
      nir_intrinsic_set_access(intr, ACCESS_COHERENT);
   nir_emit(&t->b, &intr->instr);
   t->b.shader->info.writes_memory = true;
   return &intr->instr.result;
}

static nir_value *
atomic_result(struct tpf_nir *t, unsigned row, const struct tpf_operand *o,
              nir_value *address, nir_value **data, unsigned n)
{
   nir_builder *b = &t->b;
   const struct tpf_nir_resource *r = tpf_nir_resource(t, o);

   if (is_image(r)) {
      nir_value *srcs[] = { &tpf_nir_object(t, r, o)->instr.result, address,
                            nir_undef(b, 1, 32), data[0],
                            n > 1 ? data[1] : NULL };
      b->shader->info.writes_memory = true;
      return image_op(t, atomics[row].image, r->var, 1, srcs);
   }
   r = buffer(t, o);
   if (!r)
      return NULL;
   /* Structures take element and offset from one operand. */
   nir_value *x = nir_channel(b, address, 0);
   const struct place p =
      r->stride_B ? find_place(t, r, o, x, nir_channel(b, address, 1))
                  : find_place(t, r, o, NULL, x);
   return deref_atomic(t, atomics[row].deref, &p, data, n);
}

static bool
atomic(struct tpf_nir *t)
{
   const struct tpf_inst *inst = t->inst;

   for (unsigned i = 0; i < ARRAY_SIZE(atomics); i++) {
      const bool imm = inst->op == atomics[i].imm_op;
      nir_value *data[2] = { 0 }, *address, *v;
      unsigned n = 0;
      if (!imm && inst->op != atomics[i].op)
         continue;
      const struct tpf_operand *o = &inst->operand[imm];
      address = tpf_nir_src(t, o + 1, 'u');
      for (const struct tpf_operand *s = o + 2;
           s < inst->operand + inst->num_operands; s++)
         data[n++] = tpf_nir_scalar(t, s, 'u');
      v = atomic_result(t, i, o, address, data, n);
      if (v && imm)
         tpf_nir_write(t, &inst->operand[0], nir_vec4(&t->b, v, v, v, v));
      return true;
   }
   return false;
}

/* The counter of a structured buffer: one up, or one down first. */
static void
counter(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   const bool alloc = t->inst->op == TPF_OP_IMM_ATOMIC_ALLOC;
   const unsigned n = t->inst->operand[1].index[0].imm;
   nir_value *step = nir_imm_int(b, alloc ? 1 : -1), *v;

   if (t->inst->operand[1].file != TPF_FILE_U || !t->uav[n].stride_B) {
      tpf_nir_fail(t, "a counter of what is no structured UAV");
      return;
   }
   if (!t->counter[n].var) {
      t->counter[n] = t->uav[n];
      t->counter[n].var =
         storage_buffer(t, t->uav[n].dcl, TPF_BINDING_COUNTER, n, 0);
   }
   const struct place p = {
      .r = &t->counter[n],
      .buffer = tpf_nir_object(t, &t->counter[n], &t->inst->operand[1]),
      .at = nir_imm_int(b, 0),
   };
   v = deref_atomic(t, nir_intrinsic_deref_atomic_add, &p, &step, 1);
   if (!alloc)
      v = nir_iadd_imm(b, v, (uint64_t)-1);
   tpf_nir_write(t, &t->inst->operand[0], nir_vec4(b, v, v, v, v));
}

/* --- Barriers and sizes ------------------------------------------------- */

static void
sync(struct tpf_nir *t)
{
   const uint32_t c = t->inst->controls;
   const bool threads = tpf_bits(c, 11, 1), group = tpf_bits(c, 13, 1);
   const bool global = tpf_bits(c, 14, 1);
   nir_variable_mode modes = tpf_bits(c, 12, 1) ? nir_var_mem_shared : 0;

   if (group || global)
      modes |= nir_var_mem_ssbo | nir_var_image;
   if (threads)
      t->b.shader->info.uses_control_barrier = true;
   nir_scoped_barrier(&t->b,
                      .execution_scope = threads ? NIR_SCOPE_WORKGROUP
                                                 : NIR_SCOPE_NONE,
                      .memory_scope = !modes   ? NIR_SCOPE_NONE
                                      : global ? NIR_SCOPE_DEVICE
                                               : NIR_SCOPE_WORKGROUP,
                      .memory_semantics = modes ? NIR_MEMORY_ACQ_REL : 0,
                      .memory_modes = modes);
}

/* Elements of a structured or typed buffer, bytes of a raw one. */
static void
bufinfo(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   const struct tpf_operand *o = &t->inst->operand[1];
   const struct tpf_nir_resource *r = tpf_nir_resource(t, o);
   nir_value *v;

   if (r && r->var && r->var->data.mode == nir_var_mem_ssbo) {
      nir_deref_instr *d =
         nir_build_deref_struct(b, tpf_nir_object(t, r, o), 0);
      v = nir_deref_buffer_array_length(b, &d->instr.result);
      if (!r->stride_B)
         v = nir_ishl_imm(b, v, 2);
   } else if (is_image(r)) {
      v = tpf_nir_image_size(t, o);
   } else {
      v = tpf_nir_texture_size(t, o, NULL);
   }
   if (!v)
      return;
   v = nir_channel(b, v, 0);
   tpf_nir_write(t, &t->inst->operand[0], nir_vec4(b, v, v, v, v));
}

bool
tpf_nir_mem(struct tpf_nir *t)
{
   switch (t->inst->op) {
   case TPF_OP_LD_RAW:
   case TPF_OP_LD_STRUCTURED: load(t); return true;
   case TPF_OP_STORE_RAW:
   case TPF_OP_STORE_STRUCTURED: store(t); return true;
   case TPF_OP_LD_UAV_TYPED: image_load(t); return true;
   case TPF_OP_STORE_UAV_TYPED: image_store(t); return true;
   case TPF_OP_IMM_ATOMIC_ALLOC:
   case TPF_OP_IMM_ATOMIC_CONSUME: counter(t); return true;
   case TPF_OP_SYNC: sync(t); return true;
   case TPF_OP_BUFINFO: bufinfo(t); return true;
   default: return atomic(t);
   }
}
