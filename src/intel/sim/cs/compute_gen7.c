/* SPDX-License-Identifier: MIT */
/*
 * Compute state of Gen7 and Gen7.5 in the shape of Gen9's (PRM HSW Vol. 2a
 * "GPGPU_WALKER", "MEDIA_VFE_STATE", Vol. 2b "INTERFACE_DESCRIPTOR_DATA";
 * IVB Vol. 2 part 2).
 */
#include "cs_private.h"

#include "intel/genxml/gen7_pack.h"
#include "intel/genxml/gen75_pack.h"

void
cs_gen7_unpack_walker(const uint32_t *dw, struct GEN9_GPGPU_WALKER *w)
{
   struct GEN75_GPGPU_WALKER c;
   GEN75_GPGPU_WALKER_unpack(dw, &c);
   *w = (struct GEN9_GPGPU_WALKER) {
      .PredicateEnable = c.PredicateEnable,
      .IndirectParameterEnable = c.IndirectParameterEnable,
      .InterfaceDescriptorOffset = c.InterfaceDescriptorOffset,
      .ThreadWidthCounterMaximum = c.ThreadWidthCounterMaximum,
      .ThreadHeightCounterMaximum = c.ThreadHeightCounterMaximum,
      .ThreadDepthCounterMaximum = c.ThreadDepthCounterMaximum,
      .SIMDSize = c.SIMDSize,
      .ThreadGroupIDStartingX = c.ThreadGroupIDStartingX,
      .ThreadGroupIDXDimension = c.ThreadGroupIDXDimension,
      .ThreadGroupIDStartingY = c.ThreadGroupIDStartingY,
      .ThreadGroupIDYDimension = c.ThreadGroupIDYDimension,
      .ThreadGroupIDStartingResumeZ = c.ThreadGroupIDStartingZ,
      .ThreadGroupIDZDimension = c.ThreadGroupIDZDimension,
      .RightExecutionMask = c.RightExecutionMask,
      .BottomExecutionMask = c.BottomExecutionMask,
   };
}

/* Ivybridge has no constants of the whole group. */
void
cs_gen7_unpack_descriptor(unsigned verx10, const uint32_t *dw,
                          struct GEN9_INTERFACE_DESCRIPTOR_DATA *d)
{
   struct GEN75_INTERFACE_DESCRIPTOR_DATA c;
   struct GEN7_INTERFACE_DESCRIPTOR_DATA ivb;
   GEN75_INTERFACE_DESCRIPTOR_DATA_unpack(dw, &c);
   GEN7_INTERFACE_DESCRIPTOR_DATA_unpack(dw, &ivb);
   *d = (struct GEN9_INTERFACE_DESCRIPTOR_DATA) {
      .KernelStartPointer = c.KernelStartPointer,
      .FloatingPointMode = c.FloatingPointMode,
      .SingleProgramFlow = c.SingleProgramFlow,
      .SamplerCount = c.SamplerCount,
      .SamplerStatePointer = c.SamplerStatePointer,
      .BindingTableEntryCount = c.BindingTableEntryCount,
      .BindingTablePointer = c.BindingTablePointer,
      .ConstantURBEntryReadOffset =
         verx10 == 70 ? ivb.ConstantURBEntryReadOffset : 0,
      .ConstantURBEntryReadLength = c.ConstantURBEntryReadLength,
      .NumberofThreadsinGPGPUThreadGroup =
         c.NumberofThreadsinGPGPUThreadGroup,
      .SharedLocalMemorySize = c.SharedLocalMemorySize,
      .BarrierEnable = c.BarrierEnable,
      .RoundingMode = c.RoundingMode,
      .CrossThreadConstantDataReadLength =
         verx10 == 70 ? 0 : c.CrossThreadConstantDataReadLength,
   };
}

static enum cs_status
vfe_state(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN75_MEDIA_VFE_STATE c;
   GEN75_MEDIA_VFE_STATE_unpack(dw, &c);
   cs->hw->state.media_vfe_state = (struct GEN9_MEDIA_VFE_STATE) {
      .PerThreadScratchSpace = c.PerThreadScratchSpace,
      .ScratchSpaceBasePointer = c.ScratchSpaceBasePointer,
      .ResetGatewayTimer = c.ResetGatewayTimer,
      .NumberofURBEntries = c.NumberofURBEntries,
      .MaximumNumberofThreads = c.MaximumNumberofThreads,
      .CURBEAllocationSize = c.CURBEAllocationSize,
      .URBEntryAllocationSize = c.URBEntryAllocationSize,
   };
   return CS_CONTINUE;
}

const struct cs_entry cs_gen7_compute_commands[] = {
   { GEN75_MEDIA_VFE_STATE_opcode, vfe_state },
   { 0, NULL },
};
