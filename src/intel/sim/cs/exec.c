/* SPDX-License-Identifier: MIT */
/*
 * Runs a batch: fetches commands, follows batch starts and ends, and calls
 * the handler of each command.
 *
 * A command is known by its opcode in the table that genxml generates; its
 * handler by a table of the same order that is made here once. A command
 * that is malformed, unknown, or has no handler is a fault that names it.
 */
#include "cs_private.h"
#include "intel/sim/chaos/chaos.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#include "intel/sim/deviate/deviate.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/gpu/strict.h"
#include "intel/sim/trace/trace.h"

/* A batch that went backwards this often and still runs after the limit is
 * endless; one long draw is not. */
#define MAX_JUMPS 4096

#define MAX_COMMANDS 1024

/* Of a generation: handlers in the order of spec->commands; NULL: not
 * implemented. */
struct handlers {
   unsigned verx10;
   cs_handler of[MAX_COMMANDS];
};

static struct handlers handlers[ISA_GEN_COUNT];
static pthread_once_t handlers_once = PTHREAD_ONCE_INIT;

/* Later tables replace earlier ones. A command that the generation does not
 * have is left out, as its batches cannot name it. */
static void
add_handlers(struct handlers *h, const struct cs_entry *table)
{
   const struct genxml_spec *spec = genxml_spec_get(h->verx10);
   assert(spec->num_commands <= MAX_COMMANDS);
   for (const struct cs_entry *e = table; e->handler; e++) {
      const struct genxml_group *g = genxml_find_command(spec, e->opcode);
      if (g && g->opcode == e->opcode)
         h->of[g - spec->commands] = e->handler;
      else
         assert(sim_traits(h->verx10)->state_form != SIM_STATE_GEN9 &&
                "described");
   }
}

static void
init_handlers(void)
{
   for (unsigned i = 0; i < ARRAY_SIZE(handlers); i++) {
      struct handlers *h = &handlers[i];
      h->verx10 = isa_gen_number((enum isa_gen)i);
      add_handlers(h, cs_mi_commands);
      add_handlers(h, cs_pipe_commands);
      add_handlers(h, cs_state_commands);
      add_handlers(h, cs_draw_commands);
      add_handlers(h, cs_compute_commands);
      add_handlers(h, cs_blt_commands);
      switch (sim_trait_rows[i].state_form) {
      case SIM_STATE_GEN7:
         add_handlers(h, cs_gen7_mi_commands);
         add_handlers(h, cs_gen7_commands);
         add_handlers(h, cs_gen7_compute_commands);
         break;
      case SIM_STATE_GEN8: add_handlers(h, cs_gen8_commands); break;
      case SIM_STATE_GEN9: break;
      }
   }
}

static const struct handlers *
get_handlers(unsigned verx10)
{
   pthread_once(&handlers_once, init_handlers);
   return &handlers[isa_gen_from_number(verx10)];
}

enum cs_status
cs_fault(struct sim_cs *cs, const char *fmt, ...)
{
   char text[768];
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   if (!cs->faulted)
      sim_gpu_report(cs->gpu, "fault: %s at 0x%012" PRIx64 ": %s",
                     cs->command ? cs->command->name : "command", cs->ip,
                     text);
   cs->faulted = true;
   return CS_FAULT;
}

enum cs_status
cs_mem_fault(struct sim_cs *cs)
{
   const struct sim_mem_fault *f = &cs->mem.fault;
   return cs_fault(
      cs, "%s of %" PRIu64 " bytes at 0x%012" PRIx64 ", which is not mapped",
      f->access == SIM_MEM_WRITE ? "write" : "read", f->size_B, f->address);
}

bool
cs_expired(const struct sim_cs *cs)
{
   return sim_gpu_now_ns() - cs->start_ns > cs->gpu->hang_limit_ns;
}

/* Commands of which chips take less than there is, by the dwords that are
 * missing; these are 0 then. */
static const struct {
   uint32_t opcode;
   unsigned dwords, missing;
} short_forms[] = {
   /* As Gen8 has it, without the bindless surface states
    * (WaBindlessSurfaceStateModifyEnable, SKL PRM vol 16); and without their
    * size, as igt's render copy for Gen9 has sent it to chips since 2015. */
   { GEN9_STATE_BASE_ADDRESS_opcode, GEN9_STATE_BASE_ADDRESS_length, 3 },
   { GEN9_STATE_BASE_ADDRESS_opcode, GEN9_STATE_BASE_ADDRESS_length, 1 },
   /* An immediate of one dword: igt's gem_pipe_control_store_loop, and the
    * kernel's own flushes of Gen7. */
   { GEN9_PIPE_CONTROL_opcode, GEN9_PIPE_CONTROL_length, 1 },
   { GEN75_PIPE_CONTROL_opcode, GEN75_PIPE_CONTROL_length, 1 },
};

static bool
may_be_short(const struct sim_cs *cs, unsigned n)
{
   for (unsigned i = 0; i < ARRAY_SIZE(short_forms); i++) {
      if (cs->command->opcode == short_forms[i].opcode &&
          cs->command->dwords == short_forms[i].dwords &&
          n == short_forms[i].dwords - short_forms[i].missing)
         return true;
   }
   return false;
}

/* The dwords of the command at cs->ip, and how many; NULL: fault. */
static const uint32_t *
fetch(struct sim_cs *cs, unsigned *n)
{
   cs->command = NULL;
   const uint32_t *dw = sim_mem_ptr(&cs->mem, cs->ip, 4, SIM_MEM_READ);
   if (!dw) {
      cs_mem_fault(cs);
      return NULL;
   }
   cs->command = genxml_find_command(cs->spec, *dw);
   if (!cs->command) {
      cs_fault(cs, "unknown opcode 0x%08x", *dw);
      return NULL;
   }
   *n = genxml_command_dwords(cs->command, *dw);
   const bool length_ok = cs->command->variable ? *n >= cs->command->dwords
                                                : *n == cs->command->dwords ||
                                                     may_be_short(cs, *n);
   if (!length_ok) {
      cs_fault(cs, "%u dwords long, not %u", *n, cs->command->dwords);
      return NULL;
   }
   dw = sim_mem_ptr(&cs->mem, cs->ip, 4ull * *n, SIM_MEM_READ);
   if (!dw) {
      cs_mem_fault(cs);
      return NULL;
   }
   if (*n >= cs->command->dwords)
      return dw;
   static_assert(ARRAY_SIZE(cs->whole) >= GEN9_STATE_BASE_ADDRESS_length,
                 "the longest of short_forms");
   memset(cs->whole, 0, sizeof(cs->whole));
   memcpy(cs->whole, dw, *n * sizeof(*dw));
   return cs->whole;
}

/* MI_SET_PREDICATE turns commands into no-ops, but not itself
 * (PRM SKL Vol. 2a, "MI_SET_PREDICATE"). */
static bool
skipped(const struct sim_cs *cs)
{
   const bool r1 = cs_get_register(cs, GEN9_MI_PREDICATE_RESULT_num) & 1;
   const bool r2 = cs_get_register(cs, GEN9_MI_PREDICATE_RESULT_2_num) & 1;
   if (cs->command->opcode == GEN9_MI_SET_PREDICATE_opcode)
      return false;
   switch (cs->predicate_enable) {
   case NOOPNever: return false;
   case NOOPonResult2clear: return !r2;
   case NOOPonResult2set: return r2;
   case NOOPonResultclear: return !r1;
   case NOOPonResultset: return r1;
   default: return true;
   }
}

/* Both engines have the MI commands (client 0), the copy engine those of the
 * blitter (2), the other one the rest (3). */
static bool
engine_has(const struct sim_cs *cs)
{
   const uint32_t client = cs->command->opcode >> 29;
   return client == 0 || client == (cs->engine == SIM_ENGINE_COPY ? 2 : 3);
}

static enum cs_status
execute_in_chaos(struct sim_cs *cs, cs_handler handler, const uint32_t *dw,
                 unsigned n)
{
   const bool works = !strcmp(cs->command->name, "3DPRIMITIVE") ||
                      !strcmp(cs->command->name, "GPGPU_WALKER");
   struct cs_prefetch ahead = { .num = 0 };
   if (cs->watch.caches)
      sim_chaos_command(cs->watch.caches, works);
   if (works)
      cs_prefetch_begin(cs, n, &ahead);
   const enum cs_status status = handler(cs, dw, n);
   cs_prefetch_end(cs, &ahead);
   return status;
}

static enum cs_status
execute_handler(struct sim_cs *cs, cs_handler handler, const uint32_t *dw,
                unsigned n)
{
   if (sim_deviates(SIM_DEVIATES_HANG, cs->command->name))
      return cs_fault(cs, "it hangs here");
   if (sim_deviates(SIM_DEVIATES_LOST, cs->command->name))
      return CS_CONTINUE;
   return __builtin_expect(cs->gpu->chaos != NULL, 0)
             ? execute_in_chaos(cs, handler, dw, n)
             : handler(cs, dw, n);
}

static enum cs_status
execute_one(struct sim_cs *cs)
{
   unsigned n;
   const uint32_t *dw = fetch(cs, &n);
   if (!dw)
      return CS_FAULT;
   const cs_handler handler = cs->handlers[cs->command - cs->spec->commands];
   if (!handler)
      return cs_fault(cs, "not implemented");
   if (!engine_has(cs))
      return cs_fault(cs, "not a command of the %s engine",
                      cs->engine == SIM_ENGINE_COPY ? "copy" : "render");
   sim_gpu_count(&cs->gpu->stats.commands, 1);
   sim_gpu_count(&cs->gpu->stats.dwords, n);
   if (__builtin_expect(cs->gpu->trace != NULL, 0))
      sim_trace_command(cs->gpu->trace, cs->ip, dw, n);
   if (__builtin_expect(cs->predicate_enable != NOOPNever, 0) &&
       skipped(cs)) {
      cs->ip += 4ull * n;
      return CS_CONTINUE;
   }
   if (__builtin_expect(cs->gpu->strict != NULL, 0) &&
       !sim_strict_command(cs, dw, n)) {
      cs->faulted = true;
      return CS_FAULT;
   }
   const enum cs_status status = execute_handler(cs, handler, dw, n);
   if (status == CS_CONTINUE)
      cs->ip += 4ull * n;
   return status;
}

static enum cs_status
end_batch(struct sim_cs *cs)
{
   if (!cs->second_level)
      return CS_END;
   cs->second_level = false;
   cs->ip = cs->return_address;
   return CS_CONTINUE;
}

/* Those who look at the batch and its accesses, if there are any. */
static void
watch_begin(struct sim_cs *cs)
{
   struct sim_gpu *gpu = cs->gpu;
   if (gpu->strict)
      sim_strict_batch_begin(cs);
   if (cs->engine == SIM_ENGINE_RENDER) {
      cs->watch.caches = sim_chaos_caches_create(gpu->chaos, cs->mem.vm);
      cs->watch.log = gpu->log_access;
      cs->watch.log_data = gpu->log_data;
   }
   if (cs->watch.strict || cs->watch.caches || cs->watch.log)
      cs->mem.watch = &cs->watch;
}

static void
watch_end(struct sim_cs *cs)
{
   cs->mem.watch = NULL;
   sim_chaos_caches_destroy(cs->watch.caches);
   if (cs->gpu->strict)
      sim_strict_batch_end(cs);
}

static void
note_stop(struct sim_cs *cs)
{
   const uint32_t *dw = sim_mem_ptr(&cs->mem, cs->ip, 4, SIM_MEM_READ);
   cs->gpu->stopped_at = cs->ip;
   cs->gpu->stopped_command = dw ? *dw : 0;
}

bool
sim_cs_execute(struct sim_gpu *gpu, struct sim_hw_context *hw,
               const struct sim_vm *vm, enum sim_engine engine,
               uint64_t address)
{
   struct sim_cs cs = {
      .gpu = gpu,
      .hw = hw,
      .spec = genxml_spec_get(gpu->info->verx10),
      .handlers = get_handlers(gpu->info->verx10)->of,
      .engine = engine,
      .ip = address,
      .start_ns = sim_gpu_now_ns(),
   };
   sim_mem_init(&cs.mem, vm);
   sim_gpu_count(&gpu->stats.batches, 1);
   sim_gpu_progress(gpu);
   if (gpu->trace)
      sim_trace_batch(gpu->trace, address, engine);
   watch_begin(&cs);

   enum cs_status status = CS_CONTINUE;
   for (uint64_t steps = 1; status == CS_CONTINUE || status == CS_JUMPED;
        steps++) {
      status = execute_one(&cs);
      if (status == CS_END)
         status = end_batch(&cs);
      if (steps % 256 == 0 && cs.jumps > MAX_JUMPS && cs_expired(&cs))
         status = cs_fault(&cs, "the batch is endless");
      if (sim_gpu_worked_out(gpu) && status != CS_END)
         status = cs_fault(&cs, "more work than allowed");
   }
   watch_end(&cs);
   if (gpu->trace)
      sim_trace_batch_end(gpu->trace);
   if (status != CS_END)
      note_stop(&cs);
   return status == CS_END;
}
