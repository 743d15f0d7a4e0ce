/* SPDX-License-Identifier: MIT */
/* The order of the scalar back end's passes. */
#include "fs_compile.h"

#include "intel/compiler/fs/from_nir/fs_nir.h"
#include "intel/compiler/vec4/vec4_compile.h"
#include "intel/compiler/vec4/vec4_ir.h"

#define OPTIONAL(f)                                                          \
   {                                                                         \
      .name = #f, .run = f, .optional = true                                 \
   }
#define REQUIRED(f)                                                          \
   {                                                                         \
      .name = #f, .run = f                                                   \
   }

const struct eu_pass fs_passes[FS_PASS_COUNT] = {
   [FS_PASS_OPT_ALGEBRAIC] = OPTIONAL(fs_opt_algebraic),
   [FS_PASS_OPT_COPY_PROPAGATION] = OPTIONAL(fs_opt_copy_propagation),
   [FS_PASS_OPT_CSE] = OPTIONAL(fs_opt_cse),
   [FS_PASS_OPT_CMOD_PROPAGATION] = OPTIONAL(fs_opt_cmod_propagation),
   [FS_PASS_OPT_SATURATE_PROPAGATION] = OPTIONAL(fs_opt_saturate_propagation),
   [FS_PASS_OPT_DEAD_CODE] = OPTIONAL(fs_opt_dead_code),
   [FS_PASS_OPT_HALT] = OPTIONAL(fs_opt_halt),
   [FS_PASS_OPT_SHARE_PAYLOADS] = OPTIONAL(fs_opt_share_payloads),
   [FS_PASS_OPT_REGISTER_COALESCE] = OPTIONAL(fs_opt_register_coalesce),
   [FS_PASS_OPT_FLOAT_CONTROLS] = OPTIONAL(fs_opt_float_controls),
   [FS_PASS_ASSIGN_PAYLOAD_REGISTERS] = REQUIRED(fs_assign_payload_registers),
   [FS_PASS_LOWER_MISC] = REQUIRED(fs_lower_misc),
   [FS_PASS_LOWER_MUL] = REQUIRED(fs_lower_mul),
   [FS_PASS_LOWER_64BIT] = REQUIRED(fs_lower_64bit),
   [FS_PASS_SPLIT_64BIT_MOVES] = OPTIONAL(fs_split_64bit_moves),
   [FS_PASS_LOWER_REGIONING] = REQUIRED(fs_lower_regioning),
   [FS_PASS_LOWER_QWORDS] = REQUIRED(fs_lower_qwords),
   [FS_PASS_LOWER_SIMD_WIDTH] = REQUIRED(fs_lower_simd_width),
   [FS_PASS_SPREAD_FLAGS] = OPTIONAL(eu_spread_flags),
   [FS_PASS_SPLIT_REGISTERS] = OPTIONAL(eu_split_registers),
   [FS_PASS_SCHEDULE] = OPTIONAL(eu_schedule),
   [FS_PASS_ALLOCATE_REGISTERS] = REQUIRED(eu_allocate_registers),
   [FS_PASS_SCHEDULE_ALLOCATED] = OPTIONAL(eu_schedule_allocated),
   [FS_PASS_LOWER_ROUNDING] = REQUIRED(fs_lower_rounding),
   [FS_PASS_VEC4_OPT_COPY_PROPAGATION] = OPTIONAL(vec4_opt_copy_propagation),
   [FS_PASS_VEC4_OPT_DEAD_CODE] = OPTIONAL(vec4_opt_dead_code),
   [FS_PASS_VEC4_OPT_COALESCE] = OPTIONAL(vec4_opt_coalesce),
   [FS_PASS_VEC4_OPT_FLAGS] = OPTIONAL(vec4_opt_flags),
   [FS_PASS_VEC4_OPT_REPEATED] = OPTIONAL(vec4_opt_repeated),
   [FS_PASS_VEC4_LOWER_OPERANDS] = REQUIRED(vec4_lower_operands),
   [FS_PASS_VEC4_LOWER_DOUBLES] = REQUIRED(vec4_lower_double_swizzles),
   [FS_PASS_VEC4_OPT_IMMEDIATES] = OPTIONAL(vec4_opt_immediates),
};

bool
fs_run(struct eu_shader *s, enum fs_pass pass)
{
   return eu_run_pass(s, fs_passes, pass);
}

void
fs_run_rounds(struct eu_shader *s, const enum fs_pass *passes, unsigned count)
{
   /* How often the shader has changed; and when each pass last found nothing
    * to do: until something else changes, it would find nothing again. */
   uint32_t changes = 1, before = 0, unchanged_since[FS_PASS_COUNT] = { 0 };

   for (unsigned rounds = 0; changes != before && rounds < 10; rounds++) {
      before = changes;
      for (unsigned i = 0; i < count; i++) {
         if (unchanged_since[passes[i]] == changes)
            continue;
         if (fs_run(s, passes[i]))
            changes++;
         else
            unchanged_since[passes[i]] = changes;
      }
   }
}

static void
optimize(struct eu_shader *s)
{
   static const enum fs_pass passes[] = {
      FS_PASS_OPT_ALGEBRAIC,
      FS_PASS_OPT_COPY_PROPAGATION,
      FS_PASS_OPT_CSE,
      FS_PASS_OPT_CMOD_PROPAGATION,
      FS_PASS_OPT_SATURATE_PROPAGATION,
      FS_PASS_OPT_DEAD_CODE,
      FS_PASS_OPT_HALT,
      FS_PASS_OPT_SHARE_PAYLOADS,
      FS_PASS_OPT_REGISTER_COALESCE,
   };

   fs_run_rounds(s, passes, ARRAY_SIZE(passes));
   fs_run(s, FS_PASS_OPT_FLOAT_CONTROLS);
}

/* Each may make work for the other: a wider stride, a wider operand. */
void
fs_lower_operands(struct eu_shader *s)
{
   bool progress = true;

   while (progress) {
      progress = fs_run(s, FS_PASS_LOWER_REGIONING);
      progress |= fs_run(s, FS_PASS_LOWER_QWORDS);
      progress |= fs_run(s, FS_PASS_LOWER_SIMD_WIDTH);
   }
}

static void
lower(struct eu_shader *s)
{
   fs_run(s, FS_PASS_LOWER_MISC);
   fs_run(s, FS_PASS_LOWER_MUL);
   fs_run(s, FS_PASS_LOWER_64BIT);
   fs_lower_operands(s);
   fs_run(s, FS_PASS_OPT_CSE);
   fs_run(s, FS_PASS_OPT_COPY_PROPAGATION);
   fs_run(s, FS_PASS_OPT_DEAD_CODE);
   fs_run(s, FS_PASS_OPT_REGISTER_COALESCE);
   fs_lower_operands(s);
   /* Copies that these passes made. */
   fs_run(s, FS_PASS_LOWER_64BIT);
   if (fs_run(s, FS_PASS_SPLIT_64BIT_MOVES))
      fs_lower_operands(s);
   s->no_int64 = !s->devinfo->has_64bit_int;
}

bool
fs_finish(struct eu_shader *s, struct eu_binary *out)
{
   if (!(s->debug & INTEL_DEBUG_NOSCHED)) {
      fs_run(s, FS_PASS_SPREAD_FLAGS);
      fs_run(s, FS_PASS_SPLIT_REGISTERS);
      fs_run(s, FS_PASS_SCHEDULE);
   }
   fs_run(s, FS_PASS_ALLOCATE_REGISTERS);
   if (!(s->debug & INTEL_DEBUG_NOSCHED))
      fs_run(s, FS_PASS_SCHEDULE_ALLOCATED);
   fs_run(s, FS_PASS_LOWER_ROUNDING);
   if (s->failed)
      return false;
   eu_estimate_cycles(s);
   return eu_generate(s, out);
}

bool
fs_compile(struct eu_shader *s, struct eu_binary *out)
{
   fs_emit_nir(s);
   eu_after(s, "emission", s->debug & INTEL_DEBUG_OPTIMIZER);
   optimize(s);
   fs_run(s, FS_PASS_ASSIGN_PAYLOAD_REGISTERS);
   lower(s);
   return fs_finish(s, out);
}
