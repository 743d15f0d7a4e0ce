/* SPDX-License-Identifier: MIT */
/*
 * Problem: before Gen8 no message has a 64-bit address, and where the kernel
 * moves objects no address stays what it was.
 *
 * Method: an address of a buffer is the number of its object and an offset in
 * that (saf_addresses.c). Where the object is now says a table, which is a
 * surface; what lies there is reached by untyped messages to two others, as
 * none may have more than 2^30 bytes (RENDER_SURFACE_STATE, PRM IVB vol 4
 * part 1, "Height"): the whole address space.
 *
 *    at    = table[high half] + low half
 *    value = at < SAF_WINDOW_B ? low[at] : high[at - SAF_WINDOW_B]
 *
 * Both accesses are made, one of them beyond the end of its surface, where
 * reads give 0 and nothing is written. The second surface begins before the
 * first one ends, so that no vector is in both in part.
 *
 * Before: atomic operations of 32 bits.
 * After: there are no global intrinsics.
 * Cost: a load of the table for each address, and each message twice.
 */
#include "compiler/nir/nir_builder.h"
#include "saf_pipeline.h"

/* Beyond the end of both, with any vector that begins there. */
#define OUTSIDE 0xc0000000u

struct state {
   struct saf_bind_map *map;
   uint32_t entries[SAF_MEMORY_SURFACES]; /* valid if there are any */
   bool has_entries;
};

static void
add_entries(struct state *s)
{
   struct saf_bind_map *map = s->map;
   for (uint32_t i = 0; i < SAF_MEMORY_SURFACES; i++) {
      s->entries[i] = map->surface_start + map->surface_count;
      map->surfaces[map->surface_count++] =
         (struct saf_binding) { .set = SAF_SET_MEMORY, .binding = i };
   }
   s->has_entries = true;
}

static bool
has_room(const struct saf_bind_map *map)
{
   return map->surface_start + map->surface_count + SAF_MEMORY_SURFACES <=
          SAF_MAX_BINDING_TABLE;
}

/* An offset in one of the surfaces, whose name is `entry`. */
struct place {
   nir_value *entry, *offset;
};

/* In which of the two something is: a condition; and where it is in them. */
static nir_value *
find_places(nir_builder *b, const struct state *s, nir_value *address,
            struct place places[2])
{
   nir_value *object = nir_unpack_64_2x32_split_y(b, address);
   nir_value *offset = nir_unpack_64_2x32_split_x(b, address);
   nir_value *start = nir_load_ssbo(
      b, 1, 32, nir_imm_int(b, (int)s->entries[SAF_MEMORY_TABLE]),
      nir_ishl_imm(b, object, 2), .align_mul = 4,
      .access = ACCESS_CAN_REORDER);
   nir_value *at = nir_iadd(b, start, offset);
   nir_value *is_low = nir_ult(b, at, nir_imm_int(b, SAF_WINDOW_B));
   nir_value *outside = nir_imm_int(b, (int)OUTSIDE);
   nir_value *behind =
      nir_iadd_imm(b, at, (uint64_t) - (int64_t)SAF_WINDOW_B);
   places[0] = (struct place) {
      nir_imm_int(b, (int)s->entries[SAF_MEMORY_LOW]),
      nir_bcsel(b, is_low, at, outside),
   };
   places[1] = (struct place) {
      nir_imm_int(b, (int)s->entries[SAF_MEMORY_HIGH]),
      nir_bcsel(b, is_low, outside, behind),
   };
   return is_low;
}

static nir_value *
load_from(nir_builder *b, const nir_intrinsic_instr *intr,
          const struct place *p)
{
   return nir_load_ssbo(b, intr->instr.result.num_components,
                        intr->instr.result.bit_size, p->entry, p->offset,
                        .access = nir_intrinsic_access(intr),
                        .align_mul = nir_intrinsic_align_mul(intr),
                        .align_offset = nir_intrinsic_align_offset(intr));
}

/* What is written of a vector, one by one, as other stores are. */
static void
store_to(nir_builder *b, const nir_intrinsic_instr *intr,
         const struct place *p)
{
   nir_value *value = intr->src[0].value;
   const unsigned size_B = value->bit_size / 8;
   for (unsigned i = 0; i < value->num_components; i++) {
      if (nir_intrinsic_write_mask(intr) & 1u << i)
         nir_store_ssbo(b, nir_channel(b, value, i), p->entry,
                        nir_iadd_imm(b, p->offset, i * size_B),
                        .write_mask = 1, .access = nir_intrinsic_access(intr),
                        .align_mul = size_B);
   }
}

static nir_value *
operate_on(nir_builder *b, const nir_intrinsic_instr *intr,
           nir_intrinsic_op op, const struct place *p)
{
   nir_value *srcs[4] = { p->entry, p->offset };
   for (unsigned i = 1; i < nir_intrinsic_infos[intr->intrinsic].num_srcs;
        i++)
      srcs[1 + i] = intr->src[i].value;
   nir_intrinsic_instr *atomic =
      nir_build_intrinsic_begin(b, op, 1, intr->instr.result.bit_size, srcs);
   return nir_emit(b, &atomic->instr);
}

static nir_intrinsic_op
atomic_op(nir_intrinsic_op op)
{
   switch ((int)op) {
#define ROW(name)                                                            \
   case nir_intrinsic_global_atomic_##name:                                  \
      return nir_intrinsic_ssbo_atomic_##name
      ROW(add);
      ROW(imin);
      ROW(umin);
      ROW(imax);
      ROW(umax);
      ROW(and);
      ROW(or);
      ROW(xor);
      ROW(exchange);
      ROW(comp_swap);
      ROW(fadd);
      ROW(fmin);
      ROW(fmax);
      ROW(fcomp_swap);
#undef ROW
   default: return nir_num_intrinsics;
   }
}

static bool
is_access(const nir_instr *instr)
{
   if (instr->kind != nir_kind_intrinsic)
      return false;
   const nir_intrinsic_op op =
      nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic;
   return op == nir_intrinsic_load_global ||
          op == nir_intrinsic_store_global ||
          atomic_op(op) != nir_num_intrinsics;
}

static bool
lower_instr(nir_builder *b, nir_instr *instr, void *data)
{
   struct state *s = data;
   struct place places[2];
   nir_value *parts[2] = { NULL, NULL };
   if (!is_access(instr))
      return false;
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
   const bool is_store = intr->intrinsic == nir_intrinsic_store_global;
   if (!s->has_entries)
      add_entries(s);
   b->cursor = nir_before_instr(instr);
   nir_value *is_low =
      find_places(b, s, intr->src[is_store ? 1 : 0].value, places);
   for (unsigned i = 0; i < 2; i++) {
      if (is_store)
         store_to(b, intr, &places[i]);
      else if (intr->intrinsic == nir_intrinsic_load_global)
         parts[i] = load_from(b, intr, &places[i]);
      else
         parts[i] =
            operate_on(b, intr, atomic_op(intr->intrinsic), &places[i]);
   }
   if (is_store)
      nir_instr_remove(instr);
   else
      nir_instr_replace(instr, nir_bcsel(b, is_low, parts[0], parts[1]));
   return true;
}

bool
saf_nir_lower_addresses(nir_shader *nir, struct saf_bind_map *map)
{
   struct state s = { .map = map };
   bool found = false;
   nir_foreach_block(block, nir_entry_point(nir)) {
      nir_foreach_instr(instr, block)
         found |= is_access(instr);
   }
   if (!found)
      return true;
   if (!has_room(map))
      return false;
   nir_visit_instrs(nir, lower_instr, nir_metadata_control_flow, &s);
   return true;
}
