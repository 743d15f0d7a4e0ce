/* SPDX-License-Identifier: MIT */
/* Sources and destinations in the text form. */
#include "nir_parse_private.h"

#include <ctype.h>

nir_ssa_def *
nir_parse_ssa(struct nir_parser *p)
{
   uint64_t n = 0;
   const char *start = p->at;
   if (!nir_parse_numbered(p, "ssa_", &n)) {
      nir_parse_fail(p, "expected a value");
      return NULL;
   }
   nir_ssa_def *def = hash_table_get(&p->defs, n);
   if (!def) {
      p->at = start;
      nir_parse_skip(p);
      nir_parse_fail(p, "ssa_%llu is used before it is defined",
                     (unsigned long long)n);
   }
   return def;
}

/* rN or rN[base] or rN[base + ssa_M] */
static nir_register *
parse_reg(struct nir_parser *p, unsigned *base_offset, nir_src **indirect)
{
   uint64_t n = 0;
   if (!nir_parse_numbered(p, "r", &n)) {
      nir_parse_fail(p, "expected a register");
      return NULL;
   }
   nir_register *reg = hash_table_get(&p->regs, n);
   if (!reg) {
      nir_parse_fail(p, "r%llu is not declared", (unsigned long long)n);
      return NULL;
   }
   *base_offset = 0;
   *indirect = NULL;
   if (reg->num_array_elems && nir_parse_expect(p, "[")) {
      uint64_t base = 0;
      nir_parse_uint(p, &base);
      if (base >= reg->num_array_elems)
         nir_parse_fail(p, "r%llu has %u elements", (unsigned long long)n,
                        reg->num_array_elems);
      *base_offset = (unsigned)base;
      if (nir_parse_accept(p, "+")) {
         nir_ssa_def *def = nir_parse_ssa(p);
         if (def && (def->num_components != 1 || def->bit_size != 32))
            nir_parse_fail(p, "an indirect offset is a 32-bit scalar");
         if (!p->error) {
            *indirect = arena_new(p->shader->arena, nir_src);
            **indirect = nir_src_for_ssa(def);
         }
      }
      nir_parse_expect(p, "]");
   }
   return p->error ? NULL : reg;
}

bool
nir_parse_src(struct nir_parser *p, nir_src *src)
{
   nir_parse_skip(p);
   if (p->at < p->end && *p->at == 'r') {
      unsigned base;
      nir_src *indirect;
      nir_register *reg = parse_reg(p, &base, &indirect);
      if (!reg)
         return false;
      *src = nir_src_for_reg(reg);
      src->reg.base_offset = base;
      src->reg.indirect = indirect;
      return true;
   }
   nir_ssa_def *def = nir_parse_ssa(p);
   if (def)
      *src = nir_src_for_ssa(def);
   return def != NULL;
}

/* Letters of components that `have` has; their count, or 0 and an error. */
unsigned
nir_parse_components(struct nir_parser *p, unsigned have,
                     uint8_t comps[NIR_MAX_VEC_COMPONENTS])
{
   const char *letters = have > 4 ? "abcdefghijklmnop" : "xyzw";
   char *text = nir_parse_ident(p);
   unsigned n = 0;
   for (; text && text[n]; n++) {
      const char *l = strchr(letters, text[n]);
      if (!l || (unsigned)(l - letters) >= have ||
          n == NIR_MAX_VEC_COMPONENTS) {
         nir_parse_fail(p, "no such component: %s", text);
         return 0;
      }
      comps[n] = (uint8_t)(l - letters);
   }
   return n;
}

bool
nir_parse_dest(struct nir_parser *p, struct nir_parse_dest *d)
{
   memset(d, 0, sizeof(*d));
   if (nir_parse_peek(p, "vec") ||
       (p->end - p->at > 3 && memcmp(p->at, "vec", 3) == 0 &&
        isdigit((unsigned char)p->at[3]))) {
      d->present = d->is_ssa = true;
      if (!nir_parse_vec_and_bits(p, &d->components, &d->bit_size))
         return false;
      if (!nir_parse_accept(p, "con"))
         nir_parse_accept(p, "div");
      if (!nir_parse_numbered(p, "ssa_", &d->number)) {
         nir_parse_fail(p, "expected a value");
         return false;
      }
      if (hash_table_has(&p->defs, d->number)) {
         nir_parse_fail(p, "ssa_%llu is defined twice",
                        (unsigned long long)d->number);
         return false;
      }
      return nir_parse_expect(p, "=");
   }
   if (p->end - p->at > 1 && p->at[0] == 'r' &&
       isdigit((unsigned char)p->at[1])) {
      d->present = true;
      d->reg = parse_reg(p, &d->base_offset, &d->indirect);
      if (!d->reg)
         return false;
      d->components = d->reg->num_components;
      d->bit_size = d->reg->bit_size;
      d->write_mask = BITFIELD_MASK(d->components);
      if (nir_parse_accept(p, ".")) {
         uint8_t comps[NIR_MAX_VEC_COMPONENTS];
         const unsigned n = nir_parse_components(p, d->components, comps);
         d->write_mask = 0;
         for (unsigned i = 0; i < n; i++)
            d->write_mask |= 1u << comps[i];
      }
      return nir_parse_expect(p, "=");
   }
   return true;
}

void
nir_parse_set_dest(struct nir_parser *p, nir_instr *instr, nir_dest *dest,
                   const struct nir_parse_dest *d)
{
   if (d->is_ssa) {
      nir_ssa_dest_init(instr, dest, d->components, d->bit_size, NULL);
      hash_table_insert(&p->defs, d->number, &dest->ssa);
   } else {
      *dest = nir_dest_for_reg(d->reg);
      dest->reg.base_offset = d->base_offset;
      dest->reg.indirect = d->indirect;
   }
}

void
nir_parse_insert(struct nir_parser *p, nir_instr *instr)
{
   nir_block *block = nir_cursor_current_block(p->b.cursor);
   nir_instr *last = nir_block_last_instr(block);
   if (last && last->type == nir_instr_type_jump) {
      nir_parse_fail(p, "an instruction after a jump");
   } else if (instr->type == nir_instr_type_phi && last &&
              last->type != nir_instr_type_phi) {
      nir_parse_fail(p, "phis stand first in their block");
   } else if (!p->error) {
      p->b.cursor = nir_after_block(block);
      nir_builder_instr_insert(&p->b, instr);
   }
}

bool
nir_parse_need_ssa(struct nir_parser *p, const struct nir_parse_dest *d)
{
   if (!d->present || !d->is_ssa)
      nir_parse_fail(p, "this instruction defines an SSA value");
   return !p->error;
}
