/* SPDX-License-Identifier: MIT */
/*
 * Root signatures: the chunk RTS0 of a container, in dwords.
 *
 *   0  version: 1 (1.0) or 2 (1.1)    3  number of static samplers
 *   1  number of parameters           4  offset of these
 *   2  offset of these                5  flags
 *
 * Offsets are in bytes from the start of the chunk. A parameter is its type,
 * its visibility and the offset of
 *   a table        number of ranges, offset of them; a range is type, count,
 *                  register, space, (1.1: flags,) place in the table
 *   constants      register, space, number
 *   a descriptor   register, space, (1.1: flags)
 * A static sampler is thirteen dwords, those of struct
 * vkd3d_shader_static_sampler_desc.
 *
 * Both versions are read as 1.1, whose flags are 0 for 1.0; what is given to
 * the program is of the version that it wants.
 */
#include "d3dlib.h"

#include <stdlib.h>

#define TAG DXBC_TAG('R', 'T', 'S', '0')
#define SAMPLER_DW 13
#define MAX_PARAMETERS 4096
#define MAX_RANGES (1u << 16)

typedef struct vkd3d_shader_versioned_root_signature_desc versioned;
typedef struct vkd3d_shader_root_signature_desc1 signature;
typedef struct vkd3d_shader_root_parameter1 parameter;
typedef struct vkd3d_shader_descriptor_range1 range;
typedef struct vkd3d_shader_static_sampler_desc sampler;

static_assert(sizeof(sampler) == SAMPLER_DW * 4, "as in the chunk");

static bool
is_known(enum vkd3d_shader_root_signature_version version)
{
   return version == VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0 ||
          version == VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1;
}

/* --- Memory ------------------------------------------------------------- */

static void
free_1_1(signature *s)
{
   for (unsigned i = 0; s->parameters && i < s->parameter_count; i++) {
      if (s->parameters[i].parameter_type ==
          VKD3D_SHADER_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE)
         free((void *)s->parameters[i].u.descriptor_table.descriptor_ranges);
   }
   free((void *)s->parameters);
   free((void *)s->static_samplers);
   memset(s, 0, sizeof(*s));
}

static void
free_1_0(struct vkd3d_shader_root_signature_desc *s)
{
   for (unsigned i = 0; s->parameters && i < s->parameter_count; i++) {
      if (s->parameters[i].parameter_type ==
          VKD3D_SHADER_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE)
         free((void *)s->parameters[i].u.descriptor_table.descriptor_ranges);
   }
   free((void *)s->parameters);
   free((void *)s->static_samplers);
   memset(s, 0, sizeof(*s));
}

void
vkd3d_shader_free_root_signature(versioned *s)
{
   if (s->version == VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0)
      free_1_0(&s->u.v_1_0);
   else if (s->version == VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1)
      free_1_1(&s->u.v_1_1);
   s->version = 0;
}

/* Zeroed; never of no bytes. */
static void *
new_array(unsigned n, size_t size_B)
{
   return calloc(MAX2(n, 1), size_B);
}

/* --- Versions ----------------------------------------------------------- */

/* A 1.1 signature as what the program wants; `from` is used up. */
static bool
to_1_0(signature *from, struct vkd3d_shader_root_signature_desc *to)
{
   struct vkd3d_shader_root_parameter *p =
      new_array(from->parameter_count, sizeof(*p));

   memset(to, 0, sizeof(*to));
   to->parameters = p;
   if (!p)
      return false;
   to->parameter_count = from->parameter_count;
   to->static_sampler_count = from->static_sampler_count;
   to->static_samplers = from->static_samplers;
   to->flags = from->flags;
   from->static_samplers = NULL;
   for (unsigned i = 0; i < to->parameter_count; i++) {
      const parameter *f = &from->parameters[i];
      p[i].parameter_type = f->parameter_type;
      p[i].shader_visibility = f->shader_visibility;
      if (f->parameter_type ==
          VKD3D_SHADER_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS) {
         p[i].u.constants = f->u.constants;
         continue;
      }
      if (f->parameter_type !=
          VKD3D_SHADER_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE) {
         p[i].u.descriptor.shader_register = f->u.descriptor.shader_register;
         p[i].u.descriptor.register_space = f->u.descriptor.register_space;
         continue;
      }
      const unsigned n = f->u.descriptor_table.descriptor_range_count;
      struct vkd3d_shader_descriptor_range *r = new_array(n, sizeof(*r));
      p[i].u.descriptor_table.descriptor_ranges = r;
      if (!r)
         return false;
      p[i].u.descriptor_table.descriptor_range_count = n;
      for (unsigned k = 0; k < n; k++) {
         const range *fr = &f->u.descriptor_table.descriptor_ranges[k];
         r[k] = (struct vkd3d_shader_descriptor_range) {
            fr->range_type, fr->descriptor_count, fr->base_shader_register,
            fr->register_space, fr->descriptor_table_offset
         };
      }
   }
   return true;
}

/* Descriptors of 1.0 may change until they are read, and what they lead to,
 * too: DESCRIPTORS_VOLATILE and DATA_VOLATILE. */
enum { DESCRIPTORS_VOLATILE = 1, DATA_VOLATILE = 2 };

static uint32_t
range_flags_of_1_0(enum vkd3d_shader_descriptor_type type)
{
   return type == VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER
             ? DESCRIPTORS_VOLATILE
             : DESCRIPTORS_VOLATILE | DATA_VOLATILE;
}

static bool
copy_ranges(parameter *to, const versioned *src, unsigned i)
{
   const bool old = src->version == VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0;
   const unsigned n = old ? src->u.v_1_0.parameters[i]
                               .u.descriptor_table.descriptor_range_count
                          : src->u.v_1_1.parameters[i]
                               .u.descriptor_table.descriptor_range_count;
   range *r = new_array(n, sizeof(*r));

   to->u.descriptor_table.descriptor_ranges = r;
   if (!r)
      return false;
   to->u.descriptor_table.descriptor_range_count = n;
   for (unsigned k = 0; k < n; k++) {
      if (!old) {
         r[k] = src->u.v_1_1.parameters[i]
                   .u.descriptor_table.descriptor_ranges[k];
         continue;
      }
      const struct vkd3d_shader_descriptor_range *f =
         &src->u.v_1_0.parameters[i].u.descriptor_table.descriptor_ranges[k];
      r[k] = (range) { f->range_type,
                       f->descriptor_count,
                       f->base_shader_register,
                       f->register_space,
                       range_flags_of_1_0(f->range_type),
                       f->descriptor_table_offset };
   }
   return true;
}

static bool
copy_parameter(parameter *to, const versioned *src, unsigned i)
{
   const bool old = src->version == VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0;
   const struct vkd3d_shader_root_parameter *p0 =
      old ? &src->u.v_1_0.parameters[i] : NULL;
   const parameter *p1 = old ? NULL : &src->u.v_1_1.parameters[i];

   to->parameter_type = old ? p0->parameter_type : p1->parameter_type;
   to->shader_visibility = old ? p0->shader_visibility
                               : p1->shader_visibility;
   switch (to->parameter_type) {
   case VKD3D_SHADER_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE:
      return copy_ranges(to, src, i);
   case VKD3D_SHADER_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS:
      to->u.constants = old ? p0->u.constants : p1->u.constants;
      return true;
   default:
      if (p1)
         to->u.descriptor = p1->u.descriptor;
      else
         to->u.descriptor = (struct vkd3d_shader_root_descriptor1) {
            p0->u.descriptor.shader_register, p0->u.descriptor.register_space,
            DATA_VOLATILE
         };
      return true;
   }
}

/* A copy of any version as 1.1. */
static bool
copy_as_1_1(signature *to, const versioned *src)
{
   const bool old = src->version == VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0;
   const struct vkd3d_shader_root_signature_desc *s0 = &src->u.v_1_0;
   const signature *s1 = &src->u.v_1_1;
   const unsigned samplers = old ? s0->static_sampler_count
                                 : s1->static_sampler_count;
   const unsigned n = old ? s0->parameter_count : s1->parameter_count;
   parameter *p = new_array(n, sizeof(*p));
   sampler *s = new_array(samplers, sizeof(*s));

   memset(to, 0, sizeof(*to));
   to->parameters = p;
   to->static_samplers = s;
   if (!p || !s)
      return false;
   to->flags = old ? s0->flags : s1->flags;
   to->parameter_count = n;
   to->static_sampler_count = samplers;
   if (samplers)
      memcpy(s, old ? s0->static_samplers : s1->static_samplers,
             samplers * sizeof(*s));
   for (unsigned i = 0; i < n; i++) {
      if (!copy_parameter(&p[i], src, i))
         return false;
   }
   return true;
}

int
vkd3d_shader_convert_root_signature(
   versioned *dst, enum vkd3d_shader_root_signature_version version,
   const versioned *src)
{
   versioned copy = { .version = VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1 };
   bool ok;

   /* There is nothing to do for the version that it has. */
   if (src->version == version || !is_known(version) ||
       !is_known(src->version))
      return VKD3D_ERROR_INVALID_ARGUMENT;
   ok = copy_as_1_1(&copy.u.v_1_1, src);
   *dst = copy;
   if (ok && version == VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0) {
      ok = to_1_0(&copy.u.v_1_1, &dst->u.v_1_0);
      dst->version = version;
      free_1_1(&copy.u.v_1_1);
   }
   if (ok)
      return VKD3D_OK;
   vkd3d_shader_free_root_signature(dst);
   return VKD3D_ERROR_OUT_OF_MEMORY;
}

/* --- Reading ------------------------------------------------------------ */

struct reader {
   struct d3dlib_call *call;
   const struct dxbc_chunk *chunk;
   bool old; /* 1.0 */
};

static enum vkd3d_result
bad(struct reader *r, size_t at_B, const char *what)
{
   const struct d3d_error error = { .offset_B = r->chunk->offset_B + at_B };

   return d3dlib_fail(r->call, VKD3D_ERROR_INVALID_ARGUMENT, "%zu: error: %s",
                      error.offset_B, what);
}

static bool
inside(const struct reader *r, uint32_t at_B, uint64_t n, unsigned size_dw)
{
   return at_B <= r->chunk->size_B && at_B % 4 == 0 &&
          n * size_dw * 4 <= r->chunk->size_B - at_B;
}

static uint32_t
dword(const struct reader *r, size_t at_B)
{
   uint32_t v;

   memcpy(&v, r->chunk->data + at_B, 4);
   return v;
}

static enum vkd3d_result
read_table(struct reader *r, parameter *p, uint32_t at_B)
{
   const unsigned size_dw = r->old ? 5 : 6;
   uint32_t n, first_B;
   range *ranges;

   if (!inside(r, at_B, 1, 2))
      return bad(r, at_B, "a table is beyond the end of the chunk");
   n = dword(r, at_B);
   first_B = dword(r, at_B + 4);
   if (n > MAX_RANGES || !inside(r, first_B, n, size_dw))
      return bad(r, at_B, "ranges are beyond the end of the chunk");
   ranges = new_array(n, sizeof(*ranges));
   p->u.descriptor_table.descriptor_ranges = ranges;
   if (!ranges)
      return VKD3D_ERROR_OUT_OF_MEMORY;
   p->u.descriptor_table.descriptor_range_count = n;
   for (uint32_t i = 0; i < n; i++) {
      const size_t b = first_B + (size_t)i * size_dw * 4;
      const uint32_t type = dword(r, b);
      if (type > VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER)
         return bad(r, b, "there is no such type of a range");
      ranges[i] = (range) {
         (enum vkd3d_shader_descriptor_type)type,
         dword(r, b + 4),
         dword(r, b + 8),
         dword(r, b + 12),
         r->old ? range_flags_of_1_0((enum vkd3d_shader_descriptor_type)type)
                : dword(r, b + 16),
         dword(r, b + (r->old ? 16 : 20))
      };
   }
   return VKD3D_OK;
}

static enum vkd3d_result
read_parameter(struct reader *r, parameter *p, size_t at_B)
{
   const uint32_t type = dword(r, at_B), to_B = dword(r, at_B + 8);

   if (type > VKD3D_SHADER_ROOT_PARAMETER_TYPE_UAV)
      return bad(r, at_B, "there is no such type of a parameter");
   p->shader_visibility = (enum vkd3d_shader_visibility)dword(r, at_B + 4);
   /* What is released goes by the type: tables own their ranges. */
   p->parameter_type = (enum vkd3d_shader_root_parameter_type)type;
   if (type == VKD3D_SHADER_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE)
      return read_table(r, p, to_B);
   if (!inside(r, to_B, 1,
               type == VKD3D_SHADER_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS ? 3
               : r->old                                                 ? 2
                                                                        : 3))
      return bad(r, at_B, "a parameter is beyond the end of the chunk");
   if (type == VKD3D_SHADER_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS)
      p->u.constants = (struct vkd3d_shader_root_constants) {
         dword(r, to_B), dword(r, to_B + 4), dword(r, to_B + 8)
      };
   else
      p->u.descriptor = (struct vkd3d_shader_root_descriptor1) {
         dword(r, to_B), dword(r, to_B + 4),
         r->old ? DATA_VOLATILE : dword(r, to_B + 8)
      };
   return VKD3D_OK;
}

static enum vkd3d_result
read_chunk(struct reader *r, signature *s)
{
   uint32_t n, at_B, samplers, samplers_B;
   parameter *p;
   sampler *ss;

   if (!inside(r, 0, 1, 6))
      return bad(r, 0, "a root signature has six dwords at least");
   if (!is_known((enum vkd3d_shader_root_signature_version)dword(r, 0)))
      return bad(r, 0, "root signatures of 1.0 and 1.1 are known");
   r->old = dword(r, 0) == VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0;
   n = dword(r, 4);
   at_B = dword(r, 8);
   samplers = dword(r, 12);
   samplers_B = dword(r, 16);
   s->flags = dword(r, 20);
   if (n > MAX_PARAMETERS || !inside(r, at_B, n, 3))
      return bad(r, 4, "parameters are beyond the end of the chunk");
   if (samplers > MAX_PARAMETERS ||
       !inside(r, samplers ? samplers_B : 0, samplers, SAMPLER_DW))
      return bad(r, 12, "static samplers are beyond the end of the chunk");
   s->parameters = p = new_array(n, sizeof(*p));
   s->static_samplers = ss = new_array(samplers, sizeof(*ss));
   if (!p || !ss)
      return VKD3D_ERROR_OUT_OF_MEMORY;
   s->parameter_count = n;
   s->static_sampler_count = samplers;
   if (samplers)
      memcpy(ss, r->chunk->data + samplers_B, samplers * sizeof(*ss));
   for (uint32_t i = 0; i < n; i++) {
      const enum vkd3d_result result =
         read_parameter(r, &p[i], at_B + (size_t)i * 12);
      if (result != VKD3D_OK)
         return result;
   }
   return VKD3D_OK;
}

int
vkd3d_shader_parse_root_signature(const struct vkd3d_shader_code *dxbc,
                                  versioned *root_signature, char **messages)
{
   struct d3dlib_call call = { 0 };
   struct d3d_error error = { 0 };
   struct reader r = { .call = &call };
   signature s = { 0 };
   struct dxbc container;
   bool ok = false;

   memset(root_signature, 0, sizeof(*root_signature));
   if (!dxbc_read(dxbc->code, dxbc->size, &container, &error)) {
      d3dlib_bad_input(&call, &error);
      call.result = VKD3D_ERROR_INVALID_ARGUMENT;
   } else if (!(r.chunk = dxbc_find(&container, TAG))) {
      call.result = d3dlib_fail(&call, VKD3D_ERROR_INVALID_ARGUMENT,
                                " error: there is no root signature");
   } else {
      call.result = read_chunk(&r, &s);
      ok = call.result == VKD3D_OK;
   }
   if (ok && r.old) {
      root_signature->version = VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0;
      ok = to_1_0(&s, &root_signature->u.v_1_0);
      call.result = ok ? VKD3D_OK : VKD3D_ERROR_OUT_OF_MEMORY;
      if (!ok)
         vkd3d_shader_free_root_signature(root_signature);
   } else if (ok) {
      root_signature->version = VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1;
      root_signature->u.v_1_1 = s;
      return d3dlib_say(&call, messages);
   }
   free_1_1(&s);
   return d3dlib_say(&call, messages);
}

/* --- Writing ------------------------------------------------------------ */

static void
put(struct util_dynarray *out, uint32_t v)
{
   util_dynarray_append(out, uint32_t, v);
}

static void
set(struct util_dynarray *out, size_t at_B, uint32_t v)
{
   memcpy((char *)out->data + at_B, &v, 4);
}

static void
put_table(struct util_dynarray *out, const parameter *p, bool old)
{
   const unsigned n = p->u.descriptor_table.descriptor_range_count;

   put(out, n);
   put(out, (uint32_t)out->size_B + 4);
   for (unsigned i = 0; i < n; i++) {
      const range *r = &p->u.descriptor_table.descriptor_ranges[i];
      put(out, r->range_type);
      put(out, r->descriptor_count);
      put(out, r->base_shader_register);
      put(out, r->register_space);
      if (!old)
         put(out, r->flags);
      put(out, r->descriptor_table_offset);
   }
}

static void
put_parameter(struct util_dynarray *out, const parameter *p, bool old)
{
   switch (p->parameter_type) {
   case VKD3D_SHADER_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE:
      put_table(out, p, old);
      break;
   case VKD3D_SHADER_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS:
      put(out, p->u.constants.shader_register);
      put(out, p->u.constants.register_space);
      put(out, p->u.constants.value_count);
      break;
   default:
      put(out, p->u.descriptor.shader_register);
      put(out, p->u.descriptor.register_space);
      if (!old)
         put(out, p->u.descriptor.flags);
      break;
   }
}

static void
put_chunk(struct util_dynarray *out, const signature *s, bool old)
{
   const size_t header_B = 24;

   put(out, old ? VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0
                : VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1);
   put(out, s->parameter_count);
   put(out, (uint32_t)header_B);
   put(out, s->static_sampler_count);
   put(out, 0);
   put(out, s->flags);
   for (unsigned i = 0; i < s->parameter_count; i++) {
      put(out, s->parameters[i].parameter_type);
      put(out, s->parameters[i].shader_visibility);
      put(out, 0);
   }
   for (unsigned i = 0; i < s->parameter_count; i++) {
      set(out, header_B + i * 12 + 8, (uint32_t)out->size_B);
      put_parameter(out, &s->parameters[i], old);
   }
   set(out, 16, (uint32_t)out->size_B);
   if (s->static_sampler_count)
      memcpy(util_dynarray_grow_bytes(out, s->static_sampler_count *
                                              sizeof(sampler)),
             s->static_samplers, s->static_sampler_count * sizeof(sampler));
}

static bool
mixes_samplers(const parameter *p)
{
   const unsigned n = p->u.descriptor_table.descriptor_range_count;
   unsigned samplers = 0;

   if (p->parameter_type != VKD3D_SHADER_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE)
      return false;
   for (unsigned i = 0; i < n; i++)
      samplers += p->u.descriptor_table.descriptor_ranges[i].range_type ==
                  VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER;
   return samplers && samplers < n;
}

static enum vkd3d_result
check(struct d3dlib_call *call, const signature *s)
{
   for (unsigned i = 0; i < s->parameter_count; i++) {
      if (s->parameters[i].parameter_type >
          VKD3D_SHADER_ROOT_PARAMETER_TYPE_UAV)
         return d3dlib_fail(call, VKD3D_ERROR_INVALID_ARGUMENT,
                            " error: parameter %u has no such type", i);
      if (mixes_samplers(&s->parameters[i]))
         return d3dlib_fail(call, VKD3D_ERROR_INVALID_ARGUMENT,
                            " error: the table of parameter %u has samplers "
                            "and others",
                            i);
   }
   return VKD3D_OK;
}

static enum vkd3d_result
serialize(struct d3dlib_call *call, struct arena *arena)
{
   const versioned *root = call->info;
   struct util_dynarray chunk = { 0 };
   struct dxbc container = { .num_chunks = 1 };
   signature s;

   if (!is_known(root->version))
      return d3dlib_fail(call, VKD3D_ERROR_INVALID_ARGUMENT,
                         " error: root signatures of 1.0 and 1.1 are known");
   if (!copy_as_1_1(&s, root)) {
      free_1_1(&s);
      return VKD3D_ERROR_OUT_OF_MEMORY;
   }
   const enum vkd3d_result result = check(call, &s);
   if (result != VKD3D_OK) {
      free_1_1(&s);
      return result;
   }
   put_chunk(&chunk, &s,
             root->version == VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0);
   free_1_1(&s);
   container.chunk[0] = (struct dxbc_chunk) { .tag = TAG,
                                              .data = chunk.data,
                                              .size_B = chunk.size_B };
   dxbc_write(&container, &call->out);
   util_dynarray_fini(&chunk);
   return VKD3D_OK;
}

int
vkd3d_shader_serialize_root_signature(const versioned *root_signature,
                                      struct vkd3d_shader_code *dxbc,
                                      char **messages)
{
   struct d3dlib_call call = { .run = serialize, .info = root_signature };

   if (d3dlib_run(&call, messages) != VKD3D_OK) {
      util_dynarray_fini(&call.out);
      return call.result;
   }
   dxbc->code = d3dlib_take(&call, &dxbc->size);
   return dxbc->code ? VKD3D_OK : VKD3D_ERROR_OUT_OF_MEMORY;
}
