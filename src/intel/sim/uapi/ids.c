/* SPDX-License-Identifier: MIT */
/* Handle tables and copies from and to the caller: see uapi.h. */
#include <sys/uio.h>
#include <unistd.h>

#include "uapi.h"

#define MAX_ARRAY_B (64u << 20)

uint32_t
sim_ids_add(struct sim_ids *ids, uint32_t min, void *object)
{
   uint32_t id = MAX2(ids->first_free, min);
   while (id < ids->size && ids->slot[id])
      id++;
   if (id >= ids->size) {
      const uint32_t size = MAX2(64, util_next_power_of_two(id + 1));
      void **slot = realloc(ids->slot, size * sizeof(*slot));
      if (!slot)
         return 0;
      memset(slot + ids->size, 0, (size - ids->size) * sizeof(*slot));
      ids->slot = slot;
      ids->size = size;
   }
   ids->slot[id] = object;
   ids->first_free = id + 1;
   return id;
}

void *
sim_ids_get(const struct sim_ids *ids, uint32_t id)
{
   return id < ids->size ? ids->slot[id] : NULL;
}

void *
sim_ids_remove(struct sim_ids *ids, uint32_t id)
{
   void *object = sim_ids_get(ids, id);
   if (object) {
      ids->slot[id] = NULL;
      ids->first_free = MIN2(ids->first_free, id);
   }
   return object;
}

void
sim_ids_finish(struct sim_ids *ids)
{
   free(ids->slot);
   memset(ids, 0, sizeof(*ids));
}

/* process_vm_readv() on ourselves is a copy that fails instead of faulting.
 * Where a sandbox forbids it, the caller's pointers have to be trusted. */
static int
copy(void *ours, uint64_t user, size_t size_B, bool out)
{
   if (!size_B)
      return 0;
   if (!user)
      return -EFAULT;
   const struct iovec local = { ours, size_B };
   const struct iovec remote = { (void *)(uintptr_t)user, size_B };
   const ssize_t n =
      out ? process_vm_writev(getpid(), &local, 1, &remote, 1, 0)
          : process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
   if (n == (ssize_t)size_B)
      return 0;
   if (n < 0 && (errno == EPERM || errno == ENOSYS)) {
      if (out)
         memcpy(remote.iov_base, ours, size_B);
      else
         memcpy(ours, remote.iov_base, size_B);
      return 0;
   }
   return -EFAULT;
}

int
uapi_copy_in(void *dst, uint64_t user, size_t size_B)
{
   return copy(dst, user, size_B, false);
}

int
uapi_copy_out(uint64_t user, const void *src, size_t size_B)
{
   return copy((void *)(uintptr_t)src, user, size_B, true);
}

int
uapi_copy_array(void **out, uint64_t user, size_t count, size_t size_B)
{
   *out = NULL;
   if (!count)
      return 0;
   /* More than any list of handles or relocations that means something. */
   if (count > MAX_ARRAY_B / size_B)
      return -ENOMEM;
   void *array = calloc(count, size_B);
   if (!array)
      return -ENOMEM;
   const int ret = uapi_copy_in(array, user, count * size_B);
   if (ret) {
      free(array);
      return ret;
   }
   *out = array;
   return 0;
}

static int
unknown_extension(void *data, uint32_t name, uint64_t address)
{
   return -EINVAL;
}

int
uapi_no_extensions(uint64_t user)
{
   return uapi_walk_extensions(user, unknown_extension, NULL);
}

int
uapi_walk_extensions(uint64_t user,
                     int (*fn)(void *data, uint32_t name, uint64_t address),
                     void *data)
{
   /* As in the kernel: a chain is at most 512 long. */
   for (unsigned n = 0; user; n++) {
      struct i915_user_extension ext;
      if (n == 512)
         return -E2BIG;
      int ret = uapi_copy_in(&ext, user, sizeof(ext));
      if (ret)
         return ret;
      if (ext.flags || ext.rsvd[0] || ext.rsvd[1] || ext.rsvd[2] ||
          ext.rsvd[3])
         return -EINVAL;
      ret = fn(data, ext.name, user);
      if (ret)
         return ret;
      user = ext.next_extension;
   }
   return 0;
}
