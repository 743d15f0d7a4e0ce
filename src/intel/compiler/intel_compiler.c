/* SPDX-License-Identifier: MIT */
/* The compiler object and the compilation of one shader. */
#include "intel_compiler.h"

#include "fs/fs_compile.h"
#include "intel_compiler_private.h"
#include "intel/compiler/stages/intel_push.h"

#define KERNEL_ALIGN_B 64
/* Instruction fetch runs ahead of the end (PRM SKL vol 7, "Instruction
 * Fetch"): zeros behind the code. */
#define PREFETCH_PAD_B 128

struct intel_compiler *
intel_compiler_create(const struct intel_device_info *devinfo)
{
   struct intel_compiler *c = calloc(1, sizeof(*c));

   if (!c)
      return NULL;
   c->devinfo = devinfo;
   switch (devinfo->verx10) {
   case 70: c->gen = ISA_IVB; break;
   case 75: c->gen = ISA_HSW; break;
   case 80: c->gen = ISA_BDW; break;
   default: c->gen = ISA_SKL; break;
   }
   intel_init_nir_options(c);
   return c;
}

void
intel_compiler_destroy(struct intel_compiler *compiler)
{
   free(compiler);
}

/* ---- one shader ---- */

struct job {
   const struct intel_compiler *compiler;
   const struct intel_compile_params *params;
   struct intel_shader *shader;
   FILE *log;
   bool print;
   uint32_t debug;
   struct eu_binary bin[2];
   struct eu_shader *fs[2];
   unsigned count;
};

static struct intel_shader *
fail(struct job *job, const char *why)
{
   struct intel_shader *sh = job->shader;

   sh->code = NULL;
   sh->error = arena_strdup(job->params->arena, why);
   if (job->print)
      fprintf(job->log, "compilation failed: %s\n", why);
   return sh;
}

static void
begin(struct job *job, gl_shader_stage stage, uint32_t flag)
{
   job->shader = arena_new(job->params->arena, struct intel_shader);
   job->shader->stage = stage;
   job->log = job->params->log ? job->params->log : stderr;
   job->debug = job->params->debug | intel_debug_flags();
   job->print = job->params->listing || (job->debug & flag);
}

static const char *
stage_name(gl_shader_stage stage)
{
   switch (stage) {
   case MESA_SHADER_VERTEX: return "vertex";
   case MESA_SHADER_TESS_CTRL: return "tessellation control";
   case MESA_SHADER_TESS_EVAL: return "tessellation evaluation";
   case MESA_SHADER_GEOMETRY: return "geometry";
   case MESA_SHADER_COMPUTE: return "compute";
   default: return "fragment";
   }
}

static void
lower_nir(struct job *job, nir_shader *nir)
{
   intel_lower_io_nir(job->compiler, nir);
   if (job->print) {
      fprintf(job->log, "NIR (SSA form) for %s shader:\n",
              stage_name(nir->info.stage));
      nir_print_shader(nir, job->log);
   }
   intel_postprocess_nir(job->compiler, nir);
   if (job->print) {
      fprintf(job->log, "NIR (final form) for %s shader:\n",
              stage_name(nir->info.stage));
      nir_print_shader(nir, job->log);
   }
}

/* ---- listings ---- */

struct annotate {
   const struct eu_binary *bin;
   uint32_t next;
   struct arena *arena;
};

static void
annotate_line(void *data, size_t offset_B, struct strbuf *out)
{
   struct annotate *a = data;

   while (a->next < a->bin->num_origins &&
          a->bin->origins[a->next].offset_B <= offset_B) {
      const struct eu_origin *o = &a->bin->origins[a->next++];
      if (o->nir)
         strbuf_printf(out, "    // %s\n", nir_instr_as_str(o->nir,
                                                            a->arena));
      else if (o->note)
         strbuf_printf(out, "    // %s\n", o->note);
   }
}

static void
print_listing(struct job *job, const struct eu_binary *bin)
{
   struct annotate a = { .bin = bin, .arena = arena_create(NULL) };
   struct isa_disassemble_options opts = {
      .offsets = true, .hex = INTEL_DEBUG(HEX),
      .annotate = annotate_line, .annotate_data = &a,
   };
   const struct intel_compile_stats *st = &bin->stats;
   struct strbuf text = { 0 };

   /* In one piece: other threads may print, too. */
   strbuf_printf(
      &text,
      "Native code for %s shader (SIMD%u): %u instructions, %u loops, "
      "%u cycles, %u:%u spills:fills, %u sends, %u registers, "
      "%u bytes (%u compacted)\n",
      stage_name(job->shader->stage), st->dispatch_width, st->instructions,
      st->loops, st->cycles, st->spills, st->fills, st->sends,
      st->max_live_grf, st->code_size_B, st->compacted);
   isa_disassemble(job->compiler->gen, bin->code, bin->size_B, &opts, &text,
                   NULL);
   strbuf_printf(&text, "\n");
   fputs(strbuf_str(&text), job->log);
   strbuf_fini(&text);
   arena_destroy(a.arena);
}

/* ---- assembly of the result ---- */

/* Lays the kernels one behind the other; offsets[i] is where each is. */
static void
finish(struct job *job, struct intel_stage_prog_data *pd,
       uint32_t offsets[2])
{
   struct intel_shader *sh = job->shader;
   uint32_t size = 0, scratch = 0;
   uint8_t *code;

   for (unsigned i = 0; i < job->count; i++) {
      offsets[i] = size;
      size = ALIGN(size + job->bin[i].size_B, KERNEL_ALIGN_B);
      scratch = MAX2(scratch, job->fs[i]->scratch_B);
   }
   code = arena_alloc(job->params->arena, size + PREFETCH_PAD_B);
   for (unsigned i = 0; i < job->count; i++) {
      memcpy(code + offsets[i], job->bin[i].code, job->bin[i].size_B);
      sh->stats[i] = job->bin[i].stats;
      if (job->print)
         print_listing(job, &job->bin[i]);
   }
   sh->code = code;
   sh->code_size_B = size + PREFETCH_PAD_B;
   pd->program_size_B = sh->code_size_B;
   /* 3DSTATE_*: Per-Thread Scratch Space is 1 kB times a power of two. */
   pd->total_scratch_B =
      scratch ? (uint32_t)MAX2(1024, util_next_power_of_two(scratch)) : 0;
   sh->prog_data.base = pd;
}

static struct eu_shader *
new_fs(struct job *job, struct arena *arena, unsigned width)
{
   struct eu_shader *s = eu_shader_create(arena, job->compiler,
                                          job->shader->stage, width);
   s->nir = job->params->nir;
   s->debug = job->debug;
   s->log = job->log;
   return s;
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

/* ---- stages in front of the fragment shader: one width ---- */

/* A compilation that knows its stage: fills in key and program data. */
struct geometry_stage {
   gl_shader_stage stage;
   uint32_t flag;
   const void *key;
   size_t prog_data_size;
};

static struct eu_shader *
compile_once(struct job *job, struct arena *tmp,
             const struct geometry_stage *g, void *pd, bool push_blocks,
             struct eu_binary *bin)
{
   struct eu_shader *s = new_fs(job, tmp, 8);
   struct intel_stage_prog_data *base = pd; /* each begins with it */

   memset(pd, 0, g->prog_data_size);
   intel_choose_push_ranges(job->params->nir, push_blocks, base);
   s->key.any = g->key;
   s->prog_data.base = base;
   fs_compile(s, bin);
   return s;
}

static struct intel_shader *
compile_geometry_stage(const struct intel_compiler *compiler,
                       const struct intel_compile_params *params,
                       const struct geometry_stage *g)
{
   struct job job = { .compiler = compiler, .params = params };
   struct arena *tmp = arena_create(NULL);
   struct intel_stage_prog_data *pd, *pulled;
   uint32_t offsets[2];

   begin(&job, g->stage, g->flag);
   pd = arena_alloc(params->arena, g->prog_data_size);
   pulled = arena_alloc(params->arena, g->prog_data_size);
   lower_nir(&job, params->nir);

   const bool push = !(job.debug & INTEL_DEBUG_NOPUSH);
   struct eu_shader *s = compile_once(&job, tmp, g, pd, push, &job.bin[0]);
   /* Attributes may leave no room for uniform blocks. */
   if ((s->failed || s->spills) && pushes_blocks(pd)) {
      struct eu_binary bin;
      struct eu_shader *s2 = compile_once(&job, tmp, g, pulled, false, &bin);
      if (!s2->failed && (s->failed || s2->spills < s->spills)) {
         s = s2;
         pd = pulled;
         job.bin[0] = bin;
      }
   }
   if (!s->failed) {
      job.fs[job.count++] = s;
      finish(&job, pd, offsets);
   } else {
      fail(&job, s->fail_msg);
   }
   arena_destroy(tmp);
   return job.shader;
}

struct intel_shader *
intel_compile_vs(const struct intel_compiler *compiler,
                 const struct intel_compile_params *params,
                 const struct intel_vs_key *key)
{
   return compile_geometry_stage(
      compiler, params,
      &(struct geometry_stage) { MESA_SHADER_VERTEX, INTEL_DEBUG_VS, key,
                                 sizeof(struct intel_vs_prog_data) });
}

struct intel_shader *
intel_compile_tcs(const struct intel_compiler *compiler,
                  const struct intel_compile_params *params,
                  const struct intel_tcs_key *key)
{
   intel_set_patch_vertices(params->nir, key->patch_vertices);
   return compile_geometry_stage(
      compiler, params,
      &(struct geometry_stage) { MESA_SHADER_TESS_CTRL, INTEL_DEBUG_TCS, key,
                                 sizeof(struct intel_tcs_prog_data) });
}

struct intel_shader *
intel_compile_tes(const struct intel_compiler *compiler,
                  const struct intel_compile_params *params,
                  const struct intel_tes_key *key)
{
   intel_set_patch_vertices(params->nir,
                            params->nir->info.tess.tcs_vertices_out);
   return compile_geometry_stage(
      compiler, params,
      &(struct geometry_stage) { MESA_SHADER_TESS_EVAL, INTEL_DEBUG_TES, key,
                                 sizeof(struct intel_tes_prog_data) });
}

struct intel_shader *
intel_compile_gs(const struct intel_compiler *compiler,
                 const struct intel_compile_params *params,
                 const struct intel_gs_key *key)
{
   return compile_geometry_stage(
      compiler, params,
      &(struct geometry_stage) { MESA_SHADER_GEOMETRY, INTEL_DEBUG_GS, key,
                                 sizeof(struct intel_gs_prog_data) });
}

/* ---- fragment shaders ---- */

/* One width; the program data of the shader as far as that width goes. */
static bool
compile_width(struct job *job, struct arena *tmp, unsigned width,
              const struct intel_wm_key *key,
              struct intel_wm_prog_data *pd)
{
   struct eu_shader *s = new_fs(job, tmp, width);

   s->key.wm = key;
   s->prog_data.wm = pd;
   job->fs[job->count] = s;
   return fs_compile(s, &job->bin[job->count]);
}

/* All widths; the first entry of job->fs is the narrowest. */
static void
compile_widths(struct job *job, struct arena *tmp,
               const struct intel_wm_key *key,
               struct intel_wm_prog_data *pd, bool push_blocks)
{
   struct intel_wm_prog_data *pd16 =
      arena_new(job->params->arena, struct intel_wm_prog_data);

   memset(pd, 0, sizeof(*pd));
   job->count = 0;
   intel_choose_push_ranges(job->params->nir, push_blocks, &pd->base);
   pd16->base = pd->base;

   if (!compile_width(job, tmp, 8, key, pd))
      return;
   pd->dispatch_8 = true;
   pd->dispatch_grf_start_8 = pd->base.dispatch_grf_start;
   job->count++;

   /* Twice as wide, unless that is known not to work or not to pay. */
   if ((job->debug & INTEL_DEBUG_NO16) || job->fs[0]->spills ||
       pd->dual_src_blend || pd->computed_stencil)
      return;
   if (compile_width(job, tmp, 16, key, pd16) && !job->fs[1]->spills) {
      pd->dispatch_16 = true;
      pd->dispatch_grf_start_16 = pd16->base.dispatch_grf_start;
      job->count++;
   } else if (job->print && job->fs[1]->failed) {
      fprintf(job->log, "no SIMD16: %s\n", job->fs[1]->fail_msg);
   }
   if (pd->dispatch_16 && (job->debug & INTEL_DEBUG_NO8)) {
      job->fs[0] = job->fs[1];
      job->bin[0] = job->bin[1];
      job->count = 1;
      pd->dispatch_8 = false;
   }
}

struct intel_shader *
intel_compile_fs(const struct intel_compiler *compiler,
                 const struct intel_compile_params *params,
                 const struct intel_wm_key *key)
{
   struct job job = { .compiler = compiler, .params = params };
   struct arena *tmp = arena_create(NULL);
   struct intel_wm_prog_data *pd, *pulled;
   uint32_t offsets[2];

   begin(&job, MESA_SHADER_FRAGMENT, INTEL_DEBUG_FS);
   pd = arena_new(params->arena, struct intel_wm_prog_data);
   pulled = arena_new(params->arena, struct intel_wm_prog_data);
   intel_lower_io_nir(compiler, params->nir);
   intel_nir_lower_interp_at_sample(params->nir,
                                    key->multisample_fbo ? key->samples : 1);
   lower_nir(&job, params->nir);

   compile_widths(&job, tmp, key, pd, !(job.debug & INTEL_DEBUG_NOPUSH));
   if ((!job.count || job.fs[0]->spills) && pushes_blocks(&pd->base)) {
      struct job again = job;
      compile_widths(&again, tmp, key, pulled, false);
      if (again.count &&
          (!job.count || again.fs[0]->spills < job.fs[0]->spills)) {
         job = again;
         pd = pulled;
      }
   }

   if (job.count) {
      finish(&job, &pd->base, offsets);
      if (pd->dispatch_8)
         pd->prog_offset_8_B = offsets[0];
      if (pd->dispatch_16)
         pd->prog_offset_16_B = offsets[job.count - 1];
   } else {
      fail(&job, job.fs[0]->fail_msg);
   }
   arena_destroy(tmp);
   return job.shader;
}

/* ---- compute ---- */

static struct eu_shader *
compile_cs_width(struct job *job, struct arena *tmp, unsigned width,
                 const struct intel_cs_key *key,
                 struct intel_cs_prog_data *pd, struct eu_binary *bin)
{
   struct eu_shader *s = new_fs(job, tmp, width);

   memset(pd, 0, sizeof(*pd));
   /* CURBE data is the driver's to copy: no uniform blocks. */
   intel_choose_push_ranges(job->params->nir, false, &pd->base);
   s->key.cs = key;
   s->prog_data.cs = pd;
   fs_compile(s, bin);
   return s;
}

/* The narrowest width with which a group fits into a subslice. */
static unsigned
least_width(const struct intel_compiler *compiler, const nir_shader *nir)
{
   const uint16_t *size = nir->info.workgroup_size;
   const unsigned invocations = MAX2(1, size[0]) * MAX2(1, size[1]) *
                                MAX2(1, size[2]);
   unsigned width = 8;

   while (width < 32 && DIV_ROUND_UP(invocations, width) >
          compiler->devinfo->max_cs_threads)
      width *= 2;
   return width;
}

struct intel_shader *
intel_compile_cs(const struct intel_compiler *compiler,
                 const struct intel_compile_params *params,
                 const struct intel_cs_key *key)
{
   struct job job = { .compiler = compiler, .params = params };
   struct arena *tmp = arena_create(NULL);
   struct intel_cs_prog_data *pd, *wide;
   const unsigned width = least_width(compiler, params->nir);
   uint32_t offsets[2];

   begin(&job, MESA_SHADER_COMPUTE, INTEL_DEBUG_CS);
   pd = arena_new(params->arena, struct intel_cs_prog_data);
   wide = arena_new(params->arena, struct intel_cs_prog_data);
   if (params->nir->info.workgroup_size_variable) {
      arena_destroy(tmp);
      return fail(&job, "a group of a size that is not known");
   }
   lower_nir(&job, params->nir);

   struct eu_shader *s =
      compile_cs_width(&job, tmp, width, key, pd, &job.bin[0]);
   if (!s->failed && width == 8 && !s->spills && pd->threads > 1 &&
       !(job.debug & INTEL_DEBUG_NO16)) {
      struct eu_binary bin;
      struct eu_shader *s16 =
         compile_cs_width(&job, tmp, 16, key, wide, &bin);
      if (!s16->failed && !s16->spills) {
         s = s16;
         pd = wide;
         job.bin[0] = bin;
      }
   }
   if (!s->failed) {
      job.fs[job.count++] = s;
      finish(&job, &pd->base, offsets);
   } else {
      fail(&job, s->fail_msg);
   }
   arena_destroy(tmp);
   return job.shader;
}
