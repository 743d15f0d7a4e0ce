/* SPDX-License-Identifier: MIT */
/*
 * The tessellator, by the properties that OpenGL's specification (11.2.2) and
 * Direct3D's ask for. Bit by bit it is compared with another implementation
 * by peer_tess.c.
 */
#include <math.h>
#include <string.h>

#include "intel/genxml/gen9_pack.h"
#include "intel/sim/geometry/tessellator.h"
#include "util/macros.h"
#include "util/unit_test.h"

#define ONE SIM_TESS_ONE

static struct sim_tess tess;

static struct sim_tess_state
make_state(uint32_t domain, uint32_t partitioning)
{
   return (struct sim_tess_state) {
      .domain = domain,
      .partitioning = partitioning,
      .topology = domain == TE_DOMAIN_ISOLINE ? OUTPUT_LINE : OUTPUT_TRI_CW,
      .max_odd = 63,
      .max_not_odd = 64,
   };
}

/* Of a generator that is the same everywhere: mostly small factors. */
static float
random_factor(uint32_t *seed)
{
   *seed = *seed * 1664525 + 1013904223;
   const float f = (float)(*seed >> 8) / 0x1000000;
   return *seed & 16 ? 8 * f + 0.1f : 70 * f;
}

static struct sim_tess_factors
random_factors(uint32_t *seed)
{
   struct sim_tess_factors f;
   for (unsigned i = 0; i < 4; i++)
      f.outer[i] = random_factor(seed);
   /* Less than this, and the inside touches the edges. */
   for (unsigned i = 0; i < 2; i++)
      f.inner[i] = 1.01f + random_factor(seed);
   return f;
}

/* What OpenGL says: clamped, rounded up to an integer, an odd or an even
 * one. */
static unsigned
expected_segments(uint32_t partitioning, float f)
{
   switch (partitioning) {
   case TE_PARTITIONING_ODD_FRACTIONAL: {
      const unsigned n = (unsigned)ceilf(CLAMP(f, 1, 63));
      return n | 1;
   }
   case TE_PARTITIONING_EVEN_FRACTIONAL: {
      const unsigned n = (unsigned)ceilf(CLAMP(f, 2, 64));
      return (n + 1) & ~1u;
   }
   default: return (unsigned)ceilf(CLAMP(f, 1, 64));
   }
}

/* Points in an edge of the domain, from one end to the other. */
static unsigned
edge_points(unsigned domain, unsigned edge, uint32_t at[65])
{
   unsigned n = 0;
   for (unsigned i = 0; i < tess.num_points; i++) {
      const uint32_t u = tess.point[i].u, v = tess.point[i].v;
      const uint32_t place[4] = { v, u, domain == TE_DOMAIN_TRI ? u : v, u };
      const bool on[4] = { u == 0, v == 0,
                           domain == TE_DOMAIN_TRI ? u + v == ONE : u == ONE,
                           v == ONE };
      if (!on[edge])
         continue;
      assert_true(n < 65);
      unsigned k = n++;
      for (; k > 0 && at[k - 1] > place[edge]; k--)
         at[k] = at[k - 1];
      at[k] = place[edge];
   }
   return n;
}

/*
 * Coverage: triangles have the asked winding, and each edge between two of
 * them is used once in each direction; what is used once is the border. So
 * they cover the domain once, and their areas add up.
 */

/* Bit b % 8 of used[a][b / 8]: a triangle goes from a to b. */
static uint8_t used[SIM_TESS_MAX_POINTS][SIM_TESS_MAX_POINTS / 8 + 1];

static bool
is_used(uint16_t a, uint16_t b)
{
   return used[a][b / 8] >> b % 8 & 1;
}

static void
use_edge(uint16_t a, uint16_t b)
{
   assert_false(is_used(a, b));
   used[a][b / 8] |= (uint8_t)(1u << b % 8);
}

static int64_t
doubled_area(const uint16_t t[3])
{
   const struct sim_tess_point *a = &tess.point[t[0]];
   const struct sim_tess_point *b = &tess.point[t[1]];
   const struct sim_tess_point *c = &tess.point[t[2]];
   return ((int64_t)b->u - a->u) * ((int64_t)c->v - a->v) -
          ((int64_t)b->v - a->v) * ((int64_t)c->u - a->u);
}

static void
check_coverage(const struct sim_tess_state *s, unsigned border)
{
   const int sign = s->topology == OUTPUT_TRI_CW ? 1 : -1;
   int64_t area = 0;
   memset(used, 0, sizeof(used[0]) * tess.num_points);
   assert_int_equal(tess.vertices, 3);
   assert_int_equal(tess.num_indices % 3, 0);
   for (unsigned i = 0; i < tess.num_indices; i += 3) {
      const uint16_t *t = &tess.index[i];
      const int64_t a = sign * doubled_area(t);
      assert_true(a >= 0);
      area += a;
      for (unsigned k = 0; k < 3; k++) {
         assert_true(t[k] < tess.num_points);
         use_edge(t[k], t[(k + 1) % 3]);
      }
   }
   assert_true(area ==
               (int64_t)ONE * ONE * (s->domain == TE_DOMAIN_TRI ? 1 : 2));
   unsigned alone = 0;
   for (unsigned i = 0; i < tess.num_indices; i++) {
      const uint16_t a = tess.index[i];
      const uint16_t b = tess.index[i % 3 == 2 ? i - 2 : i + 1];
      alone += !is_used(b, a);
   }
   assert_int_equal(alone, border);
}

static void
test_coverage(void **state)
{
   uint32_t seed = 7;
   for (unsigned trial = 0; trial < 3000; trial++) {
      const unsigned domain = trial & 1 ? TE_DOMAIN_TRI : TE_DOMAIN_QUAD;
      const unsigned edges = domain == TE_DOMAIN_TRI ? 3 : 4;
      struct sim_tess_state s = make_state(domain, trial / 2 % 3);
      const struct sim_tess_factors f = random_factors(&seed);
      bool fine = true;
      if (trial % 5 == 0)
         s.topology = OUTPUT_TRI_CCW;
      sim_tessellate(&s, &f, &tess);
      unsigned border = 0;
      for (unsigned e = 0; e < edges; e++) {
         border += expected_segments(s.partitioning, f.outer[e]);
         /* A factor just above an integer may be one in fixed point. */
         fine &= fabsf(f.outer[e] - roundf(f.outer[e])) > 1.0f / ONE;
      }
      if (fine)
         check_coverage(&s, border);
   }
}

/* The topology only turns the triangles round. */
static void
test_winding(void **state)
{
   const struct sim_tess_factors f = { { 3, 4, 5, 6 }, { 7, 8 } };
   static struct sim_tess other;
   for (unsigned domain = TE_DOMAIN_QUAD; domain <= TE_DOMAIN_TRI; domain++) {
      struct sim_tess_state s = make_state(domain, TE_PARTITIONING_INTEGER);
      sim_tessellate(&s, &f, &tess);
      s.topology = OUTPUT_TRI_CCW;
      sim_tessellate(&s, &f, &other);
      assert_int_equal(tess.num_indices, other.num_indices);
      for (unsigned i = 0; i < tess.num_indices; i += 3) {
         assert_int_equal(tess.index[i], other.index[i]);
         assert_int_equal(tess.index[i + 1], other.index[i + 2]);
         assert_int_equal(tess.index[i + 2], other.index[i + 1]);
      }
   }
}

/* OpenGL: the same number of triangles for every inside of a given number
 * of segments: n rings of a triangle, a grid of a quad. */
static void
test_counts(void **state)
{
   for (unsigned n = 1; n <= 64; n++) {
      const float x = (float)n;
      const struct sim_tess_factors f = { { x, x, x, x }, { x, x } };
      struct sim_tess_state s =
         make_state(TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER);
      sim_tessellate(&s, &f, &tess);
      assert_int_equal(tess.num_points, (n + 1) * (n + 1));
      assert_int_equal(tess.num_indices, 6 * n * n);
      s.domain = TE_DOMAIN_TRI;
      sim_tessellate(&s, &f, &tess);
      unsigned points = n % 2 == 0, triangles = n % 2;
      for (unsigned k = n; k >= 1; k = k >= 2 ? k - 2 : 0) {
         points += 3 * k;
         triangles += k > 1 ? 3 * (2 * k - 2) : 0;
      }
      assert_int_equal(tess.num_points, points);
      assert_int_equal(tess.num_indices, 3 * triangles);
      s = make_state(TE_DOMAIN_ISOLINE, TE_PARTITIONING_INTEGER);
      sim_tessellate(&s, &f, &tess);
      assert_int_equal(tess.num_points, n * (n + 1));
      assert_int_equal(tess.num_indices, 2 * n * n);
   }
}

static void
test_points(void **state)
{
   const struct sim_tess_factors f = { { 3, 4, 5, 6 }, { 7, 8 } };
   for (unsigned domain = TE_DOMAIN_QUAD; domain <= TE_DOMAIN_ISOLINE;
        domain++) {
      struct sim_tess_state s = make_state(domain, TE_PARTITIONING_INTEGER);
      sim_tessellate(&s, &f, &tess);
      const unsigned points = tess.num_points;
      s.topology = OUTPUT_POINT;
      sim_tessellate(&s, &f, &tess);
      assert_int_equal(tess.num_points, points);
      assert_int_equal(tess.num_indices, points);
      assert_int_equal(tess.vertices, 1);
      for (unsigned i = 0; i < points; i++)
         assert_int_equal(tess.index[i], i);
   }
}

/* Every point is there once. (Fractional ones may fall together.) */
static void
test_unique(void **state)
{
   uint32_t seed = 3;
   for (unsigned trial = 0; trial < 300; trial++) {
      const struct sim_tess_state s =
         make_state(trial % 3, TE_PARTITIONING_INTEGER);
      const struct sim_tess_factors f = random_factors(&seed);
      sim_tessellate(&s, &f, &tess);
      for (unsigned i = 0; i < tess.num_points; i++) {
         for (unsigned k = 0; k < i && tess.num_points < 500; k++)
            assert_false(tess.point[i].u == tess.point[k].u &&
                         tess.point[i].v == tess.point[k].v);
         assert_true(tess.point[i].u <= ONE && tess.point[i].v <= ONE);
      }
   }
}

/*
 * Edges
 */

/* How long a segment is that the smaller division has, too (in_both), or that
 * is new: in between 1 / (n - 2), or nothing, and 1 / n. */
static double
blend(double factor, unsigned n, bool in_both)
{
   const double t = (factor - (n - 2.0)) / 2;
   const double small = in_both && n > 2 ? 1.0 / (n - 2.0) : 0;
   return ONE * (small * (1 - t) + t / n);
}

static void
check_edge(uint32_t partitioning, float f, const uint32_t *at, unsigned n)
{
   const unsigned segments = expected_segments(partitioning, f);
   assert_int_equal(n, segments + 1);
   assert_int_equal(at[0], 0);
   assert_int_equal(at[n - 1], ONE);
   /* "symmetrically": 1 - x is there with x. */
   for (unsigned i = 0; i < n; i++)
      assert_int_equal(at[i] + at[n - 1 - i], ONE);
   if (partitioning == TE_PARTITIONING_INTEGER) {
      for (unsigned i = 0; i < n; i++)
         assert_true(fabs(at[i] - (double)i * ONE / segments) < segments);
      return;
   }
   /* n - 2 segments of one length, and two others that are not longer. Their
    * lengths follow from the factor: see blend(). */
   const double f0 = CLAMP(f, partitioning == 2 ? 2 : 1, 64);
   const double longest = blend(f0, segments, 1),
                rest = blend(f0, segments, 0);
   unsigned shorter = 0;
   for (unsigned i = 0; i + 1 < n; i++) {
      const double length = at[i + 1] - at[i];
      const bool is_long = fabs(length - longest) < segments + 2;
      assert_true(is_long || fabs(length - rest) < segments + 2);
      shorter += !is_long;
   }
   assert_true(shorter <= 2);
}

/* Edges have what their own factor says, whatever the other factors are. */
static void
test_edges(void **state)
{
   uint32_t seed = 11, at[65], other[65];
   for (unsigned trial = 0; trial < 2000; trial++) {
      const unsigned domain = trial & 1 ? TE_DOMAIN_TRI : TE_DOMAIN_QUAD;
      const unsigned edges = domain == TE_DOMAIN_TRI ? 3 : 4;
      const struct sim_tess_state s = make_state(domain, trial / 2 % 3);
      struct sim_tess_factors f = random_factors(&seed);
      const unsigned e = trial / 6 % edges, e2 = (e + 1 + trial / 24) % edges;
      const float factor = f.outer[e];
      if (fabsf(factor - roundf(factor)) <= 1.0f / ONE)
         continue;
      sim_tessellate(&s, &f, &tess);
      const unsigned n = edge_points(domain, e, at);
      check_edge(s.partitioning, factor, at, n);

      /* The neighbour has it as another edge, with other factors. */
      f = random_factors(&seed);
      f.outer[e2] = factor;
      sim_tessellate(&s, &f, &tess);
      assert_int_equal(edge_points(domain, e2, other), n);
      assert_memory_equal(at, other, n * sizeof(at[0]));
   }
}

/* Points move continuously: never far for a small step of the factor. */
static void
test_continuous(void **state)
{
   for (unsigned partitioning = TE_PARTITIONING_ODD_FRACTIONAL;
        partitioning <= TE_PARTITIONING_EVEN_FRACTIONAL; partitioning++) {
      const struct sim_tess_state s =
         make_state(TE_DOMAIN_QUAD, partitioning);
      uint32_t at[65], before[65];
      unsigned n = 0;
      for (float x = 2.01f; x < 62; x += 0.01f) {
         const struct sim_tess_factors f = { { x, x, x, x }, { x, x } };
         sim_tessellate(&s, &f, &tess);
         const unsigned now = edge_points(TE_DOMAIN_QUAD, 1, at);
         assert_true(n == 0 || now == n || now == n + 2);
         for (unsigned i = 0; i < now && now == n; i++)
            assert_true(abs((int)at[i] - (int)before[i]) < 512);
         memcpy(before, at, sizeof(at));
         n = now;
      }
      assert_true(n > 60);
   }
}

/*
 * Special factors
 */

static void
test_cull(void **state)
{
   static const float bad[] = { 0, -0.0f, -1, -INFINITY, NAN };
   static const unsigned outer[] = { 4, 3, 2 };
   for (unsigned i = 0; i < ARRAY_SIZE(bad); i++) {
      for (unsigned domain = 0; domain < 3; domain++) {
         const struct sim_tess_state s =
            make_state(domain, TE_PARTITIONING_EVEN_FRACTIONAL);
         for (unsigned e = 0; e < 6; e++) {
            struct sim_tess_factors f = { { 2, 2, 2, 2 }, { 2, 2 } };
            (e < 4 ? f.outer : f.inner - 4)[e] = bad[i];
            sim_tessellate(&s, &f, &tess);
            assert_int_equal(tess.num_points == 0, e < outer[domain]);
            assert_int_equal(tess.num_indices == 0, e < outer[domain]);
         }
      }
   }
}

static void
check_size(uint32_t domain, uint32_t partitioning, float outer, float inner,
           unsigned points, unsigned indices)
{
   const struct sim_tess_state s = make_state(domain, partitioning);
   const struct sim_tess_factors f = { { outer, outer, outer, outer },
                                       { inner, inner } };
   sim_tessellate(&s, &f, &tess);
   assert_int_equal(tess.num_points, points);
   assert_int_equal(tess.num_indices, indices);
}

/* All ones: not divided. One more segment anywhere, and the inside is. */
static void
test_undivided(void **state)
{
   const float more = 1.1f;
   check_size(TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER, 1, 1, 4, 6);
   check_size(TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER, 0.1f, NAN, 4, 6);
   check_size(TE_DOMAIN_QUAD, TE_PARTITIONING_ODD_FRACTIONAL, 1, 1, 4, 6);
   check_size(TE_DOMAIN_QUAD, TE_PARTITIONING_EVEN_FRACTIONAL, 1, 1, 9, 24);
   check_size(TE_DOMAIN_TRI, TE_PARTITIONING_INTEGER, 1, 1, 3, 3);
   check_size(TE_DOMAIN_TRI, TE_PARTITIONING_ODD_FRACTIONAL, 1, 1, 3, 3);
   /* The inside of one segment counts as a little more than one. */
   check_size(TE_DOMAIN_TRI, TE_PARTITIONING_INTEGER, more, 1, 7, 18);
   check_size(TE_DOMAIN_TRI, TE_PARTITIONING_ODD_FRACTIONAL, more, 1, 12, 39);
   check_size(TE_DOMAIN_QUAD, TE_PARTITIONING_ODD_FRACTIONAL, more, 1, 16,
              54);
   check_size(TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER, 1, 2, 5, 12);
}

/* The state's limits, and the hardware's. */
static void
test_limits(void **state)
{
   struct sim_tess_state s =
      make_state(TE_DOMAIN_QUAD, TE_PARTITIONING_INTEGER);
   const struct sim_tess_factors f = { { INFINITY, 1e30f, 100, 64.5f },
                                       { INFINITY, 1e10f } };
   sim_tessellate(&s, &f, &tess);
   assert_int_equal(tess.num_points, SIM_TESS_MAX_POINTS);
   s.partitioning = TE_PARTITIONING_ODD_FRACTIONAL;
   sim_tessellate(&s, &f, &tess);
   assert_int_equal(tess.num_points, 64 * 64);
   s.max_odd = 5;
   sim_tessellate(&s, &f, &tess);
   assert_int_equal(tess.num_points, 36);
   s.partitioning = TE_PARTITIONING_EVEN_FRACTIONAL;
   s.max_not_odd = INFINITY;
   sim_tessellate(&s, &f, &tess);
   assert_int_equal(tess.num_points, SIM_TESS_MAX_POINTS);
   s.max_not_odd = NAN;
   sim_tessellate(&s, &f, &tess);
   assert_int_equal(tess.num_points, 9);
}

/* Lines are at equal distances, none at the end, and each goes from one side
 * to the other. */
static void
test_isolines(void **state)
{
   const struct sim_tess_state s =
      make_state(TE_DOMAIN_ISOLINE, TE_PARTITIONING_ODD_FRACTIONAL);
   const struct sim_tess_factors f = { { 3.5f, 4.25f }, { 0 } };
   sim_tessellate(&s, &f, &tess);
   assert_int_equal(tess.num_indices, 4 * 5 * 2);
   for (unsigned i = 0; i < tess.num_indices; i += 2) {
      const struct sim_tess_point a = tess.point[tess.index[i]];
      const struct sim_tess_point b = tess.point[tess.index[i + 1]];
      assert_int_equal(a.v, i / 10 * (ONE / 4));
      assert_int_equal(b.v, a.v);
      assert_true(a.u < b.u);
      if (i % 10 == 0)
         assert_int_equal(a.u, 0);
      if (i % 10 == 8)
         assert_int_equal(b.u, ONE);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_coverage),   cmocka_unit_test(test_winding),
      cmocka_unit_test(test_counts),     cmocka_unit_test(test_points),
      cmocka_unit_test(test_unique),     cmocka_unit_test(test_edges),
      cmocka_unit_test(test_continuous), cmocka_unit_test(test_cull),
      cmocka_unit_test(test_undivided),  cmocka_unit_test(test_limits),
      cmocka_unit_test(test_isolines),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
