/* SPDX-License-Identifier: MIT */
/*
 * Dispatches: MEDIA_VFE_STATE, constants in the CURBE, an interface
 * descriptor, GPGPU_WALKER (PRM SKL vol 2a, vol 7 "GPGPU Thread Groups").
 *
 * Everything is emitted anew for each dispatch. The two pipelines share the
 * URB and the L3 cache: a dispatch with shared memory takes a part of L3 for
 * it, and the next draw gives it back.
 */
#include "genX_private.h"
#include "intel/dev/intel_workaround.h"

/* ---- pipeline select ---- */

#define load_register(cmd, reg, ...)                                         \
   do {                                                                      \
      const struct GENX(reg) fields = { __VA_ARGS__ };                       \
      uint32_t value;                                                        \
      GENX(reg##_pack)(&value, &fields);                                     \
      genX(mi_load_reg_imm)(cmd, GENX(reg##_num), value);                    \
   } while (0)

#if GEN_VERX10 < 80
/* "L3SQ General Priority Credit Initialization" is as the kernel leaves it
 * (IVB PRM volume 1 part 1). Shared memory's banks deliver half of the URB's
 * rate; atomics are done in L3 as long as stores have a part of it. */
static void
program_l3(struct saf_cmd_buffer *cmd, const struct intel_l3_config *ways,
           bool shared_memory)
{
   const struct intel_device_info *info = cmd->device->info;
   load_register(cmd, L3SQCREG1, .Credits = info->l3_credits,
                 .ConvertDC_UC = ways->data == 0,
                 .ConvertIS_UC = ways->read_only == 0,
                 .ConvertC_UC = ways->read_only == 0,
                 .ConvertT_UC = ways->read_only == 0);
   load_register(cmd, L3CNTLREG2, .SLMEnable = shared_memory,
                 .URBLowBandwidth = shared_memory && info->l3_slm_halves_urb,
                 .URBAllocation = ways->urb - info->l3_first_urb_way,
                 .DCAllocation = ways->data, .ROAllocation = ways->read_only);
   load_register(cmd, L3CNTLREG3, .ISAllocation = 0);
#if GEN_VERX10 == 75
   load_register(cmd, SCRATCH1, .L3AtomicDisable = ways->data == 0);
   struct GENX(CHICKEN3) which = { .L3AtomicDisable = true };
   uint32_t mask;
   GENX(CHICKEN3_pack)(&mask, &which);
   load_register(cmd, CHICKEN3, .Mask = mask,
                 .L3AtomicDisable = ways->data == 0);
#endif
}
#else
static void
program_l3(struct saf_cmd_buffer *cmd, const struct intel_l3_config *ways,
           bool shared_memory)
{
   load_register(cmd, L3CNTLREG, .SLMEnable = shared_memory,
                 .URBAllocation = ways->urb, .AllAllocation = ways->all);
}
#endif

void
genX(set_l3)(struct saf_cmd_buffer *cmd, bool shared_memory)
{
   const enum intel_l3_use use = shared_memory ? INTEL_L3_SHARED_MEMORY
                                               : INTEL_L3_3D;
   program_l3(cmd, &cmd->device->info->l3[use], shared_memory);
   cmd->l3_for_shared_memory = shared_memory;
}

/* Work has left the pipe, caches are empty, and what that wrote out has left,
 * too (hasvk, cmd_buffer_config_l3(); chip-rules CC-17). */
static void
change_l3(struct saf_cmd_buffer *cmd, bool shared_memory)
{
   genX(cmd_flush)(cmd);
   genX(cmd_refresh)(cmd);
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .DCFlushEnable = true,
                              .CommandStreamerStallEnable = true,
                           });
   genX(set_l3)(cmd, shared_memory);
}

static void
select_pipeline(struct saf_cmd_buffer *cmd, uint32_t pipeline)
{
   genX(cmd_flush)(cmd);
   genX(cmd_refresh)(cmd);
   if (pipeline == PIPELINE_GPGPU &&
       intel_needs_workaround(cmd->device->info,
                              INTEL_WA_CC_STATE_BEFORE_SELECT))
      saf_emit_state(cmd, 3DSTATE_CC_STATE_POINTERS, cc);
   genX(pipeline_select)(cmd, pipeline);
   cmd->gpgpu = pipeline == PIPELINE_GPGPU;
}

void
genX(select_3d)(struct saf_cmd_buffer *cmd)
{
   if (!cmd->gpgpu)
      return;
   /* Before Ivybridge's primitive after the select (chip-rules CC-17). */
   if (cmd->l3_for_shared_memory)
      change_l3(cmd, false);
   select_pipeline(cmd, PIPELINE_3D);
   /* What the other pipeline left of the URB is nobody's. */
   memset(cmd->urb_entry_size, 0, sizeof(cmd->urb_entry_size));
   genX(invalidate_sent)(cmd);
   cmd->dirty |= SAF_DIRTY_ALL & ~SAF_DIRTY_TARGETS;
}

/* ---- state of a dispatch ---- */

/*
 * The constants of a dispatch: what all threads share, after it a register
 * for each with its number in the group. Ivybridge has nothing that is
 * shared: each thread gets its own copy, and its register after that.
 */
#define SHARES_CONSTANTS (GEN_VERX10 >= 75)

static uint32_t
shared_copies(const struct intel_cs_prog_data *prog)
{
   return SHARES_CONSTANTS ? 1 : prog->threads;
}

/* From one copy to the next. */
static uint32_t
copy_stride_B(const struct intel_cs_prog_data *prog)
{
   return (prog->cross_thread_grfs + prog->per_thread_grfs) * 32;
}

static uint32_t
curbe_size_grf(const struct intel_cs_prog_data *prog)
{
   return ALIGN(prog->cross_thread_grfs * shared_copies(prog) +
                   prog->per_thread_grfs * prog->threads,
                2u);
}

static struct saf_state
fill_curbe(struct saf_cmd_buffer *cmd, const struct saf_shader *shader)
{
   const struct intel_cs_prog_data *prog = &shader->prog.cs;
   const struct saf_state curbe =
      saf_cmd_dynamic_state(cmd, curbe_size_grf(prog) * 32, 64);
   const uint32_t stride_B = SHARES_CONSTANTS ? prog->per_thread_grfs * 32
                                              : copy_stride_B(prog);
   char *thread = (char *)curbe.map + prog->cross_thread_grfs * 32;
   for (uint32_t i = 0; prog->per_thread_grfs && i < prog->threads; i++)
      memcpy(thread + i * stride_B, &i, sizeof(i));
   return curbe;
}

/* Push constants are all that threads get: the compiler pushes no uniform
 * buffers to compute shaders. */
static void
fill_push_constants(struct saf_cmd_buffer *cmd,
                    const struct saf_shader *shader, struct saf_state curbe)
{
   const struct intel_cs_prog_data *prog = &shader->prog.cs;
   const struct intel_push_range *r = &prog->base.push[0];
   const uint32_t start_B = r->start * 32, stride_B = copy_stride_B(prog);

   assert(!prog->base.push[1].length);
   assert(!r->length || r->block == INTEL_PUSH_BLOCK_CONSTANTS);
   if (!r->length || start_B >= SAF_MAX_PUSH_CONSTANTS_B)
      return;
   for (uint32_t c = 0; c < shared_copies(prog); c++)
      memcpy((char *)curbe.map + c * stride_B,
             cmd->compute.push_constants + start_B,
             MIN2(r->length * 32u, SAF_MAX_PUSH_CONSTANTS_B - start_B));
}

/* 0: none, n: 2^n KB / 2; before Gen9 units of 4 KB, powers of two. */
static uint32_t
shared_memory_encoding(uint32_t size_B)
{
   if (size_B == 0)
      return 0;
   if (GEN_VERX10 < 90)
      return util_next_power_of_two(DIV_ROUND_UP(size_B, 4096));
   return util_logbase2(MAX2(size_B, 1024)) - 9;
}

static struct saf_state
fill_descriptor(struct saf_cmd_buffer *cmd, const struct saf_shader *shader,
                uint32_t table_B)
{
   const struct intel_cs_prog_data *prog = &shader->prog.cs;
   const struct saf_state state = saf_cmd_dynamic_state(
      cmd, GENX(INTERFACE_DESCRIPTOR_DATA_length) * 4, 64);
   saf_fill(state.map, INTERFACE_DESCRIPTOR_DATA, d)
   {
      d.KernelStartPointer = shader->kernel.offset;
      d.SamplerCount = genX(sampler_hint)(shader);
      d.SamplerStatePointer = genX(fill_samplers)(cmd, &cmd->compute, shader);
      d.BindingTableEntryCount = genX(surface_hint)(shader);
      d.BindingTablePointer = table_B;
#if GEN_VERX10 >= 75
      d.ConstantURBEntryReadLength = prog->per_thread_grfs;
      d.CrossThreadConstantDataReadLength = prog->cross_thread_grfs;
#else
      d.ConstantURBEntryReadLength = copy_stride_B(prog) / 32;
#endif
      d.NumberofThreadsinGPGPUThreadGroup = prog->threads;
      d.SharedLocalMemorySize = shared_memory_encoding(prog->slm_size_B);
      d.BarrierEnable = prog->uses_barrier;
#if GEN_VERX10 >= 80
      d.DenormMode = DENORM_SETBYKERNEL;
#endif
   }
   return state;
}

/* Three dwords in memory that say how many groups there are. */
static struct saf_state
group_count_surface(struct saf_cmd_buffer *cmd, uint64_t addr)
{
   const struct saf_state state = saf_cmd_surface_state(cmd);
   saf_fill_storage_surface(cmd->device, state.map, addr, 12);
   return state;
}

/* 2^n KB; IVB has n + 1 KB, HSW 2^(n + 1) KB (intel_scratch.h). */
static uint32_t
compute_scratch_encoding(const struct saf_shader *shader)
{
   const uint32_t size_B = shader->prog.base.total_scratch_B;
   if (GEN_VERX10 == 70)
      return size_B ? size_B / 1024 - 1 : 0;
   if (GEN_VERX10 == 75)
      return size_B ? util_logbase2(MAX2(size_B, 2048)) - 11 : 0;
   return genX(scratch_encoding)(shader);
}

/* Of the bound pipeline, for the buffers that are bound; NULL: there is
 * nothing to dispatch with. */
static const struct saf_shader *
choose_shader(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *p = cmd->compute.pipeline;
   if (!p || cmd->error)
      return NULL;
   const struct saf_shader *shader = p->shaders[MESA_SHADER_COMPUTE];
   if (p->overlap && (cmd->device->has_host_memory ||
                      genX(buffers_overlap)(&cmd->compute, shader))) {
      const VkResult result =
         saf_pipeline_overlapping(cmd->device, p, &shader);
      if (result)
         saf_cmd_error(cmd, result);
   }
   return shader;
}

/* False if there is no room for it. */
static bool
flush_compute_state(struct saf_cmd_buffer *cmd,
                    const struct saf_shader *shader, uint64_t group_counts)
{
   const struct intel_cs_prog_data *prog = &shader->prog.cs;
   saf_cmd_dynamic_room(cmd, 0);
   const uint32_t curbe_grfs = curbe_size_grf(prog);
   uint32_t table_B;
   if (!genX(fill_compute_table)(
          cmd, shader, group_count_surface(cmd, group_counts), &table_B))
      return false;
   struct saf_state curbe = { 0 };
   if (curbe_grfs) {
      curbe = fill_curbe(cmd, shader);
      fill_push_constants(cmd, shader, curbe);
   }
   const struct saf_state descriptor = fill_descriptor(cmd, shader, table_B);

   if (!cmd->gpgpu)
      select_pipeline(cmd, PIPELINE_GPGPU);
   else
      genX(cmd_stall)(cmd);
   genX(cmd_refresh)(cmd);
   const bool shared_memory = prog->slm_size_B > 0;
   if (cmd->l3_for_shared_memory != shared_memory)
      change_l3(cmd, shared_memory);
   saf_emit(&cmd->batch, MEDIA_VFE_STATE, vfe)
   {
      vfe.MaximumNumberofThreads = genX(max_cs_threads)(cmd) - 1;
      vfe.ResetGatewayTimer = true;
#if GEN_VERX10 < 80
      vfe.GPGPUMode = true;
#endif
      vfe.NumberofURBEntries = 2;
      vfe.URBEntryAllocationSize = 2;
      vfe.CURBEAllocationSize = curbe_grfs;
      vfe.PerThreadScratchSpace = compute_scratch_encoding(shader);
      vfe.ScratchSpaceBasePointer = genX(scratch_addr)(shader);
   }
   if (curbe_grfs) {
      saf_emit(&cmd->batch, MEDIA_CURBE_LOAD, load)
      {
         load.CURBETotalDataLength = curbe_grfs * 32;
         load.CURBEDataStartAddress = curbe.offset;
      }
   }
   saf_emit(&cmd->batch, MEDIA_INTERFACE_DESCRIPTOR_LOAD, load)
   {
      load.InterfaceDescriptorTotalLength =
         GENX(INTERFACE_DESCRIPTOR_DATA_length) * 4;
      load.InterfaceDescriptorDataStartAddress = descriptor.offset;
   }
   return true;
}

/* ---- dispatches ---- */

static uint32_t
walker_simd_size(const struct intel_cs_prog_data *prog)
{
   switch (prog->simd_size) {
   case 8: return SIMD_SIZE_8;
   case 16: return SIMD_SIZE_16;
   case 32: return SIMD_SIZE_32;
   default: unreachable("SIMD size");
   }
}

/* Channels of a group's last thread. */
static uint32_t
right_mask(const struct intel_cs_prog_data *prog)
{
   const uint32_t invocations = (uint32_t)prog->local_size[0] *
                                prog->local_size[1] * prog->local_size[2];
   const uint32_t rest = invocations % prog->simd_size;
   return ~0u >> (32 - (rest ? rest : prog->simd_size));
}

/* Before Gen9 an indirect dispatch of no group hangs the GPU: it is left out
 * by a predicate (BDW PRM vol 15, WaIndirectDispatchPredicate). */
#define EMPTY_DISPATCH_HANGS (GEN_VERX10 < 90)

/* There are groups, and the condition holds, if there is one: not (there is
 * none, or it does not). */
static void
predicate_groups(struct saf_cmd_buffer *cmd, uint64_t counts)
{
   if (cmd->conditional)
      genX(predicate_zero)(cmd, cmd->condition_addr, COMBINE_SET,
                           cmd->condition_inverted);
   for (unsigned i = 0; i < 3; i++)
      genX(predicate_zero)(cmd, counts + 4 * i,
                           i || cmd->conditional ? COMBINE_OR : COMBINE_SET,
                           i == 2);
}

static void
emit_walker(struct saf_cmd_buffer *cmd, const struct saf_shader *shader,
            bool indirect, const uint32_t base[3], const uint32_t count[3])
{
   const struct intel_cs_prog_data *prog = &shader->prog.cs;
   saf_emit(&cmd->batch, GPGPU_WALKER, walker)
   {
      walker.PredicateEnable = cmd->conditional ||
                               (indirect && EMPTY_DISPATCH_HANGS);
      walker.IndirectParameterEnable = indirect;
      walker.SIMDSize = walker_simd_size(prog);
      walker.ThreadWidthCounterMaximum = prog->threads - 1;
      walker.ThreadGroupIDStartingX = base[0];
      walker.ThreadGroupIDStartingY = base[1];
#if GEN_VERX10 >= 80
      walker.ThreadGroupIDStartingResumeZ = base[2];
#else
      walker.ThreadGroupIDStartingZ = base[2];
#endif
      /* One past the last group's number. */
      walker.ThreadGroupIDXDimension = base[0] + count[0];
      walker.ThreadGroupIDYDimension = base[1] + count[1];
      walker.ThreadGroupIDZDimension = base[2] + count[2];
      walker.RightExecutionMask = right_mask(prog);
      walker.BottomExecutionMask = ~0u;
   }
   saf_emit(&cmd->batch, MEDIA_STATE_FLUSH, flush);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdDispatchBase)(VkCommandBuffer _cmd, uint32_t base_x, uint32_t base_y,
                      uint32_t base_z, uint32_t count_x, uint32_t count_y,
                      uint32_t count_z)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   const uint32_t base[3] = { base_x, base_y, base_z };
   const uint32_t count[3] = { count_x, count_y, count_z };
   const struct saf_shader *shader = choose_shader(cmd);
   if (!count_x || !count_y || !count_z || !shader)
      return;
   saf_cmd_dynamic_room(cmd, 0);
   const struct saf_state counts = saf_cmd_dynamic_state(cmd, 12, 4);
   memcpy(counts.map, count, sizeof(count));
   if (flush_compute_state(cmd, shader, saf_dynamic_addr(cmd, counts)))
      emit_walker(cmd, shader, false, base, count);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdDispatch)(VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z)
{
   genX(CmdDispatchBase)(cmd, 0, 0, 0, x, y, z);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdDispatchIndirect)(VkCommandBuffer _cmd, VkBuffer _buffer,
                          VkDeviceSize offset)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_buffer, buffer, _buffer);
   static const uint32_t zero[3];
   const uint64_t addr = saf_buffer_addr(buffer, offset);
   const struct saf_shader *shader = choose_shader(cmd);
   if (!shader || !flush_compute_state(cmd, shader, addr))
      return;
   genX(mi_load_reg_mem)(cmd, GENX(GPGPU_DISPATCHDIMX_num), addr);
   genX(mi_load_reg_mem)(cmd, GENX(GPGPU_DISPATCHDIMY_num), addr + 4);
   genX(mi_load_reg_mem)(cmd, GENX(GPGPU_DISPATCHDIMZ_num), addr + 8);
   if (EMPTY_DISPATCH_HANGS)
      predicate_groups(cmd, addr);
   emit_walker(cmd, shader, true, zero, zero);
   /* The value may be read again (VK_EXT_conditional_rendering). */
   if (EMPTY_DISPATCH_HANGS && cmd->conditional)
      genX(predicate_condition)(cmd);
}
