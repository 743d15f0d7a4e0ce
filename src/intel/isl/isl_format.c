/* SPDX-License-Identifier: MIT */
/* Questions about formats that the table of layouts answers. */
#include "isl.h"

bool
isl_format_supports(const struct intel_device_info *dev,
                    enum isl_format format, enum isl_format_use use)
{
   if (!isl_format_is_valid(format))
      return false;
   const unsigned first = isl_format_layouts[format].first_verx10[use];
   return first != 0 && dev->verx10 >= first;
}

static bool
is_int(struct isl_channel_layout c)
{
   return c.type == ISL_UINT || c.type == ISL_SINT;
}

bool
isl_format_has_int_channel(enum isl_format format)
{
   const struct isl_format_layout *l = isl_format_get_layout(format);
   return is_int(l->channels.r) || is_int(l->channels.g) ||
          is_int(l->channels.b) || is_int(l->channels.a);
}

enum isl_format
isl_format_srgb_to_linear(enum isl_format format)
{
   if (!isl_format_is_srgb(format))
      return format;
   const char *name = isl_format_get_name(format);
   const size_t len = strlen(name) - strlen("_SRGB");
   for (unsigned i = 0; i < ISL_FORMAT_NUMBERS; i++) {
      const char *other = isl_format_layouts[i].name;
      if (other && strlen(other) == len && strncmp(other, name, len) == 0)
         return (enum isl_format)i;
   }
   return format;
}
