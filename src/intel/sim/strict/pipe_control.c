/* SPDX-License-Identifier: MIT */
/*
 * PIPE_CONTROL: what excludes what, and what must come with what (section 2
 * of the rules; PRM of each generation Vol. 2a, "PIPE_CONTROL").
 */
#include "strict_private.h"

/* What a CS stall can wait for, before Gen9. */
#define COMPANIONS                                                           \
   (PC_FLUSHES | PC_SCOREBOARD_STALL | PC_DEPTH_STALL | PC_POST_SYNC)

static void
check_exclusions(struct strict_command *c, uint32_t pc)
{
   const uint32_t sync = pc & PC_POST_SYNC;
   STRICT_CHECK(c, PC_03,
                (pc & PC_DEPTH_STALL) &&
                   (pc & (PC_TARGET_FLUSH | PC_DEPTH_FLUSH)),
                "%s", "");
   STRICT_CHECK(c, PC_05,
                sync >= PC_DEPTH_COUNT &&
                   (pc & (PC_TARGET_FLUSH | PC_SCOREBOARD_STALL)),
                "%s", "");
   STRICT_CHECK(c, PC_06,
                (pc & PC_SCOREBOARD_STALL) &&
                   (pc & (PC_TARGET_FLUSH | PC_DEPTH_STALL)),
                "%s", "");
   STRICT_CHECK(c, PC_16, sync && (pc & PC_LRI), "%s", "");
   STRICT_CHECK(c, PC_21, pc & PC_SNAPSHOT_RESET, "%s", "");
   STRICT_CHECK(c, PC_36, sync && c->n > 2 && c->dw[2] & 7, "0x%x",
                (unsigned)c->dw[2]);
   STRICT_CHECK(c, PC_34, pc & PC_NOTIFY, "%s", "");
}

static void
check_companions(struct strict_command *c, uint32_t pc)
{
   const uint32_t sync = pc & PC_POST_SYNC;
   const bool stalls = pc & PC_CS_STALL;
   STRICT_CHECK(c, PC_01, stalls && !(pc & COMPANIONS), "%s", "");
   STRICT_CHECK(c, PC_10, (pc & PC_VF_INVALIDATE) && !sync, "%s", "");
   STRICT_CHECK(c, PC_17,
                ((pc & PC_FLUSH_LLC) && sync != PC_WRITE_IMMEDIATE) ||
                   ((pc & PC_STORE_INDEX) && !sync),
                "%s", pc & PC_FLUSH_LLC ? "Flush LLC" : "Store Data Index");
   STRICT_CHECK(c, PC_19, (pc & PC_TLB_INVALIDATE) && !(sync && stalls), "%s",
                "");
   STRICT_CHECK(c, PC_20,
                (pc & PC_TLB_INVALIDATE) && !stalls &&
                   !(c->s->chip->sync_invalidates_tlb && sync),
                "%s", "");
   STRICT_CHECK(c, PC_22,
                (pc & (PC_MEDIA_CLEAR | PC_POINTERS_DISABLE)) && !stalls,
                "%s", "");
   STRICT_CHECK(c, PC_23, (pc & PC_POINTERS_DISABLE) && stalls && !sync, "%s",
                "");
   STRICT_CHECK(c, PC_25,
                sync >= PC_DEPTH_COUNT && !stalls && c->s->gpu->info->gt == 4,
                "%s", "");
   STRICT_CHECK(c, PC_26, sync == PC_DEPTH_COUNT && !(pc & PC_DEPTH_STALL),
                "%s", "");
   if (c->c->pipeline != STRICT_GPGPU)
      return;
   STRICT_CHECK(c, PC_14, (pc & PC_TEXTURE_INVALIDATE) && !stalls, "%s", "");
   STRICT_CHECK(c, PC_15,
                !stalls && (pc & (PC_FLUSHES | PC_DEPTH_STALL | PC_POST_SYNC |
                                  PC_LRI | PC_NOTIFY)),
                "%s", "");
}

/* A packet in which nothing is asked for. */
static bool
is_null(uint32_t pc)
{
   return !pc;
}

static void
check_predecessors(struct strict_command *c, uint32_t pc)
{
   struct strict_context *s = c->c;
   const bool directly = s->pc.last_directly;
   const bool stalls = pc & PC_CS_STALL;
   const bool null_before = directly && is_null(s->pc.last);
   STRICT_CHECK(c, PC_07,
                (pc & PC_STATE_INVALIDATE) && !stalls &&
                   !(s->pc.any && s->pc.last & PC_CS_STALL),
                "%s", "");
   STRICT_CHECK(c, PC_08,
                (pc & PC_STATE_INVALIDATE) &&
                   !(s->pc.any && s->pc.last & PC_SCOREBOARD_STALL),
                "%s", "");
   STRICT_CHECK(c, PC_11, (pc & PC_VF_INVALIDATE) && !null_before, "%s", "");
   STRICT_CHECK(c, PC_12, (pc & PC_VF_INVALIDATE) && null_before, "%s", "");
   STRICT_CHECK(c, PC_13,
                s->pipeline == STRICT_GPGPU &&
                   (pc & (PC_POST_SYNC | PC_LRI)) && !s->pc.stalled,
                "%s", "");
   STRICT_CHECK(c, PC_24,
                (pc & PC_POINTERS_DISABLE) && s->in_flight &&
                   !(s->pc.last & PC_CS_STALL &&
                     s->pc.last & PC_SCOREBOARD_STALL),
                "nothing waits for constants of the "
                "draw before");
   if (pc & PC_CS_STALL)
      s->pc.without_stall = 0;
   else if (pc & ~(PC_INVALIDATES | PC_VF_INVALIDATE))
      s->pc.without_stall++;
   STRICT_CHECK(c, PC_02, s->pc.without_stall == 4, "%s", "");
   if (s->pc.without_stall == 4)
      s->pc.without_stall = 0;
}

/* Sequences of packets that others wait for: the next step if this is it. */
static void
follow_sequences(struct strict_context *s, uint32_t pc)
{
   const bool stalls = pc & PC_CS_STALL;
   if ((pc & PC_DEPTH_STALL) && (pc & PC_WRITE_IMMEDIATE))
      s->vs_ready = true;
   if ((pc & PC_DEPTH_STALL) && s->depth_ready != 1)
      s->depth_ready = s->depth_ready ? 3 : 1;
   else if ((pc & PC_DEPTH_FLUSH) && s->depth_ready == 1)
      s->depth_ready = 2;
   if (stalls && (pc & PC_DATA_FLUSH) && !(pc & PC_INVALIDATES) &&
       s->l3_ready != 1)
      s->l3_ready = s->l3_ready ? 3 : 1;
   else if ((pc & PC_INVALIDATES) == PC_INVALIDATES && s->l3_ready == 1)
      s->l3_ready = 2;
   if (s->empty_draw && stalls && (pc & PC_POST_SYNC))
      s->empty_draw = 2;
   if (s->hz == HZ_OPERATION && (pc & PC_POST_SYNC) == PC_WRITE_IMMEDIATE &&
       !(pc & ~PC_POST_SYNC))
      s->hz = HZ_DONE;
}

/* What the packet makes clean, empty, or idle. */
static void
apply(struct strict_context *s, uint32_t pc)
{
   const bool stalls = pc & PC_CS_STALL;
   follow_sequences(s, pc);
   s->flushed |= pc & PC_FLUSHES;
   s->depth_stalled |= pc & PC_DEPTH_STALL;
   if ((pc & PC_TARGET_FLUSH) && s->color_open)
      s->color_open = STRICT_COLOR_FLUSHED;
   if (stalls && s->color_open == STRICT_COLOR_FLUSHED)
      s->color_open = STRICT_COLOR_DONE;
   if ((pc & PC_DEPTH_STALL) && (pc & PC_DEPTH_FLUSH))
      s->hz_open = false;
   if (pc & PC_VF_INVALIDATE)
      memset(s->vertex_range, 0, sizeof(s->vertex_range));
   if (pc & PC_INVALIDATES)
      s->invalid |= s->in_flight && !stalls ? 0 : pc & PC_INVALIDATES;
   s->base_wants &= ~pc;
   if ((pc & PC_DEPTH_STALL) && (pc & PC_DEPTH_FLUSH))
      s->pma_open = false;
   if (pc & PC_POINTERS_DISABLE) {
      for (unsigned i = 0; i < STRICT_STAGES; i++)
         s->constants[i].disabled = true;
   }
   if (!stalls)
      return;
   s->in_flight = s->streamout_in_flight = s->ps_allocated = false;
   s->pc.stalled = s->stalled_since_draw = true;
   for (unsigned i = 0; i < STRICT_STAGES; i++)
      s->constants[i].drained = true;
}

void
strict_pipe_control(struct strict_command *c)
{
   const uint32_t pc = c->dw[1];
   check_exclusions(c, pc);
   check_companions(c, pc);
   check_predecessors(c, pc);
   if (c->cs->watch.strict)
      strict_watch_pipe_control(c->cs->watch.strict, pc, c->c->in_flight);
   apply(c->c, pc);
   c->c->pc.last = pc;
   c->c->pc.any = true;
}
