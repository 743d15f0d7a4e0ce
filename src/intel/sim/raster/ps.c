/* SPDX-License-Identifier: MIT */
/*
 * Pixel shader dispatch: early tests, gathering quads, running threads (PRM
 * SKL Vol. 7, "Pixel Shader").
 *
 * Quads of one primitive are gathered until a thread of the widest program is
 * full (SIMD32: eight quads, SIMD16: four, SIMD8: two), and run at the latest
 * at the primitive's end. With per-sample dispatch a quad takes one place for
 * each sample.
 */
#include "raster_private.h"
#include "intel/sim/chaos/chaos.h"
#include "intel/sim/gen/traits.h"

/*
 * Threads
 */

/* Index in r->program for so many quads: the narrowest that takes them all,
 * else the widest. A thread may have quads without a pixel. */
static unsigned
choose_width(const struct sim_raster *r, unsigned num_quads)
{
   unsigned widest = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(r->program); i++) {
      if (!r->program[i])
         continue;
      widest = i;
      if (num_quads <= 2u << i)
         break;
   }
   return widest;
}

static void
trace(struct sim_raster *r, struct sim_eu_thread *t,
      const struct sim_eu_program *program, unsigned num_quads)
{
   struct trace_item item[SIM_MAX_QUADS];
   for (unsigned i = 0; i < num_quads; i++) {
      item[i] = (struct trace_item) { { r->pending[i].x, r->pending[i].y,
                                        r->pending_sample[i],
                                        (int32_t)r->setup->primitive_id } };
   }
   sim_draw_trace_thread(r->draw, t, program, 4, item, num_quads);
}

/* Numbers of threads, sparse as those of compute shaders. */
unsigned
sim_raster_thread_ids(const struct intel_device_info *info)
{
   return info->max_threads_per_psd
             ? info->max_threads_per_psd *
                  intel_device_info_scratch_subslices(info)
             : info->max_wm_threads;
}

static void
remove_pending(struct sim_raster *r, unsigned num_quads)
{
   r->num_pending -= num_quads;
   if (!r->num_pending)
      return;
   memmove(r->pending, r->pending + num_quads,
           r->num_pending * sizeof(r->pending[0]));
   memmove(r->pending_sample, r->pending_sample + num_quads,
           r->num_pending * sizeof(r->pending_sample[0]));
}

static void
dispatch(struct sim_raster *r, unsigned num_quads)
{
   const unsigned which = choose_width(r, num_quads);
   num_quads = MIN2(num_quads, 2u << which);

   /* Not user.passed: this runs once for each thread. */
   struct sim_ps_thread user;
   user.r = r;
   user.width = 8u << which;
   user.num_quads = num_quads;
   user.quad = r->pending;
   user.sample = r->pending_sample;
   user.tested = 0;
   uint32_t lit = 0, whole = 0;
   if (sim_fill_knows(r, which) && sim_fill_thread(r, which, num_quads)) {
      remove_pending(r, num_quads);
      return;
   }
   for (unsigned i = 0; i < num_quads; i++) {
      const uint16_t *of_pixel = r->pending[i].lit;
      const int sample = r->pending_sample[i];
      unsigned of_quad = 0;
      for (unsigned k = 0; k < 4; k++)
         of_quad |= (sim_ps_slot_samples(of_pixel[k], sample) ? 1u : 0) << k;
      lit |= of_quad << (4 * i);
      whole |= (of_quad ? 0xfu : 0) << (4 * i);
   }

   struct sim_eu_thread *t = &r->thread;
   if (sim_chaos_has(r->env.chaos, SIM_CHAOS_IDS))
      r->thread_number = (unsigned)sim_chaos_below(
         r->env.chaos, sim_raster_thread_ids(r->draw->gpu->info));
   /* Gen7 takes whole subspans in any case: stock drivers leave the bit off
    * there, and their derivatives are right. */
   const bool vmask = r->state->ps.VectorMaskEnable ||
                      sim_traits(r->env.verx10)->ps_whole_subspans;
   sim_eu_thread_init_for(t, &r->env, r->program[which], vmask ? whole : lit);
   t->sr0[2] = lit;
   t->sr0[3] = whole;
   t->mem = r->mem;
   t->user = &user;
   t->sample_mask = lit;

   if (r->fill_payload(r, t->grf, 8u << which, num_quads, lit,
                       r->dispatch_grf[which])) {
      r->ps_invocations += sim_count_bits(lit);
      if (sim_draw_is_traced(r->draw))
         trace(r, t, r->program[which], num_quads);
      r->fill.running = which;
      sim_draw_run_thread(r->draw, t, r->program[which], "pixel shader");
      r->fill.program[which].stats = t->stats;
   }
   remove_pending(r, num_quads);
}

void
sim_ps_flush(struct sim_raster *r)
{
   if (r->fill.waiting) {
      const unsigned left = sim_fill_flush(r);
      if (left)
         sim_fill_count(r, choose_width(r, left), 1);
      r->fill.waiting = 0;
   }
   while (r->num_pending && !r->draw->faulted)
      dispatch(r, r->num_pending);
   r->num_pending = 0;
}

/* What is at pending[num_pending] waits from now on. */
static void
queue_next(struct sim_raster *r, int sample)
{
   struct sim_chaos *chaos = r->draw->gpu->chaos;
   r->pending_sample[r->num_pending++] = sample;
   if (r->num_pending == r->quads_to_run ||
       (sim_chaos_has(chaos, SIM_CHAOS_ORDER) && !sim_chaos_below(chaos, 4)))
      dispatch(r, r->num_pending);
}

static void
queue(struct sim_raster *r, const struct sim_quad *q, int sample)
{
   r->pending[r->num_pending] = *q;
   queue_next(r, sample);
}

/* The samples of a pixel that pass depth and stencil before the shader. */
static uint32_t
test_pixel(struct sim_raster *r, int x, int y, uint32_t mask)
{
   if (!sim_zs_active(r))
      return mask;
   float z[SIM_MAX_SAMPLES];
   if (sim_zs_uses_depth(r))
      sim_ps_depths(r, x, y, z);
   return sim_zs_test(r, x, y, mask, z, r->setup->front_facing,
                      SIM_ZS_STATE_REF);
}

/* The same for a quad at once; false: it is to be done pixel by pixel. */
static bool
test_quad(struct sim_raster *r, struct sim_quad *q, bool *any)
{
   unsigned mask = 0, passed;
   for (unsigned i = 0; i < 4; i++)
      mask |= (unsigned)((q->coverage[i] & r->sample_mask) != 0) << i;
   if (!mask || !sim_zs_test_quad(r, q, mask, &passed))
      return false;
   r->depth_count += sim_count_samples(passed);
   for (unsigned i = 0; i < 4; i++)
      q->lit[i] = passed >> i & 1;
   *any = passed != 0;
   return true;
}

/* Depth and stencil before the shader, or none: fills in q->lit. */
static bool
early_tests(struct sim_raster *r, struct sim_quad *q)
{
   bool any = false;
   if (sim_looks_in(r, q)) {
      const unsigned i = (r->check_x & 1u) | (r->check_y & 1u) << 1;
      sim_look_covered(r, q->coverage[i] & r->sample_mask);
   }
   if (r->zs.by_quads && r->early_tests && test_quad(r, q, &any))
      return any;
   for (unsigned i = 0; i < 4; i++) {
      uint32_t mask = q->coverage[i] & r->sample_mask;
      if (mask && r->early_tests) {
         mask =
            test_pixel(r, q->x + (int)(i & 1), q->y + (int)(i >> 1), mask);
         r->depth_count += sim_count_samples(mask);
      }
      q->lit[i] = (uint16_t)mask;
      any |= mask != 0;
   }
   return any;
}

/*
 * Before Gen8 a thread does not get sample numbers but that of its first pair
 * of samples; its subspans are two or four samples in a row of one quad (IVB
 * PRM volume 2 part 1, "Pixel Shader Thread Payload": R0.0 bits 7:6).
 */
static void
queue_pairs(struct sim_raster *r, const struct sim_quad *q)
{
   const unsigned any = q->lit[0] | q->lit[1] | q->lit[2] | q->lit[3];
   const unsigned n = r->program[1] && r->num_samples >= 4 ? 4 : 2;
   for (unsigned s = 0; s < r->num_samples && !r->draw->faulted; s += n) {
      if (!(any >> s & BITFIELD_MASK(n)))
         continue;
      for (unsigned i = 0; i < n; i++) {
         r->pending[i] = *q;
         r->pending_sample[i] = (int)(s + i);
      }
      r->num_pending = n;
      dispatch(r, n);
   }
}

void
sim_ps_quad(struct sim_raster *r, struct sim_quad *q)
{
   if (r->draw->faulted || !early_tests(r, q) || !r->has_ps)
      return;
   if (!r->per_sample) {
      queue(r, q, -1);
      return;
   }
   if (sim_traits(r->env.verx10)->ps_sample_pairs) {
      queue_pairs(r, q);
      return;
   }
   for (unsigned s = 0; s < r->num_samples; s++) {
      if ((q->lit[0] | q->lit[1] | q->lit[2] | q->lit[3]) >> s & 1)
         queue(r, q, (int)s);
      if (r->draw->faulted)
         return;
   }
}

/* Of two rows of a block the pixels of the quad at column x, each as a mask
 * of its one sample: bit k of four goes to bit 16 * k. */
static uint64_t
quad_of_rows(uint64_t two_rows, int x)
{
   const uint64_t bits = (two_rows >> x & 3) | (two_rows >> (8 + x) & 3) << 2;
   return bits * (1 | 1ull << 15 | 1ull << 30 | 1ull << 45) &
          UINT64_MAX / 0xffff;
}

bool
sim_ps_pixels(struct sim_raster *r, int x, int y, uint64_t mask)
{
   uint64_t lit = mask;
   if (!r->early_tests || !(r->sample_mask & 1) || r->draw->faulted ||
       r->looks ||
       (sim_zs_active(r) &&
        (!r->zs.by_blocks || !sim_zs_test_block(r, x, y, mask, &lit))))
      return false;
   r->depth_count += sim_count_bits(lit);
   if (!r->has_ps)
      return true;
   if (sim_fill_knows(r, r->widest))
      lit = sim_fill_block(r, x, y, lit);
   for (int i = 0; i < 8 && lit >> 8 * i; i += 2) {
      for (int k = 0; k < 8; k += 2) {
         const uint64_t passed = quad_of_rows(lit >> 8 * i, k);
         const uint64_t covered = quad_of_rows(mask >> 8 * i, k);
         struct sim_quad *q = &r->pending[r->num_pending];
         if (!passed)
            continue;
         static_assert(sizeof(q->lit) == sizeof(passed), "as a mask each");
         q->x = x + k;
         q->y = y + i;
         memcpy(q->coverage, &covered, sizeof(q->coverage));
         memcpy(q->lit, &passed, sizeof(q->lit));
         queue_next(r, -1);
         if (r->draw->faulted)
            return true;
      }
   }
   return true;
}

/*
 * Begin
 */

/* PRM SKL Vol. 2a 3DSTATE_PS: which kernel start pointer is which width. */
static bool
find_programs(struct sim_raster *r)
{
   const struct GEN9_3DSTATE_PS *ps = &r->state->ps;
   const bool simd8 = ps->_8PixelDispatchEnable;
   const bool simd16 = ps->_16PixelDispatchEnable;
   const bool simd32 = ps->_32PixelDispatchEnable;
   if (!simd8 && !simd16 && !simd32) {
      sim_draw_fault(r->draw, "3DSTATE_PS: no dispatch width is enabled");
      return false;
   }
   const uint64_t start[3] = { ps->KernelStartPointer0,
                               ps->KernelStartPointer1,
                               ps->KernelStartPointer2 };
   const unsigned grf[3] = {
      ps->DispatchGRFStartRegisterForConstantSetupData0,
      ps->DispatchGRFStartRegisterForConstantSetupData1,
      ps->DispatchGRFStartRegisterForConstantSetupData2
   };
   /* A single width is always in slot 0; beside another one SIMD16 is in 2,
    * SIMD32 in 1. */
   const bool enabled[3] = { simd8, simd16, simd32 };
   const unsigned slot[3] = { 0, simd8 || simd32 ? 2 : 0,
                              simd8 || simd16 ? 1 : 0 };
   for (unsigned i = 0; i < 3; i++) {
      if (!enabled[i])
         continue;
      struct sim_eu_fault fault;
      r->program[i] = sim_draw_program(
         r->draw, r->state->base.instruction + start[slot[i]], &fault);
      if (!r->program[i]) {
         sim_draw_fault(r->draw, "pixel shader: %s", fault.text);
         return false;
      }
      r->dispatch_grf[i] = grf[slot[i]];
   }
   r->widest = choose_width(r, SIM_MAX_QUADS);
   r->quads_to_run = 2u << r->widest;
   return true;
}

static bool
begin_environment(struct sim_raster *r)
{
   const struct sim_render_state *s = r->state;
   sim_draw_init_env(r->draw, &r->env);
   r->env.binding_table_offset_B =
      (uint32_t)s->binding_table_pointers_ps.PointertoPSBindingTable;
   r->env.sampler_state_offset_B =
      (uint32_t)s->sampler_state_pointers_ps.PointertoPSSamplerState;
   r->env.scratch_per_thread_B = 1024u << s->ps.PerThreadScratchSpace;
   r->env.cr0 = sim_draw_cr0(s->ps.FloatingPointMode, s->ps.RoundingMode,
                             s->ps.SingleProgramFlow);
   r->env.render_target = sim_rt_write;
   sim_draw_set_stage(r->draw, &r->env, "fs");
   r->env.interp = &sim_ps_interp;

   r->num_attributes =
      s->ps_extra.AttributeEnable ? s->sbe.NumberofSFOutputAttributes : 0;
   if (r->num_attributes > SIM_MAX_ATTRIBUTES) {
      sim_draw_fault(r->draw, "3DSTATE_SBE: %u attributes",
                     r->num_attributes);
      return false;
   }
   if (!s->ps.PushConstantEnable)
      return true;
   r->push = malloc(SIM_GRF_COUNT * SIM_GRF_B);
   if (!r->push) {
      sim_draw_fault(r->draw, "the host is out of memory");
      return false;
   }
   return sim_draw_push_constants(r->draw, &s->constant_ps.ConstantBody,
                                  r->push, &r->push_grf);
}

bool
sim_ps_begin(struct sim_raster *r)
{
   const struct sim_render_state *s = r->state;
   r->has_ps = s->ps_extra.PixelShaderValid;
   r->kills = s->ps_extra.PixelShaderKillsPixel;
   r->fill_payload = __builtin_cpu_supports("avx2") ? sim_ps_fill_payload_avx2
                                                    : sim_ps_fill_payload;
   r->per_sample = s->ps_extra.PixelShaderIsPerSample &&
                   r->target_samples > 1;

   /* PRM SKL Vol. 7 "Early Depth Test": the tests move after the shader
    * when it decides what they see, unless the API forces them first; and
    * when what it does is to be seen even of pixels that fail. */
   const unsigned control = s->wm.EarlyDepthStencilControl;
   const bool forced = control == EDSC_PREPS;
   const bool shader_decides = r->has_ps &&
                               (control == EDSC_PSEXEC || r->kills ||
                                s->ps_extra.PixelShaderComputedDepthMode ||
                                s->ps_extra.PixelShaderComputesStencil ||
                                s->ps_extra.oMaskPresenttoRenderTarget ||
                                r->alpha_decides);
   r->early_tests = forced || !shader_decides;

   if (!r->has_ps)
      return true;
   if (!begin_environment(r) || !find_programs(r))
      return false;
   sim_fill_begin(r);
   return true;
}
