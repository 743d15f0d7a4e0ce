/* SPDX-License-Identifier: MIT */
/*
 * Damages batches and state: see fuzz.h.
 *
 * Every trial runs the copy of the batch without jumps, in a buffer of its
 * own, with an end after it:
 *
 *   batch    fields, dwords and order of the commands changed; or random
 *            commands, with some of other batches among them, in front of
 *            the draws of this one and with the state that it left
 *   state    what the commands point to changed: surfaces, samplers,
 *            viewports, vertices, constants, binding tables; and the sizes
 *            and addresses in commands that set up memory
 *   program  EU programs that the commands start changed (programs.c)
 */
#include "fuzz.h"

#define BATCH_BUFFER_END 0x05000000u

/* Commands in a stream that is not a recorded one. */
#define MAX_STREAM 24

static struct util_dynarray stream; /* uint32_t */

static void
append(const uint32_t *dw, unsigned n)
{
   if (stream.size_B + 4ull * n < FUZZ_BATCH_B - 64)
      memcpy(util_dynarray_grow_bytes(&stream, 4ull * n), dw, 4ull * n);
}

static struct command
command_at(const struct entry *e, unsigned i)
{
   return *util_dynarray_element(&e->commands, struct command, i);
}

static unsigned
num_commands(const struct entry *e)
{
   return (unsigned)util_dynarray_num_elements(&e->commands, struct command);
}

static const uint32_t *
dwords(const struct entry *e, struct command c)
{
   return util_dynarray_element(&e->dw, uint32_t, c.first_dw);
}

/* The commands of the stream, so that one of them can be changed. */
static void
find_in_stream(const struct corpus *c, struct util_dynarray *found)
{
   const unsigned size_dw =
      (unsigned)util_dynarray_num_elements(&stream, uint32_t);
   util_dynarray_clear(found);
   for (uint32_t at = 0; at < size_dw;) {
      const uint32_t *dw = util_dynarray_element(&stream, uint32_t, at);
      const struct genxml_group *g = genxml_find_command(c->spec, *dw);
      const unsigned n = g ? genxml_command_dwords(g, *dw) : 0;
      if (!n || n > size_dw - at)
         return;
      const struct command command = { g, at, n };
      util_dynarray_append(found, struct command, command);
      at += n;
   }
}

/* A field of a command, a bit, or a dword. */
static void
damage_command(struct rng *r, const struct entry *e, struct command c)
{
   uint32_t *dw = util_dynarray_element(&stream, uint32_t, c.first_dw);
   if (rng_one_in(r, 8))
      bytes_damage(r, dw, 4 * c.num_dw);
   else
      fields_damage(r, e, c.group, dw, c.num_dw);
}

/* Addresses of another batch mean nothing here, most of the time. */
static void
mend_addresses(struct rng *r, const struct entry *e,
               const struct genxml_group *g, uint32_t *dw, unsigned num_dw)
{
   static struct util_dynarray leaves;
   fields_list(g, num_dw, &leaves);
   util_dynarray_foreach(&leaves, struct leaf, l) {
      const uint64_t v = fields_get(dw, l->lo, l->field->bits) << l->lo % 32;
      if (l->field->kind == GENXML_ADDRESS && v && !entry_map(e, v, 64) &&
          !rng_one_in(r, 16))
         fields_randomise(r, e, l, dw);
   }
}

/* A command of any batch. */
static void
append_borrowed(struct rng *r, const struct corpus *c, const struct entry *e)
{
   const struct entry *from = &c->entries[rng_below(r, c->num_entries)];
   const struct command command =
      command_at(from, rng_below(r, num_commands(from)));
   const size_t at = stream.size_B;
   append(dwords(from, command), command.num_dw);
   if (stream.size_B == at)
      return;
   uint32_t *dw = (uint32_t *)((uint8_t *)stream.data + at);
   mend_addresses(r, e, command.group, dw, command.num_dw);
   for (unsigned i = rng_below(r, 3); i; i--)
      fields_damage(r, e, command.group, dw, command.num_dw);
}

/* A command that the generation has, with random fields. */
static void
append_random(struct rng *r, const struct corpus *c, const struct entry *e)
{
   static struct util_dynarray leaves;
   const struct genxml_group *g =
      &c->spec->commands[rng_below(r, c->spec->num_commands)];
   uint32_t dw[64] = { 0 };
   unsigned n = g->dwords;
   /* An early end would leave little to do. */
   if (n > ARRAY_SIZE(dw) ||
       (g->opcode == BATCH_BUFFER_END && !rng_one_in(r, 16)))
      return;
   if (g->variable)
      n = MIN2(n + rng_below(r, 9), ARRAY_SIZE(dw));
   fields_list(g, n, &leaves);
   util_dynarray_foreach(&leaves, struct leaf, l) {
      if (rng_one_in(r, 2))
         fields_randomise(r, e, l, dw);
   }
   dw[0] = (dw[0] & ~g->opcode_mask) | g->opcode;
   if (g->length_bits)
      fields_set(dw, g->length_lo, g->length_bits, n - g->length_bias);
   append(dw, n);
}

/* Draws and dispatches of the recorded batch. */
static bool
is_work(const struct genxml_group *g)
{
   return strcmp(g->name, "3DPRIMITIVE") == 0 ||
          strcmp(g->name, "GPGPU_WALKER") == 0 ||
          strcmp(g->name, "3DSTATE_WM_HZ_OP") == 0;
}

static void
make_stream(struct rng *r, const struct corpus *c, const struct entry *e)
{
   for (unsigned i = 1 + rng_below(r, MAX_STREAM); i; i--) {
      if (rng_one_in(r, 3))
         append_random(r, c, e);
      else
         append_borrowed(r, c, e);
   }
   for (unsigned i = 0; i < num_commands(e); i++) {
      const struct command command = command_at(e, i);
      if (is_work(command.group))
         append(dwords(e, command), command.num_dw);
   }
}

/* The recorded commands, some of them left out, moved, or joined by
 * others. */
static void
make_disordered(struct rng *r, const struct corpus *c, const struct entry *e)
{
   const unsigned n = num_commands(e);
   const unsigned place = rng_below(r, n), other = rng_below(r, n);
   const unsigned what = rng_below(r, 5);
   for (unsigned i = 0; i < n; i++) {
      struct command command = command_at(e, i);
      if (i == place) {
         if (what == 0)
            continue;
         if (what == 1)
            append_random(r, c, e);
         else if (what == 2)
            append_borrowed(r, c, e);
         else if (what == 3)
            append(dwords(e, command_at(e, other)),
                   command_at(e, other).num_dw);
      }
      /* Two commands change places. */
      if (what == 4 && (i == place || i == other))
         command = command_at(e, i == place ? other : place);
      append(dwords(e, command), command.num_dw);
   }
}

static void
make_batch(struct rng *r, struct corpus *c, struct trial *t)
{
   static struct util_dynarray found;
   const struct entry *e = t->entry;
   if (rng_one_in(r, 4)) {
      t->after = true;
      make_stream(r, c, e);
   } else if (rng_one_in(r, 3)) {
      make_disordered(r, c, e);
   } else {
      append(e->dw.data, (unsigned)(e->dw.size_B / 4));
   }
   find_in_stream(c, &found);
   const unsigned n =
      (unsigned)util_dynarray_num_elements(&found, struct command);
   if (!n)
      return;
   for (unsigned i = rng_below(r, 4) + !t->after; i; i--)
      damage_command(r, e,
                     *util_dynarray_element(&found, struct command,
                                            rng_below(r, n)));
}

/* Commands that say where something lies and how much of it there is. */
static bool
sets_up_memory(const struct genxml_group *g)
{
   static const char *const words[] = {
      "URB",        "ALLOC",      "CONSTANT",   "VFE",        "VERTEX",
      "INDEX",      "SO_",        "BUFFER",     "SBE",        "3DSTATE_VS",
      "3DSTATE_HS", "3DSTATE_DS", "3DSTATE_GS", "3DSTATE_PS", "POINTERS",
      "CURBE",      "DESCRIPTOR", "STREAMOUT",  "BASE",
   };
   for (unsigned i = 0; i < ARRAY_SIZE(words); i++) {
      if (strstr(g->name, words[i]))
         return true;
   }
   return false;
}

static void
damage_setup(struct rng *r, const struct entry *e)
{
   /* Some try at random is cheaper than a list. */
   for (unsigned tries = 0; tries < 16; tries++) {
      const struct command command =
         command_at(e, rng_below(r, num_commands(e)));
      if (sets_up_memory(command.group)) {
         damage_command(r, e, command);
         return;
      }
   }
}

static void
damage_target(struct rng *r, const struct entry *e, const struct target *t)
{
   uint32_t *dw = entry_map(e, t->address, t->size_B);
   if (t->kind == TARGET_STRUCT && !rng_one_in(r, 8))
      fields_damage(r, e, t->group, dw, t->group->dwords);
   else
      bytes_damage(r, dw, t->size_B);
}

/* A dword that is not zero, anywhere. */
static void
damage_anything(struct rng *r, const struct entry *e)
{
   for (unsigned tries = 0; tries < 64; tries++) {
      const struct corpus_bo *b = &e->bos[rng_below(r, e->num_bos - 1)];
      /* Most of what is there is at the start. */
      const uint32_t size_B = (uint32_t)MIN2(b->size_B, 65536);
      uint8_t *p = b->host + rng_below(r, size_B / 4) * 4;
      uint32_t v;
      memcpy(&v, p, 4);
      if (v) {
         bytes_damage(r, p, 4);
         return;
      }
   }
}

static void
make_state(struct rng *r, struct trial *t)
{
   const struct entry *e = t->entry;
   const unsigned n =
      (unsigned)util_dynarray_num_elements(&e->targets, struct target);
   append(e->dw.data, (unsigned)(e->dw.size_B / 4));
   for (unsigned i = 1 + rng_below(r, 4); i; i--) {
      const struct target *target = n ? util_dynarray_element(&e->targets,
                                                              struct target,
                                                              rng_below(r, n))
                                      : NULL;
      if (rng_one_in(r, 5))
         damage_setup(r, e);
      else if (!target || rng_one_in(r, 16))
         damage_anything(r, e);
      else if (target->kind == TARGET_PROGRAM)
         i++; /* another one */
      else
         damage_target(r, e, target);
      if (n == t->entry->num_programs)
         break;
   }
}

static void
make_program(struct rng *r, struct corpus *c, struct trial *t)
{
   const struct entry *e = t->entry;
   append(e->dw.data, (unsigned)(e->dw.size_B / 4));
   unsigned which = rng_below(r, e->num_programs);
   util_dynarray_foreach(&e->targets, struct target, target) {
      if (target->kind != TARGET_PROGRAM || which--)
         continue;
      uint32_t room_B = target->size_B;
      /* A longer one may write over what is after it. */
      while (room_B < 4096 && entry_map(e, target->address, room_B + 256))
         room_B += 256;
      program_damage(r, c, entry_map(e, target->address, room_B),
                     target->size_B, room_B);
   }
}

void
trial_make(struct corpus *c, uint64_t number, int kind, struct trial *t)
{
   struct rng r = { number * 0x2545f4914f6cdd1dull };
   rng_next(&r);
   *t = (struct trial) { .kind = kind >= 0 ? (enum trial_kind)kind
                                           : number % TRIAL_KINDS };
   do {
      t->entry = &c->entries[rng_below(&r, c->num_entries)];
   } while (t->kind == TRIAL_PROGRAM && !t->entry->num_programs);
   t->work_limit = 2 * t->entry->work + 4000;
   util_dynarray_clear(&stream);
   switch (t->kind) {
   case TRIAL_BATCH: make_batch(&r, c, t); break;
   case TRIAL_STATE: make_state(&r, t); break;
   case TRIAL_PROGRAM: make_program(&r, c, t); break;
   case TRIAL_KINDS: unreachable("no kind");
   }
   uint32_t *to = entry_map(t->entry, entry_fuzz_batch(t->entry), 4);
   memcpy(to, stream.data, stream.size_B);
   to[stream.size_B / 4] = BATCH_BUFFER_END;
}
