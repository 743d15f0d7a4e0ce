/* SPDX-License-Identifier: MIT */
/* One thread of a trace: its state at any time, and how it is shown. */
#ifndef INTEL_TOOLS_TRACE_VIEW_H
#define INTEL_TOOLS_TRACE_VIEW_H

#include "trace_file.h"
#include "util/strbuf.h"

struct trace_view {
   const struct trace_file *file;
   const struct trace_file_thread *thread;
   const uint8_t **step_at; /* of each step, and the end */
   uint32_t now;            /* steps done */
   uint32_t registers[TRACE_NUM_REGISTERS][TRACE_REGISTER_DW];
};

void trace_view_init(struct trace_view *v, const struct trace_file *file,
                     const struct trace_file_thread *thread);
void trace_view_finish(struct trace_view *v);

/* Sets the registers to those after `n` steps (at most all). */
void trace_view_go(struct trace_view *v, uint32_t n);

struct trace_step trace_view_step(const struct trace_view *v, uint32_t n);

/* Of "r12", "acc0" (the first of two), "f1", "a0", "cr0" or "sr0" (which is
 * TRACE_FLAGS); TRACE_NUM_REGISTERS for anything else. */
unsigned trace_view_register(const char *name);

/* What the thread works on. */
void trace_view_print_head(const struct trace_view *v);
/* Step n: the instruction, and the registers that it has written, as they are
 * now. */
void trace_view_print_inst(const struct trace_view *v, uint32_t n);
void trace_view_print_changes(const struct trace_view *v, uint32_t n);
void trace_view_print_register(const struct trace_view *v, unsigned reg);

/* The first step from `from` on that writes the register, or is at the
 * offset; ~0u if there is none. */
uint32_t trace_view_find_write(const struct trace_view *v, uint32_t from,
                               unsigned reg);
uint32_t trace_view_find_ip(const struct trace_view *v, uint32_t from,
                            uint32_t ip_B);

/* The last step before `end` that writes the register (dwords in `mask` of
 * it), and the first from `from` on that reads it; ~0u: none. */
uint32_t trace_view_find_writer(const struct trace_view *v, uint32_t end,
                                unsigned reg, unsigned mask);
uint32_t trace_view_find_reader(const struct trace_view *v, uint32_t from,
                                unsigned reg, unsigned mask);
/* Whether step n writes it. */
bool trace_view_writes(const struct trace_view *v, uint32_t n, unsigned reg,
                       unsigned mask);
/* Cycles from the start of step n to that of the next one. */
uint32_t trace_view_cost(const struct trace_view *v, uint32_t n);
/* The text of the instruction of step n. */
void trace_view_inst_text(const struct trace_view *v, uint32_t n,
                          struct strbuf *s);
/* "r12" or "r12.3" up to an '@' or the end: the register, and which dwords;
 * TRACE_NUM_REGISTERS: it is none. */
unsigned trace_view_register_place(const char *text, unsigned *mask);

/* Reads commands from standard input until it ends. */
void trace_view_interact(struct trace_view *v);

#endif
