/* SPDX-License-Identifier: MIT */
/*
 * SAFFRON_TEST_RECORD=FILE: programs that a suite runs are appended to the
 * file, with the registers that they find, for chips to run
 * (chip/recorded.h). Left out: messages, which want memory, and state that a
 * dispatch cannot have; of the same program with other values all but the
 * first two.
 */
#ifndef SIM_EU_RECORD_H
#define SIM_EU_RECORD_H

#include <errno.h>
#include <stdio.h>

#include "intel/chip/recorded.h"
#include "intel/sim/eu/eu_private.h"

#define RECORD_REGS 120 /* others are what loads and stores them */
#define RECORD_MOST 1000
#define RECORD_SAME 2

/* Registers from `o` on, as many as one instruction can name. */
static inline bool
record_operand(const struct isa_operand *o, uint32_t regs[4])
{
   if (o->indirect) {
      memset(regs, 0xff, 3 * sizeof(regs[0]));
      regs[3] = BITFIELD_MASK(RECORD_REGS - 96);
   }
   if (o->file != ISA_FILE_GRF || o->indirect)
      return true;
   if (o->nr + 8u > RECORD_REGS)
      return false;
   for (unsigned i = o->nr; i < o->nr + 8u; i++)
      regs[i / 32] |= 1u << (i % 32);
   return true;
}

/* Bytes before the end of thread; 0: it is not for a chip. */
static inline uint32_t
record_program(enum isa_gen gen, const uint8_t *code, uint32_t size_B,
               uint32_t regs[4])
{
   unsigned used_B;
   for (uint32_t at = 0; at < size_B; at += used_B) {
      struct isa_inst inst;
      if (!isa_decode(gen, code + at, size_B - at, &inst, &used_B, NULL))
         return 0;
      const struct isa_opcode_info *info = isa_opcode_info(inst.opcode);
      if (info->is_send)
         return inst.eot && at + used_B == size_B ? at : 0;
      if (inst.opcode == ISA_OPCODE_WAIT ||
          (info->has_dst && !record_operand(&inst.dst, regs)))
         return 0;
      for (unsigned i = 0; i < isa_inst_num_srcs(&inst); i++) {
         const struct isa_operand *s = &inst.src[i];
         /* Clocks and states are each chip's own. */
         if (!record_operand(s, regs) ||
             (s->file == ISA_FILE_ARF && (s->nr & 0xf0) >= ISA_ARF_STATE))
            return 0;
      }
   }
   return 0;
}

static inline bool
record_is_plain(const struct sim_eu_thread *t)
{
   return t->env && t->status == SIM_EU_READY && t->dispatch_mask &&
          t->active == t->dispatch_mask && !t->flag[0] && !t->flag[1] &&
          !t->address[0] && !t->env->cr0;
}

static inline void
record_write(const struct recorded_program *head, const uint8_t *code,
             const union sim_grf *grf)
{
   FILE *f = fopen(getenv("SAFFRON_TEST_RECORD"), "ab");
   if (!f)
      abort();
   fwrite(head, sizeof(*head), 1, f);
   fwrite(code, 1, head->code_B, f);
   for (unsigned i = 0; i < RECORD_REGS; i++) {
      if (head->regs[i / 32] >> (i % 32) & 1)
         fwrite(&grf[i], SIM_GRF_B, 1, f);
   }
   if (fclose(f))
      abort();
}

static inline void
record_run(const struct sim_eu_thread *t, const struct sim_eu_program *p)
{
   static struct {
      uint64_t hash;
      unsigned verx10, times;
   } seen[RECORD_MOST];
   static unsigned num_seen, number;
   unsigned i = 0;
   if (!getenv("SAFFRON_TEST_RECORD") || !p->bytes || !record_is_plain(t))
      return;
   while (i < num_seen &&
          (seen[i].hash != p->hash || seen[i].verx10 != p->verx10))
      i++;
   if (i == RECORD_MOST || seen[i].times == RECORD_SAME)
      return;
   struct recorded_program head = { .magic = RECORDED_MAGIC,
                                    .mask = t->dispatch_mask };
   const enum isa_gen gen = isa_gen_from_number(p->verx10);
   snprintf(head.gen, sizeof(head.gen), "%s", isa_gen_name(gen));
   head.code_B = record_program(gen, p->bytes, p->size_B, head.regs);
   if (!head.code_B)
      return;
   num_seen = MAX2(num_seen, i + 1);
   seen[i].hash = p->hash;
   seen[i].verx10 = p->verx10;
   seen[i].times++;
   const char *suite = strrchr(program_invocation_short_name, '_');
   snprintf(head.name, sizeof(head.name), "%s-%u", suite ? suite + 1 : "eu",
            number++);
   record_write(&head, p->bytes, t->grf);
}

#endif
