/* SPDX-License-Identifier: MIT */
/* Registers, uniforms, temporaries and varyings. What is written late waits
 * in a queue; who loads too early gets the old value, or a trap. */
#include <math.h>

#include "gp_sim_private.h"

static void
enqueue(struct gp_sim *sim, unsigned kind, unsigned delay, unsigned index,
        unsigned component, struct gp_value value)
{
   assert(sim->num_pending < GP_MAX_PENDING);
   struct gp_pending *p = &sim->pending[sim->num_pending++];
   p->kind = kind;
   p->ready = sim->step + delay;
   p->index = index;
   p->component = component;
   p->value = value;
}

/* Where a write goes; NULL outside of memory. */
static struct gp_value *
place(struct gp_sim *sim, const struct gp_pending *p)
{
   switch (p->kind) {
   case GP_PENDING_REGISTER: return &sim->registers[p->index][p->component];
   case GP_PENDING_TEMP: return &sim->memory[p->index][p->component];
   case GP_PENDING_ADDRESS: return &sim->address[p->index];
   }
   unreachable("no such write");
}

void
gp_sim_commit(struct gp_sim *sim)
{
   unsigned kept = 0;
   for (unsigned i = 0; i < sim->num_pending; i++) {
      const struct gp_pending p = sim->pending[i];
      if (p.ready <= sim->step)
         *place(sim, &p) = p.value;
      else
         sim->pending[kept++] = p;
   }
   sim->num_pending = kept;
}

static bool
is_pending(const struct gp_sim *sim, unsigned kind, unsigned index,
           unsigned component)
{
   for (unsigned i = 0; i < sim->num_pending; i++) {
      const struct gp_pending *p = &sim->pending[i];
      if (p->kind == kind && p->index == index && p->component == component)
         return true;
   }
   return false;
}

static void
load_register(const struct gp_sim *sim, unsigned index,
              struct gp_value out[4])
{
   for (unsigned c = 0; c < 4; c++) {
      out[c] = sim->registers[index][c];
      if (!sim->config.hardware_like &&
          is_pending(sim, GP_PENDING_REGISTER, index, c))
         out[c] = gp_poison(GP_RULE_REGISTER_DELAY);
   }
}

/* The vec4 that the uniform port loads; false with a poison in its place. */
static bool
uniform_index(const struct gp_sim *sim, const struct gp_instr *i,
              unsigned *index, struct gp_value *why)
{
   int at = i->uniform_index;
   const unsigned offset = i->uniform_offset;
   if (offset != GP_NO_OFFSET) {
      if (offset < 1 || offset > 3) {
         *why = gp_poison(GP_RULE_UNKNOWN_OFFSET);
         return false;
      }
      *why = sim->address[offset];
      if (!sim->config.hardware_like &&
          is_pending(sim, GP_PENDING_ADDRESS, offset, 0))
         *why = gp_poison(GP_RULE_ADDRESS_DELAY);
      if (why->tag == GP_TAG_POISON)
         return false;
      at += (int)why->bits;
   }
   *why = gp_poison(GP_RULE_ADDRESS_RANGE);
   *index = (unsigned)at;
   return at >= 0 && at < GP_NUM_UNIFORMS;
}

static void
load_uniform(struct gp_sim *sim, const struct gp_instr *i)
{
   struct gp_value why;
   unsigned index;
   if (!uniform_index(sim, i, &index, &why)) {
      for (unsigned c = 0; c < 4; c++)
         sim->uniform[c] = why;
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      sim->uniform[c] = sim->memory[index][c];
      if (!sim->config.hardware_like &&
          is_pending(sim, GP_PENDING_TEMP, index, c))
         sim->uniform[c] = gp_poison(GP_RULE_TEMP_DELAY);
   }
}

void
gp_sim_loads(struct gp_sim *sim, const struct gp_instr *i)
{
   if (i->port0_is_attribute)
      memcpy(sim->port0[0], sim->attributes[i->port0_index],
             sizeof(sim->port0[0]));
   else
      load_register(sim, i->port0_index, sim->port0[0]);
   load_register(sim, i->port1_index, sim->port1);
   load_uniform(sim, i);
}

/* Numbers of vec4 are whole. Hardware-like, the fraction is dropped, and
 * what is far outside stays outside. */
void
gp_sim_set_address(struct gp_sim *sim, unsigned index, float value)
{
   const float most = 4096;
   if (!(fabsf(value) <= most) || truncf(value) != value)
      gp_sim_strict(sim, GP_UNIT_COMPLEX, GP_RULE_ADDRESS_RANGE);
   const int at = isnan(value) ? 0 : (int)CLAMP(value, -most, most);
   const struct gp_value number = { .tag = GP_TAG_NUMBER,
                                    .bits = (uint32_t)at };
   if (index == 0)
      sim->address[0] = number;
   else
      enqueue(sim, GP_PENDING_ADDRESS, GP_ADDRESS_DELAY, index, 0, number);
}

const uint8_t gp_store_units[8] = {
   [GP_STORE_ADD0] = GP_UNIT_ADD0, [GP_STORE_ADD1] = GP_UNIT_ADD1,
   [GP_STORE_MUL0] = GP_UNIT_MUL0, [GP_STORE_MUL1] = GP_UNIT_MUL1,
   [GP_STORE_PASS] = GP_UNIT_PASS, [GP_STORE_COMPLEX] = GP_UNIT_COMPLEX,
};

/* What a store takes of this instruction; zero where strict mode traps. */
static struct gp_value
stored_value(struct gp_sim *sim, enum gp_unit port, unsigned src)
{
   if (src == GP_STORE_UNKNOWN_5) {
      gp_sim_strict(sim, port, GP_RULE_STORE_SOURCE);
      return gp_number(0);
   }
   const struct gp_value v = sim->result[0][gp_store_units[src]];
   switch ((enum gp_tag)v.tag) {
   case GP_TAG_NUMBER: return v;
   case GP_TAG_POISON:
      gp_sim_strict(sim, port, (enum gp_rule)v.rule);
      return gp_number(0);
   case GP_TAG_COMPLEX1:
   case GP_TAG_RAW_LOG2:
      gp_sim_strict(sim, port, GP_RULE_COMPLEX1_STORED);
      /* Not there yet. */
      return gp_number(
         util_bits_float(sim->result[1][gp_store_units[src]].bits));
   default:
      gp_sim_strict(sim, port, GP_RULE_OPAQUE_STORED);
      return gp_number(util_bits_float(v.bits));
   }
}

static void
store_temp(struct gp_sim *sim, enum gp_unit port, unsigned component,
           struct gp_value value)
{
   const struct gp_value *address = &sim->address[0];
   if (address->tag == GP_TAG_POISON) {
      gp_sim_strict(sim, port, (enum gp_rule)address->rule);
      return;
   }
   const unsigned at = address->bits;
   if (at < sim->temp_first || at - sim->temp_first >= sim->temp_count)
      gp_sim_strict(sim, port, GP_RULE_ADDRESS_RANGE);
   else
      enqueue(sim, GP_PENDING_TEMP, GP_TEMP_DELAY, at, component, value);
}

void
gp_sim_stores(struct gp_sim *sim, const struct gp_instr *i)
{
   for (unsigned n = 0; n < 4; n++) {
      const unsigned port = n / 2;
      const enum gp_unit unit = (enum gp_unit)(GP_UNIT_STORE0 + port);
      const unsigned src = i->store_src[port][n % 2];
      const unsigned index = i->store_index[port];
      if (i->store_is_temp[port] && i->store_is_varying[port])
         gp_sim_strict(sim, unit, GP_RULE_STORE_KIND);
      if (src == GP_STORE_NONE)
         continue;
      const struct gp_value value = stored_value(sim, unit, src);
      if (i->store_is_temp[port]) {
         store_temp(sim, unit, n, value);
      } else if (i->store_is_varying[port]) {
         sim->varyings[index][n] = util_bits_float(value.bits);
         sim->varyings_written[index] |= (uint8_t)BITFIELD_BIT(n);
      } else {
         enqueue(sim, GP_PENDING_REGISTER, GP_REGISTER_DELAY, index, n,
                 value);
      }
   }
}
