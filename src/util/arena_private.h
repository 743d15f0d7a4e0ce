/* SPDX-License-Identifier: MIT */
/* What guard.c knows of arenas. */
#ifndef UTIL_ARENA_PRIVATE_H
#define UTIL_ARENA_PRIVATE_H

#include "arena.h"
#include "guard.h"

/* The arena with that link. */
struct arena *arena_of_link(struct guard_owned *link);

#endif
