/* SPDX-License-Identifier: MIT */
/*
 * Primitive assembly: one vertex after the other in; points, lines and
 * triangles out, by topology (PRM SKL Vol. 7 "Vertex Fetch: Primitive
 * Topologies"). As primitives, adjacent vertices are dropped; as objects,
 * for geometry shaders, they stay, and patches are possible.
 *
 * A triangle comes out in the winding of the API: of a strip's odd ones, two
 * vertices are swapped. Which of its vertices is provoking is counted in the
 * order before that swap, as 3DSTATE_SF selects it.
 */
#include "front_private.h"

static uint32_t
next_id(const struct assembler *a)
{
   return a->counts_id ? a->id + a->primitives : a->id;
}

static struct front_prim *
new_prim(struct sim_front *f, const struct assembler *a,
         enum sim_prim_kind kind)
{
   struct front_prim *p = &f->prim[f->num_prims++];
   *p = (struct front_prim) {
      .kind = (uint8_t)kind,
      .edge_mask = 7,
      .stream = a->stream,
      .so_vertices = (uint8_t)(kind + 1),
      .begins = true,
      .primitive_id = next_id(a),
   };
   return p;
}

static void
object(struct sim_front *f, struct assembler *a, const vue_ref *v, unsigned n,
       bool adjacency, bool odd)
{
   vue_ref *to = &f->object_vertex[f->num_object_vertices];
   memcpy(to, v, n * sizeof(*v));
   f->num_object_vertices += n;
   f->object[f->num_objects++] = (struct front_object) {
      .v = to,
      .num_vertices = (uint8_t)n,
      .topology = (uint8_t)a->topology,
      .adjacency = adjacency,
      .odd = odd,
      .primitive_id = next_id(a),
   };
   a->primitives++;
}

static void
point(struct sim_front *f, struct assembler *a, vue_ref v)
{
   if (a->objects) {
      object(f, a, &v, 1, false, false);
      return;
   }
   struct front_prim *p = new_prim(f, a, SIM_PRIM_POINT);
   p->v[0] = p->v[1] = p->v[2] = p->provoking = v;
   a->primitives++;
}

static void
set_line(const struct sim_front *f, struct front_prim *p, vue_ref v0,
         vue_ref v1)
{
   p->v[0] = v0;
   p->v[1] = p->v[2] = v1;
   p->provoking = p->v[f->state->sf.LineStripListProvokingVertexSelect != 0];
}

/* Whether the line that the last vertex has completed is the first of what it
 * is part of. */
static bool
begins_line(const struct assembler *a)
{
   switch (a->topology) {
   case _3DPRIM_LINESTRIP:
   case _3DPRIM_LINELOOP: return a->count == 2;
   case _3DPRIM_LINESTRIP_ADJ: return a->count == 4;
   case _3DPRIM_LINESTRIP_CONT: return false;
   default: return true;
   }
}

static void
line(struct sim_front *f, struct assembler *a, vue_ref v0, vue_ref v1)
{
   if (a->objects) {
      const vue_ref v[2] = { v0, v1 };
      object(f, a, v, 2, false, false);
      return;
   }
   struct front_prim *p = new_prim(f, a, SIM_PRIM_LINE);
   set_line(f, p, v0, v1);
   p->begins = begins_line(a);
   a->primitives++;
}

/* The line v1-v2 with its neighbours. */
static void
line_adj(struct sim_front *f, struct assembler *a, const vue_ref v[4])
{
   if (a->objects)
      object(f, a, v, 4, true, false);
   else
      line(f, a, v[1], v[2]);
}

static void
set_triangle(struct front_prim *p, vue_ref v0, vue_ref v1, vue_ref v2,
             unsigned select)
{
   p->v[0] = v0;
   p->v[1] = v1;
   p->v[2] = v2;
   p->provoking = p->v[MIN2(select, 2)];
}

static struct front_prim *
triangle(struct sim_front *f, struct assembler *a, vue_ref v0, vue_ref v1,
         vue_ref v2, unsigned select)
{
   struct front_prim *p = new_prim(f, a, SIM_PRIM_TRIANGLE);
   set_triangle(p, v0, v1, v2, select);
   a->primitives++;
   return p;
}

static unsigned
list_provoking(const struct sim_front *f)
{
   return f->state->sf.TriangleStripListProvokingVertexSelect;
}

static void
list_triangle(struct sim_front *f, struct assembler *a, const vue_ref v[3])
{
   if (a->objects)
      object(f, a, v, 3, false, false);
   else
      triangle(f, a, v[0], v[1], v[2], list_provoking(f));
}

/* Triangle (v0, v1, v2) of a strip; an odd one becomes (v0, v2, v1). */
static void
strip_triangle(struct sim_front *f, struct assembler *a, vue_ref v0,
               vue_ref v1, vue_ref v2, bool odd)
{
   const unsigned select = list_provoking(f);
   if (a->objects) {
      const vue_ref v[3] = { v0, odd ? v2 : v1, odd ? v1 : v2 };
      object(f, a, v, 3, false, odd);
   } else if (!odd) {
      triangle(f, a, v0, v1, v2, select);
   } else {
      static const uint8_t swapped[4] = { 0, 2, 1, 1 };
      triangle(f, a, v0, v2, v1, swapped[select & 3])->odd = true;
   }
}

/*
 * Triangle i of a strip with adjacency. Its vertices are number 2 i, 2 i + 2
 * and 2 i + 4, the neighbours lie across the three edges:
 *
 *      2i-2 ---- 2i+2 ---- 2i+6      across 2i, 2i+2: vertex 2 i - 2, but 1
 *          \     /  \     /          for the first triangle;
 *           \   /    \   /           across 2i+2, 2i+4: 2 i + 6, but 2 i + 5
 *            2i ---- 2i+4            for the last;
 *              \     /               across 2i+4, 2i: 2 i + 3.
 *               2i+3
 *
 * (OpenGL 4.6 core, table 10.1, counting from 0.) `held` begins with vertex
 * 2 i - 2, of the first triangle with vertex 0.
 */
static void
strip_triangle_adj(struct sim_front *f, struct assembler *a, unsigned i,
                   bool last)
{
   const vue_ref *h = a->held + (i ? 2 : 0);
   const vue_ref v0 = h[0], v1 = h[2], v2 = h[4];
   const vue_ref across01 = i ? a->held[0] : h[1];
   const vue_ref across12 = last ? h[5] : h[6];
   const vue_ref across20 = h[3];
   if (!a->objects) {
      strip_triangle(f, a, v0, v1, v2, i & 1);
   } else if (i & 1) {
      const vue_ref v[6] = { v0, across20, v2, across12, v1, across01 };
      object(f, a, v, 6, true, true);
   } else {
      const vue_ref v[6] = { v0, across01, v1, across12, v2, across20 };
      object(f, a, v, 6, true, false);
   }
}

/*
 * Two triangles of one quad: no edge along the diagonal v1-v3. v3 provokes
 * whatever is selected: drivers of the hardware report that quads do not
 * follow the convention (Mesa: QuadsFollowProvokingVertexConvention). It is
 * the last one of both, so that stream output keeps it where it can.
 */
static void
quad(struct sim_front *f, struct assembler *a, vue_ref v0, vue_ref v1,
     vue_ref v2, vue_ref v3)
{
   struct front_prim *p = triangle(f, a, v0, v1, v3, 2);
   p->edge_mask = 5; /* v0-v1, v3-v0 */
   a->primitives--;
   p = triangle(f, a, v1, v2, v3, 2);
   p->edge_mask = 3; /* v1-v2, v2-v3 */
}

/* Forgets all but the last `n` held vertices. */
static void
keep_last(struct assembler *a, unsigned n)
{
   memmove(a->held, a->held + a->num_held - n, n * sizeof(a->held[0]));
   a->num_held = n;
}

static void
fan_triangle(struct sim_front *f, struct assembler *a)
{
   const vue_ref *h = a->held;
   if (a->objects) {
      object(f, a, h, 3, false, false);
   } else {
      struct front_prim *p =
         triangle(f, a, h[0], h[1], h[2],
                  f->state->sf.TriangleFanProvokingVertexSelect);
      if (a->topology == _3DPRIM_POLYGON) {
         /* One primitive: inner edges are none, and the hub provokes. The
          * last edge is added in sim_assemble_end(). */
         p->edge_mask = a->count == 3 ? 3 : 2;
         p->provoking = h[0];
         a->primitives--;
      }
   }
   a->held[1] = a->held[2];
   a->num_held = 2;
}

/* How many vertices make a primitive of a list; 0: not a list. */
static unsigned
list_size(uint32_t topology)
{
   switch (topology) {
   case _3DPRIM_POINTLIST: return 1;
   case _3DPRIM_LINELIST: return 2;
   case _3DPRIM_TRILIST:
   case _3DPRIM_RECTLIST: return 3;
   case _3DPRIM_LINELIST_ADJ:
   case _3DPRIM_QUADLIST: return 4;
   case _3DPRIM_TRILIST_ADJ: return 6;
   default:
      return topology >= _3DPRIM_PATCHLIST_1 &&
                   topology <= _3DPRIM_PATCHLIST_32
                ? topology - _3DPRIM_PATCHLIST_1 + 1
                : 0;
   }
}

static void
list_primitive(struct sim_front *f, struct assembler *a, unsigned n)
{
   const vue_ref *h = a->held;
   switch (a->topology) {
   case _3DPRIM_POINTLIST: point(f, a, h[0]); break;
   case _3DPRIM_LINELIST: line(f, a, h[0], h[1]); break;
   case _3DPRIM_LINELIST_ADJ: line_adj(f, a, h); break;
   case _3DPRIM_TRILIST: list_triangle(f, a, h); break;
   case _3DPRIM_RECTLIST:
      if (a->objects)
         object(f, a, h, 3, false, false);
      else
         triangle(f, a, h[0], h[1], h[2], list_provoking(f))->rect = true;
      break;
   case _3DPRIM_TRILIST_ADJ:
      if (a->objects)
         object(f, a, h, 6, true, false);
      else
         triangle(f, a, h[0], h[2], h[4], list_provoking(f));
      break;
   case _3DPRIM_QUADLIST: quad(f, a, h[0], h[1], h[2], h[3]); break;
   default: object(f, a, h, n, false, false); break;
   }
   a->num_held = 0;
}

/* Strips, fans and loops: each vertex after the first ones makes one. */
static void
strip_vertex(struct sim_front *f, struct assembler *a)
{
   const vue_ref *h = a->held;
   const unsigned n = a->num_held;
   switch (a->topology) {
   case _3DPRIM_LINESTRIP:
   case _3DPRIM_LINESTRIP_CONT:
      if (n == 2) {
         line(f, a, h[0], h[1]);
         keep_last(a, 1);
      }
      return;
   case _3DPRIM_LINELOOP: /* held: first, previous, this */
      if (n == 2) {
         line(f, a, h[0], h[1]);
      } else if (n == 3) {
         line(f, a, h[1], h[2]);
         a->held[1] = a->held[2];
         a->num_held = 2;
      }
      return;
   case _3DPRIM_LINESTRIP_ADJ:
      if (n == 4) {
         line_adj(f, a, h);
         keep_last(a, 3);
      }
      return;
   case _3DPRIM_TRISTRIP:
   case _3DPRIM_TRISTRIP_REVERSE:
      if (n == 3) {
         const bool odd = (a->count - 3) & 1;
         strip_triangle(f, a, h[0], h[1], h[2],
                        odd != (a->topology == _3DPRIM_TRISTRIP_REVERSE));
         keep_last(a, 2);
      }
      return;
   case _3DPRIM_TRISTRIP_ADJ:
      /* When the next one is complete, too: it was not the last. */
      if (a->count == 8) {
         strip_triangle_adj(f, a, 0, false);
      } else if (n == 10) {
         strip_triangle_adj(f, a, a->count / 2 - 4, false);
         keep_last(a, 8);
      }
      return;
   case _3DPRIM_TRIFAN:
   case _3DPRIM_TRIFAN_NOSTIPPLE:
   case _3DPRIM_POLYGON:
      if (n == 3)
         fan_triangle(f, a);
      return;
   default:
      assert(a->topology == _3DPRIM_QUADSTRIP);
      if (n == 4) {
         quad(f, a, h[2], h[0], h[1], h[3]);
         keep_last(a, 2);
      }
      return;
   }
}

static bool
is_known(const struct assembler *a)
{
   switch (a->topology) {
   case _3DPRIM_LINESTRIP:
   case _3DPRIM_LINESTRIP_CONT:
   case _3DPRIM_LINELOOP:
   case _3DPRIM_LINESTRIP_ADJ:
   case _3DPRIM_TRISTRIP:
   case _3DPRIM_TRISTRIP_REVERSE:
   case _3DPRIM_TRISTRIP_ADJ:
   case _3DPRIM_TRIFAN:
   case _3DPRIM_TRIFAN_NOSTIPPLE: return true;
   case _3DPRIM_POLYGON:
   case _3DPRIM_QUADLIST:
   case _3DPRIM_QUADSTRIP: return !a->objects;
   default:
      return list_size(a->topology) &&
             (a->objects || a->topology < _3DPRIM_PATCHLIST_1);
   }
}

bool
sim_assemble_check(struct sim_front *f, const struct assembler *a)
{
   if (!is_known(a))
      sim_draw_fault(f->draw, "topology %u is not implemented%s", a->topology,
                     a->objects ? " with geometry stages" : "");
   return is_known(a);
}

void
sim_assemble_vertex(struct sim_front *f, struct assembler *a, vue_ref v)
{
   const unsigned list = list_size(a->topology);
   a->held[a->num_held++] = v;
   a->count++;
   if (!list)
      strip_vertex(f, a);
   else if (a->num_held == list)
      list_primitive(f, a, list);
}

void
sim_assemble_end(struct sim_front *f, struct assembler *a)
{
   switch (a->topology) {
   case _3DPRIM_LINELOOP:
      if (a->num_held == 2)
         line(f, a, a->held[1], a->held[0]);
      break;
   case _3DPRIM_TRISTRIP_ADJ:
      if (a->count >= 6)
         strip_triangle_adj(f, a, a->count / 2 - 3, true);
      break;
   case _3DPRIM_POLYGON:
      if (a->count >= 3) {
         if (f->num_prims)
            f->prim[f->num_prims - 1].edge_mask |= 4;
         a->primitives++;
      }
      break;
   default: break;
   }
   a->num_held = 0;
   a->count = 0;
}

void
sim_assemble_primitive(struct sim_front *f, enum sim_prim_kind kind,
                       const vue_ref v[3], uint32_t primitive_id)
{
   struct assembler a = { .id = primitive_id };
   switch (kind) {
   case SIM_PRIM_POINT: point(f, &a, v[0]); break;
   case SIM_PRIM_LINE: line(f, &a, v[0], v[1]); break;
   case SIM_PRIM_TRIANGLE: list_triangle(f, &a, v); break;
   }
}
