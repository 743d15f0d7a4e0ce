/* SPDX-License-Identifier: MIT */
/*
 * Plain writes to render targets: of one sample and without blending, in
 * which nothing happens to a colour but its conversion. Quad by quad: a quad
 * is in one element of a CCS, of a row the second pixel is after the first,
 * and in a tile the second row is at a known distance.
 */
#include "intel/sim/strict/watch.h"
#include "rt_private.h"

bool
sim_rt_is_plain(const struct sim_raster *r,
                const struct sim_render_target *rt,
                const struct sim_rt_payload *p)
{
   const struct sim_surface *s = &rt->surface;
   return !rt->null && !p->half && !p->dual && !r->setup->antialias &&
          s->num_samples == 1 &&
          (s->aux.mode == SIM_AUX_NONE || s->aux.mode == SIM_AUX_CCS) &&
          !sim_raster_aux_operation(r) &&
          sim_blend_is_off(r, rt, p->rt_index);
}

/* Which pixels of the quad are inside of the target. */
static unsigned
quad_inside(const struct sim_raster *r, const struct sim_render_target *rt,
            const struct sim_quad *q)
{
   if (r->setup->layer >= rt->surface.view_extent)
      return 0;
   const int w = (int)rt->width, h = (int)rt->height;
   const unsigned columns = (q->x >= 0 && q->x < w ? 5u : 0) |
                            (q->x >= -1 && q->x + 1 < w ? 10u : 0);
   const unsigned rows = (q->y >= 0 && q->y < h ? 3u : 0) |
                         (q->y >= -1 && q->y + 1 < h ? 12u : 0);
   return columns & rows;
}

/* Whether the samples that a thread was started for are those it writes. */
static bool
samples_are_known(const struct sim_raster *r, const struct sim_rt_payload *p)
{
   return r->early_tests && p->omask < 0 &&
          !(r->blend_state_valid && (r->blend_state.AlphaToCoverageEnable ||
                                     r->blend_state.AlphaTestEnable));
}

/* The components of a quad's pixel 0; the next one's are `step` after. */
struct quad_color {
   const uint32_t *component[4];
   unsigned step;
};

static struct quad_color
quad_color(const struct sim_message *m, const struct sim_rt_payload *p,
           unsigned c)
{
   struct quad_color q = { .step = p->replicated ? 0 : 1 };
   for (unsigned i = 0; i < 4; i++) {
      const unsigned reg = (unsigned)p->color +
                           (p->replicated ? 0 : i * p->width / 8 + c / 8);
      q.component[i] =
         &sim_message_payload(m, reg)->ud[p->replicated ? i : c % 8];
   }
   return q;
}

/* From a row of pixels to the next one, of which the first is even. */
static unsigned
row_step_B(const struct sim_surface *s)
{
   return s->tiling == SIM_TILE_X ? 512 : 16;
}

/*
 * The first of four pixels of which all are where the target's tiling puts
 * them from there; NULL: one after the other is to be found, or somebody
 * wants to know about each.
 */
static uint8_t *
whole_quad(struct sim_raster *r, const struct sim_render_target *rt,
           const struct sim_quad *q, uint32_t slice)
{
   const struct sim_surface *s = &rt->surface;
   if (!rt->pairs || r->mem->watch || q->x < 0 || q->y < 0 ||
       s->address % SIM_PAGE_SIZE)
      return NULL;
   const unsigned step_B = row_step_B(s);
   const uint64_t at = sim_surface_element_address(
      s, s->target_level, (uint32_t)q->x, (uint32_t)q->y, slice, 0);
   const unsigned size_B = step_B + 2 * s->element_B;
   if (at & step_B || at % SIM_PAGE_SIZE + size_B > SIM_PAGE_SIZE)
      return NULL;
   return sim_mem_try_ptr(r->mem, at, size_B);
}

static void
store_quad(const struct sim_render_target *rt, const struct quad_color *color,
           unsigned lit, uint8_t *to)
{
   const struct sim_surface *s = &rt->surface;
   const unsigned step_B = row_step_B(s);
   if (lit == 0xf && color->step &&
       sim_format_pack_quad(s->format, color->component, to, to + step_B))
      return;
   uint8_t texel[16];
   bool packed = false;
   while (lit) {
      const unsigned i = (unsigned)u_bit_scan(&lit);
      uint32_t rgba[4];
      for (unsigned k = 0; k < 4; k++)
         rgba[k] = color->component[k][i * color->step];
      /* One colour for all of them is packed once. */
      if (color->step || !packed)
         sim_format_pack(s->format, rgba, texel);
      packed = true;
      uint8_t *p = to + (i & 1) * s->element_B + (i >> 1) * step_B;
      if (s->element_B == 4)
         memcpy(p, texel, 4);
      else
         memcpy(p, texel, s->element_B);
   }
}

/* The pixels of `lit`. */
static bool
write_plain_quad(struct sim_raster *r, struct sim_eu_thread *t,
                 const struct sim_render_target *rt, const struct sim_quad *q,
                 const struct quad_color *color, unsigned lit)
{
   const struct sim_surface *s = &rt->surface;
   const uint32_t slice = s->first_slice + r->setup->layer;
   const unsigned any = (unsigned)__builtin_ctz(lit);
   if (s->aux.mode == SIM_AUX_CCS &&
       !sim_ccs_expand(s, r->mem, s->target_level, (uint32_t)q->x + (any & 1),
                       (uint32_t)q->y + (any >> 1), slice))
      return sim_eu_fault_memory(t, -1, r->mem->fault.address, "CCS");
   uint8_t *to = whole_quad(r, rt, q, slice);
   if (to) {
      store_quad(rt, color, lit, to);
      return true;
   }
   uint64_t at = 0;
   for (unsigned i = 0; i < 4; i++) {
      if (!(lit >> i & 1))
         continue;
      /* A bad base address may have put the second on another page. */
      if (rt->pairs && (lit >> (i & 2) & 3) == 3 && i & 1 &&
          at % SIM_PAGE_SIZE + 2 * s->element_B <= SIM_PAGE_SIZE) {
         to += s->element_B;
         at += s->element_B;
      } else {
         at = sim_surface_element_address(s, s->target_level,
                                          (uint32_t)q->x + (i & 1),
                                          (uint32_t)q->y + (i >> 1), slice,
                                          0);
         to = sim_mem_ptr(r->mem, at, s->element_B, SIM_MEM_WRITE);
         if (!to)
            return sim_eu_fault_memory(t, -1, at, "render target");
      }
      sim_mem_note(r->mem, SIM_CLIENT_TARGET, at, s->element_B,
                   SIM_MEM_WRITE);
      uint32_t rgba[4];
      for (unsigned k = 0; k < 4; k++)
         rgba[k] = color->component[k][i * color->step];
      sim_format_pack(s->format, rgba, to);
   }
   return true;
}

bool
sim_rt_write_plain(struct sim_raster *r, struct sim_eu_thread *t,
                   const struct sim_message *m,
                   const struct sim_rt_payload *p,
                   const struct sim_render_target *rt, uint32_t channels)
{
   struct sim_ps_thread *u = t->user;
   const bool known = samples_are_known(r, p);
   for (unsigned c = 0; c < p->width; c += 4) {
      const struct sim_quad *q = &u->quad[(p->first_slot + c) / 4];
      unsigned lit = channels >> c & 0xf;
      for (unsigned i = 0; i < 4 && !known; i++) {
         if (lit >> i & 1 && !sim_rt_channel_samples(r, m, p, u, c + i))
            lit &= ~(1u << i);
      }
      if (r->draw->faulted)
         return sim_rt_fault(t, "depth or stencil buffer");
      lit = lit ? lit & quad_inside(r, rt, q) : 0;
      if (!lit)
         continue;
      const struct quad_color color = quad_color(m, p, c);
      if (!write_plain_quad(r, t, rt, q, &color, lit))
         return false;
   }
   return true;
}
