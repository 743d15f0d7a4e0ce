/* SPDX-License-Identifier: MIT */
/* What tests of the compiler share: a compiler and an arena. */
#ifndef COMPILER_FIXTURE_H
#define COMPILER_FIXTURE_H

#include "intel/compiler/intel_compiler.h"
#include "intel/dev/intel_device_info.h"
#include "util/arena.h"

struct compiler_fixture {
   struct intel_compiler *compiler;
   struct arena *arena;
};

/* For a generation by its name; 0, as cmocka has it. */
static inline int
compiler_fixture_begin(struct compiler_fixture *f, const char *gen)
{
   f->compiler = intel_compiler_create(intel_device_info_by_name(gen));
   f->arena = arena_create(NULL);
   return 0;
}

static inline int
compiler_fixture_end(struct compiler_fixture *f)
{
   arena_destroy(f->arena);
   intel_compiler_destroy(f->compiler);
   return 0;
}

#endif
