/* SPDX-License-Identifier: MIT */
/*
 * Problem: to say a packet field by field costs more than to copy it, and
 * most packets follow from the pipeline alone.
 *
 * Method: when a pipeline is made, the groups of genX_groups.c that read
 * nothing that is dynamic in it, or no pipeline's, run once on a command
 * buffer that has no batch: what they would send is kept with the pipeline.
 * A draw then sends the kept packets, as far as they are news. Where one
 * points to dynamic state, what it points to is kept too; the pointer, which
 * is each recording's own, is ORed in.
 *
 * Before: the pipeline has its shaders and its state. A pipeline without
 * packets (no memory for them; the driver's own) is drawn with all the same.
 */
#include "genX_private.h"
#include "util/fallible.h"

/* Followed by the packet and by what it points to. */
struct packed_item {
   uint16_t sent_dw, count;       /* in cmd->sent, of dwords */
   uint8_t kept_slot, kept_align; /* of what it points to, if kept_B */
   uint16_t kept_B;
   uint32_t addresses;
   void (*before)(struct saf_cmd_buffer *cmd);
   uint32_t dw[];
};

struct saf_packer {
   struct util_dynarray items;
   bool failed;
   /* State that the next packet points to; size 0: none. */
   enum saf_kept_slot slot;
   uint32_t size_B, align_B;
   uint32_t data[SAF_MAX_VIEWPORTS * 16];
};

#define POINTER_DW 1 /* of every packet that has one */

static size_t
item_size_B(const struct packed_item *item)
{
   return ALIGN(sizeof(*item) + item->count * 4 + item->kept_B,
                _Alignof(struct packed_item));
}

void
genX(pack_state)(struct saf_packer *p, enum saf_kept_slot slot,
                 const void *data, uint32_t size_B, uint32_t align_B)
{
   assert(!p->size_B && size_B <= sizeof(p->data) && "one for a packet");
   p->slot = slot;
   p->size_B = size_B;
   p->align_B = align_B;
   memcpy(p->data, data, size_B);
}

void
genX(pack_packet)(struct saf_cmd_buffer *cmd, const uint32_t *packet,
                  uint32_t count, uint64_t addresses,
                  void (*before)(struct saf_cmd_buffer *))
{
   struct saf_packer *p = cmd->packer;
   const struct packed_item head = {
      .sent_dw = (uint16_t)(packet - cmd->sent),
      .count = (uint16_t)count,
      .kept_slot = (uint8_t)p->slot,
      .kept_align = (uint8_t)p->align_B,
      .kept_B = (uint16_t)p->size_B,
      .addresses = (uint32_t)addresses,
      .before = before,
   };
   assert(addresses >> 32 == 0 && p->align_B <= UINT8_MAX);
   struct packed_item *item =
      util_dynarray_try_grow_bytes(&p->items, item_size_B(&head));
   if (item) {
      memcpy(item, &head, sizeof(head));
      memcpy(item->dw, packet, count * 4);
      memcpy(item->dw + count, p->data, p->size_B);
   }
   p->failed |= !item;
   p->size_B = 0;
}

void
genX(pack_pipeline)(struct saf_device *device, struct saf_pipeline *pipeline)
{
   struct saf_packer packer = { .failed = false };
   struct saf_cmd_buffer *cmd = saf_alloc(device->alloc, sizeof(*cmd));
   if (!cmd)
      return;
   cmd->device = device;
   cmd->draw.pipeline = cmd->draw.bound = pipeline;
   cmd->draw.gfx = pipeline->gfx;
   cmd->packer = &packer;
   uint32_t ends_B[SAF_MAX_GROUPS];
   uint64_t groups = genX(pack_groups)(cmd, &packer.items, ends_B);
   const size_t size_B = packer.items.size_B;
   struct saf_packed *packed = NULL;
   if (groups && !packer.failed)
      packed = saf_alloc(device->alloc, sizeof(*packed) + size_B);
   if (packed) {
      packed->groups = groups;
      memcpy(packed->ends_B, ends_B, sizeof(ends_B));
      memcpy(packed->items, packer.items.data, size_B);
   }
   pipeline->packed = packed;
   util_dynarray_fini(&packer.items);
   saf_free(device->alloc, cmd);
}

/* What is kept for the packet may be elsewhere than last time: it is sent
 * with where it is now. */
static void
send_pointer(struct saf_cmd_buffer *cmd, const struct packed_item *item)
{
   uint32_t *packet = cmd->packed;
   memcpy(packet, item->dw, item->count * 4u);
   packet[POINTER_DW] |= genX(keep_state)(cmd, item->kept_slot,
                                          item->dw + item->count,
                                          item->kept_B, item->kept_align);
   genX(send)(cmd, cmd->sent + item->sent_dw, item->count, item->addresses,
              item->before);
}

void
genX(send_packed)(struct saf_cmd_buffer *cmd, const struct saf_packed *packed,
                  unsigned group)
{
   const char *at = (const char *)packed->items +
                    (group ? packed->ends_B[group - 1] : 0);
   const char *const end = (const char *)packed->items +
                           packed->ends_B[group];
   while (at < end) {
      const struct packed_item *item = (const void *)at;
      uint32_t *sent = cmd->sent + item->sent_dw;
      if (item->kept_B)
         send_pointer(cmd, item);
      else if (genX(is_news)(sent, item->dw, item->count))
         genX(write)(cmd, sent, item->count, item->addresses, item->before);
      at += item_size_B(item);
   }
}
