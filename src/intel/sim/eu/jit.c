/* SPDX-License-Identifier: MIT */
/*
 * Programs as host code: for each op what fast.c would do, one after the
 * other, so that nothing is looked up or called in between.
 *
 * All of a program is translated when it is decoded, twice: once for threads
 * in which all channels are on that any instruction asks for, and once with
 * masks. Wherever channels may have come or gone the code looks which of the
 * two goes on. What jit_alu.c does not have is called: messages, the rest of
 * arithmetic, and flow control that makes channels wait or go on. Such a
 * function returns where to go on; if that is not the op after, it is left
 * to the loop of run.c, which finds host code at each op where a thread can
 * come from elsewhere (eu_op::hot).
 *
 * Threads that somebody looks at (traces, rules, chaos) and the alternate
 * mode use the interpreter, and so does all with SAFFRON_SIM_INTERPRET=1.
 * Counters, faults and limits are those of the functions that are called.
 */
#include "intel/sim/eu/jit.h"

#include <sys/mman.h>

#define MAX_OPS 16384
/* More than one op takes, in both forms, with its entry. */
#define OP_B 4096

struct fixup {
   uint8_t *from;
   uint32_t op;
   bool masked;
};

struct translation {
   struct jit j;
   uint8_t **label[2]; /* of each op, without and with masks */
   struct fixup *fixups;
   unsigned num_fixups;
   uint32_t all; /* the channels that must be on to go without masks */
};

static bool
is_native(const struct eu_op *op)
{
   return op->body != EU_BODY_OTHER && jit_alu_supports(op);
}

/* Flow control that often does nothing. */
static bool
is_passable(const struct eu_op *op)
{
   bool leaves;
   if (!op->inst || op->flags & EU_NO_MASK || !eu_flow_may_pass(op, &leaves))
      return false;
   return op->pred == ISA_PRED_NORMAL ||
          (op->pred == ISA_PRED_NONE && !leaves);
}

/* Whether a thread may come to the op from the loop of run.c. */
static bool
is_entry(const struct sim_eu_program *p, uint32_t i)
{
   const struct eu_op *op = &p->ops[i];
   if (op->fn == eu_flow_join)
      return true;
   return (is_native(op) || is_passable(op)) &&
          (i == 0 || !is_native(op - 1));
}

static struct jit_rm
member(size_t offset)
{
   return jit_at(JIT_THREAD, offset);
}

#define MEMBER(name) member(offsetof(struct sim_eu_thread, name))

/* Of 64 bits. */
static void
load_op_address(struct translation *tr, enum jit_gpr r,
                const struct eu_op *op)
{
   struct jit_buf *b = &tr->j.buf;
   jit_8(b, 0x49); /* lea */
   jit_8(b, 0x8d);
   jit_modrm(b, r,
             jit_at(JIT_OPS,
                    (const uint8_t *)op - (const uint8_t *)tr->j.p->ops));
}

static void
refer(struct translation *tr, uint8_t *from, const struct eu_op *to,
      bool masked)
{
   tr->fixups[tr->num_fixups++] =
      (struct fixup) { from, (uint32_t)(to - tr->j.p->ops), masked };
}

/* To the other form at `op` if that is the one for the channels that are on
 * now. */
static void
choose_form(struct translation *tr, const struct eu_op *op)
{
   struct jit_buf *b = &tr->j.buf;
   jit_mov_load(b, JIT_EAX, MEMBER(active));
   jit_not(b, JIT_EAX);
   jit_test_imm(b, JIT_EAX, tr->all);
   uint8_t *from =
      jit_jump_if(b, tr->j.masked ? JIT_IF_ZERO : JIT_IF_NOT_ZERO);
   refer(tr, from, op, !tr->j.masked);
}

static void
leave(struct translation *tr)
{
   struct jit_buf *b = &tr->j.buf;
   jit_8(b, 0x41); /* pop r13, r12, rbx; ret */
   jit_8(b, 0x5d);
   jit_8(b, 0x41);
   jit_8(b, 0x5c);
   jit_8(b, 0x5b);
   jit_8(b, 0xc3);
}

/* rax = op->fn(thread, op) */
static void
call(struct translation *tr, const struct eu_op *op)
{
   struct jit_buf *b = &tr->j.buf;
   jit_8(b, 0xc5); /* vzeroupper */
   jit_8(b, 0xf8);
   jit_8(b, 0x77);
   jit_8(b, 0x48); /* mov rdi, rbx */
   jit_8(b, 0x89);
   jit_8(b, 0xdf);
   load_op_address(tr, JIT_RSI, op);
   jit_8(b, 0x48); /* mov rax, fn */
   jit_8(b, 0xb8);
   jit_64(b, (uint64_t)(uintptr_t)op->fn);
   jit_8(b, 0xff); /* call rax */
   jit_8(b, 0xd0);
   tr->j.fp = -1;
   tr->j.have_masks = 0;
}

/* A jump if rax is the address of the op. */
static uint8_t *
jump_if_at(struct translation *tr, const struct eu_op *op)
{
   struct jit_buf *b = &tr->j.buf;
   load_op_address(tr, JIT_ECX, op);
   jit_8(b, 0x48); /* cmp rax, rcx */
   jit_8(b, 0x39);
   jit_8(b, 0xc8);
   return jit_jump_if(b, JIT_IF_ZERO);
}

/* Calls the function of the op; goes on after the op, where channels join
 * that it jumps to, or in run.c. */
static void
call_and_go_on(struct translation *tr, const struct eu_op *op)
{
   struct jit_buf *b = &tr->j.buf;
   call(tr, op);
   uint8_t *next = jump_if_at(tr, op + 1);
   /* A join looks which form is the one there. */
   if (op->inst && op->jip && op->jip->fn == eu_flow_join)
      refer(tr, jump_if_at(tr, op->jip), op->jip, tr->j.masked);
   load_op_address(tr, JIT_ECX, op);
   jit_8(b, 0x48); /* mov [], rcx */
   jit_mov_store(b, MEMBER(last_op), JIT_ECX);
   leave(tr);
   jit_patch(next, b->at);
}

static void
emit_join(struct translation *tr, const struct eu_op *op)
{
   struct jit_buf *b = &tr->j.buf;
   jit_mov_load(b, JIT_EAX, MEMBER(dispatch_mask));
   jit_mov_load(b, JIT_ECX, MEMBER(active));
   jit_not(b, JIT_ECX);
   jit_test(b, JIT_EAX, JIT_ECX);
   uint8_t *none_wait = jit_jump_if(b, JIT_IF_ZERO);
   call(tr, op);
   choose_form(tr, op + 1);
   jit_patch(none_wait, b->at);
}

/* See eu_flow_may_pass(). */
static void
emit_passable(struct translation *tr, const struct eu_op *op)
{
   struct jit_buf *b = &tr->j.buf;
   uint8_t *pass, *nobody = NULL;
   bool leaves;
   eu_flow_may_pass(op, &leaves);
   jit_mov_load(b, JIT_ECX, MEMBER(active));
   jit_test(b, JIT_ECX, JIT_ECX);
   if (op->inst->opcode == ISA_OPCODE_ENDIF ||
       op->inst->opcode == ISA_OPCODE_JOIN) {
      pass = jit_jump_if(b, JIT_IF_NOT_ZERO);
   } else {
      nobody = jit_jump_if(b, JIT_IF_ZERO);
      if (op->pred == ISA_PRED_NORMAL) {
         jit_mov_load(
            b, JIT_EDX,
            member(offsetof(struct sim_eu_thread, flag) + 4 * op->flag_nr));
         jit_shr(b, JIT_EDX, op->flag_shift);
         if (op->flags & EU_PRED_INV)
            jit_not(b, JIT_EDX);
         jit_alu_imm(b, JIT_AND, JIT_EDX, op->lanes << op->group);
      } else {
         jit_mov(b, JIT_EDX, JIT_ECX);
         jit_alu_imm(b, JIT_AND, JIT_EDX, op->lanes << op->group);
      }
      if (!leaves)
         jit_not(b, JIT_EDX);
      jit_test(b, JIT_EDX, JIT_ECX);
      pass = jit_jump_if(b, JIT_IF_ZERO);
   }
   if (nobody)
      jit_patch(nobody, b->at);
   call_and_go_on(tr, op);
   choose_form(tr, op + 1);
   jit_patch(pass, b->at);
}

static void
emit_op(struct translation *tr, const struct eu_op *op)
{
   const struct sim_eu_program *p = tr->j.p;
   const uint32_t i = (uint32_t)(op - p->ops);
   tr->label[tr->j.masked][i] = tr->j.buf.at;
   if (is_native(op)) {
      if (is_entry(p, i)) {
         tr->j.fp = -1;
         tr->j.have_masks = 0;
      }
      jit_alu_emit(&tr->j, op);
      return;
   }
   tr->j.fp = -1;
   tr->j.have_masks = 0;
   if (op->fn == eu_flow_join)
      emit_join(tr, op);
   else if (is_passable(op))
      emit_passable(tr, op);
   else {
      call_and_go_on(tr, op);
      if (i + 1 < p->num_ops)
         choose_form(tr, op + 1);
   }
}

/* What run.c calls. */
static eu_fn
emit_entry(struct translation *tr, const struct eu_op *op)
{
   struct jit_buf *b = &tr->j.buf;
   uint8_t *entry = b->at;
   eu_fn fn;
   jit_8(b, 0x53); /* push rbx, r12, r13 */
   jit_8(b, 0x41);
   jit_8(b, 0x54);
   jit_8(b, 0x41);
   jit_8(b, 0x55);
   jit_8(b, 0x48); /* mov rbx, rdi */
   jit_8(b, 0x89);
   jit_8(b, 0xfb);
   jit_8(b, 0x49); /* mov r12, ops */
   jit_8(b, 0xbc);
   jit_64(b, (uint64_t)(uintptr_t)tr->j.p->ops);
   jit_8(b, 0x49); /* mov r13, pool */
   jit_8(b, 0xbd);
   jit_64(b, (uint64_t)(uintptr_t)jit_pool);
   tr->j.masked = false;
   choose_form(tr, op);
   refer(tr, jit_jump(b), op, false);
   memcpy(&fn, &entry, sizeof(fn));
   return fn;
}

static uint32_t
all_channels(const struct sim_eu_program *p)
{
   uint32_t all = 0;
   for (uint32_t i = 0; i < p->num_ops; i++) {
      const struct eu_op *op = &p->ops[i];
      if (is_native(op) && !(op->flags & EU_NO_MASK))
         all |= op->lanes << op->group;
   }
   return all;
}

static void
translate(struct translation *tr, struct sim_eu_program *p)
{
   tr->all = all_channels(p);
   for (unsigned form = 0; form < 2; form++) {
      tr->j.masked = form;
      tr->j.fp = -1;
      tr->j.have_masks = 0;
      for (uint32_t i = 0; i < p->num_ops; i++)
         emit_op(tr, &p->ops[i]);
   }
   for (uint32_t i = 0; i < p->num_ops; i++) {
      if (is_entry(p, i))
         p->ops[i].hot = emit_entry(tr, &p->ops[i]);
   }
   for (unsigned i = 0; i < tr->num_fixups; i++) {
      const struct fixup *f = &tr->fixups[i];
      jit_patch(f->from, tr->label[f->masked][f->op]);
   }
}

static void
invalidate(struct sim_eu_program *p)
{
   for (uint32_t i = 0; i < p->num_ops; i++)
      p->ops[i].hot = p->ops[i].fn;
}

void
eu_jit_program(struct sim_eu_program *p)
{
   const size_t room_B = (size_t)p->num_ops * OP_B;
   /* What is written is for a host of 64 bits. */
   if (sizeof(void *) < 8 || p->num_ops > MAX_OPS || !eu_host_has_avx2())
      return;
   uint8_t *code = mmap(NULL, room_B, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (code == MAP_FAILED)
      return;
   struct translation tr = { .j = { .buf = { code, code }, .p = p } };
   tr.label[0] = calloc(2 * (size_t)p->num_ops, sizeof(uint8_t *));
   tr.label[1] = tr.label[0] + p->num_ops;
   tr.fixups = calloc(8 * (size_t)p->num_ops, sizeof(*tr.fixups));
   if (tr.label[0] && tr.fixups)
      translate(&tr, p);
   free(tr.label[0]);
   free(tr.fixups);
   const size_t page_B = 4096;
   const size_t used_B = ALIGN((size_t)(tr.j.buf.at - code), page_B);
   if (used_B < room_B)
      munmap(code + used_B, room_B - used_B);
   if (!used_B)
      return;
   p->code = code;
   p->code_B = used_B;
   /* A host may not allow it. */
   if (mprotect(code, used_B, PROT_READ | PROT_EXEC)) {
      invalidate(p);
      eu_jit_free(p);
   }
}

void
eu_jit_free(struct sim_eu_program *p)
{
   if (p->code)
      munmap(p->code, p->code_B);
   p->code = NULL;
}
