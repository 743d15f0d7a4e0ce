/* SPDX-License-Identifier: MIT */
/*
 * The file that SAFFRON_SIM_TRACE_FILE names: what a GPU was given and what
 * its threads did. Written by the simulator (trace.c beside this), read by
 * `saffron trace`.
 *
 * A file is a struct trace_header and then records to its end, each a struct
 * trace_record and `size_B` bytes of payload. All numbers are little-endian
 * and lie one after the other without padding: the structures below say
 * what begins the payload, and the comments what follows. Records come in
 * the order of execution; a program comes before the first thread that runs
 * it, a thread stands where it ended. A file whose writer was killed ends in
 * the middle of a record.
 *
 * A change of the layout changes TRACE_VERSION; readers take their own
 * version only.
 */
#ifndef SIM_TRACE_FORMAT_H
#define SIM_TRACE_FORMAT_H

#include "util/macros.h"

#define TRACE_MAGIC "SAFTRACE"
#define TRACE_VERSION 2

struct trace_header {
   char magic[8];
   uint32_t version;
   uint32_t verx10; /* of the GPU: 70, 75, 80, 90 */
};

enum trace_type {
   TRACE_BATCH = 1,
   TRACE_COMMAND,
   TRACE_DRAW,
   TRACE_PROGRAM,
   TRACE_THREAD,
   TRACE_REPORT, /* the payload is a line of text: a fault, a hang, a reset */
   TRACE_SHADER,
};

struct trace_record {
   uint32_t type;
   uint32_t size_B;
};

struct trace_batch {
   uint64_t address;
   uint32_t engine; /* 0 render, 1 copy */
   uint32_t zero;
};

/* Dwords follow. */
struct trace_command {
   uint64_t address;
};

/* Numbered from 0 by their order in the file. */
struct trace_draw {
   uint64_t address; /* of the command */
   uint32_t is_dispatch;
   uint32_t topology, indexed;
   /* As executed: also of indirect draws. Of a dispatch: the first thread
    * group's x, y, z in the first three, then the ends of x, y. */
   uint32_t vertex_count, start_vertex, instance_count, start_instance;
   int32_t base_vertex;
};

/* Bytes follow. The same bytes are there once. */
struct trace_program {
   uint64_t hash; /* as in the file names of SAFFRON_SIM_KERNELS */
};

enum trace_stage {
   TRACE_VS,
   TRACE_HS,
   TRACE_DS,
   TRACE_GS,
   TRACE_FS,
   TRACE_CS,
   TRACE_NUM_STAGES,
};

#define TRACE_STAGE_NAMES "vs", "hs", "ds", "gs", "fs", "cs"

/*
 * One of the things that a thread works on:
 *
 *   vs  a vertex: index as fetched (without base vertex), instance
 *   hs  a patch: primitive, instance of the thread group
 *   ds  a domain point: primitive, u and v as float bits
 *   gs  an object: primitive, invocation
 *   fs  a quad: x, y, sample (-1: not by sample), primitive; channels 4 i to
 *       4 i + 3 of item i are (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)
 *   cs  a thread: its group's x, y, z, its number in the group
 *
 * Of other stages item i is channel i; in SIMD4x2 threads channels 4 i on,
 * in a thread for one patch or one compute thread all channels.
 */
struct trace_item {
   int32_t v[4];
};

/* Registers are 32 bytes, by number: r0 to r127, then these. */
enum trace_register {
   TRACE_ACC = 128, /* 8 of them: 64 bits a channel, acc0 and acc1 */
   TRACE_ADDRESS = 136,
   TRACE_FLAGS = 137, /* dwords: f0, f1, cr0.0, sr0.2 */
   TRACE_NUM_REGISTERS,
};

#define TRACE_REGISTER_DW 8

/*
 * A register's new contents: this, then the dwords whose bit is set in
 * `mask`, the lowest first. Other dwords are as they were; a register that
 * was never written to is zero.
 */
struct trace_change {
   uint8_t reg;
   uint8_t mask;
};

/* trace_item[num_items], trace_change[] of num_initial registers, and then
 * num_steps times a trace_step with its changes follow. */
struct trace_thread {
   uint32_t draw;    /* the number of the last TRACE_DRAW */
   uint32_t number;  /* of all threads of this draw, also those left out */
   uint64_t program; /* hash */
   uint64_t kernel;  /* address */
   uint32_t dispatch_mask;
   uint8_t stage, simd;    /* channels */
   uint8_t lanes_per_item; /* 4, 1, or 0 for all */
   uint8_t num_items;
   uint64_t cycles; /* by the timing model */
   uint32_t num_steps;
   uint32_t num_initial;
};

/* One instruction, and the registers that it has changed. */
struct trace_step {
   uint32_t ip_B;
   uint32_t active; /* channels, before it */
   uint32_t num_changes;
};

/* What all threads of a program did, also those that are not in the file;
 * at its end. */
struct trace_shader {
   uint64_t hash;
   uint32_t stage;
   uint32_t size_B, count; /* of the program; instructions */
   uint32_t zero;
   uint64_t threads, instructions, simd8, sends, cycles, issue;
};

static_assert(sizeof(struct trace_header) == 16, "no padding");
static_assert(sizeof(struct trace_draw) == 40, "no padding");
static_assert(sizeof(struct trace_thread) == 48, "no padding");
static_assert(sizeof(struct trace_shader) == 72, "no padding");

#endif
