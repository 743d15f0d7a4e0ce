/* SPDX-License-Identifier: MIT */
/* SAMPLER_STATE and SAMPLER_BORDER_COLOR_STATE; SKL PRM volume 2d. */
#include "sampler_private.h"

#include <inttypes.h>

#include "intel/genxml/gen9_pack.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/mem/watch.h"
#include "util/thread_memory.h"

/* Why a state cannot be used, or NULL. */
static const char *
check(const struct GEN9_SAMPLER_STATE *s, const struct sim_traits *traits)
{
   /* The base level stands here on older generations. */
   if (traits->sampler_has_base_level && s->CoarseLODQualityMode)
      return "a base level is not implemented";
   if (s->SamplerDisable)
      return "disabled samplers are not implemented";
   if (s->ChromaKeyEnable)
      return "chroma key is not implemented";
   if (traits->sampler_has_reduction && s->ReductionTypeEnable &&
       s->ReductionType == REDUCTION_COMPARISON)
      return "the reduction type of comparisons is not implemented";
   if (s->TextureBorderColorMode != BORDER_COLOR_DX10_OGL)
      return "the border colour mode of DX9 is not implemented";
   if (s->MinModeFilter > MAPFILTER_ANISOTROPIC ||
       s->MagModeFilter > MAPFILTER_ANISOTROPIC)
      return "the filter mode is reserved or not implemented";
   if (s->MipModeFilter == 2)
      return "mip filter 2 is reserved";
   if (s->TCXAddressControlMode > TCM_HALF_BORDER ||
       s->TCYAddressControlMode > TCM_HALF_BORDER ||
       s->TCZAddressControlMode > TCM_HALF_BORDER)
      return "the address control mode is reserved or not implemented";
   return NULL;
}

static void
translate(struct sim_sampler *out, const struct GEN9_SAMPLER_STATE *s,
          const struct sim_traits *traits)
{
   *out = (struct sim_sampler) {
      .min_filter = s->MinModeFilter,
      .mag_filter = s->MagModeFilter,
      .mip_filter = s->MipModeFilter,
      .max_anisotropy = 2 * (s->MaximumAnisotropy + 1),
      .wrap = { s->TCXAddressControlMode, s->TCYAddressControlMode,
                s->TCZAddressControlMode },
      .shadow_function = s->ShadowFunction,
      .reduction = traits->sampler_has_reduction && s->ReductionTypeEnable
                      ? s->ReductionType
                      : REDUCTION_STD_FILTER,
      .clamps_before_choice = s->LODPreClampMode == CLAMP_MODE_OGL,
      .mips_when_magnified = s->LODClampMagnificationMode ==
                             LOD_CLAMP_MIPFILTER,
      .unnormalized = s->NonnormalizedCoordinateEnable,
      .cubes_are_seamless = s->CubeSurfaceControlMode ==
                            CUBECTRLMODE_OVERRIDE,
      .min_rounding = (uint8_t)(s->UAddressMinFilterRoundingEnable |
                                s->VAddressMinFilterRoundingEnable << 1 |
                                s->RAddressMinFilterRoundingEnable << 2),
      .mag_rounding = (uint8_t)(s->UAddressMagFilterRoundingEnable |
                                s->VAddressMagFilterRoundingEnable << 1 |
                                s->RAddressMagFilterRoundingEnable << 2),
      .lod_bias = s->TextureLODBias,
      .min_lod = s->MinLOD,
      .max_lod = s->MaxLOD,
   };
}

/* Haswell has integers after the floats, at dword 16. */
#define BORDER_DW 20
#define PACKED_BORDER_DW 16

struct cached_sampler {
   uint64_t address;
   const struct sim_traits *traits;
   uint32_t dw[4], border[BORDER_DW];
   bool has_border;
   struct sim_sampler sampler;
};

/* In units of 32 bytes before Gen8 (IVB PRM vol 4 part 1,
 * "SAMPLER_STATE"). */
static uint64_t
border_address(const struct sim_eu_thread *t,
               const struct GEN9_SAMPLER_STATE *s, const uint32_t dw[4])
{
   return t->env->dynamic_state_base +
          (sim_traits(t->env->verx10)->border_pointer_is_dword
              ? dw[2] & ~31u
              : s->BorderColorPointer);
}

/* Of each host thread; compared with memory at each use. */
#define CACHED_SAMPLERS 16

/* NULL: no memory for the table. */
static struct cached_sampler *
cached(uint64_t address)
{
   static _Thread_local void *slot;
   struct cached_sampler *c =
      thread_memory(&slot, CACHED_SAMPLERS * sizeof(*c));
   return c ? &c[(address >> 4) % CACHED_SAMPLERS] : NULL;
}

const struct sim_sampler *
sim_sampler_at(struct sim_eu_thread *t, uint64_t address)
{
   const struct sim_traits *traits = sim_traits(t->env->verx10);
   uint32_t dw[4], border[BORDER_DW] = { 0 };
   if (t->mem)
      sim_mem_note(t->mem, SIM_CLIENT_STATE, address, sizeof(dw),
                   SIM_MEM_READ);
   if (!t->mem || !sim_mem_read(t->mem, dw, address, sizeof(dw))) {
      sim_eu_fault_memory(t, -1, address, "SAMPLER_STATE");
      return NULL;
   }
   struct GEN9_SAMPLER_STATE s;
   struct cached_sampler *c = cached(address);
   if (!c) {
      sim_eu_fault(t, SIM_FAULT_MEMORY, "the host is out of memory");
      return NULL;
   }
   if (!c->has_border && c->address == address && c->traits == traits &&
       memcmp(c->dw, dw, sizeof(dw)) == 0)
      return &c->sampler;
   GEN9_SAMPLER_STATE_unpack(dw, &s);
   const bool has_border = s.TCXAddressControlMode == TCM_CLAMP_BORDER ||
                           s.TCXAddressControlMode == TCM_HALF_BORDER ||
                           s.TCYAddressControlMode == TCM_CLAMP_BORDER ||
                           s.TCYAddressControlMode == TCM_HALF_BORDER ||
                           s.TCZAddressControlMode == TCM_CLAMP_BORDER ||
                           s.TCZAddressControlMode == TCM_HALF_BORDER;
   const uint64_t at = border_address(t, &s, dw);
   if (has_border &&
       !sim_mem_read(t->mem, border, at, 4u * traits->border_dw)) {
      sim_eu_fault_memory(t, -1, at, "SAMPLER_BORDER_COLOR_STATE");
      return NULL;
   }
   if (c->address == address && c->traits == traits &&
       memcmp(c->dw, dw, sizeof(dw)) == 0 &&
       memcmp(c->border, border, sizeof(border)) == 0)
      return &c->sampler;

   const char *error = check(&s, traits);
   if (error) {
      sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED,
                   "SAMPLER_STATE at 0x%" PRIx64 ": %s", address, error);
      return NULL;
   }
   c->address = address;
   c->traits = traits;
   c->has_border = has_border;
   memcpy(c->dw, dw, sizeof(dw));
   memcpy(c->border, border, sizeof(border));
   translate(&c->sampler, &s, traits);
   c->sampler.border_offset_B = has_border ? at % 512 : 0;
   memcpy(c->sampler.border, border, sizeof(c->sampler.border));
   memcpy(c->sampler.border_packed, border + PACKED_BORDER_DW,
          sizeof(c->sampler.border_packed));
   return &c->sampler;
}
