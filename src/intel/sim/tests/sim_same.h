/* SPDX-License-Identifier: MIT */
/*
 * The number of host threads changes nothing: a scene is run with several,
 * and what is in memory, the counters and the first report are compared with
 * what one thread makes of it.
 */
#ifndef SIM_SAME_H
#define SIM_SAME_H

#include <stdbool.h>

/* Makes objects and runs batches in the fixture *state. */
typedef void (*scene_fn)(void **state);

/* `splits`: whether any work must be large enough for several threads. */
void expect_same(scene_fn scene, bool splits);

/* A test, same_scene(). */
#define SAME(scene, splits)                                                  \
   static void same_##scene(void **state)                                    \
   {                                                                         \
      expect_same(scene, splits);                                            \
   }

#endif
