/* SPDX-License-Identifier: MIT */
/*
 * Memory of each invocation's own, for arrays with dynamic indices, in the
 * thread's scratch space (fs_nir_scratch.c has the message). Dword i of the
 * two vertices is in dwords 2 i and 2 i + 1. Each channel asks for the dword
 * of its own component, so that a message moves a vector of two vertices; one
 * of doubles takes two.
 */
#include "vec4_nir.h"

/*
 * The dword of channel 4 v + c, less that of the vector's start: of component
 * min(c, comps - 1), which has `dwords`.
 */
static eu_reg
channel_dwords(struct nir_to_vec4 *v, unsigned comps, unsigned dwords)
{
   const struct eu_builder all = eu_exec_all(v->n.b);
   const eu_reg w = eu_vgrf(&all, ISA_TYPE_UW, 1);
   uint32_t nibbles = 0;

   for (unsigned i = 0; i < 8; i++)
      nibbles |= (2 * dwords * MIN2(i % 4, comps - 1) + i / 4) << 4 * i;
   eu_MOV(&all, w, eu_imm(ISA_TYPE_UV, nibbles));
   return w;
}

/* Numbers of dwords for the first dwords of the components. */
static eu_reg
numbers(struct nir_to_vec4 *v, const nir_use *offset, unsigned comps,
        unsigned dwords)
{
   const struct eu_builder *b = &v->n.b;
   const eu_reg r = eu_vgrf(b, ISA_TYPE_UD, 1);
   const eu_reg channels = channel_dwords(v, comps, dwords);

   if (nir_use_is_const(*offset)) {
      eu_ADD(b, r, channels, eu_imm_ud(nir_use_as_uint(*offset) / 4 * 2));
      return r;
   }
   const eu_reg at = eu_vgrf(b, ISA_TYPE_UD, 1);
   eu_SHR(b, at, eu_retype(fs_src_comp(&v->n, offset, 0), ISA_TYPE_UD),
          eu_imm_ud(1));
   eu_ADD(b, r, at, channels);
   return r;
}

/* A payload with the addresses of dword `k` of each component. */
static eu_reg
addressed(struct nir_to_vec4 *v, eu_reg first, unsigned k, unsigned grfs)
{
   const eu_reg p = fs_scratch_payload(&v->n, grfs);

   eu_ADD(&v->n.b, eu_byte_offset(p, REG_SIZE_B), first, eu_imm_ud(2 * k));
   return p;
}

static void
load(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned dwords = bits / 32;
   const unsigned comps = intr->instr.result.num_components;
   const eu_reg first = numbers(v, &intr->src[0], comps, dwords);
   const eu_reg to = vec4_new(v, dwords == 2 ? ISA_TYPE_DF : ISA_TYPE_UD);
   eu_reg part = to;

   part.swz = 0;
   if (dwords == 2)
      eu_undef(&v->n.b, to);
   for (unsigned k = 0; k < dwords; k++) {
      const eu_reg p = addressed(v, first, k, 1);
      const eu_reg t = dwords == 2 ? eu_vgrf(&v->n.b, ISA_TYPE_UD, 1) : part;

      fs_scratch_message(&v->n.b, p, t, false);
      if (dwords == 2)
         eu_MOV(&v->n.b, eu_subscript(part, ISA_TYPE_UD, k), t);
   }
   vec4_set_dest(v, &intr->instr.result, to);
}

/* Only for the channels of `mask`, of both vertices. */
static void
mask_channels(struct nir_to_vec4 *v, struct eu_inst *inst, unsigned mask)
{
   struct eu_builder sb = eu_scalar(v->n.b);
   eu_reg flag = eu_flag_reg(EU_FLAG_SCRATCH);

   if (mask == ISA_WRITEMASK_XYZW)
      return;
   flag.stride = 1;
   sb.before = &inst->link;
   eu_MOV(&sb, flag, eu_imm_uw(mask | mask << 4));
   inst->pred = ISA_PRED_NORMAL;
   inst->flag = EU_FLAG_SCRATCH;
}

static void
store(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   static const uint8_t identity[4] = { 0, 1, 2, 3 };
   const unsigned dwords = intr->src[0].value->bit_size / 32;
   const unsigned comps = intr->src[0].value->num_components;
   const unsigned mask = (unsigned)nir_intrinsic_write_mask(intr) &
                         BITFIELD_MASK(comps);

   if (!mask)
      return;
   const eu_reg first = numbers(v, &intr->src[1], comps, dwords);
   const eu_reg value = vec4_align1_operand(v, &intr->src[0], identity, mask);
   for (unsigned k = 0; k < dwords; k++) {
      const eu_reg p = addressed(v, first, k, 2);

      eu_MOV(&v->n.b, eu_byte_offset(p, 2 * REG_SIZE_B),
             eu_subscript(value, ISA_TYPE_UD, k));
      mask_channels(v, fs_scratch_message(&v->n.b, p, (eu_reg) { 0 }, true),
                    mask);
   }
}

bool
vec4_emit_scratch_intrinsic(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   const bool loads = intr->intrinsic == nir_intrinsic_load_scratch;

   if (!loads && intr->intrinsic != nir_intrinsic_store_scratch)
      return false;
   if ((loads ? intr->instr.result.bit_size : intr->src[0].value->bit_size) <
       32)
      eu_fail(v->n.s, "an array of less than 32 bits in scratch space");
   else if (loads)
      load(v, intr);
   else
      store(v, intr);
   return true;
}
