/* SPDX-License-Identifier: MIT */
/*
 * A thread's registers are computed from its start: forwards by the steps in
 * between, backwards all over again, which is fast enough for a reader.
 */
#include "trace_view.h"

#include <inttypes.h>
#include <stdio.h>

#include "intel/isa/isa_messages.h"

static const char *const stage_names[] = { TRACE_STAGE_NAMES };

static void
apply(struct trace_view *v, const uint8_t *at, uint32_t n)
{
   struct trace_change change;
   for (uint32_t i = 0; i < n; i++)
      at = trace_file_change(at, &change, v->registers);
}

static void
restart(struct trace_view *v)
{
   memset(v->registers, 0, sizeof(v->registers));
   apply(v, v->thread->initial, v->thread->head.num_initial);
   v->now = 0;
}

void
trace_view_init(struct trace_view *v, const struct trace_file *file,
                const struct trace_file_thread *thread)
{
   const uint32_t n = thread->head.num_steps;
   *v = (struct trace_view) {
      .file = file,
      .thread = thread,
      .step_at = calloc((size_t)n + 1, sizeof(*v->step_at)),
   };
   if (!v->step_at)
      abort();
   const uint8_t *at = thread->steps;
   for (uint32_t i = 0; i < n; i++) {
      struct trace_step step;
      const uint8_t *changes;
      v->step_at[i] = at;
      at = trace_file_step(at, &step, &changes);
   }
   v->step_at[n] = at;
   restart(v);
}

void
trace_view_finish(struct trace_view *v)
{
   free(v->step_at);
}

void
trace_view_go(struct trace_view *v, uint32_t n)
{
   n = MIN2(n, v->thread->head.num_steps);
   if (n < v->now)
      restart(v);
   for (; v->now < n; v->now++) {
      struct trace_step step;
      const uint8_t *changes;
      trace_file_step(v->step_at[v->now], &step, &changes);
      apply(v, changes, step.num_changes);
   }
}

struct trace_step
trace_view_step(const struct trace_view *v, uint32_t n)
{
   struct trace_step step;
   memcpy(&step, v->step_at[n], sizeof(step));
   return step;
}

unsigned
trace_view_register(const char *name)
{
   static const struct {
      const char *prefix;
      unsigned first, count, together;
   } files[] = {
      { "r", 0, 128, 1 },           { "acc", TRACE_ACC, 2, 2 },
      { "a", TRACE_ADDRESS, 1, 1 }, { "f", TRACE_FLAGS, 2, 0 },
      { "cr", TRACE_FLAGS, 1, 0 },  { "sr", TRACE_FLAGS, 1, 0 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(files); i++) {
      const size_t n = strlen(files[i].prefix);
      char *end;
      if (strncmp(name, files[i].prefix, n) || name[n] < '0' || name[n] > '9')
         continue;
      const unsigned long nr = strtoul(name + n, &end, 10);
      if (*end || nr >= files[i].count)
         return TRACE_NUM_REGISTERS;
      return files[i].first + files[i].together * (unsigned)nr;
   }
   return TRACE_NUM_REGISTERS;
}

/*
 * Printing
 */

static void
print_item(const struct trace_file_thread *t, unsigned i)
{
   const struct trace_item item = trace_file_item(t, i);
   const int32_t *v = item.v;
   switch ((enum trace_stage)t->head.stage) {
   case TRACE_VS: printf("vertex %d instance %d", v[0], v[1]); break;
   case TRACE_HS: printf("primitive %d instance %d", v[0], v[1]); break;
   case TRACE_DS:
      printf("primitive %d point (%g, %g)", v[0],
             (double)util_bits_float((uint32_t)v[1]),
             (double)util_bits_float((uint32_t)v[2]));
      break;
   case TRACE_GS: printf("primitive %d invocation %d", v[0], v[1]); break;
   case TRACE_FS:
      printf("pixels (%d, %d) to (%d, %d)", v[0], v[1], v[0] + 1, v[1] + 1);
      if (v[2] >= 0)
         printf(" sample %d", v[2]);
      printf(" primitive %d", v[3]);
      break;
   case TRACE_CS:
      printf("group (%d, %d, %d) thread %d", v[0], v[1], v[2], v[3]);
      break;
   case TRACE_NUM_STAGES: break;
   }
}

void
trace_view_print_head(const struct trace_view *v)
{
   const struct trace_thread *h = &v->thread->head;
   printf("%s thread %u of draw %u: kernel 0x%" PRIx64 " (%016" PRIx64
          "), SIMD%u, channels %08x, %u instructions, %" PRIu64 " cycles\n",
          stage_names[h->stage], h->number, h->draw, h->kernel, h->program,
          h->simd, h->dispatch_mask, h->num_steps, h->cycles);
   for (unsigned i = 0; i < h->num_items; i++) {
      const unsigned n = h->lanes_per_item;
      if (n == 0)
         printf("   all channels: ");
      else if (n == 1)
         printf("   channel %u: ", i);
      else
         printf("   channels %u to %u: ", n * i, n * i + n - 1);
      print_item(v->thread, i);
      printf("\n");
   }
}

void
trace_view_inst_text(const struct trace_view *v, uint32_t n, struct strbuf *s)
{
   const struct trace_step step = trace_view_step(v, n);
   const struct trace_file_program *p = v->thread->program;
   struct isa_inst inst;
   struct isa_error error;
   if (isa_decode(v->file->gen, p->bytes + step.ip_B, p->size_B - step.ip_B,
                  &inst, NULL, &error))
      isa_print(v->file->gen, &inst, NULL, s);
   else
      strbuf_printf(s, "no instruction: %s", error.text);
}

void
trace_view_print_inst(const struct trace_view *v, uint32_t n)
{
   const struct trace_step step = trace_view_step(v, n);
   struct strbuf s = { 0 };
   trace_view_inst_text(v, n, &s);
   printf("%6u  0x%04x  %08x  %s\n", n, step.ip_B, step.active,
          strbuf_str(&s));
   strbuf_fini(&s);
}

static void
print_dwords(const char *name, const uint32_t *dw, unsigned n)
{
   printf("      %-5s", name);
   for (unsigned i = 0; i < n; i++)
      printf(" %08x", dw[i]);
}

void
trace_view_print_register(const struct trace_view *v, unsigned reg)
{
   const uint32_t *dw = v->registers[reg];
   char name[24];
   if (reg == TRACE_FLAGS) {
      printf("      f0    %08x\n      f1    %08x\n      cr0.0 %08x\n"
             "      sr0.2 %08x\n",
             dw[0], dw[1], dw[2], dw[3]);
   } else if (reg == TRACE_ADDRESS) {
      print_dwords("a0", dw, 8);
      printf("\n");
   } else if (reg >= TRACE_ACC) {
      /* Eight channels are an accumulator of dwords. */
      const unsigned i = reg - TRACE_ACC;
      snprintf(name, sizeof(name), "acc%u.%u", i / 2, i % 2 * 4);
      printf("      %s", name);
      for (unsigned k = 0; k < 4; k++)
         printf(" %08x%08x", dw[2 * k + 1], dw[2 * k]);
      printf("\n");
   } else {
      snprintf(name, sizeof(name), "r%u", reg);
      print_dwords(name, dw, 8);
      printf("  ");
      for (unsigned i = 0; i < 8; i++)
         printf(" %g", (double)util_bits_float(dw[i]));
      printf("\n");
   }
}

static bool
decode(const struct trace_view *v, uint32_t ip_B, struct isa_inst *inst)
{
   const struct trace_file_program *p = v->thread->program;
   return isa_decode(v->file->gen, p->bytes + ip_B, p->size_B - ip_B, inst,
                     NULL, NULL);
}

/* Marks dwords of bytes [at_B, at_B + size_B) of the general registers. */
static void
mark_bytes(uint8_t marked[TRACE_NUM_REGISTERS], unsigned at_B,
           unsigned size_B)
{
   const unsigned end_B = MIN2(at_B + size_B, 32u * TRACE_ACC);
   for (unsigned i = at_B / 4; 4 * i < end_B && size_B; i++)
      marked[i / 8] |= (uint8_t)(1u << i % 8);
}

static bool
is_message(const struct isa_inst *inst)
{
   return isa_opcode_info(inst->opcode)->is_send;
}

/* The dwords that the instruction's destination is in. */
static void
mark_destination(const struct trace_view *v, const struct trace_step *step,
                 uint8_t marked[TRACE_NUM_REGISTERS])
{
   struct isa_inst inst;
   if (!decode(v, step->ip_B, &inst) || inst.dst.file != ISA_FILE_GRF ||
       inst.dst.indirect || (!step->active && !inst.no_mask))
      return;
   const unsigned elements = (inst.exec_size - 1u) *
                             MAX2(inst.dst.hstride, 1);
   unsigned size_B = (elements + 1) * isa_type_size_B(inst.dst.type);
   if (is_message(&inst))
      size_B = inst.desc_is_reg ? 0 : isa_desc_rlen(inst.desc) * 32;
   mark_bytes(marked, inst.dst.nr * 32u + inst.dst.subnr_B, size_B);
}

/* Bytes from the first to the last element of a source's region. */
static unsigned
region_size_B(const struct isa_inst *inst, const struct isa_operand *o)
{
   const unsigned size_B = isa_type_size_B(o->type);
   const unsigned n = inst->exec_size;
   if (isa_opcode_info(inst->opcode)->format == ISA_FORMAT_SRC3)
      return o->rep_ctrl ? size_B : n * size_B;
   if (inst->access_mode == ISA_ALIGN16)
      return o->vstride ? n * size_B : 16;
   const unsigned width = MIN2(MAX2(o->width, 1u), n);
   const unsigned last = (n / width - 1) * o->vstride +
                         (width - 1) * o->hstride;
   return (last + 1) * size_B;
}

/* The dwords that step n reads. Registers by address are not known. */
static void
mark_read(const struct trace_view *v, uint32_t n,
          uint8_t marked[TRACE_NUM_REGISTERS])
{
   struct isa_inst inst;
   memset(marked, 0, TRACE_NUM_REGISTERS);
   if (!decode(v, trace_view_step(v, n).ip_B, &inst))
      return;
   for (unsigned i = 0; i < isa_inst_num_srcs(&inst); i++) {
      const struct isa_operand *o = &inst.src[i];
      if (o->file != ISA_FILE_GRF || o->indirect)
         continue;
      unsigned size_B = is_message(&inst) ? 0 : region_size_B(&inst, o);
      if (is_message(&inst) && i == 0 && !inst.desc_is_reg)
         size_B = 32 * isa_desc_mlen(inst.desc);
      if (is_message(&inst) && i == 1 && !inst.ex_desc_is_reg)
         size_B = 32 * isa_ex_desc_ex_mlen(inst.ex_desc);
      mark_bytes(marked, o->nr * 32u + o->subnr_B, size_B);
   }
   if (inst.pred || inst.desc_is_reg)
      marked[inst.pred ? TRACE_FLAGS : TRACE_ADDRESS] = 0xff;
}

/* What step n has written: its destination, also where that has the value
 * that was there before, and whatever else has changed. */
static void
mark_written(const struct trace_view *v, uint32_t n,
             uint8_t marked[TRACE_NUM_REGISTERS])
{
   struct trace_step step;
   const uint8_t *at;
   memset(marked, 0, TRACE_NUM_REGISTERS);
   trace_file_step(v->step_at[n], &step, &at);
   mark_destination(v, &step, marked);
   for (uint32_t i = 0; i < step.num_changes; i++) {
      struct trace_change change;
      at = trace_file_change(at, &change, NULL);
      marked[change.reg] |= change.mask;
   }
}

void
trace_view_print_changes(const struct trace_view *v, uint32_t n)
{
   uint8_t marked[TRACE_NUM_REGISTERS];
   mark_written(v, n, marked);
   for (unsigned r = 0; r < TRACE_NUM_REGISTERS; r++) {
      if (marked[r])
         trace_view_print_register(v, r);
   }
}

/*
 * Search
 */

uint32_t
trace_view_find_write(const struct trace_view *v, uint32_t from, unsigned reg)
{
   const unsigned count = reg >= TRACE_ACC && reg < TRACE_ADDRESS ? 2 : 1;
   for (uint32_t n = from; n < v->thread->head.num_steps; n++) {
      uint8_t marked[TRACE_NUM_REGISTERS];
      mark_written(v, n, marked);
      if (marked[reg] || marked[reg + count - 1])
         return n;
   }
   return ~0u;
}

uint32_t
trace_view_find_ip(const struct trace_view *v, uint32_t from, uint32_t ip_B)
{
   for (uint32_t n = from; n < v->thread->head.num_steps; n++) {
      if (trace_view_step(v, n).ip_B == ip_B)
         return n;
   }
   return ~0u;
}

bool
trace_view_writes(const struct trace_view *v, uint32_t n, unsigned reg,
                  unsigned mask)
{
   uint8_t marked[TRACE_NUM_REGISTERS];
   mark_written(v, n, marked);
   return marked[reg] & mask;
}

uint32_t
trace_view_find_writer(const struct trace_view *v, uint32_t end, unsigned reg,
                       unsigned mask)
{
   for (uint32_t n = MIN2(end, v->thread->head.num_steps); n-- > 0;) {
      if (trace_view_writes(v, n, reg, mask))
         return n;
   }
   return ~0u;
}

uint32_t
trace_view_find_reader(const struct trace_view *v, uint32_t from,
                       unsigned reg, unsigned mask)
{
   for (uint32_t n = from; n < v->thread->head.num_steps; n++) {
      uint8_t marked[TRACE_NUM_REGISTERS];
      mark_read(v, n, marked);
      if (marked[reg] & mask)
         return n;
   }
   return ~0u;
}

uint32_t
trace_view_cost(const struct trace_view *v, uint32_t n)
{
   const struct trace_thread *h = &v->thread->head;
   const uint64_t end = n + 1 < h->num_steps ? trace_view_step(v, n + 1).cycle
                                             : h->cycles;
   const uint32_t start = trace_view_step(v, n).cycle;
   return end > start ? (uint32_t)(end - start) : 0;
}

unsigned
trace_view_register_place(const char *text, unsigned *mask)
{
   char name[16];
   const size_t n = strcspn(text, "@");
   *mask = 0xff;
   if (n >= sizeof(name))
      return TRACE_NUM_REGISTERS;
   memcpy(name, text, n);
   name[n] = 0;
   char *dot = strchr(name, '.');
   if (dot) {
      if (dot[1] < '0' || dot[1] > '7' || dot[2])
         return TRACE_NUM_REGISTERS;
      *mask = 1u << (dot[1] - '0');
      *dot = 0;
   }
   return trace_view_register(name);
}
