/* SPDX-License-Identifier: MIT */
/* Arguments, pointers and modes of kernels: see spirv_kernel.h. */
#include "compiler/spirv/kernel/spirv_kernel.h"

static const char *
here(const struct spv *s)
{
   return spirv_opcode_name(spv_opcode(s->cur));
}

bool
spv_kernel_capability(uint32_t capability)
{
   switch (capability) {
   case SpvCapabilityKernel:
   case SpvCapabilityAddresses:
   case SpvCapabilityLinkage:
   case SpvCapabilityInt8:
   case SpvCapabilityInt16:
   case SpvCapabilityInt64:
   case SpvCapabilityFloat16:
   case SpvCapabilityFloat16Buffer:
   case SpvCapabilityFloat64:
   /* Types that it brings are refused where they stand. */
   case SpvCapabilityVector16: return true;
   default: return false;
   }
}

/* --- Arguments ---------------------------------------------------------- */

/* OpenCL C, 6.1.5: a vector is aligned to its size, three count as four. */
static void
size_align(const struct glsl_type *t, unsigned *size, unsigned *align)
{
   glsl_get_natural_size_align_bytes(t, size, align);
   if (glsl_type_is_vector(t)) {
      const unsigned n = glsl_get_vector_elements(t);
      *size = glsl_get_bit_size(t) / 8 * (n == 3 ? 4 : n);
      *align = *size;
   }
}

static const struct glsl_type *
in_memory(const struct glsl_type *t, unsigned *size, unsigned *align)
{
   return glsl_get_explicit_type_for_size_align(t, size_align, size, align);
}

static struct spv_type *
runtime_array_block(struct spv *s, struct spv_type *element)
{
   struct spv_type *array = arena_new(s->arena, struct spv_type);
   struct spv_type *block = arena_new(s->arena, struct spv_type);
   struct glsl_struct_field field = { GLSL_STRUCT_FIELD_DEFAULT };
   unsigned size, align;
   const struct glsl_type *t = in_memory(element->glsl, &size, &align);

   array->base = SPV_ARRAY;
   array->elem = element;
   array->leaves = element->leaves;
   array->array_stride = ALIGN(size, align);
   array->glsl = glsl_array_type(t, 0, array->array_stride);
   block->base = SPV_STRUCT;
   block->length = 1;
   block->leaves = array->leaves;
   block->members = arena_memdup(s->arena, &array, sizeof(array));
   block->decor = arena_new(s->arena, struct spv_decor);
   spv_init_decor(block->decor);
   field.type = array->glsl;
   field.name = "data";
   field.offset = 0;
   block->glsl = glsl_interface_type(&field, 1, GLSL_INTERFACE_PACKING_STD430,
                                     false,
                                     spv_type_name(s, element->id, "buffer"));
   return block;
}

/* A pointer to the first element of a buffer of its own. */
static struct spv_pointer *
buffer_argument(struct spv *s, struct spv_type *type, uint32_t id,
                unsigned binding)
{
   static const struct spv_link first[2];
   struct spv_variable *v = arena_new(s->arena, struct spv_variable);
   struct spv_pointer *p = arena_new(s->arena, struct spv_pointer);
   const char *name = s->values[id].name;

   if (!type->elem->glsl || glsl_type_contains_opaque(type->elem->glsl))
      spv_unsupported(s, "a kernel's argument that points to no numbers");
   spv_check_composite_size(s, type->elem);
   v->type = runtime_array_block(s, type->elem);
   v->storage = type->storage;
   v->id = id;
   spv_init_decor(&v->decor);
   v->var = nir_new_variable(s->shader, nir_var_mem_ssbo, v->type->glsl,
                             name ? name
                                  : arena_printf(s->arena, "arg%u", binding));
   v->var->data.binding = binding;
   v->var->data.explicit_binding = true;
   v->var->interface_type = v->type->glsl;
   if (type->storage == SpvStorageClassUniformConstant)
      v->var->data.access = ACCESS_NON_WRITEABLE;
   p->var = v;
   p->type = v->type;
   return spv_extend(s, p, type->elem, first, 2);
}

static void
bind_value(struct spv *s, uint32_t id, struct spv_type *type,
           nir_deref_instr *block, unsigned member)
{
   nir_deref_instr *d = nir_build_deref_struct(&s->nb, block, member);

   spv_set_def(s, type, id, nir_load_deref(&s->nb, d));
}

static bool
is_buffer(const struct spv_type *t)
{
   return t->base == SPV_POINTER &&
          (t->storage == SpvStorageClassCrossWorkgroup ||
           t->storage == SpvStorageClassUniformConstant);
}

static void
check_argument(struct spv *s, const struct spv_type *t, unsigned i)
{
   if (t->base == SPV_POINTER && !is_buffer(t))
      spv_unsupported(
         s,
         "argument %u of the kernel is a pointer of class "
         "%s",
         i, spirv_enumerant_name(spirv_enum_StorageClass, t->storage));
   if (t->base != SPV_POINTER && !spv_type_is_number(spv_scalar(t)))
      spv_unsupported(s,
                      "argument %u of the kernel is neither number nor "
                      "pointer",
                      i);
}

/* Values: fields of one block of push constants. */
static nir_variable *
declare_values(struct spv *s, const struct spv_function *f, unsigned n)
{
   struct glsl_struct_field *fields =
      arena_new_array(s->arena, struct glsl_struct_field, n);
   unsigned offset = 0, k = 0;

   for (unsigned i = 0; i < f->num_params; i++) {
      const struct spv_type *t = f->type->members[i];
      unsigned size, align;
      if (is_buffer(t))
         continue;
      fields[k] = (struct glsl_struct_field) { GLSL_STRUCT_FIELD_DEFAULT };
      fields[k].type = in_memory(t->glsl, &size, &align);
      offset = ALIGN(offset, align);
      fields[k].offset = (int)offset;
      fields[k++].name = arena_printf(s->arena, "arg%u", i);
      offset += size;
   }
   return nir_new_variable(
      s->shader, nir_var_mem_push_const,
      glsl_interface_type(fields, n, GLSL_INTERFACE_PACKING_STD430, false,
                          spv_type_name(s, f->id, "arguments")),
      "arguments");
}

void
spv_kernel_arguments(struct spv *s, const struct spv_function *f)
{
   nir_deref_instr *values = NULL;
   unsigned n = 0;

   for (unsigned i = 0; i < f->num_params; i++) {
      check_argument(s, f->type->members[i], i);
      n += !is_buffer(f->type->members[i]);
   }
   if (n)
      values = nir_deref_to(&s->nb, declare_values(s, f, n));
   n = 0;
   for (unsigned i = 0; i < f->num_params; i++) {
      struct spv_type *t = f->type->members[i];
      if (is_buffer(t))
         spv_define(s, f->params[i], SPV_VALUE_POINTER, t)->pointer =
            buffer_argument(s, t, f->params[i], i);
      else
         bind_value(s, f->params[i], t, values, n++);
   }
}

/* --- Modes -------------------------------------------------------------- */

bool
spv_kernel_execution_mode(struct spv *s, const uint32_t *w)
{
   switch (w[2]) {
   case SpvExecutionModeContractionOff: s->no_contraction = true; return true;
   case SpvExecutionModeVecTypeHint:
   case SpvExecutionModeLocalSizeHint: return true;
   default: return false;
   }
}

void
spv_kernel_defaults(struct spv *s)
{
   struct shader_info *info = &s->shader->info;

   if (info->workgroup_size[0])
      return;
   info->workgroup_size[0] = 16;
   info->workgroup_size[1] = info->workgroup_size[2] = 1;
}

/* --- Pointers ----------------------------------------------------------- */

static bool
is_zero(struct spv *s, uint32_t id)
{
   const struct spv_value *v = spv_untyped_value(s, id);

   return v->kind == SPV_VALUE_CONSTANT && v->type->base == SPV_INT &&
          v->constant->bits[0] == 0;
}

static nir_value *
index_def(struct spv *s, uint32_t id)
{
   const struct spv_type *t = spv_value_type(s, id);
   nir_value *def;

   spv_check(s, t->base == SPV_INT, "%s: index %u is no integer (3.49.8)",
             here(s), id);
   def = spv_get_def(s, id);
   /* Offsets may be negative, whatever the type says. */
   return def->bit_size == 32 ? def : nir_i2i32(&s->nb, def);
}

/* The pointer `element` further on in the array that it points into. */
static struct spv_pointer *
advance(struct spv *s, struct spv_pointer *p, uint32_t element)
{
   struct spv_pointer *r;
   struct spv_link *last;
   const struct spv_type *t = p->var->type;

   if (is_zero(s, element))
      return p;
   for (unsigned i = 0; i + 1 < p->length; i++)
      t = t->base == SPV_STRUCT ? t->members[p->chain[i].literal] : t->elem;
   if (!p->length || t->base != SPV_ARRAY)
      spv_unsupported(s,
                      "%s: arithmetic on a pointer to what is no element "
                      "of an array",
                      here(s));
   r = spv_extend(s, p, p->type, NULL, 0);
   last = &r->chain[r->length - 1];
   if (last->index)
      last->index = nir_iadd(&s->nb, last->index, index_def(s, element));
   else if (last->literal)
      last->index =
         nir_iadd_imm(&s->nb, index_def(s, element), last->literal);
   else
      last->index = index_def(s, element);
   last->literal = 0;
   return r;
}

/* A cast names the same memory; only what looks at none of it may use the
 * result, which loads and stores see by its type. */
static void
cast(struct spv *s, const uint32_t *w, struct spv_type *t)
{
   struct spv_pointer *p = spv_get_pointer(s, w[3]);

   if (t->base != SPV_POINTER || t->storage != p->var->storage)
      spv_unsupported(s,
                      "%s: a pointer as a number, or in another storage "
                      "class",
                      here(s));
   spv_define(s, w[2], SPV_VALUE_POINTER, t)->pointer = p;
}

static bool
is_pointer(const struct spv *s, uint32_t id)
{
   return s->values[id].kind == SPV_VALUE_POINTER;
}

bool
spv_handle_kernel(struct spv *s, const uint32_t *w)
{
   if (!s->kernel)
      return false;
   switch (spv_opcode(w)) {
   case SpvOpPtrAccessChain:
   case SpvOpInBoundsPtrAccessChain:
      spv_access_chain(s, w, advance(s, spv_get_pointer(s, w[3]), w[4]), 5);
      return true;
   case SpvOpBitcast:
      if (!is_pointer(s, w[3]))
         return false;
      cast(s, w, spv_get_type(s, w[1]));
      return true;
   case SpvOpLifetimeStart:
   case SpvOpLifetimeStop: spv_get_pointer(s, w[1]); return true;
   default: return false;
   }
}
