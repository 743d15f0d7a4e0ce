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
#include <stdarg.h>
#include <stdio.h>

#include "genxml_bits.h"

#define MAX_ENTRIES 16
#define MAX_DEPTH 3
#define MAX_COMMANDS 65536
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
   /* Gen7 has no common part in front. */
   { "3DSTATE_BLEND_STATE_POINTERS", "BlendStatePointer", BASE_DYNAMIC,
     "BLEND_STATE_ENTRY", 1 },
   { "3DSTATE_DEPTH_STENCIL_STATE_POINTERS", "DepthStencilStatePointer",
     BASE_DYNAMIC, "DEPTH_STENCIL_STATE", 1 },
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
   { "MEDIA_INTERFACE_DESCRIPTOR_LOAD", "InterfaceDescriptorDataStartAddress",
     BASE_DYNAMIC, "INTERFACE_DESCRIPTOR_DATA", 1 },
};

static uint64_t
base_address(const struct genxml_batch_reader *r, enum base base)
{
   switch (base) {
   case BASE_NONE: return 0;
   case BASE_GENERAL: return r->general_base;
   case BASE_SURFACE: return r->surface_base;
   case BASE_DYNAMIC: return r->dynamic_base;
   case BASE_INSTRUCTION: return r->instruction_base;
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
   const struct genxml_group *g =
      genxml_find(r->spec, "RENDER_SURFACE_STATE");
   if (g)
      print_struct(r, out, g, r->surface_base + (entry & ~31u),
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
         continue;
      uint64_t address = base_address(r, p->base) +
                         field_value(command, p->field, dw);
      const unsigned most = p->count ? p->count : MAX_ENTRIES;
      for (unsigned n = 0; n < most; n++, address += 4 * g->dwords) {
         if (!print_struct(r, out, g, address, p->field, n, p->count == 0))
            return;
      }
      return;
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

struct walk {
   struct genxml_batch_reader *r;
   struct strbuf *out;
   unsigned commands, depth, faults;
};

static void PRINTFLIKE(2, 3) fault(struct walk *w, const char *fmt, ...)
{
   char line[160];
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(line, sizeof(line), fmt, ap);
   va_end(ap);
   strbuf_puts(w->out, line);
   w->faults++;
}

/* Dwords of the command at `address`, read to `dw` (long data only as far as
 * fits); 0 if there is none.
 */
static unsigned
read_command(struct walk *w, uint64_t address, uint64_t end,
             uint32_t dw[MAX_COMMAND_DW], const struct genxml_group **g)
{
   struct genxml_batch_reader *r = w->r;
   if (!r->read(r->user, address, dw, sizeof(uint32_t))) {
      fault(w, "0x%012" PRIx64 ":  not mapped\n", address);
      return 0;
   }
   *g = genxml_find_command(r->spec, dw[0]);
   const unsigned n = *g ? genxml_command_dwords(*g, dw[0])
                         : genxml_unknown_command_dwords(dw[0]);
   const char *name = *g ? (*g)->name : "unknown command";
   if (n == 0) {
      fault(w, "0x%012" PRIx64 ":  0x%08x:  reserved command type\n", address,
            dw[0]);
      return 0;
   }
   const unsigned kept = MIN2(n, MAX_COMMAND_DW);
   if ((end && 4ull * n > end - address) ||
       !r->read(r->user, address, dw, kept * sizeof(uint32_t))) {
      fault(w,
            "0x%012" PRIx64 ":  0x%08x:  %s (%u dwords) ends outside of "
            "the batch\n",
            address, dw[0], name, n);
      return 0;
   }
   return n;
}

static void
print_command(struct walk *w, const struct genxml_group *g, uint64_t address,
              const uint32_t *dw, unsigned n)
{
   const char *bold = w->r->color ? "\033[1m" : "";
   const char *plain = w->r->color ? "\033[0m" : "";
   strbuf_printf(w->out, "0x%012" PRIx64 ":  0x%08x:  %s%s%s (%u dwords)\n",
                 address, dw[0], bold, g ? g->name : "unknown command", plain,
                 n);
   const unsigned kept = MIN2(n, MAX_COMMAND_DW);
   if (!g) {
      for (unsigned i = 0; i < kept; i++)
         strbuf_printf(w->out, "%s%08x%s", i % 8 ? " " : "   ", dw[i],
                       i % 8 == 7 || i + 1 == kept ? "\n" : "");
      w->faults++;
      return;
   }
   if (w->r->visit)
      w->r->visit(w->r->user, g, dw, kept);
   genxml_print_fields(w->out, g, dw, kept, 3);
   set_bases(w->r, g, dw);
   follow_pointers(w->r, w->out, g, dw);
}

static void print_level(struct walk *w, uint64_t address, uint64_t end);

/* Calls come back (true), jumps change `address`; false: nothing follows. */
static bool
start_batch(struct walk *w, const struct genxml_group *g, const uint32_t *dw,
            uint64_t *address, uint64_t *end)
{
   const uint64_t to = field_value(g, "BatchBufferStartAddress", dw);
   const bool call = field_value(g, "SecondLevelBatchBuffer", dw);
   uint32_t first;
   if (!w->r->read(w->r->user, to, &first, sizeof(first))) {
      strbuf_printf(w->out, "   0x%" PRIx64 " is not mapped\n", to);
      return call;
   }
   if (!call) {
      *address = to;
      *end = 0;
      return true;
   }
   if (w->depth == MAX_DEPTH) {
      fault(w, "batches nested too deep\n");
      return true;
   }
   w->depth++;
   print_level(w, to, 0);
   w->depth--;
   return true;
}

static void
print_level(struct walk *w, uint64_t address, uint64_t end)
{
   uint32_t dw[MAX_COMMAND_DW];
   const unsigned most = w->r->max_commands ? w->r->max_commands
                                            : MAX_COMMANDS;
   while (end == 0 || address < end) {
      const struct genxml_group *g;
      const unsigned n = read_command(w, address, end, dw, &g);
      if (n == 0)
         return;
      if (w->commands == most) {
         fault(w, "more than %u commands\n", most);
         return;
      }
      w->commands++;
      print_command(w, g, address, dw, n);
      address += 4ull * n;
      if (!g)
         continue;
      if (strcmp(g->name, "MI_BATCH_BUFFER_END") == 0)
         return;
      if (strcmp(g->name, "MI_BATCH_BUFFER_START") == 0 &&
          !start_batch(w, g, dw, &address, &end))
         return;
   }
}

unsigned
genxml_walk_batch(struct genxml_batch_reader *r, struct strbuf *out,
                  uint64_t address, uint64_t size_B)
{
   struct walk w = { .r = r, .out = out };
   print_level(&w, address, size_B ? address + size_B : 0);
   return w.faults;
}

struct array {
   const uint32_t *dw;
   uint64_t address, size_B;
};

static bool
read_array(void *user, uint64_t address, void *out, size_t size_B)
{
   const struct array *a = user;
   const uint64_t offset = address - a->address;
   if (offset > a->size_B || size_B > a->size_B - offset)
      return false;
   memcpy(out, (const char *)a->dw + offset, size_B);
   return true;
}

unsigned
genxml_print_batch(struct strbuf *out, const struct genxml_spec *spec,
                   const uint32_t *dw, unsigned num_dw, uint64_t address,
                   bool color)
{
   struct array a = { dw, address, 4ull * num_dw };
   struct genxml_batch_reader r = {
      .spec = spec,
      .read = read_array,
      .user = &a,
      .color = color,
   };
   return num_dw ? genxml_walk_batch(&r, out, address, a.size_B) : 0;
}
