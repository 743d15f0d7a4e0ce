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

/* The flag of n's channels: one word holds 16 of them. */
static unsigned
flag_of_channels(const struct nir_to_fs *n)
{
   return n->b.exec_size > 16 ? 2 : 3;
}

/* Sets that flag where a channel is on and `x` is (not) zero, clears it
 * elsewhere. */
static eu_reg
set_flag(struct nir_to_fs *n, eu_reg x, bool zero)
{
   const struct eu_builder sb = eu_scalar(n->b);
   const unsigned nr = flag_of_channels(n);
   const eu_reg flag = eu_retype(
      eu_flag_reg(nr), n->b.exec_size > 16 ? ISA_TYPE_UD : ISA_TYPE_UW);
   struct eu_inst *inst;

   eu_MOV(&sb, eu_scalar_dst(flag), eu_imm(flag.type, 0));
   inst = eu_MOV(&n->b, eu_null(ISA_TYPE_D),
                 eu_retype(fs_no_imm(n, x), ISA_TYPE_D));
   inst->cond_mod = zero ? ISA_COND_MOD_Z : ISA_COND_MOD_NZ;
   inst->flag = (uint8_t)nr;
   return flag;
}

/* A scalar with a bit for each channel that is on and for which `x` is (not)
 * zero. */
static eu_reg
channels_with(struct nir_to_fs *n, eu_reg x, bool zero)
{
   const struct eu_builder sb = eu_scalar(n->b);
   eu_reg bits = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);

   eu_MOV(&sb, eu_scalar_dst(bits), set_flag(n, x, zero));
   return bits;
}

static void
emit_vote(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const bool all = intr->intrinsic == nir_intrinsic_vote_all;
   const eu_reg bits =
      channels_with(n, fs_src_comp(n, &intr->src[0], 0), all);

   /* Any that say yes; none that say no. */
   eu_CMP(&n->b, eu_retype(fs_get_dest(n, &intr->instr.result), ISA_TYPE_UD),
          bits, eu_imm_ud(0), all ? ISA_COND_MOD_Z : ISA_COND_MOD_NZ);
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
   eu_CMP(&n->b, eu_retype(fs_get_dest(n, &intr->instr.result), ISA_TYPE_UD),
          fs_channel_numbers(n), first, ISA_COND_MOD_Z);
}

static void
emit_read_first(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);

   if (intr->instr.result.bit_size == 64) {
      eu_fail(n->s, "64 bits of the first invocation");
      return;
   }
   for (unsigned c = 0; c < intr->instr.result.num_components; c++)
      eu_MOV(&n->b, eu_offset(dst, &n->b, c),
             eu_retype(fs_uniformize(n, fs_src_comp(n, &intr->src[0], c)),
                       dst.type));
}

/* In the channels that vote: those that have left a loop keep what they had,
 * when the others vote again. */
static void
emit_ballot(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   eu_MOV(&n->b, eu_retype(fs_get_dest(n, &intr->instr.result), ISA_TYPE_UD),
          channels_with(n, fs_src_comp(n, &intr->src[0], 0), false));
}

/* ---- values of other channels ---- */

/* Of 32 bits, one channel after the other. */
static eu_reg
in_a_row(struct nir_to_fs *n, eu_reg v)
{
   eu_reg copy;

   if (v.file == EU_VGRF && v.stride == 1 && !v.region)
      return v;
   copy = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
   eu_MOV(&n->b, copy, eu_retype(v, ISA_TYPE_UD));
   return copy;
}

/* `dst` gets of `v` the channel that `index` says, in each channel of b. What
 * no subgroup has must not reach beyond v, whatever it reads. */
static void
shuffle(struct nir_to_fs *n, const struct eu_builder *b, eu_reg dst, eu_reg v,
        eu_reg index)
{
   eu_reg at = eu_vgrf(b, ISA_TYPE_UD, 1);
   eu_reg at_B = eu_vgrf(b, ISA_TYPE_UD, 1);

   eu_AND(b, at, eu_retype(index, ISA_TYPE_UD),
          eu_imm_ud(n->b.exec_size - 1u));
   eu_SHL(b, at_B, at, eu_imm_ud(2));
   eu_emit3(b, EU_OP_MOV_INDIRECT, eu_retype(dst, ISA_TYPE_UD),
            eu_retype(v, ISA_TYPE_UD), at_B, eu_imm_ud(n->b.exec_size * 4u));
}

static void
emit_shuffle(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const eu_reg v = fs_src_comp(n, &intr->src[0], 0);

   shuffle(n, &n->b, fs_get_dest(n, &intr->instr.result), in_a_row(n, v),
           fs_no_imm(n, fs_src_comp(n, &intr->src[1], 0)));
}

/* The index is the same in all channels. */
static void
emit_read_invocation(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct eu_builder sb = eu_scalar(n->b);
   const eu_reg v = fs_src_comp(n, &intr->src[0], 0);
   const eu_reg i = fs_uniformize(n, fs_src_comp(n, &intr->src[1], 0));
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);
   eu_reg chan = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
   eu_reg one = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
   struct eu_inst *inst;

   eu_AND(&sb, eu_scalar_dst(chan), fs_no_imm(n, eu_retype(i, ISA_TYPE_UD)),
          eu_imm_ud(n->b.exec_size - 1u));
   inst = eu_emit2(&sb, EU_OP_BROADCAST, eu_scalar_dst(one), in_a_row(n, v),
                   chan);
   inst->src[0].type = ISA_TYPE_UD;
   inst->src_channels = n->b.exec_size;
   eu_MOV(&n->b, eu_retype(dst, ISA_TYPE_UD), one);
}

/* ---- reductions and scans ---- */

/* How the EU combines two values. */
static const struct reduction {
   nir_op op;
   uint8_t opcode, cond_mod;
   int8_t type_32, type_64; /* -1: not of 64 bits */
} reductions[] = {
   { nir_op_iadd, ISA_OPCODE_ADD, 0, ISA_TYPE_D, -1 },
   { nir_op_imul, ISA_OPCODE_MUL, 0, ISA_TYPE_D, -1 },
   { nir_op_imin, ISA_OPCODE_SEL, ISA_COND_MOD_L, ISA_TYPE_D, -1 },
   { nir_op_imax, ISA_OPCODE_SEL, ISA_COND_MOD_GE, ISA_TYPE_D, -1 },
   { nir_op_umin, ISA_OPCODE_SEL, ISA_COND_MOD_L, ISA_TYPE_UD, -1 },
   { nir_op_umax, ISA_OPCODE_SEL, ISA_COND_MOD_GE, ISA_TYPE_UD, -1 },
   { nir_op_iand, ISA_OPCODE_AND, 0, ISA_TYPE_UD, -1 },
   { nir_op_ior, ISA_OPCODE_OR, 0, ISA_TYPE_UD, -1 },
   { nir_op_ixor, ISA_OPCODE_XOR, 0, ISA_TYPE_UD, -1 },
   { nir_op_fadd, ISA_OPCODE_ADD, 0, ISA_TYPE_F, ISA_TYPE_DF },
   { nir_op_fmul, ISA_OPCODE_MUL, 0, ISA_TYPE_F, ISA_TYPE_DF },
   { nir_op_fmin, ISA_OPCODE_SEL, ISA_COND_MOD_L, ISA_TYPE_F, ISA_TYPE_DF },
   { nir_op_fmax, ISA_OPCODE_SEL, ISA_COND_MOD_GE, ISA_TYPE_F, ISA_TYPE_DF },
};

static const struct reduction *
find_reduction(nir_op op)
{
   for (unsigned i = 0; i < ARRAY_SIZE(reductions); i++) {
      if (reductions[i].op == op)
         return &reductions[i];
   }
   return NULL;
}

/* v in the channels that are on, `identity` in the others. */
static eu_reg
fill_channels(struct nir_to_fs *n, eu_reg v, eu_reg identity)
{
   const struct eu_builder all = eu_exec_all(n->b);
   const unsigned nr = flag_of_channels(n);
   eu_reg t = eu_vgrf(&all, v.type, 1);
   struct eu_inst *inst;

   set_flag(n, eu_imm_ud(0), true);
   inst = eu_SEL(&all, t, v, identity);
   inst->pred = ISA_PRED_NORMAL;
   inst->flag = (uint8_t)nr;
   return t;
}

/* From `first` on, `count` channels `step` apart: t = t before op t. */
static void
combine(const struct eu_builder *all, const struct reduction *r, eu_reg t,
        eu_reg before, unsigned first, unsigned step, unsigned count)
{
   const unsigned size = eu_type_sz(t.type);
   const unsigned most = MIN2(count, 2u * REG_SIZE_B / (step * size));

   for (unsigned i = 0; i < count; i += most) {
      struct eu_builder b = *all;
      eu_reg dst = eu_byte_offset(t, (first + i * step) * size);
      struct eu_inst *inst;

      b.exec_size = (uint8_t)most;
      b.group = 0;
      dst.stride = (uint8_t)step;
      inst = eu_emit2(&b, r->opcode, dst, before, dst);
      inst->cond_mod = r->cond_mod;
      if (before.stride)
         before = eu_byte_offset(before, most * step * size);
   }
}

/*
 * Sums up to each channel, in place, in clusters of `cluster` channels: what
 * the first half of each 2, 4, 8 ... channels came to is added to each of its
 * second half. Strides go no further than 4.
 */
static void
inclusive_scan(struct nir_to_fs *n, const struct reduction *r, eu_reg t,
               unsigned cluster)
{
   const struct eu_builder all = eu_exec_all(n->b);
   const unsigned width = n->b.exec_size;
   /* Pairs of dwords have no strides. */
   const bool strides = eu_type_sz(t.type) <= 4 ||
                        !n->s->devinfo->eu.df_is_two;

   for (unsigned half = 1; half < cluster; half *= 2) {
      if (half <= 2 && strides) {
         const unsigned step = 2 * half;
         eu_reg before = eu_horiz_offset(t, half - 1);

         before.stride = (uint8_t)step;
         for (unsigned i = half; i < step; i++)
            combine(&all, r, t, before, i, step, width / step);
         continue;
      }
      for (unsigned i = half; i < width; i += 2 * half)
         combine(&all, r, t, eu_component(t, i - 1), i, 1, half);
   }
}

/* Value by value in all channels, on or off: dword pieces. */
static void
shuffle_all(struct nir_to_fs *n, eu_reg dst, eu_reg v, eu_reg index)
{
   const struct eu_builder all = eu_exec_all(n->b);

   if (eu_type_sz(v.type) == 4) {
      shuffle(n, &all, dst, v, index);
      return;
   }
   for (unsigned h = 0; h < 2; h++) {
      eu_reg in = eu_vgrf(&all, ISA_TYPE_UD, 1);
      eu_reg out = eu_vgrf(&all, ISA_TYPE_UD, 1);

      eu_MOV(&all, in, eu_subscript(v, ISA_TYPE_UD, h));
      shuffle(n, &all, out, in, index);
      eu_MOV(&all, eu_subscript(dst, ISA_TYPE_UD, h), out);
   }
}

/* The last channel of each channel's cluster. */
static eu_reg
of_cluster(struct nir_to_fs *n, eu_reg t, unsigned cluster)
{
   const struct eu_builder all = eu_exec_all(n->b);
   eu_reg last, r;

   if (cluster == n->b.exec_size)
      return eu_component(t, cluster - 1);
   last = eu_vgrf(&all, ISA_TYPE_UD, 1);
   r = eu_vgrf(&all, t.type, 1);
   eu_undef(&all, r);
   eu_OR(&all, last, fs_channel_numbers(n), eu_imm_ud(cluster - 1));
   shuffle_all(n, r, t, last);
   return r;
}

/* Of the channel before; of none `identity`. */
static eu_reg
of_channel_before(struct nir_to_fs *n, eu_reg t, eu_reg identity)
{
   const struct eu_builder all = eu_exec_all(n->b);
   const struct eu_builder sb = eu_scalar(n->b);
   eu_reg before = eu_vgrf(&all, ISA_TYPE_D, 1);
   eu_reg r = eu_vgrf(&all, t.type, 1);
   eu_reg first = r;

   eu_undef(&all, r);
   eu_ADD(&all, before, eu_retype(fs_channel_numbers(n), ISA_TYPE_D),
          eu_imm_d(-1));
   shuffle_all(n, r, t, before);
   eu_MOV(&sb, first, identity);
   return r;
}

static void
emit_scan(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const nir_op op = (nir_op)nir_intrinsic_reduction_op(intr);
   const struct reduction *r = find_reduction(op);
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned width = n->b.exec_size;
   const unsigned raw = fs_raw_type(bits);
   unsigned cluster = width;
   int type = -1;
   eu_reg t, identity, v;

   if (r && bits == 32)
      type = r->type_32;
   else if (r && bits == 64)
      type = r->type_64;
   if (type < 0) {
      eu_fail(n->s, "%s of %u bits by %s",
              nir_intrinsic_infos[intr->intrinsic].name, bits,
              nir_op_infos[op].name);
      return;
   }
   if (intr->intrinsic == nir_intrinsic_reduce &&
       nir_intrinsic_cluster_size(intr))
      cluster = MIN2(width, nir_intrinsic_cluster_size(intr));
   identity =
      fs_const(n, (unsigned)type,
               nir_reduction_identity(op, bits).u64 & BITFIELD64_MASK(bits));
   v = eu_retype(fs_no_imm(n, fs_src_comp(n, &intr->src[0], 0)),
                 (unsigned)type);
   t = fill_channels(n, v, identity);
   inclusive_scan(n, r, t, cluster);
   if (intr->intrinsic == nir_intrinsic_reduce)
      t = of_cluster(n, t, cluster);
   else if (intr->intrinsic == nir_intrinsic_exclusive_scan)
      t = of_channel_before(n, t, identity);
   eu_MOV(&n->b, eu_retype(fs_get_dest(n, &intr->instr.result), raw),
          eu_retype(t, raw));
}

bool
fs_emit_subgroup_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_vote_all:
   case nir_intrinsic_vote_any: emit_vote(n, intr); return true;
   case nir_intrinsic_elect: emit_elect(n, intr); return true;
   case nir_intrinsic_ballot: emit_ballot(n, intr); return true;
   case nir_intrinsic_shuffle: emit_shuffle(n, intr); return true;
   case nir_intrinsic_read_invocation:
      emit_read_invocation(n, intr);
      return true;
   case nir_intrinsic_reduce:
   case nir_intrinsic_inclusive_scan:
   case nir_intrinsic_exclusive_scan: emit_scan(n, intr); return true;
   case nir_intrinsic_read_first_invocation:
      emit_read_first(n, intr);
      return true;
   case nir_intrinsic_load_subgroup_invocation:
      fs_set_dest(n, &intr->instr.result, fs_channel_numbers(n));
      return true;
   default: return false;
   }
}
