/* SPDX-License-Identifier: MIT */
/*
 * What programs do with the descriptor of a buffer object itself (linux/
 * dma-buf.h; kernel documentation, "Buffer Sharing and Synchronization"). No
 * simulator is needed for that: everything is in the control page.
 */
#include <linux/dma-buf.h>

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

PUBLIC int
saffron_sim_fd_ioctl(int fd, unsigned long request, void *arg)
{
   uint64_t size_B;
   if (_IOC_TYPE(request) != DMA_BUF_BASE ||
       share_identify(fd, &size_B) != SHARE_BO)
      return -ENOTTY;
   switch (request) {
   case DMA_BUF_IOCTL_SYNC:
      return sync_cpu(fd, (uintptr_t)arg);
   case DMA_BUF_SET_NAME_A:
   case DMA_BUF_SET_NAME_B:
      return 0; /* a name for people who look into debugfs */
   default:
      return -ENOTTY;
   }
}

PUBLIC int64_t
saffron_sim_fd_size(int fd)
{
   uint64_t size_B;
   return share_identify(fd, &size_B) == SHARE_BO ? (int64_t)size_B : -1;
}
