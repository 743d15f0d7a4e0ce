/* SPDX-License-Identifier: MIT */
/* What `saffron compile --bisect-pass` does. */
#ifndef BISECT_H
#define BISECT_H

#include "intel/compiler/intel_compiler.h"
#include "intel/tools/compile_resources.h"

/* The pass is at fault; others are those of tools (tool_io.h). */
#define BISECT_EXIT_WRONG 3

struct bisect_params {
   const struct intel_device_info *dev;
   const struct intel_compiler *compiler;
   nir_shader *nir;  /* as the front end gives it */
   unsigned targets; /* of a fragment shader */
   /* Compiles it, from there on; NULL after a message. */
   const struct intel_shader *(*compile)(void *data, struct arena *arena,
                                         const struct intel_pass_watch *watch,
                                         struct compile_resources *given);
   void *data;
};

/*
 * Finds the pass after which the shader is wrong, on drawn inputs: that of
 * NIR after which the interpreter gives something else than it did for the
 * front end's; or the optional one of the back end without which, and
 * without those after it, the machine code still gives the same. A pass that
 * ends in a crash, an endless loop or a validator's message is found, too.
 * Prints the program before and after it, and a line that says what is
 * wrong. Each attempt is a process of its own. Returns the exit code: 0 all
 * is as it was, 1 the shader cannot be compiled or run, BISECT_EXIT_WRONG.
 */
int bisect_passes(const struct bisect_params *p);

#endif
