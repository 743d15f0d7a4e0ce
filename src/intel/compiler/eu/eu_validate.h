/* SPDX-License-Identifier: MIT */
/* What the files of the IR's validator share. */
#ifndef EU_VALIDATE_H
#define EU_VALIDATE_H

#include "eu_ir.h"

struct eu_validation {
   const struct eu_shader *s;
   const char *when; /* the pass that came before */
   FILE *out;
   unsigned faults;
};

/* Reports that `inst` breaks a rule. */
void eu_fault(struct eu_validation *v, const struct eu_inst *inst,
              const char *rule);

#define EU_CHECK(cond, rule)                                                 \
   do {                                                                      \
      if (!(cond))                                                           \
         eu_fault(v, inst, rule);                                            \
   } while (0)

/* Some write comes before every read of a virtual register or a flag. Control
 * flow must be nested as it should be. */
void eu_check_definitions(struct eu_validation *v);

#endif
