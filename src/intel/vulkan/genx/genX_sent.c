/* SPDX-License-Identifier: MIT */
#include "genX_private.h"

void
genX(write)(struct saf_cmd_buffer *cmd, const uint32_t *packet,
            uint32_t count, uint64_t addresses,
            void (*before)(struct saf_cmd_buffer *))
{
   if (cmd->packer) {
      genX(pack_packet)(cmd, packet, count, addresses, before);
      return;
   }
   if (before)
      before(cmd);
   uint32_t *dw = saf_batch_dwords(&cmd->batch, count);
   memcpy(dw, packet, count * sizeof(*dw));
   if (GEN_VERX10 < 80 && addresses)
      saf_batch_note(&cmd->batch, dw, addresses);
}

uint32_t
genX(keep_state)(struct saf_cmd_buffer *cmd, enum saf_kept_slot slot,
                 const void *data, uint32_t size_B, uint32_t align_B)
{
   static const struct {
      uint16_t at_B, room_B;
   } places[] = {
#define PLACE(slot, room)                                                    \
   [SAF_KEPT_##                                                              \
      slot] = { offsetof(struct saf_cmd_buffer, kept_data.kept_##slot) -     \
                   offsetof(struct saf_cmd_buffer, kept_data),               \
                room },
      SAF_KEPT(PLACE)
#undef PLACE
   };
   struct saf_kept *k = &cmd->kept[slot];
   void *kept = (char *)&cmd->kept_data + places[slot].at_B;
   assert(size_B <= places[slot].room_B);
   if (cmd->packer) {
      genX(pack_state)(cmd->packer, slot, data, size_B, align_B);
      return 0;
   }
   if (k->size_B == size_B && !memcmp(kept, data, size_B))
      return k->offset;
   const struct saf_state state = saf_cmd_dynamic_space(cmd, size_B, align_B);
   memcpy(state.map, data, size_B);
   memcpy(kept, data, size_B);
   k->size_B = size_B;
   k->offset = state.offset;
   return k->offset;
}

void
genX(invalidate_sent)(struct saf_cmd_buffer *cmd)
{
   memset(cmd->sent, 0, sizeof(cmd->sent));
   genX(invalidate_pointers)(cmd);
}

void
genX(invalidate_pointers)(struct saf_cmd_buffer *cmd)
{
   memset(cmd->sent, 0, offsetof(struct GENX(sent), at_3DSTATE_VS));
   for (unsigned i = 0; i < SAF_KEPT_SLOTS; i++)
      cmd->kept[i].size_B = 0;
   memset(cmd->info_blocks, 0, sizeof(cmd->info_blocks));
}

void
genX(invalidate_constants)(struct saf_cmd_buffer *cmd)
{
   struct GENX(sent) *sent = genX(sent)(cmd);
   sent->at_3DSTATE_CONSTANT_VS[0] = 0;
   sent->at_3DSTATE_CONSTANT_HS[0] = 0;
   sent->at_3DSTATE_CONSTANT_DS[0] = 0;
   sent->at_3DSTATE_CONSTANT_GS[0] = 0;
   sent->at_3DSTATE_CONSTANT_PS[0] = 0;
   cmd->dirty |= SAF_DIRTY_PUSH_CONSTANTS;
}
