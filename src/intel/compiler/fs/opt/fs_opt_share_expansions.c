/* SPDX-License-Identifier: MIT */
/*
 * Scalars of 64 bits that all channels have a copy of, as three-source
 * instructions want them (fs_lower_regioning.c): one copy where there were
 * several, in front of the loops in which it does not change.
 *
 * A copy costs as much as a multiply-add, and two registers. So it is kept
 * from one use to the next, and through a loop, only where registers are left
 * for it: as many are live as the order of the instructions before scheduling
 * has it (eu_liveness.c). All channels are written, so that it does not
 * matter where the first use is. Copies for other channels are the same.
 *
 * Cost: linear in instructions, and in what a copy is kept for.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/eu/eu_defs.h"
#include "intel/compiler/fs/fs_compile.h"

/* Registers that may be live at once for the sake of copies. */
#define MAX_LIVE 96
/* Copies are not kept for longer, nor through longer loops. */
#define MAX_KEPT 4096
#define TABLE 64

/* A copy that is there. */
struct copy {
   struct eu_inst *inst;
   uint32_t scope;
   uint32_t last; /* instruction up to which its registers count */
   uint32_t next; /* in the table, + 1 */
};

struct scope {
   uint32_t id;
   struct eu_inst *loop; /* its DO; NULL: an arm of an if */
};

struct share {
   struct eu_shader *s;
   struct eu_defs defs;
   int32_t *live;      /* by instruction */
   uint32_t *loop_end; /* by DO */
   uint32_t *first;    /* GRF of each VGRF */
   uint8_t *piece;     /* by GRF: of the copy that it is in, + 1 */
   bool *other;        /* by VGRF: not just copies */
   uint32_t *last;     /* by VGRF: its last use */
   uint32_t *to;       /* by GRF: the one that has the same, + 1 */
   uint32_t table[TABLE];
   struct util_dynarray copies, scopes, open;
};

static bool
is_expansion(const struct eu_inst *inst)
{
   const eu_reg *from = &inst->src[0];

   return inst->op == ISA_OPCODE_MOV && inst->exec_size > 1 &&
          inst->dst.file == EU_VGRF && inst->dst.stride == 1 &&
          inst->dst.offset % REG_SIZE_B == 0 &&
          inst->size_written % REG_SIZE_B == 0 &&
          eu_type_sz(inst->dst.type) == 8 && inst->dst.type == from->type &&
          !inst->align16 && !inst->saturate && inst->pred == ISA_PRED_NONE &&
          inst->cond_mod == ISA_COND_MOD_NONE &&
          !(from->negate || from->abs || from->region) &&
          (from->file == EU_IMM || from->stride == 0);
}

static uint32_t
grf_of(const struct share *sh, const eu_reg *r)
{
   return sh->first[r->nr] + r->offset / REG_SIZE_B;
}

static void
note_writer(struct share *sh, const struct eu_inst *inst)
{
   if (inst->dst.file != EU_VGRF || inst->op == EU_OP_UNDEF)
      return;
   if (!is_expansion(inst) || !eu_defs_stable(&sh->defs, inst, 0) ||
       !eu_defs_stable_dst(&sh->defs, inst)) {
      sh->other[inst->dst.nr] = true;
      return;
   }
   for (unsigned i = 0; i < inst->size_written / REG_SIZE_B; i++)
      sh->piece[grf_of(sh, &inst->dst) + i] = (uint8_t)(i + 1);
}

/* Reads within one copy are read from another one. */
static void
note_reads(struct share *sh, const struct eu_inst *inst)
{
   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];
      const unsigned size_B = eu_size_read(inst, i);
      if (r->file != EU_VGRF)
         continue;
      sh->last[r->nr] = inst->ip;
      if (!size_B || sh->other[r->nr])
         continue;
      const uint32_t begin = grf_of(sh, r);
      const uint32_t end = sh->first[r->nr] +
                           (r->offset + size_B - 1) / REG_SIZE_B;
      for (uint32_t g = begin; g <= end; g++)
         sh->other[r->nr] |= !sh->piece[g] ||
                             (g > begin && sh->piece[g] == 1);
   }
}

/* ---- registers ---- */

static bool
has_room(const struct share *sh, uint32_t begin, uint32_t end, int grfs)
{
   if (end - begin > MAX_KEPT)
      return false;
   for (uint32_t ip = begin; ip <= end; ip++) {
      if (sh->live[ip] + grfs > MAX_LIVE)
         return false;
   }
   return true;
}

static void
take(struct share *sh, uint32_t begin, uint32_t end, int grfs)
{
   for (uint32_t ip = begin; ip <= end; ip++)
      sh->live[ip] += grfs;
}

static int
grfs_of(const struct eu_inst *inst)
{
   return (int)(inst->size_written / REG_SIZE_B);
}

/* ---- scopes ---- */

static void
open_scope(struct share *sh, struct eu_inst *loop)
{
   const struct scope sc = {
      (uint32_t)util_dynarray_num_elements(&sh->open, bool), loop
   };
   const bool is_open = true;

   util_dynarray_append(&sh->scopes, struct scope, sc);
   util_dynarray_append(&sh->open, bool, is_open);
}

static void
close_scope(struct share *sh)
{
   const struct scope sc = util_dynarray_pop(&sh->scopes, struct scope);

   *util_dynarray_element(&sh->open, bool, sc.id) = false;
}

static const struct scope *
innermost(const struct share *sh)
{
   return (const struct scope *)((const char *)sh->scopes.data +
                                 sh->scopes.size_B) -
          1;
}

static bool
is_open(const struct share *sh, uint32_t id)
{
   return *util_dynarray_element(&sh->open, bool, id);
}

/* The end of the outermost loop that is around the current place, but not
 * around scope `id`; else `ip`. */
static uint32_t
end_of_use(const struct share *sh, uint32_t id, uint32_t ip)
{
   const struct scope *scopes = sh->scopes.data;
   const unsigned n =
      (unsigned)util_dynarray_num_elements(&sh->scopes, struct scope);

   for (unsigned i = 0; i < n; i++) {
      if (scopes[i].id > id && scopes[i].loop)
         return sh->loop_end[scopes[i].loop->ip];
   }
   return ip;
}

/* ---- copies ---- */

static unsigned
bucket(const struct eu_inst *inst)
{
   const eu_reg *r = &inst->src[0];
   uint64_t h = r->imm * 0x9e3779b97f4a7c15u + r->nr * 31u + r->offset;

   return (unsigned)(h >> 40 ^ h) % TABLE;
}

static void
add_copy(struct share *sh, struct eu_inst *inst, uint32_t scope,
         uint32_t last)
{
   const unsigned b = bucket(inst);
   const struct copy c = { inst, scope, last, sh->table[b] };

   util_dynarray_append(&sh->copies, struct copy, c);
   sh->table[b] =
      (uint32_t)util_dynarray_num_elements(&sh->copies, struct copy);
}

/* One that may take the place of `inst`. */
static struct copy *
find_copy(struct share *sh, const struct eu_inst *inst)
{
   for (uint32_t i = sh->table[bucket(inst)]; i;) {
      struct copy *c = util_dynarray_element(&sh->copies, struct copy, i - 1);
      i = c->next;
      if (is_open(sh, c->scope) &&
          c->inst->size_written == inst->size_written &&
          c->inst->dst.type == inst->dst.type &&
          eu_reg_equal(&c->inst->src[0], &inst->src[0]))
         return c;
   }
   return NULL;
}

static void
use_copy(struct share *sh, const struct copy *c, struct eu_inst *inst)
{
   for (int i = 0; i < grfs_of(inst); i++)
      sh->to[grf_of(sh, &inst->dst) + (uint32_t)i] =
         grf_of(sh, &c->inst->dst) + (uint32_t)i + 1;
   list_del(&inst->link);
}

/* In all channels, at the same place of the destination's register. */
static void
make_whole(struct eu_inst *inst)
{
   inst->nomask = true;
   inst->group = 0;
}

static bool
share_copy(struct share *sh, struct eu_inst *inst)
{
   struct copy *c = find_copy(sh, inst);

   if (!c)
      return false;
   const uint32_t ip = end_of_use(sh, c->scope, inst->ip);
   if (ip > c->last && !has_room(sh, c->last + 1, ip, grfs_of(inst)))
      return false;
   if (ip > c->last)
      take(sh, c->last + 1, ip, grfs_of(inst));
   c->last = MAX2(c->last, MAX2(ip, sh->last[inst->dst.nr]));
   make_whole(c->inst);
   use_copy(sh, c, inst);
   return true;
}

/* Whether the scalar is known in front of a loop. */
static bool
is_known_before(const struct share *sh, const struct eu_inst *inst,
                const struct eu_inst *loop)
{
   if (inst->src[0].file != EU_VGRF)
      return true;
   const struct eu_inst *def = eu_defs_only_def(&sh->defs, inst, 0);
   return def && def->ip < loop->ip;
}

static bool
move_out_of_loops(struct share *sh, struct eu_inst *inst)
{
   const struct scope *scopes = sh->scopes.data;
   const unsigned n =
      (unsigned)util_dynarray_num_elements(&sh->scopes, struct scope);

   for (unsigned i = 1; i < n; i++) {
      struct eu_inst *loop = scopes[i].loop;
      if (!loop || !is_known_before(sh, inst, loop) ||
          !has_room(sh, loop->ip, sh->loop_end[loop->ip], grfs_of(inst)))
         continue;
      take(sh, loop->ip, sh->loop_end[loop->ip], grfs_of(inst));
      list_del(&inst->link);
      list_addtail(&inst->link, &loop->link);
      make_whole(inst);
      add_copy(sh, inst, scopes[i - 1].id, sh->loop_end[loop->ip]);
      return true;
   }
   return false;
}

static bool
visit(struct share *sh, struct eu_inst *inst)
{
   const struct eu_opcode_info *info = eu_info(inst);

   /* A routine does not know who has called it. */
   if (inst->op == EU_OP_ARGUMENT) {
      close_scope(sh);
      open_scope(sh, NULL);
   }
   if (info->closes)
      close_scope(sh);
   if (info->opens)
      open_scope(sh, inst->op == EU_OP_DO ? inst : NULL);
   if (!is_expansion(inst) || sh->other[inst->dst.nr])
      return false;
   if (share_copy(sh, inst) || move_out_of_loops(sh, inst))
      return true;
   add_copy(sh, inst, innermost(sh)->id, sh->last[inst->dst.nr]);
   return false;
}

static void
find_loop_ends(struct share *sh)
{
   struct util_dynarray open = { 0 };

   list_for_each_entry(struct eu_inst, inst, &sh->s->insts, link) {
      if (eu_info(inst)->closes) {
         const uint32_t head = util_dynarray_pop(&open, uint32_t);
         sh->loop_end[head] = inst->ip;
      }
      if (eu_info(inst)->opens)
         util_dynarray_append(&open, uint32_t, inst->ip);
   }
   util_dynarray_fini(&open);
}

static void
read_copies(struct share *sh)
{
   list_for_each_entry(struct eu_inst, inst, &sh->s->insts, link) {
      for (unsigned i = 0; i < inst->sources; i++) {
         eu_reg *r = &inst->src[i];
         if (r->file != EU_VGRF || !sh->to[grf_of(sh, r)])
            continue;
         const uint32_t grf = sh->to[grf_of(sh, r)] - 1;
         uint32_t nr = 0, end = sh->s->num_vgrfs;
         while (end - nr > 1) {
            const uint32_t middle = (nr + end) / 2;
            *(sh->first[middle] <= grf ? &nr : &end) = middle;
         }
         r->nr = nr;
         r->offset = (grf - sh->first[nr]) * REG_SIZE_B +
                     r->offset % REG_SIZE_B;
      }
   }
}

static void
prepare(struct share *sh, struct arena *arena)
{
   struct eu_shader *s = sh->s;
   uint32_t grfs = 0;

   eu_calculate_cfg(s);
   eu_defs_init(&sh->defs, s, arena);
   const struct eu_liveness *lv =
      eu_calculate_liveness(s, EU_GRANULE_GRF, arena);
   const int32_t *live = eu_count_live(s, lv, arena);
   const uint32_t n = s->cfg.num_insts;
   sh->live = arena_new_array(arena, int32_t, n);
   for (uint32_t ip = 0; ip < n; ip++)
      sh->live[ip] = MAX2(live[2 * ip], live[2 * ip + 1]);
   sh->loop_end = arena_new_array(arena, uint32_t, n);
   find_loop_ends(sh);

   sh->first = arena_new_array(arena, uint32_t, s->num_vgrfs);
   for (uint32_t v = 0; v < s->num_vgrfs; v++) {
      sh->first[v] = grfs;
      grfs += s->vgrf_size[v];
   }
   sh->piece = arena_new_array(arena, uint8_t, grfs);
   sh->to = arena_new_array(arena, uint32_t, grfs);
   sh->other = arena_new_array(arena, bool, s->num_vgrfs);
   sh->last = arena_new_array(arena, uint32_t, s->num_vgrfs);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      note_writer(sh, inst);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      note_reads(sh, inst);
}

bool
fs_opt_share_expansions(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct share *sh = arena_new(arena, struct share);
   bool progress = false;

   sh->s = s;
   prepare(sh, arena);
   open_scope(sh, NULL);
   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link)
      progress |= visit(sh, inst);
   if (progress)
      read_copies(sh);
   util_dynarray_fini(&sh->copies);
   util_dynarray_fini(&sh->scopes);
   util_dynarray_fini(&sh->open);
   arena_destroy(arena);
   return progress;
}
