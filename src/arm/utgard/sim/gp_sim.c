/* SPDX-License-Identifier: MIT */
/*
 * Runs a program step by step. Rules are applied here to what happens; the
 * checker beside the instruction set applies them to what stands in the
 * words. Neither knows the other, nor the compiler.
 */
#include "gp_sim_private.h"

#define DEFAULT_MAX_STEPS 65536

void
gp_sim_fault(struct gp_sim *sim, enum gp_unit unit, enum gp_rule rule)
{
   if (sim->trapped)
      return;
   sim->trapped = true;
   sim->trap = (struct gp_trap) { rule, sim->pc, unit, sim->step };
}

void
gp_sim_strict(struct gp_sim *sim, enum gp_unit unit, enum gp_rule rule)
{
   if (!sim->config.hardware_like)
      gp_sim_fault(sim, unit, rule);
}

struct gp_value
gp_number(float f)
{
   return (struct gp_value) { .tag = GP_TAG_NUMBER,
                              .bits = util_float_bits(f) };
}

struct gp_value
gp_poison(enum gp_rule rule)
{
   return (struct gp_value) { .tag = GP_TAG_POISON, .rule = (uint8_t)rule };
}

struct gp_sim *
gp_sim_create(const struct gp_sim_config *config)
{
   struct gp_sim *sim = calloc(1, sizeof(*sim));
   if (!sim)
      abort();
   sim->config = *config;
   if (!sim->config.max_steps)
      sim->config.max_steps = DEFAULT_MAX_STEPS;
   for (unsigned i = 0; i < GP_NUM_UNIFORMS * 4; i++)
      sim->memory[i / 4][i % 4] = gp_poison(GP_RULE_UNINITIALISED);
   gp_sim_invalidate_attributes(sim);
   return sim;
}

void
gp_sim_destroy(struct gp_sim *sim)
{
   free(sim);
}

bool
gp_sim_load(struct gp_sim *sim, const struct gp_instr *instrs, unsigned count)
{
   sim->trapped = false;
   sim->pc = sim->step = sim->count = 0;
   if (count == 0 || count > GP_MAX_INSTRS) {
      gp_sim_fault(sim, GP_UNIT_BRANCH,
                   count ? GP_RULE_TOO_LONG : GP_RULE_EMPTY);
      return false;
   }
   memcpy(sim->instrs, instrs, count * sizeof(*instrs));
   sim->count = count;
   return true;
}

void
gp_sim_set_uniforms(struct gp_sim *sim, unsigned first,
                    const float (*values)[4], unsigned count)
{
   assert(first <= GP_NUM_UNIFORMS && count <= GP_NUM_UNIFORMS - first &&
          "beyond the uniforms");
   for (unsigned i = 0; i < count * 4; i++)
      sim->memory[first + i / 4][i % 4] = gp_number(values[i / 4][i % 4]);
}

void
gp_sim_set_temporaries(struct gp_sim *sim, unsigned first, unsigned count)
{
   assert(first <= GP_NUM_UNIFORMS && count <= GP_NUM_UNIFORMS - first &&
          "beyond the uniforms");
   sim->temp_first = first;
   sim->temp_count = count;
}

void
gp_sim_invalidate_attributes(struct gp_sim *sim)
{
   for (unsigned i = 0; i < GP_NUM_ATTRIBUTES * 4; i++)
      sim->attributes[i / 4][i % 4] = gp_poison(GP_RULE_UNINITIALISED);
}

void
gp_sim_set_attribute(struct gp_sim *sim, unsigned index, const float value[4])
{
   for (unsigned c = 0; c < 4; c++)
      sim->attributes[index][c] = gp_number(value[c]);
}

/* Values of units, loads and address registers that a rule takes away. */
static void
invalidate_values(struct gp_sim *sim, enum gp_rule rule)
{
   const struct gp_value none = gp_poison(rule);
   for (unsigned i = 0; i < ARRAY_SIZE(sim->result); i++) {
      for (unsigned unit = 0; unit < GP_NUM_ALU_UNITS; unit++)
         sim->result[i][unit] = none;
   }
   for (unsigned i = 0; i < 8; i++)
      sim->port0[i / 4][i % 4] = none;
}

static void
invalidate_addresses(struct gp_sim *sim)
{
   for (unsigned i = 0; i < ARRAY_SIZE(sim->address); i++)
      sim->address[i] = gp_poison(GP_RULE_ADDRESS_UNSET);
   unsigned kept = 0;
   for (unsigned i = 0; i < sim->num_pending; i++) {
      if (sim->pending[i].kind != GP_PENDING_ADDRESS)
         sim->pending[kept++] = sim->pending[i];
   }
   sim->num_pending = kept;
}

static void
reset(struct gp_sim *sim)
{
   sim->trapped = false;
   sim->pc = sim->step = sim->num_pending = 0;
   invalidate_values(sim, GP_RULE_BEFORE_START);
   invalidate_addresses(sim);
   for (unsigned i = 0; i < GP_NUM_REGISTERS * 4; i++)
      sim->registers[i / 4][i % 4] = gp_poison(GP_RULE_UNINITIALISED);
   for (unsigned i = 0; i < sim->temp_count * 4; i++)
      sim->memory[sim->temp_first + i / 4][i % 4] =
         gp_poison(GP_RULE_UNINITIALISED);
   memset(sim->executions, 0, sizeof(sim->executions));
   memset(sim->varyings, 0, sizeof(sim->varyings));
   memset(sim->varyings_written, 0, sizeof(sim->varyings_written));
}

/* The condition is what the pass unit moves; only registers and memory are
 * known to survive. */
static void
branch(struct gp_sim *sim, const struct gp_instr *i)
{
   if (i->pass_src == GP_SRC_UNUSED || i->pass_op != GP_PASS_OP_MOVE)
      gp_sim_strict(sim, GP_UNIT_BRANCH, GP_RULE_BRANCH_FORM);
   const struct gp_value *condition = &sim->result[0][GP_UNIT_PASS];
   if (condition->tag != GP_TAG_NUMBER)
      gp_sim_strict(sim, GP_UNIT_BRANCH, GP_RULE_OPAQUE_MOVED);
   /* The end is a target like any other: there the program is over. */
   if (i->branch_target > sim->count)
      gp_sim_fault(sim, GP_UNIT_BRANCH, GP_RULE_BRANCH_TARGET);
   const bool taken = util_bits_float(condition->bits) != 0.0f;
   sim->pc = taken ? i->branch_target : sim->pc + 1;
   if (!sim->config.hardware_like) {
      invalidate_values(sim, GP_RULE_CROSS_BLOCK);
      invalidate_addresses(sim);
   }
}

static void
check_mode(struct gp_sim *sim, const struct gp_instr *i)
{
   const bool temp = i->store_is_temp[0] | i->store_is_temp[1];
   if (temp && (i->branch || i->mode != GP_MODE_TEMP_STORE))
      gp_sim_strict(sim, GP_UNIT_STORE0, GP_RULE_UNKNOWN_MODE);
   else if (!temp && i->mode != (i->branch ? GP_MODE_BRANCH : GP_MODE_NORMAL))
      gp_sim_strict(sim, GP_UNIT_BRANCH, GP_RULE_UNKNOWN_MODE);
}

static void
step(struct gp_sim *sim)
{
   const struct gp_instr *i = &sim->instrs[sim->pc];
   gp_sim_commit(sim);
   check_mode(sim, i);
   gp_sim_loads(sim, i);
   gp_sim_units(sim, i);
   gp_sim_stores(sim, i);
   if (sim->config.trace)
      gp_sim_trace_step(sim, i);
   if (sim->trapped)
      return;
   sim->executions[sim->pc]++;
   memcpy(sim->result[2], sim->result[1], sizeof(sim->result[2]));
   memcpy(sim->result[1], sim->result[0], sizeof(sim->result[1]));
   memcpy(sim->port0[1], sim->port0[0], sizeof(sim->port0[1]));
   if (i->branch)
      branch(sim, i);
   else
      sim->pc++;
   sim->step++;
}

bool
gp_sim_run(struct gp_sim *sim)
{
   assert(sim->count && "no program is loaded");
   reset(sim);
   while (!sim->trapped && sim->pc < sim->count) {
      if (sim->step == sim->config.max_steps)
         gp_sim_fault(sim, GP_UNIT_BRANCH, GP_RULE_ENDLESS);
      else
         step(sim);
   }
   return !sim->trapped;
}

unsigned
gp_sim_varying(const struct gp_sim *sim, unsigned index, float value[4])
{
   memcpy(value, sim->varyings[index], sizeof(sim->varyings[index]));
   return sim->varyings_written[index];
}

const struct gp_trap *
gp_sim_trap(const struct gp_sim *sim)
{
   return sim->trapped ? &sim->trap : NULL;
}

void
gp_sim_print_trap(const struct gp_trap *trap, struct strbuf *out)
{
   strbuf_printf(out, "instruction %u, %s: %s [%s] (after %u steps)",
                 trap->instr, gp_unit_name(trap->unit),
                 gp_rule_text(trap->rule), gp_rule_name(trap->rule),
                 trap->step);
}

unsigned
gp_sim_steps(const struct gp_sim *sim)
{
   return sim->step;
}

unsigned
gp_sim_executions(const struct gp_sim *sim, unsigned instr)
{
   return sim->executions[instr];
}
