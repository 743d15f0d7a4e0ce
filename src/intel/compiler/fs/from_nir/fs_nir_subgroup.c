/* SPDX-License-Identifier: MIT */
/*
 * Subgroups: the channels of a thread.
 *
 * A vote is a flag register, cleared and then written by the channels that
 * take part, looked at as a number. The flag is the one that finding a live
 * channel uses, too (fs_lower_misc.c); nobody keeps a value in it.
 */
#include "fs_nir.h"

fs_reg
fs_channel_numbers(struct nir_to_fs *n)
{
   const struct fs_builder all = fs_exec_all(n->b);
   const struct fs_builder b8 = fs_group(all, 8, 0);
   fs_reg w = fs_vgrf(&b8, ISA_TYPE_UW, 1);
   fs_reg r = fs_vgrf(&all, ISA_TYPE_UD, 1);

   fs_undef(&all, r);
   fs_MOV(&b8, w, fs_imm_v(0x76543210));
   fs_MOV(&b8, r, w);
   for (unsigned i = 1; i < n->b.exec_size / 8u; i++) {
      const struct fs_builder b = fs_group(all, 8, i);
      fs_ADD(&b, horiz_offset(r, 8 * i), r, fs_imm_ud(8 * i));
   }
   return r;
}

/* A scalar with a bit for each channel that is on and for which `x` is (not)
 * zero. */
static fs_reg
channels_with(struct nir_to_fs *n, fs_reg x, bool zero)
{
   const struct fs_builder sb = fs_scalar(n->b);
   const bool wide = n->b.exec_size > 16;
   const unsigned nr = wide ? 2 : 3;
   const fs_reg flag = retype(fs_flag_reg(nr),
                              wide ? ISA_TYPE_UD : ISA_TYPE_UW);
   fs_reg bits = fs_vgrf_scalar(&n->b, ISA_TYPE_UD);
   struct fs_inst *inst;

   fs_MOV(&sb, fs_scalar_dst(flag), fs_imm(flag.type, 0));
   inst = fs_MOV(&n->b, fs_null(ISA_TYPE_D),
                 retype(fs_no_imm(n, x), ISA_TYPE_D));
   inst->cond_mod = zero ? ISA_COND_MOD_Z : ISA_COND_MOD_NZ;
   inst->flag = (uint8_t)nr;
   fs_MOV(&sb, fs_scalar_dst(bits), flag);
   return bits;
}

static void
emit_vote(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const bool all = intr->intrinsic == nir_intrinsic_vote_all;
   const fs_reg bits =
      channels_with(n, fs_src_comp(n, &intr->src[0], 0), all);

   /* Any that say yes; none that say no. */
   fs_CMP(&n->b, retype(fs_get_dest(n, &intr->dest), ISA_TYPE_UD), bits,
          fs_imm_ud(0), all ? ISA_COND_MOD_Z : ISA_COND_MOD_NZ);
}

/* The number of a channel against that of the first one. */
static void
emit_elect(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct fs_builder sb = fs_scalar(n->b);
   fs_reg first = fs_vgrf_scalar(&n->b, ISA_TYPE_UD);
   struct fs_inst *inst = fs_emit0(&sb, FS_OP_FIND_LIVE_CHANNEL);

   inst->dst = fs_scalar_dst(first);
   inst->size_written = 4;
   fs_CMP(&n->b, retype(fs_get_dest(n, &intr->dest), ISA_TYPE_UD),
          fs_channel_numbers(n), first, ISA_COND_MOD_Z);
}

static void
emit_read_first(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const fs_reg dst = fs_get_dest(n, &intr->dest);

   if (nir_dest_bit_size(intr->dest) == 64) {
      fs_fail(n->s, "64 bits of the first invocation");
      return;
   }
   for (unsigned c = 0; c < nir_dest_num_components(intr->dest); c++)
      fs_MOV(&n->b, offset(dst, &n->b, c),
             retype(fs_uniformize(n, fs_src_comp(n, &intr->src[0], c)),
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
