/* SPDX-License-Identifier: MIT */
/* A small texture, read by sample_l from one thread: each filter, wrap mode
 * and format, at places inside, at edges and far outside. */
#include <stdio.h>

#include "intel/chip/chip.h"
#include "intel/genxml/gen9_pack.h"
#include "intel/isa/isa_samples.h"
#include "intel/isl/isl.h"

#define SIZE 8
#define SENDS 8
#define AT_BORDER 0x800
#define FIRST_PAYLOAD 2
#define FIRST_ANSWER 60

static const struct {
   const char *name;
   enum isl_format format;
} formats[] = {
   { "rgba8-unorm", ISL_FORMAT_R8G8B8A8_UNORM },
   { "rgba8-snorm", ISL_FORMAT_R8G8B8A8_SNORM },
   { "rgba8-srgb", ISL_FORMAT_R8G8B8A8_UNORM_SRGB },
   { "rgba16-float", ISL_FORMAT_R16G16B16A16_FLOAT },
   { "rgba16-unorm", ISL_FORMAT_R16G16B16A16_UNORM },
   { "rgba32-float", ISL_FORMAT_R32G32B32A32_FLOAT },
   { "b5g6r5-unorm", ISL_FORMAT_B5G6R5_UNORM },
   { "rgb10a2-unorm", ISL_FORMAT_R10G10B10A2_UNORM },
};

static const struct {
   const char *name;
   uint32_t mode;
} wraps[] = {
   { "wrap", TCM_WRAP },
   { "mirror", TCM_MIRROR },
   { "clamp", TCM_CLAMP },
   { "border", TCM_CLAMP_BORDER },
};

struct probe {
   enum isl_format format;
   uint32_t wrap;
   bool linear;
};

static void
fill_texture(struct chip_device *d, const struct probe *p,
             const struct isl_surf *surf)
{
   uint64_t seed = 0x7e47 + (uint64_t)p->format;
   const bool floats = p->format == ISL_FORMAT_R32G32B32A32_FLOAT;
   uint32_t *texels = d->bos[CHIP_TEXTURE].map;
   for (unsigned i = 0; i < surf->size_B / 4; i++) {
      const uint32_t r = (uint32_t)isa_sample_random(&seed);
      texels[i] = floats ? util_float_bits((float)(int16_t)r / 256.0f)
                  : p->format == ISL_FORMAT_R16G16B16A16_FLOAT
                     ? r & 0xbbffbbff /* no infinity, no NaN */
                     : r;
   }
}

static bool
fill_surface(struct chip_device *d, const struct probe *p)
{
   struct isl_surf surf;
   uint32_t *state = d->bos[CHIP_STATE].map;
   if (!isl_surf_init(d->info, &surf, .dim = ISL_SURF_DIM_2D,
                      .format = p->format, .width = SIZE, .height = SIZE,
                      .depth = 1, .levels = 1, .array_len = 1, .samples = 1,
                      .usage = ISL_SURF_USAGE_TEXTURE_BIT,
                      .tiling_flags = ISL_TILING_LINEAR_BIT) ||
       surf.size_B > CHIP_BUFFER_B)
      return false;
   fill_texture(d, p, &surf);
   const struct isl_view view = { .usage = ISL_SURF_USAGE_TEXTURE_BIT,
                                  .format = p->format,
                                  .levels = 1,
                                  .array_len = 1,
                                  .swizzle = ISL_SWIZZLE_IDENTITY };
   memset(&state[CHIP_AT_SURFACE / 4], 0, ISL_SURFACE_STATE_SIZE_B);
   isl_surf_fill_state(d->info, &state[CHIP_AT_SURFACE / 4], .surf = &surf,
                       .view = &view,
                       .address = chip_address(d, CHIP_TEXTURE),
                       .mocs = d->info->mocs_cached);
   memset(&state[CHIP_AT_BINDINGS / 4], 0, 64);
   state[CHIP_AT_BINDINGS / 4] = CHIP_AT_SURFACE;
   return true;
}

static void
fill_sampler(struct chip_device *d, const struct probe *p)
{
   uint32_t *state = d->bos[CHIP_STATE].map;
   const unsigned filter = p->linear ? MAPFILTER_LINEAR : MAPFILTER_NEAREST;
   memset(&state[AT_BORDER / 4], 0, 128);
   chip_fill(d, "SAMPLER_STATE", &state[CHIP_AT_SAMPLER / 4],
             CHIP_FIELDS({ "MinModeFilter", filter },
                         { "MagModeFilter", filter },
                         { "TCXAddressControlMode", p->wrap },
                         { "TCYAddressControlMode", p->wrap },
                         { "TCZAddressControlMode", p->wrap },
                         { "BorderColorPointer", AT_BORDER },
                         { "UAddressMinFilterRoundingEnable", p->linear },
                         { "UAddressMagFilterRoundingEnable", p->linear },
                         { "VAddressMinFilterRoundingEnable", p->linear },
                         { "VAddressMagFilterRoundingEnable", p->linear }));
}

/* A level, u, v a send. */
static void
fill_places(struct chip_device *d)
{
   uint64_t seed = 0x5a3b;
   uint32_t *in = d->bos[CHIP_INPUT].map;
   memset(in, 0, CHIP_REGS_B);
   for (unsigned i = 0; i < SENDS; i++) {
      uint32_t *payload = &in[8 * (FIRST_PAYLOAD + 3 * i)];
      for (unsigned k = 8; k < 24; k++) {
         /* From -1 to 2, in steps finer than the sampler's. */
         const unsigned step = isa_sample_below(&seed, 3 * SIZE * 1024);
         payload[k] = util_float_bits((float)step / (SIZE * 1024) - 1.0f);
      }
   }
}

static void
put_program(struct chip_device *d)
{
   const struct isa_message m = { .sfid = ISA_SFID_SAMPLER,
                                  .msg = ISA_MSG_SAMPLE_L,
                                  .mlen = 3,
                                  .rlen = 4,
                                  .simd = 8 };
   struct strbuf text = { 0 };
   for (unsigned i = 0; i < SENDS; i++)
      strbuf_printf(&text, "send (8|M0) r%u r%u 0x2 0x%08x\n",
                    FIRST_ANSWER + 4 * i, FIRST_PAYLOAD + 3 * i,
                    isa_message_pack(d->gen, &m));
   /* So that all answers have come. */
   for (unsigned i = 0; i < SENDS; i++)
      strbuf_printf(&text, "mov (8|M0) r50.0<1>:ud r%u.0<8;8,1>:ud\n",
                    FIRST_ANSWER + 4 * i);
   chip_program_text(d, text.s);
   strbuf_fini(&text);
}

static enum chip_status
run_probe(struct chip_device *d, const void *data, struct util_dynarray *out)
{
   const struct probe *p = data;
   chip_start(d);
   if (!fill_surface(d, p))
      return CHIP_REFUSED;
   fill_sampler(d, p);
   fill_places(d);
   put_program(d);
   chip_dispatch(d, 8, 0xff);
   return chip_finish(d, CHIP_PROGRAM_OUTPUT_B, out);
}

static void
answer_where(unsigned offset_B, char *out, size_t size_B)
{
   const unsigned reg = offset_B / 32;
   if (reg < FIRST_ANSWER || reg >= FIRST_ANSWER + 4 * SENDS) {
      chip_program_where(offset_B, out, size_B);
      return;
   }
   const unsigned i = reg - FIRST_ANSWER;
   snprintf(out, size_B, "place %u, %c", i / 4 * 8 + offset_B % 32 / 4,
            "rgba"[i % 4]);
}

void
chip_stage_sampler(struct chip *c)
{
   bool goes_on = true;
   for (unsigned i = 0; goes_on; i++) {
      const unsigned f = i / 2 / ARRAY_SIZE(wraps);
      const unsigned w = i / 2 % ARRAY_SIZE(wraps);
      if (f == ARRAY_SIZE(formats))
         break;
      const struct probe p = { formats[f].format, wraps[w].mode, i % 2 };
      struct chip_case k = { .run = run_probe,
                             .data = &p,
                             .where = answer_where };
      snprintf(k.name, sizeof(k.name), "%s:%s:%s", formats[f].name,
               p.linear ? "linear" : "nearest", wraps[w].name);
      goes_on = chip_run(c, &k);
   }
}
