/* SPDX-License-Identifier: MIT */
/*
 * Mutated SPIR-V modules through the whole compiler: SPIR-V to NIR, the
 * driver's lowering of resources as saffron-compile does it, NIR passes, back
 * end. Each is compiled or refused: no crash, no hang, nothing that the
 * sanitizers find. All stages of OpenGL, and the generations in turn, or the
 * one of -g. With -g mali400 the back end is the one of that vertex
 * processor; what it makes must keep the processor's rules.
 *
 * With -e modules stay as they are but for their specialization constants,
 * all of which get each of a few extreme values, on each generation; each
 * module must compile (bounds.py makes such modules).
 *
 * The work is done in a child process, so that one fault is reported with
 * the number of its mutation and the next ones are still tried.
 *
 * usage: fuzz_compile [-t SECONDS] [-n MUTATIONS] [-f FIRST] [-s SEED]
 *                     [-o FILE] [-g GENERATION|mali400] [-e] MODULE.spv...
 * Without -n it ends after SECONDS (5). -o writes mutation FIRST to a file
 * instead of compiling anything.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arm/utgard/gp/gp_compiler.h"
#include "arm/utgard/isa/gp_check.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "compiler/spirv/tests/spirv_mutate.h"
#include "intel/compiler/intel_compiler.h"
#include "intel/dev/intel_device_info.h"
#include "intel/tools/compile_resources.h"

#define MAX_MODULES 256
#define NUM_GENS 4
#define MAX_FAULTS 20
/* For one mutation; sanitizers and busy machines are slow. */
#define HANG_S 20

enum outcome { COMPILED, REFUSED, NOT_COMPILED, OTHER_STAGE, NUM_OUTCOMES };

/* What the child tells the parent, in shared memory. */
struct progress {
   unsigned long at;
   unsigned long outcomes[NUM_OUTCOMES];
};

struct fuzz {
   struct arena *arena;
   struct spirv_module_words modules[MAX_MODULES];
   unsigned num;
   uint64_t seed;
   struct intel_compiler *compilers[NUM_GENS];
   unsigned num_gens;
   bool mali400, extremes;
   uint32_t *work;
};

static double
now(void)
{
   struct timespec t;

   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What indices are tried with; the first ones are in range. */
static const uint32_t extreme[] = {
   0,          1,        4,          5,         UINT32_MAX, 0xfffffff7,
   0x0fffffff, 1u << 28, 0x40000000, INT32_MAX, 1u << 31,
};

/* Each 32-bit specialization constant becomes `value`. */
static void
specialize(uint32_t *w, size_t n, uint32_t value)
{
   const uint32_t op_spec_constant = 50; /* SPIR-V, 3.49.7 */

   for (size_t at = 5; at < n && w[at] >> 16; at += w[at] >> 16) {
      if (w[at] == (op_spec_constant | 4u << 16) && at + 4 <= n)
         w[at + 3] = value;
   }
}

static const struct intel_compiler *
compiler_of(const struct fuzz *f, unsigned long i)
{
   return f->compilers[i / f->num % f->num_gens];
}

static size_t
make(struct fuzz *f, unsigned long i)
{
   const struct spirv_module_words *m = &f->modules[i % f->num];
   const unsigned long round = i / f->num;

   memcpy(f->work, m->words, m->n * 4);
   if (f->extremes)
      specialize(f->work, m->n,
                 extreme[round / f->num_gens % ARRAY_SIZE(extreme)]);
   /* The first rounds are of the modules themselves. */
   if (f->extremes || round < f->num_gens)
      return m->n;
   return spirv_mutate(f->work, m->n, (f->seed << 32) + i + 1);
}

/* A program that breaks a rule ends the child, like any other fault. */
static enum outcome
compile_mali400(nir_shader *nir, struct arena *arena)
{
   const struct gpc_options options = { .effort = 1 };
   const struct gpc_program *p = gpc_compile(arena, nir, &options);
   struct gp_violation v;

   if (p->error)
      return NOT_COMPILED;
   const struct gp_check_options check = {
      .first_temp = p->num_temps ? p->first_temp : GP_NUM_UNIFORMS,
      .known = p->literals,
      .known_first = p->first_literal,
      .known_count = p->num_literals,
   };
   if (gp_check_program(p->instrs, p->count, &check, &v, 1)) {
      struct strbuf text = { 0 };
      gp_print_violation(&v, &text);
      fprintf(stderr, "%s\n", text.s);
      strbuf_fini(&text);
      abort();
   }
   return COMPILED;
}

/* As saffron-compile has it: one colour, triangles, patches of three. */
static void
fill_key(gl_shader_stage stage, const nir_shader *nir, union intel_key *key)
{
   memset(key, 0, sizeof(*key));
   switch (stage) {
   case MESA_SHADER_TESS_CTRL:
      key->tcs.patch_vertices = 3;
      if (nir->info.tess._primitive_mode == TESS_PRIMITIVE_UNSPECIFIED)
         key->tcs.primitive_mode = TESS_PRIMITIVE_TRIANGLES;
      break;
   case MESA_SHADER_FRAGMENT:
      key->wm.nr_color_regions = 1;
      key->wm.color_outputs_valid = 1;
      break;
   case MESA_SHADER_COMPUTE: key->cs.num_workgroups_bti = 239; break;
   default: break;
   }
}

static enum outcome
compile(struct fuzz *f, const struct intel_compiler *compiler,
        struct arena *arena, size_t n)
{
   struct spirv_to_nir_options opts = { .parent = arena };
   struct spirv_error err = { 0 };
   gl_shader_stage stage;
   const char *name, *what;

   if (!spirv_get_entry_point(f->work, n, 0, &stage, &name))
      return REFUSED;
   if (stage > MESA_SHADER_COMPUTE ||
       (stage != MESA_SHADER_VERTEX && f->mali400))
      return OTHER_STAGE;
   opts.nir = f->mali400 ? &gpc_nir_options
                         : intel_compiler_nir_options(compiler);
   nir_shader *nir =
      spirv_to_nir(f->work, n, NULL, 0, stage, name, &opts, &err);
   if (!nir)
      return REFUSED;
   if (f->mali400)
      return compile_mali400(nir, arena);
   intel_preprocess_nir(compiler, nir);
   if (!compile_lower_resources(nir, 1, NULL, &what))
      return NOT_COMPILED;
   const struct intel_compile_params params = { .arena = arena, .nir = nir };
   union intel_key key;
   fill_key(stage, nir, &key);
   const struct intel_shader *sh = intel_compile(compiler, &params, &key);
   if (!sh->code && f->extremes)
      fprintf(stderr, "%s\n", sh->error);
   return sh->code ? COMPILED : NOT_COMPILED;
}

/* A compiler that hangs computes: time that it waits for a processor does not
 * count. SIGPROF ends it after so many seconds; never with 0. */
static void
limit_time(time_t seconds)
{
   const struct itimerval limit = { .it_value.tv_sec = seconds };

   setitimer(ITIMER_PROF, &limit, NULL);
}

static void
work(struct fuzz *f, struct progress *p, unsigned long first,
     unsigned long end, double until)
{
   for (unsigned long i = first; i < end && now() < until; i++) {
      struct arena *arena = arena_create(NULL);
      p->at = i;
      limit_time(HANG_S);
      const size_t n = make(f, i);
      const enum outcome outcome = compile(f, compiler_of(f, i), arena, n);
      p->outcomes[outcome]++;
      if (f->extremes && outcome != COMPILED)
         fprintf(stderr, "number %lu (module %lu) does not compile\n", i,
                 i % f->num);
      arena_destroy(arena);
   }
   limit_time(0);
   p->at++;
}

static int
write_module(struct fuzz *f, unsigned long i, const char *path)
{
   const size_t n = make(f, i);
   FILE *fp = fopen(path, "wb");
   bool ok = fp && fwrite(f->work, 4, n, fp) == n;

   if (fp && fclose(fp))
      ok = false;
   return ok ? 0 : 2;
}

static int
run(struct fuzz *f, unsigned long first, unsigned long end, double until)
{
   struct progress *p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   unsigned faults = 0;

   if (p == MAP_FAILED)
      return 2;
   p->at = first;
   while (p->at < end && now() < until && faults < MAX_FAULTS) {
      const pid_t pid = fork();
      int status;
      if (pid == 0) {
         work(f, p, p->at, end, until);
         _exit(0);
      }
      if (pid < 0 || waitpid(pid, &status, 0) < 0)
         return 2;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
         continue;
      fprintf(stderr, "mutation %lu of module %lu: %s\n", p->at,
              p->at % f->num,
              WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? "hangs"
                                                                 : "crashes");
      faults++;
      p->at++;
   }
   printf("seed %llu: mutations %lu to %lu, %lu compiled, %lu refused, "
          "%lu not compiled, %lu of other stages, %u faults\n",
          (unsigned long long)f->seed, first, p->at, p->outcomes[COMPILED],
          p->outcomes[REFUSED], p->outcomes[NOT_COMPILED],
          p->outcomes[OTHER_STAGE], faults);
   const bool all = p->outcomes[COMPILED] == p->at - first;
   munmap(p, sizeof(*p));
   return faults != 0 || (f->extremes && !all);
}

/* False: there is no such generation. */
static bool
add_generations(struct fuzz *f, const char *which)
{
   static const char *const gens[NUM_GENS] = { "skl", "bdw", "hsw", "ivb" };

   for (unsigned i = 0; i < NUM_GENS; i++) {
      if (!which || !strcmp(which, gens[i]))
         f->compilers[f->num_gens++] =
            intel_compiler_create(intel_device_info_by_name(gens[i]));
   }
   return f->num_gens;
}

int
main(int argc, char **argv)
{
   struct fuzz f = { .arena = arena_create(NULL), .seed = 1 };
   unsigned long count = 0, first = 0;
   const char *out = NULL, *gen = NULL;
   double seconds = 5;
   int c, result;

   while ((c = getopt(argc, argv, "t:n:f:s:o:g:e")) != -1) {
      switch (c) {
      case 't': seconds = atof(optarg); break;
      case 'n': count = strtoul(optarg, NULL, 10); break;
      case 'f': first = strtoul(optarg, NULL, 10); break;
      case 's': f.seed = strtoull(optarg, NULL, 10); break;
      case 'o': out = optarg; break;
      case 'g':
         f.mali400 = !strcmp(optarg, "mali400");
         gen = f.mali400 ? "skl" : optarg;
         break;
      case 'e': f.extremes = true; break;
      default: return 2;
      }
   }
   f.work = arena_new_array(f.arena, uint32_t, SPIRV_MUTATE_MAX_WORDS);
   for (int a = optind; a < argc && f.num < MAX_MODULES; a++) {
      if (!spirv_read_module(f.arena, argv[a], &f.modules[f.num++])) {
         fprintf(stderr, "cannot read %s\n", argv[a]);
         return 2;
      }
   }
   if (!f.num || !add_generations(&f, gen)) {
      fprintf(stderr, "usage: fuzz_compile [-t S] [-n N] [-f FIRST] "
                      "[-s SEED] [-o FILE] [-g GENERATION|mali400] [-e] "
                      "MODULE...\n");
      return 2;
   }
   if (f.extremes && !count)
      count = f.num * f.num_gens * ARRAY_SIZE(extreme);
   result = out ? write_module(&f, first, out)
                : run(&f, first, count ? first + count : ~0ul,
                      count ? 1e18 : now() + seconds);
   for (unsigned i = 0; i < f.num_gens; i++)
      intel_compiler_destroy(f.compilers[i]);
   arena_destroy(f.arena);
   return result;
}
