/* SPDX-License-Identifier: MIT */
/*
 * Problem: a constant offset may lie outside of the memory that it is an
 * offset into, as far as 32 bits go. Messages find that out for themselves,
 * but registers that hold parts of blocks do not, nor may the back end count
 * on from there: the sum wraps, and a vector that begins before the first
 * byte would end in the block.
 *
 * Method: where it is known that an access is outside, a load is zero, a
 * store does nothing, and an atomic does nothing and returns zero: Vulkan
 * 1.3, "Robust Buffer Access", allows each of them, and nothing else is the
 * same on all generations. Uniform and storage blocks are known to have less
 * than 2 GB, of shared memory and push constants the size is known.
 *
 * An offset into push constants that is not known is bounded by the last one
 * that is inside: they are in registers, and no index may leave those.
 *
 * Before: blocks have offsets. After: no constant offset plus the size of an
 * access goes over 31 bits.
 */
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler_private.h"

/* More than the driver lets a buffer have (maxStorageBufferRange). */
#define MAX_BUFFER_B 0x80000000u

#define ATOMIC(memory, op) nir_intrinsic_##memory##_atomic_##op
#define ATOMICS(memory)                                                      \
   case ATOMIC(memory, add):                                                 \
   case ATOMIC(memory, imin):                                                \
   case ATOMIC(memory, umin):                                                \
   case ATOMIC(memory, imax):                                                \
   case ATOMIC(memory, umax):                                                \
   case ATOMIC(memory, and):                                                 \
   case ATOMIC(memory, or):                                                  \
   case ATOMIC(memory, xor):                                                 \
   case ATOMIC(memory, exchange):                                            \
   case ATOMIC(memory, comp_swap):                                           \
   case ATOMIC(memory, fadd):                                                \
   case ATOMIC(memory, fmin):                                                \
   case ATOMIC(memory, fmax):                                                \
   case ATOMIC(memory, fcomp_swap)

/* Where the offset of an access is, what is added to it, and the end of the
 * memory that it is into. */
struct place {
   unsigned src;
   uint32_t base_B;
   uint64_t end_B;
};

static bool
place_of(const nir_shader *nir, const nir_intrinsic_instr *intr,
         struct place *p)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_ubo:
   case nir_intrinsic_load_ssbo:
      ATOMICS(ssbo) : *p = (struct place) { .src = 1, .end_B = MAX_BUFFER_B };
      return true;
   case nir_intrinsic_store_ssbo:
      *p = (struct place) { .src = 2, .end_B = MAX_BUFFER_B };
      return true;
   case nir_intrinsic_load_shared:
      ATOMICS(shared)
          : *p = (struct place) { .src = 0, .end_B = nir->info.shared_size };
      break;
   case nir_intrinsic_store_shared:
      *p = (struct place) { .src = 1, .end_B = nir->info.shared_size };
      break;
   case nir_intrinsic_load_push_constant:
      *p = (struct place) { .src = 0 };
      p->end_B = (uint64_t)nir_intrinsic_base(intr) +
                 (uint32_t)nir_intrinsic_range(intr);
      break;
   default: return false;
   }
   p->base_B = (uint32_t)nir_intrinsic_base(intr);
   return true;
}

/* Bytes that an access takes. */
static uint32_t
size_of(const nir_intrinsic_instr *intr)
{
   if (nir_intrinsic_infos[intr->intrinsic].has_dest)
      return intr->instr.result.num_components *
             MAX2(8u, intr->instr.result.bit_size) / 8;
   return (util_logbase2((unsigned)nir_intrinsic_write_mask(intr)) + 1) *
          MAX2(8u, intr->src[0].value->bit_size) / 8;
}

static bool
is_bounded(const nir_instr *instr, uint32_t last_B)
{
   if (instr->kind != nir_kind_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);
   if (alu->op != nir_op_umin)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      const nir_operand *s = &alu->src[i];
      if (nir_use_is_const(s->use) &&
          nir_use_comp_as_uint(s->use, s->swizzle[0]) <= last_B)
         return true;
   }
   return false;
}

/* Push constants: no offset beyond the last one. */
static bool
clamp(nir_builder *b, nir_intrinsic_instr *intr)
{
   const uint32_t range_B = (uint32_t)nir_intrinsic_range(intr);
   const uint32_t size_B = size_of(intr);
   const uint32_t last_B = range_B > size_B ? (range_B - size_B) & ~3u : 0;

   if (is_bounded(intr->src[0].value->instr, last_B))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_value *offset = nir_use_value(b, intr->src[0], 1);
   nir_set_use(&intr->instr, &intr->src[0],
               nir_umin(b, offset,
                        nir_imm_intN_t(b, last_B, offset->bit_size)));
   return true;
}

static bool
bound(nir_builder *b, nir_instr *instr, void *data)
{
   struct place p;

   nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
   if (!intr)
      return false;
   if (!place_of(b->shader, intr, &p))
      return false;
   if (!nir_use_is_const(intr->src[p.src]))
      return intr->intrinsic == nir_intrinsic_load_push_constant &&
             clamp(b, intr);
   /* The sum wraps as the hardware's does. */
   const uint32_t offset_B = p.base_B +
                             (uint32_t)nir_use_as_uint(intr->src[p.src]);
   if (util_within(offset_B, size_of(intr), 0, p.end_B))
      return false;
   nir_remove_as_zero(b, intr);
   return true;
}

bool
intel_nir_bound_offsets(nir_shader *nir)
{
   return nir_visit_instrs(nir, bound, nir_metadata_control_flow, NULL);
}
