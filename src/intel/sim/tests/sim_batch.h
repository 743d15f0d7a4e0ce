/* SPDX-License-Identifier: MIT */
/* Batches built by hand, for tests. */
#ifndef SIM_BATCH_H
#define SIM_BATCH_H

#include "sim_fixture.h"
#include "util/macros.h"

#define BATCH 0x100000ull
#define DATA 0x200000ull
#define SECOND 0x300000ull

struct batch {
   struct fixture *f;
   struct test_bo bo, data, second; /* at the addresses above */
   uint32_t *next;
};

struct batch batch_start(void **state);

/* Appends a packet of fixed length. */
#define EMIT(b, cmd, ...)                                                    \
   do {                                                                      \
      const struct GEN9_##cmd v_ = { GEN9_##cmd##_header, __VA_ARGS__ };     \
      GEN9_##cmd##_pack((b)->next, &v_);                                     \
      (b)->next += GEN9_##cmd##_length;                                      \
   } while (0)

void batch_store(struct batch *b, uint64_t address, uint32_t value);
void batch_load_imm(struct batch *b, uint32_t reg, uint32_t value);
void batch_load_imm64(struct batch *b, uint32_t reg, uint64_t value);
void batch_save(struct batch *b, uint32_t reg, uint64_t address);

/* Stream output of all of two vertex registers, from `first` on, of stream 0
 * to buffer 0. */
void batch_so_decls(struct batch *b, unsigned first);

/* Assembles a program for SKL to where it is wanted in the object; its size
 * in bytes. */
uint64_t batch_program(const struct test_bo *bo, unsigned offset_B,
                       const char *text);

/* Ends the batch, runs it, and starts anew; there must be no report. */
void run_ok(struct batch *b);

/* The batch runs into a fault whose report has all of the words; some may
 * be NULL. */
void run_faulty(struct batch *b, const char *w0, const char *w1,
                const char *w2);

/* Runs the batch as it is, in a context of its own, and waits for it; 0 or
 * -errno. */
int batch_run_once(const struct batch *b);

/*
 * Damage: changes a bit or a dword. For how many rounds: as many as fit into
 * so many seconds, or as SAFFRON_TEST_TRIALS says.
 */
struct damage_rounds {
   unsigned trials;
   double end_s;
};

void damage(uint32_t *dw, unsigned size_dw, uint64_t *random);
struct damage_rounds damage_start(double seconds);
bool damage_goes_on(const struct damage_rounds *r, unsigned round);

#endif
