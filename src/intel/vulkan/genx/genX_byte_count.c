/* SPDX-License-Identifier: MIT */
/* Draws of as many vertices as transform feedback has written. */
#include "genX_private.h"
#include "intel/vulkan/cmd/saf_meta.h"

#define alu genX(mi_alu)

#if GEN_VERX10 >= 75
/* dst = a op b, registers by number. */
static void
emit_alu(struct saf_cmd_buffer *cmd, uint32_t op, uint32_t dst, uint32_t a,
         uint32_t b)
{
   const uint32_t code[] = {
      alu(MI_ALU_LOAD, MI_ALU_SRCA, a),
      alu(MI_ALU_LOAD, MI_ALU_SRCB, b),
      alu(op, 0, 0),
      alu(MI_ALU_STORE, dst, MI_ALU_ACCU),
   };
   genX(mi_math)(cmd, code, ARRAY_SIZE(code));
}

/*
 * GPR3 = (GPR0 - GPR1) / divisor, by long division: the quotient has at most
 * 32 bits, and for each from the top, if divisor << bit still fits into the
 * rest it is taken away. Borrow (CF) as all ones or zero makes a mask.
 *
 * Costs 32 short MI_MATH; drawing by byte count is rare.
 */
static void
emit_divide(struct saf_cmd_buffer *cmd, uint32_t divisor)
{
   emit_alu(cmd, MI_ALU_SUB, MI_ALU_REG0, MI_ALU_REG0, MI_ALU_REG1);
   genX(mi_load_reg_imm)(cmd, GENX(CS_GPR3_num), 0);
   genX(mi_load_reg_imm)(cmd, GENX(CS_GPR3_num) + 4, 0);
   for (int bit = 31; bit >= 0; bit--) {
      const uint64_t step = (uint64_t)divisor << bit;
      if (step > UINT32_MAX)
         continue; /* the rest has 32 bits: never fits */
      genX(mi_load_reg_imm)(cmd, GENX(CS_GPR1_num), (uint32_t)step);
      genX(mi_load_reg_imm)(cmd, GENX(CS_GPR1_num) + 4, 0);
      genX(mi_load_reg_imm)(cmd, GENX(CS_GPR4_num), 1u << bit);
      genX(mi_load_reg_imm)(cmd, GENX(CS_GPR4_num) + 4, 0);
      const uint32_t code[] = {
         /* GPR5 = no borrow ? ~0 : 0 */
         alu(MI_ALU_LOAD, MI_ALU_SRCA, MI_ALU_REG0),
         alu(MI_ALU_LOAD, MI_ALU_SRCB, MI_ALU_REG1),
         alu(MI_ALU_SUB, 0, 0),
         alu(MI_ALU_STOREINV, MI_ALU_REG5, MI_ALU_CF),
         /* GPR1 &= GPR5, GPR4 &= GPR5 */
         alu(MI_ALU_LOAD, MI_ALU_SRCA, MI_ALU_REG1),
         alu(MI_ALU_LOAD, MI_ALU_SRCB, MI_ALU_REG5),
         alu(MI_ALU_AND, 0, 0),
         alu(MI_ALU_STORE, MI_ALU_REG1, MI_ALU_ACCU),
         alu(MI_ALU_LOAD, MI_ALU_SRCA, MI_ALU_REG4),
         alu(MI_ALU_LOAD, MI_ALU_SRCB, MI_ALU_REG5),
         alu(MI_ALU_AND, 0, 0),
         alu(MI_ALU_STORE, MI_ALU_REG4, MI_ALU_ACCU),
      };
      genX(mi_math)(cmd, code, ARRAY_SIZE(code));
      emit_alu(cmd, MI_ALU_SUB, MI_ALU_REG0, MI_ALU_REG0, MI_ALU_REG1);
      emit_alu(cmd, MI_ALU_ADD, MI_ALU_REG3, MI_ALU_REG3, MI_ALU_REG4);
   }
}

/* The count of vertices is (counter's dword - offset) / stride; all of it is
 * done on the way to the register. */
static uint64_t
begin_vertex_count(struct saf_cmd_buffer *cmd, uint64_t counter_addr,
                   uint32_t offset, uint32_t stride)
{
   return counter_addr;
}

static void
load_vertex_count(struct saf_cmd_buffer *cmd, uint64_t counter_addr,
                  uint32_t offset, uint32_t stride)
{
   const uint32_t gpr0 = GENX(CS_GPR0_num), gpr1 = GENX(CS_GPR1_num);
   genX(mi_load_reg_mem)(cmd, gpr0, counter_addr);
   genX(mi_load_reg_imm)(cmd, gpr0 + 4, 0);
   genX(mi_load_reg_imm)(cmd, gpr1, offset);
   genX(mi_load_reg_imm)(cmd, gpr1 + 4, 0);
   emit_divide(cmd, stride);
   genX(mi_load_reg_reg)(cmd, GENX(3DPRIM_VERTEX_COUNT_num),
                         GENX(CS_GPR3_num));
}
#else
/* Ivybridge's command streamer cannot calculate: a draw does. */
static uint64_t
begin_vertex_count(struct saf_cmd_buffer *cmd, uint64_t counter_addr,
                   uint32_t offset, uint32_t stride)
{
   return saf_meta_quotient(cmd, counter_addr, offset, stride);
}

static void
load_vertex_count(struct saf_cmd_buffer *cmd, uint64_t count_addr,
                  uint32_t offset, uint32_t stride)
{
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_VERTEX_COUNT_num), count_addr);
}
#endif

/* (bytes written - offset) / stride vertices. */
VKAPI_ATTR void VKAPI_CALL
genX(CmdDrawIndirectByteCountEXT)(VkCommandBuffer _cmd,
                                  uint32_t instance_count,
                                  uint32_t first_instance, VkBuffer _counter,
                                  VkDeviceSize counter_offset,
                                  uint32_t offset, uint32_t stride)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);
   SAF_FROM_HANDLE(saf_buffer, counter, _counter);
   if (!instance_count)
      return;
   const uint64_t count_addr = begin_vertex_count(
      cmd, saf_buffer_addr(counter, counter_offset), offset, stride);
   if (!count_addr || !genX(flush_draw_state)(cmd, false))
      return;
   genX(emit_draw_parameters)(cmd, 0, first_instance);

   load_vertex_count(cmd, count_addr, offset, stride);
   genX(mi_load_reg_imm)(cmd, GENX(3DPRIM_INSTANCE_COUNT_num),
                         instance_count);
   genX(mi_load_reg_imm)(cmd, GENX(3DPRIM_START_VERTEX_num), 0);
   genX(mi_load_reg_imm)(cmd, GENX(3DPRIM_START_INSTANCE_num),
                         first_instance);
   genX(mi_load_reg_imm)(cmd, GENX(3DPRIM_BASE_VERTEX_num), 0);
   genX(emit_indirect_primitive)(cmd, 0, false);
}
