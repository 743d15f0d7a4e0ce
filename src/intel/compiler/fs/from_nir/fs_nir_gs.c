/* SPDX-License-Identifier: MIT */
/*
 * Geometry shaders: SIMD8, a channel a primitive; or, with several
 * invocations, a channel an invocation of one primitive.
 *
 * Thread payload (PRM SKL vol 7, "Geometry Shader (GS) Stage", SIMD8 thread
 * payload): g0 header; g1 URB return handles, with the instance number in
 * bits 31:27; the primitive IDs, if asked for; the handles of the input
 * vertices, a GRF for each vertex of a primitive (with several invocations
 * one GRF for them all, a dword each); then push constants. Input vertices
 * are read by messages.
 *
 * What SIMD4x2 code does otherwise is in vec4_nir_gs.c.
 *
 * Output entry ("GS URB Entry"), in slots of 16 bytes:
 *
 *    0   vertex count (only if it is not static; Gen7 never), 2 slots
 *        control data header: a bit or two a vertex
 *        the vertices, each of 2 * output_vertex_size slots
 *
 * When all vertices are emitted outside of control flow, their number and the
 * control data are known here. Else each channel counts, and gathers its
 * control data a dword at a time.
 */
#include "fs_nir.h"

/* 3DSTATE_URB_GS: Allocation Size. */
#define MAX_ENTRY_B (62 * 1024)

/* ---- setup ---- */

static bool
at_top_level(const nir_block *block)
{
   return block->cf_node.parent->type == nir_cf_node_function;
}

/*
 * Vertices of streams that are not rasterised are there to be captured. With
 * stream output off the hardware (Haswell and later) would draw them,
 * whatever Render Stream Select says; so without captured outputs they are
 * not made.
 */
static bool
is_dropped(const struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   return nir_intrinsic_stream_id(intr) != s->key.gs->rasterized_stream &&
          !s->nir->info.has_transform_feedback_varyings;
}

struct gathered {
   uint64_t written, inputs;
   unsigned vertices;
   bool dynamic;
};

static void
gather(struct eu_shader *s, const nir_block *block,
       const nir_intrinsic_instr *intr, struct gathered *g)
{
   struct intel_gs_prog_data *pd = s->prog_data.gs;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_per_vertex_input:
      fs_gather_io_slots(intr, &g->inputs, NULL);
      break;
   case nir_intrinsic_store_output:
      fs_gather_io_slots(intr, &g->written, NULL);
      break;
   case nir_intrinsic_load_primitive_id:
      pd->include_primitive_id = true;
      break;
   case nir_intrinsic_emit_vertex:
      if (is_dropped(s, intr))
         break;
      g->vertices++;
      pd->active_stream_mask |=
         (uint8_t)(1u << nir_intrinsic_stream_id(intr));
      g->dynamic |= !at_top_level(block);
      break;
   case nir_intrinsic_end_primitive:
      if (is_dropped(s, intr))
         break;
      g->dynamic |= !at_top_level(block);
      break;
   default: break;
   }
}

static enum intel_gs_topology
topology(enum shader_prim prim)
{
   switch (prim) {
   case SHADER_PRIM_LINE_STRIP: return INTEL_GS_LINESTRIP;
   case SHADER_PRIM_TRIANGLE_STRIP: return INTEL_GS_TRISTRIP;
   default: return INTEL_GS_POINTLIST;
   }
}

static unsigned
control_bits_per_vertex(const struct eu_shader *s)
{
   const struct intel_gs_prog_data *pd = s->prog_data.gs;

   if (pd->active_stream_mask & ~1u)
      return 2;
   return s->nir->info.gs.uses_end_primitive &&
                pd->topology != INTEL_GS_POINTLIST
             ? 1
             : 0;
}

bool
fs_gs_counts_in_entry(const struct eu_shader *s)
{
   /* Gen7: in the header of the last message. */
   return s->devinfo->has_scalar_geometry &&
          s->prog_data.gs->static_vertex_count < 0;
}

static unsigned
control_slot(const struct eu_shader *s)
{
   return fs_gs_counts_in_entry(s) ? 2 : 0;
}

static unsigned
first_vertex_slot(const struct eu_shader *s)
{
   return control_slot(s) + 2 * s->prog_data.gs->control_data_header_size;
}

static void
set_layout(struct eu_shader *s, const struct gathered *g)
{
   const struct shader_info *info = &s->nir->info;
   struct intel_gs_prog_data *pd = s->prog_data.gs;
   const unsigned bits = control_bits_per_vertex(s);
   const unsigned vertices = MAX2(1, info->gs.vertices_out);

   pd->static_vertex_count =
      g->dynamic ? -1 : (int32_t)MIN2(g->vertices, info->gs.vertices_out);
   pd->control_data_format = bits == 2 ? INTEL_GS_CONTROL_SID
                                       : INTEL_GS_CONTROL_CUT;
   pd->control_data_header_size = DIV_ROUND_UP(vertices * bits, 256);
   pd->output_vertex_size = DIV_ROUND_UP(pd->out.vue_map.num_slots, 2);

   const unsigned size_B = 16 * first_vertex_slot(s) +
                           32 * pd->output_vertex_size * vertices;
   if (size_B > MAX_ENTRY_B)
      eu_fail(s, "%u vertices of %u bytes are too much output", vertices,
              32 * pd->output_vertex_size);
   pd->urb_entry_size = DIV_ROUND_UP(size_B, 64);
}

static bool
packed_handles(const struct intel_gs_prog_data *pd)
{
   return pd->invocations > 1;
}

static unsigned
handle_grfs(const struct intel_gs_prog_data *pd)
{
   return packed_handles(pd) ? 1 : pd->vertices_in;
}

/* Vertices whose inputs are in registers when a thread starts have the pairs
 * of slots from the first one that is read to the last one. */
static void
set_pushed_inputs(struct eu_shader *s, uint64_t inputs)
{
   struct intel_gs_prog_data *pd = s->prog_data.gs;
   unsigned first = INTEL_VUE_MAX_SLOTS, end = 0;

   for (unsigned varying = 0; varying < 64; varying++) {
      unsigned dw = 0;
      const int slot = fs_vue_slot(&s->input_map, varying, &dw);
      if (slot < 0 || !(inputs & BITFIELD64_BIT(varying)))
         continue;
      first = MIN2(first, (unsigned)slot);
      end = MAX2(end, (unsigned)slot + 1);
   }
   if (end) {
      pd->urb_read_offset = first / 2;
      pd->urb_read_length = DIV_ROUND_UP(end, 2) - pd->urb_read_offset;
   } else {
      pd->urb_read_length = 1;
   }
}

void
fs_setup_gs(struct eu_shader *s)
{
   struct intel_gs_prog_data *pd = s->prog_data.gs;
   const struct shader_info *info = &s->nir->info;
   struct gathered g = { 0 };

   nir_foreach_block(block, nir_entry_point(s->nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic)
            gather(s, block, nir_instr_as_intrinsic(instr), &g);
      }
   }
   if (s->key.gs->input_map)
      s->input_map = *s->key.gs->input_map;
   else
      intel_compute_vue_map(&s->input_map, g.inputs);

   pd->vertices_in = info->gs.vertices_in;
   pd->invocations = MAX2(1, info->gs.invocations);
   pd->topology = topology(info->gs.output_primitive);
   pd->uses_adjacency =
      info->gs.input_primitive == SHADER_PRIM_LINES_ADJACENCY ||
      info->gs.input_primitive == SHADER_PRIM_TRIANGLES_ADJACENCY;
   if (pd->vertices_in < 1 || pd->vertices_in > 6) {
      eu_fail(s, "%u vertices in a primitive", pd->vertices_in);
      return;
   }
   fs_set_vue_outputs(s, g.written, s->key.gs->extra_slots_valid, &pd->out);
   set_layout(s, &g);
   if (s->simd4x2) {
      set_pushed_inputs(s, g.inputs);
      return;
   }

   unsigned grf = 1;
   pd->include_handles = true;
   s->payload.urb_handles = (uint8_t)grf++;
   if (pd->include_primitive_id)
      s->payload.primitive_id = (uint8_t)grf++;
   s->payload.icp_handles = (uint8_t)grf;
   s->payload.num_regs = (uint8_t)(grf + handle_grfs(pd));
}

/* ---- control data ---- */

/* Another back end knows its own. */
static eu_reg
urb_handle(const struct nir_to_fs *n)
{
   if (n->host)
      return (eu_reg) { 0 };
   return eu_grf(n->s->payload.urb_handles, ISA_TYPE_UD);
}

static bool
is_static(const struct nir_to_fs *n)
{
   return n->s->prog_data.gs->static_vertex_count >= 0;
}

/* Whether the control data is more than one dword. */
static bool
many_dwords(const struct nir_to_fs *n)
{
   return n->s->nir->info.gs.vertices_out * n->gs.bits_per_vertex > 32;
}

/*
 * The dword that has the bits of vertex `count - 1`, of each channel. With
 * one dword in all, its place is fixed; else a mask chooses the dword within
 * a slot and an offset the slot. Channels that emitted nothing write the
 * first one, which does no harm.
 */
static void
write_control_dword(struct nir_to_fs *n)
{
   /* Headers have both vertices', though one of them may not be here. */
   const struct eu_builder all = eu_exec_all(n->b);
   const struct eu_builder *b = n->host ? &all : &n->b;
   const unsigned slot = control_slot(n->s);
   eu_reg data[4] = { n->gs.bits, n->gs.bits, n->gs.bits, n->gs.bits };

   if (!many_dwords(n)) {
      const struct fs_urb_place at = { .handle = urb_handle(n),
                                       .slot = slot };
      fs_urb_write(n, &at, 1, data, 0);
      return;
   }

   const unsigned shift = n->gs.bits_per_vertex == 2 ? 4 : 5;
   eu_reg dw = eu_vgrf(b, ISA_TYPE_UD, 1), mask = eu_vgrf(b, ISA_TYPE_UD, 1);
   eu_reg at_slot = eu_vgrf(b, ISA_TYPE_UD, 1);
   eu_reg one = eu_vgrf(b, ISA_TYPE_UD, 1);
   struct eu_inst *max;

   max = eu_SEL(b, dw, n->gs.count, eu_imm_ud(1));
   max->cond_mod = ISA_COND_MOD_GE;
   eu_ADD(b, dw, dw, eu_imm_d(-1));
   eu_SHR(b, dw, dw, eu_imm_ud(shift));
   eu_SHR(b, at_slot, dw, eu_imm_ud(2));
   eu_AND(b, dw, dw, eu_imm_ud(3));
   eu_MOV(b, one, eu_imm_ud(1u << 16));
   eu_SHL(b, mask, one, dw);
   const struct fs_urb_place at = { .handle = urb_handle(n),
                                    .slot = slot,
                                    .per_slot = at_slot };
   fs_urb_write_masked(n, &at, 4, data, mask);
}

/* All of it, when it is known. */
static void
write_static_control_data(struct nir_to_fs *n)
{
   const struct intel_gs_prog_data *pd = n->s->prog_data.gs;
   const unsigned dwords = DIV_ROUND_UP(
      (unsigned)pd->static_vertex_count * n->gs.bits_per_vertex, 32);

   for (unsigned i = 0; i < dwords; i += 8) {
      const unsigned count = MIN2(8, dwords - i);
      const struct fs_urb_place at = { .handle = urb_handle(n),
                                       .slot = i / 4 };
      eu_reg data[8];
      for (unsigned k = 0; k < count; k++)
         data[k] = eu_imm_ud(n->gs.static_bits[i + k]);
      fs_urb_write(n, &at, count, data, 0);
   }
}

/* bits |= value << position of vertex `vertex` in its dword. */
static void
add_bits(struct nir_to_fs *n, eu_reg vertex, unsigned value)
{
   const struct eu_builder *b = &n->b;
   eu_reg at = vertex, v = eu_vgrf(b, ISA_TYPE_UD, 1);

   if (n->gs.bits_per_vertex == 2) {
      at = eu_vgrf(b, ISA_TYPE_UD, 1);
      eu_SHL(b, at, vertex, eu_imm_ud(1));
   }
   /* Shifts take the low five bits. */
   eu_MOV(b, v, eu_imm_ud(value));
   eu_SHL(b, v, v, at);
   eu_OR(b, n->gs.bits, n->gs.bits, v);
}

/* A new dword begins with vertex `count`: the last one is done. */
static void
flush_control_dword(struct nir_to_fs *n)
{
   const struct eu_builder *b = &n->b;
   const unsigned per_dword = 32 / n->gs.bits_per_vertex;
   eu_reg low = eu_vgrf(b, ISA_TYPE_UD, 1);
   struct eu_inst *inst;

   eu_AND(b, low, n->gs.count, eu_imm_ud(per_dword - 1));
   eu_CMP(b, eu_null(ISA_TYPE_UD), low, eu_imm_ud(0), ISA_COND_MOD_Z);
   inst = eu_CMP(b, eu_null(ISA_TYPE_UD), n->gs.count, eu_imm_ud(0),
                 ISA_COND_MOD_NZ);
   inst->pred = ISA_PRED_NORMAL;
   eu_emit0(b, ISA_OPCODE_IF)->pred = ISA_PRED_NORMAL;
   write_control_dword(n);
   eu_MOV(b, n->gs.bits, eu_imm_ud(0));
   eu_emit0(b, ISA_OPCODE_ENDIF);
}

/* ---- vertices ---- */

static void
emit_static_vertex(struct nir_to_fs *n, unsigned stream)
{
   const struct intel_gs_prog_data *pd = n->s->prog_data.gs;
   const unsigned v = n->gs.static_count;
   const struct fs_urb_place at = {
      .handle = urb_handle(n),
      .slot = first_vertex_slot(n->s) + v * 2 * pd->output_vertex_size,
   };

   if (v >= (unsigned)pd->static_vertex_count)
      return;
   n->gs.static_count++;
   if (n->gs.bits_per_vertex == 2)
      n->gs.static_bits[v / 16] |= stream << (v % 16 * 2);
   fs_write_vue(n, &pd->out.vue_map, &at);
}

static void
emit_vertex(struct nir_to_fs *n, unsigned stream)
{
   const struct intel_gs_prog_data *pd = n->s->prog_data.gs;
   const struct eu_builder *b = &n->b;
   struct fs_urb_place at = { .handle = urb_handle(n),
                              .slot = first_vertex_slot(n->s) };

   /* What is too much goes nowhere. */
   eu_CMP(b, eu_null(ISA_TYPE_UD), n->gs.count,
          eu_imm_ud(n->s->nir->info.gs.vertices_out), ISA_COND_MOD_L);
   eu_emit0(b, ISA_OPCODE_IF)->pred = ISA_PRED_NORMAL;
   if (n->gs.bits_per_vertex && many_dwords(n))
      flush_control_dword(n);
   if (n->gs.bits_per_vertex == 2 && stream)
      add_bits(n, n->gs.count, stream);
   at.per_slot = eu_vgrf(b, ISA_TYPE_UD, 1);
   /* In pairs of slots, if messages count these. */
   eu_MUL(b, at.per_slot, n->gs.count,
          eu_imm_uw((n->host ? 1 : 2) * pd->output_vertex_size));
   fs_write_vue(n, &pd->out.vue_map, &at);
   eu_ADD(b, n->gs.count, n->gs.count, eu_imm_ud(1));
   eu_emit0(b, ISA_OPCODE_ENDIF);
}

/* The bit of the last vertex says that the primitive ends after it. */
static void
end_primitive(struct nir_to_fs *n)
{
   const struct eu_builder *b = &n->b;

   if (n->gs.bits_per_vertex != 1)
      return;
   if (is_static(n)) {
      const unsigned v = n->gs.static_count;
      if (v)
         n->gs.static_bits[(v - 1) / 32] |= 1u << ((v - 1) % 32);
      return;
   }
   /* Without a vertex there is nothing to end. */
   eu_reg last = eu_vgrf(b, ISA_TYPE_UD, 1);
   eu_CMP(b, eu_null(ISA_TYPE_UD), n->gs.count, eu_imm_ud(0),
          ISA_COND_MOD_NZ);
   eu_emit0(b, ISA_OPCODE_IF)->pred = ISA_PRED_NORMAL;
   eu_ADD(b, last, n->gs.count, eu_imm_d(-1));
   add_bits(n, last, 1);
   eu_emit0(b, ISA_OPCODE_ENDIF);
}

/* ---- begin and end ---- */

void
fs_emit_gs_prologue(struct nir_to_fs *n)
{
   const struct eu_builder all = eu_exec_all(n->b);

   n->gs.bits_per_vertex = control_bits_per_vertex(n->s);
   if (!is_static(n)) {
      n->gs.count = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
      n->gs.bits = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
      eu_MOV(&all, n->gs.count, eu_imm_ud(0));
      eu_MOV(&all, n->gs.bits, eu_imm_ud(0));
   }
   n->const_tail = n->s->insts.prev;
}

void
fs_emit_gs_control_data(struct nir_to_fs *n)
{
   if (!n->gs.bits_per_vertex)
      return;
   if (is_static(n))
      write_static_control_data(n);
   else
      write_control_dword(n);
}

void
fs_emit_gs_end(struct nir_to_fs *n)
{
   const struct fs_urb_place at = { .handle = urb_handle(n) };
   struct eu_inst *last;

   fs_emit_gs_control_data(n);
   if (!is_static(n)) {
      fs_end_with_urb_write(n, fs_urb_write(n, &at, 1, &n->gs.count, 0));
      return;
   }
   last = list_last_entry(&n->s->insts, struct eu_inst, link);
   if (!eu_is_send(last) || last->sfid != ISA_SFID_URB || !last->side_effects)
      last = fs_urb_write(n, &at, 0, NULL, 0);
   fs_end_with_urb_write(n, last);
}

static void
load_invocation_id(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   eu_SHR(&n->b, fs_get_dest(n, &intr->instr.result), urb_handle(n),
          eu_imm_ud(27));
}

bool
fs_emit_gs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_per_vertex_input: {
      const struct intel_gs_prog_data *pd = n->s->prog_data.gs;
      fs_load_vue_input(
         n, intr,
         fs_input_vertex_handle(n, &intr->src[0], pd->vertices_in,
                                handle_grfs(pd), packed_handles(pd)),
         &n->s->input_map);
      return true;
   }
   case nir_intrinsic_load_primitive_id:
      fs_set_dest(n, &intr->instr.result,
                  eu_grf(n->s->payload.primitive_id, ISA_TYPE_UD));
      return true;
   case nir_intrinsic_load_invocation_id:
      load_invocation_id(n, intr);
      return true;
   case nir_intrinsic_store_output: fs_store_vue_output(n, intr); return true;
   case nir_intrinsic_emit_vertex:
      if (is_dropped(n->s, intr))
         return true;
      if (is_static(n))
         emit_static_vertex(n, nir_intrinsic_stream_id(intr));
      else
         emit_vertex(n, nir_intrinsic_stream_id(intr));
      return true;
   case nir_intrinsic_end_primitive:
      if (!is_dropped(n->s, intr))
         end_primitive(n);
      return true;
   default: return false;
   }
}
