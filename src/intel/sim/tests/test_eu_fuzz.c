/* SPDX-License-Identifier: MIT */
/*
 * Random and mutated programs: whatever the bits are, a thread ends, waits,
 * faults or reaches its limit; it does not crash the host, touch memory that
 * is not its own (the sanitizers watch), or run on.
 *
 * SAFFRON_TEST_TRIALS sets how many programs are tried.
 */
#include "eu_test.h"
#include "intel/sim/mem/mem.h"

/* Something of each kind, to be mutated. */
static const char *corpus =
   "TOP:\n"
   "mov (8|M0) r10.0<1>:f r2.0<8;8,1>:f\n"
   "mov (16|M0) r10.0<2>:w r2.0<8;8,1>:d\n"
   "mov (8|M0) r10.0<1>:df r2.0<8;8,1>:f\n"
   "mov (4|M4) r10.0<1>:ud r[a0.2,16]<4;4,1>:ud\n"
   "mov (4|M0) r[a0.1]<1>:ud r2.0<4;4,1>:ud\n"
   "(W) mov (1|M0) a0.1<1>:uw r2.3<0;1,0>:uw\n"
   "(W) xor (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4F0:ud\n"
   "(f0.1) sel (8|M0) r11.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n"
   "(~f1.0) add (16|M0) (ne)f1.0 r12.0<1>:f r2.0<8;8,1>:f -r4.0<8;8,1>:f\n"
   "mad (8|M0) r14.0<1>:f r2.0<2;1>:f r3.0<0>:f r4.0<2;1>:f\n"
   "mad (8|M0) r14.0<1>:df r2.0<2;1>:df r4.0<2;1>:df r6.0<2;1>:df\n"
   "pln (8|M0) r16.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "math.pow (8|M0) r17.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
   "math.idiv (8|M0) r18.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n"
   "mach (8|M0) r18.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}\n"
   "cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
   "(f0.0) if (8|M0) ELSE ENDIF\n"
   "shl (8|M0) r19.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud\n"
   "else (8|M0) ENDIF ENDIF\n"
   "ELSE:\n"
   "bfe (8|M0) r20.0<1>:ud r2.0<2;1>:ud r3.0<2;1>:ud r4.0<2;1>:ud\n"
   "ENDIF:\n"
   "endif (8|M0) LOOP\n"
   "LOOP:\n"
   "(f0.0) break (8|M0) WHILE WHILE\n"
   "(f0.1) cont (8|M0) WHILE WHILE\n"
   "add (8|M0) (gt)f0.0 r21.0<1>:d r21.0<8;8,1>:d -1:d\n"
   "WHILE:\n"
   "(f0.0) while (8|M0) LOOP\n"
   "call (8|M0) r30.0 SUB\n"
   "and (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud 0x3C:ud\n"
   "mov (8|M0) r11.0<1>:ud 1:ud\n"
   "send (8|M0) null r10 0xA 0x040842FF\n"
   "send (8|M0) r40 r10 0x6 0x02480028\n"
   "send (8|M0) null r10 0x6 0x0A080027\n"
   "send (8|M0) r40 r10 0xA 0x02146E01\n"
   "sends (8|M0) null r10 r12 0xC 0x02026EFF\n"
   "(f1.0) send (8|M0) r40 r10 0xC 0x02106E01\n"
   "(f1.0) send (8|M0) r40 r10 0xA 0x021842FF\n"
   "(f1.1) jmpi (1|M0) TOP\n"
   "(f0.0) halt (8|M0) END END\n"
   "SUB:\n"
   "xor (16|M0) r22.0<1>:ud r2.0<8;8,1>:ud 0xFFFFFFFF:ud\n"
   "ret (8|M0) r30.0\n"
   "END:\n"
   "halt (8|M0) EOT EOT\n"
   "EOT:\n" TEST_EOT;

static struct sim_mem mem;
static struct sim_eu_env env;
static uint8_t urb[4096];

static void
run_bytes(uint64_t *seed, const uint8_t *code, unsigned size_B,
          uint64_t *executed)
{
   static const unsigned gens[] = {90, 90, 90, 80, 75, 70};
   static struct sim_eu_thread t;
   const unsigned verx10 = gens[test_below(seed, ARRAY_SIZE(gens))];
   struct sim_eu_program *p = eu_program_from_bytes(
      verx10, false, code, size_B, test_below(seed, 3));
   assert_non_null(p);
   env.verx10 = verx10;
   test_fill_grf(seed, t.grf, SIM_GRF_COUNT);
   sim_eu_thread_init(&t, &env, (uint32_t)test_random(seed) & 0xffff);
   for (unsigned i = 0; i < ARRAY_SIZE(t.address); i++)
      t.address[i] = test_below(seed, 4200);
   t.flag[0] = (uint32_t)test_random(seed);
   t.mem = &mem;
   t.max_instructions = 400;
   const enum sim_eu_status s = sim_eu_run(&t, p, 0);
   assert_true(s == SIM_EU_EOT || s == SIM_EU_FAULT || s == SIM_EU_LIMIT ||
               s == SIM_EU_WAIT);
   if (s == SIM_EU_FAULT)
      assert_true(t.fault.reason != SIM_FAULT_NONE && t.fault.text[0]);
   assert_true(t.stats.instructions <=
               400u + sim_eu_program_count(p) + 1);
   *executed += t.stats.instructions;
   sim_eu_program_destroy(p);
}

/* Bits flipped, instructions moved about, registers changed. */
static void
mutate(uint64_t *seed, uint8_t *code, unsigned size_B)
{
   const unsigned count = size_B / ISA_INST_SIZE_B;
   const unsigned changes = 1 + test_below(seed, 8);
   for (unsigned i = 0; i < changes; i++) {
      uint8_t *at = code + ISA_INST_SIZE_B * test_below(seed, count);
      const uint8_t *from = code + ISA_INST_SIZE_B * test_below(seed, count);
      switch (test_below(seed, 3)) {
      case 0:
         at[test_below(seed, 16)] ^= 1u << test_below(seed, 8);
         break;
      case 1: memmove(at, from, ISA_INST_SIZE_B); break;
      default: at[test_below(seed, 16)] = (uint8_t)test_random(seed); break;
      }
   }
}

static void
test_programs(void **state)
{
   const char *trials_env = getenv("SAFFRON_TEST_TRIALS");
   const unsigned trials = trials_env ? strtoul(trials_env, NULL, 0) : 25000;
   struct util_dynarray code = {0};
   struct isa_errors errors = {0};
   if (!isa_assemble(ISA_SKL, corpus, strlen(corpus), &code, &errors))
      fail_msg("%u: %s", errors.error[0].line, errors.error[0].text);
   struct sim_vm *vm = sim_vm_create();
   struct sim_bo *bo = sim_bo_create(65536);
   assert_true(vm && bo && sim_vm_bind(vm, bo, 0x10000));
   sim_mem_init(&mem, vm);
   env = (struct sim_eu_env){
      .general_state_base = 0x10000,
      .surface_state_base = 0x10000,
      .urb = urb,
      .urb_size_B = sizeof(urb),
   };

   uint64_t seed = 0xf022;
   uint64_t executed = 0;
   uint8_t *copy = malloc(code.size_B);
   for (unsigned i = 0; i < trials; i++) {
      if (i % 8 == 0) {
         for (unsigned k = 0; k < code.size_B; k++)
            copy[k] = (uint8_t)test_random(&seed);
      } else {
         memcpy(copy, code.data, code.size_B);
         mutate(&seed, copy, code.size_B);
      }
      run_bytes(&seed, copy, code.size_B, &executed);
   }
   /* Most programs must get somewhere, or little would be tested. */
   printf("%llu instructions executed\n", (unsigned long long)executed);
   assert_true(executed > 10ull * trials);
   free(copy);
   util_dynarray_fini(&code);
   sim_vm_destroy(vm);
   sim_bo_unref(bo);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
