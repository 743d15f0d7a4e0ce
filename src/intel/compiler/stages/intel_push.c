/* SPDX-License-Identifier: MIT */
/*
 * Which uniform data is in registers when a thread starts.
 *
 * 3DSTATE_CONSTANT_* delivers up to four ranges of memory, in units of 32
 * bytes, in front of the attributes. Push constants come first and whole,
 * as the shader has no other way to them. What room is left goes to the
 * parts of uniform blocks that are read at constant offsets, the most read
 * ones first; all else is pulled. Ranges begin at multiples of 32 bytes, so
 * a 64-bit value that is aligned in its block is aligned in its register.
 */
#include "intel/compiler/intel_compiler_private.h"
#include "intel_push.h"
#include "intel/compiler/intel_reasons.h"
#include "util/guard.h"

#define MAX_PUSH_GRFS 32
#define MAX_BLOCKS 32
#define CHUNKS 64 /* of 32 bytes at the start of each block */

struct block_use {
   unsigned bti;
   uint64_t used; /* chunks */
   uint16_t reads[CHUNKS];
   uint8_t end_B[CHUNKS]; /* of what is read in each */
};

struct push_state {
   uint32_t constants_end_B;
   uint32_t constants_start_B;
   struct block_use blocks[MAX_BLOCKS];
   unsigned num_blocks;
};

static void
note_ubo(struct push_state *st, unsigned bti, uint32_t start_B,
         uint32_t size_B)
{
   struct block_use *use = NULL;

   for (unsigned i = 0; i < st->num_blocks; i++) {
      if (st->blocks[i].bti == bti)
         use = &st->blocks[i];
   }
   if (!use) {
      if (st->num_blocks == MAX_BLOCKS)
         return;
      use = &st->blocks[st->num_blocks++];
      use->bti = bti;
   }
   for (uint32_t c = start_B / 32; c <= (start_B + size_B - 1) / 32; c++) {
      if (c < CHUNKS) {
         use->used |= BITFIELD64_BIT(c);
         use->reads[c]++;
         use->end_B[c] =
            (uint8_t)MAX2(use->end_B[c], MIN2(start_B + size_B - c * 32, 32));
      }
   }
}

static void
note(struct push_state *st, const nir_intrinsic_instr *intr)
{
   uint32_t size_B;

   if (intr->intrinsic != nir_intrinsic_load_push_constant &&
       intr->intrinsic != nir_intrinsic_load_ubo)
      return;
   size_B = intr->instr.result.num_components *
            MAX2(8, intr->instr.result.bit_size) / 8;
   if (intr->intrinsic == nir_intrinsic_load_push_constant) {
      uint32_t start = (uint32_t)nir_intrinsic_base(intr), end;
      if (nir_use_is_const(intr->src[0])) {
         start += (uint32_t)nir_use_as_uint(intr->src[0]);
         end = start + size_B;
      } else {
         end = start + MAX2((uint32_t)nir_intrinsic_range(intr), size_B);
      }
      st->constants_start_B = MIN2(st->constants_start_B, start);
      st->constants_end_B = MAX2(st->constants_end_B, end);
   } else if (nir_use_is_const(intr->src[0]) &&
              nir_use_is_const(intr->src[1])) {
      note_ubo(st, (unsigned)nir_use_as_uint(intr->src[0]),
               (uint32_t)nir_use_as_uint(intr->src[1]), size_B);
   }
}

/* The run of used chunks with most reads a chunk; its reads are removed. */
static bool
take_best_run(struct push_state *st, unsigned room,
              struct intel_push_range *out)
{
   struct block_use *best = NULL;
   unsigned best_start = 0, best_len = 0, best_reads = 0;

   for (unsigned i = 0; i < st->num_blocks; i++) {
      struct block_use *u = &st->blocks[i];
      for (unsigned c = 0; c < CHUNKS; c++) {
         unsigned reads = 0, len = 0;
         if (!(u->used & BITFIELD64_BIT(c)))
            continue;
         while (c + len < CHUNKS && len < room &&
                (u->used & BITFIELD64_BIT(c + len)))
            reads += u->reads[c + len++];
         if (reads > best_reads) {
            best = u;
            best_start = c;
            best_len = len;
            best_reads = reads;
         }
         c += len;
      }
   }
   if (!best)
      return false;
   for (unsigned c = best_start; c < best_start + best_len; c++)
      best->used &= ~BITFIELD64_BIT(c);
   *out = (struct intel_push_range) {
      .block = (int32_t)best->bti,
      .start = (uint16_t)best_start,
      .length = (uint16_t)best_len,
      .read_end_B = (uint16_t)((best_start + best_len - 1) * 32 +
                               best->end_B[best_start + best_len - 1]),
   };
   return true;
}

/*
 * Where buffer 0 is an offset in the dynamic state, it can deliver push
 * constants, but no block, since the two lie anywhere. So without push
 * constants it stays empty; a generation that wants the buffers in order gets
 * a register of push constants that nobody reads.
 */
static unsigned
avoid_buffer_0(const struct intel_device_info *dev, bool ubos,
               struct push_state *st)
{
   if (!dev->push_buffer_0_is_offset || st->constants_end_B)
      return INTEL_MAX_PUSH_RANGES;
   if (!dev->push_buffers_in_order)
      return INTEL_MAX_PUSH_RANGES - 1;
   if (ubos && st->num_blocks) {
      st->constants_start_B = 0;
      st->constants_end_B = 32;
   }
   return INTEL_MAX_PUSH_RANGES;
}

void
intel_choose_push_ranges(const struct intel_device_info *dev,
                         const nir_shader *nir, bool ubos,
                         struct intel_stage_prog_data *pd)
{
   struct push_state *st = guard_alloc(1, sizeof(*st));
   unsigned n = 0, total = 0;

   st->constants_start_B = UINT32_MAX;
   nir_foreach_block(block, nir_entry_point(nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic)
            note(st, nir_instr_as_intrinsic(instr));
      }
   }
   const unsigned max = avoid_buffer_0(dev, ubos, st);
   if (st->constants_end_B) {
      const unsigned first = st->constants_start_B / 32;
      const unsigned last = DIV_ROUND_UP(st->constants_end_B, 32);
      pd->push[n++] = (struct intel_push_range) {
         .block = INTEL_PUSH_BLOCK_CONSTANTS,
         .start = (uint16_t)first,
         .length = (uint16_t)(last - first),
      };
      total += last - first;
   }
   while (ubos && n < max && total < MAX_PUSH_GRFS &&
          take_best_run(st, MAX_PUSH_GRFS - total, &pd->push[n])) {
      total += pd->push[n].length;
      n++;
   }
   pd->push_length = total;
   guard_free(st);
}

/* ---- reasons ---- */

static bool
is_pushed(const struct intel_stage_prog_data *pd, unsigned bti,
          uint32_t start_B, uint32_t size_B)
{
   for (unsigned i = 0; i < INTEL_MAX_PUSH_RANGES; i++) {
      const struct intel_push_range *r = &pd->push[i];
      if (r->length && r->block == (int32_t)bti &&
          start_B >= 32u * r->start &&
          start_B + size_B <= 32u * (r->start + r->length))
         return true;
   }
   return false;
}

static void
explain_load(const nir_intrinsic_instr *intr,
             const struct intel_stage_prog_data *pd, const char *none,
             struct intel_reasons *reasons)
{
   const uint32_t size_B = intr->instr.result.num_components *
                           MAX2(8, intr->instr.result.bit_size) / 8;

   if (!nir_use_is_const(intr->src[0])) {
      intel_reason_add(reasons, INTEL_REASON_PULL,
                       "a block is known only at run time");
      return;
   }
   const unsigned bti = (unsigned)nir_use_as_uint(intr->src[0]);
   if (none) {
      intel_reason_add(reasons, INTEL_REASON_PULL, "block %u: %s", bti, none);
   } else if (!nir_use_is_const(intr->src[1])) {
      intel_reason_add(reasons, INTEL_REASON_PULL,
                       "block %u: an offset is known only at run time", bti);
   } else {
      const uint32_t at_B = (uint32_t)nir_use_as_uint(intr->src[1]);
      if (is_pushed(pd, bti, at_B, size_B))
         return;
      if (at_B + size_B > CHUNKS * 32)
         intel_reason_add(reasons, INTEL_REASON_PULL,
                          "block %u: what is read from byte %u on is not "
                          "among its first %u",
                          bti, at_B, CHUNKS * 32);
      else
         intel_reason_add(reasons, INTEL_REASON_PULL,
                          "block %u: what is read from byte %u on has no "
                          "room in %u ranges of %u registers",
                          bti, at_B, INTEL_MAX_PUSH_RANGES, MAX_PUSH_GRFS);
   }
}

void
intel_push_reasons(const nir_shader *nir,
                   const struct intel_stage_prog_data *pd, const char *none,
                   struct intel_reasons *reasons)
{
   nir_foreach_block(block, nir_entry_point(nir)) {
      nir_foreach_instr(instr, block) {
         const nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (intr && intr->intrinsic == nir_intrinsic_load_ubo)
            explain_load(intr, pd, none, reasons);
      }
   }
}
