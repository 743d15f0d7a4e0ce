/* SPDX-License-Identifier: MIT */
/* Questions about formats that the table of layouts answers. */
#include "isl.h"

bool
isl_format_supports_on(unsigned verx10, enum isl_format format,
                       enum isl_format_use use)
{
   if (!isl_format_is_valid(format))
      return false;
   const unsigned first = isl_format_layouts[format].first_verx10[use];
   return first && intel_gen_has(verx10, first);
}

bool
isl_format_supports(const struct intel_device_info *dev,
                    enum isl_format format, enum isl_format_use use)
{
   return isl_format_supports_on(dev->verx10, format, use);
}

static bool
has_channel(enum isl_format format, enum isl_base_type one,
            enum isl_base_type other)
{
   const struct isl_format_layout *l = isl_format_get_layout(format);
   const enum isl_base_type types[] = { l->channels.r.type,
                                        l->channels.g.type,
                                        l->channels.b.type,
                                        l->channels.a.type };
   for (unsigned i = 0; i < ARRAY_SIZE(types); i++) {
      if (types[i] == one || types[i] == other)
         return true;
   }
   return false;
}

bool
isl_format_has_int_channel(enum isl_format format)
{
   return has_channel(format, ISL_UINT, ISL_SINT);
}

bool
isl_format_has_float_channel(enum isl_format format)
{
   return has_channel(format, ISL_UFLOAT, ISL_SFLOAT);
}

bool
isl_storage_reads_raw(const struct intel_device_info *dev, uint32_t bpb)
{
   switch (dev->typed_reads) {
   case INTEL_TYPED_READS_R32: return bpb != 32;
   case INTEL_TYPED_READS_UINT: return bpb > 64;
   case INTEL_TYPED_READS_MOST: return false;
   }
   unreachable("formats of typed reads");
}

/* What has as many bits and can be read (the table's T column). */
static enum isl_format
by_bits(const struct intel_device_info *dev, enum isl_format format)
{
   const struct isl_format_layout *l = isl_format_get_layout(format);
   if (!isl_format_supports(dev, format, ISL_FORMAT_USE_TYPED_WRITE))
      return ISL_FORMAT_UNSUPPORTED;
   if (isl_storage_reads_raw(dev, l->bpb))
      return ISL_FORMAT_RAW;
   switch (l->bpb) {
   case 64: return ISL_FORMAT_R16G16B16A16_UINT;
   case 32:
      if (dev->typed_reads == INTEL_TYPED_READS_R32)
         return ISL_FORMAT_R32_UINT;
      return l->channels.r.bits == 8    ? ISL_FORMAT_R8G8B8A8_UINT
             : l->channels.r.bits == 16 ? ISL_FORMAT_R16G16_UINT
                                        : ISL_FORMAT_R32_UINT;
   case 16:
      return l->channels.r.bits == 8 ? ISL_FORMAT_R8G8_UINT
                                     : ISL_FORMAT_R16_UINT;
   case 8: return ISL_FORMAT_R8_UINT;
   }
   return ISL_FORMAT_UNSUPPORTED;
}

enum isl_format
isl_storage_read_format(const struct intel_device_info *dev,
                        enum isl_format format)
{
   enum isl_format raw;

   switch ((int)format) {
   /* Atomics are only defined on integers of 32 bits (PRM SKL vol 5, "Surface
    * Formats"). */
   case ISL_FORMAT_R32_FLOAT:
   case ISL_FORMAT_R10G10B10A2_UNORM:
   case ISL_FORMAT_R10G10B10A2_UINT:
   case ISL_FORMAT_R11G11B10_FLOAT: raw = ISL_FORMAT_R32_UINT; break;
   case ISL_FORMAT_R16G16B16A16_UNORM:
   case ISL_FORMAT_R16G16B16A16_SNORM:
      raw = ISL_FORMAT_R16G16B16A16_UINT;
      break;
   case ISL_FORMAT_B8G8R8A8_UNORM: /* red and blue change places */
   case ISL_FORMAT_R8G8B8A8_UNORM:
   case ISL_FORMAT_R8G8B8A8_SNORM: raw = ISL_FORMAT_R8G8B8A8_UINT; break;
   case ISL_FORMAT_R16G16_UNORM:
   case ISL_FORMAT_R16G16_SNORM: raw = ISL_FORMAT_R16G16_UINT; break;
   case ISL_FORMAT_R8G8_UNORM:
   case ISL_FORMAT_R8G8_SNORM: raw = ISL_FORMAT_R8G8_UINT; break;
   case ISL_FORMAT_R16_UNORM:
   case ISL_FORMAT_R16_SNORM: raw = ISL_FORMAT_R16_UINT; break;
   case ISL_FORMAT_R8_UNORM:
   case ISL_FORMAT_R8_SNORM: raw = ISL_FORMAT_R8_UINT; break;
   default: raw = format; break;
   }
   if (isl_format_supports(dev, raw, ISL_FORMAT_USE_TYPED_READ))
      return raw;
   return dev->typed_reads == INTEL_TYPED_READS_MOST ? ISL_FORMAT_UNSUPPORTED
                                                     : by_bits(dev, format);
}
