/* SPDX-License-Identifier: MIT */
/* The copy engine's blitter: fills and copies against a model that goes pixel
 * by pixel, in every tiling, depth and raster operation; edges; faults. */
#include <stdlib.h>
#include <string.h>

#include "intel/genxml/gen75_pack.h"
#include "intel/sim/tests/sim_batch.h"

#define TARGET 0x400000ull
#define SOURCE 0x800000ull
#define SURFACE_B (256 * 1024)

enum tiling { T_LINEAR, T_X, T_Y };

struct image {
   uint8_t *map;
   uint64_t address;
   enum tiling tiling;
   uint32_t pitch_B;
};

struct blit_test {
   struct batch b;
   struct test_bo target, source;
   uint8_t *model; /* what the target should be */
};

static struct blit_test
start(void **state)
{
   struct blit_test t = { .b = batch_start(state) };
   t.target = f_bo(t.b.f, SURFACE_B, TARGET);
   t.source = f_bo(t.b.f, SURFACE_B, SOURCE);
   t.b.f->exec_flags = I915_EXEC_BLT;
   t.model = malloc(SURFACE_B);
   uint8_t *maps[] = { (uint8_t *)t.target.map, (uint8_t *)t.source.map };
   for (unsigned i = 0; i < SURFACE_B; i++) {
      maps[0][i] = (uint8_t)(i * 7 + (i >> 8) * 3);
      maps[1][i] = (uint8_t)(i * 13 + (i >> 9) * 5 + 1);
   }
   memcpy(t.model, t.target.map, SURFACE_B);
   return t;
}

static void
finish(struct blit_test *t)
{
   free(t->model);
}

/* PRM, "Memory Views": X tiles are 512 bytes by 8 rows; Y tiles 128 bytes by
 * 32 rows, in columns of 16 bytes. */
static uint8_t *
byte_at(const struct image *i, uint8_t *map, unsigned x_B, unsigned y)
{
   switch (i->tiling) {
   case T_LINEAR: return map + y * i->pitch_B + x_B;
   case T_X:
      return map + (y / 8 * (i->pitch_B / 512) + x_B / 512) * 4096 +
             y % 8 * 512 + x_B % 512;
   default:
      return map + (y / 32 * (i->pitch_B / 128) + x_B / 128) * 4096 +
             x_B % 128 / 16 * 512 + y % 32 * 16 + x_B % 16;
   }
}

static bool
rop_bit(unsigned rop, bool p, bool s, bool d)
{
   return rop >> (4 * p + 2 * s + d) & 1;
}

static uint8_t
rop_byte(unsigned rop, uint8_t p, uint8_t s, uint8_t d)
{
   unsigned out = 0;
   for (unsigned i = 0; i < 8; i++)
      out |= (unsigned)rop_bit(rop, p >> i & 1, s >> i & 1, d >> i & 1) << i;
   return (uint8_t)out;
}

static void
set_tiling(struct blit_test *t, enum tiling source, enum tiling target)
{
   EMIT(&t->b, MI_FLUSH_DW);
   batch_load_imm(&t->b, GEN9_BCS_SWCTRL_num,
                  0x30000 | (source == T_Y) | (target == T_Y) << 1);
}

static int32_t
pitch_field(const struct image *i)
{
   return (int32_t)(i->tiling == T_LINEAR ? i->pitch_B : i->pitch_B / 4);
}

static uint32_t
next_random(uint64_t *state)
{
   *state = *state * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(*state >> 33);
}

static struct image
random_image(uint64_t *random, const struct test_bo *bo)
{
   struct image i = { .map = (uint8_t *)bo->map,
                      .address = bo->address,
                      .tiling = next_random(random) % 3 };
   i.pitch_B = i.tiling == T_LINEAR ? 256 + next_random(random) % 64 * 4
               : i.tiling == T_X    ? 512 + next_random(random) % 2 * 512
                                    : 128 + next_random(random) % 4 * 128;
   return i;
}

/* The rectangle of a random blit. */
struct rect {
   uint32_t x, y, w, h, sx, sy;
};

/* In surfaces of `row_B` a row and 48 rows; sizes of 0 happen. */
static struct rect
random_rect(uint64_t *random, uint32_t row_B, uint32_t pixel_B)
{
   const uint32_t limit = row_B / pixel_B;
   struct rect r = { .w = next_random(random) % limit,
                     .h = next_random(random) % 40 };
   r.x = next_random(random) % (limit - r.w);
   r.sx = next_random(random) % (limit - r.w);
   r.y = next_random(random) % 8;
   r.sy = next_random(random) % 8;
   return r;
}

static void
model_blit(struct blit_test *t, const struct image *dst,
           const struct image *src, const struct rect *r, uint32_t pixel_B,
           unsigned rop, unsigned mask, uint32_t color)
{
   for (unsigned y = 0; y < r->h; y++) {
      for (unsigned x = 0; x < r->w * pixel_B; x++) {
         uint8_t *d = byte_at(dst, t->model, r->x * pixel_B + x, r->y + y);
         const uint8_t s =
            src ? *byte_at(src, src->map, r->sx * pixel_B + x, r->sy + y) : 0;
         const unsigned byte = x % pixel_B;
         if (pixel_B == 4 && !(mask & (byte == 3 ? 2 : 1)))
            continue;
         *d = rop_byte(rop, (uint8_t)(color >> 8 * (byte % 4)), s, *d);
      }
   }
}

static void
check(const struct blit_test *t, unsigned round)
{
   const uint8_t *target = (const uint8_t *)t->target.map;
   for (unsigned i = 0; i < SURFACE_B; i++) {
      if (target[i] != t->model[i])
         fail_msg("round %u: byte 0x%x is 0x%02x, not 0x%02x", round, i,
                  target[i], t->model[i]);
   }
}

static uint32_t
depth_of(uint32_t pixel_B)
{
   return pixel_B == 1   ? BLT_8bitcolor
          : pixel_B == 2 ? BLT_565color
                         : BLT_32bitcolor;
}

static void
test_fills(void **state)
{
   struct blit_test t = start(state);
   uint64_t random = 1;
   for (unsigned round = 0; round < 60; round++) {
      const struct image dst = random_image(&random, &t.target);
      const uint32_t pixel_B = 1u << next_random(&random) % 3;
      const struct rect r = random_rect(&random, dst.pitch_B, pixel_B);
      /* No source: both halves of each half are the same. */
      const unsigned pairs = next_random(&random);
      const unsigned rop = (pairs & 0x33) | (pairs & 0x33) << 2;
      const unsigned mask = next_random(&random) % 4;
      const uint32_t color = next_random(&random) * 3;
      set_tiling(&t, T_LINEAR, dst.tiling);
      EMIT(&t.b, XY_COLOR_BLT, .TilingEnable = dst.tiling != T_LINEAR,
           ._32bppByteMask = mask, .DestinationPitch = pitch_field(&dst),
           .RasterOperation = rop, .ColorDepth = depth_of(pixel_B),
           .DestinationX1 = (int)r.x, .DestinationY1 = (int)r.y,
           .DestinationX2 = (int)(r.x + r.w),
           .DestinationY2 = (int)(r.y + r.h),
           .DestinationBaseAddress = dst.address, .SolidPatternColor = color);
      run_ok(&t.b);
      model_blit(&t, &dst, NULL, &r, pixel_B, rop, mask, color);
      check(&t, round);
   }
   finish(&t);
}

static void
test_copies(void **state)
{
   struct blit_test t = start(state);
   uint64_t random = 2;
   for (unsigned round = 0; round < 90; round++) {
      const struct image dst = random_image(&random, &t.target);
      const struct image src = random_image(&random, &t.source);
      const uint32_t pixel_B = 1u << next_random(&random) % 3;
      const struct rect r =
         random_rect(&random, MIN2(dst.pitch_B, src.pitch_B), pixel_B);
      const unsigned low = next_random(&random) % 16;
      const unsigned rop = round % 3 ? 0xcc : low | low << 4;
      const unsigned mask = round % 2 ? 3 : next_random(&random) % 4;
      set_tiling(&t, src.tiling, dst.tiling);
      EMIT(&t.b, XY_SRC_COPY_BLT,
           .DestinationTilingEnable = dst.tiling != T_LINEAR,
           .SourceTilingEnable = src.tiling != T_LINEAR,
           ._32bppByteMask = mask, .DestinationPitch = pitch_field(&dst),
           .RasterOperation = rop, .ColorDepth = depth_of(pixel_B),
           .DestinationX1 = (int)r.x, .DestinationY1 = (int)r.y,
           .DestinationX2 = (int)(r.x + r.w),
           .DestinationY2 = (int)(r.y + r.h),
           .DestinationBaseAddress = dst.address, .SourceX1 = (int)r.sx,
           .SourceY1 = (int)r.sy, .SourcePitch = pitch_field(&src),
           .SourceBaseAddress = src.address);
      run_ok(&t.b);
      model_blit(&t, &dst, &src, &r, pixel_B, rop, mask, 0);
      check(&t, round);
   }
   finish(&t);
}

static void
test_fast_copies(void **state)
{
   static const uint32_t depth[] = { FAST_COPY_8bit, FAST_COPY_16bit,
                                     FAST_COPY_32bit, FAST_COPY_64bit,
                                     FAST_COPY_128bit };
   struct blit_test t = start(state);
   uint64_t random = 3;
   for (unsigned round = 0; round < 60; round++) {
      const struct image dst = random_image(&random, &t.target);
      const struct image src = random_image(&random, &t.source);
      const unsigned log2_B = next_random(&random) % ARRAY_SIZE(depth);
      struct rect r =
         random_rect(&random, MIN2(dst.pitch_B, src.pitch_B), 1u << log2_B);
      /* Both begin at 16 bytes. */
      r.x &= ~((16u >> log2_B) - 1);
      r.sx &= ~((16u >> log2_B) - 1);
      EMIT(&t.b, XY_FAST_COPY_BLT, .DestinationTilingMethod = dst.tiling,
           .SourceTilingMethod = src.tiling, .ColorDepth = depth[log2_B],
           .DestinationPitch = (uint32_t)pitch_field(&dst),
           .DestinationX1 = (int)r.x, .DestinationY1 = (int)r.y,
           .DestinationX2 = (int)(r.x + r.w),
           .DestinationY2 = (int)(r.y + r.h),
           .DestinationBaseAddress = dst.address, .SourceX1 = (int)r.sx,
           .SourceY1 = (int)r.sy, .SourcePitch = (uint32_t)pitch_field(&src),
           .SourceBaseAddress = src.address);
      run_ok(&t.b);
      model_blit(&t, &dst, &src, &r, 1u << log2_B, 0xcc, 3, 0);
      check(&t, round);
   }
   finish(&t);
}

#define LINEAR_COPY(b, ...)                                                  \
   EMIT(b, XY_SRC_COPY_BLT, ._32bppByteMask = 3, .RasterOperation = 0xcc,    \
        .ColorDepth = BLT_32bitcolor, .DestinationPitch = 256,               \
        .SourcePitch = 256, .DestinationBaseAddress = TARGET, __VA_ARGS__)

/* Inside one surface, to all sides. */
static void
test_overlap(void **state)
{
   struct blit_test t = start(state);
   for (unsigned i = 0; i < 9; i++) {
      const int dx = (int)(i % 3) - 1, dy = (int)(i / 3) - 1;
      uint8_t before[64 * 256];
      memcpy(before, t.target.map, sizeof(before));
      LINEAR_COPY(&t.b, .SourceBaseAddress = TARGET, .SourceX1 = 4,
                  .SourceY1 = 4, .DestinationX1 = 4 + dx,
                  .DestinationY1 = 4 + dy, .DestinationX2 = 44 + dx,
                  .DestinationY2 = 44 + dy);
      run_ok(&t.b);
      for (int y = 0; y < 40; y++)
         memcpy(t.model + (y + 4 + dy) * 256 + (4 + dx) * 4,
                before + (y + 4) * 256 + 16, 160);
      check(&t, i);
   }
   finish(&t);
}

/* The clip rectangle cuts the destination, and the source with it. */
static void
test_clip(void **state)
{
   struct blit_test t = start(state);
   EMIT(&t.b, XY_SETUP_CLIP_BLT, .ClipRectX1 = 5, .ClipRectY1 = 6,
        .ClipRectX2 = 9, .ClipRectY2 = 10);
   LINEAR_COPY(&t.b, .SourceBaseAddress = SOURCE, .ClippingEnabled = true,
               .SourceX1 = 20, .SourceY1 = 30, .DestinationX1 = 2,
               .DestinationY1 = -3, .DestinationX2 = 50, .DestinationY2 = 50);
   run_ok(&t.b);
   for (unsigned y = 6; y < 10; y++)
      memcpy(t.model + y * 256 + 20,
             (uint8_t *)t.source.map + (30 + y + 3) * 256 + (20 + 3) * 4, 16);
   check(&t, 0);
   finish(&t);
}

static void
test_pixels(void **state)
{
   struct blit_test t = start(state);
   EMIT(&t.b, XY_SETUP_BLT, ._32bppByteMask = 3, .DestinationPitch = 256,
        .RasterOperation = 0xf0, .ColorDepth = BLT_32bitcolor,
        .ClipRectX2 = 8, .ClipRectY2 = 8, .DestinationBaseAddress = TARGET,
        .BackgroundColor = 1, .ForegroundColor = 0x11223344);
   EMIT(&t.b, XY_PIXEL_BLT, .DestinationX1 = 3, .DestinationY1 = 7);
   EMIT(&t.b, XY_PIXEL_BLT, .DestinationX1 = 8, .DestinationY1 = 7);
   EMIT(&t.b, XY_PIXEL_BLT, .DestinationX1 = -1, .DestinationY1 = 0);
   run_ok(&t.b);
   const uint32_t color = 0x11223344;
   memcpy(t.model + 7 * 256 + 12, &color, sizeof(color));
   check(&t, 0);
   finish(&t);
}

/* What else the ring has: flushes that write, registers, arithmetic. */
static void
test_ring(void **state)
{
   struct blit_test t = start(state);
   EMIT(&t.b, MI_FLUSH_DW, .PostSyncOperation = WriteImmediateData,
        .Address = DATA, .ImmediateData = 0x123456789abcdef0);
   EMIT(&t.b, MI_FLUSH_DW, .PostSyncOperation = FLUSH_DW_WriteTimestamp,
        .Address = DATA + 8);
   batch_save(&t.b, GEN9_BCS_TIMESTAMP_num, DATA + 16);
   batch_load_imm(&t.b, GEN9_BCS_SWCTRL_num, 0x30002);
   batch_load_imm(&t.b, GEN9_BCS_SWCTRL_num, 0x10001);
   batch_save(&t.b, GEN9_BCS_SWCTRL_num, DATA + 24);
   run_ok(&t.b);
   uint64_t out[4];
   memcpy(out, t.b.data.map, sizeof(out));
   assert_true(out[0] == 0x123456789abcdef0);
   assert_true(out[1] != 0);
   assert_true((uint32_t)(out[2] - out[1]) < 12000000);
   assert_int_equal(out[3], 3);
   finish(&t);
}

/* Gen7's layout, with addresses of 32 bits. */
static void
test_gen7(void **state)
{
   struct blit_test t = start(state);
   /* clang-format off */
   const struct GEN75_XY_COLOR_BLT fill = {
      GEN75_XY_COLOR_BLT_header, ._32bppByteMask = 3,
      .DestinationPitch = 256, .RasterOperation = 0xf0,
      .ColorDepth = BLT_32bitcolor, .DestinationX1 = 1, .DestinationX2 = 2,
      .DestinationY2 = 1, .DestinationBaseAddress = TARGET,
      .SolidPatternColor = 0xabcd };
   /* clang-format on */
   GEN75_XY_COLOR_BLT_pack(t.b.next, &fill);
   t.b.next += GEN75_XY_COLOR_BLT_length;
   /* clang-format off */
   const struct GEN75_XY_SRC_COPY_BLT copy = {
      GEN75_XY_SRC_COPY_BLT_header, ._32bppByteMask = 3,
      .DestinationPitch = 512 / 4, .SourcePitch = 256,
      .DestinationTilingEnable = true, .RasterOperation = 0xcc,
      .ColorDepth = BLT_32bitcolor, .DestinationX1 = 2, .DestinationY1 = 9,
      .DestinationX2 = 4, .DestinationY2 = 10,
      .DestinationBaseAddress = TARGET, .SourceX1 = 7, .SourceY1 = 1,
      .SourceBaseAddress = SOURCE };
   /* clang-format on */
   GEN75_XY_SRC_COPY_BLT_pack(t.b.next, &copy);
   t.b.next += GEN75_XY_SRC_COPY_BLT_length;
   run_ok(&t.b);
   const uint32_t color = 0xabcd;
   memcpy(t.model + 4, &color, sizeof(color));
   memcpy(t.model + 4096 + 512 + 8, (uint8_t *)t.source.map + 256 + 28, 8);
   check(&t, 0);
   finish(&t);
}

/* One wrong thing a row; the field of a good fill that it changes. */
static void
faulty_fill(void **state, const struct GEN9_XY_COLOR_BLT *c,
            const char *words)
{
   struct blit_test t = start(state);
   GEN9_XY_COLOR_BLT_pack(t.b.next, c);
   t.b.next += GEN9_XY_COLOR_BLT_length;
   run_faulty(&t.b, "XY_COLOR_BLT at 0x000000100000", words, NULL);
   finish(&t);
}

#define FILL(...)                                                            \
   &(struct GEN9_XY_COLOR_BLT)                                               \
   {                                                                         \
      GEN9_XY_COLOR_BLT_header,                                              \
         .DestinationPitch = 512, .RasterOperation = 0xf0,                   \
         .ColorDepth = BLT_32bitcolor, .DestinationX2 = 4,                   \
         .DestinationY2 = 4, .DestinationBaseAddress = TARGET, __VA_ARGS__   \
   }

static void
test_needs_source(void **state)
{
   faulty_fill(state, FILL(.RasterOperation = 0xcc), "0xcc needs a source");
}

static void
test_address_alignment(void **state)
{
   faulty_fill(state, FILL(.DestinationBaseAddress = TARGET + 32),
               "not aligned to 64 bytes");
}

static void
test_tiled_alignment(void **state)
{
   faulty_fill(state,
               FILL(.TilingEnable = true,
                    .DestinationBaseAddress = TARGET + 64),
               "not aligned to 4096 bytes");
}

static void
test_pitch(void **state)
{
   faulty_fill(state, FILL(.TilingEnable = true, .DestinationPitch = 100),
               "pitch of 400 bytes is no multiple of 512");
}

static void
test_negative_in_tiles(void **state)
{
   faulty_fill(state, FILL(.TilingEnable = true, .DestinationX1 = -1),
               "x -1, y 0 in a tiled surface");
}

static void
test_unmapped(void **state)
{
   faulty_fill(state, FILL(.DestinationBaseAddress = 0x7f00000000),
               "0x007f00000000, which is not mapped");
}

static void
test_beyond_the_end(void **state)
{
   faulty_fill(state, FILL(.DestinationY2 = 32767), "which is not mapped");
}

static void
test_too_large(void **state)
{
   /* Pitch 0: 32767 times the same row. */
   faulty_fill(state,
               FILL(.DestinationPitch = 0, .DestinationX1 = 0,
                    .DestinationX2 = 32767, .DestinationY2 = 32767),
               "rows took too long");
}

static void
test_wrong_engine(void **state)
{
   struct blit_test t = start(state);
   EMIT(&t.b, PIPE_CONTROL);
   run_faulty(&t.b, "PIPE_CONTROL", "not a command of the copy engine", NULL);
   finish(&t);
}

static void
test_blit_on_render_engine(void **state)
{
   struct blit_test t = start(state);
   t.b.f->exec_flags = I915_EXEC_RENDER;
   EMIT(&t.b, XY_COLOR_BLT);
   run_faulty(&t.b, "XY_COLOR_BLT", "not a command of the render engine",
              NULL);
   finish(&t);
}

static void
test_register_on_render_engine(void **state)
{
   struct blit_test t = start(state);
   t.b.f->exec_flags = I915_EXEC_RENDER;
   batch_load_imm(&t.b, GEN9_BCS_SWCTRL_num, 0x10001);
   run_faulty(&t.b, "register 0x22200 is the copy engine's", NULL, NULL);
   finish(&t);
}

static void
test_fast_copy_within_oword(void **state)
{
   struct blit_test t = start(state);
   EMIT(&t.b, XY_FAST_COPY_BLT, .ColorDepth = FAST_COPY_32bit,
        .DestinationPitch = 512, .SourcePitch = 512, .DestinationX1 = 4,
        .DestinationX2 = 8, .DestinationY2 = 1, .SourceX1 = 2,
        .DestinationBaseAddress = TARGET, .SourceBaseAddress = SOURCE);
   run_faulty(&t.b, "XY_FAST_COPY_BLT", "no multiple of 16 bytes", NULL);
   finish(&t);
}

static void
test_pixel_without_setup(void **state)
{
   struct blit_test t = start(state);
   EMIT(&t.b, XY_PIXEL_BLT);
   run_faulty(&t.b, "XY_PIXEL_BLT", "no XY_SETUP_BLT", NULL);
   finish(&t);
}

/* Whatever the commands say, they end, and touch the GPU's memory only. */
static void
test_damage(void **state)
{
   struct blit_test t = start(state);
   uint32_t good[64];
   set_tiling(&t, T_X, T_Y);
   EMIT(&t.b, XY_SETUP_BLT, ._32bppByteMask = 3, .DestinationPitch = 256,
        .RasterOperation = 0xf0, .ColorDepth = BLT_32bitcolor,
        .ClipRectX2 = 8, .ClipRectY2 = 8, .DestinationBaseAddress = TARGET);
   EMIT(&t.b, XY_PIXEL_BLT, .DestinationX1 = 3);
   LINEAR_COPY(&t.b, .SourceBaseAddress = SOURCE, .SourceTilingEnable = true,
               .DestinationX2 = 20, .DestinationY2 = 20);
   EMIT(&t.b, XY_COLOR_BLT, .TilingEnable = true, .DestinationPitch = 128,
        .RasterOperation = 0xf0, .DestinationX2 = 60, .DestinationY2 = 9,
        .DestinationBaseAddress = TARGET);
   EMIT(&t.b, XY_FAST_COPY_BLT, .ColorDepth = FAST_COPY_64bit,
        .DestinationPitch = 512, .SourcePitch = 512, .DestinationX2 = 9,
        .DestinationY2 = 9, .DestinationBaseAddress = TARGET,
        .SourceBaseAddress = SOURCE);
   *t.b.next++ = MI_BATCH_BUFFER_END;
   const unsigned n = (unsigned)(t.b.next - t.b.bo.map);
   assert_true(n <= ARRAY_SIZE(good));
   memcpy(good, t.b.bo.map, n * 4);
   const struct damage_rounds rounds = damage_start(1);
   uint64_t random = 0xb17;
   for (unsigned round = 0; damage_goes_on(&rounds, round); round++) {
      memcpy(t.b.bo.map, good, n * 4);
      for (unsigned i = 0; i <= round % 3; i++)
         damage(t.b.bo.map, n, &random);
      assert_int_equal(batch_run_once(&t.b), 0);
   }
   assert_true(t.b.f->num_reports > 0);
   finish(&t);
}

int
main(void)
{
   setenv("SAFFRON_SIM_HANG_MS", "300", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, f_setup, f_teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_fills),
      TEST(test_copies),
      TEST(test_fast_copies),
      TEST(test_overlap),
      TEST(test_clip),
      TEST(test_pixels),
      TEST(test_ring),
      cmocka_unit_test_setup_teardown(test_gen7, f_setup_ivb, f_teardown),
      TEST(test_needs_source),
      TEST(test_address_alignment),
      TEST(test_tiled_alignment),
      TEST(test_pitch),
      TEST(test_negative_in_tiles),
      TEST(test_unmapped),
      TEST(test_beyond_the_end),
      TEST(test_too_large),
      TEST(test_wrong_engine),
      TEST(test_blit_on_render_engine),
      TEST(test_register_on_render_engine),
      TEST(test_fast_copy_within_oword),
      TEST(test_pixel_without_setup),
      TEST(test_damage),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
