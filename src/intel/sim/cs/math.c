/* SPDX-License-Identifier: MIT */
/*
 * MI_MATH: a 64-bit ALU over the 16 general purpose registers, with two
 * source latches, an accumulator and two flags
 * (PRM SKL Vol. 2a, "MI_MATH", "Table: ALU Instructions").
 */
#include "cs_private.h"

struct alu {
   uint64_t srca, srcb, accu;
   uint64_t zf, cf; /* all ones or zero, as they are stored */
};

static bool
is_gpr(uint32_t operand)
{
   return operand <= MI_ALU_REG15;
}

/* Each engine has its own. */
static uint32_t
gpr_address(const struct sim_cs *cs, uint32_t operand)
{
   return (cs->engine == SIM_ENGINE_COPY ? GEN9_BCS_GPR0_num
                                         : GEN9_CS_GPR0_num) +
          8 * operand;
}

bool
cs_check_gprs(struct sim_cs *cs)
{
   if (genxml_find_register(cs->spec, gpr_address(cs, 0)))
      return true;
   cs_fault(cs, "the %s engine has no registers for it",
            cs->engine == SIM_ENGINE_COPY ? "copy" : "render");
   return false;
}

uint64_t
cs_get_gpr(const struct sim_cs *cs, uint32_t index)
{
   return cs_get_register64(cs, gpr_address(cs, index));
}

void
cs_set_gpr(struct sim_cs *cs, uint32_t index, uint64_t value)
{
   const uint32_t at = gpr_address(cs, index);
   cs_set_register(cs, at, (uint32_t)value);
   cs_set_register(cs, at + 4, (uint32_t)(value >> 32));
}

static bool
load(const struct sim_cs *cs, struct alu *alu, uint32_t to, uint32_t from,
     bool invert)
{
   uint64_t value;
   if (is_gpr(from))
      value = cs_get_gpr(cs, from);
   else if (from == MI_ALU_ACCU)
      value = alu->accu;
   else
      return false;
   if (invert)
      value = ~value;
   if (to == MI_ALU_SRCA)
      alu->srca = value;
   else if (to == MI_ALU_SRCB)
      alu->srcb = value;
   else
      return false;
   return true;
}

static bool
load_constant(struct alu *alu, uint32_t to, uint64_t value)
{
   if (to == MI_ALU_SRCA)
      alu->srca = value;
   else if (to == MI_ALU_SRCB)
      alu->srcb = value;
   else
      return false;
   return true;
}

static bool
store(struct sim_cs *cs, const struct alu *alu, uint32_t to, uint32_t from,
      bool invert)
{
   uint64_t value;
   switch (from) {
   case MI_ALU_ACCU: value = alu->accu; break;
   case MI_ALU_ZF: value = alu->zf; break;
   case MI_ALU_CF: value = alu->cf; break;
   default: return false;
   }
   if (!is_gpr(to))
      return false;
   cs_set_gpr(cs, to, invert ? ~value : value);
   return true;
}

static bool
operate(struct alu *alu, uint32_t opcode)
{
   bool carry = false;
   switch (opcode) {
   case MI_ALU_ADD:
      carry = __builtin_add_overflow(alu->srca, alu->srcb, &alu->accu);
      break;
   case MI_ALU_SUB:
      carry = __builtin_sub_overflow(alu->srca, alu->srcb, &alu->accu);
      break;
   case MI_ALU_AND: alu->accu = alu->srca & alu->srcb; break;
   case MI_ALU_OR: alu->accu = alu->srca | alu->srcb; break;
   case MI_ALU_XOR: alu->accu = alu->srca ^ alu->srcb; break;
   default: return false;
   }
   alu->zf = alu->accu == 0 ? ~0ull : 0;
   alu->cf = carry ? ~0ull : 0;
   return true;
}

static bool
step(struct sim_cs *cs, struct alu *alu,
     const struct GEN9_MI_MATH_ALU_INSTRUCTION *i)
{
   switch (i->ALUOpcode) {
   case MI_ALU_NOOP: return true;
   case MI_ALU_LOAD: return load(cs, alu, i->Operand1, i->Operand2, false);
   case MI_ALU_LOADINV: return load(cs, alu, i->Operand1, i->Operand2, true);
   case MI_ALU_LOAD0: return load_constant(alu, i->Operand1, 0);
   case MI_ALU_LOAD1: return load_constant(alu, i->Operand1, ~0ull);
   case MI_ALU_STORE: return store(cs, alu, i->Operand1, i->Operand2, false);
   case MI_ALU_STOREINV:
      return store(cs, alu, i->Operand1, i->Operand2, true);
   default: return operate(alu, i->ALUOpcode);
   }
}

enum cs_status
cs_math(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct alu alu = { 0 };
   if (!cs_check_gprs(cs))
      return CS_FAULT;
   for (unsigned i = 1; i < n; i++) {
      struct GEN9_MI_MATH_ALU_INSTRUCTION inst;
      GEN9_MI_MATH_ALU_INSTRUCTION_unpack(&dw[i], &inst);
      if (!step(cs, &alu, &inst))
         return cs_fault(cs,
                         "instruction %u, 0x%08x: unknown opcode or "
                         "operand",
                         i - 1, dw[i]);
   }
   return CS_CONTINUE;
}
