/* SPDX-License-Identifier: MIT */
/* What the tables of the checker's and of the simulator's test promise. */
#ifndef GP_RULE_ROWS_H
#define GP_RULE_ROWS_H

#include "util/unit_test.h"

#include "arm/utgard/isa/gp_isa.h"

/*
 * Each rule before `end` is named by some row, but for those on the length
 * of a program, which have tests of their own. `expected` is the text of the
 * first row, whose next one is `row_B` bytes after.
 */
static inline void
gp_every_rule_has_a_row(const char *const *expected, size_t row_B,
                        size_t num_rows, unsigned end)
{
   for (unsigned rule = 0; rule < end; rule++) {
      const char *name = gp_rule_name((enum gp_rule)rule);
      bool found = rule == GP_RULE_TOO_LONG || rule == GP_RULE_EMPTY;
      for (size_t r = 0; r < num_rows; r++)
         found |=
            strstr(*(const char *const *)((const char *)expected + r * row_B),
                   name) != NULL;
      if (!found)
         fail_msg("no row for %s", name);
   }
}

#endif
