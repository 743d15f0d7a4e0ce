/* SPDX-License-Identifier: MIT */
/*
 * The simulated device: its life, its worker thread, and fences.
 *
 * The worker takes jobs in order. With the lock it binds the objects of the
 * job; without it, it runs the batch; with it again, it completes the job.
 * An address space is changed only here or when nothing runs, so that the
 * accessors of mem/ need no lock.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "intel/sim/gpu/pool.h"
#include "intel/sim/raster/raster.h"
#include "intel/sim/chaos/chaos.h"
#include "intel/sim/gpu/strict.h"
#include "intel/sim/trace/trace.h"
#include "uapi.h"
#include "util/environment.h"
#include "util/fallible.h"

/* The longest that a kernel lets work hang is about 10 s (heartbeats and
 * preemption timeout of i915); we end it a little earlier. */
#define HANG_LIMIT_NS 6000000000ull

/* i915 waits ten seconds for fences of other drivers (Kconfig.profile,
 * CONFIG_DRM_I915_FENCE_TIMEOUT) and then goes on without. Other simulators
 * are slower than hardware, and end what hangs by themselves. */
#define FOREIGN_LIMIT_NS 300000000000ull

static bool
bind_objects(struct sim_job *job)
{
   for (unsigned i = 0; i < job->num_bos; i++) {
      const struct job_bo *b = &job->bos[i];
      if (!sim_vm_bind(job->ctx->vm->mem, b->bo->mem, b->address))
         return false;
   }
   return true;
}

static bool
run_job(struct saffron_sim *sim, struct sim_job *job)
{
   struct uapi_context *ctx = job->ctx;
   if (!ctx)
      return true;
   if (ctx->banned)
      return true; /* Submitted before its context was banned: skipped. */
   struct sim_hw_context **hw = &ctx->hw[job->slot];
   if (!*hw)
      *hw = sim_hw_context_create(&sim->gpu);
   if (!*hw || !bind_objects(job)) {
      sim_gpu_report(&sim->gpu,
                     "the host is out of memory: batch at 0x%" PRIx64
                     " dropped",
                     job->batch_address);
      return false;
   }
   if (sim->record_dir)
      uapi_record(sim, job);
   if (sim->gpu.trace && sim_trace_has_memory(sim->gpu.trace))
      uapi_record_in_trace(sim, job);
   if (sim->dry_run)
      return true;
   if (job->reset_so)
      sim_hw_context_reset_so_offsets(*hw);

   pthread_mutex_unlock(&sim->lock);
   const bool ok = sim_cs_execute(&sim->gpu, *hw, ctx->vm->mem, job->engine,
                                  job->batch_address);
   pthread_mutex_lock(&sim->lock);
   return ok;
}

/* A reset: the guilty context is banned, which makes its next submissions
 * fail with -EIO, and drops its queued jobs. Nothing else is on its way then,
 * so that no context counts as an innocent one (i915's __i915_request_reset()
 * counts what runs). */
static void
reset(struct saffron_sim *sim, struct sim_job *guilty)
{
   sim->reset_count++;
   sim_gpu_count(&sim->gpu.stats.resets, 1);
   struct uapi_context *ctx = guilty->ctx;
   if (sim->error_file && !ctx->no_error_capture)
      uapi_error_state(sim, guilty);
   ctx->batch_active++;
   ctx->banned |= ctx->bannable;
   /* The registers and the 3D state of a reset context are the defaults. */
   for (unsigned e = 0; e < ARRAY_SIZE(ctx->hw); e++) {
      sim_hw_context_destroy(ctx->hw[e]);
      ctx->hw[e] = NULL;
   }
   sim_gpu_report(&sim->gpu, "GPU reset %u: %s", sim->reset_count,
                  ctx->banned ? "the context is banned"
                              : "the context goes on");
}

static void
complete(struct saffron_sim *sim, struct sim_job *job)
{
   for (unsigned i = 0; i < job->num_bos; i++) {
      job->bos[i].bo->jobs--;
      uapi_bo_collect(sim, job->bos[i].bo);
   }
   uapi_bo_collect_zombies(sim);
   if (job->ctx)
      uapi_context_unref(job->ctx);
   share_fences_finish(&job->waits);
   util_dynarray_foreach(&job->wait_fds, int, fd)
      close(*fd);
   util_dynarray_fini(&job->wait_fds);
   sim->completed_seqno = job->seqno;
   share_complete(sim, job->seqno);
   sync_file_complete(sim, job->seqno);
   free(job);
   pthread_cond_broadcast(&sim->change);
}

/* Waits, without the lock, for the work of other processes. */
static void
await_others(struct saffron_sim *sim, struct sim_job *job)
{
   if (!job->waits.size_B && !job->wait_fds.size_B)
      return;
   pthread_mutex_unlock(&sim->lock);
   const uint64_t deadline = sim_gpu_now_ns() + FOREIGN_LIMIT_NS;
   int ret = 0;
   util_dynarray_foreach(&job->waits, struct share_fence, f)
      ret = ret ? ret : share_wait(f, deadline);
   util_dynarray_foreach(&job->wait_fds, int, fd)
      ret = ret ? ret : sync_file_wait(*fd, deadline);
   if (ret)
      sim_gpu_report(&sim->gpu, "another process does not finish its work "
                                "that a batch waits for; going on without");
   pthread_mutex_lock(&sim->lock);
}

/* The lock is held here and given up for as long as a file takes. */
static void
update_stats_if_due(struct saffron_sim *sim)
{
   if (!sim->stats_due_ns || sim_gpu_now_ns() < sim->stats_due_ns)
      return;
   sim->stats_due_ns = 0;
   pthread_mutex_unlock(&sim->lock);
   uapi_stats_update(sim);
   pthread_mutex_lock(&sim->lock);
}

static void
wait_for_work(struct saffron_sim *sim)
{
   if (!sim->stats_due_ns) {
      pthread_cond_wait(&sim->work, &sim->lock);
      return;
   }
   const struct timespec ts = {
      .tv_sec = (time_t)(sim->stats_due_ns / 1000000000),
      .tv_nsec = (long)(sim->stats_due_ns % 1000000000),
   };
   pthread_cond_timedwait(&sim->work, &sim->lock, &ts);
   update_stats_if_due(sim);
}

static void *
worker_main(void *data)
{
   struct saffron_sim *sim = data;
   pthread_mutex_lock(&sim->lock);
   for (;;) {
      while ((list_is_empty(&sim->jobs) && !sim->stop) || sim->paused)
         wait_for_work(sim);
      if (list_is_empty(&sim->jobs))
         break;
      struct sim_job *job =
         list_first_entry(&sim->jobs, struct sim_job, link);
      list_del(&job->link);
      sim->at_work = true;
      await_others(sim, job);
      sim->running = true;
      if (!run_job(sim, job))
         reset(sim, job);
      sim->running = false;
      sim->at_work = false;
      complete(sim, job);
      if (sim->gpu.shaders && !sim->stats_due_ns)
         sim->stats_due_ns = sim_gpu_now_ns() + STATS_DELAY_NS;
      update_stats_if_due(sim);
   }
   pthread_mutex_unlock(&sim->lock);
   return NULL;
}

/* No signal of the program reaches the worker. */
int
uapi_start_worker(struct saffron_sim *sim)
{
   sigset_t all, before;
   if (sim->has_worker)
      return 0;
   if (sim->stats_later) {
      uapi_stats_begin(sim);
      sim->stats_later = false;
   }
   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &before);
   sim->has_worker = !pthread_create(&sim->worker, NULL, worker_main, sim);
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   return sim->has_worker ? 0 : -EAGAIN;
}

bool
uapi_signaled(const struct saffron_sim *sim, uint64_t seqno)
{
   return seqno <= sim->completed_seqno;
}

void
uapi_submit(struct saffron_sim *sim, struct sim_job *job)
{
   const unsigned class = job->engine == SIM_ENGINE_COPY
                             ? I915_ENGINE_CLASS_COPY
                             : I915_ENGINE_CLASS_RENDER;
   job->seqno = ++sim->last_seqno;
   if (job->ctx)
      job->ctx->refcount++;
   for (unsigned i = 0; i < job->num_bos; i++) {
      struct job_bo *b = &job->bos[i];
      b->bo->jobs++;
      if (uapi_signaled(sim, b->bo->use_seqno))
         b->bo->readers = 0;
      b->bo->readers |= (uint16_t)(1u << class);
      b->bo->use_seqno = job->seqno;
      if (b->write) {
         b->bo->write_seqno = job->seqno;
         b->bo->writer = (uint8_t)(class + 1);
      }
      if (b->bo->share)
         share_begin(b->bo->share, job->seqno, b->write);
   }
   list_addtail(&job->link, &sim->jobs);
   pthread_cond_signal(&sim->work);
   pthread_cond_broadcast(&sim->change);
}

int
uapi_wait_change(struct saffron_sim *sim, uint64_t deadline_ns)
{
   if (deadline_ns == UINT64_MAX) {
      pthread_cond_wait(&sim->change, &sim->lock);
      return 0;
   }
   if (sim_gpu_now_ns() >= deadline_ns)
      return -ETIME;
   const struct timespec ts = {
      .tv_sec = (time_t)(deadline_ns / 1000000000),
      .tv_nsec = (long)(deadline_ns % 1000000000),
   };
   const int ret = pthread_cond_timedwait(&sim->change, &sim->lock, &ts);
   return ret == ETIMEDOUT ? -ETIME : 0;
}

int
uapi_wait_seqno(struct saffron_sim *sim, uint64_t seqno, uint64_t deadline_ns)
{
   int ret = 0;
   while (!uapi_signaled(sim, seqno) && !ret)
      ret = uapi_wait_change(sim, deadline_ns);
   return uapi_signaled(sim, seqno) ? 0 : ret;
}

int
uapi_submit_wait(struct saffron_sim *sim, const struct share_fence *fence,
                 int fd, uint64_t *seqno)
{
   struct sim_job *job = calloc(1, sizeof(*job));
   int copy = -1;
   if (job && fd >= 0)
      copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
   const bool has_room =
      job && util_dynarray_try_reserve(&job->waits, sizeof(*fence)) &&
      util_dynarray_try_reserve(&job->wait_fds, sizeof(fd));
   if (!has_room || (fd >= 0 && copy < 0) || uapi_start_worker(sim)) {
      if (copy >= 0)
         close(copy);
      if (job) {
         util_dynarray_fini(&job->waits);
         util_dynarray_fini(&job->wait_fds);
      }
      free(job);
      if (fence)
         share_unref(fence->share);
      return -ENOMEM;
   }
   if (fence)
      util_dynarray_append(&job->waits, struct share_fence, *fence);
   if (fd >= 0)
      util_dynarray_append(&job->wait_fds, int, copy);
   uapi_submit(sim, job);
   *seqno = job->seqno;
   return 0;
}

int
uapi_wait_bo(struct saffron_sim *sim, struct uapi_bo *bo, bool write,
             uint64_t deadline_ns)
{
   bo->jobs++; /* keeps it while the lock is given up */
   int ret = uapi_wait_seqno(sim, write ? bo->use_seqno : bo->write_seqno,
                             deadline_ns);
   struct util_dynarray fences = { 0 };
   if (!ret && bo->share)
      ret = share_collect(bo->share, write, &fences);
   if (fences.size_B) {
      pthread_mutex_unlock(&sim->lock);
      util_dynarray_foreach(&fences, struct share_fence, f) {
         if (!ret)
            ret = share_wait(f, deadline_ns);
      }
      pthread_mutex_lock(&sim->lock);
   }
   share_fences_finish(&fences);
   bo->jobs--;
   uapi_bo_collect(sim, bo);
   return ret;
}

/* Another number for each simulator of each process. */
static uint64_t
new_token(const void *sim)
{
   uint64_t token;
   if (getrandom(&token, sizeof(token), GRND_NONBLOCK) != sizeof(token))
      token = sim_gpu_now_ns() * 0x9e3779b97f4a7c15ull ^
              (uint64_t)getpid() << 32 ^ (uintptr_t)sim;
   return token | 1;
}

static void
init_conditions(struct saffron_sim *sim)
{
   pthread_condattr_t attr;
   pthread_condattr_init(&attr);
   pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
   pthread_cond_init(&sim->work, &attr);
   pthread_cond_init(&sim->change, &attr);
   pthread_condattr_destroy(&attr);
}

void
uapi_become_child(struct saffron_sim *sim)
{
   sim->has_worker = false;
   sim->token = new_token(sim);
   init_conditions(sim);
   sync_file_unregister(sim);
   list_for_each_entry(struct uapi_bo, bo, &sim->bos, link)
      uapi_flink_drop(bo, true);
   list_for_each_entry(struct uapi_share, share, &sim->shares, link)
      share_become_child(share);
   /* The parent does what is left, and signals it. */
   list_for_each_entry_safe(struct sim_job, job, &sim->jobs, link) {
      list_del(&job->link);
      complete(sim, job);
   }
   uapi_stats_become_child(sim);
}

static uint64_t
hang_limit_ns(void)
{
   const char *ms = environment_get("SAFFRON_SIM_HANG_MS");
   const unsigned long v = ms ? strtoul(ms, NULL, 10) : 0;
   return v ? v * 1000000ull : HANG_LIMIT_NS;
}

/* What looks at it, or makes it behave badly, as the environment says; what
 * that says wrong would be missed, and is an error. */
static bool
begin_looking(struct saffron_sim *sim)
{
   const char *strict = environment_get("SAFFRON_SIM_STRICT");
   sim->gpu.strict = sim_strict_create(&sim->gpu);
   return sim_chaos_create(&sim->gpu.chaos) && uapi_stats_begin(sim) &&
          (!strict || !*strict || sim->gpu.strict);
}

PUBLIC struct saffron_sim *
saffron_sim_create(const char *gen)
{
   const struct intel_device_info *info = gen ? intel_device_info_by_name(gen)
                                              : NULL;
   /* Nothing is executed, so that a driver can be made to compile. */
   const bool dry_run = environment_get("SAFFRON_SIM_DRY_RUN") != NULL;
   if (!info)
      return NULL;
   struct saffron_sim *sim = calloc(1, sizeof(*sim));
   if (!sim)
      return NULL;
   sim->dry_run = dry_run;
   sim->record_dir = environment_get("SAFFRON_SIM_RECORD");
   sim->error_file = environment_get("SAFFRON_SIM_ERROR_STATE");
   sim->gpu.info = info;
   sim->gpu.verx10 = info->verx10;
   sim->gpu.hang_limit_ns = hang_limit_ns();
   sim->gpu.pool = sim_pool_create();
   list_inithead(&sim->jobs);
   list_inithead(&sim->bos);
   list_inithead(&sim->zombies);
   list_inithead(&sim->shares);
   list_inithead(&sim->sync_files);
   sim->token = new_token(sim);
   init_conditions(sim);
   pthread_mutex_init(&sim->lock, NULL);
   const bool right = begin_looking(sim);
   uapi_fork_add(sim);
   if (!right) {
      saffron_sim_destroy(sim);
      return NULL;
   }
   return sim;
}

PUBLIC void
saffron_sim_destroy(struct saffron_sim *sim)
{
   if (!sim)
      return;
   assert(!sim->open_files && "all files must be closed");
   uapi_fork_remove(sim);
   pthread_mutex_lock(&sim->lock);
   sim->stop = true;
   pthread_cond_signal(&sim->work);
   pthread_mutex_unlock(&sim->lock);
   if (sim->has_worker)
      pthread_join(sim->worker, NULL);
   sim_strict_destroy(sim->gpu.strict);
   sim_chaos_destroy(sim->gpu.chaos);
   uapi_stats_end(sim);
   sim_pool_destroy(sim->gpu.pool);
   sim_tiles_destroy(sim->gpu.tiles);
   assert(list_is_empty(&sim->bos) && "handles and jobs are gone");
   if (sim->global_vm)
      uapi_vm_unref(sim->global_vm);
   sim_ids_finish(&sim->maps);
   pthread_cond_destroy(&sim->work);
   pthread_cond_destroy(&sim->change);
   pthread_mutex_destroy(&sim->lock);
   free(sim);
}

PUBLIC const char *
saffron_sim_gen(const struct saffron_sim *sim)
{
   return sim->gpu.info->name;
}

PUBLIC uint16_t
saffron_sim_pci_id(const struct saffron_sim *sim)
{
   return sim->gpu.info->pci_id;
}

PUBLIC void
saffron_sim_get_stats(struct saffron_sim *sim,
                      struct saffron_sim_stats *stats)
{
#define LOAD(name)                                                           \
   stats->name = __atomic_load_n(&sim->gpu.stats.name, __ATOMIC_RELAXED)
   LOAD(batches);
   LOAD(commands);
   LOAD(dwords);
   LOAD(draws);
   LOAD(dispatches);
   LOAD(eu_threads);
   LOAD(eu_instructions);
   LOAD(eu_simd8);
   LOAD(eu_sends);
   LOAD(eu_cycles);
   LOAD(resets);
   LOAD(splits);
   LOAD(pipe_controls);
#undef LOAD
}

PUBLIC void
saffron_sim_mark(struct saffron_sim *sim, const char *text)
{
   if (!sim->gpu.trace)
      return;
   sim_trace_mark(sim->gpu.trace, text);
   if (!strcmp(text, "present"))
      sim_pause_at_frame(sim->gpu.trace);
}

PUBLIC void
saffron_sim_set_report(struct saffron_sim *sim,
                       void (*report)(void *data, const char *line),
                       void *data)
{
   sim->gpu.report_data = data;
   sim->gpu.report = report;
}
