/* SPDX-License-Identifier: MIT */
/*
 * Long forms of operations on doubles that a shader has once: a function for
 * each operation, and calls of it (nir_intrinsic_call_routine). A back end
 * that takes them says so by nir_lower_dcalls; it asks for the function of
 * each operation that is called by nir_find_routine().
 */
#include "nir_doubles_private.h"

static const char *
name_of(nir_op op)
{
   return nir_op_infos[op].name;
}

nir_function *
nir_find_routine(const nir_shader *shader, nir_op op)
{
   nir_foreach_function(func, shader) {
      if (!func->is_entrypoint && func->impl &&
          strcmp(func->name, name_of(op)) == 0)
         return func;
   }
   return NULL;
}

/* With more long forms of one operation they are called: a shader has the
 * code once. Its registers are kept free from the first call to the last, and
 * it is not scheduled with what stands around it. */
#define MAX_LONG_FORMS 6

static nir_op
routine_of(nir_op op)
{
   return op == nir_op_frcp ? nir_op_fdiv : op;
}

void
nir_count_long_form(struct nir_double_calls *calls, const nir_alu_instr *alu)
{
   calls->count[routine_of(alu->op)] += alu->instr.result.num_components;
}

bool
nir_is_called(const struct nir_double_calls *calls, nir_op op)
{
   return calls->count[routine_of(op)] > MAX_LONG_FORMS;
}

nir_value *
nir_call_double(nir_builder *b, nir_op op, nir_value *x, nir_value *y)
{
   nir_value *result[NIR_MAX_VEC_COMPONENTS];
   for (unsigned c = 0; c < x->num_components; c++) {
      nir_value *first = nir_channel(b, x, c);
      nir_value *second = y ? nir_channel(b, y, c) : first;
      if (op == nir_op_frcp)
         first = nir_imm_double(b, 1.0);
      result[c] =
         nir_call_routine(b, first, second, .base = (int)routine_of(op));
   }
   return nir_vec(b, result, x->num_components);
}

/* Its operation is lowered by what comes next, as any is. */
static void
make_routine(nir_shader *shader, nir_op op)
{
   nir_function *func = nir_new_function(shader, name_of(op));
   func->num_params = nir_op_infos[op].num_inputs;
   func->params =
      arena_new_array(shader->arena, nir_parameter, func->num_params);
   nir_builder b;
   nir_builder_init(&b, nir_new_body(func));
   b.cursor = nir_before_impl(b.impl);
   nir_value *src[2] = { NULL };
   for (unsigned i = 0; i < func->num_params; i++) {
      func->params[i] =
         (nir_parameter) { .num_components = 1, .bit_size = 64 };
      src[i] = nir_build_load_param(&b, 1, 64, .param_idx = i);
   }
   b.exact = true;
   nir_routine_result(&b, nir_build_alu(&b, op, src[0], src[1], NULL, NULL));
}

void
nir_make_double_routines(const struct nir_double_calls *calls,
                         nir_shader *shader)
{
   static const nir_op ops[] = { nir_op_fdiv, nir_op_fsqrt, nir_op_frsq,
                                 nir_op_fmod };
   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
      if (nir_is_called(calls, ops[i]) && !nir_find_routine(shader, ops[i]))
         make_routine(shader, ops[i]);
   }
}
