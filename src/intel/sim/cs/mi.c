/* SPDX-License-Identifier: MIT */
/*
 * MI commands: batch control, memory and registers, predicates, semaphores
 * (PRM SKL Vol. 2a, each under its name). A batch of a user cannot reach the
 * global GTT: asking for it is a fault.
 */
#include "cs_private.h"
#include "intel/sim/mem/watch.h"
#include "intel/sim/trace/trace.h"

#include <inttypes.h>
#include <unistd.h>

static enum cs_status
no_ggtt(struct sim_cs *cs)
{
   return cs_fault(cs, "the global GTT is not for user batches");
}

static bool
read_dword(struct sim_cs *cs, uint64_t address, uint32_t *value)
{
   sim_mem_note(&cs->mem, SIM_CLIENT_COMMANDS, address, sizeof(*value),
                SIM_MEM_READ);
   return sim_mem_read(&cs->mem, value, address, sizeof(*value));
}

static bool
write_bytes(struct sim_cs *cs, uint64_t address, const void *data,
            uint64_t size_B)
{
   sim_mem_note(&cs->mem, SIM_CLIENT_COMMANDS, address, size_B,
                SIM_MEM_WRITE);
   return sim_mem_write(&cs->mem, address, data, size_B);
}

/* Of the kernel's batches, or refused by its interface to begin with. */
static enum cs_status
privileged(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return cs_fault(cs, "not for user batches");
}

static enum cs_status
report_perf_count(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return cs_fault(cs, "performance counters are not modelled");
}

/* Commands whose effect is on timing, power or interrupts only. */
static enum cs_status
nothing(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return CS_CONTINUE;
}

/* A character that ends a line would end the mark. */
static void
add_character(struct sim_cs *cs, char c)
{
   if (c && cs->label_B < SAFFRON_MAX_LABEL)
      cs->label[cs->label_B++] = c == '\n' ? ' ' : c;
}

/* Labels of those who write recordings; else nothing. */
static enum cs_status
no_operation(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   static const char *const words[SAFFRON_LABEL_COUNT] = SAFFRON_LABEL_WORDS;
   struct GEN9_MI_NOOP c;
   char line[sizeof(cs->label) + 16];

   if (!cs->gpu->trace)
      return CS_CONTINUE;
   GEN9_MI_NOOP_unpack(dw, &c);
   const uint32_t kind = c.IdentificationNumber >> 16;
   if (!c.IdentificationNumberRegisterWriteEnable || !kind ||
       kind >= SAFFRON_LABEL_COUNT)
      return CS_CONTINUE;
   if (kind == SAFFRON_LABEL_TEXT) {
      add_character(cs, (char)c.IdentificationNumber);
      add_character(cs, (char)(c.IdentificationNumber >> 8));
      return CS_CONTINUE;
   }
   snprintf(line, sizeof(line), "%s%.*s", words[kind], (int)cs->label_B,
            cs->label);
   cs->label_B = 0;
   sim_trace_mark(cs->gpu->trace, line);
   return CS_CONTINUE;
}

/*
 * Batch control
 */

static enum cs_status
batch_buffer_end(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   return CS_END;
}

static enum cs_status
batch_buffer_start(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_BATCH_BUFFER_START c;
   GEN9_MI_BATCH_BUFFER_START_unpack(dw, &c);
   if (c.AddressSpaceIndicator != ASI_PPGTT)
      return no_ggtt(cs);
   if (c.AddOffsetEnable)
      return cs_fault(cs, "Add Offset Enable is not implemented");
   /* "If this bit is set and Bit 0 of the MI_PREDICATE_RESULT_1 register is
    * clear, this command is ignored." */
   if (c.PredicationEnable &&
       !(cs_get_register(cs, GEN9_MI_PREDICATE_RESULT_1_num) & 1))
      return CS_CONTINUE;
   /* A start inside a second-level batch chains: the level stays. */
   if (c.SecondLevelBatchBuffer && !cs->second_level) {
      cs->second_level = true;
      cs->return_address = cs->ip + 4ull * n;
   }
   cs->ip = c.BatchBufferStartAddress & SIM_ADDRESS_MASK;
   cs->jumps++;
   return CS_JUMPED;
}

/* "If the value at Compare Address is greater than the Compare Data Dword,
 * the command streamer continues with the batch." */
static enum cs_status
conditional_batch_buffer_end(struct sim_cs *cs, const uint32_t *dw,
                             unsigned n)
{
   struct GEN9_MI_CONDITIONAL_BATCH_BUFFER_END c;
   GEN9_MI_CONDITIONAL_BATCH_BUFFER_END_unpack(dw, &c);
   uint32_t value[2];
   if (c.UseGlobalGTT)
      return no_ggtt(cs);
   if (!c.CompareSemaphore)
      return CS_END;
   if (!sim_mem_read(&cs->mem, value, c.CompareAddress, sizeof(value)))
      return cs_mem_fault(cs);
   if (c.CompareMaskMode)
      value[0] &= value[1];
   return value[0] > c.CompareDataDword ? CS_CONTINUE : CS_END;
}

/*
 * Registers
 */

static enum cs_status
load_register_imm(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_LOAD_REGISTER_IMM c;
   GEN9_MI_LOAD_REGISTER_IMM_unpack(dw, &c);
   if (c.ByteWriteDisables)
      return cs_fault(cs, "Byte Write Disables are not implemented");
   if (n % 2 == 0)
      return cs_fault(cs, "%u dwords are no whole number of pairs", n);
   for (unsigned i = 1; i < n; i += 2) {
      struct GEN9_MI_REGISTER_WRITE w;
      GEN9_MI_REGISTER_WRITE_unpack(&dw[i], &w);
      if (!cs_write_register(cs, (uint32_t)w.RegisterOffset, w.DataDWord))
         return CS_FAULT;
   }
   return CS_CONTINUE;
}

static enum cs_status
load_register_mem(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_LOAD_REGISTER_MEM c;
   GEN9_MI_LOAD_REGISTER_MEM_unpack(dw, &c);
   uint32_t value;
   if (c.UseGlobalGTT)
      return no_ggtt(cs);
   if (!read_dword(cs, c.MemoryAddress, &value))
      return cs_mem_fault(cs);
   return cs_write_register(cs, (uint32_t)c.RegisterAddress, value)
             ? CS_CONTINUE
             : CS_FAULT;
}

static enum cs_status
load_register_reg(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_LOAD_REGISTER_REG c;
   GEN9_MI_LOAD_REGISTER_REG_unpack(dw, &c);
   uint32_t value;
   if (!cs_read_register(cs, (uint32_t)c.SourceRegisterAddress, &value) ||
       !cs_write_register(cs, (uint32_t)c.DestinationRegisterAddress, value))
      return CS_FAULT;
   return CS_CONTINUE;
}

static bool
predicate(const struct sim_cs *cs)
{
   return cs_get_register(cs, GEN9_MI_PREDICATE_RESULT_num) & 1;
}

static enum cs_status
store_register_mem(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_STORE_REGISTER_MEM c;
   GEN9_MI_STORE_REGISTER_MEM_unpack(dw, &c);
   uint32_t value;
   if (c.UseGlobalGTT)
      return no_ggtt(cs);
   if (c.PredicateEnable && !predicate(cs))
      return CS_CONTINUE;
   if (!cs_read_register(cs, (uint32_t)c.RegisterAddress, &value))
      return CS_FAULT;
   return write_bytes(cs, c.MemoryAddress, &value, sizeof(value))
             ? CS_CONTINUE
             : cs_mem_fault(cs);
}

/*
 * Memory
 */

static enum cs_status
store_data_imm(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_STORE_DATA_IMM c;
   GEN9_MI_STORE_DATA_IMM_unpack(dw, &c);
   if (c.UseGlobalGTT)
      return no_ggtt(cs);
   if (c.CoreModeEnable)
      return cs_fault(cs, "Core Mode is not implemented");
   if (c.StoreQword && (n - 3) % 2)
      return cs_fault(cs, "%u dwords of data are no whole qwords", n - 3);
   if (c.StoreQword && c.Address % 8)
      return cs_fault(cs, "qword address 0x%" PRIx64 " is not aligned",
                      c.Address);
   return write_bytes(cs, c.Address, &dw[3], 4ull * (n - 3))
             ? CS_CONTINUE
             : cs_mem_fault(cs);
}

static enum cs_status
copy_mem_mem(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_COPY_MEM_MEM c;
   GEN9_MI_COPY_MEM_MEM_unpack(dw, &c);
   uint32_t value;
   if (c.UseGlobalGTTSource || c.UseGlobalGTTDestination)
      return no_ggtt(cs);
   if (!read_dword(cs, c.SourceMemoryAddress, &value) ||
       !write_bytes(cs, c.DestinationMemoryAddress, &value, sizeof(value)))
      return cs_mem_fault(cs);
   return CS_CONTINUE;
}

/* The low nibble of the opcode is the operation, the next one the size. */
static bool
atomic_result(unsigned op, uint64_t old, uint64_t a, uint64_t b, int64_t sold,
              int64_t sa, uint64_t *result)
{
   switch (op) {
   case MI_ATOMIC_OP_AND: *result = old & a; return true;
   case MI_ATOMIC_OP_OR: *result = old | a; return true;
   case MI_ATOMIC_OP_XOR: *result = old ^ a; return true;
   case MI_ATOMIC_OP_MOVE: *result = a; return true;
   case MI_ATOMIC_OP_INC: *result = old + 1; return true;
   case MI_ATOMIC_OP_DEC:
   case MI_ATOMIC_OP_PREDEC: *result = old - 1; return true;
   case MI_ATOMIC_OP_ADD: *result = old + a; return true;
   case MI_ATOMIC_OP_SUB: *result = old - a; return true;
   case MI_ATOMIC_OP_RSUB: *result = a - old; return true;
   case MI_ATOMIC_OP_IMAX: *result = sold > sa ? old : a; return true;
   case MI_ATOMIC_OP_IMIN: *result = sold < sa ? old : a; return true;
   case MI_ATOMIC_OP_UMAX: *result = MAX2(old, a); return true;
   case MI_ATOMIC_OP_UMIN: *result = MIN2(old, a); return true;
   case MI_ATOMIC_OP_CMP_WR: *result = old == a ? b : old; return true;
   default: return false;
   }
}

static enum cs_status
atomic(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_ATOMIC c;
   GEN9_MI_ATOMIC_unpack(dw, &c);
   const unsigned size_B = c.ATOMICOPCODE & 0x20 ? 8 : 4;
   if (c.MemoryType)
      return no_ggtt(cs);
   if (c.ATOMICOPCODE & 0xd0)
      return cs_fault(cs, "atomic operation 0x%x is not implemented",
                      c.ATOMICOPCODE);
   if (c.MemoryAddress % size_B)
      return cs_fault(cs, "address 0x%" PRIx64 " is not aligned",
                      c.MemoryAddress);
   if ((!c.InlineData || c.ReturnDataControl) && !cs_check_gprs(cs))
      return CS_FAULT;
   /* Operands: two dwords each, in the command or in GPR0 and GPR1. */
   uint64_t a, b;
   if (c.InlineData) {
      if (n < 11)
         return cs_fault(cs, "%u dwords leave no room for inline data", n);
      memcpy(&a, &dw[3], 8);
      memcpy(&b, &dw[5], 8);
   } else {
      a = cs_get_gpr(cs, 0);
      b = cs_get_gpr(cs, 1);
   }
   uint64_t old = 0, result;
   sim_mem_note(&cs->mem, SIM_CLIENT_COMMANDS, c.MemoryAddress, size_B,
                SIM_MEM_READ);
   if (!sim_mem_read(&cs->mem, &old, c.MemoryAddress, size_B))
      return cs_mem_fault(cs);
   if (size_B == 4) {
      a &= UINT32_MAX;
      b &= UINT32_MAX;
   }
   if (!atomic_result(c.ATOMICOPCODE & 0xf, old, a, b,
                      util_sign_extend(old, size_B * 8),
                      util_sign_extend(a, size_B * 8), &result))
      return cs_fault(cs, "unknown atomic operation 0x%x", c.ATOMICOPCODE);
   if (!write_bytes(cs, c.MemoryAddress, &result, size_B))
      return cs_mem_fault(cs);
   if (c.ReturnDataControl)
      cs_set_gpr(cs, 0, old);
   return CS_CONTINUE;
}

/*
 * Predicates and semaphores
 */

/*
 * The comparison is combined with the predicate, and what comes of that is
 * loaded, or its inverse. Not the other way round: crocus and anv invert a
 * predicate by LOADINV, OR and FALSE, and only so dispatches of no group,
 * which hang a chip, are left out (Mesa's crocus_state.c).
 */
static enum cs_status
mi_predicate(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_PREDICATE c;
   GEN9_MI_PREDICATE_unpack(dw, &c);
   const uint64_t src0 = cs_get_register64(cs, GEN9_MI_PREDICATE_SRC0_num);
   const uint64_t src1 = cs_get_register64(cs, GEN9_MI_PREDICATE_SRC1_num);
   const uint64_t data = cs_get_register64(cs, GEN9_MI_PREDICATE_DATA_num);
   bool compare = false;
   switch (c.CompareOperation) {
   case COMPARE_TRUE: compare = true; break;
   case COMPARE_FALSE: compare = false; break;
   case COMPARE_SRCS_EQUAL: compare = src0 == src1; break;
   case COMPARE_DELTAS_EQUAL: compare = src0 - src1 == data; break;
   }
   const bool old = predicate(cs);
   bool combined = compare;
   switch (c.CombineOperation) {
   case COMBINE_AND: combined = old && compare; break;
   case COMBINE_OR: combined = old || compare; break;
   case COMBINE_XOR: combined = old != compare; break;
   default: break;
   }
   if (c.LoadOperation == LOAD_LOAD)
      cs_set_register(cs, GEN9_MI_PREDICATE_RESULT_num, combined);
   else if (c.LoadOperation == LOAD_LOADINV)
      cs_set_register(cs, GEN9_MI_PREDICATE_RESULT_num, !combined);
   else if (c.LoadOperation != LOAD_KEEP)
      return cs_fault(cs, "reserved load operation");
   return CS_CONTINUE;
}

static enum cs_status
set_predicate(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_SET_PREDICATE c;
   GEN9_MI_SET_PREDICATE_unpack(dw, &c);
   if (c.PREDICATEENABLE > NOOPonResultset && c.PREDICATEENABLE != NOOPAlways)
      return cs_fault(cs, "reserved predicate enable %u", c.PREDICATEENABLE);
   cs->predicate_enable = c.PREDICATEENABLE;
   return CS_CONTINUE;
}

static bool
compare_semaphore(uint32_t op, uint32_t sad, uint32_t sdd)
{
   switch (op) {
   case COMPARE_SAD_GREATER_THAN_SDD: return sad > sdd;
   case COMPARE_SAD_GREATER_THAN_OR_EQUAL_SDD: return sad >= sdd;
   case COMPARE_SAD_LESS_THAN_SDD: return sad < sdd;
   case COMPARE_SAD_LESS_THAN_OR_EQUAL_SDD: return sad <= sdd;
   case COMPARE_SAD_EQUAL_SDD: return sad == sdd;
   default: return sad != sdd;
   }
}

/* Only the CPU can change the word meanwhile, as batches run one by one. */
static enum cs_status
semaphore_wait(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_SEMAPHORE_WAIT c;
   GEN9_MI_SEMAPHORE_WAIT_unpack(dw, &c);
   if (c.MemoryType || c.RegisterPollMode)
      return c.MemoryType ? no_ggtt(cs)
                          : cs_fault(cs, "register poll is not implemented");
   if (c.SemaphoreAddress % 4)
      return cs_fault(cs, "address 0x%" PRIx64 " is not aligned",
                      c.SemaphoreAddress);
   const uint32_t *word =
      sim_mem_ptr(&cs->mem, c.SemaphoreAddress, 4, SIM_MEM_READ);
   if (!word)
      return cs_mem_fault(cs);
   const uint64_t start = sim_gpu_now_ns();
   while (!compare_semaphore(c.CompareOperation,
                             __atomic_load_n(word, __ATOMIC_ACQUIRE),
                             c.SemaphoreDataDword)) {
      if (sim_gpu_now_ns() - start > cs->gpu->hang_limit_ns ||
          cs->gpu->work_limit)
         return cs_fault(cs, "waits forever: 0x%08x at 0x%" PRIx64, *word,
                         c.SemaphoreAddress);
      usleep(50);
   }
   return CS_CONTINUE;
}

static enum cs_status
topology_filter(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_MI_TOPOLOGY_FILTER c;
   GEN9_MI_TOPOLOGY_FILTER_unpack(dw, &c);
   if (c.TopologyFilterValue)
      return cs_fault(cs, "filters are not implemented");
   return CS_CONTINUE;
}

#define E(name, fn)                                                          \
   {                                                                         \
      GEN9_MI_##name##_opcode, fn                                            \
   }

const struct cs_entry cs_mi_commands[] = {
   E(NOOP, no_operation),
   E(ARB_CHECK, nothing),
   E(ARB_ON_OFF, nothing),
   E(CLFLUSH, nothing),
   E(REPORT_HEAD, nothing),
   E(SUSPEND_FLUSH, nothing),
   E(USER_INTERRUPT, nothing),
   E(WAIT_FOR_EVENT, nothing),
   E(ATOMIC, atomic),
   E(BATCH_BUFFER_END, batch_buffer_end),
   E(BATCH_BUFFER_START, batch_buffer_start),
   E(CONDITIONAL_BATCH_BUFFER_END, conditional_batch_buffer_end),
   E(COPY_MEM_MEM, copy_mem_mem),
   E(LOAD_REGISTER_IMM, load_register_imm),
   E(LOAD_REGISTER_MEM, load_register_mem),
   E(LOAD_REGISTER_REG, load_register_reg),
   E(MATH, cs_math),
   E(PREDICATE, mi_predicate),
   E(REPORT_PERF_COUNT, report_perf_count),
   E(SEMAPHORE_WAIT, semaphore_wait),
   E(SET_CONTEXT, privileged),
   E(STORE_DATA_INDEX, privileged),
   E(SET_PREDICATE, set_predicate),
   E(STORE_DATA_IMM, store_data_imm),
   E(STORE_REGISTER_MEM, store_register_mem),
   E(TOPOLOGY_FILTER, topology_filter),
   { 0, NULL },
};
