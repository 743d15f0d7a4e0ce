/* SPDX-License-Identifier: MIT */
/*
 * The container: RDEF (tpf_rdef.c), ISGN and OSGN, SHEX, and the digest over
 * all. Layout of signatures: what compilers write, read back (dxbc/tests).
 */
#include "tpf_emit.h"

#include "compiler/d3d/dxbc/dxbc.h"
#include "tpf_chunk.h"

/* --- Signatures --------------------------------------------------------- */

#define ELEMENT_B 24

/* The mask of an element is that of its type, from x on: it has no holes,
 * whatever is used of it. */
static void
put_element(struct util_dynarray *b, const struct tpf_io *io, unsigned reg,
            uint32_t value, unsigned used)
{
   const unsigned n = 32 - (unsigned)__builtin_clz(io->mask);

   tpf_put(b, 0); /* the name, later */
   tpf_put(b, io->semantic_index);
   tpf_put(b, value);
   tpf_put(b, io->type);
   tpf_put(b, reg);
   tpf_put(b, BITFIELD_MASK(n) | used << 8);
}

/* In an output's second mask stands what is never written. */
static void
signature(struct tpf_emit *e, bool in, struct util_dynarray *b)
{
   const struct tpf_io *regs = in ? e->in : e->out;
   const char *names[TPF_EMIT_REGS + 3];
   unsigned n = 0;

   tpf_put(b, 0);
   tpf_put(b, 8);
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
   tpf_set(b, 0, n);
   for (unsigned i = 0; i < n; i++)
      tpf_set(b, 8 + ELEMENT_B * i, tpf_put_string(b, names[i]));
}

void
tpf_emit_container(struct tpf_emit *e, const struct tpf_shader *shader,
                   struct util_dynarray *out)
{
   struct util_dynarray rdef = { 0 }, isgn = { 0 }, osgn = { 0 };
   struct util_dynarray code = { 0 };

   tpf_emit_rdef(e, &rdef);
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
