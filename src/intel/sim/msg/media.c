/* SPDX-License-Identifier: MIT */
/*
 * Media block messages: a rectangle of bytes of a two-dimensional surface.
 * PRM SKL vol 7 (HSW vol 7, IVB vol 4 part 1), "Media Block Read/Write".
 *
 * The header has the corner, M0.0 in bytes and M0.1 in rows, both signed, and
 * in M0.2 the size less one: bytes in 5:0, rows in 21:16. In registers, rows
 * are a power of two of bytes apart, four at least, whatever their width.
 *
 * Reads beyond an edge repeat the elements at the edge; what is written there
 * goes nowhere. The message knows neither levels nor conversion.
 */
#include "intel/sim/mem/surface.h"
#include "intel/sim/msg/blocks.h"

#define MAX_REGISTERS 8
#define MAX_CORNER (1 << 20) /* beyond any surface */

struct block {
   const struct sim_surface *s;
   int x_B, y;
   unsigned width_B, height, pitch_B;
};

static unsigned
row_pitch_B(unsigned width_B)
{
   unsigned pitch_B = 4;
   while (pitch_B < width_B)
      pitch_B *= 2;
   return pitch_B;
}

static int
floor_div(int a, int b)
{
   return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Address of a byte of the surface; `inside` tells whether it had to be
 * moved to the edge. */
static uint64_t
byte_address(const struct sim_surface *s, int x_B, int y, bool *inside)
{
   const int element_B = (int)s->element_B;
   const int x = floor_div(x_B, element_B);
   const int in_x = CLAMP(x, 0, (int)s->width - 1);
   const int in_y = CLAMP(y, 0, (int)s->height - 1);
   *inside = x == in_x && y == in_y;
   const uint64_t a =
      sim_surface_typed_address(s, (uint32_t)in_x, (uint32_t)in_y, 0, 0);
   return a ? a + (uint64_t)(x_B - x * element_B) : 0;
}

static bool
transfer(struct sim_eu_thread *t, const struct block *b, bool write,
         uint8_t *data)
{
   for (unsigned row = 0; row < b->height; row++) {
      for (unsigned i = 0; i < b->width_B; i++) {
         uint8_t *at = &data[row * b->pitch_B + i];
         bool inside;
         const uint64_t a =
            byte_address(b->s, b->x_B + (int)i, b->y + (int)row, &inside);
         if (!a || (write && !inside))
            continue;
         if (write ? !dp_write(t, &dp_flat, -1, a, at, 1)
                   : !dp_read(t, &dp_flat, -1, a, at, 1))
            return false;
      }
   }
   return true;
}

/* A line stride chooses one field of an interlaced surface. */
static bool
decode_block(struct sim_eu_thread *t, const struct sim_message *m,
             struct block *b)
{
   if (!m->header)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "media block messages need a header");
   const uint32_t *h = m->src0[0].ud;
   b->x_B = (int32_t)h[0];
   b->y = (int32_t)h[1];
   b->width_B = (h[2] & 0x3f) + 1;
   b->height = (h[2] >> 16 & 0x3f) + 1;
   b->pitch_B = row_pitch_B(b->width_B);
   if (m->fields->line_stride)
      return sim_msg_unknown(t, m, "media block with a line stride, type",
                             m->fields->line_stride);
   if (b->pitch_B * b->height > MAX_REGISTERS * SIM_GRF_B)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "a media block of %u bytes in "
                          "%u rows is larger than 8 registers",
                          b->width_B, b->height);
   if (b->x_B < -MAX_CORNER || b->x_B > MAX_CORNER || b->y < -MAX_CORNER ||
       b->y > MAX_CORNER)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE, "a media block at %d, %d",
                          b->x_B, b->y);
   b->s = dp_surface(t, m);
   if (b->s && b->s->type != SIM_SURFACE_2D && b->s->type != SIM_SURFACE_NULL)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "a media block message to a "
                          "surface that is not two-dimensional");
   return b->s != NULL;
}

bool
dp_media_block(struct sim_eu_thread *t, const struct sim_message *m,
               bool write)
{
   uint8_t data[MAX_REGISTERS * SIM_GRF_B] = { 0 };
   struct block b;
   if (!decode_block(t, m, &b))
      return false;
   const unsigned regs = DIV_ROUND_UP(b.pitch_B * b.height, SIM_GRF_B);
   /* Registers beyond the block are not looked at: igt's fills of 16 bytes
    * send two. */
   const unsigned payload = write ? MAX2(1 + regs, m->mlen) : 1;
   if (!dp_check_lengths(t, m, "media block", payload, write ? 0 : regs))
      return false;
   const bool null = b.s->type == SIM_SURFACE_NULL;
   if (write) {
      for (unsigned i = 0; i < regs; i++)
         memcpy(&data[i * SIM_GRF_B], sim_message_payload(m, 1 + i),
                SIM_GRF_B);
      return null || transfer(t, &b, true, data);
   }
   if (!null && !transfer(t, &b, false, data))
      return false;
   if (m->exec_mask || m->no_mask)
      memcpy(m->dst, data, regs * SIM_GRF_B);
   return true;
}
