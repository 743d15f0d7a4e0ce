/* SPDX-License-Identifier: MIT */
/*
 * How many EU instructions the simulator executes in a second on one core:
 * loops of common mixes. Prints one line each; for `bin/saffron bench` and
 * for whoever works on eu/. No test: run it by hand.
 */
#include "eu_test.h"

#include <time.h>

struct mix {
   const char *name;
   const char *body;
};

static const struct mix mixes[] = {
   { "float SIMD8",
     "mul (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
     "add (8|M0) r5.0<1>:f r4.0<8;8,1>:f r20.0<0;1,0>:f\n"
     "mad (8|M0) r6.0<1>:f r5.0<8;1>:f r4.0<8;1>:f r2.0<8;1>:f\n"
     "mad (8|M0) r7.0<1>:f r6.0<8;1>:f r4.0<8;1>:f r20.1<0;0>:f\n"
     "add (8|M0) r8.0<1>:f r7.0<8;8,1>:f -r6.0<8;8,1>:f\n"
     "mul (8|M0) (sat)r9.0<1>:f r8.0<8;8,1>:f 0.5:f\n" },
   { "float SIMD16",
     "mul (16|M0) r4.0<1>:f r2.0<8;8,1>:f r30.0<8;8,1>:f\n"
     "add (16|M0) r6.0<1>:f r4.0<8;8,1>:f r20.0<0;1,0>:f\n"
     "mad (16|M0) r8.0<1>:f r4.0<8;1>:f r6.0<8;1>:f r2.0<8;1>:f\n"
     "mad (16|M0) r10.0<1>:f r8.0<8;1>:f r6.0<8;1>:f r20.1<0;0>:f\n"
     "add (16|M0) r12.0<1>:f r10.0<8;8,1>:f -r6.0<8;8,1>:f\n"
     "mul (16|M0) r14.0<1>:f r12.0<8;8,1>:f 0.5:f\n" },
   { "double SIMD8",
     "mul (8|M0) r4.0<1>:df r2.0<4;4,1>:df r30.0<4;4,1>:df\n"
     "add (8|M0) r6.0<1>:df r4.0<4;4,1>:df r20.0<0;1,0>:df\n"
     "mad (8|M0) r8.0<1>:df r4.0<4;1>:df r6.0<4;1>:df r2.0<4;1>:df\n"
     "add (8|M0) r12.0<1>:df r8.0<4;4,1>:df -r6.0<4;4,1>:df\n" },
   { "integer SIMD8", "add (8|M0) r4.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n"
                      "shl (8|M0) r5.0<1>:d r4.0<8;8,1>:d 3:d\n"
                      "and (8|M0) r6.0<1>:ud r5.0<8;8,1>:ud 0xFFF:ud\n"
                      "mul (8|M0) r7.0<1>:d r6.0<8;8,1>:d r3.0<8;8,1>:d\n"
                      "mov (8|M0) r8.0<1>:f r7.0<8;8,1>:d\n"
                      "mov (8|M0) r9.0<1>:ud r8.0<8;8,1>:ud\n" },
   { "compare and select SIMD8",
     "cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
     "(f0.0) sel (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
     "(f0.0) mov (8|M0) r5.0<1>:f r4.0<8;8,1>:f\n"
     "sel (8|M0) (ge)f0.0 r6.0<1>:f r2.0<8;8,1>:f 0.0:f\n" },
   { "math SIMD8", "math.inv (8|M0) r4.0<1>:f r2.0<8;8,1>:f\n"
                   "math.sqt (8|M0) r5.0<1>:f r3.0<8;8,1>:f\n"
                   "math.exp (8|M0) r6.0<1>:f r2.0<8;8,1>:f\n"
                   "math.log (8|M0) r7.0<1>:f r3.0<8;8,1>:f\n" },
   { "branches SIMD8",
     "cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
     "(f0.0) if (8|M0) ELSE ENDIF\n"
     "mov (8|M0) r5.0<1>:f r4.0<8;8,1>:f\n"
     "else (8|M0) ENDIF ENDIF\n"
     "ELSE:\n"
     "mov (8|M0) r6.0<1>:f r4.0<8;8,1>:f\n"
     "ENDIF:\n"
     "endif (8|M0) NEXT\n"
     "NEXT:\n" },
   { "strided moves (generic bodies)",
     "mov (8|M0) r4.0<2>:uw r2.0<8;8,1>:hf\n"
     "mov (4|M4) r5.0<4>:b r3.0<4;4,1>:d\n" },
};

static void
run_mix(const struct mix *mix)
{
   static struct sim_eu_thread t;
   static const struct sim_eu_env env = { .verx10 = 90 };
   struct strbuf s = { 0 };
   strbuf_puts(&s, "(W) mov (1|M0) r100.0<1>:d 200000:d\nTOP:\n");
   strbuf_puts(&s, mix->body);
   strbuf_puts(&s,
               "(W) add (1|M0) (gt)f1.0 r100.0<1>:d r100.0<0;1,0>:d -1:d\n"
               "(W&f1.0) jmpi (1|M0) TOP\n" TEST_EOT);
   struct sim_eu_program *p =
      test_assemble(90, strbuf_str(&s), EU_BODIES_HOST_CODE);
   strbuf_fini(&s);
   for (unsigned i = 0; i < 64; i++)
      for (unsigned k = 0; k < 8; k++)
         t.grf[i].f[k] = 1.0f + (float)(i * 8 + k) / 1024;
   sim_eu_thread_init(&t, &env, 0xffff);
   struct timespec a, b;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
   if (test_run(&t, p) != SIM_EU_EOT)
      exit(1);
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
   const double s_used = (double)(b.tv_sec - a.tv_sec) +
                         (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
   printf("%-32s %8.1f million instructions/s, %8.1f million SIMD8/s\n",
          mix->name, (double)t.stats.instructions / s_used * 1e-6,
          (double)t.stats.simd8 / s_used * 1e-6);
   sim_eu_program_destroy(p);
}

int
main(void)
{
   for (unsigned i = 0; i < ARRAY_SIZE(mixes); i++)
      run_mix(&mixes[i]);
   return 0;
}
