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

bool
isa_breaks_region_width(const struct isa_view *v)
{
   return any_region(v, wider_than_exec);
}

bool
isa_breaks_region_one_row(const struct isa_view *v)
{
   return any_region(v, one_row_vstride);
}

bool
isa_breaks_region_width_1(const struct isa_view *v)
{
   return any_region(v, width_1_hstride);
}

bool
isa_breaks_region_one_channel(const struct isa_view *v)
{
   return any_region(v, one_channel_strides);
}

bool
isa_breaks_region_scalar(const struct isa_view *v)
{
   return any_region(v, scalar_width);
}

bool
isa_breaks_region_row(const struct isa_view *v)
{
   return any_region(v, row_crosses);
}

static bool
direct_rows(const struct isa_view *v, const struct isa_operand *src)
{
   (void)v;
   return !has_vstride(src) && !src->indirect;
}

bool
isa_breaks_region_rows(const struct isa_view *v)
{
   return any_region(v, direct_rows);
}

/* Also that of null: the field is encoded all the same. */
bool
isa_breaks_dst_hstride_0(const struct isa_view *v)
{
   return v->alu && !v->align16 && !v->macro && !v->inst->dst.hstride;
}

/* Spans. */

/* Regions count doubles of Ivybridge as two elements. */
bool
isa_breaks_exec_bytes(const struct isa_view *v)
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

bool
isa_breaks_operand_align(const struct isa_view *v)
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

bool
isa_breaks_src_span(const struct isa_view *v)
{
   for (unsigned n = 0; n < v->num_srcs; n++) {
      if (v->src[n].known && v->src[n].end_B > 2 * ISA_REG_SIZE_B)
         return true;
   }
   return false;
}

bool
isa_breaks_dst_span(const struct isa_view *v)
{
   return v->dst.known && v->dst.end_B > 2 * ISA_REG_SIZE_B;
}

static bool
past_the_end(const struct isa_operand *o, const struct isa_span *span)
{
   return span->known && o->file == ISA_FILE_GRF &&
          o->nr + DIV_ROUND_UP(span->end_B, ISA_REG_SIZE_B) > ISA_MAX_GRF;
}

bool
isa_breaks_grf_range(const struct isa_view *v)
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

bool
isa_breaks_dst_even(const struct isa_view *v)
{
   if (!spans_known(v) || v->dst.num_regs != 2)
      return false;
   const unsigned channels = v->inst->exec_size;
   return 2 * channels_after(&v->dst, channels, ISA_REG_SIZE_B) != channels;
}

bool
isa_breaks_math_dst_even(const struct isa_view *v)
{
   return v->inst->opcode == ISA_OPCODE_MATH && isa_breaks_dst_even(v);
}

/* Half of the channels of each source of two registers are in each of them,
 * and those of the destination in one half of its register, or half in each:
 * "the number of elements must be the same between the two sources". */
bool
isa_breaks_dst_oword(const struct isa_view *v)
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

bool
isa_breaks_src_even(const struct isa_view *v)
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

bool
isa_breaks_dst_2_src_1(const struct isa_view *v)
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
bool
isa_breaks_src_straddles(const struct isa_view *v)
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
bool
isa_breaks_src_offsets(const struct isa_view *v)
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
bool
isa_breaks_df_scalar_2(const struct isa_view *v)
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
