/* SPDX-License-Identifier: MIT */
/*
 * Depth and stencil tests and writes (PRM SKL Vol. 7, "Depth and Stencil
 * Test"), on the buffers of 3DSTATE_DEPTH_BUFFER and 3DSTATE_STENCIL_BUFFER.
 *
 * A buffer that is not there passes its test and takes no writes. Whether
 * the tests run before or after the shader is decided in ps.c.
 */
#include "hz.h"
#include "places.h"
#include "intel/sim/mem/watch.h"
#include "zs_private.h"

#include <inttypes.h>
#include <math.h>

/* 3DSTATE_DEPTH_BUFFER::SurfaceType */
#define SURFTYPE_NULL_VALUE 7

/* PRM SKL Vol. 2d "3D_Stencil_Operation". */
enum stencil_op {
   STENCIL_KEEP = 0,
   STENCIL_ZERO = 1,
   STENCIL_REPLACE = 2,
   STENCIL_INCRSAT = 3,
   STENCIL_DECRSAT = 4,
   STENCIL_INCR = 5,
   STENCIL_DECR = 6,
   STENCIL_INVERT = 7,
};

static bool
compare_u32(unsigned func, uint32_t a, uint32_t b)
{
   const enum zs_relation r = a < b ? LESS : a > b ? GREATER : EQUAL;
   return zs_passing(func) & r;
}

static bool
compare_float(unsigned func, float a, float b)
{
   const enum zs_relation r = a < b    ? LESS
                              : a > b  ? GREATER
                              : a == b ? EQUAL
                                       : UNORDERED;
   return zs_passing(func) & r;
}

static uint8_t
apply_stencil_op(unsigned op, uint8_t old, uint8_t ref)
{
   switch ((enum stencil_op)op) {
   case STENCIL_KEEP: return old;
   case STENCIL_ZERO: return 0;
   case STENCIL_REPLACE: return ref;
   case STENCIL_INCRSAT: return old == 0xff ? old : (uint8_t)(old + 1);
   case STENCIL_DECRSAT: return old == 0 ? old : (uint8_t)(old - 1);
   case STENCIL_INCR: return (uint8_t)(old + 1);
   case STENCIL_DECR: return (uint8_t)(old - 1);
   case STENCIL_INVERT: return (uint8_t)~old;
   }
   return old;
}

static void
set_faces(struct sim_depth_stencil *zs,
          const struct GEN9_3DSTATE_WM_DEPTH_STENCIL *d)
{
   zs->front = zs->back =
      (struct sim_stencil_face) { d->StencilTestFunction,
                                  d->StencilFailOp,
                                  d->StencilPassDepthFailOp,
                                  d->StencilPassDepthPassOp,
                                  (uint8_t)d->StencilReferenceValue,
                                  (uint8_t)d->StencilTestMask,
                                  (uint8_t)d->StencilWriteMask };
   if (!d->DoubleSidedStencilEnable)
      return;
   zs->back =
      (struct sim_stencil_face) { d->BackfaceStencilTestFunction,
                                  d->BackfaceStencilFailOp,
                                  d->BackfaceStencilPassDepthFailOp,
                                  d->BackfaceStencilPassDepthPassOp,
                                  (uint8_t)d->BackfaceStencilReferenceValue,
                                  (uint8_t)d->BackfaceStencilTestMask,
                                  (uint8_t)d->BackfaceStencilWriteMask };
}

static bool
depth_passes(const struct sim_raster *r, unsigned func, uint32_t z,
             uint32_t old)
{
   if (r->zs.depth_format == D32_FLOAT)
      return compare_float(func, util_bits_float(z), util_bits_float(old));
   return compare_u32(func, z, old);
}

static uint8_t *
texel(struct sim_raster *r, const struct sim_image *img, int x, int y,
      unsigned sample, const char *what)
{
   const uint64_t at = sim_image_address(img, (uint32_t)x, (uint32_t)y,
                                         r->setup->layer, sample);
   uint8_t *p = sim_mem_ptr(r->mem, at, img->bpp_B, SIM_MEM_WRITE);
   if (!p)
      sim_draw_mem_fault(r->draw, r->mem, what);
   else
      sim_mem_note(r->mem, SIM_CLIENT_DEPTH, at, img->bpp_B, SIM_MEM_WRITE);
   return p;
}

bool
sim_zs_store_depth(struct sim_raster *r, int x, int y, float value)
{
   const uint32_t z = zs_quantise(r->zs.depth_format, value);
   for (unsigned s = 0; s < r->num_samples; s++) {
      uint8_t *p = texel(r, &r->zs.depth, x, y, s, "depth buffer");
      if (!p)
         return false;
      memcpy(p, &z, r->zs.depth_size_B);
   }
   return true;
}

bool
sim_zs_store_stencil(struct sim_raster *r, int x, int y, uint8_t value)
{
   for (unsigned s = 0; s < r->num_samples; s++) {
      uint8_t *p = texel(r, &r->zs.stencil, x, y, s, "stencil buffer");
      if (!p)
         return false;
      *p = value;
   }
   return true;
}

static uint32_t
load_depth(const struct sim_raster *r, const uint8_t *p)
{
   uint32_t z = 0;
   memcpy(&z, p, r->zs.depth_size_B);
   return r->zs.depth_format == D24_UNORM_X8_UINT ? z & 0xffffff : z;
}

static void
begin_look(const struct sim_raster *r, struct sim_look_test *l, uint32_t z,
           const uint8_t *zp, const uint8_t *sp, bool stencil_ok,
           bool depth_ok)
{
   l->z = z;
   if (zp)
      l->z_was = load_depth(r, zp);
   if (sp)
      l->stencil_was = *sp;
   if (r->zs.depth_test)
      l->tests |= TRACE_TEST_DEPTH;
   if (r->zs.stencil_test)
      l->tests |= TRACE_TEST_STENCIL;
   l->tests |= (depth_ok ? TRACE_TEST_DEPTH_PASSED : 0u) |
               (stencil_ok ? TRACE_TEST_STENCIL_PASSED : 0u);
}

static void
end_look(struct sim_raster *r, struct sim_look_test *l, const uint8_t *zp,
         const uint8_t *sp)
{
   if (zp)
      l->z_is = load_depth(r, zp);
   if (sp)
      l->stencil_is = *sp;
   sim_look_tested(r, l);
}

/* What HiZ lets an old depth be. */
static uint32_t
bounded(const struct sim_hiz_bounds *hiz, uint32_t old)
{
   return (uint32_t)CLAMP((int32_t)old, hiz->least, hiz->most);
}

/* One sample; whether it passed. */
static bool
test_sample(struct sim_raster *r, int x, int y, unsigned sample,
            const float *z, const struct sim_hiz_bounds *hiz,
            const struct sim_stencil_face *face, uint8_t ref)
{
   const struct sim_depth_stencil *zs = &r->zs;
   const struct GEN9_3DSTATE_WM_DEPTH_STENCIL *d =
      &r->state->wm_depth_stencil;
   uint8_t *zp = NULL, *sp = NULL;
   uint32_t zq = 0;
   const bool looks = sim_looks_at(r, x, y);
   struct sim_look_test look = { .sample = sample };

   if (sim_zs_uses_depth(r)) {
      zp = texel(r, &zs->depth, x, y, sample, "depth buffer");
      if (!zp)
         return false;
      zq = zs_quantise(zs->depth_format, z[sample]);
   }
   bool stencil_ok = true;
   if (zs->stencil_test) {
      sp = texel(r, &zs->stencil, x, y, sample, "stencil buffer");
      if (!sp)
         return false;
      stencil_ok = compare_u32(face->func, ref & face->test_mask,
                               *sp & face->test_mask);
   }
   const bool depth_ok = !zs->depth_test ||
                         depth_passes(r, d->DepthTestFunction, zq,
                                      bounded(hiz, load_depth(r, zp)));

   if (looks)
      begin_look(r, &look, zq, zp, sp, stencil_ok, depth_ok);
   if (sp && zs->stencil_write) {
      const unsigned op = !stencil_ok ? face->fail
                          : !depth_ok ? face->depth_fail
                                      : face->pass;
      const uint8_t value = apply_stencil_op(op, *sp, ref);
      *sp = (uint8_t)((*sp & ~face->write_mask) | (value & face->write_mask));
   }
   const bool passed = stencil_ok && depth_ok;
   if (passed && zs->depth_write)
      memcpy(zp, &zq, zs->depth_size_B);
   if (looks)
      end_look(r, &look, zp, sp);
   return passed;
}

uint32_t
sim_zs_test(struct sim_raster *r, int x, int y, uint32_t mask, const float *z,
            bool front_facing, int stencil_ref)
{
   const struct sim_depth_stencil *zs = &r->zs;
   if (!sim_zs_active(r))
      return mask;
   /* Outside of the buffer there is nothing to write, and reads give zero;
    * a driver that renders there has a bug worth a report. */
   const struct sim_image *img = zs->has_depth ? &zs->depth : &zs->stencil;
   if (x < 0 || y < 0 || (unsigned)x >= img->width ||
       (unsigned)y >= img->height || !sim_zs_has_layer(r))
      return 0;

   const struct sim_hiz_bounds *hiz = NULL;
   if (sim_zs_uses_depth(r)) {
      hiz = sim_hiz_enter(r, x, y);
      if (!hiz)
         return 0;
   }
   const struct sim_stencil_face *face = front_facing ? &zs->front
                                                      : &zs->back;
   const uint8_t ref = stencil_ref == SIM_ZS_STATE_REF ? face->ref
                                                       : (uint8_t)stencil_ref;
   uint32_t passed = 0;
   while (mask && !r->draw->faulted) {
      const int i = u_bit_scan(&mask);
      if (test_sample(r, x, y, (unsigned)i, z, hiz, face, ref))
         passed |= 1u << i;
   }
   return passed;
}

/*
 * Quads of one sample a pixel
 */

/* As zs_quantise(), with depths between 0 and 1. */
static inline __m128i
quantise_four(uint32_t format, sim_v4df depth)
{
   const __m128 z = sim_to_floats(depth);
   if (format == D32_FLOAT)
      return _mm_castps_si128(z);
   const __m128d scale =
      _mm_set1_pd(format == D16_UNORM ? 65535.0 : 16777215.0);
   const __m128d lo = _mm_cvtps_pd(z), hi = _mm_cvtps_pd(_mm_movehl_ps(z, z));
   return _mm_unpacklo_epi64(_mm_cvtpd_epi32(_mm_mul_pd(lo, scale)),
                             _mm_cvtpd_epi32(_mm_mul_pd(hi, scale)));
}

/* As depth_passes(): ones for each of four that does. */
static inline __m128i
four_pass(uint32_t format, unsigned func, __m128i z, __m128i old)
{
   const unsigned wanted = zs_passing(func);
   __m128i is[4] = { _mm_cmplt_epi32(z, old), _mm_cmpeq_epi32(z, old),
                     _mm_cmpgt_epi32(z, old), _mm_setzero_si128() };
   if (format == D32_FLOAT) {
      const __m128 a = _mm_castsi128_ps(z), b = _mm_castsi128_ps(old);
      is[0] = _mm_castps_si128(_mm_cmplt_ps(a, b));
      is[1] = _mm_castps_si128(_mm_cmpeq_ps(a, b));
      is[2] = _mm_castps_si128(_mm_cmpgt_ps(a, b));
      is[3] = _mm_castps_si128(_mm_cmpunord_ps(a, b));
   }
   __m128i passes = _mm_setzero_si128();
   for (unsigned i = 0; i < 4; i++) {
      if (wanted >> i & 1)
         passes = _mm_or_si128(passes, is[i]);
   }
   return passes;
}

static inline __m128i
load_quad(const uint8_t *texels, unsigned size_B)
{
   uint16_t v[4];
   if (size_B == 4)
      return _mm_unpacklo_epi64(
         _mm_loadl_epi64((const __m128i *)texels),
         _mm_loadl_epi64((const __m128i *)(texels + 16)));
   memcpy(&v[0], texels, 4);
   memcpy(&v[2], texels + 16, 4);
   return _mm_setr_epi32(v[0], v[1], v[2], v[3]);
}

static inline void
store_quad(uint8_t *texels, unsigned size_B, __m128i v)
{
   uint32_t dw[4];
   _mm_storeu_si128((__m128i *)dw, v);
   for (unsigned i = 0; i < 4; i++)
      memcpy(texels + (i & 1) * size_B + (i >> 1) * 16, &dw[i], size_B);
}

/* As bounded(). */
static inline __m128i
four_bounded(const struct sim_hiz_bounds *hiz, __m128i old)
{
   const __m128i least = _mm_set1_epi32(hiz->least);
   const __m128i most = _mm_set1_epi32(hiz->most);
   const __m128i below = _mm_cmplt_epi32(old, least);
   const __m128i above = _mm_cmpgt_epi32(old, most);
   const __m128i v =
      _mm_or_si128(_mm_and_si128(below, least), _mm_andnot_si128(below, old));
   return _mm_or_si128(_mm_and_si128(above, most),
                       _mm_andnot_si128(above, v));
}

/* Of pixels in `mask` with these depths; those that passed. */
static inline unsigned
test_texels(const struct sim_raster *r, const struct sim_hiz_bounds *hiz,
            unsigned func, unsigned mask, sim_v4df depth, uint8_t *texels,
            unsigned size_B)
{
   const struct sim_depth_stencil *zs = &r->zs;
   const __m128i z = quantise_four(zs->depth_format, depth);
   const __m128i old = load_quad(texels, size_B);
   const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
   __m128i passes =
      _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)mask), bit), bit);
   if (zs->depth_test) {
      const int bits = zs->depth_format == D24_UNORM_X8_UINT ? 0xffffff : ~0;
      const __m128i was =
         four_bounded(hiz, _mm_and_si128(old, _mm_set1_epi32(bits)));
      passes =
         _mm_and_si128(passes, four_pass(zs->depth_format, func, z, was));
   }
   if (zs->depth_write)
      store_quad(texels, size_B,
                 _mm_or_si128(_mm_and_si128(passes, z),
                              _mm_andnot_si128(passes, old)));
   return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(passes));
}

bool
sim_zs_test_quad(struct sim_raster *r, const struct sim_quad *q,
                 unsigned mask, unsigned *passed)
{
   const struct sim_depth_stencil *zs = &r->zs;
   const unsigned func = r->state->wm_depth_stencil.DepthTestFunction;
   if (!zs->by_quads || r->mem->watch || q->x < 0 || q->y < 0 ||
       (unsigned)q->x + 1 >= zs->depth.width ||
       (unsigned)q->y + 1 >= zs->depth.height || !sim_zs_has_layer(r) ||
       !zs_depths_are_normalised(r))
      return false;
   uint8_t *texels = zs_depth_quad(r, q->x, q->y);
   if (!texels)
      return false;
   *passed = 0;
   const struct sim_hiz_bounds *hiz = sim_hiz_enter(r, q->x, q->y);
   if (!hiz)
      return true;
   const struct sim_places at =
      sim_places_of_quad(q, r->raster_x[0], r->raster_y[0]);
   const sim_v4df z = sim_places_depth(r, &at);
   /* Sizes that the compiler knows: no calls. */
   if (zs->depth_size_B == 4)
      *passed = test_texels(r, hiz, func, mask, z, texels, 4);
   else
      *passed = test_texels(r, hiz, func, mask, z, texels, 2);
   return true;
}

/*
 * Decoding the buffers
 */

/* Samples, level and slices, which 3DSTATE_DEPTH_BUFFER says for both. */
static void
set_layout(const struct sim_raster *r, struct sim_image *img, unsigned halign,
           unsigned valign)
{
   const struct GEN9_3DSTATE_DEPTH_BUFFER *d = &r->state->depth_buffer;
   img->num_samples = r->num_samples;
   img->sample_layout = r->num_samples > 1 ? SIM_SAMPLES_INTERLEAVED
                                           : SIM_SAMPLES_SINGLE;

   const uint32_t width = d->Width + 1, height = d->Height + 1;
   sim_level_origin(width, height, d->LOD, halign, valign, r->num_samples > 1,
                    r->num_samples, &img->x0, &img->y0);
   img->y0 += d->MinimumArrayElement * img->qpitch_rows;
   img->width = MAX2(width >> d->LOD, 1u);
   img->height = MAX2(height >> d->LOD, 1u);
}

/* Whether anything looks at the depth buffer: where nothing does its state
 * may be of no format, as igt's copies on Gen9 have it, which are zeros. */
static bool
wants_depth(const struct sim_raster *r)
{
   const struct GEN9_3DSTATE_WM_DEPTH_STENCIL *d =
      &r->state->wm_depth_stencil;
   const struct GEN9_3DSTATE_WM_HZ_OP *op = &r->state->wm_hz_op;
   return d->DepthTestEnable || d->DepthBufferWriteEnable ||
          op->DepthBufferClearEnable || op->DepthBufferResolveEnable ||
          op->HierarchicalDepthBufferResolveEnable || sim_hz_by_rectangle(r);
}

static bool
begin_depth(struct sim_raster *r)
{
   struct sim_depth_stencil *zs = &r->zs;
   const struct GEN9_3DSTATE_DEPTH_BUFFER *d = &r->state->depth_buffer;
   if (d->SurfaceType == SURFTYPE_NULL_VALUE)
      return true;

   zs->has_depth = true;
   zs->depth_format = d->SurfaceFormat;
   switch (d->SurfaceFormat) {
   case D16_UNORM: zs->depth_size_B = 2; break;
   case D24_UNORM_X8_UINT:
   case D32_FLOAT: zs->depth_size_B = 4; break;
   default:
      zs->has_depth = false;
      if (!wants_depth(r))
         return true;
      sim_draw_fault(r->draw,
                     "3DSTATE_DEPTH_BUFFER: format %u is not "
                     "implemented",
                     d->SurfaceFormat);
      return false;
   }
   /* Depth is always Y-major (TiledMode on Gen9 picks Yf and Ys only). */
   zs->depth = (struct sim_image) {
      .address = d->SurfaceBaseAddress,
      .pitch_B = d->SurfacePitch + 1,
      .tiling = SIM_TILE_Y,
      .bpp_B = zs->depth_size_B,
      .qpitch_rows = d->SurfaceQPitch * 4,
   };
   set_layout(r, &zs->depth, zs->depth_size_B == 2 ? 8 : 4, 4);
   zs->has_hiz = d->HierarchicalDepthBufferEnable;
   if (zs->has_hiz) {
      const struct GEN9_3DSTATE_HIER_DEPTH_BUFFER *h =
         &r->state->hier_depth_buffer;
      /* PRM SKL Vol. 2a, "3DSTATE_HIER_DEPTH_BUFFER": tiled, and so on a
       * page. What is there are words for us. */
      if (h->SurfaceBaseAddress % 4096) {
         sim_draw_fault(r->draw,
                        "the HiZ buffer is at 0x%012" PRIx64 ", not "
                        "on a page",
                        h->SurfaceBaseAddress);
         return false;
      }
      sim_hiz_init(&zs->hiz, h->SurfaceBaseAddress, h->SurfacePitch + 1,
                   h->SurfaceQPitch * 4, d->Width + 1, d->Height + 1, d->LOD);
   }
   return true;
}

static void
begin_stencil(struct sim_raster *r)
{
   struct sim_depth_stencil *zs = &r->zs;
   const struct GEN9_3DSTATE_STENCIL_BUFFER *s = &r->state->stencil_buffer;
   if (!s->StencilBufferEnable)
      return;

   zs->has_stencil = true;
   zs->stencil = (struct sim_image) {
      .address = s->SurfaceBaseAddress,
      .pitch_B = s->SurfacePitch + 1,
      .tiling = SIM_TILE_W,
      .bpp_B = 1,
      .qpitch_rows = s->SurfaceQPitch * 4,
   };
   set_layout(r, &zs->stencil, 8, 8);
}

bool
sim_zs_begin(struct sim_raster *r)
{
   struct sim_depth_stencil *zs = &r->zs;
   const struct GEN9_3DSTATE_WM_DEPTH_STENCIL *d =
      &r->state->wm_depth_stencil;
   zs->layers = r->state->depth_buffer.RenderTargetViewExtent + 1;
   if (!begin_depth(r))
      return false;
   begin_stencil(r);
   set_faces(zs, d);

   zs->depth_test = zs->has_depth && d->DepthTestEnable;
   /* Writing does not need the test: clears of stock drivers leave it off. */
   zs->depth_write = zs->has_depth && d->DepthBufferWriteEnable &&
                     r->state->depth_buffer.DepthWriteEnable;
   zs->stencil_test = zs->has_stencil && d->StencilTestEnable;
   zs->stencil_write = zs->stencil_test && d->StencilBufferWriteEnable &&
                       r->state->depth_buffer.StencilWriteEnable;
   const struct sim_image *img = &zs->depth;
   zs->by_quads =
      sim_zs_uses_depth(r) && !zs->stencil_test && r->num_samples == 1 &&
      !r->looks &&
      sim_tiles_are_pages(SIM_TILE_Y, img->address, img->pitch_B) &&
      !((img->x0 | img->y0 | img->qpitch_rows) & 1);
   zs->by_blocks = zs->by_quads && __builtin_cpu_supports("avx2");
   return true;
}
