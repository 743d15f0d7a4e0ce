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
 *   tpf_compare stage FILE.dxbc FILE.spv   a geometry, hull or domain shader,
 *                                          and the same as SPIR-V; with
 *                                          stage_other that of vkd3d
 *   tpf_compare digest FILE.dxbc           puts the right digest into it
 *   tpf_compare text FILE.dxbc             prints the program
 *
 * Exit code 0: all are equal.
 */
#include <math.h>
#include <stdio.h>

#include "compiler/d3d/tpf/tests/tpf_run.h"
#include "compiler/d3d/tpf/tests/tpf_stage.h"
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
   nir_lower_vars_to_explicit_types(nir, nir_var_mem_shared,
                                    glsl_get_natural_size_align_bytes);
   util_dynarray_fini(&code);
   return nir;
}

/* Small whole numbers, as integers and as floats; constants are integers in
 * every second run, so that loops that count to one end. */
static void
fill(struct tpf_run *run, bool integers)
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
         run->ubo[i][k] = integers ? pick(9)
                                   : util_float_bits((float)pick(65) / 8 - 4);
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

static bool
endless(const char *fault)
{
   return fault && strstr(fault, "endless loop");
}

/* Data with which both sides loop for too long to be awaited do not count. */
static int
compare(const char *path, struct arena *arena, nir_shader *a, nir_shader *b,
        const struct tpf_interface *interface_a,
        const struct tpf_interface *interface_b, bool b_by_order)
{
   static struct tpf_run x, y;
   const char *fault, *other;
   unsigned ended = 0;

   for (unsigned n = 0; n < RUNS; n++) {
      fill(&x, n & 1);
      y = x;
      x.interface = interface_a;
      y.interface = interface_b;
      y.by_order = b_by_order;
      fault = tpf_run(&x, a, arena);
      other = tpf_run(&y, b, arena);
      if (endless(fault) && endless(other))
         continue;
      if (!fault)
         fault = other;
      if (!fault)
         fault = tpf_run_compare(&x, &y, arena);
      if (fault)
         return differ(path, a, b, fault);
      ended++;
   }
   return ended ? 0 : differ(path, a, b, "both loop without an end");
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

/* A container that is right; its bytes stay in `bytes`. */
static struct tpf_shader *
read_container(struct arena *arena, const char *path,
               struct util_dynarray *bytes, struct dxbc *c)
{
   struct d3d_error error = { 0 };
   const struct dxbc_chunk *chunk = NULL;
   struct tpf_shader *shader = NULL;
   char buf[256];

   if (!read_file(path, bytes))
      return NULL;
   if (dxbc_read(bytes->data, bytes->size_B, c, &error))
      chunk = dxbc_find_program(c, &error);
   if (chunk)
      shader = tpf_decode(arena, chunk->data, chunk->size_B, chunk->offset_B,
                          &error);
   if (shader && tpf_validate(shader, &error)) {
      struct util_dynarray out = { 0 };
      tpf_encode(shader, &out);
      const bool same = out.size_B == chunk->size_B &&
                        !memcmp(out.data, chunk->data, out.size_B);
      util_dynarray_fini(&out);
      if (same)
         return shader;
      snprintf(error.text, sizeof(error.text), "encodes to other bytes");
   }
   fprintf(stderr, "%s: %s\n", path,
           d3d_error_text(&error, buf, sizeof(buf)));
   return NULL;
}

static nir_shader *
from_container(struct arena *arena, const char *path,
               const struct tpf_shader *shader, const struct dxbc *c)
{
   const struct tpf_to_nir_options options = { .parent = arena };
   struct d3d_error error = { 0 };
   char buf[256];
   nir_shader *nir = tpf_to_nir(shader, c, &options, &error);

   if (!nir)
      fprintf(stderr, "%s: %s\n", path,
              d3d_error_text(&error, buf, sizeof(buf)));
   return nir;
}

static int
compare_other(const char *dxbc, const char *spv)
{
   static struct tpf_interface ours, theirs;
   struct arena *arena = arena_create(NULL);
   struct util_dynarray bytes = { 0 };
   struct dxbc c;
   struct tpf_shader *shader = read_container(arena, dxbc, &bytes, &c);
   nir_shader *a = shader ? from_container(arena, dxbc, shader, &c) : NULL;
   nir_shader *b = a ? from_spirv(arena, spv) : NULL;
   int result = 1;

   if (b) {
      other_interface(shader, &ours, &theirs);
      result = compare(dxbc, arena, a, b, &ours, &theirs, true);
   }
   util_dynarray_fini(&bytes);
   arena_destroy(arena);
   return result;
}

/* --- Geometry, hull and domain shaders ---------------------------------- */

static void
fill_stage(struct tpf_stage_run *run)
{
   nir_interp_slot *slot = run->in[0][0];

   memset(run, 0, sizeof(*run));
   for (unsigned i = 0; i < sizeof(run->in) / sizeof(*slot); i++) {
      for (unsigned c = 0; c < 4; c++)
         slot[i][c] = util_float_bits((float)pick(65) / 8 - 4);
   }
   for (unsigned i = 0; i < TPF_RUN_BUFFERS; i++) {
      for (unsigned k = 0; k < TPF_RUN_WORDS; k++)
         run->ubo[i][k] = util_float_bits((float)pick(65) / 8 - 4);
   }
   for (unsigned l = 0; l < TPF_STAGE_LANES; l++) {
      for (unsigned c = 0; c < 3; c++)
         run->coord[l][c] = (float)pick(17) / 16;
   }
   run->instance = pick(3);
}

static const char *
compare_stages(struct arena *arena, nir_shader *a, nir_shader *b,
               const struct tpf_interface *b_order)
{
   static struct tpf_stage_run x, y;
   const char *fault = NULL;

   for (unsigned n = 0; n < RUNS && !fault; n++) {
      fill_stage(&x);
      y = x;
      y.interface = b_order;
      y.by_order = b_order != NULL;
      fault = tpf_stage_run(&x, a, arena);
      if (!fault)
         fault = tpf_stage_run(&y, b, arena);
      if (!fault)
         fault = tpf_stage_compare(&x, &y, arena);
   }
   return fault;
}

/* Modes of tessellation may stand in either stage of GLSL. */
static bool
same_modes(const struct shader_info *a, const struct shader_info *b,
           bool other)
{
   return a->stage == b->stage &&
          a->gs.input_primitive == b->gs.input_primitive &&
          a->gs.output_primitive == b->gs.output_primitive &&
          a->gs.vertices_in == b->gs.vertices_in &&
          a->gs.vertices_out == b->gs.vertices_out &&
          a->gs.invocations == b->gs.invocations &&
          (other || a->gs.uses_end_primitive == b->gs.uses_end_primitive) &&
          a->tess.tcs_vertices_out == b->tess.tcs_vertices_out &&
          (a->stage != MESA_SHADER_TESS_EVAL ||
           a->tess._primitive_mode == b->tess._primitive_mode);
}

static int
compare_stage(const char *dxbc, const char *spv, bool other)
{
   static struct tpf_interface ours, theirs;
   struct arena *arena = arena_create(NULL);
   struct util_dynarray bytes = { 0 };
   struct dxbc c;
   struct tpf_shader *shader = read_container(arena, dxbc, &bytes, &c);
   nir_shader *a = shader ? from_container(arena, dxbc, shader, &c) : NULL;
   nir_shader *b = a ? from_spirv(arena, spv) : NULL;
   const char *fault = NULL;

   if (b) {
      other_interface(shader, &ours, &theirs);
      if (!same_modes(&a->info, &b->info, other))
         fault = "other modes of the stage";
      else
         fault = compare_stages(arena, a, b, other ? &theirs : NULL);
      if (fault)
         differ(dxbc, a, b, fault);
   }
   util_dynarray_fini(&bytes);
   arena_destroy(arena);
   return b && !fault ? 0 : 1;
}

/* --- Written and read --------------------------------------------------- */

static int
compare_geometry(const char *path, struct arena *arena, nir_shader *a,
                 nir_shader *b)
{
   const char *fault = same_modes(&a->info, &b->info, true)
                          ? compare_stages(arena, a, b, NULL)
                          : "other modes of the stage";
   return fault ? differ(path, a, b, fault) : 0;
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
           : nir->info.stage == MESA_SHADER_GEOMETRY ? TPF_STAGE_GS
                                                     : TPF_STAGE_VS;
   copy = nir_shader_clone(arena, nir);
   back = tpf_run_round(arena, copy, stage, &interface, &code, &error);
   if (!back)
      fprintf(stderr, "%s: %s\n", path, error.text);
   else if (stage == TPF_STAGE_GS)
      result = compare_geometry(path, arena, nir, back);
   else
      result = compare(path, arena, nir, back, NULL, &interface, false);
   util_dynarray_fini(&code);
   arena_destroy(arena);
   return result;
}

/* --- Tools for the assembler of the tests ------------------------------- */

static int
put_digest(const char *path)
{
   struct util_dynarray bytes = { 0 };
   FILE *fp;

   if (!read_file(path, &bytes) || bytes.size_B < 32)
      return 1;
   dxbc_digest(bytes.data, bytes.size_B, (uint8_t *)bytes.data + 4);
   fp = fopen(path, "wb");
   const bool ok = fp && fwrite(bytes.data, bytes.size_B, 1, fp) == 1;
   if (fp)
      fclose(fp);
   util_dynarray_fini(&bytes);
   return !ok;
}

static int
print_text(const char *path)
{
   struct arena *arena = arena_create(NULL);
   struct util_dynarray bytes = { 0 };
   struct strbuf text = { 0 };
   struct dxbc c;
   struct tpf_shader *shader = read_container(arena, path, &bytes, &c);

   if (shader) {
      tpf_print(shader, &text);
      fputs(text.s, stdout);
   }
   strbuf_fini(&text);
   util_dynarray_fini(&bytes);
   arena_destroy(arena);
   return shader ? 0 : 1;
}

int
main(int argc, char **argv)
{
   int result = 0;

   if (argc == 4 && !strcmp(argv[1], "other"))
      return compare_other(argv[2], argv[3]);
   if (argc == 4 && !strncmp(argv[1], "stage", 5))
      return compare_stage(argv[2], argv[3], !strcmp(argv[1], "stage_other"));
   if (argc == 3 && !strcmp(argv[1], "digest"))
      return put_digest(argv[2]);
   if (argc == 3 && !strcmp(argv[1], "text"))
      return print_text(argv[2]);
   if (argc < 3 || strcmp(argv[1], "round"))
      return 2;
   for (int i = 2; i < argc; i++)
      result |= compare_round(argv[i]);
   return result;
}
