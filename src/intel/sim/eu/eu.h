/* SPDX-License-Identifier: MIT */
/*
 * The simulated execution unit (EU): one thread, what it can reach, and how
 * to run it.
 *
 * A dispatcher (fixed/, or a test) fills in a struct sim_eu_thread: the
 * payload in its first GRFs, the dispatch mask, and a pointer to a struct
 * sim_eu_env that says what its messages see. sim_eu_run() then executes
 * until the thread ends, waits, faults, or has used up its instructions.
 * Nothing here is global, so threads on different host threads are
 * independent as long as what their environments point to is.
 *
 * Faults of the simulated program are results, never host crashes.
 */
#ifndef SIM_EU_H
#define SIM_EU_H

#include "intel/isa/isa_messages.h"
#include "intel/sim/mem/mem.h"
#include "util/macros.h"

struct sim_eu_env;
struct sim_eu_thread;
struct sim_eu_program;
struct sim_chaos;
struct sim_message;
struct sim_shadow;
struct sim_thread_rules;

#define SIM_GRF_B 32
#define SIM_GRF_COUNT 128
#define SIM_MAX_LANES 32

/* Registers ------------------------------------------------------------- */

/* One GRF, or an array of them, seen as any type. */
union sim_grf {
   uint8_t ub[32];
   int8_t b[32];
   uint16_t uw[16];
   int16_t w[16];
   uint32_t ud[8];
   int32_t d[8];
   float f[8];
   uint64_t uq[4];
   int64_t q[4];
   double df[4];
} __attribute__((aligned(32)));

/*
 * An accumulator channel. Integer results are held sign-extended to 64 bits
 * (the hardware has 33 bits for words and 66 for dwords), so that MACH finds
 * the whole product; F, HF and DF hold their bits in the low part.
 */
union sim_acc {
   int64_t q;
   uint64_t uq;
   float f;
   double df;
   uint32_t ud;
};

/* Bits of cr0.0; PRM SKL vol 7 "Control Register". */
#define SIM_CR0_SINGLE_PROGRAM_FLOW (1u << 2)
#define SIM_CR0_FLOAT_ALT (1u << 0)
#define SIM_CR0_ROUND_SHIFT 4
#define SIM_CR0_ROUND_MASK (3u << SIM_CR0_ROUND_SHIFT)
#define SIM_CR0_DENORM_DF (1u << 6)
#define SIM_CR0_DENORM_F (1u << 7)
#define SIM_CR0_DENORM_HF (1u << 10)

/* Faults ---------------------------------------------------------------- */

enum sim_fault_reason {
   SIM_FAULT_NONE,
   /* The instruction cannot be decoded, or the manual says it is illegal. */
   SIM_FAULT_ILLEGAL,
   /* Legal, but the simulator does not have it. */
   SIM_FAULT_UNIMPLEMENTED,
   /* A register, address or flow-control target outside of what exists. */
   SIM_FAULT_RANGE,
   /* Memory that is not mapped, or mapped read only. */
   SIM_FAULT_MEMORY,
   /* A message whose descriptor or payload is wrong. */
   SIM_FAULT_MESSAGE,
};

struct sim_eu_fault {
   enum sim_fault_reason reason;
   uint32_t ip_B;    /* offset of the instruction in its program */
   int lane;         /* -1: not one lane's */
   uint64_t address; /* for SIM_FAULT_MEMORY */
   char text[256];   /* one sentence, with the rule and its source */
   char inst[256];   /* the instruction, as isa_print writes it */
};

/*
 * Records a fault in the thread, unless it has one already; always false, so
 * that a handler can `return sim_eu_fault(...)`.
 */
bool sim_eu_fault(struct sim_eu_thread *t, enum sim_fault_reason reason,
                  const char *fmt, ...) PRINTFLIKE(3, 4);
bool sim_eu_fault_memory(struct sim_eu_thread *t, int lane, uint64_t address,
                         const char *what);

/* Statistics ------------------------------------------------------------ */

struct sim_eu_stats {
   uint64_t instructions; /* executed, whatever their width */
   uint64_t simd8;        /* the same in units of 8 channels (or fewer) */
   uint64_t sends;
   uint64_t threads;
   uint64_t mem_read_B, mem_written_B;
   uint64_t cycles; /* by the timing model: see timing.c */
   uint64_t issue;  /* of these, cycles that only this thread can use */
};

/* A thread -------------------------------------------------------------- */

enum sim_eu_status {
   SIM_EU_READY, /* not run yet */
   SIM_EU_EOT,   /* ended as it should */
   SIM_EU_WAIT,  /* in WAIT: run again after raising `notify` */
   SIM_EU_FAULT, /* see `fault` */
   SIM_EU_LIMIT, /* `max_instructions` are used up */
};

/* Registers that strict mode has marked before the payload. */
enum PACKED_ENUM sim_shadow_marks {
   SIM_SHADOW_MARKED_ALL,
   SIM_SHADOW_MARKED_NAMED,
   SIM_SHADOW_MARKED_NEEDED,
};

/* A channel of an extended accumulator (math.c): what goes to the exponent of
 * the register's element, and to its fraction, counted from one half on. */
struct sim_mme {
   float rest;
   int16_t exponent;
};

struct sim_eu_thread {
   /* Two GRFs of slack, so that a host vector load of the last GRF from any
    * byte stays inside. The slack reads as anything and is never written. */
   union sim_grf grf[SIM_GRF_COUNT + 2];

   /* acc0 channels 0-7 and acc1 channels 8-15 of 32-bit types. */
   union sim_acc acc[2 * 16];

   struct sim_mme mme[8][16]; /* mme0 to mme7 */

   uint16_t address[16]; /* a0.0 to a0.15 as UW */
   uint32_t flag[2];     /* f0 and f1; f0.1 is the upper half of f0 */
   uint32_t cr0[4], sr0[4], tdr[8];
   uint32_t notify[4]; /* n0.x counts of pending notifications */
   uint8_t waits_for;  /* in SIM_EU_WAIT: which of them */
   uint32_t tm0[4];
   uint32_t mask_stack_ce, sp[2], dbg[2];

   /* Channels the dispatcher started, and those executing now. */
   uint32_t dispatch_mask;
   uint32_t active;
   /* Where each channel that is not active goes on: byte offset into the
    * program. ~0: never (halted for good, or not dispatched). */
   uint32_t pcip_B[SIM_MAX_LANES];

   uint32_t ip_B; /* of the current (or last) instruction */
   enum sim_eu_status status;

   /* Pixel shader threads: channels whose results count (SR0 / header mask
    * after discards is the program's business; this is the dispatcher's). */
   uint32_t sample_mask;

   /* Dword 2 of the header of the URB message that ended the thread: Gen7's
    * geometry shaders give their numbers of vertices there. */
   uint32_t urb_eot_dw2;

   const struct sim_eu_env *env;
   /* The memory that messages see: the accessor of the host thread that runs
    * this thread, so set by the dispatcher. NULL: every access faults. */
   struct sim_mem *mem;
   /* The dispatcher's own data about this thread (pixel coordinates, URB
    * handles, ...), for the callbacks in the environment. */
   void *user;

   /* For env->trace; and whether it is called. */
   void *trace_data;
   bool untraced;

   /* Checked at backward jumps: a little more may run. 0: no limit */
   uint64_t max_instructions;
   struct sim_eu_stats stats;

   /* Private to eu/: the host's floating-point state for each type class. */
   uint32_t host_fp_now, host_fp[4]; /* of enum eu_fp */
   const struct sim_eu_program *program;
   const void *resume, *run_start;
   uint64_t clock_read;  /* when tm0 was read, in cycles of the thread */
   const void *last_op;  /* that host code came to (eu/jit.c) */
   bool control_written; /* cr0: the loop that runs the thread looks again */
   struct sim_shadow *shadow; /* eu/shadow.h; or NULL */
   bool shadow_steps;         /* it looks at each instruction */
   enum sim_shadow_marks shadow_marks;

   struct sim_eu_fault fault; /* last: see sim_eu_thread_init() */
};

/*
 * Clears everything but the GRFs (whose content the dispatcher writes, and
 * which the hardware does not clear either), and sets the state registers
 * to what a new thread finds in them.
 */
void sim_eu_thread_init(struct sim_eu_thread *t, const struct sim_eu_env *env,
                        uint32_t dispatch_mask);

/* The same of a thread that will run `p` and nothing else: strict mode has
 * less to look at. */
void sim_eu_thread_init_for(struct sim_eu_thread *t,
                            const struct sim_eu_env *env,
                            const struct sim_eu_program *p,
                            uint32_t dispatch_mask);

/* Messages -------------------------------------------------------------- */

/*
 * One SEND, decoded. The payload is read in place: a response may overwrite
 * registers that the payload is in, so a handler reads before it writes
 * (or copies).
 */
struct sim_message {
   enum isa_sfid sfid;
   uint32_t desc, ex_desc;
   const struct isa_message *fields; /* of the descriptor */
   bool header; /* header present bit of the descriptor */
   bool eot;
   bool check; /* SENDC: after earlier threads on the same pixels */
   uint8_t mlen, ex_mlen, rlen; /* in GRFs */

   uint8_t exec_size; /* channels */
   uint8_t group;     /* first channel of the thread that is channel 0 here */
   /* Bit i: channel i of the message takes part (execution mask, predicate,
    * exec size). Bit 0 is the thread's channel `group`. */
   uint32_t exec_mask;
   bool no_mask;

   uint8_t src0_grf, src1_grf, dst_grf;
   bool dst_null;
   const union sim_grf *src0; /* mlen GRFs */
   const union sim_grf *src1; /* ex_mlen GRFs (SENDS only), else NULL */
   union sim_grf *dst;        /* rlen GRFs, NULL for a null destination */

   uint32_t ip_B;
   const struct isa_inst *inst;
};

/* The payload GRF i, counting src1 after src0. NULL when there is none. */
static inline const union sim_grf *
sim_message_payload(const struct sim_message *m, unsigned i)
{
   if (i < m->mlen)
      return &m->src0[i];
   i -= m->mlen;
   return i < m->ex_mlen ? &m->src1[i] : NULL;
}

/* Handles one message. False: a fault has been recorded in the thread. */
typedef bool (*sim_msg_fn)(struct sim_eu_thread *t,
                           const struct sim_message *m);

/* Sends the message to its shared function (msg/dispatch.c). The same. */
bool sim_msg_dispatch(struct sim_eu_thread *t, const struct sim_message *m);

/* What a thread's messages see ------------------------------------------- */

/* Plane equations and sample positions behind SFID 11; filled in by the
 * pixel shader dispatcher. `attr` counts scalar attributes. */
struct sim_eu_interp {
   /* Barycentric coordinates of channel `lane` at an offset from the pixel's
    * centre, in pixels (offset x, y), or at sample `sample` (>= 0), or at
    * the centroid (sample == -2). Writes two floats. */
   void (*barycentric)(struct sim_eu_thread *t, unsigned lane, int sample,
                       float dx, float dy, bool perspective, float out[2]);
};

typedef void (*sim_eu_trace_fn)(struct sim_eu_thread *t,
                                const struct isa_inst *inst, bool after);

/* Prints the instruction before it runs, then the registers that it has
 * changed. */
void sim_eu_trace_print(struct sim_eu_thread *t, const struct isa_inst *inst,
                        bool after);

/* sim_eu_trace_print if SAFFRON_SIM_TRACE names the stage ("vs", "fs"), else
 * NULL: for sim_eu_env::trace. */
sim_eu_trace_fn sim_eu_trace_for(const char *stage);

struct sim_eu_env {
   unsigned verx10; /* 70, 75, 80, 90 */
   bool low_power;  /* CHV, BXT, GLK */

   /* Another number for each draw and dispatch; 0: none. */
   uint64_t draw_id;

   /* Bits of cr0.0 that the stage's state sets for its threads. */
   uint32_t cr0;

   /* STATE_BASE_ADDRESS; sizes in bytes, 0 or UINT64_MAX for no limit. */
   uint64_t general_state_base;
   uint64_t surface_state_base;
   uint64_t dynamic_state_base;
   uint64_t indirect_object_base;
   uint64_t instruction_base;
   uint64_t bindless_surface_state_base;
   uint64_t general_state_size_B;
   uint64_t dynamic_state_size_B;
   uint64_t instruction_size_B;
   uint64_t bindless_surface_state_size_B;

   /* Offsets from the surface and dynamic state base, for this stage. */
   uint32_t binding_table_offset_B;
   uint32_t sampler_state_offset_B;

   /* Scratch of this stage; where it is, the header says (r0.5). */
   uint32_t scratch_per_thread_B;

   /* The URB; handles in payloads are offsets into it in 64-byte units
    * (see msg/urb.c). */
   uint8_t *urb;
   uint32_t urb_size_B;
   uint32_t urb_entry_B; /* of those that the threads write to; 0: none */

   /* Shared local memory of the thread group; NULL when there is none. */
   uint8_t *slm;
   uint32_t slm_size_B;

   /*
    * Shared functions that live elsewhere. NULL: a message to it is a fault.
    * render_target gets the RT write and RT read messages of SFID 5;
    * `done` is told when a thread has sent its EOT message (any SFID).
    */
   sim_msg_fn sampler;
   sim_msg_fn render_target;
   sim_msg_fn spawner;
   sim_msg_fn barrier;
   const struct sim_eu_interp *interp;

   /* Called before and after each instruction when not NULL (slow), but for
    * threads that are `untraced`; see sim_eu_trace_for(). */
   sim_eu_trace_fn trace;
   uint8_t stage; /* enum trace_stage, for counters and traces */

   /* Who hears of rules that threads break (eu/shadow.h); NULL: nobody
    * looks. */
   struct sim_thread_rules *rules;
   /* Draws what the chip leaves open; or NULL. */
   struct sim_chaos *chaos;

   void *user;
};

/* Programs --------------------------------------------------------------- */

/*
 * Decoded programs by address. A program is decoded once; when it is asked
 * for again its bytes in memory are compared, and decoded anew if they
 * changed. Not thread safe: one cache per context, looked up per draw.
 */
struct sim_eu_cache;

struct sim_eu_cache *sim_eu_cache_create(unsigned verx10, bool low_power);
void sim_eu_cache_destroy(struct sim_eu_cache *c);

/*
 * The program that starts at `address` (absolute). NULL, with *fault filled
 * in, when its first instruction is not in memory. Lives until the cache is
 * trimmed or destroyed; what is at its address may change meanwhile.
 */
const struct sim_eu_program *sim_eu_cache_get(struct sim_eu_cache *c,
                                              struct sim_mem *mem,
                                              uint64_t address,
                                              struct sim_eu_fault *fault);

/* Frees programs that others have replaced, and those that were not asked for
 * long, if there are many. No thread may be running one. */
void sim_eu_cache_trim(struct sim_eu_cache *c);

/* How many programs it holds, but for those that others have replaced. */
uint32_t sim_eu_cache_count(const struct sim_eu_cache *c);

/* A program from bytes, for tests and tools; NULL if size_B is no multiple
 * of 8. Illegal instructions fault when they are reached. */
struct sim_eu_program *sim_eu_program_create(unsigned verx10, bool low_power,
                                             const void *code,
                                             uint32_t size_B);
void sim_eu_program_destroy(struct sim_eu_program *p);

/* Bytes of code, and instructions, that belong to the program. */
uint32_t sim_eu_program_size_B(const struct sim_eu_program *p);
uint32_t sim_eu_program_count(const struct sim_eu_program *p);

/* Its code, a hash of that, and where it was found (0: from bytes). */
const void *sim_eu_program_bytes(const struct sim_eu_program *p);
uint64_t sim_eu_program_hash(const struct sim_eu_program *p);
uint64_t sim_eu_program_address(const struct sim_eu_program *p);

/* Of the instruction that a thread is at: cycles since its start, and those
 * in which it is issued, after it has waited (timing.c). */
void sim_eu_thread_time(const struct sim_eu_thread *t, uint32_t *cycle,
                        uint32_t *issue);

/* What its messages do to memory (eu/program/effects.h). */
struct sim_effects;
const struct sim_effects *
sim_eu_program_effects(const struct sim_eu_program *p);

/*
 * Whether all threads write the same, once, to a render target, if so many
 * registers of their payload are the same: constant.c. What a thread writes
 * for a channel does not depend on which others are on.
 */
enum sim_eu_constant {
   SIM_EU_VARIES,
   SIM_EU_CONSTANT, /* of all threads, channels may differ */
   SIM_EU_UNIFORM,  /* of all channels */
};
enum sim_eu_constant sim_eu_program_constant(const struct sim_eu_program *p,
                                             unsigned first_grf,
                                             unsigned num_grfs);

/* Cycles from the first instruction to the last, each executed once, by the
 * timing model (timing.c). */
uint32_t sim_eu_program_cycles(const struct sim_eu_program *p);
/* Those of them in which instructions are issued. */
uint32_t sim_eu_program_issue(const struct sim_eu_program *p);

/*
 * Runs a thread of `p` from byte offset entry_B, or goes on after
 * SIM_EU_WAIT / SIM_EU_LIMIT (entry_B is then ignored). The result is also
 * in t->status.
 */
enum sim_eu_status sim_eu_run(struct sim_eu_thread *t,
                              const struct sim_eu_program *p,
                              uint32_t entry_B);

#endif
