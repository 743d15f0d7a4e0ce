/* SPDX-License-Identifier: MIT */
/*
 * EXECBUFFER2: checks everything, places objects, applies relocations, and
 * queues a job. Facts: i915_drm.h, "struct drm_i915_gem_execbuffer2" and what
 * it refers to.
 *
 * All jobs run in the order of submission, so waiting for a fence of a job is
 * true by itself; what remains to check is that the fence exists.
 */
#include <fcntl.h>
#include <unistd.h>

#include "uapi.h"
#include "intel/sim/chaos/chaos.h"
#include "intel/sim/gen/traits.h"
#include "util/fallible.h"

#define MAX_OBJECTS 65536
#define MAX_FENCES 4096
#define MAX_QUEUED_JOBS 32
#define LOW_LIMIT BITFIELD64_BIT(32)

#define KNOWN_FLAGS                                                          \
   (I915_EXEC_RING_MASK | I915_EXEC_GEN7_SOL_RESET | I915_EXEC_IS_PINNED |   \
    I915_EXEC_NO_RELOC | I915_EXEC_HANDLE_LUT | I915_EXEC_BATCH_FIRST |      \
    I915_EXEC_FENCE_ARRAY | I915_EXEC_USE_EXTENSIONS | I915_EXEC_FENCE_IN |  \
    I915_EXEC_FENCE_OUT)

#define KNOWN_OBJECT_FLAGS                                                   \
   (EXEC_OBJECT_NEEDS_FENCE | EXEC_OBJECT_NEEDS_GTT | EXEC_OBJECT_WRITE |    \
    EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_PINNED |                  \
    EXEC_OBJECT_PAD_TO_SIZE | EXEC_OBJECT_ASYNC | EXEC_OBJECT_CAPTURE)

struct fence {
   struct uapi_syncobj *obj;
   uint64_t value;
   uint32_t flags;
};

struct exec {
   struct saffron_sim_file *file;
   struct drm_i915_gem_execbuffer2 *args;
   struct uapi_context *ctx;
   struct drm_i915_gem_exec_object2 *objects;
   struct sim_job *job;
   struct util_dynarray fences; /* struct fence */
   bool has_timeline;
   bool moved; /* some object is not where its entry says */
};

static uint64_t
canonical(uint64_t address)
{
   return (uint64_t)util_sign_extend(address, SIM_ADDRESS_BITS);
}

static int
choose_engine(const struct exec *e, enum sim_engine *engine, unsigned *slot)
{
   const uint32_t ring = e->args->flags & I915_EXEC_RING_MASK;
   if (e->ctx->has_engines) {
      if (ring >= e->ctx->num_engines)
         return -EINVAL;
      *slot = UAPI_MAP_SLOT + ring;
      switch (e->ctx->engines[ring].engine_class) {
      case I915_ENGINE_CLASS_RENDER: *engine = SIM_ENGINE_RENDER; return 0;
      case I915_ENGINE_CLASS_COPY: *engine = SIM_ENGINE_COPY; return 0;
      default: return -EINVAL;
      }
   }
   switch (ring) {
   case I915_EXEC_DEFAULT:
   case I915_EXEC_RENDER: *engine = SIM_ENGINE_RENDER; break;
   case I915_EXEC_BLT: *engine = SIM_ENGINE_COPY; break;
   default: return -EINVAL;
   }
   *slot = *engine;
   return 0;
}

static int
check_args(const struct drm_i915_gem_execbuffer2 *a)
{
   if (a->flags & I915_EXEC_SECURE)
      return -EPERM;
   if (a->flags & ~(uint64_t)KNOWN_FLAGS)
      return -EINVAL;
   if ((a->flags & I915_EXEC_FENCE_ARRAY) &&
       (a->flags & I915_EXEC_USE_EXTENSIONS))
      return -EINVAL;
   if (!(a->flags & I915_EXEC_FENCE_ARRAY) && a->num_cliprects)
      return -EINVAL;
   if (a->DR1 || (a->DR4 && a->DR4 != UINT32_MAX))
      return -EINVAL;
   if ((a->batch_start_offset | a->batch_len) & 7)
      return -EINVAL;
   if (!a->buffer_count || a->buffer_count > MAX_OBJECTS)
      return -EINVAL;
   return 0;
}

/*
 * Fences
 */

static int
add_fence(struct exec *e, const struct drm_i915_gem_exec_fence *f,
          uint64_t value)
{
   if (f->flags & __I915_EXEC_FENCE_UNKNOWN_FLAGS)
      return -EINVAL;
   struct uapi_syncobj *obj = uapi_get_syncobj(e->file, f->handle);
   if (!obj)
      return -ENOENT;
   /* To wait for the point that it signals itself breaks the timeline. */
   if (value && (f->flags & I915_EXEC_FENCE_WAIT) &&
       (f->flags & I915_EXEC_FENCE_SIGNAL))
      return -EINVAL;
   if (f->flags & I915_EXEC_FENCE_WAIT) {
      const int ret = uapi_syncobj_check_wait(obj, value);
      if (ret)
         return ret;
   }
   const struct fence fence = { obj, value, f->flags };
   return util_dynarray_try_append(&e->fences, struct fence, fence) ? 0
                                                                    : -ENOMEM;
}

static int
load_fences(struct exec *e, uint64_t handles, uint64_t values, uint64_t count)
{
   struct drm_i915_gem_exec_fence *f;
   uint64_t *v = NULL;
   if (count > MAX_FENCES)
      return -EINVAL;
   int ret = uapi_copy_array((void **)&f, handles, count, sizeof(*f));
   if (!ret && values)
      ret = uapi_copy_array((void **)&v, values, count, sizeof(*v));
   for (uint64_t i = 0; !ret && i < count; i++)
      ret = add_fence(e, &f[i], v ? v[i] : 0);
   free(f);
   free(v);
   return ret;
}

static int
exec_extension(void *data, uint32_t name, uint64_t address)
{
   struct exec *e = data;
   struct drm_i915_gem_execbuffer_ext_timeline_fences ext;
   if (name != DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES || e->has_timeline)
      return -EINVAL;
   e->has_timeline = true;
   const int ret = uapi_copy_in(&ext, address, sizeof(ext));
   if (ret)
      return ret;
   if (ext.fence_count && !ext.values_ptr)
      return -EFAULT;
   return load_fences(e, ext.handles_ptr, ext.values_ptr, ext.fence_count);
}

static int
get_fences(struct exec *e)
{
   const struct drm_i915_gem_execbuffer2 *a = e->args;
   /* The descriptor is in the lower half; jobs of ours come in order. */
   const int in_fd = (int)(uint32_t)a->rsvd2;
   uint64_t seqno;
   if ((a->flags & I915_EXEC_FENCE_IN) &&
       !sync_file_is_local(e->file->sim, in_fd, &seqno)) {
      if (!sync_file_identify(in_fd))
         return -EINVAL;
      const int copy = fcntl(in_fd, F_DUPFD_CLOEXEC, 0);
      if (copy < 0)
         return -errno;
      if (!util_dynarray_try_append(&e->job->wait_fds, int, copy)) {
         close(copy);
         return -ENOMEM;
      }
   }
   if (a->flags & I915_EXEC_FENCE_ARRAY)
      return load_fences(e, a->cliprects_ptr, 0, a->num_cliprects);
   if (a->flags & I915_EXEC_USE_EXTENSIONS)
      return uapi_walk_extensions(a->cliprects_ptr, exec_extension, e);
   return 0;
}

/*
 * Objects and their places
 */

static int
check_object(const struct drm_i915_gem_exec_object2 *o,
             const struct uapi_bo *bo)
{
   if (o->flags & ~(uint64_t)KNOWN_OBJECT_FLAGS)
      return -EINVAL;
   if (!util_is_power_of_two_or_zero(o->alignment))
      return -EINVAL;
   if ((o->flags & EXEC_OBJECT_PAD_TO_SIZE) && o->pad_to_size % SIM_PAGE_SIZE)
      return -EINVAL;
   if (!(o->flags & EXEC_OBJECT_PINNED))
      return 0;
   const uint64_t address = o->offset & SIM_ADDRESS_MASK;
   if (canonical(o->offset) != o->offset || o->offset % SIM_PAGE_SIZE)
      return -EINVAL;
   /* i915_vma_insert(): what is pinned must be as aligned as it asks for. */
   if (o->alignment && address % o->alignment)
      return -EINVAL;
   if (bo->mem->size_B > SIM_ADDRESS_MASK + 1 - address)
      return -EINVAL;
   if (!(o->flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS) &&
       address + bo->mem->size_B > LOW_LIMIT)
      return -EINVAL;
   return 0;
}

static int
compare_places(const void *a, const void *b)
{
   const struct job_bo *x = a, *y = b;
   return x->address < y->address ? -1 : x->address > y->address;
}

/* Objects of one submission must be different and must not overlap. */
static int
check_overlap(const struct sim_job *job)
{
   struct job_bo *sorted = malloc(job->num_bos * sizeof(*sorted));
   if (!sorted)
      return -ENOMEM;
   memcpy(sorted, job->bos, job->num_bos * sizeof(*sorted));
   qsort(sorted, job->num_bos, sizeof(*sorted), compare_places);
   int ret = 0;
   for (unsigned i = 1; !ret && i < job->num_bos; i++) {
      const struct job_bo *p = &sorted[i - 1];
      if (p->address + p->bo->mem->size_B > sorted[i].address)
         ret = p->bo == sorted[i].bo ? -EINVAL : -ENOSPC;
   }
   free(sorted);
   return ret;
}

static bool
range_free(const struct exec *e, uint64_t address, uint64_t size_B,
           uint64_t *next)
{
   for (uint64_t at = address; at < address + size_B; at += SIM_PAGE_SIZE) {
      const struct sim_vma *vma = sim_vm_lookup(e->ctx->vm->mem, at);
      if (vma) {
         *next = vma->address + vma->size_B;
         return false;
      }
   }
   for (unsigned i = 0; i < e->job->num_bos; i++) {
      const struct job_bo *b = &e->job->bos[i];
      if (b->address && b->address < address + size_B &&
          address < b->address + b->bo->mem->size_B) {
         *next = b->address + b->bo->mem->size_B;
         return false;
      }
   }
   return true;
}

/* Where the object is, if that will do; or else a free place. */
static int
place_object(const struct exec *e, const struct drm_i915_gem_exec_object2 *o,
             const struct uapi_bo *bo, uint64_t *address)
{
   const bool high = (o->flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS) &&
                     uapi_has_full_ppgtt(e->file->sim);
   const uint64_t alignment = MAX2(o->alignment, SIM_PAGE_SIZE);
   const unsigned bits = e->file->sim->gpu.info->address_bits;
   const uint64_t limit =
      MIN2(high ? BITFIELD64_BIT(47) : LOW_LIMIT, BITFIELD64_BIT(bits));
   const uint64_t size_B = bo->mem->size_B;
   list_for_each_entry_safe(struct sim_vma, vma, &bo->mem->vmas, bo_link) {
      struct sim_chaos *chaos = e->file->sim->gpu.chaos;
      if (sim_chaos_has(chaos, SIM_CHAOS_PLACES) &&
          vma->vm == e->ctx->vm->mem && sim_chaos_below(chaos, 4) == 0)
         sim_vm_unbind(vma);
      else if (vma->vm == e->ctx->vm->mem && vma->address % alignment == 0 &&
               vma->address + size_B <= limit) {
         *address = vma->address;
         return 0;
      }
   }
   /* eb_pin_vma() tries the place that the caller would like. */
   const uint64_t wish = o->offset & SIM_ADDRESS_MASK;
   uint64_t *next = &e->ctx->vm->next_address[high], skip;
   if (wish && wish % alignment == 0 && size_B <= limit &&
       wish <= limit - size_B && range_free(e, wish, size_B, &skip)) {
      *address = wish;
      return 0;
   }
   const uint64_t first = high ? LOW_LIMIT : 16 * SIM_PAGE_SIZE;
   for (unsigned round = 0; round < 2; round++) {
      uint64_t at = ALIGN(MAX2(*next, first), alignment);
      if (round && size_B + at > limit)
         at = 0; /* nowhere else is it so aligned */
      while (at < limit && size_B <= limit - at) {
         if (range_free(e, at, size_B, &skip)) {
            *address = at;
            *next = at + size_B;
            return 0;
         }
         at = ALIGN(skip, alignment);
      }
      *next = 0; /* once more from the bottom */
   }
   return -ENOSPC;
}

static int
place_objects(struct exec *e)
{
   const struct drm_i915_gem_execbuffer2 *a = e->args;
   bool all_pinned = true;
   for (uint32_t i = 0; i < a->buffer_count; i++) {
      struct drm_i915_gem_exec_object2 *o = &e->objects[i];
      struct job_bo *b = &e->job->bos[i];
      const int ret = check_object(o, b->bo);
      if (ret)
         return ret;
      b->write = o->flags & EXEC_OBJECT_WRITE;
      b->capture = o->flags & EXEC_OBJECT_CAPTURE;
      if (o->flags & EXEC_OBJECT_PINNED)
         b->address = o->offset & SIM_ADDRESS_MASK;
      else
         all_pinned = false;
   }
   /* The address space is looked at, which a running job may change. */
   if (!all_pinned)
      uapi_wait_seqno(e->file->sim, e->file->sim->last_seqno, UINT64_MAX);
   for (uint32_t i = 0; !all_pinned && i < a->buffer_count; i++) {
      struct drm_i915_gem_exec_object2 *o = &e->objects[i];
      struct job_bo *b = &e->job->bos[i];
      if (o->flags & EXEC_OBJECT_PINNED)
         continue;
      const int ret = place_object(e, o, b->bo, &b->address);
      if (ret)
         return ret;
      if (!sim_vm_bind(e->ctx->vm->mem, b->bo->mem, b->address))
         return -ENOMEM;
   }
   for (uint32_t i = 0; i < a->buffer_count; i++)
      e->moved |= canonical(e->job->bos[i].address) != e->objects[i].offset;
   return check_overlap(e->job);
}

/*
 * Relocations
 */

static int
find_target(const struct exec *e, uint32_t handle)
{
   if (e->args->flags & I915_EXEC_HANDLE_LUT)
      return handle < e->args->buffer_count ? (int)handle : -ENOENT;
   for (uint32_t i = 0; i < e->args->buffer_count; i++) {
      if (e->objects[i].handle == handle)
         return (int)i;
   }
   return -ENOENT;
}

static int
relocate(struct exec *e, struct job_bo *b, uint64_t user,
         const struct drm_i915_gem_relocation_entry *r)
{
   const uint32_t domains = r->read_domains | r->write_domain;
   const int target = find_target(e, r->target_handle);
   if (target < 0)
      return target;
   if (!util_is_power_of_two_or_zero(r->write_domain) ||
       (domains & (I915_GEM_DOMAIN_CPU | I915_GEM_DOMAIN_GTT)))
      return -EINVAL;
   const unsigned size_B = sim_traits(e->file->sim->gpu.verx10)->address_B;
   if (r->offset % 4 || b->bo->mem->size_B < size_B ||
       r->offset > b->bo->mem->size_B - size_B)
      return -EINVAL;
   const struct job_bo *t = &e->job->bos[target];
   if (r->write_domain)
      e->job->bos[target].write = true;
   const uint64_t base = canonical(t->address);
   if (r->presumed_offset == base)
      return 0;
   const uint64_t value = canonical(base + r->delta);
   memcpy(b->bo->mem->map + r->offset, &value, size_B);
   return uapi_copy_out(user + offsetof(struct drm_i915_gem_relocation_entry,
                                        presumed_offset),
                        &base, sizeof(base));
}

static int
relocate_object(struct exec *e, uint32_t index)
{
   const struct drm_i915_gem_exec_object2 *o = &e->objects[index];
   struct drm_i915_gem_relocation_entry *r;
   if (!o->relocation_count)
      return 0;
   if (o->relocation_count > UINT32_MAX / sizeof(*r))
      return -EINVAL;
   struct job_bo *b = &e->job->bos[index];
   uapi_wait_seqno(e->file->sim, b->bo->use_seqno, UINT64_MAX);
   int ret = uapi_copy_array((void **)&r, o->relocs_ptr, o->relocation_count,
                             sizeof(*r));
   for (uint32_t i = 0; !ret && i < o->relocation_count; i++)
      ret = relocate(e, b, o->relocs_ptr + i * sizeof(*r), &r[i]);
   free(r);
   return ret;
}

/*
 * The whole
 */

static int
get_objects(struct exec *e)
{
   const struct drm_i915_gem_execbuffer2 *a = e->args;
   int ret = uapi_copy_array((void **)&e->objects, a->buffers_ptr,
                             a->buffer_count, sizeof(*e->objects));
   if (ret)
      return ret;
   e->job =
      calloc(1, sizeof(*e->job) + a->buffer_count * sizeof(e->job->bos[0]));
   if (!e->job)
      return -ENOMEM;
   e->job->ctx = e->ctx;
   for (uint32_t i = 0; i < a->buffer_count; i++) {
      struct uapi_bo *bo = uapi_get_bo(e->file, e->objects[i].handle);
      if (!bo)
         return -ENOENT;
      ret = uapi_get_pages(bo);
      if (ret)
         return ret;
      /* `jobs` keeps the object alive while a wait gives up the lock. */
      bo->jobs++;
      e->job->bos[i].bo = bo;
      e->job->num_bos++;
   }
   return 0;
}

static int
set_batch(struct exec *e)
{
   const struct drm_i915_gem_execbuffer2 *a = e->args;
   const uint32_t index =
      a->flags & I915_EXEC_BATCH_FIRST ? 0 : a->buffer_count - 1;
   const struct job_bo *b = &e->job->bos[index];
   const uint64_t size_B = b->bo->mem->size_B;
   if (a->batch_start_offset >= size_B ||
       a->batch_len > size_B - a->batch_start_offset)
      return -EINVAL;
   if (b->write)
      return -EINVAL; /* a batch that the GPU writes would rewrite itself */
   e->job->batch_address = b->address + a->batch_start_offset;
   e->job->reset_so = a->flags & I915_EXEC_GEN7_SOL_RESET;
   const int ret = choose_engine(e, &e->job->engine, &e->job->slot);
   if (!ret && e->job->reset_so &&
       (uapi_has_full_ppgtt(e->file->sim) ||
        e->job->engine != SIM_ENGINE_RENDER))
      return -EINVAL; /* only the render engine of Gen7 has it so */
   return ret;
}

static int
prepare(struct exec *e)
{
   int ret = get_objects(e);
   if (!ret)
      ret = place_objects(e);
   /* With NO_RELOC the caller has written what its list says, everywhere. */
   const bool relocates = !(e->args->flags & I915_EXEC_NO_RELOC) || e->moved;
   for (uint32_t i = 0; relocates && !ret && i < e->args->buffer_count; i++)
      ret = relocate_object(e, i);
   if (!ret)
      ret = set_batch(e);
   if (!ret && e->ctx->banned)
      ret = -EIO;
   if (!ret)
      ret = get_fences(e);
   return ret;
}

/* What other processes do with the objects comes first, unless the caller
 * takes care of that (EXEC_OBJECT_ASYNC). */
static int
collect_waits(struct exec *e)
{
   int ret = 0;
   for (uint32_t i = 0; !ret && i < e->args->buffer_count; i++) {
      const struct job_bo *b = &e->job->bos[i];
      if (b->bo->share && !(e->objects[i].flags & EXEC_OBJECT_ASYNC))
         ret = share_collect(b->bo->share, b->write, &e->job->waits);
   }
   return ret;
}

/* Whether others cannot see that the job is not finished: then it must be
 * finished before they can look. */
static bool
has_no_slot(const struct exec *e)
{
   for (unsigned i = 0; i < e->job->num_bos; i++) {
      const struct uapi_bo *bo = e->job->bos[i].bo;
      if (bo->share && bo->share->slot < 0)
         return true;
   }
   return false;
}

/* The fence of the job as a descriptor, in the upper half. */
static int
give_fence(struct exec *e)
{
   if (!(e->args->flags & I915_EXEC_FENCE_OUT))
      return 0;
   /* It has the number that the job is about to get. */
   const int fd =
      sync_file_create(e->file->sim, e->file->sim->last_seqno + 1);
   if (fd < 0)
      return fd;
   e->args->rsvd2 = (e->args->rsvd2 & UINT32_MAX) | (uint64_t)fd << 32;
   return 0;
}

static void
free_job(struct sim_job *job)
{
   if (!job)
      return;
   util_dynarray_foreach(&job->wait_fds, int, fd)
      close(*fd);
   util_dynarray_fini(&job->wait_fds);
   share_fences_finish(&job->waits);
   free(job);
}

static void
drop_objects(struct exec *e)
{
   for (unsigned i = 0; e->job && i < e->job->num_bos; i++) {
      e->job->bos[i].bo->jobs--;
      uapi_bo_collect(e->file->sim, e->job->bos[i].bo);
   }
}

/* Tells the caller where its objects are. */
static int
give_offsets(const struct exec *e)
{
   for (uint32_t i = 0; i < e->args->buffer_count; i++) {
      const uint64_t offset = canonical(e->job->bos[i].address);
      if (e->objects[i].offset == offset)
         continue;
      const int ret =
         uapi_copy_out(e->args->buffers_ptr + i * sizeof(e->objects[i]) +
                          offsetof(struct drm_i915_gem_exec_object2, offset),
                       &offset, sizeof(offset));
      if (ret)
         return ret;
   }
   return 0;
}

/*
 * A program that submits faster than batches execute waits here, or what its
 * batches hold would grow without bounds: drivers take a new object where the
 * one they have is busy. In the kernel it waits for room in the context's
 * ring, of 16 KiB (i915, intel_ring_begin()), which some dozens fill.
 */
static void
throttle(struct saffron_sim *sim)
{
   if (sim->last_seqno >= MAX_QUEUED_JOBS)
      uapi_wait_seqno(sim, sim->last_seqno + 1 - MAX_QUEUED_JOBS, UINT64_MAX);
}

int
uapi_execbuffer2(struct saffron_sim_file *file, void *arg)
{
   struct exec e = { .file = file, .args = arg };
   int ret = check_args(e.args);
   if (!ret)
      ret = uapi_start_worker(file->sim);
   if (ret)
      return ret;
   throttle(file->sim);
   e.ctx = uapi_get_context(
      file, (uint32_t)i915_execbuffer2_get_context_id(*e.args));
   if (!e.ctx)
      return -ENOENT;
   if (e.ctx->banned)
      return -EIO;
   e.ctx->refcount++;
   ret = prepare(&e);
   if (!ret)
      ret = give_offsets(&e);
   if (!ret)
      ret = collect_waits(&e);
   if (!ret)
      ret = give_fence(&e);
   if (!ret) {
      struct sim_job *job = e.job;
      e.ctx->used = true;
      uapi_submit(file->sim, job);
      util_dynarray_foreach(&e.fences, struct fence, f) {
         if (f->flags & I915_EXEC_FENCE_SIGNAL)
            uapi_syncobj_attach(f->obj, f->value, job->seqno);
      }
   }
   const uint64_t seqno = !ret && has_no_slot(&e) ? e.job->seqno : 0;
   /* A submitted job has references of its own. */
   drop_objects(&e);
   if (ret)
      free_job(e.job);
   uapi_context_unref(e.ctx);
   util_dynarray_fini(&e.fences);
   free(e.objects);
   uapi_wait_seqno(file->sim, seqno, UINT64_MAX);
   return ret;
}
