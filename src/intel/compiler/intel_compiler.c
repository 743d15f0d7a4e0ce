/* SPDX-License-Identifier: MIT */
/* The compiler object and the compilation of one shader. */
#include "intel_compiler.h"

#include "fs/fs_compile.h"
#include "vec4/vec4_compile.h"
#include "intel_compiler_private.h"
#include "intel_listing.h"
#include "intel_reasons.h"
#include "intel/dev/intel_scratch.h"
#include "intel/dev/intel_workaround.h"
#include "intel/compiler/stages/intel_push.h"
#include "util/guard.h"
#include "compiler/nir/nir_explain.h"

#define KERNEL_ALIGN_B 64
/* Instruction fetch runs ahead of the end (PRM SKL vol 7, "Instruction
 * Fetch"): zeros after the code. */
#define PREFETCH_PAD_B 128

struct intel_compiler *
intel_compiler_create(const struct intel_device_info *devinfo)
{
   struct intel_compiler *c = calloc(1, sizeof(*c));

   if (!c)
      return NULL;
   c->devinfo = devinfo;
   c->gen = isa_gen_from_number(devinfo->verx10);
   c->vec4_stages = intel_choose_vec4_stages(devinfo);
   intel_init_nir_options(c);
   return c;
}

void
intel_compiler_restore_builtins(struct intel_compiler *compiler)
{
   compiler->nir_options.restore_builtins = true;
}

void
intel_compiler_use_constant_data(struct intel_compiler *compiler)
{
   compiler->nir_options.has_constant_data = true;
}

uint32_t
intel_compiler_choices(const struct intel_compiler *compiler)
{
   return compiler->vec4_stages |
          (uint32_t)compiler->nir_options.restore_builtins << 7;
}

void
intel_compiler_destroy(struct intel_compiler *compiler)
{
   free(compiler);
}

/* ---- one shader ---- */

/* What can be tried: a back end, a number of channels, and whether parts of
 * uniform blocks are in registers when a thread starts. */
struct candidate {
   bool (*compile)(struct eu_shader *s, struct eu_binary *out);
   unsigned width;
   bool push_blocks;
   bool one_object;      /* eu_shader::one_object */
   bool few_registers;   /* eu_shader::few_registers */
   uint32_t most_spills; /* eu_shader::most_spills */
   uint64_t debug;       /* flags besides those of the job */
};

/* What became of a candidate. */
struct kernel {
   struct eu_shader *s;
   struct eu_binary bin;
   struct intel_stage_prog_data *pd;
   uint32_t grf_start; /* first GRF of its push constants */
   bool internal_error;
};

/* The kernels of a shader, the narrowest first. count 0: kernel[0].s says
 * why there is none. */
struct program {
   struct kernel kernel[2];
   unsigned count;
   struct intel_reasons reasons;
};

struct job {
   const struct intel_compiler *compiler;
   const struct intel_compile_params *params;
   const union intel_key *key;
   const struct stage *stage;
   struct intel_shader *shader;
   struct arena *tmp;
   FILE *log;
   bool print;
   uint64_t debug;
};

/* What is particular to a stage. Functions may be NULL. */
struct stage {
   const char *name;
   uint32_t debug; /* flag that prints it */
   size_t prog_data_size;
   bool pushes_blocks;
   bool keeps_narrow; /* beside a wider kernel */
   /* NIR lowering that depends on the key; why it cannot be compiled. */
   const char *(*prepare)(const struct job *job);
   /* The narrowest width; 8 without it. */
   unsigned (*width)(const struct job *job);
   /* Why twice the width cannot work, or does not pay; NULL: it may. Without
    * it threads have no more invocations. */
   const char *(*stays_narrow)(const struct job *job,
                               const struct kernel *narrow);
   /* The rest of the program data. */
   void (*finish)(const struct program *p, const uint32_t *offsets_B);
};

static void
fail(struct job *job, const char *why)
{
   job->shader->error = arena_strdup(job->params->arena, why);
   if (job->print)
      fprintf(job->log, "compilation failed: %s\n", why);
}

static void
lower_nir(struct job *job, nir_shader *nir)
{
   intel_lower_io_nir(job->compiler, nir);
   if (job->print) {
      fprintf(job->log, "NIR (SSA form) for %s shader:\n", job->stage->name);
      nir_print_shader(nir, job->log);
   }
   intel_postprocess_nir(job->compiler, nir);
   if (job->print) {
      fprintf(job->log, "NIR (final form) for %s shader:\n",
              job->stage->name);
      nir_print_shader(nir, job->log);
   }
}

/* ---- reasons ---- */

static void
say_narrow(const struct job *job, struct program *p, unsigned width,
           const char *why)
{
   if (!intel_uses_vec4(job->compiler, job->shader->stage))
      intel_reason_add(&p->reasons, INTEL_REASON_WIDTH, "no SIMD%u: %s",
                       width, why);
   else
      intel_reason_add(&p->reasons, INTEL_REASON_WIDTH, "SIMD4x2: %s",
                       job->compiler->devinfo->has_scalar_geometry
                          ? "INTEL_SCALAR_STAGES does not name the stage"
                          : "the chip starts no threads of eight vertices");
}

static void
say_spills(const struct job *job, struct program *p)
{
   for (unsigned i = 0; i < p->count; i++) {
      const struct eu_shader *s = p->kernel[i].s;
      if (s->spills || s->fills)
         intel_reason_add(
            &p->reasons, INTEL_REASON_SPILL,
            "SIMD%u: %u stores to scratch space, %u loads: %u registers are "
            "live at once, %u are there for them",
            s->dispatch_width, s->spills, s->fills, s->max_live_grf,
            EU_MAX_GRF - s->first_free_grf);
   }
}

/* What can be said of the program that was chosen. */
static void
finish_reasons(const struct job *job, struct program *p)
{
   const nir_shader *nir = job->params->nir;

   say_spills(job, p);
   intel_push_reasons(nir, p->kernel[0].pd,
                      !job->stage->pushes_blocks
                         ? "compute threads get no blocks in registers"
                      : job->debug & INTEL_DEBUG_NOPUSH ? "INTEL_DEBUG=nopush"
                                                        : NULL,
                      &p->reasons);
   nir_explain_loads(job->params->nir, intel_reason_add_merge, &p->reasons);
   job->shader->reasons = intel_reasons_copy(&p->reasons, job->params->arena);
   job->shader->num_reasons = p->reasons.count;
   if (job->print)
      intel_reasons_print(&p->reasons, job->stage->name, job->log);
}

/* ---- assembly of the result ---- */

static uint32_t
scratch_size_B(const struct job *job, uint32_t need_B)
{
   return intel_scratch_size_B(job->compiler->devinfo,
                               job->shader->stage == MESA_SHADER_COMPUTE,
                               need_B);
}

/* Lays the kernels one after the other. */
static void
finish(struct job *job, struct program *p)
{
   struct intel_shader *sh = job->shader;
   struct intel_stage_prog_data *pd = p->kernel[0].pd;
   uint32_t offsets_B[ARRAY_SIZE(p->kernel)] = { 0 };
   uint32_t size = 0, scratch = 0;
   uint8_t *code;

   for (unsigned i = 0; i < p->count; i++) {
      offsets_B[i] = size;
      size = ALIGN(size + p->kernel[i].bin.size_B, KERNEL_ALIGN_B);
      scratch = MAX2(scratch, p->kernel[i].s->scratch_B);
   }
   finish_reasons(job, p);
   code = arena_alloc(job->params->arena, size + PREFETCH_PAD_B);
   for (unsigned i = 0; i < p->count; i++) {
      const struct eu_binary *bin = &p->kernel[i].bin;
      memcpy(code + offsets_B[i], bin->code, bin->size_B);
      sh->stats[i] = bin->stats;
      if (job->params->profile)
         sh->profile[i] = (struct intel_profile) {
            .offset_B = offsets_B[i],
            .num_costs = bin->num_origins,
            .costs =
               intel_code_costs(p->kernel[i].s, bin, job->params->arena),
         };
      if (job->print)
         intel_print_listing(p->kernel[i].s, bin, job->stage->name, job->log);
   }
   sh->code = code;
   sh->code_size_B = size + PREFETCH_PAD_B;
   pd->program_size_B = sh->code_size_B;
   pd->total_scratch_B = scratch ? scratch_size_B(job, scratch) : 0;
   if (job->stage->finish)
      job->stage->finish(p, offsets_B);
   sh->prog_data.base = pd;
}

/* ---- candidates ---- */

static bool
make_candidate(const struct job *job, const struct candidate *c,
               struct kernel *k)
{
   struct eu_shader *s =
      eu_shader_create(job->tmp, job->compiler, job->shader->stage, c->width);

   s->nir = job->params->nir;
   s->profile = job->params->profile;
   s->watch = job->params->watch;
   s->debug = job->debug | c->debug;
   s->log = job->log;
   s->one_object = c->one_object;
   s->few_registers = c->few_registers;
   s->most_spills = c->most_spills;
   s->key.any = job->key;
   *k = (struct kernel) {
      .s = s,
      .pd = arena_alloc(job->params->arena, job->stage->prog_data_size),
   };
   intel_choose_push_ranges(job->compiler->devinfo, s->nir, c->push_blocks,
                            k->pd);
   s->prog_data.base = k->pd;
   eu_before(s, "emission");
   const bool ok = c->compile(s, &k->bin);
   k->grf_start = k->pd->dispatch_grf_start;
   if (ok && s->scratch_B && !scratch_size_B(job, s->scratch_B)) {
      eu_fail(s, "%u bytes of scratch space a thread are more than there are",
              s->scratch_B);
      return false;
   }
   return ok;
}

struct attempt {
   const struct job *job;
   const struct candidate *c;
   struct kernel *k;
   bool made;
};

static void
attempt(void *data)
{
   struct attempt *a = data;
   a->made = make_candidate(a->job, a->c, a->k);
}

/* An internal error costs a candidate, not the shader: what has another one
 * goes on with that. */
static bool
compile_candidate(const struct job *job, const struct candidate *c,
                  struct kernel *k)
{
   struct attempt a = { job, c, k, false };
   struct guard_error error;

   switch (guard_run(attempt, &a, &error)) {
   case GUARD_DONE: return a.made;
   case GUARD_NO_MEMORY: guard_no_memory(0);
   case GUARD_INTERNAL_ERROR: break;
   }
   fprintf(
      stderr,
      "saffron: no SIMD%u: internal error: %s; please report this line\n",
      c->width, error.text);
   if (job->params->watch)
      job->params->watch->internal_error(job->params->watch->data,
                                         error.text);
   eu_fail(k->s, "internal error: %s", error.text);
   k->internal_error = true;
   return false;
}

/* Where a few values had no place, scheduled for fewer registers, if that
 * helps: what is live at once may fit and yet not lie in one piece. */
#define MAX_FEW_SPILLS 32

/* A value of 32 channels takes two messages. */
static bool
has_few_spills(const struct kernel *k)
{
   const unsigned messages = MAX2(1u, k->s->dispatch_width / 16u);

   return k->s->spills && k->s->spills <= MAX_FEW_SPILLS * messages;
}

static void
try_few_registers(const struct job *job, struct candidate c, struct kernel *k)
{
   struct kernel other;

   c.few_registers = true;
   if (has_few_spills(k) && compile_candidate(job, &c, &other) &&
       other.s->spills < k->s->spills)
      *k = other;
}

/* Vertices of one object fill half the registers that those of two do, which
 * are faster (PRM IVB vol 2 part 1, 3DSTATE_GS). Instances are of one. */
static bool
may_take_one_object(const struct job *job)
{
   return job->shader->stage == MESA_SHADER_GEOMETRY &&
          intel_uses_vec4(job->compiler, MESA_SHADER_GEOMETRY) &&
          job->params->nir->info.gs.invocations <= 1;
}

static struct candidate
narrow_candidate(const struct job *job)
{
   return (struct candidate) {
      .compile = intel_uses_vec4(job->compiler, job->shader->stage)
                    ? vec4_compile
                    : fs_compile,
      .width = job->stage->width ? job->stage->width(job) : 8,
      .one_object = job->debug & INTEL_DEBUG_NODUALOBJ,
   };
}

/* Why there is no kernel of twice the width; NULL: it is worth a try. */
static const char *
why_narrow(const struct job *job, const struct kernel *narrow)
{
   const struct stage *stage = job->stage;

   if (!stage->stays_narrow)
      return "a thread of this stage has no more invocations";
   if (narrow->s->spills)
      return "registers do not suffice for half of it";
   if (job->debug & INTEL_DEBUG_NO16)
      return "INTEL_DEBUG=no16";
   return stage->stays_narrow(job, narrow);
}

/* The kernels with one choice of what is pushed; none where the narrow one
 * has more than `most_spills`, unless that is 0. */
static void
compile_program(const struct job *job, bool push_blocks, bool few_registers,
                unsigned most_spills, struct program *p)
{
   const struct stage *stage = job->stage;
   struct candidate c = narrow_candidate(job);
   struct kernel *narrow = &p->kernel[0], *wide = &p->kernel[1];

   c.push_blocks = push_blocks;
   c.most_spills = most_spills;
   p->reasons.count = 0;
   p->count = compile_candidate(job, &c, narrow);
   if ((!p->count || narrow->s->spills) && may_take_one_object(job)) {
      c.one_object = true;
      p->count = compile_candidate(job, &c, narrow);
   }
   if (p->count && few_registers)
      try_few_registers(job, c, narrow);
   if (!p->count)
      return;
   const char *why = why_narrow(job, narrow);
   if (why) {
      say_narrow(job, p, 2 * c.width, why);
      return;
   }
   /* It is not taken if it spills, which try_few_registers() can only mend if
    * there are few: no use in going on with more. */
   c.width *= 2;
   c.most_spills = MAX_FEW_SPILLS;
   const bool made = compile_candidate(job, &c, wide);
   if (made)
      try_few_registers(job, c, wide);
   if (!made) {
      say_narrow(job, p, c.width, wide->s->fail_msg);
   } else if (wide->s->spills) {
      say_narrow(job, p, c.width,
                 arena_printf(job->tmp, "%u spills", wide->s->spills));
   } else if (!stage->keeps_narrow) {
      say_narrow(job, p, narrow->s->dispatch_width,
                 "twice the invocations fit into the registers");
      *narrow = *wide;
   } else if (job->debug & INTEL_DEBUG_NO8) {
      say_narrow(job, p, narrow->s->dispatch_width, "INTEL_DEBUG=no8");
      wide->pd = narrow->pd;
      *narrow = *wide;
   } else {
      p->count = 2;
   }
}

static bool
pushes_blocks(const struct intel_stage_prog_data *pd)
{
   for (unsigned i = 0; i < INTEL_MAX_PUSH_RANGES; i++) {
      if (pd->push[i].length &&
          pd->push[i].block != INTEL_PUSH_BLOCK_CONSTANTS)
         return true;
   }
   return false;
}

static bool
may_push_blocks(const struct job *job)
{
   struct intel_stage_prog_data *pd =
      arena_alloc(job->tmp, job->stage->prog_data_size);

   if (!job->stage->pushes_blocks || job->debug & INTEL_DEBUG_NOPUSH)
      return false;
   intel_choose_push_ranges(job->compiler->devinfo, job->params->nir, true,
                            pd);
   return pushes_blocks(pd);
}

/* Without uniform blocks in registers, if what has them there spills. */
static void
compile_best(const struct job *job, struct program *best)
{
   if (!may_push_blocks(job)) {
      compile_program(job, false, false, 0, best);
      if (best->count && has_few_spills(&best->kernel[0]))
         compile_program(job, false, true, 0, best);
      return;
   }
   /* With many spills it is not worth its end. */
   compile_program(job, true, false, MAX_FEW_SPILLS, best);
   if (best->count && !best->kernel[0].s->spills)
      return;
   struct program pulled;
   compile_program(job, false, true, 0, &pulled);
   if (!pulled.count && !best->count)
      compile_program(job, true, false, 0, best);
   if (pulled.count && (!best->count || pulled.kernel[0].s->spills <
                                           best->kernel[0].s->spills)) {
      *best = pulled;
      intel_reason_add(&best->reasons, INTEL_REASON_PULL,
                       "no block is in registers: with what would be, values "
                       "went to scratch space");
   }
}

/* For where all others ended in internal errors. One here is the caller's. */
static void
compile_plain(const struct job *job, struct program *p)
{
   struct candidate c = narrow_candidate(job);
   c.debug = INTEL_DEBUG_NOOPT;
   p->count = make_candidate(job, &c, &p->kernel[0]);
}

/* ---- stages ---- */

static const char *
prepare_tcs(const struct job *job)
{
   nir_shader *nir = job->params->nir;

   intel_set_patch_vertices(nir, job->key->tcs.patch_vertices);
   if (intel_needs_workaround(job->compiler->devinfo,
                              INTEL_WA_TESS_FACTORS_INTERFERE)) {
      intel_lower_io_nir(job->compiler, nir);
      bool progress = false;
      NIR_PASS(progress, nir, intel_nir_separate_tess_factors);
      (void)progress;
   }
   return NULL;
}

static const char *
prepare_tes(const struct job *job)
{
   nir_shader *nir = job->params->nir;

   intel_set_patch_vertices(nir, nir->info.tess.tcs_vertices_out);
   return NULL;
}

static const char *
prepare_gs(const struct job *job)
{
   nir_shader *nir = job->params->nir;
   bool progress = false;

   intel_lower_io_nir(job->compiler, nir);
   NIR_PASS(progress, nir, intel_nir_zero_position);
   (void)progress;
   return NULL;
}

static const char *
prepare_fs(const struct job *job)
{
   const struct intel_wm_key *key = &job->key->wm;
   nir_shader *nir = job->params->nir;
   bool progress = false;

   intel_lower_io_nir(job->compiler, nir);
   intel_nir_lower_interp_at_sample(nir,
                                    key->multisample_fbo ? key->samples : 1);
   if (key->alpha_to_coverage && key->multisample_fbo)
      NIR_PASS(progress, nir, intel_nir_alpha_coverage, key->samples);
   if (nir->info.fs.pixel_interlock && key->multisample_fbo)
      NIR_PASS(progress, nir, intel_nir_pixel_interlock, key->samples,
               key->persample_shading);
   (void)progress;
   return NULL;
}

static unsigned
fs_width(const struct job *job)
{
   return job->key->wm.fast_clear ? 16 : 8;
}

static const char *
fs_stays_narrow(const struct job *job, const struct kernel *narrow)
{
   const struct intel_wm_prog_data *pd = narrow->s->prog_data.wm;

   return narrow->s->dispatch_width != 8 ? "fast clears are of 16 pixels"
          : pd->dual_src_blend           ? "two colours to blend with are "
                                           "written for 8 pixels at a time"
          : pd->computed_stencil         ? "stencil values are written for 8 "
                                           "pixels at a time"
                                         : NULL;
}

static void
finish_fs(const struct program *p, const uint32_t *offsets_B)
{
   struct intel_wm_prog_data *pd =
      (struct intel_wm_prog_data *)p->kernel[0].pd;

   for (unsigned i = 0; i < p->count; i++) {
      const struct kernel *k = &p->kernel[i];
      if (k->s->dispatch_width == 8) {
         pd->dispatch_8 = true;
         pd->prog_offset_8_B = offsets_B[i];
         pd->dispatch_grf_start_8 = k->grf_start;
      } else {
         pd->dispatch_16 = true;
         pd->prog_offset_16_B = offsets_B[i];
         pd->dispatch_grf_start_16 = k->grf_start;
      }
   }
}

static const char *
prepare_cs(const struct job *job)
{
   return job->params->nir->info.workgroup_size_variable
             ? "a group of a size that is not known"
             : NULL;
}

static unsigned
cs_width(const struct job *job)
{
   if (job->key->cs.subgroup_size)
      return job->key->cs.subgroup_size;
   return intel_least_cs_width(job->compiler->devinfo, job->params->nir);
}

static const char *
cs_stays_narrow(const struct job *job, const struct kernel *narrow)
{
   return job->key->cs.subgroup_size ? "the subgroup has a size"
          : narrow->s->dispatch_width != 8
             ? "the group fits into a subslice as it is"
          : narrow->s->prog_data.cs->threads > 1 ? NULL
                                                 : "a group is one thread";
}

static const struct stage stages[MESA_SHADER_STAGES] = {
   [MESA_SHADER_VERTEX] = {
      .name = "vertex", .debug = INTEL_DEBUG_VS,
      .prog_data_size = sizeof(struct intel_vs_prog_data),
      .pushes_blocks = true,
   },
   [MESA_SHADER_TESS_CTRL] = {
      .name = "tessellation control", .debug = INTEL_DEBUG_TCS,
      .prog_data_size = sizeof(struct intel_tcs_prog_data),
      .pushes_blocks = true,
      .prepare = prepare_tcs,
   },
   [MESA_SHADER_TESS_EVAL] = {
      .name = "tessellation evaluation", .debug = INTEL_DEBUG_TES,
      .prog_data_size = sizeof(struct intel_tes_prog_data),
      .pushes_blocks = true,
      .prepare = prepare_tes,
   },
   [MESA_SHADER_GEOMETRY] = {
      .name = "geometry", .debug = INTEL_DEBUG_GS,
      .prog_data_size = sizeof(struct intel_gs_prog_data),
      .pushes_blocks = true,
      .prepare = prepare_gs,
   },
   [MESA_SHADER_FRAGMENT] = {
      .name = "fragment", .debug = INTEL_DEBUG_FS,
      .prog_data_size = sizeof(struct intel_wm_prog_data),
      .pushes_blocks = true, .keeps_narrow = true,
      .prepare = prepare_fs,
      .width = fs_width,
      .stays_narrow = fs_stays_narrow,
      .finish = finish_fs,
   },
   /* CURBE data is the driver's to copy: no uniform blocks. */
   [MESA_SHADER_COMPUTE] = {
      .name = "compute", .debug = INTEL_DEBUG_CS,
      .prog_data_size = sizeof(struct intel_cs_prog_data),
      .prepare = prepare_cs,
      .width = cs_width,
      .stays_narrow = cs_stays_narrow,
   },
};

struct intel_shader *
intel_compile(const struct intel_compiler *compiler,
              const struct intel_compile_params *params,
              const union intel_key *key)
{
   const gl_shader_stage stage = params->nir->info.stage;
   struct job job = {
      .compiler = compiler,
      .params = params,
      .key = key,
      .stage = &stages[stage],
      .shader = arena_new(params->arena, struct intel_shader),
      .log = params->log ? params->log : stderr,
      .debug = params->debug | intel_debug_flags(),
   };
   struct program program;
   const char *error;

   job.shader->stage = stage;
   job.print = params->listing || (job.debug & job.stage->debug);
   error = !job.stage->name     ? "no back end for this stage"
           : job.stage->prepare ? job.stage->prepare(&job)
                                : NULL;
   if (error) {
      fail(&job, error);
      return job.shader;
   }
   lower_nir(&job, params->nir);
   job.tmp = arena_create(NULL);
   compile_best(&job, &program);
   if (!program.count && program.kernel[0].internal_error)
      compile_plain(&job, &program);
   if (program.count)
      finish(&job, &program);
   else
      fail(&job, program.kernel[0].s->fail_msg);
   arena_destroy(job.tmp);
   return job.shader;
}
