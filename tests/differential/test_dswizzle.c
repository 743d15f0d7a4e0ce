/* SPDX-License-Identifier: MIT */
/*
 * The swizzles of doubles (src/intel/compiler/vec4/vec4_dswizzle.h) against
 * the simulated EU, on every generation and for every layout of a source:
 *
 * - whatever vec4_dsplit() says for a swizzle and a write mask is executed,
 *   with both vertices on and with either, and does that;
 * - and nothing shorter would: every encoding of a move of doubles is tried,
 *   and the shortest way over all that do something sensible is searched.
 *
 * What counts as sensible: the simulator executes it, isa_validate() has
 * nothing against it, no operand covers more than two GRFs, no channel reads
 * anything but its own vertex' vector or writes a component that is not its
 * own, and there are four doubles or eight. (With fewer only vertex 0 could
 * be written, as NibCtrl wants four: PRM HSW vol 7.)
 *
 * Positions count doubles from the GRF in which an operand starts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intel/compiler/vec4/vec4_dswizzle.h"
#include "intel/sim/eu/eu_private.h"

enum { DST = 42, SRC = 62, OTHER = 72 };
/* Doubles in front of and after the first that are looked at. */
enum { BEFORE = 8, SEEN = 32, NOTHING = -100 };

static const unsigned verx10[ISA_GEN_COUNT] = { 70, 75, 80, 90 };
static const char *const gen_names[] = { "ivb", "hsw", "bdw", "skl" };
static const char *const layout_names[] = { "vector", "even", "odd",
                                            "interleaved" };
static struct sim_eu_thread t;
static struct isa_inst eot[ISA_GEN_COUNT];

/* Position of component c of vertex v; those of `odd` start at 2. */
static int
position(enum vec4_dlayout layout, unsigned v, unsigned c)
{
   switch (layout) {
   case VEC4_DLAYOUT_VECTOR: return (int)(4 * v + c);
   case VEC4_DLAYOUT_EVEN: return (int)c;
   case VEC4_DLAYOUT_ODD: return (int)c + 2;
   case VEC4_DLAYOUT_INTERLEAVED: return (int)(c / 2 * 4 + v * 2 + c % 2);
   case VEC4_DLAYOUT_COUNT: break;
   }
   abort();
}

/* ---- execution ---- */

static double
value_of(unsigned reg, int pos)
{
   return reg * 100 + pos;
}

static double *
double_at(unsigned reg, int pos)
{
   return (double *)t.grf + (int)reg * 4 + pos;
}

/* With doubles from `dst` on in the destination, or all of them -1. */
static bool
run(enum isa_gen gen, const struct isa_inst *insts, unsigned count,
    uint32_t mask, double dst)
{
   static const struct sim_eu_env envs[] = {
      { .verx10 = 70 },
      { .verx10 = 75 },
      { .verx10 = 80 },
      { .verx10 = 90 },
   };
   struct isa_inst program[16];

   assert_true(count < ARRAY_SIZE(program));
   memcpy(program, insts, count * sizeof(*insts));
   program[count] = eot[gen];
   for (int i = 0; i < SIM_GRF_COUNT * 4; i++)
      *double_at(0, i) = -1;
   for (int i = -BEFORE; i < SEEN - BEFORE; i++) {
      *double_at(SRC, i) = value_of(SRC, i);
      *double_at(OTHER, i) = value_of(OTHER, i);
   }
   for (int i = 0; i < 8 && dst >= 0; i++)
      *double_at(DST, i) = dst + i;
   sim_eu_thread_init(&t, &envs[gen], mask);
   struct sim_eu_program *p = eu_program_from_insts(
      verx10[gen], false, program, count + 1, EU_BODIES_GENERIC);
   const bool ended = sim_eu_run(&t, p, 0) == SIM_EU_EOT;
   sim_eu_program_destroy(p);
   return ended;
}

static struct isa_operand
operand(unsigned reg, int offset_B)
{
   return (struct isa_operand) {
      .file = ISA_FILE_GRF,
      .type = ISA_TYPE_DF,
      .nr = (uint8_t)(((int)reg * 32 + offset_B) >> 5),
      .subnr_B = (uint8_t)(offset_B & 31),
      .hstride = 1,
   };
}

/* ---- every encoding ---- */

/* What one instruction does: by position in the destination, which of the
 * source. */
struct effect {
   int8_t from[SEEN];
};

/* The same by vertex, for a layout. */
struct deed {
   uint8_t mask[2];   /* components written */
   int8_t comp[2][4]; /* and of which; -1: not the vertex' own */
};

struct deeds {
   struct deed *deed;
   unsigned count, room;
};

static struct deeds deeds[ISA_GEN_COUNT][VEC4_DLAYOUT_COUNT];
static unsigned tried, sensible;

static void
look(struct effect *e)
{
   for (int i = 0; i < SEEN; i++) {
      const double d = *double_at(DST, i - BEFORE);
      e->from[i] = d < 0 ? NOTHING : (int8_t)(d - value_of(SRC, 0));
   }
}

/* What all channels do, whatever enables and write masks say; whether they
 * stay within two GRFs. */
static bool
extent(enum isa_gen gen, struct isa_inst inst, struct effect *e)
{
   int first = SEEN, last = -1, lo = 100, hi = -100;

   inst.no_mask = true;
   inst.dst.writemask = ISA_WRITEMASK_XYZW;
   if (!run(gen, &inst, 1, 0xff, -1))
      return false;
   look(e);
   for (int i = 0; i < SEEN; i++) {
      if (e->from[i] == NOTHING)
         continue;
      first = MIN2(first, i);
      last = i;
      lo = MIN2(lo, e->from[i]);
      hi = MAX2(hi, e->from[i]);
   }
   return last >= 0 && last / 4 - first / 4 < 2 &&
          (hi + BEFORE) / 4 - (lo + BEFORE) / 4 < 2;
}

/* All channels read their own vertex' vector; those that would write beside
 * the destination any. */
static bool
reads_own(enum vec4_dlayout layout, const struct effect *e)
{
   for (int i = 0; i < SEEN; i++) {
      const int v = i >= BEFORE && i < BEFORE + 8 ? (i - BEFORE) / 4 : -1;
      bool own = e->from[i] == NOTHING;
      for (int c = 0; c < 4; c++)
         for (int k = 0; k < 2; k++)
            own |= (v < 0 || v == k) &&
                   e->from[i] == position(layout, (unsigned)k, (unsigned)c);
      if (!own)
         return false;
   }
   return true;
}

/* Channel 4 * v + c writes component c of vertex v, or nothing: its enable
 * and its flag are that component's. */
static bool
channels_write_their_own(enum isa_gen gen, const struct isa_inst *inst,
                         struct effect *all)
{
   struct effect one;
   run(gen, inst, 1, 0xff, -1);
   look(all);
   for (int i = 0; i < SEEN; i++)
      if (all->from[i] != NOTHING && (i < BEFORE || i >= BEFORE + 8))
         return false;
   for (int channel = 0; channel < 8; channel++) {
      run(gen, inst, 1, 1u << channel, -1);
      look(&one);
      for (int i = 0; i < 8; i++)
         if (one.from[BEFORE + i] !=
             (i == channel ? all->from[BEFORE + i] : NOTHING))
            return false;
   }
   return true;
}

static void
keep(enum isa_gen gen, enum vec4_dlayout layout, const struct effect *e)
{
   struct deeds *list = &deeds[gen][layout];
   struct deed d;
   memset(&d, 0, sizeof(d));
   for (unsigned v = 0; v < 2; v++) {
      for (unsigned c = 0; c < 4; c++) {
         const int from = e->from[BEFORE + 4 * v + c];
         d.comp[v][c] = -1;
         d.mask[v] |= (uint8_t)((from != NOTHING) << c);
         for (unsigned s = 0; s < 4; s++)
            if (from == position(layout, v, s))
               d.comp[v][c] = (int8_t)s;
      }
   }
   for (unsigned i = 0; i < list->count; i++)
      if (!memcmp(&list->deed[i], &d, sizeof(d)))
         return;
   if (list->count == list->room) {
      list->room = list->room * 2 + 64;
      list->deed = realloc(list->deed, list->room * sizeof(d));
      assert_non_null(list->deed);
   }
   list->deed[list->count++] = d;
}

static void
try(enum isa_gen gen, const struct isa_inst *inst)
{
   struct isa_faults faults = { 0 };
   struct effect whole, e;
   const unsigned doubles = gen == ISA_IVB && inst->exec_size > 1
                               ? inst->exec_size / 2
                               : inst->exec_size;

   if (doubles < 4 || (inst->group && doubles != 4) ||
       !isa_validate(gen, false, inst, &faults))
      return;
   tried++;
   if (!extent(gen, *inst, &whole) ||
       !channels_write_their_own(gen, inst, &e))
      return;
   sensible++;
   for (unsigned l = 0; l < VEC4_DLAYOUT_COUNT; l++)
      if (reads_own(l, &whole))
         keep(gen, l, &e);
}

static void
try_align16(enum isa_gen gen, struct isa_inst inst)
{
   static const uint8_t swizzles[] = { 0x44, 0x4e, 0xe4, 0xee };
   static const uint8_t strides[] = { 0, 2, 4 };

   inst.access_mode = ISA_ALIGN16;
   for (int dst = -16; dst <= 48; dst += 16) {
      for (int src = -32; src <= 64; src += 16) {
         inst.dst = operand(DST, dst);
         inst.src[0] = operand(SRC, src);
         for (unsigned i = 0; i < ARRAY_SIZE(strides) * 4 * 16; i++) {
            inst.dst.writemask = i & 15;
            inst.src[0].swizzle = swizzles[i >> 4 & 3];
            inst.src[0].vstride = strides[i >> 6];
            if (inst.dst.writemask)
               try(gen, &inst);
         }
      }
   }
}

static void
try_align1(enum isa_gen gen, struct isa_inst inst)
{
   static const uint8_t vstrides[] = { 0, 1, 2, 4, 8, 16, 32 };
   static const uint8_t widths[] = { 1, 2, 4, 8 };
   static const uint8_t hstrides[] = { 0, 1, 2, 4 };

   inst.access_mode = ISA_ALIGN1;
   for (int place = 0; place < 13 * 10; place++) {
      inst.dst = operand(DST, place / 13 * 8 - 16);
      inst.src[0] = operand(SRC, place % 13 * 8 - 32);
      for (unsigned i = 0; i < 7 * 4 * 4 * 2; i++) {
         inst.dst.hstride = 1 + (i & 1);
         inst.src[0].hstride = hstrides[i >> 1 & 3];
         inst.src[0].width = widths[i >> 3 & 3];
         inst.src[0].vstride = vstrides[i >> 5];
         /* Of ivb another stride takes doubles apart: facts 1.2, row 3. */
         if (gen == ISA_IVB &&
             (inst.src[0].hstride != 1 || inst.dst.hstride != 1))
            continue;
         try(gen, &inst);
      }
   }
}

static int
try_everything(void **state)
{
   for (unsigned gen = 0; gen < ISA_GEN_COUNT; gen++) {
      for (unsigned size = 1; size <= 16; size *= 2) {
         for (unsigned group = 0; group < 8; group += 4) {
            struct isa_inst inst = {
               .opcode = ISA_OPCODE_MOV,
               .exec_size = (uint8_t)size,
               .group = (uint8_t)group,
            };
            try_align16(gen, inst);
            try_align1(gen, inst);
         }
      }
   }
   return 0;
}

/* ---- the shortest way ---- */

/* A deed for one swizzle: what it writes and what of that is right; bits 0
 * to 3 are vertex 0, 4 to 7 vertex 1. */
struct way {
   uint8_t mask, right;
};

static bool
is_worse(struct way a, struct way b)
{
   return a.mask == b.mask && !(a.right & ~b.right);
}

static unsigned
collect_ways(enum isa_gen gen, enum vec4_dlayout layout, unsigned swz,
             struct way *ways)
{
   const struct deeds *list = &deeds[gen][layout];
   unsigned count = 0;
   for (unsigned i = 0; i < list->count; i++) {
      const struct deed *d = &list->deed[i];
      struct way w = { 0, 0 };
      bool known = false;
      for (unsigned v = 0; v < 2; v++) {
         w.mask |= (uint8_t)(d->mask[v] << 4 * v);
         for (unsigned c = 0; c < 4; c++)
            if (d->mask[v] >> c & 1 &&
                d->comp[v][c] == (int)(swz >> 2 * c & 3))
               w.right |= (uint8_t)(1 << (4 * v + c));
      }
      for (unsigned k = 0; k < count && !known; k++)
         known = is_worse(w, ways[k]);
      if (known || !w.right)
         continue;
      unsigned kept = 0;
      for (unsigned k = 0; k < count; k++)
         if (!is_worse(ways[k], w))
            ways[kept++] = ways[k];
      ways[kept++] = w;
      count = kept;
   }
   return count;
}

/* Instructions from "nothing right" to all of `want`. */
static unsigned
shortest(const struct way *ways, unsigned count, unsigned want)
{
   uint8_t distance[256];
   uint8_t queue[256];
   unsigned head = 0, tail = 1;

   memset(distance, 0xff, sizeof(distance));
   distance[0] = 0;
   queue[0] = 0;
   while (head < tail) {
      const unsigned at = queue[head++];
      if (at == want)
         return distance[at];
      for (unsigned i = 0; i < count; i++) {
         if (ways[i].mask & ~want)
            continue;
         const unsigned to = (at & ~ways[i].mask) | ways[i].right;
         if (distance[to] != 0xff)
            continue;
         distance[to] = (uint8_t)(distance[at] + 1);
         queue[tail++] = (uint8_t)to;
      }
   }
   return 0;
}

static struct vec4_dproblem
mov_of(enum isa_gen gen, enum vec4_dlayout layout, unsigned mask,
       unsigned swz)
{
   return (struct vec4_dproblem) {
      .gen = gen,
      .mask = (uint8_t)mask,
      .num_srcs = 1,
      .src = { { .layout = layout, .swizzle = (uint8_t)swz } },
   };
}

/* Two swizzles of 256 on Gen8 could be had in three instead of four, by an
 * instruction that is right for Y and Z of vertex 0 and for X and W of vertex
 * 1; vec4_dsplit() does the same on both. */
static unsigned
known_longer(enum isa_gen gen, enum vec4_dlayout layout)
{
   return gen >= ISA_BDW && layout == VEC4_DLAYOUT_VECTOR ? 2 : 0;
}

static void
test_nothing_is_shorter(void **state)
{
   static struct way ways[65536];

   printf("%u encodings, %u do something sensible\n", tried, sensible);
   for (unsigned gen = 0; gen < ISA_GEN_COUNT; gen++) {
      for (unsigned l = 0; l < VEC4_DLAYOUT_COUNT; l++) {
         unsigned histogram[9] = { 0 }, wrong = 0;
         for (unsigned swz = 0; swz < 256; swz++) {
            const unsigned count = collect_ways(gen, l, swz, ways);
            for (unsigned mask = 1; mask < 16; mask++) {
               const struct vec4_dproblem p = mov_of(gen, l, mask, swz);
               struct vec4_dplan plan;
               const unsigned least = shortest(ways, count, mask * 0x11);
               assert_true(vec4_dsplit(&p, &plan));
               histogram[mask == 15 ? least : 0]++;
               if (plan.instructions != least && !wrong++)
                  printf("%s %s: mask %x, swizzle %u%u%u%u: %u, not %u\n",
                         gen_names[gen], layout_names[l], mask, swz & 3,
                         swz >> 2 & 3, swz >> 4 & 3, swz >> 6,
                         plan.instructions, least);
            }
         }
         printf("%s %-11s in 1 to 8:", gen_names[gen], layout_names[l]);
         for (unsigned n = 1; n < 9; n++)
            printf(" %3u", histogram[n]);
         printf("  (%u forms)\n", deeds[gen][l].count);
         assert_int_equal(wrong, known_longer(gen, l));
      }
   }
}

/* Two deeds one after the other through a temporary, on hsw of both
 * vertices: no swizzle is to be had so that takes three. (They take three at
 * most, so that is all that a copy could save.) */
static void
test_no_copy_helps(void **state)
{
   for (unsigned gen = ISA_IVB; gen <= ISA_HSW; gen++) {
      const struct deeds *list = &deeds[gen][VEC4_DLAYOUT_VECTOR];
      for (unsigned i = 0; i < list->count * list->count; i++) {
         const struct deed *first = &list->deed[i / list->count];
         const struct deed *second = &list->deed[i % list->count];
         unsigned swz = 0;
         bool known = second->mask[0] == 0xf;
         if (gen == ISA_HSW)
            known &= first->mask[0] == first->mask[1] &&
                     second->mask[1] == 0xf;
         for (unsigned c = 0; c < 4 && known; c++) {
            const int through = second->comp[0][c];
            known = through >= 0 && first->comp[0][through] >= 0;
            if (known)
               swz |= (unsigned)first->comp[0][through] << 2 * c;
         }
         const struct vec4_dproblem p =
            mov_of(gen, VEC4_DLAYOUT_VECTOR, 0xf, swz);
         struct vec4_dplan plan;
         if (known && vec4_dsplit(&p, &plan))
            assert_true(plan.instructions <= (gen == ISA_IVB ? 4u : 2u));
      }
   }
}

/* ---- what vec4_dsplit() says ---- */

static unsigned
vertex_step_B(enum vec4_dlayout layout)
{
   return layout == VEC4_DLAYOUT_VECTOR        ? 32
          : layout == VEC4_DLAYOUT_INTERLEAVED ? 16
                                               : 0;
}

static struct isa_operand
source(enum isa_gen gen, unsigned reg, enum vec4_dlayout layout,
       const struct vec4_dform *form, unsigned vertex)
{
   struct isa_operand o =
      operand(reg, form->offset_B + (int)(vertex * vertex_step_B(layout)) +
                      (layout == VEC4_DLAYOUT_ODD ? 16 : 0));
   const unsigned twice = gen == ISA_IVB ? 2 : 1;
   o.vstride = (uint8_t)(form->vs * twice);
   o.swizzle = form->swz;
   if (vec4_dmode_is_align16(form->mode))
      return o;
   o.width = (uint8_t)(form->w * twice);
   o.hstride = gen == ISA_IVB ? 1 : form->hs;
   return o;
}

static unsigned
write_out(const struct vec4_dproblem *p, const struct vec4_dplan *plan,
          struct isa_inst *insts)
{
   unsigned n = 0;
   for (unsigned i = 0; i < plan->num_pieces; i++) {
      const struct vec4_dpiece *piece = &plan->piece[i];
      const unsigned channels = vec4_dmode_channels(piece->mode);
      for (unsigned v = 0; v < 8 / channels; v++) {
         struct isa_inst *inst = &insts[n++];
         *inst = (struct isa_inst) {
            .opcode = p->num_srcs == 2 ? ISA_OPCODE_ADD : ISA_OPCODE_MOV,
            .access_mode = vec4_dmode_is_align16(piece->mode) ? ISA_ALIGN16
                                                              : ISA_ALIGN1,
            .exec_size = (uint8_t)(channels * (p->gen == ISA_IVB ? 2 : 1)),
            .group = (uint8_t)(4 * v),
            .dst = operand(DST, (int)(32 * v)),
         };
         if (inst->access_mode == ISA_ALIGN16)
            inst->dst.writemask = piece->mask;
         for (unsigned k = 0; k < p->num_srcs; k++)
            inst->src[k] = source(p->gen,
                                  p->src[k].is_dst ? DST
                                  : k              ? OTHER
                                                   : SRC,
                                  p->src[k].layout, piece->src[k], v);
      }
   }
   return n;
}

static double
expected(const struct vec4_dproblem *p, unsigned v, unsigned c)
{
   double sum = 0;
   for (unsigned k = 0; k < p->num_srcs; k++)
      sum += value_of(p->src[k].is_dst ? DST
                      : k              ? OTHER
                                       : SRC,
                      position(p->src[k].layout, v,
                               p->src[k].swizzle >> 2 * c & 3));
   return sum;
}

static void
check_execution(const struct vec4_dproblem *p)
{
   static const uint32_t enables[] = { 0xff, 0x0f, 0xf0 };
   struct isa_inst insts[16];
   struct vec4_dplan plan;
   bool in_place = false;

   for (unsigned k = 0; k < p->num_srcs; k++)
      in_place |= p->src[k].is_dst;
   if (!vec4_dsplit(p, &plan)) {
      assert_true(in_place);
      return;
   }
   const unsigned count = write_out(p, &plan, insts);
   assert_int_equal(count, plan.instructions);
   for (unsigned i = 0; i < count; i++) {
      struct isa_faults faults = { 0 };
      assert_true(isa_validate(p->gen, false, &insts[i], &faults));
   }
   for (unsigned e = 0; e < ARRAY_SIZE(enables); e++) {
      assert_true(run(p->gen, insts, count, enables[e], value_of(DST, 0)));
      for (int i = 0; i < 8; i++) {
         const unsigned v = (unsigned)i / 4, c = (unsigned)i % 4;
         const bool on = enables[e] >> i & 1 && p->mask >> c & 1;
         const double want = on ? expected(p, v, c) : value_of(DST, i);
         if (*double_at(DST, i) != want)
            fail_msg("%s: %u sources, mask %x, swizzles %02x %02x: vertex "
                     "%u, component %u: %g, not %g",
                     gen_names[p->gen], p->num_srcs, p->mask,
                     p->src[0].swizzle, p->src[1].swizzle, v, c,
                     *double_at(DST, i), want);
      }
   }
}

static void
test_moves(void **state)
{
   for (unsigned i = 0; i < 4 * 4 * 256 * 15 * 2; i++) {
      const unsigned j = i >> 1;
      struct vec4_dproblem p =
         mov_of(j & 3, j >> 2 & 3, (j >> 12) + 1, j >> 4 & 0xff);
      p.src[0].is_dst = i & 1;
      if (!p.src[0].is_dst || p.src[0].layout == VEC4_DLAYOUT_VECTOR)
         check_execution(&p);
   }
}

static uint32_t
random_bits(void)
{
   static uint32_t seed = 12345;
   seed = seed * 1664525 + 1013904223;
   return seed >> 8;
}

/* Two sources of any layouts and swizzles; options. */
static void
test_sums(void **state)
{
   for (unsigned i = 0; i < 20000; i++) {
      const uint32_t r = random_bits(), swizzles = random_bits();
      struct vec4_dproblem p =
         mov_of(r & 3, r >> 2 & 3, (r >> 4) % 15 + 1, swizzles & 0xff);
      p.num_srcs = 2;
      p.src[1].layout = r >> 8 & 3;
      p.src[1].swizzle = swizzles >> 8 & 0xff;
      p.src[1].is_dst = r >> 10 & 1 && p.src[1].layout == VEC4_DLAYOUT_VECTOR;
      p.no_align1 = r >> 11 & 1;
      p.no_eight16 = r >> 12 & 1;
      p.no_scratch = r >> 13 & 1;
      check_execution(&p);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_moves),
      cmocka_unit_test(test_sums),
      cmocka_unit_test(test_nothing_is_shorter),
      cmocka_unit_test(test_no_copy_helps),
   };
   for (unsigned gen = 0; gen < ISA_GEN_COUNT; gen++) {
      struct isa_error err;
      if (!isa_parse(gen, "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}",
                     &eot[gen], &err))
         return 2;
   }
   return cmocka_run_group_tests(tests, try_everything, NULL);
}
