/* SPDX-License-Identifier: MIT */
/*
 * Division of a patch, by the rules that Direct3D 11 gives ("Direct3D 11.3
 * Functional Specification", section 8 "Tessellator") and that the hardware
 * follows, so that it also meets OpenGL's ("OpenGL 4.6", 11.2.2).
 *
 * An axis (an edge, or one direction of the inside) is divided symmetrically:
 * only one half is computed. While a fractional factor grows, one point of
 * the half splits in two that move apart; where, is chosen so that the half
 * is a binary tree that fills up level by level. Points are blended between
 * the division of the next smaller and of the next greater number of
 * segments, in fixed point, and nothing but the edge's own factor matters:
 * so two patches have the same points on a common edge.
 *
 * The inside is a set of nested rings. Two rings of the inside differ by one
 * segment at either end of a side and are stitched regularly. Between the
 * edges and the first ring the number of segments is arbitrary; there, each
 * segment of either side has a place in the full tree (of 64 segments), and
 * triangles come in the order of these places.
 *
 * All rings run the same way round, with the inside on the left when v points
 * upwards. Holds after: each point is once in the list, triangles cover the
 * domain once.
 */
#include "tessellator.h"

#include <assert.h>

#include "intel/genxml/gen9_pack.h"
#include "util/macros.h"

#define ONE SIM_TESS_ONE
#define HALF (ONE / 2)
#define MAX_SEGMENTS SIM_TESS_MAX_FACTOR
#define TREE_SLOTS (MAX_SEGMENTS / 2)

/*
 * One axis
 */

struct axis {
   bool odd;          /* number of segments */
   unsigned half;     /* points of one half, without one in the middle */
   uint32_t fraction; /* how far from the smaller division to the greater */
   unsigned split;    /* the point that came last, as they are numbered now */
   uint32_t small, great; /* length of a segment in either division */
};

static unsigned
axis_segments(const struct axis *a)
{
   return 2 * a->half - a->odd;
}

static uint32_t
reciprocal(unsigned n)
{
   return (ONE + n / 2) / n;
}

/* Of a number in the tree: what is left below its level. */
static unsigned
place_in_level(unsigned n)
{
   return n ? n & ~(1u << (31 - __builtin_clz(n))) : 0;
}

/* `factor`: fixed point, at least 1 if odd, 2 if even. */
static struct axis
make_axis(uint32_t factor, bool odd)
{
   /* The middle segment of an odd division counts as a whole one. */
   const uint32_t half = (factor + 1) / 2 + (odd ? HALF : 0);
   const unsigned below = half / ONE;
   struct axis a = {
      .odd = odd,
      .half = (half + ONE - 1) / ONE,
      .fraction = half % ONE,
      .split = ~0u,
   };
   a.small = reciprocal(2 * below - odd);
   a.great = reciprocal(2 * a.half - odd);
   if (a.fraction && !odd)
      a.split = 2 * place_in_level(below) + 1;
   else if (a.fraction) /* the first one comes out of the corner */
      a.split = below == 1 ? 0 : 2 * place_in_level(below - 1) + 1;
   return a;
}

/* Where point i of the axis is. */
static uint32_t
axis_at(const struct axis *a, unsigned i)
{
   const bool mirrored = i >= a->half;
   if (mirrored)
      i = axis_segments(a) - i;
   if (i == a->half)
      return HALF;
   const uint64_t small = (uint64_t)(i - (i > a->split)) * a->small;
   const uint64_t great = (uint64_t)i * a->great;
   const uint32_t at =
      (uint32_t)((small * (ONE - a->fraction) + great * a->fraction + HALF) /
                 ONE);
   return mirrored ? ONE - at : at;
}

/*
 * Factors
 */

/* A number that is no number becomes the lower limit. */
static float
limit(float f, float low, float high)
{
   return f > low ? (f < high ? f : high) : low;
}

struct limits {
   float low, high;
};

static struct limits
factor_limits(const struct sim_tess_state *s)
{
   switch (s->partitioning) {
   case TE_PARTITIONING_ODD_FRACTIONAL:
      return (struct limits) { 1, limit(s->max_odd, 1, MAX_SEGMENTS - 1) };
   case TE_PARTITIONING_EVEN_FRACTIONAL:
      return (struct limits) { 2, limit(s->max_not_odd, 2, MAX_SEGMENTS) };
   default:
      return (struct limits) { 1, limit(s->max_not_odd, 1, MAX_SEGMENTS) };
   }
}

static unsigned
round_up(float f)
{
   const unsigned n = (unsigned)f;
   return n + ((float)n < f);
}

/* To the nearest, ties to even, like the hardware's other conversions. */
static uint32_t
to_fixed(float f)
{
   const float scaled = f * ONE; /* exact */
   const uint32_t n = (uint32_t)scaled;
   const float rest = scaled - (float)n;
   return n + (rest > 0.5f || (rest == 0.5f && (n & 1)));
}

/* Of a factor within its limits. */
static struct axis
factor_axis(const struct sim_tess_state *s, float f)
{
   const uint32_t fixed = to_fixed(f);
   switch (s->partitioning) {
   case TE_PARTITIONING_ODD_FRACTIONAL: return make_axis(fixed, true);
   case TE_PARTITIONING_EVEN_FRACTIONAL: return make_axis(fixed, false);
   default: {
      const unsigned n = round_up(f);
      return make_axis(n * ONE, n & 1);
   }
   }
}

/* Of a factor of the inside, in a patch that is divided: there it is at
 * least a little more than one segment. */
static struct axis
inner_axis(const struct sim_tess_state *s, float f)
{
   const float epsilon = 1.0f / ONE;
   if (s->partitioning == TE_PARTITIONING_INTEGER && f == 1)
      f = 2;
   return factor_axis(s, f < 1 + epsilon ? 1 + epsilon : f);
}

struct patch {
   unsigned edges; /* 3 or 4 */
   bool divided;   /* any axis has more than one segment */
   struct axis outer[4];
   struct axis inner[2]; /* along u, along v: as in struct sim_tess_factors */
   unsigned first[4];    /* points of the edges */
   unsigned edge_points; /* of all edges: the inside's points follow */
};

static struct patch
make_patch(const struct sim_tess_state *s, const struct sim_tess_factors *f,
           unsigned edges, unsigned inner)
{
   const struct limits l = factor_limits(s);
   struct patch p = { .edges = edges };
   for (unsigned i = 0; i < edges; i++) {
      p.outer[i] = factor_axis(s, limit(f->outer[i], l.low, l.high));
      p.divided |= axis_segments(&p.outer[i]) > 1;
   }
   for (unsigned i = 0; i < inner; i++) {
      p.inner[i] = factor_axis(s, limit(f->inner[i], l.low, l.high));
      p.divided |= axis_segments(&p.inner[i]) > 1;
   }
   for (unsigned i = 0; i < inner && p.divided; i++)
      p.inner[i] = inner_axis(s, limit(f->inner[i], l.low, l.high));
   return p;
}

static bool
culled(const struct sim_tess_factors *f, unsigned outer)
{
   for (unsigned i = 0; i < outer; i++) {
      if (!(f->outer[i] > 0))
         return true;
   }
   return false;
}

/*
 * Primitives
 */

static void
add_point(struct sim_tess *out, uint32_t u, uint32_t v)
{
   assert(out->num_points < SIM_TESS_MAX_POINTS);
   out->point[out->num_points++] = (struct sim_tess_point) { u, v };
}

/* Takes triangles with the inside of the domain on the left. "Clockwise" is
 * meant with v pointing downwards. */
struct triangles {
   struct sim_tess *out;
   bool none, reverse;
};

static void
triangle(const struct triangles *t, uint16_t a, uint16_t b, uint16_t c)
{
   struct sim_tess *out = t->out;
   if (t->none)
      return;
   assert(out->num_indices + 3 <= SIM_TESS_MAX_INDICES);
   uint16_t *index = &out->index[out->num_indices];
   index[0] = a;
   index[1] = t->reverse ? c : b;
   index[2] = t->reverse ? b : c;
   out->num_indices += 3;
}

static struct triangles
start_triangles(const struct sim_tess_state *s, struct sim_tess *out)
{
   out->vertices = s->topology == OUTPUT_POINT ? 1 : 3;
   return (struct triangles) {
      .out = out,
      .none = out->vertices == 1,
      .reverse = s->topology == OUTPUT_TRI_CCW,
   };
}

/* One side of a ring: the indices of its points. */
struct side {
   unsigned segments;
   uint16_t point[MAX_SEGMENTS + 1];
};

/* The cell between out[0], out[1] and in[0], in[1]. Its diagonal goes from
 * out[0] to in[1] if it leans forward, else from out[1] to in[0]. */
static void
stitch_cell(const struct triangles *t, const uint16_t *out,
            const uint16_t *in, bool forward)
{
   if (forward) {
      triangle(t, in[0], out[0], in[1]);
      triangle(t, in[1], out[0], out[1]);
   } else {
      triangle(t, in[0], out[0], out[1]);
      triangle(t, in[0], out[1], in[1]);
   }
}

/* Two sides of inner rings: `out` has one segment more at either end. */
static void
stitch_sides(const struct triangles *t, const struct side *out,
             const struct side *in)
{
   const unsigned n = out->segments;
   assert(in->segments + 2 == n);
   triangle(t, out->point[0], out->point[1], in->point[0]);
   for (unsigned i = 0; i < n - 2; i++) /* leaning towards the middle */
      stitch_cell(t, out->point + 1 + i, in->point + i, i < (n - 1) / 2);
   triangle(t, out->point[n - 1], out->point[n], in->point[n - 2]);
}

/* The order in which the slots of a half of the full tree are taken. */
static unsigned
slot_order(unsigned slot)
{
   if (slot == 0)
      return TREE_SLOTS;
   const unsigned low = (unsigned)__builtin_ctz(slot);
   return (TREE_SLOTS / 2 >> low) + (slot >> (low + 1));
}

struct transition {
   const struct triangles *t;
   const struct side *out, *in;
   unsigned o, i; /* where we are on either */
};

static void
step_out(struct transition *s)
{
   const uint16_t *p = &s->out->point[s->o++];
   triangle(s->t, p[0], p[1], s->in->point[s->i]);
}

static void
step_in(struct transition *s)
{
   const uint16_t *p = &s->in->point[s->i++];
   triangle(s->t, p[0], s->out->point[s->o], p[1]);
}

/* An edge and the side of the first ring, which lacks the first and the last
 * segment of its axis. */
static void
stitch_edge(const struct triangles *t, const struct side *out,
            const struct axis *out_axis, const struct side *in,
            const struct axis *in_axis)
{
   struct transition s = { t, out, in, 0, 0 };
   const unsigned out_half = out_axis->half - out_axis->odd;
   const unsigned in_half = in_axis->half - in_axis->odd;
   if (out_half)
      step_out(&s);
   for (unsigned slot = 0; slot < TREE_SLOTS; slot++) {
      if (slot_order(slot) < in_half)
         step_in(&s);
      if (slot_order(slot) < out_half)
         step_out(&s);
   }
   if (in_axis->odd)
      step_in(&s);
   if (out_axis->odd)
      step_out(&s);
   for (unsigned slot = TREE_SLOTS; slot-- > 0;) {
      if (slot_order(slot) < out_half)
         step_out(&s);
      if (slot_order(slot) < in_half)
         step_in(&s);
   }
   if (out_half)
      step_out(&s);
   assert(s.o == out->segments && s.i == in->segments);
}

/* The side of the outer ring that is edge e. */
static struct side
edge_side(const struct patch *p, unsigned e)
{
   struct side s = { .segments = axis_segments(&p->outer[e]) };
   for (unsigned i = 0; i <= s.segments; i++)
      s.point[i] = (uint16_t)((p->first[e] + i) % p->edge_points);
   return s;
}

/*
 * Quads
 */

static void
quad_edges(struct patch *p, struct sim_tess *out)
{
   for (unsigned e = 0; e < 4; e++) {
      const struct axis *a = &p->outer[e];
      const unsigned n = axis_segments(a);
      p->first[e] = out->num_points;
      for (unsigned i = 0; i < n; i++) {
         switch (e) {
         case 0: add_point(out, 0, axis_at(a, n - i)); break;
         case 1: add_point(out, axis_at(a, i), 0); break;
         case 2: add_point(out, ONE, axis_at(a, i)); break;
         case 3: add_point(out, axis_at(a, n - i), ONE); break;
         }
      }
   }
   p->edge_points = out->num_points;
}

/* Side e of ring r, which is not the outer one. The inside is a grid. */
static struct side
quad_side(const struct patch *p, unsigned r, unsigned e)
{
   const unsigned nu = axis_segments(&p->inner[0]);
   const unsigned nv = axis_segments(&p->inner[1]);
   struct side s = { .segments = (e & 1 ? nu : nv) - 2 * r };
   for (unsigned i = 0; i <= s.segments; i++) {
      const unsigned u[4] = { r, r + i, nu - r, nu - r - i };
      const unsigned v[4] = { nv - r - i, r, r + i, nv - r };
      s.point[i] =
         (uint16_t)(p->edge_points + (v[e] - 1) * (nu - 1) + u[e] - 1);
   }
   return s;
}

/* What is inside the last ring, if it is one segment wide: all diagonals lean
 * backward, only in the middle of an upright strip one leans forward. */
static void
fill_quad(const struct patch *p, unsigned r, const struct triangles *t)
{
   const unsigned nu = axis_segments(&p->inner[0]) - 2 * r;
   const unsigned nv = axis_segments(&p->inner[1]) - 2 * r;
   const bool upright = nv > nu;
   if (MIN2(nu, nv) != 1)
      return;
   const unsigned e = upright ? 0 : 1;
   const struct side out = quad_side(p, r, e);
   const struct side back = quad_side(p, r, e + 2);
   const unsigned n = out.segments;
   for (unsigned i = 0; i < n; i++) {
      /* Opposite sides run in opposite directions. */
      const uint16_t in[2] = { back.point[n - i], back.point[n - i - 1] };
      stitch_cell(t, out.point + i, in, upright && 2 * i + 1 == n);
   }
}

static void
divide_quad(const struct sim_tess_state *s, const struct sim_tess_factors *f,
            struct sim_tess *out)
{
   if (culled(f, 4))
      return;
   const struct triangles t = start_triangles(s, out);
   struct patch p = make_patch(s, f, 4, 2);
   quad_edges(&p, out);
   if (!p.divided) {
      triangle(&t, 0, 1, 2);
      triangle(&t, 0, 2, 3);
      return;
   }
   const unsigned nu = axis_segments(&p.inner[0]);
   const unsigned nv = axis_segments(&p.inner[1]);
   for (unsigned v = 1; v < nv; v++) {
      for (unsigned u = 1; u < nu; u++)
         add_point(out, axis_at(&p.inner[0], u), axis_at(&p.inner[1], v));
   }
   for (unsigned e = 0; e < 4; e++) {
      const struct side edge = edge_side(&p, e), ring = quad_side(&p, 1, e);
      stitch_edge(&t, &edge, &p.outer[e], &ring, &p.inner[!(e & 1)]);
   }
   unsigned r = 1;
   for (; 2 * (r + 1) <= MIN2(nu, nv); r++) {
      for (unsigned e = 0; e < 4; e++) {
         const struct side a = quad_side(&p, r, e);
         const struct side b = quad_side(&p, r + 1, e);
         stitch_sides(&t, &a, &b);
      }
   }
   fill_quad(&p, r, &t);
}

/*
 * Triangles
 */

/* The point at `along` of side e of a ring that is `in` away from the edge:
 * edges are u = 0, v = 0, w = 0. */
static void
tri_point(struct sim_tess *out, unsigned e, uint32_t along, uint32_t in)
{
   switch (e) {
   case 0: add_point(out, in, along); break;
   case 1: add_point(out, along, in); break;
   case 2: add_point(out, along, ONE - in - along); break;
   }
}

/* Sides run from v = 1 to w = 1 to u = 1: only the second one with growing
 * coordinate. */
static unsigned
tri_step(unsigned e, unsigned i, unsigned n)
{
   return e == 1 ? i : n - i;
}

static void
tri_edges(struct patch *p, struct sim_tess *out)
{
   for (unsigned e = 0; e < 3; e++) {
      const struct axis *a = &p->outer[e];
      const unsigned n = axis_segments(a);
      p->first[e] = out->num_points;
      for (unsigned i = 0; i < n; i++)
         tri_point(out, e, axis_at(a, tri_step(e, i, n)), 0);
   }
   p->edge_points = out->num_points;
}

/* The points of ring r: its sides lie at two thirds of the distance that the
 * axis gives, and begin the other third before. */
static void
tri_ring(const struct axis *a, unsigned r, struct sim_tess *out)
{
   const unsigned n = axis_segments(a) - 2 * r;
   if (!n) {
      add_point(out, ONE / 3, ONE / 3);
      return;
   }
   const uint32_t two_thirds = 2 * ONE / 3;
   const uint32_t in =
      (uint32_t)(((uint64_t)axis_at(a, r) * two_thirds + HALF) / ONE);
   for (unsigned e = 0; e < 3; e++) {
      for (unsigned i = 0; i < n; i++) {
         const uint32_t along = axis_at(a, r + tri_step(e, i, n));
         tri_point(out, e, along - (in + 1) / 2, in);
      }
   }
}

/* Side e of ring r, which is not the outer one, and starts at `first`. */
static struct side
tri_side(const struct patch *p, unsigned first, unsigned r, unsigned e)
{
   const unsigned n = axis_segments(&p->inner[0]) - 2 * r;
   struct side s = { .segments = n };
   for (unsigned i = 0; i <= n; i++)
      s.point[i] = (uint16_t)(first + (n ? (e * n + i) % (3 * n) : 0));
   return s;
}

static void
divide_tri(const struct sim_tess_state *s, const struct sim_tess_factors *f,
           struct sim_tess *out)
{
   if (culled(f, 3))
      return;
   const struct triangles t = start_triangles(s, out);
   struct patch p = make_patch(s, f, 3, 1);
   tri_edges(&p, out);
   if (!p.divided) {
      triangle(&t, 0, 1, 2);
      return;
   }
   const struct axis *inner = &p.inner[0];
   const unsigned n = axis_segments(inner);
   unsigned first = out->num_points, outside = 0;
   for (unsigned r = 1; 2 * r <= n; r++) {
      tri_ring(inner, r, out);
      for (unsigned e = 0; e < 3; e++) {
         const struct side b = tri_side(&p, first, r, e);
         if (r == 1) {
            const struct side a = edge_side(&p, e);
            stitch_edge(&t, &a, &p.outer[e], &b, inner);
         } else {
            const struct side a = tri_side(&p, outside, r - 1, e);
            stitch_sides(&t, &a, &b);
         }
      }
      outside = first;
      first = out->num_points;
   }
   if (n & 1)
      triangle(&t, (uint16_t)outside, (uint16_t)(outside + 1),
               (uint16_t)(outside + 2));
}

/*
 * Lines
 */

/* The number of lines is an integer, whatever the partitioning; none is at
 * v = 1. */
static void
divide_isolines(const struct sim_tess_state *s,
                const struct sim_tess_factors *f, struct sim_tess *out)
{
   if (culled(f, 2))
      return;
   const struct limits l = factor_limits(s);
   const unsigned lines = round_up(limit(f->outer[0], 1, MAX_SEGMENTS));
   const struct axis across = make_axis(lines * ONE, lines & 1);
   const struct axis along =
      factor_axis(s, limit(f->outer[1], l.low, l.high));
   const unsigned n = axis_segments(&along);
   out->vertices = s->topology == OUTPUT_POINT ? 1 : 2;
   for (unsigned v = 0; v < lines; v++) {
      for (unsigned u = 0; u <= n; u++) {
         const uint16_t k = (uint16_t)out->num_points;
         add_point(out, axis_at(&along, u), axis_at(&across, v));
         if (u == n || out->vertices == 1)
            continue;
         out->index[out->num_indices++] = k;
         out->index[out->num_indices++] = k + 1;
      }
   }
}

void
sim_tessellate(const struct sim_tess_state *state,
               const struct sim_tess_factors *factors, struct sim_tess *out)
{
   out->num_points = out->num_indices = 0;
   out->vertices = 1;
   switch (state->domain) {
   case TE_DOMAIN_QUAD: divide_quad(state, factors, out); break;
   case TE_DOMAIN_TRI: divide_tri(state, factors, out); break;
   case TE_DOMAIN_ISOLINE: divide_isolines(state, factors, out); break;
   default: unreachable("tessellation domain");
   }
   if (out->vertices == 1) {
      for (unsigned i = 0; i < out->num_points; i++)
         out->index[out->num_indices++] = (uint16_t)i;
   }
}
