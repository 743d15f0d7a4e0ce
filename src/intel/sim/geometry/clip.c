/* SPDX-License-Identifier: MIT */
/*
 * Clipping in homogeneous clip space (PRM SKL Vol. 7 "Clip Stage").
 *
 * The distance of a vertex to each plane is positive inside. A primitive
 * whose vertices are all outside of one plane of the view volume, or of one
 * clip or cull distance, is rejected. What sticks out of the view volume in
 * x or y alone is accepted while it is inside the guard band. The rest is
 * cut plane by plane (Sutherland, Hodgman, "Reentrant polygon clipping",
 * CACM 17:1, 1974); the dwords of a new vertex are all interpolated as
 * floats, with perspective. For attributes that are constant, or linear on
 * the screen, the rasteriser gets the provoking vertex, the original ones,
 * and where in the original primitive the new ones are.
 */
#include "front_private.h"

#include <math.h>

#include "intel/sim/gpu/gpu.h"
#include "intel/sim/mem/watch.h"

/* Planes in the order in which they cut. */
enum plane {
   PLANE_W, /* w > 0 */
   PLANE_X0,
   PLANE_X1,
   PLANE_Y0,
   PLANE_Y1,
   PLANE_NEAR,
   PLANE_FAR,
   PLANE_USER, /* and 7 more */
   NUM_PLANES = PLANE_USER + 8,
};

#define MAX_POLYGON (3 + NUM_PLANES)

/* After the eye, or so near that 1 / w would be no float. */
#define MIN_W 1e-30f

struct clip_vertex {
   struct sim_vue vue;
   bool edge; /* to the next vertex of the polygon */
};

struct volume {
   float x0, x1, y0, y1; /* of what is cut: guard band or view volume */
   bool xy, near, far;
   bool d3d;
   unsigned user;
};

static float
vue_float(const uint32_t *dw, unsigned i)
{
   return util_bits_float(dw[i]);
}

bool
sim_clip_prepare(struct sim_front *f)
{
   const struct sim_render_state *s = f->state;
   if (!f->rasterize)
      return true;
   /* The masks of the last geometry stage, unless 3DSTATE_CLIP insists. */
   if (s->clip.ForceUserClipDistanceClipTestEnableBitmask)
      f->user_clip = s->clip.UserClipDistanceClipTestEnableBitmask;
   if (s->clip.ForceUserClipDistanceCullTestEnableBitmask)
      f->user_cull = s->clip.UserClipDistanceCullTestEnableBitmask;
   if (!f->has_vs && !f->has_tess && !f->has_gs)
      f->user_clip = f->user_cull = 0;
   const unsigned need_dw =
      f->user_clip | f->user_cull ? VUE_CLIP_DISTANCE + 8 : VUE_CLIP_DISTANCE;
   if (f->vue_dw < need_dw) {
      sim_draw_fault(
         f->draw, "vertices of %u dwords have no room for %s", f->vue_dw,
         need_dw > VUE_CLIP_DISTANCE ? "clip distances" : "a position");
      return false;
   }
   if (s->clip.ClipEnable && s->clip.ClipMode == CLIPMODE_NORMAL &&
       f->vue_dw > VUE_MAX_DW) {
      sim_draw_fault(f->draw, "vertices of %u dwords are not implemented",
                     f->vue_dw);
      return false;
   }
   return true;
}

/* The guard band of a viewport, read when it is first needed. */
static bool
get_guardband(struct sim_front *f, unsigned viewport, struct volume *v)
{
   if (!f->guardband[viewport].valid) {
      uint32_t dw[GEN9_SF_CLIP_VIEWPORT_length];
      struct GEN9_SF_CLIP_VIEWPORT vp;
      const uint64_t offset =
         f->state->viewport_state_pointers_sf_clip.SFClipViewportPointer +
         viewport * sizeof(dw);
      if (!sim_draw_read_dynamic(f->draw, offset, dw, sizeof(dw),
                                 "SF_CLIP_VIEWPORT"))
         return false;
      GEN9_SF_CLIP_VIEWPORT_unpack(dw, &vp);
      f->guardband[viewport].valid = true;
      f->guardband[viewport].x0 = vp.XMinClipGuardband;
      f->guardband[viewport].x1 = vp.XMaxClipGuardband;
      f->guardband[viewport].y0 = vp.YMinClipGuardband;
      f->guardband[viewport].y1 = vp.YMaxClipGuardband;
   }
   v->x0 = f->guardband[viewport].x0;
   v->x1 = f->guardband[viewport].x1;
   v->y0 = f->guardband[viewport].y0;
   v->y1 = f->guardband[viewport].y1;
   return true;
}

static bool
get_volume(struct sim_front *f, const uint32_t *provoking, struct volume *v)
{
   const struct sim_render_state *s = f->state;
   *v = (struct volume) {
      .x0 = -1,
      .x1 = 1,
      .y0 = -1,
      .y1 = 1,
      .xy = s->clip.ViewportXYClipTestEnable ||
            s->clip.GuardbandClipTestEnable,
      .near = s->raster.ViewportZNearClipTestEnable,
      .far = s->raster.ViewportZFarClipTestEnable,
      .d3d = s->clip.APIMode == APIMODE_D3D,
      .user = f->user_clip,
   };
   if (!s->clip.GuardbandClipTestEnable)
      return true;
   unsigned viewport = provoking[VUE_VIEWPORT_INDEX] & 0xf;
   if (viewport > s->clip.MaximumVPIndex)
      viewport = 0;
   return get_guardband(f, viewport, v);
}

static inline float
distance(const struct volume *v, const uint32_t *dw, unsigned plane)
{
   const float w = vue_float(dw, VUE_POSITION + 3);
   const float z = vue_float(dw, VUE_POSITION + 2);
   switch (plane) {
   case PLANE_W: return w - MIN_W;
   case PLANE_X0: return vue_float(dw, VUE_POSITION) - v->x0 * w;
   case PLANE_X1: return v->x1 * w - vue_float(dw, VUE_POSITION);
   case PLANE_Y0: return vue_float(dw, VUE_POSITION + 1) - v->y0 * w;
   case PLANE_Y1: return v->y1 * w - vue_float(dw, VUE_POSITION + 1);
   case PLANE_NEAR: return v->d3d ? z : z + w;
   case PLANE_FAR: return w - z;
   default: return vue_float(dw, VUE_CLIP_DISTANCE + plane - PLANE_USER);
   }
}

static inline unsigned
is_outside(const struct volume *v, const uint32_t *dw, unsigned plane)
{
   return (distance(v, dw, plane) >= 0 ? 0u : 1u) << plane;
}

/* Planes that the vertex is outside of. NaN is outside of all. The compiler
 * knows which plane each is but those of the user. */
static unsigned
outcode(const struct volume *v, const uint32_t *dw)
{
   unsigned code = is_outside(v, dw, PLANE_W);
   if (v->xy)
      code |= is_outside(v, dw, PLANE_X0) | is_outside(v, dw, PLANE_X1) |
              is_outside(v, dw, PLANE_Y0) | is_outside(v, dw, PLANE_Y1);
   if (v->near)
      code |= is_outside(v, dw, PLANE_NEAR);
   if (v->far)
      code |= is_outside(v, dw, PLANE_FAR);
   for (unsigned user = v->user; user;)
      code |= is_outside(v, dw, PLANE_USER + (unsigned)u_bit_scan(&user));
   return code;
}

/* Cull distances, and planes of the view volume proper, that the vertex is
 * outside of. Without the test of the viewport the guard band's planes take
 * their place (PRM SNB vol 2 part 1, "VertexClipTest"). */
static unsigned
reject_code(const struct sim_front *f, const struct volume *v,
            const uint32_t *dw)
{
   struct volume view = *v;
   if (f->state->clip.ViewportXYClipTestEnable) {
      view.x0 = view.y0 = -1;
      view.x1 = view.y1 = 1;
   }
   view.user = f->user_clip | f->user_cull;
   return outcode(&view, dw);
}

/* In the position, or in one of these clip distances. A cull distance may be
 * NaN, and is then outside. */
static bool
has_nan(const uint32_t *dw, unsigned user_clip)
{
   for (unsigned i = 0; i < 4; i++) {
      if (isnan(vue_float(dw, VUE_POSITION + i)))
         return true;
   }
   while (user_clip) {
      const unsigned i = (unsigned)u_bit_scan(&user_clip);
      if (isnan(vue_float(dw, VUE_CLIP_DISTANCE + i)))
         return true;
   }
   return false;
}

/* How far along the edge that is, from 0 to 1. Beside an infinite distance
 * finite ones are none; two of them meet in the middle. */
static float
fraction(float d_in, float d_out)
{
   const float t = d_in / (d_in - d_out);
   if (!isnan(t))
      return t;
   return !isinf(d_in) ? 0.0f : isinf(d_out) ? 0.5f : 1.0f;
}

/* Between two numbers there is one, though they be infinite. */
static float
between(float a, float b, float t)
{
   const float v = a + t * (b - a);
   if (__builtin_expect(!isnan(v), 1) || isnan(a) || isnan(b))
      return v;
   return t < (isinf(b) ? 0.5f : 1.0f) ? a : b;
}

/*
 * The point where the edge from `in` to `out` leaves the plane. On the
 * screen it is at another fraction of the edge than in clip space: there,
 * the ends weigh as their w.
 */
static struct sim_vue
cut_edge(struct sim_front *f, const struct sim_vue *in,
         const struct sim_vue *out, float d_in, float d_out)
{
   uint32_t *dw = f->made[f->num_made++].dw;
   const float t = fraction(d_in, d_out);
   for (unsigned i = 0; i < f->vue_dw; i++) {
      const float a = vue_float(in->dw, i), b = vue_float(out->dw, i);
      /* Equal bits stay, whatever they mean. */
      dw[i] = in->dw[i] == out->dw[i] ? in->dw[i]
                                      : util_float_bits(between(a, b, t));
   }
   memcpy(dw, in->dw, VUE_POSITION * 4);

   const float w = vue_float(dw, VUE_POSITION + 3);
   const float screen_t =
      w > MIN_W ? t * vue_float(out->dw, VUE_POSITION + 3) / w : t;
   struct sim_vue made = { .dw = dw, .size_dw = f->vue_dw };
   for (unsigned i = 0; i < 2; i++) {
      made.b[0][i] = in->b[0][i] + t * (out->b[0][i] - in->b[0][i]);
      made.b[1][i] = in->b[1][i] + screen_t * (out->b[1][i] - in->b[1][i]);
   }
   return made;
}

/* Cuts by one plane; the number of vertices that are left. */
static unsigned
cut_polygon(struct sim_front *f, const struct volume *v, unsigned plane,
            const struct clip_vertex *in, unsigned n, struct clip_vertex *out)
{
   unsigned m = 0;
   for (unsigned i = 0; i < n; i++) {
      const struct clip_vertex *a = &in[i], *b = &in[(i + 1) % n];
      const float da = distance(v, a->vue.dw, plane);
      const float db = distance(v, b->vue.dw, plane);
      if (da >= 0)
         out[m++] = *a;
      /* The cut is always made from the inside, so that neighbours that
       * share the edge get the same point. */
      if (da >= 0 && !(db >= 0))
         out[m++] =
            (struct clip_vertex) { cut_edge(f, &a->vue, &b->vue, da, db),
                                   true };
      else if (!(da >= 0) && db >= 0)
         out[m++] =
            (struct clip_vertex) { cut_edge(f, &b->vue, &a->vue, db, da),
                                   a->edge };
      if (f->num_made + 2 > ARRAY_SIZE(f->made))
         return 0; /* cannot happen: each plane makes two */
   }
   return m;
}

/* The vertices as they are, at the corners of their own coordinates. */
static void
make_vues(const struct sim_front *f, const uint32_t *const *dw,
          struct sim_vue vue[3])
{
   for (unsigned i = 0; i < 3; i++) {
      vue[i] = (struct sim_vue) { .dw = dw[i], .size_dw = f->vue_dw };
      for (unsigned k = 0; i && k < 2; k++)
         vue[i].b[k][i - 1] = 1;
   }
}

static void
emit(struct sim_front *f, const struct front_prim *p,
     const struct sim_vue *const v[3], const struct sim_vue *original,
     const uint32_t *provoking, unsigned edges)
{
   const struct sim_vue last = { .dw = provoking, .size_dw = f->vue_dw };
   struct sim_prim prim = {
      .kind = (enum sim_prim_kind)p->kind,
      .v = { v[0], v[1], v[2] },
      .provoking = &last,
      .edge_mask = edges,
      .restarts_stipple = f->begins,
      .rect = p->rect,
      .primitive_id = p->primitive_id,
   };
   for (unsigned i = 0; original && i < 3; i++)
      prim.original[i] = &original[i];
   f->begins = false;
   f->counters.cl_primitives += f->state->clip.StatisticsEnable;
   sim_raster_primitive(f->draw, &prim);
}

static void
emit_whole(struct sim_front *f, const struct front_prim *p,
           const uint32_t *const *dw, const uint32_t *provoking,
           unsigned edges)
{
   struct sim_vue vue[3];
   make_vues(f, dw, vue);
   const struct sim_vue *const v[3] = { &vue[0], &vue[1], &vue[2] };
   emit(f, p, v, NULL, provoking, edges);
}

static void
clip_triangle(struct sim_front *f, const struct front_prim *p,
              const struct volume *v, const uint32_t *const *dw,
              const uint32_t *provoking, unsigned planes)
{
   struct clip_vertex polygon[2][MAX_POLYGON];
   struct sim_vue original[3];
   unsigned n = 3, side = 0;
   make_vues(f, dw, original);
   for (unsigned i = 0; i < 3; i++)
      polygon[0][i] =
         (struct clip_vertex) { original[i], p->edge_mask >> i & 1 };
   f->num_made = 0;
   while (planes && n) {
      const unsigned plane = (unsigned)u_bit_scan(&planes);
      n = cut_polygon(f, v, plane, polygon[side], n, polygon[!side]);
      side = !side;
   }
   const struct clip_vertex *c = polygon[side];
   for (unsigned i = 1; i + 1 < n; i++) {
      const struct sim_vue *const t[3] = { &c[0].vue, &c[i].vue,
                                           &c[i + 1].vue };
      unsigned edges = (unsigned)c[i].edge << 1;
      if (i == 1)
         edges |= c[0].edge;
      if (i + 2 == n)
         edges |= (unsigned)c[i + 1].edge << 2;
      emit(f, p, t, original, provoking, edges);
   }
}

static void
clip_line(struct sim_front *f, const struct front_prim *p,
          const struct volume *v, const uint32_t *const *dw,
          const uint32_t *provoking, unsigned planes)
{
   struct sim_vue original[3], end[2];
   make_vues(f, dw, original);
   end[0] = original[0];
   end[1] = original[1];
   f->num_made = 0;
   while (planes) {
      const unsigned plane = (unsigned)u_bit_scan(&planes);
      const float d0 = distance(v, end[0].dw, plane);
      const float d1 = distance(v, end[1].dw, plane);
      if (!(d0 >= 0) && !(d1 >= 0))
         return;
      if (!(d0 >= 0))
         end[0] = cut_edge(f, &end[1], &end[0], d1, d0);
      else if (!(d1 >= 0))
         end[1] = cut_edge(f, &end[0], &end[1], d0, d1);
   }
   const struct sim_vue *const ends[3] = { &end[0], &end[1], &end[1] };
   emit(f, p, ends, original, provoking, p->edge_mask);
}

/* The fourth corner opposite of v[1], as a second triangle. Rectangles are
 * never cut (PRM: "RECTLIST ... not supported by the clipper"). */
static void
rectangle(struct sim_front *f, const struct front_prim *p,
          const uint32_t *const *dw, const uint32_t *provoking)
{
   uint32_t *corner = f->made[0].dw;
   const unsigned n = MIN2(f->vue_dw, VUE_MAX_DW);
   for (unsigned i = 0; i < n; i++)
      corner[i] = util_float_bits(vue_float(dw[0], i) + vue_float(dw[2], i) -
                                  vue_float(dw[1], i));
   memcpy(corner, dw[0], VUE_POSITION * 4);
   const uint32_t *other[3] = { dw[0], dw[2], corner };
   emit_whole(f, p, dw, provoking, 3);
   f->counters.cl_primitives -= f->state->clip.StatisticsEnable;
   emit_whole(f, p, other, provoking, 6);
}

static void
clip_normal(struct sim_front *f, const struct front_prim *p,
            const uint32_t *const *dw, const uint32_t *provoking)
{
   const unsigned n = p->kind + 1u; /* points, lines, triangles */
   struct volume v;
   if (!get_volume(f, provoking, &v))
      return;
   unsigned all_outside = ~0u, any_cut = 0;
   for (unsigned i = 0; i < n; i++) {
      if (has_nan(dw[i], v.user))
         return;
      if (all_outside)
         all_outside &= reject_code(f, &v, dw[i]);
      any_cut |= outcode(&v, dw[i]);
   }
   if (all_outside)
      return;
   if (!any_cut)
      emit_whole(f, p, dw, provoking, p->edge_mask);
   else if (p->kind == SIM_PRIM_TRIANGLE)
      clip_triangle(f, p, &v, dw, provoking, any_cut);
   else if (p->kind == SIM_PRIM_LINE)
      clip_line(f, p, &v, dw, provoking, any_cut);
}

void
sim_clip_primitive(struct sim_front *f, const struct front_prim *p)
{
   const struct GEN9_3DSTATE_CLIP *clip = &f->state->clip;
   const uint32_t *dw[3];
   for (unsigned i = 0; i < 3; i++)
      dw[i] = front_vue(f, p->v[i]);
   const uint32_t *provoking = front_vue(f, p->provoking);
   const struct sim_watch *watch = f->draw->mem->watch;
   for (unsigned i = 0; __builtin_expect(watch != NULL, 0) && i <= p->kind;
        i++)
      sim_watch_urb(watch, p->v[i] + 4 * VUE_POSITION, 4, "a position");
   f->begins |= p->begins;
   f->counters.cl_invocations += clip->StatisticsEnable;
   if (clip->ClipEnable && clip->ClipMode == CLIPMODE_REJECT_ALL)
      return;
   if (p->rect)
      rectangle(f, p, dw, provoking);
   else if (clip->ClipEnable && clip->ClipMode == CLIPMODE_NORMAL)
      clip_normal(f, p, dw, provoking);
   else
      emit_whole(f, p, dw, provoking, p->edge_mask);
}
