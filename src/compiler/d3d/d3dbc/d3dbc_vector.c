/* SPDX-License-Identifier: MIT */
/*
 * Scalars to vectors, in NIR: operations of one block that do the same to
 * components of the same values become one operation on a vector, at the
 * place of the first; constants may differ. What uses these is then alike in
 * its turn. Sums of products of components of two values are dot products, in
 * the order in which dp3 and dp4 add. Last, products that only a sum reads
 * become part of it: the mad of these profiles rounds twice, as the two do.
 *
 * Before: scalars, SSA. After: vectors of up to four. Cost: the window times
 * the instructions, for each level of a tree of operations. At the end of the
 * file: how an instruction reads several components.
 */
#include "d3dbc_emit.h"

#define WINDOW 48
#define MAX_ROUNDS 64

/* Each component of the result comes from that of the sources. */
static bool
is_by_component(const nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];

   switch (alu->op) {
   case nir_op_mov:
   /* One instruction for one component. */
   case nir_op_fsin:
   case nir_op_fcos:
   /* By a constant, which is that of one component. */
   case nir_op_iand:
   case nir_op_ishl:
   case nir_op_ishr:
   case nir_op_ushr: return false;
   default: break;
   }
   if (info->output.size || nir_op_is_vec(alu->op))
      return false;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      if (info->input[i].size)
         return false;
   }
   return true;
}

static bool
are_alike(const nir_alu_instr *a, const nir_alu_instr *b)
{
   const nir_value *x = &a->instr.result, *y = &b->instr.result;

   if (a->op != b->op || a->exact != b->exact || x->bit_size != y->bit_size ||
       x->num_components + y->num_components > 4)
      return false;
   for (unsigned i = 0; i < nir_op_infos[a->op].num_inputs; i++) {
      const nir_use *s = &a->src[i].use, *t = &b->src[i].use;
      const bool constant = nir_use_is_const(*s) && nir_use_is_const(*t) &&
                            s->value->bit_size == t->value->bit_size;
      if (s->value != t->value && !constant)
         return false;
   }
   return true;
}

/* Components of the two, one after the other. */
static nir_operand
join_sources(nir_builder *b, const nir_alu_instr *x, const nir_alu_instr *y,
             unsigned i)
{
   const unsigned n = x->instr.result.num_components;
   const unsigned m = y->instr.result.num_components;
   nir_operand s = { 0 };
   nir_const_value v[4];

   for (unsigned c = 0; c < n + m; c++) {
      const nir_operand *from = c < n ? &x->src[i] : &y->src[i];
      const unsigned k = from->swizzle[c < n ? c : c - n];
      if (x->src[i].use.value != y->src[i].use.value)
         v[c] = nir_use_constant(from->use)[k];
      s.swizzle[c] = (uint8_t)k;
   }
   if (x->src[i].use.value == y->src[i].use.value) {
      s.use = nir_use_of(x->src[i].use.value);
      return s;
   }
   for (unsigned c = 0; c < n + m; c++)
      s.swizzle[c] = (uint8_t)c;
   s.use =
      nir_use_of(nir_build_imm(b, n + m, x->src[i].use.value->bit_size, v));
   return s;
}

/* At the place of `x`, which stands before `y`. */
static nir_alu_instr *
join(nir_builder *b, nir_alu_instr *x, nir_alu_instr *y)
{
   const unsigned n = x->instr.result.num_components;
   const unsigned m = y->instr.result.num_components;
   nir_alu_instr *both = nir_new_alu(b->shader, x->op);
   nir_value *whole;

   b->cursor = nir_before_instr(&x->instr);
   for (unsigned i = 0; i < nir_op_infos[x->op].num_inputs; i++)
      both->src[i] = join_sources(b, x, y, i);
   both->exact = x->exact;
   nir_set_result(&both->instr, n + m, x->instr.result.bit_size);
   nir_emit(b, &both->instr);
   whole = &both->instr.result;
   nir_value_replace(&x->instr.result,
                     nir_channels(b, whole,
                                  (nir_component_mask_t)BITFIELD_MASK(n)));
   nir_value_replace(
      &y->instr.result,
      nir_channels(b, whole, (nir_component_mask_t)(BITFIELD_MASK(m) << n)));
   nir_instr_remove(&x->instr);
   nir_instr_remove(&y->instr);
   return both;
}

static bool
vectorize_block(nir_builder *b, nir_block *block)
{
   nir_alu_instr *seen[WINDOW];
   unsigned next = 0, num = 0;
   bool progress = false;

   nir_foreach_instr_safe(instr, block) {
      if (instr->kind != nir_kind_alu ||
          !is_by_component(nir_instr_as_alu(instr)))
         continue;
      nir_alu_instr *alu = nir_instr_as_alu(instr);
      unsigned i = 0;
      while (i < num && !are_alike(seen[i], alu))
         i++;
      if (i < num) {
         seen[i] = join(b, seen[i], alu);
         progress = true;
         continue;
      }
      seen[next] = alu;
      next = (next + 1) % WINDOW;
      num = MIN2(num + 1, WINDOW);
   }
   return progress;
}

static bool
vectorize(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b;
   bool progress = false;

   nir_builder_init(&b, impl);
   nir_foreach_block(block, impl)
      progress |= vectorize_block(&b, block);
   nir_metadata_preserve(impl, nir_metadata_control_flow);
   return progress;
}

/* ---- rows of uniforms ---- */

#define MAX_ROWS 256

struct row {
   const nir_value *buffer;
   unsigned row;
   nir_value *value;
};

/* The row that a load reads a part of; false: not of one that is known. */
static bool
row_of(const nir_instr *instr, unsigned *row, unsigned *first)
{
   nir_intrinsic_instr *load;

   if (instr->kind != nir_kind_intrinsic)
      return false;
   load = nir_instr_as_intrinsic((nir_instr *)instr);
   if (load->intrinsic != nir_intrinsic_load_ubo ||
       !nir_use_is_const(load->src[1]) || load->instr.result.bit_size != 32)
      return false;
   *row = (unsigned)nir_use_as_uint(load->src[1]) / 16;
   *first = (unsigned)nir_use_as_uint(load->src[1]) / 4 % 4;
   return nir_use_as_uint(load->src[1]) % 4 == 0 &&
          *first + load->instr.result.num_components <= 4;
}

/* Parts of a register come from one value, so that they look alike. */
static void
join_rows(nir_builder *b, nir_block *block)
{
   struct row rows[MAX_ROWS];
   unsigned num = 0, row, first;

   nir_foreach_instr_safe(instr, block) {
      if (!row_of(instr, &row, &first))
         continue;
      nir_intrinsic_instr *load = nir_instr_as_intrinsic(instr);
      unsigned i = 0;
      while (i < num &&
             (rows[i].buffer != load->src[0].value || rows[i].row != row))
         i++;
      if (i == MAX_ROWS)
         return;
      b->cursor = nir_before_instr(instr);
      if (i == num) {
         rows[num++] = (struct row) {
            load->src[0].value, row,
            nir_load_ubo(b, 4, 32, load->src[0].value,
                         nir_imm_int(b, (int)(16 * row)),
                         .access = nir_intrinsic_access(load),
                         .align_mul = 16, .range_base = 0, .range = ~0u)
         };
      }
      const unsigned n = load->instr.result.num_components;
      nir_instr_replace(
         &load->instr,
         nir_channels(b, rows[i].value,
                      (nir_component_mask_t)(BITFIELD_MASK(n) << first)));
   }
}

static bool
join_uniforms(nir_shader *nir)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b;

   nir_builder_init(&b, impl);
   nir_foreach_block(block, impl)
      join_rows(&b, block);
   nir_metadata_preserve(impl, nir_metadata_control_flow);
   return true;
}

/* ---- dot products ---- */

/* Products from the last one that is added to the first. */
struct terms {
   nir_alu_instr *mul[4];
   unsigned num;
};

static nir_alu_instr *
alu_of(const nir_alu_instr *user, unsigned i, nir_op op)
{
   nir_instr *instr = user->src[i].use.value->instr;

   return instr->kind == nir_kind_alu && nir_instr_as_alu(instr)->op == op &&
                nir_value_only_use(user->src[i].use.value)
             ? nir_instr_as_alu(instr)
             : NULL;
}

/* ((a + b) + c) + d of products. */
static bool
find_terms(nir_alu_instr *sum, struct terms *t)
{
   for (t->num = 0; t->num < 3;) {
      nir_alu_instr *x = alu_of(sum, 0, nir_op_fmul);
      nir_alu_instr *y = alu_of(sum, 1, nir_op_fmul);
      nir_alu_instr *rest = alu_of(sum, x ? 1 : 0, nir_op_fadd);
      if (x && y) {
         t->mul[t->num++] = y;
         t->mul[t->num++] = x;
         return true;
      }
      if (!rest || (!x && !y))
         return false;
      t->mul[t->num++] = x ? x : y;
      sum = rest;
   }
   return false;
}

/* Sums of products of components of two values. */
static bool
make_dot(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *sum, *dot;
   struct terms t;

   (void)data;
   if (instr->kind != nir_kind_alu)
      return false;
   sum = nir_instr_as_alu(instr);
   if (sum->op != nir_op_fadd || sum->instr.result.bit_size != 32 ||
       sum->instr.result.num_components != 1 || !find_terms(sum, &t) ||
       t.num < 3)
      return false;
   const nir_value *x = t.mul[0]->src[0].use.value;
   const nir_value *y = t.mul[0]->src[1].use.value;
   dot = nir_new_alu(b->shader, t.num == 3 ? nir_op_fdot3 : nir_op_fdot4);
   dot->src[0].use = nir_use_of((nir_value *)x);
   dot->src[1].use = nir_use_of((nir_value *)y);
   for (unsigned i = 0; i < t.num; i++) {
      const nir_alu_instr *m = t.mul[t.num - 1 - i];
      const unsigned k = m->src[0].use.value == x ? 0 : 1;
      if (m->src[k].use.value != x || m->src[!k].use.value != y ||
          x->num_components == 1 || y->num_components == 1)
         return false;
      dot->src[0].swizzle[i] = m->src[k].swizzle[0];
      dot->src[1].swizzle[i] = m->src[!k].swizzle[0];
   }
   b->cursor = nir_before_instr(instr);
   dot->exact = sum->exact;
   nir_set_result(&dot->instr, 1, 32);
   nir_emit(b, &dot->instr);
   nir_instr_replace(&sum->instr, &dot->instr.result);
   return true;
}

static bool
make_dots(nir_shader *nir)
{
   return nir_visit_instrs(nir, make_dot, nir_metadata_control_flow, NULL);
}

/* ---- mad ---- */

/* The product that a source is, if nothing else reads it. */
static nir_alu_instr *
lone_product(const nir_alu_instr *sum, unsigned i)
{
   const nir_use *src = &sum->src[i].use;
   const nir_instr *instr = src->value->instr;

   if (instr->kind != nir_kind_alu || instr->block != sum->instr.block ||
       nir_instr_as_alu((nir_instr *)instr)->op != nir_op_fmul ||
       !nir_value_only_use(src->value) ||
       src->value->num_components != sum->instr.result.num_components)
      return NULL;
   return nir_instr_as_alu((nir_instr *)instr);
}

static bool
fuse(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *sum, *product = NULL, *mad;
   unsigned i = 0;

   (void)data;
   if (instr->kind != nir_kind_alu)
      return false;
   sum = nir_instr_as_alu(instr);
   if (sum->op != nir_op_fadd || sum->instr.result.bit_size != 32)
      return false;
   while (i < 2 && !(product = lone_product(sum, i)))
      i++;
   if (!product)
      return false;
   b->cursor = nir_before_instr(instr);
   mad = nir_new_alu(b->shader, nir_op_ffma);
   mad->exact = sum->exact;
   const unsigned n = sum->instr.result.num_components;
   for (unsigned k = 0; k < 2; k++) {
      mad->src[k].use = nir_use_of(product->src[k].use.value);
      for (unsigned c = 0; c < n; c++)
         mad->src[k].swizzle[c] =
            product->src[k].swizzle[sum->src[i].swizzle[c]];
   }
   mad->src[2].use = nir_use_of(sum->src[!i].use.value);
   memcpy(mad->src[2].swizzle, sum->src[!i].swizzle,
          sizeof(mad->src[2].swizzle));
   nir_set_result(&mad->instr, n, 32);
   nir_emit(b, &mad->instr);
   nir_instr_replace(&sum->instr, &mad->instr.result);
   nir_instr_remove(&product->instr);
   return true;
}

static bool
fuse_products(nir_shader *nir)
{
   return nir_visit_instrs(nir, fuse, nir_metadata_control_flow, NULL);
}

void
d3dbc_make_vectors(nir_shader *nir)
{
   bool progress = true;

   NIR_PASS(progress, nir, join_uniforms);
   NIR_PASS(progress, nir, nir_copy_prop);
   NIR_PASS(progress, nir, make_dots);
   NIR_PASS(progress, nir, nir_opt_dce);
   progress = true;
   for (unsigned i = 0; progress && i < MAX_ROUNDS; i++) {
      progress = false;
      NIR_PASS(progress, nir, vectorize);
      NIR_PASS(progress, nir, nir_copy_prop);
      NIR_PASS(progress, nir, nir_opt_dce);
   }
   NIR_PASS(progress, nir, fuse_products);
}

/* ---- operands of several components ---- */

bool
d3dbc_in_one_register(const struct d3dbc_operand *o, const uint8_t *place,
                      unsigned n, struct d3dbc_operand *all)
{
   unsigned last = o[0].swizzle & 3, swizzle = 0;

   *all = o[0];
   for (unsigned c = 0; c < n; c++) {
      if (o[c].reg.file != o[0].reg.file ||
          o[c].reg.index != o[0].reg.index || o[c].mod != o[0].mod ||
          o[c].relative)
         return false;
   }
   for (unsigned p = 0; p < 4; p++) {
      for (unsigned c = 0; c < n; c++)
         last = place[c] == p ? o[c].swizzle & 3u : last;
      swizzle |= last << 2 * p;
   }
   all->swizzle = (uint8_t)swizzle;
   return true;
}

/* The components of a source as an operand that reads all of them. */
static struct d3dbc_operand
whole_source(struct d3dbc_emit *e, nir_alu_instr *alu, unsigned i, unsigned n)
{
   static const uint8_t place[] = { 0, 1, 2, 3 };
   struct d3dbc_operand one[4] = { 0 }, all, t;

   for (unsigned c = 0; c < n; c++)
      one[c] = d3dbc_emit_src(e, &alu->src[i].use, alu->src[i].swizzle[c],
                              D3DBC_CLASS_FLOAT);
   if (d3dbc_in_one_register(one, place, n, &all))
      return all;
   t = d3dbc_emit_scratch4(e);
   for (unsigned c = 0; c < n; c++)
      d3dbc_emit1(e, D3DBC_OP_MOV,
                  d3dbc_emit_reg(D3DBC_FILE_R, t.reg.index, c), one[c]);
   return t;
}

/* Two registers that one instruction cannot read both. */
static bool
ports_clash(const struct d3dbc_operand *a, const struct d3dbc_operand *b)
{
   const bool constants = a->reg.file == D3DBC_FILE_C &&
                          b->reg.file == D3DBC_FILE_C;
   const bool inputs =
      (a->reg.file == D3DBC_FILE_V || a->reg.file == D3DBC_FILE_T) &&
      (b->reg.file == D3DBC_FILE_V || b->reg.file == D3DBC_FILE_T);

   return (constants || inputs) &&
          (a->reg.file != b->reg.file || a->reg.index != b->reg.index);
}

void
d3dbc_select_dot(struct d3dbc_emit *e, nir_alu_instr *alu, unsigned n)
{
   struct d3dbc_operand x = whole_source(e, alu, 0, n),
                        y = whole_source(e, alu, 1, n);

   if (ports_clash(&x, &y)) {
      struct d3dbc_operand t = d3dbc_emit_scratch4(e);
      d3dbc_emit1(e, D3DBC_OP_MOV, t, y);
      y = t;
   }
   d3dbc_emit2(e, n == 3 ? D3DBC_OP_DP3 : D3DBC_OP_DP4,
               d3dbc_emit_dest(e, &alu->instr.result, 0), x, y);
}
