/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback by the stream output stage.
 *
 * The write offsets of the four buffers live in registers while feedback is
 * active: vkCmdBegin loads them from counter buffers (or zero), vkCmdEnd
 * stores them there. Buffers are programmed so that the packet does not
 * touch the offsets.
 */
#include "genX_private.h"

#define WRITE_OFFSET(i)                                                      \
   (GENX(SO_WRITE_OFFSET0_num) +                                             \
    (i) * (GENX(SO_WRITE_OFFSET1_num) - GENX(SO_WRITE_OFFSET0_num)))

/* Gen7 has no enable, but the pitch: there a buffer that ends where it starts
 * is none. */
static void
emit_buffers(struct saf_cmd_buffer *cmd, const struct saf_xfb_info *xfb)
{
   for (unsigned i = 0; i < SAF_MAX_XFB_BUFFERS; i++) {
      const struct saf_xfb_binding *b = &cmd->xfb[i];
      saf_emit(&cmd->batch, 3DSTATE_SO_BUFFER, so)
      {
         so.SOBufferIndex = i;
         if (cmd->xfb_active && b->size_B >= 4) {
            so.MOCS = cmd->device->info->mocs_cached;
            so.SurfaceBaseAddress = b->addr;
#if GEN_VERX10 >= 80
            so.SOBufferEnable = true;
            so.SurfaceSize = (uint32_t)(MIN2(b->size_B, 1ull << 32) / 4 - 1);
            /* Offset writes are off: registers keep what they have. */
            so.StreamOffsetWriteEnable = false;
#else
            so.SurfacePitch = xfb->stride_B[i];
            so.SurfaceEndAddress = b->addr + (b->size_B & ~3ull);
#endif
         }
      }
   }
}

#define MAX_DECLS 128

/* The declarations of one stream. */
struct decls {
   unsigned count;
   struct GENX(SO_DECL) decl[MAX_DECLS];
};

static void
add_decl(struct decls *d, struct GENX(SO_DECL) decl)
{
   if (d->count < MAX_DECLS)
      d->decl[d->count] = decl;
   d->count++; /* too many is found later */
}

/*
 * Each declaration writes up to four contiguous components of one slot;
 * holes skip dwords, at most four at once.
 */
static void
append_decls(struct decls *d, const struct saf_xfb_info *xfb,
             const struct intel_vue_map *vue, unsigned stream,
             unsigned buffer)
{
   uint32_t next_B = 0;
   for (;;) {
      /* The output with the lowest offset that was not written yet. */
      const struct saf_xfb_output *best = NULL;
      for (uint32_t i = 0; i < xfb->output_count; i++) {
         const struct saf_xfb_output *o = &xfb->outputs[i];
         if (o->buffer == buffer && o->stream == stream &&
             o->offset_B >= next_B && (!best || o->offset_B < best->offset_B))
            best = o;
      }
      if (!best)
         return;
      uint32_t hole_dw = (best->offset_B - next_B) / 4;
      while (hole_dw) {
         const unsigned n = MIN2(hole_dw, 4);
         add_decl(d, (struct GENX(SO_DECL)) {
                        .HoleFlag = true,
                        .OutputBufferSlot = buffer,
                        .ComponentMask = BITFIELD_MASK(n),
                     });
         hole_dw -= n;
      }
      const int slot = vue->varying_to_slot[best->location];
      add_decl(d, (struct GENX(SO_DECL)) {
                     .OutputBufferSlot = buffer,
                     .RegisterIndex = slot < 0 ? 0 : (uint32_t)slot,
                     .ComponentMask = best->component_mask,
                     .HoleFlag = slot < 0,
                  });
      next_B = best->offset_B +
               4 * (uint32_t)__builtin_popcount(best->component_mask);
   }
}

static void
emit_decl_list(struct saf_cmd_buffer *cmd, const struct saf_xfb_info *xfb)
{
   const struct intel_vue_map *vue = &cmd->draw.pipeline->out.vue_map;
   struct decls d[SAF_MAX_XFB_STREAMS];
   unsigned count = 0;
   for (unsigned s = 0; s < SAF_MAX_XFB_STREAMS; s++) {
      d[s].count = 0;
      for (unsigned b = 0; b < SAF_MAX_XFB_BUFFERS; b++) {
         if (xfb->buffers_of_stream[s] & (1u << b))
            append_decls(&d[s], xfb, vue, s, b);
      }
      count = MAX2(count, d[s].count);
   }
   if (count > MAX_DECLS) {
      saf_error(VK_ERROR_UNKNOWN, "more than %u stream output entries",
                MAX_DECLS);
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return;
   }
   const unsigned entry_dw = GENX(SO_DECL_ENTRY_length);
   const unsigned total = GENX(3DSTATE_SO_DECL_LIST_length) +
                          count * entry_dw;
   uint32_t *dw = saf_batch_dwords(&cmd->batch, total);
   const struct GENX(3DSTATE_SO_DECL_LIST) head = {
      GENX(3DSTATE_SO_DECL_LIST_header),
      .DWordLength = total - GENX(3DSTATE_SO_DECL_LIST_length_bias),
      .StreamtoBufferSelects0 = xfb->buffers_of_stream[0],
      .StreamtoBufferSelects1 = xfb->buffers_of_stream[1],
      .StreamtoBufferSelects2 = xfb->buffers_of_stream[2],
      .StreamtoBufferSelects3 = xfb->buffers_of_stream[3],
      .NumEntries0 = d[0].count,
      .NumEntries1 = d[1].count,
      .NumEntries2 = d[2].count,
      .NumEntries3 = d[3].count,
   };
   GENX(3DSTATE_SO_DECL_LIST_pack)(dw, &head);
   dw += GENX(3DSTATE_SO_DECL_LIST_length);
   const struct GENX(SO_DECL) none = { 0 };
   for (unsigned i = 0; i < count; i++) {
      const struct GENX(SO_DECL_ENTRY) entry = {
         .Stream0Decl = i < d[0].count ? d[0].decl[i] : none,
         .Stream1Decl = i < d[1].count ? d[1].decl[i] : none,
         .Stream2Decl = i < d[2].count ? d[2].decl[i] : none,
         .Stream3Decl = i < d[3].count ? d[3].decl[i] : none,
      };
      GENX(SO_DECL_ENTRY_pack)(dw + i * entry_dw, &entry);
   }
}

/* With stream output off the hardware draws the vertices of all streams,
 * whatever Render Stream Select says: it has to be on, then, for a shader
 * that emits to others than the selected one. All but geometry shaders emit
 * to the first. */
static bool
has_streams(const struct saf_pipeline *pipeline,
            const struct saf_gfx_state *gfx)
{
   const uint32_t streams = pipeline->last->stage == MESA_SHADER_GEOMETRY
                               ? pipeline->last->prog.gs.active_stream_mask
                               : 1;
   return streams & ~(1u << gfx->rasterization_stream);
}

void
genX(emit_streamout)(struct saf_cmd_buffer *cmd)
{
   static const struct saf_xfb_info nothing;
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   const struct saf_gfx_state *gfx = &cmd->draw.gfx;
   const struct saf_xfb_info *xfb = cmd->xfb_active ? pipeline->last->xfb
                                                    : NULL;
   if (!xfb && has_streams(pipeline, gfx))
      xfb = &nothing;
   if (xfb) {
      genX(sent)(cmd)->at_3DSTATE_STREAMOUT[0] = 0; /* it comes after them */
      emit_buffers(cmd, xfb);
      emit_decl_list(cmd, xfb);
   }
   saf_emit_state(cmd, 3DSTATE_STREAMOUT, so)
   {
      so.SOStatisticsEnable = true;
      /* The clipper rejects what is not to be rasterised, but counts it for
       * queries. */
      so.RenderingDisable = false;
      so.RenderStreamSelect = gfx->rasterization_stream;
      so.ReorderMode = gfx->provoking_last ? TRAILING : LEADING;
      if (xfb) {
         /* All streams have vertices of the same form. */
         const uint32_t length =
            DIV_ROUND_UP(pipeline->out.vue_map.num_slots, 2) - 1;
         so.SOFunctionEnable = true;
#if GEN_VERX10 >= 80
         so.Buffer0SurfacePitch = xfb->stride_B[0];
         so.Buffer1SurfacePitch = xfb->stride_B[1];
         so.Buffer2SurfacePitch = xfb->stride_B[2];
         so.Buffer3SurfacePitch = xfb->stride_B[3];
#else
         so.SOBufferEnable0 = xfb->buffers_written & 1;
         so.SOBufferEnable1 = xfb->buffers_written & 2;
         so.SOBufferEnable2 = xfb->buffers_written & 4;
         so.SOBufferEnable3 = xfb->buffers_written & 8;
#endif
         so.Stream0VertexReadLength = length;
         so.Stream1VertexReadLength = length;
         so.Stream2VertexReadLength = length;
         so.Stream3VertexReadLength = length;
      }
   }
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdBindTransformFeedbackBuffersEXT)(VkCommandBuffer _cmd, uint32_t first,
                                         uint32_t count,
                                         const VkBuffer *buffers,
                                         const VkDeviceSize *offsets,
                                         const VkDeviceSize *sizes)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   for (uint32_t i = 0; i < count; i++) {
      SAF_FROM_HANDLE(saf_buffer, buffer, buffers[i]);
      struct saf_xfb_binding *b = &cmd->xfb[first + i];
      *b = (struct saf_xfb_binding) { 0 };
      if (!buffer)
         continue;
      b->addr = saf_buffer_addr(buffer, offsets[i]);
      b->size_B = saf_buffer_range(buffer, offsets[i],
                                   sizes ? sizes[i] : VK_WHOLE_SIZE);
   }
   cmd->dirty |= SAF_DIRTY_XFB;
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdBeginTransformFeedbackEXT)(VkCommandBuffer _cmd, uint32_t first,
                                   uint32_t count, const VkBuffer *counters,
                                   const VkDeviceSize *offsets)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   genX(cmd_flush)(cmd);
   for (uint32_t i = 0; i < SAF_MAX_XFB_BUFFERS; i++) {
      const uint32_t n = i - first;
      struct saf_buffer *counter = NULL;
      if (i >= first && n < count && counters)
         counter = saf_buffer_from_handle(counters[n]);
      if (counter)
         genX(mi_load_reg_mem)(cmd, WRITE_OFFSET(i),
                               saf_buffer_addr(counter,
                                               offsets ? offsets[n] : 0));
      else
         genX(mi_load_reg_imm)(cmd, WRITE_OFFSET(i), 0);
   }
   cmd->xfb_active = true;
   cmd->dirty |= SAF_DIRTY_XFB;
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdEndTransformFeedbackEXT)(VkCommandBuffer _cmd, uint32_t first,
                                 uint32_t count, const VkBuffer *counters,
                                 const VkDeviceSize *offsets)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   genX(cmd_flush)(cmd);
   for (uint32_t n = 0; n < count; n++) {
      struct saf_buffer *counter =
         counters ? saf_buffer_from_handle(counters[n]) : NULL;
      if (counter)
         genX(mi_store_reg)(
            cmd, saf_buffer_addr(counter, offsets ? offsets[n] : 0),
            WRITE_OFFSET(first + n));
   }
   cmd->xfb_active = false;
   cmd->dirty |= SAF_DIRTY_XFB;
}
