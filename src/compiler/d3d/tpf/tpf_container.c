/* SPDX-License-Identifier: MIT */
/*
 * The container: resource definitions (RDEF), signatures (ISGN, OSGN), the
 * program (SHEX), and the digest over all. Layout of signatures: what
 * compilers write, read back (dxbc/tests).
 *
 * RDEF is what is bound where, and the variables of constant buffers with
 * offsets and types. Layout of the records: see dxbc_rdef.c; what SM5 adds to
 * variables is -1, 0, -1, 0 (no texture, no sampler), to types four dwords of
 * 0 and the offset of their name. A type says nothing of the distance of
 * elements: these begin at rows of 16 bytes, as in HLSL. A buffer of which a
 * member is laid out otherwise is one array of float4, by the name of the
 * buffer.
 */
#include "tpf_emit.h"

#include "compiler/d3d/d3d_type.h"
#include "compiler/d3d/dxbc/dxbc.h"

#define HEADER_DW 7
#define BINDING_B 32
#define BUFFER_DW 6
#define VARIABLE_DW 10
#define TYPE_DW 9
#define MEMBER_DW 3
#define VARIABLE_USED 2u
#define ELEMENT_B 24

/* --- Chunks: dwords, and strings after them ----------------------------- */

static void
put(struct util_dynarray *b, uint32_t v)
{
   util_dynarray_append(b, uint32_t, v);
}

static void
set(struct util_dynarray *b, size_t at_B, uint32_t v)
{
   memcpy((char *)b->data + at_B, &v, 4);
}

/* `count` dwords of 0: their offset. */
static uint32_t
put_zeros(struct util_dynarray *b, size_t count)
{
   const uint32_t at = (uint32_t)b->size_B;

   if (count)
      memset(util_dynarray_grow_bytes(b, 4 * count), 0, 4 * count);
   return at;
}

/* A string after all that is there: its offset. */
static uint32_t
put_string(struct util_dynarray *b, const char *s)
{
   const uint32_t at = (uint32_t)b->size_B;
   const size_t n = strlen(s) + 1;
   char *to = util_dynarray_grow_bytes(b, ALIGN(n, (size_t)4));

   memset(to, 0xab, ALIGN(n, (size_t)4));
   memcpy(to, s, n);
   return at;
}

/* --- Bindings ----------------------------------------------------------- */

/* D3D_SHADER_INPUT_TYPE */
static unsigned
input_type(const struct tpf_binding *b)
{
   const bool buffer = b->var->data.mode == nir_var_mem_ssbo;

   switch (b->kind) {
   case TPF_BIND_CB: return 0;
   case TPF_BIND_SAMPLER: return 3;
   case TPF_BIND_SRV: return !buffer ? 2 : b->stride_B ? 5 : 7;
   case TPF_BIND_UAV: return !buffer ? 4 : b->stride_B ? 6 : 8;
   }
   unreachable("not a kind of binding");
}

/* D3D_SRV_DIMENSION, in the order of tpf_tables.py but that multisampled
 * textures stand apart. */
static unsigned
dimension(const struct tpf_binding *b)
{
   static const uint8_t map[TPF_DIM_COUNT] = {
      0, 1, 2, 4, 6, 8, 9, 3, 5, 7, 10, 11, 1,
   };

   if (b->kind == TPF_BIND_CB || b->kind == TPF_BIND_SAMPLER)
      return 0;
   if (b->var->data.mode == nir_var_mem_ssbo)
      return b->stride_B ? 1 : 11;
   return map[tpf_emit_dim(glsl_without_array(b->var->type))];
}

static const char *
name_of(const struct tpf_binding *b)
{
   return b->var->name && *b->var->name ? b->var->name : "unnamed";
}

static void
put_binding(struct util_dynarray *out, const struct tpf_binding *b)
{
   const unsigned type = input_type(b), dim = dimension(b);

   put(out, 0); /* the name, later */
   put(out, type);
   put(out, type == 2 || type == 4 ? 5 : type == 0 || type == 3 ? 0 : 6);
   put(out, dim);
   put(out, b->stride_B                     ? b->stride_B
            : dim && type != 7 && type != 8 ? UINT32_MAX
                                            : 0);
   put(out, b->first);
   put(out, b->count);
   put(out, 0);
}

/* Two variables may share a binding, and what is not read has no entry. */
static bool
is_listed(const struct tpf_emit *e, unsigned i)
{
   const struct tpf_binding *b = &e->interface->binding[i];

   if (i && b[-1].kind == b->kind && b[-1].first == b->first)
      return false;
   if (b->kind != TPF_BIND_CB)
      return true;
   for (unsigned k = 0; k < b->count; k++) {
      if (e->cb_size[b->first + k])
         return true;
   }
   return false;
}

static unsigned
put_bindings(const struct tpf_emit *e, struct util_dynarray *out)
{
   const struct tpf_interface *in = e->interface;
   const size_t at_B = out->size_B;
   unsigned n = 0;

   for (unsigned i = 0; i < in->num_bindings; i++) {
      if (is_listed(e, i)) {
         put_binding(out, &in->binding[i]);
         n++;
      }
   }
   for (unsigned i = 0, k = 0; i < in->num_bindings; i++) {
      if (is_listed(e, i))
         set(out, at_B + BINDING_B * k++,
             put_string(out, name_of(&in->binding[i])));
   }
   return n;
}

/* --- Types -------------------------------------------------------------- */

/* What a type takes in HLSL, without what follows its last element; 0 if its
 * layout is another one. */
static uint64_t
size_in_hlsl(const struct glsl_type *type)
{
   uint64_t size_B = 0;
   struct d3d_type t;

   if (glsl_type_is_array(type)) {
      const uint64_t element_B = size_in_hlsl(glsl_get_array_element(type));
      const uint64_t stride_B = ALIGN(element_B, (uint64_t)16);
      if (!element_B || !glsl_get_length(type) ||
          glsl_get_explicit_stride(type) != stride_B)
         return 0;
      return stride_B * (glsl_get_length(type) - 1) + element_B;
   }
   if (glsl_type_is_struct_or_ifc(type)) {
      for (unsigned i = 0; i < glsl_get_length(type); i++) {
         const int at_B = glsl_get_struct_field_offset(type, i);
         const uint64_t field_B =
            size_in_hlsl(glsl_get_struct_field(type, i));
         if (at_B < 0 || !field_B)
            return 0;
         size_B = MAX2(size_B, (uint64_t)at_B + field_B);
      }
      return size_B;
   }
   if (!glsl_type_is_vector_or_scalar(type) && !glsl_type_is_matrix(type))
      return 0;
   if (!d3d_describe_type(type, false, &t))
      return 0;
   const unsigned vector_B = t.vector_elements *
                             (t.base == D3D_BASE_DOUBLE ? 8 : 4);
   if (t.vectors > 1 && glsl_get_explicit_stride(type) != ALIGN(vector_B, 16))
      return 0;
   return ALIGN(vector_B, 16) * (t.vectors - 1) + vector_B;
}

static const char *
base_text(enum d3d_base base)
{
   switch (base) {
   case D3D_BASE_VOID: return "void";
   case D3D_BASE_BOOL: return "bool";
   case D3D_BASE_INT: return "int";
   case D3D_BASE_FLOAT: return "float";
   case D3D_BASE_UINT: return "uint";
   case D3D_BASE_DOUBLE: return "double";
   }
   unreachable("not a base type");
}

static uint32_t put_type(const struct tpf_emit *e, struct util_dynarray *out,
                         const struct glsl_type *type);

static uint32_t
put_plain(struct util_dynarray *out, const struct d3d_type *t,
          unsigned elements)
{
   const uint32_t at = put_zeros(out, TYPE_DW);
   char name[32];

   if (t->class == D3D_CLASS_SCALAR)
      snprintf(name, sizeof(name), "%s", base_text(t->base));
   else if (t->class == D3D_CLASS_VECTOR)
      snprintf(name, sizeof(name), "%s%u", base_text(t->base), t->columns);
   else
      snprintf(name, sizeof(name), "%s%ux%u", base_text(t->base), t->rows,
               t->columns);
   set(out, at, (uint32_t)t->class | (uint32_t)t->base << 16);
   set(out, at + 4, t->rows | t->columns << 16);
   set(out, at + 8, elements);
   set(out, at + 32, put_string(out, name));
   return at;
}

static uint32_t
put_struct(const struct tpf_emit *e, struct util_dynarray *out,
           const struct glsl_type *type, unsigned elements)
{
   const unsigned n = glsl_get_length(type);
   const uint32_t at = put_zeros(out, TYPE_DW);
   const uint32_t members = put_zeros(out, (size_t)MEMBER_DW * n);
   const char *name = glsl_get_type_name(type);
   unsigned columns = 0;

   for (unsigned i = 0; i < n; i++) {
      const struct glsl_type *field = glsl_get_struct_field(type, i);
      const char *field_name = glsl_get_struct_elem_name(type, i);
      const uint32_t m = members + 4 * MEMBER_DW * i;
      set(out, m, put_string(out, field_name ? field_name : ""));
      set(out, m + 4, put_type(e, out, field));
      set(out, m + 8, (uint32_t)glsl_get_struct_field_offset(type, i));
      columns += glsl_get_components(field);
   }
   set(out, at, D3D_CLASS_STRUCT);
   set(out, at + 4, 1 | MIN2(columns, 0xffffu) << 16);
   set(out, at + 8, elements | n << 16);
   set(out, at + 12, members);
   set(out, at + 32, put_string(out, name ? name : "<unnamed>"));
   return at;
}

/* As deep as types nest. Arrays of arrays are one array in HLSL's tables. */
static uint32_t
put_type(const struct tpf_emit *e, struct util_dynarray *out,
         const struct glsl_type *type)
{
   const struct glsl_type *element = glsl_without_array(type);
   const unsigned elements =
      glsl_type_is_array(type) ? MIN2(glsl_get_aoa_size(type), 0xffffu) : 0;
   struct d3d_type t;

   if (glsl_type_is_struct_or_ifc(element))
      return put_struct(e, out, element, elements);
   d3d_describe_type(element, e->hlsl, &t);
   return put_plain(out, &t, elements);
}

/* --- Constant buffers --------------------------------------------------- */

static bool
is_used(const struct tpf_emit *e, unsigned cb, unsigned at_B, unsigned size_B)
{
   for (unsigned i = at_B / 4; i < (at_B + size_B) / 4; i++) {
      if (e->cb_used[cb] && e->cb_used[cb][i / 4] & 1u << i % 4)
         return true;
   }
   return false;
}

static void
put_variable(const struct tpf_emit *e, struct util_dynarray *out, uint32_t at,
             unsigned cb, const char *name, unsigned offset_B,
             unsigned size_B)
{
   set(out, at, put_string(out, name && *name ? name : "unnamed"));
   set(out, at + 4, offset_B);
   set(out, at + 8, size_B);
   set(out, at + 12, is_used(e, cb, offset_B, size_B) ? VARIABLE_USED : 0);
   set(out, at + 24, UINT32_MAX);
   set(out, at + 32, UINT32_MAX);
}

/* The buffer as one variable. */
static unsigned
put_rows(const struct tpf_emit *e, struct util_dynarray *out, unsigned cb,
         const struct tpf_binding *b, unsigned size_B, uint32_t *variables)
{
   static const struct d3d_type float4 = {
      D3D_CLASS_VECTOR, D3D_BASE_FLOAT, 1, 4, 1, 4
   };
   uint32_t type;

   *variables = put_zeros(out, VARIABLE_DW);
   put_variable(e, out, *variables, cb, name_of(b), 0, size_B);
   type = put_plain(out, &float4, size_B / 16);
   set(out, *variables + 16, type);
   return 1;
}

/* How many there are; their place in *variables. */
static unsigned
put_variables(const struct tpf_emit *e, struct util_dynarray *out,
              unsigned cb, const struct tpf_binding *b, unsigned *size_B,
              uint32_t *variables)
{
   const struct glsl_type *block = glsl_without_array(b->var->type);
   const uint64_t all_B = size_in_hlsl(block);

   if (!glsl_type_is_struct_or_ifc(block) || !all_B ||
       all_B > 16 * TPF_CB_MAX)
      return put_rows(e, out, cb, b, *size_B, variables);
   const unsigned n = glsl_get_length(block);
   *size_B = MAX2(*size_B, ALIGN((unsigned)all_B, 16));
   *variables = put_zeros(out, (size_t)VARIABLE_DW * n);
   for (unsigned i = 0; i < n; i++) {
      const struct glsl_type *type = glsl_get_struct_field(block, i);
      const uint32_t at = *variables + 4 * VARIABLE_DW * i;
      uint32_t t;
      put_variable(e, out, at, cb, glsl_get_struct_elem_name(block, i),
                   (unsigned)glsl_get_struct_field_offset(block, i),
                   (unsigned)size_in_hlsl(type));
      t = put_type(e, out, type);
      set(out, at + 16, t);
   }
   return n;
}

static void
put_buffer(const struct tpf_emit *e, struct util_dynarray *out, uint32_t at,
           unsigned cb, const struct tpf_binding *b)
{
   unsigned size_B = 16 * e->cb_size[cb];
   uint32_t variables;
   const unsigned n = put_variables(e, out, cb, b, &size_B, &variables);

   set(out, at, put_string(out, name_of(b)));
   set(out, at + 4, n);
   set(out, at + 8, variables);
   set(out, at + 12, size_B);
}

static unsigned
put_buffers(const struct tpf_emit *e, struct util_dynarray *out)
{
   const struct tpf_interface *in = e->interface;
   unsigned count = 0;
   uint32_t at;

   for (unsigned i = 0; i < ARRAY_SIZE(e->cb_size); i++)
      count += e->cb_size[i] != 0;
   at = put_zeros(out, (size_t)BUFFER_DW * count);
   for (unsigned i = 0; i < in->num_bindings; i++) {
      const struct tpf_binding *b = &in->binding[i];
      if (b->kind != TPF_BIND_CB || !is_listed(e, i))
         continue;
      for (unsigned k = b->first; k < b->first + b->count; k++) {
         if (!e->cb_size[k])
            continue;
         put_buffer(e, out, at, k, b);
         at += 4 * BUFFER_DW;
      }
   }
   return count;
}

static void
put_definitions(struct tpf_emit *e, struct util_dynarray *out)
{
   /* SM5: sizes of the records that follow. */
   static const uint32_t sizes[] = { DXBC_TAG('R', 'D', '1', '1'),
                                     60,
                                     4 * BUFFER_DW,
                                     BINDING_B,
                                     4 * VARIABLE_DW,
                                     4 * TYPE_DW,
                                     4 * MEMBER_DW,
                                     0 };
   const uint32_t stage = e->stage == TPF_STAGE_PS   ? 0xffff0000u
                          : e->stage == TPF_STAGE_VS ? 0xfffe0000u
                                                     : 0x43530000u;

   put_zeros(out, HEADER_DW);
   for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
      put(out, sizes[i]);
   set(out, 12, (uint32_t)out->size_B);
   set(out, 8, put_bindings(e, out));
   set(out, 4, (uint32_t)out->size_B);
   set(out, 0, put_buffers(e, out));
   set(out, 16, stage | 0x500);
   set(out, 24, put_string(out, "saffron"));
}

/* --- Signatures --------------------------------------------------------- */

/* The mask of an element is that of its type, from x on: it has no holes,
 * whatever is used of it. */
static void
put_element(struct util_dynarray *b, const struct tpf_io *io, unsigned reg,
            uint32_t value, unsigned used)
{
   const unsigned n = 32 - (unsigned)__builtin_clz(io->mask);

   put(b, 0); /* the name, later */
   put(b, io->semantic_index);
   put(b, value);
   put(b, io->type);
   put(b, reg);
   put(b, BITFIELD_MASK(n) | used << 8);
}

/* In an output's second mask stands what is never written. */
static void
signature(struct tpf_emit *e, bool in, struct util_dynarray *b)
{
   const struct tpf_io *regs = in ? e->in : e->out;
   const char *names[TPF_EMIT_REGS + 3];
   unsigned n = 0;

   put(b, 0);
   put(b, 8);
   for (unsigned i = 0; i < TPF_EMIT_REGS; i++) {
      if (!regs[i].mask)
         continue;
      put_element(b, &regs[i], i, regs[i].name,
                  in ? regs[i].mask : 0xfu & ~regs[i].mask);
      names[n++] = regs[i].semantic;
   }
   if (!in && e->depth_out) {
      const struct tpf_io io = { .mask = 1, .type = 3 };
      put_element(b, &io, UINT32_MAX, 0, 0xe);
      names[n++] = e->file_used[TPF_FILE_O_DEPTH_GE] ? "SV_DepthGreaterEqual"
                   : e->file_used[TPF_FILE_O_DEPTH_LE] ? "SV_DepthLessEqual"
                                                       : "SV_Depth";
   }
   if (!in && e->mask_out) {
      const struct tpf_io io = { .mask = 1, .type = 1 };
      put_element(b, &io, UINT32_MAX, 0, 0xe);
      names[n++] = "SV_Coverage";
   }
   set(b, 0, n);
   for (unsigned i = 0; i < n; i++)
      set(b, 8 + ELEMENT_B * i, put_string(b, names[i]));
}

/* --- All of it ---------------------------------------------------------- */

void
tpf_emit_container(struct tpf_emit *e, const struct tpf_shader *shader,
                   struct util_dynarray *out)
{
   struct util_dynarray rdef = { 0 }, isgn = { 0 }, osgn = { 0 };
   struct util_dynarray code = { 0 };

   put_definitions(e, &rdef);
   signature(e, true, &isgn);
   signature(e, false, &osgn);
   tpf_encode(shader, &code);
   const struct dxbc c = {
      .chunk = {
         { DXBC_TAG('R', 'D', 'E', 'F'), rdef.data, 0,
           rdef.size_B },
         { DXBC_TAG('I', 'S', 'G', 'N'), isgn.data, 0,
           isgn.size_B },
         { DXBC_TAG('O', 'S', 'G', 'N'), osgn.data, 0,
           osgn.size_B },
         { DXBC_TAG('S', 'H', 'E', 'X'), code.data, 0, code.size_B },
      },
      .num_chunks = 4,
   };
   dxbc_write(&c, out);
   util_dynarray_fini(&rdef);
   util_dynarray_fini(&isgn);
   util_dynarray_fini(&osgn);
   util_dynarray_fini(&code);
}
