/* SPDX-License-Identifier: MIT */
/*
 * fuzz_sim: damaged batches, state and EU programs for the simulated GPU.
 *
 *   fuzz_sim.c  options; watches the process that does the work
 *   corpus.c    recorded batches and their memory
 *   analyse.c   what a batch is made of, and what it points to
 *   fields.c    random values for fields of packets and structures
 *   mutate.c    damages batches and state
 *   programs.c  damages EU programs
 *
 * A trial is made from its number alone: the same number and the same corpus
 * give the same damage and the same run.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "intel/genxml/genxml.h"
#include "intel/isa/isa.h"
#include "intel/sim/cs/cs_private.h"
#include "intel/sim/eu/eu.h"
#include "util/dynarray.h"

/* Random numbers: splitmix64. */

struct rng {
   uint64_t state;
};

uint64_t rng_next(struct rng *r);
/* Below n, which is not zero. */
uint32_t rng_below(struct rng *r, uint32_t n);
/* True once in n times. */
bool rng_one_in(struct rng *r, uint32_t n);

/* The corpus */

struct command {
   const struct genxml_group *group;
   uint32_t first_dw, num_dw; /* in entry->dw */
};

enum target_kind {
   TARGET_STRUCT, /* of a known shape */
   TARGET_DATA,
   TARGET_PROGRAM,
};

/* A piece of memory that a batch points to. */
struct target {
   enum target_kind kind;
   uint64_t address;
   uint32_t size_B;
   const struct genxml_group *group; /* of a TARGET_STRUCT */
};

struct corpus_bo {
   uint64_t address, size_B;
   uint8_t *host;
   struct sim_bo *bo;
};

/* One recorded batch. Its memory is an arena of its own, in which each buffer
 * has unmapped pages before and after it. */
struct entry {
   char name[256];
   enum sim_engine engine;
   uint64_t batch_address;
   bool reset_so;
   struct corpus_bo *bos;
   unsigned num_bos; /* the last one is the batch that is run */
   uint8_t *arena;
   size_t arena_B;
   struct sim_vm *vm;

   /* The context before the batch and after it. */
   struct sim_hw_context *before, *after;
   uint8_t *curbe; /* before; before->curbe_size_B bytes */

   struct util_dynarray dw;       /* uint32_t: without jumps and ends */
   struct util_dynarray commands; /* struct command */
   struct util_dynarray targets;  /* struct target */
   unsigned num_programs;         /* among the targets */

   struct sim_eu_cache *programs;
   unsigned runs;
   uint64_t work; /* what it costs as it is: see sim_gpu::work_limit */
};

struct corpus {
   const struct intel_device_info *info;
   const struct genxml_spec *spec;
   enum isa_gen isa_gen;
   struct entry *entries;
   unsigned num_entries;
   struct util_dynarray descriptors; /* uint32_t[2]: SFID, descriptor */
   struct sim_gpu gpu;
   struct sim_hw_context *hw; /* that all batches run in */
};

/* Room for the batch that is run. */
#define FUZZ_BATCH_B (256 * 1024)

/* Loads every *.job of the generation below the folders. False, with a
 * message, if there is none. */
bool corpus_load(struct corpus *c, const char *gen, char *const *folders,
                 unsigned num_folders);

/* Writes the entry with its damage, as sim_record.h says; without what
 * earlier batches left in the context. */
bool corpus_save(const struct corpus *c, const struct entry *e,
                 const char *path);

/* The host memory of [address, address + size_B), NULL if it is not in one
 * buffer. */
void *entry_map(const struct entry *e, uint64_t address, uint64_t size_B);

/* Everything in the entry's memory is as recorded again. */
void entry_restore(struct entry *e);

/* Runs a batch of the entry with the context as it was before (or `after`)
 * it. Whether it ended well; the context is then in c->hw. */
bool entry_run(struct corpus *c, struct entry *e, bool after,
               uint64_t batch_address, uint64_t work_limit);

/* Fills in dw, commands and targets. */
void entry_analyse(struct corpus *c, struct entry *e);

static inline uint64_t
entry_fuzz_batch(const struct entry *e)
{
   return e->bos[e->num_bos - 1].address;
}

/* Fields */

struct leaf {
   const struct genxml_field *field;
   unsigned lo; /* bit in the packet */
};

/* The fields of a packet or struct that are no structs themselves. */
void fields_list(const struct genxml_group *g, unsigned num_dw,
                 struct util_dynarray *leaves);
void fields_set(uint32_t *dw, unsigned lo, unsigned bits, uint64_t value);
uint64_t fields_get(const uint32_t *dw, unsigned lo, unsigned bits);

/* Gives one field, or a random one, a random value. */
void fields_randomise(struct rng *r, const struct entry *e,
                      const struct leaf *leaf, uint32_t *dw);
void fields_damage(struct rng *r, const struct entry *e,
                   const struct genxml_group *g, uint32_t *dw,
                   unsigned num_dw);

/* Damage without knowledge. */
void bytes_damage(struct rng *r, void *bytes, unsigned size_B);

/* Trials */

enum trial_kind {
   TRIAL_BATCH,
   TRIAL_STATE,
   TRIAL_PROGRAM,
   TRIAL_KINDS,
};

struct trial {
   enum trial_kind kind;
   struct entry *entry;
   bool after; /* which context it starts with */
   uint64_t work_limit;
};

/* Puts the damage of this number into the entry's memory. */
void trial_make(struct corpus *c, uint64_t number, int kind, struct trial *t);

void program_damage(struct rng *r, const struct corpus *c, uint8_t *code,
                    uint32_t size_B, uint32_t room_B);
/* SFID and descriptor of each message in the program. */
void program_collect(struct corpus *c, const uint8_t *code, uint32_t size_B);

#endif
