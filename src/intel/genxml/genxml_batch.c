/* SPDX-License-Identifier: MIT */
/*
 * Walking batches: see genxml_batch.h.
 *
 * What a command points to is one row of `pointers`: the field, the base it
 * counts from, and the structure that is there. How many structures follow
 * is mostly not in the batch; of tables, entries are printed up to the first
 * that is zero, and at most MAX_ENTRIES.
 */
#include "genxml_batch.h"

#include <inttypes.h>
#include <stdio.h>

#include "genxml_bits.h"

#define MAX_ENTRIES 16
#define MAX_DEPTH 3
#define MAX_COMMANDS 1000000
#define MAX_COMMAND_DW 1024

enum base {
   BASE_NONE,
   BASE_GENERAL,
   BASE_SURFACE,
   BASE_DYNAMIC,
   BASE_INSTRUCTION,
};

struct pointer {
   const char *command, *field;
   enum base base;
   const char *what; /* a structure */
   unsigned count;   /* 0: up to an entry that is zero */
};

static const struct pointer pointers[] = {
   { "3DSTATE_BLEND_STATE_POINTERS", "BlendStatePointer", BASE_DYNAMIC,
     "BLEND_STATE", 1 },
   { "3DSTATE_CC_STATE_POINTERS", "ColorCalcStatePointer", BASE_DYNAMIC,
     "COLOR_CALC_STATE", 1 },
   { "3DSTATE_SCISSOR_STATE_POINTERS", "ScissorRectPointer", BASE_DYNAMIC,
     "SCISSOR_RECT", 1 },
   { "3DSTATE_VIEWPORT_STATE_POINTERS_CC", "CCViewportPointer", BASE_DYNAMIC,
     "CC_VIEWPORT", 1 },
   { "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", "SFClipViewportPointer",
     BASE_DYNAMIC, "SF_CLIP_VIEWPORT", 1 },
   { "3DSTATE_SAMPLER_STATE_POINTERS_VS", "PointertoVSSamplerState",
     BASE_DYNAMIC, "SAMPLER_STATE", 0 },
   { "3DSTATE_SAMPLER_STATE_POINTERS_HS", "PointertoHSSamplerState",
     BASE_DYNAMIC, "SAMPLER_STATE", 0 },
   { "3DSTATE_SAMPLER_STATE_POINTERS_DS", "PointertoDSSamplerState",
     BASE_DYNAMIC, "SAMPLER_STATE", 0 },
   { "3DSTATE_SAMPLER_STATE_POINTERS_GS", "PointertoGSSamplerState",
     BASE_DYNAMIC, "SAMPLER_STATE", 0 },
   { "3DSTATE_SAMPLER_STATE_POINTERS_PS", "PointertoPSSamplerState",
     BASE_DYNAMIC, "SAMPLER_STATE", 0 },
   { "3DSTATE_BINDING_TABLE_POINTERS_VS", "PointertoVSBindingTable",
     BASE_SURFACE, "BINDING_TABLE_STATE", 0 },
   { "3DSTATE_BINDING_TABLE_POINTERS_HS", "PointertoHSBindingTable",
     BASE_SURFACE, "BINDING_TABLE_STATE", 0 },
   { "3DSTATE_BINDING_TABLE_POINTERS_DS", "PointertoDSBindingTable",
     BASE_SURFACE, "BINDING_TABLE_STATE", 0 },
   { "3DSTATE_BINDING_TABLE_POINTERS_GS", "PointertoGSBindingTable",
     BASE_SURFACE, "BINDING_TABLE_STATE", 0 },
   { "3DSTATE_BINDING_TABLE_POINTERS_PS", "PointertoPSBindingTable",
     BASE_SURFACE, "BINDING_TABLE_STATE", 0 },
   { "MEDIA_INTERFACE_DESCRIPTOR_LOAD",
     "InterfaceDescriptorDataStartAddress", BASE_DYNAMIC,
     "INTERFACE_DESCRIPTOR_DATA", 1 },
};

static uint64_t
base_address(const struct genxml_batch_reader *r, enum base base)
{
   switch (base) {
   case BASE_NONE:
      return 0;
   case BASE_GENERAL:
      return r->general_base;
   case BASE_SURFACE:
      return r->surface_base;
   case BASE_DYNAMIC:
      return r->dynamic_base;
   case BASE_INSTRUCTION:
      return r->instruction_base;
   }
   unreachable("base");
}

static uint64_t
field_value(const struct genxml_group *g, const char *name,
            const uint32_t *dw)
{
   const struct genxml_field *f = genxml_find_field(g, name);
   assert(f && "the field is described");
   const unsigned hi = f->lo + f->bits - 1u;
   return f->kind == GENXML_ADDRESS || f->kind == GENXML_OFFSET
             ? genxml_get_offset(dw, f->lo, hi)
             : genxml_get_uint(dw, f->lo, hi);
}

static bool
is_zero(const uint32_t *dw, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      if (dw[i])
         return false;
   }
   return true;
}

static bool print_struct(struct genxml_batch_reader *r, struct strbuf *out,
                         const struct genxml_group *g, uint64_t address,
                         const char *name, unsigned index, bool stop_at_zero);

/* A binding table entry leads to a surface state. */
static void
print_surface(struct genxml_batch_reader *r, struct strbuf *out,
              uint32_t entry, unsigned index)
{
   const struct genxml_group *g = genxml_find(r->spec, "RENDER_SURFACE_STATE");
   if (g)
      print_struct(r, out, g, r->surface_base + (entry & ~63u),
                   "binding table entry", index, false);
}

/* False: there is none at the address. */
static bool
print_struct(struct genxml_batch_reader *r, struct strbuf *out,
             const struct genxml_group *g, uint64_t address, const char *name,
             unsigned index, bool stop_at_zero)
{
   uint32_t dw[64];
   assert(g->dwords <= ARRAY_SIZE(dw));
   if (!r->read(r->user, address, dw, g->dwords * sizeof(uint32_t))) {
      strbuf_printf(out, "   %s %u: 0x%" PRIx64 " is not mapped\n", name,
                    index, address);
      return false;
   }
   if (stop_at_zero && is_zero(dw, g->dwords))
      return false;
   if (strcmp(g->name, "BINDING_TABLE_STATE") == 0) {
      print_surface(r, out, dw[0], index);
      return true;
   }
   strbuf_printf(out, "   %s %u at 0x%" PRIx64 ": %s\n", name, index, address,
                 g->name);
   genxml_print_fields(out, g, dw, g->dwords, 6);
   return true;
}

static void
follow_pointers(struct genxml_batch_reader *r, struct strbuf *out,
                const struct genxml_group *command, const uint32_t *dw)
{
   for (unsigned i = 0; i < ARRAY_SIZE(pointers); i++) {
      const struct pointer *p = &pointers[i];
      if (strcmp(p->command, command->name) != 0)
         continue;
      const struct genxml_group *g = genxml_find(r->spec, p->what);
      if (!g)
         return;
      uint64_t address = base_address(r, p->base) +
                         field_value(command, p->field, dw);
      const unsigned most = p->count ? p->count : MAX_ENTRIES;
      for (unsigned n = 0; n < most; n++, address += 4 * g->dwords) {
         if (!print_struct(r, out, g, address, p->field, n, p->count == 0))
            return;
      }
   }
}

static void
set_base(const struct genxml_group *g, const uint32_t *dw, const char *name,
         uint64_t *base)
{
   char modify[64];
   snprintf(modify, sizeof(modify), "%sModifyEnable", name);
   if (field_value(g, modify, dw))
      *base = field_value(g, name, dw);
}

static void
set_bases(struct genxml_batch_reader *r, const struct genxml_group *g,
          const uint32_t *dw)
{
   if (strcmp(g->name, "STATE_BASE_ADDRESS") != 0)
      return;
   set_base(g, dw, "GeneralStateBaseAddress", &r->general_base);
   set_base(g, dw, "SurfaceStateBaseAddress", &r->surface_base);
   set_base(g, dw, "DynamicStateBaseAddress", &r->dynamic_base);
   set_base(g, dw, "InstructionBaseAddress", &r->instruction_base);
}

/* Length of the command at `address`, with its dwords in `dw`; 0, with a line
 * of text, if there is none. Long data is printed only as far as fits.
 */
static unsigned
read_command(struct genxml_batch_reader *r, struct strbuf *out,
             uint64_t address, uint32_t dw[MAX_COMMAND_DW],
             const struct genxml_group **g)
{
   if (!r->read(r->user, address, dw, 4)) {
      strbuf_printf(out, "0x%08" PRIx64 ": not mapped\n", address);
      return 0;
   }
   *g = genxml_find_command(r->spec, dw[0]);
   const unsigned n = *g ? genxml_command_dwords(*g, dw[0])
                         : genxml_unknown_command_dwords(dw[0]);
   if (n == 0) {
      strbuf_printf(out, "0x%08" PRIx64 ": 0x%08x: reserved command type\n",
                    address, dw[0]);
      return 0;
   }
   const unsigned kept = MIN2(n, MAX_COMMAND_DW);
   if (!r->read(r->user, address, dw, kept * sizeof(uint32_t))) {
      strbuf_printf(out, "0x%08" PRIx64 ": 0x%08x: %s ends outside of what "
                         "is mapped\n", address, dw[0],
                    *g ? (*g)->name : "unknown command");
      return 0;
   }
   return n;
}

struct walk {
   unsigned commands, depth;
};

/* Chains go on at their target; calls come back. */
static void
print_level(struct genxml_batch_reader *r, struct strbuf *out,
            struct walk *walk, uint64_t address, uint64_t end)
{
   uint32_t dw[MAX_COMMAND_DW];
   const unsigned most = r->max_commands ? r->max_commands : MAX_COMMANDS;
   while (end == 0 || address < end) {
      const struct genxml_group *g;
      const unsigned n = read_command(r, out, address, dw, &g);
      if (n == 0)
         return;
      if (walk->commands++ >= most) {
         strbuf_printf(out, "more than %u commands\n", most);
         return;
      }
      strbuf_printf(out, "0x%08" PRIx64 ": 0x%08x: %s (%u dwords)\n", address,
                    dw[0], g ? g->name : "unknown command", n);
      address += 4ull * n;
      if (!g)
         continue;
      genxml_print_fields(out, g, dw, MIN2(n, MAX_COMMAND_DW), 3);
      set_bases(r, g, dw);
      follow_pointers(r, out, g, dw);
      if (strcmp(g->name, "MI_BATCH_BUFFER_END") == 0)
         return;
      if (strcmp(g->name, "MI_BATCH_BUFFER_START") == 0) {
         const uint64_t to = field_value(g, "BatchBufferStartAddress", dw);
         if (!field_value(g, "SecondLevelBatchBuffer", dw)) {
            address = to;
            end = 0;
            continue;
         }
         if (walk->depth == MAX_DEPTH) {
            strbuf_puts(out, "batches nested too deep\n");
            return;
         }
         walk->depth++;
         print_level(r, out, walk, to, 0);
         walk->depth--;
      }
   }
}

void
genxml_print_batch(struct genxml_batch_reader *r, struct strbuf *out,
                   uint64_t address, uint64_t size_B)
{
   struct walk walk = { 0, 0 };
   print_level(r, out, &walk, address, size_B ? address + size_B : 0);
}
