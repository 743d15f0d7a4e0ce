/* SPDX-License-Identifier: MIT */
/* What the tests of the execution unit share: programs from text, a thread
 * with memory, a seeded generator. */
#ifndef SIM_EU_TEST_H
#define SIM_EU_TEST_H

#include "intel/isa/isa_samples.h"
#include "intel/sim/eu/eu_private.h"
#include "intel/sim/tests/eu/eu_record.h"
#include "util/unit_test.h"

#include <stdio.h>

static inline void
test_fill_grf(uint64_t *seed, union sim_grf *grf, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (isa_sample_below(seed, 3) == 0) {
         for (unsigned k = 0; k < 4; k++)
            grf[i].uq[k] = isa_sample_value_bits(seed, 8);
      } else {
         for (unsigned k = 0; k < 8; k++)
            grf[i].ud[k] = (uint32_t)isa_sample_value_bits(seed, 4);
      }
   }
}

/* Assembles `text` and ends it with an EOT message; fails the test with the
 * assembler's complaint if it is wrong. */
static inline struct sim_eu_program *
test_assemble(unsigned verx10, const char *text, enum eu_bodies bodies)
{
   struct util_dynarray code = { 0 };
   struct isa_errors errors = { 0 };
   if (!isa_assemble(isa_gen_from_number(verx10), text, strlen(text), &code,
                     &errors)) {
      for (unsigned i = 0; i < errors.count && i < ISA_MAX_ERRORS; i++)
         printf("%u:%u: %s\n", errors.error[i].line, errors.error[i].column,
                errors.error[i].text);
      fail_msg("does not assemble:\n%s", text);
   }
   struct sim_eu_program *p =
      eu_program_from_bytes(verx10, false, code.data, code.size_B, bodies);
   util_dynarray_fini(&code);
   assert_non_null(p);
   return p;
}

#define TEST_EOT "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"

/* Runs to the end, or prints the fault. */
static inline enum sim_eu_status
test_run(struct sim_eu_thread *t, const struct sim_eu_program *p)
{
   record_run(t, p);
   const enum sim_eu_status s = sim_eu_run(t, p, 0);
   if (s == SIM_EU_FAULT)
      printf("fault at %u: %s: %s\n", t->fault.ip_B, t->fault.inst,
             t->fault.text);
   return s;
}

#endif
