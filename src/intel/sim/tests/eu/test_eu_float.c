/* SPDX-License-Identifier: MIT */
/*
 * Float arithmetic against MPFR: correctly rounded in every rounding mode,
 * with denormals text or flushed; comparisons, minimum and maximum, rounding,
 * conversions; extended math within the manual's bounds. Both kinds of
 * bodies run each case.
 */
#include "eu_test.h"

#include <math.h>
#include <mpfr.h>

static const struct sim_eu_env env = { .verx10 = 90 };

/* Sources in r2-r3, r4-r5, r6-r7; result in r8-r9. */
static void
run_values(const char *text, uint32_t cr0, enum eu_bodies bodies,
           const uint64_t in[3][8], unsigned size_B, uint64_t out[8],
           unsigned out_stride_B, unsigned out_size_B)
{
   static struct sim_eu_thread t;
   static char last[256];
   static struct sim_eu_program *programs[3];
   if (strcmp(text, last)) {
      for (unsigned i = 0; i < ARRAY_SIZE(programs); i++) {
         sim_eu_program_destroy(programs[i]);
         programs[i] = NULL;
      }
      snprintf(last, sizeof(last), "%s", text);
   }
   if (!programs[bodies]) {
      struct strbuf s = { 0 };
      strbuf_printf(&s, "%s\n" TEST_EOT, text);
      programs[bodies] = test_assemble(90, strbuf_str(&s), bodies);
      strbuf_fini(&s);
   }
   memset(t.grf, 0, sizeof(t.grf));
   for (unsigned s = 0; s < 3; s++)
      for (unsigned i = 0; i < 8; i++)
         memcpy(t.grf[2 + 2 * s].ub + i * size_B, &in[s][i], size_B);
   sim_eu_thread_init(&t, &env, 0xff);
   t.cr0[0] = cr0;
   if (test_run(&t, programs[bodies]) != SIM_EU_EOT)
      fail_msg("%s", text);
   for (unsigned i = 0; i < 8; i++) {
      out[i] = 0;
      memcpy(&out[i], t.grf[8].ub + i * out_stride_B, out_size_B);
   }
}

/* cr0's rounding modes as MPFR's. */
static const mpfr_rnd_t modes[4] = { MPFR_RNDN, MPFR_RNDU, MPFR_RNDD,
                                     MPFR_RNDZ };

/* A format's precision and exponents as MPFR counts them. */
struct format {
   unsigned size_B, precision;
   int emin, emax; /* emin: of the smallest denormal */
   int normal_exp; /* of the smallest normal number */
   uint32_t keep_denorms;
   const char *type;
};

static const struct format formats[2] = {
   { 4, 24, -148, 128, -125, SIM_CR0_DENORM_F, "f" },
   { 8, 53, -1073, 1024, -1021, SIM_CR0_DENORM_DF, "df" },
};

static double
as_double(const struct format *f, uint64_t bits)
{
   return f->size_B == 8 ? util_bits_double(bits)
                         : (double)util_bits_float((uint32_t)bits);
}

static uint64_t
as_bits(const struct format *f, double d)
{
   return f->size_B == 8 ? util_double_bits(d) : util_float_bits((float)d);
}

static uint64_t
flush(const struct format *f, uint64_t bits, bool keep)
{
   const unsigned mantissa = f->precision - 1;
   const uint64_t sign = bits & (1ull << (f->size_B * 8 - 1));
   const uint64_t exponent = (bits ^ sign) >> mantissa;
   return exponent || keep ? bits : sign;
}

enum operation { OP_ADD, OP_MUL, OP_MAD };

static uint64_t
reference(const struct format *f, enum operation op, const uint64_t v[3],
          unsigned rounding, bool keep)
{
   mpfr_t a, b, c, r;
   mpfr_inits2(f->precision, a, b, c, r, (mpfr_ptr)0);
   mpfr_set_emin(f->emin);
   mpfr_set_emax(f->emax);
   mpfr_set_d(a, as_double(f, flush(f, v[0], keep)), MPFR_RNDN);
   mpfr_set_d(b, as_double(f, flush(f, v[1], keep)), MPFR_RNDN);
   mpfr_set_d(c, as_double(f, flush(f, v[2], keep)), MPFR_RNDN);
   int inexact = 0;
   switch (op) {
   case OP_ADD: inexact = mpfr_add(r, a, b, modes[rounding]); break;
   case OP_MUL: inexact = mpfr_mul(r, a, b, modes[rounding]); break;
   case OP_MAD: inexact = mpfr_fma(r, b, c, a, modes[rounding]); break;
   }
   mpfr_subnormalize(r, inexact, modes[rounding]);
   const double d = mpfr_get_d(r, MPFR_RNDN);
   mpfr_clears(a, b, c, r, (mpfr_ptr)0);
   return flush(f, as_bits(f, d), keep);
}

static bool
is_nan(const struct format *f, uint64_t bits)
{
   const double d = as_double(f, bits);
   return d != d;
}

/* A result that is tiny before rounding and normal after it may be flushed
 * or not: the manual does not say. */
static bool
on_the_edge(const struct format *f, uint64_t a, uint64_t b)
{
   const uint64_t min_normal = 1ull << (f->precision - 1);
   const uint64_t mask = BITFIELD64_MASK(f->size_B * 8 - 1);
   return ((a & mask) == min_normal && !(b & mask)) ||
          ((b & mask) == min_normal && !(a & mask));
}

static void
check_operation(const struct format *f, enum operation op)
{
   static const char *const names[] = { "add", "mul", "mad" };
   char text[256];
   const unsigned w = f->size_B == 8 ? 4 : 8;
   if (op == OP_MAD)
      snprintf(text, sizeof(text),
               "mad (8|M0) r8.0<1>:%s r2.0<%u;1>:%s "
               "r4.0<%u;1>:%s r6.0<%u;1>:%s",
               f->type, w / 2, f->type, w / 2, f->type, w / 2, f->type);
   else
      snprintf(text, sizeof(text),
               "%s (8|M0) r8.0<1>:%s r2.0<%u;%u,1>:%s "
               "r4.0<%u;%u,1>:%s",
               names[op], f->type, w, w, f->type, w, w, f->type);
   uint64_t seed = 7 + op;
   for (unsigned trial = 0; trial < 1500; trial++) {
      uint64_t in[3][8], got[8];
      const unsigned rounding = isa_sample_below(&seed, 4);
      const bool keep = isa_sample_below(&seed, 2);
      const uint32_t cr0 = rounding << SIM_CR0_ROUND_SHIFT |
                           (keep ? f->keep_denorms : 0);
      for (unsigned s = 0; s < 3; s++)
         for (unsigned i = 0; i < 8; i++)
            in[s][i] = isa_sample_value_bits(&seed, f->size_B) &
                       BITFIELD64_MASK(8 * f->size_B);
      for (unsigned b = EU_BODIES_BEST; b <= EU_BODIES_BASE; b++) {
         run_values(text, cr0, b, in, f->size_B, got, f->size_B, f->size_B);
         for (unsigned i = 0; i < 8; i++) {
            const uint64_t v[3] = { in[0][i], in[1][i], in[2][i] };
            const uint64_t want = reference(f, op, v, rounding, keep);
            if (got[i] == want || (is_nan(f, got[i]) && is_nan(f, want)) ||
                (!keep && on_the_edge(f, got[i], want)))
               continue;
            fail_msg("%s rounding %u keep %d: %llx %llx %llx -> %llx, want "
                     "%llx (bodies %u)",
                     text, rounding, keep, (unsigned long long)v[0],
                     (unsigned long long)v[1], (unsigned long long)v[2],
                     (unsigned long long)got[i], (unsigned long long)want, b);
         }
      }
   }
}

static void
test_arithmetic(void **state)
{
   for (unsigned f = 0; f < 2; f++)
      for (enum operation op = OP_ADD; op <= OP_MAD; op++)
         check_operation(&formats[f], op);
}

/* Rows of one-lane cases: text, inputs, expected bits. */
struct row {
   const char *text;
   uint32_t cr0;
   uint64_t a, b, want;
};

#define F32(x) util_float_bits(x)
#define NAN32 0x7fc00000u
#define INF32 0x7f800000u

static void
check_rows(const struct row *rows, unsigned count, unsigned size_B,
           unsigned out_stride_B, unsigned out_size_B)
{
   for (unsigned r = 0; r < count; r++) {
      uint64_t in[3][8], out[8];
      for (unsigned i = 0; i < 8; i++) {
         in[0][i] = rows[r].a;
         in[1][i] = rows[r].b;
         in[2][i] = 0;
      }
      for (unsigned b = EU_BODIES_BEST; b <= EU_BODIES_BASE; b++) {
         run_values(rows[r].text, rows[r].cr0, b, in, size_B, out,
                    out_stride_B, out_size_B);
         for (unsigned i = 0; i < 8; i++)
            if (out[i] != rows[r].want)
               fail_msg("%s: %llx %llx -> %llx, want %llx (row %u, bodies "
                        "%u, lane %u)",
                        rows[r].text, (unsigned long long)rows[r].a,
                        (unsigned long long)rows[r].b,
                        (unsigned long long)out[i],
                        (unsigned long long)rows[r].want, r, b, i);
      }
   }
}

#define MIN_F "sel (8|M0) (lt)f0.0 r8.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f"
#define MAX_F "sel (8|M0) (ge)f0.0 r8.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f"
#define CMP_F(c)                                                             \
   "cmp (8|M0) (" c ")f0.0 r8.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f"
#define ONE_F(op) op " (8|M0) r8.0<1>:f r2.0<8;8,1>:f"

static void
test_min_max_and_compare(void **state)
{
   const struct row rows[] = {
      { MIN_F, 0, F32(1), F32(2), F32(1) },
      { MIN_F, 0, F32(2), F32(1), F32(1) },
      { MIN_F, 0, NAN32, F32(1), F32(1) },
      { MIN_F, 0, F32(1), NAN32, F32(1) },
      { MIN_F, 0, F32(-INFINITY), F32(1), F32(-INFINITY) },
      { MAX_F, 0, NAN32, F32(1), F32(1) },
      { MAX_F, 0, F32(1), NAN32, F32(1) },
      { MAX_F, 0, F32(1), F32(2), F32(2) },
      { CMP_F("eq"), 0, NAN32, NAN32, 0 },
      { CMP_F("ne"), 0, NAN32, NAN32, 0xffffffff },
      { CMP_F("lt"), 0, NAN32, F32(1), 0 },
      { CMP_F("ge"), 0, F32(1), NAN32, 0 },
      { CMP_F("eq"), 0, 0, 0x80000000, 0xffffffff },
      { CMP_F("lt"), 0, F32(1), F32(2), 0xffffffff },
      { CMP_F("gt"), 0, F32(1), F32(2), 0 },
      { CMP_F("le"), 0, F32(2), F32(2), 0xffffffff },
      /* A denormal is zero when it is flushed, and is not otherwise. */
      { CMP_F("eq"), 0, 1, 0, 0xffffffff },
      { CMP_F("eq"), SIM_CR0_DENORM_F, 1, 0, 0 },
   };
   check_rows(rows, ARRAY_SIZE(rows), 4, 4, 4);
}

static void
test_rounding(void **state)
{
   const struct row rows[] = {
      { ONE_F("rnde"), 0, F32(2.5f), 0, F32(2) },
      { ONE_F("rnde"), 0, F32(3.5f), 0, F32(4) },
      { ONE_F("rnde"), 0, F32(-0.5f), 0, F32(-0.0f) },
      { ONE_F("rnde"), 0, F32(0x1p30f), 0, F32(0x1p30f) },
      { ONE_F("rnde"), 0x30, F32(0.75f), 0, F32(1) },
      { ONE_F("rndd"), 0, F32(-0.25f), 0, F32(-1) },
      { ONE_F("rndd"), 0, F32(2.75f), 0, F32(2) },
      { ONE_F("rndu"), 0, F32(2.25f), 0, F32(3) },
      { ONE_F("rndu"), 0, F32(-0.25f), 0, F32(-0.0f) },
      { ONE_F("rndz"), 0, F32(-2.75f), 0, F32(-2) },
      { ONE_F("rndz"), 0, F32(INFINITY), 0, F32(INFINITY) },
      { ONE_F("frc"), 0, F32(2.75f), 0, F32(0.75f) },
      { ONE_F("frc"), 0, F32(-2.75f), 0, F32(0.25f) },
      { ONE_F("frc"), 0, F32(-1e-20f), 0, F32(0x1.fffffep-1f) },
      { "frc (8|M0) (sat)r8.0<1>:f r2.0<8;8,1>:f", 0, F32(-2.75f), 0,
        F32(0.25f) },
      { "frc (8|M0) (sat)r8.0<1>:f r2.0<8;8,1>:f", 0, NAN32, 0, 0 },
      { ONE_F("mov"), 0, 0x80000001, 0, 0x80000001 }, /* raw */
      { "mov (8|M0) r8.0<1>:f -r2.0<8;8,1>:f", 0, 1, 0, 0x80000000 },
      { "mov (8|M0) r8.0<1>:f -r2.0<8;8,1>:f", 0x80, 1, 0, 0x80000001 },
      { "mov (8|M0) r8.0<1>:f (abs)r2.0<8;8,1>:f", 0, F32(-3), 0, F32(3) },
      { "mov (8|M0) (sat)r8.0<1>:f r2.0<8;8,1>:f", 0, F32(1.5f), 0, F32(1) },
      { "mov (8|M0) (sat)r8.0<1>:f r2.0<8;8,1>:f", 0, F32(-1), 0, 0 },
      { "mov (8|M0) (sat)r8.0<1>:f r2.0<8;8,1>:f", 0, NAN32, 0, 0 },
   };
   check_rows(rows, ARRAY_SIZE(rows), 4, 4, 4);
}

/* To nearest, whatever the mode; the sum after it is not. */
static void
test_math_rounding(void **state)
{
   const struct row rows[] = {
      { "math.inv (8|M0) r8.0<1>:f r2.0<8;8,1>:f", 0x30, F32(3), 0,
        F32(0x1.555556p-2f) },
      { "math.fdiv (8|M0) r8.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", 0x30,
        F32(2), F32(3), F32(0x1.555556p-1f) },
      { "math.sqt (8|M0) r8.0<1>:f r2.0<8;8,1>:f", 0x30, F32(5), 0,
        F32(0x1.1e377ap1f) },
      { "add (8|M0) r8.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f", 0x30, F32(1),
        F32(0x1.8p-24f), F32(1) },
   };
   check_rows(rows, ARRAY_SIZE(rows), 4, 4, 4);
}

static void
test_float_to_int(void **state)
{
   static const char *f_d = "mov (8|M0) r8.0<1>:d r2.0<8;8,1>:f";
   static const char *f_ud = "mov (8|M0) r8.0<1>:ud r2.0<8;8,1>:f";
   static const char *f_w = "mov (8|M0) r8.0<2>:w r2.0<8;8,1>:f";
   const struct row rows[] = {
      { f_d, 0, F32(-2.75f), 0, (uint32_t)-2 },
      { f_d, 0x10, F32(2.75f), 0, 2 }, /* whatever the rounding mode */
      { f_d, 0, F32(3e9f), 0, 0x7fffffff },
      { f_d, 0, F32(-3e9f), 0, 0x80000000 },
      { f_d, 0, NAN32, 0, 0 },
      { f_d, 0, INF32, 0, 0x7fffffff },
      { f_ud, 0, F32(-1), 0, 0 },
      { f_ud, 0, F32(3e9f), 0, 3000000000u },
      { f_ud, 0, F32(5e9f), 0, 0xffffffff },
      { f_ud, 0, NAN32, 0, 0 },
   };
   check_rows(rows, ARRAY_SIZE(rows), 4, 4, 4);
   const struct row words[] = {
      { f_w, 0, F32(-2.75f), 0, (uint16_t)-2 },
      { f_w, 0, F32(32767), 0, 32767 },
   };
   check_rows(words, ARRAY_SIZE(words), 4, 4, 2);
}

static void
test_int_to_float(void **state)
{
   static const char *d_f = "mov (8|M0) r8.0<1>:f r2.0<8;8,1>:d";
   static const char *ud_f = "mov (8|M0) r8.0<1>:f r2.0<8;8,1>:ud";
   const struct row rows[] = {
      { d_f, 0, (uint32_t)-7, 0, F32(-7) },
      { d_f, 0, 16777217, 0, F32(16777216) },
      { d_f, 0x10, 16777217, 0, F32(16777218) },
      { d_f, 0, 0x80000000, 0, F32(-0x1p31f) },
      { ud_f, 0, 0xffffffff, 0, F32(0x1p32f) },
      { ud_f, 0x30, 0xffffffff, 0, F32(0x1.fffffep31f) },
      { ud_f, 0, 0x80000080, 0, F32(0x1p31f) },
      { ud_f, 0, 0x80000081, 0, F32(0x1.000002p31f) },
   };
   check_rows(rows, ARRAY_SIZE(rows), 4, 4, 4);
}

static void
test_double_conversions(void **state)
{
   static const char *df_f = "mov (8|M0) r8.0<2>:f r2.0<4;4,1>:df";
   static const char *df_d = "mov (8|M0) r8.0<2>:d r2.0<4;4,1>:df";
   static const char *df_ud = "mov (8|M0) r8.0<2>:ud r2.0<4;4,1>:df";
   static const char *f_df = "mov (8|M0) r8.0<1>:df r2.0<8;8,1>:f";
   static const char *d_df = "mov (8|M0) r8.0<1>:df r2.0<8;8,1>:d";
#define D64(x) util_double_bits(x)
   const struct row narrow[] = {
      { df_f, 0, D64(1.0 + 0x1p-24), 0, F32(1) },
      { df_f, 0, D64(1.0 + 0x1p-24 + 0x1p-52), 0, F32(0x1.000002p0f) },
      { df_f, 0x10, D64(1.0 + 0x1p-52), 0, F32(0x1.000002p0f) },
      { df_f, 0x20, D64(-1.0 - 0x1p-52), 0, F32(-0x1.000002p0f) },
      { df_f, 0, D64(1e300), 0, INF32 },
      { df_f, 0x30, D64(1e300), 0, 0x7f7fffff },
      { df_f, 0, D64(0x1p-140), 0, 0 },
      { df_f, 0xc0, D64(0x1p-140), 0, 1u << 9 },
      { df_f, 0x40, D64(0x1p-140), 0, 0 },
      /* What rounds up to the smallest normal is none to be flushed. */
      { df_f, 0, D64(0x1.fffffep-127), 0, F32(0x1p-126f) },
      { df_f, 0x40, D64(-0x1.fffffep-127), 0, F32(-0x1p-126f) },
      { df_f, 0x30, D64(0x1.fffffep-127), 0, 0 },
      { df_f, 0, D64(0x1.fffffdp-127), 0, 0 },
      { df_f, 0, D64(-0x1p-1060), 0, 0x80000000 },
      { df_d, 0, D64(-2.9), 0, (uint32_t)-2 },
      { df_d, 0, D64(1e10), 0, 0x7fffffff },
      { df_d, 0, D64(NAN), 0, 0 },
      { df_ud, 0, D64(4294967295.5), 0, 0xffffffff },
      { df_ud, 0, D64(-1), 0, 0 },
   };
   check_rows(narrow, ARRAY_SIZE(narrow), 8, 8, 4);
   const struct row wide[] = {
      { f_df, 0, F32(1.5f), 0, D64(1.5) },
      { f_df, 0, 1, 0, 0 },
      { f_df, SIM_CR0_DENORM_F, 1, 0, D64(0x1p-149) },
      { f_df, 0, F32(-INFINITY), 0, D64(-INFINITY) },
      { d_df, 0, (uint32_t)-7, 0, D64(-7) },
      { d_df, 0, 0x7fffffff, 0, D64(2147483647) },
   };
   check_rows(wide, ARRAY_SIZE(wide), 4, 8, 8);
}

static void
test_half(void **state)
{
   static const char *f_hf = "mov (8|M0) r8.0<2>:hf r2.0<8;8,1>:f";
   static const char *hf_f = "mov (8|M0) r8.0<1>:f r2.0<8;8,1>:hf";
   static const char *mad =
      "mad (8|M0) r8.0<1>:hf r2.0<2;1>:hf r4.0<2;1>:hf r4.0<2;1>:hf";
   const struct row rows[] = {
      { f_hf, 0, F32(1.0f + 0x1p-11f), 0, 0x3c00 },
      { f_hf, 0, F32(1.0f + 0x1p-11f + 0x1p-23f), 0, 0x3c01 },
      { f_hf, 0, F32(65520), 0, 0x7c00 },
      { f_hf, 0x30, F32(65520), 0, 0x7bff },
      { f_hf, 0, F32(0x1p-24f), 0, 0 },
      { f_hf, SIM_CR0_DENORM_HF, F32(0x1p-24f), 0, 1 },
      { f_hf, SIM_CR0_DENORM_HF, F32(0x1p-25f), 0, 0 },
      { f_hf, SIM_CR0_DENORM_HF, F32(0x1.8p-25f), 0, 1 },
   };
   check_rows(rows, ARRAY_SIZE(rows), 4, 4, 2);
   const struct row back[] = {
      { hf_f, 0, 0x3c00, 0, F32(1) },
      { hf_f, 0, 0x0001, 0, 0 },
      { hf_f, SIM_CR0_DENORM_HF, 0x0001, 0, F32(0x1p-24f) },
      { hf_f, 0, 0xfc00, 0, F32(-INFINITY) },
   };
   check_rows(back, ARRAY_SIZE(back), 2, 4, 4);
   /* 2^-14 + 0x1.004p0^2: the exact sum decides. */
   const struct row fma[] = {
      { mad, 0, 0x0400, 0x3c01, 0x3c02 },
      { mad, 0, 0x3c00, 0x3c00, 0x4000 },
   };
   check_rows(fma, ARRAY_SIZE(fma), 2, 2, 2);
}

/* Units in the last place between a float and the exact value. */
static double
ulps(float got, mpfr_t want)
{
   const float near = mpfr_get_flt(want, MPFR_RNDN);
   if (got == near || (got != got && near != near))
      return 0;
   mpfr_t d;
   mpfr_init2(d, 200);
   mpfr_set_flt(d, got, MPFR_RNDN);
   mpfr_sub(d, d, want, MPFR_RNDN);
   int e;
   frexpf(near, &e);
   const double u = fabs(ldexp(mpfr_get_d(d, MPFR_RNDN), 24 - MAX2(e, -125)));
   mpfr_clear(d);
   return u;
}

/* PRM SKL vol 2a, math, "Precision": bounds of the functions in units in the
 * last place; of sine and cosine, an absolute error. */
static void
test_math(void **state)
{
   static const struct {
      const char *name;
      int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
      double ulp, absolute;
   } functions[] = {
      { "inv", NULL, 1, 0 },
      { "sqt", mpfr_sqrt, 1, 0 },
      { "rsqt", mpfr_rec_sqrt, 1, 0 },
      { "exp", mpfr_exp2, 2, 0 },
      { "log", mpfr_log2, 2, 0x1p-21 },
      { "sin", mpfr_sin, 2, 0x1p-10 },
      { "cos", mpfr_cos, 2, 0x1p-10 },
   };
   uint64_t seed = 99;
   mpfr_t x, y;
   mpfr_inits2(200, x, y, (mpfr_ptr)0);
   for (unsigned f = 0; f < ARRAY_SIZE(functions); f++) {
      char *text = NULL;
      assert_true(asprintf(&text, "math.%s (8|M0) r8.0<1>:f r2.0<8;8,1>:f",
                           functions[f].name) > 0);
      for (unsigned trial = 0; trial < 300; trial++) {
         uint64_t in[3][8] = { 0 }, out[8];
         for (unsigned i = 0; i < 8; i++)
            in[0][i] = F32((float)isa_sample_below(&seed, 1 << 20) / 65536 +
                           0x1p-18f);
         run_values(text, 0, EU_BODIES_BEST, in, 4, out, 4, 4);
         for (unsigned i = 0; i < 8; i++) {
            mpfr_set_emin(-1073);
            mpfr_set_emax(1024);
            mpfr_set_flt(x, util_bits_float((uint32_t)in[0][i]), MPFR_RNDN);
            if (functions[f].exact)
               functions[f].exact(y, x, MPFR_RNDN);
            else
               mpfr_ui_div(y, 1, x, MPFR_RNDN);
            const float got = util_bits_float((uint32_t)out[i]);
            if (ulps(got, y) > functions[f].ulp &&
                fabs(got - mpfr_get_d(y, MPFR_RNDN)) > functions[f].absolute)
               fail_msg("math.%s(%a) = %a", functions[f].name,
                        (double)util_bits_float((uint32_t)in[0][i]),
                        (double)got);
         }
      }
      free(text);
   }
   mpfr_clears(x, y, (mpfr_ptr)0);
   const struct row rows[] = {
      { ONE_F("math.inv"), 0, 0, 0, INF32 },
      { ONE_F("math.inv"), 0, 0x80000000, 0, F32(-INFINITY) },
      { ONE_F("math.inv"), 0, INF32, 0, 0 },
      { ONE_F("math.sqt"), 0, 0x80000000, 0, 0x80000000 },
      { ONE_F("math.log"), 0, 0, 0, F32(-INFINITY) },
      { ONE_F("math.log"), 0, F32(8), 0, F32(3) },
      { ONE_F("math.exp"), 0, F32(-INFINITY), 0, 0 },
      { ONE_F("math.exp"), 0, F32(-130), 0, 0 },
      { ONE_F("math.rsqt"), 0, 0, 0, INF32 },
      { ONE_F("math.cos"), 0, 0, 0, F32(1) },
   };
   check_rows(rows, ARRAY_SIZE(rows), 4, 4, 4);
}

/* A plane equation: p * u + q * v + w. */
static void
test_interpolation(void **state)
{
   static struct sim_eu_thread t;
   struct sim_eu_program *p = test_assemble(
      90,
      "pln (16|M0) r20.0<1>:f r10.4<0;1,0>:f r2.0<8;8,1>:f\n"
      "line (8|M0) r24.0<1>:f r10.4<0;1,0>:f r2.0<8;8,1>:f\n" TEST_EOT,
      EU_BODIES_BEST);
   for (unsigned i = 0; i < 16; i++) {
      t.grf[2 + i / 8 * 2].f[i % 8] = (float)i;
      t.grf[3 + i / 8 * 2].f[i % 8] = (float)(100 * i);
   }
   t.grf[10].f[4] = 2;
   t.grf[10].f[5] = 3;
   t.grf[10].f[6] = 1000; /* not used */
   t.grf[10].f[7] = 0.5f;
   sim_eu_thread_init(&t, &env, 0xffff);
   assert_int_equal(test_run(&t, p), SIM_EU_EOT);
   for (unsigned i = 0; i < 16; i++)
      assert_true(t.grf[20 + i / 8].f[i % 8] == (float)(302 * i) + 0.5f);
   for (unsigned i = 0; i < 8; i++)
      assert_true(t.grf[24].f[i] == (float)(2 * i) + 0.5f);
   sim_eu_program_destroy(p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arithmetic),
      cmocka_unit_test(test_min_max_and_compare),
      cmocka_unit_test(test_rounding),
      cmocka_unit_test(test_math_rounding),
      cmocka_unit_test(test_float_to_int),
      cmocka_unit_test(test_int_to_float),
      cmocka_unit_test(test_double_conversions),
      cmocka_unit_test(test_half),
      cmocka_unit_test(test_math),
      cmocka_unit_test(test_interpolation),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
