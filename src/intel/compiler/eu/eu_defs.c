/* SPDX-License-Identifier: MIT */
#include "eu_defs.h"

static inline void
bump(uint16_t *n)
{
   if (*n < UINT16_MAX)
      (*n)++;
}

/* Dwords of an operand, one after the other. */
struct dwords {
   unsigned first_B;     /* of the register */
   unsigned step;        /* bytes between channels; 0: no gaps */
   unsigned per_channel; /* dwords, with gaps */
   unsigned count;
   uint32_t mask; /* align16: which of 32; else all */
};

static struct dwords
dwords_of(const eu_reg *r, unsigned size_B, unsigned exec_size)
{
   struct dwords d = { .first_B = r->offset, .mask = ~0u };

   d.count = DIV_ROUND_UP(r->offset % 4 + size_B, 4);
   if (!r->region && r->stride > 1) {
      d.step = r->stride * eu_type_sz(r->type);
      d.per_channel = DIV_ROUND_UP(eu_type_sz(r->type), 4);
      d.count = exec_size * d.per_channel;
   }
   return d;
}

static struct dwords
dwords_of_mask(const eu_reg *r, uint32_t mask)
{
   return (struct dwords) {
      .first_B = r->offset,
      .mask = mask,
      .count = mask ? 32 - (unsigned)__builtin_clz(mask) : 0,
   };
}

/* `whole`: a message, say, has no gaps whatever its operands' strides. */
static struct dwords
source_dwords(const struct eu_inst *inst, unsigned i, bool whole)
{
   eu_reg r = inst->src[i];

   if (inst->align16)
      return dwords_of_mask(&r, eu_dwords_read(inst, i));
   if (whole)
      r.stride = 1;
   return dwords_of(&r, eu_size_read(inst, i), inst->exec_size);
}

static struct dwords
dst_dwords(const struct eu_inst *inst, bool whole)
{
   eu_reg r = inst->dst;

   if (inst->align16)
      return dwords_of_mask(&r, eu_dwords_written(inst));
   if (whole)
      r.stride = 1;
   return dwords_of(&r, inst->size_written, inst->exec_size);
}

static inline unsigned
dword_number(const struct dwords *d, unsigned k)
{
   if (!d->step)
      return d->first_B / 4 + k;
   return (d->first_B + k / d->per_channel * d->step) / 4 +
          k % d->per_channel;
}

/* Calls for each dword of an operand. */
#define FOREACH_DWORD(dword, of)                                             \
   for (struct dwords d_ = (of), *once_ = &d_; once_; once_ = NULL)          \
      for (unsigned k_ = 0, dword;                                           \
           k_ < d_.count && (dword = dword_number(&d_, k_), true); k_++)     \
         if (d_.step || k_ >= 32 || (d_.mask & (1u << k_)))

/* Without gaps, as most operands are. */
static inline bool
in_a_row(const struct dwords *d)
{
   return !d->step && d->mask == ~0u;
}

static inline void
add_use(struct eu_dword_info *w)
{
   bump(&w->uses);
   w->early |= w->defs == 0;
}

static inline void
add_def(struct eu_dword_info *w, struct eu_inst *inst)
{
   if (w->early && w->defs == 0)
      bump(&w->defs);
   bump(&w->defs);
   w->def = inst;
}

static void
add_uses(struct eu_dword_info *dw, struct dwords of)
{
   if (in_a_row(&of)) {
      for (unsigned k = of.first_B / 4; k < of.first_B / 4 + of.count; k++)
         add_use(&dw[k]);
   } else {
      FOREACH_DWORD(k, of)
         add_use(&dw[k]);
   }
}

static void
add_defs(struct eu_dword_info *dw, struct dwords of, struct eu_inst *inst)
{
   if (in_a_row(&of)) {
      for (unsigned k = of.first_B / 4; k < of.first_B / 4 + of.count; k++)
         add_def(&dw[k], inst);
   } else {
      FOREACH_DWORD(k, of)
         add_def(&dw[k], inst);
   }
}

void
eu_defs_init(struct eu_defs *d, struct eu_shader *s, struct arena *arena)
{
   uint32_t n = 0;

   d->shader = s;
   d->first = arena_new_array(arena, uint32_t, s->num_vgrfs + 1);
   for (uint32_t i = 0; i < s->num_vgrfs; i++) {
      d->first[i] = n;
      n += s->vgrf_size[i] * 8u;
   }
   d->first[s->num_vgrfs] = n;
   d->dw = arena_new_array(arena, struct eu_dword_info, n);

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      for (unsigned i = 0; i < inst->sources; i++) {
         const eu_reg *r = &inst->src[i];
         const unsigned size = eu_size_read(inst, i);

         if (r->file != EU_VGRF || !size)
            continue;
         const bool whole = eu_is_send(inst) || eu_info(inst)->is_virtual;
         add_uses(&d->dw[d->first[r->nr]], source_dwords(inst, i, whole));
      }
      if (inst->dst.file == EU_VGRF && inst->op != EU_OP_UNDEF &&
          inst->size_written)
         add_defs(&d->dw[d->first[inst->dst.nr]],
                  dst_dwords(inst, eu_is_send(inst)), inst);
   }
}

bool
eu_defs_stable(const struct eu_defs *d, const struct eu_inst *inst,
               unsigned src)
{
   const eu_reg *r = &inst->src[src];

   switch ((enum eu_file)r->file) {
   case EU_IMM:
   case EU_UNIFORM:
   case EU_ATTR:
   case EU_GRF: /* before allocation: the payload */ return true;
   case EU_VGRF:
      FOREACH_DWORD(k, source_dwords(inst, src, false)) {
         if (d->dw[d->first[r->nr] + k].defs > 1)
            return false;
      }
      return true;
   default: return false;
   }
}

bool
eu_defs_stable_dst(const struct eu_defs *d, const struct eu_inst *inst)
{
   if (inst->dst.file != EU_VGRF)
      return false;
   FOREACH_DWORD(k, dst_dwords(inst, false)) {
      if (d->dw[d->first[inst->dst.nr] + k].defs != 1)
         return false;
   }
   return true;
}

struct eu_inst *
eu_defs_only_def(const struct eu_defs *d, const struct eu_inst *inst,
                 unsigned src)
{
   const eu_reg *r = &inst->src[src];
   struct eu_inst *def = NULL;

   if (r->file != EU_VGRF)
      return NULL;
   FOREACH_DWORD(k, source_dwords(inst, src, false)) {
      const struct eu_dword_info *w = &d->dw[d->first[r->nr] + k];
      if (w->defs != 1 || (def && def != w->def))
         return NULL;
      def = w->def;
   }
   return def;
}

static bool
is_in_loop(const struct eu_loop *loop, const struct eu_inst *inst)
{
   return inst->ip >= loop->start_ip && inst->ip <= loop->end_ip;
}

bool
eu_defs_outlives_loop(const struct eu_defs *d, const struct eu_inst *inst,
                      unsigned src, const struct eu_inst *reader)
{
   if (inst->src[src].file != EU_VGRF)
      return false;
   const struct eu_inst *def = eu_defs_only_def(d, inst, src);
   if (def && !def->nomask && inst->src[src].stride != 0)
      return false;
   const struct eu_cfg *cfg = &d->shader->cfg;
   const int32_t loop = cfg->blocks[(def ? def : inst)->block].loop;
   return loop >= 0 && is_in_loop(&cfg->loops[loop], inst) &&
          !is_in_loop(&cfg->loops[loop], reader);
}

unsigned
eu_defs_uses(const struct eu_defs *d, const struct eu_inst *inst)
{
   unsigned most = 0;

   FOREACH_DWORD(k, dst_dwords(inst, false))
      most = MAX2(most, d->dw[d->first[inst->dst.nr] + k].uses);
   return most;
}

bool
eu_visit_defined(struct eu_shader *s,
                 bool (*wanted)(const struct eu_inst *inst),
                 bool (*visit)(struct eu_defs *d, struct eu_inst *inst,
                               struct eu_inst *def))
{
   struct arena *arena = arena_create(NULL);
   struct eu_defs defs;
   bool progress = false;

   eu_calculate_cfg(s);
   eu_defs_init(&defs, s, arena);
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      struct eu_inst *def = wanted(inst) ? eu_defs_only_def(&defs, inst, 0)
                                         : NULL;
      if (def)
         progress |= visit(&defs, inst, def);
   }
   arena_destroy(arena);
   return progress;
}
