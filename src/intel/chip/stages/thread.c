/* SPDX-License-Identifier: MIT */
/* One thread: which channels are on, and what each message stores. */
#include <stdio.h>

#include "intel/chip/chip.h"

#define BTI_STATELESS 255
#define AT_MESSAGE 0x1800 /* in the output, behind the registers */
#define OUTPUT_B 0x2000

/* Channels --------------------------------------------------------------- */

struct channels {
   const char *name;
   unsigned simd;
   uint32_t mask;
};

static const struct channels channels[] = {
   { "simd8", 8, 0xff },         { "simd8-some", 8, 0x35 },
   { "simd16", 16, 0xffff },     { "simd16-some", 16, 0x1f0e },
   { "simd32", 32, 0xffffffff }, { "simd32-some", 32, 0x80f1234 },
};

static enum chip_status
run_channels(struct chip_device *d, const void *data,
             struct util_dynarray *out)
{
   const struct channels *ch = data;
   chip_start(d);
   memset(d->bos[CHIP_INPUT].map, 0, CHIP_REGS_B);
   chip_program_text(d, ch->simd == 8 ? "mov (8|M0) r10.0<1>:ud 7:ud\n"
                                      : "mov (16|M0) r10.0<1>:ud 7:ud\n");
   chip_dispatch(d, ch->simd, ch->mask);
   return chip_finish(d, CHIP_PROGRAM_OUTPUT_B, out);
}

/* Messages --------------------------------------------------------------- */

static const struct isa_message messages[] = {
   { .msg = ISA_MSG_UNTYPED_WRITE,
     .mlen = 2,
     .simd = 8,
     .channels_off = 0xe },
   { .msg = ISA_MSG_UNTYPED_READ,
     .mlen = 1,
     .rlen = 1,
     .simd = 8,
     .channels_off = 0xe },
   { .msg = ISA_MSG_BYTE_SCATTERED_WRITE,
     .mlen = 2,
     .simd = 8,
     .element_B = 4 },
   { .msg = ISA_MSG_BYTE_SCATTERED_READ,
     .mlen = 1,
     .rlen = 1,
     .simd = 8,
     .element_B = 2 },
   { .msg = ISA_MSG_DWORD_SCATTERED_WRITE, .mlen = 2, .simd = 8 },
   { .msg = ISA_MSG_DWORD_SCATTERED_READ, .mlen = 1, .rlen = 1, .simd = 8 },
   { .msg = ISA_MSG_UNTYPED_ATOMIC,
     .mlen = 2,
     .rlen = 1,
     .simd = 8,
     .aop = ISA_AOP_ADD,
     .returns = 1 },
};

/* Addresses in r50: bytes, or dwords for scattered dwords; data in r51; the
 * answer in r60. */
static enum chip_status
run_message(struct chip_device *d, const void *data,
            struct util_dynarray *out)
{
   struct isa_message m = *(const struct isa_message *)data;
   const bool dwords = m.msg == ISA_MSG_DWORD_SCATTERED_WRITE ||
                       m.msg == ISA_MSG_DWORD_SCATTERED_READ;
   uint32_t *in = d->bos[CHIP_INPUT].map;
   char text[256], to[16] = "null";
   chip_start(d);
   memset(in, 0, CHIP_REGS_B);
   for (unsigned i = 0; i < 8; i++) {
      const uint32_t at = chip_address(d, CHIP_OUTPUT) + AT_MESSAGE + 8 * i;
      in[50 * 8 + i] = dwords ? at / 4 : at;
      in[51 * 8 + i] = 0x1234567u * (i + 1);
      d->bos[CHIP_OUTPUT].map[AT_MESSAGE / 4 + 2 * i] = 0x89abcdefu ^ i;
   }
   m.sfid = isa_message_sfid(d->gen, m.msg);
   m.bti = BTI_STATELESS;
   if (m.rlen)
      snprintf(to, sizeof(to), "r60");
   snprintf(text, sizeof(text),
            "send (8|M0) %s r50 0x%x 0x%08x\n"
            "(W) mov (8|M0) r50.0<1>:ud 0:ud\n",
            to, (unsigned)m.sfid, isa_message_pack(d->gen, &m));
   chip_program_text(d, text);
   chip_dispatch(d, 8, 0xff);
   return chip_finish(d, OUTPUT_B, out);
}

static void
message_where(unsigned offset_B, char *out, size_t size_B)
{
   if (offset_B >= AT_MESSAGE)
      snprintf(out, size_B, "memory, byte %u", offset_B - AT_MESSAGE);
   else
      chip_program_where(offset_B, out, size_B);
}

void
chip_stage_thread(struct chip *c)
{
   bool goes_on = true;
   for (unsigned i = 0; goes_on && i < ARRAY_SIZE(channels); i++) {
      struct chip_case k = { .run = run_channels,
                             .data = &channels[i],
                             .where = chip_program_where };
      snprintf(k.name, sizeof(k.name), "%s", channels[i].name);
      goes_on = chip_run(c, &k);
   }
   for (unsigned i = 0; goes_on && i < ARRAY_SIZE(messages); i++) {
      struct chip_case k = { .run = run_message,
                             .data = &messages[i],
                             .where = message_where };
      if (!isa_message_exists(c->sim->gen, messages[i].msg))
         continue;
      snprintf(k.name, sizeof(k.name), "%s",
               isa_message_name(messages[i].msg));
      for (char *p = k.name; *p; p++)
         *p = *p == ' ' ? '_' : *p;
      goes_on = chip_run(c, &k);
   }
}
