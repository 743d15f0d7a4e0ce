/* SPDX-License-Identifier: MIT */
/* The memory of secondary command buffers; the calls are in record.py. */
#include "saf_record.h"

void *
saf_record(struct saf_cmd_buffer *cmd, size_t size_B,
           void (*play)(struct saf_cmd_buffer *, const struct saf_recorded *))
{
   if (!cmd->recording)
      return NULL; /* not begun */
   struct saf_recorded *r = arena_alloc(cmd->recording, size_B);
   if (!r) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_HOST_MEMORY);
      return NULL;
   }
   r->play = play;
   if (cmd->last_recorded)
      cmd->last_recorded->next = r;
   else
      cmd->first_recorded = r;
   cmd->last_recorded = r;
   return r;
}

void *
saf_record_copy(struct saf_cmd_buffer *cmd, const void *data, size_t size_B)
{
   if (!data)
      return NULL;
   void *copy = arena_memdup(cmd->recording, data, size_B);
   if (!copy)
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_HOST_MEMORY);
   return copy;
}

void
saf_record_play(struct saf_cmd_buffer *cmd,
                const struct saf_cmd_buffer *secondary)
{
   for (const struct saf_recorded *r = secondary->first_recorded; r;
        r = r->next)
      r->play(cmd, r);
}

void
saf_record_reset(struct saf_cmd_buffer *cmd)
{
   if (cmd->recording)
      arena_destroy(cmd->recording);
   cmd->recording = NULL;
   cmd->first_recorded = cmd->last_recorded = NULL;
}
