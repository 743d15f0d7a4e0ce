/* SPDX-License-Identifier: MIT */
/*
 * Stream output: attributes of unclipped primitives to up to four buffers
 * (PRM SKL Vol. 7 "Stream Output Logic (SOL) Stage", Vol. 2a
 * 3DSTATE_STREAMOUT, 3DSTATE_SO_DECL_LIST, 3DSTATE_SO_BUFFER).
 *
 * Each of the four streams has a list of what it writes where, and a mask of
 * the buffers that are its own. A primitive is written as a whole: if one of
 * these has no room for all of its vertices, nothing is written to any.
 * Without a geometry shader all primitives are of stream 0.
 *
 * The vertices of a triangle fan are written in the order of the fan,
 * whichever of them is provoking: drivers know that this hardware does not
 * put the provoking vertex first then (Mesa's anv reports
 * transformFeedbackPreservesTriangleFanProvokingVertex as false).
 */
#include "front_private.h"
#include "intel/sim/mem/watch.h"

static void
set_stream(struct sim_front *f, unsigned stream, unsigned read_offset,
           unsigned buffers)
{
   f->so_stream[stream].read_dw = 8 * read_offset;
   for (unsigned b = 0; b < SIM_MAX_SO_BUFFERS; b++) {
      if (!f->state->so_buffer[b].SOBufferEnable)
         buffers &= ~(1u << b);
   }
   f->so_stream[stream].buffers = buffers;
}

static bool
check_stream(struct sim_front *f, unsigned stream, unsigned read_length)
{
   const unsigned begin = f->so_stream[stream].read_dw;
   const unsigned end = MIN2(begin + 8 * (read_length + 1), f->vue_dw);
   for (unsigned i = 0; i < f->state->num_so_decls[stream]; i++) {
      const struct GEN9_SO_DECL *d = &f->state->so_decl[stream][i];
      if (d->HoleFlag || begin + 4 * d->RegisterIndex + 4 <= end)
         continue;
      sim_draw_fault(f->draw,
                     "3DSTATE_SO_DECL_LIST: entry %u of stream %u "
                     "reads register %u past the vertex",
                     i, stream, d->RegisterIndex);
      return false;
   }
   return true;
}

bool
sim_so_prepare(struct sim_front *f)
{
   const struct GEN9_3DSTATE_STREAMOUT *so = &f->state->streamout;
   const struct GEN9_3DSTATE_SO_DECL_LIST *list = &f->state->so_decl_list;
   f->so_enable = so->SOFunctionEnable;
   if (!f->so_enable)
      return true;
   set_stream(f, 0, so->Stream0VertexReadOffset,
              list->StreamtoBufferSelects0);
   set_stream(f, 1, so->Stream1VertexReadOffset,
              list->StreamtoBufferSelects1);
   set_stream(f, 2, so->Stream2VertexReadOffset,
              list->StreamtoBufferSelects2);
   set_stream(f, 3, so->Stream3VertexReadOffset,
              list->StreamtoBufferSelects3);
   f->so_pitch_B[0] = so->Buffer0SurfacePitch;
   f->so_pitch_B[1] = so->Buffer1SurfacePitch;
   f->so_pitch_B[2] = so->Buffer2SurfacePitch;
   f->so_pitch_B[3] = so->Buffer3SurfacePitch;
   return check_stream(f, 0, so->Stream0VertexReadLength) &&
          (!f->has_gs || (check_stream(f, 1, so->Stream1VertexReadLength) &&
                          check_stream(f, 2, so->Stream2VertexReadLength) &&
                          check_stream(f, 3, so->Stream3VertexReadLength)));
}

static bool
has_room(const struct sim_front *f, unsigned mask, unsigned vertices)
{
   while (mask) {
      const unsigned b = (unsigned)u_bit_scan(&mask);
      /* "Surface Size: the number of dwords minus one". */
      const uint64_t size_B = 4ull *
                              (f->state->so_buffer[b].SurfaceSize + 1ull);
      const uint64_t end_B = f->draw->counters->so_write_offset[b] +
                             (uint64_t)vertices * f->so_pitch_B[b];
      if (end_B > size_B)
         return false;
   }
   return true;
}

static bool
write_vertex(struct sim_front *f, unsigned stream, const uint32_t *vue)
{
   const struct sim_render_state *s = f->state;
   const unsigned mask = f->so_stream[stream].buffers;
   uint32_t *write_offset = f->draw->counters->so_write_offset;
   unsigned at_B[SIM_MAX_SO_BUFFERS] = { 0 };
   for (unsigned i = 0; i < s->num_so_decls[stream]; i++) {
      const struct GEN9_SO_DECL *d = &s->so_decl[stream][i];
      const unsigned b = d->OutputBufferSlot;
      const uint32_t *reg = vue + f->so_stream[stream].read_dw +
                            4 * d->RegisterIndex;
      uint32_t out[4];
      unsigned n = 0;
      for (unsigned c = 0; c < 4; c++) {
         if (d->ComponentMask >> c & 1)
            out[n++] = d->HoleFlag ? 0 : reg[c];
      }
      const uint64_t address = s->so_buffer[b].SurfaceBaseAddress +
                               write_offset[b] + at_B[b];
      at_B[b] += 4 * n;
      if (d->HoleFlag || !(mask >> b & 1))
         continue;
      sim_mem_note(f->draw->mem, SIM_CLIENT_STREAMOUT, address, 4ull * n,
                   SIM_MEM_WRITE);
      if (!sim_mem_write(f->draw->mem, address, out, 4ull * n)) {
         sim_draw_mem_fault(f->draw, f->draw->mem, "stream output");
         return false;
      }
   }
   for (unsigned b = 0; b < SIM_MAX_SO_BUFFERS; b++) {
      if (mask >> b & 1)
         write_offset[b] += f->so_pitch_B[b];
   }
   return true;
}

bool
sim_so_primitive(struct sim_front *f, const struct front_prim *p)
{
   f->counters.so_prim_storage_needed[p->stream]++;
   if (!has_room(f, f->so_stream[p->stream].buffers, p->so_vertices))
      return true;
   f->counters.so_prims_written[p->stream]++;
   /* Odd triangles of a strip: assembly has (a, c, b), which keeps the
    * leading vertex first; the other mode keeps the trailing one last. */
   static const uint8_t leading[3] = { 0, 1, 2 }, trailing[3] = { 2, 0, 1 };
   const uint8_t *order =
      p->odd && f->state->streamout.ReorderMode == TRAILING ? trailing
                                                            : leading;
   for (unsigned i = 0; i < p->so_vertices; i++) {
      if (!write_vertex(f, p->stream, front_vue(f, p->v[order[i]])))
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
      sim_mem_note(f->draw->mem, SIM_CLIENT_COMMANDS,
                   so->StreamOutputBufferOffsetAddress, 4, SIM_MEM_WRITE);
      if (!sim_mem_write(f->draw->mem, so->StreamOutputBufferOffsetAddress,
                         &f->draw->counters->so_write_offset[b], 4)) {
         sim_draw_mem_fault(f->draw, f->draw->mem, "stream output offset");
         return false;
      }
   }
   return true;
}
