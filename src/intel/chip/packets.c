/* SPDX-License-Identifier: MIT */
/*
 * Commands by their names in genxml, so that one text serves all
 * generations, and the dispatch of one thread (PRM SKL vol 7, "GPGPU Thread
 * Groups").
 */
#include "chip.h"

#include <stdio.h>

#include <i915_drm.h>

#include "intel/dev/intel_workaround.h"
#include "intel/genxml/genxml_bits.h"

#define OUTPUT_PATTERN 0xa5c3e177u
#define MI_BATCH_BUFFER_END 0x05000000u
#define PIPELINE_GPGPU 2
#define SELECT_MASK 3
/* Of a group of one thread: what is there in any chip. */
#define MAX_THREADS 8

void
chip_start(struct chip_device *d)
{
   const struct chip_bo *out = &d->bos[CHIP_OUTPUT];
   d->next = d->bos[CHIP_BATCH].map;
   for (unsigned i = 0; i < CHIP_BUFFER_B / 4; i++)
      out->map[i] = OUTPUT_PATTERN;
}

bool
chip_has(const struct chip_device *d, const char *name)
{
   return genxml_find(d->spec, name) != NULL;
}

static void
set_field(const struct genxml_group *g, uint32_t *dw,
          const struct chip_field *field)
{
   const bool optional = field->name[0] == '?';
   const struct genxml_field *f =
      genxml_find_field(g, field->name + optional);
   if (!f) {
      assert(optional && "a field that the generation does not have");
      return;
   }
   const unsigned hi = f->lo + f->bits - 1u;
   if (f->kind == GENXML_ADDRESS || f->kind == GENXML_OFFSET)
      genxml_set_offset(dw, f->lo, hi, field->value);
   else
      genxml_set_uint(dw, f->lo, hi, field->value);
}

void
chip_fill(const struct chip_device *d, const char *name, uint32_t *dw,
          const struct chip_field *fields, unsigned n)
{
   const struct genxml_group *g = genxml_find(d->spec, name);
   assert(g && "a packet that the generation does not have");
   memset(dw, 0, 4u * g->dwords);
   dw[0] = g->opcode;
   if (g->length_bits)
      dw[0] |= (uint32_t)(g->dwords - g->length_bias) << g->length_lo;
   for (unsigned i = 0; i < n; i++)
      set_field(g, dw, &fields[i]);
}

void
chip_emit(struct chip_device *d, const char *name,
          const struct chip_field *fields, unsigned n)
{
   chip_fill(d, name, d->next, fields, n);
   d->next += genxml_find(d->spec, name)->dwords;
   assert((uintptr_t)d->next <
          (uintptr_t)d->bos[CHIP_BATCH].map + CHIP_BUFFER_B - 64);
}

enum chip_status
chip_finish(struct chip_device *d, unsigned output_B,
            struct util_dynarray *out)
{
   const struct chip_bo *bos[CHIP_BUFFERS];
   unsigned n = 0;
   *d->next++ = MI_BATCH_BUFFER_END;
   *d->next++ = 0;
   for (unsigned i = 0; i < CHIP_BUFFERS; i++) {
      if (i != CHIP_BATCH)
         bos[n++] = &d->bos[i];
   }
   bos[n++] = &d->bos[CHIP_BATCH];
   const enum chip_status status =
      chip_execute(d, bos, n, d->bos[CHIP_BATCH].address, I915_EXEC_RENDER);
   if (status == CHIP_DONE && output_B)
      memcpy(util_dynarray_grow_bytes(out, output_B), d->bos[CHIP_OUTPUT].map,
             output_B);
   return status;
}

static void
flush(struct chip_device *d)
{
   CHIP_EMIT(d, "PIPE_CONTROL", { "DCFlushEnable", 1 },
             { "RenderTargetCacheFlushEnable", 1 },
             { "DepthCacheFlushEnable", 1 },
             { "CommandStreamerStallEnable", 1 });
}

static void
invalidate(struct chip_device *d)
{
   CHIP_EMIT(d, "PIPE_CONTROL", { "CommandStreamerStallEnable", 1 },
             { "StallAtPixelScoreboard", 1 });
   CHIP_EMIT(d, "PIPE_CONTROL", { "CommandStreamerStallEnable", 1 },
             { "StallAtPixelScoreboard", 1 },
             { "StateCacheInvalidationEnable", 1 },
             { "ConstantCacheInvalidationEnable", 1 },
             { "TextureCacheInvalidationEnable", 1 },
             { "InstructionCacheInvalidateEnable", 1 });
}

static void
emit_bases(struct chip_device *d)
{
   const uint64_t state = chip_address(d, CHIP_STATE);
   const uint64_t program = chip_address(d, CHIP_PROGRAM);
   CHIP_EMIT(d, "STATE_BASE_ADDRESS",
             { "GeneralStateBaseAddressModifyEnable", 1 },
             { "SurfaceStateBaseAddressModifyEnable", 1 },
             { "SurfaceStateBaseAddress", state },
             { "DynamicStateBaseAddressModifyEnable", 1 },
             { "DynamicStateBaseAddress", state },
             { "IndirectObjectBaseAddressModifyEnable", 1 },
             { "InstructionBaseAddressModifyEnable", 1 },
             { "InstructionBaseAddress", program },
             { "?GeneralStateAccessUpperBoundModifyEnable", 1 },
             { "?GeneralStateAccessUpperBound", 0xfffff000 },
             { "?DynamicStateAccessUpperBoundModifyEnable", 1 },
             { "?DynamicStateAccessUpperBound", 0xfffff000 },
             { "?IndirectObjectAccessUpperBoundModifyEnable", 1 },
             { "?IndirectObjectAccessUpperBound", 0xfffff000 },
             { "?InstructionAccessUpperBoundModifyEnable", 1 },
             { "?InstructionAccessUpperBound", 0xfffff000 },
             { "?GeneralStateBufferSizeModifyEnable", 1 },
             { "?GeneralStateBufferSize", 0xfffff },
             { "?DynamicStateBufferSizeModifyEnable", 1 },
             { "?DynamicStateBufferSize", 0xfffff },
             { "?IndirectObjectBufferSizeModifyEnable", 1 },
             { "?IndirectObjectBufferSize", 0xfffff },
             { "?InstructionBuffersizeModifyEnable", 1 },
             { "?InstructionBufferSize", 0xfffff });
}

static void
load_register(struct chip_device *d, const char *name,
              const struct chip_field *fields, unsigned n)
{
   uint32_t value;
   chip_fill(d, name, &value, fields, n);
   CHIP_EMIT(d, "MI_LOAD_REGISTER_IMM",
             { "RegisterOffset", genxml_find(d->spec, name)->address },
             { "DataDWord", value });
}

/* IVB PRM volume 1 part 1, "L3SQ General Priority Credit Initialization", as
 * Linux i915 leaves it. */
static unsigned
l3sq_credits(const struct chip_device *d)
{
   static const unsigned credits[ISA_GEN_COUNT] = {
      [ISA_IVB] = 0x1cc, [ISA_HSW] = 0x184
   };
   return credits[d->gen];
}

/* How L3 is dealt out without shared memory: as our driver does. */
static void
emit_l3(struct chip_device *d)
{
   const struct intel_l3_config *l3 = &d->info->l3[INTEL_L3_3D];
   if (chip_has(d, "L3CNTLREG")) {
      load_register(d, "L3CNTLREG",
                    CHIP_FIELDS({ "URBAllocation", l3->urb },
                                { "AllAllocation", l3->all }));
      return;
   }
   load_register(d, "L3SQCREG1",
                 CHIP_FIELDS({ "Credits", l3sq_credits(d) },
                             { "ConvertDC_UC", !l3->data },
                             { "ConvertIS_UC", !l3->read_only },
                             { "ConvertC_UC", !l3->read_only },
                             { "ConvertT_UC", !l3->read_only }));
   load_register(d, "L3CNTLREG2",
                 CHIP_FIELDS({ "URBAllocation", l3->urb },
                             { "DCAllocation", l3->data },
                             { "ROAllocation", l3->read_only }));
   load_register(d, "L3CNTLREG3", CHIP_FIELDS({ "ISAllocation", 0 }));
}

static void
fill_descriptor(struct chip_device *d)
{
   uint32_t *dw = &d->bos[CHIP_STATE].map[CHIP_AT_DESCRIPTOR / 4];
   chip_fill(d, "INTERFACE_DESCRIPTOR_DATA", dw,
             CHIP_FIELDS({ "NumberofThreadsinGPGPUThreadGroup", 1 },
                         { "SamplerStatePointer", CHIP_AT_SAMPLER },
                         { "BindingTablePointer", CHIP_AT_BINDINGS },
                         { "ConstantURBEntryReadLength", 1 }));
}

void
chip_dispatch(struct chip_device *d, unsigned simd, uint32_t mask)
{
   const unsigned descriptor_B =
      4u * genxml_find(d->spec, "INTERFACE_DESCRIPTOR_DATA")->dwords;
   flush(d);
   invalidate(d);
   if (intel_needs_workaround(d->info, INTEL_WA_CC_STATE_BEFORE_SELECT))
      CHIP_EMIT(d, "3DSTATE_CC_STATE_POINTERS",
                { "?ColorCalcStatePointerValid", 0 });
   emit_l3(d);
   CHIP_EMIT(d, "PIPELINE_SELECT", { "?MaskBits", SELECT_MASK },
             { "PipelineSelection", PIPELINE_GPGPU });
   emit_bases(d);
   invalidate(d);
   fill_descriptor(d);
   CHIP_EMIT(d, "MEDIA_VFE_STATE", { "?GPGPUMode", 1 },
             { "MaximumNumberofThreads", MAX_THREADS - 1 },
             { "NumberofURBEntries", 2 }, { "URBEntryAllocationSize", 2 },
             { "CURBEAllocationSize", 2 }, { "ResetGatewayTimer", 1 });
   CHIP_EMIT(d, "MEDIA_CURBE_LOAD", { "CURBETotalDataLength", 64 },
             { "CURBEDataStartAddress", 0 });
   CHIP_EMIT(d, "MEDIA_INTERFACE_DESCRIPTOR_LOAD",
             { "InterfaceDescriptorTotalLength", descriptor_B },
             { "InterfaceDescriptorDataStartAddress", CHIP_AT_DESCRIPTOR });
   CHIP_EMIT(d, "GPGPU_WALKER", { "SIMDSize", simd / 16 },
             { "ThreadGroupIDXDimension", 1 },
             { "ThreadGroupIDYDimension", 1 },
             { "ThreadGroupIDZDimension", 1 }, { "RightExecutionMask", mask },
             { "BottomExecutionMask", 0xffffffff });
   CHIP_EMIT(d, "MEDIA_STATE_FLUSH", { "?FlushtoGO", 0 });
   flush(d);
}
