/* SPDX-License-Identifier: MIT */
/*
 * State that was never sent (KR-17), packet by packet: with all that a draw
 * or a walker wants nothing is reported, without any one of them just that
 * one is.
 */
#include "sim_batch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strict_text.h"

/* Draws and dispatches of nothing: what the registers say is zero. */
#define DRAW "3DPRIMITIVE IndirectParameterEnable=1"
#define WALK "GPGPU_WALKER PredicateEnable=1"
/* Of one element, from a buffer. */
#define ELEMENTS(word) "3DSTATE_VERTEX_ELEMENTS length=3 dw1=" #word

struct list {
   const char *gens;
   const char *wanted; /* one of each of these packets, separated by ';' */
   const char *also;   /* others, which say that those are wanted */
   const char *work;
};

#define STAGE(stage)                                                         \
   "3DSTATE_CONSTANT_" #stage ";3DSTATE_BINDING_TABLE_POINTERS_" #stage      \
   ";3DSTATE_SAMPLER_STATE_POINTERS_" #stage
#define ROOM(stage) ";3DSTATE_PUSH_CONSTANT_ALLOC_" #stage
#define STAGE_ON " Enable=1 BindingTableEntryCount=1 SamplerCount=1"

/* clang-format off */
static const struct list lists[] = {
   { "ivb hsw bdw skl",
     "PIPELINE_SELECT;STATE_BASE_ADDRESS;MI_LOAD_REGISTER_IMM;"
     "3DSTATE_VS;3DSTATE_HS;3DSTATE_TE;3DSTATE_DS;3DSTATE_GS;"
     "3DSTATE_STREAMOUT;3DSTATE_CLIP;3DSTATE_SF;3DSTATE_WM;3DSTATE_PS;"
     "3DSTATE_SBE;3DSTATE_MULTISAMPLE;3DSTATE_SAMPLE_MASK;"
     "3DSTATE_DRAWING_RECTANGLE;3DSTATE_DEPTH_BUFFER;3DSTATE_STENCIL_BUFFER;"
     "3DSTATE_HIER_DEPTH_BUFFER;3DSTATE_CLEAR_PARAMS;3DSTATE_URB_VS;"
     "3DSTATE_URB_HS;3DSTATE_URB_DS;3DSTATE_URB_GS;"
     "3DSTATE_PUSH_CONSTANT_ALLOC_VS;3DSTATE_PUSH_CONSTANT_ALLOC_PS;"
     "3DSTATE_VERTEX_ELEMENTS length=3;3DSTATE_VIEWPORT_STATE_POINTERS_CC;"
     "3DSTATE_RASTER;3DSTATE_PS_EXTRA;3DSTATE_PS_BLEND;"
     "3DSTATE_WM_DEPTH_STENCIL;3DSTATE_WM_CHROMAKEY;3DSTATE_VF_TOPOLOGY;"
     "3DSTATE_VF_SGVS;3DSTATE_VF_INSTANCING;3DSTATE_SAMPLE_PATTERN;"
     "3DSTATE_DEPTH_STENCIL_STATE_POINTERS", "", DRAW },
   { "ivb hsw bdw skl", "3DSTATE_INDEX_BUFFER;3DSTATE_VF", "",
     DRAW " VertexAccessType=1" },
   { "ivb hsw bdw skl", "3DSTATE_VERTEX_BUFFERS length=5",
     ELEMENTS(0x02000000) " dw2=0x10000000", DRAW },
   { "ivb hsw bdw skl", STAGE(VS), "3DSTATE_VS" STAGE_ON, DRAW },
   { "ivb hsw bdw skl", STAGE(HS) ROOM(HS), "3DSTATE_HS" STAGE_ON, DRAW },
   { "ivb hsw bdw skl", STAGE(DS) ROOM(DS), "3DSTATE_DS" STAGE_ON, DRAW },
   { "ivb hsw bdw skl", STAGE(GS) ROOM(GS), "3DSTATE_GS" STAGE_ON, DRAW },
   { "ivb hsw bdw skl", "3DSTATE_SAMPLER_STATE_POINTERS_PS",
     "3DSTATE_PS SamplerCount=1", DRAW },
   { "ivb hsw bdw skl", "3DSTATE_BINDING_TABLE_POINTERS_PS",
     "3DSTATE_PS BindingTableEntryCount=1", DRAW },
   { "ivb hsw",
     "3DSTATE_CONSTANT_PS;3DSTATE_BINDING_TABLE_POINTERS_PS;"
     "3DSTATE_BLEND_STATE_POINTERS;3DSTATE_CC_STATE_POINTERS",
     "3DSTATE_WM ThreadDispatchEnable=1", DRAW },
   { "bdw skl",
     "3DSTATE_CONSTANT_PS;3DSTATE_BINDING_TABLE_POINTERS_PS;"
     "3DSTATE_BLEND_STATE_POINTERS;3DSTATE_CC_STATE_POINTERS",
     "3DSTATE_PS_EXTRA PixelShaderValid=1", DRAW },
   { "ivb hsw bdw skl", "3DSTATE_SO_DECL_LIST length=3;3DSTATE_SO_BUFFER",
     "3DSTATE_STREAMOUT SOFunctionEnable=1", DRAW },
   { "ivb hsw bdw skl", "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP",
     "3DSTATE_SF ViewportTransformEnable=1", DRAW },
   { "ivb hsw",
     "3DSTATE_SCISSOR_STATE_POINTERS;3DSTATE_AA_LINE_PARAMETERS",
     "3DSTATE_SF ScissorRectangleEnable=1 AntialiasingEnable=1", DRAW },
   { "bdw skl", "3DSTATE_SCISSOR_STATE_POINTERS;3DSTATE_AA_LINE_PARAMETERS",
     "3DSTATE_RASTER ScissorRectangleEnable=1 AntialiasingEnable=1", DRAW },
   { "ivb hsw bdw skl",
     "3DSTATE_LINE_STIPPLE;3DSTATE_POLY_STIPPLE_PATTERN;"
     "3DSTATE_POLY_STIPPLE_OFFSET",
     "3DSTATE_WM LineStippleEnable=1 PolygonStippleEnable=1", DRAW },
   { "bdw skl", "3DSTATE_SBE_SWIZ", "3DSTATE_SBE AttributeSwizzleEnable=1",
     DRAW },
   { "ivb hsw bdw skl",
     "PIPELINE_SELECT;STATE_BASE_ADDRESS;MI_LOAD_REGISTER_IMM;"
     "MEDIA_VFE_STATE;MEDIA_CURBE_LOAD", "", WALK },
};
/* clang-format on */

struct heard {
   unsigned count;
   char first[256];
};

static void
hear(void *data, const char *line)
{
   struct heard *h = data;
   if (!h->count++)
      snprintf(h->first, sizeof(h->first), "%s", line);
}

static unsigned
verx10_of(const char *gen)
{
   return !strcmp(gen, "ivb")   ? 70
          : !strcmp(gen, "hsw") ? 75
          : !strcmp(gen, "bdw") ? 80
                                : 90;
}

/* The command that a piece of text begins with. */
static void
name_of(char name[64], const char *text)
{
   snprintf(name, 64, "%.*s", (int)strcspn(text, " ;"), text);
}

/* Pieces of `list` that the generation has, but for number `without`; how
 * many it has. A packet that is in `also` is sent as it is there. */
static unsigned
add(char *to, size_t size, const struct genxml_spec *spec, const char *list,
    const char *also, unsigned without, char gone[64])
{
   char copy[2048], *rest;
   unsigned n = 0;
   snprintf(copy, sizeof(copy), "%s", list);
   for (char *piece = strtok_r(copy, ";", &rest); piece;
        piece = strtok_r(NULL, ";", &rest)) {
      char name[64], begins[72];
      name_of(name, piece);
      if (!genxml_find(spec, name))
         continue;
      snprintf(begins, sizeof(begins), "%s ", name);
      const bool other = !strncmp(also, begins, strlen(begins));
      if (n++ == without)
         snprintf(gone, 64, "%s", name);
      else if (!other)
         snprintf(to + strlen(to), size - strlen(to), "%s%s;", piece,
                  strcmp(name, "MI_LOAD_REGISTER_IMM") ? ""
                  : spec->verx10 >= 80
                     ? " RegisterOffset=0x7034 DataDWord=0x60000121"
                     : " RegisterOffset=0xb010 DataDWord=0");
   }
   return n;
}

static struct heard
run(const char *gen, const char *text, bool walks)
{
   struct heard h = { 0 };
   void *state;
   setenv("SAFFRON_SIM_STRICT", "report", 1);
   setenv("SAFFRON_SIM_RULES", "KR-17", 1);
   f_setup_gen(&state, gen);
   unsetenv("SAFFRON_SIM_STRICT");
   struct batch b = batch_start(&state);
   saffron_sim_set_report(b.f->sim, hear, &h);
   const struct genxml_spec *spec = genxml_spec_get(verx10_of(gen));
   if (walks) {
      /* A descriptor whose groups read a register of constants. */
      uint32_t *d = (uint32_t *)b.data.map + 0x800 / 4;
      d[spec->verx10 >= 80 ? 5 : 4] = 1 << 16;
      b.next += strict_text(spec,
                            "MEDIA_INTERFACE_DESCRIPTOR_LOAD "
                            "InterfaceDescriptorTotalLength=32 "
                            "InterfaceDescriptorDataStartAddress=0x200800",
                            b.next, 64);
   }
   const unsigned n = strict_text(spec, text, b.next, 4096);
   b.next[n] = MI_BATCH_BUFFER_END;
   assert_int_equal(f_run(b.f, &b.bo), 0);
   if (f_resets(b.f))
      fail_msg("%s: '%s': %s", gen, text, h.first);
   f_teardown(&state);
   return h;
}

/* One row on one generation; `without`: a packet that is not sent. How many
 * there are. */
static unsigned
check(const struct list *l, const char *gen, unsigned without)
{
   const struct genxml_spec *spec = genxml_spec_get(verx10_of(gen));
   const bool walks = !strncmp(l->work, "GPGPU", 5);
   char text[4096] = "", gone[64] = "", words[128];
   const unsigned n =
      add(text, sizeof(text), spec, l->wanted, l->also, without, gone);
   /* What each draw wants is there as well. */
   if (l != lists && !walks)
      add(text, sizeof(text), spec, lists[0].wanted, l->also, UINT_MAX, NULL);
   snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s;%s",
            l->also, l->work);
   const struct heard h = run(gen, text, walks);
   snprintf(words, sizeof(words), "never sent: %s;",
            strcmp(gone, "MI_LOAD_REGISTER_IMM") ? gone
                                                 : "how L3 is dealt out");
   if (!*gone ? h.count != 0 : h.count != 1 || !strstr(h.first, words))
      fail_msg("%s without '%s': %u reports: %s", gen, gone, h.count,
               h.first);
   return n;
}

static void
test_uninitialised(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(lists); i++) {
      char gens[32], *rest;
      strcpy(gens, lists[i].gens);
      for (char *gen = strtok_r(gens, " ", &rest); gen;
           gen = strtok_r(NULL, " ", &rest)) {
         const unsigned n = check(&lists[i], gen, UINT_MAX);
         for (unsigned k = 0; k < n; k++)
            check(&lists[i], gen, k);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_uninitialised),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
