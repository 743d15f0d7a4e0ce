/* SPDX-License-Identifier: MIT */
#include "gp_case.h"

#include <math.h>

#include "arm/utgard/isa/gp_check.h"
#include "arm/utgard/sim/gp_sim.h"
#include "compiler/nir/nir_interp.h"

/* Loops are nested and bounded by 40, 4, 4 and 4 rounds. */
#define MAX_STEPS (1u << 20)

uint32_t
gp_case_random(struct gp_case *c, uint32_t below)
{
   /* splitmix64 */
   uint64_t z = (c->seed += 0x9e3779b97f4a7c15);
   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
   z = (z ^ z >> 27) * 0x94d049bb133111eb;
   return (uint32_t)((z ^ z >> 31) >> 32) % below;
}

static float
random_value(struct gp_case *c)
{
   const float f = ((float)gp_case_random(c, 4096) - 2048) / 256;
   return f == 0 ? 0.5f : f;
}

void
gp_case_begin(struct gp_case *c, uint64_t seed)
{
   *c = (struct gp_case) { .seed = seed * 0x2545f4914f6cdd1d };
   c->b = nir_builder_init_simple_shader(MESA_SHADER_VERTEX, &gpc_nir_options,
                                         "case");
   /* Nothing may be reassociated: all bits are compared. */
   c->b.exact = true;
   nir_shader *nir = c->b.shader;
   for (unsigned i = 0; i < GP_CASE_ATTRIBUTES; i++) {
      c->in[i] =
         nir_new_variable(nir, nir_var_shader_in, glsl_vec4_type(), "in");
      c->in[i]->data.location = VERT_ATTRIB_GENERIC0 + (int)i;
   }
   for (unsigned i = 0; i < GP_CASE_OUTPUTS; i++) {
      c->out[i] =
         nir_new_variable(nir, nir_var_shader_out, glsl_vec4_type(), "out");
      c->out[i]->data.location = VARYING_SLOT_VAR0 + (int)i;
   }
   c->uniforms = nir_new_variable(
      nir, nir_var_mem_push_const,
      glsl_array_type(glsl_vec4_type(), GP_CASE_UNIFORMS, 16), "uniforms");
   for (unsigned i = 0; i < GP_CASE_UNIFORMS * 4; i++)
      c->uniform_values[i / 4][i % 4] = random_value(c);
   for (unsigned v = 0; v < GP_CASE_VERTICES; v++) {
      for (unsigned i = 0; i < GP_CASE_ATTRIBUTES * 4; i++)
         c->attributes[v][i / 4][i % 4] = random_value(c);
   }
}

nir_value *
gp_case_attribute(struct gp_case *c, unsigned index)
{
   return nir_channel(&c->b, nir_load_var(&c->b, c->in[index / 4]),
                      index % 4);
}

nir_value *
gp_case_uniform(struct gp_case *c, unsigned index)
{
   return nir_channel(
      &c->b,
      nir_load_deref(&c->b, nir_build_deref_array_imm(
                               &c->b, nir_deref_to(&c->b, c->uniforms),
                               (int)index / 4)),
      index % 4);
}

nir_value *
gp_case_indexed_uniform(struct gp_case *c, nir_value *index,
                        unsigned component)
{
   return nir_channel(
      &c->b,
      nir_load_deref(
         &c->b, nir_build_deref_array(&c->b, nir_deref_to(&c->b, c->uniforms),
                                      index)),
      component);
}

void
gp_case_end(struct gp_case *c)
{
   for (unsigned i = 0; i < GP_CASE_OUTPUTS; i++) {
      nir_value *comp[4];
      bool any = false;
      for (unsigned n = 0; n < 4; n++) {
         any |= c->outputs[i * 4 + n] != NULL;
         comp[n] = c->outputs[i * 4 + n] ? c->outputs[i * 4 + n]
                                         : nir_imm_float(&c->b, 0);
      }
      if (any)
         nir_store_var(&c->b, c->out[i], nir_vec(&c->b, comp, 4), 0xf);
   }
   nir_validate_shader(c->b.shader, "generated");
}

void
gp_case_destroy(struct gp_case *c)
{
   nir_shader_destroy(c->b.shader);
}

struct gpc_program *
gp_case_compile(const struct gp_case *c, struct arena *arena, unsigned effort)
{
   const struct gpc_options options = { .effort = effort,
                                        .no_viewport = true };
   nir_shader *copy = nir_shader_clone(arena, c->b.shader);
   return gpc_compile(arena, copy, &options);
}

/* [vertex][slot] of the interpreter. */
static const char *
interpret(const struct gp_case *c, nir_interp_slot *outputs,
          struct arena *arena)
{
   nir_interp_slot *inputs = arena_new_array(
      arena, nir_interp_slot, GP_CASE_VERTICES * NIR_INTERP_SLOTS);
   for (unsigned v = 0; v < GP_CASE_VERTICES; v++)
      memcpy(&inputs[v * NIR_INTERP_SLOTS + VERT_ATTRIB_GENERIC0],
             c->attributes[v], sizeof(c->attributes[v]));
   struct nir_interp_params params = {
      .num_lanes = GP_CASE_VERTICES,
      .inputs = (const nir_interp_slot *)inputs,
      .outputs = outputs,
      .push_constants = { (void *)(uintptr_t)c->uniform_values,
                          sizeof(c->uniform_values) },
   };
   return nir_interp_run(c->b.shader, &params, arena);
}

struct gp_sim *
gp_case_simulator(const struct gp_case *c, const struct gpc_program *p)
{
   struct gp_sim *sim =
      gp_sim_create(&(struct gp_sim_config) { .max_steps = MAX_STEPS });
   for (unsigned i = 0; i < p->num_uniforms; i++) {
      if (p->uniform_source[i] < GP_CASE_UNIFORMS)
         gp_sim_set_uniforms(
            sim, i,
            (const float(*)[4])c->uniform_values + p->uniform_source[i], 1);
   }
   gp_sim_set_uniforms(sim, p->first_literal, p->literals, p->num_literals);
   gp_sim_set_temporaries(sim, p->first_temp, p->num_temps);
   return sim;
}

void
gp_case_set_vertex(const struct gp_case *c, struct gp_sim *sim,
                   unsigned vertex)
{
   for (unsigned i = 0; i < GP_CASE_ATTRIBUTES; i++)
      gp_sim_set_attribute(sim, i, c->attributes[vertex][i]);
}

static const char *
check_rules(const struct gpc_program *p, struct arena *arena)
{
   struct gp_violation v;
   const struct gp_check_options options = {
      .first_temp = p->num_temps ? p->first_temp : GP_NUM_UNIFORMS,
      .known = p->literals,
      .known_first = p->first_literal,
      .known_count = p->num_literals,
   };
   if (!gp_check_program(p->instrs, p->count, &options, &v, 1))
      return NULL;
   struct strbuf text = { 0 };
   gp_print_violation(&v, &text);
   char *copy = arena_printf(arena, "checker: %s", text.s);
   strbuf_fini(&text);
   return copy;
}

static bool
same_number(float a, float b)
{
   return util_float_bits(a) == util_float_bits(b) || (isnan(a) && isnan(b));
}

static const char *
compare_vertex(const struct gp_case *c, const struct gpc_program *p,
               const struct gp_sim *sim, const nir_interp_slot *want,
               unsigned vertex, struct arena *arena)
{
   for (unsigned i = 0; i < GP_CASE_OUTPUTS * 4; i++) {
      const unsigned slot = VARYING_SLOT_VAR0 + i / 4;
      float got[4] = { 0 };
      if (!c->outputs[i])
         continue;
      if (p->varying[slot] == GPC_NO_VARYING)
         return arena_printf(arena, "out%u is no varying", i / 4);
      const unsigned at = i % 4 + p->varying_comp[slot];
      if (!(gp_sim_varying(sim, p->varying[slot], got) >> at & 1))
         return arena_printf(arena, "vertex %u: out%u.%c is not written",
                             vertex, i / 4, "xyzw"[i % 4]);
      const float expected = util_bits_float(want[slot][i % 4]);
      if (!same_number(got[at], expected))
         return arena_printf(arena, "vertex %u: out%u.%c is %a, not %a",
                             vertex, i / 4, "xyzw"[i % 4], (double)got[at],
                             (double)expected);
   }
   return NULL;
}

const char *
gp_case_check(const struct gp_case *c, const struct gpc_program *p,
              struct arena *arena)
{
   nir_interp_slot *want = arena_new_array(
      arena, nir_interp_slot, GP_CASE_VERTICES * NIR_INTERP_SLOTS);
   const char *error = interpret(c, want, arena);
   if (error)
      return arena_printf(arena, "interpreter: %s", error);
   error = check_rules(p, arena);
   struct gp_sim *sim = gp_case_simulator(c, p);
   if (!error && !gp_sim_load(sim, p->instrs, p->count))
      error = "the program does not load";
   for (unsigned v = 0; v < GP_CASE_VERTICES && !error; v++) {
      gp_case_set_vertex(c, sim, v);
      if (gp_sim_run(sim)) {
         error =
            compare_vertex(c, p, sim, want + v * NIR_INTERP_SLOTS, v, arena);
         continue;
      }
      struct strbuf text = { 0 };
      gp_sim_print_trap(gp_sim_trap(sim), &text);
      error = arena_printf(arena, "vertex %u: trap: %s", v, text.s);
      strbuf_fini(&text);
   }
   gp_sim_destroy(sim);
   return error;
}
