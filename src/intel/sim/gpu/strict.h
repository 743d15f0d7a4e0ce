/* SPDX-License-Identifier: MIT */
/*
 * The rules by which a chip punishes a wrong driver, and which the simulator
 * by itself forgives: checked when SAFFRON_SIM_STRICT asks for it.
 *
 * The rules are written from the manuals, in rules/ (one table, which
 * `bin/saffron rules` shows). Whoever is strict looks at what the others do;
 * nothing that is executed depends on it.
 */
#ifndef SIM_STRICT_H
#define SIM_STRICT_H

#include "util/macros.h"

struct sim_cs;
struct sim_gpu;
struct sim_strict;
struct strict_context;

/*
 * As SAFFRON_SIM_STRICT (report, fault) and SAFFRON_SIM_RULES say; NULL if
 * the first is not set, or with a line on stderr if one is wrong.
 */
struct sim_strict *sim_strict_create(struct sim_gpu *gpu);

/* Reports how often rules were broken whose places were not all told. */
void sim_strict_destroy(struct sim_strict *s);

/* What a hardware context remembers for it; NULL: the host has no memory. */
struct strict_context *sim_strict_context_create(void);
void sim_strict_context_destroy(struct strict_context *c);

/* For sim_eu_env: rules that threads are to keep; NULL if none. */
struct sim_thread_rules;
struct sim_thread_rules *sim_strict_thread_rules(struct sim_strict *s);

/* A batch starts: read caches are empty, what was written is written out,
 * as the kernel sees to between two. */
void sim_strict_batch_begin(struct sim_cs *cs);
void sim_strict_batch_end(struct sim_cs *cs);

/* Looks at a command before it is executed. False: a rule is broken that is
 * to end the batch. */
bool sim_strict_command(struct sim_cs *cs, const uint32_t *dw, unsigned n);

#endif
