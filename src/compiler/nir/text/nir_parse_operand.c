/* SPDX-License-Identifier: MIT */
/* Sources and destinations in the text form. */
#include "nir_parse_private.h"

#include <ctype.h>

nir_value *
nir_parse_ssa(struct nir_parser *p)
{
   uint64_t n = 0;
   const char *start = p->at;
   if (!nir_parse_numbered(p, "ssa_", &n)) {
      nir_parse_fail(p, "expected a value");
      return NULL;
   }
   nir_value *def = hash_table_get(&p->defs, n);
   if (!def) {
      p->at = start;
      nir_parse_skip(p);
      nir_parse_fail(p, "ssa_%llu is used before it is defined",
                     (unsigned long long)n);
   }
   return def;
}

/* Where code goes that stands before what is read now. */
static void
continue_block(struct nir_parser *p)
{
   p->b.cursor = nir_after_block(nir_cursor_current_block(p->b.cursor));
}

/* rN or rN[base] or rN[base + ssa_M], which Mesa prints after it has left
 * SSA: a place in a variable. */
static nir_deref_instr *
parse_reg(struct nir_parser *p)
{
   uint64_t n = 0, base = 0;
   if (!nir_parse_numbered(p, "r", &n)) {
      nir_parse_fail(p, "expected a register");
      return NULL;
   }
   nir_variable *var = hash_table_get(&p->regs, n);
   if (!var) {
      nir_parse_fail(p, "r%llu is not declared", (unsigned long long)n);
      return NULL;
   }
   nir_value *indirect = NULL;
   const bool is_array = glsl_type_is_array(var->type);
   if (is_array && nir_parse_expect(p, "[")) {
      nir_parse_uint(p, &base);
      if (base >= glsl_get_length(var->type))
         nir_parse_fail(p, "r%llu has %u elements", (unsigned long long)n,
                        glsl_get_length(var->type));
      if (nir_parse_accept(p, "+"))
         indirect = nir_parse_ssa(p);
      if (indirect &&
          (indirect->num_components != 1 || indirect->bit_size != 32))
         nir_parse_fail(p, "an indirect offset is a 32-bit scalar");
      nir_parse_expect(p, "]");
   }
   if (p->error)
      return NULL;
   continue_block(p);
   nir_deref_instr *deref = nir_deref_to(&p->b, var);
   if (!is_array)
      return deref;
   nir_value *index = nir_imm_int(&p->b, (int)base);
   return nir_build_deref_array(
      &p->b, deref, indirect ? nir_iadd(&p->b, index, indirect) : index);
}

bool
nir_parse_src(struct nir_parser *p, nir_use *src)
{
   nir_value *def = NULL;
   nir_parse_skip(p);
   if (p->at < p->end && *p->at == 'r') {
      nir_deref_instr *reg = parse_reg(p);
      if (reg)
         def = nir_load_deref(&p->b, reg);
   } else {
      def = nir_parse_ssa(p);
   }
   if (def)
      *src = nir_use_of(def);
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
      d->present = true;
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
      d->reg = parse_reg(p);
      if (!d->reg)
         return false;
      d->components = glsl_get_vector_elements(d->reg->type);
      d->bit_size = glsl_get_bit_size(d->reg->type);
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
nir_parse_set_dest(struct nir_parser *p, nir_instr *instr, nir_value *dest,
                   const struct nir_parse_dest *d)
{
   nir_set_result(instr, d->components, d->bit_size);
   if (d->reg)
      p->store = (struct nir_parse_store) { d->reg, dest, d->write_mask };
   else
      hash_table_insert(&p->defs, d->number, dest);
}

void
nir_parse_insert(struct nir_parser *p, nir_instr *instr)
{
   nir_block *block = nir_cursor_current_block(p->b.cursor);
   nir_instr *last = nir_block_last_instr(block);
   if (last && last->kind == nir_kind_jump) {
      nir_parse_fail(p, "an instruction after a jump");
   } else if (instr->kind == nir_kind_phi && last &&
              last->kind != nir_kind_phi) {
      nir_parse_fail(p, "phis stand first in their block");
   } else if (!p->error) {
      p->b.cursor = nir_after_block(block);
      nir_emit(&p->b, instr);
      if (p->store.to && instr->kind == nir_kind_phi)
         nir_parse_fail(p, "a phi defines an SSA value");
      else if (p->store.to)
         nir_store_deref(&p->b, p->store.to, p->store.value,
                         p->store.write_mask);
      p->store.to = NULL;
   }
}

bool
nir_parse_need_ssa(struct nir_parser *p, const struct nir_parse_dest *d)
{
   if (!d->present || d->reg)
      nir_parse_fail(p, "this instruction defines an SSA value");
   return !p->error;
}
