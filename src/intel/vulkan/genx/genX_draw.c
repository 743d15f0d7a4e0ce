/* SPDX-License-Identifier: MIT */
/*
 * Draws: brings the GPU's state up to date, then 3DPRIMITIVE.
 *
 * What a shader may ask for and the hardware does not count by itself (first
 * vertex, base instance, draw id) comes from two small vertex buffers of
 * stride 0, made for each draw that needs them.
 */
#include "intel/dev/intel_workaround.h"
#include "genX_private.h"
#include "genX_vertex_input.h"
#include "intel/vulkan/cmd/saf_meta.h"

/* ---- the vertex fetcher's cache ---- */

static void
note_fetched(struct saf_cmd_buffer *cmd, unsigned index, uint64_t addr,
             uint64_t size_B)
{
   size_B = MIN2(size_B, UINT32_MAX);
   cmd->vf_bound[index] = (struct saf_vf_range) {
      .begin = addr & ~63ull,
      .end = size_B ? (addr + size_B + 63) & ~63ull : 0,
   };
   cmd->vf_noted &= ~(1ull << index);
}

/* Whether one buffer's range gets too large for the cache. */
static bool
add_fetched(struct saf_cmd_buffer *cmd, uint64_t buffers)
{
   bool too_large = false;
   buffers &= ~cmd->vf_noted;
   cmd->vf_noted |= buffers;
   while (buffers) {
      const int i = u_bit_scan64(&buffers);
      const struct saf_vf_range *bound = &cmd->vf_bound[i];
      struct saf_vf_range *r = &cmd->vf_cached[i];
      if (!bound->end)
         continue;
      r->begin = r->end ? MIN2(r->begin, bound->begin) : bound->begin;
      r->end = MAX2(r->end, bound->end);
      too_large |= r->end - r->begin > 1ull << 32;
   }
   return too_large;
}

/* After all that binds buffers for a draw: INTEL_WA_VERTEX_CACHE_32_BITS. */
static void
keep_vertex_cache(struct saf_cmd_buffer *cmd, bool indexed)
{
   if (!intel_needs_workaround(cmd->device->info,
                               INTEL_WA_VERTEX_CACHE_32_BITS))
      return;
   const struct intel_vs_prog_data *vs = saf_pipeline_vs(cmd->draw.pipeline);
   uint64_t buffers = cmd->vf_buffers;
   if (indexed)
      buffers |= 1ull << SAF_VF_INDICES;
   if (vs->uses_firstvertex || vs->uses_baseinstance || vs->uses_vertexid ||
       vs->uses_instanceid)
      buffers |= 1ull << SAF_VB_DRAW_PARAMETERS;
   if (vs->uses_drawid)
      buffers |= 1ull << SAF_VB_DRAW_ID;
   if (add_fetched(cmd, buffers)) {
      genX(invalidate_vertices)(cmd);
      add_fetched(cmd, buffers);
   }
}

/* ---- buffers ---- */

/* `b`: NULL for a buffer of the driver's, whose one element all have. */
static void
pack_vertex_buffer(struct saf_cmd_buffer *cmd, uint32_t *dw, unsigned index,
                   uint64_t addr, uint64_t size_B,
                   const struct saf_vertex_input_binding *b)
{
   note_fetched(cmd, index, addr, size_B);
   const struct GENX(VERTEX_BUFFER_STATE) vb = {
      .VertexBufferIndex = index,
      .AddressModifyEnable = true,
      .MOCS = cmd->device->info->mocs_cached,
      .BufferPitch = b ? b->stride_B : 0,
      .NullVertexBuffer = size_B == 0,
      .BufferStartingAddress = size_B ? addr : 0,
#if GEN_VERX10 >= 80
      .BufferSize = (uint32_t)MIN2(size_B, UINT32_MAX),
#else
      .EndAddress = size_B ? addr + size_B - 1 : 0,
      .BufferAccessType = b && b->per_instance ? INSTANCEDATA : VERTEXDATA,
      .InstanceDataStepRate = b && b->per_instance ? b->divisor : 0,
#endif
   };
   GENX(VERTEX_BUFFER_STATE_pack)(dw, &vb);
}

/* Of `count` buffers, which are in cmd->packed behind the first dword. */
static void
send_vertex_buffers(struct saf_cmd_buffer *cmd, uint32_t *sent,
                    unsigned count)
{
   const unsigned each = GENX(VERTEX_BUFFER_STATE_length);
   const unsigned total = 1 + count * each;
   const struct GENX(3DSTATE_VERTEX_BUFFERS) head = {
      GENX(3DSTATE_VERTEX_BUFFERS_header),
      .DWordLength = total - GENX(3DSTATE_VERTEX_BUFFERS_length_bias),
   };
   GENX(3DSTATE_VERTEX_BUFFERS_pack)(cmd->packed, &head);
   if (!genX(is_news)(sent, cmd->packed, total))
      return;
   uint32_t *dw = saf_batch_dwords(&cmd->batch, total);
   memcpy(dw, cmd->packed, total * sizeof(*dw));
   for (unsigned i = 0; i < count; i++)
      saf_note_at(&cmd->batch, dw + 1 + i * each, VERTEX_BUFFER_STATE);
}

static uint64_t
bound_buffers(const struct saf_gfx_state *gfx)
{
   uint64_t buffers = 0;
   for (unsigned i = 0; i < SAF_MAX_VERTEX_BINDINGS; i++)
      buffers |= (uint64_t)gfx->bindings[i].valid << i;
   return buffers;
}

void
genX(emit_vertex_buffers)(struct saf_cmd_buffer *cmd)
{
   const struct saf_gfx_state *gfx = &cmd->draw.gfx;
   unsigned count = 0;
   uint32_t *dw = cmd->packed + 1;
   if (cmd->dirty & SAF_GFX_VERTEX_INPUT)
      cmd->vf_buffers = bound_buffers(gfx);
   uint64_t buffers = cmd->vf_buffers;
   while (buffers) {
      const unsigned i = (unsigned)u_bit_scan64(&buffers);
      struct saf_vertex_input_binding b = gfx->bindings[i];
      if (cmd->draw.pipeline->dynamic & SAF_GFX_VERTEX_STRIDE)
         b.stride_B = cmd->vertex[i].stride_B;
      pack_vertex_buffer(cmd, dw, i, cmd->vertex[i].addr,
                         cmd->vertex[i].size_B, &b);
      dw += GENX(VERTEX_BUFFER_STATE_length);
      count++;
   }
   if (count)
      send_vertex_buffers(cmd, genX(sent)(cmd)->vertex_buffers, count);
}

static void
emit_small_vertex_buffer(struct saf_cmd_buffer *cmd, unsigned index,
                         uint64_t addr, uint32_t size_B)
{
   pack_vertex_buffer(cmd, cmd->packed + 1, index, addr, size_B, NULL);
   send_vertex_buffers(
      cmd, genX(sent)(cmd)->small_buffers[index - SAF_VB_DRAW_PARAMETERS], 1);
}

static bool
needs_draw_parameters(const struct saf_cmd_buffer *cmd)
{
   const struct intel_vs_prog_data *vs = saf_pipeline_vs(cmd->draw.pipeline);
   return vs->uses_firstvertex || vs->uses_baseinstance;
}

/* Whether each draw makes state for its shader to read. */
static bool
needs_own_buffers(const struct saf_cmd_buffer *cmd)
{
   return needs_draw_parameters(cmd) ||
          saf_pipeline_vs(cmd->draw.pipeline)->uses_drawid;
}

void
genX(emit_draw_parameters)(struct saf_cmd_buffer *cmd, uint32_t first_vertex,
                           uint32_t base_instance)
{
   const struct intel_vs_prog_data *vs = saf_pipeline_vs(cmd->draw.pipeline);
   const struct saf_kept *last = &cmd->kept[SAF_KEPT_DRAW_PARAMETERS];
   const bool needed = needs_draw_parameters(cmd);
   const uint32_t values[2] = { first_vertex, base_instance };
   uint32_t offset = last->offset;
   if (!needed && !vs->uses_vertexid && !vs->uses_instanceid)
      return;
   /* Of those alone the element exists, and is fetched, whatever it says: the
    * last one will do, and is near to where the next will be. */
   if (needed || !last->size_B)
      offset = genX(keep_state)(cmd, SAF_KEPT_DRAW_PARAMETERS, values,
                                sizeof(values), 4);
   emit_small_vertex_buffer(cmd, SAF_VB_DRAW_PARAMETERS,
                            cmd->dynamic_base + offset, 8);
}

static void
emit_draw_id(struct saf_cmd_buffer *cmd, uint32_t id, uint32_t view)
{
   if (!saf_pipeline_vs(cmd->draw.pipeline)->uses_drawid)
      return;
   const uint32_t values[2] = { id, view };
   const uint32_t offset =
      genX(keep_state)(cmd, SAF_KEPT_DRAW_ID, values, sizeof(values), 4);
   emit_small_vertex_buffer(cmd, SAF_VB_DRAW_ID, cmd->dynamic_base + offset,
                            8);
}

/* Draws draw number `id` of a command once for each view; all else has been
 * set. What all draws have in common is filled in here. */
__attribute__((flatten)) static void
emit_primitive(struct saf_cmd_buffer *cmd, uint32_t id,
               struct GENX(3DPRIMITIVE) * prim)
{
   uint32_t views = MAX2(cmd->draw.pipeline->view_mask, 1);
   prim->PredicateEnable = cmd->in_meta ? cmd->meta_conditional
                                        : cmd->conditional || cmd->counted;
   prim->PrimitiveTopologyType = cmd->fans_as_list ? _3DPRIM_TRILIST
                                                   : genX(topology)(cmd);
   while (views) {
      emit_draw_id(cmd, id, (uint32_t)u_bit_scan(&views));
      keep_vertex_cache(cmd, prim->VertexAccessType == RANDOM);
      GENX(3DPRIMITIVE_pack)
      (saf_batch_dwords(&cmd->batch, GENX(3DPRIMITIVE_length)), prim);
      saf_note(&cmd->batch, 3DPRIMITIVE);
   }
}

static void
emit_index_buffer(struct saf_cmd_buffer *cmd)
{
   note_fetched(cmd, SAF_VF_INDICES, cmd->index_addr, cmd->index_size_B);
   saf_emit_state(cmd, 3DSTATE_INDEX_BUFFER, ib)
   {
      ib.IndexFormat = cmd->index_type == VK_INDEX_TYPE_UINT32   ? INDEX_DWORD
                       : cmd->index_type == VK_INDEX_TYPE_UINT16 ? INDEX_WORD
                                                                 : INDEX_BYTE;
      ib.MOCS = cmd->device->info->mocs_cached;
      ib.BufferStartingAddress = cmd->index_addr;
#if GEN_VERX10 >= 80
      ib.BufferSize = (uint32_t)MIN2(cmd->index_size_B, UINT32_MAX);
#else
      ib.BufferEndingAddress = cmd->index_addr + MAX2(cmd->index_size_B, 1) -
                               1;
#endif
#if GEN_VERX10 == 70
      ib.CutIndexEnable = cmd->draw.gfx.primitive_restart;
#endif
   }
}

void
genX(emit_dummy_primitive)(struct saf_cmd_buffer *cmd)
{
   saf_emit(&cmd->batch, 3DPRIMITIVE, prim)
      prim.PrimitiveTopologyType = _3DPRIM_POINTLIST;
}

/* Whether the chip has been told all that a draw is made of, and caches that
 * it reads by are as they must be. */
static bool
is_up_to_date(const struct saf_cmd_buffer *cmd, bool indexed)
{
   const uint64_t unread = indexed ? 0 : SAF_DIRTY_INDEX_BUFFER;
   return !(cmd->dirty & ~unread) && !cmd->batch.due && !cmd->gpgpu &&
          !needs_own_buffers(cmd);
}

bool
genX(flush_draw_state)(struct saf_cmd_buffer *cmd, bool indexed)
{
   if (!cmd->draw.pipeline || cmd->error)
      return false;
   if (is_up_to_date(cmd, indexed))
      return true;
   genX(select_3d)(cmd);
   saf_cmd_dynamic_room(cmd, 0);
   saf_cmd_choose_variant(cmd);
   if (cmd->error || !genX(need_tables)(cmd, 0))
      return false;
   genX(cmd_refresh)(cmd);
   genX(emit_groups)(cmd);
   /* Where primitives restart is said with or by the index buffer. */
   if (cmd->dirty & SAF_GFX_PRIMITIVE_RESTART)
      cmd->dirty |= SAF_DIRTY_INDEX_BUFFER;
   cmd->dirty &= SAF_DIRTY_INDEX_BUFFER;
   if (indexed && cmd->dirty) {
#if GEN_VERX10 >= 75
      genX(emit_vf)(cmd);
#endif
      emit_index_buffer(cmd);
      cmd->dirty = 0;
   }
   return true;
}

/* ---- direct draws ---- */

/* Draw number `id` of a command. */
static void
draw(struct saf_cmd_buffer *cmd, uint32_t id, uint32_t vertex_count,
     uint32_t instance_count, uint32_t first_vertex, uint32_t first_instance)
{
   if (!vertex_count || !instance_count ||
       !genX(flush_draw_state)(cmd, false))
      return;
   genX(emit_draw_parameters)(cmd, first_vertex, first_instance);
   struct GENX(3DPRIMITIVE) prim = {
      GENX(3DPRIMITIVE_header),
      .VertexAccessType = SEQUENTIAL,
      .VertexCountPerInstance = vertex_count,
      .StartVertexLocation = first_vertex,
      .InstanceCount = instance_count,
      .StartInstanceLocation = first_instance,
   };
   emit_primitive(cmd, id, &prim);
}

void
genX(cmd_draw)(struct saf_cmd_buffer *cmd, uint32_t count)
{
   draw(cmd, 0, count, 1, 0, 0);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdDraw)(VkCommandBuffer cmd, uint32_t vertex_count,
              uint32_t instance_count, uint32_t first_vertex,
              uint32_t first_instance)
{
   draw(saf_cmd_buffer_from_handle(cmd), 0, vertex_count, instance_count,
        first_vertex, first_instance);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdDrawMultiEXT)(VkCommandBuffer cmd, uint32_t count,
                      const VkMultiDrawInfoEXT *draws,
                      uint32_t instance_count, uint32_t first_instance,
                      uint32_t stride_B)
{
   for (uint32_t i = 0; i < count; i++) {
      const VkMultiDrawInfoEXT *d =
         (const void *)((const char *)draws + (size_t)i * stride_B);
      draw(saf_cmd_buffer_from_handle(cmd), i, d->vertexCount, instance_count,
           d->firstVertex, first_instance);
   }
}

/* ---- fans that restart ---- */

struct saved_indices {
   uint64_t addr, size_B;
   VkIndexType type;
};

static bool
lists_fans(struct saf_cmd_buffer *cmd)
{
   const struct saf_gfx_state *d = &cmd->draw.gfx;
   return cmd->draw.pipeline && !cmd->error && d->primitive_restart &&
          d->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN &&
          intel_needs_workaround(cmd->device->info,
                                 INTEL_WA_NO_FAN_PATCH_RESTART);
}

/* Lists the fans that `parameters` draws, in place of the index buffer, and
 * how many indices there are; false: there is nothing to draw. */
static bool
begin_fans(struct saf_cmd_buffer *cmd, uint64_t parameters,
           struct saved_indices *saved, uint32_t *count)
{
   struct saf_meta_fans fans;
   if (!saf_meta_expand_fans(cmd, parameters, &fans))
      return false;
   *saved = (struct saved_indices) { cmd->index_addr, cmd->index_size_B,
                                     cmd->index_type };
   *count = fans.count;
   cmd->index_addr = fans.addr;
   cmd->index_size_B = fans.count * 4ull;
   cmd->index_type = VK_INDEX_TYPE_UINT32;
   cmd->fans_as_list = true;
   cmd->dirty |= SAF_DIRTY_INDEX_BUFFER;
   return true;
}

static void
end_fans(struct saf_cmd_buffer *cmd, const struct saved_indices *saved)
{
   cmd->index_addr = saved->addr;
   cmd->index_size_B = saved->size_B;
   cmd->index_type = saved->type;
   cmd->fans_as_list = false;
   cmd->dirty |= SAF_DIRTY_INDEX_BUFFER;
}

/* Direct indexed draws of a command. */
struct indexed_draw {
   uint32_t id; /* its number */
   uint32_t index_count, instance_count, first_index;
   int32_t vertex_offset;
   uint32_t first_instance;
};

static void
emit_indexed(struct saf_cmd_buffer *cmd, const struct indexed_draw *d)
{
   if (!genX(flush_draw_state)(cmd, true))
      return;
   genX(emit_draw_parameters)(cmd, (uint32_t)d->vertex_offset,
                              d->first_instance);
   struct GENX(3DPRIMITIVE) prim = {
      GENX(3DPRIMITIVE_header),
      .VertexAccessType = RANDOM,
      .VertexCountPerInstance = d->index_count,
      .StartVertexLocation = d->first_index,
      .InstanceCount = d->instance_count,
      .StartInstanceLocation = d->first_instance,
      .BaseVertexLocation = d->vertex_offset,
   };
   emit_primitive(cmd, d->id, &prim);
}

static void
draw_fans(struct saf_cmd_buffer *cmd, struct indexed_draw d)
{
   const uint32_t values[3] = { d.index_count, d.instance_count,
                                d.first_index };
   saf_cmd_dynamic_room(cmd, 0);
   const struct saf_state state =
      saf_cmd_dynamic_state(cmd, sizeof(values), 16);
   struct saved_indices saved;
   memcpy(state.map, values, sizeof(values));
   if (!begin_fans(cmd, saf_dynamic_addr(cmd, state), &saved, &d.index_count))
      return;
   d.first_index = 0;
   emit_indexed(cmd, &d);
   end_fans(cmd, &saved);
}

static void
draw_indexed(struct saf_cmd_buffer *cmd, const struct indexed_draw *d)
{
   if (!d->index_count || !d->instance_count)
      return;
   if (lists_fans(cmd))
      draw_fans(cmd, *d);
   else
      emit_indexed(cmd, d);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdDrawIndexed)(VkCommandBuffer cmd, uint32_t index_count,
                     uint32_t instance_count, uint32_t first_index,
                     int32_t vertex_offset, uint32_t first_instance)
{
   const struct indexed_draw d = {
      .index_count = index_count,
      .instance_count = instance_count,
      .first_index = first_index,
      .vertex_offset = vertex_offset,
      .first_instance = first_instance,
   };
   draw_indexed(saf_cmd_buffer_from_handle(cmd), &d);
}

/* `offset` NULL: each draw has its own. */
VKAPI_ATTR void VKAPI_CALL
genX(CmdDrawMultiIndexedEXT)(VkCommandBuffer cmd, uint32_t count,
                             const VkMultiDrawIndexedInfoEXT *draws,
                             uint32_t instance_count, uint32_t first_instance,
                             uint32_t stride_B, const int32_t *offset)
{
   for (uint32_t i = 0; i < count; i++) {
      const VkMultiDrawIndexedInfoEXT *m =
         (const void *)((const char *)draws + (size_t)i * stride_B);
      const struct indexed_draw d = {
         .id = i,
         .index_count = m->indexCount,
         .instance_count = instance_count,
         .first_index = m->firstIndex,
         .vertex_offset = offset ? *offset : m->vertexOffset,
         .first_instance = first_instance,
      };
      draw_indexed(saf_cmd_buffer_from_handle(cmd), &d);
   }
}

/* ---- indirect draws ---- */

void
genX(emit_indirect_primitive)(struct saf_cmd_buffer *cmd, uint32_t id,
                              bool indexed)
{
   struct GENX(3DPRIMITIVE) prim = {
      GENX(3DPRIMITIVE_header),
      .IndirectParameterEnable = true,
      .VertexAccessType = indexed ? RANDOM : SEQUENTIAL,
   };
   emit_primitive(cmd, id, &prim);
}

/* VkDrawIndirectCommand: counts of vertices and instances, first vertex,
 * first instance. */
static void
load_indirect(struct saf_cmd_buffer *cmd, uint64_t addr)
{
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_VERTEX_COUNT_num), addr);
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_INSTANCE_COUNT_num), addr + 4);
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_START_VERTEX_num), addr + 8);
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_START_INSTANCE_num), addr + 12);
   genX(mi_load_reg_imm)(cmd, GENX(3DPRIM_BASE_VERTEX_num), 0);
}

/* VkDrawIndexedIndirectCommand: counts of indices and instances, first
 * index, vertex offset, first instance. */
static void
load_indirect_indexed(struct saf_cmd_buffer *cmd, uint64_t addr)
{
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_VERTEX_COUNT_num), addr);
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_INSTANCE_COUNT_num), addr + 4);
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_START_VERTEX_num), addr + 8);
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_BASE_VERTEX_num), addr + 12);
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_START_INSTANCE_num), addr + 16);
}

/* `count_addr`: where the number of draws is, of which `count` is the
 * largest; or 0. */
static void
draw_indirect(struct saf_cmd_buffer *cmd, const struct saf_buffer *buffer,
              uint64_t offset_B, uint64_t count_addr, uint32_t count,
              uint32_t stride_B, bool indexed)
{
   const bool fans = indexed && lists_fans(cmd);
   if (count_addr)
      genX(begin_counted_draws)(cmd, count_addr);
   for (uint32_t i = 0; i < count; i++) {
      const uint64_t addr =
         saf_buffer_addr(buffer, offset_B + (uint64_t)i * stride_B);
      struct saved_indices saved = { 0 };
      uint32_t listed = 0;
      if ((fans && !begin_fans(cmd, addr, &saved, &listed)) ||
          !genX(flush_draw_state)(cmd, indexed))
         break;
      /* The last two members are what the parameters' buffer holds. */
      if (needs_draw_parameters(cmd))
         emit_small_vertex_buffer(cmd, SAF_VB_DRAW_PARAMETERS,
                                  addr + (indexed ? 12 : 8), 8);
      else
         genX(emit_draw_parameters)(cmd, 0, 0);
      genX(stall_before_loads)(cmd);
      if (indexed)
         load_indirect_indexed(cmd, addr);
      else
         load_indirect(cmd, addr);
      if (fans) {
         genX(mi_load_reg_imm)(cmd, GENX(3DPRIM_VERTEX_COUNT_num), listed);
         genX(mi_load_reg_imm)(cmd, GENX(3DPRIM_START_VERTEX_num), 0);
      }
      if (count_addr)
         genX(count_draw)(cmd, i);
      genX(emit_indirect_primitive)(cmd, i, indexed);
      if (fans)
         end_fans(cmd, &saved);
   }
   if (count_addr)
      genX(end_counted_draws)(cmd);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdDrawIndirect)(VkCommandBuffer _cmd, VkBuffer buffer,
                      VkDeviceSize offset, uint32_t count, uint32_t stride)
{
   draw_indirect(saf_cmd_buffer_from_handle(_cmd),
                 saf_buffer_from_handle(buffer), offset, 0, count, stride,
                 false);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdDrawIndexedIndirect)(VkCommandBuffer _cmd, VkBuffer buffer,
                             VkDeviceSize offset, uint32_t count,
                             uint32_t stride)
{
   draw_indirect(saf_cmd_buffer_from_handle(_cmd),
                 saf_buffer_from_handle(buffer), offset, 0, count, stride,
                 true);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdDrawIndirectCount)(VkCommandBuffer _cmd, VkBuffer buffer,
                           VkDeviceSize offset, VkBuffer _count,
                           VkDeviceSize count_offset, uint32_t max,
                           uint32_t stride)
{
   SAF_FROM_HANDLE(saf_buffer, count, _count);
   draw_indirect(saf_cmd_buffer_from_handle(_cmd),
                 saf_buffer_from_handle(buffer), offset,
                 saf_buffer_addr(count, count_offset), max, stride, false);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdDrawIndexedIndirectCount)(VkCommandBuffer _cmd, VkBuffer buffer,
                                  VkDeviceSize offset, VkBuffer _count,
                                  VkDeviceSize count_offset, uint32_t max,
                                  uint32_t stride)
{
   SAF_FROM_HANDLE(saf_buffer, count, _count);
   draw_indirect(saf_cmd_buffer_from_handle(_cmd),
                 saf_buffer_from_handle(buffer), offset,
                 saf_buffer_addr(count, count_offset), max, stride, true);
}
