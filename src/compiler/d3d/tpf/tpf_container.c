/* SPDX-License-Identifier: MIT */
/*
 * The container: RDEF (names of constant buffers and resources and where
 * they are bound), ISGN and OSGN, SHEX, and the digest over all. Layout of
 * RDEF and signatures: what compilers write, read back (dxbc/tests).
 */
#include "tpf_emit.h"

#include "compiler/d3d/dxbc/dxbc.h"

struct blob {
   struct util_dynarray data;
};

static void
put(struct blob *b, uint32_t v)
{
   util_dynarray_append(&b->data, uint32_t, v);
}

static void
set(struct blob *b, size_t at_B, uint32_t v)
{
   memcpy((char *)b->data.data + at_B, &v, 4);
}

/* A string behind all that is there: its offset. */
static uint32_t
put_string(struct blob *b, const char *s)
{
   const uint32_t at = (uint32_t)b->data.size_B;
   const size_t n = strlen(s) + 1;
   char *to = util_dynarray_grow_bytes(&b->data, ALIGN(n, (size_t)4));

   memset(to, 0xab, ALIGN(n, (size_t)4));
   memcpy(to, s, n);
   return at;
}

/* --- Signatures --------------------------------------------------------- */

#define ELEMENT_B 24

/* The mask of an element is that of its type, from x on: it has no holes,
 * whatever is used of it. */
static void
put_element(struct blob *b, const struct tpf_io *io, unsigned reg,
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
signature(struct tpf_emit *e, bool in, struct blob *b)
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

/* --- Resources ---------------------------------------------------------- */

#define BINDING_B 32
#define BUFFER_B 24

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
put_binding(struct blob *b, const struct tpf_binding *r)
{
   const unsigned type = input_type(r), dim = dimension(r);

   put(b, 0); /* the name, later */
   put(b, type);
   put(b, type == 2 || type == 4 ? 5 : type == 0 || type == 3 ? 0 : 6);
   put(b, dim);
   put(b, r->stride_B                     ? r->stride_B
          : dim && type != 7 && type != 8 ? UINT32_MAX
                                          : 0);
   put(b, r->first);
   put(b, r->count);
   put(b, 0);
}

static bool
is_listed(const struct tpf_emit *e, unsigned i)
{
   const struct tpf_binding *b = &e->interface->binding[i];

   return (b->kind != TPF_BIND_CB || e->cb_size[b->first]) &&
          !(i && b[-1].kind == b->kind && b[-1].first == b->first);
}

/* Header, bindings, buffers (without their variables: size and name). */
static void
resources(struct tpf_emit *e, struct blob *b)
{
   const struct tpf_interface *in = e->interface;
   unsigned bindings = 0, buffers = 0;
   size_t at;

   for (unsigned i = 0; i < 7; i++)
      put(b, 0);
   /* SM5: sizes of the records that follow. */
   static const uint32_t sizes[] = {
      DXBC_TAG('R', 'D', '1', '1'), 60, 24, 32, 40, 36, 12, 0
   };
   for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
      put(b, sizes[i]);
   at = b->data.size_B;
   for (unsigned i = 0; i < in->num_bindings; i++) {
      if (is_listed(e, i)) {
         put_binding(b, &in->binding[i]);
         bindings++;
      }
   }
   const size_t buffers_at = b->data.size_B;
   for (unsigned i = 0; i < ARRAY_SIZE(e->cb_size); i++) {
      if (!e->cb_size[i])
         continue;
      const uint32_t row[] = { 0, 0, 0, 16 * e->cb_size[i], 0, 0 };
      for (unsigned k = 0; k < ARRAY_SIZE(row); k++)
         put(b, row[k]);
      buffers++;
   }
   for (unsigned i = 0, n = 0, cb = 0; i < in->num_bindings; i++) {
      if (!is_listed(e, i))
         continue;
      const uint32_t name = put_string(b, name_of(&in->binding[i]));
      set(b, at + BINDING_B * n++, name);
      if (in->binding[i].kind == TPF_BIND_CB) {
         for (unsigned k = 0; k < in->binding[i].count && cb < buffers; k++)
            set(b, buffers_at + BUFFER_B * cb++, name);
      }
   }
   set(b, 0, buffers);
   set(b, 4, (uint32_t)buffers_at);
   set(b, 8, bindings);
   set(b, 12, (uint32_t)at);
   set(b, 16,
       (e->stage == TPF_STAGE_PS   ? 0xffff0000u
        : e->stage == TPF_STAGE_VS ? 0xfffe0000u
                                   : 0x43530000u) |
          0x500);
   set(b, 24, put_string(b, "saffron"));
}

void
tpf_emit_container(struct tpf_emit *e, const struct tpf_shader *shader,
                   struct util_dynarray *out)
{
   struct blob rdef = { { 0 } }, isgn = { { 0 } }, osgn = { { 0 } };
   struct util_dynarray code = { 0 };

   resources(e, &rdef);
   signature(e, true, &isgn);
   signature(e, false, &osgn);
   tpf_encode(shader, &code);
   const struct dxbc c = {
      .chunk = {
         { DXBC_TAG('R', 'D', 'E', 'F'), rdef.data.data, 0,
           rdef.data.size_B },
         { DXBC_TAG('I', 'S', 'G', 'N'), isgn.data.data, 0,
           isgn.data.size_B },
         { DXBC_TAG('O', 'S', 'G', 'N'), osgn.data.data, 0,
           osgn.data.size_B },
         { DXBC_TAG('S', 'H', 'E', 'X'), code.data, 0, code.size_B },
      },
      .num_chunks = 4,
   };
   dxbc_write(&c, out);
   util_dynarray_fini(&rdef.data);
   util_dynarray_fini(&isgn.data);
   util_dynarray_fini(&osgn.data);
   util_dynarray_fini(&code);
}
