/* SPDX-License-Identifier: MIT */
#include "fs_messages.h"

struct fs_inst *
fs_emit_send(const struct fs_builder *b, unsigned sfid, uint32_t desc,
             fs_reg bti, fs_reg dst, unsigned rlen, fs_reg payload,
             unsigned mlen, bool header)
{
   const bool dynamic = bti.file != FS_BAD && bti.file != FS_IMM;
   struct fs_inst *inst;

   assert(mlen >= 1 && mlen <= 15 && rlen <= 16);
   if (bti.file == FS_IMM)
      desc |= (uint32_t)bti.imm & 0xff;
   inst = fs_emit2(b, ISA_OPCODE_SEND, rlen ? dst : fs_null(ISA_TYPE_UD),
                   payload, bti);
   if (!dynamic)
      inst->sources = 1;
   inst->sfid = (uint8_t)sfid;
   inst->desc = desc | (header ? 1u << 19 : 0) | rlen << 20 | mlen << 25;
   inst->mlen = (uint8_t)mlen;
   inst->header = header;
   inst->size_written = rlen * REG_SIZE_B;
   return inst;
}
