/* SPDX-License-Identifier: MIT */
/*
 * What sim_filter() does, for eight lanes at once on host vectors: addresses,
 * wrap modes, the texels of a nearest or bilinear filter, one or two levels,
 * comparison. Each step is that of sampler_filter.c with the same operations
 * in the same order, so that the bits are the same: test_sampler.c compares
 * them. A lane that needs more (a border colour, an edge of a seamless cube,
 * memory that is not mapped) is left to sim_filter().
 *
 * This file is built for AVX2 and called only where the host has it.
 */
#include "sampler_private.h"

#include <math.h>

#include "intel/genxml/gen9_pack.h"
#include "sampler_texels.h"

/* -------------------------------------------------------- level of detail */

/* As clamp_to_view() and finish() in sampler_lod.c; `level` and the lanes
 * that are magnified. */
INLINE v8d
finish_lod(const struct sim_lookup *l, v8f raw, v8f *level)
{
   const struct sim_surface *s = l->s;
   const struct sim_sampler *sm = l->sampler;
   const v8f zero = splat_f(0.0f), first = splat_f((float)s->first_level);
   const float last = (float)s->first_level + (float)(s->level_count - 1);
   v8f clamped = choose_f(raw > sm->max_lod, splat_f(sm->max_lod), raw);
   clamped = choose_f(raw < sm->min_lod, splat_f(sm->min_lod), clamped);
   const v8d magnified = (sm->clamps_before_choice ? clamped : raw) <= zero;
   if (sm->mip_filter == MIPFILTER_NONE)
      clamped = zero;
   else if (!sm->mips_when_magnified)
      clamped = (v8f)((v8d)clamped & (~magnified | (clamped > zero)));
   v8f at = first + choose_f(clamped > zero, clamped, zero);
   at = choose_f(at > s->resource_min_lod, at, splat_f(s->resource_min_lod));
   at = choose_f(at < last, at, splat_f(last));
   if (sm->mip_filter == MIPFILTER_NEAREST)
      at = (v8f)_mm256_floor_ps((__m256)(at + 0.5f));
   *level = at;
   return magnified;
}

/* The squares of how far a coordinate's pixel is from the quad's first. */
INLINE v8f
squares(const float coordinate[8], unsigned extent, bool right)
{
   const __m256 v = _mm256_loadu_ps(coordinate);
   const __m256 other = right ? _mm256_permute_ps(v, 0x55)
                              : _mm256_permute_ps(v, 0xaa);
   const v8f d = (v8f)_mm256_sub_ps(other, _mm256_permute_ps(v, 0x00));
   const v8f scaled = d * (float)extent;
   return scaled * scaled;
}

void
sim_lod_of_quads(const struct sim_lookup *l, struct sim_lanes *lanes)
{
   const struct sim_surface *s = l->s;
   const struct sim_sampler *sm = l->sampler;
   const bool pixels = sm->unnormalized;
   const unsigned w = pixels ? 1 : MAX2(s->width >> s->first_level, 1u);
   const unsigned h = pixels ? 1 : MAX2(s->height >> s->first_level, 1u);
   const unsigned d = MAX2(s->depth >> s->first_level, 1u);
   v8f square[2];
   for (unsigned i = 0; i < 2; i++) {
      square[i] = squares(lanes->u, w, !i) + squares(lanes->v, h, !i);
      /* Else it is a layer, or not there, and may be anything. */
      if (s->type == SIM_SURFACE_3D)
         square[i] += squares(lanes->r, d, !i);
   }
   const v8f larger = choose_f(square[0] > square[1], square[0], square[1]);
   /* Where nothing below 0 is told apart, no logarithm is needed below. */
   const bool coarse = sm->lod_bias <= 0.0f && sm->min_lod >= 0.0f;
   v8f raw;
   float log[2];
   for (unsigned q = 0; q < 2; q++) {
      log[q] = larger[4 * q] > (coarse ? 1.0f : 0.0f) &&
                     lanes->mask >> 4 * q & 0xf
                  ? log2f(sqrtf(larger[4 * q]))
                  : SIM_LEAST_LOD;
      log[q] = MIN2(log[q], -SIM_LEAST_LOD) + 0.0f + sm->lod_bias;
      if (isnan(log[q]))
         log[q] = SIM_LEAST_LOD;
   }
   raw = (v8f)_mm256_set_m128(_mm_set1_ps(log[1]), _mm_set1_ps(log[0]));
   v8f level;
   lanes->magnified = bits_of(finish_lod(l, raw, &level));
   memcpy(lanes->level, &level, sizeof(level));
}

/* ----------------------------------------------------------------- axes */

/* One coordinate of all lanes, as address_axis() has it. */
struct axis {
   v8d i[2];
   v8f w;
};

/* What the lanes of a message have in common. */
struct filter {
   const struct sim_lookup *l;
   enum texel_kind kind;
   bool seamless, compares, has_depth;
   bool finite;     /* no colour is infinite, or less than +0 */
   v8d linear;      /* lanes with a linear filter */
   v8f rounding[3]; /* 0.5 in lanes where the coordinate is rounded */
   v8f reference;
   v8d beyond; /* lanes for which sim_filter() must find the texels */
};

/* As in sampler_filter.c. */
INLINE v8f
reduce(unsigned mode, v8f u, bool unnormalized)
{
   const v8d finite = ((v8d)u & 0x7f800000) != 0x7f800000;
   u = (v8f)((v8d)u & finite);
   if (unnormalized)
      return clamp_f(u, -65536.0f, 65536.0f);
   switch (mode) {
   case TCM_WRAP: {
      const v8d small = absolute(u) < splat_f(0x1p23f);
      return (v8f)((v8d)(u - to_float(floor_int(u))) & small);
   }
   case TCM_MIRROR:
      return u - 2.0f * (v8f)_mm256_floor_ps((__m256)(u / 2.0f));
   default: return clamp_f(u, -64.0f, 65.0f);
   }
}

/* As quantize(). */
INLINE v8f
quantize(v8f x, v8f rounding)
{
   const v8d large = absolute(x) >= splat_f(0x1p15f);
   const v8f fixed = to_float(floor_int(x * 256.0f + rounding));
   return choose_f(large, x, fixed / 256.0f);
}

/* As wrap_texel(), but for what takes more than one step. */
INLINE v8d
wrap_texel(unsigned mode, v8d i, v8d n)
{
   switch (mode) {
   case TCM_WRAP: i += n & (i < 0); return i - (n & (i >= n));
   case TCM_MIRROR:
      i += 2 * n & (i < 0);
      i -= 2 * n & (i >= 2 * n);
      return choose_d(i < n, i, 2 * n - 1 - i);
   case TCM_MIRROR_ONCE:
      i = choose_d(i < 0, -1 - i, i);
      return choose_d(i < n, i, n - 1);
   case TCM_CLAMP_BORDER: return i;
   default: i &= i >= 0; return choose_d(i < n, i, n - 1);
   }
}

INLINE struct axis
address_axis(struct filter *f, unsigned which, v8f u, v8d n)
{
   const struct sim_sampler *sm = f->l->sampler;
   const unsigned mode = f->seamless ? TCM_CLAMP : sm->wrap[which];
   v8d offset = splat_d(f->l->offset[which]);
   struct axis a;
   v8f x = reduce(mode, u, sm->unnormalized);
   if (!sm->unnormalized)
      x *= to_float(n);
   x = quantize(x, f->rounding[which]);
   x -= (v8f)((v8d)splat_f(0.5f) & f->linear);
   const v8d base = floor_int(x);
   a.w = (v8f)((v8d)(x - to_float(base)) & f->linear);
   if (f->seamless)
      offset &= ~f->linear;
   const v8d i = base + offset;
   const v8d j = choose_d(f->linear, i + 1, i);
   if (f->seamless) {
      const v8d inside = (u >= splat_f(0.0f)) & (u <= splat_f(1.0f));
      f->beyond |= ~inside | (f->linear & ((i < 0) | (j >= n)));
   }
   a.i[0] = wrap_texel(mode, i, n);
   a.i[1] = wrap_texel(mode, j, n);
   for (unsigned k = 0; k < 2; k++)
      f->beyond |= (a.i[k] < 0) | (a.i[k] >= n);
   return a;
}

/* --------------------------------------------------------------- filter */

struct sum {
   v8f v[4];
   v8f first[4]; /* the first texels, 0 where they are not finite */
};

static v8d
shadow_holds(unsigned function, v8f texel, v8f reference)
{
   switch (function) {
   case PREFILTEROP_ALWAYS: return splat_d(-1);
   case PREFILTEROP_NEVER: return splat_d(0);
   case PREFILTEROP_LESS: return texel < reference;
   case PREFILTEROP_EQUAL: return texel == reference;
   case PREFILTEROP_LEQUAL: return texel <= reference;
   case PREFILTEROP_GREATER: return texel > reference;
   case PREFILTEROP_NOTEQUAL: return texel != reference;
   default: return texel >= reference;
   }
}

static struct colour
compare(const struct filter *f, v8f red)
{
   const v8d holds =
      shadow_holds(f->l->sampler->shadow_function, red, f->reference);
   const v8f one = splat_f(1.0f);
   return (struct colour) { { (v8f)((v8d)one & ~holds), { 0 }, { 0 }, one } };
}

INLINE void
begin(const struct filter *f, struct sum *sum, const struct colour *t)
{
   for (unsigned c = 0; c < 4; c++) {
      sum->v[c] = sum->first[c] = t->c[c];
      if (!f->finite)
         sum->first[c] =
            (v8f)((v8d)t->c[c] & (((v8d)t->c[c] & 0x7f800000) != 0x7f800000));
   }
}

INLINE void
add(const struct filter *f, struct sum *sum, const struct colour *t, v8f w)
{
   const v8d use = w != splat_f(0.0f);
   for (unsigned c = 0; c < 4; c++) {
      const v8f v = sum->v[c] + w * (t->c[c] - sum->first[c]);
      sum->v[c] = f->finite ? v : choose_f(use, v, sum->v[c]);
   }
}

/* Whether all lanes that are active have the same number. */
INLINE bool
are_same(v8d active, v8d v)
{
   const uint32_t lanes = bits_of(active);
   const unsigned first = (unsigned)__builtin_ctz(lanes);
   const v8d same = v == (v8d)_mm256_permutevar8x32_epi32(
                            (__m256i)v, _mm256_set1_epi32((int)first));
   return !(lanes & ~bits_of(same));
}

/* The start of each lane's level, and its extents. */
struct levels {
   v8d level, x0, y0, w, h, d;
};

static void
find_levels(const struct sim_surface *s, v8d level, struct levels *out)
{
   const int32_t *x0 = (const int32_t *)s->x0_el;
   const int32_t *y0 = (const int32_t *)s->y0_el;
   out->level = level;
   if (are_same(splat_d(-1), level)) {
      out->x0 = splat_d(x0[level[0]]);
      out->y0 = splat_d(y0[level[0]]);
   } else {
      out->x0 = (v8d)_mm256_i32gather_epi32(x0, (__m256i)level, 4);
      out->y0 = (v8d)_mm256_i32gather_epi32(y0, (__m256i)level, 4);
   }
   out->w = splat_d((int32_t)s->width) >> level;
   out->h = splat_d((int32_t)s->height) >> level;
   out->d = splat_d((int32_t)s->depth) >> level;
   out->w = choose_d(out->w > 0, out->w, splat_d(1));
   out->h = choose_d(out->h > 0, out->h, splat_d(1));
   out->d = choose_d(out->d > 0, out->d, splat_d(1));
}

/* As sim_tile_offset(), of either coordinate alone. */
INLINE v8u
column_offset(const struct sim_surface *s, v8u x_B)
{
   switch (s->tiling) {
   case SIM_TILE_X: return (x_B >> 9 << 12) + (x_B & 511);
   case SIM_TILE_Y:
      return (x_B >> 7 << 12) + ((x_B >> 4 & 7) << 9) + (x_B & 15);
   default: return x_B;
   }
}

INLINE v8u
row_offset(const struct sim_surface *s, v8u y)
{
   switch (s->tiling) {
   case SIM_TILE_X: return (y >> 3) * (8 * s->pitch_B) + ((y & 7) << 9);
   case SIM_TILE_Y: return (y >> 5) * (32 * s->pitch_B) + ((y & 31) << 4);
   default: return y * s->pitch_B;
   }
}

/* The first and the last of v[0] and v[1] of the active lanes. */
INLINE void
range_of(v8d active, const v8d v[2], uint32_t range[2])
{
   const v8u low = (v8u)_mm256_min_epu32((__m256i)v[0], (__m256i)v[1]);
   const v8u high = (v8u)_mm256_max_epu32((__m256i)v[0], (__m256i)v[1]);
   range[0] = least(low | (v8u)~active);
   range[1] = ~least(~(high & (v8u)active));
}

static bool
is_not_clear(const struct sim_lookup *l, uint32_t level, uint32_t x,
             uint32_t y, uint32_t slice)
{
   struct sim_mem *mem = l->t->mem;
   const struct sim_mem_fault before = mem->fault;
   bool clear;
   if (sim_ccs_is_clear(l->s, mem, level, x, y, slice, &clear))
      return !clear;
   mem->fault = before;
   return false;
}

/* Lane by lane. */
static bool
none_of_lanes_is_clear(const struct sim_lookup *l, v8d level, v8d active,
                       const v8d x[2], const v8d y[2], v8d slice)
{
   uint32_t lanes = bits_of(active), at[2][2][8], image[2][8];
   memcpy(at[0], x, sizeof(at[0]));
   memcpy(at[1], y, sizeof(at[1]));
   memcpy(image[0], &slice, sizeof(image[0]));
   memcpy(image[1], &level, sizeof(image[1]));
   while (lanes) {
      const unsigned i = (unsigned)u_bit_scan(&lanes);
      for (unsigned k = 0; k < 4; k++) {
         if (!is_not_clear(l, image[1][i], at[0][k & 1][i], at[1][k >> 1][i],
                           image[0][i]))
            return false;
      }
   }
   return true;
}

/* Whether none of the texels at x[0] and x[1], y[0] and y[1] of the lanes is
 * marked clear in the CCS, if there is one. Mostly nothing near them is. */
static bool
none_is_clear(const struct sim_lookup *l, const struct levels *lv, v8d active,
              const v8d x[2], const v8d y[2], v8d slice)
{
   uint32_t columns[2], rows[2];
   if (l->s->aux.mode == SIM_AUX_NONE)
      return true;
   const unsigned any = (unsigned)__builtin_ctz(bits_of(active));
   const uint32_t level = (uint32_t)lv->level[any];
   const uint32_t at = (uint32_t)slice[any];
   const bool same = are_same(active, lv->level) && are_same(active, slice);
   if (same && !sim_ccs_level_has_clear(l->s, l->t->mem, l->t->env->draw_id,
                                        level, at))
      return true;
   range_of(active, x, columns);
   range_of(active, y, rows);
   return (columns[1] - columns[0] < 64 && rows[1] - rows[0] < 64 && same &&
           !sim_ccs_has_clear(l->s, l->t->mem, level, columns, rows, at)) ||
          none_of_lanes_is_clear(l, lv->level, active, x, y, slice);
}

/* Where the texels of a filter are; lanes that take no part are at the first
 * that does. */
struct quad {
   const uint8_t *p;
   v8u column[2], row[2];
};

INLINE bool
find_quad(const struct filter *f, const struct levels *lv, v8d active,
          const struct axis *ax, const struct axis *ay, v8d slice,
          struct quad *q)
{
   const struct sim_surface *s = f->l->s;
   const v8d y0 = lv->y0 + slice * (int32_t)s->qpitch_rows;
   for (unsigned k = 0; k < 2; k++) {
      q->column[k] =
         column_offset(s, (v8u)(lv->x0 + ax->i[k]) * s->element_B);
      q->row[k] = row_offset(s, (v8u)(y0 + ay->i[k]));
   }
   const v8u low =
      (v8u)_mm256_min_epu32((__m256i)q->column[0], (__m256i)q->column[1]) +
      (v8u)_mm256_min_epu32((__m256i)q->row[0], (__m256i)q->row[1]);
   const v8u high =
      (v8u)_mm256_max_epu32((__m256i)q->column[0], (__m256i)q->column[1]) +
      (v8u)_mm256_max_epu32((__m256i)q->row[0], (__m256i)q->row[1]);
   const uint32_t first = least(low | (v8u)~active);
   const uint32_t last = ~least(~(high & (v8u)active));
   q->p = sim_mem_try_ptr(f->l->t->mem, s->address + first,
                          last - first + s->element_B);
   for (unsigned k = 0; k < 2; k++) {
      q->column[k] = (q->column[k] - first) & (v8u)active;
      q->row[k] &= (v8u)active;
   }
   return q->p && none_is_clear(f->l, lv, active, ax->i, ay->i, slice);
}

INLINE struct colour
quad_texels(const struct filter *f, const struct quad *q, unsigned k)
{
   const struct colour t =
      load_texels(f->kind, f->l->s, q->p, q->column[k & 1] + q->row[k >> 1]);
   return f->compares ? compare(f, t.c[0]) : t;
}

/* A slice of a level, added to the sum. The weight is 0 in lanes that take no
 * part; the first slice of the first level begins, with no weight of 0 but in
 * such lanes. */
INLINE bool
add_slice(const struct filter *f, const struct levels *lv,
          const struct axis *ax, const struct axis *ay, v8d slice, v8f weight,
          bool begins, struct sum *sum)
{
   const v8f one = splat_f(1.0f), left = weight * (one - ax->w);
   const v8f right = weight * ax->w;
   const v8d active = weight != splat_f(0.0f);
   struct quad q;
   if (!find_quad(f, lv, active, ax, ay, slice, &q))
      return false;
   struct colour t = quad_texels(f, &q, 0);
   if (begins)
      begin(f, sum, &t);
   else
      add(f, sum, &t, left * (one - ay->w));
   if (!bits_of(f->linear & active))
      return true;
   t = quad_texels(f, &q, 1);
   add(f, sum, &t, right * (one - ay->w));
   t = quad_texels(f, &q, 2);
   add(f, sum, &t, left * ay->w);
   t = quad_texels(f, &q, 3);
   add(f, sum, &t, right * ay->w);
   return true;
}

/* A level, likewise; `weight` is 0 in lanes that do not use it. */
INLINE bool
add_level(struct filter *f, const struct sim_lanes *lanes, v8d level,
          v8f weight, bool begins, struct sum *sum)
{
   const struct sim_surface *s = f->l->s;
   struct levels lv;
   v8f u, v, r;
   v8d slice;
   memcpy(&u, lanes->u, sizeof(u));
   memcpy(&v, lanes->v, sizeof(v));
   memcpy(&slice, lanes->slice, sizeof(slice));
   find_levels(s, level, &lv);
   const v8d before = f->beyond;
   const struct axis ax = address_axis(f, 0, u, lv.w);
   const struct axis ay = address_axis(f, 1, v, lv.h);
   struct axis az = { .w = { 0 } };
   if (f->has_depth) {
      memcpy(&r, lanes->r, sizeof(r));
      az = address_axis(f, 2, r, lv.d);
      slice = az.i[0];
   }
   /* What lies beyond matters only where the level is used. */
   f->beyond = before | (f->beyond & (weight != splat_f(0.0f)));
   weight = (v8f)((v8d)weight & ~f->beyond);
   if (!bits_of(weight != splat_f(0.0f)))
      return true;
   if (!f->has_depth)
      return add_slice(f, &lv, &ax, &ay, slice, weight, begins, sum);
   const v8f far = weight * az.w;
   if (!add_slice(f, &lv, &ax, &ay, slice, weight * (splat_f(1.0f) - az.w),
                  begins, sum))
      return false;
   return !bits_of(far != splat_f(0.0f)) ||
          add_slice(f, &lv, &ax, &ay, az.i[1], far, false, sum);
}

bool
sim_can_filter_lanes(const struct sim_lookup *l)
{
   const struct sim_surface *s = l->s;
   const struct sim_sampler *sm = l->sampler;
   if (!s->is_plain || l->t->mem->watch || l->t->shadow ||
       sm->reduction != REDUCTION_STD_FILTER ||
       sm->min_filter == MAPFILTER_ANISOTROPIC ||
       sm->mag_filter == MAPFILTER_ANISOTROPIC)
      return false;
   if (sim_is_seamless(l))
      return !sm->unnormalized;
   for (unsigned i = 0; i < 3; i++) {
      if (sm->wrap[i] == TCM_HALF_BORDER)
         return false;
   }
   return true;
}

/* A lane's bits of what the sampler says for magnified ones and others. */
INLINE v8d
by_size(v8d magnified, bool mag, bool min)
{
   return (magnified & splat_d(-(int)mag)) |
          (~magnified & splat_d(-(int)min));
}

INLINE struct filter
prepare(const struct sim_lookup *l, const struct sim_lanes *lanes)
{
   const struct sim_sampler *sm = l->sampler;
   const v8d magnified = lanes_of(lanes->magnified);
   const bool unorm = sim_format_base(l->s->format) == SIM_FORMAT_UNORM;
   struct filter f;
   f.l = l;
   f.kind = kind_of(l->s->format);
   f.seamless = sim_is_seamless(l);
   f.compares = l->compare;
   f.has_depth = l->s->type == SIM_SURFACE_3D;
   f.finite = unorm || l->compare;
   f.beyond = ~lanes_of(lanes->mask);
   f.reference = splat_f(0.0f);
   f.linear = splat_d(0);
   if (!l->integer)
      f.linear = by_size(magnified, sm->mag_filter == MAPFILTER_LINEAR,
                         sm->min_filter == MAPFILTER_LINEAR);
   for (unsigned i = 0; i < 3; i++)
      f.rounding[i] = (v8f)(by_size(magnified, sm->mag_rounding >> i & 1,
                                    sm->min_rounding >> i & 1) &
                            (v8d)splat_f(0.5f));
   if (l->compare) {
      memcpy(&f.reference, lanes->reference, sizeof(f.reference));
      if (unorm) {
         const v8f one = splat_f(1.0f);
         const v8f r = choose_f(f.reference < one, f.reference, one);
         f.reference = (v8f)((v8d)r & (f.reference > splat_f(0.0f)));
      }
   }
   return f;
}

/* The levels that a lookup uses, weighed; the lanes that are done. */
INLINE uint32_t
filter_levels(struct filter *f, const struct sim_lanes *lanes,
              struct sum *sum)
{
   v8f lod;
   memcpy(&lod, lanes->level, sizeof(lod));
   lod = (v8f)((v8d)lod & ~f->beyond);
   const v8d level = (v8d)_mm256_cvttps_epi32((__m256)lod);
   v8f fraction = splat_f(0.0f);
   if (f->l->sampler->mip_filter == MIPFILTER_LINEAR && !f->l->integer)
      fraction =
         (v8f)_mm256_floor_ps((__m256)((lod - to_float(level)) * 256.0f)) /
         256.0f;
   fraction = (v8f)((v8d)fraction & ~f->beyond);
   const v8f rest = (v8f)((v8d)(splat_f(1.0f) - fraction) & ~f->beyond);
   if (!add_level(f, lanes, level, rest, true, sum))
      return 0;
   const v8d next = fraction > splat_f(0.0f);
   if (bits_of(next & ~f->beyond) &&
       !add_level(f, lanes, level - next, fraction, false, sum))
      return 0;
   return bits_of(~f->beyond);
}

/* What most textures are; then all that can be told apart is a constant of
 * the compiler's. */
static uint32_t
filter_plain(const struct filter *like, const struct sim_lanes *lanes,
             struct sum *sum)
{
   struct filter f = { .l = like->l,
                       .kind = TEXEL_RGBA8,
                       .finite = true,
                       .linear = splat_d(-1),
                       .beyond = like->beyond };
   memcpy(f.rounding, like->rounding, sizeof(f.rounding));
   const uint32_t done = filter_levels(&f, lanes, sum);
   if (is_bgr(like->kind)) {
      const v8f red = sum->v[2];
      sum->v[2] = sum->v[0];
      sum->v[0] = red;
   }
   if (lacks_alpha(like->kind))
      sum->v[3] = splat_f(1.0f);
   return done;
}

static bool
is_plain(const struct filter *f)
{
   return (f->kind == TEXEL_RGBA8 || f->kind == TEXEL_BGRA8 ||
           lacks_alpha(f->kind)) &&
          !f->seamless && !f->compares && !f->has_depth &&
          !bits_of(~f->linear & ~f->beyond);
}

uint32_t
sim_filter_lanes(const struct sim_lookup *l, struct sim_lanes *lanes)
{
   struct filter f = prepare(l, lanes);
   struct sum sum;
   for (unsigned c = 0; c < 4; c++)
      sum.v[c] = sum.first[c] = splat_f(0.0f);
   const uint32_t done = is_plain(&f) ? filter_plain(&f, lanes, &sum)
                                      : filter_levels(&f, lanes, &sum);
   memcpy(lanes->rgba, sum.v, sizeof(lanes->rgba));
   return done;
}

/* ----------------------------------------------------------------- load */

bool
sim_can_load_lanes(const struct sim_lookup *l)
{
   const struct sim_surface *s = l->s;
   const bool is_buffer = s->type == SIM_SURFACE_BUFFER &&
                          (uint64_t)s->num_elements * s->pitch_B < 1u << 30;
   return (s->is_plain || is_buffer) && !l->t->mem->watch && !l->t->shadow;
}

/* All ones where 0 <= v < n. */
INLINE v8d
is_below(v8d v, v8d n)
{
   return (v >= 0) & (v < n);
}

/* Offsets of texels in the surface; which of them are inside of it. */
static v8u
find_texels(const struct sim_surface *s, const v8d place[4],
            struct levels *lv, v8d *slice, v8d *inside)
{
   if (s->type == SIM_SURFACE_BUFFER) {
      *inside &= is_below(place[0], splat_d((int32_t)s->num_elements));
      return (v8u)place[0] * s->pitch_B;
   }
   *inside &=
      is_below(place[3], splat_d((int32_t)s->level_count)) &
      (place[3] + (int32_t)s->first_level >= (int32_t)sim_least_level(s));
   find_levels(s, (place[3] & *inside) + (int32_t)s->first_level, lv);
   const bool is_3d = s->type == SIM_SURFACE_3D;
   const uint32_t slices = s->depth * (s->type == SIM_SURFACE_CUBE ? 6 : 1);
   const v8d n = is_3d ? lv->d : splat_d((int32_t)slices);
   *inside &= is_below(place[0], lv->w) & is_below(place[1], lv->h) &
              is_below(place[2], n);
   /* What is outside may be any number, of which no sums are made. */
   const v8d x = lv->x0 + (place[0] & *inside);
   *slice = (place[2] & *inside) + (is_3d ? 0 : (int32_t)s->first_slice);
   const v8d y = lv->y0 + (place[1] & *inside) +
                 *slice * (int32_t)s->qpitch_rows;
   return column_offset(s, (v8u)x * s->element_B) + row_offset(s, (v8u)y);
}

uint32_t
sim_load_lanes(const struct sim_lookup *l, const int32_t place[4][8],
               struct sim_lanes *lanes)
{
   const struct sim_surface *s = l->s;
   v8d at[4], slice = { 0 }, inside = lanes_of(lanes->mask);
   struct levels lv = { 0 };
   memcpy(at, place, sizeof(at));
   v8u offset = find_texels(s, at, &lv, &slice, &inside);
   const v8f one = l->integer ? (v8f)splat_d(1) : splat_f(1.0f);
   struct colour t = { { { 0 }, { 0 }, { 0 }, { 0 } } };
   if (bits_of(inside)) {
      const uint32_t first = least(offset | (v8u)~inside);
      const uint32_t last = ~least(~(offset & (v8u)inside));
      const uint8_t *p = sim_mem_try_ptr(l->t->mem, s->address + first,
                                         last - first + s->element_B);
      const v8d x[2] = { at[0], at[0] }, y[2] = { at[1], at[1] };
      if (!p || !none_is_clear(l, &lv, inside, x, y, slice))
         return 0;
      offset = (offset - first) & (v8u)inside;
      t = load_texels(kind_of(s->format), s, p, offset);
   }
   for (unsigned c = 0; c < 4; c++) {
      /* Outside, channels that the format has are zero. */
      const v8f none = c < 3 || l->present >> 3 & 1 ? splat_f(0.0f) : one;
      const v8f v = choose_f(inside, t.c[c], none);
      memcpy(lanes->rgba[c], &v, sizeof(v));
   }
   return lanes->mask;
}
