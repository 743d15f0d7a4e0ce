/* SPDX-License-Identifier: MIT */
/*
 * VK_EXT_private_data: a number that an application hangs on an object.
 *
 * Problem: a new object must have none, though an old one was at its address,
 * and objects have no head in common that could be asked.
 *
 * Method: a slot is a table by handle for each half of the numbers, which are
 * kept in place of pointers. Every handle is memory of saf_alloc(), so that
 * saf_free() is where an object ends: it tells all slots, if there is a
 * number in any.
 */
#include "saf_device.h"
#include "util/fallible.h"
#include "util/hash_table.h"

struct saf_private_slot {
   struct list_head link;
   struct hash_table halves[2]; /* by handle */
};

SAF_NONDISPATCHABLE(saf_private_slot, VkPrivateDataSlot)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct list_head slots = { &slots, &slots };
static bool any_value; /* was ever set; atomic */

void
saf_private_data_release(const void *object)
{
   if (!__atomic_load_n(&any_value, __ATOMIC_RELAXED))
      return;
   pthread_mutex_lock(&mutex);
   list_for_each_entry(struct saf_private_slot, slot, &slots, link)
      for (unsigned i = 0; i < 2; i++)
         hash_table_remove(&slot->halves[i], hash_key_ptr(object));
   pthread_mutex_unlock(&mutex);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreatePrivateDataSlot(VkDevice _device,
                          const VkPrivateDataSlotCreateInfo *info,
                          const VkAllocationCallbacks *alloc,
                          VkPrivateDataSlot *out)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   struct saf_private_slot *slot =
      saf_alloc(alloc ? alloc : device->alloc, sizeof(*slot));
   if (!slot)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (unsigned i = 0; i < 2; i++)
      hash_table_init(&slot->halves[i]);
   pthread_mutex_lock(&mutex);
   list_addtail(&slot->link, &slots);
   pthread_mutex_unlock(&mutex);
   *out = saf_private_slot_to_handle(slot);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyPrivateDataSlot(VkDevice _device, VkPrivateDataSlot _slot,
                           const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_device, device, _device);
   SAF_FROM_HANDLE(saf_private_slot, slot, _slot);
   if (!slot)
      return;
   pthread_mutex_lock(&mutex);
   list_del(&slot->link);
   pthread_mutex_unlock(&mutex);
   for (unsigned i = 0; i < 2; i++)
      hash_table_finish(&slot->halves[i]);
   saf_free(alloc ? alloc : device->alloc, slot);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_SetPrivateData(VkDevice device, VkObjectType type, uint64_t handle,
                   VkPrivateDataSlot _slot, uint64_t data)
{
   SAF_FROM_HANDLE(saf_private_slot, slot, _slot);
   pthread_mutex_lock(&mutex);
   __atomic_store_n(&any_value, true, __ATOMIC_RELAXED);
   bool ok = true;
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t half = (uint32_t)(data >> 32 * i);
      ok = ok && hash_table_try_insert(&slot->halves[i], handle,
                                       (void *)(uintptr_t)half);
   }
   for (unsigned i = 0; !ok && i < 2; i++)
      hash_table_remove(&slot->halves[i], handle);
   pthread_mutex_unlock(&mutex);
   return ok ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL
saf_GetPrivateData(VkDevice device, VkObjectType type, uint64_t handle,
                   VkPrivateDataSlot _slot, uint64_t *data)
{
   SAF_FROM_HANDLE(saf_private_slot, slot, _slot);
   pthread_mutex_lock(&mutex);
   *data = 0;
   for (unsigned i = 0; i < 2; i++)
      *data |=
         (uint64_t)hash_key_ptr(hash_table_get(&slot->halves[i], handle))
         << 32 * i;
   pthread_mutex_unlock(&mutex);
}
