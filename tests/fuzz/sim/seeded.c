/* SPDX-License-Identifier: MIT */
/*
 * Seeded faults: takes recorded batches, leaves out or alters one thing that
 * a chip needs, runs what is left in strict mode, and counts what is reported
 * and whether by a rule of the right kind.
 *
 *    seeded --gen=skl FOLDER...      folders of `bin/saffron fuzz --corpus`
 *
 * A fault that changes nothing for a chip (a second stall behind the first)
 * counts like the others: what is not reported is listed by kind, not judged.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "intel/sim/strict/strict.h"

#define BATCH_BUFFER_END 0x05000000u
#define PIPE_CONTROL 0x7a000000u
#define WORK_LIMIT (1ull << 24)

/* What is altered, and how ids of rules that speak of it begin. */
enum kind {
   KIND_FLUSH,
   KIND_INVALIDATE,
   KIND_STALL,
   KIND_POST_SYNC,
   KIND_PIPE_CONTROL,
   KIND_STATE,
   KIND_SWAP,
   KIND_INIT,
   KIND_SWITCH,
   KIND_SENDC,
   KIND_COUNT,
};

static const struct {
   const char *name, *rules;
} kinds[KIND_COUNT] = {
   [KIND_FLUSH] = { "a flush bit of a PIPE_CONTROL", "CC CO PC" },
   [KIND_INVALIDATE] = { "an invalidate bit", "CC CM CO PC" },
   [KIND_STALL] = { "a stall bit", "CC CO PC" },
   [KIND_POST_SYNC] = { "a post-sync write", "CC CO PC" },
   [KIND_PIPE_CONTROL] = { "a whole PIPE_CONTROL", "CC CM CO PC" },
   [KIND_STATE] = { "a state packet left out", "CO FF KR RL PC" },
   [KIND_SWAP] = { "two state packets swapped", "CO FF KR RL PC" },
   [KIND_INIT] = { "a MOV to elsewhere", "EU" },
   [KIND_SWITCH] = { "{Switch}", "EU" },
   [KIND_SENDC] = { "sendc as send", "EU" },
};

static struct {
   unsigned tried, faulted, reported, right;
} counts[KIND_COUNT];

/* Reports of a run by rule, with those of the batch as it is. */
#define MAX_IDS 64
struct heard {
   unsigned num;
   struct {
      char id[8];
      unsigned count;
   } rule[MAX_IDS];
   bool fault;
};

static struct heard heard;

static void
hear(void *data, const char *line)
{
   char id[8];
   if (sscanf(line, "strict: %7s (", id) != 1 || strchr(id, ':')) {
      heard.fault |= !strncmp(line, "fault", 5);
      return;
   }
   for (unsigned i = 0; i < heard.num; i++) {
      if (!strcmp(heard.rule[i].id, id)) {
         heard.rule[i].count++;
         return;
      }
   }
   if (heard.num == MAX_IDS)
      return;
   snprintf(heard.rule[heard.num].id, sizeof(id), "%s", id);
   heard.rule[heard.num++].count = 1;
}

/* Runs the stream of `n` dwords in a context that strict mode never saw. */
static void
run(struct corpus *c, struct entry *e, const uint32_t *dw, unsigned n)
{
   uint32_t *to = entry_map(e, entry_fuzz_batch(e), 4ull * n + 8);
   heard = (struct heard) { 0 };
   if (!to)
      return;
   memcpy(to, dw, 4ull * n);
   to[n] = BATCH_BUFFER_END;
   to[n + 1] = 0;
   c->gpu.strict = sim_strict_create(&c->gpu);
   c->hw->strict = sim_strict_context_create();
   if (!c->gpu.strict || !c->hw->strict)
      abort();
   entry_run(c, e, false, entry_fuzz_batch(e), WORK_LIMIT);
   sim_strict_context_destroy(c->hw->strict);
   sim_strict_destroy(c->gpu.strict);
   c->hw->strict = NULL;
   c->gpu.strict = NULL;
}

static bool
is_right(enum kind kind, const char *id)
{
   const char *prefix = strstr(kinds[kind].rules, (char[3]) { id[0], id[1] });
   return prefix != NULL;
}

static void
judge(enum kind kind, const struct heard *as_it_is)
{
   bool reported = false, right = false;
   for (unsigned i = 0; i < heard.num; i++) {
      unsigned before = 0;
      for (unsigned k = 0; k < as_it_is->num; k++) {
         if (!strcmp(as_it_is->rule[k].id, heard.rule[i].id))
            before = as_it_is->rule[k].count;
      }
      if (heard.rule[i].count <= before)
         continue;
      reported = true;
      right |= is_right(kind, heard.rule[i].id);
   }
   counts[kind].tried++;
   counts[kind].faulted += heard.fault && !reported;
   counts[kind].reported += reported;
   counts[kind].right += right;
}

static void
try(struct corpus *c, struct entry *e, const uint32_t *dw, unsigned n,
    enum kind kind, const struct heard *as_it_is)
{
   run(c, e, dw, n);
   judge(kind, as_it_is);
   entry_restore(e);
}

/* Bits of PIPE_CONTROL's dword 1: PRM SKL vol 2a. */
static enum kind
kind_of_bit(unsigned bit)
{
   switch (bit) {
   case 0:
   case 5:
   case 12: return KIND_FLUSH;
   case 2:
   case 3:
   case 4:
   case 10:
   case 11: return KIND_INVALIDATE;
   case 1:
   case 13:
   case 20: return KIND_STALL;
   default: return KIND_COUNT;
   }
}

static void
damage_pipe_control(struct corpus *c, struct entry *e, uint32_t *dw,
                    unsigned n, const struct command *p,
                    const struct heard *as_it_is)
{
   uint32_t *const bits = &dw[p->first_dw + 1], whole = *bits;
   for (unsigned i = 0; i < 32; i++) {
      const enum kind kind = kind_of_bit(i);
      if (kind == KIND_COUNT || !(whole >> i & 1))
         continue;
      *bits = whole & ~(1u << i);
      try(c, e, dw, n, kind, as_it_is);
   }
   if (whole >> 14 & 3) {
      *bits = whole & ~(3u << 14);
      try(c, e, dw, n, KIND_POST_SYNC, as_it_is);
   }
   *bits = whole;
   uint32_t saved[16];
   const unsigned size = MIN2(p->num_dw, 16u);
   memcpy(saved, &dw[p->first_dw], 4 * size);
   memset(&dw[p->first_dw], 0, 4 * size);
   try(c, e, dw, n, KIND_PIPE_CONTROL, as_it_is);
   memcpy(&dw[p->first_dw], saved, 4 * size);
}

static bool
is_state(const struct command *p)
{
   return !strncmp(p->group->name, "3DSTATE_", 8) ||
          !strncmp(p->group->name, "STATE_", 6) ||
          !strncmp(p->group->name, "MEDIA_", 6);
}

static void
damage_state(struct corpus *c, struct entry *e, uint32_t *dw, unsigned n,
             const struct command *p, const struct command *next,
             const struct heard *as_it_is)
{
   uint32_t saved[256];
   const unsigned size = p->num_dw;
   if (size > 128 || (next && next->num_dw > 128))
      return;
   memcpy(saved, &dw[p->first_dw], 4 * size);
   memset(&dw[p->first_dw], 0, 4 * size);
   try(c, e, dw, n, KIND_STATE, as_it_is);
   memcpy(&dw[p->first_dw], saved, 4 * size);
   if (!next || !is_state(next) || next->group == p->group)
      return;
   const unsigned both = size + next->num_dw;
   memcpy(saved, &dw[p->first_dw], 4 * both);
   memcpy(&dw[p->first_dw], saved + size, 4 * next->num_dw);
   memcpy(&dw[p->first_dw + next->num_dw], saved, 4 * size);
   try(c, e, dw, n, KIND_SWAP, as_it_is);
   memcpy(&dw[p->first_dw], saved, 4 * both);
}

/* Programs --------------------------------------------------------------- */

/* The instruction with one thing altered; KIND_COUNT: nothing to alter. */
static enum kind
alter(struct isa_inst *inst)
{
   if (inst->opcode == ISA_OPCODE_SENDC) {
      inst->opcode = ISA_OPCODE_SEND;
      return KIND_SENDC;
   }
   if (inst->opcode == ISA_OPCODE_SENDSC) {
      inst->opcode = ISA_OPCODE_SENDS;
      return KIND_SENDC;
   }
   if (inst->thread_ctrl == ISA_THREAD_SWITCH) {
      inst->thread_ctrl = ISA_THREAD_NORMAL;
      return KIND_SWITCH;
   }
   if (inst->opcode == ISA_OPCODE_MOV && inst->dst.file == ISA_FILE_GRF &&
       !inst->dst.indirect) {
      inst->dst.nr = 111; /* below what ends a thread; seldom in use */
      return KIND_INIT;
   }
   return KIND_COUNT;
}

static void
damage_program(struct corpus *c, struct entry *e, const uint32_t *dw,
               unsigned n, const struct target *t,
               const struct heard *as_it_is)
{
   for (uint32_t at = 0; at + 8 <= t->size_B;) {
      uint8_t *code = entry_map(e, t->address, t->size_B);
      struct isa_inst inst;
      uint32_t words[4], compact[2];
      unsigned inst_B = ISA_INST_SIZE_B;
      if (!code || !isa_decode(c->isa_gen, code + at, t->size_B - at, &inst,
                               &inst_B, NULL))
         return;
      const bool eot = inst.eot;
      const enum kind kind = alter(&inst);
      /* Sizes stay, so that jumps still lead to instructions. */
      if (kind != KIND_COUNT && isa_encode(c->isa_gen, &inst, words, NULL) &&
          (inst_B == ISA_INST_SIZE_B ||
           isa_compact(c->isa_gen, words, compact))) {
         memcpy(code + at, inst_B == ISA_INST_SIZE_B ? words : compact,
                inst_B);
         try(c, e, dw, n, kind, as_it_is);
      }
      if (eot)
         return;
      at += inst_B;
   }
}

static void
damage_entry(struct corpus *c, struct entry *e)
{
   const unsigned n = (unsigned)util_dynarray_num_elements(&e->dw, uint32_t);
   const unsigned num =
      (unsigned)util_dynarray_num_elements(&e->commands, struct command);
   uint32_t *dw = malloc(4ull * MAX2(n, 1u));
   if (!dw || 4ull * n + 64 > FUZZ_BATCH_B) {
      free(dw);
      return;
   }
   memcpy(dw, e->dw.data, 4ull * n);
   run(c, e, dw, n);
   entry_restore(e);
   const struct heard as_it_is = heard;
   for (unsigned i = 0; i < num; i++) {
      const struct command *p =
         util_dynarray_element(&e->commands, struct command, i);
      const struct command *next = i + 1 < num ? p + 1 : NULL;
      if ((dw[p->first_dw] & 0xffff0000) == PIPE_CONTROL)
         damage_pipe_control(c, e, dw, n, p, &as_it_is);
      else if (is_state(p))
         damage_state(c, e, dw, n, p, next, &as_it_is);
   }
   util_dynarray_foreach(&e->targets, struct target, t) {
      if (t->kind == TARGET_PROGRAM)
         damage_program(c, e, dw, n, t, &as_it_is);
   }
   free(dw);
}

static void
print_counts(void)
{
   printf("%-32s %7s %8s %6s %6s\n", "what", "faults", "reported", "right",
          "fault");
   for (unsigned i = 0; i < KIND_COUNT; i++)
      printf("%-32s %7u %8u %6u %6u\n", kinds[i].name, counts[i].tried,
             counts[i].reported, counts[i].right, counts[i].faulted);
}

int
main(int argc, char **argv)
{
   struct corpus c;
   const char *gen = "skl";
   int first = 1;
   if (argc > 1 && !strncmp(argv[1], "--gen=", 6)) {
      gen = argv[1] + 6;
      first = 2;
   }
   if (first >= argc || argv[first][0] == '-') {
      fprintf(stderr, "usage: seeded [--gen=G] FOLDER...\n");
      return 2;
   }
   if (!corpus_load(&c, gen, argv + first, (unsigned)(argc - first)))
      return 2;
   setenv("SAFFRON_SIM_STRICT", "report", 1);
   c.gpu.report = hear;
   for (unsigned i = 0; i < c.num_entries; i++)
      damage_entry(&c, &c.entries[i]);
   print_counts();
   return 0;
}
