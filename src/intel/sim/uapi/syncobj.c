/* SPDX-License-Identifier: MIT */
/*
 * Sync objects, binary and timeline (drm.h; kernel documentation, "DRM Sync
 * Objects").
 *
 * A fence is the number of a job, and 0 is a fence that was always signaled.
 * A timeline is a list of points in rising order; a point is reached when
 * its fence and those of all points before it are signaled, so each point
 * stores the largest number so far. Signaled points but the last are dropped.
 *
 * An object that other processes have, too, is in a control page (share.h)
 * and copied from there whenever it is looked at. A fence of another process
 * becomes a number of ours by a job that only waits for it.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "uapi.h"
#include "util/fallible.h"

#define DRM_SYNCOBJ_WAIT_KNOWN_FLAGS                                         \
   (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL |                                        \
    DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |                                 \
    DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)

struct uapi_syncobj *
uapi_get_syncobj(struct saffron_sim_file *file, uint32_t handle)
{
   return sim_ids_get(&file->syncobjs, handle);
}

void
uapi_syncobj_unref(struct uapi_syncobj *obj)
{
   if (--obj->refcount)
      return;
   util_dynarray_fini(&obj->points);
   util_dynarray_fini(&obj->foreign);
   if (obj->share) {
      obj->share->object = NULL;
      share_unref(obj->share);
   }
   free(obj);
}

static struct sync_point *
last_point(const struct uapi_syncobj *obj)
{
   const size_t n =
      util_dynarray_num_elements(&obj->points, struct sync_point);
   return n ? util_dynarray_element(&obj->points, struct sync_point, n - 1)
            : NULL;
}

static void
clear_copy(struct uapi_syncobj *obj)
{
   obj->has_fence = false;
   util_dynarray_clear(&obj->points);
}

static void
clear_fence(struct uapi_syncobj *obj)
{
   clear_copy(obj);
   if (obj->share)
      share_reset_points(obj->share);
}

/* Forgets signaled points that a later signaled one makes superfluous. */
static void
drop_signaled(const struct saffron_sim *sim, struct uapi_syncobj *obj)
{
   struct sync_point *p = obj->points.data;
   const size_t n =
      util_dynarray_num_elements(&obj->points, struct sync_point);
   size_t first = 0;
   while (first + 1 < n && uapi_signaled(sim, p[first + 1].seqno))
      first++;
   if (!first)
      return;
   memmove(p, p + first, (n - first) * sizeof(*p));
   obj->points.size_B = (n - first) * sizeof(*p);
}

static void
attach_copy(struct uapi_syncobj *obj, uint64_t value, uint64_t seqno)
{
   if (!value) {
      clear_copy(obj);
      obj->seqno = seqno;
   } else {
      const struct sync_point *last = last_point(obj);
      struct sync_point point = { value, seqno };
      if (last)
         point.seqno = MAX2(point.seqno, last->seqno);
      else if (obj->has_fence)
         point.seqno = MAX2(point.seqno, obj->seqno);
      /* A value that does not rise breaks the chain: the old points count
       * as reached when the new one is. */
      if (last && last->value >= value)
         util_dynarray_clear(&obj->points);
      /* Without memory it takes the place of the one before: who waits for
       * that one waits for longer. There is always room for one. */
      if (!util_dynarray_try_append(&obj->points, struct sync_point, point))
         *util_dynarray_element(
            &obj->points, struct sync_point,
            util_dynarray_num_elements(&obj->points, struct sync_point) - 1) =
            point;
      obj->seqno = point.seqno;
   }
   obj->has_fence = true;
}

/* The number of a job of ours that waits for a fence of somebody else. */
struct foreign_fence {
   uint32_t slot;
   uint64_t number, seqno;
};

static uint64_t
seqno_of_point(struct uapi_syncobj *obj, const struct share_point *p)
{
   struct uapi_share *share = obj->share;
   if (share_point_signaled(share, p))
      return 0;
   if ((int)p->slot == share->slot)
      return p->number <= share->base
                ? 0
                : MIN2(p->number - share->base, obj->sim->last_seqno);
   util_dynarray_foreach(&obj->foreign, struct foreign_fence, f) {
      if (f->slot == p->slot && f->number == p->number)
         return f->seqno;
   }
   struct foreign_fence f = { .slot = p->slot, .number = p->number };
   const struct share_fence fence = { share, p->slot, p->number };
   share_ref(share);
   if (!uapi_submit_wait(obj->sim, &fence, -1, &f.seqno))
      /* Without memory it is waited for once more when it is asked again. */
      (void)!util_dynarray_try_append(&obj->foreign, struct foreign_fence, f);
   return f.seqno;
}

/* Copies a shared object from its page. */
static void
pull(struct uapi_syncobj *obj)
{
   struct share_point points[SHARE_MAX_POINTS];
   if (!obj->share)
      return;
   const unsigned n = share_get_points(obj->share, points);
   clear_copy(obj);
   for (unsigned i = 0; i < n; i++)
      attach_copy(obj, points[i].value, seqno_of_point(obj, &points[i]));
   /* Fences that were waited for are not asked for again. */
   if (uapi_signaled(obj->sim, obj->seqno))
      util_dynarray_clear(&obj->foreign);
}

void
uapi_syncobj_attach(struct uapi_syncobj *obj, uint64_t value, uint64_t seqno)
{
   if (obj->share) {
      share_attach_point(obj->share, value,
                         uapi_signaled(obj->sim, seqno) ? 0 : seqno);
      pull(obj);
   } else {
      drop_signaled(obj->sim, obj);
      attach_copy(obj, value, seqno);
   }
}

/*
 * The fence to wait for so that `value` is reached: true, and its number; or
 * false if nobody submitted it yet.
 */
static bool
find_fence(struct uapi_syncobj *obj, uint64_t value, uint64_t *seqno)
{
   pull(obj);
   if (!obj->has_fence)
      return false;
   *seqno = obj->seqno;
   if (!value)
      return true;
   util_dynarray_foreach(&obj->points, struct sync_point, p) {
      if (p->value >= value) {
         *seqno = p->seqno;
         return true;
      }
   }
   return false;
}

int
uapi_syncobj_check_wait(struct uapi_syncobj *obj, uint64_t value)
{
   uint64_t seqno;
   return find_fence(obj, value, &seqno) ? 0 : -EINVAL;
}

/* With room for a point; NULL: out of memory. */
static struct uapi_syncobj *
new_syncobj(struct saffron_sim *sim)
{
   struct uapi_syncobj *obj = calloc(1, sizeof(*obj));
   if (obj &&
       !util_dynarray_try_reserve(&obj->points, sizeof(struct sync_point))) {
      free(obj);
      return NULL;
   }
   if (obj) {
      obj->refcount = 1;
      obj->sim = sim;
   }
   return obj;
}

int
uapi_syncobj_create(struct saffron_sim_file *file, void *arg)
{
   struct drm_syncobj_create *a = arg;
   if (a->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
      return -EINVAL;
   struct uapi_syncobj *obj = new_syncobj(file->sim);
   if (!obj)
      return -ENOMEM;
   obj->has_fence = a->flags & DRM_SYNCOBJ_CREATE_SIGNALED;
   a->handle = sim_ids_add(&file->syncobjs, 1, obj);
   if (!a->handle) {
      uapi_syncobj_unref(obj);
      return -ENOMEM;
   }
   return 0;
}

int
uapi_syncobj_destroy(struct saffron_sim_file *file, void *arg)
{
   const struct drm_syncobj_destroy *a = arg;
   if (a->pad)
      return -EINVAL;
   struct uapi_syncobj *obj = sim_ids_remove(&file->syncobjs, a->handle);
   if (!obj)
      return -EINVAL;
   uapi_syncobj_unref(obj);
   return 0;
}

/*
 * Descriptors: of the fence that is in the object now (a sync file), or of
 * the object itself.
 */

static int
export_sync_file(struct saffron_sim *sim, struct uapi_syncobj *obj)
{
   uint64_t seqno;
   if (!find_fence(obj, 0, &seqno))
      return -EINVAL;
   return sync_file_create(sim, seqno);
}

/* Makes the object one that other processes can have. */
static int
make_shared(struct uapi_syncobj *obj)
{
   if (obj->share)
      return 0;
   const int fd =
      memfd_create("saffron-syncobj", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   if (fd < 0)
      return -errno;
   if (ftruncate(fd, SHARE_PAGE_B)) {
      close(fd);
      return -ENOMEM;
   }
   struct saffron_sim *sim = obj->sim;
   obj->share = share_create(sim, fd, SHARE_SYNCOBJ, 0);
   if (!obj->share)
      return -ENOMEM;
   obj->share->object = obj;
   if (!obj->has_fence)
      return 0;
   if (!obj->points.size_B)
      share_attach_point(obj->share, 0,
                         uapi_signaled(sim, obj->seqno) ? 0 : obj->seqno);
   util_dynarray_foreach(&obj->points, struct sync_point, p)
      share_attach_point(obj->share, p->value,
                         uapi_signaled(sim, p->seqno) ? 0 : p->seqno);
   return 0;
}

static int
export_object(struct uapi_syncobj *obj)
{
   const int ret = make_shared(obj);
   return ret ? ret : share_export(obj->share, O_RDWR | O_CLOEXEC);
}

int
uapi_syncobj_to_fd(struct saffron_sim_file *file, void *arg)
{
   struct drm_syncobj_handle *a = arg;
   const uint32_t known = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
   if (a->pad || (a->flags && a->flags != known))
      return -EINVAL;
   struct uapi_syncobj *obj = uapi_get_syncobj(file, a->handle);
   /* drm_syncobj_find_fence(), drm_syncobj_get_fd() */
   if (!obj)
      return a->flags ? -ENOENT : -EINVAL;
   a->fd = a->flags ? export_sync_file(file->sim, obj) : export_object(obj);
   return MIN2(a->fd, 0);
}

static int
import_sync_file(struct saffron_sim *sim, struct uapi_syncobj *obj, int fd)
{
   uint64_t seqno = 0;
   if (!sync_file_identify(fd))
      return -EINVAL;
   if (!sync_file_status(fd, NULL) && !sync_file_is_local(sim, fd, &seqno)) {
      const int ret = uapi_submit_wait(sim, NULL, fd, &seqno);
      if (ret)
         return ret;
   }
   uapi_syncobj_attach(obj, 0, seqno);
   pthread_cond_broadcast(&sim->change);
   return 0;
}

/* A new handle for the object of a descriptor. */
static int
import_object(struct saffron_sim_file *file, int fd, uint32_t *handle)
{
   struct uapi_share *share = share_open(file->sim, fd, SHARE_SYNCOBJ);
   if (!share)
      return -EINVAL;
   struct uapi_syncobj *obj = share->object;
   if (obj) {
      obj->refcount++;
      share_unref(share);
   } else {
      obj = new_syncobj(file->sim);
      if (!obj) {
         share_unref(share);
         return -ENOMEM;
      }
      obj->share = share;
      share->object = obj;
   }
   *handle = sim_ids_add(&file->syncobjs, 1, obj);
   if (*handle)
      return 0;
   uapi_syncobj_unref(obj);
   return -ENOMEM;
}

int
uapi_syncobj_from_fd(struct saffron_sim_file *file, void *arg)
{
   struct drm_syncobj_handle *a = arg;
   const uint32_t known = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE;
   if (a->pad || (a->flags && a->flags != known))
      return -EINVAL;
   if (!a->flags)
      return import_object(file, a->fd, &a->handle);
   struct uapi_syncobj *obj = uapi_get_syncobj(file, a->handle);
   return obj ? import_sync_file(file->sim, obj, a->fd) : -ENOENT;
}

/*
 * Arrays of handles
 */

struct sync_array {
   uint32_t count;
   uint32_t *handles;
   uint64_t *values;           /* NULL: all 0 */
   struct uapi_syncobj **objs; /* each with a reference */
};

static void
free_array(struct sync_array *s)
{
   for (uint32_t i = 0; s->objs && i < s->count; i++) {
      if (s->objs[i])
         uapi_syncobj_unref(s->objs[i]);
   }
   free(s->handles);
   free(s->values);
   free(s->objs);
}

static int
load_array(struct saffron_sim_file *file, struct sync_array *s,
           uint64_t handles, uint64_t values, uint32_t count)
{
   memset(s, 0, sizeof(*s));
   if (!count)
      return -EINVAL;
   s->count = count;
   int ret = uapi_copy_array((void **)&s->handles, handles, count,
                             sizeof(*s->handles));
   if (!ret && values)
      ret = uapi_copy_array((void **)&s->values, values, count,
                            sizeof(*s->values));
   if (!ret && !(s->objs = calloc(count, sizeof(*s->objs))))
      ret = -ENOMEM;
   for (uint32_t i = 0; !ret && i < count; i++) {
      s->objs[i] = uapi_get_syncobj(file, s->handles[i]);
      if (s->objs[i])
         s->objs[i]->refcount++;
      else
         ret = -ENOENT;
   }
   if (ret)
      free_array(s);
   return ret;
}

/* Another process does not wake us when it submits: of shared objects we ask
 * again after a moment. */
#define ASK_AGAIN_NS 1000000ull

static int
wait_for_change(struct saffron_sim *sim, const struct sync_array *s,
                uint64_t deadline_ns)
{
   bool is_shared = false;
   for (uint32_t i = 0; i < s->count; i++)
      is_shared |= s->objs[i]->share != NULL;
   if (!is_shared)
      return uapi_wait_change(sim, deadline_ns);
   const uint64_t soon = sim_gpu_now_ns() + ASK_AGAIN_NS;
   const int ret = uapi_wait_change(sim, MIN2(deadline_ns, soon));
   return soon < deadline_ns ? 0 : ret;
}

enum wait_state { WAIT_DONE, WAIT_MORE, WAIT_NOT_SUBMITTED };

/* Looks once at all objects. *first: one that is ready. */
static enum wait_state
check_all(const struct saffron_sim *sim, const struct sync_array *s,
          uint32_t flags, uint32_t *first)
{
   bool all = true, missing = false;
   *first = UINT32_MAX;
   for (uint32_t i = 0; i < s->count; i++) {
      uint64_t seqno;
      const bool there =
         find_fence(s->objs[i], s->values ? s->values[i] : 0, &seqno);
      const bool ready = there &&
                         ((flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE) ||
                          uapi_signaled(sim, seqno));
      missing |= !there;
      all &= ready;
      if (ready && *first == UINT32_MAX)
         *first = i;
   }
   const uint32_t later = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                          DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
   if (missing && !(flags & later))
      return WAIT_NOT_SUBMITTED;
   if (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL)
      return all ? WAIT_DONE : WAIT_MORE;
   return *first != UINT32_MAX ? WAIT_DONE : WAIT_MORE;
}

static int
wait_array(struct saffron_sim_file *file, uint64_t handles, uint64_t values,
           uint32_t count, uint32_t flags, int64_t timeout_ns,
           uint32_t *first_signaled)
{
   struct sync_array s;
   int ret = load_array(file, &s, handles, values, count);
   if (ret)
      return ret;
   const uint64_t deadline = timeout_ns == INT64_MAX ? UINT64_MAX
                             : timeout_ns < 0        ? 0
                                                     : (uint64_t)timeout_ns;
   uint32_t first = UINT32_MAX;
   for (;;) {
      const enum wait_state state = check_all(file->sim, &s, flags, &first);
      if (state == WAIT_NOT_SUBMITTED)
         ret = -EINVAL;
      else if (state == WAIT_MORE && !ret)
         ret = wait_for_change(file->sim, &s, deadline);
      else if (state == WAIT_DONE)
         ret = 0;
      if (ret || state == WAIT_DONE) {
         /* The last look is after the time was over. */
         if (ret == -ETIME &&
             check_all(file->sim, &s, flags, &first) == WAIT_DONE)
            ret = 0;
         break;
      }
   }
   if (!ret && first != UINT32_MAX)
      *first_signaled = first;
   free_array(&s);
   return ret;
}

int
uapi_syncobj_wait(struct saffron_sim_file *file, void *arg)
{
   struct drm_syncobj_wait *a = arg;
   if (a->flags & ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL |
                              DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
      return -EINVAL;
   return wait_array(file, a->handles, 0, a->count_handles, a->flags,
                     a->timeout_nsec, &a->first_signaled);
}

int
uapi_syncobj_timeline_wait(struct saffron_sim_file *file, void *arg)
{
   struct drm_syncobj_timeline_wait *a = arg;
   if (a->flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_KNOWN_FLAGS)
      return -EINVAL;
   return wait_array(file, a->handles, a->points, a->count_handles, a->flags,
                     a->timeout_nsec, &a->first_signaled);
}

int
uapi_syncobj_reset(struct saffron_sim_file *file, void *arg)
{
   const struct drm_syncobj_array *a = arg;
   struct sync_array s;
   if (a->pad)
      return -EINVAL;
   const int ret = load_array(file, &s, a->handles, 0, a->count_handles);
   if (ret)
      return ret;
   for (uint32_t i = 0; i < s.count; i++)
      clear_fence(s.objs[i]);
   free_array(&s);
   return 0;
}

int
uapi_syncobj_signal(struct saffron_sim_file *file, void *arg)
{
   const struct drm_syncobj_array *a = arg;
   struct sync_array s;
   if (a->pad)
      return -EINVAL;
   const int ret = load_array(file, &s, a->handles, 0, a->count_handles);
   if (ret)
      return ret;
   for (uint32_t i = 0; i < s.count; i++)
      uapi_syncobj_attach(s.objs[i], 0, 0);
   free_array(&s);
   pthread_cond_broadcast(&file->sim->change);
   return 0;
}

int
uapi_syncobj_timeline_signal(struct saffron_sim_file *file, void *arg)
{
   const struct drm_syncobj_timeline_array *a = arg;
   struct sync_array s;
   if (a->flags)
      return -EINVAL;
   const int ret =
      load_array(file, &s, a->handles, a->points, a->count_handles);
   if (ret)
      return ret;
   for (uint32_t i = 0; i < s.count; i++)
      uapi_syncobj_attach(s.objs[i], s.values ? s.values[i] : 0, 0);
   free_array(&s);
   pthread_cond_broadcast(&file->sim->change);
   return 0;
}

/* The highest value that is reached, or, if `submitted`, that has a fence. */
static uint64_t
timeline_value(const struct saffron_sim *sim, struct uapi_syncobj *obj,
               bool submitted)
{
   uint64_t value = 0;
   pull(obj);
   drop_signaled(sim, obj);
   util_dynarray_foreach(&obj->points, struct sync_point, p) {
      if (submitted || uapi_signaled(sim, p->seqno))
         value = p->value;
   }
   return value;
}

int
uapi_syncobj_query(struct saffron_sim_file *file, void *arg)
{
   const struct drm_syncobj_timeline_array *a = arg;
   struct sync_array s;
   if (a->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
      return -EINVAL;
   int ret = load_array(file, &s, a->handles, 0, a->count_handles);
   if (ret)
      return ret;
   for (uint32_t i = 0; !ret && i < s.count; i++) {
      const uint64_t value =
         timeline_value(file->sim, s.objs[i],
                        a->flags & DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED);
      ret =
         uapi_copy_out(a->points + i * sizeof(value), &value, sizeof(value));
   }
   free_array(&s);
   return ret;
}

int
uapi_syncobj_transfer(struct saffron_sim_file *file, void *arg)
{
   const struct drm_syncobj_transfer *a = arg;
   if (a->pad ||
       (a->flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
      return -EINVAL;
   struct uapi_syncobj *src = uapi_get_syncobj(file, a->src_handle);
   struct uapi_syncobj *dst = uapi_get_syncobj(file, a->dst_handle);
   if (!src || !dst)
      return -ENOENT;
   src->refcount++;
   dst->refcount++;
   uint64_t seqno = 0;
   int ret = 0;
   /* The kernel gives up on a fence that is not submitted after 5 s. */
   const uint64_t deadline = sim_gpu_now_ns() + 5000000000ull;
   const struct sync_array wanted = { .count = 1, .objs = &src };
   while (!ret && !find_fence(src, a->src_point, &seqno)) {
      ret = a->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT
               ? wait_for_change(file->sim, &wanted, deadline)
               : -EINVAL;
   }
   if (!ret) {
      uapi_syncobj_attach(dst, a->dst_point, seqno);
      pthread_cond_broadcast(&file->sim->change);
   }
   uapi_syncobj_unref(src);
   uapi_syncobj_unref(dst);
   return ret;
}
