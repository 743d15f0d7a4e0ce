/* SPDX-License-Identifier: MIT */
/*
 * What packets deal out, beside what the chip has: L3, constants, scratch,
 * threads, groups, stream output (section 4 of the rules, and what of 1 and
 * 3 has a number).
 */
#include "strict_private.h"

#include <stdio.h>

#include "intel/genxml/gen9_pack.h"
#include "intel/sim/compute/gpgpu.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/raster/raster.h"

const uint32_t *
strict_descriptor(const struct strict_command *c,
                  struct GEN9_INTERFACE_DESCRIPTOR_DATA *d)
{
   const struct sim_hw_context *hw = c->cs->hw;
   const uint64_t at = strict_get(c, "InterfaceDescriptorOffset");
   if (at >= hw->num_interface_descriptors)
      return NULL;
   const uint32_t *dw = hw->interface_descriptor[at];
   if (sim_traits(c->cs->spec->verx10)->state_form == SIM_STATE_GEN7)
      cs_gen7_unpack_descriptor(c->cs->spec->verx10, dw, d);
   else
      GEN9_INTERFACE_DESCRIPTOR_DATA_unpack(dw, d);
   return dw;
}

/*
 * L3
 */

static bool
l3_gen7_is_valid(const struct strict_chip *chip, uint32_t r2, uint32_t r3)
{
   for (unsigned i = 0; i < STRICT_L3_GEN7_ROWS; i++) {
      const struct strict_l3_gen7 *r = &chip->l3_gen7[i];
      if ((r2 & 1) == (r->shared != 0) &&
          (r2 >> 1 & 0x3f) + chip->hidden_urb_ways == r->urb &&
          !(r2 >> 8 & 0x3f) && (r2 >> 14 & 0x3f) == r->read_only &&
          (r2 >> 21 & 0x3f) == r->data && (r3 >> 1 & 0x3f) == r->state &&
          (r3 >> 8 & 0x3f) == r->constants &&
          (r3 >> 15 & 0x3f) == r->textures)
         return true;
   }
   return false;
}

/* Ways of Gen7: L3CNTLREG2 and L3CNTLREG3; what L3SQCREG1 takes out. */
static void
check_l3_gen7(struct strict_command *c)
{
   const uint32_t sq = cs_get_register(c->cs, 0xb010);
   const uint32_t r2 = cs_get_register(c->cs, 0xb020);
   const uint32_t r3 = cs_get_register(c->cs, 0xb024);
   const bool all = r2 >> 8 & 0x3f, ro = (r2 >> 14 & 0x3f) || all;
   const struct {
      const char *name;
      bool ways;
      unsigned bit;
   } rows[] = {
      { "the data port", (r2 >> 21 & 0x3f) || all, 24 },
      { "instructions and state", (r3 >> 1 & 0x3f) || ro, 25 },
      { "constants", (r3 >> 8 & 0x3f) || ro, 26 },
      { "textures", (r3 >> 15 & 0x3f) || ro, 27 },
   };
   if (!c->c->l3_seen)
      return;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
      STRICT_CHECK(c, CC_19, !rows[i].ways && !(sq >> rows[i].bit & 1),
                   "%s without ways", rows[i].name);
   STRICT_CHECK(c, CC_19,
                (r2 & 1) && !(r2 >> 7 & 1) && !c->s->chip->hidden_urb_ways,
                "%s", "shared memory, and the URB not in low bandwidth mode");
   STRICT_CHECK(c, CC_18, !l3_gen7_is_valid(c->s->chip, r2, r3),
                "0x%08x, 0x%08x", r2, r3);
   STRICT_CHECK(c, CC_20, c->c->l3_atomics && !rows[0].ways, "%s", "");
}

void
strict_l3_written(struct strict_command *c, uint32_t reg, uint32_t value)
{
   const bool gen7 = !c->s->chip->l3;
   const uint32_t urb = gen7 ? 0x3f << 1 : 0x7f << 1;
   if (reg == (gen7 ? 0xb020 : 0x7034) &&
       ((cs_get_register(c->cs, reg) ^ value) & urb))
      c->c->urb_stale = BITFIELD_MASK(STRICT_URB_STAGES);
}

static void
check_urb(struct strict_command *c)
{
   const enum strict_stage stage = strict_stage_of(c);
   if (stage < STRICT_URB_STAGES)
      c->c->urb_stale &= ~(1u << stage);
}

/*
 * Constants, scratch
 */

static void
check_allocation(struct strict_command *c)
{
   const struct intel_device_info *info = c->s->gpu->info;
   const unsigned size_kB = (unsigned)strict_get(c, "ConstantBufferSize");
   const unsigned at_kB = (unsigned)strict_get(c, "ConstantBufferOffset");
   const unsigned step_kB = info->push_constant_size_kB > 16 ? 2 : 1;
   STRICT_CHECK(c, RL_09, at_kB + size_kB > info->push_constant_size_kB,
                "%u kB at %u kB of %u kB", size_kB, at_kB,
                info->push_constant_size_kB);
   STRICT_CHECK(c, RL_09, at_kB % step_kB || size_kB % step_kB,
                "%u kB at %u kB in steps of %u kB", size_kB, at_kB, step_kB);
}

static void
check_stage(struct strict_command *c)
{
   STRICT_CHECK(c, RL_19, strict_get(c, "PerThreadScratchSpace") > 11, "%u",
                (unsigned)strict_get(c, "PerThreadScratchSpace"));
}

/* Threads that still run may have divided the same space otherwise
 * (RL-48). */
static void
check_division(struct strict_command *c, const char *whose, uint64_t address,
               uint64_t per_thread_B, uint64_t size_B)
{
   struct strict_context *x = c->c;
   const unsigned known = MIN2(x->num_scratch, STRICT_MAX_SCRATCH);
   bool seen = false;
   for (unsigned i = 0; i < known; i++) {
      const struct strict_scratch *s = &x->scratch[i];
      const bool meet = address < s->address + s->size_B &&
                        s->address < address + size_B;
      STRICT_CHECK(c, RL_48, meet && s->per_thread_B != per_thread_B,
                   "%u kB a thread of %s, %u kB before",
                   (unsigned)(per_thread_B / 1024), whose,
                   (unsigned)(s->per_thread_B / 1024));
      seen |= s->address == address && s->per_thread_B == per_thread_B &&
              s->size_B == size_B;
   }
   if (!seen)
      x->scratch[x->num_scratch++ % STRICT_MAX_SCRATCH] =
         (struct strict_scratch) { address, per_thread_B, size_B };
}

/* Threads have any of `ids` numbers, whatever else runs (RL-20). */
static void
check_scratch(struct strict_command *c, const char *whose, uint64_t base,
              uint64_t per_thread_B, unsigned ids)
{
   const uint64_t address = c->cs->hw->state.base.general + base;
   STRICT_CHECK(c, RL_20,
                base &&
                   !sim_mem_try_ptr(&c->cs->mem, address, per_thread_B * ids),
                "%u threads of %s with %u kB each", ids, whose,
                (unsigned)(per_thread_B / 1024));
   if (base)
      check_division(c, whose, address, per_thread_B, per_thread_B * ids);
}

static void
draw_scratch(struct strict_command *c)
{
   const struct intel_device_info *info = c->s->gpu->info;
   const struct sim_render_state *s = &c->cs->hw->state;
   const bool pixels =
      c->s->chip->has_raster_packets
         ? s->ps_extra.PixelShaderValid
         : strict_state(c, "3DSTATE_WM", "ThreadDispatchEnable");
   const struct {
      const char *name;
      bool on;
      uint64_t base;
      uint32_t code;
      unsigned ids;
   } stages[] = {
      { "VS", s->vs.Enable, s->vs.ScratchSpaceBasePointer,
        s->vs.PerThreadScratchSpace, info->max_vs_threads },
      { "HS", s->hs.Enable, s->hs.ScratchSpaceBasePointer,
        s->hs.PerThreadScratchSpace, info->max_tcs_threads },
      { "DS", s->ds.Enable, s->ds.ScratchSpaceBasePointer,
        s->ds.PerThreadScratchSpace, info->max_tes_threads },
      { "GS", s->gs.Enable, s->gs.ScratchSpaceBasePointer,
        s->gs.PerThreadScratchSpace, info->max_gs_threads },
      { "PS", pixels, s->ps.ScratchSpaceBasePointer,
        s->ps.PerThreadScratchSpace, sim_raster_thread_ids(info) },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(stages); i++) {
      if (stages[i].on)
         check_scratch(c, stages[i].name, stages[i].base,
                       1024ull << stages[i].code, stages[i].ids);
   }
}

/* Half of the threads, minus one. */
static void
check_gs(struct strict_command *c)
{
   const unsigned pairs = (unsigned)strict_get(c, "MaximumNumberofThreads");
   const unsigned max = c->s->gpu->info->max_gs_threads;
   STRICT_CHECK(c, RL_16, strict_get(c, "Enable") && 2 * (pairs + 1) > max,
                "%u pairs for %u threads", pairs + 1, max);
}

unsigned
strict_constant_registers(const struct strict_command *c,
                          enum strict_stage stage)
{
   char name[64];
   snprintf(name, sizeof(name), "3DSTATE_CONSTANT_%s",
            strict_stage_names[stage]);
   const uint32_t *dw = strict_last(c, name);
   return (dw[1] & 0xffff) + (dw[1] >> 16) + (dw[2] & 0xffff) + (dw[2] >> 16);
}

/* Control points of the draw's patches; 0: it has none. */
static unsigned
patch_points(const struct strict_command *c)
{
   const unsigned topology =
      sim_traits(c->cs->spec->verx10)->topology_is_state
         ? c->cs->hw->state.vf_topology.PrimitiveTopologyType
         : (unsigned)strict_get(c, "PrimitiveTopologyType");
   return topology < _3DPRIM_PATCHLIST_1 ? 0
                                         : topology - _3DPRIM_PATCHLIST_1 + 1;
}

/* r0 and what the packet says come before constants, then what is pushed of
 * vertices: in VS a pair of slots has eight registers, or two where a
 * register has both vertices; in HS and GS each vertex has its own. */
static void
draw_payloads(struct strict_command *c)
{
   const struct sim_render_state *s = &c->cs->hw->state;
   const unsigned pair = s->vs.SIMD8DispatchEnable ? 8 : 2;
   const unsigned patches = s->hs.DispatchMode == DISPATCH_MODE_8_PATCH ? 8
                                                                        : 1;
   const unsigned object = s->gs.DispatchMode == DISPATCH_MODE_SIMD8 ? 8 : 1;
   const struct {
      bool on;
      unsigned first, last;
   } rows[STRICT_URB_STAGES] = {
      [STRICT_VS] = { s->vs.Enable, s->vs.DispatchGRFStartRegisterForURBData,
                      pair * s->vs.VertexURBEntryReadLength },
      [STRICT_HS] = { s->hs.Enable, s->hs.DispatchGRFStartRegisterForURBData,
                      patches * patch_points(c) *
                         s->hs.VertexURBEntryReadLength },
      [STRICT_DS] = { s->ds.Enable, s->ds.DispatchGRFStartRegisterForURBData,
                      s->ds.PatchURBEntryReadLength },
      [STRICT_GS] = { s->gs.Enable, s->gs.DispatchGRFStartRegisterForURBData,
                      object * s->gs.ExpectedVertexCount *
                         s->gs.VertexURBEntryReadLength },
   };
   for (unsigned i = 0; i < STRICT_URB_STAGES; i++) {
      const unsigned n = rows[i].first + rows[i].last +
                         strict_constant_registers(c, (enum strict_stage)i);
      STRICT_CHECK(c, RL_43, rows[i].on && n > 128, "%u registers of %s", n,
                   strict_stage_names[i]);
   }
   const unsigned topology = s->vf_topology.PrimitiveTopologyType;
   STRICT_CHECK(c, RL_42,
                s->gs.Enable && s->gs.DispatchMode == DISPATCH_MODE_SIMD8 &&
                   s->gs.IncludeVertexHandles && !s->gs.InstanceControl &&
                   topology >= _3DPRIM_PATCHLIST_1 + 13 &&
                   strict_constant_registers(c, STRICT_GS),
                "topology %u", topology);
   /* In 16 bytes, minus one. */
   const unsigned vertex = s->gs.OutputVertexSize + 1;
   STRICT_CHECK(c, RL_41,
                s->gs.Enable &&
                   !strict_state(c, "3DSTATE_STREAMOUT",
                                 "RenderingDisable") &&
                   (vertex % 2 || vertex > 62),
                "%u units", vertex);
}

/*
 * Stream output
 */

static void
check_so_buffer(struct strict_command *c)
{
   const uint64_t from = strict_address(c, "SurfaceBaseAddress");
   const uint64_t to = strict_address(c, "SurfaceEndAddress");
   STRICT_CHECK(c, CO_50, to < from, "0x%llx to 0x%llx",
                (unsigned long long)from, (unsigned long long)to);
}

static void
check_so_decls(struct strict_command *c)
{
   for (unsigned s = 0; s < SIM_MAX_SO_STREAMS; s++) {
      const unsigned n = c->dw[2] >> (8 * s) & 0xff;
      STRICT_CHECK(c, RL_36, n > SIM_MAX_SO_DECLS, "%u of stream %u", n, s);
      for (unsigned i = 0; i < n && 4 + 2 * i < c->n; i++) {
         const unsigned mask = c->dw[3 + 2 * i + s / 2] >> (16 * (s & 1)) &
                               0xf;
         const unsigned low = mask & (0u - mask);
         STRICT_CHECK(c, RL_36, (mask + low) & mask,
                      "components 0x%x of declaration %u of stream %u", mask,
                      i, s);
      }
   }
}

/*
 * Compute
 */

static void
check_vfe(struct strict_command *c)
{
   const struct intel_device_info *info = c->s->gpu->info;
   const unsigned curbe = (unsigned)strict_get(c, "CURBEAllocationSize");
   const unsigned urb = (unsigned)(strict_get(c, "NumberofURBEntries") *
                                   strict_get(c, "URBEntryAllocationSize"));
   const unsigned threads =
      (unsigned)strict_get(c, "MaximumNumberofThreads") + 1;
   const unsigned all_kB = strict_urb_size_kB(c);
   c->c->vfe_due = c->c->vfe_used = false;
   check_stage(c);
   STRICT_CHECK(c, RL_39, curbe > 2016 || curbe % 2, "%u registers", curbe);
   STRICT_CHECK(c, RL_39, all_kB && urb + curbe + 32 > 32 * all_kB,
                "%u registers in %u kB", urb + curbe + 32, all_kB);
   STRICT_CHECK(c, RL_40,
                threads > info->max_cs_threads * info->num_subslices,
                "%u of %u", threads,
                info->max_cs_threads * info->num_subslices);
}

static void
check_group(struct strict_command *c,
            const struct GEN9_INTERFACE_DESCRIPTOR_DATA *d)
{
   static const uint32_t sizes_gen7 = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 4 |
                                      1u << 8 | 1u << 16;
   const bool steps = sim_traits(c->cs->spec->verx10)->slm_in_steps;
   const unsigned shared = d->SharedLocalMemorySize;
   const unsigned threads = d->NumberofThreadsinGPGPUThreadGroup;
   const unsigned max = MIN2(c->s->gpu->info->max_cs_threads, 64u);
   STRICT_CHECK(c, RL_37, steps ? !(sizes_gen7 >> shared & 1) : shared > 7,
                "size %u", shared);
   STRICT_CHECK(c, RL_38, threads > max, "%u threads, %u at most", threads,
                max);
   if (!shared)
      return;
   STRICT_CHECK(c, CC_24, !c->c->general_sized, "%s",
                "shared memory is used");
   STRICT_CHECK(c, CC_25, !(cs_get_register(c->cs, 0x7034) & 1), "%s", "");
}

static void
check_walker(struct strict_command *c)
{
   struct GEN9_INTERFACE_DESCRIPTOR_DATA d;
   STRICT_CHECK(c, CO_14, c->c->vfe_due, "%s", "");
   c->c->vfe_used = true;
   const struct GEN9_MEDIA_VFE_STATE *vfe = &c->cs->hw->state.media_vfe_state;
   check_scratch(c, "a walker", vfe->ScratchSpaceBasePointer,
                 sim_gpgpu_scratch_B(sim_traits(c->cs->spec->verx10),
                                     vfe->PerThreadScratchSpace),
                 intel_device_info_scratch_compute_ids(c->s->gpu->info));
   if (!c->s->chip->l3)
      check_l3_gen7(c);
   if (strict_descriptor(c, &d))
      check_group(c, &d);
}

/* "Generic Media State Clear"; and no thread runs behind a stall. */
static void
check_pipe_control(struct strict_command *c)
{
   c->c->vfe_due |= (c->dw[1] & PC_MEDIA_CLEAR) != 0;
   if (c->dw[1] & PC_CS_STALL)
      c->c->num_stored = c->c->num_scratch = 0;
}

static void
check_curbe(struct strict_command *c)
{
   const unsigned size_B = (unsigned)strict_get(c, "CURBETotalDataLength");
   STRICT_CHECK(c, RL_47, size_B % 64, "%u bytes", size_B);
}

void
strict_draw_limits(struct strict_command *c)
{
   if (!c->s->chip->l3)
      check_l3_gen7(c);
   STRICT_CHECK(c, CO_05, c->c->vfe_used, "%s", "");
   STRICT_CHECK(c, RL_08, c->c->urb_stale, "stages 0x%x", c->c->urb_stale);
   draw_payloads(c);
   draw_scratch(c);
}

const struct strict_row strict_limit_rows[] = {
   { "3DSTATE_URB_", true, check_urb },
   { "3DSTATE_PUSH_CONSTANT_ALLOC_", true, check_allocation },
   { "3DSTATE_VS", false, check_stage },
   { "3DSTATE_HS", false, check_stage },
   { "3DSTATE_DS", false, check_stage },
   { "3DSTATE_GS", false, check_stage },
   { "3DSTATE_PS", false, check_stage },
   { "3DSTATE_GS", false, check_gs },
   { "3DSTATE_SO_BUFFER", false, check_so_buffer },
   { "3DSTATE_SO_DECL_LIST", false, check_so_decls },
   { "MEDIA_VFE_STATE", false, check_vfe },
   { "MEDIA_CURBE_LOAD", false, check_curbe },
   { "GPGPU_WALKER", false, check_walker },
   { "PIPE_CONTROL", false, check_pipe_control },
   { NULL, false, NULL },
};
