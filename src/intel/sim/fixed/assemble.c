/* SPDX-License-Identifier: MIT */
/*
 * Primitive assembly: one vertex after the other in, points, lines and
 * triangles out, by topology (PRM SKL Vol. 7 "Vertex Fetch: Primitive
 * Topologies"). Without geometry shaders, adjacent vertices are dropped.
 *
 * A triangle comes out in the winding of the API: of a strip's odd ones, two
 * vertices are swapped. Which of its vertices is provoking is counted in the
 * order before that swap, as 3DSTATE_SF selects it.
 */
#include "front_private.h"

static struct front_prim *
new_prim(struct sim_front *f, enum sim_prim_kind kind, unsigned vertices)
{
   struct front_prim *p = &f->prim[f->num_prims++];
   *p = (struct front_prim) {
      .kind = (uint8_t)kind,
      .edge_mask = 7,
      .so_vertices = (uint8_t)vertices,
      .primitive_id = f->assembler.primitive_id,
   };
   return p;
}

static void
point(struct sim_front *f, unsigned a)
{
   struct front_prim *p = new_prim(f, SIM_PRIM_POINT, 1);
   p->slot[0] = p->provoking = (uint16_t)a;
   f->assembler.primitive_id++;
}

static void
line(struct sim_front *f, unsigned a, unsigned b)
{
   struct front_prim *p = new_prim(f, SIM_PRIM_LINE, 2);
   p->slot[0] = (uint16_t)a;
   p->slot[1] = (uint16_t)b;
   p->provoking =
      p->slot[f->state->sf.LineStripListProvokingVertexSelect != 0];
   f->assembler.primitive_id++;
}

static struct front_prim *
triangle(struct sim_front *f, unsigned a, unsigned b, unsigned c,
         unsigned select)
{
   struct front_prim *p = new_prim(f, SIM_PRIM_TRIANGLE, 3);
   p->slot[0] = (uint16_t)a;
   p->slot[1] = (uint16_t)b;
   p->slot[2] = (uint16_t)c;
   p->provoking = p->slot[MIN2(select, 2)];
   f->assembler.primitive_id++;
   return p;
}

static unsigned
list_provoking(const struct sim_front *f)
{
   return f->state->sf.TriangleStripListProvokingVertexSelect;
}

/* Triangle (a, b, c) of a strip; an odd one becomes (a, c, b). */
static void
strip_triangle(struct sim_front *f, unsigned a, unsigned b, unsigned c,
               bool odd)
{
   const unsigned select = list_provoking(f);
   if (!odd) {
      triangle(f, a, b, c, select);
   } else {
      static const uint8_t swapped[4] = { 0, 2, 1, 1 };
      triangle(f, a, c, b, swapped[select & 3])->odd = true;
   }
}

/* Two triangles of one quad: no edge along the diagonal b-d. */
static void
quad(struct sim_front *f, unsigned a, unsigned b, unsigned c, unsigned d)
{
   const uint32_t id = f->assembler.primitive_id;
   const unsigned provoking = list_provoking(f) ? d : a;
   struct front_prim *p = triangle(f, a, b, d, 0);
   p->edge_mask = 5; /* a-b, d-a */
   p->provoking = (uint16_t)provoking;
   p = triangle(f, b, c, d, 0);
   p->edge_mask = 3; /* b-c, c-d */
   p->provoking = (uint16_t)provoking;
   p->primitive_id = id;
   f->assembler.primitive_id = id + 1;
}

/* Forgets all but the last `n` held vertices. */
static void
keep_last(struct assembler *a, unsigned n)
{
   memmove(a->held, a->held + a->num_held - n, n * sizeof(a->held[0]));
   a->num_held = n;
}

static void
fan_triangle(struct sim_front *f, bool polygon)
{
   struct assembler *a = &f->assembler;
   const uint16_t *h = a->held;
   struct front_prim *p =
      triangle(f, h[0], h[1], h[2],
               f->state->sf.TriangleFanProvokingVertexSelect);
   if (polygon) {
      /* One primitive: inner edges are none, and the hub provokes. The last
       * edge is added in sim_assemble_end(). */
      p->edge_mask = a->count == 3 ? 3 : 2;
      p->provoking = h[0];
      a->primitive_id--;
   }
   a->held[1] = a->held[2];
   a->num_held = 2;
}

/* Lists: n vertices make a primitive, then it starts again. */
static void
list_vertex(struct sim_front *f, uint32_t topology)
{
   struct assembler *a = &f->assembler;
   const uint16_t *h = a->held;
   const unsigned n = a->num_held;
   switch (topology) {
   case _3DPRIM_POINTLIST:
      point(f, h[0]);
      a->num_held = 0;
      return;
   case _3DPRIM_LINELIST:
      if (n == 2) {
         line(f, h[0], h[1]);
         a->num_held = 0;
      }
      return;
   case _3DPRIM_LINELIST_ADJ:
      if (n == 4) {
         line(f, h[1], h[2]);
         a->num_held = 0;
      }
      return;
   case _3DPRIM_TRILIST:
      if (n == 3) {
         triangle(f, h[0], h[1], h[2], list_provoking(f));
         a->num_held = 0;
      }
      return;
   case _3DPRIM_TRILIST_ADJ:
      if (n == 6) {
         triangle(f, h[0], h[2], h[4], list_provoking(f));
         a->num_held = 0;
      }
      return;
   case _3DPRIM_RECTLIST:
      if (n == 3) {
         triangle(f, h[0], h[1], h[2], list_provoking(f))->rect = true;
         a->num_held = 0;
      }
      return;
   default:
      assert(topology == _3DPRIM_QUADLIST);
      if (n == 4) {
         quad(f, h[0], h[1], h[2], h[3]);
         a->num_held = 0;
      }
      return;
   }
}

/* Strips, fans and loops: each vertex after the first ones makes one. */
static void
strip_vertex(struct sim_front *f, uint32_t topology)
{
   struct assembler *a = &f->assembler;
   const uint16_t *h = a->held;
   const unsigned n = a->num_held;
   switch (topology) {
   case _3DPRIM_LINESTRIP:
   case _3DPRIM_LINESTRIP_CONT:
      if (n == 2) {
         line(f, h[0], h[1]);
         keep_last(a, 1);
      }
      return;
   case _3DPRIM_LINELOOP: /* held: first, previous, this */
      if (n == 2) {
         line(f, h[0], h[1]);
      } else if (n == 3) {
         line(f, h[1], h[2]);
         a->held[1] = a->held[2];
         a->num_held = 2;
      }
      return;
   case _3DPRIM_LINESTRIP_ADJ:
      if (n == 4) {
         line(f, h[1], h[2]);
         keep_last(a, 3);
      }
      return;
   case _3DPRIM_TRISTRIP:
   case _3DPRIM_TRISTRIP_REVERSE:
      if (n == 3) {
         const bool odd = (a->count - 3) & 1;
         strip_triangle(f, h[0], h[1], h[2],
                        odd != (topology == _3DPRIM_TRISTRIP_REVERSE));
         keep_last(a, 2);
      }
      return;
   case _3DPRIM_TRISTRIP_ADJ:
      /* Complete with each second vertex from the sixth on. */
      if (n == 6) {
         strip_triangle(f, h[0], h[2], h[4], (a->count / 2 - 3) & 1);
         keep_last(a, 4);
      }
      return;
   case _3DPRIM_TRIFAN:
   case _3DPRIM_TRIFAN_NOSTIPPLE:
   case _3DPRIM_POLYGON:
      if (n == 3)
         fan_triangle(f, topology == _3DPRIM_POLYGON);
      return;
   default:
      assert(topology == _3DPRIM_QUADSTRIP);
      if (n == 4) {
         quad(f, h[0], h[1], h[3], h[2]);
         keep_last(a, 2);
      }
      return;
   }
}

static bool
is_list(uint32_t topology)
{
   switch (topology) {
   case _3DPRIM_POINTLIST:
   case _3DPRIM_LINELIST:
   case _3DPRIM_LINELIST_ADJ:
   case _3DPRIM_TRILIST:
   case _3DPRIM_TRILIST_ADJ:
   case _3DPRIM_RECTLIST:
   case _3DPRIM_QUADLIST:
      return true;
   default:
      return false;
   }
}

bool
sim_assemble_check(struct sim_front *f)
{
   switch (f->draw->topology) {
   case _3DPRIM_LINESTRIP:
   case _3DPRIM_LINESTRIP_CONT:
   case _3DPRIM_LINELOOP:
   case _3DPRIM_LINESTRIP_ADJ:
   case _3DPRIM_TRISTRIP:
   case _3DPRIM_TRISTRIP_REVERSE:
   case _3DPRIM_TRISTRIP_ADJ:
   case _3DPRIM_TRIFAN:
   case _3DPRIM_TRIFAN_NOSTIPPLE:
   case _3DPRIM_POLYGON:
   case _3DPRIM_QUADSTRIP:
      return true;
   default:
      if (is_list(f->draw->topology))
         return true;
      sim_draw_fault(f->draw, "topology %u is not implemented",
                     f->draw->topology);
      return false;
   }
}

void
sim_assemble_vertex(struct sim_front *f, unsigned slot)
{
   struct assembler *a = &f->assembler;
   a->held[a->num_held++] = (uint16_t)slot;
   a->count++;
   if (is_list(f->draw->topology))
      list_vertex(f, f->draw->topology);
   else
      strip_vertex(f, f->draw->topology);
}

void
sim_assemble_end(struct sim_front *f)
{
   struct assembler *a = &f->assembler;
   if (f->draw->topology == _3DPRIM_LINELOOP && a->num_held == 2)
      line(f, a->held[1], a->held[0]);
   if (f->draw->topology == _3DPRIM_POLYGON && a->count >= 3) {
      if (f->num_prims)
         f->prim[f->num_prims - 1].edge_mask |= 4;
      a->primitive_id++;
   }
   a->num_held = 0;
   a->count = 0;
}
