/* SPDX-License-Identifier: MIT */
/*
 * Operands: from the bypass network, else from a load port. A load costs no
 * unit, so that uniforms, attributes and registers are loaded again wherever
 * they are read. Port 0 can still be read one word later; a load in the word
 * before is therefore tried first, as that word is done and its port would
 * stay unused.
 */
#include "gp_sched.h"

/* [unit][age - 1]; the complex unit has no code for age 2. */
static const int8_t bypass[GP_NUM_ALU_UNITS][2] = {
   [GP_UNIT_MUL0] = { GP_SRC_MUL0_1, GP_SRC_MUL0_2 },
   [GP_UNIT_MUL1] = { GP_SRC_MUL1_1, GP_SRC_MUL1_2 },
   [GP_UNIT_ADD0] = { GP_SRC_ADD0_1, GP_SRC_ADD0_2 },
   [GP_UNIT_ADD1] = { GP_SRC_ADD1_1, GP_SRC_ADD1_2 },
   [GP_UNIT_COMPLEX] = { GP_SRC_COMPLEX_1, -1 },
   [GP_UNIT_PASS] = { GP_SRC_PASS_1, GP_SRC_PASS_2 },
};

static int
copy_code(const struct gpc_copy *c, int t)
{
   const int age = t - c->at;

   if (c->at < 0 || age < 1 || age > 2 || (c->raw && age != 2))
      return -1;
   return bypass[c->unit][age - 1];
}

void
gpc_add_copy(struct gpc_value *v, int t, unsigned unit, bool raw)
{
   v->copy[1] = v->copy[0];
   v->copy[0] = (struct gpc_copy) { t, (uint8_t)unit, raw, false };
}

bool
gpc_is_near(const struct gpc_sched *s, const struct gpc_value *v, int t)
{
   return copy_code(&v->copy[0], t) >= 0 || copy_code(&v->copy[1], t) >= 0 ||
          (v->reg >= 0 && t >= v->reg_at);
}

static bool
fetch_uniform(struct gpc_sched *s, int t, unsigned index, unsigned offset,
              uint8_t *code)
{
   struct gpc_word *w = gpc_word(s, t);

   if (w->uniform &&
       (w->w.uniform_index != index / 4 || w->w.uniform_offset != offset))
      return false;
   /* Stores and loads that may meet in a temporary. */
   if (index >= GPC_TEMP_BASE * 4 &&
       t < (offset == GP_NO_OFFSET ? s->last_indexed_store
                                   : s->last_temp_store) +
              GPC_TEMP_DELAY)
      return false;
   w->uniform = GPC_PORT_REGISTER;
   w->w.uniform_index = (uint16_t)(index / 4);
   w->w.uniform_offset = (uint8_t)offset;
   *code = (uint8_t)(GP_SRC_UNIFORM_X + index % 4);
   return true;
}

static bool
port0_has(const struct gpc_word *w, enum gpc_port_use use, unsigned index)
{
   return w->port0 == use && w->w.port0_index == index;
}

static void
claim_port0(struct gpc_word *w, enum gpc_port_use use, unsigned index)
{
   w->port0 = (uint8_t)use;
   w->w.port0_index = (uint8_t)index;
   w->w.port0_is_attribute = use == GPC_PORT_ATTRIBUTE;
}

/* Port 0 of this word or of the one before; `from`: the first word that may
 * load. With `claim` a free port is taken. */
static bool
fetch_port0(struct gpc_sched *s, int t, enum gpc_port_use use, unsigned index,
            int from, bool claim, uint8_t *code)
{
   for (unsigned age = 2; age-- > 0;) {
      if (t - (int)age < MAX2(from, 0))
         continue;
      struct gpc_word *w = gpc_word(s, t - (int)age);
      if (claim && !w->port0)
         claim_port0(w, use, index / 4);
      if (port0_has(w, use, index / 4)) {
         *code =
            (uint8_t)((age ? GP_SRC_PORT0_X_1 : GP_SRC_PORT0_X) + index % 4);
         return true;
      }
   }
   return false;
}

static bool
fetch_register(struct gpc_sched *s, int t, unsigned index, int from,
               uint8_t *code)
{
   struct gpc_word *w = gpc_word(s, t);

   if (t < from)
      return false;
   if (w->port1 && w->w.port1_index == index / 4) {
      *code = (uint8_t)(GP_SRC_PORT1_X + index % 4);
      return true;
   }
   if (fetch_port0(s, t, GPC_PORT_REGISTER, index, from, false, code))
      return true;
   if (!w->port1) {
      w->port1 = GPC_PORT_REGISTER;
      w->w.port1_index = (uint8_t)(index / 4);
      *code = (uint8_t)(GP_SRC_PORT1_X + index % 4);
      return true;
   }
   return fetch_port0(s, t, GPC_PORT_REGISTER, index, from, true, code);
}

static bool
fetch_value(struct gpc_sched *s, int t, struct gpc_value *v, uint8_t *code)
{
   for (unsigned i = 0; i < 2; i++) {
      const int c = copy_code(&v->copy[i], t);
      if (c >= 0) {
         *code = (uint8_t)c;
         v->copy[i].is_read = true;
         return true;
      }
   }
   if (v->reg >= 0 &&
       fetch_register(s, t, (unsigned)v->reg, v->reg_at, code)) {
      v->reg_is_read = true;
      return true;
   }
   return v->temp >= 0 && t >= v->temp_at &&
          fetch_uniform(s, t, GPC_TEMP_BASE * 4 + (unsigned)v->temp,
                        GP_NO_OFFSET, code);
}

bool
gpc_fetch(struct gpc_sched *s, int t, const struct gpc_ref *ref,
          uint8_t *code)
{
   switch ((enum gpc_ref_kind)ref->kind) {
   case GPC_REF_NODE: return fetch_value(s, t, &s->values[ref->index], code);
   case GPC_REF_UNIFORM:
      return fetch_uniform(s, t, ref->index,
                           ref->address
                              ? s->values[ref->address - 1].address_reg
                              : GP_NO_OFFSET,
                           code);
   case GPC_REF_ATTRIBUTE:
      return fetch_port0(s, t, GPC_PORT_ATTRIBUTE, ref->index, 0, false,
                         code) ||
             fetch_port0(s, t, GPC_PORT_ATTRIBUTE, ref->index, 0, true, code);
   case GPC_REF_REGISTER: return fetch_register(s, t, ref->index, 0, code);
   case GPC_REF_NONE: break;
   }
   unreachable("an operand of no kind");
}

void
gpc_consume(struct gpc_sched *s, int t, const struct gpc_ref *ref)
{
   if (ref->address && --s->values[ref->address - 1].uses == 0)
      s->address_users[s->values[ref->address - 1].address_reg] = 0;
   if (ref->kind != GPC_REF_NODE)
      return;
   struct gpc_value *v = &s->values[ref->index];
   v->last_read = MAX2(v->last_read, t);
   if (--v->uses == 0)
      gpc_release(s, v->last_read, ref->index);
}

void
gpc_save_ports(struct gpc_sched *s, int t, struct gpc_ports *p)
{
   for (int i = 0; i < 3; i++) {
      if (t + i < 1)
         continue;
      const struct gpc_word *w = &s->words[t - 1 + i];
      p->word[i].port0 = w->port0;
      p->word[i].port1 = w->port1;
      p->word[i].uniform = w->uniform;
      p->word[i].port0_index = w->w.port0_index;
      p->word[i].port0_is_attribute = w->w.port0_is_attribute;
      p->word[i].port1_index = w->w.port1_index;
      p->word[i].uniform_offset = w->w.uniform_offset;
      p->word[i].uniform_index = w->w.uniform_index;
   }
}

void
gpc_restore_ports(struct gpc_sched *s, int t, const struct gpc_ports *p)
{
   for (int i = 0; i < 3; i++) {
      if (t + i < 1)
         continue;
      struct gpc_word *w = &s->words[t - 1 + i];
      w->port0 = p->word[i].port0;
      w->port1 = p->word[i].port1;
      w->uniform = p->word[i].uniform;
      w->w.port0_index = p->word[i].port0_index;
      w->w.port0_is_attribute = p->word[i].port0_is_attribute;
      w->w.port1_index = p->word[i].port1_index;
      w->w.uniform_offset = p->word[i].uniform_offset;
      w->w.uniform_index = p->word[i].uniform_index;
   }
}
