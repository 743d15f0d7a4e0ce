/* SPDX-License-Identifier: MIT */
/*
 * Draws and dispatches that memory decides on (MI_PREDICATE): conditional
 * rendering, and draws whose number is in memory. The predicate is one bit.
 * It can be combined with whether two registers are equal, and either that
 * or the inverse of it is loaded (IVB PRM vol 1 part 3, section 1.2.26).
 */
#include "genX_private.h"

static void
combine(struct saf_cmd_buffer *cmd, uint32_t operation, uint32_t compare,
        bool invert)
{
   saf_emit(&cmd->batch, MI_PREDICATE, p)
   {
      p.LoadOperation = invert ? LOAD_LOADINV : LOAD_LOAD;
      p.CombineOperation = operation;
      p.CompareOperation = compare;
   }
}

/* A dword in memory against a number. */
static void
load_sources(struct saf_cmd_buffer *cmd, uint64_t addr, uint32_t value)
{
   const uint32_t src0 = GENX(MI_PREDICATE_SRC0_num);
   const uint32_t src1 = GENX(MI_PREDICATE_SRC1_num);
   genX(stall_before_loads)(cmd);
   genX(mi_load_reg_mem)(cmd, src0, addr);
   genX(mi_load_reg_imm)(cmd, src0 + 4, 0);
   genX(mi_load_reg_imm)(cmd, src1, value);
   genX(mi_load_reg_imm)(cmd, src1 + 4, 0);
}

void
genX(predicate_zero)(struct saf_cmd_buffer *cmd, uint64_t addr,
                     uint32_t operation, bool invert)
{
   load_sources(cmd, addr, 0);
   combine(cmd, operation, COMPARE_SRCS_EQUAL, invert);
}

/* ---- conditional rendering ---- */

void
genX(predicate_condition)(struct saf_cmd_buffer *cmd)
{
   genX(predicate_zero)(cmd, cmd->condition_addr, COMBINE_SET,
                        !cmd->condition_inverted);
}

/* The predicate is that the value at an address is not zero. */
VKAPI_ATTR void VKAPI_CALL
genX(CmdBeginConditionalRenderingEXT)(
   VkCommandBuffer _cmd, const VkConditionalRenderingBeginInfoEXT *info)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_buffer, buffer, info->buffer);
   genX(cmd_flush)(cmd);
   cmd->conditional = true;
   cmd->condition_addr = saf_buffer_addr(buffer, info->offset);
   cmd->condition_inverted = info->flags &
                             VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
   genX(predicate_condition)(cmd);
}

VKAPI_ATTR void VKAPI_CALL
genX(CmdEndConditionalRenderingEXT)(VkCommandBuffer _cmd)
{
   saf_cmd_buffer_from_handle(_cmd)->conditional = false;
}

/* ---- draws whose number is in memory ---- */

/* From here on the predicate is that a draw is among those that are there,
 * and that the condition holds, if there is one, which it already says. */
void
genX(begin_counted_draws)(struct saf_cmd_buffer *cmd, uint64_t count_addr)
{
   if (!cmd->conditional)
      combine(cmd, COMBINE_SET, COMPARE_TRUE, false);
   load_sources(cmd, count_addr, 0);
   cmd->counted = true;
}

/* Draw `index` of them, each in its turn: none from the one on whose index
 * is their number. As and-not cannot be said, not (not before or equal). */
void
genX(count_draw)(struct saf_cmd_buffer *cmd, uint32_t index)
{
   genX(mi_load_reg_imm)(cmd, GENX(MI_PREDICATE_SRC1_num), index);
   combine(cmd, COMBINE_OR, COMPARE_FALSE, true);
   combine(cmd, COMBINE_OR, COMPARE_SRCS_EQUAL, true);
}

void
genX(end_counted_draws)(struct saf_cmd_buffer *cmd)
{
   cmd->counted = false;
   if (cmd->conditional)
      genX(predicate_condition)(cmd);
}
