/* SPDX-License-Identifier: MIT */
/*
 * Queries: counters are written to the pool's memory by PIPE_CONTROL (depth
 * count, timestamp) or MI_STORE_REGISTER_MEM; results are the differences of
 * begin and end, taken by the host or, for vkCmdCopyQueryPoolResults, by the
 * command streamer's ALU.
 */
#include "genX_private.h"
#include "intel/vulkan/memory/saf_query.h"

static VkQueryPipelineStatisticFlags
lowest_bit(VkQueryPipelineStatisticFlags *flags)
{
   const VkQueryPipelineStatisticFlags bit = *flags & -*flags;
   *flags &= ~bit;
   return bit;
}

static uint32_t
statistic_register(VkQueryPipelineStatisticFlags bit)
{
   switch (bit) {
   case VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT:
      return GENX(IA_VERTICES_COUNT_num);
   case VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT:
      return GENX(IA_PRIMITIVES_COUNT_num);
   case VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT:
      return GENX(VS_INVOCATION_COUNT_num);
   case VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT:
      return GENX(GS_INVOCATION_COUNT_num);
   case VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT:
      return GENX(GS_PRIMITIVES_COUNT_num);
   case VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT:
      return GENX(CL_INVOCATION_COUNT_num);
   case VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT:
      return GENX(CL_PRIMITIVES_COUNT_num);
   case VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT:
      return GENX(PS_INVOCATION_COUNT_num);
   case VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_CONTROL_SHADER_PATCHES_BIT:
      return GENX(HS_INVOCATION_COUNT_num);
   case VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_EVALUATION_SHADER_INVOCATIONS_BIT:
      return GENX(DS_INVOCATION_COUNT_num);
   case VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT:
      return GENX(CS_INVOCATION_COUNT_num);
   default: unreachable("statistic");
   }
}

static void
store_depth_count(struct saf_cmd_buffer *cmd, uint64_t addr)
{
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .DepthStallEnable = true,
                              .PostSyncOperation = WritePSDepthCount,
                              .Address = addr,
                           });
}

/* Availability must not overtake the values. */
static void
store_available(struct saf_cmd_buffer *cmd, uint64_t addr, uint64_t value)
{
   genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                              GENX(PIPE_CONTROL_header),
                              .CommandStreamerStallEnable = true,
                              .DepthStallEnable = true,
                              .PostSyncOperation = WriteImmediateData,
                              .Address = addr,
                              .ImmediateData = value,
                           });
}

/* Of each stream's registers, which are all alike. */
#define STREAM_REG(name)                                                     \
   (GENX(name##0_num) + stream * (GENX(name##1_num) - GENX(name##0_num)))

/* The counters of one end of a query; `addr` is that of the first value at
 * that end, values are a pair apart. */
static void
store_counters(struct saf_cmd_buffer *cmd, const struct saf_query_pool *pool,
               uint64_t addr, uint32_t stream)
{
   switch ((int)pool->type) {
   case VK_QUERY_TYPE_OCCLUSION: store_depth_count(cmd, addr); return;
   case VK_QUERY_TYPE_PIPELINE_STATISTICS: {
      genX(cmd_stall)(cmd);
      VkQueryPipelineStatisticFlags flags = pool->statistics;
      for (; flags; addr += 16)
         genX(mi_store_reg64)(cmd, addr,
                              statistic_register(lowest_bit(&flags)));
      return;
   }
   case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
      genX(cmd_stall)(cmd);
      genX(mi_store_reg64)(cmd, addr, STREAM_REG(SO_NUM_PRIMS_WRITTEN));
      genX(mi_store_reg64)(cmd, addr + 16,
                           STREAM_REG(SO_PRIM_STORAGE_NEEDED));
      return;
   case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT:
      /* What feedback would need is only counted while it is on; but what
       * is rasterised, or would be, reaches the clipper. */
      genX(cmd_stall)(cmd);
      genX(mi_store_reg64)(cmd, addr,
                           stream == 0 ? GENX(CL_INVOCATION_COUNT_num)
                                       : STREAM_REG(SO_PRIM_STORAGE_NEEDED));
      return;
   }
   unreachable("query type that has no begin");
}

/*
 * Ivybridge's command streamer cannot subtract: the counters of a query begin
 * at zero there. No other query may be active that reads the same ones: of a
 * type there is one at a time, but clipper invocations are both a statistic
 * and the count of primitives, of which the outer query then has too few.
 */
#if GEN_VERX10 == 70
static void
zero_register(struct saf_cmd_buffer *cmd, uint32_t reg)
{
   genX(mi_load_reg_imm)(cmd, reg, 0);
   genX(mi_load_reg_imm)(cmd, reg + 4, 0);
}

static void
zero_counters(struct saf_cmd_buffer *cmd, const struct saf_query_pool *pool,
              uint32_t stream)
{
   VkQueryPipelineStatisticFlags flags = pool->statistics;
   genX(cmd_stall)(cmd);
   switch ((int)pool->type) {
   case VK_QUERY_TYPE_OCCLUSION:
      zero_register(cmd, GENX(PS_DEPTH_COUNT_num));
      return;
   case VK_QUERY_TYPE_PIPELINE_STATISTICS:
      while (flags)
         zero_register(cmd, statistic_register(lowest_bit(&flags)));
      return;
   case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
      zero_register(cmd, STREAM_REG(SO_NUM_PRIMS_WRITTEN));
      zero_register(cmd, STREAM_REG(SO_PRIM_STORAGE_NEEDED));
      return;
   case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT:
      zero_register(cmd, stream == 0 ? GENX(CL_INVOCATION_COUNT_num)
                                     : STREAM_REG(SO_PRIM_STORAGE_NEEDED));
      return;
   }
}
#else
static void
zero_counters(struct saf_cmd_buffer *cmd, const struct saf_query_pool *pool,
              uint32_t stream)
{
}
#endif

/* Queries that one uses in a subpass of several views: as many, from it on
 * (Vulkan, vkCmdBeginQuery). */
static uint32_t
queries_used(const struct saf_cmd_buffer *cmd)
{
   return (uint32_t)MAX2(__builtin_popcount(cmd->rendering.view_mask), 1);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdBeginQueryIndexedEXT)(VkCommandBuffer _cmd, VkQueryPool _pool,
                              uint32_t query, VkQueryControlFlags flags,
                              uint32_t index)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_query_pool, pool, _pool);
   zero_counters(cmd, pool, index);
   store_counters(cmd, pool, saf_query_addr(pool, query) + 8, index);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdEndQueryIndexedEXT)(VkCommandBuffer _cmd, VkQueryPool _pool,
                            uint32_t query, uint32_t index)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_query_pool, pool, _pool);
   store_counters(cmd, pool, saf_query_addr(pool, query) + 16, index);
   store_available(cmd, saf_query_addr(pool, query), 1);
   /* The first one has counted for all views. */
   for (uint32_t i = 1; i < queries_used(cmd); i++) {
      const uint64_t addr = saf_query_addr(pool, query + i);
      for (uint32_t v = 0; v < 2 * pool->values; v++)
         genX(mi_store_imm64)(cmd, addr + 8 + 8 * v, 0);
      store_available(cmd, addr, 1);
   }
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdBeginQuery)(VkCommandBuffer cmd, VkQueryPool pool, uint32_t query,
                    VkQueryControlFlags flags)
{
   genX(CmdBeginQueryIndexedEXT)(cmd, pool, query, flags, 0);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdEndQuery)(VkCommandBuffer cmd, VkQueryPool pool, uint32_t query)
{
   genX(CmdEndQueryIndexedEXT)(cmd, pool, query, 0);
}

static void
write_timestamp(struct saf_cmd_buffer *cmd, VkPipelineStageFlagBits stage,
                uint64_t addr)
{
   if (stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT) {
      genX(mi_store_reg64)(cmd, addr + 8, GENX(TIMESTAMP_num));
   } else {
      genX(pipe_control)(cmd, (struct GENX(PIPE_CONTROL)) {
                                 GENX(PIPE_CONTROL_header),
                                 .CommandStreamerStallEnable = true,
                                 .PostSyncOperation = WriteTimestamp,
                                 .Address = addr + 8,
                              });
   }
   store_available(cmd, addr, 1);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdWriteTimestamp)(VkCommandBuffer _cmd, VkPipelineStageFlagBits stage,
                        VkQueryPool _pool, uint32_t query)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_query_pool, pool, _pool);
   for (uint32_t i = 0; i < queries_used(cmd); i++)
      write_timestamp(cmd, stage, saf_query_addr(pool, query + i));
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdResetQueryPool)(VkCommandBuffer _cmd, VkQueryPool _pool,
                        uint32_t first, uint32_t count)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_query_pool, pool, _pool);
   const uint32_t words = saf_query_reset_words(pool);
   genX(cmd_stall)(cmd);
   for (uint32_t i = 0; i < count; i++) {
      for (uint32_t w = 0; w < words; w++)
         genX(mi_store_imm64)(cmd, saf_query_addr(pool, first + i) + w * 8,
                              0);
   }
}

/* ---- results on the GPU ---- */

#define alu genX(mi_alu)

#if GEN_VERX10 >= 75
/* GPR2 = GPR1 - GPR0 */
static void
emit_difference(struct saf_cmd_buffer *cmd)
{
   const uint32_t code[] = {
      alu(MI_ALU_LOAD, MI_ALU_SRCA, MI_ALU_REG1),
      alu(MI_ALU_LOAD, MI_ALU_SRCB, MI_ALU_REG0),
      alu(MI_ALU_SUB, 0, 0),
      alu(MI_ALU_STORE, MI_ALU_REG2, MI_ALU_ACCU),
   };
   genX(mi_math)(cmd, code, ARRAY_SIZE(code));
}

/* GPR2 /= 4: the high half of what is left after 30 doublings; counts have
 * fewer than 34 bits. */
static void
emit_quarter(struct saf_cmd_buffer *cmd)
{
   uint32_t code[6][4];
   for (unsigned i = 0; i < ARRAY_SIZE(code); i++) {
      code[i][0] = alu(MI_ALU_LOAD, MI_ALU_SRCA, MI_ALU_REG2);
      code[i][1] = alu(MI_ALU_LOAD, MI_ALU_SRCB, MI_ALU_REG2);
      code[i][2] = alu(MI_ALU_ADD, 0, 0);
      code[i][3] = alu(MI_ALU_STORE, MI_ALU_REG2, MI_ALU_ACCU);
   }
   for (unsigned i = 0; i < 30 / ARRAY_SIZE(code); i++)
      genX(mi_math)(cmd, code[0], ARRAY_SIZE(code) * 4);
   genX(mi_load_reg_reg)(cmd, GENX(CS_GPR2_num), GENX(CS_GPR2_num) + 4);
   genX(mi_load_reg_imm)(cmd, GENX(CS_GPR2_num) + 4, 0);
}

static void
store_result(struct saf_cmd_buffer *cmd, uint64_t addr, uint32_t reg,
             bool is_64bit)
{
   if (is_64bit)
      genX(mi_store_reg64)(cmd, addr, reg);
   else
      genX(mi_store_reg)(cmd, addr, reg);
}

static void
copy_one(struct saf_cmd_buffer *cmd, const struct saf_query_pool *pool,
         uint32_t query, uint64_t dst, VkQueryResultFlags flags)
{
   const uint64_t src = saf_query_addr(pool, query);
   const bool wide = flags & VK_QUERY_RESULT_64_BIT;
   const uint32_t step = wide ? 8 : 4;
   const int by_four = saf_query_value_by_four(cmd->device, pool);
   for (uint32_t v = 0; v < pool->values; v++) {
      if (pool->type == VK_QUERY_TYPE_TIMESTAMP) {
         genX(mi_load_reg_mem64)(cmd, GENX(CS_GPR2_num), src + 8);
      } else {
         genX(mi_load_reg_mem64)(cmd, GENX(CS_GPR0_num), src + 8 + v * 16);
         genX(mi_load_reg_mem64)(cmd, GENX(CS_GPR1_num), src + 16 + v * 16);
         emit_difference(cmd);
      }
      if ((int)v == by_four)
         emit_quarter(cmd);
      store_result(cmd, dst, GENX(CS_GPR2_num), wide);
      dst += step;
   }
   if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) {
      genX(mi_load_reg_mem64)(cmd, GENX(CS_GPR2_num), src);
      store_result(cmd, dst, GENX(CS_GPR2_num), wide);
   }
}

#else
/* What lies at an address, or its lower half. */
static void
copy_value(struct saf_cmd_buffer *cmd, uint64_t dst, uint64_t src, bool wide)
{
   genX(mi_copy)(cmd, dst, src);
   if (wide)
      genX(mi_copy)(cmd, dst + 4, src + 4);
}

/* Counters began at zero: what they ended with is the result. */
static void
copy_one(struct saf_cmd_buffer *cmd, const struct saf_query_pool *pool,
         uint32_t query, uint64_t dst, VkQueryResultFlags flags)
{
   const uint64_t src = saf_query_addr(pool, query);
   const bool wide = flags & VK_QUERY_RESULT_64_BIT;
   const uint32_t step = wide ? 8 : 4;
   for (uint32_t v = 0; v < pool->values; v++, dst += step)
      copy_value(cmd, dst,
                 pool->type == VK_QUERY_TYPE_TIMESTAMP ? src + 8
                                                       : src + 16 + v * 16,
                 wide);
   if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
      copy_value(cmd, dst, src, wide);
}
#endif

VKAPI_ATTR void VKAPI_CALL
genX(CmdCopyQueryPoolResults)(VkCommandBuffer _cmd, VkQueryPool _pool,
                              uint32_t first, uint32_t count, VkBuffer _dst,
                              VkDeviceSize offset, VkDeviceSize stride,
                              VkQueryResultFlags flags)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_query_pool, pool, _pool);
   SAF_FROM_HANDLE(saf_buffer, dst, _dst);
   /* All queries of this queue that have ended are available after this:
    * that is what WAIT asks for, too. */
   genX(cmd_flush)(cmd);
   for (uint32_t i = 0; i < count; i++)
      copy_one(cmd, pool, first + i,
               saf_buffer_addr(dst, offset + i * stride), flags);
}
