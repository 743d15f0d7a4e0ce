/* SPDX-License-Identifier: MIT */
/*
 * Texel addresses, wrap modes, border, comparison and filters; SKL PRM volume
 * 7, "3D Sampler", sections "Texel Address Generation" and "Texture
 * Filtering".
 *
 * Positions and levels have eight bits of fraction, and so have the weights
 * made of them: that is what drivers of these chips report
 * (subTexelPrecisionBits, mipmapPrecisionBits; Mesa 22.3, src/intel/vulkan),
 * and the form of MinLOD and LOD bias in SAMPLER_STATE. The
 * position is rounded or truncated as the state's "Address Rounding Enable"
 * says. Between equal texels nothing changes, whatever the weights.
 */
#include "sampler_private.h"

#include <math.h>

#include "intel/genxml/gen9_pack.h"
#include "intel/isl/isl.h"
#include "intel/sim/deviate/deviate.h"
#include "intel/sim/gen/traits.h"

#define BORDER INT32_MIN

/* Texels along one coordinate; the second is weighted by `w`. */
struct axis {
   int32_t i[2];
   float w;
};

static int32_t
modulo(int32_t a, int32_t n)
{
   const int32_t m = a % n;
   return m < 0 ? m + n : m;
}

/* Of numbers below 2^31; floorf() is a call on the baseline of hosts. */
static int32_t
floor_int(float x)
{
   const int32_t i = (int32_t)x;
   return i - ((float)i > x);
}

#define FRACTION_ONE 256

/* A position in texels, as far as the hardware keeps it. */
static float
quantize(float x, bool rounds)
{
   if (fabsf(x) >= 0x1p15f)
      return x; /* no fraction to speak of, and no overflow */
   int32_t fixed = floor_int(x * FRACTION_ONE + (rounds ? 0.5f : 0.0f));
   if (sim_deviates(SIM_DEVIATES_SAMPLER, "position"))
      fixed = floor_int(x * FRACTION_ONE + (rounds ? 0.0f : 0.5f));
   if (sim_deviates(SIM_DEVIATES_SAMPLER, "weights"))
      fixed &= ~1;
   return (float)fixed / FRACTION_ONE;
}

static int32_t
wrap_texel(unsigned mode, int32_t i, int32_t size)
{
   /* Nearly all are inside, where no mode changes them. */
   if ((uint32_t)i < (uint32_t)size)
      return i;
   switch (mode) {
   case TCM_WRAP: return modulo(i, size);
   case TCM_MIRROR: {
      const int32_t m = modulo(i, 2 * size);
      return m < size ? m : 2 * size - 1 - m;
   }
   case TCM_MIRROR_ONCE: return MIN2(i < 0 ? -1 - i : i, size - 1);
   case TCM_CLAMP_BORDER:
   case TCM_HALF_BORDER: return i < 0 || i >= size ? BORDER : i;
   default: /* TCM_CLAMP; TCM_CUBE on other than cubes */
      return CLAMP(i, 0, size - 1);
   }
}

/* Keeps the coordinate's fraction when it is far out, and numbers finite. */
static float
reduce(unsigned mode, float u, bool unnormalized)
{
   if (!isfinite(u))
      return 0.0f;
   if (unnormalized)
      return CLAMP(u, -65536.0f, 65536.0f);
   switch (mode) {
   case TCM_WRAP: return fabsf(u) < 0x1p23f ? u - (float)floor_int(u) : 0.0f;
   case TCM_MIRROR: return u - 2 * floorf(u / 2);
   default: return CLAMP(u, -64.0f, 65.0f);
   }
}

bool
sim_is_seamless(const struct sim_lookup *l)
{
   return l->s->type == SIM_SURFACE_CUBE &&
          (l->sampler->cubes_are_seamless || l->sampler->wrap[0] == TCM_CUBE);
}

static struct axis
address_axis(const struct sim_lookup *l, unsigned which, float u,
             uint32_t size, bool linear)
{
   /* Of a seamless cube this is the nearest filter only. */
   const unsigned mode = sim_is_seamless(l) ? TCM_CLAMP
                                            : l->sampler->wrap[which];
   const bool unnormalized = l->sampler->unnormalized;
   const int32_t n = (int32_t)size;
   struct axis a = { .w = 0 };
   int offset = l->offset[which];
   u = reduce(mode, u, unnormalized);
   float x = unnormalized ? u : u * (float)size;
   if (mode == TCM_HALF_BORDER) {
      /* What is clamped is the coordinate with its offset. */
      x = CLAMP(x + (float)offset, 0.0f, (float)size);
      offset = 0;
   }
   x = quantize(x, l->rounding >> which & 1);
   if (!linear) {
      int32_t i = floor_int(x) + offset;
      if (mode == TCM_HALF_BORDER)
         i = CLAMP(i, 0, n - 1);
      a.i[0] = a.i[1] = wrap_texel(mode, i, n);
      return a;
   }
   x -= 0.5f;
   const int32_t base = floor_int(x);
   a.w = x - (float)base;
   const int32_t i = base + offset;
   a.i[0] = wrap_texel(mode, i, n);
   a.i[1] = wrap_texel(mode, i + 1, n);
   return a;
}

/* ------------------------------------------------------------- one texel */

/* A colour that is no texel's: the channels that the format has. */
static void
default_color(const struct sim_lookup *l, const uint32_t from[4],
              uint32_t rgba[4])
{
   const enum sim_format_kind kind = sim_format_base(l->s->format);
   for (unsigned c = 0; c < 4; c++) {
      if (!(l->present >> c & 1)) {
         rgba[c] = c < 3 ? 0 : l->integer ? 1 : util_float_bits(1.0f);
         continue;
      }
      const float f = util_bits_float(from[c]);
      rgba[c] = from[c];
      if (kind == SIM_FORMAT_UNORM)
         rgba[c] = util_float_bits(f > 0.0f ? MIN2(f, 1.0f) : 0.0f);
      else if (kind == SIM_FORMAT_SNORM)
         rgba[c] = util_float_bits(CLAMP(f, -1.0f, 1.0f));
   }
}

/*
 * Integers on Haswell: the colour is as wide as the format's channels. Bytes
 * are together in the first dword, words two by two in the first and the
 * third, where two channels of 32 bits are, too (HSW PRM vol 2d,
 * "SAMPLER_BORDER_COLOR_STATE"). R10G10B10A2 counts as words.
 */
static void
unpack_border(const struct sim_lookup *l, const uint32_t packed[4],
              uint32_t out[4])
{
   const struct isl_format_layout *f =
      isl_format_get_layout((enum isl_format)l->s->format);
   const bool sign = sim_format_base(l->s->format) == SIM_FORMAT_SINT;
   const unsigned r_bits = f->channels.r.bits;
   const unsigned bits = r_bits == 10 ? 16 : r_bits;
   const bool pair = bits == 32 && f->bpb == 64;
   for (unsigned c = 0; c < 4; c++) {
      uint32_t v = packed[pair ? 2 * c & 3 : c];
      if (bits == 8)
         v = packed[0] >> 8 * c & 0xff;
      else if (bits == 16)
         v = packed[c / 2 * 2] >> 16 * (c % 2) & 0xffff;
      if (sign && bits < 32)
         v = (uint32_t)util_sign_extend(v, bits);
      out[c] = v;
   }
}

static void
border_color(const struct sim_lookup *l, uint32_t rgba[4])
{
   uint32_t integers[4];
   if (!l->s->integer_border) {
      default_color(l, l->sampler->border, rgba);
      return;
   }
   unpack_border(l, l->sampler->border_packed, integers);
   default_color(l, integers, rgba);
}

/* Whether the sampler's function holds for (texel, reference). */
static bool
shadow_holds(unsigned function, float texel, float reference)
{
   switch (function) {
   case PREFILTEROP_ALWAYS: return true;
   case PREFILTEROP_NEVER: return false;
   case PREFILTEROP_LESS: return texel < reference;
   case PREFILTEROP_EQUAL: return texel == reference;
   case PREFILTEROP_LEQUAL: return texel <= reference;
   case PREFILTEROP_GREATER: return texel > reference;
   case PREFILTEROP_NOTEQUAL: return texel != reference;
   default: return texel >= reference;
   }
}

/* The result is 0 where the function holds, 1 where it does not ("Shadow
 * Prefilter Operation"): red is compared, and fixed-point depth with the
 * reference clamped to its range.
 */
static void
compare(const struct sim_lookup *l, uint32_t rgba[4])
{
   float reference = l->reference;
   if (sim_format_base(l->s->format) == SIM_FORMAT_UNORM)
      reference = reference > 0.0f ? MIN2(reference, 1.0f) : 0.0f;
   const bool holds = shadow_holds(l->sampler->shadow_function,
                                   util_bits_float(rgba[0]), reference);
   rgba[0] = util_float_bits(holds ? 0.0f : 1.0f);
   rgba[1] = rgba[2] = 0;
   rgba[3] = util_float_bits(1.0f);
}

/* `slice` from the surface's start; any coordinate may be BORDER. */
static bool
fetch(struct sim_lookup *l, unsigned level, int32_t x, int32_t y,
      int32_t slice, uint32_t rgba[4])
{
   if (x == BORDER || y == BORDER || slice == BORDER) {
      border_color(l, rgba);
   } else if (!sim_surface_read_texel(l->s, l->t->mem, level, (uint32_t)x,
                                      (uint32_t)y, (uint32_t)slice, 0,
                                      rgba)) {
      return sim_eu_fault_memory(l->t, (int)l->lane, l->t->mem->fault.address,
                                 "texel");
   }
   if (l->compare)
      compare(l, rgba);
   return true;
}

/* What the texels of a sample are gathered into: their weighted mean, or the
 * least or the greatest of them. */
typedef float four __attribute__((vector_size(16)));
typedef int32_t four_masks __attribute__((vector_size(16)));

struct sum {
   four v;
   four first;         /* the first texel, 0 where that is not finite */
   unsigned reduction; /* REDUCTION_* */
   bool started;
};

/* The weights of all are one together, so that the mean is the first texel
 * and a part of how the others differ. */
static void
blend(struct sum *out, const uint32_t rgba[4], float weight)
{
   /* A weight of 0 keeps infinities of unused texels out. */
   if (weight == 0.0f)
      return;
   four v;
   memcpy(&v, rgba, sizeof(v));
   if (!out->started) {
      const four_masks exponent = (four_masks)v & 0x7f800000;
      out->first = (four)((four_masks)v & (exponent != 0x7f800000));
      out->v = v;
      out->started = true;
      return;
   }
   if (out->reduction == REDUCTION_STD_FILTER) {
      out->v += weight * (v - out->first);
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (out->reduction == REDUCTION_MINIMUM ? v[c] < out->v[c]
                                              : v[c] > out->v[c])
         out->v[c] = v[c];
   }
}

/* ------------------------------------------------------------------ cubes */

/* s and t of each face: which axis, and its sign; SKL PRM volume 7, "Cube
 * surfaces".
 */
struct face {
   uint8_t s_axis, t_axis, m_axis;
   int8_t s_sign, t_sign, m_sign;
};

static const struct face faces[6] = {
   { 2, 1, 0, -1, -1, 1 }, { 2, 1, 0, 1, -1, -1 }, { 0, 2, 1, 1, 1, 1 },
   { 0, 2, 1, 1, -1, -1 }, { 0, 1, 2, 1, -1, 1 },  { 0, 1, 2, -1, -1, -1 },
};

static unsigned
select_face(const float dir[3])
{
   const float x = fabsf(dir[0]), y = fabsf(dir[1]), z = fabsf(dir[2]);
   const unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
   return 2 * axis + (dir[axis] < 0 || signbit(dir[axis]) ? 1 : 0);
}

unsigned
sim_cube_project(const float dir[3], float *u, float *v,
                 struct sim_gradient *g)
{
   const unsigned index = select_face(dir);
   const struct face *f = &faces[index];
   const float m = fabsf(dir[f->m_axis]);
   const float s = dir[f->s_axis] * f->s_sign;
   const float t = dir[f->t_axis] * f->t_sign;
   *u = m > 0 ? 0.5f * (s / m + 1) : 0.5f;
   *v = m > 0 ? 0.5f * (t / m + 1) : 0.5f;
   if (!g)
      return index;
   /* d(s / m) = (ds m - s dm) / m^2 */
   for (unsigned i = 0; i < 2; i++) {
      float *d = i ? g->dy : g->dx;
      const float ds = d[f->s_axis] * f->s_sign;
      const float dt = d[f->t_axis] * f->t_sign;
      const float dm = d[f->m_axis] * f->m_sign;
      const float k = m > 0 ? 0.5f / (m * m) : 0;
      d[0] = (ds * m - s * dm) * k;
      d[1] = (dt * m - t * dm) * k;
      d[2] = 0;
   }
   return index;
}

bool
sim_cube_project_to(unsigned face, const float dir[3], float uv[2])
{
   const struct face *f = &faces[face];
   const float m = dir[f->m_axis] * f->m_sign;
   if (!(m > 0))
      return false;
   uv[0] = 0.5f * (dir[f->s_axis] * f->s_sign / m + 1);
   uv[1] = 0.5f * (dir[f->t_axis] * f->t_sign / m + 1);
   return true;
}

/*
 * In units of half a texel the centre is n away from each face, that of a
 * texel is where its odd half is, and that of one next to the face is n + 1
 * away along the axis of the face that it belongs to.
 */
unsigned
sim_cube_across(unsigned face, uint32_t size, int32_t xy[2])
{
   const struct face *f = &faces[face];
   const int64_t n = size, far = n + 1;
   int64_t dir[3];
   dir[f->m_axis] = n * f->m_sign;
   dir[f->s_axis] = (2 * xy[0] + 1 - n) * f->s_sign;
   dir[f->t_axis] = (2 * xy[1] + 1 - n) * f->t_sign;
   const unsigned axis = xy[0] < 0 || xy[0] >= n ? f->s_axis : f->t_axis;
   const unsigned other = 2 * axis + (dir[axis] < 0);
   f = &faces[other];
   xy[0] = (int32_t)((dir[f->s_axis] * f->s_sign + far) * n / (2 * far));
   xy[1] = (int32_t)((dir[f->t_axis] * f->t_sign + far) * n / (2 * far));
   return other;
}

static bool
fetch_beyond_edge(struct sim_lookup *l, unsigned level, unsigned face,
                  int32_t x, int32_t y, uint32_t slice, uint32_t rgba[4])
{
   int32_t xy[2] = { x, y };
   const unsigned other =
      sim_cube_across(face, MAX2(l->s->width >> level, 1u), xy);
   return fetch(l, level, xy[0], xy[1], (int32_t)(slice + other), rgba);
}

/* Three of the four texels exist at a corner of the cube: the fourth is
 * their mean.
 */
static void
fill_corner(bool missing[4], uint32_t texels[4][4])
{
   for (unsigned k = 0; k < 4; k++) {
      if (!missing[k])
         continue;
      struct sum sum = { .reduction = REDUCTION_STD_FILTER };
      for (unsigned o = 0; o < 4; o++) {
         if (o != k)
            blend(&sum, texels[o], 1.0f / 3.0f);
      }
      for (unsigned c = 0; c < 4; c++)
         texels[k][c] = util_float_bits(sum.v[c]);
      return;
   }
}

/* The texels (i0, j0), (i1, j0), (i0, j1), (i1, j1) of a seamless cube. */
static bool
fetch_seamless(struct sim_lookup *l, const struct sim_place *p,
               unsigned level, int32_t i, int32_t j, uint32_t texels[4][4])
{
   const int32_t n = (int32_t)MAX2(l->s->width >> level, 1u);
   bool missing[4] = { false };
   for (int k = 0; k < 4; k++) {
      const int32_t x = i + (k & 1), y = j + (k >> 1);
      const bool out_x = x < 0 || x >= n, out_y = y < 0 || y >= n;
      missing[k] = out_x && out_y;
      if (missing[k])
         continue;
      const bool ok =
         out_x || out_y
            ? fetch_beyond_edge(l, level, p->face, x, y, p->slice, texels[k])
            : fetch(l, level, x, y, (int32_t)(p->slice + p->face), texels[k]);
      if (!ok)
         return false;
   }
   fill_corner(missing, texels);
   return true;
}

/* ---------------------------------------------------------------- filters */

/* A coordinate on the face of a cube, as reduce() has what is no number. */
static float
on_face(float u)
{
   return isnan(u) ? 0.0f : CLAMP(u, 0.0f, 1.0f);
}

/* The 2x2 texels of a bilinear filter in one slice. */
static bool
fetch_quad(struct sim_lookup *l, const struct sim_place *p, unsigned level,
           int32_t slice, uint32_t texels[4][4], float *wx, float *wy)
{
   const struct sim_surface *s = l->s;
   const uint32_t w = MAX2(s->width >> level, 1u);
   const uint32_t h = MAX2(s->height >> level, 1u);
   if (sim_is_seamless(l)) {
      const float x = quantize(on_face(p->u) * (float)w, l->rounding & 1) -
                      0.5f;
      const float y = quantize(on_face(p->v) * (float)h, l->rounding & 2) -
                      0.5f;
      *wx = x - floorf(x);
      *wy = y - floorf(y);
      return fetch_seamless(l, p, level, (int32_t)floorf(x),
                            (int32_t)floorf(y), texels);
   }
   const struct axis ax = address_axis(l, 0, p->u, w, true);
   struct axis ay = { { 0, 0 }, 0 };
   if (s->type != SIM_SURFACE_1D)
      ay = address_axis(l, 1, p->v, h, true);
   *wx = ax.w;
   *wy = ay.w;
   if (sim_fetch_four(l, level, ax.i, ay.i, slice, texels))
      return true;
   for (unsigned k = 0; k < 4; k++) {
      if (!fetch(l, level, ax.i[k & 1], ay.i[k >> 1], slice, texels[k]))
         return false;
   }
   return true;
}

static bool
linear_slice(struct sim_lookup *l, const struct sim_place *p, unsigned level,
             int32_t slice, float weight, struct sum *out)
{
   uint32_t texels[4][4];
   float wx, wy;
   if (!fetch_quad(l, p, level, slice, texels, &wx, &wy))
      return false;
   blend(out, texels[0], weight * (1 - wx) * (1 - wy));
   blend(out, texels[1], weight * wx * (1 - wy));
   blend(out, texels[2], weight * (1 - wx) * wy);
   blend(out, texels[3], weight * wx * wy);
   return true;
}

static bool
linear_level(struct sim_lookup *l, const struct sim_place *p, unsigned level,
             float weight, struct sum *out)
{
   const struct sim_surface *s = l->s;
   if (s->type != SIM_SURFACE_3D)
      return linear_slice(l, p, level, (int32_t)(p->slice + p->face), weight,
                          out);
   const struct axis az =
      address_axis(l, 2, p->r, MAX2(s->depth >> level, 1u), true);
   return linear_slice(l, p, level, az.i[0], weight * (1 - az.w), out) &&
          (az.w == 0 ||
           linear_slice(l, p, level, az.i[1], weight * az.w, out));
}

static bool
nearest_level(struct sim_lookup *l, const struct sim_place *p, unsigned level,
              uint32_t rgba[4])
{
   const struct sim_surface *s = l->s;
   const struct axis ax =
      address_axis(l, 0, p->u, MAX2(s->width >> level, 1u), false);
   struct axis ay = { { 0, 0 }, 0 };
   int32_t slice = (int32_t)(p->slice + p->face);
   if (s->type != SIM_SURFACE_1D)
      ay = address_axis(l, 1, p->v, MAX2(s->height >> level, 1u), false);
   if (s->type == SIM_SURFACE_3D)
      slice =
         address_axis(l, 2, p->r, MAX2(s->depth >> level, 1u), false).i[0];
   return fetch(l, level, ax.i[0], ay.i[0], slice, rgba);
}

/* One level, filtered as the sampler says, added to `out`. */
static bool
filter_level(struct sim_lookup *l, const struct sim_place *p,
             const struct sim_lod *lod, unsigned level, float weight,
             struct sum *out)
{
   const unsigned filter = lod->magnified ? l->sampler->mag_filter
                                          : l->sampler->min_filter;
   if (filter == MAPFILTER_NEAREST) {
      uint32_t rgba[4];
      if (!nearest_level(l, p, level, rgba))
         return false;
      blend(out, rgba, weight);
      return true;
   }
   const float n = (float)lod->taps;
   for (unsigned k = 0; k < lod->taps; k++) {
      const float along = (float)k - 0.5f * (n - 1);
      struct sim_place tap = *p;
      tap.u += along * lod->step[0];
      tap.v += along * lod->step[1];
      if (!linear_level(l, &tap, level, weight / n, out))
         return false;
   }
   return true;
}

bool
sim_filter(struct sim_lookup *l, const struct sim_place *p,
           const struct sim_lod *lod, uint32_t rgba[4])
{
   const unsigned level = (unsigned)lod->level;
   l->rounding = lod->magnified ? l->sampler->mag_rounding
                                : l->sampler->min_rounding;
   /* Integers are not filtered. */
   if (l->integer)
      return nearest_level(l, p, level, rgba);
   const float fraction =
      l->sampler->mip_filter == MIPFILTER_LINEAR
         ? floorf((lod->level - (float)level) * FRACTION_ONE) / FRACTION_ONE
         : 0.0f;
   const unsigned filter = lod->magnified ? l->sampler->mag_filter
                                          : l->sampler->min_filter;
   if (fraction == 0.0f && filter == MAPFILTER_NEAREST)
      return nearest_level(l, p, level, rgba);
   struct sum out = { .reduction = l->sampler->reduction };
   if (!filter_level(l, p, lod, level, 1 - fraction, &out))
      return false;
   if (fraction > 0.0f && !filter_level(l, p, lod, level + 1, fraction, &out))
      return false;
   for (unsigned c = 0; c < 4; c++)
      rgba[c] = util_float_bits(out.v[c]);
   return true;
}

/* What lies outside, of ld and gather4. "ld: out of bounds texels return 0 in
 * the channels that the format has". */
static void
outside(const struct sim_lookup *l, uint32_t rgba[4])
{
   static const uint32_t zero[4];
   default_color(l, zero, rgba);
}

bool
sim_gather(struct sim_lookup *l, const struct sim_place *p,
           uint32_t texels[4][4])
{
   uint32_t quad[4][4];
   float wx, wy;
   const unsigned level = l->s->first_level;
   if (level < sim_least_level(l->s)) {
      for (unsigned k = 0; k < 4; k++)
         outside(l, texels[k]);
      return true;
   }
   l->rounding = l->sampler->mag_rounding;
   if (!fetch_quad(l, p, level, (int32_t)(p->slice + p->face), quad, &wx,
                   &wy))
      return false;
   static const uint8_t order[4] = { 2, 3, 1, 0 };
   for (unsigned k = 0; k < 4; k++)
      memcpy(texels[k], quad[order[k]], sizeof(quad[0]));
   return true;
}

/* ------------------------------------------------------------------- load */

static bool
inside(const struct sim_surface *s, int32_t x, int32_t y, int32_t r,
       unsigned level, unsigned sample)
{
   if (s->type == SIM_SURFACE_BUFFER)
      return x >= 0 && (uint32_t)x < s->num_elements;
   const uint32_t slices = s->type == SIM_SURFACE_3D
                              ? MAX2(s->depth >> level, 1u)
                           : s->type == SIM_SURFACE_CUBE ? 6 * s->depth
                                                         : s->depth;
   return x >= 0 && (uint32_t)x < MAX2(s->width >> level, 1u) && y >= 0 &&
          (uint32_t)y < MAX2(s->height >> level, 1u) && r >= 0 &&
          (uint32_t)r < slices && sample < s->num_samples;
}

bool
sim_load(struct sim_lookup *l, int32_t x, int32_t y, int32_t r, int32_t level,
         unsigned sample, uint32_t rgba[4])
{
   const struct sim_surface *s = l->s;
   const uint32_t at = s->first_level + (uint32_t)level;
   if (level < 0 || (uint32_t)level >= s->level_count ||
       at < sim_least_level(s) || !inside(s, x, y, r, at, sample)) {
      outside(l, rgba);
      return true;
   }
   const uint32_t slice =
      s->type == SIM_SURFACE_3D ? (uint32_t)r : s->first_slice + (uint32_t)r;
   if (!sim_surface_read_texel(s, l->t->mem, at, (uint32_t)x, (uint32_t)y,
                               slice, sample, rgba))
      return sim_eu_fault_memory(l->t, (int)l->lane, l->t->mem->fault.address,
                                 "texel");
   return true;
}
