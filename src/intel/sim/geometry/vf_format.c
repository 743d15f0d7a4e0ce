/* SPDX-License-Identifier: MIT */
/*
 * One vertex element in memory -> four 32-bit components, as the vertex
 * fetcher converts it (PRM SKL Vol. 7 "Vertex Fetch: Format Conversion"):
 * floats of 16 and 64 bits become 32-bit floats, normalised and scaled
 * integers become floats, integers are extended. Components that the format
 * lacks are 0, and 1 for the last one. The table of formats is isl's.
 */
#include "vf_format.h"

#include <math.h>
#include <pthread.h>

#include "intel/isl/isl.h"
#include "util/half.h"

static struct vf_format formats[ISL_FORMAT_NUMBERS];
static pthread_once_t formats_once = PTHREAD_ONCE_INIT;

static const struct isl_channel_layout *
channel(const struct isl_format_layout *l, unsigned i)
{
   const struct isl_channel_layout *all[] = { &l->channels.r, &l->channels.g,
                                              &l->channels.b,
                                              &l->channels.a };
   return all[i];
}

/* 32-bit components that are copied, in their order in memory. */
static bool
is_plain_copy(const struct vf_format *f)
{
   for (unsigned i = 0; i < 4; i++) {
      const struct vf_channel *c = &f->channel[i];
      if (i >= f->num_channels ? c->type != ISL_VOID
                               : c->bits != 32 || c->start_bit != 32 * i)
         return false;
      if (i < f->num_channels && c->type != ISL_SFLOAT &&
          c->type != ISL_UINT && c->type != ISL_SINT)
         return false;
   }
   return true;
}

static void
init_format(unsigned number)
{
   struct vf_format *f = &formats[number];
   const struct isl_format_layout *l = &isl_format_layouts[number];
   if (!isl_format_is_valid(number) ||
       !l->first_verx10[ISL_FORMAT_USE_VERTEX_FETCH])
      return;
   f->size_B = l->bpb / 8;
   for (unsigned i = 0; i < 4; i++) {
      const struct isl_channel_layout *c = channel(l, i);
      f->channel[i] = (struct vf_channel) { c->type, c->start_bit, c->bits };
      if (c->type == ISL_VOID)
         continue;
      f->num_channels = i + 1;
      f->integer |= c->type == ISL_UINT || c->type == ISL_SINT;
      f->passthru |= c->type == ISL_RAW && c->bits == 64;
   }
   f->plain_copy = is_plain_copy(f);
}

static void
init_formats(void)
{
   for (unsigned i = 0; i < ISL_FORMAT_NUMBERS; i++)
      init_format(i);
}

const struct vf_format *
sim_vf_format(uint32_t number)
{
   pthread_once(&formats_once, init_formats);
   return number < ISL_FORMAT_NUMBERS && formats[number].size_B
             ? &formats[number]
             : NULL;
}

static uint64_t
bits_at(const uint8_t *bytes, unsigned start_bit, unsigned bits)
{
   uint64_t v;
   memcpy(&v, bytes + start_bit / 8, sizeof(v));
   return v >> start_bit % 8 & BITFIELD64_MASK(bits);
}

/* 10 and 11 bits: 5 of exponent, no sign. */
static float
unsigned_float(uint32_t v, unsigned bits)
{
   const unsigned mantissa_bits = bits - 5;
   const uint32_t mantissa = v & BITFIELD_MASK(mantissa_bits);
   const uint32_t exponent = v >> mantissa_bits;
   return util_half_to_float(
      (uint16_t)(exponent << 10 | mantissa << (10 - mantissa_bits)));
}

static float
float_channel(uint64_t v, unsigned bits)
{
   if (bits == 16)
      return util_half_to_float((uint16_t)v);
   if (bits == 64)
      return (float)util_bits_double(v);
   return util_bits_float((uint32_t)v);
}

static uint32_t
convert_channel(const struct vf_channel *c, uint64_t v)
{
   const int64_t s = util_sign_extend(v, c->bits);
   switch (c->type) {
   case ISL_UNORM:
      return util_float_bits(
         (float)((double)v / (double)BITFIELD64_MASK(c->bits)));
   case ISL_SNORM: {
      const double d = (double)s / (double)BITFIELD64_MASK(c->bits - 1);
      return util_float_bits((float)MAX2(d, -1.0));
   }
   case ISL_USCALED: return util_float_bits((float)v);
   case ISL_SSCALED: return util_float_bits((float)s);
   case ISL_SFIXED: return util_float_bits((float)((double)s / 65536.0));
   case ISL_UFLOAT:
      return util_float_bits(unsigned_float((uint32_t)v, c->bits));
   case ISL_SFLOAT:
      return c->bits == 32 ? (uint32_t)v
                           : util_float_bits(float_channel(v, c->bits));
   case ISL_SINT: return (uint32_t)s;
   default: return (uint32_t)v;
   }
}

void
sim_vf_convert(const struct vf_format *f, const uint8_t *src, uint32_t out[4])
{
   out[0] = out[1] = out[2] = 0;
   out[3] = f->integer ? 1 : util_float_bits(1.0f);
   if (f->plain_copy) {
      memcpy(out, src, f->size_B);
      return;
   }
   /* So that a load of 64 bits from any channel stays inside. */
   uint8_t bytes[32 + 8] = { 0 };
   memcpy(bytes, src, MIN2(f->size_B, 32));
   for (unsigned i = 0; i < f->num_channels; i++) {
      const struct vf_channel *c = &f->channel[i];
      if (c->type != ISL_VOID)
         out[i] = convert_channel(c, bits_at(bytes, c->start_bit, c->bits));
   }
}
