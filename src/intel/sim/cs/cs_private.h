/* SPDX-License-Identifier: MIT */
/*
 * The command streamer: what its files share.
 *
 *   exec.c       the batch: fetch, levels, dispatch, watchdog
 *   mi.c         MI commands: memory, registers, predicates, semaphores
 *   math.c       MI_MATH, the 64-bit ALU
 *   registers.c  the registers a batch may read and write
 *   pipe.c       PIPE_CONTROL and MI_FLUSH_DW
 *   state.c      3DSTATE packets into struct sim_render_state
 *   state_gen8.c the same, for packets that are different on Gen8
 *   state_gen7.c the same for Gen7 and Gen7.5
 *   mi_gen7.c    MI commands and PIPE_CONTROL with addresses of 32 bits
 *   draw.c       3DPRIMITIVE
 *   compute.c    MEDIA commands and GPGPU_WALKER
 *   blt.c        the blitter of the copy engine
 *   ahead.c      stores that come before the work in front of them (chaos)
 *   compute_gen7.c  what is different of these on Gen7 and Gen7.5
 *   context.c    life of a hardware context
 *
 * Facts: PRM SKL Vol. 2a "Command Reference: Instructions", Vol. 2c
 * "Registers".
 */
#ifndef SIM_CS_PRIVATE_H
#define SIM_CS_PRIVATE_H

#include "saffron/sim_labels.h"
#include "intel/genxml/genxml.h"
#include "intel/sim/cs/blt.h"
#include "intel/sim/cs/cs.h"
#include "intel/sim/cs/state_gen7.h"
#include "intel/sim/gpu/render_state.h"
#include "intel/sim/mem/watch.h"

/* Registers that a batch may name lie below this address. */
#define SIM_MMIO_B 0x10000

/* PRM SKL Vol. 7, "URB": offsets in a VUE handle have 64 bytes units; the
 * whole URB of a GT2 is 384 KiB at most. */
#define SIM_URB_B (512 * 1024)

/* PRM SKL Vol. 2a: "CURBE Total Data Length" has 17 bits, "Interface
 * Descriptor Offset" 6. */
#define SIM_CURBE_B (128 * 1024)
#define SIM_MAX_INTERFACE_DESCRIPTORS 64

struct strict_context;

struct sim_hw_context {
   struct sim_render_state state;
   struct cs_gen7_state gen7; /* unused by later generations */
   struct sim_counters counters;
   uint32_t mmio[SIM_MMIO_B / 4];
   struct cs_blt_state blt;
   struct sim_eu_cache *programs;
   uint8_t *urb;
   struct strict_context *strict; /* NULL: nobody checks rules */

   /* What MEDIA commands loaded; `curbe` has SIM_CURBE_B bytes. */
   uint8_t *curbe;
   uint32_t curbe_size_B;
   uint32_t interface_descriptor[SIM_MAX_INTERFACE_DESCRIPTORS][8];
   unsigned num_interface_descriptors;
};

enum cs_status {
   CS_CONTINUE, /* on to the next command */
   CS_JUMPED,   /* cs->ip was set */
   CS_END,      /* the batch is over */
   CS_FAULT,    /* reported */
};

struct sim_cs;

/* A handler of one command; `dw` are its `n` dwords. */
typedef enum cs_status (*cs_handler)(struct sim_cs *cs, const uint32_t *dw,
                                     unsigned n);

struct sim_cs {
   struct sim_gpu *gpu;
   struct sim_hw_context *hw;
   const struct genxml_spec *spec;
   const cs_handler *handlers; /* in the order of spec->commands */
   enum sim_engine engine;
   struct sim_mem mem;
   struct sim_watch watch; /* mem.watch, if anybody does */

   uint64_t ip; /* address of the command that is executed */
   const struct genxml_group *command;
   uint32_t whole[24]; /* it, with zeros, if it is shorter than it could be */
   /* Return addresses: a second-level batch returns to the first. */
   uint64_t return_address;
   bool second_level;

   uint64_t start_ns;
   uint64_t jumps; /* MI_BATCH_BUFFER_START so far */

   /* A label, as far as it has come (saffron/sim_labels.h). */
   char label[SAFFRON_MAX_LABEL + 1];
   unsigned label_B;

   /* MI_SET_PREDICATE: commands are skipped while it says so. */
   uint32_t predicate_enable;
   bool faulted;
};

struct cs_entry {
   uint32_t opcode; /* as in struct genxml_group */
   cs_handler handler;
};

/* The tables of mi.c, pipe.c, state.c, draw.c, compute.c and blt.c; all end
 * with NULL. */
extern const struct cs_entry cs_mi_commands[];
extern const struct cs_entry cs_pipe_commands[];
extern const struct cs_entry cs_state_commands[];
extern const struct cs_entry cs_draw_commands[];
extern const struct cs_entry cs_compute_commands[];
extern const struct cs_entry cs_blt_commands[];
/* What Gen8 has instead: replaces rows of the others. */
extern const struct cs_entry cs_gen8_commands[];

/* What Gen7 and Gen7.5 have instead. */
extern const struct cs_entry cs_gen7_mi_commands[];
extern const struct cs_entry cs_gen7_commands[];
extern const struct cs_entry cs_gen7_compute_commands[];

/* A walker and a descriptor of Gen7 as those of Gen9. */
void cs_gen7_unpack_walker(const uint32_t *dw, struct GEN9_GPGPU_WALKER *w);
void cs_gen7_unpack_descriptor(unsigned verx10, const uint32_t *dw,
                               struct GEN9_INTERFACE_DESCRIPTOR_DATA *d);

/* State that older generations keep elsewhere, into cs->hw->state; false
 * after a fault. */
bool cs_gen8_before_draw(struct sim_cs *cs);
bool cs_gen7_before_draw(struct sim_cs *cs);
/* What of that no memory is read for. */
void cs_gen7_translate(struct sim_cs *cs);

/* The bases whose modify enable is set. */
void cs_set_base_addresses(struct sim_cs *cs,
                           const struct GEN9_STATE_BASE_ADDRESS *c);

/* Reports "COMMAND at ADDRESS: text"; always CS_FAULT. */
enum cs_status cs_fault(struct sim_cs *cs, const char *fmt, ...)
   PRINTFLIKE(2, 3);

/* The pending fault of cs->mem as one of this command; CS_FAULT. */
enum cs_status cs_mem_fault(struct sim_cs *cs);

/* False, with a fault: unknown register, or bytes that are not mapped. */
bool cs_read_register(struct sim_cs *cs, uint32_t offset, uint32_t *value);
bool cs_write_register(struct sim_cs *cs, uint32_t offset, uint32_t value);

/* A register that is known to be there. */
uint32_t cs_get_register(const struct sim_cs *cs, uint32_t offset);
/* Whether the upper half of what is written says which bits of the lower half
 * count. */
bool cs_register_is_masked(const struct sim_cs *cs, uint32_t offset);
uint64_t cs_get_register64(const struct sim_cs *cs, uint32_t offset);
void cs_set_register(struct sim_cs *cs, uint32_t offset, uint32_t value);

/* Calls `set` for each VERTEX_BUFFER_STATE of the command, whose index is one
 * that exists. */
enum cs_status
cs_vertex_buffers(struct sim_cs *cs, const uint32_t *dw, unsigned n,
                  void (*set)(struct sim_cs *cs, const uint32_t *dw));

/* The 16 general purpose registers of the engine, of 64 bits; false, with a
 * fault, if it has none. */
bool cs_check_gprs(struct sim_cs *cs);
uint64_t cs_get_gpr(const struct sim_cs *cs, uint32_t index);
void cs_set_gpr(struct sim_cs *cs, uint32_t index, uint64_t value);

/* One MI_MATH program. */
enum cs_status cs_math(struct sim_cs *cs, const uint32_t *dw, unsigned n);

/*
 * Stores of the command streamer that come while the work before them runs
 * (ahead.c); nothing without kind ORDER of chaos.
 */

struct cs_early_store {
   uint64_t address;
   uint32_t before, now;
};

struct cs_prefetch {
   struct cs_early_store store[32];
   unsigned num;
};

/* Before a draw or walker of `n` dwords, and after it. */
void cs_prefetch_begin(struct sim_cs *cs, unsigned n, struct cs_prefetch *a);
void cs_prefetch_end(struct sim_cs *cs, const struct cs_prefetch *a);

/* True once the batch took too long: endless loops end with a fault. */
bool cs_expired(const struct sim_cs *cs);

#endif
