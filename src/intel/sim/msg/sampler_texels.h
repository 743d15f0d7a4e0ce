/* SPDX-License-Identifier: MIT */
/*
 * Texels of eight addresses with the colours that sim_format_unpack() gives.
 * Included by sampler_lanes.c alone.
 */
#ifndef SIM_SAMPLER_TEXELS_H
#define SIM_SAMPLER_TEXELS_H

#include "intel/isl/isl.h"
#include "intel/sim/mem/lanes.h"
#include "intel/sim/mem/surface.h"

/* How a format's bits become colours. */
enum texel_kind {
   TEXEL_ANY, /* by sim_format_unpack() */
   TEXEL_RGBA8,
   TEXEL_BGRA8,
   TEXEL_RGBX8,
   TEXEL_BGRX8,
   TEXEL_RGBA8_SRGB,
   TEXEL_BGRA8_SRGB,
   TEXEL_R8,
   TEXEL_WORDS_1, /* 32 bits as they are */
   TEXEL_WORDS_2,
   TEXEL_WORDS_4,
   TEXEL_HALVES_4,
};

static enum texel_kind
kind_of(unsigned format)
{
   switch (format) {
   case ISL_FORMAT_R8G8B8A8_UNORM: return TEXEL_RGBA8;
   case ISL_FORMAT_B8G8R8A8_UNORM: return TEXEL_BGRA8;
   case ISL_FORMAT_R8G8B8X8_UNORM: return TEXEL_RGBX8;
   case ISL_FORMAT_B8G8R8X8_UNORM: return TEXEL_BGRX8;
   case ISL_FORMAT_R8G8B8A8_UNORM_SRGB: return TEXEL_RGBA8_SRGB;
   case ISL_FORMAT_B8G8R8A8_UNORM_SRGB: return TEXEL_BGRA8_SRGB;
   case ISL_FORMAT_R8_UNORM: return TEXEL_R8;
   case ISL_FORMAT_R32_FLOAT:
   case ISL_FORMAT_R32_UINT:
   case ISL_FORMAT_R32_SINT: return TEXEL_WORDS_1;
   case ISL_FORMAT_R32G32_FLOAT:
   case ISL_FORMAT_R32G32_UINT:
   case ISL_FORMAT_R32G32_SINT: return TEXEL_WORDS_2;
   case ISL_FORMAT_R32G32B32A32_FLOAT:
   case ISL_FORMAT_R32G32B32A32_UINT:
   case ISL_FORMAT_R32G32B32A32_SINT: return TEXEL_WORDS_4;
   case ISL_FORMAT_R16G16B16A16_FLOAT: return TEXEL_HALVES_4;
   default: return TEXEL_ANY;
   }
}

struct colour {
   v8f c[4];
};

#define EACH(x)                                                              \
   {                                                                         \
      x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7)                         \
   }

INLINE uint32_t
dword_at(const uint8_t *p)
{
   uint32_t u;
   memcpy(&u, p, sizeof(u));
   return u;
}

INLINE v8u
load_dwords(const uint8_t *p, const uint32_t at[8])
{
#define LOAD(i) dword_at(p + at[i])
   return (v8u)EACH(LOAD);
#undef LOAD
}

INLINE v8f
srgb8(v8u v)
{
   uint32_t at[8];
   memcpy(at, &v, sizeof(at));
#define DECODE(i) sim_srgb8[at[i]]
   return (v8f)EACH(DECODE);
#undef DECODE
}

/* Texels of four bytes: whether blue is the first, whether there is alpha. */
INLINE bool
is_bgr(enum texel_kind kind)
{
   return kind == TEXEL_BGRA8 || kind == TEXEL_BGRX8 ||
          kind == TEXEL_BGRA8_SRGB;
}

INLINE bool
lacks_alpha(enum texel_kind kind)
{
   return kind == TEXEL_RGBX8 || kind == TEXEL_BGRX8;
}

/* Their colours. */
INLINE struct colour
from_bytes(enum texel_kind kind, v8u v)
{
   const bool bgr = is_bgr(kind);
   const v8u r = (bgr ? v >> 16 : v) & 255, g = v >> 8 & 255;
   const v8u b = (bgr ? v : v >> 16) & 255;
   const v8f a = lacks_alpha(kind) ? splat_f(1.0f) : unorm8(v >> 24);
   if (kind == TEXEL_RGBA8_SRGB || kind == TEXEL_BGRA8_SRGB)
      return (struct colour) { { srgb8(r), srgb8(g), srgb8(b), a } };
   return (struct colour) { { unorm8(r), unorm8(g), unorm8(b), a } };
}

static void
unpack_each(unsigned format, const uint8_t *p, const uint32_t at[8],
            struct colour *out)
{
   uint32_t by_channel[4][8], rgba[4];
   for (unsigned i = 0; i < 8; i++) {
      sim_format_unpack(format, p + at[i], rgba);
      for (unsigned c = 0; c < 4; c++)
         by_channel[c][i] = rgba[c];
   }
   memcpy(out, by_channel, sizeof(*out));
}

/* Halves in the lower bits: their exponent and mantissa, moved, are floats
 * that are 2^112 too small, but for infinities and NaNs. */
INLINE v8f
from_halves(v8u h)
{
   const v8u bits = (h & 0x7fff) << 13;
   const v8u special = (v8u)(bits >= 0x0f800000) & 0x7f800000;
   const v8u scaled = (v8u)((v8f)bits * 0x1p112f);
   const v8u sign = (h & 0x8000) << 16;
   const v8d is_special = (v8d)(special != 0);
   return (v8f)(sign | (v8u)choose_d(is_special, (v8d)(bits | special),
                                     (v8d)scaled));
}

/* Texels at eight offsets. */
INLINE struct colour
load_texels(enum texel_kind kind, const struct sim_surface *s,
            const uint8_t *p, v8u offset)
{
   const bool integer = sim_format_is_integer(s->format);
   const v8f one = integer ? (v8f)splat_d(1) : splat_f(1.0f);
   struct colour out = { { { 0 }, { 0 }, { 0 }, one } };
   uint32_t at[8];
   memcpy(at, &offset, sizeof(at));
   switch (kind) {
   case TEXEL_RGBA8:
   case TEXEL_BGRA8:
   case TEXEL_RGBX8:
   case TEXEL_BGRX8:
   case TEXEL_RGBA8_SRGB:
   case TEXEL_BGRA8_SRGB: return from_bytes(kind, load_dwords(p, at));
   case TEXEL_R8: {
#define BYTE(i) p[at[i]]
      const v8u bytes = EACH(BYTE);
#undef BYTE
      out.c[0] = unorm8(bytes);
      return out;
   }
   case TEXEL_WORDS_4:
      out.c[2] = (v8f)load_dwords(p + 8, at);
      out.c[3] = (v8f)load_dwords(p + 12, at);
      /* FALLTHROUGH */
   case TEXEL_WORDS_2:
      out.c[1] = (v8f)load_dwords(p + 4, at);
      /* FALLTHROUGH */
   case TEXEL_WORDS_1: out.c[0] = (v8f)load_dwords(p, at); return out;
   case TEXEL_HALVES_4:
      for (unsigned c = 0; c < 4; c += 2) {
         const v8u pair = load_dwords(p + 2 * c, at);
         out.c[c] = from_halves(pair & 0xffff);
         out.c[c + 1] = from_halves(pair >> 16);
      }
      return out;
   case TEXEL_ANY: unpack_each(s->format, p, at, &out); return out;
   }
   unreachable("texel kind");
}

#endif
