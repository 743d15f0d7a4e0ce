/* SPDX-License-Identifier: MIT */
/*
 * Fragment shaders, SIMD8 and SIMD16.
 *
 * Thread payload (PRM SKL vol 7, "PS Thread Payload for Normal Dispatch"):
 *    g0      header; bit 15 of dword 0: back facing
 *    g1      dword 0: sample ids, four bits a quad; dwords 2-5: x and y of
 *            each quad's upper left pixel; dword 7: pixels dispatched
 *    then, as far as enabled: barycentrics by mode, two GRFs for each eight
 *    channels; source depth; source W; sample positions; input coverage
 *    then    push constants, setup data (two GRFs an attribute: for each
 *            component the plane equation's p, q, -, r)
 */
#include "fs_nir_alu.h"

/* ---- values of the payload ---- */

/* A GRF field that channels share by some region. */
static eu_reg
payload_field(unsigned grf, unsigned byte, unsigned type)
{
   eu_reg r = eu_grf(grf, type);
   r.offset = byte;
   r.stride = 0;
   return r;
}

void
fs_emit_fs_prologue(struct nir_to_fs *n)
{
   if (n->s->prog_data.wm->uses_kill) {
      const struct eu_builder sb = eu_scalar(n->b);

      eu_MOV(&sb, eu_scalar_dst(eu_flag_reg(FS_LIVE_FLAG)),
             payload_field(1, 28, ISA_TYPE_UW));
   }
}

/* Sample positions: bytes x and y a channel, in 1/16 pixel. */
static eu_reg
sample_pos(struct nir_to_fs *n, unsigned c)
{
   const struct eu_builder *b = &n->b;
   eu_reg i = eu_vgrf(b, ISA_TYPE_D, 1), f = eu_vgrf(b, ISA_TYPE_F, 1);
   eu_reg r = eu_vgrf(b, ISA_TYPE_F, 1);

   eu_MOV(b, i,
          eu_subscript(eu_grf(n->s->payload.sample_pos, ISA_TYPE_UW),
                       ISA_TYPE_UB, c));
   eu_MOV(b, f, i);
   eu_MUL(b, r, f, eu_imm_f(1.0f / 16));
   return r;
}

/*
 * gl_FragCoord.xy: the quad's corner from dwords 2-5 of g1 (x in the low
 * word, y in the high one), the place within the quad from a vector
 * immediate.
 */
static eu_reg
pixel_coord(struct nir_to_fs *n, unsigned c)
{
   const struct eu_builder *b = &n->b;
   eu_reg i = eu_vgrf(b, ISA_TYPE_UW, 1);
   eu_reg f = eu_vgrf(b, ISA_TYPE_F, 1), r = eu_vgrf(b, ISA_TYPE_F, 1);
   eu_reg corner = eu_grf(1, ISA_TYPE_UW);

   corner.offset = 8 + 2 * c;
   eu_ADD(b, i, eu_region(corner, 2, 4, 0),
          eu_imm_v(c == 0 ? 0x10101010 : 0x11001100));
   eu_MOV(b, f, i);
   if (n->s->prog_data.wm->persample_dispatch)
      eu_ADD(b, r, f, sample_pos(n, c));
   else
      eu_ADD(b, r, f, eu_imm_f(0.5f));
   return r;
}

static void
emit_frag_coord(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct eu_builder *b = &n->b;
   const eu_reg d =
      eu_retype(fs_get_dest(n, &intr->instr.result), ISA_TYPE_F);

   for (unsigned c = 0; c < 2; c++)
      eu_MOV(b, eu_offset(d, b, c), pixel_coord(n, c));
   eu_MOV(b, eu_offset(d, b, 2), eu_grf(n->s->payload.src_depth, ISA_TYPE_F));
   eu_MATH(b, ISA_MATH_INV, eu_offset(d, b, 3),
           eu_grf(n->s->payload.src_w, ISA_TYPE_F), (eu_reg) { 0 });
}

/* Bit 15 of g0.0 is set for back faces: as a word it is the sign. */
static void
emit_front_face(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct eu_builder *b = &n->b;
   eu_reg t = eu_vgrf(b, ISA_TYPE_D, 1);

   eu_ASR(b, t, payload_field(0, 0, ISA_TYPE_W), eu_imm_d(15));
   eu_NOT(b, eu_retype(fs_get_dest(n, &intr->instr.result), ISA_TYPE_D), t);
}

/* Without the number: all channels compare the sign. */
void
fs_set_flag_if_front(struct nir_to_fs *n)
{
   eu_CMP(&n->b, eu_null(ISA_TYPE_W), payload_field(0, 0, ISA_TYPE_W),
          eu_imm(ISA_TYPE_W, 0), ISA_COND_MOD_GE);
}

/*
 * Before Gen8 (PRM HSW vol 7, "PS Thread Payload for Normal Dispatch"): the
 * quads of a thread are of consecutive samples, of which bits 7:6 of g0.0
 * name the first pair.
 */
static eu_reg
sample_id_by_pair(struct nir_to_fs *n)
{
   const struct eu_builder *b = &n->b;
   const struct eu_builder sb = eu_scalar(*b);
   struct eu_builder b4 = eu_exec_all(eu_group(*b, 8, 0));
   const eu_reg first = eu_vgrf_scalar(b, ISA_TYPE_UD);
   const eu_reg quads = eu_vgrf(&b4, ISA_TYPE_UW, 1);
   const eu_reg number = eu_vgrf(b, ISA_TYPE_UW, 1);
   const eu_reg id = eu_vgrf(b, ISA_TYPE_UD, 1);

   b4.group = 0;
   eu_AND(&sb, eu_scalar_dst(first), payload_field(0, 0, ISA_TYPE_UD),
          eu_imm_ud(0xc0));
   eu_SHR(&sb, eu_scalar_dst(first), first, eu_imm_ud(5));
   eu_MOV(&b4, quads, eu_imm_v(0x3210));
   eu_MOV(b, number, eu_region(quads, 1, 4, 0));
   eu_ADD(b, id, number, first);
   return id;
}

/* Four bits a quad in the low word of g1.0. */
static eu_reg
emit_sample_id(struct nir_to_fs *n)
{
   const struct eu_builder *b = &n->b;
   eu_reg t = eu_vgrf(b, ISA_TYPE_UW, 1), id = eu_vgrf(b, ISA_TYPE_UD, 1);

   if (!n->s->key.wm->multisample_fbo) {
      eu_MOV(b, id, eu_imm_ud(0));
      return id;
   }
   if (!n->s->devinfo->eu.payload_has_sample_ids)
      return sample_id_by_pair(n);
   eu_SHR(b, t, eu_region(eu_grf(1, ISA_TYPE_UB), 1, 8, 0),
          eu_imm_v(0x44440000));
   eu_AND(b, id, t, eu_imm_uw(0xf));
   return id;
}

static void
emit_sample_mask_in(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct eu_builder *b = &n->b;
   const eu_reg in = eu_grf(n->s->payload.sample_mask_in, ISA_TYPE_UD);

   if (!n->s->prog_data.wm->persample_dispatch) {
      fs_set_dest(n, &intr->instr.result, in);
      return;
   }
   /* One invocation a sample sees its own bit. */
   eu_reg bit = eu_vgrf(b, ISA_TYPE_UD, 1);
   eu_SHL(b, bit, fs_const(n, ISA_TYPE_UD, 1), emit_sample_id(n));
   eu_AND(b, fs_get_dest(n, &intr->instr.result), bit, in);
}

/* Channels of the thread that are no pixels of the primitive, and, for
 * `now`, those that were demoted. */
static void
emit_helper_invocation(struct nir_to_fs *n, nir_intrinsic_instr *intr,
                       bool now)
{
   const struct eu_builder *b = &n->b;
   const struct eu_builder sb = eu_scalar(*b);
   const eu_reg d =
      eu_retype(fs_get_dest(n, &intr->instr.result), ISA_TYPE_D);
   struct eu_inst *inst;
   unsigned flag = FS_LIVE_FLAG;

   if (!now || !n->s->prog_data.wm->uses_kill) {
      flag = EU_FLAG_SCRATCH;
      eu_MOV(&sb, eu_scalar_dst(eu_flag_reg(flag)),
             payload_field(1, 28, ISA_TYPE_UW));
   }
   eu_MOV(b, d, eu_imm_d(-1));
   inst = eu_MOV(b, d, eu_imm_d(0));
   inst->pred = ISA_PRED_NORMAL;
   inst->flag = (uint8_t)flag;
}

/* ---- inputs ---- */

/* Plane equation of component `dw` of an attribute. */
static eu_reg
plane(const struct nir_to_fs *n, unsigned slot, unsigned dw)
{
   const int setup = n->s->prog_data.wm->urb_setup[slot + dw / 4];

   assert(setup >= 0);
   return (eu_reg) { .file = EU_ATTR,
                     .type = ISA_TYPE_F,
                     .offset = (unsigned)setup * 64 + dw % 4 * 16 };
}

/* A flat value: the r of its plane. */
static eu_reg
flat_value(const struct nir_to_fs *n, unsigned slot, unsigned dw)
{
   return eu_retype(eu_byte_offset(plane(n, slot, dw), 12), ISA_TYPE_UD);
}

static void
load_flat(struct nir_to_fs *n, nir_intrinsic_instr *intr, unsigned slot,
          unsigned first_dw)
{
   const struct eu_builder *b = &n->b;
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned comps = intr->instr.result.num_components;

   if (comps == 1 && bits == 32) {
      fs_set_dest(n, &intr->instr.result, flat_value(n, slot, first_dw));
      return;
   }
   if (bits == 16) {
      const eu_reg dst = fs_get_dest(n, &intr->instr.result);

      for (unsigned c = 0; c < comps; c++)
         eu_MOV(b, eu_offset(dst, b, c),
                eu_subscript(flat_value(n, slot, first_dw + c), ISA_TYPE_UW,
                             0));
      return;
   }
   /* Planes are 16 bytes apart, scalars one after the other. */
   const unsigned dwords = comps * bits / 32;
   const struct eu_builder sb = eu_scalar(*b);
   const eu_reg all = eu_vgrf(&sb, ISA_TYPE_UD, dwords);
   eu_undef(&sb, all);
   for (unsigned k = 0; k < dwords; k++)
      eu_MOV(&sb, eu_byte_offset(all, 4 * k),
             flat_value(n, slot, first_dw + k));
   eu_reg r = eu_retype(all, fs_raw_type(bits));
   r.stride = 0;
   fs_set_dest(n, &intr->instr.result, r);
}

static void
load_flat_input(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const unsigned slot = fs_io_slot(intr, &intr->src[0]);
   unsigned first = (unsigned)nir_intrinsic_component(intr);

   if (!nir_use_is_const(intr->src[0])) {
      eu_fail(n->s, "fragment input with a dynamic index");
      return;
   }
   /* Parts of the vertex header. */
   if (slot == VARYING_SLOT_LAYER)
      first += 1;
   else if (slot == VARYING_SLOT_VIEWPORT)
      first += 2;
   load_flat(n, intr, slot, first);
}

/* PLN: p * b1 + q * b2 + r, the barycentrics as the payload has them. */
static void
interpolate(struct nir_to_fs *n, eu_reg dst, eu_reg bary, unsigned slot,
            unsigned dw)
{
   eu_emit2(&n->b, ISA_OPCODE_PLN, eu_retype(dst, ISA_TYPE_F),
            plane(n, slot, dw), bary);
}

static eu_reg
payload_bary(const struct nir_to_fs *n, enum intel_barycentric_mode mode)
{
   return eu_grf(n->s->payload.bary[mode], ISA_TYPE_F);
}

static void
load_interpolated(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const nir_intrinsic_instr *bary = nir_use_as_intrinsic(intr->src[0]);
   const unsigned slot = fs_io_slot(intr, &intr->src[1]);
   const unsigned first = (unsigned)nir_intrinsic_component(intr);

   if (!bary) {
      eu_fail(n->s, "interpolation with computed barycentrics");
      return;
   }
   const bool pulled =
      bary->intrinsic == nir_intrinsic_load_barycentric_at_sample ||
      bary->intrinsic == nir_intrinsic_load_barycentric_at_offset;
   const eu_reg at = pulled
                        ? eu_retype(fs_get_src(n, &intr->src[0]), ISA_TYPE_F)
                        : payload_bary(n, fs_bary_mode(n->s, bary));
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);
   const unsigned bits = intr->instr.result.bit_size;

   for (unsigned c = 0; c < intr->instr.result.num_components; c++) {
      if (bits == 16) {
         eu_reg t = eu_vgrf(&n->b, ISA_TYPE_F, 1);
         interpolate(n, t, at, slot, first + c);
         fs_emit_convert(n, eu_retype(eu_offset(dst, &n->b, c), ISA_TYPE_HF),
                         t);
      } else {
         interpolate(n, eu_offset(dst, &n->b, c), at, slot, first + c);
      }
   }
}

static void
store_output(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   const unsigned location = sem.location +
                             (nir_use_is_const(intr->src[1])
                                 ? (unsigned)nir_use_as_uint(intr->src[1])
                                 : 0);

   if (!nir_use_is_const(intr->src[1])) {
      eu_fail(n->s, "fragment output with a dynamic index");
      return;
   }
   fs_store_output(n, intr, n->out,
                   sem.dual_source_blend_index ? FS_OUT_DUAL : location);
}

/* The channels with `cond` are no longer alive; without a condition all of
 * them. Only enabled channels are written, so the rest keeps its bit. */
static void
clear_live(struct nir_to_fs *n, const nir_use *cond)
{
   const struct eu_builder *b = &n->b;
   /* An integer is never unlike itself. */
   eu_reg z = eu_grf(0, ISA_TYPE_UW);
   struct eu_inst *inst;

   z.stride = 0;
   if (!cond)
      inst = eu_CMP(b, eu_null(ISA_TYPE_UW), z, z, ISA_COND_MOD_NZ);
   else if (!(inst = fs_emit_opposite(n, cond)))
      inst = eu_CMP(b, eu_null(ISA_TYPE_D),
                    eu_retype(fs_src_comp(n, cond, 0), ISA_TYPE_D),
                    eu_imm_d(0), ISA_COND_MOD_Z);
   inst->flag = FS_LIVE_FLAG;
   inst->pred = ISA_PRED_NORMAL;
}

void
fs_emit_discard(struct nir_to_fs *n, const nir_use *cond, enum fs_discard how)
{
   const struct eu_builder *b = &n->b;
   struct eu_inst *halt;

   if (cond && nir_use_is_const(*cond)) {
      if (!nir_use_as_bool(*cond))
         return;
      cond = NULL;
   }
   clear_live(n, cond);
   if (how == FS_DEMOTE)
      return;
   if (how == FS_TERMINATE && cond) {
      eu_reg c = eu_retype(fs_src_comp(n, cond, 0), ISA_TYPE_D);

      eu_CMP(b, eu_null(ISA_TYPE_D), c, eu_imm_d(0), ISA_COND_MOD_NZ)->flag =
         EU_FLAG_SCRATCH;
   }
   halt = eu_emit0(b, ISA_OPCODE_HALT);
   n->s->uses_halt = true;
   if (how == FS_DISCARD) {
      /* A quad with no live pixel may stop; one with a live pixel goes on
       * as a whole, for derivatives. */
      halt->pred = ISA_PRED_ANY4H;
      halt->pred_inv = true;
      halt->flag = FS_LIVE_FLAG;
   } else if (cond) {
      halt->pred = ISA_PRED_NORMAL;
      halt->flag = EU_FLAG_SCRATCH;
   }
}

bool
fs_emit_fs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input: load_flat_input(n, intr); return true;
   case nir_intrinsic_load_interpolated_input:
      load_interpolated(n, intr);
      return true;
   case nir_intrinsic_load_barycentric_pixel:
   case nir_intrinsic_load_barycentric_centroid:
   case nir_intrinsic_load_barycentric_sample:
      return true; /* read by the interpolation itself */
   case nir_intrinsic_load_barycentric_at_sample:
   case nir_intrinsic_load_barycentric_at_offset:
      fs_emit_barycentric_at(n, intr);
      return true;
   case nir_intrinsic_load_frag_coord: emit_frag_coord(n, intr); return true;
   case nir_intrinsic_load_point_coord: {
      const eu_reg d = fs_get_dest(n, &intr->instr.result);
      for (unsigned c = 0; c < 2; c++)
         interpolate(n, eu_offset(d, &n->b, c),
                     payload_bary(n, INTEL_BARY_PERSPECTIVE_PIXEL),
                     VARYING_SLOT_PNTC, c);
      return true;
   }
   case nir_intrinsic_load_front_face: emit_front_face(n, intr); return true;
   case nir_intrinsic_load_primitive_id:
      fs_set_dest(n, &intr->instr.result,
                  flat_value(n, VARYING_SLOT_PRIMITIVE_ID, 0));
      return true;
   case nir_intrinsic_load_layer_id:
      fs_set_dest(n, &intr->instr.result,
                  flat_value(n, VARYING_SLOT_LAYER, 1));
      return true;
   case nir_intrinsic_load_sample_id:
      fs_set_dest(n, &intr->instr.result, emit_sample_id(n));
      return true;
   case nir_intrinsic_load_sample_pos:
   case nir_intrinsic_load_sample_pos_or_center: {
      const eu_reg d =
         eu_retype(fs_get_dest(n, &intr->instr.result), ISA_TYPE_F);
      const bool center = !n->s->key.wm->multisample_fbo;
      for (unsigned c = 0; c < 2; c++)
         eu_MOV(&n->b, eu_offset(d, &n->b, c),
                center ? eu_imm_f(0.5f) : sample_pos(n, c));
      return true;
   }
   case nir_intrinsic_load_sample_mask_in:
      emit_sample_mask_in(n, intr);
      return true;
   case nir_intrinsic_load_helper_invocation:
      emit_helper_invocation(n, intr, false);
      return true;
   case nir_intrinsic_is_helper_invocation:
      emit_helper_invocation(n, intr, true);
      return true;
   case nir_intrinsic_discard:
      fs_emit_discard(n, NULL, FS_DISCARD);
      return true;
   case nir_intrinsic_discard_if:
      fs_emit_discard(n, &intr->src[0], FS_DISCARD);
      return true;
   case nir_intrinsic_terminate:
      fs_emit_discard(n, NULL, FS_TERMINATE);
      return true;
   case nir_intrinsic_terminate_if:
      fs_emit_discard(n, &intr->src[0], FS_TERMINATE);
      return true;
   case nir_intrinsic_demote:
      fs_emit_discard(n, NULL, FS_DEMOTE);
      return true;
   case nir_intrinsic_demote_if:
      fs_emit_discard(n, &intr->src[0], FS_DEMOTE);
      return true;
   case nir_intrinsic_store_output: store_output(n, intr); return true;
   default: return false;
   }
}
