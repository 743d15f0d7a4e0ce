/* SPDX-License-Identifier: MIT */
#include "fs_messages.h"

struct eu_inst *
fs_emit_send(const struct eu_builder *b, unsigned sfid, uint32_t desc,
             eu_reg bti, eu_reg dst, unsigned rlen, eu_reg payload,
             unsigned mlen, bool header)
{
   const bool dynamic = bti.file != EU_BAD && bti.file != EU_IMM;
   struct eu_inst *inst;

   assert(mlen >= 1 && mlen <= 15 && rlen <= 16);
   if (bti.file == EU_IMM)
      desc |= (uint32_t)bti.imm & 0xff;
   inst = eu_emit2(b, ISA_OPCODE_SEND, rlen ? dst : eu_null(ISA_TYPE_UD),
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
