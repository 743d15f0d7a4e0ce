/* SPDX-License-Identifier: MIT */
/*
 * The rules of the IR, checked after every pass in debug builds: what an
 * opcode's row allows (operands, types, modifiers, conditions), sizes of
 * registers and messages, nesting, and definition before use. Every fault is
 * reported with the instruction and the pass.
 */
#include "eu_validate.h"
#include "util/guard.h"

void
eu_fault(struct eu_validation *v, const struct eu_inst *inst,
         const char *rule)
{
   fprintf(v->out, "IR validation after %s: %s\n   ", v->when, rule);
   eu_print_inst(inst, v->out);
   v->faults++;
}

static void
check_range(struct eu_validation *v, const struct eu_inst *inst,
            const eu_reg *r, unsigned size_B)
{
   if (r->file == EU_VGRF) {
      EU_CHECK(r->nr < v->s->num_vgrfs, "VGRF number out of range");
      if (r->nr < v->s->num_vgrfs) {
         EU_CHECK(util_within(r->offset, size_B, 0,
                              v->s->vgrf_size[r->nr] * REG_SIZE_B),
                  "access beyond the end of a VGRF");
      }
   } else if (r->file == EU_GRF) {
      EU_CHECK(util_within((uint64_t)r->nr * REG_SIZE_B + r->offset, size_B,
                           0, EU_MAX_GRF * REG_SIZE_B),
               "access beyond g127");
   }
}

/* Bit of the type among those of an opcode's row; packed immediates count as
 * what they unpack to. */
static unsigned
type_bit(unsigned type)
{
   switch (type) {
   case ISA_TYPE_V: return 1u << ISA_TYPE_W;
   case ISA_TYPE_UV: return 1u << ISA_TYPE_UW;
   case ISA_TYPE_VF: return 1u << ISA_TYPE_F;
   default: return 1u << type;
   }
}

static unsigned
least_sources(const struct eu_inst *inst)
{
   if (eu_is_send(inst))
      return 1;
   if (inst->op == ISA_OPCODE_MATH) {
      const struct isa_inst math = {
         .opcode = ISA_OPCODE_MATH,
         .math_function = (enum isa_math)inst->math,
      };
      return isa_inst_num_srcs(&math);
   }
   return eu_info(inst)->num_srcs;
}

static void
check_dst(struct eu_validation *v, const struct eu_inst *inst)
{
   const struct eu_opcode_info *info = eu_info(inst);
   const eu_reg *d = &inst->dst;

   if (d->file == EU_BAD) {
      EU_CHECK(!info->has_dst, "no destination");
      return;
   }
   EU_CHECK(info->has_dst || eu_is_null(d), "a destination without a use");
   EU_CHECK(!d->negate && !d->abs && (!d->region || inst->align16),
            "modifier or region on a destination");
   EU_CHECK(d->file == EU_VGRF || d->file == EU_GRF || d->file == EU_ARF,
            "destination cannot be written");
   EU_CHECK(!info->dst_types || (info->dst_types & type_bit(d->type)),
            "no such type of destination");
   check_range(v, inst, d, inst->size_written);
   if (!inst->align16 && !info->whole_dst && d->file != EU_ARF) {
      EU_CHECK(inst->exec_size == 1 || d->stride > 0,
               "many channels write one scalar");
      EU_CHECK(inst->size_written >= eu_region_size(d, inst->exec_size),
               "size_written is smaller than the region");
   }
}

static void
check_immediate(struct eu_validation *v, const struct eu_inst *inst,
                unsigned i)
{
   const eu_reg *r = &inst->src[i];
   const unsigned size = eu_type_sz(r->type);

   EU_CHECK(size == 8 || !(r->imm >> (size * 8)),
            "an immediate wider than its type");
   if (!eu_is_alu(inst) || eu_info(inst)->is_src3 ||
       inst->op == ISA_OPCODE_MATH)
      return; /* lowered later, or a property of a virtual opcode */
   EU_CHECK(i + 1u == inst->sources, "an immediate that is not last");
   EU_CHECK(size < 8 || inst->op == ISA_OPCODE_MOV ||
               inst->op == ISA_OPCODE_DIM,
            "a 64-bit immediate outside of a MOV");
}

static void
check_src(struct eu_validation *v, const struct eu_inst *inst, unsigned i)
{
   const struct eu_opcode_info *info = eu_info(inst);
   const eu_reg *r = &inst->src[i];

   if (r->file == EU_BAD) {
      EU_CHECK(eu_is_send(inst) && i == 1, "a source is missing");
      return;
   }
   check_range(v, inst, r, eu_size_read(inst, i));
   if (r->negate || r->abs)
      EU_CHECK(eu_may_modify(inst) && r->file != EU_IMM,
               "source modifier where there can be none");
   EU_CHECK(!(r->abs && info->is_logic), "absolute value of bits");
   /* Of what is moved the maker knows the range. */
   if ((r->negate || r->abs) && eu_is_alu(inst) && !info->is_logic &&
       inst->op != ISA_OPCODE_MOV)
      EU_CHECK(eu_may_fold_modifier(inst, r->type),
               "a modified integer may need one more bit");
   EU_CHECK(!info->src_types || (info->src_types & type_bit(r->type)),
            "no such type of source");
   if (r->region)
      EU_CHECK(util_is_power_of_two_nonzero(r->w), "width of a region");
   if (r->file == EU_IMM)
      check_immediate(v, inst, i);
}

static bool
may_be_payload(const eu_reg *r)
{
   return r->file == EU_VGRF || r->file == EU_GRF || r->file == EU_ATTR;
}

static void
check_message(struct eu_validation *v, const struct eu_inst *inst)
{
   const eu_reg *data = &inst->src[2];

   EU_CHECK(inst->mlen >= 1 && inst->mlen <= 15, "message length");
   EU_CHECK(may_be_payload(&inst->src[0]), "message payload is no GRF");
   EU_CHECK(inst->src[0].offset % REG_SIZE_B == 0,
            "message payload does not start at a GRF");
   if (eu_sends_handle(inst))
      EU_CHECK((data->file == EU_VGRF || data->file == EU_GRF ||
                data->file == EU_UNIFORM) &&
                  data->stride == 0 && data->type == ISA_TYPE_UD,
               "the handle of a message is no scalar");
   else if (inst->sources == 3)
      EU_CHECK(may_be_payload(data) && data->offset % REG_SIZE_B == 0 &&
                  inst->ex_mlen >= 1,
               "second payload of a message");
   else
      EU_CHECK(inst->ex_mlen == 0, "length of a payload that is not there");
   if (inst->size_written)
      EU_CHECK(inst->dst.offset % REG_SIZE_B == 0 &&
                  inst->size_written % REG_SIZE_B == 0,
               "a message returns whole GRFs");
}

static void
check_controls(struct eu_validation *v, const struct eu_inst *inst)
{
   const struct eu_opcode_info *info = eu_info(inst);

   EU_CHECK(util_is_power_of_two_nonzero(inst->exec_size) &&
               inst->exec_size <= 32,
            "exec size is no power of two up to 32");
   EU_CHECK(inst->nomask || inst->group + inst->exec_size <=
                               MAX2(16, v->s->dispatch_width),
            "channels beyond the dispatch width");
   EU_CHECK(inst->flag < 4, "flag number");
   EU_CHECK(inst->pred == ISA_PRED_NONE || info->may_predicate,
            "a predicate where there can be none");
   EU_CHECK(inst->cond_mod == ISA_COND_MOD_NONE || info->may_cond_mod,
            "a condition where there can be none");
   EU_CHECK(inst->cond_mod != ISA_COND_MOD_NONE || !info->needs_cond_mod,
            "a comparison without a condition");
   EU_CHECK(!inst->saturate || info->may_saturate,
            "saturation where there can be none");
   EU_CHECK(!inst->math == (inst->op != ISA_OPCODE_MATH), "math function");
   if (info->selects)
      EU_CHECK((inst->pred != ISA_PRED_NONE) !=
                  (inst->cond_mod != ISA_COND_MOD_NONE),
               "a selection has a predicate or a condition");
}

/* PRM IVB vol 4 part 3, "Align16": 16 bytes are the least that can be named.
 * Sizes differ in conversions, which are Align1. */
static void
check_align16(struct eu_validation *v, const struct eu_inst *inst)
{
   const unsigned size = eu_type_sz(inst->dst.type);

   EU_CHECK(eu_is_alu(inst), "Align16 of what is no ALU instruction");
   EU_CHECK(inst->exec_size == 8 || inst->exec_size == 4,
            "Align16 has one vertex or two");
   EU_CHECK(size >= 4, "a component of less than 32 bits");
   EU_CHECK(inst->dst.swz && inst->dst.swz <= ISA_WRITEMASK_XYZW,
            "no component is written");
   EU_CHECK(inst->dst.offset % 16 == 0, "Align16 operand off 16 bytes");
   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];
      EU_CHECK(eu_type_sz(r->type) == size, "Align16 operands of two sizes");
      if (r->file == EU_IMM)
         continue;
      EU_CHECK(r->offset % 16 == 0, "Align16 operand off 16 bytes");
      EU_CHECK(r->region || r->stride <= 1 || (r->stride == 2 && size == 8),
               "a stride in Align16");
   }
}

static bool
has_int64(const struct eu_inst *inst)
{
   bool found = inst->dst.type == ISA_TYPE_Q || inst->dst.type == ISA_TYPE_UQ;

   for (unsigned i = 0; i < inst->sources && i < EU_MAX_SRCS; i++) {
      found |= inst->src[i].type == ISA_TYPE_Q ||
               inst->src[i].type == ISA_TYPE_UQ;
   }
   return found;
}

static void
check_inst(struct eu_validation *v, const struct eu_inst *inst)
{
   if (inst->op >= EU_OP_COUNT) {
      fprintf(v->out, "IR validation after %s: %s: %u\n", v->when,
              "no opcode of the IR", inst->op);
      v->faults++;
      return;
   }
   check_controls(v, inst);
   EU_CHECK(inst->sources >= least_sources(inst) &&
               inst->sources <= eu_info(inst)->num_srcs,
            "number of sources");
   check_dst(v, inst);
   for (unsigned i = 0; i < inst->sources && i < EU_MAX_SRCS; i++)
      check_src(v, inst, i);
   if (v->s->no_int64)
      EU_CHECK(!has_int64(inst), "a 64-bit integer where the EU has none");
   if (eu_is_send(inst))
      check_message(v, inst);
   if (inst->align16)
      check_align16(v, inst);
}

#define MAX_DEPTH 1024

/* False where the nesting is broken. */
static bool
check_nesting(struct eu_validation *v)
{
   const unsigned faults = v->faults;
   char stack[MAX_DEPTH];
   unsigned depth = 0, loops = 0;

   list_for_each_entry(struct eu_inst, inst, &v->s->insts, link) {
      const char top = depth ? stack[depth - 1] : 0;

      switch (inst->op) {
      case ISA_OPCODE_ELSE: EU_CHECK(top == 'i', "ELSE without IF"); break;
      case ISA_OPCODE_ENDIF:
         EU_CHECK(top == 'i' || top == 'e', "ENDIF without IF");
         break;
      case ISA_OPCODE_WHILE:
         EU_CHECK(top == 'd', "WHILE without DO");
         loops -= top == 'd';
         break;
      case ISA_OPCODE_BREAK:
      case ISA_OPCODE_CONT: EU_CHECK(loops, "a jump without a loop"); break;
      default: break;
      }
      depth -= eu_info(inst)->closes && depth;
      if (!eu_info(inst)->opens)
         continue;
      if (depth == MAX_DEPTH) {
         eu_fault(v, inst, "nested too deep to check");
         return false;
      }
      loops += inst->op == EU_OP_DO;
      stack[depth++] = inst->op == EU_OP_DO        ? 'd'
                       : inst->op == ISA_OPCODE_IF ? 'i'
                                                   : 'e';
   }
   if (depth) {
      const struct eu_inst *inst =
         list_entry(v->s->insts.prev, struct eu_inst, link);
      eu_fault(v, inst, "an IF or a loop is not closed");
   }
   return v->faults == faults;
}

unsigned
eu_find_faults(const struct eu_shader *s, const char *when, FILE *out)
{
   struct eu_validation v = { .s = s, .when = when, .out = out };

   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      check_inst(&v, inst);
   if (!v.faults && check_nesting(&v))
      eu_check_definitions(&v);
   return v.faults;
}

void
eu_validate(const struct eu_shader *s, const char *when)
{
   if (s->failed || !eu_find_faults(s, when, stderr))
      return;
   eu_print(s, stderr);
   guard_internal_error("IR validation after %s", when);
}
