/* SPDX-License-Identifier: MIT */
/*
 * Sampler messages on small images whose texels say where they are, against
 * colours worked out by hand from the rules of filtering.
 */
#include "util/unit_test.h"

#include <math.h>

#include "intel/genxml/gen9_pack.h"
#include "intel/isl/isl.h"
#include "intel/sim/mem/watch.h"
#include "intel/sim/msg/sampler.h"
#include "intel/sim/msg/sampler_private.h"
#include "intel/sim/msg/surface_cache.h"

#define SURFACE_BASE 0x100000ull
#define DYNAMIC_BASE 0x200000ull
#define IMAGE_BASE 0x300000ull
#define IMAGE_SIZE_B 0x100000u

/* clang-format off */
enum {
   SAMPLE = 0, SAMPLE_B = 1, SAMPLE_L = 2, SAMPLE_C = 3, SAMPLE_D = 4,
   SAMPLE_L_C = 6, LD = 7, GATHER4 = 8, LOD = 9, RESINFO = 10,
   SAMPLEINFO = 11, GATHER4_C = 16, GATHER4_PO = 17, SAMPLE_LZ = 24,
   SAMPLE_C_LZ = 25, LD_LZ = 26, LD2DMS = 30,
};
/* clang-format on */

struct world {
   struct sim_vm *vm;
   struct sim_bo *state, *image;
   struct sim_mem mem;
   struct sim_eu_env env;
   struct sim_eu_thread *t;
   struct isl_surf surf;
   struct isl_view view;
   struct GEN9_SAMPLER_STATE sampler;
};

static const struct intel_device_info *
skl(void)
{
   return intel_device_info_by_name("skl");
}

static int
setup(void **state)
{
   struct world *w = calloc(1, sizeof(*w));
   w->vm = sim_vm_create();
   w->state = sim_bo_create(0x200000);
   w->image = sim_bo_create(IMAGE_SIZE_B);
   assert_true(sim_vm_bind(w->vm, w->state, SURFACE_BASE));
   assert_true(sim_vm_bind(w->vm, w->image, IMAGE_BASE));
   sim_mem_init(&w->mem, w->vm);
   w->env = (struct sim_eu_env) {
      .verx10 = 90,
      .surface_state_base = SURFACE_BASE,
      .dynamic_state_base = DYNAMIC_BASE,
      .binding_table_offset_B = 0x40,
      .sampler_state_offset_B = 0x80,
      .sampler = sim_msg_sampler,
   };
   w->t = aligned_alloc(32, ALIGN(sizeof(*w->t), 32));
   memset(w->t, 0, sizeof(*w->t));
   sim_eu_thread_init(w->t, &w->env, 0xffff);
   w->t->mem = &w->mem;
   w->sampler = (struct GEN9_SAMPLER_STATE) {
      .MinModeFilter = MAPFILTER_NEAREST,
      .MagModeFilter = MAPFILTER_NEAREST,
      .MipModeFilter = MIPFILTER_NEAREST,
      .MaxLOD = 14,
      .LODPreClampMode = CLAMP_MODE_OGL,
      .BorderColorPointer = 0x400,
   };
   *state = w;
   return 0;
}

static int
teardown(void **state)
{
   struct world *w = *state;
   sim_vm_destroy(w->vm);
   sim_bo_unref(w->state);
   sim_bo_unref(w->image);
   free(w->t);
   free(w);
   return 0;
}

/* ---------------------------------------------------------------- images */

static void
make_image(struct world *w, enum isl_surf_dim dim, enum isl_format format,
           unsigned width, unsigned height, unsigned depth, unsigned levels,
           unsigned layers, unsigned samples, unsigned usage)
{
   assert_true(isl_surf_init(
      skl(), &w->surf, .dim = dim, .format = format, .width = width,
      .height = height, .depth = depth, .levels = levels, .array_len = layers,
      .samples = samples, .usage = ISL_SURF_USAGE_TEXTURE_BIT | usage));
   assert_true(w->surf.size_B <= IMAGE_SIZE_B);
   w->view = (struct isl_view) {
      .usage = ISL_SURF_USAGE_TEXTURE_BIT | usage,
      .format = format,
      .levels = levels,
      .array_len = layers,
      .swizzle = ISL_SWIZZLE_IDENTITY,
   };
}

static void
make_2d(struct world *w, unsigned width, unsigned height, unsigned levels)
{
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32G32B32A32_FLOAT, width,
              height, 1, levels, 1, 1, 0);
}

/* Writes a texel through isl's addresses. */
static void
put(struct world *w, unsigned level, unsigned layer, unsigned z, unsigned x,
    unsigned y, const void *texel)
{
   uint32_t x_el, y_el;
   isl_surf_get_image_offset_el(&w->surf, level, layer, z, &x_el, &y_el);
   const unsigned size_B = isl_format_block_size_B(w->surf.format);
   memcpy(w->image->map + isl_tiling_address_B(w->surf.tiling,
                                               w->surf.row_pitch_B,
                                               (x_el + x) * size_B, y_el + y),
          texel, size_B);
}

/* Each texel of each level and layer is (x, y, layer or z, level). */
static void
fill_places(struct world *w)
{
   for (unsigned l = 0; l < w->surf.levels; l++) {
      const struct isl_extent3d e = isl_surf_level_extent_px(&w->surf, l);
      const bool is_3d = w->surf.dim == ISL_SURF_DIM_3D;
      const unsigned slices = is_3d ? e.d : w->surf.phys_level0_sa.a;
      for (unsigned s = 0; s < slices; s++) {
         for (unsigned y = 0; y < e.h; y++) {
            for (unsigned x = 0; x < e.w; x++) {
               const float v[4] = { (float)x, (float)y, (float)s, (float)l };
               put(w, l, is_3d ? 0 : s, is_3d ? s : 0, x, y, v);
            }
         }
      }
   }
}

/* ----------------------------------------------------------------
 * messages */

struct shot {
   unsigned type, width;
   bool header;
   uint32_t header2;
   unsigned rlen; /* registers a channel times channels; 0: all four */
   uint32_t exec_mask;
   unsigned params;
   float param[11][16]; /* sample_d's, with mlod */
};

static void
write_states(struct world *w)
{
   uint8_t *base = w->state->map;
   uint32_t entry = 0x1000;
   memcpy(base + 0x40, &entry, 4);
   isl_surf_fill_state(skl(), base + 0x1000, .surf = &w->surf,
                       .view = &w->view, .address = IMAGE_BASE);
   GEN9_SAMPLER_STATE_pack(base + (DYNAMIC_BASE - SURFACE_BASE) + 0x80,
                           &w->sampler);
}

static bool
fire_raw(struct world *w, const struct shot *s, float out[4][16])
{
   const unsigned regs = s->width / 8;
   union sim_grf *g = w->t->grf;
   memset(g, 0xcc, sizeof(w->t->grf));
   unsigned reg = 10;
   if (s->header) {
      memset(&g[reg], 0, 32);
      g[reg].ud[2] = s->header2;
      g[reg].ud[3] = 0x80;
      reg++;
   }
   for (unsigned p = 0; p < s->params; p++) {
      for (unsigned i = 0; i < s->width; i++)
         g[reg + p * regs + i / 8].f[i % 8] = s->param[p][i];
   }
   const unsigned mlen = s->params * regs + s->header;
   const unsigned rlen = s->rlen ? s->rlen : 4 * regs;
   const uint32_t desc = s->type << 12 | (s->width == 8 ? 1u : 2u) << 17 |
                         (uint32_t)s->header << 19;
   struct isa_message fields;
   isa_message_unpack(isa_gen_from_number(w->t->env->verx10),
                      ISA_SFID_SAMPLER, desc, &fields);
   const struct sim_message m = {
      .sfid = ISA_SFID_SAMPLER,
      .desc = desc,
      .fields = &fields,
      .header = s->header,
      .mlen = (uint8_t)mlen,
      .rlen = (uint8_t)rlen,
      .exec_size = (uint8_t)s->width,
      .exec_mask = s->exec_mask,
      .src0_grf = 10,
      .dst_grf = 10, /* over the payload, as compilers do */
      .src0 = &g[10],
      .dst = &g[10],
   };
   memset(&w->t->fault, 0, sizeof(w->t->fault));
   if (!sim_msg_sampler(w->t, &m))
      return false;
   for (unsigned c = 0; c < rlen / regs && c < 4; c++) {
      for (unsigned i = 0; i < s->width; i++)
         out[c][i] = g[10 + c * regs + i / 8].f[i % 8];
   }
   return true;
}

static void
fire(struct world *w, const struct shot *s, float out[4][16])
{
   write_states(w);
   if (!fire_raw(w, s, out))
      fail_msg("fault: %s", w->t->fault.text);
}

/* One lane's worth: the same parameters in all lanes. */
static void
one(struct world *w, unsigned type, unsigned params, const float *p,
    float rgba[4])
{
   struct shot s = {
      .type = type, .width = 8, .exec_mask = 0xff, .params = params
   };
   float out[4][16];
   for (unsigned k = 0; k < params; k++) {
      for (unsigned i = 0; i < 16; i++)
         s.param[k][i] = p[k];
   }
   fire(w, &s, out);
   for (unsigned c = 0; c < 4; c++) {
      rgba[c] = out[c][0];
      assert_true(out[c][0] == out[c][7] || isnan(out[c][0]));
   }
}

static void
expect(const float got[4], float r, float g, float b, float a)
{
   const float want[4] = { r, g, b, a };
   for (unsigned c = 0; c < 4; c++) {
      if (!(fabsf(got[c] - want[c]) <= 1e-4f))
         fail_msg("got %g %g %g %g, want %g %g %g %g", got[0], got[1], got[2],
                  got[3], r, g, b, a);
   }
}

#define AT(type, r, g, b, a, ...)                                            \
   do {                                                                      \
      const float p_[] = { __VA_ARGS__ };                                    \
      float got_[4];                                                         \
      one(w, type, ARRAY_SIZE(p_), p_, got_);                                \
      expect(got_, r, g, b, a);                                              \
   } while (0)

static float
bits(uint32_t u)
{
   return util_bits_float(u);
}

/* ------------------------------------------------------------------ tests */

static void
nearest(void **state)
{
   struct world *w = *state;
   make_2d(w, 16, 8, 1);
   fill_places(w);
   AT(SAMPLE_LZ, 0, 0, 0, 0, 0.0f, 0.0f);
   AT(SAMPLE_LZ, 5, 3, 0, 0, 5.5f / 16, 3.5f / 8);
   AT(SAMPLE_LZ, 15, 7, 0, 0, 15.99f / 16, 7.99f / 8);
   /* Not a number and infinity stay inside. */
   AT(SAMPLE_LZ, 0, 0, 0, 0, NAN, 0.0f);
   AT(SAMPLE_LZ, 0, 0, 0, 0, INFINITY, 0.0f);
}

static void
bilinear(void **state)
{
   struct world *w = *state;
   make_2d(w, 16, 8, 1);
   fill_places(w);
   w->sampler.MagModeFilter = w->sampler.MinModeFilter = MAPFILTER_LINEAR;
   AT(SAMPLE_LZ, 5, 3, 0, 0, 5.5f / 16, 3.5f / 8);
   AT(SAMPLE_LZ, 5.25f, 3.75f, 0, 0, 5.75f / 16, 4.25f / 8);
   /* Wraps: half of texel 15, half of texel 0. */
   AT(SAMPLE_LZ, 7.5f, 3, 0, 0, 0.0f, 3.5f / 8);
}

/* Positions have eight bits of fraction, rounded where the state says so. */
static void
eight_bit_weights(void **state)
{
   struct world *w = *state;
   make_2d(w, 16, 8, 1);
   fill_places(w);
   w->sampler.MagModeFilter = w->sampler.MinModeFilter = MAPFILTER_LINEAR;
   const float u = (5.5f + 0.7f / 256) / 16;
   AT(SAMPLE_LZ, 5, 3, 0, 0, u, 3.5f / 8);
   w->sampler.UAddressMagFilterRoundingEnable = true;
   AT(SAMPLE_LZ, 5 + 1.0f / 256, 3, 0, 0, u, 3.5f / 8);
}

/* Between equal texels there is nothing else, to the last bit. */
static void
constant_area(void **state)
{
   struct world *w = *state;
   make_2d(w, 16, 16, 5);
   const float texel[4] = { 0.1f, 1.0f / 3, 200.0f / 255, 1e-30f };
   for (unsigned l = 0; l < 5; l++) {
      for (unsigned i = 0; i < 256u >> 2 * l; i++)
         put(w, l, 0, 0, i % (16 >> l), i / (16 >> l), texel);
   }
   w->sampler.MagModeFilter = w->sampler.MinModeFilter = MAPFILTER_LINEAR;
   w->sampler.MipModeFilter = MIPFILTER_LINEAR;
   for (unsigned i = 0; i < 200; i++) {
      const float p[3] = { (float)i * 0.0173f, (float)i * 0.00771f,
                           (float)i * 0.00931f };
      float got[4];
      one(w, SAMPLE_L, 3, p, got);
      assert_memory_equal(got, texel, sizeof(texel));
   }
}

/* The least and the greatest of the texels that a filter has a use for. */
static void
reductions(void **state)
{
   struct world *w = *state;
   make_2d(w, 16, 8, 2);
   fill_places(w);
   w->sampler.MagModeFilter = w->sampler.MinModeFilter = MAPFILTER_LINEAR;
   w->sampler.MipModeFilter = MIPFILTER_LINEAR;
   w->sampler.ReductionTypeEnable = true;
   w->sampler.ReductionType = REDUCTION_MINIMUM;
   AT(SAMPLE_LZ, 5, 3, 0, 0, 5.75f / 16, 4.25f / 8);
   AT(SAMPLE_LZ, 5, 3, 0, 0, 5.5f / 16, 3.5f / 8);
   AT(SAMPLE_L, 2, 1, 0, 0, 0.5f, 5.75f / 16, 4.25f / 8);
   w->sampler.ReductionType = REDUCTION_MAXIMUM;
   AT(SAMPLE_LZ, 6, 4, 0, 0, 5.75f / 16, 4.25f / 8);
   AT(SAMPLE_LZ, 5, 3, 0, 0, 5.5f / 16, 3.5f / 8);
   AT(SAMPLE_L, 6, 4, 0, 1, 0.5f, 5.75f / 16, 4.25f / 8);
}

static void
wrap_modes(void **state)
{
   struct world *w = *state;
   make_2d(w, 8, 4, 1);
   fill_places(w);
   static const struct {
      unsigned mode;
      float u, x;
   } rows[] = {
      { TCM_WRAP, 9.5f / 8, 1 },          { TCM_WRAP, -0.5f / 8, 7 },
      { TCM_MIRROR, 8.5f / 8, 7 },        { TCM_MIRROR, -0.5f / 8, 0 },
      { TCM_MIRROR, 17.5f / 8, 1 },       { TCM_CLAMP, 20.0f, 7 },
      { TCM_CLAMP, -20.0f, 0 },           { TCM_MIRROR_ONCE, -2.5f / 8, 2 },
      { TCM_MIRROR_ONCE, -20.0f, 7 },     { TCM_HALF_BORDER, 2.0f, 7 },
      { TCM_CLAMP_BORDER, 8.5f / 8, 77 }, { TCM_CLAMP_BORDER, -1.0f, 77 },
      { TCM_CLAMP_BORDER, 7.5f / 8, 7 },
   };
   const float border[4] = { 77, 0.5f, 0, 0 };
   memcpy(w->state->map + (DYNAMIC_BASE - SURFACE_BASE) + 0x400, border, 16);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      w->sampler.TCXAddressControlMode = rows[i].mode;
      const float y = rows[i].x == 77 ? 0.5f : 1;
      AT(SAMPLE_LZ, rows[i].x, y, 0, 0, rows[i].u, 1.5f / 4);
   }
   /* Filters: at u = 0, half of the border. */
   w->sampler.MagModeFilter = MAPFILTER_LINEAR;
   w->sampler.TCXAddressControlMode = TCM_CLAMP_BORDER;
   AT(SAMPLE_LZ, 38.5f, 0.75f, 0, 0, 0.0f, 1.5f / 4);
   AT(SAMPLE_LZ, 77, 0.5f, 0, 0, -1.0f, 1.5f / 4);
   w->sampler.TCXAddressControlMode = TCM_HALF_BORDER;
   AT(SAMPLE_LZ, 38.5f, 0.75f, 0, 0, -1.0f, 1.5f / 4);
   /* Clamp to edge has no border. */
   w->sampler.TCXAddressControlMode = TCM_CLAMP;
   AT(SAMPLE_LZ, 0, 1, 0, 0, 0.0f, 1.5f / 4);
}

/* Gen7: the pointer has units of 32 bytes; Haswell also has integers. */
static void
border_of_gen7(void **state)
{
   struct world *w = *state;
   uint8_t *dynamic = w->state->map + (DYNAMIC_BASE - SURFACE_BASE);
   const uint32_t sampler[4] = { [2] = 0x420, [3] = TCM_CLAMP_BORDER << 6 };
   uint32_t border[20];
   for (unsigned i = 0; i < 20; i++)
      border[i] = 100 + i;
   memcpy(dynamic + 0x80, sampler, sizeof(sampler));
   memcpy(dynamic + 0x420, border, sizeof(border));
   w->env.verx10 = 75;
   const struct sim_sampler *s = sim_sampler_at(w->t, DYNAMIC_BASE + 0x80);
   assert_non_null(s);
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(s->border[i], 100 + i);
      assert_int_equal(s->border_packed[i], 116 + i);
   }
}

/* Haswell's integers: one texel of the border, of each width. */
static void
integer_borders_of_haswell(void **state)
{
   struct world *w = *state;
   static const struct {
      enum isl_format format;
      uint32_t packed[4], want[4];
   } rows[] = {
      { ISL_FORMAT_R8G8B8A8_SINT, { 0xfe030201 }, { 1, 2, 3, 0xfffffffe } },
      { ISL_FORMAT_R16G16B16A16_UINT,
        { 0x20001, 9, 0x40003, 9 },
        { 1, 2, 3, 4 } },
      { ISL_FORMAT_R10G10B10A2_UINT,
        { 0x20001, 9, 0x30003, 9 },
        { 1, 2, 3, 3 } },
      { ISL_FORMAT_R32G32_UINT, { 1, 9, 2, 9 }, { 1, 2, 0, 1 } },
      { ISL_FORMAT_R32G32B32A32_UINT, { 1, 2, 3, 4 }, { 1, 2, 3, 4 } },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct sim_surface surface = { .type = SIM_SURFACE_2D,
                                     .format = rows[i].format,
                                     .width = 4,
                                     .height = 4,
                                     .depth = 1,
                                     .level_count = 1,
                                     .integer_border = true };
      struct sim_sampler sampler = {
         .wrap = { TCM_CLAMP_BORDER, TCM_CLAMP_BORDER, TCM_CLAMP_BORDER }
      };
      struct sim_lookup l = { .t = w->t,
                              .s = &surface,
                              .sampler = &sampler,
                              .integer = true,
                              .present = rows[i].want[2] ? 0xf : 3 };
      const struct sim_place place = { .u = -1, .v = 0.5f };
      const struct sim_lod lod = { .taps = 1 };
      uint32_t got[4];
      memcpy(sampler.border_packed, rows[i].packed, 16);
      w->env.verx10 = 75;
      assert_true(sim_filter(&l, &place, &lod, got));
      assert_memory_equal(got, rows[i].want, 16);

      /* A state that does not say so has the other half of the colour. */
      memset(sampler.border, 0, 16);
      surface.integer_border = false;
      assert_true(sim_filter(&l, &place, &lod, got));
      assert_int_equal(got[0], 0);
   }
}

static void
border_of_narrow_format(void **state)
{
   struct world *w = *state;
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R8_UNORM, 4, 4, 1, 1, 1, 1, 0);
   const float border[4] = { 2, 0.5f, 0.5f, 0.5f };
   memcpy(w->state->map + (DYNAMIC_BASE - SURFACE_BASE) + 0x400, border, 16);
   w->sampler.TCXAddressControlMode = TCM_CLAMP_BORDER;
   AT(SAMPLE_LZ, 1, 0, 0, 1, 2.0f, 0.5f);
}

static void
levels(void **state)
{
   struct world *w = *state;
   make_2d(w, 16, 16, 5);
   fill_places(w);
   /* Parameters of sample_l: lod, u, v. */
   AT(SAMPLE_L, 8, 8, 0, 0, 0.0f, 0.55f, 0.55f);
   AT(SAMPLE_L, 4, 4, 0, 1, 1.0f, 0.55f, 0.55f);
   AT(SAMPLE_L, 2, 2, 0, 2, 1.6f, 0.55f, 0.55f);
   AT(SAMPLE_L, 0, 0, 0, 4, 9.0f, 0.55f, 0.55f);
   w->sampler.MipModeFilter = MIPFILTER_LINEAR;
   AT(SAMPLE_L, 8 * 0.75f + 4 * 0.25f, 7, 0, 0.25f, 0.25f, 0.55f, 0.55f);
   w->sampler.MinLOD = 2;
   AT(SAMPLE_L, 2, 2, 0, 2, 0.0f, 0.55f, 0.55f);
   w->sampler.MinLOD = 0;
   w->sampler.MaxLOD = 1;
   AT(SAMPLE_L, 4, 4, 0, 1, 3.0f, 0.55f, 0.55f);
   w->sampler.MaxLOD = 14;
   w->sampler.TextureLODBias = -1;
   AT(SAMPLE_L, 4, 4, 0, 1, 2.0f, 0.55f, 0.55f);
   w->sampler.TextureLODBias = 0;
   w->sampler.MipModeFilter = MIPFILTER_NONE;
   AT(SAMPLE_L, 8, 8, 0, 0, 3.0f, 0.55f, 0.55f);
   /* A view that begins at level 1 and has two. */
   w->sampler.MipModeFilter = MIPFILTER_NEAREST;
   w->view.base_level = 1;
   w->view.levels = 2;
   AT(SAMPLE_L, 4, 4, 0, 1, 0.0f, 0.55f, 0.55f);
   AT(SAMPLE_L, 2, 2, 0, 2, 7.0f, 0.55f, 0.55f);
}

/* A quad whose coordinates advance by `dx` texels across and `dy` down. */
static void
quad(struct world *w, unsigned type, float bias, float dx, float dy,
     float out[4])
{
   struct shot s = { .type = type, .width = 16, .exec_mask = 0xffff };
   const unsigned u = type == SAMPLE_B ? 1 : 0;
   s.params = 2 + u;
   for (unsigned i = 0; i < 16; i++) {
      s.param[0][i] = bias;
      s.param[u][i] = (0.5f + (i & 1 ? dx : 0)) / 16;
      s.param[u + 1][i] = (0.5f + (i & 2 ? dy : 0)) / 16;
   }
   float all[4][16];
   fire(w, &s, all);
   for (unsigned c = 0; c < 4; c++) {
      out[c] = all[c][0];
      assert_true(all[c][12] == all[c][0]);
   }
}

static void
implicit_lod(void **state)
{
   struct world *w = *state;
   float c[4];
   make_2d(w, 16, 16, 5);
   fill_places(w);
   quad(w, SAMPLE, 0, 1, 1, c);
   assert_true(c[3] == 0);
   quad(w, SAMPLE, 0, 2, 1, c);
   assert_true(c[3] == 1);
   quad(w, SAMPLE, 0, 1, 4, c);
   assert_true(c[3] == 2);
   quad(w, SAMPLE_B, 2, 1, 1, c);
   assert_true(c[3] == 2);
   quad(w, LOD, 0, 4, 1, c);
   expect(c, 2, 2, 0, 0);
   quad(w, LOD, 0, 0.25f, 0.25f, c);
   expect(c, 0, -2, 0, 0);
   quad(w, LOD, 0, 256, 0, c);
   expect(c, 4, 8, 0, 0);
   /* The magnification filter up to 0, the other above. */
   w->sampler.MinModeFilter = MAPFILTER_LINEAR;
   w->sampler.MipModeFilter = MIPFILTER_NONE;
   quad(w, SAMPLE, 0, 1, 1, c);
   expect(c, 0, 0, 0, 0);
   AT(SAMPLE_L, 5.25f, 3, 0, 0, 0.1f, 5.75f / 16, 3.5f / 16);
   AT(SAMPLE_L, 5, 3, 0, 0, 0.0f, 5.75f / 16, 3.5f / 16);
}

static void
gradients(void **state)
{
   struct world *w = *state;
   make_2d(w, 16, 16, 5);
   fill_places(w);
   /* u, dudx, dudy, v, dvdx, dvdy */
   AT(SAMPLE_D, 2, 2, 0, 2, 0.55f, 4.0f / 16, 0.0f, 0.55f, 0.0f, 0.0f);
   AT(SAMPLE_D, 4, 4, 0, 1, 0.55f, 0.0f, 0.0f, 0.55f, 0.0f, 2.0f / 16);
   AT(SAMPLE_D, 8, 8, 0, 0, 0.55f, 0.0f, 0.0f, 0.55f, 0.0f, 0.0f);
}

/* u, v, r, ai, mlod; u, dudx, dudy, v, ..., ai, mlod. Behind sample_l's
 * parameters there is none. */
static void
least_level_of_message(void **state)
{
   struct world *w = *state;
   make_2d(w, 16, 16, 5);
   fill_places(w);
   AT(SAMPLE, 2, 2, 0, 2, 0.55f, 0.55f, 0, 0, 2.0f);
   AT(SAMPLE_B, 2, 2, 0, 2, -4, 0.55f, 0.55f, 0, 0, 2.0f);
   AT(SAMPLE, 0, 0, 0, 4, 0.55f, 0.55f, 0, 0, 9.0f);
   w->sampler.MinLOD = 1;
   AT(SAMPLE, 4, 4, 0, 1, 0.55f, 0.55f, 0, 0, 0.25f);
   AT(SAMPLE_L, 4, 4, 0, 1, 0, 0.55f, 0.55f, 0, 0, 2.0f);
   AT(SAMPLE_D, 1, 1, 0, 3, 0.55f, 4.0f / 16, 0, 0.55f, 0, 0, 0, 0, 0, 0,
      3.0f);
   AT(SAMPLE_D, 2, 2, 0, 2, 0.55f, 4.0f / 16, 0, 0.55f, 0, 0, 0, 0, 0, 0,
      1.0f);
   /* Gen8 has no such parameter. */
   w->env.verx10 = 80;
   AT(SAMPLE, 4, 4, 0, 1, 0.55f, 0.55f, 0, 0, 2.0f);
}

/* Samples are clamped to the resource's least level; ld and gather4, which
 * name their level, are outside of the resource below its integer part. */
static void
least_level_of_resource(void **state)
{
   struct world *w = *state;
   make_2d(w, 16, 16, 5);
   fill_places(w);
   w->view.min_lod = 2.5f;
   AT(SAMPLE_L, 1, 1, 0, 3, 0.0f, 0.55f, 0.55f);
   AT(LD, 0, 0, 0, 0, bits(3), bits(1), bits(1), bits(0));
   AT(LD, 3, 1, 0, 2, bits(3), bits(1), bits(2), bits(0));
   AT(GATHER4, 0, 0, 0, 0, 0.5f, 0.5f);
   w->view.base_level = 2;
   w->view.levels = 3;
   AT(LD, 3, 1, 0, 2, bits(3), bits(1), bits(0), bits(0));
   AT(GATHER4, 1, 2, 2, 1, 0.5f, 0.5f);
}

static void
anisotropic(void **state)
{
   struct world *w = *state;
   make_2d(w, 16, 16, 5);
   fill_places(w);
   w->sampler.MinModeFilter = MAPFILTER_ANISOTROPIC;
   w->sampler.MagModeFilter = MAPFILTER_ANISOTROPIC;
   w->sampler.MaximumAnisotropy = RATIO_41;
   /* 8 texels by 1: four taps of 2 texels on level 1, around the centre.
    * There u = 8.5 of 16 lies at 4.25 - 0.5 = 3.75, and the mean of the four
    * taps is that too. */
   AT(SAMPLE_D, 3.75f, 3.75f, 0, 1, 8.5f / 16, 8.0f / 16, 0.0f, 8.5f / 16,
      0.0f, 1.0f / 16);
   /* As long as wide: one tap. */
   AT(SAMPLE_D, 3.75f, 3.75f, 0, 1, 8.5f / 16, 2.0f / 16, 0.0f, 8.5f / 16,
      0.0f, 2.0f / 16);
}

/* Magnified across, minified along: the filter of the two that is
 * anisotropic, with all its taps. */
static void
anisotropic_magnified(void **state)
{
   struct world *w = *state;
   const float peak[4] = { 1, 0, 0, 0 }, none[4] = { 0 };
   make_2d(w, 16, 16, 1);
   for (unsigned y = 0; y < 16; y++) {
      for (unsigned x = 0; x < 16; x++)
         put(w, 0, 0, 0, x, y, x == 8 ? peak : none);
   }
   w->sampler.MinModeFilter = MAPFILTER_NEAREST;
   w->sampler.MagModeFilter = MAPFILTER_ANISOTROPIC;
   w->sampler.MaximumAnisotropy = RATIO_161;
   AT(SAMPLE_D, 1.0f / 8, 0, 0, 0, 8.5f / 16, 8.0f / 16, 0.0f, 8.5f / 16,
      0.0f, 0.5f / 16);
}

static void
arrays(void **state)
{
   struct world *w = *state;
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32G32B32A32_FLOAT, 8, 8, 1, 1,
              5, 1, 0);
   fill_places(w);
   AT(SAMPLE_LZ, 1, 2, 3, 0, 1.5f / 8, 2.5f / 8, 3.4f);
   AT(SAMPLE_LZ, 1, 2, 4, 0, 1.5f / 8, 2.5f / 8, 3.5f); /* to even */
   AT(SAMPLE_LZ, 1, 2, 2, 0, 1.5f / 8, 2.5f / 8, 2.5f);
   AT(SAMPLE_LZ, 1, 2, 4, 0, 1.5f / 8, 2.5f / 8, 99.0f);
   AT(SAMPLE_LZ, 1, 2, 0, 0, 1.5f / 8, 2.5f / 8, -3.0f);
   w->view.base_array_layer = 2;
   w->view.array_len = 2;
   AT(SAMPLE_LZ, 1, 2, 2, 0, 1.5f / 8, 2.5f / 8, 0.0f);
   AT(SAMPLE_LZ, 1, 2, 3, 0, 1.5f / 8, 2.5f / 8, 9.0f);
}

static void
lines(void **state)
{
   struct world *w = *state;
   make_image(w, ISL_SURF_DIM_1D, ISL_FORMAT_R32G32B32A32_FLOAT, 16, 1, 1, 3,
              3, 1, 0);
   fill_places(w);
   AT(SAMPLE_LZ, 5, 0, 2, 0, 5.5f / 16, 2.0f);
   AT(SAMPLE_L, 1, 0, 1, 2, 2.0f, 1.5f / 4, 1.0f);
   w->sampler.MagModeFilter = MAPFILTER_LINEAR;
   AT(SAMPLE_LZ, 5.5f, 0, 1, 0, 6.0f / 16, 1.0f);
}

static void
volumes(void **state)
{
   struct world *w = *state;
   make_image(w, ISL_SURF_DIM_3D, ISL_FORMAT_R32G32B32A32_FLOAT, 8, 8, 8, 3,
              1, 1, 0);
   fill_places(w);
   AT(SAMPLE_LZ, 1, 2, 5, 0, 1.5f / 8, 2.5f / 8, 5.5f / 8);
   AT(SAMPLE_L, 1, 2, 3, 1, 1.0f, 1.5f / 4, 2.5f / 4, 3.5f / 4);
   w->sampler.MagModeFilter = MAPFILTER_LINEAR;
   AT(SAMPLE_LZ, 1, 2, 5.25f, 0, 1.5f / 8, 2.5f / 8, 5.75f / 8);
   w->sampler.TCZAddressControlMode = TCM_CLAMP;
   AT(SAMPLE_LZ, 1, 2, 7, 0, 1.5f / 8, 2.5f / 8, 5.0f);
}

static void
cubes(void **state)
{
   struct world *w = *state;
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32G32B32A32_FLOAT, 4, 4, 1, 1,
              12, 1, ISL_SURF_USAGE_CUBE_BIT);
   fill_places(w);
   w->sampler.TCXAddressControlMode = w->sampler.TCYAddressControlMode =
      w->sampler.TCZAddressControlMode = TCM_CUBE;
   /* OpenGL 4.6, table 8.19. Direction, then the cube of the array. */
   AT(SAMPLE_LZ, 1, 3, 0, 0, 1.0f, -0.9f, 0.3f, 0.0f);  /* s = -z, t = -y */
   AT(SAMPLE_LZ, 2, 3, 1, 0, -1.0f, -0.9f, 0.3f, 0.0f); /* s = z, t = -y */
   AT(SAMPLE_LZ, 0, 2, 2, 0, -0.9f, 1.0f, 0.3f, 0.0f);  /* s = x, t = z */
   AT(SAMPLE_LZ, 0, 1, 3, 0, -0.9f, -1.0f, 0.3f, 0.0f); /* s = x, t = -z */
   AT(SAMPLE_LZ, 0, 1, 4, 0, -0.9f, 0.3f, 1.0f, 0.0f);  /* s = x, t = -y */
   AT(SAMPLE_LZ, 3, 1, 5, 0, -0.9f, 0.3f, -1.0f, 0.0f); /* s = -x, t = -y */
   AT(SAMPLE_LZ, 3, 1, 11, 0, -0.9f, 0.3f, -1.0f, 1.0f);
   AT(SAMPLE_LZ, 3, 1, 11, 0, -1.8f, 0.6f, -2.0f, 7.0f);

   /* On the edge between +x and +z: half of each face's outer column. */
   w->sampler.MagModeFilter = MAPFILTER_LINEAR;
   float c[4];
   const float edge[4] = { 1.0f, -0.25f, 1.0f, 0.0f };
   one(w, SAMPLE_LZ, 4, edge, c);
   expect(c, 1.5f, 2, 2, 0); /* x: 0 and 3; face: 0 and 4 */
   /* In the corner of three faces (+x 0, +y 2, +z 4): their mean. */
   const float corner[4] = { 1.0f, 1.0f, 1.0f, 0.0f };
   one(w, SAMPLE_LZ, 4, corner, c);
   assert_true(fabsf(c[2] - 2) < 1e-4f);

   /* The sampler makes cubes seamless whatever the wrap modes are, or leaves
    * each face to itself. */
   w->sampler.CubeSurfaceControlMode = CUBECTRLMODE_OVERRIDE;
   w->sampler.TCXAddressControlMode = w->sampler.TCYAddressControlMode =
      TCM_WRAP;
   one(w, SAMPLE_LZ, 4, edge, c);
   expect(c, 1.5f, 2, 2, 0);
   w->sampler.CubeSurfaceControlMode = CUBECTRLMODE_PROGRAMMED;
   w->sampler.TCXAddressControlMode = w->sampler.TCYAddressControlMode =
      TCM_CLAMP;
   one(w, SAMPLE_LZ, 4, edge, c);
   expect(c, 3, 2, 4, 0);
}

/* The middle of a texel's edge on the surface of the cube, whose texels are
 * two units wide, and whose centre is 0. */
struct seam {
   int32_t at[3], x, y;
   unsigned face, side; /* 0: x < 0, 1: x >= n, 2: y < 0, 3: y >= n */
};

static int
compare_seams(const void *a, const void *b)
{
   return memcmp(((const struct seam *)a)->at, ((const struct seam *)b)->at,
                 sizeof(((const struct seam *)a)->at));
}

static struct seam
seam_at(unsigned face, unsigned side, int32_t n, int32_t i)
{
   /* OpenGL 4.6, table 8.19: axes of s, t and the face, and their signs. */
   static const int8_t axes[6][3] = { { -3, -2, 1 }, { 3, -2, -1 },
                                      { 1, 3, 2 },   { 1, -3, -2 },
                                      { 1, -2, 3 },  { -1, -2, -3 } };
   const int32_t last = side & 1 ? n - 1 : 0, edge = side & 1 ? n : -n;
   struct seam s = { .face = face, .side = side };
   s.x = side < 2 ? last : i;
   s.y = side < 2 ? i : last;
   const int32_t middle = 2 * i + 1 - n;
   const int32_t along[3] = { side < 2 ? edge : middle,
                              side < 2 ? middle : edge, n };
   for (unsigned k = 0; k < 3; k++) {
      const int8_t axis = axes[face][k];
      s.at[axis > 0 ? axis - 1 : -axis - 1] = axis > 0 ? along[k] : -along[k];
   }
   return s;
}

static void
expect_across(const struct seam *from, const struct seam *to, int32_t n)
{
   static const int8_t step[4][2] = {
      { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 }
   };
   int32_t xy[2] = { from->x + step[from->side][0],
                     from->y + step[from->side][1] };
   const unsigned face = sim_cube_across(from->face, (uint32_t)n, xy);
   if (face != to->face || xy[0] != to->x || xy[1] != to->y)
      fail_msg("from %d %d of face %u of %d: %d %d of face %u, not %d %d of "
               "face %u",
               from->x, from->y, from->face, n, xy[0], xy[1], face, to->x,
               to->y, to->face);
}

/* Texels on both sides of a seam have an edge in common, also near the
 * corners of cubes so large that floats have no directions between. */
static void
seams(void **state)
{
   static const int32_t sizes[] = { 1, 2, 3, 5, 8, 4097, 16384 };
   for (unsigned k = 0; k < ARRAY_SIZE(sizes); k++) {
      const int32_t n = sizes[k];
      const unsigned count = 24 * (unsigned)n;
      struct seam *s = calloc(count, sizeof(*s));
      for (unsigned i = 0; i < count; i++)
         s[i] = seam_at(i % 6, i / 6 % 4, n, (int32_t)(i / 24));
      qsort(s, count, sizeof(*s), compare_seams);
      for (unsigned i = 0; i < count; i += 2) {
         assert_int_equal(compare_seams(&s[i], &s[i + 1]), 0);
         expect_across(&s[i], &s[i + 1], n);
         expect_across(&s[i + 1], &s[i], n);
      }
      free(s);
   }
}

/* What is not there, or a layer, has no gradient, whatever number it is: of
 * messages in lanes, and one by one. */
static void
levels_of_layers(void **state)
{
   struct world *w = *state;
   for (unsigned dim = 1; dim <= 2; dim++) {
      make_image(w, dim == 1 ? ISL_SURF_DIM_1D : ISL_SURF_DIM_2D,
                 ISL_FORMAT_R32G32B32A32_FLOAT, 32, dim == 1 ? 1 : 32, 1, 6,
                 2, 1, 0);
      fill_places(w);
      for (unsigned k = 0; k < 4; k++) {
         w->sampler.MinModeFilter = k & 1 ? MAPFILTER_ANISOTROPIC
                                          : MAPFILTER_NEAREST;
         struct shot s = {
            .type = SAMPLE, .width = 8, .exec_mask = 0xff, .params = dim + 1
         };
         float out[4][16];
         for (unsigned i = 0; i < 8; i++) {
            s.param[0][i] = i & 1 ? 8.5f / 32 : 0.5f / 32;
            s.param[1][i] = i & 2 ? 8.5f / 32 : 0.5f / 32;
            s.param[dim][i] = k & 2 ? INFINITY : 1.0f;
         }
         fire(w, &s, out);
         if (out[2][0] != 1 || out[3][0] != 3)
            fail_msg("%u dimensions, state %u: layer %g, level %g", dim, k,
                     out[2][0], out[3][0]);
      }
   }
}

/*
 * A quad around the edge of the -y face, three pixels of which would see
 * (-0.5, 0.5, 1.5) on its plane. Drivers divide directions by their largest
 * part, so neighbours differ in their length, too; the level is that of the
 * plane.
 */
static void
cube_quads(void **state)
{
   struct world *w = *state;
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32G32B32A32_FLOAT, 32, 32, 1, 6,
              6, 1, ISL_SURF_USAGE_CUBE_BIT);
   fill_places(w);
   w->sampler.TCXAddressControlMode = w->sampler.TCYAddressControlMode =
      w->sampler.TCZAddressControlMode = TCM_CUBE;
   struct shot s = {
      .type = SAMPLE, .width = 8, .exec_mask = 0xff, .params = 3
   };
   float out[4][16];
   for (unsigned i = 0; i < 8; i++) {
      const float x = i & 1 ? 1.5f : 0.5f, z = i & 2 ? 1.5f : 0.5f;
      const float m = MAX2(MAX2(x, z), 1.0f);
      s.param[0][i] = x / m;
      s.param[1][i] = -1 / m;
      s.param[2][i] = z / m;
   }
   fire(w, &s, out);
   /* A pixel is 16 texels of 32 in each direction. */
   assert_true(out[2][0] == 3 && out[3][0] == 4);
}

static void
shadows(void **state)
{
   struct world *w = *state;
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32_FLOAT, 4, 4, 1, 1, 1, 1, 0);
   const float half = 0.5f, one_f = 1.0f;
   for (unsigned i = 0; i < 16; i++)
      put(w, 0, 0, 0, i % 4, i / 4, i % 4 < 2 ? &half : &one_f);
   /* The result is 1 unless (texel op reference): so LESS passes what is
    * less than or equal to the texel. Parameters: reference, u, v. */
   w->sampler.ShadowFunction = PREFILTEROP_LESS;
   AT(SAMPLE_C_LZ, 1, 0, 0, 1, 0.5f, 0.1f, 0.1f);
   AT(SAMPLE_C_LZ, 0, 0, 0, 1, 0.6f, 0.1f, 0.1f);
   w->sampler.ShadowFunction = PREFILTEROP_LEQUAL;
   AT(SAMPLE_C_LZ, 0, 0, 0, 1, 0.5f, 0.1f, 0.1f);
   AT(SAMPLE_C_LZ, 1, 0, 0, 1, 0.4f, 0.1f, 0.1f);
   w->sampler.ShadowFunction = PREFILTEROP_ALWAYS;
   AT(SAMPLE_C_LZ, 0, 0, 0, 1, 0.4f, 0.1f, 0.1f);
   w->sampler.ShadowFunction = PREFILTEROP_NEVER;
   AT(SAMPLE_C_LZ, 1, 0, 0, 1, 0.4f, 0.1f, 0.1f);
   /* Compared first, filtered then. */
   w->sampler.ShadowFunction = PREFILTEROP_LESS;
   w->sampler.MagModeFilter = MAPFILTER_LINEAR;
   AT(SAMPLE_C_LZ, 0.25f, 0, 0, 1, 0.75f, 1.75f / 4, 0.5f);
   AT(SAMPLE_L_C, 0.25f, 0, 0, 1, 0.75f, 0.0f, 1.75f / 4, 0.5f);
}

static void
gathers(void **state)
{
   struct world *w = *state;
   make_2d(w, 8, 8, 1);
   fill_places(w);
   /* Between texels 2, 3 and 4, 5: in the order of textureGather(). */
   AT(GATHER4, 2, 3, 3, 2, 3.0f / 8, 5.0f / 8);
   /* clang-format off */
   struct shot s = { .type = GATHER4, .width = 8, .exec_mask = 0xff,
                     .header = true, .header2 = 1 << 16, .params = 2 };
   /* clang-format on */
   float out[4][16], c[4];
   for (unsigned i = 0; i < 8; i++) {
      s.param[0][i] = 3.0f / 8;
      s.param[1][i] = 5.0f / 8;
   }
   fire(w, &s, out);
   for (unsigned k = 0; k < 4; k++)
      c[k] = out[k][3];
   expect(c, 5, 5, 4, 4);
   /* Offsets: -2 in u, 1 in v; six bits, in each lane. */
   AT(GATHER4_PO, 0, 1, 1, 0, 3.0f / 8, 5.0f / 8, bits(0x3e), bits(1));

   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32_FLOAT, 2, 2, 1, 1, 1, 1, 0);
   static const float t[4] = { 0.1f, 0.2f, 0.3f, 0.4f };
   for (unsigned i = 0; i < 4; i++)
      put(w, 0, 0, 0, i % 2, i / 2, &t[i]);
   w->sampler.ShadowFunction = PREFILTEROP_LESS;
   AT(GATHER4_C, 1, 1, 0, 0, 0.25f, 0.5f, 0.5f);
}

static void
offsets(void **state)
{
   struct world *w = *state;
   make_2d(w, 8, 8, 1);
   fill_places(w);
   struct shot s = { .type = SAMPLE_LZ,
                     .width = 16,
                     .exec_mask = 0xffff,
                     .header = true,
                     .header2 = 0xe << 8 | 3 << 4,
                     .params = 2 };
   float out[4][16];
   for (unsigned i = 0; i < 16; i++) {
      s.param[0][i] = ((float)(i % 8) + 0.5f) / 8;
      s.param[1][i] = 0.5f / 8;
   }
   fire(w, &s, out);
   for (unsigned i = 0; i < 16; i++) {
      assert_true(out[0][i] == (float)((i + 6) % 8));
      assert_true(out[1][i] == 3);
   }
}

/* GL_CLAMP clamps the coordinate with its offset (OpenGL 4.6, table 8.20). */
static void
offsets_beyond_half_border(void **state)
{
   struct world *w = *state;
   make_2d(w, 8, 8, 1);
   fill_places(w);
   w->sampler.TCXAddressControlMode = w->sampler.TCYAddressControlMode =
      TCM_HALF_BORDER;
   struct shot s = { .type = SAMPLE_LZ,
                     .width = 8,
                     .exec_mask = 0xff,
                     .header = true,
                     .header2 = 3 << 8 | 0xd << 4,
                     .params = 2 };
   float out[4][16];
   for (unsigned i = 0; i < 8; i++) {
      s.param[0][i] = -5.5f / 8 + (float)i;
      s.param[1][i] = 12.5f / 8 - (float)i;
   }
   fire(w, &s, out);
   assert_true(out[0][0] == 0 && out[1][0] == 7);
   assert_true(out[0][1] == 5 && out[1][1] == 1);
   assert_true(out[0][2] == 7 && out[1][2] == 0);
}

static void
loads(void **state)
{
   struct world *w = *state;
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32G32B32A32_FLOAT, 16, 16, 1, 3,
              4, 1, 0);
   fill_places(w);
   /* u, v, lod, r */
   AT(LD, 7, 9, 2, 0, bits(7), bits(9), bits(0), bits(2));
   AT(LD, 3, 1, 3, 2, bits(3), bits(1), bits(2), bits(3));
   AT(LD_LZ, 7, 9, 3, 0, bits(7), bits(9), bits(3));
   AT(LD, 0, 0, 0, 0, bits(4), bits(1), bits(2), bits(3));
   AT(LD, 0, 0, 0, 0, bits(7), bits(9), bits(3), bits(2));
   AT(LD, 0, 0, 0, 0, bits(7), bits(9), bits(0), bits(4));
   AT(LD, 0, 0, 0, 0, bits(0xffffffff), bits(9), bits(0), bits(0));
   AT(LD, 0, 0, 0, 0, bits(7), bits(9), bits(0xffffffff), bits(0));

   /* A format without alpha gives 1 outside too. */
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32G32_FLOAT, 4, 4, 1, 1, 1, 1,
              0);
   AT(LD, 0, 0, 0, 1, bits(4), bits(0), bits(0));

   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32_UINT, 4, 4, 1, 1, 1, 1, 0);
   const uint32_t v = 0xdeadbeef;
   put(w, 0, 0, 0, 2, 3, &v);
   const float p[2] = { bits(2), bits(3) };
   float c[4];
   struct shot s = { .type = LD, .width = 8, .exec_mask = 1, .params = 2 };
   s.param[0][0] = p[0];
   s.param[1][0] = p[1];
   float out[4][16];
   fire(w, &s, out);
   for (unsigned k = 0; k < 4; k++)
      c[k] = out[k][0];
   assert_int_equal(util_float_bits(c[0]), 0xdeadbeef);
   assert_int_equal(util_float_bits(c[3]), 1);
   /* Lanes that are off keep what their registers held. */
   assert_int_equal(util_float_bits(out[0][1]), util_float_bits(0));
   assert_int_equal(util_float_bits(out[3][5]), 0xcccccccc);
}

static void
multisampled_loads(void **state)
{
   struct world *w = *state;
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32G32B32A32_FLOAT, 4, 4, 1, 1,
              2, 4, 0);
   fill_places(w); /* blue is the physical slice */
   /* sample, mcs, u, v, r */
   AT(LD2DMS, 1, 2, 3, 0, bits(3), bits(0), bits(1), bits(2), bits(0));
   AT(LD2DMS, 1, 2, 6, 0, bits(2), bits(0), bits(1), bits(2), bits(1));
   AT(LD2DMS, 0, 0, 0, 0, bits(4), bits(0), bits(1), bits(2), bits(1));
   float c[4];
   const float p[1] = { 0 };
   one(w, SAMPLEINFO, 1, p, c);
   assert_int_equal(util_float_bits(c[0]), 4);
}

static void
infos(void **state)
{
   struct world *w = *state;
   float c[4];
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R8_UNORM, 20, 10, 1, 4, 3, 1, 0);
   const float lod1[1] = { bits(1) }, lod9[1] = { bits(9) };
   one(w, RESINFO, 1, lod1, c);
   assert_int_equal(util_float_bits(c[0]), 10);
   assert_int_equal(util_float_bits(c[1]), 5);
   assert_int_equal(util_float_bits(c[2]), 3);
   assert_int_equal(util_float_bits(c[3]), 4);
   one(w, RESINFO, 1, lod9, c);
   assert_int_equal(util_float_bits(c[0]), 0);
   assert_int_equal(util_float_bits(c[3]), 4);
}

static void
swizzles(void **state)
{
   struct world *w = *state;
   make_2d(w, 8, 8, 1);
   fill_places(w);
   w->view.swizzle = (struct isl_swizzle) {
      ISL_CHANNEL_SELECT_GREEN,
      ISL_CHANNEL_SELECT_ONE,
      ISL_CHANNEL_SELECT_ZERO,
      ISL_CHANNEL_SELECT_RED,
   };
   AT(SAMPLE_LZ, 3, 1, 0, 5, 5.5f / 8, 3.5f / 8);
   AT(LD, 3, 1, 0, 5, bits(5), bits(3));
}

/* Channels switched off in the header are left out of the response; a
 * response that is too short loses the last ones.
 */
static void
partial_responses(void **state)
{
   struct world *w = *state;
   make_2d(w, 8, 8, 1);
   fill_places(w);
   /* clang-format off */
   struct shot s = { .type = SAMPLE_LZ, .width = 8, .exec_mask = 0xff,
                     .header = true, .header2 = 1 << 12, .rlen = 2,
                     .params = 2 };
   /* clang-format on */
   for (unsigned i = 0; i < 8; i++) {
      s.param[0][i] = 5.5f / 8;
      s.param[1][i] = 3.5f / 8;
   }
   float out[4][16];
   fire(w, &s, out);
   assert_true(out[0][0] == 3 && out[1][0] == 0);
   s.header2 = 0;
   fire(w, &s, out);
   assert_true(out[0][0] == 5 && out[1][0] == 3);
   s.header2 = 7 << 12;
   assert_false(fire_raw(w, &s, out));
   assert_int_equal(w->t->fault.reason, SIM_FAULT_MESSAGE);
}

static void
buffers(void **state)
{
   struct world *w = *state;
   make_2d(w, 8, 8, 1);
   write_states(w);
   isl_buffer_fill_state(skl(), w->state->map + 0x1000, .address = IMAGE_BASE,
                         .size_B = 40, .format = ISL_FORMAT_R16G16_UINT,
                         .stride_B = 4, .swizzle = ISL_SWIZZLE_IDENTITY);
   const uint32_t v = 7 << 16 | 5;
   memcpy(w->image->map + 9 * 4, &v, 4);
   struct shot s = { .type = LD, .width = 8, .exec_mask = 0xff, .params = 1 };
   for (unsigned i = 0; i < 8; i++)
      s.param[0][i] = bits(i + 8);
   float out[4][16];
   assert_true(fire_raw(w, &s, out));
   assert_int_equal(util_float_bits(out[0][1]), 5);
   assert_int_equal(util_float_bits(out[1][1]), 7);
   assert_int_equal(util_float_bits(out[3][1]), 1);
   assert_int_equal(util_float_bits(out[0][2]), 0); /* element 10 of 10 */
   s.type = SAMPLE_LZ;
   assert_false(fire_raw(w, &s, out));
   s.type = RESINFO;
   assert_true(fire_raw(w, &s, out));
   assert_int_equal(util_float_bits(out[0][0]), 10);
}

static void
faults(void **state)
{
   struct world *w = *state;
   make_2d(w, 8, 8, 1);
   struct shot s = { .type = 13, .width = 8, .exec_mask = 0xff, .params = 2 };
   float out[4][16];
   write_states(w);
   assert_false(fire_raw(w, &s, out));
   assert_int_equal(w->t->fault.reason, SIM_FAULT_UNIMPLEMENTED);
   assert_non_null(strstr(w->t->fault.text, "13"));

   s.type = SAMPLE_LZ;
   w->sampler.ChromaKeyEnable = true;
   write_states(w);
   assert_false(fire_raw(w, &s, out));
   assert_non_null(strstr(w->t->fault.text, "chroma key"));
   w->sampler.ChromaKeyEnable = false;

   /* The image is not mapped. */
   write_states(w);
   isl_surf_fill_state(skl(), w->state->map + 0x1000, .surf = &w->surf,
                       .view = &w->view, .address = 0x7000000);
   assert_false(fire_raw(w, &s, out));
   assert_int_equal(w->t->fault.reason, SIM_FAULT_MEMORY);
   assert_int_equal(w->t->fault.address, 0x7000000);

   isl_null_fill_state(skl(), w->state->map + 0x1000,
                       (struct isl_extent3d) { 1, 1, 1 });
   assert_true(fire_raw(w, &s, out));
   assert_true(out[0][0] == 0 && out[3][7] == 0);

   write_states(w);
   struct GEN9_RENDER_SURFACE_STATE r;
   GEN9_RENDER_SURFACE_STATE_unpack(w->state->map + 0x1000, &r);
   r.SurfaceFormat = ISL_FORMAT_R64_FLOAT;
   GEN9_RENDER_SURFACE_STATE_pack(w->state->map + 0x1000, &r);
   assert_false(fire_raw(w, &s, out));
   assert_non_null(strstr(w->t->fault.text, "R64_FLOAT"));
}

/* ---------------------------------------------------------------- SIMD4x2 */

/* Two lanes; `p` are the parameters by position, four a register. */
static void
fire_4x2_raw(struct world *w, unsigned type, unsigned regs,
             const float p[2][12], float out[2][4])
{
   union sim_grf *g = w->t->grf;
   memset(g, 0xcc, sizeof(w->t->grf));
   for (unsigned k = 0; k < 4 * regs; k++)
      for (unsigned lane = 0; lane < 2; lane++)
         g[10 + k / 4].f[4 * lane + k % 4] = p[lane][k];
   const uint32_t desc = type << 12 | 1u << 29;
   struct isa_message fields;
   isa_message_unpack(isa_gen_from_number(w->t->env->verx10),
                      ISA_SFID_SAMPLER, desc, &fields);
   const struct sim_message m = {
      .sfid = ISA_SFID_SAMPLER,
      .desc = desc,
      .fields = &fields,
      .mlen = (uint8_t)regs,
      .rlen = 1,
      .exec_size = 8,
      .exec_mask = 0xff,
      .src0_grf = 10,
      .dst_grf = 10,
      .src0 = &g[10],
      .dst = &g[10],
   };
   memset(&w->t->fault, 0, sizeof(w->t->fault));
   if (!sim_msg_sampler(w->t, &m))
      fail_msg("fault: %s", w->t->fault.text);
   memcpy(out, &g[10], sizeof(union sim_grf));
}

static void
fire_4x2(struct world *w, unsigned type, unsigned regs, const float p[2][12],
         float out[2][4])
{
   write_states(w);
   fire_4x2_raw(w, type, regs, p, out);
}

/* Every kind of message: the parameters at their places of the manual's
 * SIMD4x2 payloads, those that do not count far off. */
static void
simd4x2(void **state)
{
   struct world *w = *state;
   const float x = 9e9f;
   float out[2][4];
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32G32B32A32_FLOAT, 16, 16, 1, 3,
              3, 1, 0);
   fill_places(w);
   fire_4x2(w, SAMPLE_L, 2,
            (const float[2][12]) { { 5.5f / 16, 3.5f / 16, 2, x, 0 },
                                   { 1.5f / 8, 2.5f / 8, 1, x, 1 } },
            out);
   expect(out[0], 5, 3, 2, 0);
   expect(out[1], 1, 2, 1, 1);
   /* Gradients of two texels: the next level. */
   fire_4x2(w, SAMPLE_D, 2,
            (const float[2][12]) {
               { 1.5f / 8, 2.5f / 8, 1, x, 2.f / 16, 0, 0, 2.f / 16 },
               { 5.5f / 16, 3.5f / 16, 0, x, 1.f / 16, 0, 0, 1.f / 16 } },
            out);
   expect(out[0], 1, 2, 1, 1);
   expect(out[1], 5, 3, 0, 0);
   /* Integers: u, v, r, lod. */
   fire_4x2(w, LD, 1,
            (const float[2][12]) { { bits(7), bits(5), bits(2), bits(1) },
                                   { bits(15), bits(1), bits(0), bits(0) } },
            out);
   expect(out[0], 7, 5, 2, 1);
   expect(out[1], 15, 1, 0, 0);
   /* Without a level of detail: the first one, as there are no pixels. */
   fire_4x2(w, SAMPLE, 1,
            (const float[2][12]) { { 5.5f / 16, 3.5f / 16, 0, x },
                                   { 0.5f / 16, 3.5f / 16, 2, x } },
            out);
   expect(out[0], 5, 3, 0, 0);
   expect(out[1], 0, 3, 2, 0);
   fire_4x2(w, RESINFO, 1, (const float[2][12]) { { bits(0) }, { bits(2) } },
            out);
   expect(out[0], bits(16), bits(16), bits(3), bits(3));
   expect(out[1], bits(4), bits(4), bits(3), bits(3));
   assert_true(util_float_bits(out[1][1]) == 4);

   /* A reference in front of the level of detail. */
   make_image(w, ISL_SURF_DIM_2D, ISL_FORMAT_R32_FLOAT, 4, 4, 1, 1, 1, 1, 0);
   const float half = 0.5f;
   for (unsigned i = 0; i < 16; i++)
      put(w, 0, 0, 0, i % 4, i / 4, &half);
   w->sampler.ShadowFunction = PREFILTEROP_LESS;
   fire_4x2(w, SAMPLE_L_C, 2,
            (const float[2][12]) { { 0.5f, 0.5f, 0, x, 0.25f, 0 },
                                   { 0.5f, 0.5f, 0, x, 0.75f, 0 } },
            out);
   assert_true(out[0][0] != out[1][0]);
   w->sampler.ShadowFunction = 0;

   /* Of a buffer only u counts. */
   isl_buffer_fill_state(skl(), w->state->map + 0x1000, .address = IMAGE_BASE,
                         .size_B = 64,
                         .format = ISL_FORMAT_R32G32B32A32_FLOAT,
                         .stride_B = 16, .swizzle = ISL_SWIZZLE_IDENTITY);
   for (unsigned i = 0; i < 16; i++) {
      const float v = (float)i;
      memcpy(w->image->map + 4 * i, &v, 4);
   }
   fire_4x2_raw(w, LD, 1,
                (const float[2][12]) { { bits(1), x, x, x },
                                       { bits(3), -1, -1, -1 } },
                out);
   expect(out[0], 4, 5, 6, 7);
   expect(out[1], 12, 13, 14, 15);
}

/* ----------------------------------------------------- on host vectors */

static unsigned
below(uint64_t *seed, unsigned n)
{
   *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
   return (unsigned)((*seed >> 33) * n >> 31);
}

static void
random_image(struct world *w, uint64_t *seed)
{
   static const enum isl_format formats[] = {
      ISL_FORMAT_R8G8B8A8_UNORM,
      ISL_FORMAT_B8G8R8A8_UNORM,
      ISL_FORMAT_R8G8B8X8_UNORM,
      ISL_FORMAT_B8G8R8X8_UNORM,
      ISL_FORMAT_R8G8B8A8_UNORM_SRGB,
      ISL_FORMAT_B8G8R8A8_UNORM_SRGB,
      ISL_FORMAT_R8_UNORM,
      ISL_FORMAT_R32_FLOAT,
      ISL_FORMAT_R32G32_FLOAT,
      ISL_FORMAT_R32G32B32A32_FLOAT,
      ISL_FORMAT_R16G16B16A16_FLOAT,
      ISL_FORMAT_R32_UINT,
      ISL_FORMAT_R32G32B32A32_SINT,
      ISL_FORMAT_R8G8_SNORM,
      ISL_FORMAT_R10G10B10A2_UNORM,
      ISL_FORMAT_R24_UNORM_X8_TYPELESS,
      ISL_FORMAT_R16_UNORM,
      ISL_FORMAT_R11G11B10_FLOAT,
   };
   const enum isl_format format = formats[below(seed, ARRAY_SIZE(formats))];
   const unsigned kind = below(seed, 8), width = 1 + below(seed, 40);
   const bool cube = kind == 0, volume = kind == 1;
   const unsigned height = cube ? width : 1 + below(seed, 40);
   const unsigned depth = volume ? 1 + below(seed, 6) : 1;
   const unsigned most = util_logbase2(MAX2(width, height)) + 1;
   const unsigned layers = cube        ? 6 * (1 + below(seed, 2))
                           : kind == 2 ? 1 + below(seed, 4)
                                       : 1;
   make_image(w, volume ? ISL_SURF_DIM_3D : ISL_SURF_DIM_2D, format, width,
              height, depth, 1 + below(seed, most), layers, 1,
              cube ? ISL_SURF_USAGE_CUBE_BIT : 0);
   if (below(seed, 3) == 0)
      assert_true(isl_surf_init(
         skl(), &w->surf, .dim = w->surf.dim, .format = format,
         .width = width, .height = height, .depth = depth,
         .levels = w->surf.levels, .array_len = layers, .samples = 1,
         .usage = w->view.usage, .tiling_flags = ISL_TILING_LINEAR_BIT));
   w->view.base_level = below(seed, w->surf.levels);
   w->view.levels = 1 + below(seed, w->surf.levels - w->view.base_level);
   w->view.min_lod = below(seed, 4) ? 0 : (float)below(seed, 600) / 256;
   if (below(seed, 4) == 0)
      w->view.swizzle.r = ISL_CHANNEL_SELECT_ONE;
   for (unsigned i = 0; i < w->surf.size_B; i++)
      w->image->map[i] = (uint8_t)below(seed, 256);
}

/* A CCS in the upper half of the image, in which few blocks are clear. */
static void
random_control_surface(struct world *w, uint64_t *seed)
{
   const unsigned size_B = isl_format_block_size_B(w->surf.format);
   static uint64_t last_draw;
   uint8_t *ccs = w->image->map + IMAGE_SIZE_B / 2;
   struct GEN9_RENDER_SURFACE_STATE s;
   w->env.draw_id = ++last_draw;
   if (w->surf.tiling != ISL_TILING_Y0 || size_B < 4 ||
       w->surf.size_B > IMAGE_SIZE_B / 2 || below(seed, 2))
      return;
   GEN9_RENDER_SURFACE_STATE_unpack((uint32_t *)(w->state->map + 0x1000), &s);
   s.AuxiliarySurfaceMode = AUX_CCS_D;
   s.AuxiliarySurfaceBaseAddress = IMAGE_BASE + IMAGE_SIZE_B / 2;
   s.AuxiliarySurfacePitch = 15;
   s.AuxiliarySurfaceQPitch = 192 / 4;
   s.RedClearColor = below(seed, 2);
   GEN9_RENDER_SURFACE_STATE_pack(w->state->map + 0x1000, &s);
   memset(ccs, 0, IMAGE_SIZE_B / 2);
   for (unsigned i = below(seed, 3) ? below(seed, 32) : 0; i; i--)
      ccs[below(seed, below(seed, 2) ? 64 : 4096)] =
         (uint8_t)below(seed, 256);
}

static void
random_sampler(struct world *w, uint64_t *seed)
{
   static const uint8_t wraps[] = { TCM_WRAP,         TCM_MIRROR,
                                    TCM_CLAMP,        TCM_CUBE,
                                    TCM_CLAMP_BORDER, TCM_MIRROR_ONCE,
                                    TCM_HALF_BORDER };
   const unsigned usual = below(seed, 3);
   w->sampler = (struct GEN9_SAMPLER_STATE) {
      .MinModeFilter = below(seed, 2),
      .MagModeFilter = below(seed, 2),
      .MipModeFilter = usual ? MIPFILTER_LINEAR
                             : (const uint8_t[]) { MIPFILTER_NONE,
                                                   MIPFILTER_NEAREST,
                                                   3 }[below(seed, 3)],
      .MinLOD = usual ? 0 : (float)below(seed, 600) / 256,
      .MaxLOD = usual ? 14 : (float)below(seed, 1200) / 256,
      .TextureLODBias = usual ? 0 : (float)below(seed, 1000) / 256 - 2,
      .LODPreClampMode = below(seed, 4) ? CLAMP_MODE_OGL : CLAMP_MODE_NONE,
      .LODClampMagnificationMode = below(seed, 2),
      .BorderColorPointer = 0x400,
      .CubeSurfaceControlMode = below(seed, 2),
      .NonnormalizedCoordinateEnable = below(seed, 16) == 0,
      .ShadowFunction = below(seed, 8),
      .TCXAddressControlMode = wraps[below(seed, 5 + 2 * (usual > 0))],
      .TCYAddressControlMode = wraps[below(seed, 5 + 2 * (usual > 0))],
      .TCZAddressControlMode = wraps[below(seed, 5)],
      .UAddressMinFilterRoundingEnable = below(seed, 2),
      .UAddressMagFilterRoundingEnable = below(seed, 2),
      .VAddressMinFilterRoundingEnable = below(seed, 2),
      .VAddressMagFilterRoundingEnable = below(seed, 2),
      .RAddressMinFilterRoundingEnable = below(seed, 2),
      .RAddressMagFilterRoundingEnable = below(seed, 2),
   };
}

static void
random_shot(struct shot *s, uint64_t *seed)
{
   static const uint8_t types[] = {
      SAMPLE,   SAMPLE,   SAMPLE,    SAMPLE_B,   SAMPLE_L,
      SAMPLE_C, SAMPLE_D, SAMPLE_LZ, SAMPLE_L_C, SAMPLE_C_LZ,
   };
   static const float odd[] = { NAN,      INFINITY,  -INFINITY, 1e30f,
                                -1e30f,   0.0f,      -0.0f,     1.0f,
                                65536.5f, 8388609.0f };
   memset(s, 0, sizeof(*s));
   s->type = types[below(seed, ARRAY_SIZE(types))];
   s->width = below(seed, 2) ? 8 : 16;
   s->exec_mask = below(seed, 2) ? 0xffff : below(seed, 0x10000);
   s->header = below(seed, 4) == 0;
   if (s->header)
      s->header2 = below(seed, 0x1000);
   s->params = s->type == SAMPLE_D ? 8 : 4;
   const float scale = exp2f((float)below(seed, 12) - 6);
   const float step = exp2f((float)below(seed, 12) - 10);
   for (unsigned p = 0; p < s->params; p++) {
      const float start = (float)below(seed, 4096) / 1024 - 2;
      for (unsigned i = 0; i < 16; i++) {
         if (s->type == LD || s->type == LD_LZ) {
            const unsigned most = s->type == LD && p == 1 ? 4 : 45;
            s->param[p][i] = util_bits_float(below(seed, most + 2) - 1);
            continue;
         }
         s->param[p][i] = start * scale +
                          step * (float)below(seed, 2048) / 2048;
         if (below(seed, 200) == 0)
            s->param[p][i] = odd[below(seed, ARRAY_SIZE(odd))];
      }
   }
}

static void
hear(void *data, enum sim_client client, uint64_t address, uint64_t size_B,
     enum sim_mem_access access)
{
}

/* Somebody who watches has messages done lane by lane: both ways must leave
 * the same bits in all registers, or the same fault. */
static void
vectors_as_lanes(void **state)
{
   struct world *w = *state;
   const struct sim_watch watch = { .log = hear };
   static union sim_grf slow[ARRAY_SIZE(w->t->grf)];
   uint64_t seed = 1;
   unsigned on_vectors = 0;
   for (unsigned round = 0; round < 1500; round++) {
      struct shot s;
      float out[4][16];
      random_image(w, &seed);
      random_sampler(w, &seed);
      write_states(w);
      /* Now and then not all of it is mapped. */
      if (below(&seed, 16) == 0)
         isl_surf_fill_state(skl(), w->state->map + 0x1000, .surf = &w->surf,
                             .view = &w->view,
                             .address = IMAGE_BASE + IMAGE_SIZE_B - 0x1000);
      else
         random_control_surface(w, &seed);
      for (unsigned shot = 0; shot < 4; shot++) {
         char text[sizeof(w->t->fault.text)];
         random_shot(&s, &seed);
         memset(&w->mem.fault, 0, sizeof(w->mem.fault));
         w->mem.watch = &watch;
         const bool ok = fire_raw(w, &s, out);
         memcpy(text, w->t->fault.text, sizeof(text));
         memcpy(slow, w->t->grf, sizeof(slow));
         memset(&w->mem.fault, 0, sizeof(w->mem.fault));
         w->mem.watch = NULL;
         if (fire_raw(w, &s, out) != ok ||
             memcmp(text, w->t->fault.text, sizeof(text)) != 0)
            fail_msg("round %u: %s, then %s", round, text, w->t->fault.text);
         for (unsigned i = 0; ok && i < 128 * 8; i++) {
            const uint32_t a = slow[i / 8].ud[i % 8];
            const uint32_t b = w->t->grf[i / 8].ud[i % 8];
            if (a != b)
               fail_msg("round %u, message %u from %s: r%u.%u is %08x, on "
                        "vectors %08x",
                        round, s.type,
                        isl_format_get_layout(w->surf.format)->name, i / 8,
                        i % 8, a, b);
         }
      }
      const struct sim_lookup l = {
         .t = w->t,
         .s = sim_surface_get(w->t, 0),
         .sampler = sim_sampler_at(w->t, DYNAMIC_BASE + 0x80),
      };
      on_vectors += sim_can_filter_lanes(&l);
   }
   if (on_vectors < 1000)
      fail_msg("only %u of 1500 states are done on vectors", on_vectors);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
   /* clang-format off */
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(simd4x2, setup, teardown),
      T(nearest),  T(bilinear),     T(wrap_modes), T(reductions),
      T(eight_bit_weights), T(constant_area), T(anisotropic_magnified),
      T(border_of_narrow_format), T(border_of_gen7),
      T(levels),   T(implicit_lod), T(gradients),  T(anisotropic),
      T(least_level_of_message),
      T(least_level_of_resource),
      T(seams),    T(levels_of_layers),
      T(arrays),   T(lines),        T(volumes),    T(cubes),
      T(cube_quads), T(shadows),    T(gathers),    T(offsets),
      T(offsets_beyond_half_border), T(integer_borders_of_haswell), T(loads),
      T(multisampled_loads),        T(infos),      T(swizzles),
      T(partial_responses),         T(buffers),    T(faults),
      T(vectors_as_lanes),
   };
   /* clang-format on */
   return cmocka_run_group_tests(tests, NULL, NULL);
}
