/* SPDX-License-Identifier: MIT */
/*
 * Whole draws under strict mode: that those who reach memory tell it. What
 * is right and wrong is tested in test_caches.c.
 */
#include "sim_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct heard {
   unsigned count;
   char first[1024];
};

static void
hear(void *data, const char *line)
{
   struct heard *h = data;
   if (!h->count++)
      strncpy(h->first, line, sizeof(h->first) - 1);
}

/* Until the simulator is gone, which reports at its end. */
static struct heard heard;

static struct scene
start(void **state, const struct setup *u)
{
   struct scene s = scene_start(state, u);
   heard = (struct heard) { 0 };
   saffron_sim_set_report(s.b.f->sim, hear, &heard);
   return s;
}

static void
finish(struct scene *s)
{
   *s->b.next++ = MI_BATCH_BUFFER_END;
   s->b.next = s->b.bo.map;
   assert_int_equal(f_run(s->b.f, &s->b.bo), 0);
}

static void
expect(const char *rule, const char *words)
{
   char begin[32];
   snprintf(begin, sizeof(begin), "strict: %s ", rule);
   if (strncmp(heard.first, begin, strlen(begin)) ||
       !strstr(heard.first, words))
      fail_msg("no %s (%s): '%s'", rule, words, heard.first);
}

static void
expect_none(void)
{
   if (heard.count)
      fail_msg("%s", heard.first);
}

/* Targets and depth buffers that the next draw samples. */
static void
test_sampled(void **state)
{
   static const struct {
      uint64_t address;
      const char *rule, *words;
   } rows[] = {
      { TARGET, "CC-04", "the sampler reads" },
      { DEPTH, "CC-05", "written by the depth cache in 3DPRIMITIVE" },
   };
   const struct setup u = { .program = texture_text,
                            .depth = true,
                            .ds = { .DepthBufferWriteEnable = true,
                                    .DepthTestEnable = true,
                                    .DepthTestFunction =
                                       COMPAREFUNCTION_ALWAYS } };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned kept = 0; kept < 2; kept++) {
         struct scene s = start(state, &u);
         scene_texture(&s, 8, rows[i].address);
         scene_fill(&s, 0.5f, 0, 0, 0, 0);
         if (kept) {
            EMIT(&s.b, PIPE_CONTROL, .RenderTargetCacheFlushEnable = true,
                 .DepthCacheFlushEnable = true,
                 .CommandStreamerStallEnable = true,
                 .PostSyncOperation = WriteImmediateData, .Address = DATA);
            EMIT(&s.b, PIPE_CONTROL, .TextureCacheInvalidationEnable = true);
         }
         scene_fill(&s, 0.5f, 0, 0, 0, 0);
         finish(&s);
         if (kept)
            expect_none();
         else
            expect(rows[i].rule, rows[i].words);
      }
   }
}

/* A texture that is seen with another pitch: a rule of caches, without any of
 * threads. */
static void
test_other_pitch(void **state)
{
   for (unsigned kept = 0; kept < 2; kept++) {
      struct scene s =
         start(state, &(struct setup) { .program = texture_text });
      struct GEN9_RENDER_SURFACE_STATE other;
      scene_texture(&s, 8, TEXTURE);
      GEN9_RENDER_SURFACE_STATE_unpack(&s.surfaces.map[0x140 / 4], &other);
      other.SurfacePitch = 2 * other.SurfacePitch + 1;
      GEN9_RENDER_SURFACE_STATE_pack(&s.surfaces.map[0x180 / 4], &other);
      s.surfaces.map[0x20 / 4] = 0x100;
      s.surfaces.map[0x24 / 4] = 0x180;
      scene_fill(&s, 0.5f, 0, 0, 0, 0);
      if (kept)
         EMIT(&s.b, PIPE_CONTROL, .TextureCacheInvalidationEnable = true,
              .CommandStreamerStallEnable = true);
      EMIT(&s.b, 3DSTATE_BINDING_TABLE_POINTERS_PS,
           .PointertoPSBindingTable = 0x20);
      scene_fill(&s, 0.5f, 0, 0, 0, 0);
      finish(&s);
      if (kept)
         expect_none();
      else
         expect("CC-15", "the sampler uses a surface otherwise");
   }
}

/* What a shader stores, and a command loads. */
static void
test_stored(void **state)
{
   for (unsigned kept = 0; kept < 2; kept++) {
      struct scene s =
         start(state, &(struct setup) { .program = count_text });
      scene_fill(&s, 0.5f, 1, 1, 1, 1);
      if (kept)
         EMIT(&s.b, PIPE_CONTROL, .DCFlushEnable = true,
              .CommandStreamerStallEnable = true);
      EMIT(&s.b, MI_LOAD_REGISTER_MEM, .RegisterAddress = GEN9_CS_GPR0_num,
           .MemoryAddress = DATA + 16);
      finish(&s);
      if (kept)
         expect_none();
      else
         expect("CC-06", "written by the data port");
   }
}

/* Vertices that a command changes after they have been read. */
static void
test_vertices(void **state)
{
   for (unsigned kept = 0; kept < 2; kept++) {
      struct scene s = start(state, &(struct setup) { 0 });
      const struct vertex v[3] = { { -1, -1, 0, 1 },
                                   { 1, -1, 0, 1 },
                                   { -1, 1, 0, 1 } };
      scene_draw(&s, _3DPRIM_TRILIST, v, 3);
      batch_store(&s.b, VERTICES + 4, 0);
      if (kept) {
         EMIT(&s.b, PIPE_CONTROL, .CommandStreamerStallEnable = true);
         EMIT(&s.b, PIPE_CONTROL, 0);
         EMIT(&s.b, PIPE_CONTROL, .VFCacheInvalidationEnable = true,
              .PostSyncOperation = WriteImmediateData, .Address = DATA);
      }
      s.num_vertices = 0;
      scene_draw(&s, _3DPRIM_TRILIST, v, 3);
      finish(&s);
      if (kept)
         expect_none();
      else
         expect("CM-14", "vertex fetch reads");
   }
}

/* Blending with a second colour that the shader does not send. */
static void
test_second_color(void **state)
{
   for (unsigned kept = 0; kept < 2; kept++) {
      const unsigned factor = kept ? BLENDFACTOR_SRC_COLOR
                                   : BLENDFACTOR_SRC1_COLOR;
      const struct setup u = { .blend = {
                                  .ColorBufferBlendEnable = true,
                                  .SourceBlendFactor = factor,
                                  .SourceAlphaBlendFactor = factor,
                                  .DestinationBlendFactor = BLENDFACTOR_ONE,
                                  .DestinationAlphaBlendFactor =
                                     BLENDFACTOR_ONE,
                               } };
      struct scene s = start(state, &u);
      scene_fill(&s, 0.5f, 1, 1, 1, 1);
      finish(&s);
      if (kept)
         expect_none();
      else
         expect("FF-05", "target 0");
   }
}

/* What stands behind the first target's state counts if that target is
 * written: a driver need not have put anything there. */
static void
test_blend_and_logic(void **state)
{
   static const char second_target[] =
      "(W) mov (8|M0) r120.0<1>:ud r0.0<8;8,1>:ud\n"
      "(W) mov (8|M0) r121.0<1>:ud r1.0<8;8,1>:ud\n"
      "(W) mov (1|M0) r120.2<1>:ud 1:ud\n"
      "mov (8|M0) r122.0<1>:f 1.0:f\n"
      "mov (8|M0) r123.0<1>:f 1.0:f\n"
      "mov (8|M0) r124.0<1>:f 1.0:f\n"
      "mov (8|M0) r125.0<1>:f 1.0:f\n"
      "sendc (8|M0) null r120 0x25 0x0C0B1400 {EOT}\n";
   for (unsigned kept = 0; kept < 2; kept++) {
      const struct setup u = { .program = kept ? color_text : second_target };
      struct scene s = start(state, &u);
      const struct GEN9_BLEND_STATE_ENTRY both = {
         .ColorBufferBlendEnable = true,
         .LogicOpEnable = true,
         .SourceBlendFactor = BLENDFACTOR_ONE,
         .SourceAlphaBlendFactor = BLENDFACTOR_ONE,
         .DestinationBlendFactor = BLENDFACTOR_ONE,
         .DestinationAlphaBlendFactor = BLENDFACTOR_ONE,
      };
      GEN9_BLEND_STATE_ENTRY_pack((char *)s.dynamic.map + AT_BLEND + 12,
                                  &both);
      scene_fill(&s, 0.5f, 1, 1, 1, 1);
      finish(&s);
      if (kept)
         expect_none();
      else
         expect("FF-06", "target 1");
   }
}

/* A target of one sample, and four that are drawn: a fault, strict or not. */
static void
test_samples(void **state)
{
   struct scene s = start(state, &(struct setup) { 0 });
   const struct vertex v[3] = { { -1, -1, 0, 1 },
                                { 1, -1, 0, 1 },
                                { -1, 1, 0, 1 } };
   EMIT(&s.b, 3DSTATE_MULTISAMPLE, .NumberofMultisamples = 2);
   scene_draw(&s, _3DPRIM_TRILIST, v, 3);
   finish(&s);
   if (!strstr(heard.first, "has 1 samples, 3DSTATE_MULTISAMPLE 4"))
      fail_msg("%s", heard.first);
}

/* The last two columns of the first two rows of a target of 16384: what is
 * in them alone, and what is in another column, too. */
static void
test_wide(void **state)
{
   const struct setup u = { .size = 16384, .height = 2, .samples = 4 };
   for (unsigned kept = 0; kept < 2; kept++) {
      const float left = (kept ? 16381.0f : 16382.0f) / 8192 - 1;
      const struct vertex v[3] = { { left, -1, 0, 1 },
                                   { 1, -1, 0, 1 },
                                   { 1, 2.0f / 8192 - 1, 0, 1 } };
      struct scene s = start(state, &u);
      scene_draw(&s, _3DPRIM_TRILIST, v, 3);
      finish(&s);
      if (kept)
         expect_none();
      else
         expect("RL-33", "of target 0");
   }
}

/* A vertex shader that hands on header, position (from r116 on) and an
 * attribute (from r121 on), or leaves a component undefined. */
static const char *
vertex_text(unsigned leave_out)
{
   static char text[2048];
   const unsigned from[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 10, 11, 12, 13 };
   int n = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(from); i++) {
      if (111 + i != leave_out)
         n += snprintf(text + n, sizeof(text) - (size_t)n,
                       "mov (8|M0) r%u.0<1>:ud r%u.0<8;8,1>:ud\n", 111 + i,
                       from[i]);
   }
   snprintf(text + n, sizeof(text) - (size_t)n,
            "send (8|M0) null r111 0x6 0x12080007\n"
            "send (8|M0) null r120 0x26 0x0A080027 {EOT}\n");
   return text;
}

/* What the shader leaves undefined in the URB, and who uses it. */
static void
test_undefined(void **state)
{
   static const struct {
      const char *program;
      unsigned leave_out;
      const char *words;
   } rows[] = {
      { color_text, 0, NULL },
      { color_text, 117, "a position" },
      { color_text, 121, "red of channel" },
      { texture_text, 0, NULL },
      { texture_text, 122, "a coordinate" },
      /* The third component is of no use to the sampler. */
      { texture_text, 123, NULL },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct scene s =
         start(state, &(struct setup) { .program = rows[i].program });
      scene_texture(&s, 8, TEXTURE);
      scene_program(&s, 0x200, vertex_text(rows[i].leave_out));
      EMIT(&s.b, 3DSTATE_URB_VS, .VSNumberofURBEntries = 1000,
           .VSURBEntryAllocationSize = 1);
      EMIT(&s.b, 3DSTATE_VS, .Enable = true, .SIMD8DispatchEnable = true,
           .KernelStartPointer = 0x200,
           .DispatchGRFStartRegisterForURBData = 2,
           .VertexURBEntryReadLength = 2, .MaximumNumberofThreads = 1);
      scene_fill(&s, 0.5f, 0, 0, 0, 0);
      finish(&s);
      if (rows[i].words)
         expect("EU-73", rows[i].words);
      else
         expect_none();
   }
}

static int
setup(void **state)
{
   setenv("SAFFRON_SIM_STRICT", "report", 1);
   setenv("SAFFRON_SIM_RULES", "CC,CM,EU-73,FF-05,FF-06,RL-33,-CC-27,-CC-30",
          1);
   return f_setup(state);
}

static int
setup_caches(void **state)
{
   setenv("SAFFRON_SIM_STRICT", "report", 1);
   setenv("SAFFRON_SIM_RULES", "CC-15", 1);
   return f_setup(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, f_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      TEST(test_sampled),
      TEST(test_stored),
      TEST(test_vertices),
      TEST(test_second_color),
      TEST(test_blend_and_logic),
      TEST(test_samples),
      TEST(test_undefined),
      TEST(test_wide),
      cmocka_unit_test_setup_teardown(test_other_pitch, setup_caches,
                                      f_teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
