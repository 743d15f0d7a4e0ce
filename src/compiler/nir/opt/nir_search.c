/* SPDX-License-Identifier: MIT */
/*
 * Search and replace, driven by tables from nir_algebraic.py.
 *
 * Before: SSA, no source modifiers. Each ALU instruction has a state of the
 * automaton, computed from those of its sources; the state lists the rules
 * worth trying. A match is replaced by new instructions in front of the old
 * one; they and the users of the result get their states anew. Cost: linear
 * in instructions plus replacements.
 */
#include "nir_search.h"

#include "nir_builder.h"
#include "util/dynarray.h"
#include "util/guard.h"

#define STATE_ANY 0
#define STATE_CONST 1

struct binding {
   bool bound;
   nir_value *def;
   uint8_t swizzle[NIR_MAX_VEC_COMPONENTS];
};

struct match {
   const struct nir_search_table *table;
   struct binding var[NIR_SEARCH_MAX_VARS];
   bool exact;       /* an exact instruction is part of it */
   bool allow_exact; /* the rule may touch one */
   unsigned swaps;   /* bit i: commutative node i in walk order is swapped */
   unsigned num_commutative;
};

struct search {
   nir_shader *shader;
   nir_builder b;
   const struct nir_search_table *table;
   const bool *conditions;
   uint16_t *state; /* by ssa_def index */
   unsigned num_states;
   struct util_dynarray work; /* nir_alu_instr *; may hold some twice */
};

/*
 * Conditions
 */

static uint64_t
const_component(const nir_alu_instr *instr, unsigned src, unsigned comp)
{
   const nir_const_value *v = nir_use_constant(instr->src[src].use);
   return nir_const_value_as_uint(v[comp],
                                  instr->src[src].use.value->bit_size);
}

static bool
is_const(const nir_alu_instr *instr, unsigned src)
{
   return nir_use_is_const(instr->src[src].use);
}

bool
nir_search_is_pow2(const nir_alu_instr *instr, unsigned src, unsigned n,
                   const uint8_t *swizzle)
{
   for (unsigned i = 0; i < n; i++) {
      if (!util_is_power_of_two_nonzero(
             const_component(instr, src, swizzle[i])))
         return false;
   }
   return true;
}

bool
nir_search_is_used_once(const nir_alu_instr *instr, unsigned src, unsigned n,
                        const uint8_t *swizzle)
{
   const nir_value *def = instr->src[src].use.value;
   return nir_value_only_use(def) != NULL;
}

bool
nir_search_is_not_const(const nir_alu_instr *instr, unsigned src, unsigned n,
                        const uint8_t *swizzle)
{
   return !is_const(instr, src);
}

bool
nir_search_is_not_negative(const nir_alu_instr *instr, unsigned src,
                           unsigned n, const uint8_t *swizzle)
{
   if (!is_const(instr, src))
      return false;
   const unsigned bits = instr->src[src].use.value->bit_size;
   for (unsigned i = 0; i < n; i++) {
      if (const_component(instr, src, swizzle[i]) >> (bits - 1))
         return false;
   }
   return true;
}

/* How deep to look into what a float is made of. */
#define MAX_DEPTH 4

/* Whether a float is known not to be less than zero. */
static bool
never_negative(const nir_operand *src, unsigned comp, unsigned depth)
{
   const unsigned c = src->swizzle[comp];
   if (!depth)
      return false;
   const nir_instr *from = src->use.value->instr;
   if (from->kind == nir_kind_load_const) {
      const unsigned bits = src->use.value->bit_size;
      return !(nir_use_comp_as_uint(src->use, c) >> (bits - 1));
   }
   if (from->kind != nir_kind_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)from);
   const nir_operand *s = alu->src;
   switch (alu->op) {
   case nir_op_fabs:
   case nir_op_fsat:
   case nir_op_fexp2:
   case nir_op_fsqrt:
   case nir_op_frsq:
   case nir_op_b2f64:
   case nir_op_u2f64: return true;
   case nir_op_mov:
   case nir_op_f2f64: return never_negative(&s[0], c, depth - 1);
   case nir_op_fmul:
      if (nir_operands_equal(alu, alu, 0, 1))
         return true;
      FALLTHROUGH;
   case nir_op_fadd:
   case nir_op_fmin:
      return never_negative(&s[0], c, depth - 1) &&
             never_negative(&s[1], c, depth - 1);
   case nir_op_fmax:
      return never_negative(&s[0], c, depth - 1) ||
             never_negative(&s[1], c, depth - 1);
   default: return false;
   }
}

bool
nir_search_is_never_negative(const nir_alu_instr *instr, unsigned src,
                             unsigned n, const uint8_t *swizzle)
{
   for (unsigned i = 0; i < n; i++) {
      /* As `instr` reads it, whatever stands between. */
      const nir_operand s = { .use = instr->src[src].use,
                              .swizzle = { swizzle[i] } };
      if (!never_negative(&s, 0, MAX_DEPTH))
         return false;
   }
   return true;
}

bool
nir_search_is_finite_const(const nir_alu_instr *instr, unsigned src,
                           unsigned n, const uint8_t *swizzle)
{
   if (!is_const(instr, src))
      return false;
   static const uint64_t exponent[] = {
      [1] = 0x7c00, [2] = 0x7f800000, [4] = 0x7ff0000000000000ull
   };
   const unsigned bits = instr->src[src].use.value->bit_size;
   if (bits < 16)
      return false;
   for (unsigned i = 0; i < n; i++) {
      const uint64_t mask = exponent[bits / 16];
      if ((const_component(instr, src, swizzle[i]) & mask) == mask)
         return false;
   }
   return true;
}

/*
 * Matching
 */

static bool match_value(struct match *m, unsigned node,
                        const nir_alu_instr *instr, unsigned src, unsigned n,
                        const uint8_t *swizzle);

/* The bits that a constant of a rule has in a source of this type. Those of
 * a select are uint, whatever they hold. */
static bool
const_bits(const struct nir_search_node *node, nir_alu_type type,
           unsigned bits, uint64_t *out)
{
   const nir_alu_type base = nir_type_base(type);
   if (base == nir_type_float ||
       (base == nir_type_uint && node->is_float && bits >= 16)) {
      const double d = node->is_float ? util_bits_double(node->i)
                                      : (double)(int64_t)node->i;
      *out =
         nir_const_value_as_uint(nir_const_value_for_float(d, bits), bits);
      return true;
   }
   if (node->is_float)
      return false;
   uint64_t v = node->i;
   /* True is all ones in booleans of more than one bit. */
   if (base == nir_type_bool && v)
      v = ~0ull;
   *out = v & BITFIELD64_MASK(bits);
   return true;
}

static bool
match_const(const struct nir_search_node *node, const nir_alu_instr *instr,
            unsigned src, unsigned n, const uint8_t *swizzle)
{
   if (!is_const(instr, src))
      return false;
   const unsigned bits = instr->src[src].use.value->bit_size;
   uint64_t want;
   if (!const_bits(node, nir_op_infos[instr->op].input[src].type, bits,
                   &want))
      return false;
   for (unsigned i = 0; i < n; i++) {
      if (const_component(instr, src, swizzle[i]) != want)
         return false;
   }
   return true;
}

static void
bind(struct binding *b, nir_value *def, unsigned n, const uint8_t *swizzle)
{
   b->bound = true;
   b->def = def;
   memset(b->swizzle, 0, sizeof(b->swizzle));
   memcpy(b->swizzle, swizzle, n);
}

static bool
is_bound_to(const struct binding *b, const nir_value *def, unsigned n,
            const uint8_t *swizzle)
{
   return b->def == def && memcmp(b->swizzle, swizzle, n) == 0;
}

static bool
match_var(struct match *m, const struct nir_search_node *node,
          const nir_alu_instr *instr, unsigned src, unsigned n,
          const uint8_t *swizzle)
{
   struct binding *b = &m->var[node->var];
   nir_value *def = instr->src[src].use.value;
   if (node->is_const && !is_const(instr, src))
      return false;
   if (node->condition && !node->condition(instr, src, n, swizzle))
      return false;
   if (b->bound)
      return is_bound_to(b, def, n, swizzle);
   bind(b, def, n, swizzle);
   return true;
}

/* Whether nothing but sums, and negations in sums, read a value. */
static bool
is_only_added(const nir_value *def)
{
   if (nir_value_is_condition(def))
      return false;
   nir_foreach_instr_use(use, def) {
      const nir_alu_instr *user = nir_maybe_alu(use->instr);
      if (!user)
         return false;
      if (user->op != nir_op_fadd &&
          (user->op != nir_op_fneg || !is_only_added(&user->instr.result)))
         return false;
   }
   return true;
}

static bool
match_expr(struct match *m, const struct nir_search_node *node,
           nir_alu_instr *instr, unsigned n, const uint8_t *swizzle)
{
   if (instr->op != node->op)
      return false;
   if (node->bits && instr->instr.result.bit_size != (unsigned)node->bits)
      return false;
   if (node->used_once && !nir_value_only_use(&instr->instr.result))
      return false;
   if (node->only_added && !is_only_added(&instr->instr.result))
      return false;
   if (instr->exact && !m->allow_exact)
      return false;
   const nir_op_info *info = &nir_op_infos[instr->op];
   /* A fixed-size result cannot be rearranged by what reads it. */
   if (info->output.size != 0) {
      for (unsigned i = 0; i < n; i++) {
         if (swizzle[i] != i)
            return false;
      }
   }
   bool swap = false;
   if (node->commutative)
      swap = m->swaps >> m->num_commutative++ & 1;
   m->exact |= instr->exact;
   for (unsigned i = 0; i < node->num_srcs; i++) {
      const unsigned s = swap && i < 2 ? 1 - i : i;
      if (!match_value(m, node->src[i], instr, s, n, swizzle))
         return false;
   }
   return true;
}

/* An expression in a source; where it stands in the rule again it is the
 * value that it was found to be. */
static bool
match_source_expr(struct match *m, const struct nir_search_node *node,
                  nir_value *def, unsigned n, const uint8_t *swizzle)
{
   struct binding *b = node->bound_to ? &m->var[node->bound_to - 1] : NULL;
   if (b && b->bound)
      return is_bound_to(b, def, n, swizzle);
   if (def->instr->kind != nir_kind_alu)
      return false;
   if (b)
      bind(b, def, n, swizzle);
   return match_expr(m, node, nir_instr_as_alu(def->instr), n, swizzle);
}

/* Matches a source of `instr`, as components swizzle[0..n) of its result
 * see it. */
static bool
match_value(struct match *m, unsigned number, const nir_alu_instr *instr,
            unsigned src, unsigned n, const uint8_t *swizzle)
{
   const struct nir_search_node *node = &m->table->nodes[number];
   const nir_operand *s = &instr->src[src];
   if (node->bits && s->use.value->bit_size != (unsigned)node->bits)
      return false;

   uint8_t composed[NIR_MAX_VEC_COMPONENTS] = { 0 };
   const unsigned size = nir_op_infos[instr->op].input[src].size;
   if (size)
      n = size;
   for (unsigned i = 0; i < n; i++)
      composed[i] = s->swizzle[size ? i : swizzle[i]];

   switch (node->kind) {
   case NIR_SEARCH_CONST: return match_const(node, instr, src, n, composed);
   case NIR_SEARCH_VAR: return match_var(m, node, instr, src, n, composed);
   case NIR_SEARCH_EXPR:
      return match_source_expr(m, node, s->use.value, n, composed);
   }
   unreachable("search node");
}

/* Orders of commutative sources are tried up to 2 to this number. */
#define MAX_COMMUTATIVE 6

static unsigned
count_commutative(const struct nir_search_table *t, unsigned number)
{
   const struct nir_search_node *node = &t->nodes[number];
   if (node->kind != NIR_SEARCH_EXPR)
      return 0;
   unsigned n = node->commutative;
   for (unsigned i = 0; i < node->num_srcs; i++)
      n += count_commutative(t, node->src[i]);
   return n;
}

/* Tries every order of commutative sources. */
static bool
match_rule(struct match *m, const struct nir_search_table *t,
           const struct nir_search_rule *rule, nir_alu_instr *instr)
{
   uint8_t identity[NIR_MAX_VEC_COMPONENTS];
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++)
      identity[c] = (uint8_t)c;
   const unsigned n = instr->instr.result.num_components;
   const unsigned orders =
      MIN2(count_commutative(t, rule->search), MAX_COMMUTATIVE);
   for (unsigned swaps = 0; swaps < 1u << orders; swaps++) {
      *m = (struct match) { .table = t,
                            .swaps = swaps,
                            .allow_exact = rule->exact };
      if (match_expr(m, &t->nodes[rule->search], instr, n, identity))
         return true;
   }
   return false;
}

/*
 * Replacing
 */

struct build {
   struct search *s;
   const struct match *m;
   unsigned result_bits;
};

static unsigned
node_bits(const struct build *bd, const struct nir_search_node *node)
{
   if (node->bits > 0)
      return (unsigned)node->bits;
   if (node->bits == 0)
      return bd->result_bits;
   return bd->m->var[-1 - node->bits].def->bit_size;
}

static nir_operand build_value(struct build *bd, unsigned number, unsigned n,
                               nir_alu_type type);
static void set_state(struct search *s, const nir_value *def, uint16_t state);

static nir_value *
build_expr(struct build *bd, const struct nir_search_node *node, unsigned n)
{
   const nir_op_info *info = &nir_op_infos[node->op];
   if (info->output.size)
      n = info->output.size;
   nir_alu_instr *alu = nir_new_alu(bd->s->shader, node->op);
   nir_set_result(&alu->instr, n, node_bits(bd, node));
   alu->exact = bd->m->exact;
   for (unsigned i = 0; i < node->num_srcs; i++) {
      const unsigned size = info->input[i].size;
      alu->src[i] =
         build_value(bd, node->src[i], size ? size : n, info->input[i].type);
   }
   nir_emit(&bd->s->b, &alu->instr);
   util_dynarray_append(&bd->s->work, nir_alu_instr *, alu);
   return &alu->instr.result;
}

static nir_operand
src_of(nir_value *def)
{
   nir_operand src = { .use = nir_use_of(def) };
   for (unsigned i = 0; i < NIR_MAX_VEC_COMPONENTS; i++)
      src.swizzle[i] = (uint8_t)(i < def->num_components ? i : 0);
   return src;
}

static nir_operand
build_const(struct build *bd, const struct nir_search_node *node, unsigned n,
            nir_alu_type type)
{
   const unsigned bits = node_bits(bd, node);
   uint64_t v = 0;
   const bool fits = const_bits(node, type, bits, &v);
   assert(fits && "a float constant where an integer is needed");
   (void)fits;
   nir_const_value value[NIR_MAX_VEC_COMPONENTS];
   for (unsigned i = 0; i < n; i++)
      value[i] = nir_const_value_for_raw_uint(v, bits);
   nir_value *def = nir_build_imm(&bd->s->b, n, bits, value);
   set_state(bd->s, def, STATE_CONST);
   return src_of(def);
}

static nir_operand
build_value(struct build *bd, unsigned number, unsigned n, nir_alu_type type)
{
   const struct nir_search_node *node = &bd->s->table->nodes[number];
   switch (node->kind) {
   case NIR_SEARCH_EXPR: return src_of(build_expr(bd, node, n));
   case NIR_SEARCH_CONST: return build_const(bd, node, n, type);
   case NIR_SEARCH_VAR: {
      const struct binding *v = &bd->m->var[node->var];
      nir_operand src = { .use = nir_use_of(v->def) };
      for (unsigned i = 0; i < NIR_MAX_VEC_COMPONENTS; i++) {
         src.swizzle[i] =
            v->swizzle[node->component >= 0 ? (unsigned)node->component : i];
      }
      return src;
   }
   }
   unreachable("search node");
}

/*
 * The walk
 */

static uint16_t
def_state(const struct search *s, const nir_value *def)
{
   return def->index < s->num_states ? s->state[def->index] : STATE_ANY;
}

static void
set_state(struct search *s, const nir_value *def, uint16_t state)
{
   if (def->index >= s->num_states) {
      const unsigned n = MAX2(def->index + 1, s->num_states * 2);
      s->state = guard_resize(s->state, n * sizeof(*s->state));
      memset(s->state + s->num_states, 0,
             (n - s->num_states) * sizeof(*s->state));
      s->num_states = n;
   }
   s->state[def->index] = state;
}

static uint16_t
alu_state(const struct search *s, const nir_alu_instr *alu)
{
   const struct nir_search_op *op = &s->table->ops[alu->op];
   if (!op->table)
      return STATE_ANY;
   unsigned at = 0;
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
      const uint16_t src = def_state(s, alu->src[i].use.value);
      at = at * op->num_filtered + op->filter[src];
   }
   return op->table[at];
}

static void
queue_users(struct search *s, nir_value *def)
{
   nir_foreach_instr_use(use, def) {
      if (use->instr->kind == nir_kind_alu) {
         util_dynarray_append(&s->work, nir_alu_instr *,
                              nir_instr_as_alu(use->instr));
      }
   }
}

static void
replace(struct search *s, nir_alu_instr *alu,
        const struct nir_search_rule *rule, const struct match *m)
{
   nir_value *old = &alu->instr.result;
   const unsigned n = old->num_components;
   struct build bd = { s, m, old->bit_size };
   s->b.cursor = nir_before_instr(&alu->instr);
   const nir_alu_type type = nir_op_infos[alu->op].output.type;
   nir_operand src = build_value(&bd, rule->replace, n, type);
   nir_value *def = nir_mov_alu(&s->b, src, n);
   nir_value_replace(old, def);
   queue_users(s, def);
   nir_instr_remove(&alu->instr);
   /* Whoever still has it in the work list sees that it is gone. */
   alu->instr.block = NULL;
}

/* Whether an operation goes away that has to flush subnormals: x * 1 is not
 * x then. */
static bool
is_needed_to_flush(const struct search *s, const struct nir_search_rule *rule,
                   const nir_alu_instr *alu)
{
   const unsigned mode = s->shader->info.float_controls_execution_mode;
   const unsigned flushes = FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP16 |
                            FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP32 |
                            FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP64;
   return mode & flushes &&
          s->table->nodes[rule->replace].kind == NIR_SEARCH_VAR &&
          nir_type_base(nir_op_infos[alu->op].output.type) == nir_type_float;
}

/* Applies the first rule that matches. */
static bool
visit(struct search *s, nir_alu_instr *alu)
{
   if (!alu->instr.block)
      return false;
   const uint16_t state = alu_state(s, alu);
   if (def_state(s, &alu->instr.result) != state) {
      set_state(s, &alu->instr.result, state);
      queue_users(s, &alu->instr.result);
   }
   const struct nir_search_table *t = s->table;
   for (const int16_t *c = &t->candidates[t->first_candidate[state]]; *c >= 0;
        c++) {
      const struct nir_search_rule *rule = &t->rules[*c];
      struct match m;
      if (s->conditions[rule->condition] && match_rule(&m, t, rule, alu) &&
          !is_needed_to_flush(s, rule, alu)) {
         replace(s, alu, rule, &m);
         return true;
      }
   }
   return false;
}

static void
find_states(struct search *s, nir_function_impl *impl)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_load_const) {
            set_state(s, &instr->result, STATE_CONST);
         } else if (instr->kind == nir_kind_alu) {
            nir_alu_instr *alu = nir_instr_as_alu(instr);
            set_state(s, &alu->instr.result, alu_state(s, alu));
            util_dynarray_append(&s->work, nir_alu_instr *, alu);
         }
      }
   }
}

static bool
run_impl(struct search *s, nir_function_impl *impl)
{
   bool progress = false;
   nir_builder_init(&s->b, impl);
   s->num_states = impl->num_values + 16;
   s->state = guard_alloc(s->num_states, sizeof(*s->state));
   find_states(s, impl);
   while (s->work.size_B) {
      nir_alu_instr *alu = util_dynarray_pop(&s->work, nir_alu_instr *);
      progress |= visit(s, alu);
   }
   guard_free(s->state);
   nir_changed(impl, progress,
               nir_metadata_block_index | nir_metadata_dominance);
   return progress;
}

bool
nir_search_run(nir_shader *shader, const struct nir_search_table *table,
               const bool *conditions)
{
   struct search s = { .shader = shader,
                       .table = table,
                       .conditions = conditions };
   bool progress = false;
   nir_foreach_impl(impl, shader)
      progress |= run_impl(&s, impl);
   util_dynarray_fini(&s.work);
   return progress;
}
