/* SPDX-License-Identifier: MIT */
/* OpType*: spv_type and the glsl_type that NIR's variables carry. */
#include <stdio.h>
#include "compiler/spirv/spirv_private.h"

bool
spv_type_is_number(const struct spv_type *t)
{
   return t->base == SPV_INT || t->base == SPV_FLOAT;
}

const struct spv_type *
spv_scalar(const struct spv_type *t)
{
   return t->base == SPV_VECTOR ? t->elem : t;
}

unsigned
spv_components(const struct spv_type *t)
{
   return t->base == SPV_VECTOR ? t->length : 1;
}

/* Types but for aggregates are unique in a valid module (2.8); layout may
 * make two of the same shape, which OpCopyLogical and our lax comparison of
 * values allow for. */
bool
spv_same_type(const struct spv_type *a, const struct spv_type *b)
{
   if (a == b)
      return true;
   if (a->base != b->base || a->length != b->length || a->bits != b->bits ||
       a->is_signed != b->is_signed || a->leaves != b->leaves)
      return false;
   /* Bounds the recursion, too: no value is that large. */
   if (a->leaves > SPV_MAX_LEAVES)
      return false;
   switch (a->base) {
   case SPV_VOID:
   case SPV_BOOL:
   case SPV_INT:
   case SPV_FLOAT:
   case SPV_SAMPLER: return true;
   case SPV_VECTOR:
   case SPV_MATRIX:
   case SPV_ARRAY: return spv_same_type(a->elem, b->elem);
   case SPV_STRUCT:
      for (unsigned i = 0; i < a->length; i++) {
         if (!spv_same_type(a->members[i], b->members[i]))
            return false;
      }
      return true;
   case SPV_POINTER:
      if (a->storage != b->storage)
         return false;
      /* A struct may have pointers to itself. */
      if (spv_is_address(a) && a->elem->base == SPV_STRUCT)
         return a->elem->id == b->elem->id;
      return spv_same_type(a->elem, b->elem);
   case SPV_IMAGE: return a->glsl == b->glsl;
   case SPV_SAMPLED_IMAGE: return spv_same_type(a->elem, b->elem);
   case SPV_FUNCTION: return false;
   }
   unreachable("enum spv_base");
}

void
spv_check_composite_size(struct spv *s, const struct spv_type *t)
{
   if (t->leaves > SPV_MAX_LEAVES)
      spv_unsupported(s, "a value or variable of more than %u scalars",
                      SPV_MAX_LEAVES);
}

static unsigned
mul_sat(unsigned a, unsigned b)
{
   const uint64_t p = (uint64_t)a * b;
   return p > UINT32_MAX ? UINT32_MAX : (unsigned)p;
}

/* Structs of structs may have more parts than there are atoms. */
static void
add_parts(struct spv *s, struct spv_type *t, const struct spv_type *inner)
{
   t->parts += MAX2(inner->parts, 1u);
   if (t->parts > SPV_MAX_PARTS)
      spv_unsupported(s, "a type of more than %u parts", SPV_MAX_PARTS);
}

static void
set_depth(struct spv *s, struct spv_type *t, const struct spv_type *inner)
{
   t->depth = MAX2(t->depth, inner->depth + 1);
   if (t->depth > SPV_MAX_TYPE_DEPTH)
      spv_unsupported(s, "types nested more than %u deep",
                      SPV_MAX_TYPE_DEPTH);
}

static const struct glsl_type *
scalar_glsl_type(const struct spv_type *t)
{
   if (t->base == SPV_BOOL)
      return glsl_bool_type();
   if (t->base == SPV_FLOAT)
      return glsl_floatN_t_type(t->bits);
   return t->is_signed ? glsl_intN_t_type(t->bits)
                       : glsl_uintN_t_type(t->bits);
}

static void
type_scalar(struct spv *s, struct spv_type *t, const uint32_t *w)
{
   switch (spv_opcode(w)) {
   case SpvOpTypeBool:
      t->base = SPV_BOOL;
      t->bits = 1;
      break;
   case SpvOpTypeInt:
      t->base = SPV_INT;
      t->bits = w[2];
      t->is_signed = w[3] != 0;
      spv_check(s, w[3] <= 1, "OpTypeInt: signedness %u", w[3]);
      if (w[2] == 1) {
         /* So zink of Mesa 22.3.6 calls a condition that it has loaded from
          * an array of a program's own. */
         t->base = SPV_BOOL;
         break;
      }
      if (w[2] != 8 && w[2] != 16 && w[2] != 32 && w[2] != 64)
         spv_unsupported(s, "integers of %u bits", w[2]);
      break;
   default:
      t->base = SPV_FLOAT;
      t->bits = w[2];
      if (w[2] != 16 && w[2] != 32 && w[2] != 64)
         spv_unsupported(s, "floats of %u bits", w[2]);
      break;
   }
   t->length = 1;
   t->leaves = 1;
   t->glsl = scalar_glsl_type(t);
}

static void
type_vector(struct spv *s, struct spv_type *t, const uint32_t *w)
{
   struct spv_type *c = spv_get_type(s, w[2]);

   spv_check(s, spv_type_is_number(c) || c->base == SPV_BOOL,
             "OpTypeVector: the component is no scalar (2.16.1)");
   if (s->kernel && (w[3] == 8 || w[3] == 16))
      spv_unsupported(s, "vectors of %u components", w[3]);
   spv_check(s, w[3] >= 2 && w[3] <= 4,
             "OpTypeVector: %u components (2.16.1)", w[3]);
   t->base = SPV_VECTOR;
   t->elem = c;
   t->bits = c->bits;
   t->is_signed = c->is_signed;
   t->length = t->leaves = w[3];
   t->glsl = glsl_vector_type(c->glsl->base_type, w[3]);
}

static void
type_matrix(struct spv *s, struct spv_type *t, const uint32_t *w)
{
   struct spv_type *c = spv_get_type(s, w[2]);

   spv_check(s, c->base == SPV_VECTOR && c->elem->base == SPV_FLOAT,
             "OpTypeMatrix: the column is no vector of floats (2.16.1)");
   spv_check(s, w[3] >= 2 && w[3] <= 4, "OpTypeMatrix: %u columns (2.16.1)",
             w[3]);
   t->base = SPV_MATRIX;
   t->elem = c;
   t->bits = c->bits;
   t->length = w[3];
   t->leaves = c->length * w[3];
   t->glsl = glsl_matrix_type(c->glsl->base_type, c->length, w[3]);
}

static void
type_array(struct spv *s, struct spv_type *t, const uint32_t *w)
{
   struct spv_type *e = spv_get_type(s, w[2]);
   struct spv_decor d;

   if (s->kernel && e->base == SPV_POINTER)
      spv_unsupported(s, "an array of pointers");
   spv_check(s, e->glsl && e->base != SPV_FUNCTION,
             "%s: void, pointer or function elements (2.16.1)",
             spirv_opcode_name(spv_opcode(w)));
   spv_check(s, e->base != SPV_ARRAY || e->length,
             "%s: the element is a run-time array (2.16.1)",
             spirv_opcode_name(spv_opcode(w)));
   t->base = SPV_ARRAY;
   t->elem = e;
   if (spv_opcode(w) == SpvOpTypeArray) {
      const uint64_t n = spv_const_uint(s, w[3]);
      spv_check(s, n > 0, "OpTypeArray: the length is 0 (3.49.6)");
      if (n > INT32_MAX)
         spv_unsupported(s, "an array of that many elements");
      t->length = (unsigned)n;
   }
   set_depth(s, t, e);
   add_parts(s, t, e);
   t->leaves = mul_sat(MAX2(t->length, 1), e->leaves);
   spv_init_decor(&d);
   spv_apply_decorations(s, &d, s->values[t->id].decorations, -1);
   t->array_stride = d.array_stride;
   t->glsl = glsl_array_type(e->glsl, t->length, t->array_stride);
}

/* The type of a member with the layout that the member's decorations give
 * to the matrix inside of it. */
static struct spv_type *
laid_out_matrix(struct spv *s, struct spv_type *t, const struct spv_decor *d)
{
   struct spv_type *copy;

   if (t->base == SPV_MATRIX) {
      copy = arena_memdup(s->arena, t, sizeof(*t));
      copy->glsl =
         glsl_explicit_matrix_type(t->glsl, d->matrix_stride, d->row_major);
      return copy;
   }
   if (t->base == SPV_ARRAY) {
      struct spv_type *e = laid_out_matrix(s, t->elem, d);
      if (e == t->elem)
         return t;
      copy = arena_memdup(s->arena, t, sizeof(*t));
      copy->elem = e;
      copy->glsl = glsl_array_type(e->glsl, t->length, t->array_stride);
      return copy;
   }
   return t;
}

static void
fill_field(struct glsl_struct_field *f, const struct spv_type *m,
           const struct spv_decor *d, const char *name)
{
   *f = (struct glsl_struct_field) {
      .type = m->glsl,
      .name = name,
      .location = d->location,
      .component = d->component,
      .offset = d->offset,
      .xfb_buffer = -1,
      .xfb_offset = -1,
      .interpolation = d->interp,
      .centroid = d->centroid,
      .sample = d->sample,
      .patch = d->patch,
      .matrix_layout = d->matrix_stride == 0 ? GLSL_MATRIX_LAYOUT_INHERITED
                       : d->row_major        ? GLSL_MATRIX_LAYOUT_ROW_MAJOR
                                      : GLSL_MATRIX_LAYOUT_COLUMN_MAJOR,
   };
}

static void
type_struct(struct spv *s, struct spv_type *t, const uint32_t *w)
{
   const unsigned n = spv_count(w) - 2;
   const struct spv_decoration *list = s->values[t->id].decorations;
   struct glsl_struct_field *fields =
      arena_new_array(s->arena, struct glsl_struct_field, n);
   const char **names, *name;
   struct spv_decor own;

   t->base = SPV_STRUCT;
   t->length = n;
   t->members = arena_new_array(s->arena, struct spv_type *, n);
   t->decor = arena_new_array(s->arena, struct spv_decor, n);
   names = spv_member_names(s, t->id, n);
   for (const struct spv_decoration *d = list; d; d = d->next)
      spv_check(s, d->member < (int)n, "member %d of a struct of %u (2.17)",
                d->member, n);
   for (unsigned i = 0; i < n; i++) {
      struct spv_type *m = spv_get_type(s, w[2 + i]);
      if (s->kernel && m->base == SPV_POINTER)
         spv_unsupported(s, "a struct with pointers");
      spv_check(s, m->glsl && m->base != SPV_FUNCTION,
                "OpTypeStruct: member %u is void, pointer or function "
                "(2.16.1)",
                i);
      spv_check(s, m->base != SPV_ARRAY || m->length || i == n - 1,
                "OpTypeStruct: a run-time array is not last (2.16.1)");
      spv_init_decor(&t->decor[i]);
      spv_apply_decorations(s, &t->decor[i], list, (int)i);
      if (t->decor[i].matrix_stride)
         m = laid_out_matrix(s, m, &t->decor[i]);
      t->members[i] = m;
      set_depth(s, t, m);
      add_parts(s, t, m);
      t->leaves = t->leaves + m->leaves < t->leaves ? UINT32_MAX
                                                    : t->leaves + m->leaves;
      fill_field(&fields[i], m, &t->decor[i], names[i]);
   }
   /* One without members takes its place in arrays all the same. */
   t->leaves = MAX2(t->leaves, 1u);
   spv_init_decor(&own);
   spv_apply_decorations(s, &own, list, -1);
   t->block = own.block;
   t->buffer_block = own.buffer_block;
   name = spv_type_name(s, t->id,
                        own.block || own.buffer_block ? "block" : "struct");
   if (own.block || own.buffer_block)
      t->glsl = glsl_interface_type(fields, n, GLSL_INTERFACE_PACKING_STD430,
                                    false, name);
   else
      t->glsl = glsl_struct_type(fields, n, name, false);
}

static enum glsl_sampler_dim
image_dim(struct spv *s, const struct spv_type *t)
{
   switch (t->image.dim) {
   case SpvDim1D: return GLSL_SAMPLER_DIM_1D;
   case SpvDim2D:
   case SpvDimSubpassData:
      return t->image.ms ? GLSL_SAMPLER_DIM_MS : GLSL_SAMPLER_DIM_2D;
   case SpvDim3D: return GLSL_SAMPLER_DIM_3D;
   case SpvDimCube: return GLSL_SAMPLER_DIM_CUBE;
   case SpvDimRect: return GLSL_SAMPLER_DIM_RECT;
   case SpvDimBuffer: return GLSL_SAMPLER_DIM_BUF;
   default:
      spv_unsupported(s, "images of dimension %s",
                      spirv_enumerant_name(spirv_enum_Dim, t->image.dim));
   }
}

static void
type_image(struct spv *s, struct spv_type *t, const uint32_t *w)
{
   struct spv_type *c = spv_get_type(s, w[2]);
   const enum glsl_base_type result = c->glsl ? c->glsl->base_type
                                              : GLSL_TYPE_FLOAT;

   spv_check(s, spv_type_is_number(c) || c->base == SPV_VOID,
             "OpTypeImage: the sampled type is no scalar (3.49.6)");
   if (c->base == SPV_VOID)
      spv_unsupported(s, "images of sampled type void");
   if (c->bits != 32 && c->bits != 64)
      spv_unsupported(s, "images of %u-bit components", c->bits);
   spv_check(s, w[4] <= 2 && w[5] <= 1 && w[6] <= 1 && w[7] <= 2,
             "OpTypeImage: an operand is out of range (3.49.6)");
   if (w[7] == 0)
      spv_unsupported(s, "images that are only known at run time to be "
                         "sampled");
   t->base = SPV_IMAGE;
   t->elem = c;
   t->leaves = 1;
   t->image.dim = w[3];
   t->image.depth = w[4];
   t->image.arrayed = w[5];
   t->image.ms = w[6];
   t->image.sampled = w[7];
   t->image.format = w[8];
   t->image.glsl_dim = image_dim(s, t);
   spv_check(s,
             !t->image.ms || t->image.dim == SpvDim2D ||
                t->image.dim == SpvDimSubpassData,
             "OpTypeImage: multisampled and not 2D (3.49.6)");
   spv_check(s,
             !t->image.arrayed || t->image.dim == SpvDim1D ||
                t->image.dim == SpvDim2D || t->image.dim == SpvDimCube,
             "OpTypeImage: no arrays of that dimension (3.49.6)");
   if (w[3] == SpvDimSubpassData) {
      spv_check(s,
                w[7] == 2 && w[8] == SpvImageFormatUnknown && !w[5] &&
                   s->stage == MESA_SHADER_FRAGMENT,
                "OpTypeImage: SubpassData is for input attachments of "
                "fragment shaders (3.49.6)");
      /* A texture with as many layers as the framebuffer. */
      t->glsl = glsl_texture_type(t->image.glsl_dim, true, result);
   } else if (w[7] == 2)
      t->glsl = glsl_image_type(t->image.glsl_dim, t->image.arrayed, result);
   else
      t->glsl =
         glsl_texture_type(t->image.glsl_dim, t->image.arrayed, result);
}

static void
type_sampled_image(struct spv *s, struct spv_type *t, const uint32_t *w)
{
   struct spv_type *i = spv_get_type(s, w[2]);

   spv_check(s, i->base == SPV_IMAGE && i->image.sampled == 1,
             "OpTypeSampledImage: not of a sampled image (3.49.6)");
   t->base = SPV_SAMPLED_IMAGE;
   t->elem = i;
   t->leaves = 1;
   t->glsl = glsl_sampler_type(i->image.glsl_dim, i->image.depth == 1,
                               i->image.arrayed, i->elem->glsl->base_type);
}

static void
type_function(struct spv *s, struct spv_type *t, const uint32_t *w)
{
   t->base = SPV_FUNCTION;
   t->elem = spv_get_type(s, w[2]);
   t->length = spv_count(w) - 3;
   t->members = arena_new_array(s->arena, struct spv_type *, t->length);
   for (unsigned i = 0; i < t->length; i++) {
      t->members[i] = spv_get_type(s, w[3 + i]);
      spv_check(s,
                t->members[i]->base != SPV_VOID &&
                   t->members[i]->base != SPV_FUNCTION,
                "OpTypeFunction: a parameter is void (3.49.6)");
   }
}

static void
type_physical_pointer(struct spv *s, struct spv_type *t)
{
   struct spv_decor d;

   spv_init_decor(&d);
   spv_apply_decorations(s, &d, s->values[t->id].decorations, -1);
   t->base = SPV_POINTER;
   t->storage = SpvStorageClassPhysicalStorageBuffer;
   t->bits = 64;
   t->length = t->leaves = 1;
   t->array_stride = d.array_stride;
   t->glsl = glsl_uint64_t_type();
}

/* The id is used before the type that it points to is known. */
static void
forward_pointer(struct spv *s, const uint32_t *w)
{
   struct spv_type *t;

   if (w[2] != SpvStorageClassPhysicalStorageBuffer)
      spv_unsupported(s, "OpTypeForwardPointer of class %s",
                      spirv_enumerant_name(spirv_enum_StorageClass, w[2]));
   spv_check(s, s->values[w[1]].kind == SPV_VALUE_NONE,
             "OpTypeForwardPointer: id %u is there already (3.49.6)", w[1]);
   t = arena_new(s->arena, struct spv_type);
   t->id = w[1];
   type_physical_pointer(s, t);
   spv_define(s, w[1], SPV_VALUE_TYPE, t);
}

static bool
is_number_class(const struct spv *s, SpvStorageClass storage)
{
   switch (storage) {
   case SpvStorageClassPhysicalStorageBuffer: return true;
   case SpvStorageClassStorageBuffer: return s->has_buffer_pointers;
   case SpvStorageClassWorkgroup: return s->has_shared_pointers;
   default: return false;
   }
}

static void
type_pointer(struct spv *s, struct spv_type *t, const uint32_t *w)
{
   if (is_number_class(s, w[2]))
      type_physical_pointer(s, t);
   t->base = SPV_POINTER;
   t->storage = w[2];
   t->elem = spv_get_type(s, w[3]);
   if (s->kernel &&
       (t->elem->base == SPV_VOID || t->storage == SpvStorageClassGeneric))
      spv_unsupported(s, "pointers to void or of class Generic");
   /* To void it may be declared, but there is nothing that it points to. */
   spv_check(s, t->elem->base != SPV_FUNCTION,
             "OpTypePointer: to a function");
   if (t->elem->base == SPV_POINTER && !spv_is_address(t->elem))
      spv_unsupported(s, "pointers to pointers");
   set_depth(s, t, t->elem);
}

/* True if the instruction was a type. */
bool
spv_handle_type(struct spv *s, const uint32_t *w)
{
   const unsigned op = spv_opcode(w);
   struct spv_type *t;

   if (op < SpvOpTypeVoid || op > SpvOpTypeForwardPointer)
      return false;
   if (op == SpvOpTypeForwardPointer) {
      forward_pointer(s, w);
      return true;
   }
   /* One that was announced is the same type still. */
   if (s->values[w[1]].kind == SPV_VALUE_TYPE) {
      t = s->values[w[1]].type;
      spv_check(s, op == SpvOpTypePointer && w[2] == t->storage,
                "%s: not the pointer that was announced (3.49.6)",
                spirv_opcode_name(op));
   } else {
      t = arena_new(s->arena, struct spv_type);
   }
   t->id = w[1];
   switch (op) {
   case SpvOpTypeVoid: t->base = SPV_VOID; break;
   case SpvOpTypeBool:
   case SpvOpTypeInt:
   case SpvOpTypeFloat: type_scalar(s, t, w); break;
   case SpvOpTypeVector: type_vector(s, t, w); break;
   case SpvOpTypeMatrix: type_matrix(s, t, w); break;
   case SpvOpTypeArray:
   case SpvOpTypeRuntimeArray: type_array(s, t, w); break;
   case SpvOpTypeStruct: type_struct(s, t, w); break;
   case SpvOpTypeImage: type_image(s, t, w); break;
   case SpvOpTypeSampler:
      t->base = SPV_SAMPLER;
      t->leaves = 1;
      t->glsl = glsl_bare_sampler_type();
      break;
   case SpvOpTypeSampledImage: type_sampled_image(s, t, w); break;
   case SpvOpTypeFunction: type_function(s, t, w); break;
   case SpvOpTypePointer: type_pointer(s, t, w); break;
   default: spv_unsupported(s, "%s", spirv_opcode_name(op));
   }
   spv_define(s, w[1], SPV_VALUE_TYPE, t);
   return true;
}
