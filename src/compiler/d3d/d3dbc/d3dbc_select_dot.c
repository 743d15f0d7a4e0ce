/* SPDX-License-Identifier: MIT */
/* Dot products, and operands that read several components. */
#include "d3dbc_emit.h"

typedef struct d3dbc_operand operand;

bool
d3dbc_in_one_register(const operand *o, const uint8_t *place, unsigned n,
                      operand *all)
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
static operand
whole_source(struct d3dbc_emit *e, nir_alu_instr *alu, unsigned i, unsigned n)
{
   static const uint8_t place[] = { 0, 1, 2, 3 };
   operand one[4] = { 0 }, all, t;

   for (unsigned c = 0; c < n; c++)
      one[c] = d3dbc_emit_src(e, &alu->src[i].src, alu->src[i].swizzle[c],
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
ports_clash(const operand *a, const operand *b)
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
   operand x = whole_source(e, alu, 0, n), y = whole_source(e, alu, 1, n);

   if (ports_clash(&x, &y)) {
      operand t = d3dbc_emit_scratch4(e);
      d3dbc_emit1(e, D3DBC_OP_MOV, t, y);
      y = t;
   }
   d3dbc_emit2(e, n == 3 ? D3DBC_OP_DP3 : D3DBC_OP_DP4,
               d3dbc_emit_dest(e, &alu->dest.dest, 0), x, y);
}
