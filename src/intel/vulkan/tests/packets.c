/* SPDX-License-Identifier: MIT */
#include "packets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "intel/genxml/genxml_batch.h"
#include "intel/genxml/genxml_bits.h"
#include "saffron/sim_record.h"
#include "util/dynarray.h"
#include "util/unit_test.h"

/* ---- memory of a recorded batch ---- */

#define PAGE_B 4096

struct bo {
   uint64_t address, size_B;
   uint8_t *data;
};

struct job {
   struct record_head head;
   struct bo *bos;
   struct packets *packets;
   uint64_t dynamic_base, surface_base;
};

static void
read_exactly(FILE *f, void *out, size_t size_B)
{
   if (fread(out, size_B, 1, f) != 1)
      fail_msg("a recorded batch ends early");
}

static void
read_bo(FILE *f, struct bo *b)
{
   struct record_bo head;
   read_exactly(f, &head, sizeof(head));
   /* Mapped: of a large object most pages are never looked at. */
   *b = (struct bo) { head.address, head.size_B,
                      mmap(NULL, head.size_B, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                           0) };
   assert_ptr_not_equal(b->data, MAP_FAILED);
   for (uint64_t i = 0; i < head.num_pages; i++) {
      uint64_t page;
      read_exactly(f, &page, sizeof(page));
      assert_true((page + 1) * PAGE_B <= b->size_B);
      read_exactly(f, b->data + page * PAGE_B, PAGE_B);
   }
}

static bool
read_memory(void *user, uint64_t address, void *out, size_t size_B)
{
   const struct job *job = user;
   for (uint32_t i = 0; i < job->head.num_bos; i++) {
      const struct bo *b = &job->bos[i];
      if (address >= b->address && address - b->address < b->size_B &&
          size_B <= b->size_B - (address - b->address)) {
         memcpy(out, b->data + (address - b->address), size_B);
         return true;
      }
   }
   return false;
}

/* ---- commands, and what they point to ---- */

enum base { DYNAMIC, SURFACE };

/* Where a field leads: `count` structures, one after another. A table has as
 * many as the stage's state says. */
struct pointer {
   const char *packet, *field;
   enum base base;
   const char *to;
   unsigned count;
   const char *stage, *entries;
};

#define STAGE(xs)                                                            \
   { "3DSTATE_BINDING_TABLE_POINTERS_" #xs,                                  \
     "Pointerto" #xs "BindingTable",                                         \
     SURFACE,                                                                \
     "BINDING_TABLE_STATE",                                                  \
     0,                                                                      \
     "3DSTATE_" #xs,                                                         \
     "BindingTableEntryCount" },                                             \
   {                                                                         \
      "3DSTATE_SAMPLER_STATE_POINTERS_" #xs, "Pointerto" #xs "SamplerState", \
         DYNAMIC, "SAMPLER_STATE", 0, "3DSTATE_" #xs, "SamplerCount"         \
   }

static const struct pointer pointers[] = {
   STAGE(VS),
   STAGE(HS),
   STAGE(DS),
   STAGE(GS),
   STAGE(PS),
   { "INTERFACE_DESCRIPTOR_DATA", "BindingTablePointer", SURFACE,
     "BINDING_TABLE_STATE", 0, NULL, "BindingTableEntryCount" },
   { "INTERFACE_DESCRIPTOR_DATA", "SamplerStatePointer", DYNAMIC,
     "SAMPLER_STATE", 0, NULL, "SamplerCount" },
   { "BINDING_TABLE_STATE", "SurfaceStatePointer", SURFACE,
     "RENDER_SURFACE_STATE", 1, NULL, NULL },
   { "MEDIA_INTERFACE_DESCRIPTOR_LOAD", "InterfaceDescriptorDataStartAddress",
     DYNAMIC, "INTERFACE_DESCRIPTOR_DATA", 1, NULL, NULL },
   { "SAMPLER_STATE", "BorderColorPointer", DYNAMIC,
     "SAMPLER_BORDER_COLOR_STATE", 1, NULL, NULL },
   { "3DSTATE_BLEND_STATE_POINTERS", "BlendStatePointer", DYNAMIC,
     "BLEND_STATE", 1, NULL, NULL },
   { "3DSTATE_BLEND_STATE_POINTERS", "BlendStatePointer", DYNAMIC,
     "BLEND_STATE_ENTRY", 1, NULL, NULL },
   { "3DSTATE_CC_STATE_POINTERS", "ColorCalcStatePointer", DYNAMIC,
     "COLOR_CALC_STATE", 1, NULL, NULL },
   { "3DSTATE_DEPTH_STENCIL_STATE_POINTERS", "DepthStencilStatePointer",
     DYNAMIC, "DEPTH_STENCIL_STATE", 1, NULL, NULL },
   { "3DSTATE_SCISSOR_STATE_POINTERS", "ScissorRectPointer", DYNAMIC,
     "SCISSOR_RECT", 1, NULL, NULL },
   { "3DSTATE_VIEWPORT_STATE_POINTERS_CC", "CCViewportPointer", DYNAMIC,
     "CC_VIEWPORT", 1, NULL, NULL },
   { "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", "SFClipViewportPointer",
     DYNAMIC, "SF_CLIP_VIEWPORT", 1, NULL, NULL },
};

static void
add_packet(struct packets *p, const struct genxml_group *g,
           const char *pointer, const uint32_t *dw, unsigned num_dw)
{
   p->list = realloc(p->list, (p->count + 1) * sizeof(*p->list));
   assert_non_null(p->list);
   struct packet *to = &p->list[p->count++];
   *to = (struct packet) { g, pointer, malloc(num_dw * 4u), num_dw };
   assert_non_null(to->dw);
   memcpy(to->dw, dw, num_dw * 4u);
}

static void
keep_command(void *user, const struct genxml_group *g, const uint32_t *dw,
             unsigned num_dw)
{
   const struct job *job = user;
   if (strcmp(g->name, "MI_NOOP") != 0 &&
       strcmp(g->name, "MI_BATCH_BUFFER_START") != 0)
      add_packet(job->packets, g, NULL, dw, num_dw);
}

static uint64_t
field_offset(const struct genxml_field *f, unsigned element,
             const uint32_t *dw)
{
   const unsigned lo = f->lo + element * f->stride;
   return genxml_get_offset(dw, lo, lo + f->bits - 1u);
}

static uint64_t
offset_of(const struct packet *p, const char *name)
{
   const struct genxml_field *f = genxml_find_field(p->group, name);
   return f ? field_offset(f, 0, p->dw) : 0;
}

static void
set_bases(struct job *job, const struct packet *p)
{
   if (strcmp(p->group->name, "STATE_BASE_ADDRESS") != 0)
      return;
   job->dynamic_base = offset_of(p, "DynamicStateBaseAddress");
   job->surface_base = offset_of(p, "SurfaceStateBaseAddress");
}

/* One of no vertices is a work-around. */
static bool
is_draw(const struct packet *p)
{
   if (strcmp(p->group->name, "3DPRIMITIVE") == 0)
      return packet_value(p, "VertexCountPerInstance") != 0;
   return strcmp(p->group->name, "GPGPU_WALKER") == 0;
}

/* The stage's state that counts for the draw after a command. */
static const struct packet *
stage_state(const struct packets *commands, unsigned at, const char *stage)
{
   const struct packet *found = NULL;
   for (unsigned i = 0; i < commands->count; i++) {
      const struct packet *p = &commands->list[i];
      if (strcmp(p->group->name, stage) == 0)
         found = p;
      if (i > at && is_draw(p))
         break;
   }
   return found;
}

static unsigned
entry_count(const struct pointer *way, const struct packet *from,
            const struct packets *commands, unsigned at)
{
   if (way->count)
      return way->count;
   const struct packet *state =
      way->stage ? stage_state(commands, at, way->stage) : from;
   if (!state)
      return 0;
   const unsigned n = (unsigned)packet_value(state, way->entries);
   /* Counted in fours: of the last four, one is certain. */
   if (strcmp(way->entries, "SamplerCount") == 0)
      return n ? 4 * (n - 1) + 1 : 0;
   return n;
}

#define MAX_STATE_DW 64

/* Adds what the `index`-th packet of job->packets, which belongs to command
 * `at`, points to. */
static void
follow(struct job *job, unsigned index, const struct packets *commands,
       unsigned at)
{
   uint64_t past = 0; /* what the row before has led to */
   for (unsigned i = 0; i < ARRAY_SIZE(pointers); i++) {
      const struct pointer *way = &pointers[i];
      if (i && strcmp(way->field, way[-1].field) != 0)
         past = 0;
      const struct packet from = job->packets->list[index];
      const struct genxml_group *to =
         genxml_find(job->packets->spec, way->to);
      if (strcmp(way->packet, from.group->name) != 0 || !to)
         continue;
      const uint64_t base = way->base == DYNAMIC ? job->dynamic_base
                                                 : job->surface_base;
      const unsigned count = entry_count(way, &from, commands, at);
      for (unsigned n = 0; n < count; n++) {
         uint32_t dw[MAX_STATE_DW];
         assert_true(to->dwords <= MAX_STATE_DW);
         const uint64_t address = base + offset_of(&from, way->field) + past +
                                  n * 4u * to->dwords;
         if (!read_memory(job, address, dw, 4u * to->dwords))
            fail_msg("%s of %s leads to no memory", way->field,
                     from.group->name);
         add_packet(job->packets, to, way->field, dw, to->dwords);
         follow(job, job->packets->count - 1, commands, at);
      }
      past += 4u * to->dwords;
   }
}

struct packets
packets_load(const char *path)
{
   struct job job = { 0 };
   FILE *f = fopen(path, "rb");
   if (!f)
      fail_msg("%s is not there", path);
   read_exactly(f, &job.head, sizeof(job.head));
   assert_memory_equal(job.head.magic, RECORD_MAGIC, 8);
   job.bos = calloc(job.head.num_bos, sizeof(*job.bos));
   for (uint32_t i = 0; i < job.head.num_bos; i++)
      read_bo(f, &job.bos[i]);
   fclose(f);

   const struct genxml_spec *spec = genxml_spec_get(job.head.verx10);
   struct packets commands = { .spec = spec }, all = { .spec = spec };
   struct strbuf text = { 0 };
   struct genxml_batch_reader reader = {
      .spec = spec,
      .read = read_memory,
      .user = &job,
      .visit = keep_command,
   };
   job.packets = &commands;
   assert_int_equal(
      genxml_walk_batch(&reader, &text, job.head.batch_address, 0), 0);
   strbuf_fini(&text);
   job.packets = &all;
   for (unsigned i = 0; i < commands.count; i++) {
      const struct packet *c = &commands.list[i];
      set_bases(&job, c);
      add_packet(&all, c->group, NULL, c->dw, c->num_dw);
      follow(&job, all.count - 1, &commands, i);
   }
   packets_free(&commands);
   for (uint32_t i = 0; i < job.head.num_bos; i++)
      munmap(job.bos[i].data, job.bos[i].size_B);
   free(job.bos);
   return all;
}

void
packets_free(struct packets *p)
{
   for (unsigned i = 0; i < p->count; i++)
      free(p->list[i].dw);
   free(p->list);
}

const struct packet *
packets_before_draw(const struct packets *p, unsigned n, const char *name,
                    unsigned back)
{
   unsigned i = 0;
   while (i < p->count && !(is_draw(&p->list[i]) && n-- == 0))
      i++;
   for (i = MIN2(i + 1, p->count); i-- > 0;) {
      if (strcmp(p->list[i].group->name, name) == 0 && back-- == 0)
         return &p->list[i];
   }
   return NULL;
}

static const struct genxml_field *
find_field(const struct packet *p, const char *name)
{
   const struct genxml_field *f = genxml_find_field(p->group, name);
   if (!f)
      fail_msg("%s has no field %s", p->group->name, name);
   return f;
}

const char *
packet_value_name(const struct packet *p, const char *field)
{
   const struct genxml_field *f = find_field(p, field);
   const uint64_t value = genxml_field_raw(f, 0, p->dw);
   for (unsigned i = 0; i < f->num_values; i++) {
      if (f->values[i].value == value)
         return f->values[i].name;
   }
   return NULL;
}

double
packet_value(const struct packet *p, const char *field)
{
   const struct genxml_field *f = find_field(p, field);
   const unsigned lo = f->lo, hi = lo + f->bits - 1u;
   switch (f->kind) {
   case GENXML_UINT:
   case GENXML_BOOL: return (double)genxml_get_uint(p->dw, lo, hi);
   case GENXML_INT: return (double)genxml_get_int(p->dw, lo, hi);
   case GENXML_FLOAT: return genxml_get_float(p->dw, lo, hi);
   case GENXML_UFIXED: return genxml_get_ufixed(p->dw, lo, hi, f->fraction);
   case GENXML_SFIXED: return genxml_get_sfixed(p->dw, lo, hi, f->fraction);
   case GENXML_ADDRESS:
   case GENXML_OFFSET:
   case GENXML_STRUCT: break;
   }
   fail_msg("%s of %s is no number", field, p->group->name);
   return 0;
}

/* ---- text ---- */

struct name {
   uint64_t address;
   char text[64];
};

struct printer {
   const struct packets *packets;
   struct util_dynarray names; /* struct name */
   const char *packet;         /* what is being printed */
};

static const char *
name_of(struct printer *p, uint64_t address)
{
   const char *packet = p->packet;
   if (strncmp(packet, "3DSTATE_", 8) == 0)
      packet += 8;
   unsigned number = 1;
   util_dynarray_foreach(&p->names, struct name, n) {
      if (n->address == address)
         return n->text;
      number += strncmp(n->text + 1, packet, strlen(packet)) == 0 &&
                n->text[1 + strlen(packet)] == '.';
   }
   struct name *n = util_dynarray_grow_bytes(&p->names, sizeof(*n));
   n->address = address;
   snprintf(n->text, sizeof(n->text), "&%.50s.%u", packet, number);
   return n->text;
}

/* Places in the register file, and others that are part of the meaning. */
static bool
is_place(const struct genxml_field *f)
{
   return f->kind == GENXML_ADDRESS ||
          (f->kind == GENXML_OFFSET && !strstr(f->name, "Register") &&
           strcmp(f->name, "Offset") != 0 &&
           strcmp(f->name, "WriteOffset") != 0);
}

static void
print_field(struct printer *p, struct strbuf *out,
            const struct genxml_field *f, unsigned element,
            const uint32_t *dw)
{
   const uint64_t offset = field_offset(f, element, dw);
   if (is_place(f)) {
      strbuf_puts(out, name_of(p, offset));
      return;
   }
   const struct genxml_group *reg =
      f->kind == GENXML_OFFSET && strstr(f->name, "Register")
         ? genxml_find_register(p->packets->spec, (uint32_t)offset)
         : NULL;
   if (reg && offset == reg->address)
      strbuf_puts(out, reg->name);
   else if (reg)
      strbuf_printf(out, "%s + %u", reg->name,
                    (uint32_t)offset - reg->address);
   else
      genxml_print_value(out, f, element, dw);
}

/* Another way to read bits of an address, which change with it. */
static bool
shares_place(const struct genxml_group *g, const struct genxml_field *f)
{
   for (unsigned i = 0; i < g->num_fields; i++) {
      const struct genxml_field *a = &g->fields[i];
      if (is_place(a) && !is_place(f) && a->lo < f->lo + f->bits &&
          f->lo < a->lo + a->bits)
         return true;
   }
   return false;
}

static void
print_fields(struct printer *p, struct strbuf *out,
             const struct genxml_group *g, const uint32_t *dw,
             unsigned num_dw, const char *prefix)
{
   for (unsigned i = 0; i < g->num_fields; i++) {
      const struct genxml_field *f = &g->fields[i];
      for (unsigned e = 0; e < (f->count ? f->count : num_dw * 32u); e++) {
         const unsigned lo = f->lo + e * f->stride;
         if (lo + f->bits > num_dw * 32)
            break;
         char name[160];
         snprintf(name, sizeof(name), "%s%s", prefix, f->name);
         if (f->is_array)
            snprintf(name + strlen(name), sizeof(name) - strlen(name), "[%u]",
                     e);
         if (f->kind == GENXML_STRUCT) {
            const uint32_t part =
               (uint32_t)genxml_get_uint(dw, lo, lo + MIN2(f->bits, 32) - 1u);
            strcat(name, ".");
            print_fields(p, out, f->group,
                         f->bits < 32 ? &part : &dw[lo / 32],
                         DIV_ROUND_UP(f->bits, 32), name);
         } else if (genxml_field_raw(f, e, dw) && !shares_place(g, f)) {
            strbuf_printf(out, "   %s = ", name);
            print_field(p, out, f, e, dw);
            strbuf_puts(out, "\n");
         }
      }
   }
}

static char *
print_packet(struct printer *p, const struct packet *packet)
{
   struct strbuf out = { 0 };
   p->packet = packet->group->name;
   strbuf_printf(&out, "%s%s\n", packet->pointer ? "-> " : "", p->packet);
   print_fields(p, &out, packet->group, packet->dw, packet->num_dw, "");
   char *text = strdup(strbuf_str(&out));
   strbuf_fini(&out);
   return text;
}

static char **
print_all(const struct packets *packets)
{
   struct printer p = { .packets = packets };
   char **text = calloc(packets->count + 1, sizeof(*text));
   assert_non_null(text);
   for (unsigned i = 0; i < packets->count; i++)
      text[i] = print_packet(&p, &packets->list[i]);
   util_dynarray_fini(&p.names);
   return text;
}

static void
free_all(char **text)
{
   for (char **t = text; t && *t; t++)
      free(*t);
   free(text);
}

static bool
is_in(char **list, const char *text)
{
   for (; list && *list; list++) {
      if (strcmp(*list, text) == 0)
         return true;
   }
   return false;
}

void
packets_print(struct strbuf *out, const struct packets *p,
              const struct packets *base)
{
   char **old = base ? print_all(base) : NULL;
   char **text = print_all(p);
   for (char **t = text; *t; t++) {
      if (is_in(old, *t) && strchr(*t, '\n')[1])
         strbuf_printf(out, "%.*s = triangle\n", (int)(strchr(*t, '\n') - *t),
                       *t);
      else
         strbuf_puts(out, *t);
   }
   free_all(text);
   free_all(old);
}
