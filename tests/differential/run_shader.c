/* SPDX-License-Identifier: MIT */
#include "run_shader.h"

#include <stdio.h>

#include "intel/dev/intel_device_info.h"
#include "intel/genxml/gen7_pack.h"
#include "intel/isl/isl.h"
#include "intel/sim/chaos/chaos.h"
#include "intel/sim/eu/eu_private.h"
#include "intel/sim/mem/mem.h"

/* Within the 31 bits of Gen7. */
#define BUFFER 0x10000000ull
#define STATE 0x20000000ull
#define SCRATCH 0x30000000ull
#define SCRATCH_B (1u << 20)
#define SURFACE_OFFSET 0x100

struct runner {
   struct intel_compiler *compiler;
   struct sim_vm *vm;
   struct sim_bo *data, *state, *scratch;
   struct sim_mem mem;
   struct sim_eu_env env;
   struct sim_eu_thread thread;
   struct sim_eu_program *program;
   const struct intel_shader *shader;
   struct sim_chaos *chaos;
   unsigned width;
   bool vec4;
   uint8_t urb[4096], slm[4096];
   char error[768];
};

static bool
ignore_message(struct sim_eu_thread *t, const struct sim_message *m)
{
   return true;
}

static const struct intel_device_info *
chosen_device(void)
{
   const char *name = getenv("SAFFRON_TEST_GEN");
   const struct intel_device_info *dev =
      intel_device_info_by_name(name ? name : "skl");

   if (dev)
      return dev;
   fprintf(stderr, "SAFFRON_TEST_GEN=%s: no such device\n", name);
   exit(2);
}

/* The size less one is in pieces: PRM IVB vol 4 part 1, "SURFACE_STATE". */
static void
fill_gen7_buffer(void *state)
{
   const uint32_t last = RUN_BUFFER_B - 1;
   const struct GEN7_RENDER_SURFACE_STATE surface = {
      .SurfaceType = 4, /* SURFTYPE_BUFFER */
      .SurfaceFormat = ISL_FORMAT_RAW,
      .SurfaceBaseAddress = BUFFER,
      .Width = last & 0x7f,
      .Height = last >> 7 & 0x3fff,
      .Depth = last >> 21,
   };

   GEN7_RENDER_SURFACE_STATE_pack(state, &surface);
}

static bool
chosen_vec4(void)
{
   const char *name = getenv("SAFFRON_TEST_BACKEND");

   if (name && strcmp(name, "vec4") && strcmp(name, "fs")) {
      fprintf(stderr, "SAFFRON_TEST_BACKEND=%s: fs or vec4\n", name);
      exit(2);
   }
   return name && !strcmp(name, "vec4");
}

/* NULL if none is asked for. */
static struct sim_chaos *
chosen_chaos(void)
{
   struct sim_chaos *chaos;

   if (!sim_chaos_create(&chaos))
      exit(2);
   return chaos;
}

struct runner *
runner_create(void)
{
   struct runner *r = calloc(1, sizeof(*r));
   const struct intel_device_info *dev = chosen_device();

   r->vec4 = chosen_vec4();
   r->chaos = chosen_chaos();
   if (r->vec4)
      setenv("INTEL_SCALAR_STAGES", "tcs,tes,gs", 1);
   r->compiler = intel_compiler_create(dev);
   r->vm = sim_vm_create();
   r->data = sim_bo_create(RUN_BUFFER_B);
   r->state = sim_bo_create(4096);
   r->scratch = sim_bo_create(SCRATCH_B);
   if (!sim_vm_bind(r->vm, r->data, BUFFER) ||
       !sim_vm_bind(r->vm, r->state, STATE) ||
       !sim_vm_bind(r->vm, r->scratch, SCRATCH))
      abort();
   sim_mem_init(&r->mem, r->vm);

   ((uint32_t *)r->state->map)[RUN_BUFFER_BTI] = SURFACE_OFFSET;
   if (dev->ver < 8)
      fill_gen7_buffer(r->state->map + SURFACE_OFFSET);
   else
      isl_buffer_fill_state(dev, r->state->map + SURFACE_OFFSET,
                            .address = BUFFER, .size_B = RUN_BUFFER_B,
                            .format = ISL_FORMAT_RAW, .stride_B = 1,
                            .swizzle = ISL_SWIZZLE_IDENTITY);
   r->env = (struct sim_eu_env) {
      .verx10 = dev->verx10,
      .low_power = dev->eu.qwords_stay,
      .surface_state_base = STATE,
      .general_state_base = SCRATCH,
      .scratch_per_thread_B = SCRATCH_B / 2,
      .render_target = ignore_message,
      .sampler = ignore_message,
      .urb = r->urb,
      .urb_size_B = sizeof(r->urb),
      .slm = r->slm,
      .slm_size_B = sizeof(r->slm),
      .chaos = r->chaos,
   };
   return r;
}

void
runner_destroy(struct runner *r)
{
   if (r->program)
      sim_eu_program_destroy(r->program);
   sim_vm_destroy(r->vm);
   sim_bo_unref(r->data);
   sim_bo_unref(r->state);
   sim_bo_unref(r->scratch);
   sim_chaos_destroy(r->chaos);
   intel_compiler_destroy(r->compiler);
   free(r);
}

uint8_t *
runner_buffer(struct runner *r)
{
   return r->data->map;
}

const struct intel_compiler *
runner_compiler(const struct runner *r)
{
   return r->compiler;
}

/* The payload of fs_nir_fs.c's head comment, as the manual has it. */
static void
fill_fragment_payload(struct runner *r, const struct intel_wm_prog_data *pd,
                      unsigned width, uint32_t mask)
{
   union sim_grf *grf = r->thread.grf;
   const unsigned w = width / 8;
   unsigned g = 2;

   grf[1].ud[7] = mask;
   g += 2 * w * (unsigned)__builtin_popcount(pd->barycentric_modes);
   if (pd->uses_src_depth)
      g += w;
   if (pd->uses_src_w)
      g += w;
   if (pd->uses_pos_offset)
      g++;
   if (pd->uses_sample_mask_in) {
      for (unsigned i = 0; i < width; i++)
         grf[g + i / 8].ud[i % 8] = i;
   }
}

bool
runner_is_vec4(const struct runner *r)
{
   return r->vec4;
}

gl_shader_stage
runner_stage(const struct runner *r)
{
   return r->vec4 ? MESA_SHADER_VERTEX : MESA_SHADER_FRAGMENT;
}

/* SIMD4x2: entries of two vertices, whose numbers are vertex IDs. */
static void
fill_vertex_payload(struct runner *r, const struct intel_vs_prog_data *pd,
                    unsigned first_lane)
{
   union sim_grf *grf = r->thread.grf;
   union sim_grf *ids = &grf[pd->base.dispatch_grf_start +
                             pd->base.push_length + pd->sgvs_slot];

   grf[0].ud[0] = 0;
   grf[0].ud[1] = sizeof(r->urb) / 64 / 2;
   for (unsigned i = 0; i < 2; i++)
      ids->ud[4 * i + 2] = first_lane + i;
}

/* Thread 0 of a compute shader needs nothing but zeros. */
static void
fill_payload(struct runner *r, uint32_t mask, unsigned first_lane)
{
   union sim_grf *grf = r->thread.grf;

   memset(grf, 0xa5, sizeof(r->thread.grf));
   memset(&grf[0], 0, sizeof(grf[0]));
   memset(&grf[1], 0, sizeof(grf[1]));
   if (r->shader->stage == MESA_SHADER_FRAGMENT)
      fill_fragment_payload(r, r->shader->prog_data.wm, r->width, mask);
   else if (r->shader->stage == MESA_SHADER_VERTEX)
      fill_vertex_payload(r, r->shader->prog_data.vs, first_lane);
}

static uint32_t
entry_point(const struct intel_shader *sh, unsigned width)
{
   const struct intel_wm_prog_data *pd = sh->prog_data.wm;

   if (sh->stage != MESA_SHADER_FRAGMENT)
      return 0;
   return width == 8 ? pd->prog_offset_8_B : pd->prog_offset_16_B;
}

/* Bytes of the kernel of a width, without what is after it. */
static uint32_t
kernel_size_B(const struct intel_shader *sh, unsigned width)
{
   for (unsigned i = 0; i < ARRAY_SIZE(sh->stats); i++) {
      if (sh->stats[i].dispatch_width == width)
         return sh->stats[i].code_size_B;
   }
   return sh->code_size_B - entry_point(sh, width);
}

const char *
runner_load(struct runner *r, const struct intel_shader *sh, unsigned width)
{
   const uint32_t entry = entry_point(sh, width);

   if (r->program)
      sim_eu_program_destroy(r->program);
   r->program = sim_eu_program_create(r->env.verx10, r->env.low_power,
                                      (const char *)sh->code + entry,
                                      kernel_size_B(sh, width));
   r->shader = sh;
   r->width = width;
   if (!r->program)
      return "no program";
   /* For tests/stock/isa.py to look at. */
   const char *folder = getenv("SAFFRON_SIM_KERNELS");
   if (folder)
      eu_save_program(r->program, folder);
   return NULL;
}

static const char *
exec_thread(struct runner *r, uint32_t mask, unsigned first_lane)
{
   fill_payload(r, mask, first_lane);
   sim_eu_thread_init(&r->thread, &r->env, mask);
   r->thread.mem = &r->mem;
   r->thread.max_instructions = 1000000;
   const enum sim_eu_status st = sim_eu_run(&r->thread, r->program, 0);
   if (st == SIM_EU_EOT)
      return NULL;
   snprintf(r->error, sizeof(r->error), "status %d at byte %u: %s: %s",
            (int)st, r->thread.fault.ip_B, r->thread.fault.inst,
            r->thread.fault.text);
   return r->error;
}

const char *
runner_exec(struct runner *r, uint32_t mask)
{
   if (r->shader->stage != MESA_SHADER_VERTEX)
      return exec_thread(r, mask, 0);
   for (unsigned first = 0; first < r->width; first += 2) {
      const unsigned lanes = mask >> first & 3;
      const uint32_t channels = (lanes & 1 ? 0x0f : 0) |
                                (lanes & 2 ? 0xf0 : 0);
      const char *error = lanes ? exec_thread(r, channels, first) : NULL;
      if (error)
         return error;
   }
   return NULL;
}

uint64_t
runner_executed(const struct runner *r)
{
   return r->thread.stats.instructions;
}

uint64_t
runner_cycles(const struct runner *r)
{
   return r->thread.stats.cycles;
}

uint64_t
runner_issue(const struct runner *r)
{
   return r->thread.stats.issue;
}

const char *
runner_run(struct runner *r, const struct intel_shader *sh, unsigned width,
           uint32_t mask)
{
   const char *error = runner_load(r, sh, width);
   return error ? error : runner_exec(r, mask);
}

nir_value *
runner_nir_load(nir_builder *b, nir_value *address, unsigned comps,
                unsigned bits)
{
   nir_intrinsic_instr *intr =
      nir_new_intrinsic(b->shader, nir_intrinsic_load_ssbo);

   intr->num_components = (uint8_t)comps;
   intr->src[0] = nir_use_of(nir_imm_int(b, RUN_BUFFER_BTI));
   intr->src[1] = nir_use_of(address);
   nir_intrinsic_set_align(intr, bits / 8, 0);
   nir_set_result(&intr->instr, comps, bits);
   return nir_emit(b, &intr->instr);
}

void
runner_nir_store(nir_builder *b, nir_value *address, nir_value *value)
{
   nir_intrinsic_instr *intr =
      nir_new_intrinsic(b->shader, nir_intrinsic_store_ssbo);

   intr->num_components = value->num_components;
   intr->src[0] = nir_use_of(value);
   intr->src[1] = nir_use_of(nir_imm_int(b, RUN_BUFFER_BTI));
   intr->src[2] = nir_use_of(address);
   nir_intrinsic_set_write_mask(intr,
                                (int)BITFIELD_MASK(value->num_components));
   nir_intrinsic_set_align(intr, value->bit_size / 8, 0);
   nir_emit(b, &intr->instr);
}
