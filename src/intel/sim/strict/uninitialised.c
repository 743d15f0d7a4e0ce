/* SPDX-License-Identifier: MIT */
/*
 * State that was never sent (KR-17): what a context must have been given
 * before its first draw or walker. A new context starts from an image that
 * the kernel recorded, of which nothing is promised, so that a packet that a
 * draw makes use of and that was never sent holds anything.
 *
 * Some are wanted by each draw: the stages themselves, what the kernel does
 * not set (KR-47), and what i915's null-state batch and the initialisation of
 * Mesa's drivers send; others if another packet, or the draw, switches on
 * what reads them.
 */
#include "intel/genxml/gen9_pack.h"
#include "strict_private.h"

#define CACHE_MODE_1_MSC_RAW (1u << 9)

#define ALWAYS NULL, NULL
#define OF_STAGE(stage)                                                      \
   { "3DSTATE_CONSTANT_" #stage, "3DSTATE_" #stage, "Enable" },              \
      { "3DSTATE_BINDING_TABLE_POINTERS_" #stage, "3DSTATE_" #stage,         \
        "BindingTableEntryCount" },                                          \
   {                                                                         \
      "3DSTATE_SAMPLER_STATE_POINTERS_" #stage, "3DSTATE_" #stage,           \
         "SamplerCount"                                                      \
   }

/* Packets that a generation does not have count as sent, fields as zero. */
static const struct {
   const char *name;
   const char *packet, *field; /* wanted if that is not zero */
} wanted[] = {
   { "PIPELINE_SELECT", ALWAYS },
   { "STATE_BASE_ADDRESS", ALWAYS },
   { "3DSTATE_VS", ALWAYS },
   { "3DSTATE_HS", ALWAYS },
   { "3DSTATE_TE", ALWAYS },
   { "3DSTATE_DS", ALWAYS },
   { "3DSTATE_GS", ALWAYS },
   { "3DSTATE_STREAMOUT", ALWAYS },
   { "3DSTATE_CLIP", ALWAYS },
   { "3DSTATE_SF", ALWAYS },
   { "3DSTATE_WM", ALWAYS },
   { "3DSTATE_PS", ALWAYS },
   { "3DSTATE_SBE", ALWAYS },
   { "3DSTATE_MULTISAMPLE", ALWAYS },
   { "3DSTATE_SAMPLE_MASK", ALWAYS },
   { "3DSTATE_DRAWING_RECTANGLE", ALWAYS },
   { "3DSTATE_DEPTH_BUFFER", ALWAYS },
   { "3DSTATE_STENCIL_BUFFER", ALWAYS },
   { "3DSTATE_HIER_DEPTH_BUFFER", ALWAYS },
   { "3DSTATE_CLEAR_PARAMS", ALWAYS },
   { "3DSTATE_URB_VS", ALWAYS },
   { "3DSTATE_URB_HS", ALWAYS },
   { "3DSTATE_URB_DS", ALWAYS },
   { "3DSTATE_URB_GS", ALWAYS },
   { "3DSTATE_PUSH_CONSTANT_ALLOC_VS", ALWAYS },
   { "3DSTATE_PUSH_CONSTANT_ALLOC_PS", ALWAYS },
   { "3DSTATE_VERTEX_ELEMENTS", ALWAYS },
   { "3DSTATE_VIEWPORT_STATE_POINTERS_CC", ALWAYS },
   /* Gen8 and later. */
   { "3DSTATE_RASTER", ALWAYS },
   { "3DSTATE_PS_EXTRA", ALWAYS },
   { "3DSTATE_PS_BLEND", ALWAYS },
   { "3DSTATE_WM_DEPTH_STENCIL", ALWAYS },
   { "3DSTATE_WM_CHROMAKEY", ALWAYS },
   { "3DSTATE_VF_TOPOLOGY", ALWAYS },
   { "3DSTATE_VF_SGVS", ALWAYS },
   { "3DSTATE_VF_INSTANCING", ALWAYS },
   { "3DSTATE_SAMPLE_PATTERN", ALWAYS },
   /* Gen7. */
   { "3DSTATE_DEPTH_STENCIL_STATE_POINTERS", ALWAYS },

   { "3DSTATE_INDEX_BUFFER", "3DPRIMITIVE", "VertexAccessType" },
   { "3DSTATE_VF", "3DPRIMITIVE", "VertexAccessType" },
   OF_STAGE(VS),
   OF_STAGE(HS),
   OF_STAGE(DS),
   OF_STAGE(GS),
   OF_STAGE(PS),
   { "3DSTATE_PUSH_CONSTANT_ALLOC_HS", "3DSTATE_HS", "Enable" },
   { "3DSTATE_PUSH_CONSTANT_ALLOC_DS", "3DSTATE_DS", "Enable" },
   { "3DSTATE_PUSH_CONSTANT_ALLOC_GS", "3DSTATE_GS", "Enable" },
   { "3DSTATE_SO_DECL_LIST", "3DSTATE_STREAMOUT", "SOFunctionEnable" },
   { "3DSTATE_SO_BUFFER", "3DSTATE_STREAMOUT", "SOFunctionEnable" },
   { "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", "3DSTATE_SF",
     "ViewportTransformEnable" },
   { "3DSTATE_SCISSOR_STATE_POINTERS", "3DSTATE_SF",
     "ScissorRectangleEnable" },
   { "3DSTATE_SCISSOR_STATE_POINTERS", "3DSTATE_RASTER",
     "ScissorRectangleEnable" },
   { "3DSTATE_AA_LINE_PARAMETERS", "3DSTATE_SF", "AntialiasingEnable" },
   { "3DSTATE_AA_LINE_PARAMETERS", "3DSTATE_RASTER", "AntialiasingEnable" },
   { "3DSTATE_LINE_STIPPLE", "3DSTATE_WM", "LineStippleEnable" },
   { "3DSTATE_POLY_STIPPLE_PATTERN", "3DSTATE_WM", "PolygonStippleEnable" },
   { "3DSTATE_POLY_STIPPLE_OFFSET", "3DSTATE_WM", "PolygonStippleEnable" },
   { "3DSTATE_SBE_SWIZ", "3DSTATE_SBE", "AttributeSwizzleEnable" },
   /* Of pixels that are shaded. */
   { "3DSTATE_CONSTANT_PS", "3DSTATE_WM", "ThreadDispatchEnable" },
   { "3DSTATE_CONSTANT_PS", "3DSTATE_PS_EXTRA", "PixelShaderValid" },
   { "3DSTATE_BINDING_TABLE_POINTERS_PS", "3DSTATE_WM",
     "ThreadDispatchEnable" },
   { "3DSTATE_BINDING_TABLE_POINTERS_PS", "3DSTATE_PS_EXTRA",
     "PixelShaderValid" },
   { "3DSTATE_BLEND_STATE_POINTERS", "3DSTATE_WM", "ThreadDispatchEnable" },
   { "3DSTATE_BLEND_STATE_POINTERS", "3DSTATE_PS_EXTRA", "PixelShaderValid" },
   { "3DSTATE_CC_STATE_POINTERS", "3DSTATE_WM", "ThreadDispatchEnable" },
   { "3DSTATE_CC_STATE_POINTERS", "3DSTATE_PS_EXTRA", "PixelShaderValid" },
};

static void
check_sent(struct strict_command *c, const char *name)
{
   STRICT_CHECK(c, KR_17, !strict_was_sent(c, name), "%s", name);
}

/* Whether an element is filled from a buffer, as far as they are remembered:
 * "Valid", and a first component that is stored. */
static bool
reads_vertices(const struct strict_command *c)
{
   const uint32_t *dw = strict_last(c, "3DSTATE_VERTEX_ELEMENTS");
   const unsigned n = (dw[0] & 0xff) + 2;
   for (unsigned i = 1; i + 1 < MIN2(n, (unsigned)STRICT_MAX_DWORDS);
        i += 2) {
      if ((dw[i] >> 25 & 1) && (dw[i + 1] >> 28 & 7) == VFCOMP_STORE_SRC)
         return true;
   }
   return false;
}

void
strict_draw_uninitialised(struct strict_command *c)
{
   for (unsigned i = 0; i < ARRAY_SIZE(wanted); i++) {
      const char *packet = wanted[i].packet, *field = wanted[i].field;
      if (!packet ||
          (!strcmp(packet, c->group->name) ? strict_get(c, field)
                                           : strict_state(c, packet, field)))
         check_sent(c, wanted[i].name);
   }
   if (strict_was_sent(c, "3DSTATE_VERTEX_ELEMENTS") && reads_vertices(c))
      check_sent(c, "3DSTATE_VERTEX_BUFFERS");
   STRICT_CHECK(c, KR_17, !c->c->l3_seen, "%s", "how L3 is dealt out");
   const uint32_t mode = cs_get_register(c->cs, GEN9_CACHE_MODE_1_num);
   STRICT_CHECK(c, KR_48, !(mode & CACHE_MODE_1_MSC_RAW), "0x%08x", mode);
}

static void
check_walker(struct strict_command *c)
{
   struct GEN9_INTERFACE_DESCRIPTOR_DATA d;
   check_sent(c, "PIPELINE_SELECT");
   check_sent(c, "STATE_BASE_ADDRESS");
   check_sent(c, "MEDIA_VFE_STATE");
   if (strict_descriptor(c, &d) && d.ConstantURBEntryReadLength &&
       !strict_get(c, "IndirectDataLength"))
      check_sent(c, "MEDIA_CURBE_LOAD");
   STRICT_CHECK(c, KR_17, !c->c->l3_seen, "%s", "how L3 is dealt out");
}

const struct strict_row strict_uninitialised_rows[] = {
   { "GPGPU_WALKER", false, check_walker },
   { NULL, false, NULL },
};
