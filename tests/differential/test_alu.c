/* SPDX-License-Identifier: MIT */
/*
 * Every NIR ALU opcode, at every size that its row allows, on scalars and on
 * vectors of every length: the NIR interpreter before any pass has seen the
 * shader, against the compiled code on the simulated EU, SIMD8 and SIMD16,
 * on special and random values.
 *
 * Each channel reads its operands from a buffer, does the operation and
 * stores the result; in every other run half of the channels are off (whole
 * quads of them for derivatives) and must leave theirs alone. Nothing but
 * the result may change in memory.
 *
 * So does every opcode on integers whose operands are negated, or absolute
 * values: what the back end may put into a source of the instruction, it may
 * only where the least number of the type comes out as itself.
 *
 * The test walks the opcode table itself. A case that the compiler refuses
 * must have its row in refused[], with the reason, and the compiler's error
 * must name the opcode; a row there that compiles is a fault, too. How near
 * a result must be: alu_accuracy.c.
 */
#include <inttypes.h>
#include <stdio.h>

#include "alu_accuracy.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_interp.h"
#include "run_shader.h"
#include "util/half.h"
#include "util/unit_test.h"

#define LANES 16
#define SLOT_B 768 /* operands and result of one channel */
#define RESULT_B 640
#define ROUNDS 12 /* of scalars; fewer of longer vectors */
#define MODIFIED_ROUNDS 4

/* What the compiler refuses, and why that is right. */
static const struct {
   nir_op op;
   unsigned bits;
   const char *why;
} refused[] = {
#define NO_API "GLSL and GLSL.std.450 have it for halves and floats only"
   { nir_op_fexp2, 64, NO_API }, { nir_op_flog2, 64, NO_API },
   { nir_op_fsin, 64, NO_API },  { nir_op_fcos, 64, NO_API },
   { nir_op_fpow, 64, NO_API },
#undef NO_API
};

static struct runner *runner;
static bool may_flush; /* nothing asks for subnormals of 32 bits */
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
   /* clang-format off */
   static const uint64_t f64[] = {
      0, 1ull << 63, 0x3ff0000000000000, 0xbff0000000000000,
      0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 1,
      0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
      0x3fe0000000000000, 0x4330000000000000, 0x3fdfffffffffffff,
   };
   /* clang-format on */
   static const uint32_t f32[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
      0xff800000, 0x7fc00000, 0x3f000000, 0x4b000000, 0x00800000,
      0x7f7fffff, 0x3effffff, 0xc0200000,
   };
   static const uint16_t f16[] = {
      0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00,
      0x7e00, 0x3800, 0x0400, 0x7bff, 1,
   };
   static const uint64_t ints[] = {
      0,          1,          ~0ull,      0x7fffffffffffffff,
      1ull << 63, 0x7fffffff, 0x80000000, 0xffff,
      0x8000,     0x7f,       0x80,       31,
      32,         63,         64,         16,
      8,
   };
   const uint64_t r = random64() >> 8;
   uint64_t v;

   if (bits == 1)
      return r & 1;
   if (base == nir_type_bool)
      return r & 1 ? BITFIELD64_MASK(bits) : 0;
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
      default: v = random64(); break;
      }
   } else {
      v = r % 2 ? ints[r / 2 % ARRAY_SIZE(ints)] : random64();
   }
   return bits == 64 ? v : v & BITFIELD64_MASK(bits);
}

/* ---- the cases ---- */

/* What an integer operand goes through first. */
enum modifier {
   PLAIN,
   NEGATED,
   ABSOLUTE,
   NEGATED_ABSOLUTE,
   MODIFIERS,
};

struct op_case {
   nir_op op;
   unsigned bits; /* of the size-less types */
   unsigned src_comps[ALU_MAX_SOURCES], src_bits[ALU_MAX_SOURCES];
   unsigned src_offset_B[ALU_MAX_SOURCES];
   unsigned dst_comps, dst_bits;
   /* The second source is this constant: part of the opcode, so to say. */
   bool constant_index;
   unsigned index;
   bool modified;
   enum modifier modifiers[ALU_MAX_SOURCES];
};

static bool
is_integer(const struct op_case *c, unsigned i)
{
   const nir_alu_type base = nir_type_base(nir_op_infos[c->op].input[i].type);

   return (base == nir_type_int || base == nir_type_uint) &&
          c->src_bits[i] > 1;
}

static nir_value *
modify(nir_builder *b, nir_value *x, enum modifier m)
{
   if (m == ABSOLUTE || m == NEGATED_ABSOLUTE)
      x = nir_iabs(b, x);
   return m == NEGATED || m == NEGATED_ABSOLUTE ? nir_ineg(b, x) : x;
}

static uint64_t
modified(uint64_t x, unsigned bits, enum modifier m)
{
   const bool is_negative = x >> (bits - 1) & 1;
   const bool flips = m == NEGATED || (m == ABSOLUTE && is_negative) ||
                      (m == NEGATED_ABSOLUTE && !is_negative);

   return (flips ? 0 - x : x) & BITFIELD64_MASK(bits);
}

static unsigned
storage_bits(unsigned bits)
{
   return bits == 1 ? 32 : bits;
}

static bool
type_has_size(nir_alu_type type, unsigned bits)
{
   if (nir_type_bits(type))
      return true;
   switch (nir_type_base(type)) {
   case nir_type_float: return bits >= 16;
   case nir_type_bool: return bits <= 32;
   default: return true;
   }
}

/* NOT_1_BIT of nir_opcodes.py. */
static bool
is_not_for_one_bit(nir_op op)
{
   return op == nir_op_isign || op == nir_op_ihadd || op == nir_op_uhadd ||
          op == nir_op_irhadd || op == nir_op_urhadd;
}

static bool
is_part_access(nir_op op)
{
   return !strncmp(nir_op_infos[op].name, "extract_", 8) ||
          !strncmp(nir_op_infos[op].name, "insert_", 7);
}

/* False if the opcode has no such size or length. */
static bool
describe(nir_op op, unsigned bits, unsigned length, struct op_case *c)
{
   const nir_op_info *info = &nir_op_infos[op];
   bool any_free = nir_type_bits(info->output.type) == 0;
   unsigned offset_B = 0;

   memset(c, 0, sizeof(*c));
   c->op = op;
   c->bits = bits;
   if ((info->output.size && length > 1) ||
       !type_has_size(info->output.type, bits) ||
       (bits == 1 && is_not_for_one_bit(op)))
      return false;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      const nir_alu_type t = info->input[i].type;
      const unsigned size = nir_type_bits(t);

      any_free |= size == 0;
      if (!type_has_size(t, bits))
         return false;
      c->src_bits[i] = size ? size : bits;
      c->src_comps[i] = info->input[i].size ? info->input[i].size : length;
      offset_B = ALIGN_NPOT(offset_B, 8);
      c->src_offset_B[i] = offset_B;
      offset_B += c->src_comps[i] * storage_bits(c->src_bits[i]) / 8;
   }
   assert_true(offset_B <= RESULT_B);
   const unsigned size = nir_type_bits(info->output.type);
   c->dst_bits = size ? size : bits;
   c->dst_comps = info->output.size ? info->output.size : length;
   assert_true(c->dst_comps * storage_bits(c->dst_bits) / 8 <=
               SLOT_B - RESULT_B);
   /* Opcodes without a size-less type are tested once. */
   return any_free || bits == 32;
}

/* ---- the shader ---- */

/* As many components at a time as one message moves. */
static unsigned
part_length(unsigned left, unsigned bits)
{
   return MIN2(left, MIN2(4, 128 / bits));
}

static nir_value *
load(nir_builder *b, nir_value *base, unsigned offset_B, unsigned comps,
     unsigned bits)
{
   const unsigned size = storage_bits(bits);
   nir_value *c[NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < comps;) {
      const unsigned n = part_length(comps - i, size);
      nir_value *part = runner_nir_load(
         b, nir_iadd_imm(b, base, offset_B + i * size / 8), n, size);
      for (unsigned k = 0; k < n; k++)
         c[i++] = nir_channel(b, part, k);
   }
   nir_value *v = nir_vec(b, c, comps);
   return bits == 1 ? nir_ine_imm(b, v, 0) : v;
}

static void
store(nir_builder *b, nir_value *base, unsigned offset_B, nir_value *v)
{
   if (v->bit_size == 1)
      v = nir_b2i32(b, v);
   for (unsigned i = 0; i < v->num_components;) {
      const unsigned n = part_length(v->num_components - i, v->bit_size);
      nir_value *part =
         nir_channels(b, v, (nir_component_mask_t)(BITFIELD_MASK(n) << i));
      runner_nir_store(
         b, nir_iadd_imm(b, base, offset_B + i * v->bit_size / 8), part);
      i += n;
   }
}

static nir_shader *
build(const struct op_case *c)
{
   const nir_op_info *info = &nir_op_infos[c->op];
   nir_builder b = nir_builder_init_simple_shader(
      runner_stage(runner),
      intel_compiler_nir_options(runner_compiler(runner)), "%s %u",
      info->name, c->bits);
   nir_value *lane = runner_is_vec4(runner) ? nir_load_vertex_id_zero_base(&b)
                                            : nir_load_sample_mask_in(&b);
   nir_value *base = nir_imul_imm(&b, lane, SLOT_B);
   nir_alu_instr *alu = nir_new_alu(b.shader, c->op);

   if (!may_flush)
      b.shader->info.float_controls_execution_mode =
         FLOAT_CONTROLS_DENORM_PRESERVE_FP32;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      nir_value *s;
      if (i == 1 && c->constant_index) {
         nir_const_value v[NIR_MAX_VEC_COMPONENTS];
         for (unsigned k = 0; k < c->src_comps[i]; k++)
            v[k] = nir_const_value_for_raw_uint(c->index, c->src_bits[i]);
         s = nir_build_imm(&b, c->src_comps[i], c->src_bits[i], v);
      } else {
         s = load(&b, base, c->src_offset_B[i], c->src_comps[i],
                  c->src_bits[i]);
         s = modify(&b, s, c->modifiers[i]);
      }
      alu->src[i].use = nir_use_of(s);
      for (unsigned k = 0; k < c->src_comps[i]; k++)
         alu->src[i].swizzle[k] = (uint8_t)k;
   }
   /* No algebra: the opcode itself is wanted. */
   alu->exact = true;
   nir_set_result(&alu->instr, c->dst_comps, c->dst_bits);
   nir_emit(&b, &alu->instr);
   store(&b, base, RESULT_B, &alu->instr.result);
   nir_validate_shader(b.shader, "built");
   return b.shader;
}

/* ---- running and comparing ---- */

static uint64_t inputs[LANES][ALU_MAX_SOURCES][NIR_MAX_VEC_COMPONENTS];
static uint8_t before[LANES * SLOT_B], want[LANES * SLOT_B];

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

   memset(before, 0xcd, sizeof(before));
   for (unsigned l = 0; l < LANES; l++) {
      for (unsigned i = 0; i < info->num_inputs; i++) {
         const unsigned size_B = storage_bits(c->src_bits[i]) / 8;
         for (unsigned k = 0; k < c->src_comps[i]; k++) {
            uint64_t v = random_value(nir_type_base(info->input[i].type),
                                      c->src_bits[i]);
            if (i == 1 && c->constant_index)
               v = c->index;
            inputs[l][i][k] =
               c->modifiers[i] ? modified(v, c->src_bits[i], c->modifiers[i])
                               : v;
            memcpy(before + l * SLOT_B + c->src_offset_B[i] + k * size_B, &v,
                   size_B);
         }
      }
   }
}

static bool
lane_number(void *data, unsigned lane, const nir_intrinsic_instr *intr,
            const nir_const_value *src0, nir_const_value *out)
{
   if (intr->intrinsic != nir_intrinsic_load_sample_mask_in &&
       intr->intrinsic != nir_intrinsic_load_vertex_id_zero_base)
      return false;
   out[0].u32 = lane;
   return true;
}

/* The whole of want[] from before[]. */
static const char *
interpret(nir_shader *nir, struct arena *arena)
{
   static const struct nir_interp_callbacks callbacks = {
      .sysval = lane_number,
   };
   static nir_interp_slot outputs[LANES * NIR_INTERP_SLOTS];
   struct nir_interp_buffer ssbos[RUN_BUFFER_BTI + 1] = { 0 };
   struct nir_interp_params params = {
      .num_lanes = LANES,
      .outputs = outputs,
      .ssbos = ssbos,
      .num_ssbos = ARRAY_SIZE(ssbos),
      .callbacks = &callbacks,
   };

   memcpy(want, before, sizeof(want));
   ssbos[RUN_BUFFER_BTI].data = want;
   ssbos[RUN_BUFFER_BTI].size_B = sizeof(want);
   return nir_interp_run(nir, &params, arena);
}

static bool
result_is_right(const struct op_case *c, unsigned lane, unsigned k,
                const uint8_t *got, const uint8_t *expected)
{
   const unsigned at_B = RESULT_B + k * storage_bits(c->dst_bits) / 8;
   struct alu_result r = {
      .op = c->op,
      .dst_bits = c->dst_bits,
      .src = (const uint64_t(*)[NIR_MAX_VEC_COMPONENTS])inputs[lane],
      /* Where a result depends on all components, the first operand's
       * first one decides. */
      .comp = nir_op_infos[c->op].output.size ? 0 : k,
      .part = nir_op_infos[c->op].output.size ? k : 0,
      .may_flush = may_flush,
      .got = get(got + at_B, c->dst_bits),
      .want = get(expected + at_B, c->dst_bits),
   };

   memcpy(r.src_bits, c->src_bits, sizeof(r.src_bits));
   memcpy(r.src_comps, c->src_comps, sizeof(r.src_comps));
   return !alu_is_defined(&r) || alu_is_near(&r);
}

static void
print_wrong(const struct op_case *c, unsigned width, unsigned lane,
            unsigned k, const uint8_t *got, const uint8_t *expected)
{
   const unsigned at_B = RESULT_B + k * storage_bits(c->dst_bits) / 8;
   const unsigned comp = nir_op_infos[c->op].output.size ? 0 : k;

   printf("%s %u x%u SIMD%u lane %u.%u:", nir_op_infos[c->op].name, c->bits,
          c->dst_comps, width, lane, k);
   for (unsigned i = 0; i < nir_op_infos[c->op].num_inputs; i++)
      printf(" 0x%" PRIx64, inputs[lane][i][comp]);
   printf(" -> 0x%" PRIx64 ", expected 0x%" PRIx64 "\n",
          get(got + at_B, c->dst_bits), get(expected + at_B, c->dst_bits));
}

static unsigned
check(const struct op_case *c, unsigned width, uint32_t mask)
{
   const uint8_t *buf = runner_buffer(runner);
   const unsigned size_B = storage_bits(c->dst_bits) / 8;
   unsigned wrong = 0;

   for (unsigned l = 0; l < LANES; l++) {
      const uint8_t *got = buf + l * SLOT_B;
      const uint8_t *old = before + l * SLOT_B;
      const bool on = l < width && (mask & (1u << l));
      const unsigned result_B = on ? c->dst_comps * size_B : 0;

      if (memcmp(got, old, RESULT_B) ||
          memcmp(got + RESULT_B + result_B, old + RESULT_B + result_B,
                 SLOT_B - RESULT_B - result_B)) {
         printf("%s %u x%u SIMD%u: lane %u%s was written where it should "
                "not be\n",
                nir_op_infos[c->op].name, c->bits, c->dst_comps, width, l,
                on ? "" : " is off but");
         wrong++;
      }
      for (unsigned k = 0; on && k < c->dst_comps; k++) {
         if (result_is_right(c, l, k, got, want + l * SLOT_B))
            continue;
         if (wrong++ < 3)
            print_wrong(c, width, l, k, got, want + l * SLOT_B);
      }
   }
   return wrong;
}

/* Channels for a run; a quad is all on or all off for derivatives. */
static uint32_t
choose_mask(const struct op_case *c, unsigned width, unsigned round)
{
   const uint32_t all = BITFIELD_MASK(width);
   uint32_t mask = (uint32_t)random64() & all;

   if (round % 2 == 0)
      return all;
   if (!nir_op_is_derivative(c->op))
      return mask;
   mask &= 0x11111111;
   return mask * 0xf;
}

static bool
has_simd16(const struct intel_shader *sh)
{
   return sh->stage == MESA_SHADER_FRAGMENT && sh->prog_data.wm->dispatch_16;
}

static unsigned
run_rounds(const struct op_case *c, nir_shader *nir,
           const struct intel_shader *sh, struct arena *arena)
{
   const char *name = nir_op_infos[c->op].name;
   const unsigned rounds = c->modified ? MODIFIED_ROUNDS
                                       : MAX2(2, ROUNDS / c->dst_comps);
   unsigned wrong = 0;

   for (unsigned round = 0; round < rounds && wrong < 3; round++) {
      fill(c);
      const char *error = interpret(nir, arena);
      if (error) {
         printf("%s %u x%u: interpreter: %s\n", name, c->bits, c->dst_comps,
                error);
         return wrong + 1;
      }
      for (unsigned width = 8; width <= 16; width += 8) {
         const uint32_t mask = choose_mask(c, width, round);
         if (width == 16 && !has_simd16(sh))
            continue;
         memcpy(runner_buffer(runner), before, sizeof(before));
         error = runner_run(runner, sh, width, mask);
         if (error) {
            printf("%s %u x%u SIMD%u: %s\n", name, c->bits, c->dst_comps,
                   width, error);
            wrong++;
         } else {
            wrong += check(c, width, mask);
         }
      }
   }
   return wrong;
}

struct totals {
   unsigned cases, simd16, refused, wrong;
};

static bool
is_refused(const struct op_case *c)
{
   for (unsigned i = 0; i < ARRAY_SIZE(refused); i++) {
      if (refused[i].op == c->op && refused[i].bits == c->bits)
         return true;
   }
   return false;
}

/* Small enough that 16 channels' operands and result leave registers free:
 * there must be a SIMD16 kernel. */
static bool
is_small(const struct op_case *c)
{
   unsigned total_B = c->dst_comps * MAX2(c->dst_bits / 8, 4);

   for (unsigned i = 0; i < nir_op_infos[c->op].num_inputs; i++)
      total_B += c->src_comps[i] * MAX2(c->src_bits[i] / 8, 4);
   return total_B * 16 <= 80 * 32;
}

static void
test_case(const struct op_case *c, struct totals *t)
{
   struct arena *arena = arena_create(NULL);
   const struct intel_compiler *compiler = runner_compiler(runner);
   const char *name = nir_op_infos[c->op].name;
   nir_shader *nir = build(c), *copy = nir_shader_clone(NULL, nir);
   const struct intel_compile_params params = { .arena = arena, .nir = copy };
   union intel_key key = { 0 };

   if (!runner_is_vec4(runner))
      key.wm.nr_color_regions = 1;
   intel_preprocess_nir(compiler, copy);
   const struct intel_shader *sh = intel_compile(compiler, &params, &key);
   t->cases++;
   if (is_refused(c)) {
      t->refused++;
      if (sh->code || !strstr(sh->error, name)) {
         printf("%s %u x%u: to be refused by name, but: %s\n", name, c->bits,
                c->dst_comps, sh->code ? "compiled" : sh->error);
         t->wrong++;
      }
   } else if (!sh->code) {
      printf("%s %u x%u: %s\n", name, c->bits, c->dst_comps, sh->error);
      t->wrong++;
   } else if (!runner_is_vec4(runner) && is_small(c) && !has_simd16(sh)) {
      printf("%s %u x%u: no SIMD16\n", name, c->bits, c->dst_comps);
      t->wrong++;
   } else {
      t->simd16 += has_simd16(sh);
      t->wrong += run_rounds(c, nir, sh, arena) != 0;
   }
   nir_shader_destroy(nir);
   nir_shader_destroy(copy);
   arena_destroy(arena);
}

/* Also with every constant index, which has code of its own. */
static void
test_indices(struct op_case *c, struct totals *t)
{
   const unsigned part = strstr(nir_op_infos[c->op].name, "16") ? 16 : 8;

   c->constant_index = true;
   for (c->index = 0; c->index * part < MAX2(c->bits, 8); c->index++)
      test_case(c, t);
}

/* Each integer operand alone, and all of them, as what a source may say. */
static void
test_modifiers(struct op_case *c, struct totals *t)
{
   const unsigned n = nir_op_infos[c->op].num_inputs;

   c->modified = true;
   for (unsigned m = NEGATED; m < MODIFIERS; m++) {
      for (unsigned k = 0; k <= n; k++) {
         bool any = false;

         for (unsigned i = 0; i < n; i++) {
            const bool wanted = (k == i || k == n) && is_integer(c, i);
            c->modifiers[i] = wanted ? (enum modifier)m : PLAIN;
            any |= wanted;
         }
         if (any && (k < n || n > 1))
            test_case(c, t);
      }
   }
}

/* Whether SAFFRON_TEST_SHARE=K/N has the n-th case: K of N parts. */
static bool
is_of_share(unsigned n)
{
   const char *share = getenv("SAFFRON_TEST_SHARE");
   unsigned part, parts;
   return !share || sscanf(share, "%u/%u", &part, &parts) != 2 ||
          parts == 0 || n % parts == part % parts;
}

static void
test_size(unsigned bits)
{
   static const unsigned lengths[] = { 1, 2, 3, 4, 5, 8, 16 };
   const char *only = getenv("OP");
   struct totals t = { 0 };

   for (unsigned op = 0; op < nir_num_opcodes; op++) {
      if (only && strcmp(only, nir_op_infos[op].name))
         continue;
      for (unsigned i = 0; i < ARRAY_SIZE(lengths); i++) {
         struct op_case c;
         if (!is_of_share(op + i) ||
             !describe((nir_op)op, bits, lengths[i], &c) ||
             (runner_is_vec4(runner) && nir_op_is_derivative(c.op)))
            continue;
         test_case(&c, &t);
         if (is_part_access((nir_op)op))
            test_indices(&c, &t);
         else if (lengths[i] == 1 && !is_refused(&c))
            test_modifiers(&c, &t);
      }
   }
   printf("%u bits: %u opcodes, scalar or vector: %u wrong, %u refused; %u "
          "with SIMD16\n",
          bits, t.cases, t.wrong, t.refused, t.simd16);
   assert_int_equal(t.wrong, 0);
}

static void
test_1(void **state)
{
   test_size(1);
}
static void
test_8(void **state)
{
   test_size(8);
}
static void
test_16(void **state)
{
   test_size(16);
}
static void
test_32(void **state)
{
   test_size(32);
}
/* As most shaders are: what is subnormal may become a zero where floats are
 * computed with, and nowhere else. */
static void
test_32_flushed(void **state)
{
   may_flush = true;
   test_size(32);
   may_flush = false;
}
static void
test_64(void **state)
{
   test_size(64);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_32), cmocka_unit_test(test_32_flushed),
      cmocka_unit_test(test_64), cmocka_unit_test(test_1),
      cmocka_unit_test(test_16), cmocka_unit_test(test_8),
   };
   runner = runner_create();
   const int result = cmocka_run_group_tests(tests, NULL, NULL);
   runner_destroy(runner);
   return result;
}
