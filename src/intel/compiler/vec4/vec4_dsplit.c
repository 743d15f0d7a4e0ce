/* SPDX-License-Identifier: MIT */
/*
 * The fewest instructions for one on doubles: see vec4_dswizzle.h.
 *
 * A piece writes the components of its mask, of which some get what they
 * should: those for which every source has a form that reads the right
 * component. Others are garbage that a later piece has to write over: that
 * is how {x, y} is written although no mask says so. So the search is for
 * the shortest way from "nothing is right" to "all of the mask is right".
 * The state is the set of components that are right; where a source is the
 * destination itself, the set of those that are written, too, as nothing
 * may be read from them any more. At most 256 states, each with as many ways
 * out as there are pairs of a mask and a subset of it: Dijkstra's algorithm
 * in its plainest form.
 *
 * A way costs its instructions first, then the registers that they write:
 * eight doubles take the time of twice four.
 */
#include <string.h>

#include "intel/compiler/vec4/vec4_dswizzle.h"

#define ALL 0xf
#define NUM_STATES 256
/* One instruction more is never worth fewer registers. */
#define INSTRUCTION_COST 32

/* Components written are bits 4 to 7, right ones bits 0 to 3. */
#define STATE(right, written) ((right) | (written) << 4)

struct split {
   const struct vec4_dproblem *problem;
   /* By mode: bit S is set if the components in S can be right at once. */
   uint16_t possible[VEC4_DMODE_COUNT];
   /* By state: the cheapest way to it. */
   uint16_t cost[NUM_STATES];
   struct step {
      uint8_t from, mode, mask, right;
   } step[NUM_STATES];
   bool done[NUM_STATES];
};

/* Two bits for each component in `comps`. */
static unsigned
selectors(unsigned comps)
{
   unsigned bits = 0;
   for (unsigned c = 0; c < 4; c++)
      bits |= (comps >> c & 1) * (3u << 2 * c);
   return bits;
}

/* The form by which source `i` has the components in `right`, or NULL. */
static const struct vec4_dform *
find_form(const struct vec4_dproblem *p, unsigned i, enum vec4_dmode mode,
          unsigned right)
{
   enum vec4_dlayout layout = p->src[i].layout;
   /* One vertex of a vector is a vector in a GRF. */
   if (layout == VEC4_DLAYOUT_VECTOR && vec4_dmode_channels(mode) == 4)
      layout = VEC4_DLAYOUT_EVEN;
   const struct vec4_dform_table *t = &vec4_dforms[p->gen][layout];
   const unsigned compare = selectors(right);
   for (unsigned f = 0; f < t->count; f++) {
      const struct vec4_dform *form = &t->forms[f];
      if (p->src[i].one_row && (form->reads & 0xaa))
         continue;
      if (form->mode == mode && (form->packed || !p->three_sources) &&
          !((form->reads ^ p->src[i].swizzle) & compare))
         return form;
   }
   return NULL;
}

static bool
allowed(const struct vec4_dproblem *p, enum vec4_dmode mode)
{
   if (p->no_eight && vec4_dmode_channels(mode) == 8)
      return false;
   if (vec4_dmode_is_align16(mode))
      return mode != VEC4_DALIGN16_8 || !p->no_eight16;
   return !p->no_align1 && !p->three_sources;
}

/* Whether anything on this generation is done on both vertices at once:
 * sources or not, destinations want it. */
static bool
has_eight(enum isa_gen gen)
{
   return vec4_dforms[gen][VEC4_DLAYOUT_VECTOR].count > 0;
}

static void
find_possible(struct split *s)
{
   const struct vec4_dproblem *p = s->problem;
   for (unsigned mode = 0; mode < VEC4_DMODE_COUNT; mode++) {
      if (!allowed(p, mode) ||
          (vec4_dmode_channels(mode) == 8 && !has_eight(p->gen)))
         continue;
      for (unsigned right = 1; right <= ALL; right++) {
         bool good = true;
         for (unsigned i = 0; good && i < p->num_srcs; i++)
            good = find_form(p, i, mode, right) != NULL;
         s->possible[mode] |= good << right;
      }
   }
}

/* Facts 1.4, row 8: XY and ZW mean other components. */
static bool
is_mask(enum vec4_dmode mode, unsigned mask)
{
   return vec4_dmode_is_align16(mode) ? mask != 0x3 && mask != 0xc
                                      : mask == ALL;
}

/* Components of the destination's old value that are read for `right`. */
static unsigned
reads_of_dst(const struct vec4_dproblem *p, unsigned right)
{
   unsigned comps = 0;
   for (unsigned i = 0; i < p->num_srcs; i++)
      for (unsigned c = 0; c < 4; c++)
         if (p->src[i].is_dst && right >> c & 1)
            comps |= 1u << (p->src[i].swizzle >> 2 * c & 3);
   return comps;
}

static bool
any_src_is_dst(const struct vec4_dproblem *p)
{
   for (unsigned i = 0; i < p->num_srcs; i++)
      if (p->src[i].is_dst)
         return true;
   return false;
}

static void
follow(struct split *s, unsigned from, struct step step)
{
   const struct vec4_dproblem *p = s->problem;
   const unsigned right = from & ALL, written = from >> 4;
   if (reads_of_dst(p, step.right) & written)
      return;
   const unsigned to = STATE((right & ~step.mask) | step.right,
                             any_src_is_dst(p) ? written | step.mask : 0);
   const bool both = vec4_dmode_channels(step.mode) == 8;
   const unsigned cost = s->cost[from] + 2 +
                         (both ? 1 : 2) * INSTRUCTION_COST;
   if (cost < s->cost[to]) {
      s->cost[to] = (uint16_t)cost;
      s->step[to] = step;
   }
}

static void
leave(struct split *s, unsigned from)
{
   const struct vec4_dproblem *p = s->problem;
   for (unsigned mode = 0; mode < VEC4_DMODE_COUNT; mode++) {
      for (unsigned mask = ALL; mask; mask--) {
         const unsigned most = mask & p->mask;
         if ((mask & ~(p->mask | p->spare)) || !is_mask(mode, mask))
            continue;
         for (unsigned right = most; right; right = (right - 1) & most) {
            if (s->possible[mode] >> right & 1)
               follow(s, from,
                      (struct step) { (uint8_t)from, (uint8_t)mode,
                                      (uint8_t)mask, (uint8_t)right });
            if (p->no_scratch)
               break;
         }
      }
   }
}

static int
cheapest(const struct split *s)
{
   int best = -1;
   for (int i = 0; i < NUM_STATES; i++)
      if (!s->done[i] && s->cost[i] != UINT16_MAX &&
          (best < 0 || s->cost[i] < s->cost[best]))
         best = i;
   return best;
}

static void
tell(const struct split *s, unsigned end, struct vec4_dplan *plan)
{
   const struct vec4_dproblem *p = s->problem;
   *plan = (struct vec4_dplan) { 0 };
   for (unsigned at = end; at; at = s->step[at].from)
      plan->num_pieces++;
   assert(plan->num_pieces <= VEC4_DMAX_PIECES &&
          "each component alone is never more than this");
   unsigned n = plan->num_pieces;
   for (unsigned at = end; at; at = s->step[at].from) {
      const struct step *step = &s->step[at];
      struct vec4_dpiece *piece = &plan->piece[--n];
      piece->mode = step->mode;
      piece->mask = step->mask;
      for (unsigned i = 0; i < p->num_srcs; i++)
         piece->src[i] = find_form(p, i, step->mode, step->right);
      plan->instructions += vec4_dmode_channels(step->mode) == 8 ? 1 : 2;
   }
}

bool
vec4_dsplit(const struct vec4_dproblem *problem, struct vec4_dplan *plan)
{
   struct split s = { .problem = problem };
   assert(problem->mask && problem->mask <= ALL &&
          !(problem->mask & problem->spare));
   find_possible(&s);
   memset(s.cost, 0xff, sizeof(s.cost));
   s.cost[0] = 0;
   for (int at; (at = cheapest(&s)) >= 0;) {
      if ((at & ALL) == problem->mask) {
         tell(&s, (unsigned)at, plan);
         return true;
      }
      s.done[at] = true;
      leave(&s, (unsigned)at);
   }
   return false;
}
