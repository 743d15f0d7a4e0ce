/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic. What one formula says stands in the rows of d3dbc_tables.py
 * (d3dbc_nir_row_result); here is the rest.
 */
#include "d3dbc_nir.h"

nir_value *
d3dbc_mul(struct d3dbc_nir *t, nir_value *x, nir_value *y)
{
   return t->options->mul_zero ? nir_fmulz(&t->b, x, y)
                               : nir_fmul(&t->b, x, y);
}

nir_value *
d3dbc_dot(struct d3dbc_nir *t, nir_value *x, nir_value *y, unsigned n)
{
   nir_builder *b = &t->b;
   nir_value *sum = NULL;

   for (unsigned i = 0; i < n; i++) {
      nir_value *p = d3dbc_mul(t, nir_channel(b, x, i), nir_channel(b, y, i));
      sum = sum ? nir_fadd(b, sum, p) : p;
   }
   return sum;
}

/* m4x3: dot products of 4 components with 3 registers in a row. */
static nir_value *
matrix(struct d3dbc_nir *t)
{
   const struct d3dbc_inst *inst = t->inst;
   const char *name = d3dbc_op_info(inst->op)->name;
   const unsigned n = (unsigned)(name[1] - '0');
   const unsigned rows = (unsigned)(name[3] - '0');
   nir_value *v = d3dbc_nir_src(t, &inst->operand[1]), *c[4];

   for (unsigned i = 0; i < 4; i++)
      c[i] =
         i < rows
            ? d3dbc_dot(t, v, d3dbc_nir_src_row(t, &inst->operand[2], i), n)
            : nir_imm_float(&t->b, 0.0f);
   return nir_vec(&t->b, c, 4);
}

static nir_value *
lit(struct d3dbc_nir *t, nir_value *s)
{
   nir_builder *b = &t->b;
   nir_value *zero = nir_imm_float(b, 0.0f), *one = nir_imm_float(b, 1.0f);
   nir_value *x = nir_channel(b, s, 0), *y = nir_channel(b, s, 1);
   /* The largest power of the reference's 8.8 format. */
   nir_value *limit = nir_imm_float(b, 127.99609375f);
   nir_value *power = nir_fmax(b, nir_fmin(b, nir_channel(b, s, 3), limit),
                               nir_fneg(b, limit));
   nir_value *lit = nir_iand(b, nir_flt(b, zero, x), nir_flt(b, zero, y));

   return nir_vec4(b, one, nir_fmax(b, x, zero),
                   nir_bcsel(b, lit, nir_fpow(b, y, power), zero), one);
}

static nir_value *
dst(struct d3dbc_nir *t, nir_value *x, nir_value *y)
{
   nir_builder *b = &t->b;

   return nir_vec4(b, nir_imm_float(b, 1.0f),
                   d3dbc_mul(t, nir_channel(b, x, 1), nir_channel(b, y, 1)),
                   nir_channel(b, x, 2), nir_channel(b, y, 3));
}

static nir_value *
crs(struct d3dbc_nir *t, nir_value *x, nir_value *y)
{
   nir_builder *b = &t->b;
   nir_value *c[4];

   for (unsigned i = 0; i < 3; i++) {
      const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
      c[i] =
         nir_fsub(b, d3dbc_mul(t, nir_channel(b, x, j), nir_channel(b, y, k)),
                  d3dbc_mul(t, nir_channel(b, x, k), nir_channel(b, y, j)));
   }
   c[3] = nir_imm_float(b, 0.0f);
   return nir_vec(b, c, 4);
}

static nir_value *
cos_sin(struct d3dbc_nir *t, nir_value *s)
{
   nir_builder *b = &t->b;
   nir_value *x = nir_channel(b, s, 0), *zero = nir_imm_float(b, 0.0f);

   return nir_vec4(b, nir_fcos(b, x), nir_fsin(b, x), zero, zero);
}

/* vs_1_x gives the parts of the result as well. */
static nir_value *
expp(struct d3dbc_nir *t, nir_value *s)
{
   nir_builder *b = &t->b;
   nir_value *x = nir_channel(b, s, 0), *floor = nir_ffloor(b, x);

   if (t->pi->major >= 2)
      return nir_fexp2(b, x);
   return nir_vec4(b, nir_fexp2(b, floor), nir_fsub(b, x, floor),
                   nir_fexp2(b, x), nir_imm_float(b, 1.0f));
}

static nir_value *
logp(struct d3dbc_nir *t, nir_value *s)
{
   nir_builder *b = &t->b;
   nir_value *x = nir_fabs(b, nir_channel(b, s, 0));
   nir_value *log = nir_flog2(b, x), *exponent = nir_ffloor(b, log);

   if (t->pi->major >= 2)
      return log;
   return nir_vec4(b, exponent,
                   nir_fmul(b, x, nir_fexp2(b, nir_fneg(b, exponent))), log,
                   nir_imm_float(b, 1.0f));
}

/* a.xy plus the bump matrix of the destination's stage times b.xy. */
static nir_value *
bem(struct d3dbc_nir *t, nir_value *x, nir_value *y)
{
   nir_builder *b = &t->b;
   nir_value *m = d3dbc_nir_bump(t, t->inst->operand[0].reg.index, 0);
   nir_value *c[4] = { NULL, NULL, nir_channel(b, x, 2),
                       nir_channel(b, x, 3) };

   for (unsigned i = 0; i < 2; i++) {
      c[i] =
         nir_fadd(b, nir_channel(b, x, i),
                  nir_fmul(b, nir_channel(b, m, i), nir_channel(b, y, 0)));
      c[i] = nir_fadd(b, c[i],
                      nir_fmul(b, nir_channel(b, m, 2 + i),
                               nir_channel(b, y, 1)));
   }
   return nir_vec(b, c, 4);
}

static nir_value *
special(struct d3dbc_nir *t, nir_value **s)
{
   nir_builder *b = &t->b;

   switch (t->inst->op) {
   case D3DBC_OP_MOVA: return s[0];
   case D3DBC_OP_LIT: return lit(t, s[0]);
   case D3DBC_OP_DST: return dst(t, s[0], s[1]);
   case D3DBC_OP_CRS: return crs(t, s[0], s[1]);
   case D3DBC_OP_NRM:
      return d3dbc_mul(t, s[0], nir_frsq(b, d3dbc_dot(t, s[0], s[0], 3)));
   case D3DBC_OP_SINCOS:
   case D3DBC_OP_SINCOS2: return cos_sin(t, s[0]);
   case D3DBC_OP_EXPP: return expp(t, s[0]);
   case D3DBC_OP_LOGP: return logp(t, s[0]);
   case D3DBC_OP_BEM: return bem(t, s[0], s[1]);
   case D3DBC_OP_SETP:
      return d3dbc_nir_compare(t, t->inst->control, s[0], s[1]);
   default: return NULL;
   }
}

void
d3dbc_nir_alu(struct d3dbc_nir *t)
{
   const struct d3dbc_inst *inst = t->inst;
   const enum d3dbc_sem sem = d3dbc_op_info(inst->op)->sem;
   nir_value *s[4] = { NULL }, *result;

   if (inst->op == D3DBC_OP_NOP || inst->op == D3DBC_OP_PHASE)
      return;
   if (sem == D3DBC_SEM_MATRIX) {
      d3dbc_nir_write(t, matrix(t));
      return;
   }
   for (unsigned i = 1; i < inst->num_operands; i++)
      s[i - 1] = d3dbc_nir_src(t, &inst->operand[i]);
   if (sem == D3DBC_SEM_SCALAR) {
      for (unsigned i = 0; i < 4 && s[i]; i++)
         s[i] = nir_channel(&t->b, s[i], 0);
   }
   result = d3dbc_nir_row_result(t, s);
   if (!result)
      result = special(t, s);
   if (!result) {
      d3dbc_nir_fail(t, "%s is not translated",
                     d3dbc_op_info(inst->op)->name);
      return;
   }
   d3dbc_nir_write(t, result);
}
