/* SPDX-License-Identifier: MIT */
#include "eu_defs.h"

static inline void
bump(uint16_t *n)
{
   if (*n < UINT16_MAX)
      (*n)++;
}

/* Calls for each dword of an operand: by channel when there are gaps. */
#define FOREACH_DWORD(dword, reg, size_B, exec_size)                         \
   for (unsigned step_ = (reg)->region || (reg)->stride <= 1                 \
                            ? 0 : (reg)->stride * eu_type_sz((reg)->type),   \
                 n_ = step_ ? (exec_size)                                    \
                            : DIV_ROUND_UP((reg)->offset % 4 + (size_B), 4), \
                 k_ = 0;                                                     \
        k_ < n_; k_++)                                                       \
      for (unsigned w_ = step_ ? DIV_ROUND_UP(eu_type_sz((reg)->type), 4)    \
                               : 1,                                          \
                    j_ = 0, dword = 0;                                       \
           dword = step_ ? ((reg)->offset + k_ * step_) / 4 + j_             \
                         : (reg)->offset / 4 + k_,                           \
                    j_ < w_; j_++)

void
eu_defs_init(struct eu_defs *d, struct eu_shader *s, struct arena *arena)
{
   uint32_t n = 0;

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
         eu_reg flat = *r;
         if (whole)
            flat.stride = 1;
         FOREACH_DWORD(k, &flat, size, inst->exec_size)
            bump(&d->dw[d->first[r->nr] + k].uses);
      }
      if (inst->dst.file != EU_VGRF || inst->op == EU_OP_UNDEF ||
          !inst->size_written)
         continue;
      eu_reg flat = inst->dst;
      if (eu_is_send(inst))
         flat.stride = 1;
      FOREACH_DWORD(k, &flat, inst->size_written, inst->exec_size) {
         struct eu_dword_info *w = &d->dw[d->first[inst->dst.nr] + k];
         bump(&w->defs);
         w->def = inst;
      }
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
   case EU_GRF: /* before allocation: the payload */
      return true;
   case EU_VGRF:
      FOREACH_DWORD(k, r, eu_size_read(inst, src), inst->exec_size) {
         if (d->dw[d->first[r->nr] + k].defs > 1)
            return false;
      }
      return true;
   default:
      return false;
   }
}

bool
eu_defs_stable_dst(const struct eu_defs *d, const struct eu_inst *inst)
{
   if (inst->dst.file != EU_VGRF)
      return false;
   FOREACH_DWORD(k, &inst->dst, inst->size_written, inst->exec_size) {
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
   FOREACH_DWORD(k, r, eu_size_read(inst, src), inst->exec_size) {
      const struct eu_dword_info *w = &d->dw[d->first[r->nr] + k];
      if (w->defs != 1 || (def && def != w->def))
         return NULL;
      def = w->def;
   }
   return def;
}

unsigned
eu_defs_uses(const struct eu_defs *d, const struct eu_inst *inst)
{
   unsigned most = 0;

   FOREACH_DWORD(k, &inst->dst, inst->size_written, inst->exec_size)
      most = MAX2(most, d->dw[d->first[inst->dst.nr] + k].uses);
   return most;
}
