/* SPDX-License-Identifier: MIT */
/*
 * NIR ALU instructions of which one result comes from all components of a
 * vector: dot products, which Align16 has, and whether all or any components
 * are alike. Those are comparisons whose four flags a predicate joins (PRM
 * IVB vol 4 part 3, "Predicate Control", ANY4H and ALL4H).
 */
#include "vec4_nir.h"

#include "intel/compiler/fs/from_nir/fs_nir_alu.h"

/* What a reduction is made of. */
struct reduction {
   uint8_t op;   /* DP2, DP3, DP4; or */
   uint8_t cond; /* of the comparison, and */
   uint8_t pred;
};

static struct reduction
reduction_of(nir_op op)
{
   const struct reduction all = { 0, ISA_COND_MOD_Z, ISA_PRED_ALL4H };
   const struct reduction any = { 0, ISA_COND_MOD_NZ, ISA_PRED_ANY4H };

   switch (op) {
   case nir_op_fdot2: return (struct reduction) { ISA_OPCODE_DP2 };
   case nir_op_fdot3: return (struct reduction) { ISA_OPCODE_DP3 };
   case nir_op_fdot4: return (struct reduction) { ISA_OPCODE_DP4 };
   case nir_op_ball_fequal2:
   case nir_op_ball_fequal3:
   case nir_op_ball_fequal4:
   case nir_op_ball_iequal2:
   case nir_op_ball_iequal3:
   case nir_op_ball_iequal4: return all;
   case nir_op_bany_fnequal2:
   case nir_op_bany_fnequal3:
   case nir_op_bany_fnequal4:
   case nir_op_bany_inequal2:
   case nir_op_bany_inequal3:
   case nir_op_bany_inequal4: return any;
   default: return (struct reduction) { 0 };
   }
}

bool
vec4_is_reduction(const nir_alu_instr *alu)
{
   const struct reduction r = reduction_of(alu->op);
   const nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned bits = alu->src[0].use.value->bit_size;
   const bool is_float = nir_type_base(info->input[0].type) == nir_type_float;

   /* The products' sum may be rounded once in all. */
   if (r.op)
      return bits == 32 && !alu->exact;
   return r.pred && (bits == 1 || bits == 32 || (bits == 64 && is_float));
}

/* Component of source i in each channel: the last one again after it, which
 * changes neither of all nor of any. */
static eu_reg
source(struct nir_to_vec4 *v, const nir_alu_instr *alu, unsigned i)
{
   const unsigned last = nir_op_infos[alu->op].input[i].size - 1u;
   unsigned type = fs_alu_src_type(alu, i);
   uint8_t comp[4];

   if (eu_type_sz(type) == 8)
      type = ISA_TYPE_DF;
   for (unsigned c = 0; c < 4; c++)
      comp[c] = alu->src[i].swizzle[MIN2(c, last)];
   return eu_retype(
      vec4_operand(v, &alu->src[i].use, comp, ISA_WRITEMASK_XYZW), type);
}

static bool
is_bool_const(const nir_alu_instr *alu, bool value)
{
   if (alu->src[1].use.value->bit_size != 1 ||
       !nir_use_is_const(alu->src[1].use))
      return false;
   for (unsigned c = 0; c < nir_op_infos[alu->op].input[1].size; c++) {
      if (nir_use_comp_as_bool(alu->src[1].use, alu->src[1].swizzle[c]) !=
          value)
         return false;
   }
   return true;
}

/* Flags of the components; the predicate that joins them. */
static unsigned
emit_flags(struct nir_to_vec4 *v, const nir_alu_instr *alu)
{
   const struct reduction r = reduction_of(alu->op);
   struct nir_to_fs *n = &v->n;
   const eu_reg x = source(v, alu, 0);
   const bool all = r.pred == ISA_PRED_ALL4H;

   n->b.align16 = ISA_WRITEMASK_XYZW;
   /* All of a boolean vector are true, or any is. */
   if (is_bool_const(alu, all)) {
      eu_reg null = eu_null(ISA_TYPE_D);
      eu_MOV(&n->b, null, fs_no_imm(n, x))->cond_mod = ISA_COND_MOD_NZ;
   } else {
      const eu_reg y = source(v, alu, 1);
      n->b.align16 = ISA_WRITEMASK_XYZW;
      fs_alu_cmp(n, eu_null(x.type), x, y, r.cond);
   }
   n->b.align16 = 0;
   return r.pred;
}

unsigned
vec4_emit_condition(struct nir_to_vec4 *v, const nir_use *cond)
{
   if (fs_in_web(&v->n, cond->value) ||
       cond->value->instr->kind != nir_kind_alu)
      return ISA_PRED_NONE;
   const nir_alu_instr *alu = nir_instr_as_alu(cond->value->instr);
   if (!reduction_of(alu->op).pred || !vec4_is_reduction(alu))
      return ISA_PRED_NONE;
   for (unsigned i = 0; i < 2; i++) {
      if (fs_in_web(&v->n, alu->src[i].use.value))
         return ISA_PRED_NONE;
   }
   return emit_flags(v, alu);
}

bool
vec4_emit_reduction(struct nir_to_vec4 *v, nir_alu_instr *alu)
{
   const struct reduction r = reduction_of(alu->op);
   struct nir_to_fs *n = &v->n;
   eu_reg dst;

   if (!vec4_is_reduction(alu))
      return false;
   if (r.op) {
      const eu_reg x = source(v, alu, 0), y = source(v, alu, 1);
      dst = vec4_new(v, ISA_TYPE_F);
      n->b.align16 = ISA_WRITEMASK_XYZW;
      fs_alu_emit2(n, r.op, vec4_dst(dst, ISA_WRITEMASK_XYZW), x, y);
      n->b.align16 = 0;
   } else {
      const unsigned pred = emit_flags(v, alu);
      dst = vec4_new(v, ISA_TYPE_UD);
      n->b.align16 = ISA_WRITEMASK_XYZW;
      fs_alu_emit2(n, ISA_OPCODE_SEL, vec4_dst(dst, ISA_WRITEMASK_XYZW),
                   eu_imm_ud(~0u), eu_imm_ud(0))
         ->pred = (uint8_t)pred;
      n->b.align16 = 0;
   }
   vec4_set_dest(v, &alu->instr.result, dst);
   return true;
}
