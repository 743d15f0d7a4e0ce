/* SPDX-License-Identifier: MIT */
/*
 * Moves from one register into components of another, one by one, are one
 * move of several components: what inputs and outputs become that the scalar
 * back end has made, component by component.
 *
 * The later move goes to where the earlier one is: its source is there, and
 * nothing in between touches the components that it writes.
 */
#include "intel/compiler/eu/eu_defs.h"
#include "vec4_compile.h"
#include "vec4_ir.h"

/* How far apart they may be. */
#define NEAR 100

static bool
is_part(const struct eu_defs *defs, const struct eu_inst *inst)
{
   const eu_reg *r = &inst->src[0];

   return inst->op == ISA_OPCODE_MOV && inst->align16 &&
          inst->exec_size == 8 && inst->pred == ISA_PRED_NONE &&
          inst->cond_mod == ISA_COND_MOD_NONE && !inst->saturate &&
          inst->dst.file == EU_VGRF && !inst->dst.region &&
          inst->dst.swz != ISA_WRITEMASK_XYZW && r->file != EU_IMM &&
          !r->region && inst->dst.type == r->type &&
          eu_defs_stable(defs, inst, 0) &&
          (r->file != EU_VGRF || r->nr != inst->dst.nr);
}

static bool
same_registers(const struct eu_inst *a, const struct eu_inst *b)
{
   eu_reg d = a->dst, e = b->dst, r = a->src[0], q = b->src[0];

   d.swz = e.swz = r.swz = q.swz = 0;
   return eu_reg_equal(&d, &e) && eu_reg_equal(&r, &q) &&
          a->nomask == b->nomask;
}

/* Whether what `inst` reads has been made in front of `place`. */
static bool
is_made_before(const struct eu_defs *defs, const struct eu_inst *inst,
               const struct eu_inst *place)
{
   const eu_reg *r = &inst->src[0];
   const uint32_t dwords = eu_dwords_read(inst, 0);

   for (unsigned k = 0; k < 32 && r->file == EU_VGRF; k++) {
      const struct eu_dword_info *d =
         &defs->dw[defs->first[r->nr] + r->offset / 4 + k];
      if ((dwords >> k & 1) && d->def && d->def->ip >= place->ip)
         return false;
   }
   return true;
}

static void
merge(struct eu_inst *into, struct eu_inst *part)
{
   const unsigned had = into->dst.swz, adds = part->dst.swz;
   const unsigned any = (unsigned)__builtin_ctz(had);
   unsigned swz = 0;

   for (unsigned c = 0; c < 4; c++)
      swz |= (adds >> c & 1
                 ? eu_swizzle_get(part->src[0].swz, c)
                 : eu_swizzle_get(into->src[0].swz, had >> c & 1 ? c : any))
             << 2 * c;
   into->src[0].swz = (uint8_t)swz;
   into->dst.swz = (uint8_t)(had | adds);
   into->size_written = eu_default_size(into);
   list_del(&part->link);
}

/* Whether it reads the vector that `mov` writes to, or writes more of it than
 * components, which are noted. */
static bool
touches(const struct eu_inst *inst, const struct eu_inst *mov,
        unsigned *written)
{
   const unsigned size_B = 8 * eu_type_sz(mov->dst.type);

   for (unsigned i = 0; i < inst->sources; i++) {
      if (eu_regions_overlap(&inst->src[i], eu_size_read(inst, i), &mov->dst,
                             size_B))
         return true;
   }
   if (inst->dst.file != EU_VGRF || inst->dst.nr != mov->dst.nr)
      return false;
   if (inst->op == EU_OP_UNDEF)
      return true;
   if (!eu_regions_overlap(&inst->dst, inst->size_written, &mov->dst, size_B))
      return false;
   *written |= inst->dst.swz;
   return !inst->align16 || inst->dst.region ||
          inst->dst.offset != mov->dst.offset ||
          eu_type_sz(inst->dst.type) != eu_type_sz(mov->dst.type);
}

static bool
collect_parts(struct eu_shader *s, const struct eu_defs *defs,
              struct eu_inst *into)
{
   unsigned written = into->dst.swz;
   bool progress = false;
   struct list_head *next;

   for (struct list_head *at = into->link.next; at != &s->insts; at = next) {
      struct eu_inst *inst = list_entry(at, struct eu_inst, link);

      next = at->next;
      if (inst->block != into->block || inst->ip - into->ip > NEAR ||
          into->dst.swz == ISA_WRITEMASK_XYZW)
         break;
      if (is_part(defs, inst) && same_registers(inst, into) &&
          !(inst->dst.swz & written) && is_made_before(defs, inst, into)) {
         written |= inst->dst.swz;
         merge(into, inst);
         progress = true;
      } else if (touches(inst, into, &written)) {
         break;
      }
   }
   return progress;
}

bool
vec4_opt_merge_moves(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct eu_defs defs;
   bool progress = false;

   eu_calculate_cfg(s);
   eu_defs_init(&defs, s, arena);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (is_part(&defs, inst))
         progress |= collect_parts(s, &defs, inst);
   }
   arena_destroy(arena);
   return progress;
}
