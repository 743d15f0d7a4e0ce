/* SPDX-License-Identifier: MIT */
/* What tests of the back end's IR share: a fragment shader in it, too. */
#ifndef EU_FIXTURE_H
#define EU_FIXTURE_H

#include "compiler_fixture.h"
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/intel_compiler_private.h"

struct eu_fixture {
   struct compiler_fixture base;
   struct eu_shader *s;
   struct eu_builder b;
   struct intel_wm_prog_data pd;
};

/* Of so many channels, still empty. */
static inline void
eu_fixture_shader(struct eu_fixture *f, unsigned width)
{
   f->s = eu_shader_create(f->base.arena, f->base.compiler,
                           MESA_SHADER_FRAGMENT, width);
   f->s->prog_data.wm = &f->pd;
   f->b = eu_builder_at_end(f->s);
}

#endif
