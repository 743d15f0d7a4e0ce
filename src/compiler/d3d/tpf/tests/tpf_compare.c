/* SPDX-License-Identifier: MIT */
/*
 * Compares results of programs on random data, in the interpreter:
 *
 *   tpf_compare round FILE.spv...          SPIR-V, and what becomes of it as
 *                                          SM5 and back
 *   tpf_compare other FILE.dxbc FILE.spv   a container as we read it, and
 *                                          SPIR-V that another program made
 *                                          of it (bindings in the order of
 *                                          declarations, as vkd3d has them)
 *
 * Exit code 0: all are equal.
 */
#include <math.h>
#include <stdio.h>

#include "compiler/d3d/tpf/tests/tpf_run.h"
#include "compiler/d3d/tpf/tpf_to_nir.h"
#include "compiler/spirv/spirv_to_nir.h"

#define RUNS 8

static uint64_t state = 1;

static unsigned
pick(unsigned below)
{
   state = state * 6364136223846793005ull + 1442695040888963407ull;
   return (unsigned)(state >> 33) % below;
}

static bool
read_file(const char *path, struct util_dynarray *out)
{
   FILE *fp = fopen(path, "rb");
   char buf[4096];
   size_t n;

   if (!fp) {
      fprintf(stderr, "%s: cannot be read\n", path);
      return false;
   }
   while ((n = fread(buf, 1, sizeof(buf), fp)) > 0)
      memcpy(util_dynarray_grow_bytes(out, n), buf, n);
   fclose(fp);
   return true;
}

static nir_shader *
from_spirv(struct arena *arena, const char *path)
{
   const struct spirv_to_nir_options options = { .parent = arena };
   struct util_dynarray code = { 0 };
   struct spirv_error error = { 0 };
   gl_shader_stage stage;
   const char *name;
   nir_shader *nir = NULL;

   if (!read_file(path, &code))
      return NULL;
   if (spirv_get_entry_point(code.data, code.size_B / 4, 0, &stage, &name))
      nir = spirv_to_nir(code.data, code.size_B / 4, NULL, 0, stage, name,
                         &options, &error);
   if (!nir) {
      fprintf(stderr, "%s: word %zu: %s\n", path, error.word_offset,
              error.message);
      return NULL;
   }
   nir_inline_functions(nir);
   nir_remove_non_entrypoints(nir);
   nir_lower_system_values(nir);
   util_dynarray_fini(&code);
   return nir;
}

/* Small whole numbers, as integers and as floats. */
static void
fill(struct tpf_run *run)
{
   memset(run, 0, sizeof(*run));
   for (unsigned l = 0; l < TPF_RUN_LANES; l++) {
      for (unsigned s = 0; s < NIR_INTERP_SLOTS; s++) {
         for (unsigned c = 0; c < 4; c++)
            run->in[l][s][c] = util_float_bits((float)pick(65) / 8 - 4);
      }
   }
   for (unsigned i = 0; i < TPF_RUN_BUFFERS; i++) {
      for (unsigned k = 0; k < TPF_RUN_WORDS; k++) {
         run->ubo[i][k] = util_float_bits((float)pick(65) / 8 - 4);
         run->ssbo[i][k] = pick(2) ? pick(9)
                                   : util_float_bits((float)pick(9) - 4);
      }
   }
}

static int
differ(const char *path, nir_shader *a, nir_shader *b, const char *what)
{
   if (getenv("TPF_COMPARE_PRINT")) {
      nir_print_shader(a, stderr);
      nir_print_shader(b, stderr);
   }
   fprintf(stderr, "%s: %s\n", path, what);
   return 1;
}

static int
compare(const char *path, struct arena *arena, nir_shader *a, nir_shader *b,
        const struct tpf_interface *interface_a,
        const struct tpf_interface *interface_b, bool b_by_order)
{
   static struct tpf_run x, y;
   const char *fault;

   for (unsigned n = 0; n < RUNS; n++) {
      fill(&x);
      y = x;
      x.interface = interface_a;
      y.interface = interface_b;
      y.by_order = b_by_order;
      fault = tpf_run(&x, a, arena);
      if (!fault)
         fault = tpf_run(&y, b, arena);
      if (!fault)
         fault = tpf_run_compare(&x, &y, arena);
      if (fault)
         return differ(path, a, b, fault);
   }
   return 0;
}

static int
compare_round(const char *path)
{
   static struct tpf_interface interface;
   struct arena *arena = arena_create(NULL);
   struct util_dynarray code = { 0 };
   struct d3d_error error = { 0 };
   nir_shader *nir = from_spirv(arena, path), *copy, *back;
   enum tpf_stage stage;
   int result = 1;

   if (!nir)
      return 1;
   stage = nir->info.stage == MESA_SHADER_COMPUTE    ? TPF_STAGE_CS
           : nir->info.stage == MESA_SHADER_FRAGMENT ? TPF_STAGE_PS
                                                     : TPF_STAGE_VS;
   copy = nir_shader_clone(arena, nir);
   back = tpf_run_round(arena, copy, stage, &interface, &code, &error);
   if (!back)
      fprintf(stderr, "%s: %s\n", path, error.text);
   else
      result = compare(path, arena, nir, back, NULL, &interface,
                       false);
   util_dynarray_fini(&code);
   arena_destroy(arena);
   return result;
}

/* --- The translation of another program --------------------------------- */

/* Its n-th declared resource has binding n. */
static void
other_interface(const struct tpf_shader *shader, struct tpf_interface *ours,
                struct tpf_interface *theirs)
{
   for (size_t i = 0; i < shader->num_insts; i++) {
      const struct tpf_inst *inst = &shader->inst[i];
      struct tpf_binding *b = &ours->binding[ours->num_bindings];
      const unsigned reg = inst->operand[0].index[0].imm;
      if (tpf_op_info(inst->op)->sem != TPF_SEM_DECL || !inst->num_operands)
         continue;
      switch (inst->operand[0].file) {
      case TPF_FILE_CB: b->kind = TPF_BIND_CB; break;
      case TPF_FILE_S: b->kind = TPF_BIND_SAMPLER; break;
      case TPF_FILE_T: b->kind = TPF_BIND_SRV; break;
      case TPF_FILE_U: b->kind = TPF_BIND_UAV; break;
      default: continue;
      }
      b->first = reg;
      b->count = 1;
      /* The buffer: u0, u1, then t0, t1. */
      b->binding = b->kind == TPF_BIND_SRV ? 2 + reg : reg;
      theirs->binding[theirs->num_bindings] = *b;
      ours->num_bindings++;
      theirs->num_bindings++;
   }
}

static int
compare_other(const char *dxbc, const char *spv)
{
   static struct tpf_interface ours, theirs;
   struct arena *arena = arena_create(NULL);
   const struct tpf_to_nir_options options = { .parent = arena };
   struct util_dynarray bytes = { 0 };
   const struct dxbc_chunk *chunk = NULL;
   struct tpf_shader *shader = NULL;
   struct d3d_error error = { 0 };
   nir_shader *a = NULL, *b;
   struct dxbc c;

   if (!read_file(dxbc, &bytes))
      return 1;
   if (dxbc_read(bytes.data, bytes.size_B, &c, &error))
      chunk = dxbc_find_program(&c, &error);
   if (chunk)
      shader = tpf_decode(arena, chunk->data, chunk->size_B, chunk->offset_B,
                          &error);
   if (shader && tpf_validate(shader, &error))
      a = tpf_to_nir(shader, &c, &options, &error);
   if (!a) {
      fprintf(stderr, "%s: %s\n", dxbc, error.text);
      return 1;
   }
   b = from_spirv(arena, spv);
   if (!b)
      return 1;
   other_interface(shader, &ours, &theirs);
   const int result = compare(dxbc, arena, a, b, &ours, &theirs,
                              true);
   util_dynarray_fini(&bytes);
   arena_destroy(arena);
   return result;
}

int
main(int argc, char **argv)
{
   int result = 0;

   if (argc == 4 && !strcmp(argv[1], "other"))
      return compare_other(argv[2], argv[3]);
   if (argc < 3 || strcmp(argv[1], "round"))
      return 2;
   for (int i = 2; i < argc; i++)
      result |= compare_round(argv[i]);
   return result;
}
