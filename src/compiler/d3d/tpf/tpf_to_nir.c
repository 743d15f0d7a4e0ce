/* SPDX-License-Identifier: MIT */
/*
 * SM4 and SM5 to NIR: control flow. The bytecode is structured. A switch
 * becomes an if-chain; where a break stands elsewhere than at the end of a
 * case, a loop of one trip is around it. Subroutines are expanded where
 * they are called.
 */
#include "tpf_nir.h"

#include <stdio.h>

bool
tpf_nir_fail(struct tpf_nir *t, const char *fmt, ...)
{
   char text[sizeof(t->error->text)];
   va_list ap;

   if (t->failed)
      return false;
   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   t->failed = true;
   return tpf_error(t->error, t->shader, t->inst, "%s", text);
}

/* --- Conditions --------------------------------------------------------- */

static nir_value *
condition(struct tpf_nir *t)
{
   nir_value *v = tpf_nir_scalar(t, &t->inst->operand[0], 'u');
   nir_value *zero = nir_imm_int(&t->b, 0);

   return t->inst->controls & TPF_TEST_NONZERO ? nir_ine(&t->b, v, zero)
                                               : nir_ieq(&t->b, v, zero);
}

static struct tpf_nir_frame *
push(struct tpf_nir *t)
{
   struct tpf_nir_frame *f;

   if (t->depth == ARRAY_SIZE(t->nest)) {
      tpf_nir_fail(t, "more than %u nested constructs, in subroutines too",
                   TPF_MAX_NESTING);
      return NULL;
   }
   f = &t->nest[t->depth++];
   *f = (struct tpf_nir_frame) { .op = t->inst->op };
   return f;
}

static nir_variable *
bool_local(struct tpf_nir *t)
{
   nir_variable *var = nir_new_local(t->b.impl, glsl_bool_type(), NULL);

   nir_store_var(&t->b, var, nir_imm_false(&t->b), 1);
   return var;
}

/* --- Switch ------------------------------------------------------------- */

/* Calls `f` for each instruction of the switch that belongs to no construct
 * in it; stops when that is false. The end of the switch comes last. */
static bool
foreach_in_switch(const struct tpf_nir *t, size_t first,
                  bool (*f)(const struct tpf_nir *t, size_t i, unsigned depth,
                            unsigned loops, void *data),
                  void *data)
{
   bool loop[TPF_MAX_NESTING];
   unsigned depth = 0, loops = 0;

   for (size_t i = first; i < t->shader->num_insts; i++) {
      const struct tpf_op_info *info = tpf_op_info(t->shader->inst[i].op);
      if (info->closes && depth)
         loops -= loop[--depth];
      else if (info->closes)
         return f(t, i, depth, loops, data);
      if (!f(t, i, depth, loops, data))
         return false;
      if (info->opens) {
         loop[depth] = t->shader->inst[i].op == TPF_OP_LOOP ||
                       t->shader->inst[i].op == TPF_OP_SWITCH;
         loops += loop[depth++];
      }
   }
   return true;
}

static bool
is_label(const struct tpf_inst *inst)
{
   return inst->op == TPF_OP_CASE || inst->op == TPF_OP_DEFAULT ||
          inst->op == TPF_OP_ENDSWITCH;
}

/* Every case ends by a break (or is empty), and no other break is ours. */
static bool
breaks_at_tail(const struct tpf_nir *t, size_t i, unsigned depth,
               unsigned loops, void *data)
{
   const struct tpf_inst *inst = &t->shader->inst[i];

   (void)data;
   if (!loops && (inst->op == TPF_OP_BREAKC || inst->op == TPF_OP_CONTINUE ||
                  inst->op == TPF_OP_CONTINUEC))
      return false;
   if (!loops && inst->op == TPF_OP_BREAK)
      return depth == 0 && is_label(inst + 1);
   if (depth == 0 && is_label(inst))
      return is_label(inst - 1) || inst[-1].op == TPF_OP_SWITCH ||
             inst[-1].op == TPF_OP_BREAK;
   return true;
}

struct labels {
   struct tpf_nir *t;
   nir_value *selector, *any;
};

static bool
add_label(const struct tpf_nir *unused, size_t i, unsigned depth,
          unsigned loops, void *data)
{
   struct labels *l = data;
   const struct tpf_inst *inst = &l->t->shader->inst[i];

   (void)unused;
   (void)loops;
   if (depth == 0 && inst->op == TPF_OP_CASE) {
      nir_builder *b = &l->t->b;
      l->any = nir_ior(b, l->any,
                       nir_ieq_imm(b, l->selector, inst->operand[0].imm[0]));
   }
   return true;
}

static void
begin_switch(struct tpf_nir *t, size_t first)
{
   struct tpf_nir_frame *f = push(t);

   if (!f)
      return;
   f->first = first;
   f->selector = tpf_nir_scalar(t, &t->inst->operand[0], 'u');
   f->matched = bool_local(t);
   f->continued = bool_local(t);
   f->tail_breaks = foreach_in_switch(t, first, breaks_at_tail, NULL);
   if (!f->tail_breaks)
      f->loop = nir_push_loop(&t->b);
}

/* A row of labels begins what one if holds. */
static void
begin_case(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   struct tpf_nir_frame *f = &t->nest[t->depth - 1];
   nir_value *cond;

   if (f->nif)
      nir_pop_if(b, f->nif);
   if (f->nif && f->tail_breaks)
      nir_store_var(b, f->matched, nir_imm_false(b), 1);
   f->nif = NULL;
   if (t->inst->op == TPF_OP_CASE) {
      cond = nir_ieq_imm(b, f->selector, t->inst->operand[0].imm[0]);
   } else {
      struct labels l = { t, f->selector, nir_imm_false(b) };
      foreach_in_switch(t, f->first, add_label, &l);
      cond = nir_inot(b, l.any);
   }
   cond = nir_ior(b, nir_load_var(b, f->matched), cond);
   nir_store_var(b, f->matched, cond, 1);
   if (!is_label(t->inst + 1))
      f->nif = nir_push_if(b, cond);
}

static void emit_continue(struct tpf_nir *t, nir_value *cond);

/* After a loop in a part: further out, if it has returned. */
static void
leave(struct tpf_nir *t)
{
   if (t->part)
      nir_jump_if(&t->b, nir_jump_break,
                  nir_load_var(&t->b, t->part->returned));
}

static void
end_switch(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   struct tpf_nir_frame f = t->nest[--t->depth];

   if (f.nif)
      nir_pop_if(b, f.nif);
   if (!f.loop)
      return;
   nir_jump(b, nir_jump_break);
   nir_pop_loop(b, f.loop);
   leave(t);
   for (unsigned i = 0; i < t->depth; i++) {
      if (t->nest[i].op == TPF_OP_LOOP) {
         emit_continue(t, nir_load_var(b, f.continued));
         return;
      }
   }
}

/* --- Jumps -------------------------------------------------------------- */

static void
emit_break(struct tpf_nir *t, nir_value *cond)
{
   for (unsigned i = t->depth; i-- > 0;) {
      if (t->nest[i].loop) {
         nir_jump_if(&t->b, nir_jump_break, cond);
         return;
      }
      if (t->nest[i].op == TPF_OP_SWITCH)
         return; /* the end of a case */
   }
}

/* Through the switches in between by way of their breaks; those that are no
 * loops are not in the way. */
static void
emit_continue(struct tpf_nir *t, nir_value *cond)
{
   for (unsigned i = t->depth; i-- > 0;) {
      const struct tpf_nir_frame *f = &t->nest[i];
      if (f->op == TPF_OP_LOOP) {
         nir_jump_if(&t->b, nir_jump_continue, cond);
         return;
      }
      if (f->op == TPF_OP_SWITCH && f->loop) {
         nir_if *nif = nir_push_if(&t->b, cond);
         nir_store_var(&t->b, f->continued, nir_imm_true(&t->b), 1);
         nir_jump(&t->b, nir_jump_break);
         nir_pop_if(&t->b, nif);
         return;
      }
   }
}

static void
emit_return(struct tpf_nir *t, nir_value *cond)
{
   nir_if *nif = cond ? nir_push_if(&t->b, cond) : NULL;

   if (t->shader->stage != TPF_STAGE_GS)
      tpf_nir_store_outputs(t, 0);
   if (nif) {
      nir_jump(&t->b, nir_jump_return);
      nir_pop_if(&t->b, nif);
   } else if (t->depth) {
      nir_jump_if(&t->b, nir_jump_return, nir_imm_true(&t->b));
   }
}

/* --- Instructions ------------------------------------------------------- */

/* The depth of calls is bounded, so the recursion is. */
static void
call(struct tpf_nir *t)
{
   const struct tpf_inst *inst = t->inst;
   const unsigned n = inst->num_operands - 1;
   nir_if *nif = NULL;

   if (t->calls == TPF_NIR_MAX_CALLS) {
      tpf_nir_fail(t, "more than %u nested calls", TPF_NIR_MAX_CALLS);
      return;
   }
   for (size_t i = 0; i < t->shader->num_insts; i++) {
      if (t->shader->inst[i].op != TPF_OP_LABEL ||
          t->shader->inst[i].operand[0].index[0].imm !=
             inst->operand[n].index[0].imm)
         continue;
      if (inst->op == TPF_OP_CALLC)
         nif = nir_push_if(&t->b, condition(t));
      t->calls++;
      tpf_nir_part(t, i + 1);
      t->calls--;
      if (nif)
         nir_pop_if(&t->b, nif);
      return;
   }
   tpf_nir_fail(t, "there is no label%u", inst->operand[n].index[0].imm);
}

static void
open_construct(struct tpf_nir *t, size_t at)
{
   struct tpf_nir_frame *f;

   if (t->inst->op == TPF_OP_SWITCH) {
      begin_switch(t, at + 1);
   } else if ((f = push(t))) {
      if (f->op == TPF_OP_IF)
         f->nif = nir_push_if(&t->b, condition(t));
      else
         f->loop = nir_push_loop(&t->b);
   }
}

static void
flow(struct tpf_nir *t, size_t at)
{
   nir_builder *b = &t->b;

   switch (t->inst->op) {
   case TPF_OP_IF:
   case TPF_OP_LOOP:
   case TPF_OP_SWITCH: open_construct(t, at); break;
   case TPF_OP_ELSE: nir_push_else(b, t->nest[t->depth - 1].nif); break;
   case TPF_OP_ENDIF: nir_pop_if(b, t->nest[--t->depth].nif); break;
   case TPF_OP_ENDLOOP:
      nir_pop_loop(b, t->nest[--t->depth].loop);
      leave(t);
      break;
   case TPF_OP_ENDSWITCH: end_switch(t); break;
   case TPF_OP_CASE:
   case TPF_OP_DEFAULT: begin_case(t); break;
   case TPF_OP_BREAK: emit_break(t, nir_imm_true(b)); break;
   case TPF_OP_BREAKC: emit_break(t, condition(t)); break;
   case TPF_OP_CONTINUE: emit_continue(t, nir_imm_true(b)); break;
   case TPF_OP_CONTINUEC: emit_continue(t, condition(t)); break;
   case TPF_OP_CALL:
   case TPF_OP_CALLC: call(t); break;
   default:
      tpf_nir_fail(t, "%s is not translated", tpf_op_info(t->inst->op)->name);
   }
}

/* ret of the main program, or of a subroutine: true when it ends there. */
static bool
ret(struct tpf_nir *t, unsigned depth)
{
   nir_value *cond = t->inst->op == TPF_OP_RETC ? condition(t) : NULL;

   if (!t->calls) {
      emit_return(t, cond);
      return !cond && t->depth == depth;
   }
   if (!cond && t->depth == depth)
      return true;
   nir_if *nif = nir_push_if(&t->b, cond ? cond : nir_imm_true(&t->b));
   nir_store_var(&t->b, t->part->returned, nir_imm_true(&t->b), 1);
   nir_jump(&t->b, nir_jump_break);
   nir_pop_if(&t->b, nif);
   return false;
}

static void
emit_vertex(struct tpf_nir *t)
{
   const enum tpf_op op = t->inst->op;
   const bool stream = t->inst->num_operands != 0;
   const unsigned n = stream ? t->inst->operand[0].index[0].imm : 0;
   const bool emits = op != TPF_OP_CUT && op != TPF_OP_CUT_STREAM;

   if (emits) {
      tpf_nir_store_outputs(t, n);
      nir_emit_vertex(&t->b, .stream_id = n);
   }
   if (op != TPF_OP_EMIT && op != TPF_OP_EMIT_STREAM) {
      nir_end_primitive(&t->b, .stream_id = n);
      t->b.shader->info.gs.uses_end_primitive = true;
   }
   t->b.shader->info.gs.active_stream_mask |= (uint8_t)(1u << n);
}

static void
special(struct tpf_nir *t)
{
   switch (t->inst->op) {
   case TPF_OP_NOP: break;
   case TPF_OP_DISCARD:
      nir_demote_if(&t->b, condition(t));
      t->b.shader->info.fs.uses_demote = true;
      break;
   case TPF_OP_EMIT:
   case TPF_OP_CUT:
   case TPF_OP_EMIT_THEN_CUT:
   case TPF_OP_EMIT_STREAM:
   case TPF_OP_CUT_STREAM:
   case TPF_OP_EMIT_THEN_CUT_STREAM: emit_vertex(t); break;
   default:
      tpf_nir_fail(t, "%s is not translated", tpf_op_info(t->inst->op)->name);
   }
}

static bool
begins_part(enum tpf_op op)
{
   return op == TPF_OP_LABEL || op == TPF_OP_HS_CONTROL_POINT_PHASE ||
          op == TPF_OP_HS_FORK_PHASE || op == TPF_OP_HS_JOIN_PHASE;
}

/* An instruction on a tiled resource is the one without a status, and then
 * its status: all there, since no tile is missing where this runs. */
static void
with_status(struct tpf_nir *t)
{
   const struct tpf_inst *inst = t->inst;
   struct tpf_inst plain = *inst;

   plain.op = tpf_op_info(inst->op)->plain;
   plain.num_operands--;
   memmove(&plain.operand[1], &inst->operand[2],
           (plain.num_operands - 1) * sizeof(plain.operand[0]));
   t->inst = &plain;
   if (!tpf_nir_mem(t))
      tpf_nir_tex(t);
   t->inst = inst;
   tpf_nir_write(t, &inst->operand[1], nir_imm_ivec4(&t->b, -1, -1, -1, -1));
}

bool
tpf_nir_run(struct tpf_nir *t, size_t first)
{
   const unsigned depth = t->depth;

   for (size_t i = first; i < t->shader->num_insts && !t->failed; i++) {
      const struct tpf_inst *inst = &t->shader->inst[i];
      const enum tpf_sem sem = tpf_op_info(inst->op)->sem;
      if (sem == TPF_SEM_DECL || sem == TPF_SEM_DATA)
         continue;
      t->inst = inst;
      if (++t->steps > TPF_NIR_MAX_STEPS)
         return tpf_nir_fail(t,
                             "more than %u instructions after calls are "
                             "expanded",
                             TPF_NIR_MAX_STEPS);
      if (begins_part(inst->op))
         return true;
      t->b.exact = (inst->controls & TPF_PRECISE &&
                    tpf_op_info(inst->op)->control_bits & TPF_PRECISE);
      if (inst->op == TPF_OP_RET || inst->op == TPF_OP_RETC) {
         if (ret(t, depth))
            return true;
      } else if (sem == TPF_SEM_FLOW) {
         flow(t, i);
      } else if (sem == TPF_SEM_SPECIAL) {
         special(t);
      } else if (sem == TPF_SEM_EVAL) {
         tpf_nir_eval(t);
      } else if (tpf_op_info(inst->op)->status) {
         with_status(t);
      } else if (!tpf_nir_mem(t) && !tpf_nir_tex(t)) {
         tpf_nir_alu(t);
      }
      t->b.exact = false;
   }
   if (!t->calls && t->shader->stage != TPF_STAGE_GS && !t->failed)
      tpf_nir_store_outputs(t, 0);
   return true;
}

static bool
returns_early(const struct tpf_nir *t, size_t first)
{
   unsigned depth = 0;

   for (size_t i = first; i < t->shader->num_insts; i++) {
      const enum tpf_op op = t->shader->inst[i].op;
      const struct tpf_op_info *info = tpf_op_info(op);
      if (begins_part(op) || (op == TPF_OP_RET && !depth))
         return false;
      if (op == TPF_OP_RET || op == TPF_OP_RETC)
         return true;
      depth += info->opens;
      depth -= info->closes;
   }
   return false;
}

void
tpf_nir_part(struct tpf_nir *t, size_t first)
{
   struct tpf_nir_part part = { 0 }, *outer = t->part;

   if (returns_early(t, first)) {
      part.returned = bool_local(t);
      part.loop = nir_push_loop(&t->b);
   }
   t->part = part.loop ? &part : NULL;
   tpf_nir_run(t, first);
   t->part = outer;
   if (part.loop) {
      if (!t->failed)
         nir_jump(&t->b, nir_jump_break);
      nir_pop_loop(&t->b, part.loop);
   }
}

/* --- Everything --------------------------------------------------------- */

static bool
translate(struct tpf_nir *t)
{
   for (size_t i = 0; i < t->shader->num_insts; i++) {
      t->inst = &t->shader->inst[i];
      if (!tpf_nir_declare(t, t->inst))
         return false;
   }
   tpf_nir_begin(t);
   if (!t->failed && t->shader->stage == TPF_STAGE_HS)
      tpf_nir_hull(t);
   else if (!t->failed)
      tpf_nir_run(t, 0);
   return !t->failed;
}

static gl_shader_stage
stage_of(const struct tpf_shader *shader)
{
   switch (shader->stage) {
   case TPF_STAGE_PS: return MESA_SHADER_FRAGMENT;
   case TPF_STAGE_VS: return MESA_SHADER_VERTEX;
   case TPF_STAGE_GS: return MESA_SHADER_GEOMETRY;
   case TPF_STAGE_HS: return MESA_SHADER_TESS_CTRL;
   case TPF_STAGE_DS: return MESA_SHADER_TESS_EVAL;
   default: return MESA_SHADER_COMPUTE;
   }
}

static void
clean_up(nir_shader *nir)
{
   bool progress = false;

   NIR_PASS(progress, nir, nir_lower_returns);
   NIR_PASS(progress, nir, nir_lower_variable_initializers,
            nir_var_function_temp);
   NIR_PASS(progress, nir, nir_lower_vars_to_ssa);
   (void)progress;
   nir_validate_shader(nir, "tpf_to_nir");
}

nir_shader *
tpf_to_nir(const struct tpf_shader *shader, const struct dxbc *container,
           const struct tpf_to_nir_options *options, struct d3d_error *error)
{
   const gl_shader_stage stage = stage_of(shader);
   struct tpf_nir *t;
   bool ok;

   nir_shader *nir = nir_new_shader(options->parent, stage, options->nir);
   nir_function *main_function = nir_new_function(nir, "main");
   nir_function_impl *impl = nir_new_body(main_function);

   main_function->is_entrypoint = true;
   nir->info.gs.invocations = stage == MESA_SHADER_GEOMETRY;
   t = calloc(1, sizeof(*t));
   assert(t && "out of memory");
   t->shader = shader;
   t->container = container;
   t->options = options;
   t->error = error;
   nir_builder_init(&t->b, impl);
   t->b.cursor = nir_after_impl(impl);
   ok = translate(t);
   free(t->temp);
   free(t);
   if (!ok) {
      nir_shader_destroy(nir);
      return NULL;
   }
   clean_up(nir);
   return nir;
}
