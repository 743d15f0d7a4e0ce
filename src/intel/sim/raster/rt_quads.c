/* SPDX-License-Identifier: MIT */
/*
 * Writes to render targets of one sample, quad by quad: a quad is in one
 * element of a CCS, of a row the second pixel is after the first, and in a
 * tile the second row is at a known distance.
 */
#include "intel/sim/mem/watch.h"
#include "rt_private.h"

bool
sim_rt_by_quads(const struct sim_raster *r,
                const struct sim_render_target *rt,
                const struct sim_rt_payload *p)
{
   const struct sim_surface *s = &rt->surface;
   return !rt->null && !p->half && !p->dual && !r->setup->antialias &&
          s->num_samples == 1 &&
          (s->aux.mode == SIM_AUX_NONE || s->aux.mode == SIM_AUX_CCS) &&
          !sim_raster_aux_operation(r);
}

/* Whether the samples that a thread was started for are those it writes. */
static bool
samples_are_known(const struct sim_raster *r, const struct sim_rt_payload *p)
{
   return r->early_tests && p->omask < 0 && !r->alpha_decides;
}

/* The components of a quad's pixel 0; the next one's are `step` after. */
struct quad_color {
   const uint32_t *component[4];
   unsigned step;
   bool stored; /* as it is, but for the conversion */
   unsigned rt_index;
};

static inline struct quad_color
quad_color(const struct sim_message *m, const struct sim_rt_payload *p,
           unsigned c)
{
   struct quad_color q = { .step = p->replicated ? 0 : 1 };
   for (unsigned i = 0; i < 4; i++)
      q.component[i] = sim_rt_component(m, p, i, c);
   return q;
}

bool
sim_rt_has_quads(const struct sim_surface *s)
{
   const unsigned l = s->target_level;
   if (s->num_samples > 1 || s->is_linear_1d || s->slices_in_rows)
      return false;
   return s->tiling == SIM_TILE_LINEAR ||
          (s->element_B <= 8 && util_is_power_of_two_or_zero(s->element_B) &&
           sim_tiles_are_pages(s->tiling, s->address, s->pitch_B) &&
           !((s->x0_el[l] | s->y0_el[l] | s->qpitch_rows) & 1));
}

uint8_t *
sim_rt_place(struct sim_raster *r, struct sim_render_target *rt, int x, int y,
             unsigned w, unsigned h, uint32_t slice)
{
   const struct sim_surface *s = &rt->surface;
   const unsigned l = s->target_level;
   if (!rt->quads || r->mem->watch || x < 0 || y < 0)
      return NULL;
   const uint32_t x_B = (s->x0_el[l] + (uint32_t)x) * s->element_B;
   const uint32_t row = s->y0_el[l] + (uint32_t)y + slice * s->qpitch_rows;
   if (s->tiling == SIM_TILE_LINEAR)
      return sim_mem_try_ptr(
         r->mem,
         s->address + sim_tile_offset(s->tiling, s->pitch_B, x_B, row),
         (h - 1) * (uint64_t)s->pitch_B + (uint64_t)w * s->element_B);
   /* Tiles have 512x8 or 128x32 bytes, in columns of 16. */
   const uint32_t column_B = s->tiling == SIM_TILE_X ? 512 : 16;
   const uint32_t rows = s->tiling == SIM_TILE_X ? 8 : 32;
   if ((x_B & (column_B - 1)) + w * s->element_B > column_B ||
       (row & (rows - 1)) + h > rows)
      return NULL;
   return sim_tile_page_ptr(&rt->page, r->mem, s->address, s->tiling,
                            s->pitch_B, x_B, row);
}

/* Pixel i of the quad. */
static void
store_pixel(struct sim_raster *r, const struct sim_render_target *rt,
            const struct quad_color *color, unsigned i, uint8_t *to)
{
   static const uint32_t none[4];
   uint32_t rgba[4];
   for (unsigned k = 0; k < 4; k++)
      rgba[k] = color->component[k][i * color->step];
   if (color->stored)
      sim_format_pack(rt->surface.format, rgba, to);
   else
      sim_blend_pixel(r, rt, color->rt_index, to, rgba, none);
}

/* Texels of up to four bytes that are not the same. */
static bool
store_together(struct sim_raster *r, const struct sim_render_target *rt,
               const struct quad_color *color, unsigned lit,
               uint8_t *const to[4])
{
   const unsigned size_B = rt->surface.element_B;
   uint32_t old[4] = { 0 }, new[4];
   if (!color->step || size_B > 4)
      return false;
   for (unsigned i = 0; i < 4 && !color->stored; i++)
      sim_rt_copy_texel(&old[i], to[i], size_B);
   if (!(color->stored
            ? sim_format_pack_quad(rt->surface.format, color->component, new)
            : sim_blend_quad(r, rt, color->rt_index, color->component, old,
                             new)))
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (lit >> i & 1)
         sim_rt_copy_texel(to[i], &new[i], size_B);
   }
   return true;
}

static void
store_quad(struct sim_raster *r, const struct sim_render_target *rt,
           const struct quad_color *color, unsigned lit, uint8_t *first)
{
   const struct sim_surface *s = &rt->surface;
   const unsigned size_B = s->element_B, step_B = sim_rt_row_step_B(s);
   uint8_t *const to[4] = { first, first + size_B, first + step_B,
                            first + step_B + size_B };
   if (store_together(r, rt, color, lit, to))
      return;
   const uint8_t *same = NULL;
   while (lit) {
      const unsigned i = (unsigned)u_bit_scan(&lit);
      /* One colour for all of them is packed once. */
      if (same)
         sim_rt_copy_texel(to[i], same, size_B);
      else
         store_pixel(r, rt, color, i, to[i]);
      if (color->stored && !color->step)
         same = to[i];
   }
}

bool
sim_rt_expand(struct sim_raster *r, struct sim_render_target *rt, uint32_t x,
              uint32_t y, uint32_t slice)
{
   const struct sim_aux *a = &rt->surface.aux;
   const uint32_t ex = x >> a->block_w_log2, ey = y >> a->block_h_log2;
   if (r->mem->watch && a->mode == SIM_AUX_CCS)
      return sim_ccs_expand(&rt->surface, r->mem, rt->surface.target_level, x,
                            y, slice);
   if (a->mode != SIM_AUX_CCS ||
       (rt->expanded && rt->expanded_x == ex && rt->expanded_y == ey &&
        rt->expanded_layer == slice))
      return true;
   if (!sim_rt_in_line(rt, x, y, slice)) {
      rt->line.layer = slice;
      rt->line.clear = sim_ccs_line_has_clear(&rt->surface, r->mem,
                                              rt->surface.target_level, x, y,
                                              slice, rt->line.begin,
                                              rt->line.end);
   }
   if (!rt->line.clear)
      return true;
   rt->expanded = sim_ccs_expand(&rt->surface, r->mem,
                                 rt->surface.target_level, x, y, slice);
   rt->expanded_x = ex;
   rt->expanded_y = ey;
   rt->expanded_layer = slice;
   return rt->expanded;
}

/* A quad of which the pixels in `lit` are written. */
struct lit_quad {
   const struct sim_quad *q;
   unsigned lit;
   uint8_t *first; /* NULL: its texels are to be found one by one */
};

/* Finds where it is. */
static bool
find_quad(struct sim_raster *r, struct sim_eu_thread *t,
          struct sim_render_target *rt, struct lit_quad *l)
{
   const struct sim_quad *q = l->q;
   const uint32_t slice = rt->surface.first_slice + r->setup->layer;
   const unsigned any = (unsigned)__builtin_ctz(l->lit);
   if (!sim_rt_expand(r, rt, (uint32_t)q->x + (any & 1),
                      (uint32_t)q->y + (any >> 1), slice))
      return sim_eu_fault_memory(t, -1, r->mem->fault.address, "CCS");
   l->first = sim_rt_place(r, rt, q->x, q->y, 2, 2, slice);
   return true;
}

static bool
write_quad(struct sim_raster *r, struct sim_eu_thread *t,
           struct sim_render_target *rt, const struct lit_quad *l,
           const struct quad_color *color)
{
   const struct sim_surface *s = &rt->surface;
   const uint32_t slice = s->first_slice + r->setup->layer;
   unsigned lit = l->lit;
   if (l->first) {
      store_quad(r, rt, color, lit, l->first);
      return true;
   }
   while (lit) {
      const unsigned i = (unsigned)u_bit_scan(&lit);
      const uint64_t at = sim_surface_element_address(
         s, s->target_level, (uint32_t)l->q->x + (i & 1),
         (uint32_t)l->q->y + (i >> 1), slice, 0);
      uint8_t *to = sim_mem_ptr(r->mem, at, s->element_B, SIM_MEM_WRITE);
      if (!to)
         return sim_eu_fault_memory(t, -1, at, "render target");
      sim_mem_note(r->mem, SIM_CLIENT_TARGET, at, s->element_B,
                   SIM_MEM_WRITE);
      store_pixel(r, rt, color, i, to);
   }
   return true;
}

/* The quad to the right of one that is in the left half of a tile's column of
 * 16 bytes, and in the same element of a CCS. */
static bool
is_beside(const struct sim_render_target *rt, const struct lit_quad l[2])
{
   const struct sim_surface *s = &rt->surface;
   const uint32_t x = s->x0_el[s->target_level] + (uint32_t)l[0].q->x;
   return l[0].lit && l[0].first && s->tiling != SIM_TILE_LINEAR &&
          l[1].q->x == l[0].q->x + 2 && l[1].q->y == l[0].q->y &&
          x * s->element_B % 16 + 4 * s->element_B <= 16 &&
          (s->aux.mode != SIM_AUX_CCS || l[0].q->x % 4 == 0);
}

/* What is left of the pixels `lit` of the quad of channel c. False: the
 * thread has a fault. */
static bool
light_quad(struct sim_raster *r, struct sim_eu_thread *t,
           const struct sim_message *m, const struct sim_rt_payload *p,
           const struct sim_render_target *rt, unsigned c, bool known,
           struct lit_quad *l)
{
   struct sim_ps_thread *u = t->user;
   for (unsigned i = 0; i < 4 && !known; i++) {
      if (l->lit >> i & 1 && !sim_rt_channel_samples(r, m, p, u, c + i))
         l->lit &= ~(1u << i);
   }
   if (r->draw->faulted)
      return sim_rt_fault(t, "depth or stencil buffer");
   if (l->lit)
      l->lit &= sim_rt_inside(r, rt, l->q);
   return true;
}

/* Two quads at once, if the places of all texels are known. Of a quad that is
 * not written the texels of the other one are read. */
static bool
write_eight(struct sim_raster *r, const struct sim_render_target *rt,
            const struct lit_quad l[2], const struct quad_color *color)
{
   uint8_t *to[2] = { l[0].lit ? l[0].first : l[1].first,
                      l[1].lit ? l[1].first : l[0].first };
   if (!to[0] || !to[1] || !color->step)
      return false;
   struct sim_rt_eight e = { .stored = color->stored,
                             .rt_index = color->rt_index,
                             .to = { to[0], to[1] },
                             .step_B = sim_rt_row_step_B(&rt->surface),
                             .lit = l[0].lit | l[1].lit << 4 };
   memcpy(e.component, color->component, sizeof(e.component));
   sim_rt_store_eight(r, rt, &e);
   return true;
}

bool
sim_rt_write_quads(struct sim_raster *r, struct sim_eu_thread *t,
                   const struct sim_message *m,
                   const struct sim_rt_payload *p,
                   struct sim_render_target *rt, uint32_t channels)
{
   const struct sim_ps_thread *u = t->user;
   const bool known = samples_are_known(r, p);
   const bool stored = sim_blend_is_off(r, rt, p->rt_index);
   const bool eights = rt->eights && !(r->blend_state_valid &&
                                       r->blend[p->rt_index].LogicOpEnable);
   for (unsigned c = 0; c < p->width; c += 8) {
      struct lit_quad l[2];
      for (unsigned k = 0; k < 2; k++) {
         l[k] =
            (struct lit_quad) { .q = &u->quad[(p->first_slot + c) / 4 + k],
                                .lit = channels >> (c + 4 * k) & 0xf };
         if (l[k].lit && !light_quad(r, t, m, p, rt, c + 4 * k, known, &l[k]))
            return false;
         if (k && l[1].lit && is_beside(rt, l))
            l[1].first = l[0].first + 2 * rt->surface.element_B;
         else if (l[k].lit && !find_quad(r, t, rt, &l[k]))
            return false;
      }
      if (!(l[0].lit | l[1].lit))
         continue;
      struct quad_color color[2] = { quad_color(m, p, c),
                                     quad_color(m, p, c + 4) };
      for (unsigned k = 0; k < 2; k++) {
         color[k].stored = stored;
         color[k].rt_index = p->rt_index;
      }
      if (eights && write_eight(r, rt, l, &color[0]))
         continue;
      for (unsigned k = 0; k < 2; k++) {
         if (l[k].lit && !write_quad(r, t, rt, &l[k], &color[k]))
            return false;
      }
   }
   if (known && channels)
      sim_fill_note(r, m, p, rt, channels, stored);
   return true;
}
