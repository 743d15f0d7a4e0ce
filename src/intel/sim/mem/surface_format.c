/* SPDX-License-Identifier: MIT */
/*
 * What the bits of a texel mean: SURFACE_FORMAT to and from four words.
 *
 * Layouts come from isl's table of formats; the conversions are the ones that
 * SKL PRM volume 7, "Sampler: Surface Format Conversions", and volume 2d,
 * "Surface Formats", define, which are those of the APIs: unorm n bits is
 * v / (2^n - 1), snorm max(v / (2^(n-1) - 1), -1), each rounded once.
 */
#include "surface.h"

#include <math.h>

#include "format_private.h"
#include "intel/isl/isl.h"
#include "util/half.h"

/* Floats for 8-bit codes, filled before main() runs. */
static float unorm8[256];
float sim_srgb8[256];
/* enum sim_format_kind */
static uint8_t kinds[ISL_FORMAT_NUMBERS];
static bool can_unpack[ISL_FORMAT_NUMBERS], can_pack[ISL_FORMAT_NUMBERS];

double
sim_srgb_to_linear(double v)
{
   return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double
linear_to_srgb(double v)
{
   return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055;
}

float
sim_srgb8_to_linear(uint8_t v)
{
   return sim_srgb8[v];
}

static const struct isl_format_layout *
layout_of(unsigned format)
{
   return isl_format_is_valid((enum isl_format)format)
             ? &isl_format_layouts[format]
             : NULL;
}

static const struct isl_channel_layout *
channel_of(const struct isl_format_layout *l, unsigned c)
{
   switch (c) {
   case 0: return &l->channels.r;
   case 1: return &l->channels.g;
   case 2: return &l->channels.b;
   default: return &l->channels.a;
   }
}

static enum sim_format_kind
find_kind(const struct isl_format_layout *l)
{
   for (unsigned c = 0; c < 4; c++) {
      switch (channel_of(l, c)->type) {
      case ISL_VOID: continue;
      case ISL_RAW: return SIM_FORMAT_RAW;
      case ISL_UNORM: return SIM_FORMAT_UNORM;
      case ISL_SNORM: return SIM_FORMAT_SNORM;
      case ISL_UFLOAT:
      case ISL_SFLOAT: return SIM_FORMAT_FLOAT;
      case ISL_UINT: return SIM_FORMAT_UINT;
      case ISL_SINT: return SIM_FORMAT_SINT;
      case ISL_USCALED:
      case ISL_SSCALED:
      case ISL_SFIXED: return SIM_FORMAT_SCALED;
      }
   }
   return SIM_FORMAT_NONE;
}

enum sim_format_kind
sim_format_base(unsigned format)
{
   return format < ISL_FORMAT_NUMBERS ? (enum sim_format_kind)kinds[format]
                                      : SIM_FORMAT_NONE;
}

unsigned
sim_format_size_B(unsigned format)
{
   const struct isl_format_layout *l = layout_of(format);
   return l ? l->bpb / 8 : 0;
}

const char *
sim_format_name(unsigned format)
{
   if (format < ISL_FORMAT_NUMBERS && isl_format_layouts[format].name)
      return isl_format_layouts[format].name;
   return "unknown format";
}

/* Channels of 64 bits and raw ones have no value in four words. */
static bool
channels_are_words(const struct isl_format_layout *l)
{
   for (unsigned c = 0; c < 4; c++) {
      const struct isl_channel_layout *ch = channel_of(l, c);
      if (ch->type == ISL_RAW || ch->bits > 32)
         return false;
   }
   return true;
}

/* As the tables are asked for each pixel, they are made once, before main().
 */
__attribute__((constructor)) static void
fill_tables(void)
{
   for (unsigned i = 0; i < 256; i++) {
      unorm8[i] = (float)(i / 255.0);
      sim_srgb8[i] = (float)sim_srgb_to_linear(i / 255.0);
   }
   for (unsigned f = 0; f < ISL_FORMAT_NUMBERS; f++) {
      const struct isl_format_layout *l = layout_of(f);
      if (!l)
         continue;
      kinds[f] = (uint8_t)find_kind(l);
      can_unpack[f] = l->txc != ISL_TXC_NONE || channels_are_words(l);
      can_pack[f] = l->txc == ISL_TXC_NONE && channels_are_words(l) &&
                    f != ISL_FORMAT_R9G9B9E5_SHAREDEXP &&
                    l->channels.r.type != ISL_SFIXED;
   }
}

bool
sim_format_can_unpack(unsigned format)
{
   return format < ISL_FORMAT_NUMBERS && can_unpack[format];
}

bool
sim_format_can_pack(unsigned format)
{
   return format < ISL_FORMAT_NUMBERS && can_pack[format];
}

/* ------------------------------------------------------------ unpacking */

/* A float without sign: five bits of exponent, `bits` - 5 of mantissa. */
static float
ufloat_to_float(uint32_t v, unsigned bits)
{
   const unsigned mantissa_bits = bits - 5;
   const uint32_t mantissa = v & BITFIELD_MASK(mantissa_bits);
   const uint32_t exponent = v >> mantissa_bits;
   if (exponent == 31)
      return util_bits_float(0x7f800000 | mantissa << (23 - mantissa_bits));
   if (exponent == 0)
      return ldexpf((float)mantissa, -14 - (int)mantissa_bits);
   return ldexpf((float)(mantissa | 1u << mantissa_bits),
                 (int)exponent - 15 - (int)mantissa_bits);
}

static uint32_t
unpack_channel(const struct isl_channel_layout *c, uint32_t v, bool srgb)
{
   const int32_t s = (int32_t)util_sign_extend(v, c->bits);
   switch (c->type) {
   case ISL_UNORM: {
      double x = (double)v / (double)BITFIELD_MASK(c->bits);
      if (srgb)
         x = sim_srgb_to_linear(x);
      return util_float_bits((float)x);
   }
   case ISL_SNORM: {
      const double x = (double)s / (double)BITFIELD_MASK(c->bits - 1);
      return util_float_bits((float)MAX2(x, -1.0));
   }
   case ISL_UFLOAT: return util_float_bits(ufloat_to_float(v, c->bits));
   case ISL_SFLOAT:
      return c->bits == 32 ? v
                           : util_float_bits(util_half_to_float((uint16_t)v));
   case ISL_UINT: return v;
   case ISL_SINT: return (uint32_t)s;
   case ISL_USCALED: return util_float_bits((float)v);
   case ISL_SSCALED: return util_float_bits((float)s);
   case ISL_SFIXED: return util_float_bits((float)(s / 65536.0));
   case ISL_VOID:
   case ISL_RAW: break;
   }
   unreachable("channel without a value");
}

static void
unpack_shared_exponent(uint32_t v, uint32_t rgba[4])
{
   const int exponent = (int)(v >> 27) - 15 - 9;
   for (unsigned c = 0; c < 3; c++)
      rgba[c] =
         util_float_bits(ldexpf((float)(v >> (9 * c) & 0x1ff), exponent));
   rgba[3] = util_float_bits(1.0f);
}

static void
unpack_any(const struct isl_format_layout *l, const void *texel,
           uint32_t rgba[4])
{
   uint32_t dw[4] = { 0 };
   memcpy(dw, texel, l->bpb / 8);
   const bool srgb = l->colorspace == ISL_COLORSPACE_SRGB;
   for (unsigned c = 0; c < 4; c++) {
      const struct isl_channel_layout *ch = channel_of(l, c);
      if (ch->type == ISL_VOID) {
         rgba[c] = c < 3 ? 0
                   : isl_format_has_int_channel(l->format)
                      ? 1
                      : util_float_bits(1.0f);
         continue;
      }
      const uint32_t v = dw[ch->start_bit / 32] >> ch->start_bit % 32 &
                         BITFIELD_MASK(ch->bits);
      rgba[c] = unpack_channel(ch, v, srgb && c < 3);
   }
}

void
sim_format_unpack(unsigned format, const void *texel, uint32_t rgba[4])
{
   const uint8_t *b = texel;
   switch (format) {
   case ISL_FORMAT_R8G8B8A8_UNORM:
      for (unsigned c = 0; c < 4; c++)
         rgba[c] = util_float_bits(unorm8[b[c]]);
      return;
   case ISL_FORMAT_R8G8B8A8_UNORM_SRGB:
      for (unsigned c = 0; c < 3; c++)
         rgba[c] = util_float_bits(sim_srgb8[b[c]]);
      rgba[3] = util_float_bits(unorm8[b[3]]);
      return;
   case ISL_FORMAT_B8G8R8A8_UNORM:
      for (unsigned c = 0; c < 3; c++)
         rgba[c] = util_float_bits(unorm8[b[2 - c]]);
      rgba[3] = util_float_bits(unorm8[b[3]]);
      return;
   case ISL_FORMAT_B8G8R8A8_UNORM_SRGB:
      for (unsigned c = 0; c < 3; c++)
         rgba[c] = util_float_bits(sim_srgb8[b[2 - c]]);
      rgba[3] = util_float_bits(unorm8[b[3]]);
      return;
   case ISL_FORMAT_R8_UNORM:
      rgba[0] = util_float_bits(unorm8[b[0]]);
      rgba[1] = rgba[2] = 0;
      rgba[3] = util_float_bits(1.0f);
      return;
   case ISL_FORMAT_R32G32B32A32_FLOAT:
   case ISL_FORMAT_R32G32B32A32_UINT:
   case ISL_FORMAT_R32G32B32A32_SINT: memcpy(rgba, texel, 16); return;
   case ISL_FORMAT_R32_FLOAT:
   case ISL_FORMAT_R32_UINT:
   case ISL_FORMAT_R32_SINT:
      memcpy(rgba, texel, 4);
      rgba[1] = rgba[2] = 0;
      rgba[3] = format == ISL_FORMAT_R32_FLOAT ? util_float_bits(1.0f) : 1;
      return;
   case ISL_FORMAT_R9G9B9E5_SHAREDEXP: {
      uint32_t v;
      memcpy(&v, texel, 4);
      unpack_shared_exponent(v, rgba);
      return;
   }
   default:
      unpack_any(isl_format_get_layout((enum isl_format)format), texel, rgba);
      return;
   }
}

/* -------------------------------------------------------------- packing */

/* To the nearest float without sign: negative numbers are 0, too large ones
 * the largest finite number, infinity and NaN stay.
 */
static uint32_t
float_to_ufloat(float f, unsigned bits)
{
   const unsigned mantissa_bits = bits - 5;
   const uint32_t infinity = 31u << mantissa_bits;
   if (isnan(f))
      return infinity | 1;
   if (!(f > 0.0f))
      return 0;
   if (isinf(f))
      return infinity;
   int exponent;
   frexpf(f, &exponent);
   /* f = m * 2^(exponent - 1) with 1 <= m < 2; subnormals below 2^-14. */
   const int step = MAX2(exponent - 1, -14) - (int)mantissa_bits;
   const uint32_t scaled = (uint32_t)rint(ldexp((double)f, -step));
   /* The hidden one carries into the exponent by addition. */
   const int biased = MAX2(exponent - 1, -14) + 14;
   const uint64_t v = (uint64_t)scaled + ((uint64_t)biased << mantissa_bits);
   return v >= infinity ? infinity - 1 : (uint32_t)v;
}

static uint32_t
pack_channel(const struct isl_channel_layout *c, uint32_t word, bool srgb)
{
   const float f = util_bits_float(word);
   const uint32_t max = BITFIELD_MASK(c->bits);
   switch (c->type) {
   case ISL_UNORM: {
      double x = f > 0.0f ? MIN2((double)f, 1.0) : 0.0;
      if (srgb)
         x = linear_to_srgb(x);
      return (uint32_t)(x * (double)max + 0.5);
   }
   case ISL_SNORM: {
      const double x = isnan(f) ? 0.0 : CLAMP((double)f, -1.0, 1.0);
      return (uint32_t)(int32_t)round(x * (double)(max >> 1)) & max;
   }
   case ISL_UFLOAT: return float_to_ufloat(f, c->bits);
   case ISL_SFLOAT: return c->bits == 32 ? word : util_float_to_half(f);
   case ISL_UINT: return MIN2(word, max);
   case ISL_SINT: {
      const int32_t top = (int32_t)(max >> 1);
      return (uint32_t)CLAMP((int32_t)word, -top - 1, top) & max;
   }
   case ISL_USCALED:
      return f > 0.0f ? (uint32_t)MIN2((double)f, (double)max) : 0;
   case ISL_SSCALED: {
      const double top = (double)(max >> 1);
      const double x = isnan(f) ? 0.0 : CLAMP((double)f, -top - 1, top);
      return (uint32_t)(int32_t)x & max;
   }
   case ISL_VOID:
   case ISL_RAW:
   case ISL_SFIXED: break;
   }
   unreachable("channel that is not written");
}

static uint8_t
pack_unorm8(uint32_t word)
{
   const float f = util_bits_float(word);
   /* The product is exact in double: one rounding, as for other widths. */
   return f > 0.0f ? (uint8_t)(MIN2((double)f, 1.0) * 255.0 + 0.5) : 0;
}

/* The formats that most pixels have; false: another one. */
static bool
pack_common(unsigned format, const uint32_t rgba[4], uint8_t *b)
{
   switch (format) {
   case ISL_FORMAT_R8G8B8A8_UNORM:
      for (unsigned c = 0; c < 4; c++)
         b[c] = pack_unorm8(rgba[c]);
      return true;
   case ISL_FORMAT_B8G8R8A8_UNORM:
   case ISL_FORMAT_B8G8R8X8_UNORM:
      for (unsigned c = 0; c < 3; c++)
         b[c] = pack_unorm8(rgba[2 - c]);
      b[3] = format == ISL_FORMAT_B8G8R8A8_UNORM ? pack_unorm8(rgba[3]) : 0;
      return true;
   case ISL_FORMAT_R32_UINT:
   case ISL_FORMAT_R32_SINT:
   case ISL_FORMAT_R32_FLOAT: memcpy(b, rgba, 4); return true;
   case ISL_FORMAT_R32G32B32A32_UINT:
   case ISL_FORMAT_R32G32B32A32_SINT:
   case ISL_FORMAT_R32G32B32A32_FLOAT: memcpy(b, rgba, 16); return true;
   default: return false;
   }
}

void
sim_format_pack(unsigned format, const uint32_t rgba[4], void *texel)
{
   if (pack_common(format, rgba, texel))
      return;
   const struct isl_format_layout *l =
      isl_format_get_layout((enum isl_format)format);
   const bool srgb = l->colorspace == ISL_COLORSPACE_SRGB;
   uint32_t dw[4] = { 0 };
   for (unsigned c = 0; c < 4; c++) {
      const struct isl_channel_layout *ch = channel_of(l, c);
      if (ch->type != ISL_VOID) {
         dw[ch->start_bit / 32] |= pack_channel(ch, rgba[c], srgb && c < 3)
                                   << ch->start_bit % 32;
      }
   }
   memcpy(texel, dw, l->bpb / 8);
}
