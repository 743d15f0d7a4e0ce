/* SPDX-License-Identifier: MIT */
/*
 * From struct isa_inst to struct eu_op: where the elements of each operand
 * lie, how the instruction computes, in which pieces it executes, and which
 * function does it. All that depends on regions, access modes and the
 * generation's quirks is settled here, once per instruction of a program.
 */
#include "intel/sim/eu/decode.h"

/* Operands --------------------------------------------------------------- */

/*
 * Which element of a vector immediate channel i takes: the immediate fills an
 * oword, and a channel finds there what lies where it goes to. So words side
 * by side from an oword on have one after the other, and four dwords each
 * other one (IGC 1.0.12504 has UV 0xC080400 for 0, 4, 8, 12; intel-vaapi-
 * driver's V to two words elsewhere alternates, so it fits, too).
 */
static unsigned
vector_element(const struct isa_inst *inst, unsigned i, unsigned element_B)
{
   const struct isa_operand *d = &inst->dst;
   const unsigned stride =
      inst->access_mode == ISA_ALIGN16 ? 1 : MAX2(d->hstride, 1);
   const unsigned at_B = (d->indirect ? 0 : d->subnr_B) +
                         i * stride * isa_type_size_B(d->type);
   return at_B % 16 / element_B;
}

/* Restricted vector immediates: the values of channels 0 to 7, and the type
 * that each channel sees (PRM SKL vol 7, "Immediate"). */
static void
expand_immediate(const struct isa_inst *inst, struct eu_operand *o,
                 const struct isa_operand *src)
{
   for (unsigned i = 0; i < 8; i++) {
      const uint32_t v = (uint32_t)src->imm;
      const unsigned word = vector_element(inst, i, 2);
      switch (src->type) {
      case ISA_TYPE_V:
         o->imm[i] = (uint16_t)util_sign_extend(v >> 4 * word & 15, 4);
         break;
      case ISA_TYPE_UV: o->imm[i] = v >> 4 * word & 15; break;
      case ISA_TYPE_VF:
         o->imm[i] = util_float_bits(
            eu_vf_to_float(v >> 8 * vector_element(inst, i, 4)));
         break;
      default: o->imm[i] = src->imm; break;
      }
   }
   o->type = src->type == ISA_TYPE_V    ? ISA_TYPE_W
             : src->type == ISA_TYPE_UV ? ISA_TYPE_UW
             : src->type == ISA_TYPE_VF ? ISA_TYPE_F
                                        : src->type;
   o->size_B = isa_type_size_B(o->type);
}

static void
place(struct eu_operand *o, const struct isa_operand *src)
{
   if (src->file == ISA_FILE_IMM) {
      o->where = EU_IMM;
   } else if (src->file == ISA_FILE_ARF) {
      o->where = (src->nr & 0xf0) == ISA_ARF_NULL ? EU_NULL : EU_ARF;
      o->nr = src->nr;
   } else if (src->indirect) {
      o->where = EU_INDIRECT;
      o->addr_subnr = src->addr_subnr;
      o->addr_imm_B = src->addr_imm_B;
      o->addr_rows = src->vstride == ISA_VSTRIDE_VXH;
      o->addr_row = MAX2(src->width, 1);
   } else {
      o->where = EU_GRF;
   }
   o->type = src->type;
   o->size_B = isa_type_size_B(src->type);
}

static unsigned
base_B(const struct eu_operand *o, const struct isa_operand *src)
{
   if (o->where == EU_GRF)
      return src->nr * SIM_GRF_B + src->subnr_B;
   return o->where == EU_ARF ? src->subnr_B : 0;
}

/*
 * Channel n of an instruction reads channel n of the accumulator, even where
 * the region says that all read the same element. No text that we have says
 * so; but Mesa up to 23.3 subtracts with saturation by `-acc0<0;1,0>` and
 * expects it (merge request 28059 gave it a region), and piglit's tests of
 * that function were written on Gen8 to Gen11.
 */
static bool
scalar_accumulator(const struct eu_operand *o, const struct isa_operand *src)
{
   return o->where == EU_ARF && (o->nr & 0xf0) == ISA_ARF_ACC &&
          !src->vstride && !src->hstride;
}

/* By a select, of single elements or of pairs. */
static void
decode_selects(const struct isa_inst *inst, unsigned i, unsigned stride,
               uint8_t swizzle, unsigned base, unsigned lanes,
               const struct sim_traits *traits, struct eu_operand *o)
{
   if (eu_selects_pairs(inst, i, traits))
      eu_region_pairs(o, stride, swizzle, base, lanes);
   else
      eu_region_align16(o, stride, swizzle, base, lanes, traits);
}

static void
decode_src(const struct isa_inst *inst, unsigned i, unsigned lanes,
           const struct sim_traits *traits, struct eu_operand *o)
{
   const struct isa_operand *src = &inst->src[i];
   place(o, src);
   o->negate = src->negate;
   o->abs = src->abs;
   const unsigned base = base_B(o, src);

   if (o->where == EU_IMM)
      expand_immediate(inst, o, src);
   else if (eu_is_macro(inst))
      eu_region_packed(o, base, lanes);
   else if (isa_opcode_info(inst->opcode)->format == ISA_FORMAT_SRC3) {
      if (src->rep_ctrl)
         decode_selects(inst, i, 0, ISA_SWIZZLE_XXXX, base, lanes, traits, o);
      else
         decode_selects(inst, i, 4, src->swizzle, base, lanes, traits, o);
   } else if (inst->opcode == ISA_OPCODE_PLN && i == 1) {
      eu_region_pln(o, base, lanes);
   } else if (inst->access_mode == ISA_ALIGN16) {
      decode_selects(inst, i, src->vstride, src->swizzle, base, lanes, traits,
                     o);
   } else if (scalar_accumulator(o, src)) {
      eu_region_packed(o, base, lanes);
   } else {
      eu_region_align1(o, src, base, lanes);
   }
}

static void
decode_dst(const struct isa_inst *inst, unsigned lanes,
           const struct sim_traits *traits, struct eu_slow *s)
{
   struct eu_operand *o = &s->dst;
   const bool align16 = inst->access_mode == ISA_ALIGN16 ||
                        isa_opcode_info(inst->opcode)->format ==
                           ISA_FORMAT_SRC3;
   place(o, &inst->dst);
   const unsigned base = base_B(o, &inst->dst);
   const unsigned stride = align16 ? 1 : MAX2(inst->dst.hstride, 1);
   for (unsigned i = 0; i < lanes; i++)
      o->lane_off_B[i] = base + i * stride * o->size_B;
   const bool pairs = eu_selects_pairs(inst, 0, traits);
   s->lane_mask =
      align16 && !eu_is_macro(inst)
         ? eu_write_mask_lanes(inst->dst.writemask, o->size_B, pairs, lanes)
         : ~0u;
}

/*
 * Ivybridge counts doubles in 32-bit units (eu-fp64-facts 1.2, rows 2 to 5,
 * and 1.5, rows 1 and 2; PRM IVB vol 4 part 3, section 3.3.9): an
 * instruction with a double executes half as many channels as it says, and
 * regions of doubles have width and vertical stride doubled. Other operands
 * keep their region, of which every second element takes part.
 */
static bool
counts_half(const struct isa_inst *inst, unsigned nsrc,
            const struct sim_traits *traits)
{
   bool df = inst->dst.type == ISA_TYPE_DF;
   for (unsigned i = 0; i < nsrc; i++)
      df |= inst->src[i].type == ISA_TYPE_DF;
   return df && traits->doubles_count_twice && inst->exec_size > 1 &&
          inst->opcode != ISA_OPCODE_DIM;
}

/* The source as it is in terms of doubles. `<0;2,1>` is a scalar; but a
 * compressed instruction steps it by a register for its second half. */
static void
halve_src(const struct isa_operand *src, unsigned lanes, struct eu_operand *o)
{
   if (o->where != EU_GRF && o->where != EU_INDIRECT)
      return;
   if (o->type != ISA_TYPE_DF) {
      for (unsigned i = 1; i < lanes; i++)
         o->lane_off_B[i] = o->lane_off_B[2 * i];
      return;
   }
   struct isa_operand half = *src;
   half.width = MAX2(src->width / 2, 1);
   half.vstride = src->vstride / 2;
   eu_region_align1(o, &half, o->where == EU_GRF ? base_B(o, src) : 0, lanes);
   for (unsigned i = 4; i < lanes && !src->vstride && src->width == 2; i++)
      o->lane_off_B[i] += SIM_GRF_B;
}

static void
halve(const struct isa_inst *inst, unsigned lanes, struct eu_slow *s)
{
   if (inst->access_mode == ISA_ALIGN16 ||
       isa_opcode_info(inst->opcode)->format == ISA_FORMAT_SRC3)
      return;
   for (unsigned i = 0; i < s->nsrc; i++)
      halve_src(&inst->src[i], lanes, &s->src[i]);
   if (s->dst.type != ISA_TYPE_DF)
      for (unsigned i = 1; i < lanes; i++)
         s->dst.lane_off_B[i] = s->dst.lane_off_B[2 * i];
}

/* Bytes that an operand in the GRF touches: [*lo, *hi). */
static void
extent(const struct eu_operand *o, unsigned lanes, unsigned *lo, unsigned *hi)
{
   *lo = ~0u;
   *hi = 0;
   for (unsigned i = 0; i < lanes; i++) {
      *lo = MIN2(*lo, o->lane_off_B[i]);
      *hi = MAX2(*hi, (unsigned)o->lane_off_B[i] + o->size_B);
   }
}

static bool
spans_two_grfs(const struct eu_operand *o, unsigned lanes)
{
   unsigned lo, hi;
   if (o->where != EU_GRF && o->where != EU_INDIRECT)
      return false;
   extent(o, lanes, &lo, &hi);
   return lo / SIM_GRF_B != (hi - 1) / SIM_GRF_B;
}

/* How it computes -------------------------------------------------------- */

/* PRM SKL vol 7, "Execution Data Type": the widest of the sources, float
 * before integer, words for bytes. */
static void
decode_class(struct eu_slow *s)
{
   bool f = false, hf = false, df = false, other = false;
   enum isa_type widest = ISA_TYPE_W;
   for (unsigned i = 0; i < s->nsrc; i++) {
      const enum isa_type t = s->src[i].type;
      if (s->src[i].where == EU_NULL)
         continue;
      f |= t == ISA_TYPE_F;
      hf |= t == ISA_TYPE_HF;
      df |= t == ISA_TYPE_DF;
      other |= !eu_type_is_float(t);
      if (s->src[i].size_B > isa_type_size_B(widest))
         widest = t;
   }
   s->exec_type = widest;
   s->cls = df                                    ? EU_DF
            : f                                   ? EU_F
            : !hf                                 ? EU_INT
            : other || s->dst.type != ISA_TYPE_HF ? EU_F
                                                  : EU_HF;
}

static bool
is_raw(const struct isa_inst *inst, const struct eu_slow *s)
{
   if (inst->opcode == ISA_OPCODE_DIM)
      return true;
   if ((inst->opcode != ISA_OPCODE_MOV &&
        (inst->opcode != ISA_OPCODE_SEL ||
         inst->cond_mod != ISA_COND_MOD_NONE)) ||
       inst->saturate)
      return false;
   for (unsigned i = 0; i < s->nsrc; i++)
      if (s->src[i].type != s->dst.type || s->src[i].negate || s->src[i].abs)
         return false;
   return true;
}

/* Changes of types that opcodes imply. */
static void
fix_types(const struct isa_inst *inst, struct eu_slow *s)
{
   switch (inst->opcode) {
   case ISA_OPCODE_F32TO16:
      /* A dword is filled up with zeros (which the manual does not say, but
       * Mesa's SIMD4x2 code for Gen7 relies on in Align16). */
      s->dst.type = ISA_TYPE_HF;
      break;
   case ISA_OPCODE_F16TO32:
      s->src[0].type = ISA_TYPE_HF;
      s->src[0].size_B = 2;
      break;
   case ISA_OPCODE_DIM: s->src[0].type = ISA_TYPE_DF; break;
   default: break;
   }
}

/*
 * The pieces in which the instruction executes, and the channels of the
 * second one. An instruction is compressed when it writes two registers, or
 * computes more than one of them; a source of two registers alone does not
 * make it so: Mesa's SIMD4x2 code for Haswell picks the low dwords of eight
 * doubles over one of the two registers that they are in. Compressed
 * instructions of Gen7 with a two-register destination have quirks:
 * eu-fp64-facts 1.3, rows 3 to 6.
 */
static void
decode_halves(const struct isa_inst *inst, unsigned lanes, struct eu_slow *s)
{
   const bool dst_two = spans_two_grfs(&s->dst, lanes);
   const bool two = dst_two ||
                    lanes * isa_type_size_B(s->exec_type) > SIM_GRF_B;
   s->half = two && lanes > 1 ? lanes / 2 : lanes;
   s->second = s->half;
   if (!s->traits->halves_have_enables || inst->no_mask)
      return;
   /* The upper 16 of 32 channels have the enables of the lower ones: fact
    * sheet 1.1, row 21 (PRM IVB vol 4 part 3). */
   if (lanes == 32)
      s->second = 0;
   if (lanes == 32 || !dst_two)
      return;
   if (s->cls != EU_DF)
      s->second = 8;
   else
      s->second = s->traits->second_half_of_doubles;
}

/* Checks --------------------------------------------------------------- */

static const char *
check_operand(const struct isa_inst *inst, const struct eu_operand *o,
              const struct isa_operand *src, unsigned lanes, bool is_dst)
{
   unsigned lo, hi;
   const bool is_plane =
      src == &inst->src[0] &&
      (inst->opcode == ISA_OPCODE_LINE || inst->opcode == ISA_OPCODE_PLN);
   if (o->where != EU_GRF)
      return NULL;
   extent(o, lanes, &lo, &hi);
   /* LINE and PLN: the four floats of the plane; PLN: v after u. */
   if (is_plane)
      hi = lo + 16;
   else if (inst->opcode == ISA_OPCODE_PLN && !is_dst)
      hi += SIM_GRF_B;
   if (hi > SIM_GRF_COUNT * SIM_GRF_B)
      return "an operand goes past the last GRF";
   return NULL;
}

static const char *
check(const struct isa_inst *inst, const struct eu_slow *s, unsigned lanes)
{
   const char *e = check_operand(inst, &s->dst, &inst->dst, lanes, true);
   for (unsigned i = 0; !e && i < s->nsrc; i++)
      e = check_operand(inst, &s->src[i], &inst->src[i], lanes, false);
   return e;
}

/* For the fast bodies --------------------------------------------------- */

static void
fast_src(const struct eu_operand *o, unsigned lanes, struct eu_src *f)
{
   f->type = o->type;
   f->negate = o->negate;
   f->abs = o->abs;
   f->mods = o->negate || o->abs;
   f->and_hi = o->abs ? 0x7fffffff : ~0u;
   f->xor_hi = o->negate ? 0x80000000 : 0;
   f->kind = EU_KIND_NONE;

   if (o->where == EU_IMM) {
      f->kind = EU_KIND_IMM;
      f->imm = o->imm[0];
      for (unsigned i = 1; i < 8; i++) {
         if (o->imm[i] != o->imm[0]) {
            f->kind = EU_KIND_VALUES;
            f->values = o->imm;
         }
      }
      return;
   }
   if (o->where != EU_GRF)
      return;
   bool scalar = true, vec = true, vec2 = true;
   for (unsigned i = 0; i < lanes; i++) {
      const unsigned d = o->lane_off_B[i] - o->lane_off_B[0];
      scalar &= d == 0;
      vec &= d == i * o->size_B;
      vec2 &= d == 2 * i * o->size_B;
   }
   f->off_B = o->lane_off_B[0];
   f->kind = scalar ? EU_KIND_SCALAR
             : vec  ? EU_KIND_VEC
             : vec2 ? EU_KIND_VEC2
                    : EU_KIND_REGION;
   if (f->kind == EU_KIND_REGION)
      f->lane_off_B = o->lane_off_B;
}

/* Bytes that LINE and PLN read after what their regions say. */
static unsigned
extra_B(enum isa_opcode op, unsigned src)
{
   if (op == ISA_OPCODE_PLN)
      return src ? SIM_GRF_B : 12;
   return op == ISA_OPCODE_LINE && !src ? 12 : 0;
}

static bool
overlap(const struct eu_operand *a, const struct eu_operand *b,
        unsigned b_extra_B, unsigned lanes)
{
   unsigned alo, ahi, blo, bhi;
   if (a->where != EU_GRF || b->where != EU_GRF)
      return false;
   extent(a, lanes, &alo, &ahi);
   extent(b, lanes, &blo, &bhi);
   return alo < bhi + b_extra_B && blo < ahi;
}

/* Whether a source sees the result of an earlier channel where it may not, or
 * does not where it should: the chip reads all of a half before it writes it,
 * a fast body all of a piece. */
static bool
pieces_differ(const struct eu_op *op, const struct eu_slow *s, unsigned src,
              unsigned piece)
{
   const struct eu_operand *d = &s->dst, *o = &s->src[src];
   const unsigned extra = extra_B(op->inst->opcode, src);
   if (!overlap(d, o, extra, op->exec_size))
      return false;
   if (extra)
      return true;
   for (unsigned i = 0; i < op->exec_size; i++) {
      const unsigned to = d->lane_off_B[i];
      for (unsigned k = i + 1; k < op->exec_size; k++) {
         const unsigned from = o->lane_off_B[k];
         if (to < from + o->size_B && from < to + d->size_B &&
             (i / s->half < k / s->half) != (i / piece < k / piece))
            return true;
      }
   }
   return false;
}

/* What every fast body needs: plain masks, and pieces whose size cannot be
 * told from the result. */
static bool
fast_possible(const struct eu_op *op, const struct eu_slow *s)
{
   const bool df = s->cls == EU_DF || s->dst.size_B == 8;
   const unsigned piece = MIN2(df ? 4 : 8, op->exec_size);

   if (s->second != s->half || op->inst->acc_wr_en ||
       eu_differs_from_fast(op, s))
      return false;
   if (s->dst.where != EU_GRF && s->dst.where != EU_NULL)
      return false;
   if (s->half == piece)
      return true;
   for (unsigned i = 0; i < s->nsrc; i++)
      if (pieces_differ(op, s, i, piece))
         return false;
   return true;
}

static void
fast_fields(struct eu_op *op, const struct eu_slow *s)
{
   const bool df = s->cls == EU_DF || s->dst.size_B == 8;
   op->chunks = DIV_ROUND_UP(op->exec_size, df ? 4 : 8);
   op->dst_off_B = s->dst.lane_off_B[0];
   op->dst_type = s->dst.type;
   if (s->dst.where == EU_NULL)
      op->flags |= EU_DST_NULL;
   else if (op->exec_size > 1 &&
            s->dst.lane_off_B[1] - s->dst.lane_off_B[0] == 2 * s->dst.size_B)
      op->flags |= EU_DST_STRIDE2;
   for (unsigned i = 0; i < s->nsrc; i++)
      fast_src(&s->src[i], op->exec_size, &op->src[i]);
}

static bool
fast_dst_layout(const struct eu_op *op, const struct eu_slow *s)
{
   if (s->dst.where == EU_NULL || op->exec_size == 1)
      return true;
   const unsigned d = s->dst.lane_off_B[1] - s->dst.lane_off_B[0];
   return d == s->dst.size_B || d == 2u * s->dst.size_B;
}

static void
select_fast(struct eu_op *op, enum eu_bodies bodies, struct arena *a)
{
   const struct eu_slow *s = op->slow;
   if (bodies == EU_BODIES_GENERIC || !fast_possible(op, s) ||
       !fast_dst_layout(op, s))
      return;
   fast_fields(op, s);
   for (unsigned i = 0; i < s->nsrc; i++)
      if ((op->src[i].kind == EU_KIND_NONE && !eu_moves_indirect(op, s)) ||
          (op->src[i].kind == EU_KIND_VALUES && s->dst.size_B == 8))
         return;
   const bool fast = bodies != EU_BODIES_BASE && eu_host_has_avx2()
                        ? eu_fast_select_avx2(op, a)
                        : eu_fast_select_base(op, a);
   /* A write mask is one more reason for a channel to be off. */
   if (fast)
      op->lanes &= s->lane_mask;
}

/* One instruction -------------------------------------------------------- */

static const struct eu_op *
run_illegal(struct sim_eu_thread *t, const struct eu_op *op)
{
   t->ip_B = op->ip_B;
   sim_eu_fault(t, SIM_FAULT_ILLEGAL, "%s", op->illegal);
   t->status = SIM_EU_FAULT;
   return NULL;
}

static const struct eu_op *
run_unimplemented(struct sim_eu_thread *t, const struct eu_op *op)
{
   t->ip_B = op->ip_B;
   sim_eu_fault(t, SIM_FAULT_UNIMPLEMENTED, "%s is not implemented",
                isa_opcode_info(op->inst->opcode)->name);
   t->status = SIM_EU_FAULT;
   return NULL;
}

static const struct eu_op *
run_nop(struct sim_eu_thread *t, const struct eu_op *op)
{
   return op + 1;
}

void
eu_decode_illegal(struct eu_op *op, const char *why)
{
   op->fn = run_illegal;
   op->body = EU_BODY_OTHER;
   op->has_slow = false;
   op->is_illegal = true;
   op->illegal = why;
}

static void
common_fields(const struct isa_inst *inst, struct eu_op *op)
{
   op->inst = inst;
   op->exec_size = inst->exec_size;
   op->lanes = BITFIELD_MASK(inst->exec_size);
   op->group = inst->group;
   op->cmod = inst->cond_mod;
   /* The early out of a macro, which its function computes. */
   if (inst->opcode == ISA_OPCODE_MATH && eu_is_macro(inst))
      op->cmod = ISA_COND_MOD_U;
   op->pred = inst->pred;
   op->flag_nr = inst->flag_nr & 1;
   op->flag_shift = inst->flag_subnr ? 16 : 0;
   op->flags = (inst->no_mask ? EU_NO_MASK : 0) |
               (inst->pred != ISA_PRED_NONE ? EU_PRED : 0) |
               (inst->pred_inv ? EU_PRED_INV : 0) |
               (inst->saturate ? EU_SAT : 0);
}

static void
decode_alu(const struct isa_inst *inst, const struct sim_traits *traits,
           enum eu_bodies bodies, struct arena *a, struct eu_op *op)
{
   struct eu_slow *s = arena_new(a, struct eu_slow);
   unsigned lanes = inst->exec_size;

   s->traits = traits;
   s->nsrc = isa_inst_num_srcs(inst);
   s->is_logic = traits->logic_negation_is_not &&
                 isa_opcode_info(inst->opcode)->is_logic;
   for (unsigned i = 0; i < s->nsrc; i++)
      decode_src(inst, i, lanes, traits, &s->src[i]);
   decode_dst(inst, lanes, traits, s);
   if (counts_half(inst, s->nsrc, traits)) {
      lanes /= 2;
      op->exec_size = lanes;
      op->lanes = BITFIELD_MASK(lanes);
      halve(inst, lanes, s);
   }
   fix_types(inst, s);
   decode_class(s);
   s->raw = is_raw(inst, s);
   decode_halves(inst, lanes, s);
   op->slow = s;
   op->has_slow = true;
   op->fn = eu_is_macro(inst) ? eu_macro : eu_generic;
   const char *e = check(inst, s, lanes);
   if (e)
      eu_decode_illegal(op, e);
   else if (!eu_is_macro(inst))
      select_fast(op, bodies, a);
   /* Lanes after the last read as lane 0, wherever a table is used. */
   for (unsigned i = 0; i < s->nsrc; i++)
      for (unsigned l = lanes; s->src[i].where != EU_IMM && l < SIM_MAX_LANES;
           l++)
         s->src[i].lane_off_B[l] = s->src[i].lane_off_B[0];
}

/* Channels that the instruction handles. */
static unsigned
channels(const struct isa_inst *inst, const struct sim_traits *traits)
{
   const unsigned nsrc = eu_generic_supports(inst) ? isa_inst_num_srcs(inst)
                                                   : 0;
   return counts_half(inst, nsrc, traits) ? inst->exec_size / 2
                                          : inst->exec_size;
}

void
eu_decode_inst(const struct isa_inst *inst, unsigned verx10,
               enum eu_bodies bodies, struct arena *a, struct eu_op *op)
{
   const struct isa_opcode_info *info = isa_opcode_info(inst->opcode);
   const struct sim_traits *traits = sim_traits(verx10);

   common_fields(inst, op);
   if (inst->opcode == ISA_OPCODE_ILLEGAL)
      eu_decode_illegal(op, "the opcode that is illegal by definition");
   else if (!isa_opcode_exists(isa_gen_from_number(verx10), inst->opcode))
      eu_decode_illegal(op, arena_printf(a,
                                         "%s does not exist on this "
                                         "generation",
                                         info->name));
   else if (info->format == ISA_FORMAT_NONE) /* has no channels */
      op->fn = run_nop;
   else if (!inst->exec_size || inst->exec_size > 32 ||
            inst->group + channels(inst, traits) > 32)
      eu_decode_illegal(op, "channels outside of the thread's 32");
   else if (info->is_send)
      eu_decode_send(inst, verx10, a, op);
   else if (inst->opcode == ISA_OPCODE_WAIT)
      op->fn = eu_wait;
   else if (info->is_flow)
      op->fn = eu_flow_select(inst);
   else if (eu_generic_supports(inst) || eu_is_macro(inst))
      decode_alu(inst, traits, bodies, a, op);
   if (!op->fn)
      op->fn = run_unimplemented;
   eu_decode_deviant(inst, op);
}
