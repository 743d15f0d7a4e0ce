/* SPDX-License-Identifier: MIT */
#include "sim_pipe.h"

#include <string.h>

struct seen seen[1024];
unsigned num_seen;

void
sim_raster_begin(struct sim_draw *draw)
{
}

void
sim_raster_primitive(struct sim_draw *draw, const struct sim_prim *p)
{
   struct seen *s = &seen[num_seen++ % 1024];
   s->kind = p->kind;
   s->edges = p->edge_mask;
   s->id = p->primitive_id;
   s->clipped = p->original[0];
   s->restarts_stipple = p->restarts_stipple;
   for (unsigned i = 0; i <= p->kind; i++) {
      memcpy(s->v[i], p->v[i]->dw,
             MIN2(p->v[i]->size_dw, 16) * sizeof(uint32_t));
      memcpy(s->b[i], p->v[i]->b, sizeof(s->b[i]));
   }
   memcpy(s->provoking, p->provoking->dw,
          MIN2(p->provoking->size_dw, 16) * sizeof(uint32_t));
}

void
sim_raster_end(struct sim_draw *draw)
{
}

struct pipe
pipe_start(void **state)
{
   struct pipe p = { .b = batch_start(state) };
   struct fixture *f = p.b.f;
   p.vertices = f_bo(f, 65536, VERTICES);
   p.indices = f_bo(f, 4096, INDICES);
   p.so = f_bo(f, 65536, SO);
   p.dynamic = f_bo(f, 4096, DYNAMIC);
   p.program = f_bo(f, 4096, PROGRAM);
   num_seen = 0;
   struct batch *b = &p.b;
   EMIT(b, PIPELINE_SELECT, .MaskBits = 3, .PipelineSelection = PIPELINE_3D);
   EMIT(b, STATE_BASE_ADDRESS, .DynamicStateBaseAddress = DYNAMIC,
        .DynamicStateBaseAddressModifyEnable = true,
        .InstructionBaseAddress = PROGRAM,
        .InstructionBaseAddressModifyEnable = true);
   EMIT(b, 3DSTATE_URB_VS, .VSNumberofURBEntries = 64,
        .VSURBEntryAllocationSize = 0);
   EMIT(b, 3DSTATE_VF_STATISTICS, .StatisticsEnable = true);
   return p;
}

void
pipe_element(struct pipe *p, uint32_t format, unsigned buffer,
             unsigned offset, unsigned c0, unsigned c1, unsigned c2,
             unsigned c3)
{
   p->element[p->num_elements++] = (struct GEN9_VERTEX_ELEMENT_STATE) {
      .Valid = true,
      .SourceElementFormat = format,
      .VertexBufferIndex = buffer,
      .SourceElementOffset = offset,
      .Component0Control = c0,
      .Component1Control = c1,
      .Component2Control = c2,
      .Component3Control = c3,
   };
}

void
pipe_emit_elements(struct pipe *p)
{
   struct batch *b = &p->b;
   const struct GEN9_3DSTATE_VERTEX_ELEMENTS e = {
      .DWordLength = 2 * p->num_elements - 1
   };
   GEN9_3DSTATE_VERTEX_ELEMENTS_pack(b->next, &e);
   for (unsigned i = 0; i < p->num_elements; i++)
      GEN9_VERTEX_ELEMENT_STATE_pack(&b->next[1 + 2 * i], &p->element[i]);
   b->next += 1 + 2 * p->num_elements;
}

void
pipe_vertex_buffer(struct pipe *p, unsigned index, uint64_t address,
                   unsigned size_B, unsigned pitch_B)
{
   struct batch *b = &p->b;
   const struct GEN9_3DSTATE_VERTEX_BUFFERS v = { .DWordLength = 3 };
   const struct GEN9_VERTEX_BUFFER_STATE s = {
      .VertexBufferIndex = index,
      .AddressModifyEnable = true,
      .BufferStartingAddress = address,
      .BufferSize = size_B,
      .BufferPitch = pitch_B,
   };
   GEN9_3DSTATE_VERTEX_BUFFERS_pack(b->next, &v);
   GEN9_VERTEX_BUFFER_STATE_pack(b->next + 1, &s);
   b->next += 5;
}

void
pipe_capture(struct pipe *p, unsigned size_B)
{
   struct batch *b = &p->b;
   EMIT(b, 3DSTATE_STREAMOUT, .SOFunctionEnable = true,
        .SOStatisticsEnable = true, .RenderingDisable = true,
        .Stream0VertexReadLength = 1, .Buffer0SurfacePitch = 32);
   batch_so_decls(b, 0);
   EMIT(b, 3DSTATE_SO_BUFFER, .SOBufferEnable = true,
        .StreamOffsetWriteEnable = true, .StreamOffset = 0,
        .SurfaceBaseAddress = SO, .SurfaceSize = size_B / 4 - 1,
        .StreamOutputBufferOffsetAddressEnable = true,
        .StreamOutputBufferOffsetAddress = DATA + 128);
}

void
pipe_draw(struct pipe *p, uint32_t topology, unsigned count)
{
   struct batch *b = &p->b;
   EMIT(b, 3DSTATE_VF_TOPOLOGY, .PrimitiveTopologyType = topology);
   EMIT(b, 3DPRIMITIVE, .VertexCountPerInstance = count, .InstanceCount = 1);
}

void
pipe_program(struct pipe *p, const char *text)
{
   batch_program(&p->program, 0, text);
}

void
pipe_run_damaged(struct pipe *p, unsigned program_dw)
{
   struct batch *b = &p->b;
   uint32_t batch[1024], code[256];
   *b->next++ = MI_BATCH_BUFFER_END;
   const unsigned size_dw = (unsigned)(b->next - b->bo.map);
   assert_true(size_dw <= ARRAY_SIZE(batch));
   assert_true(program_dw <= ARRAY_SIZE(code));
   memcpy(batch, b->bo.map, size_dw * 4);
   memcpy(code, p->program.map, program_dw * 4);
   const struct damage_rounds rounds = damage_start(2);
   uint64_t random = 0xf00d;
   for (unsigned round = 0; damage_goes_on(&rounds, round); round++) {
      memcpy(b->bo.map, batch, size_dw * 4);
      memcpy(p->program.map, code, program_dw * 4);
      for (unsigned i = 0; i <= round % 3; i++)
         damage(round % 4 ? b->bo.map : p->program.map,
                round % 4 ? size_dw : program_dw, &random);
      assert_int_equal(batch_run_once(b), 0);
   }
   assert_true(b->f->num_reports > 0);
}
