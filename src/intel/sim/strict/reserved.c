/* SPDX-License-Identifier: MIT */
/*
 * Bits that genxml gives to no field must be zero; fields of commands that
 * nothing else here looks at must be what the simulator is right for. Other
 * fields that nobody looks at are in rules/fields.txt, with the reason;
 * test_fields.py counts them.
 */
#include "strict_private.h"

#include <assert.h>

#include "intel/sim/gen/traits.h"

/* The fields that own bits of dword `at`, as a mask. */
static uint32_t
owned(const struct genxml_group *g, unsigned at, unsigned n)
{
   uint32_t mask = 0;
   if (at == 0)
      mask = g->opcode_mask | BITFIELD_RANGE(g->length_lo, g->length_bits);
   for (unsigned i = 0; i < g->num_fields; i++) {
      const struct genxml_field *f = &g->fields[i];
      /* Elements that fit into a dword divide none; of others, all bits of
       * the array count. */
      const unsigned count = f->count ? f->count
                                      : (n * 32 - MIN2(f->lo, n * 32)) /
                                           MAX2(f->stride, 1);
      for (unsigned e = 0; e < MAX2(count, 1); e++) {
         const unsigned lo = f->lo + e * f->stride, hi = lo + f->bits - 1;
         if (hi / 32 < at || lo / 32 > at)
            continue;
         const unsigned first = lo / 32 == at ? lo % 32 : 0;
         const unsigned last = hi / 32 == at ? hi % 32 : 31;
         mask |= BITFIELD_RANGE(first, last - first + 1);
      }
   }
   return mask;
}

void
strict_reserved(struct strict_command *c)
{
   const unsigned fixed = c->group->variable ? c->group->dwords
                                             : MIN2(c->n, c->group->dwords);
   if (!strict_on(c, STRICT_RSV_01))
      return;
   for (unsigned i = 0; i < fixed; i++) {
      const uint32_t stray = c->dw[i] ? c->dw[i] & ~owned(c->group, i, c->n)
                                      : 0;
      if (stray)
         strict_broken(c, STRICT_RSV_01, "0x%08x in dword %u", stray, i);
   }
}

#define EXCEPTIONS(stage)                                                    \
   { stage, "SoftwareExceptionEnable", 0 },                                  \
      { stage, "IllegalOpcodeExceptionEnable", 0 },                          \
   {                                                                         \
      stage, "MaskStackExceptionEnable", 0                                   \
   }

/* A generation that lacks a field does not look at it. */
static const struct wanted {
   const char *command, *field;
   uint64_t value;
} wanted[] = {
   EXCEPTIONS("3DSTATE_VS"),
   EXCEPTIONS("3DSTATE_HS"),
   EXCEPTIONS("3DSTATE_DS"),
   EXCEPTIONS("3DSTATE_GS"),
   EXCEPTIONS("3DSTATE_PS"),
   { "3DSTATE_VS", "SingleVertexDispatch", 0 },
   { "3DSTATE_DS", "SingleDomainPointDispatch", 0 },
   { "3DSTATE_PS", "SinglePrecisionDenormalMode", 0 },
   { "3DSTATE_PS", "DenormalMode", 0 },
   { "3DSTATE_PS_EXTRA", "ForceComputedDepth", 0 },
   { "3DSTATE_CLIP", "ForceClipMode", 0 },
   { "3DSTATE_CLIP", "VertexSubPixelPrecisionSelect", 0 },
   { "3DSTATE_SF", "VertexSubPixelPrecisionSelect", 0 },
   { "3DSTATE_SF", "RTIndependentRasterizationEnable", 0 },
   { "3DSTATE_WM", "RTIndependentRasterizationEnable", 0 },
   { "3DSTATE_SBE", "AttributeWrapShortestEnables", 0 },
   { "3DSTATE_SBE_SWIZ", "AttributeWrapShortestEnables", 0 },
   { "3DSTATE_MULTISAMPLE", "PixelPositionOffsetEnable", 0 },
   { "3DSTATE_WM_HZ_OP", "PixelPositionOffsetEnable", 0 },
   { "3DSTATE_VF", "SequentialDrawCutIndexEnable", 0 },
   { "3DSTATE_DRAWING_RECTANGLE", "CoreModeSelect", 0 },
   { "3DSTATE_DRAWING_RECTANGLE", "DrawingRectangleOriginX", 0 },
   { "3DSTATE_DRAWING_RECTANGLE", "DrawingRectangleOriginY", 0 },
   { "3DSTATE_LINE_STIPPLE",
     "ModifyEnableCurrentRepeatCounterCurrentStippleIndex", 0 },
   { "MEDIA_VFE_STATE", "GPGPUMode", 1 }, /* PRM IVB Vol. 2 Part 2 */
   { "MEDIA_VFE_STATE", "SliceDisable", 0 },
   { "MEDIA_VFE_STATE", "HalfSliceDisable", 0 },
   { "MEDIA_VFE_STATE", "ScoreboardEnable", 0 },
   { "MI_BATCH_BUFFER_START", "ResourceStreamerEnable", 0 },
   { "MI_BATCH_BUFFER_START", "ClearCommandBufferEnable", 0 },
   { "MI_LOAD_REGISTER_MEM", "AsyncModeEnable", 0 },
   { "MI_SEMAPHORE_WAIT", "WaitMode", 1 },
};

/* Of each command, the first row and how many there are. */
#define MAX_ROWS 16
struct rows {
   uint8_t row[MAX_ROWS];
   uint8_t num;
};
static struct rows rows_of[ISA_GEN_COUNT][STRICT_MAX_COMMANDS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
find_rows(void)
{
   for (unsigned k = 0; k < ARRAY_SIZE(rows_of); k++) {
      const struct genxml_spec *spec =
         genxml_spec_get(isa_gen_number((enum isa_gen)k));
      for (unsigned i = 0; i < ARRAY_SIZE(wanted); i++) {
         const struct genxml_group *g = genxml_find(spec, wanted[i].command);
         if (!g || !genxml_find_field(g, wanted[i].field))
            continue;
         struct rows *r = &rows_of[k][g - spec->commands];
         assert(r->num < MAX_ROWS);
         r->row[r->num++] = (uint8_t)i;
      }
   }
}

void
strict_fields(struct strict_command *c)
{
   pthread_once(&once, find_rows);
   const struct rows *r = &rows_of[isa_gen_from_number(c->cs->spec->verx10)]
                                  [c->group - c->cs->spec->commands];
   for (unsigned i = 0; i < r->num; i++) {
      const struct wanted *w = &wanted[r->row[i]];
      const uint64_t value = strict_get(c, w->field);
      STRICT_CHECK(c, RSV_02, value != w->value, "%s is %llu, not %llu",
                   w->field, (unsigned long long)value,
                   (unsigned long long)w->value);
   }
}
