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
#include "fs_nir.h"

/* ---- what the shader needs ---- */

static enum intel_barycentric_mode
bary_mode(const struct eu_shader *s, const nir_intrinsic_instr *bary)
{
   const bool linear =
      nir_intrinsic_interp_mode(bary) == INTERP_MODE_NOPERSPECTIVE;
   unsigned where = 0;

   if (bary->intrinsic == nir_intrinsic_load_barycentric_centroid)
      where = 1;
   else if (bary->intrinsic == nir_intrinsic_load_barycentric_sample)
      where = 2;
   /* An invocation for each sample interpolates there. */
   if (s->prog_data.wm->persample_dispatch)
      where = 2;
   return (enum intel_barycentric_mode)(where + (linear ? 3 : 0));
}

static unsigned
io_slot(const nir_intrinsic_instr *intr, const nir_src *off)
{
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   return sem.location +
          (nir_src_is_const(*off) ? (unsigned)nir_src_as_uint(*off) : 0);
}

static void
gather_input(struct eu_shader *s, const nir_intrinsic_instr *intr,
             const nir_src *off)
{
   const unsigned bits = nir_dest_bit_size(intr->dest);
   const unsigned dw = (unsigned)nir_intrinsic_component(intr) +
                       nir_dest_num_components(intr->dest) *
                          MAX2(1, bits / 32);
   const unsigned slot = io_slot(intr, off);

   if (!nir_src_is_const(*off)) {
      eu_fail(s, "fragment input with a dynamic index");
      return;
   }
   for (unsigned i = 0; i < DIV_ROUND_UP(dw, 4); i++) {
      if (slot + i < 64)
         s->prog_data.wm->inputs_read |= BITFIELD64_BIT(slot + i);
   }
}

static void
gather_output(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   struct intel_wm_prog_data *pd = s->prog_data.wm;
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);

   switch (sem.location) {
   case FRAG_RESULT_DEPTH:
      pd->computed_depth = INTEL_DEPTH_ANY;
      break;
   case FRAG_RESULT_STENCIL:
      pd->computed_stencil = true;
      break;
   case FRAG_RESULT_SAMPLE_MASK:
      pd->uses_omask = true;
      break;
   case FRAG_RESULT_COLOR:
      pd->color_outputs_written |= 0xff;
      break;
   default:
      if (sem.dual_source_blend_index)
         pd->dual_src_blend = true;
      else if (sem.location >= FRAG_RESULT_DATA0)
         pd->color_outputs_written |=
            (uint8_t)(1u << (sem.location - FRAG_RESULT_DATA0));
      break;
   }
}

static void
gather(struct eu_shader *s, const nir_intrinsic_instr *intr, bool *per_sample)
{
   struct intel_wm_prog_data *pd = s->prog_data.wm;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
      gather_input(s, intr, &intr->src[0]);
      break;
   case nir_intrinsic_load_interpolated_input:
      gather_input(s, intr, &intr->src[1]);
      break;
   case nir_intrinsic_load_point_coord:
      pd->inputs_read |= VARYING_BIT(PNTC);
      break;
   case nir_intrinsic_load_primitive_id:
      pd->inputs_read |= VARYING_BIT(PRIMITIVE_ID);
      break;
   case nir_intrinsic_load_layer_id:
      pd->inputs_read |= VARYING_BIT(LAYER);
      break;
   case nir_intrinsic_load_frag_coord:
      pd->uses_src_depth = pd->uses_src_w = true;
      break;
   case nir_intrinsic_load_sample_id:
      *per_sample = true;
      break;
   case nir_intrinsic_load_sample_pos:
      *per_sample = true;
      pd->uses_pos_offset = true;
      break;
   case nir_intrinsic_load_sample_pos_or_center:
      pd->uses_pos_offset = true;
      break;
   case nir_intrinsic_load_sample_mask_in:
      pd->uses_sample_mask_in = true;
      break;
   case nir_intrinsic_discard:
   case nir_intrinsic_discard_if:
   case nir_intrinsic_demote:
   case nir_intrinsic_demote_if:
   case nir_intrinsic_terminate:
   case nir_intrinsic_terminate_if:
      pd->uses_kill = true;
      break;
   case nir_intrinsic_load_barycentric_sample:
      *per_sample = true;
      break;
   case nir_intrinsic_load_barycentric_at_sample:
   case nir_intrinsic_load_barycentric_at_offset:
      pd->pulls_barycentrics = true;
      pd->uses_nonperspective |=
         nir_intrinsic_interp_mode(intr) == INTERP_MODE_NOPERSPECTIVE;
      break;
   case nir_intrinsic_store_output:
      gather_output(s, intr);
      break;
   default:
      pd->base.has_side_effects |= fs_is_buffer_write(intr->intrinsic) ||
                                   fs_is_image_write(intr->intrinsic);
      break;
   }
}

static void
gather_barycentrics(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   struct intel_wm_prog_data *pd = s->prog_data.wm;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_barycentric_pixel:
   case nir_intrinsic_load_barycentric_centroid:
   case nir_intrinsic_load_barycentric_sample:
      pd->barycentric_modes |= 1u << bary_mode(s, intr);
      break;
   case nir_intrinsic_load_point_coord:
      pd->barycentric_modes |= 1u << INTEL_BARY_PERSPECTIVE_PIXEL;
      break;
   default:
      break;
   }
}

static void
assign_setup(struct intel_wm_prog_data *pd, const nir_shader *nir)
{
   for (unsigned i = 0; i < 64; i++) {
      pd->urb_setup[i] = -1;
      if (pd->inputs_read & BITFIELD64_BIT(i))
         pd->urb_setup[i] = (int8_t)pd->num_varying_inputs++;
   }
   if (pd->urb_setup[VARYING_SLOT_PNTC] >= 0)
      pd->point_coord_inputs |= 1u << pd->urb_setup[VARYING_SLOT_PNTC];
   /* Integers in the vertex header are not interpolated. */
   static const uint8_t flat[] = { VARYING_SLOT_LAYER, VARYING_SLOT_VIEWPORT,
                                   VARYING_SLOT_PRIMITIVE_ID };
   for (unsigned i = 0; i < ARRAY_SIZE(flat); i++) {
      if (pd->urb_setup[flat[i]] >= 0)
         pd->flat_inputs |= 1u << pd->urb_setup[flat[i]];
   }
}

static void
mark_flat(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   struct intel_wm_prog_data *pd = s->prog_data.wm;
   const unsigned bits = nir_dest_bit_size(intr->dest);
   const unsigned dw = (unsigned)nir_intrinsic_component(intr) +
                       nir_dest_num_components(intr->dest) *
                          MAX2(1, bits / 32);
   const unsigned slot = io_slot(intr, &intr->src[0]);

   for (unsigned i = 0; i < DIV_ROUND_UP(dw, 4); i++) {
      if (slot + i < 64 && pd->urb_setup[slot + i] >= 0)
         pd->flat_inputs |= 1u << pd->urb_setup[slot + i];
   }
}

static void
setup_payload(struct eu_shader *s)
{
   const struct intel_wm_prog_data *pd = s->prog_data.wm;
   const unsigned w = s->dispatch_width / 8;
   unsigned g = 2;

   for (unsigned i = 0; i < INTEL_BARY_COUNT; i++) {
      if (pd->barycentric_modes & (1u << i)) {
         s->payload.bary[i] = (uint8_t)g;
         g += 2 * w;
      }
   }
   if (pd->uses_src_depth) {
      s->payload.src_depth = (uint8_t)g;
      g += w;
   }
   if (pd->uses_src_w) {
      s->payload.src_w = (uint8_t)g;
      g += w;
   }
   if (pd->uses_pos_offset)
      s->payload.sample_pos = (uint8_t)g++;
   if (pd->uses_sample_mask_in) {
      s->payload.sample_mask_in = (uint8_t)g;
      g += w;
   }
   s->payload.num_regs = (uint8_t)g;
}

typedef void (*intrinsic_fn)(struct eu_shader *, const nir_intrinsic_instr *);

static void
for_each_intrinsic(struct eu_shader *s, intrinsic_fn fn)
{
   nir_foreach_block(block, nir_shader_get_entrypoint(s->nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->type == nir_instr_type_intrinsic)
            fn(s, nir_instr_as_intrinsic(instr));
      }
   }
}

static void
gather_flat(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   if (intr->intrinsic == nir_intrinsic_load_input)
      mark_flat(s, intr);
}

void
fs_setup_fs(struct eu_shader *s)
{
   struct intel_wm_prog_data *pd = s->prog_data.wm;
   const struct shader_info *info = &s->nir->info;
   bool per_sample = s->key.wm->persample_shading ||
                     info->fs.uses_sample_qualifier ||
                     info->fs.uses_sample_shading;

   nir_foreach_block(block, nir_shader_get_entrypoint(s->nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->type == nir_instr_type_intrinsic)
            gather(s, nir_instr_as_intrinsic(instr), &per_sample);
      }
   }
   pd->persample_dispatch = per_sample && s->key.wm->multisample_fbo;
   if (pd->persample_dispatch && pd->uses_src_depth)
      pd->uses_pos_offset = true; /* x and y of gl_FragCoord */
   for_each_intrinsic(s, gather_barycentrics);
   assign_setup(pd, s->nir);
   for_each_intrinsic(s, gather_flat);
   pd->uses_nonperspective |= (pd->barycentric_modes >> 3) != 0;
   pd->early_fragment_tests = info->fs.early_fragment_tests;
   if (pd->computed_depth == INTEL_DEPTH_ANY) {
      if (info->fs.depth_layout == FRAG_DEPTH_LAYOUT_GREATER)
         pd->computed_depth = INTEL_DEPTH_GREATER;
      else if (info->fs.depth_layout == FRAG_DEPTH_LAYOUT_LESS)
         pd->computed_depth = INTEL_DEPTH_LESS;
   }
   pd->replicate_alpha =
      s->key.wm->alpha_to_coverage && s->key.wm->nr_color_regions > 1 &&
      (pd->color_outputs_written & 1);
   setup_payload(s);
}

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

   eu_MOV(b, i, eu_subscript(eu_grf(n->s->payload.sample_pos, ISA_TYPE_UW),
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
   const eu_reg d = eu_retype(fs_get_dest(n, &intr->dest), ISA_TYPE_F);

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
   eu_NOT(b, eu_retype(fs_get_dest(n, &intr->dest), ISA_TYPE_D), t);
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
      fs_set_dest(n, &intr->dest, in);
      return;
   }
   /* One invocation a sample sees its own bit. */
   eu_reg bit = eu_vgrf(b, ISA_TYPE_UD, 1);
   eu_SHL(b, bit, fs_const(n, ISA_TYPE_UD, 1), emit_sample_id(n));
   eu_AND(b, fs_get_dest(n, &intr->dest), bit, in);
}

/* Channels of the thread that are no pixels of the primitive, and, for
 * `now`, those that were demoted. */
static void
emit_helper_invocation(struct nir_to_fs *n, nir_intrinsic_instr *intr,
                       bool now)
{
   const struct eu_builder *b = &n->b;
   const struct eu_builder sb = eu_scalar(*b);
   const eu_reg d = eu_retype(fs_get_dest(n, &intr->dest), ISA_TYPE_D);
   struct eu_inst *inst;
   unsigned flag = FS_LIVE_FLAG;

   if (!now || !n->s->prog_data.wm->uses_kill) {
      flag = 2;
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
   return (eu_reg) { .file = EU_ATTR, .type = ISA_TYPE_F,
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
   const unsigned bits = nir_dest_bit_size(intr->dest);
   const unsigned comps = nir_dest_num_components(intr->dest);

   if (comps == 1 && bits == 32) {
      fs_set_dest(n, &intr->dest, flat_value(n, slot, first_dw));
      return;
   }
   const eu_reg dst = fs_get_dest(n, &intr->dest);
   if (bits == 64)
      eu_undef(b, dst);
   for (unsigned c = 0; c < comps; c++) {
      const eu_reg d = eu_offset(dst, b, c);

      if (bits == 64) {
         for (unsigned h = 0; h < 2; h++)
            eu_MOV(b, eu_subscript(d, ISA_TYPE_UD, h),
                   flat_value(n, slot, first_dw + c * 2 + h));
      } else if (bits == 16) {
         eu_MOV(b, d, eu_subscript(flat_value(n, slot, first_dw + c),
                                   ISA_TYPE_UW, 0));
      } else {
         eu_MOV(b, d, flat_value(n, slot, first_dw + c));
      }
   }
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
   const nir_intrinsic_instr *bary = nir_src_as_intrinsic(intr->src[0]);
   const unsigned slot = io_slot(intr, &intr->src[1]);
   const unsigned first = (unsigned)nir_intrinsic_component(intr);

   if (!bary) {
      eu_fail(n->s, "interpolation with computed barycentrics");
      return;
   }
   const bool pulled =
      bary->intrinsic == nir_intrinsic_load_barycentric_at_sample ||
      bary->intrinsic == nir_intrinsic_load_barycentric_at_offset;
   const eu_reg at = pulled ? eu_retype(fs_get_src(n, &intr->src[0]),
                                        ISA_TYPE_F)
                            : payload_bary(n, bary_mode(n->s, bary));
   const eu_reg dst = fs_get_dest(n, &intr->dest);
   const unsigned bits = nir_dest_bit_size(intr->dest);

   for (unsigned c = 0; c < nir_dest_num_components(intr->dest); c++) {
      if (bits == 16) {
         eu_reg t = eu_vgrf(&n->b, ISA_TYPE_F, 1);
         interpolate(n, t, at, slot, first + c);
         eu_MOV(&n->b, eu_retype(eu_offset(dst, &n->b, c), ISA_TYPE_HF), t);
      } else {
         interpolate(n, eu_offset(dst, &n->b, c), at, slot, first + c);
      }
   }
}

static void
store_output(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   const unsigned location =
      sem.location + (nir_src_is_const(intr->src[1])
                         ? (unsigned)nir_src_as_uint(intr->src[1]) : 0);

   if (!nir_src_is_const(intr->src[1])) {
      eu_fail(n->s, "fragment output with a dynamic index");
      return;
   }
   fs_store_output(n, intr, n->out,
                   sem.dual_source_blend_index ? FS_OUT_DUAL : location);
}

void
fs_emit_discard(struct nir_to_fs *n, eu_reg cond, bool jump)
{
   const struct eu_builder *b = &n->b;
   struct eu_inst *inst;

   if (cond.file == EU_IMM) {
      if (!cond.imm)
         return;
      cond = (eu_reg) { 0 };
   }
   /* Channels that stay alive: those of f0.1 with a false condition. Only
    * enabled channels are written, so the rest keeps its bit. */
   if (cond.file == EU_BAD) {
      /* An integer is never unlike itself. */
      const eu_reg g0 = eu_grf(0, ISA_TYPE_UW);
      eu_reg z = g0;
      z.stride = 0;
      inst = eu_CMP(b, eu_null(ISA_TYPE_UW), z, z, ISA_COND_MOD_NZ);
   } else {
      inst = eu_CMP(b, eu_null(ISA_TYPE_D), eu_retype(cond, ISA_TYPE_D),
                    eu_imm_d(0), ISA_COND_MOD_Z);
   }
   inst->flag = FS_LIVE_FLAG;
   inst->pred = ISA_PRED_NORMAL;

   if (jump) {
      /* A quad with no live pixel may stop; one with a live pixel goes on
       * as a whole, for derivatives. */
      inst = eu_emit0(b, ISA_OPCODE_HALT);
      inst->pred = ISA_PRED_ANY4H;
      inst->pred_inv = true;
      inst->flag = FS_LIVE_FLAG;
      n->s->uses_halt = true;
   }
}

bool
fs_emit_fs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
      if (!nir_src_is_const(intr->src[0]))
         eu_fail(n->s, "fragment input with a dynamic index");
      else
         load_flat(n, intr, io_slot(intr, &intr->src[0]),
                   (unsigned)nir_intrinsic_component(intr) +
                      (io_slot(intr, &intr->src[0]) == VARYING_SLOT_LAYER
                          ? 1 : 0) +
                      (io_slot(intr, &intr->src[0]) == VARYING_SLOT_VIEWPORT
                          ? 2 : 0));
      return true;
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
   case nir_intrinsic_load_frag_coord:
      emit_frag_coord(n, intr);
      return true;
   case nir_intrinsic_load_point_coord: {
      const eu_reg d = fs_get_dest(n, &intr->dest);
      for (unsigned c = 0; c < 2; c++)
         interpolate(n, eu_offset(d, &n->b, c),
                     payload_bary(n, INTEL_BARY_PERSPECTIVE_PIXEL),
                     VARYING_SLOT_PNTC, c);
      return true;
   }
   case nir_intrinsic_load_front_face:
      emit_front_face(n, intr);
      return true;
   case nir_intrinsic_load_primitive_id:
      fs_set_dest(n, &intr->dest,
                  flat_value(n, VARYING_SLOT_PRIMITIVE_ID, 0));
      return true;
   case nir_intrinsic_load_layer_id:
      fs_set_dest(n, &intr->dest, flat_value(n, VARYING_SLOT_LAYER, 1));
      return true;
   case nir_intrinsic_load_sample_id:
      fs_set_dest(n, &intr->dest, emit_sample_id(n));
      return true;
   case nir_intrinsic_load_sample_pos:
   case nir_intrinsic_load_sample_pos_or_center: {
      const eu_reg d = eu_retype(fs_get_dest(n, &intr->dest), ISA_TYPE_F);
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
   case nir_intrinsic_terminate:
      fs_emit_discard(n, (eu_reg) { 0 }, true);
      return true;
   case nir_intrinsic_discard_if:
   case nir_intrinsic_terminate_if:
      fs_emit_discard(n, fs_src_comp(n, &intr->src[0], 0), true);
      return true;
   case nir_intrinsic_demote:
      fs_emit_discard(n, (eu_reg) { 0 }, false);
      return true;
   case nir_intrinsic_demote_if:
      fs_emit_discard(n, fs_src_comp(n, &intr->src[0], 0), false);
      return true;
   case nir_intrinsic_store_output:
      store_output(n, intr);
      return true;
   default:
      return false;
   }
}
