/* SPDX-License-Identifier: MIT */
/*
 * Values that wait. A store to a register reads the result of its own word,
 * takes no unit, and can be loaded three words later: just when the bypass
 * network loses the value. So each value that still has readers is given a
 * register at once, in the word that computes it; if all readers turn out to
 * be near, the store is undone. When registers run out, four at a time move
 * to a temporary.
 */
#include "gp_sched.h"

#define STORE_TO_REGISTER 3

static const uint8_t store_codes[GP_NUM_ALU_UNITS] = {
   [GP_UNIT_MUL0] = GP_STORE_MUL0,       [GP_UNIT_MUL1] = GP_STORE_MUL1,
   [GP_UNIT_ADD0] = GP_STORE_ADD0,       [GP_UNIT_ADD1] = GP_STORE_ADD1,
   [GP_UNIT_COMPLEX] = GP_STORE_COMPLEX, [GP_UNIT_PASS] = GP_STORE_PASS,
};

void
gpc_grow_words(struct gpc_sched *s, int t)
{
   const unsigned want = (unsigned)t + 1;
   struct gpc_word idle = { 0 };

   if (want > s->capacity) {
      const unsigned n = MAX2(64u, want * 2);
      s->words = arena_grow(s->arena, s->words,
                            s->capacity * sizeof(*s->words),
                            n * sizeof(*s->words));
      s->capacity = n;
   }
   idle.w = s->idle;
   while (s->num_words < want)
      s->words[s->num_words++] = idle;
}

static bool
port_is_empty(const struct gpc_word *w, unsigned port)
{
   return w->w.store_src[port][0] == GP_STORE_NONE &&
          w->w.store_src[port][1] == GP_STORE_NONE;
}

static void
undo_store(struct gpc_word *w, unsigned comp)
{
   const unsigned port = comp / 2;

   w->w.store_src[port][comp % 2] = GP_STORE_NONE;
   w->waiting[comp] = 0;
   if (port_is_empty(w, port)) {
      w->store_kind[port] = GPC_STORE_NONE;
      w->w.store_index[port] = 0;
   }
}

static void
set_store(struct gpc_word *w, unsigned kind, unsigned index, unsigned unit)
{
   const unsigned port = index % 4 / 2;

   w->store_kind[port] = (uint8_t)kind;
   w->w.store_is_varying[port] = kind == GPC_STORE_VARYING;
   w->w.store_is_temp[port] = kind == GPC_STORE_TEMP;
   w->w.store_index[port] = kind == GPC_STORE_TEMP ? 0 : (uint8_t)(index / 4);
   w->w.store_src[port][index % 2] = store_codes[unit];
}

/* Free for stores from word `since` on. */
static void
free_register(struct gpc_sched *s, unsigned reg, int since)
{
   s->reg_value[reg] = -1;
   if (since > s->now)
      s->freed_next |= BITFIELD64_BIT(reg);
   else {
      s->reg_free[reg % 4] |= (uint16_t)(1u << (reg / 4));
      s->reg_holes[reg / 4]++;
   }
}

void
gpc_free_registers(struct gpc_sched *s)
{
   uint64_t freed = s->freed_next;

   s->freed_next = 0;
   while (freed)
      free_register(s, (unsigned)u_bit_scan64(&freed), s->now);
}

unsigned
gpc_free_count(const struct gpc_sched *s)
{
   const unsigned n0 = (unsigned)(__builtin_popcount(s->reg_free[0]) +
                                  __builtin_popcount(s->reg_free[1]));
   const unsigned n1 = (unsigned)(__builtin_popcount(s->reg_free[2]) +
                                  __builtin_popcount(s->reg_free[3]));
   return MIN2(n0, n1);
}

unsigned
gpc_late_values(const struct gpc_sched *s, int t)
{
   const uint32_t *loose = s->loose[(t + 6) % 8]; /* of word t - 2 */

   return (s->arrival[t % 8] != 0) + (loose[0] != 0) + (loose[1] != 0) +
          ((unsigned)t < s->num_words &&
           (s->words[t].store_kind[0] || s->words[t].store_kind[1]));
}

bool
gpc_make_loose(struct gpc_sched *s, int t, uint32_t value, unsigned unit)
{
   uint32_t *loose = s->loose[t % 8];

   /* The complex unit's result is gone by then. */
   if (t != s->now || unit == GP_UNIT_COMPLEX ||
       gpc_late_values(s, t + 2) >= GPC_MAX_LATE ||
       gpc_free_count(s) <= s->promised)
      return false;
   loose[loose[0] != 0] = value + 1;
   s->promised++;
   return true;
}

/* What waits at a component of a port looks for another place. */
static bool
clear_component(struct gpc_sched *s, int t, unsigned comp)
{
   struct gpc_word *w = gpc_word(s, t);
   const unsigned code = w->w.store_src[comp / 2][comp % 2];
   unsigned unit = 0;

   if (code == GP_STORE_NONE)
      return true;
   if (!w->waiting[comp])
      return false;
   const uint32_t value = w->waiting[comp] - 1;
   const int32_t reg = s->values[value].reg;
   while (store_codes[unit] != code)
      unit++;
   w->waiting[comp] = 0;
   w->w.store_src[comp / 2][comp % 2] = GP_STORE_NONE;
   if (!gpc_reserve(s, t, value, unit)) {
      if (!gpc_make_loose(s, t, value, unit)) {
         w->waiting[comp] = value + 1;
         w->w.store_src[comp / 2][comp % 2] = (uint8_t)code;
         return false;
      }
      s->values[value].reg = -1;
   }
   free_register(s, (unsigned)reg, t);
   return true;
}

/* What waits at a port makes room for another kind of store. */
static bool
clear_port(struct gpc_sched *s, int t, unsigned port)
{
   struct gpc_word *w = gpc_word(s, t);
   const uint8_t kind = w->store_kind[port];

   if (kind != GPC_STORE_REGISTER)
      return false;
   w->store_kind[port] = GPC_STORE_VARYING; /* keeps gpc_reserve() away */
   for (unsigned i = 0; i < 2; i++) {
      if (!clear_component(s, t, port * 2 + i)) {
         w->store_kind[port] = kind;
         if (port_is_empty(w, port))
            w->store_kind[port] = GPC_STORE_NONE;
         return false;
      }
   }
   w->store_kind[port] = GPC_STORE_NONE;
   w->w.store_index[port] = 0;
   return true;
}

bool
gpc_claim_store(struct gpc_sched *s, int t, unsigned kind, unsigned index,
                unsigned unit)
{
   struct gpc_word *w = gpc_word(s, t);
   const unsigned port = index % 4 / 2;

   const bool same =
      w->store_kind[port] == kind &&
      (kind == GPC_STORE_TEMP || w->w.store_index[port] == index / 4);
   if (w->store_kind[port] && !same && !clear_port(s, t, port))
      return false;
   if (w->w.store_src[port][index % 2] != GP_STORE_NONE)
      return false;
   set_store(w, kind, index, unit);
   return true;
}

/* How well a register suits: next to what its readers also read, then next
 * to what is stored beside it, then where the fewest holes are. */
static int
score_register(const struct gpc_sched *s, const struct gpc_word *w,
               unsigned reg, unsigned port, uint64_t partners)
{
   const unsigned holes = s->reg_holes[reg];
   int score = 0;

   if (partners >> (reg * 4) & 0xf)
      score += 8;
   if (w->store_kind[!port] == GPC_STORE_REGISTER &&
       w->w.store_index[!port] == reg)
      score += 6;
   return score + (holes == 4 ? 2 : 4 - (int)holes);
}

/* Registers of operands that readers of the value also have, as scalars. */
static uint64_t
partner_registers(const struct gpc_sched *s, uint32_t value)
{
   uint64_t mask = 0;
   unsigned looked = 0;

   for (uint32_t e = s->first_edge[value];
        e < s->first_edge[value + 1] && looked < 4; e++, looked++) {
      if (!s->edges[e].is_value)
         continue;
      const struct gpc_node *n = &s->block->nodes[s->edges[e].to];
      for (unsigned i = 0; i < gpc_info(n)->num_srcs; i++) {
         if (n->src[i].kind != GPC_REF_NODE || n->src[i].index == value)
            continue;
         const struct gpc_value *v = &s->values[n->src[i].index];
         if (v->uses && v->reg >= 0)
            mask |= BITFIELD64_BIT(v->reg);
      }
   }
   return mask;
}

/* The best register for a store at the port's component; -1: none. */
static int
find_register(const struct gpc_sched *s, int t, unsigned comp,
              uint64_t partners, int *best_score)
{
   const struct gpc_word *w = &s->words[t];
   const unsigned port = comp / 2;
   uint32_t free = s->reg_free[comp];
   int best = -1;

   if (w->store_kind[port]) {
      if (w->store_kind[port] != GPC_STORE_REGISTER ||
          w->w.store_src[port][comp % 2] != GP_STORE_NONE)
         return -1;
      free &= 1u << w->w.store_index[port];
   }
   while (free) {
      const unsigned reg = (unsigned)u_bit_scan(&free);
      const int score = score_register(s, w, reg, port, partners);
      if (score > *best_score) {
         *best_score = score;
         best = (int)(reg * 4 + comp);
      }
   }
   return best;
}

bool
gpc_reserve(struct gpc_sched *s, int t, uint32_t value, unsigned unit)
{
   struct gpc_word *w = gpc_word(s, t);
   int best = -1, score = -1;

   if (gpc_free_count(s) > s->promised) {
      const uint64_t partners = partner_registers(s, value);
      for (unsigned comp = 0; comp < 4; comp++) {
         const int reg = find_register(s, t, comp, partners, &score);
         if (reg >= 0)
            best = reg;
      }
   }
   if (best < 0) {
      s->pressure |= gpc_free_count(s) <= s->promised + 4;
      return false;
   }
   s->reg_free[best % 4] &= (uint16_t) ~(1u << (best / 4));
   s->reg_holes[best / 4]--;
   s->reg_value[best] = (int32_t)value;
   set_store(w, GPC_STORE_REGISTER, (unsigned)best, unit);
   w->waiting[best % 4] = value + 1;
   s->values[value].reg = best;
   s->values[value].reg_at = t + STORE_TO_REGISTER;
   s->values[value].reg_is_fixed = false;
   s->values[value].reg_is_read = false;
   return true;
}

void
gpc_release(struct gpc_sched *s, int t, uint32_t value)
{
   struct gpc_value *v = &s->values[value];

   if (v->temp >= 0) {
      uint32_t *live = util_dynarray_element(
         &s->temp_live, uint32_t, (unsigned)v->temp / 4 - s->first_temp);
      if (--*live == 0)
         util_dynarray_append(&s->free_temps, uint32_t,
                              (uint32_t)v->temp / 4);
      v->temp = -1;
   }
   for (unsigned i = 0; i < 8; i++) {
      uint32_t *loose = s->loose[i];
      if (loose[0] != value + 1 && loose[1] != value + 1)
         continue;
      if (loose[0] == value + 1)
         loose[0] = loose[1];
      loose[1] = 0;
      s->promised--;
      return;
   }
   if (v->reg < 0 || v->reg_is_fixed)
      return;
   const int at = v->reg_at - STORE_TO_REGISTER;
   struct gpc_word *w = gpc_word(s, at);
   if (w->waiting[v->reg % 4] == value + 1 && !v->reg_is_read)
      undo_store(w, (unsigned)v->reg % 4);
   free_register(s, (unsigned)v->reg, t);
   v->reg = -1;
}

void
gpc_finalise(struct gpc_sched *s, int t)
{
   if (t < 0)
      return;
   struct gpc_word *w = gpc_word(s, t);
   for (unsigned c = 0; c < 4; c++) {
      if (w->waiting[c])
         s->stats.register_stores++;
      w->waiting[c] = 0;
   }
}

/* ---- spilling ---- */

/* The most urgent reader of a value: the highest of them. */
static uint32_t
urgency(const struct gpc_sched *s, uint32_t value)
{
   uint32_t most = 0, looked = 0;

   for (uint32_t e = s->first_edge[value];
        e < s->first_edge[value + 1] && looked < 64; e++, looked++) {
      if (s->edges[e].is_value && !s->placed[s->edges[e].to])
         most = MAX2(most, s->height[s->edges[e].to]);
   }
   return most;
}

/* Units for `n` moves in word t; they are not claimed. */
static bool
units_for_spill(struct gpc_sched *s, int t, unsigned n, uint8_t unit[4])
{
   static const uint8_t order[] = { GP_UNIT_ADD0, GP_UNIT_ADD1, GP_UNIT_MUL1,
                                    GP_UNIT_MUL0, GP_UNIT_PASS };
   unsigned found = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(order) && found < n; i++) {
      if (gpc_unit_is_free(s, t, order[i], 0))
         unit[found++] = order[i];
   }
   return found == n;
}

/* The register whose values are read last; those that share one with a value
 * that cannot be loaded yet stay. -1: none. */
static int
choose_victim(const struct gpc_sched *s, int t)
{
   uint32_t best_urgency = UINT32_MAX;
   int best = -1;

   for (unsigned r = 0; r < GP_NUM_REGISTERS; r++) {
      uint32_t most = 0;
      unsigned values = 0;
      bool good = true;
      for (unsigned c = 0; c < 4; c++) {
         const int32_t value = s->reg_value[r * 4 + c];
         if (value < 0)
            continue;
         good &= s->values[value].reg_at <= t;
         most = MAX2(most, urgency(s, (uint32_t)value));
         values++;
      }
      if (good && values && most < best_urgency) {
         best_urgency = most;
         best = (int)r;
      }
   }
   return best;
}

static unsigned
new_temp(struct gpc_sched *s, unsigned users)
{
   unsigned temp;

   if (s->free_temps.size_B)
      temp = util_dynarray_pop(&s->free_temps, uint32_t);
   else {
      temp = s->first_temp +
             (unsigned)util_dynarray_num_elements(&s->temp_live, uint32_t);
      util_dynarray_append(&s->temp_live, uint32_t, 0);
      s->stats.temps++;
   }
   *util_dynarray_element(&s->temp_live, uint32_t, temp - s->first_temp) =
      users;
   return temp;
}

/* One value from its register to the temporary. */
static void
spill_value(struct gpc_sched *s, int t, unsigned reg, unsigned temp,
            unsigned unit)
{
   const uint32_t value = (uint32_t)s->reg_value[reg];
   struct gpc_value *v = &s->values[value];
   struct gpc_word *w = gpc_word(s, t);
   const uint8_t code = (uint8_t)(GP_SRC_PORT1_X + reg % 4);

   gpc_take_unit(s, t, unit, 0, value | GPC_IS_COPY);
   gpc_set_move(w, unit, code, false);
   set_store(w, GPC_STORE_TEMP, temp * 4 + reg % 4, unit);
   v->temp = (int32_t)(temp * 4 + reg % 4);
   v->temp_at = t + GPC_TEMP_DELAY;
   gpc_add_copy(v, t, unit, false);
   free_register(s, reg, t);
   v->reg = -1;
   s->stats.spills++;
}

bool
gpc_spill(struct gpc_sched *s, int t)
{
   struct gpc_word *w = gpc_word(s, t);
   const int victim = choose_victim(s, t);
   unsigned n = 0, used = 0;
   uint8_t unit[4];

   if (victim < 0 || w->store_kind[0] || w->store_kind[1] || w->port1 ||
       w->uniform || !gpc_unit_is_free(s, t, GP_UNIT_COMPLEX, 0))
      return false;
   for (unsigned c = 0; c < 4; c++)
      n += s->reg_value[victim * 4 + (int)c] >= 0;
   if (!units_for_spill(s, t, n, unit))
      return false;

   const unsigned temp = new_temp(s, n);
   const struct gpc_ref address = {
      .kind = GPC_REF_UNIFORM,
      .index = gpc_literal(s->literals, true, temp),
   };
   uint8_t code;
   gpc_fetch(s, t, &address, &code);
   gpc_take_unit(s, t, GP_UNIT_COMPLEX, GP_COMPLEX_OP_SET_STORE_ADDR, 0);
   w->w.complex_src = code;
   w->w.mode = GP_MODE_TEMP_STORE;
   s->last_temp_store = MAX2(s->last_temp_store, t);
   w->port1 = GPC_PORT_REGISTER;
   w->w.port1_index = (uint8_t)victim;
   for (unsigned c = 0; c < 4; c++) {
      if (s->reg_value[victim * 4 + (int)c] >= 0)
         spill_value(s, t, (unsigned)victim * 4 + c, temp, unit[used++]);
   }
   return true;
}
