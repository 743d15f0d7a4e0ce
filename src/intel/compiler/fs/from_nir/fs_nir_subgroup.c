/* SPDX-License-Identifier: MIT */
/*
 * Subgroups: the channels of a thread.
 *
 * A vote is a flag register, cleared and then written by the channels that
 * take part, looked at as a number. The flag is the one that finding a live
 * channel uses, too (fs_lower_misc.c); nobody keeps a value in it.
 */
#include "fs_nir.h"

eu_reg
fs_channel_numbers(struct nir_to_fs *n)
{
   const struct eu_builder all = eu_exec_all(n->b);
   const struct eu_builder b8 = eu_group(all, 8, 0);
   eu_reg w = eu_vgrf(&b8, ISA_TYPE_UW, 1);
   eu_reg r = eu_vgrf(&all, ISA_TYPE_UD, 1);

   eu_undef(&all, r);
   eu_MOV(&b8, w, eu_imm_v(0x76543210));
   eu_MOV(&b8, r, w);
   for (unsigned i = 1; i < n->b.exec_size / 8u; i++) {
      const struct eu_builder b = eu_group(all, 8, i);
      eu_ADD(&b, eu_horiz_offset(r, 8 * i), r, eu_imm_ud(8 * i));
   }
   return r;
}

/* A scalar with a bit for each channel that is on and for which `x` is (not)
 * zero. */
static eu_reg
channels_with(struct nir_to_fs *n, eu_reg x, bool zero)
{
   const struct eu_builder sb = eu_scalar(n->b);
   const bool wide = n->b.exec_size > 16;
   const unsigned nr = wide ? 2 : 3;
   const eu_reg flag = eu_retype(eu_flag_reg(nr),
                                 wide ? ISA_TYPE_UD : ISA_TYPE_UW);
   eu_reg bits = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
   struct eu_inst *inst;

   eu_MOV(&sb, eu_scalar_dst(flag), eu_imm(flag.type, 0));
   inst = eu_MOV(&n->b, eu_null(ISA_TYPE_D),
                 eu_retype(fs_no_imm(n, x), ISA_TYPE_D));
   inst->cond_mod = zero ? ISA_COND_MOD_Z : ISA_COND_MOD_NZ;
   inst->flag = (uint8_t)nr;
   eu_MOV(&sb, eu_scalar_dst(bits), flag);
   return bits;
}

static void
emit_vote(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const bool all = intr->intrinsic == nir_intrinsic_vote_all;
   const eu_reg bits =
      channels_with(n, fs_src_comp(n, &intr->src[0], 0), all);

   /* Any that say yes; none that say no. */
   eu_CMP(&n->b, eu_retype(fs_get_dest(n, &intr->dest), ISA_TYPE_UD), bits,
          eu_imm_ud(0), all ? ISA_COND_MOD_Z : ISA_COND_MOD_NZ);
}

/* The number of a channel against that of the first one. */
static void
emit_elect(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct eu_builder sb = eu_scalar(n->b);
   eu_reg first = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
   struct eu_inst *inst = eu_emit0(&sb, EU_OP_FIND_LIVE_CHANNEL);

   inst->dst = eu_scalar_dst(first);
   inst->size_written = 4;
   eu_CMP(&n->b, eu_retype(fs_get_dest(n, &intr->dest), ISA_TYPE_UD),
          fs_channel_numbers(n), first, ISA_COND_MOD_Z);
}

static void
emit_read_first(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const eu_reg dst = fs_get_dest(n, &intr->dest);

   if (nir_dest_bit_size(intr->dest) == 64) {
      eu_fail(n->s, "64 bits of the first invocation");
      return;
   }
   for (unsigned c = 0; c < nir_dest_num_components(intr->dest); c++)
      eu_MOV(&n->b, eu_offset(dst, &n->b, c),
             eu_retype(fs_uniformize(n, fs_src_comp(n, &intr->src[0], c)),
                       dst.type));
}

bool
fs_emit_subgroup_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_vote_all:
   case nir_intrinsic_vote_any:
      emit_vote(n, intr);
      return true;
   case nir_intrinsic_elect:
      emit_elect(n, intr);
      return true;
   case nir_intrinsic_read_first_invocation:
      emit_read_first(n, intr);
      return true;
   case nir_intrinsic_load_subgroup_invocation:
      fs_set_dest(n, &intr->dest, fs_channel_numbers(n));
      return true;
   default:
      return false;
   }
}
