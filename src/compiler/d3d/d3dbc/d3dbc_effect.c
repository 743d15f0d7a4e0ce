/* SPDX-License-Identifier: MIT */
/*
 * Compiled effects (fx_2_0): a file that holds shaders among techniques,
 * states and annotations. Of the file the shaders are found, whole ones that
 * begin at a version and go, instruction by instruction, to an end token.
 */
#include "d3dbc.h"

/* What compilers write, and the header before it that XNA puts there. */
#define EFFECT 0xfeff0901u
#define EFFECT_XNA 0xbcf00bcfu

static uint32_t
word(const void *data, size_t i)
{
   uint32_t v;

   memcpy(&v, (const uint8_t *)data + 4 * i, 4);
   return v;
}

bool
d3dbc_is_effect(const void *data, size_t size_B)
{
   return size_B >= 4 &&
          (word(data, 0) == EFFECT || word(data, 0) == EFFECT_XNA);
}

/* How many dwords the instruction at `i` has; 0: it goes beyond the end. */
static size_t
instruction_dw(const void *data, size_t num, size_t i, unsigned major)
{
   const uint32_t token = word(data, i);
   const unsigned code = token & 0xffff;
   size_t n = 1;

   if (code == D3DBC_COMMENT)
      n += token >> 16 & 0x7fff;
   else if (major >= 2)
      n += token >> 24 & 0xf;
   else if (code == 0x51) /* def: a register and four numbers */
      n += 5;
   else
      while (i + n < num && word(data, i + n) >> 31)
         n++;
   return n <= num - i ? n : 0;
}

bool
d3dbc_effect_next(const void *data, size_t size_B, size_t *at_B,
                  size_t *shader_B)
{
   const size_t num = size_B / 4;

   for (size_t first = *at_B / 4; first < num; first++) {
      const uint32_t version = word(data, first);
      const unsigned major = version >> 8 & 0xff;
      if (version >> 17 != 0x7fff || major < 1 || major > 3)
         continue;
      for (size_t i = first + 1, n; i < num; i += n) {
         if (word(data, i) == D3DBC_END) {
            *at_B = 4 * first;
            *shader_B = 4 * (i + 1 - first);
            return true;
         }
         n = instruction_dw(data, num, i, major);
         if (!n)
            break;
      }
   }
   return false;
}
