/* SPDX-License-Identifier: MIT */
/* Two results beside each other. */
#include "trial.h"

#include <math.h>

static bool
is_canonical_nan_or_infinity(uint32_t w)
{
   return (w & 0x7fffffff) == 0x7fc00000 || (w & 0x7fffffff) == 0x7f800000;
}

static bool
near_double(const uint32_t *a, const uint32_t *b, double part)
{
   double x, y;

   memcpy(&x, a, 8);
   memcpy(&y, b, 8);
   return isnormal(x) && isnormal(y) &&
          fabs(x - y) <= part * 1e-9 * fmax(fabs(x), fabs(y));
}

/* Of float arithmetic the last digits are the compiler's to choose. */
static bool
near(uint32_t a, uint32_t b, double part)
{
   float x, y;

   if (a == b || is_canonical_nan_or_infinity(a))
      return true;
   memcpy(&x, &a, 4);
   memcpy(&y, &b, 4);
   if (!isfinite(x) || !isfinite(y))
      return false;
   /* Small integers are no floats. */
   if (fpclassify(x) == FP_SUBNORMAL || fpclassify(y) == FP_SUBNORMAL)
      return false;
   return fabsf(x - y) <= part * (1e-3 * fmaxf(fabsf(x), fabsf(y)) + 1e-4);
}

/* Word i of an array, which may be half of a double. */
static bool
near_word(const uint32_t *a, const uint32_t *b, unsigned i, double part)
{
   const unsigned pair = i & ~1u;
   return near(a[i], b[i], part) || near_double(a + pair, b + pair, part);
}

struct comparison {
   const struct trial *t;
   const struct trial_result *want, *got;
   const struct trial_result *const *nudged;
   struct arena *arena;
};

static const char *
describe(const struct comparison *c, const char *where, uint32_t want,
         uint32_t got)
{
   float x, y;

   memcpy(&x, &want, 4);
   memcpy(&y, &got, 4);
   return arena_printf(c->arena, "%s is 0x%08x (%g), not 0x%08x (%g)", where,
                       got, (double)y, want, (double)x);
}

static const char *
slot_name(gl_shader_stage stage, unsigned slot, struct arena *arena)
{
   if (stage != MESA_SHADER_FRAGMENT)
      return slot < VARYING_SLOT_TESS_MAX
                ? gl_varying_slot_name_for_stage((gl_varying_slot)slot, stage)
                : "output";
   if (slot >= NIR_INTERP_SRC1)
      return arena_printf(
         arena, "%s of source 1",
         gl_frag_result_name((gl_frag_result)(slot - NIR_INTERP_SRC1)));
   return gl_frag_result_name((gl_frag_result)slot);
}

static bool
varies(const struct comparison *c, const uint32_t *want, size_t offset_B,
       unsigned i)
{
   for (const struct trial_result *const *n = c->nudged; *n; n++) {
      const uint32_t *other =
         (const uint32_t *)((const char *)(*n)->outputs + offset_B);
      if (!near_word(want, other, i, 0.02))
         return true;
   }
   return false;
}

static bool
kills_vary(const struct comparison *c, unsigned lane)
{
   for (const struct trial_result *const *n = c->nudged; *n; n++) {
      if (((*n)->killed ^ c->want->killed) >> lane & 1)
         return true;
   }
   return false;
}

/* An output of fragments that goes nowhere. */
static bool
is_no_target(const struct trial_layout *l, unsigned slot)
{
   return l->stage == MESA_SHADER_FRAGMENT &&
          slot >= FRAG_RESULT_DATA0 + l->targets &&
          slot < FRAG_RESULT_DATA0 + 8;
}

static const char *
compare_lane(const struct comparison *c, unsigned lane)
{
   const size_t at = (size_t)lane * NIR_INTERP_SLOTS;
   const uint32_t *want = c->want->outputs[at], *got = c->got->outputs[at];

   if (c->got->killed >> lane & 1)
      return NULL;
   for (unsigned i = 0; i < NIR_INTERP_SLOTS * 4; i++) {
      if (want[i] == TRIAL_UNWRITTEN || is_no_target(c->t->layout, i / 4) ||
          near_word(want, got, i, 1) ||
          varies(c, want, at * sizeof(nir_interp_slot), i))
         continue;
      return describe(
         c,
         arena_printf(c->arena, "%s.%c of invocation %u",
                      slot_name(c->t->layout->stage, i / 4, c->arena),
                      "xyzw"[i % 4], lane),
         want[i], got[i]);
   }
   return NULL;
}

static const char *
compare_lanes(const struct comparison *c)
{
   const struct trial_layout *l = c->t->layout;
   const bool patch = l->stage == MESA_SHADER_TESS_CTRL;
   const char *diff = NULL;

   if (l->stage == MESA_SHADER_GEOMETRY)
      return NULL;
   for (unsigned lane = 0; lane < l->lanes + patch && !diff; lane++) {
      const bool differs = (c->want->killed ^ c->got->killed) >> lane & 1;
      if (differs && !kills_vary(c, lane))
         diff = arena_printf(c->arena, "invocation %u is %sdiscarded", lane,
                             c->got->killed >> lane & 1 ? "" : "not ");
      else if (!differs)
         diff = compare_lane(c, lane);
   }
   return diff;
}

static const char *
compare_buffers(const struct comparison *c)
{
   for (unsigned b = 0; b < TRIAL_BUFFERS; b++) {
      const uint32_t *want = (const uint32_t *)c->want->buffers[b];
      const uint32_t *got = (const uint32_t *)c->got->buffers[b];
      for (unsigned i = 0; i < TRIAL_BUFFER_B / 4; i++) {
         bool same = near_word(want, got, i, 1);
         for (const struct trial_result *const *n = c->nudged; *n && !same;
              n++)
            same =
               !near_word(want, (const uint32_t *)(*n)->buffers[b], i, 0.02);
         if (!same)
            return describe(c,
                            arena_printf(c->arena,
                                         "byte %u of the buffer in entry %u",
                                         4 * i, b),
                            want[i], got[i]);
      }
   }
   return NULL;
}

/* Geometry shaders: vertices in their order. */
static const char *
compare_emitted(const struct comparison *c)
{
   const uint32_t *want = c->want->emitted.data, *got = c->got->emitted.data;
   const size_t n = c->want->emitted.size_B / 4;

   if (n != c->got->emitted.size_B / 4)
      return "another number of vertices is emitted";
   for (size_t i = 0; i < n; i++) {
      bool same = want[i] == TRIAL_UNWRITTEN || near(want[i], got[i], 1);
      for (const struct trial_result *const *k = c->nudged; *k && !same; k++)
         same =
            (*k)->emitted.size_B / 4 != n ||
            !near(want[i], ((const uint32_t *)(*k)->emitted.data)[i], 0.02);
      if (same)
         continue;
      const size_t record = (NIR_INTERP_SLOTS + 1) * 4;
      const size_t word = i % record;
      return describe(
         c,
         arena_printf(c->arena, "%s.%c of emission %zu",
                      word < 4 ? "the head"
                               : slot_name(MESA_SHADER_GEOMETRY,
                                           (unsigned)word / 4 - 1, c->arena),
                      "xyzw"[word % 4], i / record),
         want[i], got[i]);
   }
   return NULL;
}

const char *
trial_compare(const struct trial *t, const struct trial_result *want,
              const struct trial_result *const *nudged,
              const struct trial_result *got, struct arena *arena)
{
   const struct comparison c = { t, want, got, nudged, arena };
   const char *diff = got->error;

   if (want->undefined)
      return NULL;
   if (got->undefined && !diff)
      return "it does not end";
   if (!diff)
      diff = compare_lanes(&c);
   if (!diff)
      diff = compare_buffers(&c);
   if (!diff)
      diff = compare_emitted(&c);
   return diff;
}
