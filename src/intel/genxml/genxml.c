/* SPDX-License-Identifier: MIT */
/*
 * Looking up and printing packets from the generated tables.
 *
 * Commands are found by binary search on the opcode: opcodes of the three
 * command types differ in the bits that every mask has, and the rows are
 * sorted, so the last row whose opcode is not above the dword is the only
 * one that can match.
 */
#include "genxml_private.h"

#include <inttypes.h>
#include <stdio.h>

#include "genxml_bits.h"

const struct genxml_spec *
genxml_spec_get(unsigned verx10)
{
   switch (verx10) {
   case 70: return &genxml_spec_70;
   case 75: return &genxml_spec_75;
   case 80: return &genxml_spec_80;
   case 90: return &genxml_spec_90;
   default: return NULL;
   }
}

const struct genxml_group *
genxml_find_command(const struct genxml_spec *spec, uint32_t dw0)
{
   unsigned lo = 0, hi = spec->num_commands;
   while (lo < hi) {
      const unsigned mid = lo + (hi - lo) / 2;
      if (spec->commands[mid].opcode <= dw0)
         lo = mid + 1;
      else
         hi = mid;
   }
   if (lo == 0)
      return NULL;
   const struct genxml_group *g = &spec->commands[lo - 1];
   return (dw0 & g->opcode_mask) == g->opcode ? g : NULL;
}

static const struct genxml_group *
find_in(const struct genxml_group *groups, unsigned num, const char *name)
{
   for (unsigned i = 0; i < num; i++) {
      if (strcmp(groups[i].name, name) == 0)
         return &groups[i];
   }
   return NULL;
}

const struct genxml_group *
genxml_find(const struct genxml_spec *spec, const char *name)
{
   const struct genxml_group *g;
   if ((g = find_in(spec->commands, spec->num_commands, name)) ||
       (g = find_in(spec->structs, spec->num_structs, name)))
      return g;
   return find_in(spec->registers, spec->num_registers, name);
}

const struct genxml_group *
genxml_find_register(const struct genxml_spec *spec, uint32_t address)
{
   for (unsigned i = 0; i < spec->num_registers; i++) {
      const struct genxml_group *g = &spec->registers[i];
      if (address >= g->address && address < g->address + 4u * g->dwords)
         return g;
   }
   return NULL;
}

unsigned
genxml_command_dwords(const struct genxml_group *g, uint32_t dw0)
{
   if (g->length_bits == 0)
      return g->dwords;
   return ((dw0 >> g->length_lo) & BITFIELD_MASK(g->length_bits)) +
          g->length_bias;
}

/*
 * SKL PRM, Volume 2a, "Command Header": the type is in bits 31:29. MI
 * commands below opcode 0x10 are one dword; 3D commands of the sub-type 1
 * (single dword) too; all others have a length in the low bits, less two.
 */
unsigned
genxml_unknown_command_dwords(uint32_t dw0)
{
   switch (dw0 >> 29) {
   case 0: return ((dw0 >> 23) & 0x3f) < 0x10 ? 1 : (dw0 & 0xff) + 2;
   case 2: return (dw0 & 0xff) + 2;
   case 3: {
      const unsigned subtype = (dw0 >> 27) & 3;
      if (subtype == 1)
         return 1;
      return (dw0 & (subtype == 2 ? 0xffff : 0xff)) + 2;
   }
   default: return 0;
   }
}

const struct genxml_field *
genxml_find_field(const struct genxml_group *g, const char *name)
{
   for (unsigned i = 0; i < g->num_fields; i++) {
      if (strcmp(g->fields[i].name, name) == 0)
         return &g->fields[i];
   }
   return NULL;
}

uint64_t
genxml_field_raw(const struct genxml_field *f, unsigned element,
                 const uint32_t *dw)
{
   const unsigned lo = f->lo + element * f->stride;
   return genxml_get_uint(dw, lo, lo + f->bits - 1);
}

static const char *
value_name(const struct genxml_field *f, uint64_t v)
{
   for (unsigned i = 0; i < f->num_values; i++) {
      if (f->values[i].value == v)
         return f->values[i].name;
   }
   return NULL;
}

void
genxml_print_value(struct strbuf *out, const struct genxml_field *f,
                   unsigned element, const uint32_t *dw)
{
   const unsigned lo = f->lo + element * f->stride, hi = lo + f->bits - 1;
   const uint64_t v = genxml_get_uint(dw, lo, hi);
   switch (f->kind) {
   case GENXML_UINT: {
      const char *name = value_name(f, v);
      strbuf_printf(out, "%" PRIu64, v);
      if (name)
         strbuf_printf(out, " (%s)", name);
      else if (v > 9)
         strbuf_printf(out, " (0x%" PRIx64 ")", v);
      return;
   }
   case GENXML_INT:
      strbuf_printf(out, "%" PRId64, genxml_get_int(dw, lo, hi));
      return;
   case GENXML_BOOL: strbuf_puts(out, v ? "true" : "false"); return;
   case GENXML_FLOAT:
      strbuf_printf(out, "%g (0x%08" PRIx64 ")", genxml_get_float(dw, lo, hi),
                    v);
      return;
   case GENXML_ADDRESS:
   case GENXML_OFFSET:
      strbuf_printf(out, "0x%" PRIx64, genxml_get_offset(dw, lo, hi));
      return;
   case GENXML_UFIXED:
      strbuf_printf(out, "%g", genxml_get_ufixed(dw, lo, hi, f->fraction));
      return;
   case GENXML_SFIXED:
      strbuf_printf(out, "%g", genxml_get_sfixed(dw, lo, hi, f->fraction));
      return;
   case GENXML_STRUCT: break;
   }
   unreachable("structs are printed by their caller");
}

/* A struct may start inside of a dword: it is printed from a copy. */
static void
print_struct(struct strbuf *out, const struct genxml_field *f, unsigned lo,
             const uint32_t *dw, unsigned indent)
{
   if (lo % 32 == 0 && f->bits % 32 == 0) {
      genxml_print_fields(out, f->group, &dw[lo / 32], f->bits / 32, indent);
      return;
   }
   const uint32_t part = (uint32_t)genxml_get_uint(dw, lo, lo + f->bits - 1);
   genxml_print_fields(out, f->group, &part, 1, indent);
}

static unsigned
element_count(const struct genxml_field *f, unsigned num_dw)
{
   const unsigned bits = num_dw * 32;
   if (f->lo >= bits)
      return 0;
   const unsigned room =
      bits - f->lo < f->bits ? 0 : (bits - f->lo - f->bits) / f->stride + 1;
   return f->count ? MIN2(f->count, room) : room;
}

/* Which bits of each dword have an owner, the header's included. */
static uint32_t
owned_bits(const struct genxml_group *g, unsigned dw_index, unsigned num_dw)
{
   uint32_t owned = 0;
   if (dw_index == 0) {
      owned |= g->opcode_mask;
      owned |= BITFIELD_RANGE(g->length_lo, g->length_bits);
   }
   for (unsigned i = 0; i < g->num_fields; i++) {
      const struct genxml_field *f = &g->fields[i];
      const unsigned n = element_count(f, num_dw);
      for (unsigned e = 0; e < n; e++) {
         const unsigned lo = f->lo + e * f->stride, hi = lo + f->bits - 1;
         if (lo / 32 > dw_index || hi / 32 < dw_index)
            continue;
         const unsigned first = lo / 32 == dw_index ? lo % 32 : 0;
         const unsigned last = hi / 32 == dw_index ? hi % 32 : 31;
         owned |= BITFIELD_RANGE(first, last - first + 1);
      }
   }
   return owned;
}

void
genxml_print_fields(struct strbuf *out, const struct genxml_group *g,
                    const uint32_t *dw, unsigned num_dw, unsigned indent)
{
   for (unsigned i = 0; i < g->num_fields; i++) {
      const struct genxml_field *f = &g->fields[i];
      const unsigned n = element_count(f, num_dw);
      for (unsigned e = 0; e < n; e++) {
         const unsigned lo = f->lo + e * f->stride;
         strbuf_printf(out, "%*s%s", (int)indent, "", f->name);
         if (f->is_array)
            strbuf_printf(out, "[%u]", e);
         strbuf_puts(out, ": ");
         if (f->kind == GENXML_STRUCT) {
            strbuf_printf(out, "%s\n", f->group->name);
            print_struct(out, f, lo, dw, indent + 3);
         } else {
            genxml_print_value(out, f, e, dw);
            strbuf_puts(out, "\n");
         }
      }
   }
   for (unsigned i = 0; i < num_dw; i++) {
      const uint32_t stray = dw[i] & ~owned_bits(g, i, num_dw);
      if (stray) {
         strbuf_printf(out, "%*sreserved bits of dword %u: 0x%08x\n",
                       (int)indent, "", i, stray);
      }
   }
}
