/* SPDX-License-Identifier: MIT */
/*
 * State packets: unpacked into struct sim_render_state. Most are kept as
 * they come; the ones here by name are lists, are indexed, or change only a
 * part of what they name (PRM SKL Vol. 2a, each under its name).
 */
#include "cs_private.h"

#include <inttypes.h>

#include "intel/sim/raster/hz.h"

static enum cs_status
nothing(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return CS_CONTINUE;
}

#define STORE(packet, member)                                                \
   static enum cs_status store_##member(struct sim_cs *cs,                   \
                                        const uint32_t *dw, unsigned n)      \
   {                                                                         \
      GEN9_##packet##_unpack(dw, &cs->hw->state.member);                     \
      return CS_CONTINUE;                                                    \
   }
SIM_3DSTATE_PACKETS(STORE)
#undef STORE

static void
set_base(uint64_t *base, bool modify, uint64_t value)
{
   if (modify)
      *base = value & SIM_ADDRESS_MASK;
}

/* Sizes are in pages, and 0xfffff of them means all there is. */
static void
set_size(uint64_t *size_B, bool modify, uint32_t pages)
{
   if (modify)
      *size_B = pages == 0xfffff ? 0 : (uint64_t)pages * SIM_PAGE_SIZE;
}

void
cs_set_base_addresses(struct sim_cs *cs,
                      const struct GEN9_STATE_BASE_ADDRESS *c)
{
   struct sim_state_bases *b = &cs->hw->state.base;
   set_base(&b->general, c->GeneralStateBaseAddressModifyEnable,
            c->GeneralStateBaseAddress);
   set_base(&b->surface, c->SurfaceStateBaseAddressModifyEnable,
            c->SurfaceStateBaseAddress);
   set_base(&b->dynamic, c->DynamicStateBaseAddressModifyEnable,
            c->DynamicStateBaseAddress);
   set_base(&b->indirect, c->IndirectObjectBaseAddressModifyEnable,
            c->IndirectObjectBaseAddress);
   set_base(&b->instruction, c->InstructionBaseAddressModifyEnable,
            c->InstructionBaseAddress);
   set_base(&b->bindless_surface,
            c->BindlessSurfaceStateBaseAddressModifyEnable,
            c->BindlessSurfaceStateBaseAddress);
   set_size(&b->general_size_B, c->GeneralStateBufferSizeModifyEnable,
            c->GeneralStateBufferSize);
   set_size(&b->dynamic_size_B, c->DynamicStateBufferSizeModifyEnable,
            c->DynamicStateBufferSize);
   set_size(&b->indirect_size_B, c->IndirectObjectBufferSizeModifyEnable,
            c->IndirectObjectBufferSize);
   set_size(&b->instruction_size_B, c->InstructionBuffersizeModifyEnable,
            c->InstructionBufferSize);
   cs->hw->state.state_base_address = *c;
}

static enum cs_status
state_base_address(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_STATE_BASE_ADDRESS c;
   GEN9_STATE_BASE_ADDRESS_unpack(dw, &c);
   cs_set_base_addresses(cs, &c);
   return CS_CONTINUE;
}

static enum cs_status
pipeline_select(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_PIPELINE_SELECT c;
   GEN9_PIPELINE_SELECT_unpack(dw, &c);
   /* "Mask Bits: these must be set to modify bits 7:0". */
   if ((c.MaskBits & 3) == 3)
      cs->hw->state.pipeline_select = c;
   return CS_CONTINUE;
}

/* The pointer counts only when its valid bit is set. */
static enum cs_status
blend_state_pointers(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_3DSTATE_BLEND_STATE_POINTERS c;
   GEN9_3DSTATE_BLEND_STATE_POINTERS_unpack(dw, &c);
   if (c.BlendStatePointerValid)
      cs->hw->state.blend_state_pointers = c;
   return CS_CONTINUE;
}

static enum cs_status
cc_state_pointers(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_3DSTATE_CC_STATE_POINTERS c;
   GEN9_3DSTATE_CC_STATE_POINTERS_unpack(dw, &c);
   if (c.ColorCalcStatePointerValid)
      cs->hw->state.cc_state_pointers = c;
   return CS_CONTINUE;
}

static enum cs_status
binding_table_pool_alloc(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_3DSTATE_BINDING_TABLE_POOL_ALLOC *c =
      &cs->hw->state.binding_table_pool_alloc;
   GEN9_3DSTATE_BINDING_TABLE_POOL_ALLOC_unpack(dw, c);
   if (c->BindingTablePoolEnable)
      return cs_fault(cs, "hardware binding tables are not implemented");
   return CS_CONTINUE;
}

/* Operations without a draw: clears and resolves of the HiZ buffer. */
static enum cs_status
wm_hz_op(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_3DSTATE_WM_HZ_OP *c = &cs->hw->state.wm_hz_op;
   GEN9_3DSTATE_WM_HZ_OP_unpack(dw, c);
   if (!c->DepthBufferClearEnable && !c->StencilBufferClearEnable &&
       !c->DepthBufferResolveEnable &&
       !c->HierarchicalDepthBufferResolveEnable)
      return CS_CONTINUE;
   struct sim_draw draw = {
      .gpu = cs->gpu,
      .state = &cs->hw->state,
      .counters = &cs->hw->counters,
      .mem = &cs->mem,
      .vm = cs->mem.vm,
      .command = "3DSTATE_WM_HZ_OP",
      .command_address = cs->ip,
   };
   sim_gpu_progress(cs->gpu);
   sim_hz_op(&draw);
   cs->faulted |= draw.faulted;
   return draw.faulted ? CS_FAULT : CS_CONTINUE;
}

static void
set_vertex_buffer(struct sim_cs *cs, const uint32_t *dw)
{
   struct GEN9_VERTEX_BUFFER_STATE vb;
   GEN9_VERTEX_BUFFER_STATE_unpack(dw, &vb);
   struct GEN9_VERTEX_BUFFER_STATE *to =
      &cs->hw->state.vertex_buffer[vb.VertexBufferIndex];
   if (!vb.AddressModifyEnable)
      vb.BufferStartingAddress = to->BufferStartingAddress;
   *to = vb;
}

enum cs_status
cs_vertex_buffers(struct sim_cs *cs, const uint32_t *dw, unsigned n,
                  void (*set)(struct sim_cs *cs, const uint32_t *dw))
{
   if ((n - 1) % 4)
      return cs_fault(cs, "%u dwords are no whole number of buffers", n - 1);
   for (unsigned i = 1; i < n; i += 4) {
      /* The index stands in the same bits on all generations. */
      struct GEN9_VERTEX_BUFFER_STATE vb;
      GEN9_VERTEX_BUFFER_STATE_unpack(&dw[i], &vb);
      if (vb.VertexBufferIndex >= SIM_MAX_VERTEX_BUFFERS)
         return cs_fault(cs, "vertex buffer %u of %u", vb.VertexBufferIndex,
                         SIM_MAX_VERTEX_BUFFERS);
      set(cs, &dw[i]);
   }
   return CS_CONTINUE;
}

static enum cs_status
vertex_buffers(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return cs_vertex_buffers(cs, dw, n, set_vertex_buffer);
}

static enum cs_status
vertex_elements(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   const unsigned count = (n - 1) / 2;
   if ((n - 1) % 2 || count > SIM_MAX_VERTEX_ELEMENTS)
      return cs_fault(cs, "%u dwords are not 1 to %u elements", n - 1,
                      SIM_MAX_VERTEX_ELEMENTS);
   for (unsigned i = 0; i < count; i++)
      GEN9_VERTEX_ELEMENT_STATE_unpack(&dw[1 + 2 * i],
                                       &cs->hw->state.vertex_element[i]);
   cs->hw->state.num_vertex_elements = count;
   return CS_CONTINUE;
}

static enum cs_status
vf_instancing(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_3DSTATE_VF_INSTANCING c;
   GEN9_3DSTATE_VF_INSTANCING_unpack(dw, &c);
   if (c.VertexElementIndex >= SIM_MAX_VERTEX_ELEMENTS)
      return cs_fault(cs, "vertex element %u of %u", c.VertexElementIndex,
                      SIM_MAX_VERTEX_ELEMENTS);
   cs->hw->state.vf_instancing[c.VertexElementIndex] = c;
   return CS_CONTINUE;
}

/*
 * "Stream Offset: if it is 0xFFFFFFFF, load the offset register from Stream
 * Output Buffer Offset Address; otherwise from this field" when Stream
 * Offset Write Enable is set.
 */
static enum cs_status
so_buffer(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_3DSTATE_SO_BUFFER c;
   GEN9_3DSTATE_SO_BUFFER_unpack(dw, &c);
   cs->hw->state.so_buffer[c.SOBufferIndex] = c;
   if (!c.StreamOffsetWriteEnable)
      return CS_CONTINUE;
   uint32_t *offset = &cs->hw->counters.so_write_offset[c.SOBufferIndex];
   if (c.StreamOffset != UINT32_MAX) {
      *offset = c.StreamOffset;
      return CS_CONTINUE;
   }
   if (!c.StreamOutputBufferOffsetAddressEnable)
      return cs_fault(cs, "Stream Offset 0xffffffff without an address");
   return sim_mem_read(&cs->mem, offset, c.StreamOutputBufferOffsetAddress,
                       sizeof(*offset))
             ? CS_CONTINUE
             : cs_mem_fault(cs);
}

static enum cs_status
so_decl_list(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct sim_render_state *s = &cs->hw->state;
   struct GEN9_3DSTATE_SO_DECL_LIST *c = &s->so_decl_list;
   GEN9_3DSTATE_SO_DECL_LIST_unpack(dw, c);
   const unsigned count = (n - 3) / 2;
   const unsigned used[] = { c->NumEntries0, c->NumEntries1, c->NumEntries2,
                             c->NumEntries3 };
   if ((n - 3) % 2 || count > SIM_MAX_SO_DECLS)
      return cs_fault(cs, "%u dwords are not up to %u entries", n - 3,
                      SIM_MAX_SO_DECLS);
   for (unsigned i = 0; i < count; i++) {
      struct GEN9_SO_DECL_ENTRY e;
      GEN9_SO_DECL_ENTRY_unpack(&dw[3 + 2 * i], &e);
      s->so_decl[0][i] = e.Stream0Decl;
      s->so_decl[1][i] = e.Stream1Decl;
      s->so_decl[2][i] = e.Stream2Decl;
      s->so_decl[3][i] = e.Stream3Decl;
   }
   for (unsigned i = 0; i < SIM_MAX_SO_STREAMS; i++) {
      if (used[i] > count)
         return cs_fault(cs, "stream %u has %u entries of %u", i, used[i],
                         count);
      s->num_so_decls[i] = used[i];
   }
   return CS_CONTINUE;
}

/* Later rows win: the generic store of a packet that has its own handler is
 * replaced. */
const struct cs_entry cs_state_commands[] = {
#define ENTRY(packet, member) { GEN9_##packet##_opcode, store_##member },
   SIM_3DSTATE_PACKETS(ENTRY)
#undef ENTRY
      { GEN9_STATE_BASE_ADDRESS_opcode, state_base_address },
   { GEN9_PIPELINE_SELECT_opcode, pipeline_select },
   { GEN9_3DSTATE_BLEND_STATE_POINTERS_opcode, blend_state_pointers },
   { GEN9_3DSTATE_CC_STATE_POINTERS_opcode, cc_state_pointers },
   { GEN9_3DSTATE_BINDING_TABLE_POOL_ALLOC_opcode, binding_table_pool_alloc },
   { GEN9_3DSTATE_WM_HZ_OP_opcode, wm_hz_op },
   { GEN9_3DSTATE_VERTEX_BUFFERS_opcode, vertex_buffers },
   { GEN9_3DSTATE_VERTEX_ELEMENTS_opcode, vertex_elements },
   { GEN9_3DSTATE_VF_INSTANCING_opcode, vf_instancing },
   { GEN9_3DSTATE_SO_BUFFER_opcode, so_buffer },
   { GEN9_3DSTATE_SO_DECL_LIST_opcode, so_decl_list },
   /* A hint to caches that are not there. */
   { GEN9_STATE_PREFETCH_opcode, nothing },
   /* Read by sampler features that fault when they are enabled. */
   { GEN9_3DSTATE_CHROMA_KEY_opcode, nothing },
   { GEN9_3DSTATE_MONOFILTER_SIZE_opcode, nothing },
   { 0, NULL },
};
