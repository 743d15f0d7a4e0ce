/* SPDX-License-Identifier: MIT */
/*
 * Memory of each invocation's own, for arrays with dynamic indices.
 *
 * A thread's scratch space holds a dword of each channel in turn, so that
 * channels that agree about the index touch one cache line. Dword scattered
 * messages reach it without a surface: offsets count dwords from the general
 * state base plus the header's M0.5 (PRM BDW, SKL vol 7, "Data Port", dword
 * scattered read and write; header of stateless messages). r0.5 has the
 * thread's scratch space in bits 31:10 and the thread's number below, which
 * these messages do not leave out by themselves.
 */
#include "fs_nir.h"

/* Block messages of spills, which come after the arrays, reach 128 KB. Half
 * of it is left to them; a narrower program needs less. */
#define MAX_ARRAYS_B (64 * 1024)

static void
fill_header(struct nir_to_fs *n, eu_reg p)
{
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   const struct eu_builder sb = eu_scalar(n->b);
   const eu_reg g0 = eu_grf(0, ISA_TYPE_UD);

   eu_MOV(&b8, p, eu_imm_ud(0));
   /* How much space there is, to check accesses by, and where it is. */
   eu_AND(&sb, eu_byte_offset(p, ISA_HDR_BYTE(SCRATCH_SIZE)),
          eu_component(g0, ISA_HDR_SCRATCH_SIZE_DW),
          eu_imm_ud(ISA_HDR_SCRATCH_SIZE_MASK));
   eu_AND(&sb, eu_byte_offset(p, ISA_HDR_BYTE(SCRATCH_BASE)),
          eu_component(g0, ISA_HDR_SCRATCH_BASE_DW),
          eu_imm_ud(ISA_HDR_SCRATCH_BASE_MASK));
}

void
fs_prepare_scratch(struct nir_to_fs *n)
{
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));

   n->scratch_header = eu_vgrf(&b8, ISA_TYPE_UD, 1);
   fill_header(n, n->scratch_header);
   n->channels = fs_channel_numbers(n);
}

eu_reg
fs_scratch_payload(struct nir_to_fs *n, unsigned grfs)
{
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   const eu_reg p = eu_vgrf(&b8, ISA_TYPE_UD, 1 + grfs);

   eu_undef(&b8, p);
   if (n->scratch_header.file == EU_BAD)
      fill_header(n, p);
   else
      eu_MOV(&b8, p, n->scratch_header);
   return p;
}

/* The dwords' numbers for b's channels: of component 0 at byte `offset`. */
static eu_reg
dword_numbers(struct nir_to_fs *n, eu_reg offset)
{
   eu_reg scaled = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
   eu_reg r = eu_vgrf(&n->b, ISA_TYPE_UD, 1);

   /* offset / 4 * channels; there are at least eight. */
   eu_SHL(&n->b, scaled, fs_no_imm(n, offset),
          eu_imm_ud(util_logbase2(n->b.exec_size) - 2u));
   eu_ADD(&n->b, r, scaled, n->channels);
   return r;
}

struct eu_inst *
fs_scratch_message(const struct eu_builder *b, eu_reg payload, eu_reg dst,
                   bool write)
{
   const unsigned w = b->exec_size / 8u;
   struct eu_inst *inst = eu_emit_send(
      b,
      &(struct isa_message) { .msg = write ? ISA_MSG_DWORD_SCATTERED_WRITE
                                           : ISA_MSG_DWORD_SCATTERED_READ,
                              .simd = b->exec_size,
                              .header = true,
                              .mlen = (uint8_t)(1 + (write ? 2 * w : w)),
                              .rlen = (uint8_t)(write ? 0 : w) },
      eu_imm_ud(b->s->devinfo->eu.bti_own_memory),
      write ? (eu_reg) { 0 } : dst, payload);

   inst->side_effects = write;
   return inst;
}

static void
transfer(struct nir_to_fs *n, const struct eu_builder *b, eu_reg numbers,
         unsigned dw, eu_reg value, bool write)
{
   const unsigned w = b->exec_size / 8u;
   const eu_reg p = fs_scratch_payload(n, write ? 2 * w : w);
   const eu_reg offsets = eu_byte_offset(p, REG_SIZE_B);

   eu_ADD(b, offsets, eu_horiz_offset(numbers, b->group),
          eu_imm_ud(dw * n->b.exec_size));
   if (write)
      eu_MOV(b, eu_byte_offset(offsets, w * REG_SIZE_B), value);
   fs_scratch_message(b, p, value, write);
}

static void
load_scratch(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const eu_reg numbers = dword_numbers(n, fs_src_comp(n, &intr->src[0], 0));
   const unsigned per = intr->instr.result.bit_size / 32;
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);

   if (per > 1 || fs_num_pieces(n) > 1)
      eu_undef(&n->b, dst);
   for (unsigned i = 0; i < fs_num_pieces(n); i++) {
      const struct eu_builder b = fs_piece(n, i);

      for (unsigned k = 0; k < intr->instr.result.num_components * per; k++) {
         eu_reg to = eu_horiz_offset(eu_offset(dst, &n->b, k / per), b.group);
         eu_reg t = eu_vgrf(&b, ISA_TYPE_UD, 1);

         transfer(n, &b, numbers, k, t, false);
         if (per > 1)
            to = eu_subscript(eu_retype(to, ISA_TYPE_UQ), ISA_TYPE_UD, k % 2);
         eu_MOV(&b, eu_retype(to, ISA_TYPE_UD), t);
      }
   }
}

static void
store_scratch(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const eu_reg numbers = dword_numbers(n, fs_src_comp(n, &intr->src[1], 0));
   const unsigned per = intr->src[0].value->bit_size / 32;
   const unsigned mask = (unsigned)nir_intrinsic_write_mask(intr);

   for (unsigned i = 0; i < fs_num_pieces(n); i++) {
      const struct eu_builder b = fs_piece(n, i);

      for (unsigned k = 0; k < intr->src[0].value->num_components * per;
           k++) {
         if (mask >> k / per & 1)
            transfer(n, &b, numbers, k,
                     fs_source_dword(n, &b, &intr->src[0], 32 * per, k),
                     true);
      }
   }
}

void
fs_setup_scratch(struct eu_shader *s)
{
   const unsigned invocations = s->simd4x2 ? 2 : s->dispatch_width;
   const uint64_t size_B = (uint64_t)s->nir->scratch_size * invocations;

   if (size_B > MAX_ARRAYS_B * (s->dispatch_width == 8 ? 16 : 1))
      eu_fail(s, "%u bytes of arrays an invocation, SIMD%u",
              s->nir->scratch_size, invocations);
   else
      s->scratch_B = (uint32_t)ALIGN(size_B, REG_SIZE_B);
}

bool
fs_emit_scratch_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_scratch: load_scratch(n, intr); return true;
   case nir_intrinsic_store_scratch: store_scratch(n, intr); return true;
   default: return false;
   }
}
