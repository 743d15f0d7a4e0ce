/* SPDX-License-Identifier: MIT */
/*
 * Programs that begin with all registers read from the input, and end with
 * all of them written to the output. Stateless OWord blocks, which every
 * generation has: the header names the place, in OWords.
 */
#include "chip.h"

#include <stdarg.h>
#include <stdio.h>

#define BTI_STATELESS 255
#define REG_HEADER 121 /* and its data, side by side */
#define REG_COPY 126   /* of r0, for headers */
#define REG_END 127
#define BLOCK_REGS 4

static void
put(struct chip_device *d, struct util_dynarray *code, const char *text)
{
   struct isa_errors errors = { 0 };
   if (!isa_assemble(d->gen, text, strlen(text), code, &errors)) {
      fprintf(stderr, "saffron-chip: %s: %s\n", text, errors.error[0].text);
      abort();
   }
}

PRINTFLIKE(3, 4)
static void
putf(struct chip_device *d, struct util_dynarray *code, const char *format,
     ...)
{
   char text[512];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   put(d, code, text);
}

static uint32_t
block_desc(const struct chip_device *d, bool write)
{
   const struct isa_message m = {
      .sfid = ISA_SFID_DATA_CACHE0,
      .msg = write ? ISA_MSG_OWORD_BLOCK_WRITE : ISA_MSG_OWORD_BLOCK_READ,
      .header = true,
      .mlen = write ? 1 + BLOCK_REGS : 1,
      .rlen = write ? 0 : BLOCK_REGS,
      .block = ISA_BLOCK_8,
      .bti = BTI_STATELESS,
   };
   return isa_message_pack(d->gen, &m);
}

static void
load_block(struct chip_device *d, struct util_dynarray *code, unsigned reg)
{
   putf(d, code, "(W) mov (1|M0) r%u.2<1>:ud 0x%x:ud\n", REG_COPY,
        (chip_address(d, CHIP_INPUT) + 32 * reg) / 16);
   putf(d, code, "(W) send (8|M0) r%u r%u 0xA 0x%08x\n", reg, REG_COPY,
        block_desc(d, false));
}

static void
store_block(struct chip_device *d, struct util_dynarray *code,
            unsigned offset_B)
{
   putf(d, code, "(W) mov (1|M0) r%u.2<1>:ud 0x%x:ud\n", REG_HEADER,
        (chip_address(d, CHIP_OUTPUT) + offset_B) / 16);
   putf(d, code, "(W) send (8|M0) null r%u 0xA 0x%08x\n", REG_HEADER,
        block_desc(d, true));
}

static void
load_all(struct chip_device *d, struct util_dynarray *code)
{
   putf(d, code, "(W) mov (8|M0) r%u.0<1>:ud r0.0<8;8,1>:ud\n", REG_COPY);
   for (unsigned i = 0; i < CHIP_REGS; i += BLOCK_REGS)
      load_block(d, code, i);
   put(d, code,
       "(W) mov (1|M0) f0.0<1>:ud 0:ud\n"
       "(W) mov (1|M0) f1.0<1>:ud 0:ud\n"
       "(W) mov (8|M0) a0.0<1>:uw 0:uw\n");
}

static void
store_all(struct chip_device *d, struct util_dynarray *code)
{
   putf(d, code, "(W) mov (8|M0) r%u.0<1>:ud r%u.0<8;8,1>:ud\n", REG_HEADER,
        REG_COPY);
   for (unsigned i = 0; i < CHIP_REGS; i += BLOCK_REGS) {
      for (unsigned k = 0; k < BLOCK_REGS; k++)
         putf(d, code, "(W) mov (8|M0) r%u.0<1>:ud r%u.0<8;8,1>:ud\n",
              REG_HEADER + 1 + k, i + k);
      store_block(d, code, i * 32);
   }
   putf(d, code, "(W) mov (1|M0) r%u.0<1>:ud f0.0<0;1,0>:ud\n",
        REG_HEADER + 1);
   putf(d, code, "(W) mov (1|M0) r%u.1<1>:ud f1.0<0;1,0>:ud\n",
        REG_HEADER + 1);
   store_block(d, code, CHIP_REGS_B);
   putf(d, code, "(W) mov (8|M0) r%u.0<1>:ud r%u.0<8;8,1>:ud\n", REG_END,
        REG_COPY);
   put(d, code, "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n");
}

void
chip_program(struct chip_device *d, const void *bytes, size_t size_B)
{
   struct util_dynarray code = { 0 };
   load_all(d, &code);
   memcpy(util_dynarray_grow_bytes(&code, size_B), bytes, size_B);
   store_all(d, &code);
   assert(code.size_B + 256 <= CHIP_BUFFER_B && "a program that is too long");
   memcpy(d->bos[CHIP_PROGRAM].map, code.data, code.size_B);
   memset((char *)d->bos[CHIP_PROGRAM].map + code.size_B, 0, 256);
   util_dynarray_fini(&code);
}

void
chip_program_text(struct chip_device *d, const char *text)
{
   struct util_dynarray code = { 0 };
   put(d, &code, text);
   chip_program(d, code.data, code.size_B);
   util_dynarray_fini(&code);
}

void
chip_program_where(unsigned offset_B, char *out, size_t size_B)
{
   if (offset_B < CHIP_REGS_B)
      snprintf(out, size_B, "r%u.%u", offset_B / 32, offset_B % 32 / 4);
   else
      snprintf(out, size_B, "f%u", (offset_B - CHIP_REGS_B) / 4);
}
