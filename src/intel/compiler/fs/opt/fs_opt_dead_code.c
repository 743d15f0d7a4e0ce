/* SPDX-License-Identifier: MIT */
/*
 * Removes instructions whose results nobody reads.
 *
 * Backward through each block from what is live at its end, GRF by GRF, and
 * flag by flag. An instruction goes when it has no effect but a destination
 * (and flags) that is dead; one whose destination is dead but whose flag is
 * read writes to null instead.
 */
#include "intel/compiler/eu/eu_ir.h"
#include "intel/compiler/fs/fs_compile.h"

struct dce {
   struct eu_shader *s;
   struct eu_liveness *lv;
   uint32_t *live; /* by granule: block + 1 while it is */
   uint32_t now;   /* block + 1 */
};

static bool
dst_is_live(const struct dce *d, const struct eu_inst *inst)
{
   uint32_t first, end;

   if (inst->dst.file == EU_BAD || eu_is_null(&inst->dst))
      return false;
   if (!eu_is_tracked(&inst->dst))
      return true;
   if (!eu_vars_of(d->lv, &inst->dst, inst->size_written, &first, &end))
      return false;
   while (first < end && d->live[first] != d->now)
      first++;
   return first < end;
}

/* What the instruction defines is dead above it. */
static void
kill_dst(struct dce *d, const struct eu_inst *inst)
{
   uint32_t first, end;

   if (!eu_vars_defined(d->lv, inst, &first, &end))
      return;
   for (uint32_t v = first; v < end; v++)
      d->live[v] = 0;
}

static void
add_sources(struct dce *d, const struct eu_inst *inst)
{
   for (unsigned i = 0; i < inst->sources; i++) {
      uint32_t first, end;

      if (!eu_vars_of(d->lv, &inst->src[i], eu_size_read(inst, i), &first,
                      &end))
         continue;
      for (uint32_t v = first; v < end; v++)
         d->live[v] = d->now;
   }
}

/* Flags that the instruction replaces in all channels that are enabled: an
 * unpredicated comparison at full width, or a move into the register. */
static uint8_t
flags_killed(const struct eu_shader *s, const struct eu_inst *inst)
{
   if (inst->pred != ISA_PRED_NONE ||
       (inst->align16 && inst->dst.swz != ISA_WRITEMASK_XYZW) ||
       (inst->dst.file != EU_ARF && inst->exec_size < s->dispatch_width) ||
       (eu_is_null(&inst->dst) && inst->exec_size < s->dispatch_width))
      return 0;
   return (uint8_t)eu_flags_written(inst);
}

/*
 * Which flags are live at the end of each block: few and seldom across
 * blocks, so a small fixed point.
 */
static uint8_t *
flag_liveness(struct eu_shader *s, struct arena *arena)
{
   const struct eu_cfg *cfg = &s->cfg;
   uint8_t *out = arena_new_array(arena, uint8_t, cfg->num_blocks);
   uint8_t *in = arena_new_array(arena, uint8_t, cfg->num_blocks);
   bool again = true;

   while (again) {
      again = false;
      for (uint32_t b = cfg->num_blocks; b-- > 0;) {
         const struct eu_block *blk = &cfg->blocks[b];
         uint8_t live = 0;

         for (unsigned k = 0; k < 2; k++) {
            if (blk->succ[k] >= 0)
               live |= in[blk->succ[k]];
         }
         out[b] = live;
         for (struct eu_inst *i = blk->last;;
              i = list_entry(i->link.prev, struct eu_inst, link)) {
            live &= (uint8_t)~flags_killed(s, i);
            live |= (uint8_t)eu_flags_read(i);
            if (i == blk->first)
               break;
         }
         if (live & ~in[b]) {
            in[b] |= live;
            again = true;
         }
      }
   }
   return out;
}

static bool
process_block(struct dce *d, const struct eu_block *blk, uint8_t flags)
{
   bool progress = false;
   struct eu_inst *inst = blk->last;

   for (;;) {
      struct eu_inst *prev =
         list_entry(inst->link.prev, struct eu_inst, link);
      const bool first = inst == blk->first;
      const bool live = dst_is_live(d, inst);
      const unsigned wr = eu_flags_written(inst);

      if (!live && !(wr & flags) && !eu_has_side_effects(inst) &&
          !eu_writes_acc(inst) && inst->op != EU_OP_UNDEF) {
         /* A block keeps its first and last instruction's place. */
         inst->op = EU_OP_UNDEF;
         inst->dst = (eu_reg) { 0 };
         inst->sources = 0;
         inst->size_written = 0;
         inst->pred = ISA_PRED_NONE;
         inst->cond_mod = ISA_COND_MOD_NONE;
         progress = true;
      } else if (inst->op == EU_OP_UNDEF && !live &&
                 inst->dst.file != EU_BAD) {
         inst->dst = (eu_reg) { 0 };
         inst->size_written = 0;
         progress = true;
      } else {
         if (!live && (wr & flags) && eu_is_tracked(&inst->dst) &&
             eu_is_alu(inst) && !eu_info(inst)->is_src3) {
            const uint8_t mask = inst->dst.swz;
            inst->dst = eu_null(inst->dst.type);
            inst->dst.swz = mask;
            inst->size_written = 0;
            progress = true;
         }
         kill_dst(d, inst);
         flags &= (uint8_t)~flags_killed(d->s, inst);
         add_sources(d, inst);
         flags |= (uint8_t)eu_flags_read(inst);
      }
      if (first)
         return progress;
      inst = prev;
   }
}

bool
fs_opt_dead_code(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct dce d = {
      .s = s,
      .lv = eu_calculate_liveness(s, EU_GRANULE_GRF, arena),
   };
   const uint8_t *flags = flag_liveness(s, arena);
   bool progress = false;

   d.live = arena_new_array(arena, uint32_t, d.lv->num_vars);
   for (uint32_t b = 0; b < s->cfg.num_blocks; b++) {
      d.now = b + 1;
      for (uint32_t i = d.lv->out_first[b]; i < d.lv->out_first[b + 1]; i++)
         d.live[d.lv->out_vars[i]] = d.now;
      progress |= process_block(&d, &s->cfg.blocks[b], flags[b]);
   }
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (inst->op == EU_OP_UNDEF && inst->dst.file == EU_BAD)
         list_del(&inst->link);
   }
   arena_destroy(arena);
   return progress;
}
