/* SPDX-License-Identifier: MIT */
/*
 * The constant table of a shader that is written: names and types of what
 * lies in which c# and s#. Layout as in d3dbc_ctab.c; classes, types and
 * register sets are D3DXPARAMETER_CLASS, D3DXPARAMETER_TYPE and
 * D3DXREGISTER_SET of d3dx9shader.h.
 *
 * A constant begins at a register and has its registers for itself: that is
 * all that the table can say. A buffer of which a member does not is one
 * array of float4, by the name of the buffer; so is a member that is a
 * structure.
 */
#include "compiler/d3d/d3d_type.h"
#include "d3dbc_emit.h"

#define CTAB_MAGIC 0x42415443u
#define HEADER_DW 7
#define CONSTANT_DW 5
#define COMMENT_MAX_DW 0x7fff

enum { TYPE_SAMPLER2D = 12, TYPE_SAMPLER3D, TYPE_SAMPLERCUBE };
enum { SET_FLOAT4 = 2, SET_SAMPLER };

struct ctab_type {
   uint16_t class, type, rows, columns, elements;
};

struct ctab_constant {
   const char *name;
   unsigned set, first, count;
   struct ctab_type type;
};

/* --- What there is ------------------------------------------------------ */

/* The registers of a type; 0: not to be said in a table. */
static unsigned
describe(const struct glsl_type *type, bool hlsl, struct ctab_type *t)
{
   const struct glsl_type *element = type;
   struct d3d_type d;
   unsigned regs;

   *t = (struct ctab_type) { D3D_CLASS_VECTOR, D3D_BASE_FLOAT, 1, 4, 1 };
   if (glsl_type_is_array(type)) {
      element = glsl_get_array_element(type);
      t->elements = (uint16_t)MIN2(glsl_get_length(type), 0xffffu);
   }
   if (glsl_type_is_array(element) || glsl_type_is_struct_or_ifc(element)) {
      /* Registers without a type of their own. */
      regs = DIV_ROUND_UP(glsl_get_explicit_size(type, false), 16);
      t->elements = (uint16_t)MIN2(regs, 0xffffu);
      return regs;
   }
   /* What is not read as floats is set as whole numbers. */
   d3d_describe_type(element, hlsl, &d);
   if (d.base != D3D_BASE_FLOAT && d.base != D3D_BASE_BOOL)
      d.base = D3D_BASE_INT;
   regs = d.vectors;
   t->class = (uint16_t)d.class;
   t->type = (uint16_t)d.base;
   t->rows = (uint16_t)d.rows;
   t->columns = (uint16_t)d.columns;
   if ((regs > 1 && glsl_get_explicit_stride(element) != 16) ||
       (element != type && glsl_get_explicit_stride(type) != 16 * regs))
      return 0;
   return regs * (element != type ? glsl_get_length(type) : 1);
}

static void
add(struct util_dynarray *list, const char *name, unsigned set,
    unsigned first, unsigned count, struct ctab_type type)
{
   const struct ctab_constant c = { name && *name ? name : "constants", set,
                                    first, count, type };

   util_dynarray_append(list, struct ctab_constant, c);
}

/* False: a member does not begin at a register of its own. */
static bool
add_members(struct util_dynarray *list, const struct glsl_type *block,
            bool hlsl, unsigned first, unsigned size)
{
   unsigned end = 0;

   for (unsigned i = 0; i < glsl_get_length(block); i++) {
      const int offset_B = glsl_get_struct_field_offset(block, i);
      struct ctab_type type;
      unsigned regs = describe(glsl_get_struct_field(block, i), hlsl, &type);
      if (offset_B < 0 || offset_B % 16 || !regs ||
          (unsigned)offset_B / 16 < end)
         return false;
      const unsigned at = (unsigned)offset_B / 16;
      end = at + regs;
      /* The shader has registers up to the last one that it reads. */
      if (at < size)
         add(list, glsl_get_struct_elem_name(block, i), SET_FLOAT4,
             first + at, MIN2(regs, size - at), type);
   }
   return true;
}

static void
add_buffer(struct d3dbc_emit *e, struct util_dynarray *list, unsigned i)
{
   const unsigned first = e->ubo[i].first;
   const unsigned end = i + 1 < e->num_ubos ? e->ubo[i + 1].first
                                            : e->num_uniforms;
   const struct ctab_type whole = { D3D_CLASS_VECTOR, D3D_BASE_FLOAT, 1, 4,
                                    (uint16_t)(end - first) };
   const size_t before = list->size_B;
   const char *name = NULL;

   if (first == end)
      return;
   nir_foreach_variable_with_modes(var, e->nir, nir_var_mem_ubo) {
      if (var->data.descriptor_set != e->ubo[i].set ||
          var->data.binding != e->ubo[i].binding)
         continue;
      if (glsl_type_is_struct_or_ifc(var->type) &&
          add_members(list, var->type, e->hlsl, first, end - first))
         return;
      list->size_B = before;
      name = var->name;
      break;
   }
   add(list, name, SET_FLOAT4, first, end - first, whole);
}

static void
add_samplers(struct d3dbc_emit *e, struct util_dynarray *list)
{
   for (unsigned i = 0; i < ARRAY_SIZE(e->sampler_type); i++) {
      const unsigned dim = e->sampler_type[i];
      const struct ctab_type type = { D3D_CLASS_OBJECT,
                                      dim == D3DBC_SAMPLER_2D ? TYPE_SAMPLER2D
                                      : dim == D3DBC_SAMPLER_CUBE
                                         ? TYPE_SAMPLERCUBE
                                         : TYPE_SAMPLER3D,
                                      1, 1, 1 };
      if (!dim)
         continue;
      nir_foreach_variable_with_modes(var, e->nir, nir_var_uniform) {
         if (var->data.binding == e->first_sampler + i) {
            add(list, var->name, SET_SAMPLER, i, 1, type);
            break;
         }
      }
   }
}

/* --- Bytes -------------------------------------------------------------- */

static uint32_t
put_string(struct util_dynarray *out, const char *s)
{
   const uint32_t at = (uint32_t)out->size_B;
   const size_t size_B = ALIGN(strlen(s) + 1, (size_t)4);
   char *to = util_dynarray_grow_bytes(out, size_B);

   memset(to, 0, size_B);
   memcpy(to, s, strlen(s));
   return at;
}

static void
put_constants(struct util_dynarray *out, const struct util_dynarray *list)
{
   unsigned at = HEADER_DW;

   util_dynarray_foreach(list, struct ctab_constant, c) {
      const struct ctab_type *t = &c->type;
      const uint32_t name = put_string(out, c->name);
      const uint32_t type = (uint32_t)out->size_B;
      const uint32_t words[] = {
         t->class | (uint32_t)t->type << 16,
         t->rows | (uint32_t)t->columns << 16,
         t->elements, /* no members */
         0,
      };
      memcpy(util_dynarray_grow_bytes(out, sizeof(words)), words,
             sizeof(words));
      uint32_t *info = (uint32_t *)out->data + at;
      info[0] = name;
      info[1] = c->set | c->first << 16;
      info[2] = c->count;
      info[3] = type;
      info[4] = 0; /* no value to begin with */
      at += CONSTANT_DW;
   }
}

static void
put_table(struct d3dbc_emit *e, struct util_dynarray *out,
          const struct util_dynarray *list)
{
   const size_t n = util_dynarray_num_elements(list, struct ctab_constant);
   const size_t fixed_B = 4 * (HEADER_DW + CONSTANT_DW * n);

   memset(util_dynarray_grow_bytes(out, fixed_B), 0, fixed_B);
   put_constants(out, list);
   const uint32_t creator = put_string(out, "Saffron");
   const uint32_t target = put_string(out, e->pi->name);
   /* clang-format off */
   const uint32_t header[HEADER_DW] = {
      4 * HEADER_DW, creator,
      (e->pi->is_ps ? 0xffff0000u : 0xfffe0000u) |
         (uint32_t)e->pi->major << 8 | e->pi->minor,
      (uint32_t)n, 4 * HEADER_DW, 0, target,
   };
   /* clang-format on */
   memcpy(out->data, header, sizeof(header));
}

void
d3dbc_emit_ctab(struct d3dbc_emit *e)
{
   struct util_dynarray list = { 0 }, out = { 0 };
   struct d3dbc_inst inst = { .op = D3DBC_OP_COUNT };

   for (unsigned i = 0; i < e->num_ubos; i++)
      add_buffer(e, &list, i);
   add_samplers(e, &list);
   if (list.size_B) {
      put_table(e, &out, &list);
      const unsigned num_dw = 1 + (unsigned)(out.size_B / 4);
      uint32_t *words = arena_alloc(e->arena, 4 * (size_t)num_dw);
      words[0] = CTAB_MAGIC;
      memcpy(words + 1, out.data, out.size_B);
      inst.comment.words = words;
      inst.comment.num_words = num_dw;
      if (num_dw > COMMENT_MAX_DW)
         d3dbc_emit_fail(e,
                         "a constant table of %u dwords: a comment has "
                         "%u",
                         num_dw, COMMENT_MAX_DW);
      else
         util_dynarray_append(&e->head, struct d3dbc_inst, inst);
   }
   util_dynarray_fini(&list);
   util_dynarray_fini(&out);
}
