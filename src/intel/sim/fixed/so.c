/* SPDX-License-Identifier: MIT */
/*
 * Stream output: attributes of unclipped primitives to up to four buffers
 * (PRM SKL Vol. 7 "Stream Output Logic (SOL) Stage", Vol. 2a
 * 3DSTATE_STREAMOUT, 3DSTATE_SO_DECL_LIST, 3DSTATE_SO_BUFFER).
 *
 * A primitive is written as a whole: if one buffer has no room for all of
 * its vertices, nothing is written to any. Without a geometry shader all
 * primitives are of stream 0.
 */
#include "front_private.h"

static unsigned
pitch_B(const struct sim_front *f, unsigned buffer)
{
   const struct GEN9_3DSTATE_STREAMOUT *so = &f->state->streamout;
   const unsigned pitch[] = { so->Buffer0SurfacePitch,
                              so->Buffer1SurfacePitch,
                              so->Buffer2SurfacePitch,
                              so->Buffer3SurfacePitch };
   return pitch[buffer];
}

/* Buffers of stream 0 that take part: declared by something, and enabled. */
static unsigned
buffer_mask(const struct sim_front *f)
{
   unsigned mask = 0;
   for (unsigned i = 0; i < f->state->num_so_decls[0]; i++)
      mask |= 1u << f->state->so_decl[0][i].OutputBufferSlot;
   for (unsigned b = 0; b < SIM_MAX_SO_BUFFERS; b++) {
      if (!f->state->so_buffer[b].SOBufferEnable)
         mask &= ~(1u << b);
   }
   return mask;
}

bool
sim_so_prepare(struct sim_front *f)
{
   const struct GEN9_3DSTATE_STREAMOUT *so = &f->state->streamout;
   f->so_enable = so->SOFunctionEnable;
   if (!f->so_enable)
      return true;
   const unsigned end_dw =
      8 * (so->Stream0VertexReadOffset + so->Stream0VertexReadLength + 1);
   for (unsigned i = 0; i < f->state->num_so_decls[0]; i++) {
      const struct GEN9_SO_DECL *d = &f->state->so_decl[0][i];
      const unsigned dw =
         8 * so->Stream0VertexReadOffset + 4 * d->RegisterIndex;
      if (d->HoleFlag)
         continue;
      if (dw + 4 > MIN2(end_dw, f->vue_dw)) {
         sim_draw_fault(f->draw, "3DSTATE_SO_DECL_LIST: entry %u reads "
                        "register %u past the vertex", i, d->RegisterIndex);
         return false;
      }
   }
   if (so->RenderStreamSelect)
      f->rasterize = false; /* that stream has no primitives */
   return true;
}

static bool
has_room(const struct sim_front *f, unsigned vertices)
{
   unsigned mask = buffer_mask(f);
   while (mask) {
      const unsigned b = (unsigned)u_bit_scan(&mask);
      /* "Surface Size: the number of dwords minus one". */
      const uint64_t size_B =
         4ull * (f->state->so_buffer[b].SurfaceSize + 1ull);
      const uint64_t end_B = f->draw->counters->so_write_offset[b] +
                             (uint64_t)vertices * pitch_B(f, b);
      if (end_B > size_B)
         return false;
   }
   return true;
}

static bool
write_vertex(struct sim_front *f, const uint32_t *vue)
{
   const struct sim_render_state *s = f->state;
   const unsigned mask = buffer_mask(f);
   uint32_t *write_offset = f->draw->counters->so_write_offset;
   unsigned at_B[SIM_MAX_SO_BUFFERS] = { 0 };
   for (unsigned i = 0; i < s->num_so_decls[0]; i++) {
      const struct GEN9_SO_DECL *d = &s->so_decl[0][i];
      const unsigned b = d->OutputBufferSlot;
      const uint32_t *reg = vue + 8 * s->streamout.Stream0VertexReadOffset +
                            4 * d->RegisterIndex;
      uint32_t out[4];
      unsigned n = 0;
      for (unsigned c = 0; c < 4; c++) {
         if (d->ComponentMask >> c & 1)
            out[n++] = d->HoleFlag ? 0 : reg[c];
      }
      const uint64_t address =
         s->so_buffer[b].SurfaceBaseAddress + write_offset[b] + at_B[b];
      at_B[b] += 4 * n;
      if (d->HoleFlag || !(mask >> b & 1))
         continue;
      if (!sim_mem_write(f->draw->mem, address, out, 4ull * n)) {
         sim_draw_mem_fault(f->draw, f->draw->mem, "stream output");
         return false;
      }
   }
   for (unsigned b = 0; b < SIM_MAX_SO_BUFFERS; b++) {
      if (mask >> b & 1)
         write_offset[b] += pitch_B(f, b);
   }
   return true;
}

bool
sim_so_primitive(struct sim_front *f, const struct front_prim *p)
{
   f->counters.so_prim_storage_needed[0]++;
   if (!has_room(f, p->so_vertices))
      return true;
   f->counters.so_prims_written[0]++;
   /* Odd triangles of a strip: assembly has (a, c, b), which keeps the
    * leading vertex first; the other mode keeps the trailing one last. */
   static const uint8_t leading[3] = { 0, 1, 2 }, trailing[3] = { 2, 0, 1 };
   const uint8_t *order =
      p->odd && f->state->streamout.ReorderMode == TRAILING ? trailing
                                                            : leading;
   for (unsigned i = 0; i < p->so_vertices; i++) {
      if (!write_vertex(f, front_vue(f, p->v[order[i]])))
         return false;
   }
   return true;
}

/* The write offsets go to memory, for those who draw from the buffer. */
bool
sim_so_finish(struct sim_front *f)
{
   for (unsigned b = 0; b < SIM_MAX_SO_BUFFERS; b++) {
      const struct GEN9_3DSTATE_SO_BUFFER *so = &f->state->so_buffer[b];
      if (!so->SOBufferEnable || !so->StreamOutputBufferOffsetAddressEnable)
         continue;
      if (!sim_mem_write(f->draw->mem, so->StreamOutputBufferOffsetAddress,
                         &f->draw->counters->so_write_offset[b], 4)) {
         sim_draw_mem_fault(f->draw, f->draw->mem, "stream output offset");
         return false;
      }
   }
   return true;
}
