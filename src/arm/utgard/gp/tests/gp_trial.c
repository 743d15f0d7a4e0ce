/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "arm/utgard/isa/gp_check.h"
#include "compiler/nir/nir_interp.h"
#include "gp_trial.h"

uint32_t
gp_trial_random(struct gp_trial *t, uint32_t n)
{
   t->rng ^= t->rng << 13;
   t->rng ^= t->rng >> 7;
   t->rng ^= t->rng << 17;
   return (uint32_t)(t->rng >> 20) % n;
}

static float
random_float(struct gp_trial *t)
{
   return (float)((int)gp_trial_random(t, 4001) - 2000) / 512.0f;
}

static void
declare_interface(struct gp_trial *t)
{
   const struct glsl_type *vec4 = glsl_vector_type(GLSL_TYPE_FLOAT, 4);
   const struct glsl_struct_field field = {
      .type = glsl_array_type(vec4, TRIAL_UNIFORMS, 16), .name = "u",
      .offset = 0, .location = -1, .component = -1, .xfb_buffer = -1,
      .xfb_offset = -1,
   };

   for (unsigned i = 0; i < GP_NUM_ATTRIBUTES; i++) {
      t->inputs[i] = nir_variable_create(t->b.shader, nir_var_shader_in, vec4,
                                         NULL);
      t->inputs[i]->data.location = VERT_ATTRIB_GENERIC0 + (int)i;
   }
   t->block = nir_variable_create(
      t->b.shader, nir_var_mem_ubo,
      glsl_interface_type(&field, 1, GLSL_INTERFACE_PACKING_STD140, false,
                          "block"), NULL);
}

void
gp_trial_init(struct gp_trial *t, uint64_t seed)
{
   memset(t, 0, sizeof(*t));
   t->arena = arena_create(NULL);
   t->rng = seed * 0x9e3779b97f4a7c15ull + 0x1234567;
   t->options = (struct gpc_options) { .effort = 1, .no_viewport = true };
   t->b = nir_builder_init_simple_shader(MESA_SHADER_VERTEX,
                                         &gpc_nir_options, "trial");
   t->b.exact = true;
   for (unsigned i = 0; i < 16; i++)
      gp_trial_random(t, 2);
   for (unsigned i = 0; i < GP_NUM_ATTRIBUTES * 4; i++)
      t->attributes[i / 4][i % 4] = random_float(t);
   for (unsigned i = 0; i < TRIAL_UNIFORMS * 4; i++)
      t->uniforms[i / 4][i % 4] = random_float(t);
   declare_interface(t);
}

void
gp_trial_fini(struct gp_trial *t)
{
   nir_shader_destroy(t->b.shader);
   arena_destroy(t->arena);
}

nir_ssa_def *
gp_trial_attribute(struct gp_trial *t, unsigned scalar)
{
   return nir_channel(&t->b, nir_load_var(&t->b, t->inputs[scalar / 4]),
                      scalar % 4);
}

nir_ssa_def *
gp_trial_indexed(struct gp_trial *t, nir_ssa_def *index, unsigned comp)
{
   nir_builder *b = &t->b;
   nir_deref_instr *d = nir_build_deref_struct(
      b, nir_build_deref_var(b, t->block), 0);

   return nir_channel(b, nir_load_deref(b, nir_build_deref_array(b, d,
                                                                 index)),
                      comp);
}

nir_ssa_def *
gp_trial_uniform(struct gp_trial *t, unsigned scalar)
{
   return gp_trial_indexed(t, nir_imm_int(&t->b, (int)scalar / 4),
                           scalar % 4);
}

void
gp_trial_output(struct gp_trial *t, nir_ssa_def *const comp[4])
{
   nir_variable *var =
      nir_variable_create(t->b.shader, nir_var_shader_out,
                          glsl_vector_type(GLSL_TYPE_FLOAT, 4), NULL);
   nir_ssa_def *copy[4] = { comp[0], comp[1], comp[2], comp[3] };

   var->data.location = t->num_outputs
                           ? VARYING_SLOT_VAR0 + (int)t->num_outputs - 1
                           : VARYING_SLOT_POS;
   t->num_outputs++;
   nir_store_var(&t->b, var, nir_vec(&t->b, copy, 4), 0xf);
}

/* ---- running ---- */

static const char *
run_interpreter(struct gp_trial *t, nir_interp_slot *outputs)
{
   nir_interp_slot *inputs =
      arena_new_array(t->arena, nir_interp_slot, NIR_INTERP_SLOTS);
   const struct nir_interp_buffer ubo = { t->uniforms, sizeof(t->uniforms) };
   struct nir_interp_params params = {
      .num_lanes = 1, .inputs = (const nir_interp_slot *)inputs,
      .outputs = outputs, .ubos = &ubo, .num_ubos = 1,
   };

   for (unsigned i = 0; i < GP_NUM_ATTRIBUTES; i++)
      memcpy(inputs[VERT_ATTRIB_GENERIC0 + i], t->attributes[i], 16);
   return nir_interp_run(t->b.shader, &params, t->arena);
}

static const char *
check_program(struct gp_trial *t)
{
   const struct gpc_program *p = t->program;
   const struct gp_check_options options = {
      .first_temp = p->first_temp, .known = p->literals,
      .known_first = p->first_literal, .known_count = p->num_literals,
   };
   struct gp_violation v;
   struct strbuf text = { 0 };

   if (!gp_check_program(p->instrs, p->count, &options, &v, 1))
      return NULL;
   gp_print_violation(&v, &text);
   const char *result = arena_strdup(t->arena, strbuf_str(&text));
   strbuf_fini(&text);
   return result;
}

static bool
equal(const struct gp_trial *t, float want, float got)
{
   if (isnan(want) || isnan(got))
      return isnan(want) && isnan(got);
   /* The machine flushes denormals. */
   if (fabsf(want) < 0x1p-126f)
      want = 0;
   /* An integer's zero may be -0. */
   if (t->tolerance == 0)
      return want == got;
   return fabsf(want - got) <= t->tolerance * fmaxf(1.0f, fabsf(want));
}

static const char *
compare(struct gp_trial *t, struct gp_sim *sim, nir_interp_slot *outputs)
{
   float got[4];

   for (unsigned i = 0; i < t->num_outputs; i++) {
      const unsigned slot = i ? VARYING_SLOT_VAR0 + i - 1 : VARYING_SLOT_POS;
      if (gp_sim_varying(sim, t->program->varying[slot], got) != 0xf)
         return arena_printf(t->arena, "output %u is not written", i);
      for (unsigned c = 0; c < 4; c++) {
         const float want = util_bits_float(outputs[slot][c]);
         if (!equal(t, want, got[c]))
            return arena_printf(t->arena, "output %u.%c: %.9g for %.9g", i,
                                "xyzw"[c], got[c], want);
      }
   }
   return NULL;
}

static const char *
simulate(struct gp_trial *t, nir_interp_slot *outputs)
{
   const struct gpc_program *p = t->program;
   const struct gp_sim_config config = { .tables = t->tables };
   struct gp_sim *sim = gp_sim_create(&config);
   const char *error = NULL;

   gp_sim_set_uniforms(sim, 0, (const float (*)[4])t->uniforms,
                       MIN2(p->num_uniforms, TRIAL_UNIFORMS));
   gp_sim_set_uniforms(sim, p->first_literal, p->literals, p->num_literals);
   gp_sim_set_temporaries(sim, p->first_temp, p->num_temps);
   for (unsigned i = 0; i < GP_NUM_ATTRIBUTES; i++)
      gp_sim_set_attribute(sim, i, t->attributes[i]);
   if (!gp_sim_load(sim, p->instrs, p->count) || !gp_sim_run(sim)) {
      struct strbuf text = { 0 };
      gp_sim_print_trap(gp_sim_trap(sim), &text);
      error = arena_strdup(t->arena, strbuf_str(&text));
      strbuf_fini(&text);
   } else {
      error = compare(t, sim, outputs);
   }
   gp_sim_destroy(sim);
   return error;
}

/* GP_TRIAL_PRINT=1 shows graphs and program. */
static void
print_program(const struct gp_trial *t, struct strbuf *text)
{
   if (t->program->instrs)
      gp_print_program(t->program->instrs, t->program->count, text);
   fprintf(stderr, "%s\n", strbuf_str(text));
   strbuf_fini(text);
}

const char *
gp_trial_run(struct gp_trial *t)
{
   struct strbuf explained = { 0 };

   nir_interp_slot *outputs =
      arena_new_array(t->arena, nir_interp_slot, NIR_INTERP_SLOTS);
   const char *error = run_interpreter(t, outputs);

   if (error)
      return error;
   if (getenv("GP_TRIAL_PRINT"))
      t->options.explain = &explained;
   t->program = gpc_compile(t->arena, t->b.shader, &t->options);
   if (t->options.explain)
      print_program(t, &explained);
   if (t->program->error)
      return t->program->error;
   error = check_program(t);
   return error ? error : simulate(t, outputs);
}
