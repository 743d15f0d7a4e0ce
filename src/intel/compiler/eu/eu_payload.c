/* SPDX-License-Identifier: MIT */
/*
 * EU_UNIFORM and EU_ATTR operands become hardware registers: push constants
 * lie after the thread payload, setup data (or vertex attributes) after
 * those. Afterwards the IR has no such operands.
 */
#include "eu_builder.h"
#include "eu_pass.h"

static void
fix(eu_reg *r, unsigned first_grf)
{
   const unsigned at = first_grf * REG_SIZE_B + r->offset;

   r->file = EU_GRF;
   r->nr = at / REG_SIZE_B;
   r->offset = at % REG_SIZE_B;
}

bool
eu_assign_payload_registers(struct eu_shader *s)
{
   const unsigned uniforms = s->payload.num_regs;
   const unsigned attrs = uniforms + s->prog_data.base->push_length;
   bool progress = false;

   s->first_free_grf = attrs + s->input_grfs;
   if (s->first_free_grf > EU_MAX_GRF) {
      eu_fail(s, "inputs fill %u registers", s->first_free_grf);
      return false;
   }
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      for (unsigned i = 0; i < inst->sources; i++) {
         const unsigned file = inst->src[i].file;
         if (file != EU_UNIFORM && file != EU_ATTR)
            continue;
         fix(&inst->src[i], file == EU_UNIFORM ? uniforms : attrs);
         progress = true;
      }
   }
   s->prog_data.base->dispatch_grf_start = uniforms;
   return progress;
}
