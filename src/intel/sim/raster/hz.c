/* SPDX-License-Identifier: MIT */
/*
 * 3DSTATE_WM_HZ_OP: clears of depth and stencil and resolves, which use no
 * primitive (PRM SKL Vol. 7, "Hierarchical Depth Buffer", "Optimized Depth
 * Buffer Clear and/or Stencil Buffer Clear", "Depth Buffer Resolve",
 * "Hierarchical Depth Buffer Resolve").
 *
 * The hardware performs the operation at the PIPE_CONTROL that must follow;
 * here it is done with the packet, which sees the same buffers.
 *
 * Gen7 has no such packet: 3DSTATE_WM turns the drawing of a rectangle into
 * the operation (PRM HSW Vol. 7, the same sections).
 *
 * A depth clear marks the blocks that the rectangle covers in the HiZ
 * buffer; blocks at its edge, and buffers without HiZ, are written.
 */
#include "raster_private.h"

#include "hz.h"

struct area {
   int x0, y0, x1, y1;
};

/* The rectangle, within the level. */
static struct area
op_area(const struct sim_raster *r, const struct GEN9_3DSTATE_WM_HZ_OP *op)
{
   const struct sim_image *img = r->zs.has_depth ? &r->zs.depth
                                                 : &r->zs.stencil;
   return (struct area) { (int)op->ClearRectangleXMin,
                          (int)op->ClearRectangleYMin,
                          (int)MIN2(op->ClearRectangleXMax, img->width),
                          (int)MIN2(op->ClearRectangleYMax, img->height) };
}

/* By the first scissor rectangle, whose last pixels are inside. */
static bool
cut_area(struct sim_raster *r, struct area *a)
{
   uint32_t dw[GEN9_SCISSOR_RECT_length];
   struct GEN9_SCISSOR_RECT s;
   if (!sim_draw_read_dynamic(
          r->draw, r->state->scissor_state_pointers.ScissorRectPointer, dw,
          sizeof(dw), "SCISSOR_RECT"))
      return false;
   GEN9_SCISSOR_RECT_unpack(dw, &s);
   a->x0 = MAX2(a->x0, (int)s.ScissorRectangleXMin);
   a->y0 = MAX2(a->y0, (int)s.ScissorRectangleYMin);
   a->x1 = MIN2(a->x1, (int)s.ScissorRectangleXMax + 1);
   a->y1 = MIN2(a->y1, (int)s.ScissorRectangleYMax + 1);
   return true;
}

/* Whether the area has all pixels of the block that the level has. */
static bool
covers_block(const struct sim_raster *r, const struct area *a, int bx, int by)
{
   const int right = MIN2(bx + SIM_HIZ_W, (int)r->zs.depth.width);
   const int bottom = MIN2(by + SIM_HIZ_H, (int)r->zs.depth.height);
   return a->x0 <= bx && a->y0 <= by && a->x1 >= right && a->y1 >= bottom;
}

static bool
clear_block(struct sim_raster *r, const struct area *a, int bx, int by)
{
   if (r->zs.has_hiz && covers_block(r, a, bx, by))
      return sim_hiz_set(r, bx, by, SIM_HIZ_CLEAR);
   const float value = r->state->clear_params.DepthClearValue;
   if (!sim_hiz_expand(r, bx, by) || !sim_hiz_add(r, bx, by, value))
      return false;
   for (int y = MAX2(by, a->y0); y < MIN2(by + SIM_HIZ_H, a->y1); y++) {
      for (int x = MAX2(bx, a->x0); x < MIN2(bx + SIM_HIZ_W, a->x1); x++) {
         if (!sim_zs_store_depth(r, x, y, value))
            return false;
      }
   }
   return true;
}

static bool
depth_block(struct sim_raster *r, const struct GEN9_3DSTATE_WM_HZ_OP *op,
            const struct area *a, int bx, int by)
{
   if (op->DepthBufferClearEnable && !clear_block(r, a, bx, by))
      return false;
   if (op->DepthBufferResolveEnable && !sim_hiz_expand(r, bx, by))
      return false;
   return !op->HierarchicalDepthBufferResolveEnable || !r->zs.has_hiz ||
          sim_hiz_set(r, bx, by, SIM_HIZ_VALID);
}

static bool
depth_layer(struct sim_raster *r, const struct GEN9_3DSTATE_WM_HZ_OP *op,
            const struct area *a)
{
   for (int y = a->y0 & ~(SIM_HIZ_H - 1); y < a->y1; y += SIM_HIZ_H) {
      if (sim_draw_expired(r->draw))
         return false;
      sim_gpu_spend(r->draw->gpu, (uint64_t)(a->x1 - a->x0) + 1);
      for (int x = a->x0 & ~(SIM_HIZ_W - 1); x < a->x1; x += SIM_HIZ_W) {
         if (!depth_block(r, op, a, x, y))
            return false;
      }
   }
   return true;
}

static bool
stencil_layer(struct sim_raster *r, const struct GEN9_3DSTATE_WM_HZ_OP *op,
              const struct area *a)
{
   const uint8_t value = (uint8_t)op->StencilClearValue;
   for (int y = a->y0; y < a->y1; y++) {
      if (sim_draw_expired(r->draw))
         return false;
      sim_gpu_spend(r->draw->gpu, (uint64_t)(a->x1 - a->x0) + 1);
      for (int x = a->x0; x < a->x1; x++) {
         if (!sim_zs_store_stencil(r, x, y, value))
            return false;
      }
   }
   return true;
}

static void
run(struct sim_raster *r)
{
   const struct GEN9_3DSTATE_WM_HZ_OP *op = &r->state->wm_hz_op;
   const struct GEN9_3DSTATE_DEPTH_BUFFER *d = &r->state->depth_buffer;
   r->num_samples = 1u << op->NumberofMultisamples;
   if (r->num_samples > SIM_MAX_SAMPLES) {
      sim_draw_fault(r->draw, "3DSTATE_WM_HZ_OP: the number of samples is "
                              "reserved");
      return;
   }
   if (!sim_zs_begin(r))
      return;
   const bool depth = op->DepthBufferClearEnable ||
                      op->DepthBufferResolveEnable ||
                      op->HierarchicalDepthBufferResolveEnable;
   struct area a = op_area(r, op);
   if (op->ScissorRectangleEnable && !cut_area(r, &a))
      return;
   for (unsigned l = 0; l <= d->RenderTargetViewExtent; l++) {
      r->building.layer = l;
      if (depth && r->zs.has_depth && !depth_layer(r, op, &a))
         return;
      if (op->StencilBufferClearEnable && r->zs.has_stencil &&
          !stencil_layer(r, op, &a))
         return;
   }
}

bool
sim_hz_by_rectangle(const struct sim_raster *r)
{
   const struct GEN9_3DSTATE_WM *wm = &r->state->wm;
   return wm->LegacyDepthBufferClearEnable ||
          wm->LegacyDepthBufferResolveEnable ||
          wm->LegacyHierarchicalDepthBufferResolveEnable;
}

void
sim_hz_rectangle(struct sim_raster *r, int x0, int y0, int x1, int y1)
{
   const struct GEN9_3DSTATE_WM *wm = &r->state->wm;
   const struct GEN9_3DSTATE_WM_HZ_OP op = {
      .DepthBufferClearEnable = wm->LegacyDepthBufferClearEnable,
      .DepthBufferResolveEnable = wm->LegacyDepthBufferResolveEnable,
      .HierarchicalDepthBufferResolveEnable =
         wm->LegacyHierarchicalDepthBufferResolveEnable,
   };
   const struct area a = { MAX2(x0, 0), MAX2(y0, 0),
                           MIN2(x1, (int)r->zs.depth.width),
                           MIN2(y1, (int)r->zs.depth.height) };
   if (r->zs.has_depth && sim_zs_has_layer(r))
      depth_layer(r, &op, &a);
}

void
sim_hz_op(struct sim_draw *draw)
{
   struct sim_raster *r = aligned_alloc(64, ALIGN(sizeof(*r), 64));
   if (!r) {
      sim_draw_fault(draw, "the host is out of memory");
      return;
   }
   memset(r, 0, sizeof(*r));
   r->draw = draw;
   r->state = draw->state;
   r->mem = draw->mem;
   r->setup = &r->building;
   run(r);
   free(r);
}
