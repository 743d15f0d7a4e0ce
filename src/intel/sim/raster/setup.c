/* SPDX-License-Identifier: MIT */
/*
 * Strips and fans, and setup: from clipped vertices to one primitive that
 * can be scanned (PRM SKL Vol. 7, "Strips and Fans (SF) Stage").
 *
 * Before: vertices in clip space (or in screen space, where the viewport
 * transform is off). After: edges, depth and attribute planes of each
 * polygon, line or point that the polygon mode makes of it are with
 * tiles.c. Cost: a few hundred operations a primitive.
 */
#include "intel/sim/gpu/gpu.h"
#include "intel/sim/gpu/memory_state.h"
#include "hz.h"
#include "raster_private.h"
#include "intel/sim/deviate/deviate.h"

#include <math.h>

/* PRM SKL Vol. 2d, "3D_Prim_Topo_Type": what r0.0 tells the shader. */
#define TOPOLOGY_POINTLIST 1
#define TOPOLOGY_LINELIST 2
#define TOPOLOGY_TRILIST 4

enum cull_mode {
   CULL_BOTH = 0,
   CULL_NONE = 1,
   CULL_FRONT = 2,
   CULL_BACK = 3,
};

enum fill_mode {
   FILL_SOLID = 0,
   FILL_WIREFRAME = 1,
   FILL_POINT = 2,
};

static void
intersect(struct sim_raster_viewport *v, int x0, int y0, int x1, int y1)
{
   v->x0 = MAX2(v->x0, x0);
   v->y0 = MAX2(v->y0, y0);
   v->x1 = MIN2(v->x1, x1);
   v->y1 = MIN2(v->y1, y1);
}

/* A float viewport extent as a pixel, kept in a range that scans safely. */
static int
pixel_of(float f)
{
   if (!(f > -32768.0f))
      return -32768;
   return f < 32768.0f ? (int)f : 32768;
}

static bool
load_viewport(struct sim_raster *r, struct sim_raster_viewport *v,
              unsigned index)
{
   const struct sim_render_state *s = r->state;
   uint32_t dw[16];
   struct GEN9_SF_CLIP_VIEWPORT sf = { 0 };
   struct GEN9_CC_VIEWPORT cc;
   struct GEN9_SCISSOR_RECT scissor;

   const uint64_t sf_at =
      s->viewport_state_pointers_sf_clip.SFClipViewportPointer;
   /* Without the transform the unit has no use for the state, and drivers
    * that draw rectangles in screen space point it nowhere. */
   if (s->sf.ViewportTransformEnable) {
      if (!sim_draw_read_dynamic(r->draw, sf_at + index * 64, dw, 64,
                                 "SF_CLIP_VIEWPORT"))
         return false;
      sim_unpack_sf_clip_viewport(r->draw->gpu->verx10, dw, &sf);
   }
   const uint64_t cc_at = s->viewport_state_pointers_cc.CCViewportPointer;
   if (!sim_draw_read_dynamic(r->draw, cc_at + index * 8, dw, 8,
                              "CC_VIEWPORT"))
      return false;
   GEN9_CC_VIEWPORT_unpack(dw, &cc);

   v->scale[0] = sf.ViewportMatrixElementm00;
   v->scale[1] = sf.ViewportMatrixElementm11;
   v->scale[2] = sf.ViewportMatrixElementm22;
   v->translate[0] = sf.ViewportMatrixElementm30;
   v->translate[1] = sf.ViewportMatrixElementm31;
   v->translate[2] = sf.ViewportMatrixElementm32;
   v->min_depth = cc.MinimumDepth;
   v->max_depth = cc.MaximumDepth;

   const struct GEN9_3DSTATE_DRAWING_RECTANGLE *d = &s->drawing_rectangle;
   v->x0 = d->ClippedDrawingRectangleXMin;
   v->y0 = d->ClippedDrawingRectangleYMin;
   v->x1 = d->ClippedDrawingRectangleXMax + 1;
   v->y1 = d->ClippedDrawingRectangleYMax + 1;
   /* The extents are inclusive pixels; they matter only with the viewport
    * transform on. */
   if (s->sf.ViewportTransformEnable) {
      intersect(v, pixel_of(sf.XMinViewPort), pixel_of(sf.YMinViewPort),
                pixel_of(sf.XMaxViewPort) + 1, pixel_of(sf.YMaxViewPort) + 1);
   }
   if (s->raster.ScissorRectangleEnable) {
      const uint64_t at = s->scissor_state_pointers.ScissorRectPointer;
      if (!sim_draw_read_dynamic(r->draw, at + index * 8, dw, 8,
                                 "SCISSOR_RECT"))
         return false;
      GEN9_SCISSOR_RECT_unpack(dw, &scissor);
      intersect(v, (int)scissor.ScissorRectangleXMin,
                (int)scissor.ScissorRectangleYMin,
                (int)scissor.ScissorRectangleXMax + 1,
                (int)scissor.ScissorRectangleYMax + 1);
   }
   v->valid = true;
   return true;
}

const struct sim_raster_viewport *
sim_raster_get_viewport(struct sim_raster *r, unsigned index)
{
   if (index > r->state->clip.MaximumVPIndex)
      index = 0;
   struct sim_raster_viewport *v = &r->viewport[index];
   return v->valid || load_viewport(r, v, index) ? v : NULL;
}

/* Rounds a pixel coordinate to fixed point, ties to even. */
static int32_t
to_fixed(float f)
{
   const float limit = 65536.0f;
   if (!(f > -limit))
      f = -limit;
   if (f > limit)
      f = limit;
   return (int32_t)lrintf(f * SIM_SUBPIXEL_ONE);
}

static void
transform(struct sim_raster *r, const struct sim_raster_viewport *v,
          const struct sim_vue *vue, struct sim_screen_vertex *out)
{
   float p[3] = { sim_vue_float(vue, 4), sim_vue_float(vue, 5),
                  sim_vue_float(vue, 6) };
   const float w = sim_vue_float(vue, 7);
   out->vue = vue;
   out->inv_w = 1.0f / w;
   if (!r->state->clip.PerspectiveDivideDisable) {
      for (unsigned i = 0; i < 3; i++)
         p[i] *= out->inv_w;
   }
   if (r->state->sf.ViewportTransformEnable) {
      for (unsigned i = 0; i < 3; i++)
         p[i] = p[i] * v->scale[i] + v->translate[i];
   }
   out->x = to_fixed(p[0]);
   out->y = to_fixed(p[1]);
   out->z = p[2];
}

/*
 * Geometry
 */

/* The edge from a to b of a polygon that is clockwise on the screen. A
 * sample on it is inside for a top or a left edge only. */
static struct sim_edge
make_edge(int64_t ax, int64_t ay, int64_t bx, int64_t by)
{
   const bool top_left = by < ay || (by == ay && bx > ax);
   struct sim_edge e = { ay - by, bx - ax, 0 };
   e.c = -(e.a * ax + e.b * ay) - (top_left ? 0 : 1);
   if (sim_deviates(SIM_DEVIATES_RASTER, "inclusive"))
      e.c += top_left ? 0 : 1;
   if (sim_deviates(SIM_DEVIATES_RASTER, "exclusive"))
      e.c -= top_left ? 1 : 0;
   if (sim_deviates(SIM_DEVIATES_RASTER, "shift"))
      e.c -= e.a * SIM_SUBPIXEL_ONE;
   if (sim_deviates(SIM_DEVIATES_RASTER, "down"))
      e.c -= e.b * SIM_SUBPIXEL_ONE;
   return e;
}

static int
floor_pixel(int64_t fixed)
{
   return (int)(fixed >> SIM_SUBPIXEL_BITS);
}

static int
ceil_pixel(int64_t fixed)
{
   return floor_pixel(fixed + SIM_SUBPIXEL_ONE - 1);
}

/* Edges and bounds of a polygon of 3 or 4 corners, clockwise on screen. */
static void
set_polygon(struct sim_raster *r, const struct sim_raster_viewport *vp,
            unsigned n, const int64_t (*corner)[2])
{
   struct sim_setup *s = &r->building;
   s->walk.rows = 0;
   s->conservative = s->has_inner = false;
   int64_t x0 = corner[0][0], x1 = x0, y0 = corner[0][1], y1 = y0;
   for (unsigned i = 0; i < n; i++) {
      const unsigned k = (i + 1) % n;
      s->edge[i] =
         make_edge(corner[i][0], corner[i][1], corner[k][0], corner[k][1]);
      x0 = MIN2(x0, corner[i][0]);
      x1 = MAX2(x1, corner[i][0]);
      y0 = MIN2(y0, corner[i][1]);
      y1 = MAX2(y1, corner[i][1]);
   }
   s->num_edges = n;
   s->x0 = MAX2(floor_pixel(x0), vp->x0);
   s->y0 = MAX2(floor_pixel(y0), vp->y0);
   /* Nothing on a right or lower edge is inside. */
   s->x1 = MIN2(ceil_pixel(x1), vp->x1);
   s->y1 = MIN2(ceil_pixel(y1), vp->y1);
}

/*
 * How far "conservative rasterization" moves an edge besides: the manuals say
 * that the area grows and not by how much; drivers of the chip report 1/512
 * of a pixel (primitiveOverestimationSize), half of a unit here.
 */
static int64_t
uncertainty(const struct sim_edge *e)
{
   return llrint(ceil(0.5 * hypot((double)e->a, (double)e->b)));
}

/* For a triangle, whose edges and bounds are those without: PRM SKL vol 2a,
 * 3DSTATE_RASTER "Conservative Rasterization Enable", and vol 2d, "Input
 * Coverage Mask State". */
static void
set_conservative(struct sim_raster *r, const struct sim_raster_viewport *vp,
                 const int64_t (*corner)[2])
{
   struct sim_setup *s = &r->building;
   s->conservative = r->state->raster.ConservativeRasterizationEnable;
   s->has_inner = r->state->ps_extra.InputCoverageMaskState ==
                  ICMS_INNER_CONSERVATIVE;
   if (!s->conservative && !s->has_inner)
      return;
   int64_t x0 = corner[0][0], x1 = x0, y0 = corner[0][1], y1 = y0;
   for (unsigned i = 0; i < 3; i++) {
      struct sim_edge *e = &s->edge[i];
      const int64_t w = SIM_SUBPIXEL_ONE, more = uncertainty(e);
      s->inner_c[i] = e->c + MIN2(e->a, 0) * w + MIN2(e->b, 0) * w - more;
      /* One without length is on no side. */
      if (s->conservative)
         e->c = e->a || e->b
                   ? e->c + MAX2(e->a, 0) * w + MAX2(e->b, 0) * w + more
                   : 0;
      x0 = MIN2(x0, corner[i][0]);
      x1 = MAX2(x1, corner[i][0]);
      y0 = MIN2(y0, corner[i][1]);
      y1 = MAX2(y1, corner[i][1]);
   }
   if (!s->conservative)
      return;
   /* The bounds, in halves of units. */
   s->x0 = MAX2((int)((2 * x0 - 1) >> (SIM_SUBPIXEL_BITS + 1)), vp->x0);
   s->y0 = MAX2((int)((2 * y0 - 1) >> (SIM_SUBPIXEL_BITS + 1)), vp->y0);
   s->x1 = MIN2((int)((2 * x1 + 1) >> (SIM_SUBPIXEL_BITS + 1)) + 1, vp->x1);
   s->y1 = MIN2((int)((2 * y1 + 1) >> (SIM_SUBPIXEL_BITS + 1)) + 1, vp->y1);
}

/* Barycentric planes of the triangle with these corners (fixed point). */
static void
set_barycentric(struct sim_setup *s, const int64_t c[3][2], double area2)
{
   const double one = SIM_SUBPIXEL_ONE;
   for (unsigned i = 0; i < 2; i++) {
      /* b1 grows from the edge 2-0 to vertex 1, b2 from 0-1 to vertex 2. */
      const int64_t *p = i == 0 ? c[2] : c[0];
      const int64_t *q = i == 0 ? c[0] : c[1];
      const double ex = (double)(p[1] - q[1]), ey = (double)(q[0] - p[0]);
      s->b_x[i] = ex * one / area2;
      s->b_y[i] = ey * one / area2;
      s->b_c[i] = -(ex * (double)p[0] + ey * (double)p[1]) / area2;
   }
}

/* Depth bias: PRM SKL Vol. 7 "Depth Offset": constant in units of the depth
 * buffer's resolution, plus slope, then clamped. */
static double
depth_bias(const struct sim_raster *r, const struct sim_setup *s,
           const float z[3])
{
   const struct GEN9_3DSTATE_RASTER *ra = &r->state->raster;
   const double d1 = (double)z[1] - z[0], d2 = (double)z[2] - z[0];
   const double dzdx = d1 * s->b_x[0] + d2 * s->b_x[1];
   const double dzdy = d1 * s->b_y[0] + d2 * s->b_y[1];
   const double slope = fmax(fabs(dzdx), fabs(dzdy));

   double unit;
   if (r->state->sf.LegacyGlobalDepthBiasEnable) {
      unit = 1.0; /* "unmodified": HSW PRM vol 2d, 3DSTATE_SF */
   } else if (!r->zs.has_depth || r->zs.depth_format == D32_FLOAT) {
      const float top = fmaxf(fmaxf(fabsf(z[0]), fabsf(z[1])), fabsf(z[2]));
      int exponent = 0;
      frexpf(top, &exponent);
      unit = ldexp(1.0, MAX2(exponent - 1, -126) - 23);
   } else if (r->zs.depth_format == D16_UNORM) {
      unit = ldexp(1.0, -16);
   } else {
      unit = ldexp(1.0, -24);
   }

   double bias = (double)ra->GlobalDepthOffsetScale * slope +
                 (double)ra->GlobalDepthOffsetConstant * unit;
   const double clamp = ra->GlobalDepthOffsetClamp;
   if (clamp > 0.0)
      bias = fmin(bias, clamp);
   else if (clamp < 0.0)
      bias = fmax(bias, clamp);
   return bias;
}

static void
set_depth(struct sim_raster *r, const struct sim_screen_vertex *v, unsigned n,
          double bias)
{
   struct sim_setup *s = &r->building;
   for (unsigned i = 0; i < 3; i++) {
      const struct sim_screen_vertex *p = &v[MIN2(i, n - 1)];
      s->z[i] = (double)p->z + bias;
      s->inv_w[i] = p->inv_w;
   }
   s->affine = s->inv_w[0] == s->inv_w[1] && s->inv_w[0] == s->inv_w[2];
}

static float
point_width(const struct sim_raster *r, const struct sim_vue *vue)
{
   const struct GEN9_3DSTATE_CLIP *clip = &r->state->clip;
   float w = r->state->sf.PointWidth;
   if (r->state->sf.PointWidthSource == POINT_WIDTH_VERTEX) {
      w = sim_vue_float(vue, 3);
      /* What comes from vertices is within the clipper's bounds ("used to
       * clamp read-back PointWidth values": SKL PRM Vol. 2a 3DSTATE_CLIP). */
      if (clip->ClipEnable)
         w =
            fminf(fmaxf(w, clip->MinimumPointWidth), clip->MaximumPointWidth);
   }
   /* The register holds 0.125 to 255.875; PRM SKL Vol. 2a 3DSTATE_SF. Without
    * multisampling a point is never too small to be seen: piglit's
    * vs-point_size-zero, that draws one between pixels. */
   const float least = r->num_samples > 1 ? 0.125f : 1.0f;
   if (!(w >= least))
      w = least;
   return MIN2(w, 255.875f);
}

static void
set_smooth(struct sim_raster *r, bool polygon_stipple, bool line_stipple,
           bool antialias)
{
   r->building.polygon_stipple = polygon_stipple;
   r->building.line_stipple = line_stipple;
   r->building.antialias = antialias;
}

static void
draw_point(struct sim_raster *r, const struct sim_prim *prim,
           const struct sim_raster_viewport *vp,
           const struct sim_screen_vertex *v, double bias)
{
   const int64_t w = (int64_t)(point_width(r, v->vue) * SIM_SUBPIXEL_ONE);
   const int64_t x = v->x - w / 2, y = v->y - w / 2;
   const int64_t corner[4][2] = {
      { x, y }, { x + w, y }, { x + w, y + w }, { x, y + w }
   };
   const int64_t bary[3][2] = { { x, y }, { x + w, y }, { x, y + w } };

   set_polygon(r, vp, 4, corner);
   set_barycentric(&r->building, bary, (double)(w * w));
   set_depth(r, v, 1, bias);
   r->building.topology = TOPOLOGY_POINTLIST;
   set_smooth(r, false, false, false);
   sim_raster_set_attributes(r, prim, v, 1, true);
   sim_tiles_add(r);
}

/* A wide line without multisampling: a parallelogram, the line moved by half
 * of the width either way along the minor axis (PRM SNB vol 2 part 1,
 * 6.3.12.4 "Non-Antialiased Wide Line Rasterization"). */
static void
set_parallelogram_line(struct sim_raster *r,
                       const struct sim_raster_viewport *vp,
                       const struct sim_screen_vertex v[2], bool x_major,
                       float width_px)
{
   const int64_t half = llrint(0.5 * width_px * SIM_SUBPIXEL_ONE);
   const unsigned first = x_major ? v[0].x > v[1].x : v[0].y < v[1].y;
   const struct sim_screen_vertex *a = &v[first], *b = &v[!first];
   const int64_t hx = x_major ? 0 : half, hy = x_major ? half : 0;
   const int64_t corner[4][2] = { { a->x - hx, a->y - hy },
                                  { b->x - hx, b->y - hy },
                                  { b->x + hx, b->y + hy },
                                  { a->x + hx, a->y + hy } };
   set_polygon(r, vp, 4, corner);
}

/* A multisampled line is a rectangle around the ideal line; an antialiased
 * one has half a pixel more on each side. */
static void
set_rectangle_line(struct sim_raster *r, const struct sim_raster_viewport *vp,
                   const struct sim_screen_vertex v[2], float width_px,
                   bool antialias)
{
   const double dx = v[1].x - v[0].x, dy = v[1].y - v[0].y;
   const double length = hypot(dx, dy);
   const double more = antialias ? 0.5 : 0.0;
   const double half = (0.5 * width_px + more) * SIM_SUBPIXEL_ONE / length;
   const double out = more * SIM_SUBPIXEL_ONE / length;
   const int64_t nx = llrint(-dy * half), ny = llrint(dx * half);
   const int64_t ex = llrint(dx * out), ey = llrint(dy * out);
   const int64_t corner[4][2] = { { v[0].x - ex - nx, v[0].y - ey - ny },
                                  { v[1].x + ex - nx, v[1].y + ey - ny },
                                  { v[1].x + ex + nx, v[1].y + ey + ny },
                                  { v[0].x - ex + nx, v[0].y - ey + ny } };
   set_polygon(r, vp, 4, corner);
   r->building.line = (struct sim_setup_line) {
      .x = (double)v[0].x / SIM_SUBPIXEL_ONE,
      .y = (double)v[0].y / SIM_SUBPIXEL_ONE,
      .dx = dx / length,
      .dy = dy / length,
      .length = length / SIM_SUBPIXEL_ONE,
      .width = width_px,
   };
}

/* b1 is the distance along the line, b2 is not used. Of rectangles it is that
 * of the nearest point of the line; others change along the major axis only,
 * as their ends do. */
static bool
set_line_barycentric(struct sim_setup *s, const struct sim_screen_vertex v[2],
                     bool rectangle, bool x_major)
{
   const double one = SIM_SUBPIXEL_ONE;
   const double dx = (v[1].x - v[0].x) / one, dy = (v[1].y - v[0].y) / one;
   const double length2 = dx * dx + dy * dy;
   if (length2 == 0.0)
      return false;
   if (rectangle) {
      s->b_x[0] = dx / length2;
      s->b_y[0] = dy / length2;
   } else {
      s->b_x[0] = x_major ? 1 / dx : 0;
      s->b_y[0] = x_major ? 0 : 1 / dy;
   }
   s->b_c[0] = -(v[0].x / one * s->b_x[0] + v[0].y / one * s->b_y[0]);
   s->b_x[1] = s->b_y[1] = s->b_c[1] = 0.0;
   return true;
}

static void
draw_line(struct sim_raster *r, const struct sim_prim *prim,
          const struct sim_raster_viewport *vp,
          const struct sim_screen_vertex v[2], double bias)
{
   struct sim_setup *s = &r->building;
   const double one = SIM_SUBPIXEL_ONE;
   const double dx = fabs((v[1].x - v[0].x) / one);
   const double dy = fabs((v[1].y - v[0].y) / one);
   /* What the manual says of a width of zero holds without multisampling
    * only; smoothing does not count then. */
   const float width = r->state->sf.LineWidth;
   const bool antialias = r->state->raster.AntialiasingEnable &&
                          !r->rectangular_lines && width > 0;
   const bool rectangle = r->rectangular_lines || antialias;
   if (!set_line_barycentric(s, v, rectangle, dx >= dy))
      return;

   set_depth(r, v, 2, bias);
   s->topology = TOPOLOGY_LINELIST;
   sim_raster_set_attributes(r, prim, v, 2, false);

   uint32_t steps;
   s->line_step = r->line_step;
   set_smooth(r, false, false, antialias);
   if (rectangle) {
      s->line_stipple = r->state->wm.LineStippleEnable;
      set_rectangle_line(r, vp, v, MAX2(width, 1.0f), antialias);
      steps = (uint32_t)lrint(MAX2(dx, dy));
   } else if (width > 0 && !r->state->wm.LineStippleEnable) {
      set_parallelogram_line(r, vp, v, dx >= dy, width);
      steps = 0;
   } else {
      s->x0 = vp->x0;
      s->y0 = vp->y0;
      s->x1 = vp->x1;
      s->y1 = vp->y1;
      steps = sim_scan_prepare_line(r, v, width);
   }
   sim_tiles_add(r);
   r->line_step += steps;
}

static void
draw_solid(struct sim_raster *r, const struct sim_prim *prim,
           const struct sim_raster_viewport *vp,
           const struct sim_screen_vertex v[3], double bias)
{
   struct sim_setup *s = &r->building;
   int64_t c[3][2];
   for (unsigned i = 0; i < 3; i++) {
      c[i][0] = v[i].x;
      c[i][1] = v[i].y;
   }
   set_depth(r, v, 3, bias);
   s->topology = TOPOLOGY_TRILIST;
   set_smooth(r,
              r->state->wm.PolygonStippleEnable &&
                 r->draw->topology != _3DPRIM_TRIFAN_NOSTIPPLE,
              false, false);
   sim_raster_set_attributes(r, prim, v, 3, false);

   const int64_t area2 = (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) -
                         (c[2][0] - c[0][0]) * (c[1][1] - c[0][1]);
   if (area2 < 0) {
      const int64_t flipped[3][2] = { { c[0][0], c[0][1] },
                                      { c[2][0], c[2][1] },
                                      { c[1][0], c[1][1] } };
      set_polygon(r, vp, 3, flipped);
   } else {
      set_polygon(r, vp, 3, c);
   }
   if (!prim->rect)
      set_conservative(r, vp, c);
   sim_tiles_add(r);
}

/* The rectangle of which these are three corners. */
static void
hz_rectangle(struct sim_raster *r, const int64_t c[3][2])
{
   const int64_t x0 = MIN2(MIN2(c[0][0], c[1][0]), c[2][0]);
   const int64_t y0 = MIN2(MIN2(c[0][1], c[1][1]), c[2][1]);
   const int64_t x1 = MAX2(MAX2(c[0][0], c[1][0]), c[2][0]);
   const int64_t y1 = MAX2(MAX2(c[0][1], c[1][1]), c[2][1]);
   sim_hz_rectangle(r, (int)(x0 / SIM_SUBPIXEL_ONE),
                    (int)(y0 / SIM_SUBPIXEL_ONE),
                    (int)(x1 / SIM_SUBPIXEL_ONE),
                    (int)(y1 / SIM_SUBPIXEL_ONE));
}

/* With "conservative rasterization" a triangle that is but a line or a point
 * is seen; it has what its first vertex has. */
static bool
covers_without_area(struct sim_raster *r, const struct sim_prim *prim)
{
   struct sim_setup *s = &r->building;
   memset(s->b_c, 0, sizeof(s->b_c));
   memset(s->b_x, 0, sizeof(s->b_x));
   memset(s->b_y, 0, sizeof(s->b_y));
   return r->state->raster.ConservativeRasterizationEnable && !prim->rect;
}

static void
draw_triangle(struct sim_raster *r, const struct sim_prim *prim,
              const struct sim_raster_viewport *vp,
              const struct sim_screen_vertex v[3])
{
   const struct GEN9_3DSTATE_RASTER *ra = &r->state->raster;
   int64_t c[3][2];
   for (unsigned i = 0; i < 3; i++) {
      c[i][0] = v[i].x;
      c[i][1] = v[i].y;
   }
   /* Twice the area, positive for clockwise on the screen. */
   const int64_t area2 = (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) -
                         (c[2][0] - c[0][0]) * (c[1][1] - c[0][1]);
   /* FrontWinding 0: clockwise. A triangle without area shows its back
    * (Vulkan 1.3, 28.12.1), and covers nothing, but its outline may be
    * drawn. */
   r->building.front_facing = area2 != 0 &&
                              (area2 > 0) == (ra->FrontWinding == 0);
   if (prim->rect && sim_hz_by_rectangle(r)) {
      sim_tiles_flush(r);
      hz_rectangle(r, c);
      return;
   }
   /* Drivers of Gen7 leave "cull both" on for their rectangles. */
   if (!prim->rect &&
       (ra->CullMode == CULL_BOTH ||
        ra->CullMode == (r->building.front_facing ? CULL_FRONT : CULL_BACK)))
      return;

   const unsigned fill = r->building.front_facing ? ra->FrontFaceFillMode
                                                  : ra->BackFaceFillMode;
   double bias = 0.0;
   const bool biased = fill == FILL_SOLID ? ra->GlobalDepthOffsetEnableSolid
                       : fill == FILL_WIREFRAME
                          ? ra->GlobalDepthOffsetEnableWireframe
                          : ra->GlobalDepthOffsetEnablePoint;
   if (area2 != 0) {
      set_barycentric(&r->building, c, (double)area2);
      if (biased) {
         const float z[3] = { v[0].z, v[1].z, v[2].z };
         bias = depth_bias(r, &r->building, z);
      }
   }

   if (fill == FILL_SOLID) {
      if (area2 != 0 || covers_without_area(r, prim))
         draw_solid(r, prim, vp, v, bias);
      return;
   }
   for (unsigned i = 0; i < 3 && !r->draw->faulted; i++) {
      if (!(prim->edge_mask >> i & 1))
         continue;
      const struct sim_screen_vertex ends[2] = { v[i], v[(i + 1) % 3] };
      if (fill == FILL_WIREFRAME)
         draw_line(r, prim, vp, ends, bias);
      else
         draw_point(r, prim, vp, ends, bias);
   }
}

void
sim_raster_primitive(struct sim_draw *draw, const struct sim_prim *prim)
{
   struct sim_raster *r = draw->raster;
   if (!r || draw->faulted)
      return;

   struct sim_setup *s = &r->building;
   const uint32_t *header = prim->provoking->dw;
   s->viewport_index = header[2];
   s->layer = r->state->clip.ForceZeroRTAIndexEnable ? 0 : header[1];
   r->last_layer = MAX2(r->last_layer, s->layer);
   s->primitive_id = prim->primitive_id;
   s->front_facing = true;
   if (prim->restarts_stipple)
      r->line_step = 0;
   if (s->viewport_index > r->state->clip.MaximumVPIndex)
      s->viewport_index = 0;

   const struct sim_raster_viewport *vp =
      sim_raster_get_viewport(r, s->viewport_index);
   if (!vp)
      return;
   static const unsigned count[] = { 1, 2, 3 };
   struct sim_screen_vertex v[3];
   for (unsigned i = 0; i < count[prim->kind]; i++)
      transform(r, vp, prim->v[i], &v[i]);

   switch (prim->kind) {
   case SIM_PRIM_POINT: draw_point(r, prim, vp, v, 0.0); break;
   case SIM_PRIM_LINE: draw_line(r, prim, vp, v, 0.0); break;
   case SIM_PRIM_TRIANGLE: draw_triangle(r, prim, vp, v); break;
   }
}
