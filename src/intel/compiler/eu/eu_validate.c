/* SPDX-License-Identifier: MIT */
/*
 * The rules of the fs IR, checked after every pass in debug builds. It
 * reports every fault with the instruction and the pass, then stops.
 */
#include "eu_ir.h"

struct validate_state {
   const struct eu_shader *s;
   const char *when;
   FILE *out;
   unsigned faults;
};

static void
fault(struct validate_state *v, const struct eu_inst *inst, const char *rule)
{
   fprintf(v->out, "IR validation after %s: %s\n   ", v->when, rule);
   eu_print_inst(inst, v->out);
   v->faults++;
}

#define CHECK(cond, rule)                                                    \
   do {                                                                      \
      if (!(cond))                                                           \
         fault(v, inst, rule);                                               \
   } while (0)

static void
check_range(struct validate_state *v, const struct eu_inst *inst,
            const eu_reg *r, unsigned size_B)
{
   if (r->file == EU_VGRF) {
      CHECK(r->nr < v->s->num_vgrfs, "VGRF number out of range");
      if (r->nr < v->s->num_vgrfs) {
         CHECK(r->offset + size_B <= v->s->vgrf_size[r->nr] * REG_SIZE_B,
               "access beyond the end of a VGRF");
      }
   } else if (r->file == EU_GRF) {
      CHECK(r->nr * REG_SIZE_B + r->offset + size_B <=
            EU_MAX_GRF * REG_SIZE_B, "access beyond g127");
   }
}

static void
check_inst(struct validate_state *v, const struct eu_inst *inst)
{
   const bool send = eu_is_send(inst);

   CHECK(inst->op < EU_OP_COUNT, "unknown opcode");
   CHECK(util_is_power_of_two_nonzero(inst->exec_size) &&
         inst->exec_size <= 32, "exec size is no power of two up to 32");
   CHECK(inst->sources <= EU_MAX_SRCS, "too many sources");
   CHECK(inst->nomask || inst->group + inst->exec_size <=
         MAX2(16, v->s->dispatch_width),
         "channels behind the dispatch width");
   if (inst->dst.file != EU_BAD) {
      CHECK(!inst->dst.negate && !inst->dst.abs && !inst->dst.region,
            "modifier or region on a destination");
      CHECK(inst->dst.file != EU_IMM && inst->dst.file != EU_UNIFORM,
            "destination cannot be written");
      check_range(v, inst, &inst->dst, inst->size_written);
      if (!send && inst->op != EU_OP_UNDEF && !eu_is_null(&inst->dst) &&
          inst->dst.file != EU_ARF) {
         CHECK(inst->exec_size == 1 || inst->dst.stride > 0,
               "many channels write one scalar");
         CHECK(inst->size_written >=
               eu_region_size(&inst->dst, inst->exec_size),
               "size_written is smaller than the region");
      }
   }
   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];

      check_range(v, inst, r, eu_size_read(inst, i));
      if (r->negate || r->abs)
         CHECK(eu_info(inst)->may_src_mods && r->file != EU_IMM,
               "source modifier where there can be none");
   }
   if (send) {
      CHECK(inst->mlen >= 1 && inst->mlen <= 15, "message length");
      CHECK(inst->src[0].file == EU_VGRF || inst->src[0].file == EU_GRF,
            "message payload is no GRF");
      CHECK(inst->src[0].offset % REG_SIZE_B == 0,
            "message payload does not start at a GRF");
   }
   if (inst->op == ISA_OPCODE_CMP)
      CHECK(inst->cond_mod != ISA_COND_MOD_NONE, "CMP without condition");
   if (inst->pred != ISA_PRED_NONE && inst->cond_mod != ISA_COND_MOD_NONE)
      CHECK(inst->op == ISA_OPCODE_CMP || inst->op == ISA_OPCODE_MOV ||
            inst->op != ISA_OPCODE_SEL, "predicated SEL with a condition");
}

static void
check_nesting(struct validate_state *v)
{
   char stack[256];
   unsigned depth = 0;

   list_for_each_entry(struct eu_inst, inst, &v->s->insts, link) {
      switch (inst->op) {
      case ISA_OPCODE_IF:
      case EU_OP_DO:
         if (depth < sizeof(stack))
            stack[depth] = inst->op == EU_OP_DO ? 'd' : 'i';
         depth++;
         break;
      case ISA_OPCODE_ELSE:
         CHECK(depth && stack[depth - 1] == 'i', "ELSE without IF");
         break;
      case ISA_OPCODE_ENDIF:
         CHECK(depth && stack[depth - 1] == 'i', "ENDIF without IF");
         depth -= depth > 0;
         break;
      case ISA_OPCODE_WHILE:
         CHECK(depth && stack[depth - 1] == 'd', "WHILE without DO");
         depth -= depth > 0;
         break;
      default:
         break;
      }
      if (depth > sizeof(stack))
         return;
   }
}

unsigned
eu_find_faults(const struct eu_shader *s, const char *when, FILE *out)
{
   struct validate_state v = { .s = s, .when = when, .out = out };

   list_for_each_entry(struct eu_inst, inst, &s->insts, link)
      check_inst(&v, inst);
   check_nesting(&v);
   return v.faults;
}

void
eu_validate(const struct eu_shader *s, const char *when)
{
   if (s->failed || !eu_find_faults(s, when, stderr))
      return;
   eu_print(s, stderr);
   abort();
}
