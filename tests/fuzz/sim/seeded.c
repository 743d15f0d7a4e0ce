/* SPDX-License-Identifier: MIT */
/*
 * Seeded faults: takes recorded batches, leaves out or alters one thing that
 * a chip needs, runs what is left in strict mode, and counts what is reported
 * and whether by a rule of the right kind.
 *
 *    seeded --gen=skl FOLDER...      folders of `bin/saffron fuzz --corpus`
 *
 * --every=N tries one fault in N, drawn by a hash; --missed lists what is not
 * found. Which faults matter is decided apart from strict mode (judge.h).
 */
#include <stdio.h>
#include <stdlib.h>

#include "intel/sim/chaos/chaos.h"
#include "judge.h"
#include "intel/sim/gpu/strict.h"

#define BATCH_BUFFER_END 0x05000000u
#define PIPE_CONTROL 0x7a000000u
#define WORK_LIMIT (1ull << 24)
#define SEEDS 3

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
   unsigned tried, reported;
   /* Of those that matter; `wrongly`: of the others, reported. */
   unsigned matter, found, right, wrongly;
} counts[KIND_COUNT];

static struct judge judge;
static bool shows_missed;
static unsigned doubles;
static unsigned every = 1;

/* Whether the next fault is one of those that are tried. */
static bool
is_drawn(void)
{
   static uint32_t number;
   return (++number * 0x9e3779b1u >> 8) % every == 0;
}

/* Reports of a run by rule, with those of the batch as it is. */
#define MAX_IDS 64
struct heard {
   unsigned num;
   struct {
      char id[8];
      unsigned count;
   } rule[MAX_IDS];
   bool fault; /* by a rule that is one without strict mode, too */
};

static struct heard heard;

/* A packet, and whether it was the one that ended a batch. */
static struct {
   const char *name;
   bool faulted;
} random_packet;

static void
hear(void *data, const char *line)
{
   char id[8], name[64];
   unsigned more = 1;
   if (random_packet.name && sscanf(line, "fault: %63s at", name) == 1)
      random_packet.faulted = !strcmp(name, random_packet.name);
   if (sscanf(line, "strict: %7s (", id) != 1) {
      heard.fault |= strstr(line, "compare-null-switch") != NULL; /* EU-05 */
      return;
   }
   /* "strict: ID: N more": of places that were not told. */
   char *colon = strchr(id, ':');
   if (colon) {
      *colon = '\0';
      if (sscanf(strchr(line + 8, ':') + 1, "%u more", &more) != 1)
         return;
   }
   for (unsigned i = 0; i < heard.num; i++) {
      if (!strcmp(heard.rule[i].id, id)) {
         heard.rule[i].count += more;
         return;
      }
   }
   if (heard.num == MAX_IDS)
      return;
   snprintf(heard.rule[heard.num].id, sizeof(id), "%s", id);
   heard.rule[heard.num++].count = more;
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

/* Code that stands in place of other code. */
struct patch {
   uint64_t address;
   const void *bytes;
   unsigned size_B;
};

/* Runs the stream without strict mode; the memory is as it left it. */
static bool
run_plain(struct corpus *c, struct entry *e, const uint32_t *dw, unsigned n,
          const struct patch *patch)
{
   uint32_t *to = entry_map(e, entry_fuzz_batch(e), 4ull * n + 8);
   void *code = patch ? entry_map(e, patch->address, patch->size_B) : NULL;
   if (!to || (patch && !code))
      return false;
   memcpy(to, dw, 4ull * n);
   to[n] = BATCH_BUFFER_END;
   to[n + 1] = 0;
   if (patch)
      memcpy(code, patch->bytes, patch->size_B);
   return entry_run(c, e, false, entry_fuzz_batch(e), WORK_LIMIT);
}

/* What the stream writes with each seed of chaos; 0 after a fault. */
static void
run_seeds(struct corpus *c, struct entry *e, const uint32_t *dw, unsigned n,
          const struct patch *patch, uint64_t hash[SEEDS])
{
   for (unsigned i = 0; i < SEEDS; i++) {
      struct sim_chaos chaos = { .seed = 77 + i,
                                 .state = 77 + i,
                                 .kinds = SIM_CHAOS_POISON };
      c->gpu.chaos = &chaos;
      judge_listen(&judge, false);
      const bool ok = run_plain(c, e, dw, n, patch);
      hash[i] = ok ? judge_hash(&judge, e) : 0;
      judge_deaf(&judge);
      c->gpu.chaos = NULL;
      entry_restore(e);
   }
}

static bool
all_alike(const uint64_t hash[SEEDS])
{
   for (unsigned i = 1; i < SEEDS; i++) {
      if (hash[i] != hash[0])
         return false;
   }
   return true;
}

/* Whether the instruction there is executed: in its place stands one that
 * ends the batch with a fault. */
static bool
is_executed(struct corpus *c, struct entry *e, const uint32_t *dw, unsigned n,
            uint64_t address)
{
   static const uint8_t illegal[8];
   const struct patch patch = { address, illegal, sizeof(illegal) };
   const bool ok = run_plain(c, e, dw, n, &patch);
   entry_restore(e);
   return !ok;
}

static bool
is_right(enum kind kind, const char *id)
{
   const char *prefix = strstr(kinds[kind].rules, (char[3]) { id[0], id[1] });
   return prefix != NULL;
}

static void
count(enum kind kind, const struct heard *as_it_is, bool matters)
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
   if (heard.fault && !as_it_is->fault) {
      reported = true;
      right |= kind == KIND_SWITCH;
   }
   counts[kind].tried++;
   counts[kind].reported += reported;
   counts[kind].matter += matters;
   counts[kind].found += matters && reported;
   counts[kind].right += matters && right;
   counts[kind].wrongly += !matters && reported;
}

static bool
is_found(enum kind kind)
{
   static unsigned before[KIND_COUNT];
   const bool found = counts[kind].found != before[kind];
   before[kind] = counts[kind].found;
   return found;
}

static void
try(struct corpus *c, struct entry *e, const uint32_t *dw, unsigned n,
    enum kind kind, const struct heard *as_it_is, bool matters,
    const char *what)
{
   run(c, e, dw, n);
   count(kind, as_it_is, matters);
   entry_restore(e);
   if (!is_found(kind) && matters && shows_missed)
      printf("missed: %s: %s: %s\n", e->name, kinds[kind].name, what);
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
try_control(struct corpus *c, struct entry *e, uint32_t *dw, unsigned n,
            const struct command *p, enum kind kind, uint32_t bits,
            const struct heard *as_it_is)
{
   char what[64];
   if (!is_drawn())
      return;
   const unsigned at =
      (unsigned)(p - util_dynarray_element(&e->commands, struct command, 0));
   snprintf(what, sizeof(what), "command %u, 0x%08x as 0x%08x", at,
            dw[p->first_dw + 1], bits);
   const bool matters =
      judge_control(&judge, at, bits, kind == KIND_PIPE_CONTROL);
   uint32_t saved[16];
   const unsigned size = MIN2(p->num_dw, 16u);
   memcpy(saved, &dw[p->first_dw], 4 * size);
   if (kind == KIND_PIPE_CONTROL)
      memset(&dw[p->first_dw], 0, 4 * size);
   else
      dw[p->first_dw + 1] = bits;
   try(c, e, dw, n, kind, as_it_is, matters, what);
   memcpy(&dw[p->first_dw], saved, 4 * size);
}

static void
damage_pipe_control(struct corpus *c, struct entry *e, uint32_t *dw,
                    unsigned n, const struct command *p,
                    const struct heard *as_it_is)
{
   const uint32_t whole = dw[p->first_dw + 1];
   for (unsigned i = 0; i < 32; i++) {
      const enum kind kind = kind_of_bit(i);
      if (kind != KIND_COUNT && (whole >> i & 1))
         try_control(c, e, dw, n, p, kind, whole & ~(1u << i), as_it_is);
   }
   if (whole >> 14 & 3)
      try_control(c, e, dw, n, p, KIND_POST_SYNC, whole & ~(3u << 14),
                  as_it_is);
   try_control(c, e, dw, n, p, KIND_PIPE_CONTROL, 0, as_it_is);
}

static bool
is_state(const struct command *p)
{
   return !strncmp(p->group->name, "3DSTATE_", 8) ||
          !strncmp(p->group->name, "STATE_", 6) ||
          !strncmp(p->group->name, "MEDIA_", 6);
}

/* What is needed to judge faults of programs and packets. */
struct as_it_is {
   struct heard heard;
   bool steady; /* chaos changes nothing */
   uint64_t hash;
};

/* Whether nothing but this packet says before the first work of the batch
 * what it says. */
static bool
is_only_word(const struct entry *e, const uint32_t *dw,
             const struct command *p)
{
   const bool media = !strncmp(p->group->name, "MEDIA_", 6);
   unsigned same = 0;
   bool before_work = false, works = false;
   util_dynarray_foreach(&e->commands, struct command, q) {
      before_work |= q == p;
      same += q->group == p->group;
      works = judge_works(q, dw) &&
              (!media || !strcmp(q->group->name, "GPGPU_WALKER"));
      if (works)
         break;
   }
   return works && before_work && same == 1;
}

/*
 * Each batch counts as the first one of its context. What was never said
 * there may be anything: the packet matters if one of three that hold random
 * bits in its place changes what the batch writes, or ends it with a fault of
 * another command. Of a later one nobody knows: what was there before is as
 * legal.
 */
static bool
state_matters(struct corpus *c, struct entry *e, uint32_t *dw, unsigned n,
              const struct command *p, const struct as_it_is *as_it_is)
{
   uint32_t saved[256];
   uint64_t random = 0x243f6a8885a308d3ull;
   bool matters = false;
   if (!as_it_is->steady || !is_only_word(e, dw, p))
      return false;
   memcpy(saved, &dw[p->first_dw], 4 * p->num_dw);
   random_packet.name = p->group->name;
   for (unsigned seed = 0; seed < SEEDS && !matters; seed++) {
      for (unsigned i = 1; i < p->num_dw; i++) {
         random = random * 6364136223846793005ull + 1442695040888963407ull;
         dw[p->first_dw + i] = (uint32_t)(random >> 32);
      }
      judge_listen(&judge, false);
      random_packet.faulted = false;
      matters = run_plain(c, e, dw, n, NULL)
                   ? judge_hash(&judge, e) != as_it_is->hash
                   : !random_packet.faulted;
      judge_deaf(&judge);
      entry_restore(e);
   }
   random_packet.name = NULL;
   memcpy(&dw[p->first_dw], saved, 4 * p->num_dw);
   return matters;
}

static void
leave_out_state(struct corpus *c, struct entry *e, uint32_t *dw, unsigned n,
                const struct command *p, const struct as_it_is *as_it_is)
{
   uint32_t saved[256];
   const bool matters = state_matters(c, e, dw, n, p, as_it_is);
   memcpy(saved, &dw[p->first_dw], 4 * p->num_dw);
   memset(&dw[p->first_dw], 0, 4 * p->num_dw);
   try(c, e, dw, n, KIND_STATE, &as_it_is->heard, matters, p->group->name);
   memcpy(&dw[p->first_dw], saved, 4 * p->num_dw);
}

static void
damage_state(struct corpus *c, struct entry *e, uint32_t *dw, unsigned n,
             const struct command *p, const struct command *next,
             const struct as_it_is *as_it_is)
{
   uint32_t saved[256];
   const unsigned size = p->num_dw;
   if (size > 128 || (next && next->num_dw > 128))
      return;
   if (is_drawn())
      leave_out_state(c, e, dw, n, p, as_it_is);
   if (!next || !is_state(next) || next->group == p->group || !is_drawn())
      return;
   const unsigned both = size + next->num_dw;
   memcpy(saved, &dw[p->first_dw], 4 * both);
   memcpy(&dw[p->first_dw], saved + size, 4 * next->num_dw);
   memcpy(&dw[p->first_dw + next->num_dw], saved, 4 * size);
   char what[128];
   snprintf(what, sizeof(what), "%s, %s", p->group->name, next->group->name);
   try(c, e, dw, n, KIND_SWAP, &as_it_is->heard,
       judge_order(p->group->name, next->group->name, c->info->verx10), what);
   memcpy(&dw[p->first_dw], saved, 4 * both);
}

/*
 * Drivers flush the same cache several times in a row, so that no single bit
 * matters. Bits go one by one, as long as what is left does for a chip; how
 * many have gone.
 */
static unsigned
leave_out_doubles(const struct entry *e, uint32_t *dw)
{
   unsigned gone = 0, at = 0;
   util_dynarray_foreach(&e->commands, struct command, p) {
      uint32_t *bits = &dw[p->first_dw + 1];
      const unsigned here = at++;
      if ((dw[p->first_dw] & 0xffff0000) != PIPE_CONTROL)
         continue;
      for (unsigned i = 0; i < 32; i++) {
         const uint32_t bit = i == 14 ? 3u << 14 : 1u << i;
         if ((kind_of_bit(i) == KIND_COUNT && i != 14) || !(*bits & bit) ||
             (i == 14 && judge_is_read(&judge, here)) ||
             judge_control(&judge, here, *bits & ~bit, false))
            continue;
         *bits &= ~bit;
         judge_step(&judge, here, *bits);
         gone++;
      }
   }
   return gone;
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

/* Whether such a fault matters. */
static bool
program_matters(struct corpus *c, struct entry *e, const uint32_t *dw,
                unsigned n, const struct patch *patch, enum kind kind,
                const struct isa_inst *inst, bool first_sendc)
{
   uint64_t hash[SEEDS];
   if (!is_executed(c, e, dw, n, patch->address))
      return false;
   switch (kind) {
   case KIND_SENDC: return first_sendc;
   case KIND_SWITCH: return inst->dst.file == ISA_FILE_ARF;
   default: break;
   }
   run_seeds(c, e, dw, n, patch, hash);
   return !hash[0] || !all_alike(hash);
}

static void
damage_program(struct corpus *c, struct entry *e, const uint32_t *dw,
               unsigned n, const struct target *t,
               const struct as_it_is *as_it_is)
{
   bool first_sendc = true;
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
      if (kind != KIND_COUNT && is_drawn() &&
          isa_encode(c->isa_gen, &inst, words, NULL) &&
          (inst_B == ISA_INST_SIZE_B ||
           isa_compact(c->isa_gen, words, compact))) {
         const void *bytes = inst_B == ISA_INST_SIZE_B ? words : compact;
         const struct patch patch = { t->address + at, bytes, inst_B };
         char what[256];
         struct strbuf text = { 0 };
         isa_print(c->isa_gen, &inst, NULL, &text);
         snprintf(what, sizeof(what), "program at 0x%llx, 0x%x: now %s",
                  (unsigned long long)t->address, at, strbuf_str(&text));
         strbuf_fini(&text);
         const bool matters =
            (kind != KIND_INIT || as_it_is->steady) &&
            program_matters(c, e, dw, n, &patch, kind, &inst, first_sendc);
         memcpy(code + at, bytes, inst_B);
         try(c, e, dw, n, kind, &as_it_is->heard, matters, what);
      }
      first_sendc &= kind != KIND_SENDC;
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
   struct as_it_is as_it_is;
   uint64_t hash[SEEDS];
   judge_listen(&judge, true);
   run_plain(c, e, dw, n, NULL);
   judge_deaf(&judge);
   entry_restore(e);
   judge_steps(&judge, e, dw);
   doubles += leave_out_doubles(e, dw);
   run(c, e, dw, n);
   entry_restore(e);
   as_it_is.heard = heard;
   if (shows_missed) {
      for (unsigned i = 0; i < heard.num; i++)
         printf("as it is: %s: %s %u\n", e->name, heard.rule[i].id,
                heard.rule[i].count);
   }
   run_seeds(c, e, dw, n, NULL, hash);
   as_it_is.steady = hash[0] && all_alike(hash);
   as_it_is.hash = hash[0];
   for (unsigned i = 0; i < num; i++) {
      const struct command *p =
         util_dynarray_element(&e->commands, struct command, i);
      const struct command *next = i + 1 < num ? p + 1 : NULL;
      if ((dw[p->first_dw] & 0xffff0000) == PIPE_CONTROL)
         damage_pipe_control(c, e, dw, n, p, &as_it_is.heard);
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
   printf("%-32s %7s %8s %7s %6s %6s %8s\n", "what", "faults", "reported",
          "matter", "found", "right", "besides");
   for (unsigned i = 0; i < KIND_COUNT; i++)
      printf("%-32s %7u %8u %7u %6u %6u %8u\n", kinds[i].name,
             counts[i].tried, counts[i].reported, counts[i].matter,
             counts[i].found, counts[i].right, counts[i].wrongly);
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
   if (first < argc && !strncmp(argv[first], "--every=", 8))
      every = (unsigned)strtoul(argv[first++] + 8, NULL, 10);
   if (first < argc && !strcmp(argv[first], "--missed")) {
      shows_missed = true;
      first++;
   }
   if (first >= argc || argv[first][0] == '-' || !every) {
      fprintf(stderr, "usage: seeded [--gen=G] [--every=N] [--missed] "
                      "FOLDER...\n");
      return 2;
   }
   if (!corpus_load(&c, gen, argv + first, (unsigned)(argc - first)))
      return 2;
   setenv("SAFFRON_SIM_STRICT", "report", 1);
   c.gpu.report = hear;
   judge_init(&judge, &c);
   for (unsigned i = 0; i < c.num_entries; i++)
      damage_entry(&c, &c.entries[i]);
   print_counts();
   printf("%u bits of PIPE_CONTROLs that no chip needs left out before\n",
          doubles);
   judge_fini(&judge);
   return 0;
}
