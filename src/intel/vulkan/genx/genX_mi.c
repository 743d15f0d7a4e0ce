/* SPDX-License-Identifier: MIT */
/* Moves between registers and memory, and the command streamer's ALU. */
#include "genX_private.h"

void
genX(mi_load_reg_imm)(struct saf_cmd_buffer *cmd, uint32_t reg, uint32_t v)
{
   saf_emit(&cmd->batch, MI_LOAD_REGISTER_IMM, lri)
   {
      lri.RegisterOffset = reg;
      lri.DataDWord = v;
   }
}

void
genX(mi_load_reg_mem)(struct saf_cmd_buffer *cmd, uint32_t reg, uint64_t addr)
{
   saf_emit(&cmd->batch, MI_LOAD_REGISTER_MEM, lrm)
   {
      lrm.RegisterAddress = reg;
      lrm.MemoryAddress = addr;
   }
}

void
genX(mi_load_reg_mem64)(struct saf_cmd_buffer *cmd, uint32_t reg,
                        uint64_t addr)
{
   genX(mi_load_reg_mem)(cmd, reg, addr);
   genX(mi_load_reg_mem)(cmd, reg + 4, addr + 4);
}

void
genX(mi_store_reg)(struct saf_cmd_buffer *cmd, uint64_t addr, uint32_t reg)
{
   saf_emit(&cmd->batch, MI_STORE_REGISTER_MEM, srm)
   {
      srm.RegisterAddress = reg;
      srm.MemoryAddress = addr;
   }
}

void
genX(mi_store_reg64)(struct saf_cmd_buffer *cmd, uint64_t addr, uint32_t reg)
{
   genX(mi_store_reg)(cmd, addr, reg);
   genX(mi_store_reg)(cmd, addr + 4, reg + 4);
}

void
genX(mi_store_imm)(struct saf_cmd_buffer *cmd, uint64_t addr, uint32_t v)
{
   saf_emit(&cmd->batch, MI_STORE_DATA_IMM, sdi)
   {
      sdi.Address = addr;
      sdi.ImmediateData = v;
   }
}

void
genX(mi_store_imm64)(struct saf_cmd_buffer *cmd, uint64_t addr, uint64_t v)
{
   genX(mi_store_imm)(cmd, addr, (uint32_t)v);
   genX(mi_store_imm)(cmd, addr + 4, (uint32_t)(v >> 32));
}

#if GEN_VERX10 >= 75
void
genX(mi_load_reg_reg)(struct saf_cmd_buffer *cmd, uint32_t dst, uint32_t src)
{
   saf_emit(&cmd->batch, MI_LOAD_REGISTER_REG, lrr)
   {
      lrr.SourceRegisterAddress = src;
      lrr.DestinationRegisterAddress = dst;
   }
}
#endif

/* Before Gen8 by a register that each draw loads anew. */
void
genX(mi_copy)(struct saf_cmd_buffer *cmd, uint64_t dst, uint64_t src)
{
#if GEN_VERX10 >= 80
   saf_emit(&cmd->batch, MI_COPY_MEM_MEM, copy)
   {
      copy.SourceMemoryAddress = src;
      copy.DestinationMemoryAddress = dst;
   }
#else
   genX(mi_load_reg_mem)(cmd, GENX(3DPRIM_BASE_VERTEX_num), src);
   genX(mi_store_reg)(cmd, dst, GENX(3DPRIM_BASE_VERTEX_num));
#endif
}

#if GEN_VERX10 >= 75
uint32_t
genX(mi_alu)(uint32_t opcode, uint32_t operand1, uint32_t operand2)
{
   const struct GENX(MI_MATH_ALU_INSTRUCTION) inst = {
      .ALUOpcode = opcode,
      .Operand1 = operand1,
      .Operand2 = operand2,
   };
   uint32_t dw;
   GENX(MI_MATH_ALU_INSTRUCTION_pack)(&dw, &inst);
   return dw;
}

void
genX(mi_math)(struct saf_cmd_buffer *cmd, const uint32_t *code,
              unsigned count)
{
   uint32_t *dw = saf_batch_dwords(&cmd->batch, 1 + count);
   const struct GENX(MI_MATH) math = {
      GENX(MI_MATH_header),
      .DWordLength = 1 + count - GENX(MI_MATH_length_bias),
   };
   GENX(MI_MATH_pack)(dw, &math);
   memcpy(dw + 1, code, count * sizeof(*code));
}
#endif
