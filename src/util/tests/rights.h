/* SPDX-License-Identifier: MIT */
/* Rights of the calling thread, for tests of what is not for everybody. */
#ifndef UTIL_RIGHTS_H
#define UTIL_RIGHTS_H

#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The calling thread has the capability `cap` (CAP_*) from now on, or does
 * not. False: it has no right to it (capabilities(7), permitted set). */
static inline bool
rights_set(unsigned cap, bool on)
{
   struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
   struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3];
   if (syscall(SYS_capget, &h, d))
      return false;
   uint32_t *now = &d[CAP_TO_INDEX(cap)].effective;
   *now = on ? *now | CAP_TO_MASK(cap) : *now & ~CAP_TO_MASK(cap);
   return !syscall(SYS_capset, &h, d);
}

#endif
