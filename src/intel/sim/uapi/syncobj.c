/* SPDX-License-Identifier: MIT */
/*
 * Sync objects, binary and timeline (drm.h; kernel documentation, "DRM Sync
 * Objects").
 *
 * A fence is the number of a job, and 0 is a fence that was always signaled.
 * A timeline is a list of points in rising order; a point is reached when
 * its fence and those of all points before it are signaled, so each point
 * stores the largest number so far. Signaled points but the last are dropped.
 */
#include "uapi.h"

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
   free(obj);
}

static struct sync_point *
last_point(const struct uapi_syncobj *obj)
{
   const size_t n = util_dynarray_num_elements(&obj->points,
                                               struct sync_point);
   return n ? util_dynarray_element(&obj->points, struct sync_point, n - 1)
            : NULL;
}

static void
clear_fence(struct uapi_syncobj *obj)
{
   obj->has_fence = false;
   util_dynarray_clear(&obj->points);
}

/* Forgets signaled points that a later signaled one makes superfluous. */
static void
drop_signaled(const struct saffron_sim *sim, struct uapi_syncobj *obj)
{
   struct sync_point *p = obj->points.data;
   const size_t n = util_dynarray_num_elements(&obj->points,
                                               struct sync_point);
   size_t first = 0;
   while (first + 1 < n && uapi_signaled(sim, p[first + 1].seqno))
      first++;
   if (!first)
      return;
   memmove(p, p + first, (n - first) * sizeof(*p));
   obj->points.size_B = (n - first) * sizeof(*p);
}

void
uapi_syncobj_attach(struct uapi_syncobj *obj, uint64_t value, uint64_t seqno)
{
   if (!value) {
      clear_fence(obj);
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
      util_dynarray_append(&obj->points, struct sync_point, point);
      obj->seqno = point.seqno;
   }
   obj->has_fence = true;
}

/*
 * The fence to wait for so that `value` is reached: true, and its number; or
 * false if nobody submitted it yet.
 */
static bool
find_fence(const struct uapi_syncobj *obj, uint64_t value, uint64_t *seqno)
{
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
uapi_syncobj_check_wait(const struct uapi_syncobj *obj, uint64_t value)
{
   uint64_t seqno;
   return find_fence(obj, value, &seqno) ? 0 : -EINVAL;
}

int
uapi_syncobj_create(struct saffron_sim_file *file, void *arg)
{
   struct drm_syncobj_create *a = arg;
   if (a->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
      return -EINVAL;
   struct uapi_syncobj *obj = calloc(1, sizeof(*obj));
   if (!obj)
      return -ENOMEM;
   obj->refcount = 1;
   obj->has_fence = a->flags & DRM_SYNCOBJ_CREATE_SIGNALED;
   a->handle = sim_ids_add(&file->syncobjs, 1, obj);
   if (!a->handle) {
      free(obj);
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

/* There is no file descriptor that could stand for one of our fences. */
int
uapi_syncobj_no_fd(struct saffron_sim_file *file, void *arg)
{
   const struct drm_syncobj_handle *a = arg;
   if (a->pad)
      return -EINVAL;
   return -EOPNOTSUPP;
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
      const bool ready =
         there && ((flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE) ||
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
         ret = uapi_wait_change(file->sim, deadline);
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
   for (uint32_t i = 0; i < s.count; i++) {
      drop_signaled(file->sim, s.objs[i]);
      uapi_syncobj_attach(s.objs[i], s.values ? s.values[i] : 0, 0);
   }
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
      const uint64_t value = timeline_value(
         file->sim, s.objs[i],
         a->flags & DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED);
      ret = uapi_copy_out(a->points + i * sizeof(value), &value,
                          sizeof(value));
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
   while (!ret && !find_fence(src, a->src_point, &seqno)) {
      ret = a->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT
               ? uapi_wait_change(file->sim, deadline)
               : -EINVAL;
   }
   if (!ret) {
      drop_signaled(file->sim, dst);
      uapi_syncobj_attach(dst, a->dst_point, seqno);
      pthread_cond_broadcast(&file->sim->change);
   }
   uapi_syncobj_unref(src);
   uapi_syncobj_unref(dst);
   return ret;
}
