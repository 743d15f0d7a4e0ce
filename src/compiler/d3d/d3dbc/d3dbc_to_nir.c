/* SPDX-License-Identifier: MIT */
/*
 * d3dbc to NIR: control flow. The bytecode is structured; subroutines, which
 * may not call themselves, are expanded where they are called. rep and loop
 * count in locals of their own, so that breaks leave nothing behind; aL is
 * that of the innermost loop, through the reps in it.
 */
#include "d3dbc_nir.h"

#include <stdio.h>

bool
d3dbc_nir_fail(struct d3dbc_nir *t, const char *fmt, ...)
{
   char text[sizeof(t->error->text)];
   va_list ap;

   if (t->failed)
      return false;
   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   t->failed = true;
   return d3dbc_error(t->error, t->inst, "%s", text);
}

/* --- Loops -------------------------------------------------------------- */

static nir_variable *
int_local(struct d3dbc_nir *t, nir_value *value)
{
   nir_variable *var = nir_new_local(t->b.impl, glsl_int_type(), NULL);

   nir_store_var(&t->b, var, value, 1);
   return var;
}

static void
begin_loop(struct d3dbc_nir *t, struct d3dbc_nir_frame *f)
{
   nir_builder *b = &t->b;
   const bool has_al = f->op == D3DBC_OP_LOOP;
   nir_value *i = d3dbc_nir_int_const(t, &t->inst->operand[has_al ? 1 : 0]);

   f->count = nir_channel(b, i, 0);
   f->step = nir_channel(b, i, 2);
   f->counter = int_local(t, nir_imm_int(b, 0));
   f->al = has_al ? int_local(t, nir_channel(b, i, 1)) : NULL;
   f->loop = nir_push_loop(b);
   nir_jump_if(b, nir_jump_break,
               nir_ige(b, nir_load_var(b, f->counter), f->count));
}

static void
end_loop(struct d3dbc_nir *t, struct d3dbc_nir_frame *f)
{
   nir_builder *b = &t->b;

   nir_store_var(b, f->counter,
                 nir_iadd_imm(b, nir_load_var(b, f->counter), 1), 1);
   if (f->al)
      nir_store_var(b, f->al, nir_iadd(b, nir_load_var(b, f->al), f->step),
                    1);
   nir_pop_loop(b, f->loop);
}

/* --- Instructions ------------------------------------------------------- */

/* A comparison of break and if looks at one component of each side. */
static nir_value *
scalar_compare(struct d3dbc_nir *t)
{
   const struct d3dbc_inst *inst = t->inst;
   nir_value *x = d3dbc_nir_src(t, &inst->operand[0]);
   nir_value *y = d3dbc_nir_src(t, &inst->operand[1]);

   return d3dbc_nir_compare(t, inst->control, nir_channel(&t->b, x, 0),
                            nir_channel(&t->b, y, 0));
}

static struct d3dbc_nir_frame *
push(struct d3dbc_nir *t)
{
   struct d3dbc_nir_frame *f;

   if (t->depth == ARRAY_SIZE(t->nest)) {
      d3dbc_nir_fail(t, "more than %u nested constructs, in subroutines too",
                     D3DBC_MAX_NESTING);
      return NULL;
   }
   f = &t->nest[t->depth++];
   *f = (struct d3dbc_nir_frame) { .op = t->inst->op };
   return f;
}

static void
find_labels(struct d3dbc_nir *t)
{
   for (size_t i = 0; i < t->shader->num_insts; i++) {
      const struct d3dbc_inst *inst = &t->shader->inst[i];
      if (inst->op == D3DBC_OP_LABEL && !t->label[inst->operand[0].reg.index])
         t->label[inst->operand[0].reg.index] = i + 1;
   }
}

static void run(struct d3dbc_nir *t, size_t first);

/* The depth of calls is bounded, so the recursion is. */
static void
call(struct d3dbc_nir *t)
{
   const struct d3dbc_inst *const inst = t->inst;
   const size_t at = t->label[inst->operand[0].reg.index];
   nir_if *nif = NULL;

   if (!at) {
      d3dbc_nir_fail(t, "there is no label l%u", inst->operand[0].reg.index);
      return;
   }
   if (t->calls == D3DBC_NIR_MAX_CALLS) {
      d3dbc_nir_fail(t, "more than %u nested calls", D3DBC_NIR_MAX_CALLS);
      return;
   }
   if (inst->op == D3DBC_OP_CALLNZ)
      nif = nir_push_if(&t->b, d3dbc_nir_condition(t, &inst->operand[1]));
   t->calls++;
   run(t, at);
   t->calls--;
   if (nif)
      nir_pop_if(&t->b, nif);
}

static void
flow(struct d3dbc_nir *t)
{
   nir_builder *b = &t->b;
   const struct d3dbc_inst *inst = t->inst;
   struct d3dbc_nir_frame *f;

   switch (inst->op) {
   case D3DBC_OP_IF:
   case D3DBC_OP_IFC:
      if ((f = push(t)))
         f->nif =
            nir_push_if(b, inst->op == D3DBC_OP_IFC
                              ? scalar_compare(t)
                              : d3dbc_nir_condition(t, &inst->operand[0]));
      break;
   case D3DBC_OP_ELSE: nir_push_else(b, t->nest[t->depth - 1].nif); break;
   case D3DBC_OP_ENDIF: nir_pop_if(b, t->nest[--t->depth].nif); break;
   case D3DBC_OP_REP:
   case D3DBC_OP_LOOP:
      if ((f = push(t)))
         begin_loop(t, f);
      break;
   case D3DBC_OP_ENDREP:
   case D3DBC_OP_ENDLOOP: end_loop(t, &t->nest[--t->depth]); break;
   case D3DBC_OP_BREAK:
      nir_jump_if(b, nir_jump_break, nir_imm_true(b));
      break;
   case D3DBC_OP_BREAKC:
      nir_jump_if(b, nir_jump_break, scalar_compare(t));
      break;
   case D3DBC_OP_BREAKP:
      nir_jump_if(b, nir_jump_break,
                  d3dbc_nir_condition(t, &inst->operand[0]));
      break;
   case D3DBC_OP_CALL:
   case D3DBC_OP_CALLNZ: call(t); break;
   default: unreachable("ret and label end a subroutine, see run()");
   }
}

/* Whether the next instruction is the other one of a pair. */
static bool
is_paired(const struct d3dbc_nir *t, size_t i)
{
   do
      i++;
   while (i < t->shader->num_insts &&
          t->shader->inst[i].op == D3DBC_OP_COUNT);
   return i < t->shader->num_insts && t->shader->inst[i].coissue;
}

/* Instructions from `first` up to the end of the program or subroutine. */
static void
run(struct d3dbc_nir *t, size_t first)
{
   for (size_t i = first; i < t->shader->num_insts && !t->failed; i++) {
      const struct d3dbc_inst *inst = &t->shader->inst[i];
      if (inst->op == D3DBC_OP_COUNT ||
          d3dbc_op_info(inst->op)->sem == D3DBC_SEM_DECL)
         continue;
      t->inst = inst;
      if (++t->steps > D3DBC_NIR_MAX_STEPS) {
         d3dbc_nir_fail(t,
                        "more than %u instructions after calls and "
                        "constants are expanded",
                        D3DBC_NIR_MAX_STEPS);
         return;
      }
      if (inst->op == D3DBC_OP_RET || inst->op == D3DBC_OP_LABEL)
         return;
      t->paired = is_paired(t, i);
      if (d3dbc_op_info(inst->op)->sem == D3DBC_SEM_FLOW)
         flow(t);
      else if (!d3dbc_nir_tex(t))
         d3dbc_nir_alu(t);
      if (!t->paired)
         d3dbc_nir_write_late(t);
   }
}

static void
translate(struct d3dbc_nir *t)
{
   nir_builder *b = &t->b;

   t->addr = nir_new_local(b->impl, glsl_ivec_type(4), NULL);
   t->pred = nir_new_local(b->impl, glsl_bvec_type(4), NULL);
   nir_store_var(b, t->addr, nir_imm_zero(b, 4, 32), 0xf);
   nir_store_var(b, t->pred, nir_imm_zero(b, 4, 1), 0xf);
   if (!d3dbc_nir_declare(t))
      return;
   find_labels(t);
   run(t, 0);
   if (!t->failed)
      d3dbc_nir_store_outputs(t);
}

nir_shader *
d3dbc_to_nir(const struct d3dbc_shader *shader,
             const struct d3dbc_to_nir_options *options,
             struct d3d_error *error)
{
   struct d3dbc_nir *t = calloc(1, sizeof(*t));
   const struct d3dbc_profile_info *pi = d3dbc_profile_info(shader->profile);
   nir_shader *nir = nir_new_shader(
      options->parent, pi->is_ps ? MESA_SHADER_FRAGMENT : MESA_SHADER_VERTEX,
      options->nir);
   nir_function *main_function = nir_new_function(nir, "main");
   nir_function_impl *impl = nir_new_body(main_function);
   bool failed;

   assert(t && "out of memory");
   main_function->is_entrypoint = true;
   t->shader = shader;
   t->pi = pi;
   t->options = options;
   t->error = error;
   nir_builder_init(&t->b, impl);
   t->b.cursor = nir_after_impl(impl);
   translate(t);
   failed = t->failed;
   free(t);
   if (failed) {
      nir_shader_destroy(nir);
      return NULL;
   }
   nir_lower_vars_to_ssa(nir);
   nir_validate_shader(nir, "d3dbc_to_nir");
   return nir;
}
