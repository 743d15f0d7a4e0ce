/* SPDX-License-Identifier: MIT */
/*
 * What d3d_make_vectors() needs of these profiles: rows of uniforms are one
 * value; and after it: products that only a sum reads become part of it, the
 * mad of these profiles rounds twice, as the two do. At the end of the file:
 * how an instruction reads several components.
 */
#include "compiler/d3d/d3d_vector.h"
#include "d3dbc_emit.h"

static bool
is_by_component(const nir_alu_instr *alu)
{
   switch (alu->op) {
   /* One instruction for one component. */
   case nir_op_fsin:
   case nir_op_fcos:
   /* By a constant, which is that of one component. */
   case nir_op_iand:
   case nir_op_ishl:
   case nir_op_ishr:
   case nir_op_ushr: return false;
   default: return true;
   }
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
   static const struct d3d_vector_options options = {
      .by_component = is_by_component,
      .least_dot = 3,
   };
   bool progress = true;

   NIR_PASS(progress, nir, join_uniforms);
   NIR_PASS(progress, nir, nir_copy_prop);
   d3d_make_vectors(nir, &options);
   NIR_PASS(progress, nir, fuse_products);
   (void)progress;
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
