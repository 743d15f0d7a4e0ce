/* SPDX-License-Identifier: MIT */
/*
 * VK_EXT_debug_utils: names of objects, and labels in command buffers, for
 * who looks at a recording. Without one they cost nothing and go nowhere.
 */
#ifndef SAF_LABELS_H
#define SAF_LABELS_H

#include "saf_cmd_buffer.h"

/* In the batch: the pipeline, if it has a name. */
void saf_label_pipeline(struct saf_cmd_buffer *cmd,
                        const struct saf_pipeline *pipeline);
/* The images that are drawn to from here on. */
void saf_label_targets(struct saf_cmd_buffer *cmd);

#endif
