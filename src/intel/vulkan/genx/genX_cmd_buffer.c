/* SPDX-License-Identifier: MIT */
/*
 * Start and end of a batch, base addresses, stalls and cache flushes.
 *
 * Every command buffer begins by setting all state that a draw relies on and
 * nothing else sets; so none relies on what ran before it.
 */
#include "genX_private.h"
#include "intel/vulkan/base/saf_sync.h"
#include "genX_sample_positions.h"
#include "intel/dev/intel_workaround.h"
#include "intel/vulkan/cmd/saf_meta.h"

static void
init_trivial_batch(uint32_t *dw)
{
   const struct GENX(MI_BATCH_BUFFER_END)
      end = { GENX(MI_BATCH_BUFFER_END_header) };
   GENX(MI_BATCH_BUFFER_END_pack)(dw, &end);
   dw[GENX(MI_BATCH_BUFFER_END_length)] = 0; /* MI_NOOP */
}

static void
emit_chain(uint32_t *dw, uint64_t addr)
{
   const struct GENX(MI_BATCH_BUFFER_START) start = {
      GENX(MI_BATCH_BUFFER_START_header),
      .AddressSpaceIndicator = ASI_PPGTT,
      .BatchBufferStartAddress = addr,
   };
   GENX(MI_BATCH_BUFFER_START_pack)(dw, &start);
}

/* An upper bound on Gen7, where others have sizes. */
#define NO_BOUND 0xfffff000u

/*
 * Surface states are reached from the block of binding tables, whose address
 * is the base of both (binding table pointers have 16 bits).
 */
void
genX(emit_base_addresses)(struct saf_cmd_buffer *cmd)
{
   const struct intel_address_layout *layout = cmd->device->info->layout;
   genX(cmd_flush)(cmd);
   saf_emit(&cmd->batch, STATE_BASE_ADDRESS, sba)
   {
      sba.GeneralStateBaseAddress = 0;
      sba.GeneralStateMOCS = cmd->device->info->mocs_cached;
      sba.GeneralStateBaseAddressModifyEnable = true;
#if GEN_VERX10 >= 80
      sba.GeneralStateBufferSize = 0xfffff;
      sba.GeneralStateBufferSizeModifyEnable = true;
#endif
      sba.StatelessDataPortAccessMOCS = cmd->device->info->mocs_cached;

      sba.SurfaceStateBaseAddress = layout->binding_table +
                                    cmd->binding_table_block.offset;
      sba.SurfaceStateMOCS = cmd->device->info->mocs_cached;
      sba.SurfaceStateBaseAddressModifyEnable = true;

      sba.DynamicStateBaseAddress = cmd->dynamic_base;
      sba.DynamicStateMOCS = cmd->device->info->mocs_cached;
      sba.DynamicStateBaseAddressModifyEnable = true;
#if GEN_VERX10 >= 80
      sba.DynamicStateBufferSize = layout->pool_size_B / 4096;
      sba.DynamicStateBufferSizeModifyEnable = true;
#endif

      sba.IndirectObjectBaseAddress = 0;
      sba.IndirectObjectMOCS = cmd->device->info->mocs_cached;
      sba.IndirectObjectBaseAddressModifyEnable = true;
#if GEN_VERX10 >= 80
      sba.IndirectObjectBufferSize = 0xfffff;
      sba.IndirectObjectBufferSizeModifyEnable = true;
#endif

      sba.InstructionBaseAddress = layout->instruction;
      sba.InstructionMOCS = cmd->device->info->mocs_cached;
      sba.InstructionBaseAddressModifyEnable = true;
#if GEN_VERX10 >= 80
      sba.InstructionBufferSize = layout->pool_size_B / 4096;
      sba.InstructionBuffersizeModifyEnable = true;
#else
      /* All ones is no bound; a bound of 0 would be one for the border
       * colours (chip-rules CO-10). */
      sba.GeneralStateAccessUpperBound = NO_BOUND;
      sba.GeneralStateAccessUpperBoundModifyEnable = true;
      sba.DynamicStateAccessUpperBound = NO_BOUND;
      sba.DynamicStateAccessUpperBoundModifyEnable = true;
      sba.IndirectObjectAccessUpperBound = NO_BOUND;
      sba.IndirectObjectAccessUpperBoundModifyEnable = true;
      sba.InstructionAccessUpperBound = NO_BOUND;
      sba.InstructionAccessUpperBoundModifyEnable = true;
#endif

#if GEN_VERX10 >= 90
      sba.BindlessSurfaceStateBaseAddress = layout->surface;
      sba.BindlessSurfaceStateMOCS = cmd->device->info->mocs_cached;
      sba.BindlessSurfaceStateBaseAddressModifyEnable = true;
      sba.BindlessSurfaceStateSize = 0xfffff;
#endif
   }
   genX(invalidate_pointers)(cmd);
   cmd->batch.reaches = false;
   /* Vertices are not reached by way of a base. */
   genX(cmd_invalidate)(cmd, SAF_CACHE_READS | cmd->batch.due);
}

/* Constants take effect with the binding table pointers after them. */
void
genX(disable_optional_stages)(struct saf_cmd_buffer *cmd)
{
   saf_emit_state(cmd, 3DSTATE_CONSTANT_HS, hs)
      hs.CONSTANT_MOCS = CONSTANT_MOCS_OF(cmd);
   saf_emit_state(cmd, 3DSTATE_CONSTANT_DS, ds)
      ds.CONSTANT_MOCS = CONSTANT_MOCS_OF(cmd);
   saf_emit_state(cmd, 3DSTATE_CONSTANT_GS, gs)
      gs.CONSTANT_MOCS = CONSTANT_MOCS_OF(cmd);
   saf_emit_state(cmd, 3DSTATE_CONSTANT_PS, ps)
      ps.CONSTANT_MOCS = CONSTANT_MOCS_OF(cmd);
   saf_emit_state(cmd, 3DSTATE_BINDING_TABLE_POINTERS_HS, hs);
   saf_emit_state(cmd, 3DSTATE_BINDING_TABLE_POINTERS_DS, ds);
   saf_emit_state(cmd, 3DSTATE_BINDING_TABLE_POINTERS_GS, gs);
   saf_emit_state(cmd, 3DSTATE_BINDING_TABLE_POINTERS_PS, ps);
}

#if GEN_VERX10 >= 80
void
genX(emit_sample_pattern)(struct saf_cmd_buffer *cmd,
                          const struct saf_gfx_state *own)
{
   const uint32_t n_own = own ? own->samples : 0;
   saf_emit_state(cmd, 3DSTATE_SAMPLE_PATTERN, p)
   {
#define SET(n, i, x, y)                                                      \
   p._##n##xSample##i##XOffset =                                             \
      (n_own == (n) ? own->positions[i][0] : (x)) / 16.0f;                   \
   p._##n##xSample##i##YOffset =                                             \
      (n_own == (n) ? own->positions[i][1] : (y)) / 16.0f;
#define SET_2(i, x, y) SET(2, i, x, y)
#define SET_4(i, x, y) SET(4, i, x, y)
#define SET_8(i, x, y) SET(8, i, x, y)
      p._1xSample0XOffset = p._1xSample0YOffset = 8 / 16.0f;
      SAF_POSITIONS_2(SET_2)
      SAF_POSITIONS_4(SET_4)
      SAF_POSITIONS_8(SET_8)
#if GEN_VERX10 >= 90
#define SET_16(i, x, y) SET(16, i, x, y)
      SAF_POSITIONS_16(SET_16)
#endif
   }
}
#endif

/* Push constants take the first part of the URB, in units of 1 KB: no stage
 * can have more than 2 KB of them, but several draws may be on their way. */
static void
emit_push_constant_space(struct saf_cmd_buffer *cmd)
{
   struct saf_batch *batch = &cmd->batch;
   const unsigned total_kB = cmd->device->info->push_constant_size_kB;
   const unsigned part = total_kB / 8;
   saf_emit(batch, 3DSTATE_PUSH_CONSTANT_ALLOC_VS, a)
   {
      a.ConstantBufferOffset = 0;
      a.ConstantBufferSize = 2 * part;
   }
   saf_emit(batch, 3DSTATE_PUSH_CONSTANT_ALLOC_HS, a)
   {
      a.ConstantBufferOffset = 2 * part;
      a.ConstantBufferSize = part;
   }
   saf_emit(batch, 3DSTATE_PUSH_CONSTANT_ALLOC_DS, a)
   {
      a.ConstantBufferOffset = 3 * part;
      a.ConstantBufferSize = part;
   }
   saf_emit(batch, 3DSTATE_PUSH_CONSTANT_ALLOC_GS, a)
   {
      a.ConstantBufferOffset = 4 * part;
      a.ConstantBufferSize = part;
   }
   saf_emit(batch, 3DSTATE_PUSH_CONSTANT_ALLOC_PS, a)
   {
      a.ConstantBufferOffset = 5 * part;
      a.ConstantBufferSize = total_kB - 5 * part;
   }
   if (intel_needs_workaround(cmd->device->info,
                              INTEL_WA_STALL_AFTER_PUSH_ALLOC))
      genX(cmd_stall)(cmd);
}

uint32_t
genX(max_cs_threads)(const struct saf_cmd_buffer *cmd)
{
   const struct intel_device_info *info = cmd->device->info;
   return info->max_cs_threads * info->num_subslices;
}

/* Not that of a dispatch, which sends its own. */
static void
reset_media_state(struct saf_cmd_buffer *cmd)
{
   saf_emit(&cmd->batch, MEDIA_VFE_STATE, vfe)
   {
      vfe.MaximumNumberofThreads = genX(max_cs_threads)(cmd) - 1;
      vfe.NumberofURBEntries = 2;
      vfe.URBEntryAllocationSize = 2;
   }
}

/* Where draws end, before dispatches or the batch's end. A batch that has
 * drawn has kept what its colour calculator pointer names. */
static void
end_drawing(struct saf_cmd_buffer *cmd)
{
   const struct saf_kept *state = &cmd->kept[SAF_KEPT_COLOR_CALC];
   if (!state->size_B || !intel_needs_workaround(
                            cmd->device->info, INTEL_WA_CC_STATE_ENDS_BATCH))
      return;
   /* Again, though it says nothing new. */
   genX(sent)(cmd)->at_3DSTATE_CC_STATE_POINTERS[0] = 0;
   saf_emit_state(cmd, 3DSTATE_CC_STATE_POINTERS, p)
   {
      p.ColorCalcStatePointer = state->offset;
      p.ColorCalcStatePointerValid = true;
   }
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .RenderTargetCacheFlushEnable = true,
                              .CommandStreamerStallEnable = true,
                           });
}

static void
set_barrier_mode(struct saf_cmd_buffer *cmd, uint32_t pipeline)
{
#if GEN_VERX10 >= 90
   const struct GENX(SLICE_COMMON_ECO_CHICKEN1) mode = {
      .GLKBarriersOf3D = pipeline == PIPELINE_3D,
      .GLKBarriersOf3DMask = true,
   };
   uint32_t value;
   if (!intel_needs_workaround(cmd->device->info,
                               INTEL_WA_BARRIER_MODE_AFTER_SELECT))
      return;
   GENX(SLICE_COMMON_ECO_CHICKEN1_pack)(&value, &mode);
   genX(mi_load_reg_imm)(cmd, GENX(SLICE_COMMON_ECO_CHICKEN1_num), value);
#endif
}

void
genX(pipeline_select)(struct saf_cmd_buffer *cmd, uint32_t pipeline)
{
   if (pipeline == PIPELINE_GPGPU)
      end_drawing(cmd);
   if (pipeline == PIPELINE_3D &&
       intel_needs_workaround(cmd->device->info,
                              INTEL_WA_VFE_STATE_BEFORE_3D))
      reset_media_state(cmd);
   saf_emit(&cmd->batch, PIPELINE_SELECT, ps)
   {
      ps.PipelineSelection = pipeline;
#if GEN_VERX10 >= 90
      ps.MaskBits = 3;
#endif
   }
   if (pipeline == PIPELINE_GPGPU &&
       intel_needs_workaround(cmd->device->info,
                              INTEL_WA_VFE_STATE_AFTER_SELECT))
      reset_media_state(cmd);
   set_barrier_mode(cmd, pipeline);
   if (pipeline != PIPELINE_3D ||
       !intel_needs_workaround(cmd->device->info,
                               INTEL_WA_DUMMY_PRIMITIVE_AFTER_SELECT))
      return;
   genX(pipe_control)(
      cmd, (struct GENX(PIPE_CONTROL)) {
              GENX(PIPE_CONTROL_header),
              .CommandStreamerStallEnable = true,
              .PostSyncOperation = WriteImmediateData,
              .Address = cmd->device->null_bo->addr + SAF_WORKAROUND_OFFSET_B,
           });
   genX(emit_dummy_primitive)(cmd);
}

/* Constant buffer 0 by address, as the other three are: the bit has moved
 * to another register on Gen9 (PRM BDW vol 2c INSTPM, SKL CS_DEBUG_MODE2). On
 * Gen7 kernels do not keep the register for a context, and it stays as it is:
 * see fill_push_body(). */
#if GEN_VERX10 >= 80
static void
push_by_address(struct saf_cmd_buffer *cmd)
{
   uint32_t value;
#if GEN_VERX10 >= 90
   const struct GENX(CS_DEBUG_MODE2) mode = {
      .CONSTANT_BUFFERAddressOffsetDisable = true,
      .CONSTANT_BUFFERAddressOffsetDisableMask = true,
   };
   GENX(CS_DEBUG_MODE2_pack)(&value, &mode);
   genX(mi_load_reg_imm)(cmd, GENX(CS_DEBUG_MODE2_num), value);
#else
   struct GENX(INSTPM) mode = {
      .CONSTANT_BUFFERAddressOffsetDisable = true,
   };
   GENX(INSTPM_pack)(&value, &mode);
   /* The upper half says which bits of the lower one are written. */
   mode.Mask = value;
   GENX(INSTPM_pack)(&value, &mode);
   genX(mi_load_reg_imm)(cmd, GENX(INSTPM_num), value);
#endif
}
#endif

#if GEN_VERX10 >= 90
/* The context keeps the register: other bits of it stay as they are. */
static void
avoid_msc_hazard(struct saf_cmd_buffer *cmd)
{
   struct GENX(CACHE_MODE_1) mode = { .MSCRAWHazardAvoidanceBit = true };
   uint32_t value;
   GENX(CACHE_MODE_1_pack)(&value, &mode);
   mode.Mask = value;
   GENX(CACHE_MODE_1_pack)(&value, &mode);
   genX(mi_load_reg_imm)(cmd, GENX(CACHE_MODE_1_num), value);
}
#endif

void
genX(cmd_begin)(struct saf_cmd_buffer *cmd)
{
   struct saf_batch *batch = &cmd->batch;
   /* The kernel has written out and emptied all caches (chip-rules KR-13). */
   batch->reaches = false;
   batch->stale = batch->due = 0;
   /* Before Ivybridge's primitive after the select (chip-rules CC-17). */
   genX(set_l3)(cmd, false);
   /* That primitive has state, by offsets from bases that the context has
    * from the batch before: the kernel may have moved what was there. */
   const bool draws = intel_needs_workaround(
      cmd->device->info, INTEL_WA_DUMMY_PRIMITIVE_AFTER_SELECT);
   if (draws)
      genX(emit_base_addresses)(cmd);
   genX(pipeline_select)(cmd, PIPELINE_3D);
   cmd->gpgpu = false;
#if GEN_VERX10 >= 80
   push_by_address(cmd);
#endif
#if GEN_VERX10 >= 90
   if (intel_needs_workaround(cmd->device->info, INTEL_WA_MSC_RAW_HAZARD))
      avoid_msc_hazard(cmd);
#endif

   saf_emit(batch, 3DSTATE_DRAWING_RECTANGLE, rect)
   {
      rect.ClippedDrawingRectangleXMax = 0xffff;
      rect.ClippedDrawingRectangleYMax = 0xffff;
   }
   saf_emit(batch, 3DSTATE_AA_LINE_PARAMETERS, aa);
   saf_emit(batch, 3DSTATE_POLY_STIPPLE_OFFSET, pso);
#if GEN_VERX10 >= 80
   saf_emit(batch, 3DSTATE_WM_CHROMAKEY, ck);
   saf_emit(batch, 3DSTATE_WM_HZ_OP, hz);
   genX(emit_sample_pattern)(cmd, NULL);
#endif
   emit_push_constant_space(cmd);
   /* An operation of 3DSTATE_WM_HZ_OP is none here. */
   batch->reaches = draws;
}

/* When the context comes back, the chip fetches the constants again that it
 * had, from buffers that may be gone by then (chip-rules KR-20). Those of the
 * last draw must have been fetched (PC-24), and are: nothing is in flight. */
static void
drop_constants(struct saf_cmd_buffer *cmd)
{
#if GEN_VERX10 >= 80
   if (!cmd->pushed_constants)
      return;
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .CommandStreamerStallEnable = true,
                              .IndirectStatePointersDisable = true,
                           });
#endif
}

void
genX(cmd_end)(struct saf_cmd_buffer *cmd)
{
   genX(cmd_flush)(cmd);
   if (!cmd->gpgpu)
      end_drawing(cmd);
   drop_constants(cmd);
   saf_emit(&cmd->batch, MI_BATCH_BUFFER_END, end);
   saf_emit(&cmd->batch, MI_NOOP, pad);
}

static void
cmd_note(struct saf_cmd_buffer *cmd, uint32_t number)
{
   saf_emit(&cmd->batch, MI_NOOP, note)
   {
      note.IdentificationNumber = number;
      note.IdentificationNumberRegisterWriteEnable = true;
   }
}

/* ---- barriers ---- */

/* Who may read, in what way; but for images, which no vertices are. */
static VkAccessFlags
readers(uint32_t memory_count, const VkMemoryBarrier *memory,
        uint32_t buffer_count, const VkBufferMemoryBarrier *buffers)
{
   VkAccessFlags all = 0;
   for (uint32_t i = 0; i < memory_count; i++)
      all |= memory[i].dstAccessMask;
   for (uint32_t i = 0; i < buffer_count; i++)
      all |= buffers[i].dstAccessMask;
   return all;
}

/* All before is done; of what comes `readers` read what is no image. */
static void
depend(struct saf_cmd_buffer *cmd, VkAccessFlags readers,
       uint32_t image_count, const VkImageMemoryBarrier *images)
{
   VkAccessFlags any = readers;
   for (uint32_t i = 0; i < image_count; i++)
      any |= images[i].dstAccessMask;
   genX(cmd_barrier)(cmd, readers);
   saf_meta_release_images(cmd, image_count, images);
   saf_meta_refresh_shadows(cmd, image_count, images);
   saf_meta_refresh_attachment(cmd, any);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdPipelineBarrier)(VkCommandBuffer _cmd, VkPipelineStageFlags src,
                         VkPipelineStageFlags dst, VkDependencyFlags flags,
                         uint32_t memory_count, const VkMemoryBarrier *memory,
                         uint32_t buffer_count,
                         const VkBufferMemoryBarrier *buffers,
                         uint32_t image_count,
                         const VkImageMemoryBarrier *images)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   depend(cmd, readers(memory_count, memory, buffer_count, buffers),
          image_count, images);
}

static void
write_event(struct saf_cmd_buffer *cmd, VkEvent _event, uint64_t value)
{
   SAF_FROM_HANDLE(saf_event, event, _event);
   genX(cmd_flush)(cmd);
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .CommandStreamerStallEnable = true,
                              .PostSyncOperation = WriteImmediateData,
                              .Address = saf_event_addr(cmd->device, event),
                              .ImmediateData = value,
                           });
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdSetEvent)(VkCommandBuffer _cmd, VkEvent event,
                  VkPipelineStageFlags stages)
{
   write_event(saf_cmd_buffer_from_handle(_cmd), event, 1);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdResetEvent)(VkCommandBuffer _cmd, VkEvent event,
                    VkPipelineStageFlags stages)
{
   write_event(saf_cmd_buffer_from_handle(_cmd), event, 0);
}

/* Before Gen8 the command streamer cannot wait for memory. What the queue
 * sets is set in its order; what the host sets must be set when it is
 * submitted, which the driver does not look at. */
static void
wait_event(struct saf_cmd_buffer *cmd, const struct saf_event *event)
{
#if GEN_VERX10 >= 80
   saf_emit(&cmd->batch, MI_SEMAPHORE_WAIT, wait)
   {
      wait.WaitMode = WAIT_POLL;
      wait.CompareOperation = COMPARE_SAD_EQUAL_SDD;
      wait.SemaphoreDataDword = 1;
      wait.SemaphoreAddress = saf_event_addr(cmd->device, event);
   }
#endif
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdWaitEvents)(VkCommandBuffer _cmd, uint32_t count,
                    const VkEvent *events, VkPipelineStageFlags src,
                    VkPipelineStageFlags dst, uint32_t memory_count,
                    const VkMemoryBarrier *memory, uint32_t buffer_count,
                    const VkBufferMemoryBarrier *buffers,
                    uint32_t image_count, const VkImageMemoryBarrier *images)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   for (uint32_t i = 0; i < count; i++)
      wait_event(cmd, saf_event_from_handle(events[i]));
   depend(cmd, readers(memory_count, memory, buffer_count, buffers),
          image_count, images);
}

/* Samplers and constants are sent again for all stages, as they count from
 * the base; the other states are dirty. */
static void
cmd_base_addresses(struct saf_cmd_buffer *cmd)
{
   if (!cmd->binding_table_block.size_B)
      return; /* they come with the first */
   genX(emit_base_addresses)(cmd);
   cmd->stages_with_resources = (1u << SAF_GRAPHICS_STAGES) - 1;
}

const struct saf_genx genX(genx) = {
   .init_trivial_batch = init_trivial_batch,
   .border_color_B = BORDER_COLOR_B,
   .has_border_table = GEN_VERX10 >= 80,
   .emit_chain = emit_chain,
   .fill_sampler = genX(fill_sampler),
   .fill_border_color = genX(fill_border_color),
   .cmd_begin = genX(cmd_begin),
   .cmd_end = genX(cmd_end),
   .cmd_note = cmd_note,
   .pack_pipeline = genX(pack_pipeline),
   .cmd_flush = genX(cmd_flush),
   .cmd_barrier = genX(cmd_barrier),
   .cmd_base_addresses = cmd_base_addresses,
   .cmd_draw = genX(cmd_draw),
   .hiz_op = genX(hiz_op),
   .ccs_rectangle = genX(ccs_rectangle),
};
