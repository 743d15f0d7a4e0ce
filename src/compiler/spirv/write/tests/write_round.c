/* SPDX-License-Identifier: MIT */
/*
 * Shaders written as SPIR-V and read back do what they did, on random data in
 * the interpreter.
 *
 *   spirv_write [-o DIRECTORY] [-n RANDOM] [-s SEED] [-a] FILE...
 *
 * -a: each opcode of NIR at each size, with one and three components; what is
 * refused is what SPIR-V does not have.
 *
 * A file is a module of SPIR-V, or text in which a line is a container of
 * Direct3D 10 or 11, or bytecode of Direct3D 9 behind a "=". Modules that are
 * written go to the directory. A line for each shader that is not equal or is
 * refused, and how many there were. Exit code 0: all that were written are
 * equal, and something was.
 */
#include <stdio.h>
#include <unistd.h>

#include "compiler/d3d/d3dbc/d3dbc_to_nir.h"
#include "compiler/d3d/tpf/tests/tpf_run.h"
#include "compiler/d3d/tpf/tests/tpf_stage.h"
#include "compiler/d3d/tpf/tpf_to_nir.h"
#include "compiler/nir/tests/random_shader.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "compiler/spirv/write/spirv_write.h"
#include "compiler/spirv/write/tests/write_opcodes.h"

#define RUNS 4
#define MAX_STEPS 2000 /* blocks */
#define MAX_DW (1u << 16)

static uint64_t state = 1;
static const char *directory;
static unsigned equal, refused, different;

static unsigned
pick(unsigned below)
{
   state = state * 6364136223846793005ull + 1442695040888963407ull;
   return (unsigned)(state >> 33) % below;
}

static uint32_t
some_float(void)
{
   return util_float_bits((float)pick(65) / 8 - 4);
}

/* --- Data --------------------------------------------------------------- */

static void
fill(struct tpf_run *run, bool integers)
{
   memset(run, 0, sizeof(*run));
   run->max_steps = MAX_STEPS;
   for (unsigned l = 0; l < TPF_RUN_LANES; l++) {
      for (unsigned s = 0; s < NIR_INTERP_SLOTS; s++) {
         for (unsigned c = 0; c < 4; c++)
            run->in[l][s][c] = some_float();
      }
   }
   for (unsigned i = 0; i < TPF_RUN_BUFFERS; i++) {
      for (unsigned k = 0; k < TPF_RUN_WORDS; k++) {
         run->ubo[i][k] = integers ? pick(9) : some_float();
         run->ssbo[i][k] = pick(2) ? pick(9) : some_float();
      }
   }
}

static void
fill_stage(struct tpf_stage_run *run)
{
   nir_interp_slot *slot = run->in[0][0];

   memset(run, 0, sizeof(*run));
   for (unsigned i = 0; i < sizeof(run->in) / sizeof(*slot); i++) {
      for (unsigned c = 0; c < 4; c++)
         slot[i][c] = some_float();
   }
   for (unsigned i = 0; i < TPF_RUN_BUFFERS; i++) {
      for (unsigned k = 0; k < TPF_RUN_WORDS; k++)
         run->ubo[i][k] = some_float();
   }
   for (unsigned l = 0; l < TPF_STAGE_LANES; l++) {
      for (unsigned c = 0; c < 3; c++)
         run->coord[l][c] = (float)pick(17) / 16;
   }
   run->instance = pick(3);
}

static bool
endless(const char *fault)
{
   return fault && strstr(fault, "endless loop");
}

static bool
is_of_primitives(const nir_shader *nir)
{
   return nir->info.stage == MESA_SHADER_GEOMETRY ||
          nir->info.stage == MESA_SHADER_TESS_CTRL ||
          nir->info.stage == MESA_SHADER_TESS_EVAL;
}

/* Data with which both sides loop for too long says nothing, and takes long:
 * constants are integers first. */
static const char *
run_both(struct arena *arena, nir_shader *a, nir_shader *b, unsigned n,
         bool *ends)
{
   static struct tpf_run x, y;
   const char *fault, *other;

   fill(&x, !(n & 1));
   y = x;
   fault = tpf_run(&x, a, arena);
   other = tpf_run(&y, b, arena);
   *ends = !endless(fault) || !endless(other);
   if (fault && other && (!*ends || !strcmp(fault, other)))
      return NULL;
   return fault ? fault : other ? other : tpf_run_compare(&x, &y, arena);
}

static const char *
run_both_stages(struct arena *arena, nir_shader *a, nir_shader *b)
{
   static struct tpf_stage_run x, y;
   const char *fault, *other;

   fill_stage(&x);
   y = x;
   fault = tpf_stage_run(&x, a, arena);
   other = tpf_stage_run(&y, b, arena);
   if (fault && other && !strcmp(fault, other))
      return NULL;
   return fault ? fault : other ? other : tpf_stage_compare(&x, &y, arena);
}

/* --- One shader --------------------------------------------------------- */

static void
save(const struct util_dynarray *words)
{
   static unsigned number;
   char path[512];
   FILE *f;

   if (!directory)
      return;
   snprintf(path, sizeof(path), "%s/%04u.spv", directory, number++);
   f = fopen(path, "wb");
   if (!f || fwrite(words->data, words->size_B, 1, f) != 1 || fclose(f)) {
      perror(path);
      exit(2);
   }
}

static void
prepare(nir_shader *nir)
{
   nir_inline_functions(nir);
   nir_remove_non_entrypoints(nir);
   nir_lower_system_values(nir);
   nir_lower_vars_to_explicit_types(nir, nir_var_mem_shared,
                                    glsl_get_natural_size_align_bytes);
}

/* A few buffers stand for all. */
static void
renumber(nir_shader *nir)
{
   nir_foreach_variable_in_shader(var, nir) {
      if (var->data.mode & (nir_var_mem_ubo | nir_var_mem_ssbo |
                            nir_var_uniform | nir_var_image)) {
         var->data.binding %= TPF_RUN_BUFFERS;
         var->data.descriptor_set = 0;
      }
   }
}

static bool
has_line(nir_shader *nir, const nir_location *wanted)
{
   nir_foreach_block(block, nir_entry_point(nir)) {
      nir_foreach_instr(instr, block) {
         const nir_location *at = nir_instr_location(nir, instr);
         if (at && at->line == wanted->line && at->column == wanted->column &&
             !strcmp(at->file->name, wanted->file->name))
            return true;
      }
   }
   return false;
}

/* What is computed comes from a line of the original, if that has any. */
static const char *
lines_differ(struct arena *arena, nir_shader *nir, nir_shader *back)
{
   unsigned known = 0;

   nir_foreach_block(block, nir_entry_point(back)) {
      nir_foreach_instr(instr, block) {
         const nir_location *at = nir_instr_location(back, instr);
         if (at && !has_line(nir, at))
            return arena_printf(arena, "line %u is not of the source",
                                at->line);
         known += at != NULL;
      }
   }
   return nir->num_locations > 1 && !known ? "no lines" : NULL;
}

static const char *
differs(struct arena *arena, nir_shader *nir,
        const struct util_dynarray *words)
{
   const struct spirv_to_nir_options options = { .parent = arena };
   struct spirv_error error = { 0 };
   bool ends = true;
   const char *fault = NULL;
   nir_shader *back = spirv_to_nir(words->data, words->size_B / 4, NULL, 0,
                                   nir->info.stage, "main", &options, &error);

   if (!back)
      return arena_printf(arena, "word %zu: %s", error.word_offset,
                          error.message);
   fault = lines_differ(arena, nir, back);
   nir = nir_shader_clone(arena, nir);
   prepare(nir);
   prepare(back);
   for (unsigned n = 0; n < RUNS && !fault && ends; n++)
      fault = is_of_primitives(nir) ? run_both_stages(arena, nir, back)
                                    : run_both(arena, nir, back, n, &ends);
   if (fault && getenv("SPIRV_WRITE_PRINT")) {
      nir_print_shader(nir, stderr);
      nir_print_shader(back, stderr);
   }
   return fault;
}

static void
check(struct arena *arena, nir_shader *nir, const char *name, unsigned at)
{
   const struct spirv_write_options options = { .saturate = true };
   struct util_dynarray words = { 0 };
   char error[256];

   renumber(nir);
   if (!nir_to_spirv(nir, &options, &words, error, sizeof(error))) {
      printf("%s:%u: refused: %s\n", name, at, error);
      refused++;
   } else {
      const char *fault = differs(arena, nir, &words);
      if (fault)
         printf("%s:%u: %s\n", name, at, fault);
      save(&words);
      *(fault ? &different : &equal) += 1;
   }
   util_dynarray_fini(&words);
}

/* --- Files -------------------------------------------------------------- */

static nir_shader *
from_spirv(struct arena *arena, const uint32_t *words, size_t n)
{
   const struct spirv_to_nir_options options = { .parent = arena };
   struct spirv_error error;
   gl_shader_stage stage;
   const char *name;

   return spirv_get_entry_point(words, n, 0, &stage, &name)
             ? spirv_to_nir(words, n, NULL, 0, stage, name, &options, &error)
             : NULL;
}

static nir_shader *
from_bytecode(struct arena *arena, const uint32_t *words, size_t n)
{
   const struct d3dbc_to_nir_options old = { .parent = arena };
   const struct tpf_to_nir_options options = { .parent = arena };
   const struct dxbc_chunk *chunk;
   struct d3dbc_shader *d3dbc;
   struct tpf_shader *tpf;
   struct d3d_error error;
   struct dxbc c;

   if (!dxbc_is_dxbc(words, n * 4)) {
      d3dbc = d3dbc_decode(arena, words, n * 4, &error);
      return d3dbc && d3dbc_validate(d3dbc, &error)
                ? d3dbc_to_nir(d3dbc, &old, &error)
                : NULL;
   }
   if (!dxbc_read(words, n * 4, &c, &error))
      return NULL;
   chunk = dxbc_find_program(&c, &error);
   tpf = chunk ? tpf_decode(arena, chunk->data, chunk->size_B,
                            chunk->offset_B, &error)
               : NULL;
   return tpf && tpf_validate(tpf, &error)
             ? tpf_to_nir(tpf, &c, &options, &error)
             : NULL;
}

/* Lines of dwords; what our readers refuse has tests of its own. */
static void
check_text(const char *path, FILE *f)
{
   static char line[MAX_DW * 9 + 16];
   static uint32_t words[MAX_DW];

   for (unsigned at = 1; fgets(line, sizeof(line), f); at++) {
      struct arena *arena = arena_create(NULL);
      char *s = line[0] == '=' ? line + 1 : line, *end;
      nir_shader *nir;
      size_t n = 0;
      for (; n < MAX_DW; s = end) {
         words[n] = (uint32_t)strtoul(s, &end, 16);
         if (end == s)
            break;
         n++;
      }
      nir = n > 1 ? from_bytecode(arena, words, n) : NULL;
      if (nir)
         check(arena, nir, path, at);
      arena_destroy(arena);
   }
}

static void
check_file(const char *path)
{
   static uint32_t words[MAX_DW];
   FILE *f = fopen(path, "rb");
   const char *end = strrchr(path, '.');
   struct arena *arena;
   nir_shader *nir;
   size_t n;

   if (!f) {
      perror(path);
      exit(2);
   }
   if (end && !strcmp(end, ".txt")) {
      check_text(path, f);
   } else {
      n = fread(words, 4, MAX_DW, f);
      arena = arena_create(NULL);
      nir = from_spirv(arena, words, n);
      if (nir)
         check(arena, nir, path, 0);
      else
         printf("%s: cannot be read\n", path);
      different += !nir;
      arena_destroy(arena);
   }
   fclose(f);
}

/* --- Random shaders ----------------------------------------------------- */

/* SPIR-V rounds towards zero by a mode alone, and GLSL.std.450 has no such
 * functions of doubles. */
static bool
takes(nir_op op, unsigned bits)
{
   switch (op) {
   case nir_op_fadd_rtz:
   case nir_op_fmul_rtz:
   case nir_op_f2f32_rtz: return false;
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fsin:
   case nir_op_fcos: return bits == 32;
   default: return true;
   }
}

/* As a vertex shader, which has outputs of doubles. */
static void
check_random(uint64_t seed)
{
   struct arena *arena = arena_create(NULL);
   nir_shader *nir = random_shader(seed, NULL, takes);
   int slot = VARYING_SLOT_VAR0;

   nir->info.stage = MESA_SHADER_VERTEX;
   nir_foreach_variable_in_shader(var, nir)
      var->data.location =
         var->data.mode == nir_var_shader_in ? VERT_ATTRIB_GENERIC0 : slot++;
   check(arena, nir, "random", (unsigned)seed);
   nir_shader_destroy(nir);
   arena_destroy(arena);
}

static void
check_opcode(nir_op op, unsigned bits, unsigned components)
{
   struct arena *arena = arena_create(NULL);
   nir_shader *nir = write_opcode_shader(arena, op, bits, components);
   const unsigned before = refused;
   bool wanted;

   if (nir) {
      check(arena, nir, nir->info.name, bits);
      wanted = write_opcode_is_refused(op, bits);
      if ((refused > before) != wanted) {
         printf("%s:%u: %s\n", nir->info.name, bits,
                wanted ? "is written" : "is refused");
         different++;
      }
      refused = before;
      nir_shader_destroy(nir);
   }
   arena_destroy(arena);
}

static void
check_opcodes(void)
{
   static const unsigned sizes[] = { 1, 8, 16, 32, 64 };

   for (unsigned op = 0; op < nir_num_opcodes; op++) {
      for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
         check_opcode((nir_op)op, sizes[i], 1);
         check_opcode((nir_op)op, sizes[i], 3);
      }
   }
}

int
main(int argc, char **argv)
{
   unsigned long random = 0, seed = 1;
   bool opcodes = false;
   int c;

   while ((c = getopt(argc, argv, "o:n:s:a")) != -1) {
      switch (c) {
      case 'o': directory = optarg; break;
      case 'n': random = strtoul(optarg, NULL, 10); break;
      case 'a': opcodes = true; break;
      case 's': seed = strtoul(optarg, NULL, 10); break;
      default: return 2;
      }
   }
   for (int i = optind; i < argc; i++)
      check_file(argv[i]);
   for (unsigned long i = 0; i < random; i++)
      check_random(seed + i);
   if (opcodes)
      check_opcodes();
   printf("%u equal, %u refused, %u different\n", equal, refused, different);
   return different || !equal;
}
