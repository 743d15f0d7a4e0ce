/* SPDX-License-Identifier: MIT */
/*
 * What the files of the strict mode share.
 *
 *   strict.c        options, reports, life
 *   strict_rules.c  the table of the rules
 *   chips.c         numbers of each chip
 *   commands.c      which checks look at which command
 *   pipe_control.c  PIPE_CONTROL alone and in sequences
 *   select.c        PIPELINE_SELECT, STATE_BASE_ADDRESS, L3, registers
 *   draw.c          what 3DPRIMITIVE finds: constants, depth, pointers
 *   resources.c     what it finds: URB, constants' sizes, threads
 *   compute.c       MEDIA and GPGPU commands
 *   caches.c        which bytes are in which cache
 *   fixed.c         packets of fixed functions that must agree
 *   pixels.c        the same behind the rasteriser
 *   limits.c        what packets deal out beside what there is
 *   registers.c     registers and commands that batches may name
 *   uninitialised.c        packets that a draw needs and that never came
 *   reserved.c      bits that no field owns
 *   threads.c       rules that threads break; eu/shadow.h: undefined bits
 */
#ifndef STRICT_PRIVATE_H
#define STRICT_PRIVATE_H

#include <pthread.h>

#include "intel/sim/cs/cs_private.h"
#include "intel/sim/eu/shadow.h"
#include "intel/sim/gpu/strict.h"

enum strict_gen {
   STRICT_GEN7 = 1 << 0,
   STRICT_GEN75 = 1 << 1,
   STRICT_GEN8 = 1 << 2,
   STRICT_GEN9 = 1 << 3,
   STRICT_GEN7_75 = STRICT_GEN7 | STRICT_GEN75,
   STRICT_GEN8_9 = STRICT_GEN8 | STRICT_GEN9,
};

enum strict_rule {
#define RULE(name, id, gens, enforced, title, missing, source) STRICT_##name,
#include "rules.h"
#undef RULE
   STRICT_RULES
};

struct strict_rule_info {
   const char *id;
   unsigned gens; /* enum strict_gen */
   bool enforced;
   const char *title, *missing, *source;
};

extern const struct strict_rule_info strict_rules[STRICT_RULES];

/* The stages with binding tables, constants and, but for the last, entries of
 * the URB. */
enum strict_stage {
   STRICT_VS,
   STRICT_HS,
   STRICT_DS,
   STRICT_GS,
   STRICT_PS,
   STRICT_STAGES,
   STRICT_URB_STAGES = STRICT_PS,
};

extern const char strict_stage_names[STRICT_STAGES][3];

/* Ways of L3 for shared memory, URB, all clients, data port, and clients that
 * only read. */
struct strict_l3 {
   uint8_t shared, urb, all, data, read_only;
};
#define STRICT_L3_ROWS 9

/* The same of Gen7: those that only read together, or each for itself. */
struct strict_l3_gen7 {
   uint8_t shared, urb, data, read_only, state, constants, textures;
};
#define STRICT_L3_GEN7_ROWS 14

struct strict_chip {
   enum strict_gen gen;
   bool selects_by_mask;         /* PIPELINE_SELECT */
   bool sync_invalidates_tlb;    /* PC-20 */
   bool has_cs_chicken;          /* CS_CHICKEN1, CS_DEBUG_MODE2 */
   bool has_raster_packets;      /* 3DSTATE_RASTER and those with it */
   bool waits_for_ps_allocation; /* CO-19 */
   bool vs_wants_stall;          /* CO-17 */
   bool loads_sync;              /* CC-03 */
   uint16_t min_vs, min_ds, max_entries[STRICT_URB_STAGES];
   const struct strict_l3 *l3;           /* NULL: not in one register */
   const struct strict_l3_gen7 *l3_gen7; /* of STRICT_L3_GEN7_ROWS */
   /* Bay Trail: ways of the URB that are not in the register; it has no low
    * bandwidth mode. */
   uint8_t hidden_urb_ways;
   unsigned max_vertex_pitch_B;
   unsigned max_psd_threads; /* 0: none are programmed */
};

struct intel_device_info;
const struct strict_chip *
strict_chip_of(const struct intel_device_info *info);

/* So many places of a rule are told; others are counted. */
#define STRICT_PLACES_TOLD 16

struct sim_strict {
   struct sim_gpu *gpu;
   const struct strict_chip *chip;
   bool fault;
   int log_fd;        /* or -1 */
   char program[256]; /* what runs, for the log */
   bool enabled[STRICT_RULES];

   pthread_mutex_t lock; /* guards what follows */
   uint64_t *places;     /* hashes; an open table of `room` slots */
   unsigned num_places, room;
   unsigned told[STRICT_RULES], untold[STRICT_RULES];

   struct sim_thread_rules threads;
};

/* threads.c: which of its rules are checked. */
void strict_threads_init(struct sim_strict *s);

enum strict_pipeline {
   STRICT_NO_PIPELINE,
   STRICT_3D,
   STRICT_MEDIA,
   STRICT_GPGPU,
};

/* Bits of PIPE_CONTROL's dword 1 that are alike on all generations. */
enum strict_pc {
   PC_DEPTH_FLUSH = 1 << 0,
   PC_SCOREBOARD_STALL = 1 << 1,
   PC_STATE_INVALIDATE = 1 << 2,
   PC_CONSTANT_INVALIDATE = 1 << 3,
   PC_VF_INVALIDATE = 1 << 4,
   PC_DATA_FLUSH = 1 << 5,
   PC_FLUSH_ENABLE = 1 << 7,
   PC_NOTIFY = 1 << 8,
   PC_POINTERS_DISABLE = 1 << 9,
   PC_TEXTURE_INVALIDATE = 1 << 10,
   PC_INSTRUCTION_INVALIDATE = 1 << 11,
   PC_TARGET_FLUSH = 1 << 12,
   PC_DEPTH_STALL = 1 << 13,
   PC_POST_SYNC = 3 << 14,
   PC_MEDIA_CLEAR = 1 << 16,
   PC_TLB_INVALIDATE = 1 << 18,
   PC_SNAPSHOT_RESET = 1 << 19,
   PC_CS_STALL = 1 << 20,
   PC_STORE_INDEX = 1 << 21,
   PC_LRI = 1 << 23,
   PC_GGTT = 1 << 24,
   PC_FLUSH_LLC = 1 << 26,

   PC_WRITE_IMMEDIATE = 1 << 14,
   PC_DEPTH_COUNT = 2 << 14,
   PC_TIMESTAMP = 3 << 14,
   PC_FLUSHES = PC_DEPTH_FLUSH | PC_DATA_FLUSH | PC_TARGET_FLUSH,
   PC_INVALIDATES = PC_STATE_INVALIDATE | PC_CONSTANT_INVALIDATE |
                    PC_TEXTURE_INVALIDATE | PC_INSTRUCTION_INVALIDATE,
};

/* Constants of a stage. */
struct strict_constants {
   bool no_tables;     /* sent, and no binding table pointers since */
   bool allocated;     /* room was dealt out anew since they were sent */
   bool disabled;      /* Indirect State Pointers Disable since then */
   bool sent;          /* since the last draw */
   bool zero_then_one; /* CO-21, of what was sent since the last draw */
   bool has_3;         /* of what was sent: buffer 3 is not empty */
   bool committed, committed_has_3, drained;
};

/* A packet that holds an offset to a base address. */
enum strict_pointer {
   POINTER_TABLE,                                   /* five, by stage */
   POINTER_SAMPLER = POINTER_TABLE + STRICT_STAGES, /* five */
   POINTER_COLOR_CALC = POINTER_SAMPLER + STRICT_STAGES,
   POINTER_BLEND,
   POINTER_SCISSOR,
   POINTER_CC_VIEWPORT,
   POINTER_SF_VIEWPORT,
   POINTERS,
};

/* What colours that a draw wrote still want (FF-28). */
enum strict_color {
   STRICT_COLOR_DONE,
   STRICT_COLOR_FLUSHED, /* and no CS stall since */
   STRICT_COLOR_DRAWN,
};

/* CO-58: how far a batch has come with what ends its draws. */
enum strict_draws {
   STRICT_DRAWS_ENDED,
   STRICT_DRAWS_CC_STATE, /* and no flush since */
   STRICT_DRAWS_OPEN,
};

/* What the next draw wants to know of 3DSTATE_WM_HZ_OP. */
enum strict_hz {
   HZ_NONE,
   HZ_OPERATION, /* was asked for */
   HZ_DONE,      /* and a PIPE_CONTROL followed */
};

/* Commands of a generation, and dwords of one that are remembered. */
#define STRICT_MAX_COMMANDS 128
#define STRICT_MAX_DWORDS 16

/* Stores of registers that are remembered. */
#define STRICT_MAX_STORED 16

/* Threads' own memory that is remembered, and one of them. */
#define STRICT_MAX_SCRATCH 16

struct strict_scratch {
   uint64_t address, per_thread_B, size_B;
};

struct strict_context {
   /* State that lives as long as the context. */
   enum strict_pipeline pipeline;
   bool cc_valid, hz_seen, l3_seen;
   /* Each command as it came last, in the order of the description's. */
   uint32_t last[STRICT_MAX_COMMANDS][STRICT_MAX_DWORDS];
   bool seen[STRICT_MAX_COMMANDS];
   struct strict_constants constants[STRICT_STAGES];
   uint64_t pointer_base[POINTERS];
   bool pointer_sent[POINTERS];
   bool gs_enabled, hs_instances; /* of the last draw */
   unsigned empty_draw; /* CO-02: 1 wanted, 2 its PIPE_CONTROL was there */
   bool descriptors_loaded;
   bool vfe_due;             /* CO-14: media state was cleared */
   bool vfe_used;            /* CO-05: a walker since it was sent */
   bool l3_atomics;          /* CC-20: were switched on */
   bool general_sized;       /* CC-24 */
   unsigned urb_stale;       /* RL-08: bits by stage */
   unsigned color_operation; /* FF-28: of the last draw */
   enum strict_color color_open;

   /* Since the batch began, the last draw, or the last stall. */
   struct {
      uint32_t last;          /* dword 1 of the last PIPE_CONTROL */
      bool last_directly;     /* nothing is between it and now */
      bool any;               /* there was one in this batch */
      bool stalled;           /* by a PIPE_CONTROL since the last work */
      unsigned without_stall; /* PC-02 */
   } pc;
   bool in_flight; /* work, and no CS stall after it */
   bool streamout_in_flight;
   bool worked; /* anything since all caches were flushed */
   bool stalled_since_draw;
   bool vs_ready;        /* CO-17 */
   unsigned depth_ready; /* CO-30: steps of the sequence */
   unsigned l3_ready;    /* CC-17: the same */
   unsigned urb_sent;    /* bits by stage, since the last draw */
   unsigned depth_sent;  /* bits of the four packets, since the last draw */
   bool depth_disorder;
   bool ps_allocated;   /* CO-19: without a CS stall since */
   uint32_t flushed;    /* PC_FLUSHES done since the last work */
   uint32_t invalid;    /* PC_INVALIDATES done since those */
   uint32_t base_wants; /* CC-27: invalidates that are due */
   enum strict_hz hz;
   bool depth_stalled; /* since the last work */
   bool hz_open;       /* FF-18: nothing after the operation yet */
   struct sim_range vertex_range[SIM_MAX_VERTEX_BUFFERS]; /* CC-11 */
   bool pma_open; /* CO-36: nothing after the change yet */
   /* CC-09: memory that registers went to, and how often one did. */
   uint64_t stored[STRICT_MAX_STORED];
   unsigned num_stored;
   /* RL-48: of what was drawn and dispatched since the last CS stall. */
   struct strict_scratch scratch[STRICT_MAX_SCRATCH];
   unsigned num_scratch;
   bool walker_open; /* CO-41 */
   bool restored;    /* KR-20: a command of this batch was there */
   enum strict_draws draws;
};

/* A command that is looked at. */
struct strict_command {
   struct sim_strict *s;
   struct sim_cs *cs;
   struct strict_context *c;
   const struct genxml_group *group;
   const uint32_t *dw;
   unsigned n;
   bool stop; /* a rule is broken that ends the batch */
};

/* `text` says what was found; the rule's own words follow. */
void strict_broken(struct strict_command *c, enum strict_rule rule,
                   const char *fmt, ...) PRINTFLIKE(3, 4);

/* The same, where a number says which place it is. */
void strict_broken_at(struct strict_command *c, enum strict_rule rule,
                      uint64_t place, const char *fmt, ...) PRINTFLIKE(4, 5);

/* The same, found elsewhere than in a command: `text` begins with where.
 * Whether it ends the work. */
bool strict_broken_in(struct sim_strict *s, enum strict_rule rule,
                      uint64_t place, const char *where, const char *text);

/* Whether the rule is to be checked. */
static inline bool
strict_on(const struct strict_command *c, enum strict_rule rule)
{
   return c->s->enabled[rule];
}

/* A field's bits as a number; 0 if the generation does not have it. */
uint64_t strict_get(const struct strict_command *c, const char *field);

/* The same of an address: in bytes. */
uint64_t strict_address(const struct strict_command *c, const char *field);

/* The same of another command, as it was last executed; 0 if it never was. */
uint64_t strict_state(const struct strict_command *c, const char *command,
                      const char *field);

/* All of a command that the generation has, as it came last. */
const uint32_t *strict_last(const struct strict_command *c,
                            const char *command);

/* Whether that was ever executed, or is unknown to the generation. */
bool strict_was_sent(const struct strict_command *c, const char *command);

/* Of a rule that holds if `broken`. */
#define STRICT_CHECK(c, rule, broken, ...)                                   \
   do {                                                                      \
      if (strict_on(c, STRICT_##rule) && (broken))                           \
         strict_broken(c, STRICT_##rule, __VA_ARGS__);                       \
   } while (0)

struct GEN9_INTERFACE_DESCRIPTOR_DATA;

/* limits.c: the descriptor that a walker names, in Gen9's form, and its
 * dwords; NULL: there is none. */
const uint32_t *strict_descriptor(const struct strict_command *c,
                                  struct GEN9_INTERFACE_DESCRIPTOR_DATA *d);

/* Something starts to work that a CS stall waits for. */
void strict_work(struct strict_context *c);

/* caches.c: what watches a batch, command by command; NULL without memory. */
struct strict_watch *strict_watch_create(struct sim_cs *cs);
void strict_watch_destroy(struct strict_watch *w);

/* A command begins. False: an access broke a rule that ends the batch. */
bool strict_watch_command(struct strict_watch *w);

/* A PIPE_CONTROL: its dword 1, and whether work may go on beside it. */
void strict_watch_pipe_control(struct strict_watch *w, uint32_t pc,
                               bool in_flight);

/* A register is loaded from memory (CC-03). */
void strict_watch_load(struct strict_watch *w);

/* What mem/watch.h says, to who is strict: watch.c, caches.c, fixed.c. */
void sim_strict_access(struct strict_watch *w, enum sim_client client,
                       uint64_t address, uint64_t size_B,
                       enum sim_mem_access access);
void sim_strict_kind(struct strict_watch *w, enum sim_client client,
                     uint64_t address, uint32_t kind);
void sim_strict_texture(struct strict_watch *w, enum sim_texture_kind kind);
void sim_strict_levels(struct strict_watch *w, enum sim_client client,
                       uint64_t address, unsigned first, unsigned count);
void sim_strict_urb(struct strict_watch *w, uint64_t at_B, unsigned n,
                    const char *what);
void sim_strict_quad(struct strict_watch *w, const float outer[4],
                     const float inner[2]);

/* What is drawn or dispatched breaks a rule, at its command. */
void strict_watch_broken(struct strict_watch *w, enum strict_rule rule,
                         const char *text);

/* registers.c: the first command of a batch (KR-20). */
void strict_restore(struct strict_command *c);

void strict_pipe_control(struct strict_command *c);
void strict_reserved(struct strict_command *c);
void strict_fields(struct strict_command *c);

/* What 3DPRIMITIVE (draw.c) finds in the other files. */
void strict_draw_resources(struct strict_command *c);
void strict_draw_fixed(struct strict_command *c);
void strict_draw_limits(struct strict_command *c);
void strict_draw_pixels(struct strict_command *c);
void strict_draw_uninitialised(struct strict_command *c);

/* The URB's part of L3, or 0 as long as nobody has said. */
unsigned strict_urb_size_kB(const struct strict_command *c);

/* Registers of constants that a stage is given. */
unsigned strict_constant_registers(const struct strict_command *c,
                                   enum strict_stage stage);

/* limits.c: a register of L3 is about to be written. */
void strict_l3_written(struct strict_command *c, uint32_t reg,
                       uint32_t value);

/* Rows of tables: what looks at a command of that name, which may stand for
 * a family, as in "3DSTATE_URB_". */
struct strict_row {
   const char *name;
   bool prefix;
   void (*look)(struct strict_command *c);
};

extern const struct strict_row strict_select_rows[];
extern const struct strict_row strict_draw_rows[];
extern const struct strict_row strict_compute_rows[];
extern const struct strict_row strict_resource_rows[];
extern const struct strict_row strict_fixed_rows[];
extern const struct strict_row strict_pixel_rows[];
extern const struct strict_row strict_limit_rows[];
extern const struct strict_row strict_register_rows[];
extern const struct strict_row strict_uninitialised_rows[];

/* VS, HS, DS, GS or PS: how the command's name ends; STRICT_STAGES: none. */
enum strict_stage strict_stage_of(const struct strict_command *c);

#endif
