/* SPDX-License-Identifier: MIT */
/* Containers from a text file: a line each, dwords as hexadecimal numbers. */
#ifndef TPF_CORPUS_H
#define TPF_CORPUS_H

#include <stdint.h>
#include <stddef.h>

#define TPF_CORPUS_MAX 512
#define TPF_CORPUS_MAX_DW 4096

struct tpf_corpus_entry {
   uint32_t *words;
   size_t num_dw;
};

extern struct tpf_corpus_entry tpf_corpus[TPF_CORPUS_MAX];
extern unsigned tpf_corpus_count;

/* Appends what is in the file; ends the program if it cannot be read. */
void tpf_corpus_read(const char *path);

#endif
