/* SPDX-License-Identifier: MIT */
/*
 * What a surface state says, by who uses it (sections 4d and 5 of the rules).
 * Each is looked at when a message names it.
 */
#include "shadow/shadow_private.h"

#include <stdio.h>

#include "intel/isl/isl.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/mem/surface_state.h"
#include "intel/sim/msg/sampler_private.h"
#include "intel/sim/msg/surface_rules.h"

/* SURFACE_FORMAT. */
#define FORMAT_BGRA8 0x0c0
#define FORMAT_R32G32B32_FLOAT 0x040
#define FORMAT_R32_FLOAT 0x0d8
#define FORMAT_R8_UINT 0x143
#define FORMAT_RAW 0x1ff

struct use {
   unsigned verx10;
   const struct sim_traits *traits;
   enum sim_client client;
   const uint32_t *dw;
   struct GEN9_RENDER_SURFACE_STATE r;
   const struct sim_surface *s;
};

static bool
is_image(const struct use *u)
{
   return u->s->type <= SIM_SURFACE_CUBE;
}

static bool
is_written(const struct use *u)
{
   return u->client == SIM_CLIENT_TARGET || u->client == SIM_CLIENT_DATA;
}

static bool
is_ccs(const struct use *u)
{
   return u->s->aux.mode == SIM_AUX_CCS;
}

/*
 * Sizes and alignment
 */

static bool
too_large(const struct use *u)
{
   const struct sim_surface *s = u->s;
   if (s->type == SIM_SURFACE_BUFFER && s->format == FORMAT_RAW)
      return s->num_elements > 1u << 30 || s->num_elements % 4;
   if (s->type == SIM_SURFACE_BUFFER)
      return s->num_elements > 1u << 27;
   if (!is_image(u))
      return false;
   const uint64_t rows = MAX2((uint64_t)s->qpitch_rows * s->depth,
                              DIV_ROUND_UP(s->height, s->block_h));
   return rows * s->pitch_B > 1ull << u->traits->surface_bits;
}

static unsigned
tile_width_B(enum sim_tile_mode tiling)
{
   return tiling == SIM_TILE_X ? 512 : 128;
}

/* Gen7 counts a row of W tiles twice. The pitch of a 1D surface is ignored
 * where its levels lie side by side (Mesa's isl_surface_state.c). */
static bool
off_its_tiles(const struct use *u)
{
   const struct sim_surface *s = u->s;
   if (!is_image(u))
      return false;
   if (s->tiling != SIM_TILE_LINEAR)
      return s->address % 4096 || (s->tiling != SIM_TILE_W &&
                                   s->pitch_B % tile_width_B(s->tiling));
   return is_written(u) && s->element_B &&
          (s->address % s->element_B ||
           (!s->is_linear_1d && s->pitch_B % s->element_B));
}

/* One of several samples is never linear; what is drawn to it counts
 * (raster/rt_check.c). */
static bool
too_wide(const struct use *u)
{
   return u->client == SIM_CLIENT_TARGET && is_image(u) &&
          u->s->tiling != SIM_TILE_LINEAR && u->s->num_samples <= 1 &&
          u->s->width > SIM_MAX_TILED_TARGET_WIDTH;
}

/* An entry names a state by its address, whose lower bits are zero. */
bool
sim_strict_surface_entry(struct sim_eu_thread *t, uint32_t offset)
{
   const uint32_t mask = 4 * sim_surface_state_dwords(t->env->verx10) - 1;
   return !(offset & mask) ||
          shadow_broken(t, SIM_RULE_SURFACE_ENTRY, "0x%08x", offset);
}

/*
 * Kinds of surfaces
 */

static bool
null_format(const struct use *u)
{
   return u->client == SIM_CLIENT_TARGET && u->s->type == SIM_SURFACE_NULL &&
          u->r.SurfaceFormat == FORMAT_BGRA8;
}

static bool
stencil_use(const struct use *u)
{
   if (!is_image(u) || u->s->tiling != SIM_TILE_W)
      return false;
   return u->client == SIM_CLIENT_TARGET || u->s->format != FORMAT_R8_UINT ||
          (u->client == SIM_CLIENT_TEXTURE && !u->traits->samples_stencil);
}

static bool
typed_stencil(const struct use *u)
{
   return u->client == SIM_CLIENT_DATA && is_image(u) &&
          u->s->tiling == SIM_TILE_W && u->s->format != FORMAT_R8_UINT;
}

static bool
sampled_hiz(const struct use *u)
{
   return u->s->aux.mode == SIM_AUX_HIZ &&
          (u->client != SIM_CLIENT_TEXTURE || u->s->num_samples > 1 ||
           u->s->type == SIM_SURFACE_3D ||
           (u->traits->sampled_hiz_clears_to_zero && u->dw[7] >> 28));
}

static bool
wrong_ccs(const struct use *u)
{
   const struct sim_surface *s = u->s;
   if (!is_ccs(u))
      return false;
   if (u->traits->ccs_of_one_image)
      return s->type != SIM_SURFACE_2D || s->depth > 1 || s->level_count > 1;
   return s->type == SIM_SURFACE_3D || u->r.SurfaceHorizontalAlignment != 3;
}

static bool
reserved_swizzle(const struct use *u)
{
   return u->dw[7] & 0x0fff0000;
}

/* A permutation, and alpha as it is. */
static bool
target_swizzle(const struct use *u)
{
   const uint8_t *select = u->s->channel_select;
   unsigned seen = 0;
   if (u->client != SIM_CLIENT_TARGET || !is_image(u))
      return false;
   for (unsigned i = 0; i < 4; i++)
      seen |= 1u << select[i];
   return seen != (1u << SCS_RED | 1u << SCS_GREEN | 1u << SCS_BLUE |
                   1u << SCS_ALPHA) ||
          select[3] != SCS_ALPHA;
}

static bool
sampled_layer(const struct use *u)
{
   return u->client == SIM_CLIENT_TEXTURE && u->s->num_samples > 1 &&
          u->s->first_slice;
}

static bool
has_valign_2(const struct use *u)
{
   return u->traits->has_valign_2 &&
          u->r.SurfaceVerticalAlignment == SIM_VALIGN_2;
}

static bool
wrong_multisample(const struct use *u)
{
   const struct sim_surface *s = u->s;
   if (!is_image(u) || s->num_samples == 1)
      return false;
   if (s->first_level || s->tiling == SIM_TILE_LINEAR || has_valign_2(u) ||
       (u->client == SIM_CLIENT_TEXTURE && s->level_count > 1))
      return true;
   return !u->traits->samples_in_x_tiles && s->tiling == SIM_TILE_X;
}

/* How samples must lie: as those of depth, or in planes of their own. */
static bool
wrong_samples(const struct use *u)
{
   static const char *const of_depth[] = { "I24X8_UNORM", "L24X8_UNORM",
                                           "A24X8_UNORM",
                                           "R24_UNORM_X8_TYPELESS" };
   const struct sim_surface *s = u->s;
   if (!is_image(u) || s->num_samples == 1)
      return false;
   const uint64_t rows = (uint64_t)s->depth * s->height;
   bool interleaved = rows > (s->num_samples == 8 ? 1u << 22 : 1u << 23);
   for (unsigned i = 0; i < ARRAY_SIZE(of_depth); i++)
      interleaved |= !strcmp(sim_format_name(s->format), of_depth[i]);
   if (s->sample_layout == SIM_SAMPLES_INTERLEAVED)
      return s->num_samples == 8 && s->width > 8192;
   return interleaved;
}

/* "VALIGN_4 is not supported for surface format R32G32B32_FLOAT." */
static bool
rows_of_four(const struct use *u)
{
   return is_image(u) && u->s->format == FORMAT_R32G32B32_FLOAT &&
          !has_valign_2(u);
}

/* Before Gen9 clear colours are for several samples and for targets. */
static bool
sampled_ccs(const struct use *u)
{
   return u->client == SIM_CLIENT_TEXTURE && is_ccs(u);
}

/* Bit 0 of what Gen9 has as an index into the kernel's table. */
static bool
encrypted(const struct use *u)
{
   return u->r.MOCS & 1;
}

static bool
wrong_offset(const struct use *u)
{
   const struct sim_surface *s = u->s;
   if (!is_image(u) || !(u->r.XOffset || u->r.YOffset))
      return false;
   return s->tiling == SIM_TILE_LINEAR || s->type != SIM_SURFACE_2D ||
          s->num_samples > 1 || s->aux.mode || s->is_array ||
          (u->client == SIM_CLIENT_TEXTURE && s->level_count > 1);
}

/* What the manual lists, no sRGB among it (BDW PRM vol 2d,
 * RENDER_SURFACE_STATE, "Sampler L2 Bypass Mode Disable"), and depth by its
 * HiZ. */
static bool
bypassed(const struct use *u)
{
   static const char *const names[] = { "BC2_UNORM", "BC3_UNORM", "BC5_UNORM",
                                        "BC5_SNORM", "BC7_UNORM" };
   bool listed = u->s->aux.mode == SIM_AUX_HIZ;
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
      listed |= !strcmp(sim_format_name(u->s->format), names[i]);
   return u->client == SIM_CLIENT_TEXTURE && is_image(u) && listed &&
          !u->r.SamplerL2BypassModeDisable;
}

/* Formats that render targets compress (Mesa's isl_format.c, column "ccs_e",
 * 90 or less, is the source). */
static bool
wrong_compression(const struct use *u)
{
   static const char *const names[] = {
      "R32G32B32A32_FLOAT", "R32G32B32A32_SINT",  "R32G32B32A32_UINT",
      "R16G16B16A16_UNORM", "R16G16B16A16_SNORM", "R16G16B16A16_SINT",
      "R16G16B16A16_UINT",  "R16G16B16A16_FLOAT", "R16G16B16X16_FLOAT",
      "R32G32_FLOAT",       "R32G32_SINT",        "R32G32_UINT",
      "B8G8R8A8_UNORM",     "B8G8R8X8_UNORM",     "R8G8B8A8_UNORM",
      "R8G8B8A8_SNORM",     "R8G8B8A8_SINT",      "R8G8B8A8_UINT",
      "R16G16_UNORM",       "R16G16_SNORM",       "R16G16_SINT",
      "R16G16_UINT",        "R16G16_FLOAT",       "R32_SINT",
      "R32_UINT",           "R32_FLOAT",
   };
   const char *name = sim_format_name(u->s->format);
   if (u->r.AuxiliarySurfaceMode != AUX_CCS_E || u->s->num_samples > 1)
      return false;
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      const size_t n = strlen(names[i]);
      if (!strncmp(name, names[i], n) &&
          (!name[n] || !strcmp(name + n, "_SRGB")))
         return false;
   }
   return true;
}

static bool
reserved_alignment(const struct use *u)
{
   return is_image(u) &&
          !(u->r.SurfaceHorizontalAlignment && u->r.SurfaceVerticalAlignment);
}

/*
 * Formats
 */

static bool
has_use(unsigned verx10, const struct sim_surface *s, enum isl_format_use use)
{
   return s->type == SIM_SURFACE_NULL ||
          isl_format_supports_on(verx10, (enum isl_format)s->format, use);
}

static bool
never_rendered(const struct use *u)
{
   return u->client == SIM_CLIENT_TARGET &&
          !has_use(u->verx10, u->s, ISL_FORMAT_USE_RENDER);
}

static bool
is_allowed(unsigned verx10, const struct sim_surface *s,
           enum sim_thread_rule rule)
{
   switch ((int)rule) {
   case SIM_RULE_FORMAT_BLENDED:
      return has_use(verx10, s, ISL_FORMAT_USE_BLENDED);
   case SIM_RULE_FORMAT_READ:
      return has_use(verx10, s, ISL_FORMAT_USE_TYPED_READ);
   case SIM_RULE_FORMAT_WRITTEN:
      return has_use(verx10, s, ISL_FORMAT_USE_TYPED_WRITE);
   case SIM_RULE_FORMAT_ATOMIC:
      return s->format == FORMAT_R32_FLOAT ||
             has_use(verx10, s, ISL_FORMAT_USE_TYPED_ATOMIC);
   case SIM_RULE_UNTYPED:
      return s->type == SIM_SURFACE_NULL || s->format == FORMAT_RAW;
   }
   unreachable("a rule of formats");
}

bool
sim_strict_format(struct sim_eu_thread *t, const struct sim_surface *s,
                  enum sim_thread_rule rule)
{
   return !t->env->rules->on[rule] || is_allowed(t->env->verx10, s, rule) ||
          shadow_broken(t, rule, "%s", sim_format_name(s->format));
}

static const struct {
   enum sim_thread_rule rule;
   bool (*broken)(const struct use *u);
} looks[] = {
   { SIM_RULE_SURFACE_SIZE, too_large },
   { SIM_RULE_SURFACE_TILES, off_its_tiles },
   { SIM_RULE_TARGET_WIDTH, too_wide },
   { SIM_RULE_NULL_FORMAT, null_format },
   { SIM_RULE_STENCIL_USE, stencil_use },
   { SIM_RULE_TYPED_STENCIL, typed_stencil },
   { SIM_RULE_SAMPLED_HIZ, sampled_hiz },
   { SIM_RULE_WRONG_CCS, wrong_ccs },
   { SIM_RULE_RESERVED_SWIZZLE, reserved_swizzle },
   { SIM_RULE_TARGET_SWIZZLE, target_swizzle },
   { SIM_RULE_SAMPLED_LAYER, sampled_layer },
   { SIM_RULE_MULTISAMPLE, wrong_multisample },
   { SIM_RULE_SURFACE_OFFSET, wrong_offset },
   { SIM_RULE_L2_BYPASS, bypassed },
   { SIM_RULE_COMPRESSION, wrong_compression },
   { SIM_RULE_FORMAT_RENDERED, never_rendered },
   { SIM_RULE_ALIGNMENT, reserved_alignment },
   { SIM_RULE_ROWS_OF_FOUR, rows_of_four },
   { SIM_RULE_SAMPLED_CCS, sampled_ccs },
   { SIM_RULE_SAMPLES, wrong_samples },
   { SIM_RULE_ENCRYPTED, encrypted },
};

bool
sim_strict_surface(struct sim_eu_thread *t, enum sim_client client,
                   uint64_t address, const uint32_t *dw,
                   const struct sim_surface *s)
{
   struct use u = { t->env->verx10, sim_traits(t->env->verx10), client, dw,
                    .s = s };
   sim_surface_state_unpack(t->env->verx10, dw, &u.r);
   for (unsigned i = 0; i < ARRAY_SIZE(looks); i++) {
      if (!t->env->rules->on[looks[i].rule] || !looks[i].broken(&u))
         continue;
      if (!shadow_broken(t, looks[i].rule,
                         "the state at 0x%012llx, %ux%u of %s",
                         (unsigned long long)address, s->width, s->height,
                         s->format_name))
         return false;
   }
   return true;
}

/*
 * Samplers
 */

static bool
is_filtered(const struct sim_lookup *l)
{
   const struct sim_sampler *sm = l->sampler;
   return l->filters && (sm->min_filter != MAPFILTER_NEAREST ||
                         sm->mag_filter != MAPFILTER_NEAREST ||
                         sm->mip_filter == MIPFILTER_LINEAR);
}

/* One mode for all three axes, if one is the cube's. */
static bool
mixed_cube(const struct sim_lookup *l)
{
   const unsigned *wrap = l->sampler->wrap;
   const bool any = wrap[0] == TCM_CUBE || wrap[1] == TCM_CUBE ||
                    wrap[2] == TCM_CUBE;
   return any && (l->integer || wrap[0] != wrap[1] || wrap[1] != wrap[2]);
}

bool
sim_strict_lookup(struct sim_eu_thread *t, const struct sim_lookup *l)
{
   const bool *on = t->env->rules->on;
   if (on[SIM_RULE_CUBE_MODE] && mixed_cube(l) &&
       !shadow_broken(t, SIM_RULE_CUBE_MODE, "%s", l->s->format_name))
      return false;
   const unsigned verx10 = t->env->verx10;
   if (on[SIM_RULE_FORMAT_FILTERED] && is_filtered(l) &&
       !has_use(verx10, l->s, ISL_FORMAT_USE_FILTERED) &&
       !shadow_broken(t, SIM_RULE_FORMAT_FILTERED, "%s", l->s->format_name))
      return false;
   if (l->compare && l->s->type <= SIM_SURFACE_CUBE &&
       !has_use(verx10, l->s, ISL_FORMAT_USE_SHADOW) &&
       !shadow_broken(t, SIM_RULE_COMPARED, "%s", l->s->format_name))
      return false;
   return !l->integer || !l->sampler->border_offset_B ||
          shadow_broken(t, SIM_RULE_BORDER, "%u bytes after",
                        l->sampler->border_offset_B);
}

bool
sim_strict_coordinates(struct sim_eu_thread *t, const struct sim_message *m,
                       unsigned first, unsigned width, uint32_t lanes,
                       const uint8_t *index, unsigned n)
{
   for (; lanes && t->shadow_steps; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(lanes);
      for (unsigned i = 0; i < n; i++) {
         const unsigned at = first + index[i] * width + lane;
         const uint32_t u = sim_shadow_payload(t, m, at / 8, at % 8);
         if (u && !sim_shadow_stored(t, "a coordinate", lane, u))
            return false;
      }
   }
   return true;
}
