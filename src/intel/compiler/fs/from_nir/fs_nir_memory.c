/* SPDX-License-Identifier: MIT */
/*
 * Buffers: push constants, uniform blocks, storage blocks, shared memory.
 *
 * Uniform data is, in this order of preference, in registers before the
 * thread starts (intel_push.c chose what), read by 64-byte blocks at constant
 * offsets, or read a channel at a time. Buffers are RAW surfaces for all of
 * these (PRM SKL vol 7, "Data Port": OWord block, untyped surface and byte
 * scattered messages).
 */
#include "fs_nir.h"

/* The register of pushed data, or EU_BAD. */
static eu_reg
pushed(const struct nir_to_fs *n, int block, uint32_t offset_B,
       uint32_t size_B)
{
   const struct intel_stage_prog_data *pd = n->s->prog_data.base;
   uint32_t base_B = 0;

   for (unsigned i = 0; i < INTEL_MAX_PUSH_RANGES; i++) {
      const struct intel_push_range *r = &pd->push[i];
      const uint32_t start_B = r->start * 32u, len_B = r->length * 32u;

      if (r->length && r->block == block &&
          util_within(offset_B, size_B, start_B, len_B)) {
         return (eu_reg) { .file = EU_UNIFORM,
                           .type = ISA_TYPE_UD,
                           .offset = base_B + offset_B - start_B };
      }
      base_B += len_B;
   }
   return (eu_reg) { 0 };
}

/* 64 bytes of a uniform block, read once a basic block. */
static eu_reg
pull_block(struct nir_to_fs *n, unsigned bti, uint32_t offset_B)
{
   util_dynarray_foreach(&n->pulled, struct fs_pulled, p) {
      if (p->bti == bti && p->offset_B == offset_B)
         return p->reg;
   }
   struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   const struct eu_builder sb = eu_scalar(n->b);
   eu_reg header = eu_vgrf(&b8, ISA_TYPE_UD, 1);
   eu_reg dst = eu_vgrf(&b8, ISA_TYPE_UD, 2);

   b8.group = 0;
   eu_MOV(&b8, header, eu_grf(0, ISA_TYPE_UD));
   eu_MOV(&sb, eu_byte_offset(header, ISA_HDR_BYTE(BLOCK_OFFSET)),
          eu_imm_ud(offset_B / 16));
   eu_emit_send(&b8,
                &(struct isa_message) { .sfid = ISA_SFID_CONST_CACHE,
                                        .msg = ISA_MSG_OWORD_BLOCK_READ,
                                        .block = ISA_BLOCK_4,
                                        .bti = (uint16_t)bti,
                                        .header = true,
                                        .mlen = 1,
                                        .rlen = 2 },
                (eu_reg) { 0 }, dst, header);

   struct fs_pulled p = { bti, offset_B, dst };
   util_dynarray_append(&n->pulled, struct fs_pulled, p);
   return dst;
}

/* `size_B` (at most 8, not across a dword) uniform bytes as a scalar. */
static eu_reg
uniform_bytes(struct nir_to_fs *n, int block, uint32_t offset_B,
              uint32_t size_B)
{
   eu_reg r = pushed(n, block, offset_B, size_B);

   if (r.file != EU_BAD || block < 0)
      return r;
   r = eu_byte_offset(pull_block(n, (unsigned)block, offset_B & ~63u),
                      offset_B & 63u);
   r.stride = 0;
   return r;
}

/* A vector of uniform data at a constant offset. False: some of it is out of
 * reach (push constants that were not pushed). */
static bool
load_uniform_const(struct nir_to_fs *n, nir_intrinsic_instr *intr, int block,
                   uint32_t offset_B)
{
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned comps = intr->instr.result.num_components;
   const unsigned size = MAX2(bits, 8) / 8;
   const unsigned type = fs_raw_type(bits);

   /* Vulkan's layouts align to the scalar; we need the dword. */
   if (offset_B % MIN2(size, 4)) {
      eu_fail(n->s, "uniform data of %u bits at byte %u: not aligned", bits,
              offset_B);
      eu_undef(&n->b, fs_get_dest(n, &intr->instr.result));
      return true;
   }
   eu_reg first = uniform_bytes(n, block, offset_B, size);

   if (first.file == EU_BAD)
      return false;

   /* One run of aligned data in one place: no copy at all. */
   if (offset_B % size == 0) {
      bool one_run = true;
      for (unsigned c = 1; c < comps && one_run; c++) {
         eu_reg r = uniform_bytes(n, block, offset_B + c * size, size);
         one_run = r.file == first.file && r.nr == first.nr &&
                   r.offset == first.offset + c * size;
      }
      if (one_run) {
         fs_set_dest(n, &intr->instr.result, eu_retype(first, type));
         return true;
      }
   }

   /* Scalars, one after the other. */
   const bool scalar = !n->host && bits >= 32;
   const struct eu_builder b = scalar ? eu_scalar(n->b) : n->b;
   eu_reg dst = scalar ? eu_vgrf(&b, type, comps)
                       : fs_get_dest(n, &intr->instr.result);
   for (unsigned c = 0; c < comps; c++) {
      const uint32_t o = offset_B + c * size;
      const eu_reg d = eu_offset(dst, &b, c);

      if (o % size == 0) {
         eu_reg r = uniform_bytes(n, block, o, size);
         if (r.file == EU_BAD)
            return false;
         eu_MOV(&b, d, eu_retype(r, type));
         continue;
      }
      /* 64 bits on an odd dword. */
      if (c == 0)
         eu_undef(&b, dst);
      for (unsigned h = 0; h < size / 4; h++) {
         eu_reg r = uniform_bytes(n, block, o + h * 4, 4);
         if (r.file == EU_BAD)
            return false;
         eu_MOV(&b, eu_subscript(d, ISA_TYPE_UD, h),
                eu_retype(r, ISA_TYPE_UD));
      }
   }
   if (scalar) {
      dst.stride = 0;
      fs_set_dest(n, &intr->instr.result, dst);
   }
   return true;
}

/* ---- atomic operations ---- */

/* PRM SKL vol 2d, MDC_AOP. */
int
fs_atomic_op(nir_intrinsic_op op)
{
   switch (op) {
#define ATOMIC(name, number)                                                 \
   case nir_intrinsic_ssbo_atomic_##name:                                    \
   case nir_intrinsic_shared_atomic_##name:                                  \
   case nir_intrinsic_global_atomic_##name:                                  \
   case nir_intrinsic_image_atomic_##name: return number;
      ATOMIC(and, ISA_AOP_AND)
      ATOMIC(or, ISA_AOP_OR)
      ATOMIC(xor, ISA_AOP_XOR)
      ATOMIC(exchange, ISA_AOP_MOV)
      ATOMIC(add, ISA_AOP_ADD)
      ATOMIC(imax, ISA_AOP_IMAX)
      ATOMIC(imin, ISA_AOP_IMIN)
      ATOMIC(umax, ISA_AOP_UMAX)
      ATOMIC(umin, ISA_AOP_UMIN)
      ATOMIC(comp_swap, ISA_AOP_CMPWR)
#undef ATOMIC
      /* Images have none. */
#define FLOAT_ATOMIC(name, number)                                           \
   case nir_intrinsic_ssbo_atomic_##name:                                    \
   case nir_intrinsic_shared_atomic_##name:                                  \
   case nir_intrinsic_global_atomic_##name: return number;
      FLOAT_ATOMIC(fmin, ISA_AOP_FMIN)
      FLOAT_ATOMIC(fmax, ISA_AOP_FMAX)
#undef FLOAT_ATOMIC
   default: return -1;
   }
}

bool
fs_atomic_is_float(nir_intrinsic_op op)
{
   switch (op) {
   case nir_intrinsic_ssbo_atomic_fmin:
   case nir_intrinsic_ssbo_atomic_fmax:
   case nir_intrinsic_shared_atomic_fmin:
   case nir_intrinsic_shared_atomic_fmax:
   case nir_intrinsic_global_atomic_fmin:
   case nir_intrinsic_global_atomic_fmax: return true;
   default: return false;
   }
}

bool
fs_is_buffer_write(nir_intrinsic_op op)
{
   return op == nir_intrinsic_store_ssbo ||
          op == nir_intrinsic_store_global ||
          (fs_atomic_op(op) >= 0 && !fs_is_image_write(op));
}

int
fs_atomic_shortest(int op, const nir_use *data)
{
   if (op != ISA_AOP_ADD || !nir_use_is_const(*data) ||
       data->value->bit_size != 32)
      return op;
   switch (nir_use_as_int(*data)) {
   case 1: return ISA_AOP_INC;
   case -1: return ISA_AOP_DEC;
   default: return op;
   }
}

unsigned
fs_atomic_operands(int op)
{
   switch (op) {
   case ISA_AOP_INC:
   case ISA_AOP_DEC: return 0;
   case ISA_AOP_CMPWR: return 2;
   default: return 1;
   }
}

/* `data`: the operands after the address. */
static void
emit_atomic(struct nir_to_fs *n, nir_intrinsic_instr *intr, int op,
            eu_reg bti, eu_reg base, unsigned offset_B, const nir_use *data)
{
   const bool is_float = fs_atomic_is_float(intr->intrinsic);
   const enum isa_msg msg = is_float ? ISA_MSG_UNTYPED_FLOAT_ATOMIC
                                     : ISA_MSG_UNTYPED_ATOMIC;
   const bool returns = !nir_value_is_unused(&intr->instr.result);
   eu_reg dst = returns ? fs_get_dest(n, &intr->instr.result)
                        : (eu_reg) { 0 };

   if (intr->instr.result.bit_size != 32) {
      eu_fail(n->s, "atomic operation on 64 bits");
      return;
   }
   if (!isa_message_exists(n->s->gen, msg)) {
      eu_fail(n->s, "%s", nir_intrinsic_infos[intr->intrinsic].name);
      return;
   }
   op = fs_atomic_shortest(op, &data[0]);
   const unsigned parts = 1 + fs_atomic_operands(op);
   if (fs_num_pieces(n) > 1 && returns)
      eu_undef(&n->b, dst);
   for (unsigned i = 0; i < fs_num_pieces(n); i++) {
      const struct eu_builder b = fs_piece(n, i);
      const unsigned w = b.exec_size / 8u;
      eu_reg p = eu_vgrf(&b, ISA_TYPE_UD, parts);
      struct eu_inst *inst;

      eu_MOV(&b, p, fs_address(&b, base, offset_B));
      for (unsigned k = 1; k < parts; k++)
         eu_MOV(&b, eu_offset(p, &b, k),
                eu_horiz_offset(fs_src_comp(n, &data[k - 1], 0), b.group));
      inst = eu_emit_send(
         &b,
         &(struct isa_message) { .msg = msg,
                                 .aop = (uint16_t)op,
                                 .simd = b.exec_size,
                                 .returns = returns,
                                 .mlen = (uint8_t)(parts * w),
                                 .rlen = (uint8_t)(returns * w) },
         bti, returns ? eu_horiz_offset(dst, b.group) : dst, p);
      inst->side_effects = true;
      fs_predicate_on_live(n, inst);
   }
}

/* The binding-table index of a source: an immediate or a scalar. */
static eu_reg
binding(struct nir_to_fs *n, const nir_use *src)
{
   return fs_uniformize(n, fs_src_comp(n, src, 0));
}

static void
load_ubo(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   if (nir_use_is_const(intr->src[0]) && nir_use_is_const(intr->src[1])) {
      if (load_uniform_const(n, intr, (int)nir_use_as_uint(intr->src[0]),
                             (uint32_t)nir_use_as_uint(intr->src[1])))
         return;
   }
   fs_load_untyped(n, intr, binding(n, &intr->src[0]), &intr->src[1], 0);
}

static void
load_push_constant(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const uint32_t base_B = (uint32_t)nir_intrinsic_base(intr);

   if (nir_use_is_const(intr->src[0])) {
      const uint32_t o = base_B + (uint32_t)nir_use_as_uint(intr->src[0]);
      if (!load_uniform_const(n, intr, INTEL_PUSH_BLOCK_CONSTANTS, o))
         eu_fail(n->s, "push constant at byte %u is not in registers", o);
      return;
   }

   /* A dynamic index into what was pushed. */
   const unsigned bits = intr->instr.result.bit_size;
   const uint32_t range_B = (uint32_t)nir_intrinsic_range(intr);
   const eu_reg from = pushed(n, INTEL_PUSH_BLOCK_CONSTANTS, base_B, 4);
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);
   const eu_reg index = fs_no_imm(n, fs_src_comp(n, &intr->src[0], 0));

   if (from.file == EU_BAD || bits < 32) {
      eu_fail(n->s, "push constants with a dynamic index");
      return;
   }
   if (bits == 64)
      eu_undef(&n->b, dst);
   for (unsigned c = 0; c < intr->instr.result.num_components; c++) {
      for (unsigned h = 0; h < bits / 32; h++) {
         eu_reg at = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
         eu_reg t = eu_vgrf(&n->b, ISA_TYPE_UD, 1);

         eu_ADD(&n->b, at, index, eu_imm_ud(c * bits / 8 + h * 4));
         eu_emit3(&n->b, EU_OP_MOV_INDIRECT, t, from, at, eu_imm_ud(range_B));
         eu_MOV(&n->b, eu_subscript(eu_offset(dst, &n->b, c), ISA_TYPE_UD, h),
                t);
      }
   }
}

/* The size of a buffer: its width as the sampler sees it. What the message
 * wrote is the next round's where an index changes in a loop. */
static void
buffer_size(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   eu_reg lod = eu_vgrf(&b8, ISA_TYPE_UD, 1);
   eu_reg res = eu_vgrf(&b8, ISA_TYPE_UD, 4);

   eu_MOV(&b8, lod, eu_imm_ud(0));
   eu_emit_send(&b8,
                &(struct isa_message) {
                   .msg = ISA_MSG_RESINFO, .simd = 8, .mlen = 1, .rlen = 4 },
                binding(n, &intr->src[0]), res, lod);
   eu_MOV(&n->b, eu_retype(fs_get_dest(n, &intr->instr.result), ISA_TYPE_UD),
          eu_component(res, 0));
}

/* Shared memory is a surface of its own, of all threads of a group. */
static const eu_reg slm = { .file = EU_IMM,
                            .type = ISA_TYPE_UD,
                            .imm = EU_BTI_SLM };

static bool
emit_atomic_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const int op = fs_atomic_op(intr->intrinsic);
   /* Sources: [buffer,] offset, data. */
   const unsigned num_data = fs_atomic_operands(op);
   const unsigned num_srcs = nir_intrinsic_infos[intr->intrinsic].num_srcs;

   if (op < 0 || nir_intrinsic_has_image_dim(intr))
      return false;
   if (num_srcs == 1 + num_data)
      emit_atomic(n, intr, op, slm, fs_src_comp(n, &intr->src[0], 0),
                  (unsigned)nir_intrinsic_base(intr), &intr->src[1]);
   else
      emit_atomic(n, intr, op, binding(n, &intr->src[0]),
                  fs_src_comp(n, &intr->src[1], 0), 0, &intr->src[2]);
   return true;
}

bool
fs_emit_memory_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   if (fs_emit_global_intrinsic(n, intr) || emit_atomic_intrinsic(n, intr) ||
       fs_emit_scratch_intrinsic(n, intr))
      return true;
   switch (intr->intrinsic) {
   case nir_intrinsic_load_ubo: load_ubo(n, intr); return true;
   case nir_intrinsic_load_push_constant:
      load_push_constant(n, intr);
      return true;
   case nir_intrinsic_load_ssbo:
      fs_load_untyped(n, intr, binding(n, &intr->src[0]), &intr->src[1], 0);
      return true;
   case nir_intrinsic_store_ssbo:
      fs_store_untyped(n, binding(n, &intr->src[1]), &intr->src[2], 0,
                       &intr->src[0], nir_intrinsic_write_mask(intr));
      return true;
   case nir_intrinsic_load_shared:
      fs_load_untyped(n, intr, slm, &intr->src[0], nir_intrinsic_base(intr));
      return true;
   case nir_intrinsic_store_shared:
      fs_store_untyped(n, slm, &intr->src[1], nir_intrinsic_base(intr),
                       &intr->src[0], nir_intrinsic_write_mask(intr));
      return true;
   case nir_intrinsic_get_ssbo_size:
   case nir_intrinsic_get_ubo_size: buffer_size(n, intr); return true;
   default: return false;
   }
}
