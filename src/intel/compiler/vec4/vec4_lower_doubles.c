/* SPDX-License-Identifier: MIT */
/*
 * Moves of doubles with swizzles and write masks -> Align1 moves of one
 * double each: an instruction a component and vertex.
 *
 * Align16 selects doubles within 16 bytes only (eu-fp64 facts, 1.4), so that
 * most swizzles are no single instruction. What has no flags by channel can
 * be done in Align1, where an offset says which one is meant. The four
 * channels of a vertex are enabled together, so that the first stands for
 * all.
 */
#include "vec4_compile.h"
#include "vec4_ir.h"

static bool
has_doubles(const struct eu_inst *inst)
{
   return inst->align16 && eu_type_sz(inst->dst.type) == 8 &&
          !inst->dst.region;
}

/* Component c of vertex v as an Align1 scalar. */
static eu_reg
one_source(const eu_reg *src, unsigned v, unsigned c)
{
   eu_reg r = *src;

   if (r.file == EU_IMM)
      return r;
   r.offset += vec4_swizzle_get(r.swz, c) * 8 + (r.stride ? v * 32 : 0);
   r.stride = 0;
   r.swz = 0;
   return r;
}

static void
emit_parts(const struct eu_builder *b, const struct eu_inst *inst,
           eu_reg dst)
{
   for (unsigned k = 0; k < inst->exec_size / 4u; k++) {
      const unsigned v = inst->group / 4 + k;
      for (unsigned c = 0; c < 4; c++) {
         struct eu_builder one = *b;
         eu_reg src[EU_MAX_SRCS], to = dst;

         if (!(inst->dst.swz & (1u << c)))
            continue;
         for (unsigned i = 0; i < inst->sources; i++)
            src[i] = one_source(&inst->src[i], k, c);
         to.offset += k * 32 + c * 8;
         to.swz = 0;
         one.exec_size = 1;
         one.group = (uint8_t)(4 * v);
         struct eu_inst *part = eu_emit(&one, inst->op, to, inst->sources,
                                        src);
         part->saturate = inst->saturate;
      }
   }
}

static void
split(struct eu_shader *s, struct eu_inst *inst)
{
   const struct eu_builder b = eu_builder_before(s, inst);
   eu_reg t = inst->dst;
   bool overlaps = false;

   if (inst->pred != ISA_PRED_NONE || inst->cond_mod != ISA_COND_MOD_NONE) {
      eu_fail(s, "a double in Align16 with a flag");
      return;
   }
   for (unsigned i = 0; i < inst->sources; i++)
      overlaps |= eu_regions_overlap(&inst->dst, inst->size_written,
                                     &inst->src[i], eu_size_read(inst, i));
   if (overlaps) {
      t = eu_vgrf_reg(eu_alloc_vgrf(s, 2), inst->dst.type);
      eu_undef(&b, t);
   }
   emit_parts(&b, inst, t);
   if (overlaps) {
      inst->op = ISA_OPCODE_MOV;
      inst->sources = 1;
      inst->saturate = false;
      inst->src[0] = vec4_src(t);
      emit_parts(&b, inst, inst->dst);
   }
   list_del(&inst->link);
}

bool
vec4_lower_double_moves(struct eu_shader *s)
{
   bool progress = false;

   list_for_each_entry_safe(struct eu_inst, inst, &s->insts, link) {
      if (!has_doubles(inst))
         continue;
      split(s, inst);
      progress = true;
   }
   return progress;
}
