/* SPDX-License-Identifier: MIT */
/* Surface states by the device's generation; swizzles. */
#include "isl_private.h"

static const struct isl_genx *
find_genx(const struct intel_device_info *dev)
{
   static const struct isl_genx *const rows[INTEL_GENS] = {
#define ROW(gen, verx10) [INTEL_GEN_##verx10] = &gen##_isl,
      GENX_GENS(ROW)
#undef ROW
   };
   assert(rows[dev->gen] && "a generation with surface states");
   return rows[dev->gen];
}

void
isl_surf_fill_state_s(const struct intel_device_info *dev, void *state,
                      const struct isl_surf_fill_state_info *info)
{
   find_genx(dev)->surf_fill_state(state, info);
}

void
isl_buffer_fill_state_s(const struct intel_device_info *dev, void *state,
                        const struct isl_buffer_fill_state_info *info)
{
   find_genx(dev)->buffer_fill_state(state, info);
}

void
isl_null_fill_state(const struct intel_device_info *dev, void *state,
                    struct isl_extent3d size)
{
   find_genx(dev)->null_fill_state(state, size);
}

static enum isl_channel_select
pick(struct isl_swizzle s, enum isl_channel_select c)
{
   switch (c) {
   case ISL_CHANNEL_SELECT_ZERO:
   case ISL_CHANNEL_SELECT_ONE: return c;
   case ISL_CHANNEL_SELECT_RED: return s.r;
   case ISL_CHANNEL_SELECT_GREEN: return s.g;
   case ISL_CHANNEL_SELECT_BLUE: return s.b;
   case ISL_CHANNEL_SELECT_ALPHA: return s.a;
   }
   unreachable("channel select");
}

struct isl_swizzle
isl_swizzle_compose(struct isl_swizzle first, struct isl_swizzle second)
{
   return (struct isl_swizzle) {
      pick(first, second.r),
      pick(first, second.g),
      pick(first, second.b),
      pick(first, second.a),
   };
}
