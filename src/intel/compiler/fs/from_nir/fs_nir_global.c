/* SPDX-License-Identifier: MIT */
/*
 * Memory by 64-bit addresses, of no surface (PRM SKL vol 7, "A64" messages of
 * the second data cache function; from Gen8 on). A payload begins with the
 * channels' addresses, two registers for eight of them.
 */
#include "fs_nir.h"

/* Dwords that one untyped message moves. */
#define MAX_UNTYPED_DW 4
/* Dwords of an address. */
#define ADDRESS_DW 2

static void
emit_address(struct nir_to_fs *n, const struct eu_builder *b, eu_reg payload,
             const nir_use *src, unsigned bytes)
{
   const eu_reg to = eu_retype(payload, ISA_TYPE_UQ);
   const eu_reg from = eu_horiz_offset(
      eu_retype(fs_no_imm(n, fs_src_comp(n, src, 0)), ISA_TYPE_UQ), b->group);

   if (bytes)
      eu_ADD(b, to, from, eu_imm_ud(bytes));
   else
      eu_MOV(b, to, from);
}

static void
load_bytes(struct nir_to_fs *n, const struct eu_builder *b, eu_reg dst,
           const nir_use *address, unsigned bits, unsigned comps)
{
   const unsigned w = b->exec_size / 8u;

   for (unsigned c = 0; c < comps; c++) {
      const eu_reg a = eu_vgrf(b, ISA_TYPE_UD, ADDRESS_DW);
      const eu_reg t = eu_vgrf(b, ISA_TYPE_UD, 1);

      emit_address(n, b, a, address, c * bits / 8);
      eu_emit_send(b,
                   &(struct isa_message) { .msg = ISA_MSG_A64_SCATTERED_READ,
                                           .simd = b->exec_size,
                                           .element_B = 1,
                                           .elements = (uint16_t)(bits / 8),
                                           .mlen = (uint8_t)(ADDRESS_DW * w),
                                           .rlen = (uint8_t)w },
                   (eu_reg) { 0 }, t, a);
      eu_MOV(b, fs_component_of(n, b, dst, c),
             eu_subscript(t, fs_raw_type(bits), 0));
   }
}

static void
load_dwords(struct nir_to_fs *n, const struct eu_builder *b, eu_reg dst,
            const nir_use *address, unsigned bits, unsigned comps)
{
   const unsigned w = b->exec_size / 8u, per = bits / 32;
   const unsigned total = comps * per;

   for (unsigned done = 0; done < total; done += MAX_UNTYPED_DW) {
      const unsigned dw = MIN2(MAX_UNTYPED_DW, total - done);
      const eu_reg a = eu_vgrf(b, ISA_TYPE_UD, ADDRESS_DW);
      const eu_reg t = eu_vgrf(b, ISA_TYPE_UD, dw);

      emit_address(n, b, a, address, done * 4);
      eu_emit_send(
         b,
         &(struct isa_message) { .msg = ISA_MSG_A64_UNTYPED_READ,
                                 .simd = b->exec_size,
                                 .channels_off = eu_channels_off(dw),
                                 .mlen = (uint8_t)(ADDRESS_DW * w),
                                 .rlen = (uint8_t)(dw * w) },
         (eu_reg) { 0 }, t, a);
      for (unsigned i = 0; i < dw; i++) {
         const unsigned k = done + i;
         eu_reg to = fs_component_of(n, b, dst, k / per);

         to = bits == 64 ? eu_subscript(to, ISA_TYPE_UD, k % 2)
                         : eu_retype(to, ISA_TYPE_UD);
         eu_MOV(b, to, eu_offset(t, b, i));
      }
   }
}

static void
load_global(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned comps = intr->instr.result.num_components;
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);

   if (bits == 64 || fs_num_pieces(n) > 1)
      eu_undef(&n->b, dst);
   for (unsigned i = 0; i < fs_num_pieces(n); i++) {
      const struct eu_builder b = fs_piece(n, i);

      if (bits < 32)
         load_bytes(n, &b, dst, &intr->src[0], bits, comps);
      else
         load_dwords(n, &b, dst, &intr->src[0], bits, comps);
   }
}

static void
send_write(struct nir_to_fs *n, const struct eu_builder *b,
           const struct isa_message *m, eu_reg payload)
{
   struct eu_inst *inst =
      eu_emit_send(b, m, (eu_reg) { 0 }, (eu_reg) { 0 }, payload);

   inst->side_effects = true;
   fs_predicate_on_live(n, inst);
}

static void
store_bytes(struct nir_to_fs *n, const struct eu_builder *b,
            const nir_use *address, const nir_use *data, unsigned c)
{
   const unsigned bits = data->value->bit_size;
   const unsigned w = b->exec_size / 8u;
   const eu_reg p = eu_vgrf(b, ISA_TYPE_UD, ADDRESS_DW + 1);

   emit_address(n, b, p, address, c * bits / 8);
   eu_MOV(b, eu_offset(p, b, ADDRESS_DW),
          eu_horiz_offset(fs_src_comp(n, data, c), b->group));
   send_write(n, b,
              &(struct isa_message) {
                 .msg = ISA_MSG_A64_SCATTERED_WRITE,
                 .simd = b->exec_size,
                 .element_B = 1,
                 .elements = (uint16_t)(bits / 8),
                 .mlen = (uint8_t)((ADDRESS_DW + 1) * w),
              },
              p);
}

/* Components [first, first + count). */
static void
store_dwords(struct nir_to_fs *n, const struct eu_builder *b,
             const nir_use *address, const nir_use *data, unsigned first,
             unsigned count)
{
   const unsigned bits = data->value->bit_size, per = bits / 32;
   const unsigned w = b->exec_size / 8u, end = (first + count) * per;

   for (unsigned k = first * per; k < end; k += MAX_UNTYPED_DW) {
      const unsigned dw = MIN2(MAX_UNTYPED_DW, end - k);
      const eu_reg p = eu_vgrf(b, ISA_TYPE_UD, ADDRESS_DW + dw);

      emit_address(n, b, p, address, k * 4);
      for (unsigned i = 0; i < dw; i++)
         eu_MOV(b, eu_offset(p, b, ADDRESS_DW + i),
                fs_source_dword(n, b, data, bits, k + i));
      send_write(n, b,
                 &(struct isa_message) {
                    .msg = ISA_MSG_A64_UNTYPED_WRITE,
                    .simd = b->exec_size,
                    .channels_off = eu_channels_off(dw),
                    .mlen = (uint8_t)((ADDRESS_DW + dw) * w),
                 },
                 p);
   }
}

static void
store_global(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   unsigned mask = (unsigned)nir_intrinsic_write_mask(intr);

   while (mask) {
      const unsigned first = (unsigned)__builtin_ctz(mask);
      const unsigned count = (unsigned)__builtin_ctz(~(mask >> first));

      for (unsigned i = 0; i < fs_num_pieces(n); i++) {
         const struct eu_builder b = fs_piece(n, i);

         if (intr->src[0].value->bit_size >= 32) {
            store_dwords(n, &b, &intr->src[1], &intr->src[0], first, count);
            continue;
         }
         for (unsigned c = first; c < first + count; c++)
            store_bytes(n, &b, &intr->src[1], &intr->src[0], c);
      }
      mask &= ~BITFIELD_RANGE(first, count);
   }
}

/* Eight channels a message; operands of 64 bits lie as addresses do. */
static void
global_atomic(struct nir_to_fs *n, nir_intrinsic_instr *intr, int op)
{
   const bool wide = intr->instr.result.bit_size == 64;
   const bool returns = !nir_value_is_unused(&intr->instr.result);
   const unsigned type = wide ? ISA_TYPE_UQ : ISA_TYPE_UD;
   const unsigned per = wide ? 2 : 1;
   const enum isa_msg msg = fs_atomic_is_float(intr->intrinsic)
                               ? ISA_MSG_A64_FLOAT_ATOMIC
                               : ISA_MSG_A64_ATOMIC;
   const eu_reg dst = returns ? fs_get_dest(n, &intr->instr.result)
                              : (eu_reg) { 0 };

   if (op < 0 || !isa_message_exists(n->s->gen, msg)) {
      eu_fail(n->s, "%s", nir_intrinsic_infos[intr->intrinsic].name);
      return;
   }
   op = fs_atomic_shortest(op, &intr->src[1]);
   const unsigned operands = fs_atomic_operands(op);
   if (n->b.exec_size > 8 && returns)
      eu_undef(&n->b, dst);
   for (unsigned i = 0; i < n->b.exec_size / 8u; i++) {
      const struct eu_builder b = eu_group(n->b, 8, i);
      const unsigned size = ADDRESS_DW + operands * per;
      const eu_reg p = eu_vgrf(&b, ISA_TYPE_UD, size);
      struct eu_inst *inst;

      emit_address(n, &b, p, &intr->src[0],
                   (unsigned)nir_intrinsic_base(intr));
      for (unsigned k = 0; k < operands; k++) {
         const eu_reg v = fs_no_imm(n, fs_src_comp(n, &intr->src[1 + k], 0));
         const eu_reg to = eu_offset(p, &b, ADDRESS_DW + k * per);

         eu_MOV(&b, eu_retype(to, type),
                eu_horiz_offset(eu_retype(v, type), b.group));
      }
      inst = eu_emit_send(
         &b,
         &(struct isa_message) { .msg = msg,
                                 .aop = (uint16_t)op,
                                 .wide = wide,
                                 .returns = returns,
                                 .mlen = (uint8_t)size,
                                 .rlen = (uint8_t)(returns * per) },
         (eu_reg) { 0 },
         returns ? eu_horiz_offset(eu_retype(dst, type), b.group) : dst, p);
      inst->side_effects = true;
      fs_predicate_on_live(n, inst);
   }
}

bool
fs_emit_global_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const bool is_atomic = strncmp(nir_intrinsic_infos[intr->intrinsic].name,
                                  "global_atomic_",
                                  strlen("global_atomic_")) == 0;

   if (!is_atomic && intr->intrinsic != nir_intrinsic_load_global &&
       intr->intrinsic != nir_intrinsic_store_global)
      return false;
   if (!isa_message_exists(n->s->gen, ISA_MSG_A64_UNTYPED_READ)) {
      eu_fail(n->s, "memory by 64-bit addresses: there is none before Gen8");
      return true;
   }
   if (is_atomic)
      global_atomic(n, intr, fs_atomic_op(intr->intrinsic));
   else if (intr->intrinsic == nir_intrinsic_load_global)
      load_global(n, intr);
   else
      store_global(n, intr);
   return true;
}
