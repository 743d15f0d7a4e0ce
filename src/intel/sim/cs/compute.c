/* SPDX-License-Identifier: MIT */
/*
 * MEDIA and GPGPU commands (PRM SKL Vol. 2a, each under its name). Constants
 * and interface descriptors are read when their command is executed, as the
 * hardware copies them: the former into the URB.
 */
#include "cs_private.h"

#include <inttypes.h>

#include "intel/sim/eu/eu.h"
#include "intel/sim/compute/gpgpu.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/trace/trace.h"

/* By the cache that constants and descriptors take. */
static void
note_load(const struct sim_cs *cs, uint64_t address, uint64_t size_B)
{
   sim_mem_note(&cs->mem,
                sim_traits(cs->gpu->verx10)->constants_by_vertex_cache
                   ? SIM_CLIENT_VERTEX
                   : SIM_CLIENT_COMMANDS,
                address, size_B, SIM_MEM_READ);
}

static enum cs_status
curbe_load(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct sim_hw_context *hw = cs->hw;
   struct GEN9_MEDIA_CURBE_LOAD c;
   GEN9_MEDIA_CURBE_LOAD_unpack(dw, &c);
   const unsigned align_B = sim_traits(cs->gpu->verx10)->curbe_align_B;
   if (c.CURBEDataStartAddress % align_B || c.CURBETotalDataLength % 32)
      return cs_fault(cs, "%u bytes at offset 0x%x are not aligned",
                      c.CURBETotalDataLength, c.CURBEDataStartAddress);
   note_load(cs, hw->state.base.dynamic + c.CURBEDataStartAddress,
             c.CURBETotalDataLength);
   if (!sim_mem_read(&cs->mem, hw->curbe,
                     hw->state.base.dynamic + c.CURBEDataStartAddress,
                     c.CURBETotalDataLength))
      return cs_mem_fault(cs);
   hw->curbe_size_B = c.CURBETotalDataLength;
   return CS_CONTINUE;
}

static enum cs_status
interface_descriptor_load(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct sim_hw_context *hw = cs->hw;
   struct GEN9_MEDIA_INTERFACE_DESCRIPTOR_LOAD c;
   GEN9_MEDIA_INTERFACE_DESCRIPTOR_LOAD_unpack(dw, &c);
   const uint32_t size_B = c.InterfaceDescriptorTotalLength;
   const uint64_t offset = c.InterfaceDescriptorDataStartAddress;
   if (!size_B || size_B % sizeof(hw->interface_descriptor[0]) ||
       size_B > sizeof(hw->interface_descriptor))
      return cs_fault(cs, "%u bytes are not 1 to %u descriptors", size_B,
                      SIM_MAX_INTERFACE_DESCRIPTORS);
   if (offset % 64)
      return cs_fault(cs, "offset 0x%" PRIx64 " is not aligned", offset);
   note_load(cs, hw->state.base.dynamic + offset, size_B);
   if (!sim_mem_read(&cs->mem, hw->interface_descriptor,
                     hw->state.base.dynamic + offset, size_B))
      return cs_mem_fault(cs);
   hw->num_interface_descriptors = size_B /
                                   sizeof(hw->interface_descriptor[0]);
   return CS_CONTINUE;
}

/* Nothing is under way when the next command is reached. */
static enum cs_status
state_flush(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return CS_CONTINUE;
}

/* The payload that a walker brings itself, in place of CURBE's (PRM SKL vol
 * 2a, GPGPU_WALKER, "Indirect Data Start Address"). */
static bool
load_indirect(struct sim_cs *cs, struct sim_dispatch *d)
{
   const struct sim_hw_context *hw = cs->hw;
   const struct GEN9_GPGPU_WALKER *w = &d->walker;
   const uint64_t address = hw->state.base.indirect +
                            w->IndirectDataStartAddress;
   d->indirect_size_B = w->IndirectDataLength;
   d->indirect = malloc(d->indirect_size_B);
   if (!d->indirect) {
      cs_fault(cs, "the host is out of memory");
      return false;
   }
   note_load(cs, address, d->indirect_size_B);
   if (sim_mem_read(&cs->mem, d->indirect, address, d->indirect_size_B))
      return true;
   cs_mem_fault(cs);
   return false;
}

static bool
set_dispatch(struct sim_cs *cs, const uint32_t *dw, struct sim_dispatch *d)
{
   const struct sim_hw_context *hw = cs->hw;
   struct GEN9_GPGPU_WALKER *w = &d->walker;
   const bool gen7 = sim_traits(cs->gpu->verx10)->state_form ==
                     SIM_STATE_GEN7;
   if (!gen7)
      GEN9_GPGPU_WALKER_unpack(dw, w);
   else
      cs_gen7_unpack_walker(dw, w);
   if (w->InterfaceDescriptorOffset >= hw->num_interface_descriptors) {
      cs_fault(cs, "interface descriptor %u of %u",
               w->InterfaceDescriptorOffset, hw->num_interface_descriptors);
      return false;
   }
   const uint32_t *descriptor =
      hw->interface_descriptor[w->InterfaceDescriptorOffset];
   if (!gen7)
      GEN9_INTERFACE_DESCRIPTOR_DATA_unpack(descriptor, &d->descriptor);
   else
      cs_gen7_unpack_descriptor(cs->gpu->verx10, descriptor, &d->descriptor);
   if (w->IndirectParameterEnable) {
      w->ThreadGroupIDXDimension =
         cs_get_register(cs, GEN9_GPGPU_DISPATCHDIMX_num);
      w->ThreadGroupIDYDimension =
         cs_get_register(cs, GEN9_GPGPU_DISPATCHDIMY_num);
      w->ThreadGroupIDZDimension =
         cs_get_register(cs, GEN9_GPGPU_DISPATCHDIMZ_num);
   }
   d->curbe = hw->curbe;
   d->curbe_size_B = hw->curbe_size_B;
   return !w->IndirectDataLength || load_indirect(cs, d);
}

static void
trace_dispatch(const struct sim_draw *draw, const struct GEN9_GPGPU_WALKER *w)
{
   const struct trace_draw t = {
      .address = draw->command_address,
      .is_dispatch = true,
      .vertex_count = w->ThreadGroupIDStartingX,
      .start_vertex = w->ThreadGroupIDStartingY,
      .instance_count = w->ThreadGroupIDStartingResumeZ,
      .start_instance = w->ThreadGroupIDXDimension,
      .base_vertex = (int32_t)w->ThreadGroupIDYDimension,
   };
   sim_trace_draw(draw->gpu->trace, &t);
}

static enum cs_status
dispatch(struct sim_cs *cs, const struct sim_dispatch *d)
{
   struct sim_hw_context *hw = cs->hw;
   if (d->walker.PredicateEnable &&
       !(cs_get_register(cs, GEN9_MI_PREDICATE_RESULT_num) & 1))
      return CS_CONTINUE;
   if (hw->state.pipeline_select.PipelineSelection != PIPELINE_GPGPU)
      return cs_fault(cs, "the pipeline selected is %u, not GPGPU",
                      hw->state.pipeline_select.PipelineSelection);

   struct sim_draw draw = {
      .gpu = cs->gpu,
      .state = &hw->state,
      .counters = &hw->counters,
      .mem = &cs->mem,
      .vm = cs->mem.vm,
      .command = "GPGPU_WALKER",
      .command_address = cs->ip,
      .programs = hw->programs,
      .urb = hw->urb,
      .urb_size_B = SIM_URB_B,
   };
   sim_gpu_count(&cs->gpu->stats.dispatches, 1);
   sim_gpu_progress(cs->gpu);
   if (cs->gpu->trace)
      trace_dispatch(&draw, &d->walker);
   sim_gpgpu_dispatch(&draw, d);
   sim_eu_cache_trim(hw->programs);
   cs->faulted |= draw.faulted;
   return draw.faulted ? CS_FAULT : CS_CONTINUE;
}

static enum cs_status
gpgpu_walker(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct sim_dispatch d = { .indirect = NULL };
   const enum cs_status status = set_dispatch(cs, dw, &d) ? dispatch(cs, &d)
                                                          : CS_FAULT;
   free(d.indirect);
   return status;
}

const struct cs_entry cs_compute_commands[] = {
   { GEN9_MEDIA_CURBE_LOAD_opcode, curbe_load },
   { GEN9_MEDIA_INTERFACE_DESCRIPTOR_LOAD_opcode, interface_descriptor_load },
   { GEN9_MEDIA_STATE_FLUSH_opcode, state_flush },
   { GEN9_GPGPU_WALKER_opcode, gpgpu_walker },
   { 0, NULL },
};
