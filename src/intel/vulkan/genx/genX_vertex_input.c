/* SPDX-License-Identifier: MIT */
/*
 * Vertex fetch: elements, instancing, system values, topology.
 *
 * Element i becomes input slot i of the shader: the attributes that it reads
 * in the order of their locations, then one for the draw's parameters and
 * system values, then one for the draw id (intel_vs_prog_data).
 *
 * Doubles are fetched as the dwords that they are, two of them for a
 * location: the third and fourth are in the next one (Vulkan, "Location
 * Assignment").
 */
#include "genX_vertex_input.h"

uint32_t
genX(topology)(const struct saf_cmd_buffer *cmd)
{
   const struct saf_draw_state *draw = &cmd->draw;
   if (cmd->hiz_rectangle || cmd->ccs_rectangle)
      return _3DPRIM_RECTLIST;
   switch (draw->gfx.topology) {
   case VK_PRIMITIVE_TOPOLOGY_POINT_LIST: return _3DPRIM_POINTLIST;
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST: return _3DPRIM_LINELIST;
   case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP: return _3DPRIM_LINESTRIP;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST: return _3DPRIM_TRILIST;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP: return _3DPRIM_TRISTRIP;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN: return _3DPRIM_TRIFAN;
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
      return _3DPRIM_LINELIST_ADJ;
   case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      return _3DPRIM_LINESTRIP_ADJ;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
      return _3DPRIM_TRILIST_ADJ;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
      return _3DPRIM_TRISTRIP_ADJ;
   case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST:
      return _3DPRIM_PATCHLIST_1 + draw->gfx.patch_control_points - 1;
   case VK_PRIMITIVE_TOPOLOGY_MAX_ENUM: break;
   }
   unreachable("topology that is not advertised");
}

static unsigned
channel_count(enum isl_format format)
{
   const struct isl_format_layout *l = isl_format_get_layout(format);
   return (l->channels.r.bits > 0) + (l->channels.g.bits > 0) +
          (l->channels.b.bits > 0) + (l->channels.a.bits > 0);
}

/* What fills component `c` of an attribute whose format has `channels`. */
static uint32_t
component_control(unsigned c, unsigned channels, bool is_int)
{
   if (c < channels)
      return VFCOMP_STORE_SRC;
   if (c < 3)
      return VFCOMP_STORE_0;
   return is_int ? VFCOMP_STORE_1_INT : VFCOMP_STORE_1_FP;
}

static struct GENX(VERTEX_ELEMENT_STATE)
   attribute_element(const struct saf_vertex_attribute *a)
{
   /* An attribute that the pipeline does not define reads (0, 0, 0, 1). */
   if (!a->valid) {
      return (struct GENX(VERTEX_ELEMENT_STATE)) {
         .Valid = true,
         .SourceElementFormat = ISL_FORMAT_R32G32B32A32_FLOAT,
         .Component0Control = VFCOMP_STORE_0,
         .Component1Control = VFCOMP_STORE_0,
         .Component2Control = VFCOMP_STORE_0,
         .Component3Control = VFCOMP_STORE_1_FP,
      };
   }
   const unsigned n = channel_count(a->format);
   const bool is_int = isl_format_has_int_channel(a->format);
   return (struct GENX(VERTEX_ELEMENT_STATE)) {
      .Valid = true,
      .VertexBufferIndex = a->binding,
      .SourceElementFormat = a->format,
      .SourceElementOffset = a->offset_B,
      .Component0Control = component_control(0, n, is_int),
      .Component1Control = component_control(1, n, is_int),
      .Component2Control = component_control(2, n, is_int),
      .Component3Control = component_control(3, n, is_int),
   };
}

static unsigned
double_count(const struct saf_vertex_attribute *a)
{
   const struct isl_format_layout *l = isl_format_get_layout(a->format);
   return a->valid && l->channels.r.bits == 64 ? l->bpb / 64 : 0;
}

/* What is fetched for a location. */
static struct saf_vertex_attribute
attribute_at(const struct saf_vertex_attribute *all, int location)
{
   struct saf_vertex_attribute a = all[location];
   unsigned doubles = double_count(&a);
   if (!a.valid && location > 0 && double_count(&all[location - 1]) > 2) {
      a = all[location - 1];
      doubles = double_count(&a) - 2;
      a.offset_B += 16;
   }
   if (doubles)
      a.format = doubles == 1 ? ISL_FORMAT_R32G32_UINT
                              : ISL_FORMAT_R32G32B32A32_UINT;
   return a;
}

/* VertexID and InstanceID: 3DSTATE_VF_SGVS puts them over zeroes; before Gen8
 * the element asks for them. */
#if GEN_VERX10 >= 80
#define STORE_VERTEX_ID VFCOMP_STORE_0
#define STORE_INSTANCE_ID VFCOMP_STORE_0
#else
#define STORE_VERTEX_ID VFCOMP_STORE_VID
#define STORE_INSTANCE_ID VFCOMP_STORE_IID
#endif

/* { first vertex, base instance } of a buffer that each draw makes, then
 * VertexID and InstanceID. */
static struct GENX(VERTEX_ELEMENT_STATE)
   sgvs_element(const struct intel_vs_prog_data *prog)
{
   const bool reads = prog->uses_firstvertex || prog->uses_baseinstance;
   return (struct GENX(VERTEX_ELEMENT_STATE)) {
      .Valid = true,
      .VertexBufferIndex = SAF_VB_DRAW_PARAMETERS,
      .SourceElementFormat = ISL_FORMAT_R32G32_UINT,
      .Component0Control = reads ? VFCOMP_STORE_SRC : VFCOMP_STORE_0,
      .Component1Control = reads ? VFCOMP_STORE_SRC : VFCOMP_STORE_0,
      .Component2Control = STORE_VERTEX_ID,
      .Component3Control = STORE_INSTANCE_ID,
   };
}

static struct GENX(VERTEX_ELEMENT_STATE) drawid_element(void)
{
   return (struct GENX(VERTEX_ELEMENT_STATE)) {
      .Valid = true,
      .VertexBufferIndex = SAF_VB_DRAW_ID,
      .SourceElementFormat = ISL_FORMAT_R32G32_UINT,
      .Component0Control = VFCOMP_STORE_SRC,
      .Component1Control = VFCOMP_STORE_SRC,
      .Component2Control = VFCOMP_STORE_0,
      .Component3Control = VFCOMP_STORE_0,
   };
}

struct elements {
   unsigned count;
   int sgvs; /* index of that element, or -1 */
   struct GENX(VERTEX_ELEMENT_STATE) state[SAF_MAX_VERTEX_ELEMENTS];
   const struct saf_vertex_input_binding *binding[SAF_MAX_VERTEX_ELEMENTS];
};

static bool
uses_sgvs(const struct intel_vs_prog_data *prog)
{
   return prog->uses_vertexid || prog->uses_instanceid ||
          prog->uses_firstvertex || prog->uses_baseinstance;
}

unsigned
genX(element_count)(const struct intel_vs_prog_data *prog)
{
   const unsigned count = (unsigned)__builtin_popcountll(prog->inputs_read) +
                          uses_sgvs(prog) + prog->uses_drawid;
   return MAX2(count, 1); /* there must be one */
}

static void
collect_elements(const struct saf_draw_state *draw, struct elements *e)
{
   const struct intel_vs_prog_data *prog = saf_pipeline_vs(draw->pipeline);
   const struct saf_gfx_state *gfx = &draw->gfx;
   memset(e, 0, sizeof(*e));
   e->sgvs = -1;
   uint64_t inputs = prog->inputs_read;
   while (inputs) {
      const int location = u_bit_scan64(&inputs);
      assert(location < SAF_MAX_VERTEX_ATTRIBS);
      const struct saf_vertex_attribute a =
         attribute_at(gfx->attributes, location);
      e->state[e->count] = attribute_element(&a);
      e->binding[e->count] = a.valid ? &gfx->bindings[a.binding] : NULL;
      e->count++;
   }
   if (uses_sgvs(prog)) {
      e->sgvs = (int)e->count;
      e->state[e->count++] = sgvs_element(prog);
   }
   if (prog->uses_drawid)
      e->state[e->count++] = drawid_element();
   if (e->count == 0)
      e->state[e->count++] =
         attribute_element(&(struct saf_vertex_attribute) { 0 });
   assert(e->count == genX(element_count)(prog));
}

static void
emit_elements(struct saf_cmd_buffer *cmd, const struct elements *e)
{
   const unsigned dw_each = GENX(VERTEX_ELEMENT_STATE_length);
   const unsigned total = 1 + e->count * dw_each;
   uint32_t *dw = cmd->packed;
   const struct GENX(3DSTATE_VERTEX_ELEMENTS) head = {
      GENX(3DSTATE_VERTEX_ELEMENTS_header),
      .DWordLength = total - GENX(3DSTATE_VERTEX_ELEMENTS_length_bias),
   };
   GENX(3DSTATE_VERTEX_ELEMENTS_pack)(dw, &head);
   for (unsigned i = 0; i < e->count; i++)
      GENX(VERTEX_ELEMENT_STATE_pack)(dw + 1 + i * dw_each, &e->state[i]);
   genX(send)(cmd, genX(sent)(cmd)->vertex_elements, total, 0, NULL);
}

#if GEN_VERX10 >= 80
/* What Gen7 says in vertex buffers, in elements and in 3DPRIMITIVE. */
static void
emit_instancing_and_sgvs(struct saf_cmd_buffer *cmd,
                         const struct saf_pipeline *pipeline,
                         const struct elements *e)
{
   const struct intel_vs_prog_data *prog = saf_pipeline_vs(pipeline);
   for (unsigned i = 0; i < e->count; i++) {
      const struct saf_vertex_input_binding *b = e->binding[i];
      const struct GENX(3DSTATE_VF_INSTANCING) vfi = {
         GENX(3DSTATE_VF_INSTANCING_header),
         .VertexElementIndex = i,
         .InstancingEnable = b && b->per_instance,
         .InstanceDataStepRate = b && b->per_instance ? b->divisor : 0,
      };
      GENX(3DSTATE_VF_INSTANCING_pack)(cmd->packed, &vfi);
      genX(send)(cmd, genX(sent)(cmd)->instancing[i],
                 GENX(3DSTATE_VF_INSTANCING_length), 0, NULL);
   }
   saf_emit_state(cmd, 3DSTATE_VF_SGVS, sgvs)
   {
      if (prog->uses_vertexid) {
         sgvs.VertexIDEnable = true;
         sgvs.VertexIDComponentNumber = COMP_2;
         sgvs.VertexIDElementOffset = (uint32_t)e->sgvs;
      }
      if (prog->uses_instanceid) {
         sgvs.InstanceIDEnable = true;
         sgvs.InstanceIDComponentNumber = COMP_3;
         sgvs.InstanceIDElementOffset = (uint32_t)e->sgvs;
      }
   }
}

void
genX(emit_topology)(struct saf_cmd_buffer *cmd)
{
   saf_emit_state(cmd, 3DSTATE_VF_TOPOLOGY, topo)
      topo.PrimitiveTopologyType = genX(topology)(cmd);
}
#endif

void
genX(emit_vertex_input)(struct saf_cmd_buffer *cmd)
{
   struct elements e;
   collect_elements(&cmd->draw, &e);
   emit_elements(cmd, &e);
#if GEN_VERX10 >= 80
   emit_instancing_and_sgvs(cmd, cmd->draw.pipeline, &e);
#endif
}
