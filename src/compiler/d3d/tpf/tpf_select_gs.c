/* SPDX-License-Identifier: MIT */
/*
 * Geometry shaders as SM5: vertices that come in (v[vertex][register]), those
 * that go out, in one stream, and what the stage declares.
 */
#include "tpf_emit.h"

/* As D3D_PRIMITIVE and D3D_PRIMITIVE_TOPOLOGY number them. */
static unsigned
input_primitive(const struct shader_info *info)
{
   switch (info->gs.input_primitive) {
   case SHADER_PRIM_POINTS: return 1;
   case SHADER_PRIM_LINES: return 2;
   case SHADER_PRIM_TRIANGLES: return 3;
   case SHADER_PRIM_LINES_ADJACENCY: return 6;
   case SHADER_PRIM_TRIANGLES_ADJACENCY: return 7;
   default: return 0;
   }
}

static unsigned
output_topology(const struct shader_info *info)
{
   switch (info->gs.output_primitive) {
   case SHADER_PRIM_POINTS: return 1;
   case SHADER_PRIM_LINE_STRIP: return 3;
   case SHADER_PRIM_TRIANGLE_STRIP: return 5;
   default: return 0;
   }
}

static struct tpf_operand
stream_0(void)
{
   struct tpf_operand m = tpf_emit_reg(TPF_FILE_M, 0, 0);

   m.components = TPF_COMPONENTS_0;
   return m;
}

static void
declare(struct tpf_emit *e, struct tpf_inst inst)
{
   util_dynarray_append(&e->head, struct tpf_inst, inst);
}

void
tpf_emit_declare_gs(struct tpf_emit *e)
{
   const unsigned primitive = input_primitive(&e->nir->info);
   const unsigned topology = output_topology(&e->nir->info);

   if (!primitive || !topology)
      tpf_emit_fail(e, "the primitives of the geometry shader are not known");
   declare(e, (struct tpf_inst) { .op = TPF_OP_DCL_INPUT_PRIMITIVE,
                                  .controls = primitive << 11 });
   declare(e, (struct tpf_inst) { .op = TPF_OP_DCL_STREAM,
                                  .num_operands = 1,
                                  .operand[0] = stream_0() });
   declare(e, (struct tpf_inst) { .op = TPF_OP_DCL_OUTPUT_TOPOLOGY,
                                  .controls = topology << 11 });
}

void
tpf_emit_declare_gs_end(struct tpf_emit *e)
{
   const struct shader_info *info = &e->nir->info;

   declare(e, (struct tpf_inst) { .op = TPF_OP_DCL_MAX_OUTPUT_VERTEX_COUNT,
                                  .num_imm = 1,
                                  .imm[0] = info->gs.vertices_out });
   if (info->gs.invocations > 1)
      declare(e, (struct tpf_inst) { .op = TPF_OP_DCL_GS_INSTANCE_COUNT,
                                     .num_imm = 1,
                                     .imm[0] = info->gs.invocations });
}

/* The vertex is a number, or what a temporary holds. */
static struct tpf_operand
input_operand(struct tpf_emit *e, nir_use *vertex, unsigned reg)
{
   struct tpf_operand v = tpf_emit_reg(TPF_FILE_V, 0, 0);

   v.num_indices = 2;
   v.index[1].imm = reg;
   if (nir_use_is_const(*vertex)) {
      v.index[0].imm = (uint32_t)nir_use_as_uint(*vertex);
      return v;
   }
   struct tpf_operand at = tpf_emit_src(e, vertex, 0);
   if (at.file != TPF_FILE_R) {
      const struct tpf_operand t = tpf_emit_scratch(e);
      tpf_emit1(e, TPF_OP_MOV, t, at);
      at = t;
   }
   v.index[0].rel = arena_memdup(e->arena, &at, sizeof(at));
   v.index[0].kind = TPF_INDEX_IMM_REL;
   return v;
}

static void
load_vertex(struct tpf_emit *e, nir_intrinsic_instr *intr)
{
   const unsigned slot = nir_intrinsic_io_semantics(intr).location;
   const unsigned first = (unsigned)nir_intrinsic_component(intr);
   const unsigned n = intr->instr.result.num_components;
   struct tpf_io io = { 0 };
   unsigned reg;

   if (!nir_use_is_const(intr->src[1]) || nir_use_as_uint(intr->src[1])) {
      tpf_emit_fail(e, "an input is chosen at run time");
      return;
   }
   if (!tpf_emit_varying(e, "input", slot, &reg, &io))
      return;
   io.mask = (uint8_t)(e->in[reg].mask | BITFIELD_MASK(n) << first);
   io.type = (uint8_t)tpf_emit_type(nir_intrinsic_dest_type(intr));
   e->in[reg] = io;
   const struct tpf_operand v = input_operand(e, &intr->src[0], reg);
   for (unsigned i = 0; i < n; i++)
      tpf_emit1(e, TPF_OP_MOV, tpf_emit_dest(e, &intr->instr.result, i),
                tpf_emit_comp(v, first + i));
}

static void
to_stream(struct tpf_emit *e, enum tpf_op op)
{
   const struct tpf_operand m = stream_0();

   tpf_emit_inst(e, op, 1, &m);
}

bool
tpf_select_geometry(struct tpf_emit *e, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_per_vertex_input: load_vertex(e, intr); break;
   case nir_intrinsic_emit_vertex: to_stream(e, TPF_OP_EMIT_STREAM); break;
   case nir_intrinsic_end_primitive: to_stream(e, TPF_OP_CUT_STREAM); break;
   default: return false;
   }
   return true;
}
