/* SPDX-License-Identifier: MIT */
/*
 * Which bits of a thread's registers mean something. What the payload does
 * not fill starts with leftovers of earlier threads; a bit that was made of
 * such bits, and that an address, a branch, a result or a message depends on,
 * breaks a rule (docs/strict.rst, "Undefined bits").
 *
 * Only threads of an environment with `rules` have a shadow; for others it
 * costs a test where a thread starts and where a message is sent.
 */
#ifndef SIM_SHADOW_H
#define SIM_SHADOW_H

#include "util/macros.h"

struct eu_op;
union sim_grf;
struct sim_eu_program;
struct sim_eu_thread;
struct sim_message;
struct sim_shadow;

/* Rules about threads. The order is that of `thread_rules` in threads.c. */
enum sim_thread_rule {
   SIM_RULE_LEFTOVER,    /* EU-73 */
   SIM_RULE_GROUP_FLAGS, /* EU-72 */
   SIM_RULE_HEADER,      /* EU-75 */

   /* Messages. */
   SIM_RULE_FIRST_TARGET,    /* EU-12 */
   SIM_RULE_END,             /* EU-15 */
   SIM_RULE_BARRIER,         /* EU-35 */
   SIM_RULE_URB_ENTRY,       /* EU-78 */
   SIM_RULE_TARGET_ORDER,    /* FF-14 */
   SIM_RULE_LAST_TARGET,     /* FF-70 */
   SIM_RULE_HALF_SAMPLE,     /* EU-81 */
   SIM_RULE_STATELESS_BYTES, /* EU-82 */
   SIM_RULE_FENCE,           /* EU-85 */
   SIM_RULE_OWN_MEMORY,      /* EU-98 */

   /* Surface states: surfaces.c. */
   SIM_RULE_SURFACE_ENTRY,    /* RL-22 */
   SIM_RULE_SURFACE_SIZE,     /* RL-31 */
   SIM_RULE_SURFACE_TILES,    /* RL-32 */
   SIM_RULE_TARGET_WIDTH,     /* RL-33 */
   SIM_RULE_NULL_FORMAT,      /* FF-16 */
   SIM_RULE_STENCIL_USE,      /* FF-24 */
   SIM_RULE_TYPED_STENCIL,    /* FF-26 */
   SIM_RULE_SAMPLED_HIZ,      /* FF-27 */
   SIM_RULE_WRONG_CCS,        /* FF-34 */
   SIM_RULE_RESERVED_SWIZZLE, /* FF-49 */
   SIM_RULE_TARGET_SWIZZLE,   /* FF-50 */
   SIM_RULE_SAMPLED_LAYER,    /* FF-56 */
   SIM_RULE_MULTISAMPLE,      /* FF-57 */
   SIM_RULE_SURFACE_OFFSET,   /* FF-58 */
   SIM_RULE_L2_BYPASS,        /* FF-59 */
   SIM_RULE_CUBE_MODE,        /* FF-52 */
   SIM_RULE_COMPARED,         /* FF-54 */
   SIM_RULE_BORDER,           /* RL-25 */
   SIM_RULE_COMPRESSION,      /* FF-36 */
   SIM_RULE_FORMAT_FILTERED,  /* FF-71 */
   SIM_RULE_FORMAT_RENDERED,  /* FF-72 */
   SIM_RULE_FORMAT_BLENDED,   /* FF-73 */
   SIM_RULE_FORMAT_READ,      /* FF-74 */
   SIM_RULE_FORMAT_WRITTEN,   /* FF-75 */
   SIM_RULE_FORMAT_ATOMIC,    /* FF-76 */
   SIM_RULE_UNTYPED,          /* FF-77 */
   SIM_RULE_ALIGNMENT,        /* FF-81 */
   SIM_RULE_ROWS_OF_FOUR,     /* FF-85 */
   SIM_RULE_SAMPLED_CCS,      /* FF-86 */
   SIM_RULE_SAMPLES,          /* FF-87 */
   SIM_RULE_ENCRYPTED,        /* RL-46 */
   SIM_RULE_REPLICATED,       /* FF-35 */
   SIM_RULE_BLEND_AND_LOGIC,  /* FF-06 */
   SIM_RULE_LOGIC_FORMAT,     /* FF-68 */

   /* Instructions by themselves: instructions.c. */
   SIM_RULE_CONTROL,           /* EU-02 */
   SIM_RULE_TIMESTAMP,         /* EU-04 */
   SIM_RULE_WIDE_COMPARE,      /* EU-06 */
   SIM_RULE_OPEN_DEPENDENCY,   /* EU-09 */
   SIM_RULE_UNSAFE_DEPENDENCY, /* EU-10 */
   SIM_RULE_WIDE_DEPENDENCY,   /* EU-11 */
   SIM_RULE_BRANCH,            /* EU-25 */
   SIM_RULE_CALL,              /* EU-26 */
   SIM_RULE_FLOW_FORM,         /* EU-29 */
   SIM_RULE_FLOW_TARGET,       /* EU-30 */
   SIM_RULE_LOOP_TARGET,       /* EU-32 */
   SIM_RULE_HALVES,            /* EU-47 */
   SIM_RULE_WIDE_BFI,          /* EU-60 */
   SIM_RULE_HALF_FLOAT,        /* EU-61 */
   SIM_RULE_CSEL,              /* EU-62 */
   SIM_RULE_ACC_PRODUCT,       /* EU-65 */
   SIM_RULE_ACC_OPERAND,       /* EU-67 */
   SIM_RULE_MODIFIED_PRODUCT,  /* EU-69 */
   SIM_RULE_AFTER_POW,         /* EU-94 */
   SIM_RULE_MATH,              /* EU-92 */
   SIM_RULE_HALT_TARGET,       /* EU-31 */
   SIM_RULE_LONG_PRODUCT,      /* EU-68 */
   SIM_RULE_ALT_DIVISION,      /* EU-95 */
   SIM_RULE_ADDRESS_ROWS,      /* EU-53 */
   SIM_RULE_INTEGER_ACC,       /* EU-66 */
   SIM_RULE_NULL_COMPARE,      /* EU-05 */
   SIM_RULE_SHIPPED,           /* EU-99 */
   SIM_RULE_LOST_CARRY,        /* EU-54: shadow.c */
   SIM_RULE_ADDRESS_OF_ALL,    /* EU-97: shadow.c */
   SIM_RULE_SECOND_COLOR,      /* FF-05 */
   SIM_THREAD_RULES,
};

/* Who hears of broken rules, and what is kept for all threads. */
struct sim_thread_rules {
   bool on[SIM_THREAD_RULES];
   /* False: the thread is to end with a fault. `text` says what, of which
    * the thread's t->ip_B says where. */
   bool (*broken)(void *data, const struct sim_eu_thread *t,
                  enum sim_thread_rule rule, const char *text);
   void *data;

   /* Shadows of threads that have ended; those of which no bit was set. */
   struct sim_shadow *unused, *clean;
   uint8_t *urb; /* undefined bits of the URB; NULL: none yet */
   uint32_t urb_size_B;
   /* Of the payload that is being filled in: what is in dwords that mean
    * nothing. */
   uint32_t kept[128 * 8];
};

void sim_thread_rules_finish(struct sim_thread_rules *r);

/* Before its payload is filled in: marks the registers of a thread, so that
 * sim_shadow_start() can tell what was; of its program, if that is known,
 * only those that it names. */
void sim_shadow_mark(struct sim_eu_thread *t);

/* That a dword of a payload which has been filled in means nothing. It keeps
 * its value, so that threads do what they would without strict mode. */
void sim_shadow_unfill(struct sim_thread_rules *r, union sim_grf *grf,
                       unsigned reg, unsigned dw);

/* The same of `n` dwords from register `reg` on, and of the dword of one
 * channel, where what was copied from the URB at `at_B` means nothing. */
void sim_shadow_unfill_from(struct sim_thread_rules *r, union sim_grf *grf,
                            unsigned reg, uint64_t at_B, unsigned n);

/* What a fixed function has written to the URB means something. */
void sim_shadow_urb_define(struct sim_thread_rules *r, uint64_t at_B,
                           uint64_t size_B);

/* Undefined bits of the dword of the URB at `at_B`. */
uint32_t sim_shadow_urb_bits(const struct sim_thread_rules *r, uint64_t at_B);

/* A thread with its payload starts; it has ended, or will never go on.
 * If nothing undefined can be reached in its program (shadow/proof.c), the
 * thread has t->shadow, of which no bit is set, but no steps. */
void sim_shadow_start(struct sim_eu_thread *t);
void sim_shadow_end(struct sim_eu_thread *t);

/* Before an instruction is executed, if t->shadow_steps. False: the thread
 * has a fault. */
bool sim_shadow_step(struct sim_eu_thread *t, const struct eu_op *op);

/* Before a message is sent, if t->shadow has no steps. The same. */
bool sim_shadow_sent(struct sim_eu_thread *t, const struct sim_message *m);

/* Undefined bits of dword `dw` of payload register `reg` (src1 after src0);
 * for handlers that alone know what a message needs. 0 without a shadow. */
uint32_t sim_shadow_payload(const struct sim_eu_thread *t,
                            const struct sim_message *m, unsigned reg,
                            unsigned dw);

/* Reports such bits of a channel. False: the thread has a fault. */
bool sim_shadow_stored(struct sim_eu_thread *t, const char *what,
                       unsigned channel, uint32_t bits);

/* Tiled targets of 16384 columns have two bad ones (RL-33). */
#define SIM_MAX_TILED_TARGET_WIDTH 16382u

/* A primitive is drawn to nothing but their first two rows. The same. */
bool sim_shadow_in_corner(struct sim_eu_thread *t, unsigned target);

/* One colour for all pixels goes to a target, from a thread of `width`
 * pixels. The same. */
bool sim_shadow_replicated(struct sim_eu_thread *t, unsigned target,
                           bool linear, unsigned width);

/* A colour is blended into a target of that format; one_color: by a message
 * that has no second. The same. */
struct GEN9_BLEND_STATE_ENTRY;
bool sim_shadow_blended(struct sim_eu_thread *t, unsigned target,
                        const char *format, bool one_color,
                        const struct GEN9_BLEND_STATE_ENTRY *e);

/* A dword goes between the URB and payload register `reg`, or response
 * register `reg`. */
void sim_shadow_urb_write(const struct sim_eu_thread *t,
                          const struct sim_message *m, const uint8_t *to,
                          unsigned reg, unsigned dw);
void sim_shadow_urb_read(const struct sim_eu_thread *t,
                         const struct sim_message *m, const uint8_t *from,
                         unsigned reg, unsigned dw);

/* That `size_B` bytes from `offset_B` on are in the entry which a thread
 * writes to. False: the thread has a fault. */
bool sim_shadow_urb_entry(struct sim_eu_thread *t, unsigned channel,
                          uint64_t offset_B, unsigned size_B);

#endif
