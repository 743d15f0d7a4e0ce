/* SPDX-License-Identifier: MIT */
/* What the tests of the execution unit share: programs from text, a thread
 * with memory, a seeded generator. */
#ifndef SIM_EU_TEST_H
#define SIM_EU_TEST_H

#include "intel/sim/eu/eu_private.h"
#include "util/unit_test.h"

#include <stdio.h>

/* xorshift64*: the same numbers everywhere for one seed. */
static inline uint64_t
test_random(uint64_t *seed)
{
   uint64_t x = *seed;
   x ^= x >> 12;
   x ^= x << 25;
   x ^= x >> 27;
   *seed = x;
   return x * 0x2545f4914f6cdd1dull;
}

static inline unsigned
test_below(uint64_t *seed, unsigned n)
{
   return (unsigned)((test_random(seed) >> 32) * n >> 32);
}

/* Bits that are interesting as a value of any type. */
static inline uint64_t
test_value_bits(uint64_t *seed, unsigned size_B)
{
   static const uint32_t special32[] = {
      0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000,
      0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x3f800000,
      0xbf800000, 0x3f000000, 0x4b000000, 0x4effffff, 0x4f000000, 0x4f800000,
      0xcf000000, 0xffffffff, 0x7fffffff, 0x0000ffff, 0x00008000, 0x3effffff,
      31,         32,         0x40490fdb, 0xbfc00000, 0x3fc00000, 0x40200000,
   };
   /* clang-format off */
   static const uint64_t special64[] = {
      0, 1ull << 63, 1, 0x000fffffffffffff, 0x0010000000000000,
      0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
      0x7ff8000000000000, 0x7ff0000000000001, 0x3ff0000000000000,
      0xbff0000000000000, 0x41dfffffffc00000, 0x41e0000000000000,
      0x41efffffffe00000, 0xc1e0000000000000, 0x43e0000000000000,
      0x3810000000000000, 0x47efffffffffffff, 0x36a0000000000000, ~0ull,
   };
   /* clang-format on */
   const uint64_t r = test_random(seed);
   switch (test_below(seed, 4)) {
   case 0:
      return size_B == 8 ? special64[r % ARRAY_SIZE(special64)]
                         : special32[r % ARRAY_SIZE(special32)];
   case 1:
      if (size_B == 8)
         return util_double_bits((double)(int32_t)r / 1024);
      return util_float_bits((float)(int16_t)r / 64);
   case 2: return r & 0xff;
   default: return r;
   }
}

static inline void
test_fill_grf(uint64_t *seed, union sim_grf *grf, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (test_below(seed, 3) == 0) {
         for (unsigned k = 0; k < 4; k++)
            grf[i].uq[k] = test_value_bits(seed, 8);
      } else {
         for (unsigned k = 0; k < 8; k++)
            grf[i].ud[k] = (uint32_t)test_value_bits(seed, 4);
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
   const enum sim_eu_status s = sim_eu_run(t, p, 0);
   if (s == SIM_EU_FAULT)
      printf("fault at %u: %s: %s\n", t->fault.ip_B, t->fault.inst,
             t->fault.text);
   return s;
}

#endif
