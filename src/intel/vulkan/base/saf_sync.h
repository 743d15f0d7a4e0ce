/* SPDX-License-Identifier: MIT */
/* Fences, semaphores, events: api/saf_sync.c. */
#ifndef SAF_SYNC_H
#define SAF_SYNC_H

#include "saf_device.h"

/* What a fence or semaphore stands for: a syncobj of its own, or until it is
 * reset or waited for, one that was imported for that long (0: none). */
struct saf_payload {
   uint32_t permanent, temporary;
};

static inline uint32_t
saf_payload_syncobj(const struct saf_payload *p)
{
   return p->temporary ? p->temporary : p->permanent;
}

struct saf_fence {
   struct saf_payload payload;
};

struct saf_semaphore {
   VkSemaphoreType type;
   struct saf_payload payload;
};

struct saf_event {
   struct saf_state state; /* one qword in the dynamic pool: 0 or 1 */
};

static inline uint64_t
saf_event_addr(const struct saf_device *device, const struct saf_event *event)
{
   return device->info->layout->dynamic + event->state.offset;
}

SAF_NONDISPATCHABLE(saf_fence, VkFence)
SAF_NONDISPATCHABLE(saf_semaphore, VkSemaphore)
SAF_NONDISPATCHABLE(saf_event, VkEvent)

/* Makes a binary semaphore or fence signalled from the host (presentation
 * is synchronous, so an acquired image is always ready). */
VkResult saf_syncobj_signal(struct saf_device *device, uint32_t syncobj);
void saf_syncobj_destroy(struct saf_device *device, uint32_t syncobj);

#endif
