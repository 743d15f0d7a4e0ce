/* SPDX-License-Identifier: MIT */
/*
 * Random shaders: gp_trial.h on each. GP_RANDOM_COUNT=N runs so many of each
 * kind, GP_RANDOM_SEED=N begins there.
 */
#include "util/unit_test.h"

#include "gp_random.h"

#define DEFAULT_COUNT 300

static unsigned long
from_environment(const char *name, unsigned long otherwise)
{
   const char *s = getenv(name);

   return s ? strtoul(s, NULL, 0) : otherwise;
}

/* Too large for the machine is no mistake. */
static bool
is_wrong(const struct gp_trial *t, const char *error)
{
   return error && !(t->program && t->program->error &&
                     t->program->count > GP_MAX_INSTRS);
}

static void
run(void (*make)(struct gp_trial *))
{
   const unsigned long first = from_environment("GP_RANDOM_SEED", 1);
   const unsigned long n = from_environment("GP_RANDOM_COUNT", DEFAULT_COUNT);
   unsigned long wrong = 0;

   for (unsigned long seed = first; seed < first + n; seed++) {
      struct gp_trial t;
      gp_trial_init(&t, seed);
      make(&t);
      const char *error = gp_trial_run(&t);
      if (is_wrong(&t, error)) {
         print_message("seed %lu: %s\n", seed, error);
         wrong++;
      }
      gp_trial_fini(&t);
      if (wrong > 20)
         break;
   }
   assert_int_equal(wrong, 0);
}

static void
test_dags(void **state)
{
   run(gp_random_dag);
}

static void
test_structures(void **state)
{
   run(gp_random_structure);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dags),
      cmocka_unit_test(test_structures),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
