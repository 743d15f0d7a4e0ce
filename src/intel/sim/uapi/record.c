/* SPDX-License-Identifier: MIT */
/*
 * SAFFRON_SIM_RECORD=DIR: each batch with its buffers as a file
 * (sim_record.h), so that it can be run again, as it is or damaged; and the
 * same in a recording of all batches (trace/memory.c).
 */
#include <stdio.h>
#include <unistd.h>

#include "saffron/sim_record.h"
#include "intel/sim/cs/cs_private.h"
#include "intel/sim/trace/trace.h"
#include "uapi.h"

static bool
is_zero(const uint8_t *page)
{
   static const uint8_t zeros[SIM_PAGE_SIZE];
   return memcmp(page, zeros, SIM_PAGE_SIZE) == 0;
}

/* The program goes on writing to what it has mapped, so that the pages that
 * are not zero can be counted only while they are written. */
static bool
write_bo(FILE *f, const struct job_bo *b)
{
   const struct sim_bo *bo = b->bo->mem;
   struct record_bo head = { b->address, bo->size_B, 0 };
   const off_t at = ftello(f);
   bool ok = fwrite(&head, sizeof(head), 1, f) == 1;
   for (uint64_t i = 0; ok && i < bo->size_B / SIM_PAGE_SIZE; i++) {
      const uint8_t *page = bo->map + i * SIM_PAGE_SIZE;
      if (is_zero(page))
         continue;
      ok = fwrite(&i, sizeof(i), 1, f) == 1 &&
           fwrite(page, SIM_PAGE_SIZE, 1, f) == 1;
      head.num_pages++;
   }
   return ok && fseeko(f, at, SEEK_SET) == 0 &&
          fwrite(&head, sizeof(head), 1, f) == 1 &&
          fseeko(f, 0, SEEK_END) == 0;
}

static bool
write_job(FILE *f, const struct saffron_sim *sim, const struct sim_job *job)
{
   const struct record_head head = {
      .magic = RECORD_MAGIC,
      .verx10 = sim->gpu.verx10,
      .engine = job->engine,
      .sequence = job->seqno,
      .state = (uintptr_t)job->ctx->hw[job->slot],
      .batch_address = job->batch_address,
      .reset_so = job->reset_so,
      .num_bos = job->num_bos,
   };
   bool ok = fwrite(&head, sizeof(head), 1, f) == 1;
   for (unsigned i = 0; ok && i < job->num_bos; i++)
      ok = write_bo(f, &job->bos[i]);
   return ok;
}

void
uapi_record(const struct saffron_sim *sim, const struct sim_job *job)
{
   char name[1024];
   snprintf(name, sizeof(name), "%s/%s-%u-%05u.job", sim->record_dir,
            saffron_sim_gen(sim), (unsigned)getpid(), (unsigned)job->seqno);
   FILE *f = fopen(name, "wbxe");
   if (!f) {
      fprintf(stderr, "saffron: SAFFRON_SIM_RECORD: %s: %s\n", name,
              strerror(errno));
      return;
   }
   const bool ok = write_job(f, sim, job);
   if (fclose(f) || !ok)
      fprintf(stderr, "saffron: SAFFRON_SIM_RECORD: %s is not complete\n",
              name);
}

void
uapi_record_in_trace(const struct saffron_sim *sim, const struct sim_job *job)
{
   const struct sim_hw_context *hw = job->ctx->hw[job->slot];
   struct sim_trace_object *objects =
      calloc(job->num_bos + 2, sizeof(*objects));
   if (!objects)
      return;
   objects[0] =
      (struct sim_trace_object) { hw, (const uint8_t *)hw, sizeof(*hw), 0 };
   objects[1] =
      (struct sim_trace_object) { hw->curbe, hw->curbe, SIM_CURBE_B, 0 };
   for (unsigned i = 0; i < job->num_bos; i++) {
      const struct sim_bo *bo = job->bos[i].bo->mem;
      objects[i + 2] = (struct sim_trace_object) {
         .key = bo,
         .bytes = bo->map,
         .size_B = bo->size_B,
         .address = job->bos[i].address,
         .is_sparse = !bo->user_memory,
      };
   }
   sim_trace_job(sim->gpu.trace, objects, job->num_bos + 2, job->reset_so);
   free(objects);
}
