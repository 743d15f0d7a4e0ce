/* SPDX-License-Identifier: MIT */
/*
 * One thread after the other on the simulated EU: payloads as the fixed
 * functions would make them of what was drawn, and results out of messages
 * to render targets, URB entries and buffers.
 */
#include "trial.h"

#include "intel/dev/intel_device_info.h"
#include "intel/genxml/gen7_pack.h"
#include "intel/isl/isl.h"
#include "intel/sim/eu/eu.h"

/* Within the 31 bits of Gen7. */
#define BUFFERS 0x10000000ull
#define STATE 0x20000000ull
#define SCRATCH 0x30000000ull
#define SCRATCH_B (4u << 20)
#define STATE_B 32768u
#define SURFACES 0x1000 /* in STATE, after the binding table */
#define SURFACE_B 64
#define URB_ENTRIES 16 /* first handle of vertices, in 64 bytes */
#define MAX_INSTRUCTIONS 4000000

struct machine {
   const struct trial *t;
   const struct intel_shader *sh;
   struct trial_result *r;
   unsigned width;
   struct sim_vm *vm;
   struct sim_bo *buffers, *state, *scratch;
   struct sim_mem mem;
   struct sim_eu_env env;
   uint64_t written; /* lanes of which the last message had colour */
   uint8_t urb[65536], slm[65536];
};

/* What the callbacks find behind a thread. */
struct place {
   struct machine *m;
   unsigned first_lane;
};

/* ---- messages ---- */

/* Parameters of a message that are the first two coordinates; PRM SKL vol 7,
 * "Sampling Engine", "Payload Parameter Definition". */
static bool
find_coordinates(const struct machine *m, enum isa_msg msg, unsigned at[2],
                 bool *integer)
{
   const bool lod_third = m->env.verx10 >= 90;

   *integer = false;
   switch (msg) {
   case ISA_MSG_SAMPLE:
   case ISA_MSG_SAMPLE_LZ:
   case ISA_MSG_GATHER4:
   case ISA_MSG_GATHER4_PO: at[0] = 0, at[1] = 1; return true;
   case ISA_MSG_SAMPLE_B:
   case ISA_MSG_SAMPLE_L:
   case ISA_MSG_SAMPLE_C:
   case ISA_MSG_SAMPLE_C_LZ:
   case ISA_MSG_GATHER4_C:
   case ISA_MSG_GATHER4_PO_C: at[0] = 1, at[1] = 2; return true;
   case ISA_MSG_SAMPLE_B_C:
   case ISA_MSG_SAMPLE_L_C: at[0] = 2, at[1] = 3; return true;
   case ISA_MSG_SAMPLE_D: at[0] = 0, at[1] = 3; return true;
   case ISA_MSG_SAMPLE_D_C: at[0] = 1, at[1] = 4; return true;
   case ISA_MSG_LD:
      at[0] = 0, at[1] = lod_third ? 1 : 2;
      *integer = true;
      return true;
   case ISA_MSG_LD_LZ: at[0] = 0, at[1] = 1, *integer = true; return true;
   case ISA_MSG_LD2DSS: at[0] = 1, at[1] = 2, *integer = true; return true;
   case ISA_MSG_LD2DMS: at[0] = 2, at[1] = 3, *integer = true; return true;
   case ISA_MSG_LD2DMS_W: at[0] = 3, at[1] = 4, *integer = true; return true;
   default: return false;
   }
}

static float
parameter(const struct sim_message *msg, unsigned width, unsigned index,
          unsigned lane, bool integer)
{
   const union sim_grf *g =
      sim_message_payload(msg, msg->header + index * width / 8 + lane / 8);
   if (!g)
      return 0;
   return integer ? (float)g->d[lane % 8] : g->f[lane % 8];
}

static bool
answer_sampler(struct sim_eu_thread *thread, const struct sim_message *msg)
{
   const struct place *p = thread->user;
   const struct isa_message *f = msg->fields;
   const unsigned width = f->simd, regs = width / 8;
   const uint32_t off = msg->header ? msg->src0[0].ud[2] >> 12 & 15 : 0;
   unsigned at[2] = { 0 }, reg = 0;
   bool integer;
   const bool samples = find_coordinates(p->m, f->msg, at, &integer);
   const bool gathers = f->msg == ISA_MSG_GATHER4 ||
                        f->msg == ISA_MSG_GATHER4_C ||
                        f->msg == ISA_MSG_GATHER4_PO ||
                        f->msg == ISA_MSG_GATHER4_PO_C;

   for (unsigned c = 0; c < 4 && reg < msg->rlen; c++) {
      if (off >> c & 1)
         continue;
      for (unsigned lane = 0; lane < width; lane++) {
         uint32_t word = f->msg == ISA_MSG_SAMPLEINFO ? 1
                         : f->msg == ISA_MSG_LD_MCS   ? 0
                         : f->msg == ISA_MSG_LOD      ? util_float_bits(0.5f)
                                                      : TRIAL_TEXTURE_SIZE;
         if (!(msg->exec_mask >> lane & 1))
            continue;
         if (samples)
            word = trial_texel(f->bti, gathers ? 0 : c,
                               parameter(msg, width, at[0], lane, integer),
                               parameter(msg, width, at[1], lane, integer));
         msg->dst[reg + lane / 8].ud[lane % 8] = word;
      }
      reg += regs;
   }
   return true;
}

static void
store_target(const struct place *p, const struct sim_message *msg,
             uint32_t lanes, unsigned first, unsigned width, unsigned reg,
             unsigned slot, unsigned comps)
{
   const bool half = msg->fields->half;

   while (lanes) {
      const unsigned i = (unsigned)u_bit_scan(&lanes);
      uint32_t *to =
         p->m->r
            ->outputs[(size_t)(p->first_lane + first + i) * NIR_INTERP_SLOTS +
                      slot];
      for (unsigned c = 0; c < comps; c++) {
         const union sim_grf *g = sim_message_payload(
            msg, half ? reg + c : reg + (c * width + i) / 8);
         if (g)
            to[c] = half ? g->uw[i] : g->ud[i % 8];
      }
   }
}

/* PRM SKL vol 7, "Render Target Write": header, alpha of source 0, oMask,
 * colours, depth, stencil. */
static bool
take_target(struct sim_eu_thread *thread, const struct sim_message *msg)
{
   const struct place *p = thread->user;
   const struct isa_message *f = msg->fields;
   const struct intel_wm_prog_data *pd = p->m->sh->prog_data.wm;
   const unsigned kind = f->rt_kind;
   const bool dual = kind == ISA_RT_SIMD8_DUAL_LOW ||
                     kind == ISA_RT_SIMD8_DUAL_HIGH;
   const unsigned width = kind == ISA_RT_SIMD16 ? 16 : 8, regs = width / 8;
   const unsigned first = kind == ISA_RT_SIMD8_DUAL_HIGH ? 8 : 0;
   uint32_t lanes = msg->exec_mask & BITFIELD_MASK(width);
   unsigned reg = 0, target = f->bti;

   if (kind == ISA_RT_SIMD16_REPLICATED)
      return sim_eu_fault(thread, SIM_FAULT_UNIMPLEMENTED,
                          "replicated colour is not run here");
   if (msg->header) {
      const union sim_grf *h = sim_message_payload(msg, 0);
      if (ISA_HDR_GET(RT_SRC0_ALPHA, h->ud[ISA_HDR_RT_SRC0_ALPHA_DW]))
         reg += f->half ? 1 : regs;
      if (pd->uses_kill)
         lanes &=
            ISA_HDR_GET(
               RT_PIXELS,
               sim_message_payload(msg, 1)->ud[ISA_HDR_RT_PIXELS_DW - 8]) >>
            first;
      reg += 2;
   }
   if (pd->uses_omask)
      reg++;
   const unsigned color_regs = f->half ? 4 : 4 * regs;
   p->m->written |= (uint64_t)lanes << (p->first_lane + first);
   store_target(p, msg, lanes, first, width, reg, FRAG_RESULT_DATA0 + target,
                4);
   reg += color_regs;
   if (dual) {
      store_target(p, msg, lanes, first, width, reg,
                   FRAG_RESULT_DATA0 + target + NIR_INTERP_SRC1, 4);
      reg += color_regs;
   }
   if (pd->computed_depth)
      store_target(p, msg, lanes, first, width, reg, FRAG_RESULT_DEPTH, 1);
   return true;
}

static bool
take_barrier(struct sim_eu_thread *thread, const struct sim_message *msg)
{
   return true;
}

static void
give_barycentric(struct sim_eu_thread *thread, unsigned lane, int sample,
                 float dx, float dy, bool perspective, float out[2])
{
   const struct place *p = thread->user;
   memcpy(out, p->m->t->bary[p->first_lane + lane], 2 * sizeof(float));
}

/* ---- memory ---- */

/* The size less one is in pieces: PRM IVB vol 4 part 1, "SURFACE_STATE". */
static void
fill_surface(const struct intel_device_info *dev, void *state,
             uint64_t address)
{
   const uint32_t last = TRIAL_BUFFER_B - 1;

   if (dev->address_bits < 48) {
      const struct GEN7_RENDER_SURFACE_STATE surface = {
         .SurfaceType = 4, /* SURFTYPE_BUFFER */
         .SurfaceFormat = ISL_FORMAT_RAW,
         .SurfaceBaseAddress = address,
         .Width = last & 0x7f,
         .Height = last >> 7 & 0x3fff,
         .Depth = last >> 21,
      };
      GEN7_RENDER_SURFACE_STATE_pack(state, &surface);
   } else {
      isl_buffer_fill_state(dev, state, .address = address,
                            .size_B = TRIAL_BUFFER_B,
                            .format = ISL_FORMAT_RAW, .stride_B = 1,
                            .swizzle = ISL_SWIZZLE_IDENTITY);
   }
}

static bool
create_memory(struct machine *m, const struct intel_device_info *dev)
{
   m->vm = sim_vm_create();
   m->buffers = sim_bo_create(TRIAL_BUFFERS * TRIAL_BUFFER_B);
   m->state = sim_bo_create(STATE_B);
   m->scratch = sim_bo_create(SCRATCH_B);
   if (!sim_vm_bind(m->vm, m->buffers, BUFFERS) ||
       !sim_vm_bind(m->vm, m->state, STATE) ||
       !sim_vm_bind(m->vm, m->scratch, SCRATCH))
      return false;
   sim_mem_init(&m->mem, m->vm);
   memcpy(m->buffers->map, m->t->buffers, sizeof(m->t->buffers));
   for (unsigned i = 0; i < TRIAL_BUFFERS; i++) {
      const uint32_t at = SURFACES + i * SURFACE_B;
      ((uint32_t *)m->state->map)[i] = at;
      fill_surface(dev, m->state->map + at, BUFFERS + i * TRIAL_BUFFER_B);
   }
   return true;
}

static void
destroy_memory(struct machine *m)
{
   sim_vm_destroy(m->vm);
   sim_bo_unref(m->buffers);
   sim_bo_unref(m->state);
   sim_bo_unref(m->scratch);
}

/* ---- payloads ---- */

static unsigned
put_constants(const struct machine *m, union sim_grf *to)
{
   const struct intel_stage_prog_data *pd = m->sh->prog_data.base;
   unsigned n = 0;

   for (unsigned i = 0; i < INTEL_MAX_PUSH_RANGES; i++) {
      const struct intel_push_range *range = &pd->push[i];
      const bool constants = range->block == INTEL_PUSH_BLOCK_CONSTANTS;
      const size_t size = constants ? TRIAL_PUSH_B : TRIAL_BUFFER_B;
      const uint8_t *from = constants ? m->t->push
                            : range->length
                               ? m->t->buffers[range->block % TRIAL_BUFFERS]
                               : NULL;
      for (unsigned g = 0; g < range->length; g++, n++) {
         const size_t at = (size_t)(range->start + g) * 32;
         if (at + 32 <= size)
            memcpy(&to[n], from + at, 32);
         else
            memset(&to[n], 0, 32);
      }
   }
   return n;
}

static void
put_setup(const struct machine *m, union sim_grf *to)
{
   const struct intel_wm_prog_data *pd = m->sh->prog_data.wm;

   for (unsigned slot = 0; slot < 64; slot++) {
      if (pd->urb_setup[slot] < 0)
         continue;
      for (unsigned c = 0; c < 4; c++) {
         const float *plane = m->t->plane[slot][c];
         union sim_grf *g = &to[2 * pd->urb_setup[slot] + c / 2];
         g->f[c % 2 * 4] = plane[0];
         g->f[c % 2 * 4 + 1] = plane[1];
         memcpy(&g->f[c % 2 * 4 + 3], &plane[2], 4);
      }
   }
}

/* The payload of fs_nir_fs.c's head comment, as the manual has it. */
static void
fill_fragments(const struct machine *m, union sim_grf *grf,
               unsigned first_lane, uint32_t mask)
{
   const struct intel_wm_prog_data *pd = m->sh->prog_data.wm;
   const unsigned w = m->width / 8;
   uint32_t front;
   unsigned g = 2;

   trial_sysval(m->t, nir_intrinsic_load_front_face, 0, 0, &front);
   grf[0].ud[0] = front ? 0 : 1u << 15;
   for (unsigned q = 0; q < m->width / 4; q++)
      grf[1].ud[2 + q] = 8u << 16 | (16 + 2 * (first_lane / 4 + q));
   grf[1].ud[7] = mask;
   for (unsigned i = 0; i < INTEL_BARY_COUNT; i++) {
      for (unsigned k = 0; pd->barycentric_modes >> i & 1 && k < w; k++) {
         for (unsigned lane = 0; lane < 8; lane++) {
            const float *b = m->t->bary[first_lane + 8 * k + lane];
            grf[g].f[lane] = b[0];
            grf[g + 1].f[lane] = b[1];
         }
         g += 2;
      }
   }
   for (unsigned i = 0; pd->uses_src_depth && i < 8 * w; i++)
      grf[g + i / 8].f[i % 8] = 0.25f;
   g += pd->uses_src_depth ? w : 0;
   for (unsigned i = 0; pd->uses_src_w && i < 8 * w; i++)
      grf[g + i / 8].f[i % 8] = 2;
   g += pd->uses_src_w ? w : 0;
   if (pd->uses_pos_offset)
      memset(&grf[g++], 8, 32);
   for (unsigned i = 0; pd->uses_sample_mask_in && i < 8 * w; i++)
      grf[g + i / 8].ud[i % 8] = 1;
   const unsigned start = m->width == 16 ? pd->dispatch_grf_start_16
                                         : pd->dispatch_grf_start_8;
   put_setup(m, &grf[start + put_constants(m, &grf[start])]);
}

static uint32_t
sysval(const struct machine *m, nir_intrinsic_op op, unsigned lane)
{
   uint32_t word = 0;
   trial_sysval(m->t, op, lane, 0, &word);
   return word;
}

/* That of fs_nir_vs.c. */
static void
fill_vertices(const struct machine *m, union sim_grf *grf,
              unsigned first_lane)
{
   const struct intel_vs_prog_data *pd = m->sh->prog_data.vs;
   const unsigned start = pd->base.dispatch_grf_start;
   union sim_grf *to = &grf[start + put_constants(m, &grf[start])];
   unsigned slot = 0;

   for (unsigned i = 0; i < 8; i++)
      grf[1].ud[i] = URB_ENTRIES + (first_lane + i) * pd->urb_entry_size;
   for (unsigned i = 0; i < 64; i++) {
      if (!(pd->inputs_read >> i & 1))
         continue;
      for (unsigned lane = 0; lane < 8; lane++) {
         const uint32_t *in =
            m->t->inputs[(size_t)(first_lane + lane) * NIR_INTERP_SLOTS +
                         VERT_ATTRIB_GENERIC0 + i];
         for (unsigned c = 0; c < 4; c++)
            to[4 * slot + c].ud[lane] = in[c];
      }
      slot++;
   }
   static const nir_intrinsic_op ids[4] = {
      nir_intrinsic_load_first_vertex, nir_intrinsic_load_base_instance,
      nir_intrinsic_load_vertex_id_zero_base, nir_intrinsic_load_instance_id
   };
   const bool sgvs = pd->uses_vertexid || pd->uses_instanceid ||
                     pd->uses_firstvertex || pd->uses_baseinstance;
   for (unsigned lane = 0; lane < 8; lane++) {
      for (unsigned c = 0; c < 4 && sgvs; c++)
         to[4 * pd->sgvs_slot + c].ud[lane] =
            sysval(m, ids[c], first_lane + lane);
      if (pd->uses_drawid)
         to[4 * pd->drawid_slot].ud[lane] =
            sysval(m, nir_intrinsic_load_draw_id, 0);
   }
}

/* That of fs_nir_cs.c. */
static void
fill_group(const struct machine *m, union sim_grf *grf, unsigned first_lane)
{
   const struct intel_cs_prog_data *pd = m->sh->prog_data.cs;
   const unsigned start = pd->base.dispatch_grf_start;
   static const uint8_t dw[3] = { 1, 6, 7 };

   for (unsigned i = 0; i < 3; i++)
      grf[0].ud[dw[i]] = i + 1;
   const unsigned n = put_constants(m, &grf[start]);
   if (pd->per_thread_grfs)
      grf[start + n].ud[0] = first_lane / m->width;
}

static void
fill_payload(const struct machine *m, struct sim_eu_thread *thread,
             unsigned first_lane, uint32_t mask)
{
   union sim_grf *grf = thread->grf;

   memset(grf, 0xa5, sizeof(thread->grf));
   memset(grf, 0, 2 * sizeof(*grf));
   switch (m->sh->stage) {
   case MESA_SHADER_FRAGMENT: fill_fragments(m, grf, first_lane, mask); break;
   case MESA_SHADER_VERTEX: fill_vertices(m, grf, first_lane); break;
   default: fill_group(m, grf, first_lane); break;
   }
   grf[0].ud[5] = first_lane / m->width * m->env.scratch_per_thread_B;
}

/* ---- running ---- */

static uint32_t
entry_B(const struct intel_shader *sh, unsigned width)
{
   if (sh->stage != MESA_SHADER_FRAGMENT)
      return 0;
   return width == 8 ? sh->prog_data.wm->prog_offset_8_B
                     : sh->prog_data.wm->prog_offset_16_B;
}

/* 0: there is no code of this width. */
static uint32_t
code_size_B(const struct intel_shader *sh, unsigned width)
{
   for (unsigned i = 0; i < ARRAY_SIZE(sh->stats); i++) {
      if (sh->stats[i].dispatch_width == width)
         return sh->stats[i].code_size_B;
   }
   return 0;
}

/* Each until it ends or waits; at a barrier all that wait go on. */
static bool
run_threads(struct machine *m, struct sim_eu_thread *threads, unsigned count,
            const struct sim_eu_program *program, struct arena *arena)
{
   for (unsigned waiting = count; waiting;) {
      waiting = 0;
      for (unsigned i = 0; i < count; i++) {
         struct sim_eu_thread *t = &threads[i];
         if (t->status == SIM_EU_EOT)
            continue;
         if (t->status == SIM_EU_WAIT)
            t->notify[t->waits_for]++;
         const enum sim_eu_status status = sim_eu_run(t, program, 0);
         if (status == SIM_EU_WAIT)
            waiting++;
         else if (status != SIM_EU_EOT) {
            m->r->error =
               arena_printf(arena, "the thread ends %s at byte %u: %s: %s",
                            status == SIM_EU_LIMIT ? "never" : "in a fault",
                            t->fault.ip_B, t->fault.inst, t->fault.text);
            return false;
         }
      }
   }
   return true;
}

static void
read_vertices(struct machine *m, unsigned lanes)
{
   const struct intel_vs_prog_data *pd = m->sh->prog_data.vs;
   const struct intel_vue_map *map = &pd->out.vue_map;
   static const uint8_t header[][2] = { { VARYING_SLOT_LAYER, 1 },
                                        { VARYING_SLOT_VIEWPORT, 2 },
                                        { VARYING_SLOT_PSIZ, 3 } };

   for (unsigned lane = 0; lane < lanes; lane++) {
      const uint8_t *entry = m->urb +
                             64 * (URB_ENTRIES + lane * pd->urb_entry_size);
      nir_interp_slot *out = &m->r->outputs[(size_t)lane * NIR_INTERP_SLOTS];
      for (unsigned slot = 1; slot < map->num_slots; slot++) {
         if (map->slot_to_varying[slot] >= 0)
            memcpy(out[map->slot_to_varying[slot]], entry + 16 * slot, 16);
      }
      for (unsigned i = 0; i < ARRAY_SIZE(header); i++)
         memcpy(out[header[i][0]], entry + 4 * header[i][1], 4);
   }
}

const char *
trial_refusal(const struct intel_shader *sh)
{
   switch (sh->stage) {
   case MESA_SHADER_FRAGMENT: return NULL;
   case MESA_SHADER_COMPUTE: return NULL;
   case MESA_SHADER_VERTEX:
      return sh->prog_data.vs->dispatch_mode == INTEL_DISPATCH_SIMD8
                ? NULL
                : "SIMD4x2 code is not run";
   default: return "code of this stage is not run";
   }
}

static void
run_all(struct machine *m, const struct sim_eu_program *program,
        struct arena *arena)
{
   static const struct sim_eu_interp interp = {
      .barycentric = give_barycentric,
   };
   const unsigned lanes = m->t->layout->lanes;
   const unsigned count = DIV_ROUND_UP(lanes, m->width);
   /* Registers are vectors of the host, and an arena does not align them. */
   char *room =
      arena_new_array(arena, char, count * sizeof(struct sim_eu_thread) + 63);
   struct sim_eu_thread *threads = (void *)ALIGN((uintptr_t)room, 64);
   struct place *places = arena_new_array(arena, struct place, count);

   m->env.interp = &interp;
   for (unsigned i = 0; i < count; i++) {
      const unsigned first = i * m->width;
      const uint32_t mask = BITFIELD_MASK(MIN2(m->width, lanes - first));
      fill_payload(m, &threads[i], first, mask);
      sim_eu_thread_init(&threads[i], &m->env, mask);
      places[i] = (struct place) { m, first };
      threads[i].user = &places[i];
      threads[i].mem = &m->mem;
      threads[i].max_instructions = MAX_INSTRUCTIONS;
   }
   if (!run_threads(m, threads, count, program, arena))
      return;
   memcpy(m->r->buffers, m->buffers->map, sizeof(m->r->buffers));
   if (m->sh->stage == MESA_SHADER_VERTEX)
      read_vertices(m, lanes);
   if (m->sh->stage == MESA_SHADER_FRAGMENT)
      m->r->killed = BITFIELD64_MASK(lanes) & ~m->written;
}

bool
trial_run_code(const struct trial *t, const struct intel_device_info *dev,
               const struct intel_shader *sh, unsigned width,
               struct trial_result *r, struct arena *arena)
{
   const uint32_t size = code_size_B(sh, width);
   if (!size)
      return false;
   struct machine *m = arena_new(arena, struct machine);
   m->t = t;
   m->sh = sh;
   m->r = r;
   m->width = width;
   m->env = (struct sim_eu_env) {
      .verx10 = dev->verx10,
      .low_power = dev->eu.qwords_stay,
      .surface_state_base = STATE,
      .general_state_base = SCRATCH,
      .scratch_per_thread_B = MAX2(1024, sh->prog_data.base->total_scratch_B),
      .render_target = take_target,
      .sampler = answer_sampler,
      .barrier = take_barrier,
      .urb = m->urb,
      .urb_size_B = sizeof(m->urb),
      .slm = m->slm,
      .slm_size_B = sizeof(m->slm),
   };
   struct sim_eu_program *program = sim_eu_program_create(
      dev->verx10, dev->eu.qwords_stay,
      (const char *)sh->code + entry_B(sh, width), size);
   if (!program || !create_memory(m, dev))
      r->error = "no memory";
   else
      run_all(m, program, arena);
   if (program)
      sim_eu_program_destroy(program);
   destroy_memory(m);
   return true;
}
