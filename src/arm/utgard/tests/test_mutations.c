/* SPDX-License-Identifier: MIT */
/*
 * Compiled programs with one thing wrong: strict mode must stop each one,
 * and the checker must complain about each one, though neither knows the
 * other.
 *
 * - a move right after each opaque value;
 * - each reader of an opaque value one instruction later or earlier;
 * - each delay (register, temporary, address register) one instruction
 *   shorter than its limit, by leaving out what is in between.
 *
 * usage: test_gp_mutations [COUNT [FIRST-SEED]]
 */
#include <inttypes.h>
#include <stdio.h>

#include "arm/utgard/isa/gp_check.h"
#include "arm/utgard/sim/gp_sim.h"
#include "gp_case.h"

enum kind {
   KIND_MOVE,
   KIND_READER,
   KIND_REGISTER,
   KIND_TEMP,
   KIND_ADDRESS,
   NUM_KINDS,
};
static const char *const kind_names[] = { "move", "reader", "register delay",
                                          "temporary delay",
                                          "address delay" };

struct run {
   const struct gp_case *c;
   const struct gpc_program *p;
   uint64_t seed;
   bool executed[GP_MAX_INSTRS];  /* by vertex 0 */
   unsigned block[GP_MAX_INSTRS]; /* where an instruction's block begins */
   unsigned made[NUM_KINDS], missed[NUM_KINDS], unseen[NUM_KINDS];
};

struct mutant {
   struct gp_instr instrs[GP_MAX_INSTRS + 1];
   unsigned count;
};

/* ---- changing programs ---- */

static void
copy_program(const struct gpc_program *p, struct mutant *m)
{
   memcpy(m->instrs, p->instrs, p->count * sizeof(*p->instrs));
   m->count = p->count;
}

/* Jumps to what follows stay jumps there. */
static void
move_targets(struct mutant *m, unsigned from, int by)
{
   for (unsigned i = 0; i < m->count; i++) {
      if (m->instrs[i].branch && m->instrs[i].branch_target >= from)
         m->instrs[i].branch_target =
            (uint16_t)(m->instrs[i].branch_target + by);
   }
}

static struct gp_instr *
insert(struct mutant *m, unsigned at)
{
   move_targets(m, at, 1);
   memmove(&m->instrs[at + 1], &m->instrs[at],
           (m->count - at) * sizeof(m->instrs[0]));
   m->count++;
   gp_instr_init(&m->instrs[at]);
   return &m->instrs[at];
}

static void delete (struct mutant *m, unsigned at)
{
   memmove(&m->instrs[at], &m->instrs[at + 1],
           (m->count - at - 1) * sizeof(m->instrs[0]));
   m->count--;
   move_targets(m, at + 1, -1);
}

/* ---- judging them ---- */

static bool
strict_traps(const struct run *r, const struct mutant *m)
{
   struct gp_sim *sim = gp_case_simulator(r->c, r->p);
   gp_case_set_vertex(r->c, sim, 0);
   const bool traps = !gp_sim_load(sim, m->instrs, m->count) ||
                      !gp_sim_run(sim);
   gp_sim_destroy(sim);
   return traps;
}

static bool
checker_complains(const struct run *r, const struct mutant *m)
{
   const struct gp_check_options options = {
      .first_temp = r->p->num_temps ? r->p->first_temp : GP_NUM_UNIFORMS,
      .known = r->p->literals,
      .known_first = r->p->first_literal,
      .known_count = r->p->num_literals,
   };
   return gp_check_program(m->instrs, m->count, &options, NULL, 0) != 0;
}

static void
judge(struct run *r, const struct mutant *m, enum kind kind, unsigned at)
{
   r->made[kind]++;
   const bool traps = strict_traps(r, m), complains = checker_complains(r, m);
   if (!traps)
      printf("seed %" PRIu64 ", instruction %u, %s: no trap\n", r->seed, at,
             kind_names[kind]);
   if (!complains)
      printf("seed %" PRIu64 ", instruction %u, %s: the checker is silent\n",
             r->seed, at, kind_names[kind]);
   r->missed[kind] += !traps;
   r->unseen[kind] += !complains;
   if ((!traps || !complains) && getenv("GP_PRINT")) {
      struct strbuf text = { 0 };
      gp_print_program(m->instrs, m->count, &text);
      printf("%s\n", text.s);
      strbuf_fini(&text);
   }
}

/* ---- opaque values ---- */

static bool
is_table(unsigned op)
{
   return op >= GP_COMPLEX_OP_EXP2 && op <= GP_COMPLEX_OP_RCP;
}

static void
move_after(struct run *r, unsigned i, enum gp_src src)
{
   struct mutant m;
   copy_program(r->p, &m);
   struct gp_instr *move = insert(&m, i + 1);
   if (i & 1) {
      move->mul_src[1][0] = (uint8_t)src;
      move->mul_src[1][1] = GP_SRC_IDENTITY;
   } else {
      move->pass_src = (uint8_t)src;
   }
   judge(r, &m, KIND_MOVE, i);
}

static void
move_after_each(struct run *r)
{
   if (r->p->count == GP_MAX_INSTRS)
      return;
   for (unsigned i = 0; i < r->p->count; i++) {
      const struct gp_instr *in = &r->p->instrs[i];
      if (!r->executed[i])
         continue;
      if (in->pass_op == GP_PASS_OP_PREEXP2)
         move_after(r, i, GP_SRC_PASS_1);
      if (is_table(in->complex_op))
         move_after(r, i, GP_SRC_COMPLEX_1);
      if (in->mul_op == GP_MUL_OP_COMPLEX2 ||
          in->mul_op == GP_MUL_OP_COMPLEX1)
         move_after(r, i, GP_SRC_MUL0_1);
   }
}

/* The operands that only opaque values may be; of complex1 the argument,
 * too, if it is one of an exp2. */
static unsigned
opaque_operands(struct gp_instr *i, uint8_t *operands[4])
{
   unsigned n = 0;
   if (i->mul_op == GP_MUL_OP_COMPLEX1) {
      operands[n++] = &i->mul_src[0][1];
      if (i[-1].complex_op == GP_COMPLEX_OP_EXP2)
         operands[n++] = &i->mul_src[1][1];
   }
   if (i->complex_op == GP_COMPLEX_OP_EXP2) {
      operands[n++] = &i->complex_src;
      operands[n++] = &i->mul_src[0][0];
      operands[n++] = &i->mul_src[0][1];
   }
   if (i->pass_op == GP_PASS_OP_POSTLOG2 && i->pass_src != GP_SRC_UNUSED)
      operands[n++] = &i->pass_src;
   return n;
}

static unsigned
other_age(unsigned src)
{
   switch (src) {
   case GP_SRC_MUL0_1: return GP_SRC_MUL0_2;
   case GP_SRC_MUL0_2: return GP_SRC_MUL0_1;
   case GP_SRC_PASS_1: return GP_SRC_PASS_2;
   case GP_SRC_PASS_2: return GP_SRC_PASS_1;
   default: unreachable("no opaque value");
   }
}

static void
shift_each_reader(struct run *r)
{
   struct mutant m;
   for (unsigned i = 0; i < r->p->count; i++) {
      uint8_t *operands[4];
      if (!r->executed[i])
         continue;
      copy_program(r->p, &m);
      const unsigned num = opaque_operands(&m.instrs[i], operands);
      for (unsigned n = 0; n < num; n++) {
         const uint8_t before = *operands[n];
         *operands[n] = (uint8_t)other_age(before);
         judge(r, &m, KIND_READER, i);
         *operands[n] = before;
      }
      /* All readers of this word one later. */
      if (num && m.count < GP_MAX_INSTRS) {
         insert(&m, i);
         judge(r, &m, KIND_READER, i);
      }
   }
}

/* ---- delays ---- */

/* What is stored to a register (of this index) or to temporaries. */
static unsigned
stored(const struct gp_instr *i, int index)
{
   unsigned mask = 0;
   for (unsigned n = 0; n < 4; n++) {
      const unsigned port = n / 2;
      const bool here = index < 0 ? i->store_is_temp[port]
                                  : !i->store_is_temp[port] &&
                                       !i->store_is_varying[port] &&
                                       i->store_index[port] == index;
      if (here && i->store_src[port][n % 2] != GP_STORE_NONE)
         mask |= 1u << n;
   }
   return mask;
}

static bool
loads_register(const struct gpc_program *p, unsigned s, unsigned l)
{
   const struct gp_instr *from = &p->instrs[s], *to = &p->instrs[l];
   const unsigned port0 = to->port0_is_attribute
                             ? 0
                             : gp_components_read(to, GP_SRC_PORT0_X) &
                                  stored(from, to->port0_index);
   const unsigned port1 = gp_components_read(to, GP_SRC_PORT1_X) &
                          stored(from, to->port1_index);
   return port0 || port1;
}

/* Only where the address is a known one: the checker knows it, too. */
static bool
loads_temp(const struct gpc_program *p, unsigned s, unsigned l)
{
   const struct gp_instr *from = &p->instrs[s], *to = &p->instrs[l];
   if (from->complex_op != GP_COMPLEX_OP_SET_STORE_ADDR ||
       from->complex_src < GP_SRC_UNIFORM_X ||
       from->complex_src > GP_SRC_UNIFORM_W ||
       from->uniform_index < p->first_literal ||
       to->uniform_offset != GP_NO_OFFSET)
      return false;
   const float address = p->literals[from->uniform_index - p->first_literal]
                                    [from->complex_src - GP_SRC_UNIFORM_X];
   return address == (float)to->uniform_index &&
          (gp_components_read(to, GP_SRC_UNIFORM_X) & stored(from, -1));
}

static bool
loads_indexed(const struct gpc_program *p, unsigned s, unsigned l)
{
   const unsigned offset = p->instrs[l].uniform_offset;
   return offset >= 1 && offset <= 3 &&
          p->instrs[s].complex_op == GP_COMPLEX_OP_SET_ADDR1 + offset - 1 &&
          gp_components_read(&p->instrs[l], GP_SRC_UNIFORM_X);
}

/* The last write before `l` in its block, at least `delay` before: *s. */
static bool
find_write(const struct run *r, unsigned l, unsigned delay,
           bool (*loads)(const struct gpc_program *p, unsigned s, unsigned l),
           unsigned *s)
{
   for (unsigned d = delay; d <= l - r->block[l]; d++) {
      *s = l - d;
      if (loads(r->p, *s, l))
         return true;
   }
   return false;
}

static void
shorten_each_delay(struct run *r)
{
   static const struct {
      enum kind kind;
      unsigned delay;
      bool (*loads)(const struct gpc_program *p, unsigned s, unsigned l);
   } rows[] = {
      { KIND_REGISTER, 3, loads_register },
      { KIND_TEMP, 4, loads_temp },
      { KIND_ADDRESS, 4, loads_indexed },
   };
   struct mutant m;
   for (unsigned k = 0; k < ARRAY_SIZE(rows); k++) {
      for (unsigned l = 0; l < r->p->count; l++) {
         unsigned s;
         if (!r->executed[l] ||
             !find_write(r, l, rows[k].delay, rows[k].loads, &s))
            continue;
         copy_program(r->p, &m);
         for (unsigned d = l - s; d >= rows[k].delay; d--)
            delete (&m, s + 1);
         judge(r, &m, rows[k].kind, l);
      }
   }
}

/* ---- all of it ---- */

static void
find_blocks(struct run *r)
{
   bool begins[GP_MAX_INSTRS + 1] = { true };
   for (unsigned i = 0; i < r->p->count; i++) {
      if (r->p->instrs[i].branch)
         begins[i + 1] = begins[r->p->instrs[i].branch_target] = true;
   }
   for (unsigned i = 0; i < r->p->count; i++)
      r->block[i] = begins[i] ? i : r->block[i - 1];
}

static bool
find_executed(struct run *r)
{
   struct gp_sim *sim = gp_case_simulator(r->c, r->p);
   gp_case_set_vertex(r->c, sim, 0);
   const bool good = gp_sim_load(sim, r->p->instrs, r->p->count) &&
                     gp_sim_run(sim);
   for (unsigned i = 0; i < r->p->count; i++)
      r->executed[i] = gp_sim_executions(sim, i) != 0;
   gp_sim_destroy(sim);
   return good;
}

static void
mutate(uint64_t seed, bool dag, struct run *r)
{
   struct gp_case c;
   struct arena *arena = arena_create(NULL);
   if (dag)
      gp_random_dag(&c, seed, 300);
   else
      gp_random_program(&c, seed);
   r->c = &c;
   r->p = gp_case_compile(&c, arena, 1);
   r->seed = seed;
   /* What is wrong as it is belongs to another test. */
   if (!r->p->error && find_executed(r)) {
      find_blocks(r);
      move_after_each(r);
      shift_each_reader(r);
      shorten_each_delay(r);
   }
   arena_destroy(arena);
   gp_case_destroy(&c);
}

int
main(int argc, char **argv)
{
   const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 60;
   const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
   struct run r = { 0 };
   bool failed = false;
   for (unsigned long i = 0; i < count; i++)
      mutate(first + i, i & 1, &r);
   for (unsigned k = 0; k < NUM_KINDS; k++) {
      printf("%-16s %u mutants, %u without a trap, %u without a complaint\n",
             kind_names[k], r.made[k], r.missed[k], r.unseen[k]);
      failed |= r.missed[k] || r.unseen[k] || !r.made[k];
   }
   return failed;
}
