/* SPDX-License-Identifier: MIT */
/*
 * Random instructions through the generic bodies and through both builds of
 * the fast ones: every register and flag must come out the same. A NaN may
 * differ in its payload, which the manual leaves open.
 *
 * SAFFRON_TEST_TRIALS sets how many, SAFFRON_TEST_SEED which ones,
 * SAFFRON_TEST_RUNS how often each program with control flow runs: making and
 * decoding it takes longer than to run it a hundred times.
 */
#include "eu_test.h"

static const struct sim_eu_env envs[] = {
   { .verx10 = 70 },
   { .verx10 = 75 },
   { .verx10 = 80 },
   { .verx10 = 90 },
};

static uint64_t
first_seed(uint64_t usual)
{
   const char *seed = getenv("SAFFRON_TEST_SEED");
   return usual + (seed ? strtoull(seed, NULL, 0) << 24 : 0);
}

static const enum isa_opcode one_source[] = {
   ISA_OPCODE_MOV,  ISA_OPCODE_MOV,  ISA_OPCODE_NOT,  ISA_OPCODE_FRC,
   ISA_OPCODE_RNDD, ISA_OPCODE_RNDE, ISA_OPCODE_RNDU, ISA_OPCODE_RNDZ,
};

static const enum isa_opcode two_sources[] = {
   ISA_OPCODE_ADD,  ISA_OPCODE_MUL, ISA_OPCODE_AND, ISA_OPCODE_OR,
   ISA_OPCODE_XOR,  ISA_OPCODE_SHL, ISA_OPCODE_SHR, ISA_OPCODE_ASR,
   ISA_OPCODE_CMP,  ISA_OPCODE_CMP, ISA_OPCODE_SEL, ISA_OPCODE_SEL,
   ISA_OPCODE_MATH,
};

static bool
is_bitwise(enum isa_opcode op)
{
   return op == ISA_OPCODE_NOT || op == ISA_OPCODE_AND ||
          op == ISA_OPCODE_OR || op == ISA_OPCODE_XOR ||
          op == ISA_OPCODE_SHL || op == ISA_OPCODE_SHR ||
          op == ISA_OPCODE_ASR;
}

static bool
float_only(enum isa_opcode op)
{
   return op == ISA_OPCODE_FRC || op == ISA_OPCODE_RNDD ||
          op == ISA_OPCODE_RNDE || op == ISA_OPCODE_RNDU ||
          op == ISA_OPCODE_RNDZ || op == ISA_OPCODE_LRP ||
          op == ISA_OPCODE_MATH || op == ISA_OPCODE_PLN ||
          op == ISA_OPCODE_LINE;
}

static enum isa_type
random_type(uint64_t *seed, enum isa_opcode op)
{
   static const enum isa_type ints[] = {
      ISA_TYPE_D,  ISA_TYPE_UD, ISA_TYPE_D,  ISA_TYPE_UD, ISA_TYPE_W,
      ISA_TYPE_UW, ISA_TYPE_B,  ISA_TYPE_UB, ISA_TYPE_Q,  ISA_TYPE_UQ,
   };
   static const enum isa_type floats[] = {
      ISA_TYPE_F,  ISA_TYPE_F,  ISA_TYPE_F,
      ISA_TYPE_DF, ISA_TYPE_DF, ISA_TYPE_HF,
   };
   if (float_only(op))
      return ISA_TYPE_F;
   if (is_bitwise(op) || isa_sample_below(seed, 2))
      return ints[isa_sample_below(seed, ARRAY_SIZE(ints))];
   return floats[isa_sample_below(seed, ARRAY_SIZE(floats))];
}

static void
random_source(uint64_t *seed, const struct isa_inst *inst, enum isa_type type,
              bool may_be_imm, struct isa_operand *s)
{
   const unsigned size_B = isa_type_size_B(type);
   s->type = type;
   if (may_be_imm && size_B >= 2 && isa_sample_below(seed, 5) == 0) {
      s->file = ISA_FILE_IMM;
      s->imm = isa_sample_value_bits(seed, size_B) &
               BITFIELD64_MASK(size_B * 8);
      if (isa_sample_below(seed, 3) == 0) {
         s->type = type == ISA_TYPE_W    ? ISA_TYPE_V
                   : type == ISA_TYPE_UW ? ISA_TYPE_UV
                   : type == ISA_TYPE_F  ? ISA_TYPE_VF
                                         : type;
         if (size_B < 8)
            s->imm = isa_sample_random(seed) & 0xffffffff;
      }
      return;
   }
   s->file = ISA_FILE_GRF;
   s->nr = 8 + isa_sample_below(seed, 24);
   if (inst->opcode == ISA_OPCODE_MOV && size_B == 4 &&
       isa_sample_below(seed, 6) == 0) {
      /* One address for all channels, or one for each. */
      s->nr = 0;
      s->indirect = true;
      s->addr_subnr = isa_sample_below(seed, 8);
      s->addr_imm_B = 4 * ((int)isa_sample_below(seed, 64) - 32);
      s->width = 1;
      s->vstride = isa_sample_below(seed, 2) ? ISA_VSTRIDE_VXH : 1;
      return;
   }
   s->negate = isa_sample_below(seed, 4) == 0;
   s->abs = isa_sample_below(seed, 4) == 0 && !is_bitwise(inst->opcode);
   switch (isa_sample_below(seed, 6)) {
   case 0: /* scalar */
      s->width = 1;
      s->subnr_B = isa_sample_below(seed, 32 / size_B) * size_B;
      break;
   case 1: /* every second one */
      s->width = MIN2(inst->exec_size, 4);
      s->hstride = 2;
      s->vstride = 2 * s->width;
      break;
   case 2: /* rows that repeat */
      s->width = MIN2(inst->exec_size, 2);
      s->hstride = 0;
      s->vstride = 1;
      break;
   default:
      s->width = MIN2(inst->exec_size, 4);
      s->hstride = 1;
      s->vstride = s->width;
      break;
   }
}

static void
random_3src(uint64_t *seed, struct isa_inst *inst)
{
   const bool df = isa_sample_below(seed, 3) == 0;
   inst->opcode = isa_sample_below(seed, 3) || df ? ISA_OPCODE_MAD
                                                  : ISA_OPCODE_LRP;
   inst->access_mode = ISA_ALIGN16;
   inst->dst.writemask =
      isa_sample_below(seed, 4) ? 0xf : isa_sample_below(seed, 16);
   inst->dst.type = df                          ? ISA_TYPE_DF
                    : isa_sample_below(seed, 3) ? ISA_TYPE_F
                                                : ISA_TYPE_HF;
   for (unsigned i = 0; i < 3; i++) {
      struct isa_operand *s = &inst->src[i];
      *s = (struct isa_operand) {
         .file = ISA_FILE_GRF,
         .type = inst->dst.type,
         .nr = 8 + isa_sample_below(seed, 24),
         .swizzle = ISA_SWIZZLE_XYZW,
         .rep_ctrl = !df && isa_sample_below(seed, 3) == 0,
         .negate = isa_sample_below(seed, 3) == 0,
         .abs = isa_sample_below(seed, 3) == 0,
      };
      if (s->rep_ctrl)
         s->subnr_B = 4 * isa_sample_below(seed, 8);
      else if (isa_sample_below(seed, 6) == 0 && !df)
         s->swizzle = isa_sample_below(seed, 256);
   }
}

/* The same instruction with swizzles and a write mask. */
static void
make_align16(uint64_t *seed, struct isa_inst *inst, unsigned nsrc)
{
   if (inst->opcode == ISA_OPCODE_PLN || inst->opcode == ISA_OPCODE_LINE)
      return;
   inst->access_mode = ISA_ALIGN16;
   inst->dst.hstride = 1;
   inst->dst.subnr_B = 0;
   inst->dst.writemask =
      isa_sample_below(seed, 2) ? 0xf : isa_sample_below(seed, 16);
   for (unsigned i = 0; i < nsrc; i++) {
      struct isa_operand *s = &inst->src[i];
      const bool wide = isa_type_size_B(s->type) == 8;
      s->subnr_B &= 16;
      s->vstride = isa_sample_below(seed, 3) ? (wide ? 2 : 4) : 0;
      s->swizzle = isa_sample_below(seed, 2) ? ISA_SWIZZLE_XYZW
                   : wide                    ? ISA_SWIZZLE_ZWZW
                                             : isa_sample_below(seed, 256);
   }
}

/* Of one or two sources. */
static void
random_12src(uint64_t *seed, struct isa_inst *inst)
{
   const bool one = isa_sample_below(seed, 3) == 0;
   inst->opcode =
      one ? one_source[isa_sample_below(seed, ARRAY_SIZE(one_source))]
          : two_sources[isa_sample_below(seed, ARRAY_SIZE(two_sources))];
   unsigned nsrc = one ? 1 : 2;
   if (isa_sample_below(seed, 12) == 0 && inst->exec_size >= 8)
      inst->opcode = isa_sample_below(seed, 2) ? ISA_OPCODE_PLN
                                               : ISA_OPCODE_LINE,
      nsrc = 2;
   if (inst->opcode == ISA_OPCODE_MATH) {
      static const enum isa_math functions[] = {
         ISA_MATH_INV,  ISA_MATH_LOG,  ISA_MATH_EXP,
         ISA_MATH_SQRT, ISA_MATH_RSQ,  ISA_MATH_SIN,
         ISA_MATH_COS,  ISA_MATH_FDIV, ISA_MATH_POW,
      };
      inst->math_function =
         functions[isa_sample_below(seed, ARRAY_SIZE(functions))];
      nsrc = inst->math_function >= ISA_MATH_FDIV ? 2 : 1;
   }
   const enum isa_type type = random_type(seed, inst->opcode);
   const bool mixed = inst->opcode == ISA_OPCODE_MOV ||
                      isa_sample_below(seed, 4) == 0;
   inst->dst.type = mixed && !float_only(inst->opcode)
                       ? random_type(seed, inst->opcode)
                       : type;
   if (isa_type_size_B(type) > isa_type_size_B(inst->dst.type) ||
       isa_sample_below(seed, 8) == 0)
      inst->dst.hstride = 2;
   /* The upper halves of wider elements. */
   if (inst->dst.hstride == 2 && inst->dst.type == type &&
       isa_type_size_B(type) == 4 && isa_sample_below(seed, 2))
      inst->dst.subnr_B = 4;
   for (unsigned i = 0; i < nsrc; i++)
      random_source(seed, inst, type, i == nsrc - 1, &inst->src[i]);
   if (inst->opcode == ISA_OPCODE_PLN || inst->opcode == ISA_OPCODE_LINE) {
      inst->src[0] =
         (struct isa_operand) { .file = ISA_FILE_GRF,
                                .type = ISA_TYPE_F,
                                .width = 1,
                                .nr = 8 + isa_sample_below(seed, 24),
                                .subnr_B = 16 * isa_sample_below(seed, 2),
                                .negate = isa_sample_below(seed, 2) };
      inst->src[1] =
         (struct isa_operand) { .file = ISA_FILE_GRF,
                                .type = ISA_TYPE_F,
                                .width = 8,
                                .hstride = 1,
                                .vstride = 8,
                                .nr = 8 + isa_sample_below(seed, 24) };
   }
   if (isa_sample_below(seed, 4) == 0)
      make_align16(seed, inst, nsrc);
}

static struct isa_inst
random_inst(uint64_t *seed)
{
   struct isa_inst inst = { 0 };
   inst.exec_size = 1u << isa_sample_below(seed, 5);
   inst.group = isa_sample_below(seed, 4) == 0
                   ? inst.exec_size *
                        isa_sample_below(seed, 32 / inst.exec_size)
                   : 0;
   inst.group &= ~3u;
   inst.no_mask = isa_sample_below(seed, 4) == 0;
   inst.saturate = isa_sample_below(seed, 5) == 0;
   inst.flag_nr = isa_sample_below(seed, 2);
   inst.flag_subnr = isa_sample_below(seed, 2);
   /* Few flags that are not there. */
   if (inst.group + inst.exec_size > 16 && isa_sample_below(seed, 16))
      inst.flag_subnr = 0;
   inst.dst.file = ISA_FILE_GRF;
   inst.dst.nr = isa_sample_below(seed, 4) ? 40 + isa_sample_below(seed, 8)
                                           : 8 + isa_sample_below(seed, 24);
   inst.dst.hstride = 1;
   if (isa_sample_below(seed, 5) == 0)
      random_3src(seed, &inst);
   else
      random_12src(seed, &inst);
   if (inst.opcode == ISA_OPCODE_CMP)
      inst.cond_mod = ISA_COND_MOD_Z + isa_sample_below(seed, 6);
   else if (isa_sample_below(seed, 4) == 0 && inst.opcode != ISA_OPCODE_MATH)
      inst.cond_mod = ISA_COND_MOD_Z + isa_sample_below(seed, 6);
   if (inst.opcode == ISA_OPCODE_SEL ? inst.cond_mod == ISA_COND_MOD_NONE
                                     : isa_sample_below(seed, 3) == 0) {
      inst.pred = ISA_PRED_NORMAL;
      if (inst.access_mode == ISA_ALIGN1 && isa_sample_below(seed, 4) == 0)
         inst.pred = ISA_PRED_ANY2H + isa_sample_below(seed, 10);
      inst.pred_inv = isa_sample_below(seed, 2);
   }
   const bool no_null = inst.opcode == ISA_OPCODE_MAD ||
                        inst.opcode == ISA_OPCODE_LRP ||
                        inst.opcode == ISA_OPCODE_MATH;
   if (inst.opcode == ISA_OPCODE_CMP
          ? isa_sample_below(seed, 2)
          : !no_null && !isa_sample_below(seed, 16)) {
      inst.dst.file = ISA_FILE_ARF;
      inst.dst.nr = inst.dst.subnr_B = 0;
   }
   return inst;
}

static bool
is_nan_f(uint32_t u)
{
   return (u & 0x7fffffff) > 0x7f800000;
}

static bool
is_nan_hf(uint16_t u)
{
   return (u & 0x7fff) > 0x7c00;
}

static bool
same_register(const union sim_grf *a, const union sim_grf *b,
              enum isa_type type)
{
   if (!memcmp(a, b, sizeof(*a)))
      return true;
   if (type == ISA_TYPE_DF) {
      for (unsigned i = 0; i < 4; i++)
         if (a->uq[i] != b->uq[i] &&
             (a->df[i] == a->df[i] || b->df[i] == b->df[i]))
            return false;
      return true;
   }
   if (type == ISA_TYPE_F) {
      for (unsigned i = 0; i < 8; i++)
         if (a->ud[i] != b->ud[i] &&
             !(is_nan_f(a->ud[i]) && is_nan_f(b->ud[i])))
            return false;
      return true;
   }
   if (type == ISA_TYPE_HF) {
      for (unsigned i = 0; i < 16; i++)
         if (a->uw[i] != b->uw[i] &&
             !(is_nan_hf(a->uw[i]) && is_nan_hf(b->uw[i])))
            return false;
      return true;
   }
   return false;
}

static void
run_one(const struct isa_inst *inst, struct sim_eu_thread *t,
        enum eu_bodies bodies)
{
   const unsigned verx10 = t->env->verx10;
   struct isa_inst two[2] = { *inst };
   two[1].opcode = ISA_OPCODE_WAIT;
   two[1].exec_size = 1;
   two[1].src[0].file = ISA_FILE_ARF;
   two[1].src[0].nr = ISA_ARF_NOTIFICATION;
   struct sim_eu_program *p =
      eu_program_from_insts(verx10, false, two, 2, bodies);
   sim_eu_run(t, p, 0);
   sim_eu_program_destroy(p);
}

static void
print_difference(const struct isa_inst *inst, const struct sim_eu_thread *a,
                 const struct sim_eu_thread *b, const char *which)
{
   struct strbuf s = { 0 };
   isa_print(ISA_SKL, inst, NULL, &s);
   printf("%s, %u: %s (active %08x cr0 %x)\n", which, a->env->verx10,
          strbuf_str(&s), a->active, a->cr0[0]);
   strbuf_fini(&s);
   printf("generic: %s\nfast: %s\n", a->fault.text, b->fault.text);
   printf("f0 %08x %08x f1 %08x %08x\n", a->flag[0], b->flag[0], a->flag[1],
          b->flag[1]);
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++)
      for (unsigned k = 0; k < 8; k++)
         if (a->grf[i].ud[k] != b->grf[i].ud[k])
            printf("g%u.%u: %08x %08x\n", i, k, a->grf[i].ud[k],
                   b->grf[i].ud[k]);
}

static void
compare_one(uint64_t *seed, const struct isa_inst *inst, unsigned *ran)
{
   /* clang-format off */
   static const uint32_t modes[] = {0, SIM_CR0_DENORM_F,
                                    SIM_CR0_DENORM_DF,
                                    SIM_CR0_DENORM_F | SIM_CR0_DENORM_DF |
                                    SIM_CR0_DENORM_HF,
                                    0x10, 0x20, 0x30, 0xf0};
   /* clang-format on */
   static struct sim_eu_thread a, b, c, d;

   test_fill_grf(seed, a.grf, SIM_GRF_COUNT);
   sim_eu_thread_init(&a, &envs[isa_sample_below(seed, 4)], 0xffffffff);
   if (isa_sample_below(seed, 3) == 0)
      a.active = (uint32_t)isa_sample_random(seed);
   /* Few lead out of the register file. */
   for (unsigned i = 0; i < ARRAY_SIZE(a.address); i++)
      a.address[i] = 4 * isa_sample_below(seed, SIM_GRF_COUNT * 8);
   a.flag[0] = (uint32_t)isa_sample_random(seed);
   a.flag[1] = (uint32_t)isa_sample_random(seed);
   a.cr0[0] = modes[isa_sample_below(seed, ARRAY_SIZE(modes))];
   memcpy(&b, &a, sizeof(a));
   memcpy(&c, &a, sizeof(a));
   memcpy(&d, &a, sizeof(a));
   run_one(inst, &a, EU_BODIES_GENERIC);
   run_one(inst, &b, EU_BODIES_BEST);
   run_one(inst, &c, EU_BODIES_BASE);
   run_one(inst, &d, EU_BODIES_HOST_CODE);
   *ran += a.status == SIM_EU_WAIT;

   const struct sim_eu_thread *other[3] = { &b, &c, &d };
   static const char *const names[3] = { "best", "base", "host code" };
   for (unsigned i = 0; i < 3; i++) {
      const struct sim_eu_thread *o = other[i];
      bool same = a.status == o->status && a.flag[0] == o->flag[0] &&
                  a.flag[1] == o->flag[1] &&
                  !memcmp(a.acc, o->acc, sizeof(a.acc));
      for (unsigned g = 0; g < SIM_GRF_COUNT && same; g++)
         same = same_register(&a.grf[g], &o->grf[g], inst->dst.type);
      if (!same) {
         print_difference(inst, &a, o, names[i]);
         fail_msg("the bodies disagree");
      }
   }
}

static void
test_bodies_agree(void **state)
{
   const char *env = getenv("SAFFRON_TEST_TRIALS");
   const unsigned trials = env ? strtoul(env, NULL, 0) : 60000;
   uint64_t seed = first_seed(0x5affa0);
   unsigned ran = 0;
   for (unsigned i = 0; i < trials; i++) {
      const struct isa_inst inst = random_inst(&seed);
      compare_one(&seed, &inst, &ran);
   }
   /* Most of what is generated must be legal, or nothing is tested. */
   assert_true(ran > trials / 2);
}

/*
 * A loop of random instructions with a branch in it, which channels leave one
 * by one, or which the limit of instructions ends: interpreted and as host
 * code.
 */

#define PROGRAM_INSTS 24
#define LOOP 4
#define IF 7
#define ELSE 10
#define ENDIF 13
#define BREAK 16
#define WHILE 19

static struct isa_inst
flow_inst(uint64_t *seed, unsigned width, enum isa_opcode opcode, int at,
          int jip, int uip)
{
   struct isa_inst inst = { .opcode = opcode, .exec_size = (uint8_t)width };
   inst.jip = (jip - at) * ISA_INST_SIZE_B;
   inst.uip = (uip - at) * ISA_INST_SIZE_B;
   if (opcode == ISA_OPCODE_ENDIF || opcode == ISA_OPCODE_ELSE)
      return inst;
   inst.pred = isa_sample_below(seed, 4) ? ISA_PRED_NORMAL : ISA_PRED_NONE;
   inst.pred_inv = isa_sample_below(seed, 2);
   inst.flag_nr = isa_sample_below(seed, 2);
   inst.flag_subnr = width == 32 ? 0 : isa_sample_below(seed, 2);
   return inst;
}

static void
random_program(uint64_t *seed, struct isa_inst inst[PROGRAM_INSTS])
{
   for (unsigned i = 0; i < PROGRAM_INSTS - 1; i++) {
      /* What is undefined in a NaN must not become a number. */
      do
         inst[i] = random_inst(seed);
      while (eu_type_is_float(inst[i].dst.type));
   }
   const unsigned width = isa_sample_below(seed, 2) ? 16 : 32;
   inst[IF] = flow_inst(seed, width, ISA_OPCODE_IF, IF, ELSE + 1, ENDIF);
   inst[ELSE] = flow_inst(seed, width, ISA_OPCODE_ELSE, ELSE, ENDIF, ENDIF);
   inst[ENDIF] =
      flow_inst(seed, width, ISA_OPCODE_ENDIF, ENDIF, ENDIF + 1, 0);
   inst[BREAK] =
      flow_inst(seed, width, ISA_OPCODE_BREAK, BREAK, WHILE, WHILE);
   inst[WHILE] = flow_inst(seed, width, ISA_OPCODE_WHILE, WHILE, LOOP, 0);
   inst[PROGRAM_INSTS - 1] = (struct isa_inst) {
      .opcode = ISA_OPCODE_WAIT,
      .exec_size = 1,
      .src[0] = { .file = ISA_FILE_ARF, .nr = ISA_ARF_NOTIFICATION },
   };
}

/* A few registers of each later run are new, the others what the run before
 * has left. */
static void
start_run(uint64_t *seed, const struct sim_eu_env *env, unsigned run,
          struct sim_eu_thread t[2])
{
   if (run % 32 == 0)
      test_fill_grf(seed, t[0].grf, SIM_GRF_COUNT);
   else
      test_fill_grf(seed, t[0].grf + 8 + 4 * isa_sample_below(seed, 10), 4);
   sim_eu_thread_init(&t[0], env,
                      isa_sample_below(seed, 2)
                         ? 0xffffffff
                         : (uint32_t)isa_sample_random(seed));
   t[0].max_instructions = 300;
   t[0].flag[0] = (uint32_t)isa_sample_random(seed);
   t[0].flag[1] = (uint32_t)isa_sample_random(seed);
   memcpy(&t[1], &t[0], sizeof(t[0]));
}

static void
expect_same(const struct sim_eu_thread t[2])
{
   assert_int_equal(t[0].status, t[1].status);
   assert_int_equal(t[0].ip_B, t[1].ip_B);
   assert_int_equal(t[0].active, t[1].active);
   assert_string_equal(t[0].fault.text, t[1].fault.text);
   assert_memory_equal(t[0].grf, t[1].grf, SIM_GRF_COUNT * SIM_GRF_B);
   assert_memory_equal(t[0].flag, t[1].flag, sizeof(t[0].flag));
   assert_memory_equal(&t[0].stats, &t[1].stats, sizeof(t[0].stats));
   if (t[0].status != SIM_EU_LIMIT)
      assert_memory_equal(t[0].pcip_B, t[1].pcip_B, sizeof(t[0].pcip_B));
}

static void
test_programs_agree(void **state)
{
   static struct sim_eu_thread t[2];
   uint64_t executed[ARRAY_SIZE(envs)] = { 0 };
   const char *trials = getenv("SAFFRON_TEST_TRIALS");
   const char *often = getenv("SAFFRON_TEST_RUNS");
   const unsigned n = trials ? strtoul(trials, NULL, 0) / 20 : 3000;
   const unsigned runs = often ? strtoul(often, NULL, 0) : 1;
   uint64_t seed = first_seed(0x5affa1);
   for (unsigned i = 0; i < n; i++) {
      const unsigned gen = isa_sample_below(&seed, ARRAY_SIZE(envs));
      struct isa_inst inst[PROGRAM_INSTS];
      struct sim_eu_program *p[2];
      random_program(&seed, inst);
      for (unsigned k = 0; k < 2; k++)
         p[k] = eu_program_from_insts(
            envs[gen].verx10, false, inst, PROGRAM_INSTS,
            k ? EU_BODIES_HOST_CODE : EU_BODIES_BEST);
      for (unsigned run = 0; run < runs; run++) {
         start_run(&seed, &envs[gen], run, t);
         for (unsigned k = 0; k < 2; k++)
            sim_eu_run(&t[k], p[k], 0);
         expect_same(t);
         executed[gen] += t[0].stats.instructions;
      }
      for (unsigned k = 0; k < 2; k++)
         sim_eu_program_destroy(p[k]);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(envs); i++) {
      print_message("%u: %llu instructions\n", envs[i].verx10,
                    (unsigned long long)executed[i]);
      assert_true(executed[i] > n);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bodies_agree),
      cmocka_unit_test(test_programs_agree),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
