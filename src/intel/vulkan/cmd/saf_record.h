/* SPDX-License-Identifier: MIT */
/*
 * Secondary command buffers: their commands are kept as calls, and made again
 * in each primary command buffer that executes them. So what they draw to,
 * which they need not know, is what the primary one draws to.
 */
#ifndef SAF_RECORD_H
#define SAF_RECORD_H

#include "saf_cmd_buffer.h"

struct saf_recorded {
   struct saf_recorded *next;
   void (*play)(struct saf_cmd_buffer *cmd, const struct saf_recorded *r);
};

/* A new call at the end of what `cmd` has recorded, or NULL: no memory,
 * which was noted. The structure at the start is filled in. */
void *saf_record(struct saf_cmd_buffer *cmd, size_t size_B,
                 void (*play)(struct saf_cmd_buffer *,
                              const struct saf_recorded *));

/* A copy that lives as long as the recording; NULL stays NULL. */
void *saf_record_copy(struct saf_cmd_buffer *cmd, const void *data,
                      size_t size_B);

/* Makes the calls of `secondary`, in `cmd`. */
void saf_record_play(struct saf_cmd_buffer *cmd,
                     const struct saf_cmd_buffer *secondary);

void saf_record_reset(struct saf_cmd_buffer *cmd);

#endif
