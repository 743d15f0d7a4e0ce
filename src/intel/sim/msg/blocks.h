/* SPDX-License-Identifier: MIT */
/*
 * Handlers of the data port's messages, shared by its caches. Each executes
 * message `m` of thread `t`; false if it recorded a fault.
 */
#ifndef SIM_BLOCKS_H
#define SIM_BLOCKS_H

#include "intel/sim/msg/data_port.h"

/* blocks.c */
bool dp_oword_block(struct sim_eu_thread *t, const struct sim_message *m,
                    bool write, bool unaligned);
bool dp_oword_dual_block(struct sim_eu_thread *t, const struct sim_message *m,
                         bool write);
bool dp_scratch_block(struct sim_eu_thread *t, const struct sim_message *m,
                      bool write);
bool dp_a64_oword_block(struct sim_eu_thread *t, const struct sim_message *m,
                        bool write);

/* media.c */
bool dp_media_block(struct sim_eu_thread *t, const struct sim_message *m,
                    bool write);

/* scattered.c */
bool dp_untyped(struct sim_eu_thread *t, const struct sim_message *m,
                bool write, bool a64);
bool dp_byte_scattered(struct sim_eu_thread *t, const struct sim_message *m,
                       bool write);
bool dp_dword_scattered(struct sim_eu_thread *t, const struct sim_message *m,
                        bool write);
bool dp_a64_scattered(struct sim_eu_thread *t, const struct sim_message *m,
                      bool write);

/* atomic.c */
bool dp_untyped_atomic(struct sim_eu_thread *t, const struct sim_message *m,
                       bool is_float, bool a64);
bool dp_untyped_atomic_4x2(struct sim_eu_thread *t,
                           const struct sim_message *m, bool a64);

/* typed.c */
bool dp_typed(struct sim_eu_thread *t, const struct sim_message *m,
              bool write);
bool dp_typed_atomic(struct sim_eu_thread *t, const struct sim_message *m);
bool dp_typed_atomic_4x2(struct sim_eu_thread *t,
                         const struct sim_message *m);

#endif
