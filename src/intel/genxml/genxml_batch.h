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

   /* Set by STATE_BASE_ADDRESS on the way; what they are at the start may
    * be given.
    */
   uint64_t general_base, surface_base, dynamic_base, instruction_base;

   /* 0: a limit that no sane batch meets. */
   unsigned max_commands;
};

/*
 * Prints from `address` to MI_BATCH_BUFFER_END, or `size_B` bytes (0: no
 * limit). Text that says so stands where the batch is wrong: an unmapped
 * address, an unknown command, too many levels.
 */
void genxml_print_batch(struct genxml_batch_reader *r, struct strbuf *out,
                        uint64_t address, uint64_t size_B);

#endif
