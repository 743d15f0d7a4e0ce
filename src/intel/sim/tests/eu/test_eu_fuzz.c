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
#define CORPUS(SPLIT_SEND)                                                   \
   "TOP:\n"                                                                  \
   "mov (8|M0) r10.0<1>:f r2.0<8;8,1>:f\n"                                   \
   "mov (16|M0) r10.0<2>:w r2.0<8;8,1>:d\n"                                  \
   "mov (8|M0) r10.0<1>:df r2.0<8;8,1>:f\n"                                  \
   "mov (4|M4) r10.0<1>:ud r[a0.2,16]<4;4,1>:ud\n"                           \
   "mov (4|M0) r[a0.1]<1>:ud r2.0<4;4,1>:ud\n"                               \
   "(W) mov (1|M0) a0.1<1>:uw r2.3<0;1,0>:uw\n"                              \
   "(W) xor (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4F0:ud\n"                   \
   "(f0.1) sel (8|M0) r11.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n"              \
   "(~f1.0) add (16|M0) (ne)f1.0 r12.0<1>:f r2.0<8;8,1>:f -r4.0<8;8,1>:f\n"  \
   "mad (8|M0) r14.0<1>:f r2.0<2;1>:f r3.0<0>:f r4.0<2;1>:f\n"               \
   "mad (8|M0) r14.0<1>:df r2.0<2;1>:df r4.0<2;1>:df r6.0<2;1>:df\n"         \
   "pln (8|M0) r16.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f\n"                     \
   "math.pow (8|M0) r17.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"                \
   "math.idiv (8|M0) r18.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n"               \
   "mach (8|M0) r18.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}\n"          \
   "cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"             \
   "(f0.0) if (8|M0) ELSE ENDIF\n"                                           \
   "shl (8|M0) r19.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud\n"                  \
   "else (8|M0) ENDIF ENDIF\n"                                               \
   "ELSE:\n"                                                                 \
   "bfe (8|M0) r20.0<1>:ud r2.0<2;1>:ud r3.0<2;1>:ud r4.0<2;1>:ud\n"         \
   "ENDIF:\n"                                                                \
   "endif (8|M0) LOOP\n"                                                     \
   "LOOP:\n"                                                                 \
   "(f0.0) break (8|M0) WHILE WHILE\n"                                       \
   "(f0.1) cont (8|M0) WHILE WHILE\n"                                        \
   "add (8|M0) (gt)f0.0 r21.0<1>:d r21.0<8;8,1>:d -1:d\n"                    \
   "WHILE:\n"                                                                \
   "(f0.0) while (8|M0) LOOP\n"                                              \
   "call (8|M0) r30.0 SUB\n"                                                 \
   "and (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud 0x3C:ud\n"                         \
   "mov (8|M0) r11.0<1>:ud 1:ud\n"                                           \
   "send (8|M0) null r10 0xA 0x040842FF\n"                                   \
   "send (8|M0) r40 r10 0x6 0x02480028\n"                                    \
   "send (8|M0) null r10 0x6 0x0A080027\n"                                   \
   "send (8|M0) r40 r10 0xA 0x02146E01\n" SPLIT_SEND                         \
   "(f1.0) send (8|M0) r40 r10 0xC 0x02106E01\n"                             \
   "(f1.0) send (8|M0) r40 r10 0xA 0x021842FF\n"                             \
   "(f1.1) jmpi (1|M0) TOP\n"                                                \
   "(f0.0) halt (8|M0) END END\n"                                            \
   "SUB:\n"                                                                  \
   "xor (16|M0) r22.0<1>:ud r2.0<8;8,1>:ud 0xFFFFFFFF:ud\n"                  \
   "ret (8|M0) r30.0\n"                                                      \
   "END:\n"                                                                  \
   "halt (8|M0) EOT EOT\n"                                                   \
   "EOT:\n" TEST_EOT

static const char *corpus =
   CORPUS("sends (8|M0) null r10 r12 0xC 0x02026EFF\n");
static const char *corpus8 = CORPUS("");

/* The same for Gen7, with what SIMD4x2 code has. */
static const char *corpus7 =
   "TOP:\n"
   "mov (8|M0) r10.0<1>.xyz:f r2.0<4>.wzyx:f {Align16}\n"
   "mov (16|M0) r10.0<2>:w r2.0<8;8,1>:d\n"
   "mov (4|M4) r10.0<1>:ud r[a0.2,16]<4;4,1>:ud\n"
   "mov (4|M0) r[a0.1]<1>:ud r2.0<4;4,1>:ud\n"
   "(W) mov (1|M0) a0.1<1>:uw r2.3<0;1,0>:uw\n"
   "mov (4|M0) r10.0<1>.xw:df r2.0<4>.zwzw:df {Align16}\n"
   "add (4|M4) r12.0<1>.xyzw:df r2.0<0>.xyxy:df r4.2<4>.xyzw:df {Align16}\n"
   "(f0.1.y) sel (8|M0) r11.0<1>.xyzw:d r2.0<4>.xyzw:d r3.0<0>.xxxx:d "
   "{Align16}\n"
   "(~f1.0) add (16|M0) (ne)f1.0 r12.0<1>:f r2.0<8;8,1>:f -r4.0<8;8,1>:f\n"
   "mad (8|M0) r14.0<1>.xz:f r2.0<4>.xxyy:f r3.0<0>.xxxx:f r4.0<4>.wwww:f "
   "{Align16}\n"
   "f32to16 (8|M0) r10.0<1>.xyzw:ud r2.0<4>.xyzw:f {Align16}\n"
   "dp4 (8|M0) r16.0<1>.w:f r2.0<4>.xyzw:f r3.0<4>.xyzw:f {Align16}\n"
   "pln (8|M0) r16.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f\n"
   "math.pow (8|M0) r17.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
   "mul (8|M0) acc0.0<1>.xyzw:d r2.0<4>.xyzw:d r3.0<4>.xyzw:d {Align16}\n"
   "mach (8|M0) r18.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}\n"
   "cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f {Switch}\n"
   "(f0.0.x) if (8|M0) ELSE ENDIF {Align16}\n"
   "shl (8|M0) r19.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud\n"
   "else (8|M0) ENDIF\n"
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
   "send (8|M0) r31.0<1>.xy:ud r10 0xA 0x060A80FF {Align16}\n"
   "send (8|M0) r40.0<1>.xyzw:ud r10 0xA 0x041880FF {Align16}\n"
   "send (8|M0) r40.0<1>.xyzw:ud r10 0x6 0x02194013 {Align16}\n"
   "send (8|M0) r31.0<1>.xyzw:ud r10 0x6 0x06084000 {Align16}\n"
   "send (8|M0) r40 r10 0xA 0x02116EFF\n"
   "(f1.0) send (8|M0) r40 r10 0xC 0x02106EFF\n"
   "(f1.0) send (8|M0) r40 r10 0xC 0x0210C5FF\n"
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
run_bytes(uint64_t *seed, unsigned verx10, const uint8_t *code,
          unsigned size_B, uint64_t *executed)
{
   static struct sim_eu_thread t;
   struct sim_eu_program *p = eu_program_from_bytes(
      verx10, false, code, size_B, isa_sample_below(seed, 3));
   assert_non_null(p);
   env.verx10 = verx10;
   test_fill_grf(seed, t.grf, SIM_GRF_COUNT);
   sim_eu_thread_init(&t, &env, (uint32_t)isa_sample_random(seed) & 0xffff);
   for (unsigned i = 0; i < ARRAY_SIZE(t.address); i++)
      t.address[i] = isa_sample_below(seed, 4200);
   t.flag[0] = (uint32_t)isa_sample_random(seed);
   t.mem = &mem;
   t.max_instructions = 400;
   const enum sim_eu_status s = sim_eu_run(&t, p, 0);
   assert_true(s == SIM_EU_EOT || s == SIM_EU_FAULT || s == SIM_EU_LIMIT ||
               s == SIM_EU_WAIT);
   if (s == SIM_EU_FAULT &&
       (t.fault.reason == SIM_FAULT_NONE || !t.fault.text[0]))
      printf("%u: fault without a reason at 0x%x: %s\n", verx10, t.fault.ip_B,
             t.fault.inst);
   if (s == SIM_EU_FAULT)
      assert_true(t.fault.reason != SIM_FAULT_NONE && t.fault.text[0]);
   assert_true(t.stats.instructions <= 400u + sim_eu_program_count(p) + 1);
   *executed += t.stats.instructions;
   sim_eu_program_destroy(p);
}

/* Bits flipped, instructions moved about, registers changed. */
static void
mutate(uint64_t *seed, uint8_t *code, unsigned size_B)
{
   const unsigned count = size_B / ISA_INST_SIZE_B;
   const unsigned changes = 1 + isa_sample_below(seed, 8);
   for (unsigned i = 0; i < changes; i++) {
      uint8_t *at = code + ISA_INST_SIZE_B * isa_sample_below(seed, count);
      const uint8_t *from = code +
                            ISA_INST_SIZE_B * isa_sample_below(seed, count);
      switch (isa_sample_below(seed, 3)) {
      case 0:
         at[isa_sample_below(seed, 16)] ^= 1u << isa_sample_below(seed, 8);
         break;
      case 1: memmove(at, from, ISA_INST_SIZE_B); break;
      default:
         at[isa_sample_below(seed, 16)] = (uint8_t)isa_sample_random(seed);
         break;
      }
   }
}

static void
test_programs(void **state)
{
   const char *trials_env = getenv("SAFFRON_TEST_TRIALS");
   const unsigned trials = trials_env ? strtoul(trials_env, NULL, 0) : 25000;
   static const unsigned gens[] = { 70, 75, 80, 90 };
   struct util_dynarray code[ARRAY_SIZE(gens)] = { { 0 } };
   struct isa_errors errors = { 0 };
   for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
      const char *text = gens[g] < 80   ? corpus7
                         : gens[g] < 90 ? corpus8
                                        : corpus;
      if (!isa_assemble(isa_gen_from_number(gens[g]), text, strlen(text),
                        &code[g], &errors))
         fail_msg("%u: %u: %s", gens[g], errors.error[0].line,
                  errors.error[0].text);
   }
   struct sim_vm *vm = sim_vm_create();
   struct sim_bo *bo = sim_bo_create(65536);
   assert_true(vm && bo && sim_vm_bind(vm, bo, 0x10000));
   sim_mem_init(&mem, vm);
   env = (struct sim_eu_env) {
      .general_state_base = 0x10000,
      .surface_state_base = 0x10000,
      .urb = urb,
      .urb_size_B = sizeof(urb),
   };

   uint64_t seed = 0xf022;
   uint64_t executed[ARRAY_SIZE(gens)] = { 0 };
   uint8_t copy[2048];
   for (unsigned i = 0; i < trials; i++) {
      const unsigned g = isa_sample_below(&seed, ARRAY_SIZE(gens));
      const unsigned size_B = (unsigned)code[g].size_B;
      assert_true(size_B <= sizeof(copy));
      if (i % 8 == 0) {
         for (unsigned k = 0; k < size_B; k++)
            copy[k] = (uint8_t)isa_sample_random(&seed);
      } else {
         memcpy(copy, code[g].data, size_B);
         mutate(&seed, copy, size_B);
      }
      run_bytes(&seed, gens[g], copy, size_B, &executed[g]);
   }
   /* Most programs must get somewhere, or little would be tested. */
   for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
      printf("%u: %llu instructions executed\n", gens[g],
             (unsigned long long)executed[g]);
      assert_true(executed[g] > 10ull * trials / ARRAY_SIZE(gens));
      util_dynarray_fini(&code[g]);
   }
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
