/* SPDX-License-Identifier: MIT */
/*
 * Flow control: programs of which each channel takes its own way, against
 * the same function written in C for one channel.
 *
 * Convention: r2 (and r3) is the channel's input, r4 (and r5) its result.
 */
#include "eu_test.h"

static const struct sim_eu_env env = { .verx10 = 90 };

typedef int32_t (*reference_fn)(int32_t x);

/* The text for Gen7, whose else has one target, and which wants {Switch} at a
 * comparison to null. */
static void
for_gen7(struct strbuf *out, const char *text)
{
   while (*text) {
      const size_t length = strcspn(text, "\n");
      char line[256];
      assert_true(length < sizeof(line));
      memcpy(line, text, length);
      line[length] = 0;
      if (!strncmp(line, "else", 4))
         *strrchr(line, ' ') = 0;
      strbuf_printf(
         out, "%s%s\n", line,
         strstr(line, "cmp (") && strstr(line, "null") ? " {Switch}" : "");
      text += length + (text[length] == '\n');
   }
}

static void
check_program_on(unsigned verx10, const char *text, reference_fn expected,
                 uint32_t dispatch)
{
   static struct sim_eu_thread t;
   const struct sim_eu_env e = { .verx10 = verx10 };
   struct strbuf adapted = { 0 };
   uint64_t seed = 42;
   if (verx10 < 80)
      for_gen7(&adapted, text);
   else
      strbuf_puts(&adapted, text);
   struct sim_eu_program *p =
      test_assemble(verx10, strbuf_str(&adapted), EU_BODIES_HOST_CODE);
   strbuf_fini(&adapted);
   for (unsigned round = 0; round < 50; round++) {
      int32_t in[16];
      for (unsigned i = 0; i < 16; i++) {
         in[i] = (int32_t)isa_sample_below(&seed, 40) - 8;
         t.grf[2 + i / 8].d[i % 8] = in[i];
         t.grf[4 + i / 8].d[i % 8] = -1;
      }
      sim_eu_thread_init(&t, &e, dispatch);
      t.max_instructions = 100000;
      if (test_run(&t, p) != SIM_EU_EOT)
         fail_msg("%u: program did not end: status %d\n%s", verx10, t.status,
                  text);
      for (unsigned i = 0; i < 16; i++) {
         const int32_t want = dispatch >> i & 1 ? expected(in[i]) : -1;
         if (t.grf[4 + i / 8].d[i % 8] != want)
            fail_msg("%u: channel %u, input %d: %d instead of %d\n%s", verx10,
                     i, in[i], t.grf[4 + i / 8].d[i % 8], want, text);
      }
   }
   sim_eu_program_destroy(p);
}

static void
check_program(const char *text, reference_fn expected, uint32_t dispatch)
{
   static const unsigned gens[] = { 70, 75, 80, 90 };
   for (unsigned i = 0; i < ARRAY_SIZE(gens); i++)
      check_program_on(gens[i], text, expected, dispatch);
}

static int32_t
nested_if(int32_t x)
{
   int32_t r = 0;
   if (x > 3) {
      if (x > 10)
         r += 100;
      else
         r += 10;
      r += 1;
   } else {
      r -= 5;
      if (x < 0)
         r = x;
   }
   return r;
}

static void
test_nested_if(void **state)
{
   static const char *text =
      "mov (16|M0) r4.0<1>:d 0:d\n"
      "cmp (16|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d 3:d\n"
      "(f0.0) if (16|M0) ELSE ENDIF\n"
      "cmp (16|M0) (gt)f1.0 null<1>:d r2.0<8;8,1>:d 10:d\n"
      "(f1.0) if (16|M0) ELSE2 ENDIF2\n"
      "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d 100:d\n"
      "else (16|M0) ENDIF2 ENDIF2\n"
      "ELSE2:\n"
      "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d 10:d\n"
      "ENDIF2:\n"
      "endif (16|M0) NEXT\n"
      "NEXT:\n"
      "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d 1:d\n"
      "else (16|M0) ENDIF ENDIF\n"
      "ELSE:\n"
      "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d -5:d\n"
      "cmp (16|M0) (lt)f1.0 null<1>:d r2.0<8;8,1>:d 0:d\n"
      "(f1.0) if (16|M0) ENDIF3 ENDIF3\n"
      "mov (16|M0) r4.0<1>:d r2.0<8;8,1>:d\n"
      "ENDIF3:\n"
      "endif (16|M0) ENDIF\n"
      "ENDIF:\n"
      "endif (16|M0) END\n"
      "END:\n" TEST_EOT;
   check_program(text, nested_if, 0xffff);
   check_program(text, nested_if, 0x35a7);
   check_program(text, nested_if, 0x0001);
}

static int32_t
loop_break_continue(int32_t x)
{
   int32_t sum = 0, i = 0;
   do {
      i++;
      if (i & 1)
         continue;
      if (i > x)
         break;
      sum += i;
   } while (i < 20);
   return sum;
}

static void
test_loop(void **state)
{
   static const char *text =
      "mov (16|M0) r4.0<1>:d 0:d\n"
      "mov (16|M0) r6.0<1>:d 0:d\n"
      "TOP:\n"
      "add (16|M0) r6.0<1>:d r6.0<8;8,1>:d 1:d\n"
      "and (16|M0) (ne)f0.0 null<1>:d r6.0<8;8,1>:d 1:d\n"
      "(f0.0) cont (16|M0) TEST TEST\n"
      "cmp (16|M0) (gt)f0.0 null<1>:d r6.0<8;8,1>:d r2.0<8;8,1>:d\n"
      "(f0.0) break (16|M0) TEST WHILE\n"
      "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d r6.0<8;8,1>:d\n"
      "TEST:\n"
      "cmp (16|M0) (lt)f0.0 null<1>:d r6.0<8;8,1>:d 20:d\n"
      "WHILE:\n"
      "(f0.0) while (16|M0) TOP\n" TEST_EOT;
   /* The condition is evaluated after the point where continue meets. */
   check_program(text, loop_break_continue, 0xffff);
   check_program(text, loop_break_continue, 0xa5a4);
}

static int32_t
unpredicated_while(int32_t x)
{
   int32_t n = 0;
   while (1) {
      if (x <= 0)
         break;
      x -= 3;
      if (x == 7)
         continue;
      n++;
   }
   return n;
}

/* The form that compilers emit: an endless WHILE and conditional breaks that
 * name the WHILE; inside of IF, JIP is the ENDIF. */
static void
test_endless_while(void **state)
{
   check_program("mov (16|M0) r4.0<1>:d 0:d\n"
                 "TOP:\n"
                 "cmp (16|M0) (le)f0.0 null<1>:d r2.0<8;8,1>:d 0:d\n"
                 "(f0.0) if (16|M0) ENDIF ENDIF\n"
                 "break (16|M0) ENDIF WHILE\n"
                 "ENDIF:\n"
                 "endif (16|M0) WHILE\n"
                 "add (16|M0) r2.0<1>:d r2.0<8;8,1>:d -3:d\n"
                 "cmp (16|M0) (eq)f0.0 null<1>:d r2.0<8;8,1>:d 7:d\n"
                 "(f0.0) cont (16|M0) WHILE WHILE\n"
                 "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d 1:d\n"
                 "WHILE:\n"
                 "while (16|M0) TOP\n" TEST_EOT,
                 unpredicated_while, 0xffff);
}

static int32_t
nested_loops(int32_t x)
{
   int32_t r = 0;
   for (int32_t i = 0; i < x; i++) {
      for (int32_t j = 0; j < 10; j++) {
         if (j > i)
            break;
         r += j + 1;
      }
      if (r > 60)
         return r;
   }
   return r;
}

/* HALT leaves two loops at once; all meet at the last HALT. */
static void
test_nested_loops_and_halt(void **state)
{
   check_program(
      "mov (16|M0) r4.0<1>:d 0:d\n"
      "mov (16|M0) r6.0<1>:d 0:d\n"
      "OUTER:\n"
      "cmp (16|M0) (ge)f0.0 null<1>:d r6.0<8;8,1>:d r2.0<8;8,1>:d\n"
      "(f0.0) break (16|M0) WHILE1 WHILE1\n"
      "mov (16|M0) r8.0<1>:d 0:d\n"
      "INNER:\n"
      "cmp (16|M0) (ge)f0.0 null<1>:d r8.0<8;8,1>:d 10:d\n"
      "(f0.0) break (16|M0) WHILE2 WHILE2\n"
      "cmp (16|M0) (gt)f0.0 null<1>:d r8.0<8;8,1>:d r6.0<8;8,1>:d\n"
      "(f0.0) break (16|M0) WHILE2 WHILE2\n"
      "add (16|M0) r8.0<1>:d r8.0<8;8,1>:d 1:d\n"
      "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d r8.0<8;8,1>:d\n"
      "WHILE2:\n"
      "while (16|M0) INNER\n"
      "cmp (16|M0) (gt)f0.0 null<1>:d r4.0<8;8,1>:d 60:d\n"
      "(f0.0) halt (16|M0) WHILE1 HALT\n"
      "add (16|M0) r6.0<1>:d r6.0<8;8,1>:d 1:d\n"
      "WHILE1:\n"
      "while (16|M0) OUTER\n"
      "HALT:\n"
      "halt (16|M0) END END\n"
      "END:\n" TEST_EOT,
      nested_loops, 0xffff);
}

static int32_t
subroutine(int32_t x)
{
   return x > 5 ? 2 * (x + 7) : x + 7;
}

static void
test_call(void **state)
{
   check_program("mov (16|M0) r4.0<1>:d r2.0<8;8,1>:d\n"
                 "cmp (16|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d 5:d\n"
                 "call (16|M0) r20.0 ADD7\n"
                 "(f0.0) call (16|M0) r20.0 DOUBLE\n" TEST_EOT "ADD7:\n"
                 "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d 7:d\n"
                 "ret (16|M0) r20.0\n"
                 "DOUBLE:\n"
                 "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d r4.0<8;8,1>:d\n"
                 "ret (16|M0) r20.0\n",
                 subroutine, 0xffff);
}

static int32_t
uniform_jump(int32_t x)
{
   return 11 + x;
}

static void
test_jmpi(void **state)
{
   check_program("mov (16|M0) r4.0<1>:d r2.0<8;8,1>:d\n"
                 "(W) mov (1|M0) r10.0<1>:d 0:d\n"
                 "TOP:\n"
                 "add (16|M0) r4.0<1>:d r4.0<8;8,1>:d 1:d\n"
                 "(W) add (1|M0) r10.0<1>:d r10.0<0;1,0>:d 1:d\n"
                 "(W) cmp (1|M0) (lt)f0.0 null<1>:d r10.0<0;1,0>:d 11:d\n"
                 "(W&f0.0) jmpi (1|M0) TOP\n" TEST_EOT,
                 uniform_jump, 0xffff);
}

/* A NOP has no execution size; iris writes all but its opcode as zero. */
static void
test_nop(void **state)
{
   static struct sim_eu_thread t;
   struct isa_inst insts[2] = { { .opcode = ISA_OPCODE_NOP },
                                { .opcode = ISA_OPCODE_WAIT,
                                  .exec_size = 1 } };
   insts[1].src[0].file = ISA_FILE_ARF;
   insts[1].src[0].nr = ISA_ARF_NOTIFICATION;
   struct sim_eu_program *p =
      eu_program_from_insts(90, false, insts, 2, EU_BODIES_HOST_CODE);
   sim_eu_thread_init(&t, &env, 0xff);
   assert_int_equal(test_run(&t, p), SIM_EU_WAIT);
   sim_eu_program_destroy(p);
}

static void
test_limits_and_faults(void **state)
{
   static struct sim_eu_thread t;
   struct sim_eu_program *p =
      test_assemble(90,
                    "TOP:\nmov (8|M0) r4.0<1>:d r2.0<8;8,1>:d\n"
                    "while (8|M0) TOP\n" TEST_EOT,
                    EU_BODIES_HOST_CODE);
   sim_eu_thread_init(&t, &env, 0xff);
   t.max_instructions = 1000;
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_LIMIT);
   assert_in_range(t.stats.instructions, 1000, 1010);
   /* It can go on. */
   t.max_instructions = 2000;
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_LIMIT);
   assert_in_range(t.stats.instructions, 2000, 2010);
   sim_eu_program_destroy(p);

   /* A jump to where no instruction starts. */
   p = test_assemble(90, "(W) jmpi (1|M0) 800\n" TEST_EOT,
                     EU_BODIES_HOST_CODE);
   sim_eu_thread_init(&t, &env, 0xff);
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_FAULT);
   assert_int_equal(t.fault.reason, SIM_FAULT_RANGE);
   assert_non_null(strstr(t.fault.inst, "jmpi"));
   sim_eu_program_destroy(p);

   /* Off the end. */
   p = test_assemble(90, "mov (8|M0) r4.0<1>:d r2.0<8;8,1>:d\n",
                     EU_BODIES_HOST_CODE);
   sim_eu_thread_init(&t, &env, 0xff);
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_FAULT);
   assert_int_equal(t.fault.reason, SIM_FAULT_RANGE);
   sim_eu_program_destroy(p);

   /* No entry. */
   p = test_assemble(90, TEST_EOT, EU_BODIES_HOST_CODE);
   sim_eu_thread_init(&t, &env, 0xff);
   assert_int_equal(sim_eu_run(&t, p, 4), SIM_EU_FAULT);
   sim_eu_program_destroy(p);
}

static void
test_statistics(void **state)
{
   static struct sim_eu_thread t;
   struct sim_eu_program *p =
      test_assemble(90,
                    "(W) mov (1|M0) r10.0<1>:d 0:d\n"
                    "TOP:\n"
                    "mov (16|M0) r4.0<1>:d r2.0<8;8,1>:d\n"
                    "(W) add (1|M0) (lt)f0.0 r10.0<1>:d r10.0<0;1,0>:d -1:d\n"
                    "(W) cmp (1|M0) (gt)f0.0 null<1>:d r10.0<0;1,0>:d -10:d\n"
                    "(W&f0.0) jmpi (1|M0) TOP\n" TEST_EOT,
                    EU_BODIES_HOST_CODE);
   sim_eu_thread_init(&t, &env, 0xffff);
   assert_int_equal(test_run(&t, p), SIM_EU_EOT);
   assert_int_equal(t.stats.instructions, 1 + 10 * 4 + 1);
   assert_int_equal(t.stats.simd8, 1 + 10 * 5 + 1);
   assert_int_equal(t.stats.sends, 1);
   sim_eu_program_destroy(p);
}

static struct sim_eu_stats
stats_of(const char *text)
{
   static struct sim_eu_thread t;
   struct strbuf s = { 0 };
   strbuf_printf(&s, "%s" TEST_EOT, text);
   struct sim_eu_program *p =
      test_assemble(90, strbuf_str(&s), EU_BODIES_HOST_CODE);
   strbuf_fini(&s);
   sim_eu_thread_init(&t, &env, 0xffff);
   assert_int_equal(test_run(&t, p), SIM_EU_EOT);
   sim_eu_program_destroy(p);
   return t.stats;
}

static uint64_t
cycles_of(const char *text)
{
   return stats_of(text).cycles;
}

/* The timing model: dependences, widths and rates show, repeats add up. */
static void
test_cycles(void **state)
{
   const uint64_t nothing = cycles_of("");
   const uint64_t apart =
      cycles_of("add (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
                "add (8|M0) r5.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n");
   const uint64_t dependent =
      cycles_of("add (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
                "add (8|M0) r5.0<1>:f r4.0<8;8,1>:f r3.0<8;8,1>:f\n");
   const uint64_t wide =
      cycles_of("add (16|M0) r4.0<1>:f r2.0<8;8,1>:f r6.0<8;8,1>:f\n"
                "add (16|M0) r8.0<1>:f r2.0<8;8,1>:f r6.0<8;8,1>:f\n");
   const uint64_t doubles =
      cycles_of("add (8|M0) r4.0<1>:df r2.0<4;4,1>:df r6.0<4;4,1>:df\n"
                "add (8|M0) r8.0<1>:df r2.0<4;4,1>:df r6.0<4;4,1>:df\n");
   assert_true(nothing < apart && apart < dependent);
   assert_true(wide - nothing == 2 * (apart - nothing));
   assert_true(doubles - nothing == 4 * (apart - nothing));
   static const char *loop =
      "(W) mov (1|M0) r10.0<1>:d %s:d\n"
      "TOP:\n"
      "(W) add (1|M0) (gt)f0.0 r10.0<1>:d r10.0<0;1,0>:d -1:d\n"
      "(W&f0.0) jmpi (1|M0) TOP\n";
   char text[256];
   uint64_t n[3];
   for (unsigned i = 0; i < 3; i++) {
      const char *times[] = { "1", "2", "3" };
      snprintf(text, sizeof(text), loop, times[i]);
      n[i] = cycles_of(text);
   }
   assert_true(n[1] > n[0] && n[2] - n[1] == n[1] - n[0]);
}

/* What is predicated waits for the flag of a comparison, not for one that a
 * minimum or a maximum names for its condition. */
static void
test_cycles_of_flags(void **state)
{
#define THEN_PREDICATED "(f0.0) mov (8|M0) r5.0<1>:f r2.0<8;8,1>:f\n"
#define THEN_NOT "mov (8|M0) r5.0<1>:f r2.0<8;8,1>:f\n"
   static const char *const selections[] = {
      "sel (8|M0) (ge)f0.0 r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n",
      "csel (8|M0) (ge)f0.0 r4.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r3.0<1>:f\n",
   };
   char with[256], without[256];
   for (unsigned i = 0; i < ARRAY_SIZE(selections); i++) {
      snprintf(with, sizeof(with), "%s" THEN_PREDICATED, selections[i]);
      snprintf(without, sizeof(without), "%s" THEN_NOT, selections[i]);
      assert_int_equal(cycles_of(with), cycles_of(without));
   }
   assert_true(cycles_of("add (8|M0) (ge)f0.0 r4.0<1>:f r2.0<8;8,1>:f "
                         "r3.0<8;8,1>:f\n" THEN_PREDICATED) >
               cycles_of("add (8|M0) (ge)f0.0 r4.0<1>:f r2.0<8;8,1>:f "
                         "r3.0<8;8,1>:f\n" THEN_NOT));
#undef THEN_PREDICATED
#undef THEN_NOT
}

/* Another model has other costs; latencies alone are scaled; a name that
 * there is not leaves the default. */
static void
test_timing_models(void **state)
{
   static const char *const one =
      "add (1|M0) r4.0<1>:df r2.0<0;1,0>:df r3.0<0;1,0>:df\n";
   static const char *const two =
      "add (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
      "add (8|M0) r5.0<1>:f r4.0<8;8,1>:f r3.0<8;8,1>:f\n";
   const uint64_t pass = stats_of(one).issue - stats_of("").issue;
   const uint64_t issue = stats_of(two).issue, cycles = cycles_of(two);

   setenv("SAFFRON_SIM_TIMING", "published", 1);
   assert_true(stats_of(one).issue - stats_of("").issue == 4 && pass == 1);
   assert_true(cycles_of(two) < cycles);
   setenv("SAFFRON_SIM_TIMING", "ours:200", 1);
   assert_true(stats_of(two).issue == issue && cycles_of(two) > cycles);
   setenv("SAFFRON_SIM_TIMING", "theirs", 1);
   assert_true(cycles_of(two) == cycles);
   setenv("SAFFRON_SIM_TIMING", "ours:fast", 1);
   assert_true(cycles_of(two) == cycles);
   unsetenv("SAFFRON_SIM_TIMING");
}

/* Issue cycles do not know of dependences, and leave out what is jumped
 * over, which its text is no part of. */
static void
test_issue(void **state)
{
   const uint64_t nothing = stats_of("").issue;
   const uint64_t one =
      stats_of("add (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n").issue;
   const uint64_t dependent =
      stats_of("add (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
               "add (8|M0) r5.0<1>:f r4.0<8;8,1>:f r3.0<8;8,1>:f\n")
         .issue;
   const uint64_t jump = stats_of("(W) jmpi (1|M0) END\n"
                                  "END:\n")
                            .issue;
   const uint64_t skipped =
      stats_of("(W) jmpi (1|M0) END\n"
               "add (8|M0) r4.0<1>:df r2.0<4;4,1>:df r6.0<4;4,1>:df\n"
               "END:\n")
         .issue;
   assert_true(one > nothing);
   assert_int_equal(dependent - nothing, 2 * (one - nothing));
   assert_true(jump > nothing);
   assert_int_equal(skipped, jump);
}

/* In a single program flow jmpi moves all channels, as ever. */
static void
test_single_program_flow(void **state)
{
   static struct sim_eu_thread t;
   struct sim_eu_program *p = test_assemble(90,
                                            "mov (8|M0) r4.0<1>:ud 2:ud\n"
                                            "(W) jmpi (1|M0) END\n"
                                            "mov (8|M0) r4.0<1>:ud 1:ud\n"
                                            "END:\n" TEST_EOT,
                                            EU_BODIES_HOST_CODE);
   sim_eu_thread_init(&t, &env, 0xff);
   t.cr0[0] |= SIM_CR0_SINGLE_PROGRAM_FLOW;
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_EOT);
   assert_int_equal(t.grf[4].ud[7], 2);
   sim_eu_program_destroy(p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nested_if),
      cmocka_unit_test(test_loop),
      cmocka_unit_test(test_endless_while),
      cmocka_unit_test(test_nested_loops_and_halt),
      cmocka_unit_test(test_call),
      cmocka_unit_test(test_jmpi),
      cmocka_unit_test(test_nop),
      cmocka_unit_test(test_single_program_flow),
      cmocka_unit_test(test_limits_and_faults),
      cmocka_unit_test(test_statistics),
      cmocka_unit_test(test_cycles),
      cmocka_unit_test(test_cycles_of_flags),
      cmocka_unit_test(test_issue),
      cmocka_unit_test(test_timing_models),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
