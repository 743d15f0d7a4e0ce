/* SPDX-License-Identifier: MIT */
/*
 * Storage images: typed surface messages of data cache 1, eight channels a
 * message.
 *
 * Payload (PRM SKL vol 7, "Typed Surface Read", "Typed Surface Write",
 * "Typed Atomic Operation"): a register for each coordinate, then the data.
 * Before Gen9 there is a header, whose dword 7 says which pixels count (PRM
 * BDW vol 7, p 147: it "must be present" for typed messages); since then
 * channels are turned off by the instruction alone. Coordinates are x, y, z
 * with an array's layer after the last of the others; a cube is an array of
 * faces.
 */
#include "fs_nir.h"

static unsigned
coordinates(const nir_intrinsic_instr *intr)
{
   const bool array = nir_intrinsic_image_array(intr);

   switch (nir_intrinsic_image_dim(intr)) {
   case GLSL_SAMPLER_DIM_BUF: return 1;
   case GLSL_SAMPLER_DIM_1D: return array ? 2 : 1;
   case GLSL_SAMPLER_DIM_2D:
   case GLSL_SAMPLER_DIM_RECT: return array ? 3 : 2;
   case GLSL_SAMPLER_DIM_3D:
   case GLSL_SAMPLER_DIM_CUBE: return 3;
   default: return 0;
   }
}

bool
fs_is_image_write(nir_intrinsic_op op)
{
   return op == nir_intrinsic_image_store ||
          (fs_atomic_op(op) >= 0 &&
           !strncmp(nir_intrinsic_infos[op].name, "image_", 6));
}

/* A message for eight of the channels; the `data` sources from `first_data`
 * on are after the coordinates. */
struct typed {
   nir_intrinsic_instr *intr;
   eu_reg bti;
   struct isa_message m;
   unsigned first_data, num_data; /* values: components, or sources */
   bool data_is_vector;
   unsigned rcomps;
   bool writes;
};

static eu_reg
data_value(struct nir_to_fs *n, const struct typed *t, unsigned i)
{
   const nir_intrinsic_instr *intr = t->intr;

   return t->data_is_vector
             ? fs_src_comp(n, &intr->src[t->first_data], i)
             : fs_src_comp(n, &intr->src[t->first_data + i], 0);
}

/* The header: all channels, or in a fragment shader that writes those that
 * fs_predicate_on_live() leaves on. */
static void
emit_header(struct nir_to_fs *n, const struct typed *t, eu_reg p)
{
   struct eu_builder b = eu_exec_all(eu_group(n->b, 8, 0));
   const struct eu_builder sb = eu_scalar(n->b);
   eu_reg mask = eu_imm_uw(0xffff);

   b.group = 0;
   eu_MOV(&b, p, eu_imm_ud(0));
   if (t->writes && n->s->stage == MESA_SHADER_FRAGMENT) {
      mask = eu_grf(1, ISA_TYPE_UW);
      mask.offset = 28;
      mask.stride = 0;
      if (n->s->prog_data.wm->uses_kill)
         mask = eu_flag_reg(FS_LIVE_FLAG);
   }
   eu_MOV(&sb, eu_byte_offset(p, 28), mask);
}

static unsigned
slots_of(const struct nir_to_fs *n, unsigned part)
{
   if (part % 2)
      return ISA_SLOTS_HIGH;
   return n->s->devinfo->eu.typed_on_render_cache ? ISA_SLOTS_IVB_LOW
                                                  : ISA_SLOTS_LOW;
}

static void
emit_part(struct nir_to_fs *n, const struct typed *t, unsigned part,
          eu_reg dst)
{
   const struct eu_builder b = eu_group(n->b, 8, part);
   const unsigned coords = coordinates(t->intr);
   const unsigned values = coords + t->num_data;
   const bool header = n->s->devinfo->eu.typed_has_header;
   const unsigned len = header + values;
   const eu_reg p = eu_vgrf_reg(eu_alloc_vgrf(n->s, len), ISA_TYPE_UD);
   const eu_reg res = t->rcomps ? eu_vgrf(&b, ISA_TYPE_UD, t->rcomps)
                                : (eu_reg) { 0 };

   if (header)
      emit_header(n, t, p);
   for (unsigned i = 0; i < values; i++) {
      const eu_reg v = eu_retype(i < coords
                                    ? fs_src_comp(n, &t->intr->src[1], i)
                                    : data_value(n, t, i - coords),
                                 ISA_TYPE_UD);
      eu_MOV(&b, eu_byte_offset(p, (header + i) * REG_SIZE_B),
             eu_horiz_offset(v, part * 8));
   }
   struct isa_message m = t->m;

   m.header = header;
   m.mlen = (uint8_t)len;
   m.rlen = (uint8_t)t->rcomps;
   if (m.msg == ISA_MSG_TYPED_ATOMIC)
      m.slots_high = part % 2;
   else
      m.slots = (uint16_t)slots_of(n, part);

   struct eu_inst *inst = eu_emit_send(&b, &m, t->bti, res, p);
   if (t->writes) {
      inst->side_effects = true;
      fs_predicate_on_live(n, inst);
   }
   for (unsigned c = 0; c < t->rcomps; c++)
      eu_MOV(&b, eu_horiz_offset(eu_offset(dst, &n->b, c), part * 8),
             eu_offset(res, &b, c));
}

static void
emit_typed(struct nir_to_fs *n, const struct typed *t)
{
   const unsigned parts = n->b.exec_size / 8u;
   eu_reg dst = { 0 };

   if (coordinates(t->intr) == 0) {
      eu_fail(n->s, "image of an unsupported kind");
      return;
   }
   if (t->rcomps)
      dst = eu_retype(fs_get_dest(n, &t->intr->instr.result), ISA_TYPE_UD);
   for (unsigned part = 0; part < parts; part++)
      emit_part(n, t, part, dst);
}

/* Size, from the sampler; the same for all channels. */
static void
emit_size(struct nir_to_fs *n, nir_intrinsic_instr *intr, eu_reg bti)
{
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   const unsigned comps = intr->instr.result.num_components;
   const eu_reg lod = eu_vgrf(&b8, ISA_TYPE_UD, 1);
   const eu_reg res = eu_vgrf(&b8, ISA_TYPE_UD, 4);
   const eu_reg dst =
      eu_retype(fs_get_dest(n, &intr->instr.result), ISA_TYPE_UD);

   eu_MOV(&b8, lod, eu_imm_ud(0));
   eu_emit_send(&b8,
                &(struct isa_message) {
                   .msg = ISA_MSG_RESINFO, .simd = 8, .mlen = 1, .rlen = 4 },
                bti, res, lod);
   for (unsigned c = 0; c < comps; c++) {
      const eu_reg d = eu_offset(dst, &n->b, c);

      eu_MOV(&n->b, d, eu_component(eu_offset(res, &b8, c), 0));
      if (c == 2 && nir_intrinsic_image_dim(intr) == GLSL_SAMPLER_DIM_CUBE)
         eu_MATH(&n->b, ISA_MATH_INT_DIV_QUOTIENT, eu_retype(d, ISA_TYPE_D),
                 eu_retype(d, ISA_TYPE_D), fs_const(n, ISA_TYPE_D, 6));
   }
}

bool
fs_emit_image_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const int op =
      fs_is_image_write(intr->intrinsic) ? fs_atomic_op(intr->intrinsic) : -1;
   struct typed t = { .intr = intr, .first_data = 3 };

   if (intr->intrinsic == nir_intrinsic_image_samples) {
      eu_MOV(&n->b, fs_get_dest(n, &intr->instr.result), eu_imm_ud(1));
      return true;
   }
   if (op < 0 && intr->intrinsic != nir_intrinsic_image_load &&
       intr->intrinsic != nir_intrinsic_image_store &&
       intr->intrinsic != nir_intrinsic_image_size)
      return false;
   t.bti = fs_uniformize(n, fs_src_comp(n, &intr->src[0], 0));
   if (intr->intrinsic == nir_intrinsic_image_size) {
      emit_size(n, intr, t.bti);
   } else if (op >= 0) {
      const int aop = fs_atomic_shortest(op, &intr->src[3]);
      const bool returns = !nir_value_is_unused(&intr->instr.result);
      t.num_data = fs_atomic_operands(aop);
      t.rcomps = returns;
      t.writes = true;
      t.m = (struct isa_message) { .msg = ISA_MSG_TYPED_ATOMIC,
                                   .aop = (uint16_t)aop,
                                   .returns = returns };
      emit_typed(n, &t);
   } else if (intr->intrinsic == nir_intrinsic_image_store) {
      t.num_data = intr->src[3].value->num_components;
      t.data_is_vector = true;
      t.writes = true;
      t.m = (struct isa_message) {
         .msg = ISA_MSG_TYPED_WRITE,
         .channels_off = eu_channels_off(t.num_data),
      };
      emit_typed(n, &t);
   } else {
      t.rcomps = intr->instr.result.num_components;
      t.m = (struct isa_message) {
         .msg = ISA_MSG_TYPED_READ,
         .channels_off = eu_channels_off(t.rcomps),
      };
      emit_typed(n, &t);
   }
   return true;
}
