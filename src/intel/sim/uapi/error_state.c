/* SPDX-License-Identifier: MIT */
/*
 * SAFFRON_SIM_ERROR_STATE=FILE: what i915 shows as its error state
 * (/sys/class/drm/cardN/error) after the first job that failed, for
 * intel_error_decode and aubinator_error_decode.
 *
 * The lines and their order are those of i915_gpu_error.c of Linux 5.10: the
 * device, the registers of the ring, then the buffers: the batch, those that
 * the driver marked (EXEC_OBJECT_CAPTURE), and a ring that starts the batch.
 * A buffer is a zlib stream (RFC 1950) as ascii85, 32 bits at a time, zero as
 * "z". The stream is of stored blocks: nothing is compressed. Registers that
 * the simulated GPU does not have are zero; INSTDONE says that no unit is at
 * work.
 */
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "intel/sim/gen/traits.h"
#include "uapi.h"

#define RING_B 4096u
#define RING_VALID 1u /* of RING_CTL, beside the length less a page */
#define MI_BATCH_BUFFER_START 0x31u
#define MAX_STORED_B 65535u

/* Bytes on their way to words of four. */
struct ascii85 {
   FILE *f;
   uint32_t word;
   unsigned count;
};

static void
put_byte(struct ascii85 *to, unsigned byte)
{
   char digits[6] = { 0 };
   to->word |= (uint32_t)byte << 8 * to->count++;
   if (to->count < 4)
      return;
   uint32_t rest = to->word;
   for (unsigned i = 5; i--; rest /= 85)
      digits[i] = (char)('!' + rest % 85);
   fputs(to->word ? digits : "z", to->f);
   to->word = to->count = 0;
}

static void
put_le16(struct ascii85 *to, unsigned v)
{
   put_byte(to, v & 0xff);
   put_byte(to, v >> 8);
}

/* RFC 1950, "ADLER32 checksum". */
struct adler32 {
   uint32_t a, b;
};

static void
put_stored(struct ascii85 *to, struct adler32 *sum, const uint8_t *bytes,
           unsigned size_B, bool last)
{
   put_byte(to, last); /* BFINAL, BTYPE 0: the rest of the byte is skipped */
   put_le16(to, size_B);
   put_le16(to, ~size_B & 0xffff);
   for (unsigned i = 0; i < size_B; i++) {
      sum->a = (sum->a + bytes[i]) % 65521;
      sum->b = (sum->b + sum->a) % 65521;
      put_byte(to, bytes[i]);
   }
}

static const char *
engine_name(const struct sim_job *job)
{
   return job->engine == SIM_ENGINE_COPY ? "bcs0" : "rcs0";
}

static void
put_buffer(FILE *f, const struct sim_job *job, const char *name,
           uint64_t address, const uint8_t *bytes, uint64_t size_B)
{
   struct ascii85 to = { .f = f };
   struct adler32 sum = { 1, 0 };
   fprintf(f, "%s --- %s = 0x%08x %08x\n:", engine_name(job), name,
           (uint32_t)(address >> 32), (uint32_t)address);
   put_byte(&to, 0x78); /* deflate, a window of 32 KiB */
   put_byte(&to, 0x01);
   for (uint64_t at = 0; at < size_B; at += MAX_STORED_B)
      put_stored(&to, &sum, bytes + at,
                 (unsigned)MIN2(size_B - at, MAX_STORED_B),
                 size_B - at <= MAX_STORED_B);
   for (unsigned i = 4; i--;)
      put_byte(&to, (i & 2 ? sum.b : sum.a) >> 8 * (i & 1) & 0xff);
   while (to.count)
      put_byte(&to, 0);
   fputs("\n", f);
}

static const struct job_bo *
batch_of(const struct sim_job *job)
{
   for (unsigned i = 0; i < job->num_bos; i++) {
      const struct job_bo *b = &job->bos[i];
      if (job->batch_address - b->address < b->bo->mem->size_B)
         return b;
   }
   return NULL;
}

/* A ring of this job alone: its batch is started, and was not left. */
static uint32_t
fill_ring(const struct saffron_sim *sim, const struct sim_job *job,
          uint32_t ring[RING_B / 4])
{
   const bool wide = sim_traits(sim->gpu.verx10)->address_B == 8;
   const unsigned dwords = wide ? 3 : 2;
   memset(ring, 0, RING_B);
   ring[0] = MI_BATCH_BUFFER_START << 23 | 1u << 8 | (dwords - 2);
   ring[1] = (uint32_t)job->batch_address;
   ring[2] = wide ? (uint32_t)(job->batch_address >> 32) : 0;
   return 4 * dwords;
}

static void
put_device(FILE *f, const struct saffron_sim *sim, const struct sim_job *job)
{
   const struct intel_device_info *info = sim->gpu.info;
   struct timespec now, up;
   clock_gettime(CLOCK_REALTIME, &now);
   clock_gettime(CLOCK_MONOTONIC, &up);
   fprintf(f, "GPU HANG: ecode %u:%u:%08x, in %s [%d]\n",
           sim->gpu.verx10 / 10, 1u << job->engine, sim->gpu.stopped_command,
           program_invocation_short_name, (int)getpid());
   fprintf(f, "Kernel: simulated\nDriver: saffron\n");
   fprintf(f, "Time: %lld s %ld us\n", (long long)now.tv_sec,
           now.tv_nsec / 1000);
   fprintf(f, "Uptime: %lld s %ld us\n", (long long)up.tv_sec,
           up.tv_nsec / 1000);
   fprintf(f, "Active process (on ring %s): %s [%d]\n", engine_name(job),
           program_invocation_short_name, (int)getpid());
   fprintf(f, "Reset count: %u\nSuspend count: 0\n", sim->reset_count);
   fprintf(f, "PCI ID: 0x%04x\nPCI Revision: 0x%02x\n", info->pci_id,
           info->revision);
   fprintf(f, "PCI Subsystem: 8086:2212\nIOMMU enabled?: 0\n");
   fprintf(f, "EIR: 0x00000000\nIER: 0x00000000\nPGTBL_ER: 0x00000000\n"
              "FORCEWAKE: 0x00000001\nDERRMR: 0xffffffff\n"
              "CCID: 0x00000000\nERROR: 0x00000000\n");
}

static void
put_ring(FILE *f, const struct saffron_sim *sim, const struct sim_job *job,
         uint32_t tail_B)
{
   const uint64_t at = sim->gpu.stopped_at, start = job->batch_address;
   const struct job_bo *b = batch_of(job);
   const uint64_t end = b ? b->address + b->bo->mem->size_B : start;
   fprintf(f, "%s command stream:\n", engine_name(job));
   fprintf(f, "  CCID:  0x00000000\n  START: 0x00000000\n");
   fprintf(f, "  HEAD:  0x%08x [0x%08x]\n", tail_B, 0);
   fprintf(f, "  TAIL:  0x%08x [0x%08x, 0x%08x]\n", tail_B, 0, tail_B);
   fprintf(f, "  CTL:   0x%08x\n  MODE:  0x00000000\n", RING_VALID);
   fprintf(f, "  HWS:   0x00000000\n");
   fprintf(f, "  ACTHD: 0x%08x %08x\n", (uint32_t)(at >> 32), (uint32_t)at);
   fprintf(f, "  IPEIR: 0x00000000\n  IPEHR: 0x%08x\n",
           sim->gpu.stopped_command);
   fprintf(f, "  INSTDONE: 0xffffffff\n");
   fprintf(f, "  batch: [0x%08x_%08x, 0x%08x_%08x]\n",
           (uint32_t)(start >> 32), (uint32_t)start, (uint32_t)(end >> 32),
           (uint32_t)end);
   fprintf(f, "  BBADDR: 0x%08x_%08x\n", (uint32_t)(at >> 32),
           (uint32_t)at | 1); /* its lowest bit: valid */
   fprintf(f, "  BB_STATE: 0x00000000\n  INSTPS: 0x00000000\n"
              "  INSTPM: 0x00000000\n  FADDR: 0x00000000 00000000\n"
              "  RC PSMI: 0x00000000\n  FAULT_REG: 0x00000000\n");
   fprintf(f, "  engine reset count: 0\n");
   fprintf(f, "  Active context: %s[%d] prio %d, guilty %u active %u\n",
           program_invocation_short_name, (int)getpid(), job->ctx->priority,
           job->ctx->batch_active, job->ctx->batch_active + 1);
}

static void
put_buffers(FILE *f, const struct sim_job *job, const uint32_t *ring)
{
   const struct job_bo *batch = batch_of(job);
   if (batch) {
      const uint64_t skip = job->batch_address - batch->address;
      put_buffer(f, job, "batch", job->batch_address,
                 batch->bo->mem->map + skip, batch->bo->mem->size_B - skip);
   }
   for (unsigned i = 0; i < job->num_bos; i++) {
      const struct job_bo *b = &job->bos[i];
      if (b != batch && b->capture)
         put_buffer(f, job, "user", b->address, b->bo->mem->map,
                    b->bo->mem->size_B);
   }
   put_buffer(f, job, "ringbuffer", 0, (const uint8_t *)ring, RING_B);
}

void
uapi_error_state(const struct saffron_sim *sim, const struct sim_job *job)
{
   /* The first one stays until somebody takes it away, as with i915. */
   FILE *f = fopen(sim->error_file, "wxe");
   if (!f) {
      if (errno != EEXIST)
         fprintf(stderr, "saffron: SAFFRON_SIM_ERROR_STATE: %s: %s\n",
                 sim->error_file, strerror(errno));
      return;
   }
   uint32_t ring[RING_B / 4];
   const uint32_t tail_B = fill_ring(sim, job, ring);
   put_device(f, sim, job);
   put_ring(f, sim, job, tail_B);
   put_buffers(f, job, ring);
   const bool failed = ferror(f);
   if (fclose(f) || failed)
      fprintf(stderr,
              "saffron: SAFFRON_SIM_ERROR_STATE: %s is not complete\n",
              sim->error_file);
}
