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
#define TRACE_VERSION 3

struct trace_header {
   char magic[8];
   uint32_t version;
   uint32_t verx10; /* of the GPU: 70, 75, 80, 90 */
   /* Numbers of the first batch and draw: those of a recording, of which
    * this is a part that was run again. */
   uint32_t first_batch, first_draw;
};

enum trace_type {
   TRACE_BATCH = 1,
   TRACE_COMMAND,
   TRACE_DRAW,
   TRACE_PROGRAM,
   TRACE_THREAD,
   TRACE_REPORT, /* the payload is a line of text: a fault, a hang, a reset */
   TRACE_SHADER,
   /* Of recordings (filter word `memory`): what a batch is run on. */
   TRACE_MEMORY,
   TRACE_JOB,
   TRACE_DRAW_END,
   TRACE_PIXEL,   /* filter word `pixel` */
   TRACE_PICTURE, /* filter word `pictures` */
   TRACE_MARK,    /* a line of text: "present" at the end of a frame */
   TRACE_PROFILE, /* filter word `profile`; before a draw's end */
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

/*
 * An object of memory, as a batch finds it: the 64-byte lines that are not as
 * they were when this object was last in the file, or not zero the first
 * time. The context image of a GPU is an object, too: what it holds is the
 * affair of this build of the simulator.
 *
 * Follows, for each page with such lines: trace_page and the lines.
 */
struct trace_memory {
   uint32_t object; /* numbered from 0 by first appearance */
   uint32_t zero;
   uint64_t size_B;
};

#define TRACE_PAGE_B 4096
#define TRACE_LINE_B 64

struct trace_page {
   uint32_t page, zero;
   uint64_t lines; /* bit i: line i follows, the lowest first */
};

/* Comes before the TRACE_BATCH that runs it; trace_place[num_places]
 * follow. */
struct trace_job {
   uint32_t context, curbe; /* objects: the image, and its constants */
   uint32_t reset_so;       /* stream output offsets are zeroed first */
   uint32_t num_places;
};

struct trace_place {
   uint32_t object, zero;
   uint64_t address;
};

/* Numbered from trace_header::first_draw on by their order in the file. */
struct trace_draw {
   uint64_t address; /* of the command */
   uint32_t is_dispatch;
   uint32_t topology, indexed;
   /* As executed: also of indirect draws. Of a dispatch: the first thread
    * group's x, y, z in the first three, then the ends of x, y. */
   uint32_t vertex_count, start_vertex, instance_count, start_instance;
   int32_t base_vertex;
};

/* What the draw's threads did in all. */
struct trace_draw_end {
   uint64_t threads, instructions, sends, cycles;
};

/*
 * What happens to the pixel that is looked at; colours are float bits, or
 * integers where the target holds these.
 */
enum trace_pixel_kind {
   TRACE_PIXEL_COVERED, /* by a primitive: samples in `mask` */
   TRACE_PIXEL_TESTED,  /* a sample; see trace_pixel_test */
   TRACE_PIXEL_DISCARDED,
   TRACE_PIXEL_MASKED, /* no sample left by alpha, sample mask, late tests */
   TRACE_PIXEL_WRITTEN,
   TRACE_PIXEL_CLEARED,  /* a fast clear */
   TRACE_PIXEL_RESOLVED, /* what was clear has its colour in memory */
   TRACE_PIXEL_KINDS,
};

#define TRACE_PIXEL_KIND_NAMES                                               \
   "covered", "tested", "discarded", "masked", "written", "cleared",         \
      "resolved"

/* Bits of trace_pixel::mask of a test: what was on, and what was passed. */
enum trace_pixel_test {
   TRACE_TEST_DEPTH = 1 << 0,
   TRACE_TEST_DEPTH_PASSED = 1 << 1,
   TRACE_TEST_STENCIL = 1 << 2,
   TRACE_TEST_STENCIL_PASSED = 1 << 3,
   TRACE_TEST_LATE = 1 << 4,
};

struct trace_pixel {
   uint32_t draw, kind;
   uint32_t primitive;
   uint32_t mask;
   int32_t sample; /* -1: the pixel's */
   uint32_t target;
   uint32_t is_integer;
   uint32_t thread; /* its number; ~0: none */
   /* Of a test: depth as float bits, and stencil in [1]. */
   uint32_t source[4], was[4], is[4];
   uint64_t address; /* of the target, depth or stencil buffer */
   /* The instruction of the thread that did it, and where it had the colour:
    * 8 times a register and the dword in it; ~0: not known. */
   uint32_t step, component[4], zero;
};

/* What a program's threads of a draw cost; trace_cost[num_costs] follow. */
struct trace_profile {
   uint64_t program; /* hash; it comes before */
   uint32_t draw, stage;
   uint32_t threads, num_costs;
};

/* Of an instruction: how often it was executed, and cycles from its start to
 * that of the next one, those among them in which it was issued. */
struct trace_cost {
   uint32_t ip_B, zero;
   uint64_t count, cycles, issue;
};

/* RGBA8 of `width` times `height` follow: the target, made smaller. */
struct trace_picture {
   uint32_t draw, target;
   uint32_t width, height, target_width, target_height;
   uint64_t address;
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
   uint32_t cycle;  /* since the thread's start, by the timing model: from
                     * then on it waits for what it reads, and is issued */
   uint32_t issue;  /* cycles of that */
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

static_assert(sizeof(struct trace_header) == 24, "no padding");
static_assert(sizeof(struct trace_page) == 16, "no padding");
static_assert(sizeof(struct trace_pixel) == 112, "no padding");
static_assert(sizeof(struct trace_picture) == 32, "no padding");
static_assert(sizeof(struct trace_draw) == 40, "no padding");
static_assert(sizeof(struct trace_thread) == 48, "no padding");
static_assert(sizeof(struct trace_shader) == 72, "no padding");

#endif
