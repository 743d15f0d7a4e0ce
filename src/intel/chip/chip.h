/* SPDX-License-Identifier: MIT */
/*
 * A chip beside the simulated one: the same case runs on both, and what it
 * leaves in memory is compared bit by bit.
 *
 * A case is a name and a function that runs it on one device. A stage is a
 * list of cases; stages are graded from harmless ones to whole scenes. Each
 * case runs in a context of its own; one that does not end in time costs the
 * context, and the device is opened anew.
 *
 *    device.c       the two devices: i915 requests to a node or the simulator
 *    packets.c      commands by their names, of any generation; dispatches
 *    report.c       the file that is written on the way
 *    run.c          cases and stages; which of them are asked for
 *    program.c      EU programs that load and store all registers
 *    stages/        the cases
 */
#ifndef CHIP_H
#define CHIP_H

#include "intel/dev/intel_device_info.h"
#include "intel/genxml/genxml.h"
#include "intel/isa/isa_messages.h"
#include "util/dynarray.h"
#include "util/strbuf.h"

struct saffron_sim;
struct saffron_sim_file;

/* Devices ---------------------------------------------------------------- */

enum chip_buffer {
   CHIP_BATCH,
   CHIP_STATE, /* dynamic and surface states */
   CHIP_PROGRAM,
   CHIP_INPUT,
   CHIP_OUTPUT,
   CHIP_TEXTURE,
   CHIP_BUFFERS,
};

#define CHIP_BUFFER_B 65536u

struct chip_bo {
   uint32_t handle;
   uint64_t address, size_B;
   uint32_t *map;
};

enum chip_status {
   CHIP_DONE,
   CHIP_HANG,    /* it did not end in time, or the context is lost */
   CHIP_REFUSED, /* the kernel does not take it */
};

struct chip_device {
   const char *path; /* of the node; NULL: the simulator */
   int fd;
   struct saffron_sim *sim;
   struct saffron_sim_file *file;
   const struct intel_device_info *info;
   enum isa_gen gen;
   const struct genxml_spec *spec;
   uint64_t limit_ns; /* for a case */
   struct chip_bo bos[CHIP_BUFFERS];
   uint32_t *next; /* in the batch */
   int error;      /* of the last request that failed */
};

/* False, after a message, if the node cannot be opened, or its chip is not
 * known. */
bool chip_open_node(struct chip_device *d, const char *path);
bool chip_open_sim(struct chip_device *d, const char *name);
void chip_close(struct chip_device *d);

/* 0 or -errno. */
int chip_ioctl(struct chip_device *d, unsigned long request, void *arg);

/* A mapped object at `address`; false, with d->error. */
bool chip_bo_create(struct chip_device *d, struct chip_bo *bo,
                    uint64_t address, uint64_t size_B);
void chip_bo_destroy(struct chip_device *d, struct chip_bo *bo);

/* Runs the batch at the start of the last object in a context of its own. */
enum chip_status chip_execute(struct chip_device *d,
                              const struct chip_bo *const *bos, unsigned n,
                              uint64_t batch_address, uint64_t flags);

/* The same in pieces, for several batches in one context. */
bool chip_context_create(struct chip_device *d, uint32_t *context);
void chip_context_destroy(struct chip_device *d, uint32_t context);
enum chip_status chip_execute_in(struct chip_device *d, uint32_t context,
                                 const struct chip_bo *const *bos, unsigned n,
                                 uint64_t batch_address, uint64_t flags);

/* Opens the node anew: a file whose contexts hung may get no more of them. */
bool chip_reopen(struct chip_device *d);

/* Packets ---------------------------------------------------------------- */

struct chip_field {
   const char *name; /* "?Name": left out where there is none */
   uint64_t value;
};

/* An empty batch; the output is filled with a pattern. */
void chip_start(struct chip_device *d);
/* Whether the generation has the command. */
bool chip_has(const struct chip_device *d, const char *name);
void chip_fill(const struct chip_device *d, const char *name, uint32_t *dw,
               const struct chip_field *fields, unsigned n);
void chip_emit(struct chip_device *d, const char *name,
               const struct chip_field *fields, unsigned n);
#define CHIP_FIELDS(...)                                                     \
   (const struct chip_field[]) { __VA_ARGS__ },                              \
      sizeof((const struct chip_field[]) { __VA_ARGS__ }) /                  \
         sizeof(struct chip_field)
#define CHIP_EMIT(d, name, ...) chip_emit(d, name, CHIP_FIELDS(__VA_ARGS__))

/* Ends the batch, runs it, and appends so many bytes of the output. */
enum chip_status chip_finish(struct chip_device *d, unsigned output_B,
                             struct util_dynarray *out);

/* One thread with the program in CHIP_PROGRAM, with these channels on. */
void chip_dispatch(struct chip_device *d, unsigned simd, uint32_t mask);

static inline uint32_t
chip_address(const struct chip_device *d, enum chip_buffer b)
{
   return (uint32_t)d->bos[b].address;
}

/* In CHIP_STATE: what a dispatch has, the rest is the case's. */
#define CHIP_AT_DESCRIPTOR 0x100
#define CHIP_AT_SAMPLER 0x200
#define CHIP_AT_BINDINGS 0x300
#define CHIP_AT_SURFACE 0x400

/* Programs --------------------------------------------------------------- */

/* Registers that a program finds as in the input, and leaves in the output;
 * those after them are ours. Behind them: f0 and f1. */
#define CHIP_REGS 120
#define CHIP_REGS_B (CHIP_REGS * 32)
#define CHIP_PROGRAM_OUTPUT_B (CHIP_REGS_B + 8)

/* Writes the program: `code` is without an end of thread. */
void chip_program(struct chip_device *d, const void *code, size_t code_B);
/* The same of a text; its assembly must be right. */
void chip_program_text(struct chip_device *d, const char *text);
/* "r12.3" of an offset in the output. */
void chip_program_where(unsigned offset_B, char *out, size_t size_B);

/* Cases ------------------------------------------------------------------ */

struct chip;

struct chip_case {
   char name[96];
   char text[400]; /* what it does; may be empty */
   enum chip_status (*run)(struct chip_device *d, const void *data,
                           struct util_dynarray *out);
   const void *data;
   /* What a dword of the output is; NULL: its offset says it. */
   void (*where)(unsigned offset_B, char *out, size_t size_B);
   /* Hears both results; NULL: nobody does. */
   void (*tell)(struct chip *c, const struct chip_case *k,
                const struct util_dynarray *chip,
                const struct util_dynarray *sim);
   /* What dwords may differ by, as numbers. */
   unsigned tolerance, tolerance_percent;
};

struct chip_report;
struct chip_expected;

struct chip {
   struct chip_device *chip, *sim; /* chip: NULL to judge the simulator */
   struct chip_report *report;
   const char *stage;
   const char *only_case;   /* or NULL */
   const char *data_folder; /* recorded cases; or NULL */
   struct chip_expected *expected;
   unsigned hangs; /* of the stage */
   bool failed;    /* it cannot go on */
   bool quiet;
};

/* Runs the case on both and reports; false: the stage ends here. */
bool chip_run(struct chip *c, const struct chip_case *k);

struct chip_stage {
   const char *name, *summary;
   void (*run)(struct chip *c);
};

/* In their order, from harmless ones on. */
/* clang-format off */
#define CHIP_STAGES(STAGE)                                                   \
   STAGE(chip_stage_identify, "identify",                                    \
         "what the kernel tells of the chip")                                \
   STAGE(chip_stage_store, "store", "the command streamer stores")           \
   STAGE(chip_stage_registers, "registers",                                  \
         "registers are loaded and stored")                                  \
   STAGE(chip_stage_pipe_control, "pipe-control",                            \
         "writes behind the pipeline")                                       \
   STAGE(chip_stage_thread, "thread", "one thread stores by each message")   \
   STAGE(chip_stage_alu, "alu", "each operation with each type")             \
   STAGE(chip_stage_convert, "convert", "each type to each type")            \
   STAGE(chip_stage_suites, "suites",                                        \
         "programs of the simulator's suites")                               \
   STAGE(chip_stage_sampler, "sampler", "filters, wrap modes and formats")   \
   STAGE(chip_stage_raster, "raster", "what primitives cover")               \
   STAGE(chip_stage_scenes, "scenes", "recorded scenes")                     \
   STAGE(chip_stage_timing, "timing", "cycles by class of instruction")
/* clang-format on */

#define STAGE(function, name, summary) void function(struct chip *c);
CHIP_STAGES(STAGE)
#undef STAGE

/* So many of a stage, and it is given up. */
#define CHIP_MAX_HANGS 3

extern const struct chip_stage chip_stages[];

/* Whether the case is asked for, so that others need not be made. */
bool chip_wants(const struct chip *c, const char *name);

/* Reports ---------------------------------------------------------------- */

/* False, after a message, if the file cannot be written. */
struct chip_report *chip_report_create(const char *path,
                                       const struct chip_device *chip);
void chip_report_stage(struct chip_report *r, const char *name);
void chip_report_case(struct chip_report *r);
void chip_report_stage_end(struct chip_report *r, const char *status);
/* What differs: `text` is a JSON object. */
void chip_report_deviation(struct chip_report *r, const char *text);
void chip_report_timing(struct chip_report *r, const char *text);
/* The number of deviations; false if the file could not be written. */
bool chip_report_finish(struct chip_report *r, unsigned *deviations);

/* Cases whose output a chip has told (--check). Returns the case's entry and
 * counts what the output does not have. */
struct chip_expected *chip_expected_load(const char *path, const char *gen);
bool chip_expected_has(const struct chip_expected *e, const char *stage,
                       const char *name);
void chip_expected_check(struct chip_expected *e, const char *stage,
                         const char *name, const struct util_dynarray *out);
unsigned chip_expected_finish(struct chip_expected *e, unsigned *wrong);

#endif
