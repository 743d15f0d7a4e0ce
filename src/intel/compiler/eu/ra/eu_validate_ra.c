/* SPDX-License-Identifier: MIT */
/*
 * Checks a register allocation without use of what it was made from.
 *
 * For every dword of every VGRF (and of every hardware GRF that is named as
 * such) it walks over the paths of the program and holds in which states the
 * dword may be: its register has its value, or was overwritten by another
 * value since. States of different paths join by union, so a dword that some
 * path never writes is no fault, but one that was written, overwritten and is
 * then read on any path is one.
 *
 * A path is what one channel does. While it waits for others (after a jump
 * over the other arm, or out of a loop) the others go on to write registers,
 * so such an edge overwrites whatever the instructions in between write. A
 * call overwrites what routines write.
 *
 * Also checked: each VGRF has a place within g0-g127, the payload of the last
 * message lies in g112-g127, no message returns into g127, and no instruction
 * of two halves writes what its second half still reads.
 */
#include "eu_ra_graph.h"
#include "util/guard.h"

#define DWORDS 8 /* of a GRF: one bit each in a byte */

struct check_state {
   struct eu_shader *s;
   const uint16_t *reg;
   uint32_t *first; /* first GRF variable of a VGRF, after the
                              EU_MAX_GRF of the hardware */
   uint8_t *phys;   /* where each variable lies */
   uint32_t num_vars;
   /* Variables by hardware GRF: list[start[g] .. start[g + 1]). */
   uint32_t list_start[EU_MAX_GRF + 1], *list;
   uint8_t *in;          /* by block: held, then lost */
   uint8_t *held, *lost; /* of the block at hand */
   char *msg;
   size_t msg_size;
};

static bool
fault(struct check_state *c, const struct eu_inst *inst, const eu_reg *r,
      const char *rule)
{
   snprintf(c->msg, c->msg_size, "%s: %s%u+%u.%u, instruction %u (%s)", rule,
            r->file == EU_VGRF ? "vgrf" : "g", r->nr, r->offset / REG_SIZE_B,
            r->offset % REG_SIZE_B, inst->ip, eu_info(inst)->name);
   return false;
}

static bool
in_grf(const eu_reg *r)
{
   return r->file == EU_VGRF || r->file == EU_GRF;
}

/* Byte address of an operand among the variables, and in the hardware. */
static uint32_t
var_byte(const struct check_state *c, const eu_reg *r)
{
   return (r->file == EU_VGRF ? c->first[r->nr] : r->nr) * REG_SIZE_B +
          r->offset;
}

static uint32_t
phys_byte(const struct check_state *c, const eu_reg *r)
{
   return (r->file == EU_VGRF ? c->reg[r->nr] : r->nr) * REG_SIZE_B +
          r->offset;
}

static void
overwrite(struct check_state *c, uint32_t var, uint8_t mask)
{
   const unsigned g = c->phys[var];

   for (uint32_t i = c->list_start[g]; i < c->list_start[g + 1]; i++) {
      const uint32_t v = c->list[i];
      if (v == var)
         continue;
      c->lost[v] |= c->held[v] & mask;
      c->held[v] &= (uint8_t)~mask;
   }
}

/* `sure`: no channel of the path keeps what was there. `away`: others write
 * while the path's channel waits. */
static void
write_dwords(struct check_state *c, uint32_t byte, unsigned size_B, bool sure,
             bool away)
{
   const uint32_t end = (byte + size_B - 1) / 4 + 1;

   /* All of a register at once: many variables may share it. */
   for (uint32_t d = byte / 4, n; d < end; d += n) {
      const uint32_t var = d / DWORDS;
      n = MIN2(DWORDS - d % DWORDS, end - d);
      const uint8_t mask = (uint8_t)(((1u << n) - 1) << d % DWORDS);

      overwrite(c, var, mask);
      if (away)
         continue;
      if (sure)
         c->lost[var] &= (uint8_t)~mask;
      c->held[var] |= mask;
   }
}

static void
write_dst(struct check_state *c, const struct eu_inst *inst, bool away)
{
   const eu_reg *r = &inst->dst;
   const bool sure = !eu_keeps_channels(inst);

   if (!in_grf(r) || inst->size_written == 0)
      return;
   if (inst->op == EU_OP_UNDEF && away)
      return;
   const uint32_t byte = var_byte(c, r);
   if (inst->align16) {
      const uint32_t dwords = eu_dwords_written(inst);
      for (unsigned d = 0; d < 32; d++) {
         if (dwords & (1u << d))
            write_dwords(c, byte + 4 * d, 4, sure, away);
      }
      return;
   }
   if (eu_info(inst)->whole_dst || eu_info(inst)->is_virtual ||
       r->stride <= 1) {
      write_dwords(c, byte, inst->size_written, sure, away);
      return;
   }
   const unsigned size_B = eu_type_sz(r->type);
   for (unsigned ch = 0; ch < inst->exec_size; ch++)
      write_dwords(c, byte + ch * r->stride * size_B, size_B, sure, away);
}

static bool
check_sources(struct check_state *c, const struct eu_inst *inst)
{
   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];
      const unsigned size_B = eu_size_read(inst, i);

      if (!in_grf(r) || size_B == 0)
         continue;
      const uint32_t byte = var_byte(c, r);
      const uint32_t dwords = inst->align16 ? eu_dwords_read(inst, i) : ~0u;
      for (uint32_t d = byte / 4; d <= (byte + size_B - 1) / 4; d++) {
         if ((d - byte / 4 >= 32 || (dwords & (1u << (d - byte / 4)))) &&
             (c->lost[d / DWORDS] & (1u << d % DWORDS)))
            return fault(c, inst, r, "another value overwrote what is read");
      }
   }
   return true;
}

/* Rules that do not depend on the path. */
static bool
check_operands(struct check_state *c, const struct eu_inst *inst)
{
   const bool send = eu_is_send(inst);
   const bool writes = in_grf(&inst->dst) && inst->size_written;

   if (inst->op == EU_OP_UNDEF)
      return true;
   for (int i = -1; i < inst->sources; i++) {
      const eu_reg *r = i < 0 ? &inst->dst : &inst->src[i];
      if (r->file == EU_VGRF &&
          c->reg[r->nr] + c->s->vgrf_size[r->nr] > EU_MAX_GRF)
         return fault(c, inst, r, "no place within g0-g127");
   }
   const uint32_t to = writes ? phys_byte(c, &inst->dst) : 0;
   const uint32_t to_end = to + inst->size_written;
   if (send && writes && to_end > (EU_MAX_GRF - 1) * REG_SIZE_B)
      return fault(c, inst, &inst->dst, "a message returns into g127");
   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];
      const unsigned size_B = eu_size_read(inst, i);

      if (!in_grf(r) || size_B == 0)
         continue;
      const uint32_t at = phys_byte(c, r);
      if (send && inst->eot && i != 1 && at < EU_EOT_FIRST_GRF * REG_SIZE_B)
         return fault(c, inst, r, "the last payload lies below g112");
      if (send || !writes || at >= to_end || to >= at + size_B ||
          (r->file == inst->dst.file && r->nr == inst->dst.nr))
         continue;
      if (to == at && eu_reads_by_halves(inst, i))
         continue;
      /* One that expands to several, or one that runs as two halves. */
      if (eu_info(inst)->is_virtual ||
          to % REG_SIZE_B + inst->size_written > REG_SIZE_B ||
          at % REG_SIZE_B + size_B > REG_SIZE_B)
         return fault(c, inst, r, "written before it has been read");
   }
   return true;
}

/* What the channels that go on do to one that waits, blocks [from, to). */
static void
wait_over(struct check_state *c, uint32_t from, uint32_t to)
{
   const struct eu_cfg *cfg = &c->s->cfg;

   for (uint32_t b = from; b < to; b++) {
      for (struct eu_inst *inst = cfg->blocks[b].first;;
           inst = list_entry(inst->link.next, struct eu_inst, link)) {
         write_dst(c, inst, true);
         if (inst == cfg->blocks[b].last)
            break;
      }
   }
}

/* First block of the outermost loop that a jump from `b` to `to` leaves, or
 * the block after b. */
static uint32_t
first_of_wait(const struct eu_cfg *cfg, uint32_t b, uint32_t to)
{
   const uint32_t ip = cfg->blocks[b].start_ip;
   const uint32_t to_ip = cfg->blocks[to].start_ip;
   uint32_t first = b + 1;

   for (uint32_t l = 0; l < cfg->num_loops; l++) {
      const struct eu_loop *loop = &cfg->loops[l];
      if (loop->start_ip > ip || loop->end_ip < ip || loop->end_ip >= to_ip)
         continue;
      while (first > 0 && cfg->blocks[first].start_ip > loop->start_ip)
         first--;
   }
   return first;
}

static bool
join(struct check_state *c, uint32_t block)
{
   uint8_t *in = c->in + (size_t)block * 2 * c->num_vars;
   uint8_t news = 0;

   for (uint32_t v = 0; v < c->num_vars; v++) {
      news |= (uint8_t)((c->held[v] & ~in[v]) |
                        (c->lost[v] & ~in[c->num_vars + v]));
      in[v] |= c->held[v];
      in[c->num_vars + v] |= c->lost[v];
   }
   return news != 0;
}

static bool
follow_edge(struct check_state *c, uint32_t b, uint32_t to)
{
   const uint32_t first = to > b ? first_of_wait(&c->s->cfg, b, to) : b + 1;

   if (to <= b + 1 && first > b)
      return join(c, to);
   /* On copies: the other edge starts from the same state. */
   uint8_t *const held = c->held, *const lost = c->lost;
   c->held = guard_alloc(2, c->num_vars);
   c->lost = c->held + c->num_vars;
   memcpy(c->held, held, c->num_vars);
   memcpy(c->lost, lost, c->num_vars);
   wait_over(c, first, to);
   const bool changed = join(c, to);
   guard_free(c->held);
   c->held = held;
   c->lost = lost;
   return changed;
}

static uint32_t
first_routine(const struct check_state *c)
{
   uint32_t b = 0;

   while (b < c->s->cfg.num_blocks &&
          c->s->cfg.blocks[b].first->op != EU_OP_ARGUMENT)
      b++;
   return b;
}

static bool
walk_block(struct check_state *c, uint32_t b)
{
   const struct eu_block *blk = &c->s->cfg.blocks[b];
   const uint8_t *in = c->in + (size_t)b * 2 * c->num_vars;

   memcpy(c->held, in, c->num_vars);
   memcpy(c->lost, in + c->num_vars, c->num_vars);
   for (struct eu_inst *inst = blk->first;;
        inst = list_entry(inst->link.next, struct eu_inst, link)) {
      if (!check_sources(c, inst))
         return false;
      if (inst->op == EU_OP_CALL_ROUTINE)
         wait_over(c, first_routine(c), c->s->cfg.num_blocks);
      write_dst(c, inst, false);
      if (inst == blk->last)
         return true;
   }
}

static bool
walk_all(struct check_state *c)
{
   const struct eu_cfg *cfg = &c->s->cfg;
   bool again = true;

   while (again) {
      again = false;
      for (uint32_t b = 0; b < cfg->num_blocks; b++) {
         if (!walk_block(c, b))
            return false;
         for (unsigned k = 0; k < 2; k++) {
            const int32_t to = cfg->blocks[b].succ[k];
            if (to >= 0 && follow_edge(c, b, (uint32_t)to))
               again |= (uint32_t)to <= b;
         }
      }
   }
   return true;
}

static void
number_variables(struct check_state *c, struct arena *arena)
{
   struct eu_shader *s = c->s;
   uint32_t next[EU_MAX_GRF];

   c->first = arena_new_array(arena, uint32_t, s->num_vgrfs + 1);
   c->num_vars = EU_MAX_GRF;
   for (uint32_t v = 0; v < s->num_vgrfs; v++) {
      c->first[v] = c->num_vars;
      /* One without a place takes no part: nothing may name it. */
      c->num_vars += s->vgrf_size[v];
   }
   c->phys = arena_new_array(arena, uint8_t, c->num_vars);
   for (unsigned g = 0; g < EU_MAX_GRF; g++)
      c->phys[g] = (uint8_t)g;
   for (uint32_t v = 0; v < s->num_vgrfs; v++) {
      for (unsigned k = 0; k < s->vgrf_size[v]; k++) {
         const unsigned g = c->reg[v] + k;
         c->phys[c->first[v] + k] = (uint8_t)(g < EU_MAX_GRF ? g : 0xff);
      }
   }
   for (uint32_t v = 0; v < c->num_vars; v++) {
      if (c->phys[v] < EU_MAX_GRF)
         c->list_start[c->phys[v] + 1]++;
   }
   for (unsigned g = 0; g < EU_MAX_GRF; g++) {
      next[g] = c->list_start[g];
      c->list_start[g + 1] += c->list_start[g];
   }
   c->list = arena_new_array(arena, uint32_t, c->num_vars);
   for (uint32_t v = 0; v < c->num_vars; v++) {
      if (c->phys[v] < EU_MAX_GRF)
         c->list[next[c->phys[v]]++] = v;
   }
}

bool
eu_check_allocation(struct eu_shader *s, const uint16_t *reg, char *msg,
                    size_t msg_size)
{
   struct arena *arena = arena_create(NULL);
   struct check_state c = {
      .s = s,
      .reg = reg,
      .msg = msg,
      .msg_size = msg_size,
   };
   bool ok = true;

   eu_calculate_cfg(s);
   number_variables(&c, arena);
   c.in = arena_new_array(arena, uint8_t,
                          (size_t)s->cfg.num_blocks * 2 * c.num_vars + 1);
   c.held = arena_new_array(arena, uint8_t, c.num_vars);
   c.lost = arena_new_array(arena, uint8_t, c.num_vars);
   /* The thread starts with its payload. */
   if (s->cfg.num_blocks)
      memset(c.in, 0xff, EU_MAX_GRF);
   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      ok = check_operands(&c, inst);
      if (!ok)
         break;
   }
   if (ok)
      ok = walk_all(&c);
   arena_destroy(arena);
   return ok;
}
