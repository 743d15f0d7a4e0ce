/* SPDX-License-Identifier: MIT */
/*
 * Every NIR ALU opcode that the back end takes, at every size: the compiled
 * code on the simulated EU, SIMD8 and SIMD16, against the expression in
 * NIR's opcode table (nir_eval_const_opcode), on special and random values.
 *
 * Each channel reads its operands from a buffer, does the operation and
 * stores the result; half of the channels are off in a second run and must
 * leave theirs alone. Opcodes that work by component are done on scalars and
 * on the longest vectors that fit into 16 bytes.
 *
 * Not here:
 *   - what front ends for Vulkan do not make and no pass builds: mediump
 *     conversions (f2fmp, ...), 24-bit and 32x16-bit products, amul, fmulz,
 *     fcsel and its kin, iadd3, bfi, bfm, bitfield_select, averages and
 *     differences of video (uhadd, uabs_usub, ...), pack_uvec*_to_uint,
 *     conversions to one-bit integers, flushing unpacks, the _replicated
 *     dots, fsum, frem of floats;
 *   - booleans of 8, 16 and 32 bits: the back end's are of one bit;
 *   - derivatives, which need neighbours: piglit has them;
 *   - vectors of more than four components, and what needs more than 16
 *     bytes per operand (vec8, pack of four doubles, ...);
 *   - sizes other than 32 bits of opcodes that SPIR-V has for 32 bits only
 *     (is_32bit_only), 16-bit sums that NIR's table forms in single precision,
 *     and frexp of 16 bits, which has no lowering (describe).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "compiler/nir/nir_builder.h"
#include "run_shader.h"
#include "util/half.h"
#include "util/unit_test.h"

#define LANES 16
#define SLOT_B 96        /* operands and result of one channel */
#define RESULT_B 64
#define ROUNDS 12

static struct runner *runner;
static uint64_t seed = 0x123456789abcdefull;

static uint64_t
random64(void)
{
   seed ^= seed >> 12;
   seed ^= seed << 25;
   seed ^= seed >> 27;
   return seed * 0x2545f4914f6cdd1dull;
}

/* ---- values ---- */

static uint64_t
random_value(nir_alu_type base, unsigned bits)
{
   static const uint64_t f64[] = {
      0, 1ull << 63, 0x3ff0000000000000, 0xbff0000000000000,
      0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 1,
      0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
      0x3fe0000000000000, 0x4330000000000000, 0x3fdfffffffffffff,
   };
   static const uint32_t f32[] = {
      0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
      0x7fc00000, 0x3f000000, 0x4b000000, 0x00800000, 0x7f7fffff,
      0x3effffff, 0xc0200000,
   };
   static const uint16_t f16[] = {
      0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x3800, 0x0400,
      0x7bff, 1,
   };
   static const uint64_t ints[] = {
      0, 1, ~0ull, 0x7fffffffffffffff, 1ull << 63, 0x7fffffff, 0x80000000,
      0xffff, 0x8000, 0x7f, 0x80, 31, 32, 63, 64, 16, 8,
   };
   const uint64_t r = random64() >> 8;
   uint64_t v;

   if (bits == 1)
      return r & 1;
   if (base == nir_type_float) {
      const double d = (double)(int32_t)random64() / 65536.0;
      switch (r % 3) {
      case 0:
         v = bits == 64   ? f64[r / 3 % ARRAY_SIZE(f64)]
             : bits == 32 ? f32[r / 3 % ARRAY_SIZE(f32)]
                          : f16[r / 3 % ARRAY_SIZE(f16)];
         break;
      case 1:
         v = bits == 64   ? util_double_bits(d)
             : bits == 32 ? util_float_bits((float)d)
                          : util_float_to_half((float)(d / 64));
         break;
      default:
         v = random64();
         break;
      }
   } else {
      v = r % 2 ? ints[r / 2 % ARRAY_SIZE(ints)] : random64();
   }
   return bits == 64 ? v : v & BITFIELD64_MASK(bits);
}

/* ---- the shader ---- */

static unsigned
storage_bits(unsigned bits)
{
   return bits == 1 ? 32 : bits;
}

static nir_ssa_def *
load(nir_builder *b, nir_ssa_def *base, unsigned offset_B, unsigned comps,
     unsigned bits)
{
   nir_intrinsic_instr *intr =
      nir_intrinsic_instr_create(b->shader, nir_intrinsic_load_ssbo);

   intr->num_components = (uint8_t)comps;
   intr->src[0] = nir_src_for_ssa(nir_imm_int(b, RUN_BUFFER_BTI));
   intr->src[1] = nir_src_for_ssa(nir_iadd_imm(b, base, offset_B));
   nir_intrinsic_set_align(intr, 8, 0);
   nir_ssa_dest_init(&intr->instr, &intr->dest, comps, storage_bits(bits),
                     NULL);
   nir_builder_instr_insert(b, &intr->instr);
   if (bits != 1)
      return &intr->dest.ssa;
   return nir_ine(b, &intr->dest.ssa, nir_imm_int(b, 0));
}

static void
store(nir_builder *b, nir_ssa_def *base, unsigned offset_B, nir_ssa_def *v)
{
   nir_intrinsic_instr *intr =
      nir_intrinsic_instr_create(b->shader, nir_intrinsic_store_ssbo);

   if (v->bit_size == 1)
      v = nir_bcsel(b, v, nir_imm_int(b, 1), nir_imm_int(b, 0));
   intr->num_components = v->num_components;
   intr->src[0] = nir_src_for_ssa(v);
   intr->src[1] = nir_src_for_ssa(nir_imm_int(b, RUN_BUFFER_BTI));
   intr->src[2] = nir_src_for_ssa(nir_iadd_imm(b, base, offset_B));
   nir_intrinsic_set_write_mask(intr, (int)BITFIELD_MASK(v->num_components));
   nir_intrinsic_set_align(intr, 8, 0);
   nir_builder_instr_insert(b, &intr->instr);
}

static bool has_constant_index(nir_op op);

struct op_case {
   nir_op op;
   unsigned bits;        /* of the size-less types */
   unsigned src_comps[4], dst_comps;
   unsigned src_bits[4], dst_bits;
   unsigned index;       /* has_constant_index() */
};

static unsigned
src_offset(unsigned i)
{
   return i * 16;
}

static struct intel_shader *
build(struct arena *arena, const struct op_case *c)
{
   const struct intel_compiler *compiler = runner_compiler(runner);
   const nir_op_info *info = &nir_op_infos[c->op];
   nir_builder b = nir_builder_init_simple_shader(
      MESA_SHADER_FRAGMENT,
      intel_compiler_nir_options(compiler, MESA_SHADER_FRAGMENT), "%s %u",
      info->name, c->bits);
   nir_ssa_def *lane = nir_load_sample_mask_in(&b);
   nir_ssa_def *base = nir_imul_imm(&b, lane, SLOT_B);
   nir_alu_instr *alu = nir_alu_instr_create(b.shader, c->op);

   for (unsigned i = 0; i < info->num_inputs; i++) {
      nir_ssa_def *s =
         i == 1 && has_constant_index(c->op)
            ? nir_imm_intN_t(&b, c->index, c->src_bits[i])
            : load(&b, base, src_offset(i), c->src_comps[i],
                   c->src_bits[i]);
      alu->src[i].src = nir_src_for_ssa(s);
      for (unsigned k = 0; k < c->src_comps[i]; k++)
         alu->src[i].swizzle[k] = (uint8_t)k;
   }
   /* No algebra: the opcode itself is wanted. */
   alu->exact = true;
   nir_ssa_dest_init(&alu->instr, &alu->dest.dest, c->dst_comps,
                     c->dst_bits, NULL);
   alu->dest.write_mask = BITFIELD_MASK(c->dst_comps);
   nir_builder_instr_insert(&b, &alu->instr);
   store(&b, base, RESULT_B, &alu->dest.dest.ssa);

   intel_preprocess_nir(compiler, b.shader);
   const struct intel_compile_params params = { .arena = arena,
                                                .nir = b.shader };
   const struct intel_wm_key key = { .nr_color_regions = 1 };
   struct intel_shader *sh = intel_compile_fs(compiler, &params, &key);
   nir_shader_destroy(b.shader);
   return sh;
}

/* ---- running and comparing ---- */

static uint64_t inputs[LANES][4][4];

static void
put(uint8_t *at, unsigned bits, uint64_t v)
{
   memcpy(at, &v, storage_bits(bits) / 8);
}

static uint64_t
get(const uint8_t *at, unsigned bits)
{
   uint64_t v = 0;
   memcpy(&v, at, storage_bits(bits) / 8);
   return v;
}

static void
fill(const struct op_case *c)
{
   const nir_op_info *info = &nir_op_infos[c->op];
   uint8_t *buf = runner_buffer(runner);

   memset(buf, 0xcd, LANES * SLOT_B);
   for (unsigned l = 0; l < LANES; l++) {
      for (unsigned i = 0; i < info->num_inputs; i++) {
         for (unsigned k = 0; k < c->src_comps[i]; k++) {
            uint64_t v = random_value(
               nir_alu_type_get_base_type(info->input_types[i]),
               c->src_bits[i]);
            if (i == 1 && has_constant_index(c->op))
               v = c->index;
            inputs[l][i][k] = v;
            put(buf + l * SLOT_B + src_offset(i) +
                   k * storage_bits(c->src_bits[i]) / 8, c->src_bits[i], v);
         }
      }
   }
}

static double
as_double(uint64_t v, unsigned bits)
{
   return bits == 64   ? util_bits_double(v)
          : bits == 32 ? (double)util_bits_float((uint32_t)v)
                       : (double)util_half_to_float((uint16_t)v);
}

static bool
is_approximate(nir_op op, unsigned bits)
{
   switch (op) {
   case nir_op_frcp:
   case nir_op_frsq:
   case nir_op_fsqrt:
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_fpow:
   case nir_op_fdiv:
   case nir_op_flrp:
   case nir_op_fmod:
   case nir_op_frem:
   case nir_op_ldexp:
   case nir_op_unpack_snorm_2x16:
   case nir_op_unpack_snorm_4x8:
   case nir_op_unpack_unorm_2x16:
   case nir_op_unpack_unorm_4x8:
      return bits <= 32 || op == nir_op_flrp || op == nir_op_frsq;
   default:
      return false;
   }
}

/* Results that the opcode leaves open, or that hardware rounds freely. */
static bool
same(const struct op_case *c, unsigned lane, unsigned comp, uint64_t got,
     uint64_t want)
{
   const nir_alu_type base =
      nir_alu_type_get_base_type(nir_op_infos[c->op].output_type);

   if (got == want)
      return true;
   if (base != nir_type_float)
      return false;
   const double g = as_double(got, c->dst_bits);
   const double w = as_double(want, c->dst_bits);
   if (isnan(g) && isnan(w))
      return true;
   if (c->op == nir_op_fmod && g == 0 && w == 0)
      return true;
   if (!is_approximate(c->op, c->dst_bits))
      return false;
   /* The MATH unit flushes subnormals and is off by some ulp; sine and
    * cosine by an absolute error. */
   const double tiny = c->dst_bits == 16 ? 0x1p-14 : 0x1p-126;
   if (fabs(w) < 2 * tiny && fabs(g) < 2 * tiny)
      return true;
   for (unsigned i = 0; i < nir_op_infos[c->op].num_inputs; i++) {
      const double x = as_double(inputs[lane][i][comp], c->src_bits[i]);
      if (x != 0 && fabs(x) < tiny)
         return true;
   }
   if (c->op == nir_op_fsin || c->op == nir_op_fcos ||
       c->op == nir_op_fpow || c->op == nir_op_fmod ||
       c->op == nir_op_frem) {
      const double x = as_double(inputs[lane][0][comp], c->src_bits[0]);
      if (!(fabs(x) < 100) || !isfinite(w))
         return true;
      return fabs(g - w) <= 0x1p-7 * (1 + fabs(w));
   }
   const double rel = c->dst_bits == 16 ? 0x1p-8
                      : c->dst_bits == 64 ? 0x1p-50 : 0x1p-18;
   if (isinf(g) || isinf(w))
      return fabs(isinf(g) ? w : g) > (c->dst_bits == 16 ? 0x1p15 : 0x1p127);
   return fabs(g - w) <= rel * fabs(w);
}

/* Operands for which the opcode's result is undefined. */
static bool
is_defined(const struct op_case *c, unsigned lane, unsigned comp)
{
   const uint64_t *x = inputs[lane][0] + comp, *y = inputs[lane][1] + comp;
   double d;

   switch (c->op) {
   case nir_op_idiv:
   case nir_op_udiv:
   case nir_op_imod:
   case nir_op_umod:
   case nir_op_irem:
      return y[0] != 0 && !(c->op != nir_op_udiv && c->op != nir_op_umod &&
                            y[0] == BITFIELD64_MASK(c->bits) &&
                            x[0] == 1ull << (c->bits - 1));
   case nir_op_f2i8:
   case nir_op_f2i16:
   case nir_op_f2i32:
   case nir_op_f2i64:
      d = as_double(x[0], c->src_bits[0]);
      return fabs(d) < ldexp(1, (int)c->dst_bits - 1) - 1;
   case nir_op_f2u8:
   case nir_op_f2u16:
   case nir_op_f2u32:
   case nir_op_f2u64:
      d = as_double(x[0], c->src_bits[0]);
      return d >= 0 && d < ldexp(1, (int)c->dst_bits) - 1;
   case nir_op_fpow:
      return as_double(x[0], c->bits) > 0;
   case nir_op_frexp_sig:
   case nir_op_frexp_exp:
      return isfinite(as_double(x[0], c->src_bits[0]));
   case nir_op_fmin:
   case nir_op_fmax:
      /* Which zero, and which of two NaNs' bits, is open. */
      return as_double(x[0], c->bits) != as_double(y[0], c->bits);
   case nir_op_fmod: {
      /* Quotients that a significand holds; what lies within one ulp of 0
       * or y may become either. */
      const double q = as_double(x[0], c->bits) / as_double(y[0], c->bits);
      const double limit = c->bits == 64 ? 0x1p50 : 0x1p20;
      return fabs(q) < limit && fabs(q) > 1 / limit;
   }
   case nir_op_flrp:
      for (unsigned i = 0; i < 3; i++) {
         if (!(fabs(as_double(inputs[lane][i][comp], c->bits)) < 1e10))
            return false;
      }
      return true;
   case nir_op_ldexp:
      /* GLSL leaves open what happens behind the exponents of the type. */
      return (int32_t)y[0] >= -252 && (int32_t)y[0] <= 254;
   case nir_op_fsign:
      return !isnan(as_double(x[0], c->bits));
   case nir_op_pack_snorm_2x16:
   case nir_op_pack_snorm_4x8:
   case nir_op_pack_unorm_2x16:
   case nir_op_pack_unorm_4x8:
      for (unsigned k = 0; k < c->src_comps[0]; k++) {
         if (isnan(as_double(x[k], 32)))
            return false;
      }
      return true;
   case nir_op_ubitfield_extract:
   case nir_op_ibitfield_extract:
      return y[0] + inputs[lane][2][comp] <= 32 && y[0] < 32;
   case nir_op_bitfield_insert:
      return inputs[lane][2][comp] < 32 &&
             inputs[lane][2][comp] + inputs[lane][3][comp] <= 32;
   case nir_op_ubfe:
   case nir_op_ibfe:
      return true;
   default:
      return true;
   }
}

static unsigned
check(const struct op_case *c, unsigned width, uint32_t mask)
{
   const nir_op_info *info = &nir_op_infos[c->op];
   const uint8_t *buf = runner_buffer(runner);
   unsigned wrong = 0;

   for (unsigned l = 0; l < width; l++) {
      nir_const_value src[4][4], dst[16], *ptr[4];

      if (!(mask & (1u << l))) {
         if (get(buf + l * SLOT_B + RESULT_B, 32) != 0xcdcdcdcd) {
            printf("%s %u SIMD%u: lane %u is off but was written\n",
                   info->name, c->bits, width, l);
            wrong++;
         }
         continue;
      }
      for (unsigned i = 0; i < info->num_inputs; i++) {
         for (unsigned k = 0; k < c->src_comps[i]; k++)
            src[i][k] = nir_const_value_for_raw_uint(inputs[l][i][k],
                                                     c->src_bits[i]);
         ptr[i] = src[i];
      }
      nir_eval_const_opcode(c->op, dst, c->dst_comps, c->bits, ptr, 0);
      for (unsigned k = 0; k < c->dst_comps; k++) {
         const uint64_t want =
            c->dst_bits == 1 ? dst[k].b
                             : nir_const_value_as_uint(dst[k], c->dst_bits);
         const uint64_t got =
            get(buf + l * SLOT_B + RESULT_B +
                k * storage_bits(c->dst_bits) / 8, c->dst_bits);
         /* Where a result depends on all components, the first operand's
          * first one decides. */
         const unsigned comp = info->output_size ? 0 : k;
         if (!is_defined(c, l, comp) || same(c, l, comp, got, want))
            continue;
         if (wrong++ < 3)
            printf("%s %u SIMD%u lane %u.%u: 0x%" PRIx64 ", 0x%" PRIx64
                   ", 0x%" PRIx64 " -> 0x%" PRIx64 ", expected 0x%" PRIx64
                   "\n", info->name, c->bits, width, l, k,
                   inputs[l][0][comp], inputs[l][1][comp],
                   inputs[l][2][comp], got, want);
      }
   }
   return wrong;
}

/* 0: all right; else the number of faults. */
static unsigned
test_case(const struct op_case *c)
{
   struct arena *arena = arena_create(NULL);
   const struct intel_shader *sh = build(arena, c);
   unsigned wrong = 0;

   if (!sh->code) {
      printf("%s %u: %s\n", nir_op_infos[c->op].name, c->bits, sh->error);
      arena_destroy(arena);
      return 1;
   }
   for (unsigned round = 0; round < ROUNDS && wrong < 3; round++) {
      for (unsigned width = 8; width <= 16; width += 8) {
         const uint32_t all = BITFIELD_MASK(width);
         const uint32_t mask =
            round % 2 ? (uint32_t)random64() & all : all;
         const char *error;

         if (width == 16 && !sh->prog_data.wm->dispatch_16)
            continue;
         fill(c);
         error = runner_run(runner, sh, width, mask);
         if (error) {
            printf("%s %u SIMD%u: %s\n", nir_op_infos[c->op].name, c->bits,
                   width, error);
            wrong++;
         } else {
            wrong += check(c, width, mask);
         }
      }
   }
   arena_destroy(arena);
   return wrong;
}

/* Opcodes that are no part of the interface to the back end. */
static bool
is_skipped(nir_op op)
{
   const nir_op_info *info = &nir_op_infos[op];

   if (nir_op_is_derivative(op) || info->num_inputs > 4 ||
       strstr(info->name, "_replicated") || !strncmp(info->name, "fsum", 4))
      return true;
   switch (op) {
#define SKIP(o) case nir_op_##o:
   SKIP(f2fmp) SKIP(f2imp) SKIP(f2ump) SKIP(i2fmp) SKIP(u2fmp) SKIP(i2imp)
   SKIP(amul) SKIP(imul24) SKIP(umul24) SKIP(umul_low) SKIP(imul_32x16)
   SKIP(umul_32x16) SKIP(fmulz) SKIP(frem) SKIP(iadd3) SKIP(imad24_ir3)
   SKIP(umad24) SKIP(fcsel) SKIP(i32csel_gt) SKIP(i32csel_ge)
   SKIP(fcsel_gt) SKIP(fcsel_ge) SKIP(bitfield_select) SKIP(uabs_isub)
   SKIP(uabs_usub) SKIP(irhadd) SKIP(urhadd) SKIP(ihadd) SKIP(uhadd)
   SKIP(isub_sat) SKIP(uclz) SKIP(pack_uvec2_to_uint)
   SKIP(pack_uvec4_to_uint) SKIP(bfi) SKIP(bfm) SKIP(f2i1) SKIP(f2u1)
   SKIP(i2i1) SKIP(u2u1) SKIP(unpack_half_2x16_flush_to_zero)
   SKIP(unpack_half_2x16_split_x_flush_to_zero)
   SKIP(unpack_half_2x16_split_y_flush_to_zero)
      return true;
#undef SKIP
   default:
      break;
   }
   /* Booleans are of one bit here. */
   const unsigned size = nir_alu_type_get_type_size(info->output_type);
   if (nir_alu_type_get_base_type(info->output_type) == nir_type_bool &&
       size > 1)
      return true;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const nir_alu_type t = info->input_types[i];
      if (nir_alu_type_get_base_type(t) == nir_type_bool &&
          nir_alu_type_get_type_size(t) > 1)
         return true;
   }
   return false;
}

/* Opcodes that front ends make of 32 bits only, whatever NIR allows. */
static bool
is_32bit_only(nir_op op)
{
   switch (op) {
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_fpow:
   case nir_op_ifind_msb_rev:
   case nir_op_ufind_msb_rev:
   case nir_op_uadd_carry:
   case nir_op_usub_borrow:
   case nir_op_urol:
   case nir_op_uror:
   case nir_op_insert_u8:
   case nir_op_insert_u16:
      return true;
   default:
      return false;
   }
}

static bool
size_is_possible(nir_alu_type type, unsigned bits)
{
   if (nir_alu_type_get_type_size(type))
      return true;
   if (bits == 1)
      return nir_alu_type_get_base_type(type) != nir_type_float;
   return nir_alu_type_get_base_type(type) != nir_type_float || bits >= 16;
}

/* What booleans of one bit can do. */
static bool
is_boolean_op(nir_op op)
{
   switch (op) {
   case nir_op_mov:
   case nir_op_inot:
   case nir_op_iand:
   case nir_op_ior:
   case nir_op_ixor:
   case nir_op_ieq:
   case nir_op_ine:
   case nir_op_bcsel:
      return true;
   default:
      return nir_op_is_vec(op) ||
             nir_op_infos[op].input_types[0] == nir_type_bool;
   }
}

/* The second source is part of the opcode, so to say. */
static bool
has_constant_index(nir_op op)
{
   switch (op) {
   case nir_op_extract_u8:
   case nir_op_extract_i8:
   case nir_op_extract_u16:
   case nir_op_extract_i16:
   case nir_op_insert_u8:
   case nir_op_insert_u16:
      return true;
   default:
      return false;
   }
}

/* False if the opcode is not there at this size, or as vector. */
static bool
describe(nir_op op, unsigned bits, bool vector, struct op_case *c)
{
   const nir_op_info *info = &nir_op_infos[op];
   bool any_free = nir_alu_type_get_type_size(info->output_type) == 0;

   memset(c, 0, sizeof(*c));
   c->op = op;
   c->bits = bits;
   if (!size_is_possible(info->output_type, bits) ||
       (bits == 1 && !is_boolean_op(op)) ||
       (bits != 32 && is_32bit_only(op)))
      return false;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const nir_alu_type t = info->input_types[i];
      const unsigned size = nir_alu_type_get_type_size(t);

      any_free |= size == 0;
      if (!size_is_possible(t, bits))
         return false;
      c->src_bits[i] = size ? size : bits;
      c->src_comps[i] = info->input_sizes[i] ? info->input_sizes[i] : 1;
      /* A boolean of no size is one of one bit. */
      if (t == nir_type_bool && bits != 1)
         return false;
   }
   const unsigned part = strstr(info->name, "16") ? 16 : 8;
   if (has_constant_index(op) && bits <= part)
      return false;
   c->index = bits / part - 1;
   /* Sums that NIR's table forms in single precision. */
   if (bits == 16 && (!strncmp(info->name, "fdot", 4) ||
                      op == nir_op_fdph || op == nir_op_flrp ||
                      op == nir_op_ffract || op == nir_op_ldexp ||
                      op == nir_op_fmod || op == nir_op_frexp_sig ||
                      op == nir_op_frexp_exp))
      return false;
   const unsigned size = nir_alu_type_get_type_size(info->output_type);
   c->dst_bits = size ? size : bits;
   c->dst_comps = info->output_size ? info->output_size : 1;
   if (vector) {
      unsigned widest = storage_bits(c->dst_bits);
      for (unsigned i = 0; i < info->num_inputs; i++)
         widest = MAX2(widest, storage_bits(c->src_bits[i]));
      if (info->output_size || has_constant_index(op))
         return false;
      c->dst_comps = MIN2(4, 128 / widest);
      for (unsigned i = 0; i < info->num_inputs; i++) {
         if (!info->input_sizes[i])
            c->src_comps[i] = c->dst_comps;
      }
   }
   for (unsigned i = 0; i < info->num_inputs; i++) {
      if (c->src_comps[i] > 4 ||
          c->src_comps[i] * storage_bits(c->src_bits[i]) > 128)
         return false;
   }
   if (c->dst_comps * storage_bits(c->dst_bits) > 128)
      return false;
   /* Opcodes without a size-less type are tested once. */
   return any_free || bits == 32;
}

static void
test_size(unsigned bits)
{
   unsigned wrong = 0, cases = 0;

   for (unsigned i = 0; i < 2 * nir_num_opcodes; i++) {
      const unsigned op = i / 2;
      const bool vector = i % 2;
      struct op_case c;

      if (getenv("OP") && strcmp(getenv("OP"), nir_op_infos[op].name))
         continue;
      if (is_skipped((nir_op)op) || !describe((nir_op)op, bits, vector, &c))
         continue;
      wrong += test_case(&c) != 0;
      cases++;
   }
   printf("%u bits: %u opcodes, scalar or vector, %u wrong\n", bits, cases, wrong);
   assert_int_equal(wrong, 0);
}

static void test_1(void **state) { test_size(1); }
static void test_8(void **state) { test_size(8); }
static void test_16(void **state) { test_size(16); }
static void test_32(void **state) { test_size(32); }
static void test_64(void **state) { test_size(64); }

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_32),
      cmocka_unit_test(test_64),
      cmocka_unit_test(test_1),
      cmocka_unit_test(test_16),
      cmocka_unit_test(test_8),
   };
   runner = runner_create();
   const int result = cmocka_run_group_tests(tests, NULL, NULL);
   runner_destroy(runner);
   return result;
}
