/* SPDX-License-Identifier: MIT */
/* Bits that genxml gives to no field must be zero. */
#include "strict_private.h"

/* The fields that own bits of dword `at`, as a mask. */
static uint32_t
owned(const struct genxml_group *g, unsigned at, unsigned n)
{
   uint32_t mask = 0;
   if (at == 0)
      mask = g->opcode_mask | BITFIELD_RANGE(g->length_lo, g->length_bits);
   for (unsigned i = 0; i < g->num_fields; i++) {
      const struct genxml_field *f = &g->fields[i];
      /* Elements that fit into a dword divide none; of others, all bits of
       * the array count. */
      const unsigned count = f->count ? f->count
                                      : (n * 32 - MIN2(f->lo, n * 32)) /
                                           MAX2(f->stride, 1);
      for (unsigned e = 0; e < MAX2(count, 1); e++) {
         const unsigned lo = f->lo + e * f->stride, hi = lo + f->bits - 1;
         if (hi / 32 < at || lo / 32 > at)
            continue;
         const unsigned first = lo / 32 == at ? lo % 32 : 0;
         const unsigned last = hi / 32 == at ? hi % 32 : 31;
         mask |= BITFIELD_RANGE(first, last - first + 1);
      }
   }
   return mask;
}

void
strict_reserved(struct strict_command *c)
{
   const unsigned fixed = c->group->variable ? c->group->dwords
                                             : MIN2(c->n, c->group->dwords);
   if (!strict_on(c, STRICT_RSV_01))
      return;
   for (unsigned i = 0; i < fixed; i++) {
      const uint32_t stray = c->dw[i] ? c->dw[i] & ~owned(c->group, i, c->n)
                                      : 0;
      if (stray)
         strict_broken(c, STRICT_RSV_01, "0x%08x in dword %u", stray, i);
   }
}
