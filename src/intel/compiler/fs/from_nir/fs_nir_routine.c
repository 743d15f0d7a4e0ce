/* SPDX-License-Identifier: MIT */
/*
 * Routines: operations on doubles whose code stands once behind the shader
 * (nir_double_routines.c) and is called from many places.
 *
 *    mov x, ...                         argument x, 7
 *    mov y, ...                         argument y, 7
 *    call_routine r, x, y, 7            ...
 *    mov ..., r                         mov r, ...
 *                                       return r, the last register of r
 *
 * Registers of arguments and results are those of the routine, the same for
 * all its calls. What it uses besides is its own, too: eu_liveness.c keeps it
 * free wherever a routine may be called.
 */
#include "fs_nir.h"

static unsigned
num_operands(nir_op op)
{
   return nir_op_infos[op].num_inputs;
}

static struct fs_routine *
routine_of(struct nir_to_fs *n, nir_op op)
{
   util_dynarray_foreach(&n->routines, struct fs_routine, r) {
      if (r->op == op)
         return r;
   }
   struct fs_routine made = { .op = op };
   const unsigned grfs = DIV_ROUND_UP(8 * n->b.exec_size, REG_SIZE_B);
   for (unsigned i = 0; i < num_operands(op); i++)
      made.args[i] = eu_vgrf_reg(eu_alloc_vgrf(n->s, grfs), ISA_TYPE_DF);
   made.result = eu_vgrf_reg(eu_alloc_vgrf(n->s, grfs + 1), ISA_TYPE_DF);
   util_dynarray_append(&n->routines, struct fs_routine, made);
   return util_dynarray_element(
      &n->routines, struct fs_routine,
      util_dynarray_num_elements(&n->routines, struct fs_routine) - 1);
}

void
fs_emit_call(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const nir_op op = (nir_op)nir_intrinsic_base(intr);
   const struct fs_routine r = *routine_of(n, op);
   const eu_reg d = fs_get_dest(n, &intr->instr.result);

   for (unsigned i = 0; i < num_operands(op); i++)
      eu_MOV(&n->b, r.args[i],
             eu_retype(fs_src_comp(n, &intr->src[i], 0), ISA_TYPE_DF));
   struct eu_inst *call = eu_emit3(&n->b, EU_OP_CALL_ROUTINE, r.result,
                                   r.args[0], r.args[num_operands(op) - 1],
                                   eu_imm_ud(op));
   call->size_written = n->s->vgrf_size[r.result.nr] * REG_SIZE_B;
   call->side_effects = true;
   eu_MOV(&n->b, eu_retype(d, ISA_TYPE_DF), r.result);
}

void
fs_emit_routine_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct fs_routine *r = n->routine;

   if (!r)
      eu_fail(n->s, "a routine's intrinsic outside of one");
   else if (intr->intrinsic == nir_intrinsic_load_param)
      fs_set_dest(n, &intr->instr.result,
                  r->args[nir_intrinsic_param_idx(intr)]);
   else
      eu_MOV(&n->b, r->result,
             eu_retype(fs_src_comp(n, &intr->src[0], 0), ISA_TYPE_DF));
}

static void
emit_routine(const struct nir_to_fs *shader, const struct fs_routine *r)
{
   struct eu_shader *s = shader->s;
   const nir_function *func = nir_find_routine(s->nir, r->op);
   if (!func) {
      eu_fail(s, "there is no routine for %s", nir_op_infos[r->op].name);
      return;
   }
   struct nir_to_fs n = {
      .s = s, .b = eu_builder_at_end(s), .stage = shader->stage, .routine = r
   };
   for (unsigned i = 0; i < num_operands(r->op); i++) {
      struct eu_inst *arg =
         eu_emit1(&n.b, EU_OP_ARGUMENT, r->args[i], eu_imm_ud(r->op));
      arg->size_written = s->vgrf_size[r->args[i].nr] * REG_SIZE_B;
      arg->side_effects = true;
   }
   /* The way back. */
   eu_reg link = eu_retype(r->result, ISA_TYPE_UD);
   link.offset = (s->vgrf_size[r->result.nr] - 1u) * REG_SIZE_B;
   struct eu_inst *back =
      eu_emit1(&n.b, EU_OP_ARGUMENT, link, eu_imm_ud(r->op));
   back->size_written = REG_SIZE_B;
   back->side_effects = true;

   fs_emit_function(&n, func->impl);
   link.stride = 0;
   struct eu_inst *ret =
      eu_emit2(&n.b, EU_OP_RETURN, eu_null(ISA_TYPE_UD), r->result, link);
   ret->side_effects = true;
   ret->size_written = 0;
   fs_free_lists(&n);
}

void
fs_emit_routines(struct nir_to_fs *n)
{
   util_dynarray_foreach(&n->routines, struct fs_routine, r) {
      if (!n->s->failed)
         emit_routine(n, r);
   }
}
