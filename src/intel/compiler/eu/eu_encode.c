/* SPDX-License-Identifier: MIT */
/* Operands of the IR as those of the instruction set: regions. */
#include "eu_encode.h"

/*
 * The region for `exec_size` channels `stride` elements apart. A row must
 * not cross a GRF, and the hardware's horizontal strides are 0, 1, 2, 4:
 * other distances become rows of one element.
 */
static void
linear_region(struct isa_operand *o, const eu_reg *r, unsigned exec_size)
{
   const unsigned size = eu_type_sz(r->type);
   unsigned width = MIN2(exec_size, 16);

   if (r->stride == 0 || exec_size == 1) {
      o->vstride = 0;
      o->width = 1;
      o->hstride = 0;
      return;
   }
   if (r->stride > 4)
      width = 1;
   while (width > 1) {
      const unsigned row_B = ((width - 1) * r->stride + 1) * size;
      const unsigned step_B = width * r->stride * size;
      const bool crosses =
         r->offset % REG_SIZE_B + row_B > REG_SIZE_B ||
         (step_B < REG_SIZE_B && REG_SIZE_B % step_B != 0) ||
         (r->offset % step_B != 0 && exec_size > width) ||
         width * r->stride > 32;
      if (!crosses)
         break;
      width /= 2;
   }
   o->width = (uint8_t)width;
   o->vstride = (uint8_t)(width * r->stride);
   o->hstride = width == 1 ? 0 : r->stride;
}

void
eu_encode_source(struct isa_operand *o, const eu_reg *r, unsigned exec_size)
{
   memset(o, 0, sizeof(*o));
   o->type = (enum isa_type)r->type;
   o->negate = r->negate;
   o->abs = r->abs;
   switch ((enum eu_file)r->file) {
   case EU_IMM:
      o->file = ISA_FILE_IMM;
      o->imm = r->imm;
      return;
   case EU_ARF:
      o->file = ISA_FILE_ARF;
      o->nr = (uint8_t)r->nr;
      o->subnr_B = (uint8_t)r->offset;
      if (eu_is_null(r)) {
         o->vstride = 8;
         o->width = 8;
         o->hstride = 1;
         if (exec_size < 8)
            linear_region(o, r, exec_size);
         return;
      }
      linear_region(o, r, exec_size);
      return;
   case EU_GRF:
      o->file = ISA_FILE_GRF;
      o->nr = (uint8_t)(r->nr + r->offset / REG_SIZE_B);
      o->subnr_B = (uint8_t)(r->offset % REG_SIZE_B);
      break;
   default: unreachable("operand without a hardware register");
   }
   if (r->region) {
      o->vstride = r->vs;
      o->width = r->w;
      o->hstride = r->hs;
      if (exec_size == o->width && o->hstride && o->vstride == 0) {
         /* One row only: VertStride must be Width * HorzStride. */
         o->vstride = (uint8_t)(o->width * o->hstride);
      }
   } else {
      linear_region(o, r, exec_size);
   }
}

void
eu_encode_dest(struct isa_operand *o, const eu_reg *r)
{
   memset(o, 0, sizeof(*o));
   o->type = (enum isa_type)r->type;
   o->hstride = MAX2(1, r->stride);
   switch ((enum eu_file)r->file) {
   case EU_BAD:
      o->file = ISA_FILE_ARF;
      o->nr = ISA_ARF_NULL;
      o->type = ISA_TYPE_UD;
      return;
   case EU_ARF:
      o->file = ISA_FILE_ARF;
      o->nr = (uint8_t)r->nr;
      o->subnr_B = (uint8_t)r->offset;
      return;
   case EU_GRF:
      o->file = ISA_FILE_GRF;
      o->nr = (uint8_t)(r->nr + r->offset / REG_SIZE_B);
      o->subnr_B = (uint8_t)(r->offset % REG_SIZE_B);
      return;
   default: unreachable("destination without a hardware register");
   }
}

/* Three-source instructions: Align16, scalars by replication. */
void
eu_encode_source3(struct isa_operand *o, const eu_reg *r)
{
   eu_encode_source(o, r, 8);
   o->vstride = 4;
   o->width = 0;
   o->hstride = 0;
   o->swizzle = ISA_SWIZZLE_XYZW;
   if (r->stride == 0) {
      o->rep_ctrl = true;
      o->vstride = 0;
      o->swizzle = ISA_SWIZZLE_XXXX;
   }
}
