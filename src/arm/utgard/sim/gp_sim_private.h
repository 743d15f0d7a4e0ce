/* SPDX-License-Identifier: MIT */
/* State of the vertex processor's simulator. */
#ifndef GP_SIM_PRIVATE_H
#define GP_SIM_PRIVATE_H

#include "gp_sim.h"

enum {
   GP_REGISTER_DELAY = 3,
   GP_TEMP_DELAY = 4,
   GP_ADDRESS_DELAY = 4,
   /* Of one step at most 4 stores and one address, each under way for at most
    * 4 steps. */
   GP_MAX_PENDING = 5 * 4,
};

enum gp_table {
   GP_TABLE_EXP2,
   GP_TABLE_LOG2,
   GP_TABLE_RSQRT,
   GP_TABLE_RCP,
};

enum gp_tag {
   GP_TAG_NUMBER,
   GP_TAG_PREEXP2,
   GP_TAG_TABLE,
   GP_TAG_SQUARE,
   GP_TAG_COMPLEX1, /* a number, but two later only */
   GP_TAG_RAW_LOG2, /* complex1 of a log2, before postlog2 */
   GP_TAG_POISON,   /* nothing that may be read: `rule` says why */
};

/*
 * What a unit or port delivers. An opaque value carries the argument of the
 * function that it is part of; the bits of such a value are what a reader is
 * thought to get that is not meant to have it.
 */
struct gp_value {
   uint32_t bits;
   uint32_t argument; /* bits of a float, flushed */
   uint8_t tag;       /* enum gp_tag */
   uint8_t table;     /* enum gp_table, of a table or complex1 */
   uint8_t rule;      /* enum gp_rule, of a poison */
   bool from_preexp2; /* of a square */
};

/* A write on its way. */
struct gp_pending {
   enum { GP_PENDING_REGISTER, GP_PENDING_TEMP, GP_PENDING_ADDRESS } kind;
   unsigned ready;            /* the first step that sees it */
   unsigned index, component; /* of the register, vec4, address register */
   struct gp_value value;
};

struct gp_sim {
   struct gp_sim_config config;
   struct gp_instr instrs[GP_MAX_INSTRS];
   unsigned count;

   /* Uniforms and, after them, temporaries. */
   struct gp_value memory[GP_NUM_UNIFORMS][4];
   unsigned temp_first, temp_count;
   struct gp_value attributes[GP_NUM_ATTRIBUTES][4];

   /* From here on the state of one run. */
   unsigned pc, step;
   unsigned executions[GP_MAX_INSTRS];
   struct gp_value registers[GP_NUM_REGISTERS][4];
   struct gp_value address[4]; /* the number of a vec4, in `bits` */
   struct gp_value result[3][GP_NUM_ALU_UNITS]; /* [age] */
   struct gp_value port0[2][4];                 /* [age] */
   struct gp_value port1[4], uniform[4];
   struct gp_pending pending[GP_MAX_PENDING];
   unsigned num_pending;
   float varyings[GP_NUM_VARYINGS][4];
   uint8_t varyings_written[GP_NUM_VARYINGS]; /* a bit by component */

   bool trapped;
   struct gp_trap trap;
};

/* Notes the first trap of a run. */
void gp_sim_fault(struct gp_sim *sim, enum gp_unit unit, enum gp_rule rule);

/* The same, in strict mode only. */
void gp_sim_strict(struct gp_sim *sim, enum gp_unit unit, enum gp_rule rule);

struct gp_value gp_number(float f);
struct gp_value gp_poison(enum gp_rule rule);

/* Flushes denormals and rewrites NaNs, as what computes does. */
uint32_t gp_flush(uint32_t bits);

/* gp_sim_units.c: the six units of one instruction, into result[0]. */
void gp_sim_units(struct gp_sim *sim, const struct gp_instr *i);

/* gp_sim_memory.c: loads before the units, stores after them. */
void gp_sim_loads(struct gp_sim *sim, const struct gp_instr *i);
void gp_sim_stores(struct gp_sim *sim, const struct gp_instr *i);
/* Writes that are ready by now take effect. */
void gp_sim_commit(struct gp_sim *sim);
/* The complex unit has set an address register. */
void gp_sim_set_address(struct gp_sim *sim, unsigned index, float value);

/* gp_sim_tables.c */
float gp_sim_table(enum gp_sim_tables model, enum gp_table table, float x);

/* gp_sim_trace.c */
void gp_sim_trace_step(const struct gp_sim *sim, const struct gp_instr *i);

/* By source of a store; not for GP_STORE_UNKNOWN_5 and GP_STORE_NONE. */
extern const uint8_t gp_store_units[8];

#endif
