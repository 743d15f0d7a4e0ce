/* SPDX-License-Identifier: MIT */
/*
 * Uses of every type of object, each of them whole: what is created is
 * destroyed, whatever call fails, and the first failure is the result.
 */
#ifndef HOSTILE_SCENES_H
#define HOSTILE_SCENES_H

#include "icd.h"

struct scene {
   const char *name;
   /* NULL: the making of the device itself. */
   VkResult (*run)(struct icd *icd);
};

/* The last one has no name. */
extern const struct scene hostile_scenes[];

#endif
