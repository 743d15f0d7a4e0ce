/* SPDX-License-Identifier: MIT */
/*
 * What programs do with the descriptor of a buffer object itself (linux/
 * dma-buf.h; kernel documentation, "Buffer Sharing and Synchronization"). No
 * simulator is needed for that: everything is in the control page.
 */
#include <linux/dma-buf.h>
#include <poll.h>
#include <unistd.h>

#include "uapi.h"

static int
sync_cpu(int fd, uint64_t user)
{
   struct dma_buf_sync a;
   const int ret = uapi_copy_in(&a, user, sizeof(a));
   if (ret)
      return ret;
   if ((a.flags & ~(uint64_t)DMA_BUF_SYNC_VALID_FLAGS_MASK) ||
       !(a.flags & DMA_BUF_SYNC_RW))
      return -EINVAL;
   /* Caches are coherent: there is nothing to do at the end. */
   if (a.flags & DMA_BUF_SYNC_END)
      return 0;
   return share_wait_fd(fd, a.flags & DMA_BUF_SYNC_WRITE, UINT64_MAX);
}

/* A fence for what is being done with the object now. */
static int
export_sync_file(int fd, uint64_t user)
{
   struct dma_buf_export_sync_file a;
   int ret = uapi_copy_in(&a, user, sizeof(a));
   if (ret)
      return ret;
   if ((a.flags & ~(uint32_t)DMA_BUF_SYNC_RW) || !a.flags)
      return -EINVAL;
   struct util_dynarray none = { 0 };
   a.fd = sync_file_create_all(&none, fd, a.flags & DMA_BUF_SYNC_WRITE);
   if (a.fd < 0)
      return a.fd;
   ret = uapi_copy_out(user, &a, sizeof(a));
   if (ret)
      close(a.fd);
   return ret;
}

static int
import_sync_file(int fd, uint64_t user)
{
   struct dma_buf_import_sync_file a;
   const int ret = uapi_copy_in(&a, user, sizeof(a));
   if (ret)
      return ret;
   if ((a.flags & ~(uint32_t)DMA_BUF_SYNC_RW) || !a.flags)
      return -EINVAL;
   if (!sync_file_identify(a.fd))
      return -EINVAL;
   if (sync_file_status(a.fd, NULL))
      return 0;
   return share_add_fence(fd, a.flags & DMA_BUF_SYNC_WRITE, a.fd);
}

PUBLIC int
saffron_sim_fd_ioctl(int fd, unsigned long request, void *arg)
{
   uint64_t size_B;
   const int ret = sync_file_ioctl(fd, request, (uintptr_t)arg);
   if (ret != -ENOTTY)
      return ret;
   if (_IOC_TYPE(request) != DMA_BUF_BASE ||
       share_identify(fd, &size_B) != SHARE_BO)
      return -ENOTTY;
   switch (request) {
   case DMA_BUF_IOCTL_SYNC: return sync_cpu(fd, (uintptr_t)arg);
   case DMA_BUF_IOCTL_EXPORT_SYNC_FILE:
      return export_sync_file(fd, (uintptr_t)arg);
   case DMA_BUF_IOCTL_IMPORT_SYNC_FILE:
      return import_sync_file(fd, (uintptr_t)arg);
   case DMA_BUF_SET_NAME_A:
   case DMA_BUF_SET_NAME_B:
      return 0; /* a name for people who look into debugfs */
   default: return -ENOTTY;
   }
}

/* Reading waits for writers, writing for everybody (kernel documentation,
 * "DMA Fence Poll Support" of "Buffer Sharing and Synchronization"). */
PUBLIC int
saffron_sim_fd_poll(int fd, int events)
{
   uint64_t size_B;
   if (share_identify(fd, &size_B) != SHARE_BO)
      return -1;
   int ready = 0;
   if ((events & POLLIN) && share_wait_fd(fd, false, 0) != -ETIME)
      ready |= POLLIN;
   if ((events & POLLOUT) && share_wait_fd(fd, true, 0) != -ETIME)
      ready |= POLLOUT;
   return ready;
}

PUBLIC int64_t
saffron_sim_fd_size(int fd)
{
   uint64_t size_B;
   return share_identify(fd, &size_B) == SHARE_BO ? (int64_t)size_B : -1;
}
