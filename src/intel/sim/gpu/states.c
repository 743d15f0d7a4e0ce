/* SPDX-License-Identifier: MIT */
/*
 * SAFFRON_SIM_STATES=FILE: what a draw is made with, a line a draw.
 *
 * Each packet of struct sim_render_state is packed again and hashed. Where
 * state lies in memory does not count: addresses become zero, and what is
 * there is hashed in their place: all of a structure, the beginning of a
 * buffer, an image or a program. What the draw has no use for (a stage that
 * is off, buffers that no element names) is left out, and so is a draw of no
 * vertices. So what draws the same way has the same lines, however many
 * packets it took. tests/corpus/state.py compares such files.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "gpu.h"
#include "memory_state.h"
#include "render_state.h"

/* Of what has no end that state tells. */
#define SAMPLE_B 64

struct states {
   struct sim_draw *draw;
   const struct sim_render_state *from;
   struct sim_render_state s; /* without addresses */
   FILE *file;
};

static bool
is_gen7(const struct states *t)
{
   return sim_traits(t->draw->gpu->verx10)->state_form == SIM_STATE_GEN7;
}

/* FNV-1a. */
static uint64_t
hash_bytes(uint64_t hash, const void *data, size_t size_B)
{
   for (size_t i = 0; i < size_B; i++)
      hash = (hash ^ ((const uint8_t *)data)[i]) * 0x100000001b3u;
   return hash;
}

#define HASH_BEGIN 0xcbf29ce484222325u

static void
say(struct states *t, const char *name, uint64_t hash)
{
   fprintf(t->file, " %s=%08" PRIx32, name, (uint32_t)(hash ^ hash >> 32));
}

/* What is not there is zero. */
static uint64_t
hash_memory(struct states *t, uint64_t hash, uint64_t addr, uint64_t size_B)
{
   for (uint64_t at = 0; at < size_B; at += 4) {
      const void *p =
         sim_mem_try_ptr(t->draw->mem, addr + at, MIN2(size_B - at, 4));
      hash = hash_bytes(hash, p ? p : "\0\0\0", MIN2(size_B - at, 4));
   }
   return hash;
}

static void
say_memory(struct states *t, const char *name, uint64_t addr, uint64_t size_B)
{
   say(t, name, hash_memory(t, HASH_BEGIN, addr, size_B));
}

/* ---- structures in memory ---- */

/* A buffer may end before. What is asked here is in the same place in all
 * generations. */
static uint64_t
surface_sample_B(const uint32_t dw[16])
{
   struct GEN9_RENDER_SURFACE_STATE s;
   GEN9_RENDER_SURFACE_STATE_unpack(dw, &s);
   if (s.SurfaceType != SURFTYPE_BUFFER)
      return SAMPLE_B;
   const uint64_t last = s.Width | s.Height << 7 | (uint64_t)s.Depth << 21;
   return MIN2((last + 1) * (s.SurfacePitch + 1), SAMPLE_B);
}

static uint64_t
hash_surface(struct states *t, uint64_t hash, uint64_t addr)
{
   uint32_t dw[16] = { 0 };
   for (unsigned i = 0; i < (is_gen7(t) ? 8 : 16); i++) {
      const uint32_t *p = sim_mem_try_ptr(t->draw->mem, addr + 4 * i, 4);
      dw[i] = p ? *p : 0;
   }
   uint64_t at = dw[1];
   if (is_gen7(t)) {
      dw[1] = dw[6] = 0;
   } else {
      at = dw[8] | (uint64_t)dw[9] << 32;
      dw[8] = dw[9] = dw[10] = dw[11] = 0;
   }
   hash = hash_bytes(hash, dw, sizeof(dw));
   return at ? hash_memory(t, hash, at, surface_sample_B(dw)) : hash;
}

static uint64_t
hash_table(struct states *t, uint64_t pointer, unsigned count)
{
   const uint64_t base = t->from->base.surface;
   uint64_t hash = HASH_BEGIN;
   for (unsigned i = 0; i < count; i++) {
      const uint32_t *entry =
         sim_mem_try_ptr(t->draw->mem, base + pointer + 4ull * i, 4);
      hash = hash_surface(t, hash, base + (entry ? *entry : 0));
   }
   return hash;
}

/* `fours`: at least one sampler of the last four. */
static uint64_t
hash_samplers(struct states *t, uint64_t pointer, unsigned fours)
{
   uint64_t hash = HASH_BEGIN;
   for (unsigned i = 0; fours && i < fours * 4 - 3; i++) {
      uint64_t at = t->from->base.dynamic + pointer + 16ull * i;
      hash = hash_memory(t, hash, at, 8);
      hash = hash_memory(t, hash, at + 12, 4); /* without the colour's */
   }
   return hash;
}

static uint64_t
hash_constants(struct states *t,
               const struct GEN9_3DSTATE_CONSTANT_BODY *body)
{
   uint64_t hash = HASH_BEGIN;
   for (unsigned i = 0; i < 4; i++)
      hash =
         hash_memory(t, hash, body->Buffer[i], 32ull * body->ReadLength[i]);
   return hash;
}

static uint64_t
hash_program(struct states *t, uint64_t pointer)
{
   return hash_memory(t, HASH_BEGIN, t->from->base.instruction + pointer,
                      SAMPLE_B);
}

/* ---- stages ---- */

#define DROP(t, member) memset(&(t)->s.member, 0, sizeof((t)->s.member))

#define STAGE(t, enable, xs, XS)                                             \
   do {                                                                      \
      const struct sim_render_state *from = (t)->from;                       \
      if (enable) {                                                          \
         say(t, #xs "_constants",                                            \
             hash_constants(t, &from->constant_##xs.ConstantBody));          \
         say(t, #xs "_table",                                                \
             hash_table(t,                                                   \
                        from->binding_table_pointers_##xs                    \
                           .Pointerto##XS##BindingTable,                     \
                        from->xs.BindingTableEntryCount));                   \
         say(t, #xs "_samplers",                                             \
             hash_samplers(t,                                                \
                           from->sampler_state_pointers_##xs                 \
                              .Pointerto##XS##SamplerState,                  \
                           from->xs.SamplerCount));                          \
         memset((t)->s.constant_##xs.ConstantBody.Buffer, 0,                 \
                sizeof((t)->s.constant_##xs.ConstantBody.Buffer));           \
      } else {                                                               \
         DROP(t, xs);                                                        \
         DROP(t, constant_##xs);                                             \
      }                                                                      \
      DROP(t, binding_table_pointers_##xs);                                  \
      DROP(t, sampler_state_pointers_##xs);                                  \
      (t)->s.xs.ScratchSpaceBasePointer = 0;                                 \
   } while (0)

#define GEOMETRY(t, xs, XS)                                                  \
   do {                                                                      \
      STAGE(t, (t)->from->xs.Enable, xs, XS);                                \
      if ((t)->from->xs.Enable)                                              \
         say(t, #xs "_program",                                              \
             hash_program(t, (t)->from->xs.KernelStartPointer));             \
      (t)->s.xs.KernelStartPointer = 0;                                      \
   } while (0)

static void
say_stages(struct states *t)
{
   GEOMETRY(t, vs, VS);
   GEOMETRY(t, hs, HS);
   GEOMETRY(t, ds, DS);
   GEOMETRY(t, gs, GS);
   STAGE(t, t->from->ps_extra.PixelShaderValid, ps, PS);
   const uint64_t programs[] = {
      t->from->ps.KernelStartPointer0,
      t->from->ps.KernelStartPointer1,
      t->from->ps.KernelStartPointer2,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(programs); i++) {
      if (t->from->ps_extra.PixelShaderValid && programs[i])
         say(t, "ps_program", hash_program(t, programs[i]));
   }
   t->s.ps.KernelStartPointer0 = t->s.ps.KernelStartPointer1 =
      t->s.ps.KernelStartPointer2 = 0;
}

/* ---- fixed functions ---- */

static void
say_dynamic(struct states *t)
{
   const struct sim_render_state *from = t->from;
   const unsigned verx10 = t->draw->gpu->verx10;
   const uint64_t base = from->base.dynamic;
   const unsigned viewports = from->clip.MaximumVPIndex + 1;
   say_memory(t, "blend", base + from->blend_state_pointers.BlendStatePointer,
              sim_blend_entry_offset_B(verx10, 8));
   say_memory(t, "color_calc",
              base + from->cc_state_pointers.ColorCalcStatePointer,
              GEN9_COLOR_CALC_STATE_length * 4);
   say_memory(t, "sf_clip_viewports",
              base +
                 from->viewport_state_pointers_sf_clip.SFClipViewportPointer,
              (is_gen7(t) ? 48ull : 64) * viewports);
   say_memory(t, "cc_viewports",
              base + from->viewport_state_pointers_cc.CCViewportPointer,
              8ull * viewports);
   say_memory(t, "scissors",
              base + from->scissor_state_pointers.ScissorRectPointer,
              8ull * viewports);
   DROP(t, blend_state_pointers);
   DROP(t, cc_state_pointers);
   DROP(t, viewport_state_pointers_sf_clip);
   DROP(t, viewport_state_pointers_cc);
   DROP(t, scissor_state_pointers);
   if (!from->wm.LineStippleEnable)
      DROP(t, line_stipple);
}

static void
say_depth(struct states *t)
{
   const struct sim_render_state *from = t->from;
   say_memory(t, "depth", from->depth_buffer.SurfaceBaseAddress, SAMPLE_B);
   say_memory(t, "stencil", from->stencil_buffer.SurfaceBaseAddress,
              SAMPLE_B);
   t->s.depth_buffer.SurfaceBaseAddress = 0;
   t->s.stencil_buffer.SurfaceBaseAddress = 0;
   t->s.hier_depth_buffer.SurfaceBaseAddress = 0;
}

static void
say_vertices(struct states *t)
{
   const struct sim_render_state *from = t->from;
   uint64_t elements = HASH_BEGIN, buffers = HASH_BEGIN;
   for (unsigned i = 0; i < from->num_vertex_elements; i++) {
      uint32_t dw[GEN9_3DSTATE_VF_INSTANCING_length];
      const struct GEN9_VERTEX_ELEMENT_STATE *e = &from->vertex_element[i];
      GEN9_VERTEX_ELEMENT_STATE_pack(dw, e);
      elements =
         hash_bytes(elements, dw, GEN9_VERTEX_ELEMENT_STATE_length * 4);
      GEN9_3DSTATE_VF_INSTANCING_pack(dw, &from->vf_instancing[i]);
      elements = hash_bytes(elements, dw, sizeof(dw));
      if (e->VertexBufferIndex >= SIM_MAX_VERTEX_BUFFERS)
         continue;
      struct GEN9_VERTEX_BUFFER_STATE b =
         from->vertex_buffer[e->VertexBufferIndex];
      buffers = hash_memory(t, buffers, b.BufferStartingAddress,
                            MIN2(b.BufferSize, SAMPLE_B));
      b.BufferStartingAddress = 0;
      uint32_t buffer[GEN9_VERTEX_BUFFER_STATE_length];
      GEN9_VERTEX_BUFFER_STATE_pack(buffer, &b);
      buffers = hash_bytes(buffers, buffer, sizeof(buffer));
   }
   say(t, "vertex_elements", elements);
   say(t, "vertex_buffers", buffers);
   if (t->draw->indexed)
      say_memory(t, "indices", from->index_buffer.BufferStartingAddress,
                 MIN2(from->index_buffer.BufferSize, SAMPLE_B));
   else
      DROP(t, index_buffer);
   t->s.index_buffer.BufferStartingAddress = 0;
   if (!t->draw->indexed)
      DROP(t, vf);
}

static void
say_streamout(struct states *t)
{
   const struct sim_render_state *from = t->from;
   if (!from->streamout.SOFunctionEnable)
      return;
   uint64_t hash = HASH_BEGIN;
   for (unsigned i = 0; i < SIM_MAX_SO_BUFFERS; i++) {
      const struct GEN9_3DSTATE_SO_BUFFER *b = &from->so_buffer[i];
      const uint32_t words[] = { b->SOBufferEnable, b->SurfaceSize };
      if (b->SOBufferEnable)
         hash = hash_bytes(hash, words, sizeof(words));
   }
   for (unsigned i = 0; i < SIM_MAX_SO_STREAMS; i++) {
      for (unsigned j = 0; j < from->num_so_decls[i]; j++) {
         uint32_t dw = 0;
         GEN9_SO_DECL_pack(&dw, &from->so_decl[i][j]);
         hash = hash_bytes(hash, &dw, sizeof(dw));
      }
   }
   say(t, "stream_outputs", hash);
}

/* Addresses alone, or not of draws. */
static void
drop_others(struct states *t)
{
   DROP(t, state_base_address);
   DROP(t, state_sip);
   DROP(t, media_vfe_state);
   DROP(t, binding_table_pool_alloc);
}

static void
say_draw(struct states *t)
{
   const struct sim_draw *draw = t->draw;
   fprintf(t->file,
           "topology=%" PRIu32 " indexed=%d vertices=%" PRIu32
           " instances=%" PRIu32 " first=%" PRIu32 " base=%" PRId32,
           draw->topology, draw->indexed, draw->vertex_count,
           draw->instance_count, draw->start_vertex, draw->base_vertex);
   say_stages(t);
   say_dynamic(t);
   say_depth(t);
   say_vertices(t);
   say_streamout(t);
   drop_others(t);
#define SAY(packet, member)                                                  \
   {                                                                         \
      uint32_t dw[GEN9_##packet##_length];                                   \
      GEN9_##packet##_pack(dw, &t->s.member);                                \
      say(t, #member, hash_bytes(HASH_BEGIN, dw, sizeof(dw)));               \
   }
   SIM_3DSTATE_PACKETS(SAY)
   fputc('\n', t->file);
}

void
sim_states_draw(const char *name, struct sim_draw *draw)
{
   char *line = NULL;
   size_t size_B = 0;
   if (!draw->vertex_count || !draw->instance_count)
      return;
   struct states t = { draw, draw->state, *draw->state,
                       open_memstream(&line, &size_B) };
   if (!t.file)
      return;
   say_draw(&t);
   fclose(t.file);
   /* In one piece, as others may append, too. */
   const int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
   if (fd < 0 || write(fd, line, size_B) != (ssize_t)size_B)
      fprintf(stderr, "saffron: SAFFRON_SIM_STATES: %s: not written\n", name);
   if (fd >= 0)
      close(fd);
   free(line);
}
