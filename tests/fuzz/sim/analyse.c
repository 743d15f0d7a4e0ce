/* SPDX-License-Identifier: MIT */
/*
 * What a batch is made of, and what it points to: see fuzz.h.
 *
 * The commands are copied one after the other, without jumps and ends, so
 * that they can be moved and left out. While they are walked, the state base
 * addresses are followed, and what each field points to by its name becomes a
 * target: structures, programs, plain data. Called after a run of the batch.
 */
#include "fuzz.h"

#define MAX_DW (FUZZ_BATCH_B / 4 / 2)
#define DATA_B 256

struct walk {
   struct corpus *c;
   struct entry *e;
   struct sim_mem mem;
   uint64_t surface, dynamic, instruction, bindless;
};

static bool
known(const struct entry *e, uint64_t address)
{
   util_dynarray_foreach(&e->targets, struct target, t) {
      if (t->address == address)
         return true;
   }
   return false;
}

static bool
add(struct walk *w, enum target_kind kind, uint64_t address, uint32_t size_B,
    const struct genxml_group *g)
{
   struct entry *e = w->e;
   if (known(e, address))
      return false;
   while (size_B > 4 && !entry_map(e, address, size_B))
      size_B /= 2;
   if (!entry_map(e, address, size_B) || (g && size_B < 4u * g->dwords))
      return false;
   const struct target t = { kind, address, size_B, g };
   util_dynarray_append(&e->targets, struct target, t);
   e->num_programs += kind == TARGET_PROGRAM;
   return true;
}

static void walk_fields(struct walk *w, const struct genxml_group *g,
                        const uint32_t *dw, unsigned num_dw);

/* A structure, and what it points to. */
static void
add_struct(struct walk *w, const char *name, uint64_t address, unsigned count)
{
   const struct genxml_group *g = genxml_find(w->c->spec, name);
   for (unsigned i = 0; g && i < count; i++) {
      const uint32_t size_B = 4u * g->dwords;
      const uint32_t *dw = entry_map(w->e, address + i * size_B, size_B);
      if (dw && add(w, TARGET_STRUCT, address + i * size_B, size_B, g))
         walk_fields(w, g, dw, g->dwords);
   }
}

static void
add_program(struct walk *w, uint64_t address)
{
   struct sim_eu_fault fault;
   if (!entry_map(w->e, address, 16) || address % 16)
      return;
   const struct sim_eu_program *p =
      sim_eu_cache_get(w->e->programs, &w->mem, address, &fault);
   /* One that goes on to the end of its buffer is none. */
   if (p && sim_eu_program_size_B(p) < 16384 &&
       add(w, TARGET_PROGRAM, address, sim_eu_program_size_B(p), NULL))
      program_collect(w->c, sim_eu_program_bytes(p),
                      sim_eu_program_size_B(p));
}

static void
add_binding_table(struct walk *w, uint64_t address)
{
   const uint32_t *table = entry_map(w->e, address, 64);
   if (!table || !add(w, TARGET_DATA, address, 64, NULL))
      return;
   for (unsigned i = 0; i < 16; i++) {
      if (table[i] && table[i] % 32 == 0)
         add_struct(w, "RENDER_SURFACE_STATE", w->surface + table[i], 1);
   }
}

static bool
starts(const char *name, const char *with)
{
   return strncmp(name, with, strlen(with)) == 0;
}

static bool
ends(const char *name, const char *with)
{
   const size_t n = strlen(name), m = strlen(with);
   return n >= m && strcmp(name + n - m, with) == 0;
}

static void
walk_offset(struct walk *w, const char *name, uint64_t offset)
{
   static const struct {
      const char *field, *group;
      unsigned count;
   } dynamic[] = {
      { "BlendStatePointer", "BLEND_STATE_ENTRY", 2 },
      { "ColorCalcStatePointer", "COLOR_CALC_STATE", 1 },
      { "CCViewportPointer", "CC_VIEWPORT", 2 },
      { "SFClipViewportPointer", "SF_CLIP_VIEWPORT", 2 },
      { "ScissorRectPointer", "SCISSOR_RECT", 2 },
      { "DepthStencilStatePointer", "DEPTH_STENCIL_STATE", 1 },
      { "InterfaceDescriptorDataStartAddress", "INTERFACE_DESCRIPTOR_DATA",
        1 },
      { "SamplerStatePointer", "SAMPLER_STATE", 2 },
   };
   if (!offset)
      return;
   if (strstr(name, "KernelStartPointer"))
      add_program(w, w->instruction + offset);
   else if (ends(name, "BindingTable") || ends(name, "BindingTablePointer"))
      add_binding_table(w, w->surface + offset);
   else if (starts(name, "Pointerto") && ends(name, "SamplerState"))
      add_struct(w, "SAMPLER_STATE", w->dynamic + offset, 4);
   else if (ends(name, "BorderColorPointer"))
      add(w, TARGET_DATA, w->dynamic + offset, 64, NULL);
   for (unsigned i = 0; i < ARRAY_SIZE(dynamic); i++) {
      if (strcmp(name, dynamic[i].field) == 0)
         add_struct(w, dynamic[i].group, w->dynamic + offset,
                    dynamic[i].count);
   }
}

static void
walk_fields(struct walk *w, const struct genxml_group *g, const uint32_t *dw,
            unsigned num_dw)
{
   struct util_dynarray leaves = { 0 };
   fields_list(g, num_dw, &leaves);
   util_dynarray_foreach(&leaves, struct leaf, l) {
      const struct genxml_field *f = l->field;
      const uint64_t v = fields_get(dw, l->lo, f->bits) << l->lo % 32;
      if (f->kind == GENXML_OFFSET)
         walk_offset(w, f->name, v);
      else if (f->kind == GENXML_ADDRESS && v && !strstr(f->name, "End") &&
               !strstr(f->name, "Bound"))
         add(w, TARGET_DATA, v & SIM_ADDRESS_MASK, DATA_B, NULL);
   }
   util_dynarray_fini(&leaves);
}

/* Which bases the command changes: only those whose modify enable is set. */
static void
walk_bases(struct walk *w, const struct genxml_group *g, const uint32_t *dw)
{
   const struct {
      const char *field, *enable;
      uint64_t *base;
   } bases[] = {
      { "SurfaceStateBaseAddress", "SurfaceStateBaseAddressModifyEnable",
        &w->surface },
      { "DynamicStateBaseAddress", "DynamicStateBaseAddressModifyEnable",
        &w->dynamic },
      { "InstructionBaseAddress", "InstructionBaseAddressModifyEnable",
        &w->instruction },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(bases); i++) {
      const struct genxml_field *f = genxml_find_field(g, bases[i].field);
      const struct genxml_field *m = genxml_find_field(g, bases[i].enable);
      if (f && m && genxml_field_raw(m, 0, dw))
         *bases[i].base = genxml_field_raw(f, 0, dw) << f->lo % 32;
   }
}

static void
walk_command(struct walk *w, const struct genxml_group *g, const uint32_t *dw,
             unsigned num_dw)
{
   struct entry *e = w->e;
   const struct command command = {
      g, (uint32_t)util_dynarray_num_elements(&e->dw, uint32_t), num_dw
   };
   memcpy(util_dynarray_grow_bytes(&e->dw, 4ull * num_dw), dw, 4ull * num_dw);
   util_dynarray_append(&e->commands, struct command, command);
   if (strcmp(g->name, "STATE_BASE_ADDRESS") == 0)
      walk_bases(w, g, dw);
   else
      walk_fields(w, g, dw, num_dw);
}

/* Where a jump goes, and whether it comes back. */
static uint64_t
jump(const struct genxml_group *g, const uint32_t *dw, bool *second_level)
{
   const struct genxml_field *a =
      genxml_find_field(g, "BatchBufferStartAddress");
   const struct genxml_field *s =
      genxml_find_field(g, "SecondLevelBatchBuffer");
   *second_level = s && genxml_field_raw(s, 0, dw);
   return genxml_field_raw(a, 0, dw) << a->lo % 32;
}

void
entry_analyse(struct corpus *c, struct entry *e)
{
   const struct sim_state_bases *b = &e->before->state.base;
   struct walk w = { .c = c,
                     .e = e,
                     .surface = b->surface,
                     .dynamic = b->dynamic,
                     .instruction = b->instruction };
   uint64_t at = e->batch_address, back = 0;
   sim_mem_init(&w.mem, e->vm);
   for (unsigned steps = 0; steps < 20000; steps++) {
      const uint32_t *dw = entry_map(e, at, 4);
      const struct genxml_group *g = dw ? genxml_find_command(c->spec, *dw)
                                        : NULL;
      const unsigned n = g ? genxml_command_dwords(g, *dw) : 0;
      if (!n || !(dw = entry_map(e, at, 4ull * n)) ||
          e->dw.size_B / 4 + n > MAX_DW)
         return;
      at += 4ull * n;
      if (strcmp(g->name, "MI_BATCH_BUFFER_START") == 0) {
         bool second_level;
         const uint64_t to = jump(g, dw, &second_level);
         if (second_level)
            back = at;
         at = to;
      } else if (strcmp(g->name, "MI_BATCH_BUFFER_END") == 0) {
         if (!back)
            return;
         at = back;
         back = 0;
      } else {
         walk_command(&w, g, dw, n);
      }
   }
}
