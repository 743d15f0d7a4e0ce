/* SPDX-License-Identifier: MIT */
/*
 * The objects of a recording lie one after the other in a file in memory,
 * which is mapped twice. What the recording says goes to one mapping; batches
 * run on the other one, which is private: what they write goes away when its
 * pages are dropped, so that each batch finds what was recorded.
 */
#include "trace_replay.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "intel/dev/intel_device_info.h"
#include "intel/sim/cs/cs_private.h"
#include "intel/sim/eu/eu.h"
#include "intel/sim/raster/raster.h"
#include "intel/sim/mem/watch.h"
#include "intel/sim/trace/trace.h"

#define HANG_LIMIT_NS 3600000000000ull

struct object {
   uint64_t at_B; /* in both mappings */
   uint64_t size_B;
   struct sim_bo *bo; /* NULL until a batch has it */
};

struct replay {
   const struct trace_file *recording;
   struct object *objects;
   uint32_t num_objects;
   uint64_t size_B;
   uint8_t *recorded, *run;
   struct sim_gpu gpu;
   struct sim_hw_context *hw;
   uint32_t next_memory; /* changes that are not made yet */
   const struct trace_watch *watch;
   struct util_dynarray *accesses;
   uint32_t first_draw;
};

static bool
complain(const char *what)
{
   fprintf(stderr, "saffron trace: replay: %s\n", what);
   return false;
}

static bool
map_objects(struct replay *r)
{
   const struct util_dynarray *sizes = &r->recording->objects;
   r->num_objects = (uint32_t)util_dynarray_num_elements(sizes, uint64_t);
   r->objects = calloc(r->num_objects, sizeof(*r->objects));
   if (!r->objects)
      return complain(strerror(ENOMEM));
   for (uint32_t i = 0; i < r->num_objects; i++) {
      r->objects[i].size_B = *util_dynarray_element(sizes, uint64_t, i);
      r->objects[i].at_B = r->size_B;
      r->size_B += ALIGN(r->objects[i].size_B, (uint64_t)SIM_PAGE_SIZE);
   }
   const int file = memfd_create("replay", MFD_CLOEXEC);
   bool ok = file >= 0 && !ftruncate(file, (off_t)r->size_B);
   for (unsigned i = 0; ok && i < 2; i++) {
      uint8_t *p = mmap(NULL, r->size_B, PROT_READ | PROT_WRITE,
                        (i ? MAP_PRIVATE : MAP_SHARED) | MAP_NORESERVE, file,
                        0);
      ok = p != MAP_FAILED;
      if (ok)
         *(i ? &r->run : &r->recorded) = p;
   }
   if (!ok)
      complain(strerror(errno));
   if (file >= 0)
      close(file);
   return ok;
}

static void
make_changes(struct replay *r, const struct trace_file_memory *m)
{
   uint8_t *object = r->recorded + r->objects[m->head.object].at_B;
   for (const uint8_t *at = m->pages; at < m->end;) {
      struct trace_page page;
      memcpy(&page, at, sizeof(page));
      at += sizeof(page);
      while (page.lines) {
         const unsigned line = (unsigned)__builtin_ctzll(page.lines);
         page.lines &= page.lines - 1;
         memcpy(object + (uint64_t)page.page * TRACE_PAGE_B +
                   line * TRACE_LINE_B,
                at, TRACE_LINE_B);
         at += TRACE_LINE_B;
      }
   }
}

/* Everything as it was before the job. */
static bool
restore(struct replay *r, const struct trace_file_job *job)
{
   const struct object *context = &r->objects[job->head.context];
   const struct object *curbe = &r->objects[job->head.curbe];
   for (; r->next_memory < job->end_memory; r->next_memory++)
      make_changes(r, util_dynarray_element(&r->recording->memory,
                                            struct trace_file_memory,
                                            r->next_memory));
   if (madvise(r->run, r->size_B, MADV_DONTNEED))
      return complain(strerror(errno));
   if (context->size_B != sizeof(*r->hw) || curbe->size_B != SIM_CURBE_B)
      return complain("the recording is of another build of the simulator");
   struct sim_hw_context *hw = r->hw;
   const struct sim_hw_context own = *hw;
   memcpy(hw, r->recorded + context->at_B, sizeof(*hw));
   hw->programs = own.programs;
   hw->urb = own.urb;
   hw->strict = own.strict;
   hw->curbe = own.curbe;
   hw->curbe_size_B = MIN2(hw->curbe_size_B, SIM_CURBE_B);
   memcpy(hw->curbe, r->recorded + curbe->at_B, SIM_CURBE_B);
   if (job->head.reset_so)
      sim_hw_context_reset_so_offsets(hw);
   return true;
}

static struct sim_vm *
make_vm(struct replay *r, const struct trace_file_job *job)
{
   struct sim_vm *vm = sim_vm_create();
   bool ok = vm != NULL;
   for (uint32_t i = 0; ok && i < job->head.num_places; i++) {
      struct trace_place place;
      memcpy(&place, job->places + i * sizeof(place), sizeof(place));
      struct object *o = &r->objects[place.object];
      if (!o->bo)
         o->bo = sim_bo_create_user(
            r->run + o->at_B, ALIGN(o->size_B, (uint64_t)SIM_PAGE_SIZE));
      ok = o->bo && place.address % SIM_PAGE_SIZE == 0 &&
           sim_vm_bind(vm, o->bo, place.address);
   }
   if (ok)
      return vm;
   complain("an object cannot be placed");
   sim_vm_destroy(vm);
   return NULL;
}

static bool
run_job(struct replay *r, const struct trace_file_job *job)
{
   struct sim_vm *vm = restore(r, job) ? make_vm(r, job) : NULL;
   if (!vm)
      return false;
   /* A fault is in the trace, as it was in the run. */
   sim_cs_execute(&r->gpu, r->hw, vm, (enum sim_engine)job->engine,
                  job->address);
   sim_eu_cache_trim(r->hw->programs);
   sim_vm_destroy(vm);
   return true;
}

static void
ignore_report(void *data, const char *line)
{
   /* The trace has it. */
}

static_assert(SIM_CLIENTS == 12, "TRACE_CLIENT_NAMES");

static void
note_access(void *data, enum sim_client client, uint64_t address,
            uint64_t size_B, enum sim_mem_access access)
{
   struct replay *r = data;
   const uint64_t from = r->watch->address & SIM_ADDRESS_MASK;
   struct util_dynarray *list = r->accesses;
   const size_t n = util_dynarray_num_elements(list, struct trace_access);
   const uint32_t draws = (uint32_t)r->gpu.stats.draws +
                          (uint32_t)r->gpu.stats.dispatches;
   address &= SIM_ADDRESS_MASK;
   const struct trace_access a = {
      .draw = r->first_draw + draws - 1,
      .client = client,
      .is_write = access == SIM_MEM_WRITE,
      .address = address,
      .size_B = size_B,
   };
   const struct trace_access *last =
      n ? util_dynarray_element(list, struct trace_access, n - 1) : NULL;
   if (address >= from + r->watch->size_B || from >= address + size_B)
      return;
   if (!last || last->draw != a.draw || last->client != a.client ||
       last->is_write != a.is_write || last->address != address ||
       last->size_B != size_B)
      util_dynarray_append(list, struct trace_access, a);
}

static bool
begin(struct replay *r, uint32_t batch, uint32_t draw, const char *filter,
      int out)
{
   char name[64];
   snprintf(name, sizeof(name), "/proc/self/fd/%d", out);
   const char *gen = isa_gen_name(r->recording->gen);
   const struct intel_device_info *info = intel_device_info_by_name(gen);
   r->gpu = (struct sim_gpu) {
      .info = info,
      .verx10 = info->verx10,
      .hang_limit_ns = HANG_LIMIT_NS,
      .report = ignore_report,
      .log_access = r->watch->size_B ? note_access : NULL,
      .log_data = r,
      .trace = sim_trace_create(name, filter, info->verx10),
   };
   if (!r->gpu.trace)
      return false;
   sim_trace_start_at(r->gpu.trace, batch, draw);
   r->hw = sim_hw_context_create(&r->gpu);
   return r->hw ? map_objects(r) : complain(strerror(ENOMEM));
}

static void
end(struct replay *r)
{
   sim_trace_destroy(r->gpu.trace);
   sim_hw_context_destroy(r->hw);
   sim_tiles_destroy(r->gpu.tiles);
   for (uint32_t i = 0; r->objects && i < r->num_objects; i++) {
      if (r->objects[i].bo)
         sim_bo_unref(r->objects[i].bo);
   }
   if (r->recorded)
      munmap(r->recorded, r->size_B);
   if (r->run)
      munmap(r->run, r->size_B);
   free(r->objects);
}

bool
trace_replay(const struct trace_file *recording, uint32_t first,
             uint32_t last, const char *filter,
             const struct trace_watch *watch, struct util_dynarray *accesses,
             int out)
{
   const struct util_dynarray *jobs = &recording->jobs;
   const uint32_t base = recording->head.first_batch;
   const struct trace_file_job *job =
      util_dynarray_element(jobs, struct trace_file_job, first - base);
   struct replay r = { .recording = recording,
                       .watch = watch,
                       .accesses = accesses,
                       .first_draw = job->first_draw };
   bool ok = begin(&r, first, job->first_draw, filter, out);
   for (uint32_t i = first; ok && i <= last; i++)
      ok = run_job(&r, util_dynarray_element(jobs, struct trace_file_job,
                                             i - base));
   end(&r);
   return ok;
}
