/* SPDX-License-Identifier: MIT */
/* Encoding and decoding of the 16-byte form: the part that all instructions
 * share, and the choice of layout by the opcode's row. */
#include "isa_codec.h"

#include <stdarg.h>
#include <stdio.h>

void
isa_codec_fail(struct isa_codec *c, const char *fmt, ...)
{
   if (c->failed)
      return;
   c->failed = true;
   if (!c->err)
      return;
   memset(c->err, 0, sizeof(*c->err));
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(c->err->text, sizeof(c->err->text), fmt, ap);
   va_end(ap);
}

void
isa_codec_range(struct isa_codec *c, enum isa_field f, uint64_t value)
{
   isa_codec_fail(c, "value %lld (0x%llx) does not fit field %s of %u bits",
                  (long long)value, (unsigned long long)value,
                  isa_field_names[f], c->bits[f].width);
}

bool
isa_inst_is_math_macro(const struct isa_inst *inst)
{
   return inst->opcode == ISA_OPCODE_MADM ||
          (inst->opcode == ISA_OPCODE_MATH &&
           (inst->math_function == ISA_MATH_INVM ||
            inst->math_function == ISA_MATH_RSQRTM));
}

static bool
flag_field(struct isa_codec *c, enum isa_field f, bool value)
{
   return isa_codec_field(c, f, value) != 0;
}

static void
opcode_field(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   if (c->encoding) {
      const unsigned hw = inst->opcode < ISA_OPCODE_COUNT
                             ? isa_opcode_info(inst->opcode)->hw[c->gen]
                             : ISA_NO_HW_OPCODE;
      if (hw == ISA_NO_HW_OPCODE)
         isa_codec_fail(c, "%s has no %s", isa_gen_name(c->gen),
                        inst->opcode < ISA_OPCODE_COUNT
                           ? isa_opcode_info(inst->opcode)->name
                           : "such opcode");
      else
         isa_codec_field(c, ISA_FIELD_OPCODE, hw);
      return;
   }
   const unsigned hw = (unsigned)isa_codec_field(c, ISA_FIELD_OPCODE, 0);
   const uint8_t op = isa_opcode_from_hw[c->gen][hw];
   if (op == ISA_OPCODE_COUNT)
      isa_codec_fail(c, "%u is no opcode on %s", hw, isa_gen_name(c->gen));
   else
      inst->opcode = (enum isa_opcode)op;
}

static void
exec_size_field(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   if (c->encoding && (inst->exec_size > 32 ||
                       !util_is_power_of_two_nonzero(inst->exec_size))) {
      isa_codec_fail(c, "no execution size of %u channels", inst->exec_size);
      return;
   }
   const unsigned code = (unsigned)isa_codec_field(
      c, ISA_FIELD_EXEC_SIZE, util_logbase2(inst->exec_size));
   if (code > 5) {
      isa_codec_fail(c, "execution size code %u is reserved", code);
      return;
   }
   inst->exec_size = (uint8_t)(1u << code);
}

static void
group_fields(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   if (c->encoding && (inst->group % 4 || inst->group > 28)) {
      isa_codec_fail(c, "no channel group starts at %u", inst->group);
      return;
   }
   const uint64_t quarter =
      isa_codec_field(c, ISA_FIELD_QTR_CTRL, inst->group / 8);
   const uint64_t nibble =
      isa_codec_field(c, ISA_FIELD_NIB_CTRL, inst->group / 4 % 2);
   inst->group = (uint8_t)(quarter * 8 + nibble * 4);
}

static void
predicate_fields(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   const unsigned mode = inst->access_mode;
   if (c->encoding) {
      const unsigned code = isa_pred_code[mode][inst->pred];
      if (code == ISA_NO_CODE)
         isa_codec_fail(c, "this predicate does not exist in Align%s",
                        mode ? "16" : "1");
      else
         isa_codec_field(c, ISA_FIELD_PRED_CTRL, code);
   } else {
      const unsigned code =
         (unsigned)isa_codec_field(c, ISA_FIELD_PRED_CTRL, 0);
      const uint8_t pred = isa_pred_from_code[mode][code];
      if (pred == ISA_PRED_COUNT)
         isa_codec_fail(c, "predicate code %u is reserved", code);
      else
         inst->pred = (enum isa_pred)pred;
   }
   if (inst->pred != ISA_PRED_NONE || inst->pred_inv)
      inst->pred_inv = flag_field(c, ISA_FIELD_PRED_INV, inst->pred_inv);
}

static void
cond_mod_field(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   const unsigned code =
      (unsigned)isa_codec_field(c, ISA_FIELD_COND_MOD, inst->cond_mod);
   if (code == 7 || code > 9)
      isa_codec_fail(c, "conditional modifier code %u is reserved", code);
   else
      inst->cond_mod = (enum isa_cond_mod)code;
}

/* The flag register is named whether or not it is used: sel with a
 * predicate, cmp, and so on all share it. */
static void
flag_fields(struct isa_codec *c, bool src3)
{
   struct isa_inst *inst = c->inst;
   inst->flag_nr = (uint8_t)isa_codec_field(
      c, src3 ? ISA_FIELD_S3_FLAG_NR : ISA_FIELD_FLAG_NR, inst->flag_nr);
   inst->flag_subnr = (uint8_t)isa_codec_field(
      c, src3 ? ISA_FIELD_S3_FLAG_SUBNR : ISA_FIELD_FLAG_SUBNR,
      inst->flag_subnr);
}

static bool
uses_flag(const struct isa_inst *inst)
{
   return inst->pred != ISA_PRED_NONE || inst->cond_mod != ISA_COND_MOD_NONE;
}

static void
thread_fields(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   const unsigned thread =
      (unsigned)isa_codec_field(c, ISA_FIELD_THREAD_CTRL, inst->thread_ctrl);
   if (thread == 3)
      isa_codec_fail(c, "thread control code 3 is reserved");
   else
      inst->thread_ctrl = (enum isa_thread_ctrl)thread;
   inst->no_dd_clr = flag_field(c, ISA_FIELD_NO_DD_CLR, inst->no_dd_clr);
   inst->no_dd_chk = flag_field(c, ISA_FIELD_NO_DD_CHK, inst->no_dd_chk);
   inst->debug = flag_field(c, ISA_FIELD_DEBUG, inst->debug);
}

static bool
has_branch_ctrl(const struct isa_codec *c)
{
   return isa_codec_is_gen8(c) && (c->inst->opcode == ISA_OPCODE_IF ||
                                   c->inst->opcode == ISA_OPCODE_ELSE ||
                                   c->inst->opcode == ISA_OPCODE_GOTO);
}

/* Encoding: what the opcode does not have must not be asked for. */
static void
check_absent(struct isa_codec *c, const struct isa_opcode_info *info)
{
   const struct isa_inst *inst = c->inst;
   const bool alu = !info->is_flow && !info->is_send;
   const char *what = NULL;
   if (!info->may_predicate && inst->pred != ISA_PRED_NONE)
      what = "predicate";
   else if (!info->may_cond_mod && inst->cond_mod != ISA_COND_MOD_NONE)
      what = "conditional modifier";
   else if (!info->may_saturate && inst->saturate)
      what = "saturation";
   else if (inst->acc_wr_en && !alu)
      what = "AccWrEn";
   else if (inst->branch_ctrl && !has_branch_ctrl(c))
      what = "BranchCtrl";
   if (what)
      isa_codec_fail(c, "%s has no %s", info->name, what);
}

static void
control_fields(struct isa_codec *c, const struct isa_opcode_info *info)
{
   struct isa_inst *inst = c->inst;
   const bool alu = !info->is_flow && !info->is_send;
   if (c->encoding)
      check_absent(c, info);
   /* Flow control has no operands on which Align16 could act, but a
    * predicate: SIMD4x2 code branches on single components. */
   inst->access_mode =
      flag_field(c, ISA_FIELD_ACCESS_MODE, inst->access_mode == ISA_ALIGN16)
         ? ISA_ALIGN16
         : ISA_ALIGN1;
   thread_fields(c);
   exec_size_field(c);
   group_fields(c);
   inst->no_mask = flag_field(c, ISA_FIELD_MASK_CTRL, inst->no_mask);
   if (info->may_predicate)
      predicate_fields(c);
   if (info->may_cond_mod)
      cond_mod_field(c);
   if (info->may_saturate)
      inst->saturate = flag_field(c, ISA_FIELD_SATURATE, inst->saturate);
   if (has_branch_ctrl(c))
      inst->branch_ctrl =
         flag_field(c, ISA_FIELD_BRANCH_CTRL, inst->branch_ctrl);
   else if (alu)
      inst->acc_wr_en = flag_field(c, ISA_FIELD_ACC_WR, inst->acc_wr_en);
   if (uses_flag(inst))
      flag_fields(c, info->format == ISA_FORMAT_SRC3);
}

static void
alu_operands(struct isa_codec *c, unsigned num_srcs)
{
   isa_codec_dst(c, &c->inst->dst);
   for (unsigned n = 0; n < num_srcs && !c->failed; n++)
      isa_codec_src(c, n, num_srcs);
}

static void
math_operands(struct isa_codec *c)
{
   struct isa_inst *inst = c->inst;
   const unsigned code = (unsigned)isa_codec_field(c, ISA_FIELD_MATH_FUNCTION,
                                                   inst->math_function);
   const bool gen8_only = code == ISA_MATH_INVM || code == ISA_MATH_RSQRTM;
   if (code == 0 || code == 8 || (gen8_only && !isa_codec_is_gen8(c))) {
      isa_codec_fail(c, "math function code %u is reserved on %s", code,
                     isa_gen_name(c->gen));
      return;
   }
   inst->math_function = (enum isa_math)code;
   if (gen8_only && inst->access_mode != ISA_ALIGN16) {
      isa_codec_fail(c, "math macros need Align16");
      return;
   }
   /* The macros answer in a flag though they have no modifier. */
   if (gen8_only && inst->pred == ISA_PRED_NONE)
      flag_fields(c, false);
   alu_operands(c, isa_inst_num_srcs(inst));
}

/* PRM SKL vol 2a, "wait": the notification register is source and
 * destination. */
static void
wait_operands(struct isa_codec *c)
{
   struct isa_operand *n = &c->inst->src[0];
   if (c->encoding &&
       (n->file != ISA_FILE_ARF || (n->nr & 0xf0) != ISA_ARF_NOTIFICATION)) {
      isa_codec_fail(c, "wait wants a notification register");
      return;
   }
   isa_codec_src(c, 0, 1);
   if (!c->failed && !c->encoding &&
       (n->file != ISA_FILE_ARF || (n->nr & 0xf0) != ISA_ARF_NOTIFICATION))
      isa_codec_fail(c, "wait wants a notification register");
   isa_codec_constant(c, ISA_FIELD_DST_NR, n->nr);
   isa_codec_constant(c, ISA_FIELD_DST_SUBNR, n->subnr_B);
   isa_codec_constant(c, ISA_FIELD_DST_HSTRIDE, 1);
}

static void
codec_run(struct isa_codec *c)
{
   opcode_field(c);
   if (c->failed)
      return;
   const struct isa_opcode_info *info = isa_opcode_info(c->inst->opcode);
   if (info->format == ISA_FORMAT_NONE) {
      if (c->encoding)
         return;
      c->inst->exec_size = 0;
      return;
   }
   control_fields(c, info);
   if (c->failed)
      return;
   switch (info->format) {
   case ISA_FORMAT_NONE: break;
   case ISA_FORMAT_BASIC1:
   case ISA_FORMAT_BASIC2: alu_operands(c, info->num_srcs); break;
   case ISA_FORMAT_MATH: math_operands(c); break;
   case ISA_FORMAT_SRC3:
      if (c->inst->access_mode != ISA_ALIGN16)
         isa_codec_fail(c, "three sources need Align16 before Gen10");
      else
         isa_codec_src3(c);
      break;
   case ISA_FORMAT_BRANCH1:
   case ISA_FORMAT_BRANCH2:
   case ISA_FORMAT_JMPI:
   case ISA_FORMAT_CALL:
   case ISA_FORMAT_RET: isa_codec_flow(c); break;
   case ISA_FORMAT_WAIT: wait_operands(c); break;
   case ISA_FORMAT_SEND: isa_codec_send(c); break;
   case ISA_FORMAT_SENDS: isa_codec_sends(c); break;
   }
}

bool
isa_encode(enum isa_gen gen, const struct isa_inst *inst, uint32_t dw[4],
           struct isa_error *err)
{
   /* Encoding writes fields back with the value that they have. */
   struct isa_inst copy = *inst;
   struct isa_codec c = {
      .bits = isa_field_table[gen],
      .gen = gen,
      .encoding = true,
      .inst = &copy,
      .err = err,
   };
   codec_run(&c);
   if (c.failed)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      const uint64_t q = c.q[i / 2] ^ (inst->ignored[i / 2] & ~c.seen[i / 2]);
      dw[i] = (uint32_t)(q >> i % 2 * 32);
   }
   return true;
}

static uint64_t
read_u64(const uint8_t *p)
{
   uint64_t v = 0;
   for (unsigned i = 0; i < 8; i++)
      v |= (uint64_t)p[i] << 8 * i;
   return v;
}

bool
isa_decode(enum isa_gen gen, const void *bytes, size_t avail_B,
           struct isa_inst *inst, unsigned *size_B, struct isa_error *err)
{
   struct isa_codec c = {
      .bits = isa_field_table[gen],
      .gen = gen,
      .inst = inst,
      .err = err,
   };
   memset(inst, 0, sizeof(*inst));
   if (avail_B < ISA_COMPACT_SIZE_B) {
      isa_codec_fail(&c, "%zu bytes are too few for an instruction", avail_B);
      return false;
   }
   c.q[0] = read_u64(bytes);
   const struct isa_field_bits cmpt = c.bits[ISA_FIELD_CMPT];
   inst->compacted = c.q[0] >> cmpt.shift & 1;
   if (inst->compacted) {
      const uint32_t compact[2] = { (uint32_t)c.q[0],
                                    (uint32_t)(c.q[0] >> 32) };
      uint32_t full[4];
      if (!isa_uncompact(gen, compact, full)) {
         isa_codec_fail(&c, "bits name no compact instruction");
         return false;
      }
      c.q[0] = full[0] | (uint64_t)full[1] << 32;
      c.q[1] = full[2] | (uint64_t)full[3] << 32;
   } else if (avail_B < ISA_INST_SIZE_B) {
      isa_codec_fail(&c, "%zu bytes are too few for an instruction of 16",
                     avail_B);
      return false;
   } else {
      c.q[1] = read_u64((const uint8_t *)bytes + 8);
   }
   if (size_B)
      *size_B = inst->compacted ? ISA_COMPACT_SIZE_B : ISA_INST_SIZE_B;
   codec_run(&c);
   if (c.failed)
      return false;
   for (unsigned i = 0; i < 2; i++)
      inst->ignored[i] = (c.q[i] ^ c.constant[i]) & ~c.seen[i];
   return true;
}
