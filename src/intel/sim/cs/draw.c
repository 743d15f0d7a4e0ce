/* SPDX-License-Identifier: MIT */
/*
 * 3DPRIMITIVE: collects the parameters of a draw and runs the pipe
 * (PRM SKL Vol. 2a, "3DPRIMITIVE").
 */
#include "cs_private.h"

#include "intel/sim/chaos/chaos.h"
#include "intel/sim/eu/eu.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/geometry/front.h"
#include "intel/sim/trace/trace.h"

static void
set_parameters(const struct sim_cs *cs, const struct GEN9_3DPRIMITIVE *c,
               struct sim_draw *draw)
{
   if (c->IndirectParameterEnable) {
      draw->vertex_count = cs_get_register(cs, GEN9_3DPRIM_VERTEX_COUNT_num);
      draw->start_vertex = cs_get_register(cs, GEN9_3DPRIM_START_VERTEX_num);
      draw->instance_count =
         cs_get_register(cs, GEN9_3DPRIM_INSTANCE_COUNT_num);
      draw->start_instance =
         cs_get_register(cs, GEN9_3DPRIM_START_INSTANCE_num);
      draw->base_vertex =
         (int32_t)cs_get_register(cs, GEN9_3DPRIM_BASE_VERTEX_num);
   } else {
      draw->vertex_count = c->VertexCountPerInstance;
      draw->start_vertex = c->StartVertexLocation;
      draw->instance_count = c->InstanceCount;
      draw->start_instance = c->StartInstanceLocation;
      draw->base_vertex = c->BaseVertexLocation;
   }
}

static void
trace_draw(const struct sim_draw *draw)
{
   const struct trace_draw t = {
      .address = draw->command_address,
      .topology = draw->topology,
      .indexed = draw->indexed,
      .vertex_count = draw->vertex_count,
      .start_vertex = draw->start_vertex,
      .instance_count = draw->instance_count,
      .start_instance = draw->start_instance,
      .base_vertex = draw->base_vertex,
   };
   sim_trace_draw(draw->gpu->trace, &t);
}

/* Brings state of other forms into that of Gen9. False: a fault. */
static bool
before_draw(struct sim_cs *cs)
{
   const struct sim_traits *traits = sim_traits(cs->gpu->verx10);
   switch (traits->state_form) {
   case SIM_STATE_GEN7: return cs_gen7_before_draw(cs);
   case SIM_STATE_GEN8: return cs_gen8_before_draw(cs);
   case SIM_STATE_GEN9: break;
   }
   return true;
}

static enum cs_status
primitive(struct sim_cs *cs, const uint32_t *dw, unsigned n)
{
   struct GEN9_3DPRIMITIVE c;
   GEN9_3DPRIMITIVE_unpack(dw, &c);
   struct sim_hw_context *hw = cs->hw;
   if (c.PredicateEnable &&
       !(cs_get_register(cs, GEN9_MI_PREDICATE_RESULT_num) & 1))
      return CS_CONTINUE;
   if (c.EndOffsetEnable)
      return cs_fault(cs, "End Offset Enable is not implemented");
   if (hw->state.pipeline_select.PipelineSelection != PIPELINE_3D)
      return cs_fault(cs, "the pipeline selected is %u, not 3D",
                      hw->state.pipeline_select.PipelineSelection);
   if (!before_draw(cs))
      return CS_FAULT;

   struct sim_draw draw = {
      .gpu = cs->gpu,
      .state = &hw->state,
      .counters = &hw->counters,
      .mem = &cs->mem,
      .vm = cs->mem.vm,
      .command = "3DPRIMITIVE",
      .command_address = cs->ip,
      .programs = hw->programs,
      .urb = hw->urb,
      .urb_size_B = SIM_URB_B,
      .topology = sim_traits(cs->gpu->verx10)->topology_is_state
                     ? hw->state.vf_topology.PrimitiveTopologyType
                     : c.PrimitiveTopologyType,
      .indexed = c.VertexAccessType == RANDOM,
   };
   set_parameters(cs, &c, &draw);
   sim_chaos_poison(cs->gpu->chaos, hw->urb, SIM_URB_B);
   sim_gpu_count(&cs->gpu->stats.draws, 1);
   sim_gpu_progress(cs->gpu);
   if (cs->gpu->trace)
      trace_draw(&draw);
   if (cs->gpu->states)
      sim_states_draw(cs->gpu->states, &draw);
   sim_front_draw(&draw);
   sim_eu_cache_trim(hw->programs);
   cs->faulted |= draw.faulted;
   return draw.faulted ? CS_FAULT : CS_CONTINUE;
}

const struct cs_entry cs_draw_commands[] = {
   { GEN9_3DPRIMITIVE_opcode, primitive },
   { 0, NULL },
};
