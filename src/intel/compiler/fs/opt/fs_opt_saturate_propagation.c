/* SPDX-License-Identifier: MIT */
/*
 * mov.sat of a value that is only read there: the instruction that makes the
 * value saturates it, and the move becomes a plain one.
 */
#include "intel/compiler/eu/eu_builder.h"
#include "intel/compiler/eu/eu_defs.h"
#include "intel/compiler/fs/fs_compile.h"

/* Whether the move reads all that `def` writes. */
static bool
reads_all(const struct eu_inst *def, const struct eu_inst *mov)
{
   if (mov->align16 != def->align16)
      return false;
   if (!mov->align16)
      return def->size_written == eu_size_read(mov, 0);
   return !def->dst.region && !mov->dst.region && !mov->src[0].region &&
          mov->src[0].stride == 1 &&
          eu_components_read(mov->src[0].swz, mov->dst.swz) == def->dst.swz;
}

static bool
can_saturate(const struct eu_inst *def, const struct eu_inst *mov)
{
   return eu_info(def)->may_saturate && !def->saturate &&
          def->op != ISA_OPCODE_SEL && def->cond_mod == ISA_COND_MOD_NONE &&
          def->pred == ISA_PRED_NONE && eu_type_is_float(def->dst.type) &&
          def->dst.type == mov->src[0].type &&
          def->exec_size == mov->exec_size && def->group == mov->group &&
          def->nomask == mov->nomask &&
          def->dst.offset == mov->src[0].offset && reads_all(def, mov);
}

bool
fs_opt_saturate_propagation(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct eu_defs defs;
   bool progress = false;

   eu_calculate_cfg(s);
   eu_defs_init(&defs, s, arena);
   list_for_each_entry(struct eu_inst, mov, &s->insts, link) {
      if (mov->op != ISA_OPCODE_MOV || !mov->saturate ||
          mov->pred != ISA_PRED_NONE || mov->src[0].negate ||
          mov->src[0].abs || mov->dst.type != mov->src[0].type)
         continue;
      struct eu_inst *def = eu_defs_only_def(&defs, mov, 0);
      if (!def || def->block != mov->block || eu_defs_uses(&defs, def) != 1 ||
          !can_saturate(def, mov))
         continue;
      def->saturate = true;
      mov->saturate = false;
      progress = true;
   }
   arena_destroy(arena);
   return progress;
}
