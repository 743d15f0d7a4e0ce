/* SPDX-License-Identifier: MIT */
/*
 * Each operation with each type, and each type moved to each other: eight
 * instructions a case on different registers, with the values of
 * isa_samples.h. What the validator refuses is left out.
 */
#include <stdio.h>

#include "intel/chip/chip.h"
#include "intel/isa/isa_samples.h"

#define FIRST_SOURCE 2
#define SOURCE_REGS 16
#define DESTINATION 60
#define TRIES 8

struct operation {
   struct isa_inst inst;
   uint64_t seed;
};

static void
fill_input(struct chip_device *d, const struct operation *o)
{
   uint64_t seed = o->seed;
   uint32_t *in = d->bos[CHIP_INPUT].map;
   memset(in, 0, CHIP_REGS_B);
   for (unsigned i = 0; i < 3; i++) {
      const unsigned size_B = isa_type_size_B(o->inst.src[i].type);
      char *at = (char *)in + 32 * (FIRST_SOURCE + i * SOURCE_REGS);
      for (unsigned k = 0; size_B && k < SOURCE_REGS * 32 / size_B; k++) {
         const uint64_t v = isa_sample_value_bits(&seed, size_B);
         memcpy(at + k * size_B, &v, size_B);
      }
   }
}

/* The instruction on the next registers. */
static struct isa_inst
moved(const struct isa_inst *first, unsigned i)
{
   struct isa_inst inst = *first;
   inst.dst.nr = (uint8_t)(inst.dst.nr + 2 * i);
   for (unsigned k = 0; k < isa_inst_num_srcs(first); k++)
      inst.src[k].nr = (uint8_t)(inst.src[k].nr + 2 * i);
   return inst;
}

static enum chip_status
run_operation(struct chip_device *d, const void *data,
              struct util_dynarray *out)
{
   const struct operation *o = data;
   uint32_t code[4 * TRIES];
   chip_start(d);
   fill_input(d, o);
   for (unsigned i = 0; i < TRIES; i++) {
      const struct isa_inst inst = moved(&o->inst, i);
      if (!isa_encode(d->gen, &inst, &code[4 * i], NULL))
         return CHIP_REFUSED;
   }
   chip_program(d, code, sizeof(code));
   chip_dispatch(d, 8, 0xff);
   return chip_finish(d, CHIP_PROGRAM_OUTPUT_B, out);
}

static bool
is_legal(const struct chip_device *d, const struct isa_inst *inst)
{
   struct isa_faults faults = { 0 };
   uint32_t dw[4];
   return isa_encode(d->gen, inst, dw, NULL) &&
          isa_validate(d->gen, d->info->eu.qwords_stay, inst, &faults);
}

/* Registers and regions; false if the generation has no such operation. */
static bool
make_operands(const struct chip_device *d, struct isa_inst *inst,
              enum isa_type dst, enum isa_type src)
{
   const bool three = isa_opcode_info(inst->opcode)->format ==
                      ISA_FORMAT_SRC3;
   const unsigned from_B = isa_type_size_B(src), to_B = isa_type_size_B(dst);
   inst->exec_size = 8;
   if (three)
      inst->access_mode = ISA_ALIGN16;
   inst->dst = (struct isa_operand) {
      .file = ISA_FILE_GRF,
      .nr = DESTINATION,
      .type = dst,
      .hstride = three ? 0 : (uint8_t)MAX2(from_B / MAX2(to_B, 1), 1),
      .writemask = three ? ISA_WRITEMASK_XYZW : 0,
   };
   for (unsigned i = 0; i < isa_inst_num_srcs(inst); i++)
      inst->src[i] = (struct isa_operand) {
         .file = ISA_FILE_GRF,
         .nr = (uint8_t)(FIRST_SOURCE + i * SOURCE_REGS),
         .type = src,
         .vstride = three ? 4 : 8,
         .width = three ? 0 : 8,
         .hstride = three ? 0 : 1,
         .swizzle = three ? ISA_SWIZZLE_XYZW : 0,
      };
   if (is_legal(d, inst))
      return true;
   /* Doubles: rows of four. */
   for (unsigned i = 0; !three && i < isa_inst_num_srcs(inst); i++)
      inst->src[i].vstride = inst->src[i].width = 4;
   if (is_legal(d, inst))
      return true;
   inst->exec_size = 4;
   return !three && is_legal(d, inst);
}

/* Generations without a third source of another type say so by `is_legal`. */
static bool
run_one(struct chip *c, const char *name, struct isa_inst *inst,
        enum isa_type dst, enum isa_type src)
{
   if (!chip_wants(c, name) || !make_operands(c->sim, inst, dst, src))
      return true;
   struct strbuf text = { 0 };
   struct operation o = { .inst = *inst, .seed = 0x5eed };
   for (const char *p = name; *p; p++)
      o.seed = o.seed * 31 + (unsigned char)*p;
   struct chip_case k = { .run = run_operation,
                          .data = &o,
                          .where = chip_program_where };
   isa_print(c->sim->gen, inst, NULL, &text);
   snprintf(k.name, sizeof(k.name), "%s", name);
   snprintf(k.text, sizeof(k.text), "%s", strbuf_str(&text));
   strbuf_fini(&text);
   return chip_run(c, &k);
}

static bool
run_types(struct chip *c, const char *name, const struct isa_inst *first)
{
   for (unsigned t = 0; t < ISA_TYPE_COUNT; t++) {
      const enum isa_type type = (enum isa_type)t;
      char full[64];
      struct isa_inst inst = *first;
      if (isa_type_info(type)->is_vector_imm)
         continue;
      snprintf(full, sizeof(full), "%s:%s", name, isa_type_info(type)->name);
      if (!run_one(c, full, &inst, type, type))
         return false;
   }
   return true;
}

static bool
run_math(struct chip *c)
{
   for (unsigned f = 1; f < 16; f++) {
      const struct isa_inst inst = { .opcode = ISA_OPCODE_MATH,
                                     .math_function = (enum isa_math)f };
      const char *function = isa_math_name(inst.math_function);
      char name[64];
      if (!function)
         continue;
      snprintf(name, sizeof(name), "math.%s", function);
      if (!run_types(c, name, &inst))
         return false;
   }
   return true;
}

void
chip_stage_alu(struct chip *c)
{
   for (unsigned op = 0; op < ISA_OPCODE_COUNT; op++) {
      struct isa_inst inst = { .opcode = (enum isa_opcode)op };
      const struct isa_opcode_info *info = isa_opcode_info(inst.opcode);
      if (!isa_opcode_exists(c->sim->gen, inst.opcode) ||
          (info->format != ISA_FORMAT_BASIC1 &&
           info->format != ISA_FORMAT_BASIC2 &&
           info->format != ISA_FORMAT_SRC3))
         continue;
      if (info->needs_cond_mod || op == ISA_OPCODE_SEL)
         inst.cond_mod = ISA_COND_MOD_GE;
      if (!run_types(c, info->name, &inst))
         return;
   }
   run_math(c);
}

void
chip_stage_convert(struct chip *c)
{
   for (unsigned from = 0; from < ISA_TYPE_COUNT; from++) {
      for (unsigned to = 0; to < ISA_TYPE_COUNT; to++) {
         const struct isa_type_info *a = isa_type_info((enum isa_type)from);
         const struct isa_type_info *b = isa_type_info((enum isa_type)to);
         struct isa_inst inst = { .opcode = ISA_OPCODE_MOV };
         char name[64];
         snprintf(name, sizeof(name), "%s:%s", a->name, b->name);
         if (from != to && !a->is_vector_imm && !b->is_vector_imm &&
             !run_one(c, name, &inst, (enum isa_type)to, (enum isa_type)from))
            return;
      }
   }
}
