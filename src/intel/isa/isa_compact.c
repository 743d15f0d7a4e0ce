/* SPDX-License-Identifier: MIT */
/* The 8-byte form. isa_compact.py says which bits it has; here is how they
 * are chosen, what becomes of immediates, and the shortening of programs.
 *
 * An immediate keeps 13 bits, the highest of which is repeated upwards: PRM
 * SKL vol 7, "EU Compact Instruction", field Src1Index.
 */
#include "isa_compact_tables.h"
#include "isa_fields.h"

/* clang-format off */
enum { IMM_BITS = 13, IMM_LOW_BITS = 8, SRC1_INDEX_SHIFT = 35,
       SRC1_NR_SHIFT = 56 };
/* clang-format on */

static unsigned
get_field(enum isa_gen gen, enum isa_field f, const uint64_t q[2])
{
   const struct isa_field_bits b = isa_field_table[gen][f];
   return q[b.half] >> b.shift & BITFIELD64_MASK(b.width);
}

static bool
is_src3(enum isa_gen gen, unsigned hw_opcode)
{
   const uint8_t op = isa_opcode_from_hw[gen][hw_opcode];
   return op != ISA_OPCODE_COUNT &&
          isa_opcode_info((enum isa_opcode)op)->format == ISA_FORMAT_SRC3;
}

/* The type of the immediate, or ISA_TYPE_COUNT if there is none. */
static enum isa_type
immediate_type(enum isa_gen gen, const uint64_t q[2])
{
   static const enum isa_field files[] = { ISA_FIELD_SRC0_FILE,
                                           ISA_FIELD_SRC1_FILE };
   static const enum isa_field types[] = { ISA_FIELD_SRC0_TYPE,
                                           ISA_FIELD_SRC1_TYPE };
   for (unsigned n = 0; n < 2; n++) {
      if (get_field(gen, files[n], q) == ISA_FILE_IMM)
         return (
            enum isa_type)isa_type_from_code[gen][ISA_TYPE_KIND_IMM]
                                            [get_field(gen, types[n], q)];
   }
   return ISA_TYPE_COUNT;
}

static bool
is_wide(enum isa_type type)
{
   return type != ISA_TYPE_COUNT && isa_type_size_B(type) == 8;
}

/* Three-source forms have no immediate. DIM's 64 bits hide behind type F. */
static bool
may_compact(enum isa_gen gen, const uint64_t q[2], unsigned hw_opcode)
{
   const uint8_t op = isa_opcode_from_hw[gen][hw_opcode];
   if (op == ISA_OPCODE_COUNT || op == ISA_OPCODE_DIM)
      return false;
   const struct isa_opcode_info *info = isa_opcode_info((enum isa_opcode)op);
   if (info->format == ISA_FORMAT_SENDS)
      return false;
   /* PRM SKL vol 7: a send that ends the thread is never compact. */
   return !info->is_send || !get_field(gen, ISA_FIELD_EOT, q);
}

static bool
find_value(const struct isa_compact_index *index, const uint64_t q[2],
           unsigned *found)
{
   for (unsigned i = 0; i < 1u << index->width; i++) {
      if ((q[0] & index->mask[0]) == index->values[i][0] &&
          (q[1] & index->mask[1]) == index->values[i][1]) {
         *found = i;
         return true;
      }
   }
   return false;
}

static bool
compact_immediate(uint64_t q[2], uint64_t *small)
{
   const uint32_t imm = (uint32_t)(q[1] >> 32);
   const int32_t high = (int32_t)imm >> (IMM_BITS - 1);
   if (high != 0 && high != -1)
      return false;
   const uint64_t low = imm & BITFIELD_MASK(IMM_LOW_BITS);
   const uint64_t rest = imm >> IMM_LOW_BITS &
                         BITFIELD_MASK(IMM_BITS - IMM_LOW_BITS);
   *small |= low << SRC1_NR_SHIFT | rest << SRC1_INDEX_SHIFT;
   q[1] &= 0xffffffff;
   return true;
}

bool
isa_compact(enum isa_gen gen, const uint32_t full[4], uint32_t compact[2])
{
   uint64_t q[2] = { full[0] | (uint64_t)full[1] << 32,
                     full[2] | (uint64_t)full[3] << 32 };
   const unsigned hw_opcode = get_field(gen, ISA_FIELD_OPCODE, q);
   if (!may_compact(gen, q, hw_opcode))
      return false;
   enum isa_compact_kind kind = ISA_COMPACT_SRC3;
   uint64_t small = 1ull << isa_field_table[gen][ISA_FIELD_CMPT].shift;
   if (!is_src3(gen, hw_opcode)) {
      const enum isa_type type = immediate_type(gen, q);
      kind = type == ISA_TYPE_COUNT ? ISA_COMPACT_BASIC : ISA_COMPACT_IMM;
      if (is_wide(type) ||
          (kind == ISA_COMPACT_IMM && !compact_immediate(q, &small)))
         return false;
   }
   const struct isa_compact_form *form = isa_compact_forms[gen][kind];
   if (!form || (q[0] & ~form->reached[0]) || (q[1] & ~form->reached[1]))
      return false;
   for (unsigned i = 0; i < form->num_moves; i++) {
      const struct isa_compact_move m = form->moves[i];
      small |= (q[m.half] >> m.shift & BITFIELD64_MASK(m.width)) << m.small;
   }
   for (unsigned i = 0; i < form->num_indices; i++) {
      unsigned found;
      if (!find_value(&form->indices[i], q, &found))
         return false;
      small |= (uint64_t)found << form->indices[i].small;
   }
   compact[0] = (uint32_t)small;
   compact[1] = (uint32_t)(small >> 32);
   return true;
}

static void
expand(const struct isa_compact_form *form, uint64_t small, uint64_t q[2])
{
   for (unsigned i = 0; i < form->num_moves; i++) {
      const struct isa_compact_move m = form->moves[i];
      q[m.half] |= (small >> m.small & BITFIELD64_MASK(m.width)) << m.shift;
   }
   for (unsigned i = 0; i < form->num_indices; i++) {
      const struct isa_compact_index *index = &form->indices[i];
      const unsigned at = small >> index->small &
                          BITFIELD64_MASK(index->width);
      q[0] |= index->values[at][0];
      q[1] |= index->values[at][1];
   }
}

static void
expand_immediate(uint64_t small, uint64_t q[2])
{
   const uint32_t low = small >> SRC1_NR_SHIFT & BITFIELD_MASK(IMM_LOW_BITS);
   const uint32_t rest = small >> SRC1_INDEX_SHIFT &
                         BITFIELD_MASK(IMM_BITS - IMM_LOW_BITS);
   const uint32_t imm =
      (uint32_t)util_sign_extend(low | rest << IMM_LOW_BITS, IMM_BITS);
   q[1] = (q[1] & 0xffffffff) | (uint64_t)imm << 32;
}

bool
isa_uncompact(enum isa_gen gen, const uint32_t compact[2], uint32_t full[4])
{
   const uint64_t small = compact[0] | (uint64_t)compact[1] << 32;
   uint64_t q[2] = { small, 0 };
   const unsigned hw_opcode = get_field(gen, ISA_FIELD_OPCODE, q);
   q[0] = 0;
   if (is_src3(gen, hw_opcode)) {
      const struct isa_compact_form *form =
         isa_compact_forms[gen][ISA_COMPACT_SRC3];
      if (!form)
         return false;
      expand(form, small, q);
   } else {
      /* The immediate's place is src1's register and index: what both forms
       * share says whether there is one. */
      expand(isa_compact_forms[gen][ISA_COMPACT_IMM], small, q);
      const enum isa_type type = immediate_type(gen, q);
      if (is_wide(type))
         return false;
      if (type != ISA_TYPE_COUNT) {
         expand_immediate(small, q);
      } else {
         q[0] = q[1] = 0;
         expand(isa_compact_forms[gen][ISA_COMPACT_BASIC], small, q);
      }
      if (!may_compact(gen, q, hw_opcode))
         return false;
   }
   for (unsigned i = 0; i < 4; i++)
      full[i] = (uint32_t)(q[i / 2] >> i % 2 * 32);
   return true;
}

/* Programs. -------------------------------------------------------------- */

struct shrink {
   enum isa_gen gen;
   const uint8_t *from;
   size_t size_B;
   uint32_t *new_B; /* by old offset / 8: the new offset */
};

static uint32_t
read_u32(const uint8_t *p)
{
   return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
          (uint32_t)p[3] << 24;
}

static void
write_u32(uint8_t *p, uint32_t v)
{
   for (unsigned i = 0; i < 4; i++)
      p[i] = (uint8_t)(v >> 8 * i);
}

/* Jumps keep their 16 bytes, so that mending them cannot undo a choice. */
static bool
try_compact_at(const struct shrink *s, size_t at, const struct isa_inst *inst,
               uint32_t compact[2])
{
   if (inst->compacted || isa_opcode_info(inst->opcode)->is_flow ||
       inst->debug)
      return false;
   uint32_t full[4];
   for (unsigned i = 0; i < 4; i++)
      full[i] = read_u32(s->from + at + 4 * i);
   return isa_compact(s->gen, full, compact);
}

/* Fills new_B; the new size, or 0 if something does not decode. */
static size_t
plan(struct shrink *s)
{
   size_t to = 0;
   for (size_t at = 0; at < s->size_B;) {
      struct isa_inst inst;
      unsigned old_B;
      uint32_t compact[2];
      if (!isa_decode(s->gen, s->from + at, s->size_B - at, &inst, &old_B,
                      NULL))
         return 0;
      s->new_B[at / ISA_COMPACT_SIZE_B] = (uint32_t)to;
      if (old_B == ISA_INST_SIZE_B)
         s->new_B[at / ISA_COMPACT_SIZE_B + 1] = (uint32_t)to;
      to += try_compact_at(s, at, &inst, compact) ? ISA_COMPACT_SIZE_B
                                                  : old_B;
      at += old_B;
   }
   s->new_B[s->size_B / ISA_COMPACT_SIZE_B] = (uint32_t)to;
   return to;
}

static int32_t
moved_offset(const struct shrink *s, size_t base_B, int32_t offset_B)
{
   const int64_t target = (int64_t)base_B + offset_B;
   if (target < 0 || target > (int64_t)s->size_B ||
       target % ISA_COMPACT_SIZE_B)
      return offset_B;
   const size_t unit = (size_t)target / ISA_COMPACT_SIZE_B;
   return (int32_t)((int64_t)s->new_B[unit] -
                    (int64_t)s->new_B[base_B / ISA_COMPACT_SIZE_B]);
}

/* False if the mended jump cannot be written. */
static bool
mend_jump(const struct shrink *s, size_t at, struct isa_inst *inst,
          uint8_t *to)
{
   uint32_t full[4], compact[2];
   const bool absolute = inst->opcode == ISA_OPCODE_CALLA;
   const size_t base_B = absolute ? 0 : at;
   inst->jip = moved_offset(s, base_B, inst->jip);
   if (isa_opcode_info(inst->opcode)->has_uip)
      inst->uip = moved_offset(s, base_B, inst->uip);
   if (!isa_encode(s->gen, inst, full, NULL))
      return false;
   if (inst->compacted && !isa_compact(s->gen, full, compact))
      return false;
   for (unsigned i = 0; i < (inst->compacted ? 2u : 4u); i++)
      write_u32(to + 4 * i, inst->compacted ? compact[i] : full[i]);
   return true;
}

static bool
rewrite(const struct shrink *s, uint8_t *to)
{
   for (size_t at = 0; at < s->size_B;) {
      struct isa_inst inst;
      unsigned old_B;
      uint32_t compact[2];
      if (!isa_decode(s->gen, s->from + at, s->size_B - at, &inst, &old_B,
                      NULL))
         return false;
      uint8_t *p = to + s->new_B[at / ISA_COMPACT_SIZE_B];
      const struct isa_opcode_info *info = isa_opcode_info(inst.opcode);
      if (info->has_jip && inst.src[0].file == ISA_FILE_IMM) {
         if (!mend_jump(s, at, &inst, p))
            return false;
      } else if (try_compact_at(s, at, &inst, compact)) {
         write_u32(p, compact[0]);
         write_u32(p + 4, compact[1]);
      } else {
         memcpy(p, s->from + at, old_B);
      }
      at += old_B;
   }
   return true;
}

size_t
isa_compact_program(enum isa_gen gen, void *program, size_t size_B,
                    uint32_t *offsets_B, unsigned num_offsets)
{
   const size_t units = size_B / ISA_COMPACT_SIZE_B;
   if (size_B == 0 || size_B % ISA_COMPACT_SIZE_B)
      return 0;
   struct shrink s = { .gen = gen, .from = program, .size_B = size_B };
   s.new_B = calloc(units + 2, sizeof(*s.new_B));
   uint8_t *result = calloc(1, size_B);
   size_t new_size_B = s.new_B && result ? plan(&s) : 0;
   if (new_size_B && !rewrite(&s, result))
      new_size_B = 0;
   if (new_size_B) {
      memcpy(program, result, new_size_B);
      for (unsigned i = 0; i < num_offsets; i++) {
         if (offsets_B[i] <= size_B)
            offsets_B[i] = s.new_B[offsets_B[i] / ISA_COMPACT_SIZE_B];
      }
   }
   free(result);
   free(s.new_B);
   return new_size_B;
}
