/* SPDX-License-Identifier: MIT */
/*
 * Rules that surface states break, by who uses them: rows of states that do
 * and that do not.
 */
#include "intel/sim/msg/surface_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intel/genxml/gen9_pack.h"
#include "intel/sim/eu/eu_private.h"
#include "intel/sim/msg/sampler_private.h"
#include "intel/sim/eu/shadow.h"
#include "strict_text.h"
#include "util/unit_test.h"

#define ALL "ivb hsw bdw skl"
#define S "RENDER_SURFACE_STATE "
/* 2D, 16 by 16 pixels of R8G8B8A8_UNORM; how Y tiles are told. */
#define IMAGE S "SurfaceType=1 SurfaceFormat=0xc7 Width=15 Height=15 "
#define Y_TILED(pitch)                                                       \
   IMAGE "SurfacePitch=" #pitch " SurfaceBaseAddress=0x10000 TILE_Y "
#define UNTILED(pitch) IMAGE "SurfacePitch=" #pitch " "
#define RGBA                                                                 \
   "ShaderChannelSelectRed=4 ShaderChannelSelectGreen=5 "                    \
   "ShaderChannelSelectBlue=6 ShaderChannelSelectAlpha=7 "
#define STENCIL                                                              \
   S "SurfaceType=1 Width=15 Height=15 SurfacePitch=127 TileMode=1 "
#define FORMAT_OF(format)                                                    \
   S "SurfaceType=1 Width=15 Height=15 SurfacePitch=127 TILE_Y "             \
     "SurfaceFormat=" #format
#define LOGIC SIM_CLIENT_TARGET, true
#define ROWS_OF_FOUR "SurfaceVerticalAlignment=1 "
#define FOUR "NumberofMultisamples=2 " ROWS_OF_FOUR
#define SAMPLES_OF(format, log2, width, height)                              \
   S "SurfaceType=1 SurfaceFormat=" #format " SurfacePitch=65535 "           \
     "SurfaceBaseAddress=0x10000 TILE_Y NumberofMultisamples=" #log2         \
     " Width=" #width " Height=" #height " " ROWS_OF_FOUR
#define AS_DEPTH "MultisampledSurfaceStorageFormat=1 "
#define CCS "AuxiliarySurfaceMode=1 AuxiliarySurfaceBaseAddress=0x20000 "

struct row {
   const char *rule, *gens, *broken, *kept;
   enum sim_client client;
   bool logic; /* a logic operation is on */
};

/* clang-format off */
static const struct row rows[] = {
   /* RAW of 2^30 + 4 bytes, and of 4 times as many as a buffer may have. */
   { "RL-31", "hsw bdw skl", S "SurfaceType=4 SurfaceFormat=0x1ff "
     "Width=3 Depth=512", S "SurfaceType=4 SurfaceFormat=0x1ff Width=127 "
     "Height=0x3fff Depth=511", SIM_CLIENT_DATA },
   { "RL-31", ALL, S "SurfaceType=4 SurfaceFormat=0xc7 SurfacePitch=3 "
     "Depth=64", S "SurfaceType=4 SurfaceFormat=0xc7 SurfacePitch=3 "
     "Width=127", SIM_CLIENT_DATA },
   /* What a binding table has. */
   { "RL-22", "bdw skl", "0x20", "0x40", SIM_CLIENTS },
   { "RL-22", "ivb hsw", "0x10", "0x20", SIM_CLIENTS },
   { "RL-32", ALL, UNTILED(62), UNTILED(63), SIM_CLIENT_TARGET },
   { "RL-32", ALL, UNTILED(63) "SurfaceBaseAddress=2",
     UNTILED(63) "SurfaceBaseAddress=4", SIM_CLIENT_TARGET },
   { "RL-32", ALL, NULL, UNTILED(63) "SurfaceBaseAddress=2",
     SIM_CLIENT_TEXTURE },
   /* Of levels side by side the pitch does not count. */
   { "RL-32", "skl", NULL, S "SurfaceFormat=0xc7 Width=15",
     SIM_CLIENT_TARGET },
   { "RL-32", "ivb hsw bdw", S "SurfaceFormat=0xc7 Width=15",
     S "SurfaceFormat=0xc7 Width=15 SurfacePitch=63", SIM_CLIENT_TARGET },
   { "RL-32", ALL, Y_TILED(191), Y_TILED(255), SIM_CLIENT_TEXTURE },
   { "RL-32", ALL, Y_TILED(127) "SurfaceBaseAddress=0x200",
     Y_TILED(127), SIM_CLIENT_TEXTURE },
   { "RL-33", "bdw skl", S "SurfaceType=1 SurfaceFormat=0x142 Width=16382 "
     "SurfacePitch=16383 TILE_Y", S "SurfaceType=1 SurfaceFormat=0x142 "
     "Width=16381 SurfacePitch=16383 TILE_Y", SIM_CLIENT_TARGET },
   { "RL-33", "bdw skl", S "SurfaceType=1 SurfaceFormat=0x142 Width=16383 "
     "SurfacePitch=16383 TILE_Y", S "SurfaceType=1 SurfaceFormat=0x142 "
     "Width=16383 SurfacePitch=16383 TILE_Y " FOUR, SIM_CLIENT_TARGET },
   { "FF-16", "ivb", S "SurfaceType=7 SurfaceFormat=0xc0",
     S "SurfaceType=7 SurfaceFormat=0xd7", SIM_CLIENT_TARGET },
   { "FF-24", "bdw skl", STENCIL "SurfaceFormat=0x142",
     STENCIL "SurfaceFormat=0x143", SIM_CLIENT_TEXTURE },
   { "FF-24", "bdw skl", STENCIL "SurfaceFormat=0x143", Y_TILED(127) RGBA,
     SIM_CLIENT_TARGET },
   { "FF-35", ALL, UNTILED(63), Y_TILED(127), SIM_CLIENT_TARGET },
   { "FF-26", "bdw", STENCIL "SurfaceFormat=0x142",
     STENCIL "SurfaceFormat=0x143", SIM_CLIENT_DATA },
   { "FF-27", "bdw skl", Y_TILED(127) FOUR "AuxiliarySurfaceMode=3",
     Y_TILED(127) "AuxiliarySurfaceMode=3", SIM_CLIENT_TEXTURE },
   { "FF-27", "bdw", Y_TILED(127) "AuxiliarySurfaceMode=3 RedClearColor=1",
     Y_TILED(127) "AuxiliarySurfaceMode=3", SIM_CLIENT_TEXTURE },
   { "FF-34", "bdw", Y_TILED(127) CCS "SurfaceHorizontalAlignment=1",
     Y_TILED(127) CCS "SurfaceHorizontalAlignment=3", SIM_CLIENT_TARGET },
   { "FF-34", "ivb hsw", Y_TILED(127) "MCSEnable=1 Depth=1 SurfaceArray=1",
     Y_TILED(127) "MCSEnable=1", SIM_CLIENT_TARGET },
   { "FF-36", "skl", S "SurfaceType=1 SurfaceFormat=0xc2 Width=15 Height=15 "
     "SurfacePitch=127 SurfaceBaseAddress=0x10000 TILE_Y"
     " AuxiliarySurfaceMode=5", Y_TILED(127) "AuxiliarySurfaceMode=5",
     SIM_CLIENT_TARGET },
   /* BGRX: since Broadwell; A4B4G4R4: since Skylake; RGB32: never. */
   { "FF-72", "ivb hsw", FORMAT_OF(0xe9), FORMAT_OF(0xc0),
     SIM_CLIENT_TARGET },
   { "FF-72", "bdw", FORMAT_OF(0x125), FORMAT_OF(0xe9), SIM_CLIENT_TARGET },
   { "FF-72", "skl", FORMAT_OF(0x40), FORMAT_OF(0x125), SIM_CLIENT_TARGET },
   { "FF-72", "bdw", NULL, FORMAT_OF(0x125), SIM_CLIENT_TEXTURE },
   { "FF-81", "bdw skl", Y_TILED(127) "SurfaceVerticalAlignment=1",
     Y_TILED(127) "SurfaceVerticalAlignment=1 SurfaceHorizontalAlignment=1",
     SIM_CLIENT_TEXTURE },
   { "FF-81", "bdw skl", Y_TILED(127) "SurfaceHorizontalAlignment=2",
     S "SurfaceType=4 SurfaceFormat=0xc7 SurfacePitch=3 Width=127",
     SIM_CLIENT_TEXTURE },
   { "FF-68", "ivb hsw", FORMAT_OF(0xc8), FORMAT_OF(0xc7), LOGIC },
   { "FF-68", "ivb hsw", FORMAT_OF(0xc9), FORMAT_OF(0x100), LOGIC },
   { "FF-68", "ivb hsw", FORMAT_OF(0xca), FORMAT_OF(0xc2), LOGIC },
   { "FF-68", "ivb hsw", FORMAT_OF(0x84), FORMAT_OF(0x80), LOGIC },
   { "FF-49", "ivb", Y_TILED(127) "dw7=0x4000000", Y_TILED(127),
     SIM_CLIENT_TEXTURE },
   { "FF-50", "bdw skl", Y_TILED(127) "ShaderChannelSelectRed=4 "
     "ShaderChannelSelectGreen=5 ShaderChannelSelectBlue=6 "
     "ShaderChannelSelectAlpha=1",
     Y_TILED(127) RGBA, SIM_CLIENT_TARGET },
   { "FF-56", "ivb", Y_TILED(127) FOUR "MinimumArrayElement=1",
     Y_TILED(127) FOUR, SIM_CLIENT_TEXTURE },
   { "FF-57", "bdw skl", IMAGE FOUR "SurfacePitch=511 TileMode=2 "
     "SurfaceBaseAddress=0x10000", Y_TILED(127) FOUR, SIM_CLIENT_TARGET },
   { "FF-57", ALL, UNTILED(63) FOUR, UNTILED(63), SIM_CLIENT_TARGET },
   { "FF-57", ALL, Y_TILED(127) FOUR "MIPCountLOD=1",
     Y_TILED(127) FOUR, SIM_CLIENT_TEXTURE },
   { "FF-57", "ivb hsw", Y_TILED(127) "NumberofMultisamples=2",
     Y_TILED(127) FOUR, SIM_CLIENT_TARGET },
   /* RGB32. */
   { "FF-85", "ivb", FORMAT_OF(0x40) " " ROWS_OF_FOUR, FORMAT_OF(0x40),
     SIM_CLIENT_TEXTURE },
   { "FF-85", "ivb", NULL, FORMAT_OF(0x00) " " ROWS_OF_FOUR,
     SIM_CLIENT_TEXTURE },
   { "FF-86", "ivb hsw", Y_TILED(127) "MCSEnable=1", Y_TILED(127),
     SIM_CLIENT_TEXTURE },
   { "FF-86", "ivb hsw", NULL, Y_TILED(127) "MCSEnable=1",
     SIM_CLIENT_TARGET },
   { "FF-86", "bdw", Y_TILED(127) CCS, Y_TILED(127), SIM_CLIENT_TEXTURE },
   { "FF-86", "bdw", NULL, Y_TILED(127) CCS, SIM_CLIENT_TARGET },
   /* Depth by its 24 bits; eight samples in 8193 columns. */
   { "FF-87", "ivb hsw", SAMPLES_OF(0xd9, 2, 15, 15),
     SAMPLES_OF(0xd9, 2, 15, 15) AS_DEPTH, SIM_CLIENT_TEXTURE },
   { "FF-87", "ivb hsw", SAMPLES_OF(0x142, 3, 8192, 15) AS_DEPTH,
     SAMPLES_OF(0x142, 3, 8191, 15) AS_DEPTH, SIM_CLIENT_TEXTURE },
   { "FF-87", "ivb hsw", SAMPLES_OF(0x142, 3, 15, 16383) "Depth=256",
     SAMPLES_OF(0x142, 3, 15, 16383) "Depth=255", SIM_CLIENT_TEXTURE },
   { "RL-46", "skl", Y_TILED(127) "MOCS=5", Y_TILED(127) "MOCS=4",
     SIM_CLIENT_TEXTURE },
   { "FF-58", ALL, UNTILED(63) "XOffset=1", Y_TILED(127) "XOffset=1",
     SIM_CLIENT_TARGET },
   { "FF-58", ALL, Y_TILED(127) "YOffset=1 SurfaceArray=1",
     Y_TILED(127) "YOffset=1", SIM_CLIENT_TARGET },
   { "FF-59", "skl", S "SurfaceType=1 SurfaceFormat=0x188 Width=15 Height=15 "
     "SurfacePitch=127 SurfaceBaseAddress=0x10000 TILE_Y",
     S "SurfaceType=1 SurfaceFormat=0x188 Width=15 Height=15 "
     "SurfacePitch=127 SurfaceBaseAddress=0x10000 TILE_Y "
     "SamplerL2BypassModeDisable=1",
     SIM_CLIENT_TEXTURE },
   { "FF-59", "skl", S "SurfaceType=1 SurfaceFormat=0x187 Width=15 Height=15 "
     "SurfacePitch=127 SurfaceBaseAddress=0x10000 TILE_Y",
     S "SurfaceType=1 SurfaceFormat=0x18c Width=15 Height=15 "
     "SurfacePitch=127 SurfaceBaseAddress=0x10000 TILE_Y",
     SIM_CLIENT_TEXTURE },
};

static const struct {
   enum sim_thread_rule rule;
   const char *id;
} ids[] = {
   { SIM_RULE_SURFACE_SIZE, "RL-31" }, { SIM_RULE_SURFACE_TILES, "RL-32" },
   { SIM_RULE_TARGET_WIDTH, "RL-33" }, { SIM_RULE_NULL_FORMAT, "FF-16" },
   { SIM_RULE_STENCIL_USE, "FF-24" },  { SIM_RULE_TYPED_STENCIL, "FF-26" },
   { SIM_RULE_SAMPLED_HIZ, "FF-27" },  { SIM_RULE_WRONG_CCS, "FF-34" },
   { SIM_RULE_RESERVED_SWIZZLE, "FF-49" },
   { SIM_RULE_TARGET_SWIZZLE, "FF-50" },
   { SIM_RULE_SAMPLED_LAYER, "FF-56" }, { SIM_RULE_MULTISAMPLE, "FF-57" },
   { SIM_RULE_COMPRESSION, "FF-36" }, { SIM_RULE_COMPARED, "FF-54" },
   { SIM_RULE_FORMAT_FILTERED, "FF-71" },
   { SIM_RULE_FORMAT_RENDERED, "FF-72" },
   { SIM_RULE_FORMAT_BLENDED, "FF-73" }, { SIM_RULE_FORMAT_READ, "FF-74" },
   { SIM_RULE_FORMAT_WRITTEN, "FF-75" }, { SIM_RULE_FORMAT_ATOMIC, "FF-76" },
   { SIM_RULE_UNTYPED, "FF-77" }, { SIM_RULE_ALIGNMENT, "FF-81" },
   { SIM_RULE_ROWS_OF_FOUR, "FF-85" }, { SIM_RULE_SAMPLED_CCS, "FF-86" },
   { SIM_RULE_SAMPLES, "FF-87" }, { SIM_RULE_ENCRYPTED, "RL-46" },
   { SIM_RULE_CUBE_MODE, "FF-52" }, { SIM_RULE_BORDER, "RL-25" },
   { SIM_RULE_SURFACE_ENTRY, "RL-22" }, { SIM_RULE_REPLICATED, "FF-35" },
   { SIM_RULE_LOGIC_FORMAT, "FF-68" },
   { SIM_RULE_SURFACE_OFFSET, "FF-58" }, { SIM_RULE_L2_BYPASS, "FF-59" },
};
/* clang-format on */

static bool
hear(void *data, const struct sim_eu_thread *t, enum sim_thread_rule rule,
     const char *text)
{
   ++*(unsigned *)data;
   return true;
}

/* "TILE_Y" in the words of the generation. */
static void
with_tiles(char *room, size_t room_B, const char *text, bool gen7)
{
   const char *tile = strstr(text, "TILE_Y");
   if (!tile)
      snprintf(room, room_B, "%s", text);
   else
      snprintf(room, room_B, "%.*s%s%s", (int)(tile - text), text,
               gen7 ? "TiledSurface=1 TileWalk=1" : "TileMode=3",
               tile + strlen("TILE_Y"));
}

/* How often a state breaks the rule. */
static unsigned
look(unsigned verx10, const struct row *r, const char *text)
{
   static struct sim_eu_thread t;
   unsigned count = 0;
   struct sim_thread_rules rules = { .broken = hear, .data = &count };
   const struct sim_eu_env env = { .verx10 = verx10, .rules = &rules };
   struct sim_surface s;
   uint32_t dw[16] = { 0 };
   char error[128], room[512];
   with_tiles(room, sizeof(room), text, verx10 < 80);
   for (unsigned i = 0; i < ARRAY_SIZE(ids); i++)
      rules.on[ids[i].rule] = !strcmp(ids[i].id, r->rule);
   t.env = &env;
   if (r->client == SIM_CLIENTS) {
      assert_true(
         sim_strict_surface_entry(&t, (uint32_t)strtoul(text, NULL, 0)));
      return count;
   }
   strict_text(genxml_spec_get(verx10), room, dw, 16);
   if (!sim_surface_decode_gen(&s, verx10, dw, error, sizeof(error)))
      fail_msg("%u: %s: %s", verx10, error, room);
   assert_true(sim_strict_surface(&t, r->client, 0x1000, dw, &s));
   assert_true(sim_shadow_replicated(&t, 0, s.tiling == SIM_TILE_LINEAR, 16));
   const struct GEN9_BLEND_STATE_ENTRY e = { .LogicOpEnable = r->logic };
   assert_true(sim_shadow_blended(&t, 0, s.format_name, false, &e));
   return count;
}

static void
test_rows(void **state)
{
   static const struct {
      const char *name;
      unsigned verx10;
   } gens[] = { { "ivb", 70 }, { "hsw", 75 }, { "bdw", 80 }, { "skl", 90 } };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
         const struct row *r = &rows[i];
         if (!strstr(r->gens, gens[g].name))
            continue;
         if (r->broken && look(gens[g].verx10, r, r->broken) != 1)
            fail_msg("%s on %s: silent: %s", r->rule, gens[g].name,
                     r->broken);
         if (look(gens[g].verx10, r, r->kept))
            fail_msg("%s on %s: %s", r->rule, gens[g].name, r->kept);
      }
   }
}

/* A sampler with a surface. */
/* clang-format off */
static const struct lookup_row {
   const char *rule, *gens, *broken, *kept; /* formats */
   unsigned wrap[3];
   bool compare;
   unsigned border_offset_B;
   unsigned min_filter, mip_filter;
} lookups[] = {
   { "FF-52", "ivb", "R8G8B8A8_UINT", "R8G8B8A8_UNORM", { 3, 3, 3 },
     false, 0 },
   { "FF-52", "ivb", NULL, "R8G8B8A8_UINT", { 2, 2, 2 }, false, 0 },
   { "FF-54", ALL, "R8G8B8A8_UNORM", "R32_FLOAT", { 2, 2, 2 }, true, 0 },
   { "RL-25", "hsw", "R8G8B8A8_UINT", "R8G8B8A8_UNORM", { 4, 4, 4 },
     false, 32 },
   { "FF-71", ALL, "R8G8B8A8_UINT", "R32G32B32A32_FLOAT", { 2, 2, 2 },
     false, 0, MAPFILTER_LINEAR, MIPFILTER_NONE },
   { "FF-71", ALL, "R32_SINT", "R16_UNORM", { 2, 2, 2 }, false, 0,
     MAPFILTER_ANISOTROPIC, MIPFILTER_NONE },
   { "FF-71", ALL, "L8_UINT", "R8_SNORM", { 2, 2, 2 }, false, 0,
     MAPFILTER_NEAREST, MIPFILTER_LINEAR },
   { "FF-71", ALL, NULL, "R8G8B8A8_UINT", { 2, 2, 2 }, false, 0,
     MAPFILTER_NEAREST, MIPFILTER_NEAREST },
};
/* clang-format on */

static struct sim_surface
surface_of(const char *format)
{
   struct sim_surface s = { .type = SIM_SURFACE_2D, .format_name = format };
   while (strcmp(sim_format_name(s.format), format))
      s.format++;
   return s;
}

static unsigned
look_up(unsigned verx10, const struct lookup_row *r, const char *format)
{
   static struct sim_eu_thread t;
   unsigned count = 0;
   struct sim_thread_rules rules = { .broken = hear, .data = &count };
   const struct sim_eu_env env = { .verx10 = verx10, .rules = &rules };
   const struct sim_sampler sampler = {
      .wrap = { r->wrap[0], r->wrap[1], r->wrap[2] },
      .border_offset_B = (uint16_t)r->border_offset_B,
      .min_filter = r->min_filter,
      .mip_filter = r->mip_filter,
   };
   const struct sim_surface s = surface_of(format);
   const struct sim_lookup l = {
      .s = &s,
      .sampler = &sampler,
      .compare = r->compare,
      .filters = true,
      .integer = sim_format_is_integer(s.format),
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ids); i++)
      rules.on[ids[i].rule] = !strcmp(ids[i].id, r->rule);
   t.env = &env;
   assert_true(sim_strict_lookup(&t, &l));
   return count;
}

static void
test_lookups(void **state)
{
   static const unsigned gens[] = { 70, 75, 80, 90 };
   static const char *const names[] = { "ivb", "hsw", "bdw", "skl" };
   for (unsigned i = 0; i < ARRAY_SIZE(lookups); i++) {
      const struct lookup_row *r = &lookups[i];
      for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
         if (!strstr(r->gens, names[g]))
            continue;
         if (r->broken && look_up(gens[g], r, r->broken) != 1)
            fail_msg("%s on %s: silent: %s", r->rule, names[g], r->broken);
         if (look_up(gens[g], r, r->kept))
            fail_msg("%s on %s: %s", r->rule, names[g], r->kept);
      }
   }
}

/* Formats by what a thread does with them: the first that has no such use,
 * and one that has. */
/* clang-format off */
static const struct format_row {
   const char *rule, *gens, *broken, *kept;
   enum sim_thread_rule number;
} formats[] = {
   { "FF-73", ALL, "R8G8B8A8_UINT", "R8G8B8A8_SNORM",
     SIM_RULE_FORMAT_BLENDED },
   { "FF-73", ALL, "R32_SINT", "R32G32B32A32_FLOAT",
     SIM_RULE_FORMAT_BLENDED },
   { "FF-74", "ivb", "R16_UINT", "R32_FLOAT", SIM_RULE_FORMAT_READ },
   { "FF-74", "hsw bdw", "R8G8B8A8_SINT", "R8G8B8A8_UINT",
     SIM_RULE_FORMAT_READ },
   { "FF-74", "hsw bdw", "R32G32_UINT", "R16G16B16A16_UINT",
     SIM_RULE_FORMAT_READ },
   { "FF-75", ALL, "R8G8B8A8_UNORM_SRGB", "R8G8B8A8_UNORM",
     SIM_RULE_FORMAT_WRITTEN },
   { "FF-75", ALL, "R32G32B32_FLOAT", "R32G32B32A32_FLOAT",
     SIM_RULE_FORMAT_WRITTEN },
   { "FF-76", ALL, "R32G32_UINT", "R32_UINT", SIM_RULE_FORMAT_ATOMIC },
   { "FF-76", ALL, "R8G8B8A8_UINT", "R32_SINT", SIM_RULE_FORMAT_ATOMIC },
   { "FF-76", ALL, "R16_FLOAT", "R32_FLOAT", SIM_RULE_FORMAT_ATOMIC },
   { "FF-77", "ivb", "R32_UINT", "RAW", SIM_RULE_UNTYPED },
};
/* clang-format on */

static unsigned
use(unsigned verx10, const struct format_row *r, const char *format)
{
   static struct sim_eu_thread t;
   unsigned count = 0;
   struct sim_thread_rules rules = { .broken = hear, .data = &count };
   const struct sim_eu_env env = { .verx10 = verx10, .rules = &rules };
   struct sim_surface s = surface_of(format);
   t.env = &env;
   assert_true(sim_strict_format(&t, &s, r->number));
   assert_int_equal(count, 0);
   rules.on[r->number] = true;
   assert_true(sim_strict_format(&t, &s, r->number));
   const unsigned broken = count;
   s.type = SIM_SURFACE_NULL;
   assert_true(sim_strict_format(&t, &s, r->number));
   assert_int_equal(count, broken);
   return broken;
}

static void
test_formats(void **state)
{
   static const unsigned gens[] = { 70, 75, 80, 90 };
   static const char *const names[] = { "ivb", "hsw", "bdw", "skl" };
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      const struct format_row *r = &formats[i];
      for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
         if (!strstr(r->gens, names[g]))
            continue;
         if (use(gens[g], r, r->broken) != 1)
            fail_msg("%s on %s: silent: %s", r->rule, names[g], r->broken);
         if (use(gens[g], r, r->kept))
            fail_msg("%s on %s: %s", r->rule, names[g], r->kept);
      }
   }
}

/* FF-35: only threads of 16 pixels write one colour for all. */
static void
test_replicated(void **state)
{
   static struct sim_eu_thread t;
   unsigned count = 0;
   struct sim_thread_rules rules = { .broken = hear, .data = &count };
   const struct sim_eu_env env = { .verx10 = 70, .rules = &rules };
   rules.on[SIM_RULE_REPLICATED] = true;
   t.env = &env;
   assert_true(sim_shadow_replicated(&t, 0, false, 16));
   assert_int_equal(count, 0);
   assert_true(sim_shadow_replicated(&t, 0, false, 8));
   assert_int_equal(count, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_lookups),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_replicated),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
