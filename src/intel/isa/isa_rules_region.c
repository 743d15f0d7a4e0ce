/* SPDX-License-Identifier: MIT */
/* Restrictions on regions: PRM vol 7 (IVB: vol 4 part 3), "Register Region
 * Restrictions". Unit of strides and of spans on IVB: see isa_element_B. */
#include "isa_rules.h"

/* Calls `test` on the region of each source that has one (Align1). */
static bool
any_region(const struct isa_view *v,
           bool (*test)(const struct isa_view *v,
                        const struct isa_operand *src))
{
   return v->alu && !v->align16 && !v->macro && isa_any_reg(v, test);
}

static bool
has_vstride(const struct isa_operand *src)
{
   return src->vstride != ISA_VSTRIDE_VXH;
}

static bool
wider_than_exec(const struct isa_view *v, const struct isa_operand *src)
{
   return src->width > v->inst->exec_size;
}

static bool
one_row_vstride(const struct isa_view *v, const struct isa_operand *src)
{
   return has_vstride(src) && src->width == v->inst->exec_size &&
          src->hstride != 0 && src->vstride != src->width * src->hstride;
}

static bool
width_1_hstride(const struct isa_view *v, const struct isa_operand *src)
{
   return v->inst->exec_size > 1 && src->width == 1 && src->hstride != 0;
}

static bool
one_channel_strides(const struct isa_view *v, const struct isa_operand *src)
{
   return has_vstride(src) && v->inst->exec_size == 1 && src->width == 1 &&
          (src->vstride != 0 || src->hstride != 0);
}

/* IVB writes a scalar DF as <0;2,1>, which this does not meet. */
static bool
scalar_width(const struct isa_view *v, const struct isa_operand *src)
{
   return isa_region_is_scalar(src) && src->width != 1;
}

static bool
row_crosses(const struct isa_view *v, const struct isa_operand *src)
{
   if (src->indirect || !has_vstride(src))
      return false;
   const unsigned element_B = isa_element_B(v->gen, src->type);
   const unsigned row_B = (src->width - 1) * src->hstride * element_B +
                          element_B;
   for (unsigned i = 0; i < v->inst->exec_size; i += src->width) {
      const unsigned at_B = src->subnr_B +
                            i / src->width * src->vstride * element_B;
      if (at_B / ISA_REG_SIZE_B != (at_B + row_B - 1) / ISA_REG_SIZE_B)
         return true;
   }
   return false;
}

static bool
region_width(const struct isa_view *v)
{
   return any_region(v, wider_than_exec);
}

static bool
region_one_row(const struct isa_view *v)
{
   return any_region(v, one_row_vstride);
}

static bool
region_width_1(const struct isa_view *v)
{
   return any_region(v, width_1_hstride);
}

static bool
region_one_channel(const struct isa_view *v)
{
   return any_region(v, one_channel_strides);
}

static bool
region_scalar(const struct isa_view *v)
{
   return any_region(v, scalar_width);
}

static bool
region_row(const struct isa_view *v)
{
   return any_region(v, row_crosses);
}

static bool
direct_rows(const struct isa_view *v, const struct isa_operand *src)
{
   (void)v;
   return !has_vstride(src) && !src->indirect;
}

static bool
region_direct_rows(const struct isa_view *v)
{
   return any_region(v, direct_rows);
}

/* Also that of null: the field is encoded all the same. */
static bool
dst_stride_0(const struct isa_view *v)
{
   return v->alu && !v->align16 && !v->macro && !v->inst->dst.hstride;
}

/* Spans. */

/* Regions count doubles of Ivybridge as two elements. */
static bool
exec_bytes(const struct isa_view *v)
{
   if (!v->alu && !v->src3)
      return false;
   unsigned size_B = isa_element_B(v->gen, v->inst->dst.type);
   for (unsigned n = 0; n < v->num_srcs; n++) {
      const enum isa_type type = isa_plain_type(v->inst->src[n].type);
      size_B = MAX2(size_B, isa_element_B(v->gen, type));
   }
   return v->inst->exec_size * size_B > 2 * ISA_REG_SIZE_B;
}

static bool
type_unaligned(const struct isa_operand *o)
{
   return o->file != ISA_FILE_IMM && !o->indirect &&
          o->subnr_B % isa_type_size_B(o->type);
}

static bool
operand_unaligned(const struct isa_view *v)
{
   if (!v->alu && !v->src3)
      return false;
   if (type_unaligned(&v->inst->dst))
      return true;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (type_unaligned(&v->inst->src[n]))
         return true;
   }
   return false;
}

static bool
src_span(const struct isa_view *v)
{
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (v->src[n].known && v->src[n].end_B > 2 * ISA_REG_SIZE_B)
         return true;
   }
   return false;
}

static bool
dst_span(const struct isa_view *v)
{
   return v->dst.known && v->dst.end_B > 2 * ISA_REG_SIZE_B;
}

static bool
past_the_end(const struct isa_operand *o, const struct isa_span *span)
{
   return span->known && o->file == ISA_FILE_GRF &&
          o->nr + DIV_ROUND_UP(span->end_B, ISA_REG_SIZE_B) > ISA_MAX_GRF;
}

static bool
beyond_r127(const struct isa_view *v)
{
   if (past_the_end(&v->inst->dst, &v->dst))
      return true;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (past_the_end(&v->inst->src[n], &v->src[n]))
         return true;
   }
   /* PLN reads two registers for each eight channels, whatever its region. */
   const struct isa_operand *src = &v->inst->src[1];
   return v->inst->opcode == ISA_OPCODE_PLN && src->file == ISA_FILE_GRF &&
          src->nr + v->inst->exec_size / 4u > ISA_MAX_GRF;
}

static bool
spans_known(const struct isa_view *v)
{
   return v->dst.known && v->has_dst_reg;
}

/* Channels of a span that lie in its second register (or half). */
static unsigned
channels_after(const struct isa_span *span, unsigned channels, unsigned at_B)
{
   unsigned count = 0;
   for (unsigned i = 0; i < channels; i++)
      count += span->at_B[i] >= at_B;
   return count;
}

static bool
dst_uneven(const struct isa_view *v)
{
   if (!spans_known(v) || v->dst.num_regs != 2)
      return false;
   const unsigned channels = v->inst->exec_size;
   return 2 * channels_after(&v->dst, channels, ISA_REG_SIZE_B) != channels;
}

static bool
math_dst_uneven(const struct isa_view *v)
{
   return v->inst->opcode == ISA_OPCODE_MATH && dst_uneven(v);
}

/* Half of the channels of each source of two registers are in each of them,
 * and those of the destination in one half of its register, or half in each:
 * "the number of elements must be the same between the two sources". */
static bool
dst_oword_uneven(const struct isa_view *v)
{
   bool two = false;
   if (!spans_known(v) || v->dst.num_regs != 1)
      return false;
   for (unsigned n = 0; n < v->num_srcs; n++)
      two |= v->src[n].num_regs == 2;
   const unsigned channels = v->inst->exec_size;
   const unsigned upper =
      channels_after(&v->dst, channels, ISA_REG_SIZE_B / 2);
   return two && upper != 0 && upper != channels && 2 * upper != channels;
}

static bool
src_uneven(const struct isa_view *v)
{
   const unsigned channels = v->inst->exec_size;
   if (!spans_known(v) || v->dst.num_regs != 1)
      return false;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      const struct isa_span *src = &v->src[n];
      if (src->num_regs == 2 &&
          2 * channels_after(src, channels, ISA_REG_SIZE_B) != channels)
         return true;
   }
   return false;
}

/* Word sources may widen to packed dwords of two registers. */
static bool
is_packed_word(const struct isa_view *v, const struct isa_operand *src)
{
   const bool packed = src->vstride == src->width &&
                       src->hstride == (src->vstride == 1 ? 0 : 1);
   return packed && v->alu && !v->align16 &&
          (src->type == ISA_TYPE_W || src->type == ISA_TYPE_UW);
}

/* Ivybridge's <0;2,1>, whose second half is in the next register. */
static bool
is_double_scalar(const struct isa_view *v, const struct isa_operand *src)
{
   return v->gen == ISA_IVB && src->type == ISA_TYPE_DF && v->alu &&
          !v->align16 && src->vstride == 0 && src->width == 2;
}

static bool
dst_2_src_1(const struct isa_view *v)
{
   if (!spans_known(v) || v->dst.num_regs != 2)
      return false;
   const bool packed_dword = v->inst->dst.hstride == 1 &&
                             isa_type_size_B(v->inst->dst.type) == 4;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      const struct isa_operand *src = &v->inst->src[n];
      if (v->src[n].known && v->src[n].num_regs == 1 && !v->src[n].scalar &&
          !is_double_scalar(v, src) &&
          !(packed_dword && is_packed_word(v, src)))
         return true;
   }
   return false;
}

/* Each destination register must come from one source register. */
static bool
src_straddles(const struct isa_view *v)
{
   if (!spans_known(v) || v->dst.num_regs != 2)
      return false;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      const struct isa_span *src = &v->src[n];
      for (unsigned i = 0; src->num_regs == 2 && i < v->inst->exec_size;
           i++) {
         if ((v->dst.at_B[i] >= ISA_REG_SIZE_B) !=
             (src->at_B[i] >= ISA_REG_SIZE_B))
            return true;
      }
   }
   return false;
}

/* Both registers of a source are entered at the same place. */
static bool
src_offsets_differ(const struct isa_view *v)
{
   if (!spans_known(v) || v->dst.num_regs != 2)
      return false;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      const struct isa_span *src = &v->src[n];
      if (src->num_regs != 2)
         continue;
      for (unsigned i = 0; i < v->inst->exec_size; i++) {
         if (src->at_B[i] >= ISA_REG_SIZE_B) {
            if (src->at_B[i] % ISA_REG_SIZE_B != src->at_B[0])
               return true;
            break;
         }
      }
   }
   return false;
}

/* The second half of a scalar DF source would step to the next register. */
static bool
ivb_df_scalar(const struct isa_view *v)
{
   if (!spans_known(v) || v->align16 || v->dst.num_regs != 2 ||
       v->inst->no_mask)
      return false;
   for (unsigned n = 0; n < v->num_srcs; n++) {
      const struct isa_operand *src = &v->inst->src[n];
      if (src->type == ISA_TYPE_DF && src->file == ISA_FILE_GRF &&
          src->vstride == 0 && !src->indirect)
         return true;
   }
   return false;
}

#define REGION_PRM "SKL vol 7, Register Region Restrictions, regioning"
#define ALIGN_PRM "HSW vol 7, Register Region Restrictions, alignment"

static const struct isa_rule_row rows[] = {
   { { "region-width", ISA_GENS_ALL,
       "a region is wider than the execution size", REGION_PRM },
     region_width },
   { { "region-one-row", ISA_GENS_ALL,
       "a region of one row has a vertical stride other than its length",
       REGION_PRM },
     region_one_row },
   { { "region-width-1", ISA_GENS_ALL,
       "a region of width 1 has a horizontal stride", REGION_PRM },
     region_width_1 },
   { { "region-one-channel", ISA_GENS_ALL,
       "a region of one channel has strides", REGION_PRM, VAAPI "38 times" },
     region_one_channel },
   { { "region-scalar", ISA_GENS_ALL,
       "a region without strides has more than width 1", REGION_PRM },
     region_scalar },
   { { "region-row", ISA_GENS_ALL,
       "a row of a region crosses into the next register", REGION_PRM },
     region_row },
   { { "dst-hstride-0", ISA_GENS_ALL, "the destination has stride 0",
       REGION_PRM },
     dst_stride_0 },
   { { "region-rows", ISA_GENS_ALL,
       "rows with addresses of their own are not addressed indirectly",
       "SKL vol 7, VertStride" },
     region_direct_rows },
   { { "exec-bytes", ISA_GENS_ALL,
       "channels of the widest type take more than two registers",
       "SKL vol 7, Register Region Restrictions, operand types" },
     exec_bytes },
   { { "operand-align", ISA_GENS_ALL,
       "a sub-register is no multiple of its type's size",
       "SKL vol 7, Direct Register Addressing" },
     operand_unaligned },
   { { "src-span", ISA_GENS_ALL, "a source spans more than two registers",
       REGION_PRM },
     src_span },
   { { "dst-span", ISA_GENS_ALL,
       "the destination spans more than two registers", REGION_PRM },
     dst_span },
   { { "grf-range", ISA_GENS_ALL, "an operand reaches beyond r127",
       "SKL vol 7, General Register File" },
     beyond_r127 },
   { { "dst-even", ISA_GENS_UP_TO_8,
       "a destination of two registers is not split evenly", ALIGN_PRM },
     dst_uneven },
   { { "math-dst-even", ISA_GEN_BIT(SKL),
       "a destination of two registers of math is not split evenly",
       "SKL vol 7, Register Region Restrictions, alignment" },
     math_dst_uneven },
   { { "dst-oword", ISA_GENS_UP_TO_8,
       "a source of two registers wants the destination in one half of a "
       "register or even in both",
       ALIGN_PRM },
     dst_oword_uneven },
   { { "src-even", ISA_GENS_7,
       "a source of two registers has half of the channels in each, if the "
       "destination has one",
       ALIGN_PRM },
     src_uneven },
   { { "src-even-8", ISA_GEN_BIT(BDW),
       "a source of two registers has half of the channels in each, if the "
       "destination has one",
       "BDW vol 7, Register Region Restrictions", VAAPI "34 times" },
     src_uneven },
   { { "dst-2-src-1", ISA_GENS_7,
       "the destination spans two registers and a source only one",
       ALIGN_PRM },
     dst_2_src_1 },
   { { "src-straddles", ISA_GENS_7,
       "a register of the destination comes from two of a source",
       ALIGN_PRM },
     src_straddles },
   { { "src-offsets", ISA_GENS_7,
       "a source enters its two registers at different offsets", ALIGN_PRM },
     src_offsets_differ },
   { { "df-scalar-2", ISA_GEN_BIT(IVB),
       "a scalar DF source with a destination of two registers",
       "IVB vol 4 part 3, 3.3.4, DF in compressed instructions" },
     ivb_df_scalar },
};

const struct isa_rule_table isa_region_rules = { rows, ARRAY_SIZE(rows) };
