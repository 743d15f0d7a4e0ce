/* SPDX-License-Identifier: MIT */
/*
 * Printing a batch: its commands with their fields, the batches that it
 * chains to or calls, and the states that its pointers lead to.
 */
#ifndef GENXML_BATCH_H
#define GENXML_BATCH_H

#include "intel/genxml/genxml.h"

struct genxml_batch_reader {
   const struct genxml_spec *spec;
   /* Copies bytes at a GPU address; false if they are not all mapped. */
   bool (*read)(void *user, uint64_t address, void *out, size_t size_B);
   void *user;

   /* Called for each known command, in the order of execution; may be
    * NULL. Of long commands the first dwords are there, as many as num_dw.
    */
   void (*visit)(void *user, const struct genxml_group *command,
                 const uint32_t *dw, unsigned num_dw);

   /* Set by STATE_BASE_ADDRESS on the way; what they are at the start may
    * be given.
    */
   uint64_t general_base, surface_base, dynamic_base, instruction_base;

   /* 0: a limit that no sane batch meets. */
   unsigned max_commands;
   bool color; /* add terminal escapes */
};

/*
 * Prints from `address` to MI_BATCH_BUFFER_END, or `size_B` bytes (0: no
 * limit). Text that says so stands where the batch is wrong: an unmapped
 * address, an unknown command, too many levels; the number of those is
 * returned. A target outside of what is mapped is said, but no fault.
 */
unsigned genxml_walk_batch(struct genxml_batch_reader *r, struct strbuf *out,
                           uint64_t address, uint64_t size_B);

/*
 * The same for `num_dw` dwords that start at GPU address `address`, with
 * nothing else in memory.
 */
unsigned genxml_print_batch(struct strbuf *out,
                            const struct genxml_spec *spec,
                            const uint32_t *dw, unsigned num_dw,
                            uint64_t address, bool color);

#endif
