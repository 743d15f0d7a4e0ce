/* SPDX-License-Identifier: MIT */
/*
 * gp_check_spirv [--integers=N] [--scale=F] FILE...: vertex shaders as SPIR-V
 * through the compiler, the checker, and the simulator against the
 * interpreter of NIR, on made-up attributes and uniforms: floats times F,
 * integers small or all N. One line for each file, with processor time:
 *
 *    ok COUNT MICROSECONDS FILE       equal
 *    refused FILE: REASON             the compiler says that it cannot
 *    WRONG FILE: WHAT
 *
 * Exit code 1 if one is wrong.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "arm/utgard/gp/gp_compiler.h"
#include "arm/utgard/isa/gp_check.h"
#include "arm/utgard/sim/gp_sim.h"
#include "compiler/nir/nir_interp.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "util/dynarray.h"

#define VERTICES 4
#define MAX_BUFFERS 16
#define MAX_DECLARED 4096 /* vec4 of uniforms, used or not */
/* Relative to the larger of one and the value: tables, and sums in another
 * order. */
#define TOLERANCE 2e-3f

struct shader {
   struct arena *arena;
   const char *path;
   nir_shader *nir;
   struct gpc_program *program;
   double us;
   /* Twice: as the interpreter and as the machine has them. */
   uint8_t *memory[MAX_BUFFERS];
   unsigned size_B[MAX_BUFFERS], num_buffers;
   float machine[MAX_DECLARED][4];
   nir_interp_slot inputs[VERTICES][NIR_INTERP_SLOTS];
   float attributes[VERTICES][GP_NUM_ATTRIBUTES][4];
   uint64_t rng;
   float scale;
   int integers; /* -1: small ones */
};

static float
random_float(struct shader *s)
{
   s->rng = s->rng * 6364136223846793005ull + 1442695040888963407ull;
   return s->scale * ((float)((int)(s->rng >> 40) % 2000) / 512.0f + 0.25f);
}

/* One value in both forms; integers are small. */
static uint32_t
make_value(struct shader *s, enum glsl_base_type base, float *machine)
{
   const float f = random_float(s);

   if (base == GLSL_TYPE_FLOAT) {
      *machine = f;
      return util_float_bits(f);
   }
   *machine = s->integers < 0 ? floorf(f) : (float)s->integers;
   return (uint32_t)*machine;
}

/* ---- memory ---- */

static void
fill(struct shader *s, const struct glsl_type *t, uint8_t *memory,
     unsigned offset, unsigned size, unsigned first)
{
   if (glsl_type_is_struct_or_ifc(t)) {
      for (unsigned i = 0; i < glsl_get_length(t); i++)
         fill(s, glsl_get_struct_field(t, i), memory,
              offset + (unsigned)glsl_get_struct_field_offset(t, i), size,
              first);
   } else if (glsl_type_is_array(t) || glsl_type_is_matrix(t)) {
      const struct glsl_type *e = glsl_get_array_element(t);
      /* A row-major matrix has its rows where others have columns. */
      for (unsigned i = 0; i < glsl_get_length(t); i++)
         fill(s, e, memory,
              offset + i * (glsl_type_is_matrix(t) &&
                                  glsl_matrix_type_is_row_major(t)
                               ? 4
                               : glsl_get_explicit_stride(t)),
              size, first);
   } else {
      const unsigned step =
         glsl_get_explicit_stride(t) ? glsl_get_explicit_stride(t) : 4;
      for (unsigned c = 0; c < glsl_get_components(t); c++) {
         const unsigned at = offset + c * step;
         float machine = 0;
         if (at + 4 > size || first * 16 + at + 4 > sizeof(s->machine))
            return;
         const uint32_t bits = make_value(s, glsl_get_base_type(t), &machine);
         memcpy(memory + at, &bits, 4);
         memcpy((uint8_t *)s->machine + first * 16 + at, &machine, 4);
      }
   }
}

static unsigned
block_size_B(const struct glsl_type *t)
{
   unsigned size = 0;

   for (unsigned i = 0; i < glsl_get_length(t); i++) {
      const unsigned end =
         (unsigned)glsl_get_struct_field_offset(t, i) +
         glsl_get_explicit_size(glsl_get_struct_field(t, i), false);
      size = MAX2(size, end);
   }
   return ALIGN(size, 16u);
}

/* Blocks in the order in which the compiler lays them out. */
static bool
make_memory(struct shader *s)
{
   unsigned first = 0;

   nir_foreach_variable_with_modes(var, s->nir, nir_var_mem_ubo) {
      if (s->num_buffers == MAX_BUFFERS ||
          !glsl_type_is_struct_or_ifc(var->type))
         return false;
      const unsigned i = s->num_buffers++;
      s->size_B[i] = block_size_B(var->type);
      s->memory[i] = arena_alloc(s->arena, s->size_B[i]);
      fill(s, var->type, s->memory[i], 0, s->size_B[i], first);
      first += s->size_B[i] / 16;
      var->data.binding = i;
   }
   return true;
}

static void
make_inputs(struct shader *s)
{
   nir_foreach_variable_with_modes(var, s->nir, nir_var_shader_in) {
      const unsigned n = glsl_count_vec4_slots(var->type, false, false);
      const enum glsl_base_type base =
         glsl_get_base_type(glsl_without_array(var->type));
      const unsigned first =
         (unsigned)(var->data.location - VERT_ATTRIB_GENERIC0);
      for (unsigned k = 0; k < VERTICES * n * 4; k++) {
         const unsigned v = k / 4 / n, slot = k / 4 % n;
         if (first + slot < GP_NUM_ATTRIBUTES)
            s->inputs[v][var->data.location + (int)slot][k % 4] =
               make_value(s, base, &s->attributes[v][first + slot][k % 4]);
      }
   }
}

/* ---- comparing ---- */

static const char *
compare_output(struct shader *s, const nir_variable *var,
               const nir_interp_slot *want, struct gp_sim *sim)
{
   const bool is_float = glsl_get_base_type(glsl_without_array(var->type)) ==
                         GLSL_TYPE_FLOAT;
   const unsigned n = glsl_count_vec4_slots(var->type, false, false);
   float got[4];

   for (unsigned i = 0; i < n; i++) {
      const unsigned slot = (unsigned)var->data.location + i;
      const unsigned mask =
         gp_sim_varying(sim, s->program->varying[slot], got);
      const unsigned comp = s->program->varying_comp[slot];
      for (unsigned c = 0; c + comp < 4; c++) {
         const float f = is_float ? util_bits_float(want[slot][c])
                                  : (float)(int32_t)want[slot][c];
         if (!(mask >> (c + comp) & 1) || !isfinite(f) || fabsf(f) > 1e6f ||
             slot == VARYING_SLOT_PSIZ)
            continue;
         if (!(fabsf(f - got[c + comp]) <= TOLERANCE * fmaxf(1, fabsf(f))))
            return arena_printf(s->arena, "slot %u.%c: %.9g for %.9g", slot,
                                "xyzw"[c], got[c + comp], f);
      }
   }
   return NULL;
}

static const char *
run_vertex(struct shader *s, nir_shader *built, struct gp_sim *sim,
           unsigned v)
{
   nir_interp_slot *want =
      arena_new_array(s->arena, nir_interp_slot, NIR_INTERP_SLOTS);
   struct nir_interp_buffer ubos[MAX_BUFFERS];
   struct nir_interp_params params = {
      .num_lanes = 1,
      .inputs = s->inputs[v],
      .outputs = want,
      .ubos = ubos,
      .num_ubos = s->num_buffers,
   };

   for (unsigned i = 0; i < s->num_buffers; i++)
      ubos[i] = (struct nir_interp_buffer) { s->memory[i], s->size_B[i] };
   const char *error = nir_interp_run(built, &params, s->arena);
   if (error)
      return NULL; /* a faulty shader tells nothing */
   for (unsigned i = 0; i < GP_NUM_ATTRIBUTES; i++)
      gp_sim_set_attribute(sim, i, s->attributes[v][i]);
   if (!gp_sim_run(sim)) {
      struct strbuf text = { 0 };
      gp_sim_print_trap(gp_sim_trap(sim), &text);
      error = arena_strdup(s->arena, strbuf_str(&text));
      strbuf_fini(&text);
      return error;
   }
   nir_foreach_variable_with_modes(var, built, nir_var_shader_out) {
      if (!error)
         error = compare_output(s, var, want, sim);
   }
   return error;
}

static const char *
check_words(struct shader *s)
{
   const struct gpc_program *p = s->program;
   const struct gp_check_options options = {
      .first_temp = p->first_temp,
      .known = p->literals,
      .known_first = p->first_literal,
      .known_count = p->num_literals,
   };
   struct gp_violation v;
   struct strbuf text = { 0 };

   if (!gp_check_program(p->instrs, p->count, &options, &v, 1))
      return NULL;
   gp_print_violation(&v, &text);
   const char *error = arena_strdup(s->arena, strbuf_str(&text));
   strbuf_fini(&text);
   return error;
}

static const char *
run_all(struct shader *s, nir_shader *built)
{
   const struct gp_sim_config config = { .tables = GP_SIM_TABLES_EXACT };
   const struct gpc_program *p = s->program;
   struct gp_sim *sim = gp_sim_create(&config);
   const char *error = check_words(s);

   for (unsigned i = 0; i < p->num_uniforms; i++) {
      if (p->uniform_source[i] < MAX_DECLARED)
         gp_sim_set_uniforms(
            sim, i, (const float(*)[4])s->machine + p->uniform_source[i], 1);
   }
   gp_sim_set_uniforms(sim, p->first_literal, p->literals, p->num_literals);
   gp_sim_set_temporaries(sim, p->first_temp, p->num_temps);
   if (!error && !gp_sim_load(sim, p->instrs, p->count))
      error = "the simulator does not load it";
   for (unsigned v = 0; v < VERTICES && !error; v++)
      error = run_vertex(s, built, sim, v);
   gp_sim_destroy(sim);
   return error;
}

/* ---- files ---- */

static bool
read_file(const char *path, struct util_dynarray *data)
{
   FILE *fp = fopen(path, "rb");
   char buffer[4096];
   size_t n;

   while (fp && (n = fread(buffer, 1, sizeof(buffer), fp)))
      memcpy(util_dynarray_grow_bytes(data, n), buffer, n);
   if (!fp)
      return false;
   fclose(fp);
   return true;
}

static double
now_us(void)
{
   struct timespec t;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* Whether the file is wrong. */
static bool
check(struct shader *s, const struct util_dynarray *data)
{
   const struct spirv_to_nir_options opts = { .parent = s->arena,
                                              .nir = &gpc_nir_options };
   const struct gpc_options options = { .effort = 1, .no_viewport = true };
   struct spirv_error err = { 0 };

   s->nir = spirv_to_nir(data->data, data->size_B / 4, NULL, 0,
                         MESA_SHADER_VERTEX, "main", &opts, &err);
   if (!s->nir) {
      printf("refused %s: %s\n", s->path, err.message);
      return false;
   }
   const bool can_run = make_memory(s);
   make_inputs(s);
   nir_shader *built = nir_shader_clone(s->arena, s->nir);
   const double start = now_us();
   s->program = gpc_compile(s->arena, s->nir, &options);
   s->us = now_us() - start;
   if (s->program->error) {
      printf("refused %s: %s\n", s->path, s->program->error);
      return false;
   }
   const char *error = can_run ? run_all(s, built) : check_words(s);
   if (error)
      printf("WRONG %s: %s\n", s->path, error);
   else
      printf("ok %u %.0f %s\n", s->program->count, s->us, s->path);
   return error != NULL;
}

int
main(int argc, char **argv)
{
   bool wrong = false;
   float scale = 1;
   int integers = -1;

   for (int i = 1; i < argc; i++) {
      if (!strncmp(argv[i], "--integers=", 11) ||
          !strncmp(argv[i], "--scale=", 8)) {
         const char *value = strchr(argv[i], '=') + 1;
         if (argv[i][2] == 'i')
            integers = atoi(value);
         else
            scale = strtof(value, NULL);
         continue;
      }
      struct arena *arena = arena_create(NULL);
      struct shader *s = arena_new(arena, struct shader);
      struct util_dynarray data = { 0 };
      s->arena = arena;
      s->path = argv[i];
      s->rng = 7;
      s->scale = scale;
      s->integers = integers;
      if (read_file(argv[i], &data)) {
         wrong |= check(s, &data);
      } else {
         fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
         wrong = true;
      }
      fflush(stdout);
      util_dynarray_fini(&data);
      arena_destroy(arena);
   }
   return wrong;
}
