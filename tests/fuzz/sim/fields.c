/* SPDX-License-Identifier: MIT */
/* Random values for fields of packets and structures: see fuzz.h. */
#include "fuzz.h"

uint64_t
rng_next(struct rng *r)
{
   uint64_t z = r->state += 0x9e3779b97f4a7c15ull;
   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
   z = (z ^ z >> 27) * 0x94d049bb133111ebull;
   return z ^ z >> 31;
}

uint32_t
rng_below(struct rng *r, uint32_t n)
{
   return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

bool
rng_one_in(struct rng *r, uint32_t n)
{
   return rng_below(r, n) == 0;
}

void
fields_set(uint32_t *dw, unsigned lo, unsigned bits, uint64_t value)
{
   for (unsigned done = 0; done < bits;) {
      const unsigned at = (lo + done) % 32, n = MIN2(32 - at, bits - done);
      const uint32_t mask = (uint32_t)(BITFIELD64_MASK(n) << at);
      uint32_t *p = &dw[(lo + done) / 32];
      *p = (*p & ~mask) | ((uint32_t)(value >> done << at) & mask);
      done += n;
   }
}

uint64_t
fields_get(const uint32_t *dw, unsigned lo, unsigned bits)
{
   uint64_t value = 0;
   for (unsigned done = 0; done < bits && done < 64;) {
      const unsigned at = (lo + done) % 32, n = MIN2(32 - at, bits - done);
      value |= (dw[(lo + done) / 32] >> at & BITFIELD64_MASK(n)) << done;
      done += n;
   }
   return value;
}

static void
list_from(const struct genxml_group *g, unsigned base, unsigned num_bits,
          struct util_dynarray *leaves)
{
   for (unsigned i = 0; i < g->num_fields; i++) {
      const struct genxml_field *f = &g->fields[i];
      const bool open = f->is_array && f->count == 0;
      const unsigned count = f->is_array ? f->count : 1;
      for (unsigned k = 0; open || k < count; k++) {
         const unsigned lo = base + f->lo + k * f->stride;
         if (lo + f->bits > num_bits)
            break;
         if (f->kind == GENXML_STRUCT) {
            list_from(f->group, lo, MIN2(num_bits, lo + f->bits), leaves);
         } else {
            const struct leaf leaf = { f, lo };
            util_dynarray_append(leaves, struct leaf, leaf);
         }
         if (open && !f->stride)
            break;
      }
   }
}

void
fields_list(const struct genxml_group *g, unsigned num_dw,
            struct util_dynarray *leaves)
{
   leaves->size_B = 0;
   list_from(g, 0, 32 * num_dw, leaves);
}

static uint64_t
random_address(struct rng *r, const struct entry *e)
{
   const struct corpus_bo *b = &e->bos[rng_below(r, e->num_bos)];
   const uint32_t near = rng_below(r, 4096);
   switch (rng_below(r, 8)) {
   case 0: return b->address + b->size_B - near;
   case 1: return b->address - near;
   case 2: return rng_next(r) >> rng_below(r, 64);
   case 3: return b->address + near;
   default: return b->address + rng_below(r, (uint32_t)b->size_B) / 64 * 64;
   }
}

static uint32_t
random_float(struct rng *r)
{
   static const uint32_t special[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
      0x7fc00000, 0x00000001, 0x7f7fffff, 0x4f000000, 0xcf000000, 0x5f000000,
      0x41800000, 0x3f000000, 0x00800000, 0x46fffe00,
   };
   const uint32_t any = (uint32_t)rng_next(r);
   if (rng_one_in(r, 3))
      return special[rng_below(r, ARRAY_SIZE(special))];
   /* Most are of an ordinary size. */
   return rng_one_in(r, 4) ? any : (any & 0x83ffffff) | 0x3c000000;
}

static uint64_t
random_number(struct rng *r, unsigned bits, uint64_t now)
{
   const uint64_t mask = bits >= 64 ? UINT64_MAX : BITFIELD64_MASK(bits);
   switch (rng_below(r, 8)) {
   case 0: return 0;
   case 1: return mask;
   case 2: return 1ull << rng_below(r, bits);
   case 3: return now + 1;
   case 4: return now - 1;
   case 5: return now ^ 1ull << rng_below(r, bits);
   case 6: return rng_below(r, 17);
   default: return rng_next(r);
   }
}

void
fields_randomise(struct rng *r, const struct entry *e,
                 const struct leaf *leaf, uint32_t *dw)
{
   const struct genxml_field *f = leaf->field;
   const uint64_t now = fields_get(dw, leaf->lo, f->bits);
   uint64_t value;
   if (f->kind == GENXML_BOOL && f->bits == 1)
      value = now ^ 1;
   else if (f->kind == GENXML_ADDRESS && !rng_one_in(r, 4))
      value = random_address(r, e) >> leaf->lo % 32;
   else if (f->kind == GENXML_OFFSET && !rng_one_in(r, 4))
      value = now + rng_below(r, 64) - 32;
   else if (f->kind == GENXML_FLOAT && !rng_one_in(r, 4))
      value = random_float(r);
   else if (f->num_values && !rng_one_in(r, 4))
      value = f->values[rng_below(r, f->num_values)].value;
   else
      value = random_number(r, f->bits, now);
   fields_set(dw, leaf->lo, f->bits, value);
}

void
fields_damage(struct rng *r, const struct entry *e,
              const struct genxml_group *g, uint32_t *dw, unsigned num_dw)
{
   static struct util_dynarray leaves;
   fields_list(g, num_dw, &leaves);
   const unsigned n = (unsigned)(leaves.size_B / sizeof(struct leaf));
   if (!n)
      return;
   const struct leaf *all = (const struct leaf *)leaves.data;
   fields_randomise(r, e, &all[rng_below(r, n)], dw);
}

void
bytes_damage(struct rng *r, void *bytes, unsigned size_B)
{
   uint32_t v;
   const unsigned at = rng_below(r, MAX2(size_B / 4, 1)) * 4;
   uint8_t *p = (uint8_t *)bytes + at;
   if (size_B < 4)
      return;
   memcpy(&v, p, 4);
   switch (rng_below(r, 6)) {
   case 0: v = random_float(r); break;
   case 1: v = (uint32_t)rng_next(r); break;
   case 2: v = (uint32_t)random_number(r, 32, v); break;
   case 3: v = (v & 0xffff0000) | (uint16_t)random_number(r, 16, v); break;
   default: v ^= 1u << rng_below(r, 32); break;
   }
   memcpy(p, &v, 4);
}
