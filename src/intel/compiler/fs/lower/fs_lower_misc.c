/* SPDX-License-Identifier: MIT */
/*
 * Virtual opcodes that are short sequences of EU instructions. What needs
 * the address register is left to eu_generate.c, which knows the registers.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/fs/fs_compile.h"

/* A flag that nothing else uses: f1.1; for 32 channels, where there is no
 * live-channel flag, the whole of f1. */
#define SCRATCH_FLAG 3
#define SCRATCH_FLAG_32 2

/*
 * Index of the first enabled channel: a comparison that holds everywhere
 * writes a bit for each enabled channel into a cleared flag.
 */
static void
lower_find_live_channel(struct eu_shader *s, struct eu_inst *inst)
{
   const struct eu_builder sb = eu_builder_before(s, inst);
   struct eu_builder b = sb;
   eu_reg z = eu_grf(0, ISA_TYPE_UW);
   struct eu_inst *cmp;
   const bool wide = s->dispatch_width > 16;
   const unsigned nr = wide ? SCRATCH_FLAG_32 : SCRATCH_FLAG;
   const unsigned type = wide ? ISA_TYPE_UD : ISA_TYPE_UW;

   b.exec_size = (uint8_t)s->dispatch_width;
   b.nomask = false;
   z.stride = 0;
   eu_reg flag = eu_retype(eu_flag_reg(nr), type), flag_dst = flag;
   flag_dst.stride = 1;
   eu_MOV(&sb, flag_dst, eu_imm(type, 0));
   cmp = eu_CMP(&b, eu_null(ISA_TYPE_UW), z, z, ISA_COND_MOD_Z);
   cmp->flag = (uint8_t)nr;
   eu_MOV(&sb, inst->dst, flag);
   eu_reg src = inst->dst;
   src.stride = 0;
   eu_emit1(&sb, ISA_OPCODE_FBL, inst->dst, src);
   list_del(&inst->link);
}

bool
fs_lower_misc(struct eu_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (inst->op == EU_OP_FIND_LIVE_CHANNEL) {
         lower_find_live_channel(s, inst);
         progress = true;
      }
   }
   return progress;
}
