/* SPDX-License-Identifier: MIT */
/* The parser's instructions. Nothing is inserted unless it is well formed
 * enough for the builder; the validator checks the rest. */
#include "nir_parse_private.h"

#include <ctype.h>

#include "nir_private.h"

/* --- Constants --------------------------------------------------------- */

static void
skip_to_paren(struct nir_parser *p)
{
   while (p->at < p->end && *p->at != ')' && *p->at != '\n')
      p->at++;
}

static void
parse_load_const(struct nir_parser *p, const struct nir_parse_dest *d)
{
   if (!nir_parse_need_ssa(p, d) || !nir_parse_expect(p, "("))
      return;
   nir_load_const_instr *lc =
      nir_new_load_const(p->shader, d->components, d->bit_size);
   for (unsigned i = 0; i < d->components && !p->error; i++) {
      uint64_t v = 0;
      if (i)
         nir_parse_expect(p, ",");
      if (nir_parse_accept(p, "true"))
         v = 1;
      else if (!nir_parse_accept(p, "false"))
         nir_parse_uint(p, &v);
      lc->value[i] = nir_const_value_for_raw_uint(v, d->bit_size);
   }
   /* The decimal forms are for people. */
   if (nir_parse_accept(p, "="))
      skip_to_paren(p);
   nir_parse_expect(p, ")");
   if (nir_parse_accept(p, "=")) {
      nir_parse_expect(p, "(");
      skip_to_paren(p);
      nir_parse_expect(p, ")");
   }
   if (p->error)
      return;
   hash_table_insert(&p->defs, d->number, &lc->instr.result);
   nir_parse_insert(p, &lc->instr);
}

/* --- Phis, jumps, calls ------------------------------------------------ */

static void
parse_phi(struct nir_parser *p, const struct nir_parse_dest *d)
{
   if (!d->present)
      nir_parse_fail(p, "a phi has a destination");
   if (p->error)
      return;
   nir_phi_instr *phi = nir_new_phi(p->shader);
   nir_parse_skip(p);
   if (p->at < p->end && *p->at == 'b') {
      do {
         struct nir_parse_phi_src src = { .phi = phi };
         if (!nir_parse_numbered(p, "block_", &src.block)) {
            nir_parse_fail(p, "expected block_N");
            return;
         }
         nir_parse_expect(p, ":");
         src.at = p->at;
         if (!nir_parse_numbered(p, "ssa_", &src.value)) {
            nir_parse_fail(p, "expected a value");
            return;
         }
         util_dynarray_append(&p->phi_srcs, struct nir_parse_phi_src, src);
      } while (nir_parse_accept(p, ","));
   }
   nir_parse_set_dest(p, &phi->instr, &phi->instr.result, d);
   nir_parse_insert(p, &phi->instr);
}

/* A jump that was put in led to phis that were there already, and gave them
 * undefined values: the text says which values these are. */
static void
drop_made_sources(nir_phi_instr *phi)
{
   nir_foreach_phi_source_safe(src, phi) {
      nir_value *made = src->use.value;
      nir_use_unlink(&src->use);
      list_del(&src->node);
      nir_instr_remove(made->instr);
   }
}

void
nir_parse_finish_phis(struct nir_parser *p)
{
   const nir_phi_instr *last = NULL;

   if (p->error)
      return;
   util_dynarray_foreach(&p->phi_srcs, struct nir_parse_phi_src, s) {
      if (s->phi != last)
         drop_made_sources(s->phi);
      last = s->phi;
   }
   util_dynarray_foreach(&p->phi_srcs, struct nir_parse_phi_src, s) {
      nir_block *block = hash_table_get(&p->blocks, s->block);
      nir_value *def = hash_table_get(&p->defs, s->value);
      if (!block || !def) {
         p->at = s->at;
         nir_parse_skip(p);
         nir_parse_fail(
            p, block ? "ssa_%llu is not defined" : "block_%llu is not there",
            (unsigned long long)(block ? s->value : s->block));
         break;
      }
      nir_phi_add_source(s->phi, block, nir_use_of(def));
   }
   util_dynarray_clear(&p->phi_srcs);
}

static void
parse_jump(struct nir_parser *p, nir_jump_type type)
{
   if (type == nir_jump_break || type == nir_jump_continue) {
      nir_cf_node *n = nir_cursor_current_block(p->b.cursor)->cf_node.parent;
      while (n && n->type != nir_cf_node_loop)
         n = n->parent;
      if (!n) {
         nir_parse_fail(p, "no loop to leave or to continue");
         return;
      }
   }
   nir_parse_insert(p, &nir_new_jump(p->shader, type)->instr);
}

static void
parse_call(struct nir_parser *p)
{
   char *name = nir_parse_ident(p);
   nir_function *callee = NULL;
   nir_foreach_function(f, p->shader) {
      if (name && f->name && strcmp(f->name, name) == 0)
         callee = f;
   }
   if (!callee) {
      nir_parse_fail(p, "no such function");
      return;
   }
   nir_call_instr *call = nir_new_call(p->shader, callee);
   for (unsigned i = 0; i < call->num_params && !p->error; i++) {
      if (i)
         nir_parse_expect(p, ",");
      nir_parse_src(p, &call->params[i]);
   }
   if (!p->error)
      nir_parse_insert(p, &call->instr);
}

/* --- ALU --------------------------------------------------------------- */

static int
find_op(const char *name)
{
   return nir_parse_find_row(name, nir_op_infos, sizeof(nir_op_infos[0]),
                             nir_num_opcodes);
}

/* Mesa's -x, abs(x) and -abs(x) as operands: by instructions before. */
static void
modify_source(struct nir_parser *p, nir_use *src, nir_alu_type type, bool abs,
              bool negate)
{
   const bool is_float = nir_type_base(type) == nir_type_float;
   nir_value *def = src->value;
   if (!abs && !negate)
      return;
   p->b.cursor = nir_after_block(nir_cursor_current_block(p->b.cursor));
   if (abs)
      def = is_float ? nir_fabs(&p->b, def) : nir_iabs(&p->b, def);
   if (negate)
      def = is_float ? nir_fneg(&p->b, def) : nir_ineg(&p->b, def);
   *src = nir_use_of(def);
}

/* Mesa's .sat: another instruction, whose result has the name. */
static void
insert_saturated(struct nir_parser *p, nir_alu_instr *alu,
                 const struct nir_parse_dest *d)
{
   nir_alu_instr *sat = nir_new_alu(p->shader, nir_op_fsat);
   if (nir_type_base(nir_op_infos[alu->op].output.type) != nir_type_float) {
      nir_parse_fail(p, "only floats saturate");
      return;
   }
   nir_set_result(&alu->instr, d->components, d->bit_size);
   nir_parse_insert(p, &alu->instr);
   sat->exact = alu->exact;
   sat->src[0].use = nir_use_of(&alu->instr.result);
   for (unsigned c = 0; c < d->components; c++)
      sat->src[0].swizzle[c] = (uint8_t)c;
   nir_parse_set_dest(p, &sat->instr, &sat->instr.result, d);
   nir_parse_insert(p, &sat->instr);
}

static void
parse_alu_src(struct nir_parser *p, nir_alu_instr *alu, unsigned i,
              unsigned write_mask)
{
   nir_operand *src = &alu->src[i];
   const bool negate = nir_parse_accept(p, "-");
   const bool abs = nir_parse_accept(p, "abs(");
   if (!nir_parse_src(p, &src->use))
      return;
   modify_source(p, &src->use, nir_op_infos[alu->op].input[i].type, abs,
                 negate);
   const unsigned have = src->use.value->num_components;
   const unsigned size = nir_op_infos[alu->op].input[i].size;
   uint8_t comps[NIR_MAX_VEC_COMPONENTS];
   unsigned n = have;
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++)
      comps[c] = (uint8_t)MIN2(c, have - 1);
   /* No space before the dot. */
   if (p->at < p->end && *p->at == '.') {
      p->at++;
      n = nir_parse_components(p, have, comps);
   }
   if (abs)
      nir_parse_expect(p, ")");
   if (p->error)
      return;

   /* As many letters as channels that are read. */
   const unsigned mask = size ? BITFIELD_MASK(size) : write_mask;
   if (n != (unsigned)__builtin_popcount(mask)) {
      nir_parse_fail(p, "%u components where %u are read", n,
                     (unsigned)__builtin_popcount(mask));
      return;
   }
   unsigned next = 0;
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++)
      src->swizzle[c] = (mask >> c) & 1 ? comps[next++] : 0;
}

static void
parse_alu(struct nir_parser *p, const struct nir_parse_dest *d)
{
   const char *start = p->at;
   char *name = nir_parse_ident(p);
   const int op = name ? find_op(name) : -1;
   if (op < 0 || !d->present) {
      p->at = start;
      nir_parse_skip(p);
      nir_parse_fail(p, op < 0 ? "unknown instruction"
                               : "the instruction needs a destination");
      return;
   }
   nir_alu_instr *alu = nir_new_alu(p->shader, (nir_op)op);
   if (p->at < p->end && *p->at == '!') {
      alu->exact = true;
      p->at++;
   }
   bool saturate = false;
   while (p->at < p->end && *p->at == '.') {
      if (nir_parse_accept(p, ".sat"))
         saturate = true;
      else if (nir_parse_accept(p, ".nsw"))
         alu->no_signed_wrap = true;
      else if (nir_parse_accept(p, ".nuw"))
         alu->no_unsigned_wrap = true;
      else
         nir_parse_fail(p, "unknown flag");
      if (p->error)
         return;
   }
   const unsigned mask = d->reg ? d->write_mask
                                : BITFIELD_MASK(d->components);
   for (unsigned i = 0; i < nir_op_infos[op].num_inputs && !p->error; i++) {
      if (i)
         nir_parse_expect(p, ",");
      parse_alu_src(p, alu, i, mask);
   }
   if (p->error)
      return;
   if (saturate) {
      insert_saturated(p, alu, d);
      return;
   }
   nir_parse_set_dest(p, &alu->instr, &alu->instr.result, d);
   nir_parse_insert(p, &alu->instr);
}

/* --- Any --------------------------------------------------------------- */

static bool
parse_jump_or_call(struct nir_parser *p)
{
   if (nir_parse_accept(p, "break"))
      parse_jump(p, nir_jump_break);
   else if (nir_parse_accept(p, "continue"))
      parse_jump(p, nir_jump_continue);
   else if (nir_parse_accept(p, "return"))
      parse_jump(p, nir_jump_return);
   else if (nir_parse_accept(p, "halt"))
      parse_jump(p, nir_jump_halt);
   else if (nir_parse_accept(p, "call"))
      parse_call(p);
   else
      return false;
   return true;
}

void
nir_parse_instr(struct nir_parser *p)
{
   static const struct {
      const char *name;
      nir_deref_type type;
   } derefs[] = {
      { "deref_var", nir_deref_type_var },
      { "deref_array", nir_deref_type_array },
      { "deref_array_wildcard", nir_deref_type_array_wildcard },
      { "deref_ptr_as_array", nir_deref_type_ptr_as_array },
      { "deref_struct", nir_deref_type_struct },
      { "deref_cast", nir_deref_type_cast },
   };
   if (parse_jump_or_call(p))
      return;
   struct nir_parse_dest d;
   if (!nir_parse_dest(p, &d))
      return;
   if (nir_parse_accept(p, "intrinsic")) {
      nir_parse_intrinsic(p, &d);
      return;
   }
   if (nir_parse_accept(p, "load_const")) {
      parse_load_const(p, &d);
      return;
   }
   if (nir_parse_accept(p, "phi")) {
      parse_phi(p, &d);
      return;
   }
   if (nir_parse_accept(p, "undefined")) {
      if (!nir_parse_need_ssa(p, &d))
         return;
      nir_instr *undef = nir_new_undef(p->shader, d.components, d.bit_size);
      hash_table_insert(&p->defs, d.number, &undef->result);
      nir_parse_insert(p, undef);
      return;
   }
   if (nir_parse_accept(p, "(")) {
      nir_parse_tex(p, &d);
      return;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(derefs); i++) {
      if (nir_parse_accept(p, derefs[i].name)) {
         nir_parse_deref(p, &d, derefs[i].type);
         return;
      }
   }
   parse_alu(p, &d);
}
