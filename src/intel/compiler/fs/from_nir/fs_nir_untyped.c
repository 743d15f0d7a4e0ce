/* SPDX-License-Identifier: MIT */
/*
 * Messages with an address a channel, to buffers and shared memory: untyped
 * surface and byte scattered ones (PRM SKL vol 7, "Data Port").
 */
#include "fs_nir.h"

/* Dwords that one untyped message moves. */
#define MAX_UNTYPED_DW 4

eu_reg
fs_address(const struct eu_builder *b, eu_reg base, unsigned bytes)
{
   eu_reg a = eu_vgrf(b, ISA_TYPE_UD, 1);

   base = eu_horiz_offset(base, b->group);
   if (base.file == EU_IMM)
      eu_MOV(b, a, eu_imm_ud(base.imm + bytes));
   else if (bytes)
      eu_ADD(b, a, eu_retype(base, ISA_TYPE_UD), eu_imm_ud(bytes));
   else
      eu_MOV(b, a, eu_retype(base, ISA_TYPE_UD));
   return a;
}

eu_reg
fs_component_of(const struct nir_to_fs *n, const struct eu_builder *b,
                eu_reg value, unsigned c)
{
   return eu_horiz_offset(eu_offset(value, &n->b, c), b->group);
}

/* `comps` values of less than 32 bits: one message each. */
static void
load_bytes(struct nir_to_fs *n, const struct eu_builder *b, eu_reg dst,
           eu_reg bti, eu_reg base, unsigned bits, unsigned comps)
{
   const unsigned w = b->exec_size / 8u;

   for (unsigned c = 0; c < comps; c++) {
      const eu_reg a = fs_address(b, base, c * bits / 8);
      eu_reg t = eu_vgrf(b, ISA_TYPE_UD, 1);

      eu_emit_send(b,
                   &(struct isa_message) { .msg = ISA_MSG_BYTE_SCATTERED_READ,
                                           .simd = b->exec_size,
                                           .element_B = (uint16_t)(bits / 8),
                                           .mlen = (uint8_t)w,
                                           .rlen = (uint8_t)w },
                   bti, t, a);
      eu_MOV(b, fs_component_of(n, b, dst, c),
             eu_subscript(t, fs_raw_type(bits), 0));
   }
}

static void
load_dwords(struct nir_to_fs *n, const struct eu_builder *b, eu_reg dst,
            eu_reg bti, eu_reg base, unsigned bits, unsigned comps)
{
   const unsigned w = b->exec_size / 8u;
   const unsigned total = comps * (bits / 32);

   for (unsigned done = 0; done < total; done += MAX_UNTYPED_DW) {
      const unsigned dw = MIN2(MAX_UNTYPED_DW, total - done);
      const eu_reg a = fs_address(b, base, done * 4);
      eu_reg t = eu_vgrf(b, ISA_TYPE_UD, dw);

      eu_emit_send(
         b,
         &(struct isa_message) { .msg = ISA_MSG_UNTYPED_READ,
                                 .simd = b->exec_size,
                                 .channels_off = eu_channels_off(dw),
                                 .mlen = (uint8_t)w,
                                 .rlen = (uint8_t)(dw * w) },
         bti, t, a);
      for (unsigned i = 0; i < dw; i++) {
         const eu_reg from = eu_offset(t, b, i);
         const unsigned k = done + i;

         if (bits == 32)
            eu_MOV(b, fs_component_of(n, b, eu_retype(dst, ISA_TYPE_UD), k),
                   from);
         else
            eu_MOV(b,
                   eu_subscript(fs_component_of(n, b, dst, k / 2),
                                ISA_TYPE_UD, k % 2),
                   from);
      }
   }
}

/* ---- doubles as they lie in registers ---- */

/*
 * A message has two slots for each of eight channels: slot 2 c + h is for
 * dword h of what channel c reads or writes. Then doubles come and go as
 * instructions have them, and no moves take their halves apart. For one
 * value that is one channel of the message, for two beside each other the
 * first and the third.
 */
#define PAIRED_SLOTS 16

static struct eu_builder
paired(const struct nir_to_fs *n)
{
   return eu_exec_all(eu_group(n->b, PAIRED_SLOTS, 0));
}

/* base for both slots of each channel, the second 4 bytes further on. */
static eu_reg
pair(struct nir_to_fs *n, eu_reg base)
{
   const struct eu_builder b = paired(n);

   util_dynarray_foreach(&n->paired, struct fs_spread, p) {
      if (eu_reg_equal(&p->from, &base))
         return p->to;
   }
   if (n->dword_steps.file == EU_BAD) {
      struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));

      b8.nir = NULL;
      b8.before = n->const_tail->next;
      n->dword_steps = eu_vgrf(&b8, ISA_TYPE_UW, 1);
      eu_MOV(&b8, n->dword_steps, eu_imm_v(0x40404040));
      n->const_tail = b8.before->prev;
   }
   eu_reg a = eu_vgrf(&b, ISA_TYPE_UD, 1);
   eu_ADD(&b, a, eu_region(eu_retype(base, ISA_TYPE_UD), 1, 2, 0),
          eu_region(n->dword_steps, 0, 8, 1));
   const struct fs_spread p = { base, a };
   util_dynarray_append(&n->paired, struct fs_spread, p);
   return a;
}

/* A byte offset, as what several have in common and what one has more. */
struct place {
   eu_reg base;
   unsigned bytes;
   bool shared;
   bool changes;
};

static struct place
place_of(struct nir_to_fs *n, const nir_use *offset, int bytes)
{
   struct place at = { .bytes = (unsigned)bytes };
   const nir_value *v = offset->value;

   if (!n->host && v->instr->kind == nir_kind_alu && !fs_in_web(n, v)) {
      const nir_alu_instr *add = nir_instr_as_alu(v->instr);

      if (add->op == nir_op_iadd && nir_use_is_const(add->src[1].use) &&
          !nir_use_is_const(add->src[0].use) &&
          add->src[0].use.value->num_components == 1 &&
          !list_is_singular(&add->src[0].use.value->uses) &&
          !fs_in_web(n, add->src[0].use.value)) {
         at.bytes += (unsigned)nir_use_as_uint(add->src[1].use);
         offset = &add->src[0].use;
      }
   }
   at.base = fs_src_comp(n, offset, 0);
   at.changes = !n->host && fs_in_web(n, offset->value);
   at.shared = !list_is_singular(&offset->value->uses);
   return at;
}

/*
 * Whether `comps` doubles are for a paired message. The enables of its slots
 * are those of as many channels of the program, so it is for all of them. Of
 * one double it has an address more than there are moves otherwise.
 */
static bool
may_pair(const struct nir_to_fs *n, const struct place *at, unsigned bits,
         bool many)
{
   return bits == 64 && n->b.exec_size <= 16 && !n->host && fs_all_on(n) &&
          at->base.file == EU_VGRF && at->base.stride == 1 &&
          !at->base.region && !at->changes && (many || at->shared);
}

/* The payload for b's channels, which are eight. */
static eu_reg
paired_address(struct nir_to_fs *n, const struct eu_builder *b8,
               const struct place *at, unsigned bytes)
{
   const struct eu_builder b = paired(n);
   const eu_reg base = pair(n, eu_horiz_offset(at->base, b8->group));

   bytes += at->bytes;
   if (!bytes)
      return base;
   eu_reg sum = eu_vgrf(&b, ISA_TYPE_UD, 1);
   eu_ADD(&b, sum, base, eu_imm_ud(bytes));
   return sum;
}

/* `count` (1 or 2) from component c on. */
static void
load_two(struct nir_to_fs *n, const struct eu_builder *b8, eu_reg dst,
         eu_reg bti, const struct place *at, unsigned c, unsigned count)
{
   const struct eu_builder b = paired(n);
   const bool apart = count == 2 && n->b.exec_size > 8;
   const eu_reg t = apart ? eu_vgrf(b8, ISA_TYPE_UQ, count)
                          : fs_component_of(n, b8, dst, c);

   eu_emit_send(&b,
                &(struct isa_message) { .msg = ISA_MSG_UNTYPED_READ,
                                        .simd = PAIRED_SLOTS,
                                        .channels_off = count == 2 ? 0xa
                                                                   : 0xe,
                                        .mlen = 2,
                                        .rlen = (uint8_t)(2 * count) },
                bti, t, paired_address(n, b8, at, c * 8));
   for (unsigned i = 0; apart && i < count; i++)
      eu_MOV(b8, fs_component_of(n, b8, dst, c + i), eu_offset(t, b8, i));
}

static void
load_paired(struct nir_to_fs *n, eu_reg dst, eu_reg bti,
            const struct place *at, unsigned comps)
{
   if (n->b.exec_size > 8)
      eu_undef(&n->b, dst);
   for (unsigned i = 0; i < n->b.exec_size / 8u; i++) {
      const struct eu_builder b8 = eu_group(n->b, 8, i);

      for (unsigned c = 0; c < comps; c += 2)
         load_two(n, &b8, dst, bti, at, c, MIN2(2, comps - c));
   }
}

static eu_reg
plus(struct nir_to_fs *n, eu_reg r, int bytes)
{
   if (r.file == EU_IMM)
      return eu_imm_ud(r.imm + (uint32_t)bytes);
   return bytes ? fs_address(&n->b, r, (unsigned)bytes) : r;
}

void
fs_load_untyped(struct nir_to_fs *n, nir_intrinsic_instr *intr, eu_reg bti,
                const nir_use *offset, int bytes)
{
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned comps = intr->instr.result.num_components;
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);
   const struct place at = place_of(n, offset, bytes);

   if (may_pair(n, &at, bits, comps > 1)) {
      load_paired(n, dst, bti, &at, comps);
      return;
   }
   const eu_reg base = plus(n, fs_src_comp(n, offset, 0), bytes);
   if (bits == 64 || fs_num_pieces(n) > 1)
      eu_undef(&n->b, dst);
   for (unsigned i = 0; i < fs_num_pieces(n); i++) {
      const struct eu_builder b = fs_piece(n, i);

      if (bits < 32)
         load_bytes(n, &b, dst, bti, base, bits, comps);
      else
         load_dwords(n, &b, dst, bti, base, bits, comps);
   }
}

/* Helper invocations and discarded ones must not write memory. */
void
fs_predicate_on_live(struct nir_to_fs *n, struct eu_inst *inst)
{
   if (n->s->stage != MESA_SHADER_FRAGMENT)
      return;
   inst->pred = ISA_PRED_NORMAL;
   if (n->s->prog_data.wm->uses_kill) {
      inst->flag = FS_LIVE_FLAG;
      return;
   }
   struct eu_builder sb = eu_scalar(n->b);
   eu_reg mask = eu_grf(1, ISA_TYPE_UW);

   sb.before = &inst->link;
   mask.offset = 28; /* R1.7: pixels that the thread was started for */
   mask.stride = 0;
   inst->flag = EU_FLAG_SCRATCH;
   eu_MOV(&sb, eu_scalar_dst(eu_flag_reg(EU_FLAG_SCRATCH)), mask);
}

eu_reg
fs_source_dword(struct nir_to_fs *n, const struct eu_builder *b,
                const nir_use *src, unsigned bits, unsigned k)
{
   eu_reg v;

   if (bits == 64)
      v = eu_subscript(eu_retype(fs_src_comp(n, src, k / 2), ISA_TYPE_UQ),
                       ISA_TYPE_UD, k % 2);
   else
      v = eu_retype(fs_src_comp(n, src, k), ISA_TYPE_UD);
   return eu_horiz_offset(v, b->group);
}

static void
store_bytes(struct nir_to_fs *n, const struct eu_builder *b, eu_reg bti,
            eu_reg base, const nir_use *data, unsigned first, unsigned count)
{
   const unsigned bits = data->value->bit_size;
   const unsigned w = b->exec_size / 8u;

   for (unsigned c = first; c < first + count; c++) {
      eu_reg p = eu_vgrf(b, ISA_TYPE_UD, 2);
      struct eu_inst *inst;

      eu_MOV(b, p, fs_address(b, base, c * bits / 8));
      eu_MOV(b, eu_offset(p, b, 1),
             eu_horiz_offset(fs_src_comp(n, data, c), b->group));
      inst = eu_emit_send(
         b,
         &(struct isa_message) { .msg = ISA_MSG_BYTE_SCATTERED_WRITE,
                                 .simd = b->exec_size,
                                 .element_B = (uint16_t)(bits / 8),
                                 .mlen = (uint8_t)(2 * w) },
         bti, (eu_reg) { 0 }, p);
      inst->side_effects = true;
      fs_predicate_on_live(n, inst);
   }
}

/* A message that writes `data_grf` registers from `data` on at `at`. */
static void
write_untyped(struct nir_to_fs *n, const struct eu_builder *b, eu_reg bti,
              eu_reg at, eu_reg data, unsigned dw, unsigned data_grf)
{
   const unsigned w = b->exec_size / 8u;
   struct eu_inst *inst =
      eu_emit_send(b,
                   &(struct isa_message) {
                      .msg = ISA_MSG_UNTYPED_WRITE,
                      .simd = b->exec_size,
                      .channels_off = eu_channels_off(dw),
                      .mlen = (uint8_t)(data_grf ? w : (1 + dw) * w) },
                   bti, (eu_reg) { 0 }, at);

   if (data_grf)
      eu_split_send(inst, data, data_grf);
   inst->side_effects = true;
   fs_predicate_on_live(n, inst);
}

/* Whether address and data may lie apart. A surface that a handle finds has
 * that in the place of the second payload. */
static bool
may_split(const struct nir_to_fs *n, const struct eu_builder *b)
{
   return n->s->devinfo->eu.has_split_sends && !b->bindless;
}

static void
store_dwords(struct nir_to_fs *n, const struct eu_builder *b, eu_reg bti,
             eu_reg base, const nir_use *data, unsigned first, unsigned count)
{
   const unsigned bits = data->value->bit_size;
   const unsigned w = b->exec_size / 8u;
   const unsigned per = bits / 32;
   const unsigned apart = may_split(n, b);

   for (unsigned k = first * per; k < (first + count) * per;
        k += MAX_UNTYPED_DW) {
      const unsigned dw = MIN2(MAX_UNTYPED_DW, (first + count) * per - k);
      const eu_reg a = fs_address(b, base, k * 4);
      eu_reg p = eu_vgrf(b, ISA_TYPE_UD, !apart + dw);

      if (!apart)
         eu_MOV(b, p, a);
      for (unsigned i = 0; i < dw; i++)
         eu_MOV(b, eu_offset(p, b, !apart + i),
                fs_source_dword(n, b, data, bits, k + i));
      write_untyped(n, b, bti, apart ? a : p, p, dw, apart * dw * w);
   }
}

/* One double that is in registers of its own. */
static bool
store_paired(struct nir_to_fs *n, eu_reg bti, const struct place *at,
             const nir_use *data, unsigned first, unsigned count)
{
   const struct eu_builder b = paired(n);

   if (count != 1 || !may_split(n, &b) || nir_use_is_const(*data) ||
       !may_pair(n, at, data->value->bit_size, false))
      return false;
   const eu_reg from = fs_src_comp(n, data, first);
   if (from.file != EU_VGRF || from.stride != 1 || from.region ||
       from.offset % REG_SIZE_B)
      return false;
   for (unsigned i = 0; i < n->b.exec_size / 8u; i++) {
      const struct eu_builder b8 = eu_group(n->b, 8, i);

      write_untyped(n, &b, bti, paired_address(n, &b8, at, first * 8),
                    eu_retype(eu_horiz_offset(from, b8.group), ISA_TYPE_UD),
                    1, 2);
   }
   return true;
}

void
fs_store_untyped(struct nir_to_fs *n, eu_reg bti, const nir_use *offset,
                 int bytes, const nir_use *data, unsigned mask)
{
   const struct place at = place_of(n, offset, bytes);
   eu_reg base = { 0 };

   while (mask) {
      const unsigned first = (unsigned)__builtin_ctz(mask);
      const unsigned count = (unsigned)__builtin_ctz(~(mask >> first));

      mask &= ~BITFIELD_RANGE(first, count);
      if (store_paired(n, bti, &at, data, first, count))
         continue;
      if (base.file == EU_BAD)
         base = plus(n, fs_src_comp(n, offset, 0), bytes);
      for (unsigned i = 0; i < fs_num_pieces(n); i++) {
         const struct eu_builder b = fs_piece(n, i);

         if (data->value->bit_size < 32)
            store_bytes(n, &b, bti, base, data, first, count);
         else
            store_dwords(n, &b, bti, base, data, first, count);
      }
   }
}
