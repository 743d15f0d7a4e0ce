/* SPDX-License-Identifier: MIT */
/*
 * What the messages of the data port have in common: where a binding table
 * index leads, bounds, and the addresses and data of a message's slots.
 */
#ifndef SIM_DATA_PORT_H
#define SIM_DATA_PORT_H

#include "intel/sim/eu/program/effects.h"
#include "intel/sim/msg/msg.h"

enum dp_kind {
   DP_NULL,      /* reads zero, writes go nowhere */
   DP_SURFACE,   /* a buffer with a size */
   DP_STATELESS, /* any address */
   DP_SLM,
};

struct dp_target {
   enum dp_kind kind;
   uint64_t base;
   uint64_t size_B;                   /* of surface and SLM */
   uint32_t pitch_B;                  /* of a structured buffer; else 0 */
   const struct sim_surface *surface; /* NULL: none is named */
};

/* Follows the descriptor's binding table index. False: fault recorded. */
bool dp_find_target(struct sim_eu_thread *t, const struct sim_message *m,
                    struct dp_target *target);

/* The same of an untyped message. */
bool dp_find_untyped(struct sim_eu_thread *t, const struct sim_message *m,
                     struct dp_target *target);

/* The surface that a message names: an entry of the binding table, or since
 * Gen9 a bindless one. NULL: fault recorded. */
struct sim_surface;
const struct sim_surface *dp_surface(struct sim_eu_thread *t,
                                     const struct sim_message *m);

/* The whole address space, for A64 messages. */
extern const struct dp_target dp_flat;

/*
 * Copy `size_B` bytes at an offset. Out of a surface's bounds: zero, or
 * nothing. False: a fault has been recorded (not mapped), of `lane`.
 */
bool dp_read(struct sim_eu_thread *t, const struct dp_target *target,
             int lane, uint64_t offset_B, void *dst, unsigned size_B);
bool dp_write(struct sim_eu_thread *t, const struct dp_target *target,
              int lane, uint64_t offset_B, const void *src, unsigned size_B);

/* Host address of a dword or qword for an atomic operation; *p is NULL when
 * it is out of bounds. */
bool dp_pointer(struct sim_eu_thread *t, const struct dp_target *target,
                int lane, uint64_t offset_B, unsigned size_B, void **p);

/* Dword `lane` of a parameter that takes a register for each eight slots,
 * the parameter starting at payload register `reg`. The registers must be
 * there: see dp_check_lengths(). */
static inline uint32_t
dp_slot(const struct sim_message *m, unsigned reg, unsigned lane)
{
   return sim_message_payload(m, reg + lane / 8)->ud[lane % 8];
}

/* The same for qwords, which take two registers for each eight. */
static inline uint64_t
dp_slot_64(const struct sim_message *m, unsigned reg, unsigned lane)
{
   return sim_message_payload(m, reg + lane / 4)->uq[lane % 4];
}

/* False, with a fault, unless payload and response have these lengths
 * (payload: both parts of a split send together). */
bool dp_check_lengths(struct sim_eu_thread *t, const struct sim_message *m,
                      const char *message, unsigned payload,
                      unsigned response);

/* Slots that take part: the execution mask, and the pixel mask of a header.
 * PRM SKL vol 7, "Message Header": M0.7. */
uint32_t dp_slot_mask(const struct sim_message *m, unsigned slots);

#endif
