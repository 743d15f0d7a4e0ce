/* SPDX-License-Identifier: MIT */
/*
 * Files: open, close, mmap, and the way of an ioctl to its handler.
 *
 * As in the kernel, the size that the caller compiled in is in the request
 * number: what it does not give is zero, what it does not know of the answer
 * is cut off. A later structure extends an earlier one under the same number.
 */
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "uapi.h"

/* The largest structure that a request may have: _IOC_SIZE has 14 bits, but
 * nothing we know is longer than this. */
#define MAX_ARG_B 256

struct entry {
   unsigned nr;
   unsigned size_B;
   uapi_handler handler;
};

#define UAPI_ENTRY(request, name)                                            \
   { _IOC_NR(DRM_IOCTL_##request), _IOC_SIZE(DRM_IOCTL_##request),           \
     uapi_##name },

static const struct entry table[] = { UAPI_HANDLERS(UAPI_ENTRY) };

static const struct entry *
find(unsigned long request)
{
   for (unsigned i = 0; i < ARRAY_SIZE(table); i++) {
      if (table[i].nr == _IOC_NR(request))
         return &table[i];
   }
   return NULL;
}

PUBLIC int
saffron_sim_ioctl(struct saffron_sim_file *file, unsigned long request,
                  void *arg)
{
   if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
      return -ENOTTY;
   const struct entry *e = find(request);
   if (!e && uapi_is_mode_setting(_IOC_NR(request)))
      return file->is_primary ? -EOPNOTSUPP : -EACCES;
   if (!e)
      return -EINVAL;
   uint64_t buffer[MAX_ARG_B / 8] = { 0 };
   const size_t size_B = _IOC_SIZE(request);
   if (size_B > sizeof(buffer) || e->size_B > sizeof(buffer))
      return -EINVAL;
   if (_IOC_DIR(request) & _IOC_WRITE) {
      const int ret = uapi_copy_in(buffer, (uintptr_t)arg, size_B);
      if (ret)
         return ret;
   }

   pthread_mutex_lock(&file->sim->lock);
   const int ret = e->handler(file, buffer);
   pthread_mutex_unlock(&file->sim->lock);

   if (_IOC_DIR(request) & _IOC_READ) {
      const int fault = uapi_copy_out((uintptr_t)arg, buffer, size_B);
      if (fault)
         return fault;
   }
   return ret;
}

PUBLIC struct saffron_sim_file *
saffron_sim_open(struct saffron_sim *sim)
{
   struct saffron_sim_file *file = calloc(1, sizeof(*file));
   if (!file)
      return NULL;
   file->sim = sim;
   pthread_mutex_lock(&sim->lock);
   struct uapi_vm *vm = uapi_vm_for_context(sim);
   file->default_ctx = vm ? uapi_context_create(vm) : NULL;
   if (vm)
      uapi_vm_unref(vm);
   /* Whole from the beginning: its address space and engines stay. */
   if (file->default_ctx) {
      file->default_ctx->used = true;
      sim->open_files++;
   }
   pthread_mutex_unlock(&sim->lock);
   if (!file->default_ctx) {
      free(file);
      return NULL;
   }
   return file;
}

PUBLIC struct saffron_sim_file *
saffron_sim_open_primary(struct saffron_sim *sim)
{
   struct saffron_sim_file *file = saffron_sim_open(sim);
   if (file)
      file->is_primary = true;
   return file;
}

PUBLIC void
saffron_sim_close(struct saffron_sim_file *file)
{
   if (!file)
      return;
   struct saffron_sim *sim = file->sim;
   pthread_mutex_lock(&sim->lock);
   /* Objects that leave an address space must not be in use. */
   uapi_wait_seqno(sim, sim->last_seqno, UINT64_MAX);
   for (uint32_t i = 0; i < file->contexts.size; i++) {
      if (file->contexts.slot[i])
         uapi_context_unref(file->contexts.slot[i]);
   }
   uapi_context_unref(file->default_ctx);
   for (uint32_t i = 0; i < file->vms.size; i++) {
      if (file->vms.slot[i])
         uapi_vm_unref(file->vms.slot[i]);
   }
   for (uint32_t i = 0; i < file->bos.size; i++) {
      if (file->bos.slot[i])
         uapi_bo_drop_handle(sim, file->bos.slot[i]);
   }
   for (uint32_t i = 0; i < file->syncobjs.size; i++) {
      if (file->syncobjs.slot[i])
         uapi_syncobj_unref(file->syncobjs.slot[i]);
   }
   sim->open_files--;
   pthread_mutex_unlock(&sim->lock);
   sim_ids_finish(&file->contexts);
   sim_ids_finish(&file->vms);
   sim_ids_finish(&file->bos);
   sim_ids_finish(&file->syncobjs);
   free(file);
}

static void *
map_object(struct saffron_sim_file *file, void *addr, size_t length, int prot,
           int flags, uint64_t offset, int *error)
{
   const struct uapi_bo *bo =
      sim_ids_get(&file->sim->maps, (uint32_t)(offset >> UAPI_MAP_SHIFT));
   const uint64_t start = offset & BITFIELD64_MASK(UAPI_MAP_SHIFT);
   *error = EINVAL;
   if (!bo || !length || start % SIM_PAGE_SIZE || !(flags & MAP_SHARED) ||
       start >= bo->mem->size_B || length > bo->mem->size_B - start)
      return MAP_FAILED;
   if (!uapi_owns_bo(file, bo)) {
      *error = EACCES;
      return MAP_FAILED;
   }
   void *map;
   *error = sim_bo_map(bo->mem, start, length, prot,
                       flags & MAP_FIXED ? addr : NULL, &map);
   return *error ? MAP_FAILED : map;
}

PUBLIC void *
saffron_sim_mmap(struct saffron_sim_file *file, void *addr, size_t length,
                 int prot, int flags, uint64_t offset, int *error)
{
   int err;
   pthread_mutex_lock(&file->sim->lock);
   void *map = map_object(file, addr, length, prot, flags, offset, &err);
   pthread_mutex_unlock(&file->sim->lock);
   if (error && err)
      *error = err;
   return map;
}

PUBLIC int
saffron_sim_munmap(struct saffron_sim_file *file, void *addr, size_t length)
{
   return munmap(addr, length) ? -errno : 0;
}
