/* SPDX-License-Identifier: MIT */
/*
 * Vertex shading in threads of eight vertices
 * (PRM SKL Vol. 7 "Vertex Shader (VS) Stage", "SIMD8 VS Thread Payload"):
 *
 *   r0            header: binding table, sampler state, scratch
 *   r1            URB return handles, one dword a vertex
 *   r2 ..         push constants
 *   start GRF ..  vertex data, one GRF a component
 *
 * The entry that a vertex is fetched to is the one that its shader writes;
 * we put fetched data straight into the payload. Without a vertex shader,
 * what is fetched is the entry.
 */
#include "front_private.h"

static bool
prepare_urb(struct sim_front *f)
{
   const struct GEN9_3DSTATE_URB_VS *urb = &f->state->urb_vs;
   f->entry_B = (urb->VSURBEntryAllocationSize + 1) * 64;
   f->entry_dw = f->entry_B / 4;
   f->num_slots = MIN2(urb->VSNumberofURBEntries, SIM_MAX_WINDOW);
   f->first_handle = urb->VSURBStartingAddress * (8192 / 64);
   const uint64_t end_B = (uint64_t)urb->VSURBStartingAddress * 8192 +
                          (uint64_t)f->num_slots * f->entry_B;
   /* An open strip holds up to 6 entries, and a thread fills 8. */
   if (f->num_slots < 16 || end_B > f->draw->urb_size_B) {
      sim_draw_fault(f->draw, "3DSTATE_URB_VS: %u entries of %u bytes from "
                     "%u KiB on", urb->VSNumberofURBEntries, f->entry_B,
                     urb->VSURBStartingAddress * 8);
      return false;
   }
   return true;
}

static void
init_header(struct sim_front *f)
{
   const struct GEN9_3DSTATE_VS *vs = &f->state->vs;
   union sim_grf *r0 = &f->thread.grf[0];
   memset(r0, 0, sizeof(*r0));
   r0->ud[3] = f->env.sampler_state_offset_B | vs->PerThreadScratchSpace;
   r0->ud[4] = f->env.binding_table_offset_B;
   r0->ud[5] = (uint32_t)vs->ScratchSpaceBasePointer;
}

static bool
prepare_program(struct sim_front *f)
{
   const struct sim_render_state *s = f->state;
   struct sim_eu_fault fault;
   if (!s->vs.SIMD8DispatchEnable) {
      sim_draw_fault(f->draw, "3DSTATE_VS: SIMD4x2 dispatch is not "
                     "implemented");
      return false;
   }
   f->program = sim_draw_program(
      f->draw, s->base.instruction + s->vs.KernelStartPointer, &fault);
   if (!f->program) {
      sim_draw_fault(f->draw, "vertex shader: %s", fault.text);
      return false;
   }
   sim_draw_init_env(f->draw, &f->env);
   f->env.binding_table_offset_B =
      (uint32_t)s->binding_table_pointers_vs.PointertoVSBindingTable;
   f->env.sampler_state_offset_B =
      (uint32_t)s->sampler_state_pointers_vs.PointertoVSSamplerState;
   f->env.scratch_per_thread_B = 1024u << s->vs.PerThreadScratchSpace;
   f->env.trace = sim_eu_trace_for("vs");
   f->thread.mem = f->draw->mem;
   init_header(f);
   return sim_draw_push_constants(f->draw, &s->constant_vs.ConstantBody,
                                  f->push, &f->push_grfs);
}

/* The payload must fit into the register file. */
static bool
check_payload(struct sim_front *f)
{
   const struct GEN9_3DSTATE_VS *vs = &f->state->vs;
   const unsigned start = vs->DispatchGRFStartRegisterForURBData;
   /* Read length and offset are in 256 bits, eight components. */
   const unsigned end =
      start + f->push_grfs + 8 * vs->VertexURBEntryReadLength;
   if (end > SIM_GRF_COUNT || start < 2) {
      sim_draw_fault(f->draw, "3DSTATE_VS: a payload of %u constant "
                     "registers and vertex data in r%u to r%u",
                     f->push_grfs, start, end);
      return false;
   }
   return true;
}

bool
sim_vs_prepare(struct sim_front *f)
{
   if (!prepare_urb(f))
      return false;
   f->has_vs = f->state->vs.Enable;
   return !f->has_vs || (prepare_program(f) && check_payload(f));
}

/* Vertex data of the whole vertex, before offset and length of the read. */
#define MAX_VERTEX_DW (SIM_MAX_VERTEX_ELEMENTS * 8)

static bool
fill_vertex_data(struct sim_front *f, const struct front_vertex *v,
                 unsigned n)
{
   const struct GEN9_3DSTATE_VS *vs = &f->state->vs;
   uint32_t data[MAX_VERTEX_DW][SIM_VS_LANES];
   const unsigned offset = 8 * vs->VertexURBEntryReadOffset;
   const unsigned length = 8 * vs->VertexURBEntryReadLength;
   /* What no element fills is undefined: zero here. */
   const unsigned have = MIN2(f->vertex_dw, MAX_VERTEX_DW);
   union sim_grf *to =
      &f->thread.grf[vs->DispatchGRFStartRegisterForURBData +
                     f->push_grfs];
   if (n < SIM_VS_LANES)
      memset(data, 0, have * sizeof(data[0]));
   if (!sim_vf_fetch(f, v, n, &data[0][0], SIM_VS_LANES, 1))
      return false;
   const unsigned copied = have > offset ? MIN2(have - offset, length) : 0;
   memcpy(to, data[offset < have ? offset : 0], copied * SIM_GRF_B);
   memset(to + copied, 0, (length - copied) * SIM_GRF_B);
   return true;
}

static bool
run_thread(struct sim_front *f, unsigned first, unsigned n)
{
   struct sim_eu_thread *t = &f->thread;
   sim_eu_thread_init(t, &f->env, BITFIELD_MASK(n));
   t->mem = f->draw->mem;
   init_header(f);
   for (unsigned i = 0; i < SIM_VS_LANES; i++)
      t->grf[1].ud[i] =
         f->first_handle + (first + MIN2(i, n - 1)) * (f->entry_B / 64);
   /* SKL PRM vol 2a, 3DSTATE_VS, "Dispatch GRF Start Register For URB
    * Data": of the constants, behind which the vertices come. */
   memcpy(&t->grf[f->state->vs.DispatchGRFStartRegisterForURBData], f->push,
          f->push_grfs * SIM_GRF_B);
   if (f->state->vs.StatisticsEnable)
      f->counters.vs_invocations += n;
   return fill_vertex_data(f, &f->vertex[first], n) &&
          sim_draw_run_thread(f->draw, t, f->program, "vertex shader");
}

/* Without a shader: component after component is the entry. */
static bool
pass_through(struct sim_front *f, unsigned first, unsigned n)
{
   uint32_t data[MAX_VERTEX_DW];
   const unsigned size_dw = MIN2(f->vertex_dw, f->entry_dw);
   for (unsigned i = 0; i < n; i++) {
      if (!sim_vf_fetch(f, &f->vertex[first + i], 1, data, 1, 0))
         return false;
      memcpy(front_vue(f, first + i), data, size_dw * 4);
   }
   return true;
}

bool
sim_vs_shade(struct sim_front *f, unsigned first, unsigned n)
{
   return f->has_vs ? run_thread(f, first, n) : pass_through(f, first, n);
}
