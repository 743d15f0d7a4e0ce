/* SPDX-License-Identifier: MIT */
/*
 * Geometry shaders, SIMD4x2: two primitives a thread (dual object), two
 * invocations on one (dual instance), or one (single).
 *
 * Thread payload (PRM IVB vol 2 part 1, "GS Thread Payload"; HSW vol 7): g0
 * header, of which dwords 0 and 1 are the URB return handles, with the
 * instance number in bits 31:27; g1 the primitive IDs in dwords 0 and 4, if
 * asked for; then push constants; then the input vertices, one after the
 * other: of two primitives a GRF a slot, of one two slots a GRF.
 *
 * Where that is more than MAX_PUSHED_GRFS a thread of one primitive has a GRF
 * with the handles of its vertices, a dword each, before the constants, and
 * reads the slots that are not in registers by messages.
 *
 * Counting vertices and control data is the scalar back end's work: channels
 * of a vertex agree. Gen7 has the numbers of vertices in the header of the
 * last message, 16 bits each in dword 2 (PRM IVB vol 4 part 2, "URB_WRITE").
 */
#include "vec4_nir.h"

#define INSTANCE_SHIFT 27

/* Of one object; what is left is for constants and the shader. */
#define MAX_PUSHED_GRFS 48

static bool
two_objects(const struct eu_shader *s)
{
   return s->prog_data.gs->dispatch_mode == INTEL_DISPATCH_4X2_DUAL_OBJECT;
}

void
vec4_setup_gs(struct eu_shader *s)
{
   struct intel_gs_prog_data *pd = s->prog_data.gs;

   fs_setup_gs(s);
   if (pd->invocations > 1)
      pd->dispatch_mode = INTEL_DISPATCH_4X2_DUAL_INSTANCE;
   else if (s->one_object)
      pd->dispatch_mode = INTEL_DISPATCH_4X1_SINGLE;
   else
      pd->dispatch_mode = INTEL_DISPATCH_4X2_DUAL_OBJECT;
   s->payload.primitive_id = 1;
   s->payload.num_regs = pd->include_primitive_id ? 2 : 1;
   if (!two_objects(s) && !s->failed &&
       pd->urb_read_length > MAX_PUSHED_GRFS / pd->vertices_in) {
      pd->urb_read_length = MAX_PUSHED_GRFS / pd->vertices_in;
      pd->include_handles = true;
      s->payload.icp_handles = s->payload.num_regs++;
   }
}

/* ---- inputs ---- */

/* Slot `slot` of what there is of input vertex `vertex`. */
static eu_reg
input(const struct eu_shader *s, unsigned vertex, unsigned slot)
{
   const unsigned at = vertex * 2 * s->prog_data.gs->urb_read_length + slot;
   eu_reg r = { .file = EU_ATTR,
                .type = ISA_TYPE_UD,
                .swz = ISA_SWIZZLE_XYZW };

   r.stride = two_objects(s);
   r.offset = at * (two_objects(s) ? REG_SIZE_B : REG_SIZE_B / 2);
   return r;
}

/* index * bytes + what is there already. */
static eu_reg
add_scaled(struct nir_to_fs *n, eu_reg sum, const nir_use *index,
           unsigned limit, unsigned bytes)
{
   const struct eu_builder *b = &n->b;
   const eu_reg i = eu_vgrf(b, ISA_TYPE_UD, 1);
   const eu_reg r = eu_vgrf(b, ISA_TYPE_UD, 1);

   /* Out of bounds is undefined; any will do. */
   eu_SEL(b, i, eu_retype(fs_src_comp(n, index, 0), ISA_TYPE_UD),
          eu_imm_ud(limit))
      ->cond_mod = ISA_COND_MOD_L;
   eu_MUL(b, i, i, eu_imm_uw(bytes));
   eu_ADD(b, r, sum, i);
   return r;
}

/* Where channel 4 v + c finds component c of its own vertex' first slot. */
static eu_reg
channel_bytes(struct nir_to_fs *n)
{
   const struct eu_builder all = eu_exec_all(n->b);
   const eu_reg w = eu_vgrf(&all, ISA_TYPE_UW, 1);
   const eu_reg d = eu_vgrf(&all, ISA_TYPE_UD, 1);

   eu_MOV(&all, w, eu_imm_v(two_objects(n->s) ? 0x76543210 : 0x32103210));
   eu_MOV(&all, d, w);
   eu_SHL(&all, d, d, eu_imm_ud(2));
   return d;
}

/* A slot that is computed: every channel fetches its own component. */
static eu_reg
indirect_input(struct nir_to_vec4 *v, nir_intrinsic_instr *intr,
               unsigned slot)
{
   struct nir_to_fs *n = &v->n;
   const struct intel_gs_prog_data *pd = n->s->prog_data.gs;
   const unsigned slot_B = two_objects(n->s) ? REG_SIZE_B : REG_SIZE_B / 2;
   const unsigned slots = 2 * pd->urb_read_length;
   const nir_use *vertex = &intr->src[0], *off = &intr->src[1];
   const eu_reg t = vec4_new(v, ISA_TYPE_UD);
   eu_reg at = channel_bytes(n), base;
   unsigned first = 0;

   if (nir_use_is_const(*vertex))
      first = (unsigned)MIN2(nir_use_as_uint(*vertex), pd->vertices_in - 1);
   else
      at = add_scaled(n, at, vertex, pd->vertices_in - 1, slots * slot_B);
   if (!nir_use_is_const(*off))
      at = add_scaled(n, at, off, slots - 1 - slot, slot_B);
   base = input(n->s, first, slot);
   base.swz = 0;
   base.stride = 1;
   eu_emit3(
      &n->b, EU_OP_MOV_INDIRECT, t, base, at,
      eu_imm_ud((pd->vertices_in * slots - first * slots - slot) * slot_B));
   return t;
}

/* By a message. There are six vertices at the most. */
static void
pull_input(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   struct nir_to_fs *n = &v->n;
   const eu_reg handle = fs_input_vertex_handle(
      n, &intr->src[0], n->s->prog_data.gs->vertices_in, 1, true);

   n->result = (eu_reg) { 0 };
   fs_load_vue_input(n, intr, handle, &n->s->input_map);
   if (!n->s->failed)
      vec4_take_result(v, &intr->instr.result);
}

/* Whether registers have the slot, and all others that it may be. */
static bool
is_pushed(const struct intel_gs_prog_data *pd,
          const nir_intrinsic_instr *intr, unsigned slot)
{
   return !pd->include_handles ||
          (nir_use_is_const(intr->src[1]) && slot < 2 * pd->urb_read_length);
}

static void
load_input(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   const struct eu_shader *s = v->n.s;
   const struct intel_gs_prog_data *pd = s->prog_data.gs;
   const unsigned comps = intr->instr.result.num_components;
   unsigned location = nir_intrinsic_io_semantics(intr).location;
   unsigned first = (unsigned)nir_intrinsic_component(intr), swz = 0;
   eu_reg r;

   if (intr->instr.result.bit_size != 32) {
      eu_fail(v->n.s, "per-vertex input of %u bits",
              intr->instr.result.bit_size);
      return;
   }
   if (nir_use_is_const(intr->src[1]))
      location += (unsigned)nir_use_as_uint(intr->src[1]);
   int slot = fs_vue_slot(&s->input_map, location, &first);
   if (slot < 0) {
      /* The stage before has not written it. */
      r = vec4_new(v, ISA_TYPE_UD);
      eu_undef(&v->n.b, r);
      vec4_set_dest(v, &intr->instr.result, r);
      return;
   }
   slot -= (int)(2 * pd->urb_read_offset);
   assert(slot >= 0);
   if (!is_pushed(pd, intr, (unsigned)slot)) {
      pull_input(v, intr);
      return;
   }
   if (nir_use_is_const(intr->src[0]) && nir_use_is_const(intr->src[1]))
      r = input(s,
                (unsigned)MIN2(nir_use_as_uint(intr->src[0]),
                               pd->vertices_in - 1),
                (unsigned)slot);
   else
      r = indirect_input(v, intr, (unsigned)slot);
   for (unsigned c = 0; c < 4; c++)
      swz |= MIN2(first + MIN2(c, comps - 1), 3) << 2 * c;
   r.swz = (uint8_t)swz;
   if (comps == 1) {
      /* In all channels. */
      const eu_reg t = vec4_new(v, ISA_TYPE_UD);
      vec4_mov(v, t, ISA_WRITEMASK_XYZW, r);
      r = t;
   }
   vec4_set_dest(v, &intr->instr.result, r);
}

static void
load_primitive_id(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   const eu_reg t = vec4_new(v, ISA_TYPE_UD);
   eu_reg id = eu_grf(v->n.s->payload.primitive_id, ISA_TYPE_UD);

   id.stride = two_objects(v->n.s);
   id.swz = ISA_SWIZZLE_XXXX;
   vec4_mov(v, t, ISA_WRITEMASK_XYZW, id);
   vec4_set_dest(v, &intr->instr.result, t);
}

static void
load_invocation_id(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   const eu_reg t = vec4_new(v, ISA_TYPE_UD);

   eu_SHR(&v->n.b, t, eu_region(eu_grf(0, ISA_TYPE_UD), 1, 4, 0),
          eu_imm_ud(INSTANCE_SHIFT));
   vec4_set_dest(v, &intr->instr.result, t);
}

bool
vec4_emit_gs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   struct nir_to_vec4 *v = vec4_of(n);

   switch (intr->intrinsic) {
   case nir_intrinsic_load_per_vertex_input: load_input(v, intr); return true;
   case nir_intrinsic_load_primitive_id:
      load_primitive_id(v, intr);
      return true;
   case nir_intrinsic_load_invocation_id:
      load_invocation_id(v, intr);
      return true;
   case nir_intrinsic_store_output:
      vec4_store_vue_output(v, intr, &n->s->prog_data.gs->out.vue_map);
      return true;
   default: return fs_emit_gs_intrinsic(n, intr);
   }
}

/* ---- the end ---- */

/* The numbers of vertices, in a message's header. */
static void
put_counts(struct nir_to_fs *n, const struct eu_builder *b, eu_reg header)
{
   const struct eu_builder sb = eu_scalar(*b);
   const int32_t known = n->s->prog_data.gs->static_vertex_count;
   const eu_reg dw2 = eu_byte_offset(header, ISA_HDR_BYTE(GS_COUNT_0));

   if (known >= 0) {
      eu_MOV(&sb, dw2,
             eu_imm_ud(ISA_HDR_SET(GS_COUNT_0, known) |
                       ISA_HDR_SET(GS_COUNT_1, known)));
      return;
   }
   const eu_reg t = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
   eu_SHL(&sb, eu_scalar_dst(t), eu_component(n->gs.count, 4),
          eu_imm_ud(ISA_HDR_GS_COUNT_1_SHIFT));
   eu_OR(&sb, dw2, t, eu_component(n->gs.count, 0));
}

/* A message that is nothing but its header. */
static struct eu_inst *
write_nothing(struct nir_to_fs *n)
{
   const struct eu_builder all = eu_exec_all(n->b);
   const eu_reg p = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
   struct eu_inst *inst;

   eu_MOV(&all, p, eu_grf(0, ISA_TYPE_UD));
   inst = eu_emit_send(&n->b,
                       &(struct isa_message) { .msg = ISA_MSG_URB_WRITE_HWORD,
                                               .interleaved = true,
                                               .header = true,
                                               .mlen = 1 },
                       (eu_reg) { 0 }, (eu_reg) { 0 }, p);
   inst->side_effects = true;
   return inst;
}

void
vec4_emit_gs_end(struct nir_to_fs *n)
{
   const struct fs_urb_place own = { 0 };
   struct eu_inst *last;

   fs_emit_gs_control_data(n);
   if (fs_gs_counts_in_entry(n->s)) {
      last = fs_urb_write(n, &own, 1, &n->gs.count, 0);
   } else {
      last = list_last_entry(&n->s->insts, struct eu_inst, link);
      if (!eu_is_send(last) || last->sfid != ISA_SFID_URB ||
          !last->side_effects)
         last = write_nothing(n);
   }
   if (!n->s->devinfo->has_scalar_geometry) {
      const struct eu_builder b = eu_builder_before(n->s, last);
      put_counts(n, &b, last->src[0]);
   }
   last->eot = true;
   n->ends_thread = true;
}
